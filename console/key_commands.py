"""`muckraker keys`: the public keys that tables sign with, from their first to their last.

Apart from the other commands that feed the log, because registering a key must not wait for the simulator's imports.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, Any

import click

from console import show
from console.command import (
    Decorated,
    Group,
    Settings,
    color_option,
    home_option,
    json_option,
    pass_settings,
    zone_option,
)
from console.exits import BadInput
from console.times import When, when_written

if TYPE_CHECKING:
    from ingest.key_history import Entry, KeyHistory, Place, TableKey
    from ingest.keys import KeyRing

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
RESYNC_DELAY_US = 2_000_000  # a running worker looks for changes of the key file every second
_SPAN = re.compile(r"(\d{1,6})([smhd])\Z")
_UNIT_US = {"s": 1_000_000, "m": 60_000_000, "h": 3_600_000_000, "d": 86_400_000_000}


def register(ring: KeyRing, table_id: str, public_hex: str, place: Place | None = None, reason: str = "") -> None:
    """Makes it the table's first key; one that is no key is the caller's mistake, not the home's."""
    with _as_bad_input():
        ring.register(table_id, public_hex, place, reason)


class _as_bad_input:
    """What the ring refuses is bad input; what the disk refuses is the home's trouble."""

    def __enter__(self) -> None: ...

    def __exit__(self, kind: object, error: BaseException | None, trace: object) -> None:
        from ingest.keys import KeyRingError

        if isinstance(error, KeyRingError) and not isinstance(error.__cause__, OSError):
            raise BadInput(str(error)) from error


def _place_options(now: str) -> Callable[[Decorated], Decorated]:
    def add(command: Decorated) -> Decorated:
        command = click.option(
            "--at-seq", type=click.IntRange(0, 2**31 - 1), metavar="N", help="From this seq of the table on."
        )(command)
        return click.option(
            "--at",
            "moment",
            callback=when_written,
            metavar="TIME",
            help="From this log time on: '2026-11-17 21:00', 'yesterday 21:00' or 21:00, in the venue's time zone "
            f"unless an offset follows. [default: {now}]",
        )(command)

    return add


def _place(settings: Settings, moment: When | None, at_seq: int | None) -> Place | None:
    from ingest.key_history import Place

    if moment is not None and at_seq is not None:
        raise BadInput("--at and --at-seq both say from where on it holds; give one of them")
    if at_seq is not None:
        return Place(seq=at_seq)
    if moment is not None:
        return Place(us=(settings.times.window(moment, datetime.now(UTC)).start - _EPOCH) // _MICROSECOND)
    return None


def _now() -> Place:
    from ingest.key_history import Place

    return Place(us=(datetime.now(UTC) - _EPOCH) // _MICROSECOND)


def _span_us(_: click.Context, __: click.Parameter, text: str | None) -> int:
    if text is None:
        return 0
    found = _SPAN.match(text)
    if found is None:
        raise click.BadParameter(f"{text!r} is not a span of time such as 90s, 10m, 8h or 2d")
    return int(found[1]) * _UNIT_US[found[2]]


def _upper(_: click.Context, __: click.Parameter, value: str) -> str:
    return value.upper()  # table ids have no small letters, and "there is no such table" helps nobody


def _reason(required: bool) -> Callable[[Decorated], Decorated]:
    if required:
        return click.option("--reason", required=True, help="Why, for the history.")
    return click.option("--reason", default="", help="Why, for the history.")


@click.group(cls=Group)
def keys() -> None:
    """The public keys that tables sign with: add, rotate, revoke, list, history, head, resync."""


@keys.command(
    "add",
    examples=[
        "muckraker keys add PG-07 5c1f…64 hex digits…a9",
        "muckraker keys add PG-07 5c1f…a9 --at-seq 0",
        "muckraker keys add PG-07 77d0…1e --role supervisor --reason 'shift supervisor, badge S-031'",
    ],
)
@click.argument("table")
@click.argument("public_hex", metavar="HEX")
@click.option(
    "--role",
    type=click.Choice(["controller", "supervisor"]),
    default="controller",
    show_default=True,
    help="Whose key it is: the table controller's, or a supervisor's, good for corrections and voids only; --reason "
    "then says whose.",
)
@_place_options("all of the table's records")
@_reason(required=False)
@zone_option
@home_option
@color_option
@pass_settings
def keys_add(
    settings: Settings, table: str, public_hex: str, role: str, moment: When | None, at_seq: int | None, reason: str
) -> None:
    """Register the Ed25519 public key of a table's controller, its first; or of a supervisor who may correct it."""
    place = _place(settings, moment, at_seq)
    if role == "supervisor":
        with _as_bad_input():
            settings.home_to_write().keys().supervise(table, public_hex, place, reason)
        click.echo(f"Corrections and voids of {table} may be signed with {public_hex[:16]}…: {reason}.")
        return
    register(settings.home_to_write().keys(), table, public_hex, place, reason)
    click.echo(
        f"{table} signs with {public_hex[:16]}…, "
        f"{'all of its records' if place is None else f'from {settings.times.sentence(str(place))} on'}."
    )


@keys.command(
    "rotate",
    examples=[
        "muckraker keys rotate PG-07 91be…64 hex digits…07 --overlap 10m --reason 'yearly change'",
        "muckraker keys rotate PG-07 91be…07 --at-seq 481516",
        "muckraker keys rotate PG-07 91be…07 --new-chain --reason 'controller replaced, its memory was lost'",
    ],
)
@click.argument("table", callback=_upper)
@click.argument("public_hex", metavar="HEX")
@_place_options("now")
@click.option("--overlap", "overlap_us", callback=_span_us, metavar="SPAN", help="The old key stays good so long: 10m.")
@click.option("--new-chain", is_flag=True, help="The new controller may begin a chain of its own, once.")
@_reason(required=False)
@zone_option
@home_option
@color_option
@pass_settings
def keys_rotate(
    settings: Settings,
    table: str,
    public_hex: str,
    moment: When | None,
    at_seq: int | None,
    overlap_us: int,
    new_chain: bool,
    reason: str,
) -> None:
    """Put another key in the place of a table's key.

    What was signed with the old one before stays attested. A running worker notices within a second.
    """
    place = _place(settings, moment, at_seq) or _now()
    with _as_bad_input():
        settings.home().keys().rotate(table, public_hex, place, overlap_us, reason, new_chain)
    click.echo(f"{table} signs with {public_hex[:16]}… from {settings.times.sentence(str(place))} on.")
    if new_chain:
        click.echo("Its controller may begin a new chain: `muckraker keys head` says with which number.")


@keys.command(
    "revoke",
    examples=[
        "muckraker keys revoke PG-07 5c1f0d2e --reason 'controller stolen' --at '2026-11-17 21:00'",
        "muckraker keys revoke PG-07 5c1f0d2e --reason 'copied on 3 November' --at-seq 402111",
    ],
)
@click.argument("table", callback=_upper)
@click.argument("key", metavar="KEY")
@_place_options("now")
@_reason(required=True)
@zone_option
@home_option
@color_option
@pass_settings
def keys_revoke(settings: Settings, table: str, key: str, moment: When | None, at_seq: int | None, reason: str) -> None:
    """Declare a key worthless from a moment or a seq on, which may lie in the past; KEY is its first 8 hex digits.

    Records that are in the lake keep what was said of them then; `muckraker keys history` shows what changed since.
    """
    place = _place(settings, moment, at_seq) or _now()
    with _as_bad_input():
        ring = settings.home().keys()
        revoked = ring.revoke(table, key, place, reason)
        left = ring.latest_of(table).current()
    click.echo(f"{revoked.public_hex[:16]}… of {table} is revoked as of {settings.times.sentence(str(place))}.")
    if left is None:
        click.echo(f"{table} has no key now: muckraker keys rotate {table} HEX")


@keys.command("list", examples=["muckraker keys list", "muckraker keys list --json"])
@json_option
@zone_option
@home_option
@color_option
@pass_settings
def keys_list(settings: Settings) -> None:
    """Every table with the public key it signs with now."""
    ring = settings.home().keys().list()
    rows = [_listed(history) for history in ring.values()]
    if settings.as_json:
        settings.lines(rows)
    elif not rows:
        click.echo("No keys are registered: muckraker keys add TABLE HEX")
    else:
        made = show.table("table", "public key", "from", "keys so far")
        for row in rows:
            public = row["public_key"] or ("(revoked)" if row["keys"] else "(none)")
            made.add_row(row["table"], public, settings.times.sentence(row["from"]), str(row["keys"]))
        settings.out.print(made)


def _listed(history: KeyHistory) -> dict[str, Any]:
    current = history.current()
    return {
        "table": history.table_id,
        "public_key": None if current is None else current.public_hex,
        "from": "" if current is None else _from(current),
        "keys": len(history.keys),
    }


def _from(key: TableKey) -> str:
    from ingest.key_history import START

    return "the start" if key.start == START else str(key.start)


@keys.command("history", examples=["muckraker keys history PG-07", "muckraker keys history --json"])
@click.argument("table", required=False)
@json_option
@zone_option
@home_option
@color_option
@pass_settings
def keys_history(settings: Settings, table: str | None) -> None:
    """What was done with a table's keys (or every table's): when, from where on it holds, and why."""
    ring = settings.home().keys().list()
    if table is not None:
        if table.upper() not in ring:
            raise BadInput(f"{table} has no keys; those of {show.joined(sorted(ring)) or 'no table'} are registered")
        ring = {table.upper(): ring[table.upper()]}
    rows = [row for history in ring.values() for row in _lines(history)]
    if settings.as_json:
        settings.lines(rows)
    elif not rows:
        click.echo("No keys are registered: muckraker keys add TABLE HEX")
    else:
        made = show.table("table", "what", "key", "from", "until", "entered", "why")
        for row in rows:
            what = row["action"] + (", new chain" if row["new_chain"] else "")
            if row["goes_on_from_seq"] is not None:
                what += f" to seq {row['goes_on_from_seq']}"
            made.add_row(
                row["table"],
                what,
                row["public_key"][:16],
                settings.times.sentence(row["from"]),
                settings.times.sentence(row["until"] or ""),
                settings.times.sentence(row["entered_at"] or ""),
                row["reason"],
            )
        settings.out.print(made)


def _lines(history: KeyHistory) -> list[dict[str, Any]]:
    from ingest.key_history import START, text_of

    return [
        {
            "table": history.table_id,
            "action": entry.action,
            "public_key": entry.public_key,
            "from": "the start" if entry.place == START else str(entry.place),
            "goes_on_from_seq": entry.from_seq if entry.action == "resync" else None,
            "until": _until(history, entry),
            "overlap_s": entry.overlap_us // 1_000_000,
            "new_chain": entry.new_chain,
            "entered_at": None if entry.recorded_us is None else text_of(entry.recorded_us),
            "reason": entry.reason,
            "hash": entry.hash(),
        }
        for entry in history.entries
    ]


def _until(history: KeyHistory, entry: Entry) -> str | None:
    """Of a key that was added or rotated to: where it ceases to be good."""
    if entry.action in ("revoke", "resync"):
        return None
    return " or ".join(str(place) for place in history.named(entry.public_key).until()) or None


@keys.command(
    "resync",
    examples=[
        "muckraker keys resync PG-07 --to-seq 5001 --reason 'somebody leapt to the last number with the stolen key'",
        "muckraker keys resync PG-07 --to-seq 5001 --at '2026-11-17 21:30' --reason 'a week was lost in transit'",
    ],
)
@click.argument("table", callback=_upper)
@click.option(
    "--to-seq", type=click.IntRange(0, 2**31 - 1), required=True, metavar="N", help="The number the table goes on from."
)
@click.option(
    "--at",
    "moment",
    callback=when_written,
    metavar="TIME",
    help="With records logged from this time on. [default: in two seconds]",
)
@_reason(required=True)
@zone_option
@home_option
@color_option
@pass_settings
def keys_resync(settings: Settings, table: str, to_seq: int, moment: When | None, reason: str) -> None:
    """Have a table go on from another number, where its stream was led astray or a long stretch of it is lost.

    The table's next event with that number or a higher one, signed with its key, is taken for the next one (a table
    without a key: the event with exactly that number). It is on record here and as GATE-036 at that event. Revoke a
    stolen key first.
    """
    from ingest.key_history import Place

    place = _place(settings, moment, None) or Place(us=(_now().us or 0) + RESYNC_DELAY_US)
    assert place.us is not None
    with _as_bad_input():
        settings.home().keys().resync(table, place.us, to_seq, reason)
    click.echo(f"{table} goes on from seq {to_seq}, with what is logged from {settings.times.sentence(str(place))} on.")


@keys.command("head", examples=["muckraker keys head PG-07"])
@click.argument("table", callback=_upper)
@json_option
@zone_option
@home_option
@color_option
@pass_settings
def keys_head(settings: Settings, table: str) -> None:
    """With which seq and prevhash a table's controller goes on, for one that lost its memory or was replaced."""
    from console.table_heads import table_head
    from schemas.events import MAX_SEQ

    home = settings.home()
    settings.note_unchecked(home)
    head = table_head(home, table)
    if head is None:
        raise BadInput(f"no event of {table} is recorded; its first has seq 0 and a prevhash of 64 zeros")
    used_up = head.seq > MAX_SEQ
    if settings.as_json:
        seq = None if used_up else head.seq
        settings.document({"table": table, "seq": seq, "prevhash": head.prevhash, "attested_seq": head.attested_seq})
        return
    if used_up:
        click.echo(
            f"{table} has no number left: its last recorded event has seq {MAX_SEQ:,}, the highest there is. If "
            f"somebody leapt there with the table's key, revoke that key, then type `muckraker keys resync {table} "
            "--to-seq N --reason WHY`, N being the number of the controller's next event."
        )
    elif head.prevhash is None:
        click.echo(
            f"{table} goes on with seq {head.seq}; the event before it is not on record, so its controller must know "
            "the prevhash, or begin a new chain: muckraker keys rotate --new-chain"
        )
    else:
        click.echo(f"{table} goes on with seq {head.seq} and prevhash {head.prevhash}")
    attested = -1 if head.attested_seq is None else head.attested_seq
    if attested < head.seq - 1:
        click.echo(
            f"No good signature stands on the events from seq {attested + 1} on yet. A controller that goes on from "
            'vouches for them: look at them first (muckraker query "FROM events WHERE table_id = '
            f"'{table}' AND seq > {attested}\")."
        )
