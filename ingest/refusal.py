"""What can still be read off a record that is no valid event: its likely place in the chain, and why it was refused."""

from __future__ import annotations

import re

from pydantic import ValidationError

from schemas.cards import CARD_PATTERN
from schemas.events import MAX_SEQ

_TABLE_ID = re.compile(rb'"tableid"\s*:\s*"([A-Z0-9][A-Z0-9-]{0,31})"')
_SEQ = re.compile(rb'"seq"\s*:\s*(\d{1,10})\s*[,}]')
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


def why(error: ValidationError) -> str:
    """A validation error in one line that names the member and the value."""
    errors = error.errors(include_url=False)
    first = errors[0]
    kind, value = first["type"], first["input"]
    if kind == "json_invalid":
        return f"not JSON: {first['msg'].removeprefix('Invalid JSON: ')}"
    if kind == "union_tag_not_found":
        return "type: missing, so it cannot be told what the event says"
    if kind == "union_tag_invalid":
        return f"type: {str(first.get('ctx', {}).get('tag'))[:80]!r} is not an event type"
    # The first step of the path is the event type the union chose; the member's path is what follows it.
    member = ".".join(str(step)[:60] for step in first["loc"][1:]) or "the event"
    match kind:
        case "missing":
            text = f"{member}: required, and missing"
        case "extra_forbidden":
            text = f"{member}: there is no such member (it says {_short(value)})"
        case "string_pattern_mismatch" if first.get("ctx", {}).get("pattern") == CARD_PATTERN:
            text = f"{member}: {_short(value)} is not a card (rank 2-9 T J Q K A, then suit c d h s; jokers X1, X2)"
        case _:
            text = f"{member}: {first['msg'][:1].lower()}{first['msg'][1:]}, not {_short(value)}"
    more = len(errors) - 1
    return text if not more else f"{text} (and {more} more)"


def _short(value: object) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."
