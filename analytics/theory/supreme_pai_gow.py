"""Theory of Supreme Pai Gow in Massachusetts and New Jersey: the bonus wager and the supreme pai gow wager, counted.

The functions of the rules are one state's for both; what they rest on is cited by the pack asked about.

Money comes from the pack's own rules (vigorish, pay table, payout limit), applied to one stake.
"""

from __future__ import annotations

import numpy as np

from analytics.theory import four_cards
from analytics.theory.classes import RESULTS, class_outcomes, duel_outcomes
from analytics.theory.hand_reading import Fact, HandReading, checked_hand
from analytics.theory.store import CountsStore, Recipe
from analytics.theory.wager import WagerTheory
from replay.families.split_hands.terms import terms_of
from replay.filing import Filing
from replay.packs.ma.supreme_pai_gow.v1.rules import BANK, BONUS, LAW, RANKING, bonus_class
from replay.ranking import Game, check_cards, supreme_in_words
from replay.ranking.hands import Cards
from schemas.cards import names_of

_SIZES = {2: "two cards (low or high)", 4: "four (as dealt)"}


def offered(filing: Filing) -> tuple[str, ...]:
    """What is left in the centre for a bank is nobody's wager."""
    return tuple(wager for wager in filing.pack.data.wagers if wager != BANK.wager)


def smallest_stake(filing: Filing, wager: str) -> int:
    terms = terms_of(filing)
    side = terms.side(wager)
    return (side.limits_cents if side is not None else terms.table_limits_cents)[0]


def recipes() -> tuple[Recipe, Recipe]:
    """Of the bonus wager, and of the supreme pai gow wager."""
    return (
        four_cards.classes_recipe(bonus_class, BONUS.classes),
        four_cards.duel_recipe(RANKING.house_way, RANKING.low, RANKING.high, LAW.compare, RESULTS),
    )


def theory(filing: Filing, wager: str, stake_cents: int, store: CountsStore) -> WagerTheory:
    terms = terms_of(filing)
    of_bonus, of_hands = recipes()
    side = terms.side(wager)
    if side is not None:
        limit = terms.law.payout.section if terms.law.payout else ""
        counts = store.get(of_bonus)
        return WagerTheory(
            filing,
            wager,
            stake_cents,
            {},
            counts,
            class_outcomes(counts, side.table, stake_cents, terms.payout_limit_cents),
            (f"the payout limit ({limit}) is applied to this wager alone",),
            filing.pack.paytables["bonus"],
        )
    counts = store.get(of_hands)
    return WagerTheory(
        filing,
        wager,
        stake_cents,
        {"vigorish_rounding": filing.options["vigorish_rounding"]},
        counts,
        duel_outcomes(counts, terms, stake_cents),
        (
            "dealer and player both set their hands by the house way (rulings.md R-35), nobody surrenders or banks",
            "a win is paid 1 to 1 less the vigorish",
        ),
    )


def read_hand(filing: Filing, text: str) -> HandReading:
    """Two cards as a low or high hand, four as dealt."""
    cards = checked_hand(text, "supreme pai gow", _SIZES, _check)
    if cards.shape[1] == 2:
        facts = [Fact("hand", "Low or high hand", _in_words(cards), cite=_compared_by(filing))]
        return HandReading(filing, names_of(cards[0].tolist()), tuple(facts))
    number = int(bonus_class(cards)[0])
    side = terms_of(filing).side(BONUS.name)
    assert side is not None, "the text has one pay table, and no option leaves it out"
    table = side.table
    pays = f"pays {table.numerator[number]:,} to {table.denominator[number]}" if table.numerator[number] else "loses"
    setting = RANKING.house_way(cards)
    low, high = np.ascontiguousarray(setting[:, :2]), np.ascontiguousarray(setting[:, 2:])
    facts = [
        Fact("bonus", "Bonus", f"{side.class_in_words(number)}: {pays}", cite=str(table.cites[number])),
        Fact("house_way_low", "House way, low", _in_words(low), names_of(low[0].tolist()), "rulings.md R-35"),
        Fact("house_way_high", "House way, high", _in_words(high), names_of(high[0].tolist()), "rulings.md R-35"),
    ]
    return HandReading(filing, names_of(cards[0].tolist()), tuple(facts))


def _compared_by(filing: Filing) -> str:
    """Where hands of two are told apart."""
    return str(filing.pack.rule_functions["high_hand_wins"])


def _check(cards: Cards, size: int) -> None:
    filled = cards if size == 4 else np.concatenate([cards, _others(cards)], axis=1)
    check_cards(filled, Game.SUPREME_PAI_GOW)


def _others(cards: Cards) -> Cards:
    """Two cards that are not among these: what is checked is a four."""
    return np.array([[card for card in range(4) if card not in cards[0]][:2]], np.uint8)


def _in_words(two: Cards) -> str:
    return supreme_in_words(int(RANKING.low(two)[0]))
