"""Merkle trees as RFC 6962 has them: hashes, a tree that grows, and proofs of inclusion and consistency.

A leaf's hash is SHA-256(0x00 ‖ record), a node's SHA-256(0x01 ‖ left ‖ right); a tree of n leaves splits at the largest
power of two below n. *Level* 0 are the leaves, and the node (level, index) stands over the leaves index·2^level to
(index + 1)·2^level − 1. Proofs are made from any function that knows the hash over a range of leaves. Nothing here
knows what a leaf says or where it is kept.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from hashlib import sha256

EMPTY_ROOT = sha256(b"").digest()
HASH_BYTES = 32
MAX_LEVELS = 63

RangeHash = Callable[[int, int], bytes]
"""`hash_of(start, end)`: the tree hash over the leaves from start to end − 1, as if they were a tree of their own."""


def leaf_hash(record: bytes) -> bytes:
    return sha256(b"\x00" + record).digest()


def leaf_hashes(records: Iterable[bytes]) -> list[bytes]:
    hashed = sha256  # a local name: this is called for every record there is
    return [hashed(b"\x00" + record).digest() for record in records]


def node_hash(left: bytes, right: bytes) -> bytes:
    return sha256(b"\x01" + left + right).digest()


def _parents(row: Sequence[bytes]) -> list[bytes]:
    hashed = sha256
    pairs = iter(row)
    return [hashed(b"\x01" + left + right).digest() for left, right in zip(pairs, pairs, strict=False)]


def tree_hash(leaves: Sequence[bytes]) -> bytes:
    """The root over these leaf hashes."""
    if not leaves:
        return EMPTY_ROOT
    row = list(leaves)
    while len(row) > 1:
        above = _parents(row)
        if len(row) % 2:
            above.append(row[-1])  # the odd one moves up as it is
        row = above
    return row[0]


class GrowingTree:
    """A tree that is only ever added to, known by its size and its *peaks*: the complete subtrees it consists of."""

    def __init__(self, size: int = 0, peaks: Sequence[bytes] = ()) -> None:
        """`peaks` are the largest subtree's first, one for each bit of `size`."""
        if size.bit_count() != len(peaks):
            raise ValueError(f"a tree of {size} leaves has {size.bit_count()} peaks, not {len(peaks)}")
        self.size = size
        levels = [level for level in range(size.bit_length()) if size >> level & 1]
        self._at = dict(zip(reversed(levels), peaks, strict=True))  # by level

    def copy(self) -> GrowingTree:
        return GrowingTree(self.size, self.peaks())

    def peaks(self) -> list[bytes]:
        """Largest first."""
        return [self._at[level] for level in sorted(self._at, reverse=True)]

    def root(self) -> bytes:
        peaks = self.peaks()
        if not peaks:
            return EMPTY_ROOT
        root = peaks.pop()
        while peaks:
            root = node_hash(peaks.pop(), root)
        return root

    def extend(self, leaves: Sequence[bytes]) -> list[list[bytes]]:
        """Add these leaf hashes; the nodes this completes, level by level, in order of their index (level 0: `leaves`).

        Level by level and not leaf by leaf: that is half the time.
        """
        self.size += len(leaves)
        completed: list[list[bytes]] = []
        row = list(leaves)
        while row:
            level = len(completed)
            completed.append(row)
            waiting = self._at.pop(level, None)
            whole = row if waiting is None else [waiting, *row]
            if len(whole) % 2:
                self._at[level] = whole[-1]
            row = _parents(whole)
        return completed


def _split(size: int) -> int:
    """The largest power of two below size."""
    return 1 << (size - 1).bit_length() - 1


# --- making proofs ----------------------------------------------------------------------------------------------------


def inclusion_proof(index: int, size: int, hash_of: RangeHash) -> list[bytes]:
    """PATH(index, D[size]) of RFC 6962 §2.1.1: from the leaf's sibling up to the root's child."""
    if not 0 <= index < size:
        raise ValueError(f"leaf {index} is not in a tree of {size}")
    start, end = 0, size
    path = []
    while end - start > 1:
        middle = start + _split(end - start)
        if index < middle:
            path.append(hash_of(middle, end))
            end = middle
        else:
            path.append(hash_of(start, middle))
            start = middle
    return path[::-1]


def consistency_proof(old: int, new: int, hash_of: RangeHash) -> list[bytes]:
    """PROOF(old, D[new]) of RFC 6962 §2.1.2; empty where old is nothing or all of it."""
    if not 0 <= old <= new:
        raise ValueError(f"a tree of {old} leaves cannot become one of {new}")
    if old in (0, new):
        return []
    start, end = 0, new
    path = []
    while end != old:
        middle = start + _split(end - start)
        if old <= middle:
            path.append(hash_of(middle, end))
            end = middle
        else:
            path.append(hash_of(start, middle))
            start = middle
    if start:  # else the old tree is a subtree of its own, and its root is known to whoever checks
        path.append(hash_of(start, end))
    return path[::-1]


# --- checking proofs --------------------------------------------------------------------------------------------------


def root_of_inclusion(leaf: bytes, index: int, size: int, proof: Sequence[bytes]) -> bytes | None:
    """The root that an inclusion proof leads to (RFC 9162 §2.1.3.2); None where it has too few or too many hashes."""
    if not 0 <= index < size:
        return None
    at, last, root = index, size - 1, leaf
    for sibling in proof:
        if last == 0:
            return None
        if at & 1 or at == last:
            root = node_hash(sibling, root)
            while at & 1 == 0 and at != 0:
                at, last = at >> 1, last >> 1
        else:
            root = node_hash(root, sibling)
        at, last = at >> 1, last >> 1
    return root if last == 0 else None


def is_consistent(old: int, old_root: bytes, new: int, new_root: bytes, proof: Sequence[bytes]) -> bool:
    """Whether the proof shows that the tree of `new` leaves begins with that of `old` (RFC 9162 §2.1.4.2)."""
    if not 0 <= old <= new:
        return False
    if old == 0:
        return not proof and old_root == EMPTY_ROOT and (new > 0 or new_root == EMPTY_ROOT)
    if old == new:
        return not proof and old_root == new_root
    path = list(proof)
    if old & (old - 1) == 0:
        path.insert(0, old_root)
    if not path:
        return False
    at, last = old - 1, new - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    from_old = from_new = path[0]
    for sibling in path[1:]:
        if last == 0:
            return False
        if at & 1 or at == last:
            from_old = node_hash(sibling, from_old)
            from_new = node_hash(sibling, from_new)
            while at & 1 == 0 and at != 0:
                at, last = at >> 1, last >> 1
        else:
            from_new = node_hash(from_new, sibling)
        at, last = at >> 1, last >> 1
    return last == 0 and from_old == old_root and from_new == new_root
