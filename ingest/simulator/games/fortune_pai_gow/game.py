"""Fortune Pai Gow Poker as it is played at a simulated table in a California card room.

Everybody plays against a player-dealer, whose posted wager limits what can be won and lost: CA Fortune Pai Gow Poker,
the California Games Collection Rates, and R-28 to R-30, R-38, R-39, R-43 to R-45, R-54.
"""

from __future__ import annotations

from ingest.simulator.faults.injection import Injection
from ingest.simulator.faults.queue import FaultQueue
from ingest.simulator.faults.subjects import Subject
from ingest.simulator.fees import FORTUNE_SCHEDULES
from ingest.simulator.games.fortune_pai_gow.filed import FortuneOptions, usual
from ingest.simulator.labels import Labels
from ingest.simulator.paytables import FPG_02, FPG_02_ENVY_CENTS, QUALIFYING_CENTS
from ingest.simulator.plan import Plan, TablePlan
from ingest.simulator.played import Bet, Envy, SplitPlayed
from ingest.simulator.player_dealer import Cover
from ingest.simulator.poker import PREMIUM
from ingest.simulator.registry import register
from ingest.simulator.side_wagers import SideWager, by_odds
from ingest.simulator.split_hands.player_dealer import PlayerDealerTable
from ingest.simulator.split_hands.seven_cards import ENVY_FAULTS, SevenCardTable

HIGHEST_FORTUNE_CENTS = 5_000  # printed with the later rates only: "up to a maximum of $50"


class FortuneTable(SevenCardTable, PlayerDealerTable):
    """A Fortune Pai Gow Poker table."""

    pack = "ca/fortune_pai_gow"
    base = "fortune_pai_gow"
    wheel, royal_match = "lowest", "king_queen"
    envy_cents = FPG_02_ENVY_CENTS
    controller_says = (
        "bank.*", "bets.closed", "button.placed", "collection.taken", "wager.settled", "envy.paid",
    )  # fmt: skip

    def __init__(self, plan: Plan, table: TablePlan, queue: FaultQueue, labels: Labels) -> None:
        options = self.options = table.filed_as(FortuneOptions)
        self.drop_box = options.drop_box
        fortune = SideWager(
            self.envy_side,
            100,
            HIGHEST_FORTUNE_CENTS,
            self._fortune,
            limits_filed=options.schedule.startswith("california"),
        )
        super().__init__(plan, table, queue, labels, options, FORTUNE_SCHEDULES[options.schedule], [fortune])

    # --- wagers ------------------------------------------------------------------------------------------------------

    def wanted_wagers(self, played: SplitPlayed, injection: Injection) -> None:
        if injection.wanted and injection.kind in ENVY_FAULTS:
            self.give_envy_a_chance(played)
            for seat in played.seats[:3]:
                if not played.cents(seat, self.envy_side):
                    self.place(played, seat, self.envy_side, QUALIFYING_CENTS)
        self.back_hands(played)

    def posted_besides(self, injection: Injection) -> int:
        return 1_000_000 if injection.wanted and injection.kind in ENVY_FAULTS else 0

    # --- deal and settlement -----------------------------------------------------------------------------------------

    def before_dealing(self, played: SplitPlayed, deck: list[int], injection: Injection) -> None:
        super().before_dealing(played, deck, injection)
        # "the player to the left of the player that receives the first pile"
        played.button = self.onward(played.start, 1)

    def stackable(self, played: SplitPlayed) -> list[int]:
        """Only a hand with a Fortune bet gives an envy bonus here (R-29)."""
        return [seat for seat in played.seats if played.cents(seat, self.envy_side)]

    def classify(self, played: SplitPlayed) -> None:
        seats = sorted({bet.seat for bet in played.bets if bet.wager == self.envy_side})
        played.classes = {seat: self.class_of(played.hands[seat]) for seat in seats}

    def _fortune(self, played: SplitPlayed, bet: Bet) -> tuple[str, int]:
        return by_odds(FPG_02, played.classes[bet.seat], bet.cents)

    def settle_envy(self, played: SplitPlayed, cover: Cover) -> None:
        """After the last seat, from the button: each Fortune bet of $5 wins for other hands of four of a kind or better
        that have a Fortune bet themselves (R-29, R-45)."""
        fortune = [bet for bet in self.in_order(played) if bet.wager == self.envy_side]
        qualifying = [bet for bet in fortune if bet.cents >= QUALIFYING_CENTS]
        premium = [seat for seat in self.order_of_seats(played) if played.classes.get(seat) in PREMIUM]
        played.staying = premium if qualifying else []
        played.envies = []
        for bet in qualifying:
            for seat in played.staying:
                if seat != bet.seat:
                    cents = cover.use(self.envy_cents[played.classes[seat] or ""])
                    if cents:
                        played.envies.append(Envy(bet.seat, seat, cents, bet.bettor))


register(
    FortuneTable,
    FortuneOptions,
    usual,
    prefix="FP",
    faults=(Subject.SPLIT_HANDS, Subject.ENVY, Subject.FEES, Subject.PLAYER_DEALER),
)
