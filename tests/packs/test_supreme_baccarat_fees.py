"""Collection fees: the six schedules of Supreme Baccarat, and `replay.money.fees` for every other kind of schedule."""

from __future__ import annotations

import random
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from replay.audit import audit
from replay.citations import Citation
from replay.families.two_hands.game import check
from replay.filing import FeeBand, FeePart, FeeSchedule, canonical_filing, load_pack
from replay.lines import Lines
from replay.money.fees import Stakes, fee, fee_lines, stakes_when_closed, window
from replay.money.wagers import resolve_wagers
from replay.rounds import DEALT_TO, PAYERS, Fact, FactRow, RoundBatch, RoundRow, ShownRow, batch_of
from schemas.events import Payer
from tests.packs.supreme_baccarat_rounds import Bet, Table, fees, filing_of, random_table
from tests.replay.tape import Tape, rounds

CITE = Citation(text="CA", section="a test")
SCHEDULES = ["own_1", "own_2", "own_3", "own_4", "california_games_1", "california_games_2"]


def due(batch: RoundBatch, lines: Lines, row: int = 0) -> dict[tuple[str, int, str], int]:
    """(payer, seat, bettor) → fee; a payer asked twice is an error."""
    part = lines.where((lines.kind == Fact.COLLECTION) & (lines.row == row))
    found = {
        (str(PAYERS[part.payer[at]]), int(part.seat[at]), batch.names[part.bettor[at]]): int(part.paid[at])
        for at in range(len(part))
    }
    assert len(found) == len(part)
    return found


def collected(row: RoundRow, schedule: str, **options: str | int) -> Lines:
    lines = check(batch_of([row]), filing_of(schedule=schedule, **options)).lines
    return lines.where(lines.kind == Fact.COLLECTION)


@pytest.mark.parametrize("schedule", SCHEDULES)
def test_random_rounds_owe_what_the_printed_tiers_say(schedule: str) -> None:
    rng = random.Random(schedule)
    tables = [random_table(rng, 8) for _ in range(300)]
    for table in tables[:100]:  # small tables, where the low tiers are
        table.bets = [Bet(bet.seat, bet.wager, rng.randrange(50, 15000), bet.bettor) for bet in table.bets[:2]]
    batch = batch_of([table.row() for table in tables])
    lines = check(batch, filing_of(schedule=schedule)).lines
    for at, table in enumerate(tables):
        assert due(batch, lines, at) == fees(schedule, table.bets, table.bank_seat), table


def test_every_schedule_keeps_to_five_rates_and_names_known_wagers() -> None:
    pack = load_pack("ca/supreme_baccarat")
    assert sorted(pack.fees) == sorted(SCHEDULES)
    for schedule in pack.fees.values():
        assert all(len(part.bands) <= 5 for part in schedule.parts)
        assert set(pack.data.wagers) <= set(schedule.limits)


def test_without_a_player_dealer_on_record_there_is_nobody_to_ask() -> None:
    assert len(collected(Table([Bet(2, "player", 1000)], bank_seat=-1).row(), "own_1")) == 0


def test_a_late_change_moves_no_fee_to_another_tier() -> None:
    bets = [Bet(2, "player", 9900)]
    raised = FactRow(Fact.WAGER_CHANGED, 100, 2, "", "player", amount=20000)
    raised_again = FactRow(Fact.WAGER_CHANGED, 101, 2, "", "player", amount=30000)
    withdrawn = FactRow(Fact.WAGER_WITHDRAWN, 102, 2, "", "player")
    placed = FactRow(Fact.WAGER_PLACED, 103, 3, "", "banker", amount=20000)
    in_time = FactRow(Fact.WAGER_CHANGED, 70, 2, "", "player", amount=10000)
    for extra, fee_due in (
        ([raised], 100),  # $99: the first tier
        ([raised, raised_again, withdrawn], 100),
        ([withdrawn], 100),
        ([placed], 100),
        ([in_time], 300),  # $100
        ([in_time, withdrawn], 300),
    ):
        assert collected(Table(bets, extra=extra).row(), "own_1").paid.tolist() == [fee_due]


def test_moments_of_the_schedules() -> None:
    bets = [Bet(2, "player", 1000)]
    own, later = collected(Table(bets).row(), "own_1"), collected(Table(bets).row(), "california_games_1")
    assert (own.earliest.tolist(), own.latest.tolist()) == ([-1], [90])  # before the first card
    assert (later.earliest.tolist(), later.latest.tolist()) == ([90], [-1])
    # Without a card seen to leave the shoe: not before the close, and before a card is in the rack. There is time to
    # collect between "No more bets" and the deal.
    unread = Table(bets, fixed={"rack_first_seq": 150})
    own, later = (collected(unread.row(deal=False), schedule) for schedule in ("own_1", "california_games_1"))
    assert (own.latest.tolist(), later.earliest.tolist()) == ([150], [80])
    unclosed = Table(bets, fixed={"bets_closed_seq": -1})
    own, later = (collected(unclosed.row(deal=False), schedule) for schedule in ("own_1", "california_games_1"))
    assert (own.latest.tolist(), later.earliest.tolist()) == ([-1], [-1])


FEE_CODES = {"FEE-901", "FEE-902", "FEE-903", "FEE-904", "FEE-905", "FEE-906", "FEE-907"}


def fee_findings(table: Table, schedule: str, taken_at: int, seat: int = 1, **seen: Any) -> list[str]:
    """The fee findings of the whole audit, for a fee of $1 taken from the player-dealer at this event."""
    paid = FactRow(Fact.COLLECTION, taken_at, seat, choice="table", code=PAYERS.index(Payer.PLAYER_DEALER), amount=100)
    row = replace(table, extra=[*table.extra, paid]).row(**seen)
    row.named["filing"] = canonical_filing("ca/supreme_baccarat", "1.0", {"schedule": schedule})
    return [finding.code for finding in audit(batch_of([row])).findings if finding.code in FEE_CODES]


@pytest.mark.parametrize(
    ("schedule", "cards_reported", "taken_at", "found"),
    [
        # "after the first card is pulled from the shoe": bets close at 80, the shoe first reports cards at 90
        ("california_games_1", 1, 79, ["FEE-904"]),
        ("california_games_1", 1, 89, ["FEE-904"]),  # that card had not been pulled
        ("california_games_1", 1, 91, []),
        ("california_games_1", 4, 79, ["FEE-904"]),
        ("california_games_1", 4, 89, []),  # the first of four told at once was pulled some time after the close
        ("california_games_1", 4, 91, []),
        ("california_games_1", -1, 89, []),  # how many were told is not known
        # "prior to cards being dealt"
        ("own_1", 1, 79, []),
        ("own_1", 1, 89, []),
        ("own_1", 1, 91, ["FEE-904"]),
        ("own_1", 4, 89, []),  # perhaps after the first of the four: nobody saw it
        ("own_1", 4, 91, ["FEE-904"]),
    ],
)
def test_a_fee_before_and_after_a_report_of_one_card_or_of_four(
    schedule: str, cards_reported: int, taken_at: int, found: list[str]
) -> None:
    table = Table([Bet(2, "player", 1000)], fixed={"first_card_count": cards_reported})
    assert fee_findings(table, schedule, taken_at) == found


@pytest.mark.parametrize(
    ("schedule", "taken_at", "found"),
    [("own_1", 9, ["FEE-907"]), ("own_1", 10, ["FEE-907"]), ("own_1", 12, []), ("california_games_1", 91, [])],
)
def test_no_fee_before_the_wagers_it_is_counted_on(schedule: str, taken_at: int, found: list[str]) -> None:
    """rulings.md R-53. The two wagers are events 10 and 11; the player-dealer's fee is counted on both."""
    table = Table([Bet(2, "player", 1000), Bet(3, "player", 1000)], fixed={"first_card_count": 1})
    assert fee_findings(table, schedule, taken_at) == found


def test_how_many_cards_the_first_report_holds_is_assembled() -> None:
    for said, cards in (
        ([["9s"], ["7c"], ["Kd"], ["Th"]], 1),
        ([["9s", "7c", "Kd", "Th"]], 4),
        ([["9s", "7c"], ["Kd"], ["Th"]], 2),
    ):
        tape = Tape()
        tape.opens()
        tape.round = "000001"
        tape.say("round.opened", deck="shoe-1")
        tape.say("bets.closed")
        seqs = [tape.say("cards.dealt", cards=part) for part in said]
        tape.say("round.closed")
        (row,) = rounds(tape)
        assert (row.fixed["first_card_seq"], row.fixed["first_card_count"]) == (seqs[0], cards)


@pytest.mark.parametrize(("taken_at", "found"), [(79, []), (85, []), (149, []), (151, ["FEE-904"])])
def test_without_a_reading_shoe_only_the_rack_shows_that_cards_were_dealt(taken_at: int, found: list[str]) -> None:
    table = Table([Bet(2, "player", 1000)], fixed={"rack_first_seq": 150, "rack_last_seq": 150})
    assert fee_findings(table, "own_1", taken_at, deal=False) == found


def test_a_burned_card_is_not_dealt_to_anybody() -> None:
    burn = DEALT_TO.index("burn")
    table = Table([Bet(2, "player", 1000)], fixed={"first_card_seq": 2, "last_card_seq": 92})
    batch = batch_of([table.row(deal="2d 9s 7c Kd Th", to=bytes([burn, 0, 0, 0, 0]), rack="2d 9s Kd 7c Th")])
    assert window(batch, load_pack("ca/supreme_baccarat").fees["own_1"])[1].tolist() == [92]
    alone = batch_of([table.row(deal="2d", to=bytes([burn]), rack="9s Kd 7c Th")])
    assert window(alone, load_pack("ca/supreme_baccarat").fees["own_1"])[1].tolist() == [-1]


def test_a_fee_says_who_the_player_dealer_is_where_nobody_saw_the_bank_accepted() -> None:
    unseen = Table([Bet(2, "player", 1000)], bank_seat=-1)
    assert fee_findings(unseen, "own_1", 70, seat=5) == []
    assert fee_findings(replace(unseen, bets=[Bet(2, "player", 10000)]), "own_1", 70, seat=5) == ["FEE-902"]  # $3 due
    assert fee_findings(Table([Bet(2, "player", 1000)], bank_seat=1), "own_1", 70, seat=5) == ["FEE-903"] * 2


def test_the_drop_box_of_the_filing() -> None:
    paid_left = FactRow(Fact.COLLECTION, 70, 1, choice="left", amount=100)
    row = Table([Bet(2, "player", 1000)], extra=[paid_left]).row()
    batch = batch_of([row])
    assert collected(row, "own_1", drop_box="left").choice.tolist() == [batch.name_id("left")]
    assert collected(row, "own_1", drop_box="right").choice.tolist() == [-2]


# --- schedules of other games ----------------------------------------------------------------------------------------


def schedule_of(*parts: FeePart, moment: str = "before_deal") -> FeeSchedule:
    return FeeSchedule.model_validate(
        {
            "id": "x",
            "title": "x",
            "cite": CITE,
            "moment": moment,
            "moment_cite": CITE,
            "limits": {},
            "limits_cite": CITE,
            "parts": list(parts),
        }
    )


def part_of(payer: str, basis: str, *bands: tuple[int, int]) -> FeePart:
    """Bands in dollars."""
    unit = "players" if basis == "players_dealt_in" else "floor"
    made = [{unit: begins, "fee": rate} for begins, rate in bands]
    return FeePart.model_validate({"payer": payer, "basis": basis, "bands": made, "cite": CITE})


def test_the_printed_gap_of_the_black_jack_fees() -> None:
    part = part_of("player", "betting_spot", (10, 1), (105, 2), (205, 3))
    amounts = np.array([0, 999, 1000, 10000, 10300, 10499, 10500, 20000, 20499, 20500, 30000])
    assert fee(part, amounts).tolist() == [0, 0, 100, 100, 100, 100, 200, 200, 200, 300, 300]
    assert [band.floor for band in part.bands] == [FeeBand(floor=floor, fee=1).floor for floor in (10, 105, 205)]


def test_each_betting_circle_by_itself_and_the_base_wager_alone() -> None:
    bets = [Bet(2, "pai_gow", 15000), Bet(2, "fortune", 6000), Bet(2, "pai_gow", 20100, "B1"), Bet(3, "fortune", 1000)]
    batch = batch_of([Table(bets).row()])
    stakes = stakes_when_closed(resolve_wagers(batch))
    circles = part_of("player", "betting_spot", (10, 1), (201, 2))
    lines = fee_lines(batch, schedule_of(circles), stakes, "table")
    assert [
        (int(lines.seat[at]), batch.names[lines.bettor[at]], batch.names[lines.wager[at]], int(lines.paid[at]))
        for at in range(len(lines))
    ] == [(2, "", "pai_gow", 100), (2, "", "fortune", 100), (2, "B1", "pai_gow", 200), (3, "", "fortune", 100)]
    base = part_of("player", "base_wager", (5, 1), (101, 2))
    assert due(batch, fee_lines(batch, schedule_of(base), stakes, "table", base_wagers=["pai_gow"])) == {
        ("player", 2, ""): 200,  # $150, the bonus bet not counted
        ("player", 2, "B1"): 200,
    }
    named = base.model_copy(update={"wagers": ["fortune"]})  # a part may name what it is counted on itself
    assert due(batch, fee_lines(batch, schedule_of(named), stakes, "table", base_wagers=["pai_gow"])) == {
        ("player", 2, ""): 100,
        ("player", 3, ""): 100,
    }
    action = part_of("player_dealer", "total_table_action", (1, 1), (352, 2))  # $351 without the Fortune bets
    for wagers, taken in ((["pai_gow"], 100), (None, 200)):
        counted = action.model_copy(update={"wagers": wagers})
        assert fee_lines(batch, schedule_of(counted), stakes, "table").paid.tolist() == [taken]
    flat = part_of("player_dealer", "total_table_action", (0, 3))  # "$3.00" whatever is bet
    assert due(batch, fee_lines(batch, schedule_of(flat), stakes, "table")) == {("player_dealer", 1, ""): 300}


def test_a_square_with_several_bettors_pays_one_fee() -> None:
    bets = [Bet(2, "square_1", 6000), Bet(2, "square_1", 5000, "B1"), Bet(2, "square_2", 4000, "B1")]
    part = part_of("player", "betting_square", (10, 1), (105, 2))

    def charged(*taken_from: str) -> list[tuple[str, str, int]]:
        paid = [FactRow(Fact.COLLECTION, 70 + at, 2, who, "", amount=100) for at, who in enumerate(taken_from)]
        batch = batch_of([Table(bets, extra=paid).row()])
        lines = fee_lines(batch, schedule_of(part), stakes_when_closed(resolve_wagers(batch)), "table")
        columns = (lines.wager, lines.bettor, lines.paid)
        return [
            (batch.names[wager], batch.names[who], cents)
            for wager, who, cents in zip(*(column.tolist() for column in columns), strict=True)
        ]

    # $110 in the first square is one bet of the second tier; whose chips it is paid in nobody's rule says
    assert charged() == [("square_1", "", 200), ("square_2", "B1", 100)]
    assert charged("", "B1") == [("square_1", "", 200), ("square_2", "B1", 100)]
    assert charged("B1", "B1") == [("square_1", "B1", 200), ("square_2", "B1", 100)]


def test_a_poker_pot_pays_by_the_players_dealt_in() -> None:
    part = part_of("pot", "players_dealt_in", (1, 2), (5, 4), (6, 5))
    batch = batch_of([Table([]).row() for _ in range(4)])
    none = Stakes(*(np.zeros(0, np.int64) for _ in range(7)))
    lines = fee_lines(batch, schedule_of(part), none, "table", dealt_in=np.array([4, 5, 6, 9]))
    assert lines.paid.tolist() == [200, 400, 500, 500]
    assert lines.seat.tolist() == [0] * 4
    assert lines.stake.tolist() == [0] * 4  # heads are no money
    assert [lines.cites[cite].row for cite in lines.cite.tolist()] == [
        "with 4 players or fewer dealt in the pot pays $2.00",
        "with 5 players dealt in the pot pays $4.00",
        *["with 6 players or more dealt in the pot pays $5.00"] * 2,
    ]
    with pytest.raises(ValueError, match="number of players dealt in"):
        fee_lines(batch, schedule_of(part), none, "table")


def test_moments_of_other_games() -> None:
    row = Table([Bet(2, "ante", 1000), Bet(3, "ante", 1000)]).row()
    row.facts.append(FactRow(Fact.WAGER_PLACED, 100, 2, "", "play", amount=1000))
    row.shown.append(ShownRow(1, 0, 0, b"\x00\x01\x02", 110))
    row.shown.append(ShownRow(2, 0, 0, b"\x03\x04\x05", 105))
    batch = batch_of([row, Table([]).row(deal=False)])
    any_part = part_of("player_dealer", "total_table_action", (1, 1))

    def of(moment: str) -> list[list[int]]:
        return [seqs.tolist() for seqs in window(batch, schedule_of(any_part, moment=moment))]

    assert of("after_play_wagers") == [[100, -1], [110, -1]]  # before the player-dealer's cards are exposed
    assert of("after_final_hand") == [[92, 80], [-1, -1]]
