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
from replay.rounds import GAME_START, UNKNOWN, Fact, RoundBatch, RoundFlag
from schemas.findings import Basis

Bools = npt.NDArray[np.bool_]


def offered_out_of_turn(
    batch: RoundBatch, banked: Bools, wagers: Wagers, places: int, cite: Citation
) -> Iterator[Remark]:
    """BANK-806, once a round, of the bank that players are offered; `banked` (n,) rounds that one of them has."""
    offers = batch.facts.of(Fact.BANK_OFFERED)
    may_bank = batch.facts.of(Fact.MAY_BANK)
    for row in np.unique(offers.row).tolist():
        if batch.flags[row] & RoundFlag.GAP:
            continue  # another offer may be among what is missing
        own = offers.row == row
        seats = offers.seat[own].tolist()
        may = set(may_bank.seat[may_bank.row == row].tolist()) & {*wagers.seat[wagers.row == row].tolist(), *seats}
        first = seats[0]
        before = _first_before(batch, row, "bank")
        passed = [] if before is None else passed_over(before, first, may, places)
        astray = out_of_order(seats, places)
        if passed:
            what = f"the bank was first offered to seat {first}, {_after(before)}, and {_seats(passed)} passed over"
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
    new_cards = (batch.deck_age_s != UNKNOWN) & (batch.deck_age_s < batch.since_previous_s)
    for row, cutter, seq in zip(cuts.row.tolist(), cuts.seat.tolist(), cuts.seq.tolist(), strict=True):
        if batch.flags[row] & RoundFlag.GAP:
            continue
        seats = offered.seat[(offered.row == row) & (offered.seq == seq)].tolist()
        playing = {*wagers.seat[wagers.row == row].tolist()} | ({int(batch.bank_seat[row])} if banked[row] else set())
        what = _cut_wrong(batch, row, cutter, seats, playing, bool(banked[row]), bool(new_cards[row]), places)
        if what:
            yield Remark(row, "EQUIP-955", what, cite, evidence=(seq,), basis=Basis.REPORTS)


def _cut_wrong(
    batch: RoundBatch,
    row: int,
    cutter: int,
    seats: Sequence[int],
    playing: Collection[int],
    banked: bool,
    new_cards: bool,
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
    before = _first_before(batch, row, "cut")
    if before is None or new_cards or batch.previous_button[row] == GAME_START:
        return ""
    passed = passed_over(before, seats[0], playing, places)
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


def _first_before(batch: RoundBatch, row: int, what: str) -> int | None:
    facts = batch.facts
    found = facts.seat[(facts.row == row) & (facts.kind == Fact.FIRST_OFFERED) & (facts.wager == batch.name_id(what))]
    return int(found[0]) if len(found) else None


def _seats(seats: Sequence[int]) -> str:
    return f"{'seat' if len(seats) == 1 else 'seats'} {listed([str(seat) for seat in seats])}"


def _after(before: int | None) -> str:
    return f"after seat {before} the time before" if before else "and it begins on the dealer's right"
