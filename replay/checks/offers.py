"""Whose turn it was to be offered the bank, and the cut: BANK-806 and EQUIP-955.

Both go round the table counterclockwise, from round to round and within one. Only a device that sees the offers tells
of them; a player is passed over only where it is certain that one sat there: with a wager in the round, or asked later.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import numpy as np
import numpy.typing as npt

from replay.citations import Citation
from replay.money.wagers import Wagers
from replay.naming import listed
from replay.remarks import Remark
from replay.rounds import GAME_START, UNKNOWN, Fact, Facts, Ints, RoundBatch, RoundFlag
from schemas.findings import Basis

Bools = npt.NDArray[np.bool_]


def offered_out_of_turn(
    batch: RoundBatch, banked: Bools, wagers: Wagers, places: int, cite: Citation
) -> Iterator[Remark]:
    """BANK-806, once a round, of the bank that players are offered; `banked` (n,) rounds that one of them has."""
    offers = batch.facts.of(Fact.BANK_OFFERED)
    if not len(offers):
        return
    may_bank = batch.facts.of(Fact.MAY_BANK)
    players = _at_places(batch, places, may_bank) & (
        _at_places(batch, places, wagers) | _at_places(batch, places, offers)
    )
    before = _asked_before(batch, "bank")
    doubtful = _not_in_turn(batch, offers, players, before, places)
    to_bank = _any_of(batch, offers, offers.seat == batch.bank_seat[offers.row])
    doubtful |= banked & ~to_bank & _any_of(batch, offers)
    for row in np.flatnonzero(doubtful & ~batch.has(RoundFlag.GAP)).tolist():  # another offer may be what is missing
        own = offers.row == row
        seats = offers.seat[own].tolist()
        may = set(may_bank.seat[may_bank.row == row].tolist()) & {*wagers.seat[wagers.row == row].tolist(), *seats}
        first = seats[0]
        passed = [] if before[row] == UNKNOWN else passed_over(int(before[row]), first, may, places)
        astray = out_of_order(seats, places)
        if passed:
            since = _after(int(before[row]))
            what = f"the bank was first offered to seat {first}, {since}, and {_seats(passed)} passed over"
        elif astray is not None:
            what = f"the bank was offered to seat {astray} after seat {seats[seats.index(astray) - 1]}"
            what += f", and to seat {first} first; offers go counterclockwise round the table"
        elif banked[row] and int(batch.bank_seat[row]) not in seats:
            what = f"seat {batch.bank_seat[row]} took the bank, which was offered to {_seats(seats)} only"
        else:
            continue
        evidence = tuple(offers.seq[own].tolist())
        yield Remark(row, "BANK-806", what, cite, seat=first, evidence=evidence, basis=Basis.REPORTS)


def cut_out_of_turn(batch: RoundBatch, banked: Bools, wagers: Wagers, places: int, cite: Citation) -> Iterator[Remark]:
    """EQUIP-955, once a round. In the first round of a game the first player to the table is asked, whoever that is."""
    cuts, offered = batch.facts.of(Fact.CUT), batch.facts.of(Fact.CUT_OFFERED)
    if not len(cuts):
        return
    new_cards = (batch.deck_age_s != UNKNOWN) & (batch.deck_age_s < batch.since_previous_s)
    no_turn = banked | new_cards | (batch.previous_button == GAME_START)
    before = np.where(no_turn, UNKNOWN, _asked_before(batch, "cut"))
    doubtful = _cuts_doubtful(batch, cuts, offered, banked, before, wagers, places) & ~batch.has(RoundFlag.GAP)
    cuts = cuts.where(doubtful[cuts.row])
    for row, cutter, seq in zip(cuts.row.tolist(), cuts.seat.tolist(), cuts.seq.tolist(), strict=True):
        seats = offered.seat[(offered.row == row) & (offered.seq == seq)].tolist()
        playing = {*wagers.seat[wagers.row == row].tolist()} | ({int(batch.bank_seat[row])} if banked[row] else set())
        what = _cut_wrong(batch, row, cutter, seats, playing, bool(banked[row]), int(before[row]), places)
        if what:
            yield Remark(row, "EQUIP-955", what, cite, evidence=(seq,), basis=Basis.REPORTS)


def _cuts_doubtful(
    batch: RoundBatch, cuts: Facts, offered: Facts, banked: Bools, before: Ints, wagers: Wagers, places: int
) -> Bools:
    """(n,) rounds whose cut is looked at by itself: nothing can be wrong with any other."""
    seq, cutter = (np.full(len(batch), UNKNOWN, np.int64) for _ in range(2))
    seq[cuts.row], cutter[cuts.row] = cuts.seq, cuts.seat
    asked = offered.where(offered.seq == seq[offered.row])
    anybody, the_cutter = _any_of(batch, asked), _any_of(batch, asked, asked.seat == cutter[asked.row])
    never = _at_places(batch, places, wagers) & ~_at_places(batch, places, asked)
    bank_not_asked = banked & ~_any_of(batch, asked, asked.seat == batch.bank_seat[asked.row])
    return np.asarray(
        (np.bincount(cuts.row, minlength=len(batch)) > 1)
        | _any_of(batch, wagers, (wagers.seat < 0) | (wagers.seat >= places))
        | ((cutter == 0) & (never.any(axis=1) | bank_not_asked))
        | ((cutter != 0) & anybody & ~the_cutter)
        | (banked & anybody & (_first_of(batch, asked) != batch.bank_seat))
        | _not_in_turn(batch, asked, _at_places(batch, places, wagers), before, places)
    )


def _not_in_turn(batch: RoundBatch, asked: Facts, players: Bools, before: Ints, places: int) -> Bools:
    """(n,) where somebody is asked out of turn, or players (n, places) are passed over since whoever was asked first
    `before` (n,): `out_of_order` and `passed_over`, as columns."""
    first = _first_of(batch, asked)
    steps = (asked.seat - first[asked.row]) % places
    found = np.zeros(len(batch), bool)
    found[asked.row[1:][(np.diff(asked.row) == 0) & (np.diff(steps) <= 0)]] = True
    reach = (first - before) % places
    beyond = (np.arange(places) - before[:, None]) % places
    passed = players & (beyond > 0) & (beyond < np.where(reach == 0, places, reach)[:, None])
    return np.asarray(found | ((first != UNKNOWN) & (before != UNKNOWN) & passed.any(axis=1)))


def _at_places(batch: RoundBatch, places: int, some: Facts | Wagers) -> Bools:
    """(n, places) where one of these is, round the table."""
    found = np.zeros((len(batch), places), bool)
    found[some.row, some.seat % places] = True
    return found


def _any_of(batch: RoundBatch, some: Facts | Wagers, mask: Bools | slice = slice(None)) -> Bools:
    """(n,) rounds with one of these for which `mask` is so."""
    found = np.zeros(len(batch), bool)
    found[some.row[mask]] = True
    return found


def _first_of(batch: RoundBatch, asked: Facts) -> Ints:
    """(n,) the seat asked first; UNKNOWN where none is."""
    first = np.full(len(batch), UNKNOWN, np.int64)
    first[asked.row[::-1]] = asked.seat[::-1]
    return first


def _asked_before(batch: RoundBatch, what: str) -> Ints:
    """(n,) who was asked first the time before (0: the dealer); UNKNOWN where nothing says."""
    found = batch.facts.of(Fact.FIRST_OFFERED)
    return _first_of(batch, found.where(found.wager == batch.name_id(what)))


def _cut_wrong(
    batch: RoundBatch,
    row: int,
    cutter: int,
    seats: Sequence[int],
    playing: Collection[int],
    banked: bool,
    before: int,
    places: int,
) -> str:
    """What was wrong with an offer of the cut to these seats; empty if nothing was."""
    bank, never = int(batch.bank_seat[row]), sorted(set(playing) - set(seats))
    if cutter == 0 and never:
        return f"the dealer cut the cards, and the cut was not offered to {_seats(never)}"
    if not seats:
        return ""
    if cutter and cutter not in seats:
        return f"seat {cutter} cut the cards, and the cut was offered to {_seats(seats)} only"
    astray = out_of_order(seats, places)
    if astray is not None:
        return f"the cut was offered to seat {astray} out of turn: offers go counterclockwise round the table"
    if banked:
        return "" if seats[0] == bank else f"the cut was first offered to seat {seats[0]}, and seat {bank} has the bank"
    passed = [] if before == UNKNOWN else passed_over(before, seats[0], playing, places)
    if not passed:
        return ""
    return f"the cut was first offered to seat {seats[0]}, {_after(before)}, and {_seats(passed)} passed over"


def passed_over(before: int, first: int, players: Collection[int], places: int) -> list[int]:
    """The players who sit counterclockwise between who was first asked `before` (0: the dealer) and who is now."""
    reach = (first - before) % places or places
    return sorted(seat for seat in players if 0 < (seat - before) % places < reach)


def out_of_order(seats: Sequence[int], places: int) -> int | None:
    """The first seat that is asked out of turn, once round the table counterclockwise from the first."""
    steps = [(seat - seats[0]) % places for seat in seats]
    return next((seats[at] for at in range(1, len(steps)) if steps[at] <= steps[at - 1]), None)


def _seats(seats: Sequence[int]) -> str:
    return f"{'seat' if len(seats) == 1 else 'seats'} {listed([str(seat) for seat in seats])}"


def _after(before: int) -> str:
    return f"after seat {before} the time before" if before else "and it begins on the dealer's right"
