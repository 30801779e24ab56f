"""What an auditor would remark on a file of events that are all valid: names the filed pack does not have, and things
said in an order in which they cannot be checked. Remarks only: all of it is recorded, and judged as far as it goes.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from ingest.mistakes import Mistake, nearest
from replay.filing import Filing, PackError, file_under, filing_problem, load_pack, pack_ids, versions_of
from schemas.events import (
    BetsClosed,
    CardsDealt,
    CollectionTaken,
    DiscardRead,
    Event,
    HandShown,
    RoundClosed,
    RoundCorrected,
    RoundOpened,
    RoundVoided,
    TableOpened,
    WagerChanged,
    WagerPlaced,
    WagerSettled,
    WagerWithdrawn,
    says_something,
)
from schemas.plurals import counted

REMEMBERED_TABLES = 1_024
REMEMBERED_ROUNDS = 64
SHOWN_UNSETTLED = 5

_Spot = tuple[int, str, str | None, str | None, int]  # seat, wager, bettor, choice, hand


@dataclass
class _Round:
    id: str
    standing: set[_Spot] = field(default_factory=set)  # wagers placed and not settled or taken back
    bets_closed: bool = False
    cards_seen: bool = False
    dealt: bool = False
    void: bool = False
    shown: set[tuple[int, int]] = field(default_factory=set)


@dataclass
class _Table:
    filing: Filing | None = None
    opened: bool = False
    round: _Round | None = None
    over: dict[str, None] = field(default_factory=dict)  # the rounds that were closed last


class ProtocolRemarks:
    """Listens to the events of a file; `of` says what there is to remark on the next one."""

    def __init__(self) -> None:
        self._tables: dict[str, _Table] = {}

    def of(self, event: Event) -> list[Mistake]:
        table = self._tables.get(event.tableid)
        if table is None:
            table = self._tables[event.tableid] = _Table()
            if len(self._tables) > REMEMBERED_TABLES:
                del self._tables[next(iter(self._tables))]
        found: list[Mistake] = []
        data = event.data
        if isinstance(data, TableOpened):
            table.opened = True
            table.filing = _filed(data, found)
            return found
        if isinstance(data, RoundOpened):
            assert event.subject is not None
            self._opens(table, event.subject, event.seq, found)
            return found
        _says_who(table, event, found)
        played = self._round(table, event, found)
        look = _LOOKS.get(type(data))
        if look is not None and played is not None:
            look(table, played, data, found)
        if isinstance(data, RoundClosed) and played is not None:
            table.over[played.id] = None
            if len(table.over) > REMEMBERED_ROUNDS:
                del table.over[next(iter(table.over))]
            table.round = None
        return found

    def _opens(self, table: _Table, round_id: str, seq: int, found: list[Mistake]) -> None:
        if table.round is not None:
            found.append(
                Mistake("subject", f"round {table.round.id} was not closed before round {round_id} was opened")
            )
        if round_id in table.over:
            found.append(Mistake("subject", f"round {round_id} was played before; a round id is used once, for ever"))
        if not table.opened and table.filing is None and seq > 0 and not table.over:
            found.append(
                Mistake("", "no table.opened comes before this round, so the file alone does not say by which rules")
            )
            table.opened = True  # said once
        table.round = _Round(round_id)

    def _round(self, table: _Table, event: Event, found: list[Mistake]) -> _Round | None:
        """The round an event belongs to, if it is the one under way."""
        round_id = event.subject
        if round_id is None:
            return None
        if table.round is not None and table.round.id == round_id:
            return table.round
        if round_id in table.over:
            if not isinstance(event.data, RoundCorrected | RoundVoided):
                found.append(Mistake("subject", f"round {round_id} was closed before this; it is judged again"))
        elif table.round is not None:
            said = f"round {table.round.id} is under way, and this is of round {round_id}"
            found.append(Mistake("subject", said, nearest(round_id, (table.round.id,))))
        elif table.over or table.opened:
            found.append(Mistake("subject", f"no round.opened was said of round {round_id}"))
        return None


def _says_who(table: _Table, event: Event, found: list[Mistake]) -> None:
    """Who changes a round that is over, and why."""
    data = event.data
    if isinstance(data, RoundCorrected):
        if not says_something(data.by):
            found.append(Mistake("data.by", "does not say who makes the correction, so it changes nothing"))
        if not says_something(data.reason):
            found.append(Mistake("data.reason", "does not say why, so the correction changes nothing"))
    elif isinstance(data, RoundVoided) and event.subject in table.over and not says_something(data.by):
        found.append(Mistake("data.by", "does not say who voids the round after it was closed, so it stands"))


def _filed(data: TableOpened, found: list[Mistake]) -> Filing | None:
    known = tuple(pack_ids())
    if data.pack not in known:
        found.append(Mistake("data.pack", f"there is no pack {data.pack}", nearest(data.pack, known)))
        return None
    versions = tuple(versions_of(data.pack))
    if data.version not in versions:
        said = f"pack {data.pack} has no version {data.version}; it has: {', '.join(versions)}"
        found.append(Mistake("data.version", said, nearest(data.version, versions)))
        return None
    pack = load_pack(data.pack, data.version)
    if not pack.in_force(data.gaming_day):
        said = f"pack {pack.id} {pack.version} is in force {pack.when_in_force}, and not on {data.gaming_day}"
        found.append(Mistake("data.version", said))
    good: dict[str, str | int | bool] = {}
    for name, value in data.options.items():
        option = pack.data.options.get(name)
        if option is None:
            said = f"pack {pack.id} has no such option"
            found.append(Mistake(f"data.options.{name}", said, nearest(name, tuple(pack.data.options))))
            continue
        problem = option.problem(value)
        if problem is not None:
            near = nearest(value, tuple(option.choices or ())) if isinstance(value, str) else None
            found.append(Mistake(f"data.options.{name}", problem, near))
        else:
            good[name] = value
    try:
        filing = file_under(pack, data.version, good)
    except PackError as error:
        found.append(Mistake("data.options", str(error)))
        return None
    problem = filing_problem(filing)
    if problem is not None:
        found.append(Mistake("data.options", problem))
    return filing


def _check_wager(table: _Table, wager: str, seat: int, found: list[Mistake]) -> None:
    if table.filing is None:
        return
    pack = table.filing.pack
    if wager not in pack.data.wagers:
        said = f"pack {pack.id} has no wager {wager!r}"
        found.append(Mistake("data.wager", said, nearest(wager, tuple(pack.data.wagers))))
    seats = table.filing.ring.seats
    if seat > seats:
        found.append(Mistake("data.seat", f"the table was opened with {seats} betting positions"))


def _spot(data: WagerPlaced | WagerChanged | WagerWithdrawn | WagerSettled) -> _Spot:
    return data.seat, data.wager, data.bettor, data.choice, data.hand


def _wager(table: _Table, played: _Round, data: Any, found: list[Mistake]) -> None:
    _check_wager(table, data.wager, data.seat, found)
    spot = _spot(data)
    if played.bets_closed:
        found.append(Mistake("", "a wager event after bets.closed is an irregularity, and will be reported as one"))
    if isinstance(data, WagerPlaced):
        if spot in played.standing:
            found.append(Mistake("data", "this wager was placed already; a new amount is said by wager.changed"))
        played.standing.add(spot)
    elif spot not in played.standing:
        found.append(Mistake("data", "no such wager was placed"))
    elif isinstance(data, WagerWithdrawn):
        played.standing.discard(spot)


def _settled(table: _Table, played: _Round, data: Any, found: list[Mistake]) -> None:
    _check_wager(table, data.wager, data.seat, found)
    spot = _spot(data)
    if spot in played.standing:
        played.standing.discard(spot)
    else:
        found.append(Mistake("data", "no such wager stands: it was never placed, or was settled or taken back already"))


def _fee(table: _Table, played: _Round, data: Any, found: list[Mistake]) -> None:
    filing = table.filing
    if filing is not None and "drop_box" in filing.options and data.box != filing.text("drop_box"):
        box = filing.text("drop_box")
        found.append(Mistake("data.box", f"the filed box is {box!r}, not {data.box!r}; another box is a finding", box))


def _dealt(table: _Table, played: _Round, data: Any, found: list[Mistake]) -> None:
    filing = table.filing
    if filing is not None and not played.dealt and len(data.cards) > 1 and "schedule" in filing.options:
        schedule = filing.pack.fees.get(filing.text("schedule"))
        if schedule is not None and schedule.moment == "after_first_card":
            said = (
                f"the first card comes together with others; under schedule {schedule.id} the fee is taken after the "
                "first card, so say that card by itself, or the moment of the fee cannot be checked"
            )
            found.append(Mistake("data.cards", said))
    for name in ("places", "deck_index"):
        beside = getattr(data, name)
        if beside is not None and len(beside) != len(data.cards):
            found.append(
                Mistake(f"data.{name}", f"{len(beside)} for {counted(len(data.cards), 'card')}: they must be as many")
            )
    played.dealt = played.cards_seen = True


def _read(table: _Table, played: _Round, data: Any, found: list[Mistake]) -> None:
    played.cards_seen = played.cards_seen or bool(data.cards)


def _shown(table: _Table, played: _Round, data: Any, found: list[Mistake]) -> None:
    whose = (data.place, data.hand)
    if whose in played.shown:
        found.append(Mistake("", "this hand was shown before; the first time counts, as it lay before rearranging"))
    played.shown.add(whose)
    played.cards_seen = True


def _bets_closed(table: _Table, played: _Round, data: Any, found: list[Mistake]) -> None:
    if played.bets_closed:
        found.append(Mistake("", "the bets were closed already"))
    played.bets_closed = True


def _voided(table: _Table, played: _Round, data: Any, found: list[Mistake]) -> None:
    played.void = played.void or data.seat is None


def _closed(table: _Table, played: _Round, data: Any, found: list[Mistake]) -> None:
    left = sorted(played.standing, key=str)
    if left:
        named = [f"seat {seat} {wager}" + (f" ({bettor})" if bettor else "") for seat, wager, bettor, *_ in left]
        more = f" and {len(left) - SHOWN_UNSETTLED} more" if len(left) > SHOWN_UNSETTLED else ""
        found.append(Mistake("", f"not settled when the round was closed: {', '.join(named[:SHOWN_UNSETTLED])}{more}"))
    if not played.cards_seen and not played.void:
        found.append(Mistake("", "no card of the round was reported, dealt, shown or read in the rack"))


_LOOKS: dict[type, Callable[[_Table, _Round, Any, list[Mistake]], None]] = {
    WagerPlaced: _wager,
    WagerChanged: _wager,
    WagerWithdrawn: _wager,
    WagerSettled: _settled,
    CollectionTaken: _fee,
    CardsDealt: _dealt,
    DiscardRead: _read,
    HandShown: _shown,
    BetsClosed: _bets_closed,
    RoundVoided: _voided,
    RoundClosed: _closed,
}
