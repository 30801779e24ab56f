"""`muckraker init`: make a home, with an embedded log or on a Kafka cluster."""

from __future__ import annotations

import secrets
from pathlib import Path

import click

from console import show
from console.command import Command, Settings, color_option, home_option, json_option, pass_settings
from console.exits import BadInput, HomeTrouble
from console.home import FINDINGS_TOPIC, MARK, TOPIC, Home, is_home, make_home
from console.times import VenueTime, zone_named
from ingest.durable import place_file
from ingest.kafka.settings import FILE_NAME, KafkaSettings, parse_settings, read_settings
from ingest.sqlite_log import DEFAULT_PARTITIONS, MAX_PARTITIONS


@click.command(
    cls=Command,
    examples=[
        "muckraker init --home /srv/muckraker --time-zone America/Los_Angeles",
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
@click.option(
    "--time-zone",
    "zone",
    metavar="ZONE",
    default="UTC",
    show_default=True,
    help="The venue's, as America/Los_Angeles: people read and write times in it. `muckraker time-zone` changes it.",
)
@json_option
@home_option
@color_option
@pass_settings
def init(settings: Settings, kafka_file: Path | None, partitions: int | None, zone: str) -> None:
    """Make a home: a folder for keys, lake and seal, with an embedded log or on a Kafka cluster.

    On a cluster the topics for events and findings are made too, where they are not there yet.
    """
    zone = VenueTime(zone_named(zone)).name
    path = settings.home_path
    if is_home(path):
        raise HomeTrouble(f"{path} is a home already; name another folder with --home")
    if kafka_file is None:
        home = make_home(path, partitions=partitions or DEFAULT_PARTITIONS, time_zone=zone)
        home.log().close()
    else:
        home = _on_cluster(path, kafka_file, partitions, zone)
    if settings.as_json:
        settings.document({"home": str(path), "log": home.log_name, "partitions": home.partitions, "time_zone": zone})
        return
    click.echo(
        f"{path}: a home with its log in {home.log_name}, {show.counted(home.partitions, 'partition')}; "
        f"people read its times in {zone}."
    )
    click.echo("Next: muckraker keys add TABLE KEY, for each table; then muckraker run --follow")


def _on_cluster(path: Path, kafka_file: Path, partitions: int | None, zone: str) -> Home:
    """The topics first, so that a cluster that cannot be reached leaves no home behind."""
    if not kafka_file.is_file():
        raise BadInput(f"{kafka_file}: there is no such file; docs/kafka.md says what to write into it")
    cluster = read_settings(kafka_file)
    copy = path / FILE_NAME
    text = kafka_file.read_text(encoding="utf-8")
    if parse_settings(text, copy) != parse_settings(text, kafka_file):  # files it names are looked for beside it
        raise BadInput(
            f"{kafka_file} names files relative to its own folder and cannot be copied to {path}; "
            "write their full names into it"
        )
    if "group_id" not in cluster.model_fields_set:
        text += (
            "\n# This home's own: two homes in one group would each get a part of the tables.\n"
            f'group_id = "{cluster.group_id}-{secrets.token_hex(4)}"\n'
        )
    found, topic_id = _made_topics(cluster, partitions)
    home = make_home(path, partitions=found, time_zone=zone, topic_id=topic_id)
    try:
        place_file(copy, text.encode(), replace=True)
    except OSError as error:
        (path / MARK).unlink(missing_ok=True)
        raise HomeTrouble(f"{copy} cannot be written: {error.strerror}") from error
    return home


def _made_topics(cluster: KafkaSettings, partitions: int | None) -> tuple[int, str | None]:
    """Make the topics that are not there; how many partitions that of the events has, and its id."""
    from ingest.kafka.log import KafkaLog

    log = KafkaLog(cluster)
    try:
        found = log.existing_partitions(TOPIC)
        if found is None:
            found = log.create_topic(TOPIC, partitions or DEFAULT_PARTITIONS)
        elif partitions is not None and found != partitions:
            raise BadInput(
                f"the topic {cluster.topic_name(TOPIC)} has {show.counted(found, 'partition')} already, and "
                f"{partitions} were asked for; the number must not change, or tables would change partitions: leave "
                "--partitions out"
            )
        if log.existing_partitions(FINDINGS_TOPIC) is None:
            log.create_topic(FINDINGS_TOPIC, found)
        return found, log.topic_id(TOPIC)
    finally:
        log.close()
