"""Rounds of pai gow poker for tests of racks and deals that went wrong, put through the whole audit."""

from __future__ import annotations

import random

from replay.audit import audit
from replay.filing import canonical_filing
from replay.rounds import RoundRow, batch_of
from replay.verdicts import VERDICTS
from schemas.findings import Finding
from tests.packs.pai_gow_poker_table import Bets, Played, play, reported, row_of


def a_round(seed: int = 3, *, deal_read: bool = True, shown: set[int] | None = None) -> tuple[Played, RoundRow]:
    played = play(random.Random(seed), bets={1: Bets(1000), 2: Bets(1000), 4: Bets(1000)}, foul_share=0.0)
    return played, row_of(played, deal_read=deal_read, shown=shown)


def filed(row: RoundRow, played: Played) -> RoundRow:
    """The round with its settlements reported, under the pack's own options."""
    row = reported(row, played)
    row.named["filing"] = canonical_filing("ma/pai_gow_poker", "1.0", {})
    return row


def audited(row: RoundRow, played: Played) -> tuple[str, list[Finding]]:
    result = audit(batch_of([filed(row, played)]))
    return str(VERDICTS[result.verdicts[0]]), result.findings
