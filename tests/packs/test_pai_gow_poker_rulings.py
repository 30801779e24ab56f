"""Massachusetts Pai Gow Poker: rulings R-51 (as amended), R-56, R-57 and R-60, each on both sides."""

from __future__ import annotations

import random

import pytest

from replay.audit import audit
from replay.case_run import filing_of_case
from replay.families.split_hands.case_round import row_of_case
from replay.rounds import (
    OUTCOME_CODE,
    START_METHOD_CODE,
    Fact,
    FactRow,
    RoundFlag,
    RoundRow,
    ShownRow,
    batch_of,
)
from replay.verdicts import VERDICTS
from schemas.cards import codes_of
from schemas.cases import Case
from schemas.events import Outcome, StartMethod
from schemas.findings import CERTAIN, POSSIBLE, Finding
from tests.packs.pai_gow_poker_rounds import THREE, audited, found, rounds
from tests.packs.pai_gow_poker_table import Bets, play, reported, row_of

ACES_AND_KINGS = "Ks Kd As Ad 9c 5h 2d"  # wins as kings before aces; else it pushes
TEN_HIGH = "Tc 9c 8s 6h 5d 3s 2c"  # loses however it is set
DEALER = {"low": "Kc Jd", "high": "Qs Qh 9h 7c 4s"}


def seat_3(**hand: str) -> RoundRow:
    """A round with one seat as the devices report it, before it is settled; `fortune` has its hand rearranged."""
    wagers = {"pai_gow": "$10"} | ({"fortune": "$5"} if hand.pop("fortune", "") else {})
    seat = {"wagers": wagers, **hand}
    case = Case.model_validate(
        {"name": "seat 3", "pack": "ma/pai_gow_poker", "seats": {3: seat}, "dealer": DEALER, "expect": {}}
    )
    filing = filing_of_case(case)
    return row_of_case(case, filing)


def settled(row: RoundRow, outcome: Outcome, paid: int = 0, taken: int = 0) -> tuple[str, list[Finding]]:
    """Verdict and findings when the pai gow wager was settled like this, and the Fortune wager, if any, lost."""
    seq = row.fixed["last_seq"]
    row.facts.append(
        FactRow(Fact.SETTLED, seq + 1, 3, "", "pai_gow", code=OUTCOME_CODE[outcome], amount=paid, taken=taken)
    )
    if any(fact.wager == "fortune" for fact in row.facts):
        lost = FactRow(Fact.SETTLED, seq + 2, 3, "", "fortune", code=OUTCOME_CODE[Outcome.LOSE], taken=500)
        row.facts.append(lost)
    if outcome is Outcome.WIN:
        row.facts.append(FactRow(Fact.VIGORISH, seq + 3, 3, "", "pai_gow", amount=50))
    row.fixed["last_seq"] = seq + 4
    result = audit(batch_of([row]))
    return str(VERDICTS[result.verdicts[0]]), result.findings


# ---- a foul nobody saw ---------------------------------------------------------------------------------------


def test_a_wager_taken_that_no_right_setting_loses_may_have_been_foul() -> None:
    verdict, (finding,) = settled(seat_3(cards=ACES_AND_KINGS, fortune="yes"), Outcome.LOSE, taken=1000)
    assert verdict == "cannot_tell"
    assert (finding.code, finding.seat, finding.wager, finding.confidence) == ("FOUL-403", 3, "pai_gow", POSSIBLE)
    assert "only a foul that nobody showed explains it" in finding.sentence
    assert finding.difference_cents == 0, "nobody is said to be out of money"


def test_a_wager_taken_that_some_right_setting_loses_needs_no_foul() -> None:
    """Nines: 5-4 before them loses twice. (A-K before them pushes.)"""
    row = seat_3(cards="9c 9s As Ks 5d 4c 2h", fortune="yes")
    assert settled(row, Outcome.LOSE, taken=1000) == ("cannot_tell", [])


def test_a_wager_taken_although_it_was_shown_set_to_win_was_settled_wrong() -> None:
    row = seat_3(low="Ks Kd", high="As Ad 9c 5h 2d", fortune="yes")
    verdict, (finding,) = settled(row, Outcome.LOSE, taken=1000)
    assert verdict == "differs" and finding.code == "SETTLE-102"


def test_three_cards_before_four_cannot_be_seen_in_the_rack() -> None:
    """Not rearranged, so the rack shows kings before aces, a win; but K-K-A before A-9-5-2 would lie just so."""
    verdict, (finding,) = settled(seat_3(cards=ACES_AND_KINGS), Outcome.LOSE, taken=1000)
    assert (verdict, finding.code) == ("cannot_tell", "FOUL-403")
    assert "its order cannot show three cards set before four" in finding.sentence
    shown = seat_3(low="Ks Kd", high="As Ad 9c 5h 2d")
    assert [one.code for one in settled(shown, Outcome.LOSE, taken=1000)[1]] == ["SETTLE-102"]


@pytest.mark.parametrize(
    ("outcome", "paid", "taken", "code"),
    [
        (Outcome.LOSE, 0, 400, "SETTLE-102"),  # a foul loses all of it
        (Outcome.PUSH, 0, 0, "SETTLE-102"),  # no foul is given back
        (Outcome.WIN, 900, 0, "SETTLE-101"),
    ],
)
def test_what_a_foul_does_not_explain_is_settled_wrong(outcome: Outcome, paid: int, taken: int, code: str) -> None:
    _, findings = settled(seat_3(cards=ACES_AND_KINGS), outcome, paid, taken)
    assert code in [finding.code for finding in findings]
    assert "FOUL-403" not in [finding.code for finding in findings]


def test_a_losing_hand_that_was_paid_is_excused_by_no_foul() -> None:
    _, findings = settled(seat_3(cards=TEN_HIGH, fortune="yes"), Outcome.WIN, paid=1000)
    assert [finding.code for finding in findings if finding.code[:4] != "VIG-"] == ["SETTLE-102"]


def test_a_foul_that_was_caught_and_settled_in_a_wrong_amount_is_not_one_not_caught() -> None:
    foul = {"low": "As Ad", "high": "Ks Kd 9c 5h 2d"}
    _, (short,) = settled(seat_3(**foul), Outcome.LOSE, taken=500)
    assert (short.code, short.difference_cents) == ("SETTLE-101", 500)
    _, (missed, *_) = settled(seat_3(**foul), Outcome.WIN, paid=1000)
    assert missed.code == "FOUL-401"
    assert settled(seat_3(**foul), Outcome.LOSE, taken=1000) == ("verified", [])


# ---- which hand shown counts ---------------------------------------------------------------------------------


def again(row: RoundRow, low: int, cards: str) -> RoundRow:
    row.shown.append(ShownRow(3, 0, low, codes_of(cards), row.fixed["last_seq"] + 1))
    row.fixed["last_seq"] += 2
    return row


def test_the_first_hand_shown_counts_and_a_later_one_is_the_hand_rearranged() -> None:
    """Kings before aces win; both pairs behind, as the dealer lays them out for the Fortune wager, would push."""
    row = again(seat_3(low="Ks Kd", high="As Ad 9c 5h 2d", fortune="yes"), 2, "5h 2d As Ad Ks Kd 9c")
    assert settled(row, Outcome.WIN, paid=1000) == ("verified", [])
    row = again(seat_3(low="Ks Kd", high="As Ad 9c 5h 2d", fortune="yes"), 2, "5h 2d As Ad Ks Kd 9c")
    assert [one.code for one in settled(row, Outcome.PUSH)[1]] == ["SETTLE-102"]


def test_a_hand_shown_again_as_other_cards_is_a_finding() -> None:
    row = again(seat_3(low="Ks Kd", high="As Ad 9c 5h 2d", fortune="yes"), 0, "As Ad Ks Kd 9c 5h 3d")
    _, (finding,) = settled(row, Outcome.WIN, paid=1000)
    assert (finding.code, finding.seat) == ("RACK-323", 3)
    assert "cannot be the same seven cards" in finding.sentence
    part = again(seat_3(low="Ks Kd", high="As Ad 9c 5h 2d", fortune="yes"), 0, "As Ad Ks Kd")
    assert settled(part, Outcome.WIN, paid=1000) == ("verified", [])


# ---- where the deal begins -----------------------------------------------------------------------------


def by_button(previous: int, place: int, after_void: bool, **options: str | int) -> list[str]:
    (played,) = rounds(17, 1, THREE)
    row = reported(row_of(played, deal_read=False), played)
    row.fixed.update(start_method=START_METHOD_CODE[StartMethod.BUTTON], previous_button=previous, start_place=place)
    if after_void:
        row.fixed["flags"] |= int(RoundFlag.AFTER_VOID)
    return found(row, starting="button", dealing="automated_shoe", **options)


@pytest.mark.parametrize(
    ("place", "after_void", "codes"),
    [
        (2, False, []),
        (3, False, ["START-201"]),
        (2, True, []),
        (3, True, []),
        (1, True, ["START-201"]),
        (4, True, ["START-201"]),
    ],
)
def test_the_button_may_stay_or_move_after_a_void_round(place: int, after_void: bool, codes: list[str]) -> None:
    assert by_button(3, place, after_void) == codes


@pytest.mark.parametrize(
    ("filed", "dead"),
    [({}, True), ({"wrong_start_without_dice": "dead"}, True), ({"wrong_start_without_dice": "stands"}, False)],
)
def test_hands_dealt_from_a_wrong_place_by_number_or_button_are_dead_unless_filed_otherwise(
    filed: dict[str, str], dead: bool
) -> None:
    (played,) = rounds(17, 1, THREE)
    row = reported(row_of(played, deal_read=False), played)
    row.fixed.update(start_number=7, start_place=0, previous_button=3)  # the number gives place 6, the button place 2
    for method, options in (
        (StartMethod.RNG, {"starting": "rng"}),
        (StartMethod.BUTTON, {"starting": "button", "dealing": "automated_shoe"}),
    ):
        row.fixed["start_method"] = START_METHOD_CODE[method]
        (finding,) = audited(row, **options, **filed)[1]
        assert finding.code == "START-201"
        assert ("all hands were dead" in finding.sentence) is dead


# ---- hands are exchanged only while both lie on the table ----------------------------------------------------


def with_packets_swapped(row: RoundRow, one: int, other: int) -> RoundRow:
    packets = [row.rack[4 + 7 * turn : 11 + 7 * turn] for turn in range(7)]
    packets[one], packets[other] = packets[other], packets[one]
    row.rack = row.rack[:4] + b"".join(packets)
    return row


@pytest.mark.parametrize(("one", "other", "may_be"), [(3, 4, True), (0, 1, True), (2, 3, False), (0, 5, False)])
def test_a_hand_collected_before_play_was_not_picked_up_in_the_turn_of_one_played(
    one: int, other: int, may_be: bool
) -> None:
    """Packets 0 to 2 are the hands without a wager, 3 to 5 those played."""
    for seed in range(3):
        (played,) = rounds(seed, 1, THREE)
        row = with_packets_swapped(reported(row_of(played, shown=set()), played), one, other)
        assert found(row) == (["RACK-324"] if may_be else ["DEAL-306"])


def test_a_surrendered_hand_was_not_picked_up_in_the_turn_of_one_settled_later() -> None:
    bets = {1: Bets(1000, surrenders=True), 2: Bets(1000), 4: Bets(1000)}
    for seed in range(6):
        played = play(random.Random(seed), bets=bets, foul_share=0.0)
        row = reported(row_of(played, deal_read=False, shown=set()), played)
        at = next(at for at, fact in enumerate(row.facts) if fact.kind == Fact.SETTLED and fact.seat == 2)
        if row.facts[at].code != OUTCOME_CODE[Outcome.LOSE]:
            continue
        row.facts[at] = row.facts[at]._replace(code=OUTCOME_CODE[Outcome.WIN], amount=1000, taken=0)
        _, findings = audited(row)
        assert not any("seat 1's hand and seat 2's hand were picked up" in one.sentence for one in findings)


def test_every_finding_above_is_sure_of_what_it_says_and_no_more() -> None:
    _, (finding,) = settled(seat_3(low="Ks Kd", high="As Ad 9c 5h 2d"), Outcome.LOSE, taken=1000)
    assert finding.confidence == CERTAIN
