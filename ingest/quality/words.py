"""Failures and limits in sentences: `{cents:money}`, `{at_us:clock}`, `{missing:event}` (1 event, 2 events)."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from string import Formatter
from typing import Any

from schemas.money import dollars

_ORDINALS = {2: "half", 3: "third", 4: "quarter", 5: "fifth", 10: "tenth"}


def clock(time_us: int) -> str:
    return f"{datetime.fromtimestamp(time_us / 1_000_000, UTC):%Y-%m-%d %H:%M:%S} UTC"


def counted(number: int, noun: str) -> str:
    return f"{number:,} {noun}{'' if number == 1 else 'es' if noun.endswith('ch') else 's'}"


def _types(names: Iterable[str]) -> str:
    return ", ".join(f"`{name}`" for name in sorted(names))


_FORMS: dict[str, Callable[[Any], str]] = {
    "money": dollars,
    "clock": clock,
    "seconds": lambda us: f"{us / 1_000_000:,.0f}",
    "minutes": lambda us: f"{us // 60_000_000:,}",
    "hours": lambda us: f"{us // 3_600_000_000:,}",
    "ordinal": lambda number: _ORDINALS[number],
    "types": _types,
    "was": lambda number: "was" if number == 1 else "were",
    "is": lambda number: "is" if number == 1 else "are",
}


class _Words(Formatter):
    def format_field(self, value: Any, form: str) -> str:
        if form in _FORMS:
            return _FORMS[form](value)
        if re.fullmatch(r"[a-z ]+", form):
            return counted(value, form)
        return format(value, form)


def worded(template: str, values: Mapping[str, Any]) -> str:
    return _Words().vformat(template, (), values)
