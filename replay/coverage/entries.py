"""The lists of docs/coverage: one entry for each section of a text, saying what covers it and what shows it.

    §16(f):
      says: more than one card face up
      by: [DEAL-304]                     finding codes, options, modules and members of replay/ beside what cites it
      shown: [two boxed cards are a void]          cases, tests or faults where it applies
      otherwise: [one boxed card is set aside]     ... and where it does not
    §1 Suit: {says: four suits, none: definition}  nothing need cover it, and why
    §9(d): {says: count the stub, as: §8(d)}       the same as another section
    §6(g): {says: no play, missing: nothing reports that cards were spread}

A row of a pay table needs nothing but its place here: the pay table that holds it and the cases that pay it are found.
An entry that says nothing of how it is covered has not been read against the code yet, and is counted as such.
"""

from __future__ import annotations

from enum import StrEnum
from functools import cached_property
from pathlib import Path

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from replay.filing import load_pack, pack_ids
from schemas.problems import first_problem

FOLDER = Path("docs/coverage")


class CoverageError(ValueError):
    """A list that does not hold; the message names the file, the section and the way out."""


class Reason(StrEnum):
    """Why nothing need cover a section."""

    HEADING = "heading"
    DEFINITION = "definition"
    EQUIPMENT = "equipment"
    UNSEEN = "unseen"
    CHOICE = "choice"
    REFERENCE = "reference"
    EXAMPLE = "example"
    INTERNAL = "internal"
    UNCHANGED = "unchanged"


IN_WORDS = {
    Reason.HEADING: "a heading; its parts follow",
    Reason.DEFINITION: "says what a word means",
    Reason.EQUIPMENT: "how a thing is made or laid out",
    Reason.UNSEEN: "no device reports it",
    Reason.CHOICE: "leaves a choice, and asks for nothing",
    Reason.REFERENCE: "refers to another rule",
    Reason.EXAMPLE: "an example",
    Reason.INTERNAL: "for the licensee's or the regulator's own procedures",
    Reason.UNCHANGED: "not printed in the text (“No change”)",
}


class Status(StrEnum):
    COVERED = "covered"
    NOT_NEEDED = "not needed"
    MISSING = "missing"
    UNREAD = "not read yet"


class Entry(BaseModel):
    """What is known of one section."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    says: str = Field(min_length=1)
    by: list[str] = Field(default_factory=list)
    shown: list[str] = Field(default_factory=list)
    otherwise: list[str] = Field(default_factory=list)
    same_as: str | None = Field(default=None, alias="as")
    none: Reason | None = None
    why: str | None = None
    missing: str | None = None

    @model_validator(mode="after")
    def _one_answer(self) -> Entry:
        answers = [bool(self.by or self.shown or self.otherwise), bool(self.same_as), self.none is not None]
        if sum(answers) > 1:
            raise ValueError("says more than one of: what covers it, that it is as another section, that nothing need")
        if self.why is not None and self.none is None:
            raise ValueError("says why, and not of what kind of reason (none: …)")
        return self

    @property
    def status(self) -> Status:
        """Of a section; that of a row of a pay table is found with the tables."""
        if self.missing is not None:
            return Status.MISSING
        if self.none is not None:
            return Status.NOT_NEEDED
        if self.by or self.shown or self.otherwise or self.same_as:
            return Status.COVERED
        return Status.UNREAD


class Listed(BaseModel):
    """The list of one text."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: str
    title: str
    sections: dict[str, Entry]

    @cached_property
    def packs(self) -> list[str]:
        """The rule packs of this text."""
        return [pack_id for pack_id in pack_ids() if load_pack(pack_id).data.text == self.text]

    def answer(self, section: str) -> Entry:
        """The entry that says how a section is covered: its own, or the one it is as."""
        entry = self.sections[section]
        return self.sections[entry.same_as] if entry.same_as else entry


def read_list(path: Path) -> Listed:
    try:
        listed = Listed.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))
    except yaml.YAMLError as problem:
        raise CoverageError(f"{path} is not YAML: {problem}") from None
    except ValidationError as problem:
        raise CoverageError(f"{path}: {first_problem(problem)}") from None
    for name, entry in listed.sections.items():
        other = entry.same_as
        if other is None:
            continue
        if other not in listed.sections:
            raise CoverageError(f"{path}: {name} is as {other}, which the list does not have")
        if listed.sections[other].same_as:
            raise CoverageError(f"{path}: {name} is as {other}, which is as yet another; name that one")
    return listed


def every_list(root: Path) -> list[Listed]:
    """In the order of the texts' files."""
    return [read_list(path) for path in sorted((root / FOLDER).glob("*.yaml"))]
