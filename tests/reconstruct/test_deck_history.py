"""Decks over time: cards that vanish and come back, two decks that mix, counts at the shuffle, shoes that reconcile.

Told as events to the assembler, with late and corrected events, and from a state taken half-way; judged round by round.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from typing import Any

import pytest

from replay.assembling.assemble import Assembler
from replay.audit import audit
from replay.checks.deck import deck_remarks
from replay.citations import cite
from replay.remarks import Remark
from replay.rounds import Fact, RoundRow, batch_of, from_arrow, to_arrow
from schemas.admitted import AdmittedFlag
from schemas.cards import CARD_NAMES, Deck
from tests.reconstruct.deck_tape import WHOLE, Tape, rounds_of

CITE = cite("MA-PGP", "§2(a)", "shall be played with one deck of cards")


def remarks_of(rows: list[RoundRow], whole: list[bool] | None = None) -> list[Remark]:
    """Of every round alone, through Arrow, so that nothing can rest on its neighbours."""
    found = []
    for at, row in enumerate(rows):
        batch = from_arrow(to_arrow(batch_of([row])))
        made = deck_remarks(batch, CITE, None if whole is None else batch.fixed["flags"] * 0 + whole[at] > 0)
        found += [Remark(at, r.code, r.sentence, r.cite, evidence=r.evidence, confidence=r.confidence) for r in made]
    return found


def remarks_on(tape: Tape, **how: Any) -> list[tuple[int, str]]:
    return [(remark.row + 1, remark.code) for remark in remarks_of(rounds_of(tape, **how))]


def without(*cards: str) -> list[str]:
    return [card for card in WHOLE if card not in cards]


def test_whole_decks_have_nothing_against_them() -> None:
    tape = Tape()
    tape.brings("red")
    for number in range(1, 5):
        tape.plays(number, random.Random(number).sample(WHOLE, 53), counted=53)
    rows = rounds_of(tape)
    assert remarks_of(rows) == []
    assert [fact.kind for row in rows for fact in row.facts] == [Fact.BROUGHT], "and with the first round, where from"


def test_a_card_that_vanished_and_came_back_is_told_with_both_rounds() -> None:
    tape = Tape()
    tape.brings("red")
    tape.plays(1, WHOLE)
    tape.plays(2, without("Td"))
    missing_at = tape.seq - 1
    tape.plays(3, WHOLE)
    tape.plays(4, WHOLE)
    (remark,) = remarks_of(rounds_of(tape))
    assert (remark.row, remark.code, remark.confidence) == (2, "CARD-314", 0.9)
    assert remark.sentence.startswith("Td was missing in round 0002 and is in deck red again; unless the reader passed")
    assert remark.evidence[0] == missing_at and remark.evidence[1] > missing_at


def test_one_rack_short_is_the_readers_slip_where_the_next_deal_was_whole() -> None:
    counted, seen, stub = Tape(), Tape(), Tape()
    for tape in (counted, seen, stub):
        tape.brings("red")
        tape.plays(1, without("Td"))
    counted.plays(2, WHOLE, counted=53)
    seen.plays(2, WHOLE, dealt=["Td", "2c"])
    stub.plays(2, WHOLE)
    assert remarks_on(counted) == remarks_on(seen) == []
    rows = rounds_of(stub)
    assert [remark.code for remark in remarks_of(rows)] == ["CARD-314"]
    assert remarks_of(rows, whole=[False, True]) == [], "the pack knows that the stub was as large as it must be"


def test_a_card_gone_for_rounds_was_not_passed_over() -> None:
    tape = Tape()
    tape.brings("red")
    for number in (1, 2, 3):
        tape.plays(number, without("Td"), counted=52)
    tape.plays(4, WHOLE, counted=53)
    found = remarks_of(rounds_of(tape))
    assert [(r.row + 1, r.code) for r in found] == [(1, "CARD-316"), (2, "CARD-316"), (3, "CARD-316"), (4, "CARD-314")]
    back = found[-1]
    assert back.confidence == 1.0
    assert "in 3 rounds from round 0001 on" in back.sentence
    assert back.sentence.endswith("it was back before the cards of this round were dealt")


def test_a_card_with_another_in_its_place_may_have_been_misread() -> None:
    tape = Tape()
    tape.brings("red")
    tape.plays(1, [*without("Td"), "Th"])
    tape.plays(2, WHOLE)
    (remark,) = remarks_of(rounds_of(tape))
    assert (remark.code, remark.confidence) == ("CARD-314", 0.5)
    assert "another card lay in its place then" in remark.sentence


@pytest.mark.parametrize("between", ["unread", "void", "gap", "in part"])
def test_rounds_that_say_nothing_neither_clear_nor_accuse(between: str) -> None:
    tape = Tape()
    tape.brings("red")
    tape.plays(1, without("Td"))
    match between:
        case "unread":
            tape.plays(2, None)
        case "void":
            tape.plays(2, without("Kc", "Kd"), void=True)
        case "gap":
            tape.plays(2, without("Kc"))
            closed = tape.events[-1]
            tape.seq += 2
            tape.events[-1] = closed._replace(flags=int(AdmittedFlag.GAP_BEFORE), vouched=None)
            tape.vouched_from = closed.event.seq  # no signature vouches across events that are missing
        case _:
            tape.plays(2, WHOLE[:20])
    tape.plays(3, WHOLE)
    found = remarks_of(rounds_of(tape))
    assert [(r.row + 1, r.code) for r in found] == [(3, "CARD-314")]
    assert "Td was missing in round 0001" in found[0].sentence


def test_a_new_deck_owes_nothing_to_the_old_one() -> None:
    tape = Tape()
    tape.brings("red")
    tape.plays(1, without("Td"))
    tape.say("cards.removed", subject=False, deck="red", reason="incorrect_count")
    tape.brings("red")
    tape.plays(2, WHOLE)
    assert remarks_on(tape) == []


def test_a_card_of_the_deck_at_rest_is_told_on_the_later_round() -> None:
    tape = Tape()
    tape.brings("red")
    tape.brings("blue")
    tape.plays(1, [*WHOLE, "Td"], deck="red")
    tape.plays(2, without("Td"), deck="blue")
    (remark,) = remarks_of(rounds_of(tape))
    assert (remark.row, remark.code) == (1, "CARD-315")
    assert remark.sentence == (
        "Td is missing from deck blue, and deck red had it once too often in round 0001: a card of one deck was in the "
        "other"
    )
    other_way = Tape()
    other_way.brings("red")
    other_way.brings("blue")
    other_way.plays(1, without("Td"), deck="blue")
    other_way.plays(2, [*WHOLE, "Td"], deck="red")
    (remark,) = remarks_of(rounds_of(other_way))
    assert (remark.row, remark.code) == (1, "CARD-315")
    assert "in the rack once more than deck red has it, and was missing from deck blue in round 0001" in remark.sentence


def test_decks_keep_their_own_books() -> None:
    """Td is missing from red; that blue is whole says nothing of it."""
    tape = Tape()
    tape.brings("red")
    tape.brings("blue")
    tape.plays(1, without("Td"), deck="red")
    tape.plays(2, WHOLE, deck="blue")
    tape.plays(3, WHOLE, deck="red")
    assert remarks_on(tape) == [(3, "CARD-314")]


def test_a_deck_counted_wrong_and_played_on_with() -> None:
    tape = Tape()
    tape.brings("red")
    tape.plays(1, WHOLE, counted=53)
    tape.plays(2, WHOLE, counted=52)
    tape.plays(3, WHOLE, counted=54)
    tape.plays(4, WHOLE)
    found = remarks_of(rounds_of(tape))
    assert [(r.row + 1, r.code) for r in found] == [(2, "CARD-316"), (3, "CARD-316")]
    assert "deck red was counted at the shuffle and had 52 cards instead of 53" in found[0].sentence


def test_a_count_within_a_round_is_of_this_deal_or_of_the_next() -> None:
    tape = Tape()
    tape.brings("red")
    tape.round = "0001"
    tape.say("round.opened", deck="red")
    tape.say("shuffle.completed", deck="red", method="device", counted=52)
    tape.say("discard.read", mode="inserted", cards=WHOLE)
    tape.say("shuffle.completed", deck="red", method="device", counted=51)  # after the cards were collected
    tape.say("round.closed")
    tape.round = "0002"
    tape.say("round.opened", deck="red")
    tape.say("discard.read", mode="inserted", cards=WHOLE)
    tape.say("round.closed")
    found = remarks_of(rounds_of(tape))
    assert [(r.row + 1, r.sentence.split(" cards")[0][-2:]) for r in found] == [(1, "52"), (2, "51")]


@pytest.mark.parametrize(
    ("settled", "void", "codes"), [(False, False, ["CARD-316"]), (True, False, []), (False, True, [])]
)
def test_a_deck_taken_off_for_its_count_makes_the_hands_void(settled: bool, void: bool, codes: list[str]) -> None:
    tape = Tape()
    tape.brings("red")
    tape.round = "0001"
    tape.say("round.opened", deck="red")
    tape.say("wager.placed", seat=1, wager="pai_gow", amount_cents=1000)
    if settled:
        tape.say("wager.settled", seat=1, wager="pai_gow", outcome="push")
    tape.say("cards.removed", subject=False, deck="red", reason="incorrect_count")
    if void:
        tape.say("round.voided", reason="incorrect_deck")
    tape.say("round.closed")
    assert [remark.code for remark in remarks_of(rounds_of(tape))] == codes


# ---- late and corrected events -------------------------------------------------------------------------------------


def corrected(tape: Tape, round_id: str, rack: list[str]) -> None:
    """Afterwards somebody finds that this round's rack was misread."""
    now = tape.round
    tape.round = round_id
    read = next(json.loads(raw) for raw in tape.recorded[round_id] if b"discard.read" in raw)
    replacement = {"mode": "inserted", "cards": rack}
    tape.say("round.corrected", corrects_seq=read["seq"], reason="misread", by="surveillance", replacement=replacement)
    tape.round = now


def newest(rows: list[RoundRow]) -> dict[str, RoundRow]:
    return {row.named["round_id"]: row for row in sorted(rows, key=lambda row: row.fixed["version"])}


@pytest.mark.parametrize("cuts", [(), (12,), (18,), (8, 12, 16, 19), range(1, 40)])
def test_a_correction_clears_the_later_round_as_well(cuts: Iterable[int]) -> None:
    tape = Tape()
    tape.brings("red")
    tape.plays(1, WHOLE)
    tape.plays(2, without("Td"))
    tape.plays(3, WHOLE)
    tape.plays(4, WHOLE)
    corrected(tape, "0002", WHOLE)
    rows = newest(rounds_of(tape, cuts))
    assert remarks_of(list(rows.values())) == []
    assert rows["0003"].fixed["version"] == 2
    assert rows["0004"].fixed["version"] == 1, "nothing of it changed"


def test_a_correction_may_accuse_a_later_round() -> None:
    tape = Tape()
    tape.brings("red")
    for number in (1, 2, 3):
        tape.plays(number, WHOLE)
    corrected(tape, "0001", without("Td"))
    rows = newest(rounds_of(tape))
    accused = [(row, fact) for row in rows.values() for fact in row.facts if fact.kind != Fact.BROUGHT]
    assert [(row.named["round_id"], fact.choice) for row, fact in accused] == [("0002", "0001")]
    tape.plays(4, WHOLE)
    assert newest(rounds_of(tape))["0004"].facts == []


def test_a_correction_reaches_the_round_that_is_open() -> None:
    tape = Tape()
    tape.brings("red")
    tape.plays(1, WHOLE)
    tape.shuffles("red")
    tape.round = "0002"
    tape.say("round.opened", deck="red")
    corrected(tape, "0001", without("Td"))
    cut = len(tape.events)
    tape.say("discard.read", mode="inserted", cards=WHOLE)
    tape.say("round.closed")
    rows = newest(rounds_of(tape, [cut]))
    assert [fact.kind for fact in rows["0002"].facts] == [Fact.CAME_BACK]
    assert rows["0002"].fixed["version"] == 1


def test_a_late_rack_read_completes_the_books() -> None:
    """The read of round 1 was missing and comes late: Td was not there, and round 2 has it again."""
    tape = Tape()
    tape.brings("red")
    tape.plays(1, without("Td"))
    (at,) = (at for at, a in enumerate(tape.events) if a.event.type == "muckraker.discard.read.v1")
    events = list(tape.events)
    late = events.pop(at)
    events[at] = events[at]._replace(flags=int(AdmittedFlag.GAP_BEFORE | AdmittedFlag.ATTESTED))
    tape.plays(2, WHOLE)
    events += [*tape.events[len(events) + 1 :], late._replace(flags=int(AdmittedFlag.LATE))]
    rows = newest(rounds_of(tape, events=events))
    assert [fact.kind for fact in rows["0002"].facts] == [Fact.CAME_BACK]


@pytest.mark.parametrize("cut", range(3, 33, 3))
def test_the_state_carries_it_to_another_worker(cut: int) -> None:
    tape = Tape()
    tape.brings("red")
    tape.brings("blue")
    for number in range(1, 8):
        rack = {2: [*WHOLE, "Kh"], 3: without("Kh"), 4: without("Td")}.get(number, WHOLE)
        tape.plays(number, rack, deck=("red", "blue")[number % 2], counted=52 if number == 6 else None)
    assert remarks_of(rounds_of(tape, [cut])) == remarks_of(rounds_of(tape))
    assert [code for _, code in remarks_on(tape)] == ["CARD-315", "CARD-314", "CARD-316", "CARD-314"]


def test_what_a_table_remembers_stays_small() -> None:
    tape = Tape()
    tape.brings("red")
    assembler = Assembler()
    sizes = []
    for number in range(1, 200):
        tape.plays(number, without(*random.Random(number).sample(WHOLE, number % 5)))
    for admitted in tape.events:
        assembler.feed(admitted)
        if admitted.event.type == "muckraker.round.closed.v1":
            assembler.take_closed()
            sizes.append(len(json.dumps(assembler.state())))
    assert max(sizes[100:]) < 1.3 * max(sizes[17:100])
    assert max(sizes) < 60_000


# ---- shoes ---------------------------------------------------------------------------------------------------------


def shoe(tape: Tape, decks: int = 2) -> list[str]:
    cards = [CARD_NAMES[code] for code in Deck(decks).codes()]
    random.Random(decks).shuffle(cards)
    tape.brings("shoe", decks=decks, jokers=0)
    return cards


def plays_from(tape: Tape, number: int, dealt: list[str], rack: list[str], **also: Any) -> None:
    tape.round = f"{number:04d}"
    tape.say("round.opened", deck="shoe")
    if also.get("burn"):
        tape.say("cards.dealt", cards=also["burn"], to="burn")
    tape.say("cards.dealt", cards=dealt)
    tape.say("discard.read", mode="inserted", cards=rack)
    if "left" in also:
        tape.say("cards.dealt", cards=also["left"], to="stub")
    if "stub" in also:
        tape.say("stub.counted", count=also["stub"])
    tape.say("round.closed")


@pytest.mark.parametrize("burn_in_rack", [False, True])
@pytest.mark.parametrize("read", [False, True])
@pytest.mark.parametrize("short", [0, 1, -1])
def test_rack_burn_and_rest_are_together_the_shoe(short: int, read: bool, burn_in_rack: bool) -> None:
    tape = Tape()
    cards = shoe(tape)
    burn, cards = cards[:1], cards[1:]
    number = 0
    while len(cards) > 14:
        number += 1
        hand, cards = cards[:5], cards[5:]
        first = burn if number == 1 else []
        left: dict[str, Any] = {"burn": first}
        if len(cards) <= 14:
            rest = cards[1:] if short == 1 else [*cards, "7c"] if short == -1 else cards
            left |= {"left": rest} if read else {"stub": len(rest)}
        plays_from(tape, number, hand, [*(first if burn_in_rack else []), *hand], **left)
    found = remarks_of(rounds_of(tape))
    if not short:
        assert found == []
        return
    (remark,) = found
    assert (remark.row + 1, remark.code) == (number, "CARD-317")
    total, how = (103, "1 short") if short == 1 else (105, "1 too many")
    which = f" ({cards[0] if short == 1 else '7c'})" if read else ""
    assert remark.sentence.endswith(f"left over: {total}, {how}{which}")
    assert ("1 burned" in remark.sentence) is not burn_in_rack


def test_a_shoe_that_was_not_read_throughout_is_not_summed() -> None:
    tape = Tape()
    cards = shoe(tape)
    plays_from(tape, 1, cards[:5], cards[:5])
    tape.round = "0002"
    tape.say("round.opened", deck="shoe")
    tape.say("cards.dealt", cards=cards[5:10])
    tape.say("round.closed")  # the rack was not read
    plays_from(tape, 3, cards[10:15], cards[10:15], stub=12)
    assert remarks_of(rounds_of(tape)) == []


def test_a_card_that_never_reached_the_rack_turns_up_in_a_later_round() -> None:
    tape = Tape()
    cards = shoe(tape, decks=8)
    plays_from(tape, 1, cards[:5], cards[1:5])
    plays_from(tape, 2, cards[5:10], cards[5:10])
    plays_from(tape, 3, cards[10:14], [*cards[10:14], cards[0]])
    plays_from(tape, 4, cards[14:18], cards[14:18])
    (remark,) = remarks_of(rounds_of(tape))
    assert (remark.row + 1, remark.code) == (3, "CARD-314")
    assert remark.sentence.startswith(f"{cards[0]} was missing in round 0001 and is in deck shoe again")


def test_a_shoe_that_is_dealt_a_face_again_has_not_got_it_back() -> None:
    """Seven other copies of the card are in the shoe."""
    tape = Tape()
    shoe(tape, decks=8)
    plays_from(tape, 1, ["Kd", "2c", "3c", "4c"], ["2c", "3c", "4c"])
    plays_from(tape, 2, ["Kd", "5c", "6c", "7c"], ["Kd", "5c", "6c", "7c"])
    assert remarks_of(rounds_of(tape)) == []


@pytest.mark.parametrize("left", [42, 41])
def test_a_single_deck_dealt_from_over_several_rounds_is_a_shoe_too(left: int) -> None:
    tape = Tape()
    cards = shoe(tape, decks=1)
    plays_from(tape, 1, cards[:5], cards[:5])
    plays_from(tape, 2, cards[5:10], cards[5:10], stub=left)
    assert remarks_on(tape) == ([] if left == 42 else [(2, "CARD-317")])
    at_once = Tape()
    cards = shoe(at_once, decks=1)
    plays_from(at_once, 1, cards[:5], cards[:5], stub=left + 5)
    assert remarks_on(at_once) == ([] if left == 42 else [(1, "CARD-317")])


def test_four_cards_counted_and_put_into_the_rack_of_a_single_deck_are_no_shoe() -> None:
    tape = Tape()
    tape.brings("red")
    tape.plays(1, WHOLE, stub=4)
    tape.round = "0002"  # nobody said that the cards were shuffled: the rack was not seen to be emptied
    tape.say("round.opened", deck="red")
    tape.say("stub.counted", count=4)
    tape.say("discard.read", mode="inserted", cards=WHOLE)
    tape.say("round.closed")
    assert "CARD-317" not in [code for _, code in remarks_on(tape)]


def test_the_pack_tells_it_round_by_round() -> None:
    """Td is gone for two rounds of the red deck, with the blue one played in between, and back in the third."""
    tape = Tape()
    tape.brings("red")
    tape.brings("blue")
    for number in range(1, 8):
        rack = without("Td") if number in (3, 5) else WHOLE
        tape.plays(number, rack, deck=("blue", "red")[number % 2])
    found = [(finding.round_id, finding.code) for finding in audit(batch_of(rounds_of(tape))).findings]
    assert found == [("0003", "CARD-311"), ("0005", "CARD-311"), ("0007", "CARD-314")]
