"""A round for people: the hands as they were read, and the order its wagers were due to be settled in."""

from __future__ import annotations

from replay.game import HandView
from replay.packs.ca.supreme_baccarat import drawing
from replay.packs.ca.supreme_baccarat.hands import Hands
from replay.packs.ca.supreme_baccarat.settlement import Short
from schemas.cards import NO_CARD
from schemas.money import dollars


def hands_view(hands: Hands, row: int) -> list[HandView]:
    """Player and Banker; where the cards read two ways, both readings."""
    if not hands.known[row]:
        return []
    views = _both(hands, row)
    if row in hands.second:
        views += _both(hands.with_second(), row, " (or)")
    return views


def _both(hands: Hands, row: int, other: str = "") -> list[HandView]:
    views = []
    for name, cards in (("Player", hands.player[row : row + 1]), ("Banker", hands.banker[row : row + 1])):
        total = int(drawing.total(cards)[0])
        drew = cards[0, 2] != NO_CARD
        note = f"{total}, third card drawn" if drew else f"natural {total}" if total >= 8 else f"{total}"
        views.append(HandView(name + other, (("", bytes(cards[0, : 3 if drew else 2])),), note))
    return views


def order_view(short: Short | None, posted: int) -> str:
    """How the wagers of a round are settled, in a sentence."""
    turns = "Player and Banker lines, then ties, then Total Shots, clockwise from"
    if short is None:
        return f"{turns} the house dealer's left: everything that moves is covered"
    return (
        f"{turns} seat {short.button} (action button): {dollars(posted)} posted for {dollars(short.moves)} that moves"
    )
