"""Rounds of pai gow poker as dealt at random, and what the audit finds in them."""

from __future__ import annotations

import random
from collections.abc import Iterator

from replay.audit import audit
from replay.filing import canonical_filing
from replay.rounds import (
    RoundRow,
    batch_of,
)
from replay.verdicts import VERDICTS
from schemas.cards import codes_of
from schemas.findings import Finding
from tests.packs.pai_gow_poker_table import Bets, Played, play

THREE = {1: Bets(1000), 2: Bets(1000), 4: Bets(1000)}  # packets: 3, 5, 6, then 1, 2, 4, then the dealer


def audited(row: RoundRow, **options: str | int) -> tuple[str, list[Finding]]:
    row.named["filing"] = canonical_filing("ma/pai_gow_poker", "1.0", {"fortune_minimum_cents": 100, **options})
    result = audit(batch_of([row]))
    return str(VERDICTS[result.verdicts[0]]), result.findings


def found(row: RoundRow, **options: str | int) -> list[str]:
    return sorted(finding.code for finding in audited(row, **options)[1])


def rounds(seed: int, count: int, bets: dict[int, Bets], **how: object) -> Iterator[Played]:
    rng = random.Random(seed)
    for _ in range(count):
        yield play(rng, bets=bets, foul_share=0.0, **how)  # type: ignore[arg-type]


def racked(played: Played, order: tuple[int, ...], rearranged: bool = False) -> bytes:
    """The rack with the hands of these places in this order after the stub, and the dealer's last."""
    cards = played.rack[:4]
    for place in (*order, 0):
        laid = [card for part in played.settings.get(place, (played.hands[place],)) for card in part]
        cards = [*cards, *(sorted(laid) if rearranged and place else laid)]
    return codes_of(cards)
