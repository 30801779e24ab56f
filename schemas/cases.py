"""Cases: a round somebody could have sat at, in YAML a lawyer can read.

What was bet, what was held, and what it should come to. `muckraker settle` answers with the settlement,
`muckraker case run` compares it with `expect`. docs/cases.md describes the format for outsiders.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from schemas.cards import WrittenCard
from schemas.events import Name, Outcome
from schemas.money import Dollars
from schemas.places import Seat
from schemas.problems import first_problem


def _words(value: object) -> object:
    return value.split() if isinstance(value, str) else value


Hand = Annotated[list[WrittenCard], BeforeValidator(_words)]


class CaseError(ValueError):
    """A case that cannot be read; the message names the file and the field."""


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class CaseBettor(_Part):
    """A backline bettor's wagers on somebody's hand."""

    wagers: dict[Name, Dollars]
    acted: str | None = None  # what the bettor chose apart from the seated player


class CaseSeat(_Part):
    """A betting position: its wagers and, where it has cards of its own, its hand."""

    wagers: dict[Name, Dollars] = Field(default_factory=dict)
    choices: dict[Name, str] = Field(default_factory=dict)
    low: Hand | None = None
    high: Hand | None = None
    cards: Hand | None = None
    first: Hand | None = None  # of its cards those dealt first, where a wager is on them
    acted: str | None = None
    backline: dict[str, CaseBettor] = Field(default_factory=dict)


class CaseDealer(_Part):
    low: Hand | None = None
    high: Hand | None = None
    cards: Hand | None = None


class CaseBank(_Part):
    """Who banks: a player-dealer with a posted wager, a bank or a co-bank."""

    seat: Seat
    kind: str = "player_dealer"
    posted: Dollars | None = None
    dealer_wager: Dollars | None = None


class CaseMeter(_Part):
    """What a progressive meter takes in and pays in the round, all together."""

    gets: Dollars | None = None
    pays: Dollars | None = None


class CaseExpected(_Part):
    """What one wager should come to."""

    outcome: Outcome | None = None
    paid: Dollars | None = None
    taken: Dollars | None = None
    vigorish: Dollars | None = None


class CaseSeatExpected(BaseModel):
    """What a seat should see: its wagers by name, an envy bonus in all, a collection fee."""

    model_config = ConfigDict(extra="allow", frozen=True)
    __pydantic_extra__: dict[str, CaseExpected]

    envy: Dollars | None = None
    fee: Dollars | None = None
    backline: dict[str, CaseSeatExpected] = Field(default_factory=dict)

    @property
    def wagers(self) -> dict[str, CaseExpected]:
        return self.__pydantic_extra__ or {}


class Case(_Part):
    name: str
    pack: str
    version: str = "1.0"
    options: dict[Name, str | int | bool] = Field(default_factory=dict)
    notes: str | None = None
    seats: dict[Seat, CaseSeat] = Field(default_factory=dict)
    dealer: CaseDealer | None = None
    bank: CaseBank | None = None
    button: Seat | None = None  # of a poker game: where the dealer button lies
    play: list[str] = Field(default_factory=list)  # and what was done, in order: `3 raise $12`, the chips put in by it
    dice: Annotated[int, Field(ge=3, le=18)] | None = None  # their total, where it says who is settled first
    hands: dict[Name, Hand] = Field(default_factory=dict)  # community hands: player, banker, board
    meters: dict[Name, Dollars] = Field(default_factory=dict)  # what each progressive meter stands at before the round
    expect: dict[Seat, CaseSeatExpected] = Field(default_factory=dict)
    expect_fee: Dollars | None = None  # out of the pot
    expect_meters: dict[Name, CaseMeter] = Field(default_factory=dict)
    findings: list[str] = Field(default_factory=list)  # codes the round itself must raise


def read_cases(path: Path) -> list[Case]:
    """Every case of a YAML file (documents separated by `---`); a CaseError names the file and the field."""
    try:
        documents: list[Any] = [doc for doc in yaml.safe_load_all(path.read_text(encoding="utf-8")) if doc is not None]
    except OSError as problem:
        raise CaseError(f"{path} cannot be read: {problem.strerror}") from None
    except UnicodeDecodeError:
        raise CaseError(f"{path} is not UTF-8 text") from None
    except yaml.YAMLError as problem:
        raise CaseError(f"{path} is not YAML: {problem}") from None
    if not documents:
        raise CaseError(f"{path} holds no case")
    cases = []
    for number, document in enumerate(documents, 1):
        try:
            cases.append(Case.model_validate(document))
        except ValidationError as problem:
            raise CaseError(f"{path}, case {number}: {first_problem(problem)}") from None
    return cases
