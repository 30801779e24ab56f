"""The shape of the repository: imports point left, every module says what it is for, and none grows too big."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent

# design: schemas <- ingest; schemas <- replay <- analytics <- console. Tests and benchmarks may import everything.
MAY_IMPORT: dict[str, frozenset[str]] = {
    "schemas": frozenset(),
    "ingest": frozenset({"schemas"}),
    "replay": frozenset({"schemas"}),
    "analytics": frozenset({"schemas", "replay"}),
    "console": frozenset({"schemas", "ingest", "replay", "analytics"}),
}
PACKAGES = frozenset(MAY_IMPORT)
SIMULATOR = "ingest.simulator"
SIMULATOR_MAY_IMPORT = ("schemas", "ingest.chain", SIMULATOR)  # a second opinion may not copy from the first

MAX_LINES = 800
FORBIDDEN_WORDS = frozenset({"util", "utils", "helper", "helpers", "common", "manager"})


def _sources(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def _named(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


OURS = _sources(*sorted(PACKAGES))
ALL = OURS + _sources("benchmarks", "tests")


def _module_name(path: Path) -> str:
    parts = path.relative_to(ROOT).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imports(source: str, module: str, is_package: bool) -> Iterator[tuple[int, str]]:
    """Every module a source imports, with the line; `from a import b` may mean a.b, so it yields `a.b`."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import(names=names):
                yield from ((node.lineno, alias.name) for alias in names)
            case ast.ImportFrom(module=target, names=names, level=level):
                base = module.split(".")
                if level:
                    base = base[: len(base) - level + is_package]
                    target = ".".join(base + ([target] if target else []))
                yield from ((node.lineno, f"{target}.{alias.name}") for alias in names)
            case ast.Call(
                func=ast.Name(id="import_module" | "__import__") | ast.Attribute(attr="import_module"),
                args=[ast.Constant(value=str(target)), *_],
            ):
                yield node.lineno, target


def _wrong_imports(source: str, module: str, is_package: bool) -> list[str]:
    here = module.split(".")[0]
    wrong = []
    for line, target in _imports(source, module, is_package):
        there = target.split(".")[0]
        if there not in PACKAGES:
            continue
        if module == SIMULATOR or module.startswith(f"{SIMULATOR}."):
            allowed = any(target == name or target.startswith(f"{name}.") for name in SIMULATOR_MAY_IMPORT)
        else:
            allowed = there == here or there in MAY_IMPORT[here]
        if not allowed:
            wrong.append(f"line {line} imports {target}")
    return wrong


@pytest.mark.parametrize("path", OURS, ids=_named)
def test_imports_point_left(path: Path) -> None:
    wrong = _wrong_imports(path.read_text(encoding="utf-8"), _module_name(path), path.name == "__init__.py")
    assert not wrong, f"{_named(path)}: {'; '.join(wrong)}"


KNOW_NO_PACK = ("cards", "money", "checks", "compare", "ranking", "families/two_hands")


@pytest.mark.parametrize("path", _sources(*(f"replay/{room}" for room in KNOW_NO_PACK)), ids=_named)
def test_what_audits_any_game_knows_no_pack(path: Path) -> None:
    """Law comes from the pack that is filed; `replay.filing` loads it."""
    imported = _imports(path.read_text(encoding="utf-8"), _module_name(path), path.name == "__init__.py")
    packs = [f"line {line} imports {target}" for line, target in imported if f"{target}.".startswith("replay.packs.")]
    assert not packs, f"{_named(path)}: {'; '.join(packs)}"


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("schemas.cards", "import ingest.log"),
        ("schemas.cards", "from replay.rounds import RoundBatch"),
        ("ingest.worker", "from replay import stream"),
        ("ingest.worker", "def late():\n    import replay.stream"),
        ("replay.audit", "from ingest.lake import Lake"),
        ("replay.audit", "from analytics import views"),
        ("analytics.warehouse", "import ingest.lake"),
        ("analytics.warehouse", "import console.main"),
        ("ingest.worker", "import importlib\nimportlib.import_module('replay.stream')"),
        ("ingest.simulator.table", "from ingest.lake import Lake"),
        ("ingest.simulator.table", "from ingest import gate"),
        ("ingest.simulator.table", "from ..gate import Gate"),
        ("ingest.simulator", "import replay"),
        ("ingest.simulator", "from ..gate import Gate"),
    ],
)
def test_an_import_that_points_right_is_seen(module: str, source: str) -> None:
    assert _wrong_imports(source, module, is_package=module == SIMULATOR)


@pytest.mark.parametrize(
    ("module", "source"),
    [
        ("ingest.gate.gate", "from schemas.events import parse_event\nfrom ingest.chain import verify\nimport json"),
        ("replay.audit", "from schemas import cards\nfrom replay.rounds import RoundBatch"),
        ("analytics.detectors", "from replay import stream\nfrom schemas.findings import Finding"),
        ("console.main", "import ingest.worker, replay.stream, analytics.warehouse, schemas.cases"),
        ("ingest.simulator.table", "from ingest.chain import sign\nfrom ingest import chain\nfrom .poker import deal"),
    ],
)
def test_an_import_that_points_left_is_allowed(module: str, source: str) -> None:
    assert _wrong_imports(source, module, is_package=False) == []


def _tests_and_benchmarks_in(source: str, module: str) -> list[str]:
    wrong = []
    for line, target in _imports(source, module, is_package=False):
        parts = target.split(".")
        if parts[0] == "benchmarks" or (parts[0] == "tests" and any(part.startswith("test_") for part in parts[1:])):
            wrong.append(f"line {line} imports {target}")
    return wrong


@pytest.mark.parametrize("path", _sources("tests"), ids=_named)
def test_no_test_imports_another_test_or_a_benchmark(path: Path) -> None:
    name = _named(path)
    wrong = _tests_and_benchmarks_in(path.read_text(encoding="utf-8"), _module_name(path))
    assert not wrong, f"{name}: {'; '.join(wrong)}; move what both need into a module of its own under tests/"


@pytest.mark.parametrize(
    "source",
    [
        "from tests.replay.test_assemble import Tape",
        "from benchmarks.ranking import deal",
        "from benchmarks import ranking",
        "def late():\n    import tests.replay.test_assemble",
    ],
)
def test_an_import_of_another_test_or_a_benchmark_is_seen(source: str) -> None:
    assert _tests_and_benchmarks_in(source, "tests.replay.test_wagers")


@pytest.mark.parametrize("path", ALL, ids=_named)
def test_a_module_is_small_and_says_what_it_is_for(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    lines = text.count("\n")
    assert lines <= MAX_LINES, f"{_named(path)} has {lines} lines, {MAX_LINES} at most: split it by subject"
    if not path.name.startswith("test_"):  # what a test file tests is its name
        assert ast.get_docstring(ast.parse(text)), f"{_named(path)} has no module docstring"


@pytest.mark.parametrize("path", ALL, ids=_named)
def test_a_name_says_what_is_inside(path: Path) -> None:
    words = set(re.split(r"[^a-z]+", _named(path).removesuffix(".py").lower()))
    assert not words & FORBIDDEN_WORDS, f"{_named(path)}: {', '.join(words & FORBIDDEN_WORDS)} says nothing"


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_lock_files_name_hashes_and_no_host(name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    assert "://" not in text
    assert not re.search(r"--(extra-)?index-url|--find-links|--trusted-host", text)
    requirements = re.findall(r"^([a-z0-9-]+==\S+)((?:.*\\\n)(?:\s+--hash=.*\n?)*)", text, re.MULTILINE)
    assert {"setuptools", "wheel"} <= {pinned.split("==")[0] for pinned, _ in requirements}  # for an offline install
    assert [pinned for pinned, rest in requirements if "--hash=sha256:" not in rest] == []


def test_the_runtime_lock_is_part_of_the_dev_lock() -> None:
    def pins(name: str) -> set[str]:
        return set(re.findall(r"^[a-z0-9-]+==[^ ]+", (ROOT / name).read_text(encoding="utf-8"), re.MULTILINE))

    assert pins("requirements.lock") <= pins("requirements-dev.lock")
