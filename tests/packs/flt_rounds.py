"""Rounds of the commission-free Supreme Pai Gow, made up at random for tests: who bet what and held what."""

from __future__ import annotations

import random
from typing import Any

from schemas.cards import CARD_CODES, JOKER_1, name_of

PACK = "flt/supreme_pai_gow"
DECK = tuple(name_of(code) for code in range(JOKER_1 + 1))
OWN_CARDS = ("insurance", "emperors", "seven_card_bonus")
PROGRESSIVES = ("insurance_progressive", "emperors_progressive")


def dollars(cents: int) -> str:
    return f"${cents // 100:,}.{cents % 100:02d}"


def wagers_of(rng: random.Random, options: dict[str, Any]) -> dict[str, int]:
    """In cents; of those that are offered some."""
    offered = [name for name in OWN_CARDS if options.get(f"{name}_paytable", "none") != "none"]
    eighth = options.get("eighth_card_paytable", "none")
    if eighth != "none":
        offered += ["eighth_3_or_10", "eighth_field", "eighth_2_or_4" if "D8C1" in eighth else "eighth_2_5_or_7"]
    progressives = [name for name in PROGRESSIVES if options.get(f"{name}_paytable", "none") != "none"]
    ante = rng.choice((1000, 1500, 2500, 10_000))
    placed = {"ante": ante}
    if rng.random() < 0.7:
        placed["raise"] = ante * rng.randint(1, 4)
    placed |= {name: rng.choice((100, 400, 500, 2500)) for name in offered if rng.random() < 0.6}
    return placed | {name: options[f"{name}_unit_cents"] for name in progressives if rng.random() < 0.6}


def good_cards(rng: random.Random, left: list[str], count: int) -> list[str]:
    """Cards from the deck that is left, now and then of one rank or suit, so that high hands are not rare."""
    kind = rng.random()
    if kind < 0.08:  # seven in a row of a suit, or low cards of no pair
        suits = rng.choice(("c", "d", "h", "s", "cs", "dh", "cdhs"))
        start = rng.randrange(8) if len(suits) == 1 else 0
        row = "A23456789TJQKA"[start : start + 7] if len(suits) == 1 else rng.choice(("9875432", "T875432", "Q976542"))
        wanted = [card for rank in row for card in left if card[0] == rank and card[1] in suits]
        wanted = list({card[0]: card for card in rng.sample(wanted, len(wanted))}.values())
        if len(suits) == 1 and "X1" in left and rng.random() < 0.4:
            wanted = ["X1", *wanted]
        taken = wanted[:count]
        for card in taken:
            left.remove(card)
        return [*taken, *(left.pop(rng.randrange(len(left))) for _ in range(count - len(taken)))]
    if kind < 0.25:
        suit = rng.choice("cdhs")
        wanted = [card for card in left if card[1] == suit or card == "X1"]
    elif kind < 0.5:
        ranks = rng.sample("23456789TJQKA", 3)
        wanted = [card for card in left if card[0] in ranks or card == "X1"]
    else:
        wanted = []
    rng.shuffle(wanted)
    taken = wanted[: rng.randint(4, 7)][:count]
    for card in taken:
        left.remove(card)
    while len(taken) < count:
        taken.append(left.pop(rng.randrange(len(left))))
    rng.shuffle(taken)
    return taken


def codes(cards: list[str] | tuple[str, ...]) -> list[int]:
    return [CARD_CODES[card] for card in cards]
