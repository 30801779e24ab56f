"""Counts: how often each outcome comes, what the counts rest on, and the file they are kept in.

Counting is the expensive half of a theory, and it knows no money: no pay table can change it. So counts are what is
kept, and every figure in money is worked out anew from them and from the pay table in force.

A file names everything its counts depend on (`inputs`: options, the method and its version, digests of the ranking and
drawing rules) and carries a digest of all it says. A file that says something else than it was made with, or that was
made from other inputs, is not read as counts: see `read_counts`.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction
from pathlib import Path
from typing import Any

FORMAT = 1
Inputs = Mapping[str, str | int]


class TheoryError(ValueError):
    """A theory that cannot be given; the message says of what, why, and what there is."""


class Untrusted(Exception):
    """A file that does not hold the counts asked for; the message says why not."""


class Method(StrEnum):
    ENUMERATION = "enumeration"  # every deal is counted: exact
    SIMULATION = "simulation"  # some deals are drawn: an estimate with a standard error


@dataclass(frozen=True)
class Sample:
    """How a simulation was drawn. `products[a][b]` is the sum over rounds of (times outcome a) × (times outcome b), all
    that a standard error needs, whatever the outcomes pay."""

    seed: int
    rounds: int
    products: tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Counts:
    """How many of `total` equally likely deals end in each outcome."""

    name: str
    deal: str  # what is counted, in words
    inputs: Inputs
    outcomes: Mapping[str, int]
    sample: Sample | None = None  # None: every deal was counted

    @property
    def method(self) -> Method:
        return Method.ENUMERATION if self.sample is None else Method.SIMULATION

    @property
    def total(self) -> int:
        return sum(self.outcomes.values())

    @property
    def digest(self) -> str:
        return digest_of(self.document())

    def probability(self, outcome: str) -> Fraction:
        return Fraction(self.outcomes[outcome], self.total)

    def standard_error(self, worth: Sequence[Fraction]) -> float | None:
        """Standard error of the mean of `worth` (one entry an outcome); None where every deal was counted.

        The comparisons of one round depend on each other, rounds do not: the spread is taken between rounds.
        """
        if self.sample is None:
            return None
        rounds = self.sample.rounds
        in_a_round = Fraction(self.total, rounds)
        squares = sum(
            worth[a] * worth[b] * product
            for a, row in enumerate(self.sample.products)
            for b, product in enumerate(row)
            if product
        )
        total = sum(value * count for value, count in zip(worth, self.outcomes.values(), strict=True))
        between = (squares - Fraction(total * total, rounds)) / (rounds - 1)
        return math.sqrt(between / rounds) / float(in_a_round)

    def document(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "name": self.name,
            "deal": self.deal,
            "method": self.method.value,
            "inputs": dict(self.inputs),
            "total": self.total,
            "outcomes": dict(self.outcomes),
            "sample": None
            if self.sample is None
            else {"seed": self.sample.seed, "rounds": self.sample.rounds, "products": self.sample.products},
        }


def canonical(value: object) -> str:
    """The one way a value is written for a digest."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), ensure_ascii=True)


def digest_of(value: object) -> str:
    return hashlib.sha256(canonical(value).encode("ascii")).hexdigest()


def write_counts(path: Path, counts: Counts, made_by: str) -> None:
    """Whole or not at all: written beside its place, then moved there."""
    document = {**counts.document(), "made_by": made_by, "digest": counts.digest}
    path.parent.mkdir(parents=True, exist_ok=True)
    writing = path.with_name(f".{path.name}.{os.getpid()}.writing")
    try:
        with writing.open("w", encoding="utf-8") as file:
            file.write(json.dumps(document, indent=1) + "\n")
            file.flush()
            os.fsync(file.fileno())
        writing.replace(path)
    finally:
        writing.unlink(missing_ok=True)


def read_counts(path: Path, inputs: Inputs) -> Counts:
    """The counts in a file, if it is whole and they were made from exactly these inputs; Untrusted says why not."""
    try:
        said = json.loads(path.read_text(encoding="utf-8"))
        counts = _counts_of(said)
    except FileNotFoundError:
        raise
    except OSError as error:
        raise Untrusted(f"{path} cannot be read: {error.strerror}") from error
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Untrusted(f"{path} is damaged ({type(error).__name__}: {error})") from error
    if said.get("format") != FORMAT:
        raise Untrusted(f"{path} has format {said.get('format')!r}, not {FORMAT}")
    if said.get("digest") != counts.digest or said.get("total") != counts.total:
        raise Untrusted(f"{path} is damaged: it does not say what it was made with")
    if dict(counts.inputs) != dict(inputs):
        changed = sorted(key for key in {*counts.inputs, *inputs} if counts.inputs.get(key) != inputs.get(key))
        raise Untrusted(f"{path} was counted with another {', '.join(changed)}")
    return counts


def _counts_of(said: Any) -> Counts:
    drawn = said["sample"]
    sample = None
    if drawn is not None:
        products = tuple(tuple(_whole(product) for product in row) for row in drawn["products"])
        sample = Sample(_whole(drawn["seed"]), _whole(drawn["rounds"]), products)
    outcomes = {str(name): _whole(count) for name, count in said["outcomes"].items()}
    return Counts(str(said["name"]), str(said["deal"]), dict(said["inputs"]), outcomes, sample)


def _whole(value: object) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise ValueError(f"{value!r} is not a count")
    return value
