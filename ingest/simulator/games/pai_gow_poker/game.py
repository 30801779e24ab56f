"""Massachusetts pai gow poker at a simulated table: how its hands are set, compared and paid.

Settled by MA-PGP §§8-9, 11, 15, 16 and R-1 to R-5, R-23, R-29, R-34, R-51.
"""

from __future__ import annotations

from dataclasses import replace

from ingest.simulator.faults.injection import Injection
from ingest.simulator.faults.queue import FaultQueue
from ingest.simulator.faults.subjects import Subject
from ingest.simulator.games.pai_gow_poker.bonus_deal import BonusDealTable
from ingest.simulator.games.pai_gow_poker.bonus_odds import THREE
from ingest.simulator.games.pai_gow_poker.classes import is_ace_high, is_queens_dragon
from ingest.simulator.games.pai_gow_poker.filed import PaiGowOptions
from ingest.simulator.games.pai_gow_poker.metered import MeteredTable, progressive_sides
from ingest.simulator.games.pai_gow_poker.odds import ALL_ENVY_CENTS, DYNASTY_ENVY_CENTS
from ingest.simulator.games.pai_gow_poker.sides import sides_filed
from ingest.simulator.games.pai_gow_poker.stacked import deal_what_it_needs, place_what_it_needs
from ingest.simulator.games.pai_gow_poker.usual import usual
from ingest.simulator.labels import Labels
from ingest.simulator.paytables import ENVY_CENTS
from ingest.simulator.plan import Plan, TablePlan
from ingest.simulator.played import Bet, Settled, SplitPlayed
from ingest.simulator.registry import register
from ingest.simulator.split_hands.player_bank import PlayerBankTable


class PaiGowTable(BonusDealTable, PlayerBankTable, MeteredTable):
    """A pai gow poker table."""

    pack = "ma/pai_gow_poker"
    base = "pai_gow"
    controller_says = ("bank.*", "bets.closed", "wager.settled", "vigorish.taken", "envy.paid")

    later_rounds_rest_on = ("wager.placed", "wager.changed", "wager.withdrawn")
    settled_early = frozenset({"rng", THREE})
    settled_amid_the_deal = frozenset({THREE})

    def __init__(self, plan: Plan, table: TablePlan, queue: FaultQueue, labels: Labels) -> None:
        options = self.options = table.filed_as(PaiGowOptions)
        self.wheel, self.royal_match = options.wheel, options.royal_match
        self.vigorish_rounding, self.banking = options.vigorish_rounding, options.banking
        self.fewest_players = 1 if self.banking == "none" else 2
        offered = {
            "fortune": ALL_ENVY_CENTS.get(options.fortune_paytable, {}),
            "emperors": ENVY_CENTS.get(options.emperors_paytable, {}),
            "dynasty": DYNASTY_ENVY_CENTS if options.dynasty == "offered" else {},
        }
        self.envies = {wager: cents for wager, cents in offered.items() if cents}
        self.envy_side = next(iter(self.envies), "fortune")
        self.envy_cents = self.envies.get(self.envy_side, {})
        self.own_areas = []
        self.set_up_bonus_deal()
        super().__init__(plan, table, queue, labels, options, [*sides_filed(options), *progressive_sides(options)])

    # --- the bank ----------------------------------------------------------------------------------------------------

    def after_shuffle(self, played: SplitPlayed, injection: Injection) -> None:
        """Only where the bank is offered do devices see whom the dealer asks."""
        if self.banking != "none":
            super().after_shuffle(played, injection)

    # --- wagers ------------------------------------------------------------------------------------------------------

    @property
    def late_sides(self) -> list[str]:
        """Whether a wager on the cards of others, or a mandatory one, counts when it is late is not what is tried."""
        return ["fortune"]

    def take_wagers(self, played: SplitPlayed, injection: Injection) -> None:
        super().take_wagers(played, injection)
        place_what_it_needs(injection.kind if injection.wanted else None, self, played)
        if self.options.ace_high == "mandatory":
            for seat in played.seats:
                if played.cents(seat, self.base) and not played.cents(seat, "ace_high"):
                    self.put(played, Bet(seat, "ace_high", 100))
        for bet in [bet for bet in played.bets if bet.wager == "rng" and self.rng.random() < 0.4]:
            other = self.rng.choice([number for number in self.sides["rng"].choices if number != bet.choice])
            self.put(played, replace(bet, choice=other))

    def before_dealing(self, played: SplitPlayed, deck: list[int], injection: Injection) -> None:
        super().before_dealing(played, deck, injection)
        deal_what_it_needs(injection.kind if injection.wanted else None, self, played, deck)

    # --- settlement --------------------------------------------------------------------------------------------------

    def all_push(self, played: SplitPlayed) -> bool:
        """A Queen's Dragon at an EZ table, an ace-high pai gow at a Face Up one (§9(g), §19(b))."""
        holds = {"ez": is_queens_dragon, "face_up": is_ace_high}.get(self.options.variant)
        return holds is not None and holds(played.hands[0])

    def settled(self, played: SplitPlayed, bet: Bet) -> Settled:
        if bet.seat == self.cut_short and bet.wager != THREE:
            return Settled(bet, "void")
        if bet.wager in self.settled_early:  # before a hand could be voided
            return self.settled_side(played, bet)
        return super().settled(played, bet)

    def settled_base(self, played: SplitPlayed, bet: Bet) -> Settled:
        settled = super().settled_base(played, bet)
        if self.options.variant != "standard":
            settled.vigorish_cents = 0
        if settled.outcome != "surrender" and self.all_push(played):
            return Settled(bet, "push")
        return settled

    def settled_side(self, played: SplitPlayed, bet: Bet) -> Settled:
        if self.forfeits(played, bet.seat) and bet.wager not in self.settled_early:
            return Settled(bet, "lose", taken_cents=bet.cents, at_surrender=True)
        return super().settled_side(played, bet)


register(
    PaiGowTable,
    PaiGowOptions,
    usual,
    prefix="PG",
    faults=(
        Subject.SPLIT_HANDS,
        Subject.MISDEALS,
        Subject.VIGORISH,
        Subject.ENVY,
        Subject.VARIANTS,
        Subject.BONUS_DEAL,
        Subject.METERS,
        Subject.SHUFFLES,
        Subject.IN_TURN,
    ),
    faults_elsewhere=(Subject.BANK,),
)
