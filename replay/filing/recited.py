"""A law that one text has from another, cited from its own: for packs that are based on a pack of another text.

Where such a pack has no rules.py, its cites.yaml says what each rule rests on there: `law` by where the citation stands
in LAW (those of `LAW.cites` by their names alone, as in every cites.yaml), `rules` by the name of the function. `text`
is the text of every citation that names no other. Nothing may be left that quotes another text than that or rulings.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import TypeVar, cast

from pydantic import ValidationError

from replay.citations import TEXTS, Citation
from replay.filing.folders import read_mapping
from replay.filing.problems import PackError
from schemas.problems import first_problem

_TEXT, _LAW, _RULES, _CITES, _RULINGS = "text", "law", "rules", "cites", "rulings.md"

LawT = TypeVar("LawT")


def law_recited(law: LawT, path: Path) -> LawT:
    """A LAW as the cites.yaml at `path` cites it."""
    said = dict(read_mapping(path))
    text, of_law = _text_of(path, said), _named(said.get(_LAW, {}), path, _LAW)
    cites = {name: value for name, value in said.items() if name not in (_TEXT, _LAW, _RULES)}
    made = _anew(law, {**of_law, _CITES: cites} if cites else of_law, text, path, ())
    left = [f"{where} ({was})" for where, was in _of_another_text(made, text, "")]
    if left:
        raise PackError(f"{path} is of {text}, and says nothing of {left[0]}, which the law it takes over quotes")
    return made


def rules_recited(rules: Mapping[str, Citation], path: Path) -> dict[str, Citation]:
    """What functions that are rules rest on, by their names, as the cites.yaml at `path` cites them."""
    said = dict(read_mapping(path))
    text, of_rules = _text_of(path, said), _named(said.get(_RULES, {}), path, _RULES)
    unknown = [name for name in of_rules if name not in rules]
    if unknown:
        raise PackError(f"{path}: rules.{unknown[0]} is no rule; there are: {', '.join(rules)}")
    made = {
        name: _citation(of_rules[name], text, path, (_RULES, name)) if name in of_rules else cited
        for name, cited in rules.items()
    }
    left = [name for name, cited in made.items() if cited.text not in (text, _RULINGS)]
    if left:
        raise PackError(f"{path} is of {text}, and says nothing of rules.{left[0]}, which quotes {made[left[0]]}")
    return made


def _text_of(path: Path, said: Mapping[str, object]) -> str:
    text = said.get(_TEXT)
    if not isinstance(text, str) or text not in TEXTS:
        raise PackError(f"{path}: text {text!r} is not a rule text ({', '.join(TEXTS)})")
    return text


def _named(said: object, path: Path, *where: str) -> dict[str, object]:
    if not isinstance(said, dict):
        raise PackError(f"{path}: {'.'.join(where)} is {said!r}, and not what each of its members rests on")
    return {str(name): value for name, value in said.items()}


def _anew(value: LawT, said: object, text: str, path: Path, where: tuple[str, ...]) -> LawT:
    """A value of a law with the citations said of it."""
    made: object
    if isinstance(value, Citation) or value is None:  # of what the other text says nothing this one may
        made = _citation(said, text, path, where)
    elif isinstance(value, str) and isinstance(said, str):
        made = type(value)(said)
    else:
        inner, asked = dict(_members(value)), _named(said, path, *where)
        unknown = [name for name in asked if name not in inner]
        if unknown:
            raise PackError(
                f"{path}: {'.'.join((*where, unknown[0]))} is nothing the law has; it has: {', '.join(inner)}"
            )
        changed = {name: _anew(inner[name], each, text, path, (*where, name)) for name, each in asked.items()}
        made = _with(value, changed)
    return cast(LawT, made)  # a law keeps its form


def _with(value: object, changed: Mapping[str, object]) -> object:
    if isinstance(value, Mapping):
        return {key: changed.get(str(key), each) for key, each in value.items()}
    if isinstance(value, tuple):
        return tuple(changed.get(name, each) for name, each in _members(value))
    return replace(value, **changed) if is_dataclass(value) and not isinstance(value, type) else value


def _members(value: object) -> Iterator[tuple[str, object]]:
    """What is in a value, by name; of a row of things each by the name it has, or its number."""
    if isinstance(value, Mapping):
        yield from ((str(key), each) for key, each in value.items())
    elif isinstance(value, tuple):
        yield from ((str(getattr(each, "name", number)), each) for number, each in enumerate(value))
    elif is_dataclass(value) and not isinstance(value, type):
        yield from ((field.name, getattr(value, field.name)) for field in fields(value))


def _citation(said: object, text: str, path: Path, where: tuple[str, ...]) -> Citation:
    try:
        return Citation.model_validate({_TEXT: text, **_named(said, path, *where)})
    except ValidationError as problem:
        raise PackError(f"{path}: {'.'.join(where)}: {first_problem(problem)}") from None


def _of_another_text(value: object, text: str, where: str) -> Iterator[tuple[str, str]]:
    """Where a law quotes another text, and what; a section in words (`MA-SPG §14(b)`) is a quotation too."""
    if isinstance(value, Citation):
        if value.text not in (text, _RULINGS):
            yield where, str(value)
    elif isinstance(value, str):
        if any(value.startswith(f"{other} ") for other in TEXTS if other not in (text, _RULINGS)):
            yield where, value
    else:
        for name, each in _members(value):
            yield from _of_another_text(each, text, f"{where}.{name}".lstrip("."))
