"""Checking the lake's files by their names, sizes and hashes: what is missing, changed, too much or out of order.

It needs no key, and so cannot tell who wrote what is there; `verify_lake` (ingest/seal/verify.py) builds on it and can.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from hashlib import file_digest, sha256
from typing import TYPE_CHECKING, Any

import orjson

from ingest.seal.segment_seal import SEAL
from ingest.segments import (
    BESIDE_PARTITIONS,
    COMPACTING,
    EVENTS,
    FORMAT,
    LOCK,
    MANIFEST,
    PARTITION_NAME,
    SEGMENT_FILES,
    SETTINGS,
    WRITING,
    Damage,
    Segment,
    other_format,
)
from schemas.segments import RETIRED, span_of

if TYPE_CHECKING:
    from ingest.lake import Lake


def check_lake(lake: Lake) -> list[Damage]:
    """What is wrong with the lake's files; an intact lake has nothing."""
    damages = list(strays(lake))
    for topic in lake.topics():
        for partition in lake.partitions(topic):
            previous: Segment | None = None
            for segment in lake.segments(topic, partition):
                damages += [*check_order(segment, previous), *check_segment(lake, topic, segment)]
                previous = segment
    return without_repeats(damages)


def strays(lake: Lake) -> Iterator[Damage]:
    """Files and folders that do not belong where they are, outside of segments."""
    if not lake.root.is_dir():
        return
    for entry in sorted(lake.root.iterdir()):
        if not entry.is_dir() or entry.name.startswith("."):
            yield Damage(entry, "does not belong there; a lake has folders of topics")
    for topic in lake.topics():
        for entry in sorted((lake.root / topic).iterdir()):
            if entry.name in BESIDE_PARTITIONS or entry.name == SETTINGS:
                continue
            if not (entry.is_dir() and PARTITION_NAME.match(entry.name) and str(int(entry.name)) == entry.name):
                yield Damage(entry, f"does not belong there; a topic has {SETTINGS} and folders of partitions")
        for partition in lake.partitions(topic):
            folder = lake.root / topic / str(partition)
            for entry in sorted(folder.iterdir()) if folder.is_dir() else ():
                if entry.name in (LOCK, COMPACTING) or entry.name.startswith(WRITING):
                    continue  # what a crash left half-written is nobody's record; the next owner removes it
                if not (entry.is_dir() and span_of(entry.name)):
                    yield Damage(entry, "does not belong there; a partition has folders of segments")


def check_segment(lake: Lake, topic: str, segment: Segment) -> list[Damage]:
    """What is wrong with a segment's files: those its manifest names, and those it does not."""
    path = segment.path / MANIFEST
    try:
        manifest = orjson.loads(path.read_bytes())
        if manifest["format"] != FORMAT:
            return [Damage(path, other_format(manifest["format"]))]
        damages = _check_files(segment, manifest)
        if (manifest["first_offset"], manifest["last_offset"]) != (segment.first, segment.last):
            span = f"{manifest['first_offset']} to {manifest['last_offset']}"
            damages.append(Damage(path, f"is of records {span}, not those its folder names"))
        settings = lake.root / topic / SETTINGS
        if lake.settings_sha(topic) != manifest["settings"]:
            gone = "is missing" if not settings.exists() else "was changed"
            damages.append(Damage(settings, f"{gone}; it is not what the segments were cut by"))
    except OSError as error:
        return [Damage(path, f"cannot be read: {error.strerror}")]
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        return [Damage(path, f"is not a manifest: {error!r}")]
    return damages


def check_order(segment: Segment, previous: Segment | None) -> list[Damage]:
    """What is wrong with how a segment follows on the one before it; unreadable manifests are not named here."""
    if previous is not None and segment.first != previous.last + 1:
        gap = f"begins at offset {segment.first}, but the segments before it end at {previous.last}"
        return [Damage(segment.path, gap)]
    try:
        manifest = orjson.loads((segment.path / MANIFEST).read_bytes())
        begin, named = manifest["tree_first_offset"], manifest["previous"]
        if previous is None:
            if segment.first == begin and named is None:
                return []
            return [Damage(segment.path, f"is the first there is, but the record began at offset {begin}")]
        data = (previous.path / MANIFEST).read_bytes()
        before = orjson.loads(data)
        damages = []
        if named is None or named not in (sha256(data).hexdigest(), before["replaces"]):
            what = "names another manifest before it than the one that is there"
            damages.append(Damage(segment.path / MANIFEST, what))
        if begin != before["tree_first_offset"]:
            what = "says that the record began elsewhere than the one before it"
            damages.append(Damage(segment.path / MANIFEST, what))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return []
    return damages


def without_repeats(damages: Iterable[Damage]) -> list[Damage]:
    """Each once, in order: a changed settings file is wrong for every segment."""
    return list(dict.fromkeys(damages))


def _check_files(segment: Segment, manifest: dict[str, Any]) -> list[Damage]:
    damages: list[Damage] = []
    for name in SEGMENT_FILES:
        path = segment.path / name
        named = manifest["files"][name]
        if name == EVENTS and not path.exists() and (segment.path / RETIRED).exists():
            continue  # who says so, and with what hashes instead, is `verify`'s to check
        try:
            size = path.stat().st_size
            with path.open("rb") as file:
                digest = file_digest(file, "sha256").hexdigest()
        except OSError as error:
            damages.append(Damage(path, f"cannot be read: {error.strerror}"))
            continue
        if size != named["bytes"]:
            damages.append(Damage(path, f"has {size} bytes, the manifest says {named['bytes']}"))
        elif digest != named["sha256"]:
            damages.append(Damage(path, "was changed; its SHA-256 is not the one in the manifest"))
    if not (segment.path / SEAL).exists():
        damages.append(Damage(segment.path / SEAL, "is missing: nobody vouches for the manifest"))
    for path in sorted(segment.path.iterdir()):
        if path.name not in (MANIFEST, SEAL, RETIRED, *SEGMENT_FILES):
            damages.append(Damage(path, "does not belong there; the manifest does not name it"))
    return damages
