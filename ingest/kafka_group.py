"""A worker process among others: takes its share of a topic's partitions by Kafka's consumer group, into the lake.

Any number of these run side by side, on any machines that see the lake. Kafka deals out the partitions (cooperative
sticky: only those that move stop), the lake says where each goes on, and a `Worker` does the work. Kafka's committed
offset is only a hint for people who look at lag with Kafka's own tools.

What happens when a partition changes hands:

1. it is taken away: the batch in hand is finished, its verdicts are told, the worker is closed, which unlocks the
   partition in the lake; all within one deadline, after which it is given up as it stands (nothing is lost by that,
   only done again);
2. it is given to another process, which seeks to the lake's position and goes on with `state.json`;
3. the open segment's records, a minute's at most when the tables are quiet, are read again there.

A process that was thought dead and is not (it hung, its network was cut) loses its lock to the new owner after a
while and can commit nothing more; had it just done so, its segment has the very bytes the new owner would have written.

Threads: kafka-python calls back about rebalances on its own thread, while `poll` waits. The lock `_hands` is held while
records are worked on; a callback waits for it, up to the deadline.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from threading import Event as StopEvent
from threading import Lock
from typing import Any

from kafka import ConsumerRebalanceListener, KafkaConsumer, TopicPartition
from kafka.coordinator.assignors.cooperative_sticky import CooperativeStickyAssignor
from kafka.errors import KafkaError
from kafka.structs import OffsetAndMetadata

from ingest.kafka_log import consumer_of, explained, log_records
from ingest.kafka_settings import KafkaSettings
from ingest.lake import Lake, LakeError, OwnedElsewhere
from ingest.log import LogError
from ingest.worker import ADVANCE_SECONDS, Listener, PartitionStatus, Processed, ProgressCallback, Worker

logger = logging.getLogger("muckraker.worker")

POLL_MS = 200
POLL_RECORDS = 4_000
DEADLINE_S = 10.0
RETRY_S = 1.0
TAKE_OVER_S = 30.0  # how long a partition's old owner may go on holding its lock after Kafka gave it to somebody else
HINT_S = 5.0

WorkerFactory = Callable[[int, Listener | None], Worker]


class GroupWorker:
    """One process's part in the group; `run` until stopped."""

    def __init__(
        self,
        settings: KafkaSettings,
        topic: str,
        lake: Lake,
        make_worker: WorkerFactory,
        listener: Listener | None = None,
        deadline_s: float = DEADLINE_S,
        take_over_s: float = TAKE_OVER_S,
        progress: ProgressCallback | None = None,
    ) -> None:
        self._settings = settings
        self._topic = topic
        self._lake = lake
        self._make_worker = make_worker
        self._listener = listener
        self._deadline_s = deadline_s
        self._take_over_s = take_over_s
        self._hands = Lock()
        self._workers: dict[int, Worker] = {}
        self._given: dict[int, float] = {}  # partition → when it was given to this process
        self._retry_at: dict[int, float] = {}  # partitions whose lock another process still holds
        self._sought: set[int] = set()  # partitions that have had no record since they were opened
        self._given_up = Processed(0, 0, 0, 0, 0)  # what was done on partitions no longer here
        self._progress = progress
        self._consumer: KafkaConsumer | None = None
        self._advanced_at = self._hinted_at = time.monotonic()

    def run(self, stop: StopEvent) -> Processed:
        """Work until `stop` is set. A LakeError or LogError ends it: what was not committed is done again later."""
        consumer = self._consumer = self._connect()
        try:
            while not stop.is_set():
                try:
                    batches = consumer.poll(timeout_ms=POLL_MS, max_records=POLL_RECORDS)
                except KafkaError as error:
                    if not _passes(error):
                        raise explained(self._settings, self._topic, "reading it", error) from error
                    logger.warning("the cluster cannot be read at the moment", extra={"error": type(error).__name__})
                    stop.wait(RETRY_S)
                    continue
                with self._hands:
                    self._work(consumer, batches)
                self._hint(consumer)
                if self._progress is not None and batches:
                    done = self._total()
                    waiting = sum(max(0, (s.end or s.position) - s.committed) for s in self.status())
                    self._progress(done.records, done.records + waiting, done.rounds)
        finally:
            self._give_up(list(self._workers), "stopping")
            consumer.close(autocommit=False, timeout_ms=int(self._deadline_s * 1000))
            self._consumer = None
        return self._total()

    def status(self) -> list[PartitionStatus]:
        """How the partitions of this process stand. May be asked from another thread."""
        return [self._status(partition, worker) for partition, worker in sorted(self._workers.copy().items())]

    def _total(self) -> Processed:
        """What this process has done, partitions it has given up included."""
        counts = [self._given_up, *(worker.counted for worker in self._workers.copy().values())]
        return Processed(*(sum(column) for column in zip(*counts, strict=True)))

    def _total_with(self, worker: Worker) -> Processed:
        done = worker.counted._replace(held=0)
        return Processed(*(a + b for a, b in zip(self._given_up, done, strict=True)))

    def _at(self, partition: int) -> TopicPartition:
        return TopicPartition(self._topic, partition)

    # --- working ------------------------------------------------------------------------------------------------------

    def _connect(self) -> KafkaConsumer:
        session_ms = self._settings.session_timeout_ms
        try:
            consumer = consumer_of(
                self._settings,
                group_id=self._settings.group_id,
                enable_auto_commit=False,
                auto_offset_reset="earliest",  # only where the lake has nothing; anything else is checked by the worker
                partition_assignment_strategy=(CooperativeStickyAssignor,),
                max_poll_records=POLL_RECORDS,
                session_timeout_ms=session_ms,
                heartbeat_interval_ms=max(1, session_ms // 4),
                allow_auto_create_topics=False,
            )
            consumer.subscribe([self._topic], listener=_Rebalance(self))
        except KafkaError as error:
            raise explained(self._settings, self._topic, "joining the group", error) from error
        return consumer

    def _work(self, consumer: KafkaConsumer, batches: dict[TopicPartition, list[Any]]) -> None:
        now = time.monotonic()
        for partition in [partition for partition, at in self._retry_at.items() if at <= now]:
            self._open(consumer, partition, None)
        for topic_partition, records in batches.items():
            partition = topic_partition.partition
            if partition not in self._given:
                continue  # taken away since they were fetched
            taken = log_records(records)
            worker = self._workers.get(partition) or self._open(consumer, partition, taken[0].offset)
            if worker is None:
                continue
            if taken[0].offset != worker.position and partition in self._sought:
                continue  # fetched before the seek
            self._sought.discard(partition)
            self._unless_lost(partition, partial(worker.take, taken))
        if time.monotonic() - self._advanced_at >= ADVANCE_SECONDS:
            for partition, worker in list(self._workers.items()):
                self._unless_lost(partition, worker.advance)
            self._advanced_at = time.monotonic()

    def _unless_lost(self, partition: int, work: Callable[[], None]) -> None:
        """Do the work; if it fails because the partition went to another process meanwhile, or findings could not be
        published, let go of the open segment: it is done again, by that process or by this one."""
        try:
            work()
        except LakeError as error:
            if partition in self._given and self._lake.owns(self._topic, partition):
                raise
            logger.warning("lost a partition while working on it", extra={"partition": partition, "error": str(error)})
        except LogError as error:
            logger.warning("a segment will be done again", extra={"partition": partition, "error": str(error)})
            time.sleep(RETRY_S)
        else:
            return
        worker = self._workers.pop(partition, None)
        if worker is not None:
            worker.close()
            self._given_up = self._total_with(worker)

    def _open(self, consumer: KafkaConsumer, partition: int, at: int | None) -> Worker | None:
        """Begin on a partition whose next record was fetched from the offset `at`; None while its last owner still
        holds it."""
        held_for_s = time.monotonic() - self._given[partition]
        try:
            if held_for_s > self._take_over_s:
                self._lake.take_over(self._topic, partition)
            worker = self._make_worker(partition, self._listener)
        except OwnedElsewhere as error:
            if partition not in self._retry_at:
                logger.warning("waiting for a partition", extra={"partition": partition, "error": str(error)})
            # Not paused meanwhile: kafka-python 3.0.12 can leave a paused partition stuck. What comes is let go by.
            self._retry_at[partition] = time.monotonic() + RETRY_S
            return None
        self._workers[partition] = worker
        self._retry_at.pop(partition, None)
        if worker.position != at:
            self._sought.add(partition)
            consumer.seek(self._at(partition), worker.position)
        logger.info("took a partition", extra={"partition": partition, "offset": worker.position})
        return worker

    def _hint(self, consumer: KafkaConsumer) -> None:
        """Tell Kafka how far the lake is, for whoever asks it. Nothing relies on it, so failures are only noted."""
        if time.monotonic() - self._hinted_at < HINT_S:
            return
        self._hinted_at = time.monotonic()
        offsets = {
            self._at(partition): OffsetAndMetadata(worker.committed, "", -1)
            for partition, worker in self._workers.items()
        }
        if offsets:
            try:
                consumer.commit_async(offsets)
            except KafkaError as error:
                logger.info("Kafka did not take the offsets", extra={"error": type(error).__name__})

    # --- changing hands -----------------------------------------------------------------------------------------------

    def given(self, partitions: Iterable[int]) -> None:
        """Kafka gives these to this process. Called on kafka-python's thread: the rest is left to `_work`."""
        consumer = self._consumer
        assert consumer is not None
        for partition in partitions:
            topic_partition = self._at(partition)
            self._given[partition] = time.monotonic()
            if self._lake.last(self._topic, partition) is None:
                consumer.seek_to_beginning(topic_partition)
            else:
                consumer.seek(topic_partition, self._lake.position(self._topic, partition))

    def taken(self, partitions: Sequence[int]) -> None:
        """Kafka takes these away. Called on kafka-python's thread."""
        in_hand = self._hands.acquire(timeout=self._deadline_s)
        try:
            if not in_hand:
                logger.warning(
                    "a partition was taken away while its batch was worked on; the batch will be done again",
                    extra={"partitions": list(partitions)},
                )
            self._give_up(partitions, "taken away", tell=in_hand)
        finally:
            if in_hand:
                self._hands.release()

    def _give_up(self, partitions: Sequence[int], why: str, tell: bool = True) -> None:
        for partition in partitions:
            self._given.pop(partition, None)
            self._retry_at.pop(partition, None)
            worker = self._workers.pop(partition, None)
            if worker is None:
                continue
            if tell:
                worker.advance()
            worker.close()
            self._given_up = self._total_with(worker)
            logger.info("gave a partition up", extra={"partition": partition, "offset": worker.committed, "why": why})

    def _status(self, partition: int, worker: Worker) -> PartitionStatus:
        consumer = self._consumer
        end = None if consumer is None else consumer.highwater(self._at(partition))
        return worker.status(end, time.time())


class _Rebalance(ConsumerRebalanceListener):  # type: ignore[misc]
    def __init__(self, group: GroupWorker) -> None:
        self._group = group

    def on_partitions_assigned(self, assigned: Iterable[TopicPartition]) -> None:
        self._group.given([each.partition for each in assigned])

    def on_partitions_revoked(self, revoked: Iterable[TopicPartition]) -> None:
        self._group.taken([each.partition for each in revoked])

    def on_partitions_lost(self, lost: Iterable[TopicPartition]) -> None:
        self._group.taken([each.partition for each in lost])


def _passes(error: KafkaError) -> bool:
    """Whether the cluster may be well again by itself: a broker is down, a leader is being elected."""
    return bool(getattr(error, "retriable", False))
