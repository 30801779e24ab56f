"""What tells an action that no device saw from one that was against the rules.

A device may miss an action, and then whoever acts next seems to be out of turn, or to call a sum that was never bet.
Two things help: on which street an action came, by when the board was turned, and who acts between the one that acted
and the one whose turn it seemed to be.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Collection, Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class StreetsTurned:
    """At which event each street of the board was turned; empty where nobody said, or cards were taken back."""

    at: tuple[int, ...] = ()

    def street(self, seq: int) -> int:
        """The street the board had come to at this event, 0 before the flop."""
        return bisect_left(self.at, seq)

    def between(self, first: int, second: int) -> bool:
        """Whether a street was turned between two events."""
        return self.street(first) != self.street(second)


NOT_SAID = StreetsTurned()


def goes_back(acts: Sequence[tuple[int, int]], passed_over: Collection[int], streets: StreetsTurned) -> bool:
    """Whether the betting goes back to the players passed over. `acts` are (seat, event): the action that came too
    early, those after it, and last the one of the player whose turn it was. Where others acted in between, or the next
    street was turned, the betting went on as if that player had acted."""
    (_, first), *others, (_, last) = acts
    return not streets.between(first, last) and all(seat in passed_over for seat, _ in others)
