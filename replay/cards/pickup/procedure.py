"""A pickup procedure as a licensee files it: steps in the order in which they are carried out, each with its citation.

A step says *what* goes into the rack (the stub, the board, the burns, baccarat's two hands, or players' hands), *whose*
(a condition over the words of `replay.cards.pickup.words`), in which *order*, and how the cards of a hand are *laid*. A
hand is picked up at the first step that takes it: afterwards it is no longer on the table. A procedure under which a
hand could be left lying does not load.
"""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from functools import cache, cached_property
from itertools import chain, combinations
from pathlib import Path
from typing import Annotated, Any

import yaml
from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    PlainSerializer,
    ValidationError,
    model_validator,
)

from replay.cards.pickup.problems import problem_in
from replay.cards.pickup.words import OUTCOMES, Clause, Condition, Word, holds, parse_clause, words_in, written
from replay.cards.solver.layout import BANKER, BOARD, BURNS, PLAYER, STUB
from replay.citations import TEXTS, Citation

PROCEDURES_FOLDER = Path(__file__).parent / "procedures"


class ProcedureError(ValueError):
    """A procedure that does not exist or does not hold together; the message says which, where and what would."""


class What(StrEnum):
    """What a step puts into the rack."""

    STUB = "stub"
    BOARD = "board"
    BURNS = "burns"
    PLAYER_HAND = "player_hand"
    BANKER_HAND = "banker_hand"
    HANDS = "hands"


PLACE_OF: dict[What, int] = {
    What.STUB: STUB,
    What.BOARD: BOARD,
    What.BURNS: BURNS,
    What.PLAYER_HAND: PLAYER,
    What.BANKER_HAND: BANKER,
}
WHAT_AT = {place: what for what, place in PLACE_OF.items()}


class Order(StrEnum):
    """In which order the hands of one step go in. A place's several hands follow each other as they were played."""

    BY_PLACE = "by_place"  # betting positions as they are numbered, the dealer's place before the first
    BY_PLACE_DOWN = "by_place_down"  # the same backwards
    FROM_BUTTON = "from_button"  # clockwise from the action button
    AS_ACTED = "as_acted"  # as they were surrendered or folded
    ANY_TIME = "any_time"  # at any moment from this step on, but before the last step


class Laid(StrEnum):
    """How the cards of one hand are laid."""

    LOW_HIGH = "low_high"  # the low hand's two cards, then the high hand's
    LOW_HIGH_EIGHTH = "low_high_eighth"  # the two, the five, and the card left over
    HIGH_LOW = "high_low"  # the high hand's cards, then the low hand's two
    AS_DRAWN = "as_drawn"  # in the order in which they were dealt or turned
    ANY_ORDER = "any_order"  # the rack gives the hand, not how its cards lay


FORMER_NAME_OF_LAID = "lie"
LOW_CARDS, EIGHTH_CARD = 2, 1
LARGEST_HAND = {Laid.LOW_HIGH: 7, Laid.HIGH_LOW: 7, Laid.LOW_HIGH_EIGHTH: 8}
SMALLEST_HAND = {Laid.LOW_HIGH: 3, Laid.HIGH_LOW: 3, Laid.LOW_HIGH_EIGHTH: 4}


def _clause(value: object) -> object:
    if isinstance(value, str):
        return parse_clause(value)
    if isinstance(value, tuple):
        return value
    raise ValueError(f"{value!r} is no condition; one is text such as 'not wagered'")


Whose = Annotated[
    tuple[Annotated[Clause, BeforeValidator(_clause), PlainSerializer(written, return_type=str)], ...],
    Field(default=()),
]


class _Data(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


ORDER_WORDS: dict[Order, str] = {
    Order.BY_PLACE: "places in ascending order",
    Order.BY_PLACE_DOWN: "places in descending order",
    Order.FROM_BUTTON: "clockwise from the action button",
    Order.AS_ACTED: "as they went out",
    Order.ANY_TIME: "at any moment before the last step",
}
LAID_WORDS: dict[Laid, str] = {
    Laid.LOW_HIGH: "low hand then high",
    Laid.LOW_HIGH_EIGHTH: "low hand, high hand, eighth card",
    Laid.HIGH_LOW: "high hand then low",
    Laid.AS_DRAWN: "as drawn",
    Laid.ANY_ORDER: "in any order",
}


class LaidRule(_Data):
    """How the cards of such hands lie; the first rule that applies counts."""

    whose: Whose
    how: Laid
    cite: Citation


class PickupStep(_Data):
    """Which cards go to the rack now, in which order, and how each hand lies."""

    title: str  # for people
    what: What = What.HANDS
    whose: Whose
    order: Order = Order.BY_PLACE
    laid: Laid | tuple[LaidRule, ...] = Laid.ANY_ORDER
    cite: Citation

    @model_validator(mode="before")
    @classmethod
    def _reads_the_old_name(cls, raw: object) -> object:
        """`laid` was called `lie`. A procedure a house filed stays as filed, so the old name is read for ever."""
        if not isinstance(raw, dict) or FORMER_NAME_OF_LAID not in raw:
            return raw
        if "laid" in raw:
            raise ValueError(f"{FORMER_NAME_OF_LAID} is the former name of laid: give one of the two, laid")
        return {"laid" if name == FORMER_NAME_OF_LAID else name: value for name, value in raw.items()}

    @model_validator(mode="after")
    def _makes_sense(self) -> PickupStep:
        if self.what is not What.HANDS and (self.whose or self.order is not Order.BY_PLACE):
            raise ValueError(f"{self.what} is nobody's, so it has no whose and no order")
        if not isinstance(self.laid, Laid) and (not self.laid or self.laid[-1].whose):
            raise ValueError("the last rule of laid must be without whose: every hand needs one")
        return self

    def takes(self, place: int, true: frozenset[Word]) -> bool:
        """Whether a hand at this place, of which these words are so, goes in at this step if it is still there."""
        if self.what is What.HANDS:
            return place not in WHAT_AT and holds(self.whose, true)
        return place == PLACE_OF[self.what]

    def laid_for(self, true: frozenset[Word]) -> Laid:
        if isinstance(self.laid, Laid):
            return self.laid
        return next(rule.how for rule in self.laid if holds(rule.whose, true))

    @property
    def in_words(self) -> str:
        """In which order, and how each hand is laid, for people."""
        order = [ORDER_WORDS[self.order]] if self.what is What.HANDS else []
        if isinstance(self.laid, Laid):
            return "; ".join([*order, f"cards {LAID_WORDS[self.laid]}"])
        lies = [
            LAID_WORDS[rule.how] + (f" if {' and '.join(map(written, rule.whose))}" if rule.whose else "")
            for rule in self.laid
        ]
        return "; ".join([*order, f"cards {', else '.join(lies)}"])

    @cached_property
    def conditions(self) -> tuple[Condition, ...]:
        rules = () if isinstance(self.laid, Laid) else self.laid
        return (self.whose, *(rule.whose for rule in rules))


class Procedure(_Data):
    """The whole procedure."""

    id: str = Field(min_length=1)
    title: str = Field(min_length=1)
    steps: tuple[PickupStep, ...] = Field(min_length=1)

    def __hash__(self) -> int:  # procedures are keys of caches, and going through every step would take longer
        return hash(self.id)

    @model_validator(mode="after")
    def _picks_up_every_hand(self) -> Procedure:
        named = [step.what for step in self.steps if step.what is not What.HANDS]
        twice = sorted({what for what in named if named.count(what) > 1})
        if twice:
            raise ValueError(f"{', '.join(twice)} is picked up at two steps; once is enough")
        if self.steps[-1].order is Order.ANY_TIME:
            raise ValueError(
                f"the last step ({self.steps[-1].title!r}) cannot be any_time, which means before the last step"
            )
        if any(step.what is What.HANDS for step in self.steps):
            left = next((true for true in self.worlds() if not self.takes_hand(true)), None)
            if left is not None:
                said = ", ".join(sorted(left)) or "none of the words"
                raise ValueError(
                    f"no step picks up a hand that is: {said}; end with a step that takes every hand left "
                    "(without whose)"
                )
            self._refuse_idle_steps()
        return self

    def _refuse_idle_steps(self) -> None:
        """A step that never takes a hand is a slip of its author's: steps before it take all that it would."""
        idle = {number for number, step in enumerate(self.steps) if step.what is What.HANDS}
        for true in self.worlds():
            idle.discard(next(number for number, step in enumerate(self.steps) if step.takes(0, true)))
            if not idle:
                return
        first = min(idle)
        raise ValueError(
            f"step {first + 1} ({self.steps[first].title!r}) never takes a hand: the steps before it take all it would"
        )

    def takes_hand(self, true: frozenset[Word]) -> bool:
        return any(step.what is What.HANDS and holds(step.whose, true) for step in self.steps)

    @cached_property
    def words(self) -> frozenset[Word]:
        """The words it depends on."""
        return frozenset(chain.from_iterable(words_in(c) for step in self.steps for c in step.conditions))

    def worlds(self) -> Iterator[frozenset[Word]]:
        """Every way the words it depends on may be so of one hand."""
        return consistent(self.words)

    @property
    def has_stub(self) -> bool:
        return any(step.what is What.STUB for step in self.steps)


def consistent(words: frozenset[Word]) -> Iterator[frozenset[Word]]:
    """Every set of these words that may be so of one hand, smallest sets first: it has at most one outcome."""
    listed = sorted(words)
    for count in range(len(listed) + 1):
        for chosen in combinations(listed, count):
            true = frozenset(chosen)
            if len(true & OUTCOMES) <= 1:
                yield true


def procedure_from(raw: Any, where: str) -> Procedure:
    """A procedure from YAML already read; a ProcedureError names the place and the field that does not hold."""
    try:
        found = Procedure.model_validate(raw)
    except ValidationError as problem:
        raise ProcedureError(f"{where}: {problem_in(raw, problem)}") from None
    for number, step in enumerate(found.steps, 1):
        rules = () if isinstance(step.laid, Laid) else step.laid
        for cite in (step.cite, *(rule.cite for rule in rules)):
            if cite.text not in TEXTS:
                raise ProcedureError(
                    f"{where}: step {number} ({step.title!r}) cites {cite.text!r}, which is no rule text "
                    f"({', '.join(TEXTS)})"
                )
    return found


def read_procedure(path: Path) -> Procedure:
    """A procedure from its file, whose name is its id."""
    try:
        raw = yaml.safe_load(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ProcedureError(f"{path} is missing") from None
    except yaml.YAMLError as problem:
        raise ProcedureError(f"{path} is not YAML: {' '.join(str(problem).split())}") from None
    found = procedure_from(raw, str(path))
    if found.id != path.stem:
        raise ProcedureError(f"{path} calls itself {found.id!r}; the file name is the id")
    return found


def procedure_ids() -> list[str]:
    return sorted(path.stem for path in PROCEDURES_FOLDER.glob("*.yaml"))


@cache
def shipped_procedure(name: str) -> Procedure:
    """A procedure of a game that has no pack of its own, such as `ca-pure_21_5_blackjack`."""
    if name not in procedure_ids():
        raise ProcedureError(f"there is no pickup procedure {name!r}; there are: {', '.join(procedure_ids())}")
    return read_procedure(PROCEDURES_FOLDER / f"{name}.yaml")
