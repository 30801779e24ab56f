"""The words a pack rests on, as data: what is missing, misspelt or of no known text is named with its file."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from replay.citations import Citation
from replay.filing import PackError
from replay.filing.cites import cites_beside


@dataclass(frozen=True)
class Words:
    win: Citation
    start: dict[str, Citation]
    cut: Citation | None = None


WIN = 'win: {section: §1, words: "shall be paid"}\n'
START = "start:\n  dice: {section: §2}\n  button: {text: rulings.md, section: R-2}\n"


def said(folder: Path, written: str) -> Words:
    (folder / "cites.yaml").write_text(written, encoding="utf-8")
    return cites_beside(str(folder / "rules.py"), Words)


def test_a_citation_is_of_the_text_at_the_top_or_of_the_one_it_names(tmp_path: Path) -> None:
    assert said(tmp_path, f"text: MA-SPG\n{WIN}{START}") == Words(
        Citation(text="MA-SPG", section="§1", words="shall be paid"),
        {"dice": Citation(text="MA-SPG", section="§2"), "button": Citation(text="rulings.md", section="R-2")},
    )


@pytest.mark.parametrize(
    ("written", "says"),
    [
        (f"text: MA-SPG\n{START}", r"cites\.yaml: win is missing"),
        (
            f"text: MA-SPG\n{WIN}{START}lose: {{section: §3}}\n",
            r"cites\.yaml: lose is nothing the family asks for",
        ),
        (f"text: XX\n{WIN}{START}", r"text 'XX' is not a rule text \(MA-SPG, "),
        (f"{WIN}{START}", r"text None is not a rule text"),
        (f"text: MA-SPG\nwin: paid\n{START}", r"cites\.yaml: win"),
    ],
)
def test_what_does_not_hold_is_named(tmp_path: Path, written: str, says: str) -> None:
    with pytest.raises(PackError, match=says):
        said(tmp_path, written)


def test_no_file_at_all(tmp_path: Path) -> None:
    with pytest.raises(PackError, match=r"cites\.yaml is missing"):
        cites_beside(str(tmp_path / "rules.py"), Words)
