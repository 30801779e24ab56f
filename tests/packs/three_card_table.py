"""A round of Three Card Poker 6 Card Bonus as its devices would report it, written down without the audit's help.

Cards go to the rack as rulings.md R-6 has it: what the shuffler has left, folded hands without a live 6 Card Bonus, the
others from the action button on, the player-dealer's. What every wager comes to is what `three_card_slow` says.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from replay.audit import audit_or_raise
from replay.filing import canonical_filing
from replay.rounds import (
    ACTION_CODE,
    BANK_KIND_CODE,
    OUTCOME_CODE,
    PAYER_CODE,
    Fact,
    FactRow,
    RoundFlag,
    RoundRow,
    ShownRow,
    batch_of,
    unknown_fixed,
)
from schemas.cards import codes_of, name_of
from schemas.events import Action, BankKind, Outcome, Payer
from schemas.findings import Finding, Verdict
from tests.packs import three_card_slow as slow

PACK = "ca/three_card_poker_6_card_bonus"
DECK = tuple(name_of(code) for code in range(52))
CLOSED, DEALT, TURNED_UP, STUB, DECIDED = 100, 110, 115, 118, 120
FEE_AFTER, SHOWN, BUTTON, SETTLED, LAST = 190, 200, 300, 310, 900


@dataclass
class Table:
    """What was bet and held, and what is reported of it. Change anything before `judged`."""

    played: slow.Round
    decks: int = 1
    options: dict[str, Any] = field(default_factory=dict)
    racked: bool = True
    dealt: bool = True
    shown: bool = True
    turned_up: bool = False
    button_said: bool = True
    card_said: bool = True
    folds_said: bool = True
    places_seen: bool = False

    def __post_init__(self) -> None:
        self.settled = slow.settle(self.played)
        self.fee = slow.fee(self.played)
        self.button = slow.button(self.played.hands[self.played.bank][-1], self.played.bank)
        self.button_card = self.played.hands[self.played.bank][-1]
        self.picked_up: list[Sequence[str]] | None = None
        self.cards_dealt: list[tuple[str, int]] | None = None
        self.shown_as: dict[int, Sequence[str]] = {}
        self.extra: list[FactRow] = []
        self.fixed: dict[str, int] = {}
        self.flags = RoundFlag(0)
        self.context_known = False
        self.unplaced: set[tuple[int, str, str]] = set()  # wagers that nobody reports

    # ---- cards -----------------------------------------------------------------------------------------------------

    def in_turn(self) -> list[int]:
        """Who is dealt a stack, the player-dealer last."""
        bank = self.played.bank
        around = [(bank - 1 + step) % slow.SEATS + 1 for step in range(1, slow.SEATS + 1)]
        return [seat for seat in around if seat in self.played.hands]

    def deal(self) -> list[tuple[str, int]]:
        if self.cards_dealt is not None:
            return self.cards_dealt
        return [(card, seat) for seat in self.in_turn() for card in self.played.hands[seat]]

    def out(self, seat: int) -> bool:
        """Folded, with no live 6 Card Bonus: collected before the others are compared."""
        bettors = self.played.bettors.get(seat, [])
        return not any({"play", "six_card_bonus"} & set(bettor.wagers) for bettor in bettors)

    def packets(self) -> list[Sequence[str]]:
        """Hands as they are picked up."""
        if self.picked_up is not None:
            return self.picked_up
        players = [seat for seat in self.played.hands if seat != self.played.bank]
        gone = sorted(seat for seat in players if self.out(seat))
        around = [(self.button - 1 + step) % slow.SEATS + 1 for step in range(slow.SEATS)]
        rest = [seat for seat in around if seat in players and seat not in gone]
        return [self.played.hands[seat] for seat in (*gone, *rest, self.played.bank)]

    def rack(self) -> list[str]:
        packets = [card for packet in self.packets() for card in packet]
        stub = Counter(DECK * self.decks) - Counter(card for hand in self.played.hands.values() for card in hand)
        return [*sorted(stub.elements()), *packets]

    # ---- as reported -----------------------------------------------------------------------------------------------

    def row(self) -> RoundRow:
        row = RoundRow({"table_id": "TC-01", "round_id": "1", "filing": self.filing()}, unknown_fixed())
        posted = self.played.posted
        row.fixed.update(first_seq=1, last_seq=LAST, bets_closed_seq=CLOSED, decks=self.decks, jokers=0)
        row.fixed.update(opened_us=0, closed_us=0, bank_seat=self.played.bank, bank_seq=2)
        row.fixed["bank_kind"] = BANK_KIND_CODE[BankKind.PLAYER_DEALER]
        row.fixed["bank_posted_cents"] = -1 if posted is None else posted
        flags = RoundFlag.CLOSED | (RoundFlag(0) if self.context_known else RoundFlag.CONTEXT_UNKNOWN)
        row.facts = sorted([*self._wagers(), *self._settlements(), *self.extra], key=lambda fact: fact.seq)
        if self.dealt:
            flags |= RoundFlag.DEAL_READ
            row.dealt = bytes(codes_of([card for card, _ in self.deal()]))
            row.dealt_place = [seat if self.places_seen else -1 for _, seat in self.deal()]
            row.fixed.update(first_card_seq=DEALT, last_card_seq=DEALT, first_card_count=len(row.dealt))
        if self.racked:
            flags |= RoundFlag.RACK_READ
            row.rack = bytes(codes_of(self.rack()))
            row.fixed.update(rack_first_seq=STUB, rack_last_seq=LAST - 1)
        row.shown = self._hands_shown()
        row.fixed.update(self.fixed)
        row.fixed["flags"] = int(flags | self.flags)
        return row

    def filing(self) -> str:
        return canonical_filing(PACK, "1.0", {"decks": self.decks, "schedule": self.played.schedule, **self.options})

    def _wagers(self) -> list[FactRow]:
        facts: list[FactRow] = []
        for seat, bettors in sorted(self.played.bettors.items()):
            for bettor in bettors:
                for name, cents in bettor.wagers.items():
                    if (seat, bettor.name, name) in self.unplaced:
                        continue
                    seq = (DECIDED if name == "play" else 3) + len(facts)
                    facts.append(FactRow(Fact.WAGER_PLACED, seq, seat, bettor.name, name, amount=cents))
                if "play" not in bettor.wagers and self.folds_said:
                    fold = ACTION_CODE[Action.FOLD]
                    facts.append(FactRow(Fact.ACTION, DECIDED + len(facts), seat, bettor.name, code=fold))
        if self.fee:
            seq = FEE_AFTER if self.played.schedule == "california_games_1" else CLOSED - 1
            payer = PAYER_CODE[Payer.PLAYER_DEALER]
            bank = self.played.bank
            facts.append(FactRow(Fact.COLLECTION, seq, bank, choice="table", code=payer, amount=self.fee))
        return facts

    def _settlements(self) -> list[FactRow]:
        facts = []
        if self.button_said:
            card = codes_of([self.button_card])[0] if self.card_said else 255
            facts.append(FactRow(Fact.BUTTON, BUTTON, self.button, choice="action", card=card))
        for (seat, bettor, wager), (outcome, paid, taken) in self.settled.items():
            code = OUTCOME_CODE[Outcome(outcome)]
            seq = SETTLED + len(facts)
            facts.append(FactRow(Fact.SETTLED, seq, seat, bettor, wager, code=code, amount=paid, taken=taken))
        return facts

    def _hands_shown(self) -> list[ShownRow]:
        bank = self.played.bank
        rows = []
        if self.turned_up:
            rows.append(ShownRow(bank, 0, 0, bytes(codes_of([self.played.hands[bank][-1]])), TURNED_UP))
        if self.shown:
            seats = [seat for seat in sorted(self.played.hands) if seat == bank or not self.out(seat)]
            hands = {seat: self.played.hands[seat] for seat in seats} | self.shown_as
            rows += [
                ShownRow(seat, 0, 0, bytes(codes_of(list(cards))), SHOWN + (0 if seat == bank else BUTTON + seat))
                for seat, cards in hands.items()
            ]
        return rows

    # ---- as judged -------------------------------------------------------------------------------------------------

    def judged(self) -> tuple[Verdict, list[Finding]]:
        audited = audit_or_raise(batch_of([self.row()]))
        return list(Verdict)[int(audited.verdicts[0])], audited.findings

    def found(self) -> dict[str, list[Finding]]:
        by_code: dict[str, list[Finding]] = {}
        for finding in self.judged()[1]:
            by_code.setdefault(finding.code, []).append(finding)
        return by_code


def at_random(rng: random.Random) -> Table:
    """Wagers, decisions, hands and devices at random; hands that pay are not rare."""
    decks = rng.choice((1, 1, 1, 2, 3, 6))
    bank = rng.randint(1, slow.SEATS)
    seats = sorted(rng.sample([seat for seat in range(1, slow.SEATS + 1) if seat != bank], rng.randint(1, 7)))
    schedule = rng.choice(("own_1", "california_games_1"))
    deck = list(DECK * decks)
    if rng.random() < 0.5:  # few ranks, or few suits
        kept = rng.sample("23456789TJQKA", 7) if rng.random() < 0.5 else rng.sample("cdhs", 2)
        deck = [card for card in deck if card[0] in kept or card[1] in kept]
    while len(deck) < 3 * (len(seats) + 1):
        deck = list(DECK * decks)
    rng.shuffle(deck)
    hands = {seat: tuple(deck.pop() for _ in range(3)) for seat in (*seats, bank)}
    bettors = {}
    for seat in seats:
        plays = rng.random() < 0.65
        names = ["", *(f"b-{number}" for number in range(rng.choice((0, 0, 0, 1, 2))))]
        bettors[seat] = [slow.Bettor(name, _wagers(rng, plays and (not name or rng.random() < 0.8))) for name in names]
    most = sum(cents for one in bettors.values() for bettor in one for cents in bettor.wagers.values())
    posted = rng.choice((None, most * 1000, rng.randint(1, 2 * most), rng.randint(1, most), most))
    played = slow.Round(bank, hands, bettors, posted, schedule)
    table = Table(played, decks, turned_up=rng.random() < 0.5, folds_said=rng.random() < 0.7)
    table.dealt, table.shown = rng.random() < 0.6, rng.random() < 0.6
    table.racked = not (table.dealt and rng.random() < 0.2)
    table.places_seen = rng.random() < 0.2
    return table


def _wagers(rng: random.Random, plays: bool) -> dict[str, int]:
    ante = rng.choice((500, 1000, 2500, 10_000, 525))
    wagers = {"ante": ante}
    if rng.random() < 0.5:
        wagers["pair_plus"] = rng.choice((100, 500, 5000))
    if rng.random() < 0.5:
        wagers["six_card_bonus"] = rng.choice((100, 500, 1000))
    return wagers | ({"play": ante} if plays else {})
