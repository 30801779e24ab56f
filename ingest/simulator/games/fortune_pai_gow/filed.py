"""What a table of Fortune Pai Gow Poker in California may file, and the usual tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ingest.simulator.fees import FORTUNE_SCHEDULES
from ingest.simulator.options import Equipment, Options, check_schedule, choice
from ingest.simulator.registry import Usual


@dataclass(frozen=True)
class FortuneOptions(Options):
    """CA Fortune Pai Gow Poker: the choices of the card room."""

    schedule: str = choice(*FORTUNE_SCHEDULES)
    table_minimum_cents: int = 1_000
    table_maximum_cents: int = 100_000
    drop_box: str = "table"

    dealing: ClassVar[str] = "hand"
    starting: ClassVar[str] = "dice"
    decks: ClassVar[int] = 1

    def check(self) -> None:
        schedule = FORTUNE_SCHEDULES[self.schedule]
        check_schedule(self.schedule, schedule, self.table_minimum_cents, self.table_maximum_cents)

    @property
    def pays_envy(self) -> bool:
        return True

    @property
    def counts_the_deck(self) -> bool:
        """Nobody counts the cards left over; only a shuffler that reads them counts the deck."""
        return False


def usual() -> Usual:
    """All five fee schedules, shufflers that read and that do not, both rack modes."""
    return [
        (FortuneOptions(), Equipment()),
        (FortuneOptions("own_3", 1_000, 200_000, "red box"), Equipment(rack="scan")),
        (FortuneOptions("california_games_1", 500, 20_000), Equipment()),
        (FortuneOptions("own_2", 2_000, 50_000), Equipment(shoe_reads=False)),
        (FortuneOptions("own_4", 1_000, 500_000), Equipment(rack="card")),
    ]
