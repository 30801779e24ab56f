"""A round for people: the hands as they were read and played, and the order its wagers were due to be settled in."""

from __future__ import annotations

import numpy as np

from replay.cards.reading import RackReading
from replay.cards.solver.evidence import Hand, Parts, ShownHand
from replay.checks.action_button import Short
from replay.families.blackjack import drawing
from replay.families.blackjack.choices import actions_in_words, total_in_words
from replay.families.blackjack.hands import ByHand, Hands, Sources, by_hand
from replay.families.blackjack.one_round import from_deal, shown_of, sizes_of
from replay.families.blackjack.pickup import situation_of
from replay.families.blackjack.terms import Terms
from replay.game import HandView
from replay.rounds import RoundBatch
from schemas.cards import JOKER_1
from schemas.money import dollars


def hand_views(sources: Sources, hands: Hands, row: int) -> list[HandView]:
    """The player-dealer's hand first; where the cards read several ways, every reading."""
    views = _views(sources, by_hand(sources, hands, row), row)
    for reading in hands.others.get(row, ()):
        views += _views(sources, reading, row, " (or)")
    return views


def _views(sources: Sources, held: ByHand, row: int, other: str = "") -> list[HandView]:
    spots, bank, views = sources.play.spots, sources.bank(row), []
    for key in sorted(held, key=lambda key: (key != bank, key)):
        cards = np.frombuffer(held[key], np.uint8)
        at = int(spots.find(np.array([row]), np.array([key.place]), np.array([key.hand]))[0])
        split = key != bank and bool(spots.is_split[at])
        counts = drawing.counted(cards[None, :], np.array([split]))
        notes = [total_in_words(counts.totals, 0)]
        notes += ["busted"] if counts.totals.bust[0] else []
        notes += ["8-8-8"] if counts.three_eights[0] else []
        notes += actions_in_words(sources.batch, row, key.place, key.hand) if key != bank else []
        whose = "player-dealer" if key == bank else f"seat {key.place}" + (f" ({key.hand + 1})" if split else "")
        views.append(HandView(whose + other, (("", held[key]),), "; ".join(notes)))
    return views


def order_view(short: Short | None, posted: int, terms: Terms) -> str:
    """How the wagers of a round are settled, in a sentence."""
    turns = "surrendered hands, then insurance, then hand by hand, clockwise from"
    if short is None:
        return f"{turns} the action button: everything that moves is covered"
    return (
        f"{turns} seat {short.button} (action button): {dollars(posted)} posted for {dollars(short.moves)} that moves"
    )


def rack_reading(sources: Sources, hands: Hands, row: int) -> RackReading:
    """How one round's rack was read; of several readings, by the first."""
    terms, batch = sources.terms, sources.batch
    known = by_hand(sources, hands, row)
    sizes = {key: (len(known.get(key, b"")) or count,) for key, count in sizes_of(sources, row).items()}
    left = len(known.get(sources.bank(row), b"")) or max(
        int(batch.rack.counts[row]) - sum(n for (n,) in sizes.values()), 2
    )
    held: dict[Hand, Parts] = {(key.place, key.hand): (("", cards),) for key, cards in known.items()}
    dealt = from_deal(sources, row) or {}
    button = int(sources.button[row])
    return RackReading(
        terms.pickup,
        situation_of(sources.play, row, sizes, (left,), (button,) if 1 <= button <= terms.seats else (), terms),
        held,
        frozenset(range(JOKER_1)),
        _copies(batch, row, terms),
        terms.shoe,
        {(key.place, key.hand): cards for key, cards in dealt.items()},
        shown={(key.place, key.hand): ShownHand(seen.cards) for key, seen in shown_of(sources, row).items()},
        readings=1 + len(hands.others.get(row, ())),
    )


def _copies(batch: RoundBatch, row: int, terms: Terms) -> int:
    decks = int(batch.decks[row])
    return decks if decks > 0 else terms.decks
