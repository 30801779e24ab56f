"""Supreme Baccarat as it is played at a simulated table in a California card room.

A round is worked out first (`Coup`) and reported afterwards, so that a fault can be put in where it belongs. The
rules are those of rules.py; who banks follows R-44, how the rack is filled R-7.
"""

from __future__ import annotations

from ingest.simulator.faults.catalogue import inject
from ingest.simulator.faults.injection import Injection, Stage
from ingest.simulator.faults.queue import FaultQueue
from ingest.simulator.faults.subjects import Subject
from ingest.simulator.fees import BACCARAT_SCHEDULES
from ingest.simulator.games.supreme_baccarat.filed import BaccaratOptions, usual
from ingest.simulator.games.supreme_baccarat.rules import (
    LINES,
    banker_draws,
    button_seat,
    covers_all,
    player_draws,
    result_of,
    settle,
    settlement_order,
)
from ingest.simulator.labels import Hands, Labels
from ingest.simulator.line_betting import LineBettingTable
from ingest.simulator.plan import Plan, TablePlan
from ingest.simulator.played import Bet, Coup
from ingest.simulator.registry import register
from ingest.simulator.reports import fees_taken, names, report_bank, settlement
from ingest.simulator.voice import SHOE, Say
from schemas.cards import CARD_NAMES


class BaccaratTable(LineBettingTable):
    """A Supreme Baccarat table."""

    pack = "ca/supreme_baccarat"
    lines, bonuses, late_bonus = LINES, ("tie", "total_shot"), "tie"
    most_cards = 6
    controller_says = ("bank.*", "bets.closed", "button.placed", "wager.settled")
    layout_says = ("wager.placed", "wager.changed", "wager.withdrawn", "collection.taken")

    def __init__(self, plan: Plan, table: TablePlan, queue: FaultQueue, labels: Labels) -> None:
        options = self.options = table.filed_as(BaccaratOptions)
        self.drop_box = options.drop_box
        self._played = Coup()
        schedule = BACCARAT_SCHEDULES[options.schedule]
        super().__init__(plan, table, queue, labels, options, schedule, options.seats, options.decks)

    # --- a round -----------------------------------------------------------------------------------------------------

    def play(self, injection: Injection) -> list[Say]:
        played = Coup()
        self._rounds = injection.number + 1
        self.come_and_go()
        self.choose_bank(played, injection)
        self.take_wagers(played)
        inject(Stage.WAGERS, injection, played, self)
        played.fees = self.fees_due(played.bets)
        inject(Stage.FEES, injection, played, self)
        self._deal(played)
        inject(Stage.DEALT, injection, played, self)
        if self.shoe_ends:
            played.shoe_left = self.cards_left
        inject(Stage.COUNTED, injection, played, self)
        inject(Stage.LATE, injection, played, self)
        self._settle(played)
        inject(Stage.SETTLED, injection, played, self)
        self.turns.round_over(played)
        self._played = played
        return self._report(played)

    def hands_played(self) -> Hands:
        return self._played.hands

    # --- cards and money ---------------------------------------------------------------------------------------------

    def _deal(self, played: Coup) -> None:
        """One card to the right (Player) and one to the left (Banker), in rotation; then the third cards."""
        first = [self.draw() for _ in range(4)]
        played.hands = {0: first[0::2], 1: first[1::2]}
        self.draw_third_cards(played)

    def draw_third_cards(self, played: Coup, wrong: str | None = None) -> None:
        """By the rules, but for the hand that is drawn to, or not, against them."""
        for card in (*played.banker[2:], *played.player[2:]):
            self.put_back(card)
        del played.player[2:], played.banker[2:]
        if player_draws(played.player, played.banker) != (wrong == "player"):
            played.player.append(self.draw())
        if banker_draws(played.player, played.banker) != (wrong == "banker"):
            played.banker.append(self.draw())

    def decided(self, played: Coup, bet: Bet) -> tuple[str, int]:
        return result_of(bet, played.player, played.banker)

    def _settle(self, played: Coup) -> None:
        first_seat = 1
        if not covers_all(played.bets, played.player, played.banker, played.posted_cents):
            played.button = first_seat = button_seat(played.banker[0], self.turns.seat, self.options.seats)
        self.settle_from(played, first_seat)

    def settle_from(self, played: Coup, first_seat: int) -> None:
        order = settlement_order(played.bets, first_seat, self.options.seats)
        played.settled = settle(order, played.player, played.banker, played.posted_cents)

    # --- reporting it ------------------------------------------------------------------------------------------------

    def _report(self, played: Coup) -> list[Say]:
        says = [Say("round.opened", {"deck": self.deck}), *report_bank(played), *played.wager_says]
        says += [*fees_taken(played, self.drop_box, before_the_deal=True), Say("bets.closed", {})]
        says += self._report_deal(played, fees_taken(played, self.drop_box, before_the_deal=False))
        says += played.late_says
        if played.button:
            card = CARD_NAMES[played.banker[0]]
            says.append(Say("button.placed", {"purpose": "action", "place": played.button, "card": card}))
        says += [settlement(each) for each in played.settled]
        says += self.collect([*played.player, *played.banker])
        if played.shoe_left is not None:
            says.append(Say("stub.counted", {"count": played.shoe_left}))
        return [*says, Say("round.closed", {})]

    def _report_deal(self, played: Coup, fees: list[Say]) -> list[Say]:
        """The cards as they leave the shoe; fees that are taken after the first card come after it."""
        if not self.fitted.shoe_reads:
            return fees
        first = [played.player[0], played.banker[0], played.player[1], played.banker[1]]
        stacks = [[card] for card in first] if self.fitted.dealt_in_parts else [first]
        dealt = [Say("cards.dealt", {"cards": names(stack)}, SHOE) for stack in stacks]
        says = [dealt[0], *fees, *dealt[1:]]
        for to, hand in (("player", played.player), ("banker", played.banker)):
            for card in hand[2:]:
                said: dict[str, object] = {"cards": [CARD_NAMES[card]]}
                if played.third_cards_named or self.rng.random() < 0.7:
                    said["to"] = to
                says.append(Say("cards.dealt", said, SHOE))
        return says


register(
    BaccaratTable,
    BaccaratOptions,
    usual,
    prefix="SB",
    faults=(Subject.FEES, Subject.PLAYER_DEALER, Subject.THIRD_CARDS, Subject.SHOE),
)
