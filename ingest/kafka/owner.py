"""Whose a consumer group is: the one home whose workers may share its partitions.

Kafka deals a topic's partitions out to whoever is in the group. If workers of two homes were in it (a home and a copy
of it, restored from a backup), each lake would get a part of the tables and nobody would notice. So the home that works
in a group is registered there: its id stands in the metadata beside every offset that is committed for the topic. That
needs no topic and no permission of its own, and is kept as safely as Kafka keeps offsets.

1. A worker begins only if the group is registered for its home. A group that nobody is registered for is registered for
   a home that has recorded nothing yet; one that has recorded something was registered before, and Kafka has forgotten
   it (a group without workers for a week, `offsets.retention.minutes`): a copy may have taken over meanwhile, so
   somebody must say that it has not.
2. Each partition is asked about again when a worker begins on it. One that hung while another home took over learns of
   it before it does anything in the group again.
3. `take_over` registers another home. The group must be empty for that (Kafka refuses it otherwise), so nobody is ever
   fenced in the middle of a segment.

The offset that is registered is how far the lake was. A lake that ends before it was rolled back, or is an older copy
of the disk that not even its id gives away, and does not go on.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from typing import Any, NamedTuple

import orjson
from kafka.structs import OffsetAndMetadata

from ingest.kafka.health import ClusterHealth, GroupHasMembers
from ingest.kafka.settings import KafkaSettings
from ingest.lake import Lake, LakeError
from ingest.log import LogError, WrongLog

_MOST_CHARS = 300  # of where a home is; a cluster keeps 4,096 bytes beside an offset

logger = logging.getLogger("muckraker.worker")


class NotTheOwner(WrongLog):
    """The group belongs to another home; the message says to which, and what to type."""


@dataclass(frozen=True)
class HomeName:
    """A home, for whoever asks whose a group is."""

    id: str | None  # None: it has no identity of its own
    copy_of: str | None
    path: str
    at: str  # machine and folder, for people


class Registered(NamedTuple):
    """What a group has beside a partition: how far the lake was, and whose it is."""

    offset: int
    home: str | None
    at: str | None


def registered(committed: OffsetAndMetadata | None) -> Registered | None:
    """What an offset that was committed says; None where nothing was, or not by Muckraker."""
    if committed is None or committed.offset < 0:
        return None
    try:
        said: Any = orjson.loads(committed.metadata or "")
        return Registered(committed.offset, str(said["home"]), str(said["at"]))
    except (ValueError, KeyError, TypeError):
        return None


class GroupOwner:
    """One home's claim to its group."""

    def __init__(self, settings: KafkaSettings, topic: str, partitions: int, lake: Lake, home: HomeName) -> None:
        self._settings = settings
        self._topic = topic
        self._partitions = partitions
        self._lake = lake
        self._home = home
        self._confirmed = False

    @property
    def metadata(self) -> str:
        """What is to be committed beside each offset."""
        return orjson.dumps({"at": self._home.at[:_MOST_CHARS], "home": self._home.id}).decode()

    def confirm(self) -> dict[int, Registered]:
        """What the group has registered, partition by partition; a NotTheOwner if it is not for this home."""
        if self._home.id is None:
            raise NotTheOwner(self._no_identity())
        with self._health() as health:
            found = self._found(health)
            problem = self._problem(found)
            if problem is not None:
                raise NotTheOwner(problem)
            if not found:
                try:
                    health.register(self._topic, self._offsets())
                except GroupHasMembers:  # workers of this home that have just begun: they register it as they go
                    logger.info("the group has workers already", extra={"group": self._settings.group_id})
        self._confirmed = True
        return found

    def check(self, partition: int, found: Registered | None) -> None:
        """Whether a worker may begin on a partition beside which the group has this."""
        if found is None:
            if not self._confirmed:
                self.confirm()
            return
        if found.home != self._home.id:
            raise NotTheOwner(self._taken(found))
        position = self._lake.position(self._topic, partition)
        if found.offset > position:
            raise LakeError(
                f"{self._topic}/{partition}: the lake ends before offset {position}, but this home had recorded up to "
                f"{found.offset}: segments are gone, or this is an older copy of the home's disk. Restore them from a "
                f"backup; if they were removed on purpose, stop the workers and {self._take_over()}"
            )

    def note(self) -> None:
        """Register how far the lake is now, for a run that was in no group. Workers in the group do it themselves."""
        try:
            with self._health() as health:
                problem = self._problem(self._found(health))
                if problem is not None:
                    raise NotTheOwner(problem)
                health.register(self._topic, self._offsets())
        except GroupHasMembers:
            return
        except WrongLog:
            raise
        except LogError as error:  # what was recorded is in the lake
            logger.warning("the cluster does not know how far the lake is", extra={"error": str(error)})

    def take_over(self) -> None:
        """Register the group for this home, whoever had it. Its workers must have stopped."""
        assert self._home.id is not None, "a home that takes over has been given an identity"
        with self._health() as health:
            try:
                health.register(self._topic, self._offsets())
            except GroupHasMembers as error:
                members = ", ".join(f"{member.client_id} on {member.host}" for member in health.members())
                raise NotTheOwner(
                    f"workers are in the group {self._settings.group_id} ({members}): stop them first; one that died "
                    f"or hangs is forgotten after session_timeout_s ({self._settings.session_timeout_s:.0f} s)"
                ) from error

    def problem(self, health: ClusterHealth) -> str | None:
        """Why this home may not run; None if it may."""
        return self.problem_here() or self._problem(self._found(health))

    def problem_here(self) -> str | None:
        """The same, as far as it is known without asking the cluster."""
        return self._no_identity() if self._home.id is None else None

    # --- in words -----------------------------------------------------------------------------------------------------

    def _problem(self, found: dict[int, Registered]) -> str | None:
        other = next((one for one in found.values() if one.home != self._home.id), None)
        if other is not None:
            return self._taken(other)
        if not found and any(self._lake.position(self._topic, partition) for partition in range(self._partitions)):
            return (
                f"the cluster does not say whose the group {self._settings.group_id} is, and this home has records "
                "already: Kafka forgets it when a group had no workers for a week (offsets.retention.minutes), or "
                f"group_id was changed. If no other copy of this home is at work, {self._take_over()}"
            )
        return None

    def _taken(self, other: Registered) -> str:
        return (
            f"the group {self._settings.group_id} belongs to another home ({other.home}, {other.at}), and this one, "
            f"{self._home.path}, would take tables from it. If that one is retired, stop its workers and "
            f"{self._take_over()}; else leave this one stopped, or give it a group_id of its own in kafka.toml"
        )

    def _no_identity(self) -> str:
        if self._home.copy_of is None:
            return f"{self._home.path} is from before homes had an identity: {self._take_over()}"
        return (
            f"{self._home.path} is a copy of another home ({self._home.copy_of}): it was restored from a backup, or "
            "its folder was copied, and the tables are that one's. It can be read, and does not run. To go on with "
            f"this one, stop the workers of the other for good and {self._take_over()}"
        )

    def _take_over(self) -> str:
        return f"type `muckraker take-over --home {self._home.path}`"

    # --- asking -------------------------------------------------------------------------------------------------------

    def _health(self) -> ClusterHealth:
        return ClusterHealth(self._settings, self._topic)

    def _found(self, health: ClusterHealth) -> dict[int, Registered]:
        committed = health.committed(self._topic, range(self._partitions))
        return {partition: one for partition, said in committed.items() if (one := registered(said)) is not None}

    def _offsets(self) -> dict[int, OffsetAndMetadata]:
        return {
            partition: OffsetAndMetadata(self._lake.position(self._topic, partition), self.metadata, -1)
            for partition in range(self._partitions)
        }
