"""What a poker table in California may file, and the usual tables."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from ingest.simulator.board.betting import Stakes
from ingest.simulator.options import Equipment, Options, choice
from ingest.simulator.registry import Usual


@dataclass(frozen=True)
class PokerOptions(Options):
    """The choices of the card room."""

    seats: int = 9
    betting: str = choice("no_limit", "limit")
    small_blind_cents: int = 300
    big_blind_cents: int = 500
    upper_bet_cents: int = 0
    straddle: str = choice("allowed", "not_allowed")
    chip_unit_cents: int = 1
    schedule: str = "own"
    drop_box: str = "table"

    def check(self) -> None:
        if not 2 <= self.seats <= 10:
            raise ValueError(f"seats is {self.seats}: a poker table has 2 to 10")
        if not 0 < self.small_blind_cents < self.big_blind_cents:
            raise ValueError(
                f"blinds of {self.small_blind_cents} and {self.big_blind_cents} cents: the second is higher"
            )
        if self.schedule not in ("own", "none"):
            raise ValueError(f"schedule is {self.schedule!r}: choose own or none")

    @property
    def stakes(self) -> Stakes:
        upper = self.upper_bet_cents or 2 * self.big_blind_cents
        return Stakes(
            self.small_blind_cents, self.big_blind_cents, upper, self.betting == "limit", self.chip_unit_cents
        )

    @property
    def counts_the_deck(self) -> bool:
        return True


_CHOICES: Sequence[dict[str, Any]] = (
    {"seats": 9, "chip_unit_cents": 100},
    {"seats": 6, "betting": "limit", "small_blind_cents": 300, "big_blind_cents": 600, "chip_unit_cents": 100},
    {"seats": 10, "small_blind_cents": 1000, "big_blind_cents": 2500, "chip_unit_cents": 500},
    {"seats": 9, "betting": "limit", "small_blind_cents": 1000, "big_blind_cents": 2000, "straddle": "not_allowed"},
    {"seats": 5, "drop_box": "red box", "chip_unit_cents": 100},
    {"seats": 7, "betting": "limit", "small_blind_cents": 500, "big_blind_cents": 1500, "upper_bet_cents": 3000},
)


def usual(schedule: str = "own") -> Usual:
    """No limit and fixed bets, five to ten seats, with and without a reader and a camera."""
    tables = []
    for number, chosen in enumerate(_CHOICES):
        equipment = Equipment(
            shoe_reads=number != 1,
            camera=number != 2,
            rack="scan" if number % 3 == 1 else "inserted",
            dealt_in_parts=number % 2 == 1,
        )
        tables.append((PokerOptions(**{**chosen, "schedule": schedule}), equipment))
    return tables


def without_fee() -> Usual:
    return usual("none")
