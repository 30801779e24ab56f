"""Massachusetts Pai Gow Poker against a slow table in plain Python, and what its devices may leave out."""

from __future__ import annotations

import random
from itertools import combinations

import numpy as np
import pytest

from replay.rounds import OUTCOME_CODE, OUTCOMES, Fact
from tests.packs.pai_gow_poker_checked import agrees, run, settlements
from tests.packs.pai_gow_poker_table import Played, play, rearranged, row_of
from tests.ranking.by_definition import is_foul, score_five, score_two

METHODS = ("manual_shoe", "hand", "automated_shoe")


def many(seed: int, count: int, method: str, **how: object) -> list[Played]:
    rng = random.Random(seed)
    return [play(rng, method, rich=number % 2 == 1, **how) for number in range(count)]  # type: ignore[arg-type]


@pytest.mark.parametrize("method", METHODS)
def test_everything_seen_gives_exactly_what_the_table_settled(method: str) -> None:
    rounds = many(1, 150, method)
    batch, checked = run([row_of(played) for played in rounds], dealing=method)
    assert [(r.code, r.sentence) for r in checked.remarks] == []
    assert checked.alternatives == {}
    assert checked.left_open == {}
    for row, played in enumerate(rounds):
        assert agrees(batch, checked.lines, row, played, set()), row


def test_other_options_settle_as_the_table_does() -> None:
    rounds = many(2, 150, "manual_shoe", wheel_is_lowest=True, forfeits=True)
    batch, checked = run([row_of(p) for p in rounds], wheel="lowest", surrendered_bonus="forfeited")
    assert [(r.code, r.sentence) for r in checked.remarks] == []
    for row, played in enumerate(rounds):
        assert agrees(batch, checked.lines, row, played, set()), row


def test_the_rack_alone_is_enough_or_says_what_it_leaves_open() -> None:
    """No deal, no hand shown: what the table settled is always among the readings, and never contradicted. (No fouls:
    by rulings.md R-51 a setting nobody saw is taken not to be one.)"""
    rounds = many(3, 300, "manual_shoe", foul_share=0.0)
    batch, checked = run([row_of(p, deal_read=False, shown=set()) for p in rounds])
    assert [(r.code, r.sentence) for r in checked.remarks] == []
    assert checked.left_open == {}
    for row, played in enumerate(rounds):
        unseen = {seat for seat in played.bets if rearranged(played, seat, False)}
        readings = checked.alternatives.get(row, [checked.lines])
        assert any(agrees(batch, reading, row, played, unseen) for reading in readings), row
    assert len(checked.alternatives) > 20, "the premium hands must make some racks ambiguous"
    assert len(checked.alternatives) < 200


def test_an_unseen_setting_leaves_exactly_the_outcomes_of_settings_that_are_not_foul() -> None:
    """rulings.md R-51, all twenty-one settings tried by hand."""
    rounds = many(10, 40, "manual_shoe", fortune_share=1.0)
    batch, checked = run([row_of(p, shown=set()) for p in rounds])
    several = 0
    for row, played in enumerate(rounds):
        wagers, _ = settlements(batch, checked.lines, row)
        front, back = score_two(played.settings[0][0]), score_five(played.settings[0][1], False)
        for seat, bet in played.bets.items():
            if bet.surrenders:
                continue
            allowed = set()
            for low in combinations(played.hands[seat], 2):
                high = tuple(card for card in played.hands[seat] if card not in low)
                if not is_foul(low, high, False):
                    better = (score_two(low) > front) + (score_five(high, False) > back)
                    allowed.add(("lose", "push", "win")[better])
            assert wagers[seat, "pai_gow"][0] == allowed
            several += len(allowed) > 1
    assert several > 50


def test_the_deal_pins_down_which_hand_stayed_on_the_table() -> None:
    rounds = many(3, 300, "manual_shoe", foul_share=0.0)
    batch, checked = run([row_of(p, shown=set()) for p in rounds])
    assert checked.remarks == []
    assert checked.alternatives == {}
    for row, played in enumerate(rounds):
        unseen = {seat for seat in played.bets if rearranged(played, seat, False)}
        assert agrees(batch, checked.lines, row, played, unseen), row


def test_hands_shown_pin_down_which_hand_stayed_on_the_table() -> None:
    rounds = many(3, 300, "manual_shoe")
    batch, checked = run([row_of(p, deal_read=False) for p in rounds])
    assert checked.remarks == []
    for row, played in enumerate(rounds):
        readings = checked.alternatives.get(row, [checked.lines])
        assert any(agrees(batch, reading, row, played, set()) for reading in readings), row
        exposed = [seat for seat, bet in played.bets.items() if not bet.surrenders]
        if len(exposed) == len(played.bets):
            assert row not in checked.alternatives


@pytest.mark.parametrize("method", METHODS)
def test_the_deal_alone_gives_the_hands(method: str) -> None:
    rounds = many(4, 80, method)
    rows = [row_of(p) for p in rounds]
    for row in rows:
        row.rack = b""
    batch, checked = run(rows, dealing=method)
    assert [(r.code, r.sentence) for r in checked.remarks] == []
    assert checked.left_open == {}
    for number, played in enumerate(rounds):
        assert agrees(batch, checked.lines, number, played, set()), number


def test_hands_shown_alone_settle_what_was_shown() -> None:
    rounds = many(5, 60, "manual_shoe", bets=None)
    rows = [row_of(p, deal_read=False) for p in rounds]
    for row in rows:
        row.rack = b""
    batch, checked = run(rows)
    assert {r.code for r in checked.remarks} == {"RACK-322"}
    for number, played in enumerate(rounds):
        if not any(bet.surrenders and bet.fortune for bet in played.bets.values()):
            assert number not in checked.left_open
            assert agrees(batch, checked.lines, number, played, set()), number
        else:
            assert "the cards of seat" in checked.left_open[number]


def test_a_batch_of_many_is_the_same_as_many_batches_of_one() -> None:
    rounds = many(6, 40, "manual_shoe")
    rows = [row_of(p, deal_read=n % 2 == 0, shown=set() if n % 3 else None) for n, p in enumerate(rounds)]
    batch, together = run(rows)
    for number, row in enumerate(rows):
        alone_batch, alone = run([row])
        assert len(together.alternatives.get(number, [])) == len(alone.alternatives.get(0, []))
        assert settlements(batch, together.lines, number) == settlements(alone_batch, alone.lines, 0)


def test_an_empty_batch_and_a_round_without_wagers() -> None:
    _, checked = run([])
    assert len(checked.lines) == 0
    assert checked.remarks == []
    played = play(random.Random(7), bets={})
    _, checked = run([row_of(played)])
    assert len(checked.lines) == 0
    assert checked.remarks == []


def test_vigorish_flag_and_outcome_codes() -> None:
    batch, checked = run([row_of(p) for p in many(8, 20, "manual_shoe")])
    pai_gow = checked.lines.wager == batch.name_id("pai_gow")
    wagers = checked.lines.kind == Fact.SETTLED
    assert (checked.lines.vigorish[pai_gow & wagers] == 1).all()
    assert (checked.lines.vigorish[~pai_gow] == 0).all()
    won = checked.lines.outcome == OUTCOME_CODE[OUTCOMES[0]]
    assert (checked.lines.paid[won & pai_gow] == checked.lines.stake[won & pai_gow]).all()
    assert checked.vigorish is not None
    assert checked.vigorish(np.array([2500, 550])).tolist() == [125, 50]


def test_people_can_read_the_round() -> None:
    played = play(random.Random(9))
    _, checked = run([row_of(played)])
    views = checked.hands(0)
    assert views[0].place == "dealer"
    assert {view.place for view in views[1:]} == {f"seat {seat}" for seat in played.bets}
    assert "low" in views[0].note
    assert checked.settlement_order(0)
