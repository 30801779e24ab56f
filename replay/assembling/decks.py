"""What happens to a table's decks and its rack between deals, and what of it the round under way must know."""

from __future__ import annotations

from replay.assembling.round_row import Context
from replay.assembling.table_memory import Open, Table
from replay.cards.deck_history import Record
from replay.rounds import UNKNOWN, Fact, RoundFlag, RoundRow
from schemas import events as ev
from schemas.cards import Deck
from schemas.events import Event, Said

_BETTING_IS_OVER = (ev.BetsClosed, ev.CardsDealt, ev.StubCounted, ev.HandShown, ev.DiscardRead, ev.WagerSettled)
_FOR_ITS_COUNT = ("stub_count", "incorrect_deck")  # why a round is void, where the deck is to blame
_NOT_SURE = int(RoundFlag.GAP | RoundFlag.RACK_UNSURE)
_CARDS_ARE_OUT = (ev.CardsDealt, ev.StubCounted, ev.HandShown, ev.DiscardRead, ev.WagerSettled)


def empty_rack(table: Table) -> None:
    """The cards in the rack went to be shuffled or away, also as far as the round under way is concerned."""
    table.unread = []
    table.now.rack = table.now.rack_deck = ""
    for opened in table.open.values():
        opened.context.rack = opened.context.rack_deck = ""
    table.now.rack_sure, table.now.burned = True, ""
    for opened in table.open.values():
        opened.context.rack_sure, opened.context.burned = True, ""


def note_count(table: Table, event: Event, data: ev.ShuffleCompleted) -> None:
    """A count at the shuffle belongs to the next deal of that deck: the open round's, if its cards are not out yet."""
    deck = table.decks.get(data.deck)
    if deck is None or data.counted is None:
        return
    if data.counted == Deck(deck.decks, deck.jokers).size:  # a device says that the deck is whole after all
        deck.miscounted = None
    for opened in table.open.values():
        if opened.context.deck == data.deck and not cards_are_out(opened):
            opened.context.deck_counted, opened.context.deck_counted_seq = data.counted, event.seq
            if data.counted == Deck(deck.decks, deck.jokers).size:
                opened.context.miscounted = None
            return
    deck.counted, deck.counted_seq = data.counted, event.seq


def note_shuffle(table: Table, event: Event, data: ev.ShuffleCompleted) -> None:
    """Cards that were shuffled again after the shuffling device failed, or after their last deal, are in order."""
    deck = table.decks.get(data.deck)
    if deck is None:
        return
    deck.shuffled_seq, deck.dealt_seq, deck.failed = event.seq, UNKNOWN, None
    for opened in table.open.values():
        if opened.context.deck == data.deck and not cards_are_out(opened):
            opened.context.shuffle_failed, opened.context.dealt_before = None, UNKNOWN


def note_deal(table: Table, name: str, row: RoundRow) -> None:
    """A round with this deck is over: unless it was shuffled since its cards were last seen it must be now. Where
    nobody ever says that these cards were shuffled, nothing follows."""
    deck = table.decks.get(name)
    seen = max(row.fixed["last_card_seq"], row.fixed["rack_last_seq"])
    if deck is not None and deck.shuffled_seq != UNKNOWN and seen > deck.shuffled_seq:
        deck.dealt_seq = seen


def note_miscount(table: Table, context: Context, round_id: str, row: RoundRow) -> None:
    """The count of the cards left made all hands of a round void, and its rack does not show a whole deck: [the round,
    when it was called, cards left, cards in its rack]. A deck brought since is another."""
    deck, flags = table.decks.get(context.deck), row.fixed["flags"]
    if deck is None or deck.decks != 1 or deck.since_us != context.deck_since_us or flags & _NOT_SURE:
        return
    void = next((one for one in row.facts if one.kind == Fact.VOIDED and not one.seat), None)
    if void is None or void.choice not in _FOR_ITS_COUNT or len(row.rack) == Deck(1, deck.jokers).size:
        return
    deck.miscounted = [round_id, void.seq, row.fixed["stub_count"], len(row.rack)]


def note_failure(table: Table, event: Event, data: ev.ShufflerFaulted) -> None:
    """The shuffling device failed: what was in it has to be shuffled before it is dealt. Where nobody ever says that
    cards were shuffled, or two decks are in use and it is not said which was in the device, nothing follows."""
    name = data.deck or (next(iter(table.decks)) if len(table.decks) == 1 else "")
    deck = table.decks.get(name)
    if deck is None or deck.shuffled_seq == UNKNOWN:
        return
    failed = [event.seq, data.fault]
    for opened in table.open.values():
        if opened.context.deck == name and not cards_are_out(opened):
            opened.context.shuffle_failed = failed
            return
    deck.failed = failed


def not_sure_of_shuffles(table: Table) -> None:
    """Events are missing: the cards may have been shuffled, or taken away, in one of them."""
    for deck in table.decks.values():
        deck.failed, deck.dealt_seq, deck.miscounted = None, UNKNOWN, None
    for opened in table.open.values():
        opened.context.shuffle_failed, opened.context.dealt_before = None, UNKNOWN
        opened.context.miscounted = None


def note_removal(table: Table, event: Event, data: ev.CardsRemoved) -> None:
    """A deck found incorrect while its cards are in play makes the hands void, which the round must then be."""
    if data.reason != "incorrect_count":
        return
    for opened in table.open.values():
        if opened.context.deck == data.deck and not has(opened, (ev.WagerSettled,)):
            opened.context.deck_removed, opened.context.deck_removed_seq = data.reason, event.seq


def betting(table: Table) -> list[Context]:
    """What is known now, and what rounds know whose betting is open: who sits down then still plays."""
    return [table.now, *(held.context for held in table.open.values() if not has(held, _BETTING_IS_OVER))]


def under_way(table: Table) -> Context:
    """What the round under way knows; between rounds what is known now."""
    playing = next((held.context for held in table.open.values() if has(held, (ev.RoundOpened,))), None)
    return table.now if playing is None else playing


def cards_are_out(opened: Open) -> bool:
    return has(opened, _CARDS_ARE_OUT)


def has(opened: Open, kinds: tuple[type[Said], ...]) -> bool:
    return any(isinstance(admitted.event.data, kinds) for admitted in opened.events)


def records_for(context: Context, records: dict[str, Record], table: Table) -> dict[str, Record]:
    """What a round should have known of the decks, given these records; a deck that was changed since is another."""
    rightly = dict(context.records)
    for name, record in records.items():
        since = context.deck_since_us if name == context.deck else _since(context, table, name)
        if record.since_us == since:
            rightly[name] = record
    return {name: record for name, record in rightly.items() if record}


def _since(context: Context, table: Table, name: str) -> int:
    """When a deck at rest came to the table, as far as that is still known."""
    if name in context.records:
        return context.records[name].since_us
    return table.decks[name].since_us if name in table.decks else UNKNOWN
