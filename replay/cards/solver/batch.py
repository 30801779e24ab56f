"""The clean path: a pickup procedure carried out over columns, for every round of a batch at once.

The hands of a table are columns, the rounds rows. From the words that are so of each hand follows the step it goes in
at; from the steps, the order in the rack; from that and the sizes, where each hand begins. All rounds of one shape
thereby share one permutation from rack to hands, and one gather applies the permutations of all shapes. Words that
depend on the cards are taken as not so: rounds in which one may be so go, alone, to `replay.cards.solver.readings`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from replay.cards.pickup.procedure import PLACE_OF, WHAT_AT, Laid, Order, Procedure, ProcedureError, What
from replay.cards.pickup.situation import Key
from replay.cards.pickup.words import Condition, Word
from replay.rounds import Cards, Ints, Ragged
from schemas.cards import NO_CARD
from schemas.places import Ring

Bools = npt.NDArray[np.bool_]

_STEP = 44  # a step's number lies above the order within it
_MIDDLE = 1 << 42  # of the order within a step: numbers below and above stay within its bits
_WITHIN = 32
_NOBODYS = tuple(WHAT_AT)


@dataclass(frozen=True)
class HandColumns:
    """What wagers, actions and devices say of the hands of a batch: a row a round, a column a hand."""

    keys: tuple[Key, ...]  # whose hand each column is
    words: Mapping[Word, Bools]  # which words are so, (n, h) or what broadcasts to it; a word not named is never so
    acted: Ints  # (n, h) when a hand was surrendered or folded
    rows: int
    button: Ints | None = None  # (n,) where the action button was; None in games without one


@dataclass(frozen=True)
class Arranged:
    """The hands of each round in the order in which they went into the rack."""

    order: Ints  # (n, h) the column of the first hand, of the second ...
    step: npt.NDArray[np.int8]  # (n, h) the step each column's hand went in at
    laid: npt.NDArray[np.int8]  # (n, h) how its cards lie, a number of WAYS_LAID


WAYS_LAID: tuple[Laid, ...] = tuple(Laid)
_LAID_CODE = {laid: code for code, laid in enumerate(WAYS_LAID)}


def arrange(procedure: Procedure, hands: HandColumns, ring: Ring) -> Arranged:
    """The order the procedure gives when nothing that depends on the cards is so."""
    shape = (hands.rows, len(hands.keys))
    places = np.array([key.place for key in hands.keys])
    step, laid = np.full(shape, -1, np.int8), np.zeros(shape, np.int8)
    waiting = np.broadcast_to(~np.isin(places, _NOBODYS), shape).copy()
    key = np.zeros(shape, np.int64)
    for number, what, order, whose, lies in _outlined(procedure, frozenset(hands.words)):
        if what is What.HANDS:
            takes = waiting & _holds(whose, hands.words) if whose else waiting.copy()
            waiting &= ~takes
        else:
            takes = np.broadcast_to(places == PLACE_OF[what], shape)
        np.copyto(key, _turns(order, hands, ring) + ((number << _STEP) + _MIDDLE), where=takes)
        np.copyto(step, number, where=takes)
        for condition, how in lies:
            np.copyto(laid, how, where=takes & _holds(condition, hands.words) if condition else takes)
    left = step < 0
    if left.any():
        row, column = np.argwhere(left)[0].tolist()
        raise ProcedureError(f"procedure {procedure.id}: no step picks up {hands.keys[column]} (row {row} of a batch)")
    return Arranged(np.argsort(key, axis=1, kind="stable"), step, laid)


_Lies = tuple[tuple[Condition, int], ...]


@lru_cache(maxsize=256)
def _outlined(procedure: Procedure, said: frozenset[Word]) -> tuple[tuple[int, What, Order, Condition, _Lies], ...]:
    """The steps that can take a hand when only these words are ever so: number, what, order, whose, and how the cards
    lie. Of the rules on that the first that applies counts, so the last is given, and written, first."""
    found = []
    for number, step in enumerate(procedure.steps):
        whose = _without(step.whose, said)
        rules = [((), step.laid)] if isinstance(step.laid, Laid) else [(rule.whose, rule.how) for rule in step.laid]
        lies = [(_without(condition, said), _LAID_CODE[how]) for condition, how in reversed(rules)]
        if whose is not None:
            possible = tuple((condition, how) for condition, how in lies if condition is not None)
            found.append((number, step.what, step.order, whose, possible))
    return tuple(found)


def _without(condition: Condition, said: frozenset[Word]) -> Condition | None:
    """The condition without the words that are never so; None when it then never holds."""
    clauses = []
    for clause in condition:
        if any(word not in said and not wanted for word, wanted in clause):
            continue
        left = tuple(literal for literal in clause if literal.word in said)
        if not left:
            return None
        clauses.append(left)
    return tuple(clauses)


def _holds(condition: Condition, words: Mapping[Word, Bools]) -> Bools:
    """(n, h) or what broadcasts to it, whether a condition over words that are all there holds."""
    found: Bools | None = None
    for clause in condition:
        any_of: Bools | None = None
        for word, wanted in clause:
            column = words[word] if wanted else ~words[word]
            any_of = column if any_of is None else any_of | column
        assert any_of is not None  # no clause is empty
        found = any_of if found is None else found & any_of
    assert found is not None
    return found


def _turns(order: Order, hands: HandColumns, ring: Ring) -> Ints:
    """When a hand's turn comes within a step, (n, h) or what broadcasts to it."""
    places = np.array([key.place for key in hands.keys], np.int64)
    number = np.array([key.hand for key in hands.keys], np.int64)
    match order:
        case Order.BY_PLACE:
            return np.asarray(places * _WITHIN + number)
        case Order.BY_PLACE_DOWN:
            return np.asarray(number - places * _WITHIN)
        case Order.AS_ACTED | Order.ANY_TIME:
            return hands.acted
        case Order.FROM_BUTTON:
            if hands.button is None:
                raise ProcedureError("a step goes clockwise from the action button, and this game has none")
            sign = 1 if ring.clockwise(0) == 1 else -1
            return np.asarray((sign * (places - hands.button[:, None])) % ring.size * _WITHIN + number)


def starts_of(order: Ints, counts: Ints) -> Ints:
    """(n, h) where the hand of each column begins in the rack; `counts` is (n, h) or (h,), how many cards each has."""
    in_order = np.take_along_axis(np.broadcast_to(counts, order.shape), order, axis=1)
    before = np.cumsum(in_order, axis=1) - in_order
    starts = np.empty_like(before)
    np.put_along_axis(starts, order, before, axis=1)
    return starts


def gather(rack: Ragged, rows: Ints, starts: Ints, counts: Ints, width: int) -> Cards:
    """(len(rows), h, width) the hands of these rounds, NO_CARD where a hand has fewer cards than `width`."""
    base = rack.offsets[rows][:, None, None]
    within = np.arange(width)
    index = base + starts[:, :, None] + within
    there = within < np.broadcast_to(counts, starts.shape)[:, :, None]
    if there.all():
        found: Cards = rack.values[index]
        return found
    hands: Cards = np.where(there, rack.values[np.where(there, index, 0)], NO_CARD).astype(np.uint8)
    return hands
