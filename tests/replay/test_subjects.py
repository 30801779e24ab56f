"""Finding codes are for people: nothing in the replay is decided by comparing one, or by how it begins."""

from __future__ import annotations

import ast
import re
from pathlib import Path

import replay
from replay.remarks import ANY_CARDS, Subject, subject_of
from schemas.findings import CATALOGUE

REPLAY = Path(replay.__file__).parent
_CODE = re.compile(r"[A-Z]+-\d{3}")


def _decided_by_code(source: str) -> list[str]:
    """Comparisons of a code with what finding codes look like, and questions of how a code begins."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Compare):
            texts = [one.value for part in ast.walk(node) if isinstance(one := part, ast.Constant)]
            if any(isinstance(text, str) and _CODE.fullmatch(text) for text in texts):
                found.append(ast.unparse(node))
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "startswith":
            asked = node.func.value
            if isinstance(asked, ast.Attribute | ast.Name) and ast.unparse(asked).split(".")[-1] == "code":
                found.append(ast.unparse(node))
    return found


def test_nothing_in_the_replay_is_decided_by_a_finding_code() -> None:
    found = {path.name: said for path in REPLAY.rglob("*.py") if (said := _decided_by_code(path.read_text()))}
    assert found == {}


def test_such_a_decision_would_be_found() -> None:
    assert _decided_by_code("if remark.code == 'CARD-312' or trouble.code.startswith('CARD'): pass") != []
    assert _decided_by_code("facts.code == PAYER_CODE[payer]") == []


def test_every_code_of_the_catalogue_that_is_about_cards_says_so() -> None:
    about_cards = {code for code in CATALOGUE if code.split("-")[0] == "CARD"}
    assert about_cards and {code for code in CATALOGUE if subject_of(code) in ANY_CARDS} == about_cards
    assert subject_of("VIG-601") is Subject.OTHER
