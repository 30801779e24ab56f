"""What every test shares: property tests that give the same answer on every run and machine, and one Kafka broker."""

from __future__ import annotations

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

from tests.kafka_cluster import shared_broker, unique_topic

settings.register_profile("muckraker", deadline=None, derandomize=True)
settings.load_profile("muckraker")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """The long ones first, so that no process sits idle at the end while another has one left."""
    items.sort(key=lambda item: not any(item.get_closest_marker(name) for name in ("exhaustive", "slow")))


@pytest.fixture(scope="session")
def kafka(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The bootstrap address of a real broker, the same for every process of this test run. Use topics of your own."""
    base = tmp_path_factory.getbasetemp()
    # Under xdist each worker's folder is inside the run's; alone, it is the run's.
    with shared_broker(base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) as bootstrap:
        yield bootstrap


@pytest.fixture
def topic() -> str:
    """A topic name no other test uses; not made yet."""
    return unique_topic()
