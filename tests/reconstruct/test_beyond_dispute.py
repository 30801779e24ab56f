"""Where deal, rack and hands shown agree on every hand nothing is searched: only the settlement can be wrong, and that
is certain. With one witness less, or one that differs, the reports are asked too."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest

from ingest.simulator import default_plan, simulate
from ingest.simulator.options import Equipment
from replay.assembling.assemble import Assembler
from replay.audit import audit
from replay.rounds import RoundRow, batch_of
from schemas.admitted import Admitted
from schemas.events import parse_event
from tests.reconstruct.rack_settlements import settle_wrong
from tests.reconstruct.rack_trials import DEAL, RACK, PlayedRound, as_seen, play

Seen = Callable[[RoundRow], RoundRow]
TRIALS = 12


def settled_wrong(pack: str) -> list[RoundRow]:
    rng, played = Random(3), play(pack, 60, 3)
    rows: list[RoundRow] = []
    while len(rows) < TRIALS:
        one: PlayedRound = rng.choice(played)
        made = settle_wrong("settled_wrong", one.row, one.rack, one.reports, one.filed, rng)
        if made is not None:
            rows.append(made[0])
    return rows


def as_it_was(row: RoundRow) -> RoundRow:
    return row


def rack_alone(row: RoundRow) -> RoundRow:
    return as_seen(row, RACK)


def not_shown(row: RoundRow) -> RoundRow:
    return as_seen(row, DEAL)


def set_otherwise(row: RoundRow) -> RoundRow:
    """Every hand shown with another low hand than it has in the rack."""
    turned = [one._replace(cards=one.cards[1:] + one.cards[:1]) for one in row.shown]
    return replace(row, shown=turned)


def test_nor_is_it_in_the_commission_free_game() -> None:
    plan = default_plan(3, 8, 25, {"wrong_outcome": TRIALS}, games=("flt/supreme_pai_gow",))
    everything = Equipment(shoe_reads=True, camera=True, rack="inserted")
    tables = tuple(replace(table, equipment=everything) for table in plan.tables)
    assembler = Assembler()
    for offset, (_, raw) in enumerate(simulate(replace(plan, tables=tables))):
        assembler.feed(Admitted(offset, raw, parse_event(raw), 0))
    rows = assembler.take_closed()
    told = audit(batch_of(rows))
    assert len(told.findings) == TRIALS and {one.confidence for one in told.findings} == {1.0} and not told.steps
    assert audit(batch_of([not_shown(row) for row in rows])).steps
    assert audit(batch_of([rack_alone(row) for row in rows])).steps


@pytest.mark.parametrize(
    ("pack", "seen", "searched"),
    [
        ("ma/pai_gow_poker", as_it_was, False),
        ("ma/pai_gow_poker", not_shown, True),
        ("ma/pai_gow_poker", set_otherwise, True),
        ("ma/pai_gow_poker", rack_alone, True),
        ("ca/supreme_baccarat", not_shown, False),
        ("ca/supreme_baccarat", rack_alone, True),
    ],
)
def test_what_every_witness_saw_is_not_searched(pack: str, seen: Seen, searched: bool) -> None:
    audited = [audit(batch_of([seen(row)])) for row in settled_wrong(pack)]
    assert any(one.steps for one in audited) == searched  # sums that no hands give are never searched for
    if not searched:
        money = [one for each in audited for one in each.findings if one.expected_cents is not None]
        assert len(money) >= TRIALS and {one.confidence for one in money} == {1.0}
