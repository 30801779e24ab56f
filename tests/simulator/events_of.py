"""Reading a simulated stream back with plain code: JSON, hashes and sums, and nothing of the simulator's."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import orjson

Event = dict[str, Any]


def by_table(stream: Iterable[tuple[str, bytes]]) -> dict[str, list[Event]]:
    """Each table's events, the type shortened to what stands between `muckraker.` and `.v1`."""
    tables: dict[str, list[Event]] = defaultdict(list)
    for table_id, raw in stream:
        event = orjson.loads(raw)
        event["type"] = event["type"].removeprefix("muckraker.").removesuffix(".v1")
        tables[table_id].append(event)
    return dict(tables)


def days_of(events: list[Event]) -> list[list[Event]]:
    """The events from each opening of the table on."""
    days: list[list[Event]] = []
    for event in events:
        if event["type"] == "table.opened":
            days.append([])
        if days:
            days[-1].append(event)
    return days


def rounds_of(events: list[Event]) -> list[list[Event]]:
    """The events of each round, in order."""
    rounds: dict[str, list[Event]] = {}
    for event in events:
        if "subject" in event:
            rounds.setdefault(event["subject"], []).append(event)
    return list(rounds.values())


def said(events: list[Event], type_: str) -> list[dict[str, Any]]:
    """What all events of a type say."""
    return [event["data"] for event in events if event["type"] == type_]


def standing_wagers(events: list[Event]) -> dict[tuple[int, str, str], int]:
    """(seat, bettor, wager) -> cents, after all changes."""
    wagers: dict[tuple[int, str, str], int] = {}
    for event in events:
        data = event["data"]
        if event["type"] in ("wager.placed", "wager.changed"):
            wagers[data["seat"], data.get("bettor", ""), data["wager"]] = data["amount_cents"]
        elif event["type"] == "wager.withdrawn":
            del wagers[data["seat"], data.get("bettor", ""), data["wager"]]
    return wagers
