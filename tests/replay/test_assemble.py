"""From events to assembled rounds: what a table remembers, late and corrected events, gaps, racks."""

from __future__ import annotations

import json
from typing import Any

import pytest

from replay.assembling.assemble import Assembler
from replay.rounds import GAME_START, OUTCOMES, UNKNOWN, Fact, RoundFlag, RoundRow, batch_of, unknown_fixed
from schemas.admitted import AdmittedFlag
from schemas.cards import codes_of
from schemas.clock import microseconds, time_of
from tests.replay.fed import FedHistory, rows_of
from tests.replay.tape import Tape, rounds


def test_a_round_has_what_its_events_said() -> None:
    tape = Tape()
    tape.opens()
    tape.plays(1)
    (row,) = rounds(tape)
    assert row.named["table_id"] == "BA-01"
    assert row.named["round_id"] == "000001"
    assert row.named["dealer"] == "D1"
    assert json.loads(row.named["filing"])["pack"] == "ca/supreme_baccarat"
    assert row.rack == codes_of("2c 3c 4c 5c")
    assert row.fixed["bank_seat"] == 2
    assert row.fixed["bank_posted_cents"] == 50_000
    assert row.fixed["first_card_seq"] == row.fixed["bets_closed_seq"] + 1
    assert row.fixed["decks"] == 8
    expected = RoundFlag.CLOSED | RoundFlag.ATTESTED | RoundFlag.RACK_READ | RoundFlag.DEAL_READ
    assert RoundFlag(row.fixed["flags"]) == expected
    assert [fact.kind for fact in row.facts] == [Fact.WAGER_PLACED, Fact.SETTLED, Fact.BROUGHT]


def test_a_table_remembers_across_rounds() -> None:
    tape = Tape()
    tape.opens()
    for number, bank in ((1, 2), (2, 2), (3, 3), (4, 5)):
        tape.plays(number, bank=bank)
    rows = rounds(tape)
    assert [row.fixed["bank_run"] for row in rows] == [1, 2, 1, 1]
    assert [row.fixed["bank_wagered_before"] for row in rows] == [UNKNOWN, 1, 1, 0]
    assert [row.fixed["rack_before"] for row in rows] == [0, 4, 8, 12]
    assert [row.fixed["previous_button"] for row in rows] == [GAME_START, UNKNOWN, UNKNOWN, UNKNOWN]


def test_a_scan_of_the_growing_rack_reads_like_the_insertions() -> None:
    inserted, scanned = Tape(), Tape()
    packets = ["2c 3c 4c 5c", "6c 7c 8c 9c Tc", "Jc Qc Kc Ac"]
    inserted.opens()
    scanned.opens()
    for number, packet in enumerate(packets, 1):
        inserted.plays(number, packet)
        scanned.plays(number, " ".join(packets[:number]), mode="scan")
    assert [row.rack for row in rounds(inserted)] == [row.rack for row in rounds(scanned)]
    assert [row.fixed["rack_before"] for row in rounds(scanned)] == [0, 4, 9]


def test_a_scan_that_does_not_begin_with_the_old_rack_is_noted() -> None:
    tape = Tape()
    tape.opens()
    tape.plays(1, "2c 3c 4c 5c", mode="scan")
    tape.plays(2, "2c 3d 4c 5c 6c 7c 8c 9c", mode="scan")
    rows = rounds(tape)
    assert rows[1].rack == codes_of("6c 7c 8c 9c")
    assert rows[1].fixed["flags"] & RoundFlag.RACK_UNSURE


def test_a_new_shoe_empties_the_rack() -> None:
    tape = Tape()
    tape.opens()
    tape.plays(1)
    tape.say("cards.removed", subject=False, deck="shoe-1", reason="shoe_ended")
    tape.say("cards.introduced", subject=False, deck="shoe-1", decks=8)
    tape.plays(2, mode="scan")
    assert rounds(tape)[1].fixed["rack_before"] == 0


def test_more_copies_than_the_shoe_holds_are_a_fact() -> None:
    tape = Tape()
    tape.opens()
    tape.plays(1, "2c 2c 2c 2c")
    tape.plays(2, "2c 2c 2c 2c")
    tape.plays(3, "2c 3c 4c 5c")
    rows = rounds(tape)
    assert [[(fact.card, fact.other) for fact in row.facts if fact.kind == Fact.TOO_MANY] for row in rows] == [
        [],
        [],
        [(codes_of("2c")[0], 9)],
    ]


def test_a_marked_card_is_in_the_rack_once() -> None:
    tape = Tape()
    tape.opens()
    for number, decks in ((1, [0, 1, 2, 3]), (2, [4, 5, 1, 6])):
        tape.round = f"{number:06d}"
        tape.say("round.opened", deck="shoe-1")
        tape.say("discard.read", mode="inserted", cards=["2c", "2c", "3d", "2c"], deck_index=decks)
        tape.say("round.closed")
    tape.round = "000003"
    tape.say("round.opened", deck="shoe-1")
    tape.say("discard.read", mode="inserted", cards=["3d", "2c"], deck_index=[2, 3])
    tape.say("round.closed")
    rows = rounds(tape)
    assert [row.rack_deck for row in rows] == [bytes([0, 1, 2, 3]), bytes([4, 5, 1, 6]), bytes([2, 3])]
    doubled = [[(fact.card, fact.other) for fact in row.facts if fact.kind == Fact.TOO_MANY] for row in rows]
    assert doubled == [[], [], [(code, 2) for code in codes_of("2c 3d")]]


@pytest.mark.parametrize("cut_at", range(1, 20))
def test_another_worker_goes_on_from_the_state(cut_at: int) -> None:
    tape = Tape()
    tape.opens()
    tape.plays(1)
    tape.plays(2, "6c 7c 8c 9c")
    whole = rounds(tape)
    assert rows_of(tape.events, [cut_at]) == whole


def test_a_round_never_closed_ends_when_the_next_begins() -> None:
    tape = Tape()
    tape.opens()
    tape.plays(1)
    tape.events.pop()
    tape.plays(2)
    rows = rounds(tape)
    assert [row.named["round_id"] for row in rows] == ["000001", "000002", "000001"]
    assert not rows[0].fixed["flags"] & (RoundFlag.CLOSED | RoundFlag.ATTESTED)
    assert rows[2].fixed["flags"] & RoundFlag.ATTESTED, "the next round's signature vouches for it, from then on"


def test_missing_events_mark_the_round_and_what_the_next_one_can_know() -> None:
    tape = Tape()
    tape.opens()
    tape.round = "000001"
    tape.say("round.opened", deck="shoe-1")
    tape.say("bets.closed", skip=1, flags=AdmittedFlag.GAP_BEFORE)
    tape.say("round.closed", flags=AdmittedFlag.ATTESTED)
    tape.plays(2)
    tape.plays(3)
    flags = [RoundFlag(row.fixed["flags"]) for row in rounds(tape)]
    assert [RoundFlag.GAP in each for each in flags] == [True, False, False]
    assert [RoundFlag.CONTEXT_UNKNOWN in each for each in flags] == [False, True, False]


@pytest.mark.parametrize(("missing", "run"), [(2, 3), (3, 1)])
def test_a_bank_run_is_the_least_it_can_be(missing: int, run: int) -> None:
    """Two missing events cannot hide a round with another bank; three can."""
    tape = Tape()
    tape.opens()
    tape.plays(1)
    tape.plays(2)
    tape.say("table.heartbeat", subject=False, skip=missing, flags=AdmittedFlag.GAP_BEFORE)
    tape.plays(3)
    assert [row.fixed["bank_run"] for row in rounds(tape)] == [1, 2, run]


def test_a_late_event_opens_the_round_again() -> None:
    tape = Tape()
    tape.opens()
    tape.plays(1)
    late = tape.say("vigorish.taken", seat=3, wager="player", amount_cents=25, flags=AdmittedFlag.LATE)
    tape.events[-1] = tape.events[-1]._replace(vouched=(0, late))
    first, again = rounds(tape)
    assert (first.fixed["version"], again.fixed["version"]) == (1, 2)
    assert again.fixed["flags"] & RoundFlag.REOPENED
    assert [fact.seq for fact in again.facts if fact.kind == Fact.VIGORISH] == [late]
    assert again.fixed["bank_run"] == first.fixed["bank_run"]
    assert again.fixed["flags"] & RoundFlag.ATTESTED
    assert not again.fixed["flags"] & RoundFlag.GAP
    tape.events[-1] = tape.events[-1]._replace(vouched=None)
    first, again = rounds(tape)
    assert first.fixed["flags"] & RoundFlag.ATTESTED and not again.fixed["flags"] & RoundFlag.ATTESTED


def test_an_event_that_comes_late_while_its_round_is_open_goes_back_into_place() -> None:
    tape = Tape()
    tape.opens()
    tape.plays(1)
    at = next(at for at, admitted in enumerate(tape.events) if b"wager.placed" in admitted.raw)
    late, following = tape.events.pop(at), tape.events[at]
    tape.events[at] = following._replace(flags=following.flags | AdmittedFlag.GAP_BEFORE)
    tape.events.insert(-1, late._replace(flags=AdmittedFlag.LATE))
    (row,) = rounds(tape)
    assert [fact.kind for fact in row.facts] == [Fact.WAGER_PLACED, Fact.SETTLED, Fact.BROUGHT]
    assert not row.fixed["flags"] & RoundFlag.GAP, "nothing is missing any more"


def corrects_bank(tape: Tape, number: int, seat: int, flags: int = AdmittedFlag.ATTESTED) -> None:
    """Another seat had the bank in that round."""
    tape.round = f"{number:06d}"
    events = [admitted.event for admitted in tape.events if admitted.event.subject == tape.round]
    wrong = next(event.seq for event in events if event.type == "muckraker.bank.accepted.v1")
    said = {"seat": seat, "kind": "player_dealer", "posted_cents": 50_000}
    tape.say("round.corrected", corrects_seq=wrong, reason="misread", by="F7", replacement=said, flags=flags)


def test_a_corrected_bank_makes_the_next_turn_another_one() -> None:
    """The rounds behind it are judged again as long as that makes a difference to what they began with."""
    tape = Tape()
    tape.opens()
    for number, bank in enumerate((2, 2, 2, 4, 4), 1):
        tape.plays(number, bank=bank)
    corrects_bank(tape, 1, seat=5)
    tape.plays(6, bank=4)
    rows = rounds(tape)
    assert [(row.named["round_id"][-1], row.fixed["bank_run"]) for row in rows[:5]] == [
        ("1", 1),
        ("2", 2),
        ("3", 3),
        ("4", 1),
        ("5", 2),
    ]
    again = [(row.named["round_id"][-1], row.fixed["version"], row.fixed["bank_run"]) for row in rows[5:]]
    assert again == [("1", 2, 1), ("2", 2, 1), ("3", 2, 2), ("4", 2, 1), ("6", 1, 3)]
    assert all(row.fixed["flags"] & RoundFlag.ATTESTED for row in rows)
    for cut_at in range(1, len(tape.events)):
        assert rows_of(tape.events, [cut_at]) == rows


@pytest.mark.parametrize("closed", [True, False])
def test_a_corrected_bank_counts_for_the_round_that_is_open_or_comes_next(closed: bool) -> None:
    tape = Tape()
    tape.opens()
    tape.plays(1)
    if closed:
        corrects_bank(tape, 1, seat=5)
        tape.plays(2)
    else:
        tape.plays(2)
        closing = tape.events.pop()
        tape.seq -= 1
        corrects_bank(tape, 1, seat=5, flags=0)
        tape.round = closing.event.subject or ""
        tape.say("round.closed", flags=AdmittedFlag.ATTESTED)
    of_second = [row for row in rounds(tape) if row.named["round_id"] == "000002"]
    assert [row.fixed["bank_run"] for row in of_second] == [1]


def test_a_corrected_start_moves_the_button_for_the_next_round() -> None:
    tape = Tape()
    tape.opens()
    starts = []
    for number, place in ((1, 3), (2, 4)):
        tape.round = f"{number:06d}"
        tape.say("round.opened", deck="shoe-1")
        starts.append(tape.say("start.determined", method="button", place=place))
        tape.say("round.closed", flags=AdmittedFlag.ATTESTED)
    tape.round = "000001"
    said = {"method": "button", "place": 2}
    tape.say("round.corrected", corrects_seq=starts[0], reason="misread", by="F7", replacement=said)
    rows = rounds(tape)
    assert [(row.named["round_id"][-1], row.fixed["previous_button"]) for row in rows] == [
        ("1", GAME_START),
        ("2", 3),
        ("1", GAME_START),
        ("2", 2),
    ]
    attested = [bool(row.fixed["flags"] & RoundFlag.ATTESTED) for row in rows]
    assert attested == [True, True, False, False], "what rests on an unsigned correction is vouched for by nobody"
    tape.say("table.heartbeat", subject=False, flags=AdmittedFlag.ATTESTED)
    again = rounds(tape)[4:]
    assert [(row.named["round_id"][-1], row.fixed["version"]) for row in again] == [("1", 3), ("2", 3)]
    assert all(row.fixed["flags"] & RoundFlag.ATTESTED for row in again)


def test_a_void_hand_is_no_turn_at_the_bank() -> None:
    tape = Tape()
    tape.opens()
    tape.plays(1)
    tape.events.pop()
    tape.seq -= 1
    tape.say("round.voided", reason="misdeal")
    tape.say("round.closed", flags=AdmittedFlag.ATTESTED)
    tape.plays(2)
    tape.plays(3)
    assert [row.fixed["bank_run"] for row in rounds(tape)] == [1, 1, 2]


def test_after_a_round_nobody_bet_in_anybody_may_bank() -> None:
    tape = Tape()
    tape.opens()
    tape.round = "000001"
    tape.say("round.opened", deck="shoe-1")
    tape.say("round.closed")
    tape.plays(2, bank=5)
    assert rounds(tape)[1].fixed["bank_wagered_before"] == UNKNOWN


@pytest.mark.parametrize(("closed_first", "may_bank"), [(False, 0), (True, 1)])
def test_whoever_withdrew_a_wager_in_time_had_none(closed_first: bool, may_bank: int) -> None:
    tape = Tape()
    tape.opens()
    tape.round = "000001"
    tape.say("round.opened", deck="shoe-1")
    for seat in (3, 5):
        tape.say("wager.placed", seat=seat, wager="player", amount_cents=1_000)
    if closed_first:
        tape.say("bets.closed")
    tape.say("wager.withdrawn", seat=5, wager="player")
    if not closed_first:
        tape.say("bets.closed")
    tape.say("round.closed")
    tape.plays(2, bank=5)
    assert rounds(tape)[1].fixed["bank_wagered_before"] == may_bank


def test_two_of_three_dice_are_no_total() -> None:
    tape = Tape()
    tape.opens()
    for number, dice in enumerate(([3, 4], [3, 4, 1])):
        tape.round = f"{number:06d}"
        tape.say("round.opened", deck="shoe-1")
        tape.say("start.determined", method="dice", place=0, dice=dice)
        tape.say("round.closed")
    assert [row.fixed["start_number"] for row in rounds(tape)] == [UNKNOWN, 8]


def test_a_correction_replaces_what_was_said() -> None:
    tape = Tape()
    tape.opens()
    tape.round = "000001"
    tape.say("round.opened", deck="shoe-1")
    wrong = tape.say("wager.placed", seat=3, wager="player", amount_cents=1_000)
    never = tape.say("wager.placed", seat=4, wager="player", amount_cents=1_000)
    said = {"seat": 3, "wager": "player", "amount_cents": 2_000}
    tape.say("round.corrected", corrects_seq=wrong, reason="chips misread", by="F7", replacement=said)
    tape.say("round.corrected", corrects_seq=never, reason="no chips there", by="F7")
    tape.say("round.closed")
    (row,) = rounds(tape)
    assert [(fact.seat, fact.amount) for fact in row.facts if fact.kind == Fact.WAGER_PLACED] == [(3, 2_000)]
    assert row.fixed["flags"] & RoundFlag.CORRECTED


def test_a_correction_may_change_an_outcome() -> None:
    tape = Tape()
    tape.opens()
    tape.round = "000001"
    tape.say("round.opened", deck="shoe-1")
    wrong = tape.say("wager.settled", seat=3, wager="player", outcome="lose", taken_cents=1_000)
    said = {"seat": 3, "wager": "player", "outcome": "win", "paid_cents": 1_000}
    tape.say("round.corrected", corrects_seq=wrong, reason="pressed the wrong key", by="F7", replacement=said)
    tape.say("round.closed")
    (row,) = rounds(tape)
    settled = [fact for fact in row.facts if fact.kind == Fact.SETTLED]
    assert [(OUTCOMES[fact.code], fact.amount, fact.taken) for fact in settled] == [("win", 1_000, 0)]


def test_a_correction_nobody_can_read_changes_nothing() -> None:
    tape = Tape()
    tape.opens()
    tape.round = "000001"
    tape.say("round.opened", deck="shoe-1")
    wrong = tape.say("wager.placed", seat=3, wager="player", amount_cents=1_000)
    tape.say("round.corrected", corrects_seq=wrong, reason="?", by="F7", replacement={"seat": 99})
    tape.say("round.corrected", corrects_seq=999, reason="?", by="F7")
    tape.say("round.closed")
    (row,) = rounds(tape)
    assert [(fact.seat, fact.amount) for fact in row.facts if fact.kind == Fact.WAGER_PLACED] == [(3, 1_000)]
    assert len([fact for fact in row.facts if fact.kind == Fact.USELESS_CORRECTION]) == 2


def test_a_correction_can_be_taken_back_or_corrected() -> None:
    tape = Tape()
    tape.opens()
    tape.round = "000001"
    tape.say("round.opened", deck="shoe-1")
    wrong = tape.say("wager.placed", seat=3, wager="player", amount_cents=1_000)
    tape.say("round.closed")

    def wagered() -> list[int]:
        return [fact.amount for fact in rounds(tape)[-1].facts if fact.kind == Fact.WAGER_PLACED]

    def says(cents: int) -> dict[str, Any]:
        return {"seat": 3, "wager": "player", "amount_cents": cents}

    first = tape.say("round.corrected", corrects_seq=wrong, reason="misread", by="F7", replacement=says(2_000))
    assert wagered() == [2_000]
    taken_back = tape.say("round.corrected", corrects_seq=first, reason="it was right", by="F8")
    assert wagered() == [1_000]
    tape.say("round.corrected", corrects_seq=taken_back, reason="it was not", by="F7")
    assert wagered() == [2_000]
    again = tape.say("round.corrected", corrects_seq=wrong, reason="read again", by="F7", replacement=says(3_000))
    assert wagered() == [3_000]
    other = {"corrects_seq": wrong, "reason": "read once more", "by": "F7", "replacement": says(4_000)}
    tape.say("round.corrected", corrects_seq=again, reason="slip of the pen", by="F7", replacement=other)
    assert wagered() == [4_000]
    assert not [fact for fact in rounds(tape)[-1].facts if fact.kind == Fact.USELESS_CORRECTION]


@pytest.mark.parametrize(
    ("pack", "options", "says"),
    [
        ("xx/no_such_game", {}, "no pack 'xx/no_such_game'"),
        ("ca/supreme_baccarat", {"no_such_option": 1}, "no option 'no_such_option'"),
        ("ca/supreme_baccarat", {"schedule": "own_9"}, "'own_9' is none of"),
        ("ca/supreme_baccarat", {"seats": 15}, "15 is not between"),
        ("flt/supreme_pai_gow", {"eighth_card_paytable": "PT-FLT-D8C3-01"}, "(FLT-SPG Rules of Play 6)"),
        ("flt/supreme_pai_gow", {"insurance_progressive_paytable": "PT-BJS-EC-PGI-01"}, "FLT-SPG App. F"),
    ],
)
def test_a_filing_that_does_not_exist_is_a_finding(pack: str, options: dict[str, Any], says: str) -> None:
    tape = Tape()
    tape.opens(pack, **options)
    tape.plays(1)
    assembler = Assembler()
    for admitted in tape.events:
        assembler.feed(admitted)
    (finding,) = assembler.take_findings()
    assert finding.code == "FILING-001"
    assert says in finding.sentence
    (row,) = assembler.take_closed()
    assert row.fixed["flags"] & RoundFlag.FILING_UNUSABLE


def test_a_table_that_never_opened_has_no_filing() -> None:
    tape = Tape()
    tape.plays(1)
    assert rounds(tape)[0].fixed["flags"] & RoundFlag.NO_FILING


def test_times_are_exact_to_the_microsecond() -> None:
    tape = Tape()
    tape.opens()
    moment = tape.events[0].event.time
    assert microseconds(moment) == 1_794_945_600_000_000  # 2026-11-17T20:00:00Z
    assert time_of(1_794_945_600_000_000) == moment


def test_a_table_may_play_for_years() -> None:
    """What is remembered neither overflows its column nor grows without bound, and a wild clock is no crash."""
    tape = Tape()
    tape.opens()
    assembler = Assembler()
    for admitted in tape.events:
        assembler.feed(admitted)
    state = assembler.state()
    now = state["tables"]["BA-01"]["now"]
    now.update(bank_run=40_000, rounds_since_stub=40_000, bank_seat=2, opened_us=0, deck_since_us=0)
    now["rack"] = codes_of("2c 3c 4c 5c").hex() * 108  # a full shoe's rack
    assembler.restore(state)
    tape.events = []
    tape.plays(1)
    tape.plays(2)
    for admitted in tape.events:
        assembler.feed(admitted)
    first, second = assembler.take_closed()
    batch = batch_of([first, second])
    assert batch.bank_run.tolist() == [40_001, 40_002]
    assert batch.rounds_since_stub_count.tolist() == [40_000, 40_001]
    assert batch.rack_before.tolist() == [432, 4], "emptied without a word"
    far = unknown_fixed() | {"deck_age_s": 10**12, "since_previous_s": 10**12, "dice_age_s": 10**12}
    assert batch_of([RoundRow({}, far)]).deck_age_s.tolist() == [10**12]


def versions(rows: list[RoundRow]) -> list[tuple[str, int, int]]:
    """Round, version, and what seat 3 had wagered in it."""
    return [
        (row.named["round_id"], row.fixed["version"], sum(f.amount for f in row.facts if f.kind == Fact.WAGER_PLACED))
        for row in rows
    ]


def corrects(tape: Tape, round_id: str, cents: int) -> int:
    """A correction of the round's wager, whatever round is under way."""
    wrong = next(
        a.event.seq for a in tape.events if a.event.subject == round_id and a.event.type == "muckraker.wager.placed.v1"
    )
    under_way, tape.round = tape.round, round_id
    said = {"seat": 3, "wager": "player", "amount_cents": cents}
    seq = tape.say("round.corrected", corrects_seq=wrong, reason="chips misread", by="F7", replacement=said)
    tape.round = under_way
    return seq


@pytest.mark.parametrize("after", [0, 3, 20, 40])
def test_a_correction_comes_to_the_same_however_many_rounds_were_played_since(after: int) -> None:
    tape = Tape()
    tape.opens()
    tape.plays(1)
    for number in range(2, 2 + after):
        tape.plays(number)
    corrects(tape, "000001", 2_000)
    whole = rows_of(tape.events)
    first, again = whole[0], whole[-1]
    assert versions([first, again]) == [("000001", 1, 1_000), ("000001", 2, 2_000)]
    assert not again.fixed["flags"] & (RoundFlag.GAP | RoundFlag.CONTEXT_UNKNOWN)
    same = {"rack_before", "bank_run", "previous_button", "decks", "deck_age_s", "since_previous_s"}
    assert {name: again.fixed[name] for name in same} == {name: first.fixed[name] for name in same}
    for cuts in ([len(tape.events) - 1], range(1, len(tape.events)), range(5, len(tape.events), 37)):
        assert rows_of(tape.events, cuts) == whole, "wherever segments are cut"


@pytest.mark.parametrize("since", [1, 20])
def test_a_round_id_used_again_is_another_round(since: int) -> None:
    """Both stay visible, each with its own corrections, however many rounds lie between them."""
    tape = Tape()
    tape.opens()
    for number in range(1, 1 + since):
        tape.plays(number)
    tape.plays(1)
    second = next(
        a.event.seq
        for a in reversed(tape.events)
        if a.event.subject == "000001" and a.event.type == "muckraker.wager.placed.v1"
    )
    corrects(tape, "000001", 2_000)  # the first round's wager
    said = {"seat": 3, "wager": "player", "amount_cents": 3_000}
    tape.say("round.corrected", corrects_seq=second, reason="chips misread", by="F7", replacement=said)
    whole = rows_of(tape.events)
    assert versions(whole[since - 1 :])[-3:] == [
        ("000001#2", 1, 1_000),
        ("000001", 2, 2_000),
        ("000001#2", 2, 3_000),
    ]
    assert rows_of(tape.events, range(1, len(tape.events))) == whole
    assembler = Assembler(FedHistory())
    for admitted in tape.events[: len(tape.events) - 2]:
        assembler.feed(admitted)
    (finding,) = assembler.take_findings()
    assert (finding.code, finding.round_id) == ("ROUND-004", "000001#2")
