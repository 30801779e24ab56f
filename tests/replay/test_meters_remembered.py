"""What a table remembers of its meters from round to round and from day to day, and what it does not know any more."""

from __future__ import annotations

from typing import Any

import pytest

from replay.assembling.meters import MOST_STEPS
from replay.rounds import Fact, RoundRow
from schemas.admitted import AdmittedFlag
from tests.replay.fed import rows_of
from tests.replay.tape import DAY, Tape, rounds

OF_METERS = (Fact.METER_STOOD, Fact.PROGRESSIVE_IN, Fact.PROGRESSIVE_OUT, Fact.METER, Fact.METER_RESET)


def told(row: RoundRow) -> list[tuple[str, str, int]]:
    """What a round has on meters: the kind, the meter, the amount, in order."""
    facts = sorted((fact for fact in row.facts if fact.kind in OF_METERS), key=lambda fact: fact.seq)
    return [(Fact(fact.kind).name.lower(), fact.choice, fact.amount) for fact in facts]


def stood(row: RoundRow) -> dict[str, int]:
    return {fact.choice: fact.amount for fact in row.facts if fact.kind == Fact.METER_STOOD}


class Metered(Tape):
    def reads(self, cents: int, meter: str = "m", **said: Any) -> int:
        return self.say("meter.read", subject=False, meter=meter, value_cents=cents, **said)

    def sets(self, cents: int, meter: str = "m", by: str | None = None, **said: Any) -> int:
        if by is not None:
            said["by"] = by
        return self.say("meter.reset", subject=False, meter=meter, value_cents=cents, **said)

    def begins(self, number: int, **said: Any) -> None:
        self.round = f"{number:06d}"
        self.say("round.opened", deck="shoe-1", **said)

    def feeds(self, cents: int, after: int | None = None, meter: str = "m") -> int:
        return self.say("progressive.contributed", meter=meter, seat=3, amount_cents=cents, **_after(after))

    def pays(self, cents: int, after: int | None = None, meter: str = "m", from_meter: bool = True) -> int:
        said: dict[str, Any] = {"meter": meter, "seat": 3, "amount_cents": cents, "from_meter": from_meter}
        return self.say("progressive.paid", **said, **_after(after))

    def ends(self) -> None:
        self.say("round.closed", flags=AdmittedFlag.ATTESTED)


def _after(cents: int | None) -> dict[str, Any]:
    return {} if cents is None else {"meter_cents": cents}


def opened() -> Metered:
    tape = Metered()
    tape.opens()
    return tape


def test_a_table_without_meters_says_nothing_of_any() -> None:
    tape = opened()
    tape.plays(1)
    assert told(rounds(tape)[0]) == []


def test_a_round_begins_with_what_the_one_before_left() -> None:
    tape = opened()
    tape.sets(10_000_00, by="S-031")
    tape.begins(1)
    tape.feeds(21, 10_000_21)
    tape.feeds(21)
    tape.pays(1_000_00)
    tape.pays(5_00, from_meter=False)
    tape.ends()
    tape.begins(2)
    tape.feeds(100, 9_001_42)
    tape.ends()
    tape.plays(3)
    first, second, third = rounds(tape)
    assert told(first)[:2] == [("meter_reset", "m", 10_000_00), ("progressive_in", "m", 21)]
    assert stood(second) == {"m": 9_000_42}
    assert stood(third) == {"m": 9_001_42}
    assert next(fact.wager for fact in first.facts if fact.kind == Fact.METER_RESET) == "S-031"


def test_that_a_payout_was_the_last_step_is_remembered() -> None:
    tape = opened()
    tape.reads(10_000_00)
    tape.begins(1)
    tape.pays(10_000_00, 0)
    tape.ends()
    tape.sets(5_000_00)
    tape.plays(2)
    assert told(rounds(tape)[1]) == [("meter_stood", "m", 0), ("meter_reset", "m", 5_000_00)]
    assert [fact.code for fact in rounds(tape)[1].facts if fact.kind == Fact.METER_STOOD] == [1]


def test_what_is_said_between_rounds_belongs_to_the_next_one_and_within_one_to_it() -> None:
    tape = opened()
    tape.reads(500)
    tape.begins(1)
    tape.reads(600)
    tape.ends()
    tape.reads(700)
    tape.begins(2)
    tape.say("meter.read", meter="m", value_cents=800)  # one that names its round
    tape.ends()
    tape.plays(3)
    first, second, third = rounds(tape)
    assert told(first) == [("meter", "m", 500), ("meter", "m", 600)]
    assert told(second) == [("meter_stood", "m", 600), ("meter", "m", 700), ("meter", "m", 800)]
    assert told(third) == [("meter_stood", "m", 800)]


def test_readings_of_what_it_stands_at_are_no_steps() -> None:
    """A device that reads it every second of the night leaves nothing to remember."""
    tape = opened()
    for _ in range(3 * MOST_STEPS):
        tape.reads(500)
    tape.plays(1)
    assert told(rounds(tape)[0]) == [("meter", "m", 500)]


def test_of_more_steps_than_are_remembered_the_last_ones_are_there_and_what_came_before_them() -> None:
    tape = opened()
    for cents in range(MOST_STEPS + 3):
        tape.reads(cents)
    tape.plays(1)
    expected = [("meter_stood", "m", 2), *(("meter", "m", cents) for cents in range(3, MOST_STEPS + 3))]
    assert told(rounds(tape)[0]) == expected


def test_meters_run_over_days() -> None:
    tape = opened()
    tape.begins(1)
    tape.feeds(21, 500)
    tape.ends()
    tape.say("table.closed", subject=False, gaming_day=DAY)
    tape.opens()
    tape.plays(2)
    assert stood(rounds(tape)[1]) == {"m": 500}


def test_with_events_missing_nothing_is_known_until_it_is_said_again() -> None:
    tape = opened()
    tape.reads(500)
    tape.reads(800, "other")
    tape.plays(1)
    tape.begins(2, flags=AdmittedFlag.GAP_BEFORE, skip=4)
    tape.feeds(21, 900)
    tape.ends()
    tape.plays(3)
    _, second, third = rounds(tape)
    assert stood(second) == {}
    assert stood(third) == {"m": 900}


def test_after_a_round_with_a_hole_nothing_is_known() -> None:
    tape = opened()
    tape.reads(500)
    tape.begins(1)
    tape.feeds(21, 521)
    tape.say("bets.closed", flags=AdmittedFlag.GAP_BEFORE, skip=2)
    tape.ends()
    tape.plays(2)
    assert stood(rounds(tape)[1]) == {}


def test_a_round_that_somebody_named_by_mistake_takes_no_step_away() -> None:
    tape = opened()
    tape.reads(500)
    tape.plays(1)
    tape.reads(700)
    tape.round = "000999"
    tape.say("wager.placed", seat=3, wager="player", amount_cents=1_000)
    tape.plays(2)
    second = next(row for row in rounds(tape) if row.named["round_id"] == "000002")
    assert told(second) == [("meter_stood", "m", 500), ("meter", "m", 700)]


def test_a_corrected_step_corrects_what_the_next_round_began_with() -> None:
    tape = opened()
    tape.reads(500)
    tape.begins(1)
    seq = tape.feeds(21, 600)
    tape.ends()
    tape.begins(2)
    tape.feeds(21, 542)
    tape.ends()
    tape.round = "000001"
    said: dict[str, Any] = {"meter": "m", "seat": 3, "amount_cents": 21, "meter_cents": 521}
    tape.say("round.corrected", corrects_seq=seq, reason="misread", by="S-031", replacement=said)
    versions = {(row.named["round_id"], row.fixed["version"]): row for row in rounds(tape)}
    assert stood(versions["000002", 1]) == {"m": 600}
    assert stood(versions["000002", 2]) == {"m": 521}


@pytest.mark.parametrize("late", [0, 1])
def test_another_worker_goes_on_with_it(late: int) -> None:
    tape = opened()
    tape.reads(500)
    tape.begins(1)
    tape.feeds(21)
    tape.reads(600)
    tape.ends()
    tape.sets(700)
    tape.plays(2)
    whole = [told(row) for row in rows_of(tape.events)]
    assert whole[1] == [("meter_stood", "m", 600), ("meter_reset", "m", 700)]
    for cut in range(late, len(tape.events), 2):
        assert [told(row) for row in rows_of(tape.events, [cut])] == whole
