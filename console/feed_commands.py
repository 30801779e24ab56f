"""Commands that put events into the log: simulate, ingest."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime
from functools import partial
from itertools import islice
from pathlib import Path
from typing import BinaryIO

import click
import orjson

from console import show
from console.command import Command, Settings, color_option, home_option, json_option, pass_settings
from console.exits import BadInput, Exit, HomeTrouble
from console.home import TOPIC, Home
from console.key_commands import register
from ingest.jsonl import Counts, append_file
from ingest.log import EventLog
from ingest.simulator import USUAL_GAMES, Labels, Plan, default_plan, game_called, game_names, kinds_of, table_keys
from ingest.simulator import simulate as simulated_events
from ingest.sqlite_log import SqliteLog

BATCH = 5_000
DEFAULT_FAULT_RATE = 0.02
STDIN = Path("-")


def games_of(text: str | None, tables: int) -> list[str]:
    """The games an option names, as their packs are called, or the usual ones; BadInput names those there are."""
    if text is None:
        return list(USUAL_GAMES)
    try:
        games = [game_called(name.strip()).name for name in text.split(",") if name.strip()]
    except ValueError as error:
        raise BadInput(f"--games: {error}") from error
    if not games:
        raise BadInput(f"--games names none; there are: {', '.join(game_names())}")
    games = list(dict.fromkeys(games))
    if len(games) > tables:
        raise BadInput(f"--games names {len(games)} games, and --tables is {tables}: give each a table at least")
    return games


def plan_of(
    seed: int, tables: int, rounds: int, faults: str, fault_rate: float, day: date, games: Sequence[str]
) -> Plan:
    """The simulator's plan for what the options say; `rounds` are those of all tables together."""
    rounds_each = max(1, round(rounds / tables))
    counts: dict[str, int] = {}
    if faults not in ("none", "all"):
        kinds = [kind.strip() for kind in faults.split(",") if kind.strip()]
        there = kinds_of(games)
        for kind in kinds:
            if kind not in there:
                where = f" at {', '.join(games)}" if kind in kinds_of(game_names()) else ""
                raise BadInput(f"there is no fault {kind!r}{where}; there are: none, all, {', '.join(there)}")
        counts = dict.fromkeys(kinds, max(1, round(fault_rate * rounds_each * tables / len(kinds))))
    rate = fault_rate if faults == "all" else 0.0
    try:
        return default_plan(seed, tables, rounds_each, counts, fault_rate=rate, gaming_day=day, games=games)
    except ValueError as error:
        raise BadInput(str(error)) from error


def append_simulated(home: Home, plan: Plan, bar: show.Bar) -> tuple[Labels, int]:
    """Play the plan into the home's log, with its keys and labels; the labels and how many events there were."""
    keys = home.keys()
    known = sorted(set(keys.list()) & {table.table_id for table in plan.tables})
    if known:
        raise HomeTrouble(
            f"{home.path} already has events of {show.joined(known)}, and a table has one stream only; "
            "name another home with --home, write a file with --out, or remove that home"
        )
    for table_id, public_hex in table_keys(plan).items():
        keys.register(table_id, public_hex)
    labels, events = Labels(), 0
    log = home.log()
    append = _appending(log, plan)
    simulated = simulated_events(plan, labels)
    try:
        while batch := list(islice(simulated, BATCH)):
            append(batch)
            events += len(batch)
            bar.show(events, None)
    finally:
        log.close()
    labels.write_labels(home.labels_path)
    return labels, events


def _appending(log: EventLog, plan: Plan) -> Callable[[list[tuple[str, bytes]]], None]:
    """In the embedded log simulated devices are logged at a simulated time: the same plan gives the same lake, byte for
    byte. A cluster stamps records with its own clock and with no other."""
    if not isinstance(log, SqliteLog):
        return partial(log.append, TOPIC)
    opened = datetime(plan.gaming_day.year, plan.gaming_day.month, plan.gaming_day.day, tzinfo=UTC)
    return partial(log.append, TOPIC, timestamp_us=int(opened.timestamp()) * 1_000_000)


def _write_simulated(out: Path, plan: Plan, bar: show.Bar) -> tuple[Labels, int]:
    keys_path, labels_path = out.with_suffix(".keys.json"), out.with_suffix(".labels.jsonl")
    for path in (out, keys_path, labels_path):
        if path.exists():
            raise BadInput(f"{path} is there already; remove it or give another name")
    labels, events = Labels(), 0
    try:
        with out.open("wb") as file:
            for _, event in simulated_events(plan, labels):
                file.write(event + b"\n")
                events += 1
                if events % BATCH == 0:
                    bar.show(events, None)
        keys_path.write_bytes(orjson.dumps(table_keys(plan), option=orjson.OPT_INDENT_2 | orjson.OPT_SORT_KEYS))
        labels.write_labels(labels_path)
    except OSError as error:
        raise HomeTrouble(f"{error.filename or out} cannot be written: {error.strerror}") from error
    return labels, events


@click.command(
    cls=Command,
    examples=[
        "muckraker simulate --tables 4 --rounds 400 --seed 7",
        "muckraker simulate --faults wrong_payout,fee_not_taken --fault-rate 0.05",
        "muckraker simulate --games ma/supreme_pai_gow,ca/fortune_pai_gow --tables 2",
        "muckraker simulate --faults none --out clean-day.jsonl",
    ],
)
@click.option("--tables", type=click.IntRange(1, 99), default=6, show_default=True, help="How many tables.")
@click.option(
    "--games",
    metavar="PACK,PACK",
    help=f"Which games are played, at the tables in turn, of {', '.join(game_names())}.  "
    f"[default: {','.join(USUAL_GAMES)}]",
)
@click.option("--rounds", type=click.IntRange(1), default=1200, show_default=True, help="How many rounds in all.")
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed gives the same bytes.")
@click.option(
    "--faults", default="all", show_default=True, metavar="none|all|KIND,KIND", help="What goes wrong on purpose."
)
@click.option(
    "--fault-rate",
    type=click.FloatRange(0, 0.5),
    default=DEFAULT_FAULT_RATE,
    show_default=True,
    help="Share of rounds.",
)
@click.option(
    "--day", type=click.DateTime(["%Y-%m-%d"]), default="2026-11-17", show_default=True, help="The gaming day."
)
@click.option("--out", type=click.Path(path_type=Path, dir_okay=False), help="A JSONL file, instead of the home's log.")
@json_option
@home_option
@color_option
@pass_settings
def simulate(
    settings: Settings,
    tables: int,
    games: str | None,
    rounds: int,
    seed: int,
    faults: str,
    fault_rate: float,
    day: datetime,
    out: Path | None,
) -> None:
    """Play simulated tables into the log, or into a file.

    With --out FILE.jsonl the public keys go to FILE.keys.json and what was done wrong on purpose to FILE.labels.jsonl.
    """
    plan = plan_of(seed, tables, rounds, faults, fault_rate, day.date(), games_of(games, tables))
    with settings.bar("simulating") as bar:
        if out is not None:
            labels, events = _write_simulated(out, plan, bar)
        else:
            home = settings.home_to_write()
            try:
                labels, events = append_simulated(home, plan, bar)
            except KeyboardInterrupt:
                click.echo(f"muckraker: interrupted; the day in {home.path} is half played: remove that home", err=True)
                click.get_current_context().exit(Exit.INTERRUPTED)
    rounds_played = plan.rounds_per_table * len(plan.tables)
    if settings.as_json:
        settings.document(
            {
                "tables": [table.table_id for table in plan.tables],
                "rounds": rounds_played,
                "events": events,
                "faults": len(labels.injected),
                "faults_without_opportunity": len(labels.unplaced),
                "out": None if out is None else str(out),
            }
        )
        return
    where = str(out) if out is not None else home.log_name
    click.echo(
        f"{show.counted(rounds_played, 'round')} at {show.counted(tables, 'table')}: "
        f"{show.counted(events, 'event')} in {where}; {show.counted(len(labels.injected), 'fault')} on purpose."
    )
    if labels.unplaced:
        click.echo(f"{show.counted(len(labels.unplaced), 'fault')} found no round to happen in.")
    click.echo(
        f"Next: muckraker ingest {out} --keys {out.with_suffix('.keys.json')}"
        if out is not None
        else "Next: muckraker run"
    )


@click.command(
    cls=Command,
    examples=["muckraker ingest day.jsonl --keys day.keys.json", "zcat day.jsonl.gz | muckraker ingest -"],
)
@click.argument("files", nargs=-1, required=True, metavar="FILE.jsonl ...", type=click.Path(path_type=Path))
@click.option(
    "--keys", "keys_file", type=click.Path(path_type=Path, dir_okay=False), help="Public keys: {table: 64 hex digits}."
)
@json_option
@home_option
@color_option
@pass_settings
def ingest(settings: Settings, files: tuple[Path, ...], keys_file: Path | None) -> None:
    """Append events from outside to the log, one CloudEvent a line (`-` is standard input).

    Nothing is judged yet: a broken line is recorded too, and `muckraker run` quarantines it with the reason.
    """
    for file in files:
        if file != STDIN and not file.is_file():
            raise BadInput(
                f"{file} is a folder, not a file of events" if file.is_dir() else f"{file}: there is no such file"
            )
    read_keys = _read_keys(keys_file) if keys_file is not None else {}
    home = settings.home_to_write()
    ring = home.keys()
    for table_id, public_hex in read_keys.items():
        register(ring, table_id, public_hex)
    log = home.log()
    counts: list[tuple[str, Counts]] = []
    try:
        with settings.bar("recording") as bar:
            for file in files:
                source: Path | BinaryIO = sys.stdin.buffer if file == STDIN else file
                counts.append((str(file), append_file(log, TOPIC, source, lambda now: bar.show(now.appended, None))))
    finally:
        log.close()
    if settings.as_json:
        settings.lines({"file": name, **vars(count)} for name, count in counts)
        return
    for name, count in counts:
        click.echo(f"{name}: {show.counted(count.appended, 'record')} appended{_remarks(count)}.")
    click.echo("Next: muckraker run")


def _remarks(count: Counts) -> str:
    said = [
        (count.blank, "blank lines skipped"),
        (count.without_table, "without a readable tableid (recorded; they will be quarantined)"),
        (count.oversize, "too long (recorded; they will be quarantined)"),
        (count.truncated, "cut to 1 MiB"),
    ]
    return "".join(f", {number:,} {what}" for number, what in said if number)


def _read_keys(path: Path) -> dict[str, str]:
    try:
        read = orjson.loads(path.read_bytes())
    except OSError as error:
        raise BadInput(f"{path} cannot be read: {error.strerror}") from error
    except orjson.JSONDecodeError as error:
        raise BadInput(f"{path} is not JSON: {error}") from error
    if not isinstance(read, dict) or not all(isinstance(value, str) for value in read.values()):
        raise BadInput(f'{path}: keys are written {{"PG-01": "64 hex digits", ...}}')
    return read
