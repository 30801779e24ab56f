"""The family of a pack: how such games are audited, found by its name and looked at before it is used.

A family that asks its packs for law says which kind in `game.LAW_TYPE`; a pack whose rules.py does not have that is
refused when its game is first asked for, and not when the first round comes to the missing rule.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, TypeGuard

from replay.filing.filed import Filing, Pack
from replay.filing.problems import PackError

if TYPE_CHECKING:
    from replay.game import Game

FAMILIES_FOLDER = Path(__file__).parent.parent / "families"
_ASKED_FOR = ("check_filing", "check", "cut_rack", "row_of_case")


def game_module(pack: Pack) -> Game:
    """How such games are audited: `game.py` of the pack's family, with the functions replay/game.py describes."""
    game = _game(pack.data.family, f"{pack.id} {pack.version}")
    kind: object = getattr(game, "LAW_TYPE", None)
    if isinstance(kind, type):
        pack.law(kind)
    return game


@cache
def _game(family: str, pack: str) -> Game:
    name = f"replay.families.{family}"
    if not family.isidentifier() or find_spec(name) is None:
        raise PackError(f"pack {pack}: there is no family {family!r} of games; there are: {', '.join(families())}")
    module = import_module(f"{name}.game")
    if not _is_game(module):
        lacking = [function for function in _ASKED_FOR if not callable(getattr(module, function, None))]
        raise PackError(f"pack {pack}: {name}.game lacks {', '.join(lacking)}, which replay/game.py asks of a family")
    return module


def _is_game(module: ModuleType) -> TypeGuard[Game]:
    return all(callable(getattr(module, function, None)) for function in _ASKED_FOR)


def families() -> list[str]:
    return sorted(path.parent.name for path in FAMILIES_FOLDER.glob("*/game.py"))


def filing_problem(filing: Filing) -> str | None:
    """Why these options cannot stand together under the pack, in words; None when they can."""
    said = (conflict.problem_with(filing.options) for conflict in filing.pack.data.conflicts)
    return next((one for one in said if one is not None), None) or game_module(filing.pack).check_filing(filing)


def cut_rack(filing: Filing, cards: bytes, dealt: Sequence[bytes]) -> list[int] | None:
    """How many of these cards, scanned after several rounds, each of them put into the rack; None: nobody can tell."""
    return game_module(filing.pack).cut_rack(filing, cards, dealt)
