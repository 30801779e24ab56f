"""Packs and filings: the rules as data, and the choices a licensee filed under them.

A pack folder `replay/packs/<jurisdiction>/<game>/` holds `pack.yaml`, `paytables/*.yaml`, `fees/*.yaml`,
`pickups/*.yaml` (pickup procedures filed beside the standard one), `rules.py` and `cases/*.yaml`. A *filing* is a pack
in one version with the licensee's options filled in by the defaults; replay never uses another than the one the table
opened under. A number without a citation does not load.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from replay.cards.pickup.procedure import Procedure, ProcedureError, procedure_from, read_procedure, shipped_procedure
from replay.citations import TEXTS, Citation
from schemas.cards import Deck
from schemas.money import Dollars, dollars
from schemas.places import Numbering, Ring
from schemas.problems import first_problem

PACKS_FOLDER = Path(__file__).parent.parent / "packs"
OptionValue = str | int | bool
PICKUP_OPTION = "pickup"
STANDARD_PICKUP = "standard"
ModelT = TypeVar("ModelT", bound=BaseModel)
LawT = TypeVar("LawT")


class PackError(ValueError):
    """A pack, version or option that does not exist or does not hold together; the message says which and what does."""


class _Data(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class DeckData(_Data):
    decks: int = 1
    jokers: int = 0
    cite: Citation


class SeatsData(_Data):
    count: int
    numbering: Numbering
    cite: Citation


class WagerData(_Data):
    title: str
    requires: str | None = None
    bonus: bool = False
    cite: Citation


class OptionData(_Data):
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


class PackData(_Data):
    id: str
    version: str
    title: str
    text: str
    family: str  # how its cards become hands: a folder of replay/families
    effective_from: date
    effective_to: date | None = None
    deck: DeckData
    seats: SeatsData
    wagers: dict[str, WagerData]
    options: dict[str, OptionData]
    pickup: list[Any] | str  # the steps of its standard procedure, or the name of one in replay/cards/pickup/procedures


class PaytableRow(_Data):
    hand: str  # the class of hand, as ranking names it
    odds: Annotated[list[int], Field(min_length=2, max_length=2)] | int | Literal["push"]  # 8000, [1, 2] for 1 to 2
    envy: Dollars | None = None
    suspect: str | None = None  # why the print is doubted, where it is
    cite: Citation | None = None

    def pays(self) -> tuple[int, int]:
        """(numerator, denominator) of the odds; a push pays nothing."""
        if self.odds == "push":
            return (0, 1)
        if isinstance(self.odds, int):
            return (self.odds, 1)
        return (self.odds[0], self.odds[1])


class Paytable(_Data):
    """`to 1`: odds × wager and the wager stays; `for 1`: odds × wager and the wager is taken (rulings.md R-22)."""

    id: str
    title: str
    cite: Citation
    pays: Literal["to 1", "for 1"]
    printed_as: Literal["sentences", "table"] = "sentences"
    rows: list[PaytableRow]

    def cite_of(self, row: PaytableRow) -> Citation:
        """What a row rests on; where the text prints a table, with the row in words."""
        cited = row.cite or self.cite
        if self.printed_as == "sentences":
            return cited
        numerator, denominator = row.pays()
        odds = "a push" if row.odds == "push" else f"{numerator:,} {self.pays.split()[0]} {denominator:,}"
        envy = f", and an envy bonus of {dollars(row.envy)}" if row.envy else ""
        return cited.with_row(f"{row.hand.replace('_', ' ')} pays {odds}{envy}")


class FeeBand(_Data):
    """From this amount on (until the next band's floor) the fee is this much (rulings.md R-32)."""

    floor: Dollars
    fee: Dollars


class FeePart(_Data):
    """What one payer owes, by the amount it is reckoned on."""

    payer: Literal["player", "player_dealer", "pot"]
    basis: Literal["total_table_action", "own_wagers", "betting_spot", "base_wager", "players_dealt_in"]
    bands: list[FeeBand]
    cite: Citation

    @model_validator(mode="after")
    def _floors_rise(self) -> FeePart:
        floors = [band.floor for band in self.bands]
        if floors != sorted(set(floors)):
            raise ValueError(f"band floors must rise, each once: {floors}")
        return self


class FeeSchedule(_Data):
    id: str
    title: str
    cite: Citation
    moment: Literal["before_deal", "after_first_card", "after_final_hand", "after_play_wagers"]
    moment_cite: Citation
    limits: dict[str, Annotated[list[Dollars], Field(min_length=2, max_length=2)]]  # wager → [minimum, maximum]
    limits_cite: Citation
    parts: list[FeePart]


@dataclass(frozen=True)
class Pack:
    data: PackData
    paytables: Mapping[str, Paytable]
    fees: Mapping[str, FeeSchedule]
    pickups: Mapping[str, Procedure]  # the standard one, and those a licensee filed in the folder pickups
    folder: Path

    @property
    def id(self) -> str:
        return self.data.id

    @property
    def deck(self) -> Deck:
        return Deck(self.data.deck.decks, self.data.deck.jokers)

    @property
    def rules_module(self) -> str:
        """The pack's rules as functions and citations."""
        return f"replay.packs.{self.id.replace('/', '.')}.v1.rules"

    def law(self, kind: type[LawT]) -> LawT:
        """The law its rules.py gives its family, which says what kind that must be."""
        law: object = getattr(import_module(self.rules_module), "LAW", None)
        if not isinstance(law, kind):
            raise PackError(f"pack {self.id}: LAW in {self.rules_module} is {type(law).__name__}, no {kind.__name__}")
        return law


@dataclass(frozen=True)
class Filing:
    """A pack as one licensee filed it."""

    pack: Pack
    options: Mapping[str, OptionValue]

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


def canonical_filing(pack: str, version: str, options: Mapping[str, OptionValue]) -> str:
    """The one way a filing is written down: what the table said, sorted, so that equal filings are equal text."""
    return json.dumps(
        {"options": dict(options), "pack": pack, "version": version}, sort_keys=True, separators=(",", ":")
    )


def pack_ids() -> list[str]:
    return sorted(f"{path.parts[-4]}/{path.parts[-3]}" for path in PACKS_FOLDER.glob("*/*/v1/pack.yaml"))


def load_folder(folder: Path) -> Pack:
    """A pack from its folder; a PackError names the file and the field that does not hold."""
    data = _read(folder / "pack.yaml", PackData)
    if data.text not in TEXTS:
        raise PackError(f"{folder / 'pack.yaml'}: text {data.text!r} is not a rule text ({', '.join(TEXTS)})")
    tables = {path.stem: _read(path, Paytable) for path in sorted((folder / "paytables").glob("*.yaml"))}
    fees = {path.stem: _read(path, FeeSchedule) for path in sorted((folder / "fees").glob("*.yaml"))}
    ids = {stem: table.id for stem, table in tables.items()} | {stem: schedule.id for stem, schedule in fees.items()}
    for stem, named in ids.items():
        if named != stem:
            raise PackError(f"{folder}: file {stem}.yaml calls itself {named!r}; the file name is the id")
    return Pack(data, tables, fees, _pickups(folder, data), folder)


def _pickups(folder: Path, data: PackData) -> dict[str, Procedure]:
    """The pack's standard pickup procedure, and every other one in its folder."""
    filed = sorted((folder / "pickups").glob("*.yaml"))
    try:
        if isinstance(data.pickup, str):
            standard = shipped_procedure(data.pickup)
        else:
            raw = {"id": STANDARD_PICKUP, "title": data.title, "steps": data.pickup}
            standard = procedure_from(raw, f"{folder / 'pack.yaml'}, pickup")
        return {STANDARD_PICKUP: standard, **{path.stem: read_procedure(path) for path in filed}}
    except ProcedureError as problem:
        raise PackError(str(problem)) from None


def _read(path: Path, model: type[ModelT]) -> ModelT:
    try:
        raw = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise PackError(f"{path} is missing") from None
    except yaml.YAMLError as problem:
        raise PackError(f"{path} is not YAML: {problem}") from None
    try:
        return model.model_validate(raw)
    except ValidationError as problem:
        raise PackError(f"{path}: {first_problem(problem)}") from None


@cache
def load_pack(pack_id: str) -> Pack:
    """A shipped pack by its id, such as `ma/pai_gow_poker`."""
    if pack_id not in pack_ids():
        raise PackError(f"there is no pack {pack_id!r}; there are: {', '.join(pack_ids()) or 'none'}")
    return load_folder(PACKS_FOLDER / pack_id / "v1")


def file_under(pack: Pack, version: str, options: Mapping[str, OptionValue]) -> Filing:
    """The options a licensee stated, checked and completed by the pack's defaults."""
    if version != pack.data.version:
        raise PackError(f"pack {pack.id} has version {pack.data.version}, not {version}")
    known = pack.data.options
    for name, value in options.items():
        if name not in known:
            raise PackError(f"pack {pack.id} has no option {name!r}; it has: {', '.join(known)}")
        problem = known[name].problem(value)
        if problem:
            raise PackError(f"pack {pack.id}, option {name}: {problem}")
    if options.get(PICKUP_OPTION, STANDARD_PICKUP) not in pack.pickups:
        raise PackError(
            f"pack {pack.id}, option {PICKUP_OPTION}: {options[PICKUP_OPTION]!r} is none of "
            f"{', '.join(pack.pickups)}; a further one is a file pickups/NAME.yaml of the pack (docs/pickup.md)"
        )
    return Filing(pack, {name: options.get(name, option.default) for name, option in known.items()})


@cache
def filing_of(canonical: str) -> Filing:
    """The filing written as `canonical_filing` writes it."""
    said: dict[str, Any] = json.loads(canonical)
    return file_under(load_pack(said["pack"]), said["version"], said["options"])


def game_module(pack: Pack) -> Any:
    """How such games are audited: `game.py` of the pack's family, with the functions replay/game.py describes."""
    return import_module(f"replay.families.{pack.data.family}.game")


def filing_problem(filing: Filing) -> str | None:
    """Why these options cannot stand together under the pack, in words; None when they can."""
    problem: str | None = game_module(filing.pack).check_filing(filing)
    return problem


def cut_rack(filing: Filing, cards: bytes, dealt: Sequence[bytes]) -> list[int] | None:
    """How many of these cards, scanned after several rounds, each of them put into the rack; None: nobody can tell."""
    sizes: list[int] | None = game_module(filing.pack).cut_rack(filing, cards, dealt)
    return sizes
