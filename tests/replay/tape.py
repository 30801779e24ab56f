"""The events of one table, written in a line each, and the rounds they are put together to."""

from __future__ import annotations

import json
from typing import Any

from replay.rounds import RoundRow
from schemas.admitted import Admitted, AdmittedFlag
from schemas.events import parse_event
from tests.replay.fed import rows_of

DAY = "2026-11-17"


class Tape:
    """Writes a table's events one after the other; nothing here is signed or chained, which is the gate's affair."""

    def __init__(self, table: str = "BA-01") -> None:
        self.table, self.seq, self.round = table, 0, ""
        self.link = 0  # where the stretch of the chain began that the next signature vouches for
        self.events: list[Admitted] = []

    def say(self, event_type: str, /, subject: bool = True, flags: int = 0, skip: int = 0, **data: Any) -> int:
        self.seq += skip
        if flags & AdmittedFlag.GAP_BEFORE:
            self.link = self.seq
        raw = json.dumps(
            {
                "specversion": "1.0",
                "id": f"01932b3e-7c00-7abc-8def-{self.seq:012d}",
                "source": f"/tables/{self.table}/devices/panel",
                "type": f"muckraker.{event_type}.v1",
                "time": f"{DAY}T20:{self.seq // 60:02d}:{self.seq % 60:02d}Z",
                "tableid": self.table,
                "seq": self.seq,
                "prevhash": "0" * 64,
                "data": data,
                **({"subject": self.round} if subject else {}),
            }
        ).encode()
        vouched = (self.link, self.seq) if flags & AdmittedFlag.ATTESTED else None
        self.events.append(Admitted(self.seq, raw, parse_event(raw), flags, vouched))
        self.seq += 1
        return self.seq - 1

    def opens(self, pack: str = "ca/supreme_baccarat", **options: Any) -> None:
        self.say("table.opened", subject=False, gaming_day=DAY, pack=pack, version="1.0", options=options, dealer="D1")
        self.say("cards.introduced", subject=False, deck="shoe-1", decks=8)

    def plays(self, number: int, rack: str = "2c 3c 4c 5c", bank: int = 2, mode: str = "inserted") -> None:
        self.round = f"{number:06d}"
        self.say("round.opened", deck="shoe-1")
        self.say("bank.accepted", seat=bank, kind="player_dealer", posted_cents=50_000)
        self.say("wager.placed", seat=3, wager="player", amount_cents=1_000)
        self.say("bets.closed")
        self.say("cards.dealt", cards=rack.split()[-4:])
        self.say("wager.settled", seat=3, wager="player", outcome="lose", taken_cents=1_000)
        self.say("discard.read", mode=mode, cards=rack.split())
        self.say("round.closed", flags=AdmittedFlag.ATTESTED)


def rounds(tape: Tape) -> list[RoundRow]:
    return rows_of(tape.events)
