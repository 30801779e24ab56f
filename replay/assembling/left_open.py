"""Which rounds are open: begun, and not over. For whoever asks how far the record is, without going on with it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from replay.assembling.assemble import ENDS_THE_DAY
from replay.assembling.closed_rounds import device_id
from schemas.clock import microseconds
from schemas.events import RoundClosed, RoundOpened, event_type, parse_event

_CLOSED, _OPENED = event_type(RoundClosed), event_type(RoundOpened)
_DAY_ENDS = frozenset(event_type(model) for model in ENDS_THE_DAY)


class EventHead(NamedTuple):
    """An admitted event as far as it matters here."""

    table_id: str
    round_id: str | None
    type: str
    time_us: int


class OpenRounds:
    """The open rounds of some tables, and since when."""

    def __init__(self, state: dict[str, Any]) -> None:
        """`state` is what the replay remembered (`Replay.state`); what was said since then is fed to `follow`."""
        self._since: dict[str, dict[str, int]] = {}
        for table_id, said in state.get("tables", {}).items():
            begun = self._since[table_id] = {}
            for held in said["open"]:
                begun[held["round"]] = min(
                    microseconds(parse_event(text.encode()).time) for _, _, text, _ in held["events"]
                )
            events = [parse_event(text.encode()) for _, _, text, _ in said["tail"]]
            self.follow(EventHead(one.tableid, one.subject, one.type, microseconds(one.time)) for one in events)

    def follow(self, events: Iterable[EventHead]) -> None:
        for table_id, round_id, kind, time_us in events:
            begun = self._since.setdefault(table_id, {})
            if kind in _DAY_ENDS:
                begun.clear()
            elif round_id is None:
                continue
            elif kind == _CLOSED:
                for name in [name for name in begun if device_id(name) == round_id]:
                    del begun[name]
            elif kind == _OPENED and round_id not in begun:
                begun.clear()  # one left open was never closed, and is judged so
                begun[round_id] = time_us

    def __iter__(self) -> Iterator[tuple[str, str, int]]:
        """Table, round and since when, the longest open first."""
        found = [(since, table, name) for table, begun in self._since.items() for name, since in begun.items()]
        return iter([(table, name, since) for since, table, name in sorted(found)])
