"""A table where people bet on lines, which are everybody's, and beside them on bonus wagers; others bet behind them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from ingest.simulator.card_table import Limited
from ingest.simulator.faults.injection import Injection
from ingest.simulator.faults.queue import FaultQueue
from ingest.simulator.fees import Schedule, fees_by_player
from ingest.simulator.labels import Labels
from ingest.simulator.plan import Plan, TablePlan
from ingest.simulator.played import Bank, Bet, Fee, Played
from ingest.simulator.player_dealer import FEWEST_PLAYERS, Turns, posted_for
from ingest.simulator.shoe_table import ShoeTable
from ingest.simulator.voice import LAYOUT, Say

BONUS_EXPOSURE = 4  # what is posted reckons with so many times a bonus wager
BONUS_CENTS = (100, 200, 500, 500, 1000, 2500, 5000)


class LineBettingTable(ShoeTable):
    """A table with a player-dealer, lines and bonus wagers."""

    house_pays = False
    lines: Sequence[str]
    bonuses: Sequence[str]
    late_bonus: str
    """The bonus wager somebody makes too late."""
    most_over = 100

    def __init__(
        self,
        plan: Plan,
        table: TablePlan,
        queue: FaultQueue,
        labels: Labels,
        filed: Limited,
        schedule: Schedule,
        seat_count: int,
        deck_count: int,
    ) -> None:
        super().__init__(plan, table, queue, labels, deck_count)
        self.filed, self.schedule = filed, schedule
        self.turns = Turns()
        seats = self.seats = range(1, seat_count + 1)
        self._players = {seat for seat in seats if self.rng.random() < 0.6} | set(
            self.rng.sample(seats, FEWEST_PLAYERS)
        )
        self._usual_cents = {seat: self._usual() for seat in seats}

    def opening(self) -> list[Say]:
        self.turns = Turns()
        return super().opening()

    @property
    def last_seat(self) -> int:
        return self.seats[-1]

    # --- who is there, and who banks ---------------------------------------------------------------------------------

    def come_and_go(self) -> None:
        """Players join and leave; never the one who banks, nor the last who may bank next."""
        rng = self.rng
        if rng.random() >= 0.06:
            return
        seat = rng.randrange(1, self.last_seat + 1)
        if seat not in self._players:
            self._players.add(seat)
            self._usual_cents[seat] = self._usual()
        elif self.turns.may_leave(seat, self._players):
            self._players.discard(seat)

    def choose_bank(self, played: Played, injection: Injection) -> None:
        played.bank_says = self.turns.choose(self.rng, injection, self._players, self.seats)
        played.bank = Bank(self.turns.seat, "player_dealer", turn=self.turns.announced)

    # --- wagers ------------------------------------------------------------------------------------------------------

    def _usual(self) -> int:
        filed = self.filed
        steps = (filed.table_maximum_cents - filed.table_minimum_cents) // 500
        return filed.table_minimum_cents + 500 * min(int(self.rng.expovariate(1 / 8)), steps)

    def limits(self, wager: str) -> tuple[int, int]:
        """A line wager is within the table's limits, a bonus wager within those printed with the schedule."""
        if wager in self.lines:
            return self.filed.table_minimum_cents, self.filed.table_maximum_cents
        lowest, highest = self.schedule.bonus_dollars
        return lowest * 100, highest * 100

    def _line_cents(self, seat: int) -> int:
        rng = self.rng
        cents = self._usual_cents[seat]
        chance = rng.random()
        if chance < 0.3:
            cents += 500 * rng.randrange(-4, 12)
        elif chance < 0.36:
            cents += 100 * rng.randrange(1, 5)
        elif chance < 0.39:
            cents += rng.choice((25, 50, 75))
        lowest, highest = self.limits(self.lines[0])
        return max(lowest, min(cents, highest))

    def take_wagers(self, played: Played) -> None:
        rng = self.rng
        seats = sorted(self._players - {self.turns.seat})
        betting = [seat for seat in seats if rng.random() < 0.93] or seats
        for seat in betting:
            self._bet(played, seat, "")
        backed = [seat for seat in betting if rng.random() < 0.06]
        for number, seat in enumerate(backed, 1):
            self._bet(played, seat, f"B{number}")
        exposure = sum(bet.cents * (1 if bet.wager in self.lines else BONUS_EXPOSURE) for bet in played.bets)
        assert played.bank is not None
        played.bank.posted_cents = posted_for(rng, exposure, self.filed.table_minimum_cents)

    def _bet(self, played: Played, seat: int, bettor: str) -> None:
        rng = self.rng
        bonus = [wager for wager in self.bonuses if rng.random() < 0.15]
        if not bonus or rng.random() < 0.9:
            self._place(played, Bet(seat, rng.choice(self.lines), self._line_cents(seat), bettor))
        for wager in bonus:
            self._place(played, Bet(seat, wager, min(self.limits(wager)[1], rng.choice(BONUS_CENTS)), bettor))

    def _place(self, played: Played, bet: Bet) -> None:
        chance = self.rng.random()
        placed = bet.cents
        if chance < 0.02:
            lowest, highest = self.limits(bet.wager)
            placed = max(lowest, min(bet.cents + 500, highest))
        said = bet.where()
        played.wager_says.append(Say("wager.placed", {**said, "amount_cents": placed}, LAYOUT))
        if placed != bet.cents:
            played.wager_says.append(Say("wager.changed", {**said, "amount_cents": bet.cents}, LAYOUT))
        others = any((other.seat, other.bettor) == (bet.seat, bet.bettor) for other in played.bets)
        if bet.wager in self.bonuses and chance > 0.98 and others:
            played.wager_says.append(Say("wager.withdrawn", said, LAYOUT))
        else:
            played.bets.append(bet)

    def fees_due(self, bets: Sequence[Bet]) -> list[Fee]:
        return fees_by_player(self.schedule, bets, self.turns.seat)

    # --- what a fault asks -------------------------------------------------------------------------------------------

    @abstractmethod
    def decided(self, played: Any, bet: Bet) -> tuple[str, int]:
        """The outcome of a bet, and what it is paid if it wins and is fully covered."""

    def worth(self, played: Played, bet: Bet) -> tuple[str, int]:
        outcome, pays = self.decided(played, bet)
        return outcome, pays if outcome == "win" else bet.cents if outcome == "lose" else 0

    def any_bet(self, played: Played) -> Bet:
        return self.rng.choice(played.bets)

    def room_cents(self, played: Played) -> int | None:
        """What is left of the posted wager; None where it did not reach, and the button was used."""
        return played.posted_cents - played.moved_cents() if played.button is None else None

    def spots_without_wager(self, played: Played) -> list[tuple[int, str]]:
        placed = {(bet.seat, bet.wager) for bet in played.bets}
        wager = self.rng.choice((*self.lines, self.late_bonus))
        return [(seat, wager) for seat in self.seats if seat != self.turns.seat and (seat, wager) not in placed]

    def bet_late(self, injection: Injection, played: Played) -> None:
        """A bet is raised, made or taken back after the deal began.

        Only where no fee turns on it, and never a seat's only bet: whether a late bet counts for fees or for the next
        bank is not what is being tried.
        """
        rng = self.rng
        bet = rng.choice(played.bets)
        of_bettor = [other for other in played.bets if (other.seat, other.bettor) == (bet.seat, bet.bettor)]
        lowest, highest = self.limits(bet.wager)
        bets = list(played.bets)
        choice = rng.random()
        if choice < 0.35 and len(of_bettor) > 1:
            bets.remove(bet)
            say = Say("wager.withdrawn", bet.where(), LAYOUT)
            changed, detail = bet, f"{bet.cents} cents withdrawn after the close"
        elif choice < 0.6 and all(other.wager != self.late_bonus for other in of_bettor):
            changed = Bet(bet.seat, self.late_bonus, self.limits(self.late_bonus)[0], bet.bettor)
            bets.append(changed)
            say = Say("wager.placed", changed.where() | {"amount_cents": changed.cents}, LAYOUT)
            detail = f"{changed.cents} cents placed after the close"
        else:
            changed = replace(bet, cents=min(highest, max(lowest, bet.cents) + 100 * rng.randrange(1, 20)))
            bets[bets.index(bet)] = changed
            say = Say("wager.changed", changed.where() | {"amount_cents": changed.cents}, LAYOUT)
            detail = f"raised from {bet.cents} to {changed.cents} cents after the close"
            if changed.cents == bet.cents:
                return
        if self.fees_due(bets) == self.fees_due(played.bets):
            played.bets = bets
            played.late_says.append(say)
            injection.done(detail, changed.seat, changed.wager)
