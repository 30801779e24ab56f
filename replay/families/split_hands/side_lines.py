"""Lines of the side wagers, each by its pay table, and of the envy bonuses they earn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from replay.families.split_hands.chosen import VOIDED, Chosen, ways_of
from replay.families.split_hands.judged import Judge
from replay.families.split_hands.meter_lines import from_meters, paid_lines, with_shares
from replay.families.split_hands.side_seats import SideSeats
from replay.families.split_hands.wager_law import JudgedOn
from replay.lines import USUAL, Cents, Lines, Way, Ways, possible
from replay.money.envy import earned_for, envy_lines, open_envy_lines, qualifies
from replay.money.meter import WRONG_SHARE
from replay.money.paytable import class_due, class_pays, class_ways, shared_limit, taken_of
from replay.money.results import LOSES, OUTCOME_OF, POSSIBLE_OF
from replay.rounds import OUTCOME_CODE, Ints
from schemas.events import Outcome

Bools = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]


@dataclass(frozen=True)
class _Pays:
    """What wagers of one kind come to by their pay table."""

    chosen: Chosen
    one: SideSeats
    hand_class: Bytes
    result: Bytes
    paid: Cents  # as each is limited by itself
    forfeited: Bools
    hand_void: Bools
    all_void: Bools

    @property
    def counts(self) -> Bools:
        """Wagers that are paid from the table, and towards the most that is paid on one hand."""
        return self.by_class & self.one.side.law.limited

    @property
    def by_class(self) -> Bools:
        """Wagers that come to what their class is paid."""
        return ~(self.forfeited | self.hand_void | self.all_void)

    @property
    def limit_cents(self) -> int:
        return self.chosen.terms.payout_limit_cents if self.one.side.law.limited else 0


def untouched_by_cards(chosen: Chosen, one: SideSeats) -> Bools:
    """Wagers of one kind that come to the same whatever decides them: forfeited, or given back."""
    row, at, seats = chosen.row, chosen.at, chosen.seats
    if one.side.law.judged_on.settled_early:
        return np.zeros(len(row), bool)
    return np.asarray(seats.voided[row, at] | (seats.surrendered[row, at] & ~one.live[row, at]))


def side_lines(
    those: Sequence[tuple[Chosen, SideSeats, Ints]], judge: Judge, left_open: dict[int, str]
) -> Iterator[tuple[Lines, Ints]]:
    """The lines of wagers that can be settled, kind by kind, and the readings they are of; with each kind the readings
    in which another wager of it cannot be. The most that is paid on one hand is used up by its wagers in the order they
    are settled, shares of a meter apart (MA-PGP §16(j); rulings.md R-46). What cannot be settled though the hands are
    known is noted in `left_open`."""
    pays = [_pays(chosen, one, judge) for chosen, one, _ in those]
    paid = [_limit_shared(each) for each in pays]
    if len(pays) > 1:
        paid = _limited_by_hand(pays, paid)
    paid = [_limited_by_player(each, cents) for each, cents in zip(pays, paid, strict=True)]
    for each, cents, (chosen, one, unknown) in zip(pays, paid, those, strict=True):
        if one.side.meters is None:
            yield _lines(each, cents), chosen.entry
            continue
        made = from_meters(judge.batch, chosen, one, each.hand_class, each.by_class, cents, unknown)
        left_open |= {row: why for row, why in made.why_open.items() if row not in left_open}
        lines = _lines(each, made.paid)
        yield with_shares(lines, chosen, one, made, lines.causes.index(WRONG_SHARE)), chosen.entry
        yield paid_lines(judge.batch, made)


def _pays(chosen: Chosen, one: SideSeats, judge: Judge) -> _Pays:
    row, at, seats, side = chosen.row, chosen.at, chosen.seats, one.side
    hand_class = judge.classes(one, chosen.wager, chosen.entry)
    limit = chosen.terms.payout_limit_cents if side.law.limited else 0
    paid, result = class_pays(chosen.stake, hand_class, side.table, limit)
    none = np.zeros(len(row), bool)
    if side.law.judged_on.settled_early:  # what came later does not touch what was known before
        all_void = seats.bonus_void[row] & ~judge.known(one, chosen.wager, chosen.entry)
        return _Pays(chosen, one, hand_class, result, paid, none, none, all_void)
    forfeited = seats.surrendered[row, at] & ~one.live[row, at]
    return _Pays(chosen, one, hand_class, result, paid, forfeited, seats.voided[row, at], seats.bonus_void[row])


def _lines(pays: _Pays, paid: Cents) -> Lines:
    chosen, side, result = pays.chosen, pays.one.side, pays.result
    table, words, stake = side.table, chosen.terms.law.cites, chosen.stake
    outcome, outcomes = OUTCOME_OF[result], POSSIBLE_OF[np.left_shift(1, result)]
    paid, taken = paid.copy(), np.where(taken_of(result, table), stake, 0)
    lost, forfeited, hand_void, all_void, capped = range(len(table.cites), len(table.cites) + 5)
    limit = side.law.round_limit.cite if side.law.round_limit is not None else words.payout_limit
    cites = (*table.cites, side.law.loses, words.forfeited, words.hand_void, words.all_void, limit)
    cite_at = np.where(result == LOSES, lost, pays.hand_class).astype(np.int16)
    if pays.limit_cents or side.round_limit_cents:
        cite_at[paid < class_due(stake, pays.hand_class, table)] = capped
    below = paid < pays.paid  # for what else was paid on the hand
    by_reports = np.zeros(len(stake), bool)

    def override(where: Bools, said: Outcome, bits: int, takes: bool, cite: int) -> None:
        outcome[where], outcomes[where], cite_at[where] = OUTCOME_CODE[said], bits, cite
        by_reports[where] = True
        paid[where], taken[where] = 0, stake[where] if takes else 0

    override(pays.forfeited, Outcome.LOSE, possible(Outcome.LOSE), True, forfeited)
    override(pays.hand_void, Outcome.VOID, VOIDED, False, hand_void)
    override(pays.all_void, Outcome.VOID, VOIDED, False, all_void)
    lines = chosen.lines(
        cites=cites,
        causes=(USUAL, WRONG_SHARE),
        outcome=outcome,
        possible=outcomes,
        paid=paid,
        taken=taken,
        cite=cite_at,
        by_reports=by_reports,
        envy=_earns(chosen, pays.one),
    )
    return lines.with_ways(*ways_of(stake, lambda amount: class_ways(amount, table, pays.limit_cents))).up_to(below)


def _earns(chosen: Chosen, one: SideSeats) -> Bools:
    """Wagers of one kind that earn envy bonuses."""
    envy = one.side.law.envy
    if envy is None:
        return np.zeros(len(chosen.wager), bool)
    return np.asarray(qualifies(chosen.stake, envy.least_cents) & one.earns[chosen.row, chosen.at])


def open_side_lines(chosen: Chosen, one: SideSeats, judge: Judge) -> Lines:
    """Wagers of one kind of which nothing read says what decides them."""
    side, terms = one.side, chosen.terms
    limit = terms.payout_limit_cents if side.law.limited else 0
    lines = chosen.lines(cites=(side.law.loses,), envy=_earns(chosen, one))
    if side.law.judged_on is JudgedOn.FIRST_CARDS:
        ways, index = _ways_of_classes(chosen, judge.first_classes(one, chosen.wager, chosen.entry), one)
    else:
        ways, index = ways_of(chosen.stake, lambda amount: class_ways(amount, side.table, limit))
    return lines.with_ways(ways, index).opened(np.ones(len(chosen.wager), bool))


def _ways_of_classes(chosen: Chosen, classes: Bools, one: SideSeats) -> tuple[list[Ways], Ints]:
    """What wagers can come to that are of one of these classes (m, classes), or that may go back in a void round."""
    side, void = one.side, chosen.seats.bonus_void[chosen.row]
    ways = []
    for stake, may_be, goes_back in zip(chosen.stake.tolist(), classes, void.tolist(), strict=True):
        among = np.flatnonzero(may_be).astype(np.uint8)
        paid, result = class_pays(np.full(len(among), stake), among, side.table, 0)
        each = {
            Way(int(OUTCOME_OF[how]), cents, stake if how == LOSES else 0)
            for cents, how in zip(paid.tolist(), result.tolist(), strict=True)
        }
        if goes_back:
            each.add(Way(OUTCOME_CODE[Outcome.VOID], 0, 0))
        ways.append(Ways(tuple(sorted(each))))
    return ways, np.arange(len(ways))


# ---- the most that is paid on one hand -----------------------------------------------------------------------------


def _limit_shared(pays: _Pays) -> Cents:
    """What side wagers are paid where those on hands of one class share the limit (rulings.md R-24)."""
    chosen, paid, hand_class = pays.chosen, pays.paid, pays.hand_class
    payout, limit = chosen.terms.law.payout, pays.limit_cents
    if payout is None or payout.shared_class is None:
        return paid
    live = chosen.hands.known[chosen.entry, chosen.at] & ~chosen.seats.bonus_void[chosen.row]
    live &= ~chosen.seats.voided[chosen.row, chosen.at]
    shares = (hand_class == payout.shared_class) & live
    entries, count = np.unique(chosen.entry[shares], return_counts=True)
    due = class_due(chosen.stake, hand_class, pays.one.side.table)
    paid = paid.copy()
    for entry in entries[count > 1].tolist():
        mine = np.flatnonzero(chosen.entry == entry)
        mine = mine[np.argsort(chosen.at[mine], kind="stable")]
        together = np.where(shares[mine], due[mine], paid[mine])
        shared = shared_limit(together, chosen.stake[mine], shares[mine], limit)
        paid[mine] = np.where(shares[mine], np.minimum(shared, limit), shared)
    return paid


def _limited_by_player(pays: _Pays, paid: Cents) -> Cents:
    """Wagers of one kind that one player has on several areas, in the order of the areas (MA-PGP §18(d); rulings.md
    R-24, R-52): once the limit is used up, no more is paid."""
    limit, chosen = pays.one.side.round_limit_cents, pays.chosen
    if not limit or not (paid > 0).any():
        return paid
    wagers = chosen.seats.wagers
    person = chosen.seats.people.number(wagers.row, wagers.seat, wagers.bettor)[chosen.wager]
    left: dict[tuple[int, int], int] = {}
    found = np.minimum(paid, limit)
    for at in np.lexsort((chosen.at, chosen.entry)).tolist():
        who = int(chosen.entry[at]), int(person[at])
        found[at] = min(int(found[at]), left.get(who, limit))
        left[who] = left.get(who, limit) - int(found[at])
    return found


def _limited_by_hand(pays: Sequence[_Pays], paid: Sequence[Cents]) -> list[Cents]:
    limit = pays[0].chosen.terms.payout_limit_cents
    if not limit:
        return list(paid)
    width = pays[0].chosen.terms.geometry.places
    hand_of = [each.chosen.entry * width + each.chosen.at for each in pays]
    count = max(int(hand.max(initial=-1)) for hand in hand_of) + 1
    total = np.zeros(count, np.int64)
    for each, hand, cents in zip(pays, hand_of, paid, strict=True):
        np.add.at(total, hand, np.where(each.counts, cents, 0))
    if not (total > limit).any():
        return list(paid)
    left, found = np.full(count, limit), [cents.copy() for cents in paid]
    for each, hand, cents in zip(pays, hand_of, found, strict=True):
        for at in np.flatnonzero(each.counts & (total[hand] > limit)).tolist():
            cents[at] = min(int(cents[at]), int(left[hand[at]]))
            left[hand[at]] -= cents[at]
    return found


# ---- envy bonuses --------------------------------------------------------------------------------------------------


def side_envy_lines(every: Chosen, one: SideSeats, judge: Judge) -> Iterator[tuple[Lines, Ints]]:
    """To every wager large enough, of all that are settled (`every`), for every other exposed player's hand of a class
    that gives envy bonuses (rulings.md R-29): for none of one's own, in whichever of one's areas (R-52). The line is
    open for a hand nobody saw, and for one that may be one's own."""
    envy, table = one.side.law.envy, one.side.table
    assert envy is not None, "asked only of wagers that earn envy bonuses"
    seats, hands, wager, entry = every.seats, every.hands, every.wager, every.entry
    exposed = seats.exposed[hands.row] & (one.qualifying & ~seats.all_void)[hands.row][:, None]
    exposed &= ~seats.is_against[hands.row]
    if one.gives is not None:
        exposed &= one.gives[hands.row]
    earns = (seats.kind[wager] == one.kind) & qualifies(seats.wagers.amount[wager], envy.least_cents)
    earns &= one.earns[hands.row[entry], seats.at[wager]]
    known, classes = hands.known, judge.own_classes(one)
    gives = (exposed & known & (classes <= envy.lowest_class))[entry]
    own, perhaps_own = seats.own_areas(wager)
    index, for_seat = earned_for(earns, seats.at[wager], gives & ~own & ~perhaps_own)
    hand_class = classes[entry[index], for_seat].astype(np.int64)
    yield envy_lines(seats.wagers, wager[index], for_seat, hand_class, table), entry[index]
    may_give = (exposed & ~known)[entry] | (gives & perhaps_own)
    index, for_seat = earned_for(earns, seats.at[wager], may_give & ~own)
    yield open_envy_lines(seats.wagers, wager[index], for_seat, envy.lowest_class, table), entry[index]
