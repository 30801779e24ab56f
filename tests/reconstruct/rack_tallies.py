"""Racks spoiled on purpose, put through the audit and judged: how often it was right, and how sure it was of what.

`python -m benchmarks.reconstruction` runs it at length, and says what is counted as what.
"""

from __future__ import annotations

import resource
import time
from bisect import bisect_right
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from random import Random

from replay.audit import audit
from replay.cards.solver.faults import CARD_SWITCHED, RATES, SETTLED_WRONG, SEVERAL_SETTLED_WRONG
from replay.rounds import batch_of
from replay.verdicts import FilingAudit
from tests.reconstruct.rack_brought_in import BROUGHT_IN
from tests.reconstruct.rack_faults import DEALT_MISREAD, FAULTS
from tests.reconstruct.rack_judge import (
    LOCATED,
    WRONG,
    Outcome,
    accounts_of,
    gives_wrong_hands,
    in_words,
    is_knowable,
    judge,
)
from tests.reconstruct.rack_settlements import SETTLEMENTS
from tests.reconstruct.rack_trials import (
    DEAL,
    PACKS,
    RACK,
    SHOWN,
    PlayedRound,
    Trial,
    spoil,
)

ACCUSE = ("SETTLE-101", "SETTLE-102", "FOUL-401")  # findings that a wager was settled wrong
_MEMORY_MB = 1024  # ru_maxrss counts kilobytes
BATCH = 500
SLICE = 50  # racks of a line that are made and judged together: the same however many processes there are
_RATES = {
    **{kind.value: rate.a_round for kind, rate in RATES.items()},
    "settled_wrong": SETTLED_WRONG.a_round,
    "several_settled_wrong": SEVERAL_SETTLED_WRONG,
    "card_switched": CARD_SWITCHED.a_round,
}
_TRIES = 8  # not every rack can be spoiled in every way
_PLAYED_WITH = 0.25  # of the cards brought in that the deck has already: half are exchanged, and half of these before


@dataclass
class Tally:
    outcomes: Counter[str] = field(default_factory=Counter)
    knowable: int = 0
    knowable_located: int = 0
    hands_wrong: Counter[str] = field(default_factory=Counter)  # sure of other hands than the true ones, by outcome
    confidences: list[tuple[float, bool]] = field(default_factory=list)  # of the first explanation, and was it true
    wrong: list[str] = field(default_factory=list)  # each rack that was explained surely and wrongly, in words
    seconds: float = 0.0
    largest: int = 0  # hypotheses considered in one search
    given_up: int = 0
    memory_mb: float = 0.0  # of the largest process

    @property
    def trials(self) -> int:
        return self.outcomes.total()

    def share(self, outcome: str) -> float:
        return self.outcomes[outcome] / self.trials if self.trials else 0.0

    def add(self, other: Tally) -> None:
        self.outcomes += other.outcomes
        self.knowable += other.knowable
        self.knowable_located += other.knowable_located
        self.hands_wrong += other.hands_wrong
        self.confidences += other.confidences
        self.wrong += other.wrong
        self.seconds += other.seconds
        self.largest = max(self.largest, other.largest)
        self.given_up += other.given_up
        self.memory_mb = max(self.memory_mb, other.memory_mb)


def answers_to(trials: Sequence[Trial]) -> tuple[list[Outcome], float]:
    """What the replay's audit makes of these rounds, and how long it took."""
    verdict: list[Outcome] = []
    seconds = 0.0
    for at in range(0, len(trials), BATCH):
        some = trials[at : at + BATCH]
        batch = batch_of([trial.row for trial in some])
        began = time.process_time()
        by_filing = audit(batch).by_filing
        seconds += time.process_time() - began
        found = {int(row): _outcome(filed, within) for filed in by_filing for within, row in enumerate(filed.rows)}
        verdict += [found[row] for row in range(len(some))]
    return verdict, seconds


def _outcome(filed: FilingAudit, row: int) -> Outcome:
    """A rack with nothing odd about it has no answer: its hands are those the round was settled by."""
    answer = filed.checked.answers.get(row)
    of_the_deal = "; ".join(one.sentence for one in filed.checked.remarks if (one.row, one.code) == (row, "DEAL-311"))
    accused: dict[int, float] = {}
    for one in filed.compared.remarks:
        if one.row == row and one.code in ACCUSE and one.seat is not None:
            accused[one.seat] = max(one.confidence, accused.get(one.seat, 0.0))
    if answer is not None:
        sure = answer.reading
        hands = None if sure is None else {place: sure.cards(place) for place, _ in sure.hands}
        return Outcome(answer, hands, accused=accused)
    read = filed.checked.reading(row)
    if read is None or read.readings != 1:
        return Outcome(None, None, of_the_deal, accused)
    hands = {place: b"".join(cards for _, cards in parts) for (place, _), parts in read.hands.items()}
    return Outcome(None, hands, of_the_deal, accused)


def try_kinds(
    played: Sequence[PlayedRound], kinds: Sequence[Sequence[str]], evidence: str, trials: int, rng: Random
) -> Tally:
    """So many racks, each spoiled in one of these ways."""
    made: list[Trial] = []
    for _ in range(trials * 4):
        if len(made) == trials:
            break
        made += _spoiled(played, rng.choice(kinds), evidence, rng)
    return _tallied(made)


def _spoiled(played: Sequence[PlayedRound], wanted: Sequence[str], evidence: str, rng: Random) -> list[Trial]:
    """One rack, or none where these cannot be done to it."""
    trial = spoil(played, wanted, evidence, rng, "other_deck" in wanted)
    return [] if trial is None else [trial]


def _tallied(made: Sequence[Trial]) -> Tally:
    tally = Tally()
    answers, tally.seconds = answers_to(made)
    for number, (trial, verdict) in enumerate(zip(made, answers, strict=True)):
        _count(tally, trial, verdict, number)
    tally.memory_mb = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / _MEMORY_MB
    return tally


def _count(tally: Tally, trial: Trial, verdict: Outcome, number: int) -> None:
    """One rack, judged and counted."""
    found = accounts_of(trial, _RATES)
    outcome, first = judge(verdict, trial, found)
    tally.outcomes[outcome] += 1
    # On the rack alone nobody is surely said to have settled wrong: its order is all that says whose hand it was.
    one_thing = len(trial.labels) == 1 and not trial.played.settled_wrong
    one_thing |= not trial.labels and trial.evidence != RACK
    if one_thing and is_knowable(trial, found):
        tally.knowable += 1
        tally.knowable_located += outcome == LOCATED
    tally.hands_wrong[outcome] += gives_wrong_hands(verdict, trial)
    if outcome == WRONG:
        tally.wrong.append(f"rack {number} ({trial.name})\n{in_words(verdict, trial)}")
    if verdict.answer is not None:
        tally.largest = max(tally.largest, verdict.answer.considered)
        tally.given_up += verdict.answer.bound_hit
        if verdict.answer.explanations and (verdict.answer.explanations[0].faults or trial.played.settled_wrong):
            tally.confidences.append((verdict.answer.explanations[0].confidence, first))


def kinds_of(pack: str, evidence: str) -> list[str]:
    """Baccarat has no stub, no hands set in parts and no hands that players hold, and its shoe holds every card several
    times. A deal that was not read was not misread. Wagers are settled wrong, and cards brought in played with, where
    the pack has rules for that here."""
    kinds = [*FAULTS]
    if pack == "ca/supreme_baccarat":
        kinds = [kind for kind in FAULTS if kind not in ("stub_short", "parts_reversed", "out_of_place", "other_deck")]
    elif pack in PACKS:
        kinds.append(BROUGHT_IN)
    return [*kinds, *([DEALT_MISREAD] if evidence == DEAL else []), *(SETTLEMENTS if pack in PACKS else ())]


def evidence_of(pack: str) -> list[str]:
    return [RACK, DEAL] if pack == "ca/supreme_baccarat" else [RACK, SHOWN, DEAL]


def one_fault(
    pack: str, played: Sequence[PlayedRound], seen: Sequence[str], trials: int, rng: Random
) -> dict[tuple[str, str], Tally]:
    return {
        (kind, evidence): try_kinds(played, [(kind,)], evidence, trials, rng)
        for evidence in seen
        for kind in kinds_of(pack, evidence)
    }


def two_faults(
    pack: str, played: Sequence[PlayedRound], seen: Sequence[str], trials: int, rng: Random
) -> dict[str, Tally]:
    return {evidence: try_kinds(played, pairs_of(pack, evidence), evidence, trials, rng) for evidence in seen}


def settled_wrong_too(
    pack: str, played: Sequence[PlayedRound], seen: Sequence[str], trials: int, rng: Random
) -> dict[str, Tally]:
    return {by: try_kinds(played, beside_settlements(pack, by), by, trials, rng) for by in seen}


def pairs_of(pack: str, evidence: str) -> list[tuple[str, str]]:
    """Any two kinds, also the same one twice, where it is a fault of the rack. Wagers are settled wrong in one way, and
    of a hand with a card brought in by its cards."""
    kinds = [kind for kind in kinds_of(pack, evidence) if kind not in SETTLEMENTS]
    return [(one, other) for one in kinds for other in kinds if one != other or one in FAULTS]


def beside_settlements(pack: str, evidence: str) -> list[tuple[str, str]]:
    """Wagers settled wrong, and one fault of the rack or of the reader of the deal."""
    kinds = [kind for kind in kinds_of(pack, evidence) if kind not in (*SETTLEMENTS, BROUGHT_IN)]
    return [(settled, kind) for settled in SETTLEMENTS for kind in kinds]


def as_likely(pack: str, played: Sequence[PlayedRound], evidence: str, trials: int, rng: Random) -> Tally:
    """One fault a round, each kind as often as `faults.RATES` says: what confidence is held against."""
    kinds = kinds_of(pack, evidence)
    shares = {"duplicate": 1 - _PLAYED_WITH, BROUGHT_IN: _PLAYED_WITH} if BROUGHT_IN in kinds else {}
    of_settlements = {"settled_wrong": 0.5, "hand_misjudged": 0.5, "payments_exchanged": SEVERAL_SETTLED_WRONG}
    shares |= of_settlements
    rates = {**_RATES, **dict.fromkeys(SETTLEMENTS, SETTLED_WRONG.a_round), BROUGHT_IN: _RATES["duplicate"]}
    weights = [rates[kind] * shares.get(kind, 1.0) for kind in kinds]
    made: list[Trial] = []
    for kind in _in_proportion(kinds, weights, trials, rng):
        tries = (_spoiled(played, (kind,), evidence, rng) for _ in range(_TRIES))
        made += next(filter(None, tries), [])
    return _tallied(made)


def _in_proportion(kinds: Sequence[str], weights: Sequence[float], count: int, rng: Random) -> list[str]:
    """So many kinds, each as often as its weight asks for, to within one: drawn one by one, a few dozen of the rarer
    ones would tell more of the draw than of what is held against it."""
    reached = list(accumulate(weights))
    at = rng.random()
    return [kinds[bisect_right(reached, (at + number) / count * reached[-1])] for number in range(count)]


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
