"""One rack at a time: which packet is whose where the pickup procedure alone does not say, and what does not fit.

Used for the few rounds where a premium hand stayed on the table, a hand went out of play, or the deal or a hand shown
disagrees with the rack. Cards are sets here (a bit a card), packets and places small numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from replay.cards.dealing.compare import Difference, Kind, compare, in_words
from replay.cards.solver.evidence import ShownHand
from replay.families.split_hands.geometry import Geometry
from replay.families.split_hands.pickup import Order
from replay.families.split_hands.terms import Terms
from replay.families.split_hands.wager_law import EnvyLaw
from replay.naming import cards_of, listed, names, place_name, whose
from replay.remarks import Remark
from replay.rounds import UNKNOWN
from schemas.findings import CERTAIN, LIKELY, Basis


@dataclass(frozen=True)
class Evidence:
    """What one round's devices saw."""

    terms: Terms
    row: int
    packets: Sequence[int]  # sets of cards, in rack order after the stub
    plain: Order  # the order of places when no packet stays for an envy bonus
    candidates: Sequence[Order]  # every order that fits the pickup procedure
    as_judged: Callable[[], Sequence[Order]]  # those that do if every hand fared as its wager was settled
    turns: Sequence[int] | None  # sets of cards as dealt, by turn; None when the deal was not read
    start: int  # where the deal should have begun or was said to begin; UNKNOWN
    shown: dict[int, int]  # place → set of cards shown there
    shown_seq: dict[int, int]
    deal_seq: tuple[int, ...]
    confidence: float  # of what the rack says
    collected: Mapping[int, int]  # places whose hands went in before play → in which step (rulings.md R-60)
    envy: EnvyLaw | None  # for which hands stayed on the table


@dataclass
class Solved:
    orders: list[Order]  # readings that fit best; empty when the rack gives no hands
    start: int = UNKNOWN  # where the deal really began, if that can be told
    remarks: list[Remark] = field(default_factory=list)
    doubted: list[int] = field(default_factory=list)  # places where rack and hand shown disagree and nothing decides


def solve(seen: Evidence) -> Solved:
    """The readings of one rack, and what is wrong with it."""
    if not seen.candidates:
        return _judged_wrong(seen) or _misfit(seen)
    if seen.turns is not None:
        return _with_deal(seen, seen.turns)
    fitting = [order for order in seen.candidates if agrees(by_place(seen, order), seen.shown)]
    if fitting:
        return Solved(fitting)
    judged = _judged_wrong(seen)
    if judged is not None:
        return judged
    swapped = _by_hands_shown(seen, seen.candidates[0])
    if swapped is not None:
        return Solved([swapped], remarks=[_picked_up_in_another_order(seen, seen.candidates[0], swapped, CERTAIN)])
    best = _closest_to_shown(seen, seen.candidates)
    differing = hand_shown_differs(seen, best[0])
    if len(differing) > 1 and 2 * len(differing) > len(seen.shown):
        what = f"{len(differing)} of the {len(seen.shown)} hands shown are not where the rack has them"
        return Solved([], remarks=[_out_of_order(seen, what)])
    return Solved(best, remarks=differing, doubted=[remark.seat or 0 for remark in differing])


def by_place(seen: Evidence, order: Order) -> list[int]:
    """The set of cards at each place under this reading."""
    sets = [0] * seen.terms.geometry.places
    for packet, place in enumerate(order):
        sets[place] = seen.packets[packet]
    return sets


def dealt_from(turns: Sequence[int], start: int, geometry: Geometry) -> list[int]:
    """The set of cards dealt to each place when the deal begins at `start`, clockwise (rulings.md R-3)."""
    return [turns[turn] for turn in geometry.turn_of_place[start].tolist()]


def agrees(sets: Sequence[int], shown: dict[int, int]) -> bool:
    return all(not cards & ~sets[place] for place, cards in shown.items())


# ---- with the deal -------------------------------------------------------------------------------------------------


def _with_deal(seen: Evidence, turns: Sequence[int]) -> Solved:
    starts = [seen.start, *(place for place in seen.terms.geometry.hand_places if place != seen.start)]
    if seen.start == UNKNOWN:
        starts = starts[1:]
    for start in starts:
        dealt = dealt_from(turns, start, seen.terms.geometry)
        matching = [order for order in seen.candidates if by_place(seen, order) == dealt]
        if matching:  # packets differ, so it is one
            differing = hand_shown_differs(seen, matching[0])
            if len(differing) > 1 and any(agrees(by_place(seen, order), seen.shown) for order in seen.candidates):
                break  # the rack may also lie as the hands were shown: two witnesses against the deal
            return Solved(matching, start, differing)
    judged = _judged_wrong(seen)
    if judged is not None:
        return judged
    if set(turns) == set(seen.packets) and seen.start != UNKNOWN:
        return _whole_hands_moved(seen, turns)
    return _cards_moved(seen, turns, starts)


def _judged_wrong(seen: Evidence) -> Solved | None:
    """Readings of a rack that lies as the hands were judged, some of them wrongly: the settlement says which, and
    the rack is in order. None where deal or hands shown speak against every one."""
    orders = [order for order in seen.as_judged() if agrees(by_place(seen, order), seen.shown)]
    if seen.turns is not None:
        if seen.start == UNKNOWN:
            return None
        dealt = dealt_from(seen.turns, seen.start, seen.terms.geometry)
        orders = [order for order in orders if by_place(seen, order) == dealt]
    return Solved(orders, seen.start if seen.turns is not None else UNKNOWN) if orders else None


def _whole_hands_moved(seen: Evidence, turns: Sequence[int]) -> Solved:
    """Every hand is there as dealt, but not where the pickup procedure puts it: picked up in another order, or the
    hands changed places after the deal. Hands shown tell which; without them both readings stand."""
    dealt = dealt_from(turns, seen.start, seen.terms.geometry)
    as_dealt = _order_of(seen, dealt)
    candidates = seen.candidates
    if not agrees(dealt, seen.shown):  # then the rack may: against a bank it allows several orders
        candidates = [order for order in candidates if agrees(by_place(seen, order), seen.shown)] or candidates
    as_racked = max(candidates, key=lambda order: _places_alike(by_place(seen, order), dealt))
    racked = by_place(seen, as_racked)
    moved = [place for place in range(len(dealt)) if racked[place] != dealt[place]]
    telling = [place for place in moved if place in seen.shown]
    if telling and all(not seen.shown[place] & ~dealt[place] for place in telling):
        return Solved([as_dealt], seen.start, [_picked_up_in_another_order(seen, as_racked, as_dealt, CERTAIN)])
    if telling and all(not seen.shown[place] & ~racked[place] for place in telling):
        came = {place: dealt.index(racked[place]) for place in moved}
        hands = listed([f"the hand dealt for {place_name(came[p])} was played at {place_name(p)}" for p in moved])
        remark = Remark(
            seen.row,
            "DEAL-306",
            f"whole hands were delivered to other places than the deal gives, or changed places after it: {hands}, as "
            "the rack and the hands shown agree; settled by the hands played",
            seen.terms.law.cites.own_cards,
            evidence=(*seen.deal_seq, *(seen.shown_seq[place] for place in telling)),
            confidence=seen.confidence,
            basis=Basis.COMPARED,
        )
        return Solved([as_racked], seen.start, [remark])
    orders = [as_dealt, *(order for order in seen.candidates if agrees(by_place(seen, order), seen.shown))]
    came = {place: dealt.index(racked[place]) for place in moved}
    if any(seen.collected.get(place) != seen.collected.get(came[place]) for place in moved):
        return Solved(orders, seen.start, [_exchanged_before_play(seen, came)])
    return Solved(orders, seen.start, [_picked_up_in_another_order(seen, as_racked, as_dealt, LIKELY)])


def _exchanged_before_play(seen: Evidence, came: Mapping[int, int]) -> Remark:
    """One of the hands was collected before another was played, so it is no slip of the pickup (rulings.md R-60)."""
    lies = [f"the hand dealt for {place_name(came[place])} lies in the turn of {place_name(place)}" for place in came]
    return Remark(
        seen.row,
        "DEAL-306",
        f"{listed(lies)}, and one of them was collected before the other was played: the hands were delivered to each "
        "other's places or exchanged, or the first was left on the table",
        seen.terms.law.cites.own_cards,
        evidence=seen.deal_seq,
        confidence=min(LIKELY, seen.confidence),
        basis=Basis.COMPARED,
    )


def _cards_moved(seen: Evidence, turns: Sequence[int], starts: Sequence[int]) -> Solved:
    """Cards lie in other hands than they were dealt to: which is the finding that matters most, unless hands shown, or
    the sheer number of cards, say that it is the rack that is not in order."""
    candidates = [order for order in seen.candidates if agrees(by_place(seen, order), seen.shown)]
    borne_out = bool(candidates) and len(seen.shown) > 1
    candidates = candidates or _closest_to_shown(seen, seen.candidates)
    astray = {
        (order, start): _cards_astray(by_place(seen, order), dealt_from(turns, start, seen.terms.geometry))
        for start in starts
        for order in candidates
    }
    fewest = min(astray.values())
    best = [key for key, cards in astray.items() if cards == fewest]
    order, start = best[0]
    racked, dealt = by_place(seen, order), dealt_from(turns, start, seen.terms.geometry)
    moves: dict[str, list[Difference]] = {}
    if fewest > seen.terms.geometry.cards:
        what = f"{fewest} of {seen.terms.geometry.dealt} cards lie in other hands than they were dealt to"
        if not borne_out:
            return Solved([], remarks=[_out_of_order(seen, what)])
        start = UNKNOWN  # a deal that fits nowhere does not say where it began
    else:
        for move in _moves(racked, dealt, seen):
            moves.setdefault(move.code, []).append(move)
        concerned = {hand[0] for of in moves.values() for move in of for hand in (move.came, move.went) if hand}
        telling = concerned & set(seen.shown)
        what = "; ".join(in_words(move) for of in moves.values() for move in of)
        if telling and all(not seen.shown[place] & ~dealt[place] for place in telling):
            return Solved([], start, [_out_of_order(seen, f"{what}: the cards were mixed up when they were picked up")])
    if moves:
        remarks = [_disagree(seen, code, of) for code, of in moves.items()]
    else:
        remarks = [_disagree(seen, "DEAL-302", (), what)]
    orders = list(dict.fromkeys(order for order, _ in best))
    differing = hand_shown_differs(seen, order)
    return Solved(orders, start, [*remarks, *differing], [other.seat or 0 for other in differing])


def _moves(racked: Sequence[int], dealt: Sequence[int], seen: Evidence) -> list[Difference]:
    """What became of the cards between deal and rack (a hand shown otherwise is told by `hand_shown_differs`)."""
    deck = seen.terms.geometry.deck
    in_hands = sum(racked)
    found = compare(
        {(place, 0): bytes(cards_of(cards)) for place, cards in enumerate(dealt)},
        {(place, 0): (("", bytes(cards_of(cards))),) for place, cards in enumerate(racked)},
        {(place, 0): ShownHand(bytes(cards_of(cards))) for place, cards in seen.shown.items()},
        left_over=[card for card in deck if not in_hands >> card & 1],
        deck=deck,
    )
    return [move for move in found if move.kind not in (Kind.SHOWN_OTHERWISE, Kind.SHOWN_ELSEWHERE)]


def _disagree(seen: Evidence, code: str, moves: Sequence[Difference], what: str = "") -> Remark:
    seats = {move.seat for move in moves}
    return Remark(
        seen.row,
        code,
        f"deal and rack disagree: {what or '; '.join(map(in_words, moves))}; settled by the hands in the rack",
        seen.terms.law.cites.reconstruct,
        seat=seats.pop() if len(seats) == 1 else None,
        evidence=seen.deal_seq,
        confidence=seen.confidence,
        basis=Basis.COMPARED,
    )


def _cards_astray(racked: Sequence[int], dealt: Sequence[int]) -> int:
    """How many cards are not where they were dealt."""
    gone = came = 0
    for was, now in zip(dealt, racked, strict=True):
        gone |= was & ~now
        came |= now & ~was
    return (gone | came).bit_count()


def _places_alike(one: Sequence[int], other: Sequence[int]) -> int:
    return sum(a == b for a, b in zip(one, other, strict=True))


def _order_of(seen: Evidence, sets: Sequence[int]) -> Order:
    """The reading that gives every place this set of cards."""
    geometry, places = seen.terms.geometry, list(sets)
    return (*(places.index(packet) for packet in seen.packets[: geometry.hands]), *geometry.absent)


# ---- without the deal, or with a rack that does not fit ------------------------------------------------------------


def _misfit(seen: Evidence) -> Solved:
    """A premium packet lies before one that is not: the pickup procedure cannot have given this rack."""
    solved = Solved([])
    if seen.turns is not None and seen.start != UNKNOWN and set(seen.turns) == set(seen.packets):
        solved = Solved([_order_of(seen, dealt_from(seen.turns, seen.start, seen.terms.geometry))], seen.start)
    else:
        by_shown = _by_hands_shown(seen, seen.plain)
        if by_shown is not None:
            solved = Solved([by_shown])
    how = "settled by the hands as dealt or shown" if solved.orders else "settled as far as deal or hands shown allow"
    solved.remarks.append(
        Remark(
            seen.row,
            "RACK-321",
            f"the rack does not fit the pickup procedure: {_premium_astray(seen)}; {how}",
            seen.terms.law.cites.pickup,
            evidence=(*seen.deal_seq, *seen.shown_seq.values()),
            confidence=seen.confidence,
            basis=Basis.COMPARED,
        )
    )
    return solved


def _premium_astray(seen: Evidence) -> str:
    envy, premium = seen.envy, seen.terms.law.premium
    if envy is None or premium is None:
        return "no order of hands it allows gives what lies there"
    return f"{premium.hands} lies before one that is not, {envy.why_they_stay}"


def _out_of_order(seen: Evidence, what: str) -> Remark:
    return Remark(
        seen.row,
        "RACK-321",
        f"the rack was not filled in order: {what}; settled by the hands as dealt or shown",
        seen.terms.law.cites.pickup,
        evidence=(*seen.deal_seq, *seen.shown_seq.values()),
        confidence=seen.confidence,
        basis=Basis.COMPARED,
    )


def _by_hands_shown(seen: Evidence, order: Order) -> Order | None:
    """The packets where hands were shown with exactly their cards; the other packets as `order` has them. None when a
    hand shown is no packet, or too few were shown to place the rest."""
    whole = {place: cards for place, cards in seen.shown.items() if cards.bit_count() == seen.terms.geometry.cards}
    geometry = seen.terms.geometry
    dealt, nobody = order[: geometry.hands], geometry.absent
    packet_of = {cards: packet for packet, cards in enumerate(seen.packets[: geometry.hands])}
    if any(cards not in packet_of for cards in seen.shown.values()) or not whole:
        return None
    placed = {packet_of[cards]: place for place, cards in whole.items()}
    packets_left = [packet for packet in range(len(dealt)) if packet not in placed]
    places_left = [place for place in dealt if place not in whole]
    untouched = all(order[packet] in places_left for packet in packets_left)
    if len(placed) != len(whole) or not (untouched or len(packets_left) == 1):
        return None
    rest = dict(zip(packets_left, places_left, strict=True))
    return (*(placed.get(packet, rest.get(packet, -1)) for packet in range(len(dealt))), *nobody)


def _closest_to_shown(seen: Evidence, candidates: Sequence[Order]) -> list[Order]:
    def agreeing(order: Order) -> int:
        sets = by_place(seen, order)
        return sum(not cards & ~sets[place] for place, cards in seen.shown.items())

    most = max(agreeing(order) for order in candidates)
    return [order for order in candidates if agreeing(order) == most]


def _picked_up_in_another_order(seen: Evidence, filed: Order, really: Order, confidence: float) -> Remark:
    moved = [place for packet, place in enumerate(filed) if really[packet] != place]
    hands = seen.terms.geometry.hands
    other = "" if confidence == CERTAIN else "; or they changed places after the deal, which no hand shown rules out"
    return Remark(
        seen.row,
        "RACK-321",
        f"the hands of {listed([place_name(place) for place in sorted(moved)])} lie in the rack in another order than "
        f"the pickup procedure gives: {listed([place_name(place) for place in really[:hands]])}, instead of "
        f"{listed([place_name(place) for place in filed[:hands]])}{other}",
        seen.terms.law.cites.pickup,
        evidence=(*seen.deal_seq, *seen.shown_seq.values()),
        confidence=min(confidence, seen.confidence),
        basis=Basis.COMPARED,
    )


def hand_shown_differs(seen: Evidence, order: Order) -> list[Remark]:
    """RACK-323 for every hand shown with cards it does not have under this reading."""
    sets = by_place(seen, order)
    return [
        shown_differs(seen.terms, seen.row, place, cards, sets[place], seen.shown_seq[place], seen.confidence)
        for place, cards in sorted(seen.shown.items())
        if cards & ~sets[place]
    ]


def shown_differs(terms: Terms, row: int, place: int, shown: int, held: int, seq: int, confidence: float) -> Remark:
    return Remark(
        row,
        "RACK-323",
        f"{whose(place)} was shown as {names(cards_of(shown))}, but rack or deal gives it "
        f"{names(cards_of(held))}: {names(cards_of(shown & ~held))} does not belong to it",
        terms.law.cites.pickup,
        seat=place or None,
        evidence=(seq,),
        confidence=confidence,
        basis=Basis.COMPARED,
    )
