"""How the folders of a lake's segments are called, and which of them count.

A segment is the folder `<first offset>-<last offset>`, twenty digits each; a folder under any other name is not
committed. Compaction puts one big segment beside the small ones it replaces and removes those later, so that at every
moment a listing shows the records once: a folder whose records all lie within a bigger one does not count. Whoever
lists segments, to write or to read, goes by this module.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import NamedTuple

RETIRED = "retired"
"""The file that stands in a segment for `events.parquet` where retention took it away."""

_NAME = re.compile(r"(\d{20})-(\d{20})\Z")


class Span(NamedTuple):
    """The records a folder's name says it holds."""

    first: int
    last: int
    name: str


def segment_name(first: int, last: int) -> str:
    return f"{first:020d}-{last:020d}"


def span_of(name: str) -> Span | None:
    """None when a folder of this name is no segment."""
    match = _NAME.match(name)
    return None if match is None else Span(int(match[1]), int(match[2]), name)


def standing(names: Iterable[str]) -> list[Span]:
    """The segments that count among these names, oldest first."""
    return _sorted_out(names)[0]


def replaced(names: Iterable[str]) -> list[Span]:
    """The segments among these names that a bigger one has replaced, oldest first."""
    return _sorted_out(names)[1]


def _sorted_out(names: Iterable[str]) -> tuple[list[Span], list[Span]]:
    spans = [span for span in map(span_of, names) if span is not None]
    counted: list[Span] = []
    covered: list[Span] = []
    end = -1
    for span in sorted(spans, key=lambda span: (span.first, -span.last)):
        if span.last <= end:  # whatever reaches so far begins no later
            covered.append(span)
        else:
            counted.append(span)
            end = span.last
    return counted, covered
