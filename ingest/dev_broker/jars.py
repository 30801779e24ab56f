"""Where the broker's jars are: fetched once by Maven into a cache, and needing no network after that."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ingest.dev_broker.java import find_maven
from ingest.dev_broker.problem import BrokerError

CACHE_VARIABLE = "MUCKRAKER_KAFKA_CACHE"
POM = Path(__file__).with_name("pom.xml")
_FETCH_S = 900.0
_PLUGIN = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:copy-dependencies"


def cache_folder() -> Path:
    """$MUCKRAKER_KAFKA_CACHE, else muckraker/kafka in the user's cache folder."""
    named = os.environ.get(CACHE_VARIABLE)
    if named:
        return Path(named)
    caches = os.environ.get("XDG_CACHE_HOME")
    return (Path(caches) if caches else Path.home() / ".cache") / "muckraker" / "kafka"


def jars_folder() -> Path:
    """Where the jars of this pom.xml are, or will be: another pom, another folder."""
    return cache_folder() / f"jars-{hashlib.sha256(POM.read_bytes()).hexdigest()[:16]}"


def are_cached() -> bool:
    return jars_folder().is_dir()


def fetched_jars() -> Path:
    """The folder of the broker's jars; the first call fetches them, and two at once fetch them once."""
    folder = jars_folder()
    if folder.is_dir():
        return folder
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with _locked(folder.parent / "fetch.lock"):
            if not folder.is_dir():
                _fetch(folder)
    except OSError as error:
        raise BrokerError(
            f"the Kafka jars cannot be kept in {folder.parent} ({error}); set {CACHE_VARIABLE} to a folder that can be "
            "written"
        ) from error
    return folder


def _fetch(folder: Path) -> None:
    """Copied under a temporary name and renamed, so that a folder that is there is whole."""
    maven = find_maven()
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix="fetching-") as work:
        shutil.copy(POM, Path(work) / "pom.xml")  # Maven writes beside its pom, and the package may be read-only
        libs = Path(work) / "libs"
        command = [maven, "--batch-mode", "--quiet", "--strict-checksums", _PLUGIN, f"-DoutputDirectory={libs}"]
        try:
            done = subprocess.run(command, cwd=work, capture_output=True, text=True, timeout=_FETCH_S, check=False)
        except subprocess.TimeoutExpired as error:
            raise BrokerError(f"Maven did not fetch the Kafka jars in {_FETCH_S:.0f} s; {_WAYS}") from error
        if done.returncode != 0 or not any(libs.glob("kafka_*.jar")):
            last = "\n".join((done.stdout + done.stderr).strip().splitlines()[-8:])
            raise BrokerError(f"Maven cannot fetch the Kafka jars (it ended with {done.returncode}):\n{last}\n{_WAYS}")
        libs.rename(folder)


@contextmanager
def _locked(path: Path) -> Iterator[None]:
    """Only one process at a time; the system lets go of the lock when its holder dies."""
    with path.open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


_WAYS = (
    "check the network, or name a mirror in ~/.m2/settings.xml; where there is no network, copy the cache of a machine "
    f"that has fetched them and set {CACHE_VARIABLE} to it"
)
