"""After the warm-up a worker's first round is judged without reading rules or importing libraries."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
FIRST_ROUNDS = """
import sys
from pathlib import Path
from tempfile import mkdtemp
from ingest.gate.gate import Gate
from ingest.keys import KeyRing
from ingest.log import LogRecord
from ingest.simulator import default_plan, simulate, table_keys
from replay.stream import Replay
from replay.warm_up import warm_up

plan = default_plan(2, 4, 6)
keys = KeyRing(Path(mkdtemp(dir=sys.argv[1])))
for table_id, public in table_keys(plan).items():
    keys.register(table_id, public)
gate, replay = Gate(keys), Replay()
events = [e for n, (key, raw) in enumerate(simulate(plan)) for e in gate.admit(LogRecord(n, 0, key, raw))]
if "warm" in sys.argv:
    warm_up()
opened = []
sys.addaudithook(lambda name, said: opened.append(str(said[0])) if name == "open" else None)
before = set(sys.modules)
for event in events:
    replay.feed(event)
concluded = replay.advance()
assert concluded is not None and concluded.rounds.num_rows == 24
print(len([path for path in opened if path.endswith(".yaml")]), len(set(sys.modules) - before))
"""


def first_rounds(folder: Path, *words: str) -> list[int]:
    """How many rule files were read and modules imported while the first rounds were judged."""
    command = [sys.executable, "-c", FIRST_ROUNDS, str(folder), *words]
    return [int(word) for word in subprocess.check_output(command, cwd=ROOT, text=True).split()]


@pytest.mark.slow
def test_nothing_is_left_to_read_or_import(tmp_path: Path) -> None:
    rules, modules = first_rounds(tmp_path)
    assert rules > 5 and modules > 5  # what there is to do beforehand
    assert first_rounds(tmp_path, "warm") == [0, 0]
