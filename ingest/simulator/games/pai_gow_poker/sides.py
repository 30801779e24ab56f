"""How the wagers beside the pai gow poker wager are decided at a simulated table of Massachusetts.

MA-PGP §9(l), §13, §16(b) to (i), §19(d); R-19, R-22, R-27, R-46. A wager is decided for what it is on: the seat's
seven cards, the dealer's, both, or the number displayed.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from ingest.simulator.games.pai_gow_poker.bonus_odds import first_cards, seven_card_odds, three_card_odds
from ingest.simulator.games.pai_gow_poker.classes import (
    cards_of_colour,
    dynasty_class,
    is_ace_high,
    is_queens_dragon,
)
from ingest.simulator.games.pai_gow_poker.filed import PaiGowOptions
from ingest.simulator.games.pai_gow_poker.odds import (
    ACE_HIGH_ODDS,
    ALL_FORTUNE_ODDS,
    COLOUR_ODDS,
    DRAGON_ODDS,
    DYNASTY_ODDS,
    EMPERORS_ODDS,
    INSURANCE_ODDS,
    PROTECTION_ODDS,
)
from ingest.simulator.played import Bet, SplitPlayed
from ingest.simulator.poker import JOKER, fortune_class, pai_gow_rank
from ingest.simulator.side_wagers import SideWager, by_odds

DEALER = 0
ON_OWN_CARDS = (
    *("fortune", "emperors", "insurance", "progressive", "fortune_progressive"),
    *("dynasty", "protection", "red_black", "ace_high", "seven_card_bonus"),
)
QUALIFYING = ("fortune", "emperors", "dynasty")
LAID_OUT_ANEW = ("fortune", "emperors", "insurance", "dynasty")
LIMITED = ("fortune", "emperors", "insurance", "progressive", "queens_dragon", "dynasty", "protection", "red_black")
"""The wagers of §16(b) to (i), in the order in which §9(l) settles them; of progressive ones only that of §16(e)."""
_NUMBERS = tuple(str(number) for number in range(1, 8))


def sides_filed(options: PaiGowOptions) -> list[SideWager]:
    """Fortune is always there, if only as a wager that is not offered."""
    fortune, emperors = options.fortune_paytable, options.emperors_paytable
    limits = options.fortune_minimum_cents, options.fortune_maximum_cents
    decide = partial(_fortune, table=fortune, royal_match=options.royal_match)
    sides = [SideWager("fortune", *limits, decide, offered=fortune != "none")]
    offered: dict[str, Callable[[SplitPlayed, Bet], tuple[str, int]]] = {}
    if emperors != "none":
        offered["emperors"] = partial(_emperors, table=emperors)
    if options.insurance_paytable != "none":
        offered["insurance"] = partial(_insurance, table=options.insurance_paytable)
    ez = {"queens_dragon": _dragon, "dynasty": _dynasty, "protection": _protection, "red_black": _red_black}
    offered |= {name: how for name, how in ez.items() if getattr(options, name) == "offered"}
    if options.ace_high_paytable != "none":
        offered["ace_high"] = partial(_ace_high, table=options.ace_high_paytable)
    if options.rng_wager == "offered":
        offered["rng"] = partial(_number, hundredths=options.rng_odds_hundredths)
    if options.three_card_bonus == "offered":
        offered["three_card_bonus"] = _three_cards
    if options.seven_card_bonus_paytable != "none":
        offered["seven_card_bonus"] = partial(_seven_cards, table=options.seven_card_bonus_paytable)
    choices = {"red_black": ("red", "black"), "rng": _NUMBERS}
    return sides + [SideWager(name, 100, 20_000, how, choices=choices.get(name, ())) for name, how in offered.items()]


def _fortune(played: SplitPlayed, bet: Bet, table: str, royal_match: str) -> tuple[str, int]:
    return by_odds(ALL_FORTUNE_ODDS[table], fortune_class(played.hands[bet.seat], royal_match), bet.cents)


def _emperors(played: SplitPlayed, bet: Bet, table: str) -> tuple[str, int]:
    return by_odds(EMPERORS_ODDS[table], fortune_class(played.hands[bet.seat], "ace_king_natural"), bet.cents)


def _paid(odds: int | None, cents: int) -> tuple[str, int]:
    return ("win", odds * cents) if odds else ("lose", 0)


def _insurance(played: SplitPlayed, bet: Bet, table: str) -> tuple[str, int]:
    rank = pai_gow_rank(played.hands[bet.seat], False)
    return _paid(INSURANCE_ODDS[table].get(-1 if rank is None else rank), bet.cents)


def _protection(played: SplitPlayed, bet: Bet) -> tuple[str, int]:
    rank = pai_gow_rank(played.hands[bet.seat], True)
    return _paid(PROTECTION_ODDS.get(-1 if rank is None else rank), bet.cents)


def _dynasty(played: SplitPlayed, bet: Bet) -> tuple[str, int]:
    return by_odds(DYNASTY_ODDS, dynasty_class(played.hands[bet.seat]), bet.cents)


def _red_black(played: SplitPlayed, bet: Bet) -> tuple[str, int]:
    return _paid(COLOUR_ODDS.get(cards_of_colour(played.hands[bet.seat], bet.choice)), bet.cents)


def _dragon(played: SplitPlayed, bet: Bet) -> tuple[str, int]:
    return _paid(DRAGON_ODDS if is_queens_dragon(played.hands[DEALER]) else None, bet.cents)


def _ace_high(played: SplitPlayed, bet: Bet, table: str) -> tuple[str, int]:
    both, joker, natural = ACE_HIGH_ODDS[table]
    dealer = played.hands[DEALER]
    if not is_ace_high(dealer):
        return "lose", 0
    if is_ace_high(played.hands[bet.seat]):
        return _paid(both, bet.cents)
    return _paid(joker if JOKER in dealer else natural, bet.cents)


def _three_cards(played: SplitPlayed, bet: Bet) -> tuple[str, int]:
    """The first three cards dealt, whatever came after (§1, §17(f))."""
    return _paid(three_card_odds(first_cards(played, bet.seat)), bet.cents)


def _seven_cards(played: SplitPlayed, bet: Bet, table: str) -> tuple[str, int]:
    return _paid(seven_card_odds(played.hands[bet.seat], table), bet.cents)


def _number(played: SplitPlayed, bet: Bet, hundredths: int) -> tuple[str, int]:
    """What is paid is rounded down to the dollar (§13(b)(6))."""
    if str(played.thrown["number"]) != bet.choice:
        return "lose", 0
    return "win", bet.cents * hundredths // 100 // 100 * 100


def another_tables_odds(options: PaiGowOptions, played: SplitPlayed, bet: Bet) -> list[int]:
    """What the other pay tables printed for a wager would have paid, to 1, where it won."""
    own, dealer = played.hands[bet.seat], played.hands[DEALER]
    match bet.wager:
        case "emperors":
            name = fortune_class(own, "ace_king_natural") or ""
            return [EMPERORS_ODDS[table][name] for table in "ABCD"]
        case "insurance":
            rank = pai_gow_rank(own, False)
            return [rows[rank] for rows in INSURANCE_ODDS.values()] if rank is not None else []
        case "ace_high":
            which = 0 if is_ace_high(own) else 1 if JOKER in dealer else 2
            return [rows[which] for rows in ACE_HIGH_ODDS.values()]
        case _:
            return []
