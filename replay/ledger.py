"""The round's double-entry ledger: who paid whom, for players, bank, table inventory and drop box.

Every movement has two sides, so the balances of a round sum to zero by construction; `check_ledger` asserts it, and
that a player-dealer never wins or loses more on the wagers than was posted.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

HOUSE = "table inventory"


@dataclass(frozen=True)
class Posting:
    """`amount_cents` moves from one account to another, for a reason."""

    source: str
    target: str
    amount_cents: int
    what: str


def player(seat: int, bettor: str = "") -> str:
    return f"seat {seat}" + (f" {bettor}" if bettor else "")


def box(name: str) -> str:
    return f"drop box {name}"


def settlement_postings(
    account: str, against: str, wager: str, paid: int, taken: int, vigorish: int = 0
) -> Iterable[Posting]:
    """What one settled wager moves between its bettor and whoever it was played against."""
    if paid:
        yield Posting(against, account, paid, f"{wager} paid")
    if taken:
        yield Posting(account, against, taken, f"{wager} taken")
    if vigorish:
        yield Posting(account, HOUSE, vigorish, f"vigorish on {wager}")


def balances(postings: Iterable[Posting]) -> dict[str, int]:
    """Net change of every account in cents, in order of first mention."""
    net: dict[str, int] = defaultdict(int)
    for posting in postings:
        net[posting.source] -= posting.amount_cents
        net[posting.target] += posting.amount_cents
    return dict(net)


def check_ledger(postings: list[Posting]) -> None:
    """Asserts what must hold of any round's ledger."""
    assert all(posting.amount_cents > 0 for posting in postings), "a posting moves a positive amount"
    assert all(posting.source != posting.target for posting in postings), "nobody pays himself"
    assert sum(balances(postings).values()) == 0, "the ledger of a round sums to zero"
