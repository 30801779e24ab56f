"""Collection schedules as the files of `fees/` hold them, and what makes one of them none: a percentage, a sixth rate,
bands out of order.

A schedule is the fees of one table limit. Its parts say who pays, what the fee is counted on (the *basis*) and the
bands; an amount falls in the last band whose floor it reaches (rulings.md R-32), and below the lowest there is no fee
(R-43).
"""

from __future__ import annotations

from collections.abc import Mapping
from itertools import pairwise
from typing import Annotated, Any, Literal

from pydantic import Field, field_validator, model_validator

from replay.citations import Citation, cite
from replay.filing.data import Data, PackData
from schemas.money import Dollars, dollars
from schemas.plurals import counted

SCHEDULE_OPTION = "schedule"
TABLE_MINIMUM, TABLE_MAXIMUM = "table_minimum", "table_maximum"
SPLIT_MAXIMUM, DOUBLE_MAXIMUM, HAND_MAXIMUM = "split_maximum", "double_maximum", "hand_maximum"
LIMITS_OF_NO_WAGER = (TABLE_MINIMUM, TABLE_MAXIMUM, SPLIT_MAXIMUM, DOUBLE_MAXIMUM, HAND_MAXIMUM)
"""What `limits` may name beside wagers: the ranges in which a table's limits are filed, and the most that may be on a
hand with its split, with its double, and in all squares of one hand."""

_PROCEDURES = "California Games Collection Rates, Collection Procedures"
NEVER_A_PERCENTAGE = cite(
    "CA", _PROCEDURES, "Rates may not be calculated as a fraction or percentage of wagers made or winnings earned."
)
FIVE_RATES = cite("CA", _PROCEDURES, "no more than five collection rates may be established per table limit.")
MOST_RATES = 5
_RELATIVE = ("percent", "percentage", "fraction", "share", "portion", "of")


class MostRates(Data):
    """How many different rates a schedule may have, where its text says otherwise than five."""

    count: Annotated[int, Field(ge=1)]
    cite: Citation


class FeeBand(Data):
    """From this amount on, or this many players (until the next band begins), the fee is this much."""

    floor: Dollars | None = None
    players: Annotated[int, Field(ge=0)] | None = None
    to: Dollars | None = None
    """The end of the band as printed; what lies between it and the next floor stays in this band (R-32)."""

    fee: Dollars

    @model_validator(mode="before")
    @classmethod
    def _is_a_sum(cls, said: Any) -> Any:
        if isinstance(said, Mapping):
            for name in said:
                if name in _RELATIVE:
                    raise ValueError(_no_percentage(f"{name}: {said[name]}"))
            fee = said.get("fee")
            if isinstance(fee, float) or (isinstance(fee, str) and ("%" in fee or "/" in fee)):
                raise ValueError(_no_percentage(f"fee: {fee}"))
        return said

    @model_validator(mode="after")
    def _begins_somewhere(self) -> FeeBand:
        if (self.floor is None) == (self.players is None):
            raise ValueError("a band begins at a floor (an amount) or at a number of players: say one of them")
        return self

    @property
    def begins(self) -> int:
        """Its floor in cents, or its fewest players."""
        begins = self.players if self.floor is None else self.floor
        assert begins is not None
        return begins

    @property
    def from_words(self) -> str:
        """`from $105.00`, `from 6 players`."""
        return f"from {dollars(self.begins)}" if self.players is None else f"from {counted(self.players, 'player')}"


def _no_percentage(said: str) -> str:
    return (
        f"{said} is no sum of money; a fee is a flat amount ({NEVER_A_PERCENTAGE}: “{NEVER_A_PERCENTAGE.words}”): "
        "write bands with a floor and a fee in dollars"
    )


class FeePart(Data):
    """What one payer owes, by the amount it is counted on."""

    payer: Literal["player", "player_dealer", "pot"]
    basis: Literal[
        "total_table_action", "own_wagers", "betting_spot", "betting_square", "base_wager", "players_dealt_in"
    ]
    wagers: Annotated[list[str], Field(min_length=1)] | None = None
    """Which wagers it is counted on; unless given, all those of the game (of a `base_wager` part, the game's own)."""

    bands: Annotated[list[FeeBand], Field(min_length=1)]
    cite: Citation

    @model_validator(mode="after")
    def _bands_follow_each_other(self) -> FeePart:
        by_heads = self.basis == "players_dealt_in"
        for band in self.bands:
            if (band.players is not None) != by_heads:
                unit = "players" if by_heads else "floor"
                raise ValueError(f"a fee on the {self.basis.replace('_', ' ')} has bands by {unit}")
        for one, other in pairwise(self.bands):
            if other.begins <= one.begins:
                raise ValueError(f"bands out of order: {other.from_words} comes after {one.from_words}")
            if one.to is not None and other.floor is not None and one.to >= other.floor:
                raise ValueError(f"bands overlap: one runs to {dollars(one.to)}, the next begins {other.from_words}")
        for band in self.bands:
            if band.to is not None and band.floor is not None and band.to < band.floor:
                raise ValueError(f"a band {band.from_words} ends at {dollars(band.to)}, before it begins")
        return self


class FeeSchedule(Data):
    id: str
    title: str
    cite: Citation
    moment: Literal["before_deal", "after_first_card", "after_final_hand", "after_play_wagers"]
    moment_cite: Citation
    limits: dict[str, Annotated[list[Dollars], Field(min_length=2, max_length=2)]]  # wager → [minimum, maximum]
    limits_cite: Citation
    most_rates: MostRates | None = None
    parts: Annotated[list[FeePart], Field(min_length=1)]

    @field_validator("limits")
    @classmethod
    def _limits_are_ranges(cls, limits: dict[str, list[int]]) -> dict[str, list[int]]:
        for name, (least, most) in limits.items():
            if least > most:
                raise ValueError(f"the lowest {name}, {dollars(least)}, is above the highest, {dollars(most)}")
        return limits

    @model_validator(mode="after")
    def _not_too_many_rates(self) -> FeeSchedule:
        allowed, by = (MOST_RATES, FIVE_RATES) if self.most_rates is None else self._own_limit(self.most_rates)
        if len(self.rates) > allowed:
            raise ValueError(
                f"{len(self.rates)} different rates ({', '.join(map(dollars, self.rates))}), where {by} allows "
                f"{allowed}: “{by.words}”; file a schedule with fewer"
            )
        return self

    @staticmethod
    def _own_limit(most: MostRates) -> tuple[int, Citation]:
        return most.count, most.cite

    @property
    def rates(self) -> list[int]:
        """Every fee there is in it, in cents; no fee is no rate."""
        return sorted({band.fee for part in self.parts for band in part.bands if band.fee})

    def rates_of(self, payer: str) -> set[int]:
        return {band.fee for part in self.parts if part.payer == payer for band in part.bands if band.fee}


def problem_with_schedules(data: PackData, schedules: Mapping[str, FeeSchedule]) -> str | None:
    """Which schedule names a wager or a limit the pack does not have, or cannot be filed; None where all can."""
    for name, schedule in schedules.items():
        known = (*data.wagers, *LIMITS_OF_NO_WAGER)
        named = [wager for part in schedule.parts for wager in part.wagers or ()]
        for wager in schedule.limits:
            if wager not in known:
                return f"fees/{name}.yaml, limits: there is no wager {wager}; there are: {', '.join(known)}"
        for wager in named:
            if wager not in data.wagers:
                return f"fees/{name}.yaml, wagers: there is no wager {wager}; there are: {', '.join(data.wagers)}"
    option = data.options.get(SCHEDULE_OPTION)
    if option is None or option.choices is None:
        return None
    lost = [name for name in schedules if name not in option.choices]
    if lost:
        return f"fees/{lost[0]}.yaml is none of the choices of option {SCHEDULE_OPTION}: add it, or remove the file"
    absent = [choice for choice in option.choices if choice not in schedules and choice != "none"]
    if absent:
        return f"option {SCHEDULE_OPTION}: there is no file fees/{absent[0]}.yaml for the choice {absent[0]}"
    return None
