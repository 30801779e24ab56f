"""Each attack on the gate is caught and called by its name, and nobody honest is accused.

`python -m benchmarks.forgery` tries each many times.
"""

from __future__ import annotations

from collections import Counter
from random import Random

import pytest

from ingest.gate.gate import Gate
from ingest.gate.limits import FLOOD_EVENTS, FLOOD_STEP, ROUND_EVENTS
from schemas.findings import CATALOGUE
from tests.ingest.gate_attacks import ATTACKS
from tests.ingest.gate_scene import Attack, Scene, logged, quarantined_or_marked
from tests.ingest.honest_traffic import HONEST

HELD_BY_OPERATORS = {"GATE-008", "GATE-022", "GATE-036"}
"""No attacks: a table that nobody registered, a new chain as registered, and a table resynchronised as ordered
(test_gate.py, test_gate_leap.py, honest_traffic.py)."""

IN_THE_LOG = {"GATE-040", "GATE-041"}
"""Attacks on the log's partitions, which a scene of one partition has not (test_right_partition.py)."""


@pytest.mark.parametrize("attack", ATTACKS, ids=lambda attack: attack.name)
def test_an_attack_is_caught_and_called_by_its_name(attack: Attack) -> None:
    outcome = attack.tried(0)
    assert outcome.caught
    assert outcome.named, (sorted(attack.codes), outcome.found, outcome.sentences[:5])
    assert outcome.kept, "one row for each record, with its bytes"
    assert outcome.others_undisturbed, outcome.found
    assert outcome.unharmed, "what the table really said goes on as if nothing had happened"


@pytest.mark.parametrize("traffic", HONEST, ids=lambda traffic: traffic.name)
def test_honest_traffic_is_not_accused(traffic: Attack) -> None:
    for number in range(2):
        outcome = traffic.tried(number)
        assert outcome.right, outcome.sentences[:5]


def test_every_code_of_the_gate_names_some_attack() -> None:
    named = {code for attack in ATTACKS for code in attack.codes}
    assert named | HELD_BY_OPERATORS | IN_THE_LOG == {code for code in CATALOGUE if code.startswith("GATE-")}
    assert len({attack.name for attack in ATTACKS}) == len(ATTACKS)


@pytest.mark.parametrize("name", ["changed: a sum", "fork: another event with a number that is taken"])
def test_forged_bytes_are_in_quarantine_or_break_the_chain(name: str) -> None:
    """The forged event itself, or the true one after it, bears a mark: nothing forged passes for attested."""
    attack = next(attack for attack in ATTACKS if attack.name == name)
    scene = Scene(seed=1, random=Random(name))
    honest = {sent.raw for sent in scene.sent}
    attack.do(scene)
    (forged,) = [at for at, sent in enumerate(scene.sent) if sent.raw not in honest]
    assert quarantined_or_marked(scene, scene.sent[forged].raw) or quarantined_or_marked(
        scene, scene.sent[forged + 1].raw
    )


def test_a_flood_is_cut_off_at_the_rate_and_the_table_goes_on_when_it_is_over() -> None:
    attack = next(attack for attack in ATTACKS if attack.name == "flood: more events than a table has")
    scene = Scene(seed=2, random=Random(1), rounds=4)
    attack.do(scene)
    gate = Gate(scene.keys)
    records = [record for record in logged(scene.streams.values()) if record.key == scene.victim]
    recorded = sum(len(gate.admit(record)) for record in records)
    assert recorded <= FLOOD_EVENTS + FLOOD_STEP
    assert [finding.code for finding in gate.take_findings()] == ["GATE-017"]
    # Ten minutes later an event that follows from the last one is let through.
    last = records[-1]
    later = last._replace(offset=last.offset + 1, timestamp_us=last.timestamp_us + 600_000_000)
    assert [row[9] for row in gate.take_rows()][-1] == "quarantined"
    assert len(gate.admit(later)) == 1, "a copy of the surplus, sent again when the flood is over, is recorded late"


def test_a_round_that_does_not_end_ends_all_the_same_for_the_replay() -> None:
    attack = next(attack for attack in ATTACKS if attack.name == "flood: a round that does not end")
    scene = Scene(seed=3, random=Random(2), rounds=4)
    attack.do(scene)
    gate = Gate(scene.keys)
    rounds: Counter[str] = Counter()
    for record in logged(scene.streams.values()):
        for admitted in gate.admit(record):
            if admitted.event.tableid == scene.victim and admitted.event.subject is not None:
                rounds[admitted.event.subject] += 1
    assert max(rounds.values()) <= ROUND_EVENTS


def test_what_a_flood_leaves_in_the_gates_memory_is_bounded() -> None:
    """After every kind of flood the state is no bigger than a table's memory may be."""
    for attack in ATTACKS:
        if not attack.name.startswith("flood") or attack.elsewhere:
            continue
        scene = Scene(seed=1, random=Random(attack.name), rounds=attack.rounds)
        attack.do(scene)
        gate = Gate(scene.keys)
        for record in logged(scene.streams.values()):
            gate.admit(record)
        gate.take_rows()
        gate.take_findings()
        state = gate.state()["tables"][scene.victim]
        assert len(state["held"]) <= 64 and len(state["missing"]) <= 256 and len(state["refused"]) <= 64
        assert len(state["forks"]) <= 64 and len(state["rounds"]) <= 8 and len(state["marks"]) <= 6
