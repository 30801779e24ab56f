"""Sentences that count say one thing as one."""

from __future__ import annotations

from typing import Any

import pytest
from rich.text import Text

from console.filters import MOST_NAMED, named
from console.pipeline import RunReport
from console.reading import _explanations, _searched
from console.run_command import said


@pytest.mark.parametrize(("more", "text"), [(1, " and 1 other"), (2, " and 2 others")])
def test_others(more: int, text: str) -> None:
    assert named([f"T{number}" for number in range(MOST_NAMED + more)]).endswith(text)


@pytest.mark.parametrize(("tried", "text"), [(1, "1 way of up to two faults was tried"), (2, "2 ways of up")])
def test_ways_tried(tried: int, text: str) -> None:
    searched: dict[str, Any] = {"layouts": 1, "because": [], "hypotheses": tried, "given_up": False}
    assert any(text in line.plain for line in _searched(searched) if isinstance(line, Text))


@pytest.mark.parametrize(("number", "text"), [(7, "and 1 less likely one"), (8, "and 2 less likely ones")])
def test_explanations_left_out(number: int, text: str) -> None:
    one = {"confidence": 0.1, "says": "", "rests_on_events": [1], "contradicts_events": [], "cost": 1.0}
    shown = _explanations({"status": "contradictory", "explanations": [one] * number})
    assert text in [line.plain for line in shown if isinstance(line, Text)]


@pytest.mark.parametrize(("held", "text"), [(1, " 1 event still waits for"), (2, " 2 events still wait for")])
def test_events_that_wait(held: int, text: str) -> None:
    assert text in said(RunReport(records=10, segments=1, rounds=1, findings=0, held=held, seconds=1.0))
