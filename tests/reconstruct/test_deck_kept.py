"""A deck whose count made all hands of a round void, and whether it left the table before the next deal: CARD-316.

MA-PGP §8(d)(2), MA-SPG §8(d)(2), NJ-SPG 19:47-34.8(d)2: "If the cards have not been misdealt, all hands shall be
considered void and the entire deck of cards shall be removed from the table".
"""

from __future__ import annotations

from collections.abc import Iterable

import pytest

from replay.checks.deck import deck_kept
from replay.citations import cite
from replay.remarks import Remark
from replay.rounds import RoundRow, batch_of, from_arrow, to_arrow
from schemas.admitted import AdmittedFlag
from tests.reconstruct.deck_tape import WHOLE, Tape, rounds_of

CITE = cite("MA-PGP", "§8(d)(2)", "the entire deck of cards shall be removed from the table")
SHORT = WHOLE[:-1]


def kept(rows: list[RoundRow]) -> list[tuple[int, Remark]]:
    """Of every round alone, through Arrow, so that nothing can rest on its neighbours."""
    batches = [from_arrow(to_arrow(batch_of([row]))) for row in rows]
    return [(number, remark) for number, batch in enumerate(batches, 1) for remark in deck_kept(batch, CITE, 53)]


def voided(reason: str = "stub_count", rack: Iterable[str] | None = SHORT, left: int | None = 3) -> Tape:
    """A table whose first round is void; the cards left are counted where `left` says how many."""
    tape = Tape()
    tape.brings("red")
    tape.round = "0001"
    tape.say("round.opened", deck="red")
    if left is not None:
        tape.say("stub.counted", count=left)
    tape.say("round.voided", reason=reason)
    if rack is not None:
        tape.say("discard.read", mode="inserted", cards=list(rack))
    tape.say("round.closed", flags=AdmittedFlag.ATTESTED)
    return tape


def test_a_deck_found_short_and_dealt_again() -> None:
    tape = voided()
    tape.plays(2, WHOLE)
    tape.plays(3, WHOLE)
    ((number, remark),) = kept(rounds_of(tape))
    assert (number, remark.code) == (2, "CARD-316"), "in the round it was dealt in, and once"
    assert remark.sentence == (
        "deck red was dealt again and was not taken off the table, although its count had made all hands of round 0001 "
        "void (3 cards had been left after the deal, and its rack held 52 cards)"
    )
    assert remark.evidence == (4,)
    assert kept(rounds_of(tape, cut_at=[3, 6, 7])) == [(2, remark)], "another worker goes on with it"


@pytest.mark.parametrize(
    ("between", "reason"),
    [("removed", "it was taken off"), ("brought", "another one came"), ("counted", "a device counted it right")],
)
def test_a_deck_that_left_or_was_counted_right(between: str, reason: str) -> None:
    tape = voided()
    if between == "counted":
        tape.shuffles("red", counted=53)
    else:
        tape.say("cards.removed", subject=False, deck="red", reason="incorrect_count")
    if between == "brought":
        tape.brings("red")
    tape.plays(2, WHOLE)
    assert kept(rounds_of(tape)) == [], reason


@pytest.mark.parametrize(
    ("reason", "rack", "next_rack", "codes"),
    [
        ("incorrect_deck", SHORT, WHOLE, ["CARD-316"]),
        ("misdeal", SHORT, WHOLE, []),  # a hand had a card too many or too few: the deck may stay
        ("stub_count", WHOLE, WHOLE, []),  # the rack shows it whole: misdealt, or miscounted
        ("stub_count", None, WHOLE, []),  # only this round's rack was read, and it is whole
        ("stub_count", None, SHORT, ["CARD-316"]),
        ("stub_count", None, None, []),  # no card is seen to have been dealt again
        ("exposed_card", SHORT, WHOLE, []),
    ],
)
def test_what_it_takes(reason: str, rack: list[str] | None, next_rack: list[str] | None, codes: list[str]) -> None:
    tape = voided(reason, rack)
    tape.plays(2, next_rack)
    assert [remark.code for _, remark in kept(rounds_of(tape))] == codes


def test_with_events_missing_between_the_rounds_nobody_is_accused() -> None:
    tape = voided()
    tape.seq += 1  # the deck's removal may be what is missing
    tape.say("table.heartbeat", subject=False, flags=AdmittedFlag.GAP_BEFORE)
    tape.plays(2, WHOLE)
    assert kept(rounds_of(tape)) == []


def test_of_two_decks_it_is_the_one_that_was_counted() -> None:
    tape = voided()
    tape.brings("blue")
    tape.plays(2, WHOLE, deck="blue")
    tape.plays(3, WHOLE, deck="red")
    assert [number for number, _ in kept(rounds_of(tape))] == [3]
