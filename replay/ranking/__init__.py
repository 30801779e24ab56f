"""Hand ranking: what cards are worth, and how the house must set them.

    five, two        strength of a high and a low hand; is a setting foul
    best             the best five of five, six or seven cards, in columns
    single           the same for one hand
    three            three cards
    omaha            exactly two and three, high and eight-or-better low
    supreme          two cards of Supreme Pai Gow; is a setting foul
    splits           the twenty-one settings of seven cards
    house_way        the setting the house must choose: of seven cards, of four (house_way_four), of eight
                     (house_way_eight)
    seven            the class of seven cards for Fortune bonus wagers
    classes          every class that a pay table names, in the order a rule pack gives
    row_classes      the same as numbers, for the rows of one pay table
    joker            the three different cards that a joker is
    baccarat         points, and seats to count for the action button
    blackjack        hard, soft and natural totals, 21.5 included

All functions take uint8 arrays of card codes (`schemas.cards`), one row a hand, and are the same for one hand or ten
million. They know cards only: no wager, no seat, no pay table. Shape, type and range of the codes are always checked;
call `check_hands` (or `check_cards`, which knows the cards of each game) where cards enter, since a hand with the same
card twice gets a meaningless answer.
"""

from replay.ranking.baccarat import button_value, totals, values
from replay.ranking.best import rank_best
from replay.ranking.blackjack import NATURAL_HALVES, Totals, blackjack_totals, three_eights
from replay.ranking.classes import CLASS_LISTS, NO_CLASS, Game, check_cards, class_names, classify
from replay.ranking.five import Category, Wheel, category, rank_five, ranks_of, strength_in_words
from replay.ranking.hands import check_hands
from replay.ranking.house_way import RULES as HOUSE_WAY_RULES
from replay.ranking.house_way import house_way, house_way_rule
from replay.ranking.house_way_eight import house_way_eight
from replay.ranking.house_way_four import FOUR_SPLITS, house_way_four
from replay.ranking.joker import Joker
from replay.ranking.omaha import NO_LOW, low_ranks, omaha_high, omaha_low
from replay.ranking.row_classes import NOTHING, RowClasses, row_classes
from replay.ranking.seven import FORTUNE_CLASS_NAMES, FortuneClass, RoyalMatch, fortune_class, premium
from replay.ranking.seven_classes import pai_gow_high
from replay.ranking.single import rank_one
from replay.ranking.splits import SPLITS, all_splits
from replay.ranking.supreme import (
    by_category_and_points,
    foul_supreme,
    fouls_supreme,
    rank_supreme,
    supreme_in_words,
    zero_points,
)
from replay.ranking.three import ThreeCategory, queen_high, rank_three, three_in_words
from replay.ranking.two import foul, fouls, rank_two

__all__ = [
    "CLASS_LISTS",
    "FORTUNE_CLASS_NAMES",
    "FOUR_SPLITS",
    "HOUSE_WAY_RULES",
    "NATURAL_HALVES",
    "NOTHING",
    "NO_CLASS",
    "NO_LOW",
    "SPLITS",
    "Category",
    "FortuneClass",
    "Game",
    "Joker",
    "RowClasses",
    "RoyalMatch",
    "ThreeCategory",
    "Totals",
    "Wheel",
    "all_splits",
    "blackjack_totals",
    "button_value",
    "by_category_and_points",
    "category",
    "check_cards",
    "check_hands",
    "class_names",
    "classify",
    "fortune_class",
    "foul",
    "foul_supreme",
    "fouls",
    "fouls_supreme",
    "house_way",
    "house_way_eight",
    "house_way_four",
    "house_way_rule",
    "low_ranks",
    "omaha_high",
    "omaha_low",
    "pai_gow_high",
    "premium",
    "queen_high",
    "rank_best",
    "rank_five",
    "rank_one",
    "rank_supreme",
    "rank_three",
    "rank_two",
    "ranks_of",
    "row_classes",
    "strength_in_words",
    "supreme_in_words",
    "three_eights",
    "three_in_words",
    "totals",
    "values",
    "zero_points",
]
