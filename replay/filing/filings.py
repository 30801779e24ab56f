"""From what a table said when it opened to the filing its rounds are judged by."""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from replay.filing import folders
from replay.filing.data import OptionValue
from replay.filing.filed import PICKUP_OPTION, STANDARD_PICKUP, Filing, Pack
from replay.filing.loading import load_pack
from replay.filing.problems import PackError


def file_under(pack: Pack, version: str, options: Mapping[str, OptionValue]) -> Filing:
    """The options a licensee stated for a version of a pack, checked and completed by that version's defaults."""
    if version != pack.version:
        pack = load_pack(pack.id, version)
    named = f"pack {pack.id} {pack.version}"
    known = pack.data.options
    for name, value in options.items():
        if name not in known:
            raise PackError(f"{named} has no option {name!r}; it has: {', '.join(known)}")
        problem = known[name].problem(value)
        if problem:
            raise PackError(f"{named}, option {name}: {problem} ({known[name].cite})")
    if options.get(PICKUP_OPTION, STANDARD_PICKUP) not in pack.pickups:
        raise PackError(
            f"{named}, option {PICKUP_OPTION}: {options[PICKUP_OPTION]!r} is none of "
            f"{', '.join(pack.pickups)}; a further one is a file pickups/NAME.yaml of the pack (docs/pickup.md)"
        )
    return Filing(pack, {name: options.get(name, option.default) for name, option in known.items()})


def filing_of(canonical: str) -> Filing:
    """The filing written as `canonical_filing` writes it."""
    return _filing_of(folders.PACKS_FOLDER, canonical)


@cache
def _filing_of(packs: Path, canonical: str) -> Filing:
    said: dict[str, Any] = json.loads(canonical)
    return file_under(load_pack(said["pack"], said["version"]), said["version"], said["options"])
