"""Massachusetts pai gow poker at a simulated table: how its hands are set, compared and paid.

Settled by MA-PGP §§8-9, 11, 15, 16 and R-1 to R-5, R-23, R-29, R-34, R-51.
"""

from __future__ import annotations

from ingest.simulator.faults import FaultQueue, Injection
from ingest.simulator.house_way import house_way
from ingest.simulator.labels import Labels
from ingest.simulator.options import OptionValue, spelled_out
from ingest.simulator.pai_gow_deal import premium_cards
from ingest.simulator.paytables import ENVY_CENTS, FORTUNE_ODDS, QUALIFYING_CENTS
from ingest.simulator.plan import Plan, TablePlan
from ingest.simulator.played import Bet, Envy, Played, Setting, Settled
from ingest.simulator.poker import PREMIUM, five_key, fortune_class, is_foul, two_key
from ingest.simulator.split_hands import SplitHandsTable

CHIPS_CENTS = (100, 200, 300, 400, 500, 500, 500, 1000, 1000, 1500, 2500, 5000, 10_000, 20_000)
ENVY_FAULTS = ("envy_missed", "envy_wrong", "envy_not_due")


class PaiGowTable(SplitHandsTable):
    """A pai gow poker table."""

    pack = "ma/pai_gow_poker"
    hand_size, jokers = 7, 1
    base, side, premium = "pai_gow", "fortune", PREMIUM
    controller_says = ("bets.closed", "wager.settled", "vigorish.taken", "envy.paid")

    def __init__(self, plan: Plan, table: TablePlan, queue: FaultQueue, labels: Labels) -> None:
        options = self.options = table.pai_gow()
        least, most = options.fortune_minimum_cents, options.fortune_maximum_cents
        self.vigorish_rounding = options.vigorish_rounding
        self.envy_cents = ENVY_CENTS.get(options.fortune_paytable, {})
        super().__init__(
            plan, table, queue, labels, options, [cents for cents in CHIPS_CENTS if least <= cents <= most]
        )

    def filed_options(self) -> dict[str, OptionValue]:
        return spelled_out(self.options)

    @property
    def has_side(self) -> bool:
        return self.options.fortune_paytable != "none"

    def limits(self, wager: str) -> tuple[int, int]:
        options = self.options
        if wager == "fortune":
            return options.fortune_minimum_cents, options.fortune_maximum_cents
        return options.table_minimum_cents, options.table_maximum_cents

    # --- hands -------------------------------------------------------------------------------------------------------

    def house_way(self, hand: list[int]) -> Setting:
        return house_way(hand, self.options.wheel)

    def keys(self, setting: Setting) -> tuple[object, object]:
        return two_key(setting[0]), five_key(setting[1], self.options.wheel)

    def is_foul(self, setting: Setting) -> bool:
        return is_foul(two_key(setting[0]), five_key(setting[1], self.options.wheel))

    def better_hands(self, setting: Setting, against: Setting) -> int:
        """Copies are the dealer's (MA-PGP §9(g))."""
        wheel = self.options.wheel
        low_wins = two_key(setting[0]) > two_key(against[0])
        return low_wins + (five_key(setting[1], wheel) > five_key(against[1], wheel))

    def class_of(self, hand: list[int]) -> str | None:
        return fortune_class(hand, self.options.royal_match)

    # --- wagers and decks a fault needs ------------------------------------------------------------------------------

    def wanted_wagers(self, played: Played, injection: Injection) -> None:
        """Somebody has to be entitled to an envy bonus, and somebody else at the table, for one to be got wrong."""
        if not (injection.wanted and injection.kind in ENVY_FAULTS):
            return
        for seat in self.seats:
            if len(played.seats) >= 2:
                break
            if seat not in played.seats:
                self.place(played, seat, "pai_gow", self.options.table_minimum_cents)
        if not self.entitled(played):
            without = [seat for seat in played.seats if not played.cents(seat, "fortune")]
            if without:
                self.place(played, without[0], "fortune", max(QUALIFYING_CENTS, self.options.fortune_minimum_cents))

    def before_dealing(self, played: Played, deck: list[int], injection: Injection) -> None:
        """Four of a kind is too rare to wait for where an envy bonus is to be got wrong: somebody is dealt a premium
        hand, and somebody else is entitled."""
        wanted = injection.wanted and injection.kind in ENVY_FAULTS
        if not wanted and not (self.plan.lucky_rate and self.rng.random() < self.plan.lucky_rate):
            return
        seats = played.seats
        if wanted:
            entitled = [seat for seat in seats if played.cents(seat, "fortune") >= QUALIFYING_CENTS]
            seats = [seat for seat in seats if any(other != seat for other in entitled)]
        if seats:
            self.stack(deck, played, self.rng.choice(seats))

    def stack(self, deck: list[int], played: Played, seat: int) -> None:
        positions = [index for index, place in enumerate(played.places) if place == seat]
        for position, card in zip(positions, premium_cards(self.rng, self.options.royal_match), strict=False):
            other = deck.index(card)
            deck[position], deck[other] = card, deck[position]

    # --- settlement --------------------------------------------------------------------------------------------------

    def may_surrender(self, played: Played, seats: list[int]) -> list[int]:
        """A hand given up with the only qualifying wager, where that is forfeited: whether the others' hands are still
        rearranged and kept for nobody's envy, no text says. It does not come up here."""
        if self.options.surrendered_bonus != "forfeited":
            return seats
        return [
            seat
            for seat in seats
            if not played.cents(seat, "fortune")
            or any(played.cents(other, "fortune") >= QUALIFYING_CENTS for other in played.seats if other not in seats)
        ]

    def live_side(self, played: Played, seat: int) -> int:
        """The Fortune wager is forfeited, where so filed, with a surrendered hand (R-5(3))."""
        if seat in played.surrendered and self.options.surrendered_bonus == "forfeited":
            return 0
        return played.cents(seat, "fortune")

    def entitled(self, played: Played) -> list[int]:
        return [seat for seat in played.seats if self.live_side(played, seat) >= QUALIFYING_CENTS]

    def rearranged(self, played: Played, seat: int) -> bool:
        """Any qualifying wager has all hands rearranged, a smaller Fortune wager its own (R-51, MA-PGP §15(d)(2))."""
        return bool(self.live_side(played, seat) or self.entitled(played))

    def side_concerns_nobody(self, played: Played, seat: int) -> bool:
        """Only where another wager qualifies and nobody holds a premium hand: whose hands are rearranged, or stay on the
        table, must not hang on whether a late wager counts."""
        others = any(played.cents(other, "fortune") >= QUALIFYING_CENTS for other in played.seats if other != seat)
        return others and not any(self.class_of(played.hands[other]) in PREMIUM for other in played.seats)

    def settle(self, played: Played) -> None:
        entitled = self.entitled(played)
        for seat in self.exposed_seats(played):
            if entitled or played.cents(seat, "fortune"):
                played.classes[seat] = self.class_of(played.hands[seat])
        for seat in played.seats:
            for bet in played.at(seat):
                settle = self.settle_base if bet.wager == "pai_gow" else self._settle_fortune
                played.settled.append(settle(played, bet))
        if entitled:
            premium = {seat: name for seat, name in played.classes.items() if name in PREMIUM}
            played.staying = sorted(premium)
            played.envies = [
                Envy(seat, for_seat, self.envy_cents[premium[for_seat]])
                for seat in entitled
                for for_seat in played.staying
                if for_seat != seat
            ]

    def _settle_fortune(self, played: Played, bet: Bet) -> Settled:
        if not self.live_side(played, bet.seat):
            return Settled(bet, "lose", taken_cents=bet.cents, at_surrender=True)
        odds = FORTUNE_ODDS[self.options.fortune_paytable].get(played.classes[bet.seat] or "")
        if odds is None:
            return Settled(bet, "lose", taken_cents=bet.cents)
        if odds == 0:
            return Settled(bet, "push")
        pays = odds * bet.cents
        if self.options.maximum_payout_cents:
            pays = min(pays, self.options.maximum_payout_cents)
        return Settled(bet, "win", paid_cents=pays)
