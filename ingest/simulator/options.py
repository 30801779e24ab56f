"""What a simulated table has filed and what is fitted to it: the options of `table.opened`, and the equipment.

Each game has a class of its own, whose names are those of its rule pack; an option left out has the default of
rulings.md, which is the first of its choices.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, fields
from typing import Any, Literal, TypeVar

from ingest.simulator.fees import Schedule

BONUS_DEALINGS = ("bonus_shoe", "bonus_hand")
"""Three cards to whoever bet and to the dealer, and then four more (MA-PGP §17)."""
OptionValue = str | int | bool
RackMode = Literal["card", "inserted", "scan", "scan_of_several_rounds"]
Value = TypeVar("Value", str, int, bool)


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
    """Whether the deal is reported stack by stack (automated shoe) or card by card (baccarat), or in one event."""


def choice(first: Value, *others: Value) -> Value:
    """An option with these values to choose from; `first` is what counts where nothing is filed."""
    return field(default=first, metadata={"choices": (first, *others)})


@dataclass(frozen=True)
class Options:
    """What a table of a game has filed. A subclass names the options, and `check` what must hold between them."""

    def __post_init__(self) -> None:
        for option in fields(self):
            choices = option.metadata.get("choices")
            value = getattr(self, option.name)
            if choices is not None and value not in choices:
                raise ValueError(f"{option.name} is {value!r}: choose one of {', '.join(map(str, choices))}")
        self.check()

    def check(self) -> None:
        """Raises a ValueError where two options do not go together, or one is out of its range."""

    def at_table(self, table_id: str) -> Options:
        """The same for one of the usual tables, where something has to be its own."""
        return self

    # --- what decides which faults a table can show ------------------------------------------------------------------

    @property
    def pays_envy(self) -> bool:
        return False

    @property
    def racks_show_settings(self) -> bool:
        """Whether no hand is ever rearranged, so that the rack shows how each was set."""
        return False

    @property
    def counts_the_deck(self) -> bool:
        """Whether the next deal shows that a card missing from one rack was not gone, also where no device reads it."""
        return True

    @property
    def fee_time_shows_without_a_reader(self) -> bool:
        """Whether a fee taken on the wrong side of the first card is seen though no device reads the cards."""
        return False


def check_limits(least_cents: int, most_cents: int) -> None:
    if not 100 <= least_cents < most_cents:
        raise ValueError(f"table limits {least_cents} to {most_cents} cents leave no wager")


def check_side_limits(name: str, least_cents: int, most_cents: int, by: str) -> None:
    if not 100 <= least_cents <= most_cents:
        raise ValueError(f"{name}_minimum_cents is {least_cents}: no less than $1 ({by})")


def check_button(starting: str, dealing: str, by: str) -> None:
    if starting == "button" and dealing != "automated_shoe":
        raise ValueError(f"starting: button needs dealing: automated_shoe ({by}), not {dealing}")


def check_schedule(name: str, schedule: Schedule, minimum_cents: int, maximum_cents: int) -> None:
    """The table's limits have to be within what is printed with its collection schedule."""
    lowest, highest = schedule.line_dollars
    if not lowest * 100 <= minimum_cents < maximum_cents <= highest * 100:
        raise ValueError(
            f"{name} is printed for ${lowest} to ${highest}; "
            f"limits of {minimum_cents} to {maximum_cents} cents are outside it"
        )
    _within("table_minimum_cents", minimum_cents, schedule.minimum_dollars)
    _within("table_maximum_cents", maximum_cents, schedule.maximum_dollars)


def _within(name: str, cents: int, dollars: tuple[int, int]) -> None:
    lowest, highest = dollars
    if highest and not lowest * 100 <= cents <= highest * 100:
        raise ValueError(f"{name} is {cents}: this schedule is printed for ${lowest} to ${highest}")


Filed = TypeVar("Filed", bound=Options)


def filed(kind: type[Filed], options: Mapping[str, OptionValue]) -> Filed:
    """The filed options, defaults filled in; a ValueError names an option that does not exist."""
    known = {option.name for option in fields(kind)}
    unknown = sorted(set(options) - known)
    if unknown:
        raise ValueError(f"{unknown[0]} is not an option of this game: {', '.join(sorted(known))}")
    chosen: dict[str, Any] = dict(options)
    return kind(**chosen)


def spelled_out(options: Options) -> dict[str, OptionValue]:
    """Every option with its value, as `table.opened` states it."""
    return asdict(options)
