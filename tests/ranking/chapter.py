"""The program of docs/ranking.md, taken out of the page and run."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

CHAPTER = Path(__file__).resolve().parents[2] / "docs" / "ranking.md"


def chapter_code(chapter: Path = CHAPTER) -> list[tuple[int, str]]:
    """(line, code) of every Python block of the chapter, in order. They are one program."""
    text = chapter.read_text(encoding="utf-8")
    return [
        (text.count("\n", 0, block.start(1)) + 1, block[1])
        for block in re.finditer(r"^```python\n(.*?)^```$", text, re.M | re.S)
    ]


def run_chapter(chapter: Path = CHAPTER) -> dict[str, Any]:
    """What the chapter's program defines. Its lines keep their numbers, so that an error points into the chapter."""
    names: dict[str, Any] = {"__name__": "chapter"}
    for line, code in chapter_code(chapter):
        exec(compile("\n" * (line - 1) + code, str(chapter), "exec"), names)
    return names
