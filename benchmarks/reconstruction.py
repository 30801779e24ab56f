"""How well the solver explains racks that went wrong: faults done on purpose, and what became of them.

    python -m benchmarks.reconstruction [--rounds N] [--seed S] [--clean N]

Rounds are played by the simulator; `benchmarks.rack_faults` spoils their racks and says what it did; the rounds go
through the replay's own audit, once with the rack alone, once with the hands shown, once with the deal. A line of the
table is one kind of fault under one kind of evidence:

* `located`: the right kind in the right place with the right cards, and sure: the explanation itself, or, where
  only the cause is open (a misread card and one brought in look alike), the hands that follow from it;
* `first`: the same at the head of the explanations, sure or not;
* `ambiguous`: not sure, and the truth is among the explanations kept;
* `lost`: not sure, and the truth is not among them; or the search was given up;
* `sure but wrong`: explained with confidence, and wrong;
* `no trace`: what was read is what a round without any fault may give, so there is nothing to find.
"""

from __future__ import annotations

import argparse
import copy
import resource
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import pairwise
from random import Random

import orjson

from benchmarks.rack_faults import FAULTS, Label, Rack, baccarat_rack, pai_gow_rack
from ingest.simulator import Plan, default_plan, simulate
from ingest.simulator.options import Equipment
from replay.assemble import Assembler
from replay.engine import audit
from replay.reconstruct.confidence import CONFIDENT
from replay.reconstruct.explanations import Answer, Explanation
from replay.reconstruct.faults import RATES, Fault, FaultKind
from replay.rounds import RoundFlag, RoundRow, batch_of
from schemas.admitted import Admitted
from schemas.events import parse_event

PACKS = {"ma/pai_gow_poker": "pai_gow_poker", "ca/supreme_baccarat": "supreme_baccarat"}
EVIDENCE = ("rack alone", "rack and hands shown", "rack and deal")
BATCH = 500
NO_TRACE, LOCATED, AMBIGUOUS, LOST, WRONG = "no trace", "located", "ambiguous", "lost", "sure but wrong"


@dataclass
class PlayedRound:
    row: RoundRow
    rack: Rack


@dataclass
class Trial:
    """One spoiled rack: the round as read, and what was done to it."""

    row: RoundRow
    rack: Rack

    @property
    def labels(self) -> list[Label]:
        return self.rack.labels


@dataclass
class Tally:
    outcomes: Counter[str] = field(default_factory=Counter)
    first: int = 0
    confidences: list[tuple[float, bool]] = field(default_factory=list)  # of the first explanation, and was it true
    seconds: float = 0.0

    @property
    def trials(self) -> int:
        return self.outcomes.total()

    def share(self, outcome: str) -> float:
        return self.outcomes[outcome] / self.trials if self.trials else 0.0


def play(game: str, rounds: int, seed: int) -> list[PlayedRound]:
    """Rounds of one game at tables that see everything, assembled, with their racks as they were filled."""
    plan = default_plan(seed=seed, tables=26, rounds=1, gaming_day=date(2026, 11, 17))
    tables = [
        replace(table, equipment=Equipment(shoe_reads=True, camera=True, rack="inserted"))
        for table in plan.tables
        if table.game == game
    ]
    plan = Plan(seed, plan.gaming_day, tables, max(1, -(-rounds // len(tables))))
    dealing = {table.table_id: table.pai_gow().dealing for table in tables if game == "pai_gow_poker"}
    assembler = Assembler()
    told: dict[tuple[str, str], list[dict[str, object]]] = defaultdict(list)
    for offset, (table_id, raw) in enumerate(simulate(plan)):
        assembler.feed(Admitted(offset, raw, parse_event(raw), 0))  # nothing is wrong with the record itself
        event = orjson.loads(raw)
        if "subject" in event:
            told[table_id, event["subject"]].append(event)
    played = []
    for row in assembler.finish_segment(lambda table, round_id: []):
        events = told[row.named["table_id"], row.named["round_id"]]
        table_id = row.named["table_id"]
        rack = pai_gow_rack(events, dealing[table_id]) if dealing else baccarat_rack(events)
        if rack is not None and not row.fixed["flags"] & RoundFlag.VOIDED:
            assert row.rack == rack.faces(), "the assembled rack is the one the dealer filled"
            played.append(PlayedRound(row, rack))
    return played


def as_seen(row: RoundRow, evidence: str) -> RoundRow:
    """The round with only these witnesses."""
    kept = replace(row, named=dict(row.named), fixed=dict(row.fixed), facts=list(row.facts), shown=list(row.shown))
    if evidence != "rack and deal":
        kept.dealt, kept.dealt_place, kept.dealt_to, kept.dealt_deck = b"", [], b"", b""
        kept.fixed["flags"] &= ~RoundFlag.DEAL_READ
    if evidence != "rack and hands shown":
        kept.shown = []
    return kept


def spoil(
    played: Sequence[PlayedRound], kinds: Sequence[str], evidence: str, rng: Random, marked: bool
) -> Trial | None:
    chosen = rng.choice(played)
    rack = copy.deepcopy(chosen.rack)
    others = [other.rack for other in rng.sample(played, 2) if other is not chosen]
    if not all(FAULTS[kind](rack, rng, others) for kind in kinds):
        return None
    row = as_seen(chosen.row, evidence)
    row.rack = rack.faces()
    row.rack_deck = rack.decks() if marked else b""
    return Trial(row, rack)


# ---- was it right --------------------------------------------------------------------------------------------------


def same(fault: Fault, label: Label, rack: Rack) -> bool:
    if fault.kind != label.kind or sorted(fault.instead) != sorted(label.instead):
        return False
    at = rack.index_of(label.packet)
    if fault.kind is FaultKind.MIXED:
        return sorted(fault.cards) == sorted(label.cards) and fault.at == at
    if fault.cards != label.cards:
        return False
    if fault.cards and not fault.instead:  # a card too many belongs to no hand: where it lies counts
        return abs(fault.at - at) <= 1
    return set(fault.places) == set(label.places)


def tells_all(explanation: Explanation, trial: Trial) -> bool:
    labels = list(trial.labels)
    for fault in explanation.faults:
        match = next((label for label in labels if same(fault, label, trial.rack)), None)
        if match is None:
            return False
        labels.remove(match)
    return not labels


def tells_part(explanation: Explanation, trial: Trial) -> bool:
    """Every fault it names was done, though it does not name all."""
    return bool(explanation.faults) and all(
        any(same(fault, label, trial.rack) for label in trial.labels) for fault in explanation.faults
    )


def judge(answer: Answer | None, trial: Trial) -> tuple[str, bool]:
    if answer is None:
        return NO_TRACE, False
    if not answer.explanations:
        return LOST, False
    best = answer.explanations[0]
    first = tells_all(best, trial)
    if best.confidence >= CONFIDENT or (first and answer.reading is not None):
        return (LOCATED if first else WRONG), first
    kept = any(tells_all(explanation, trial) for explanation in answer.explanations)
    return (AMBIGUOUS if kept else LOST), first


def answers_to(trials: Sequence[Trial]) -> tuple[list[Answer | None], float]:
    """What the replay's audit makes of these rounds, and how long it took."""
    answers: list[Answer | None] = []
    began = time.process_time()
    for at in range(0, len(trials), BATCH):
        some = trials[at : at + BATCH]
        found: list[Answer | None] = [None] * len(some)
        for part in audit(batch_of([trial.row for trial in some])).parts:
            for row, answer in part.checked.answers.items():
                found[int(part.rows[row])] = answer
        answers += found
    return answers, time.process_time() - began


def try_kind(
    played: Sequence[PlayedRound], kinds: Sequence[Sequence[str]], evidence: str, trials: int, rng: Random
) -> Tally:
    """So many racks, each spoiled in one of these ways."""
    tally = Tally()
    made: list[Trial] = []
    for _ in range(trials * 4):
        if len(made) == trials:
            break
        wanted = rng.choice(kinds)
        trial = spoil(played, wanted, evidence, rng, "other_deck" in wanted)
        if trial is not None:
            made.append(trial)
    answers, tally.seconds = answers_to(made)
    for trial, answer in zip(made, answers, strict=True):
        outcome, first = judge(answer, trial)
        if outcome == WRONG and len(trial.labels) > 1:
            assert answer is not None
            if tells_part(answer.explanations[0], trial):
                outcome = "part of it"
        tally.outcomes[outcome] += 1
        tally.first += first
        if answer is not None and answer.explanations:
            tally.confidences.append((answer.explanations[0].confidence, first))
    return tally


# ---- the tables ----------------------------------------------------------------------------------------------------


def kinds_of(pack: str) -> list[str]:
    """Baccarat has no stub and no hands set in parts, and its shoe holds every card several times."""
    if pack == "ma/pai_gow_poker":
        return list(FAULTS)
    return [kind for kind in FAULTS if kind not in ("stub_short", "parts_reversed", "out_of_place", "other_deck")]


def evidence_of(pack: str) -> list[str]:
    return [each for each in EVIDENCE if pack == "ma/pai_gow_poker" or each != "rack and hands shown"]


def one_fault(pack: str, played: Sequence[PlayedRound], trials: int, rng: Random) -> dict[tuple[str, str], Tally]:
    return {
        (kind, evidence): try_kind(played, [(kind,)], evidence, trials, rng)
        for kind in kinds_of(pack)
        for evidence in evidence_of(pack)
    }


def two_faults(pack: str, played: Sequence[PlayedRound], trials: int, rng: Random) -> dict[str, Tally]:
    kinds = kinds_of(pack)
    pairs = [(one, other) for one in kinds for other in kinds]
    return {evidence: try_kind(played, pairs, evidence, trials, rng) for evidence in evidence_of(pack)}


def as_likely(pack: str, played: Sequence[PlayedRound], evidence: str, trials: int, rng: Random) -> Tally:
    """One fault a round, each kind as often as `faults.RATES` says: what confidence is held against."""
    kinds = kinds_of(pack)
    weights = [RATES[FaultKind(kind)].a_round for kind in kinds]
    return try_kind(played, [(kind,) for kind in rng.choices(kinds, weights, k=trials)], evidence, trials, rng)


def buckets(confidences: Sequence[tuple[float, bool]]) -> list[tuple[float, float, int, float, float]]:
    """(from, to, how many, mean confidence, share right) of the answers by how sure they were."""
    edges = (0.0, 0.3, 0.5, 0.7, 0.85, 0.95, 0.99, 1.000001)
    rows = []
    for low, high in pairwise(edges):
        inside = [(sure, right) for sure, right in confidences if low <= sure < high]
        if inside:
            mean = sum(sure for sure, _ in inside) / len(inside)
            rows.append((low, min(high, 1.0), len(inside), mean, sum(right for _, right in inside) / len(inside)))
    return rows


def percent(share: float) -> str:
    return f"{100 * share:6.1f}%"


def report(trials: int, seed: int) -> None:
    outcomes = (LOCATED, AMBIGUOUS, LOST, WRONG, NO_TRACE)
    for pack, game in PACKS.items():
        rng = Random(seed)
        played = play(game, max(300, trials), seed)
        print(f"\n{pack}: {trials} racks a line, spoiled once each, of {len(played)} rounds played")
        heads = ("located", "first", "ambig.", "lost", "wrong", "no trace", "ms")
        print(f"{'fault':<15}{'evidence':<22}{''.join(f'{head:>8}' for head in heads)}")
        worst = 0.0
        for (kind, evidence), tally in one_fault(pack, played, trials, rng).items():
            shares = [percent(tally.share(outcome)) for outcome in outcomes]
            shares.insert(1, percent(tally.first / tally.trials if tally.trials else 0))
            each = 1000 * tally.seconds / max(tally.trials, 1)
            worst = max(worst, each)
            print(f"{kind:<15}{evidence:<22}{' '.join(shares)} {each:7.1f}")
        print(f"\n{pack}: two faults at once, any two kinds")
        for evidence, tally in two_faults(pack, played, 4 * trials, rng).items():
            words = ", ".join(f"{name} {percent(tally.share(name)).strip()}" for name in sorted(tally.outcomes))
            print(f"  {evidence:<22}{words}; {1000 * tally.seconds / max(tally.trials, 1):.1f} ms a rack")
        print(f"\n{pack}: how sure, and how often right (one fault, each kind as often as it is taken to happen)")
        for evidence in evidence_of(pack):
            tally = as_likely(pack, played, evidence, 4 * trials, rng)
            print(f"  {evidence}")
            for low, high, count, mean, right in buckets(tally.confidences):
                print(f"    said {low:4.2f} to {high:4.2f}: {count:6d} answers, mean {mean:5.3f}, right {right:5.3f}")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    print(f"\nlargest memory used: {peak:.0f} MB")


def main() -> None:
    parser = argparse.ArgumentParser(description="How well the solver explains racks that went wrong.")
    parser.add_argument("--rounds", type=int, default=300, metavar="N", help="spoiled racks a line of the table (300)")
    parser.add_argument("--seed", type=int, default=1, help="another seed plays and spoils other rounds (1)")
    args = parser.parse_args()
    if args.rounds < 1:
        parser.error(f"--rounds is {args.rounds}: at least one rack a line")
    report(args.rounds, args.seed)


if __name__ == "__main__":
    main()
