"""The Player and Banker hands of every round, from the rack and, where the shoe was read, from the deal as well.

Rack order is the Player hand and then the Banker hand, each in the order drawn (rulings.md R-7), unless the house filed
it the other way round; the deal is Player,
Banker, Player, Banker and then the third cards. Four and six cards read one way. Five are three and two or two and
three, and the rules tell which: the Player hand draws on five or less and stands on six and seven, so never both fit.
What fits none of this goes, alone, to the solver.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Protocol

import numpy as np

from replay.cards.solver.answers import Answer
from replay.cards.solver.budget import Searches
from replay.cards.solver.evidence import Objections, Reading
from replay.checks.shoe import TooMany, Trouble, too_many_in_one_round, too_many_over_rounds
from replay.families.two_hands import drawing
from replay.families.two_hands.as_read import as_read
from replay.families.two_hands.law import Bools
from replay.families.two_hands.odd_racks import decide, explain_rack
from replay.families.two_hands.pickup import rack_hands
from replay.families.two_hands.readings import Reading as BothHands
from replay.families.two_hands.readings import as_row, without_burned
from replay.families.two_hands.terms import TO_BANKER, TO_PLAYER, TO_UNKNOWN, Terms
from replay.money.action_button import action_buttons
from replay.remarks import ANY_CARDS, Remark, Subject, subject_of
from replay.rounds import UNCUT, UNKNOWN, Array, Cards, Ragged, RoundBatch, RoundFlag
from schemas.cards import JOKER_1, NO_CARD
from schemas.findings import CERTAIN, LIKELY, Basis

MOST_CARDS = 6


class Evidence(IntEnum):
    """What a round's hands rest on."""

    NONE = 0
    RACK = 1
    DEAL = 2
    RACK_AND_DEAL = 3
    SOLVED = 4  # rack and deal differ, or fit no usual reading


@dataclass(frozen=True)
class Hands:
    """The two hands of each round, (n, 3) with NO_CARD for a third card not drawn; all NO_CARD where not known."""

    player: Cards
    banker: Cards
    evidence: Array
    others: dict[int, tuple[BothHands, ...]]  # rounds with other readings that the evidence allows as well
    remarks: list[Remark]
    why_not: dict[int, str]  # why the hands of a round are not known
    answers: dict[int, Answer] = field(default_factory=dict)  # how the solver explains odd racks

    @property
    def known(self) -> Bools:
        known: Bools = self.player[:, 0] != NO_CARD
        return known

    @property
    def most_readings(self) -> int:
        return 1 + max(map(len, self.others.values()), default=0)

    def with_other(self, number: int) -> Hands:
        """The same, with this one of the other readings (1, 2 ...) of each round that has so many."""
        player, banker = self.player.copy(), self.banker.copy()
        for row, readings in self.others.items():
            if number <= len(readings):
                reading = readings[number - 1]
                player[row], banker[row] = as_row(reading.player)[0], as_row(reading.banker)[0]
        return Hands(player, banker, self.evidence, {}, [], self.why_not)


def card_events(batch: RoundBatch, row: int) -> tuple[int, ...]:
    """The events a statement about a round's cards rests on: the readings of shoe and rack."""
    columns = ("first_card_seq", "last_card_seq", "rack_first_seq", "rack_last_seq")
    known = {int(batch.fixed[column][row]) for column in columns} - {UNKNOWN}
    if batch.rack_last_seq[row] == UNKNOWN:  # when the rack was read is not known: before the round ended
        known |= {int(batch.last_seq[row])} - {UNKNOWN}
    return tuple(sorted(known))


class Reports(Protocol):
    """What was reported of the wagers of one round."""

    @property
    def reported(self) -> tuple[int, ...]:
        """The events that say so."""

    def __call__(self, readings: Sequence[Reading]) -> Sequence[Objections]: ...


def reconstruct(
    batch: RoundBatch,
    wagered: Bools,
    voided: Bools,
    terms: Terms,
    reports_of: Callable[[Sequence[int]], Mapping[int, Reports]],
    searches: Searches,
    doubted: bool = False,
) -> Hands:
    """The hands of every round. In a voided one nothing need be complete: there only cards that vanish are remarked.
    `doubted` says that wagers of every round were settled otherwise than the hands give as they lie in the rack."""
    swapped = terms.banker_first
    rack, rack_count, rack_whole = _first_six(batch.rack)
    deal, deal_count, deal_whole = _first_six(batch.dealt)
    said, _, _ = _first_six(batch.dealt_to)
    no_rack, no_deal = rack_count == 0, deal_count == 0
    rack_whole &= ~batch.has(RoundFlag.RACK_UNSURE)
    deal_whole &= _usual_order(said, deal_count, terms.order)

    # Five cards read as three and two, or as two and three; any other number reads one way, and both names mean it.
    rack_three_two = rack_hands(rack, rack_count, True, swapped)
    rack_two_three = rack_hands(rack, rack_count, False, swapped)
    deal_three_two = _deal_hands(deal, deal_count, True, terms.order)
    deal_two_three = _deal_hands(deal, deal_count, False, terms.order)
    five = np.where(no_deal, rack_count, deal_count) == 5
    for_player = five & (said[:, 4] == TO_PLAYER)
    for_banker = five & (said[:, 4] == TO_BANKER)

    both = rack_whole & deal_whole & (rack_count == deal_count)
    agree_three_two = both & ~for_banker & (rack_three_two == deal_three_two).all(axis=1)
    agree_two_three = both & ~for_player & five & (rack_two_three == deal_two_three).all(axis=1)
    lone_rack, lone_deal = rack_whole & no_deal, deal_whole & no_rack
    three_two = np.where(no_rack[:, None], deal_three_two, rack_three_two)
    two_three = np.where(no_rack[:, None], deal_two_three, rack_two_three)
    lawful_three_two = drawing.fits(terms.drawing, three_two[:, :3], three_two[:, 3:])
    lawful_two_three = drawing.fits(terms.drawing, two_three[:, :3], two_three[:, 3:])
    open_three_two = agree_three_two | ((lone_rack | lone_deal) & ~for_banker)
    open_two_three = five & (agree_two_three | ((lone_rack | lone_deal) & ~for_player))
    # Where both are open the lawful one is meant; where neither is lawful the solver keeps both.
    take_three_two = open_three_two & (~open_two_three | lawful_three_two)
    take_two_three = open_two_three & ~take_three_two & (~open_three_two | lawful_two_three)

    taken = take_three_two | take_two_three
    # A rack that breaks the drawing rules, with no deal to hold it against, may have been filled in another order.
    taken &= ~lone_rack | (np.where(take_two_three, lawful_two_three, lawful_three_two) & (not doubted))
    hands = np.where(take_two_three[:, None], two_three, three_two)
    # And so may one whose Banker hand does not begin with the card that decided the action button.
    by_card = action_buttons(batch).card
    taken &= ~lone_rack | (by_card == NO_CARD) | (by_card == hands[:, 3])
    hands[~taken] = NO_CARD
    evidence = np.where(lone_rack, Evidence.RACK, np.where(lone_deal, Evidence.DEAL, Evidence.RACK_AND_DEAL))
    evidence[~taken] = Evidence.NONE
    made = Hands(hands[:, :3].copy(), hands[:, 3:].copy(), evidence.astype(np.uint8), {}, [], {})
    too_many = _too_many(batch, made.remarks, terms, rack, deal)
    rows = np.flatnonzero(~taken).tolist()
    reports = reports_of(rows)
    for row in rows:
        stakes = bool(wagered[row]), bool(voided[row])
        _solve(batch, row, made, too_many.get(row, frozenset()), *stakes, terms, reports[row], searches)
    return made


def _solve(
    batch: RoundBatch,
    row: int,
    made: Hands,
    too_many: frozenset[int],
    wagered: bool,
    voided: bool,
    terms: Terms,
    reports: Reports,
    searches: Searches,
) -> None:
    """One odd round into the columns."""
    said = batch.rack[row].tobytes(), batch.dealt[row].tobytes(), batch.dealt_to[row].tobytes()
    rack, dealt, dealt_to = without_burned(*said)
    unsure = bool(batch.flags[row] & RoundFlag.RACK_UNSURE)
    found = as_read(rack, dealt, dealt_to, unsure, too_many, terms)
    budget = searches.budget(row) if rack and not unsure and not voided else None
    if budget is not None:
        events = card_events(batch, row)
        answer = explain_rack(rack, dealt, dealt_to, terms, events, reports.reported, reports, budget)
        made.answers[row] = answer
        found = decide(found, answer, bool(reports.reported) and not dealt, terms.law)
    if found.readings:
        made.player[row] = as_row(found.readings[0].player)[0]
        made.banker[row] = as_row(found.readings[0].banker)[0]
        both = Evidence.SOLVED if found.troubles else Evidence.RACK_AND_DEAL
        made.evidence[row] = both if rack and dealt else Evidence.RACK if rack else Evidence.DEAL
        if len(found.readings) > 1:
            made.others[row] = tuple(found.readings[1:])
    elif wagered and not voided:
        made.why_not[row] = found.why_not
    troubles = found.troubles
    if not rack and not dealt and wagered and not voided:
        what = "there were wagers, and neither rack nor deal was read"
        troubles = [Trouble("RACK-322", what, terms.law.pickup, basis=Basis.UNREAD)]
        if batch.flags[row] & RoundFlag.RACK_UNCUT:
            troubles, made.why_not[row] = [], UNCUT
    read = Basis.COMPARED if rack and dealt else Basis.RACK if rack else Basis.DEAL
    for trouble in troubles:
        told_already = subject_of(trouble.code) is Subject.CARD_TWICE and too_many
        if (voided and subject_of(trouble.code) not in ANY_CARDS) or told_already:
            continue
        made.remarks.append(
            Remark(
                row,
                trouble.code,
                trouble.sentence,
                trouble.cite,
                evidence=card_events(batch, row),
                confidence=trouble.confidence,
                basis=trouble.basis or read,
            )
        )


def _too_many(batch: RoundBatch, remarks: list[Remark], terms: Terms, rack: Cards, deal: Cards) -> TooMany:
    """Cards there are more often than in the shoe, which `remarks` then say."""
    decks = np.where(batch.decks > 0, batch.decks, terms.decks).astype(np.int64)
    over_rounds, said = too_many_over_rounds(batch, terms.law.deck)
    seen = (("in the rack", Basis.RACK, rack), ("dealt", Basis.DEAL, deal))
    too_many, also_said = too_many_in_one_round(
        seen, over_rounds, decks, terms.law.deck, lambda row: card_events(batch, row)
    )
    remarks += [*said, *also_said]
    return too_many


def _first_six(column: Ragged) -> tuple[Cards, Array, Bools]:
    """The first six values of each round, how many there are, and whether they are a whole round of playable cards."""
    counts = column.counts
    within = np.arange(MOST_CARDS)
    there = within < counts[:, None]
    values = np.full((len(counts), MOST_CARDS), NO_CARD, dtype=np.uint8)
    values[there] = column.values[(column.offsets[:-1, None] + within)[there]]
    whole = (counts >= 4) & (counts <= MOST_CARDS) & (~there | (values < JOKER_1)).all(axis=1)
    return values, counts, whole


def _usual_order(said: Cards, count: Array, order: tuple[int, ...]) -> Bools:
    """The shoe said nothing, or the usual thing, of where each card went (of a fifth card: either hand)."""
    usual = np.array(order, dtype=np.uint8)
    as_usual = (said == usual) | (said == TO_UNKNOWN) | (said == NO_CARD)
    as_usual[:, 4] |= (count == 5) & (said[:, 4] == TO_BANKER)
    whole: Bools = as_usual.all(axis=1)
    return whole


def _deal_hands(deal: Cards, count: Array, three_two: bool, order: tuple[int, ...]) -> Cards:
    """(n, 6): the Player hand and the Banker hand as they were dealt."""
    player_three = (count == 6) | ((count == 5) & three_two)
    for_player, for_banker = ([at for at, to in enumerate(order) if to == hand] for hand in (TO_PLAYER, TO_BANKER))
    hands = np.concatenate([deal[:, for_player], deal[:, for_banker]], axis=1)
    fifth = hands[:, 2].copy()
    hands[~player_three, 2] = NO_CARD
    hands[~player_three, 5] = fifth[~player_three]  # where only the Banker drew, its card is the fifth
    return hands


def confidence(hands: Hands, row: int) -> float:
    """How sure a statement about a round's third cards or button is: two witnesses that agree, or one."""
    return CERTAIN if hands.evidence[row] == Evidence.RACK_AND_DEAL else LIKELY


_BASES = {
    Evidence.NONE: Basis.REPORTS,
    Evidence.RACK: Basis.RACK,
    Evidence.DEAL: Basis.DEAL,
    Evidence.RACK_AND_DEAL: Basis.DEAL_AND_RACK,
    Evidence.SOLVED: Basis.COMPARED,
}


def basis(hands: Hands, row: int) -> Basis:
    """What the hands of a round rest on."""
    return _BASES[Evidence(int(hands.evidence[row]))]
