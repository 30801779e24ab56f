"""A case that is no round of Supreme Baccarat says why."""

from __future__ import annotations

import pytest

from replay.case_run import check_case
from schemas.cases import Case, CaseError


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"hands": {"player": ["As", "Kd"]}}, "hands.banker is missing"),
        ({"hands": {"player": ["As"], "banker": ["As", "Kd"]}}, "hands.player is 1 card;"),
        ({"hands": {"player": ["As", "Kd"], "banker": ["As", "Kd"], "board": ["As"]}}, "no hand 'board'"),
        ({"seats": {2: {"cards": "As Kd"}}}, "seat 2 only has wagers"),
        ({"dealer": {"cards": "As Kd"}}, "the dealer has no hand here"),
        ({"bank": {"seat": 1, "kind": "bank"}}, "bank.kind is player_dealer"),
    ],
)
def test_a_case_that_is_no_round_of_this_game_says_why(change: dict[str, object], words: str) -> None:
    said = {"name": "x", "pack": "ca/supreme_baccarat", "hands": {"player": ["9s", "Kd"], "banker": ["7c", "Th"]}}
    with pytest.raises(CaseError, match=words):
        check_case(Case.model_validate(said | change))
