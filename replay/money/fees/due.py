"""What each payer owes by the schedule in use: a fee is looked up in its bands, never computed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from replay.citations import Citation
from replay.filing import FeeBand, FeePart, FeeSchedule
from replay.lines import USUAL, Cents, Lines, join_lines, make_lines
from replay.money.fees.moments import stands, window
from replay.money.fees.stakes import Stakes
from replay.money.people import People, people_of
from replay.rounds import PAYER_CODE, UNKNOWN, Array, Fact, Ints, RoundBatch
from schemas.events import Payer
from schemas.money import dollars


def fee(part: FeePart, amount: Cents) -> Cents:
    """Each amount's fee: the last band whose floor it reaches (rulings.md R-32), none below the lowest (R-43)."""
    rates = np.array([0, *(band.fee for band in part.bands)], dtype=np.int64)
    return rates[_band(part, amount) + 1]


def _band(part: FeePart, amount: Cents) -> Ints:
    """The number of the band each amount falls into, -1 below the lowest."""
    floors = np.array([band.begins for band in part.bands], dtype=np.int64)
    return np.searchsorted(floors, amount, side="right") - 1


def rates_filed(schedules: Mapping[str, FeeSchedule]) -> dict[int, frozenset[int]]:
    """Every rate there is in any of them, in cents, by who pays (`rounds.PAYER_CODE`)."""
    return {
        code: frozenset(rate for schedule in schedules.values() for rate in schedule.rates_of(str(payer)))
        for payer, code in PAYER_CODE.items()
    }


_BASES = {
    "total_table_action": "a total table action",
    "own_wagers": "wagers of one player",
    "betting_spot": "wagers on one betting spot",
    "betting_square": "wagers in one square",
    "base_wager": "a base wager",
}
_PAYERS = {"pot": "the pot", "player": "the player", "player_dealer": "the player-dealer"}


def rows_in_words(part: FeePart) -> list[Citation]:
    """The part's citation for each band, with the row of the printed table in words."""
    made = []
    for at, (band, above) in enumerate(zip(part.bands, [*part.bands[1:], None], strict=True)):
        counted = (
            f"on {_BASES[part.basis]} of {_sums(band, above)}" if band.players is None else _heads(at, band, above)
        )
        made.append(part.cite.with_row(f"{counted} {_PAYERS[part.payer]} pays {dollars(band.fee)}"))
    return made


def _sums(band: FeeBand, above: FeeBand | None) -> str:
    return f"{dollars(band.begins)} {'or more' if above is None else f'to {dollars(above.begins - 1)}'}"


def _heads(at: int, band: FeeBand, above: FeeBand | None) -> str:
    if above is None:
        return f"with {band.begins} players or more dealt in"
    most = above.begins - 1
    if at == 0:
        return f"with {most} players or fewer dealt in"
    return f"with {band.begins} {'' if most == band.begins else f'to {most} '}players dealt in"


def fee_lines(
    batch: RoundBatch,
    schedule: FeeSchedule,
    stakes: Stakes,
    box: str,
    base_wagers: Sequence[str] = (),
    dealt_in: Ints | None = None,
    placed: Ints | None = None,
) -> Lines:
    """Every fee due in the batch, one line a payer.

    `stakes` are the wagers that count, as far as a part does not name its own; `base_wagers` names those a
    `base_wager` part is counted on where it names none; `dealt_in` is how many players each round dealt in, for a fee
    by their number; `placed` when the last wager stood that is played on the cards, for a fee taken after that.
    """
    earliest, latest = window(batch, schedule, placed)
    drop_box = batch.name_id(box)
    parts = []
    for part in schedule.parts:
        payers, amount = _counted(part, batch, stakes, base_wagers, dealt_in)
        due = fee(part, amount)
        owing = due > 0
        payers = {name: column[owing] for name, column in payers.items()}
        row = payers["row"]
        parts.append(
            make_lines(
                len(row),
                rows_in_words(part),
                (USUAL,),
                **payers,
                kind=Fact.COLLECTION,
                choice=drop_box,
                payer=PAYER_CODE[Payer(part.payer)],
                stake=0 if part.basis == "players_dealt_in" else amount[owing],  # heads are no money
                paid=due[owing],
                cite=_band(part, amount[owing]),
                earliest=earliest[row],
                latest=latest[row],
                stands=stands(batch, part, payers),
            )
        )
    return join_lines(parts)


def _counted(
    part: FeePart, batch: RoundBatch, stakes: Stakes, base_wagers: Sequence[str], dealt_in: Ints | None
) -> tuple[dict[str, Array], Cents]:
    """Who may owe this part of a fee, and the amount it is counted on."""
    if part.wagers is not None or part.basis == "base_wager":
        named = base_wagers if part.wagers is None else part.wagers
        stakes = stakes.where(np.isin(stakes.wager, [batch.name_id(name) for name in named]))
    match part.basis:
        case "total_table_action":
            total = np.zeros(len(batch), dtype=np.int64)
            np.add.at(total, stakes.row, stakes.amount)
            seat = _player_dealers(batch)
            row = np.flatnonzero(seat >= 0)  # with no player-dealer known there is nobody to ask
            return {"row": row, "seat": seat[row]}, total[row]
        case "own_wagers":
            return _by_person(stakes, people_of(batch))
        case "base_wager":
            return _summed(stakes, ("row", "seat", "bettor"))
        case "betting_spot":
            payers, amount = _summed(stakes, ("row", "seat", "bettor", "wager", "choice", "hand"))
            del payers["choice"]  # of a fee, `choice` is the drop box
            return payers, amount
        case "betting_square":
            return _by_square(batch, stakes)
        case "players_dealt_in":
            if dealt_in is None:
                raise ValueError("a fee by the number of players dealt in needs that number, a round")
            return {"row": np.arange(len(batch))}, dealt_in.astype(np.int64)


def _player_dealers(batch: RoundBatch) -> Array:
    """The player-dealer's seat, a round; -1 where nobody is known to be one.

    Where no device saw the bank accepted, a fee reported as taken from the player-dealer still says who that is. Of
    that report nothing but the seat is looked at: without it the round would owe no fee, and taking one be a fault.
    """
    seat = np.where(batch.bank_seat > 0, batch.bank_seat, UNKNOWN).astype(np.int64)
    taken = batch.facts.of(Fact.COLLECTION)
    named = np.flatnonzero((taken.code == PAYER_CODE[Payer.PLAYER_DEALER]) & (batch.bank_seat[taken.row] <= 0))[::-1]
    seat[taken.row[named]] = taken.seat[named]  # backwards, so that the first report stays
    return seat


def _by_person(stakes: Stakes, people: People) -> tuple[dict[str, Array], Cents]:
    """Stakes added up over all a person's areas (rulings.md R-52), each under the first of them."""
    person = people.number(stakes.row, stakes.seat, stakes.bettor)
    order = np.lexsort((stakes.bettor, stakes.seat, person, stakes.row))
    row, person, amount = stakes.row[order], person[order], stakes.amount[order]
    first = np.ones(len(order), dtype=bool)
    first[1:] = (row[1:] != row[:-1]) | (person[1:] != person[:-1])
    starts = np.flatnonzero(first)
    total = np.add.reduceat(amount, starts) if len(starts) else np.zeros(0, dtype=np.int64)
    columns = {"row": row[starts], "seat": stakes.seat[order][starts], "bettor": stakes.bettor[order][starts]}
    listed = np.lexsort((columns["bettor"], columns["seat"], columns["row"]))
    return {name: column[listed] for name, column in columns.items()}, total[listed]


def _by_square(batch: RoundBatch, stakes: Stakes) -> tuple[dict[str, Array], Cents]:
    """Stakes added up over everybody who bets in a square: one fee, which one of them hands over.

    Whose money it was nobody's rule says. So it is charged to the one of them a fee is reported of, square by square,
    and to the first to bet there where none is.
    """
    payers, amount = _summed(stakes, ("row", "seat", "wager", "choice", "hand"))
    bettors: dict[tuple[int, ...], list[int]] = {}
    keys = zip(*(getattr(stakes, name).tolist() for name in ("row", "seat", "wager", "choice", "hand")), strict=True)
    for key, bettor in zip(keys, stakes.bettor.tolist(), strict=True):
        bettors.setdefault(key, []).append(bettor)
    taken = batch.facts.of(Fact.COLLECTION)
    reported = Counter(zip(taken.row.tolist(), taken.seat.tolist(), taken.bettor.tolist(), strict=True))
    charged = []
    for key in zip(*(column.tolist() for column in payers.values()), strict=True):
        there = bettors[key]
        paying = next((one for one in there if reported[(*key[:2], one)] > 0), there[0])
        reported[(*key[:2], paying)] -= 1
        charged.append(paying)
    del payers["choice"]  # of a fee, `choice` is the drop box
    return payers | {"bettor": np.array(charged, dtype=np.int32)}, amount


def _summed(stakes: Stakes, by: tuple[str, ...]) -> tuple[dict[str, Array], Cents]:
    """Stakes added up over everything but `by`, in the order of those columns."""
    columns = [getattr(stakes, name) for name in by]
    order = np.lexsort(columns[::-1])
    ordered = [column[order] for column in columns]
    first = np.ones(len(order), dtype=bool)
    if len(order):
        first[1:] = np.any([column[1:] != column[:-1] for column in ordered], axis=0)
    starts = np.flatnonzero(first)
    total = np.add.reduceat(stakes.amount[order], starts) if len(starts) else np.zeros(0, dtype=np.int64)
    return {name: column[starts] for name, column in zip(by, ordered, strict=True)}, total
