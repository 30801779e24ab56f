"""Massachusetts Supreme Pai Gow at a simulated table: four cards set in two hands of two, and players who bank.

Settled by MA-SPG §§7-16 and R-1 to R-5, R-13 to R-15, R-22 to R-24, R-35, R-37, R-47.
"""

from __future__ import annotations

from ingest.simulator.dealing import stacks_from
from ingest.simulator.faults.injection import Injection
from ingest.simulator.faults.queue import FaultQueue
from ingest.simulator.labels import Labels
from ingest.simulator.options import OptionValue, spelled_out
from ingest.simulator.paytables import vigorish_cents
from ingest.simulator.plan import Plan, TablePlan
from ingest.simulator.played import BANK_WAGER, Bank, Bet, Setting, Settled, SplitPlayed
from ingest.simulator.split_hands import DEALER, SplitHandsTable
from ingest.simulator.split_hands_reports import (
    discard,
    laid_open,
    packet,
    report_card_exposed,
    settled_here,
    settlement,
    shown,
)
from ingest.simulator.supreme_hands import (
    bank_result,
    better_hands,
    bonus_class,
    bonus_payouts,
    full_key,
    house_way,
    is_foul,
)
from ingest.simulator.supreme_rare import four_of, wanted_bonus, wanted_deck
from ingest.simulator.voice import CAMERA, CONTROLLER, SHOE, SHUFFLER, Say
from schemas.cards import CARD_NAMES

CHIPS_CENTS = (100, 100, 200, 300, 500, 500, 1000, 1000, 2500, 5000, 10_000, 20_000)
MOST_UNCOUNTED = 5  # "at least once every five rounds of play" (§8(d))


class SupremeTable(SplitHandsTable):
    """A Supreme Pai Gow table."""

    pack = "ma/supreme_pai_gow"
    hand_size, jokers = 4, 2
    base, side = "supreme_pai_gow", "bonus"
    controller_says = ("bank.*", "bets.closed", "wager.settled", "vigorish.taken")
    later_rounds_rest_on = ("wager.placed", "wager.changed", "wager.withdrawn", "stub.counted", "cards.dealt")
    cards_last_hours = 1

    def __init__(self, plan: Plan, table: TablePlan, queue: FaultQueue, labels: Labels) -> None:
        options = self.options = table.supreme()
        least, most = options.bonus_minimum_cents, options.bonus_maximum_cents
        self.vigorish_rounding = options.vigorish_rounding
        self.shuffler_counts = options.stub_counted_by_shuffler
        self.uncounted = 0
        self.bet_last: dict[int, int] = {}
        """Each seat's wager in the last round nobody banked."""
        self.banked_last = 0
        self.bank_rests = False
        self._offered_first = 0
        super().__init__(
            plan, table, queue, labels, options, [cents for cents in CHIPS_CENTS if least <= cents <= most]
        )

    def filed_options(self) -> dict[str, OptionValue]:
        return spelled_out(self.options)

    def limits(self, wager: str) -> tuple[int, int]:
        options = self.options
        if wager == self.side:
            return options.bonus_minimum_cents, options.bonus_maximum_cents
        return options.table_minimum_cents, options.table_maximum_cents

    def opening(self) -> list[Say]:
        self.uncounted, self.bet_last, self.banked_last, self._offered_first = 0, {}, 0, 0
        return super().opening()

    # --- hands -------------------------------------------------------------------------------------------------------

    def house_way(self, hand: list[int]) -> Setting:
        return house_way(hand)

    def is_foul(self, setting: Setting) -> bool:
        return is_foul(setting)

    def keys(self, setting: Setting) -> tuple[object, object]:
        return full_key(setting[0]), full_key(setting[1])

    def better_hands(self, setting: Setting, against: Setting) -> int:
        return better_hands(setting, against)

    def class_of(self, hand: list[int]) -> str | None:
        return bonus_class(hand)

    def rearranged(self, played: SplitPlayed, seat: int) -> bool:
        """A hand is laid out anew to show what it is paid for (§12(i)); one given up was never set."""
        return seat in played.surrendered or bool(self.live_side(played, seat) and played.classes.get(seat))

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

    # --- the bank ----------------------------------------------------------------------------------------------------

    def set_up(self, played: SplitPlayed, injection: Injection) -> None:
        played.stub_counted = self._counts_stub()
        if self.options.banking == "none":
            return
        hurt = injection.record_hurt_in >= max(0, injection.number - 1)
        if hurt or self.bank_rests or len(self.players) < 2 or not self.bet_last:
            return
        if injection.wanted and injection.kind in ("bank_twice", "bank_after_new_deck", "bank_without_wager"):
            self._bank_wrongly(played, injection)
            return
        if self.new_decks:  # "at the start of the game" (§13(b))
            return
        eligible = [seat for seat in self.players if seat in self.bet_last and seat != self.banked_last]
        self._offered_first = self._offered_first % 6 + 1
        for step in range(6):  # counterclockwise, the first offer one seat on in each round (§13(c))
            seat = (self._offered_first - 1 + step) % 6 + 1
            if seat not in eligible:
                continue
            played.bank_says.append(Say("bank.offered", {"seat": seat}))
            if self.rng.random() < 0.2:
                self._take_bank(played, seat)
                return
            played.bank_says.append(Say("bank.declined", {"seat": seat}))

    def _bank_wrongly(self, played: SplitPlayed, injection: Injection) -> None:
        present = sorted(self.players)
        match injection.kind:
            case "bank_twice":
                seats = [seat for seat in present if seat == self.banked_last and not self.new_decks]
                detail = "banks a second round running"
            case "bank_after_new_deck":
                seats = [seat for seat in present if seat in self.bet_last and seat != self.banked_last]
                seats = seats if self.new_decks == len(self.decks) else []
                detail = "banks the first round with new cards"
            case _:
                seats = [seat for seat in present if seat not in self.bet_last and seat != self.banked_last]
                seats = [] if self.new_decks else seats
                detail = "banks without a wager in the last round that nobody banked"
        if seats:
            self._take_bank(played, self.rng.choice(seats))
            assert played.bank is not None
            injection.done(f"seat {played.bank.seat} {detail}", played.bank.seat)

    def _take_bank(self, played: SplitPlayed, seat: int) -> None:
        """The house's own wager is the bank's last one against it, or less, or none as the bank directs; none when
        co-banked (§13(e), (g))."""
        rng = self.rng
        co_banked = self.options.banking == "bank_and_co_bank" and rng.random() < 0.4
        bank = played.bank = Bank(seat, "co_bank" if co_banked else "bank")
        chance = rng.random()
        last = self.bet_last.get(seat, 0)
        if not co_banked and chance < 0.75:
            bank.dealer_wager_cents = last if chance < 0.6 else last // 200 * 100
        if self.by_hand:
            bank.first_stack = rng.randrange(1, len(self.places) + 1)

    def after_wagers(self, played: SplitPlayed, injection: Injection) -> None:
        """The bank has chips for all wagers of the round (§13(d)(2))."""
        bank = played.bank
        if bank is None:
            return
        needed = sum(bet.cents for bet in played.bets) + bank.dealer_wager_cents
        bank.posted_cents = needed // 500 * 500 + 500 * self.rng.randrange(1, 40)
        others = sum(bet.cents for bet in played.bets if bet.wager == self.base)
        if injection.wanted and injection.kind == "bank_without_funds":
            bank.posted_cents = others * self.rng.randrange(2, 9) // 1000 * 100
            injection.done(f"{bank.posted_cents} cents of chips for wagers of {others} cents", bank.seat)

    def may_leave(self, seat: int) -> bool:
        return len(self.players) > 2

    def idle(self, played: SplitPlayed) -> list[int]:
        """With a bank the dealer's hand goes with those nobody plays, unless it plays (§13(k))."""
        bank = played.bank
        return super().idle(played) + [DEALER] * (bank is not None and not bank.dealer_wager_cents)

    def round_over(self, played: SplitPlayed, void: str | None, injection: Injection) -> None:
        super().round_over(played, void, injection)
        self.uncounted = 0 if played.stub_counted else self.uncounted + 1
        self.bank_rests = void is not None or injection.label is not None
        self.banked_last = played.bank.seat if played.bank else 0
        if played.bank is None:
            self.bet_last = {bet.seat: bet.cents for bet in played.bets if bet.wager == self.base}

    # --- deal --------------------------------------------------------------------------------------------------------

    def _counts_stub(self) -> bool:
        """At least once every five rounds, unless the shuffler counts (§8(d), (e))."""
        if self.shuffler_counts:
            return False
        return self.stub_is_due() or self.rng.random() < 0.3

    def stub_is_due(self) -> bool:
        return not self.shuffler_counts and self.uncounted >= MOST_UNCOUNTED - 1

    def stacks(self, played: SplitPlayed) -> list[int]:
        """Unless a bank names the first stack, it is the one farthest right, and they are delivered counterclockwise
        (§9(f), §13(i)(5))."""
        bank = played.bank
        if bank is not None and bank.first_stack is not None:
            return stacks_from(bank.first_stack, self.clockwise(played.start))
        return [self.onward(played.start, 6 - stack) for stack in range(len(self.places))]

    def other_way_round(self, played: SplitPlayed) -> tuple[str, list[int]]:
        _, places = super().other_way_round(played)
        bank = played.bank
        return "clockwise" if self.by_hand and bank is None else "counterclockwise", places

    def wanted_wagers(self, played: SplitPlayed, injection: Injection) -> None:
        if injection.wanted:
            wanted_bonus(self, played, injection.kind)

    def before_dealing(self, played: SplitPlayed, deck: list[int], injection: Injection) -> None:
        if injection.wanted and wanted_deck(self, played, deck, injection.kind):
            return
        if self.plan.lucky_rate and self.rng.random() < self.plan.lucky_rate:
            seat = self.rng.choice(played.seats)
            self.give(deck, played, seat, four_of(self.rng))

    def give(self, deck: list[int], played: SplitPlayed, seat: int, cards: list[int]) -> None:
        """Moves cards in the deck so that a seat is dealt them."""
        positions = [index for index, place in enumerate(played.places) if place == seat]
        for position, card in zip(positions, cards, strict=True):
            other = deck.index(card)
            deck[position], deck[other] = card, deck[position]

    # --- what goes wrong and is handled right (§16) ------------------------------------------------------------------

    def irregularities(self) -> list[str]:
        kinds = [*super().irregularities(), "exposed_to_player"]
        if self.by_hand:
            kinds.append("exposed_in_stacks")
        else:
            kinds += ["boxed_card", "boxed_cards"]
        if self.filed.dealing == "automated_shoe":
            kinds.append("shoe_jam")
        if self.device_shuffles:
            kinds.append("shuffler_jam")
        if not self.shuffler_counts:
            kinds.append("stub_count")
        return kinds

    def handle(self, irregular: str, played: SplitPlayed) -> str | None:
        rng = self.rng
        match irregular:
            case "exposed_to_player":  # (d): the player may void the hand
                seat = rng.choice(played.seats)
                played.exposed_to = seat, rng.choice(played.hands[seat])
                if rng.random() < 0.5 and len(played.seats) > 1:
                    played.voided.append(seat)
            case "exposed_in_stacks":  # (k): the cards are reshuffled
                card = rng.choice(played.dealt)
                played.mishaps.append(report_card_exposed(DEALER, card, "stacks"))
                played.mishaps.append(self._shuffled_again())
            case "shuffler_jam":  # (m)
                played.mishaps.append(Say("shuffler.faulted", {"fault": "jam"}, SHUFFLER))
                played.mishaps.append(self._shuffled_again())
            case "boxed_card":  # (f): not used, and placed in the discard rack
                self._set_aside(played, rng.randrange(len(played.dealt)))
            case "stub_count":  # §8(d)(2): a card is gone, all hands are void, and the deck is taken away
                played.stub.pop()
                played.stub_counted, self.deck_incorrect = True, True
                return "stub_count"
            case "boxed_cards":  # (f): more than one
                found = rng.sample(played.dealt, 2)
                played.void_says = [Say("card.boxed", {"card": CARD_NAMES[card]}) for card in found]
                return "boxed_cards"
            case "shoe_jam":  # (n)
                played.void_says = [Say("shoe.faulted", {"fault": "jam"}, SHOE)]
                return "device_fault"
            case _:
                return irregular
        return None

    def _shuffled_again(self) -> Say:
        deck = self.decks[(self._rounds - 1) % len(self.decks)]
        return Say("shuffle.completed", {"deck": deck, "method": "manual"})

    def _set_aside(self, played: SplitPlayed, index: int) -> None:
        deck = played.dealt + played.stub
        played.boxed, played.boxed_as, played.boxed_aside = deck.pop(index), index, True
        played.deal_out(deck, self.places)

    # --- settlement --------------------------------------------------------------------------------------------------

    def settle(self, played: SplitPlayed) -> None:
        bonus = {seat: played.cents(seat, self.side) for seat in played.seats if seat not in played.voided}
        bonus = {seat: cents for seat, cents in bonus.items() if cents}
        played.classes = {seat: self.class_of(played.hands[seat]) for seat in bonus}
        pays = bonus_payouts(bonus, played.classes, self.options.bonus_minimum_cents)
        for seat in played.seats:
            for bet in played.at(seat):
                if seat in played.voided:
                    played.settled.append(Settled(bet, "void"))
                elif bet.wager == self.side:
                    played.settled.append(_bonus_settled(bet, pays[seat]))
                else:
                    played.settled.append(self.settle_base(played, bet))
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

    # --- reporting it ------------------------------------------------------------------------------------------------

    def report_voided(self, played: SplitPlayed) -> list[Say]:
        if played.exposed_to is None:
            return []
        seat, card = played.exposed_to
        says = [report_card_exposed(seat, card, "play" if self.by_hand else "deal")]
        for seat in played.voided:
            says.append(Say("round.voided", {"reason": "player_option", "seat": seat, "by": self.dealer}))
            says += [settlement(each) for each in played.settled if each.bet.seat == seat]
            says.append(discard(played.hands[seat]))
        return says

    def order_of_seats(self, played: SplitPlayed) -> list[int]:
        return [seat for seat in self.seats if seat not in played.voided]

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
        says += [each for line in played.settled if line.bet.wager == BANK_WAGER for each in settled_here(line)]
        if played.dealer_outcome == "win":
            says += own
        return [*says, discard([*played.settings[bank.seat][0], *played.settings[bank.seat][1]])]

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
            lines = [each for each in played.settled if each.bet.seat == seat]
            not_won = [each for each in lines if each.bet.wager == self.base and each.outcome != "win"]
            for each in not_won:
                says += settled_here(each)
            if not_won and not played.cents(seat, self.side):
                says.append(discard(packet(self, played, seat)))
                collected.add(seat)
        for seat in self.order_of_seats(played):
            lines = [each for each in played.settled if each.bet.seat == seat and each.bet.wager != BANK_WAGER]
            if seat in played.surrendered and seat in played.settings:
                says += shown(self, played, seat)
            for each in lines:
                if not each.at_surrender and (each.bet.wager == self.side or each.outcome == "win"):
                    says += settled_here(each)
            if seat in played.settings and seat not in collected and seat != self.against(played):
                says.append(discard(packet(self, played, seat)))
        return says

    def report_after_void(self, played: SplitPlayed, void: str) -> list[Say]:
        """An exposed card of the dealer or the bank voids all hands, and the bonus wagers are settled all the same
        (§16(e))."""
        if void != "exposed_card":
            return super().report_after_void(played, void)
        bonus = {seat: cents for seat in played.seats if (cents := played.cents(seat, self.side))}
        classes = {seat: self.class_of(played.hands[seat]) for seat in bonus}
        pays = bonus_payouts(bonus, classes, self.options.bonus_minimum_cents)
        says = [discard(played.stub)]
        says += [settlement(Settled(bet, "void")) for bet in played.bets if bet.wager == self.base]
        says += [discard(hand) for place, hand in played.hands.items() if place not in bonus]
        for seat in bonus:
            bet = played.find(seat, self.side)
            assert bet is not None
            eye = CAMERA if self.fitted.camera else CONTROLLER
            hand = discard(played.hands[seat])
            says.append(Say("hand.shown", {"place": seat, "cards": hand.data["cards"]}, eye))
            says += [settlement(_bonus_settled(bet, pays[seat])), hand]
        return says


def _bonus_settled(bet: Bet, pays_cents: int) -> Settled:
    if pays_cents:
        return Settled(bet, "win", paid_cents=pays_cents)
    return Settled(bet, "lose", taken_cents=bet.cents)
