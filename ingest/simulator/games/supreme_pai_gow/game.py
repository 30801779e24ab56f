"""Massachusetts Supreme Pai Gow at a simulated table: four cards set in two hands of two, and players who bank.

Settled by MA-SPG §§7-16 and R-1 to R-5, R-13 to R-15, R-22 to R-24, R-35, R-37, R-47.
"""

from __future__ import annotations

from ingest.simulator.faults.injection import Injection
from ingest.simulator.faults.queue import FaultQueue
from ingest.simulator.faults.subjects import Subject
from ingest.simulator.games.supreme_pai_gow.bonus import BONUS, BONUS_ODDS, LIMIT_CENTS, bonus_class, bonus_payouts
from ingest.simulator.games.supreme_pai_gow.filed import SupremeOptions, usual
from ingest.simulator.games.supreme_pai_gow.hands import better_hands, full_key, house_way, is_foul
from ingest.simulator.games.supreme_pai_gow.stacked import four_of, wanted_bonus, wanted_deck
from ingest.simulator.labels import Labels
from ingest.simulator.plan import Plan, TablePlan
from ingest.simulator.played import Bet, Setting, SplitPlayed
from ingest.simulator.registry import register
from ingest.simulator.side_wagers import SideWager
from ingest.simulator.split_hands.player_bank import PlayerBankTable
from ingest.simulator.stub_count import StubCount

CHIPS_CENTS = (100, 100, 200, 300, 500, 500, 1000, 1000, 2500, 5000, 10_000, 20_000)


class SupremeTable(PlayerBankTable):
    """A Supreme Pai Gow table."""

    pack = "ma/supreme_pai_gow"
    hand_size, jokers = 4, 2
    base = "supreme_pai_gow"
    options_of = SupremeOptions
    controller_says = ("bank.*", "bets.closed", "wager.settled", "vigorish.taken")
    later_rounds_rest_on = ("wager.placed", "wager.changed", "wager.withdrawn", "stub.counted")
    cards_last_minutes = 30  # often, for the bank is not offered in the first round with new cards
    irregular = (  # §16, §8(d)(2)
        "misdeal",
        "exposed_card",
        "wrong_start",
        "exposed_to_player",
        "exposed_in_stacks",
        "boxed_card",
        "boxed_cards",
        "shoe_jam",
        "shuffler_jam",
        "stub_count",
    )
    sides_stand_when = frozenset({"exposed_card"})  # §16(e)

    def __init__(self, plan: Plan, table: TablePlan, queue: FaultQueue, labels: Labels) -> None:
        options = self.options = table.filed_as(self.options_of)
        self.vigorish_rounding, self.banking = options.vigorish_rounding, options.banking
        self.shuffler_counts = options.stub_counted_by_shuffler
        self.stub_count = StubCount(by_shuffler=self.shuffler_counts)
        bonus = SideWager(
            BONUS,
            options.bonus_minimum_cents,
            options.bonus_maximum_cents,
            self._bonus,
            CHIPS_CENTS,
            odds=BONUS_ODDS,
            most_paid_cents=LIMIT_CENTS,
            shares_the_limit="royal_flush",
        )
        super().__init__(plan, table, queue, labels, options, [bonus])

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

    # --- the deal ----------------------------------------------------------------------------------------------------

    def stacks(self, played: SplitPlayed) -> list[int]:
        """Unless a bank names the first stack, it is the one farthest right, and they are delivered counterclockwise
        (§9(f))."""
        if played.bank is not None and played.bank.first_stack is not None:
            return super().stacks(played)
        return [self.onward(played.start, 6 - stack) for stack in range(len(self.places))]

    def other_way_round(self, played: SplitPlayed) -> tuple[str, list[int]]:
        _, places = super().other_way_round(played)
        return "clockwise" if self.by_hand and played.bank is None else "counterclockwise", places

    # --- the bonus wager ---------------------------------------------------------------------------------------------

    def _bonus_cents(self, played: SplitPlayed) -> dict[int, int]:
        seats = [seat for seat in played.seats if seat not in played.voided]
        return {seat: cents for seat in seats if (cents := played.cents(seat, BONUS))}

    def classify(self, played: SplitPlayed) -> None:
        played.classes = {seat: self.class_of(played.hands[seat]) for seat in self._bonus_cents(played)}

    def _bonus(self, played: SplitPlayed, bet: Bet) -> tuple[str, int]:
        pays = bonus_payouts(self._bonus_cents(played), played.classes, self.options.bonus_minimum_cents)[bet.seat]
        return ("win", pays) if pays else ("lose", 0)

    def wanted_wagers(self, played: SplitPlayed, injection: Injection) -> None:
        if injection.wanted:
            wanted_bonus(self, played, injection.kind)

    def before_dealing(self, played: SplitPlayed, deck: list[int], injection: Injection) -> None:
        if injection.wanted and wanted_deck(self, played, deck, injection.kind):
            return
        if self.plan.lucky_rate and self.rng.random() < self.plan.lucky_rate:
            self.give(deck, played, self.rng.choice(played.seats), four_of(self.rng))

    # --- the stub ----------------------------------------------------------------------------------------------------

    def set_up(self, played: SplitPlayed, injection: Injection) -> None:
        played.stub_counted = self.stub_count.made(self.rng)
        super().set_up(played, injection)

    def stub_is_due(self) -> bool:
        return self.stub_count.is_due

    def round_over(self, played: SplitPlayed, void: str | None, injection: Injection) -> None:
        super().round_over(played, void, injection)
        missed = injection.label is not None and injection.label.code.startswith("CARD-")
        self.stub_count.round_over(played.stub_counted, missed, len(self.decks))


register(
    SupremeTable,
    SupremeOptions,
    usual,
    prefix="SG",
    faults=(
        Subject.SPLIT_HANDS,
        Subject.MISDEALS,
        Subject.VIGORISH,
        Subject.BANK,
        Subject.PAYOUT_LIMIT,
        Subject.STUB_COUNT,
        Subject.SHUFFLES,
        Subject.IN_TURN,
    ),
)
