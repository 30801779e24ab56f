"""What is wrong with an event that its model does not accept: each mistake with its member, and the nearest right word.

The gate says the first one as the reason of a refusal; `muckraker validate` says all of them. Whoever sends broken
records may send many, so the words are few, short and looked up, and never more than a handful for one record.
"""

from __future__ import annotations

import re
from difflib import get_close_matches
from functools import cache, lru_cache
from itertools import pairwise
from typing import Any, NamedTuple

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from schemas.cards import CARD_PATTERN
from schemas.events import DATA_MODEL_OF, EVENT_MODELS, NEWEST_TYPE, Event, plain_type

NO_JSON = "not JSON: "
MISSING = "required, and missing"

_MOST_LISTED = 100  # problems of a record that are looked into
_WORD_CHARS = 60
_COMPARED = 3
_UUID = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-([0-9a-f])[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}\Z", re.IGNORECASE)
_CARD = re.compile(CARD_PATTERN)
_BETWEEN = re.compile(r"[\s_-]+")
_SUITS = {"♣": "c", "♦": "d", "♥": "h", "♠": "s"}


class Mistake(NamedTuple):
    """`member` is its path, such as `data.seat`; empty where the event as a whole is meant."""

    member: str
    text: str  # why, without the member's name
    nearest: str | None = None  # what was probably meant

    def __str__(self) -> str:
        said = f"{self.member}: {self.text}" if self.member else self.text
        return said if self.nearest is None else f"{said}; did you mean {self.nearest}?"


def mistakes_in(error: ValidationError, most: int = _MOST_LISTED) -> list[Mistake]:
    """All of them, or the first so many, in the order of the models; of very many only that there are so many."""
    count = error.error_count()
    if count > _MOST_LISTED:
        return [Mistake("", f"{count:,} members are wrong or unknown")]
    # A member that does not exist is said before the one that is missing: often they are the same, misspelled.
    listed = sorted(error.errors(include_url=False), key=lambda found: found["type"] == "missing")
    found = [_mistake(each) for each in listed[:most]]
    meant = {f"{mistake.member.rpartition('.')[0]}.{mistake.nearest}".lstrip(".") for mistake in found}
    return [mistake for mistake in found if mistake.text != MISSING or mistake.member not in meant]


def _mistake(found: ErrorDetails) -> Mistake:
    kind, value = found["type"], found["input"]
    context: dict[str, Any] = found.get("ctx", {})
    if kind == "json_invalid":
        return Mistake("", f"{NO_JSON}{found['msg'].removeprefix('Invalid JSON: ')}")
    if kind == "union_tag_not_found":
        return Mistake("type", "missing, so it is not known what the event says")
    if kind == "union_tag_invalid":
        return _unknown_type(str(context.get("tag")))
    # The first step of the path is the event type the union chose; the member's path is what follows it.
    event_type, path = str(found["loc"][0]) if found["loc"] else "", found["loc"][1:]
    member = ".".join(str(step)[:_WORD_CHARS] for step in path) or "the event"
    name = str(path[-1]) if path else ""
    match kind:
        case "missing" if member == "subject":
            return Mistake(member, "required, and missing: an event of a round names the round")
        case "missing":
            return Mistake(member, MISSING)
        case "extra_forbidden":
            return _unknown_member(event_type, path, member, value)
        case "string_pattern_mismatch" if context.get("pattern") == CARD_PATTERN:
            text = f"{short(value)} is not a card (rank 2-9 T J Q K A, then suit c d h s; jokers X1, X2)"
            return Mistake(member, text, nearest_card(value))
        case "string_pattern_mismatch" if member == "id":
            return Mistake(member, _not_a_uuid7(value), _respelled(value, str(context.get("pattern", ""))))
        case "string_pattern_mismatch" if isinstance(value, str):
            pattern = str(context.get("pattern", ""))
            return Mistake(member, f"{short(value)} is not of the form {pattern}", _respelled(value, pattern))
        case "timezone_aware":
            text = f"{short(value)} has no offset from UTC; write one behind it, such as -05:00, or Z for UTC itself"
            return Mistake(member, text)
        case "int_type" | "int_from_float" if name.endswith("_cents"):
            text = f"{_said(found['msg'], value)}; money is whole cents, without a point or quotes: $25.50 is 2550"
            return Mistake(member, text)
        case "literal_error" | "enum" if isinstance(value, str):
            allowed = re.findall(r"'([^']*)'", str(context.get("expected", "")))
            return Mistake(member, _said(found["msg"], value), nearest(value, tuple(allowed)))
        case _:
            return Mistake(member, _said(found["msg"], value))


def _respelled(value: object, pattern: str) -> str | None:
    """The same word with other capitals, or other signs between its parts, if that is of the form asked for."""
    if not isinstance(value, str) or len(value) > _WORD_CHARS + 20:
        return None
    form = re.compile(pattern.removeprefix("^").removesuffix("$"))
    for between in (None, "-", "_", ""):
        for spelled in (value.strip(), value.strip().lower(), value.strip().upper()):
            respelled = spelled if between is None else _BETWEEN.sub(between, spelled)
            if form.fullmatch(respelled):
                return respelled
    return None


def _said(message: str, value: object) -> str:
    return f"{message[:1].lower()}{message[1:]}, not {short(value)}"


def _unknown_type(tag: str) -> Mistake:
    near = nearest(tag[:_WORD_CHARS], tuple(EVENT_MODELS))
    if near is None:  # without the prefix, or with another
        near = nearest(plain_type(tag[:_WORD_CHARS]).removeprefix("muckraker."), tuple(NEWEST_TYPE))
        near = near and NEWEST_TYPE[near]
    return Mistake("type", f"{tag[:80]!r} is not an event type", near)


def _unknown_member(event_type: str, path: tuple[int | str, ...], member: str, value: object) -> Mistake:
    text = f"there is no such member (it says {short(value)})"
    name = str(path[-1])[:_WORD_CHARS]
    of_envelope, of_data = _members(event_type)
    here, there = (of_data, of_envelope) if path[:1] == ("data",) else (of_envelope, of_data)
    if name in there:
        return Mistake(member, f"{text}; it is a member of {'`data`' if there is of_data else 'the event itself'}")
    return Mistake(member, text, nearest(name, here) or nearest(name, there))


@cache
def _members(event_type: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    data = DATA_MODEL_OF.get(event_type)
    return tuple(Event.model_fields), () if data is None else tuple(data.model_fields)


def _not_a_uuid7(value: object) -> str:
    found = _UUID.match(value) if isinstance(value, str) else None
    if found is None:
        return f"{short(value)} is not a UUID of version 7 in lowercase, with hyphens"
    if found[1] != "7":
        return f"{short(value)} is a UUID of version {int(found[1], 16)}, and an event's id is one of version 7"
    return f"{short(value)} is not a UUID of version 7 in lowercase"


def nearest_card(value: object) -> str | None:
    """The card that was probably meant by `10h`, `AS`, `hA` or `A♠`."""
    if not isinstance(value, str) or not 2 <= len(value) <= 3:
        return None
    text = "".join(_SUITS.get(character, character) for character in value.replace("10", "T"))
    for turned in (text, text[::-1]):
        card = turned[:1].upper() + turned[1:].lower()
        if _CARD.match(card):
            return card
    return None


@lru_cache(maxsize=1_024)
def nearest(word: str, known: tuple[str, ...]) -> str | None:
    """The known word that is most like this one, if any is like it at all.

    Whole words are compared only with the few that share the most pairs of letters: to compare with all of them takes
    milliseconds, and somebody may send a great many wrong words.
    """
    word = word[:_WORD_CHARS]
    pairs = _pairs(word)
    few = sorted(known, key=lambda other: -len(pairs & _pairs(other)))[:_COMPARED]
    return next(iter(get_close_matches(word, few, n=1, cutoff=0.6)), None)


@lru_cache(maxsize=1_024)
def _pairs(word: str) -> frozenset[str]:
    return frozenset(first + second for first, second in pairwise(f" {word} "))


def short(value: object) -> str:
    """A value as it was said, cut to what fits a sentence."""
    if isinstance(value, list | dict) and len(value) > 8:
        return f"{'a list' if isinstance(value, list) else 'an object'} of {len(value):,}"
    text = repr(value[:_WORD_CHARS] if isinstance(value, str) else value)
    return text if len(text) <= _WORD_CHARS else f"{text[:57]}..."
