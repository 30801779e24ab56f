"""`muckraker backup` and `muckraker restore`: a second copy of a home, and a home from it."""

from __future__ import annotations

from pathlib import Path

import click

from console import show
from console.command import Command, Settings, color_option, home_option, json_option, pass_settings
from console.home import Home, mark_as_copy, open_home
from ingest.backup import back_up
from ingest.backup import restore as restore_home
from ingest.lake import Lake

MEBIBYTE = 1 << 20


@click.command(
    cls=Command,
    examples=["muckraker backup /mnt/other-disk/muckraker", "muckraker backup /mnt/other-disk/muckraker --json"],
)
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@json_option
@home_option
@color_option
@pass_settings
def backup(settings: Settings, folder: Path) -> None:
    """Copy the home into a folder, only what is new since the last time, each file verified.

    Workers and devices may go on meanwhile. Killed at any moment the backup before is whole, and it may simply be run
    again. The private keys of the home are in it: guard the folder as you guard the home.
    """
    home = settings.home()
    embedded = home.partitions if home.kafka() is None else None
    with settings.bar("backing up") as bar:
        done = back_up(home.path, home.lake(), embedded, folder, bar.show)
    if settings.as_json:
        settings.document({"folder": str(folder), "log": "kafka" if embedded is None else "embedded", **vars(done)})
        return
    click.echo(
        f"Backup {done.number} of {home.path} in {folder}: {show.counted(done.segments, 'segment')} "
        f"({done.segments_copied:,} new), {show.counted(done.files, 'file')} ({done.files_copied:,} new), "
        f"{show.counted(done.records_copied, 'record')} of the log new; {done.bytes_copied / MEBIBYTE:,.1f} MiB copied."
    )
    if embedded is None:
        click.echo("The records that are not in the lake yet are on the Kafka cluster, and only there.")
    if not home.seal_key_path.resolve().is_relative_to(home.path.resolve()):
        click.echo(f"The key that seals is outside the home, at {home.seal_key_path}: keep a copy of it yourself.")


@click.command(
    cls=Command,
    examples=[
        "muckraker restore /mnt/other-disk/muckraker /srv/muckraker",
        "muckraker restore /mnt/other-disk/muckraker /srv/muckraker --take-over",
    ],
)
@click.argument("folder", type=click.Path(path_type=Path, file_okay=False))
@click.argument("new_home", metavar="HOME", type=click.Path(path_type=Path))
@click.option(
    "--take-over",
    "takes_over",
    is_flag=True,
    help="On a Kafka cluster: go on in place of the home that was backed up, whose workers must be stopped.",
)
@json_option
@color_option
@pass_settings
def restore(settings: Settings, folder: Path, new_home: Path, takes_over: bool) -> None:
    """Make a home from a backup; every file is verified before the home is there.

    HOME must not exist, or be an empty folder. Killed at any moment there is no home yet, and it may simply be run
    again. With an embedded log, `muckraker run` then goes on where the backup ends. On a Kafka cluster a restored home
    can be read, and does not run before it takes over from the home that was backed up: `--take-over`, or `muckraker
    take-over` later.
    """
    with settings.bar("restoring") as bar:
        done = restore_home(folder, new_home, _lake_in, bar.show, mark_as_copy)
    home = open_home(new_home)
    if takes_over or done.log == "embedded":
        from console.pipeline import take_over

        home = take_over(home)
    if settings.as_json:
        settings.document({"home": str(new_home), "id": home.id, "copy_of": home.copy_of, **vars(done)})
        return
    checked = "seals and all" if done.seal_checked else "but for the seals, whose public key is not in the backup"
    click.echo(
        f"{new_home}: restored from backup {done.number} of {done.made_at}, {show.counted(done.segments, 'segment')} "
        f"with {show.counted(done.records, 'record')} and {show.counted(done.files, 'file')}, verified {checked}."
    )
    if done.log == "kafka":
        click.echo("Its log is a Kafka cluster, which must still hold every record from these offsets on:")
        for topic, partitions in done.positions.items():
            click.echo(f"  {topic}: " + ", ".join(f"{partition}:{end}" for partition, end in partitions.items()))
    if home.id is None:
        click.echo(
            "It can be read, and does not run: the tables belong to the home that was backed up. To go on with this "
            f"one instead, stop that one's workers for good and type: muckraker take-over --home {new_home}"
        )
    else:
        click.echo(f"Next: muckraker run --home {new_home}")


def _lake_in(path: Path) -> Lake:
    return Home(path, partitions=1).lake()
