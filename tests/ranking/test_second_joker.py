"""The second joker, in everything that takes hands: read as the card it is, or refused by its name. Never dropped, and
never taken for the first one, by a table that ends with that."""

from __future__ import annotations

import importlib
import inspect
import pkgutil
from collections.abc import Callable

import numpy as np
import pytest

import replay.ranking
from console import show
from replay.cards.deck_history import Report
from replay.naming import cards_of, names, set_of
from replay.ranking import Game, Joker, Wheel
from replay.ranking.five import rank_bits
from replay.ranking.hands import Cards, as_hands, known_cards
from replay.ranking.keys import FIVE_KEYS, SEVEN_KEYS, card_words, table_by_sum, word_sums
from replay.ranking.rank_sets import rank_set_blocks, suit_bits
from replay.ranking.seven import rank_counts
from replay.ranking.seven_classes import SevenSplits
from schemas.cards import codes_of, name_of

SEVEN = "X2 As Ks Qs Js 2d 3c"
WORDS = {5: card_words(FIVE_KEYS, 5), 7: card_words(SEVEN_KEYS, 7)}


def hands(text: str) -> Cards:
    return np.array([list(codes_of(text))], np.uint8)


def first(count: int) -> Cards:
    return hands(" ".join(SEVEN.split()[:count]))


REFUSED: dict[str, Callable[[], object]] = {
    "baccarat.button_value": lambda: replay.ranking.button_value(first(2)),
    "baccarat.totals": lambda: replay.ranking.totals(first(3)),
    "baccarat.values": lambda: replay.ranking.values(first(2)),
    "best.rank_best": lambda: replay.ranking.rank_best(first(7), Wheel.LOWEST, joker=True),
    "blackjack.blackjack_totals": lambda: replay.ranking.blackjack_totals(first(2)),
    "blackjack.three_eights": lambda: replay.ranking.three_eights(first(3)),
    "classes.check_cards": lambda: replay.ranking.check_cards(first(7), Game.PAI_GOW_POKER),
    "classes.classify": lambda: replay.ranking.classify(first(7), ["flush"], Game.PAI_GOW_POKER),
    "five.rank_bits": lambda: rank_bits(first(5)),
    "five.rank_five": lambda: replay.ranking.rank_five(first(5), Wheel.LOWEST),
    "hands.as_hands": lambda: as_hands(first(5), 5),
    "hands.check_hands": lambda: replay.ranking.check_hands(first(5), 5),
    "hands.known_cards": lambda: known_cards(first(5)),
    "house_way.house_way": lambda: replay.ranking.house_way(first(7), Wheel.LOWEST),
    "house_way.house_way_rule": lambda: replay.ranking.house_way_rule(first(7)),
    "house_way_eight.house_way_eight": lambda: replay.ranking.house_way_eight(hands(f"{SEVEN} 9h")),
    "keys.table_by_sum": lambda: table_by_sum(first(5), WORDS[5], np.zeros(1, np.int32), -1),
    "keys.word_sums": lambda: word_sums(first(5), WORDS[5]),
    "omaha.omaha_high": lambda: replay.ranking.omaha_high(first(4), hands("2c 3c 4c 5c 6c")),
    "omaha.omaha_low": lambda: replay.ranking.omaha_low(first(4), hands("2c 3c 4c 5c 6c")),
    "rank_sets.rank_set_blocks": lambda: list(rank_set_blocks(first(7))),
    "rank_sets.suit_bits": lambda: suit_bits(first(7)),
    "seven.fortune_class": lambda: replay.ranking.fortune_class(first(7)),
    "seven.premium": lambda: replay.ranking.premium(first(7)),
    "seven.rank_counts": lambda: rank_counts(first(7)),
    "seven_classes.pai_gow_high": lambda: replay.ranking.pai_gow_high(first(7), Joker.SEMI_WILD),
    "single.rank_one": lambda: replay.ranking.rank_one(codes_of("X2 As Ks Qs Js"), Wheel.LOWEST, joker=True),
    "splits.all_splits": lambda: replay.ranking.all_splits(first(7)),
    "three.rank_three": lambda: replay.ranking.rank_three(first(3), joker=True),
    "two.foul": lambda: replay.ranking.foul(first(2), hands("2c 3c 4c 5c 6d"), Wheel.LOWEST),
    "two.rank_two": lambda: replay.ranking.rank_two(first(2)),
}
ANSWERED = {"house_way_four.house_way_four", "supreme.foul_supreme", "supreme.rank_supreme"}
NOT_ASKED = {"hand_class.first_formed"}  # is given classes that look for themselves, and those are asked below


def asked_with_cards() -> set[str]:
    """Every public function of the ranking whose first argument is cards."""
    found = set()
    for module in pkgutil.iter_modules(replay.ranking.__path__):
        within = importlib.import_module(f"replay.ranking.{module.name}")
        for name, function in inspect.getmembers(within, inspect.isfunction):
            arguments = list(inspect.signature(function).parameters.values())
            takes = bool(arguments) and (arguments[0].annotation == "Cards" or arguments[0].name == "codes")
            if function.__module__ == within.__name__ and not name.startswith("_") and takes:
                found.add(f"{module.name}.{name}")
    return found


def test_every_function_that_takes_hands_is_asked_here() -> None:
    assert asked_with_cards() == REFUSED.keys() | ANSWERED | NOT_ASKED


@pytest.mark.parametrize("name", sorted(REFUSED))
def test_a_game_of_one_joker_or_none_refuses_the_second(name: str) -> None:
    with pytest.raises(ValueError, match="X2"):
        REFUSED[name]()


def test_a_look_at_seven_cards_refuses_it_whatever_it_is_asked() -> None:
    for asked in ("splits", "counts", "seven_card_straight_flush", "high_rank", "pai_gow", "pai_gow_ace_only"):
        with pytest.raises(ValueError, match="X2"):
            getattr(SevenSplits(first(7)), asked)


@pytest.mark.parametrize("game", sorted(Game))
def test_every_game_refuses_it_or_has_two(game: Game) -> None:
    its = replay.ranking.CLASS_LISTS[game]
    cards = hands(" ".join(["X2", *(name_of(code) for code in range(its.size - 1))]))
    if game is Game.SUPREME_PAI_GOW:
        assert replay.ranking.classify(hands("X2 2c 2d 2h"), its.names, game) == replay.ranking.classify(
            hands("X1 2c 2d 2h"), its.names, game
        )
        return
    with pytest.raises(ValueError, match="X2"):
        its.classify(cards, its.names)


def test_where_there_are_two_either_is_as_good_as_the_other() -> None:
    for others in ("As", "9d", "Kc", "3h", "6s"):
        one, other = (replay.ranking.rank_supreme(hands(f"{joker} {others}")) for joker in ("X1", "X2"))
        assert one == other
        low, high = hands(f"X2 {others}"), hands("8c 9c")
        assert replay.ranking.foul_supreme(low, high) == replay.ranking.foul_supreme(hands(f"X1 {others}"), high)
    set_by_house = [names(replay.ranking.house_way_four(hands(f"{joker} 9s Kd 2c"))[0]) for joker in ("X1", "X2")]
    assert set_by_house[1] == set_by_house[0].replace("X1", "X2") and "X2" in set_by_house[1]


def test_words_and_pictures_have_it() -> None:
    both = codes_of("X1 X2 As")
    assert names(cards_of(set_of(both))) == "X2 X1 As"
    assert show.cards_text("X1 X2 As").plain == "Joker Joker2 A♠"
    assert show.cards_in("the rack holds X2 twice") == "the rack holds Joker2 twice"
    assert not Report(True, "X2", "").clean
