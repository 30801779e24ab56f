from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import orjson
import pytest

from console.home import TOPIC
from ingest.lake import Lake
from ingest.quality import QualityReport, check_quality
from ingest.quality.expectations import CHECKS
from ingest.simulator import Plan, default_plan, table_keys
from tests.gaming_day import Day
from tests.ingest.quality_streams import (
    Edit,
    Event,
    altered,
    changed,
    device_of,
    first_of,
    is_,
    like,
    moved,
    next_day,
    outside,
    round_of,
    streams_of,
    time_of,
    told_again,
    what_of,
    without,
)

DAY, NEXT_DAY = "2026-11-17", "2026-11-18"
PLAN = default_plan(seed=21, tables=42, rounds=32, gaming_day=date.fromisoformat(DAY))
MINUTE = timedelta(minutes=1)
Failure = dict[str, Any]


@dataclass(frozen=True)
class Trouble:
    """What is done to a table, and what must be found out about it: checks by name, and words of their sentences."""

    edit: Edit
    found: dict[str, list[str]]
    wire: Callable[[list[bytes]], list[bytes]] = field(default=lambda raw: raw)


def _heartbeats(number: int, apart: timedelta, behind: int) -> Edit:
    """So many more, behind a round."""

    def edit(events: list[Event]) -> list[Event]:
        at = next(position for position, event in enumerate(events) if is_("round.closed", behind)(event))
        more = [moved(outside(like(events[at], "table.heartbeat")), apart * n) for n in range(number)]
        rest = [moved(event, apart * number) for event in events[at + 1 :]]
        return [*events[: at + 1], *more, *rest]

    return edit


def _slower(factor: int) -> Edit:
    def edit(events: list[Event]) -> list[Event]:
        start = time_of(events[0])
        return [moved(event, (time_of(event) - start) * (factor - 1)) for event in events]

    return edit


def _both(*edits: Edit) -> Edit:
    def edit(events: list[Event]) -> list[Event]:
        for one in edits:
            events = one(events)
        return events

    return edit


def _pause_behind(number: int, lasting: timedelta) -> Edit:
    def edit(events: list[Event]) -> list[Event]:
        at = next(position for position, event in enumerate(events) if is_("round.closed", number)(event))
        return [*events[: at + 1], *(moved(event, lasting) for event in events[at + 1 :])]

    return edit


def _metered(meter: str, skimmed_in: int | None = None) -> Edit:
    """A dollar goes to the meter before each round is closed; in one round the meter does not show all of it."""

    def edit(events: list[Event]) -> list[Event]:
        made: list[Event] = []
        stands = 1_000_000
        for event in events:
            if is_("table.opened")(event):
                made += [event, like(event, "meter.reset", "controller", meter=meter, value_cents=stands)]
                continue
            if is_("round.closed")(event):
                stands += 100 if round_of(event) != skimmed_in else 60
                made.append(
                    like(event, "progressive.contributed", meter=meter, seat=1, amount_cents=100, meter_cents=stands)
                )
            made.append(event)
        return made

    return edit


def _rounds(*numbers: int) -> Callable[[Event], bool]:
    return lambda event: round_of(event) in numbers


def _from(device: str, *numbers: int) -> Callable[[Event], bool]:
    return lambda event: device_of(event) == device and (not numbers or round_of(event) in numbers)


def _dealt_by(dealer: str, from_round: int) -> Edit:
    return first_of(
        is_("round.opened", from_round),
        lambda event: [outside(like(event, "table.dealer_changed", "controller", dealer=dealer)), event],
    )


def _never(_: Event) -> bool:
    return False


# PG tables have the odd numbers of the plan, SB tables the even ones; each trouble has a table of its own.
TROUBLES: dict[str, Trouble] = {
    "PG-16": Trouble(without(_never), {}),
    "SB-01": Trouble(without(_never), {}),
    "PG-02": Trouble(
        first_of(is_("wager.placed", 3), lambda event: [altered(event, amount_cents=50_000 * 10 + 1)]),
        # $500.00 is the filed maximum of the second table
        {"values_in_range": ["PG-02 round 20261117-0003: a wager of $5,000.01 was reported", "filed is $5,000.00"]},
    ),
    "PG-03": Trouble(
        first_of(is_("wager.settled", 4), lambda event: [altered(event, paid_cents=1_000_000_001, outcome="win")]),
        {
            "values_in_range": ["a payment of $10,000,000.01 was reported"],
            "tray_agrees": ["PG-03: by the reading at event"],  # that money never left the tray
        },
    ),
    "SB-02": Trouble(
        first_of(is_("collection.taken", 5), lambda event: [altered(event, amount_cents=10_000_100)]),
        {
            "values_in_range": ["a fee of $100,001.00 was reported; the most that is believed is $100,000.00"],
            "box_agrees": ["of collections were reported dropped in it"],
        },
    ),
    "SB-03": Trouble(
        first_of(is_("wager.placed", 6), lambda event: [event, altered(event, seat=15 - 1, wager="tie")]),
        {
            "wagers_settled": ["SB-03: 1 of", "wager", "was never reported settled, in 20261117-0006."]
        },  # it has 14 seats
    ),
    "SB-04": Trouble(
        first_of(is_("wager.placed", 6), lambda event: [event, altered(event, seat=9, wager="tie")]),
        {
            "values_in_range": ["a wager at seat 9 was reported; the table has 8 seats"],
            "wagers_settled": ["was never reported settled, in 20261117-0006."],
        },
    ),
    "PG-04": Trouble(
        first_of(is_("discard.read", 7), lambda event: [altered(event, cards=[*event["data"]["cards"], *["As"] * 60])]),
        {"values_in_range": ["cards of one round were read in the rack; 53 are in play"]},
    ),
    "PG-05": Trouble(
        first_of(is_("cards.dealt", 7), lambda event: [altered(event, cards=[*event["data"]["cards"], "2c"] * 2)]),
        {"values_in_range": ["cards were read dealt in one round; 53 are in play"]},
    ),
    "PG-06": Trouble(
        first_of(is_("wager.settled", 8), lambda event: [altered(event, taken_cents=9_999_900, paid_cents=0)]),
        {"values_in_range": ["$99,999.00 was reported taken of a wager of $"], "tray_agrees": ["short"]},
    ),
    "PG-07": Trouble(
        _both(
            first_of(
                is_("round.opened", 9),
                lambda event: [outside(like(event, "table.filled", amount_cents=10**10 + 1)), event],
            ),
        ),
        {"values_in_range": ["a tray, fill, credit or drop box of $100,000,000.01"], "tray_agrees": ["short"]},
    ),
    "PG-08": Trouble(
        _heartbeats(650, timedelta(milliseconds=50), behind=10),
        {"events_a_minute": ["events in the minute of 2026-11-17", "a table reports at most 600"]},
    ),
    "PG-09": Trouble(
        without(_never),
        {"records_refused": ["PG-09: 150 of", "were refused"]},
        wire=lambda raw: [*raw[:200], *[b"READ ERROR"] * 150, *raw[200:]],
    ),
    "SB-05": Trouble(
        changed(_from("layout"), lambda event: moved(event, timedelta(seconds=45))),
        {"clock_against_table": ["SB-05 layout: its clock is", "ahead of the other clocks of the table"]},
    ),
    "PG-10": Trouble(
        changed(_from("controller"), lambda event: moved(event, timedelta(minutes=-4))),
        {"clock_against_table": ["PG-10 controller: its clock is", "behind the other clocks of the table"]},
    ),
    "PG-11": Trouble(
        without(lambda event: device_of(event) == "discard-rack" and 12 <= round_of(event) <= 27),
        {
            "device_heard_from": [
                "PG-11 discard-rack: nothing was heard of it after event",
                "while the table played on",
            ],
            "devices_heard": ["PG-11 discard-rack: it announced discard.read and reported it in 1"],
        },
    ),
    "SB-06": Trouble(
        _pause_behind(10, 40 * MINUTE),
        {
            "table_heard_from": [
                "SB-06: nothing was heard of the open table after event",
                "a heartbeat is due every ten",
            ]
        },
    ),
    "SB-07": Trouble(
        without(_never),
        {"sequence_whole": ["SB-07: 2 events of 0 to", "are not in the record: events 100 to 101."]},
        wire=lambda raw: [*raw[:100], *raw[102:]],
    ),
    "PG-12": Trouble(
        without(is_("round.closed", 11)),
        {"rounds_closed": ["PG-12: 1 of 32 rounds was opened and never closed: 20261117-0011."]},
    ),
    "PG-13": Trouble(
        without(is_("hand.shown")),
        {"devices_heard": ["PG-13 camera: it announced hand.shown and reported it in 0 of"]},
    ),
    "SB-08": Trouble(
        without(is_("discard.read", 13)),
        {"rounds_reported": ["SB-08 discard-rack: nothing was reported of discard.read in 1 of", "20261117-0013."]},
    ),
    "PG-19": Trouble(
        without(lambda event: round_of(event) == 14 and what_of(event) not in ("round.opened", "round.closed")),
        {
            "round_events_enough": ["PG-19 round 20261117-0014: 2 events, and the table's middle round has"],
            "tray_agrees": ["PG-19: by the reading at event"],  # what was won and lost in it is not on record
        },
    ),
    "PG-15": Trouble(
        first_of(is_("bets.closed", 15), lambda event: [event, *[like(event, "start.no_roll", reason="other")] * 200]),
        {"round_events_bounded": ["PG-15 round 20261117-0015: 2", "events, and the table's middle round has"]},
    ),
    "SB-09": Trouble(
        changed(_rounds(17), lambda event: {**event, "subject": "20261117-0016"}),
        {"round_ids_unique": ["SB-09: 1 of 31 rounds was opened more than once under one id: 20261117-0016."]},
    ),
    "SB-10": Trouble(
        changed(is_("wager.placed", 18), lambda event: moved(event, timedelta(days=-4))),
        {"dates_near_day": ["SB-10 layout:", "dated more than 36 hours away from the gaming day 2026-11-17"]},
    ),
    "SB-11": Trouble(
        first_of(is_("wager.settled", 19), lambda _: []),
        {"wagers_settled": ["SB-11: 1 of", "was never reported settled, in 20261117-0019."]},
    ),
    "SB-12": Trouble(
        first_of(is_("wager.placed", 20), lambda _: []),
        {"settlements_placed": ["SB-12: 1 of", "nobody was reported to place, in 20261117-0020."]},
    ),
    "PG-01": Trouble(
        changed(
            lambda event: what_of(event) in ("table.counted", "table.closed"),
            lambda event: altered(event, inventory_cents=event["data"]["inventory_cents"] - 10_000),
        ),
        {"tray_agrees": ["PG-01: by the reading at event", "$100.00 short."]},
    ),
    "SB-13": Trouble(
        first_of(is_("table.counted"), lambda event: [altered(event, box_cents=event["data"]["box_cents"] - 500)]),
        {"box_agrees": ["SB-13 box table: counted $", "$5.00 short."]},
    ),
    "PG-17": Trouble(_metered("grand-17"), {}),
    "PG-18": Trouble(
        _metered("grand-18", skimmed_in=21),
        {"meter_agrees": ["PG-18 meter grand-18: by event", "$0.40 short."]},
    ),
    "PG-14": Trouble(_metered("linked", skimmed_in=5), {}),  # nobody can say in which order the two fed it
    "SB-14": Trouble(_metered("linked"), {}),
    "SB-15": Trouble(
        _both(_slower(9), _heartbeats(900, timedelta(seconds=1.5), behind=16)),
        {"events_an_hour": ["SB-15:", "and its middle hour of the day has"]},
    ),
    "PG-20": Trouble(
        without(is_("table.opened")), {"day_opened": ["PG-20: 32 rounds were played on a day the table never"]}
    ),
    "PG-21": Trouble(
        without(is_("table.closed")), {"day_closed": ["PG-21: the table opened for the day and never closed."]}
    ),
    "SB-16": Trouble(
        lambda events: [*events, *next_day(events, timedelta(hours=28), NEXT_DAY)],
        {},
    ),
    # The same dealer all day at SB-18, and for the last three rounds at SB-19 as well; at SB-20 from when SB-21 closes.
    "SB-18": Trouble(
        first_of(is_("table.opened"), lambda event: [altered(event, dealer="X-1")]),
        {"dealer_at_one_table": ["SB-18: dealer X-1 is reported to have dealt", "while dealing at SB-19 as well"]},
    ),
    "SB-19": Trouble(
        _dealt_by("X-1", 30),
        {
            "dealer_at_one_table": [
                "SB-19: dealer X-1 is reported to have dealt 3 rounds here while dealing at SB-18 as well, between "
                "2026-11-17 ",
                "(beginning with 20261117-0030 here and SB-18/20261117-00",
            ]
        },
    ),
    "SB-20": Trouble(first_of(is_("table.opened"), lambda event: [altered(event, dealer="X-2")]), {}),
    "SB-21": Trouble(
        _both(lambda events: [moved(event, timedelta(hours=3)) for event in events], _dealt_by("X-2", 1)), {}
    ),
}


@pytest.fixture(scope="module")
def checked(tmp_path_factory: pytest.TempPathFactory) -> tuple[Day, QualityReport]:
    """All the tables, each with its trouble, on one day; the next day only SB-16 plays."""
    day = record(tmp_path_factory.mktemp("troubles"), PLAN, TROUBLES)
    lose_a_round(day, "SB-17", 9)
    return day, check_quality(Lake(day.folder / "lake"), TOPIC)


def record(folder: Path, plan: Plan, troubles: dict[str, Trouble]) -> Day:
    """Segments of one partition; the second day's is the last one, as it would be."""
    day = Day(folder, partitions=1)
    for table_id, public in table_keys(plan).items():
        day.keys.register(table_id, public)
    first: list[tuple[str, bytes]] = []
    second: list[tuple[str, bytes]] = []
    for table_id, events in streams_of(plan).items():
        trouble = troubles.get(table_id, Trouble(without(_never), {}))
        raw = trouble.wire(told_again(plan, table_id, trouble.edit(events)))
        first += [(table_id, one) for one in raw if NEXT_DAY.encode() not in one[:250]]
        second += [(table_id, one) for one in raw if NEXT_DAY.encode() in one[:250]]
    day.append(first)
    day.run(segment_records=10_000)
    day.append(second)
    return day.run(segment_records=10_000)


def lose_a_round(day: Day, table_id: str, number: int) -> None:
    """As a lake would be whose writer had forgotten one."""
    import pyarrow.compute as pc
    import pyarrow.parquet as pq

    for path in sorted((day.folder / "lake").rglob("rounds.parquet")):
        rounds = pq.read_table(path)
        lost = pc.and_(pc.equal(rounds["table_id"], table_id), pc.equal(rounds["round_id"], f"20261117-{number:04d}"))
        pq.write_table(rounds.filter(pc.invert(lost)), path)


def results_of(day: Day, lake: str = "lake") -> list[dict[str, Any]]:
    paths = sorted((day.folder / lake / TOPIC / "quality").rglob("*.json"))
    return [
        orjson.loads(path.read_bytes()) for path in paths if "carried" not in path.name and path.name != "settings.json"
    ]


def failures_of(day: Day) -> list[Failure]:
    return [failure for result in results_of(day) for failure in result["failures"]]


@pytest.mark.parametrize("table_id", [*TROUBLES, "SB-17"])
def test_each_trouble_is_found_at_its_table_and_nothing_else(checked: tuple[Day, QualityReport], table_id: str) -> None:
    expected = {"rounds_assembled": ["SB-17: 1 of 32 rounds was closed and never judged: 20261117-0009."]}
    found: dict[str, list[Failure]] = {}
    for failure in failures_of(checked[0]):
        if failure["table_id"] == table_id:
            found.setdefault(failure["check"], []).append(failure)
    wanted = TROUBLES[table_id].found if table_id in TROUBLES else expected
    said = {name: [one["sentence"] for one in some] for name, some in found.items()}
    assert set(found) == set(wanted), said
    for name, words in wanted.items():
        assert all(any(word in sentence for sentence in said[name]) for word in words), said[name]
        assert {failure["code"] for failure in found[name]} == {CHECKS[name].code}


def test_every_expectation_has_a_trouble_that_fails_it_and_data_that_meets_it(
    checked: tuple[Day, QualityReport],
) -> None:
    failing = {name for trouble in TROUBLES.values() for name in trouble.found} | {"rounds_assembled"}
    assert failing == set(CHECKS) - {"clock_against_log"}  # which needs a live log, below
    counts: dict[str, list[int]] = {}
    for result in results_of(checked[0]):
        for name, count in result["checks"].items():
            counts.setdefault(name, [0, 0])
            counts[name][0] += count["judged"]
            counts[name][1] += count["failed"]
    assert {name for name, (judged, failed) in counts.items() if judged > failed > 0} == failing
