"""How dealers pick up cards, game by game, written by hand from the words of rulings.md R-5 to R-9.

Nothing here is shared with `replay.cards.pickup`: no procedure, no words, no steps. A `Hand` is what lies on the table
with what everybody at the table knows of it, and each function walks round the table as its ruling says and gives the
hands in the order they go into the rack.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(frozen=True)
class Hand:
    """One hand. `cards` has a pai gow hand's low two first, then the high hand, then an eighth card."""

    place: int
    cards: tuple[int, ...]
    number: int = 0  # of a seat's several blackjack hands
    is_dealers: bool = False  # the house dealer's own
    is_against: bool = False  # everyone plays against it
    has_wager: bool = True
    surrendered: int | None = None  # when
    folded: int | None = None  # when
    has_bonus: bool = False  # a bonus wager on its own cards
    rearranged: bool = False
    stays: bool = False  # face up for an envy bonus or until a meter payout is documented
    outcome: str = "loses"

    @property
    def out(self) -> bool:
        """Given up, with nothing left to settle on its cards."""
        return (self.surrendered is not None or self.folded is not None) and not self.has_bonus


@dataclass(frozen=True)
class Round:
    hands: tuple[Hand, ...]
    stub: tuple[int, ...] = ()
    board: tuple[int, ...] = ()
    burns: tuple[int, ...] = ()
    button: int = 0
    seats: int = 6
    banked: bool = False
    extra: tuple[int, ...] = field(default=(), compare=False)


def in_order(hands: list[Hand]) -> list[Hand]:
    """Places 1, 2, 3 ...; a seat's hands as they were played."""
    return sorted(hands, key=lambda hand: (hand.place, hand.number))


def from_the_button(hands: list[Hand], played: Round) -> list[Hand]:
    """California seats are numbered clockwise (R-38), so clockwise is upwards and then on from 1."""
    found = []
    for step in range(played.seats):
        seat = (played.button - 1 + step) % played.seats + 1
        found += in_order([hand for hand in hands if hand.place == seat])
    return found


def pai_gow(played: Round) -> list[Hand]:
    """R-5, without California: MA-SPG, NJ-SPG, MA-PGP."""
    players = [hand for hand in played.hands if not hand.is_dealers and not hand.is_against]
    dealers = [hand for hand in played.hands if hand.is_dealers and not hand.is_against]
    last = [hand for hand in played.hands if hand.is_against]
    # "(2) hands of places with no wager, in order 1..6 and then the dealer's if it does not play"
    rack = in_order([hand for hand in players if not hand.has_wager])
    rack += [hand for hand in dealers if not hand.has_wager]
    dealers = [hand for hand in dealers if hand.has_wager]
    players = [hand for hand in players if hand.has_wager]
    # "(3) surrendered hands, when surrendered ... (with a live wager on their own cards they stay under it ...)"
    rack += sorted([hand for hand in players if hand.out], key=lambda hand: hand.surrendered or 0)
    players = [hand for hand in players if not hand.out]
    staying = [hand for hand in players if hand.stays]
    players = [hand for hand in players if not hand.stays]
    if played.banked:
        # "(6) with a bank: the dealer's own hand right after it is compared if it pushes or loses ... and players'
        # losing and pushing hands when exposed, winning ones when paid, each 1..6"; "(4) ... each when the last of its
        # own wagers is settled", so that one with a bonus wager waits for that
        rack += [hand for hand in dealers if hand.outcome != "wins"]
        early = [hand for hand in players if hand.outcome != "wins" and not hand.has_bonus]
        rack += in_order(early)
        players = [hand for hand in players if hand not in early]
    # "(4) hands 1..6 in the order they are settled", "(5) hands that must stay ..., after all others, 1..6"
    rack += in_order(players) + in_order(staying)
    rack += [hand for hand in dealers if hand.outcome == "wins"]  # "(6) after all players' hands if it wins"
    return rack + last  # "(7) the hand everyone played against ... last"


def commission_free(played: Round) -> list[Hand]:
    """R-5 and R-49: FLT-SPG deals to bettors only; folded hands go like surrendered ones."""
    players = [hand for hand in played.hands if not hand.is_against]
    rack = sorted([hand for hand in players if hand.out], key=lambda hand: hand.folded or 0)
    players = [hand for hand in players if not hand.out]
    rack += in_order([hand for hand in players if not hand.stays])
    rack += in_order([hand for hand in players if hand.stays])
    return rack + [hand for hand in played.hands if hand.is_against]


def california_pai_gow(played: Round) -> list[Hand]:
    """R-5: "California settles clockwise from the action button, and picks up in that order"; R-45."""
    players = [hand for hand in played.hands if not hand.is_against]
    rack = in_order([hand for hand in players if not hand.has_wager])
    players = [hand for hand in players if hand.has_wager]
    rack += from_the_button([hand for hand in players if not hand.stays], played)
    rack += from_the_button([hand for hand in players if hand.stays], played)
    return rack + [hand for hand in played.hands if hand.is_against]


def three_card_poker(played: Round) -> list[Hand]:
    """R-6: "folded hands in the order offered" (from the house dealer's left, clockwise: seats 1, 2, 3 ...); "the rest
    in settlement order; the player-dealer's hand last. A folded hand with a live 6 Card Bonus stays"."""
    players = [hand for hand in played.hands if not hand.is_against]
    rack = in_order([hand for hand in players if hand.out])
    rack += from_the_button([hand for hand in players if not hand.out], played)
    return rack + [hand for hand in played.hands if hand.is_against]


def blackjack(played: Round) -> list[Hand]:
    """R-8: "Surrendered hands at once; all others, *busted ones too* ..., in settlement order, split hands in the order
    played; player-dealer's hand last"."""
    players = [hand for hand in played.hands if not hand.is_against]
    rack = sorted([hand for hand in players if hand.surrendered is not None], key=lambda hand: hand.surrendered or 0)
    rack += from_the_button([hand for hand in players if hand.surrendered is None], played)
    return rack + [hand for hand in played.hands if hand.is_against]


def poker(played: Round) -> list[Hand]:
    """R-9: "Folded hands in the order folded; at showdown losing hands in seat order, winning hands last"."""
    rack = sorted([hand for hand in played.hands if hand.folded is not None], key=lambda hand: hand.folded or 0)
    shown = [hand for hand in played.hands if hand.folded is None]
    rack += in_order([hand for hand in shown if hand.outcome != "wins"])
    return rack + in_order([hand for hand in shown if hand.outcome == "wins"])


GAMES: dict[str, Callable[[Round], list[Hand]]] = {
    "ma/pai_gow_poker": pai_gow,
    "ma/supreme_pai_gow": pai_gow,
    "nj/supreme_pai_gow": pai_gow,
    "flt/supreme_pai_gow": commission_free,
    "ca-double_hand_poker": california_pai_gow,
    "ca/fortune_pai_gow": california_pai_gow,
    "ca/three_card_poker_6_card_bonus": three_card_poker,
    "ca/pure_21_5_blackjack": blackjack,
    "ca-black_jack": blackjack,
    "ca/holdem": poker,
    "ca/omaha": poker,
    "ca/omaha_hi_lo": poker,
}


def around(game: str, played: Round) -> tuple[tuple[int, ...], tuple[tuple[int, ...], ...]]:
    """What lies in the rack before the hands, and what after them, piece by piece."""
    if GAMES[game] is poker:  # "then board in the order turned, burns in the order burned, stub"
        return (), (played.board, played.burns, played.stub)
    return played.stub, ()  # R-5 (1), R-6 "Unused stub"; R-8 deals from a shoe and has none
