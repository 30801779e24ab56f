"""What every wager, royalty and envy bonus should come to, as lines, one set of them for each reading of a round.

fared          how raised hands fare against the dealer's
own_wagers     antes and raises
paid_by_class  royalties, optional wagers and envy bonuses
meter_lines    what progressive wagers add to their meters, and take off them
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from replay.families.ante_raise.chosen import RETURNED, Chosen, every_reading
from replay.families.ante_raise.fared import Dealers, Fared, dealers_of, house_way_remarks, how_hands_fare
from replay.families.ante_raise.hands import Hands
from replay.families.ante_raise.meter_lines import from_meter, meter_lines
from replay.families.ante_raise.own_wagers import ante_lines, raise_lines
from replay.families.ante_raise.paid_by_class import (
    classed,
    limited,
    royalties,
    royalty_lines,
    side_envy_lines,
    side_lines,
)
from replay.families.ante_raise.seats import ANTE, OTHER, RAISE, Seats, side_kind
from replay.families.ante_raise.terms import Terms
from replay.lines import ANYTHING, Lines, join_lines, same_money
from replay.naming import listed, place_name
from replay.remarks import Remark
from replay.rounds import OUTCOME_CODE, Ints, RoundBatch
from schemas.events import Outcome
from schemas.places import DEALER

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Settled:
    lines: Lines
    alternatives: dict[int, list[Lines]]
    remarks: list[Remark]
    dealers: Dealers
    fared: Fared
    left_open: dict[int, str]  # round → which hands are needed to settle all of it and not known
    no_rule: dict[int, str]  # round → which wager nothing filed says how to settle


def settle(batch: RoundBatch, seats: Seats, hands: Hands, terms: Terms) -> Settled:
    rows = len(batch)
    dealers = dealers_of(hands, terms)
    fared = how_hands_fare(seats, hands, dealers, terms)
    every = Chosen(seats, hands, terms, dealers, fared, *every_reading(seats, hands))
    not_said: dict[int, str] = {}  # what meters stood at
    made = list(_every_line(batch, every, not_said))
    lines = join_lines([lines for lines, _ in made])
    entries = np.concatenate([entry for _, entry in made]) if made else np.empty(0, np.int64)
    lines, alternatives = _apart(lines, entries, hands, rows)
    remarks = house_way_remarks(seats, hands, dealers, fared, _on_card_left_over(seats), rows, terms)
    return Settled(
        lines, alternatives, remarks, dealers, fared, not_said | _left_open(seats, hands, rows), _without_rule(seats)
    )


def _every_line(batch: RoundBatch, every: Chosen, not_said: dict[int, str]) -> Iterator[tuple[Lines, Ints]]:
    seats, terms = every.seats, every.terms
    royalty = batch.name_id(terms.law.royalty.name)
    kind = seats.kind[every.wager]
    with_ante = seats.ante[every.row, every.at]
    settled = (every.at > 0) & ((kind != RAISE) | with_ante) & (kind != OTHER)
    antes, raises = every.those((kind == ANTE) & settled), every.those((kind == RAISE) & settled)
    yield ante_lines(antes), antes.entry
    yield raise_lines(raises), raises.entry
    in_play = raises.those(seats.raised[raises.row, raises.at])
    paid_by_class = [royalties(in_play)]
    for number, side in enumerate(terms.sides):
        paid_by_class.append(classed(every.those((kind == side_kind(number)) & settled), side))
    for each, paid in zip(paid_by_class, limited(paid_by_class), strict=True):
        if each.side is None:
            yield royalty_lines(each, paid, royalty), each.chosen.entry
        elif each.side.meters is None:
            yield side_lines(each, paid, None), each.chosen.entry
        else:
            law, live = each.side.meters, each.known & ~(each.chosen.all_void | each.chosen.hand_void)
            made = from_meter(batch, each.chosen, law, each.hand_class, live, paid)
            not_said |= made.why_open
            yield side_lines(each, made.paid, made), each.chosen.entry
            yield from meter_lines(batch, each.chosen, law, made, each.known)
    for number, side in enumerate(terms.sides):
        if side.law.envy is not None:
            yield from side_envy_lines(every, side_kind(number), side)
    void = ~settled & every.all_void
    for those, make in ((~settled & ~void, _open_lines), (void, _void_lines)):
        if those.any():
            chosen = every.those(those)
            yield make(chosen), chosen.entry


def _open_lines(chosen: Chosen) -> Lines:
    """Wagers that no rule filed settles."""
    lines = chosen.lines(cites=(chosen.terms.law.cites.not_offered,))
    return lines.with_ways([ANYTHING], np.zeros(len(chosen), np.int64)).opened(np.ones(len(chosen), bool))


def _void_lines(chosen: Chosen) -> Lines:
    """The same in void rounds: they go back like all the others."""
    void = OUTCOME_CODE[Outcome.VOID]
    return chosen.lines(cites=(chosen.terms.law.cites.all_void,), outcome=void, possible=RETURNED, by_reports=1)


def _apart(lines: Lines, entry: Ints, hands: Hands, rows: int) -> tuple[Lines, dict[int, list[Lines]]]:
    """Lines of rounds with one reading, or with readings that all come to the same, and the others' by reading."""
    if not hands.readings:
        return lines, {}
    alternatives = {}
    for row, readings in hands.readings.items():
        sets = [lines.where(entry == other) for other in readings]
        if not all(same_money(sets[0], other) for other in sets[1:]):
            alternatives[row] = sets
    return lines.where((entry < rows) & ~np.isin(entry, list(alternatives))), alternatives


# ---- what cannot be settled ----------------------------------------------------------------------------------------


def _on_card_left_over(seats: Seats) -> Bools:
    """(n,) rounds with a wager on the card left over."""
    found = np.zeros(len(seats), bool)
    for side, there in zip(seats.terms.sides, seats.of_side, strict=True):
        if not side.on_own_cards:
            found |= (there & ~seats.voided).any(axis=1)
    return found & ~seats.all_void


def _left_open(seats: Seats, hands: Hands, rows: int) -> dict[int, str]:
    """Rounds where something that wagers depend on is not known, in words."""
    whole = seats.terms.law.cards.whole
    needed = (seats.raised | seats.needs_whole | (seats.stays & (seats.sizes == whole))) & ~seats.voided
    needed[:, DEALER] = (seats.raised & ~seats.voided).any(axis=1) | _on_card_left_over(seats)
    needed &= ~seats.all_void[:, None]
    count = hands.count[:rows]
    missing = needed & (count < whole)
    why = {}
    for row in np.flatnonzero(missing.any(axis=1)).tolist():
        places = [place_name(place) for place in np.flatnonzero(missing[row]).tolist()]
        short = missing[row] & (count[row] > 0)
        if short.any() and not (missing[row] & ~short).any():
            why[row] = f"{listed(places)} never got the cards that were left to be dealt, and no rule says what follows"
        else:
            why[row] = f"neither rack nor deal nor a hand shown gives the cards of {listed(places)}"
    return why


def _without_rule(seats: Seats) -> dict[int, str]:
    """Rounds with a wager that no rule settles, in words."""
    wagers = seats.wagers
    nameless = (seats.kind == OTHER) | (seats.at == 0)
    alone = (seats.kind == RAISE) & ~seats.ante[wagers.row, seats.at]
    rows = np.unique(wagers.row[(nameless | alone) & ~seats.all_void[wagers.row]]).tolist()
    return dict.fromkeys(rows, "a wager was taken that the filed rules do not offer, and no rule says what it comes to")
