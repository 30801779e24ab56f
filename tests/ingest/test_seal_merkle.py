from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.seal.merkle import (
    EMPTY_ROOT,
    GrowingTree,
    consistency_proof,
    inclusion_proof,
    is_consistent,
    leaf_hash,
    leaf_hashes,
    root_of_inclusion,
    tree_hash,
)
from ingest.seal.note import NoteError
from ingest.seal.segment_seal import KEPT_LEVEL, KeptHashes, kept_hashes, merged_hashes
from tests.ingest import merkle_by_definition as slow

# The eight inputs and the roots of their trees that every Certificate Transparency implementation is tested with.
INPUTS = [
    bytes.fromhex(text)
    for text in ("", "00", "10", "2021", "3031", "40414243", "5051525354555657", "606162636465666768696a6b6c6d6e6f")
]
ROOTS = [
    "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
    "6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
    "fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
    "aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
    "4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
    "76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
    "ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
    "5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
]
# The published audit path of input 5 in the tree of 8, and the proof from 6 to 8.
PATH_5_OF_8 = [
    "bc1a0643b12e4d2d7c77918f44e0f4f79a838b6cf9ec5b5c283e1f4d88599e6b",
    "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
]
PROOF_6_TO_8 = [
    "0ebc5d3437fbe2db158b9f126a1d118e308181031d0a949f8dededebc558ef6a",
    "ca854ea128ed050b41b35ffc1b87b8eb2bde461e9e3b5596ece6b9d5975a0ae0",
    "d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
]


def records(count: int, seed: int = 1) -> list[bytes]:
    chance = random.Random(seed)
    return [chance.randbytes(chance.randrange(40)) for _ in range(count)]


def range_hash(entries: list[bytes], start: int, end: int) -> bytes:
    return slow.mth(entries[start:end])


def test_the_published_roots() -> None:
    tree = GrowingTree()
    assert tree.root().hex() == ROOTS[0] == EMPTY_ROOT.hex()
    for size, record in enumerate(INPUTS, 1):
        tree.extend([leaf_hash(record)])
        assert (tree.size, tree.root().hex()) == (size, ROOTS[size])
        assert tree_hash(leaf_hashes(INPUTS[:size])).hex() == ROOTS[size]
        assert slow.mth(INPUTS[:size]).hex() == ROOTS[size]  # so is what the other tests compare with


def test_the_published_proofs() -> None:
    def hash_of(start: int, end: int) -> bytes:
        return range_hash(INPUTS, start, end)

    assert [one.hex() for one in inclusion_proof(5, 8, hash_of)] == PATH_5_OF_8
    assert [one.hex() for one in consistency_proof(6, 8, hash_of)] == PROOF_6_TO_8


@given(st.lists(st.integers(0, 700), max_size=6), st.integers(0, 1 << 30))
@settings(deadline=None, max_examples=60)
def test_a_tree_grown_in_any_pieces_is_the_tree(pieces: list[int], seed: int) -> None:
    everything = records(sum(pieces), seed)
    tree, at = GrowingTree(), 0
    for piece in pieces:
        tree.extend(leaf_hashes(everything[at : at + piece]))
        at += piece
        tree = GrowingTree(tree.size, tree.peaks())  # as it comes back from a file
    assert tree.root() == slow.mth(everything)


@given(st.integers(1, 300), st.data())
@settings(deadline=None, max_examples=120)
def test_inclusion_proofs_are_those_of_the_definition_and_hold(size: int, data: st.DataObject) -> None:
    index = data.draw(st.integers(0, size - 1))
    entries = records(size)
    proof = inclusion_proof(index, size, lambda start, end: range_hash(entries, start, end))
    assert proof == slow.path(index, entries)
    root = slow.mth(entries)
    leaf = leaf_hash(entries[index])
    assert root_of_inclusion(leaf, index, size, proof) == root
    # And nothing else does: another record, place, size, or a proof with a bit changed, a hash less or one more.
    assert root_of_inclusion(leaf_hash(b"another record"), index, size, proof) != root
    for elsewhere in {index - 1, index + 1, size, -1} - {index}:
        assert root_of_inclusion(leaf, elsewhere, size, proof) != root
    assert root_of_inclusion(leaf, index, size, [*proof, EMPTY_ROOT]) != root
    if proof:
        at = data.draw(st.integers(0, len(proof) - 1))
        bent = [*proof]
        bent[at] = bytes([bent[at][0] ^ 1]) + bent[at][1:]
        assert root_of_inclusion(leaf, index, size, bent) != root
        assert root_of_inclusion(leaf, index, size, proof[:-1]) != root


@given(st.integers(1, 300), st.data())
@settings(deadline=None, max_examples=120)
def test_consistency_proofs_are_those_of_the_definition_and_hold(new: int, data: st.DataObject) -> None:
    old = data.draw(st.integers(1, new))
    entries = records(new)
    proof = consistency_proof(old, new, lambda start, end: range_hash(entries, start, end))
    assert proof == slow.proof(old, entries)
    old_root, new_root = slow.mth(entries[:old]), slow.mth(entries)
    assert is_consistent(old, old_root, new, new_root, proof)
    assert not is_consistent(old, EMPTY_ROOT, new, new_root, proof)
    assert not is_consistent(old, old_root, new, EMPTY_ROOT, proof)
    assert not is_consistent(old, old_root, new, new_root, [*proof, EMPTY_ROOT])
    assert not is_consistent(new + 1, old_root, new, new_root, proof)
    if proof:
        at = data.draw(st.integers(0, len(proof) - 1))
        bent = [*proof]
        bent[at] = bytes([bent[at][0] ^ 1]) + bent[at][1:]
        assert not is_consistent(old, old_root, new, new_root, bent)
        assert not is_consistent(old, old_root, new, new_root, proof[:-1])


def test_the_empty_tree_is_consistent_with_any_and_needs_no_proof() -> None:
    root = slow.mth(INPUTS)
    assert is_consistent(0, EMPTY_ROOT, 8, root, []) and is_consistent(0, EMPTY_ROOT, 0, EMPTY_ROOT, [])
    assert not is_consistent(0, root, 8, root, []) and not is_consistent(0, EMPTY_ROOT, 8, root, [root])
    assert not is_consistent(0, EMPTY_ROOT, 0, root, []) and not is_consistent(9, root, 8, root, [])


@pytest.mark.parametrize(("index", "size"), [(-1, 4), (4, 4), (0, 0)])
def test_no_proof_of_a_leaf_that_is_not_there(index: int, size: int) -> None:
    with pytest.raises(ValueError, match="is not in a tree of"):
        inclusion_proof(index, size, lambda start, end: b"")


def test_a_tree_cannot_shrink() -> None:
    with pytest.raises(ValueError, match="cannot become one of 3"):
        consistency_proof(4, 3, lambda start, end: b"")
    with pytest.raises(ValueError, match="has 2 peaks, not 1"):
        GrowingTree(5, [EMPTY_ROOT])


# --- what a segment keeps ---------------------------------------------------------------------------------------------


@given(st.lists(st.integers(1, 900), min_size=1, max_size=5))
@settings(deadline=None, max_examples=40)
def test_the_kept_nodes_are_found_again_in_one_segment_or_merged(pieces: list[int]) -> None:
    """Each kept node, wherever segments were cut, is the hash over its records by definition."""
    everything = records(sum(pieces))
    tree, at, parts = GrowingTree(), 0, []
    for piece in pieces:
        completed = tree.extend(leaf_hashes(everything[at : at + piece]))
        parts.append(KeptHashes(at, at + piece, kept_hashes(completed, tree)))
        at += piece
    merged = KeptHashes(0, at, merged_hashes(parts))
    assert parts[-1].tree().root() == merged.tree().root() == slow.mth(everything)
    nodes = 0
    for level in range(KEPT_LEVEL, at.bit_length()):
        for index in range(at >> level):
            wanted = slow.mth(everything[index << level : (index + 1) << level])
            last = ((index + 1) << level) - 1
            (part,) = (part for part in parts if part.start <= last < part.end)
            assert part.node(level, index) == merged.node(level, index) == wanted
            nodes += 1
    assert len(merged.data) == 32 * (nodes + at.bit_count())


def test_kept_hashes_of_another_length_or_of_no_neighbours_are_refused() -> None:
    with pytest.raises(NoteError, match="it has 31 bytes; leaves 0 to 0 need 32"):
        KeptHashes(0, 1, bytes(31))
    with pytest.raises(NoteError, match="are no neighbours"):
        merged_hashes([KeptHashes(0, 1, bytes(32)), KeptHashes(2, 3, bytes(64))])
    with pytest.raises(KeyError):
        KeptHashes(0, 1, bytes(32)).node(8, 0)
