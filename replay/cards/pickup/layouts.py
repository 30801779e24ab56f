"""Every way a procedure may have filled the rack in a situation, and what each takes for granted of the cards.

Words that are open (a hand may stay for an envy bonus, may win or lose) send a hand to one step or another, so there
are several layouts. They are enumerated without looking at a card. The number is bounded by `MOST_LAYOUTS`; a situation
with more says so (`complete` is False) and nobody may then call an answer unique. `replay.cards.solver.readings` looks
at the cards as it goes and so need not enumerate.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, product
from typing import NamedTuple

from replay.cards.pickup.procedure import LOW_CARDS, Laid, Order, Procedure, ProcedureError, consistent
from replay.cards.pickup.situation import HandSituation, Held, Key, Situation
from replay.cards.pickup.words import OUTCOMES, Word
from replay.cards.solver.layout import Layout, Slot, size_of

MOST_LAYOUTS = (
    4096  # six players who may each go at three steps, a dealer at two: 3^6 × 2 = 1458; ten at a showdown: 1024
)
NO_BUTTON = -1


class Alternative(NamedTuple):
    """One step a hand may be picked up at, how it then lies, and the sets of open words that lead there."""

    step: int
    laid: Laid
    worlds: tuple[frozenset[Word], ...]
    only: bool = False  # there is no other

    def agrees(self, known: Mapping[Word, bool], open_words: frozenset[Word]) -> bool:
        """Whether what the cards tell of the open words leaves this possible."""
        if self.only or not known:
            return True
        return any(
            all(known.get(word, word in world) == (word in world) for word in open_words) for world in self.worlds
        )


class Case(NamedTuple):
    """Where the button was and at which step each hand went in: one story behind a layout."""

    button: int
    went: tuple[tuple[HandSituation, Alternative], ...]

    def agrees(self, known: Mapping[Key, Mapping[Word, bool]]) -> bool:
        return all(
            hand.allows(words) and way.agrees(words, hand.open)
            for hand, way in self.went
            for words in (known.get(hand.key, {}),)
        )

    def assumptions(self) -> tuple[tuple[Key, Word, bool], ...]:
        """What this takes for granted of each hand that might have gone in at another step: the open words that are so
        (True) or not so (False) in every world that leads here."""
        found = []
        for hand, way in self.went:
            for word in () if way.only else sorted(hand.open):
                values = {word in world for world in way.worlds}
                if len(values) == 1:
                    found.append((hand.key, word, values.pop()))
        return tuple(found)


@dataclass(frozen=True)
class Candidate:
    """One layout, and every case in which the rack would look like that, the simplest first."""

    layout: Layout
    cases: tuple[Case, ...]

    def agrees(self, known_by_button: Callable[[int], Mapping[Key, Mapping[Word, bool]] | None]) -> bool:
        """Whether some case is left by what a game tells of the hands (`HandFacts`, given the button)."""
        for case in self.cases:
            known = known_by_button(case.button)
            if known is not None and case.agrees(known):
                return True
        return False


@dataclass(frozen=True)
class Layouts:
    candidates: tuple[Candidate, ...]
    complete: bool  # False: there are more than MOST_LAYOUTS, and these are some of them


@lru_cache(maxsize=4096)
def alternatives(procedure: Procedure, hand: HandSituation) -> tuple[Alternative, ...]:
    """The steps this hand may go in at, the one that needs the fewest words first."""
    used = procedure.words
    relevant = hand.open & used
    if used & OUTCOMES:
        relevant |= hand.open & OUTCOMES
    one_must_be = len(relevant & OUTCOMES) >= 2 and not hand.true & OUTCOMES
    found: dict[tuple[int, Laid], list[frozenset[Word]]] = {}
    for world in consistent(relevant):
        outcomes = len((world | hand.true) & OUTCOMES)
        if outcomes > 1 or (outcomes == 0 and one_must_be):
            continue
        true = world | hand.true
        step = next((at for at, step in enumerate(procedure.steps) if step.takes(hand.key.place, true)), None)
        if step is None:
            so = ", ".join(sorted(true)) or "nothing"
            raise ProcedureError(f"procedure {procedure.id}: no step picks up {hand.key}, of which is so: {so}")
        found.setdefault((step, procedure.steps[step].laid_for(true)), []).append(world)
    only = len(found) == 1
    return tuple(Alternative(step, laid, tuple(worlds), only) for (step, laid), worlds in found.items())


def order_key(order: Order, situation: Situation, button: int) -> Callable[[HandSituation], tuple[int, ...]]:
    """What the hands of one step are sorted by."""
    match order:
        case Order.BY_PLACE | Order.ANY_TIME:
            return lambda hand: hand.key
        case Order.BY_PLACE_DOWN:
            return lambda hand: (-hand.key.place, hand.key.hand)
        case Order.AS_ACTED:
            return lambda hand: (hand.acted, *hand.key)
        case Order.FROM_BUTTON:
            turn = {place: at for at, place in enumerate(situation.ring.order_clockwise(max(button, 0)))}
            return lambda hand: (turn.get(hand.key.place, -1), hand.key.hand)


def slots_of(key: Key, laid: Laid, count: int) -> Layout:
    """The slots one hand of so many cards fills. A hand too small to be set lies in any order."""
    place, hand = key
    if count == 0:
        return ()
    if laid is Laid.AS_DRAWN:
        return (Slot(place, count, hand),)
    if laid is Laid.ANY_ORDER or count <= LOW_CARDS:
        return (Slot(place, count, hand, in_order=False),)
    low = Slot(place, LOW_CARDS, hand, "low")
    match laid:
        case Laid.LOW_HIGH:
            return (low, Slot(place, count - LOW_CARDS, hand, "high"))
        case Laid.HIGH_LOW:
            return (Slot(place, count - LOW_CARDS, hand, "high"), low)
        case Laid.LOW_HIGH_EIGHTH:
            return (low, Slot(place, count - LOW_CARDS - 1, hand, "high"), Slot(place, 1, hand, "eighth"))


def possible_buttons(procedure: Procedure, situation: Situation) -> tuple[int, ...]:
    """Where the button may be, as far as the procedure asks for it."""
    if not any(step.order is Order.FROM_BUTTON for step in procedure.steps):
        return (NO_BUTTON,)
    return situation.buttons or tuple(range(1, situation.ring.seats + 1))


def layouts(procedure: Procedure, situation: Situation, rack_size: int | None = None) -> Layouts:
    """The layouts of a situation (of so many cards, if that is given), those that take least for granted first."""
    found: dict[Layout, list[Case]] = {}
    complete = True
    for case, layout in islice(_stories(procedure, situation), MOST_LAYOUTS * 8):
        if rack_size is not None and size_of(layout) != rack_size:
            continue
        if layout in found:
            found[layout].append(case)
        elif len(found) < MOST_LAYOUTS:
            found[layout] = [case]
        else:
            complete = False
            break
    else:
        complete = _number_of_stories(procedure, situation) <= MOST_LAYOUTS * 8
    ranked = sorted(found.items(), key=lambda item: min(map(_weight, item[1])))
    return Layouts(tuple(Candidate(layout, tuple(sorted(cases, key=_weight))) for layout, cases in ranked), complete)


def _weight(case: Case) -> int:
    """How many words have to be so."""
    return sum(len(way.worlds[0]) for _, way in case.went)


def _number_of_stories(procedure: Procedure, situation: Situation) -> int:
    """At most so many cases (hands that go in at any time are counted once more for every hand)."""
    number = len(possible_buttons(procedure, situation))
    for hand in situation.hands:
        ways = alternatives(procedure, hand)
        number *= len(ways) * len(hand.counts)
        if any(procedure.steps[way.step].order is Order.ANY_TIME for way in ways):
            number *= len(situation.hands)
    return number


def _stories(procedure: Procedure, situation: Situation) -> Iterator[tuple[Case, Layout]]:
    ways = [alternatives(procedure, hand) for hand in situation.hands]
    counts = list(product(*(hand.counts for hand in situation.hands)))
    last = len(procedure.steps) - 1
    for button in possible_buttons(procedure, situation):
        keys = [order_key(step.order, situation, button) for step in procedure.steps]
        for chosen in product(*ways):
            went = tuple(zip(situation.hands, chosen, strict=True))
            case = Case(button, went)
            fixed = sorted(
                (pair for pair in enumerate(went) if procedure.steps[pair[1][1].step].order is not Order.ANY_TIME),
                key=lambda pair: (pair[1][1].step, keys[pair[1][1].step](pair[1][0])),
            )
            out_of_play = [pair for pair in enumerate(went) if procedure.steps[pair[1][1].step].order is Order.ANY_TIME]
            for order in _with_out_of_play(fixed, out_of_play, last):
                for sizes in counts:
                    yield case, sum((slots_of(hand.key, way.laid, sizes[at]) for at, (hand, way) in order), ())


_Went = tuple[int, tuple[HandSituation, Alternative]]


def _with_out_of_play(fixed: list[_Went], out_of_play: list[_Went], last: int) -> Iterator[list[_Went]]:
    """The hands in order, those out of play at every place from their own step to the last one."""
    if not out_of_play:
        yield fixed
        return
    one, *others = out_of_play
    for order in _with_out_of_play(fixed, others, last):
        for at in range(len(order) + 1):
            after_own_step = at == len(order) or order[at][1][1].step > one[1][1].step or order[at] in out_of_play
            before_last = at == 0 or order[at - 1][1][1].step < last
            if after_own_step and before_last:
                yield [*order[:at], one, *order[at:]]


def hands_in(layout: Layout, rack: bytes) -> dict[Key, Held]:
    """The hands of a rack filled like this: each with its low hand first, then the high one, then the rest."""
    parts: dict[Key, dict[str, bytes]] = {}
    at = 0
    for slot in layout:
        parts.setdefault(Key(slot.place, slot.hand), {})[slot.part] = rack[at : at + slot.count]
        at += slot.count
    return {
        key: Held(b"".join(found.get(part, b"") for part in ("low", "high", "eighth", "")), "low" in found)
        for key, found in parts.items()
    }


def held_as(laid: Laid, cards: bytes) -> Held:
    """One hand whose cards lie like this, as `hands_in` gives it."""
    if len(cards) <= LOW_CARDS or laid is Laid.ANY_ORDER or laid is Laid.AS_DRAWN:
        return Held(cards)
    return Held(cards[-LOW_CARDS:] + cards[:-LOW_CARDS] if laid is Laid.HIGH_LOW else cards, True)
