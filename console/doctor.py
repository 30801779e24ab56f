"""`muckraker doctor`: is everything in order here, and if not, what to do."""

from __future__ import annotations

import importlib
import shutil
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import click
from rich.console import Group
from rich.table import Column, Table
from rich.text import Text

from analytics.warehouse import Warehouse
from console import show
from console.asking import ANSWER_S
from console.checks import Check, guarded
from console.command import Command, Settings, color_option, home_option, json_option, pass_settings
from console.exits import Exit, HomeTrouble
from console.home import TOPIC, Home
from console.pipeline import lag
from console.rule_commands import pack_document
from ingest.right_log import check_log
from replay.citations import TEXTS
from replay.filing import game_module, load_pack, pack_ids, versions_of

LEAST_FREE_BYTES = 1 << 30
PACKAGES = (
    "click",
    "duckdb",
    "great_expectations",
    "jinja2",
    "kafka",
    "nacl",
    "numpy",
    "orjson",
    "prometheus_client",
    "pyarrow",
    "pydantic",
    "yaml",
    "rich",
    "tzdata",
)
SLOW = frozenset({"great_expectations"})  # takes seconds to import: only looked for


@click.command(
    cls=Command,
    examples=["muckraker doctor", "muckraker doctor --json"],
    exits={Exit.FOUND: "something is not in order"},
)
@json_option
@home_option
@color_option
@pass_settings
def doctor(settings: Settings) -> None:
    """Check Python, packages, rule packs, the home, its log, lake and keys, and say what to do."""
    checks: list[Check] = []
    with settings.bar("looking") as bar:
        for check in _checks(settings):
            checks.append(check)
            bar.show(len(checks), None)
    if settings.as_json:
        settings.lines(vars(check) for check in checks)
    else:
        for check in checks:
            mark = Text("ok      ", style="green") if check.ok else Text("PROBLEM ", style="bold red")
            said: list[Text] = [Text(f"{check.name}: {check.said}")]
            if check.way_out and not check.ok:
                said.append(Text(check.way_out, style="yellow"))
            row = Table.grid("", Column(overflow="fold"))
            row.add_row(mark, Group(*said))
            settings.out.print(row)
    if not all(check.ok for check in checks):
        click.get_current_context().exit(Exit.FOUND)


def _checks(settings: Settings) -> Iterator[Check]:
    yield Check(
        "python",
        sys.version_info >= (3, 11),
        sys.version.split()[0],
        "Muckraker needs Python 3.11 or newer: install one",
    )
    yield from _packages()
    yield from _packs()
    try:
        home = settings.home()
    except HomeTrouble as trouble:
        yield Check("home", False, trouble.message)  # the message says what to type
        return
    yield Check("home", True, str(home.path))
    yield _disk(home.path)
    reached = True
    if home.kafka() is not None:
        from console.cluster_checks import cluster_checks

        for check in cluster_checks(home):
            reached = reached and (check.ok or check.name != "brokers")
            yield check
    log = Check("log", False, f"{home.log_name} cannot be asked", "see to the brokers first")
    if reached:
        log = guarded(_log, home, f"see that {home.log_name} can be reached, or restore it from a backup")
    yield log
    yield guarded(_lake, home, f"see that {home.lake_path} can be read by you, or restore it from a backup")
    if log.ok:
        yield guarded(_lag, home, "see to the log and the lake first")
    yield guarded(_views, home, "see to the lake first")
    yield guarded(_judged, home, "see to the lake first")
    yield guarded(_keys, home, "see to the lake and the folder keys first")


def _packages() -> Iterator[Check]:
    missing = []
    for package in PACKAGES:
        try:
            if package not in SLOW:
                importlib.import_module(package)
            elif find_spec(package) is None:
                raise ImportError(f"No module named {package!r}")
        except ImportError as error:
            missing.append(f"{package} ({error})")
    yield Check(
        "packages",
        not missing,
        show.joined(missing) + " cannot be imported" if missing else f"all {len(PACKAGES)} there",
        "run `make install`",
    )


_FROM_RELEASE = "restore the pack's folder from the release"


def _packs() -> Iterator[Check]:
    for pack_id in pack_ids():
        try:
            versions = versions_of(pack_id)
        except Exception as error:  # noqa: BLE001 - a pack that does not load is what this looks for
            yield Check(f"pack {pack_id}", False, str(error), _FROM_RELEASE)
            continue
        for version in versions:
            yield _pack(pack_id, version)
    if not pack_ids():
        yield Check("packs", False, "there is none", "restore replay/packs from the release")


def _pack(pack_id: str, version: str) -> Check:
    name = f"pack {pack_id} {version}"
    try:
        pack = load_pack(pack_id, version)
        game_module(pack)
        uncited = sorted(set(_unknown_texts(pack_document(pack))))
    except Exception as error:  # noqa: BLE001 - a pack that does not load is what this looks for
        return Check(name, False, str(error), _FROM_RELEASE)
    if uncited:
        problem = f"no citation, or one of an unknown text, at {show.joined(uncited)}"
        return Check(name, False, problem, _FROM_RELEASE)
    said = (
        f"{show.counted(len(pack.paytables), 'pay table')}, {show.counted(len(pack.fees), 'fee schedule')}, all cited; "
        f"in force {pack.when_in_force}"
    )
    return Check(name, True, said)


def _unknown_texts(document: object, where: str = "") -> Iterator[str]:
    """Where a citation names no known text."""
    if isinstance(document, dict):
        if "section" in document and "text" in document and document["text"] not in TEXTS:
            yield where
        for name, value in document.items():
            yield from _unknown_texts(value, f"{where}.{name}".lstrip("."))
    elif isinstance(document, list):
        for position, value in enumerate(document):
            yield from _unknown_texts(value, f"{where}[{position}]")


def _disk(path: Path) -> Check:
    free = shutil.disk_usage(path).free
    return Check(
        "disk",
        free >= LEAST_FREE_BYTES,
        f"{free / (1 << 30):.1f} GiB free",
        "free space, or move the home to another disk",
    )


def _log(home: Home) -> Check:
    if not home.has_log():
        return Check(
            "log",
            False,
            f"{home.log_path} is not there",
            "record something: `muckraker simulate` or `muckraker ingest`",
        )
    log, lake = home.log(ANSWER_S), home.lake()
    try:
        marks = [log.high_water_mark(TOPIC, partition) for partition in range(log.partitions(TOPIC))]
        for partition, mark in enumerate(marks):
            check_log(log, lake, TOPIC, partition)
            if mark:
                log.look(TOPIC, partition, mark - 1)
    finally:
        log.close()
    return Check("log", True, f"{show.counted(sum(marks), 'record')} in {show.counted(len(marks), 'partition')}")


def _lake(home: Home) -> Check:
    lake = home.lake()
    damages = lake.check()
    segments = sum(len(lake.segments(topic, p)) for topic in lake.topics() for p in lake.partitions(topic))
    if damages:
        more = f" (and {len(damages) - 1} more)" if len(damages) > 1 else ""
        return Check(
            "lake", False, damages[0] + more, "restore what it names from a backup; work does not go on from damage"
        )
    return Check("lake", True, f"{show.counted(segments, 'segment')}, every hash as its manifest says")


def _lag(home: Home) -> Check:
    waiting = lag(home, ANSWER_S)
    if waiting < 0:
        return Check(
            "lag",
            False,
            "the lake holds more records than the log",
            "this is another log than the lake was made from: restore the right one",
        )
    return Check("lag", waiting == 0, f"{show.counted(waiting, 'record')} not checked yet", "type `muckraker run`")


def _views(home: Home) -> Check:
    with Warehouse(home.lake_path) as warehouse:
        (row,) = warehouse.rows("SELECT count(*) AS n FROM rounds")
    return Check("views", True, f"{show.counted(row['n'], 'round')} can be asked about")


def _judged(home: Home) -> Check:
    with Warehouse(home.lake_path) as warehouse:
        rows = warehouse.rows("SELECT reason, count(*) AS n FROM rounds WHERE verdict = 'cannot_judge' GROUP BY reason")
    counts = {row["reason"]: int(row["n"]) for row in rows}
    ours, larger = counts.pop("ROUND-007", 0), sum(counts.values())
    said = []
    if ours:
        said.append(f"{show.counted(ours, 'round')} could not be judged, by a mistake in Muckraker (ROUND-007)")
    if larger:
        said.append(f"{show.counted(larger, 'round')} not judged, larger than a round can be (ROUND-008)")
    return Check(
        "judged",
        not ours,
        "; ".join(said) or "every recorded round",
        "type `muckraker findings --code ROUND-007` and report what it says; once the mistake is mended, `muckraker "
        "reaudit` judges them again",
    )


def _keys(home: Home) -> Check:
    ring, lake = home.keys().list(), home.lake()
    newest = [lake.last(topic, partition) for topic in lake.topics() for partition in lake.partitions(topic)]
    seen = {table for segment in newest if segment is not None for table in lake.manifest(segment)["tables"]}
    without = sorted(seen - {table for table, history in ring.items() if history.current() is not None})
    if without:
        return Check(
            "keys",
            False,
            f"no key is good for {show.joined(without)}",
            "type `muckraker keys add TABLE HEX`, or `keys rotate` where one was revoked",
        )
    return Check("keys", True, f"{show.counted(len(ring), 'key')}, one for every table seen")
