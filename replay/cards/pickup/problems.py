"""What is wrong with a procedure somebody filed, in one line for them: which step, which word, and what would do.

Steps are counted from one and named by their titles, as their author sees them; pydantic counts from zero and, where a
value may be a word or a list, complains about both.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

_LONGEST_VALUE = 60
_VALUE_ERROR = "Value error, "


def problem_in(raw: Any, problem: ValidationError) -> str:
    """The first thing that is wrong with `raw`, and how many more things there are."""
    if not isinstance(raw, dict):
        what = "it is empty" if raw is None else f"it is {_value(raw)}"
        return f"{what}; a procedure has id, title and steps (docs/pickup.md)"
    errors = [error for error in problem.errors() if not _other_branch(error)]
    more = f" (and {len(errors) - 1} more)" if len(errors) > 1 else ""
    return f"{_where(raw, errors[0]['loc'])}{_what(errors[0])}{more}"


def _other_branch(error: ErrorDetails) -> bool:
    """Whether it complains that a list is no word, or a word no list, where either would do."""
    loc = error["loc"]
    if "laid" not in loc:
        return False
    branch = str(loc[loc.index("laid") + 1]) if loc[-1] != "laid" else ""
    word_expected = branch.startswith("str-enum")
    return isinstance(error["input"], list) if word_expected else branch == "tuple[LaidRule, ...]" and len(loc) == 4


def _where(raw: dict[str, Any], loc: Sequence[int | str]) -> str:
    parts = [part for part in loc if not (isinstance(part, str) and "[" in part)]  # "str-enum[Laid]" is pydantic's
    if len(parts) < 2 or parts[0] != "steps" or not isinstance(parts[1], int):
        return f"{'.'.join(map(str, parts))}: " if parts else ""
    step, within = raw["steps"][parts[1]], parts[2:]
    title = step.get("title") if isinstance(step, dict) else None
    named = f"step {parts[1] + 1}" + (f" ({title!r})" if title else "")
    field = ".".join(str(part + 1) if isinstance(part, int) else part for part in within)
    return f"{named}, {field}: " if field else f"{named}: "


def _what(error: ErrorDetails) -> str:
    if error["type"] == "missing":
        return "is missing"
    if error["type"] == "extra_forbidden":
        return "there is no such field (docs/pickup.md lists them)"
    if error["type"] == "tuple_type":
        return f"must be a list in [brackets], not {_value(error['input'])}"
    if error["type"] in ("too_short", "string_too_short"):
        return "must not be empty"
    message = error["msg"]
    if message.startswith(_VALUE_ERROR):
        return message.removeprefix(_VALUE_ERROR)
    return f"{message[0].lower()}{message[1:]}, not {_value(error['input'])}"


def _value(value: Any) -> str:
    """A value as it was written, unless it is long."""
    written = repr(value)
    return written if len(written) <= _LONGEST_VALUE else f"a {type(value).__name__}"
