"""`muckraker demo`: a simulated gaming day with planted faults, audited, and what came of it."""

from __future__ import annotations

import os
import shutil
import sys
from collections import Counter
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from shlex import quote
from time import perf_counter
from typing import Any

import click
import orjson
from rich.text import Text

from analytics.warehouse import Warehouse
from console import show
from console.command import Command, Settings, color_option, home_option, json_option, pass_settings
from console.exits import BadInput
from console.feed_commands import append_simulated
from console.home import DEMO_HOME, MARK, TOPIC, Home, is_home, make_home, open_home
from console.money_check import PATRONS, WAYS, check_money
from console.pipeline import drain
from ingest.simulator import CATALOGUE as FAULTS
from ingest.simulator import default_plan
from schemas.findings import CATALOGUE

TABLES = 8
ROUNDS = 3_000
DAY = date(2026, 11, 17)
ROUNDS_A_FAULT = 1_000  # each kind of fault happens about so often


@dataclass(frozen=True)
class Scored:
    """What was done wrong on purpose beside what was found."""

    injected: int
    found: int
    missed: list[dict[str, Any]]
    unplanted: list[str]  # rounds with findings where nothing was planted


@click.command(
    cls=Command, examples=["muckraker demo", "muckraker demo --seed 7 --rounds 1000", "muckraker demo --keep"]
)
@click.option("--seed", type=int, default=1, show_default=True, help="The same seed gives the same day.")
@click.option(
    "--rounds", type=click.IntRange(TABLES, 200_000), default=ROUNDS, show_default=True, help="Rounds in all."
)
@click.option("--keep", is_flag=True, help="Show the demo day that is there, instead of making a new one.")
@json_option
@home_option
@color_option
@pass_settings
def demo(settings: Settings, seed: int, rounds: int, keep: bool) -> None:
    """Simulate a gaming day at eight tables with every kind of fault, audit it, and show what was found.

    It has a home of its own (muckraker-home/demo) and starts again from nothing each time; no other home is touched.
    """
    began = perf_counter()
    path = _demo_path(settings)
    if keep and is_home(path):
        home, run = open_home(path), None
        if not home.demo:
            raise BadInput(f"{path} is not a demo's home; leave --keep out, or name another with --home")
    else:
        home = _fresh_home(path)
        each = max(1, round(rounds / TABLES))
        faults = dict.fromkeys(FAULTS, max(1, round(rounds / ROUNDS_A_FAULT)))
        plan = default_plan(seed, TABLES, each, faults, gaming_day=DAY)
        with settings.bar("simulating the tables") as bar:
            append_simulated(home, plan, bar)
        with settings.bar("checking") as bar:
            run = drain(home, progress=lambda done, total, rounds: bar.show(done, total))
    with Warehouse(home.lake_path) as warehouse:
        summary = _summary(warehouse)
        scored = _score(warehouse, home)
    summary |= {
        "home": str(home.path),
        "seconds": round(perf_counter() - began, 1),
        "run": run.document() if run is not None else None,
        "faults_injected": scored.injected,
        "faults_found": scored.found,
        "faults_missed": scored.missed,
        "flagged_without_fault": scored.unplanted,
    }
    if settings.as_json:
        settings.document(summary)
    else:
        _print(settings, summary)


def _demo_path(settings: Settings) -> Path:
    path = settings.home_path
    if settings.named_home is not None or (is_home(path) and open_home(path).demo):
        return path
    return path / DEMO_HOME.name


def _fresh_home(path: Path) -> Home:
    """An empty demo home; only one that says it is a demo's is ever removed."""
    if is_home(path):
        home = open_home(path)
        if not home.demo:
            raise BadInput(f"{path} is not a demo's home, and the demo starts from nothing; name another with --home")
        lake = home.lake()
        for partition in range(home.partitions):  # somebody may be working on it
            lake.own(TOPIC, partition)
            lake.release(TOPIC, partition)
        # Its mark goes last: a removal broken off half-way can be repeated.
        for part in path.iterdir():
            if part.name != MARK:
                shutil.rmtree(part) if part.is_dir() else part.unlink()
        shutil.rmtree(path)
    elif path.is_dir() and any(path.iterdir()):
        raise BadInput(f"{path} is a folder with other things in it; name another with --home")
    return make_home(path, demo=True)


def _summary(warehouse: Warehouse) -> dict[str, Any]:
    verdicts = {
        row["verdict"]: row["n"] for row in warehouse.rows("SELECT verdict, count(*) AS n FROM rounds GROUP BY verdict")
    }
    check = check_money(warehouse)
    patrons = check["accounts"].get(PATRONS, {}).get("findings", {"too_little": 0, "too_much": 0})
    money = {"patrons_short": patrons["too_little"], "patrons_too_much": patrons["too_much"]}
    return {
        "tables": warehouse.rows(
            "SELECT table_id, pack, rounds, verified, differs, void, cannot_tell, findings "
            "FROM tables ORDER BY table_id"
        ),
        "rounds": sum(verdicts.values()),
        "events": int(warehouse.rows("SELECT count(*) AS n FROM records")[0]["n"]),
        "verdicts": verdicts,
        "findings": warehouse.rows(
            "SELECT code, any_value(title) AS title, any_value(severity) AS severity, count(*) AS count, "
            "sum(abs(difference_cents))::BIGINT AS cents FROM findings GROUP BY code ORDER BY code"
        ),
        "money_cents": money,
        "money_check": check,
        "sample": next(
            iter(
                warehouse.rows(
                    "SELECT code, table_id, round_id, sentence, citation, difference_cents FROM findings "
                    "WHERE round_id IS NOT NULL ORDER BY code <> 'SETTLE-101', code LIKE 'GATE-%', "
                    "abs(difference_cents) DESC, table_id, seq LIMIT 1"
                )
            ),
            None,
        ),
    }


def _score(warehouse: Warehouse, home: Home) -> Scored:
    """Only now, after the audit, are the labels read."""
    if not home.labels_path.exists():
        return Scored(0, 0, [], [])
    labels = [orjson.loads(line) for line in home.labels_path.read_bytes().splitlines()]
    found = Counter(
        (row["table_id"], row["round_id"], row["code"])
        for row in warehouse.rows(
            "SELECT DISTINCT table_id, round_id, code FROM findings WHERE code NOT IN (SELECT code FROM quality_checks)"
        )
    )
    missed = [label for label in labels if not found[label["table"], label["round"], label["code"]]]
    planted = {(label["table"], label["round"]) for label in labels}
    unplanted = sorted({f"{table}/{played}" for table, played, _ in found if (table, played) not in planted})
    return Scored(len(labels), len(labels) - len(missed), missed, unplanted)


def _print(settings: Settings, summary: dict[str, Any]) -> None:
    out, rounds = settings.out, summary["rounds"]
    out.print(Text(f"A gaming day at {show.counted(len(summary['tables']), 'table')}", style="bold"))
    made = show.table(
        ("table", "whole"),
        ("rules", "whole"),
        *((name, "right") for name in ("rounds", "verified", "differs", "void", "cannot tell", "findings")),
    )
    for row in summary["tables"]:
        numbers = (f"{row[name]:,}" for name in ("rounds", "verified", "differs", "void", "cannot_tell", "findings"))
        made.add_row(row["table_id"], row["pack"], *numbers)
    out.print(show.indented(made))
    counted = f"{show.counted(summary['events'], 'event')}, {show.counted(rounds, 'round')}"
    out.print(show.indented(f"{counted}: {_verdicts(summary['verdicts'], rounds)}."))
    _print_findings(settings, summary)
    run = summary["run"]
    if run is not None:
        rates = f"{run['rounds_per_second']:,} rounds/s ({run['records_per_second']:,} events/s)"
        took = f"{summary['seconds']} s for the whole demo"
        out.print(show.indented(f"Checked at {rates}, signatures and all; {took}."))
    _print_score(settings, summary)
    _print_next(settings, summary)


_IN_WORDS = {"differs": "differ", "void": "void", "cannot_tell": "left open", "cannot_judge": "cannot be judged"}


def _verdicts(verdicts: dict[str, int], rounds: int) -> str:
    verified = verdicts.get("verified", 0)
    rest = [f"{verdicts[name]:,} {words}" for name, words in _IN_WORDS.items() if name in verdicts]
    return ", ".join([f"{verified:,} verified ({verified / max(rounds, 1):.1%})", *rest])


def _print_findings(settings: Settings, summary: dict[str, Any]) -> None:
    out = settings.out
    out.print()
    out.print(Text("What was found", style="bold"))
    made = show.table("code", "severity", "what", ("findings", "right"), ("money", "right"))
    for row in summary["findings"]:
        made.add_row(
            row["code"],
            show.severity_text(row["severity"]),
            row["title"],
            f"{row['count']:,}",
            show.money(row["cents"]) if row["cents"] else "",
        )
    out.print(show.indented(made))
    money = summary["money_cents"]
    stake = (
        f"Money at stake, net: patrons are {show.money(money['patrons_short'])} short and have "
        f"{show.money(money['patrons_too_much'])} too much."
    )
    out.print(show.indented(stake))
    _print_money_check(settings, summary["money_check"])
    sample = summary["sample"]
    if sample is not None:
        out.print()
        out.print(Text("For example", style="bold"))
        out.print(show.indented(Text(f"{sample['code']} {show.cards_in(sample['sentence'])}")))
        out.print(show.indented(Text(sample["citation"], style="italic dim")))
        out.print()


def _print_money_check(settings: Settings, check: dict[str, Any]) -> None:
    """The same sums by the findings, by the ledgers and by the rounds' pages, side by side."""
    out = settings.out
    out.print()
    by = [(f"by {words}", "right") for words in ("the findings", "the ledgers", "round show")]
    made = show.table("whose money", "", *by, "")
    for kind, sums in check["accounts"].items():
        for side, words in (("too_little", "too little"), ("too_much", "too much")):
            each = [sums[way][side] for way in WAYS]
            if any(each):
                mark = "✓" if len(set(each)) == 1 else "✗"
                made.add_row(kind, words, *(show.money(cents) for cents in each), mark)
    out.print(show.indented(made))
    rounds = show.counted(check["rounds"]["ledger"], "round")
    if check["agrees"]:
        said = (
            f"Findings, ledgers and round show agree to the cent, account by account, in {rounds} whose money differs."
        )
        out.print(show.indented(Text(said, style="green")))
    else:
        out.print(show.indented(Text("Findings, ledgers and round show do not agree.", style="bold red")))


def _print_score(settings: Settings, summary: dict[str, Any]) -> None:
    injected, found = summary["faults_injected"], summary["faults_found"]
    if not injected:
        return
    unplanted = summary["flagged_without_fault"]
    style = "green" if injected == found and not unplanted else "bold red"
    score = f"Faults planted {injected}, found under their code {found}"
    score += f"; rounds flagged where none was planted {len(unplanted)}."
    settings.out.print(show.indented(Text(score, style=style)))
    for label in summary["faults_missed"][:10]:
        what = f"{label['code']} {CATALOGUE[label['code']].title}, {label['table']}/{label['round']}"
        settings.out.print(Text(f"    missed: {what}: {label['detail']}"))
    for place in unplanted[:10]:
        settings.out.print(Text(f"    nothing planted, but flagged: {place}"))


def _print_next(settings: Settings, summary: dict[str, Any]) -> None:
    sample = summary["sample"]
    name = _how_to_call()
    home = "" if summary["home"] == str(DEMO_HOME) else f" --home {quote(summary['home'])}"
    commands = [
        *([f"{name} round show {sample['table_id']}/{sample['round_id']}{home}"] if sample is not None else []),
        f"{name} findings --severity high{home}",
        f'{name} query "SELECT dealer, count(*) FROM findings GROUP BY dealer ORDER BY 2 DESC"{home}',
        f"{name} quality{home}",
        f"{name} reaudit{home}",
    ]
    settings.out.print()
    settings.out.print(Text("Next, type", style="bold"))
    for command in commands:
        click.echo(f"  {command}")


def _how_to_call() -> str:
    """What to type: `make demo` leaves the command in the environment's folder, where the shell does not look."""
    called = Path(sys.argv[0])
    if called.name != "muckraker" or shutil.which("muckraker"):
        return "muckraker"
    return quote(os.path.relpath(called))
