"""The counts that ship with Muckraker, so that a first `muckraker theory` answers at once.

python -m analytics.theory.shipped           writes analytics/theory/data/*.json anew
python -m analytics.theory.shipped NAME ...  only these
"""

from __future__ import annotations

import sys
import time

from analytics.theory import (
    ace_high,
    ca_pure_21_5_blackjack,
    ca_supreme_baccarat,
    ca_three_card_poker,
    eight_card_duel,
    eighth_card,
    few_cards,
    house_way_duel,
    seven_cards,
    seven_classes,
    supreme_pai_gow,
)
from analytics.theory.classes import RESULTS
from analytics.theory.counts import write_counts
from analytics.theory.seven_card_wagers import all_push_filed
from analytics.theory.store import SHIPPED_FOLDER, Recipe, no_progress
from replay.filing import file_under, load_pack
from replay.packs.flt.supreme_pai_gow.v1 import rules as flt_rules
from replay.packs.ma.pai_gow_poker.v1 import rules
from replay.ranking import Game, RoyalMatch, Wheel

MADE_BY = "python -m analytics.theory.shipped"


def recipes() -> list[Recipe]:
    """Every count any filing of the packs can ask for."""
    decks = load_pack("ca/supreme_baccarat").data.options["decks"]
    assert decks.minimum is not None and decks.maximum is not None
    return [
        *(seven_cards.recipe(royal_match) for royal_match in RoyalMatch),
        *(
            ca_pure_21_5_blackjack.recipe(number, doubled)
            for number in range(decks.minimum, decks.maximum + 1)
            for doubled in (False, True)
        ),
        *(ca_supreme_baccarat.recipe(number) for number in range(decks.minimum, decks.maximum + 1)),
        *(seven_classes.recipe(game) for game in (Game.PAI_GOW_POKER, Game.PAI_GOW_INSURANCE)),
        *(few_cards.three_card_bonus(), few_cards.chosen_color(), few_cards.nine_high_color()),
        *(ace_high.recipe(), eighth_card.recipe()),
        *(house_way_duel.recipe(rules.compare, RESULTS, wheel, push) for wheel in Wheel for push in _hands_that_push()),
        eight_card_duel.recipe(flt_rules.beats, Wheel.SECOND_HIGHEST),
        *supreme_pai_gow.recipes(),
        *ca_three_card_poker.recipes(),
    ]


def _hands_that_push() -> list[house_way_duel.AllPush | None]:
    """Of the three ways in which pai gow poker is played in Massachusetts."""
    pack = load_pack("ma/pai_gow_poker")
    face_up: dict[str, str | int] = {"variant": "face_up", "ace_high_paytable": "1", "fortune_paytable": "none"}
    return [all_push_filed(file_under(pack, "1.0", options)) for options in ({}, {"variant": "ez"}, face_up)]


if __name__ == "__main__":
    wanted = sys.argv[1:]
    for recipe in recipes():
        if wanted and recipe.name not in wanted:
            continue
        started = time.perf_counter()
        write_counts(SHIPPED_FOLDER / f"{recipe.name}.json", recipe.count(no_progress), MADE_BY)
        print(f"{recipe.name}: {time.perf_counter() - started:.1f} s")
