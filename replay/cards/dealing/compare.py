"""Deal, rack and hands shown against each other: what became of every card between one and the next.

Knows no game. A hand is a place and a number (a seat's second hand is a split hand); its cards come in parts (low and
high) where it was set. The answer is a list of plain differences, each under the code it is filed by:

* the same hand in another order is no finding by itself: players sort and set their cards. It is one (RACK-330) only
  where the cards lie as they were drawn, as in baccarat (rulings.md R-7): say `as_drawn`
* a card in another seat's hand than it was dealt to: DEAL-302, switching. In another hand of the same seat (split
  hands; low and high, between the hand shown and the rack): DEAL-307
* a card that left a hand for the cards nobody played, or came from there: DEAL-308, mucking and holding out
* a card dealt that is nowhere any more: CARD-311. A card that nobody was dealt and that was not left over: CARD-312
  where it is there twice, otherwise CARD-313
* a whole hand at another place: DEAL-306
* a boxed or exposed card in a hand it should have left, or another card in its place than the rules say: DEAL-309
* a hand shown with cards that neither deal nor rack gives it: RACK-323

Where the deal began and which way round it went is `replay.cards.dealing.delivery`'s business, and is settled first.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping
from enum import StrEnum
from typing import NamedTuple

from replay.cards.solver.evidence import Hand, Parts, ShownHand
from replay.cards.solver.layout import BANKER, BOARD, BURNS, PLAYER, STUB
from schemas.cards import names_of
from schemas.places import DEALER


class Kind(StrEnum):
    REORDERED = "reordered"
    CARD_MOVED = "card_moved"
    OWN_HANDS = "own_hands"
    SET_OTHERWISE = "set_otherwise"
    LEFT = "left"
    CAME_IN = "came_in"
    GONE = "gone"
    TWICE = "twice"
    APPEARED = "appeared"
    HAND_ELSEWHERE = "hand_elsewhere"
    SHOWN_ELSEWHERE = "shown_elsewhere"
    NOT_REPLACED = "not_replaced"
    SHOWN_OTHERWISE = "shown_otherwise"


CODES: dict[Kind, str] = {
    Kind.REORDERED: "RACK-330",
    Kind.CARD_MOVED: "DEAL-302",
    Kind.OWN_HANDS: "DEAL-307",
    Kind.SET_OTHERWISE: "DEAL-307",
    Kind.LEFT: "DEAL-308",
    Kind.CAME_IN: "DEAL-308",
    Kind.GONE: "CARD-311",
    Kind.TWICE: "CARD-312",
    Kind.APPEARED: "CARD-313",
    Kind.HAND_ELSEWHERE: "DEAL-306",
    Kind.SHOWN_ELSEWHERE: "DEAL-306",
    Kind.NOT_REPLACED: "DEAL-309",
    Kind.SHOWN_OTHERWISE: "RACK-323",
}


class Difference(NamedTuple):
    """One thing that is not where it was."""

    kind: Kind
    cards: tuple[int, ...]
    came: Hand | None = None  # the hand they were dealt to, or shown in
    went: Hand | None = None  # the hand they lie in
    parts: tuple[str, str] = ("", "")  # of one hand: from which part to which
    instead: int | None = None  # the card the rules put there
    borne_out: bool | None = None  # hands shown have the card where it went (True) or where it came from (False)

    @property
    def code(self) -> str:
        return CODES[self.kind]

    @property
    def seat(self) -> int | None:
        """The seat it concerns most: where the cards lie, else where they were dealt."""
        for hand in (self.went, self.came):
            if hand is not None and hand[0] > DEALER:
                return hand[0]
        return None


def compare(
    dealt: Mapping[Hand, bytes] | None,
    racked: Mapping[Hand, Parts] | None,
    shown: Mapping[Hand, ShownHand],
    *,
    left_over: Iterable[int] = (),
    deck: Iterable[int] = (),
    barred: Mapping[int, int | None] | None = None,
    as_drawn: bool = False,
) -> list[Difference]:
    """Everything that differs. `dealt` and `racked` are None where that was not read.

    `left_over` are the cards that lie in the rack in no hand (the stub, burns). `deck` is the whole deck, where one is
    dealt a round: it tells cards that were left over from cards that came from elsewhere. `barred` are the boxed or
    exposed cards that could not be played, each with the card the rules put in its place (None: the next one, which the
    deal already has).
    """
    lies = None if racked is None else {hand: _together(parts) for hand, parts in racked.items()}
    found: list[Difference] = []
    settled: set[Hand] = set()
    if lies is not None:
        found += _not_replaced(lies, barred or {})
    explained = {card for difference in found for card in (*difference.cards, difference.instead)}
    if dealt is not None and lies is not None:
        moved_whole = _hands_elsewhere(dealt, lies)
        found += moved_whole
        settled = {hand for difference in moved_whole for hand in (difference.came, difference.went) if hand}
        moves = _cards_moved(dealt, lies, settled, Counter(left_over), Counter(deck))
        found += [_with_witness(move, shown) for move in moves if move.cards[0] not in explained]
        if as_drawn:
            found += _reordered(dealt, lies)
    held = lies if lies is not None else dealt
    if held is not None:
        found += _shown_otherwise(shown, held, dealt or {})
    if racked is not None:
        found += _set_otherwise(shown, racked)
    return found


def _together(parts: Parts) -> bytes:
    return b"".join(cards for _, cards in parts)


def _hands_elsewhere(dealt: Mapping[Hand, bytes], lies: Mapping[Hand, bytes]) -> list[Difference]:
    """Hands that lie whole where another one should: each hand concerned must be another's, card for card."""
    by_cards: dict[bytes, list[Hand]] = defaultdict(list)
    for hand, cards in dealt.items():
        if hand in lies and _sorted(cards) != _sorted(lies[hand]):
            by_cards[_sorted(cards)].append(hand)
    return [
        Difference(Kind.HAND_ELSEWHERE, tuple(lies[hand]), by_cards[_sorted(lies[hand])][0], hand)
        for hand in sorted(lies)
        if hand in dealt
        and len(lies[hand]) > 1
        and _sorted(lies[hand]) != _sorted(dealt[hand])
        and by_cards.get(_sorted(lies[hand]))
    ]


def _cards_moved(
    dealt: Mapping[Hand, bytes],
    lies: Mapping[Hand, bytes],
    settled: set[Hand],
    left_over: Counter[int],
    deck: Counter[int],
) -> list[Difference]:
    sources: dict[int, list[Hand]] = defaultdict(list)
    sinks: dict[int, list[Hand]] = defaultdict(list)
    for hand in sorted({*dealt, *lies} - settled):
        was, now = Counter(dealt.get(hand, b"")), Counter(lies.get(hand, b""))
        for card in (was - now).elements():
            sources[card].append(hand)
        for card in (now - was).elements():
            sinks[card].append(hand)
    ever_dealt = Counter(card for cards in dealt.values() for card in cards)
    undealt = deck - ever_dealt
    found = []
    for card in sorted({*sources, *sinks}, reverse=True):
        leaving, arriving = sources[card], sinks[card]
        # Within one seat first: of several copies, the nearest way is the likeliest.
        for came in list(leaving):
            went = next((hand for hand in arriving if hand[0] == came[0]), None)
            if went is not None:
                leaving.remove(came)
                arriving.remove(went)
                found.append(Difference(Kind.OWN_HANDS, (card,), came, went))
        while leaving and arriving:
            found.append(Difference(Kind.CARD_MOVED, (card,), leaving.pop(0), arriving.pop(0)))
        for came in leaving:
            kind = Kind.LEFT if left_over[card] > 0 else Kind.GONE
            left_over[card] -= 1
            found.append(Difference(kind, (card,), came, None))
        for went in arriving:
            if undealt[card] > 0:
                kind = Kind.CAME_IN
                undealt[card] -= 1
            else:
                kind = Kind.TWICE if card in ever_dealt else Kind.APPEARED
            found.append(Difference(kind, (card,), None, went))
    return found


def _with_witness(move: Difference, shown: Mapping[Hand, ShownHand]) -> Difference:
    """Whether the hands shown have the card where it went or where it came from; neither where none tells."""
    card = move.cards[0]
    at_sink = move.went is not None and move.went in shown and card in shown[move.went].cards
    at_source = move.came is not None and move.came in shown and card in shown[move.came].cards
    return move if at_sink == at_source else move._replace(borne_out=at_sink)


def _reordered(dealt: Mapping[Hand, bytes], lies: Mapping[Hand, bytes]) -> list[Difference]:
    return [
        Difference(Kind.REORDERED, tuple(lies[hand]), hand, hand)
        for hand in sorted(dealt)
        if hand in lies and lies[hand] != dealt[hand] and _sorted(lies[hand]) == _sorted(dealt[hand])
    ]


def _not_replaced(lies: Mapping[Hand, bytes], barred: Mapping[int, int | None]) -> list[Difference]:
    found = []
    for card, instead in barred.items():
        for hand, cards in sorted(lies.items()):
            if card in cards:
                found.append(Difference(Kind.NOT_REPLACED, (card,), None, hand, instead=instead))
    return found


def _shown_otherwise(
    shown: Mapping[Hand, ShownHand], held: Mapping[Hand, bytes], dealt: Mapping[Hand, bytes]
) -> list[Difference]:
    found = []
    for hand, seen in sorted(shown.items()):
        if hand not in held or not Counter(seen.cards) - Counter(held[hand]):
            continue
        others = [other for other in held if other != hand and _sorted(held[other]) == _sorted(seen.cards)]
        if others:
            found.append(Difference(Kind.SHOWN_ELSEWHERE, tuple(seen.cards), others[0], hand))
            continue
        strange = Counter(seen.cards) - Counter(held[hand])
        as_dealt = hand in dealt and not Counter(seen.cards) - Counter(dealt[hand])
        cards = tuple(sorted(strange.elements(), reverse=True))
        found.append(Difference(Kind.SHOWN_OTHERWISE, cards, hand, hand, borne_out=False if as_dealt else None))
    return found


def _set_otherwise(shown: Mapping[Hand, ShownHand], racked: Mapping[Hand, Parts]) -> list[Difference]:
    """Cards that changed between low and high after the hand was shown: the same hand, set in another way."""
    found = []
    for hand, seen in sorted(shown.items()):
        parts = dict(racked.get(hand, ()))
        if not seen.low or "low" not in parts or Counter(seen.cards) != Counter(_together(racked[hand])):
            continue
        was_low, is_low = Counter(seen.cards[: seen.low]), Counter(parts["low"])
        for cards, way in ((was_low - is_low, ("low", "high")), (is_low - was_low, ("high", "low"))):
            if cards:
                moved = tuple(sorted(cards.elements(), reverse=True))
                found.append(Difference(Kind.SET_OTHERWISE, moved, hand, hand, way))
    return found


def _sorted(cards: bytes) -> bytes:
    return bytes(sorted(cards))


# ---- words ---------------------------------------------------------------------------------------------------------

_NOT_SEATS = {
    DEALER: "the dealer",
    STUB: "the stub",
    BOARD: "the board",
    BURNS: "the burned cards",
    PLAYER: "the Player",
    BANKER: "the Banker",
}


def place_words(hand: Hand) -> str:
    """`seat 3`, `the dealer`, `seat 3's second hand`."""
    place, number = hand
    words = _NOT_SEATS.get(place, f"seat {place}")
    if number:
        ordinal = {1: "second", 2: "third", 3: "fourth"}.get(number, f"{number + 1}th")
        words += f"'s {ordinal} hand"
    return words


def in_words(difference: Difference, whose: Callable[[Hand], str] = place_words) -> str:
    """What happened to it, as a clause of a finding's sentence."""
    cards = names_of(difference.cards)
    several = len(difference.cards) > 1
    was, lies = ("were", "lie") if several else ("was", "lies")
    came = whose(difference.came) if difference.came is not None else "nobody"
    went = whose(difference.went) if difference.went is not None else "no hand"
    match difference.kind:
        case Kind.REORDERED:
            return f"{went}'s cards lie in another order than they were drawn: {cards}"
        case Kind.CARD_MOVED | Kind.OWN_HANDS:
            words = f"{cards} {was} dealt to {came} and {lies} with {went}"
            if difference.borne_out is not None:
                words += f", and the hands were shown as {'they lie' if difference.borne_out else 'dealt'}"
            return words
        case Kind.SET_OTHERWISE:
            was_in, is_in = difference.parts
            return f"{cards} {was} in the {was_in} hand of {came} when it was shown and {lies} in the {is_in} hand"
        case Kind.LEFT:
            return f"{cards} {was} dealt to {came} and {lies} among the cards nobody played"
        case Kind.CAME_IN:
            return f"{cards} {lies} with {went} and {was} left over when the cards were dealt"
        case Kind.GONE:
            return f"{cards} {was} dealt to {came} and {'are' if several else 'is'} not in the rack"
        case Kind.TWICE:
            return f"{cards} {lies} with {went} once more than {'they were' if several else 'it was'} dealt"
        case Kind.APPEARED:
            return f"{cards} {lies} with {went} and {was} dealt to nobody"
        case Kind.HAND_ELSEWHERE:
            return f"the hand dealt to {came} ({cards}) lies with {went}"
        case Kind.SHOWN_ELSEWHERE:
            return f"the hand of {came} ({cards}) was shown at {went}"
        case Kind.NOT_REPLACED:
            instead = (
                f"; {names_of([difference.instead])} had to take its place" if difference.instead is not None else ""
            )
            return f"{cards} was found face up or exposed and stayed with {went}{instead}"
        case Kind.SHOWN_OTHERWISE:
            as_dealt = ", as it was dealt" if difference.borne_out is False else ""
            return f"{went} was shown with {cards}{as_dealt}, which the cards in the rack do not give"
