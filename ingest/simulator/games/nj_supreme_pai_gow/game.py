"""New Jersey Supreme Pai Gow at a simulated table: the game of Massachusetts, whose text is this one (NJ-SPG 19:47-34),
with New Jersey's rules on cards and dice (19:46-1.16 and 1.18)."""

from __future__ import annotations

from ingest.simulator.faults.subjects import Subject
from ingest.simulator.games.nj_supreme_pai_gow.filed import NewJerseyOptions, usual
from ingest.simulator.games.supreme_pai_gow.game import SupremeTable
from ingest.simulator.registry import register


class NewJerseyTable(SupremeTable):
    """A Supreme Pai Gow table in Atlantic City."""

    pack = "nj/supreme_pai_gow"
    options_of = NewJerseyOptions
    inspections = True


register(
    NewJerseyTable,
    NewJerseyOptions,
    usual,
    prefix="NJ",
    faults=(
        Subject.SPLIT_HANDS,
        Subject.MISDEALS,
        Subject.VIGORISH,
        Subject.BANK,
        Subject.PAYOUT_LIMIT,
        Subject.STUB_COUNT,
        Subject.SHUFFLES,
        Subject.IN_TURN,
        Subject.INSPECTIONS,
    ),
)
