"""Whose cards the deal gave: hole cards round the table, burns, and the board as it stood at the end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from replay.citations import Citation
from replay.families.board.betting import Hand, Problem
from replay.families.board.law import BoardLaw, Law
from replay.families.board.unseen import StreetsTurned
from replay.rounds import DEALT_TO

TO_BOARD, TO_BURN, TO_STUB = DEALT_TO.index("board"), DEALT_TO.index("burn"), DEALT_TO.index("stub")
STREET_CARDS = (3, 1, 1)
_STREETS = ("the flop", "the fourth card of the board", "the fifth card of the board")


class Exposed(NamedTuple):
    place: int
    card: int


@dataclass(frozen=True)
class Deal:
    """What the deal gave; None where it was not read whole, or does not add up."""

    hands: dict[int, bytes]  # by seat
    board: bytes
    burns: bytes
    boxed: bytes


@dataclass
class Board:
    """Which of the cards turned stand, and what was wrong with turning them."""

    kept: list[tuple[int, int]] = field(default_factory=list)  # (first, how many) among the cards turned
    problems: list[Problem] = field(default_factory=list)
    taken_back: bool = False

    def cards(self, turned: bytes) -> bytes:
        return b"".join(turned[first : first + count] for first, count in self.kept)


def board_of(turned: Sequence[tuple[int, int]], reshuffled: Sequence[int], hand: Hand, law: BoardLaw) -> Board:
    """`turned` are (event, how many cards) in order. Cards turned too early, or too many at once, are taken back and
    others turned instead; where that did not come, they stood, and that is told."""
    board, street, at = Board(), 0, 0
    groups = _streets(turned)
    due = {0: 0, 3: 1, 4: 2, 5: 3}[hand.board_cards]
    for number, (seq, count) in enumerate(groups):
        rest = len(groups) - number - 1
        first, at = at, at + count
        if street >= len(STREET_CARDS):
            board.kept.append((first, count))
            board.problems.append(_problem(law.too_many, f"{at} cards were turned for the board", seq))
            continue
        done = hand.completed[street] if len(hand.completed) > street else None
        early, many = done is not None and seq < done, count > STREET_CARDS[street]
        if (early or many) and rest >= due - street:
            board.taken_back = True  # the cards were reshuffled, and others turned in their place
            continue
        if (early or many) and not hand.unsure:
            back = any(later > seq for later in reshuffled)
            also = ", and the cards were shuffled again, but none were turned in their place" if back else ""
            if many:
                said = f"{_STREETS[street]} had {count} cards, which stood"
                board.problems.append(_problem(law.too_many, said + also, seq))
            else:
                said = f"{_STREETS[street]} was turned before the betting was completed, and stood"
                board.problems.append(_problem(law.early[street], said + also, seq, done or seq))
        board.kept.append((first, count))
        street += 1
    return board


def streets_turned(turned: Sequence[tuple[int, int]], reshuffled: Sequence[int]) -> StreetsTurned:
    """When each street was turned, where all cards turned are the board's."""
    groups = _streets(turned)
    if (
        reshuffled
        or len(groups) > len(STREET_CARDS)
        or any(count < most for (_, count), most in zip(groups, STREET_CARDS, strict=False))
    ):
        return StreetsTurned()
    return StreetsTurned(tuple(seq for seq, _ in groups))


def _streets(turned: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The cards turned by street: a flop may be reported card by card."""
    groups: list[tuple[int, int]] = []
    for seq, count in turned:
        if len(groups) == 1 and groups[0][1] < STREET_CARDS[0]:
            groups[0] = (groups[0][0], groups[0][1] + count)
        else:
            groups.append((seq, count))
    return groups


def _problem(cite: Citation, said: str, *seqs: int) -> Problem:
    return Problem(0, "DEAL-316", said, cite, tuple(sorted(set(seqs))))


def deal_of(
    cards: bytes,
    to: bytes,
    places: Sequence[int],
    hand: Hand,
    hole: int,
    board: Board,
    exposed: Sequence[Exposed],
    boxed: bytes,
) -> Deal | None:
    """The deal as it was read. A card found face up is dead, and the next takes its place; an exposed hole card is
    exchanged for the top card after the deal, and is the first to be burned."""
    all_own = [at for at, target in enumerate(to) if target not in (TO_BOARD, TO_BURN, TO_STUB)]
    own = [at for at in all_own if cards[at] not in boxed]
    if len(own) < len(hand.seats) * hole + len(exposed):  # it was not replaced, but played
        own, boxed = all_own, b""
    turned = bytes(card for card, target in zip(cards, to, strict=True) if target == TO_BOARD)
    burned = bytes(card for card, target in zip(cards, to, strict=True) if target == TO_BURN and card not in boxed)
    seats = hand.seats
    given: dict[int, bytearray] = {seat: bytearray() for seat in seats}
    if own and all(places[at] > 0 for at in own):
        for at in own:
            if places[at] not in given:
                return None
            given[places[at]].append(cards[at])
    else:
        dealt = len(seats) * hole
        for number, at in enumerate(own):
            if number < dealt:
                given[seats[number % len(seats)]].append(cards[at])
            elif number - dealt < len(exposed) and exposed[number - dealt].place in given:
                given[exposed[number - dealt].place].append(cards[at])
            else:
                return None
    gone = bytearray()
    for one in exposed:
        if one.place in given and one.card in given[one.place] and len(given[one.place]) > hole:
            given[one.place].remove(one.card)
            gone.append(one.card)
    if any(len(held) != hole for held in given.values()):
        return None
    stands = board.cards(turned)
    if len(stands) != hand.board_cards:
        return None
    return Deal({seat: bytes(held) for seat, held in given.items()}, stands, bytes(gone) + burned, boxed)


def dealt_otherwise(
    cards: bytes, to: bytes, places: Sequence[int], hand: Hand, law: Law, replaced: int
) -> list[Problem]:
    """Seats that were dealt another number of cards than the game has, where the deal says whose each card was and no
    card had to be replaced."""
    own = [at for at in range(len(cards)) if to[at] not in (TO_BOARD, TO_BURN, TO_STUB)]
    if replaced or not own or any(places[at] <= 0 for at in own):
        return []
    count = Counter(places[at] for at in own)
    return [
        Problem(seat, "DEAL-301", f"seat {seat} was dealt {held} cards and played them", law.deal.count, ())
        for seat, held in sorted(count.items())
        if held != law.hole
    ]
