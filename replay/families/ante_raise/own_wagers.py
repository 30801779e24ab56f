"""Lines of antes and raises: two wagers on the same two hands, each with outcomes of its own."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from replay.citations import Citation, cite
from replay.families.ante_raise.chosen import RETURNED, Chosen, ways_of
from replay.families.ante_raise.terms import Terms
from replay.lines import NOT_SEEN_SET, SEEN_IN_THE_RACK, USUAL, Applies, Cause, Lines, Way, Ways, possible
from replay.rounds import OUTCOME_CODE
from schemas.events import Outcome

Bools = npt.NDArray[np.bool_]

_WIN, _LOSE, _PUSH = (OUTCOME_CODE[outcome] for outcome in (Outcome.WIN, Outcome.LOSE, Outcome.PUSH))
_ANTE_COMES_TO = np.array([_LOSE, _WIN, _WIN], np.uint8)  # with none, one, both of the hands winning
_RAISE_COMES_TO = np.array([_LOSE, _PUSH, _WIN], np.uint8)

CAUSES = (USUAL, Cause("FOUL-401", Applies.UNLESS_TAKEN), Cause("HOUSE-402"))
_FOUL, _HOUSE = 1, 2
_NOT_SEEN, _FOULED, _FOLDED, _HAND_VOID, _ALL_VOID = 3, 6, 7, 8, 9


def _possible_of(comes_to: npt.NDArray[np.uint8]) -> npt.NDArray[np.uint8]:
    """The outcomes that are possible, from a bit set of how many hands may win."""
    return np.array(
        [
            sum(1 << outcome for outcome in {int(comes_to[won]) for won in range(3) if bits >> won & 1})
            for bits in range(8)
        ],
        np.uint8,
    )


_ANTE_MAY, _RAISE_MAY = _possible_of(_ANTE_COMES_TO), _possible_of(_RAISE_COMES_TO)


def _setting_not_seen(citation: Citation) -> Citation:
    """The same rule for a hand nobody saw set, where every setting that is not foul comes to the same (R-51)."""
    caveat = "setting not seen: whatever it was, unless foul; rulings.md R-51"
    return cite(citation.text, f"{citation.section} ({caveat})", citation.words)


def _cites(terms: Terms) -> tuple[Citation, ...]:
    words = terms.law.cites
    by_result = (words.both_lose, words.one_wins, words.both_win)  # as BOTH_LOSE, ONE_WINS and BOTH_WIN number them
    unseen = (_setting_not_seen(one) for one in by_result)
    return (*by_result, *unseen, words.foul, words.folded, words.hand_void, words.all_void)


def ante_lines(chosen: Chosen) -> Lines:
    """An ante is paid when one hand wins or both do, whatever the raise comes to; folded, it is lost."""
    return _lines(chosen, _ANTE_COMES_TO, _ANTE_MAY, _ante_ways, folded_loses=True)


def raise_lines(chosen: Chosen) -> Lines:
    """A raise is paid when both hands win and goes back when one does; on a hand folded before, it goes back."""
    return _lines(chosen, _RAISE_COMES_TO, _RAISE_MAY, _raise_ways, folded_loses=False)


def _lines(
    chosen: Chosen,
    comes_to: npt.NDArray[np.uint8],
    may: npt.NDArray[np.uint8],
    ways: Callable[[int], Ways],
    folded_loses: bool,
) -> Lines:
    entry, at, row, stake, fared = chosen.entry, chosen.at, chosen.row, chosen.stake, chosen.fared
    won, bits = fared.won[entry, at], fared.bits[entry, at]
    outcome, outcomes = comes_to[won], may[bits]
    paid, taken = np.where(outcome == _WIN, stake, 0), np.where(outcome == _LOSE, stake, 0)
    set_known = chosen.hands.set_known[entry, at]
    compared = chosen.hand_whole & chosen.dealers.known[entry] & ~chosen.hands.set_wrong[entry, at]
    unseen = np.where(set_known, np.where(chosen.hands.shown_set[entry, at], 0, SEEN_IN_THE_RACK), NOT_SEEN_SET)
    unseen[~compared] = 0
    cite_at = won.astype(np.int16)
    one = (bits & (bits - 1)) == 0
    cite_at[one & compared & ~set_known] += _NOT_SEEN
    foul = fared.foul[entry, at]
    cite_at[foul] = _FOULED
    code = np.where(foul, _FOUL, np.where(fared.moved[entry, at], _HOUSE, 0))
    by_reports = np.zeros(len(chosen), bool)

    def override(where: Bools, said: Outcome, allowed: int, takes: bool, words: int) -> None:
        outcome[where], outcomes[where], code[where], cite_at[where] = OUTCOME_CODE[said], allowed, 0, words
        unseen[where] = 0
        by_reports[where] = True
        paid[where], taken[where] = 0, stake[where] if takes else 0

    folded = chosen.seats.folded[row, at]
    if folded_loses:
        override(folded, Outcome.LOSE, possible(Outcome.LOSE), True, _FOLDED)
    else:
        override(folded, Outcome.NO_ACTION, RETURNED, False, _FOLDED)
    override(chosen.hand_void, Outcome.VOID, RETURNED, False, _HAND_VOID)
    override(chosen.all_void, Outcome.VOID, RETURNED, False, _ALL_VOID)
    lines = chosen.lines(
        cites=_cites(chosen.terms),
        causes=CAUSES,
        outcome=outcome,
        possible=outcomes,
        paid=paid,
        taken=taken,
        code=code,
        cite=cite_at,
        unseen=unseen,
        by_reports=by_reports,
    ).with_ways(*ways_of(stake, ways))
    unknown = ~(chosen.hand_whole & chosen.dealers.known[entry]) & ~foul & ~by_reports
    return lines.opened(unknown) if unknown.any() else lines


@lru_cache(maxsize=4096)
def _ante_ways(stake: int) -> Ways:
    return Ways((Way(_WIN, stake, 0), Way(_LOSE, 0, stake)))


@lru_cache(maxsize=4096)
def _raise_ways(stake: int) -> Ways:
    return Ways((Way(_WIN, stake, 0), Way(_LOSE, 0, stake), Way(_PUSH, 0, 0)))
