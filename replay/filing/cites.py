"""The words that lines and findings of a pack rest on: its cites.yaml, by the names that its family asks for.

`text` at the top is the text of every citation that names no other one.
"""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from pydantic import TypeAdapter, ValidationError

from replay.citations import TEXTS
from replay.filing.folders import read_mapping
from replay.filing.problems import PackError
from schemas.problems import first_problem

CITES_FILE = "cites.yaml"
_TEXT = "text"

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

CitesT = TypeVar("CitesT", bound="DataclassInstance")


def cites_beside(rules: str, kind: type[CitesT]) -> CitesT:
    """What the cites.yaml in the folder of a rules.py says, given that file's `__file__`; `kind` is a dataclass."""
    path = Path(rules).with_name(CITES_FILE)
    said = dict(read_mapping(path))
    text = said.pop(_TEXT, None)
    if text not in TEXTS:
        raise PackError(f"{path}: text {text!r} is not a rule text ({', '.join(TEXTS)})")
    known = [field.name for field in fields(kind)]
    unknown = [name for name in said if name not in known]
    if unknown:
        raise PackError(f"{path}: {unknown[0]} is nothing the family asks for; it asks for: {', '.join(known)}")
    try:
        return TypeAdapter(kind).validate_python({name: _with_text(value, text) for name, value in said.items()})
    except ValidationError as problem:
        raise PackError(f"{path}: {first_problem(problem)}") from None


def _with_text(said: Any, text: str) -> Any:
    """A citation, or a mapping of them, with the text that the file is about where it names none."""
    if not isinstance(said, dict):
        return said
    if "section" in said:
        return {_TEXT: text, **said}
    return {name: _with_text(value, text) for name, value in said.items()}
