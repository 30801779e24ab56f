"""Racks in order, as simulated tables fill them, against the simulator's own record of who held what: a sample of what
`python -m benchmarks.clean_racks` does with 100,000 rounds of each pack."""

from __future__ import annotations

import numpy as np
import pytest

from replay.rounds import Fact
from tests.reconstruct.clean_racks import BOUND, GAMES, KINDS, kinds_of, rack_only, simulate_piece


@pytest.mark.slow
@pytest.mark.parametrize("pack", BOUND)
def test_every_rack_in_order_is_read_one_way_and_right(pack: str) -> None:
    piece = simulate_piece((pack, 77, 800, False))
    assert len(piece.rows) > 700
    assert kinds_of(pack, piece.rows, piece.played) == {"unique": len(piece.rows)}
    alone = list(zip(rack_only(piece.rows), piece.played, strict=True))
    banked = [one for one in alone if pack == "ma/pai_gow_poker" and one[0].fixed["bank_seat"] > 0]
    others = [one for one in alone if one not in banked]
    for these, most_ambiguous in ((banked, 0.35), (others, 0.05)):  # against a bank the order depends on who won
        read = kinds_of(pack, [row for row, _ in these], [played for _, played in these])
        assert read["wrong"] == read["remarked"] == 0
        assert read["ambiguous"] <= most_ambiguous * len(these)
    if pack == "ma/pai_gow_poker":
        kinds = [{Fact(fact.kind) for fact in row.facts} for row in piece.rows]
        assert sum(Fact.ENVY in each for each in kinds) > 5, "envy hands must be among them"
        assert sum(Fact.ACTION in each for each in kinds) > 20, "and surrendered ones"


@pytest.mark.slow
@pytest.mark.parametrize("pack", [pack for pack in GAMES if pack not in BOUND])
def test_every_rack_in_order_of_any_game_is_read_one_way_and_right(pack: str) -> None:
    piece = simulate_piece((pack, 77, 160, False))
    assert len(piece.rows) > 150
    assert kinds_of(pack, piece.rows, piece.played) == {"unique": len(piece.rows)}
    alone = kinds_of(pack, rack_only(piece.rows), piece.played)
    assert alone["wrong"] == alone["remarked"] == 0
    assert alone["unique"] > 0


def test_a_hand_of_any_game_read_wrong_is_noticed() -> None:
    piece = simulate_piece(("ca/fortune_pai_gow", 78, 32, False))
    played = dict(piece.played[0])
    played[1], played[2] = played[2], played[1]
    assert kinds_of("ca/fortune_pai_gow", piece.rows[:1], piece.played[:1]) == {"unique": 1}
    assert kinds_of("ca/fortune_pai_gow", piece.rows[:1], [played]) == {"wrong": 1}


def test_a_hand_read_wrong_is_noticed() -> None:
    """The judge itself: two seats' cards changed in the simulator's record make the reading wrong."""
    piece = simulate_piece(("ma/pai_gow_poker", 78, 8, False))
    played = dict(piece.played[0])
    played[1], played[2] = played[2], played[1]
    assert kinds_of("ma/pai_gow_poker", piece.rows[:1], piece.played[:1]) == {"unique": 1}
    assert kinds_of("ma/pai_gow_poker", piece.rows[:1], [played]) == {"wrong": 1}
    piece = simulate_piece(("ca/supreme_baccarat", 78, 8, False))
    played = {0: piece.played[0][1], 1: piece.played[0][0]}
    assert kinds_of("ca/supreme_baccarat", piece.rows[:1], [played]) == {"wrong": 1}
    assert set(KINDS) == set(BOUND)


def test_the_record_is_the_simulators_and_not_the_racks() -> None:
    """Asking for the hands changes nothing that the devices say."""
    piece = simulate_piece(("ma/pai_gow_poker", 79, 16, True))
    again = simulate_piece(("ma/pai_gow_poker", 79, 16, True))
    assert piece.events == again.events
    for row, hands in zip(piece.rows, piece.played, strict=True):
        held = np.sort(np.concatenate([np.array(cards) for cards in hands.values()]))
        assert np.array_equal(held, np.sort(np.frombuffer(row.rack, np.uint8)[4:])), "all but the stub"
