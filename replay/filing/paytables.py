"""Pay tables as a pack files them: YAML, a row for each hand that is paid, as printed and in the printed order.

    id: progressive-14-1-dollar            the name of its file; an option of the pack chooses a table by it
    title: Progressive payout wager, the $1 table
    cite: {text: MA-PGP, section: §14(d), words: "..."}
    pays: for 1                            or `to 1` (rulings.md R-22): is the wager taken, or does it stay?
    printed_as: table                      findings quote the row in words; `sentences`: the words of its citation
    unit: $1                               the wager that sums of money in the table are printed for
    scales: {text: ...}                    a wager of several units is paid several times the sums (FLT-SPG App. F 5);
                                           without it the wager is always one unit
    progressive:                           what the text says of the meter, where it says anything
      contribution: {percent: 21, cite: {...}}      of each wager, at least; `exactly: true`: neither more nor less
      seed: {amount: "$10,000", cite: {...}}        what the house funds the meter with, at least
      deducted: {at_least: $50, hands: [straight_flush], cite: {...}}
                                           sums of money that come off the meter: these sums, and these hands whatever
                                           they pay. Shares always do.
      turn: {text: ...}                    from which value of the meter a share is paid
    rows:
      - {hand: royal_flush_natural_and_pair, meter: 100, cite: {...}}       percent of the meter
      - {hand: seven_card_straight_flush, meter: 100, of: mega, cite: ...}  of one of several meters
      - {hand: royal_flush_and_pair, amount: $200, cite: {...}}             a sum of money
      - {hand: straight_flush, odds: 100, cite: {...}}                      odds, whole
      - {hand: banker_wins_with_six, odds: [1, 2], cite: {...}}             odds, 1 to 2
      - {hand: three_pair, odds: push, cite: {...}}                         the wager goes back
      - {hand: four_of_a_kind, odds: 25, envy: $5, cite: {...}}             and what each envy bonus is
      - {hand: nine_high, odds: 100, suspect: "...", cite: {...}}           a print that is doubted, and why

`hand` is a class that `replay.ranking` knows. A hand is paid for the first row it can form: the printed order is the
order they pay in (rulings.md R-16), and what is in no row loses. A row pays by odds, a sum or a share, never two.
"""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, model_validator

from replay.citations import Citation
from schemas.money import Dollars, dollars


class _Data(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


Percent = Annotated[int, Field(ge=1, le=100)]
UNNAMED_METER = "meter"
"""What the one meter of a table is called where the text gives it no name."""


class PaytableRow(_Data):
    hand: str  # the class of hand, as ranking names it
    odds: Annotated[list[int], Field(min_length=2, max_length=2)] | int | Literal["push"] | None = None
    amount: Dollars | None = None
    meter: Percent | None = None
    of: str | None = None  # which meter, where the table has several
    envy: Dollars | None = None
    suspect: str | None = None  # why the print is doubted, where it is
    cite: Citation | None = None

    @model_validator(mode="after")
    def _pays_in_one_way(self) -> PaytableRow:
        ways = [name for name in ("odds", "amount", "meter") if getattr(self, name) is not None]
        if len(ways) != 1:
            raise ValueError(f"{self.hand} pays by {' and '.join(ways) or 'nothing'}; say odds, amount or meter")
        if self.of is not None and self.meter is None:
            raise ValueError(f"{self.hand} names the meter {self.of!r}, and pays no share of one")
        return self

    def pays(self) -> tuple[int, int]:
        """(numerator, denominator) of the odds; a push, a sum of money and a share of a meter have none."""
        if self.odds is None or self.odds == "push":
            return (0, 1)
        if isinstance(self.odds, int):
            return (self.odds, 1)
        return (self.odds[0], self.odds[1])


class Contribution(_Data):
    """How much of each wager goes to the meter, at least; a fraction of a cent is dropped (rulings.md R-46)."""

    percent: Percent
    exactly: bool = False
    cite: Citation


class Seed(_Data):
    """What the house funds the meter with at first and after it was won, at least."""

    amount: Dollars
    cite: Citation


class Deducted(_Data):
    """Which sums of money come off the meter."""

    at_least: Dollars
    hands: list[str] = []
    cite: Citation


class Progressive(_Data):
    contribution: Contribution | None = None
    seed: Seed | None = None
    deducted: Deducted | None = None
    turn: Citation | None = None


class Paytable(_Data):
    """`to 1`: odds × wager and the wager stays; `for 1`: odds × wager and the wager is taken (rulings.md R-22)."""

    id: str
    title: str
    cite: Citation
    pays: Literal["to 1", "for 1"]
    printed_as: Literal["sentences", "table"] = "sentences"
    unit: Dollars | None = None
    scales: Citation | None = None
    progressive: Progressive | None = None
    rows: list[PaytableRow]

    @model_validator(mode="after")
    def _holds_together(self) -> Paytable:
        hands = [row.hand for row in self.rows]
        for hand in hands:
            if hands.count(hand) > 1:
                raise ValueError(f"{hand} has two rows; a pay table has each hand once")
        sums = [row.hand for row in self.rows if row.amount is not None]
        if sums and self.unit is None:
            raise ValueError(f"{sums[0]} pays a sum of money; say the wager it is printed for (unit)")
        if self.scales is not None and self.unit is None:
            raise ValueError("scales is for a table with a unit")
        deducted = self.progressive.deducted if self.progressive else None
        for hand in deducted.hands if deducted else ():
            if hand not in sums:
                raise ValueError(f"{hand} is said to come off the meter, and no row of it pays a sum of money")
        return self

    @property
    def meters(self) -> tuple[str, ...]:
        """The meters it pays shares of, in printed order; none where it pays no shares."""
        return tuple(dict.fromkeys(row.of or UNNAMED_METER for row in self.rows if row.meter is not None))

    def off_meter(self, row: PaytableRow) -> bool:
        """Whether what this row pays comes off a meter and not from the table inventory."""
        if row.meter is not None:
            return True
        deducted = self.progressive.deducted if self.progressive else None
        if row.amount is None or deducted is None:
            return False
        return row.amount >= deducted.at_least or row.hand in deducted.hands

    def payout_in_words(self, row: PaytableRow) -> str:
        """`8,000 to 1`, `push`, `$200.00` or `100% of the mega meter`."""
        if row.meter is not None:
            return f"{row.meter}% of the {f'{row.of} ' if row.of else ''}meter"
        if row.amount is not None:
            return dollars(row.amount)
        if row.odds == "push":
            return "push"
        numerator, denominator = row.pays()
        return f"{numerator:,} {self.pays.split()[0]} {denominator:,}"

    def cite_of(self, row: PaytableRow) -> Citation:
        """What a row rests on; where the text prints a table, with the row in words."""
        cited = row.cite or self.cite
        if self.printed_as == "sentences":
            return cited
        payout = "a push" if row.odds == "push" else self.payout_in_words(row)
        envy = f", and an envy bonus of {dollars(row.envy)}" if row.envy else ""
        return cited.with_row(f"{row.hand.replace('_', ' ')} pays {payout}{envy}")
