"""Events fed to an assembler, with a history of them: what a worker does, without a log and a lake."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence

from replay.assembling.assemble import Assembler
from replay.rounds import RoundRow
from schemas.admitted import Admitted


class FedHistory:
    """A `History` of what was noted in it."""

    def __init__(self) -> None:
        self.noted: list[Admitted] = []
        self.rows: list[RoundRow] = []  # committed

    def kept(self, table_id: str, round_id: str) -> str | None:
        found = [
            row.kept for row in self.rows if row.named["table_id"] == table_id and row.named["round_id"] == round_id
        ]
        return found[-1] if found else None

    def events(
        self, table_id: str, round_id: str, spans: Sequence[tuple[int, int]], last_seq: int
    ) -> list[tuple[int, bytes]]:
        found = [
            (admitted.event.seq, admitted.offset, admitted.raw)
            for admitted in self.noted
            if admitted.event.tableid == table_id and admitted.event.subject == round_id
        ]
        return [(offset, raw) for seq, offset, raw in sorted(found) if seq <= last_seq]


def rows_of(events: Iterable[Admitted], cut_at: Iterable[int] = ()) -> list[RoundRow]:
    """The assembled rounds, every version; at each cut another worker goes on from the state, which has been JSON."""
    history, cuts = FedHistory(), set(cut_at)
    assembler = Assembler(history)
    for at, admitted in enumerate(events):
        if at in cuts:
            history.rows += assembler.take_closed()
            state = json.loads(json.dumps(assembler.state()))
            assembler = Assembler()
            assembler.restore(state, history)
        history.noted.append(admitted)
        assembler.feed(admitted)
    return history.rows + assembler.take_closed()
