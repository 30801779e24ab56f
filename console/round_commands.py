"""Commands that look at rounds: the list, and one round in full."""

from __future__ import annotations

from datetime import datetime
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
    zone_option,
)
from console.exits import BadInput
from console.filters import (
    SEVERITY_RANK,
    TIMES_HELP,
    Filter,
    Filters,
    asked_for,
    check_table,
    filters_for,
    named,
    nothing,
    place_options,
    sort_option,
)
from console.quality_summary import not_checked
from console.times import When
from console.transcript import print_round
from replay.assembling.closed_rounds import device_id
from replay.explain import explain_round
from schemas.findings import Verdict

_LIST_COLUMNS = (
    "table_id, round_id, version, verdict, reason, gaming_day, dealer, pack, opened_at, closed_at, attested, "
    "contested, first_seq, last_seq, failed_checks, severity, money_cents"
)
# A round is as bad as the worst finding that stands about it; one that is left open is worse than one that is not.
_SOURCE = (
    "(SELECT * FROM rounds LEFT JOIN (SELECT table_id, round_id, arg_min(severity, rank) AS severity, "
    "min(rank) AS rank, sum(abs(coalesce(difference_cents, 0)))::BIGINT AS money_cents "
    f"FROM (SELECT *, {SEVERITY_RANK} AS rank FROM findings) GROUP BY ALL) USING (table_id, round_id))"
)
_RANK = "coalesce(rank, CASE WHEN verdict LIKE 'cannot%' THEN 8 ELSE 9 END)"
_MONEY = "coalesce(money_cents, 0) DESC"
_TIME = "coalesce(opened_at, closed_at)"
_ORDERS = {
    "worst": f"{_RANK}, {_MONEY}, {_TIME}",
    "money": f"{_MONEY}, {_RANK}, {_TIME}",
    "time": _TIME,
}


@click.command(
    cls=Command,
    examples=[
        "muckraker rounds --table PG-01 --at 21:43",
        "muckraker rounds --table PG-01 --at 'yesterday 21:43' --time-zone America/Los_Angeles",
        "muckraker rounds --day 2026-11-17 --from 21:00 --to 02:00 --dealer D-124 --sort time",
        "muckraker rounds --table PG-01 --seat 3 --sort money --limit 20",
        "muckraker rounds --verdict cannot_tell --json",
    ],
    notes={"Times": TIMES_HELP},
)
@place_options
@click.option(
    "--verdict", type=click.Choice([str(verdict) for verdict in Verdict]), help="Only rounds with this verdict."
)
@click.option(
    "--marked", is_flag=True, help="Only rounds built on data that failed an expectation (muckraker quality)."
)
@sort_option(
    "worst: by the worst finding's severity, then by the money of all of them, then by time; money: the most money "
    "first; time: in the order they were opened."
)
@limit_option
@json_option
@zone_option
@home_option
@color_option
@pass_settings
def rounds(
    settings: Settings,
    table_id: str | None,
    day: datetime | None,
    moment: When | None,
    since: When | None,
    until: When | None,
    dealer: str | None,
    seat: int | None,
    verdict: str | None,
    marked: bool,
    sort: str,
    limit: int,
) -> None:
    """List rounds with their verdicts, the worst first.

    Worst first is by the severity of the worst finding about a round, then by the money at stake in all of them, then
    by time; then come rounds that are left open (cannot tell), and then the rest. --sort time lists them as they were
    opened.
    """
    asked = asked_for(table_id, None, day, moment, since, until, dealer, seat)
    own = []
    if verdict is not None:
        words = f"with the verdict {verdict.replace('_', ' ')}"
        own.append(Filter(f"--verdict {verdict}", words, "verdict = ?", "TRUE", (verdict,), nearest=_verdicts))
    if marked:
        words = "built on data that failed an expectation"
        own.append(Filter("--marked", words, "failed_checks IS NOT NULL", "TRUE", (), nearest=_checked))
    home = settings.home()
    settings.note_unchecked(home)
    with Warehouse(home.lake_path) as warehouse:
        scope = filters_for(settings, warehouse, asked)
        every = scope + own
        where, parameters = every.where("rounds")
        number = every.count(warehouse, "rounds")
        rows = warehouse.rows(
            f"SELECT {_LIST_COLUMNS} FROM {_SOURCE} WHERE {where} "
            f"ORDER BY {_ORDERS[sort]}, table_id, first_seq LIMIT {limit or 'ALL'}",
            parameters,
        )
        empty = "" if rows else nothing(warehouse, scope, own, "rounds", "rounds")
    if not rows:
        click.echo(empty, err=settings.as_json)
        return
    if settings.as_json:
        settings.lines(rows)
        return
    built_on_failed = any(row["failed_checks"] for row in rows)
    made = show.table(
        ("round", "whole"),
        ("played", "whole"),
        "dealer",
        ("verdict", "whole"),
        ("severity", "whole"),
        "why",
        ("at stake", "right"),
        "attested",
        *(["built on data that failed"] if built_on_failed else []),
    )
    for row in rows:
        made.add_row(
            f"{row['table_id']}/{row['round_id']}",
            settings.times.span(row["opened_at"], row["closed_at"]),
            row["dealer"] or "",
            show.verdict_text(row["verdict"]),
            show.severity_text(row["severity"]) if row["severity"] else Text(""),
            Text(show.cards_in(row["reason"])),
            show.money(row["money_cents"]) if row["money_cents"] else "",
            _attested(row),
            *([Text(", ".join(row["failed_checks"] or []), style="yellow")] if built_on_failed else []),
        )
    settings.out.print(made)
    click.echo(show.how_many(len(rows), number, "round"))


def _attested(row: dict[str, Any]) -> Text:
    if row["contested"]:
        return Text("yes; an unsigned correction says otherwise", style="yellow")
    return Text("yes") if row["attested"] else Text("unattested", style="yellow")


def _verdicts(warehouse: Warehouse, scope: Filters) -> str:
    where, parameters = scope.where("rounds")
    rows = warehouse.rows(
        f"SELECT verdict, count(*) AS n FROM rounds WHERE {where} GROUP BY ALL ORDER BY 2 DESC", parameters
    )
    said = [f"{row['verdict'].replace('_', ' ')} ({row['n']:,})" for row in rows]
    return f"The verdicts there are: {show.joined(said)}."


def _checked(warehouse: Warehouse, scope: Filters) -> str:
    days = [
        str(row["gaming_day"]) for row in warehouse.rows("SELECT DISTINCT gaming_day FROM quality_places ORDER BY 1")
    ]
    if not days:
        return "No data is checked yet: type `muckraker quality`."
    return f"The data of {named(days)} is checked."


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
@zone_option
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
            "SELECT version, verdict, reason, newest, stands, attested, gaming_day, failed_checks, last_seq "
            "FROM round_versions "
            "WHERE table_id = ? AND round_id = ? ORDER BY version",
            key,
        )
        if not versions:
            raise BadInput(_unknown_round(warehouse, table_id, round_id))
        stands = next(row["version"] for row in versions if row["stands"])
        version = stands if wanted is None else wanted
        if version not in [row["version"] for row in versions]:
            raise BadInput(f"{place} has {show.counted(len(versions), 'version')}, not a version {version}")
        stored = warehouse.lake_rounds("table_id = ? AND round_id = ? AND version = ?", [*key, version])
        findings = warehouse.rows(
            "SELECT * FROM finding_versions WHERE table_id = ? AND round_id = ? "
            "AND (round_version = ? OR code LIKE 'GATE-%' OR code = 'FILING-001' "
            "OR (code = 'ROUND-005' AND NOT superseded)) "
            "AND code NOT IN (SELECT code FROM quality_checks) "
            "ORDER BY seq, code, seat, sentence",
            [*key, version],
        )
        corrections = _corrections(warehouse, key, int(stored.column("last_seq")[0].as_py()))
        events = _events(warehouse, key) if with_events else None
        said = next(row for row in versions if row["version"] == version)
        data_quality = _data_quality(warehouse, table_id, said, stored)
        versions = _versions(warehouse, key, versions)
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
    print_round(settings.out, settings.times, report, versions, findings, events)


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


def _versions(warehouse: Warehouse, key: list[str], rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Every version of a round in brief: the verdict, whether it stands, what was found then, and who changed what."""
    found = warehouse.rows(
        "SELECT round_version, list(DISTINCT code ORDER BY code) AS codes, "
        "sum(difference_cents)::BIGINT AS difference "
        "FROM finding_versions WHERE table_id = ? AND round_id = ? AND code NOT LIKE 'GATE-%' "
        "AND code NOT LIKE 'QUALITY-%' AND code <> 'ROUND-005' GROUP BY ALL",
        key,
    )
    by_version = {row["round_version"]: row for row in found}
    history = []
    before = -1
    for row in rows:
        codes = by_version.get(row["version"], {"codes": [], "difference": 0})
        said = {name: row[name] for name in ("version", "verdict", "reason", "newest", "stands", "attested")}
        made_by = [] if before < 0 else _corrections(warehouse, key, row["last_seq"], before)
        history.append({**said, "codes": codes["codes"], "difference_cents": codes["difference"], "made_by": made_by})
        before = row["last_seq"]
    return history


def _corrections(warehouse: Warehouse, key: list[str], last_seq: int, after: int = -1) -> list[dict[str, Any]]:
    """What was taken back in this version, by whom and why: the corrected event itself stays as it was said."""
    rows = warehouse.rows(
        "SELECT seq, json FROM events WHERE table_id = ? AND round_id = ? AND seq <= ? AND seq > ? "
        "AND event_type = 'muckraker.round.corrected.v1' ORDER BY seq",
        [key[0], device_id(key[1]), last_seq, after],
    )
    return [{"seq": row["seq"], **orjson.loads(row["json"])["data"]} for row in rows]


def _events(warehouse: Warehouse, key: list[str]) -> list[dict[str, Any]]:
    rows = warehouse.rows(
        "SELECT seq, happened_at, event_type, source, event_id, sha256, json FROM events "
        "WHERE table_id = ? AND round_id = ? ORDER BY seq",
        [key[0], device_id(key[1])],
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
