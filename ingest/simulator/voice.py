"""The voice of a table: what a device says, made into the bytes of an event in the table's chain."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from random import Random
from typing import Any

import orjson
from nacl.signing import SigningKey

from ingest.chain import GENESIS, event_hash, sign, uuid7

SECOND_US = 1_000_000

CONTROLLER, LAYOUT, RACK, SHOE, SHUFFLER, CAMERA, SHAKER, PROGRESSIVE = (
    "controller",
    "layout",
    "discard-rack",
    "shoe",
    "shuffler",
    "camera",
    "shaker",
    "progressive",
)

SIGNED = frozenset(
    {
        "table.opened",
        "table.closed",
        "table.counted",
        "table.filled",
        "table.credited",
        "table.dealer_changed",
        "table.schedule_changed",
        "table.heartbeat",
        "round.closed",
        "round.corrected",
        "round.voided",
    }
)
"""What the table controller signs: one signature vouches for everything before it."""


@dataclass(slots=True)
class Say:
    """Something a device says, before it has a time and a place in the chain."""

    type: str
    data: dict[str, Any]
    device: str = CONTROLLER
    clock_shift_us: int = 0  # a device whose clock has jumped
    as_spoken: Callable[[], None] | None = None  # what happens as it is said, and what it then says


def one_by_one(say: Say) -> list[Say]:
    """What is said of several cards put into the rack, card by card; anything else as it is."""
    if say.type != "discard.read" or say.data["mode"] != "inserted":
        return [say]
    return [Say("discard.read", {"mode": "inserted", "cards": [card]}, RACK) for card in say.data["cards"]]


def private_key(seed: int, table_id: str) -> SigningKey:
    """A table controller's key. It is derived from the plan's seed and protects nothing but a simulation."""
    return SigningKey(sha256(f"muckraker simulator {seed} {table_id}".encode()).digest())


class Voice:
    """Numbers, chains and signs the events of one table."""

    def __init__(self, seed: int, table_id: str) -> None:
        self.table_id = table_id
        self.seq = 0
        self.prevhash = GENESIS
        self._key = private_key(seed, table_id)
        self._noise = Random(f"event ids {seed} {table_id}")
        self._second = -1
        self._second_text = ""

    def _time_text(self, time_us: int) -> str:
        second, fraction = divmod(time_us, SECOND_US)
        if second != self._second:
            self._second = second
            self._second_text = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(second))
        return f"{self._second_text}.{fraction:06d}Z"

    def speak(self, say: Say, time_us: int, round_id: str | None) -> bytes:
        """The next event of the table."""
        if say.as_spoken is not None:
            say.as_spoken()
        clock_us = time_us + say.clock_shift_us
        event: dict[str, Any] = {
            "specversion": "1.0",
            "id": uuid7(clock_us, self._noise.randbytes(10)),
            "source": f"/tables/{self.table_id}/devices/{say.device}",
            "type": f"muckraker.{say.type}.v1",
            "time": self._time_text(clock_us),
            "tableid": self.table_id,
            "seq": self.seq,
            "prevhash": self.prevhash,
        }
        if round_id is not None:
            event["subject"] = round_id
        event["data"] = say.data
        raw = orjson.dumps(event)
        if say.type in SIGNED:
            raw = sign(raw, self._key)
        self.seq += 1
        self.prevhash = event_hash(raw)
        return raw
