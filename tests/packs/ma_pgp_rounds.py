"""Random tables of MA-PGP for tests: what a licensee may have filed, who bets what, and hands that are seldom dealt."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from itertools import combinations
from typing import Any

from tests.packs.ma_pgp_hands import DECK, JOKER, LADDER, RANKS, SUITS, Hand, foul, three_card_class
from tests.packs.ma_pgp_slow import Filed, Place, Settled, settle, settle_banked
from tests.ranking.by_definition import set_house_way

STAKES = (100, 400, 499, 500, 501, 777, 2500, 20_000)
PROGRESSIVE_CENTS = {"14_1_dollar": 100, "14_5_dollars": 500, "face_up_1": 100, "face_up_3": 500}
SEEDS = {"14_1_dollar": 1_000_000, "14_5_dollars": 1_000_000, "16e": 200_000}  # §14(f), §16(e)(2)
SEEDS |= {"face_up_1": 1_000_000, "face_up_3": 1_000_000}  # §19(h)


@dataclass
class Round:
    """What was filed, bet and held, and what it comes to."""

    options: dict[str, Any]
    filed: Filed
    places: dict[int, Place]
    dealer: tuple[Hand, Hand]
    number: int
    meters: dict[str, int]
    bank_seat: int = 0
    co_bank: bool = False
    dealer_wager: int = 0
    left: list[str] = field(default_factory=list)

    @property
    def settled(self) -> Settled:
        if not self.bank_seat:
            return settle(self.filed, self.places, self.dealer, self.number, self.meters)
        bank = self.places[self.bank_seat]
        return settle_banked(
            self.filed,
            {seat: place for seat, place in self.places.items() if seat != self.bank_seat},
            self.bank_seat,
            (bank.low, bank.high),
            co_bank=self.co_bank,
            dealer=self.dealer,
            dealer_wager=self.dealer_wager,
            number=self.number,
            meters=self.meters,
        )


# ---- what is filed ---------------------------------------------------------------------------------------------------


def options_of(rng: random.Random) -> dict[str, Any]:
    """A filing that the text allows, with much of what can be offered together."""
    kind = rng.choice(("standard", "bank", "bank", "ez", "face_up", "section_17", "section_17"))
    options: dict[str, Any] = {"variant": "standard", "fortune_paytable": "none", "table_minimum_cents": 1}
    options["wheel"] = rng.choice(("second_highest", "lowest"))
    options["vigorish_rounding"] = rng.choice(("up_to_quarter", "exact"))
    options["royal_match"] = rng.choice(("king_queen", "ace_king_natural"))
    options["surrendered_bonus"] = rng.choice(("settled", "settled", "forfeited"))
    options["dealing"], options["starting"] = rng.choice(
        (("manual_shoe", "dice"), ("hand", "rng"), ("manual_shoe", "rng"))
    )
    if kind == "section_17":
        options |= {"dealing": rng.choice(("bonus_shoe", "bonus_hand")), "starting": "left_of_dealer"}
        offered = rng.choice((("offered", "none"), ("none", "A"), ("offered", "A"), ("offered", "B")))
        options |= {"three_card_bonus": offered[0], "seven_card_bonus_paytable": offered[1]}
        if rng.random() < 0.3:
            options["seven_card_bonus_maximum_payout_cents"] = 10_000_000
    elif kind == "face_up":
        options |= {"variant": "face_up", "ace_high_paytable": rng.choice("12345")}
        options["fortune_paytable"] = rng.choice(("none", *(f"face_up_{table}" for table in range(1, 7))))
        options["progressive_paytable"] = rng.choice(("none", "face_up_1", "face_up_3"))
    else:
        options["fortune_paytable"] = rng.choice(("A", "B", "C", "D", "none"))
        options["emperors_paytable"] = rng.choice(("A", "B", "C", "D", "none", "none"))
        options["progressive_paytable"] = rng.choice(("none", "14_1_dollar", "14_5_dollars", "16e"))
        options["fortune_progressive"] = rng.choice(("none", "offered"))
    if kind == "ez":
        options["variant"] = "ez"
        for name in ("queens_dragon", "dynasty", "protection", "red_black"):
            options[name] = rng.choice(("none", "offered", "offered"))
    if kind == "bank":
        options["banking"] = "bank_and_co_bank"
    tables = [one for one in "AB" if options.get("emperors_paytable", "none") != "none"]
    tables += [one for one in "CDE" if options["fortune_paytable"] != "none"]
    if tables:
        options["insurance_paytable"] = rng.choice((*tables, "none"))
    if options["starting"] == "rng" and kind != "section_17":
        options |= {"rng_wager": "offered", "rng_odds_hundredths": rng.choice((550, 575, 600))}
    if kind != "section_17" and rng.random() < 0.3:
        options["maximum_payout_cents"] = 16_000_000
    if options.get("progressive_paytable") == "16e":
        options["progressive_rate_bp"] = 2222
    if options.get("fortune_progressive") == "offered":
        for name, seed in (("mega", 5_000_000), ("major", 500_000), ("minor", 50_000)):
            options |= {f"fortune_progressive_{name}_seed_cents": seed, f"fortune_progressive_{name}_rate_bp": 333}
    for name in ("fortune", "emperors"):
        options[f"{name}_minimum_cents"] = 100
    options["progressive_maximum_cents"] = 10_000
    return options


def filed_by(options: dict[str, Any]) -> Filed:
    def table(name: str) -> str:
        chosen = options.get(name, "none")
        return "" if chosen == "none" else chosen

    seeds = {"mega": 5_000_000, "major": 500_000, "minor": 50_000}
    rates = dict.fromkeys(seeds, 333)
    if table("progressive_paytable"):
        seeds["progressive"] = SEEDS[options["progressive_paytable"]]
    if options.get("progressive_rate_bp"):
        rates["progressive"] = options["progressive_rate_bp"]
    return Filed(
        variant=options["variant"],
        wheel_lowest=options["wheel"] == "lowest",
        exact_vigorish=options["vigorish_rounding"] == "exact",
        royal_match="KQ" if options["royal_match"] == "king_queen" else "AK",
        forfeits=options["surrendered_bonus"] == "forfeited",
        fortune=table("fortune_paytable"),
        emperors=table("emperors_paytable"),
        insurance=table("insurance_paytable"),
        ace_high=table("ace_high_paytable"),
        seven_card=table("seven_card_bonus_paytable"),
        progressive=table("progressive_paytable"),
        rng_hundredths=options.get("rng_odds_hundredths", 550),
        most_on_a_hand=options.get("maximum_payout_cents", 0),
        most_on_seven_cards=options.get("seven_card_bonus_maximum_payout_cents", 0),
        rates_bp=rates,
        seeds=seeds,
    )


# ---- who bets what ---------------------------------------------------------------------------------------------------

ORDER = (
    *("pai_gow", "rng", "fortune", "emperors", "insurance", "progressive", "fortune_progressive", "queens_dragon"),
    *("dynasty", "protection", "red_black", "ace_high", "three_card_bonus", "seven_card_bonus"),
)


def offered_by(options: dict[str, Any]) -> list[str]:
    filed = {name.removesuffix("_paytable").removesuffix("_wager"): choice for name, choice in options.items()}
    return [name for name in ORDER[1:] if filed.get(name, "none") != "none"]


def wagers_of(rng: random.Random, options: dict[str, Any]) -> dict[str, int]:
    placed = {"pai_gow": rng.choice((1000, 1001, 1010, 1250, 2500, 2510, 33_333, 100_000))}
    table = options.get("progressive_paytable", "none")
    for name in offered_by(options):
        if rng.random() < 0.6:
            placed[name] = rng.choice(STAKES)
            if name == "progressive":
                placed[name] = PROGRESSIVE_CENTS.get(table) or rng.choice((100, 500, 1234))
            elif name == "fortune_progressive":
                placed[name] = 500
    return placed


# ---- what is held ----------------------------------------------------------------------------------------------------


def wanted_cards(rng: random.Random) -> list[str]:
    """The cards of a hand that is seldom dealt; what is missing of seven is filled up at random."""
    suit, other = rng.choice(SUITS), rng.choice(SUITS)
    rank, second, third = rng.sample(RANKS, 3)
    some = rng.sample(SUITS, 4)
    start, first = rng.randrange(10), rng.randrange(8)
    run = [each + suit for each in LADDER[start : start + 5]]
    seven = [each + suit for each in LADDER[first : first + 7]]
    royal = [each + suit for each in "AKQJT"]
    wheel = [each + suit for each in "A2345"]
    aces = ["Ac", "Ad", "Ah", "As", JOKER]
    added = rng.choice((["K" + other, "Q" + other], ["A" + other, "K" + other], ["A" + other, "Q" + other]))
    pair = [second + each for each in some[:2]]
    hand = rng.choice(
        (
            seven,
            seven,
            royal + added,
            royal + added,
            royal + pair,
            royal + rng.choice((["A" + other, JOKER], [])),
            wheel + added,
            wheel + pair,
            run + pair,
            [*run, "A" + other, JOKER],
            run,
            aces,
            aces + pair,
            [rank + each for each in SUITS] + pair,
            [rank + each for each in SUITS],
            [rank + each for each in some[:3]] + pair + [third + each for each in some[1:3]],
            [rank + each for each in some[:3]] + [second + each for each in some[1:]],
            [rank + each for each in some[:3]] + pair,
            pair + [rank + each for each in some[:2]] + [third + each for each in some[2:]],
            rng.sample([each + suit for each in RANKS], 6),
            rng.sample([each + suit for each in RANKS], 5) + pair,
            [each + rng.choice(SUITS) for each in LADDER[start : start + 5]] + pair,
            [each + rng.choice(SUITS) for each in LADDER[start : start + 5]],
            pai_gow(rng, 9),
            pai_gow(rng, 10),
            pai_gow(rng, 14),
            pai_gow(rng, 12),
            pai_gow(rng, rng.randint(9, 14)),
            rng.sample([card for card in DECK[:52] if card[1] in rng.choice(("dh", "cs"))], 7),
            [],
        )
    )
    if len(hand) >= 5 and JOKER not in hand and rng.random() < 0.4:
        hand = rng.sample(hand, len(hand))
        hand[0] = JOKER
    return hand


def pai_gow(rng: random.Random, high: int) -> list[str]:
    """Seven ranks up to this one, without five in a row or of a suit."""
    while True:
        ranks = [RANKS[high - 2], *rng.sample(RANKS[: high - 2], 6)]
        cards = [rank + rng.choice(SUITS) for rank in ranks]
        in_a_row = any(set(LADDER[at : at + 5]) <= set(ranks) for at in range(10))
        if not in_a_row and max(sum(card[1] == suit for card in cards) for suit in SUITS) < 5:
            return cards


def pushing(rng: random.Random, options: dict[str, Any]) -> list[str] | None:
    """Now and then the hand of the dealer's at which all push: queen high at EZ tables, ace high at Face Up ones."""
    high = {"ez": 12, "face_up": 14}.get(options["variant"])
    if high is None or rng.random() < 0.7:
        return None
    hand = pai_gow(rng, high)
    return hand if rng.random() < 0.7 or high == 12 else [JOKER, *hand[1:]]


def cards_of(rng: random.Random, left: list[str], wanted: list[str] | None = None) -> Hand:
    """Seven cards off the deck: most of them of the seldom kind, as far as these cards are still there."""
    if wanted is None:
        wanted = wanted_cards(rng) if rng.random() < 0.6 else []
    held = [card for card in dict.fromkeys(wanted) if card in left][:7]
    for card in held:
        left.remove(card)
    while len(held) < 7:
        held.append(left.pop(rng.randrange(len(left))))
    rng.shuffle(held)
    return tuple(held)


def set_somehow(rng: random.Random, cards: Hand, wheel_lowest: bool, foul_share: float = 0.06) -> tuple[Hand, Hand]:
    """A split that is in order, or now and then a foul one."""
    splits = [(low, tuple(card for card in cards if card not in low)) for low in combinations(cards, 2)]
    rng.shuffle(splits)
    wanted = rng.random() < foul_share
    return next((split for split in splits if foul(*split, wheel_lowest) == wanted), splits[0])


def round_of(seed: int) -> Round:
    rng = random.Random(seed)
    options = options_of(rng)
    filed = filed_by(options)
    left = list(DECK)
    seats = sorted(rng.sample(range(1, 7), rng.randint(2, 5)))
    bank_seat = rng.choice(seats) if "banking" in options and rng.random() < 0.8 else 0
    co_bank = bool(bank_seat) and rng.random() < 0.4
    places: dict[int, Place] = {}
    order = rng.sample([0, *seats], len(seats) + 1)
    held = {place: cards_of(rng, left, pushing(rng, options) if place == 0 else None) for place in order}
    for seat in seats:
        if seat == bank_seat:
            low, high = (
                set_house_way(held[seat], filed.wheel_lowest)
                if co_bank
                else set_somehow(rng, held[seat], filed.wheel_lowest, 0)
            )
            places[seat] = Place({}, low, high)
            continue
        wagers = wagers_of(rng, options)
        low, high = set_somehow(rng, held[seat], filed.wheel_lowest)
        bars = {"progressive", "fortune_progressive", "seven_card_bonus"}  # §9(e)
        place = Place(wagers, low, high, surrenders=not bars & set(wagers) and rng.random() < 0.15)
        place.choices = {"rng": str(rng.randint(1, 7)), "red_black": rng.choice(("red", "black"))}
        place.first_three = tuple(rng.sample(held[seat], 3)) if rng.random() < 0.5 else three_of(rng, held[seat])
        places[seat] = place
    dealer = set_house_way(held[0], filed.wheel_lowest)
    meters: dict[str, int] = {}
    if filed.progressive:
        meters["progressive"] = filed.seeds["progressive"] + rng.randrange(40_000_000)
    if options.get("fortune_progressive") == "offered":
        meters |= {name: filed.seeds[name] + rng.randrange(10_000_000) for name in ("mega", "major", "minor")}
    made = Round(options, filed, places, dealer, rng.randint(1, 7), meters, bank_seat, co_bank, left=left)
    if bank_seat and not co_bank:
        made.dealer_wager = rng.choice((0, 1000, 2501))
    return made


def three_of(rng: random.Random, cards: Hand) -> Hand:
    """Three of them that pay, where there are any."""
    paying = [three for three in combinations(cards, 3) if three_card_class(three)]
    return rng.choice(paying) if paying else cards[:3]
