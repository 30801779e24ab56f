"""The catalogue of faults: each kind has a rate with its reason, a code people are told it under, and words."""

from __future__ import annotations

import pytest

from replay.cards.solver.evidence import HOLE
from replay.cards.solver.explanations import MOST_FAULTS
from replay.cards.solver.faults import CODES, RATES, Fault, FaultKind, cost_of
from replay.cards.solver.layout import STUB
from replay.cards.solver.sentences import of_fault
from schemas.cards import NO_CARD
from schemas.findings import CATALOGUE
from tests.reconstruct.rack_faults import DEALT_MISREAD, FAULTS


@pytest.mark.parametrize("kind", list(FaultKind))
def test_every_kind_has_a_rate_a_code_and_words(kind: FaultKind) -> None:
    assert 0 < RATES[kind].a_round < 0.01
    assert RATES[kind].why
    assert CODES[kind] in CATALOGUE
    for fault in (
        Fault(kind, (3,), (5,), (9,), 4),
        Fault(kind, (0, 2), (5, 6), (), 0),
        Fault(kind, (STUB,), (NO_CARD,), (HOLE,), 1),
        Fault(kind, (), (), (9, 10)),
    ):
        words = of_fault(fault)
        assert words and "254" not in words and "255" not in words and "None" not in words


def test_the_benchmark_spoils_racks_and_deals_in_every_way_there_is() -> None:
    assert {*FAULTS, DEALT_MISREAD} == {kind.value for kind in FaultKind}


def test_a_more_precise_explanation_pays_for_it() -> None:
    assert cost_of(FaultKind.SWAPPED, 21) > cost_of(FaultKind.SWAPPED)
    assert cost_of(FaultKind.FOREIGN) > cost_of(FaultKind.SWAPPED)


def test_two_faults_are_looked_for() -> None:
    assert MOST_FAULTS == 2
