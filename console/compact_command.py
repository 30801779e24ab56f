"""`muckraker compact`: merge the lake's small segments into big ones, and remove those that were replaced."""

from __future__ import annotations

from dataclasses import asdict

import click

from console import show
from console.command import Command, Settings, color_option, home_option, json_option, pass_settings
from console.merging_beside import merge_until_closed
from ingest.compaction import MOST_RECORDS, TARGET_RECORDS, Compaction, Merged, Removed

MEBIBYTE = 1 << 20


@click.command(
    cls=Command,
    examples=[
        "muckraker compact --dry-run",
        "muckraker compact",
        "muckraker compact --target-records 1000000 --behind-hours 48 --json",
    ],
)
@click.option(
    "--target-records",
    type=click.IntRange(2, MOST_RECORDS),
    default=TARGET_RECORDS,
    show_default=True,
    help="Merge neighbours up to so many records. Memory: about 1.5 GB for each million.",
)
@click.option(
    "--behind-hours",
    type=click.FloatRange(min=0),
    default=24.0,
    show_default=True,
    help="Leave alone what was recorded less than so long before the newest record: its gaming day may not be over.",
)
@click.option(
    "--grace-hours",
    type=click.FloatRange(min=0),
    default=24.0,
    show_default=True,
    help="Keep replaced segments so long for readers that are using them: longer than any query or re-audit runs.",
)
@click.option(
    "--beside",
    is_flag=True,
    hidden=True,
    help="Merge what is small until standard input closes, for `run --follow`.",
)
@click.option("--dry-run", is_flag=True, help="Only say what would be merged.")
@json_option
@home_option
@color_option
@pass_settings
def compact(
    settings: Settings, target_records: int, behind_hours: float, grace_hours: float, beside: bool, dry_run: bool
) -> None:
    """Merge the lake's small segments into big ones; no record, finding or proof changes.

    Workers and readers may go on meanwhile. Every segment is verified before it is merged, and the merged one before
    the old ones are removed. Killed at any moment it may simply be run again. `run --follow` merges what is small by
    itself; this makes bigger segments still.
    """
    lake = settings.home().lake()
    if beside:
        merge_until_closed(lake)
        return
    merged: list[Merged] = []
    removed: list[Removed] = []
    places = [(topic, partition) for topic in lake.topics() for partition in lake.partitions(topic)]
    with settings.bar("compacting") as bar:
        for done, (topic, partition) in enumerate(places):
            with Compaction(lake, topic, partition) as compaction:
                runs = compaction.runs(target_records, behind_hours)
                for run in runs:
                    bar.show(done, len(places), f"compacting {topic}/{partition}, {show.counted(len(runs), 'run')}")
                    merged.append(compaction.planned(run) if dry_run else compaction.merge(run))
                if not dry_run:
                    removed.append(compaction.remove_replaced(grace_hours))
            bar.show(done + 1, len(places))
    total = (
        Removed(*(sum(column) for column in zip(*map(_numbers, removed), strict=True))) if removed else Removed(0, 0, 0)
    )
    if settings.as_json:
        settings.document(
            {
                "dry_run": dry_run,
                "merged": [asdict(one) for one in merged],
                "removed": total.removed,
                "waiting": total.waiting,
                "freed_bytes": total.bytes,
            }
        )
        return
    _say(merged, total, dry_run, grace_hours)


def _numbers(removed: Removed) -> tuple[int, int, int]:
    return removed.removed, removed.waiting, removed.bytes


def _say(merged: list[Merged], total: Removed, dry_run: bool, grace_hours: float) -> None:
    if not merged:
        click.echo("Nothing to merge.")
    else:
        before = sum(one.bytes_before for one in merged)
        count = show.counted(sum(one.segments for one in merged), "segment")
        if dry_run:
            click.echo(f"{count} would become {len(merged)} ({before / MEBIBYTE:,.1f} MiB before).")
        else:
            after = sum(one.bytes_after or 0 for one in merged)
            click.echo(f"{count} became {len(merged)}: {before / MEBIBYTE:,.1f} MiB are now {after / MEBIBYTE:,.1f}.")
    if total.removed:
        click.echo(
            f"{show.counted(total.removed, 'replaced segment')} removed, {total.bytes / MEBIBYTE:,.1f} MiB freed."
        )
    if total.waiting:
        click.echo(
            f"{show.counted(total.waiting, 'replaced segment')} kept for readers for {grace_hours:g} hours; "
            "the next run removes them."
        )
