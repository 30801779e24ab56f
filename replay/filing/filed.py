"""A pack in one version, and a filing: that version with the licensee's options, completed by the defaults.

A round is judged by the version its table opened under, for ever; which others have come since makes no difference.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TypeVar

from replay.cards.dealing.method import Method
from replay.cards.pickup.procedure import Procedure
from replay.citations import Citation
from replay.filing.data import OptionValue, PackData
from replay.filing.fees import FeeSchedule
from replay.filing.law import law_in, rule_functions
from replay.filing.paytables import Paytable
from replay.filing.recited import rules_recited
from schemas.cards import Deck
from schemas.places import Ring

PICKUP_OPTION = "pickup"
STANDARD_PICKUP = "standard"

LawT = TypeVar("LawT")


@dataclass(frozen=True)
class Pack:
    """One version of a pack, complete with what it takes over from the version it is based on."""

    data: PackData
    dealing: Mapping[str, Method]
    paytables: Mapping[str, Paytable]
    fees: Mapping[str, FeeSchedule]
    pickups: Mapping[str, Procedure]  # the standard one, and those a licensee filed in the folder pickups
    cases: Mapping[str, Path]
    rules: tuple[Path, ...]  # rules.py, its own and those of the versions it is based on, the nearest first
    cites: tuple[Path, ...]  # where it cites anew the rules it takes over, the nearest first
    folder: Path
    based_on: tuple[str, ...] = ()  # what it takes over from, the nearest first: `ma/pai_gow_poker 1.0`

    @property
    def id(self) -> str:
        return self.data.id

    @property
    def version(self) -> str:
        return self.data.version

    @property
    def deck(self) -> Deck:
        return Deck(self.data.deck.decks, self.data.deck.jokers)

    def in_force(self, day: date) -> bool:
        return self.data.effective_from <= day and (self.data.effective_to is None or day <= self.data.effective_to)

    @property
    def when_in_force(self) -> str:
        """`from 2011-11-22`, `from 2007-05-22 to 2026-01-31`, for people."""
        until = f" to {self.data.effective_to}" if self.data.effective_to else ""
        return f"from {self.data.effective_from}{until}"

    def law(self, kind: type[LawT]) -> LawT:
        """The law its rules.py gives its family, which says what kind that must be."""
        return law_in(f"{self.id} {self.version}", self.rules[0] if self.rules else None, kind, self.cites)

    @property
    def rule_functions(self) -> dict[str, Citation]:
        """Its rules that are functions, by name; of one name the nearest version's counts."""
        rules = {name: cited for path in reversed(self.rules) for name, cited in rule_functions(path).items()}
        for path in reversed(self.cites):
            rules = rules_recited(rules, path)
        return rules


@dataclass(frozen=True, eq=False)
class Filing:
    """A pack as one licensee filed it. A filing is itself and no other, so that what follows from it can be kept."""

    pack: Pack
    options: Mapping[str, OptionValue]

    def law(self, kind: type[LawT]) -> LawT:
        return self.pack.law(kind)

    def text(self, option: str) -> str:
        value = self.options[option]
        if not isinstance(value, str):
            raise TypeError(f"{self.pack.id}: option {option} is not a word but {value!r}")
        return value

    def number(self, option: str) -> int:
        value = self.options[option]
        if not isinstance(value, int):
            raise TypeError(f"{self.pack.id}: option {option} is not a number but {value!r}")
        return value

    @property
    def pickup(self) -> Procedure:
        """The pickup procedure filed."""
        return self.pack.pickups[self.text(PICKUP_OPTION)]

    @property
    def ring(self) -> Ring:
        seats = self.options.get("seats", self.pack.data.seats.count)
        assert isinstance(seats, int)
        return Ring(seats, self.pack.data.seats.numbering)


def with_options(canonical: str, changed: Mapping[str, OptionValue]) -> str:
    """The same filing with other values of these options."""
    said = json.loads(canonical)
    return canonical_filing(said["pack"], said["version"], {**said["options"], **changed})


def canonical_filing(pack: str, version: str, options: Mapping[str, OptionValue]) -> str:
    """The one way a filing is written down: what the table said, sorted, so that equal filings are equal text."""
    return json.dumps(
        {"options": dict(options), "pack": pack, "version": version}, sort_keys=True, separators=(",", ":")
    )
