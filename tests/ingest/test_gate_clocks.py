"""Silence is no clock jump, of whatever length; a clock that jumps is. Both sides of each threshold."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.gate.clocks import CLOCK_AHEAD_US, CLOCK_BACK_US, LOG_AHEAD_US, LOG_BEHIND_US
from ingest.gate.findings import CITE_CLOCKS
from ingest.gate.gate import Gate
from ingest.log import LogRecord
from schemas.clock import microseconds
from tests.ingest.device import TableDevice
from tests.ingest.key_rings import MemoryKeys

SECOND_US = 1_000_000


class Table:
    """A table that says things while time passes, with a log that has a clock of its own."""

    def __init__(self, live: bool = True) -> None:
        """`live`: the log's clock goes with the table's; otherwise a file is read in at one moment."""
        self.device = TableDevice()
        self.live = live
        self.log_off_us = 40_000
        self.records: list[LogRecord] = []
        self.fixed_us = microseconds(self.device.time) + 30 * 86_400 * SECOND_US

    def say(self, kind: str, subject: str | None = None, **data: object) -> None:
        at_us = microseconds(self.device.time) + self.log_off_us if self.live else self.fixed_us
        raw = self.device.say(kind, subject, **data)
        self.records.append(LogRecord(len(self.records), at_us, "PG-07", raw))

    def round(self, name: str, pause_us: int = 0) -> None:
        self.say("round.opened", name)
        self.say("wager.placed", name, seat=1, wager="pai_gow", amount_cents=100)
        self.wait(pause_us)
        self.say("bets.closed", name)
        self.say("round.closed", name)

    def wait(self, us: int) -> None:
        """Time passes, for the table and for the log."""
        self.device.time += timedelta(microseconds=us)

    def set_clock(self, us: int) -> None:
        """The table's clock is set, and the log's is not."""
        self.device.time += timedelta(microseconds=us)
        self.log_off_us -= us

    def codes(self) -> list[str]:
        gate = Gate(MemoryKeys(self.device))
        for record in self.records:
            gate.admit(record)
        gate.finish()
        return [finding.code for finding in gate.take_findings() if finding.citation == CITE_CLOCKS]


any_silence = st.one_of(st.integers(0, 3 * CLOCK_AHEAD_US), st.integers(0, 90 * 86_400 * SECOND_US))


@settings(max_examples=60, deadline=None, derandomize=True)
@given(any_silence, st.booleans(), st.sampled_from(["heartbeat", "closed", "device", "abandoned", "corrected"]))
def test_silence_of_any_length_is_no_jump(silence_us: int, live: bool, first: str) -> None:
    """Overnight, over a weekend, a lull; the first thing said after it may be of no round, or of the round before."""
    table = Table(live)
    table.say("table.opened", gaming_day="2026-11-01", pack="ma/pai_gow_poker", version="1.0")
    table.round("A")
    match first:
        case "heartbeat":
            table.wait(silence_us)
            table.say("table.heartbeat")
        case "closed":
            table.say("table.closed", gaming_day="2026-11-01")
            table.wait(silence_us)
            table.say("table.opened", gaming_day="2026-11-02", pack="ma/pai_gow_poker", version="1.0")
        case "device":
            table.wait(silence_us)
            table.say("device.online", device="rack")
        case "abandoned":
            table.say("round.opened", "B")  # power failed, and nobody closed it
            table.wait(silence_us)
            table.say("device.online", device="rack")
        case _:
            table.wait(silence_us)
            table.say("round.corrected", "A", corrects_seq=2, reason="misread", by="S-1")
    table.round("C")
    assert table.codes() == []


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.integers(0, 20 * 86_400 * SECOND_US))
def test_a_round_that_is_interrupted_for_long_is_no_jump_when_the_log_was_silent_as_long(pause_us: int) -> None:
    table = Table(live=True)
    table.round("A", pause_us)
    table.round("B")
    assert table.codes() == []


@pytest.mark.parametrize(("beyond_us", "codes"), [(0, []), (1, ["GATE-007"])])
def test_within_a_round_a_clock_may_run_ahead_of_the_logs_by_half_an_hour(beyond_us: int, codes: list[str]) -> None:
    """In a file read in at one moment the log's clock stands still, and only the table's own time is there."""
    step_us = CLOCK_AHEAD_US - 250_000 + beyond_us  # a device says something every quarter of a second
    table = Table(live=False)
    table.round("A", step_us)
    table.round("B")
    assert table.codes() == codes
    table = Table(live=True)  # the log was silent for an hour, and the clock jumped on top of that
    table.round("A")
    table.say("round.opened", "B")
    table.wait(3_600 * SECOND_US)
    table.set_clock(CLOCK_AHEAD_US + beyond_us)
    table.say("bets.closed", "B")
    table.say("round.closed", "B")
    assert table.codes() == [*codes, "GATE-010"], "what is no jump may still be ahead of the log"


@pytest.mark.parametrize(("beyond_us", "codes"), [(0, []), (1, ["GATE-007"])])
@pytest.mark.parametrize("live", [True, False])
@pytest.mark.parametrize("between", [True, False], ids=["between rounds", "in a round"])
def test_a_clock_may_go_back_by_five_seconds(live: bool, between: bool, beyond_us: int, codes: list[str]) -> None:
    table = Table(live)
    table.round("A")
    if not between:
        table.say("round.opened", "B")
    table.set_clock(-CLOCK_BACK_US - 250_000 - beyond_us)
    table.say("round.opened" if between else "bets.closed", "B")
    table.say("round.closed", "B")
    assert table.codes() == codes


@pytest.mark.parametrize("back", [True, False])
@pytest.mark.parametrize("beside", [True, False], ids=["seen on a heartbeat", "seen in the round"])
def test_a_clock_that_jumps_in_a_round_is_one_finding_wherever_it_is_first_seen(back: bool, beside: bool) -> None:
    """In a file. `back`: one wrong time, then the right ones again."""
    table = Table(live=False)
    table.round("A")
    table.say("round.opened", "B")
    table.set_clock(7_200 * SECOND_US)
    table.say(*(("table.heartbeat",) if beside else ("bets.closed", "B")))
    if back:
        table.set_clock(-7_200 * SECOND_US)
    table.say("wager.placed", "B", seat=1, wager="pai_gow", amount_cents=100)
    table.say("round.closed", "B")
    table.round("C")
    assert table.codes() == ["GATE-007"]


def test_one_wrong_time_between_rounds_is_one_finding() -> None:
    for by_us in (7_200 * SECOND_US, -7_200 * SECOND_US):
        table = Table(live=False)
        table.round("A")
        table.set_clock(by_us)
        table.say("table.heartbeat")
        table.set_clock(-by_us)
        table.round("B")
        assert table.codes() == ["GATE-007"], by_us


def test_the_night_the_clocks_change_is_a_night_like_any_other() -> None:
    """Local times with their offsets, an event every ten minutes over both changes of a year."""
    zone = ZoneInfo("America/New_York")
    for day in (datetime(2026, 3, 8, tzinfo=zone), datetime(2026, 11, 1, tzinfo=zone)):
        table = Table()
        start_us = microseconds(day)
        for number in range(40):
            local = datetime.fromtimestamp((start_us / SECOND_US) + 600 * number, tz=zone)
            table.device.time = local.astimezone(timezone(local.utcoffset() or timedelta()))
            if number % 3:
                table.round(f"R{number}")
            else:
                table.say("table.heartbeat")
        assert table.codes() == []


@settings(max_examples=30, deadline=None, derandomize=True)
@given(st.integers(-200, 200), st.integers(1, 14))
def test_a_clock_that_drifts_slowly_is_no_jump(ppm: int, days: int) -> None:
    """Two hundred millionths are 17 seconds a day; the log's own rule speaks when it is two minutes ahead."""
    table = Table()
    drift_us = 0
    for number in range(days * 4):
        table.round(f"R{number}")
        table.wait(6 * 3_600 * SECOND_US)
        step_us = 6 * 3_600 * ppm
        drift_us += step_us
        table.set_clock(step_us)
    assert table.codes() == ([] if drift_us - step_us <= LOG_AHEAD_US - 100_000 else ["GATE-010"])


@settings(max_examples=30, deadline=None, derandomize=True)
@given(st.lists(st.integers(-60, 60), min_size=1, max_size=6))
def test_a_log_whose_clock_is_set_by_a_minute_accuses_no_table(steps_s: list[int]) -> None:
    table = Table()
    for number, step_s in enumerate(steps_s):
        table.round(f"A{number}")
        table.log_off_us = step_s * SECOND_US
        table.say("table.heartbeat")
        table.round(f"B{number}", pause_us=45 * 60 * SECOND_US)
    assert table.codes() == []


@pytest.mark.parametrize(
    ("off_us", "codes"),
    [
        (LOG_AHEAD_US, []),
        (LOG_AHEAD_US + 1, ["GATE-010"]),
        (-LOG_BEHIND_US, []),
        (-LOG_BEHIND_US - 1, ["GATE-011"]),
    ],
)
def test_a_table_in_step_with_the_log_may_leave_it_by_so_much(off_us: int, codes: list[str]) -> None:
    table = Table()
    table.log_off_us = 0
    table.round("A")
    table.log_off_us = -off_us
    table.round("B")
    assert table.codes() == codes
