"""Supervisors' keys: good for corrections and voids of their table, and for nothing else."""

from __future__ import annotations

import pytest
from nacl.signing import SigningKey

from ingest.chain import public_hex, sign
from ingest.gate.gate import Gate
from ingest.key_history import KeyHistory, KeyHistoryError, Place, history_from
from ingest.log import LogRecord
from schemas.admitted import Admitted, AdmittedFlag
from tests.ingest.device import TableDevice
from tests.ingest.key_rings import MemoryKeys

SUPERVISOR = SigningKey(bytes(range(32)))


def judged(kind: str, history: KeyHistory, device: TableDevice, **data: object) -> tuple[Admitted, list[str]]:
    """One round and then an event signed by the supervisor: its flags, and the codes found."""
    keys = MemoryKeys()
    keys.histories[device.table_id] = history
    gate = Gate(keys)
    said = device.round()
    device.signs = False
    said.append(sign(device.say(kind, "000001", **data), SUPERVISOR))
    released: list[Admitted] = []
    for offset, raw in enumerate(said):
        released += gate.admit(LogRecord(offset, 1_000 + offset, device.table_id, raw))
    return released[-1], [finding.code for finding in gate.take_findings()]


def supervised(device: TableDevice) -> KeyHistory:
    history = KeyHistory(device.table_id).added(device.public_hex, None, "", None)
    return history.supervised(public_hex(SUPERVISOR), None, "badge S-031", None)


def test_a_correction_with_a_supervisors_key_is_vouched_for_by_itself_alone() -> None:
    device = TableDevice()
    correction = {"corrects_seq": 2, "reason": "misread", "by": "S-031"}
    admitted, codes = judged("round.corrected", supervised(device), device, **correction)
    assert admitted.flags == AdmittedFlag.ATTESTED | AdmittedFlag.SUPERVISOR
    assert admitted.vouched == (admitted.event.seq, admitted.event.seq)
    assert codes == []


@pytest.mark.parametrize("kind", ["round.closed", "bets.closed"])
def test_it_is_good_for_nothing_else(kind: str) -> None:
    device = TableDevice()
    admitted, codes = judged(kind, supervised(device), device)
    assert admitted.flags & AdmittedFlag.BAD_SIGNATURE and not admitted.flags & AdmittedFlag.ATTESTED
    assert codes == ["GATE-031"] and admitted.vouched is None


def test_a_revoked_supervisor_corrects_nothing() -> None:
    device = TableDevice()
    history = supervised(device).revoked(public_hex(SUPERVISOR), Place(seq=0), "left the house", None)
    correction = {"corrects_seq": 2, "reason": "misread", "by": "S-031"}
    admitted, codes = judged("round.corrected", history, device, **correction)
    assert not admitted.flags & AdmittedFlag.ATTESTED and codes == ["GATE-012"]


def test_the_history_keeps_the_role_and_says_whose_key_it_is() -> None:
    history = supervised(TableDevice())
    again = history_from(history.table_id, history.document())
    assert [entry.action for entry in again.entries] == ["add", "supervise"]
    assert len(again.keys) == len(again.supervisors) == 1
    with pytest.raises(KeyHistoryError, match="say whose key it is"):
        history.supervised(public_hex(SigningKey(bytes(32))), None, "", None)
