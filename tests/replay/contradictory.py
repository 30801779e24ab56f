"""Rounds of pai gow poker whose racks contradict what was reported: what somebody would send who wants to hold up an
auditor. Nothing here knows how they are judged."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

DECK = [rank + suit for rank in "23456789TJQKA" for suit in "cdhs"] + ["X1"]
Said = tuple[str, dict[str, Any]]


def contradictory_round(rng: random.Random) -> Iterator[Said]:
    """A shuffled deck in the rack, no deal to hold it against, and every seat paid as no order of it gives."""
    rack = rng.sample(DECK, len(DECK))
    yield "round.opened", {"deck": "deck-1"}
    for seat in range(1, 7):
        yield "wager.placed", {"seat": seat, "wager": "pai_gow", "amount_cents": 2_500}
    yield "bets.closed", {}
    yield "start.determined", {"method": "rng", "place": 1, "number": 2}
    yield "discard.read", {"mode": "scan", "cards": rack}
    for seat in range(1, 7):
        outcome = rng.choice(["win", "lose", "push"])
        money = {"win": {"paid_cents": 2_500}, "lose": {"taken_cents": 2_500}, "push": {}}[outcome]
        yield "wager.settled", {"seat": seat, "wager": "pai_gow", "outcome": outcome, **money}
    yield "round.closed", {}


SHUFFLED: Said = ("shuffle.completed", {"deck": "deck-1", "method": "device"})
"""Before every round: the rack is empty again."""


def table_opens() -> Iterator[Said]:
    day = {"gaming_day": "2026-11-17", "pack": "ma/pai_gow_poker", "version": "1.0", "options": {}}
    yield "table.opened", day
    yield "cards.introduced", {"deck": "deck-1", "decks": 1, "jokers": 1}
