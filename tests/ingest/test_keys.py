"""The key ring."""

from __future__ import annotations

from pathlib import Path

import pytest

from ingest.chain import public_hex, sign, verify
from ingest.keys import KeyRing, KeyRingError
from tests.ingest.device import TableDevice


def test_a_registered_key_is_found_again(tmp_path: Path) -> None:
    device = TableDevice("PG-07")
    ring = KeyRing(tmp_path / "keys")
    assert ring.list() == {}
    assert ring.key_for("PG-07") is None
    other = KeyRing(tmp_path / "keys")
    other.register("PG-07", device.public_hex)
    for found in (ring.key_for("PG-07"), other.key_for("PG-07"), KeyRing(tmp_path / "keys").key_for("PG-07")):
        assert found is not None
        assert verify(sign(b'{"a":1}', device.key), found)
    assert ring.list() == {"PG-07": device.public_hex}


def test_registering_again_replaces_the_key_and_leaves_one_file(tmp_path: Path) -> None:
    ring = KeyRing(tmp_path)
    for seed in (1, 2):
        ring.register("PG-07", TableDevice("PG-07", seed=seed).public_hex)
    found = ring.key_for("PG-07")
    assert found is not None and public_hex(found) == TableDevice("PG-07", seed=2).public_hex
    assert [path.name for path in tmp_path.iterdir()] == ["PG-07.json"]


@pytest.mark.parametrize("bad", ["", "abc", "G" * 64, "a" * 63, "A" * 64])
def test_bad_hex_is_a_clear_error(tmp_path: Path, bad: str) -> None:
    with pytest.raises(KeyRingError, match=r"PG-07: .* is not an Ed25519 public key: write its 32 bytes"):
        KeyRing(tmp_path).register("PG-07", bad)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("bad", ["", "pg-07", "../PG", "A/B", "A" * 33])
def test_a_table_id_can_never_name_another_file(tmp_path: Path, bad: str) -> None:
    with pytest.raises(KeyRingError, match="is not a table id"):
        KeyRing(tmp_path).register(bad, TableDevice().public_hex)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"table_id": "PG-07"}', '{"table_id": "PG-08", "public_key": "00"}'])
def test_a_damaged_key_file_is_named(tmp_path: Path, text: str) -> None:
    (tmp_path / "PG-07.json").write_text(text, encoding="utf-8")
    with pytest.raises(KeyRingError, match=r"PG-07\.json is not a key file .* register the key of PG-07 again"):
        KeyRing(tmp_path).key_for("PG-07")
    with pytest.raises(KeyRingError, match=r"PG-07\.json"):
        KeyRing(tmp_path).list()
