"""Lines of what is paid by a pay table: royalties on antes and optional wagers, and the envy bonuses these earn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from replay.citations import Citation
from replay.families.ante_raise.chosen import RETURNED, Chosen, ways_of
from replay.families.ante_raise.fared import left_over_moved
from replay.families.ante_raise.meter_lines import FromMeter, with_shares
from replay.families.ante_raise.seats import ANTE
from replay.families.ante_raise.terms import Limit, Paid, Per, Side
from replay.lines import USUAL, Cause, Cents, Lines, Way, Ways
from replay.money.aggregate import shared_aggregate
from replay.money.envy import earned_for, envy_lines, open_envy_lines
from replay.money.meter import WRONG_SHARE
from replay.money.paytable import ClassTable, class_due, class_pays, class_ways, taken_of
from replay.money.results import LOSES, OUTCOME_OF
from replay.rounds import OUTCOME_CODE, Ints
from schemas.events import Outcome

Bools = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]

_WIN, _NO_ACTION = OUTCOME_CODE[Outcome.WIN], OUTCOME_CODE[Outcome.NO_ACTION]
_CAUSES = (USUAL, Cause("HOUSE-402"), WRONG_SHARE)
_HOUSE, _SHARE = 1, 2


@dataclass(frozen=True)
class Classed:
    """Wagers of one kind, or royalties, and what each is paid by its table, whatever is posted."""

    chosen: Chosen
    paid_by: Paid
    side: Side | None  # None: the royalty
    known: Bools  # what decides it is known
    hand_class: Bytes  # meaningless where not known
    due: Cents  # 0 where nothing is, or that is not known

    @property
    def table(self) -> ClassTable:
        return self.paid_by.table


def royalties(chosen: Chosen) -> Classed:
    """Of these raises, whose antes are given: the stake is what the royalty is reckoned on."""
    paid_by = chosen.terms.royalty
    known = chosen.hand_whole
    hand_class = _own_classes(chosen, known, paid_by)
    live = known & ~(chosen.all_void | chosen.hand_void)
    due = np.where(live, class_due(_antes(chosen), hand_class, paid_by.table), 0)
    return Classed(chosen, paid_by, None, known, hand_class, due)


def classed(chosen: Chosen, side: Side) -> Classed:
    known = chosen.hand_whole if side.on_own_cards else chosen.dealers.known[chosen.entry]
    if side.on_own_cards:
        hand_class = _own_classes(chosen, known, side.paid)
    else:
        hand_class = side.paid.classes.of(chosen.dealers.left_over[chosen.entry])
    paid, _ = class_pays(chosen.stake, hand_class, side.paid.table, 0)
    live = known & ~(chosen.all_void | chosen.hand_void)
    return Classed(chosen, side.paid, side, known, hand_class, np.where(live, paid, 0))


def _own_classes(chosen: Chosen, known: Bools, paid_by: Paid) -> Bytes:
    found = np.full(len(chosen), paid_by.nothing, np.uint8)
    entry, at = chosen.entry[known], chosen.at[known]
    cards = np.ascontiguousarray(chosen.hands.cards[entry, at, : chosen.terms.law.cards.whole])
    found[known] = paid_by.classes.of(cards)
    return found


def _antes(chosen: Chosen) -> Cents:
    """The ante beside each of these raises."""
    wagers, terms, count = chosen.seats.wagers, chosen.terms, len(chosen.seats)
    ante = np.zeros((count, terms.places), np.int64)
    own = chosen.seats.kind == ANTE
    ante[wagers.row[own], chosen.seats.at[own]] = wagers.amount[own]
    found: Cents = ante[chosen.row, chosen.at]
    return found


# ---- posted limits -------------------------------------------------------------------------------------------------


def limited(every: Sequence[Classed]) -> list[Cents]:
    """What each is paid: the wagers of an appendix with a posted limit share it where they come to more."""
    found = [each.due for each in every]
    limits = {each.paid_by.limit.law.name: each.paid_by.limit for each in every if each.paid_by.limit is not None}
    for name, limit in limits.items():
        mine = [at for at, each in enumerate(every) if each.paid_by.limit and each.paid_by.limit.law.name == name]
        shared = _shared([every[at] for at in mine], limit)
        for at, cents in zip(mine, shared, strict=True):
            found[at] = cents
    return found


def _shared(every: Sequence[Classed], limit: Limit) -> list[Cents]:
    entry = np.concatenate([each.chosen.entry for each in every])
    seat = np.concatenate([each.chosen.at for each in every])
    due = np.concatenate([each.due for each in every])
    turn = np.lexsort((seat, entry))  # stable: within a seat as the kinds come
    width = every[0].chosen.terms.places
    group = entry * width + (seat if limit.per is Per.HAND else 0)
    paid = np.empty_like(due)
    paid[turn] = shared_aggregate(due[turn], group[turn], limit.cents)
    return np.split(paid, np.cumsum([len(each.due) for each in every])[:-1])


# ---- lines ---------------------------------------------------------------------------------------------------------


def royalty_lines(each: Classed, paid: Cents, name: int) -> Lines:
    """`name` is the royalty's number among the names of the batch. It has no stake: where nothing is due, nothing is
    said of it."""
    chosen, words = each.chosen, each.chosen.terms.law
    void = chosen.all_void | chosen.hand_void
    none, capped, void_cite = (len(each.table.cites) + number for number in range(3))
    cite_at = np.where(each.due > 0, each.hand_class, none).astype(np.int16)
    cite_at[paid < each.due] = capped
    cite_at[void] = void_cite
    outcome = np.where(paid > 0, _WIN, _NO_ACTION)
    lines = chosen.lines(
        cites=(*each.table.cites, words.royalty.not_due, words.royalty.aggregate.cite, words.cites.all_void),
        wager=np.full(len(chosen), name),
        stake=0,
        outcome=outcome,
        possible=np.left_shift(1, outcome),
        paid=paid,
        cite=cite_at,
        by_reports=void,
    ).with_ways(*ways_of(_antes(chosen), lambda ante: _royalty_ways(ante, each.table)))
    lines = lines.up_to(np.full(len(chosen), each.paid_by.limit is not None))
    unknown = ~each.known & ~void
    return lines.opened(unknown) if unknown.any() else lines


@lru_cache(maxsize=4096)
def _royalty_ways(ante: int, table: ClassTable) -> Ways:
    classes = np.arange(len(table.numerator), dtype=np.uint8)
    sums = {amount for amount in class_due(np.full(len(classes), ante), classes, table).tolist() if amount}
    return Ways((Way(_NO_ACTION, 0, 0), *(Way(_WIN, amount, 0) for amount in sorted(sums))))


def side_lines(each: Classed, paid: Cents, made: FromMeter | None) -> Lines:
    """`made` of progressives, whose shares are in `paid`."""
    chosen, table, side, words = each.chosen, each.table, each.side, each.chosen.terms.law.cites
    assert side is not None, "royalties have lines of their own"
    stake = chosen.stake
    due, result = class_pays(stake, each.hand_class, table, 0)
    lost, capped, hand_void, all_void = (len(table.cites) + number for number in range(4))
    aggregate = (side.law.loses if side.law.aggregate is None else side.law.aggregate.cite,)
    cites: tuple[Citation, ...] = (*table.cites, side.law.loses, *aggregate, words.hand_void, words.all_void)
    outcome = OUTCOME_OF[result]
    taken = np.where(taken_of(result, table), stake, 0)
    cite_at = np.where(result == LOSES, lost, each.hand_class).astype(np.int16)
    if made is None:
        cite_at[paid < due] = capped
    outcomes = np.left_shift(1, outcome)
    code = np.zeros(len(chosen), np.int16)
    if not side.on_own_cards:
        code[left_over_moved(chosen.hands, chosen.dealers, chosen.terms)[chosen.entry]] = _HOUSE
    void = chosen.all_void | chosen.hand_void
    outcome[void], outcomes[void], taken[void], code[void] = OUTCOME_CODE[Outcome.VOID], RETURNED, 0, 0
    cite_at[chosen.hand_void], cite_at[chosen.all_void] = hand_void, all_void
    lines = chosen.lines(
        cites=cites,
        causes=_CAUSES,
        outcome=outcome,
        possible=outcomes,
        paid=paid,
        taken=taken,
        code=code,
        cite=cite_at,
        by_reports=void,
        envy=chosen.seats.earns[chosen.row, chosen.at] & (side.law.envy is not None),
    ).with_ways(*ways_of(stake, lambda amount: class_ways(amount, table, 0)))
    if made is not None:
        lines = with_shares(lines, stake, side, made, _SHARE)
    lines = lines.up_to(np.full(len(chosen), each.paid_by.limit is not None))
    unknown = ~each.known & ~void
    return lines.opened(unknown) if unknown.any() else lines


def side_envy_lines(every: Chosen, kind: int, side: Side) -> Iterator[tuple[Lines, Ints]]:
    """To every wager large enough for every other player's whole hand of a class that gives envy bonuses, raised or
    folded (rulings.md R-49): for none of one's own, in whichever of one's areas (R-52). The line is open for a hand
    nobody saw, and for one that may be one's own."""
    seats, hands, wager, entry, terms = every.seats, every.hands, every.wager, every.entry, every.terms
    whole = terms.law.cards.whole
    due = (seats.sizes == whole) & ~seats.voided & ~seats.all_void[:, None]
    shape = hands.count.shape
    known = hands.count == whole
    classes = np.full(shape, side.paid.nothing, np.uint8)
    somebody_earns = np.asarray(seats.earns.any(axis=1))
    asked = np.asarray(known & due[hands.row] & somebody_earns[hands.row][:, None])
    of_entry, place = np.nonzero(asked)
    classes[asked] = side.paid.classes.of(np.ascontiguousarray(hands.cards[of_entry, place, :whole]))
    earns = (seats.kind[wager] == kind) & seats.earns[hands.row[entry], seats.at[wager]]
    earns &= every.stake >= (0 if side.law.envy is None else side.law.envy.least_cents)
    gives = (asked & (side.paid.table.envy_cents[classes] > 0))[entry]
    row = seats.wagers.row[wager]
    person = seats.people.number(row, seats.wagers.seat[wager], seats.wagers.bettor[wager])
    own, perhaps_own = seats.people.places_of(row, person, terms.places)
    index, for_seat = earned_for(earns, seats.at[wager], gives & ~own & ~perhaps_own)
    hand_class = classes[entry[index], for_seat].astype(np.int64)
    yield envy_lines(seats.wagers, wager[index], for_seat, hand_class, side.paid.table), entry[index]
    unseen = (due[hands.row] & ~known)[entry]
    unseen[:, 0] = False
    index, for_seat = earned_for(earns, seats.at[wager], (unseen | (gives & perhaps_own)) & ~own)
    lowest = int(np.flatnonzero(side.paid.table.envy_cents > 0)[-1]) if len(index) else 0
    yield open_envy_lines(seats.wagers, wager[index], for_seat, lowest, side.paid.table), entry[index]
