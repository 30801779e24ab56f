"""The program a third party checks proofs with: by itself, without anything of ours, and as strict as we are."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ingest.lake import Lake
from ingest.seal import standalone_verifier
from ingest.seal.checkpoint import SignedCheckpoint
from ingest.seal.lake_tree import LakeTree
from ingest.seal.note import Note, NoteError, parse_signature
from ingest.seal.proof import GrowthProof, RecordProof
from ingest.seal.signer import new_key, signed
from ingest.seal.witness import Witness
from tests.ingest import merkle_by_definition as slow
from tests.ingest.sealed_lake import TOPIC, make_lake

SCRIPT = Path(standalone_verifier.__file__)

# What the program may import: Python itself, `cryptography` and what that stands on.
FENCED = """
import sys, runpy
class Fence:
    allowed = set(sys.stdlib_module_names) | {"cryptography", "_cffi_backend", "cffi", "pycparser", "typing_extensions"}
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] not in self.allowed:
            raise ImportError(f"{name} is not to be had")
        return None
sys.meta_path.insert(0, Fence())
for ours in ("ingest", "schemas", "console", "nacl", "orjson", "pyarrow"):
    try:
        __import__(ours)
    except ImportError:
        continue
    raise SystemExit(f"{ours} could be imported")
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")
"""


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Lake:
    return make_lake(tmp_path_factory.mktemp("standalone"))


@pytest.fixture
def tree(lake: Lake) -> LakeTree:
    return LakeTree(lake, TOPIC, 0, lake.keys())


@pytest.fixture
def program(tmp_path: Path) -> ModuleType:
    """A copy of it, loaded from where nothing else of ours is."""
    spec = importlib.util.spec_from_file_location("copied", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def handed_over(tree: LakeTree, folder: Path, *offsets: int, checkpoint: SignedCheckpoint | None = None) -> Path:
    folder.mkdir()
    (folder / "check.py").write_bytes(SCRIPT.read_bytes())
    for offset in offsets:
        record, proof = tree.prove_record(offset, checkpoint)
        (folder / f"record-{offset}").write_bytes(record)
        (folder / f"record-{offset}.tlog-proof").write_bytes(proof.encoded())
    return folder


def run(folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """In a process that can import nothing of ours, as the stranger's machine would."""
    return subprocess.run(
        [sys.executable, "-I", "-c", FENCED, str(folder / "check.py"), *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def test_a_stranger_can_check_proofs_with_python_and_cryptography_alone(tree: LakeTree, tmp_path: Path) -> None:
    folder = handed_over(tree, tmp_path / "given", 0, 2, 4, 6, 255, 256, 399)
    done = run(folder, "--vkey", str(tree.key), ".")
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("proved      ") == 7 and "7 of 7 proved" in done.stdout
    assert f"of the 400 records of {tree.key.name}, signed by log {tree.key.name}" in done.stdout
    # Another key, by the same name or not, is not believed; nor is a record that was changed.
    for other in (new_key(tree.key.name), new_key()):
        line = str(type(tree.key)(other.name, other.public))
        done = run(folder, "--vkey", line, ".")
        assert done.returncode == 1 and "0 of 7 proved, 7 NOT PROVED" in done.stdout
    (folder / "record-4").write_bytes((folder / "record-4").read_bytes().replace(b'"seq":', b'"seq": '))
    done = run(folder, "--vkey", str(tree.key), ".")
    assert done.returncode == 1 and "6 of 7 proved, 1 NOT PROVED" in done.stdout
    assert "record-4.tlog-proof: the record is not the one that was sealed" in done.stdout


def test_wrong_usage_is_another_exit_code_than_a_wrong_proof(tree: LakeTree, tmp_path: Path) -> None:
    folder = handed_over(tree, tmp_path / "given", 1)
    assert run(folder, ".").returncode == 2  # no key
    assert run(folder, "--vkey", "nonsense", ".").returncode == 2
    assert run(folder, "--vkey", f"{tree.key}x", ".").returncode == 2
    (tmp_path / "empty").mkdir()
    done = run(folder, "--vkey", str(tree.key), str(tmp_path / "empty"))
    assert done.returncode == 2 and "there is no proof there" in done.stderr
    done = run(folder, "--vkey", str(tree.key), "nowhere.tlog-proof")
    assert done.returncode == 1 and "No such file" in done.stdout


def test_it_says_whether_the_events_of_a_table_are_complete(tree: LakeTree, tmp_path: Path) -> None:
    """The fifth record of two tables' interleaved events is a refused one; 10 to 30 are events in order."""
    folder = handed_over(tree, tmp_path / "given", *range(10, 30))
    done = run(folder, "--vkey", str(tree.key), ".")
    assert done.returncode == 0 and done.stdout.count("is complete; each names the hash of the one before it") == 2
    (folder / "record-16").unlink()
    (folder / "record-16.tlog-proof").unlink()
    done = run(folder, "--vkey", str(tree.key), ".")
    assert done.returncode == 0 and "not every event from seq" in done.stdout


def test_witnesses_are_demanded(lake: Lake, tree: LakeTree, tmp_path: Path) -> None:
    witnesses = [Witness.make(tmp_path / name, f"witness.example/{name}") for name in ("w1", "w2")]
    for witness in witnesses:
        witness.trust(tree.key)
    newest = tree.newest()
    answer = witnesses[0].add_checkpoint(GrowthProof(0, (), newest).encoded())
    line = parse_signature(answer.body.removesuffix("\n"))
    note = Note(newest.note.text, (*newest.note.signatures, line))
    folder = handed_over(tree, tmp_path / "given", 7, checkpoint=SignedCheckpoint.parse(note.encoded()))
    keys = [argument for witness in witnesses for argument in ("--witness", str(witness.verifier()))]
    done = run(folder, "--vkey", str(tree.key), *keys[:2], ".")
    assert done.returncode == 0 and "witness witness.example/w1 at 20" in done.stdout
    done = run(folder, "--vkey", str(tree.key), *keys, ".")
    assert done.returncode == 1 and "1 of your witnesses signed it, and you asked for 2" in done.stdout
    assert run(folder, "--vkey", str(tree.key), *keys, "--need", "1", ".").returncode == 0
    assert run(folder, "--vkey", keys[1], ".").returncode == 2  # a witness's key is no log's


def test_growth_is_checked_from_the_older_checkpoint(tree: LakeTree, tmp_path: Path) -> None:
    folder = handed_over(tree, tmp_path / "given")
    (folder / "growth").write_bytes(tree.prove_growth(40).encoded())
    (folder / "older").write_bytes(tree.checkpoints(0)[0].note.encoded())
    (folder / "other").write_bytes(tree.checkpoints(1)[0].note.encoded())
    done = run(folder, "--vkey", str(tree.key), "--older", "older", "growth")
    assert done.returncode == 0 and "the first 40 records are those that were signed for before" in done.stdout
    done = run(folder, "--vkey", str(tree.key), "--older", "other", "growth")
    assert done.returncode == 1 and "the older checkpoint is another" in done.stdout
    done = run(folder, "--vkey", str(tree.key), "growth")
    assert done.returncode == 1 and "give the older checkpoint with --older" in done.stdout


def test_a_fork_does_not_pass_for_growth(tree: LakeTree, program: ModuleType) -> None:
    """The lake's own key signs another tree of 40 records; the proof from there cannot be made, and none passes."""
    key = program.read_key(str(tree.key))
    forged = new_key(tree.key.name)
    line = program.read_key(str(type(tree.key)(tree.key.name, forged.public)))
    said = tree.checkpoints(0)[0].checkpoint
    other = type(said)(said.origin, said.size, slow.mth([b"another"] * 40))
    older = signed(other.text(), other.origin, forged).encoded()
    with pytest.raises(program.NotProved, match="does not begin with the older one"):
        program.check_growth(tree.prove_growth(40).encoded(), older, [key, line], [], 0)


def test_no_bit_of_a_proof_or_a_record_can_change(tree: LakeTree, program: ModuleType) -> None:
    """Exhaustive, and our own reader refuses the same."""
    record, proof = tree.prove_record(257)
    data = proof.encoded()
    keys = [program.read_key(str(tree.key))]
    assert program.check_record(record, data, keys, [], 0).at == 257
    for at in range(len(data)):
        bent = data[:at] + bytes([data[at] ^ 1 << at % 8]) + data[at + 1 :]
        with pytest.raises(program.NotProved):
            program.check_record(record, bent, keys, [], 0)
        assert not _ours_accepts(tree, record, bent), at
    for at in range(len(record)):
        with pytest.raises(program.NotProved):
            program.check_record(record[:at] + bytes([record[at] ^ 1]) + record[at + 1 :], data, keys, [], 0)
    for length in range(len(data)):
        with pytest.raises(program.NotProved):
            program.check_record(record, data[:length], keys, [], 0)


def _ours_accepts(tree: LakeTree, record: bytes, data: bytes) -> bool:
    try:
        proof = RecordProof.parse(data)
        proof.checkpoint.verify([tree.key])
    except NoteError:
        return False
    return proof.shows(record)


@given(st.binary(max_size=400))
@settings(deadline=None, max_examples=200)
def test_no_bytes_whatever_crash_it(data: bytes) -> None:
    for proof in (data, b"c2sp.org/tlog-proof@v1\nindex 0\n\n" + data, b"old 0\n\n" + data):
        with pytest.raises(standalone_verifier.NotProved):
            standalone_verifier.check_record(b"", proof, [], [], 0)
        with pytest.raises(standalone_verifier.NotProved):
            standalone_verifier.check_growth(proof, None, [], [], 0)


@given(st.integers(1, 200), st.data())
@settings(deadline=None, max_examples=80)
def test_it_walks_proofs_as_rfc_6962_defines_them(size: int, data: st.DataObject) -> None:
    entries = [b"%d" % number for number in range(size)]
    index, old = data.draw(st.integers(0, size - 1)), data.draw(st.integers(1, size))
    root = slow.mth(entries)
    found = standalone_verifier.root_from(slow.mth([entries[index]]), index, size, slow.path(index, entries))
    assert found == root
    proof = slow.proof(old, entries)
    was = slow.mth(entries[:old])
    assert standalone_verifier.roots_from(old, size, proof, True, was) == (was, root)
