"""The law of a pack that is code: its rules.py, and the one value there, LAW, that its family asks for.

rules.py of a shipped pack is imported as the module it is; one of a pack that lies elsewhere is read from its file.
"""

from __future__ import annotations

import sys
from functools import cache
from importlib import import_module
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import TypeVar, get_type_hints

import replay.packs
from replay.citations import RULES, Citation
from replay.filing.problems import PackError
from replay.filing.recited import law_recited

LAW = "LAW"
_SHIPPED = Path(replay.packs.__path__[0])

LawT = TypeVar("LawT")


@cache
def rules_module(path: Path) -> ModuleType:
    """A pack's rules.py, as functions and citations."""
    if path.is_relative_to(_SHIPPED):
        parts = path.relative_to(_SHIPPED).with_suffix("").parts
        return import_module(".".join((replay.packs.__name__, *parts)))
    name = f"{replay.packs.__name__} in {path.parents[3]}.{'.'.join((*path.parts[-4:-1], path.stem))}"
    spec = spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None, "a file that ends in .py has a loader"
    module = sys.modules[name] = module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def rule_functions(path: Path) -> dict[str, Citation]:
    """The functions of a rules.py, and of the modules of law beside it, that are rules, by name, with what each rests
    on."""
    folder = rules_module(path).__name__.rpartition(".")[0]
    named = ((name.removeprefix(f"{folder}."), cited) for name, cited in RULES.items() if name.startswith(f"{folder}."))
    return dict(sorted((name.partition(".")[2], cited) for name, cited in named))


@cache
def law_of_any_kind(rules: Path, cites: tuple[Path, ...] = ()) -> object:
    """The LAW of a rules.py, as these cites.yaml cite it anew, the nearest first; None where it has none."""
    law: object = getattr(rules_module(rules), LAW, None)
    for path in reversed(cites) if law is not None else ():
        law = law_recited(law, path)
    return law


def law_in(pack: str, rules: Path | None, kind: type[LawT], cites: tuple[Path, ...] = ()) -> LawT:
    """The LAW of a pack's rules, which must be what the family asks for."""
    if rules is None:
        raise PackError(f"pack {pack} has no rules.py; its family asks for one with {LAW}, a {kind.__name__}")
    law = law_of_any_kind(rules, cites)
    if law is None:
        raise PackError(f"pack {pack}: {rules} has no {LAW}; its family asks for a {kind.__name__}")
    if isinstance(law, kind):
        return law
    lacking = sorted(name for name in get_type_hints(kind) if not hasattr(law, name))
    missing = f"; it lacks {', '.join(lacking)}" if lacking else ""
    raise PackError(
        f"pack {pack}: {LAW} in {rules} is a {type(law).__name__} and not the {kind.__name__} its family asks for"
        f"{missing}"
    )
