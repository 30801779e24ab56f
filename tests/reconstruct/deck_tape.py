"""A table whose decks are followed from round to round, event by event."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from replay.rounds import RoundRow
from schemas.admitted import Admitted, AdmittedFlag
from schemas.cards import CARD_NAMES
from schemas.events import parse_event
from tests.replay.fed import rows_of

WHOLE = list(CARD_NAMES[:53])


class Tape:
    """A table's events one after the other, and what is recorded of each round."""

    def __init__(self) -> None:
        self.seq, self.round = 0, ""
        self.events: list[Admitted] = []
        self.vouched_from = 0
        self.recorded: dict[str, list[bytes]] = {}
        self.say("table.opened", gaming_day="2026-11-17", pack="ma/pai_gow_poker", version="1.0", subject=False)

    def say(self, event_type: str, /, subject: bool = True, flags: int = 0, **data: Any) -> int:
        raw = json.dumps(
            {
                "specversion": "1.0",
                "id": f"01932b3e-7c00-7abc-8def-{self.seq:012d}",
                "source": "/tables/PG-01/devices/panel",
                "type": f"muckraker.{event_type}.v1",
                "time": f"2026-11-17T20:{self.seq // 60:02d}:{self.seq % 60:02d}Z",
                "tableid": "PG-01",
                "seq": self.seq,
                "prevhash": "0" * 64,
                "data": data,
                **({"subject": self.round} if subject else {}),
            }
        ).encode()
        vouched = (self.vouched_from, self.seq) if flags & AdmittedFlag.ATTESTED else None
        self.events.append(Admitted(self.seq, raw, parse_event(raw), flags, vouched))
        if subject:
            self.recorded.setdefault(self.round, []).append(raw)
        self.seq += 1
        return self.seq - 1

    def brings(self, deck: str, decks: int = 1, jokers: int = 1) -> None:
        self.say("cards.introduced", subject=False, deck=deck, decks=decks, jokers=jokers)

    def shuffles(self, deck: str, counted: int | None = None) -> None:
        said = {} if counted is None else {"counted": counted}
        self.say("shuffle.completed", subject=False, deck=deck, method="device", **said)

    def plays(
        self,
        number: int,
        rack: Iterable[str] | None,
        deck: str = "red",
        dealt: Iterable[str] = (),
        counted: int | None = None,
        void: bool = False,
        stub: int | None = None,
    ) -> None:
        """A round; the shuffle comes first, as the last round's rack goes to be shuffled."""
        self.shuffles(deck, counted)
        self.round = f"{number:04d}"
        self.say("round.opened", deck=deck)
        if dealt:
            self.say("cards.dealt", cards=list(dealt))
        if stub is not None:
            self.say("stub.counted", count=stub)
        if rack is not None:
            self.say("discard.read", mode="inserted", cards=list(rack))
        if void:
            self.say("round.voided", reason="misdeal")
        self.say("round.closed", flags=AdmittedFlag.ATTESTED)


def rounds_of(tape: Tape, cut_at: Iterable[int] = (), events: list[Admitted] | None = None) -> list[RoundRow]:
    """The assembled rounds; at each cut another worker goes on from the state, which has been through JSON."""
    return rows_of(events or tape.events, cut_at)
