"""`muckraker reaudit`: run the replay again over the lake's rounds, and say whether it comes to the same.

The lake is never changed. What the gate found, and a filing the assembly refused, is not the audit's and is left out.
What is done with a segment is in reaudit_segment.py, where it is done in reaudit_engines.py.
"""

from __future__ import annotations

from datetime import datetime
from functools import partial
from time import perf_counter
from typing import Any

import click

from analytics.warehouse import Warehouse, committed_segments
from console import show
from console.command import Command, Settings, color_option, home_option, json_option, pass_settings, table_option
from console.exits import BadInput, Exit
from console.filters import Asked, filters_for, nothing
from console.reaudit_engines import engine_named
from console.reaudit_segment import Compared, compare_segment


@click.command(
    cls=Command,
    examples=[
        "muckraker reaudit",
        "muckraker reaudit --table PG-01 --day 2026-11-17",
        "muckraker reaudit --jobs 4 --json",
        "muckraker reaudit --table PG-01 --deep",
        "muckraker reaudit --engine ray --address auto",
    ],
    exits={Exit.FOUND: "verdicts or findings differ from what the lake holds"},
)
@table_option
@click.option("--day", type=click.DateTime(["%Y-%m-%d"]), help="Only this gaming day.")
@click.option(
    "--jobs",
    type=click.IntRange(1, 100_000),
    help="Processes at a time [1; with --engine ray, all there are]. Each takes over a second to begin: more than one "
    "pays from about 50,000 rounds on, and only where as many processor cores are free.",
)
@click.option(
    "--engine",
    type=click.Choice(["local", "ray"]),
    default="local",
    show_default=True,
    help="Processes of this machine, or a Ray cluster whose nodes see the lake under the same path.",
)
@click.option(
    "--address",
    envvar="RAY_ADDRESS",
    help="With --engine ray: the cluster, HOST:PORT or auto [$RAY_ADDRESS, else a Ray of this machine, for this run].",
)
@click.option(
    "--deep",
    is_flag=True,
    help="Also search the racks that were left unexplained because there were too many at the table (ROUND-009, "
    "RACK-331), and every contradictory rack for longer. What comes out differently is listed; it may take minutes.",
)
@json_option
@home_option
@color_option
@pass_settings
def reaudit(
    settings: Settings,
    table_id: str | None,
    day: datetime | None,
    jobs: int | None,
    engine: str,
    address: str | None,
    deep: bool,
) -> None:
    """Audit the recorded rounds again with this Muckraker's rules, and compare with what the lake holds.

    Every version of every round is audited. The lake itself is never changed.
    """
    source = click.get_current_context().get_parameter_source("address")
    if engine == "local" and source is click.core.ParameterSource.COMMANDLINE:
        raise BadInput(f"--address {address} names a Ray cluster: give --engine ray with it")
    lake = settings.home().lake_path.resolve()  # a worker elsewhere stands in another folder
    segments = committed_segments(lake)
    work = partial(compare_segment, table_id=table_id, day=f"{day:%Y-%m-%d}" if day else None, deep=deep)
    total = Compared()
    with settings.bar("auditing again") as bar, engine_named(engine, jobs, address, lake, segments) as running:
        began = perf_counter()
        for done, compared in enumerate(running.answers(work, segments), 1):
            total.add(compared)
            bar.show(done, len(segments), f"auditing again, {show.counted(total.rounds, 'round')} so far")
        seconds = perf_counter() - began
    if not total.rounds and (table_id is not None or day is not None):
        with Warehouse(lake) as warehouse:
            scope = filters_for(settings, warehouse, Asked(table_id, day=None if day is None else day.date()))
            raise BadInput(nothing(warehouse, scope, (), "rounds", "rounds"))
    same = not total.differences
    if settings.as_json:
        settings.document(
            {
                "rounds": total.rounds,
                "findings": total.findings,
                "seconds": round(seconds, 3),
                "rounds_per_second": round(total.rounds / max(seconds, 1e-9)),
                "engine": engine,
                "processes": running.processes,
                "identical": same,
                "differences": total.differences,
            }
        )
    else:
        processes = show.counted(running.processes, "process", "processes")
        click.echo(
            f"{show.counted(total.rounds, 'round')} audited again in {seconds:.1f} s "
            f"({total.rounds / max(seconds, 1e-9):,.0f} rounds/s, {processes}{' on Ray' if engine == 'ray' else ''})."
        )
        if same:
            findings = show.counted(total.findings, "finding")
            click.echo(f"Identical to the lake: every verdict, every settlement line and all {findings} about them.")
            click.echo(
                "(Every version of a round counts here. Findings about the record, filings and data quality are not "
                "audited again; `muckraker findings` counts them too, and only what stands.)"
            )
        else:
            _print_differences(settings, total.differences)
    if not same:
        click.get_current_context().exit(Exit.FOUND)


def _print_differences(settings: Settings, differences: list[dict[str, Any]]) -> None:
    made = show.table("round", "what", "in the lake", "now")
    for difference in differences[:100]:
        made.add_row(difference["round"], difference["what"], difference["lake"], difference["now"])
    settings.out.print(made)
    more = " (the first 100 are shown; --json lists all)" if len(differences) > 100 else ""
    click.echo(f"{show.counted(len(differences), 'difference')} from what the lake holds{more}.")
