"""Where packs lie: `<packs>/<jurisdiction>/<game>/<version folder>/pack.yaml`, a folder for every version."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import yaml

from replay.filing.problems import PackError

PACKS_FOLDER = Path(__file__).parent.parent / "packs"
"""The packs rounds are judged by."""

PACK_FILE = "pack.yaml"
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)  # the same ten times as fast, where PyYAML was built with it


def pack_ids() -> list[str]:
    """Every pack there is, such as `ma/pai_gow_poker`."""
    return sorted({f"{path.parts[-4]}/{path.parts[-3]}" for path in PACKS_FOLDER.glob(f"*/*/*/{PACK_FILE}")})


def pack_of(folder: Path) -> str:
    """The id of the pack a version folder belongs to."""
    return f"{folder.parts[-3]}/{folder.parts[-2]}"


@cache
def version_folders(packs: Path, pack_id: str) -> dict[str, Path]:
    """Version → its folder, the one that came into force first first."""
    found: dict[str, Path] = {}
    for folder in _folders_of(packs, pack_id):
        version = str(read_mapping(folder / PACK_FILE).get("version", ""))
        if version in found:
            raise PackError(
                f"pack {pack_id}: the folders {found[version].name} and {folder.name} both call themselves version "
                f"{version}; a version has one folder"
            )
        found[version] = folder
    return dict(sorted(found.items(), key=_when))


def _folders_of(packs: Path, pack_id: str) -> Iterator[Path]:
    for path in sorted((packs / pack_id).glob(f"*/{PACK_FILE}")):
        if not path.parent.name.isidentifier():
            raise PackError(
                f"pack {pack_id}: the version folder {path.parent.name!r} cannot be imported; call it v1, v2 or so, "
                f"and say the version in its {PACK_FILE}"
            )
        yield path.parent


def _when(version: tuple[str, Path]) -> tuple[str, list[int]]:
    name, folder = version
    numbers = [int(part) for part in name.split(".") if part.isdecimal()]
    return str(read_mapping(folder / PACK_FILE).get("effective_from", "")), numbers


@cache
def read_mapping(path: Path) -> dict[str, Any]:
    """What a YAML file with named fields says, not looked into. Shared: copy it before changing anything."""
    raw = read_yaml(path)
    if not isinstance(raw, dict):
        raise PackError(f"{path} does not hold named fields but {raw!r}")
    return raw


def read_yaml(path: Path) -> Any:
    try:
        return yaml.load(path.read_text(encoding="utf-8"), Loader=_LOADER)
    except FileNotFoundError:
        raise PackError(f"{path} is missing") from None
    except yaml.YAMLError as problem:
        raise PackError(f"{path} is not YAML: {problem}") from None
