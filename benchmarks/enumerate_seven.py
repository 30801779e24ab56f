"""Count the Fortune class of all 154,143,080 sevens from 53 cards, and time it.

python -m benchmarks.enumerate_seven [king_queen|ace_king]
"""

from __future__ import annotations

import sys
import time
from itertools import combinations
from math import comb

import numpy as np

from replay.ranking import FORTUNE_CLASS_NAMES, RoyalMatch, fortune_class

DECK = 53


def count_classes(royal_match: RoyalMatch) -> list[int]:
    """How many sevens are of each `FortuneClass`: for each two lowest cards, with every five above them."""
    fives = np.fromiter((card for five in combinations(range(DECK), 5) for card in five), np.uint8).reshape(-1, 5)
    counts = np.zeros(len(FORTUNE_CLASS_NAMES), np.int64)
    for lowest, second in combinations(range(DECK - 5), 2):
        above = fives[len(fives) - comb(DECK - 1 - second, 5) :]  # in order, so the fives above `second` are the last
        sevens = np.empty((len(above), 7), np.uint8)
        sevens[:, 0], sevens[:, 1], sevens[:, 2:] = lowest, second, above
        counts += np.bincount(fortune_class(sevens, royal_match), minlength=len(counts))
    return [int(count) for count in counts]


if __name__ == "__main__":
    started = time.perf_counter()
    counts = count_classes(RoyalMatch(sys.argv[1] if len(sys.argv) > 1 else RoyalMatch.KING_QUEEN))
    seconds = time.perf_counter() - started
    for name, count in zip(FORTUNE_CLASS_NAMES, counts, strict=True):
        print(f"{count:>13,}  {name}")
    print(f"{sum(counts):>13,}  hands in {seconds:.1f} s, {sum(counts) / seconds / 1e6:.1f} million a second")
