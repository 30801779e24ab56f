"""What the data of events is made of: the base of every model, the kinds of names and numbers, and the lists of words.

schemas/events.py says what may be said with them, and is where everybody else takes them from.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, ClassVar

from pydantic import BaseModel, ConfigDict, Field, StringConstraints

from schemas.money import MAX_CENTS

MAX_SEQ = 2**31 - 1  # CloudEvents integers are 32 bit

TableId = Annotated[str, StringConstraints(pattern=r"^[A-Z0-9][A-Z0-9-]{0,31}$")]
RoundId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$")]
Name = Annotated[str, StringConstraints(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
Label = Annotated[str, StringConstraints(min_length=1, max_length=120)]
PatronId = Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9][A-Za-z0-9._:-]{0,63}$")]
OptionText = Annotated[str, StringConstraints(max_length=120)]
OptionNumber = Annotated[int, Field(ge=-MAX_CENTS, le=MAX_CENTS)]
HexHash = Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{64}$")]
_UUID7 = r"^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$"
EventId = Annotated[str, StringConstraints(pattern=_UUID7)]


class Said(BaseModel):
    """Base of every `data` model: strict, closed, immutable."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)
    TYPE: ClassVar[str]
    VERSION: ClassVar[int] = 1


def says_something(label: str | None) -> bool:
    """Whether a label has a letter or a digit in it: a blank or a dash says neither who nor why."""
    return label is not None and any(character.isalnum() for character in label)


class BankKind(StrEnum):
    BANK = "bank"
    CO_BANK = "co_bank"
    PLAYER_DEALER = "player_dealer"


class StartMethod(StrEnum):
    DICE = "dice"
    RNG = "rng"
    BUTTON = "button"


class Action(StrEnum):
    SURRENDER = "surrender"
    FOLD = "fold"
    PLAY = "play"
    RAISE = "raise"
    CALL = "call"
    CHECK = "check"
    BET = "bet"
    POST_BLIND = "post_blind"
    ALL_IN = "all_in"
    HIT = "hit"
    STAND = "stand"
    DOUBLE = "double"
    SPLIT = "split"
    INSURE = "insure"
    EVEN_MONEY = "even_money"
    DECLINE = "decline"
    VOID_HAND = "void_hand"
    PLAY_ON = "play_on"


class Outcome(StrEnum):
    WIN = "win"
    LOSE = "lose"
    PUSH = "push"
    SURRENDER = "surrender"
    NO_ACTION = "no_action"
    VOID = "void"


SETTLED_WITHOUT_A_WAGER = frozenset({"ante_royalty", "bank"})
"""What `wager.settled` names though nobody places such a wager: what is paid on an ante, and what is left in the centre
for a bank."""


class Payer(StrEnum):
    PLAYER = "player"
    PLAYER_DEALER = "player_dealer"
    POT = "pot"
