"""What a list may name: cases, tests, faults, finding codes, options, modules; and which case pays which row."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path

from replay.case_run import cases_under, settle_case
from replay.coverage.cited import root
from replay.filing import load_pack
from schemas.findings import CATALOGUE

CLEAN_DAY = "clean day"
"""Every pack's simulated day without faults, which must be verified to the last round."""

_CLEAN_DAY_TEST = "tests/packs/test_every_pack.py"
_FAULTS = Path("ingest/simulator/faults")


@dataclass(frozen=True)
class Shown:
    """One case, test or fault, in words, and the file it is in."""

    kind: str
    words: str
    path: str


@cache
def tests() -> dict[str, str]:
    """Every test function → its file; one that stands in several is named with its file, `test_bank.py::test_x`."""
    found: dict[str, list[str]] = {}
    for path in sorted((root() / "tests").rglob("test_*.py")):
        for name in re.findall(r"^ *def (test_\w+)\(", path.read_text(encoding="utf-8"), re.MULTILINE):
            found.setdefault(name, []).append(path.relative_to(root()).as_posix())
    named: dict[str, str] = {}
    for name, files in found.items():
        if len(set(files)) == 1:
            named[name] = files[0]
        for file in files:
            named[f"{file.rpartition('/')[2]}::{name}"] = file
    return named


@cache
def cases(pack_id: str) -> dict[str, str]:
    """Every case of a pack → its file."""
    pack = load_pack(pack_id)
    return {case.name: path.relative_to(root()).as_posix() for path, case in cases_under(pack)}


@cache
def faults() -> dict[str, str]:
    """Every kind of fault the simulator can do → its finding code, as the catalogue has them."""
    text = "".join(path.read_text(encoding="utf-8") for path in sorted((root() / _FAULTS).glob("*.py")))
    return dict(re.findall(r'FaultKind\(\s*"(\w+)",\s*"([A-Z]+-\d+)"', text))


def shown(name: str, packs: list[str]) -> Shown | None:
    """What a list means by a name, `test_x[id]` one example of a test; None where there is no such thing."""
    if name == CLEAN_DAY:
        return Shown("day", "a simulated day without faults", _CLEAN_DAY_TEST)
    if name.startswith("fault "):
        kind = name.removeprefix("fault ")
        code = faults().get(kind)
        return Shown("fault", f"{kind.replace('_', ' ')} ({code})", _CLEAN_DAY_TEST) if code else None
    for pack_id in packs:
        if name in cases(pack_id):
            return Shown("case", name, cases(pack_id)[name])
    test, bracket, example = name.partition("[")
    path = tests().get(test)
    if path is None:
        return None
    if bracket:
        there = f'id="{example.removesuffix("]")}"' in (root() / path).read_text(encoding="utf-8")
        return Shown("test", example.removesuffix("]"), path) if there else None
    return Shown("test", test.rpartition("::")[2].removeprefix("test_").replace("_", " "), path)


def exists(name: str, packs: list[str]) -> bool:
    """Whether what is said to cover a section is there: a finding code, `option x`, a module or a member of one."""
    if re.fullmatch(r"[A-Z]+-\d+", name):
        return name in CATALOGUE
    if name.startswith("option "):
        return any(name.removeprefix("option ") in load_pack(pack_id).data.options for pack_id in packs)
    module, _, member = name.partition(":")
    own = [f"packs.{'.'.join(rules.parts[-4:-1])}.{module}" for pack_id in packs for rules in load_pack(pack_id).rules]
    return any(_is_there(f"replay.{one}", member) for one in (module, *own))


def _is_there(module: str, member: str) -> bool:
    if find_spec_of(module) is None:
        return False
    return not member or hasattr(import_module(module), member)


def find_spec_of(module: str) -> object:
    """The module's specification; None where it, or a package above it, is not there."""
    try:
        return find_spec(module)
    except ModuleNotFoundError:
        return None


@cache
def rows_paid(pack_id: str) -> dict[tuple[str, str], list[str]]:
    """(section, words) of each row of a pay table → the cases in which a wager or an envy bonus is settled by it."""
    paid: dict[tuple[str, str], list[str]] = {}
    for _, case in cases_under(load_pack(pack_id)):
        for line in settle_case(case)["lines"]:
            if line["row"] is not None:
                names = paid.setdefault((line["citation"], line["words"] or ""), [])
                if case.name not in names:
                    names.append(case.name)
    return paid
