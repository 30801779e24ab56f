"""How an event's bytes are chained, signed and named: the few lines a device vendor has to get exactly right.

The hash of an event is the SHA-256 of its exact bytes; `prevhash` is the hash of the event before it on the same
table, and GENESIS for the table's first (seq 0). A signature is the last member of the JSON object, with no blanks,
`,"sig":"<128 lowercase hex digits>"}`; what is signed are the bytes with that member taken out again. Nothing here
knows what an event says.
"""

from __future__ import annotations

import re
from hashlib import sha256

from nacl.bindings import crypto_core_ed25519_is_valid_point
from nacl.exceptions import BadSignatureError
from nacl.signing import SigningKey, VerifyKey  # libsodium: half the time of OpenSSL for a signature, measured

GENESIS = "0" * 64

_SIG_HEAD = b',"sig":"'
_SIG_TAIL = b'"}'
_SIG_HEX_DIGITS = 128  # an Ed25519 signature is 64 bytes
_SIG_LENGTH = len(_SIG_HEAD) + _SIG_HEX_DIGITS + len(_SIG_TAIL)
_SIG_MEMBER = re.compile(rb',"sig":"([0-9a-f]{128})"\}\Z')
_PUBLIC_HEX = re.compile(r"[0-9a-f]{64}\Z")


def event_hash(raw: bytes) -> str:
    """The hash of an event: SHA-256 of its exact bytes, in lowercase hex."""
    return sha256(raw).hexdigest()


def signed_part(raw: bytes) -> bytes | None:
    """The bytes a signed event's signature is over, or None when `sig` is not its last member in the form above."""
    if _SIG_MEMBER.match(raw, max(len(raw) - _SIG_LENGTH, 0)) is None:
        return None
    return raw[:-_SIG_LENGTH] + b"}"


def sign(body: bytes, key: SigningKey) -> bytes:
    """The event `body` (unsigned, ending in `}`) with its signature as the last member."""
    if not body.endswith(b"}") or len(body) <= 2:
        raise ValueError(f"an event to be signed is a JSON object with members ending in '}}', not {body[-40:]!r}")
    return body[:-1] + _SIG_HEAD + key.sign(body).signature.hex().encode() + _SIG_TAIL


def verify(raw: bytes, key: VerifyKey) -> bool:
    """Whether the event's signature is the holder's of `key`, over exactly these bytes."""
    message = signed_part(raw)
    if message is None:
        return False
    signature = bytes.fromhex(raw[len(raw) - _SIG_LENGTH + len(_SIG_HEAD) : -len(_SIG_TAIL)].decode("ascii"))
    try:
        key.verify(message, signature)
    except BadSignatureError:
        return False
    return True


def public_key(public_hex: str) -> VerifyKey:
    """A public key from the 64 hex digits it is exchanged as; a ValueError says what is wrong with them."""
    if _PUBLIC_HEX.match(public_hex) is None:
        raise ValueError(
            f"{public_hex[:80]!r} is not an Ed25519 public key: write its 32 bytes as 64 lowercase hex digits"
        )
    point = bytes.fromhex(public_hex)
    if not crypto_core_ed25519_is_valid_point(point):  # a weak one would let anybody's signature pass
        raise ValueError(f"{public_hex} is not an Ed25519 public key: these 32 bytes are no key anybody can sign with")
    return VerifyKey(point)


def public_hex(key: VerifyKey | SigningKey) -> str:
    """The 64 hex digits a public key (or a private key's public half) is exchanged as."""
    return bytes(key.verify_key if isinstance(key, SigningKey) else key).hex()


def uuid7(time_us: int, random: bytes) -> str:
    """An event id, UUID version 7: the time to the millisecond, then 74 of the 80 given random bits."""
    if len(random) != 10:
        raise ValueError(f"a version 7 UUID takes 10 random bytes, not {len(random)}")
    time_ms = time_us // 1000
    if not 0 <= time_ms < 1 << 48:
        raise ValueError(f"{time_us} microseconds since 1970 do not fit the 48-bit milliseconds of a UUID")
    noise = int.from_bytes(random, "big")
    rand_a, rand_b = noise >> 68, noise & ((1 << 62) - 1)
    number = time_ms << 80 | 0x7 << 76 | rand_a << 64 | 0b10 << 62 | rand_b
    text = f"{number:032x}"
    return f"{text[:8]}-{text[8:12]}-{text[12:16]}-{text[16:20]}-{text[20:]}"
