"""Collection fees: bands, and the moment they are taken (R-32, R-43)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ingest.simulator.played import Bet, Fee

Bands = tuple[tuple[int, int], ...]
"""(floor in dollars, fee in dollars), lowest first."""


@dataclass(frozen=True)
class Schedule:
    """A collection schedule: the fees, the limits printed with it, and the moment they are taken."""

    player_dealer: Bands
    player: Bands = ()
    before_the_deal: bool = True
    line_dollars: tuple[int, int] = (5, 1000)
    bonus_dollars: tuple[int, int] = (1, 50)
    minimum_dollars: tuple[int, int] = (0, 0)  # where a range is printed for the table limits, the range of each
    maximum_dollars: tuple[int, int] = (0, 0)
    bonus_pays: bool = False
    """Whether the betting circle of a bonus pays a player's fee as well, by itself."""


def fee_cents(bands: Bands, amount_cents: int) -> int:
    """An amount falls in the last band whose floor it reaches; below the lowest there is no fee (R-32, R-43)."""
    fee = 0
    for floor, dollars in bands:
        if amount_cents >= floor * 100:
            fee = dollars * 100
    return fee


def _by_table_action(schedule: Schedule, bets: Sequence[Bet], bank_seat: int) -> list[Fee]:
    """The player-dealer's fee, by all that is bet at the table."""
    cents = fee_cents(schedule.player_dealer, sum(bet.cents for bet in bets))
    return [Fee("player_dealer", bank_seat, cents, schedule.before_the_deal)] if cents else []


def fees_by_player(schedule: Schedule, bets: Sequence[Bet], bank_seat: int) -> list[Fee]:
    """The player-dealer's fee by the total table action, and each player's by that player's own total."""
    fees = _by_table_action(schedule, bets, bank_seat)
    own: dict[tuple[int, str], int] = {}
    for bet in bets:
        own[bet.seat, bet.bettor] = own.get((bet.seat, bet.bettor), 0) + bet.cents
    for (seat, bettor), amount in own.items():
        cents = fee_cents(schedule.player, amount)
        if cents:
            fees.append(Fee("player", seat, cents, schedule.before_the_deal, bettor))
    return fees


def fees_by_circle(schedule: Schedule, bets: Sequence[Bet], bank_seat: int, base: str) -> list[Fee]:
    """The player-dealer's fee by the round or the total table action, the players' by each betting circle (R-43)."""
    fees = _by_table_action(schedule, bets, bank_seat)
    for bet in bets:
        if bet.wager == base or schedule.bonus_pays:
            cents = fee_cents(schedule.player, bet.cents)
            circle = bet.wager if schedule.bonus_pays else ""
            if cents:
                fees.append(Fee("player", bet.seat, cents, schedule.before_the_deal, bet.bettor, wager=circle))
    return fees


_TABLE_ACTION: Bands = ((100, 3), (300, 6), (500, 10), (700, 12))

BACCARAT_SCHEDULES: dict[str, Schedule] = {
    "own_1": Schedule(((5, 1), *_TABLE_ACTION), line_dollars=(5, 1000)),
    "own_2": Schedule(((1, 0), (5, 2)), ((1, 1), (101, 2)), line_dollars=(5, 200)),
    "own_3": Schedule(((1, 0), (10, 2)), ((1, 1), (101, 2), (201, 3)), line_dollars=(10, 400)),
    "own_4": Schedule(((1, 1), *_TABLE_ACTION), line_dollars=(10, 2000)),
    "california_games_1": Schedule(
        ((5, 1), (101, 2), (301, 4), (601, 8), (1001, 10)),
        before_the_deal=False,
        line_dollars=(5, 2500),
        bonus_dollars=(1, 25),
        minimum_dollars=(5, 25),
        maximum_dollars=(1000, 2500),
    ),
    "california_games_2": Schedule(
        ((25, 2), (301, 4), (601, 8), (1001, 15), (2001, 25)),
        before_the_deal=False,
        line_dollars=(5, 2500),
        bonus_dollars=(1, 25),
        minimum_dollars=(5, 25),
        maximum_dollars=(1000, 2500),
    ),
}

_SPOTS_TO_500 = ((10, 1), (201, 2), (301, 3), (401, 4), (501, 5))
_SPOTS_TO_800 = ((10, 1), (201, 2), (401, 4), (601, 6), (801, 8))
FORTUNE_SCHEDULES: dict[str, Schedule] = {
    "own_1": Schedule(((0, 3),), _SPOTS_TO_500, line_dollars=(10, 5000)),
    "own_2": Schedule(((0, 3),), _SPOTS_TO_500, line_dollars=(10, 2000)),
    "own_3": Schedule(((0, 4),), _SPOTS_TO_800, line_dollars=(10, 2000), bonus_pays=True),
    "own_4": Schedule(((0, 4),), _SPOTS_TO_800, line_dollars=(10, 5000), bonus_pays=True),
    "california_games_1": Schedule(  # GEGA-004594
        ((5, 1), (51, 3), (1001, 6)),
        ((5, 1), (101, 2)),
        before_the_deal=False,
        line_dollars=(5, 200),
        minimum_dollars=(5, 100),
        maximum_dollars=(101, 200),
    ),
}

BLACKJACK_SCHEDULES: dict[str, Schedule] = {  # GEGA-002406
    "california_games_1": Schedule(
        ((5, 1), (101, 3), (301, 6), (601, 10), (1001, 15)),
        before_the_deal=False,
        minimum_dollars=(5, 25),
        maximum_dollars=(500, 1000),
    ),
    "california_games_2": Schedule(
        ((25, 1), (201, 5), (601, 10), (1001, 15), (1501, 20)),
        before_the_deal=False,
        minimum_dollars=(5, 25),
        maximum_dollars=(500, 1000),
    ),
}

THREE_CARD_SCHEDULES: dict[str, Schedule] = {
    "own_1": Schedule(((1, 1), *_TABLE_ACTION), line_dollars=(5, 100)),
    "california_games_1": Schedule(  # GEGA-001184
        ((1, 1), (51, 2), (101, 3), (301, 6), (601, 12)),
        before_the_deal=False,
        line_dollars=(5, 1500),
        minimum_dollars=(5, 25),
        maximum_dollars=(500, 1500),
    ),
}
