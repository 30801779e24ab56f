"""Backup and restore of a home: everything, verified, and only what is new.

A backup is a folder:

    backup.json      what it holds; replaced as a whole, last of all
    lake/            the segments, as in the home: they never change, so each is copied once
    files/<sha256>   everything else but the log (home.json, keys, seal, settings, quality results), by its content
    log.sqlite       the embedded log; of a Kafka log only the lake's positions are noted, the cluster keeps the records

How one is made (`back_up`), each step only after the one before:

1. the folder is locked, and what a backup that was killed left half-copied is removed;
2. what the last backup holds is held against the home: one that lost segments, or another home, is refused;
3. segments that are not there yet are copied, each file held against its manifest on the way, and renamed into place;
4. the other files are copied, by their content;
5. the embedded log is brought up to date: after the lake, so that it is never behind it;
6. backup.json is replaced: from here on this is the backup;
7. what the new backup.json does not name (segments replaced by compaction, old files) is removed.

Killed anywhere before 6, the backup before is still whole, and this one may simply be run again. Workers, devices and
compaction may go on meanwhile.

Restoring (`restore`) copies into a folder beside the home, checks every file on the way and the whole lake, seals
included, at the end, and only then renames it to the home: it is there complete or not at all.
"""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

import orjson

from ingest.durable import copy_file, fsync_folder, make_folders, place_file
from ingest.lake import COMPACTING, LOCK, MANIFEST, Lake, LakeError, Segment
from ingest.log_copy import check_log, copy_log
from ingest.seal.segment_seal import SEAL
from ingest.seal.verify import verify_lake
from ingest.segments import EVENTS
from schemas.segments import RETIRED, span_of

FORMAT = 1
MARK = "backup.json"
LOG = "log.sqlite"
MOST_TRIES = 5  # compaction may remove a segment between listing and copying it
_COPYING = ".copying"
_NOT_COPIED = frozenset({LOG, f"{LOG}-wal", f"{LOG}-shm", LOCK, COMPACTING})

_JSON = orjson.OPT_SORT_KEYS | orjson.OPT_APPEND_NEWLINE | orjson.OPT_NON_STR_KEYS

Progress = Callable[[int, int], None]
"""`progress(done, total)`, in segments and files."""


class BackupError(Exception):
    """A backup cannot be made or restored; the message names the file and says what to do."""


@dataclass(frozen=True)
class BackedUp:
    """What a backup did and now holds."""

    number: int
    segments: int
    segments_copied: int
    files: int
    files_copied: int
    bytes_copied: int
    records_copied: int
    positions: dict[str, dict[int, int]]  # by topic and partition: the first offset that is not in the lake


@dataclass(frozen=True)
class Restored:
    """What a restored home holds."""

    number: int
    made_at: str
    segments: int
    files: int
    records: int
    positions: dict[str, dict[int, int]]
    log: str
    seal_checked: bool


# --- making one ------------------------------------------------------------------------------------------------------


def back_up(home: Path, lake: Lake, embedded: int | None, folder: Path, progress: Progress | None = None) -> BackedUp:
    """Bring the backup in `folder` up to what `home` holds. `embedded`: the partitions of its own log, or None."""
    if folder.resolve().is_relative_to(home.resolve()):
        raise BackupError(f"{folder} is inside the home {home}: give a folder elsewhere, best on another disk")
    try:
        if not folder.exists():
            make_folders(folder)
            os.chmod(folder, 0o700)  # the keys are in it
        with _locked(folder):
            return _back_up(home, lake, embedded, folder, progress)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        raise BackupError(
            f"{where}{error.strerror or error}; the backup before this one is whole: see to the disk, then run again"
        ) from error


def _back_up(home: Path, lake: Lake, embedded: int | None, folder: Path, progress: Progress | None) -> BackedUp:
    before = read_backup(folder) if (folder / MARK).exists() else None
    if before is None and set(os.listdir(folder)) - {LOCK, "lake", "files", LOG, f"{LOG}-wal", f"{LOG}-shm"}:
        raise BackupError(f"{folder} is neither empty nor a backup: give another folder")
    if before is not None and (before["log"]["kind"] == "embedded") != (embedded is not None):
        raise BackupError(f"{folder} is the backup of a home with another kind of log: give another folder")
    known = {} if before is None else _spans(before)
    target = Lake(folder / "lake")
    copied = bytes_copied = 0
    for _ in range(MOST_TRIES):
        listed = {
            (topic, partition): lake.segments(topic, partition)
            for topic in lake.topics()
            for partition in lake.partitions(topic)
        }
        _refuse_loss(lake, target, listed, known, folder)  # step 2
        total = sum(map(len, listed.values()))
        done = 0
        gone = False
        for (topic, partition), segments in listed.items():  # step 3
            into = target.root / topic / str(partition)
            make_folders(into)
            for segment in segments:
                size: int | None = 0
                if not (into / segment.path.name).is_dir():
                    size = _copy_segment(lake, segment, into, folder / _COPYING)
                    copied += size is not None
                elif _came_back(segment.path, into / segment.path.name):
                    size = _copy_events(lake, segment, into / segment.path.name, folder / _COPYING)
                gone = gone or size is None
                bytes_copied += size or 0
                done += 1
                if progress is not None:
                    progress(done, total)
        if not gone:
            break
    else:
        raise BackupError(f"{lake.root}: segments went away while they were copied, {MOST_TRIES} times; run again")
    files, files_copied, file_bytes = _copy_files(home, folder / "files")  # step 4
    positions: dict[str, dict[int, int]] = {}
    for (topic, partition), segments in listed.items():
        positions.setdefault(topic, {})[partition] = segments[-1].last + 1 if segments else 0
    records = 0

    def took(number: int) -> None:
        nonlocal records
        records += number

    log: dict[str, Any] = {"kind": "kafka", "positions": positions}
    if embedded is not None:  # step 5
        marks: dict[str, dict[int, int]] = {}
        if (home / LOG).exists():
            marks = copy_log(home / LOG, folder / LOG, embedded, took)
        log = {"kind": "embedded", "partitions": embedded, "marks": marks}
    number = 1 if before is None else int(before["number"]) + 1
    said = {
        "format": FORMAT,
        "number": number,
        "made_at": datetime.now(UTC).isoformat(timespec="seconds"),
        "files": files,
        "lake": {
            topic: {str(partition): [s.path.name for s in listed[topic, partition]] for partition in partitions}
            for topic, partitions in positions.items()
        },
        "log": log,
    }
    place_file(folder / MARK, orjson.dumps(said, option=_JSON), 0o600, replace=True)  # step 6
    _tidy(folder, listed, {str(file["sha256"]) for file in files.values()})  # step 7
    return BackedUp(
        number,
        sum(map(len, listed.values())),
        copied,
        len(files),
        files_copied,
        bytes_copied + file_bytes,
        records,
        positions,
    )


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    lock = os.open(folder / LOCK, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise BackupError(f"{folder}: another backup is being made there; let it finish") from None
        shutil.rmtree(folder / _COPYING, ignore_errors=True)  # step 1
        yield
    finally:
        os.close(lock)


def _refuse_loss(
    lake: Lake,
    target: Lake,
    listed: dict[tuple[str, int], list[Segment]],
    known: dict[tuple[str, int], list[str]],
    folder: Path,
) -> None:
    """A home that lost segments must not take the backup with it."""
    for (topic, partition), names in known.items():
        there = listed.get((topic, partition), [])
        for name in names:
            span = span_of(name)
            assert span is not None, "read_backup has seen to it"
            if not any(segment.first <= span.first and span.last <= segment.last for segment in there):
                raise BackupError(
                    f"{folder} has the segment {topic}/{partition}/{name}, and {lake.root} does not: the home lost it, "
                    "or this is the backup of another one. Restore from it, or give another folder; nothing was changed"
                )
        both = [segment for segment in there if segment.path.name in set(names)]
        for segment in {both[0], both[-1]} if both else ():
            copy = target.root / topic / str(partition) / segment.path.name / MANIFEST
            if copy.exists() and copy.read_bytes() != (segment.path / MANIFEST).read_bytes():
                raise BackupError(
                    f"{copy} is not the manifest that {segment.path} has: one was changed, or this is the backup of "
                    "another home; type `muckraker verify`, or give another folder; nothing was changed"
                )


def _copy_segment(lake: Lake, segment: Segment, into: Path, copying: Path) -> int | None:
    """Copy a segment, checked; how many bytes, or None when compaction has removed it meanwhile."""
    shutil.rmtree(copying, ignore_errors=True)
    work = copying / segment.path.name
    work.mkdir(parents=True)
    try:
        size = _copy_checked(lake, segment, work)
    except (FileNotFoundError, LakeError):
        if segment.path.exists():
            raise
        return None
    fsync_folder(work)
    os.rename(work, into / segment.path.name)
    fsync_folder(into)
    return size


def _came_back(home: Path, copy: Path) -> bool:
    """Whether a segment's events were retired when it was backed up, and were brought back since."""
    return (home / EVENTS).exists() and not (copy / EVENTS).exists()


def _copy_events(lake: Lake, segment: Segment, copy: Path, copying: Path) -> int:
    """Add them to the copy; with the note of their retirement or without, it is a segment at every moment."""
    shutil.rmtree(copying, ignore_errors=True)
    copying.mkdir(parents=True)
    digest, length = copy_file(segment.path / EVENTS, copying / EVENTS, 0o644)
    if digest != lake.manifest(segment)["files"][EVENTS]["sha256"]:
        raise BackupError(f"{segment.path / EVENTS} is not the file its manifest names; type `muckraker verify`")
    os.rename(copying / EVENTS, copy / EVENTS)
    fsync_folder(copy)
    (copy / RETIRED).unlink(missing_ok=True)
    fsync_folder(copy)
    return length


def _copy_checked(lake: Lake, segment: Segment, work: Path) -> int:
    named = lake.manifest(segment)["files"]
    size = 0
    for path in sorted(segment.path.iterdir()):
        digest, length = copy_file(path, work / path.name, 0o644)
        size += length
        if path.name in (MANIFEST, SEAL, RETIRED):
            continue  # the whole is verified when it is restored, and by `muckraker verify`
        if path.name not in named or digest != named[path.name]["sha256"]:
            raise BackupError(
                f"{path} is not the file its manifest names: it was changed or cannot be read rightly; type `muckraker "
                "verify`, restore it from an earlier backup; the backup before this one is whole"
            )
    retired = {EVENTS} if (work / RETIRED).exists() else set()
    missing = [name for name in (*named, MANIFEST, SEAL) if name not in retired and not (work / name).exists()]
    if missing:
        raise BackupError(f"{segment.path / missing[0]} is missing; type `muckraker verify`, restore what it names")
    return size


def _copy_files(home: Path, store: Path) -> tuple[dict[str, dict[str, Any]], int, int]:
    """Everything of the home but segments and log, by content; what is where, how many were new, and their bytes."""
    make_folders(store)
    os.chmod(store, 0o700)
    found: dict[str, dict[str, Any]] = {}
    copied = size = 0
    for path in _other_files(home):
        try:
            data, mode = path.read_bytes(), path.stat().st_mode & 0o777
        except FileNotFoundError:
            continue  # replaced or removed since it was listed: it will be there under its name the next time
        digest = sha256(data).hexdigest()
        found[path.relative_to(home).as_posix()] = {"bytes": len(data), "mode": mode, "sha256": digest}
        if not (store / digest).exists():
            place_file(store / digest, data, 0o600, replace=True)
            copied += 1
            size += len(data)
    return found, copied, size


def _other_files(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.name in _NOT_COPIED or path.name.startswith((".writing-", ".home.json")):
            continue
        if path.is_dir():
            if span_of(path.name) is None:
                yield from _other_files(path)
        elif path.is_file():
            yield path


def _tidy(folder: Path, listed: dict[tuple[str, int], list[Segment]], digests: set[str]) -> None:
    target = Lake(folder / "lake")
    places = [(topic, partition) for topic in target.topics() for partition in target.partitions(topic)]
    for topic, partition in places:
        kept = {segment.path.name for segment in listed.get((topic, partition), [])}
        into = folder / "lake" / topic / str(partition)
        for path in sorted(into.iterdir()):
            if span_of(path.name) is not None and path.name not in kept:
                (folder / _COPYING).mkdir(exist_ok=True)
                os.rename(path, folder / _COPYING / path.name)
                shutil.rmtree(folder / _COPYING)
    for path in sorted((folder / "files").iterdir()):
        if path.name not in digests:
            path.unlink()


# --- reading one -----------------------------------------------------------------------------------------------------


def read_backup(folder: Path) -> dict[str, Any]:
    """What backup.json says; a BackupError where it is none, or of another format."""
    path = folder / MARK
    try:
        said = orjson.loads(path.read_bytes())
        if said["format"] != FORMAT:
            raise BackupError(
                f"{path} has format {said['format']!r}, and this version reads {FORMAT}; use the Muckraker that made it"
            )
        if said["log"]["kind"] not in ("embedded", "kafka"):
            raise ValueError(f"a log of the kind {said['log']['kind']!r}")
        for names in _spans(said).values():
            if not all(map(span_of, names)):
                raise ValueError("a segment under a name that is none")
        for name, file in said["files"].items():
            if name.startswith("/") or ".." in name.split("/") or not str(file["sha256"]).isalnum():
                raise ValueError(f"a file under the name {name!r}")
            int(file["mode"]), int(file["bytes"])
        int(said["number"]), str(said["made_at"])
    except OSError as error:
        raise BackupError(
            f"{folder} is not a backup: {path}: {error.strerror}; name the folder one was made in"
        ) from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BackupError(f"{path} is damaged ({error!r}); make a new backup, or restore from another") from error
    return dict(said)


def _spans(said: dict[str, Any]) -> dict[tuple[str, int], list[str]]:
    """The segments that a backup.json names."""
    return {
        (topic, int(partition)): names
        for topic, partitions in said["lake"].items()
        for partition, names in partitions.items()
    }


# --- restoring -------------------------------------------------------------------------------------------------------


def restore(
    folder: Path,
    home: Path,
    lake_in: Callable[[Path], Lake],
    progress: Progress | None = None,
    mark: Callable[[Path], None] | None = None,
) -> Restored:
    """Make the home that the backup in `folder` is of; `lake_in(path)` is the lake of a home at that path, and
    `mark(path)` says in it that it is a copy, before it is there."""
    said = read_backup(folder)
    if home.exists() and (not home.is_dir() or any(home.iterdir())):
        raise BackupError(
            f"{home} is there and not empty: nothing is restored over it; give a folder that is not there"
        )
    work = home.absolute().with_name(f".{home.absolute().name}.restoring")
    try:
        make_folders(work.parent)
        shutil.rmtree(work, ignore_errors=True)  # of a restore that was killed
        work.mkdir(mode=0o700)
        try:
            restored = _restore(folder, said, work, lake_in, progress)
            if mark is not None:
                mark(work)
            fsync_folder(work)
            if home.is_dir():
                home.rmdir()
            os.rename(work, home)
            fsync_folder(work.parent)
        finally:
            shutil.rmtree(work, ignore_errors=True)
    except OSError as error:
        where = f"{error.filename}: " if error.filename else ""
        raise BackupError(
            f"{where}{error.strerror or error}; nothing was restored: see to the disk, run again"
        ) from error
    return restored


def _restore(
    folder: Path, said: dict[str, Any], work: Path, lake_in: Callable[[Path], Lake], progress: Progress | None
) -> Restored:
    for name, file in said["files"].items():
        source, target = folder / "files" / file["sha256"], work / name
        make_folders(target.parent)
        digest, _ = copy_file(source, target, int(file["mode"]))
        if digest != file["sha256"]:
            raise BackupError(f"{source} is damaged: it is not {name} as it was backed up; restore from another backup")
        fsync_folder(target.parent)
    source_lake = Lake(folder / "lake")
    spans = _spans(said)
    total = sum(map(len, spans.values()))
    done = records = 0
    positions: dict[str, dict[int, int]] = {}
    for (topic, partition), names in spans.items():
        into = work / "lake" / topic / str(partition)
        make_folders(into)
        end = 0
        for name in names:
            span = span_of(name)
            assert span is not None, "read_backup has seen to it"
            segment = Segment(source_lake.root / topic / str(partition) / name, span.first, span.last)
            (into / name).mkdir()
            _copy_checked(source_lake, segment, into / name)
            fsync_folder(into / name)
            records += span.last - span.first + 1
            end = span.last + 1
            done += 1
            if progress is not None:
                progress(done, total)
        positions.setdefault(topic, {})[partition] = end
        fsync_folder(into)
    log = said["log"]
    if log["kind"] == "embedded" and (folder / LOG).exists():
        check_log(folder / LOG, int(log["partitions"]))
        marks = copy_log(folder / LOG, work / LOG, int(log["partitions"]))
        for topic, partitions in positions.items():
            for partition, end in partitions.items():
                if marks.get(topic, {}).get(partition, 0) < max(
                    end, int(log["marks"].get(topic, {}).get(str(partition), 0))
                ):
                    raise BackupError(f"{folder / LOG} is shorter than it was backed up; restore from another backup")
    return Restored(
        int(said["number"]),
        str(said["made_at"]),
        total,
        len(said["files"]),
        records,
        positions,
        str(log["kind"]),
        _check_lake(lake_in(work)),
    )


def _check_lake(lake: Lake) -> bool:
    """A BackupError where anything is wrong with the lake; whether the seals could be checked too."""
    try:
        keys = lake.keys()
    except LakeError:
        damages, sealed = lake.check(), False  # the key is kept elsewhere, and its public half is not in the backup
    else:
        damages, sealed = [str(damage) for damage in verify_lake(lake, keys).damages], True
    if damages:
        raise BackupError(f"the backup is damaged: {damages[0]}; nothing was restored: restore from another backup")
    return sealed
