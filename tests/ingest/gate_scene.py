"""Simulated tables as they reach the log, ready to be attacked, and the judge of what the gate made of it.

An attack changes one table's records (`Scene.sent`). The judge sends all tables through a gate, mixed as a log mixes
them, and asks what an owner would: was it noticed, under the right name, is every record kept, and did the other tables
go on as if nothing had happened?
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from datetime import date, datetime
from functools import cache
from hashlib import sha256
from random import Random
from typing import Any, NamedTuple

import orjson
from nacl.signing import SigningKey

from ingest.chain import event_hash, public_hex, sign
from ingest.gate.gate import QUARANTINED, RECORDED, Gate
from ingest.key_history import KeyHistory
from ingest.log import LogRecord
from ingest.simulator import default_plan, simulate
from ingest.simulator.voice import private_key
from schemas.admitted import Admitted, AdmittedFlag
from schemas.clock import microseconds
from tests.ingest.key_rings import MemoryKeys

DAY = date(2026, 11, 17)
TABLES = 3
ROUNDS = 14
SECOND_US = 1_000_000
_LATENCY_US = 40_000
F = AdmittedFlag
_MARKED = AdmittedFlag.BAD_SIGNATURE | AdmittedFlag.CHAIN_BROKEN


class Sent(NamedTuple):
    """A record on its way: when the log will stamp it, the key it is sent under, the bytes."""

    at_us: int
    key: str
    raw: bytes


Members = dict[str, Any]


@cache
def _honest(seed: int, rounds: int) -> dict[str, tuple[Sent, ...]]:
    plan = default_plan(seed=seed, tables=TABLES, rounds=rounds, gaming_day=DAY)
    streams: dict[str, list[Sent]] = {}
    for table_id, raw in simulate(plan):
        time_us = microseconds(datetime.fromisoformat(orjson.loads(raw)["time"]))
        streams.setdefault(table_id, []).append(Sent(time_us + _LATENCY_US, table_id, raw))
    return {table_id: tuple(stream) for table_id, stream in streams.items()}


class Scene:
    """Some tables, one of them the victim."""

    def __init__(self, seed: int, random: Random, rounds: int = ROUNDS) -> None:
        self.seed = seed
        self.random = random
        self.streams = {table_id: list(stream) for table_id, stream in _honest(seed, rounds).items()}
        self.tables = sorted(self.streams)
        self.victim = random.choice(self.tables)
        self.keys = MemoryKeys()
        self.keys_then: dict[str, KeyHistory] = {}  # what becomes of the key ring half-way
        self.keys_change_at = -1
        for table_id in self.tables:
            public = public_hex(self.secret(table_id))
            self.keys.histories[table_id] = KeyHistory(table_id).added(public, None, "", None)

    @property
    def sent(self) -> list[Sent]:
        """The victim's records, to be changed."""
        return self.streams[self.victim]

    @sent.setter
    def sent(self, changed: list[Sent]) -> None:
        self.streams[self.victim] = changed

    @property
    def other(self) -> str:
        return next(table_id for table_id in self.tables if table_id != self.victim)

    def secret(self, table_id: str | None = None) -> SigningKey:
        return private_key(self.seed, table_id or self.victim)

    def stranger(self) -> SigningKey:
        return SigningKey(self.random.randbytes(32))

    # --- places -------------------------------------------------------------------------------------------------------

    def place(self, before: int = 12, after: int = 4) -> int:
        """Any event but for some at either end."""
        return self.random.randrange(before, len(self.sent) - after)

    def place_where(self, fits: Callable[[Members], bool], before: int = 12, after: int = 4) -> int:
        places = [at for at in range(before, len(self.sent) - after) if fits(self.said(at))]
        return self.random.choice(places)

    def said(self, at: int) -> Members:
        members: Members = orjson.loads(self.sent[at].raw)
        return members

    def unsigned_place(self) -> int:
        return self.place_where(lambda said: "sig" not in said)

    def signed_place(self) -> int:
        return self.place_where(lambda said: "sig" in said)

    def inside_round(self) -> int:
        """An event of a round whose neighbours are of the same round."""
        return self.place_where(lambda said: "subject" in said and not said["type"].startswith("muckraker.round."))

    # --- what an attacker does ----------------------------------------------------------------------------------------

    def put(self, at: int, raw: bytes, key: str | None = None) -> None:
        """One more record before the one at this place."""
        self.sent.insert(at, Sent(self.sent[at].at_us, key or self.victim, raw))

    def replace(self, at: int, raw: bytes) -> None:
        self.sent[at] = self.sent[at]._replace(raw=raw)

    def changed(self, at: int, key: SigningKey | None = None, **members: Any) -> bytes:
        """The event with other members, signed anew with `key` or carrying its old signature."""
        said = self.said(at) | members
        signature = said.pop("sig", None)
        body = orjson.dumps(said)
        if key is not None:
            return sign(body, key)
        if signature is None:
            return body
        return orjson.dumps(said | {"sig": signature})

    def rechain(
        self,
        start: int,
        change: Callable[[Members, int], Members | None] = lambda said, _: said,
        key: SigningKey | None = None,
        end: int | None = None,
    ) -> None:
        """Say everything from a place on anew, each event following from the one before it, as whoever sits between
        the controller and the log could: `change` alters what is said, `key` signs what was signed (without: the old
        signatures stay)."""
        prevhash = event_hash(self.sent[start - 1].raw)
        for at in range(start, len(self.sent) if end is None else end):
            said = change(self.said(at), at)
            assert said is not None
            said["prevhash"] = prevhash
            signature = said.pop("sig", None)
            raw = orjson.dumps(said)
            if signature is not None:
                raw = sign(raw, key) if key is not None else orjson.dumps(said | {"sig": signature})
            self.replace(at, raw)
            prevhash = event_hash(raw)


@dataclass(frozen=True)
class Attack:
    """Something done to a table's records, and the findings it must lead to at that table: all of `codes`, nothing
    beyond `codes` and `also`."""

    name: str
    codes: frozenset[str]
    do: Callable[[Scene], None]
    also: frozenset[str] = frozenset()
    rounds: int = ROUNDS
    elsewhere: bool = False  # its records are of tables that do not exist
    weight: float = 1.0  # how often it is tried, beside the others
    unharmed: bool = False  # all that the victim really said is let through, in order, without a mark

    def tried(self, number: int) -> Outcome:
        random = Random(f"{self.name} {number}")
        scene = Scene(seed=1 + number % 4, random=random, rounds=self.rounds)
        self.do(scene)
        return judged(self, scene)


@dataclass
class Outcome:
    found: dict[str, list[str]] = field(default_factory=dict)  # codes by table
    caught: bool = False
    named: bool = False
    kept: bool = False  # every record is one row with its bytes, and a reason if it is not recorded
    others_undisturbed: bool = False
    unharmed: bool = False
    sentences: list[str] = field(default_factory=list)

    @property
    def right(self) -> bool:
        """Named for what it is; and honest traffic has no name."""
        return self.named and self.kept and self.others_undisturbed and self.unharmed


def logged(streams: Iterable[list[Sent]]) -> list[LogRecord]:
    """All streams as one log: in order of time, each stream in its own order, and the log's clock never goes back."""
    waiting: list[tuple[int, int, int, Sent]] = []
    for number, stream in enumerate(streams):
        clock_us = 0
        for place, sent in enumerate(stream):
            clock_us = max(clock_us, sent.at_us)
            waiting.append((clock_us, number, place, sent))
    waiting.sort(key=lambda entry: entry[:3])
    return [LogRecord(offset, at_us, sent.key, sent.raw) for offset, (at_us, _, _, sent) in enumerate(waiting)]


def judged(attack: Attack, scene: Scene) -> Outcome:
    gate = Gate(scene.keys)
    records = logged(scene.streams.values())
    others = set(scene.tables) - {scene.victim}
    undisturbed = True
    true_chain = [sent.raw for sent in _honest(scene.seed, attack.rounds)[scene.victim]]
    released: list[Admitted] = []
    for record in records:
        if record.offset == scene.keys_change_at:
            scene.keys.histories |= scene.keys_then
        out = gate.admit(record)
        released += out
        if record.key in others and sum(admitted.event.tableid == record.key for admitted in out) != 1:
            undisturbed = False  # it may also be the record at which the victim's have waited long enough
    released += gate.finish()
    rows, findings = gate.take_rows(), gate.take_findings()
    found: dict[str, list[str]] = {}
    for finding in findings:
        found.setdefault(finding.table_id, []).append(finding.code)
    recorded = {row[0] for row in rows if row[9] == RECORDED and gate.let_through(row[2], row[12])}
    outcome = Outcome(found, sentences=[finding.sentence for finding in findings])
    outcome.kept = (
        [(row[0], row[12], row[11]) for row in rows]
        == [(record.offset, record.value, sha256(record.value).digest()) for record in records]
        and all(row[9] == RECORDED or row[10] for row in rows)
        and {one.offset for one in released if not one.flags & AdmittedFlag.OVERRULES or one.offset in recorded}
        == recorded
        and len({one.offset for one in released}) == len(released)
    )
    through = [
        (admitted.raw, F(admitted.flags) & ~F.ATTESTED) for admitted in released if _is_of(admitted, scene.victim)
    ]
    outcome.unharmed = not attack.unharmed or through == [(raw, F.NONE) for raw in true_chain]
    elsewhere = {code for table_id, codes in found.items() if table_id not in scene.tables for code in codes}
    codes = elsewhere if attack.elsewhere else set(found.get(scene.victim, ()))
    outcome.caught = bool(codes)
    outcome.named = attack.codes <= codes <= attack.codes | attack.also
    outcome.others_undisturbed = undisturbed and not others & set(found)
    return outcome


def _is_of(admitted: Admitted, table_id: str) -> bool:
    return admitted.event.tableid == table_id


def quarantined_or_marked(scene: Scene, raw: bytes) -> bool:
    """Whether bytes that somebody forged are in quarantine, or on record with a mark."""
    gate = Gate(scene.keys)
    marked: dict[int, int] = {}
    for record in logged(scene.streams.values()):
        marked |= {admitted.offset: admitted.flags for admitted in gate.admit(record)}
    marked |= {admitted.offset: admitted.flags for admitted in gate.finish()}
    (row,) = [row for row in gate.take_rows() if row[12] == raw]
    return row[9] == QUARANTINED or bool(marked[row[0]] & _MARKED)
