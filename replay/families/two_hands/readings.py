"""The ways in which the cards of a rack, or of a deal, are a Player and a Banker hand, each in the order drawn."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from replay.families.two_hands import drawing
from replay.families.two_hands.law import Drawing
from replay.families.two_hands.terms import TO_BANKER, TO_BURN, TO_PLAYER, TO_UNKNOWN
from replay.rounds import Cards
from schemas.cards import JOKER_1, NO_CARD


class Reading(NamedTuple):
    """The two hands, each in the order drawn."""

    player: bytes
    banker: bytes


def without_burned(rack: bytes, dealt: bytes, dealt_to: bytes) -> tuple[bytes, bytes, bytes]:
    """Rack and deal of the two hands alone: a burned card lies under them, or, burned after them, on top."""
    burned = bytes(card for card, to in zip(dealt, dealt_to, strict=True) if to == TO_BURN)
    if burned and rack.startswith(burned):
        rack = rack[len(burned) :]
    elif burned and rack.endswith(burned):
        rack = rack[: -len(burned)]
    in_play = [at for at, to in enumerate(dealt_to) if to in (TO_UNKNOWN, TO_PLAYER, TO_BANKER)]
    return rack, bytes(dealt[at] for at in in_play), bytes(dealt_to[at] for at in in_play)


def rack_readings(rack: bytes, banker_first: bool) -> list[Reading]:
    """Player hand first (rulings.md R-7), or as filed: five cards are three and two, or two and three. The reading with
    three Player cards comes first."""
    if max(rack) >= JOKER_1:
        return []
    sizes = [size for size in (3, 2) if 2 <= len(rack) - size <= 3]  # of the Player hand
    if banker_first:
        return [Reading(rack[-size:], rack[:-size]) for size in sizes]
    return [Reading(rack[:size], rack[size:]) for size in sizes]


def deal_readings(dealt: bytes, dealt_to: bytes, usual: tuple[int, ...]) -> list[Reading]:
    """By what the shoe said each card was for, and where it did not say, by the order of the deal."""
    if not dealt or max(dealt) >= JOKER_1 or not 4 <= len(dealt) <= 6:
        return []
    orders = [usual[: len(dealt)]]
    if len(dealt) == 5:
        orders.append((*usual[:4], TO_BANKER))
    if TO_UNKNOWN not in dealt_to:
        orders = [tuple(dealt_to)]
    readings = []
    for order in orders:
        if any(said not in (TO_UNKNOWN, to) for said, to in zip(dealt_to, order, strict=True)):
            continue
        player = bytes(card for card, to in zip(dealt, order, strict=True) if to == TO_PLAYER)
        banker = bytes(card for card, to in zip(dealt, order, strict=True) if to == TO_BANKER)
        if 2 <= len(player) <= 3 and 2 <= len(banker) <= 3:
            readings.append(Reading(player, banker))
    return readings


def lawful_or_all(law: Drawing, readings: list[Reading]) -> list[Reading]:
    """The readings whose third cards are as the rules have them; all of them where none is."""
    return [reading for reading in readings if lawful(law, reading)] or readings


def lawful(law: Drawing, reading: Reading) -> bool:
    return bool(drawing.fits(law, as_row(reading.player), as_row(reading.banker))[0])


def as_row(hand: bytes) -> Cards:
    """A hand of two or three cards as an array of shape (1, 3)."""
    return np.frombuffer(hand.ljust(3, bytes([NO_CARD])), dtype=np.uint8).reshape(1, 3)
