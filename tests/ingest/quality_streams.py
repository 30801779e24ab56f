"""Simulated tables told again with something changed: events left out, added, moved in time or altered, and the chain
and the signatures made good afterwards, so that nothing but the change is wrong with them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from typing import Any

import orjson

from ingest.chain import GENESIS, event_hash, sign, uuid7
from ingest.simulator import Plan, simulate
from ingest.simulator.voice import SIGNED, private_key

Event = dict[str, Any]
Edit = Callable[[list[Event]], list[Event]]


def streams_of(plan: Plan) -> dict[str, list[Event]]:
    """What each table says on a simulated day."""
    said: dict[str, list[Event]] = {table.table_id: [] for table in plan.tables}
    for table_id, raw in simulate(plan):
        said[table_id].append(orjson.loads(raw))
    return said


def told_again(plan: Plan, table_id: str, events: Iterable[Event]) -> list[bytes]:
    """The events with their numbers, hashes and signatures as they now must be."""
    key = private_key(plan.seed, table_id)
    prevhash, made = GENESIS, []
    for seq, event in enumerate(events):
        when_us = round(time_of(event).timestamp() * 1_000_000)
        body = {name: value for name, value in event.items() if name not in ("sig", "data")}
        body |= {"id": uuid7(when_us, seq.to_bytes(10, "big")), "seq": seq, "prevhash": prevhash}
        raw = orjson.dumps({**body, "data": event["data"]})
        if what_of(event) in SIGNED:
            raw = sign(raw, key)
        prevhash = event_hash(raw)
        made.append(raw)
    return made


def what_of(event: Event) -> str:
    return str(event["type"]).removeprefix("muckraker.").removesuffix(".v1")


def device_of(event: Event) -> str:
    return str(event["source"]).rpartition("/")[2]


def round_of(event: Event) -> int:
    """The number of its round, 0 outside of any."""
    return int(str(event.get("subject", "0-0000")).rpartition("-")[2])


def time_of(event: Event) -> datetime:
    return datetime.fromisoformat(event["time"])


def moved(event: Event, by: timedelta) -> Event:
    return {**event, "time": (time_of(event) + by).astimezone(UTC).isoformat().replace("+00:00", "Z")}


def altered(event: Event, **data: object) -> Event:
    return {**event, "data": {**event["data"], **data}}


def like(event: Event, what: str, device: str | None = None, **data: object) -> Event:
    """Something else said at the same moment in the same round."""
    made = {**event, "type": f"muckraker.{what}.v1", "data": data}
    if device is not None:
        made["source"] = f"/tables/{event['tableid']}/devices/{device}"
    return made


def outside(event: Event) -> Event:
    """The same, belonging to no round."""
    return {name: value for name, value in event.items() if name != "subject"}


def without(chosen: Callable[[Event], bool]) -> Edit:
    return lambda events: [event for event in events if not chosen(event)]


def changed(chosen: Callable[[Event], bool], change: Callable[[Event], Event]) -> Edit:
    return lambda events: [change(event) if chosen(event) else event for event in events]


def is_(what: str, number: int | None = None) -> Callable[[Event], bool]:
    """Of this type, and of this round."""
    return lambda event: what_of(event) == what and (number is None or round_of(event) == number)


def first_of(chosen: Callable[[Event], bool], edit: Callable[[Event], list[Event]]) -> Edit:
    """The first such event, replaced by others."""

    def edited(events: list[Event]) -> list[Event]:
        at = next(position for position, event in enumerate(events) if chosen(event))
        return [*events[:at], *edit(events[at]), *events[at + 1 :]]

    return edited


def next_day(events: list[Event], later: timedelta, day: str) -> list[Event]:
    """The same play again on another gaming day."""
    made = []
    for event in events:
        again = moved(event, later)
        if "subject" in again:
            again["subject"] = f"{day.replace('-', '')}-{round_of(event):04d}"
        if "gaming_day" in again["data"]:
            again = altered(again, gaming_day=day)
        made.append(again)
    return made
