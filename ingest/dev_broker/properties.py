"""The server.properties of one development broker, and the free ports it may use."""

from __future__ import annotations

import random
import socket
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ingest.dev_broker.problem import BrokerError

HOST = "127.0.0.1"
LISTENERS = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL", "RELAYED")
RELAY = "RELAY"  # the port that clients of RELAYED are told: a relay's, which passes them on
_LOWEST_PORT = 10_000
_EPHEMERAL_PORTS = Path("/proc/sys/net/ipv4/ip_local_port_range")


@dataclass(frozen=True)
class Node:
    """One broker of a cluster: its number from 1, and its ports by listener (CONTROLLER among them)."""

    number: int
    ports: Mapping[str, int]

    def address(self, listener: str) -> str:
        return f"{HOST}:{self.ports[listener]}"

    def advertised(self, listener: str) -> str:
        """What clients are told to connect to."""
        return self.address(RELAY if listener == "RELAYED" else listener)


@dataclass(frozen=True)
class TlsFiles:
    """PEM files of the broker's side: its key and certificate chain in one, and whom it trusts."""

    keystore: Path
    truststore: Path


def free_ports(count: int) -> list[int]:
    """Ports nobody listens on, below those the system hands to outgoing connections.

    A broker that is down for a while must get its port back: one of the ephemeral range could be lent out meanwhile.
    """
    highest = 32_000
    if _EPHEMERAL_PORTS.is_file():
        highest = max(int(_EPHEMERAL_PORTS.read_text().split()[0]), _LOWEST_PORT + 1_000)
    found: set[int] = set()
    for _ in range(1_000 * count):
        if len(found) == count:
            return sorted(found)
        port = random.SystemRandom().randrange(_LOWEST_PORT, highest)
        if is_free(port):
            found.add(port)
    raise BrokerError(f"no {count} free ports between {_LOWEST_PORT} and {highest} on {HOST}; end what holds them")


def is_free(port: int) -> bool:
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as Java does: a port just closed counts as free
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
    return True


def server_properties(node: Node, nodes: Sequence[Node], data: Path, tls: TlsFiles | None, authorizer: bool) -> str:
    """What Kafka is told. Three brokers keep three copies of everything and acknowledge a write held by two."""
    listeners = [name for name in LISTENERS if name in node.ports]
    copies = len(nodes)
    said: dict[str, object] = {
        "process.roles": "broker,controller",
        "node.id": node.number,
        "controller.quorum.voters": ",".join(f"{n.number}@{n.address('CONTROLLER')}" for n in nodes),
        "controller.listener.names": "CONTROLLER",
        "inter.broker.listener.name": "PLAINTEXT",
        "listeners": ",".join(f"{name}://{node.address(name)}" for name in [*listeners, "CONTROLLER"]),
        "advertised.listeners": ",".join(f"{name}://{node.advertised(name)}" for name in listeners),
        "listener.security.protocol.map": ",".join(
            f"{name}:{'PLAINTEXT' if name in ('CONTROLLER', 'RELAYED') else name}"
            for name in ["CONTROLLER", *listeners]
        ),
        "log.dirs": data,
        # A misspelt topic must be an error, not a new topic with the wrong settings.
        "auto.create.topics.enable": "false",
        "default.replication.factor": copies,
        "min.insync.replicas": max(1, copies - 1),
        "offsets.topic.replication.factor": copies,
        "offsets.topic.num.partitions": 4,
        "transaction.state.log.replication.factor": copies,
        "transaction.state.log.min.isr": max(1, copies - 1),
        "transaction.state.log.num.partitions": 4,
        "share.coordinator.state.topic.replication.factor": copies,
        "share.coordinator.state.topic.min.isr": max(1, copies - 1),
        "share.coordinator.state.topic.num.partitions": 1,
        "unclean.leader.election.enable": "false",
        # Quick to notice a broker that is gone, and quick to let a group begin: tests wait for both.
        "broker.session.timeout.ms": 3_000,
        "broker.heartbeat.interval.ms": 500,
        "replica.lag.time.max.ms": 4_000,
        "controller.quorum.election.timeout.ms": 500,
        "controller.quorum.fetch.timeout.ms": 1_500,
        "group.initial.rebalance.delay.ms": 0,
        "group.min.session.timeout.ms": 1_000,
        "group.consumer.min.session.timeout.ms": 1_000,
        "group.consumer.session.timeout.ms": 6_000,
        "group.consumer.min.heartbeat.interval.ms": 500,
        "group.consumer.heartbeat.interval.ms": 1_000,
        # Small: three brokers, the tests and the workers share one machine.
        "num.network.threads": 2,
        "num.io.threads": 4,
        "log.cleaner.dedupe.buffer.size": 4_194_304,
        "log.cleaner.threads": 1,
    }
    if tls is not None:
        said |= {
            "ssl.keystore.type": "PEM",
            "ssl.keystore.location": tls.keystore,
            "ssl.truststore.type": "PEM",
            "ssl.truststore.location": tls.truststore,
            "listener.name.ssl.ssl.client.auth": "required",  # SSL: clients show a certificate; SASL_SSL: a password
        }
    for name in listeners:
        if name.startswith("SASL_"):
            said |= _sasl_properties(f"listener.name.{name.lower()}")
    if authorizer:
        said |= {
            "authorizer.class.name": "org.apache.kafka.metadata.authorizer.StandardAuthorizer",
            "super.users": "User:ANONYMOUS",  # whoever comes by PLAINTEXT: the brokers themselves, and the tests
        }
    return "".join(f"{name}={value}\n" for name, value in said.items())


def _sasl_properties(prefix: str) -> dict[str, object]:
    """SCRAM with the users the cluster was made with; OAUTHBEARER with tokens nobody signed, which is for tests."""
    security = "org.apache.kafka.common.security"
    oauth = f"{security}.oauthbearer"
    return {
        f"{prefix}.sasl.enabled.mechanisms": "SCRAM-SHA-256,SCRAM-SHA-512,OAUTHBEARER",
        f"{prefix}.scram-sha-256.sasl.jaas.config": f"{security}.scram.ScramLoginModule required;",
        f"{prefix}.scram-sha-512.sasl.jaas.config": f"{security}.scram.ScramLoginModule required;",
        f"{prefix}.oauthbearer.sasl.jaas.config": (
            f'{oauth}.OAuthBearerLoginModule required unsecuredLoginStringClaim_sub="broker";'
        ),
        f"{prefix}.oauthbearer.sasl.server.callback.handler.class": (
            f"{oauth}.internals.unsecured.OAuthBearerUnsecuredValidatorCallbackHandler"
        ),
    }
