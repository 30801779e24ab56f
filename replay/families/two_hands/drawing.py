"""Third cards: whether each hand drew as the rules say, and what the rules would have given where it did not."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np

from replay.cards.solver.evidence import HOLE
from replay.citations import Citation
from replay.families.two_hands.law import NO_THIRD, Bools, Drawing, Points
from replay.ranking.baccarat import values
from replay.rounds import Cards, Ints
from schemas.cards import JOKER_1, NO_CARD, name_of

POINTS: Points = np.zeros(NO_CARD + 1, dtype=np.uint8)
"""Value of every card code; no card is worth nothing."""
POINTS[:JOKER_1] = values(np.arange(JOKER_1, dtype=np.uint8))


def total(cards: Cards) -> Points:
    """Score total of each hand (n, 2 or 3), where NO_CARD fills the place of a third card not drawn."""
    points: Points = (POINTS[cards].sum(axis=1) % 10).astype(np.uint8)
    return points


MOST_UNNAMED = 2


def named_in_every_way(player: bytes, banker: bytes) -> Cards:
    """(n, 6) the two hands with every card that those nothing names may be; at most `MOST_UNNAMED` of these."""
    empty = bytes([NO_CARD])
    cards = np.frombuffer(player.ljust(3, empty) + banker.ljust(3, empty), np.uint8)[None, :]
    for at in np.flatnonzero(cards[0] == HOLE).tolist():
        cards = np.repeat(cards, JOKER_1, axis=0)
        cards[:, at] = np.tile(np.arange(JOKER_1, dtype=np.uint8), len(cards) // JOKER_1)
    return cards


_LIKE = bytes(
    HOLE if card == HOLE else card if card >= JOKER_1 else int(np.flatnonzero(POINTS[:JOKER_1] == POINTS[card])[0])
    for card in range(NO_CARD + 1)
)


def worth_alike(cards: bytes) -> bytes:
    """A hand that counts for the same; the same one for all such hands. What nothing names stays where it is."""
    two = cards[:2].translate(_LIKE)
    return (two[::-1] if two[1] < two[0] < HOLE else two) + cards[2:].translate(_LIKE)


class InEveryWay(NamedTuple):
    """Two hands with every card that those nothing names may be; ways that come to the same counted together."""

    lawful: float  # of all of them, the share with which the drawing rules were kept
    pair: Ints  # of the lawful ones, or of all where none is: Player total times 10 plus Banker total
    first: Cards  # and the Banker hand's first card
    times: Ints  # how many come to that


@lru_cache(maxsize=1 << 16)
def in_every_way(law: Drawing, player: bytes, banker: bytes) -> InEveryWay:
    hands = named_in_every_way(player, banker)
    kept = fits(law, hands[:, :3], hands[:, 3:])
    left = hands[kept] if kept.any() else hands
    pair = total(left[:, :3]).astype(np.int64) * 10 + total(left[:, 3:])
    both, at, count = np.unique(pair * 256 + left[:, 3], return_index=True, return_counts=True)
    in_turn = np.argsort(at)
    both, count = both[in_turn], count[in_turn]
    return InEveryWay(float(kept.mean()), both // 256, (both % 256).astype(np.uint8), count)


def third_value(cards: Cards) -> Points:
    """Value of each hand's third card, or NO_THIRD."""
    return np.where(cards[:, 2] == NO_CARD, NO_THIRD, POINTS[cards[:, 2]]).astype(np.uint8)


def drew_third(cards: Cards) -> Bools:
    drew: Bools = cards[:, 2] != NO_CARD
    return drew


def player_wrong(law: Drawing, player: Cards, banker: Cards) -> Bools:
    """The Player hand drew though it must stand, or stood though it must draw."""
    must = law.player_draws(total(player[:, :2]), total(banker[:, :2]))
    return drew_third(player) ^ must


def banker_wrong(law: Drawing, player: Cards, banker: Cards) -> Bools:
    """The same of the Banker hand, given what the Player hand did."""
    must = law.banker_draws(total(player[:, :2]), total(banker[:, :2]), third_value(player))
    return drew_third(banker) ^ must


def draws_at_all(law: Drawing) -> bool:
    """Whether there are totals on which a hand has to draw."""
    two, other, third = (column.ravel() for column in np.meshgrid(*[np.arange(10, dtype=np.uint8)] * 3))
    stood = np.full(len(two), NO_THIRD, np.uint8)
    draws = [law.player_draws(two, other), law.banker_draws(two, other, third), law.banker_draws(two, other, stood)]
    return bool(np.any(draws))


def fits(law: Drawing, player: Cards, banker: Cards) -> Bools:
    """Both hands drew exactly as the rules say."""
    return ~(player_wrong(law, player, banker) | banker_wrong(law, player, banker))


class WrongThird(NamedTuple):
    """What was wrong with the third cards of one round."""

    said: str  # who drew or stood against the rules
    sentence: str  # and what it came to
    cite: Citation


def explain(law: Drawing, player: Cards, banker: Cards) -> WrongThird:
    """The sentence for one round (hands of shape (1, 3)) whose third cards are wrong."""
    said: list[str] = []
    cites: list[Citation] = []
    player_two, banker_two = total(player[:, :2]), total(banker[:, :2])
    third = int(third_value(player)[0])
    player_natural, banker_natural = bool(law.natural(player_two)[0]), bool(law.natural(banker_two)[0])
    if player_wrong(law, player, banker)[0]:
        drew = player[0, 2] != NO_CARD
        if drew and banker_natural:
            why, cite = f"the Banker's natural {banker_two[0]} forbids it", law.natural_rule
        else:
            why, cite = f"it must {'stand' if drew else 'draw'}", law.player_rule
        said.append(f"Player had {player_two[0]} and {_did(player)}, though {why}")
        cites.append(cite)
    if banker_wrong(law, player, banker)[0]:
        drew = banker[0, 2] != NO_CARD
        cite = law.natural_rule if player_natural else law.banker_rule(int(banker_two[0]), third)
        if law.banker_stands(banker_two)[0]:
            why, cite = f"it must stand on {banker_two[0]}", law.banker_stands_rule
        elif drew and player_natural:
            why = f"the Player's natural {player_two[0]} forbids it"
        else:
            after = "after the Player stood" if third == NO_THIRD else f"after a Player third card worth {third}"
            why = f"it must {'stand' if drew else 'draw'} {after}"
        said.append(f"Banker had {banker_two[0]} and {_did(banker)}, though {why}")
        cites.append(cite)
    lies = f"as the cards lie it is Player {total(player)[0]}, Banker {total(banker)[0]}"
    right = rightful(law, player, banker)
    if right is None:
        by_rule = "the card the rules call for was never drawn, so what they would have given cannot be known"
    else:
        by_rule = f"by the rules it would have been Player {right[0]}, Banker {right[1]}"
    wrong = "; ".join(said)
    return WrongThird(wrong, f"{wrong}: {lies}; {by_rule}", cites[0])


def rightful(law: Drawing, player: Cards, banker: Cards) -> tuple[int, int] | None:
    """The totals by the rules, from the cards in the order they left the shoe; None if one of them was never drawn."""
    drawn = [hand[0, 2] for hand in (player, banker) if hand[0, 2] != NO_CARD]  # the Player hand draws first
    player, banker = player.copy(), banker.copy()
    player[0, 2] = banker[0, 2] = NO_CARD
    if player_wrong(law, player, banker)[0]:
        if not drawn:
            return None
        player[0, 2] = drawn.pop(0)
    if banker_wrong(law, player, banker)[0]:
        if not drawn:
            return None
        banker[0, 2] = drawn.pop(0)
    return int(total(player)[0]), int(total(banker)[0])


def _did(hand: Cards) -> str:
    return "stood" if hand[0, 2] == NO_CARD else f"drew {name_of(int(hand[0, 2]))}"
