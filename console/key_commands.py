"""`muckraker keys`: the public keys that tables sign with.

Apart from the other commands that feed the log, because registering a key must not wait for the simulator's imports.
"""

from __future__ import annotations

from collections.abc import Iterable

import click

from console import show
from console.command import Group, Settings, color_option, home_option, json_option, pass_settings
from console.exits import BadInput
from ingest.keys import KeyRing, KeyRingError


def register(ring: KeyRing, table_id: str, public_hex: str) -> None:
    """Makes it the table's key; one that is no key is the caller's mistake, not the home's."""
    try:
        ring.register(table_id, public_hex)
    except KeyRingError as error:
        if isinstance(error.__cause__, OSError):
            raise
        raise BadInput(str(error)) from error


@click.group(cls=Group)
def keys() -> None:
    """The public keys that tables sign with: add, list."""


@keys.command("add", examples=["muckraker keys add PG-07 5c1f…64 hex digits…a9"])
@click.argument("table")
@click.argument("public_hex", metavar="HEX")
@home_option
@color_option
@pass_settings
def keys_add(settings: Settings, table: str, public_hex: str) -> None:
    """Register the Ed25519 public key of a table's controller, in place of any it had."""
    register(settings.home_to_write().keys(), table, public_hex)
    click.echo(f"{table} signs with {public_hex[:16]}… from now on.")


@keys.command("list", examples=["muckraker keys list", "muckraker keys list --json"])
@json_option
@home_option
@color_option
@pass_settings
def keys_list(settings: Settings) -> None:
    """Every table with its public key."""
    ring = settings.home().keys().list()
    if settings.as_json:
        settings.lines({"table": table, "public_key": key} for table, key in ring.items())
    elif not ring:
        click.echo("No keys are registered: muckraker keys add TABLE HEX")
    else:
        _print_keys(settings, ring.items())


def _print_keys(settings: Settings, ring: Iterable[tuple[str, str]]) -> None:
    made = show.table("table", "public key")
    for table, key in ring:
        made.add_row(table, key)
    settings.out.print(made)
