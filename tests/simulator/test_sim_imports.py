"""The simulator's opinion is its own: it takes nothing from the replay, nor from the rest of ingest but the chain."""

from __future__ import annotations

import ast
from pathlib import Path

import ingest.simulator

ALLOWED = ("schemas", "ingest.chain", "ingest.simulator")


def test_imports() -> None:
    folder = Path(ingest.simulator.__file__).parent
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom):
                names = [node.module or ""]
            elif isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            else:
                continue
            for name in names:
                ours = name.split(".")[0] in ("schemas", "ingest", "replay", "analytics", "console")
                assert not ours or name.startswith(ALLOWED), f"{path.name} imports {name}"
                assert name.split(".")[0] != "numpy"
