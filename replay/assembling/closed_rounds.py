"""Rounds that are over: what is kept of each, so that an event that comes afterwards finds the round as it was.

The newest ones stay in the table's memory. Every version of a round also carries what was kept of it into the lake, and
from there it is recalled when an event names a round of long ago; so a correction comes to the same whether it is made
at once or next year, and wherever segments are cut.

A round id is unique at its table for ever. One that is used again is another round: it is kept apart, under the same id
with `#2` behind it (no device can say that), and events that name the id belong to the round whose stretch of the
table's sequence they, or the events they correct, lie in.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import orjson

from replay.assembling.round_row import Context
from replay.rounds import UNKNOWN
from schemas.events import Event, RoundCorrected

_DIGITS = re.compile(r"(\d+)")
AGAIN = "#"  # between a round id and the number of its use, from the second on


@dataclass
class Closed:
    """What is kept of a round that is over."""

    context: Context
    version: int = 1
    missing: int = 0
    holes: list[list[int]] = field(default_factory=list)  # first and last seq of each stretch that was missing in it
    attested: bool = False  # this version
    standing: int = 0  # the newest version that is attested; 0: none
    noted: int = 0  # RoundFlags its events had from the gate
    report: list[Any] | None = None  # what its rack said of the deck (`deck_history.Report`)
    count: int = 0  # of the events it was closed with,
    first_seq: int = UNKNOWN  # which lie between these
    last_seq: int = UNKNOWN
    later: list[int] = field(default_factory=list)  # seqs of the events that came for it afterwards
    too_often: bool = False  # more events came for it than a round may have after it is over
    dealt: str = ""  # cards the shoe read, as hex codes, while the rack is still to be read
    late_rack: list[Any] | None = None  # its share of a scan after several rounds: cards, decks (hex), seq of the scan

    @classmethod
    def of(cls, said: dict[str, Any]) -> Closed:
        """From its JSON form."""
        return cls(**{**said, "context": Context.of(said["context"])})

    def copy(self) -> Closed:
        """Another one with the same lists, none of which is ever changed."""
        other = Closed.__new__(Closed)
        other.__dict__.update(self.__dict__)
        return other

    @classmethod
    def from_text(cls, text: str) -> Closed:
        return cls.of(orjson.loads(text))

    def text(self) -> str:
        """Its JSON form, for the lake."""
        return orjson.dumps(self, option=orjson.OPT_SORT_KEYS).decode()  # after a restart dicts are in another order

    @property
    def spans(self) -> list[tuple[int, int]]:
        """Where its events lie: the first and last seq of each stretch."""
        return [(self.first_seq, self.last_seq), *((seq, seq) for seq in self.later)]

    @property
    def newest_seq(self) -> int:
        return max([self.last_seq, *self.later])


def comes_after(round_id: str, other: str) -> bool:
    """Whether a round id is greater than another, numbers within it taken as numbers: then it is certainly another."""
    return _chunks(round_id) > _chunks(other)


def _chunks(round_id: str) -> list[Any]:
    return [int(chunk) if at % 2 else chunk for at, chunk in enumerate(_DIGITS.split(round_id))]


def device_id(round_id: str) -> str:
    """The round id as devices say it."""
    return round_id.split(AGAIN)[0]


def id_of_use(round_id: str, use: int) -> str:
    """What the `use`-th round under an id is called: itself, and with its number behind it from the second on."""
    return round_id if use == 1 else f"{round_id}{AGAIN}{use}"


def use_of(event: Event, began: Sequence[int]) -> int:
    """Which use of its round id an event belongs to, given the seqs at which the second use and later ones began."""
    data = event.data
    seq = data.corrects_seq if isinstance(data, RoundCorrected) else event.seq
    return 1 + sum(1 for first in began if first <= seq)
