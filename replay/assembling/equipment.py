"""What was said of decks and dice before the first round with them: brought, inspected, sealed, shuffled, and how.

Each is a fact of that round, so that it is told once. What the rules make of it is not known here.
"""

from __future__ import annotations

from collections.abc import Iterable
from fnmatch import fnmatch
from typing import Any

from replay.assembling.decks import cards_are_out
from replay.assembling.round_row import Context
from replay.assembling.table_memory import Table
from replay.rounds import Fact, FactRow
from schemas import events as ev
from schemas.events import Event

CARDS, DICE = "cards", "dice"
INSPECTED = ev.EquipmentInspected.TYPE
MOST_ITEMS, MOST_OF_ONE = 16, 16  # things of which something is kept, and how much of each


def announced(table: Table, data: ev.DeviceOnline) -> None:
    """A device says whether it reports inspections."""
    if any(fnmatch(INSPECTED, pattern) for pattern in data.sees or ()):
        table.now.inspections_reported = True


def gone(table: Table, data: ev.DeviceOffline) -> None:
    if data.device == table.now.shuffler:
        table.now.shuffler = ""


def inspected(table: Table, event: Event, data: ev.EquipmentInspected) -> None:
    stored, witness = int(data.where == "storage"), data.witness or ""
    said = FactRow(
        Fact.INSPECTED, event.seq, bettor=witness, wager=f"{data.kind} {data.item}", choice=data.by, code=stored
    )
    _note(table, data.kind, data.item, said)


def seal_checked(table: Table, event: Event, data: ev.SealChecked) -> None:
    _note(
        table,
        data.kind,
        data.item,
        FactRow(Fact.SEAL, event.seq, wager=f"{data.kind} {data.item}", code=int(data.intact)),
    )


def cards_brought(table: Table, event: Event, data: ev.CardsIntroduced) -> None:
    """With the other deck at the table that has the same back, if there is one."""
    others = (name for name, deck in table.decks.items() if name != data.deck and data.back and deck.back == data.back)
    _note(
        table,
        CARDS,
        data.deck,
        FactRow(
            Fact.BROUGHT,
            event.seq,
            bettor=next(others, ""),
            wager=f"{CARDS} {data.deck}",
            code=int(table.now.inspections_reported),
            amount=data.decks,
            other=data.jokers,
        ),
    )


def dice_brought(table: Table, event: Event, data: ev.DiceIntroduced) -> None:
    reported = int(table.now.inspections_reported)
    _note(table, DICE, data.dice, FactRow(Fact.BROUGHT, event.seq, wager=f"{DICE} {data.dice}", code=reported))
    table.now.dice = data.dice


def shuffled(table: Table, event: Event, data: ev.ShuffleCompleted) -> None:
    """By a device, which is then at the table, or by hand although one is."""
    if data.method == "device":
        table.now.shuffler = event.source.rpartition("/")[2].replace("-", "_")
    elif table.now.shuffler:
        _note(table, CARDS, data.deck, FactRow(Fact.HAND_SHUFFLED, event.seq, choice=table.now.shuffler))


def not_sure(table: Table) -> None:
    """Events are missing: an inspection may be among them, or a device may have been taken away."""
    now = table.now
    now.shuffler = ""
    for context in (now, *(opened.context for opened in table.open.values())):
        if context.said_of:
            context.said_of = {
                item: [_less_sure(row) for row in rows if row[0] != Fact.SEAL] for item, rows in context.said_of.items()
            }


def _less_sure(row: list[Any]) -> list[Any]:
    said = FactRow(*row)
    return list(said._replace(code=0)) if said.kind == Fact.BROUGHT else row


def _note(table: Table, kind: str, item: str, said: FactRow) -> None:
    """For the round under way, if its cards are not out yet and it is played with this, or the next one that is."""
    key = f"{kind} {item}"
    for opened in table.open.values():
        if not cards_are_out(opened) and (kind == DICE or opened.context.deck == item):
            _keep(opened.context, key, said)
            return
    _keep(table.now, key, said)


def _keep(context: Context, key: str, said: FactRow) -> None:
    others = {name: rows for name, rows in context.said_of.items() if name != key}
    rows = [] if said.kind == Fact.BROUGHT and not _only_seen_before(context, key) else context.said_of.get(key, [])
    kept = [*others.items(), (key, [*rows, list(said)][-MOST_OF_ONE:])]
    context.said_of = dict(kept[-MOST_ITEMS:])


def _only_seen_before(context: Context, key: str) -> bool:
    """What was said of something that had not been brought yet, dice inspected at the pit stand, is of what is now."""
    return all(row[0] != Fact.BROUGHT for row in context.said_of.get(key, ()))


def begins(table: Table, context: Context) -> None:
    """A round takes what was said of its deck and of the dice; later ones need not hear it again."""
    if not table.now.said_of:
        return
    own = {f"{CARDS} {context.deck}", f"{DICE} {table.now.dice}"}
    context.said_of = {item: rows for item, rows in table.now.said_of.items() if item in own}
    said = [fact.seq for fact in facts(context)]
    if said:
        context.rests = {**context.rests, "equipment": [min(said), max(said)]}
    table.now.said_of = {item: rows for item, rows in table.now.said_of.items() if item not in own}


def facts(context: Context) -> Iterable[FactRow]:
    return (FactRow(*row) for rows in context.said_of.values() for row in rows)
