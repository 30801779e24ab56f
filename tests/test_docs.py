"""The pages say the truth: commands run, queries answer, lists are complete, links lead somewhere."""

from __future__ import annotations

import json
import re
import shlex
import shutil
import subprocess
import sys
import tomllib
from collections import Counter
from fnmatch import fnmatch
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest

from console.doctor import PACKAGES, SLOW
from console.main import SECTIONS
from ingest.kafka.settings import KafkaSettings, read_settings
from ingest.kafka.topics import TOPIC_CONFIG
from replay.filing import pack_ids
from tests.console.conftest import call_command
from tests.ingest.device import TableDevice

ROOT = Path(__file__).resolve().parents[1]
PAGES = [ROOT / name for name in ("README.md", "ARCHITECTURE.md", "CHANGELOG.md")] + sorted(
    (ROOT / "docs").glob("*.md")
)
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))


def blocks(page: str, language: str) -> list[str]:
    return re.findall(
        rf"^```{language}\n(.*?)^```$", (ROOT / page).read_text(encoding="utf-8"), re.MULTILINE | re.DOTALL
    )


def commands_of(page: str) -> list[list[str]]:
    """The lines of a page's code blocks that begin with `muckraker`, as a shell would take them apart."""
    lines = [line for block in blocks(page, "") for line in block.splitlines()]
    return [shlex.split(line, comments=True)[1:] for line in lines if line.startswith("muckraker ")]


@pytest.fixture(autouse=True)
def _no_home_of_our_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MUCKRAKER_HOME", raising=False)
    monkeypatch.setenv("COLUMNS", "160")


@pytest.fixture(scope="module")
def demo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as a clone is after `make demo`, with a smaller day."""
    clone = tmp_path_factory.mktemp("clone")
    (clone / "docs").symlink_to(ROOT / "docs")
    home = clone / "muckraker-home" / "demo"
    result = call_command("demo", "--rounds", "320", "--home", home)
    assert result.exit_code == 0, result.output
    return clone


@pytest.mark.parametrize("command", commands_of("README.md"), ids=" ".join)
def test_a_command_of_the_readme_works_as_written(
    demo: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    monkeypatch.chdir(demo)
    result = call_command(*command)
    assert result.exit_code == 0, result.output
    assert result.stdout and "Traceback" not in result.output


@pytest.mark.parametrize("page", ["docs/seal.md", "docs/operations.md"])
def test_the_commands_of_a_page_work_one_after_the_other(
    demo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, page: str
) -> None:
    """As somebody types them who reads the page from top to bottom, in a folder of their own."""
    shutil.copytree(demo / "muckraker-home", tmp_path / "muckraker-home")
    monkeypatch.chdir(tmp_path)
    lines = [line for block in blocks(page, "") for line in block.splitlines() if line.strip()]
    assert len(lines) >= 7
    for line in lines:
        program, *words = shlex.split(line, comments=True)
        out = Path(words.pop()) if ">" in words else None
        if out is not None:
            words.remove(">")
        if program == "muckraker":
            result = call_command(*words)
            assert result.exit_code == 0 and "Traceback" not in result.output, f"{line}: {result.output}"
            printed = result.stdout
        else:
            assert program == "python", line
            done = subprocess.run(
                [sys.executable, "-I", *words], capture_output=True, text=True, timeout=60, check=False
            )
            assert done.returncode == 0, f"{line}: {done.stdout}{done.stderr}"
            printed = done.stdout
        assert printed, line
        if out is not None:
            out.write_text(printed)


def test_the_readme_names_every_command_and_no_other() -> None:
    text = (ROOT / "README.md").read_text(encoding="utf-8")
    (table,) = re.findall(r"^\| command \| what it does \|\n(.*?)\n\n", text, re.MULTILINE | re.DOTALL)
    named = {
        words.split()[0]
        for cell in re.findall(r"^\| (.*?) \|", table, re.MULTILINE)
        for words in re.findall("`(.*?)`", cell)
    }
    assert named == {name for names in SECTIONS.values() for name in names}


def test_the_make_targets_of_the_readme_exist() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    for target in re.findall(
        r"(?:^|`)make (?:PYTHON=\S+ )?([a-z]+)", (ROOT / "README.md").read_text(encoding="utf-8"), re.M
    ):
        assert re.search(rf"^{target}:", makefile, re.MULTILINE), target


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\((?!https?:)([^)]+)\)", text):
        file, _, heading = target.partition("#")
        linked = page.parent / file if file else page
        assert linked.exists(), f"{page.name} links to {target}"
        if heading:
            headings = re.findall(r"^#+ (.*)$", linked.read_text(encoding="utf-8"), re.MULTILINE)
            assert heading in {re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in headings}, target


def test_no_page_is_left_with_a_gap() -> None:
    for page in PAGES:
        prose = re.sub(r"^```.*?^```$", "", page.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
        for line in prose.splitlines():
            assert not re.fullmatch(r"[A-Z]{3,}|.*\b(TODO|FIXME|TBD)\b.*", line), f"{page.name}: {line}"


# --- docs/queries.md -------------------------------------------------------------------------------------------------


def rows_of(sql: str, clone: Path) -> list[dict[str, Any]]:
    result = call_command("query", "-", "--json", "--home", clone / "muckraker-home" / "demo", stdin=sql)
    assert result.exit_code == 0, result.output
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.parametrize("sql", blocks("docs/queries.md", "sql"), ids=lambda sql: sql.split("FROM")[-1].split()[0])
def test_a_query_of_the_page_answers(demo: Path, sql: str) -> None:
    assert rows_of(sql, demo)


def test_the_findings_of_the_demo_explain_every_cent(demo: Path) -> None:
    (sql,) = [block for block in blocks("docs/queries.md", "sql") if "unexplained" in block]
    (row,) = rows_of(sql, demo)
    assert row["accounts"] > row["out"] > 20 and row["unexplained"] == 0


def test_the_fee_question_is_answered_rightly(demo: Path) -> None:
    lines = (demo / "muckraker-home" / "demo" / "labels.jsonl").read_text(encoding="utf-8").splitlines()
    planted = Counter(json.loads(line)["code"] for line in lines)
    rows = rows_of(blocks("docs/queries.md", "sql")[0], demo)
    assert sum(row["not_taken"] for row in rows) == planted["FEE-901"] + planted["FEE-908"] > 0
    assert sum(row["other_sum"] for row in rows) == planted["FEE-902"] + planted["FEE-905"] + planted["FEE-910"] > 0
    assert sum(row["fee_findings"] for row in rows) == sum(planted[code] for code in planted if code.startswith("FEE-"))
    assert {code for row in rows for code in (row["codes"] or "").split()} == {
        c for c in planted if c.startswith("FEE-")
    }
    # Money adds up: what was not taken, taken twice or taken from those who owe none is all the difference there is.
    (found,) = rows_of(
        "SELECT -sum(difference_cents) AS cents FROM findings JOIN rounds USING (table_id, round_id) "
        "WHERE code LIKE 'FEE-%' AND verdict <> 'cannot_tell'",
        demo,
    )
    (unsure,) = rows_of(
        "SELECT coalesce(sum(due_cents - taken_cents), 0) AS cents FROM fees WHERE verdict = 'cannot_tell'", demo
    )
    taken, due = (sum(row[name] for row in rows) for name in ("taken_cents", "due_cents"))
    assert taken - due == found["cents"] - unsure["cents"]


# --- docs/json.md ----------------------------------------------------------------------------------------------------

CASE = ROOT / "docs" / "example-case.yaml"
CALLS = {
    "time-zone": ["time-zone", "--home", "HOME"],
    "version": ["version"],
    "demo": ["demo", "--keep", "--home", "HOME"],
    "doctor": ["doctor", "--home", "HOME"],
    "init": ["init", "--home", "NEW/home"],
    "simulate": ["simulate", "--rounds", "2", "--tables", "1", "--out", "NEW/day.jsonl"],
    "validate": ["validate", "GIVEN/from-the-middle.jsonl"],
    "ingest": ["ingest", str(CASE), "--home", "NEW/home"],
    "keys list": ["keys", "list", "--home", "HOME"],
    "keys history": ["keys", "history", "--home", "HOME"],
    "keys head": ["keys", "head", "PG-01", "--home", "HOME"],
    "run": ["run", "--home", "HOME"],
    "run --quality": ["run", "--quality", "--home", "HOME"],
    "findings": ["findings", "--home", "HOME"],
    "findings --all-versions": ["findings", "--all-versions", "--home", "HOME"],
    "rounds": ["rounds", "--home", "HOME"],
    "round show": ["round", "show", "PG-01/20261117-0002", "--home", "HOME"],
    "round show --events": ["round", "show", "SB-01/20261117-0002", "--events", "--home", "HOME"],
    "round show --explain": ["round", "show", "PG-01/20261117-0002", "--explain", "--home", "HOME"],
    "inventory": ["inventory", "--home", "HOME"],
    "fees": ["fees", "--home", "HOME"],
    "fees --boxes": ["fees", "--boxes", "--home", "HOME"],
    "quality": ["quality", "--home", "HOME"],
    "query --views": ["query", "--views", "--home", "HOME"],
    "status": ["status", "--home", "HOME"],
    "reaudit": ["reaudit", "--home", "HOME"],
    "verify": ["verify", "--home", "HOME"],
    "verify --key": ["verify", "--key", "--home", "HOME"],
    "verify --newest": ["verify", "--newest", "NEW/kept", "--home", "HOME"],
    "verify --proof": ["verify", "--proof", "GIVEN/record-00000000000000000003.tlog-proof", "--home", "HOME"],
    "prove": ["prove", "--record", "0/3", "--out", "NEW/proof", "--home", "HOME"],
    "witness list": ["witness", "list", "--witness", "GIVEN/witness"],
    "witness add": ["witness", "add", "GIVEN/checkpoint", "--witness", "GIVEN/witness"],
    "witness submit": ["witness", "submit", "--to", "GIVEN/witness", "--home", "HOME"],
    "compact": ["compact", "--home", "HOME"],
    "retain": ["retain", "--older-than", "1", "--dry-run", "--home", "HOME"],
    "retain --bring-back": ["retain", "--bring-back", "GIVEN", "--home", "HOME"],
    "backup": ["backup", "NEW/backup", "--home", "HOME"],
    "restore": ["restore", "GIVEN/backup", "NEW/restored"],
    "take-over": ["take-over", "--home", "HOME"],
    "settle": ["settle", str(CASE)],
    "case run": ["case", "run", str(CASE)],
    "rules list": ["rules", "list"],
    "rules show": ["rules", "show", "ca/supreme_baccarat"],
    "rules show --option": ["rules", "show", "ca/supreme_baccarat", "--option", "schedule"],
    "theory": ["theory", "ca/supreme_baccarat", "--home", "HOME"],
    "theory --wager": ["theory", "ca/supreme_baccarat", "--wager", "tie", "--home", "HOME"],
    "rank": ["rank", "ca/supreme_baccarat", "9s 5d Kh / 7c Td"],
}


def documented() -> dict[str, tuple[bool, set[str]]]:
    """By command: whether it prints lines, and the members; `the same and` is the row before."""
    rows: dict[str, tuple[bool, set[str]]] = {}
    before: set[str] = set()
    for row in re.findall(
        r"^\| `(.*?)` \| (.*?) \| (.*?) \|$", (ROOT / "docs/json.md").read_text(encoding="utf-8"), re.M
    ):
        members = set(re.findall("`(.*?)`", row[2]))
        before = members | before if row[2].startswith("the same") else members
        rows[row[0]] = (row[1].startswith("lines"), before)
    return rows


def test_the_page_lists_every_command_with_json() -> None:
    # tests/filing/test_differences.py has two versions to compare, tests/console/test_meter_command.py has meters
    elsewhere = {"query", "rules diff", "meters"}
    assert set(documented()) == {*CALLS, *elsewhere}


@pytest.fixture(scope="module")
def given(demo: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What some commands need to be there: a backup, a proof, a checkpoint, a witness that knows the demo's lake."""
    folder = tmp_path_factory.mktemp("given")
    home = demo / "muckraker-home" / "demo"
    for arguments in (
        ("backup", folder / "backup", "--home", home),
        ("prove", "--record", "0/3", "--out", folder / "proof", "--home", home),
        ("witness", "init", "--name", "witness.example/w1", "--witness", folder / "witness"),
    ):
        assert call_command(*arguments).exit_code == 0
    for name in ("record-00000000000000000003", "record-00000000000000000003.tlog-proof"):
        (folder / name).write_bytes((folder / "proof" / name).read_bytes())
    (folder / "vkeys").write_text(call_command("verify", "--key", "--home", home).stdout)
    assert call_command("witness", "trust", folder / "vkeys", "--witness", folder / "witness").exit_code == 0
    checkpoint = sorted((home / "lake").glob("*/0/*/checkpoints"))[-1]
    (folder / "checkpoint").write_bytes(checkpoint.read_bytes())
    (folder / "from-the-middle.jsonl").write_bytes(b"\n".join(TableDevice().rounds(2)[9:]))
    return folder


@pytest.mark.parametrize("command", CALLS)
def test_json_has_the_members_the_page_names(demo: Path, given: Path, tmp_path: Path, command: str) -> None:
    (tmp_path / "NEW").mkdir()
    places = {"HOME": str(demo / "muckraker-home" / "demo"), "GIVEN": str(given), "NEW": f"{tmp_path}/NEW"}
    arguments = ["/".join(places.get(part, part) for part in word.split("/")) for word in CALLS[command]]
    result = call_command(*arguments, "--json")
    assert result.exit_code == 0, result.output
    as_lines, members = documented()[command]
    printed = [json.loads(line) for line in result.stdout.splitlines()] if as_lines else [json.loads(result.stdout)]
    assert printed and all(set(document) == members for document in printed)


# --- docs/kafka.md ---------------------------------------------------------------------------------------------------


def test_the_page_on_kafka_lists_every_setting_with_its_default() -> None:
    page = (ROOT / "docs/kafka.md").read_text(encoding="utf-8")
    settings = page.partition("## Settings")[2].partition("\n## ")[0]
    rows = re.findall(r"^\| (`.*?`) \| (.*?) \|", settings, re.MULTILINE)
    named = {name: default.strip("`") for names, default in rows for name in re.findall("`(.*?)`", names)}
    assert set(named) == set(KafkaSettings.model_fields)
    for name, field in KafkaSettings.model_fields.items():
        if isinstance(field.default, str):
            assert named[name] == f'"{field.default}"', name
        elif isinstance(field.default, float):
            assert float(named[name]) == field.default, name
        elif field.is_required():
            assert named[name] == "(required)"


def test_the_page_on_kafka_says_how_a_topic_is_set_up() -> None:
    page = (ROOT / "docs/kafka.md").read_text(encoding="utf-8")
    table = page.partition("### If somebody else makes the topics")[2].partition("\n### ")[0]
    for name, value in TOPIC_CONFIG.items():
        (said,) = [row for row in table.splitlines() if f"`{name}`" in row]
        assert f"{int(value):,}" in said if value.isdigit() else f"`{value}`" in said


def test_the_settings_the_page_on_kafka_shows_are_settings(tmp_path: Path) -> None:
    page = (ROOT / "docs/kafka.md").read_text(encoding="utf-8")
    (example,) = re.findall(r"```toml\n(.*?)```", page, re.DOTALL)
    (tmp_path / "kafka.toml").write_text(example, encoding="utf-8")
    assert read_settings(tmp_path / "kafka.toml").sasl_mechanism == "SCRAM-SHA-512"


# --- docs/rulings.md -------------------------------------------------------------------------------------------------


def test_every_ruling_cited_is_on_the_page() -> None:
    there = set(re.findall(r"\*\*(R-\d+)", (ROOT / "docs/rulings.md").read_text(encoding="utf-8")))
    for folder in ("schemas", "ingest", "replay", "analytics", "console"):
        for file in sorted((ROOT / folder).rglob("*")):
            if file.suffix in (".py", ".yaml", ".sql"):
                cited = set(re.findall(r"\bR-\d+\b", file.read_text(encoding="utf-8")))
                assert cited <= there, f"{file.relative_to(ROOT)} cites {sorted(cited - there)}"


# --- what is installed -----------------------------------------------------------------------------------------------


def test_an_installation_carries_every_file_the_packages_read() -> None:
    patterns = PROJECT["tool"]["setuptools"]["package-data"]["*"]
    for folder in ("schemas", "ingest", "replay", "analytics", "console"):
        for file in sorted((ROOT / folder).rglob("*")):
            if file.is_file() and file.suffix not in (".py", ".pyc"):
                name = f"x/{file.relative_to(ROOT / folder)}"
                assert any(fnmatch(name, pattern) for pattern in patterns), f"{file} is in no wheel"


def test_the_doctor_looks_for_every_dependency() -> None:
    wanted = {re.split(r"[<>=\[ ]", wish)[0] for wish in PROJECT["project"]["dependencies"]}
    imported_as = {"pynacl": "nacl", "pyyaml": "yaml", "kafka-python": "kafka"}
    assert {imported_as.get(name, name.replace("-", "_")) for name in wanted} == set(PACKAGES)
    for package in set(PACKAGES) - SLOW:
        import_module(package)


# --- paths and figures of every page ---------------------------------------------------------------------------------

OURS = ("schemas/", "ingest/", "replay/", "analytics/", "console/", "tests/", "benchmarks/", "docs/")


def paths_named(text: str) -> set[str]:
    """What stands in back-ticks and looks like a file or folder of ours; `replay.compare` is one as well."""
    quoted = re.findall("`([^`\n]+)`", text)
    modules = {word for word in quoted if re.fullmatch(r"(schemas|ingest|replay|analytics|console)(\.[a-z_]+)+", word)}
    paths = {word.rstrip("/") for word in quoted if word.startswith(OURS) and re.fullmatch(r"[\w./-]+", word)}
    tails = {
        word for word in quoted if re.fullmatch(r"[a-z_0-9]+(/[a-z_0-9]+)*\.(py|yaml|sql)", word)
    }  # `kafka/group.py`
    return paths | tails | {word.replace(".", "/") for word in modules}


def is_there(path: str) -> bool:
    """A file, a folder, a module, or what a module of that name has."""
    whole = ROOT / path
    if not path.startswith(OURS):
        return any(file.as_posix().endswith(f"/{path}") for top in OURS for file in (ROOT / top).rglob(whole.name))
    if whole.exists() or whole.with_suffix(".py").exists():
        return True
    module = whole.parent if whole.parent.is_dir() else whole.parent.with_suffix(".py")
    source = module / "__init__.py" if module.is_dir() else module
    return not whole.suffix and source.exists() and re.search(rf"\b{whole.name}\b", source.read_text()) is not None


NOT_OF_TODAY = "CHANGELOG.md"


@pytest.mark.parametrize("page", [page for page in PAGES if page.name != NOT_OF_TODAY], ids=lambda page: page.name)
def test_every_file_a_page_names_exists(page: Path) -> None:
    named = paths_named(page.read_text(encoding="utf-8"))
    assert not sorted(path for path in named if not is_there(path))


def test_a_file_that_is_gone_would_be_noticed() -> None:
    named = paths_named(
        "`replay/engine.py` reads `replay.compare`, `replay/no_such/` and `docs/cases.md`; "
        "`PG-01/2026`, `kafka/group.py`, `gone.py`"
    )
    assert named == {
        "replay/engine.py",
        "replay/compare",
        "replay/no_such",
        "docs/cases.md",
        "kafka/group.py",
        "gone.py",
    }
    assert {path for path in named if not is_there(path)} == {"replay/engine.py", "replay/no_such", "gone.py"}


def test_the_road_of_an_event_names_every_step_of_an_audit() -> None:
    text = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    road = text.partition("## The road of an event")[2].partition("\n## ")[0]
    files = re.findall(r"^\| `(.*?)` \|", road, re.MULTILINE)
    assert len(files) > 15 and all((ROOT / file).is_file() for file in files)
    assert (
        files.index("replay/audit.py") < files.index("replay/compare/__init__.py") < files.index("replay/conclude.py")
    )


def test_packs_are_law_of_a_size_one_can_read_and_the_table_has_them_all() -> None:
    page = (ROOT / "ARCHITECTURE.md").read_text(encoding="utf-8")
    written = page.partition("<!-- written by python -m benchmarks.lines --write -->")[2].partition("<!--")[0]
    printed = subprocess.run(
        [sys.executable, "-m", "benchmarks.lines"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    packs = re.findall(r"^\| (\S+/\S+ v\d+) \| ([\d,]+) \|", printed, re.MULTILINE)
    assert {name for name, _ in packs} >= {f"{pack} v1" for pack in pack_ids()}
    for name, python in packs:
        most = 700 if name == "ma/pai_gow_poker v1" else 350  # three games and a dozen wagers, a module a subject
        assert int(python.replace(",", "")) <= most, f"{name} has {python} lines of Python"
    labels = [re.findall(r"^\| ([^|]+?) \|", text, re.MULTILINE) for text in (written, printed)]
    assert labels[0] == labels[1], "python -m benchmarks.lines --write"
