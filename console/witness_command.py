"""`muckraker witness`: keep a lake's checkpoints where its owner cannot get at them."""

from __future__ import annotations

import urllib.error
import urllib.request
from collections.abc import Callable
from pathlib import Path
from typing import Any

import click

from console import show
from console.command import Group, Settings, color_option, home_option, json_option, pass_settings
from console.exits import BadInput, Exit, HomeTrouble
from console.verify_command import line_or_file
from ingest.lake import LakeError
from ingest.seal.checkpoint import SignedCheckpoint
from ingest.seal.lake_tree import LakeTree
from ingest.seal.note import COSIGNATURE, NoteError, VerifierKey, parse_signature
from ingest.seal.proof import GrowthProof
from ingest.seal.witness import MAX_BODY_BYTES, SIZE, Answer, Witness
from ingest.seal.witness_http import WitnessServer
from ingest.seal.witnessed import Witnessed

DEFAULT_FOLDER = Path("muckraker-witness")
PATIENCE_S = 20.0

folder_option = click.option(
    "--witness",
    "folder",
    type=click.Path(path_type=Path),
    default=DEFAULT_FOLDER,
    show_default=True,
    envvar="MUCKRAKER_WITNESS",
    help="The witness's folder.",
)


@click.group("witness", cls=Group)
def witness() -> None:
    """Checkpoints kept out of reach of the lake's owner: init, trust, add, list, serve, submit.

    A witness belongs on another machine, in other hands. It signs a checkpoint only if it shows that the record grew
    from the last one it signed; a fork or a roll-back is refused, and both sides are kept as evidence.
    """


@witness.command("init", examples=["muckraker witness init --name witness.example/w1"])
@click.option("--name", required=True, help="What it is called: a URL without https://, reachable or not.")
@folder_option
@color_option
@pass_settings
def witness_init(settings: Settings, name: str, folder: Path) -> None:
    """Make a witness, with a key of its own, and print its public key."""
    click.echo(str(Witness.make(folder, name).verifier()))


@witness.command("trust", examples=["muckraker witness trust filed.vkey", "muckraker verify --key > filed.vkey"])
@click.argument("vkey", metavar="LINE|FILE")
@folder_option
@color_option
@pass_settings
def witness_trust(settings: Settings, vkey: str, folder: Path) -> None:
    """Make logs known to the witness by their public keys: a vkey line, or a file of them."""
    known = Witness(folder)
    for line in line_or_file(vkey).splitlines():
        if line.strip():
            key = VerifierKey.parse(line)
            new = known.trust(key)
            click.echo(f"{key.name} is known{'' if new else ' already'} by its key {key.key_id.hex()}.")


@witness.command(
    "add",
    examples=["muckraker witness add proof-growth-muckraker-events-0-4711/growth"],
    exits={Exit.FOUND: "it was refused"},
)
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@folder_option
@json_option
@color_option
@pass_settings
def witness_add(settings: Settings, file: Path, folder: Path) -> None:
    """Sign a checkpoint that comes as a file: what `prove --since` writes, or a log's first checkpoint by itself."""
    data = file.read_bytes()
    if not data.startswith(b"old "):
        signed = SignedCheckpoint.parse(data)
        newest = Witness(folder).newest(signed.checkpoint.origin)
        data = GrowthProof(0 if newest is None else newest.checkpoint.size, (), signed).encoded()
    answer = Witness(folder).add_checkpoint(data)
    if settings.as_json:
        settings.document(
            {
                "accepted": answer.accepted,
                "status": answer.status,
                "signature": answer.body if answer.accepted else None,
                "reason": answer.reason,
                "evidence": None if answer.evidence is None else str(answer.evidence),
            }
        )
    elif answer.accepted:
        click.echo(answer.body, nl=False)
    else:
        click.echo(f"Refused: {answer.reason}.")
        if answer.evidence is not None:
            click.echo(f"Both sides, signed by the log, are kept in {answer.evidence}.")
    if not answer.accepted:
        click.get_current_context().exit(Exit.FOUND)


@witness.command("list", examples=["muckraker witness list", "muckraker witness list --json"])
@folder_option
@json_option
@color_option
@pass_settings
def witness_list(settings: Settings, folder: Path) -> None:
    """Every log the witness knows, and the newest checkpoint it signed of each."""
    known = Witness(folder)
    logs = known.logs()
    if settings.as_json:
        settings.lines(
            {
                "origin": log.origin,
                "keys": [str(key) for key in log.keys],
                "records": None if log.newest is None else log.newest.checkpoint.size,
                "checkpoint": None if log.newest is None else str(log.newest.note),
                "refused": log.refused,
            }
            for log in logs
        )
        return
    click.echo(f"{known.verifier()}")
    if not logs:
        click.echo("It knows no log yet: muckraker witness trust LINE|FILE")
        return
    made = show.table(("log", "whole"), ("records signed for", "right"), ("contradictions kept", "right"))
    for log in logs:
        made.add_row(log.origin, "none" if log.newest is None else f"{log.newest.checkpoint.size:,}", str(log.refused))
    settings.out.print(made)


@witness.command("serve", examples=["muckraker witness serve", "muckraker witness serve --port 8765"])
@click.option("--host", default="127.0.0.1", show_default=True, help="Put a proxy with TLS in front of any other.")
@click.option("--port", type=click.IntRange(0, 65535), default=8765, show_default=True, help="0 takes a free one.")
@folder_option
@color_option
@pass_settings
def witness_serve(settings: Settings, host: str, port: int, folder: Path) -> None:
    """Answer C2SP tlog-witness requests over HTTP until stopped: POST /add-checkpoint."""
    known = Witness(folder)
    known.verifier()  # no witness, no server
    try:
        server = WitnessServer(known, host, port)
    except OSError as error:
        raise HomeTrouble(f"{host}:{port} cannot be listened on: {error.strerror}") from error
    with server:
        click.echo(f"The witness {known.key().name} listens on {server.address}", err=True)
        server.serve_forever()


@witness.command(
    "submit",
    examples=[
        "muckraker witness submit --to /mnt/other-machine/muckraker-witness",
        "muckraker witness submit --to https://witness.example/w1 --vkey w1.vkey",
    ],
    exits={Exit.FOUND: "the witness refused a checkpoint"},
)
@click.option("--to", "target", required=True, metavar="FOLDER|URL", help="The witness: its folder, or its address.")
@click.option("--vkey", metavar="LINE|FILE", help="The witness's public key; needed with an address.")
@json_option
@home_option
@color_option
@pass_settings
def witness_submit(settings: Settings, target: str, vkey: str | None) -> None:
    """Have a witness sign the newest checkpoint of every partition, and keep its signatures for proofs.

    To be run often, by cron or after each run: what the witness has not seen yet could still be removed unnoticed.
    """
    send, key = _target(target, vkey)
    home = settings.home()
    lake = home.lake()
    keys = lake.keys()
    kept = Witnessed(home.seal_path / "witnessed")
    rows = []
    for topic in lake.topics():
        for partition in lake.partitions(topic):
            if lake.segments(topic, partition):
                rows.append(_submit(LakeTree(lake, topic, partition, keys), send, key, kept))
    if settings.as_json:
        settings.lines(rows)
    else:
        for row in rows:
            said = show.counted(row["records"], "record") if row["accepted"] else f"REFUSED: {row['reason']}"
            click.echo(f"{row['origin']}: {said}")
        if not rows:
            click.echo("Nothing is recorded yet.")
    if not all(row["accepted"] for row in rows):
        click.get_current_context().exit(Exit.FOUND)


Send = Callable[[bytes], Answer]


def _target(target: str, vkey: str | None) -> tuple[Send, VerifierKey]:
    if not target.startswith(("http://", "https://")):
        known = Witness(Path(target))
        return known.add_checkpoint, known.verifier()
    if vkey is None:
        raise BadInput("give the witness's public key with --vkey: an answer from an address could be anybody's")
    key = VerifierKey.parse(line_or_file(vkey))
    if key.kind != COSIGNATURE:
        raise BadInput(f"--vkey: {key.name} is a log's key, not a witness's")
    return lambda body: _post(f"{target.rstrip('/')}/add-checkpoint", body), key


def _post(url: str, body: bytes) -> Answer:
    request = urllib.request.Request(url, data=body, method="POST", headers={"Content-Type": "text/plain"})
    try:
        with urllib.request.urlopen(request, timeout=PATIENCE_S) as response:
            return Answer(response.status, response.read(MAX_BODY_BYTES).decode("utf-8", "replace"))
    except urllib.error.HTTPError as error:
        with error:
            said = error.read(MAX_BODY_BYTES).decode("utf-8", "replace")
        return Answer(error.code, said, error.headers.get("Content-Type", ""), said.strip())
    except (urllib.error.URLError, TimeoutError, ConnectionError) as error:
        reason = getattr(error, "reason", error)
        raise HomeTrouble(f"{url}: the witness cannot be reached: {reason}") from error


def _submit(tree: LakeTree, send: Send, key: VerifierKey, kept: Witnessed) -> dict[str, Any]:
    """Show the witness the newest checkpoint, beginning where it says it stands."""
    row: dict[str, Any] = {"origin": tree.key.name, "records": tree.size, "witness": key.name, "accepted": False}
    proof = tree.prove_growth(0)
    answer = send(proof.encoded())
    if answer.status == 409 and answer.content_type == SIZE and answer.body.strip().isdecimal():
        try:
            proof = tree.prove_growth(int(answer.body))
        except LakeError as error:
            return {**row, "reason": str(error)}
        answer = send(proof.encoded())
    if not answer.accepted:
        return {**row, "reason": answer.reason or answer.body.strip()}
    try:
        lines = [parse_signature(line) for line in answer.body.splitlines()]
        kept.keep(proof.checkpoint, lines, key)
    except NoteError as error:
        return {**row, "reason": f"its answer is not its signature: {error}"}
    return {**row, "accepted": True, "reason": ""}
