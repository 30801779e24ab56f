from __future__ import annotations

import stat
import threading
from contextlib import suppress
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from hypothesis import given
from hypothesis import strategies as st

from ingest.seal.checkpoint import Checkpoint, SignedCheckpoint, parse_checkpoints
from ingest.seal.merkle import EMPTY_ROOT
from ingest.seal.note import COSIGNATURE, Note, NoteError, VerifierKey, parse_note, verify_note
from ingest.seal.proof import GrowthProof, RecordProof
from ingest.seal.signer import (
    LakeKeys,
    SealKeyError,
    SecretKey,
    new_key,
    public_path,
    read_key,
    read_or_make_key,
    read_public,
    signed,
)

# golang.org/x/mod/sumdb/note, example_test.go
PETER_SECRET = "PRIVATE+KEY+PeterNeumann+c74f20a3+AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz"
PETER_PUBLIC = "PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW"
PETER_TEXT = "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n"
PETER_LINE = (
    "— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n"
)
# C2SP signed-note, Example
EXAMPLE_KEY = "example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k"
EXAMPLE_NOTE = (
    "This is an example message.\n"
    "\n"
    "— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=\n"
)
# A checkpoint of Go's checksum database, as filippo.io/torchwood is tested with (cmd/litewitness/testdata/sumdb.txt).
SUMDB_KEY = "sum.golang.org+033de0ae+Ac4zctda0e5eza+HJyk9SxEdh+s3Ux18htTTAD8OuAn8"
SUMDB_NOTE = (
    "go.sum database tree\n"
    "35225469\n"
    "vt5T6GaLCXvyHFl9VUvvItR43XZxfLgftEcTyO3eJCQ=\n"
    "\n"
    "— sum.golang.org Az3grpukl5AXaVfYkLiDGORx/DN2nlcS5kZHR5uYOBV2KA2HgXpD+gu9HHONebHLAyaKbbTM75QTtPydhKCExixSfwQ=\n"
)
# C2SP tlog-checkpoint and tlog-cosignature: their keys are not published, their form is.
SOFA = (
    "example.com/behind-the-sofa\n"
    "20852163\n"
    "CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n"
    "\n"
    "— example.com/behind-the-sofa "
    "Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=\n"
    "— witness.example.com/w1 jWbPPwAAAABkGFDLEZMHwSRaJNiIDoe9DYn/zXcrtPHeolMI5OWXEhZCB9dlrDJsX3b2oyin1nPZ"
    "qhf5nNo0xUe+mbIUBkBIfZ+qnA==\n"
)


@pytest.mark.parametrize(
    ("note", "key"),
    [(PETER_TEXT + "\n" + PETER_LINE, PETER_PUBLIC), (EXAMPLE_NOTE, EXAMPLE_KEY), (SUMDB_NOTE, SUMDB_KEY)],
)
def test_published_notes_verify_under_their_published_keys(note: str, key: str) -> None:
    parsed = parse_note(note.encode())
    ((who, line),) = verify_note(parsed, [VerifierKey.parse(key)])
    assert (str(who), str(parsed), line.name) == (key, note, key.split("+")[0])


def test_signing_gives_the_published_signature() -> None:
    key = SecretKey.parse(PETER_SECRET)
    assert key.line == PETER_SECRET and str(VerifierKey(key.name, key.public)) == PETER_PUBLIC
    assert str(signed(PETER_TEXT, key.name, key)) == PETER_TEXT + "\n" + PETER_LINE


def test_a_published_checkpoint_is_read() -> None:
    sumdb = SignedCheckpoint.parse(SUMDB_NOTE.encode())
    sumdb.verify([VerifierKey.parse(SUMDB_KEY)])
    assert (sumdb.checkpoint.origin, sumdb.checkpoint.size) == ("go.sum database tree", 35225469)
    said = SignedCheckpoint.parse(SOFA.encode())
    assert (said.checkpoint.origin, said.checkpoint.size) == ("example.com/behind-the-sofa", 20852163)
    assert str(said.note) == SOFA and said.checkpoint.text() == SOFA.split("\n\n")[0] + "\n"
    witness = said.note.signatures[1]
    assert int.from_bytes(witness.signature[:8], "big") == 1679315147  # as the specification says it signed


def test_any_bit_changed_in_a_note_is_seen() -> None:
    """Exhaustive: no byte of a signed note can change without the note being refused."""
    note = EXAMPLE_NOTE.encode()
    key = VerifierKey.parse(EXAMPLE_KEY)
    for at in range(len(note)):
        for bit in range(8):
            bent = note[:at] + bytes([note[at] ^ 1 << bit]) + note[at + 1 :]
            with pytest.raises(NoteError):
                verify_note(parse_note(bent), [key])


@pytest.mark.parametrize(
    ("note", "why"),
    [
        ("", "not a signed note"),
        ("text\n", "not a signed note"),
        ("text\n\n", "not a signature line"),
        ("text\n\n— name\n", "not a signature line"),
        ("text\n\n- name AAAAAAAA\n", "not a signature line"),
        ("text\n\n— name AAAAAAAA", "not a signed note"),
        ("text\n\n— na+me AAAAAAAA\n", "cannot be a key's name"),
        ("text\n\n— name AAAA\n", "too short"),
        ("text\n\n— name AAAAAAA\n", "not base64"),
        ("text\n\n— name AAAAAAB=\n", "exact form"),
        ("te\txt\n\n— name AAAAAAAA\n", "control characters"),
        ("\n\n— name AAAAAAAA\n", "not a signed note"),
        ("text\n\n" + "— name AAAAAAAA\n" * 65, "65 signatures"),
        ("text" * 70_000 + "\n\n— name AAAAAAAA\n", "a note has 262144 at most"),
    ],
)
def test_what_is_not_a_note_says_why(note: str, why: str) -> None:
    with pytest.raises(NoteError, match=why):
        parse_note(note.encode())
    with pytest.raises(NoteError, match="not UTF-8"):
        parse_note(b"\xff" + note.encode()[:60_000])


@given(st.binary(max_size=300))
def test_no_bytes_whatever_crash_the_readers(data: bytes) -> None:
    for parse in (parse_note, SignedCheckpoint.parse, parse_checkpoints, RecordProof.parse, GrowthProof.parse):
        with suppress(NoteError):
            parse(data)


def test_signatures_of_strangers_are_passed_over_and_a_wrong_one_spoils_the_note() -> None:
    peter, example = VerifierKey.parse(PETER_PUBLIC), VerifierKey.parse(EXAMPLE_KEY)
    both = parse_note((PETER_TEXT + "\n" + PETER_LINE + EXAMPLE_NOTE.split("\n\n")[1]).encode())
    assert [key.name for key, _ in verify_note(both, [peter])] == ["PeterNeumann"]
    with pytest.raises(NoteError, match=r"the signature of example\.com/foo .* does not hold"):
        verify_note(both, [peter, example])
    with pytest.raises(NoteError, match=r"it is signed by PeterNeumann .* and not by other"):
        verify_note(both, [VerifierKey("other", peter.public)])
    with pytest.raises(NoteError, match="not by nobody"):
        verify_note(both, [])


@pytest.mark.parametrize(
    "line",
    [
        "PeterNeumann",
        "PeterNeumann+c74f20a3",
        "PeterNeumann+c74f20a4+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        "PeterNeumann+173116ae+ZRpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",  # an algorithm nobody knows
        "PeterNeumann+cc469956+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TWBADKEY==",
        "Peter Neumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        "+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW",
        "PeterNeumann+c74f20a3+",
    ],
)
def test_what_is_not_a_key_is_refused(line: str) -> None:
    with pytest.raises(NoteError):
        VerifierKey.parse(line)


def test_a_cosignature_is_made_over_its_time_and_the_whole_text() -> None:
    """Signed here by another library, by the words of tlog-cosignature."""
    secret = Ed25519PrivateKey.from_private_bytes(bytes(range(32)))
    public = secret.public_key().public_bytes_raw()
    text = SOFA.split("\n\n")[0] + "\n"
    signature = (1679315147).to_bytes(8, "big") + secret.sign(f"cosignature/v1\ntime 1679315147\n{text}".encode())
    key = VerifierKey("witness.example/w1", public, COSIGNATURE)
    assert key.holds(text, signature)
    assert not key.holds(text, (1679315148).to_bytes(8, "big") + signature[8:])
    assert not key.holds(text + "more\n", signature)
    assert not key.holds(text, signature[8:]) and not key.holds(text, signature + b"\0")
    assert not VerifierKey("witness.example/w1", public).holds(text, signature)


# --- checkpoints and proofs as text -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "text",
    [
        "origin\n1\n",
        "origin\n01\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n",
        "origin\n-1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n",
        "origin\n1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuF==\n",
        "origin\n1\nAAAA\n",
        "\n1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n",
        "origin\n1\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\nextension\n",
    ],
)
def test_what_is_not_a_checkpoint_is_refused(text: str) -> None:
    with pytest.raises(NoteError):
        Checkpoint.parse(text)


def test_extension_lines_of_other_logs_are_kept() -> None:
    said = Checkpoint("other.example/log", 0, EMPTY_ROOT, ("more", "and more"))
    assert Checkpoint.parse(said.text()) == said


def test_proofs_are_written_as_the_specification_shows_them() -> None:
    checkpoint = SignedCheckpoint.parse(SOFA.encode())
    proof = RecordProof(73894, (EMPTY_ROOT,) * 2, checkpoint, b"\x00\x01")
    lines = str(proof).split("\n")
    assert lines[:3] == ["c2sp.org/tlog-proof@v1", "extra AAE=", "index 73894"]
    assert lines[3:6] == ["47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU="] * 2 + [""]
    assert "\n".join(lines[6:]) == SOFA
    assert RecordProof.parse(proof.encoded()) == proof
    growth = GrowthProof(20852014, (EMPTY_ROOT,), checkpoint)
    assert str(growth) == f"old 20852014\n47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n{SOFA}"
    assert GrowthProof.parse(growth.encoded()) == growth


@pytest.mark.parametrize(
    "bent",
    [
        ("c2sp.org/tlog-proof@v1", "c2sp.org/tlog-proof@v2"),
        ("index 5", "index 05"),
        ("index 5", "index"),
        ("47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n", "47DE\n\n"),
        ("\n\nexample", "\nexample"),
        ("index 5\n", "index 5\n" + "47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=\n" * 63),
        ("index 5\n", "index 5\né\n"),
    ],
)
def test_what_is_not_a_proof_is_refused(bent: tuple[str, str]) -> None:
    text = str(RecordProof(5, (EMPTY_ROOT,), SignedCheckpoint.parse(SOFA.encode())))
    assert bent[0] in text
    with pytest.raises(NoteError):
        RecordProof.parse(text.replace(*bent, 1).encode())


# --- the key ----------------------------------------------------------------------------------------------------------


def test_a_key_is_made_once_for_its_owner_only_and_never_shown(tmp_path: Path) -> None:
    path = tmp_path / "seal" / "lake.key"
    key = read_or_make_key(path)
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    again = read_or_make_key(path)
    assert (again.name, again.public, again.sign(b"x")) == (key.name, key.public, key.sign(b"x"))
    assert key.name.startswith("muckraker/")
    secret = path.read_text().split("+", 4)[-1].strip()
    assert secret not in repr(key) and secret not in str(key)
    assert read_public(path) == LakeKeys.of(key)
    public_path(path).unlink()
    assert read_public(path) == LakeKeys.of(key)


def test_many_at_once_make_one_key(tmp_path: Path) -> None:
    path = tmp_path / "lake.key"
    publics: list[bytes] = []
    start = threading.Barrier(8)

    def make() -> None:
        start.wait()
        publics.append(read_or_make_key(path).public)

    threads = [threading.Thread(target=make) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(publics) == 8 and len(set(publics)) == 1
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["lake.key", "lake.vkey"]


def test_a_key_others_can_read_or_that_is_none_is_refused_without_showing_it(tmp_path: Path) -> None:
    path = tmp_path / "lake.key"
    line = read_or_make_key(path).line
    path.chmod(0o640)
    with pytest.raises(SealKeyError, match="can be read by others than its owner; type `chmod 600"):
        read_key(path)
    path.chmod(0o600)
    secret = line.split("+", 4)[-1]
    for broken in ("", "hello", line[:-4], line.replace("+KEY+", "+KEY+x"), line.replace(secret, secret[:-2] + "!=")):
        path.write_text(broken)
        with pytest.raises(SealKeyError, match="is not a sealing key") as caught:
            read_key(path)
        assert secret[:20] not in str(caught.value)
    path.unlink()
    with pytest.raises(SealKeyError, match="cannot be read: No such file"):
        read_key(path)
    public_path(path).write_text("nothing")
    with pytest.raises(SealKeyError, match="cannot be used"):
        read_public(path)
    public_path(path).unlink()
    with pytest.raises(SealKeyError, match="without the public key nothing can be verified"):
        read_public(path)


def test_the_keys_of_a_lake_are_told_by_its_own_line_or_those_of_its_partitions() -> None:
    keys = LakeKeys.of(new_key("casino.example/lake"))
    lines = [str(keys.verifier("events", partition)) for partition in (0, 1, 17)]
    assert lines[2].startswith("casino.example/lake/events/17+")
    assert LakeKeys.parse("\n".join(lines) + "\n") == LakeKeys.parse(str(keys)) == keys
    with pytest.raises(NoteError, match="it names 2 lakes' keys"):
        LakeKeys.parse(f"{keys}\n{LakeKeys.of(new_key())}")
    with pytest.raises(NoteError, match="it names no key"):
        LakeKeys.parse("\n")
    with pytest.raises(NoteError, match="is a witness's"):
        LakeKeys.parse(str(VerifierKey("w", keys.public, COSIGNATURE)))


def test_a_note_is_written_as_it_is_read() -> None:
    note = parse_note(EXAMPLE_NOTE.encode())
    assert isinstance(note, Note) and note.encoded() == EXAMPLE_NOTE.encode()
