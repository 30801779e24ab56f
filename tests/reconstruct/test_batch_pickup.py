"""The clean path: a procedure over columns is the procedure by hand, and doing rounds at once is doing them alone."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replay.cards.pickup.situation import Key
from replay.cards.pickup.words import Word
from replay.cards.solver.batch import HandColumns, arrange, gather, starts_of
from replay.cards.solver.layout import BOARD, BURNS, STUB
from replay.families.split_hands import hands as pai_gow_hands
from replay.families.split_hands.game import check, rebuild_hands
from replay.families.split_hands.solver import Evidence, Solved, solve
from replay.rounds import Ragged, RoundRow, batch_of
from schemas.cards import NO_CARD
from tests.packs.pai_gow_poker_checked import filing, settlements
from tests.packs.pai_gow_poker_table import PAYS, Bets, play, row_of
from tests.ranking.by_definition import best_paying
from tests.reconstruct.pickup_by_hand import GAMES, Round, around, blackjack, poker
from tests.reconstruct.pickup_rounds import key_of, procedure_of, rack_of, ring_of, rounds, words_of


@pytest.mark.parametrize("game", GAMES)
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_columns_give_the_order_a_dealer_gives_round_by_round(game: str, data: st.DataObject) -> None:
    """Rounds with the same hands on the table and anything else about them, in one batch: order and cards."""
    first = data.draw(rounds(game))
    keys = [key_of(hand) for hand in first.hands]
    batch = [first]
    for _ in range(4):
        other = data.draw(rounds(game))
        if [key_of(hand) for hand in other.hands] == keys and other.seats == first.seats:
            batch.append(other)
    around_hands = {STUB: [len(r.stub) for r in batch]} if GAMES[game] is not blackjack else {}
    if GAMES[game] is poker:
        around_hands |= {BOARD: [len(r.board) for r in batch], BURNS: [len(r.burns) for r in batch]}
    columns = (*(Key(place) for place in around_hands), *keys)
    counts = np.array(
        [
            [*(sizes[row] for sizes in around_hands.values()), *(len(hand.cards) for hand in played.hands)]
            for row, played in enumerate(batch)
        ]
    )
    words = {word: np.zeros((len(batch), len(columns)), bool) for word in Word}
    acted = np.full((len(batch), len(columns)), -1, np.int64)
    for row, played in enumerate(batch):
        for column, hand in enumerate(played.hands, len(around_hands)):
            for word in words_of(game, played, hand, known=True)[0]:
                words[word][row, column] = True
            gone = hand.surrendered if hand.folded is None else hand.folded
            acted[row, column] = -1 if gone is None else gone
    button = np.array([played.button for played in batch])
    made = arrange(procedure_of(game), HandColumns(columns, words, acted, len(batch), button), ring_of(game, first))
    racks = [rack_of(game, played) for played in batch]
    rack = Ragged(np.cumsum([0, *map(len, racks)]), np.frombuffer(b"".join(racks), np.uint8))
    cards = gather(rack, np.arange(len(batch)), starts_of(made.order, counts), counts, int(counts.max()))
    for row, played in enumerate(batch):
        assert [columns[at] for at in made.order[row]] == in_rack(game, played)
        for column, hand in enumerate(played.hands, len(around_hands)):
            held = [card for card in cards[row, column].tolist() if card != NO_CARD]
            assert sorted(held) == sorted(hand.cards)


def in_rack(game: str, played: Round) -> list[Key]:
    """Every piece in rack order, by hand."""
    hands = [key_of(hand) for hand in GAMES[game](played)]
    if GAMES[game] is blackjack:
        return hands
    if around(game, played)[1] or GAMES[game] is poker:
        return [*hands, Key(BOARD), Key(BURNS), Key(STUB)]
    return [Key(STUB), *hands]


# ---- envy hands in batches ------------------------------------------------------------------------------------------


def rows(seen: Callable[[int], dict[str, object]], count: int = 250) -> list[RoundRow]:
    rng = random.Random(17)
    return [row_of(play(rng, rich=number % 2 == 1), **seen(number)) for number in range(count)]  # type: ignore[arg-type]


EVIDENCE: dict[str, Callable[[int], dict[str, object]]] = {
    "rack alone": lambda number: {"deal_read": False, "shown": set()},
    "rack and some hands shown": lambda number: {"deal_read": False, "shown": {0, 1 + number % 6}},
    "rack and deal": lambda number: {"deal_read": True, "shown": set()},
    "everything": lambda number: {},
}


@pytest.mark.parametrize("evidence", EVIDENCE)
def test_premium_hands_all_at_once_are_read_as_they_are_one_by_one(
    evidence: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    batch = batch_of(rows(EVIDENCE[evidence]))
    at_once = check(batch, filing())
    readings_at_once = rebuild_hands(batch, filing()).hands.readings
    done: list[int] = []

    def counted(seen: Evidence) -> Solved:
        done.append(seen.row)
        return solve(seen)

    monkeypatch.setattr(pai_gow_hands, "solve", counted)
    check(batch, filing())
    few = len(done)
    monkeypatch.setattr(pai_gow_hands, "_one_stayed", lambda *args: iter(()))
    alone = check(batch, filing())
    assert len(done) - few > few + 10, "rounds with one premium hand must go through the batch"
    assert alone.remarks == at_once.remarks
    assert (alone.left_open, alone.no_rule) == (at_once.left_open, at_once.no_rule)
    assert list(alone.alternatives) == list(at_once.alternatives)
    readings_alone = rebuild_hands(batch, filing()).hands.readings
    assert {row: len(each) for row, each in readings_alone.items()} == {
        row: len(each) for row, each in readings_at_once.items()
    }
    for row in range(len(batch)):
        one = [settlements(batch, each, row) for each in alone.alternatives.get(row, [alone.lines])]
        other = [settlements(batch, each, row) for each in at_once.alternatives.get(row, [at_once.lines])]
        assert one == other
        assert alone.hands(row) == at_once.hands(row)


def test_a_hand_that_stayed_but_was_last_anyway_is_one_reading() -> None:
    """With bonus wagers below $5 only, one section has a premium hand stay and another does not; at the last seat that
    makes no difference to the rack, so there is nothing to be in doubt about."""
    rng = random.Random(3)
    found: list[RoundRow] = []
    while len(found) < 3:
        played = play(rng, rich=True, bets={1: Bets(1000, 100), 6: Bets(1000, 100)}, foul_share=0.0)
        premium = [place for place in range(7) if PAYS.get(best_paying(played.hands[place]), (0, 0))[1]]
        if premium == [6]:
            found.append(row_of(played, deal_read=False))
    batch = batch_of(found)
    assert rebuild_hands(batch, filing()).hands.readings == {}
    assert check(batch, filing()).alternatives == {}


MORE_AND_MORE = [
    ("rack alone", "rack and some hands shown"),
    ("rack alone", "rack and deal"),
    ("rack and some hands shown", "everything"),
    ("rack and deal", "everything"),
]


@pytest.mark.parametrize(("less", "more"), MORE_AND_MORE)
def test_a_pai_gow_round_with_one_reading_never_gets_a_second_by_seeing_more(less: str, more: str) -> None:
    fewer, further = (check(batch_of(rows(EVIDENCE[each])), filing()) for each in (less, more))
    assert fewer.remarks == []
    assert further.remarks == []
    assert set(further.alternatives) <= set(fewer.alternatives)
    assert (len(fewer.alternatives) > 10) is (less != "rack and deal"), "there must be something to take away"
