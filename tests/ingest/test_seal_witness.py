"""A witness signs only what grew from what it signed before, and keeps the proof of whoever tried otherwise."""

from __future__ import annotations

import errno
import http.client
import shutil
import stat
import threading
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

import pytest

from ingest.lake import Lake
from ingest.seal.checkpoint import Checkpoint, SignedCheckpoint
from ingest.seal.lake_tree import LakeTree
from ingest.seal.merkle import EMPTY_ROOT
from ingest.seal.note import NoteError, VerifierKey, parse_signature, verify_note
from ingest.seal.proof import GrowthProof
from ingest.seal.signer import new_key, read_key, signed
from ingest.seal.verify import check_checkpoint, verify_lake
from ingest.seal.witness import MAX_BODY_BYTES, Witness, WitnessError
from ingest.seal.witness_http import WitnessServer
from ingest.seal.witnessed import Witnessed
from tests.ingest.sealed_lake import TOPIC, another_record, make_lake, rewrite_all

NAME = "witness.example/w1"
NOW = 1_794_945_600.5


@pytest.fixture
def witness(tmp_path: Path) -> Witness:
    Witness.make(tmp_path / "witness", NAME)
    return Witness(tmp_path / "witness", clock=lambda: NOW)


@pytest.fixture
def lake(tmp_path: Path) -> Lake:
    return make_lake(tmp_path)


def tree_of(lake: Lake) -> LakeTree:
    return LakeTree(lake, TOPIC, 0, lake.keys())


def trusting(witness: Witness, lake: Lake) -> Witness:
    assert witness.trust(lake.keys().verifier(TOPIC, 0))
    return witness


def first(lake: Lake, position: int = 0) -> bytes:
    """The request that shows a log's checkpoint for the first time."""
    return GrowthProof(0, (), tree_of(lake).checkpoints(position)[0]).encoded()


# --- another implementation's requests --------------------------------------------------------------------------------

# What litewitness (filippo.io/torchwood, cmd/litewitness/testdata/litewitness.txt) is asked, and what it answers: a
# Sigsum log of five leaves whose hashes are 2a 00…, 2a 01… and so on.
SIGSUM_ORIGIN = "sigsum.org/v1/tree/4d6d8825a6bb689d459628312889dfbb0bcd41b5211d9e1ce768b0ff0309e562"
SIGSUM_KEY = bytes.fromhex("ffdc2d4d98e4124d3feaf788c0c2f9abfd796083d1f0495437f302ec79cf100f")
SIGSUM_ROOTS = {
    1: "KgAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=",
    3: "RcCI1Nk56ZcSmIEfIn0SleqtV7uvrlXNccFx595Iwl0=",
    5: "QrtXrQZCCvpIgsSmOsah7HdICzMLLyDfxToMql9WTjY=",
}
SIGSUM_SIGNED = {
    1: "UgIom7fPZTqpxWWhyjWduBvTvGVqsokMbqTArsQilegKoFBJQjUFAmQ0+YeSPM3wfUQMFSzVnnNuWRTYrajXpNUbIQY=",
    3: "UgIom2VbtIcdFbwFAy1n7s6IkAxIY6J/GQOTuZF2ORV39d75cbAj2aQYwyJre36kezNobZs4SUUdrcawfAB8WVrx6go=",
    5: "UgIomw/EOJmWi0i1FQsOj+etB7F8IccFam/jgd6wzRns4QPVmyEZtdvl1U2KEmLOZ/ASRcWJi0tW90dJWAShei7sDww=",
}
ONE_TO_FIVE = ["KgEA", "+fUDV+k970B4I3uKrqJM4aP1lloPZP8mvr2Z4wRw2LI=", "KgQA"]
THREE_TO_FIVE = ["KgIA", "KgMA", "wgiIFdZfYNv6WU1OllBKsWnLYIS/DBMqt8Uh/S4OukE=", "KgQA"]


def sigsum(old: int, new: int, proof: list[str], origin: str = SIGSUM_ORIGIN, signature: str = "") -> bytes:
    whole = [one if len(one) == 44 else one.ljust(43, "A") + "=" for one in proof]
    lines = [f"old {old}", *whole, "", origin, str(new), SIGSUM_ROOTS[new], ""]
    lines.append(f"— {origin} {signature or SIGSUM_SIGNED[new]}")
    return "".join(f"{line}\n" for line in lines).encode()


def test_the_requests_another_witness_is_tested_with_get_the_same_answers(witness: Witness) -> None:
    witness.trust(VerifierKey(SIGSUM_ORIGIN, SIGSUM_KEY))
    wrong = SIGSUM_SIGNED[3].replace("6go=", "6gw=")
    asked = [
        (sigsum(0, 1, []), 200),
        (sigsum(1, 3, ["KgEA", "KgIA"], signature=wrong), 403),
        (sigsum(1, 3, ["KgEA", "KgIA"], origin=SIGSUM_ORIGIN[:-1] + "3"), 404),  # 403 before the specification said so
        (sigsum(1, 3, []), 422),
        (sigsum(1, 3, ["KgEA", "KgIAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAABA="]), 422),
        (sigsum(1, 3, ["KgEA", "KgIA"]), 200),
        (sigsum(1, 5, ONE_TO_FIVE), 409),
        (sigsum(3, 5, THREE_TO_FIVE), 200),
        (sigsum(0, 5, []), 409),
    ]
    answers = [witness.add_checkpoint(body) for body, _ in asked]
    assert [answer.status for answer in answers] == [status for _, status in asked]
    assert (answers[6].body, answers[6].content_type) == ("3\n", "text/x.tlog.size")
    assert answers[8].body == "5\n"
    assert answers[5].body.startswith(f"— {NAME} ")


# --- what it signs ----------------------------------------------------------------------------------------------------


def test_what_it_signs_is_a_timed_signature_over_the_checkpoint_and_is_kept(witness: Witness, lake: Lake) -> None:
    answer = trusting(witness, lake).add_checkpoint(first(lake))
    line = parse_signature(answer.body.removesuffix("\n"))
    text = tree_of(lake).checkpoints(0)[0].note.text
    assert answer.accepted and witness.verifier().holds(text, line.signature)
    assert int.from_bytes(line.signature[:8], "big") == int(NOW)
    kept = witness.newest(lake.keys().origin(TOPIC, 0))
    assert kept is not None and kept.checkpoint.size == 40
    assert len(verify_note(kept.note, [lake.keys().verifier(TOPIC, 0), witness.verifier()])) == 2
    again = Witness(witness.folder).newest_by_hash(sha256(kept.checkpoint.origin.encode()).hexdigest())
    assert again == kept
    assert stat.S_IMODE((witness.folder / "witness.key").stat().st_mode) == 0o600


def test_it_follows_a_lake_as_it_grows_from_wherever_it_stands(witness: Witness, lake: Lake) -> None:
    trusting(witness, lake).add_checkpoint(first(lake, 1))
    tree = tree_of(lake)
    assert witness.add_checkpoint(tree.prove_growth(300).encoded()).accepted
    assert witness.add_checkpoint(tree.prove_growth(400).encoded()).accepted  # the same again: signed with a new time
    kept = witness.newest(tree.key.name)
    assert kept is not None and kept.checkpoint.size == 400
    assert len(kept.note.signatures) == 2


@pytest.mark.parametrize(
    ("body", "why"),
    [
        (b"", "cannot be read"),
        (b"old x\n\n", "cannot be read"),
        (b"old 0\n\nsomebody\n0\n", "cannot be read"),
        (b"\xff" * 100, "cannot be read"),
    ],
)
def test_what_cannot_be_read_is_a_bad_request(witness: Witness, body: bytes, why: str) -> None:
    answer = witness.add_checkpoint(body)
    assert answer.status == 400 and why in answer.reason


def test_an_old_size_beyond_the_new_one_and_a_false_empty_tree_are_refused(witness: Witness, lake: Lake) -> None:
    trusting(witness, lake)
    newest = tree_of(lake).newest()
    assert witness.add_checkpoint(GrowthProof(401, (), newest).encoded()).status == 400
    signer = read_key(lake.key_path)
    origin = lake.keys().origin(TOPIC, 0)
    said = Checkpoint(origin, 0, bytes(32))
    empty = SignedCheckpoint(said, signed(said.text(), origin, signer))
    assert witness.add_checkpoint(GrowthProof(0, (), empty).encoded()).status == 422
    said = Checkpoint(origin, 0, EMPTY_ROOT)
    empty = SignedCheckpoint(said, signed(said.text(), origin, signer))
    assert witness.add_checkpoint(GrowthProof(0, (), empty).encoded()).accepted
    assert witness.add_checkpoint(GrowthProof(0, (EMPTY_ROOT,), newest).encoded()).status == 422


def test_a_log_nobody_told_it_of_and_a_key_nobody_told_it_of_are_refused(witness: Witness, lake: Lake) -> None:
    assert witness.add_checkpoint(first(lake)).status == 404
    witness.trust(VerifierKey(lake.keys().origin(TOPIC, 0), new_key().public))
    answer = witness.add_checkpoint(first(lake))
    assert answer.status == 403 and "and not by" in answer.reason
    trusting(witness, lake)  # a log may have two keys, an old one and a new one
    assert witness.add_checkpoint(first(lake)).accepted
    assert not witness.trust(lake.keys().verifier(TOPIC, 0))
    with pytest.raises(NoteError, match="is a witness's"):
        witness.trust(witness.verifier())


# --- what it refuses, and keeps ---------------------------------------------------------------------------------------


def test_a_lake_rewritten_with_its_own_key_is_refused_and_convicted(witness: Witness, lake: Lake) -> None:
    """`muckraker verify` by itself finds nothing here: only the witness can tell."""
    trusting(witness, lake).add_checkpoint(first(lake, 3))
    before = witness.newest(tree_of(lake).key.name)
    rewrite_all(lake, 0, read_key(lake.key_path), another_record)
    assert verify_lake(lake, lake.keys()).damages == []
    answer = witness.add_checkpoint(tree_of(lake).prove_growth(400).encoded())
    assert answer.status == 422 and "a fork" in answer.reason and "two different trees of 400 records" in answer.reason
    assert witness.newest(tree_of(lake).key.name) == before
    assert answer.evidence is not None
    sides = [
        SignedCheckpoint.parse((answer.evidence / "signed-before").read_bytes()),
        GrowthProof.parse((answer.evidence / "offered").read_bytes()).checkpoint,
    ]
    for side in sides:  # both are signed by the lake: whoever holds them needs nobody's word
        side.verify([lake.keys().verifier(TOPIC, 0)])
    assert sides[0].checkpoint.size == sides[1].checkpoint.size and sides[0].checkpoint.root != sides[1].checkpoint.root
    assert before is not None
    (damage,) = check_checkpoint(lake, lake.keys(), before)  # and so can whoever has what the witness keeps
    assert "was rewritten: its first 400 records are not what the checkpoint was signed for" in damage.what


def test_a_lake_rolled_back_is_refused_and_kept(witness: Witness, lake: Lake) -> None:
    trusting(witness, lake).add_checkpoint(first(lake, 3))
    shutil.rmtree(lake.segments(TOPIC, 0)[-1].path)
    answer = witness.add_checkpoint(first(lake, 2))
    assert (answer.status, answer.body) == (409, "400\n") and "a roll-back" in answer.reason
    assert answer.evidence is not None and (answer.evidence / "offered").exists()
    (known,) = witness.logs()
    assert (known.refused, known.newest is not None) == (1, True)
    witness.add_checkpoint(first(lake, 2))
    assert witness.logs()[0].refused == 1  # the same once


def test_a_proof_that_leads_elsewhere_is_refused(witness: Witness, lake: Lake) -> None:
    trusting(witness, lake).add_checkpoint(first(lake))
    growth = tree_of(lake).prove_growth(40)
    bent = GrowthProof(40, (growth.hashes[0], *growth.hashes[:-1]), growth.checkpoint)
    assert witness.add_checkpoint(bent.encoded()).status == 422
    assert witness.add_checkpoint(growth.encoded()).accepted


# --- its folder -------------------------------------------------------------------------------------------------------


def test_a_witness_is_made_once_and_a_damaged_one_is_named(witness: Witness, lake: Lake, tmp_path: Path) -> None:
    with pytest.raises(WitnessError, match="is a witness already"):
        Witness.make(witness.folder, NAME)
    with pytest.raises(WitnessError, match=r"there is no witness at .*muckraker witness init"):
        Witness(tmp_path / "nowhere").key()
    trusting(witness, lake).add_checkpoint(first(lake))
    (path,) = witness.folder.glob("logs/*/checkpoint")
    path.write_bytes(path.read_bytes().replace(b"\n40\n", b"\n41\n"))
    with pytest.raises(WitnessError, match=r"checkpoint is damaged: .*does not hold"):
        witness.newest(tree_of(lake).key.name)
    with pytest.raises(WitnessError, match="checkpoint is damaged"):  # and nothing is signed on top of it
        witness.add_checkpoint(tree_of(lake).prove_growth(40).encoded())


def test_of_many_requests_at_once_none_is_signed_behind_another(witness: Witness, lake: Lake) -> None:
    """The race the specification warns of: the newest kept is the newest signed."""
    trusting(witness, lake).add_checkpoint(first(lake))
    tree = tree_of(lake)
    bodies = [tree.prove_growth(40).encoded()] * 4
    bodies += [GrowthProof(40, (), tree.checkpoints(0)[0]).encoded()] * 4
    start = threading.Barrier(len(bodies))
    statuses = []

    def ask(body: bytes) -> None:
        start.wait()
        statuses.append(Witness(witness.folder).add_checkpoint(body).status)

    threads = [threading.Thread(target=ask, args=(body,)) for body in bodies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    newest = witness.newest(tree.key.name)
    assert newest is not None and newest.checkpoint.size == 400
    assert statuses.count(200) >= 1 and set(statuses) <= {200, 409}


# --- what the lake's owner keeps --------------------------------------------------------------------------------------


def test_the_owner_keeps_the_newest_signature_of_each_witness(witness: Witness, lake: Lake, tmp_path: Path) -> None:
    trusting(witness, lake)
    other = Witness.make(tmp_path / "other", "witness.example/w2")
    trusting(other, lake)
    kept = Witnessed(tmp_path / "seal" / "witnessed")
    newest = tree_of(lake).newest()
    for one in (witness, other):
        line = parse_signature(one.add_checkpoint(first(lake, 3)).body.removesuffix("\n"))
        kept.keep(newest, [line], one.verifier())
    best = kept.best(newest.checkpoint.origin, 400)
    assert best is not None and len(best.note.signatures) == 3
    assert len(verify_note(best.note, [lake.keys().verifier(TOPIC, 0), witness.verifier(), other.verifier()])) == 3
    assert kept.best(newest.checkpoint.origin, 401) is None and kept.best("another", 0) is None
    with pytest.raises(NoteError):
        kept.keep(newest, newest.note.signatures, witness.verifier())
    (path, *_) = (tmp_path / "seal" / "witnessed").iterdir()
    path.write_bytes(b"?")
    with pytest.raises(NoteError, match=path.name):
        kept.all()


# --- over HTTP --------------------------------------------------------------------------------------------------------


@pytest.fixture
def server(witness: Witness) -> Iterator[WitnessServer]:
    server = WitnessServer(witness)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


def asked(
    server: WitnessServer, method: str, path: str, body: bytes | None = None, **headers: str
) -> tuple[int, str, str]:
    host, port = server.address.removeprefix("http://").split(":")
    connection = http.client.HTTPConnection(host, int(port), timeout=10)
    try:
        connection.request(method, path, body, headers)
        answer = connection.getresponse()
        return answer.status, answer.headers["Content-Type"], answer.read().decode()
    finally:
        connection.close()


def test_it_answers_over_http_as_the_specification_says(server: WitnessServer, witness: Witness, lake: Lake) -> None:
    trusting(witness, lake)
    origin = lake.keys().origin(TOPIC, 0)
    monitored = f"/{sha256(origin.encode()).hexdigest()}/checkpoint"
    assert asked(server, "GET", monitored)[0] == 404
    status, _, body = asked(server, "POST", "/add-checkpoint", first(lake))
    assert status == 200 and body.startswith(f"— {NAME} ") and body.endswith("\n")
    assert asked(server, "POST", "/add-checkpoint", first(lake, 3))[:3] == (409, "text/x.tlog.size", "40\n")
    status, _, body = asked(server, "GET", monitored)
    shown = SignedCheckpoint.parse(body.encode())
    assert status == 200 and len(verify_note(shown.note, [lake.keys().verifier(TOPIC, 0), witness.verifier()])) == 2
    assert asked(server, "POST", "/add-checkpoint", b"old 0\n")[0] == 400
    assert asked(server, "POST", "/elsewhere", b"")[0] == 404
    assert asked(server, "GET", "/")[0] == 404
    assert asked(server, "POST", "/add-checkpoint", b"x" * (MAX_BODY_BYTES + 1))[0] == 413
    assert asked(server, "PUT", "/add-checkpoint", b"")[0] == 501


def test_a_name_is_a_keys_name(tmp_path: Path) -> None:
    with pytest.raises(NoteError, match="cannot be a key's name"):
        Witness.make(tmp_path / "w", "two words")
    assert not (tmp_path / "w").exists()
    made = Witness.make(tmp_path / "w", "w")
    assert (tmp_path / "w" / "witness.vkey").read_text() == f"{made.verifier()}\n"


def test_a_disk_that_fails_is_named_and_nothing_is_told(
    server: WitnessServer, witness: Witness, lake: Lake, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it has not kept it must not have signed: the answer is an error, and the next one is judged as before."""
    trusting(witness, lake)

    def full(path: Path, data: bytes, mode: int = 0o644, *, replace: bool) -> None:
        raise OSError(errno.ENOSPC, "No space left on device", str(path))

    with monkeypatch.context() as patched:
        patched.setattr("ingest.seal.witness.place_file", full)
        with pytest.raises(WitnessError, match=r"checkpoint.*No space left on device"):
            witness.add_checkpoint(first(lake))
        status, _, body = asked(server, "POST", "/add-checkpoint", first(lake))
        assert status == 500 and "—" not in body
    assert witness.newest(tree_of(lake).key.name) is None
    assert witness.add_checkpoint(first(lake)).accepted
