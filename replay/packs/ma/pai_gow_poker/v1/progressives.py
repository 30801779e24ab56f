"""The progressive wagers, by section: §14, §14.A with its three meters, §16(e), and §19 for Face Up tables.

A table offers one of those of §14, §16(e) and §19, which are one wager by name, and §14.A's beside it or not. What
their meters are called, get of a wager and are seeded with options say (`replay.money.filed_meters`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from replay.citations import cite
from replay.families.split_hands.wager_law import JudgedOn, SideWager
from replay.filing.filed import Filing
from replay.ranking import row_classes

_ma = partial(cite, "MA-PGP")


def _one_of(*tables: str) -> Callable[[Filing], str | None]:
    """The pay table filed, where it is one of these: `progressive-14-1-dollar`."""

    def filed(filing: Filing) -> str | None:
        chosen = filing.text("progressive_paytable")
        return f"progressive-{chosen.replace('_', '-')}" if chosen in tables else None

    return filed


_progressive = partial(
    SideWager,
    judged_on=JudgedOn.OWN_CARDS,
    printed_rows=row_classes,
    rearranges=False,
    keeps_premium=False,
    loses=_ma(
        "§9(g)", "All losing pai gow poker wagers, seven-card bonus wagers and progressive payout wagers shall be"
    ),
    bars_surrender=_ma("§9(e)", "Unless a player has placed a progressive payout wager pursuant to Section 11(4)"),
)
_payout_wager = partial(
    _progressive,
    name="progressive",
    title="progressive payout wager",
    needs=_ma("§7(d)", "Upon placing a pai gow poker wager, a player may, if a progressive payout wager is offered"),
)
PROGRESSIVES = (
    _payout_wager(
        table=_one_of("14_1_dollar", "14_5_dollars"),
        limits=_ma("§14(a)", "shall, in the discretion of the gaming licensee, be either a $1.00 or $5.00 wager."),
        limited=False,  # §16(j) is about (b) to (i)
    ),
    _payout_wager(
        table=_one_of("16e"),
        loses=_ma("§9(l)(4)(i)", "the dealer shall collect the Progressive Payout Wager"),
        limits=cite("rulings.md", "R-37", "minimums ($1 bonus, $5 Fortune, $1/$5 progressive) and table limits"),
    ),
    _payout_wager(
        table=_one_of("face_up_1", "face_up_3"),
        limits=_ma("§19(h)", "A wager size of $1 is used for the seed amount for Paytable 1 and $5 for Paytable 3."),
        limited=False,
    ),
    _progressive(
        name="fortune_progressive",
        title="Fortune Pai Gow progressive wager",
        table=lambda filing: "progressive-14a" if filing.text("fortune_progressive") == "offered" else None,
        needs=_ma("§14.A(a)", "who has placed a pai gow poker wager the option to make a Fortune Pai Gow progressive"),
        limits=_ma("§14.A(e)(2)", "Wagers are $5.00"),
        before_base=_ma("§14.A(c)", "the Dealer will act on the bonus wager first after exposing the Player's hand"),
        limited=False,
    ),
)
