"""Geometry, money and baccarat rules of the simulator, against examples worked by hand from the texts."""

from __future__ import annotations

import pytest

from ingest.simulator import Labels, default_plan
from ingest.simulator.faults.queue import FaultQueue
from ingest.simulator.fees import BACCARAT_SCHEDULES, fee_cents, fees_by_player
from ingest.simulator.games.pai_gow_poker.game import PaiGowTable
from ingest.simulator.games.supreme_baccarat.rules import (
    banker_draws,
    button_seat,
    covers_all,
    player_draws,
    result_of,
    settle,
    settlement_order,
    total,
)
from ingest.simulator.paytables import ENVY_CENTS, FORTUNE_ODDS
from ingest.simulator.played import Bet, SplitPlayed
from ingest.simulator.vigorish import vigorish_cents
from schemas.cards import codes_of


def cards(text: str) -> list[int]:
    return list(codes_of(text))


@pytest.fixture(scope="module")
def table() -> PaiGowTable:
    plan = default_plan(seed=1, tables=1, rounds=1, games=("ma/pai_gow_poker",))
    return PaiGowTable(plan, plan.tables[0], FaultQueue(), Labels())


def places_dealt(table: PaiGowTable, dealing: str, start: int) -> list[int]:
    return table.places_dealt(SplitPlayed(start=start), dealing)


def test_dice_examples(table: PaiGowTable) -> None:
    starts = {count: table.start_place(SplitPlayed(), count) for count in range(1, 19)}
    assert starts[8] == 0  # MA-PGP §8c(b)(3)(i): the dealer
    assert starts[14] == 6  # (ii): the sixth betting position
    assert [starts[number] for number in range(1, 8)] == [0, 1, 2, 3, 4, 5, 6]


def test_deal_goes_clockwise_from_the_start(table: PaiGowTable) -> None:
    # Positions are numbered counterclockwise, so clockwise of 3 is 2.
    assert places_dealt(table, "manual_shoe", 3)[:9] == [3, 2, 1, 0, 6, 5, 4, 3, 2]
    assert places_dealt(table, "automated_shoe", 3)[:15] == [3] * 7 + [2] * 7 + [1]
    # From the hand: stacks left to right, then right to left; the first stack goes to the start.
    assert places_dealt(table, "hand", 0)[:14] == [0, 6, 5, 4, 3, 2, 1, 1, 2, 3, 4, 5, 6, 0]


@pytest.mark.parametrize("dealing", ["manual_shoe", "automated_shoe", "hand"])
def test_every_place_gets_seven(table: PaiGowTable, dealing: str) -> None:
    for start in range(7):
        dealt = places_dealt(table, dealing, start)
        assert [dealt.count(place) for place in range(7)] == [7] * 7


@pytest.mark.parametrize(
    ("won", "quarter", "exact"),
    [
        (2500, 125, 125),
        (500, 25, 25),
        (2600, 150, 130),
        (1250, 75, 63),
        (100, 25, 5),
        (1210, 75, 61),
        (10_000, 500, 500),
    ],
)
def test_vigorish(won: int, quarter: int, exact: int) -> None:
    assert vigorish_cents(won, "up_to_quarter") == quarter
    assert vigorish_cents(won, "exact") == exact


def test_pay_tables_as_printed() -> None:
    assert FORTUNE_ODDS["A"]["seven_card_straight_flush"] == 8000
    assert FORTUNE_ODDS["C"]["four_of_a_kind"] == 20
    assert FORTUNE_ODDS["D"]["royal_flush"] == 125
    assert FORTUNE_ODDS["B"]["three_of_a_kind"] == 3
    assert FORTUNE_ODDS["C"]["three_pair"] == 0 and "three_pair" not in FORTUNE_ODDS["A"]
    assert ENVY_CENTS["D"]["royal_flush_and_royal_match"] == 75_000
    assert all(table["four_of_a_kind"] == 500 and "full_house" not in table for table in ENVY_CENTS.values())


# --- baccarat --------------------------------------------------------------------------------------------------------


def test_totals() -> None:
    assert total(cards("8s 9d")) == 7 and total(cards("9s 6d")) == 5  # the text's examples
    assert total(cards("Ks As")) == 1 and total(cards("Ts Jd Qc")) == 0


@pytest.mark.parametrize(
    ("player", "banker", "draws"),
    [("5s Kd", "2s Kd", True), ("6s Kd", "2s Kd", False), ("2s Kd", "8s Kd", False), ("9s Kd", "2s Kd", False)],
)
def test_player_draws(player: str, banker: str, draws: bool) -> None:
    assert player_draws(cards(player), cards(banker)) is draws


_STANDS_ON = {3: {8}, 4: {0, 1, 8, 9}, 5: {0, 1, 2, 3, 8, 9}, 6: {0, 1, 2, 3, 4, 5, 8, 9}, 7: set(range(10))}
_BY_VALUE = {0: "Ts", 1: "As", 2: "2s", 3: "3s", 4: "4s", 5: "5s", 6: "6s", 7: "7s", 8: "8s", 9: "9s"}


def test_banker_draws_after_a_player_draw() -> None:
    for banker in range(8):
        for third in range(10):
            drawn = banker_draws(cards(f"2c 2d {_BY_VALUE[third]}"), cards(f"Kd {_BY_VALUE[banker]}"))
            assert drawn is (third not in _STANDS_ON.get(banker, set()))


def test_banker_draws_when_the_player_stands() -> None:
    assert [banker_draws(cards("6c Kd"), cards(f"Kd {_BY_VALUE[value]}")) for value in range(10)] == [True] * 6 + [
        False
    ] * 4
    assert not banker_draws(cards("9c Kd"), cards("Kd 2s"))  # a natural ends it


@pytest.mark.parametrize(
    ("wager", "player", "banker", "expected"),
    [
        ("player", "9s Kd", "8s Kd", ("win", 1001)),
        ("banker", "9s Kd", "8s Kd", ("lose", 0)),
        ("banker", "5s Kd", "6s Kd", ("win", 500)),  # a winning six pays 1 to 2; half a cent rounds down
        ("banker", "5s Kd", "7s Kd", ("win", 1001)),
        ("player", "7s Kd", "7d Kc", ("push", 0)),
        ("tie", "7s Kd", "7d Kc", ("win", 8008)),
        ("tie", "7s Kd", "6d Kc", ("lose", 0)),
        ("total_shot", "9s Kd", "9d Kc", ("win", 40_040)),
        ("total_shot", "9s Kd", "8d Kc", ("win", 20_020)),
        ("total_shot", "8s Kd", "8d Kc", ("lose", 0)),
    ],
)
def test_odds(wager: str, player: str, banker: str, expected: tuple[str, int]) -> None:
    assert result_of(Bet(1, wager, 1001), cards(player), cards(banker)) == expected


def test_cover_is_used_up_by_wins_and_losses_alike() -> None:
    """CA Double Hand: $200 posted, a $60 loss and a $60 win leave $80; a $100 bet then has action for $80."""
    bets = [Bet(1, "banker", 6000), Bet(2, "player", 6000), Bet(3, "player", 10_000), Bet(4, "banker", 500)]
    player, banker = cards("9s Kd"), cards("8s Kd")
    assert not covers_all(bets, player, banker, 20_000) and covers_all(bets, player, banker, 22_500)
    settled = settle(bets, player, banker, 20_000)
    assert [(each.outcome, each.paid_cents, each.taken_cents) for each in settled] == [
        ("lose", 0, 6000),
        ("win", 6000, 0),
        ("win", 8000, 0),
        ("no_action", 0, 0),
    ]


def test_button_never_counts_the_player_dealer() -> None:
    # Seven seats, seat 3 banks: ace is seat 4, 4 is seat 7, 5 is seat 1, 6 is seat 2, 7 goes round to seat 4 again.
    seats = [button_seat(card, 3, 7) for card in cards("As 4s 5s 6s 7s Ts Js Qs Ks")]
    assert seats == [4, 7, 1, 2, 4, 7, 1, 2, 4]


def test_settlement_goes_type_by_type_from_the_button() -> None:
    bets = [
        Bet(1, "tie", 500),
        Bet(1, "player", 1000),
        Bet(2, "total_shot", 500),
        Bet(5, "banker", 1000, "B1"),
        Bet(5, "player", 1000),
        Bet(5, "tie", 500, "B1"),
        Bet(6, "banker", 1000),
    ]
    order = [(bet.seat, bet.wager, bet.bettor) for bet in settlement_order(bets, 5, 7)]
    assert order == [
        (5, "player", ""),
        (5, "banker", "B1"),
        (6, "banker", ""),
        (1, "player", ""),
        (5, "tie", "B1"),
        (1, "tie", ""),
        (2, "total_shot", ""),
    ]


@pytest.mark.parametrize(
    ("schedule", "dollars", "fee"),
    [
        ("own_1", 4, 0),
        ("own_1", 5, 1),
        ("own_1", 99, 1),
        ("own_1", 100, 3),
        ("own_1", 299, 3),
        ("own_1", 300, 6),
        ("own_1", 500, 10),
        ("own_1", 699, 10),
        ("own_1", 700, 12),
        ("own_2", 4, 0),
        ("own_2", 5, 2),
        ("own_3", 9, 0),
        ("own_3", 10, 2),
        ("own_4", 1, 1),
        ("own_4", 700, 12),
        ("california_games_1", 100, 1),
        ("california_games_1", 101, 2),
        ("california_games_1", 1000, 8),
        ("california_games_1", 1001, 10),
        ("california_games_2", 24, 0),
        ("california_games_2", 25, 2),
        ("california_games_2", 300, 2),
        ("california_games_2", 2000, 15),
        ("california_games_2", 2001, 25),
    ],
)
def test_player_dealer_fee(schedule: str, dollars: int, fee: int) -> None:
    assert fee_cents(BACCARAT_SCHEDULES[schedule].player_dealer, dollars * 100) == fee * 100


def test_amount_printed_in_no_band_stays_in_the_one_below() -> None:
    assert fee_cents(BACCARAT_SCHEDULES["own_1"].player_dealer, 9950) == 100  # $99.50


def test_players_pay_by_their_own_total() -> None:
    bets = [Bet(1, "player", 10_000), Bet(1, "tie", 100), Bet(2, "banker", 10_000), Bet(2, "banker", 500, "B1")]
    fees = fees_by_player(BACCARAT_SCHEDULES["own_2"], bets, 4)
    assert [(fee.payer, fee.seat, fee.bettor, fee.cents) for fee in fees] == [
        ("player_dealer", 4, "", 200),
        ("player", 1, "", 200),
        ("player", 2, "", 100),
        ("player", 2, "B1", 100),
    ]
    assert fees_by_player(BACCARAT_SCHEDULES["own_1"], bets, 4)[0].cents == 300  # $206 of action; players pay nothing
    assert len(fees_by_player(BACCARAT_SCHEDULES["own_1"], bets, 4)) == 1
