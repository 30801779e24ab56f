"""What a round hands on to the next one at its table: the button, the bank's turn, who bet, and its meters.

When a round is corrected, those that began with what it said of these are put together again, as far as it makes a
difference to them: a bank's seat that was misread makes its next turn no second one.
"""

from __future__ import annotations

from typing import Any, NamedTuple

from replay.assembling import meters, seating
from replay.assembling.closed_rounds import Closed
from replay.assembling.round_row import Context
from replay.rounds import BANK_KIND_CODE, GAME_START, UNKNOWN, Fact, RoundFlag, RoundRow
from schemas.events import BankKind

_WAGER_PLACED, _WAGER_WITHDRAWN = int(Fact.WAGER_PLACED), int(Fact.WAGER_WITHDRAWN)
_BANK_OFFERED, _CUT_OFFERED = int(Fact.BANK_OFFERED), int(Fact.CUT_OFFERED)
_NOT_ASSEMBLED = int(Fact.NOT_ASSEMBLED)
_VOIDED = int(RoundFlag.VOIDED)
_PLAYERS_BANK = (BANK_KIND_CODE[BankKind.BANK], BANK_KIND_CODE[BankKind.CO_BANK])
_HANDS_NOTHING_ON = int(RoundFlag.NEVER_OPENED | RoundFlag.GAP)
_ROUND, _LATER = "round", "round, later "


class Turn(NamedTuple):
    """The members of a `Context` that come from the round before."""

    previous_button: int
    previous_void: bool
    bank_seat: int
    bank_run: int
    wagered_seats: list[int] | None
    wagered_patrons: list[str] | None
    bank_patron: str
    meters: list[meters.Meter]
    first_offer: int
    cut_offer: int


def turn_after(row: RoundRow, began: Context) -> Turn:
    """What a round hands on that began with this context."""
    fixed = row.fixed
    void = bool(fixed["flags"] & _VOIDED)
    wagered = _seats_with_wagers(row, began)
    players_bank = fixed["bank_kind"] in _PLAYERS_BANK
    return Turn(
        fixed["start_place"],
        void,
        fixed["bank_seat"],
        max(fixed["bank_run"], 0) - void,  # a void hand is no turn at the bank
        # Who bet in the last round that nobody banked may bank; where nobody bet, anybody may.
        began.wagered_seats if players_bank else list(wagered) or None,
        began.wagered_patrons if players_bank else list(wagered.values()) or None,
        seating.patron_at(began.patrons, fixed["bank_seat"]),
        meters.after(began, row.facts),
        _first_offer(row, began),
        _cut_offer(row),
    )


def _first_offer(row: RoundRow, began: Context) -> int:
    """Whom the bank was offered to first, in this round or the last one in which it was; 0 where the next offer begins
    on the dealer's right, UNKNOWN where it may begin there or go on from before (new cards, a void round)."""
    offered = [fact.seat for fact in row.facts if fact.kind == _BANK_OFFERED]
    if offered:
        return UNKNOWN if row.fixed["flags"] & _VOIDED else offered[0]
    if row.fixed["previous_button"] == GAME_START:
        return 0
    return UNKNOWN if _new_cards(row) else began.first_offer


def _cut_offer(row: RoundRow) -> int:
    """Whom the cut was offered to first; 0 where a player banked, UNKNOWN where nobody said, or the next offer may
    go on from here or begin anew."""
    if row.fixed["bank_kind"] in _PLAYERS_BANK:
        return 0
    if row.fixed["flags"] & _VOIDED or row.fixed["previous_button"] == GAME_START or _new_cards(row):
        return UNKNOWN
    first = [fact.seat for fact in row.facts if fact.kind == _CUT_OFFERED and fact.other == 0]
    return first[0] if first else UNKNOWN


def _new_cards(row: RoundRow) -> bool:
    age, since = row.fixed["deck_age_s"], row.fixed["since_previous_s"]
    return bool(age != UNKNOWN and age < since)


def _seats_with_wagers(row: RoundRow, began: Context) -> dict[int, str]:
    """Seats with a wager that stood when betting closed (one taken back before that is none), and who sat there where
    that is certain and nobody else bet on the spot; else empty."""
    closed = row.fixed["bets_closed_seq"]
    stood: dict[tuple[int, str, str], bool] = {}
    for fact in row.facts:
        if fact.kind == _WAGER_PLACED:
            stood[fact.seat, fact.bettor, fact.wager] = True
        elif fact.kind == _WAGER_WITHDRAWN and (closed == UNKNOWN or fact.seq < closed):
            stood[fact.seat, fact.bettor, fact.wager] = False
    bettors: dict[int, set[str]] = {}
    for (seat, bettor, _), still in stood.items():
        if still:
            bettors.setdefault(seat, set()).add(bettor)
    return {seat: "" if any(who) else seating.patron_at(began.patrons, seat) for seat, who in sorted(bettors.items())}


class Corrected:
    """What rounds that were put together again hand on now."""

    def __init__(self) -> None:
        self._turns: dict[tuple[int, ...], tuple[Turn, dict[str, list[int]]]] = {}  # by where the round's events lie

    def note(self, kept: Closed, row: RoundRow) -> None:
        """This round was put together again."""
        if row.fixed["flags"] & _HANDS_NOTHING_ON or any(fact.kind == _NOT_ASSEMBLED for fact in row.facts):
            return
        rests = {name: at for name, at in kept.context.rests.items() if name.startswith(_LATER)}
        rests |= {f"{_LATER}{seq}": [seq, seq] for seq in kept.later}
        self._turns[kept.first_seq, kept.last_seq] = turn_after(row, kept.context), rests

    def context_of(self, context: Context) -> Context | None:
        """What a round with this context should have begun with; None where that is what it began with."""
        turn, rests = self._turns.get(tuple(context.rests.get(_ROUND, ())), (None, {}))
        if turn is None or context.unknown or context.missing_before or _turn_of(context) == turn:
            return None
        rightly = context.copy()
        vars(rightly).update(turn._asdict())
        rightly.rests = {**context.rests, **rests}
        return rightly


def hand_on(now: Context, row: RoundRow, began: Context) -> None:
    """The table's memory takes over what the round that just ended, and began with this context, hands on."""
    said: dict[str, Any] = turn_after(row, began)._asdict()
    vars(now).update(said)
    now.rests = {name: at for name, at in now.rests.items() if not name.startswith(_LATER) and name != meters.METERS}
    if now.meters:
        now.rests[meters.METERS] = [row.fixed["first_seq"], row.fixed["last_seq"]]


def _turn_of(context: Context) -> Turn:
    return Turn(*(getattr(context, name) for name in Turn._fields))
