"""The sections of a rule text, found by the marks printed in it: §12(g)(2), 19:47-34.16(e), App. C 3, rows of tables.

Knows how each of the five texts letters its sections, and nothing of what they say. A mark that a text prints twice
gets a number: §10(a) and then §10(a) [2].
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from replay.coverage.california import california

FILES = {"MA-SPG": "000_", "MA-PGP": "001_", "NJ-SPG": "002_", "FLT-SPG": "003_", "CA": "004_"}
"""How the file of each text begins, in ../shared/seeds beside the repository."""


@dataclass(frozen=True)
class Mark:
    """One section of a text, or one row of a table in it, with the words printed under it."""

    name: str
    words: str
    row: bool = False


Found = Iterator[tuple[str, str, bool]]  # name ("" goes on with the section before), words, whether it is a row


def source_of(text: str, seeds: Path) -> str | None:
    """The text as it lies in ../shared/seeds; None in a clone without it."""
    found = sorted(seeds.glob(f"{FILES[text]}*.txt"))
    return found[0].read_text(encoding="utf-8") if found else None


def plain(words: str) -> str:
    """White space, emphasis, escaped dollars and typographic quotes evened out."""
    evened = words.replace("\\$", "$").translate(str.maketrans("“”’‘–—\xa0", "\"\"''-- "))
    return re.sub(r"\s+", " ", re.sub(r"[*_#]+|</?[bu]>", "", evened)).strip()


def marks_in(text: str, source: str) -> list[Mark]:
    """Every section and every row of every table, in the order in which they are printed."""
    sections: list[tuple[str, list[str]]] = []
    rows: dict[int, list[tuple[str, str]]] = {}
    seen: dict[str, int] = {}

    def numbered(name: str) -> str:
        seen[name] = seen.get(name, 0) + 1
        return name if seen[name] == 1 else f"{name} [{seen[name]}]"

    for name, words, row in _FOUND[text](source.splitlines()):
        if row:
            rows.setdefault(len(sections) - 1, []).append((numbered(name), plain(words)))
            sections[-1][1].append(words)
        elif name:
            sections.append((numbered(name), [words]))
        elif sections:
            sections[-1][1].append(words)
    marks = []
    for at, (name, said) in enumerate(sections):
        marks.append(Mark(name, plain(" ".join(said))))
        marks += [Mark(row_name, row_words, row=True) for row_name, row_words in rows.get(at, [])]
    return marks


def is_below(name: str, section: str) -> bool:
    """Whether a mark is the section or one of its parts or rows; §8a is none of §8, 34.3(c)10 none of 34.3(c)1."""
    after = name.removeprefix(section)
    if not name.startswith(section) or not after or after[0] in "( ,":
        return name.startswith(section)
    if after[0].isdecimal():
        return section.endswith(")")
    return section.endswith(")") or not section.startswith("§")


# ---- how a text letters ---------------------------------------------------------------------------------------------

_LETTER, _NUMBER, _ROMAN, _DOTTED = 1, 2, 3, 4
_ROMANS = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")


class _Lettering:
    """Where in a section one is: (a), then (1), then (i), then a."""

    def __init__(self) -> None:
        self.labels: dict[int, str] = {}

    def at(self, label: str, indented: bool) -> tuple[str, ...]:
        """The labels from the section down to this one."""
        level = self._level(label, indented)
        self.labels = {one: name for one, name in self.labels.items() if one < level} | {level: label}
        return tuple(self.labels[one] for one in sorted(self.labels))

    def _level(self, label: str, indented: bool) -> int:
        if label.isdecimal():
            return _NUMBER
        letter, roman = self.labels.get(_LETTER), self.labels.get(_ROMAN)
        if label not in _ROMANS:
            return _LETTER
        if len(label) > 1:
            return _ROMAN
        if label == "i":
            return _LETTER if letter == "h" and not indented else _ROMAN
        follows = roman is not None and _ROMANS.index(label) == _ROMANS.index(roman) + 1
        return _ROMAN if follows else _LETTER


def _cells(line: str) -> list[str]:
    return [plain(cell) for cell in line.split("\t")]


def _table_row(line: str) -> str | None:
    """What a row of a table is called by, its first cell; None for anything else and for headings."""
    cells = _cells(line)
    if len(cells) < 2 or not cells[0] or cells[0].isdecimal():
        return None
    headings = ("Hand", "Hand Type", "Result", "Lland", "Dealer's 8 th Card", "Hand (Pai Gow)", "Hand Dealt")
    return None if cells[0] in headings else cells[0]


_PAYTABLE = re.compile(r"(?:Payt|T)able [A-E]$")


def _title(line: str) -> str | None:
    """What the heading of a table calls it where it is one pay table: Paytable A."""
    named = [cell for cell in _cells(line) if _PAYTABLE.fullmatch(cell)]
    return named[0] if len(named) == 1 else None


_MA_SECTION = re.compile(r"(\d+(?:\.A|[a-c])?)\.? +[A-Z]")
_MA_LABEL = re.compile(r"(\s*)(?:- )?\(([a-z]+|\d+)\) ")
_MA_DOTTED = re.compile(r"\s*(?:- )?([a-d])\. ")
_MA_TERM = re.compile(r"([A-Z][A-Za-z' ,-]*?)[\" ]*(?:--|—)\s*(?:shall mean|is |A |an |The |An )")


def _massachusetts(lines: list[str]) -> Found:
    section, title, second, number = "", "", False, 0
    lettering = _Lettering()
    path: tuple[str, ...] = ()

    def name(labels: tuple[str, ...]) -> str:
        letters = "".join(one if one[0].isalpha() and at == 3 else f"({one})" for at, one in enumerate(labels))
        return f"§{section}{' second ' if second and labels else ''}{letters}"

    for line in lines:
        heading = _MA_SECTION.match(line)
        if heading and number <= int(re.sub(r"\D", "", heading[1])) <= number + 1:
            section, title, second, lettering, path = heading[1], "", False, _Lettering(), ()
            number = int(re.sub(r"\D", "", heading[1]))
            yield f"§{section}", line, False
        elif label := _MA_LABEL.match(line):
            second = second or (label[2] == "a" and lettering.labels.get(_LETTER, "a") > "a")
            path, title = lettering.at(label[2], indented=bool(label[1])), ""
            yield name(path), line[label.end() :], False
        elif (dotted := _MA_DOTTED.match(line)) and _ROMAN in lettering.labels:
            lettering.labels[_DOTTED] = dotted[1]
            path = tuple(lettering.labels[one] for one in sorted(lettering.labels))
            yield name(path), line[dotted.end() :], False
        elif section == "1" and (term := _MA_TERM.match(line)):
            yield f"§1 {term[1].strip()}", line, False
        elif "\t" in line:
            first = _table_row(line)
            title = _title(line) or title
            yield (f"{name(path)}{f' {title}' if title else ''}, {first}" if first else "", line, bool(first))
        else:
            yield "", line, False


_NJ_SECTION = re.compile(r"[#* ]*(19:4\d-[\d.]+[A-Z]?)\.? ")
_NJ_LETTER = re.compile(r"(\s*)(?:- )?\(([a-z])\) ")
_NJ_NUMBER = re.compile(r"(\s*)(?:- )?(\d{1,2}|[ivx]+)\. (?!- )")
_NJ_RANGE = re.compile(r"[-\s*]*(\d)\. - (\d+)\. ")
_NJ_TERM = re.compile(r"[\"“]([A-Z][A-Za-z -]*)[\"”] (?:shall mean|is defined|is a|means)")


def _new_jersey(lines: list[str]) -> Found:
    section, lettering = "", _Lettering()
    path: tuple[str, ...] = ()

    def name(labels: tuple[str, ...]) -> str:
        return section + "".join(f"({one})" if one.isalpha() and at == 0 else one for at, one in enumerate(labels))

    for raw in lines:
        line = raw.replace("**", "")
        heading = _NJ_SECTION.match(raw)
        if heading:
            section, lettering, path = heading[1], _Lettering(), ()
            yield section, plain(line), False
        elif not section:
            yield "", line, False
        elif "\t" in line:
            first = _table_row(line)
            yield (f"{name(path)}, {first}" if first else "", line, bool(first))
        elif letter := _NJ_LETTER.match(line):
            lettering.labels = {_LETTER: letter[2]}
            path = (letter[2],)
            yield name(path), line[letter.end() :], False
        elif _NJ_RANGE.match(line):
            yield "", line, False  # "1. - 3. (No change.)"
        elif label := _NJ_NUMBER.match(line):
            path = lettering.at(label[2], indented=True)
            yield name(path), line[label.end() :], False
        elif term := _NJ_TERM.match(line.strip()):
            yield f"{section} {term[1]}", line, False
        else:
            yield "", line, False


_FLT_HEADINGS = (
    *("Game Description", "Rules of Play", "Optional Bonus Wagers", "Pai Gow Insurance Progressive"),
    *("Emperor's Treasure Progressive", "Emperor's Treasure (with Envy Bonus)", "Pai Gow Insurance", "Envy Bonus"),
    *("7-Card Bonus", "Dealer's 8th Card"),
)
_FLT_APPENDIX = re.compile(r"Appendix ([A-G])")
_FLT_NUMBER = re.compile(r"- (\d)\. ")
_FLT_LETTER = re.compile(r"\s+- ([a-d])\. ")


def _freely_licensed(lines: list[str]) -> Found:
    section, number = "", ""
    for raw in lines:
        line = plain(raw) if "\t" not in raw else raw
        if appendix := _FLT_APPENDIX.match(line):
            section, number = f"App. {appendix[1]}", ""
            yield section, line, False
        elif line in _FLT_HEADINGS and not section.startswith("App."):
            section, number = line, ""
            yield section, line, False
        elif label := _FLT_NUMBER.match(raw):
            number = label[1]
            yield f"{section} {number}", raw[label.end() :], False
        elif letter := _FLT_LETTER.match(raw):
            yield f"{section} {number}{letter[1]}", raw[letter.end() :], False
        elif "\t" in raw:
            first = _flt_row(raw)
            yield (f"{section}, {first}" if first else "", raw, bool(first))
        else:
            yield "", raw, False


def _flt_row(line: str) -> str | None:
    """The eighth card's tables have a heading down their side, and cells that the print broke in two."""
    cells = _cells(line)
    if any(re.match(r"PT-|AR-|E0", cell) for cell in cells[1:2]):
        return None  # the names of the pay tables
    if cells[0] in ("", "Field", "rieiu"):
        return cells[1] or None
    broken = {"3 o": "3 or 10", "2 0": "2 or 4"}.get(cells[0])
    return broken or (cells[0] if cells[0].isdecimal() else _table_row(line))


_FOUND: dict[str, Callable[[list[str]], Found]] = {
    "MA-SPG": _massachusetts,
    "MA-PGP": _massachusetts,
    "NJ-SPG": _new_jersey,
    "FLT-SPG": _freely_licensed,
    "CA": lambda lines: california(lines, plain),
}
