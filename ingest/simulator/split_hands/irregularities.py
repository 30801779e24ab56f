"""What goes wrong at a table of split hands and is handled as the rules say: each by name, with what is done about it.

A game names those its text knows (`irregular`). Each is done to the round as it was dealt and says why all hands are
void, or None where the round is played on.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from ingest.simulator.options import BONUS_DEALINGS
from ingest.simulator.played import SplitPlayed
from ingest.simulator.reports import card_exposed
from ingest.simulator.voice import SHOE, SHUFFLER, Say
from schemas.cards import CARD_NAMES

if TYPE_CHECKING:
    from ingest.simulator.split_hands.table import SplitHandsTable

DEALER = 0


def _exposed_to_player(table: SplitHandsTable, played: SplitPlayed) -> str | None:
    """The player whose card it is may have the hand voided (MA-SPG §16(d))."""
    seat = table.rng.choice(played.seats)
    played.exposed_to = seat, table.rng.choice(played.hands[seat])
    if table.rng.random() < 0.5 and len(played.seats) > 1:
        played.voided.append(seat)
    return None


def _exposed_in_stacks(table: SplitHandsTable, played: SplitPlayed) -> str | None:
    """The cards are reshuffled (MA-SPG §16(k))."""
    played.mishaps.append(card_exposed(DEALER, table.rng.choice(played.dealt), "stacks"))
    played.mishaps.append(_shuffled_again(table))
    return None


def _shuffler_jam(table: SplitHandsTable, played: SplitPlayed) -> str | None:
    """MA-SPG §16(m)."""
    played.mishaps += [
        Say("shuffler.faulted", {"fault": "jam", "deck": table.deck_in_play}, SHUFFLER),
        _shuffled_again(table),
    ]
    return None


def _shuffled_again(table: SplitHandsTable) -> Say:
    """By the device, where there is one: by hand it may only be done once that is off the table (MA-SPG §16(o))."""
    if table.device_shuffles:
        return Say("shuffle.completed", {"deck": table.deck_in_play, "method": "device"}, SHUFFLER)
    return Say("shuffle.completed", {"deck": table.deck_in_play, "method": "manual"})


def _boxed_card(table: SplitHandsTable, played: SplitPlayed) -> str | None:
    """Not used, and placed in the discard rack (MA-SPG §16(f))."""
    index = table.rng.randrange(len(played.dealt))
    deck = played.dealt + played.stub
    played.boxed, played.boxed_as, played.boxed_aside = deck.pop(index), index, True
    played.deal_out(deck, table.places)
    return None


def _boxed_cards(table: SplitHandsTable, played: SplitPlayed) -> str | None:
    """More than one (MA-SPG §16(f))."""
    found = table.rng.sample(played.dealt, 2)
    played.void_says = [Say("card.boxed", {"card": CARD_NAMES[card]}) for card in found]
    return "boxed_cards"


def _stub_count(table: SplitHandsTable, played: SplitPlayed) -> str | None:
    """A card is gone: all hands are void, and the deck is taken away (MA-SPG §8(d)(2))."""
    played.stub.pop()
    played.stub_counted, table.deck_incorrect = True, True
    return "stub_count"


def _shoe_jam(table: SplitHandsTable, played: SplitPlayed) -> str | None:
    """MA-SPG §16(n)."""
    played.void_says = [Say("shoe.faulted", {"fault": "jam"}, SHOE)]
    return "device_fault"


def _void_for(reason: str) -> Callable[[SplitHandsTable, SplitPlayed], str | None]:
    """What is put in where the cards are dealt or reported: all hands are void, and nothing else is done."""
    return lambda table, played: reason


_HANDLED: dict[str, Callable[[SplitHandsTable, SplitPlayed], str | None]] = {
    "misdeal": _void_for("misdeal"),
    "exposed_card": _void_for("exposed_card"),
    "wrong_start": _void_for("wrong_start"),
    "exposed_to_player": _exposed_to_player,
    "exposed_in_stacks": _exposed_in_stacks,
    "boxed_card": _boxed_card,
    "boxed_cards": _boxed_cards,
    "shoe_jam": _shoe_jam,
    "shuffler_jam": _shuffler_jam,
    "stub_count": _stub_count,
}


def possible(table: SplitHandsTable) -> list[str]:
    """What of the game's irregularities can happen at this table."""
    depends = {
        # No text says what a button that lies wrong leads to, or a deal that does not begin at the dealer's left.
        "wrong_start": table.filed.starting not in ("button", "left_of_dealer"),
        "exposed_in_stacks": table.by_hand,
        "boxed_card": not table.by_hand,
        "boxed_cards": not table.by_hand,
        "shoe_jam": table.filed.dealing in ("automated_shoe", *BONUS_DEALINGS),
        "shuffler_jam": table.device_shuffles,
        "stub_count": not table.shuffler_counts,
    }
    return [kind for kind in table.irregular if depends.get(kind, True)]


def handle(kind: str, table: SplitHandsTable, played: SplitPlayed) -> str | None:
    """Does what has to be done; the reason where all hands are void."""
    return _HANDLED[kind](table, played)
