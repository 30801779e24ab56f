"""A version of a pack, with what it takes over from the version it is based on.

A version folder that says `based_on: "1.0"` (of the same pack) or `based_on: {pack: ma/pai_gow_poker, version: "1.0"}`
holds only what differs. A field of pack.yaml, an option, a wager, a dealing method, a file of paytables/, fees/,
pickups/ or cases/ that it has counts instead of the one of that name it is based on, whole; what is no more must be
taken away by name: `without: [options.wheel, paytables.fortune-d]`. Which version it is and when it is in force each
folder says itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

from replay.filing.cites import CITES_FILE
from replay.filing.folders import PACK_FILE, pack_of, read_mapping, read_yaml, version_folders
from replay.filing.problems import PackError

FILED_AS_FILES = ("paytables", "fees", "pickups", "cases")
_NAMED_IN_PACK_FILE = ("options", "wagers")
_ITS_OWN = ("id", "version", "effective_from", "effective_to")
_BASED_ON, _WITHOUT, _DEALING, _PICKUP, _RULES = "based_on", "without", "dealing", "pickup", "rules.py"


@dataclass(frozen=True)
class Written:
    """A version as it is written, not yet looked into: what it says itself and what it takes over."""

    fields: Mapping[str, Any]  # of pack.yaml
    dealing: Mapping[str, Any]  # name → dealing method, of dealing.yaml
    files: Mapping[str, Mapping[str, Path]]  # of FILED_AS_FILES → name → file
    rules: tuple[Path, ...]  # rules.py, its own and those it takes over, the nearest first
    cites: tuple[Path, ...]  # cites.yaml of versions without a rules.py of their own, the nearest first
    folders: tuple[Path, ...]  # its own, the one it is based on, the one that is based on ...


@cache
def written(folder: Path) -> Written:
    """A version folder with everything it is based on."""
    return _written(folder, ())


def _written(folder: Path, asked: tuple[Path, ...]) -> Written:
    if folder in asked:
        circle = " on ".join(title_of(one) for one in (*asked[asked.index(folder) :], folder))
        raise PackError(f"versions of packs cannot be based on each other: {circle}")
    own = dict(read_mapping(folder / PACK_FILE))
    based_on, without = own.pop(_BASED_ON, None), own.pop(_WITHOUT, [])
    if (folder / "pickup.yaml").exists():
        if _PICKUP in own:
            raise PackError(f"{folder}: the steps of the pickup procedure are in pack.yaml and in pickup.yaml; say one")
        own[_PICKUP] = read_yaml(folder / "pickup.yaml")
    dealing = read_mapping(folder / "dealing.yaml") if (folder / "dealing.yaml").exists() else {}
    files = {kind: {path.stem: path for path in sorted((folder / kind).glob("*.yaml"))} for kind in FILED_AS_FILES}
    rules = (folder / _RULES,) if (folder / _RULES).exists() else ()
    if based_on is None:
        if without:
            raise PackError(f"{folder / PACK_FILE}: without is for a version that is based_on another")
        return Written(own, dealing, files, rules, (), (folder,))
    base = _less(_written(_base_folder(folder, based_on), (*asked, folder)), without, folder)
    return Written(
        _over({name: value for name, value in base.fields.items() if name not in _ITS_OWN}, own),
        {**base.dealing, **dealing},
        {kind: {**base.files[kind], **files[kind]} for kind in FILED_AS_FILES},
        (*rules, *base.rules),
        _cites(folder, base),
        (folder, *base.folders),
    )


def _cites(folder: Path, base: Written) -> tuple[Path, ...]:
    """Where it cites anew the rules it takes over; one with rules of its own cites them there."""
    if (folder / _RULES).exists():
        return ()
    own = folder / CITES_FILE
    return (own, *base.cites) if own.exists() else base.cites


def _over(base: Mapping[str, Any], own: Mapping[str, Any]) -> dict[str, Any]:
    """The fields of the base under those the version says itself; options and wagers each by name."""
    merged = {**base, **own}
    for name in _NAMED_IN_PACK_FILE:
        if isinstance(base.get(name), dict) and isinstance(own.get(name), dict):
            merged[name] = {**base[name], **own[name]}
    return merged


def _base_folder(folder: Path, based_on: Any) -> Path:
    named = {"pack": pack_of(folder), "version": based_on} if isinstance(based_on, str) else based_on
    if not isinstance(named, dict) or not {*named} == {"pack", "version"} or not all(map(_is_text, named.values())):
        raise PackError(
            f"{folder / PACK_FILE}: based_on is {based_on!r}; it is a version of this pack in quotation marks, such as "
            '"1.0", or of another, such as {pack: ma/pai_gow_poker, version: "1.0"}'
        )
    there = version_folders(folder.parents[2], named["pack"])
    if named["version"] not in there:
        raise PackError(
            f"{title_of(folder)} is based on {named['pack']} {named['version']}, which does not exist; there is: "
            f"{', '.join(there) or 'no version of that pack'}"
        )
    return there[named["version"]]


def _is_text(value: object) -> bool:
    return isinstance(value, str)


def _less(base: Written, without: Any, folder: Path) -> Written:
    """The base without what the version takes away by name."""
    fields = {name: dict(value) if isinstance(value, dict) else value for name, value in base.fields.items()}
    dealing = dict(base.dealing)
    files = {kind: dict(of_kind) for kind, of_kind in base.files.items()}
    named: dict[str, dict[str, Any]] = {_DEALING: dealing, **files}
    named |= {name: fields[name] for name in _NAMED_IN_PACK_FILE if isinstance(fields.get(name), dict)}
    if not isinstance(without, list) or not all(map(_is_text, without)):
        raise PackError(f"{folder / PACK_FILE}: without is {without!r}; it is a list such as [options.wheel]")
    for said in without:
        kind, _, name = said.partition(".")
        if kind not in named:
            raise PackError(
                f"{folder / PACK_FILE}: without {said!r}: {kind!r} is none of {', '.join(sorted(named))}, of which a "
                "version may leave something out"
            )
        if name not in named[kind]:
            raise PackError(
                f"{folder / PACK_FILE}: without {said!r}: {title_of(base.folders[0])} has no such thing; its {kind} "
                f"are: {', '.join(named[kind]) or 'none'}"
            )
        del named[kind][name]
    return Written(fields, dealing, files, base.rules, base.cites, base.folders)


def title_of(folder: Path) -> str:
    """`ma/pai_gow_poker 1.0`, as people call a version."""
    return f"{pack_of(folder)} {read_mapping(folder / PACK_FILE).get('version', '')}".rstrip()
