"""The citations in a value, and whether the words they quote stand in the text they name.

The rule texts lie beside the repository in ../shared where the project is developed and in CI; a clone without them
still checks that everything is cited.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path

from replay.citations import TEXTS, Citation
from replay.filing import Pack

SHARED = Path(__file__).parents[3] / "shared"
FILES = {"MA-SPG": "000_", "MA-PGP": "001_", "NJ-SPG": "002_", "FLT-SPG": "003_", "CA": "004_"}


def plain(text: str) -> str:
    """White space, escaped dollars, typographic quotes and emphasis evened out."""
    text = text.replace("\\$", "$").translate(str.maketrans("“”’‘–—\xa0", "\"\"''-- "))
    return re.sub(r"\s+", " ", re.sub(r"[*_]{1,2}|</?b>", "", text)).casefold()


def source_of(text: str) -> str | None:
    if text == "rulings.md":
        path = SHARED / "rulings.md"
    else:
        found = sorted((SHARED / "seeds").glob(FILES[text] + "*.txt"))
        path = found[0] if found else SHARED / "missing"
    return plain(path.read_text(encoding="utf-8")) if path.exists() else None


def citations_in(model: object) -> Iterator[Citation]:
    if isinstance(model, Citation):
        yield model
    elif isinstance(model, Mapping):
        for value in model.values():
            yield from citations_in(value)
    elif isinstance(model, (list, tuple)):
        for value in model:
            yield from citations_in(value)
    elif is_dataclass(model) and not isinstance(model, type):
        for field in fields(model):
            yield from citations_in(getattr(model, field.name))
    elif hasattr(model, "model_fields_set") and not isinstance(model, type):
        for value in vars(model).values():
            yield from citations_in(value)


def citations_of(pack: Pack) -> list[Citation]:
    """Of everything that is data in a pack."""
    parts = (pack.paytables, pack.fees, pack.pickups)
    dealt = [cited for method in pack.dealing.values() for cited in method.cites]
    return [*citations_in(pack.data), *(cited for part in parts for cited in citations_in(dict(part))), *dealt]


def misquoted(cited: Iterable[Citation]) -> list[str]:
    """Quoted words that do not stand, in this order, in the text they name; `…` stands for words left out."""
    wrong = []
    for citation in cited:
        assert citation.text in TEXTS
        source = source_of(citation.text)
        if source is None or citation.words is None:
            continue
        at = 0
        for part in citation.words.split("…"):
            at = source.find(plain(part).strip(), at)
            if at < 0:
                wrong.append(f"{citation}: {part}")
                break
    return wrong
