"""`muckraker init`: make a home, with an embedded log or on a Kafka cluster."""

from __future__ import annotations

from pathlib import Path

import click

from console import show
from console.command import Command, Settings, color_option, home_option, json_option, pass_settings
from console.exits import BadInput, HomeTrouble
from console.home import FINDINGS_TOPIC, MARK, TOPIC, Home, is_home, make_home
from ingest.kafka_settings import FILE_NAME, read_settings
from ingest.sqlite_log import DEFAULT_PARTITIONS, MAX_PARTITIONS


@click.command(
    cls=Command,
    examples=[
        "muckraker init --home /srv/muckraker",
        "muckraker init --home /srv/muckraker --kafka kafka.toml --partitions 12",
    ],
)
@click.option(
    "--kafka",
    "kafka_file",
    type=click.Path(path_type=Path, dir_okay=False),
    help="How to reach the cluster (docs/kafka.md); copied into the home. Without it the log is embedded.",
)
@click.option(
    "--partitions",
    type=click.IntRange(1, MAX_PARTITIONS),
    help=f"Of the log: as many workers can share it [default: those the topic has, else {DEFAULT_PARTITIONS}].",
)
@json_option
@home_option
@color_option
@pass_settings
def init(settings: Settings, kafka_file: Path | None, partitions: int | None) -> None:
    """Make a home: a folder for keys, lake and seal, with an embedded log or on a Kafka cluster.

    On a cluster the topics for events and findings are made too, where they are not there yet.
    """
    path = settings.home_path
    if is_home(path):
        raise HomeTrouble(f"{path} is a home already; name another folder with --home")
    if kafka_file is None:
        home = make_home(path, partitions=partitions or DEFAULT_PARTITIONS)
        home.log().close()
    else:
        home = _on_cluster(path, kafka_file, partitions)
    if settings.as_json:
        settings.document({"home": str(path), "log": home.log_name, "partitions": home.partitions})
        return
    click.echo(f"{path}: a home with its log in {home.log_name}, {show.counted(home.partitions, 'partition')}.")
    click.echo("Next: muckraker keys add TABLE KEY, for each table; then muckraker run --follow")


def _on_cluster(path: Path, kafka_file: Path, partitions: int | None) -> Home:
    """The topics first, so that a cluster that cannot be reached leaves no home behind."""
    from ingest.kafka_log import KafkaLog

    if not kafka_file.is_file():
        raise BadInput(f"{kafka_file}: there is no such file; docs/kafka.md says what to write into it")
    cluster = read_settings(kafka_file)
    log = KafkaLog(cluster)
    try:
        found = log.existing_partitions(TOPIC)
        if found is None:
            found = log.create_topic(TOPIC, partitions or DEFAULT_PARTITIONS)
        elif partitions is not None and found != partitions:
            raise BadInput(
                f"the topic {TOPIC} has {show.counted(found, 'partition')} already, and {partitions} were asked for; "
                "the number must not change, or tables would change partitions: leave --partitions out"
            )
        if log.existing_partitions(FINDINGS_TOPIC) is None:
            log.create_topic(FINDINGS_TOPIC, found)
    finally:
        log.close()
    home = make_home(path, partitions=found)
    copy = path / FILE_NAME
    try:
        copy.write_bytes(kafka_file.read_bytes())
        if read_settings(copy) != cluster:  # files it names are looked for beside it
            copy.unlink()
            (path / MARK).unlink()
            raise BadInput(
                f"{kafka_file} names files relative to its own folder and cannot be copied to {path}; "
                "write their full names into it"
            )
    except OSError as error:
        (path / MARK).unlink(missing_ok=True)
        raise HomeTrouble(f"{copy} cannot be written: {error.strerror}") from error
    return home
