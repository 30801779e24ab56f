"""Files and folders that survive a power cut: written, fsynced, and the folder that names them fsynced too."""

from __future__ import annotations

import os
import secrets
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor, wait
from functools import cache
from hashlib import sha256
from pathlib import Path

CHUNK_BYTES = 1 << 20


def write_file(path: Path, data: bytes, mode: int = 0o644) -> None:
    """A new file, durable on return but for its name: that is its folder's, see `fsync_folder`."""
    fd = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        rest = memoryview(data)
        while rest:
            rest = rest[os.write(fd, rest) :]
        os.fsync(fd)
    finally:
        os.close(fd)


def write_files(folder: Path, files: Mapping[str, bytes]) -> None:
    """New files in a folder, durable on return but for their names. They are synced side by side: a disk takes eight
    in little more time than one."""
    opened: list[int] = []
    try:
        for name, data in files.items():
            fd = os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o644)
            opened.append(fd)
            rest = memoryview(data)
            while rest:
                rest = rest[os.write(fd, rest) :]
        syncing = [_syncing().submit(os.fsync, fd) for fd in opened]
        wait(syncing)  # before anything is closed, also where one fails
        for synced in syncing:
            synced.result()
    finally:
        for fd in opened:
            os.close(fd)


@cache
def _syncing() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(8, "fsync")


os.register_at_fork(after_in_child=_syncing.cache_clear)  # a child has none of its parent's threads


def place_file(path: Path, data: bytes, mode: int = 0o644, *, replace: bool) -> None:
    """The file at `path`, complete and durable. What is there already is replaced, or wins, whoever put it there."""
    writing = path.with_name(f".writing-{path.name}-{secrets.token_hex(4)}")
    try:
        write_file(writing, data, mode)
        if replace:
            os.rename(writing, path)
        else:
            try:
                os.link(writing, path)  # unlike rename, it never replaces anything
            except FileExistsError:
                return
    finally:
        writing.unlink(missing_ok=True)
    fsync_folder(path.parent)


def copy_file(source: Path, target: Path, mode: int) -> tuple[str, int]:
    """A new file with the bytes of another, durable but for its name; their SHA-256 in hex, and how many."""
    digest = sha256()
    length = 0
    with source.open("rb") as reader:
        fd = os.open(target, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
        with os.fdopen(fd, "wb") as writer:
            while chunk := reader.read(CHUNK_BYTES):
                digest.update(chunk)
                writer.write(chunk)
                length += len(chunk)
            writer.flush()
            os.fsync(writer.fileno())
    return digest.hexdigest(), length


def fsync_folder(folder: Path) -> None:
    fd = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(fd)
    finally:
        os.close(fd)


def make_folders(folder: Path) -> None:
    """Make a folder and those above it, each one durable."""
    if folder.is_dir():
        return
    make_folders(folder.parent)
    folder.mkdir(exist_ok=True)
    fsync_folder(folder.parent)
