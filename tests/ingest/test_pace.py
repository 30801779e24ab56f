"""How often rounds are judged, by a clock the test turns."""

from __future__ import annotations

import pytest

from ingest.pace import Pace


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.mark.parametrize(
    ("took_s", "then_after_s"),
    [
        (0.001, 0.25),  # never more often than four times a second,
        (0.03, 0.3),  # a tenth of the time,
        (2.0, 0.5),  # and never later than half a second
    ],
)
def test_what_a_judgement_took_decides_when_the_next_is_due(took_s: float, then_after_s: float) -> None:
    clock = Clock()
    pace = Pace(clock)
    assert not pace.is_due()
    clock.now += 0.25
    assert pace.is_due()
    with pace.judging():
        clock.now += took_s
    clock.now += then_after_s - 0.01
    assert not pace.is_due()
    clock.now += 0.02
    assert pace.is_due()
