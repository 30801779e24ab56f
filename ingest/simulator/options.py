"""What a simulated table has filed and what is fitted to it: the options of `table.opened`, and the equipment.

Names are those of the rule packs; an option left out has the default of rulings.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from typing import Any, ClassVar, Literal, TypeVar

from ingest.simulator.fees import BACCARAT_SCHEDULES, FORTUNE_SCHEDULES, Schedule

OptionValue = str | int | bool
RackMode = Literal["card", "inserted", "scan", "scan_of_several_rounds"]


@dataclass(frozen=True)
class Equipment:
    """What the devices of a table can see."""

    shoe_reads: bool = True
    """A shoe (or, where cards are dealt from the hand, a shuffler) that reads cards: `cards.dealt` is emitted."""
    camera: bool = True
    """A layout camera that shows players' hands as they lie exposed."""
    rack: RackMode = "inserted"
    """Whether the discard rack reports every card or every packet as it goes in, or is scanned once at the end of the
    round, or (where the rack is not emptied after each round) at the end of every third and before it is emptied."""
    dealt_in_parts: bool = False
    """Whether the deal is told stack by stack (automated shoe) or card by card (baccarat), or in one event."""


@dataclass(frozen=True)
class PaiGowOptions:
    """MA-PGP: the choices a licensee files."""

    dealing: str = "manual_shoe"
    starting: str = "dice"
    wheel: str = "second_highest"
    vigorish_rounding: str = "up_to_quarter"
    fortune_paytable: str = "A"
    royal_match: str = "king_queen"
    surrendered_bonus: str = "settled"
    table_minimum_cents: int = 1_500
    table_maximum_cents: int = 100_000
    fortune_minimum_cents: int = 500
    fortune_maximum_cents: int = 20_000
    decks: int = 1
    maximum_payout_cents: int = 0

    def __post_init__(self) -> None:
        _one_of("dealing", self.dealing, ("manual_shoe", "hand", "automated_shoe"))
        _one_of("starting", self.starting, ("dice", "rng", "button"))
        _one_of("wheel", self.wheel, ("second_highest", "lowest"))
        _one_of("vigorish_rounding", self.vigorish_rounding, ("up_to_quarter", "exact"))
        _one_of("fortune_paytable", self.fortune_paytable, ("none", "A", "B", "C", "D"))
        _one_of("royal_match", self.royal_match, ("king_queen", "ace_king_natural"))
        _one_of("surrendered_bonus", self.surrendered_bonus, ("settled", "forfeited"))
        _one_of("decks", self.decks, (1, 2))
        if self.starting == "button" and self.dealing != "automated_shoe":
            raise ValueError(f"starting: button needs dealing: automated_shoe (MA-PGP §8c(d)), not {self.dealing}")
        if not 100 <= self.table_minimum_cents < self.table_maximum_cents:
            raise ValueError(
                f"table limits {self.table_minimum_cents} to {self.table_maximum_cents} cents leave no wager"
            )
        if not 100 <= self.fortune_minimum_cents <= self.fortune_maximum_cents:
            raise ValueError(f"fortune_minimum_cents is {self.fortune_minimum_cents}: no less than $1 (MA-PGP §15(b))")
        if self.maximum_payout_cents and self.maximum_payout_cents < 5_000_000:
            raise ValueError(f"maximum_payout_cents is {self.maximum_payout_cents}: at least $50,000 (MA-PGP §16(j))")


@dataclass(frozen=True)
class SupremeOptions:
    """MA-SPG: the choices a licensee files."""

    dealing: str = "manual_shoe"
    starting: str = "dice"
    vigorish_rounding: str = "up_to_quarter"
    banking: str = "none"
    stub_counted_by_shuffler: bool = False
    table_minimum_cents: int = 1_000
    table_maximum_cents: int = 100_000
    bonus_minimum_cents: int = 100
    bonus_maximum_cents: int = 20_000
    decks: int = 1

    def __post_init__(self) -> None:
        _one_of("dealing", self.dealing, ("manual_shoe", "hand", "automated_shoe"))
        _one_of("starting", self.starting, ("dice", "rng", "button"))
        _one_of("vigorish_rounding", self.vigorish_rounding, ("up_to_quarter", "exact"))
        _one_of("banking", self.banking, ("none", "bank", "bank_and_co_bank"))
        _one_of("decks", self.decks, (1, 2))
        if self.starting == "button" and self.dealing != "automated_shoe":
            raise ValueError(f"starting: button needs dealing: automated_shoe (MA-SPG §11(d)), not {self.dealing}")
        if self.stub_counted_by_shuffler and self.decks == 1 and self.dealing == "manual_shoe":
            raise ValueError("stub_counted_by_shuffler needs a shuffler: two decks, or another dealing (MA-SPG §8(e))")
        if not 100 <= self.table_minimum_cents < self.table_maximum_cents:
            raise ValueError(
                f"table limits {self.table_minimum_cents} to {self.table_maximum_cents} cents leave no wager"
            )
        if not 100 <= self.bonus_minimum_cents <= self.bonus_maximum_cents:
            raise ValueError(f"bonus_minimum_cents is {self.bonus_minimum_cents}: no less than $1 (MA-SPG §7(d))")


@dataclass(frozen=True)
class FortuneOptions:
    """CA Fortune Pai Gow Poker: the choices of the card room."""

    schedule: str = "own_1"
    table_minimum_cents: int = 1_000
    table_maximum_cents: int = 100_000
    drop_box: str = "table"

    dealing: ClassVar[str] = "hand"
    starting: ClassVar[str] = "dice"
    decks: ClassVar[int] = 1

    def __post_init__(self) -> None:
        _one_of("schedule", self.schedule, tuple(FORTUNE_SCHEDULES))
        _within_schedule(self.schedule, FORTUNE_SCHEDULES, self.table_minimum_cents, self.table_maximum_cents)


@dataclass(frozen=True)
class BaccaratOptions:
    """CA Supreme Baccarat: the choices of the card room."""

    seats: int = 8
    decks: int = 8
    schedule: str = "own_1"
    table_minimum_cents: int = 1_000
    table_maximum_cents: int = 20_000
    drop_box: str = "table"

    def __post_init__(self) -> None:
        _one_of("schedule", self.schedule, tuple(BACCARAT_SCHEDULES))
        if not 4 <= self.seats <= 14:
            raise ValueError(f"seats is {self.seats}: a Supreme Baccarat layout has 4 to 14")
        if not 1 <= self.decks <= 8:
            raise ValueError(f"decks is {self.decks}: a shoe holds one to eight")
        _within_schedule(self.schedule, BACCARAT_SCHEDULES, self.table_minimum_cents, self.table_maximum_cents)


def _within_schedule(name: str, schedules: Mapping[str, Schedule], minimum_cents: int, maximum_cents: int) -> None:
    schedule = schedules[name]
    lowest, highest = schedule.line_dollars
    if not lowest * 100 <= minimum_cents < maximum_cents <= highest * 100:
        raise ValueError(
            f"{name} is printed for ${lowest} to ${highest}; "
            f"limits of {minimum_cents} to {maximum_cents} cents are outside it"
        )
    _within("table_minimum_cents", minimum_cents, schedule.minimum_dollars)
    _within("table_maximum_cents", maximum_cents, schedule.maximum_dollars)


def _one_of(name: str, value: object, choices: tuple[object, ...]) -> None:
    if value not in choices:
        raise ValueError(f"{name} is {value!r}: choose one of {', '.join(map(str, choices))}")


def _within(name: str, cents: int, dollars: tuple[int, int]) -> None:
    lowest, highest = dollars
    if highest and not lowest * 100 <= cents <= highest * 100:
        raise ValueError(f"{name} is {cents}: this schedule is printed for ${lowest} to ${highest}")


GameOptions = PaiGowOptions | SupremeOptions | FortuneOptions | BaccaratOptions
Filed = TypeVar("Filed", bound=GameOptions)
OPTIONS: dict[str, type[GameOptions]] = {
    "pai_gow_poker": PaiGowOptions,
    "supreme_baccarat": BaccaratOptions,
    "supreme_pai_gow": SupremeOptions,
    "fortune_pai_gow": FortuneOptions,
}


def filed(kind: type[Filed], options: Mapping[str, OptionValue]) -> Filed:
    """The filed options, defaults filled in; a ValueError names an option that does not exist."""
    known = {field.name for field in fields(kind)}
    unknown = sorted(set(options) - known)
    if unknown:
        raise ValueError(f"{unknown[0]} is not an option of this game: {', '.join(sorted(known))}")
    chosen: dict[str, Any] = dict(options)
    return kind(**chosen)


def spelled_out(options: GameOptions) -> dict[str, OptionValue]:
    """Every option with its value, as `table.opened` states it."""
    return asdict(options)
