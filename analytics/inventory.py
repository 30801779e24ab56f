"""Table inventories reconciled from count to count, and what could explain a variance.

A shift runs from one count of the chips (table.opened, table.counted, table.closed) to the next at the same table. In
it the inventory changes by fills, credits, and what the reports say the house won and lost. A variance is what was
counted beyond that; the rounds are named that could explain it: where the reports of a round differ from what the rules
give by just this sum (the dealer may have done right and the report be wrong), one round alone or two together; and
rounds of which the reports may not say all. Knows the views; prints nothing.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, datetime
from itertools import pairwise
from typing import Any

from analytics.warehouse import Warehouse
from schemas.money import dollars

COUNTS = ("opened", "counted", "closed")
MOST_NAMED = 20
Row = dict[str, Any]


@dataclass(frozen=True)
class Explanation:
    """What could explain a variance, alone or together with others of the same `group`."""

    group: int
    what: str  # finding, void, unverified, fill, credit
    round_id: str | None
    cents: int  # of the variance; of what is not known, the wagers at stake
    codes: tuple[str, ...] = ()  # of the findings about the round
    slip: str | None = None


@dataclass(frozen=True)
class Shift:
    """From one count of a table's chips to the next; `counted_cents` is None where none has come yet."""

    table_id: str
    gaming_day: date | None
    from_seq: int
    to_seq: int
    from_at: datetime | None
    to_at: datetime | None
    ends_with: str | None  # counted, closed, opened; None: not yet
    opening_cents: int
    fills_cents: int
    credits_cents: int
    wagers_cents: int  # won less lost, as reported
    vigorish_cents: int
    envy_cents: int
    meter_shares_cents: int  # settled as won, and paid from a meter instead of the inventory
    cash_cents: int  # chips sold for cash that was dropped, where it is known to be of this shift
    expected_cents: int
    counted_cents: int | None
    variance_cents: int | None
    rounds: int
    remarks: tuple[str, ...]
    explanations: tuple[Explanation, ...] = field(default=())


def shifts(warehouse: Warehouse, table_id: str | None = None, day: date | None = None) -> list[Shift]:
    """Every shift of these tables, in order; those that end, or begin, on a gaming day."""
    of, parameters = ("TRUE", []) if table_id is None else ("table_id = ?", [table_id])

    def rows(view: str, order: str) -> dict[str, list[Row]]:
        by_table: dict[str, list[Row]] = defaultdict(list)
        for row in warehouse.rows(f"SELECT * FROM {view} WHERE {of} ORDER BY {order}", parameters):
            by_table[row["table_id"]].append(row)
        return by_table

    counts, moves, rounds = rows("tray_counts", "seq"), rows("tray_moves", "seq"), rows("tray_rounds", "first_seq")
    codes: dict[tuple[str, str], list[str]] = defaultdict(list)
    for row in warehouse.rows(
        f"SELECT DISTINCT table_id, round_id, code FROM findings WHERE round_id IS NOT NULL AND {of} ORDER BY code",
        parameters,
    ):
        codes[row["table_id"], row["round_id"]].append(row["code"])
    boxes = rows(
        "(SELECT table_id, seq, choice AS box, CASE kind WHEN 'collection' THEN amount_cents ELSE -amount_cents END "
        "AS amount_cents FROM facts WHERE kind IN ('collection', 'refunded'))",
        "seq",
    )
    made: list[Shift] = []
    for name in sorted({*counts, *rounds}):
        table = _Table(name, counts[name], moves[name], rounds[name], boxes[name], codes, _holes(warehouse, name))
        made += table.shifts()
    return [shift for shift in made if day is None or shift.gaming_day == day]


def _holes(warehouse: Warehouse, table_id: str) -> list[tuple[int, int]]:
    """Stretches of the table's sequence of which nothing is recorded."""
    found = warehouse.rows(
        "SELECT before, seq FROM (SELECT seq, lag(seq) OVER (ORDER BY seq) AS before FROM records "
        "WHERE table_id = ? AND status = 'recorded' AND seq IS NOT NULL) WHERE seq > before + 1",
        [table_id],
    )
    return [(int(row["before"]), int(row["seq"])) for row in found]


class _Table:
    """One table's counts, and everything that moved between them."""

    def __init__(
        self,
        table_id: str,
        counts: Sequence[Row],
        moves: Sequence[Row],
        rounds: Sequence[Row],
        fees: Sequence[Row],
        codes: dict[tuple[str, str], list[str]],
        holes: Sequence[tuple[int, int]],
    ) -> None:
        self.table_id, self.codes, self.holes = table_id, codes, holes
        self.said, self.moves, self.rounds, self.fees = counts, moves, rounds, fees
        self.move_seqs = [int(row["seq"]) for row in moves]

    def shifts(self) -> list[Shift]:
        counts = [row for row in self.said if row["event"] in COUNTS and row["inventory_cents"] is not None]
        if not counts:
            return []
        cash = self._cash_by_day()
        made = [self._shift(one, other, cash) for one, other in pairwise(counts)]
        last = counts[-1]
        if self._between(last["seq"], None) or any(row["first_seq"] > last["seq"] for row in self.rounds):
            made.append(self._shift(last, None, cash))
        return [shift for shift in made if shift.rounds or shift.remarks or shift.variance_cents or _moved(shift)]

    def _between(self, from_seq: int, to_seq: int | None) -> list[Row]:
        end = len(self.moves) if to_seq is None else bisect_left(self.move_seqs, to_seq)
        return list(self.moves[bisect_left(self.move_seqs, from_seq) : end])

    def _shift(self, opening: Row, closing: Row | None, cash: dict[date | None, tuple[int, int]]) -> Shift:
        from_seq, to_seq = int(opening["seq"]), None if closing is None else int(closing["seq"])
        moves = self._between(from_seq, to_seq)
        brought = [row for row in self.said if row["seq"] > from_seq and (to_seq is None or row["seq"] < to_seq)]
        by_kind: dict[str, int] = defaultdict(int)
        for row in moves:
            by_kind[row["what"]] += int(row["cents"])
        fills = sum(int(row["amount_cents"]) for row in brought if row["event"] == "filled")
        credits_ = sum(int(row["amount_cents"]) for row in brought if row["event"] == "credited")
        rounds = [
            row for row in self.rounds if row["last_seq"] > from_seq and (to_seq is None or row["first_seq"] < to_seq)
        ]
        day = self._day(opening, closing, rounds)
        sold, of_shifts = cash.get(day, (0, 0))
        own_cash = sold if of_shifts == 1 and rounds else 0
        expected = int(opening["inventory_cents"]) + fills - credits_ + sum(by_kind.values()) - own_cash
        counted = None if closing is None else int(closing["inventory_cents"])
        variance = None if counted is None else counted - expected
        remarks = self._remarks(opening, closing, moves, rounds, sold if of_shifts > 1 and rounds else 0)
        last_seq = max([from_seq, *(int(row["last_seq"]) for row in rounds)]) if to_seq is None else to_seq
        return Shift(
            self.table_id,
            day,
            from_seq,
            last_seq,
            opening["happened_at"],
            None if closing is None else closing["happened_at"],
            None if closing is None else str(closing["event"]),
            int(opening["inventory_cents"]),
            fills,
            credits_,
            by_kind["settled"],
            by_kind["vigorish"],
            by_kind["envy"],
            by_kind["share of a meter"],
            own_cash,
            expected,
            counted,
            variance,
            len(rounds),
            tuple(remarks),
            self._explanations(variance, rounds, brought) if variance else (),
        )

    @staticmethod
    def _day(opening: Row, closing: Row | None, rounds: Sequence[Row]) -> date | None:
        days = [row["gaming_day"] for row in (opening, closing) if row is not None and row["gaming_day"] is not None]
        days += [row["gaming_day"] for row in rounds if row["gaming_day"] is not None]
        return days[0] if days else None

    def _cash_by_day(self) -> dict[date | None, tuple[int, int]]:
        """Of each gaming day the chips sold for cash, as far as boxes were counted (what was in them beyond the fees
        dropped), and in how many shifts of that day rounds were played."""
        days: dict[date | None, int] = defaultdict(int)
        since: dict[str, int] = {}
        day: date | None = None
        for row in self.said:
            day = row["gaming_day"] or day
            if row["box"] is None or row["box_cents"] is None:
                continue
            began = since.get(row["box"], -1)
            dropped = sum(
                int(fee["amount_cents"])
                for fee in self.fees
                if fee["box"] == row["box"] and began < fee["seq"] < row["seq"]
            )
            days[day] += max(int(row["box_cents"]) - dropped, 0)
            since[row["box"]] = int(row["seq"])
        counts = [row for row in self.said if row["event"] in COUNTS and row["inventory_cents"] is not None]
        shifts: dict[date | None, int] = defaultdict(int)
        day = None
        for one, other in pairwise(counts):
            day = one["gaming_day"] or day
            shifts[day] += any(one["seq"] < row["last_seq"] and row["first_seq"] < other["seq"] for row in self.rounds)
        return {day: (cents, shifts[day]) for day, cents in days.items()}

    def _remarks(
        self, opening: Row, closing: Row | None, moves: Sequence[Row], rounds: Sequence[Row], cash: int
    ) -> list[str]:
        said = []
        from_seq, to_seq = int(opening["seq"]), None if closing is None else int(closing["seq"])
        if closing is None:
            said.append("the chips were not counted since, so nothing can be reconciled yet")
        elif opening["event"] != "closed" and closing["event"] == "opened":
            said.append("the table was opened again and never closed: no count of the chips at its close is recorded")
        elif not moves and not rounds and opening["inventory_cents"] != closing["inventory_cents"]:
            said.append("nothing was played between the two counts")
        for count, seq in (("opening", from_seq), ("closing", to_seq)):
            during = next((row for row in rounds if seq is not None and row["first_seq"] < seq < row["last_seq"]), None)
            if during is not None:
                said.append(
                    f"the {count} count (event {seq}) was made while round {during['round_id']} was played; what was "
                    "reported before it is taken to have moved by then"
                )
        if any(high > from_seq and (to_seq is None or low < to_seq) for low, high in self.holes):
            said.append("events of the shift are missing: a fill, a credit or a settlement may be among them")
        untold = sorted({row["round_id"] for row in moves if not row["told"]})
        if untold:
            said.append(
                f"of {_rounds(untold)} the reports do not say all that moved: a player banked and what the bank won or "
                "lost is not reported, or something came off a meter and the round could not be judged"
            )
        if cash:
            said.append(
                f"chips for {dollars(cash)} were sold for cash over the gaming day, by the drop box; nobody reports in "
                "which shift, so its shifts come to that much too little together"
            )
        return said

    def _explanations(self, variance: int, rounds: Sequence[Row], brought: Sequence[Row]) -> tuple[Explanation, ...]:
        """One round or slip that comes to the variance; else two rounds together; else what may come to anything."""
        off = [
            (row, int(row["expected_cents"]) - int(row["reported_cents"]))
            for row in rounds
            if row["expected_cents"] is not None and row["expected_cents"] != row["reported_cents"]
        ]
        found = [self._of_round(at, "finding", row, cents) for at, (row, cents) in enumerate(off) if cents == variance]
        for row in brought:
            event, amount = row["event"], int(row["amount_cents"] or 0)
            if variance == {"filled": -amount, "credited": amount}.get(event):
                what = "fill" if event == "filled" else "credit"
                found.append(Explanation(len(off) + len(found), what, None, variance, (), row["slip"]))
        if not found:
            for group, pair in enumerate(_pairs(off, variance)):
                found += [self._of_round(group, "finding", row, cents) for row, cents in pair]
        if not found:
            for group, row in enumerate(rounds):
                unsure = _not_told(row)
                if unsure is not None and row["wagered_cents"]:
                    found.append(self._of_round(group, unsure, row, int(row["wagered_cents"])))
        return tuple(found[:MOST_NAMED])

    def _of_round(self, group: int, what: str, row: Row, cents: int) -> Explanation:
        round_id = str(row["round_id"])
        return Explanation(group, what, round_id, cents, tuple(self.codes.get((self.table_id, round_id), ())))


def _not_told(row: Row) -> str | None:
    """Why what moved in a round may be another sum than the reports say, though nothing speaks against them."""
    if row["voided"]:
        return "void"
    unsure = row["expected_cents"] is None or not row["told"] or row["verdict"] in ("cannot_tell", "cannot_judge")
    return "unverified" if unsure else None


def _pairs(off: Sequence[tuple[Row, int]], variance: int) -> list[tuple[tuple[Row, int], tuple[Row, int]]]:
    """Two rounds that come to the variance together."""
    by_cents: dict[int, list[int]] = defaultdict(list)
    found = []
    for at, (row, cents) in enumerate(off):
        found += [(off[other], (row, cents)) for other in by_cents[variance - cents]]
        by_cents[cents].append(at)
    return found


def _rounds(names: Sequence[str]) -> str:
    shown = ", ".join(names[:3])
    more = f" and {len(names) - 3} more" if len(names) > 3 else ""
    return f"round{'s' if len(names) > 1 else ''} {shown}{more}"


def _moved(shift: Shift) -> bool:
    return bool(shift.fills_cents or shift.credits_cents or shift.expected_cents != shift.opening_cents)
