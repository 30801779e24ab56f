"""Cards that somebody brought in: played with or put in afterwards, and never laid at another's door."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest

from replay.audit import audit
from replay.cards.solver.answers import Answer
from replay.cards.solver.confidence import CONFIDENT
from replay.cards.solver.evidence import Denied, Objections, RackEvidence, Reading, ShownHand
from replay.cards.solver.explanations import explain
from replay.cards.solver.faults import FaultKind
from replay.cards.solver.layout import STUB, Slot
from replay.cards.solver.sentences import of_causes, of_explanation
from replay.rounds import batch_of
from schemas.cards import codes_of
from schemas.findings import Finding
from tests.packs.pai_gow_poker_table import Bets, Played, play, rack_of, row_of, settle
from tests.ranking.by_definition import set_house_way
from tests.reconstruct.pai_gow_rounds import filed

# Three hands of three cards and a stub of three. Seat 1 plays 9h for the 5s it was dealt: no reader takes one for the
# other, for neither rank nor suit is the same.
DECK = codes_of(["2s", "3s", "4s", "5s", "6d", "7s", "8h", "9h", "Th", "Jc", "Qc", "Kc"])
STUBBED, ONE, TWO, DEALER = DECK[:3], DECK[3:6], DECK[6:9], DECK[9:]
DEALT = {1: ONE, 2: TWO, 0: DEALER}
FIVE, NINE = ONE[0], TWO[1]
PLAYED = bytes([NINE]) + ONE[1:]
RACK = STUBBED + PLAYED + TWO + DEALER
LAYOUT = (Slot(STUB, 3), Slot(1, 3), Slot(2, 3), Slot(0, 3))
WON = 9  # the event that reports seat 1's wager won


def seen(dealt: dict[int, bytes] | None = None, shown: dict[int, ShownHand] | None = None) -> RackEvidence:
    return RackEvidence(
        RACK, (LAYOUT,), frozenset(range(52)), DECK, dealt=dealt or {}, shown=shown or {}, settled=(WON,)
    )


def only_with_the_nine(readings: Sequence[Reading]) -> Sequence[Objections]:
    """Seat 1 wins with the nine and loses without."""
    return [Objections(() if NINE in reading.cards(1) else (Denied(1, (WON,)),)) for reading in readings]


def by_seat(answer: Answer) -> dict[int, float]:
    """How likely the strange card lies in each hand."""
    found: dict[int, float] = {}
    for one in answer.explanations:
        (fault,) = one.faults
        assert fault.kind is FaultKind.DUPLICATE and fault.cards == (NINE,) and fault.instead == (FIVE,)
        found[fault.places[0]] = found.get(fault.places[0], 0.0) + one.confidence
    return found


def test_that_a_wager_won_with_a_strange_card_clears_nobody_of_having_brought_it() -> None:
    """The dealer settled by what lay there. Had the nine come in afterwards, seat 1 could not have won; played with, it
    could: half of what speaks for seat 2 is left for seat 1."""
    answer = explain(seen(), hold_against=only_with_the_nine)
    sure = by_seat(answer)
    assert sure[1] == pytest.approx(1 / 3, abs=0.01) and sure[2] == pytest.approx(2 / 3, abs=0.01)
    assert answer.best is None and answer.reading is None
    of_seat_1 = next(one for one in answer.explanations if one.faults[0].places == (1,))
    assert of_seat_1.against == () and of_seat_1.played_with[of_seat_1.faults[0]] > CONFIDENT
    assert "perhaps a second 9h lies in seat 2's hand in the place of 5s (67%)" in of_causes(answer)
    assert "or else a second 9h lies in seat 1's hand in the place of 5s and was played with (33%)" in of_causes(answer)


@pytest.mark.parametrize(
    ("shown", "played", "words"),
    [
        (PLAYED, True, "in the place of 5s and was played with (over 99%)"),
        (ONE, False, "in the place of 5s and was put there after the hand was played (over 99%)"),
    ],
)
def test_beside_the_deal_a_hand_shown_says_when_the_card_came_in(shown: bytes, played: bool, words: str) -> None:
    answer = explain(seen(dealt=DEALT, shown={1: ShownHand(shown)}))
    assert answer.best is not None and answer.best.against == ()
    assert answer.best.faults[0].places == (1,) and answer.best.faults[0].cards == (NINE,)
    assert (answer.best.played_with[answer.best.faults[0]] > 1 / 2) == played
    assert sorted(answer.best.reading.cards(1)) == sorted(ONE), "the hand by right is the one dealt"
    assert of_causes(answer) == f"most likely a second 9h lies in seat 1's hand {words}"


def test_with_both_hands_shown_as_they_lie_either_may_be_the_one() -> None:
    answer = explain(seen(shown={1: ShownHand(PLAYED), 2: ShownHand(TWO)}), hold_against=only_with_the_nine)
    sure = by_seat(answer)
    assert sure[1] == pytest.approx(1 / 2, abs=0.01) and sure[2] == pytest.approx(1 / 2, abs=0.01)
    assert of_causes(answer).startswith("perhaps "), "nobody is most likely of two as likely"


def test_of_two_cards_brought_into_one_hand_one_may_have_been_played_with_and_the_other_not() -> None:
    """Dealt 5s 6d 7s, played 9h 6d 7s, and in the rack 9h Qc 7s: each card has its own story."""
    queen = DEALER[1]
    rack = STUBBED + bytes([NINE, queen, ONE[2]]) + TWO + DEALER
    evidence = RackEvidence(
        rack, (LAYOUT,), frozenset(range(52)), DECK, dealt=DEALT, shown={1: ShownHand(PLAYED), 2: ShownHand(TWO)}
    )
    best = explain(evidence).best
    assert best is not None and best.against == ()
    assert {fault.cards: round(likely) for fault, likely in best.played_with.items()} == {(NINE,): 1, (queen,): 0}
    said = of_explanation(best)
    assert "a second 9h lies in seat 1's hand in the place of 5s and was played with" in said
    assert "a second Qc lies in seat 1's hand in the place of 6d and was put there after the hand was played" in said


def test_how_a_hand_would_have_been_set_without_the_card_brought_in_nobody_saw() -> None:
    layout = (Slot(STUB, 3), Slot(1, 1, part="low"), Slot(1, 2, part="high"), Slot(2, 3), Slot(0, 3))
    evidence = RackEvidence(RACK, (layout,), frozenset(range(52)), DECK, dealt=DEALT)
    answer = explain(evidence)
    assert answer.best is not None and answer.best.faults[0].places == (1,)
    assert [part for part, _ in answer.best.reading.hands[1, 0]] == [""]


# ---- through the whole audit ---------------------------------------------------------------------------------------


def cheated(seed: int) -> tuple[Played, int, str, str] | None:
    """A round in which a player who had lost brings in an ace for another card and does not lose: the round as it was
    played, the seat, the card brought in and the one dealt."""
    rng = random.Random(seed)
    played = play(rng, bets={1: Bets(1000), 2: Bets(1000), 4: Bets(1000)}, foul_share=0.0)
    losing = [seat for seat in played.bets if played.lines[seat, "pai_gow"][0] == "lose"]
    if not losing:
        return None
    seat, stub = losing[0], played.rack[:4]
    hand = played.hands[seat]
    for ace in ("As", "Ah", "Ad", "Ac"):
        if ace in hand:
            continue
        for true in hand:
            if true[0] == "A" or true[1] == ace[1] or true == "X1":
                continue  # a reader might take one for the other
            played.hands[seat] = tuple(ace if card == true else card for card in hand)
            played.settings[seat] = set_house_way(played.hands[seat], False)
            settle(played, False, False)
            if played.lines[seat, "pai_gow"][0] != "lose":
                played.rack = rack_of(played, stub, rng, False)
                return played, seat, ace, true
    return None


def audited(played: Played, shown: set[int] | None, deal_read: bool = True) -> tuple[list[Finding], Answer]:
    result = audit(batch_of([filed(row_of(played, deal_read=deal_read, shown=shown), played)]))
    (answer,) = (answer for part in result.by_filing for answer in part.checked.answers.values())
    return result.findings, answer


ROUNDS = [round_ for round_ in map(cheated, range(12)) if round_ is not None]


def test_there_are_enough_such_rounds() -> None:
    assert len(ROUNDS) >= 6


@pytest.mark.parametrize("shown", [None, set()], ids=["hands shown", "nothing shown"])
def test_beside_the_deal_the_cheat_is_told_and_the_dealer_is_not_blamed(shown: set[int] | None) -> None:
    settled = 0
    for played, seat, ace, true in ROUNDS:
        findings, answer = audited(played, shown=shown)
        assert answer.best is not None and answer.best.faults[0].places == (seat,)
        assert {finding.code for finding in findings} <= {"CARD-312", "SETTLE-102"}, "and no foul that was none"
        said_of_it = next(finding.sentence for finding in findings if finding.code == "CARD-312")
        assert f"most likely a second {ace} lies in seat {seat}'s hand in the place of {true}" in said_of_it
        assert "and was put there after" not in said_of_it
        for finding in findings:
            if finding.code == "SETTLE-102":
                settled += 1
                assert finding.seat == seat
                as_played = f"by the cards as they were played, with {ace} in the place of {true}, it was settled right"
                assert as_played in finding.sentence
    assert settled, "in some of them no way to set the hand dealt would have done"


@pytest.mark.parametrize("shown", [None, set()], ids=["hands shown", "nothing shown"])
def test_without_the_deal_nobody_is_named_alone(shown: set[int] | None) -> None:
    for played, seat, ace, true in ROUNDS:
        findings, answer = audited(played, deal_read=False, shown=shown)
        assert answer.best is None and answer.reading is None, "the same card lies in two places, and either may be it"
        assert any(one.faults[0].places == (seat,) for one in answer.explanations)
        said_of_it = next(finding.sentence for finding in findings if finding.code == "CARD-312")
        assert f"a second {ace} lies in seat {seat}'s hand in the place of {true}" in said_of_it
        assert "; or else " in said_of_it
        assert all(finding.confidence < CONFIDENT for finding in findings if finding.code.startswith("SETTLE"))
