"""What a family of games must offer, and the values that pass between it and the rest of replay.

A family rebuilds hands and works out what every wager, envy bonus and fee of a batch of rounds should have come to, all
rounds of one filing at once. It returns *lines* (`replay.lines`), *remarks* (`replay.remarks`) and what it could not
settle for want of evidence. What a wager should come to it never takes from the reported settlements: comparing is the
business of `replay.compare`. Only the solver is told them, as one more witness of whose hands lay where in a rack that
may be out of order.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol, TypeVar

from replay.cards.reading import RackReading
from replay.cards.solver.answers import Answer
from replay.cards.solver.budget import Searches
from replay.citations import Citation
from replay.filing import Filing
from replay.lines import Cents, Lines, join_lines
from replay.money.pot import PotsOfRound
from replay.remarks import Remark
from replay.rounds import Ints, RoundBatch, RoundRow
from schemas.cases import Case
from schemas.findings import Basis

Said = TypeVar("Said")


@dataclass(frozen=True)
class HandView:
    """One reconstructed hand, for people: whose, which cards, what it is."""

    place: str  # "dealer", "seat 3", "Player", "Banker"
    parts: tuple[tuple[str, bytes], ...]  # ("low", cards), ("high", cards) or ("", cards)
    note: str = ""  # "pair of kings low, flush high"


@dataclass(frozen=True)
class FeeMoment:
    """When a collection schedule has its fees taken, in words: after what, and before what (nothing: no limit)."""

    after: str
    before: str
    cite: Citation


@dataclass(frozen=True)
class Checked:
    """What a pack made of a batch."""

    lines: Lines
    remarks: list[Remark] = field(default_factory=list)
    left_open: dict[int, str] = field(default_factory=dict)  # row → why the evidence does not settle it
    no_rule: dict[int, str] = field(default_factory=dict)  # row → what nothing filed says how to settle
    alternatives: dict[int, list[Lines]] = field(default_factory=dict)  # row → lines of each reading that fits
    hands: Callable[[int], list[HandView]] = lambda row: []
    vigorish: Callable[[Cents], Cents] | None = None  # commission on an amount won, by the filing
    vigorish_cite: Citation | None = None
    settlement_order: Callable[[int], str] = lambda row: ""  # how wagers were taken in turn, for people
    answers: dict[int, Answer] = field(default_factory=dict)  # row → how an odd rack is explained
    settled_otherwise: frozenset[int] = frozenset()  # rows whose hands were not taken from that explanation
    reading: Callable[[int], RackReading | None] = lambda row: None  # how the rack was read, for people
    hands_from: Callable[[int], Basis] = lambda row: Basis.HANDS  # which witnesses gave a round's hands
    also_shown: Callable[[int, int], bool] = lambda row, place: (
        False
    )  # whether that hand was shown, and as those gave it
    beyond_dispute: Callable[[int], bool] = lambda row: False
    """Whether every witness there could be saw the same hands, so that nothing but the settlement can be wrong."""

    fee_rates: Mapping[int, frozenset[int]] = field(default_factory=dict)
    """Every rate that a filed collection schedule has, in cents, by who pays (`rounds.PAYER_CODE`)."""

    fee_moment: FeeMoment | None = None  # of the schedule in use

    meters: Sequence[str] = ()  # the progressive meters that are filed, as events name them
    pots: Mapping[int, PotsOfRound] | None = None  # row → what its pots are divided by; None where it plays for none

    def why_not_settled(self, row: int) -> str | None:
        """Why not all of the round can be settled, by evidence or by rule; None where it can."""
        return self.left_open.get(row) or self.no_rule.get(row)


def checked_together(parts: Sequence[Checked], rows: Sequence[Ints]) -> Checked:
    """Rounds of one filing that were checked apart, as one: `rows` are where those of each part stand."""
    at = {int(row): (number, own) for number, those in enumerate(rows) for own, row in enumerate(those.tolist())}

    def by_row(what: Callable[[Checked], Mapping[int, Said]]) -> dict[int, Said]:
        found = (
            (int(those[row]), said) for part, those in zip(parts, rows, strict=True) for row, said in what(part).items()
        )
        return dict(sorted(found))

    def of(row: int) -> tuple[Checked, int]:
        number, own = at[row]
        return parts[number], own

    first = parts[0]
    each = list(zip(parts, rows, strict=True))
    return replace(
        first,
        lines=join_lines([part.lines.of_rows(those) for part, those in each]),
        remarks=[replace(remark, row=int(those[remark.row])) for part, those in each for remark in part.remarks],
        left_open=by_row(lambda part: part.left_open),
        no_rule=by_row(lambda part: part.no_rule),
        alternatives={
            int(those[row]): [lines.of_rows(those) for lines in readings]
            for part, those in each
            for row, readings in part.alternatives.items()
        },
        hands=lambda row: of(row)[0].hands(of(row)[1]),
        settlement_order=lambda row: of(row)[0].settlement_order(of(row)[1]),
        answers=by_row(lambda part: part.answers),
        settled_otherwise=frozenset(int(those[row]) for part, those in each for row in part.settled_otherwise),
        reading=lambda row: of(row)[0].reading(of(row)[1]),
        hands_from=lambda row: of(row)[0].hands_from(of(row)[1]),
        also_shown=lambda row, place: of(row)[0].also_shown(of(row)[1], place),
    )


class Game(Protocol):
    """`game.py` of a family."""

    def check_filing(self, filing: Filing) -> str | None:
        """Why options of this filing contradict each other, in words; None when they do not."""

    def check(
        self, batch: RoundBatch, filing: Filing, doubted: bool = False, searches: Searches | None = None
    ) -> Checked:
        """All rounds of `batch` were played under `filing`. `doubted`: a wager of each was settled otherwise than its
        hands give as they lie; the order of the rack itself is then in question. `searches` says which odd racks may be
        searched for what went wrong, and for how long; None: all of them."""

    def cut_rack(self, filing: Filing, cards: bytes, dealt: Sequence[bytes]) -> list[int] | None:
        """How many of these cards, scanned after several rounds, each of them put into the rack; `dealt` is what was
        read of each deal. None when that cannot be told."""

    def row_of_case(self, case: Case, filing: Filing) -> RoundRow:
        """A case as the round the devices would have reported, without its settlements."""
