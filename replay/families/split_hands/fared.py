"""How the hands of a batch fare against the hand everyone plays against, as far as their setting is known."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from replay.families.split_hands.chosen import Results
from replay.families.split_hands.hands import Hands
from replay.families.split_hands.house_way_broken import house_way_broken
from replay.families.split_hands.ranked import Ranked, strengths
from replay.families.split_hands.seats import Seats
from replay.families.split_hands.terms import Terms
from replay.money.results import ANY_RESULT, LOSES, TIES, WORST_OF
from replay.remarks import Remark

Bools = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]


def how_hands_fare(
    seats: Seats, hands: Hands, ranked: Ranked, terms: Terms, playing: Bools, rows: int
) -> tuple[Results, list[Remark]]:
    """`playing` (n, 7) are the hands with a wager that is to be settled by them. Also HOUSE-402."""
    result = terms.law.compare(ranked.low, ranked.high, ranked.against_low[:, None], ranked.against_high[:, None])
    result[hands.set_wrong] = LOSES
    foul = (hands.set_known & terms.law.fouled(ranked.low, ranked.high)) | hands.set_wrong
    bits = np.left_shift(1, result).astype(np.uint8)
    unset = playing[hands.row] & hands.known & ranked.against_known[:, None] & ~hands.set_known & ~hands.set_wrong
    if unset.any():
        bits[unset] = _every_setting(hands, ranked, unset, terms)
        result[unset] = WORST_OF[bits[unset]]
    _either_setting(hands, ranked, seats, terms, result, bits, foul)
    unknown = ~(hands.known & ranked.against_known[:, None]) & ~foul
    bits[unknown] = ANY_RESULT
    result[unknown] = LOSES
    pushed = _pushed(seats, hands, terms, result, bits, foul)
    remarks, moved = house_way_broken(seats, hands, ranked, terms, result, pushed, playing, rows)
    return Results(result, bits, foul, moved, pushed), remarks


def _pushed(seats: Seats, hands: Hands, terms: Terms, result: Bytes, bits: Bytes, foul: Bools) -> Bools:
    """(m,) rounds in which the dealer's cards have every wager against them go back, foul hands' too (rulings.md
    R-48); where those cards are not known, they may."""
    law = terms.variant.pushes
    if law is None:
        return np.zeros(len(hands.row), bool)
    of, against = np.arange(len(hands.row)), seats.against[hands.row]
    known = hands.known[of, against]
    pushed = np.asarray(known & law.holds(hands.cards[of, against]))
    bits[pushed], result[pushed], foul[pushed] = 1 << TIES, TIES, False
    bits[~known] |= 1 << TIES
    return pushed


def _either_setting(
    hands: Hands, ranked: Ranked, seats: Seats, terms: Terms, result: Bytes, bits: Bytes, foul: Bools
) -> None:
    """Hands that lie in the rack in another setting than they were shown in: either may be how they were set. Where
    the two come to the same, that is the result."""
    disputed = hands.disputed[hands.row] & hands.known & hands.set_known
    disputed &= ~seats.is_against[hands.row]  # the dealer's counts as the house way sets it
    if not disputed.any():
        return
    entry, place = np.nonzero(disputed)
    shown = hands.shown[hands.row[entry], place]
    low, high = strengths(shown, terms)
    as_shown = terms.law.compare(low, high, ranked.against_low[entry], ranked.against_high[entry])
    bits[disputed] |= np.left_shift(1, as_shown).astype(np.uint8)
    result[disputed] = WORST_OF[bits[disputed]]
    foul[disputed] &= terms.law.fouled(low, high)


def _every_setting(hands: Hands, ranked: Ranked, unset: Bools, terms: Terms) -> Bytes:
    """The results, as bits, over all settings that are not foul: the rack does not show the one chosen (R-51)."""
    entry, _ = np.nonzero(unset)
    low, high = terms.ranking.settings(np.ascontiguousarray(hands.cards[unset]))
    low_strength = terms.ranking.low(low.reshape(-1, low.shape[-1])).reshape(low.shape[:-1])
    high_strength = terms.ranking.high(high.reshape(-1, high.shape[-1])).reshape(high.shape[:-1])
    dealer = ranked.against_low[entry][:, None], ranked.against_high[entry][:, None]
    bit = np.left_shift(1, terms.law.compare(low_strength, high_strength, *dealer)).astype(np.uint8)
    bit[terms.law.fouled(low_strength, high_strength)] = 0
    found: Bytes = np.bitwise_or.reduce(bit, axis=1)
    return found
