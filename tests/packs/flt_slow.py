"""Supreme Pai Gow of FLT-SPG in plain Python: one round at a time, settled sentence by sentence of the rules of play.

Nothing here is shared with the pack or with `replay`: cards are names, hands are tuples, and every pay table of the
appendices is typed from the print once more, a row as it stands there.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from itertools import combinations

from tests.ranking.by_definition import KINDS, Score, is_foul, natural_five, score_five, score_two, set_house_way, value

Hand = tuple[str, ...]

# ---- the appendices, as printed --------------------------------------------------------------------------------------


def _printed(prefix: str, text: str) -> dict[str, dict[str, str]]:
    """Columns of a printed table by their numbers, each a dict from row to what stands there; a dash is no row."""
    rows = [line.split() for line in text.strip().splitlines()]
    count = len(rows[0]) - 1
    tables: dict[str, dict[str, str]] = {}
    for column in range(count):
        cells = {name: cells[column] for name, *cells in rows}
        tables[f"{prefix}{column + 1:02d}"] = {name: cell for name, cell in cells.items() if cell not in ("-", "N/A")}
    return tables


ROYALTY = _printed(
    "PT-FLT-AR-",
    """
five_aces 100 50 100 100 100
royal_flush 50 25 30 25 25
straight_flush 15 15 15 10 10
four_of_a_kind 5 5 4 5 4
""",
)
INSURANCE = _printed(
    "PT-FLT-EC-PGI-",
    """
9 400 250 100 100 100
10 40 75 50 25 25
11 20 25 25 15 15
12 5 5 10 6 7
13 3 3 5 5 5
14 2 2 1 3 3
""",
)
EMPERORS = _printed(
    "PT-FLT-EC-ET-",
    """
seven_natural 5000 8000 5000 2500 5000 5000 5000 2500
royal_and_ace_king 1000 2000 2000 1000 2000 1000 2000 1000
seven_joker 750 1000 1000 750 1000 500 1000 750
five_aces 250 400 400 250 400 300 400 250
royal_flush 100 150 150 100 150 110 150 125
straight_flush 50 50 50 50 50 45 50 50
four_of_a_kind 20 25 25 25 25 25 25 25
full_house 5 5 5 5 5 5 5 5
flush 4 4 4 4 4 4 4 4
three_of_a_kind 3 3 3 3 3 3 3 3
straight 2 2 2 2 2 2 2 2
three_pair push - - - - - - -
""",
)
ENVY_DOLLARS = _printed(
    "PT-FLT-EC-ET-",  # "based on the corresponding Envy Bonus paytable(s)": E01 goes with ET-01
    """
seven_natural 1000 5000 3000 1000 2500 2500 5000 1000
royal_and_ace_king 250 1000 1000 750 500 500 1000 750
seven_joker 100 500 500 250 250 250 500 250
five_aces 50 250 250 100 150 150 250 100
royal_flush 25 50 50 50 55 55 50 50
straight_flush 10 20 20 20 25 25 20 20
four_of_a_kind 5 5 5 5 6 6 5 5
""",
)
SEVEN_CARD_BONUS = _printed(
    "PT-FLT-7CB-",
    """
seven_natural 5000 5000 5000 - - - 5000 5000 5000 - - -
seven_joker 1000 1000 1000 - - - 1000 1000 1000 - - -
five_aces 500 500 500 500 500 500 500 500 500 500 500 500
royal_flush 150 200 150 150 200 150 200 150 150 200 150 150
straight_flush 25 25 25 30 25 25 50 50 50 50 50 50
four_of_a_kind 15 10 10 15 10 10 30 30 25 30 30 25
full_house 2 2 2 2 2 2 5 5 5 5 5 5
flush 1 1 1 1 1 1 4 4 4 4 4 4
straight 1 1 1 1 1 1 3 3 3 3 3 3
three_of_a_kind 1 1 1 1 1 1 2 2 2 2 2 2
two_pair 1 1 1 1 1 1 - - - - - -
""",
)
EIGHTH_CARD = {  # the three wagers of each table: ranks of the eighth card (X: the joker) and their odds
    "PT-FLT-D8C1-01": {
        "eighth_3_or_10": {"3T": 3},
        "eighth_2_or_4": {"24": 1},
        "eighth_field": {"X": 100, "A": 15, "K": 10, "Q": 5, "J": 3, "56789": 2},
    },
    "PT-FLT-D8C1-02": {
        "eighth_3_or_10": {"3T": 3},
        "eighth_2_or_4": {"24": 1},
        "eighth_field": {"X": 50, "A": 15, "K": 10, "Q": 5, "J": 3, "56789": 2},
    },
    "PT-FLT-D8C1-03": {
        "eighth_3_or_10": {"3T": 3},
        "eighth_2_or_4": {"24": 1},
        "eighth_field": {"X": 25, "A": 15, "K": 10, "Q": 5, "J": 3, "56789": 2},
    },
    "PT-FLT-D8C2-01": {
        "eighth_3_or_10": {"3T": 3},
        "eighth_2_5_or_7": {"257": 1},
        "eighth_field": {"X": 100, "A": 25, "K": 10, "JQ": 5, "89": 3, "6": 2, "4": 1},
    },
    "PT-FLT-D8C2-02": {
        "eighth_3_or_10": {"3T": 3},
        "eighth_2_5_or_7": {"257": 1},
        "eighth_field": {"X": 50, "A": 25, "K": 10, "JQ": 5, "89": 3, "6": 2, "4": 1},
    },
}
INSURANCE_PROGRESSIVE = _printed(
    "PT-BJS-EC-PGI-",
    """
9_same_colour 100% 100% 100% 100% 100%
9 10% 10% 250 500 1000
10 125 100 125 125 100
11 30 25 30 25 25
12 7 10 7 5 5
""",
)
EMPERORS_PROGRESSIVE = _printed(
    "PT-BJS-EC-ET-",
    """
seven_natural 100% 100% 100%
royal_and_ace_king 50% 50% N/A
seven_joker 25% 25% 100%
five_aces 1000 2000 10%
royal_flush 175 250 500
straight_flush 150 150 100
four_of_a_kind 75 65 75
full_house 5 5 4
""",
)

# ---- hands -----------------------------------------------------------------------------------------------------------


def seven_card_run(cards: Hand) -> str | None:
    """A straight flush of all seven: A to 7 up to 8 to A, without or with the joker."""
    ladder = "A23456789TJQKA"
    held = [card for card in cards if card != "X1"]
    if len({card[1] for card in held}) != 1:
        return None
    ranks = {card[0] for card in held}
    for start in range(8):
        missing = set(ladder[start : start + 7]) - ranks
        if not missing and len(held) == 7:
            return "seven_natural"
        if len(missing) == 1 and len(held) == 6 and len(ranks) == 6 and ranks < set(ladder[start : start + 7]):
            return "seven_joker"
    return None


def forms(cards: Hand) -> set[str]:
    """Every row of any pay table that seven cards can form; the joker is an ace or completes the hand (R-11)."""
    found = set()
    for five in combinations(cards, 5):
        kind = KINDS[score_five(five, False)[0]]
        found.add({"four": "four_of_a_kind", "three": "three_of_a_kind", "two pairs": "two_pair"}.get(kind, kind))
        rest = [card for card in cards if card not in five]
        if kind == "royal flush" and {card[0] for card in rest} == {"A", "K"} and rest[0][1] == rest[1][1]:
            found.add("royal_and_ace_king")
    found = {name.replace(" ", "_") for name in found}
    if sum(count >= 2 for count in Counter(value(card) for card in cards).values()) >= 3:
        found.add("three_pair")
    run = seven_card_run(cards)
    return found | {run} if run else found


def pai_gow(cards: Hand) -> int | None:
    """How high seven cards are that are nothing else: no pair, no straight, no flush; the joker is an ace without a
    suit and nothing else ("the Joker is always considered an Ace", R-19)."""
    seven = tuple("A*" if card == "X1" else card for card in cards)
    if any(KINDS[natural_five(five, False)[0]] != "high card" for five in combinations(seven, 5)):
        return None
    return max(value(card) for card in seven)


def one_colour(cards: Hand) -> bool:
    return len({card[1] in "dh" for card in cards}) == 1


@dataclass(frozen=True)
class DealersHand:
    low: Hand
    high: Hand
    eighth: str


def set_dealer(eight: Hand) -> DealersHand:
    """R-36: of the eight ways to leave one card out, the one with the highest low hand, then the highest high hand,
    then leaving out the lowest card, the joker being the highest."""

    def height(card: str) -> float:
        return 14.5 if card == "X1" else value(card)

    ways = [(*set_house_way(tuple(card for card in eight if card != out), False), out) for out in eight]

    def merit(way: tuple[Hand, Hand, str]) -> tuple[Score, Score, float]:
        return score_two(way[0]), score_five(way[1], False), -height(way[2])

    return DealersHand(*max(ways, key=merit))


# ---- a round ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Filed:
    """Which tables are in use; an empty name: not offered. Limits are in cents, 0 for none."""

    royalty: str = "PT-FLT-AR-01"
    insurance: str = ""
    emperors: str = ""
    seven_card_bonus: str = ""
    eighth_card: str = ""
    insurance_progressive: str = ""
    emperors_progressive: str = ""
    unit_cents: dict[str, int] = field(default_factory=dict)  # of a progressive, where it is not a dollar
    rate_bp: dict[str, int] = field(default_factory=dict)  # what its meter gets of it, in hundredths of a percent
    most_cents: dict[str, int] = field(default_factory=dict)  # by the groups of AGGREGATED
    most_per: dict[str, str] = field(default_factory=dict)  # "hand" or "round"


@dataclass
class Place:
    """What a player has bet and holds. Four cards are a folded hand that was dealt no more."""

    wagers: dict[str, int]  # cents; "raise" when the player went on
    cards: Hand
    low: Hand = ()
    high: Hand = ()

    @property
    def folded(self) -> bool:
        return "raise" not in self.wagers


AGGREGATED = {  # the wagers of an appendix, in the order in which what is left over goes to them
    "ante_royalty": ("ante_royalty",),
    "insurance": ("insurance",),
    "emperors": ("emperors",),
    "seven_card_bonus": ("seven_card_bonus",),
    "eighth_card": ("eighth_3_or_10", "eighth_2_or_4", "eighth_2_5_or_7", "eighth_field"),
}
Line = tuple[str, int, int]  # outcome, paid, taken, in cents


@dataclass
class Settled:
    lines: dict[tuple[int, str], Line] = field(default_factory=dict)
    envy: dict[tuple[int, int], int] = field(default_factory=dict)  # (to, for) → cents
    meters: dict[str, int] = field(default_factory=dict)  # what each stands at after the last payout
    fed: dict[str, int] = field(default_factory=dict)  # what each gets
    paid_off: dict[str, int] = field(default_factory=dict)  # what each pays


SEVEN_CARD_WAGERS = ("insurance", "emperors", "seven_card_bonus", "insurance_progressive", "emperors_progressive")
"""What has a folding player dealt all seven cards (4a)."""


def needs_seven(wagers: dict[str, int]) -> bool:
    return "raise" in wagers or any(wager in wagers for wager in SEVEN_CARD_WAGERS)


def ante_and_raise(place: Place, dealer: DealersHand) -> tuple[str, str]:
    """Rules of Play 3b, 5 and 7."""
    if place.folded:
        return "lose", ""
    if is_foul(place.low, place.high, False):
        return "lose", "lose"
    better = (score_two(place.low) > score_two(dealer.low)) + (
        score_five(place.high, False) > score_five(dealer.high, False)
    )
    return ("lose", "win", "win")[better], ("lose", "push", "win")[better]


def even_money(outcome: str, cents: int) -> Line:
    return outcome, cents if outcome == "win" else 0, cents if outcome == "lose" else 0


def best_odds(table: dict[str, str], formed: set[str]) -> int | None:
    """Of the rows that the hand forms, what the best-paying one pays; 0 gives the wager back (R-16)."""
    odds = [0 if cell == "push" else int(cell) for name, cell in table.items() if name in formed]
    return max(odds, default=None)


def to_one(odds: int | None, cents: int) -> Line:
    if odds is None:
        return "lose", 0, cents
    return ("win", odds * cents, 0) if odds else ("push", 0, 0)


def eighth_card_odds(filed: Filed, wager: str, card: str) -> int | None:
    rows = EIGHTH_CARD[filed.eighth_card][wager]
    return next((odds for ranks, odds in rows.items() if card[0] in ranks), None)


def progressive_cell(filed: Filed, name: str, cards: Hand) -> str | None:
    """What the first printed row says that a hand forms (R-16); None where it forms none."""
    if len(cards) < 7:
        return None
    if name == "insurance_progressive":
        table, high = INSURANCE_PROGRESSIVE[filed.insurance_progressive], pai_gow(cards)
        formed = {str(high)} | ({"9_same_colour"} if high == 9 and one_colour(cards) else set())
    else:
        table, formed = EMPERORS_PROGRESSIVE[filed.emperors_progressive], forms(cards)
    return next((cell for row, cell in table.items() if row in formed), None)


def progressive(filed: Filed, name: str, cards: Hand, settled: Settled, seeds: dict[str, int]) -> int | None:
    """What a hand is paid, and what that does to the meter."""
    cell = progressive_cell(filed, name, cards)
    if cell is None:
        return None
    if not cell.endswith("%"):  # a sum is paid from the table's own chips
        return int(cell) * filed.unit_cents.get(name, 100)  # dollars, for a wager of a dollar
    stood = settled.meters[name]
    paid = stood * int(cell[:-1]) // 100
    settled.meters[name] = seeds[name] if cell == "100%" else stood - paid
    settled.paid_off[name] = settled.paid_off.get(name, 0) + paid
    return paid


def settle(
    filed: Filed,
    places: dict[int, Place],
    eight: Hand,
    meters: dict[str, int] | None = None,
    seeds: dict[str, int] | None = None,
) -> Settled:
    """`meters` are what they stand at before the round; nothing is paid before every wager has fed its own."""
    dealer = set_dealer(eight)
    settled = Settled(meters=dict(meters or {}))
    for name in settled.meters:
        bet = [place.wagers[name] for _, place in sorted(places.items()) if name in place.wagers]
        settled.fed[name] = sum(cents * filed.rate_bp.get(name, 0) // 10_000 for cents in bet)
        settled.meters[name] += settled.fed[name]
    for seat, place in sorted(places.items()):
        ante, raised = ante_and_raise(place, dealer)
        formed = forms(place.cards) if len(place.cards) == 7 else set()
        for wager, cents in place.wagers.items():
            match wager:
                case "ante":
                    line = even_money(ante, cents)
                case "raise":
                    line = even_money(raised, cents)
                case "insurance":
                    high = pai_gow(place.cards)
                    table = INSURANCE[filed.insurance]
                    line = to_one(int(table[str(high)]) if high else None, cents)
                case "emperors":
                    line = to_one(best_odds(EMPERORS[filed.emperors], formed), cents)
                case "seven_card_bonus":
                    line = to_one(best_odds(SEVEN_CARD_BONUS[filed.seven_card_bonus], formed), cents)
                case "insurance_progressive" | "emperors_progressive":
                    paid = progressive(filed, wager, place.cards, settled, seeds or {})
                    line = ("lose" if paid is None else "win", paid or 0, cents)  # "The jackpot wager is not returned"
                case _:
                    line = to_one(eighth_card_odds(filed, wager, dealer.eighth), cents)
            settled.lines[seat, wager] = line
        if not place.folded and filed.royalty:
            odds = best_odds(ROYALTY[filed.royalty], formed)
            if odds:
                settled.lines[seat, "ante_royalty"] = ("win", odds * place.wagers["ante"], 0)
    for group, most in filed.most_cents.items():
        won = [
            (seat, wager) for seat in sorted(places) for wager in AGGREGATED[group] if (seat, wager) in settled.lines
        ]
        if filed.most_per[group] == "round":
            share(settled.lines, won, most)
        else:
            for seat in places:
                share(settled.lines, [entry for entry in won if entry[0] == seat], most)
    if filed.emperors:
        settled.envy = envy_bonuses(filed, places)
    return settled


def share(lines: dict[tuple[int, str], Line], won: list[tuple[int, str]], most: int) -> None:
    """What together is more than the maximum aggregate is shared in proportion, in whole cents, and what is left over
    goes to the first."""
    due = {entry: lines[entry][1] for entry in won if lines[entry][0] == "win"}
    total = sum(due.values())
    if total <= most:
        return
    paid = {entry: cents * most // total for entry, cents in due.items()}
    paid[next(iter(paid))] += most - sum(paid.values())
    for entry, cents in paid.items():
        lines[entry] = ("win", cents, lines[entry][2])


def envy_bonuses(filed: Filed, places: dict[int, Place]) -> dict[tuple[int, int], int]:
    """To everybody with $5 or more on Emperor's Treasure, for each hand of another player of four of a kind or better
    that was dealt seven cards (R-49)."""
    bonuses = {}
    for to, place in sorted(places.items()):
        if place.wagers.get("emperors", 0) < 500:
            continue
        for seat, other in sorted(places.items()):
            if seat != to and len(other.cards) == 7:
                dollars = best_odds(ENVY_DOLLARS[filed.emperors], forms(other.cards))
                if dollars:
                    bonuses[to, seat] = 100 * dollars
    return bonuses
