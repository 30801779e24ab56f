"""A packs folder of one's own, for tests that add versions: tiny made-up packs, or the shipped ones copied."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

from replay.citations import Citation
from replay.filing.folders import PACKS_FOLDER

CITE = {"text": "rulings.md", "section": "R-37", "words": "and table limits"}
OTHER = {"text": "rulings.md", "section": "R-38"}
STUB = {"title": "the stub", "what": "stub", "cite": CITE}
HANDS = {"title": "every hand", "cite": CITE}


@dataclass(frozen=True)
class SnapLaw:
    """What a family of such games would ask of its packs."""

    first: object
    least_cents: int


@dataclass(frozen=True)
class CitedWords:
    win: Citation
    by_way: Mapping[str, Citation]


@dataclass(frozen=True)
class Snapped:
    name: str
    cite: Citation


@dataclass(frozen=True)
class CitedLaw:
    """One that quotes its text, as families' laws do."""

    cites: CitedWords
    cards: tuple[Snapped, ...]
    section: str
    least_cents: int


def option(default: Any, cite: dict[str, str] = CITE, **more: Any) -> dict[str, Any]:
    return {"title": "A choice", "default": default, "cite": cite, **more}


PACK: dict[str, Any] = {
    "id": "xx/snap",
    "version": "1.0",
    "title": "Snap",
    "text": "CA",
    "family": "split_hands",
    "effective_from": "2020-01-01",
    "deck": {"decks": 1, "jokers": 0, "cite": CITE},
    "seats": {"count": 6, "numbering": "clockwise", "cite": CITE},
    "wagers": {"main": {"title": "Main", "cite": CITE}, "side": {"title": "Side", "cite": CITE}},
    "options": {"decks": option(1, minimum=1, maximum=2), "speed": option("slow", choices=["slow", "fast"])},
    "pickup": [HANDS, STUB],
}
PAYTABLE: dict[str, Any] = {
    "id": "side-a",
    "title": "Side",
    "cite": CITE,
    "pays": "to 1",
    "rows": [{"hand": "pair", "odds": 3}, {"hand": "straight", "odds": 10, "envy": "$5"}],
}
METHOD: dict[str, Any] = {
    "title": "one at a time",
    "deck": 52,
    "seats": 6,
    "receives": "every_place",
    "starts": "determined",
    "direction": "clockwise",
    "steps": [{"to": "all", "cards": 1, "passes": 7}],
    "cites": [CITE],
}


def write(path: Path, what: Any) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(what if isinstance(what, str) else yaml.safe_dump(what, sort_keys=False), encoding="utf-8")


def first_version(packs: Path, **changes: Any) -> Path:
    """xx/snap 1.0, whole."""
    folder = packs / "xx" / "snap" / "v1"
    write(folder / "pack.yaml", {**PACK, **changes})
    write(folder / "paytables" / "side-a.yaml", PAYTABLE)
    write(folder / "dealing.yaml", {"hand": METHOD, "shoe": {**METHOD, "direction": "counterclockwise"}})
    return folder


def later_version(packs: Path, folder: str = "v2", **said: Any) -> Path:
    """A version of xx/snap that says no more than this."""
    made = packs / "xx" / "snap" / folder
    document = {"id": "xx/snap", "version": "2.0", "based_on": "1.0", "effective_from": "2027-01-01"}
    write(made / "pack.yaml", {name: value for name, value in {**document, **said}.items() if value is not None})
    return made


def shipped_packs(packs: Path) -> Path:
    """The packs that ship, in a folder where one may add to them."""
    shutil.copytree(PACKS_FOLDER, packs, ignore=shutil.ignore_patterns("__pycache__"))
    return packs
