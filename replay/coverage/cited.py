"""Every citation in code and data with the place it stands at, and which sections of its text it names."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages

import replay
from replay.citations import RULES, Citation
from replay.filing import Pack, load_pack, pack_ids, versions_of
from replay.filing.law import LAW, law_of_any_kind, rules_module

OUTSIDE_LAW = "replay.packs."
"""Modules of packs are reached through their pack, and so are versions that other versions are based on."""


@dataclass(frozen=True)
class Cited:
    """One citation and where it stands: `ma/supreme_pai_gow: option banking`."""

    where: str
    citation: Citation


def citations_in(value: object, path: str) -> Iterator[Cited]:
    """Those in a value of any depth, each with its path."""
    if isinstance(value, Citation):
        yield Cited(path, value)
    elif isinstance(value, Mapping):
        for key, one in value.items():
            yield from citations_in(one, f"{path}.{key}")
    elif isinstance(value, list | tuple):
        for one in value:
            yield from citations_in(one, path)
    elif is_dataclass(value) and not isinstance(value, type):
        for field in fields(value):
            yield from citations_in(getattr(value, field.name), f"{path}.{field.name}")


@cache
def every_citation() -> tuple[Cited, ...]:
    """Of the packs, in their data and their law, and of the modules that judge any game."""
    found: list[Cited] = []
    for pack_id in pack_ids():
        for version in versions_of(pack_id):
            found += _of_pack(load_pack(pack_id, version))
    for info in walk_packages(replay.__path__, "replay."):
        if info.name.endswith("__main__") or info.name.startswith(OUTSIDE_LAW):
            continue
        module = import_module(info.name)
        for name, value in vars(module).items():
            if not name.startswith("__"):
                found += [one for one in citations_in(value, f"{info.name}.{name}") if _own(value)]
    found += [Cited(f"rule {name}", cited) for name, cited in RULES.items() if not name.startswith(OUTSIDE_LAW)]
    return tuple(dict.fromkeys(found))


def _own(value: object) -> bool:
    """A module's tables of other things (`RULES`) are met where they belong."""
    return value is not RULES


def _of_pack(pack: Pack) -> Iterator[Cited]:
    data = pack.data
    yield Cited(f"{pack.id}: the deck", data.deck.cite)
    yield Cited(f"{pack.id}: the seats", data.seats.cite)
    for name, wager in data.wagers.items():
        yield Cited(f"{pack.id}: wager {name}", wager.cite)
    for name, option in data.options.items():
        yield Cited(f"{pack.id}: option {name}", option.cite)
    for name, table in pack.paytables.items():
        yield Cited(f"{pack.id}: pay table {name}", table.cite)
        if table.progressive is not None:
            for term in ("contribution", "seed", "deducted"):
                said = getattr(table.progressive, term)
                if said is not None:
                    yield Cited(f"{pack.id}: pay table {name}, {term}", said.cite)
        for row in table.rows:
            if row.cite is not None:
                yield Cited(f"{pack.id}: pay table {name}, {row.hand}", row.cite)
    for name, schedule in pack.fees.items():
        yield Cited(f"{pack.id}: fees {name}", schedule.cite)
        yield Cited(f"{pack.id}: fees {name}, when taken", schedule.moment_cite)
        yield Cited(f"{pack.id}: fees {name}, limits", schedule.limits_cite)
        for part in schedule.parts:
            yield Cited(f"{pack.id}: fees {name}, {part.payer}", part.cite)
    for procedure in pack.pickups.values():
        for step in procedure.steps:
            yield Cited(f"{pack.id}: pickup of {step.title}", step.cite)
            for laid in step.laid if isinstance(step.laid, list | tuple) else ():
                yield Cited(f"{pack.id}: pickup of {step.title}, laid", laid.cite)
    for name, method in pack.dealing.items():
        for cited in method.cites:
            yield Cited(f"{pack.id}: dealing {name}", cited)
    for name, cited in pack.rule_functions.items():
        yield Cited(f"{pack.id}: rule {name}", cited)
    if pack.cites:  # the law of another text, cited anew: what stands beside it there is that text's
        yield from citations_in(law_of_any_kind(pack.rules[0], pack.cites), f"{pack.id}: law")
        return
    for rules in pack.rules:
        yield from citations_in(law_of_any_kind(rules), f"{pack.id}: law")
        for name, value in vars(rules_module(rules)).items():
            if not name.startswith("__") and name != LAW:
                yield from citations_in(value, f"{pack.id}: law {name.strip('_')}")


# ---- which sections a citation names --------------------------------------------------------------------------------

_MA_TOKEN = re.compile(r"(§\d+(?:\.A|[a-c])?(?: second )?)?((?: ?\([a-z]+\)| ?\(\d+\))*)([a-d](?!\w))?")
_NJ_TOKEN = re.compile(r"(19:4\d-[\d.]+[A-Z]?)?(\([a-z]\))?(\d+)?([ivx]+)?")


def sections_named(citation: Citation, known: frozenset[str]) -> list[str]:
    """The sections of the list that a citation names; ones not on the list come with a question mark in front."""
    if citation.text in ("MA-SPG", "MA-PGP"):
        return [one if one in known else f"?{one}" for one in _massachusetts(citation.section)]
    if citation.text == "NJ-SPG":
        return [one if one in known else f"?{one}" for one in _new_jersey(citation.section)]
    longest = max((one for one in known if citation.section.startswith(one)), key=len, default=None)
    return [longest or f"?{citation.section}"]


def _massachusetts(section: str) -> list[str]:
    """`§9(g)(1)(v), (2)(iii), (3)` names three; what is left out is as in the one before."""
    found: list[str] = []
    before: list[str] = []
    top = ""
    for piece in re.split(r", (?=§|\()|(?<=\)),(?=\()|-(?=\()", section):
        token = _MA_TOKEN.match(piece)
        if token is None or not token[0]:
            continue
        labels = re.findall(r"\((\w+)\)", token[2]) + ([token[3]] if token[3] else [])
        if token[1]:
            top, before = token[1].rstrip(), labels
        else:
            before = _continued(before, labels)
        spelled = "".join(one if at == 3 else f"({one})" for at, one in enumerate(before))
        found.append(f"{top}{' ' if top.endswith('second') else ''}{spelled}")
    return found


def _continued(before: list[str], labels: list[str]) -> list[str]:
    """(2)(iii) after (g)(1)(v) is (g)(2)(iii): it takes the place of the nearest label of its kind."""
    for at in range(len(before) - 1, -1, -1):
        if _kinds(before[at]) & _kinds(labels[0]):
            return before[:at] + labels
    return before + labels


def _kinds(label: str) -> set[str]:
    if label.isdecimal():
        return {"number"}
    roman = bool(re.fullmatch(r"[ivx]+", label))
    return {"roman"} if roman and len(label) > 1 else {"roman", "letter"} if roman else {"letter"}


def _new_jersey(section: str) -> list[str]:
    found: list[str] = []
    before = ["", "", "", ""]
    for piece in section.split(", "):
        token = _NJ_TOKEN.match(piece)
        if token is None or not token[0]:
            continue
        given = [token[1] or "", token[2] or "", token[3] or "", token[4] or ""]
        first = next(at for at, one in enumerate(given) if one)
        before = before[:first] + given[first:]
        found.append("".join(before))
    return found


def cited_sections(text: str, known: frozenset[str]) -> dict[str, list[Cited]]:
    """Section → the citations that name it, and under a question mark those of sections the list does not have."""
    found: dict[str, list[Cited]] = {}
    for one in every_citation():
        if one.citation.text == text:
            for section in sections_named(one.citation, known):
                found.setdefault(section, []).append(one)
    return found


def root() -> Path:
    """The repository."""
    return Path(__file__).resolve().parents[2]
