"""What is done out of turn: betting closed too late, a player's hand exposed first, wagers settled in another order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.simulator.faults import visible
from ingest.simulator.faults.fault_kind import FaultKind
from ingest.simulator.faults.injection import Injection, Stage
from ingest.simulator.faults.subjects import Subject
from ingest.simulator.played import SplitPlayed

if TYPE_CHECKING:
    from ingest.simulator.split_hands.table import SplitHandsTable

DEALER = 0


def closed_too_late(injection: Injection, played: SplitPlayed, table: SplitHandsTable) -> None:
    says = played.says
    closed = next((at for at, say in enumerate(says) if say.type == "bets.closed"), None)
    start = next((at for at, say in enumerate(says) if say.type == "start.determined"), None)
    if closed is not None and start is not None and closed < start:
        says.insert(start + 1, says[closed])
        del says[closed]
        injection.done("betting is closed when the start is known")


def settled_out_of_order(injection: Injection, played: SplitPlayed, table: SplitHandsTable) -> None:
    """Two seats' wagers against the dealer are settled in swapped order."""
    says = played.says
    settled = [at for at, say in enumerate(says) if say.type == "wager.settled" and say.data["wager"] == table.base]
    in_turn = [at for at in settled if says[at].data["outcome"] in ("win", "lose", "push")]
    if played.bank is None and len(in_turn) > 1:
        which = table.rng.randrange(len(in_turn) - 1)
        one, other = in_turn[which], in_turn[which + 1]
        says[one], says[other] = says[other], says[one]
        injection.done(f"settled after seat {says[one].data['seat']}", says[other].data["seat"], table.base)


def player_shown_first(injection: Injection, played: SplitPlayed, table: SplitHandsTable) -> None:
    """The dealer's hand is turned over when the first player's has been exposed."""
    says = played.says
    whole = [at for at, say in enumerate(says) if say.type == "hand.shown" and "low" in say.data]
    if played.bank is None and len(whole) >= 2 and says[whole[0]].data["place"] == DEALER:
        says.insert(whole[1] + 1, says[whole[0]])
        del says[whole[0]]
        injection.done(f"seat {says[whole[1] - 1].data['place']} was exposed first")


IN_TURN_KINDS = (
    FaultKind(
        "closed_too_late",
        "WAGER-515",
        Subject.IN_TURN,
        "betting is closed after the start was determined",
        Stage.RACK,
        closed_too_late,
        possible_at=visible.says_where_the_deal_begins,
    ),
    FaultKind(
        "settled_out_of_order",
        "SETTLE-107",
        Subject.IN_TURN,
        "wagers are settled in another order than the seats'",
        Stage.RACK,
        settled_out_of_order,
    ),
    FaultKind(
        "player_shown_first",
        "HOUSE-404",
        Subject.IN_TURN,
        "a player's hand is exposed before the dealer's",
        Stage.RACK,
        player_shown_first,
        possible_at=visible.shows_hands,
    ),
    FaultKind(
        "deck_not_removed",
        "CARD-316",
        Subject.IN_TURN,
        "a deck whose count made a round void is dealt again",
        possible_at=visible.may_keep_a_deck,
    ),
)
