"""Pure 21.5 Blackjack beside a slow dealer who knows only the text: random rounds, hand by hand and chip by chip.

Rounds are made as devices would report them, with hands of any number of cards, splits, doubles, surrenders, insurance
and backline bettors, and a player-dealer whose money runs out. What every wager should come to is worked out here with
lists and sums, and nothing of the replay.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

import pytest

from replay.audit import audit_or_raise
from replay.filing import canonical_filing
from replay.rounds import (
    ACTION_CODE,
    BANK_KIND_CODE,
    OUTCOMES,
    Fact,
    FactRow,
    RoundFlag,
    RoundRow,
    batch_of,
    unknown_fixed,
)
from schemas.events import Action, BankKind

PACK = "ca/pure_21_5_blackjack"
SEATS = 8
Wager = tuple[int, str, str, int]  # seat, bettor, wager, hand


def worth(card: int) -> int:
    rank = card // 4
    return 1 if rank == 12 else min(rank + 2, 10)


def best(hand: list[int]) -> int:
    """The total, an ace as eleven where that does not go over."""
    total = sum(worth(card) for card in hand)
    return total + 10 if total + 10 <= 21 and any(worth(card) == 1 for card in hand) else total


def soft(hand: list[int]) -> bool:
    return best(hand) > sum(worth(card) for card in hand)


def pure(hand: list[int], split: bool = False) -> bool:
    return not split and len(hand) == 2 and {worth(card) for card in hand} == {1, 10}


@dataclass
class Spot:
    seat: int
    number: int
    cards: list[int]
    split: bool = False
    given_up: int = 0  # the how-manieth hand to be surrendered


@dataclass
class Table:
    """A round made at random, as it was played and as it is reported."""

    rng: Random
    shoe: list[int] = field(default_factory=list)
    facts: list[FactRow] = field(default_factory=list)
    bets: list[tuple[Wager, int]] = field(default_factory=list)  # in the order they were made
    spots: dict[int, list[Spot]] = field(default_factory=dict)
    dealer: list[int] = field(default_factory=list)
    dealt: list[int] = field(default_factory=list)
    even: set[tuple[int, str]] = field(default_factory=set)
    surrendered: int = 0
    bank: int = 1
    posted: int = 0
    seq: int = 10

    def say(self, kind: Fact, seat: int, **said: object) -> None:
        self.seq += 1
        self.facts.append(FactRow(kind, self.seq, seat, **said))  # type: ignore[arg-type]

    def bet(self, seat: int, bettor: str, wager: str, hand: int, cents: int) -> None:
        self.bets.append(((seat, bettor, wager, hand), cents))
        self.say(Fact.WAGER_PLACED, seat, bettor=bettor, wager=wager, hand=hand, amount=cents)

    def draw(self) -> int:
        self.dealt.append(self.shoe.pop())
        return self.dealt[-1]

    def on(self, spot: Spot) -> list[tuple[str, int]]:
        return [
            (who[1], cents) for who, cents in self.bets if who[0] == spot.seat and who[2:] == ("blackjack", spot.number)
        ]

    # ---- playing it --------------------------------------------------------------------------------------------------

    def play(self) -> None:
        rng = self.rng
        self.shoe = list(range(52)) * rng.choice((1, 2, 6))
        rng.shuffle(self.shoe)
        self.bank = rng.randint(1, SEATS)
        order = [(self.bank - 1 + step) % SEATS + 1 for step in range(1, SEATS)]
        order = [seat for seat in order if rng.random() < 0.5] or order[:1]
        for seat in order:
            self.bet(seat, "", "blackjack", 0, rng.choice((500, 1_000, 2_500, 2_501, 5_000)))
            for number in range(rng.choice((0, 0, 0, 1, 2))):
                self.bet(seat, f"B{number}", "blackjack", 0, rng.choice((500, 1_500, 3_333)))
        total = sum(cents for _, cents in self.bets)
        self.posted = rng.choice((0, total // 3, total // 2, total, 3 * total))
        self.seq = 100
        for seat in order:
            self.spots[seat] = [Spot(seat, 0, [self.draw()])]
        self.dealer = [self.draw()]
        for seat in order:
            self.spots[seat][0].cards.append(self.draw())
        self.dealer.append(self.draw())
        if worth(self.dealer[0]) == 1:
            self.insure()
        if not pure(self.dealer):
            for seat in order:
                self.play_seat(seat)
        while best(self.dealer) < 17 or (best(self.dealer) == 17 and soft(self.dealer)):
            self.dealer.append(self.draw())

    def insure(self) -> None:
        for (seat, bettor, _, _), cents in list(self.bets):
            if pure(self.spots[seat][0].cards) and self.rng.random() < 0.5:
                self.even.add((seat, bettor))
                self.say(Fact.ACTION, seat, bettor=bettor, code=ACTION_CODE[Action.EVEN_MONEY])
            elif self.rng.random() < 0.4:
                self.bet(seat, bettor, "insurance", 0, max(cents // self.rng.choice((2, 3)), 1))

    def play_seat(self, seat: int) -> None:
        rng, spots, at = self.rng, self.spots[seat], 0
        while at < len(spots):
            spot = spots[at]
            at += 1
            if len(spot.cards) < 2:
                spot.cards.append(self.draw())
            aces = spot.split and worth(spot.cards[0]) == 1
            over = aces or pure(spot.cards, spot.split)
            while not over:
                two = len(spot.cards) == 2
                alike = two and worth(spot.cards[0]) == worth(spot.cards[1])
                again = worth(spot.cards[0]) == 1 and spot.split
                if alike and not again and len(spots) < 4 and rng.random() < 0.7:
                    self.act(spot, Action.SPLIT)
                    spots.append(Spot(seat, len(spots), [spot.cards.pop()], True))
                    spot.split = True
                    for bettor, cents in self.on(spot):
                        if not bettor or rng.random() < 0.5:
                            self.bet(seat, bettor, "blackjack", len(spots) - 1, cents)
                    spot.cards.append(self.draw())
                    over = worth(spot.cards[0]) == 1
                elif two and rng.random() < 0.1:
                    self.act(spot, Action.SURRENDER)
                    self.surrendered += 1
                    spot.given_up, over = self.surrendered, True
                elif two and rng.random() < 0.2 and self.on(spot)[0][1] >= 1_000:
                    self.act(spot, Action.DOUBLE)
                    for bettor, cents in self.on(spot):
                        if cents >= 1_000 and (not bettor or rng.random() < 0.5):
                            self.bet(seat, bettor, "double", spot.number, rng.randint(1_000, cents))
                    spot.cards.append(self.draw())
                    over = True
                elif not soft(spot.cards) and best(spot.cards) >= 19:
                    self.act(spot, Action.STAND)
                    over = True
                elif (not soft(spot.cards) and best(spot.cards) <= 11) or rng.random() < 0.5:
                    self.act(spot, Action.HIT)
                    spot.cards.append(self.draw())
                    over = best(spot.cards) > 21
                else:
                    self.act(spot, Action.STAND)
                    over = True

    def act(self, spot: Spot, action: Action) -> None:
        self.say(Fact.ACTION, spot.seat, hand=spot.number, code=ACTION_CODE[action])

    # ---- what it comes to --------------------------------------------------------------------------------------------

    def comes_to(self, wager: Wager, cents: int) -> tuple[str, int]:
        """The outcome of a wager, and what moves with no limit."""
        seat, bettor, name, number = wager
        if name == "insurance":
            return ("win", 2 * cents) if pure(self.dealer) else ("lose", cents)
        spot = self.spots[seat][number]
        if spot.given_up and name == "blackjack":
            return "surrender", cents // 2
        if (seat, bettor) in self.even and not number and name == "blackjack":
            return "win", cents
        if pure(self.dealer):
            return ("push", 0) if pure(spot.cards, spot.split) else ("lose", cents)
        if pure(spot.cards, spot.split):
            return "win", cents * 6 // 5
        mine, theirs = best(spot.cards), best(self.dealer)
        if mine > 21:
            three_eights = [card // 4 for card in self.dealer] == [6, 6, 6]
            return ("push", 0) if three_eights else ("lose", cents)
        if theirs > 21 or mine > theirs:
            return "win", cents
        return ("push", 0) if mine == theirs else ("lose", cents)

    @property
    def button(self) -> int:
        """Counted from the player-dealer's left, who is passed over: ace 1, jack 11, queen 12, king 13."""
        rank = self.dealer[1] // 4
        seat = self.bank
        for _ in range(1 if rank == 12 else rank + 2):
            seat = seat % SEATS + 1
            seat = seat % SEATS + 1 if seat == self.bank else seat
        return seat

    def settled(self) -> dict[Wager, tuple[str, int, int]]:
        around = [(self.button - 1 + step) % SEATS + 1 for step in range(SEATS)]
        given_up = sorted(
            (spot for spots in self.spots.values() for spot in spots if spot.given_up), key=lambda one: one.given_up
        )
        turns: list[Wager] = []
        for spot in given_up:
            turns += self.of_hand(spot.seat, spot.number)
        for seat in around:
            turns += [wager for wager in self.in_bettors_order(seat) if wager[2] == "insurance"]
        for seat in around:
            for spot in self.spots.get(seat, []):
                turns += [wager for wager in self.of_hand(seat, spot.number) if wager not in turns]
        left, cents_of, found = self.posted, dict(self.bets), dict[Wager, tuple[str, int, int]]()
        for wager in turns:
            outcome, moves = self.comes_to(wager, cents_of[wager])
            used = min(moves, left)
            left -= used
            if moves and not used:
                outcome = "no_action"
            found[wager] = (outcome, used if outcome == "win" else 0, 0 if outcome == "win" else used)
        assert set(found) == set(cents_of)
        return found

    def in_bettors_order(self, seat: int) -> list[Wager]:
        bettors = list(dict.fromkeys(wager[1] for wager, _ in self.bets if wager[0] == seat))
        bettors.sort(key=bool)  # whoever sits there first, and then as they bet
        return [wager for bettor in bettors for wager, _ in self.bets if wager[:2] == (seat, bettor)]

    def of_hand(self, seat: int, number: int) -> list[Wager]:
        own = [wager for wager in self.in_bettors_order(seat) if wager[3] == number and wager[2] != "insurance"]
        bettors = list(dict.fromkeys(wager[1] for wager in own))
        return [
            wager for who in bettors for name in ("blackjack", "double") for wager in own if wager[1:3] == (who, name)
        ]

    # ---- as it is reported -------------------------------------------------------------------------------------------

    def row(self, number: int) -> RoundRow:
        fixed = unknown_fixed()
        fixed.update(
            bank_seat=self.bank,
            bank_kind=BANK_KIND_CODE[BankKind.PLAYER_DEALER],
            bank_seq=1,
            bank_posted_cents=self.posted,
            bets_closed_seq=50,
            first_card_seq=51,
            first_card_count=len(self.dealt),
            last_card_seq=51,
            first_seq=1,
            last_seq=9_999,
            opened_us=0,
            closed_us=0,
            decks=8,
            jokers=0,
            flags=int(RoundFlag.CLOSED | RoundFlag.CONTEXT_UNKNOWN | RoundFlag.RACK_READ | RoundFlag.DEAL_READ),
        )
        self.say(Fact.BUTTON, self.button, choice="action", card=self.dealer[1])
        for (seat, bettor, wager, hand), (outcome, paid, taken) in self.settled().items():
            code = [str(one) for one in OUTCOMES].index(outcome)
            self.say(Fact.SETTLED, seat, bettor=bettor, wager=wager, hand=hand, code=code, amount=paid, taken=taken)
        around = [(self.button - 1 + step) % SEATS + 1 for step in range(SEATS)]
        every = [spot for seat in around for spot in self.spots.get(seat, [])]
        rack = sorted((spot for spot in every if spot.given_up), key=lambda spot: spot.given_up)
        rack += [spot for spot in every if not spot.given_up]
        cards = [card for spot in rack for card in spot.cards] + self.dealer
        with_deal = self.rng.random() < 0.5
        filed: dict[str, str | int] = {"schedule": "california_games_1", "decks": 8, "table_minimum_cents": 500}
        return RoundRow(
            {"table_id": "BJ-1", "round_id": str(number), "filing": canonical_filing(PACK, "1.0", filed)},
            fixed,
            rack=bytes(cards),
            dealt=bytes(self.dealt) if with_deal else b"",
            dealt_place=[-1] * len(self.dealt) if with_deal else [],
            dealt_to=bytes(len(self.dealt)) if with_deal else b"",
            facts=self.facts,
        )


def assert_as_the_text_has_it(seed: int, rounds: int) -> None:
    tables = []
    for number in range(rounds):
        table = Table(Random(f"{seed} {number}"))
        table.play()
        tables.append(table)
    batch = batch_of([table.row(number) for number, table in enumerate(tables)])
    audited = audit_or_raise(batch)
    lines = audited.by_filing[0].checked.lines
    names = audited.by_filing[0].batch.names
    found: dict[int, dict[Wager, tuple[str, int, int]]] = {number: {} for number in range(rounds)}
    for at in range(len(lines)):
        if lines.kind[at] != Fact.SETTLED:
            continue
        wager = (int(lines.seat[at]), names[lines.bettor[at]], names[lines.wager[at]], int(lines.hand[at]))
        sums = str(OUTCOMES[int(lines.outcome[at])]), int(lines.paid[at]), int(lines.taken[at])
        found[int(audited.by_filing[0].rows[lines.row[at]])][wager] = sums
    wrong = [number for number, table in enumerate(tables) if found[number] != table.settled()]
    assert wrong == []
    others = [finding.sentence for finding in audited.findings if finding.code not in ("FEE-901", "ROUND-001")]
    assert others == []


def test_random_rounds_come_to_what_the_text_says() -> None:
    assert_as_the_text_has_it(1, 400)


@pytest.mark.parametrize("seed", range(2, 12))
@pytest.mark.exhaustive
def test_many_random_rounds_come_to_what_the_text_says(seed: int) -> None:
    assert_as_the_text_has_it(seed, 2_000)
