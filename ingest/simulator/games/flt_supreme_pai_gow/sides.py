"""How the wagers beside ante and raise are decided at a simulated table of FLT-SPG, and what seven cards are for them.

Rules of Play 4a and 8, Appendices A to G, R-16, R-19, R-22. A row is paid that the hand forms: of several the one that
pays most, where shares of a meter are among them the one printed first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import combinations

from ingest.simulator.games.flt_supreme_pai_gow.filed import PROGRESSIVE_ROWS, FltOptions
from ingest.simulator.games.flt_supreme_pai_gow.odds import (
    BONUS_ODDS,
    EIGHTH_ODDS,
    EMPERORS_ODDS,
    INSURANCE_ODDS,
    NINE_HIGH_OF_ONE_COLOUR,
    ROYALTY_ODDS,
    TWO_PAIR_CLASS,
    Share,
)
from ingest.simulator.played import Bet, SplitPlayed
from ingest.simulator.poker import (
    FIVE_ACES,
    FIVE_ACES_CLASS,
    FLUSH,
    FLUSH_CLASS,
    FULL_HOUSE,
    FULL_HOUSE_CLASS,
    JOKER,
    QUADS,
    QUADS_CLASS,
    ROYAL,
    ROYAL_CLASS,
    STRAIGHT,
    STRAIGHT_CLASS,
    STRAIGHT_FLUSH,
    STRAIGHT_FLUSH_CLASS,
    TRIPS,
    TRIPS_CLASS,
    TWO_PAIRS,
    five_key,
    fortune_class,
    pai_gow_rank,
)
from ingest.simulator.side_wagers import SideWager
from schemas.cards import CARD_NAMES

DEALER, SEVEN = 0, 7
ON_SEVEN_CARDS = ("insurance", "emperors", "seven_card_bonus", "insurance_progressive", "emperors_progressive")
"""Wagers "requiring a 7-card hand"."""
_FIVES = {
    FIVE_ACES: FIVE_ACES_CLASS,
    ROYAL: ROYAL_CLASS,
    STRAIGHT_FLUSH: STRAIGHT_FLUSH_CLASS,
    QUADS: QUADS_CLASS,
    FULL_HOUSE: FULL_HOUSE_CLASS,
    FLUSH: FLUSH_CLASS,
    STRAIGHT: STRAIGHT_CLASS,
    TRIPS: TRIPS_CLASS,
    TWO_PAIRS: TWO_PAIR_CLASS,
}


def formed(hand: Sequence[int]) -> set[str]:
    """Every class seven cards form: those of their fives, and the one that takes all seven."""
    kinds = {five_key(five, "second_highest")[0] for five in combinations(hand, 5)}
    whole = fortune_class(hand, "ace_king_natural")
    return {name for kind, name in _FIVES.items() if kind in kinds} | ({whole} if whole else set())


def best(odds: Mapping[str, int], hand: Sequence[int]) -> int | None:
    """What the best-paying row a hand forms pays, None where it forms none; a folded hand of four cards forms none."""
    if len(hand) < SEVEN:
        return None
    return max((paid for name, paid in odds.items() if name in formed(hand)), default=None)


def highest_row(rows: Mapping[str, int] | Mapping[str | int, int], hand: Sequence[int]) -> int | None:
    """The first printed row a hand forms: a class of hands, or how high a pai gow is."""
    if len(hand) < SEVEN:
        return None
    high = pai_gow_rank(hand, False)
    one_colour = high == 7 and len({card & 3 in (1, 2) for card in hand}) == 1
    found = formed(hand) | {high} | ({NINE_HIGH_OF_ONE_COLOUR} if one_colour else set())
    return next((paid for row, paid in rows.items() if row in found), None)


def eighth_card(played: SplitPlayed) -> int:
    """The card of the dealer's that is in neither hand."""
    low, high = played.settings[DEALER]
    return next(card for card in played.hands[DEALER] if card not in (*low, *high))


def _settled(odds: int | None, cents: int) -> tuple[str, int]:
    if odds is None:
        return "lose", 0
    return ("win", odds * cents) if odds else ("push", 0)


def _by_class(played: SplitPlayed, bet: Bet, odds: Mapping[str, int]) -> tuple[str, int]:
    return _settled(best(odds, played.hands[bet.seat]), bet.cents)


def insurance_odds(odds: Mapping[int, int], hand: Sequence[int]) -> int | None:
    high = pai_gow_rank(hand, False) if len(hand) == SEVEN else None
    return odds.get(-1 if high is None else high)


def _insurance(played: SplitPlayed, bet: Bet, odds: Mapping[int, int]) -> tuple[str, int]:
    return _settled(insurance_odds(odds, played.hands[bet.seat]), bet.cents)


def eighth_odds(odds: Mapping[str, int], card: int) -> int | None:
    return odds.get("X" if card == JOKER else CARD_NAMES[card][0])


def _eighth(played: SplitPlayed, bet: Bet, odds: Mapping[str, int]) -> tuple[str, int]:
    return _settled(eighth_odds(odds, eighth_card(played)), bet.cents)


def progressive_row(wager: str, table: str, hand: Sequence[int]) -> int | None:
    """What a hand is paid by the first row it forms: a share of the meter, or dollars for each dollar wagered."""
    return highest_row(PROGRESSIVE_ROWS[wager][table], hand)


def _progressive(played: SplitPlayed, bet: Bet, table: str) -> tuple[str, int]:
    """A share is worked out when its turn comes."""
    row = progressive_row(bet.wager, table, played.hands[bet.seat])
    if row is None:
        return "lose", 0
    return "win", 0 if isinstance(row, Share) else row * bet.cents


def sides_filed(options: FltOptions) -> list[SideWager]:
    """Emperor's Treasure is always there, if only as a wager that is not offered."""
    how: dict[str, Callable[[SplitPlayed, Bet], tuple[str, int]]] = {}
    if options.insurance_paytable != "none":
        how["insurance"] = partial(_insurance, odds=INSURANCE_ODDS[options.insurance_paytable])
    how["emperors"] = partial(_by_class, odds=EMPERORS_ODDS.get(options.emperors_paytable, {}))
    if options.seven_card_bonus_paytable != "none":
        how["seven_card_bonus"] = partial(_by_class, odds=BONUS_ODDS[options.seven_card_bonus_paytable])
    eighth = EIGHTH_ODDS.get(options.eighth_card_paytable, {})
    how |= {name: partial(_eighth, odds=odds) for name, odds in eighth.items()}
    limits = {name: options.limits("eighth_card" if name in eighth else name) for name in how}
    offered = {name: name != "emperors" or options.emperors_paytable != "none" for name in how}
    sides = [SideWager(name, *limits[name], decide, offered=offered[name]) for name, decide in how.items()]
    for name, table in options.progressives().items():
        unit = options.progressive(name, "unit_cents")
        decide = partial(_progressive, table=table)
        sides.append(SideWager(name, unit, unit, decide, chips=(unit,), for_one=True, limits_filed=False))
    return sides


def another_tables_odds(played: SplitPlayed, bet: Bet) -> list[int | None]:
    """What the other pay tables of the text pay for the same."""
    hand = played.hands[bet.seat]
    match bet.wager:
        case "ante_royalty":
            return [best(odds, hand) for odds in ROYALTY_ODDS.values()]
        case "emperors":
            return [best(odds, hand) for odds in EMPERORS_ODDS.values()]
        case "seven_card_bonus":
            return [best(odds, hand) for odds in BONUS_ODDS.values()]
        case "insurance":
            return [insurance_odds(odds, hand) for odds in INSURANCE_ODDS.values()]
        case _:
            tables = [odds[bet.wager] for odds in EIGHTH_ODDS.values() if bet.wager in odds]
            return [eighth_odds(odds, eighth_card(played)) for odds in tables]
