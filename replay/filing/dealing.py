"""dealing.yaml: the dealing methods of a pack by the names its option `dealing` has for them."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Any, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from replay.cards.dealing.method import (
    ANY_NUMBER,
    Direction,
    FirstStack,
    Instead,
    Method,
    Receives,
    Stacks,
    StartRule,
    Step,
    To,
)
from replay.citations import Citation
from schemas.cards import CARD_CODES, Card

EnumT = TypeVar("EnumT", bound=Enum)


def _named(kind: type[EnumT]) -> BeforeValidator:
    """The members of these are written by name, in small letters: `every_place`."""
    names = {member.name.lower(): member for member in kind}

    def read(value: object) -> object:
        if isinstance(value, kind):
            return value
        if value not in names:
            raise ValueError(f"it is none of {', '.join(names)}")
        return names[str(value)]

    return BeforeValidator(read)


class _Data(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class StepData(_Data):
    to: Annotated[To, _named(To)]
    cards: Annotated[int, Field(ge=1)]
    passes: Annotated[int, Field(ge=1)] = 1


class StacksData(_Data):
    first: Annotated[FirstStack, _named(FirstStack)]
    zigzag: bool = True
    banked_from_named: bool = True


class MethodData(_Data):
    """One dealing method, as `replay.cards.dealing.method.Method` has it."""

    title: str
    deck: int
    seats: int
    receives: Annotated[Receives, _named(Receives)]
    starts: Annotated[StartRule, _named(StartRule)]
    direction: Annotated[Direction, _named(Direction)]
    steps: Annotated[list[StepData], Field(min_length=1)]
    stacks: StacksData | None = None
    boxed: Annotated[Instead, _named(Instead)] = Instead.NOT_PRINTED
    exposed: Annotated[Instead, _named(Instead)] = Instead.NOT_PRINTED
    most_boxed: int = ANY_NUMBER
    void_if_boxed: list[Card] = []
    cites: Annotated[list[Citation], Field(min_length=1)]

    def method(self, pack_id: str, name: str) -> Method:
        stacks = None if self.stacks is None else Stacks(**dict(self.stacks))
        return Method(
            f"{pack_id}:{name}",
            self.title,
            self.deck,
            self.seats,
            self.receives,
            self.starts,
            self.direction,
            tuple(Step(step.to, step.cards, step.passes) for step in self.steps),
            tuple(self.cites),
            stacks,
            self.boxed,
            self.exposed,
            self.most_boxed,
            bytes(CARD_CODES[card] for card in self.void_if_boxed),
        )


class DealingData(_Data):
    """The whole file."""

    methods: dict[str, MethodData] = {}


def methods_in(raw: dict[str, Any], pack_id: str) -> dict[str, Method]:
    """The methods of a file; a pydantic ValidationError says what is wrong with it."""
    read = DealingData.model_validate({"methods": raw})
    return {name: data.method(pack_id, name) for name, data in read.methods.items()}
