"""One thing `muckraker doctor` looked at, and how it goes on looking when something is broken."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from console.home import Home


@dataclass(frozen=True)
class Check:
    """One thing looked at: `way_out` says what to do when it is not in order."""

    name: str
    ok: bool
    said: str
    way_out: str = ""


def guarded(look: Callable[[Home], Check], home: Home, way_out: str) -> Check:
    """A check that fails is a problem to report, not a reason to stop looking."""
    try:
        return look(home)
    except Exception as error:  # noqa: BLE001 - whatever it is, it is reported
        return Check(look.__name__.strip("_"), False, str(error), way_out)
