"""A round of the commission-free Supreme Pai Gow as its devices would report it, written down without the audit's help.

Cards go to the rack as rulings.md R-5 has it: the stub, folded hands of four cards as they were folded, the hands of
seats 1 to 6 as they are settled, hands that stay for envy bonuses, the dealer's. What every wager comes to is what the
slow game of `flt_slow` says.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from replay.audit import audit_or_raise
from replay.filing import canonical_filing
from replay.rounds import (
    ACTION_CODE,
    OUTCOME_CODE,
    Fact,
    FactRow,
    RoundFlag,
    RoundRow,
    ShownRow,
    batch_of,
    unknown_fixed,
)
from schemas.events import Action, Outcome
from schemas.findings import Finding, Verdict
from tests.packs.flt_rounds import DECK, PACK, codes
from tests.packs.flt_slow import Filed, Hand, Place, Settled, forms, needs_seven, set_dealer, settle

SEATS_IN_TURN = (6, 5, 4, 3, 2, 1)  # from the dealer's left, clockwise
FOUR_OF_A_KIND_OR_BETTER = {
    "seven_natural",
    "royal_and_ace_king",
    "seven_joker",
    "five_aces",
    "royal_flush",
    "straight_flush",
    "four_of_a_kind",
}


@dataclass
class Table:
    """What was bet and held, and what is reported of it. Change anything before `judged`."""

    places: dict[int, Place]
    eight: Hand
    filed: Filed = field(default_factory=Filed)
    options: dict[str, Any] = field(default_factory=dict)
    racked: bool = True
    dealt: bool = True
    places_seen: bool = False
    shown: bool = True
    given_seven: dict[int, bool] = field(default_factory=dict)  # where that is otherwise than it should be
    stub_counted: bool = False
    dealer: tuple[Hand, Hand, str] | None = None  # low, high, left over: set otherwise than the house way
    folds_said: bool = True
    stay_for_a_meter: Sequence[int] = ()  # seats whose hands stay until a payout off a meter is documented

    def __post_init__(self) -> None:
        own = {seat: replace(place, wagers=_without_progressives(place.wagers)) for seat, place in self.places.items()}
        self.settled: Settled = settle(self.filed, own, self.eight)
        self.raise_seq: dict[int, int] = {}
        self.extra: list[FactRow] = []
        self.cards_dealt: list[tuple[str, int]] | None = None  # otherwise than they were played
        self.rack: list[str] | None = None
        self.shown_as: dict[int, tuple[Sequence[str], int]] = {}

    def seven(self, seat: int) -> bool:
        return self.given_seven.get(seat, needs_seven(self.places[seat].wagers))

    def hand(self, seat: int) -> Hand:
        place = self.places[seat]
        if "raise" in place.wagers and self.seven(seat):
            return (*place.low, *place.high)
        return place.cards if self.seven(seat) else place.cards[:4]

    def dealers(self) -> Hand:
        if self.dealer is not None:
            return (*self.dealer[0], *self.dealer[1], self.dealer[2])
        right = set_dealer(self.eight)
        return (*right.low, *right.high, right.eighth)

    def in_turn(self) -> list[int]:
        return [seat for seat in SEATS_IN_TURN if seat in self.places]

    def deal(self) -> list[tuple[str, int]]:
        """Cards in the order dealt, with their places."""
        if self.cards_dealt is not None:
            return self.cards_dealt
        order = [(card, seat) for seat in self.in_turn() for card in self.hand(seat)[:4]]
        order += [(card, 0) for card in sorted(self.eight)]
        return order + [(card, seat) for seat in self.in_turn() if self.seven(seat) for card in self.hand(seat)[4:]]

    def stays(self, seat: int) -> bool:
        others = (place for other, place in self.places.items() if other != seat)
        earning = self.filed.emperors and any(place.wagers.get("emperors", 0) >= 500 for place in others)
        due = needs_seven(self.places[seat].wagers)
        if seat in self.stay_for_a_meter:
            return True
        return bool(earning and due and self.seven(seat) and forms(self.hand(seat)) & FOUR_OF_A_KIND_OR_BETTER)

    def racked_cards(self) -> list[str]:
        if self.rack is not None:
            return self.rack
        used = {card for card, _ in self.deal()}
        rack = [card for card in DECK if card not in used]
        live = {seat for seat, place in self.places.items() if needs_seven(place.wagers)}
        for seat in self.in_turn():
            rack += self.hand(seat) if seat not in live else ()
        for seat in sorted(live):
            rack += self.hand(seat) if not self.stays(seat) else ()
        for seat in sorted(live):
            rack += self.hand(seat) if self.stays(seat) else ()
        return [*rack, *self.dealers()]

    # ---- as reported -----------------------------------------------------------------------------------------------

    def row(self) -> RoundRow:
        facts: list[FactRow] = []
        row = RoundRow({"table_id": "FS-01", "round_id": "1", "filing": self.filing()}, unknown_fixed())
        for seat, place in self.places.items():
            for name, cents in place.wagers.items():
                if name != "raise":
                    facts.append(FactRow(Fact.WAGER_PLACED, 2 + len(facts), seat, "", name, amount=cents))
        closed = 50
        flags = RoundFlag.CLOSED | RoundFlag.CONTEXT_UNKNOWN
        for seat in self.in_turn():
            turn = 60 + SEATS_IN_TURN.index(seat)
            if "raise" in self.places[seat].wagers:
                said = self.raise_seq.get(seat, turn)
                cents = self.places[seat].wagers["raise"]
                facts.append(FactRow(Fact.WAGER_PLACED, said, seat, "", "raise", amount=cents))
            elif self.folds_said:
                facts.append(FactRow(Fact.ACTION, turn, seat, code=ACTION_CODE[Action.FOLD]))
        facts += self.reports()
        row.facts = sorted([*facts, *self.extra], key=lambda fact: fact.seq)
        row.fixed.update(first_seq=1, last_seq=300, bets_closed_seq=closed, decks=1, jokers=1, opened_us=0, closed_us=0)
        if self.dealt:
            flags |= RoundFlag.DEAL_READ
            order = self.deal()
            first = 4 * len(self.places) + 8
            row.dealt = bytes(codes([card for card, _ in order]))
            row.dealt_place = [place if self.places_seen else -1 for _, place in order]
            later = len(order) > first
            row.fixed.update(first_card_seq=55, last_card_seq=70 if later else 55, first_card_count=first)
        if self.stub_counted:
            row.fixed.update(stub_count=len(DECK) - len(self.deal()), stub_seq=71)
        if self.racked:
            flags |= RoundFlag.RACK_READ
            row.rack = bytes(codes(self.racked_cards()))
            row.fixed.update(rack_first_seq=72, rack_last_seq=299)
        if self.shown:
            row.shown = self.hands_shown()
        row.fixed["flags"] = int(flags)
        return row

    def filing(self) -> str:
        filed = self.filed
        options: dict[str, Any] = {"ante_royalty_paytable": filed.royalty, "table_minimum_cents": 500}
        for name in ("insurance", "emperors", "seven_card_bonus", "eighth_card"):
            options[f"{name}_paytable"] = getattr(filed, name) or "none"
        options |= {f"{name}_aggregate_cents": cents for name, cents in filed.most_cents.items()}
        options |= {f"{name}_aggregate_per": per for name, per in filed.most_per.items()}
        return canonical_filing(PACK, "1.0", options | self.options)

    def hands_shown(self) -> list[ShownRow]:
        hands: dict[int, tuple[Sequence[str], int]] = {0: (self.dealers(), 2)}
        for seat, place in self.places.items():
            if needs_seven(place.wagers):
                hands[seat] = self.hand(seat), 2 if "raise" in place.wagers and self.seven(seat) else 0
        hands |= self.shown_as
        return [ShownRow(place, 0, low, bytes(codes(list(cards))), 80 + place) for place, (cards, low) in hands.items()]

    def reports(self) -> list[FactRow]:
        facts: list[FactRow] = []
        for (seat, wager), (outcome, paid, taken) in self.settled.lines.items():
            code = OUTCOME_CODE[Outcome(outcome)]
            seq = 100 + 20 * seat + len(facts) % 20
            facts.append(FactRow(Fact.SETTLED, seq, seat, "", wager, code=code, amount=paid, taken=taken))
        for (to, of), cents in self.settled.envy.items():
            facts.append(FactRow(Fact.ENVY, 260 + to, to, "", "emperors", amount=cents, other=of))
        return facts

    def judged(self) -> tuple[Verdict, list[Finding]]:
        audited = audit_or_raise(batch_of([self.row()]))
        return list(Verdict)[int(audited.verdicts[0])], audited.findings

    def found(self) -> dict[str, list[Finding]]:
        by_code: dict[str, list[Finding]] = {}
        for finding in self.judged()[1]:
            by_code.setdefault(finding.code, []).append(finding)
        return by_code

    def settle_as(self, seat: int, wager: str, outcome: str, paid: int, taken: int) -> None:
        self.settled.lines[seat, wager] = (outcome, paid, taken)


def _without_progressives(wagers: dict[str, int]) -> dict[str, int]:
    return {name: cents for name, cents in wagers.items() if not name.endswith("_progressive")}


def place(cards: str, **wagers: int) -> Place:
    """A raised hand is given with its low hand first."""
    held = tuple(cards.split())
    return Place(wagers, held, held[:2], held[2:]) if "raise" in wagers else Place(wagers, held)
