"""`muckraker status`: how far the record is, what was refused, who is at work."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import click

from console import show
from console.asking import ask_log
from console.command import Command, Settings, color_option, home_option, json_option, pass_settings, zone_option
from console.exits import Exit
from console.home import TOPIC, Home
from console.open_rounds import open_rounds
from ingest.gate.gate import DUPLICATE, QUARANTINED
from ingest.lake import Lake
from ingest.owners import owners
from ingest.segment_bytes import CANNOT_JUDGE

if TYPE_CHECKING:
    from ingest.kafka.health import Member

# What manifests count, under the names it has here: every version of a round and all that was ever found is written,
# while `rounds` and `findings` are those that stand, counted as the commands of these names list them.
COUNTED = {
    "records": "records",
    "rounds": "round_versions",
    CANNOT_JUDGE: CANNOT_JUDGE,
    "findings": "findings_written",
    QUARANTINED: QUARANTINED,
    DUPLICATE: DUPLICATE,
}


@click.command(
    cls=Command,
    examples=["muckraker status", "muckraker status --json"],
    exits={Exit.FOUND: "the log cannot be asked, or the home may not run; what is known of the lake is shown"},
)
@json_option
@zone_option
@home_option
@color_option
@pass_settings
def status(settings: Settings) -> None:
    """How far the record is: lag, last segments, quarantine, keys, and the workers that are running.

    Nothing is changed, and a worker that is running is not disturbed. Records of an open segment count as lag: they are
    judged, and not in the lake yet.
    """
    home = settings.home()
    lake = home.lake()
    log_state = ask_log(home, lake)
    ends = log_state.ends
    document: dict[str, Any] = {
        "home": str(home.path),
        "home_id": home.id,
        "log": home.log_name,
        "log_problem": log_state.problem,
        "owner_problem": log_state.owner_problem,
    }
    with settings.bar("looking") as bar:
        numbers = sorted({*ends, *lake.partitions(TOPIC), *range(home.partitions)})
        partitions = []
        for done, partition in enumerate(numbers, 1):
            partitions.append(_partition(lake, partition, ends.get(partition)))
            bar.show(done, len(numbers))
    document["partitions"] = partitions
    lags = [one["lag"] for one in partitions]
    document["lag"] = None if None in lags else sum(lags)
    document |= {name: sum(one[name] for one in partitions) for name in ("segments", *COUNTED.values(), "bytes")}
    document |= _standing(home)
    document["open_rounds"] = open_rounds(lake)
    document["keys"] = _keys(home, lake)
    document["workers"] = _workers(lake, log_state.members)
    if settings.as_json:
        settings.document(document)
    else:
        _print(settings, document)
    if document["log_problem"] is not None or document["owner_problem"] is not None:
        click.get_current_context().exit(Exit.FOUND)


def _standing(home: Home) -> dict[str, int | None]:
    """How many rounds and findings there are, as `muckraker rounds` and `muckraker findings` count them."""
    from analytics.warehouse import Warehouse, WarehouseError

    try:
        with Warehouse(home.lake_path) as warehouse:
            return {
                view: int(warehouse.rows(f"SELECT count(*) AS n FROM {view}")[0]["n"])
                for view in ("rounds", "findings")
            }
    except WarehouseError:
        return {
            "rounds": None,
            "findings": None,
        }  # `doctor` names the file; how far the record is can be said all the same


def _partition(lake: Lake, partition: int, end: int | None) -> dict[str, Any]:
    segments = lake.segments(TOPIC, partition)
    counts = dict.fromkeys(COUNTED.values(), 0)
    size = 0
    for segment in segments:
        manifest = lake.manifest(segment)
        size += sum(file["bytes"] for file in manifest["files"].values())
        for name, here in COUNTED.items():
            counts[here] += manifest["counts"].get(name, 0)
    last = segments[-1] if segments else None
    recorded = 0 if last is None else last.last + 1
    written = None if last is None else datetime.fromtimestamp(last.path.stat().st_mtime, UTC)
    return {
        "partition": partition,
        "log_end": end,
        "recorded": recorded,
        "lag": None if end is None else end - recorded,
        "last_segment": None if last is None else last.path.name,
        "last_segment_written": written,
        "segments": len(segments),
        **counts,
        "bytes": size,
    }


def _keys(home: Home, lake: Lake) -> dict[str, Any]:
    """The tables that have a key, and those heard of that have none."""
    ring = home.keys().list()
    newest = [lake.last(TOPIC, partition) for partition in lake.partitions(TOPIC)]
    seen = {table for segment in newest if segment is not None for table in lake.manifest(segment)["tables"]}
    return {"tables": len(ring), "tables_without": sorted(seen - set(ring))}


def _workers(lake: Lake, members: Sequence[Member]) -> list[dict[str, Any]]:
    """Processes of this machine that have partitions, and on a cluster the members of the group anywhere."""
    held: dict[int, list[int]] = {}
    for partition, process in owners(lake, TOPIC).items():
        held.setdefault(process, []).append(partition)
    workers: list[dict[str, Any]] = [
        {"process": process, "client": None, "host": None, "partitions": partitions}
        for process, partitions in sorted(held.items())
    ]
    return [
        *workers,
        *(
            {
                "process": None,
                "client": member.client_id,
                "host": member.host,
                "partitions": list(member.partitions),
            }
            for member in members
        ),
    ]


def _print(settings: Settings, document: dict[str, Any]) -> None:
    click.echo(f"{document['home']}, log: {document['log']}")
    if document["log_problem"] is not None:
        click.echo(f"The log cannot be asked: {document['log_problem']}")
        click.echo("What follows is what the lake has.")
    if document["owner_problem"] is not None:
        click.echo(f"This home does not run: {document['owner_problem']}")
    made = show.table(
        ("partition", "right"),
        ("log ends at", "right"),
        ("recorded to", "right"),
        ("lag", "right"),
        ("segments", "right"),
        ("versions of rounds", "right"),
        ("findings written", "right"),
        ("quarantined", "right"),
        "last segment",
    )
    for one in document["partitions"]:
        written = one["last_segment_written"]
        made.add_row(
            str(one["partition"]),
            "?" if one["log_end"] is None else f"{one['log_end']:,}",
            f"{one['recorded']:,}",
            "?" if one["lag"] is None else f"{one['lag']:,}",
            f"{one['segments']:,}",
            f"{one['round_versions']:,}",
            f"{one['findings_written']:,}",
            f"{one[QUARANTINED]:,}",
            "none" if written is None else settings.times.at(written),
        )
    settings.out.print(made)
    lag = "an unknown number of records" if document["lag"] is None else show.counted(document["lag"], "record")
    click.echo(
        f"{lag} not in the lake yet; {show.counted(document[QUARANTINED], 'record')} in quarantine, "
        f"{document['bytes'] / 1e6:,.1f} MB."
    )
    if document["findings"] is None:
        click.echo("How many rounds and findings there are is not known: type `muckraker doctor`.")
    else:
        click.echo(
            f"{show.counted(document['rounds'], 'round')} and {show.counted(document['findings'], 'finding')} that "
            f"stand{'s' if document['findings'] == 1 else ''}, as `muckraker findings` lists them: about the newest "
            "version of each round, and about the record and its quality."
        )
    if document[CANNOT_JUDGE]:
        click.echo(
            f"{show.counted(document[CANNOT_JUDGE], 'round')} could not be judged: type `muckraker rounds --verdict "
            "cannot_judge`."
        )
    if document["open_rounds"]:
        click.echo(_open(settings, document["open_rounds"]))
    keys = document["keys"]
    without = f"; none for {show.joined(keys['tables_without'])}" if keys["tables_without"] else ""
    click.echo(f"Keys of {show.counted(keys['tables'], 'table')}{without}.")
    for worker in document["workers"]:
        who = f"process {worker['process']}" if worker["process"] else f"{worker['client']} on {worker['host']}"
        where = "in the group: " if worker["process"] is None else "at work here: "
        click.echo(f"{where}{who}, {_partitions(worker['partitions'])}")
    if not document["workers"]:
        click.echo("No worker is running: muckraker run --follow")


def _open(settings: Settings, rounds: list[dict[str, Any]]) -> str:
    longest = rounds[0]
    which = f"{longest['table']}/{longest['round']} since {settings.times.at(longest['opened_at'])}"
    if len(rounds) == 1:
        return f"1 round is open and not judged yet: {which}."
    return f"{show.counted(len(rounds), 'round')} are open and not judged yet, the longest {which}."


def _partitions(numbers: list[int]) -> str:
    if not numbers:
        return "no partition yet"
    return f"partition{'' if len(numbers) == 1 else 's'} {', '.join(map(str, numbers))}"
