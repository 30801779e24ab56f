"""A table with a shoe of several decks: its devices, new shoes, the cut card, and a rack that fills meanwhile."""

from __future__ import annotations

from ingest.simulator.faults.catalogue import QUIET_ROUNDS
from ingest.simulator.faults.injection import Injection
from ingest.simulator.faults.queue import FaultQueue
from ingest.simulator.labels import Labels
from ingest.simulator.plan import Plan, TablePlan
from ingest.simulator.table import Table
from ingest.simulator.voice import CONTROLLER, LAYOUT, RACK, SHOE, Say, one_by_one
from schemas.cards import CARD_NAMES

ROUNDS_A_SCAN = 3  # of a rack that is not scanned after every round


class ShoeTable(Table):
    """A table that deals from one shoe for many rounds."""

    most_cards: int
    """That a round may need: the shoe ends before there are fewer."""
    later_rounds_rest_on: tuple[str, ...] = ("wager.placed", "wager.changed", "wager.withdrawn", "discard.")
    controller_says: tuple[str, ...] = ("bets.closed", "wager.settled")
    layout_says: tuple[str, ...] = ("wager.placed", "wager.changed", "wager.withdrawn")

    def __init__(self, plan: Plan, table: TablePlan, queue: FaultQueue, labels: Labels, deck_count: int) -> None:
        super().__init__(plan, table, queue, labels)
        self.deck_count = deck_count
        self._shoes = 0
        self._shoe: list[int] = []
        self._cut_card = 0
        self._rack: list[str] = []
        self._unread = 0
        self._rounds = self._shoe_since = 0
        self._shoe_incorrect = False

    def devices(self) -> list[Say]:
        sees = {
            CONTROLLER: ["table.*", "round.*", *self.controller_says],
            LAYOUT: list(self.layout_says),
            RACK: ["discard.read"],
        }
        if self.fitted.shoe_reads:
            sees[SHOE] = ["cards.dealt"]
        return [
            Say("device.online", {"device": device.replace("-", "_"), "model": "simulated", "sees": types}, device)
            for device, types in sees.items()
        ]

    def opening(self) -> list[Say]:
        return self._new_shoe()

    def closing(self) -> list[Say]:
        return [Say("cards.removed", {"deck": self.deck, "reason": "scheduled"})]

    def between_rounds(self) -> list[Say]:
        if not self.shoe_ends and not self._shoe_incorrect:
            return []
        reason = "incorrect_count" if self._shoe_incorrect else "shoe_ended"
        return [Say("cards.removed", {"deck": self.deck, "reason": reason}), *self._new_shoe()]

    # --- the shoe ----------------------------------------------------------------------------------------------------

    @property
    def deck(self) -> str:
        return f"shoe-{self._shoes}"

    @property
    def shoe_ends(self) -> bool:
        return len(self._shoe) < max(self._cut_card, self.most_cards)

    @property
    def cards_left(self) -> int:
        return len(self._shoe)

    def _new_shoe(self) -> list[Say]:
        self._shoes += 1
        self._shoe_since, self._shoe_incorrect = self._rounds, False
        self._shoe = list(range(52)) * self.deck_count
        self.rng.shuffle(self._shoe)
        self._cut_card = self.rng.randrange(14, 21)
        self._rack, self._unread = [], 0
        return [
            Say("cards.introduced", {"deck": self.deck, "decks": self.deck_count}),
            Say("shuffle.completed", {"deck": self.deck, "method": "device", "counted": len(self._shoe)}),
        ]

    def draw(self) -> int:
        return self._shoe.pop()

    def put_back(self, card: int) -> None:
        """A card that was never drawn, when a fault has the hands drawn another way."""
        self._shoe.append(card)

    def count_short(self, injection: Injection) -> int | None:
        """The shoe is counted and found a card short, and will be taken away. None where not everything since it was
        new is recorded, so that nobody could tell."""
        if injection.record_hurt_in >= self._shoe_since - QUIET_ROUNDS and injection.record_hurt_in >= 0:
            return None
        self._shoe_incorrect = True
        return len(self._shoe) - 1

    # --- the rack ----------------------------------------------------------------------------------------------------

    def collect(self, cards: list[int]) -> list[Say]:
        """A round's cards go into the rack; what it reports of them."""
        cards_named = [CARD_NAMES[card] for card in cards]
        self._rack += cards_named
        self._unread += 1
        inserted = Say("discard.read", {"mode": "inserted", "cards": cards_named}, RACK)
        match self.fitted.rack:
            case "card":
                return one_by_one(inserted)
            case "inserted":
                return [inserted]
            case "scan_of_several_rounds" if (
                self._unread < ROUNDS_A_SCAN and not self.shoe_ends and not self._shoe_incorrect
            ):
                return []
        self._unread = 0
        return [Say("discard.read", {"mode": "scan", "cards": list(self._rack)}, RACK)]
