"""Faults of the record: events lost, doubled, swapped, altered or replaced by rubbish on their way.

What happened at the table stays as it was; only the bytes, their order or a device's clock are touched.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from ingest.chain import event_hash
from ingest.simulator.faults.injection import Injection
from ingest.simulator.voice import SECOND_US, SIGNED, Say, Voice

Records = list[tuple[int, bytes]]

_NO_EVENT = (b'{"specversion":"1.0","id":', b"READ ERROR 17", b'{"hello":"world"}', b"\x00\x01\x02\x7f")


def before_speaking(injection: Injection, says: list[Say], rng: Random) -> None:
    """Faults that the table's own chain runs through: a jumped clock, an event of a type that does not exist."""
    if injection.kind == "clock_jump":
        say = says[rng.randrange(1, len(says) - 1)]
        seconds = rng.choice((-1, 1)) * rng.randrange(2700, 10_800)
        say.clock_shift_us = seconds * SECOND_US
        injection.done(f"{say.type} is {seconds} seconds off")
    elif injection.kind == "garbage" and rng.random() < 0.34:
        says.insert(rng.randrange(1, len(says) - 1), Say("table.smoked", {"by": "nobody"}))
        injection.done("an event of the unknown type table.smoked")


def after_speaking(injection: Injection, says: list[Say], records: Records, voice: Voice, rng: Random) -> Records:
    """Faults that happen to the bytes."""
    if injection.wanted and injection.kind in _AFTER:
        return _AFTER[injection.kind](injection, says, records, voice, rng)
    return records


def _may_be_lost(say: Say, injection: Injection) -> bool:
    """Not what later rounds rest on, so that the trouble stays within the round the label names."""
    if say.type.startswith(("round.", "bank.")) or say.data.get("method") == "button":
        return False
    return not say.type.startswith(injection.later_rounds_rest_on)


def _one_to_lose(injection: Injection, says: list[Say], rng: Random) -> int:
    return rng.choice([index for index, say in enumerate(says) if _may_be_lost(say, injection)])


def _lose(injection: Injection, says: list[Say], records: Records, voice: Voice, rng: Random) -> Records:
    index = _one_to_lose(injection, says, rng)
    injection.done(f"{says[index].type} (event {index + 1} of the round) is lost")
    return records[:index] + records[index + 1 :]


def _duplicate(injection: Injection, says: list[Say], records: Records, voice: Voice, rng: Random) -> Records:
    index = rng.randrange(len(records))
    again = min(index + 1 + rng.randrange(4), len(records))
    injection.done(f"{says[index].type} (event {index + 1} of the round) arrives twice")
    return [*records[:again], (records[again - 1][0], records[index][1]), *records[again:]]


def _reorder(injection: Injection, says: list[Say], records: Records, voice: Voice, rng: Random) -> Records:
    index = rng.randrange(1, len(records) - 2)
    (early, first), (late, second) = records[index : index + 2]
    injection.done(f"{says[index + 1].type} arrives before {says[index].type}")
    return [*records[:index], (early, second), (late, first), *records[index + 2 :]]


def _spoil_signature(injection: Injection, says: list[Say], records: Records, voice: Voice, rng: Random) -> Records:
    """The controller signed something else. The chain runs over the bytes as they are."""
    time_us, raw = records[-1]
    digit = b"1" if raw[-3:-2] == b"0" else b"0"
    spoilt = raw[:-3] + digit + raw[-2:]
    voice.prevhash = event_hash(spoilt)
    injection.done("the signature of round.closed does not verify")
    return [*records[:-1], (time_us, spoilt)]


def _alter(injection: Injection, says: list[Say], records: Records, voice: Voice, rng: Random) -> Records:
    """An event's time is changed by a millisecond: nothing but the hash shows it."""
    index = rng.choice([number for number, say in enumerate(says[:-1]) if number and say.type not in SIGNED])
    time_us, raw = records[index]
    at = raw.index(b'"time":"') + len(b'"time":"YYYY-MM-DDTHH:MM:SS.')
    fraction = int(raw[at : at + 6])
    altered = fraction + 1000 if fraction < 999_000 else fraction - 1000
    injection.done(f"the time of {says[index].type} (event {index + 1} of the round) is altered by 1 ms")
    return [*records[:index], (time_us, raw[:at] + b"%06d" % altered + raw[at + 6 :]), *records[index + 1 :]]


def _rubbish(injection: Injection, says: list[Say], records: Records, voice: Voice, rng: Random) -> Records:
    if rng.random() < 0.5:
        index = rng.randrange(1, len(records) - 1)
        line = rng.choice(_NO_EVENT)
        injection.done(f"{line!r} arrives before {says[index].type}")
        return [*records[:index], (records[index][0], line), *records[index:]]
    index = _one_to_lose(injection, says, rng)
    time_us, raw = records[index]
    cut = rng.randrange(raw.index(b'"data"'), len(raw) - 1)  # its seq can still be read
    injection.done(f"{says[index].type} (event {index + 1} of the round) is cut short on the way, and sent again")
    return [*records[:index], (time_us, raw[:cut]), *records[index:]]


_AFTER: dict[str, Callable[[Injection, list[Say], Records, Voice, Random], Records]] = {
    "event_lost": _lose,
    "event_duplicated": _duplicate,
    "event_reordered": _reorder,
    "bad_signature": _spoil_signature,
    "chain_broken": _alter,
    "garbage": _rubbish,
}
