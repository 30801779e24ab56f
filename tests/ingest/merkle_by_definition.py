"""Merkle trees exactly as RFC 6962 §2.1 writes them: recursive, slow, sharing no line with the code under test."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence


def mth(entries: Sequence[bytes]) -> bytes:
    """MTH(D[n]), §2.1."""
    if not entries:
        return hashlib.sha256().digest()
    if len(entries) == 1:
        return hashlib.sha256(b"\x00" + entries[0]).digest()
    k = _k(len(entries))
    return hashlib.sha256(b"\x01" + mth(entries[:k]) + mth(entries[k:])).digest()


def path(m: int, entries: Sequence[bytes]) -> list[bytes]:
    """PATH(m, D[n]), §2.1.1."""
    if len(entries) == 1:
        return []
    k = _k(len(entries))
    if m < k:
        return [*path(m, entries[:k]), mth(entries[k:])]
    return [*path(m - k, entries[k:]), mth(entries[:k])]


def proof(m: int, entries: Sequence[bytes]) -> list[bytes]:
    """PROOF(m, D[n]), §2.1.2."""
    return _subproof(m, entries, True)


def _subproof(m: int, entries: Sequence[bytes], whole: bool) -> list[bytes]:
    if m == len(entries):
        return [] if whole else [mth(entries)]
    k = _k(len(entries))
    if m <= k:
        return [*_subproof(m, entries[:k], whole), mth(entries[k:])]
    return [*_subproof(m - k, entries[k:], False), mth(entries[:k])]


def _k(n: int) -> int:
    k = 1
    while k * 2 < n:
        k *= 2
    return k
