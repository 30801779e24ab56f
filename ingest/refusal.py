"""Records that are no valid events: under which finding they are refused and why, and what can still be read off them.

`oddity` is for JSON that the event models accept and that another program could read differently: a member said twice
(some parsers take the first, some the last), NaN and Infinity, numbers beyond 64 bits, characters that are invisible or
steer a terminal. Two readings of one record are an attack on whoever compares them, so it has none.
"""

from __future__ import annotations

import json
import math
import re
from datetime import datetime, timedelta
from typing import Any, NamedTuple, NoReturn

import orjson
from pydantic import ValidationError

from ingest.mistakes import NO_JSON, mistakes_in, short
from schemas.events import MAX_SEQ

_TABLE_ID = re.compile(rb'"tableid"\s*:\s*"([A-Z0-9][A-Z0-9-]{0,31})"')
_SEQ = re.compile(rb'"seq"\s*:\s*(\d{1,10})\s*[,}]')
_PREVHASH = re.compile(rb'"prevhash"\s*:\s*"([0-9a-f]{64})"')
# C0 and C1 controls, line separators, marks that turn the direction of writing, halves of surrogate pairs
_STEERING = re.compile("[\x00-\x1f\x7f-\x9f\u2028-\u202e\u2066-\u2069\ud800-\udfff\ufeff]")
# The same, escaped; a whole pair of surrogates is looked at closely too
_STEERING_ESCAPE = re.compile(
    r"\\(?:[bfnrt]|u(?:00[0189][0-9a-f]|007f|202[89a-e]|206[6-9]|d[89a-f][0-9a-f]{2}|feff))", re.IGNORECASE
)
_GREAT = re.compile(r"[0-9]{19}|[0-9.][eE]")  # numbers that may be beyond 64 bits, or beyond floats
_MOST = 2**63 - 1
_MINUTE = timedelta(minutes=1)
_SUBJECT = re.compile(rb'"subject"\s*:\s*"([A-Za-z0-9][A-Za-z0-9._-]{0,63})"')


def table_id_in(raw: bytes) -> str | None:
    """Best effort, like its neighbours: the first thing in the bytes that looks like a table id member."""
    found = _TABLE_ID.search(raw)
    return found[1].decode("ascii") if found is not None else None


def seq_in(raw: bytes) -> int | None:
    found = _SEQ.search(raw)
    seq = int(found[1]) if found is not None else MAX_SEQ + 1
    return seq if seq <= MAX_SEQ else None


def subject_in(raw: bytes) -> str | None:
    found = _SUBJECT.search(raw)
    return found[1].decode("ascii") if found is not None else None


def prevhash_in(raw: bytes) -> str | None:
    found = _PREVHASH.search(raw)
    return found[1].decode("ascii") if found is not None else None


INVALID = "GATE-006"
TOO_LONG = "GATE-024"
TOO_DEEP = "GATE-025"
NOT_TEXT = "GATE-026"
NO_NUMBER = "GATE-027"
TWO_READINGS = "GATE-028"


class Refusal(NamedTuple):
    """The finding's code, and why in words."""

    code: str
    reason: str


class _Odd(ValueError):
    """What is odd."""

    def __init__(self, code: str, reason: str) -> None:
        super().__init__(reason)
        self.refusal = Refusal(code, reason)


def refusal_of(raw: bytes, error: ValidationError) -> Refusal:
    """Of a record that the event models do not accept: an oddity comes before what is merely wrong."""
    reason = why(error)
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as broken:
        return Refusal(NOT_TEXT, f"not UTF-8: byte {broken.start} is 0x{raw[broken.start]:02x}, {broken.reason}")
    if "recursion limit exceeded" in reason:
        return Refusal(TOO_DEEP, reason.replace("not JSON: recursion limit exceeded", "nested too deep"))
    # The other parser may read what this one does not, such as half of a pair of surrogates: two readings
    return _odd_in(text, tolerant=reason.startswith(NO_JSON)) or Refusal(INVALID, reason)


def oddity(raw: bytes, members: int, time: datetime) -> Refusal | None:
    """Why a record that parses as an event is refused all the same; None if there is one way to read it.

    `raw` has been through the event parser, which found so many members and this time: it is UTF-8, and not nested
    beyond that parser's limit.
    """
    if raw.isascii() and raw.find(b"\\") < 0:
        if raw.count(b":") == members + 3 and _three_colons_in_texts(raw, time):
            return None  # as the gate's own look, for a time with a zone: 21:43:07-05:00
        try:
            # A dict has each member once: if it is written as these very bytes, they say no member twice.
            if orjson.dumps(orjson.loads(raw)) == raw:
                return None
        except orjson.JSONDecodeError:
            pass  # the slow way below finds the words for it
    return _odd_in(raw.decode("utf-8"))


def _three_colons_in_texts(raw: bytes, time: datetime) -> bool:
    """`:43:` and `:00"` stand nowhere but in texts, and here they do not share a colon."""
    zone = time.utcoffset()
    assert zone is not None, "an event's time has a zone"
    first = raw.find(b":%02d:" % time.minute)
    third = raw.find(b':%02d"' % (abs(zone) // _MINUTE % 60))
    return first >= 0 and third >= 0 and third not in (first, first + 3)


def _odd_in(text: str, tolerant: bool = False) -> Refusal | None:
    """What is odd about a text of JSON; `tolerant`: it may be no JSON at all.

    Whoever sends odd records may send many and long ones, so what can be ruled out for the whole text at once is.
    """
    each_once = _each_once_and_plain if _STEERING.search(text) or _STEERING_ESCAPE.search(text) else _each_once
    numbers: dict[str, Any] = {"parse_int": _whole, "parse_float": _finite} if _GREAT.search(text) else {}
    try:
        json.loads(text, strict=not tolerant, object_pairs_hook=each_once, parse_constant=_no_number, **numbers)
    except _Odd as odd:
        return odd.refusal
    except RecursionError:
        return Refusal(TOO_DEEP, "nested too deep")
    except json.JSONDecodeError:
        if not tolerant:
            raise
    return None


def _each_once(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = dict(pairs)
    if len(members) != len(pairs):
        seen: set[str] = set()
        for name, _ in pairs:
            if name in seen:
                shown = name[:60] if name.isprintable() else short(name)
                raise _Odd(TWO_READINGS, f"{shown}: said twice, and only one can be meant")
            seen.add(name)
    return members


def _each_once_and_plain(pairs: list[tuple[str, object]]) -> dict[str, object]:
    members = _each_once(pairs)
    for name, value in pairs:
        _plain_text(name)
        _plain_value(value)
    return members


def _plain_value(value: object) -> None:
    if isinstance(value, str):
        _plain_text(value)
    elif isinstance(value, list):
        for item in value:
            _plain_value(item)


def _plain_text(text: str) -> None:
    found = _STEERING.search(text)
    if found is not None:
        kind = "half a character," if "\ud800" <= found[0] <= "\udfff" else "the control character"
        raise _Odd(TWO_READINGS, f"the text {short(text)} holds {kind} U+{ord(found[0]):04X}")


def _no_number(name: str) -> NoReturn:
    raise _Odd(NO_NUMBER, f"{name} is not a number")


def _finite(text: str) -> float:
    if not math.isfinite(float(text)):
        raise _Odd(NO_NUMBER, f"the number {text[:40]} is beyond any that can be kept")
    return float(text)


def _whole(text: str) -> int:
    if len(text) > 20 or abs(int(text)) > _MOST:
        raise _Odd(NO_NUMBER, f"the whole number {text[:40]} is beyond 64 bits")
    return int(text)


def why(error: ValidationError) -> str:
    """A validation error in one line that names the member and the value."""
    (first,) = mistakes_in(error, most=1)
    more = error.error_count() - 1
    return str(first) if not more or not first.member else f"{first} (and {more} more)"


def foreign_source(source: str, table_id: str) -> str | None:
    """Why a source is not a device of the table; None if it is."""
    if source.startswith(f"/tables/{table_id}/devices/"):
        return None
    return f"{source} is not a device of table {table_id}"
