"""What a long-running process says about itself while it runs: log lines on standard error, for people or for programs.

Text is one line a message, `2026-11-17T10:15:00.123Z INFO worker: took a partition partition=3`; JSON is one object a
line with `time`, `level`, `logger`, `message` and whatever the message carries. Messages come from the loggers under
`muckraker`; libraries are heard from warnings on. No message is given a secret, and a member whose name sounds like
one is not printed even so.
"""

from __future__ import annotations

import logging
import re
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Any

import orjson

FORMATS = ("text", "json")
LEVELS = ("debug", "info", "warning", "error")
ROOT = "muckraker"
HIDDEN = "[not shown]"

_OWN = frozenset(vars(logging.makeLogRecord({}))) | {"message", "asctime", "taskName"}
_SECRET = re.compile(r"passw|secret|token|credential|private|authorization", re.IGNORECASE)
_BARE = re.compile(r"[^\s\"=]+\Z")


@contextmanager
def logging_to_stderr(style: str, level: str) -> Iterator[None]:
    """Log lines of this style, from this level on, while the context lasts."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines() if style == "json" else TextLines())
    top, root = logging.getLogger(ROOT), logging.getLogger()
    before = top.level, root.level
    root.addHandler(handler)
    top.setLevel(level.upper())
    root.setLevel(logging.WARNING)
    try:
        yield
    finally:
        root.removeHandler(handler)
        top.setLevel(before[0])
        root.setLevel(before[1])


class JsonLines(logging.Formatter):
    """One JSON object a line."""

    def format(self, record: logging.LogRecord) -> str:
        said: dict[str, Any] = {
            "time": _time(record),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
            **_members(record),
        }
        if record.exc_info:
            said["traceback"] = self.formatException(record.exc_info)
        return orjson.dumps(said, default=str, option=orjson.OPT_NON_STR_KEYS).decode()


class TextLines(logging.Formatter):
    """One line for people; what a message carries follows as name=value."""

    def format(self, record: logging.LogRecord) -> str:
        words = "".join(f" {name}={_quoted(value)}" for name, value in _members(record).items())
        name = record.name.removeprefix(f"{ROOT}.")
        line = f"{_time(record)} {record.levelname} {name}: {_one_line(record.getMessage())}{words}"
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


def _members(record: logging.LogRecord) -> dict[str, Any]:
    """What was given as `extra`."""
    given = {name: value for name, value in vars(record).items() if name not in _OWN}
    return {name: HIDDEN if _SECRET.search(name) else value for name, value in given.items()}


def _time(record: logging.LogRecord) -> str:
    return datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _one_line(text: str) -> str:
    """What a device or a broker wrote must not look like a line of its own."""
    return "".join(
        character if character.isprintable() else character.encode("unicode_escape").decode() for character in text
    )


def _quoted(value: object) -> str:
    text = _one_line(str(value))
    return text if _BARE.match(text) else orjson.dumps(text).decode()
