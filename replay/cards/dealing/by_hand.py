"""One deal, card by card: for the rare rounds in which a card was found face up or exposed and another took its place.

The cards come in the order a reader saw them leave, boxed ones among them; what comes out is every hand, the cards that
were set aside, and what is left over.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from replay.cards.dealing.method import AtTable, Instead, Method, Target
from replay.cards.dealing.order import targets_of
from replay.cards.solver.layout import BURNS
from schemas.cards import NO_CARD, names_of


@dataclass
class DealtOut:
    """The hands of one deal. A replacement nobody read is NO_CARD."""

    hands: dict[Target, list[int]] = field(default_factory=dict)
    dead: list[int] = field(default_factory=list)  # set aside, for the discards
    left: list[int] = field(default_factory=list)  # read, and dealt to nobody
    replaced: dict[int, int] = field(default_factory=dict)  # card that may not be played → the one in its place
    short: int = 0  # targets no card was read for
    void: str = ""  # why the deal is no deal at all; the hands are then as they would have been


def deal_out(
    method: Method, table: AtTable, cards: Sequence[int], boxed: Iterable[int] = (), exposed: Iterable[int] = ()
) -> DealtOut:
    """Deals `cards` by the method, with what it says of cards found face up (`boxed`) and exposed on the deal."""
    face_up, seen = list(dict.fromkeys(boxed)), list(dict.fromkeys(exposed))
    out = DealtOut(void=_void(method, face_up, seen))
    targets = targets_of(method, table)
    out.hands = {target: [] for target in targets}
    coming = list(cards)
    if method.boxed is Instead.NEXT_CARD:
        out.dead = [card for card in coming if card in face_up]
        coming = [card for card in coming if card not in face_up]
    elif method.boxed is Instead.FIRST_OF_STUB:
        seen = [*face_up, *seen]
    by_stub = method.exposed is Instead.FIRST_OF_STUB
    on_top = method.exposed is Instead.TOP_CARD_AND_BURN
    exchanged = [card for card in seen if on_top and card in _private(targets, coming)][:1]  # of more no text speaks
    burn = Target(BURNS)
    private = sum(target.place >= 0 for target in targets)
    at = 0
    for number, target in enumerate(targets):
        if exchanged and number == private:  # the deal is over: the top card for the one exposed
            at += _exchange(out, coming, at, exchanged)
        if target == burn and exchanged:
            out.hands[target].append(exchanged.pop(0))
            continue
        if at >= len(coming):
            out.short = len(targets) - number
            break
        out.hands[target].append(coming[at])
        at += 1
    if by_stub:
        wrong = [card for card in seen if any(card in hand for hand in out.hands.values())]
        at += _exchange(out, coming, at, wrong)
        out.dead += wrong
    out.left = coming[at:]
    return out


def _private(targets: Sequence[Target], coming: Sequence[int]) -> set[int]:
    """The cards that went to players' hands."""
    return {card for card, target in zip(coming, targets, strict=False) if target.place >= 0}


def _exchange(out: DealtOut, coming: Sequence[int], at: int, wrong: Sequence[int]) -> int:
    """Puts the next cards where these lie, and says how many that took."""
    for number, card in enumerate(wrong):
        instead = coming[at + number] if at + number < len(coming) else NO_CARD
        for hand in out.hands.values():
            if card in hand:
                hand[hand.index(card)] = instead
                out.replaced[card] = instead
    return min(len(wrong), max(0, len(coming) - at))


def _void(method: Method, boxed: Sequence[int], exposed: Sequence[int]) -> str:
    """Why these cards, found face up or exposed, leave no deal; empty where they do."""
    counted = list(boxed)
    if method.exposed is Instead.FIRST_OF_STUB:  # Double Hand: boxed and exposed count alike
        counted += [card for card in exposed if card not in counted]
    barred = [card for card in counted if card in method.void_if_boxed]
    if barred:
        return f"{names_of(barred)} was found face up or exposed"
    if len(counted) > method.most_boxed:
        cards = "1 card" if len(counted) == 1 else f"{len(counted)} cards"
        return f"{cards} ({names_of(counted)}) {'was' if len(counted) == 1 else 'were'} found face up or exposed"
    return ""
