"""Racks that do not fit, put to the solver one by one: what it must be told of the game, and what becomes of it.

The solver (`replay.cards.solver.explanations`) knows no game. It is told which layouts the procedure allows, that hands
are set and not shuffled, that high hands stay for envy bonuses, what the deal gives, what was shown and what was
settled. Where its answer is sure, the round is settled by it; where a few readings are left, by each of them; else the
hands stay as deal and hands shown gave them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from replay.cards.dealing.seen import deal_events
from replay.cards.explained_racks import Explained, InWords, remarks_on, to_settle_by
from replay.cards.pickup.layouts import Candidate, layouts
from replay.cards.pickup.procedure import LOW_CARDS
from replay.cards.pickup.situation import Held, Key
from replay.cards.pickup.words import Word
from replay.cards.solver.budget import Budget, Searches
from replay.cards.solver.evidence import Look, RackEvidence, Reading
from replay.cards.solver.explanations import explain
from replay.cards.solver.faults import HOUSE_WAY_BROKEN, NOT_LEFT_FOR_ENVY, SET_FOUL
from replay.families.ante_raise.fared import strengths
from replay.families.ante_raise.hands import ByPlace, HighHands, Round, Sources, high_among
from replay.families.ante_raise.pickup import situation_of
from replay.families.ante_raise.settled_as import SettledAs, held_in
from replay.families.ante_raise.terms import Terms
from replay.remarks import WHERE_HANDS_LIE
from replay.rounds import NO_DECK, UNKNOWN, RoundFlag
from schemas.findings import Basis
from schemas.places import DEALER

_STAYING = (Word.ENVY_HAND, Word.METER_PAYOUT)
_MOST_STAYING = 2  # hands left for envy bonuses that are looked for in one odd rack
_SETTINGS, _RIGHT = 21, 12  # ways to set seven cards as two and five, and about so many of them are not foul
_DEALERS_SETTINGS = 168  # eight as two, five and one
_USUAL_PLAYER = math.log((1 - SET_FOUL) * _SETTINGS / _RIGHT)
_USUAL_DEALER = math.log((1 - HOUSE_WAY_BROKEN) * _DEALERS_SETTINGS)


# ---- how hands look ------------------------------------------------------------------------------------------------


class HowHandsLook:
    """`replay.cards.solver.evidence.Weigh` of one round: players seldom set a foul, the dealer sets the house way, and
    high hands are left on the table for envy bonuses."""

    def __init__(self, candidates: Sequence[Candidate], sources: Sources, row: int) -> None:
        self._terms, self._seats, self._row = sources.terms, sources.seats, row
        self._may_stay = (sources.seats.stays | sources.seats.may_be_paid_off_meter)[row].tolist()
        self._candidates = {candidate.layout: candidate for candidate in candidates}
        self._known: dict[tuple[bool, bytes], float] = {}
        self._ranked: set[bytes] = set()
        self._high = HighHands(frozenset(), {})

    def __call__(self, readings: Sequence[Reading]) -> Sequence[Look]:
        held = [(place, cards) for reading in readings for place, cards in reading.by_place.items()]
        staying = {cards for place, cards in held if self._stays_if_high(place, cards)} - self._ranked
        if staying:  # what ranking a batch of hands costs beside them is paid once
            hands = np.frombuffer(b"".join(sorted(staying)), np.uint8).reshape(len(staying), -1)
            self._ranked |= staying
            self._high = self._high.and_also(high_among(hands, self._terms))
        return [self._look(reading) for reading in readings]

    def _stays_if_high(self, place: int, cards: bytes) -> bool:
        return place > DEALER and self._may_stay[place] and is_hand(cards, self._terms)

    def _look(self, reading: Reading) -> Look:
        weight = usual = 0.0
        stayed: dict[Key, dict[Word, bool]] = {}
        for (place, _), parts in reading.hands.items():
            cards = b"".join(held for _, held in parts)
            looks = self._of(place == DEALER, cards)
            if len(parts) > 1:
                weight += looks
                usual += _USUAL_DEALER if place == DEALER else _USUAL_PLAYER
            if self._stays_if_high(place, cards):
                stayed[Key(place)] = self._high.words(self._seats, self._row, place, cards)
        if stayed and not self._candidates[reading.layout].agrees(lambda button: stayed):
            needless = {key: said for key, said in stayed.items() if not any(said.values())}
            if needless and not self._candidates[reading.layout].agrees(lambda button: needless):
                return Look(-math.inf, "a hand stayed on the table that nothing kept there")
            return Look(weight + math.log(NOT_LEFT_FOR_ENVY), self._not_left(), usual)
        return Look(weight, usual=usual)

    def _not_left(self) -> str:
        envy = self._terms.envy
        if envy is None or envy.law.envy is None:
            documented = self._terms.law.meter_payout
            return f"a hand paid off a meter was not left on the table until that was documented ({documented})"
        return f"{envy.law.envy.hands} was not left on the table for envy bonuses ({envy.law.envy.cite})"

    def _of(self, dealers: bool, cards: bytes) -> float:
        key = dealers, cards
        if key not in self._known:
            self._known[key] = self._worked_out(dealers, cards)
        return self._known[key]

    def _worked_out(self, dealers: bool, cards: bytes) -> float:
        law = self._terms.law
        size = law.cards.dealer if dealers else law.cards.whole
        if len(cards) != size or len(set(cards)) != size or max(cards) >= self._terms.deck_size:
            return 0.0
        hand = np.frombuffer(cards, np.uint8)[None, :]
        low, high = strengths(hand, self._terms)
        if dealers:
            right_low, right_high = strengths(law.ranking.house_way(hand), self._terms)
            right = bool((low == right_low)[0] and (high == right_high)[0])
            return _USUAL_DEALER if right else math.log(HOUSE_WAY_BROKEN)
        foul = bool(law.fouled(low, high)[0])
        return math.log(SET_FOUL * _SETTINGS / (_SETTINGS - _RIGHT)) if foul else _USUAL_PLAYER


def is_hand(cards: bytes, terms: Terms) -> bool:
    """A whole hand of different cards of the deck."""
    return len(cards) == len(set(cards)) == terms.law.cards.whole and max(cards) < terms.deck_size


# ---- what is known of one round ------------------------------------------------------------------------------------


def _candidates(sources: Sources, row: int) -> list[Candidate]:
    """The layouts the procedure allows for the sizes hands may have, few hands having stayed for envy bonuses."""
    found = []
    for sizes in sources.sizes(row):
        for candidate in layouts(sources.procedure, situation_of(sources.seats, row, sizes)).candidates:
            stayed = min(sum(so for _, word, so in case.assumptions() if word in _STAYING) for case in candidate.cases)
            if stayed <= _MOST_STAYING:
                found.append(candidate)
    return found


def _evidence(sources: Sources, candidates: Sequence[Candidate], settled: tuple[int, ...], row: int) -> RackEvidence:
    batch, terms, deal = sources.batch, sources.terms, sources.deals[row]
    marks = batch.rack_deck[row].tobytes()
    counted = Counter(mark for mark in marks if mark != NO_DECK)
    seqs = {int(batch.fixed[column][row]) for column in ("rack_first_seq", "rack_last_seq")} - {UNKNOWN}
    return RackEvidence(
        sources.rack(row),
        tuple(candidate.layout for candidate in candidates),
        frozenset(terms.deck),
        terms.deck,
        marks if counted else b"",
        counted.most_common(1)[0][0] if counted else -1,
        dict(deal.ways[0].by_place) if deal.ways else {},
        dict(sources.shown[row]),
        settled,
        _folded_before_play(sources, row),
        tuple(sorted(seqs)),
        deal_events(batch, row) if deal.ways else (),
    )


def _folded_before_play(sources: Sources, row: int) -> dict[int, int]:
    """The places whose hands were collected before others were played (rulings.md R-60)."""
    seats = sources.seats
    gone = seats.folded[row] & ~seats.live[row] & seats.raised[row].any()
    return dict.fromkeys(np.flatnonzero(gone).tolist(), 0)


# ---- the answers ---------------------------------------------------------------------------------------------------


def is_odd(sources: Sources, row: int, made: Round, doubted: bool) -> bool:
    """A rack that is to be explained."""
    batch, flags = sources.batch, RoundFlag(int(sources.batch.flags[row]))
    if not sources.rack(row) or RoundFlag.RACK_UNSURE in flags or RoundFlag.CLOSED not in flags:
        return False
    if sources.seats.all_void[row] or not sources.seats.dealt_in[row].any():
        return False
    marks = {mark for mark in batch.rack_deck[row].tobytes() if mark != NO_DECK}
    if made.odd or doubted or sources.deals[row].odd or not sources.whole(row) or len(marks) > 1:
        return True
    return any(lies_high_first(sources, row, held) for held in made.readings)


def lies_high_first(sources: Sources, row: int, held: ByPlace) -> bool:
    """Whether the cards that were shown as some low hand lie where they would with its two hands the other way round:
    that is one fault, and not a setting of which nobody knows when it was changed."""
    high = sources.terms.law.cards.whole - LOW_CARDS
    return any(
        place in held
        and seen.low == LOW_CARDS
        and held[place].set_known
        and sorted(held[place].cards) == sorted(seen.cards)
        and sorted(held[place].cards[high : high + LOW_CARDS]) == sorted(seen.cards[:LOW_CARDS])
        for place, seen in sources.shown[row].items()
    )


def explain_odd(
    sources: Sources, made: dict[int, Round], doubted: bool, searches: Searches
) -> tuple[dict[int, Round], dict[int, Explained]]:
    """The rounds again, with the odd racks' as the solver explains them; and its answers, by round."""
    rows = [row for row, one in made.items() if is_odd(sources, row, one, doubted)]

    def search(budgets: Mapping[int, Budget]) -> dict[int, Explained]:
        return {row: _explain(sources, row, budget) for row, budget in budgets.items()}

    answers: dict[int, Explained] = searches.once(rows, search)
    for row, explained in answers.items():
        whole = sources.whole(row)
        readings = to_settle_by(explained.answer, whole, doubted)
        if not readings:
            continue
        about = remarks_on(explained.answer, _in_words(sources, row))
        kept = [remark for remark in made[row].remarks if remark.subject not in WHERE_HANDS_LIE]
        held: list[dict[int, Held]] = [held_in(one, sources.terms) for one in readings]
        made[row] = made[row]._replace(readings=held, remarks=[*kept, *about], basis=Basis.COMPARED)
        answers[row] = replace(explained, remarked=bool(about), settles=True)
    return made, answers


def _explain(sources: Sources, row: int, budget: Budget) -> Explained:
    candidates = _candidates(sources, row)
    reports = SettledAs(sources, row)
    evidence = _evidence(sources, candidates, reports.reported, row)
    return Explained(explain(evidence, HowHandsLook(candidates, sources, row), reports, budget=budget))


# ---- in words ------------------------------------------------------------------------------------------------------


def _in_words(sources: Sources, row: int) -> InWords:
    cites, unsure = sources.terms.law.cites, bool(sources.batch.flags[row] & RoundFlag.RACK_UNSURE)
    return InWords(row, sources.whole(row), unsure, cites.one_deck, cites.pickup)
