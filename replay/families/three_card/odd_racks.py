"""Racks that do not fit, put to the solver one by one: what it must be told of the game, and what becomes of it.

The solver (`replay.cards.solver.explanations`) knows no game. It is told which layouts the procedure allows, which
cards must lie in the rack, what the deal gives, what was shown and what was settled. Where its answer is sure, the
round is settled by it; where a few readings are left, by each of them; else the hands stay as deal and hands shown gave
them.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

from replay.cards.dealing.seen import deal_events
from replay.cards.explained_racks import Explained, InWords, remarks_on, to_settle_by
from replay.cards.pickup.layouts import layouts
from replay.cards.solver.budget import Budget, Searches
from replay.cards.solver.evidence import RackEvidence, indifferent
from replay.cards.solver.explanations import explain
from replay.families.three_card.hands import ByPlace, Round, Sources, known_events
from replay.families.three_card.pickup import situation_of
from replay.families.three_card.settled_as import SettledAs, held_in
from replay.remarks import WHERE_HANDS_LIE
from replay.rounds import NO_DECK, RoundFlag
from schemas.cards import JOKER_1
from schemas.findings import Basis

_DECK = frozenset(range(JOKER_1))


# ---- what is known of one round ------------------------------------------------------------------------------------


def _evidence(sources: Sources, settled: tuple[int, ...], row: int) -> RackEvidence:
    batch, terms, deal = sources.batch, sources.terms, sources.deal(row)
    marks = batch.rack_deck[row].tobytes()
    told_apart = terms.decks == 1 and any(mark != NO_DECK for mark in marks)
    counted = Counter(mark for mark in marks if mark != NO_DECK)
    situation = situation_of(sources.seats, row, int(sources.followed[row]))
    return RackEvidence(
        sources.rack(row),
        tuple(candidate.layout for candidate in layouts(terms.pickup, situation).candidates),
        _DECK,
        terms.deck,
        marks if told_apart else b"",
        counted.most_common(1)[0][0] if told_apart else -1,
        dict(deal.ways[0].by_place) if deal.ways else {},
        sources.shown(row),
        settled,
        _folded_before_play(sources, row),
        tuple(seq for seq in known_events(sources, row) if seq not in deal_events(batch, row)),
        deal_events(batch, row) if deal.ways else (),
    )


def _folded_before_play(sources: Sources, row: int) -> dict[int, int]:
    """The places whose hands were collected before others were compared (rulings.md R-60)."""
    seats = sources.seats
    gone = seats.folded[row] & ~seats.live[row] & seats.dealt_in[row] & ~seats.is_against[row]
    return {place: 0 for place in sources.places(row) if gone[place]}


# ---- the answers ---------------------------------------------------------------------------------------------------


def is_odd(sources: Sources, row: int, made: Round, doubted: bool) -> bool:
    """A rack that is to be explained."""
    batch, flags = sources.batch, RoundFlag(int(sources.batch.flags[row]))
    if not batch.rack.counts[row] or RoundFlag.RACK_UNSURE in flags or RoundFlag.CLOSED not in flags:
        return False
    if sources.seats.all_void[row] or not sources.seats.dealt_in[row].any():
        return False
    return made.odd or doubted or not bool(sources.racks.whole[row]) or sources.deal(row).odd


def explain_odd(
    sources: Sources, made: dict[int, Round], doubted: bool, searches: Searches
) -> tuple[dict[int, Round], dict[int, Explained]]:
    """The rounds again, with the odd racks' as the solver explains them; and its answers, by round."""
    rows = [row for row, one in made.items() if is_odd(sources, row, one, doubted)]

    def search(budgets: Mapping[int, Budget]) -> dict[int, Explained]:
        return {row: _explain(sources, row, budget) for row, budget in budgets.items()}

    answers: dict[int, Explained] = dict(searches.once(rows, search))
    for row, explained in answers.items():
        readings = to_settle_by(explained.answer, bool(sources.racks.whole[row]), doubted)
        if not readings:
            continue
        about = remarks_on(explained.answer, _in_words(sources, row))
        kept = [remark for remark in made[row].remarks if remark.subject not in WHERE_HANDS_LIE]
        held: list[ByPlace] = [held_in(one) for one in readings]
        made[row] = made[row]._replace(readings=held, remarks=[*kept, *about], basis=Basis.COMPARED)
        answers[row] = replace(explained, remarked=bool(about), settles=True)
    return made, answers


def _explain(sources: Sources, row: int, budget: Budget) -> Explained:
    reports = SettledAs(sources, row)
    return Explained(explain(_evidence(sources, reports.reported, row), indifferent, reports, budget=budget))


# ---- in words ------------------------------------------------------------------------------------------------------


def _in_words(sources: Sources, row: int) -> InWords:
    cites, unsure = sources.terms.law.cites, bool(sources.batch.flags[row] & RoundFlag.RACK_UNSURE)
    return InWords(row, bool(sources.racks.whole[row]), unsure, cites.deck, cites.pickup)
