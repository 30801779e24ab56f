"""From one rack to the hands it may hold: every reading that a pickup procedure, a situation and the cards allow.

The search goes along the rack in the order the cards went in and decides, hand by hand, which one comes next. Hands
whose position is certain (the last one, mostly the one everyone played against) are read first, so that the game can
tell of each further hand at once whether it wins, loses or stays, and a wrong turn ends where it is taken. It looks at
no more than `MOST_NODES` hands; when that is not enough the answer says so and is never called unique.

What fits no layout is not explained here: that is for the solver.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from replay.cards.pickup.layouts import (
    Alternative,
    Case,
    alternatives,
    held_as,
    order_key,
    possible_buttons,
    slots_of,
)
from replay.cards.pickup.procedure import LOW_CARDS, Order, Procedure
from replay.cards.pickup.situation import HandFacts, HandSituation, Held, Key, Situation, nothing_to_tell
from replay.cards.solver.layout import Layout

MOST_NODES = 20_000


class Seen(NamedTuple):
    """Cards known to be in a hand from elsewhere: the deal, or the hand as it was shown."""

    cards: bytes
    low: int = 0  # the first so many of them were shown as the low hand; 0: its setting was not shown

    def allows(self, held: Held) -> bool:
        """Whether a hand may be this one: it holds these cards, set as shown where the rack shows a setting."""
        if Counter(self.cards) - Counter(held.cards):
            return False
        if held.set_known and self.low == LOW_CARDS:
            return Counter(self.cards[:LOW_CARDS]) == Counter(held.cards[:LOW_CARDS])
        return True


class Kind(StrEnum):
    UNIQUE = "unique"
    AMBIGUOUS = "ambiguous"
    NONE = "none"  # the rack fits no layout
    CUT_SHORT = "cut_short"  # the search reached its bound: what was found may not be all


@dataclass(frozen=True)
class Reading:
    """The hands of a rack under one layout."""

    layout: Layout
    hands: Mapping[Key, Held]
    case: Case  # what it takes for granted


@dataclass(frozen=True)
class Readings:
    readings: tuple[Reading, ...]
    complete: bool = True
    nodes: int = 0  # hands looked at

    @property
    def kind(self) -> Kind:
        if not self.complete:
            return Kind.CUT_SHORT
        if not self.readings:
            return Kind.NONE
        return Kind.UNIQUE if len(self.readings) == 1 else Kind.AMBIGUOUS


def read(
    rack: bytes,
    procedure: Procedure,
    situation: Situation,
    facts: HandFacts = nothing_to_tell,
    seen: Mapping[Key, Seen] | None = None,
) -> Readings:
    """Every reading of this rack. `seen` is what the deal or the hands shown say, and can only take readings away."""
    search = _Search(rack, facts, seen or {})
    for button in possible_buttons(procedure, situation):
        search.under(_plan(procedure, situation, button))
        if search.nodes > MOST_NODES:
            break
    return Readings(tuple(search.found.values()), search.nodes <= MOST_NODES, search.nodes)


class _Decision(NamedTuple):
    """A hand may come next at this step."""

    step: int
    hand: int  # index into the situation's hands
    way: Alternative
    last_chance: bool


@dataclass(frozen=True)
class _Plan:
    """The decisions of one situation in the order they are met along the rack."""

    hands: tuple[HandSituation, ...]
    button: int
    decisions: tuple[_Decision, ...]
    out_of_play: tuple[_Decision, ...]
    tail: tuple[tuple[int, Alternative], ...]  # hands that certainly lie at the end, in order
    last_step: int
    open: bool  # some hand's step depends on the cards


@lru_cache(maxsize=4096)
def _plan(procedure: Procedure, situation: Situation, button: int) -> _Plan:
    hands = situation.hands
    ways = [alternatives(procedure, hand) for hand in hands]
    last = len(procedure.steps) - 1
    decisions: list[_Decision] = []
    out_of_play: list[_Decision] = []
    for at, step in enumerate(procedure.steps):
        sort_by = order_key(step.order, situation, button)
        here = [
            (sort_by(hands[index]), index, way)
            for index, options in enumerate(ways)
            for way in options
            if way.step == at
        ]
        for _, index, way in sorted(here, key=lambda one: one[:2]):
            final = way is max(ways[index], key=lambda option: option.step)
            (out_of_play if step.order is Order.ANY_TIME else decisions).append(_Decision(at, index, way, final))
    tail: list[tuple[int, Alternative]] = []
    while decisions:
        one = decisions[-1]
        certain = len(ways[one.hand]) == 1 and len(hands[one.hand].counts) == 1
        if not certain or (out_of_play and one.step != last):
            break
        tail.insert(0, (one.hand, one.way))
        decisions.pop()
    undecided = any(len(options) > 1 for options in ways)
    return _Plan(hands, button, tuple(decisions), tuple(out_of_play), tuple(tail), last, undecided)


@dataclass
class _Search:
    rack: bytes
    facts: HandFacts
    seen: Mapping[Key, Seen]
    nodes: int = 0
    found: dict[object, Reading] = field(default_factory=dict)
    held: dict[Key, Held] = field(default_factory=dict)
    went: dict[int, tuple[Alternative, int]] = field(default_factory=dict)  # hand → way, cards; in rack order
    tail: dict[int, tuple[Alternative, int]] = field(default_factory=dict)  # the same of the hands at the end
    ways: dict[Key, tuple[Alternative, HandSituation]] = field(default_factory=dict)  # of every hand taken
    limit: int = 0  # where the hands at the end begin

    def under(self, plan: _Plan) -> None:
        """All readings of one plan."""
        self.plan = plan
        self.held, self.went, self.tail, self.ways = {}, {}, {}, {}
        end = len(self.rack)
        for index, way in reversed(plan.tail):
            count = plan.hands[index].counts[0]
            end -= count
            if end < 0 or not self._put(index, way, end, count):
                return
        self.tail = {index: self.went[index] for index, _ in plan.tail}
        self.went = {}
        self.limit = end
        if self._agrees():
            self._go(0, 0)

    def _go(self, at: int, position: int) -> None:
        plan = self.plan
        if self.nodes > MOST_NODES:
            return
        decisions = plan.decisions
        step = decisions[at].step if at < len(decisions) else plan.last_step
        for loose in plan.out_of_play:
            last_begun = any(way.step == plan.last_step for way, _ in self.went.values())
            if loose.hand not in self.went and loose.step < step and not last_begun:
                self._take(loose, at, position)
        while at < len(decisions) and decisions[at].hand in self.went:
            at += 1
        if at == len(decisions):
            if position == self.limit and len(self.went) + len(self.tail) == len(plan.hands):
                self._keep()
            return
        decision = decisions[at]
        self._take(decision, at + 1, position)
        if not decision.last_chance:
            self._go(at + 1, position)

    def _take(self, decision: _Decision, then: int, position: int) -> None:
        index = decision.hand
        key = self.plan.hands[index].key
        for count in self.plan.hands[index].counts:
            if position + count > self.limit:
                continue
            self.nodes += 1
            if self._put(index, decision.way, position, count):
                if not self.plan.open or self._agrees():
                    self._go(then, position + count)
                del self.went[index], self.ways[key]
                self.held.pop(key, None)

    def _put(self, index: int, way: Alternative, position: int, count: int) -> bool:
        """Takes these cards for this hand; False, and nothing taken, where something seen rules it out."""
        key = self.plan.hands[index].key
        if count:
            held = held_as(way.laid, self.rack[position : position + count])
            shown = self.seen.get(key)
            if shown is not None:
                if not shown.allows(held):
                    return False
                held = _set_as_shown(held, shown)
            self.held[key] = held
        elif key in self.seen and self.seen[key].cards:
            return False
        self.went[index] = (way, count)
        self.ways[key] = (way, self.plan.hands[index])
        return True

    def _agrees(self) -> bool:
        known = self.facts(self.held, self.plan.button)
        if known is None:
            return False
        ways = self.ways
        for key, words in known.items():
            if key in ways:
                way, hand = ways[key]
                if not hand.allows(words) or not way.agrees(words, hand.open):
                    return False
        return True

    def _keep(self) -> None:
        plan = self.plan
        if not plan.open and not self._agrees():
            return
        went = [*self.went.items(), *self.tail.items()]
        layout = sum((slots_of(plan.hands[at].key, way.laid, count) for at, (way, count) in went), ())
        case = Case(plan.button, tuple((plan.hands[at], way) for at, (way, _) in went))
        hands = dict(self.held)
        alike = frozenset(
            (key, held.cards if held.set_known else bytes(sorted(held.cards))) for key, held in hands.items()
        )
        self.found.setdefault(alike, Reading(layout, hands, case))


def _set_as_shown(held: Held, shown: Seen) -> Held:
    """The hand with the setting it was shown in, where the rack does not show one and all its cards were shown."""
    if held.set_known or shown.low != LOW_CARDS or len(shown.cards) != len(held.cards):
        return held
    return Held(shown.cards, True)
