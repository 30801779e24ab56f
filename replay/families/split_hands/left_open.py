"""Which rounds cannot be settled in full, and why: cards that are not known, wagers no rule says anything of."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from replay.families.split_hands.hands import Hands
from replay.families.split_hands.judged import Judge
from replay.families.split_hands.ranked import Ranked
from replay.families.split_hands.seats import Seats
from replay.families.split_hands.side_seats import OTHER, SideSeats
from replay.families.split_hands.wager_law import JudgedOn
from replay.naming import listed, place_name
from replay.rounds import UNCUT
from schemas.places import DEALER

Bools = npt.NDArray[np.bool_]


def what_is_open(
    seats: Seats, hands: Hands, ranked: Ranked, judge: Judge, playing: Bools, pushed: Bools, uncut: Bools
) -> dict[int, str]:
    """Rounds where something that wagers depend on is not known, in words. `pushed` (n,) are those in which the wagers
    against the dealer go back, whatever the hands."""
    known = hands.known[: len(uncut)]
    live = ~seats.all_void[:, None]
    needed = playing & ~pushed[:, None]
    for one in seats.sides:
        if one.there:
            needed |= _needed(one, seats, live)
    opposed = np.asarray(playing.any(axis=1))
    needed |= seats.is_against & opposed[:, None]
    needed[:, DEALER] |= (seats.dealer_stake > 0) & ~seats.all_void
    missing = needed & ~known
    missing |= needed & seats.is_against & ~ranked.against_known[: len(uncut), None]
    why = {}
    for row in np.flatnonzero(missing.any(axis=1)).tolist():
        places = [place_name(place) for place in np.flatnonzero(missing[row]).tolist()]
        why[row] = f"neither rack nor deal nor a hand shown gives the cards of {listed(places)}"
        if uncut[row]:
            why[row] = f"{UNCUT}: {why[row]}"
    for one in seats.sides:
        if one.there and one.side.law.judged_on.settled_early:
            for row, words in _not_known_early(one, seats, judge):
                why.setdefault(row, words)
    return why


def _needed(one: SideSeats, seats: Seats, live: Bools) -> Bools:
    """(n, 7) the hands that one side wager and its envy bonuses depend on."""
    on, needed = one.side.law.judged_on, np.zeros_like(seats.wagered)
    to_settle = one.live & ~seats.bonus_void[:, None]
    if on.on_own_hand:
        needed |= to_settle
    if on in (JudgedOn.DEALER_CARDS, JudgedOn.DEALER_AND_OWN):
        needed |= seats.is_against & np.asarray(to_settle.any(axis=1))[:, None]
    if one.side.law.envy is not None:
        giving = seats.exposed if one.gives is None else seats.exposed & one.gives
        needed |= giving & (one.qualifying[:, None] & live)
    return needed


def _not_known_early(one: SideSeats, seats: Seats, judge: Judge) -> Iterator[tuple[int, str]]:
    on = one.side.law.judged_on
    wager = np.flatnonzero((seats.kind == one.kind) & (seats.at > 0))
    row = seats.wagers.row[wager]
    unknown = ~judge.known(one, wager, row) & ~seats.bonus_void[row]
    first = on is JudgedOn.FIRST_CARDS
    what = "no deal that was read gives the cards dealt first" if first else "no device gives the number displayed"
    for number in np.unique(row[unknown]).tolist():
        yield number, f"{what}, by which the {one.side.law.title} is settled"


def without_rule(seats: Seats) -> dict[int, str]:
    """Rounds with a wager that is not offered, in words."""
    nameless = (seats.kind == OTHER) | (seats.at == 0)
    rows = np.unique(seats.wagers.row[nameless & ~seats.all_void[seats.wagers.row]]).tolist()
    return dict.fromkeys(rows, "a wager was taken that the filed rules do not offer, and no rule says what it comes to")
