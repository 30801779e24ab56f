"""The key ring: registering, rotating and revoking keys, and files that say so whatever happens to the process."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from threading import Thread

import pytest
from nacl.signing import SigningKey

from ingest.chain import public_hex, sign, verify
from ingest.key_history import KeyHistory, Place, Standing
from ingest.keys import KeyRing, KeyRingError
from tests.ingest.device import TableDevice
from tests.ingest.log_contract import REPOSITORY


def key(number: int) -> str:
    return public_hex(SigningKey(bytes([number]) * 32))


def files(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir() if path.name != ".lock")


# --- the ring ---------------------------------------------------------------------------------------------------------


def test_a_registered_key_is_found_again(tmp_path: Path) -> None:
    device = TableDevice("PG-07")
    ring = KeyRing(tmp_path / "keys")
    assert ring.list() == {}
    assert ring.latest_of("PG-07").keys == ()
    other = KeyRing(tmp_path / "keys")
    other.register("PG-07", device.public_hex)
    for found in (ring, other, KeyRing(tmp_path / "keys")):
        current = found.latest_of("PG-07").current()
        assert current is not None
        assert verify(sign(b'{"a":1}', device.key), current.verify_key)
    assert [(table, history.keys[0].public_hex) for table, history in ring.list().items()] == [
        ("PG-07", device.public_hex)
    ]


def test_registering_the_same_key_again_changes_nothing_and_another_one_is_refused(tmp_path: Path) -> None:
    ring = KeyRing(tmp_path)
    ring.register("PG-07", key(1))
    before = (tmp_path / "PG-07.json").read_bytes()
    ring.register("PG-07", key(1))
    assert (tmp_path / "PG-07.json").read_bytes() == before
    with pytest.raises(KeyRingError, match=r"PG-07 has a key already, .*`muckraker keys rotate PG-07 HEX`"):
        ring.register("PG-07", key(2))
    assert (tmp_path / "PG-07.json").read_bytes() == before
    assert files(tmp_path) == ["PG-07.json"]


@pytest.mark.parametrize("bad", ["", "abc", "G" * 64, "a" * 63, "A" * 64])
def test_bad_hex_is_a_clear_error(tmp_path: Path, bad: str) -> None:
    with pytest.raises(KeyRingError, match=r"PG-07: .* is not an Ed25519 public key: write its 32 bytes"):
        KeyRing(tmp_path).register("PG-07", bad)
    assert files(tmp_path) == []


def test_a_key_that_anybody_can_sign_with_is_refused(tmp_path: Path) -> None:
    """The points of small order (RFC 8032, 5.1): under them a signature of zeros verifies."""
    for weak in ("00" * 32, "01" + "00" * 31):
        with pytest.raises(KeyRingError, match="no key anybody can sign with"):
            KeyRing(tmp_path).register("PG-07", weak)


@pytest.mark.parametrize("bad", ["", "pg-07", "../PG", "A/B", "A" * 33])
def test_a_table_id_can_never_name_another_file(tmp_path: Path, bad: str) -> None:
    with pytest.raises(KeyRingError, match="is not a table id"):
        KeyRing(tmp_path).register(bad, TableDevice().public_hex)


def test_two_tables_never_share_a_key(tmp_path: Path) -> None:
    ring = KeyRing(tmp_path)
    ring.register("PG-07", key(1))
    with pytest.raises(KeyRingError, match="is a key of PG-07"):
        ring.register("PG-08", key(1))
    ring.register("PG-08", key(2))
    with pytest.raises(KeyRingError, match="is a key of PG-07"):
        ring.rotate("PG-08", key(1), Place(us=5))


@pytest.mark.parametrize("text", ["", "{", "[]", '{"table_id": "PG-07"}', '{"table_id": "PG-08", "public_key": "00"}'])
def test_a_damaged_key_file_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "PG-07.json").write_text(text, encoding="utf-8")
    with pytest.raises(KeyRingError, match=r"PG-07\.json is not a key file .* restore it from a backup"):
        KeyRing(tmp_path).latest_of("PG-07")
    with pytest.raises(KeyRingError, match=r"PG-07\.json"):
        KeyRing(tmp_path).list()


def test_a_file_from_before_histories_is_read_as_the_tables_first_key(tmp_path: Path) -> None:
    (tmp_path / "PG-07.json").write_text(json.dumps({"table_id": "PG-07", "public_key": key(1)}))
    ring = KeyRing(tmp_path)
    assert [found.public_hex for found in ring.latest_of("PG-07").good_at(0, 0)] == [key(1)]
    ring.rotate("PG-07", key(2), Place(us=100))
    assert [entry.action for entry in KeyRing(tmp_path).latest_of("PG-07").entries] == ["add", "rotate"]


# --- what a key is worth where ----------------------------------------------------------------------------------------


def standings(history: KeyHistory, public: str, places: list[tuple[int, int]]) -> list[str]:
    found = history.named(public)
    return [str(found.standing(*place)) for place in places]


def test_keys_by_log_time() -> None:
    history = KeyHistory("PG-07").added(key(1), None, "", None).rotated(key(2), Place(us=100), "", None, overlap_us=10)
    at = [(0, 900), (99, 900), (100, 0), (109, 0), (110, 0), (10**15, 0)]
    assert standings(history, key(1), at) == ["good"] * 4 + ["retired"] * 2
    assert standings(history, key(2), at) == ["early"] * 2 + ["good"] * 4
    assert [found.public_hex for found in history.good_at(105, 0)] == [key(2), key(1)], "both, the newest first"


def test_keys_by_seq() -> None:
    history = KeyHistory("PG-07").added(key(1), None, "", None).rotated(key(2), Place(seq=50), "", None)
    at = [(10**15, 0), (10**15, 49), (0, 50), (0, 10**6)]
    assert standings(history, key(1), at) == ["good", "good", "retired", "retired"], "the log's time does not matter"
    assert standings(history, key(2), at) == ["early", "early", "good", "good"]


def test_a_revocation_reaches_as_far_back_as_it_says_and_only_ever_further() -> None:
    history = KeyHistory("PG-07").added(key(1), None, "", None).revoked(key(1), Place(us=100), "stolen", None)
    at = [(99, 7), (100, 7)]
    assert standings(history, key(1), at) == ["good", "revoked"]
    assert history.current() is None
    with pytest.raises(Exception, match="revoked as of 1970-01-01 00:00:00Z already; only an earlier place"):
        history.revoked(key(1), Place(us=200), "again", None)
    assert standings(history.revoked(key(1), Place(us=50), "earlier", None), key(1), [(49, 7), (50, 7)]) == [
        "good",
        "revoked",
    ]
    assert standings(history.revoked(key(1), Place(seq=7), "and by seq", None), key(1), at) == ["revoked"] * 2
    assert standings(history.revoked(key(1), Place(seq=0), "never good", None), key(1), [(0, 0)]) == ["revoked"]


def test_what_makes_no_sense_is_refused_with_the_way_out() -> None:
    empty = KeyHistory("PG-07")
    history = empty.added(key(1), None, "", None)
    cases: list[tuple[Callable[[], object], str]] = [
        (
            lambda: empty.rotated(key(1), Place(us=1), "", None),
            "register its first with `muckraker keys add PG-07 HEX`",
        ),
        (lambda: history.rotated(key(1), Place(us=1), "", None), "is in its history already"),
        (lambda: history.rotated(key(2), Place(seq=0), "", None), "nothing to sign"),
        (lambda: history.rotated(key(2), Place(us=1, seq=1), "", None), "a time or from a seq"),
        (lambda: history.rotated(key(2), Place(seq=9), "", None, overlap_us=5), "has no overlap"),
        (lambda: history.rotated(key(2), Place(us=9), "", None, overlap_us=10**13), "0 to 30 days"),
        (lambda: history.rotated(key(2), Place(us=-1), "", None), "1970"),
        (lambda: history.revoked("abc", Place(us=1), "", None), "at least 8 of its hex digits"),
        (lambda: history.revoked("0" * 8, Place(us=1), "", None), "has no key that begins with 00000000; it has:"),
        (lambda: history.added(key(2), None, "two\nlines", None), "has a key already"),
        (lambda: empty.added(key(2), None, "two\nlines", None), "one line"),
        (
            lambda: history.rotated(key(2), Place(us=9), "", None).rotated(key(3), Place(us=9), "", None),
            "does not lie after",
        ),
    ]
    for make, said in cases:
        with pytest.raises(Exception, match=said):
            make()


# --- files ------------------------------------------------------------------------------------------------------------


def three_entries(folder: Path) -> Path:
    ring = KeyRing(folder)
    ring.register("PG-07", key(1), reason="opened")
    ring.rotate("PG-07", key(2), Place(us=100), overlap_us=5, reason="yearly")
    ring.revoke("PG-07", key(1)[:8], Place(seq=40), "copied")
    return folder / "PG-07.json"


def test_a_history_is_read_back_as_it_was_written(tmp_path: Path) -> None:
    three_entries(tmp_path)
    history = KeyRing(tmp_path).latest_of("PG-07")
    assert [(entry.action, entry.public_key, entry.place, entry.reason) for entry in history.entries] == [
        ("add", key(1), Place(seq=0), "opened"),
        ("rotate", key(2), Place(us=100), "yearly"),
        ("revoke", key(1), Place(seq=40), "copied"),
    ]
    assert all(entry.recorded_us is not None for entry in history.entries)


def test_an_edited_history_is_refused_whatever_was_edited(tmp_path: Path) -> None:
    path = three_entries(tmp_path)
    document = json.loads(path.read_bytes())
    edits = 0
    for number in range(2):  # the last entry has no successor that would know its hash
        for member, value in document["history"][number].items():
            edited = json.loads(path.read_bytes())
            entry = edited["history"][number]
            match value:
                case bool():
                    entry[member] = not value
                case int():
                    entry[member] = value + 1
                case None:
                    entry[member] = 3
                case _ if member == "public_key":
                    entry[member] = key(9)
                case _:
                    entry[member] = "x" + value[1:]
            (tmp_path / "edited").mkdir(exist_ok=True)
            (tmp_path / "edited" / "PG-07.json").write_text(json.dumps(edited))
            with pytest.raises(KeyRingError, match="PG-07"):
                KeyRing(tmp_path / "edited").latest_of("PG-07")
            edits += 1
    for kept in ([1, 2], [0, 2], [2, 1, 0], [0, 1, 1, 2]):
        edited = json.loads(path.read_bytes())
        edited["history"] = [edited["history"][number] for number in kept]
        (tmp_path / "edited" / "PG-07.json").write_text(json.dumps(edited))
        with pytest.raises(KeyRingError, match="damaged"):
            KeyRing(tmp_path / "edited").latest_of("PG-07")
    assert edits == 18


def test_a_ring_in_use_notices_what_another_process_did(tmp_path: Path) -> None:
    ring = KeyRing(tmp_path)
    ring.register("PG-07", key(1))
    assert ring.history_of("PG-07").good_at(500, 0)
    KeyRing(tmp_path).revoke("PG-07", key(1)[:8], Place(us=400), "stolen")
    assert ring.latest_of("PG-07").keys[0].standing(500, 0) is Standing.REVOKED


def test_two_writers_at_once_lose_no_entry(tmp_path: Path) -> None:
    KeyRing(tmp_path).register("PG-07", key(1))

    def rotate(first: int) -> None:
        for number in range(first, first + 10):
            while True:
                newest = KeyRing(tmp_path).latest_of("PG-07").keys[0].start.us or 0
                try:
                    KeyRing(tmp_path).rotate("PG-07", key(number), Place(us=newest + 1))
                    break
                except KeyRingError as error:
                    if "does not lie after" not in str(error):  # as it does when the other one was faster
                        raise

    threads = [Thread(target=rotate, args=(first,)) for first in (10, 30)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    history = KeyRing(tmp_path).latest_of("PG-07")
    assert len(history.entries) == 21 and len({entry.public_key for entry in history.entries}) == 21


def test_killed_at_any_step_the_old_history_or_the_new_one_is_there(tmp_path: Path) -> None:
    """A process dies (os._exit, as SIGKILL would) at the n-th call to the system while it rotates a key."""
    code = """
import os, sys
from ingest.key_history import Place
from ingest.keys import KeyRing
folder, public, step = sys.argv[1], sys.argv[2], int(sys.argv[3])
calls = 0
def dying(real):
    def call(*args, **kwargs):
        global calls
        calls += 1
        if calls == step:
            os._exit(9)
        return real(*args, **kwargs)
    return call
for name in ("open", "write", "fsync", "rename", "close"):
    setattr(os, name, dying(getattr(os, name)))
KeyRing(folder).rotate("PG-07", public, Place(us=100), reason="changed")
"""
    seen = set()
    for step in range(1, 40):
        folder = tmp_path / str(step)
        KeyRing(folder).register("PG-07", key(1))
        done = subprocess.run(
            [sys.executable, "-c", code, str(folder), key(2), str(step)],
            env={**os.environ, "PYTHONPATH": str(REPOSITORY)},
            capture_output=True,
            timeout=60,
        )
        ring = KeyRing(folder)
        entries = len(ring.latest_of("PG-07").entries)
        seen.add(entries)
        assert entries in (1, 2), done.stderr
        if entries == 1:
            ring.rotate("PG-07", key(2), Place(us=100))  # no lock and no litter is in the way
        assert sorted(ring.list()) == ["PG-07"]
        if done.returncode == 0:
            assert entries == 2
            break
    else:
        pytest.fail("it never finished")
    assert seen == {1, 2} and step > 5
