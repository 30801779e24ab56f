"""`muckraker time-zone`: in which time zone the venue's people read and write times."""

from __future__ import annotations

from datetime import UTC, datetime

import click

from console.command import ZONE_VARIABLE, Command, Settings, color_option, home_option, json_option, pass_settings
from console.home import file_time_zone
from console.times import VenueTime, zone_named


@click.command(
    "time-zone",
    cls=Command,
    examples=["muckraker time-zone", "muckraker time-zone America/Los_Angeles", "muckraker time-zone UTC"],
)
@click.argument("zone", required=False)
@json_option
@home_option
@color_option
@pass_settings
def time_zone(settings: Settings, zone: str | None) -> None:
    """Say in which time zone times are shown and read, or file another (ZONE, as America/Los_Angeles).

    Only what people read and write changes: the record, JSON and SQL are in UTC. --time-zone on a command, or
    MUCKRAKER_TIME_ZONE, goes before what is filed.
    """
    home = settings.home()
    if zone is not None:
        zone = VenueTime(zone_named(zone)).name
        file_time_zone(home, zone)
    times = settings.times
    now = datetime.now(UTC)
    if settings.as_json:
        settings.document({"home": str(home.path), "filed": zone or home.time_zone, "shown": times.name, "now": now})
        return
    click.echo(f"{home.path} is filed in {zone or home.time_zone}.")
    if times.name != (zone or home.time_zone):
        click.echo(f"Times are shown in {times.name} all the same: {ZONE_VARIABLE} says so.")
    click.echo(f"It is {times.at(now)} there now.")
