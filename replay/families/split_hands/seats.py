"""Who bet, surrendered or was voided, as columns (round, place), and what follows for the cards.

Place 0 is the dealer's and never bets. Which wager is worth how much stays in `Wagers`: a seat may, wrongly, have more
than one of a name.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from replay.families.split_hands.law import Banking
from replay.families.split_hands.side_seats import BASE, OTHER, SideSeats, any_of, kinds_of, side_kind, sides_of
from replay.families.split_hands.terms import FIRST_CARDS, Terms
from replay.families.split_hands.wager_law import EnvyLaw
from replay.money.people import People, people_of
from replay.money.results import OUTCOME_OF
from replay.money.wagers import Wagers, resolve_wagers
from replay.rounds import ACTION_CODE, BANK_KIND_CODE, Fact, Ints, RoundBatch
from schemas.events import Action, BankKind
from schemas.places import DEALER

Bools = npt.NDArray[np.bool_]

NOT_JUDGED = -1
NEVER = -1


@dataclass(frozen=True)
class Seats:
    wagers: Wagers
    kind: npt.NDArray[np.uint8]  # a wager: BASE, OTHER or `SideSeats.kind`
    at: Ints  # a wager: its place, 0 where it has none at this table
    wagered: Bools  # (n, 7) there is a wager at this place
    base: Bools  # (n, 7) a wager against the dealer's hand
    sides: tuple[SideSeats, ...]  # the side wagers that are offered
    surrendered_seq: Ints  # (n, 7), NEVER where not
    refused_seq: Ints  # (n, 7) a surrender that is none: of a hand exposed before, or barred; NEVER where not
    barred: Bools  # (n, 7) a wager of the place bars a surrender
    voided_seq: Ints  # (n, 7) a single hand voided, NEVER where not
    withdrawn_seq: Ints  # (n, 7) the last wager of the place was withdrawn late; NEVER where not
    unoffered: Bools  # a wager: the filed rules have none of the name
    rearranges: bool  # the dealer lays hands out anew for bonus wagers
    all_void: Bools  # (n,)
    bonus_void: Bools  # (n,) and bonus wagers with them
    against: Ints  # (n,) the place whose hand everyone plays against
    co_banked: Bools  # (n,)
    player_dealt: Bools  # (n,) everyone plays against a player-dealer
    dealer_stake: Ints  # (n,) the house's own wager against a bank, in cents
    judged: Ints  # (n, 7) LOSES, TIES or WINS as the wager against a bank was settled, NOT_JUDGED where none was
    people: People

    @cached_property
    def _on_own_hands(self) -> list[SideSeats]:
        return [one for one in self.sides if one.there and one.side.law.judged_on.on_own_hand]

    def _nobody(self) -> Bools:
        return np.zeros_like(self.wagered)

    def _never(self) -> Bools:
        return np.zeros(len(self.wagered), bool)

    @cached_property
    def bonus(self) -> Bools:
        """(n, 7) a side wager that is to be settled on the place's own hand."""
        return any_of([one.live for one in self._on_own_hands], self._nobody)

    @cached_property
    def bonus_played(self) -> Bools:
        """(n, 7) there was such a wager, also one since forfeited, withdrawn late or voided."""
        return any_of([one.played for one in self._on_own_hands], self._nobody)

    @cached_property
    def waits(self) -> Bools:
        """(n, 7) places whose hands stay on the table after they were compared, for a bonus wager of their own, or as
        one at the table keeps every hand there (MA-PGP §15(d)(1))."""
        there = [one for one in self.sides if one.there]
        keeping = [np.asarray(one.played.any(axis=1)) for one in there if one.side.law.keeps_every_hand]
        keeping += [one.qualifying_played for one in there if one.gives is None]
        return self.bonus_played | any_of(keeping, self._never)[:, None]

    @cached_property
    def envy(self) -> Bools:
        """(n, 7) a side wager that earns envy bonuses."""
        return any_of([one.earns for one in self.sides if one.there], self._nobody)

    @cached_property
    def qualifying_played(self) -> Bools:
        """(n,) a wager large enough for envy bonuses was placed."""
        return any_of([one.qualifying_played for one in self.sides if one.there], self._never)

    def envy_law(self, row: int) -> EnvyLaw | None:
        """Of the first wager of a round that is large enough for envy bonuses."""
        earning = (one for one in self.sides if one.there and one.qualifying_played[row])
        return next((one.side.law.envy for one in earning), None)

    @property
    def banked(self) -> Bools:
        """(n,) a player banks."""
        return np.asarray(self.against > 0)

    @cached_property
    def order_by_results(self) -> Bools:
        """(n,) in which order hands go into the rack depends on how they fare: against a bank (rulings.md R-5(6))."""
        return self.banked & ~self.player_dealt

    @cached_property
    def house_sets(self) -> Bools:
        """(n,) the hand everyone plays against is set by the house dealer: not a bank's own."""
        return ~self.banked | self.co_banked | self.player_dealt

    @cached_property
    def is_against(self) -> Bools:
        """(n, 7)"""
        return np.asarray(np.arange(self.wagered.shape[1]) == self.against[:, None])

    def own_areas(self, wager: Ints) -> tuple[Bools, Bools]:
        """(m, places) of these wagers, the areas that are certainly their bettor's own, and those that may be."""
        wagers = self.wagers
        row, person = wagers.row[wager], self.people.number(wagers.row, wagers.seat, wagers.bettor)[wager]
        return self.people.places_of(row, person, self.wagered.shape[1])

    @cached_property
    def given_up_wrongly(self) -> Bools:
        """(n, 7) hands surrendered although a wager of theirs bars that: nobody set them."""
        return np.asarray((self.refused_seq != NEVER) & self.barred)

    @cached_property
    def surrendered(self) -> Bools:
        return np.asarray(self.surrendered_seq != NEVER)

    @cached_property
    def voided(self) -> Bools:
        return np.asarray(self.voided_seq != NEVER)

    @cached_property
    def exposed(self) -> Bools:
        """(n, 7) players' hands that are turned over: MA-PGP §9(e)(2), (f); rulings.md R-5."""
        return self.wagered & ~self.voided & ~(self.surrendered & ~self.bonus)

    @cached_property
    def rearranged(self) -> Bools:
        """(n, 7) hands the dealer rearranges, so that the rack does not show their setting: all players' once anyone
        has a Qualifying Wager (MA-PGP §9(l)), else those with a bonus wager (§15(d)(2)); rulings.md R-51. What a dealer
        does for a wager that is not offered, or was forfeited, voided, made or withdrawn late, nobody knows: its round
        is taken as rearranged too ("has *placed* a Qualifying Wager")."""
        if not self.rearranges:
            return np.zeros_like(self.wagered)
        unoffered = np.zeros(len(self.wagered), bool)
        unoffered[self.wagers.row[self.kind == OTHER]] = True
        own = any_of([one.played for one in self._on_own_hands if one.side.law.rearranges], self._nobody)
        return self.exposed & (own | (self.qualifying_played | unoffered)[:, None])

    @cached_property
    def must_stay(self) -> Bools:
        """(n, 7) hands that stay on the table if they are premium: everybody's, while a Qualifying Wager is there
        (MA-PGP §9(l)(1)(i)b,c; rulings.md R-5(5))."""
        staying = []
        for one in self.sides:
            if one.there and one.side.law.envy is not None:
                staying.append(one.qualifying_on_time[:, None] & (True if one.gives is None else one.gives))
        return self.exposed & any_of(staying, self._nobody)

    @cached_property
    def may_stay(self) -> Bools:
        """(n, 7) hands that a dealer who goes by the book may leave on the table if they are premium. With bonus wagers
        below $5 only, §15(d)(2)(iii) has their premium hands stay and §9(l)(1)(i)b does not; and whether a wager made,
        withdrawn, forfeited or voided after the close still counts for this no section says."""
        staying = []
        for one in self._on_own_hands:
            if one.gives is not None:
                staying.append(one.played & one.qualifying_played[:, None])
            elif one.side.law.keeps_premium:
                staying.append(one.played | one.qualifying_played[:, None])
        return self.exposed & any_of(staying, self._nobody)

    @cached_property
    def out_of_play_seq(self) -> Ints:
        """(n, 7) when a place's hand went out of play in a way no section says when to collect it for: voided by its
        player, or the wager withdrawn after the close. NEVER where not."""
        return np.where(self.wagered, self.voided_seq, self.withdrawn_seq)


def seats_of(batch: RoundBatch, terms: Terms) -> Seats:
    rows, width = len(batch), terms.geometry.places
    wagers = resolve_wagers(batch)
    kind = kinds_of(batch, wagers, terms)
    at = np.where((wagers.seat >= 1) & (wagers.seat < width), wagers.seat, 0).astype(np.int64)
    against = _against(batch, terms)
    unoffered = kind == OTHER
    own = (at == against[wagers.row]) & (at > 0)
    if terms.law.player_dealer is not None:
        own &= wagers.bettor == 0  # others may bet on that hand too (rulings.md R-54)
    kind[own] = OTHER  # nobody bets against the own hand
    seated = at > 0

    def places(mask: Bools) -> Bools:
        found = np.zeros((rows, width), bool)
        found[wagers.row[mask], at[mask]] = True
        return found

    surrendered_seq = _first_seq(batch, "surrender", (rows, width))
    voided_seq = np.maximum(_first_seq(batch, "void_hand", (rows, width)), _voided_seats(batch, (rows, width)))
    voids = batch.facts.of(Fact.VOIDED)
    all_void = np.zeros(rows, bool)
    all_void[voids.row[voids.seat == 0]] = True
    base = places((kind == BASE) & seated)
    surrendered_seq[~base] = NEVER  # there was nothing to surrender
    shown_seq = _first_shown(batch, terms, (rows, width))
    barred = np.zeros((rows, width), bool)
    for number, side in enumerate(terms.sides):
        if side.law.bars_surrender is not None:
            barred |= places((kind == side_kind(number)) & seated)
    refused = (shown_seq != NEVER) & (shown_seq < surrendered_seq)  # MA-PGP §9(e): "prior to the dealer exposing"
    refused |= barred & (surrendered_seq != NEVER)
    refused_seq = np.where(refused, surrendered_seq, NEVER)
    surrendered_seq[refused] = NEVER
    wagered = places(seated)
    sides = sides_of(batch, wagers, kind, at, surrendered_seq != NEVER, voided_seq != NEVER, terms)
    withdrawn_seq = np.full((rows, width), NEVER, np.int64)
    for late in wagers.late_events:
        if not 1 <= late.seat < width:
            continue
        if late.what == "withdrawn" and not wagered[late.row, late.seat]:
            withdrawn_seq[late.row, late.seat] = late.seq
    return Seats(
        wagers,
        kind,
        at,
        wagered,
        base,
        sides,
        surrendered_seq,
        refused_seq,
        barred,
        voided_seq,
        withdrawn_seq,
        unoffered,
        terms.rearranges,
        all_void,
        all_void & ~_bonus_stands(batch, against) if terms.law.bonus_outlives_exposure else all_void,
        against,
        (against > 0) & (batch.bank_kind == BANK_KIND_CODE[BankKind.CO_BANK]),
        (against > 0) & (batch.bank_kind == BANK_KIND_CODE[BankKind.PLAYER_DEALER]),
        np.where(against > 0, np.maximum(batch.dealer_wager_cents, 0), 0),
        _judged(batch, against > 0, terms.law.base.name, width),
        people_of(batch),
    )


def _judged(batch: RoundBatch, banked: Bools, base: str, width: int) -> Ints:
    """How the dealer judged the hands of the rounds that somebody banks, by the wagers as they were settled."""
    judged = np.full((len(batch), width), NOT_JUDGED)
    if banked.any():
        said = batch.facts.of(Fact.SETTLED)
        said = said.where(banked[said.row] & (said.wager == batch.name_id(base)) & (said.bettor == 0))
        said = said.where((said.seat > 0) & (said.seat < width))
        for result, outcome in enumerate(OUTCOME_OF.tolist()):
            so = said.code == outcome
            judged[said.row[so], said.seat[so]] = result
    return judged


def _bonus_stands(batch: RoundBatch, against: Ints) -> Bools:
    """(n,) rounds void for a card exposed in the dealer's or the bank's hand."""
    void = batch.facts.of(Fact.VOIDED)
    named = (void.seat == 0) & (void.choice == batch.name_id("exposed_card"))
    shown = batch.facts.of(Fact.EXPOSED)
    own = (shown.seat == DEALER) | (shown.seat == against[shown.row])
    own &= shown.choice != batch.name_id("stacks")  # that has the cards reshuffled
    stands, exposed = np.zeros(len(batch), bool), np.zeros(len(batch), bool)
    stands[void.row[named]], exposed[shown.row[own]] = True, True
    return stands & exposed


def _against(batch: RoundBatch, terms: Terms) -> Ints:
    """(n,) the seat that banks, where the filing offers that; else the house dealer."""
    seat = batch.bank_seat.astype(np.int64)
    offered = np.zeros(len(batch), bool)
    for banking, kind in ((Banking.NONE, BankKind.BANK), (Banking.BANK, BankKind.CO_BANK)):
        if terms.banking not in (Banking.NONE, banking):
            offered |= batch.bank_kind == BANK_KIND_CODE[kind]
    if terms.law.player_dealer is not None:
        offered |= batch.bank_kind == BANK_KIND_CODE[BankKind.PLAYER_DEALER]
    offered &= bank_settled_elsewhere(batch, terms) == 0
    return np.where(offered & (seat > 0) & (seat < terms.geometry.places), seat, DEALER)


def bank_settled_elsewhere(batch: RoundBatch, terms: Terms) -> Ints:
    """(n,) the seat that was settled as the bank where another is said to have accepted it, and nothing says which is
    right. 0 where there is none, or the seat that accepted it was settled too."""
    elsewhere = np.zeros(len(batch), np.int64)
    if terms.law.bank is None or not (batch.bank_seat > 0).any():
        return elsewhere
    said = batch.facts.of(Fact.SETTLED)
    said = said.where((said.wager == batch.name_id(terms.law.bank.wager)) & (batch.bank_seat[said.row] > 0))
    elsewhere[said.row] = said.seat
    elsewhere[said.row[said.seat == batch.bank_seat[said.row]]] = 0
    return elsewhere


def _first_shown(batch: RoundBatch, terms: Terms, shape: tuple[int, int]) -> Ints:
    """(n, 7) when a place's hand was first exposed; the cards dealt first, shown by the player, are not that."""
    shown = batch.shown
    own = (shown.place >= 0) & (shown.place < shape[1])
    if terms.judges_first_cards:
        own &= shown.count != FIRST_CARDS
    index = np.flatnonzero(own)[::-1]  # in order: the first is written last
    seq = np.full(shape, NEVER, np.int64)
    seq[shown.row[index], shown.place[index]] = shown.seq[index]
    return seq


def _first_seq(batch: RoundBatch, action: str, shape: tuple[int, int]) -> Ints:
    """(n, 7) when a seat first did this."""
    facts = batch.facts
    mask = (facts.kind == Fact.ACTION) & (facts.code == ACTION_CODE[Action(action)]) & (facts.seat < shape[1])
    seq = np.full(shape, NEVER, np.int64)
    index = np.flatnonzero(mask)[::-1]  # facts are in order: the first one is written last
    seq[facts.row[index], facts.seat[index]] = facts.seq[index]
    seq[:, 0] = NEVER
    return seq


def _voided_seats(batch: RoundBatch, shape: tuple[int, int]) -> Ints:
    facts = batch.facts
    index = np.flatnonzero((facts.kind == Fact.VOIDED) & (facts.seat >= 1) & (facts.seat < shape[1]))
    seq = np.full(shape, NEVER, np.int64)
    seq[facts.row[index], facts.seat[index]] = facts.seq[index]
    return seq
