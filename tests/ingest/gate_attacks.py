"""Every attack on the gate that we could think of, by name, with the findings it must lead to.

The list is the issue's and then some. Who attacks: somebody on the wire between controller and log, somebody who may
write to the log, somebody with a key that is not (or no longer) the table's, and a device gone mad.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import orjson

from ingest.chain import GENESIS, event_hash, public_hex, sign, uuid7
from ingest.gate.findings import FLOOD_FINDINGS
from ingest.gate.gate import UNREGISTERED_TABLES
from ingest.gate.limits import FLOOD_EVENTS, FLOOD_STEP, ROUND_EVENTS
from ingest.key_history import KeyHistory, Place
from ingest.table_stream import HELD_EVENTS, REMEMBERED_HASHES, UNATTESTED_EVENTS
from schemas.events import MAX_EVENT_BYTES, MAX_SEQ
from tests.ingest.gate_scene import SECOND_US, Attack, Members, Scene, Sent

ATTACKS: list[Attack] = []
MANY_ROUNDS = 90  # more than 1,200 events at any table, more than are remembered


def attack(
    name: str, *codes: str, also: tuple[str, ...] = (), **more: object
) -> Callable[[Callable[[Scene], None]], None]:
    def add(do: Callable[[Scene], None]) -> None:
        ATTACKS.append(Attack(name, frozenset(codes), do, frozenset(also), **more))  # type: ignore[arg-type]

    return add


# --- keys -------------------------------------------------------------------------------------------------------------


@attack("wrong key: a stranger signs from here on", "GATE-001")
def _(scene: Scene) -> None:
    scene.rechain(scene.place(), key=scene.stranger())


@attack("wrong key: one signature is a stranger's", "GATE-001", "GATE-002")
def _(scene: Scene) -> None:
    at = scene.signed_place()
    scene.replace(at, scene.changed(at, key=scene.stranger()))


@attack("wrong key: a supervisor signs what only the controller may", "GATE-031", also=("GATE-016",))
def _(scene: Scene) -> None:
    supervisor = scene.stranger()
    history = scene.keys.histories[scene.victim]
    scene.keys.histories[scene.victim] = history.supervised(public_hex(supervisor), None, "badge S-031", None)
    scene.rechain(scene.place(), key=supervisor)


@attack("ahead: a leap signed by a supervisor", "GATE-035", unharmed=True)
def _(scene: Scene) -> None:
    supervisor = scene.stranger()
    history = scene.keys.histories[scene.victim]
    scene.keys.histories[scene.victim] = history.supervised(public_hex(supervisor), None, "badge S-031", None)
    at = scene.place()
    scene.put(at, sign(_invented(scene, at, MAX_SEQ), supervisor))


@attack("wrong key: another table's controller signs", "GATE-014")
def _(scene: Scene) -> None:
    scene.rechain(scene.place(), key=scene.secret(scene.other))


@attack("wrong key: a signature taken from another event", "GATE-001", "GATE-002")
def _(scene: Scene) -> None:
    at = scene.signed_place()
    donor = next(place for place in range(at - 1, -1, -1) if "sig" in scene.said(place))
    scene.replace(at, orjson.dumps(scene.said(at) | {"sig": scene.said(donor)["sig"]}))


@attack("wrong key: the table's key after it was revoked", "GATE-012")
def _(scene: Scene) -> None:
    at = scene.signed_place()
    history = scene.keys.history_of(scene.victim)
    place = Place(us=scene.sent[at].at_us) if scene.random.random() < 0.5 else Place(seq=scene.said(at)["seq"])
    scene.keys.histories[scene.victim] = history.revoked(history.keys[0].public_hex, place, "stolen", None)


@attack("wrong key: the old key after a rotation", "GATE-013")
def _(scene: Scene) -> None:
    at = scene.signed_place()
    history = scene.keys.history_of(scene.victim)
    place = Place(us=scene.sent[at].at_us) if scene.random.random() < 0.5 else Place(seq=scene.said(at)["seq"])
    scene.keys.histories[scene.victim] = history.rotated(public_hex(scene.stranger()), place, "", None)


@attack("wrong key: the new key before its time", "GATE-013")
def _(scene: Scene) -> None:
    at = scene.signed_place()
    new = scene.stranger()
    scene.keys.histories[scene.victim] = scene.keys.history_of(scene.victim).rotated(
        public_hex(new), Place(seq=scene.said(len(scene.sent) - 1)["seq"] + 1), "", None
    )
    scene.rechain(at, key=new)


def _half_way(scene: Scene, history: KeyHistory) -> None:
    scene.keys_then = {scene.victim: history}
    scene.keys_change_at = len(scene.sent) * len(scene.tables) // 2


@attack("key file: rewritten with a key of the forger's", "GATE-029", also=("GATE-001",))
def _(scene: Scene) -> None:
    """A whole new history, sound in itself, with the old key in it so that nothing else shows."""
    forged = KeyHistory(scene.victim).added(public_hex(scene.stranger()), None, "", None)
    _half_way(scene, forged.rotated(public_hex(scene.secret()), Place(seq=1), "", None))


@attack("key file: a revocation taken off the end", "GATE-029", also=("GATE-012",))
def _(scene: Scene) -> None:
    history = scene.keys.history_of(scene.victim)
    scene.keys.histories[scene.victim] = history.revoked(history.keys[0].public_hex, Place(seq=0), "stolen", None)
    _half_way(scene, history)


@attack("key file: removed", "GATE-029", "GATE-008")
def _(scene: Scene) -> None:
    _half_way(scene, KeyHistory(scene.victim))


@attack("signature taken off", "GATE-015", "GATE-002")
def _(scene: Scene) -> None:
    at = scene.signed_place()
    said = scene.said(at)
    del said["sig"]
    scene.replace(at, orjson.dumps(said))


@attack("signatures taken off for good", "GATE-015", "GATE-016", rounds=MANY_ROUNDS)
def _(scene: Scene) -> None:
    def unsigned(said: Members, _: int) -> Members:
        said.pop("sig", None)
        return said

    scene.rechain(scene.random.randrange(12, len(scene.sent) - UNATTESTED_EVENTS - 50), unsigned)


# --- old events again -------------------------------------------------------------------------------------------------


@attack("replay: a run of recent events again", "GATE-004")
def _(scene: Scene) -> None:
    at = scene.place(before=60)
    again = scene.sent[at - scene.random.randrange(2, 50) : at]
    scene.sent[at:at] = [sent._replace(at_us=scene.sent[at].at_us) for sent in again]


@attack("replay: events from before the window again", "GATE-023", rounds=MANY_ROUNDS)
def _(scene: Scene) -> None:
    first = scene.random.randrange(1, 200)
    at = scene.place(before=first + 60 + REMEMBERED_HASHES)
    again = scene.sent[first : first + scene.random.randrange(1, 50)]
    scene.sent[at:at] = [sent._replace(at_us=scene.sent[at].at_us) for sent in again]


@attack(
    "replay: an old round renumbered to come next",
    "GATE-009",
    "GATE-001",
    also=("GATE-002", "GATE-007", "GATE-021", "GATE-030"),
)
def _(scene: Scene) -> None:
    """The round's events with the next numbers and a chain that fits; only the signature cannot be made."""
    end = scene.place_where(lambda said: said["type"] == "muckraker.round.closed.v1", before=120)
    old = next(at for at in range(30, end) if scene.said(at)["type"] == "muckraker.round.closed.v1")
    first = next(at for at in range(old, -1, -1) if scene.said(at)["type"] == "muckraker.round.opened.v1")
    prevhash, seq, forged = event_hash(scene.sent[end].raw), scene.said(end)["seq"] + 1, []
    for at in range(first, old + 1):
        raw = scene.changed(at, prevhash=prevhash, seq=seq)
        forged.append(Sent(scene.sent[end].at_us, scene.victim, raw))
        prevhash, seq = event_hash(raw), seq + 1
    scene.sent[end + 1 : end + 1] = forged


@attack("replay: another table's events", "GATE-020")
def _(scene: Scene) -> None:
    at = scene.place()
    there = scene.streams[scene.other]
    begin = scene.random.randrange(len(there) - 10)
    for sent in there[begin : begin + scene.random.randrange(1, 8)]:
        scene.put(at, sent.raw)


@attack("replay: another table's event, readdressed", "GATE-009")
def _(scene: Scene) -> None:
    at = scene.place(before=60)
    there = scene.streams[scene.other]
    said = orjson.loads(there[scene.random.randrange(20, 50)].raw)
    said.pop("sig", None)
    said |= {"tableid": scene.victim, "source": f"/tables/{scene.victim}/devices/controller"}
    scene.put(at, orjson.dumps(said))


# --- cut out ----------------------------------------------------------------------------------------------------------


@attack("cut out: one event", "GATE-003")
def _(scene: Scene) -> None:
    del scene.sent[scene.unsigned_place()]


@attack("cut out: some events", "GATE-003", also=("GATE-007",))
def _(scene: Scene) -> None:
    at = scene.place(after=60)
    del scene.sent[at : at + scene.random.randrange(2, 50)]


@attack("cut out: the table's beginning", "GATE-003")
def _(scene: Scene) -> None:
    del scene.sent[: scene.random.randrange(1, 40)]


@attack("cut out, garbage with its number in its place", "GATE-003", "GATE-006")
def _(scene: Scene) -> None:
    at = scene.unsigned_place()
    said = scene.said(at)
    scene.replace(at, orjson.dumps({"tableid": scene.victim, "seq": said["seq"], "prevhash": said["prevhash"]}))


@attack("cut out, the rest renumbered and chained anew", "GATE-001", also=("GATE-016",))
def _(scene: Scene) -> None:
    """Without the key: the numbers fit and the chain fits, and no signature after it does."""
    at = scene.unsigned_place()
    del scene.sent[at]
    scene.rechain(at, lambda said, _: said | {"seq": said["seq"] - 1})


@attack("cut out, another event made up in its place", "GATE-002")
def _(scene: Scene) -> None:
    at = scene.unsigned_place()
    scene.replace(at, scene.changed(at, type="muckraker.device.online.v1", data={"device": "rack"}))


# --- changed ----------------------------------------------------------------------------------------------------------


def _sum_changed(scene: Scene) -> tuple[int, bytes]:
    at = scene.place_where(lambda said: "sig" not in said and "amount_cents" in said["data"])
    data = scene.said(at)["data"]
    return at, scene.changed(at, data=data | {"amount_cents": data["amount_cents"] + 2500})


@attack("changed: a sum", "GATE-002")
def _(scene: Scene) -> None:
    scene.replace(*_sum_changed(scene))


@attack("changed: a sum, and the rest chained anew", "GATE-001", also=("GATE-016",))
def _(scene: Scene) -> None:
    at, raw = _sum_changed(scene)
    scene.replace(at, raw)
    scene.rechain(at + 1)


@attack("changed: a signed event", "GATE-001", "GATE-002")
def _(scene: Scene) -> None:
    at = scene.signed_place()
    scene.replace(at, scene.changed(at, id=uuid7(scene.sent[at].at_us, scene.random.randbytes(10))))


# --- forks ------------------------------------------------------------------------------------------------------------


@attack("fork: another event with a number that is taken", "GATE-009")
def _(scene: Scene) -> None:
    at, raw = _sum_changed(scene)
    scene.put(min(at + 1 + scene.random.randrange(0, 40), len(scene.sent) - 1), raw)


@attack("fork: the forged event comes first", "GATE-009", "GATE-030")
def _(scene: Scene) -> None:
    scene.put(*_sum_changed(scene))


@attack("fork: forged before the true event is said", "GATE-009", "GATE-030", also=("GATE-002", "GATE-005"))
def _(scene: Scene) -> None:
    """It waits for its turn like any event that came too early."""
    at, raw = _sum_changed(scene)
    scene.put(at - scene.random.randrange(1, 10), raw)


@attack("fork: a whole branch", "GATE-009", also=("GATE-021",))
def _(scene: Scene) -> None:
    at, raw = _sum_changed(scene)
    prevhash, branch = event_hash(raw), [raw]
    for place in range(at + 1, min(at + scene.random.randrange(3, 20), len(scene.sent))):
        branch.append(scene.changed(place, prevhash=prevhash))
        prevhash = event_hash(branch[-1])
    behind = at + len(branch)
    scene.sent[behind:behind] = [Sent(scene.sent[behind - 1].at_us, scene.victim, forged) for forged in branch]


@attack("fork: signed with the table's own key", "GATE-021")
def _(scene: Scene) -> None:
    at = scene.signed_place()
    forged = scene.changed(at, key=scene.secret(), id=uuid7(scene.sent[at].at_us, scene.random.randbytes(10)))
    scene.put(at + 1, forged)


@attack("fork: the chain starts over", "GATE-019")
def _(scene: Scene) -> None:
    at = scene.place()
    first = scene.changed(0, key=scene.secret(), id=uuid7(scene.sent[at].at_us, scene.random.randbytes(10)))
    second = scene.changed(1, prevhash=event_hash(first), key=scene.secret() if "sig" in scene.said(1) else None)
    scene.sent[at:at] = [Sent(scene.sent[at].at_us, scene.victim, raw) for raw in (first, second)]


@attack("fork: a new chain that nobody registered", "GATE-002")
def _(scene: Scene) -> None:
    """With the stolen key: the next number, following from nothing."""
    at = scene.signed_place()
    scene.replace(at, scene.changed(at, key=scene.secret(), prevhash=GENESIS))
    scene.rechain(at + 1, key=scene.secret())


# --- ahead of the chain -----------------------------------------------------------------------------------------------


def _invented(scene: Scene, at: int, ahead: int, prevhash: str | None = None) -> bytes:
    """An unsigned event that somebody without a key or a look at the log can make: the table, a number, any hash."""
    said = {
        "specversion": "1.0",
        "id": uuid7(scene.sent[at].at_us, scene.random.randbytes(10)),
        "source": f"/tables/{scene.victim}/devices/bet-sensor",
        "type": "muckraker.wager.placed.v1",
        "time": scene.said(at)["time"],
        "tableid": scene.victim,
        "seq": min(scene.said(at)["seq"] + ahead, MAX_SEQ),
        "prevhash": prevhash or scene.random.randbytes(32).hex(),
        "subject": scene.said(at).get("subject", "forged"),
        "data": {"seat": 1, "wager": "pai_gow", "amount_cents": 100},
    }
    return orjson.dumps(said)


@attack("ahead: one event with the last number there is", "GATE-035", unharmed=True)
def _(scene: Scene) -> None:
    at = scene.place()
    scene.put(at, _invented(scene, at, MAX_SEQ))


@attack("ahead: a whole branch with the last numbers there are", "GATE-035", unharmed=True)
def _(scene: Scene) -> None:
    at = scene.place()
    raw, branch = b"", []
    for ahead in range(MAX_SEQ - 300, MAX_SEQ - 200):
        raw = _invented(scene, at, ahead, event_hash(raw) if raw else None)
        branch.append(Sent(scene.sent[at].at_us, scene.victim, raw))
    scene.sent[at:at] = branch


@attack("ahead: the next number, following from nothing", "GATE-035", unharmed=True)
def _(scene: Scene) -> None:
    at = scene.place()
    scene.put(at, _invented(scene, at, 0))


@attack("ahead: more events than may wait, a few numbers ahead", "GATE-035", unharmed=True)
def _(scene: Scene) -> None:
    at = scene.place()
    forged = [_invented(scene, at, scene.random.randrange(0, 400)) for _ in range(HELD_EVENTS + 500)]
    scene.sent[at:at] = [Sent(scene.sent[at].at_us, scene.victim, raw) for raw in forged]


@attack("ahead: a branch just ahead, longer than may wait", "GATE-035", unharmed=True)
def _(scene: Scene) -> None:
    at = scene.place()
    raw, branch = b"", []
    for ahead in range(scene.random.randrange(0, 5), 330):
        raw = _invented(scene, at, ahead, event_hash(raw) if raw else None)
        branch.append(Sent(scene.sent[at].at_us, scene.victim, raw))
    scene.sent[at:at] = branch


@attack("ahead: one forged event before each true one", "GATE-035", unharmed=True)
def _(scene: Scene) -> None:
    for at in range(len(scene.sent) - 5, scene.place(after=80), -1):
        scene.put(at, _invented(scene, at, scene.random.randrange(0, 70)))


@attack("ahead: garbage, and an event that claims to follow from it", "GATE-006", "GATE-035", unharmed=True)
def _(scene: Scene) -> None:
    at, garbage = scene.place(before=60), scene.random.randbytes(30).hex().encode()
    scene.put(at, _invented(scene, at, 1, event_hash(garbage)))
    scene.put(at, garbage)


@attack("ahead: signed by a stranger", "GATE-035", unharmed=True)
def _(scene: Scene) -> None:
    at = scene.place()
    scene.put(at, sign(_invented(scene, at, scene.random.choice([0, 3, 5_000, MAX_SEQ])), scene.stranger()))


# --- order ------------------------------------------------------------------------------------------------------------


@attack("reordered: two neighbours swapped", "GATE-005")
def _(scene: Scene) -> None:
    at = scene.place()
    scene.sent[at], scene.sent[at + 1] = scene.sent[at + 1], scene.sent[at]


@attack("reordered: a stretch shuffled", "GATE-005")
def _(scene: Scene) -> None:
    at = scene.place(after=60)
    stretch = scene.sent[at : at + 40]
    while stretch == scene.sent[at : at + 40]:
        scene.random.shuffle(stretch)
    scene.sent[at : at + 40] = stretch


@attack("reordered: an event held back for long", "GATE-003", "GATE-005")
def _(scene: Scene) -> None:
    at = scene.place(after=HELD_EVENTS + 30)
    late = scene.sent.pop(at)
    scene.sent.insert(at + HELD_EVENTS + scene.random.randrange(20), late)


@attack("duplicated: one event", "GATE-004")
def _(scene: Scene) -> None:
    at = scene.place()
    scene.put(at + scene.random.randrange(0, 3) + 1, scene.sent[at].raw)


@attack("duplicated: the whole stream", "GATE-004", rounds=8)
def _(scene: Scene) -> None:
    last = scene.sent[-1].at_us
    scene.sent += [sent._replace(at_us=last) for sent in scene.sent]


# --- clocks -----------------------------------------------------------------------------------------------------------


def _later(said: Members, by: timedelta) -> Members:
    return said | {"time": (datetime.fromisoformat(said["time"]) + by).isoformat()}


@attack("clock: one event from the future", "GATE-007")
def _(scene: Scene) -> None:
    place = scene.inside_round()
    by = timedelta(minutes=scene.random.choice([45, 600, 60 * 24 * 400]))
    scene.rechain(place, lambda said, at: _later(said, by) if at == place else said, scene.secret())


@attack("clock: one event from the past", "GATE-007")
def _(scene: Scene) -> None:
    place = scene.inside_round()
    by = -timedelta(minutes=scene.random.choice([5, 600, 60 * 24 * 400]))
    scene.rechain(place, lambda said, at: _later(said, by) if at == place else said, scene.secret())


@attack("clock: set forward from here on", "GATE-010", also=("GATE-007",))
def _(scene: Scene) -> None:
    by = timedelta(minutes=scene.random.choice([5, 20, 90, 3000]))
    scene.rechain(scene.place(), lambda said, _: _later(said, by), scene.secret())


@attack("clock: set back from here on", "GATE-007", also=("GATE-011",))
def _(scene: Scene) -> None:
    by = -timedelta(minutes=scene.random.choice([5, 90, 3000]))
    scene.rechain(scene.place(), lambda said, _: _later(said, by), scene.secret())


@attack("clock: wrong from the very first event, ahead", "GATE-010", rounds=MANY_ROUNDS)
def _(scene: Scene) -> None:
    by = timedelta(days=scene.random.choice([1, 30, 3000]))
    scene.replace(0, scene.changed(0, key=scene.secret(), time=_later(scene.said(0), by)["time"]))
    scene.rechain(1, lambda said, _: _later(said, by), scene.secret())


@attack("clock: wrong from the very first event, behind", "GATE-011", rounds=MANY_ROUNDS)
def _(scene: Scene) -> None:
    by = -timedelta(days=scene.random.choice([2, 30, 3000]))
    scene.replace(0, scene.changed(0, key=scene.secret(), time=_later(scene.said(0), by)["time"]))
    scene.rechain(1, lambda said, _: _later(said, by), scene.secret())


@attack("clock: events kept back for two days", "GATE-011")
def _(scene: Scene) -> None:
    at = scene.place()
    scene.sent[at:] = [sent._replace(at_us=sent.at_us + 48 * 3600 * SECOND_US) for sent in scene.sent[at:]]


@attack("clock: before 1970 or after 9999", "GATE-006")
def _(scene: Scene) -> None:
    at = scene.place()
    time = scene.random.choice(["1969-12-31T23:59:59Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59-05:00"])
    scene.put(at, scene.changed(at, time=time))


# --- bytes ------------------------------------------------------------------------------------------------------------


def _in_a_text(text: bytes) -> Callable[[bytes], bytes]:
    return lambda raw: raw.replace(b'"muckraker.', b'"' + text + b"muckraker.", 1)


def _as_seq(number: bytes) -> Callable[[bytes], bytes]:
    def with_number(raw: bytes) -> bytes:
        before, _, rest = raw.partition(b'"seq":')
        return before + b'"seq":' + number + rest[rest.index(b",") :]

    return with_number


def _one_more(member: bytes) -> Callable[[bytes], bytes]:
    return lambda raw: b"{" + member + b"," + raw[1:]


def _again(raw: bytes) -> bytes:
    """The type twice: the first reading is harmless, the second is the event."""
    return b'{"type":"muckraker.device.online.v1",' + raw[1:]


BROKEN: dict[str, tuple[str, Callable[[bytes], bytes]]] = {
    "oversized": ("GATE-024", lambda raw: raw + b" " * (MAX_EVENT_BYTES + 1 - len(raw))),
    "oversized: a megabyte": ("GATE-024", _one_more(b'"x":"' + b"y" * 1_000_000 + b'"')),
    "nested: 300 lists": ("GATE-025", _one_more(b'"x":' + b"[" * 300 + b"]" * 300)),
    "nested: 30,000 lists, never closed": ("GATE-025", _one_more(b'"x":' + b"[" * 30_000)),
    "nested: 10,000 objects": ("GATE-025", _one_more(b'"x":' + b'{"x":' * 10_000 + b"1" + b"}" * 10_000)),
    "not UTF-8: a stray byte": ("GATE-026", _in_a_text(b"\xff")),
    "not UTF-8: overlong": ("GATE-026", _in_a_text(b"\xc0\xae")),
    "not UTF-8: a surrogate in bytes": ("GATE-026", _in_a_text(b"\xed\xa0\x80")),
    "NaN": ("GATE-027", _as_seq(b"NaN")),
    "NaN in a member of its own": ("GATE-027", _one_more(b'"x":NaN')),
    "Infinity": ("GATE-027", _as_seq(b"-Infinity")),
    "a number beyond 64 bits": ("GATE-027", _as_seq(b"9" * 30)),
    "a number of 50,000 digits": ("GATE-027", _as_seq(b"9" * 50_000)),
    "a number beyond floats": ("GATE-027", _as_seq(b"1e999")),
    "a member said twice": ("GATE-028", _again),
    "half a surrogate pair": ("GATE-028", _in_a_text(rb"\ud800")),
    "an escaped NUL": ("GATE-028", _in_a_text(rb"\u0000")),
    "a NUL byte in a text": ("GATE-028", _in_a_text(b"\x00")),
    "text that turns around": ("GATE-028", _in_a_text("\u202e".encode())),
    "empty": ("GATE-006", lambda raw: b""),
    "cut short": ("GATE-006", lambda raw: raw[: len(raw) * 2 // 3]),
    "not an object": ("GATE-006", lambda raw: b"[" + raw + b"]"),
    "an unknown type": ("GATE-006", lambda raw: raw.replace(b'"muckraker.', b'"muckraker.no.', 1)),
    "a number in quotes": ("GATE-006", _as_seq(b'"12"')),
    "a foreign device": ("GATE-006", lambda raw: raw.replace(b"/devices/", b"/devices/x/", 1)),
    "two events in one record": ("GATE-006", lambda raw: raw + raw),
}


def _broken(name: str, code: str, break_it: Callable[[bytes], bytes]) -> None:
    @attack(name, code, weight=0.5)
    def _(scene: Scene) -> None:
        at = scene.place()
        scene.put(at, break_it(scene.sent[at].raw))

    @attack(f"{name}, in an event's place", code, "GATE-003", weight=0.5)
    def _(scene: Scene) -> None:
        at = scene.place()
        scene.replace(at, break_it(scene.sent[at].raw))


for _name, (_code, _break_it) in BROKEN.items():
    _broken(_name, _code, _break_it)


# --- floods -----------------------------------------------------------------------------------------------------------


def _spoken(scene: Scene, at: int, count: int, subject: str | None, sign_each: int = 900) -> list[Sent]:
    """More events of the table, in order, chained and signed as they should be, all at one moment."""
    before = scene.said(at - 1)
    seq, prevhash, flood = before["seq"] + 1, event_hash(scene.sent[at - 1].raw), []
    for number in range(count):
        said = {
            "specversion": "1.0",
            "id": uuid7(scene.sent[at].at_us, scene.random.randbytes(10)),
            "source": f"/tables/{scene.victim}/devices/controller",
            "type": "muckraker.meter.read.v1",
            "time": before["time"],
            "tableid": scene.victim,
            "seq": seq,
            "prevhash": prevhash,
            **({} if subject is None else {"subject": subject}),
            "data": {"meter": "m", "value_cents": number},
        }
        raw = orjson.dumps(said)
        if number % sign_each == sign_each - 1:
            raw = sign(raw, scene.secret())
        flood.append(Sent(scene.sent[at].at_us, scene.victim, raw))
        seq, prevhash = seq + 1, event_hash(raw)
    return flood


@attack("flood: more events than a table has", "GATE-017", rounds=4, weight=0.15)
def _(scene: Scene) -> None:
    at = scene.place_where(lambda said: said["type"] == "muckraker.round.closed.v1", before=3) + 1
    scene.sent[at:] = _spoken(scene, at, FLOOD_EVENTS + FLOOD_STEP + 1, None)


@attack("flood: a round that does not end", "GATE-018", rounds=4, weight=0.15)
def _(scene: Scene) -> None:
    at = scene.inside_round()
    del scene.sent[at + 1 :]
    scene.sent[at:] = _spoken(scene, at, ROUND_EVENTS + 300, scene.said(at)["subject"])


@attack("flood: garbage under the table's key", "GATE-006", "GATE-017", rounds=4, weight=0.3)
def _(scene: Scene) -> None:
    at = scene.place()
    garbage = [b"\x01 garbage %d" % number for number in range(FLOOD_FINDINGS + 200)]
    scene.sent[at:at] = [Sent(scene.sent[at].at_us, scene.victim, raw) for raw in garbage]


@attack("flood: forks", "GATE-009", "GATE-017", rounds=8, weight=0.3)
def _(scene: Scene) -> None:
    at = scene.place(before=100)
    places = [scene.random.randrange(at - 50, at) for _ in range(FLOOD_FINDINGS + 100)]
    forged = [
        orjson.dumps({k: v for k, v in scene.said(place).items() if k != "sig"} | {"id": uuid7(number, b"0123456789")})
        for number, place in enumerate(places)
    ]
    scene.sent[at:at] = [Sent(scene.sent[at].at_us, scene.victim, raw) for raw in forged]


@attack("flood: tables that nobody registered", "GATE-017", rounds=4, weight=0.15, elsewhere=True)
def _(scene: Scene) -> None:
    at = scene.place()
    strangers = []
    for number in range(UNREGISTERED_TABLES + 50):
        table_id = f"Z-{number}"
        said = scene.said(0) | {"tableid": table_id, "source": f"/tables/{table_id}/devices/controller"}
        strangers.append(Sent(scene.sent[at].at_us, table_id, orjson.dumps(said)))
    scene.sent[at:at] = strangers
