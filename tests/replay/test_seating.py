"""Who sat where when betting closed: what devices say is kept through the table's memory, and nothing is guessed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from replay.checks.bank_turns import bank_turns
from replay.families.two_hands.law import Law
from replay.filing import load_pack
from replay.rounds import Fact, RoundFlag, RoundRow, batch_of
from schemas.admitted import AdmittedFlag
from tests.replay.fed import rows_of
from tests.replay.tape import DAY, Tape, rounds

BANK_TURNS = load_pack("ca/supreme_baccarat").law(Law).bank_turns


def seated(row: RoundRow) -> dict[int, tuple[str, int]]:
    """Seat → who, and 1 where that is not sure."""
    return {fact.seat: (fact.bettor, fact.code) for fact in row.facts if fact.kind == Fact.SEATED}


class People(Tape):
    def sits(self, seat: int, patron: str, flags: int = 0) -> int:
        return self.say("patron.seated", subject=False, flags=flags, seat=seat, patron=patron)

    def leaves(self, seat: int, patron: str | None = None) -> int:
        said: dict[str, Any] = {} if patron is None else {"patron": patron}
        return self.say("patron.left", subject=False, seat=seat, **said)


def opened() -> People:
    tape = People()
    tape.opens()
    return tape


def test_a_table_that_says_nothing_of_people_has_none() -> None:
    tape = opened()
    tape.plays(1)
    assert seated(rounds(tape)[0]) == {}


def test_who_sits_down_stays_from_round_to_round_until_leaving() -> None:
    tape = opened()
    tape.sits(3, "P-1")
    tape.sits(4, "P-1")
    tape.plays(1)
    tape.leaves(4, "P-1")
    tape.plays(2)
    tape.leaves(3)
    tape.plays(3)
    assert [seated(row) for row in rounds(tape)] == [{3: ("P-1", 0), 4: ("P-1", 0)}, {3: ("P-1", 0)}, {}]


def test_who_leaves_a_seat_that_somebody_else_took_does_not_empty_it() -> None:
    tape = opened()
    tape.sits(3, "P-1")
    tape.sits(3, "P-2")
    tape.leaves(3, "P-1")
    tape.plays(1)
    assert seated(rounds(tape)[0]) == {3: ("P-2", 0)}


def test_what_is_said_before_betting_closes_counts_and_afterwards_it_counts_for_the_next_round() -> None:
    tape = opened()
    tape.round = "000001"
    tape.say("round.opened", deck="shoe-1")
    tape.sits(3, "P-1")
    tape.say("wager.placed", seat=3, wager="player", amount_cents=1_000)
    tape.say("bets.closed")
    tape.leaves(3)
    tape.sits(3, "P-2")
    tape.say("round.closed", flags=AdmittedFlag.ATTESTED)
    tape.plays(2)
    assert [seated(row) for row in rounds(tape)] == [{3: ("P-1", 0)}, {3: ("P-2", 0)}]


def test_a_new_gaming_day_begins_with_nobody_seated() -> None:
    tape = opened()
    tape.sits(3, "P-1")
    tape.say("table.opened", subject=False, gaming_day=DAY, pack="ca/supreme_baccarat", version="1.0")
    tape.plays(1)
    assert seated(rounds(tape)[0]) == {}


def test_after_missing_events_nobody_is_sure_until_said_anew() -> None:
    tape = opened()
    tape.sits(3, "P-1")
    tape.sits(4, "P-2")
    tape.seq += 1  # one event is missing
    tape.sits(4, "P-2", flags=AdmittedFlag.GAP_BEFORE)
    tape.plays(1)
    assert seated(rounds(tape)[0]) == {3: ("P-1", 1), 4: ("P-2", 0)}


def test_a_gap_after_betting_closed_leaves_that_round_sure_of_its_people() -> None:
    tape = opened()
    tape.sits(3, "P-1")
    tape.round = "000001"
    tape.say("round.opened", deck="shoe-1")
    tape.say("bets.closed")
    tape.seq += 1
    tape.say("round.closed", flags=AdmittedFlag.ATTESTED | AdmittedFlag.GAP_BEFORE)
    tape.plays(2)
    assert [seated(row) for row in rounds(tape)] == [{3: ("P-1", 0)}, {3: ("P-1", 1)}]


def test_what_comes_late_does_not_overrule_what_was_said_after_it() -> None:
    tape = opened()
    missed = tape.seq
    tape.seq += 1
    tape.sits(3, "P-2", flags=AdmittedFlag.GAP_BEFORE)
    after, tape.seq = tape.seq, missed
    tape.sits(3, "P-1", flags=AdmittedFlag.LATE)
    tape.seq = after
    tape.plays(1)
    assert seated(rounds(tape)[0]) == {3: ("P-2", 0)}


def busy() -> People:
    """Four rounds with people coming and going, a gap, and a correction of the second round at the end."""
    tape = opened()
    tape.sits(3, "P-1")
    tape.plays(1)
    tape.sits(5, "P-1")
    tape.leaves(3)
    tape.plays(2)
    corrected = next(
        one.event.seq for one in tape.events if one.event.subject == "000002" and "wager" in one.event.type
    )
    tape.seq += 2
    tape.sits(6, "P-3", flags=AdmittedFlag.GAP_BEFORE)
    tape.plays(3)
    tape.sits(5, "P-4")
    tape.plays(4)
    tape.round = "000002"
    replacement = {"seat": 3, "wager": "player", "amount_cents": 2_000}
    tape.say("round.corrected", corrects_seq=corrected, reason="misread", by="S-1", replacement=replacement)
    return tape


def test_a_correction_finds_the_people_of_its_round() -> None:
    rows = rounds(busy())
    again = rows[-1]
    assert (again.named["round_id"], again.fixed["version"]) == ("000002", 2)
    assert again.fixed["flags"] & RoundFlag.REOPENED
    assert seated(again) == {5: ("P-1", 0)}


def test_it_makes_no_difference_where_a_worker_was_restarted() -> None:
    tape = busy()
    whole = rows_of(tape.events)
    for cut in range(1, len(tape.events)):
        assert rows_of(tape.events, [cut]) == whole, f"another worker after event {cut}"
    assert rows_of(tape.events, range(1, len(tape.events))) == whole


def test_a_round_rests_on_the_signature_over_who_sits_where() -> None:
    """The table's memory names, for attestation, the event that said who sits there."""
    tape = opened()
    said = tape.sits(3, "P-1")
    tape.plays(1)
    (row,) = rounds(tape)
    assert row.fixed["flags"] & RoundFlag.ATTESTED
    tape.events = [
        one._replace(vouched=(said + 1, one.vouched[1]) if one.vouched else None) if one.vouched else one
        for one in tape.events
    ]
    (row,) = rounds(tape)
    assert not row.fixed["flags"] & RoundFlag.ATTESTED


# --- turns at the bank -----------------------------------------------------------------------------------------------


def runs(banks: Sequence[tuple[int, str]]) -> list[tuple[int, list[str]]]:
    """Rounds banked by (seat, who sits there, or nobody known): the run, and what is found."""
    tape = opened()
    for number, (bank, patron) in enumerate(banks, 1):
        if patron:
            tape.sits(bank, patron)
        tape.plays(number, bank=bank)
    batch = batch_of(rounds(tape))
    found = list(bank_turns(batch, BANK_TURNS))
    return [
        (int(batch.bank_run[row]), [remark.code for remark in found if remark.row == row]) for row in range(len(batch))
    ]


def test_turns_at_the_bank_are_a_persons_wherever_seated() -> None:
    third = runs([(2, "P-1"), (3, "P-1"), (3, "P-1")])
    assert [run for run, _ in third] == [1, 2, 3] and "BANK-803" in third[2][1]


def test_another_person_in_the_same_seat_begins_anew() -> None:
    anew = runs([(2, "P-1"), (2, "P-1"), (2, "P-2")])
    assert [run for run, _ in anew] == [1, 2, 1]
    assert not any("BANK-803" in codes for _, codes in anew)


def test_where_nobody_says_who_sits_there_turns_are_the_seats() -> None:
    assert [run for run, _ in runs([(2, ""), (2, ""), (2, "")])] == [1, 2, 3]
    assert [run for run, _ in runs([(2, ""), (3, ""), (3, "")])] == [1, 1, 2]
    assert [run for run, _ in runs([(2, ""), (2, "P-1"), (2, "P-1")])] == [1, 2, 3]


def test_the_finding_names_who_it_was() -> None:
    tape = opened()
    for number, bank in enumerate((2, 3, 4), 1):
        tape.sits(bank, "P-1")
        tape.plays(number, bank=bank)
    (found,) = [remark for remark in bank_turns(batch_of(rounds(tape)), BANK_TURNS) if remark.code == "BANK-803"]
    assert found.sentence.startswith("patron P-1 in seat 4 is player-dealer for the third hand running")


# --- a wager before the bank -----------------------------------------------------------------------------------------


def earned(pack: str, kind: str, people: Sequence[tuple[int, str]], before: Sequence[int], bank: int) -> int:
    """Whether who banks in the second round counts as having bet in the first, at these seats; then who sits where."""
    first = [(seat, who) for seat, who in people if not who.endswith("'")]
    tape = People()
    tape.opens(pack)
    for seat, patron in first:
        tape.sits(seat, patron)
    tape.round = "000001"
    tape.say("round.opened", deck="shoe-1")
    for seat in before:
        tape.say("wager.placed", seat=seat, wager="any", amount_cents=1_000)
    tape.say("round.closed", flags=AdmittedFlag.ATTESTED)
    for seat, patron in set(people) - set(first):
        tape.sits(seat, patron.removesuffix("'"))  # between the rounds
    tape.round = "000002"
    tape.say("round.opened", deck="shoe-1")
    tape.say("bank.accepted", seat=bank, kind=kind, posted_cents=50_000)
    tape.say("round.closed", flags=AdmittedFlag.ATTESTED)
    return int(rounds(tape)[1].fixed["bank_wagered_before"])


@pytest.mark.parametrize(
    ("people", "before", "massachusetts", "california"),
    [
        pytest.param([], [3], 1, 1, id="nobody says who sits there: the seat's wager"),
        pytest.param([], [4], 0, 0, id="nobody says, and nobody bet at the seat"),
        pytest.param([(3, "P-1")], [3], 1, 1, id="the same person at the same seat"),
        pytest.param([(4, "P-1"), (3, "P-1'")], [4], 1, 0, id="moved: the person bet, and nobody on that spot"),
        pytest.param([(3, "P-1"), (3, "P-2'")], [3], 0, 0, id="another person at the seat"),
        pytest.param([(3, "P-1"), (3, "P-2'")], [3, 5], -1, 0, id="who may have bet at a seat that nobody tells of"),
        pytest.param([(3, "P-1'")], [3], 1, 1, id="nobody said who bet at the seat"),
    ],
)
def test_a_bank_is_earned_by_the_persons_wager(
    people: list[tuple[int, str]], before: list[int], massachusetts: int, california: int
) -> None:
    """MA-SPG §13(d)(1) asks for "the player", wherever; California for a wager on that spot (Double Hand 26)."""
    assert earned("ma/supreme_pai_gow", "bank", people, before, 3) == massachusetts
    assert earned("ca/supreme_baccarat", "player_dealer", people, before, 3) == california


def test_the_second_turn_of_a_person_who_moved_is_on_a_spot_somebody_bet_on() -> None:
    """They banked at seat 2 and bank at seat 4, where nobody bet; at seat 3 somebody did."""
    assert runs([(2, "P-1"), (4, "P-1")])[1] == (2, ["BANK-804"])
    assert runs([(2, "P-1"), (2, "P-1")])[1] == (2, [])
