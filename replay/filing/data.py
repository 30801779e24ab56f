"""What the YAML files of a pack hold, as models that load nothing without its citation."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import Annotated, Any

from pydantic import BaseModel, ConfigDict, Field, StringConstraints, model_validator

from replay.citations import Citation
from schemas.money import dollars
from schemas.places import Numbering

OptionValue = str | int | bool


class Data(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class DeckData(Data):
    decks: int = 1
    jokers: int = 0
    cite: Citation


class SeatsData(Data):
    count: int
    numbering: Numbering
    cite: Citation


class WagerData(Data):
    title: str
    requires: str | None = None
    bonus: bool = False
    cite: Citation


class OptionData(Data):
    """One thing the licensee may choose: one of `choices`, a name of its own (a text default without choices), a whole
    number from `minimum` to `maximum`, or yes or no."""

    title: str
    choices: list[str] | None = None
    minimum: int | None = None
    maximum: int | None = None
    zero: str | None = None
    """What a 0 means where it is not a number like the others: `no limit`."""

    default: OptionValue
    cite: Citation

    def in_words(self, name: str, value: OptionValue) -> str:
        """A value as people read it: money in dollars, a 0 by what it means."""
        if value == 0 and not isinstance(value, bool) and self.zero is not None:
            return self.zero
        if name.endswith("_cents") and isinstance(value, int):
            return dollars(value)
        return str(value).replace("_", " ")

    @model_validator(mode="after")
    def _default_is_allowed(self) -> OptionData:
        problem = self.problem(self.default)
        if problem:
            raise ValueError(f"default {problem}")
        return self

    def problem(self, value: OptionValue) -> str | None:
        """Why not this value, in words; None if it is allowed."""
        if self.choices is not None:
            if value not in self.choices:
                return f"{value!r} is none of {', '.join(self.choices)}"
        elif isinstance(self.default, str):
            if not isinstance(value, str) or not value.strip():
                return f"{value!r} is not a name"
        elif isinstance(self.default, bool):
            if not isinstance(value, bool):
                return f"{value!r} is not yes or no"
        elif isinstance(value, bool) or not isinstance(value, int):
            return f"{value!r} is not a whole number"
        elif (self.minimum is not None and value < self.minimum) or (self.maximum is not None and value > self.maximum):
            return f"{value} is not between {self.minimum} and {self.maximum}"
        return None


class OtherThan(Data):
    """Any value but these."""

    other_than: list[OptionValue]


def _values_in_words(values: list[OptionValue] | OtherThan) -> str:
    listed = values.other_than if isinstance(values, OtherThan) else values
    said = " or ".join(map(str, listed))
    return f"anything but {said}" if isinstance(values, OtherThan) else said


class ConflictData(Data):
    """Choices that cannot all stand together, by which rule, and the way out."""

    all_of: Annotated[dict[str, list[OptionValue] | OtherThan], Field(min_length=1)]  # option → one of these values
    way_out: str  # "file fortune_paytable: none"
    cite: Citation

    @property
    def in_words(self) -> str:
        """`rng_wager: offered, and starting: anything but rng`."""
        return ", and ".join(f"{name}: {_values_in_words(values)}" for name, values in self.all_of.items())

    def holds(self, options: Mapping[str, OptionValue]) -> bool:
        return all(
            options[name] not in values.other_than if isinstance(values, OtherThan) else options[name] in values
            for name, values in self.all_of.items()
        )

    def problem_with(self, options: Mapping[str, OptionValue]) -> str | None:
        """In words where a filing has all of these choices."""
        if not self.holds(options):
            return None
        said = " and ".join(f"{name}: {options[name]}" for name in self.all_of)
        return f"options {said} cannot stand together ({self.cite}: “{self.cite.words}”); {self.way_out}"


class PackData(Data):
    id: str
    version: Annotated[str, StringConstraints(pattern=r"^\d+\.\d+$")]  # as `table.opened` names it
    title: str
    text: str
    family: str  # how its cards become hands: a folder of replay/families
    effective_from: date
    effective_to: date | None = None
    deck: DeckData
    seats: SeatsData
    wagers: dict[str, WagerData]
    options: dict[str, OptionData]
    conflicts: list[ConflictData] = []
    pickup: list[Any]
    """The steps of its standard procedure, here or in pickup.yaml."""

    @model_validator(mode="after")
    def _conflicts_are_about_its_options(self) -> PackData:
        for conflict in self.conflicts:
            for name, values in conflict.all_of.items():
                if name not in self.options:
                    raise ValueError(f"conflicts: there is no option {name}; there are: {', '.join(self.options)}")
                for value in values.other_than if isinstance(values, OtherThan) else values:
                    if (problem := self.options[name].problem(value)) is not None:
                        raise ValueError(f"conflicts, option {name}: {problem}")
        return self
