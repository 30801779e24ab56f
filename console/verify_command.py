"""`muckraker verify`: is the record the one that was sealed?"""

from __future__ import annotations

import multiprocessing
import os
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter
from typing import Any

import click
from rich.text import Text

from console import show
from console.command import Command, Settings, color_option, home_option, json_option, pass_settings
from console.exits import BadInput, Exit
from console.home import Home
from ingest.durable import make_folders, place_file
from ingest.lake import Lake
from ingest.lake_check import strays
from ingest.seal.beside import verify_beside
from ingest.seal.checkpoint import SignedCheckpoint
from ingest.seal.lake_tree import LakeTree
from ingest.seal.merkle import is_consistent
from ingest.seal.note import COSIGNATURE, NoteError, VerifierKey, verify_note
from ingest.seal.proof import PROOF_SUFFIX, GrowthProof, RecordProof
from ingest.seal.signer import LakeKeys
from ingest.seal.verify import Verified, check_checkpoint, in_order, place_of, verify_replaced, verify_segment
from ingest.seal.witnessed import SUFFIX as CHECKPOINT_SUFFIX
from ingest.seal.witnessed import Witnessed
from ingest.segments import Damage, Segment

vkey_option = click.option(
    "--vkey",
    "vkey",
    metavar="LINE|FILE",
    help="The lake's public key as you keep it yourself, instead of the one beside the lake.",
)


@click.command(
    cls=Command,
    examples=[
        "muckraker verify",
        "muckraker verify --vkey filed.vkey --checkpoint kept",
        "muckraker verify --segment muckraker-home/lake/muckraker-events/0/00000000000000000000-00000000000000049999",
        "muckraker verify --proof seq-00000123.json.tlog-proof",
        "muckraker verify --key > filed.vkey",
        "muckraker verify --newest kept",
    ],
    exits={Exit.FOUND: "something was touched, is missing or was added; or a proof does not hold"},
)
@click.option("--segment", type=click.Path(path_type=Path), help="Only this segment's folder.")
@click.option(
    "--proof",
    "proofs",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Only this proof: of the file beside it without .tlog-proof, or of growth since --checkpoint (repeatable).",
)
@click.option(
    "--checkpoint",
    "checkpoints",
    multiple=True,
    metavar="FILE|FOLDER",
    type=click.Path(exists=True, path_type=Path),
    help="Also that the lake goes on from this checkpoint, kept elsewhere, or all of a folder's (may be repeated).",
)
@click.option(
    "--witness",
    "witnesses",
    multiple=True,
    metavar="LINE|FILE",
    help="With --proof: a witness whose signature is demanded too (may be repeated).",
)
@vkey_option
@click.option("--key", "shows_key", is_flag=True, help="Print the lake's public keys, to be kept elsewhere, and stop.")
@click.option(
    "--newest",
    metavar="FOLDER",
    type=click.Path(path_type=Path, file_okay=False),
    help="Write every partition's newest checkpoint there, to be kept elsewhere, and stop.",
)
@click.option("--jobs", type=click.IntRange(1, 256), default=1, show_default=True, help="Processes.")
@json_option
@home_option
@color_option
@pass_settings
def verify(
    settings: Settings,
    segment: Path | None,
    proofs: tuple[Path, ...],
    checkpoints: tuple[Path, ...],
    witnesses: tuple[str, ...],
    vkey: str | None,
    shows_key: bool,
    newest: Path | None,
    jobs: int,
) -> None:
    """Check that no record and no file of the lake was touched, and name what was.

    Every file is held against its signed manifest, and every record is hashed again up to the signed checkpoints. That
    the newest segments were removed only a checkpoint kept elsewhere can tell: give one with --checkpoint, or have a
    witness keep them (muckraker witness). The key beside the lake is believed unless --vkey names yours.
    """
    if sum((segment is not None, bool(proofs), shows_key, newest is not None)) > 1:
        raise BadInput("one at a time, please: --segment, --proof, --key or --newest")
    if witnesses and not proofs:
        raise BadInput("--witness goes with --proof; the lake itself is held against --checkpoint")
    if shows_key:
        _show_keys(settings, settings.home())
    elif newest is not None:
        _write_newest(settings, settings.home(), newest)
    elif proofs:
        _verify_proofs(settings, proofs, vkey, witnesses, checkpoints)
    else:
        _verify_lake(settings, segment, checkpoints, vkey, jobs)


def keys_of(lake: Lake, vkey: str | None) -> LakeKeys:
    """The key to believe: the one given as a line or a file, else the one beside the lake."""
    if vkey is None:
        return lake.keys()
    try:
        return LakeKeys.parse(line_or_file(vkey))
    except NoteError as error:
        raise BadInput(f"--vkey: {error}") from error


def line_or_file(given: str) -> str:
    if Path(given).is_file():
        try:
            return Path(given).read_text(encoding="utf-8")
        except (OSError, UnicodeDecodeError) as error:
            raise BadInput(f"{given} cannot be read: {error}") from error
    if given.count("+") < 2:
        raise BadInput(f"{given} is neither a file nor a verifier key (name+8 hex digits+base64)")
    return given


# --- the keys ---------------------------------------------------------------------------------------------------------


def _show_keys(settings: Settings, home: Home) -> None:
    lake = home.lake()
    keys = lake.keys()
    lines = [keys.verifier(topic, partition) for topic in lake.topics() for partition in lake.partitions(topic)]
    if settings.as_json:
        settings.lines({"origin": line.name, "vkey": str(line)} for line in lines)
    else:
        for line in lines:
            click.echo(str(line))


def _write_newest(settings: Settings, home: Home, folder: Path) -> None:
    """The newest checkpoint of every partition as a file of its own; none is ever replaced."""
    lake = home.lake()
    keys = lake.keys()
    rows = []
    make_folders(folder.absolute())
    for topic in lake.topics():
        for partition in lake.partitions(topic):
            if lake.segments(topic, partition):
                signed = LakeTree(lake, topic, partition, keys).newest()
                path = folder / f"{topic}-{partition}-{signed.checkpoint.size}{CHECKPOINT_SUFFIX}"
                place_file(path, signed.note.encoded(), replace=False)
                rows.append({"origin": signed.checkpoint.origin, "records": signed.checkpoint.size, "file": str(path)})
    if settings.as_json:
        settings.lines(rows)
        return
    for row in rows:
        click.echo(f"{row['file']}: {show.counted(int(str(row['records'])), 'record')} of {row['origin']}")
    if not rows:
        click.echo("Nothing is recorded yet.")


# --- the lake ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Task:
    """One segment to verify, for whichever process does it."""

    root: Path
    keys: LakeKeys
    topic: str
    partition: int
    segment: Segment
    previous: Segment | None

    def run(self) -> Verified:
        return verify_segment(Lake(self.root), self.keys, self.topic, self.partition, self.segment, self.previous)


def _verify_lake(
    settings: Settings, only: Path | None, checkpoints: tuple[Path, ...], vkey: str | None, jobs: int
) -> None:
    home = settings.home()
    lake = home.lake()
    began = perf_counter()
    everything = list(in_order(lake))
    if only is not None:
        wanted = only.absolute()
        everything = [task for task in everything if task[2].path.absolute() == wanted]
        if not everything:
            raise BadInput(f"{only} is not a segment of {lake.root}")
    if not everything and not lake.key_path.exists() and vkey is None:
        keys = None
    else:
        keys = keys_of(lake, vkey)
    whole = Verified(damages=[] if only is not None else list(strays(lake)))
    tasks = [] if keys is None else [Task(lake.root, keys, *task) for task in everything]
    total = sum(task.segment.last - task.segment.first + 1 for task in tasks)
    with settings.bar("verifying") as bar:
        for verified in _run(tasks, jobs):
            whole.add(verified)
            bar.show(whole.records, total)
    if keys is not None and only is None:
        whole.damages += [*verify_replaced(lake, keys), *verify_beside(lake, keys)]
    held = given_count = 0
    if keys is not None:
        given = [(path, _kept(path)) for path in _files_of(checkpoints)]
        kept = [] if only is not None else Witnessed(home.seal_path / "witnessed").all()
        given_count = len(given)
        for path, signed in given + kept:
            held += 1
            whole.damages += _against(lake, keys, path, signed)
    seconds = perf_counter() - began
    _report(settings, whole, keys, held, given_count, seconds)


def _run(tasks: list[Task], jobs: int) -> Iterator[Verified]:
    if jobs == 1 or len(tasks) < 2:
        yield from map(Task.run, tasks)
        return
    # Not forked: pyarrow has threads running by now.
    with ProcessPoolExecutor(min(jobs, len(tasks), os.cpu_count() or 1), multiprocessing.get_context("spawn")) as pool:
        yield from pool.map(Task.run, tasks)


def _files_of(given: tuple[Path, ...]) -> Iterator[Path]:
    for path in given:
        if not path.is_dir():
            yield path
            continue
        found = sorted(path.glob(f"*{CHECKPOINT_SUFFIX}"))
        if not found:
            raise BadInput(f"{path} has no file *{CHECKPOINT_SUFFIX}")
        yield from found


def _kept(path: Path) -> SignedCheckpoint:
    try:
        return SignedCheckpoint.parse(path.read_bytes())
    except NoteError as error:
        raise BadInput(f"{path} is no checkpoint: {error}") from error


def _against(lake: Lake, keys: LakeKeys, path: Path, signed: SignedCheckpoint) -> list[Damage]:
    try:
        return check_checkpoint(lake, keys, signed)
    except NoteError as error:
        raise BadInput(f"{path}: {error}") from error


def _report(
    settings: Settings, whole: Verified, keys: LakeKeys | None, held: int, from_elsewhere: int, seconds: float
) -> None:
    damages = list(dict.fromkeys(whole.damages))
    if settings.as_json:
        settings.document(
            {
                "intact": not damages,
                "segments": whole.segments,
                "records": whole.records,
                "checkpoints": whole.checkpoints,
                "retired_segments": whole.retired,
                "retired_records": whole.retired_records,
                "held_against": held,
                "key": None if keys is None else str(keys),
                "trees": [{"origin": origin, "records": size} for origin, size in sorted(whole.sizes.items())],
                "damages": [{"file": str(damage.path), "what": damage.what} for damage in damages],
                "seconds": round(seconds, 3),
            }
        )
    else:
        for damage in damages:
            settings.out.print(Text("TOUCHED ", style="bold red") + Text(str(damage)), soft_wrap=True)
        looked = (
            f"{show.counted(whole.segments, 'segment')}, {show.counted(whole.records, 'record')} and "
            f"{show.counted(whole.checkpoints, 'checkpoint')} in {seconds:.1f} s"
        )
        if damages:
            click.echo(f"{show.counted(len(damages), 'thing')} wrong in {looked}; restore what is named from a backup.")
        else:
            by = "" if keys is None else f", sealed by {keys.name}"
            click.echo(f"Nothing was touched: {looked}{by}.")
            if from_elsewhere:
                click.echo(f"It goes on from {show.counted(from_elsewhere, 'checkpoint')} that you gave.")
        if whole.retired:
            click.echo(
                f"Of {show.counted(whole.retired, 'segment')} the {show.counted(whole.retired_records, 'record')} were "
                "retired with the lake's key: their hashes are as sealed, their bytes are elsewhere or gone."
            )
    if not from_elsewhere:
        beside = f", only {show.counted(held, 'checkpoint')} kept beside it" if held else ""
        settings.note(
            f"no checkpoint from elsewhere was held against it{beside}: that newest segments are gone, or everything "
            "was rewritten with the lake's key, cannot be seen: give one with --checkpoint (`muckraker witness -h`)"
        )
    if damages:
        click.get_current_context().exit(Exit.FOUND)


# --- proofs -----------------------------------------------------------------------------------------------------------


def _verify_proofs(
    settings: Settings,
    paths: tuple[Path, ...],
    vkey: str | None,
    witnesses: tuple[str, ...],
    checkpoints: tuple[Path, ...],
) -> None:
    believed = None if vkey is None else LakeKeys.parse(line_or_file(vkey))
    cosigners = [
        VerifierKey.parse(line) for given in witnesses for line in line_or_file(given).splitlines() if line.strip()
    ]
    for key in cosigners:
        if key.kind != COSIGNATURE:
            raise BadInput(f"--witness: {key.name} is a log's key, not a witness's")
    keys = believed or settings.home().lake().keys()
    older = [_kept(path) for path in _files_of(checkpoints)]
    rows = [_proof_row(path, keys, cosigners, older) for path in paths]
    if settings.as_json:
        settings.lines(rows)
    else:
        for row in rows:
            mark = Text("proved     ", style="green") if row["proved"] else Text("NOT PROVED ", style="bold red")
            settings.out.print(mark + Text(f"{row['file']}: {row['what']}"), soft_wrap=True)
    if not all(row["proved"] for row in rows):
        click.get_current_context().exit(Exit.FOUND)


def _proof_row(
    path: Path, keys: LakeKeys, cosigners: list[VerifierKey], older: list[SignedCheckpoint]
) -> dict[str, Any]:
    try:
        data = path.read_bytes()
        what = (
            _growth(data, keys, cosigners, older) if data.startswith(b"old ") else _record(path, data, keys, cosigners)
        )
    except NoteError as error:
        return {"file": str(path), "proved": False, "what": str(error)}
    except OSError as error:
        raise BadInput(f"{error.filename} cannot be read: {error.strerror}") from error
    return {"file": str(path), "proved": True, "what": what}


def _record(path: Path, data: bytes, keys: LakeKeys, cosigners: list[VerifierKey]) -> str:
    """What a tlog-proof proves of the record beside it; a NoteError where it does not."""
    if not path.name.endswith(PROOF_SUFFIX):
        raise BadInput(f"{path} is not called <record>{PROOF_SUFFIX}, so its record cannot be found beside it")
    record_path = path.with_name(path.name.removesuffix(PROOF_SUFFIX))
    proof = RecordProof.parse(data)
    _signed(proof.checkpoint, keys, cosigners)
    if not proof.shows(record_path.read_bytes()):
        raise NoteError(f"{record_path.name} is not the record that was sealed as number {proof.index}")
    said = proof.checkpoint.checkpoint
    return f"{record_path.name} is record {proof.index} of the {said.size} of {said.origin}"


def _growth(data: bytes, keys: LakeKeys, cosigners: list[VerifierKey], older: list[SignedCheckpoint]) -> str:
    """What a proof of growth proves; it leads from one of the older checkpoints."""
    proof = GrowthProof.parse(data)
    said = proof.checkpoint.checkpoint
    _signed(proof.checkpoint, keys, cosigners)
    was = next((one for one in older if (one.checkpoint.origin, one.checkpoint.size) == (said.origin, proof.old)), None)
    if was is None:
        raise BadInput(
            f"give the checkpoint of {show.counted(proof.old, 'record')} of {said.origin}, from where it leads: "
            "--checkpoint"
        )
    _signed(was, keys, [])
    if not is_consistent(proof.old, was.checkpoint.root, said.size, said.root, proof.hashes):
        raise NoteError(
            f"{said.origin}, with {show.counted(said.size, 'record')}, does not begin with the {proof.old:,} signed "
            "for before"
        )
    what, begin = show.counted(said.size, "record"), "begins" if said.size == 1 else "begin"
    before = f"{proof.old:,} that {'was' if proof.old == 1 else 'were'} signed for before"
    return f"the {what} of {said.origin} {begin} with the {before}"


def _signed(signed: SignedCheckpoint, keys: LakeKeys, cosigners: list[VerifierKey]) -> None:
    signed.verify([keys.verifier(*place_of(keys, signed.checkpoint.origin))])
    for cosigner in cosigners:
        verify_note(signed.note, [cosigner])
