"""How many of its two hands each raised hand wins against the dealer's, which counts as the house way sets it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from replay.families.ante_raise.hands import Hands
from replay.families.ante_raise.law import Strengths
from replay.families.ante_raise.seats import Seats
from replay.families.ante_raise.terms import Terms
from replay.naming import listed, names, place_name, whose
from replay.remarks import Remark
from replay.rounds import Cards
from schemas.findings import CERTAIN, LIKELY, POSSIBLE
from schemas.places import DEALER

Bools = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]

BOTH_LOSE, ONE_WINS, BOTH_WIN = 0, 1, 2
ANY_NUMBER_WINS = 0b111
_FEWEST = np.array([0, 0, 1, 0, 2, 0, 1, 0], np.uint8)  # of a bit set of these


@dataclass(frozen=True)
class Dealers:
    """The dealer's hand of each entry."""

    known: Bools
    house: Cards  # (m, 8) as the house way sets it, meaningless where not known
    low: Strengths
    high: Strengths

    @property
    def left_over(self) -> Cards:
        """(m, 1) the card the house way leaves out."""
        return np.ascontiguousarray(self.house[:, -1:])


@dataclass(frozen=True)
class Fared:
    """Of each entry and place, (m, 7); meaningless where the place did not raise."""

    won: Bytes  # BOTH_LOSE, ONE_WINS or BOTH_WIN; the fewest of what is possible
    bits: Bytes  # what is possible, as a bit set
    foul: Bools
    moved: Bools  # came out differently because the house way was broken
    low: Strengths  # 0 where the setting is not known
    high: Strengths


def dealers_of(hands: Hands, terms: Terms) -> Dealers:
    law = terms.law
    known = hands.count[:, DEALER] == law.cards.dealer
    cards = np.where(known[:, None], hands.cards[:, DEALER], np.arange(law.cards.dealer, dtype=np.uint8))
    house = law.ranking.house_way(np.ascontiguousarray(cards))
    low, high = strengths(house, terms)
    return Dealers(known, house, low, high)


def strengths(hands: Cards, terms: Terms) -> tuple[Strengths, Strengths]:
    """Of hands (n, cards) as set, low first: the strengths of the low and of the high hand."""
    low, whole = terms.law.cards.low, terms.law.cards.whole
    return (
        terms.law.ranking.low(np.ascontiguousarray(hands[:, :low])),
        terms.law.ranking.high(np.ascontiguousarray(hands[:, low:whole])),
    )


def how_hands_fare(seats: Seats, hands: Hands, dealers: Dealers, terms: Terms) -> Fared:
    law, shape = terms.law, hands.count.shape
    playing = seats.raised[hands.row] & ~seats.voided[hands.row] & ~seats.all_void[hands.row][:, None]
    whole = hands.count == law.cards.whole
    won, bits = np.zeros(shape, np.uint8), np.full(shape, ANY_NUMBER_WINS, np.uint8)
    foul, low, high = hands.set_wrong & playing, np.zeros(shape, np.int32), np.zeros(shape, np.int32)
    as_set = whole & hands.set_known & seats.raised[hands.row]
    entry, place = np.nonzero(as_set)
    low[entry, place], high[entry, place] = strengths(hands.cards[entry, place, : law.cards.whole], terms)
    foul |= as_set & law.fouled(low, high)
    compared = as_set & dealers.known[:, None]
    won[compared] = _won(low, high, dealers.low[:, None], dealers.high[:, None], terms)[compared]
    bits[compared] = np.left_shift(1, won[compared]).astype(np.uint8)
    either = hands.disputed & compared
    if either.any():
        _or_as_shown(hands, dealers, either, bits, foul, terms)
    unset = playing & whole & ~hands.set_known & dealers.known[:, None]
    if unset.any():
        bits[unset] = _every_setting(hands, dealers, unset, terms)
    bits[foul], won[foul] = 1 << BOTH_LOSE, BOTH_LOSE
    won = np.where(foul, won, _FEWEST[bits])
    return Fared(won, bits, foul, _moved(hands, dealers, low, high, won, compared & ~foul, terms), low, high)


def _won(low: Strengths, high: Strengths, dealers_low: Strengths, dealers_high: Strengths, terms: Terms) -> Bytes:
    beats = terms.law.beats
    found: Bytes = beats(low, dealers_low).astype(np.uint8) + beats(high, dealers_high)
    return found


def _or_as_shown(hands: Hands, dealers: Dealers, either: Bools, bits: Bytes, foul: Bools, terms: Terms) -> None:
    """Hands that lie in the rack in another setting than they were shown in: either may be how they were set."""
    entry, place = np.nonzero(either)
    low, high = strengths(hands.or_set[entry, place, : terms.law.cards.whole], terms)
    as_shown = _won(low, high, dealers.low[entry], dealers.high[entry], terms)
    shown_foul = terms.law.fouled(low, high)
    lies_foul = foul[entry, place]
    as_lies = np.where(lies_foul, 1 << BOTH_LOSE, bits[entry, place]).astype(np.uint8)
    bits[entry, place] = as_lies | np.where(shown_foul, 1 << BOTH_LOSE, np.left_shift(1, as_shown)).astype(np.uint8)
    foul[entry, place] = lies_foul & shown_foul


def _every_setting(hands: Hands, dealers: Dealers, unset: Bools, terms: Terms) -> Bytes:
    """The results, as bits, over all settings that are not foul: the rack does not show the one chosen (R-51)."""
    entry, place = np.nonzero(unset)
    law = terms.law
    low, high = law.ranking.settings(np.ascontiguousarray(hands.cards[entry, place, : law.cards.whole]))
    of_low = law.ranking.low(low.reshape(-1, low.shape[-1])).reshape(low.shape[:-1])
    of_high = law.ranking.high(high.reshape(-1, high.shape[-1])).reshape(high.shape[:-1])
    won = _won(of_low, of_high, dealers.low[entry][:, None], dealers.high[entry][:, None], terms)
    bit = np.left_shift(1, won).astype(np.uint8)
    bit[law.fouled(of_low, of_high)] = 0
    found: Bytes = np.bitwise_or.reduce(bit, axis=1)
    return found


# ---- the house way -------------------------------------------------------------------------------------------------


def _broken(hands: Hands, dealers: Dealers, terms: Terms) -> tuple[Bools, Bools]:
    """(m,) dealers' hands laid otherwise than the house way sets them, and those that leave out a card of another
    rank. Settings of equal strength are equally the house way."""
    laid = hands.cards[:, DEALER]
    asked = dealers.known & hands.set_known[:, DEALER]
    cards = np.where(asked[:, None], laid, dealers.house)
    low, high = strengths(cards, terms)
    left_over = cards[:, -1] // 4 != dealers.house[:, -1] // 4
    return np.asarray(asked & ((low != dealers.low) | (high != dealers.high) | left_over)), left_over & asked


def _moved(
    hands: Hands, dealers: Dealers, low: Strengths, high: Strengths, won: Bytes, compared: Bools, terms: Terms
) -> Bools:
    broken, _ = _broken(hands, dealers, terms)
    moved = np.zeros(won.shape, bool)
    if broken.any():
        as_low, as_high = strengths(np.where(broken[:, None], hands.cards[:, DEALER], dealers.house), terms)
        as_laid = _won(low, high, as_low[:, None], as_high[:, None], terms)
        moved = compared & broken[:, None] & (as_laid != won)
    return moved


def left_over_moved(hands: Hands, dealers: Dealers, terms: Terms) -> Bools:
    """(m,) the card left over is of another rank than the house way leaves out."""
    return _broken(hands, dealers, terms)[1]


def house_way_remarks(
    seats: Seats, hands: Hands, dealers: Dealers, fared: Fared, settles_left_over: Bools, rows: int, terms: Terms
) -> list[Remark]:
    """HOUSE-402, of the first reading of each round. With nothing to settle by it the dealer's hand need not be set:
    `settles_left_over` (n,) has the rounds with a wager on the card left over."""
    broken, left_over = _broken(hands, dealers, terms)
    opposed = (seats.raised & ~seats.voided).any(axis=1) & ~seats.all_void
    remarks = []
    for entry in np.flatnonzero(broken & (opposed | settles_left_over)[hands.row]).tolist():
        if entry >= rows:
            continue
        laid, due = hands.cards[entry, DEALER].tolist(), dealers.house[entry].tolist()
        moved = np.flatnonzero(fared.moved[entry] & opposed[hands.row[entry]]).tolist()
        came = [f"{listed([place_name(place) for place in moved])} came out differently"] if moved else []
        if left_over[entry]:
            came.append("the card left over is another")
        remarks.append(
            Remark(
                entry,
                "HOUSE-402",
                f"{whose(DEALER)} was laid as {_in_parts(laid, terms)}; the house way sets it as "
                f"{_in_parts(due, terms)}, and it was not reset: {' and '.join(came) or 'nothing came out otherwise'}",
                terms.law.cites.house_way,
                confidence=POSSIBLE
                if hands.disputed[entry, DEALER]
                else CERTAIN
                if hands.shown_set[entry, DEALER]
                else LIKELY,
            )
        )
    return remarks


def _in_parts(cards: list[int], terms: Terms) -> str:
    low, whole = terms.law.cards.low, terms.law.cards.whole
    return f"{names(cards[:low])} low, {names(cards[low:whole])} high, {names(cards[whole:])} left over"
