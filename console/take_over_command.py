"""`muckraker take-over`: make this home the one that records, in place of another copy of it."""

from __future__ import annotations

import click

from console.command import Command, Settings, color_option, home_option, json_option, pass_settings
from console.pipeline import take_over as take_over_group


@click.command(
    "take-over",
    cls=Command,
    examples=["muckraker take-over --home /srv/muckraker"],
)
@json_option
@home_option
@color_option
@pass_settings
def take_over(settings: Settings) -> None:
    """Let this home go on in place of another copy of it: after a restore, a copy or a move.

    On a Kafka cluster a consumer group belongs to one home, so that two never share the tables between them. The other
    home's workers must be stopped; from then on it refuses to run. This one goes on behind the last record of its own
    lake, which is looked for in the log first.
    """
    home = take_over_group(settings.home())
    cluster = home.kafka()
    group = None if cluster is None else cluster.group_id
    if settings.as_json:
        settings.document({"home": str(home.path), "id": home.id, "group": group})
        return
    if group is None:
        click.echo(f"{home.path} has its log in itself, and so nothing to take over. Next: muckraker run")
    else:
        click.echo(f"The group {group} belongs to {home.path} (home {home.id}) now. Next: muckraker run --follow")
