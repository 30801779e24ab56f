"""What a table of Pure 21.5 Blackjack in California may file, and the usual tables."""

from __future__ import annotations

from dataclasses import dataclass

from ingest.simulator.fees import BLACKJACK_SCHEDULES, Schedule
from ingest.simulator.options import Equipment, Options, check_schedule, choice
from ingest.simulator.registry import Usual

OWN = "own"


@dataclass(frozen=True)
class BlackjackOptions(Options):
    """CA Pure 21.5 Blackjack: the choices of the card room."""

    seats: int = 8
    decks: int = 6
    schedule: str = choice(*BLACKJACK_SCHEDULES, OWN)
    own_player_dealer_cents: int = 0
    own_rate_1_cents: int = 0
    own_rate_1_from_cents: int = 0
    own_rate_2_cents: int = 0
    own_rate_2_from_cents: int = 0
    table_minimum_cents: int = 500
    table_maximum_cents: int = 50_000
    drop_box: str = "table"

    def check(self) -> None:
        if not 2 <= self.seats <= 8:
            raise ValueError(f"seats is {self.seats}: a blackjack table has 2 to 8")
        if not 1 <= self.decks <= 8:
            raise ValueError(f"decks is {self.decks}: a shoe holds one to eight")
        check_schedule(self.schedule, self.rates, self.table_minimum_cents, self.table_maximum_cents)

    @property
    def rates(self) -> Schedule:
        """The schedule in use; under `own` the rates of the casino, a circle at a time, before the deal."""
        if self.schedule != OWN:
            return BLACKJACK_SCHEDULES[self.schedule]
        filed = (
            (self.own_rate_1_from_cents, self.own_rate_1_cents),
            (self.own_rate_2_from_cents, self.own_rate_2_cents),
        )
        return Schedule(
            ((0, self.own_player_dealer_cents // 100),),
            tuple((floor // 100, fee // 100) for floor, fee in filed if fee),
            minimum_dollars=(5, 25),
            maximum_dollars=(500, 1000),
        )

    @property
    def fee_time_shows_without_a_reader(self) -> bool:
        """A fee that is due after the first card, and is taken before the bets are closed."""
        return not self.rates.before_the_deal


def usual() -> Usual:
    """All schedules, one deck to eight, every rack mode, with and without a reading shoe and a camera."""
    own = {"schedule": OWN, "own_player_dealer_cents": 200, "own_rate_1_cents": 100, "own_rate_1_from_cents": 500}
    rows: list[tuple[dict[str, object], Equipment]] = [
        ({"schedule": "california_games_1"}, Equipment(rack="inserted", dealt_in_parts=True)),
        ({"schedule": "california_games_2", "table_minimum_cents": 2_500}, Equipment(camera=False, rack="scan")),
        (
            {**own, "own_rate_2_cents": 200, "own_rate_2_from_cents": 10_100, "decks": 8, "seats": 7},
            Equipment(rack="card", dealt_in_parts=True),
        ),
        (
            {"schedule": "california_games_1", "decks": 8, "table_maximum_cents": 100_000, "drop_box": "red box"},
            Equipment(shoe_reads=False, camera=False),
        ),
        ({"schedule": "california_games_2", "decks": 2, "seats": 5}, Equipment(rack="scan", dealt_in_parts=True)),
        ({**own, "decks": 4, "seats": 6}, Equipment(shoe_reads=False, rack="scan")),
    ]
    return [(BlackjackOptions(**options), fitted) for options, fitted in rows]  # type: ignore[arg-type]
