"""A Massachusetts table where a player may be the bank: who, the house's own wager, and the centre of the table.

MA-SPG §13 and MA-PGP §10 with R-3, R-5(6), R-23, R-37, R-47; the paragraphs named below are MA-SPG's.
"""

from __future__ import annotations

from ingest.simulator.card_table import DEALER
from ingest.simulator.dealing import stacks_from
from ingest.simulator.faults.injection import Injection
from ingest.simulator.played import BANK_WAGER, Bank, Bet, Settled, SplitPlayed
from ingest.simulator.reports import discard, envy_paid, settlement_and_vigorish
from ingest.simulator.split_hands.reports import laid_open, packet, settled_in_turn, shown
from ingest.simulator.split_hands.table import SplitHandsTable
from ingest.simulator.vigorish import vigorish_cents
from ingest.simulator.voice import Say


class PlayerBankTable(SplitHandsTable):
    """A table that offers its players the bank, or the co-bank with the house, or neither."""

    banking = "none"
    fewest_players = 2
    bet_last: dict[int, int]
    """Each seat's wager in the last round nobody banked."""
    banked_last = 0
    bank_rests = False
    """Whether the bank is not offered after this round: it was void, or something else is being tried there."""
    _offered_first = 0
    _turn_known = False
    """Whether it was offered since the cards are new, so that everybody knows whose turn comes first."""
    _cut_first = 0

    def opening(self) -> list[Say]:
        self.bet_last, self.banked_last, self._offered_first, self._cut_first = {}, 0, 0, 0
        self._turn_known = False
        return super().opening()

    def bring_cards(self) -> list[Say]:
        self._turn_known = False
        return super().bring_cards()

    def _offered(self, injection: Injection) -> bool:
        """Whether somebody could bank; not after a round of which it is not certain who bet."""
        hurt = injection.record_hurt_in >= max(0, injection.number - 1)
        return (
            self.banking != "none" and not (hurt or self.bank_rests) and len(self.players) >= 2 and bool(self.bet_last)
        )

    def before_round(self, injection: Injection) -> list[Say]:
        """New cards, where somebody is to bank the first round with them."""
        if not (injection.wanted and injection.kind == "bank_after_new_deck" and self._offered(injection)):
            return super().before_round(injection)
        return self.take_cards("scheduled") + self.bring_cards()

    def set_up(self, played: SplitPlayed, injection: Injection) -> None:
        if not self._offered(injection):
            return
        if injection.wanted and self._bank_wrongly(played, injection):
            return
        if self.new_decks:  # "at the start of the game" (§13(b))
            return
        eligible = [seat for seat in self.players if seat in self.bet_last and seat != self.banked_last]
        turns = self._from_right(eligible, self._offered_first)
        if self._turn_known and injection.wanted and injection.kind == "bank_offered_elsewhere" and len(turns) > 1:
            for seat in (*turns[1:], turns[0]):  # whoever was to be first is asked last
                played.bank_says += [Say("bank.offered", {"seat": seat}), Say("bank.declined", {"seat": seat})]
            injection.done(
                f"the bank is first offered to seat {turns[1]}, and it is the turn of seat {turns[0]}", turns[1]
            )
            self._offered_first = turns[1]
            return
        for seat in turns:  # counterclockwise, the first offer one player on in each round (§13(c))
            if seat == turns[0]:
                self._offered_first, self._turn_known = seat, True
            played.bank_says.append(Say("bank.offered", {"seat": seat}))
            if self.rng.random() < 0.3:
                self._take_bank(played, seat)
                return
            played.bank_says.append(Say("bank.declined", {"seat": seat}))

    def _from_right(self, seats: list[int], after: int) -> list[int]:
        """Counterclockwise from the one after, the dealer's right coming after the left."""
        return sorted(seats, key=lambda seat: (seat - after - 1) % len(self.places))

    def after_shuffle(self, played: SplitPlayed, injection: Injection) -> None:
        """The cut is offered to the bank first, or without one to the player after whoever was asked first the round
        before, and on counterclockwise; the dealer cuts where nobody will (§6(c), (d))."""
        if self.device_shuffles:
            return
        bank = played.bank
        playing = sorted({*played.seats, bank.seat} if bank else played.seats)
        turns = self._from_right(playing, bank.seat - 1 if bank else self._cut_first)
        self._cut_first = 0 if bank else turns[0]
        if injection.wanted and injection.kind == "cut_offered_elsewhere" and len(turns) > 1:
            played.cut = (turns[1], turns[1:2]) if bank else (DEALER, [])
            injection.done(f"the cut is offered to seat {turns[1]} first" if bank else "the cut is offered to nobody")
            return
        asked = next((at + 1 for at in range(len(turns)) if self.rng.random() < 0.5), 0)
        played.cut = (turns[asked - 1], turns[:asked]) if asked else (DEALER, turns)

    def set_by_house(self, played: SplitPlayed) -> list[int]:
        """The dealer's own hand where it plays, and the bank's when the house covers half (§13(e))."""
        bank = played.bank
        if bank is None:
            return [DEALER]
        if bank.kind == "co_bank":
            return [bank.seat]
        return [DEALER] if bank.dealer_wager_cents else []

    def set_opposing_hands(self, played: SplitPlayed) -> None:
        for place in self.set_by_house(played):
            played.settings[place] = self.house_way(played.hands[place])
        bank = played.bank
        if bank is not None and bank.seat not in played.settings:
            hand = played.hands[bank.seat]  # a bank's foul hand is reset to the house way (§16(j))
            played.settings[bank.seat] = self.house_way(hand) if self.rng.random() < 0.8 else self.own_way(hand, False)

    def _bank_wrongly(self, played: SplitPlayed, injection: Injection) -> bool:
        """A bank who may not be one, if that is the fault asked for and somebody is there who could."""
        first_round = self.new_decks == len(self.decks)
        fresh = [seat for seat in sorted(self.players) if seat != self.banked_last]
        bet = [seat for seat in fresh if seat in self.bet_last]
        others = [seat for seat in fresh if seat not in self.bet_last]
        again = [seat for seat in self.players if seat == self.banked_last]
        seats, detail = {
            "bank_twice": ([] if self.new_decks else again, "banks a second round running"),
            "bank_after_new_deck": (bet if first_round else [], "banks the first round with new cards"),
            "bank_without_wager": (
                [] if self.new_decks else others,
                "banks without a wager in the last round that nobody banked",
            ),
        }.get(injection.kind or "", ([], ""))
        if not seats:
            return False
        seat = self.rng.choice(seats)
        self._take_bank(played, seat)
        injection.done(f"seat {seat} {detail}", seat)
        return True

    def _take_bank(self, played: SplitPlayed, seat: int) -> None:
        """The house's own wager is the bank's last one against it, or less, or none as the bank directs; none when
        co-banked (§13(e), (g))."""
        rng = self.rng
        co_banked = self.banking == "bank_and_co_bank" and rng.random() < 0.5
        bank = played.bank = Bank(seat, "co_bank" if co_banked else "bank")
        chance = rng.random()
        last = self.bet_last.get(seat, 0)
        if not co_banked and chance < 0.75:
            bank.dealer_wager_cents = last if chance < 0.6 else last // 200 * 100
        if self.by_hand:
            bank.first_stack = rng.randrange(1, len(self.places) + 1)

    def after_wagers(self, played: SplitPlayed, injection: Injection) -> None:
        """The bank has chips for all wagers of the round (§13(d)(2))."""
        super().after_wagers(played, injection)
        bank = played.bank
        if bank is None:
            return
        needed = sum(bet.cents for bet in played.bets) + bank.dealer_wager_cents
        bank.posted_cents = needed // 500 * 500 + 500 * self.rng.randrange(1, 40)
        others = sum(bet.cents for bet in played.bets if bet.wager == self.base)
        if injection.wanted and injection.kind == "bank_without_funds":
            bank.posted_cents = others * self.rng.randrange(2, 9) // 1000 * 100
            injection.done(f"{bank.posted_cents} cents of chips for wagers of {others} cents", bank.seat)

    def one_against_one(self, played: SplitPlayed) -> bool:
        return played.bank is None

    def side_concerns_nobody(self, played: SplitPlayed, seat: int) -> bool:
        """With a bank, a hand that loses is collected earlier or later by whether a bonus wager waits on it."""
        return played.bank is None and super().side_concerns_nobody(played, seat)

    def bet_late(self, injection: Injection, played: SplitPlayed) -> None:
        """Not against a bank: whether it has the chips for a late wager is not what is being tried."""
        if played.bank is None:
            super().bet_late(injection, played)

    def may_leave(self, seat: int) -> bool:
        return len(self.players) > self.fewest_players

    def idle(self, played: SplitPlayed) -> list[int]:
        """With a bank the dealer's hand goes with those nobody plays, unless it plays (§13(k))."""
        bank = played.bank
        return super().idle(played) + [DEALER] * (bank is not None and not bank.dealer_wager_cents)

    def stacks(self, played: SplitPlayed) -> list[int]:
        """A bank names the first stack, and those to its right follow, clockwise (§13(i)(5))."""
        bank = played.bank
        if bank is not None and bank.first_stack is not None:
            return stacks_from(bank.first_stack, self.clockwise(played.start))
        return super().stacks(played)

    def settle(self, played: SplitPlayed) -> None:
        super().settle(played)
        if played.bank:
            self._settle_bank(played, played.bank)

    def _settle_bank(self, played: SplitPlayed, bank: Bank) -> None:
        """What is left in the centre of the table is the bank's, less vigorish; what is missing the bank makes up
        (§13(l), (m), R-23)."""
        against_bank = [each for each in played.settled if each.bet.wager == self.base]
        lost = sum(each.taken_cents for each in against_bank)
        won = sum(each.paid_cents for each in against_bank)
        if bank.dealer_wager_cents:
            played.dealer_outcome = self.outcome(played.settings[DEALER], played.settings[bank.seat])
            lost += bank.dealer_wager_cents * (played.dealer_outcome == "lose")
            won += bank.dealer_wager_cents * (played.dealer_outcome == "win")
        outcome, cents = bank_result(lost, won, bank.kind == "co_bank")
        settled = Settled(Bet(bank.seat, BANK_WAGER, 0), outcome)
        if outcome == "win":
            settled.paid_cents = cents
            settled.vigorish_cents = vigorish_cents(cents, self.vigorish_rounding)
        settled.taken_cents = cents if outcome == "lose" else 0
        played.settled.append(settled)

    def report_settlement(self, played: SplitPlayed) -> list[Say]:
        bank = played.bank
        if bank is None:
            return super().report_settlement(played)
        says: list[Say] = []
        if bank.dealer_wager_cents:
            says.append(laid_open(played, DEALER))
        says.append(laid_open(played, bank.seat))
        own = [discard([*played.settings[DEALER][0], *played.settings[DEALER][1]])] if DEALER in played.settings else []
        if played.dealer_outcome in ("push", "lose"):  # collected once compared; after all others if it wins (R-5(6))
            says += own
        says += self._report_against_bank(played)
        says += [envy_paid(envy) for envy in played.envies]
        says += [discard(packet(self, played, seat)) for seat in played.staying]
        says += [
            each for line in played.settled if line.bet.wager == BANK_WAGER for each in settlement_and_vigorish(line)
        ]
        if played.dealer_outcome == "win":
            says += own
        return [*says, discard([*played.settings[bank.seat][0], *played.settings[bank.seat][1]])]

    def _ends(self, played: SplitPlayed, seat: int) -> str:
        return self.outcome(played.settings[seat], played.settings[self.against(played)])

    def _report_against_bank(self, played: SplitPlayed) -> list[Say]:
        """First every hand is exposed and what is lost is collected; then what is won is paid from the centre, and the
        bonus wagers are settled."""
        says: list[Say] = []
        collected: set[int] = set()
        for seat in self.order_of_seats(played):
            if seat not in played.settings or seat in played.surrendered or played.bank is None:
                continue
            if seat == played.bank.seat:
                continue
            says += shown(self, played, seat)
            lines = [each for each in played.settled if each.bet.seat == seat and each.bet.wager == self.base]
            for each in lines:
                says += settlement_and_vigorish(each) if each.outcome != "win" else []
            outcome = lines[0].outcome if lines else self._ends(played, seat)  # also where nobody reports it
            if outcome != "win" and not self.waits(played, seat):
                says.append(discard(packet(self, played, seat)))
                collected.add(seat)
        for seat in self.order_of_seats(played):
            lines = [each for each in played.settled if each.bet.seat == seat and each.bet.wager != BANK_WAGER]
            if seat in played.surrendered and seat in played.settings:
                says += shown(self, played, seat)
            for each in lines:
                done = each.at_surrender or each.bet.wager in self.settled_early
                if not done and (each.bet.wager != self.base or each.outcome == "win"):
                    says += settled_in_turn(played, each)
            gone = seat in collected or seat in played.staying or seat == self.against(played)
            if seat in played.settings and not gone:
                says.append(discard(packet(self, played, seat)))
        return says

    def round_over(self, played: SplitPlayed, void: str | None, injection: Injection) -> None:
        super().round_over(played, void, injection)
        self.bank_rests = void is not None or injection.label is not None
        self._turn_known = self._turn_known and void is None
        self.banked_last = played.bank.seat if played.bank else 0
        if played.bank is None:
            self.bet_last = {bet.seat: bet.cents for bet in played.bets if bet.wager == self.base}


def bank_result(lost_cents: int, won_cents: int, co_banked: bool) -> tuple[str, int]:
    """What the centre of the table leaves to the bank, before the vigorish, or asks of it: the outcome and the cents.

    Co-banked, the house takes half of a surplus and bears half of what is missing, an odd cent included (§13(l), (m),
    R-23, R-47).
    """
    surplus = lost_cents - won_cents
    if surplus == 0:
        return "push", 0
    share = abs(surplus) // 2 if co_banked else abs(surplus)
    return ("win" if surplus > 0 else "lose"), share
