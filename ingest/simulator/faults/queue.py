"""Which table owes which faults, and in which rounds they are tried."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from ingest.simulator.faults.catalogue import KINDS, QUIET_ROUNDS, RESTS_ON_EARLIER_ROUNDS
from ingest.simulator.plan import Plan


@dataclass
class FaultQueue:
    """The faults a table still owes, each from some round on."""

    pending: list[tuple[int, str]] = field(default_factory=list)
    _tries: int = 0
    _next: str | None = None
    _record_quiet_until: int = 0
    record_hurt_in: int = -1

    def wanted_in(self, round_number: int) -> str | None:
        """The fault to try in this round. Those that found no opportunity take turns with the others."""
        if self._next is not None:
            kind, self._next = self._next, None
            return kind
        ripe = [kind for since, kind in self.pending if since <= round_number]
        if round_number < self._record_quiet_until:
            ripe = [kind for kind in ripe if not (KINDS[kind].of_the_record or kind in RESTS_ON_EARLIER_ROUNDS)]
        if not ripe:
            return None
        self._tries += 1
        return ripe[self._tries % len(ripe)]

    def go_on_in_the_next_round(self, kind: str) -> None:
        """Of a fault that takes two rounds: the next one is for it."""
        self._next = kind

    def injected(self, kind: str, round_number: int) -> None:
        self.pending.remove(next(entry for entry in self.pending if entry[1] == kind))
        if KINDS[kind].of_the_record:
            self._record_quiet_until = round_number + QUIET_ROUNDS
            self.record_hurt_in = round_number


def _counts(plan: Plan) -> dict[str, int]:
    if not plan.fault_rate:
        return dict(plan.faults)
    in_a_day = [kind for kind in KINDS.values() if not kind.outlasts_the_day]
    kinds = [kind.kind for kind in in_a_day if any(kind.fits(table) for table in plan.tables)]
    wanted = round(plan.fault_rate * plan.rounds_per_table * len(plan.tables))
    return {kind: wanted // len(kinds) + (number < wanted % len(kinds)) for number, kind in enumerate(kinds)}


def fault_queues(plan: Plan) -> dict[str, FaultQueue]:
    """Which table owes which fault, and from which round on."""
    queues = {table.table_id: FaultQueue() for table in plan.tables}
    rng = Random(f"faults {plan.seed}")
    for kind, count in _counts(plan).items():
        if kind not in KINDS:
            raise ValueError(f"{kind!r} is not a kind of fault: {', '.join(KINDS)}")
        possible = [table.table_id for table in plan.tables if KINDS[kind].fits(table)]
        if count and not possible:
            raise ValueError(f"no table of the plan can show {kind}: {KINDS[kind].how}")
        for number in range(count):
            if number % len(possible) == 0:
                rng.shuffle(possible)
            # The last rounds are left free, for faults that have to wait for their opportunity.
            since = rng.randrange(max(1, plan.rounds_per_table * 9 // 10))
            queues[possible[number % len(possible)]].pending.append((since, kind))
    for queue in queues.values():
        queue.pending.sort()
    return queues
