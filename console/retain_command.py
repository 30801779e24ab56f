"""`muckraker retain`: the events of old segments leave the lake for an archive, or for good; their proofs stay."""

from __future__ import annotations

import time
from pathlib import Path

import click

from console import show
from console.command import Command, Settings, color_option, home_option, json_option, pass_settings
from console.exits import BadInput
from ingest.lake import Lake
from ingest.retention import DAY_US, Retention

MEBIBYTE = 1 << 20


@click.command(
    cls=Command,
    examples=[
        "muckraker retain --older-than 1830 --dry-run",
        "muckraker retain --older-than 1830 --to /mnt/archive/muckraker",
        "muckraker retain --older-than 3660 --remove --why 'filed policy 7.2: ten years'",
        "muckraker retain --bring-back /mnt/archive/muckraker",
    ],
)
@click.option("--older-than", "days", type=click.FloatRange(min=1), help="Retire what was recorded more days ago.")
@click.option("--to", "archive", type=click.Path(path_type=Path, file_okay=False), help="Move the events there.")
@click.option("--remove", "removes", is_flag=True, help="Remove the events for good: only their hashes stay.")
@click.option("--why", help="The policy, in a line, to be signed with it [older than N days].")
@click.option(
    "--bring-back",
    "source",
    type=click.Path(path_type=Path, file_okay=False, exists=True),
    help="Put the events that are in this archive back.",
)
@click.option("--dry-run", is_flag=True, help="Only say what would be retired.")
@json_option
@home_option
@color_option
@pass_settings
def retain(
    settings: Settings,
    days: float | None,
    archive: Path | None,
    removes: bool,
    why: str | None,
    source: Path | None,
    dry_run: bool,
) -> None:
    """Retire the events of old segments: their bytes leave the lake; hashes, verdicts and proofs stay.

    Every segment is verified first, and a note signed with the lake's key takes the events' place. Rounds, findings and
    checkpoints stay, and so does every proof of other records. What is removed for good cannot be shown or proved any
    more; the `events` view no longer has it. The newest segments are left alone. Compact first, then retain.
    """
    if (days is None) == (source is None):
        raise BadInput("say --older-than DAYS, or --bring-back FOLDER")
    if days is not None and not dry_run and (archive is None) != removes:
        raise BadInput("say where the events go: --to FOLDER, or --remove for good")
    lake = settings.home().lake()
    if source is not None:
        _bring_back(settings, lake, source)
        return
    assert days is not None
    before_us = int(time.time() * 1_000_000) - int(days * DAY_US)
    reason = why or f"older than {_days(days)}"
    segments = records = freed = 0
    places = [(topic, partition) for topic in lake.topics() for partition in lake.partitions(topic)]
    with settings.bar("retiring") as bar:
        for done, (topic, partition) in enumerate(places):
            with Retention(lake, topic, partition) as retention:
                for old in retention.old(before_us):
                    segments += 1
                    records += old.records
                    freed += old.bytes if dry_run else retention.retire(old, archive, reason)
                    bar.show(done, len(places), f"retiring {topic}/{partition}")
            bar.show(done + 1, len(places))
    if settings.as_json:
        settings.document(
            {
                "dry_run": dry_run,
                "archive": None if archive is None else str(archive),
                "segments": segments,
                "records": records,
                "freed_bytes": freed,
            }
        )
        return
    if not segments:
        click.echo(f"Nothing is older than {_days(days)}, but for what is retired already and the newest segments.")
        return
    what = f"{show.counted(segments, 'segment')} with {show.counted(records, 'record')}"
    if dry_run:
        click.echo(f"{what} would be retired; their events take {freed / MEBIBYTE:,.1f} MiB.")
    else:
        where = "removed" if archive is None else f"moved to {archive}"
        click.echo(f"{what} retired, their events {where}; {freed / MEBIBYTE:,.1f} MiB freed.")


def _bring_back(settings: Settings, lake: Lake, source: Path) -> None:
    back = absent = size = 0
    for topic in lake.topics():
        for partition in lake.partitions(topic):
            with Retention(lake, topic, partition) as retention:
                for segment in retention.retired():
                    brought = retention.bring_back(segment, source)
                    back += brought is not None
                    absent += brought is None
                    size += brought or 0
    if settings.as_json:
        settings.document({"archive": str(source), "segments": back, "absent": absent, "bytes": size})
        return
    click.echo(f"{show.counted(back, 'segment')} brought back from {source}, {size / MEBIBYTE:,.1f} MiB.")
    if absent:
        click.echo(f"{show.counted(absent, 'retired segment')} not in that archive.")


def _days(days: float) -> str:
    return f"{days:g} day{'' if days == 1 else 's'}"
