"""What a command printed, line by line."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any


def lines_of(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def labels_of(home: Path) -> list[dict[str, Any]]:
    return lines_of((home / "labels.jsonl").read_text())


def tree_of(folder: Path) -> dict[str, str]:
    return {
        str(path.relative_to(folder)): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.name != ".lock"
    }
