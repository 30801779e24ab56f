"""When a fee may be taken: the moment its schedule prints, and not before the wagers it is counted on stand."""

from __future__ import annotations

import numpy as np

from replay.filing import FeePart, FeeSchedule
from replay.game import FeeMoment
from replay.keys import coded, last_of
from replay.money.people import people_of
from replay.rounds import DEALT_TO, UNKNOWN, Array, Fact, Ints, RoundBatch

_SET_ASIDE = np.array([to in ("burn", "stub") for to in DEALT_TO])


_IN_WORDS = {
    "before_deal": ("", "cards were dealt"),
    "after_first_card": ("the first card", ""),
    "after_final_hand": ("the final hand was distributed", ""),
    "after_play_wagers": ("the wagers that count were placed", "the player-dealer's cards were exposed"),
}


def moment_filed(schedule: FeeSchedule) -> FeeMoment:
    """When its fees are taken, for people."""
    return FeeMoment(*_IN_WORDS[schedule.moment], schedule.moment_cite)


def deal_begun(batch: RoundBatch) -> Ints:
    """The event by which the deal is known to have begun, a round; -1 where no device reported it.

    A card burned first is not dealt to anybody, and it may have been burned before the betting: where one is reported
    first, only the last card reported shows that the deal is under way.
    """
    counts = batch.dealt.counts
    set_aside = _SET_ASIDE[batch.dealt_to.values]
    burned_first = np.zeros(len(batch), dtype=bool)
    burned_first[counts > 0] = set_aside[batch.dealt_to.offsets[:-1][counts > 0]]
    in_play = np.bincount(batch.dealt_to.rows[~set_aside], minlength=len(batch)) > 0
    begun = np.where(burned_first, batch.last_card_seq, batch.first_card_seq).astype(np.int64)
    return np.where(in_play, begun, UNKNOWN)


def window(batch: RoundBatch, schedule: FeeSchedule, placed: Ints | None = None) -> tuple[Ints, Ints]:
    """Between which events (sequence numbers) of a round the schedule's fees must be taken; -1 where there is no limit.

    A moment nobody's device reported cannot be missed: then the nearest one known stands for it, on the payer's side.
    So before the deal is before the first card reported or, with no shoe that reads, before a card is in the rack
    (between "No more bets" and the deal there is time to collect); after the first card is after that card reported
    by itself, and after the close of betting where it was not. `placed` is when the last wager stood that is played
    on the cards; unless given, the last one of any kind.
    """
    closed = batch.bets_closed_seq.astype(np.int64)
    dealt = batch.dealt.counts > 0
    no_limit = np.full(len(batch), UNKNOWN, dtype=np.int64)
    match schedule.moment:
        case "before_deal":
            begun = deal_begun(batch)
            return no_limit, np.where(begun >= 0, begun, batch.rack_first_seq)
        case "after_first_card":  # an earliest moment; the latest is the end of the round
            # A report of several cards comes after the last of them: the first one left the shoe after the close.
            by_itself = dealt & (batch.first_card_count == 1)
            return np.where(by_itself, batch.first_card_seq, closed), no_limit
        case "after_final_hand":
            at_once = (batch.first_card_seq == batch.last_card_seq) & (batch.first_card_count != 1)
            return np.where(dealt & ~at_once, batch.last_card_seq, closed), no_limit
        case "after_play_wagers":  # "and before the player-dealer's down cards are exposed"
            last = _last_wager(batch) if placed is None else placed
            shown = batch.shown.place == batch.bank_seat[batch.shown.row]
            shown &= batch.shown.count > 1  # one of them lies face up from the deal on
            exposed = np.full(len(batch), np.iinfo(np.int64).max)
            np.minimum.at(exposed, batch.shown.row[shown], batch.shown.seq[shown])
            return last, np.where(exposed == np.iinfo(np.int64).max, UNKNOWN, exposed)


def _last_wager(batch: RoundBatch) -> Ints:
    facts = batch.facts.of(Fact.WAGER_PLACED, Fact.WAGER_CHANGED)
    last = np.full(len(batch), UNKNOWN, dtype=np.int64)
    np.maximum.at(last, facts.row, facts.seq)
    return last


def stands(batch: RoundBatch, part: FeePart, payers: dict[str, Array]) -> Ints:
    """The last event, while betting was open, that changed what each fee is counted on (rulings.md R-53). Where no
    device reported the close, betting was open until the deal began; where none reported that, nobody can say."""
    facts = batch.facts.of(Fact.WAGER_PLACED, Fact.WAGER_CHANGED, Fact.WAGER_WITHDRAWN)
    closed = batch.bets_closed_seq.astype(np.int64)
    facts = facts.where(facts.seq < np.where(closed >= 0, closed, deal_begun(batch))[facts.row])
    if part.basis in ("total_table_action", "players_dealt_in"):
        last = np.full(len(batch), UNKNOWN, dtype=np.int64)
        np.maximum.at(last, facts.row, facts.seq)
        return last[payers["row"]]
    row, seat, bettor = payers["row"], payers["seat"], payers["bettor"]
    if part.basis == "own_wagers":
        people = people_of(batch)
        pays, did = people.number(row, seat, bettor), people.number(facts.row, facts.seat, facts.bettor)
        mine, happened = coded((row, facts.row), (pays, did))
    elif part.basis == "betting_square":
        mine, happened = coded((row, facts.row), (seat, facts.seat), (payers["wager"], facts.wager))
    else:
        mine, happened = coded((row, facts.row), (seat, facts.seat), (bettor, facts.bettor))
    return last_of(mine, happened, facts.seq, UNKNOWN)
