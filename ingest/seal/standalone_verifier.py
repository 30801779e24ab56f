#!/usr/bin/env python3
"""Checks proofs made by `muckraker prove`, with nothing but Python 3.11 or newer and the `cryptography` package.

This one file can be copied anywhere; it knows nothing of Muckraker and shares no code with it. Give it the folder that
was handed to you and the log's public key from a place you trust: the operator's filing, the regulator, a witness;
never from the folder itself.

    python standalone_verifier.py --vkey LINE_OR_FILE FOLDER_OR_FILE...

A `<record>.tlog-proof` (C2SP tlog-proof) shows that the file `<record>` beside it, byte for byte, is part of the tree
(RFC 6962) that a checkpoint was signed for. An `add-checkpoint` body (C2SP tlog-witness, first line `old N`) shows that
a tree began as an older one; the older checkpoint is given with --older. With --witness, cosignatures (C2SP
tlog-cosignature) are demanded too. Exit codes: 0 everything is proved, 1 something is not, 2 wrong usage.
"""

from __future__ import annotations

import argparse
import base64
import hashlib
import json
import re
import sys
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

PROOF_HEAD = "c2sp.org/tlog-proof@v1"
SUFFIX = ".tlog-proof"
NUMBER = re.compile(r"(0|[1-9][0-9]{0,18})\Z")
MOST_BYTES = 2_000_000


class NotProved(Exception):
    """Says what does not hold."""


class Key(NamedTuple):
    name: str
    key_id: bytes
    kind: int
    public: bytes


class Checkpoint(NamedTuple):
    text: str
    origin: str
    size: int
    root: bytes
    signatures: tuple[tuple[str, bytes, bytes], ...]


# --- reading ----------------------------------------------------------------------------------------------------------


def unbase64(text: str) -> bytes:
    try:
        data = base64.b64decode(text, validate=True)
    except ValueError:
        raise NotProved(f"{text[:60]!r} is not base64") from None
    if base64.b64encode(data).decode() != text:
        raise NotProved(f"{text[:60]!r} is not base64 in its exact form")
    return data


def read_key(line: str) -> Key:
    parts = line.strip().split("+", 2)
    if len(parts) != 3:
        raise NotProved(f"{line.strip()[:80]!r} is not a verifier key: name+8 hex digits+base64")
    material = unbase64(parts[2])
    if len(material) != 33 or material[0] not in (1, 4):
        raise NotProved(f"the key {parts[0]} is not an Ed25519 key")
    key_id = hashlib.sha256(parts[0].encode() + b"\n" + material).digest()[:4]
    if key_id.hex() != parts[1]:
        raise NotProved(f"the key {parts[0]} does not fit its id {parts[1]}")
    return Key(parts[0], key_id, material[0], material[1:])


def read_keys(given: list[str], kind: int) -> list[Key]:
    """Each is a vkey line, or a file of such lines."""
    keys = []
    for one in given:
        is_line = one.count("+") >= 2 and not Path(one).is_file()
        for line in [one] if is_line else Path(one).read_text(encoding="utf-8").splitlines():
            if line.strip():
                key = read_key(line)
                if key.kind != kind:
                    raise NotProved(f"the key {key.name} is a {'log' if key.kind == 1 else 'witness'}'s key")
                keys.append(key)
    return keys


def read_checkpoint(data: bytes) -> Checkpoint:
    try:
        said = data.decode("utf-8")
    except UnicodeDecodeError:
        raise NotProved("the checkpoint is not UTF-8") from None
    if any(character < " " and character != "\n" for character in said):
        raise NotProved("the checkpoint has control characters")
    text, blank, under = said.rpartition("\n\n")
    lines = text.split("\n")
    if not blank or not under.endswith("\n") or len(lines) < 3 or not all(lines) or not NUMBER.match(lines[1]):
        raise NotProved("the checkpoint is not one: origin, size, root hash, an empty line, signatures")
    signatures = []
    for line in under[:-1].split("\n"):
        words = line.split(" ")
        if len(words) != 3 or words[0] != "—":
            raise NotProved(f"{line[:60]!r} is not a signature line")
        material = unbase64(words[2])
        signatures.append((words[1], material[:4], material[4:]))
    root = unbase64(lines[2])
    if len(root) != 32:
        raise NotProved("the root hash has not 32 bytes")
    return Checkpoint(text + "\n", lines[0], int(lines[1]), root, tuple(signatures))


def split(data: bytes) -> tuple[list[str], bytes]:
    head, blank, rest = data.partition(b"\n\n")
    if not blank:
        raise NotProved("there is no checkpoint in it")
    return head.decode("ascii", "replace").split("\n"), rest


def hashes_of(lines: list[str]) -> list[bytes]:
    hashes = [unbase64(line) for line in lines]
    if len(hashes) > 63 or any(len(one) != 32 for one in hashes):
        raise NotProved("its hashes are not 63 SHA-256 hashes at most")
    return hashes


# --- signatures -------------------------------------------------------------------------------------------------------


def holds(key: Key, text: str, signature: bytes) -> bool:
    message = text.encode()
    if key.kind == 4:
        message = f"cosignature/v1\ntime {int.from_bytes(signature[:8], 'big')}\n".encode() + message
        signature = signature[8:]
    try:
        Ed25519PublicKey.from_public_bytes(key.public).verify(signature, message)
    except (InvalidSignature, ValueError):
        return False
    return True


def check_signatures(checkpoint: Checkpoint, logs: list[Key], witnesses: list[Key], need: int) -> list[str]:
    """That the log signed it, and so many witnesses; who did, in words."""
    known = {(key.name, key.key_id): key for key in logs if key.name == checkpoint.origin}
    if not known:
        raise NotProved(f"no key was given for the log {checkpoint.origin}")
    known.update({(key.name, key.key_id): key for key in witnesses})
    signed: dict[str, str] = {}
    for name, key_id, signature in checkpoint.signatures:
        key = known.get((name, key_id))
        if key is None:
            continue  # somebody nobody asked about
        if not holds(key, checkpoint.text, signature):
            raise NotProved(f"the signature of {name} does not hold")
        when = ""
        if key.kind == 4:
            at = datetime.fromtimestamp(int.from_bytes(signature[:8], "big"), UTC)
            when = f" at {at:%Y-%m-%d %H:%M:%S} UTC"
        signed[name] = f"{'witness' if key.kind == 4 else 'log'} {name}{when}"
    if checkpoint.origin not in signed:
        raise NotProved(f"the log {checkpoint.origin} did not sign it with the key you gave")
    count = len(set(signed) - {checkpoint.origin})
    if count < need:
        raise NotProved(f"{count} of your witnesses signed it, and you asked for {need}")
    return list(signed.values())


# --- trees ------------------------------------------------------------------------------------------------------------


def node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def root_from(leaf: bytes, index: int, size: int, path: list[bytes]) -> bytes:
    """RFC 6962's audit path, walked by its definition: split at the largest power of two below the size."""
    if size == 1:
        if path:
            raise NotProved("the proof has more hashes than the tree has levels")
        return leaf
    if not path:
        raise NotProved("the proof has fewer hashes than the tree has levels")
    left = 1 << (size - 1).bit_length() - 1
    if index < left:
        return node(root_from(leaf, index, left, path[:-1]), path[-1])
    return node(path[-1], root_from(leaf, index - left, size - left, path[:-1]))


def roots_from(old: int, new: int, path: list[bytes], whole: bool, old_root: bytes) -> tuple[bytes, bytes]:
    """RFC 6962's consistency proof, by its definition: the old root and the new one that it leads to."""
    if old == new:
        if whole:
            if path:
                raise NotProved("the consistency proof is too long")
            return old_root, old_root
        if len(path) != 1:
            raise NotProved("the consistency proof has a wrong length")
        return path[0], path[0]
    if not path:
        raise NotProved("the consistency proof is too short")
    left = 1 << (new - 1).bit_length() - 1
    if old <= left:
        was, now = roots_from(old, left, path[:-1], whole, old_root)
        return was, node(now, path[-1])
    was, now = roots_from(old - left, new - left, path[:-1], False, old_root)
    return node(path[-1], was), node(path[-1], now)


# --- what can be proved -----------------------------------------------------------------------------------------------


class Proved(NamedTuple):
    at: int
    checkpoint: Checkpoint
    signed_by: list[str]


def check_record(record: bytes, proof: bytes, logs: list[Key], witnesses: list[Key], need: int) -> Proved:
    head, rest = split(proof)
    if head.pop(0) != PROOF_HEAD:
        raise NotProved(f"it is not a proof: its first line is not {PROOF_HEAD}")
    if head and head[0].startswith("extra "):
        head.pop(0)  # says nothing that is proved
    number = head.pop(0) if head else ""
    if not number.startswith("index ") or not NUMBER.match(number[6:]):
        raise NotProved("it names no index")
    index, checkpoint = int(number[6:]), read_checkpoint(rest)
    signed_by = check_signatures(checkpoint, logs, witnesses, need)
    if index >= checkpoint.size:
        raise NotProved(f"index {index} is not in a tree of {checkpoint.size}")
    leaf = hashlib.sha256(b"\x00" + record).digest()
    if root_from(leaf, index, checkpoint.size, hashes_of(head)) != checkpoint.root:
        raise NotProved("the record is not the one that was sealed: the proof leads to another root")
    return Proved(index, checkpoint, signed_by)


def check_growth(body: bytes, older: bytes | None, logs: list[Key], witnesses: list[Key], need: int) -> Proved:
    head, rest = split(body)
    number = head.pop(0)
    if not number.startswith("old ") or not NUMBER.match(number[4:]):
        raise NotProved("it is neither a proof of a record nor of growth")
    old, checkpoint = int(number[4:]), read_checkpoint(rest)
    signed_by = check_signatures(checkpoint, logs, witnesses, need)
    if older is None:
        raise NotProved("give the older checkpoint with --older: the proof leads from there")
    before = read_checkpoint(older)
    check_signatures(before, logs, [], 0)
    if before.origin != checkpoint.origin or before.size != old or old > checkpoint.size:
        raise NotProved(f"it leads from {old} records of {checkpoint.origin}, the older checkpoint is another")
    hashes = hashes_of(head)
    if old == 0:
        was, now = before.root, checkpoint.root
        if hashes or before.root != hashlib.sha256(b"").digest():
            raise NotProved("nothing has to be proved from an empty tree on")
    else:
        was, now = roots_from(old, checkpoint.size, hashes, True, before.root)
    if was != before.root or now != checkpoint.root:
        raise NotProved("the later tree does not begin with the older one: one of them was made up")
    return Proved(old, checkpoint, signed_by)


def chain_of(records: list[tuple[str, bytes]]) -> list[str]:
    """What the records say of each other: whether the events of a table follow each other without a gap."""
    tables: dict[str, dict[int, tuple[str, Any]]] = {}
    for _, record in records:
        try:
            said = json.loads(record)
            tables.setdefault(str(said["tableid"]), {})[int(said["seq"])] = (
                hashlib.sha256(record).hexdigest(),
                said["prevhash"],
            )
        except (ValueError, KeyError, TypeError):
            continue  # whatever was recorded is proved, event or not
    lines = []
    for table, events in sorted(tables.items()):
        seqs = sorted(events)
        breaks = [seq for seq in seqs[1:] if events.get(seq - 1, ("", ""))[0] != events[seq][1]]
        if breaks:
            lines.append(f"{table}: not every event from seq {seqs[0]} to {seqs[-1]} is here, see before {breaks}")
        elif len(seqs) > 1:
            lines.append(f"{table}: seq {seqs[0]} to {seqs[-1]} is complete; each names the hash of the one before it")
    return lines


def files_of(paths: list[Path]) -> list[Path]:
    found: list[Path] = []
    for path in paths:
        found += sorted(path.rglob(f"*{SUFFIX}")) if path.is_dir() else [path]
    return found


def read(path: Path) -> bytes:
    with path.open("rb") as file:
        data = file.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise NotProved(f"{path} is too big")
    return data


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Check proofs made by `muckraker prove`.")
    parser.add_argument("--vkey", action="append", required=True, help="the log's verifier key, a line or a file")
    parser.add_argument("--witness", action="append", default=[], help="a witness's verifier key, a line or a file")
    parser.add_argument("--need", type=int, help="how many of the witnesses must have signed (all of them)")
    parser.add_argument("--older", type=Path, help="the older checkpoint, for a proof of growth")
    parser.add_argument("paths", nargs="+", type=Path, metavar="FOLDER_OR_FILE")
    asked = parser.parse_args(arguments)
    try:
        logs, witnesses = read_keys(asked.vkey, 1), read_keys(asked.witness, 4)
    except (NotProved, OSError) as error:
        print(f"the keys cannot be used: {error}", file=sys.stderr)
        return 2
    need = len(witnesses) if asked.need is None else asked.need
    files = files_of(asked.paths)
    if not files:
        print("there is no proof there", file=sys.stderr)
        return 2
    failed = 0
    records: list[tuple[str, bytes]] = []
    trees: dict[Checkpoint, list[str]] = {}
    for path in files:
        try:
            data = read(path)
            if data.startswith(b"old "):
                older = None if asked.older is None else read(asked.older)
                proved = check_growth(data, older, logs, witnesses, need)
                what = f"the first {proved.at} records are those that were signed for before"
            else:
                beside = path.with_name(path.name[: -len(SUFFIX)]) if path.name.endswith(SUFFIX) else path
                record = read(beside)
                proved = check_record(record, data, logs, witnesses, need)
                records.append((beside.name, record))
                what = f"is record {proved.at}"
            print(f"proved      {path}: {what}")
            trees[proved.checkpoint] = proved.signed_by
        except (NotProved, OSError) as error:
            failed += 1
            print(f"NOT PROVED  {path}: {error}")
    for checkpoint, signed_by in trees.items():
        what = "one record" if checkpoint.size == 1 else f"{checkpoint.size} records"
        print(f"            of the {what} of {checkpoint.origin}, signed by {', '.join(signed_by)}")
    for line in chain_of(records):
        print(f"            {line}")
    print(f"{len(files) - failed} of {len(files)} proved" + (f", {failed} NOT PROVED" if failed else ""))
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
