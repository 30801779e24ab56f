"""The cluster's doors: TLS, SCRAM and OAUTHBEARER at a real broker that asks for permissions, and what is said when it
does not let us in. No secret is ever shown: not in an error, not in a log, not on a command line."""

from __future__ import annotations

import base64
import json
import logging
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from kafka import KafkaAdminClient
from kafka.admin import ACL, ACLOperation, ACLPermissionType, ACLResourcePatternType, ResourcePattern, ResourceType

from console.home import TOPIC, Home
from ingest.dev_broker import Cluster
from ingest.kafka.log import KafkaLog
from ingest.kafka.settings import KafkaSettings
from ingest.log import LogError
from tests.ingest.token_server import TokenServer
from tests.kafka_home import (
    WorkerProcess,
    append,
    cluster_of,
    eventually,
    lake_records,
    made_home,
    muckraker_here,
    played,
    published_findings,
    recorded_findings,
    settings_file,
)

PASSWORD = "Tr0ub4dor&3-for-the-tests"
PREFIX = "secured."
USERS = ("muckraker", "stranger")
Doors = Callable[[Path], dict[str, Any]]

# What docs/kafka.md says a worker needs, and no more.
PERMISSIONS = (
    (ResourceType.TOPIC, PREFIX, (ACLOperation.CREATE, ACLOperation.DESCRIBE, ACLOperation.DESCRIBE_CONFIGS)),
    (ResourceType.TOPIC, PREFIX, (ACLOperation.READ, ACLOperation.WRITE)),
    (ResourceType.GROUP, "group", (ACLOperation.READ,)),
)


@pytest.fixture(scope="module")
def cluster(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Cluster]:
    folder = tmp_path_factory.mktemp("secured")
    with Cluster(
        folder,
        listeners=("SSL", "SASL_PLAINTEXT", "SASL_SSL"),
        users=dict.fromkeys(USERS, PASSWORD),
        authorizer=True,
    ) as cluster:
        admin = KafkaAdminClient(bootstrap_servers=cluster.bootstrap)
        try:
            admin.create_acls(
                [
                    ACL(
                        principal,
                        "*",
                        operation,
                        ACLPermissionType.ALLOW,
                        ResourcePattern(kind, name, ACLResourcePatternType.PREFIXED),
                    )
                    for principal in ("User:muckraker", "User:CN=muckraker")
                    for kind, name, operations in PERMISSIONS
                    for operation in operations
                ]
            )
        finally:
            admin.close()
        yield cluster


def secret_file(folder: Path, text: str) -> str:
    path = folder / f"secret-{time.monotonic_ns()}"
    path.touch(mode=0o600)
    path.write_text(text + "\n", encoding="utf-8")
    return str(path)


def token(subject: str = "muckraker", life_s: int = 3_600) -> str:
    """An unsigned token (RFC 7515 appendix A.5), which a development broker takes."""
    now = int(time.time())
    parts = ({"alg": "none"}, {"sub": subject, "iat": now, "exp": now + life_s})
    return ".".join(base64.urlsafe_b64encode(json.dumps(part).encode()).decode().rstrip("=") for part in parts) + "."


def by_certificate(cluster: Cluster) -> dict[str, Any]:
    tls = cluster.tls_folder
    return {
        "bootstrap": cluster.bootstrap_of("SSL"),
        "security_protocol": "SSL",
        "ca_file": str(tls / "ca.pem"),
        "certificate_file": str(tls / "client.pem"),
        "key_file": str(tls / "client.key"),
    }


def by_password(cluster: Cluster, folder: Path, mechanism: str, password: str = PASSWORD) -> dict[str, Any]:
    return {
        "bootstrap": cluster.bootstrap_of("SASL_SSL"),
        "security_protocol": "SASL_SSL",
        "ca_file": str(cluster.tls_folder / "ca.pem"),
        "sasl_mechanism": mechanism,
        "username": "muckraker",
        "password_file": secret_file(folder, password),
    }


def by_token(cluster: Cluster, **more: Any) -> dict[str, Any]:
    return {
        "bootstrap": cluster.bootstrap_of("SASL_SSL"),
        "security_protocol": "SASL_SSL",
        "ca_file": str(cluster.tls_folder / "ca.pem"),
        "sasl_mechanism": "OAUTHBEARER",
        **more,
    }


def home_by(folder: Path, door: dict[str, Any], prefix: str = PREFIX) -> Home:
    members = {name: value for name, value in door.items() if name != "bootstrap"}
    prefix = f"{prefix}{time.monotonic_ns()}."
    return made_home(folder / "home", settings_file(folder, door["bootstrap"], topic_prefix=prefix, **members), 2)


def goes_all_the_way(home: Home) -> None:
    """Topics made, events appended, read, judged, and findings published, with these permissions only."""
    append(home, played(home, tables=2, rounds=20))
    done = muckraker_here("run", "--home", home.path)
    assert done.exit_code == 0, done.output
    found = {finding["finding_id"] for finding in recorded_findings(home)}
    assert found
    assert {document["finding_id"] for _, document in published_findings(home)} == found


def test_in_by_a_certificate(cluster: Cluster, tmp_path: Path) -> None:
    goes_all_the_way(home_by(tmp_path, by_certificate(cluster)))


@pytest.mark.parametrize("mechanism", ["SCRAM-SHA-256", "SCRAM-SHA-512"])
def test_in_by_a_password(cluster: Cluster, tmp_path: Path, mechanism: str) -> None:
    goes_all_the_way(home_by(tmp_path, by_password(cluster, tmp_path, mechanism)))


def test_in_by_a_token_from_a_file(cluster: Cluster, tmp_path: Path) -> None:
    goes_all_the_way(home_by(tmp_path, by_token(cluster, oauth_token_file=secret_file(tmp_path, token()))))


def test_in_by_a_token_from_an_identity_provider(cluster: Cluster, tmp_path: Path) -> None:
    provider = TokenServer(tmp_path / "tls")
    provider.answer = {"access_token": token(), "expires_in": 3_600}
    try:
        door = by_token(
            cluster,
            oauth_token_endpoint=f"https://127.0.0.1:{provider.port}/token",
            oauth_client_id="muckraker",
            oauth_client_secret_file=secret_file(tmp_path, PASSWORD),
            oauth_ca_file=str(provider.ca_file),
        )
        goes_all_the_way(home_by(tmp_path, door))
        assert provider.asked
    finally:
        provider.close()


def log_by(door: dict[str, Any]) -> KafkaLog:
    said = {name: value for name, value in door.items() if name != "bootstrap"}
    return KafkaLog(
        KafkaSettings.model_validate(
            {
                "bootstrap_servers": door["bootstrap"].split(","),
                "topic_prefix": PREFIX,
                "connect_timeout_s": 10.0,
                "request_timeout_s": 10.0,
                **said,
                **{name: Path(value) for name, value in said.items() if name.endswith("_file")},
            }
        )
    )


def refused(cluster: Cluster, folder: Path) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Doors that stay shut, and what is said in front of them."""
    yield (
        "wrong password",
        by_password(cluster, folder, "SCRAM-SHA-512", "Xx" + PASSWORD),
        "do not let us in as muckraker",
    )
    yield (
        "unknown user",
        {**by_password(cluster, folder, "SCRAM-SHA-256"), "username": "nobody"},
        "do not let us in as nobody by SCRAM-SHA-256",
    )
    yield (
        "expired token",
        by_token(cluster, oauth_token_file=secret_file(folder, token(life_s=-60))),
        "do not let us in by OAUTHBEARER",
    )
    yield (
        "another authority",
        {**by_certificate(cluster), "ca_file": str(cluster.tls_folder / "other-ca.pem")},
        "certificate is not to be trusted",
    )
    no_certificate = by_certificate(cluster)
    del no_certificate["certificate_file"], no_certificate["key_file"]
    yield "no certificate", no_certificate, "no answer in time|TLS fails|TLS files"
    yield (
        "plain text at a TLS door",
        {"bootstrap": cluster.bootstrap_of("SSL")},
        "no answer in time.*takes connections; is PLAINTEXT what it speaks",
    )
    yield (
        "no permission",
        {**by_password(cluster, folder, "SCRAM-SHA-512"), "username": "stranger"},
        "not allowed .*permissions that docs/kafka.md lists|there is no such topic",
    )


def test_a_shut_door_is_named_and_no_secret_with_it(
    cluster: Cluster, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    logging.getLogger("kafka").setLevel(logging.DEBUG)
    try:
        for name, door, sentence in refused(cluster, tmp_path):
            log = log_by(door)
            began = time.monotonic()
            with pytest.raises(LogError) as caught:
                log.create_topic("door", 1)
            log.close()
            assert time.monotonic() - began < 45, name
            assert re.search(sentence, str(caught.value)), f"{name}: {caught.value}"
            chain: BaseException | None = caught.value
            while chain is not None:
                assert not _holds_secret(f"{chain} {chain!r}"), name
                chain = chain.__cause__
    finally:
        logging.getLogger("kafka").setLevel(logging.CRITICAL)
    assert "kafka" in {record.name.split(".")[0] for record in caplog.records}  # it was listened to
    assert [f"{record.name}:{record.lineno}" for record in caplog.records if _holds_secret(record.getMessage())] == []


def _holds_secret(text: str) -> bool:
    return PASSWORD in text or token().split(".")[0] + "." in text


@pytest.mark.slow
def test_a_worker_shows_its_password_nowhere(cluster: Cluster, tmp_path: Path) -> None:
    home = home_by(tmp_path, by_password(cluster, tmp_path, "SCRAM-SHA-512"))
    events = played(home, tables=2, rounds=20)
    append(home, events)
    worker = WorkerProcess(home, "--segment-records", "100", "--log-format", "json", "--log-level", "debug")
    try:
        eventually(lambda: lake_records(home) > len(events) - 2 * 100, "the worker reads and writes")
        command = Path(f"/proc/{worker.pid}/cmdline").read_bytes().decode()
        environment = Path(f"/proc/{worker.pid}/environ").read_bytes().decode()
        assert worker.stop() == 0, worker.said()
    finally:
        worker.end()
    assert "took a partition" in worker.said()
    for shown in (command, environment, worker.said(), repr(cluster_of(home)), str(home)):
        assert PASSWORD not in shown
    for path in home.path.rglob("*"):
        assert not path.is_file() or PASSWORD.encode() not in path.read_bytes(), path
    assert TOPIC in {path.name for path in home.lake_path.iterdir()}
