"""A case as the round the devices would have reported it, without its settlements and fees.

The seats are played out in turn (`case_play`); the rack is filled as the procedure filed says, from the seat that the
player-dealer's down card gives the button.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from replay.cards.pickup.layouts import layouts
from replay.cards.pickup.situation import NOTHING, HandSituation, Key, Situation
from replay.cards.pickup.words import Word
from replay.families.blackjack.case_play import PlayedSeat, played_out
from replay.families.blackjack.pickup import button_seats
from replay.families.blackjack.terms import Terms, terms_of
from replay.filing import Filing, canonical_filing
from replay.rounds import (
    ACTION_CODE,
    BANK_KIND_CODE,
    Fact,
    FactRow,
    RoundFlag,
    RoundRow,
    unknown_fixed,
)
from schemas.cards import codes_of
from schemas.cases import Case, CaseError, CaseSeat
from schemas.events import Action, BankKind
from schemas.places import DEALER


def row_of_case(case: Case, filing: Filing) -> RoundRow:
    """Bank, wagers, first cards, what everybody did in turn, the action button and the rack, in that order."""
    return _Writing(case, filing).row()


@dataclass
class _Writing:
    case: Case
    filing: Filing
    facts: list[FactRow] = field(default_factory=list)
    seq: int = 0
    dealt: list[tuple[int, int]] = field(default_factory=list)  # card, place

    @property
    def terms(self) -> Terms:
        return terms_of(self.filing)

    @property
    def bank(self) -> int:
        return self.case.bank.seat if self.case.bank is not None else DEALER

    def _problem(self, said: str) -> CaseError:
        return CaseError(f"case {self.case.name!r}: {said}")

    def _next(self) -> int:
        self.seq += 1
        return self.seq

    def _fact(self, kind: Fact, seat: int, **said: int | str) -> None:
        self.facts.append(FactRow(kind, self._next(), seat, **said))  # type: ignore[arg-type]

    def row(self) -> RoundRow:
        case, fixed = self.case, unknown_fixed()
        if case.hands:
            raise self._problem("there are no community hands here; the player-dealer's is dealer: {cards: ...}")
        if case.dealer is None or case.dealer.cards is None or len(case.dealer.cards) < 2:
            raise self._problem(
                "dealer: {cards: ...} is the player-dealer's hand, its up card first; it has two or more"
            )
        if case.bank is not None:
            if case.bank.kind != BankKind.PLAYER_DEALER:
                raise self._problem(f"bank.kind is player_dealer in this game, not {case.bank.kind!r}")
            fixed.update(bank_seat=case.bank.seat, bank_kind=BANK_KIND_CODE[BankKind.PLAYER_DEALER])
            fixed["bank_seq"] = self._next()
            if case.bank.posted is not None:
                fixed["bank_posted_cents"] = case.bank.posted
        seats = sorted(case.seats, key=lambda seat: (seat - self.bank) % self.terms.ring.size)
        played = {seat: self._played(seat) for seat in seats}
        for seat in seats:
            self._first_wagers(seat)
        fixed["bets_closed_seq"] = self._next()
        fixed["first_card_seq"] = self._next()
        dealer = codes_of(case.dealer.cards)
        for number in (0, 1):
            own = [(self._first_two(seat)[number], seat) for seat in seats]
            self.dealt += [*own, (dealer[number], self.bank)]
        for seat in seats:
            self._insured(seat)
        for seat in seats:
            self._play(seat, played[seat])
        down = np.frombuffer(dealer[1:2], np.uint8)
        button = int(button_seats(down, np.array([self.bank]), self.terms)[0])
        if case.bank is not None:
            self._fact(Fact.BUTTON, button, choice="action", card=dealer[1])
        self.dealt += [(card, self.bank) for card in dealer[2:]]
        fixed["last_card_seq"] = self._next()
        fixed.update(first_seq=1, last_seq=self._next(), opened_us=0, closed_us=0, decks=self.terms.decks, jokers=0)
        read = RoundFlag.RACK_READ | RoundFlag.DEAL_READ
        fixed["flags"] = int(RoundFlag.CLOSED | RoundFlag.CONTEXT_UNKNOWN | read)
        filed = canonical_filing(case.pack, case.version, case.options)
        return RoundRow(
            {"table_id": "CASE", "round_id": "1", "filing": filed},
            fixed,
            rack=self._rack(played, dealer, button),
            dealt=bytes(card for card, _ in self.dealt),
            dealt_place=[place for _, place in self.dealt],
            dealt_to=bytes(len(self.dealt)),
            facts=self.facts,
        )

    def _first_two(self, seat: int) -> bytes:
        return codes_of(self.case.seats[seat].cards or [])[:2]

    def _played(self, seat: int) -> PlayedSeat:
        there: CaseSeat = self.case.seats[seat]
        if there.low or there.high or there.choices or there.cards is None:
            raise self._problem(f"seat {seat} has its cards under cards, in the order they were dealt to it")
        return played_out(codes_of(there.cards), there.acted or "", f"case {self.case.name!r}, seat {seat}")

    def _first_wagers(self, seat: int) -> None:
        """What is placed before the cards: wagers on the first hand, and whatever the game does not have."""
        law = self.terms.law
        for bettor, wagers in self._bettors(seat):
            for name, cents in wagers.items():
                if name not in (law.insurance.name, law.double.name) and not _numbered(name)[1]:
                    self._fact(Fact.WAGER_PLACED, seat, bettor=bettor, wager=name, amount=cents)

    def _bettors(self, seat: int) -> list[tuple[str, dict[str, int]]]:
        there = self.case.seats[seat]
        return [("", there.wagers), *((name, who.wagers) for name, who in there.backline.items())]

    def _insured(self, seat: int) -> None:
        """Insurance of everybody who bets on the hand, and even money of those behind."""
        name = self.terms.law.insurance.name
        for bettor, wagers in self._bettors(seat):
            if name in wagers:
                self._fact(Fact.WAGER_PLACED, seat, bettor=bettor, wager=name, amount=wagers[name])
        for bettor, behind in self.case.seats[seat].backline.items():
            if behind.acted is not None:
                if behind.acted != "even money":
                    raise self._problem(f"{bettor} behind seat {seat} can only have acted: even money")
                self._fact(Fact.ACTION, seat, bettor=bettor, code=ACTION_CODE[Action.EVEN_MONEY])

    def _play(self, seat: int, played: PlayedSeat) -> None:
        law, there = self.terms.law, self.case.seats[seat]
        base = there.wagers.get(law.base.name, 0)
        new, drawn = 0, iter(played.dealt)
        for step in played.steps:
            self._fact(Fact.ACTION, seat, hand=step.hand, code=ACTION_CODE[step.action])
            cents = base if step.cents is None else step.cents
            if step.action is Action.SPLIT:
                new += 1
                self._raised(seat, law.base.name, new, cents if base else 0)
            elif step.action is Action.DOUBLE:
                self._raised(seat, law.double.name, step.hand, cents if base else 0)
            self.dealt += [(next(drawn), seat) for _ in range(step.drew)]

    def _raised(self, seat: int, wager: str, hand: int, cents: int) -> None:
        """A further wager of the seated player, and of those behind who join in."""
        name = f"{wager}_{hand + 1}" if hand else wager
        if cents:
            self._fact(Fact.WAGER_PLACED, seat, wager=wager, hand=hand, amount=cents)
        for bettor, behind in self.case.seats[seat].backline.items():
            if name in behind.wagers:
                self._fact(Fact.WAGER_PLACED, seat, bettor=bettor, wager=wager, hand=hand, amount=behind.wagers[name])

    def _rack(self, played: dict[int, PlayedSeat], dealer: bytes, button: int) -> bytes:
        hands = {Key(self.bank): dealer}
        situations = [HandSituation(Key(self.bank), (len(dealer),), frozenset({Word.AGAINST}), NOTHING)]
        turn = 0
        for seat, one in played.items():
            given_up = {step.hand for step in one.steps if step.action is Action.SURRENDER}
            for number, cards in enumerate(one.hands):
                turn += 1
                so = {Word.WAGERED} | ({Word.SURRENDERED} if number in given_up else set())
                so |= {Word.SPLIT} if len(one.hands) > 1 else set()
                situations.append(HandSituation(Key(seat, number), (len(cards),), frozenset(so), NOTHING, turn))
                hands[Key(seat, number)] = bytes(cards)
        known = (button,) if 1 <= button <= self.terms.seats else (1,)
        found = layouts(self.terms.pickup, Situation(tuple(situations), self.terms.ring, known))
        return b"".join(hands[Key(slot.place, slot.hand)] for slot in found.candidates[0].layout)


def _numbered(name: str) -> tuple[str, int]:
    """`double_2` is the double on the second hand."""
    wager, _, number = name.rpartition("_")
    return (wager, int(number) - 1) if wager and number.isdigit() and 2 <= int(number) <= 16 else (name, 0)
