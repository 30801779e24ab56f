"""A table with one or two decks, dice or a button: its devices, and the cards and dice that come and go."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Protocol

from ingest.simulator.faults.injection import Injection
from ingest.simulator.faults.queue import FaultQueue
from ingest.simulator.labels import Labels
from ingest.simulator.plan import Plan, TablePlan
from ingest.simulator.table import HOUR_US, MINUTE_US, Table
from ingest.simulator.voice import CAMERA, CONTROLLER, LAYOUT, RACK, SECOND_US, SHAKER, SHOE, SHUFFLER, Say

DEALER = 0


class Limited(Protocol):
    """What every table has filed."""

    @property
    def table_minimum_cents(self) -> int: ...
    @property
    def table_maximum_cents(self) -> int: ...


class Filed(Limited, Protocol):
    """What every game of this kind has filed."""

    @property
    def dealing(self) -> str: ...
    @property
    def starting(self) -> str: ...
    @property
    def decks(self) -> int: ...


class CardTable(Table):
    """A table whose cards lie in the rack for one round, and are shuffled for the next."""

    jokers: int
    controller_says: tuple[str, ...] = ("bets.closed", "wager.settled", "vigorish.taken")
    copies = 1
    """How often each card is among those dealt from."""
    cards_last_minutes = 420
    inspections = False
    """Whether the dealer's panel says who inspected cards and dice."""

    def __init__(self, plan: Plan, table: TablePlan, queue: FaultQueue, labels: Labels, filed: Filed) -> None:
        super().__init__(plan, table, queue, labels)
        self.filed = filed
        if self.fitted.rack == "scan_of_several_rounds":
            raise ValueError(f"{table.table_id}: the rack holds one round's cards (MA-PGP §2(b)(5)), not several")
        self.by_hand = filed.dealing == "hand"
        self.device_shuffles = (
            filed.decks == 2
            or filed.dealing == "automated_shoe"
            or (self.by_hand and self.fitted.shoe_reads)  # only a shuffler can read what a hand deals
        )
        self.reader = SHUFFLER if self.by_hand else SHOE
        self._cards_last_us = (
            min(180, self.cards_last_minutes)
            if self.by_hand or filed.dealing == "bonus_hand"  # partly from the hand
            else self.cards_last_minutes
        ) * MINUTE_US
        self.decks = ["red", "blue"][: filed.decks]
        self._rounds = 0
        self.start_button = DEALER
        self._cards_since_us = self.dice_since_us = 0
        self.new_decks = 0
        """How many decks have not been played with yet."""
        self.deck_incorrect = False

    def devices(self) -> list[Say]:
        sees = {
            CONTROLLER: ["table.*", "round.*", *self.controller_says],
            LAYOUT: ["wager.placed", "wager.changed", "wager.withdrawn"],
            RACK: ["discard.read"],
        }
        if self.inspections:
            sees[CONTROLLER].append("equipment.inspected")
        if self.fitted.shoe_reads:
            sees[self.reader] = ["cards.dealt"]
        if self.device_shuffles:
            sees[SHUFFLER] = [*sees.get(SHUFFLER, []), "shuffle.completed"]
        if self.fitted.camera:
            sees[CAMERA] = ["hand.shown"]
        if self.filed.starting in ("dice", "rng"):
            sees[SHAKER] = ["start.determined"]
        return [
            Say("device.online", {"device": device.replace("-", "_"), "model": "simulated", "sees": types}, device)
            for device, types in sees.items()
        ]

    def opening(self) -> list[Say]:
        self.start_button = DEALER  # MA-PGP §8c(d), MA-SPG §11(d): "At the commencement of play"
        says = self.bring_cards()
        if self.filed.starting == "dice":
            self.dice_since_us = self.now_us
            says += self._inspected("dice", "set-1", "F-1", "F-2", "pit_stand")
            says.append(Say("dice.introduced", {"dice": "set-1"}))
        return says

    def _inspected(self, kind: str, item: str, by: str, witness: str, where: str) -> list[Say]:
        """Cards by the dealer and verified by the floorperson, dice by one floorperson before another."""
        said = {"kind": kind, "item": item, "by": by, "witness": witness, "where": where}
        return [Say("equipment.inspected", said)] if self.inspections else []

    def closing(self) -> list[Say]:
        says = self.take_cards("scheduled")
        if self.filed.starting == "dice":
            says.append(Say("dice.removed", {"dice": "set-1", "reason": "end of the day"}))
        return says

    def take_cards(self, reason: str) -> list[Say]:
        return [Say("cards.removed", {"deck": deck, "reason": reason}) for deck in self.decks]

    def bring_cards(self) -> list[Say]:
        self._cards_since_us = self.now_us
        self.new_decks = len(self.decks)
        says = [Say("cards.introduced", {"deck": deck, "jokers": self.jokers, "back": deck}) for deck in self.decks]
        for deck in self.decks:
            says += self._inspected("cards", deck, self.dealer, "F-1", "table")
        return says

    def between_rounds(self) -> list[Say]:
        if self.deck_incorrect:
            self.deck_incorrect = False
            return self.take_cards("incorrect_count") + self.bring_cards()
        if self.now_us - self._cards_since_us < self._cards_last_us:
            return []
        return self.take_cards("scheduled") + self.bring_cards()

    def before_round(self, injection: Injection) -> list[Say]:
        """What is wrong with the cards or the dice themselves, where that is the fault."""
        wrong = {
            "same_backs": self._bring_same_backs,
            "cards_overdue": self._keep_cards,
            "dice_overdue": self._keep_dice,
            "deck_twice_running": self._take_the_deck_again,
        }.get(injection.kind or "")
        return wrong(injection) if wrong is not None and injection.wanted else []

    def _keep_cards(self, injection: Injection) -> list[Say]:
        """Eight hours at most, four where they are dealt from the hand (19:46-1.18(g), R-37)."""
        hours = 4 if self.by_hand or self.filed.dealing == "bonus_hand" else 8
        if self._waits_until(self._cards_since_us + (60 * hours + self.rng.randrange(2, 9)) * MINUTE_US, injection):
            injection.done(f"the cards have been on the table for more than {hours} hours")
        return []

    def _keep_dice(self, injection: Injection) -> list[Say]:
        """A day at most (MA-PGP and MA-SPG §4(a)(1)(iii)), and the cards have been changed."""
        if not self._waits_until(self.dice_since_us + (24 * 60 + self.rng.randrange(2, 9)) * MINUTE_US, injection):
            return []
        injection.done("the dice have been on the table for more than 24 hours")
        return self.take_cards("scheduled") + self.bring_cards()

    def _waits_until(self, until_us: int, injection: Injection) -> bool:
        """Nobody plays until then; not where the table's file, which comes the next evening, would come before its
        last rounds."""
        day = self.plan.gaming_day
        midnight_us = int(datetime(day.year, day.month, day.day, tzinfo=UTC).timestamp()) * SECOND_US
        left_us = (self.plan.rounds_per_table - injection.number) * 2 * MINUTE_US
        if until_us <= self.now_us or until_us + left_us > midnight_us + 44 * HOUR_US:
            return False
        self.now_us = until_us
        return True

    def _take_the_deck_again(self, injection: Injection) -> list[Say]:
        if self._rounds and not self.new_decks:
            self._rounds -= 1
            injection.done("the deck of the round before is dealt again, and not the other one")
        return []

    def _bring_same_backs(self, injection: Injection) -> list[Say]:
        """Two new decks, before a round with the second of them."""
        if self._rounds % 2 == 0:
            return []
        injection.done("two decks with red backs")
        brought = self.bring_cards()
        for say in brought:
            if say.type == "cards.introduced":
                say.data["back"] = "red"
        return self.take_cards("scheduled") + brought

    @property
    def deck_in_play(self) -> str:
        """The deck of this round; with two, they take turns."""
        return self.decks[(self._rounds - 1) % len(self.decks)]

    @property
    def deck_size(self) -> int:
        return 52 + self.jokers
