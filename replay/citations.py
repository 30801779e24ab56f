"""Citations: every rule and number says which text it rests on, in which words.

`text` is the short name of a rule text (MA-PGP, CA ...) or `rulings.md`; `section` the place in it; `words` the words
it rests on, quoted, which tests look up in the text itself. Where those are a row of a table, a run of numbers that
explains nothing by itself, `row` says the same in words, made from the pack's data.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import ParamSpec, TypeVar

from pydantic import BaseModel, ConfigDict, Field

P = ParamSpec("P")
T = TypeVar("T")

TEXTS: dict[str, str] = {
    "MA-SPG": "Massachusetts, Supreme Pai Gow",
    "MA-PGP": "Massachusetts, Pai Gow Poker",
    "NJ-SPG": "New Jersey, Supreme Pai Gow temporary rules",
    "FLT-SPG": "Supreme Pai Gow, commission-free Ante/Raise game",
    "CA": "Cameo Club, California card room",
    "rulings.md": "How the rule texts are read where they are silent or at odds",
}


class Citation(BaseModel):
    """Where a rule or a number comes from."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    text: str = Field(min_length=1)
    section: str = Field(min_length=1)
    words: str | None = None
    row: str | None = None

    def __str__(self) -> str:
        return f"{self.text} {self.section}"

    @property
    def explained(self) -> str:
        """For whoever asks by which rule: the sentence that decides, quoted; of a table the row, in words."""
        if self.row is not None:
            return f"{self}: {self.row}"
        return f"{self}: “{self.words}”" if self.words else str(self)

    def with_row(self, row: str) -> Citation:
        return self.model_copy(update={"row": row})


def cite(text: str, section: str, words: str | None = None) -> Citation:
    if text not in TEXTS:
        raise ValueError(f"{text!r} is not a rule text; known texts: {', '.join(TEXTS)}")
    return Citation(text=text, section=section, words=words)


RULES: dict[str, Citation] = {}
"""Every function that is a rule, by its dotted name."""


def rule(text: str, section: str, words: str | None = None) -> Callable[[Callable[P, T]], Callable[P, T]]:
    """Marks a function as one rule of a text. `rule(...)` functions can be listed and quoted; see `rules show`."""
    citation = cite(text, section, words)

    def mark(function: Callable[P, T]) -> Callable[P, T]:
        RULES[f"{function.__module__}.{function.__qualname__}"] = citation
        return function

    return mark


def rule_of(function: Callable[..., object]) -> Citation:
    """What a function marked as a rule rests on."""
    return RULES[f"{function.__module__}.{function.__qualname__}"]
