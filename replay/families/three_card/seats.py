"""Who bet, played, folded or was voided, and what follows for the cards: a column a wager, or a place, 0 nobody's.

Each person who bets on a hand decides by the own ante: the player who sits there and backline bettors alike (CA Three
Card Poker, Betting scheme 5; rulings.md R-39). The hand is folded when none of them plays.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from replay.families.three_card.terms import Terms
from replay.money.wagers import Wagers, resolve_wagers
from replay.rounds import ACTION_CODE, Fact, Facts, Ints, RoundBatch, RoundFlag
from schemas.events import Action

Bools = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]

ANTE, PLAY, OTHER = 0, 1, 255  # what a wager is; OTHER: the filed rules do not offer it
_FIRST_SIDE = 2  # the first of `Terms.sides`, and so on
NEVER = np.iinfo(np.int64).max


def side_kind(number: int) -> int:
    """The kind of the wagers of one of `Terms.sides`."""
    return _FIRST_SIDE + number


@dataclass(frozen=True)
class Seats:
    terms: Terms
    wagers: Wagers
    kind: Bytes  # of each wager
    at: Ints  # of each wager the seat, 0 where the table has none such
    with_ante: Bools  # of each wager: its bettor has an ante on that hand
    plays: Bools  # of each wager: its bettor has an ante and a play wager there, and did not fold before
    folded_first: Bools  # of each wager: its bettor folded before playing: then the play counts for nothing
    against: Ints  # (n,) the player-dealer's seat, 0 where none is known
    folded_seq: Ints  # (n, places) when the seated player's fold was reported, NEVER
    played_seq: Ints  # (n, places) when the seated player's play wager was placed, NEVER
    wagered: Bools  # (n, places) any wager stands
    in_play: Bools  # (n, places) somebody plays the hand
    live_side: Bools  # (n, places) a bonus bet stands that survives a fold
    voided_seq: Ints  # (n, places) NEVER where the hand was not
    withdrawn_seq: Ints  # (n, places) when the last wager was taken back after betting closed, NEVER
    all_void: Bools  # (n,)

    def __len__(self) -> int:
        return len(self.all_void)

    @cached_property
    def voided(self) -> Bools:
        return np.asarray(self.voided_seq != NEVER)

    @cached_property
    def betting(self) -> Bools:
        """(n, places) seats that are dealt a hand for a wager; the player-dealer gets one as well."""
        return np.asarray(self.wagered | (self.withdrawn_seq != NEVER))

    @cached_property
    def is_against(self) -> Bools:
        found = np.zeros_like(self.wagered)
        known = np.flatnonzero(self.against)
        found[known, self.against[known]] = True
        return found

    @cached_property
    def dealt_in(self) -> Bools:
        """(n, places) who gets three cards; nobody where no player-dealer is known or nobody bet."""
        some = self.betting.any(axis=1) & (self.against > 0)
        return np.asarray((self.betting | self.is_against) & some[:, None])

    @cached_property
    def folded(self) -> Bools:
        """(n, places) hands nobody plays, whether or not a device said so."""
        return np.asarray(self.betting & ~self.in_play)

    @cached_property
    def live(self) -> Bools:
        """(n, places) a wager on a folded hand is still to be settled by its cards."""
        return np.asarray(self.live_side & ~self.voided)

    @cached_property
    def out_of_play_seq(self) -> Ints:
        """(n, places) when a hand went out of play in a way no section says when to collect it for; NEVER where not."""
        return np.where(self.wagered, self.voided_seq, self.withdrawn_seq)

    @cached_property
    def out_of_play(self) -> Bools:
        return np.asarray((self.out_of_play_seq != NEVER) & self.dealt_in & ~self.is_against)


def seats_of(batch: RoundBatch, terms: Terms) -> Seats:
    law, rows, width = terms.law, len(batch), terms.places
    wagers = resolve_wagers(batch, closing_wagers=[law.ante, *(side.name for side in law.sides)])
    at = np.where((wagers.seat >= 1) & (wagers.seat < width), wagers.seat, 0).astype(np.int64)
    kind = _kinds(batch, wagers, terms)
    shape = (rows, width)

    def places(mask: Bools) -> Bools:
        found = np.zeros(shape, bool)
        found[wagers.row[mask], at[mask]] = True
        found[:, 0] = False
        return found

    who, number = _bettors(wagers, at, len(batch.names))
    folds = _folds(batch, width)
    folded_at = np.full(number, NEVER, np.int64)
    of_fold = _bettor_codes(folds.row, folds.seat, folds.bettor, len(batch.names))
    known = np.isin(of_fold, who.codes)
    np.minimum.at(folded_at, np.searchsorted(who.codes, of_fold[known]), folds.seq[known])
    placed_at = np.full(number, NEVER, np.int64)
    of_play = kind == PLAY
    np.minimum.at(placed_at, who.of[of_play], wagers.placed_seq[of_play])
    has_ante = np.zeros(number, bool)
    has_ante[who.of[kind == ANTE]] = True
    folded_first = folded_at < placed_at
    plays = has_ante & ((placed_at != NEVER) | _play_settled(batch, terms, who, width)) & ~folded_first
    wagered = places(np.ones(len(wagers), bool))
    survives = np.isin(kind, [side_kind(at) for at, side in enumerate(terms.sides) if side.law.forfeited is None])
    all_void, voided_seq = _voids(batch, shape)
    seated = wagers.bettor == 0
    return Seats(
        terms,
        wagers,
        kind,
        at,
        has_ante[who.of],
        plays[who.of],
        (folded_first & (folded_at != NEVER))[who.of],
        _against(batch, terms),
        _seated_first(folds.row, folds.seat, folds.seq, folds.bettor == 0, shape),
        _seated_first(wagers.row, at, wagers.placed_seq, seated & of_play, shape),
        wagered,
        places(plays[who.of] & (kind == ANTE)),
        places(survives),
        voided_seq,
        _withdrawn(wagers, wagered),
        all_void,
    )


def _kinds(batch: RoundBatch, wagers: Wagers, terms: Terms) -> Bytes:
    of_name = np.full(len(batch.names) + 1, OTHER, np.uint8)
    named = [(terms.law.ante, ANTE), (terms.law.play.name, PLAY)]
    named += [(side.name, side_kind(number)) for number, side in enumerate(terms.sides)]
    for name, kind in named:
        known = batch.name_id(name)
        if known >= 0:
            of_name[known] = kind
    kind_of = of_name[wagers.wager]
    kind_of[wagers.hand != 0] = OTHER  # one hand each
    return kind_of


@dataclass(frozen=True)
class _Bettors:
    codes: Ints  # of everybody with a wager, in order
    of: Ints  # of each wager, into these


def _bettor_codes(row: Ints, seat: Ints, bettor: Ints, names: int) -> Ints:
    return np.asarray((row.astype(np.int64) * 256 + seat) * (names + 1) + bettor)


def _bettors(wagers: Wagers, at: Ints, names: int) -> tuple[_Bettors, int]:
    codes, of = np.unique(_bettor_codes(wagers.row, at, wagers.bettor, names), return_inverse=True)
    return _Bettors(codes, of.reshape(-1)), len(codes)


def _folds(batch: RoundBatch, width: int) -> Facts:
    acted = batch.facts.of(Fact.ACTION)
    return acted.where((acted.code == ACTION_CODE[Action.FOLD]) & (acted.seat >= 1) & (acted.seat < width))


def _play_settled(batch: RoundBatch, terms: Terms, who: _Bettors, width: int) -> Bools:
    """Of each bettor, whether a play wager was settled: then it was made, though a device may have missed it, and who
    has no fold reported has not folded."""
    settled = batch.facts.of(Fact.SETTLED)
    play = batch.name_id(terms.law.play.name)
    settled = settled.where((settled.wager == play) & (play >= 0) & (settled.seat >= 1) & (settled.seat < width))
    return np.isin(who.codes, _bettor_codes(settled.row, settled.seat, settled.bettor, len(batch.names)))


def _seated_first(row: Ints, seat: Ints, seq: Ints, mask: Bools, shape: tuple[int, int]) -> Ints:
    found = np.full(shape, NEVER, np.int64)
    np.minimum.at(found, (row[mask], seat[mask].astype(np.int64)), seq[mask])
    found[:, 0] = NEVER
    return found


def _against(batch: RoundBatch, terms: Terms) -> Ints:
    bank = batch.bank_seat.astype(np.int64)
    return np.where((bank >= 1) & (bank < terms.places), bank, 0)


def _voids(batch: RoundBatch, shape: tuple[int, int]) -> tuple[Bools, Ints]:
    voids = batch.facts.of(Fact.VOIDED)
    all_void, said = np.zeros(shape[0], bool), np.zeros(shape[0], bool)
    all_void[voids.row[voids.seat == 0]] = said[voids.row] = True
    all_void |= batch.has(RoundFlag.VOIDED) & ~said
    acted = batch.facts.of(Fact.ACTION)
    seq = np.full(shape, NEVER, np.int64)
    for facts in (voids, acted.where(acted.code == ACTION_CODE[Action.VOID_HAND])):
        own = facts.where((facts.seat >= 1) & (facts.seat < shape[1]))
        np.minimum.at(seq, (own.row, own.seat.astype(np.int64)), own.seq)
    return all_void, seq


def _withdrawn(wagers: Wagers, wagered: Bools) -> Ints:
    seq = np.full(wagered.shape, NEVER, np.int64)
    for late in wagers.late_events:
        if 1 <= late.seat < wagered.shape[1] and late.what == "withdrawn" and not wagered[late.row, late.seat]:
            seq[late.row, late.seat] = late.seq
    return seq
