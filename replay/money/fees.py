"""Collection fees: what each payer owes by the schedule in use, and when it may be taken. Serves every game with fees.

A schedule (`fees/*.yaml` of a pack) has parts; a part says who pays, what the fee is reckoned on (its *basis*) and the
bands. "Rates may not be calculated as a fraction or percentage of wagers made or winnings earned": a fee is looked up,
never computed. What counts towards a basis is the pack's to say, by the stakes it hands over.

Limits printed with a schedule are in its `limits`: wager → [lowest, highest]. Where the text prints a range to file the
table's limits in, `table_minimum` and `table_maximum` hold that range.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields

import numpy as np

from replay.citations import Citation
from replay.filing import FeePart, FeeSchedule
from replay.keys import coded, last_of
from replay.lines import USUAL, Cents, Lines, join_lines, make_lines
from replay.money.people import People, people_of
from replay.money.wagers import Wagers
from replay.rounds import DEALT_TO, PAYER_CODE, UNKNOWN, Array, Fact, Ints, RoundBatch
from schemas.events import Payer
from schemas.money import dollars

TABLE_MINIMUM, TABLE_MAXIMUM = "table_minimum", "table_maximum"
_SET_ASIDE = np.array([to in ("burn", "stub") for to in DEALT_TO])


@dataclass(frozen=True)
class Stakes:
    """What fees are reckoned on: parallel columns, one row a wager."""

    row: Ints
    seat: Array
    bettor: Array
    wager: Array
    choice: Array
    hand: Array
    amount: Cents

    def where(self, mask: Array) -> Stakes:
        return Stakes(**{column.name: getattr(self, column.name)[mask] for column in fields(self)})


def stakes_when_closed(wagers: Wagers) -> Stakes:
    """The wagers as they stood when betting closed: what is done to one afterwards moves no fee to another tier."""
    first: dict[tuple[int, int, int, int], int] = {}  # what a wager withdrawn late had been
    withdrawn: list[tuple[int, int, int, int]] = []
    for event in wagers.late_events:  # in the order they happened
        key = (event.row, event.seat, event.bettor, event.wager)
        first.setdefault(key, event.amount_before)
        if event.what == "withdrawn" and key not in withdrawn:
            withdrawn.append(key)
    gone = np.array(withdrawn, dtype=np.int64).reshape(-1, 4)
    unsaid = np.zeros(len(gone), dtype=np.int64)
    return Stakes(
        row=np.concatenate([wagers.row, gone[:, 0]]),
        seat=np.concatenate([wagers.seat, gone[:, 1]]),
        bettor=np.concatenate([wagers.bettor, gone[:, 2]]),
        wager=np.concatenate([wagers.wager, gone[:, 3]]),
        choice=np.concatenate([wagers.choice, unsaid]),
        hand=np.concatenate([wagers.hand, unsaid]),
        amount=np.concatenate([wagers.amount_on_time, np.array([first[key] for key in withdrawn], dtype=np.int64)]),
    )


def fee(part: FeePart, amount: Cents) -> Cents:
    """Each amount's fee: the last band whose floor it reaches (rulings.md R-32), none below the lowest (R-43)."""
    rates = np.array([0, *(band.fee for band in part.bands)], dtype=np.int64)
    return rates[_band(part, amount) + 1]


def _band(part: FeePart, amount: Cents) -> Ints:
    """The number of the band each amount falls into, -1 below the lowest."""
    floors = np.array([band.floor for band in part.bands], dtype=np.int64)
    return np.searchsorted(floors, amount, side="right") - 1


_BASES = {
    "total_table_action": "a total table action",
    "own_wagers": "wagers of one player",
    "betting_spot": "wagers on one betting spot",
    "base_wager": "a base wager",
}


def rows_in_words(part: FeePart) -> list[Citation]:
    """The part's citation for each band, with the row of the printed table in words."""
    if part.basis not in _BASES:  # by heads and not by dollars
        return [part.cite] * len(part.bands)
    payer = {"pot": "the pot", "player": "the player", "player_dealer": "the player-dealer"}[part.payer]
    made = []
    for band, above in zip(part.bands, [*part.bands[1:], None], strict=True):
        up_to = "or more" if above is None else f"to {dollars(above.floor - 1)}"
        amount = f"{_BASES[part.basis]} of {dollars(band.floor)} {up_to}"
        made.append(part.cite.with_row(f"on {amount} {payer} pays {dollars(band.fee)}"))
    return made


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


def window(batch: RoundBatch, schedule: FeeSchedule) -> tuple[Ints, Ints]:
    """Between which events (sequence numbers) of a round the schedule's fees must be taken; -1 where there is no limit.

    A moment nobody's device reported cannot be missed: then the nearest one known stands for it, on the payer's side.
    So before the deal is before the first card reported or, with no shoe that reads, before a card is in the rack
    (between "No more bets" and the deal there is time to collect); after the first card is after that card reported
    by itself, and after the close of betting where it was not.
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
            placed = batch.facts.of(Fact.WAGER_PLACED, Fact.WAGER_CHANGED)
            last_wager = no_limit.copy()
            np.maximum.at(last_wager, placed.row, placed.seq)
            shown = batch.shown.place == batch.bank_seat[batch.shown.row]
            exposed = np.full(len(batch), np.iinfo(np.int64).max)
            np.minimum.at(exposed, batch.shown.row[shown], batch.shown.seq[shown])
            return last_wager, np.where(exposed == np.iinfo(np.int64).max, UNKNOWN, exposed)


def fee_lines(
    batch: RoundBatch,
    schedule: FeeSchedule,
    stakes: Stakes,
    box: str,
    base_wagers: Sequence[str] = (),
    dealt_in: Ints | None = None,
) -> Lines:
    """Every fee due in the batch, one line a payer.

    `stakes` are the wagers that count; `base_wagers` names those a `base_wager` part is reckoned on; `dealt_in` is how
    many players each round dealt in, for a fee that comes out of a poker pot.
    """
    earliest, latest = window(batch, schedule)
    drop_box = batch.name_id(box)
    parts = []
    for part in schedule.parts:
        payers, amount = _reckoned(part, batch, stakes, base_wagers, dealt_in)
        due = fee(part, amount)
        owing = due > 0
        row = payers["row"][owing]
        parts.append(
            make_lines(
                len(row),
                rows_in_words(part),
                (USUAL,),
                **{name: column[owing] for name, column in payers.items()},
                kind=Fact.COLLECTION,
                choice=drop_box,
                payer=PAYER_CODE[Payer(part.payer)],
                stake=amount[owing],
                paid=due[owing],
                cite=_band(part, amount[owing]),
                earliest=earliest[row],
                latest=latest[row],
                stands=_stands(batch, part, {name: column[owing] for name, column in payers.items()}),
            )
        )
    return join_lines(parts)


def _stands(batch: RoundBatch, part: FeePart, payers: dict[str, Array]) -> Ints:
    """The last event, while betting was open, that changed what each fee is counted on (rulings.md R-53)."""
    facts = batch.facts.of(Fact.WAGER_PLACED, Fact.WAGER_CHANGED, Fact.WAGER_WITHDRAWN)
    closed = batch.bets_closed_seq[facts.row]
    facts = facts.where((closed < 0) | (facts.seq < closed))
    if part.basis in ("total_table_action", "players_dealt_in"):
        last = np.full(len(batch), UNKNOWN, dtype=np.int64)
        np.maximum.at(last, facts.row, facts.seq)
        return last[payers["row"]]
    row, seat, bettor = payers["row"], payers["seat"], payers["bettor"]
    if part.basis == "own_wagers":
        people = people_of(batch)
        pays, did = people.number(row, seat, bettor), people.number(facts.row, facts.seat, facts.bettor)
        mine, happened = coded((row, facts.row), (pays, did))
    else:
        mine, happened = coded((row, facts.row), (seat, facts.seat), (bettor, facts.bettor))
    return last_of(mine, happened, facts.seq, UNKNOWN)


def _reckoned(
    part: FeePart, batch: RoundBatch, stakes: Stakes, base_wagers: Sequence[str], dealt_in: Ints | None
) -> tuple[dict[str, Array], Cents]:
    """Who may owe this part of a fee, and the amount it is reckoned on."""
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
            base = np.isin(stakes.wager, [batch.name_id(name) for name in base_wagers])
            return _summed(stakes.where(base), ("row", "seat", "bettor"))
        case "betting_spot":
            payers, amount = _summed(stakes, ("row", "seat", "bettor", "wager", "choice", "hand"))
            del payers["choice"]  # of a fee, `choice` is the drop box
            return payers, amount
        case "players_dealt_in":
            if dealt_in is None:
                raise ValueError("a fee by the number of players dealt in needs that number, a round")
            # Bands are read as money, so "6 players" is a floor of 600.
            return {"row": np.arange(len(batch))}, dealt_in * 100


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


def limits(schedule: FeeSchedule, wager: str, table_minimum: int, table_maximum: int) -> tuple[int, int]:
    """Lowest and highest amount of a wager at a table with these filed limits (0 = as the schedule prints)."""
    lowest, highest = schedule.limits[wager]
    return table_minimum or lowest, table_maximum or highest


def limits_problem(schedule: FeeSchedule, wager: str, table_minimum: int, table_maximum: int) -> str | None:
    """Why a table cannot file these limits for its base wager under this schedule; None if it can."""
    printed = schedule.limits[wager]
    lowest, highest = limits(schedule, wager, table_minimum, table_maximum)
    for what, filed, (least, most) in (
        ("minimum", lowest, schedule.limits.get(TABLE_MINIMUM, printed)),
        ("maximum", highest, schedule.limits.get(TABLE_MAXIMUM, printed)),
    ):
        if not least <= filed <= most:
            return (
                f"a table {what} of {dollars(filed)} is outside the {dollars(least)} to {dollars(most)} that schedule "
                f"{schedule.id} prints; file one within it, or 0 for the printed limit"
            )
    if lowest > highest:
        return f"the table minimum {dollars(lowest)} is above the table maximum {dollars(highest)}"
    return None
