"""Theory of California Fortune Pai Gow Poker: the Fortune bet counted, the game wager simulated.

Money comes from the pack's own rules and its pay table, applied to one stake that the player-dealer covers.
"""

from __future__ import annotations

from analytics.theory.hand_reading import HandReading
from analytics.theory.seven_card_hands import Cited, read_seven_card_hand
from analytics.theory.seven_card_wagers import fortune_wager, house_way_wager
from analytics.theory.store import CountsStore
from analytics.theory.wager import WagerTheory
from replay.families.split_hands.player_dealer import schedule_of
from replay.filing import Filing
from replay.money.fees import limits
from replay.packs.ca.fortune_pai_gow.v1.rules import LAW
from replay.ranking import RoyalMatch, Wheel

_RANKINGS = "CA, Fortune Pai Gow Poker, Card Values and Hand Rankings"
_LEAST_BET_CENTS = 500  # rulings.md R-37: "$5 Fortune"
_COVERED = "the player-dealer's posted wager covers everything (rulings.md R-28), and collection fees are not counted"


def offered(filing: Filing) -> tuple[str, ...]:
    return tuple(filing.pack.data.wagers)


def smallest_stake(filing: Filing, wager: str) -> int:
    if wager != LAW.base.name:
        return _LEAST_BET_CENTS
    filed = filing.number("table_minimum_cents"), filing.number("table_maximum_cents")
    return limits(schedule_of(filing), wager, *filed)[0]


def theory(filing: Filing, wager: str, stake_cents: int, store: CountsStore) -> WagerTheory:
    if wager != LAW.base.name:
        notes = ["an envy bonus is paid only for a hand with a Fortune bet of its own (rulings.md R-29)", _COVERED]
        return fortune_wager(filing, RoyalMatch.KING_QUEEN, stake_cents, store, (), notes)
    notes = [
        "player-dealer and player both set their hands by the house way (rulings.md R-34)",
        "a win is paid 1 to 1, and a copy is the player-dealer's",
        _COVERED,
    ]
    return house_way_wager(filing, Wheel.LOWEST, stake_cents, store, (), notes)


def read_hand(filing: Filing, text: str) -> HandReading:
    """Two cards as a low hand, five as a high hand, seven as dealt."""
    cited = Cited(_RANKINGS, _RANKINGS)
    return read_seven_card_hand(filing, text, "fortune pai gow poker", cited, RoyalMatch.KING_QUEEN)
