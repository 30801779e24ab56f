"""What honest tables do that could be mistaken for an attack: none of it may be accused of anything.

Each is a change to an honest table's records like an attack, but one that leaves them true.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta, timezone
from itertools import pairwise

import orjson

from ingest.chain import GENESIS, event_hash, public_hex
from ingest.gate.limits import FLOOD_EVENTS
from ingest.key_history import Place
from schemas.clock import microseconds
from tests.ingest.gate_scene import ROUNDS, SECOND_US, Attack, Members, Scene

HONEST: list[Attack] = []
LONG_DAY = 260  # rounds; more events than the rate allows in a minute


def honest(name: str, says: str | None = None, rounds: int = ROUNDS, weight: float = 1.0) -> Callable[..., None]:
    """`says`: a finding that is no accusation, and has to be there."""

    def add(do: Callable[[Scene], None]) -> None:
        codes = frozenset() if says is None else frozenset({says})
        HONEST.append(Attack(name, codes, do, rounds=rounds, weight=weight))

    return add


@honest("an ordinary day")
def _(scene: Scene) -> None:
    pass


@honest("a day's file, read in at one moment", rounds=LONG_DAY, weight=0.2)
def _(scene: Scene) -> None:
    assert len(scene.sent) > FLOOD_EVENTS or scene.victim.startswith("SB")
    scene.sent = [sent._replace(at_us=scene.sent[-1].at_us) for sent in scene.sent]


@honest("a file of long ago, read in at one moment")
def _(scene: Scene) -> None:
    scene.sent = [sent._replace(at_us=scene.sent[-1].at_us + 900 * 86_400 * SECOND_US) for sent in scene.sent]


@honest("an hour without network, then everything at once")
def _(scene: Scene) -> None:
    at = scene.place()
    back_us = scene.sent[at].at_us + 3_600 * SECOND_US
    scene.sent[at:] = [sent._replace(at_us=max(sent.at_us, back_us)) for sent in scene.sent[at:]]


@honest("hours of rest between two rounds")
def _(scene: Scene) -> None:
    at = scene.place_where(lambda said: said["type"] == "muckraker.round.opened.v1")
    by = timedelta(hours=9)
    scene.rechain(at, lambda said, _: _later(said, by), scene.secret())
    rest = [sent._replace(at_us=sent.at_us + 9 * 3_600 * SECOND_US) for sent in scene.sent[at:]]
    scene.sent[at:] = rest


def _later(said: Members, by: timedelta) -> Members:
    return said | {"time": (datetime.fromisoformat(said["time"]) + by).isoformat()}


@honest("times in another zone")
def _(scene: Scene) -> None:
    zone = timezone(timedelta(hours=scene.random.randrange(-11, 12)))

    def elsewhere(said: Members, _: int) -> Members:
        return said | {"time": datetime.fromisoformat(said["time"]).astimezone(zone).isoformat()}

    scene.rechain(scene.place(), elsewhere, scene.secret())


@honest("clocks some seconds apart from the log's")
def _(scene: Scene) -> None:
    by_us = scene.random.randrange(-90, 90) * SECOND_US
    scene.sent = [sent._replace(at_us=sent.at_us + by_us) for sent in scene.sent]


@honest("devices a few seconds apart from each other")
def _(scene: Scene) -> None:
    def shifted(said: Members, _: int) -> Members:
        return _later(said, timedelta(seconds=len(said["source"]) % 3))

    scene.rechain(scene.place(), shifted, scene.secret())


@honest("members in another order, with blanks between them")
def _(scene: Scene) -> None:
    """By hand: `rechain` writes JSON in one way only."""
    start = scene.place()
    prevhash = event_hash(scene.sent[start - 1].raw)
    for at in range(start, len(scene.sent)):
        said = scene.said(at) | {"prevhash": prevhash}
        signature = said.pop("sig", None)
        members = list(said.items())
        scene.random.shuffle(members)
        raw = b"{ " + b" , ".join(orjson.dumps(name) + b" : " + orjson.dumps(value) for name, value in members) + b"}"
        if signature is not None:
            raw = raw[:-1] + b',"sig":"' + scene.secret().sign(raw).signature.hex().encode() + b'"}'
        scene.replace(at, raw)
        prevhash = event_hash(raw)


@honest("names with letters of other languages, colons and escapes")
def _(scene: Scene) -> None:
    names = ("Zoë", "Łukasz: 2:1", "王小明", 'the "Duke"', "a\\b", "seat 3: B:1:2")

    def named(said: Members, at: int) -> Members:
        if said["type"] == "muckraker.wager.placed.v1":
            return said | {"data": said["data"] | {"bettor": names[at % len(names)]}}
        return said

    scene.rechain(scene.place(), named, scene.secret())


@honest("every event signed", rounds=6)
def _(scene: Scene) -> None:
    scene.rechain(scene.place(), lambda said, _: said | {"sig": "0" * 128}, scene.secret())


@honest("a rotation by seq")
def _(scene: Scene) -> None:
    at, new = scene.place(), scene.stranger()
    scene.keys.histories[scene.victim] = scene.keys.history_of(scene.victim).rotated(
        public_hex(new), Place(seq=scene.said(at)["seq"]), "", None
    )
    scene.rechain(at, key=new)


@honest("a rotation by time, the change a little later")
def _(scene: Scene) -> None:
    at, new = scene.signed_place(), scene.stranger()
    scene.keys.histories[scene.victim] = scene.keys.history_of(scene.victim).rotated(
        public_hex(new), Place(us=scene.sent[max(at - 30, 0)].at_us), "", None, overlap_us=24 * 3_600 * SECOND_US
    )
    scene.rechain(at, key=new)


@honest("a rotation that is entered while the table plays")
def _(scene: Scene) -> None:
    history = scene.keys.history_of(scene.victim)
    scene.keys_then = {scene.victim: history.rotated(public_hex(scene.stranger()), Place(seq=2**31 - 1), "", None)}
    scene.keys_change_at = scene.place()


@honest("a revocation after the day")
def _(scene: Scene) -> None:
    history = scene.keys.history_of(scene.victim)
    last = microseconds(datetime.fromisoformat(scene.said(len(scene.sent) - 1)["time"])) + 60 * SECOND_US
    scene.keys.histories[scene.victim] = history.revoked(history.keys[0].public_hex, Place(us=last), "old", None)


@honest("a new controller with a chain of its own, as registered", says="GATE-022")
def _(scene: Scene) -> None:
    at, new = scene.signed_place(), scene.stranger()
    scene.keys.histories[scene.victim] = scene.keys.history_of(scene.victim).rotated(
        public_hex(new), Place(seq=scene.said(at)["seq"]), "", None, new_chain=True
    )
    scene.replace(at, scene.changed(at, key=new, prevhash=GENESIS))
    scene.rechain(at + 1, key=new)


@honest("one signature a heartbeat only: quiet for hundreds of events", rounds=20)
def _(scene: Scene) -> None:
    """Fewer signatures than usual are no fault as long as table and round events have theirs."""
    signed = [at for at in range(len(scene.sent)) if "sig" in scene.said(at)]
    assert max(later - earlier for earlier, later in pairwise(signed)) < 1_000
