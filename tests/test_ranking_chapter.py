"""docs/ranking.md: its program runs, its functions agree with the rankers, and the commands it names exist."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from replay.ranking import Wheel, rank_best
from tests.ranking.chapter import CHAPTER, run_chapter
from tests.ranking.dealt import deal


@pytest.fixture(scope="module")
def chapter() -> dict[str, Any]:
    return run_chapter()


@pytest.mark.parametrize("step", ["naive", "by_sorted_ranks", "by_sum"])
def test_each_step_orders_hands_as_the_rankers_do(chapter: dict[str, Any], step: str) -> None:
    hands = deal(3_000, 7, 52)
    of_26 = deal(1_000, 7, 26)
    hands[::3] = of_26 // 2 * 4 + of_26 % 2  # two suits only, so that flushes and straight flushes come up
    scores = [chapter[step](hand) for hand in hands.tolist()]
    place = {score: number for number, score in enumerate(sorted(set(scores)))}
    ours = np.unique(rank_best(hands, Wheel.LOWEST, joker=False), return_inverse=True)[1]
    assert ours.tolist() == [place[score] for score in scores]


def test_in_columns_finds_the_suited_rows(chapter: dict[str, Any]) -> None:
    hands = deal(5_000, 7, 53)
    words, by_sum = np.array(chapter["WORDS"]), np.zeros(1 << 24, np.int8)
    _, suited = chapter["in_columns"](hands, words, by_sum)
    held = [max(sum(code % 4 == suit or code == 52 for code in hand) for suit in range(4)) for hand in hands.tolist()]
    assert suited.tolist() == [row for row, most in enumerate(held) if most >= 5]


def test_named_files_exist() -> None:
    text = CHAPTER.read_text(encoding="utf-8")
    root = CHAPTER.parent.parent
    named = set(re.findall(r"`((?:replay|tests|schemas|benchmarks)/[\w/]+\.py)`", text))
    assert named
    assert [path for path in sorted(named) if not (root / path).is_file()] == []
