"""Supreme Baccarat rounds for tests, and a slow, plain reference of the game written from the text alone."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from replay.filing import Filing, file_under, load_pack
from replay.rounds import DEALT_TO, Fact, FactRow, RoundFlag, RoundRow, unknown_fixed
from schemas.cards import CARD_NAMES, codes_of


def filing_of(**options: str | int | bool) -> Filing:
    return file_under(load_pack("ca/supreme_baccarat"), "1.0", options)


@dataclass
class Bet:
    seat: int
    wager: str
    amount: int
    bettor: str = ""


@dataclass
class Table:
    """One round as played: who banks, who bet, which cards; what the devices saw of it is asked for in `row`."""

    bets: list[Bet]
    player: str = "9s Kd"
    banker: str = "7c Th"
    bank_seat: int = 1
    posted: int = -1
    button: int = 0  # 0: not placed
    extra: list[FactRow] = field(default_factory=list)  # sequence numbers 100 and up come after the deal
    fixed: dict[str, int] = field(default_factory=dict)

    def row(
        self,
        *,
        rack: bool | str = True,
        deal: bool | str = True,
        to: str | bytes = "known",
        flags: int = 0,
    ) -> RoundRow:
        player, banker = codes_of(self.player), codes_of(self.banker)
        order = [
            (card, to_)
            for pair in zip(player[:2], banker[:2], strict=True)
            for card, to_ in zip(pair, "pb", strict=True)
        ]
        order += [(card, "p") for card in player[2:]] + [(card, "b") for card in banker[2:]]
        dealt = bytes(card for card, _ in order) if deal is True else codes_of(deal) if deal else b""
        if isinstance(to, bytes):
            dealt_to = to
        elif to == "known" and deal is True:
            dealt_to = bytes(DEALT_TO.index("player" if to_ == "p" else "banker") for _, to_ in order)
        else:
            dealt_to = bytes(len(dealt))
        facts = [
            FactRow(Fact.WAGER_PLACED, 10 + at, bet.seat, bet.bettor, bet.wager, amount=bet.amount)
            for at, bet in enumerate(self.bets)
        ]
        if self.button:
            facts.append(FactRow(Fact.BUTTON, 95, self.button, choice="action"))
        fixed = unknown_fixed() | {
            "flags": int(RoundFlag.CLOSED) | flags,
            "first_seq": 1,
            "last_seq": 200,
            "bets_closed_seq": 80,
            "bank_seat": self.bank_seat,
            "bank_posted_cents": self.posted,
            "bank_seq": 5,
            "decks": 8,
        }
        if dealt:
            fixed |= {"first_card_seq": 90, "first_card_count": 1, "last_card_seq": 92}
        return RoundRow(
            {"table_id": "BA-01", "round_id": "1"},
            fixed | self.fixed,
            rack=(player + banker) if rack is True else codes_of(rack) if rack else b"",
            dealt=dealt,
            dealt_place=[0] * len(dealt),
            dealt_to=dealt_to,
            facts=sorted([*facts, *self.extra], key=lambda fact: fact.seq),
        )


# --- the reference ---------------------------------------------------------------------------------------------------


def points(card: str) -> int:
    return {"A": 1, "T": 0, "J": 0, "Q": 0, "K": 0}[card[0]] if card[0] in "ATJQK" else int(card[0])


def score(cards: list[str]) -> int:
    return sum(points(card) for card in cards) % 10


def play(shoe: list[str]) -> tuple[list[str], list[str]]:
    """Deals one coup from the front of the shoe."""
    cards = iter(shoe)
    player, banker = [], []
    for _ in range(2):
        player.append(next(cards))
        banker.append(next(cards))
    if score(player) in (8, 9) or score(banker) in (8, 9):
        return player, banker
    two = score(banker)
    if score(player) <= 5:
        third = next(cards)
        player.append(third)
        stands_on = {3: (8,), 4: (0, 1, 8, 9), 5: (0, 1, 2, 3, 8, 9), 6: (0, 1, 2, 3, 4, 5, 8, 9)}
        if two <= 2 or (two <= 6 and points(third) not in stands_on[two]):
            banker.append(next(cards))
    elif two <= 5:
        banker.append(next(cards))
    return player, banker


def full_result(wager: str, amount: int, player: int, banker: int) -> tuple[str, int, int]:
    """(outcome, paid, taken) with no limit of cover."""
    if wager in ("player", "banker"):
        if player == banker:
            return "push", 0, 0
        if (wager == "player") != (player > banker):
            return "lose", 0, amount
        return "win", amount // 2 if wager == "banker" and banker == 6 else amount, 0
    odds = {("tie", True): 8}.get((wager, player == banker), 0)
    if wager == "total_shot":
        odds = {18: 40, 17: 20}.get(player + banker, 0)
    return ("win", amount * odds, 0) if odds else ("lose", 0, amount)


def button_at(first: str, bank: int, seats: int) -> int:
    """Counts seat by seat, as a dealer would."""
    steps = {"A": 1, "T": 10, "J": 11, "Q": 12, "K": 13}.get(first[0]) or int(first[0])
    at = bank
    while steps:
        at = at % seats + 1
        if at != bank:
            steps -= 1
    return at


def settle(
    bets: list[Bet], player: list[str], banker: list[str], bank: int, posted: int, seats: int
) -> list[tuple[str, int, int]]:
    """What every bet comes to, in the order of `bets`."""
    full = [full_result(bet.wager, bet.amount, score(player), score(banker)) for bet in bets]
    if posted < 0 or sum(paid + taken for _, paid, taken in full) <= posted:
        return full
    button = button_at(banker[0], bank, seats)
    ring = [(button - 1 + step) % seats + 1 for step in range(seats)]
    order: list[int] = []
    for group in (("player", "banker"), ("tie",), ("total_shot",)):
        for seat in ring:
            there = [at for at, bet in enumerate(bets) if bet.seat == seat]
            who = [""] if any(not bets[at].bettor for at in there) else []
            who += list(dict.fromkeys(bets[at].bettor for at in there if bets[at].bettor))
            for bettor in who:
                for wager in group:
                    order += [at for at in there if bets[at].bettor == bettor and bets[at].wager == wager]
    assert sorted(order) == list(range(len(bets)))
    left = posted
    result = list(full)
    for at in order:
        outcome, paid, taken = full[at]
        used = min(paid + taken, left)
        left -= used
        if paid + taken and not used:
            result[at] = ("no_action", 0, 0)
        elif outcome != "push":
            result[at] = (outcome, used if outcome == "win" else 0, used if outcome == "lose" else 0)
    return result


TIERS = {  # (floor in dollars, fee in dollars), typed off the text a second time
    "own_1": [(700, 12), (500, 10), (300, 6), (100, 3), (5, 1)],
    "own_2": [(5, 2)],
    "own_3": [(10, 2)],
    "own_4": [(700, 12), (500, 10), (300, 6), (100, 3), (1, 1)],
    "california_games_1": [(1001, 10), (601, 8), (301, 4), (101, 2), (5, 1)],
    "california_games_2": [(2001, 25), (1001, 15), (601, 8), (301, 4), (25, 2)],
}
PLAYER_TIERS = {"own_2": [(101, 2), (1, 1)], "own_3": [(201, 3), (101, 2), (1, 1)]}


def tier(tiers: list[tuple[int, int]], cents: int) -> int:
    return next((fee * 100 for floor, fee in tiers if cents >= floor * 100), 0)


def fees(schedule: str, bets: list[Bet], bank: int) -> dict[tuple[str, int, str], int]:
    """(payer, seat, bettor) → fee in cents."""
    due = {("player_dealer", bank, ""): tier(TIERS[schedule], sum(bet.amount for bet in bets))}
    players: dict[str | int, list[Bet]] = {}
    for bet in bets:  # a bettor named is one person at whatever seats, everybody else is whoever sits there
        players.setdefault(bet.bettor or bet.seat, []).append(bet)
    for mine in players.values():
        first = min(mine, key=lambda bet: bet.seat)
        due["player", first.seat, first.bettor] = tier(PLAYER_TIERS.get(schedule, []), sum(bet.amount for bet in mine))
    return {payer: fee for payer, fee in due.items() if fee}


def random_table(rng: random.Random, seats: int, sensible: bool = False) -> Table:
    """Any bets, any cards: `sensible` ones stay within the limits of own_1."""
    shoe = [rng.choice(CARD_NAMES[:52]) for _ in range(6)]
    player, banker = play(shoe)
    bank = rng.randint(1, seats)
    bets = []
    for seat in range(1, seats + 1):
        if seat == bank or rng.random() < 0.3:
            continue
        for bettor in ["", *(["B1"] if rng.random() < 0.3 else []), *(["B2"] if rng.random() < 0.2 else [])]:
            for wager in ("player", "banker", "tie", "total_shot"):
                if rng.random() < (0.5 if wager in ("player", "banker") else 0.25):
                    most = 30000 if wager in ("player", "banker") else 5000
                    bets.append(Bet(seat, wager, rng.randrange(500, most, 500 if sensible else 1), bettor))
    rng.shuffle(bets)
    moves = sum(sum(full_result(bet.wager, bet.amount, score(player), score(banker))[1:]) for bet in bets)
    posted = rng.choice([-1, moves, moves + 1, max(moves - 1, 0), rng.randint(0, moves), 10 * moves + 1])
    return Table(bets, " ".join(player), " ".join(banker), bank, posted, button_at(banker[0], bank, seats))
