"""How events are chained, signed and named."""

from __future__ import annotations

import hashlib
import json
import uuid

import pytest
from nacl.signing import SigningKey

from ingest.chain import GENESIS, event_hash, public_hex, public_key, sign, signed_part, uuid7, verify
from tests.ingest.device import TableDevice

KEY = SigningKey(bytes(range(32)))
BODY = b'{"seq":1,"data":{}}'


def test_a_hash_is_the_sha256_of_the_exact_bytes() -> None:
    assert event_hash(BODY) == hashlib.sha256(BODY).hexdigest()
    assert len(GENESIS) == 64 and set(GENESIS) == {"0"}


def test_a_signature_is_the_last_member_and_is_over_the_rest() -> None:
    raw = sign(BODY, KEY)
    said = json.loads(raw)
    assert list(said) == ["seq", "data", "sig"]
    assert len(said.pop("sig")) == 128
    assert signed_part(raw) == BODY
    assert verify(raw, KEY.verify_key)
    assert sign(BODY, KEY) == raw, "Ed25519 signs the same bytes the same way"


def test_a_signature_is_the_one_another_implementation_makes() -> None:
    """Made once with OpenSSL from the same key and bytes: RFC 8032 leaves a signer no choice."""
    made = (
        "8f9019310d2b9f73497060f40ca9136f87d44ee9996b736215aabe4b4b118e51"
        "4390be75373ea2f63132d95116288c3149863023f036838abf7e08c9909a7007"
    )
    assert public_hex(KEY) == "03a107bff3ce10be1d70dd18e74bc09967e4d6309ba50d5f1ddc8664125531b8"
    assert sign(BODY, KEY) == BODY[:-1] + b',"sig":"' + made.encode() + b'"}'


def test_any_changed_byte_breaks_the_signature() -> None:
    raw = sign(BODY, KEY)
    for place in range(len(raw)):
        changed = raw[:place] + bytes([raw[place] ^ 1]) + raw[place + 1 :]
        assert not verify(changed, KEY.verify_key), place


def test_another_key_does_not_verify() -> None:
    assert not verify(sign(BODY, KEY), SigningKey.generate().verify_key)


@pytest.mark.parametrize(
    "raw",
    [
        b"",
        b"{}",
        BODY,
        b'{"sig":"' + b"0" * 128 + b'","seq":1}',
        sign(BODY, KEY) + b"\n",
        sign(BODY, KEY).replace(b'"sig":"', b'"sig": "'),
        sign(BODY, KEY)[:-2].upper() + b'"}',
    ],
)
def test_a_signature_in_any_other_form_is_none(raw: bytes) -> None:
    assert signed_part(raw) is None
    assert not verify(raw, KEY.verify_key)


def test_only_an_object_with_members_can_be_signed() -> None:
    for body in (b"", b"{}", b"[1]", b'{"a":1} '):
        with pytest.raises(ValueError, match="to be signed"):
            sign(body, KEY)


def test_public_keys_are_exchanged_as_hex() -> None:
    digits = public_hex(KEY)
    assert digits == public_hex(KEY.verify_key)
    assert public_hex(public_key(digits)) == digits
    for bad in ("", "12", digits.upper(), digits[:-1] + "g", digits + "00", digits + "\n"):
        with pytest.raises(ValueError, match="is not an Ed25519 public key"):
            public_key(bad)


def test_an_id_is_a_version_7_uuid_of_the_time() -> None:
    text = uuid7(1_793_563_200_123_456, bytes(range(10)))
    made = uuid.UUID(text)
    assert str(made) == text
    assert made.version == 7 and made.variant == uuid.RFC_4122
    assert made.int >> 80 == 1_793_563_200_123
    assert uuid7(1_793_563_200_123_456, bytes(range(10))) == text
    assert uuid7(1_793_563_200_123_456, b"\xff" * 10) != text
    with pytest.raises(ValueError, match="10 random bytes, not 3"):
        uuid7(0, b"abc")
    with pytest.raises(ValueError, match="48-bit"):
        uuid7(-1, bytes(10))


def test_the_tests_own_table_keeps_the_rules() -> None:
    device = TableDevice()
    last = GENESIS
    for seq, raw in enumerate(device.rounds(3)):
        said = json.loads(raw)
        assert (said["seq"], said["prevhash"]) == (seq, last)
        assert ("sig" in said) == (said["type"] == "muckraker.round.closed.v1")
        last = event_hash(raw)
