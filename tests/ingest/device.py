"""A table's devices for the tests of ingest: they say what they are told to, chained and signed as it should be."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

from nacl.signing import SigningKey

from ingest.chain import GENESIS, event_hash, public_hex, sign, uuid7

START = datetime(2026, 11, 1, 20, 0, tzinfo=UTC)
SIGNED = ("round.closed", "table.opened", "table.heartbeat")


class TableDevice:
    """Says one event after the other. `seq`, `prevhash` and `time` may be overruled before any of them."""

    def __init__(self, table_id: str = "PG-07", seed: int = 7, signs: bool = True) -> None:
        self.table_id = table_id
        self.random = Random(f"{seed} {table_id}")
        self.key = SigningKey(self.random.randbytes(32))
        self.signs = signs
        self.seq = 0
        self.prevhash = GENESIS
        self.time = START
        self.round_number = 0

    @property
    def public_hex(self) -> str:
        return public_hex(self.key)

    def say(self, kind: str, subject: str | None = None, /, **data: Any) -> bytes:
        """The next event, signed where table controllers sign."""
        event: dict[str, Any] = {
            "specversion": "1.0",
            "id": uuid7(int(self.time.timestamp() * 1_000_000), self.random.randbytes(10)),
            "source": f"/tables/{self.table_id}/devices/controller",
            "type": f"muckraker.{kind}.v1",
            "time": self.time.isoformat().replace("+00:00", "Z"),
            "tableid": self.table_id,
            "seq": self.seq,
            "prevhash": self.prevhash,
        }
        if subject is not None:
            event["subject"] = subject
        event["data"] = data
        raw = json.dumps(event, separators=(",", ":"), ensure_ascii=False).encode()
        if self.signs and kind in SIGNED:
            raw = sign(raw, self.key)
        self.follow(raw)
        return raw

    def follow(self, raw: bytes) -> None:
        """Go on as if these bytes had been the event just said."""
        self.seq += 1
        self.prevhash = event_hash(raw)
        self.time += timedelta(milliseconds=250)

    def round(self, wagers: int = 3) -> list[bytes]:
        """A short round: opened, wagers, bets closed, settled, closed (signed)."""
        self.round_number += 1
        name = f"{self.round_number:06d}"
        said = [self.say("round.opened", name)]
        for seat in range(1, wagers + 1):
            said.append(self.say("wager.placed", name, seat=seat, wager="pai_gow", amount_cents=2500))
        said.append(self.say("bets.closed", name))
        for seat in range(1, wagers + 1):
            said.append(self.say("wager.settled", name, seat=seat, wager="pai_gow", outcome="lose", taken_cents=2500))
        said.append(self.say("round.closed", name))
        self.time += timedelta(seconds=30)
        return said

    def rounds(self, count: int) -> list[bytes]:
        return [raw for _ in range(count) for raw in self.round()]


def interleaved(streams: dict[str, list[bytes]], seed: int = 1) -> Iterator[tuple[str, bytes]]:
    """(key, value) records of several tables, mixed; each table's own order is kept."""
    random = Random(seed)
    waiting = {table_id: list(reversed(stream)) for table_id, stream in sorted(streams.items()) if stream}
    while waiting:
        table_id = random.choice(sorted(waiting))
        yield table_id, waiting[table_id].pop()
        if not waiting[table_id]:
            del waiting[table_id]
