"""The dealing methods of games of the rule texts that have no pack yet, each with the words it rests on.

A game with a pack has its methods there, in dealing.yaml: whoever makes a game's pack moves them. Here they show that a
method can be written down for every game of the texts.

What the texts leave open, and how it is read here:

* Double Hand Poker deals its piles "in turn, in rotation": rulings.md R-3 has stacks dealt from the hand alternate, and
  that is the method; `ca/double_hand_poker:rotation`, left to right every time, is there for a house that files it.
* A bank at a table with §17 deals is dealt in where it sits (§17(d), (e) speak of players with a wager, which a bank
  has not, but it plays a hand).
"""

from __future__ import annotations

from dataclasses import replace

from replay.cards.dealing.method import Direction, FirstStack, Instead, Method, Receives, Stacks, StartRule, Step, To
from replay.citations import Citation, cite
from schemas.cards import CARD_CODES

_MA_BOXED = (
    "A card found turned face up in the shoe shall not be used in the game and shall be placed in the discard rack."
)
_ACES_AND_JOKERS = bytes(CARD_CODES[name] for name in ("Ac", "Ad", "Ah", "As", "X1", "X2"))


def _pai_gow(
    game: str, method: str, title: str, cards: int, deck: int, cites: tuple[Citation, ...], stacks: Stacks | None = None
) -> Method:
    """A Massachusetts game: seven places, all of them dealt in."""
    one_by_one = stacks is not None or method == "manual_shoe"
    return Method(
        f"{game}:{method}",
        title,
        deck,
        6,
        Receives.EVERY_PLACE,
        StartRule.DETERMINED,
        Direction.CLOCKWISE,
        (Step(To.ALL, 1, cards) if one_by_one else Step(To.ALL, cards),),
        cites,
        stacks,
        boxed=Instead.NEXT_CARD,
        exposed=Instead.KEPT,
        most_boxed=1,
    )


_MA_PGP_IRREGULAR = (
    cite("MA-PGP", "§11(f)", _MA_BOXED),
    cite("MA-PGP", "§11(d)", "the player has the option of voiding"),
)
_BANK_NAMES = "beginning with the stack closest to the right of the first stack"
_AROUND = "moving clockwise around the table, deal a card to all other positions, including the dealer"
_LEFT_TO_RIGHT = "moving from left to right and the second seven cards moving from right to left"

_DEALT_SEVEN = cite("MA-PGP", "§19(a)", "each player and the dealer receive seven cards")
_FACE_UP = (
    _pai_gow(
        "ma/face_up_pai_gow_poker",
        "manual_shoe",
        "a card to every place, seven times",
        7,
        53,
        (_DEALT_SEVEN, cite("MA-PGP", "§8(c)", _AROUND), *_MA_PGP_IRREGULAR),
    ),
    _pai_gow(
        "ma/face_up_pai_gow_poker",
        "hand",
        "seven stacks, left to right and back again, delivered clockwise, the one farthest left first",
        7,
        53,
        (
            _DEALT_SEVEN,
            cite("MA-PGP", "§8a(c)", _LEFT_TO_RIGHT),
            cite(
                "MA-PGP", "§8a(f)", "the stack farthest to the left of the dealer shall be considered the first stack"
            ),
            cite("MA-PGP", "§10(h)(5)", _BANK_NAMES),
            *_MA_PGP_IRREGULAR,
        ),
        Stacks(FirstStack.FARTHEST_LEFT),
    ),
    _pai_gow(
        "ma/face_up_pai_gow_poker",
        "automated_shoe",
        "a stack of seven to every place",
        7,
        53,
        (
            _DEALT_SEVEN,
            cite("MA-PGP", "§8b(d)", "the dealer shall deliver a stack in turn to each of the other positions"),
            *_MA_PGP_IRREGULAR,
        ),
    ),
)

_PILES = Stacks(FirstStack.FARTHEST_LEFT)
_DOUBLE_HAND = Method(
    "ca/double_hand_poker:piles",
    "seven piles of seven, the one the player-dealer names delivered first, and those to its right after it, clockwise",
    53,
    7,
    Receives.EVERY_SEAT,
    StartRule.DETERMINED,
    Direction.CLOCKWISE,
    (Step(To.ALL, 1, 7),),
    (
        cite("CA", "Double Hand Poker, Method of Play", "The Dealer deals seven piles of cards of seven each, in turn"),
        cite("CA", "Double Hand Poker, Method of Play", "selects which pile will be distributed to the first player"),
        cite("rulings.md", "R-3", "the player-dealer names the action pile; the rest follow as with a bank"),
        cite(
            "CA", "Double Hand Poker, Rule 37", "replaced after the deal is finished by the first of the remaining four"
        ),
        cite("CA", "Double Hand Poker, Rule 34", "(b) if two or more cards are boxed or exposed"),
    ),
    _PILES,
    boxed=Instead.FIRST_OF_STUB,
    exposed=Instead.FIRST_OF_STUB,
    most_boxed=1,
    void_if_boxed=_ACES_AND_JOKERS,
)

_CA = (
    _DOUBLE_HAND,
    replace(
        _DOUBLE_HAND,
        id="ca/double_hand_poker:rotation",
        title="as piles, but left to right every time",
        stacks=replace(_PILES, zigzag=False),
    ),
)

WITHOUT_PACK: dict[str, Method] = {method.id: method for method in (*_FACE_UP, *_CA)}
