"""The words a pickup procedure is written in: facts of a hand, and conditions over them.

A condition is a list of clauses that must all hold; a clause is a word, `not` a word, or several of these joined by
`or`: `[surrendered, not live_wager]`, `[loses or pushes]`. What a word means of a hand at one table in one game is for
that game to say; this module knows only the words.
"""

from __future__ import annotations

from collections.abc import Collection
from enum import StrEnum
from typing import NamedTuple


class Word(StrEnum):
    """One thing that is so of a hand, or not."""

    DEALER = "dealer"
    AGAINST = "against"
    WAGERED = "wagered"
    BANKED = "banked"
    SURRENDERED = "surrendered"
    FOLDED = "folded"
    LIVE_WAGER = "live_wager"
    BONUS = "bonus"
    REARRANGED = "rearranged"
    OUT_OF_PLAY = "out_of_play"
    SPLIT = "split"
    BUSTED = "busted"
    ENVY_HAND = "envy_hand"
    METER_PAYOUT = "meter_payout"
    QUALIFIES = "qualifies"
    WINS = "wins"
    LOSES = "loses"
    PUSHES = "pushes"


MEANING: dict[Word, str] = {
    Word.DEALER: "the house dealer's own hand",
    Word.AGAINST: "the hand everyone played against: the dealer's, the bank's or the player-dealer's",
    Word.WAGERED: "there is a wager at its place (of the dealer's own hand: against the bank)",
    Word.BANKED: "a player banks or co-banks the round",
    Word.SURRENDERED: "its player surrendered it",
    Word.FOLDED: "its player folded it",
    Word.LIVE_WAGER: "a wager on its own cards is still to be settled although it was surrendered or folded",
    Word.BONUS: "it stays for a bonus wager after it was compared (its own, or one that keeps every hand)",
    Word.REARRANGED: "the dealer rearranges it for a bonus wager, so that the rack does not show its setting",
    Word.OUT_OF_PLAY: "it went out of play in a way no text says when to collect it for (voided, wager withdrawn late)",
    Word.SPLIT: "it is one of the hands a split made",
    Word.BUSTED: "it went over",
    Word.ENVY_HAND: "it stays face up for an envy bonus",
    Word.METER_PAYOUT: "it stays until a payout off a meter is documented",
    Word.QUALIFIES: "it qualifies, where a game asks that of a hand",
    Word.WINS: "it wins against the hand everyone played against, or a pot or part of one",
    Word.LOSES: "it loses",
    Word.PUSHES: "it neither wins nor loses",
}

RENAMED: dict[str, Word] = {"adrift": Word.OUT_OF_PLAY}
"""What words were called before, in procedures that a house may still have filed."""

OUTCOMES = frozenset({Word.WINS, Word.LOSES, Word.PUSHES})
"""Of these at most one is so of a hand, and exactly one where two or more are open."""


class Literal(NamedTuple):
    word: Word
    wanted: bool


Clause = tuple[Literal, ...]  # at least one must hold
Condition = tuple[Clause, ...]  # all must hold


def parse_clause(text: str) -> Clause:
    """`not surrendered or live_wager` as literals; a ValueError names the word that is none."""
    return tuple(_literal(part, text) for part in text.split(" or "))


def _literal(part: str, clause: str) -> Literal:
    bare = part.strip()
    wanted = not bare.startswith("not ")
    name = bare if wanted else bare[4:].strip()
    try:
        return Literal(Word(name), wanted)
    except ValueError:
        if name in RENAMED:
            raise ValueError(f"{name!r}{_within(name, clause)} is now called {RENAMED[name]}: write that") from None
        raise ValueError(
            f"{name!r}{_within(name, clause)} is no word of a pickup procedure; the words are: {', '.join(Word)}, each "
            "alone, after 'not', or joined by 'or'"
        ) from None


def _within(name: str, clause: str) -> str:
    return "" if name == clause else f" in {clause!r}"


def written(clause: Clause) -> str:
    """A clause as it is written in a procedure."""
    return " or ".join(f"{'' if wanted else 'not '}{word}" for word, wanted in clause)


def holds(condition: Condition, true: Collection[Word]) -> bool:
    """Whether the condition holds of a hand of which exactly these words are so."""
    return all(any((word in true) is wanted for word, wanted in clause) for clause in condition)


def words_in(condition: Condition) -> frozenset[Word]:
    return frozenset(word for clause in condition for word, _ in clause)
