"""Commands that look at rounds: the list, and one round in full."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

import click
import orjson
import pyarrow as pa
from rich.text import Text

from analytics.warehouse import Warehouse
from console import show
from console.command import (
    Command,
    Group,
    Settings,
    color_option,
    home_option,
    json_option,
    limit_option,
    pass_settings,
    table_option,
)
from console.exits import BadInput
from console.quality_summary import not_checked
from console.transcript import print_round
from replay.explain import explain_round
from schemas.findings import Verdict

_LIST_COLUMNS = (
    "table_id, round_id, version, verdict, reason, gaming_day, dealer, pack, opened_at, closed_at, attested, "
    "first_seq, last_seq, failed_checks"
)


@click.command(
    cls=Command,
    examples=[
        "muckraker rounds --table PG-01 --at '2026-11-17 21:43'",
        "muckraker rounds --table PG-01 --limit 20",
        "muckraker rounds --verdict cannot_tell --json",
    ],
)
@table_option
@click.option(
    "--at",
    "moment",
    type=click.DateTime(["%Y-%m-%d %H:%M", "%Y-%m-%d %H:%M:%S", "%Y-%m-%dT%H:%M", "%Y-%m-%dT%H:%M:%S"]),
    metavar="'YYYY-MM-DD HH:MM[:SS]'",
    help="Only rounds in play at this minute or second, UTC.",
)
@click.option(
    "--verdict", type=click.Choice([str(verdict) for verdict in Verdict]), help="Only rounds with this verdict."
)
@click.option("--day", type=click.DateTime(["%Y-%m-%d"]), help="Only this gaming day.")
@click.option(
    "--marked", is_flag=True, help="Only rounds built on data that failed an expectation (muckraker quality)."
)
@limit_option
@json_option
@home_option
@color_option
@pass_settings
def rounds(
    settings: Settings,
    table_id: str | None,
    moment: datetime | None,
    verdict: str | None,
    day: datetime | None,
    marked: bool,
    limit: int,
) -> None:
    """List rounds with their verdicts, in the order they were opened. Times are in UTC."""
    conditions: list[str] = ["TRUE"]
    parameters: list[object] = []
    for column, value in (("table_id", table_id), ("verdict", verdict)):
        if value is not None:
            conditions.append(f"{column} = ?")
            parameters.append(value)
    if day is not None:
        conditions.append("gaming_day = CAST(? AS DATE)")
        parameters.append(f"{day:%Y-%m-%d}")
    if marked:
        conditions.append("failed_checks IS NOT NULL")
    if moment is not None:
        conditions.append("opened_at < ? AND closed_at >= ?")
        parameters += [moment + (timedelta(seconds=1) if moment.second else timedelta(minutes=1)), moment]
    where = " AND ".join(conditions)
    home = settings.home()
    settings.note_unchecked(home)
    with Warehouse(home.lake_path) as warehouse:
        if table_id is not None:
            check_table(warehouse, table_id)
        number = int(warehouse.rows(f"SELECT count(*) AS n FROM rounds WHERE {where}", parameters)[0]["n"])
        rows = warehouse.rows(
            f"SELECT {_LIST_COLUMNS} FROM rounds WHERE {where} "
            f"ORDER BY opened_at, table_id, first_seq LIMIT {limit or 'ALL'}",
            parameters,
        )
    if settings.as_json:
        settings.lines(rows)
        return
    if not rows:
        click.echo("No rounds.")
        return
    built_on_failed = any(row["failed_checks"] for row in rows)
    made = show.table(
        ("round", "whole"),
        ("played", "whole"),
        "dealer",
        ("verdict", "whole"),
        "why",
        "attested",
        *(["built on data that failed"] if built_on_failed else []),
    )
    for row in rows:
        made.add_row(
            f"{row['table_id']}/{row['round_id']}",
            show.span(row["opened_at"], row["closed_at"]),
            row["dealer"] or "",
            show.verdict_text(row["verdict"]),
            Text(row["reason"]),
            "yes" if row["attested"] else "no",
            *([Text(", ".join(row["failed_checks"] or []), style="yellow")] if built_on_failed else []),
        )
    settings.out.print(made)
    click.echo(show.how_many(len(rows), number, "round"))


def check_table(warehouse: Warehouse, table_id: str) -> None:
    """A table nobody ever heard of is a slip of the pen, not a clean one."""
    if not warehouse.rows("SELECT 1 FROM records WHERE table_id = ? LIMIT 1", [table_id]):
        known = [
            str(row["table_id"]) for row in warehouse.rows("SELECT table_id FROM tables ORDER BY table_id LIMIT 30")
        ]
        there = f"recorded are: {', '.join(known)}" if known else "nothing is checked yet, type `muckraker run`"
        raise BadInput(f"nothing is recorded of table {table_id}; {there}")


@click.group("round", cls=Group)
def round_group() -> None:
    """One round in full: show."""


@round_group.command(
    "show",
    examples=[
        "muckraker round show PG-01/20261117-0017",
        "muckraker round show PG-01/20261117-0017 --explain",
        "muckraker round show PG-01/20261117-0017 --events",
        "muckraker round show PG-01/20261117-0017 --version 1 --json",
    ],
)
@click.argument("place", metavar="TABLE/ROUND")
@click.option("--version", "wanted", type=click.IntRange(1), help="An older version, where late events made a new one.")
@click.option("--events", "with_events", is_flag=True, help="Also every event of the round, as the devices said it.")
@click.option(
    "--explain",
    "how",
    is_flag=True,
    help="Also how the rack was read, step by step, what else it may have been, and what would change it.",
)
@json_option
@home_option
@color_option
@pass_settings
def round_show(settings: Settings, place: str, wanted: int | None, with_events: bool, how: bool) -> None:
    """One round: wagers, deal, rack, hands, what it should have paid beside what was reported, findings and rules."""
    table_id, slash, round_id = place.partition("/")
    table_id = table_id.upper()  # table ids have no small letters
    if not (table_id and slash and round_id):
        raise BadInput(f"{place!r} is not TABLE/ROUND, such as PG-01/20261117-0017")
    key = [table_id, round_id]
    with Warehouse(settings.home().lake_path) as warehouse:
        check_table(warehouse, table_id)
        versions = warehouse.rows(
            "SELECT version, verdict, reason, newest, gaming_day, failed_checks FROM round_versions "
            "WHERE table_id = ? AND round_id = ? ORDER BY version",
            key,
        )
        if not versions:
            raise BadInput(_unknown_round(warehouse, table_id, round_id))
        version = versions[-1]["version"] if wanted is None else wanted
        if version not in [row["version"] for row in versions]:
            raise BadInput(f"{place} has {show.counted(len(versions), 'version')}, not a version {version}")
        stored = warehouse.lake_rounds("table_id = ? AND round_id = ? AND version = ?", [*key, version])
        findings = warehouse.rows(
            "SELECT * FROM finding_versions WHERE table_id = ? AND round_id = ? "
            "AND (round_version = ? OR code LIKE 'GATE-%' OR code = 'FILING-001') AND code NOT LIKE 'QUALITY-%' "
            "ORDER BY seq, code, seat, sentence",
            [*key, version],
        )
        corrections = _corrections(warehouse, key, int(stored.column("last_seq")[0].as_py()))
        events = _events(warehouse, key) if with_events else None
        said = next(row for row in versions if row["version"] == version)
        data_quality = _data_quality(warehouse, table_id, said, stored)
        versions = [{name: row[name] for name in ("version", "verdict", "reason", "newest")} for row in versions]
    report = {**explain_round(stored, how), "corrections": corrections, "data_quality": data_quality}
    if report["verdict"] != said["verdict"] or report["reason"] != said["reason"]:
        settings.note(
            f"the lake holds the verdict {said['verdict']} {said['reason']}, this Muckraker says {report['verdict']} "
            f"{report['reason']}: the rules it ships have changed since; see `muckraker reaudit`"
        )
    if settings.as_json:
        document = {**report, "versions": versions, "findings": findings}
        settings.document(document if events is None else {**document, "events": events})
        return
    print_round(settings.out, report, versions, findings, events)


def _data_quality(warehouse: Warehouse, table_id: str, version: dict[str, Any], stored: pa.Table) -> dict[str, Any]:
    """What the verdict stands on: `checked` says whether anybody looked, `failed` what did not pass."""
    first, last = (int(stored.column(name)[0].as_py()) for name in ("first_seq", "last_seq"))
    failed: list[dict[str, Any]] = []
    if version["failed_checks"]:
        failed = warehouse.rows(
            'SELECT code, title, "check", device, sentence FROM quality_failures WHERE table_id = ? '
            "AND len(list_filter(marks, lambda mark: mark[1] <= ? AND mark[2] >= ?)) > 0 ORDER BY code, seq, sentence",
            [table_id, last, first],
        )
    return {"checked": bool(failed) or not not_checked(warehouse, table_id, version["gaming_day"]), "failed": failed}


def _corrections(warehouse: Warehouse, key: list[str], last_seq: int) -> list[dict[str, Any]]:
    """What was taken back in this version, by whom and why: the corrected event itself stays as it was said."""
    rows = warehouse.rows(
        "SELECT seq, json FROM events WHERE table_id = ? AND round_id = ? AND seq <= ? "
        "AND event_type = 'muckraker.round.corrected.v1' ORDER BY seq",
        [*key, last_seq],
    )
    return [{"seq": row["seq"], **orjson.loads(row["json"])["data"]} for row in rows]


def _events(warehouse: Warehouse, key: list[str]) -> list[dict[str, Any]]:
    rows = warehouse.rows(
        "SELECT seq, happened_at, event_type, source, event_id, sha256, json FROM events "
        "WHERE table_id = ? AND round_id = ? ORDER BY seq",
        key,
    )
    for row in rows:
        row["data"] = orjson.dumps(orjson.loads(row.pop("json"))["data"]).decode()
    return rows


def _unknown_round(warehouse: Warehouse, table_id: str, round_id: str) -> str:
    if warehouse.rows("SELECT 1 FROM records WHERE table_id = ? AND round_id = ? LIMIT 1", [table_id, round_id]):
        return f"{table_id}/{round_id} is recorded but not closed yet; `muckraker query` shows its events"
    span = warehouse.rows(
        "SELECT min(round_id) AS first, max(round_id) AS last, count(*) AS n FROM rounds WHERE table_id = ?", [table_id]
    )[0]
    if not span["n"]:
        return f"no round of {table_id} is recorded"
    known = f"{show.counted(span['n'], 'round')}, {span['first']} to {span['last']}"
    return f"{table_id} has no round {round_id}; it has {known}"
