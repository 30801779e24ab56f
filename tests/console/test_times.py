"""Times as people read and write them: the venue's zone, the offset beside it, clocks that are put back and forward."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from console.exits import BadInput
from console.home import TOPIC
from console.times import VenueTime, When, parse, zone_named
from ingest.sqlite_log import SqliteLog
from schemas.clock import microseconds
from tests.console.conftest import Call
from tests.console.screen import lines_of
from tests.ingest.device import TableDevice

LA = VenueTime(ZoneInfo("America/Los_Angeles"))
RECORD_ENDS = datetime(2026, 11, 18, 10, 30, tzinfo=UTC)  # 02:30 in Los Angeles
NOW = datetime(2026, 11, 18, 20, 0, tzinfo=UTC)


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


@pytest.mark.parametrize(
    ("written", "start", "seconds"),
    [
        ("2026-11-17 10:15", "2026-11-17 18:15", 60),
        ("2026-11-17T10:15:00", "2026-11-17 18:15", 1),  # seconds that were written count, zero ones too
        ("2026-11-17T18:15:30.250000Z", "2026-11-17 18:15:30", 1),
        ("2026-11-17 10:15-05:00", "2026-11-17 15:15", 60),
        ("2026-11-17 10:15 +0530", "2026-11-17 04:45", 60),
        ("yesterday 21:43", "2026-11-18 05:43", 60),
        ("today 9:05", "2026-11-18 17:05", 60),
        ("01:30", "2026-11-18 09:30", 60),  # past midnight of the gaming day that began on the 17th
        ("21:43", "2026-11-18 05:43", 60),  # the evening before: the record ends at 02:30
        ("02:30", "2026-11-18 10:30", 60),
        ("02:31", "2026-11-17 10:31", 60),
        ("10:15Z", "2026-11-18 10:15", 60),
        ("10:45UTC", "2026-11-17 10:45", 60),
        ("2026-11-17", "2026-11-17 08:00", 86_400),
        ("2026-11-01", "2026-11-01 07:00", 90_000),  # the day with an hour more
    ],
)
def test_what_is_meant(written: str, start: str, seconds: int) -> None:
    window = LA.window(parse(written), RECORD_ENDS, now=NOW)
    assert (window.start, (window.end - window.start).total_seconds()) == (utc(start), seconds)


def test_a_time_within_a_gaming_day_is_the_first_after_it_began() -> None:
    began = utc("2026-11-17 18:00")  # ten in the morning
    assert LA.window(parse("10:15"), RECORD_ENDS, began).start == utc("2026-11-17 18:15")
    assert LA.window(parse("01:30"), RECORD_ENDS, began).start == utc("2026-11-18 09:30")


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("2026-11-01 01:30", "came twice in America/Los_Angeles, where the clocks were put back that day: write "
         "'2026-11-01 01:30-07:00' for the first and '2026-11-01 01:30-08:00' for the second"),
        ("2026-03-08 02:30", "there was no 02:30 on 2026-03-08 in America/Los_Angeles, where the clocks were put "
         "forward that day: write 01:30 or 03:30"),
    ],
)  # fmt: skip
def test_times_that_came_twice_or_never_are_refused_with_what_to_write(written: str, said: str) -> None:
    with pytest.raises(BadInput) as refused:
        LA.window(parse(written), RECORD_ENDS)
    assert said in refused.value.message


def test_what_the_refusal_says_to_write_is_understood() -> None:
    for text, expected in (("2026-11-01 01:30-07:00", "08:30"), ("2026-11-01 01:30-08:00", "09:30")):
        assert LA.window(parse(text), RECORD_ENDS).start == utc(f"2026-11-01 {expected}")


def test_a_time_without_a_day_around_a_change_of_the_clocks() -> None:
    """Twice on the day it is: refused. Not there on the day it would be: refused too, as below."""
    with pytest.raises(BadInput, match="came twice"):
        LA.window(parse("01:30"), utc("2026-11-01 20:00"))
    assert LA.window(parse("01:30"), utc("2026-11-01 08:45")).start == utc("2026-11-01 08:30")  # only the first yet


def test_every_half_hour_of_a_year_is_shown_and_read_back() -> None:
    """Held against a slow count: what a clock shows, with its offset, names one moment only."""
    moment = utc("2026-01-01 00:00")
    shown = set()
    while moment.year == 2026:
        text = LA.at(moment)
        shown.add(text)
        assert LA.window(parse(text), RECORD_ENDS).start == moment
        moment += timedelta(minutes=30)
    assert len(shown) == 365 * 48


@pytest.mark.parametrize(
    "text", ["", "noon", "10", "25:00", "10:61", "2026-13-01", "2026-11-17 10:15-99:00", "10:15 PST"]
)
def test_what_is_no_time_is_said_to_be_none(text: str) -> None:
    with pytest.raises(ValueError, match=r"is no|is not"):
        parse(text)


def test_spans() -> None:
    assert LA.span(utc("2026-11-17 18:15"), utc("2026-11-17 18:16:30")) == "2026-11-17 10:15:00 to 10:16:30 -08:00"
    assert LA.span(utc("2026-11-18 07:59"), utc("2026-11-18 08:01")) == (
        "2026-11-17 23:59:00 to 2026-11-18 00:01:00 -08:00"
    )
    assert LA.span(utc("2026-11-01 08:59"), utc("2026-11-01 09:01")) == (
        "2026-11-01 01:59:00 -07:00 to 2026-11-01 01:01:00 -08:00"
    )
    assert VenueTime().span(utc("2026-11-17 18:15"), None) == "2026-11-17 18:15:00 UTC"


@pytest.mark.parametrize(
    ("ends", "began"),
    [
        ("2026-03-08 16:00", None),  # nine in the morning after the night without a 02:30
        ("2026-03-08 11:00", None),
        ("2026-03-09 02:00", "2026-03-08 02:00"),  # the gaming day of the 7th, from six in the evening on
    ],
)
def test_a_time_that_was_not_there_in_the_night_meant_is_not_another_nights(ends: str, began: str | None) -> None:
    after = None if began is None else utc(began)
    with pytest.raises(BadInput, match=r"there was no 02:30 on 2026-03-08 .* write 01:30 or 03:30"):
        LA.window(parse("02:30"), utc(ends), after)


def test_a_night_without_that_time_which_the_record_does_not_reach_is_not_meant() -> None:
    assert LA.window(parse("02:30"), utc("2026-03-08 09:00")).start == utc("2026-03-07 10:30")
    after = utc("2026-03-08 13:00")
    assert LA.window(parse("02:30"), None, after).start == utc("2026-03-09 09:30")


def test_times_within_a_sentence() -> None:
    said = "PG-01 shoe: events since 2026-11-17 18:15:00 UTC were logged late (2026-11-17T18:20:00.500000Z)."
    assert LA.sentence(said) == (
        "PG-01 shoe: events since 2026-11-17 10:15:00 -08:00 were logged late (2026-11-17 10:20:00 -08:00)."
    )
    assert VenueTime().sentence(said) == said


def test_what_a_device_wrote_within_a_sentence_need_not_be_a_time() -> None:
    for wrong in ("2026-11-17T24:00:00Z", "2026-13-01T10:00:00Z", "0000-01-01T00:00:00Z", "2026-02-30 10:00:60 UTC"):
        assert LA.sentence(f"time: not '{wrong}'.") == f"time: not '{wrong}'."


@pytest.mark.parametrize("zone", ["Asia/Tokyo", "America/Los_Angeles", "Pacific/Kiritimati", "UTC"])
def test_the_ends_of_the_calendar_are_shown_and_looked_for(zone: str) -> None:
    """A device may say any time there is."""
    venue = VenueTime(zone_named(zone))
    first, last = utc("1970-01-01 00:00"), utc("9999-12-31 23:59:59")
    for moment in (first, last):
        assert venue.sentence(f"at {moment:%Y-%m-%dT%H:%M:%SZ}.") != ""
        assert str(moment.year)[:2] in venue.span(first, last) and venue.clock(moment) and venue.minute(moment)
    for day in (date.min, date.max, date(1970, 1, 1)):
        window = venue.window(When(str(day), day, None, False, None), last)
        assert window.start < window.end
    clock = parse("10:15")
    assert venue.window(clock, last).start > utc("9999-12-28 00:00")
    assert venue.window(clock, None, last).start > utc("9999-12-28 00:00")
    for text in ("9999-12-31", "0001-01-01 10:15"):
        with pytest.raises(ValueError, match="the years 1970 to 9998"):
            parse(text)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("America/Los_Angles", "did you mean America/Los_Angeles"),
        ("tokyo", "Asia/Tokyo"),
        ("Mars", "there is no time zone Mars"),
    ],
)
def test_a_zone_that_is_none_is_answered_with_the_nearest(name: str, said: str) -> None:
    with pytest.raises(BadInput) as refused:
        zone_named(name)
    assert said in refused.value.message


def test_the_zone_is_filed_shown_and_changed(call: Call, tmp_path: Path) -> None:
    home = tmp_path / "venue"
    made = call("init", "--home", home, "--time-zone", "america/los_angeles")
    assert made.exit_code == 0 and "America/Los_Angeles" in made.stdout
    assert call("time-zone", "--home", home).stdout.startswith(f"{home} is filed in America/Los_Angeles.\n")
    assert call("time-zone", "Asia/Tokyo", "--home", home).exit_code == 0
    assert json.loads((home / "home.json").read_text())["time_zone"] == "Asia/Tokyo"
    refused = call("time-zone", "Asia/Tokio", "--home", home)
    assert refused.exit_code == 2 and "Asia/Tokyo" in refused.stderr
    assert json.loads(call("time-zone", "--json", "--home", home).stdout)["filed"] == "Asia/Tokyo"
    assert call("init", "--home", tmp_path / "other", "--time-zone", "Nowhere").exit_code == 2
    assert not (tmp_path / "other").exists()


def test_the_option_goes_before_the_environment_and_that_before_the_home(
    call: Call, own_played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def offset(*more: str) -> str:
        return next(line for line in call("rounds", "--home", own_played, *more).stdout.splitlines() if "PG-" in line)

    assert " UTC " in offset()
    call("time-zone", "America/Los_Angeles", "--home", own_played)
    assert " -08:00 " in offset()
    monkeypatch.setenv("MUCKRAKER_TIME_ZONE", "Asia/Tokyo")
    assert " +09:00 " in offset()
    assert " UTC " in offset("--time-zone", "UTC")


def test_times_are_shown_at_the_venue_and_json_stays_in_utc(call: Call, own_played: Path) -> None:
    """Every page that shows a time; none of them leaves one in UTC."""
    before = call("rounds", "--home", own_played, "--json", "--limit", "0").stdout
    call("quality", "--home", own_played)
    call("time-zone", "Asia/Tokyo", "--home", own_played)
    after = call("rounds", "--home", own_played, "--json", "--limit", "0").stdout
    assert [row["opened_at"] for row in lines_of(before)] == [row["opened_at"] for row in lines_of(after)]
    assert all(row["opened_at"].endswith("Z") for row in lines_of(after))
    page = own_played / "page.html"
    for arguments in (
        ["rounds"],
        ["round", "show", "PG-01/20261117-0001", "--events"],
        ["status"],
        ["keys", "history"],
        ["quality", "--html", str(page)],
        ["findings", "--limit", "0"],
    ):
        shown = call(*arguments, "--home", own_played)
        assert shown.exit_code == 0, shown.output
        assert "UTC" not in shown.stdout and "Z " not in shown.stdout
        if arguments[0] in ("rounds", "round", "status"):
            assert "+09:00" in shown.stdout
    assert "UTC" not in page.read_text()


def test_rounds_at_a_time_of_the_venue(call: Call, own_played: Path) -> None:
    call("time-zone", "America/Los_Angeles", "--home", own_played)
    every = lines_of(call("rounds", "--home", own_played, "--table", "PG-01", "--limit", "0", "--json").stdout)
    wanted = every[0]
    opened = datetime.fromisoformat(wanted["opened_at"]).astimezone(ZoneInfo("America/Los_Angeles"))
    for text in (f"{opened:%H:%M}", f"{opened:%Y-%m-%d %H:%M:%S}", f"{opened:%H:%M}-08:00"):
        result = call("rounds", "--home", own_played, "--table", "PG-01", "--at", text, "--json")
        assert wanted in lines_of(result.stdout), text
        assert (opened.date() == date(2026, 11, 17)) and ("is taken as 2026-11-17" in result.stderr) == (
            "-1" not in text
        )


def test_one_unsigned_event_of_the_year_9999_moves_no_clock_and_stops_no_reader(
    call: Call, own_played: Path, tmp_path: Path
) -> None:
    """Anybody who reaches the log can say it; the checks of the data keep how far off that clock is, for good."""
    call("time-zone", "America/Los_Angeles", "--home", own_played)
    before = call("rounds", "--home", own_played, "--at", "10:15")
    stranger = TableDevice("QQ-01", signs=False)
    said = [stranger.say("table.opened", gaming_day="9999-12-31", pack="ma/pai_gow_poker", version="1.0", options={})]
    stranger.time = utc("9999-12-31 23:59:50")
    said += [stranger.say("round.opened", "r1"), stranger.say("round.closed", "r1")]
    (tmp_path / "forged.jsonl").write_bytes(b"\n".join(said) + b"\n")
    assert call("ingest", "--home", own_played, tmp_path / "forged.jsonl").exit_code == 0
    assert call("run", "--home", own_played).exit_code == 0
    assert call("quality", "--home", own_played).exit_code == 0
    assert "QUALITY" in call("quality", "--home", own_played, "--day", "9999-12-31").stdout
    for zone in ("America/Los_Angeles", "Asia/Tokyo"):
        for arguments in (
            ["findings"],
            ["rounds"],
            ["rounds", "--day", "9999-12-31"],
            ["rounds", "--at", "10:15"],
            ["round", "show", "QQ-01/r1"],
            ["quality"],
        ):
            shown = call(*arguments, "--home", own_played, "--time-zone", zone)
            assert shown.exit_code == 0, (arguments, shown.output)
    assert call("query", "SELECT * FROM findings", "--home", own_played).exit_code == 0
    after = call("rounds", "--home", own_played, "--at", "10:15")
    assert "9999" not in after.output and after.stderr == before.stderr


def test_the_events_of_a_round_over_the_change_of_the_clocks_are_shown_each_with_its_offset(
    call: Call, tmp_path: Path
) -> None:
    """01:59 comes before 01:00 in that night; a heading with one offset would have the round go backwards."""
    home = tmp_path / "home"
    assert call("init", "--home", home, "--time-zone", "America/Los_Angeles").exit_code == 0
    table = TableDevice("PG-01", signs=False)
    table.time = utc("2026-11-01 08:59:30")
    said = [table.say("round.opened", "r1")]
    table.time = utc("2026-11-01 09:00:10")
    said += [table.say("bets.closed", "r1"), table.say("round.closed", "r1")]
    table.time = utc("2026-11-01 20:00")
    said += [table.say("round.opened", "r2"), table.say("round.closed", "r2")]
    (tmp_path / "night.jsonl").write_bytes(b"\n".join(said) + b"\n")
    assert call("ingest", "--home", home, tmp_path / "night.jsonl").exit_code == 0
    assert call("run", "--home", home).exit_code == 0
    shown = call("round", "show", "PG-01/r1", "--events", "--home", home).stdout
    for at in ("01:59:30.000 -07:00", "01:00:10.000 -08:00", "01:00:10.250 -08:00"):
        assert at in shown
    assert "Events, times at" not in shown
    plain = call("round", "show", "PG-01/r2", "--events", "--home", home).stdout
    assert "Events, times at -08:00" in plain and "12:00:00.000 -08:00" not in plain


def an_evening(table: TableDevice, hours: int) -> list[tuple[int, bytes]]:
    """A round every half hour from 18:00 at the venue on, each when the log is told of it."""
    evening = []
    for half in range(2 * hours):
        table.time = utc("2026-11-11 02:00") + timedelta(minutes=30 * half)
        for kind in ("round.opened", "bets.closed", "round.closed"):
            evening.append((microseconds(table.time), table.say(kind, f"r{half}")))
    return evening


def home_with(call: Call, path: Path, table: TableDevice, evening: list[tuple[int, bytes]]) -> Path:
    assert call("init", "--home", path, "--time-zone", "America/Los_Angeles").exit_code == 0
    log = SqliteLog(path / "log.sqlite")
    for logged_us, raw in evening:
        log.append(TOPIC, [(table.table_id, raw)], timestamp_us=logged_us)
    log.close()
    return path


def test_a_time_without_a_day_finds_what_was_played_after_the_last_good_signature(call: Call, tmp_path: Path) -> None:
    """The controller's key was revoked at 19:10, and the evening went on: just what somebody will ask about."""
    table = TableDevice("PG-01")
    home = home_with(call, tmp_path / "home", table, an_evening(table, 6))
    assert call("keys", "add", "PG-01", table.public_hex, "--home", home).exit_code == 0
    revoked = ("--at", "2026-11-10 19:10", "--reason", "stolen")
    assert call("keys", "revoke", "PG-01", table.public_hex, *revoked, "--home", home).exit_code == 0
    assert call("run", "--home", home).exit_code == 0
    shown = call("rounds", "--at", "22:30", "--home", home)
    assert "PG-01/r9 " in shown.stdout and "unattested" in shown.stdout, shown.output
    assert "22:30 is taken as 2026-11-10 22:30 -08:00" in shown.stderr


def test_one_event_of_the_year_9999_moves_no_clock_where_nothing_is_signed_either(call: Call, tmp_path: Path) -> None:
    table = TableDevice("PG-01", signs=False)
    evening = an_evening(table, 6)
    table.time = utc("9999-12-30 12:00")
    evening.append((evening[-1][0] + 1, table.say("round.opened", "forged")))
    home = home_with(call, tmp_path / "home", table, evening)
    assert call("run", "--home", home).exit_code == 0
    shown = call("rounds", "--at", "22:30", "--home", home)
    assert "PG-01/r9 " in shown.stdout, shown.output
    assert "22:30 is taken as 2026-11-10 22:30 -08:00" in shown.stderr
