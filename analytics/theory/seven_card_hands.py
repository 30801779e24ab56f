"""A hand of a game with seven cards set in two, read for people: two cards, five, or seven as dealt."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analytics.theory.hand_reading import Fact, HandReading, checked_hand
from replay.families.split_hands.terms import Terms, terms_of
from replay.filing import Filing
from replay.ranking import (
    FORTUNE_CLASS_NAMES,
    HOUSE_WAY_RULES,
    RoyalMatch,
    all_splits,
    check_hands,
    fortune_class,
    house_way_rule,
    rank_two,
    strength_in_words,
)
from replay.ranking.hands import Cards
from schemas.cards import names_of


@dataclass(frozen=True)
class Cited:
    """Where a text says how hands rank."""

    low: str
    high: str


def read_seven_card_hand(filing: Filing, text: str, game: str, cited: Cited, royal_match: RoyalMatch) -> HandReading:
    sizes = {2: "two cards (low)", 5: "five (high)", 7: "seven (as dealt)"}
    cards, terms = checked_hand(text, game, sizes, check_hands), terms_of(filing)
    if cards.shape[1] == 2:
        facts = [Fact("low", "Low hand", _low(cards), cite=cited.low)]
    elif cards.shape[1] == 5:
        facts = [Fact("high", "High hand", _high(cards, terms), cite=cited.high)]
    else:
        facts = _seven(filing, terms, cards, cited, royal_match)
    return HandReading(filing, names_of(cards[0].tolist()), tuple(facts))


def _seven(filing: Filing, terms: Terms, cards: Cards, cited: Cited, royal_match: RoyalMatch) -> list[Fact]:
    _, fives = all_splits(cards)
    best = np.ascontiguousarray(fives[0, int(terms.ranking.high(np.ascontiguousarray(fives[0])).argmax())])[None]
    facts = [Fact("best_five", "Best five", _high(best, terms), _names(best), cited.high)]
    number = int(fortune_class(cards, royal_match)[0])
    side = terms.side("fortune")
    name = None if side is None else side.law.table(filing)
    if side is not None and name is not None:
        rows = filing.pack.paytables[name].rows
        row = next((row for row in rows if row.hand == FORTUNE_CLASS_NAMES[number]), None)
        if row is None:
            pays = "loses"
        else:
            numerator, denominator = row.pays()
            pays = "push" if row.odds == "push" else f"pays {numerator:,} to {denominator}"
        value = f"{side.class_in_words(number)}: {pays}"
        facts.append(Fact("fortune", "Fortune", value, cite=str(side.table.cites[number])))
    setting = terms.ranking.house_way(cards)
    low, high = np.ascontiguousarray(setting[:, :2]), np.ascontiguousarray(setting[:, 2:])
    rule = HOUSE_WAY_RULES[int(house_way_rule(cards)[0])]
    return [
        *facts,
        Fact("house_way_low", "House way, low", _low(low), _names(low), rule.cite),
        Fact("house_way_high", "House way, high", _high(high, terms), _names(high), rule.cite),
        Fact("house_way_rule", "By the rule", f"{rule.name}: “{rule.text}”", cite=rule.cite),
    ]


def _low(cards: Cards) -> str:
    return strength_in_words(int(rank_two(cards)[0]))


def _high(cards: Cards, terms: Terms) -> str:
    return strength_in_words(int(terms.ranking.high(cards)[0]))


def _names(cards: Cards) -> str:
    return names_of(cards[0].tolist())
