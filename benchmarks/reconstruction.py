"""How well the solver explains racks that went wrong: faults done on purpose, and what became of them.

    python -m benchmarks.reconstruction [--rounds N] [--two N] [--seed S] [--pack PACK] [--evidence E]

Rounds are played by the simulator; `benchmarks.rack_faults` spoils their racks and says what it did; the rounds go
through the replay's own audit, once with the rack alone, once with the hands shown, once with the deal. A line of the
table is one kind of fault under one kind of evidence:

* `told`: of the racks, those in which the information is there: of all accounts of what was read that one fault can
  give, counted by brute force (`benchmarks.rack_accounts`), the true one has 95% of the weight or more;
* `located`: of those told, the share with the right kind in the right place with the right cards, and sure;
* then, of all racks: `ambig.`, not sure, and the truth is among the explanations kept; `lost`, not sure, and it is not,
  or the search was given up; `wrong`, sure and wrong; `no trace`, what was read is what a round with no fault may give.

With two faults at once an answer is wrong when it is sure and names a fault that was not done, or puts down to a
witness what a second fault did; it is `same` when it explains what two faults left by others that leave the very same
rack and the very same hands (two swaps that come to one packet out of place), and `as one` when what was read is, to
every witness there was, what the one fault explained would have left (a card missing from a hand and two from the stub
read as three from the stub): of two such the fewest faults are the answer, and its confidence says how sure that is.
"""

from __future__ import annotations

import argparse
import copy
import math
import resource
import time
from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from itertools import pairwise
from random import Random

import orjson

from benchmarks.rack_accounts import TOLD, Key, accounts, baccarat_witnesses, pai_gow_witnesses
from benchmarks.rack_faults import FAULTS, STUB, Label, Rack, baccarat_rack, pai_gow_rack
from ingest.simulator import Plan, default_plan, simulate
from ingest.simulator.options import Equipment
from replay.assemble import Assembler
from replay.engine import audit
from replay.reconstruct.confidence import CONFIDENT
from replay.reconstruct.evidence import HOLE
from replay.reconstruct.explanations import Answer, Explanation
from replay.reconstruct.faults import RATES, Fault, FaultKind
from replay.rounds import RoundFlag, RoundRow, batch_of
from schemas.admitted import Admitted
from schemas.events import parse_event

PACKS = {"ma/pai_gow_poker": "pai_gow_poker", "ca/supreme_baccarat": "supreme_baccarat"}
RACK, SHOWN, DEAL = "rack alone", "rack and hands shown", "rack and deal"
BATCH = 500
NO_TRACE, LOCATED, AMBIGUOUS, LOST, WRONG = "no trace", "located", "ambiguous", "lost", "sure but wrong"
PART, SAME, AS_ONE = "part of it", "same", "as one"
_RATES = {kind.value: rate.a_round for kind, rate in RATES.items()}
_ORDER = ("swapped", "out_of_place", "parts_reversed")
_MEMORY_MB = 1024  # ru_maxrss counts kilobytes


@dataclass
class PlayedRound:
    row: RoundRow
    rack: Rack


@dataclass
class Trial:
    """One spoiled rack: the round as read, as its rack was filled before, and what was done to it."""

    row: RoundRow
    rack: Rack
    clean: Rack
    evidence: str

    @property
    def labels(self) -> list[Label]:
        return self.rack.labels

    @property
    def pai_gow(self) -> bool:
        return all(packet.place >= STUB for packet in self.clean.packets)


@dataclass
class Tally:
    outcomes: Counter[str] = field(default_factory=Counter)
    told: int = 0
    told_located: int = 0
    confidences: list[tuple[float, bool]] = field(default_factory=list)  # of the first explanation, and was it true
    seconds: float = 0.0
    largest: int = 0  # hypotheses considered in one search
    given_up: int = 0

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
    if evidence != DEAL:
        kept.dealt, kept.dealt_place, kept.dealt_to, kept.dealt_deck = b"", [], b"", b""
        kept.fixed["flags"] &= ~RoundFlag.DEAL_READ
    if evidence != SHOWN:
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
    return Trial(row, rack, chosen.rack, evidence)


# ---- was it right --------------------------------------------------------------------------------------------------


def same(fault: Fault, label: Label, rack: Rack) -> bool:
    if fault.kind != label.kind or not _alike(fault.instead, label.instead):
        return False
    at = rack.index_of(label.packet)
    if fault.kind is FaultKind.MIXED:
        return sorted(fault.cards) == sorted(label.cards) and fault.at == at
    if fault.cards != label.cards:
        return False
    if fault.cards and not fault.instead:  # a card too many belongs to no hand: where it lies counts
        return abs(fault.at - at) <= 1
    return set(fault.places) == set(label.places)


def _alike(supposed: Sequence[int], true: Sequence[int]) -> bool:
    """The same cards; one that nothing names may be any."""
    holes = list(supposed).count(HOLE)
    return len(supposed) == len(true) and (Counter(true) - Counter(supposed)).total() <= holes


def tells_all(explanation: Explanation, trial: Trial) -> bool:
    labels = list(trial.labels)
    for fault in explanation.faults:
        match = next((label for label in labels if same(fault, label, trial.rack)), None)
        if match is None:
            return False
        labels.remove(match)
    return not labels


def tells_part(explanation: Explanation, trial: Trial) -> bool:
    """Every fault it names was done, and it blames no witness, though it does not name all. Where hands went in in
    another order, which left no trace, a card of one is told to lie in the hand whose turn it would have been."""
    if not explanation.faults or explanation.against:
        return False
    labels = [*trial.labels, *(in_turn(label, trial) for label in trial.labels)]
    return all(any(same(fault, label, trial.rack) for label in labels) for fault in explanation.faults)


def in_turn(label: Label, trial: Trial) -> Label:
    """The label, with the place whose packet should have lain where this one does."""
    turns = [packet.place for packet in trial.clean.packets]
    lying = [packet.place for packet in trial.rack.packets if packet.place in turns]
    if label.kind in _ORDER or len(lying) != len(turns):
        return label
    return replace(label, places=tuple(turns[lying.index(p)] if p in lying else p for p in label.places))


def same_effect(explanation: Explanation, trial: Trial) -> bool:
    """Other faults that leave the same: every hand as it was, and what is too many told as what it is."""
    if explanation.against:
        return False
    hands = {packet.place: sorted(card.face for card in packet.cards) for packet in trial.clean.packets}
    held = {place: sorted(explanation.reading.cards(place)) for place in hands if place != STUB}
    if any(held[place] != hands[place] for place in held):
        return False
    return all(
        any(fault.kind == label.kind and fault.cards == label.cards for label in trial.labels)
        for fault in explanation.faults
        if fault.cards
    )


def account_of(trial: Trial) -> Key:
    """The true account of a rack spoiled once, as `rack_accounts` names it."""
    (label,) = trial.labels
    known = trial.evidence == DEAL or trial.pai_gow
    added = label.kind in ("mixed", "read_twice") or (bool(label.cards) and not label.instead)
    at = trial.rack.index_of(label.packet) if added else -1
    places = () if added else tuple(sorted(label.places))
    return label.kind, places, label.cards, tuple(sorted(label.instead)) if known else (), at


def accounts_of(trial: Trial) -> dict[Key, float]:
    """Every account of this rack by one fault or none."""
    dealt = trial.evidence == DEAL
    if trial.pai_gow:
        shown = [(one.place, one.low, one.cards) for one in trial.row.shown]
        seen = pai_gow_witnesses(trial.clean, dealt, shown)
    else:
        seen = baccarat_witnesses(trial.clean, dealt)
    marks = trial.rack.decks() if trial.row.rack_deck else b""
    return accounts(trial.row.rack, marks, seen, _RATES)


def is_told(trial: Trial) -> tuple[bool, bool]:
    """Whether the true account stands out, and whether the reading is one a round without fault may give."""
    found = accounts_of(trial)
    true, clean = found.get(account_of(trial), 0.0), found.get(("", (), (), (), -1), 0.0)
    near = sum(weight for key, weight in found.items() if _next_to(key, account_of(trial)))
    return (max(true, near) / (sum(found.values()) or 1.0)) >= TOLD, clean > 0


def reads_as_one(explanation: Explanation, trial: Trial) -> bool:
    """Two faults that left what the one explained leaves, to every witness: the fewest faults are what is asked for."""
    if len(explanation.faults) != 1 or explanation.against:
        return False
    (fault,) = explanation.faults
    added = bool(fault.cards) and not fault.instead
    places = () if added else tuple(sorted(fault.places))
    instead = tuple(card for card in sorted(fault.instead) if card != HOLE)
    told = (fault.kind.value, places, fault.cards, instead, fault.at if added else -1)
    return told in accounts_of(trial)


def _next_to(key: Key, true: Key) -> bool:
    """The same card too many, one place further: of two alike side by side either may be the one."""
    return key[:4] == true[:4] and abs(key[4] - true[4]) <= (1 if true[0] != "mixed" else 0)


def judge(answer: Answer | None, trial: Trial, traceless: bool) -> tuple[str, bool]:
    if answer is None or not any(explanation.faults for explanation in answer.explanations):
        return (NO_TRACE if traceless else LOST), False
    best = answer.explanations[0]
    first = tells_all(best, trial)
    if best.confidence >= CONFIDENT:
        return (LOCATED if first else NO_TRACE if traceless and not best.faults and not best.against else WRONG), first
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


def try_kinds(
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
        told, traceless = is_told(trial) if len(trial.labels) == 1 else (False, True)
        outcome, first = judge(answer, trial, traceless)
        if outcome == WRONG and len(trial.labels) > 1:
            assert answer is not None
            best = answer.explanations[0]
            if tells_part(best, trial):
                outcome = PART
            elif same_effect(best, trial):
                outcome = SAME
            elif reads_as_one(best, trial):
                outcome = AS_ONE
        tally.outcomes[outcome] += 1
        tally.told += told
        tally.told_located += told and outcome == LOCATED
        if answer is not None:
            tally.largest = max(tally.largest, answer.considered)
            tally.given_up += answer.bound_hit
            if answer.explanations and answer.explanations[0].faults:
                tally.confidences.append((answer.explanations[0].confidence, first))
    return tally


# ---- the tables ----------------------------------------------------------------------------------------------------


def kinds_of(pack: str) -> list[str]:
    """Baccarat has no stub and no hands set in parts, and its shoe holds every card several times."""
    if pack == "ma/pai_gow_poker":
        return list(FAULTS)
    return [kind for kind in FAULTS if kind not in ("stub_short", "parts_reversed", "out_of_place", "other_deck")]


def evidence_of(pack: str) -> list[str]:
    return [RACK, SHOWN, DEAL] if pack == "ma/pai_gow_poker" else [RACK, DEAL]


def one_fault(
    pack: str, played: Sequence[PlayedRound], seen: Sequence[str], trials: int, rng: Random
) -> dict[tuple[str, str], Tally]:
    return {
        (kind, evidence): try_kinds(played, [(kind,)], evidence, trials, rng)
        for kind in kinds_of(pack)
        for evidence in seen
    }


def two_faults(
    pack: str, played: Sequence[PlayedRound], seen: Sequence[str], trials: int, rng: Random
) -> dict[str, Tally]:
    kinds = kinds_of(pack)
    pairs = [(one, other) for one in kinds for other in kinds]
    return {evidence: try_kinds(played, pairs, evidence, trials, rng) for evidence in seen}


def as_likely(pack: str, played: Sequence[PlayedRound], evidence: str, trials: int, rng: Random) -> Tally:
    """One fault a round, each kind as often as `faults.RATES` says: what confidence is held against."""
    kinds = kinds_of(pack)
    weights = [_RATES[kind] for kind in kinds]
    return try_kinds(played, [(kind,) for kind in rng.choices(kinds, weights, k=trials)], evidence, trials, rng)


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


def at_most(count: int, trials: int) -> float:
    """The share that so many of so many trials leave open, with 95% confidence (Clopper and Pearson)."""
    low, high = count / trials, 1.0
    for _ in range(60):
        middle = (low + high) / 2
        terms = (
            math.exp(
                math.lgamma(trials + 1)
                - math.lgamma(k + 1)
                - math.lgamma(trials - k + 1)
                + k * math.log(middle)
                + (trials - k) * math.log1p(-middle)
            )
            for k in range(count + 1)
        )
        if math.fsum(terms) > 0.05:
            low = middle
        else:
            high = middle
    return high


def percent(share: float) -> str:
    return f"{100 * share:.1f}%"


def report_one(seen: Sequence[str], tallies: dict[tuple[str, str], Tally]) -> None:
    heads = ("racks", "told", "located", "ambig.", "lost", "wrong", "no trace", "ms")
    print(f"{'fault':<15}{'evidence':<22}{''.join(f'{head:>9}' for head in heads)}")
    for (kind, evidence), tally in tallies.items():
        shares = [percent(tally.share(outcome)) for outcome in (AMBIGUOUS, LOST, WRONG, NO_TRACE)]
        located = percent(tally.told_located / tally.told) if tally.told else "-"
        cells = [str(tally.trials), percent(tally.told / max(tally.trials, 1)), located, *shares]
        cells.append(f"{1000 * tally.seconds / max(tally.trials, 1):.1f}")
        print(f"{kind:<15}{evidence:<22}{''.join(f'{cell:>9}' for cell in cells)}")
    for evidence in seen:
        told = sum(tally.told for (_, by), tally in tallies.items() if by == evidence)
        found = sum(tally.told_located for (_, by), tally in tallies.items() if by == evidence)
        print(f"  {evidence}: {found} of the {told} told located ({percent(found / max(told, 1))})")


def report_two(tallies: dict[str, Tally]) -> None:
    for evidence, tally in tallies.items():
        words = ", ".join(f"{name} {percent(tally.share(name))}" for name in sorted(tally.outcomes))
        wrong = tally.outcomes[WRONG]
        bound = f"{100 * at_most(wrong, tally.trials):.2f}%"
        print(
            f"  {evidence:<22}{tally.trials} racks, {wrong} sure but wrong: under {bound} with 95% confidence; {words}"
        )


def report(packs: Sequence[str], only: str | None, trials: int, two: int, seed: int) -> None:
    slowest: list[Tally] = []
    for pack in packs:
        seen = [evidence for evidence in evidence_of(pack) if only in (None, evidence)]
        rng = Random(seed)
        played = play(PACKS[pack], max(300, trials), seed)
        print(f"\n{pack}: one fault, of {len(played)} rounds played")
        tallies = one_fault(pack, played, seen, trials, rng)
        report_one(seen, tallies)
        print(f"\n{pack}: two faults at once, any two kinds")
        pairs = two_faults(pack, played, seen, two, rng)
        report_two(pairs)
        print(f"\n{pack}: how sure, and how often right (one fault, each kind as often as it is taken to happen)")
        for evidence in seen:
            tally = as_likely(pack, played, evidence, two, rng)
            slowest.append(tally)
            print(f"  {evidence}")
            for low, high, count, mean, right in buckets(tally.confidences):
                print(f"    said {low:4.2f} to {high:4.2f}: {count:6d} answers, mean {mean:5.3f}, right {right:5.3f}")
        slowest += [*tallies.values(), *pairs.values()]
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _MEMORY_MB
        print(f"\n{pack}: largest memory used so far {peak:.0f} MB")
    largest = max(tally.largest for tally in slowest)
    slow = max(tally.seconds / max(tally.trials, 1) for tally in slowest)
    print(f"largest search {largest} hypotheses; {sum(tally.given_up for tally in slowest)} searches given up")
    print(f"slowest line {1000 * slow:.1f} ms a rack, all of the audit included")


def main() -> None:
    parser = argparse.ArgumentParser(description="How well the solver explains racks that went wrong.")
    parser.add_argument("--rounds", type=int, default=300, metavar="N", help="spoiled racks a line of the table (300)")
    parser.add_argument("--two", type=int, metavar="N", help="racks spoiled twice, a line (10 times --rounds)")
    parser.add_argument("--seed", type=int, default=1, help="another seed plays and spoils other rounds (1)")
    parser.add_argument("--pack", choices=PACKS, help="only this pack (all)")
    parser.add_argument("--evidence", choices=[RACK, SHOWN, DEAL], help="only this evidence (all)")
    args = parser.parse_args()
    if args.rounds < 1:
        parser.error(f"--rounds is {args.rounds}: at least one rack a line")
    packs = [args.pack] if args.pack else list(PACKS)
    report(packs, args.evidence, args.rounds, args.two or 10 * args.rounds, args.seed)


if __name__ == "__main__":
    main()
