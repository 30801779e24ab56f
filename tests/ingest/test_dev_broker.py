"""The broker to develop with: it brings what it needs or says what to type, and begins, ends and begins anew."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from ingest.dev_broker import BrokerError, Cluster, jars, java
from ingest.dev_broker.java import find_java, install_missing
from tests.kafka_home import ROOT, eventually, muckraker_here

JAVA_17 = "echo 'openjdk version \"17.0.15\" 2025-04-15' >&2"
JAVA_8 = "echo 'java version \"1.8.0_402\"' >&2"


class Machine:
    """A machine that has these commands and no others."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder = folder
        self.called = folder.parent / "called"
        folder.mkdir()
        monkeypatch.setenv("PATH", str(folder))
        monkeypatch.delenv("JAVA_HOME", raising=False)

    def has(self, name: str, does: str = "exit 0") -> None:
        path = self.folder / name
        path.write_text(f'#!/bin/sh\necho "{name} $@" >> {self.called}\n{does}\n')
        path.chmod(0o755)

    def calls(self) -> list[str]:
        return self.called.read_text().splitlines() if self.called.exists() else []


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    return Machine(tmp_path / "bin", monkeypatch)


def test_a_machine_with_java_and_maven_installs_nothing(machine: Machine) -> None:
    machine.has("java", JAVA_17)
    machine.has("mvn")
    machine.has("apt-get", "exit 1")
    assert install_missing(jars_are_cached=False) == []
    assert find_java() == str(machine.folder / "java")


def test_jars_that_are_there_need_no_maven(machine: Machine) -> None:
    machine.has("java", JAVA_17)
    assert install_missing(jars_are_cached=True) == []


@pytest.mark.parametrize("present", [None, JAVA_8])
def test_root_installs_what_is_missing(machine: Machine, monkeypatch: pytest.MonkeyPatch, present: str | None) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    if present is not None:
        machine.has("java", present)
    machine.has("apt-cache", '[ "$2" = openjdk-17-jre-headless ]')
    for name in ("env", "cp"):
        (machine.folder / name).symlink_to(shutil.which(name, path="/usr/bin:/bin") or name)
    packages = machine.folder.parent / "packages"
    packages.mkdir()
    for name in ("java", "mvn"):
        (packages / name).write_text(f"#!/bin/sh\n{JAVA_17}\n")
        (packages / name).chmod(0o755)
    machine.has("apt-get", f'[ "$1" = update ] || cp {packages}/* {machine.folder}')
    assert install_missing(jars_are_cached=False) == ["openjdk-17-jre-headless", "maven"]
    done = [call for call in machine.calls() if call.startswith("apt-get")]
    assert done == ["apt-get update", "apt-get install -y --no-install-recommends openjdk-17-jre-headless maven"]


def test_who_may_not_install_is_told_the_one_command(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 1_000)
    machine.has("apt-get")
    machine.has("apt-cache")
    for sudo in (None, "exit 1"):  # none, or one that asks for a password
        if sudo is not None:
            machine.has("sudo", sudo)
        with pytest.raises(BrokerError) as caught:
            install_missing(jars_are_cached=False)
        assert str(caught.value) == (
            "the Kafka tests need Java 17 and Maven; type: sudo apt-get update && "
            "sudo apt-get install -y --no-install-recommends openjdk-21-jre-headless maven"
        )
    assert not [call for call in machine.calls() if call.startswith("apt-get")]


def test_an_installation_that_fails_says_why(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 0)
    machine.has("apt-cache")
    machine.has("apt-get", "echo E: no network >&2; exit 100")
    with pytest.raises(BrokerError, match=r"(?s)apt-get update ended with 100.*E: no network.*type: sudo apt-get"):
        install_missing(jars_are_cached=False)


def test_a_machine_without_apt_is_told_what_it_needs(machine: Machine) -> None:
    with pytest.raises(BrokerError, match="need Java 17 and Maven; install a Java 17"):
        install_missing(jars_are_cached=False)


def test_maven_that_fails_leaves_no_half_filled_cache(
    machine: Machine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv(jars.CACHE_VARIABLE, str(tmp_path / "cache"))
    machine.has("mvn", "echo '[ERROR] unknown host'; exit 1")
    with pytest.raises(BrokerError, match=r"(?s)unknown host.*check the network, or name a mirror"):
        jars.fetched_jars()
    assert not jars.are_cached()
    assert [path.name for path in (tmp_path / "cache").iterdir()] == ["fetch.lock"]


def test_make_test_brings_the_broker_before_it_tests() -> None:
    said = subprocess.run(["make", "-n", "test"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    assert said.index("ingest.dev_broker --prepare") < said.index("pytest")


@contextmanager
def running(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """`make kafka`, without make."""
    command = [sys.executable, "-m", "ingest.dev_broker", "--folder", str(folder)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=environment) as process:
        try:
            assert process.stdout is not None
            for line in process.stdout:
                if "Ctrl-C ends it" in line:
                    break
            yield process
        finally:
            process.kill()


def answers(folder: Path) -> bool:
    address = (folder / "kafka.toml").read_text().split('"')[1]
    host, port = address.split(":")
    try:
        socket.create_connection((host, int(port)), timeout=2).close()
    except OSError:
        return False
    return True


@pytest.mark.slow
def test_it_ends_with_ctrl_c_goes_on_where_it_was_and_dies_with_its_parent(tmp_path: Path) -> None:
    folder = tmp_path / "broker"
    with running(folder) as broker:
        made = muckraker_here("init", "--home", tmp_path / "one", "--kafka", folder / "kafka.toml", "--partitions", "3")
        assert made.exit_code == 0, made.output
        with pytest.raises(BrokerError, match=r"a cluster runs in .* already"):
            Cluster(folder)
        broker.send_signal(signal.SIGINT)
        assert broker.wait(60) == 0
    assert not answers(folder)
    with running(folder) as broker:
        again = muckraker_here("init", "--home", tmp_path / "two", "--kafka", folder / "kafka.toml")
        assert "3 partitions" in again.output
        broker.kill()
        broker.wait()
        eventually(lambda: not answers(folder), "the broker dies with who started it", 20)


def test_java_is_asked_for_its_version(machine: Machine) -> None:
    for said, version in ((JAVA_17, 17), (JAVA_8, 8)):
        machine.has("java", said)
        assert java.java_version(str(machine.folder / "java")) == version
    with pytest.raises(BrokerError, match=r"needs Java 17 or newer, and .* is Java 8"):
        find_java()
    machine.has("java", "echo nonsense >&2")
    with pytest.raises(BrokerError, match="does not say a version"):
        find_java()
