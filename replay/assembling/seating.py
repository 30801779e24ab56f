"""Who sits where at a table, as far as devices say so (`patron.seated`, `patron.left`; rulings.md R-52).

What is known of one seat is a list (JSON has no other), never changed once it is made: the seat, who sits there (empty:
nobody), the seq of the event that said so, and 1 where events are missing since, so that it may have changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from replay.rounds import Fact, FactRow

Place = list[Any]
SEAT = "seat "  # before its number: what a round's context rests on


class Knows(Protocol):
    """The part of a table's or a round's context that is about this."""

    patrons: list[Place]
    rests: dict[str, list[int]]


def sits(contexts: Sequence[Knows], seq: int, seat: int, patron: str) -> None:
    """Somebody sits there from now on. What comes late, behind something later about that seat, changes nothing."""
    for context in contexts:
        if any(place[0] == seat and place[2] > seq for place in context.patrons):
            continue
        others = [place for place in context.patrons if place[0] != seat]
        context.patrons = sorted([*others, [seat, patron, seq, 0]])
        context.rests = {**context.rests, f"{SEAT}{seat}": [seq, seq]}


def leaves(contexts: Sequence[Knows], seq: int, seat: int, patron: str | None) -> None:
    """Nobody sits there any more. Who leaves a seat that somebody else has taken meanwhile does not empty it."""
    for context in contexts:
        there = next((place[1] for place in context.patrons if place[0] == seat), "")
        if patron is None or patron == there or not there:
            sits([context], seq, seat, "")


def not_sure(contexts: Sequence[Knows]) -> None:
    """Events are missing: somebody may have left or sat down in one of them."""
    for context in contexts:
        context.patrons = [[seat, patron, seq, 1] for seat, patron, seq, _ in context.patrons]


def patron_at(patrons: Sequence[Place], seat: int) -> str:
    """Who certainly sits there; empty where no device said, or where events since are missing."""
    return next((str(who) for at, who, _, unsure in patrons if at == seat and not unsure), "")


def facts(patrons: Sequence[Place]) -> list[FactRow]:
    """The same for the round's columns."""
    return [FactRow(Fact.SEATED, seq, seat, patron, code=unsure) for seat, patron, seq, unsure in patrons if patron]
