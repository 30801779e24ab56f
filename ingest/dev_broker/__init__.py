"""A real Apache Kafka to develop and test with: started from jars, on loopback, in folders of its own.

Not for production: a cluster of this package is one machine, and its secrets are for tests. `python -m
ingest.dev_broker` runs one in the foreground; tests use `Cluster` and can kill, hang and restart its brokers.
"""

from ingest.dev_broker.cluster import Cluster
from ingest.dev_broker.problem import BrokerError

__all__ = ["BrokerError", "Cluster"]
