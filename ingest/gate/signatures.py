"""The gate's rules on signatures: whose is it, and was that key good at the record's place in its table's stream?

A signature counts if it is of a key that was in force there. Otherwise it counts for nothing, and the finding says why:
a revoked key, a key out of its time, another table's key, or nobody's that is known.
"""

from __future__ import annotations

from typing import NamedTuple

from ingest.chain import signed_part, verify
from ingest.key_history import KeyHistory, Place, Standing, TableKey
from ingest.keys import Keys
from ingest.table_stream import Held, TableStream
from schemas.admitted import AdmittedFlag
from schemas.events import DATA_MODELS, Event, RoundClosed, RoundCorrected, RoundVoided, event_type

MUST_BE_SIGNED = frozenset(
    event_type(model) for model in DATA_MODELS if model is RoundClosed or model.TYPE.startswith("table.")
)

SUPERVISED = frozenset((event_type(RoundCorrected), event_type(RoundVoided)))
"""What a supervisor may sign beside the table controller."""

NOBODY = "nobody"


class Judged(NamedTuple):
    """What a signature, or the want of one, comes to. Without a code there is nothing (new) to say."""

    flag: int  # an AdmittedFlag
    code: str | None = None
    what: str = ""


_WRONG = int(AdmittedFlag.BAD_SIGNATURE)
_GOOD = Judged(int(AdmittedFlag.ATTESTED))
_SUPERVISED = Judged(int(AdmittedFlag.ATTESTED | AdmittedFlag.SUPERVISOR))
_NOTHING_NEW = Judged(0)
_WRONG_AGAIN = Judged(_WRONG)  # one finding for a run of them


class Signatures:
    """Judges signatures by the key histories."""

    def __init__(self, keys: Keys) -> None:
        self._keys = keys
        self._looked_at: dict[str, KeyHistory] = {}

    def rewritten(self, table: TableStream) -> str | None:
        """What to say if the table's key history is not the one it was, or more of it; None if it is.

        A history that was edited as a whole looks sound. The head that the table remembers is in the lake's state,
        under the lake's seal.
        """
        history = self.history_of(table)
        if self._looked_at.get(table.id) is history:
            return None
        self._looked_at[table.id] = history
        known, head = table.key_entries, table.key_head
        entries = len(history.entries)
        table.key_entries, table.key_head = entries, history.substance(entries)
        if not known or (entries >= known and history.substance(known) == head):
            return None
        were = "1 entry" if known == 1 else f"{known} entries"
        return (
            f"the table's key history does not begin with the {were} it had: somebody edited, replaced or took back "
            "the key file, and what it says now cannot be trusted without looking into it"
        )

    def history_of(self, table: TableStream) -> KeyHistory:
        return self._keys.history_of(table.id)

    def is_good(self, table: TableStream, raw: bytes, timestamp_us: int, seq: int) -> bool:
        """Whether the record is signed with a key of the table that was in force at its place."""
        history = self.history_of(table)
        if any(verify(raw, key.verify_key) for key in history.good_at(timestamp_us, seq)):
            return True
        latest = self._keys.latest_of(table.id)  # the key may have come in this very second
        return latest is not history and any(verify(raw, key.verify_key) for key in latest.good_at(timestamp_us, seq))

    def resync_due(self, table: TableStream, arrived: Held) -> bool:
        """Whether an operator ordered the table to go on from this event, and that has not been done yet: it was logged
        after the order took effect, and has the number named; where the table has a key, one from there on that is
        signed with it."""
        history = self.history_of(table)
        ordered = history.resyncs(arrived.timestamp_us)
        if len(ordered) <= table.resyncs:
            return False
        seq = arrived.event.seq
        if history.keys:
            due = seq >= ordered[-1] and arrived.event.sig is not None
            due = due and self.is_good(table, arrived.raw, arrived.timestamp_us, seq)
        else:
            due = seq == ordered[-1]
        if due:
            table.resyncs = len(ordered)
        return due

    def forget_resyncs(self, table: TableStream, timestamp_us: int, seq: int) -> None:
        """The table goes on in order: a resynchronisation that was ordered up to here is not needed any more."""
        ordered = self.history_of(table).resyncs(timestamp_us)
        if ordered and ordered[-1] <= seq:
            table.resyncs = max(table.resyncs, len(ordered))

    def judge(self, table: TableStream, raw: bytes, timestamp_us: int, event: Event) -> Judged:
        """A signed event of the table."""
        seq = event.seq
        if self.is_good(table, raw, timestamp_us, seq):
            table.key_missed = table.unsigned = False
            table.bad_signer = None
            return _GOOD
        history = self._keys.latest_of(table.id)
        for key in history.supervisors_at(timestamp_us, seq):
            if verify(raw, key.verify_key):
                return _SUPERVISED if event.type in SUPERVISED else self._not_a_supervisors(table, key)
        if not history.keys:
            return self.no_key(table, "the event is signed, but")
        if signed_part(raw) is None:
            table.bad_signer = NOBODY
            what = "its sig is not the last member of the event, so it cannot be checked and counts as wrong"
            return Judged(_WRONG, "GATE-001", what)
        for key in (*history.keys, *history.supervisors):
            standing = key.standing(timestamp_us, seq)
            if standing is not Standing.GOOD and verify(raw, key.verify_key):
                return self._out_of_force(table, key, standing)
        return self._another_tables(table, raw)

    def unsigned(self, table: TableStream) -> Judged:
        """An event that table controllers sign came without a signature."""
        if table.unsigned:
            return _NOTHING_NEW
        if not self.history_of(table).keys:
            return self.no_key(table, "the event is not signed, and")
        table.unsigned = True
        what = (
            "an event that the table controller signs came without a signature: it was taken off, or the controller no "
            "longer signs; this is said once, until a good signature comes"
        )
        return Judged(0, "GATE-015", what)

    def no_key(self, table: TableStream, how: str) -> Judged:
        if table.key_missed:
            return _NOTHING_NEW
        table.key_missed = True
        what = (
            f"{how} no key is registered for the table, so nothing it says can be attested; "
            "register the table controller's public key"
        )
        return Judged(0, "GATE-008", what)

    def _out_of_force(self, table: TableStream, key: TableKey, standing: Standing) -> Judged:
        name = key.public_hex[:16]
        signer = f"{standing} {name}"
        if table.bad_signer == signer:
            return _WRONG_AGAIN
        table.bad_signer = signer
        if standing is Standing.REVOKED:
            what = (
                f"it is signed with the key {name}…, which is revoked as of {_any_of(key.revoked)}: whoever holds that "
                "key now may have written it"
            )
            return Judged(_WRONG, "GATE-012", what)
        if standing is Standing.EARLY:
            what = f"it is signed with the key {name}…, which is in force from {key.start} only"
        else:
            what = f"it is signed with the key {name}…, which was retired at {_any_of(key.ends)}"
        return Judged(_WRONG, "GATE-013", what)

    def _not_a_supervisors(self, table: TableStream, key: TableKey) -> Judged:
        name = key.public_hex[:16]
        if table.bad_signer == f"supervisor {name}":
            return _WRONG_AGAIN
        table.bad_signer = f"supervisor {name}"
        what = (
            f"it is signed with the supervisor's key {name}…, which is good for corrections and voids only: what else "
            "happens at the table is the table controller's to say"
        )
        return Judged(_WRONG, "GATE-031", what)

    def _another_tables(self, table: TableStream, raw: bytes) -> Judged:
        """Nobody's key at this table. All others are tried for the first such signature only: it takes a while."""
        known = table.bad_signer
        if known != NOBODY:
            for other, key in self._keys.others(table.id):
                if (known is None or known == other or " " in known) and verify(raw, key.verify_key):
                    table.bad_signer = other
                    if known == other:
                        return _WRONG_AGAIN
                    what = (
                        f"it is signed with the key {key.public_hex[:16]}… of table {other}: that table's controller, "
                        "or whoever holds its key, speaks for this one"
                    )
                    return Judged(_WRONG, "GATE-014", what)
        table.bad_signer = NOBODY
        return Judged(_WRONG, "GATE-001", "its signature does not verify under the key registered for the table")


def _any_of(places: tuple[Place, ...]) -> str:
    return " and ".join(str(place) for place in places)
