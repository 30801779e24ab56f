"""What a table of Three Card Poker 6 Card Bonus may file, and the usual tables."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from ingest.simulator.fees import THREE_CARD_SCHEDULES
from ingest.simulator.options import Equipment, Options, check_schedule, choice
from ingest.simulator.registry import Usual


@dataclass(frozen=True)
class ThreeCardOptions(Options):
    """CA Three Card Poker 6 Card Bonus: the choices of the card room."""

    decks: int = choice(1, 2, 3, 4, 5, 6)
    schedule: str = choice(*THREE_CARD_SCHEDULES)
    table_minimum_cents: int = 500
    table_maximum_cents: int = 10_000
    drop_box: str = "table"

    dealing: ClassVar[str] = "stacks"
    starting: ClassVar[str] = "left_of_bank"

    def check(self) -> None:
        schedule = THREE_CARD_SCHEDULES[self.schedule]
        check_schedule(self.schedule, schedule, self.table_minimum_cents, self.table_maximum_cents)

    @property
    def takes_fees_after_play(self) -> bool:
        return not THREE_CARD_SCHEDULES[self.schedule].before_the_deal

    @property
    def fee_time_shows_without_a_reader(self) -> bool:
        """One that is due after the Play wagers, and is taken before the bets are closed."""
        return self.takes_fees_after_play


def usual() -> Usual:
    """Both schedules, one to six decks, shufflers that read and that do not, every rack mode."""
    return [
        (ThreeCardOptions(), Equipment()),
        (ThreeCardOptions(1, "california_games_1", 500, 50_000), Equipment(rack="scan", dealt_in_parts=True)),
        (ThreeCardOptions(2, "own_1", 500, 10_000, "red box"), Equipment(rack="card")),
        (ThreeCardOptions(1, "california_games_1", 2_500, 100_000), Equipment(shoe_reads=False)),
        (ThreeCardOptions(6, "own_1", 1_000, 5_000), Equipment(rack="scan")),
        (ThreeCardOptions(1), Equipment(shoe_reads=False, camera=False)),
    ]
