"""Lines of the wagers against the dealer's hand, or the hand of whoever banks."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
import numpy.typing as npt

from replay.citations import Citation, cite
from replay.families.split_hands.chosen import VOIDED, Chosen, Results, ways_of
from replay.families.split_hands.terms import Terms
from replay.lines import (
    NOT_SEEN_SET,
    SEEN_IN_THE_RACK,
    USUAL,
    Applies,
    Cause,
    Lines,
    Way,
    Ways,
    possible,
)
from replay.money.results import LOSES, OUTCOME_OF, POSSIBLE_OF, WINS
from replay.rounds import OUTCOME_CODE
from schemas.events import Outcome

Bools = npt.NDArray[np.bool_]

CAUSES = (USUAL, Cause("FOUL-401", Applies.UNLESS_TAKEN), Cause("HOUSE-402"))
_FOUL, _HOUSE = 1, 2

_WIN, _LOSE, _PUSH = (OUTCOME_CODE[outcome] for outcome in (Outcome.WIN, Outcome.LOSE, Outcome.PUSH))
_CITE_NOT_SEEN, _CITE_FOUL, _CITE_SURRENDER, _CITE_HAND_VOID, _CITE_ALL_VOID, _CITE_PUSHED = 3, 6, 7, 8, 9, 10


def setting_not_seen(citation: Citation) -> Citation:
    """The same rule for a hand nobody saw set, where every setting that is not foul comes to the same (R-51)."""
    caveat = "setting not seen: whatever it was, unless foul; rulings.md R-51"
    return cite(citation.text, f"{citation.section} ({caveat})", citation.words)


def _base_cites(terms: Terms) -> tuple[Citation, ...]:
    cites = terms.law.cites
    by_result = (cites.lose, cites.tie, cites.win)  # as LOSES, TIES and WINS number them
    unseen = (setting_not_seen(citation) for citation in by_result)
    pushed = (terms.variant.pushes.cite,) if terms.variant.pushes is not None else ()
    return (*by_result, *unseen, cites.foul, cites.surrender, cites.hand_void, cites.all_void, *pushed)


def base_lines(chosen: Chosen, fared: Results) -> Lines:
    entry, at, row, stake = chosen.entry, chosen.at, chosen.row, chosen.stake
    result = fared.result[entry, at]
    outcome = OUTCOME_OF[result]
    outcomes = POSSIBLE_OF[fared.bits[entry, at]]
    paid = np.where(result == WINS, stake, 0)
    taken = np.where(result == LOSES, stake, 0)
    cite_at = result.astype(np.int16)
    one = (outcomes & (outcomes - 1)) == 0
    known, set_known = chosen.hands.known[entry, at], chosen.hands.set_known[entry, at]
    cite_at[one & known & ~set_known] += _CITE_NOT_SEEN
    both_known = known & chosen.ranked.against_known[entry] & ~chosen.hands.set_wrong[entry, at]
    unseen = np.where(set_known, np.where(chosen.hands.shown_set[row, at], 0, SEEN_IN_THE_RACK), NOT_SEEN_SET)
    unseen[~both_known] = 0
    foul = fared.foul[entry, at]
    cite_at[foul] = _CITE_FOUL
    code = np.where(foul, _FOUL, np.where(fared.moved[entry, at], _HOUSE, 0))
    pushed = fared.pushed[entry]
    if pushed.any():
        unseen[pushed], cite_at[pushed], code[pushed] = 0, _CITE_PUSHED, 0
    by_reports = np.zeros(len(entry), bool)

    def override(where: Bools, said: Outcome, bits: int, takes: bool, cite: int) -> None:
        outcome[where], outcomes[where], code[where], cite_at[where] = OUTCOME_CODE[said], bits, 0, cite
        unseen[where] = 0
        by_reports[where] = True
        paid[where], taken[where] = 0, stake[where] if takes else 0

    surrendered = chosen.seats.surrendered[row, at]
    override(surrendered, Outcome.SURRENDER, possible(Outcome.SURRENDER), True, _CITE_SURRENDER)
    override(chosen.void, Outcome.VOID, VOIDED, False, _CITE_HAND_VOID)
    override(chosen.seats.all_void[row], Outcome.VOID, VOIDED, False, _CITE_ALL_VOID)
    return chosen.lines(
        cites=_base_cites(chosen.terms),
        causes=CAUSES,
        outcome=outcome,
        possible=outcomes,
        paid=paid,
        taken=taken,
        vigorish=int(chosen.terms.takes_vigorish),
        code=code,
        cite=cite_at,
        unseen=unseen,
        by_reports=by_reports,
    ).with_ways(*ways_of(stake, even_money))


@lru_cache(maxsize=4096)
def even_money(stake: int) -> Ways:
    """A wager against the dealer, whatever the hands: it wins, loses, or goes back."""
    return Ways((Way(_WIN, stake, 0), Way(_LOSE, 0, stake), Way(_PUSH, 0, 0)))
