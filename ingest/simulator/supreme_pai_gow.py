"""Massachusetts Supreme Pai Gow at a simulated table: four cards set in two hands of two, and players who bank.

Settled by MA-SPG §§7-16 and R-1 to R-5, R-13 to R-15, R-22 to R-24, R-35, R-37, R-47.
"""

from __future__ import annotations

from ingest.simulator.card_table import DEALER
from ingest.simulator.faults.injection import Injection
from ingest.simulator.faults.queue import FaultQueue
from ingest.simulator.labels import Labels
from ingest.simulator.options import OptionValue, SupremeOptions, spelled_out
from ingest.simulator.plan import Plan, TablePlan
from ingest.simulator.played import Bet, Setting, Settled, SplitPlayed
from ingest.simulator.player_bank import PlayerBankTable
from ingest.simulator.split_hands_reports import (
    discard,
    report_card_exposed,
    settlement,
)
from ingest.simulator.supreme_hands import (
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


class SupremeTable(PlayerBankTable):
    """A Supreme Pai Gow table."""

    pack = "ma/supreme_pai_gow"
    hand_size, jokers = 4, 2
    base, side = "supreme_pai_gow", "bonus"
    controller_says = ("bank.*", "bets.closed", "wager.settled", "vigorish.taken")
    later_rounds_rest_on = ("wager.placed", "wager.changed", "wager.withdrawn", "stub.counted")
    cards_last_minutes = 30  # often, for the bank is not offered in the first round with new cards

    def __init__(self, plan: Plan, table: TablePlan, queue: FaultQueue, labels: Labels) -> None:
        options = self.options = table.filed_as(SupremeOptions)
        least, most = options.bonus_minimum_cents, options.bonus_maximum_cents
        self.vigorish_rounding = options.vigorish_rounding
        self.shuffler_counts = options.stub_counted_by_shuffler
        self.uncounted = 0
        """Rounds since the stub was last counted, from one day to the next as well."""
        self.count_rounds = 0
        """Rounds in which the stub is counted because a card was missed: the deck is whole after all."""
        self.banking = options.banking
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

    def set_up(self, played: SplitPlayed, injection: Injection) -> None:
        played.stub_counted = self._counts_stub()
        super().set_up(played, injection)

    def round_over(self, played: SplitPlayed, void: str | None, injection: Injection) -> None:
        super().round_over(played, void, injection)
        self.uncounted = 0 if played.stub_counted else self.uncounted + 1
        self.count_rounds = max(0, self.count_rounds - 1)
        if injection.label is not None and injection.label.code.startswith("CARD-"):
            self.count_rounds = len(self.decks)

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

    # --- deal --------------------------------------------------------------------------------------------------------

    def _counts_stub(self) -> bool:
        """At least once every five rounds, unless the shuffler counts (§8(d), (e))."""
        if self.shuffler_counts:
            return False
        return self.stub_is_due() or self.count_rounds > 0 or self.rng.random() < 0.3

    def stub_is_due(self) -> bool:
        return not self.shuffler_counts and self.uncounted >= MOST_UNCOUNTED - 1

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
                played.mishaps.append(Say("shuffler.faulted", {"fault": "jam", "deck": self.deck_in_play}, SHUFFLER))
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
        return Say("shuffle.completed", {"deck": self.deck_in_play, "method": "manual"})

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
