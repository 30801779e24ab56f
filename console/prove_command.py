"""`muckraker prove`: what a third party needs to see for itself that a round was recorded so, and not changed since."""

from __future__ import annotations

from importlib.resources import files
from pathlib import Path
from typing import Any

import click

from console import show
from console.command import Command, Settings, color_option, home_option, json_option, pass_settings
from console.exits import BadInput
from console.home import TOPIC, Home
from console.verify_command import keys_of, vkey_option
from ingest.durable import make_folders, place_file
from ingest.lake import Lake
from ingest.seal.checkpoint import SignedCheckpoint
from ingest.seal.lake_tree import LakeTree
from ingest.seal.note import NoteError
from ingest.seal.proof import PROOF_SUFFIX
from ingest.seal.round_records import refusal_of, round_places
from ingest.seal.signer import LakeKeys
from ingest.seal.verify import place_of
from ingest.seal.witnessed import Witnessed

VERIFIER = "standalone_verifier.py"
README = "README.txt"
GROWTH = "growth"


@click.command(
    cls=Command,
    examples=[
        "muckraker prove PG-01/20261117-0017",
        "muckraker prove PG-01/20261117-0017 --out for-the-board",
        "muckraker prove --record 0/1234",
        "muckraker prove --since last-year.checkpoint",
    ],
)
@click.argument("place", metavar="[TABLE/ROUND]", required=False)
@click.option("--record", metavar="PARTITION/OFFSET", help="One record of the log instead of a round.")
@click.option(
    "--since",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Instead: that the record only grew since this older checkpoint.",
)
@click.option(
    "--checkpoint",
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Lead up to this checkpoint [the one with the most witnesses, else the newest].",
)
@click.option("--out", type=click.Path(path_type=Path), help="The folder to make [proof-<what>].")
@vkey_option
@json_option
@home_option
@color_option
@pass_settings
def prove(
    settings: Settings,
    place: str | None,
    record: str | None,
    since: Path | None,
    checkpoint: Path | None,
    out: Path | None,
    vkey: str | None,
) -> None:
    """Write proofs that the events of a round are in the record, for somebody who trusts nobody here.

    The folder holds each event, byte for byte, its proof (C2SP tlog-proof), and a program that checks them and needs
    nothing else of Muckraker's. The public key is not in it: whoever checks must have it from somewhere else.
    """
    if sum(given is not None for given in (place, record, since)) != 1:
        raise BadInput("say what to prove: TABLE/ROUND, --record PARTITION/OFFSET, or --since CHECKPOINT")
    home = settings.home()
    lake = home.lake()
    keys = keys_of(lake, vkey)
    if since is not None:
        _prove_growth(settings, lake, keys, since, out)
        return
    partition, named, offsets = _wanted(lake, place, record)
    tree = LakeTree(lake, TOPIC, partition, keys)
    signed = _checkpoint(home, tree, checkpoint, max(offsets.values()))
    folder = _new_folder(out or Path(f"proof-{named}"))
    with settings.bar("proving") as bar:
        for done, (name, offset) in enumerate(offsets.items(), 1):
            data, proof = tree.prove_record(offset, signed)
            place_file(folder / name, data, replace=False)
            place_file(folder / f"{name}{PROOF_SUFFIX}", proof.encoded(), replace=False)
            bar.show(done, len(offsets))
    _add_verifier(folder, place or f"record {record}", signed)
    _print_proof(settings, folder, signed, len(offsets))
    refused = None if record is None else refusal_of(lake, TOPIC, partition, max(offsets.values()))
    if refused is not None:
        settings.note(
            f"the gate refused this record ({refused}): the proof shows that it came, and not that it is true"
        )


def _wanted(lake: Lake, place: str | None, record: str | None) -> tuple[int, str, dict[str, int]]:
    """The partition, a name for the folder, and the offset of each file to be written."""
    if place is not None:
        table_id, slash, round_id = place.partition("/")
        table_id = table_id.upper()  # table ids have no small letters
        if not (table_id and slash and round_id):
            raise BadInput(f"{place!r} is not TABLE/ROUND, such as PG-01/20261117-0017")
        found = round_places(lake, TOPIC, table_id, round_id)
        if found is None:
            raise BadInput(f"no event of {table_id}/{round_id} is recorded; `muckraker rounds` lists the rounds")
        partition, places = found
        named = "".join(letter if letter.isalnum() or letter in "-_." else "_" for letter in f"{table_id}-{round_id}")
        return partition, named, {f"seq-{at.seq:08d}.json": at.offset for at in places}
    assert record is not None
    first, slash, second = record.partition("/")
    if not (first.isdecimal() and second.isdecimal() and slash):
        raise BadInput(f"{record!r} is not PARTITION/OFFSET, such as 0/1234")
    return int(first), f"{first}-{second}", {f"record-{int(second):020d}": int(second)}


def _checkpoint(home: Home, tree: LakeTree, given: Path | None, offset: int) -> SignedCheckpoint:
    """What the proofs lead up to."""
    if given is not None:
        try:
            signed = SignedCheckpoint.parse(given.read_bytes())
            signed.verify([tree.key])
        except NoteError as error:
            raise BadInput(f"{given}: {error}") from error
        return signed
    witnessed = Witnessed(home.seal_path / "witnessed").best(tree.key.name, offset + 1 - tree.first_offset)
    if witnessed is not None and witnessed.checkpoint.size <= tree.size:
        witnessed.verify([tree.key])
        return witnessed
    return tree.newest()


def _prove_growth(settings: Settings, lake: Lake, keys: LakeKeys, since: Path, out: Path | None) -> None:
    try:
        older = SignedCheckpoint.parse(since.read_bytes())
        topic, partition = place_of(keys, older.checkpoint.origin)
        older.verify([keys.verifier(topic, partition)])
    except NoteError as error:
        raise BadInput(f"{since}: {error}") from error
    proof = LakeTree(lake, topic, partition, keys).prove_growth(older.checkpoint.size, older.checkpoint.root)
    folder = _new_folder(out or Path(f"proof-growth-{topic}-{partition}-{older.checkpoint.size}"))
    place_file(folder / "older.checkpoint", older.note.encoded(), replace=False)
    place_file(folder / GROWTH, proof.encoded(), replace=False)
    _add_verifier(folder, f"growth since {show.counted(older.checkpoint.size, 'record')}", proof.checkpoint)
    _print_proof(settings, folder, proof.checkpoint, 0)


def _new_folder(folder: Path) -> Path:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise BadInput(f"{folder} is there already; name another with --out, or remove it")
    make_folders(folder.absolute())
    return folder


def _add_verifier(folder: Path, what: str, signed: SignedCheckpoint) -> None:
    place_file(folder / VERIFIER, files("ingest.seal").joinpath(VERIFIER).read_bytes(), replace=False)
    said = signed.checkpoint
    growth = (folder / GROWTH).exists()
    text = (
        f"Proofs of {what}\n\n"
        f"They lead up to the checkpoint of {show.counted(said.size, 'record')} of the log\n    {said.origin}\n\n"
        "To check them you need Python 3.11 or newer with the package `cryptography`, and the log's public key (a\n"
        "vkey line) from somebody you trust: not from this folder and not from whoever gave it to you. Then type\n\n"
        f"    python {VERIFIER} --vkey <the line> "
        + (f"--older older.checkpoint {GROWTH}\n" if growth else ".\n")
        + "\nAdd --witness <vkey line> for each witness whose signature you want to see as well.\n"
    )
    place_file(folder / README, text.encode(), replace=False)


def _print_proof(settings: Settings, folder: Path, signed: SignedCheckpoint, records: int) -> None:
    said = signed.checkpoint
    witnesses = [line.name for line in signed.note.signatures if line.name != said.origin]
    document: dict[str, Any] = {
        "folder": str(folder),
        "proofs": records or 1,
        "origin": said.origin,
        "checkpoint_records": said.size,
        "witnesses": witnesses,
    }
    if settings.as_json:
        settings.document(document)
        return
    click.echo(
        f"{show.counted(document['proofs'], 'proof')} in {folder}, up to the checkpoint of {said.size:,} records of "
        f"{said.origin}"
        + (f", signed also by {show.joined(witnesses)}." if witnesses else "; no witness has signed it.")
    )
    click.echo(
        f"To check: python {folder / VERIFIER} --vkey <line from `muckraker verify --key`, kept elsewhere> {folder}"
    )
