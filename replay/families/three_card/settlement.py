"""What every wager should come to, as lines, one set of them for each reading of a round; then cut down to what the
player-dealer posted (`covered`)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any

import numpy as np
import numpy.typing as npt

from replay.checks.action_button import Short
from replay.citations import Citation
from replay.families.three_card.covered import cut_down
from replay.families.three_card.hands import Hands, Sources, seat_due, seats_counted
from replay.families.three_card.law import Strengths
from replay.families.three_card.seats import ANTE, OTHER, PLAY, Seats, side_kind
from replay.families.three_card.terms import Side, Terms
from replay.lines import ANYTHING, Cents, Lines, Way, Ways, join_lines, make_lines, possible, same_money
from replay.money.paytable import class_pays, class_ways
from replay.money.results import LOSES, OUTCOME_OF
from replay.naming import listed, place_name
from replay.rounds import OUTCOME_CODE, Cards, Fact, Ints
from schemas.cards import JOKER_1
from schemas.events import Outcome

Bools = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]

_WIN, _LOSE, _PUSH = (OUTCOME_CODE[outcome] for outcome in (Outcome.WIN, Outcome.LOSE, Outcome.PUSH))
_NO_ACTION, _VOID = OUTCOME_CODE[Outcome.NO_ACTION], OUTCOME_CODE[Outcome.VOID]
RETURNED = possible(Outcome.VOID, Outcome.NO_ACTION, Outcome.PUSH)  # however a device names a stake given back


@dataclass(frozen=True)
class Ranked:
    """How the hands of each entry rank; 0 where a hand is not known."""

    strength: Strengths  # (m, places)
    against: Strengths  # (m,)
    against_known: Bools
    qualifies: Bools  # False where not known


def ranked(seats: Seats, hands: Hands) -> Ranked:
    law, known = seats.terms.law, hands.known
    strength = np.zeros(known.shape, np.int32)
    strength[known] = law.strength(np.ascontiguousarray(hands.cards[known]))
    entry, place = np.arange(len(hands.row)), seats.against[hands.row]
    against, there = strength[entry, place], known[entry, place]
    return Ranked(strength, against, there, law.qualifies(against) & there)


@dataclass(frozen=True)
class Chosen:
    """Wagers in a batch, each once for each reading of its round, with everything their lines follow from."""

    seats: Seats
    hands: Hands
    ranked: Ranked
    wager: Ints  # into `seats.wagers`
    entry: Ints  # into `hands`

    def those(self, mask: Bools) -> Chosen:
        return replace(self, wager=self.wager[mask], entry=self.entry[mask])

    def __len__(self) -> int:
        return len(self.wager)

    @property
    def terms(self) -> Terms:
        return self.seats.terms

    @property
    def at(self) -> Ints:
        return self.seats.at[self.wager]

    @property
    def row(self) -> Ints:
        return self.hands.row[self.entry]

    @property
    def stake(self) -> Ints:
        return self.seats.wagers.amount[self.wager]

    @property
    def kind(self) -> Bytes:
        return self.seats.kind[self.wager]

    @property
    def own_known(self) -> Bools:
        return self.hands.known[self.entry, self.at]

    @property
    def folded(self) -> Bools:
        return np.asarray(self.seats.with_ante[self.wager] & ~self.seats.plays[self.wager])

    def void(self) -> tuple[Bools, Bools]:
        """Of hands called void, and of rounds."""
        return self.seats.voided[self.row, self.at], self.seats.all_void[self.row]

    def lines(self, cites: Sequence[Citation], **columns: Any) -> Lines:
        wagers = self.seats.wagers
        return make_lines(
            len(self),
            cites,
            row=self.row,
            kind=Fact.SETTLED,
            seat=wagers.seat[self.wager],
            bettor=wagers.bettor[self.wager],
            wager=wagers.wager[self.wager],
            choice=wagers.choice[self.wager],
            hand=wagers.hand[self.wager],
            stake=self.stake,
            **columns,
        )


@dataclass(frozen=True)
class Settled:
    lines: Lines
    alternatives: dict[int, list[Lines]]
    ranked: Ranked
    short: list[Short]  # rounds in which what was posted does not reach, by their first reading
    seats_due: Mapping[int, frozenset[int]]  # of those, every seat the action button may belong at
    left_open: dict[int, str]  # round → which hands are needed to settle all of it and not known
    no_rule: dict[int, str]  # round → which wager nothing filed says how to settle


def settle(sources: Sources, hands: Hands) -> Settled:
    batch, seats, terms = sources.batch, sources.seats, sources.terms
    ranks = ranked(seats, hands)
    every = Chosen(seats, hands, ranks, *_every_reading(seats, hands))
    made = list(_every_line(every))
    lines = join_lines([lines for lines, _ in made])
    entry = np.concatenate([entry for _, entry in made]) if made else np.empty(0, np.int64)
    due = seat_due(hands.third, seats.against[hands.row], terms)
    several = _several_buttons(sources, hands, due)
    cut = cut_down(sources, lines, entry, hands.row, due, several)
    readings = {row: list(entries) for row, entries in hands.readings.items()}
    for of, more in cut.further.items():
        row = int(hands.row[of])
        readings.setdefault(row, [row]).extend(more)
    lines, alternatives = _apart(cut.lines, cut.entry, readings, len(batch))
    return Settled(
        lines, alternatives, ranks, cut.short, cut.seats_due, _left_open(seats, hands, ranks), _without_rule(seats)
    )


def _every_reading(seats: Seats, hands: Hands) -> tuple[Ints, Ints]:
    """Each wager once for each reading of its round: indexes of wagers and of entries."""
    row_of = seats.wagers.row  # in order of rounds
    wagers, entries = [np.arange(len(row_of))], [row_of]
    for row, readings in hands.readings.items():
        own = np.arange(*np.searchsorted(row_of, [row, row + 1]))
        wagers += [own] * (len(readings) - 1)
        entries += [np.full(len(own), reading) for reading in readings[1:]]
    return np.concatenate(wagers), np.concatenate(entries)


def _several_buttons(sources: Sources, hands: Hands, due: Ints) -> dict[int, list[int]]:
    """Entries of which it is not known which of the player-dealer's cards was dealt last: the seats these give, or that
    of the action button alone, if it lies at one of them."""
    seats, found = sources.seats, dict[int, list[int]]()
    against = seats.against[hands.row]
    cards = hands.cards[np.arange(len(hands.row)), against]
    for entry in np.flatnonzero((due == 0) & (cards[:, 0] < JOKER_1)).tolist():
        counted = sorted(set(seats_counted(cards[entry].tobytes(), int(against[entry]), sources.terms)))
        placed = int(sources.placed.seat[hands.row[entry]])
        found[entry] = [placed] if placed in counted else counted
    return found


# ---- lines ---------------------------------------------------------------------------------------------------------


def _every_line(every: Chosen) -> Iterator[tuple[Lines, Ints]]:
    seats, kind = every.seats, every.kind
    settled = has_rule(seats)[every.wager]
    yield from _with_entries(every.those((kind == ANTE) & settled), ante_lines)
    yield from _with_entries(every.those((kind == PLAY) & settled), play_lines)
    for number, side in enumerate(every.terms.sides):
        mine = every.those((kind == side_kind(number)) & settled)
        if len(mine):
            yield side_lines(mine, side), mine.entry
    void = seats.all_void[every.row]
    yield from _with_entries(every.those(~settled & ~void), _open_lines)
    yield from _with_entries(every.those(~settled & void), _void_lines)


def _with_entries(chosen: Chosen, make: Callable[[Chosen], Lines]) -> Iterator[tuple[Lines, Ints]]:
    if len(chosen):
        yield make(chosen), chosen.entry


def has_rule(seats: Seats) -> Bools:
    """Of each wager, whether a rule says what it comes to: not of one that is not offered, of a play wager or one that
    a fold forfeits with no ante beside it, nor of one on both hands at the player-dealer's own seat."""
    needs_ante = [PLAY, *(side_kind(at) for at, side in enumerate(seats.terms.sides) if side.law.forfeited is not None)]
    both = [side_kind(at) for at, side in enumerate(seats.terms.sides) if side.on_both_hands]
    own = (seats.at > 0) & (seats.at == seats.against[seats.wagers.row])
    alone = np.isin(seats.kind, needs_ante) & ~seats.with_ante
    return np.asarray((seats.kind != OTHER) & (seats.at > 0) & ~alone & ~(own & np.isin(seats.kind, both)))


_WON, _LOST, _TIED, _NOT_QUALIFIED, _FOLDED, _HAND_VOID, _ALL_VOID = range(7)


def ante_lines(chosen: Chosen) -> Lines:
    """Paid when the player-dealer does not qualify, on a tie as well (R-41); else by the hands. Folded, it is lost."""
    words = chosen.terms.law.cites
    cites = (words.win, words.lose, words.tie, words.not_qualified_ante, words.folded, words.hand_void, words.all_void)
    return _by_hands(chosen, cites, _WIN, _LOSE, _ante_ways)


def play_lines(chosen: Chosen) -> Lines:
    """Goes back when the player-dealer does not qualify; else by the hands. On a hand folded before, it goes back."""
    words = chosen.terms.law.cites
    cites = (words.win, words.lose, words.tie, words.not_qualified_play, words.folded, words.hand_void, words.all_void)
    return _by_hands(chosen, cites, _NO_ACTION, _NO_ACTION, _play_ways)


def _by_hands(
    chosen: Chosen, cites: Sequence[Citation], not_qualified: int, folded: int, ways: Callable[[int], Ways]
) -> Lines:
    ranks, entry, at, stake = chosen.ranked, chosen.entry, chosen.at, chosen.stake
    own, against = ranks.strength[entry, at], ranks.against[entry]
    beats = chosen.terms.law.beats
    result = np.where(beats(own, against), _WON, np.where(beats(against, own), _LOST, _TIED))
    result[ranks.against_known[entry] & ~ranks.qualifies[entry]] = _NOT_QUALIFIED
    result[chosen.folded] = _FOLDED
    hand_void, all_void = chosen.void()
    result[hand_void], result[all_void] = _HAND_VOID, _ALL_VOID
    outcome_of = np.array([_WIN, _LOSE, _PUSH, not_qualified, folded, _VOID, _VOID], np.uint8)
    outcome = outcome_of[result]
    possible_of = np.left_shift(1, outcome_of.astype(np.int64))
    possible_of[[_HAND_VOID, _ALL_VOID]] = RETURNED
    by_reports = result >= _FOLDED
    lines = chosen.lines(
        cites,
        outcome=outcome,
        possible=possible_of[result],
        paid=np.where(outcome == _WIN, stake, 0),
        taken=np.where(outcome == _LOSE, stake, 0),
        cite=result,
        by_reports=by_reports,
    ).with_ways(*_ways_of(stake, ways))
    decided = ranks.against_known[entry] & (chosen.own_known | ~ranks.qualifies[entry])
    return lines.opened(~decided & ~by_reports)


def side_lines(chosen: Chosen, side: Side) -> Lines:
    """By the pay table; forfeited by a fold where its text says so."""
    table, stake, words = side.table, chosen.stake, chosen.terms.law.cites
    known = chosen.own_known
    if side.on_both_hands:
        known = known & chosen.ranked.against_known[chosen.entry]
    hand_class = np.full(len(chosen), side.nothing, np.uint8)
    hand_class[known] = side.classes.of(cards_judged(chosen.those(known), side))
    paid, result = class_pays(stake, hand_class, table, 0)
    lost, forfeited, hand_cite, all_cite = (len(table.cites) + number for number in range(4))
    cites = (*table.cites, side.law.loses, side.law.forfeited or side.law.loses, words.hand_void, words.all_void)
    outcome, cite_at = OUTCOME_OF[result].copy(), np.where(result == LOSES, lost, hand_class).astype(np.int16)
    gone = chosen.folded if side.law.forfeited is not None else np.zeros(len(chosen), bool)
    hand_void, all_void = chosen.void()
    outcome[gone], cite_at[gone] = _LOSE, forfeited
    for void, cite in ((hand_void, hand_cite), (all_void, all_cite)):
        outcome[void], cite_at[void] = _VOID, cite
    voids = hand_void | all_void
    allowed = np.where(voids, RETURNED, np.left_shift(1, outcome.astype(np.int64)))
    by_reports = gone | voids
    lines = chosen.lines(
        cites,
        outcome=outcome,
        possible=allowed,
        paid=np.where(outcome == _WIN, paid, 0),
        taken=np.where(outcome == _LOSE, stake, 0),
        cite=cite_at,
        by_reports=by_reports,
    ).with_ways(*_ways_of(stake, lambda amount: class_ways(amount, table, 0)))
    return lines.opened(~known & ~by_reports)


def cards_judged(chosen: Chosen, side: Side) -> Cards:
    own = chosen.hands.cards[chosen.entry, chosen.at]
    if not side.on_both_hands:
        return np.ascontiguousarray(own)
    return np.concatenate([own, chosen.hands.cards[chosen.entry, chosen.seats.against[chosen.row]]], axis=1)


def _open_lines(chosen: Chosen) -> Lines:
    """Wagers that no rule filed settles."""
    lines = chosen.lines((chosen.terms.law.cites.not_offered,))
    return lines.with_ways([ANYTHING], np.zeros(len(chosen), np.int64)).opened(np.ones(len(chosen), bool))


def _void_lines(chosen: Chosen) -> Lines:
    """The same in void rounds: they go back like all the others."""
    return chosen.lines((chosen.terms.law.cites.all_void,), outcome=_VOID, possible=RETURNED, by_reports=1)


def _ways_of(stake: Cents, of: Callable[[int], Ways]) -> tuple[list[Ways], Ints]:
    amounts, index = np.unique(stake, return_inverse=True)
    return [of(amount) for amount in amounts.tolist()], index.reshape(-1)


@lru_cache(maxsize=4096)
def _ante_ways(stake: int) -> Ways:
    return Ways((Way(_WIN, stake, 0), Way(_LOSE, 0, stake), Way(_PUSH, 0, 0)))


@lru_cache(maxsize=4096)
def _play_ways(stake: int) -> Ways:
    return Ways((Way(_WIN, stake, 0), Way(_LOSE, 0, stake), Way(_PUSH, 0, 0), Way(_NO_ACTION, 0, 0)))


def _apart(
    lines: Lines, entry: Ints, readings: Mapping[int, Sequence[int]], rows: int
) -> tuple[Lines, dict[int, list[Lines]]]:
    """Lines of rounds with one reading, or with readings that all come to the same, and the others' by reading."""
    if not readings:
        return lines, {}
    alternatives = {}
    for row, entries in readings.items():
        sets = [lines.where(entry == other) for other in entries]
        if not all(same_money(sets[0], other) for other in sets[1:]):
            alternatives[row] = sets
    return lines.where((entry < rows) & ~np.isin(entry, list(alternatives))), alternatives


# ---- what cannot be settled ----------------------------------------------------------------------------------------


def _left_open(seats: Seats, hands: Hands, ranks: Ranked) -> dict[int, str]:
    """Rounds where a hand that wagers depend on is not known, in words."""
    rows = len(seats)
    known = hands.known[:rows]
    needed = (seats.in_play | seats.live) & ~seats.voided & ~seats.all_void[:, None]
    missing = needed & ~known
    asked = needed.any(axis=1)
    against_missing = asked & ~ranks.against_known[:rows]
    why = {}
    for row in np.flatnonzero(missing.any(axis=1) | against_missing).tolist():
        if not seats.against[row]:
            why[row] = "no device says who is player-dealer, and nothing else does"
            continue
        places = [place_name(place) for place in np.flatnonzero(missing[row]).tolist()]
        if against_missing[row]:
            places.append(f"the player-dealer in seat {seats.against[row]}")
        why[row] = f"neither rack nor deal nor a hand shown gives the cards of {listed(places)}"
    return why


def _without_rule(seats: Seats) -> dict[int, str]:
    """Rounds with a wager that no rule settles, in words."""
    rows = np.unique(seats.wagers.row[~has_rule(seats) & ~seats.all_void[seats.wagers.row]]).tolist()
    return dict.fromkeys(rows, "a wager was taken of which no rule filed says what it comes to")
