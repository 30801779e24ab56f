"""Hand ranking: what cards are worth, and how the house must set them.

    five, two     strength of a high and a low hand; is a setting foul
    splits        the twenty-one settings of seven cards
    house_way     the setting the house must choose
    seven         the class of seven cards for Fortune bonus wagers
    baccarat      points, and seats to count for the action button

All functions take uint8 arrays of card codes (`schemas.cards`), one row a hand, and are the same for one hand or ten
million. They know cards only: no wager, no seat, no pay table. Shape, type and range of the codes are always checked;
call `check_hands` where cards enter, since a hand with the same card twice gets a meaningless answer.
"""

from replay.ranking.baccarat import button_value, totals, values
from replay.ranking.five import Category, Wheel, category, rank_five, ranks_of
from replay.ranking.hands import check_hands
from replay.ranking.house_way import RULES as HOUSE_WAY_RULES
from replay.ranking.house_way import house_way, house_way_rule
from replay.ranking.seven import FORTUNE_CLASS_NAMES, FortuneClass, RoyalMatch, fortune_class, premium
from replay.ranking.splits import SPLITS, all_splits
from replay.ranking.two import foul, fouls, rank_two

__all__ = [
    "FORTUNE_CLASS_NAMES",
    "HOUSE_WAY_RULES",
    "SPLITS",
    "Category",
    "FortuneClass",
    "RoyalMatch",
    "Wheel",
    "all_splits",
    "button_value",
    "category",
    "check_hands",
    "fortune_class",
    "foul",
    "fouls",
    "house_way",
    "house_way_rule",
    "premium",
    "rank_five",
    "rank_two",
    "ranks_of",
    "totals",
    "values",
]
