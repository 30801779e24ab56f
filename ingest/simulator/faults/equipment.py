"""What goes wrong with dice, shuffles and cuts, and with what comes to the table uninspected."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.simulator.faults.injection import Injection
from ingest.simulator.played import SplitPlayed
from ingest.simulator.voice import RACK, SHAKER, Say

if TYPE_CHECKING:
    from ingest.simulator.split_hands.table import SplitHandsTable

OPENED = 1  # what is said after this many events of a round is said after `round.opened`


def _at(played: SplitPlayed, event: str) -> int | None:
    """Where the last event of a type is among what is said of a round."""
    return next((at for at in reversed(range(len(played.says))) if played.says[at].type == event), None)


def not_shuffled(injection: Injection, played: SplitPlayed, table: SplitHandsTable) -> None:
    """The rack is emptied, and the cards of the round before are dealt again as they lay."""
    at = _at(played, "shuffle.completed")
    again = not table.new_decks and table.hands_played()
    if at is not None and again and injection.record_hurt_in < injection.number - 2:
        played.says[at] = Say("discard.read", {"mode": "scan", "cards": []}, RACK)
        injection.done("the cards are not shuffled")


def shuffled_by_hand(injection: Injection, played: SplitPlayed, table: SplitHandsTable) -> None:
    at = _at(played, "shuffle.completed")
    if at is not None and injection.number > 0 and injection.record_hurt_in < injection.number - 2:
        played.says[at] = Say("shuffle.completed", {"deck": table.deck_in_play, "method": "manual"})
        injection.done("shuffled by hand with the shuffling device on the table")


def cut_too_deep(injection: Injection, played: SplitPlayed, table: SplitHandsTable) -> None:
    at = _at(played, "cut.made")
    if at is not None:
        left = table.rng.randrange(1, 10)
        depth = left if table.rng.random() < 0.5 else table.deck_size - left
        played.says[at] = Say("cut.made", {**played.says[at].data, "depth": depth})
        injection.done(f"cut at {depth} of {table.deck_size} cards")


def no_roll_played(injection: Injection, played: SplitPlayed, table: SplitHandsTable) -> None:
    at = _at(played, "start.determined")
    if at is not None:
        played.says.insert(at + 1, Say("start.no_roll", {"reason": "not_flat"}, SHAKER))
        injection.done("called off after the throw, and dealt by it")


def number_out_of_range(injection: Injection, played: SplitPlayed, table: SplitHandsTable) -> None:
    """The place it counts to is the one the cards are dealt from. Nobody has a wager on the number, for such a wager
    would be settled by a number that nobody can have chosen."""
    at = _at(played, "start.determined")
    if at is not None and not any(bet.wager == "rng" for bet in played.bets):
        number = played.says[at].data["number"] + len(table.places)
        played.says[at] = Say("start.determined", {**played.says[at].data, "number": number}, SHAKER)
        injection.done(f"the number shown is {number}")


def _new_dice(played: SplitPlayed, table: SplitHandsTable, *before: Say) -> None:
    table.dice_since_us = table.now_us
    played.says[OPENED:OPENED] = [*before, Say("dice.introduced", {"dice": "set-2"})]


def dice_uninspected(injection: Injection, played: SplitPlayed, table: SplitHandsTable) -> None:
    """Without a word of an inspection, or from an envelope with a broken seal."""
    if table.rng.random() < 0.5:
        _new_dice(played, table)
        injection.done("new dice without an inspection")
    else:
        _new_dice(played, table, Say("seal.checked", {"kind": "dice", "item": "set-2", "intact": False, "by": "F-1"}))
        injection.done("new dice from a broken envelope")


def not_witnessed(injection: Injection, played: SplitPlayed, table: SplitHandsTable) -> None:
    said = {"kind": "dice", "item": "set-2", "by": "F-1", "where": "pit_stand"}
    _new_dice(played, table, Say("equipment.inspected", said))
    injection.done("new dice that nobody saw inspected")
