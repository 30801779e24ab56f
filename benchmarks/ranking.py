"""Our rankers beside eval7, phevaluator, treys and pokerkit, all in one run and on one core.

python -m benchmarks.ranking [--hands N]     batches, the limit, one hand at a time
python -m benchmarks.ranking steps           the steps of docs/ranking.md, running the code printed there
python -m benchmarks.ranking tables          the tables and their sizes

The peers take a hand at a time, as Python calls, and get it in their own form of a card before the clock starts; the
loop round them is `map`, in C. Each line is the best of several rounds, in which all contenders take turns: the machine
may be busy, but it is then busy for all of them. Compare the ratios; the absolute figures belong to one machine.
"""

from __future__ import annotations

import argparse
import importlib
import importlib.metadata
import inspect
import pkgutil
import time
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import starmap
from typing import get_type_hints

import numpy as np
from numpy.typing import NDArray

import replay.ranking
from replay.ranking import (
    Wheel,
    fortune_class,
    house_way,
    omaha_high,
    omaha_low,
    rank_best,
    rank_five,
    rank_one,
    rank_three,
)
from replay.ranking.folding import Folding
from replay.ranking.hands import Cards
from schemas.cards import CARD_NAMES, names_of
from tests.ranking.chapter import run_chapter
from tests.ranking.dealt import deal

ROUNDS = 5
PYTHON_HANDS = 50_000  # a peer that ranks hands one by one is not asked for millions
SLOW_HANDS = 2_000


@dataclass
class Contender:
    """Something that does `hands` hands each time it is run."""

    name: str
    hands: int
    run: Callable[[], object]
    seconds: float = float("inf")

    @property
    def rate(self) -> float:
        return self.hands / self.seconds


def race(contenders: Sequence[Contender], rounds: int = ROUNDS) -> None:
    """The best time of each, over rounds in which all take turns."""
    for _ in range(rounds):
        for contender in contenders:
            began = time.perf_counter()
            contender.run()
            contender.seconds = min(contender.seconds, time.perf_counter() - began)


def exhaust(results: Iterable[object]) -> None:
    deque(results, maxlen=0)


# ---- the peers -------------------------------------------------------------------------------------------------------


def eval7(cards: Cards) -> list[Contender]:
    library = importlib.import_module("eval7")
    of_code = [library.Card(name) for name in CARD_NAMES[:52]]
    hands = [[of_code[code] for code in hand] for hand in cards[:PYTHON_HANDS].tolist()]
    return [Contender("evaluate", len(hands), lambda: exhaust(map(library.evaluate, hands)))]


def phevaluator(cards: Cards) -> list[Contender]:
    """Its cards are numbered as ours. `_pheval` is the C function below its Python one: not a public name, shown to
    tell what a call from Python costs by itself."""
    library = importlib.import_module("phevaluator.evaluator")
    native = importlib.import_module("phevaluator._pheval")
    hands = cards[:PYTHON_HANDS].tolist()
    of_size, its_c = (getattr(module, f"evaluate_{cards.shape[1]}cards") for module in (library, native))
    return [
        Contender("evaluate_cards", len(hands), lambda: exhaust(starmap(library.evaluate_cards, hands))),
        Contender(of_size.__name__, len(hands), lambda: exhaust(starmap(of_size, hands))),
        Contender("_pheval (private)", len(hands), lambda: exhaust(starmap(its_c, hands))),
    ]


def treys(cards: Cards) -> list[Contender]:
    library = importlib.import_module("treys")
    of_code = [library.Card.new(name) for name in CARD_NAMES[:52]]
    hands = [[of_code[code] for code in hand] for hand in cards[:SLOW_HANDS].tolist()]
    boards, holes = [hand[2:] for hand in hands], [hand[:2] for hand in hands]
    evaluator = library.Evaluator()
    return [Contender("Evaluator.evaluate", len(hands), lambda: exhaust(map(evaluator.evaluate, holes, boards)))]


def pokerkit(cards: Cards) -> list[Contender]:
    library = importlib.import_module("pokerkit")
    hands = [tuple(library.Card.parse(names_of(hand).replace(" ", ""))) for hand in cards[:SLOW_HANDS].tolist()]
    from_game = library.StandardHighHand.from_game
    return [Contender("StandardHighHand.from_game", len(hands), lambda: exhaust(map(from_game, hands)))]


def phevaluator_omaha(cards: Cards) -> list[Contender]:
    """The board first, then the hole cards."""
    if not installed("phevaluator"):
        return []
    library = importlib.import_module("phevaluator.evaluator_omaha")
    hands = cards[:PYTHON_HANDS].tolist()
    name = f"phevaluator {installed('phevaluator')} evaluate_omaha_cards"
    return [Contender(name, len(hands), lambda: exhaust(starmap(library.evaluate_omaha_cards, hands)))]


PEERS: tuple[Callable[[Cards], list[Contender]], ...] = (eval7, phevaluator, treys, pokerkit)


def installed(name: str) -> str | None:
    """The version of a library; None if it is not installed."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def peers(cards: Cards) -> list[Contender]:
    """Those that are installed; a line about those that are not."""
    found = []
    for peer in PEERS:
        name = peer.__name__
        version = installed(name)
        if version is None:
            print(f"  {name} is not installed and is left out: pip install {name}")
            continue
        contenders = peer(cards)
        for contender in contenders:
            contender.name = f"{name} {version} {contender.name}"
        found += contenders
    return found


def fastest(contenders: Iterable[Contender]) -> Contender | None:
    public = [contender for contender in contenders if "private" not in contender.name]
    return max(public, key=lambda contender: contender.rate, default=None)


def show(contenders: Iterable[Contender], beside: Contender | None) -> None:
    for contender in contenders:
        ratio = f"{contender.rate / beside.rate:10.2f} ×" if beside else ""
        print(f"  {contender.name:<52}{contender.rate:>14,.0f} hands/s{ratio}")


# ---- our batches -----------------------------------------------------------------------------------------------------


def gathers(cards: Cards, table: NDArray[np.int64], each: int) -> Callable[[], None]:
    """So many table look-ups a card and nothing else, in the blocks the rankers work in and the way they do it."""
    block = 1 << 15

    def run() -> None:
        for start in range(0, len(cards), block):
            rows = cards[start : start + block]
            found = np.empty(len(rows), np.int64)
            for column in rows.T:
                for _ in range(each):
                    np.take(table, column, out=found, mode="clip")

    return run


def batches(hands: int) -> None:
    seven, with_joker, five = deal(hands, 7, 52), deal(hands, 7, 53), deal(hands, 5, 53)
    with_joker[:, 3] = np.where((with_joker == 52).any(axis=1), with_joker[:, 3], 52)  # a joker in every hand
    played = deal(hands, 7, 53, seed=5)  # and as often as it is dealt
    few = max(hands // 8, 1)
    nine = deal(few, 9, 52)
    table = np.arange(53, dtype=np.int64)
    ours = [
        Contender("rank_best, seven of 52", hands, lambda: rank_best(seven, Wheel.LOWEST, joker=False)),
        Contender("rank_best, seven of 53", hands, lambda: rank_best(played, Wheel.LOWEST, joker=True)),
        Contender(
            "rank_best, seven, each with the joker", hands, lambda: rank_best(with_joker, Wheel.LOWEST, joker=True)
        ),
    ]
    others = [
        Contender("rank_five, five of 53", hands, lambda: rank_five(five, Wheel.LOWEST)),
        Contender("fortune_class, seven of 53", hands, lambda: fortune_class(played)),
        Contender("house_way, seven of 53", few, lambda: house_way(played[:few], Wheel.LOWEST)),
        Contender("rank_three, three of 53", hands, lambda: rank_three(five[:, :3], joker=True)),
    ]
    omaha = [
        Contender("omaha_high", few, lambda: omaha_high(nine[:, 5:], nine[:, :5])),
        Contender("omaha_low", few, lambda: omaha_low(nine[:, 5:], nine[:, :5])),
    ]
    omaha_peer = phevaluator_omaha(nine)
    limits = [
        Contender("one gather a card, and nothing else", hands, gathers(played, table, 1)),
        Contender("two gathers a card, and nothing else", hands, gathers(played, table, 2)),
        Contender("the cards copied, and nothing else", hands, lambda: played.copy()),
    ]
    for contender in (*ours, *others, *omaha):
        contender.run()  # builds its tables
    print("Seven cards, in batches; ratios are to the fastest public call of another library (seven of 52)")
    others_calls = peers(seven)
    race([*ours, *others, *omaha, *omaha_peer, *limits, *others_calls])
    best = fastest(others_calls)
    show([*others_calls, *ours], best)
    print("Other rankers, in batches; the same ratio")
    show(others, best)
    print("Omaha, in batches; ratios are to phevaluator's high hand")
    show([*omaha_peer, *omaha], fastest(omaha_peer))
    print("The limit; ratios are to rank_best of seven of 53")
    show(limits, ours[1])
    two_gathers = limits[1]
    print(f"  rank_best runs at {ours[1].rate / two_gathers.rate:.0%} of the rate of two bare gathers a card")


# ---- one hand --------------------------------------------------------------------------------------------------------


def one_by_one() -> None:
    for size in (7, 5):
        natural, dealt = deal(PYTHON_HANDS, size, 52), deal(PYTHON_HANDS, size, 53)
        ours = [
            alone("rank_one, of 52", natural, joker=False),
            alone("rank_one, of 53", dealt, joker=True),
            in_batches_of_one("rank_best, a batch of one", dealt[:SLOW_HANDS]),
        ]
        theirs = peers(natural)
        for contender in ours:
            contender.run()
        race([*ours, *theirs])
        beside = next((contender for contender in theirs if "evaluate_cards" in contender.name), None)
        print(f"One hand of {size} at a time; ratios are to phevaluator's Python call, evaluate_cards")
        show([*theirs, *ours], beside)


def alone(name: str, cards: Cards, joker: bool) -> Contender:
    hands = [hand.tobytes() for hand in cards]
    return Contender(name, len(hands), lambda: exhaust(rank_one(hand, Wheel.LOWEST, joker) for hand in hands))


def in_batches_of_one(name: str, cards: Cards) -> Contender:
    rows = [hand[None] for hand in cards]
    return Contender(name, len(rows), lambda: exhaust(rank_best(row, Wheel.LOWEST, joker=True) for row in rows))


# ---- the chapter -----------------------------------------------------------------------------------------------------


def steps(hands: int) -> None:
    chapter = run_chapter()
    natural, dealt = deal(hands, 7, 52), deal(hands, 7, 53)
    few, some = natural[:SLOW_HANDS].tolist(), natural[:PYTHON_HANDS].tolist()
    ladder = [
        Contender("1 naive: the best of 21 fives", len(few), lambda: exhaust(map(chapter["naive"], few))),
        Contender("2 remember by sorted ranks", len(some), lambda: exhaust(map(chapter["by_sorted_ranks"], some))),
        Contender("3 look up by the sum of keys", len(some), lambda: exhaust(map(chapter["by_sum"], some))),
        alone("4 rank_one: suits, the joker, every check", dealt[:PYTHON_HANDS], joker=True),
        Contender("5 rank_best: columns instead of hands", hands, lambda: rank_best(dealt, Wheel.LOWEST, joker=True)),
    ]
    for contender in ladder[1:]:
        contender.run()
    race(ladder, rounds=3)
    print("The steps of docs/ranking.md, seven cards; ratios are to the naive definition")
    show(ladder, ladder[0])


def tables() -> None:
    """Every cached array in replay.ranking, for seven cards and the first value of an option."""
    total = 0
    for module_info in pkgutil.iter_modules(replay.ranking.__path__, "replay.ranking."):
        module = importlib.import_module(module_info.name)
        for name, function in vars(module).items():
            if not hasattr(function, "cache_info") or function.__module__ != module.__name__:
                continue
            hints = get_type_hints(function.__wrapped__)
            of = [hints[parameter] for parameter in inspect.signature(function).parameters]
            if not all(isinstance(kind, type) and (kind is int or issubclass(kind, Enum)) for kind in of):
                continue  # takes something that is no option, such as a list of classes
            table = function(*(7 if kind is int else next(iter(kind)) for kind in of))
            if isinstance(table, Folding):
                table = table.offsets
            if isinstance(table, np.ndarray):
                total += table.nbytes
                called = f"{module.__name__.removeprefix('replay.ranking.')}.{name}"
                print(f"  {called:<40}{table.nbytes:>14,} bytes  {table.dtype!s:<7}{table.shape}")
    print(f"  {'in all':<40}{total:>14,} bytes")


if __name__ == "__main__":
    arguments = argparse.ArgumentParser(prog="python -m benchmarks.ranking", description="Measure the rankers")
    arguments.add_argument("what", nargs="?", choices=("all", "steps", "tables"), default="all")
    arguments.add_argument("--hands", type=int, default=2_000_000, help="hands in a batch")
    asked = arguments.parse_args()
    if asked.what == "steps":
        steps(asked.hands)
    elif asked.what == "tables":
        tables()
    else:
        batches(asked.hands)
        one_by_one()
