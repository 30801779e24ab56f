"""Why a rack looks as it does: the readings its cards, the deal and the hands shown allow, by the fewest faults.

The answer is *unique* (one reading fits with no fault), *ambiguous* (several do), or *contradictory*: then every
explanation by one fault is tried, and where none leaves all witnesses content, every one by two. Each explanation
carries its faults, its cost (minus the logarithm of how likely it is, by the rates in `faults`), the reports it
contradicts and a confidence. Nothing is guessed: explanations that are nearly as good stay beside the best one, and
where the search would grow beyond its bound the answer says so and explains nothing.

The bound. A layout of p packets and n cards has at most p(p-1)/2 swaps, p(p-2) + p moves, p turned hands, and n + 1
places for a card not there, or n for one too many: under 200 single faults for the 8 packets and 53 cards of a pai gow
rack, and under 40,000 pairs. The round's budget (`budget`) stops the search over all layouts together.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from types import MappingProxyType
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from replay.cards.solver import faults as rates
from replay.cards.solver.answers import Against, Answer, Contradiction, Explanation, Status, scaled
from replay.cards.solver.budget import DEEP_STEPS, READING_STEPS, Budget, OutOfSteps
from replay.cards.solver.confidence import KEPT, ON_ONE_WITNESS, shares, unexplored_cost
from replay.cards.solver.evidence import (
    HOLE,
    Denied,
    HoldAgainst,
    Look,
    Objections,
    RackEvidence,
    Reading,
    Weigh,
    indifferent,
    nothing_reported,
)
from replay.cards.solver.faults import Fault, FaultKind, cost_of
from replay.cards.solver.hypotheses import IN_ANOTHER_ORDER, Differences, one_more_fault
from replay.cards.solver.hypothesis import Hypothesis, brought_for_another, size_of_packet, start
from replay.cards.solver.layout import Layout
from replay.cards.solver.slips import AsDealt, OtherOrders, by_packets
from replay.rounds import offsets_of

MOST_CARDS = 6 * 54  # a rack with more is not searched: the most decks that are shuffled for each round
MOST_LAYOUTS = 64
MOST_FAULTS = 2
_WORTH_WEIGHING = 14.0  # explanations this much dearer than the best before weighing cannot matter after it
_CHEAPEST_FAULT = min(cost_of(kind, 2.0) for kind in FaultKind)
_TOO_DEAR = 5.0
_WORTH_ADDING_UP = 1e-9  # shares below are not added to others: all of them together are less than anybody keeps
_HANDS_ASTRAY = 2  # so many hands more that are not as dealt cost more than could matter
_ODD_LOOK = 4.0  # hands that look this much odder than usual are reason to look for one fault more
_ROUNDED = 1e-6  # more than sums of the same costs in another order may differ by
_MANY = 1 << 30
NOBODY = -99  # the place of what concerns no hand in particular


_BLAMES = (Contradiction.SETTLED, Contradiction.RULE)  # people at the table, and not a device


def explain(
    evidence: RackEvidence,
    weigh: Weigh = indifferent,
    hold_against: HoldAgainst = nothing_reported,
    most_faults: int = MOST_FAULTS,
    budget: Budget | None = None,
) -> Answer:
    """Everything one rack allows, by so many faults at most and within the steps of the round's budget."""
    search = explaining(evidence, most_faults, Budget() if budget is None else budget)
    try:
        readings = next(search)
        while True:
            readings = search.send((weigh(readings), hold_against(readings)))
    except StopIteration as ended:
        answer: Answer = ended.value
        return answer


Said = tuple[Sequence[Look], Sequence[Objections]]  # of the readings asked for: how they look, and what denies them
Explaining = Generator[Sequence[Reading], Said, Answer]


def explaining(evidence: RackEvidence, most_faults: int, budget: Budget) -> Explaining:
    """The same, step by step: it asks what a game says of readings, and goes on when it is told. So the searches of
    many rounds ask together."""
    if len(evidence.rack) > MOST_CARDS or len(evidence.layouts) > MOST_LAYOUTS or not evidence.layouts:
        return Answer(Status.CONTRADICTORY, bound_hit=True)
    levels = _levels(evidence, most_faults, budget)
    nothing_wrong, considered = levels.without_fault(), levels.considered
    ahead = _Ahead(levels, budget) if nothing_wrong.found else None
    try:
        found = yield from _judged_by_game(nothing_wrong, budget, ahead.asked if ahead else ())
    except OutOfSteps:
        return Answer(Status.CONTRADICTORY, considered=considered, bound_hit=True)
    clean = [each for each in found if not each.against]
    if clean:
        status = Status.UNIQUE if len(_readings(clean)) == 1 else Status.AMBIGUOUS
        return _answer(status, clean, considered, evidence)
    for faults in range(1, most_faults + 1):
        try:
            following = ahead.taken() if ahead and faults == 1 else levels.one_fault_more()
            found += yield from _judged_by_game(following, budget)
        except OutOfSteps:
            return _given_up(found, levels.considered, evidence)
        if any(not each.against for each in found) and not _looks_odd(found) and not _by_order_alone(found, evidence):
            break
        if (
            found
            and not _looks_odd(found)
            and min(each.price for each in found) + _TOO_DEAR < (faults + 1) * _CHEAPEST_FAULT
        ):
            break  # a witness is wrong: no number of faults more could be as likely
    return _answer(Status.CONTRADICTORY, found, levels.considered, evidence, faults)


def _one_by_one(level: Iterable[Hypothesis | OtherOrders]) -> Iterator[Hypothesis]:
    for one in level:
        if isinstance(one, Hypothesis):
            yield one
        else:
            yield from one.slips.all_after(one.supposed)


def _given_up(found: list[_Found], considered: int, evidence: RackEvidence) -> Answer:
    """The search has reached its bound. What one fault explains to every witness's content stays, as likely; so does a
    rack in order beside hands that were shown otherwise."""
    if not any(_shown_otherwise(each) if not each.faults else not each.against for each in found):
        return Answer(Status.CONTRADICTORY, considered=considered, bound_hit=True)
    answer = _answer(Status.CONTRADICTORY, found, considered, evidence, MOST_FAULTS - 1)
    return replace(scaled(answer, ON_ONE_WITNESS), bound_hit=True)


def _shown_otherwise(found: _Found) -> bool:
    return {against.what for against in found.against} == {Contradiction.HAND_SHOWN}


# ---- what the witnesses say ----------------------------------------------------------------------------------------


class _Found(NamedTuple):
    faults: tuple[Fault, ...]
    reading: Reading
    price: float  # of its faults and of the reports it contradicts
    cost: float  # the same, less what the cards themselves say for it
    against: tuple[Against, ...]
    usual: float = 0.0  # what the cards say for a true reading on average
    played_with: Mapping[Fault, float] = MappingProxyType({})  # of cards brought in for others: how likely
    unweighed: bool = False  # the sums reported could not be held against it


class _Priced(NamedTuple):
    """The explanations of one level that may matter, with what they cost before a game has seen them."""

    found: Sequence[_Found]
    asked: Sequence[Reading]  # hands as they were set, shown and settled
    hands: Sequence[int]  # of each explanation: which of these
    ways: Sequence[int]  # alike for those that differ only in whether a card brought in was played with


class _Levels:
    """What one rack allows by no fault, by one more, and so on."""

    def __init__(self, evidence: RackEvidence, most_faults: int, budget: Budget) -> None:
        self._evidence, self._left, self._budget = evidence, most_faults, budget
        self._differences = Differences(evidence)
        self._level: list[Hypothesis | OtherOrders] = [start(evidence, layout) for layout in evidence.layouts]
        self.considered = len(self._level)

    def without_fault(self) -> _Priced:
        return _priced(self._level, self._evidence, self._differences)

    def one_fault_more(self) -> _Priced:
        following: list[Hypothesis | OtherOrders] = []
        for supposed in _one_by_one(self._level):
            made = list(one_more_fault(supposed, self._evidence, self._differences, self._left))
            following += made
            count = sum([1 if isinstance(one, Hypothesis) else one.count for one in made])
            self.considered += count
            self._budget.spend(1 + count)
        self._level = following
        self._left -= 1
        return _priced(following, self._evidence, self._differences)


def _priced(level: Sequence[Hypothesis | OtherOrders], evidence: RackEvidence, differences: Differences) -> _Priced:
    """The hypotheses that give every slot its cards, each with what it costs and contradicts."""
    # Only what may matter is held against the witnesses and weighed: that is where the time would go. The cheapest come
    # first, so that most of the others are dearer than the limit before anything is asked of them.
    priced: list[tuple[int, _Found, Reading]] = []  # and the hands as they were set, shown and settled
    known: set[object] = set()
    least, fewest = math.inf, math.inf
    as_dealt = differences.as_dealt
    for place_in_level, cost, astray, one in _cheapest_first(level, as_dealt):
        limit = least + _WORTH_WEIGHING
        if cost > limit:
            break
        if isinstance(one, Hypothesis):
            if not one.fits or any(differences(one)):
                continue
            astray = _hands_astray(one, evidence, fewest + _HANDS_ASTRAY)
        if astray > fewest + _HANDS_ASTRAY:
            continue
        fewest = min(fewest, astray)
        if isinstance(one, Hypothesis):
            supposed = one
        elif cost + as_dealt.least_price(astray) > limit + _ROUNDED:
            continue
        else:
            supposed = one.orders.slips.after(one.orders.supposed, one.number)
        faults = tuple(sorted(supposed.faults_placed()))
        same = (supposed.layout, supposed.packets, supposed.cards, faults)
        if same in known:
            continue  # the same faults, supposed in another order
        known.add(same)
        reading = supposed.reading()
        ways = supposed.at_the_table(reading)
        brought = [fault for fault in faults if brought_for_another(fault)]
        for at_the_table, played in ways:
            before = supposed.cost + math.log(len(ways))  # a card brought in was as likely played with as not
            against, cost = _witnesses(reading, at_the_table, supposed, evidence, limit - before)
            price = before + cost
            if price <= limit:
                played_with = {fault: float(fault in played) for fault in brought}
                found = _Found(faults, reading, price, price, against, played_with=played_with)
                priced.append((place_in_level, found, at_the_table))
                least = min(least, price)
    priced.sort(key=lambda numbered: numbered[0])
    priced = [each for each in priced if each[1].price <= least + _WORTH_WEIGHING]
    ways_alike: dict[object, int] = {}
    numbers = [
        ways_alike.setdefault(_but_for_play(found) if found.played_with else number, number)
        for number, (_, found, _) in enumerate(priced)
    ]
    found_, tables = [found for _, found, _ in priced], [at_the_table for _, _, at_the_table in priced]
    return _Priced(found_, tables, range(len(priced)), numbers)


def _but_for_play(found: _Found) -> object:
    return found.faults, found.reading.layout, found.reading.key


class _Ahead:
    """The explanations by one fault, made before they are needed: the game is asked of them together with those by
    none, which are hardly ever enough where a rack is searched. Their steps count when they are taken."""

    def __init__(self, levels: _Levels | _LevelsOfOne, budget: Budget) -> None:
        before = budget.spent
        self._budget, self._priced = budget, _Priced((), (), (), ())
        self._out_of_steps: OutOfSteps | None = None
        try:
            self._priced = levels.one_fault_more()
        except OutOfSteps as out:
            self._out_of_steps = out
        self._steps, budget.spent = budget.spent - before, before

    @property
    def asked(self) -> Sequence[Reading]:
        return self._priced.asked

    def taken(self) -> _Priced:
        if self._out_of_steps is not None or self._steps > self._budget.left:
            self._budget.spent += min(self._steps, self._budget.left)
            raise self._out_of_steps or OutOfSteps
        self._budget.spent += self._steps
        return self._priced


def _judged_by_game(
    priced: _Priced, budget: Budget, also: Sequence[Reading] = ()
) -> Generator[Sequence[Reading], Said, list[_Found]]:
    """The same, with what the game says of them; `also` are readings it is going to be asked of."""
    if not priced.found:
        return []
    budget.readings(len(priced.found))
    looks, reports = yield [*priced.asked, *also]
    judged: dict[int, list[_Found]] = {}
    denials: dict[int, _Denials] = {}  # by what is denied, which readings share
    for found, hands, way in zip(priced.found, priced.hands, priced.ways, strict=True):
        look, objections = looks[hands], reports[hands]
        if look.weight > -math.inf:
            denied = denials.get(id(objections.denied))
            if denied is None:
                denied = denials[id(objections.denied)] = _Denials.of(objections.denied)
            judged.setdefault(way, []).append(_judged(found, look, objections, denied))
    return [_together(some) for some in judged.values()]


class _Counted(NamedTuple):
    """One of the hypotheses that are counted and not made."""

    orders: OtherOrders
    number: int


def _cheapest_first(
    level: Sequence[Hypothesis | OtherOrders], as_dealt: AsDealt
) -> Iterator[tuple[int, float, int, Hypothesis | _Counted]]:
    """The hypotheses, each with its place in the level, what it costs and, of those only counted, how many hands are
    not as dealt; without those that have more such hands than could matter beside a cheaper one."""
    made = [(place, one) for place, one in enumerate(level) if isinstance(one, Hypothesis)]
    counted = [one for one in level if not isinstance(one, Hypothesis)]
    if not counted:
        for place, supposed in sorted(made, key=lambda numbered: numbered[1].cost):
            yield place, supposed.cost, 0, supposed
        return
    astray = {id(one): found for group in by_packets(counted) for one, found in _astray_by_orders(group, as_dealt)}
    costs = [[one.cost] if isinstance(one, Hypothesis) else one.supposed.cost + one.slips.costs for one in level]
    begins = offsets_of([len(each) for each in costs])
    cost = np.concatenate(costs)
    hands = np.concatenate([[-1] if isinstance(one, Hypothesis) else astray[id(one)] for one in level])
    turn = np.argsort(cost, kind="stable")
    fewest = np.minimum.accumulate(np.where(hands[turn] < 0, _MANY, hands[turn]))
    whose = np.repeat(np.arange(len(level)), np.diff(begins))
    for place in turn[hands[turn] <= fewest + _HANDS_ASTRAY].tolist():
        one = level[whose[place]]
        if isinstance(one, Hypothesis):
            yield place, one.cost, 0, one
        else:
            yield place, float(cost[place]), int(hands[place]), _Counted(one, place - int(begins[whose[place]]))


def _astray_by_orders(
    orders: Sequence[OtherOrders], as_dealt: AsDealt
) -> Iterator[tuple[OtherOrders, npt.NDArray[np.int64]]]:
    found, at = as_dealt.counts(orders), 0
    for one in orders:
        yield one, found[at : at + one.count]
        at += one.count


def _together(ways: Sequence[_Found]) -> _Found:
    """One explanation for cards brought in, which may have been played with or put in afterwards: as likely as both
    together, and told as the likelier of the two."""
    if len(ways) == 1:
        return ways[0]
    best = min(ways, key=lambda each: each.cost)
    weights = [math.exp(best.cost - each.cost) for each in ways]
    total = math.fsum(weights)
    less = math.log(total)
    played_with = {
        fault: math.fsum(weight * each.played_with[fault] for weight, each in zip(weights, ways, strict=True)) / total
        for fault in best.played_with
    }
    return best._replace(price=best.price - less, cost=best.cost - less, played_with=played_with)


class _Denials(NamedTuple):
    """The settlements that a reading denies, as contradictions."""

    against: tuple[Against, ...]
    places: int  # at so many places

    @classmethod
    def of(cls, denied: Sequence[Denied]) -> _Denials:
        against = tuple([Against(Contradiction.SETTLED, one.place, one.seq) for one in denied])
        return cls(against, len({one.place for one in denied}))


def _judged(found: _Found, look: Look, objections: Objections, denied: _Denials) -> _Found:
    """The same, with what the cards say for it and what was reported says against it."""
    against, price = found.against + denied.against, found.price
    if objections.button:
        against += tuple([Against(Contradiction.BUTTON, one.place, one.seq) for one in objections.button])
    if look.breaks:
        against += (Against(Contradiction.RULE, NOBODY, rule=look.breaks),)
    misjudged = objections.misjudged or denied.places
    wrong = rates.cost_of_settling_wrong(misjudged, objections.among)
    wrong -= len(objections.button) * math.log(rates.BUTTON_CARD_WRONG.a_round)
    price = price + wrong - math.log(objections.share)
    faults, reading, _, _, _, _, played_with, _ = found
    return _Found(faults, reading, price, price - look.weight, against, look.usual, played_with, objections.unweighed)


def _witnesses(
    reading: Reading, at_the_table: Reading, supposed: Hypothesis, evidence: RackEvidence, most: float
) -> tuple[tuple[Against, ...], float]:
    """The reports that these hands contradict, by right and as they were played, and what that costs; not all of them
    once it costs more than `most`."""
    against: list[Against] = []
    cost = 0.0
    hands_shown = len(evidence.shown)
    if evidence.dealt:
        dealt = supposed.dealt(evidence)
        moved, price = _moved_since_dealt(reading, dealt)
        cost += price
        if not evidence.dealt_as_read and not evidence.can_be_dealt(dealt):
            cost += cost_of(FaultKind.DEALT_MISREAD, len(reading.hands))  # whatever else happened, that did too
        if cost > most:
            return (), cost
        against += [Against(Contradiction.DEAL, place, evidence.dealt_seq) for place in moved]
    elsewhere: list[int] = []
    for place, shown in evidence.shown.items():
        held = at_the_table.cards(place)
        astray = _astray(shown.cards, held)
        if astray:
            if astray == 1 and len(shown.cards) <= len(held):
                cost += math.log(15 * len(held)) - math.log(rates.SHOWN_WRONG.a_round / hands_shown)
            else:
                elsewhere.append(place)
            against.append(Against(Contradiction.HAND_SHOWN, place, (shown.seq,)))
            continue
        parts = at_the_table.hands.get((place, 0), ())
        if shown.low and len(parts) > 1 and _astray(shown.cards[: shown.low], parts[0][1]):
            cost += math.log(20) - math.log(rates.SETTING_SHOWN_WRONG.a_round / hands_shown)
            against.append(Against(Contradiction.SETTING_SHOWN, place, (shown.seq,)))
    cost += _shown_elsewhere(elsewhere, at_the_table, evidence)
    if evidence.marks:
        named, places = {fault.at for fault in supposed.faults}, supposed.places()
        for at, source in enumerate(supposed.origin):
            if source >= 0 and source not in named and evidence.strange_mark(source):
                cost += math.log(len(evidence.rack)) - math.log(rates.MARK_MISREAD.a_round)
                against.append(Against(Contradiction.MARK, places[at], evidence.rack_seq))
    return tuple(against), cost


def _shown_elsewhere(places: Sequence[int], at_the_table: Reading, evidence: RackEvidence) -> float:
    """What it costs that these hands were shown under other places' numbers: two under each other's are one slip."""
    hands, rate = len(at_the_table.hands), rates.SHOWN_ELSEWHERE.a_round
    if len(places) == 2:
        said = [evidence.shown[place].cards for place in places]
        held = [at_the_table.cards(place) for place in reversed(places)]
        if not any(_astray(one, other) for one, other in zip(said, held, strict=True)):
            return math.log(hands * (hands - 1) / 2) - math.log(rate)
    return len(places) * (math.log(hands) - math.log(rate / max(len(evidence.shown), 1)))


def _hands_astray(supposed: Hypothesis, evidence: RackEvidence, most: float) -> int:
    """How many packets hold other cards than were dealt to their places: a quick look before a reading is made. It ends
    with the first of them beyond `most`."""
    astray, at = 0, 0
    dealt, cards = supposed.dealt(evidence), supposed.cards
    if not dealt:
        return 0
    for packet in supposed.packets:
        end = at + size_of_packet(packet)
        given = dealt.get(packet[0].place)
        if given is not None and _astray(given, cards[at:end]):
            astray += 1
            if astray > most:
                return astray
        at = end
    return astray


@lru_cache(maxsize=1 << 16)  # the same few hands are compared in thousands of hypotheses
def _astray(said: bytes, held: bytes) -> int:
    """How many of the cards said are not among those held; a card nothing names may be any of them."""
    return max((Counter(said) - Counter(held)).total() - held.count(HOLE), 0)


def _moved_since_dealt(reading: Reading, dealt: Mapping[int, bytes]) -> tuple[list[int], float]:
    """The places whose hands are not as dealt, and what that costs: cards switched, or whole hands exchanged."""
    moved: dict[int, int] = {}
    held: list[bytes] = []
    for place, given in dealt.items():
        cards = reading.cards(place)
        astray = _astray(given, cards)
        if astray:
            moved[place] = astray
            held.append(cards)
    if not moved:
        return [], 0.0
    places = len(dealt)
    hands = {bytes(sorted(cards)) for cards in held}
    if hands == {dealt[place] for place in moved}:
        exchanges = len(moved) - 1
        return list(moved), exchanges * (math.log(places * (places - 1) / 2) - math.log(rates.HANDS_EXCHANGED.a_round))
    switches = -(-sum(moved.values()) // 2)
    ways = (sum(len(cards) for cards in dealt.values())) ** 2 / 2
    return list(moved), switches * (math.log(ways) - math.log(rates.CARD_SWITCHED.a_round))


def _looks_odd(found: Sequence[_Found]) -> bool:
    """The likeliest explanation leaves hands that hardly anybody would have set or drawn like this."""
    best = min(found, key=lambda each: each.cost)
    return best.usual - (best.price - best.cost) > _ODD_LOOK


def _by_order_alone(found: Sequence[_Found], evidence: RackEvidence) -> bool:
    """The likeliest explanation puts hands in another order on the word of the money alone: so many pairs of such
    slips would do as well that they count together."""
    best = min(found, key=lambda each: each.cost)
    in_order = bool(best.faults) and all(fault.kind in IN_ANOTHER_ORDER for fault in best.faults)
    return in_order and not evidence.dealt and not evidence.shown


# ---- racks alike ---------------------------------------------------------------------------------------------------

_MOST_ALIKE = 6  # cards of a rack whose hypotheses are kept for other racks: baccarat's whole rounds


class _LevelOfMany(NamedTuple):
    considered: int  # up to here, all levels together
    steps: int
    priced: _Priced
    asked: Sequence[int]  # which readings
    readings: Sequence[int]  # of each explanation, by right


@dataclass(frozen=True)
class _ManyRacks:
    """What all racks allow in which the same cards are alike, where nothing but their order says whose they are: every
    card has a number instead of a face."""

    levels: tuple[_LevelOfMany, ...]
    readings: tuple[Reading, ...]
    faults: tuple[Fault, ...]

    @cached_property
    def steps(self) -> int:
        return sum(level.steps + READING_STEPS * len(level.priced.found) for level in self.levels)


def _levels(evidence: RackEvidence, most_faults: int, budget: Budget) -> _Levels | _LevelsOfOne:
    """The hypotheses of this rack: named after those of racks alike where those are enough."""
    only_order = evidence.expected is None and not (evidence.dealt or evidence.shown or evidence.marks)
    if not only_order or len(evidence.rack) > _MOST_ALIKE or not evidence.deck.issuperset(evidence.rack):
        return _Levels(evidence, most_faults, budget)
    faces = bytes(dict.fromkeys(evidence.rack))
    numbers = bytes(range(len(faces)))
    if not evidence.deck.issuperset(numbers):
        return _Levels(evidence, most_faults, budget)
    alike = evidence.rack.translate(bytes.maketrans(faces, numbers))
    many = _of_many(alike, evidence.layouts, evidence.deck, tuple(evidence.collected.items()), most_faults)
    if budget.left < many.steps:
        return _Levels(evidence, most_faults, budget)
    return _LevelsOfOne(many, bytes.maketrans(numbers, faces), budget)


@lru_cache(maxsize=32)
def _of_many(
    rack: bytes, layouts: tuple[Layout, ...], deck: frozenset[int], collected: tuple[tuple[int, int], ...], most: int
) -> _ManyRacks:
    budget = Budget(DEEP_STEPS)
    levels = _Levels(RackEvidence(rack, layouts, deck, collected=dict(collected)), most, budget)
    readings: dict[object, tuple[int, Reading]] = {}

    def number(reading: Reading) -> int:
        return readings.setdefault((reading.layout, tuple(reading.hands.items())), (len(readings), reading))[0]

    kept = []
    for at in range(most + 1):
        before = budget.spent
        priced = levels.one_fault_more() if at else levels.without_fault()
        asked: dict[int, int] = {}
        hands = [asked.setdefault(number(priced.asked[hand]), len(asked)) for hand in priced.hands]
        by_right = [number(found.reading) for found in priced.found]
        priced = priced._replace(hands=hands)
        kept.append(_LevelOfMany(levels.considered, budget.spent - before, priced, tuple(asked), by_right))
    faults = dict.fromkeys([fault for level in kept for found in level.priced.found for fault in found.faults])
    return _ManyRacks(tuple(kept), tuple([reading for _, reading in readings.values()]), tuple(faults))


class _LevelsOfOne:
    """The same of one of those racks, by the faces of its cards."""

    def __init__(self, many: _ManyRacks, face_of: bytes, budget: Budget) -> None:
        self._many, self._face_of, self._budget = many, face_of, budget
        self._readings: dict[int, Reading] = {}
        self._fault = {fault: self._named(fault) for fault in many.faults}
        self._at = 0

    @property
    def considered(self) -> int:
        return self._many.levels[self._at].considered

    def without_fault(self) -> _Priced:
        return self._priced()

    def one_fault_more(self) -> _Priced:
        self._at += 1
        self._budget.spend(self._many.levels[self._at].steps)
        return self._priced()

    def _priced(self) -> _Priced:
        level, fault = self._many.levels[self._at], self._fault
        found = [
            _Found(
                tuple(sorted([fault[one] for one in each.faults])),
                self._reading(reading),
                each.price,
                each.cost,
                each.against,
                0.0,
                {fault[one]: share for one, share in each.played_with.items()} if each.played_with else {},
            )
            for each, reading in zip(level.priced.found, level.readings, strict=True)
        ]
        return level.priced._replace(found=found, asked=[self._reading(number) for number in level.asked])

    def _named(self, fault: Fault) -> Fault:
        faces = [tuple(bytes(cards).translate(self._face_of)) for cards in (fault.cards, fault.instead)]
        return Fault(fault.kind, fault.places, faces[0], faces[1], fault.at)

    def _reading(self, number: int) -> Reading:
        if number not in self._readings:
            layout, hands = self._many.readings[number].layout, self._many.readings[number].hands
            face_of = self._face_of
            self._readings[number] = Reading(
                layout,
                {
                    hand: tuple([(part, cards.translate(face_of)) for part, cards in parts])
                    for hand, parts in hands.items()
                },
            )
        return self._readings[number]


# ---- the answer ----------------------------------------------------------------------------------------------------


def _in_the_same_words(fault: Fault) -> Fault:
    """Of two cards alike in one hand either may be the one in another's place: told in the same words."""
    return fault._replace(at=-1) if fault.instead else fault


def _readings(found: Sequence[_Found]) -> dict[object, list[int]]:
    together: dict[object, list[int]] = {}
    for index, each in enumerate(found):
        together.setdefault(each.reading.key, []).append(index)
    return together


def _supposed(found: _Found) -> Counter[str]:
    """The things one explanation supposes, by kind: each fault, and each kind of report that is wrong."""
    wrong = {against.what for against in found.against}
    return Counter([*(fault.kind.value for fault in found.faults), *(what.value for what in wrong)])


def _blames_too_soon(likeliest: _Found, found: Sequence[_Found], evidence: RackEvidence) -> bool:
    """It says that wagers were settled wrong, or a rule broken, at places whose hands one witness tells (who is said to
    be wrong is none), or with a card that nobody but the reader of the deal has seen; or although a single slip of the
    hand would leave every witness content."""
    blamed = {against.place for against in likeliest.against if against.what in _BLAMES}
    if not blamed:
        return False
    denied = {(against.what, against.place) for against in likeliest.against}
    rack = not any(fault.kind in IN_ANOTHER_ORDER for fault in likeliest.faults)
    deal = bool(evidence.dealt) and all(what is not Contradiction.DEAL for what, _ in denied)
    shown = {place for place in evidence.shown if (Contradiction.HAND_SHOWN, place) not in denied}
    fewest = min(rack + deal + (place in shown) for place in blamed)
    by_deal_alone = evidence.expected_by_deal and any(fault.instead for fault in likeliest.faults)
    return fewest < 2 or by_deal_alone or any(len(each.faults) == 1 and not each.against for each in found)


def _wrong_button(likeliest: _Found, evidence: RackEvidence) -> bool:
    """Another card decided the action button than its hands give, and a fault is supposed besides, or nothing but the
    order of the rack gives the hands: one of the two may be what the other is taken for."""
    denied = any(one.what is Contradiction.BUTTON for one in likeliest.against)
    return denied and (bool(likeliest.faults) or not evidence.dealt)


def _answer(
    status: Status, found: list[_Found], considered: int, evidence: RackEvidence, levels: int = MOST_FAULTS
) -> Answer:
    """The same faults in the same places are one explanation, however many ways there were for them."""
    if not found:
        return Answer(status, considered=considered)
    likeliest = min(found, key=lambda each: each.cost)
    in_doubt = _supposed(likeliest).total() > 1 or any(one.what not in _BLAMES for one in likeliest.against)
    witnesses = (len(evidence.dealt) + len(evidence.shown)) * rates.UNEXPLORED_COST_A_WITNESS
    witnesses += len(evidence.settled) * rates.UNEXPLORED_COST_A_REPORT
    strange = 0.0
    if evidence.expected_count is not None:
        too_many = (Counter(evidence.rack) - evidence.expected_count).total()
        strange = max(too_many - 1, 0) * math.log(len(evidence.deck))
    unexplored = unexplored_cost(
        likeliest.price, likeliest.usual, levels, witnesses, strange if likeliest.against else math.inf
    )
    confidence = shares([each.cost for each in found], unexplored, [_supposed(each) for each in found], in_doubt)
    if _blames_too_soon(likeliest, found, evidence) or _wrong_button(likeliest, evidence) or likeliest.unweighed:
        confidence = [share * ON_ONE_WITNESS for share in confidence]
    worth = [index for index, share in enumerate(confidence) if share > _WORTH_ADDING_UP] or [found.index(likeliest)]
    found, confidence = [found[index] for index in worth], [confidence[index] for index in worth]
    merged: dict[object, list[int]] = {}
    for index, each in enumerate(found):
        key = (tuple(sorted(_in_the_same_words(fault) for fault in each.faults)), each.against)
        merged.setdefault(key, []).append(index)
    explanations = []
    for indexes in merged.values():
        sure = math.fsum(confidence[index] for index in indexes)
        if sure < KEPT and len(merged) > 1:
            continue
        each = found[min(indexes, key=lambda index: found[index].cost)]
        denied = {seq for against in each.against for seq in against.seq}
        events = {*evidence.rack_seq, *evidence.dealt_seq, *evidence.settled} - denied
        events |= {shown.seq for shown in evidence.shown.values()} - denied
        explanations.append(
            Explanation(
                each.faults, each.reading, each.cost, sure, tuple(sorted(events)), each.against, each.played_with
            )
        )
    explanations.sort(key=lambda explanation: (-explanation.confidence, explanation.cost, explanation.faults))
    readings = []
    for indexes in _readings(found).values():
        sure = math.fsum(confidence[index] for index in indexes)
        if sure >= KEPT or len(found) == 1:
            readings.append((found[min(indexes, key=lambda index: found[index].cost)].reading, sure))
    readings.sort(key=lambda held: -held[1])
    return Answer(status, tuple(explanations), considered, False, tuple(readings))
