"""What becomes of a mistake of ours: it costs the one round it happens in, and everybody is told.

An exception while rounds are put together or judged must not stop a worker: the same events would stop the next one,
and the one after that. So a batch that raises is halved until the culprit is alone; that round gets the verdict *cannot
judge* and a finding that names the mistake, the log gets the traceback, and all other rounds come to what they come to
without it. What is no mistake in the replay (no memory, no disk, somebody pressed Ctrl-C) is never held back.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from traceback import walk_tb
from typing import TypeVar

from replay.limits import RoundTooLarge
from schemas.not_of_the_replay import NotOfTheReplay

logger = logging.getLogger("muckraker.replay")

NOT_OF_THE_ROUND = (MemoryError, OSError, NotOfTheReplay)
"""Errors of the machine, the lake and the log: with these the work is done again later, from the lake."""

Item = TypeVar("Item")
Made = TypeVar("Made")

_OURS = ("replay.", "schemas.")
_OWN_FRAMES = {"replay.containment"}


def each_contained(
    items: Sequence[Item],
    work: Callable[[Sequence[Item]], Made],
    culprit: Callable[[Item, Exception], Made],
) -> list[Made]:
    """`work` of all items at once, if it can; where it raises, of halves, and of a lone item that raises, `culprit`."""
    try:
        return [work(items)]
    except NOT_OF_THE_ROUND:
        raise
    except Exception as error:  # noqa: BLE001 - whatever a mistake of ours raises; `culprit` tells it
        if len(items) == 1:
            return [culprit(items[0], error)]
    half = len(items) // 2
    return [*each_contained(items[:half], work, culprit), *each_contained(items[half:], work, culprit)]


def in_words(error: Exception) -> str:
    """What went wrong and where, without the values: the same mistake reads the same in every run."""
    if isinstance(error, RoundTooLarge):
        return str(error)
    frames = [frame for frame, _ in walk_tb(error.__traceback__)]
    ours = [
        frame
        for frame in frames
        if str(frame.f_globals.get("__name__", "")).startswith(_OURS) and frame.f_globals["__name__"] not in _OWN_FRAMES
    ]
    where = ""
    if ours:
        where = f" in {ours[-1].f_globals['__name__']}, {ours[-1].f_code.co_name}"
    return f"{type(error).__name__}{where}"


def log_contained(what: str, table_id: str, round_id: str | None, error: Exception) -> None:
    """A contained mistake goes to the log with its traceback; a round that is too large is no mistake of ours."""
    of = {"table": table_id, "round": round_id}
    if isinstance(error, RoundTooLarge):
        logger.warning("a round larger than any can be is recorded and not judged", extra=of | {"why": in_words(error)})
    else:
        logger.error(what, extra=of | {"error": in_words(error)}, exc_info=error)
