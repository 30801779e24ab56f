"""A worker process among others: takes its share of a topic's partitions by Kafka's consumer group, into the lake.

Any number of these run side by side, on any machines that see the lake. Kafka deals out the partitions (cooperative
sticky: only those that move stop), the lake says where each goes on, and a `Worker` does the work. Kafka's committed
offset is only a hint for people who look at lag with Kafka's own tools; beside it stands which home the group belongs
to (ingest/kafka/owner.py).

What happens when a partition changes hands:

1. it is taken away: the batch in hand is finished, the open segment is committed, and the worker is closed, which
   unlocks the partition in the lake; all within one deadline (`revoke_deadline_s`), after which it is given up as it
   stands (nothing is lost by that, only done again);
2. it is given to another process, which seeks to the lake's position and goes on with `state.json`; what was not
   committed, a few seconds' records, is read again there.

A process that was thought dead and is not (it hung, its network was cut) loses its lock to the new owner after a
while and can commit nothing more (`Lake.take_over` says why).

What goes wrong with one partition stops that one only: while the cluster or the findings topic does not answer it is
tried again, and when its lake is damaged or the disk is full it is held back and tried again, until every partition of
this process is; then the process ends with the error.

Back-pressure: nothing is fetched beyond what one poll takes and what kafka-python has in hand, a few MB a partition; a
worker that is slow simply polls later.

Threads: kafka-python calls back about rebalances on its own thread, while `poll` waits. The lock `_hands` is held while
records are worked on; a callback waits for it, up to the deadline.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import partial
from threading import Event as StopEvent
from threading import Lock
from typing import Any, cast

from kafka import ConsumerRebalanceListener, KafkaConsumer, TopicPartition
from kafka import errors as kafka_errors
from kafka.coordinator.assignors.cooperative_sticky import CooperativeStickyAssignor
from kafka.errors import KafkaError
from kafka.structs import OffsetAndMetadata

from ingest.kafka.log import consumer_of, explained, log_records
from ingest.kafka.owner import GroupOwner, registered
from ingest.kafka.settings import KafkaSettings
from ingest.lake import Lake, LakeError, OwnedElsewhere
from ingest.log import LogError, WrongLog
from ingest.pace import STOP_S, CutPace, Pace
from ingest.stopping import StopOverdue
from ingest.worker import Judge, Listener, PartitionStatus, Processed, ProgressCallback, Worker, one_by_one

logger = logging.getLogger("muckraker.worker")

POLL_MS = 200
POLL_RECORDS = 4_000
FETCH_WAIT_MS = 50  # how long a broker may keep a fetch back: one partition's records wait while another has none
RETRY_S = 1.0
HELD_BACK_S = 30.0
SEEKS = 5  # how often a record that is not the next one is put down to a fetch from before the seek
GRACE_S = 5.0  # how much longer than its deadline a partition's old owner may hold its lock before it is taken away
HINT_S = 5.0
LEAVE_S = 1.0  # for saying goodbye to the group, at least

WorkerFactory = Callable[[int, Listener | None], Worker]


class GroupWorker:
    """One process's part in the group; `run` until stopped."""

    def __init__(
        self,
        settings: KafkaSettings,
        topic: str,
        lake: Lake,
        make_worker: WorkerFactory,
        owner: GroupOwner,
        listen: Callable[[], Listener] | None = None,
        progress: ProgressCallback | None = None,
        judge: Judge = one_by_one,
    ) -> None:
        self._settings = settings
        self._owner = owner
        self._topic = topic
        self._topic_name = settings.topic_name(topic)  # in the cluster
        self._lake = lake
        self._make_worker = make_worker
        self._listen = listen  # makes a listener for one worker
        self._deadline_s = settings.revoke_deadline_s
        self._take_over_s = settings.revoke_deadline_s + GRACE_S
        self._hands = Lock()
        self._workers: dict[int, Worker] = {}
        self._given: dict[int, float] = {}  # partition → when it was given to this process
        self._retry_at: dict[int, float] = {}  # partitions to begin on, when their time has come
        self._problems: dict[int, LakeError] = {}  # partitions held back, and why
        self._sought: dict[
            int, int
        ] = {}  # partitions that have had no record since they were opened, and how many amiss
        self._given_up = Processed(0, 0, 0, 0, 0)  # what was done on partitions no longer here
        self._progress = progress
        self._judge = judge
        self._consumer: KafkaConsumer | None = None
        self._stop = StopEvent()
        self._pace = Pace()
        self._cuts = CutPace()
        self._hinted_at = time.monotonic()

    def run(self, stop: StopEvent) -> Processed:
        """Work until `stop` is set. An error of the cluster that will not pass ends it, and so does a LakeError when
        it holds back every partition of this process: what was not committed is done again later."""
        self._stop = stop
        consumer = self._consumer = self._connect()
        left_s = self._deadline_s
        try:
            self._follow(consumer, stop)
        except StopOverdue:
            left_s = 0.0
            raise
        finally:
            until = time.monotonic() + left_s
            try:
                self._give_up(list(self._workers), "stopping", until)
            finally:
                self._give_up(list(self._workers), "stopping", 0.0)  # should one of them have broken that off
                leave_s = max(LEAVE_S, until - time.monotonic())
                consumer.close(autocommit=False, timeout_ms=int(leave_s * 1000))
                self._consumer = None
        return self.done()

    def _follow(self, consumer: KafkaConsumer, stop: StopEvent) -> None:
        while not stop.is_set():
            try:
                patience_ms = 0 if self._is_judging() else POLL_MS
                batches = consumer.poll(timeout_ms=patience_ms, max_records=POLL_RECORDS)
            except KafkaError as error:
                if not _passes(error):
                    raise explained(self._settings, self._topic_name, "reading it", error) from error
                logger.warning("the cluster cannot be read at the moment", extra={"error": type(error).__name__})
                stop.wait(RETRY_S)
                continue
            take_up_join(consumer)
            with self._hands:
                self._work(consumer, batches)
            self._hint(consumer)
            if self._progress is not None and batches:
                done = self.done()
                waiting = sum(max(0, (s.end or s.position) - s.committed) for s in self.status())
                self._progress(done.records, done.records + waiting, done.rounds)

    def status(self) -> list[PartitionStatus]:
        """How the partitions of this process stand, held back ones included. May be asked from another thread."""
        known = [self._status(partition, worker) for partition, worker in self._workers.copy().items()]
        known += [self._held_back(partition, str(problem)) for partition, problem in self._problems.copy().items()]
        return sorted(known, key=lambda status: status.partition)

    def done(self) -> Processed:
        """What this process has done, partitions it has given up included."""
        counts = [self._given_up, *(worker.counted for worker in self._workers.copy().values())]
        return Processed(*(sum(column) for column in zip(*counts, strict=True)))

    def _total_with(self, worker: Worker) -> Processed:
        done = worker.counted._replace(held=0)
        return Processed(*(a + b for a, b in zip(self._given_up, done, strict=True)))

    def _at(self, partition: int) -> TopicPartition:
        return TopicPartition(self._topic_name, partition)

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
                fetch_max_wait_ms=FETCH_WAIT_MS,
                session_timeout_ms=session_ms,
                heartbeat_interval_ms=max(1, session_ms // 4),
                allow_auto_create_topics=False,
            )
            consumer.subscribe([self._topic_name], listener=_Rebalance(self))
        except KafkaError as error:
            raise explained(self._settings, self._topic_name, "joining the group", error) from error
        return consumer

    def _work(self, consumer: KafkaConsumer, batches: dict[TopicPartition, list[Any]]) -> None:
        now = time.monotonic()
        fetched = {at.partition: log_records(records) for at, records in batches.items() if records}
        for partition in [partition for partition, at in self._retry_at.items() if at <= now]:
            if self._stop.is_set():
                return  # each takes as long as a request may, while the cluster is away
            self._open(consumer, partition, fetched[partition][0].offset if partition in fetched else None)
        for partition, taken in fetched.items():
            worker = self._workers.get(partition)
            if worker is None:
                continue  # taken away since they were fetched, or not begun on yet: what comes is let go by
            if self._is_next(consumer, worker, partition, taken[0].offset):
                self._attempt(consumer, partition, partial(worker.take, taken))
        if self._pace.is_due() or self._is_judging():
            with self._pace.judging():
                self._advance(consumer)
        wanting = [(partition, worker) for partition, worker in self._workers.items() if worker.wants_cut()]
        if wanting and self._cuts.is_free():
            with self._cuts.cutting():
                for partition, worker in wanting:
                    if not self._stop.is_set():  # each may wait for the cluster; `_give_up` goes by the clock
                        self._attempt(consumer, partition, worker.cut)

    def _is_judging(self) -> bool:
        """Whether rounds wait that take long to judge: between two moments of that, the cluster is asked for more."""
        return any(worker.replay.waiting for worker in self._workers.values())

    def _advance(self, consumer: KafkaConsumer) -> None:
        """Have the rounds that closed judged, of all partitions together: a batch costs the same for one or for ten."""
        workers = list(self._workers.items())
        for (partition, worker), concluded in zip(workers, self._judge([w.replay for _, w in workers]), strict=True):
            self._attempt(consumer, partition, partial(worker.conclude, concluded))

    def _is_next(self, consumer: KafkaConsumer, worker: Worker, partition: int, offset: int) -> bool:
        """Whether this is the record to go on with. What was fetched before a seek is not, and not worth a word; if it
        goes on like that the worker says what is wrong."""
        amiss = self._sought.get(partition)
        if amiss is None or offset == worker.position or amiss >= SEEKS:
            self._sought.pop(partition, None)
            return True
        self._sought[partition] = amiss + 1
        self._seek(consumer, partition, worker.position)
        return False

    def _attempt(self, consumer: KafkaConsumer, partition: int, work: Callable[[], None]) -> None:
        """Do the work; if it fails, let go of the open segment. When the partition went to another process meanwhile,
        that one does it again; when findings could not be published, or the lake not be written, this one does."""
        done = False
        try:
            work()
            done = True
        except OwnedElsewhere as error:
            logger.warning("lost a partition while working on it", extra={"partition": partition, "error": str(error)})
            self._later(partition, RETRY_S)
        except LakeError as error:
            if partition in self._given and self._lake.owns(self._topic, partition):
                self._hold_back(consumer, partition, error)
            else:
                logger.warning(
                    "lost a partition while working on it", extra={"partition": partition, "error": str(error)}
                )
        except WrongLog:
            raise
        except LogError as error:
            logger.warning("a segment will be done again", extra={"partition": partition, "error": str(error)})
            self._later(partition, RETRY_S)
        finally:
            if not done:  # also when it is raised: of what stopped half-way in a segment nothing may be committed
                self._close(partition)

    def _later(self, partition: int, seconds: float) -> None:
        if partition in self._given:
            self._retry_at[partition] = time.monotonic() + seconds

    def _hold_back(self, consumer: KafkaConsumer, partition: int, error: LakeError) -> None:
        """Something is wrong with this partition that other partitions need not suffer from. If all of them do, it is
        wrong with this process."""
        self._problems[partition] = error
        if len(self._problems) == len(self._given):
            raise error
        logger.error("a partition is held back", extra={"partition": partition, "error": str(error)})
        self._later(partition, HELD_BACK_S)
        if partition in self._given:
            with suppress(ValueError):  # it has just been taken away
                consumer.seek_to_end(self._at(partition))  # nothing of it is of use for now

    def _close(self, partition: int) -> None:
        worker = self._workers.pop(partition, None)
        if worker is not None:
            worker.close()
            self._given_up = self._total_with(worker)

    def _open(self, consumer: KafkaConsumer, partition: int, at: int | None) -> Worker | None:
        """Begin on a partition, of which records from the offset `at` on are in hand. None while that cannot be: its
        last owner still holds it, or the cluster does not answer."""
        held_for_s = time.monotonic() - self._given[partition]
        worker: Worker | None = None
        try:
            self._check_owner(consumer, partition)
            if held_for_s > self._take_over_s:
                self._lake.take_over(self._topic, partition)
            worker = self._make_worker(partition, None if self._listen is None else self._listen())
            worker.check_log()
        except OwnedElsewhere as error:
            if partition not in self._retry_at:
                logger.warning("waiting for a partition", extra={"partition": partition, "error": str(error)})
            # Not paused meanwhile: kafka-python 3.0.12 can leave a paused partition stuck. What comes is let go by.
            self._later(partition, RETRY_S)
            return None
        except WrongLog:
            raise
        except LogError as error:
            logger.warning("cannot begin on a partition", extra={"partition": partition, "error": str(error)})
            if worker is not None:
                worker.close()
            self._later(partition, RETRY_S)
            return None
        except LakeError as error:
            if worker is not None:
                worker.close()
            self._hold_back(consumer, partition, error)
            return None
        self._workers[partition] = worker
        self._retry_at.pop(partition, None)
        self._problems.pop(partition, None)
        if worker.position != at:
            self._sought[partition] = 0
            self._seek(consumer, partition, worker.position)
        logger.info("took a partition", extra={"partition": partition, "offset": worker.position})
        return worker

    def _check_owner(self, consumer: KafkaConsumer, partition: int) -> None:
        """Another home may have taken the group over since this process was last in it."""
        patience_ms = round(self._settings.request_timeout_s * 1000)
        try:
            found = consumer.committed(self._at(partition), metadata=True, timeout_ms=patience_ms)
        except KafkaError as error:
            raise explained(self._settings, self._topic_name, "asking whose the group is", error) from error
        self._owner.check(partition, registered(found))

    def _seek(self, consumer: KafkaConsumer, partition: int, offset: int) -> None:
        with suppress(ValueError):  # it has just been taken away, and the callback that says so is on its way
            consumer.seek(self._at(partition), offset)

    def _hint(self, consumer: KafkaConsumer) -> None:
        """Tell Kafka how far the lake is, and whose. The next time does as well, so failures are only noted."""
        if time.monotonic() - self._hinted_at < HINT_S:
            return
        self._hinted_at = time.monotonic()
        offsets = {
            self._at(partition): OffsetAndMetadata(worker.committed, self._owner.metadata, -1)
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
            self._given[partition] = self._retry_at[partition] = time.monotonic()
            self._seek(consumer, partition, self._lake.position(self._topic, partition))

    def taken(self, partitions: Sequence[int]) -> None:
        """Kafka takes these away. Called on kafka-python's thread."""
        deadline = time.monotonic() + self._deadline_s
        in_hand = self._hands.acquire(timeout=self._deadline_s)
        try:
            if not in_hand:
                logger.warning(
                    "a partition was taken away while its batch was worked on; the batch will be done again",
                    extra={"partitions": list(partitions)},
                )
            self._give_up(partitions, "taken away", deadline if in_hand else 0.0)
        finally:
            if in_hand:
                self._hands.release()

    def _waiting_in(self, partition: int) -> int:
        worker = self._workers.get(partition)
        return 0 if worker is None else worker.replay.waiting

    def _give_up(self, partitions: Sequence[int], why: str, deadline: float) -> None:
        """Let go of these. What their workers have taken is committed while there is time; whoever has them next does
        the rest."""
        judge_until = min(deadline, time.monotonic() + STOP_S)
        for partition in sorted(partitions, key=self._waiting_in):
            for known in (self._given, self._retry_at, self._problems, self._sought):
                known.pop(partition, None)
            worker = self._workers.get(partition)
            if worker is None:
                continue
            try:
                if time.monotonic() < deadline:
                    worker.stop(judge_until)
            except (LakeError, LogError) as error:
                logger.warning("an open segment was left", extra={"partition": partition, "error": str(error)})
            finally:
                self._close(partition)
            logger.info("gave a partition up", extra={"partition": partition, "offset": worker.committed, "why": why})

    def _end_of(self, partition: int) -> int | None:
        consumer = self._consumer
        if consumer is None:
            return None
        try:
            return cast("int | None", consumer.highwater(self._at(partition)))
        except KafkaError:
            return None  # taken away since the question was asked

    def _held_back(self, partition: int, problem: str) -> PartitionStatus:
        position = self._lake.position(self._topic, partition)
        return PartitionStatus(partition, position, position, self._end_of(partition), 0, 0, 0, 0, 0.0, problem)

    def _status(self, partition: int, worker: Worker) -> PartitionStatus:
        return worker.status(self._end_of(partition), time.time())


def take_up_join(consumer: KafkaConsumer) -> None:
    """Have the next poll go on with a join that is under way. kafka-python 3.0.12 forgets it where what it knew of the
    topic was what made it join (a new topic, a broker that has just started) and one poll ends before the join does:
    from then on it neither sends heartbeats nor joins again, and the process would sit idle for good."""
    coordinator = consumer._coordinator
    if coordinator.rejoining and not coordinator.need_rejoin():
        coordinator.request_rejoin()


class _Rebalance(ConsumerRebalanceListener):  # type: ignore[misc]
    def __init__(self, group: GroupWorker) -> None:
        self._group = group

    def on_partitions_assigned(self, assigned: Iterable[TopicPartition]) -> None:
        self._group.given([each.partition for each in assigned])

    def on_partitions_revoked(self, revoked: Iterable[TopicPartition]) -> None:
        self._group.taken([each.partition for each in revoked])

    def on_partitions_lost(self, lost: Iterable[TopicPartition]) -> None:
        self._group.taken([each.partition for each in lost])


_ALSO_PASS = (
    kafka_errors.BrokerNotAvailableError,
    kafka_errors.CommitFailedError,
    kafka_errors.IllegalGenerationError,
    kafka_errors.MemberIdRequiredError,
    kafka_errors.RebalanceInProgressError,
    kafka_errors.UnknownError,  # what a broker says while it goes down
    kafka_errors.UnknownMemberIdError,
)


def _passes(error: KafkaError) -> bool:
    """Whether it may be well again by itself: a broker is down, a leader is being elected, the group meets again."""
    return bool(getattr(error, "retriable", False)) or isinstance(error, _ALSO_PASS)
