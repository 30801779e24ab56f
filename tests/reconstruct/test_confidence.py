"""Whether confidence means what it says, by the labels of rounds that were simulated and then spoiled on purpose."""

from __future__ import annotations

import math
from collections import Counter
from random import Random

import pytest

from replay.cards.solver.confidence import shares, unexplored_cost
from tests.reconstruct import rack_tallies
from tests.reconstruct.rack_judge import WRONG
from tests.reconstruct.rack_trials import DEAL, PACKS, RACK, SHOWN, play


def test_shares_are_those_of_the_probabilities() -> None:
    """Costs are minus logarithms: 6 to 3 to 1, with as much as the last unexplored."""
    costs = [-math.log(0.6), -math.log(0.3), -math.log(0.05)]
    assert shares(costs, -math.log(0.05)) == pytest.approx([0.6, 0.3, 0.05])
    assert shares([], 1.0) == []


def test_what_was_not_looked_for_weighs_more_where_the_best_found_is_dear() -> None:
    usual = unexplored_cost(price=10, usual=0, levels=1, witnesses=0, strange=math.inf)
    assert usual - 10 == pytest.approx(9)  # one fault more
    contradicted = unexplored_cost(price=90, usual=0, levels=2, witnesses=21, strange=0)
    assert contradicted < 90, "three faults are likelier than that many witnesses wrong"


def test_where_two_things_are_supposed_nothing_sure_rests_on_the_ratio_of_rates() -> None:
    """Thirty to one by rates known to an order of magnitude: two swaps, or a swap and a packet out of place."""
    costs = [20.0, 20.0 + math.log(30)]
    two = [Counter(swapped=2), Counter(swapped=1, out_of_place=1)]
    one = [Counter(swapped=1), Counter(out_of_place=1)]
    # Each side has one that the other has not: twice a factor of five.
    assert shares(costs, 60.0, two, in_doubt=True)[0] == pytest.approx(1 / (1 + 25 / 30))
    assert shares(costs, 60.0, one)[0] == pytest.approx(30 / 31)
    alike = [Counter(swapped=1, missing=1), Counter(swapped=1, missing=1)]
    assert shares(costs, 60.0, alike, in_doubt=True)[0] == pytest.approx(30 / 31), "the same rates on both sides"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("pack", "evidence", "racks"),
    [
        ("ma/pai_gow_poker", RACK, 250),
        ("ma/pai_gow_poker", SHOWN, 250),
        ("ma/pai_gow_poker", DEAL, 250),
        ("ca/supreme_baccarat", RACK, 600),
        ("ca/supreme_baccarat", DEAL, 600),
    ],
)
def test_of_what_is_said_surely_about_as_much_is_right(pack: str, evidence: str, racks: int) -> None:
    """One fault a round, each kind as often as it is taken to happen: in each bucket the share that is right is near
    the confidence said, neither more nor less, within three and a half standard errors and a twentieth."""
    rng = Random(4)
    played = play(pack, 150, 4)
    tally = rack_tallies.as_likely(pack, played, evidence, racks, rng)
    assert len(tally.confidences) > 40
    for low, high, count, said, right in rack_tallies.buckets(tally.confidences):
        error = math.sqrt(max(said * (1 - said), 0.01) / count)
        assert abs(said - right) < 3.5 * error + 0.05, (low, high, count, said, right)


@pytest.mark.slow
def test_one_fault_is_located_where_the_information_is_there() -> None:
    """A sample of `python -m benchmarks.reconstruction`: each kind in turn, beside the deal."""
    for pack in PACKS:
        played = play(pack, 100, 2)
        knowable = located = wrong = 0
        for (_, _), tally in rack_tallies.one_fault(pack, played, [DEAL], 12, Random(2)).items():
            knowable, located = knowable + tally.knowable, located + tally.knowable_located
            wrong += tally.outcomes[WRONG]
        assert knowable > 50
        assert located >= 0.98 * knowable
        assert wrong == 0


@pytest.mark.slow
def test_two_faults_at_once_are_not_told_surely_as_what_they_are_not() -> None:
    for pack, trials in (("ma/pai_gow_poker", 60), ("ca/supreme_baccarat", 300)):
        played = play(pack, 100, 6)
        for tally in rack_tallies.two_faults(pack, played, rack_tallies.evidence_of(pack), trials, Random(6)).values():
            assert tally.outcomes[WRONG] == 0, tally.wrong
