"""Lawful hands of poker of which a device missed an action: nobody is accused of anything for it."""

from __future__ import annotations

import pytest

from replay.families.board.unseen import StreetsTurned
from replay.rounds import Fact, RoundRow
from replay.verdicts import Audit
from schemas.findings import POSSIBLE
from tests.packs.poker_rounds import BOARD, codes, hand, verdict

HOLES = {1: "As Ad", 2: "Ks Kd", 3: "Qs Qd", 4: "Ts Th", 5: "8s 8d"}
# actions; after how many of them how many cards were turned; who was pushed what; players, the last one with the button
HANDS: dict[str, tuple[str, tuple[tuple[int, int], ...], tuple[int, int], int]] = {
    "raised before the flop": (
        "1 post_blind 300, 2 post_blind 500, 3 raise 1500, 4 call 1500, 1 call 1200, 2 fold 0, 1 check 0, 3 bet 2000, "
        "4 fold 0, 1 call 2000, 1 check 0, 3 check 0, 1 bet 3000, 3 call 3000",
        ((6, 3), (10, 1), (12, 1)),
        (1, 14800),  # 3 × 15 + 5, 2 × 20 and 2 × 30, less 2
        4,
    ),
    "a straddle": (
        "1 post_blind 300, 2 post_blind 500, 3 post_blind 1000, 4 call 1000, 5 raise 3000, 1 fold 0, 2 fold 0, "
        "3 call 2000, 4 fold 0, 3 check 0, 5 check 0, 3 check 0, 5 check 0, 3 check 0, 5 bet 2000, 3 call 2000",
        ((9, 3), (11, 1), (13, 1)),
        (3, 11400),  # 2 × 30 + 10 + 5 + 3 and 2 × 20, less 4
        5,
    ),
    "two players": (
        "2 post_blind 300, 1 post_blind 500, 2 raise 1200, 1 call 1000, 1 check 0, 2 bet 1000, 1 call 1000, 1 check 0, "
        "2 check 0, 1 bet 2000, 2 call 2000",
        ((4, 3), (7, 1), (9, 1)),
        (1, 8800),  # 2 × 15, 2 × 10 and 2 × 20, less 2
        2,
    ),
    "all in": (
        "1 post_blind 300, 2 post_blind 500, 3 raise 1500, 4 all_in 3000, 1 all_in 9700, 2 fold 0, 3 call 8500",
        ((7, 3), (7, 1), (7, 1)),
        (1, 23300),  # 3 × 30 + 5 less 2, and 2 × 70
        4,
    ),
    "folded to the big blind": (
        "1 post_blind 300, 2 post_blind 500, 3 fold 0, 4 fold 0, 5 fold 0, 1 fold 0",
        (),
        (2, 200),  # twice 3, less 4
        5,
    ),
    "an additional blind": (
        "1 post_blind 300, 2 post_blind 500, 4 post_blind 800, 3 call 500, 4 raise 1000, 5 fold 0, 1 fold 0, "
        "2 call 1000, 3 call 1000, 2 check 0, 3 check 0, 4 bet 2000, 2 fold 0, 3 fold 0",
        ((9, 3),),
        (4, 4700),  # 3 × 15 + 3 + 3 dead, less 4
        5,
    ),
}
ONE_MISSED = [
    (name, number) for name, (acts, *_) in HANDS.items() for number, _ in enumerate(acts.split(", "))
]  # each action of each hand


def without(name: str, *missed: int, deal: bool = True, rack: bool = True) -> Audit:
    """That hand as it was reported but for some actions."""
    text, turned, award, players = HANDS[name]
    acts = text.split(", ")

    def miss(row: RoundRow) -> None:
        actions = [fact for fact in row.facts if fact.kind == Fact.ACTION]
        row.facts = [fact for fact in row.facts if fact not in [actions[number] for number in missed]]

    _, audited = hand(
        acts,
        (award,),
        holes={seat: HOLES[seat] for seat in range(1, players + 1)},
        board=" ".join(BOARD.split()[: sum(count for _, count in turned)]),
        turned=turned,
        rack_last=(award[0],),
        button=players,
        fee=400 if players == 5 else 200,
        deal=deal,
        rack=rack,
        change=miss,
    )
    return audited


@pytest.mark.parametrize("name", HANDS)
def test_the_hands_as_they_were_played_are_in_order(name: str) -> None:
    assert (codes(without(name)), verdict(without(name))) == ([], "verified")
    assert codes(without(name, rack=False)) == codes(without(name, deal=False)) == []


@pytest.mark.parametrize(("name", "missed"), ONE_MISSED)
def test_an_action_that_no_device_saw_accuses_nobody(name: str, missed: int) -> None:
    audited = without(name, missed)
    for finding in audited.findings:
        assert (finding.code, finding.confidence) == ("BET-121", POSSIBLE)
        assert "or what seat" in finding.sentence and "did before was not reported" in finding.sentence
    assert audited.findings or verdict(audited) == "cannot_tell"


def test_a_bet_that_is_answered_as_after_a_check_is_possibly_out_of_turn() -> None:
    """With two players a bet before the other's action, and one after a check nobody saw, are reported alike."""
    (finding,) = without("two players", 4).findings
    assert (finding.code, finding.seat, finding.confidence) == ("BET-121", 2, POSSIBLE)


def test_the_street_an_action_came_on() -> None:
    streets = StreetsTurned((10, 20, 30))
    assert [streets.street(seq) for seq in (9, 11, 25, 40)] == [0, 1, 2, 3]
    assert streets.between(9, 11) and not streets.between(11, 19)
