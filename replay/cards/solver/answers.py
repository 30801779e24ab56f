"""What the solver answers: a status, and explanations with what each supposes, contradicts and how sure it is."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from replay.cards.solver.confidence import CONFIDENT, KEPT
from replay.cards.solver.evidence import Reading
from replay.cards.solver.faults import Fault


class Status(StrEnum):
    UNIQUE = "unique"
    AMBIGUOUS = "ambiguous"
    CONTRADICTORY = "contradictory"


class Contradiction(StrEnum):
    """A report that an explanation says is wrong, or a rule it says was broken."""

    DEAL = "deal"
    HAND_SHOWN = "hand_shown"
    SETTING_SHOWN = "setting_shown"
    SETTLED = "settled"
    BUTTON = "button"
    MARK = "mark"
    RULE = "rule"


@dataclass(frozen=True)
class Against:
    what: Contradiction
    place: int
    seq: tuple[int, ...] = ()
    rule: str = ""


@dataclass(frozen=True)
class Explanation:
    faults: tuple[Fault, ...]
    reading: Reading
    cost: float
    confidence: float
    evidence: tuple[int, ...]  # the events it rests on
    against: tuple[Against, ...] = ()  # the reports it contradicts
    played_with: Mapping[Fault, float] = field(default_factory=dict)  # of cards brought in for others: how likely


@dataclass(frozen=True)
class Answer:
    status: Status
    explanations: tuple[Explanation, ...] = ()  # likeliest first
    considered: int = 0
    bound_hit: bool = False  # the search was given up: nothing is explained surely
    readings: tuple[tuple[Reading, float], ...] = field(default=())  # what was held, likeliest first, and how sure

    @property
    def best(self) -> Explanation | None:
        """The explanation to settle by; None where none is sure enough."""
        if self.explanations and self.explanations[0].confidence >= CONFIDENT:
            return self.explanations[0]
        return None

    @property
    def reading(self) -> Reading | None:
        """The hands, where the explanations that are left agree on them; None where they do not."""
        if self.readings and self.readings[0][1] >= CONFIDENT:
            return self.readings[0][0]
        return None


def scaled(answer: Answer, by: float) -> Answer:
    """The answer, where something that it takes for granted is only so sure."""
    return replace(
        answer,
        explanations=tuple(replace(one, confidence=one.confidence * by) for one in answer.explanations),
        readings=tuple((reading, sure * by) for reading, sure in answer.readings),
    )


def either(answers: Sequence[Answer]) -> Answer:
    """One answer, where what is known may be known in several ways, each as likely: every explanation by what it and
    its answer are worth beside the others."""
    explained = [answer for answer in answers if answer.explanations]
    if len(explained) < 2:
        return explained[0] if explained else answers[0]
    least = min(answer.explanations[0].cost for answer in explained)
    worth = [
        math.exp(least - answer.explanations[0].cost) / max(answer.explanations[0].confidence, KEPT)
        for answer in explained
    ]
    explanations: dict[object, Explanation] = {}
    readings: dict[object, tuple[Reading, float]] = {}
    for answer, share in zip(explained, worth, strict=True):
        each = scaled(answer, share / math.fsum(worth))
        for one in each.explanations:
            key = (one.faults, one.against)
            before = explanations.get(key)
            sure = one.confidence + (before.confidence if before is not None else 0.0)
            explanations[key] = replace(
                before if before is not None and before.cost <= one.cost else one, confidence=sure
            )
        for reading, sure in each.readings:
            readings[reading.key] = reading, sure + readings.get(reading.key, (reading, 0.0))[1]
    ranked = sorted(explanations.values(), key=lambda one: (-one.confidence, one.cost, one.faults))
    kept = tuple(one for one in ranked if one.confidence >= KEPT) or tuple(ranked[:1])
    return Answer(
        min((answer.status for answer in explained), key=list(Status).index),
        kept,
        sum(answer.considered for answer in answers),
        any(answer.bound_hit for answer in answers),
        tuple(sorted(readings.values(), key=lambda held: -held[1])),
    )
