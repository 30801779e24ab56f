"""Which brokers of a cluster are part of it now: asked of each broker itself, over the wire."""

from __future__ import annotations

import socket
from collections.abc import Mapping

from kafka import KafkaAdminClient
from kafka.errors import KafkaError

_ANSWER_MS = 3_000


def answering_brokers(addresses: Mapping[int, str]) -> set[int]:
    """The brokers that answer, as far as every one of them counts them as members."""
    seen = set(addresses)
    for number, address in addresses.items():
        view = _members_by(address)
        seen &= view if number in view else seen - {number}
    return seen


def _members_by(address: str) -> set[int]:
    """The brokers this one knows to be in service; none while it does not answer."""
    host, port = address.rsplit(":", 1)
    try:
        socket.create_connection((host, int(port)), timeout=1.0).close()  # cheaper than a client that cannot connect
    except OSError:
        return set()
    try:
        client = KafkaAdminClient(
            bootstrap_servers=address, bootstrap_timeout_ms=_ANSWER_MS, request_timeout_ms=_ANSWER_MS
        )
    except KafkaError:
        return set()
    try:
        brokers = client.describe_cluster()["brokers"]
    except KafkaError:
        return set()
    finally:
        client.close()
    return {int(broker["broker_id"]) for broker in brokers if not broker.get("is_fenced")}
