"""Kills a retention, then a bringing back, before all they do to disk: `python -m tests.ingest.retention_killer WORK`.

After each kill the lake must verify and prove what it proved before, and the work, done again, must come to its end.
Prints how often each was killed.
"""

from __future__ import annotations

import shutil
import sys
from datetime import UTC, datetime
from pathlib import Path

from ingest.lake import Lake
from ingest.retention import Retention
from ingest.seal.lake_tree import LakeTree
from ingest.seal.verify import verify_lake
from tests.ingest.killing import killed_at, ready_to_kill
from tests.ingest.sealed_lake import TOPIC, make_lake

NOW = datetime(2031, 1, 1, tzinfo=UTC)


def retire(home: Path) -> None:
    with Retention(Lake(home / "lake"), TOPIC, 0) as retention:
        for old in retention.old(10**6):
            retention.retire(old, home / "archive", "policy", NOW)


def bring_back(home: Path) -> None:
    with Retention(Lake(home / "lake"), TOPIC, 0) as retention:
        for segment in retention.retired():
            retention.bring_back(segment, home / "archive")


def contents(home: Path) -> dict[str, bytes]:
    root = home / "lake"
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.name not in (".lock", "lock")
    }


def proofs(home: Path) -> list[bytes]:
    lake = Lake(home / "lake")
    tree = LakeTree(lake, TOPIC, 0, lake.keys())
    return [tree.prove_record(offset)[1].encoded() for offset in (300, 350, 399)] + [
        tree.prove_growth(size).encoded() for size in (40, 300, 330)
    ]


def main(work: Path) -> None:
    ready_to_kill()
    whole = work / "whole"
    make_lake(whole)
    full, proved = contents(whole), proofs(whole)
    retired = work / "retired"
    shutil.copytree(whole, retired)
    retire(retired)
    small = contents(retired)
    assert set(full) - set(small) and proofs(retired) == proved
    kills = []
    for begun, act, end in ((whole, retire, small), (retired, bring_back, full)):
        kills.append(0)
        for step in range(1, 500):
            home = work / "home"
            shutil.rmtree(home, ignore_errors=True)
            shutil.copytree(begun, home)
            if not killed_at(step, home, lambda act=act, home=home: act(home)):  # type: ignore[misc]
                break
            kills[-1] += 1
            lake = Lake(home / "lake")
            damages = verify_lake(lake, lake.keys()).damages
            assert not damages and proofs(home) == proved, f"{act.__name__} killed at step {step}: {damages}"
            act(home)
            assert contents(home) == end, f"{act.__name__} again after step {step}"
    print(*kills)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
