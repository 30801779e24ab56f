"""A Californian table of split hands: everybody plays against a player-dealer, whose posted wager may run out.

R-28 to R-30, R-38, R-39, R-43 to R-45. A game says where the action button lies and who gets envy bonuses.
"""

from __future__ import annotations

from ingest.simulator.card_table import Filed
from ingest.simulator.dealing import stacks_from
from ingest.simulator.faults.injection import Injection
from ingest.simulator.faults.queue import FaultQueue
from ingest.simulator.fees import Schedule, fees_by_circle
from ingest.simulator.labels import Labels
from ingest.simulator.plan import Plan, TablePlan
from ingest.simulator.played import Bank, Bet, Fee, SplitPlayed
from ingest.simulator.player_dealer import FEWEST_PLAYERS, Cover, Turns, posted_for, settled_by_cover
from ingest.simulator.side_wagers import SideWager
from ingest.simulator.split_hands.table import SplitHandsTable
from ingest.simulator.voice import LAYOUT, Say

SIDE_EXPOSURE = 5  # what is posted reckons with so many times a side wager


class PlayerDealerTable(SplitHandsTable):
    """A table with a player-dealer, cover, an action button and collection fees."""

    house_pays = False
    later_rounds_rest_on = ("wager.placed", "wager.changed", "wager.withdrawn")
    places = seats = range(1, 8)  # clockwise from the house dealer's left
    surrender_allowed = False
    irregular = ()  # the texts name none
    stub_is_counted = False

    def __init__(
        self,
        plan: Plan,
        table: TablePlan,
        queue: FaultQueue,
        labels: Labels,
        filed: Filed,
        schedule: Schedule,
        sides: list[SideWager],
    ) -> None:
        self.schedule = schedule
        self.turns = Turns()
        super().__init__(plan, table, queue, labels, filed, sides)
        for seat in self.rng.sample(self.seats, FEWEST_PLAYERS):
            self.players.setdefault(seat, self.new_player())

    def opening(self) -> list[Say]:
        self.turns = Turns()
        return super().opening()

    @property
    def last_seat(self) -> int:
        return self.seats[-1]

    # --- who banks, wagers, fees -------------------------------------------------------------------------------------

    def set_up(self, played: SplitPlayed, injection: Injection) -> None:
        self.come_and_go()
        played.stub_counted = self.stub_is_counted
        played.bank_says = self.turns.choose(self.rng, injection, set(self.players), self.seats)
        stack = self.rng.randrange(1, len(self.places) + 1)  # the action pile
        played.bank = Bank(self.turns.seat, "player_dealer", turn=self.turns.announced, first_stack=stack)

    def may_leave(self, seat: int) -> bool:
        return self.turns.may_leave(seat, self.players.keys())

    def back_hands(self, played: SplitPlayed) -> None:
        """Somebody bets on another's hand: a game wager, and perhaps the side wagers of the player there as well."""
        backed = [seat for seat in played.seats if self.rng.random() < 0.06 and seat in self.players]
        for number, seat in enumerate(backed, 1):
            wagers = {self.base: self.bet_cents(self.players[seat])}
            for side in self.sides.values():
                if played.cents(seat, side.name) and self.rng.random() < 0.4:
                    wagers[side.name] = self.rng.choice(side.usual_cents)
            for wager, cents in wagers.items():
                bet = Bet(seat, wager, cents, f"B{number}")
                said = {"seat": seat, "wager": wager, "amount_cents": cents, "bettor": bet.bettor}
                played.wager_says.append(Say("wager.placed", said, LAYOUT))
                played.bets.append(bet)

    def wanted_wagers(self, played: SplitPlayed, injection: Injection) -> None:
        super().wanted_wagers(played, injection)
        self.back_hands(played)

    def after_wagers(self, played: SplitPlayed, injection: Injection) -> None:
        assert played.bank is not None
        exposure = sum(bet.cents * (SIDE_EXPOSURE if bet.wager in self.sides else 1) for bet in played.bets)
        played.bank.posted_cents = posted_for(self.rng, exposure, self.filed.table_minimum_cents)
        played.bank.posted_cents += self.posted_besides(injection)
        played.fees = self.fees_due(played)

    def posted_besides(self, injection: Injection) -> int:
        """What the player-dealer posts on top, where the fault asked for needs it."""
        return 0

    def fees_due(self, played: SplitPlayed) -> list[Fee]:
        return fees_by_circle(self.schedule, played.bets, self.turns.seat, self.base)

    # --- deal --------------------------------------------------------------------------------------------------------

    def clockwise(self, start: int) -> list[int]:
        return [self.onward(start, step) for step in range(len(self.places))]

    def stacks(self, played: SplitPlayed) -> list[int]:
        assert played.bank is not None and played.bank.first_stack is not None
        return stacks_from(played.bank.first_stack, self.clockwise(played.start))

    # --- settlement --------------------------------------------------------------------------------------------------

    def order_of_seats(self, played: SplitPlayed) -> list[int]:
        assert played.button is not None
        return self.clockwise(played.button)

    def in_order(self, played: SplitPlayed) -> list[Bet]:
        """Seat by seat from the action button: the game wagers, then the side wagers; the seated player first, then
        backline bettors in the order they bet (R-39, R-45)."""
        return [
            bet
            for seat in self.order_of_seats(played)
            for wager in (self.base, *self.sides)
            for seated in (True, False)
            for bet in played.at(seat)
            if bet.wager == wager and (not bet.bettor) == seated
        ]

    def settle(self, played: SplitPlayed) -> None:
        self.classify(played)
        cover = Cover(played.posted_cents)
        worth = [(bet, *self.worth(played, bet)) for bet in self.in_order(played)]
        played.settled = [settled_by_cover(bet, outcome, cents, cover) for bet, outcome, cents in worth]
        self.settle_envy(played, cover)

    def settle_envy(self, played: SplitPlayed, cover: Cover) -> None:
        """What is paid for other players' hands, with what is left of the posted wager."""

    def settle_from(self, played: SplitPlayed, seat: int) -> None:
        played.button = seat
        self.settle(played)

    def one_against_one(self, played: SplitPlayed) -> bool:
        """Only where the posted wager reaches for everything that may move, however the game wagers end."""
        self.classify(played)
        most = 0
        for bet in played.bets:
            pays = self.sides[bet.wager].decide(played, bet)[1] if bet.wager in self.sides else 0
            most += max(bet.cents, pays)
        return most <= played.posted_cents and not self.premium & set(played.classes.values())

    def room_cents(self, played: SplitPlayed) -> int | None:
        """What is left of the posted wager; None where it did not reach."""
        due = sum(self.worth(played, bet)[1] for bet in played.bets)
        moved = sum(each.paid_cents + each.taken_cents for each in played.settled)
        return played.posted_cents - played.moved_cents() if moved == due else None

    def round_over(self, played: SplitPlayed, void: str | None, injection: Injection) -> None:
        super().round_over(played, void, injection)
        self.turns.round_over(played)
