"""What was not done as the rules say: the checks of `replay.checks`, put to this family's rounds."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from replay.cards.dealing.compare import compare, in_words
from replay.cards.dealing.seen import deal_events
from replay.checks.areas import areas_remarks
from replay.checks.bank_eligible import bank_in_doubt, bank_not_filed, bank_remarks, wagers_of_the_house
from replay.checks.deck import deck_kept, deck_remarks
from replay.checks.equipment import cards_too_old, decks_not_alternated, dice_too_old, stub_not_counted
from replay.checks.inspection import DeckLaw, InspectionLaw, decks_wrong, inspections_wrong
from replay.checks.meters import StepLaw, step_remarks
from replay.checks.misdeal import (
    Irregularities,
    boxed_cards,
    delivered_otherwise,
    irregular_remarks,
    misdeal_remarks,
    voided_without_exposure,
)
from replay.checks.offers import cut_out_of_turn, offered_out_of_turn
from replay.checks.rack import cards_wrong, unread
from replay.checks.shuffling import cut_too_deep, not_reshuffled, not_shuffled, shuffled_by_hand
from replay.checks.start import Starts, no_roll_remarks, numbers_out_of_range, start_remarks
from replay.checks.surrender import surrendered_too_late
from replay.checks.wagers import (
    Bound,
    Bounds,
    at_stake,
    given_back_by_a_void,
    late_wagers,
    wagers_not_offered,
    wagers_outside_limits,
)
from replay.families.split_hands import player_dealer
from replay.families.split_hands.bank_line import bank_unusable
from replay.families.split_hands.deal import AS_FILED, Deal, method_filed, ways_dealt
from replay.families.split_hands.dealt_in import dealt_to_others
from replay.families.split_hands.hands import Hands
from replay.families.split_hands.law import Banking, Dealing, Starting
from replay.families.split_hands.pickup import Rack
from replay.families.split_hands.seats import Seats, bank_settled_elsewhere
from replay.families.split_hands.side_checks import mandatory_missing, out_of_turn, though_barred, without_base
from replay.families.split_hands.side_seats import OTHER
from replay.families.split_hands.solver import dealt_from
from replay.families.split_hands.terms import Terms, WrongStart
from replay.filing import Filing
from replay.money.meter import MeterLaw
from replay.remarks import Remark
from replay.rounds import UNKNOWN, Fact, Ints, RoundBatch, RoundFlag
from schemas.cards import NO_CARD
from schemas.events import StartMethod

Bools = npt.NDArray[np.bool_]

_DEALING_WORDS = {
    Dealing.MANUAL_SHOE: "dealt from a manual shoe",
    Dealing.HAND: "dealt from the hand",
    Dealing.AUTOMATED_SHOE: "dealt from an automated shoe",
    Dealing.BONUS_SHOE: "dealt from an automated shoe",
    Dealing.BONUS_HAND: "dealt from an automated shoe and then the hand",
}
_AS_IF_EXCHANGED = 4  # hands: so many that go round the other way lie as if two of them had changed places
_SHOES = (Dealing.AUTOMATED_SHOE, Dealing.BONUS_SHOE, Dealing.BONUS_HAND)
_ANNOUNCED = frozenset(Starting) - {Starting.LEFT_OF_DEALER}


def wagers_wrong(batch: RoundBatch, seats: Seats, terms: Terms, filing: Filing) -> list[Remark]:
    law, cites, wagers = terms.law, terms.law.cites, seats.wagers
    base, titles = law.base.name, law.titles
    if law.player_dealer is not None:
        return player_dealer.wagers_wrong(batch, seats, terms, filing)
    never, closed = np.full(len(batch), UNKNOWN), batch.bets_closed_seq.astype(np.int64)
    return [
        *late_wagers(batch, wagers, never, closed, given_back_by_a_void(batch), titles, law.late),
        *wagers_outside_limits(batch, wagers, _bounds(terms), titles),
        *without_base(batch, seats, titles, base),
        *mandatory_missing(batch, seats, titles),
        *out_of_turn(batch, seats, terms),
        *wagers_not_offered(batch, wagers, seats.kind == OTHER, terms.geometry.ring.seats, titles, law.offered),
        *_bank_wrong(batch, seats, terms),
        *surrendered_too_late(batch, seats.refused_seq, seats.barred, seats.all_void, base, cites.surrender_until),
        *though_barred(batch, seats, base),
        *(areas_remarks(batch, wagers, terms.areas) if terms.areas is not None else ()),
    ]


def _bank_wrong(batch: RoundBatch, seats: Seats, terms: Terms) -> Iterator[Remark]:
    law, places = terms.law, terms.geometry.places
    if law.bank is not None:
        may = (law.bank.may, law.bank.may_share)
        elsewhere = bank_settled_elsewhere(batch, terms)
        not_offered = bank_unusable(batch, seats) & ~seats.all_void & (elsewhere == 0)
        yield from bank_not_filed(batch, not_offered, places - 1, str(terms.banking), may)
        yield from bank_in_doubt(batch, np.where(seats.all_void, 0, elsewhere), law.bank.eligible.offered)
        yield from bank_remarks(batch, seats.banked, seats.wagers, law.bank.eligible)
        if law.bank.co_bank_alone is not None:
            yield from wagers_of_the_house(batch, seats.co_banked, law.bank.co_bank_alone)
        if terms.banking is not Banking.NONE:
            yield from offered_out_of_turn(batch, seats.banked, seats.wagers, places, law.bank.eligible.offered)
    if law.cites.cut_offered is not None:
        yield from cut_out_of_turn(batch, seats.banked, seats.wagers, places, law.cites.cut_offered)


def _bounds(terms: Terms) -> dict[str, Bounds]:
    """The limits of the wagers that are offered."""
    filed = {terms.law.base.name: (terms.table_limits_cents, terms.law.cites.table_limits)}
    filed |= {side.name: (side.limits_cents, side.law.limits) for side in terms.sides}
    return {
        name: Bounds(*(Bound(cents, "filed for this table", citation) for cents in limits))
        for name, (limits, citation) in filed.items()
    }


def start_wrong(batch: RoundBatch, seats: Seats, starts: Starts, actual: Ints, terms: Terms) -> list[Remark]:
    """`actual` is where the cards say the deal began."""
    without_dice = terms.wrong_start_without_dice is WrongStart.DEAD
    by_law, cites = terms.law.says_what_is_void, terms.law.cites
    remarks = []
    if cites.no_roll is not None:
        remarks += no_roll_remarks(batch, ~seats.all_void, cites.no_roll)
    if cites.number_range is not None:
        remarks += numbers_out_of_range(batch, terms.geometry.places, cites.number_range)
    return remarks + start_remarks(
        batch,
        starts,
        actual,
        seats.all_void | (~seats.banked if not by_law else (batch.bank_seat > 0) & ~seats.banked),
        {method: by_law and (method is StartMethod.DICE or without_dice) for method in StartMethod},
        lambda row: at_stake(seats.wagers, row),
        {StartMethod(starting): citation for starting, citation in cites.start.items() if starting in _ANNOUNCED},
        cites.start.get(Starting.LEFT_OF_DEALER),
    )


def deal_wrong(batch: RoundBatch, seats: Seats, deal: Deal, wrong: Bools, hands: Hands, terms: Terms) -> list[Remark]:
    geometry, dealing, cites = terms.geometry, terms.dealing, terms.law.cites
    otherwise = np.flatnonzero((deal.way != AS_FILED) & deal.read & ~wrong & ~seats.all_void)

    def stake(row: int) -> str:
        return at_stake(seats.wagers, row)

    voids = Irregularities(
        cites.dealer_exposed,
        cites.boxed,
        cites.stacks_exposed if dealing is Dealing.HAND else None,
        cites.shoe_fault if dealing in _SHOES else None,
    )
    printed = terms.law.says_what_is_void
    return [
        *dealt_to_others(batch, deal, seats.all_void, terms),
        *misdeal_remarks(
            batch,
            deal.hand_counts,
            wrong & printed,
            geometry.cards,
            geometry.stub,
            stake,
            cites.misdeal,
            cites.stub[dealing],
        ),
        *(irregular_remarks(batch, seats.against, seats.all_void, stake, voids) if printed else ()),
        *delivered_otherwise(
            batch,
            otherwise,
            deal.way,
            deal.hand_counts[:, -1] != UNKNOWN,
            ways_dealt(terms),
            method_filed(terms),
            dealing is Dealing.HAND,  # MA-PGP §11(l) is about stacks dealt from the hand
            geometry.hands <= _AS_IF_EXCHANGED,
            stake,
            cites.delivery[dealing],
            cites.not_as_filed[dealing],
        ),
        *(_boxed_and_played(batch, seats, hands, terms) if printed else ()),
        *(voided_without_exposure(batch, cites.void_by_choice) if cites.void_by_choice is not None else ()),
    ]


def _boxed_and_played(batch: RoundBatch, seats: Seats, hands: Hands, terms: Terms) -> list[Remark]:
    """DEAL-309: a card found face up is not used in the game, and it lies in a hand. (Two are a void: DEAL-304.)"""
    facts = batch.facts.of(Fact.BOXED)
    facts = facts.where((facts.card != NO_CARD) & ~seats.all_void[facts.row] & (boxed_cards(batch)[facts.row] == 1))
    remarks = {}
    for row, card, seq in zip(facts.row.tolist(), facts.card.tolist(), facts.seq.tolist(), strict=True):
        if row in remarks or len(hands.readings.get(row, ())) > 1:
            continue
        held = {
            (int(place), 0): (("", hands.cards[row, place].tobytes()),) for place in np.flatnonzero(hands.known[row])
        }
        for kept in compare(None, held, {}, barred={card: None}):
            sentence = f"{in_words(kept)}: it had to be set aside, and the next card to take its place"
            remarks[row] = Remark(
                row,
                kept.code,
                sentence,
                terms.law.cites.boxed_set_aside,
                seat=kept.seat,
                evidence=(seq, *deal_events(batch, row)),
            )
    return list(remarks.values())


def cards_in_rack_wrong(
    batch: RoundBatch, seats: Seats, rack: Rack, deal: Deal, began: Ints, wrong: Bools, terms: Terms
) -> list[Remark]:
    """CARD-311, -312, -313 for racks that are not the deck; RACK-322 where neither rack nor deal was read; CARD-314 to
    -316 for what the deck's earlier rounds have against it."""
    size, cites = terms.geometry.deck_size, terms.law.cites
    whole = (batch.stub_count != UNKNOWN) & ~wrong  # every hand and the cards left are the deck
    remarks = deck_remarks(batch, cites.one_deck, whole, size)
    if cites.deck_removed is not None:
        remarks += deck_kept(batch, cites.deck_removed[terms.dealing], size)
    for row in np.flatnonzero(~rack.whole & ~seats.all_void & ~wrong).tolist():
        if rack.count[row]:
            known = deal.read[row] and began[row] != UNKNOWN
            hands = dealt_from(deal.masks[row].tolist(), int(began[row]), terms.geometry) if known else []
            remarks += cards_wrong(batch, row, hands, size, cites.one_deck)
        elif not batch.dealt.counts[row] and seats.wagered[row].any() and not batch.flags[row] & RoundFlag.RACK_UNCUT:
            remarks.append(unread(row, at_stake(seats.wagers, row), cites.pickup))
    return remarks


def _shuffled_and_cut(batch: RoundBatch, terms: Terms) -> Iterator[Remark]:
    law, cites = terms.law, terms.law.cites
    if cites.not_reshuffled is not None:
        yield from not_reshuffled(batch, cites.not_reshuffled)
    if cites.not_shuffled is not None:
        yield from not_shuffled(batch, cites.not_shuffled)
    if cites.shuffled_by_hand is not None:
        yield from shuffled_by_hand(batch, cites.shuffled_by_hand)
    if law.cut is not None:
        yield from cut_too_deep(batch, law.cut, terms.geometry.deck_size)


def _brought(batch: RoundBatch, terms: Terms) -> Iterator[Remark]:
    """The decks and dice that came to the table."""
    cites = terms.law.cites
    if cites.backs_differ is not None:  # only a text that speaks of the decks
        deck = DeckLaw(1, terms.geometry.jokers, cites.one_deck, cites.backs_differ, terms.law.spare_jokers)
        yield from decks_wrong(batch, deck)
    yield from inspections_wrong(batch, InspectionLaw(cites.cards_inspected, cites.dice_inspected, cites.broken_seal))


def meters_wrong(batch: RoundBatch, terms: Terms) -> list[Remark]:
    """METER-101, -102 and -108 to -110: what is said of the meters themselves."""
    laws = (side.meters for side in terms.sides if side.meters is not None)
    return [remark for law in laws for remark in step_remarks(batch, law.meters, _steps_law(law))]


def _steps_law(law: MeterLaw) -> StepLaw:
    return StepLaw(law.least_seed_cents, law.seed, moves=law.contribution)


def equipment_wrong(batch: RoundBatch, terms: Terms) -> list[Remark]:
    law, dealing = terms.law, terms.dealing
    remarks = []
    if dealing in law.card_age_limit_s:  # where the text says how long cards may be used, and dice
        limit = law.card_age_limit_s[dealing]
        remarks += cards_too_old(batch, limit, _DEALING_WORDS[dealing], law.cites.card_age[dealing])
    remarks += _shuffled_and_cut(batch, terms)
    remarks += _brought(batch, terms)
    if terms.starting is Starting.DICE and law.dice_age_limit_s:
        remarks += dice_too_old(batch, law.dice_age_limit_s, law.cites.dice_age)
    if terms.decks == 2:
        remarks += decks_not_alternated(batch, law.cites.decks_alternate)
    counted = law.stub_counted is not None and dealing in law.stub_counted.dealing
    if law.stub_counted is not None and counted and not terms.stub_counted_by_shuffler:
        remarks += stub_not_counted(batch, law.stub_counted.rounds, law.stub_counted.cite)
    return remarks
