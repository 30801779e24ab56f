"""Kills a quality check before everything it does to the disk: `python -m tests.ingest.quality_killer LAKE WORK`.

Prints how often it killed. Ends with an error when ever a result is there that is not whole, or the next check does not
come to the very files an undisturbed one makes. What Great Expectations would say is left out: it writes nothing.
"""

from __future__ import annotations

import shutil
import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path

import pyarrow as pa

import ingest.quality.check
from console.home import TOPIC
from ingest.lake import Lake
from ingest.quality import check_quality
from ingest.quality.expectations import Check
from ingest.seal.beside import verify_beside
from tests.ingest.killing import killed_at, ready_to_kill


class OddOnesFail:
    """In the judge's place."""

    def failed(self, frame: str, checks: Sequence[Check], rows: pa.Table) -> dict[str, list[int]]:
        return {
            check.name: [at for at, row in enumerate(rows.to_pylist()) if row["seq"] % 2]
            if check.name in ("values_in_range", "dates_near_day")
            else []
            for check in checks
        }


def files_of(lake: Path) -> dict[str, str]:
    root = lake / TOPIC / "quality"
    return {
        str(path.relative_to(root)): sha256(path.read_bytes()).hexdigest()
        for path in sorted(root.rglob("*"))
        if path.is_file() and path.name != ".lock"
    }


def main(lake: Path, work: Path) -> None:
    ready_to_kill()
    setattr(ingest.quality.check, "Judge", OddOnesFail)  # noqa: B010 - a name of that module, not its own
    shutil.copytree(lake.parent / "seal", work / "seal")
    undisturbed = work / "undisturbed"
    shutil.copytree(lake, undisturbed)
    check_quality(Lake(undisturbed), TOPIC)
    expected = files_of(undisturbed)
    assert any(name.startswith("days/") for name in expected), expected
    kills = 0
    mine = work / "killed"
    for step in range(1, 1_000):
        shutil.rmtree(mine, ignore_errors=True)
        shutil.copytree(lake, mine)
        if not killed_at(step, mine, lambda: (check_quality(Lake(mine), TOPIC), None)[1]):
            break
        kills += 1
        left = {name: digest for name, digest in files_of(mine).items() if ".writing-" not in name}
        assert left.items() <= expected.items(), f"step {step}: {sorted(left.items() - expected.items())}"
        check_quality(Lake(mine), TOPIC)
        assert files_of(mine) == expected, f"step {step}: {sorted(files_of(mine).items() ^ expected.items())}"
        assert not verify_beside(Lake(mine), Lake(mine).keys()), f"step {step}"
    print(f"{kills} kills, {len(expected)} files")


if __name__ == "__main__":
    main(Path(sys.argv[1]), Path(sys.argv[2]))
