"""Massachusetts pai gow poker at a simulated table: how its hands are set, compared and paid.

Settled by MA-PGP §§8-9, 11, 15, 16 and R-1 to R-5, R-23, R-29, R-34, R-51.
"""

from __future__ import annotations

from ingest.simulator.faults.queue import FaultQueue
from ingest.simulator.faults.subjects import Subject
from ingest.simulator.games.pai_gow_poker.filed import PaiGowOptions, usual
from ingest.simulator.labels import Labels
from ingest.simulator.paytables import ENVY_CENTS, FORTUNE_ODDS, QUALIFYING_CENTS
from ingest.simulator.plan import Plan, TablePlan
from ingest.simulator.played import Bet, Envy, Settled, SplitPlayed
from ingest.simulator.poker import PREMIUM
from ingest.simulator.registry import register
from ingest.simulator.side_wagers import SideWager, by_odds
from ingest.simulator.split_hands.seven_cards import SevenCardTable


class PaiGowTable(SevenCardTable):
    """A pai gow poker table."""

    pack = "ma/pai_gow_poker"
    base = "pai_gow"
    controller_says = ("bets.closed", "wager.settled", "vigorish.taken", "envy.paid")

    def __init__(self, plan: Plan, table: TablePlan, queue: FaultQueue, labels: Labels) -> None:
        options = self.options = table.filed_as(PaiGowOptions)
        self.wheel, self.royal_match = options.wheel, options.royal_match
        self.vigorish_rounding = options.vigorish_rounding
        self.envy_cents = ENVY_CENTS.get(options.fortune_paytable, {})
        self.odds = FORTUNE_ODDS.get(options.fortune_paytable, {})
        fortune = SideWager(
            "fortune",
            options.fortune_minimum_cents,
            options.fortune_maximum_cents,
            self._fortune,
            offered=bool(self.odds),
        )
        super().__init__(plan, table, queue, labels, options, [fortune])

    # --- settlement --------------------------------------------------------------------------------------------------

    def may_surrender(self, played: SplitPlayed, seats: list[int]) -> list[int]:
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

    def live_side(self, played: SplitPlayed, seat: int) -> int:
        """The Fortune wager is forfeited, where so filed, with a surrendered hand (R-5(3))."""
        if seat in played.surrendered and self.options.surrendered_bonus == "forfeited":
            return 0
        return super().live_side(played, seat)

    def live_envy_side(self, played: SplitPlayed, seat: int) -> int:
        return played.cents(seat, self.envy_side) if self.live_side(played, seat) else 0

    def rearranged(self, played: SplitPlayed, seat: int) -> bool:
        """Any qualifying wager has all hands rearranged, a smaller Fortune wager its own (R-51, MA-PGP §15(d)(2))."""
        return bool(self.live_side(played, seat) or self.entitled(played))

    def classify(self, played: SplitPlayed) -> None:
        entitled = self.entitled(played)
        for seat in self.exposed_seats(played):
            if entitled or played.cents(seat, "fortune"):
                played.classes[seat] = self.class_of(played.hands[seat])

    def settle(self, played: SplitPlayed) -> None:
        super().settle(played)
        entitled = self.entitled(played)
        if entitled:
            premium = {seat: name for seat, name in played.classes.items() if name in PREMIUM}
            played.staying = sorted(premium)
            played.envies = [
                Envy(seat, for_seat, self.envy_cents[premium[for_seat]])
                for seat in entitled
                for for_seat in played.staying
                if for_seat != seat
            ]

    def settled_side(self, played: SplitPlayed, bet: Bet) -> Settled:
        if not self.live_side(played, bet.seat):
            return Settled(bet, "lose", taken_cents=bet.cents, at_surrender=True)
        return super().settled_side(played, bet)

    def _fortune(self, played: SplitPlayed, bet: Bet) -> tuple[str, int]:
        return by_odds(self.odds, played.classes[bet.seat], bet.cents, self.options.maximum_payout_cents)


register(
    PaiGowTable,
    PaiGowOptions,
    usual,
    prefix="PG",
    faults=(Subject.SPLIT_HANDS, Subject.MISDEALS, Subject.VIGORISH, Subject.ENVY),
)
