"""Pai Gow Poker of MA-PGP in plain Python: one round at a time, settled sentence by sentence of the text.

Nothing here is shared with the pack, with `replay` or with the simulator: every pay table is typed from the print once
more, a row as it stands there, and money moves one wager after the other.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.packs.ma_pgp_hands import JOKER, Hand, five, formed, foul, pai_gow_high, three_card_class, two

Line = tuple[str, int, int]  # outcome, paid, taken, in cents


def _printed(columns: str, text: str) -> dict[str, dict[str, str]]:
    """Columns of a printed table by their names, each a dict from row to what stands there; a dash is no row."""
    rows = [line.split() for line in text.strip().splitlines()]
    return {
        name: {row[0]: row[at] for row in rows if row[at] != "-"} for at, name in enumerate(columns.split(), start=1)
    }


# ---- the pay tables, as printed --------------------------------------------------------------------------------------

FORTUNE = _printed(  # §16(b) and §19(e); `match` is the royal flush with the royal match that is filed
    "A B C D face_up_1 face_up_2 face_up_3 face_up_4 face_up_5 face_up_6",
    """
seven_natural   8000 5000 5000 2500 5000 8000 5000 2500 5000 5000
match           2000 2000 1000 1000 1000 2000 2000 1000 1000 2000
seven_joker     1000 1000  750  750  750 1000 1000  750  500 1000
five_aces        400  400  250  250  250  400  400  250  300  400
royal_flush      150  150  100  125  100  150  150  125  110  150
straight_flush    50   50   50   50   50   50   50   50   45   50
four_of_a_kind    25   25   20   25   20   25   25   25   25   25
full_house         5    5    5    5    5    5    5    5    5    5
flush              4    4    4    4    4    4    4    4    4    4
three_of_a_kind    3    3    3    3    3    3    3    3    3    3
straight           2    2    2    2    2    2    2    2    2    2
three_pair         -    - push    - push    -    -    -    -    -
""",
)
FORTUNE_ENVY = _printed(
    "A B C D face_up_1 face_up_2 face_up_3 face_up_4 face_up_5 face_up_6",
    """
seven_natural   5000 3000 1000 1000 1000 5000 3000 1000 2500 2500
match           1000 1000  250  750  250 1000 1000  750  500  500
seven_joker      500  500  100  250  100  500  500  250  250  250
five_aces        250  250   50  100   50  250  250  100  150  150
royal_flush       50   50   25   50   25   50   50   50   55   55
straight_flush    20   20   10   20   10   20   20   20   25   25
four_of_a_kind     5    5    5    5    5    5    5    5    6    6
""",
)
EMPERORS = _printed(  # §16(c)
    "A B C D",
    """
seven_natural   8000 5000 5000 2500
royal_and_AK    2000 2000 1000 1000
seven_joker     1000 1000  750  750
five_aces        400  400  250  250
royal_flush      150  150  100  125
straight_flush    50   50   50   50
four_of_a_kind    25   25   20   25
full_house         5    5    5    5
flush              4    4    4    4
three_of_a_kind    3    3    3    3
straight           2    2    2    2
""",
)
EMPERORS_ENVY = _printed(
    "A B C D",
    """
seven_natural   5000 3000 1000 1000
royal_and_AK    1000 1000  250  750
seven_joker      500  500  100  250
five_aces        250  250   50  100
royal_flush       50   50   25   50
straight_flush    20   20   10   20
four_of_a_kind     5    5    5    5
""",
)
INSURANCE = _printed(  # §16(d); 100 and 3 span all five columns
    "A B C D E",
    """
9 100 100 100 100 100
T  25  25  40  50  40
J  15  15  10  10  10
Q   6   7   7   7   7
K   5   5   6   5   5
A   3   3   3   3   3
""",
)
DYNASTY = {  # §16(g); R-18 for the third row
    "natural_wheel_and_AQ": "2000",
    "seven_natural": "2000",
    "natural_royal_and_AQ": "1000",
    "seven_joker": "1000",
    "five_aces": "500",
    "natural_wheel": "120",
    "royal_flush": "120",
    "straight_flush": "50",
    "four_of_a_kind": "25",
    "full_house": "5",
    "flush": "4",
    "three_of_a_kind": "3",
    "straight": "2",
}
DYNASTY_ENVY = {
    "natural_wheel_and_AQ": "500",
    "seven_natural": "400",
    "natural_royal_and_AQ": "300",
    "seven_joker": "200",
    "five_aces": "100",
    "natural_wheel": "75",
    "royal_flush": "50",
    "straight_flush": "20",
    "four_of_a_kind": "5",
}
PROTECTION = {"9": "100", "T": "25", "J": "15", "Q": "7", "K": "5", "A": "3"}  # §16(h)
RED_BLACK = {7: 5, 6: 1, 5: 1, 4: 1}  # §16(i)
ACE_HIGH = _printed(  # §19(d)
    "1 2 3 4 5",
    """
both        20 40 30 25 40
with_joker  10 15 15 10 12
no_joker     8  5  6  7  5
""",
)
THREE_CARD = {  # §18(b)
    "straight_flush_natural": 40,
    "three_of_a_kind": 25,
    "straight_flush": 5,
    "straight": 4,
    "flush": 3,
    "pair": 1,
}
SEVEN_CARD = {  # §18(c)
    "A": {
        "five_aces": "500",
        "royal_flush": "250",
        "straight_flush": "50",
        "four_of_a_kind": "25",
        "full_house": "5",
        "flush": "4",
        "three_of_a_kind": "3",
        "straight": "2",
    },
    "B": {
        "five_aces": "500",
        "royal_flush": "200",
        "straight_flush_natural": "50",
        "straight_flush_joker": "30",
        "four_of_a_kind": "25",
        "full_house": "5",
        "flush": "4",
        "three_of_a_kind": "3",
        "straight": "2",
    },
}
SECTION_14 = _printed(  # §14(d): dollars, or percent of the meter, in the order printed
    "14_1_dollar 14_5_dollars",
    """
natural_royal_and_pair    100%  100%
five_aces_and_pair        100%  100%
natural_royal              10%   10%
five_aces                  10%   10%
royal_flush_and_pair       200  1000
royal_flush                100   500
straight_flush_and_pair     50   250
straight_flush              25   125
four_of_a_kind_and_pair     40   200
four_of_a_kind              20  1000
full_house_and_pair         10    50
full_house                   5    25
flush_and_pair               6    30
flush                        3    15
straight_and_pair            4    20
straight                     2    10
three_of_a_kind              2    10
""",
)
OFF_THE_METER_CENTS = {"14_1_dollar": 50_00, "14_5_dollars": 250_00}  # §14(e), "or for a straight flush"
FOR_ONE = {  # odds "for 1", or percent of the meter
    "16e": {"seven": "100%", "five_aces": "10%", "royal_flush": "500", "straight_flush": "100"},
    "14a": {"seven": "100% mega", "five_aces": "100% major", "royal_flush": "100% minor", "straight_flush": "100"},
}
FOR_ONE |= dict.fromkeys(("face_up_1", "face_up_3"), FOR_ONE["16e"])  # §19(h) prints the same rows
FOR_ONE = {name: rows | {"four_of_a_kind": "75", "full_house": "4"} for name, rows in FOR_ONE.items()}
RATE_BP = {"14_1_dollar": 2100, "14_5_dollars": 2700, "face_up_1": 2800, "face_up_3": 2900}
PREMIUM = {"seven_natural", "seven_joker", "five_aces", "royal_flush", "straight_flush", "four_of_a_kind"}
QUALIFYING_CENTS = 5_00

# ---- a round ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Filed:
    """What the licensee filed, by the names of the pack's options; money in cents."""

    variant: str = "standard"
    wheel_lowest: bool = False
    exact_vigorish: bool = False
    royal_match: str = "KQ"
    forfeits: bool = False
    fortune: str = ""
    emperors: str = ""
    insurance: str = ""
    ace_high: str = ""
    seven_card: str = ""
    progressive: str = ""
    rng_hundredths: int = 550
    most_on_a_hand: int = 0
    most_on_seven_cards: int = 0
    rates_bp: dict[str, int] = field(default_factory=dict)  # of meters whose share is filed
    seeds: dict[str, int] = field(default_factory=dict)


@dataclass
class Place:
    wagers: dict[str, int]  # cents
    low: Hand
    high: Hand
    choices: dict[str, str] = field(default_factory=dict)
    surrenders: bool = False
    first_three: Hand = ()

    @property
    def cards(self) -> Hand:
        return tuple(sorted((*self.low, *self.high)))


@dataclass
class Settled:
    lines: dict[tuple[int, str], Line] = field(default_factory=dict)
    vigorish: dict[tuple[int, str], int] = field(default_factory=dict)
    envy: dict[tuple[int, str, int], int] = field(default_factory=dict)  # (to, wager, for) → cents
    put_in: dict[tuple[int, str], int] = field(default_factory=dict)  # (seat, meter)
    paid_out: dict[tuple[int, str], int] = field(default_factory=dict)
    meters: dict[str, int] = field(default_factory=dict)


ON_ONES_OWN_CARDS = ("fortune", "emperors", "insurance", "dynasty", "protection", "red_black", "ace_high")
CAPPED = ("fortune", "emperors", "insurance", "queens_dragon", "dynasty", "protection", "red_black")  # §16(b) to (i)
ENVY_FOR = {"fortune": FORTUNE_ENVY, "emperors": EMPERORS_ENVY, "dynasty": {"": DYNASTY_ENVY}}


def vigorish_on(won: int, exact: bool) -> int:
    """§16(a): 5%, and "may round off the vigorish to 25¢ or the next highest multiple of 25¢"; R-23."""
    if exact:
        return won // 20 + (won % 20 >= 10)
    quarters, rest = divmod(won * 5, 2500)
    return 25 * (quarters + (rest > 0))


def queens_dragon(cards: Hand) -> bool:
    return pai_gow_high(cards, joker_is_an_ace=False) == "Q"


def ace_high(cards: Hand) -> bool:
    return pai_gow_high(cards, joker_is_an_ace=False) == "A"


def all_push(filed: Filed, dealer: Hand) -> bool:
    return (filed.variant == "ez" and queens_dragon(dealer)) or (filed.variant == "face_up" and ace_high(dealer))


def higher(one: tuple[Hand, Hand], other: tuple[Hand, Hand], wheel_lowest: bool) -> tuple[bool, bool]:
    """Whether the low hand is higher than the other's, and the high hand; an identical one is not (§9(g))."""
    return two(one[0]) > two(other[0]), five(one[1], wheel_lowest) > five(other[1], wheel_lowest)


def outcome_of(filed: Filed, place: Place, against: tuple[Hand, Hand]) -> str:
    if place.surrenders:
        return "surrender"
    if all_push(filed, tuple(sorted((*against[0], *against[1])))):
        return "push"
    if foul(place.low, place.high, filed.wheel_lowest):
        return "lose"
    return ("lose", "push", "win")[sum(higher((place.low, place.high), against, filed.wheel_lowest))]


def moved(outcome: str, cents: int) -> Line:
    return outcome, cents if outcome == "win" else 0, cents if outcome in ("lose", "surrender") else 0


def best(table: dict[str, str], found: frozenset[str]) -> str | None:
    """The best-paying row the hand forms (R-16)."""
    rows = [row for row in table if row in found]
    return max(rows, key=lambda row: 0 if table[row] == "push" else int(table[row]), default=None)


def by_table(table: dict[str, str], found: frozenset[str], cents: int) -> Line:
    row = best(table, found)
    if row is None:
        return "lose", 0, cents
    return ("push", 0, 0) if table[row] == "push" else ("win", int(table[row]) * cents, 0)


def with_match(found: frozenset[str], filed: Filed) -> frozenset[str]:
    return found | {"match"} if f"royal_and_{filed.royal_match}" in found else found


def reds(cards: Hand) -> int:
    return sum(card != JOKER and card[1] in "dh" for card in cards)


def blacks(cards: Hand) -> int:
    return sum(card != JOKER and card[1] in "cs" for card in cards)


def side_line(filed: Filed, wager: str, cents: int, place: Place, dealer: Hand, number: int) -> Line:
    cards, found = place.cards, formed(place.cards)
    if filed.forfeits and place.surrenders and wager in (*ON_ONES_OWN_CARDS, "queens_dragon"):
        return "lose", 0, cents
    match wager:
        case "fortune":
            return by_table(FORTUNE[filed.fortune], with_match(found, filed), cents)
        case "emperors":
            return by_table(EMPERORS[filed.emperors], found, cents)
        case "insurance":
            high = pai_gow_high(cards, joker_is_an_ace=True)
            return by_table(INSURANCE[filed.insurance], frozenset({high} if high else ()), cents)
        case "queens_dragon":
            return ("win", 50 * cents, 0) if queens_dragon(dealer) else ("lose", 0, cents)  # §16(f)
        case "dynasty":
            return by_table(DYNASTY, found, cents)
        case "protection":
            high = pai_gow_high(cards, joker_is_an_ace=False)
            return by_table(PROTECTION, frozenset({high} if high else ()), cents)
        case "red_black":
            held = reds(cards) if place.choices[wager] == "red" else blacks(cards)
            return ("win", RED_BLACK[held] * cents, 0) if held in RED_BLACK else ("lose", 0, cents)
        case "ace_high":
            if not ace_high(dealer):
                return "lose", 0, cents
            row = "both" if ace_high(cards) else "with_joker" if JOKER in dealer else "no_joker"
            return "win", int(ACE_HIGH[filed.ace_high][row]) * cents, 0
        case "three_card_bonus":
            kind = three_card_class(place.first_three)
            return ("win", THREE_CARD[kind] * cents, 0) if kind else ("lose", 0, cents)
        case "seven_card_bonus":
            return by_table(SEVEN_CARD[filed.seven_card], found, cents)
        case "rng":
            if int(place.choices[wager]) != number:
                return "lose", 0, cents
            return "win", cents * filed.rng_hundredths // 10_000 * 100, 0  # "rounded down to the nearest whole dollar"
    raise ValueError(wager)


def progressive_line(filed: Filed, seat: int, wager: str, place: Place, settled: Settled) -> Line:
    """What is paid, and taken off a meter, when this player's turn comes (§14(g), §16(e)(3))."""
    cents, found = place.wagers[wager], formed(place.cards)
    name = filed.progressive if wager == "progressive" else "14a"
    table = SECTION_14.get(name) or FOR_ONE[name]
    row = next((row for row in table if row in found), None)
    if row is None:
        return "lose", 0, cents
    printed, _, meter = table[row].partition(" ")
    meter = meter or "progressive"
    if printed.endswith("%"):
        paid = settled.meters[meter] * int(printed[:-1]) // 100
        settled.meters[meter] = filed.seeds[meter] if printed == "100%" else settled.meters[meter] - paid
        settled.paid_out[seat, meter] = paid
    elif name in SECTION_14:
        paid = int(printed) * 100
        if paid >= OFF_THE_METER_CENTS[name] or row.startswith("straight_flush"):
            settled.meters[meter] -= paid
            settled.paid_out[seat, meter] = paid
    else:
        paid = int(printed) * cents
    return "win", paid, cents


def contributions(filed: Filed, wager: str, cents: int) -> dict[str, int]:
    if wager == "progressive":
        rate = filed.rates_bp.get("progressive") or RATE_BP[filed.progressive]
        return {"progressive": cents * rate // 10_000}
    return {meter: cents * filed.rates_bp.get(meter, 0) // 10_000 for meter in ("mega", "major", "minor")}


def is_unseen(filed: Filed, place: Place) -> bool:
    """A surrendered hand without a live wager on its own cards goes to the rack unseen (§9(e)(2), R-5)."""
    return place.surrenders and (filed.forfeits or not any(wager in place.wagers for wager in ON_ONES_OWN_CARDS))


def settle(
    filed: Filed,
    places: dict[int, Place],
    dealer: tuple[Hand, Hand],
    number: int = 1,
    meters: dict[str, int] | None = None,
) -> Settled:
    settled = Settled(meters=dict(meters or {}))
    seven = tuple(sorted((*dealer[0], *dealer[1])))
    for seat, place in sorted(places.items()):
        for wager in ("progressive", "fortune_progressive"):
            for meter, cents in (
                contributions(filed, wager, place.wagers[wager]).items() if wager in place.wagers else ()
            ):
                settled.put_in[seat, meter] = cents
                settled.meters[meter] += cents
    for seat, place in sorted(places.items()):
        for wager, cents in place.wagers.items():
            if wager == "pai_gow":
                line = moved(outcome_of(filed, place, dealer), cents)
                if line[0] == "win" and filed.variant == "standard":
                    settled.vigorish[seat, wager] = vigorish_on(line[1], filed.exact_vigorish)
            elif wager.endswith("progressive"):
                line = progressive_line(filed, seat, wager, place, settled)
            else:
                line = side_line(filed, wager, cents, place, seven, number)
            settled.lines[seat, wager] = line
    limit(filed, places, settled)
    settled.envy = envy(filed, places)
    return settled


def limit(filed: Filed, places: dict[int, Place], settled: Settled) -> None:
    """§16(j), R-46: the sum of one hand's (b)–(i) payouts without meter shares, in the order of §9(l); §18(d)."""
    order = ("fortune", "emperors", "insurance", "progressive", "queens_dragon", "dynasty", "protection", "red_black")
    for seat in places:
        left = filed.most_on_a_hand
        for wager in order if left else ():
            outcome, paid, taken = settled.lines.get((seat, wager), ("", 0, 0))
            of_the_meter = wager == "progressive" and (
                filed.progressive != "16e" or settled.paid_out.get((seat, wager))
            )
            if paid and not of_the_meter:
                settled.lines[seat, wager] = (outcome, min(paid, left), taken)
                left -= min(paid, left)
        outcome, paid, taken = settled.lines.get((seat, "seven_card_bonus"), ("", 0, 0))
        if filed.most_on_seven_cards and paid:
            settled.lines[seat, "seven_card_bonus"] = (outcome, min(paid, filed.most_on_seven_cards), taken)


def envy(filed: Filed, places: dict[int, Place]) -> dict[tuple[int, str, int], int]:
    due = {}
    for wager, tables in ENVY_FOR.items():
        for to, place in places.items():
            if place.wagers.get(wager, 0) < QUALIFYING_CENTS or (place.surrenders and filed.forfeits):
                continue
            column = tables[getattr(filed, wager, "")]
            for other, held in places.items():
                found = with_match(formed(held.cards), filed)
                if other == to or is_unseen(filed, held) or not found & PREMIUM:
                    continue
                row = best(column, found)
                assert row is not None
                due[to, wager, other] = int(column[row]) * 100
    return due


def settle_banked(
    filed: Filed,
    places: dict[int, Place],
    bank_seat: int,
    bank: tuple[Hand, Hand],
    *,
    co_bank: bool,
    dealer: tuple[Hand, Hand] | None = None,
    dealer_wager: int = 0,
    number: int = 1,
    meters: dict[str, int] | None = None,
) -> Settled:
    """§10 second (c) to (g): everyone, the dealer too, plays against the bank, through the centre of the table."""
    settled = settle(filed, places, bank, number, meters)
    centre, due = 0, 0
    for (_, wager), (_, paid, taken) in settled.lines.items():
        if wager == "pai_gow":
            centre, due = centre + taken, due + paid
    if dealer is not None and dealer_wager:
        better = sum(higher(dealer, bank, filed.wheel_lowest))
        settled.lines[0, "pai_gow"] = moved(("lose", "push", "win")[better], dealer_wager)
        centre, due = centre + settled.lines[0, "pai_gow"][2], due + settled.lines[0, "pai_gow"][1]
    share = 2 if co_bank else 1
    if due > centre:
        settled.lines[bank_seat, "bank"] = ("lose", 0, (due - centre) // share)  # an odd cent is the casino's
    elif due < centre:
        surplus = (centre - due) // share
        settled.lines[bank_seat, "bank"] = ("win", surplus, 0) if surplus else ("push", 0, 0)
        settled.vigorish[bank_seat, "bank"] = vigorish_on(surplus, filed.exact_vigorish)
    else:
        settled.lines[bank_seat, "bank"] = ("push", 0, 0)
    return settled
