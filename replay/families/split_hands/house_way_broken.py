"""HOUSE-402: a hand of the house that was laid otherwise than the house way sets it, and what came of that."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from replay.families.split_hands.hands import Hands
from replay.families.split_hands.ranked import Ranked
from replay.families.split_hands.seats import Seats
from replay.families.split_hands.side_seats import BASE
from replay.families.split_hands.terms import Terms
from replay.money.results import LOSES, TIES, WINS
from replay.naming import listed, names, place_name, whose
from replay.remarks import Remark
from schemas.findings import CERTAIN, LIKELY, POSSIBLE
from schemas.money import dollars

Bools = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]


def house_way_broken(
    seats: Seats,
    hands: Hands,
    ranked: Ranked,
    terms: Terms,
    result: Bytes,
    pushed: Bools,
    playing: Bools,
    rows: int,
) -> tuple[list[Remark], Bools]:
    """HOUSE-402 for dealers' hands laid otherwise than the house way (MA-PGP §11(i)), and which hands came out
    differently for it. Settings of equal strength are equally the house way. Where the dealer's hand was not shown
    so, how it lies in the rack is one witness."""
    of, against = np.arange(len(hands.row)), seats.against[hands.row]
    as_laid = (ranked.low[of, against] == ranked.against_low) & (ranked.high[of, against] == ranked.against_high)
    # With nobody to play against the dealer has no hand to set.
    opposed = np.asarray(playing.any(axis=1))[hands.row]
    broken = hands.set_known[of, against] & hands.known[of, against] & ~as_laid & opposed
    moved = np.zeros(result.shape, bool)
    if not broken.any():
        return [], moved
    where = np.flatnonzero(broken)
    to = against[where][:, None]
    as_set = (np.take_along_axis(of_hand[where], to, axis=1) for of_hand in (ranked.low, ranked.high))
    laid = terms.law.compare(ranked.low[where], ranked.high[where], *as_set)
    laid[pushed[where]] = TIES  # however it was laid
    settled_alike = ~playing[hands.row[where]] | ~hands.set_known[where] | ~hands.known[where]
    moved[where] = (laid != result[where]) & ~settled_alike & ~hands.set_wrong[where]
    low, remarks = terms.geometry.low, []
    for index, entry in enumerate(where.tolist()):
        if entry >= rows:
            continue
        place = int(against[entry])
        laid_cards, due_cards = hands.cards[entry, place].tolist(), ranked.house[entry].tolist()
        remarks.append(
            Remark(
                entry,
                "HOUSE-402",
                f"{whose(place)} was laid as {names(laid_cards[:low])} low, {names(laid_cards[low:])} high; the "
                f"house way sets it as {names(due_cards[:low])} low, {names(due_cards[low:])} high, and it was not "
                f"reset: {_money_moved(seats, hands, entry, moved[entry], laid[index], result[entry], terms)}",
                terms.law.cites.house_way,
                confidence=POSSIBLE
                if hands.disputed[entry, place]
                else CERTAIN
                if hands.shown_set[entry, place]
                else LIKELY,
            )
        )
    return remarks, moved


def _money_moved(seats: Seats, hands: Hands, entry: int, moved: Bools, laid: Bytes, due: Bytes, terms: Terms) -> str:
    places = np.flatnonzero(moved).tolist()
    if not places:
        if not bool(np.asarray(hands.set_known | ~seats.wagered[hands.row])[entry].all()):
            return "which wagers came out differently cannot be told, for want of the players' settings"
        return "no wager came out differently"
    row = int(hands.row[entry])
    own = (seats.wagers.row == row) & (seats.kind == BASE) & moved[seats.at]
    stake, at = seats.wagers.amount[own], seats.at[own]
    net = {}
    for name, results in (("laid", laid), ("due", due)):
        won = np.where(results[at] == WINS, stake, 0)
        net[name] = int((won - terms.vigorish(won) - stake * (results[at] == LOSES)).sum())
    moved_cents = net["laid"] - net["due"]
    seats_named = listed([place_name(place) for place in places])
    gain = "more" if moved_cents > 0 else "less"
    return f"settled as laid, {seats_named} would have {dollars(abs(moved_cents))} {gain} in all than is due"
