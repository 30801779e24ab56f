"""A simulated table from opening to closing: the clock, the gaming day, dealers, heartbeats, and the rounds.

A game says what happens in a round and between rounds; here it gets its times and its place in the chain.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, date, datetime, timedelta
from random import Random
from typing import Any

from ingest.simulator.faults.catalogue import KINDS
from ingest.simulator.faults.injection import Injection
from ingest.simulator.faults.queue import FaultQueue
from ingest.simulator.faults.wire import after_speaking, before_speaking
from ingest.simulator.labels import Hands, Labels
from ingest.simulator.meters import Meter
from ingest.simulator.plan import Plan, TablePlan
from ingest.simulator.played import Bet, Played, Settled
from ingest.simulator.voice import SECOND_US, Say, Voice

MINUTE_US = 60 * SECOND_US
HOUR_US = 60 * MINUTE_US
OPENING_HOUR = 10
OPEN_FOR_US = 22 * HOUR_US
ROUNDS_A_DEALER = 40
ROUNDS_A_HEARTBEAT = 7  # with rounds of two minutes at most, more often than the ten minutes asked for
LEAST_INVENTORY_CENTS = 1_000_000
USUAL_INVENTORY_CENTS = 4_000_000
MOST_INVENTORY_CENTS = 8_000_000

Record = tuple[int, bytes | Callable[[], bytes]]
"""When a table says something, in microseconds since 1970, and the bytes, or how they are spoken at that moment."""


class Table(ABC):
    """One table. Subclasses know the game."""

    pack: str
    drop_box: str | None = None
    house_pays = True
    """Whether wagers are settled with the house; California's are with the player-dealer."""
    later_rounds_rest_on: tuple[str, ...] = ()
    """Beginnings of the types of events without which later rounds could not be judged."""

    def __init__(self, plan: Plan, table: TablePlan, queue: FaultQueue, labels: Labels) -> None:
        self.plan = plan
        self.table = table
        self.fitted = table.equipment
        self.rng = Random(f"table {plan.seed} {table.table_id}")
        self.inventory_cents = USUAL_INVENTORY_CENTS
        self.box_cents = 0
        self.now_us = 0
        self._queue = queue
        self._labels = labels
        self._voice = Voice(plan.seed, table.table_id)
        self._number = 0  # of the dealer among the table's own
        self.dealer = ""

    # --- what a game says --------------------------------------------------------------------------------------------

    def share_meters(self, meters: dict[str, Meter]) -> None:
        """The progressive meters that tables of the simulation feed together, by name; the first to ask makes one."""
        self.shared_meters = meters

    @abstractmethod
    def devices(self) -> list[Say]:
        """The devices coming up."""

    @abstractmethod
    def opening(self) -> list[Say]:
        """Cards and dice brought to the table."""

    @abstractmethod
    def closing(self) -> list[Say]:
        """Cards and dice taken away at the end of the day."""

    @abstractmethod
    def between_rounds(self) -> list[Say]:
        """Cards or dice that have to be changed before the next round."""

    @abstractmethod
    def play(self, injection: Injection) -> list[Say]:
        """One round, from `round.opened` to `round.closed`."""

    @abstractmethod
    def hands_played(self) -> Hands:
        """The hands of the last round; none if it was not played to its end."""

    # --- what a fault asks -------------------------------------------------------------------------------------------

    seats: Sequence[int]
    most_over: int
    """By how many dollars a wager may be above its limit."""

    @abstractmethod
    def limits(self, wager: str) -> tuple[int, int]:
        """The least and the most of a wager, in cents."""

    @abstractmethod
    def worth(self, played: Any, bet: Bet) -> tuple[str, int]:
        """The outcome of a bet, and what moves if it is fully covered."""

    @abstractmethod
    def any_bet(self, played: Any) -> Bet:
        """A bet that could be beyond its limits."""

    @abstractmethod
    def spots_without_wager(self, played: Any) -> list[tuple[int, str]]:
        """Where somebody could be paid who has not bet: seat and wager."""

    @abstractmethod
    def bet_late(self, injection: Injection, played: Any) -> None:
        """Makes, raises or takes back a wager after the close."""

    def room_cents(self, played: Any) -> int | None:
        """How much more may move without anybody else's settlement changing; None where none may."""
        return 1 << 40

    def likeliest_wrong(self, won: list[Settled]) -> Settled:
        """The win that is most easily got wrong."""
        return self.rng.choice(won)

    def payout_errors(self, right: int, stake: int) -> list[int]:
        """What may be paid instead of the right sum."""
        return [right + stake, right + 500, right - 100, right // 2]

    def against(self, played: Played) -> int:
        """The place everybody plays against."""
        return played.bank.seat if played.bank else 0

    def before_round(self, injection: Injection) -> list[Say]:
        """What has to happen before the round for the fault asked of it."""
        return []

    # --- the day -----------------------------------------------------------------------------------------------------

    def records(self) -> Iterator[Record]:
        """Everything the table says."""
        played = 0
        day = self.plan.gaming_day
        while played < self.plan.rounds_per_table:
            opened = datetime(day.year, day.month, day.day, OPENING_HOUR, tzinfo=UTC)
            opens_us = int(opened.timestamp()) * SECOND_US + self.rng.randrange(60 * SECOND_US)
            self.now_us = max(opens_us, self.now_us + MINUTE_US)  # the day before may have gone on for too long
            closing_us = self.now_us + OPEN_FOR_US
            yield from self._say(self._open(day))
            number = 0
            while played < self.plan.rounds_per_table and self.now_us < closing_us:
                if number:
                    yield from self._say(self._pause(day, number))
                number += 1
                yield from self._round(f"{day:%Y%m%d}-{number:04d}", played)
                played += 1
            yield from self._say(self._close(day.isoformat()))
            day += timedelta(days=1)
        self._labels.unplaced.extend((self.table.table_id, kind) for _, kind in self._queue.pending)

    def _open(self, day: date) -> list[Say]:
        dealer = self._another_dealer(day)
        opened = Say(
            "table.opened",
            {
                "gaming_day": day.isoformat(),
                "pack": self.pack,
                "version": "1.0",
                "options": self.table.filing(),
                "dealer": dealer,
                "inventory_cents": self.inventory_cents,
            },
        )
        return [*self.devices(), opened, *self.opening()]

    def _pause(self, day: date, number: int) -> list[Say]:
        says: list[Say] = []
        if number % ROUNDS_A_DEALER == 0:
            says.append(Say("table.dealer_changed", {"dealer": self._another_dealer(day)}))
        elif number % ROUNDS_A_HEARTBEAT == 0:
            says.append(Say("table.heartbeat", {}))
        return [*says, *self._fill_or_credit(), *self.between_rounds()]

    def _close(self, day: str) -> list[Say]:
        counted: dict[str, int | str] = {"inventory_cents": self.inventory_cents}
        if self.drop_box is not None:
            counted |= {"box": self.drop_box, "box_cents": self.box_cents}
        self.box_cents = 0
        return [
            *self.closing(),
            *self._fill_or_credit(),
            Say("table.counted", counted | {"inventory_cents": self.inventory_cents}),
            Say("table.closed", {"gaming_day": day, "inventory_cents": self.inventory_cents}),
        ]

    def _fill_or_credit(self) -> list[Say]:
        """Chips from the cage when the tray runs low, back to it when it runs over."""
        if self.inventory_cents < LEAST_INVENTORY_CENTS:
            amount = USUAL_INVENTORY_CENTS - self.inventory_cents
            self.inventory_cents += amount
            return [Say("table.filled", {"amount_cents": amount, "slip": f"F-{self._voice.seq:06d}"})]
        if self.inventory_cents > MOST_INVENTORY_CENTS:
            amount = self.inventory_cents - USUAL_INVENTORY_CENTS
            self.inventory_cents -= amount
            return [Say("table.credited", {"amount_cents": amount, "slip": f"C-{self._voice.seq:06d}"})]
        return []

    def _another_dealer(self, day: date) -> str:
        """One of the table's own dealers, so that nobody deals at two tables at once; the next day they are at another
        table."""
        tables = self.plan.tables
        first = 100 * (1 + (tables.index(self.table) + day.toordinal()) % len(tables))
        self._number = self.rng.choice([number for number in range(1, 25) if number != self._number])
        self.dealer = f"D-{first + self._number}"
        return self.dealer

    def _say(self, says: list[Say]) -> Iterator[Record]:
        for say in says:
            yield self.now_us, self._spoken(say, None)
            self.now_us += 2 * SECOND_US + self.rng.randrange(SECOND_US)

    speaks_in_turn = False
    """Whether it matters what other tables say before: then its events are spoken at their moment, and not ahead."""

    def _spoken(self, say: Say, round_id: str | None) -> bytes | Callable[[], bytes]:
        at_us = self.now_us

        def speak() -> bytes:
            raw = self._voice.speak(say, at_us, round_id)
            if round_id is not None:
                self._book(say)
            return raw

        return speak if self.speaks_in_turn else speak()

    def _round(self, round_id: str, number: int) -> list[Record]:
        wanted = self._queue.wanted_in(number)
        injection = Injection(
            wanted,
            KINDS[wanted].code if wanted else "",
            self.table.table_id,
            round_id,
            number=number,
            record_hurt_in=self._queue.record_hurt_in,
            later_rounds_rest_on=self.later_rounds_rest_on,
        )
        before = list(self._say(self.before_round(injection)))
        says = self.play(injection)
        before_speaking(injection, says, self.rng)
        lasts_us = self.rng.randrange(60 * SECOND_US, 120 * SECOND_US)
        step_us = lasts_us // (len(says) + 1)
        records: list[Record] = []
        for say in says:
            records.append((self.now_us, self._spoken(say, round_id)))
            self.now_us += step_us
        if not self.speaks_in_turn:
            bytes_said = [(at_us, raw) for at_us, raw in records if isinstance(raw, bytes)]
            records = [*after_speaking(injection, says, bytes_said, self._voice, self.rng)]
        if self._labels.hands is not None:
            hands = self.hands_played()
            if hands:
                self._labels.hands[self.table.table_id, round_id] = hands
        if injection.label is not None:
            self._queue.injected(injection.label.fault, number)
            self._labels.injected.append(injection.label)
        return before + records

    def _book(self, say: Say) -> None:
        """Keeps the chip tray and the drop box by what was said to have been moved."""
        if say.type in ("collection.taken", "collection.refunded"):
            if say.data["box"] == self.drop_box:
                self.box_cents += say.data["amount_cents"] * (1 if say.type == "collection.taken" else -1)
        elif self.house_pays:
            if say.type == "wager.settled":
                self.inventory_cents += say.data["taken_cents"] - say.data["paid_cents"]
            elif say.type == "vigorish.taken":
                self.inventory_cents += say.data["amount_cents"]
            elif say.type == "envy.paid":
                self.inventory_cents -= say.data["amount_cents"]
            self.inventory_cents += self.not_from_the_tray(say)

    def not_from_the_tray(self, say: Say) -> int:
        """What of a settlement was paid otherwise: a share of a progressive meter."""
        return 0
