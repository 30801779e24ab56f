"""The Java and Maven the development broker needs: found, or installed where this process may install packages."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

from ingest.dev_broker.problem import BrokerError

MIN_JAVA = 17  # Apache Kafka 4 brokers run on nothing older
_JRE_PACKAGES = ("openjdk-21-jre-headless", "openjdk-17-jre-headless", "default-jre-headless")
_ASK_S = 60.0
_INSTALL_S = 1_800.0


def find_java() -> str:
    """The java command to run brokers with: JAVA_HOME's, else the one on the PATH."""
    java = _java_command()
    if java is None:
        raise BrokerError(f"the Kafka broker needs Java {MIN_JAVA} or newer, and there is no java; {way_to_install()}")
    version = java_version(java)
    if version < MIN_JAVA:
        raise BrokerError(
            f"the Kafka broker needs Java {MIN_JAVA} or newer, and {java} is Java {version}; set JAVA_HOME to a newer "
            f"one, or {way_to_install()}"
        )
    return java


def find_maven() -> str:
    """The mvn command that fetches the broker's jars."""
    maven = shutil.which("mvn")
    if maven is None:
        raise BrokerError(f"fetching the Kafka broker's jars needs Maven, and there is no mvn; {way_to_install()}")
    return maven


def java_version(java: str) -> int:
    """The feature release of a java command: 17 for 17.0.15, 8 for 1.8.0_402."""
    try:
        said = subprocess.run([java, "-version"], capture_output=True, text=True, timeout=_ASK_S, check=True).stderr
    except (OSError, subprocess.SubprocessError) as error:
        raise BrokerError(f"{java} -version does not answer ({error}); {way_to_install()}") from error
    found = re.search(r'version "(?:1\.)?(\d+)', said)
    if found is None:
        raise BrokerError(f"{java} -version does not say a version: {said.strip()[:200]!r}; {way_to_install()}")
    return int(found[1])


def install_missing(jars_are_cached: bool) -> list[str]:
    """Install the Debian packages that are missing, where that is possible without asking; say which were installed.

    Raises BrokerError with the one command to type where it is not.
    """
    java = _java_command()
    no_java = java is None or java_version(java) < MIN_JAVA
    no_maven = not jars_are_cached and shutil.which("mvn") is None
    if not no_java and not no_maven:
        return []
    privileged = _privileged_prefix()
    if privileged is None:
        missing = " and ".join(name for name, gone in ((f"Java {MIN_JAVA}", no_java), ("Maven", no_maven)) if gone)
        raise BrokerError(f"the Kafka tests need {missing}; {way_to_install()}")
    _run([*privileged, "apt-get", "update"])
    packages = ([_jre_package()] if no_java else []) + (["maven"] if no_maven else [])
    install = ["apt-get", "install", "-y", "--no-install-recommends", *packages]
    _run([*privileged, "env", "DEBIAN_FRONTEND=noninteractive", *install])
    find_java()
    if no_maven:
        find_maven()
    return packages


def way_to_install() -> str:
    """One command to type, for this system."""
    if shutil.which("apt-get") is None:
        return f"install a Java {MIN_JAVA} (or newer) runtime and Apache Maven with this system's package tool"
    packages = f"{_jre_package()} maven"
    return f"type: sudo apt-get update && sudo apt-get install -y --no-install-recommends {packages}"


def _java_command() -> str | None:
    home = os.environ.get("JAVA_HOME")
    if home:
        java = Path(home) / "bin" / "java"
        if not java.is_file():
            raise BrokerError(f"JAVA_HOME is {home}, and there is no {java}; correct JAVA_HOME, or unset it")
        return str(java)
    return shutil.which("java")


def _jre_package() -> str:
    """The first package that this release of Debian or Ubuntu knows: no release knows them all."""
    for package in _JRE_PACKAGES:
        if shutil.which("apt-cache") is None:
            break
        known = subprocess.run(["apt-cache", "show", package], capture_output=True, timeout=_ASK_S, check=False)
        if known.returncode == 0:
            return package
    return _JRE_PACKAGES[-1]


def _privileged_prefix() -> list[str] | None:
    """What to put before a command that installs packages; None where it would ask for a password, or cannot work."""
    if shutil.which("apt-get") is None:
        return None
    if os.geteuid() == 0:
        return []
    if shutil.which("sudo") is None:
        return None
    asked = subprocess.run(["sudo", "-n", "true"], capture_output=True, timeout=_ASK_S, check=False)
    return ["sudo", "-n"] if asked.returncode == 0 else None


def _run(command: Sequence[str]) -> None:
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=_INSTALL_S, check=False)
    except (OSError, subprocess.SubprocessError) as error:
        raise BrokerError(f"{' '.join(command)}: {error}; {way_to_install()}") from error
    if done.returncode != 0:
        last = "\n".join((done.stdout + done.stderr).strip().splitlines()[-8:])
        raise BrokerError(f"{' '.join(command)} ended with {done.returncode}:\n{last}\n{way_to_install()}")
