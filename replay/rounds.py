"""Assembled rounds as columns: what rounds.parquet holds and what every rule is computed over.

One disputed round is a batch of one, a casino-year a batch of millions. A batch has one row a round (fixed columns),
and four ragged tables with any number of rows a round: the cards in the rack, the cards as dealt, the hands as shown,
and the *facts*. A fact is one thing a device reported about the round that is not a card: a wager, an action, a
settlement, a fee. All games share the one fact table, so a new game needs no new column: `kind` says what it is and
the other columns mean the same for every kind (see `Fact`).

Strings (bettors, wagers, boxes ...) are numbers into `RoundBatch.names`; index 0 is the empty string, "none".
This module knows nothing of any game and nothing of where the columns are stored.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import IntEnum, IntFlag, unique
from functools import cached_property
from operator import itemgetter
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from schemas.admitted import ROUND_ATTESTED
from schemas.events import Action, BankKind, Outcome, Payer, StartMethod

Ints = npt.NDArray[np.int64]
Cards = npt.NDArray[np.uint8]
Array = npt.NDArray[Any]

UNKNOWN = -1  # in every signed column: the devices did not say
GAME_START = -2  # of `previous_button`: the table has just opened, the button starts at the dealer
SHOWN_WIDTH = 16
NO_DECK = 255
UNCUT = "the rack was read after several rounds, and nothing tells their cards apart"
_NO_DECK_BYTE = bytes([NO_DECK])

OUTCOMES: tuple[Outcome, ...] = tuple(Outcome)
ACTIONS: tuple[Action, ...] = tuple(Action)
PAYERS: tuple[Payer, ...] = tuple(Payer)
BANK_KINDS: tuple[BankKind, ...] = tuple(BankKind)
START_METHODS: tuple[StartMethod, ...] = tuple(StartMethod)
OUTCOME_CODE = {outcome: code for code, outcome in enumerate(OUTCOMES)}
ACTION_CODE = {action: code for code, action in enumerate(ACTIONS)}
PAYER_CODE = {payer: code for code, payer in enumerate(PAYERS)}
BANK_KIND_CODE = {kind: code for code, kind in enumerate(BANK_KINDS)}
START_METHOD_CODE = {method: code for code, method in enumerate(START_METHODS)}
DEALT_TO: tuple[str, ...] = ("", "player", "banker", "board", "burn", "stub")


@unique
class Fact(IntEnum):
    """What a row of the fact table reports, and what its columns mean for it."""

    WAGER_PLACED = 1  # seat bettor wager choice hand amount
    WAGER_CHANGED = 2  # the same; amount is the new amount
    WAGER_WITHDRAWN = 3
    COLLECTION = 4  # code=payer seat bettor wager choice=box amount
    ACTION = 5  # seat bettor hand code=action amount
    SETTLED = 6  # seat bettor wager choice hand code=outcome amount=paid taken
    VIGORISH = 7  # seat bettor wager amount
    ENVY = 8  # seat bettor wager other=for_seat amount
    BUTTON = 9  # seat=place choice=purpose card
    BANK_OFFERED = 10  # seat
    BANK_DECLINED = 11  # seat
    NO_ROLL = 12  # choice=reason
    EXPOSED = 13  # seat=place card choice=during
    BOXED = 14  # card
    FAULT = 15  # choice=fault wager=device (shoe, shuffler)
    VOIDED = 16  # seat (0 = all hands) choice=reason
    POT = 17  # seat amount other=pot choice=part
    PROGRESSIVE_IN = 18  # seat choice=meter amount taken=meter after
    PROGRESSIVE_OUT = 19  # seat bettor choice=meter amount taken=meter after other=from_meter
    METER = 20  # choice=meter amount: it was read
    TOO_MANY = 21  # card other=copies: more copies in the shoe's rack than it holds, or one marked card twice
    USELESS_CORRECTION = 22  # a correction that could not be applied
    # what the table remembered of the deck (replay.cards.deck_history)
    CAME_BACK = 23  # card choice=round it was missing in amount=that round's last seq other=rounds running
    #                 hand=1 another card lay in its place, code=1 it was in the deck before this deal
    OTHER_DECK = 24  # card wager=deck choice=round amount=its last seq code=1 too many here, 0 missing here
    DECK_COUNTED = 25  # amount=cards it has other=cards counted at the shuffle before the deal
    DECK_REMOVED = 26  # choice=reason: taken off the table before the round was settled
    SHOE_TOTAL = 27  # amount=cards found taken=cards the shoe holds hand=burned other=left over choice=which
    RESHUFFLED = 30  # the cards were shuffled again after one was exposed, or turned on the board
    SEATED = 29  # seat bettor=patron: who sat there when betting closed; code=1 it may have changed, events are missing
    ODD_RACKS = 31  # choice=round since which racks of this table contradict the procedure filed amount=how many
    #                 wager=in words, another order that fits all that were looked at; this one was not searched
    WAIVED = 60  # code=payer seat bettor wager choice=by amount: a fee that is due, let off
    REFUNDED = 61  # code=payer seat bettor wager choice=box amount: a fee that was dropped, given back
    SCHEDULE_CHANGED = 62  # choice=schedule: the table said so while the round was played
    # progressive meters; of what was said between the rounds `seq` is before the round's first event
    METER_STOOD = 33  # choice=meter amount code=1 a payout was its last step: as the round before left it
    METER_RESET = 32  # choice=meter amount wager=by: it was set
    CUT = 40  # seat=place that cut, where a device said to whom it was offered
    CUT_OFFERED = 41  # seat other=how many before it
    FIRST_OFFERED = 42  # seat wager=bank|cut: who was offered it first in the round before; 0: from the dealer on
    MAY_BANK = 43  # seat: in the last round that nobody banked it had a wager, and it did not bank the round before
    NOT_RESHUFFLED = 44  # choice=fault: the shuffling device failed, and the cards were dealt without another shuffle
    CUT_DEPTH = 45  # seat=place that cut amount=cards above the cut
    NOT_SHUFFLED = 46  # the cards were seen in an earlier round (its seq), and no shuffle is reported since
    HAND_SHUFFLED = 47  # choice=device: they were shuffled by hand, and this shuffling device was at the table
    # what was said of the deck or the dice before the first round with them (replay.assembling.equipment)
    BROUGHT = 48  # wager=`cards red`, `dice set-1` bettor=other deck with the same back amount=decks other=jokers each
    #               code=1 a device says that it reports inspections
    INSPECTED = 49  # wager=the same choice=by bettor=witness code=1 where they are stored
    SEAL = 50  # wager=the same code=1 it was intact
    BOARD = 70  # amount=cards turned face up in the middle of the table, all in one event
    MISCOUNTED = 51  # choice=round of this deck whose hands were void for its count amount=cards left other=in its rack
    NOT_ASSEMBLED = 28  # choice=why code=1 it is larger than a round may be, 0 a mistake of ours: nothing else is known


class RoundFlag(IntFlag):
    CLOSED = 1
    VOIDED = 2
    GAP = 4  # events of this round are missing or were refused
    CHAIN_BROKEN = 8
    BAD_SIGNATURE = 16
    ATTESTED = ROUND_ATTESTED  # every event it rests on lies on an unbroken chain under a good signature
    REOPENED = 64  # late or corrected events arrived after it was closed
    CORRECTED = 128
    FILING_UNUSABLE = 256
    NO_FILING = 512
    RACK_READ = 1024
    DEAL_READ = 2048
    CONTEXT_UNKNOWN = 4096  # what came before on this table is not known: checks across rounds do not apply
    RACK_UNSURE = 8192  # a rack scan did not begin with what was in the rack before
    NEVER_OPENED = 16384  # events came for a round that nobody said was opened
    RACK_UNCUT = 32768  # the rack was read after several rounds, and nothing tells which of the cards are this round's
    AFTER_VOID = 65536  # the round before was void
    NOT_SEARCHED = 131072  # its rack is contradictory, as too many of this table before it: it is not explained
    MISSING_BEFORE = 262144  # events before its round.opened are missing: none of them can have been of it


FIXED: dict[str, type[np.generic]] = {
    "version": np.int32,
    "flags": np.int32,
    "opened_us": np.int64,
    "closed_us": np.int64,
    "first_seq": np.int64,
    "last_seq": np.int64,
    "first_offset": np.int64,
    "last_offset": np.int64,
    "bets_closed_seq": np.int64,
    "first_card_seq": np.int64,
    "first_card_count": np.int16,  # cards in the event that first reports any: more than one was said after the fact
    "last_card_seq": np.int64,
    "start_seq": np.int64,
    "start_method": np.int8,
    "start_number": np.int16,
    "start_place": np.int8,
    "bank_seat": np.int8,
    "bank_kind": np.int8,
    "bank_posted_cents": np.int64,
    "bank_turn": np.int8,
    "bank_seq": np.int64,
    "dealer_wager_cents": np.int64,
    "first_stack": np.int8,
    "stub_count": np.int16,
    "stub_seq": np.int64,
    "rack_first_seq": np.int64,
    "rack_last_seq": np.int64,
    "rack_before": np.int32,
    "decks": np.int8,
    "jokers": np.int8,
    # what the table remembered when the round began
    "since_previous_s": np.int64,  # since the round before began
    "previous_button": np.int8,
    "bank_run": np.int32,  # rounds running this seat has banked, this one included
    "bank_wagered_before": np.int8,  # 1 the banking seat had a wager in the round before, 0 not
    "deck_age_s": np.int64,
    "dice_age_s": np.int64,
    "rounds_since_stub_count": np.int32,
}
_fixed_values = itemgetter(*FIXED)
NAMED: tuple[str, ...] = ("table_id", "round_id", "filing", "gaming_day", "dealer", "deck", "previous_deck")

FACT_COLUMNS: dict[str, type[np.generic]] = {
    "kind": np.uint8,
    "seat": np.int8,
    "bettor": np.int32,
    "wager": np.int32,
    "choice": np.int32,
    "hand": np.int8,
    "code": np.uint8,
    "amount": np.int64,
    "taken": np.int64,
    "other": np.int16,
    "card": np.uint8,
    "seq": np.int64,
}
FACT_NAMES = ("bettor", "wager", "choice")


class FactRow(NamedTuple):
    """One fact on its way into the columns; strings not yet numbered."""

    kind: int
    seq: int
    seat: int = 0
    bettor: str = ""
    wager: str = ""
    choice: str = ""
    hand: int = 0
    code: int = 0
    amount: int = 0
    taken: int = 0
    other: int = 0
    card: int = 255


class ShownRow(NamedTuple):
    place: int
    hand: int
    low: int  # how many of the cards are the low hand
    cards: bytes
    seq: int


def offsets_of(counts: Sequence[int] | Ints) -> Ints:
    """Counts a row → offsets into a ragged table: n rows, n + 1 offsets."""
    out = np.zeros(len(counts) + 1, dtype=np.int64)
    np.cumsum(np.asarray(counts, dtype=np.int64), out=out[1:])
    return out


def rows_of(offsets: Ints) -> Ints:
    """The row each value of a ragged table belongs to."""
    return np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))


@dataclass(frozen=True)
class Ragged:
    """A column with any number of values a round."""

    offsets: Ints
    values: Array

    def __getitem__(self, row: int) -> Array:
        return self.values[self.offsets[row] : self.offsets[row + 1]]

    @property
    def counts(self) -> Ints:
        return np.diff(self.offsets)

    @property
    def rows(self) -> Ints:
        """The round each value belongs to."""
        return rows_of(self.offsets)


def positions_of(offsets: Ints, index: Ints) -> tuple[Ints, Ints]:
    """Of a ragged table with these offsets, the rounds at `index`: their offsets among themselves, and where in the
    table their values are, for every column of it."""
    first = offsets[index]
    counts = offsets[index + 1] - first
    taken = offsets_of(counts)
    return taken, np.arange(taken[-1]) + np.repeat(first - taken[:-1], counts)


@dataclass(frozen=True)
class Facts:
    """The fact table of a batch: parallel columns, ordered by round and then by sequence number."""

    row: Ints
    kind: Array
    seat: Array
    bettor: Array
    wager: Array
    choice: Array
    hand: Array
    code: Array
    amount: Array
    taken: Array
    other: Array
    card: Array
    seq: Array

    def where(self, mask: npt.NDArray[np.bool_]) -> Facts:
        return self.at(np.flatnonzero(mask))

    def at(self, index: Ints) -> Facts:
        """The facts at these positions, in this order."""
        return Facts(*[getattr(self, name).take(index) for name in _COLUMNS_OF_FACTS])

    def of(self, *kinds: Fact) -> Facts:
        """Only the facts of these kinds."""
        wanted = [kind for kind in kinds if self._how_many[kind]]
        if not wanted:
            return self._none
        if len(wanted) == 1:
            return self.where(self.kind == wanted[0])
        is_wanted = np.zeros(len(self._how_many), bool)
        is_wanted[wanted] = True
        return self.where(is_wanted[self.kind])

    @cached_property
    def _how_many(self) -> list[int]:
        """Facts of each kind: most checks ask for kinds that few rounds have."""
        counts: list[int] = np.bincount(self.kind, minlength=max(Fact) + 1).tolist()
        return counts

    @cached_property
    def _none(self) -> Facts:
        return self.at(np.empty(0, np.int64))

    def __len__(self) -> int:
        return len(self.row)


_COLUMNS_OF_FACTS = tuple(column.name for column in fields(Facts))


@dataclass(frozen=True)
class Shown:
    """Hands as exposed: cards (m, 16) padded with 255; the first `low` of them are the low hand."""

    row: Ints
    place: Array
    hand: Array
    low: Array
    count: Array
    cards: Cards
    seq: Array


_SHOWN_COLUMNS = tuple(column.name for column in fields(Shown) if column.name != "row")


@dataclass(frozen=True)
class RoundBatch:
    """Any number of assembled rounds."""

    names: tuple[str, ...]
    named: dict[str, Ints]
    fixed: dict[str, Array]
    rack: Ragged
    dealt: Ragged
    dealt_place: Ragged
    dealt_to: Ragged
    rack_deck: Ragged  # which deck of the shoe each card in the rack is of, NO_DECK where the reader cannot tell
    dealt_deck: Ragged
    shown: Shown
    facts: Facts
    kept: Array  # strings: what the assembler keeps of the round, for events that come after it

    def __len__(self) -> int:
        return len(self.named["table_id"])

    def __getattr__(self, name: str) -> Array:
        """Fixed columns read as attributes: `batch.start_place`."""
        try:
            return self.fixed[name]
        except KeyError:
            raise AttributeError(name) from None

    def name(self, column: str, row: int) -> str:
        """The string of a named column in one row."""
        return self.names[int(self.named[column][row])]

    def name_id(self, text: str) -> int:
        """The number of a string, or -2 (no fact has it) when the batch never mentions it."""
        try:
            return self.names.index(text)
        except ValueError:
            return -2

    def mentioning(self, texts: Iterable[str]) -> RoundBatch:
        """The same rounds, with numbers for these strings even where no fact has them."""
        missing = sorted(set(texts) - set(self.names))
        return replace(self, names=(*self.names, *missing)) if missing else self

    def has(self, flag: RoundFlag) -> npt.NDArray[np.bool_]:
        flagged: npt.NDArray[np.bool_] = (self.fixed["flags"] & int(flag)) != 0
        return flagged

    def take(self, index: Ints) -> RoundBatch:
        """The rounds at these positions, in this order, as a batch of their own."""
        index = np.asarray(index, dtype=np.int64)
        offsets, at = positions_of(_offsets_from_rows(self.facts.row, len(self)), index)
        facts = replace(self.facts.at(at), row=rows_of(offsets))
        offsets, at = positions_of(_offsets_from_rows(self.shown.row, len(self)), index)
        shown = Shown(rows_of(offsets), *[getattr(self.shown, name)[at] for name in _SHOWN_COLUMNS])
        racked, in_rack = positions_of(self.rack.offsets, index)
        dealt, in_deal = positions_of(self.dealt.offsets, index)
        return RoundBatch(
            self.names,
            {name: column[index] for name, column in self.named.items()},
            {name: column[index] for name, column in self.fixed.items()},
            Ragged(racked, self.rack.values[in_rack]),
            Ragged(dealt, self.dealt.values[in_deal]),
            Ragged(dealt, self.dealt_place.values[in_deal]),
            Ragged(dealt, self.dealt_to.values[in_deal]),
            Ragged(racked, self.rack_deck.values[in_rack]),
            Ragged(dealt, self.dealt_deck.values[in_deal]),
            shown,
            facts,
            self.kept[index],
        )


def _offsets_from_rows(rows: Ints, count: int) -> Ints:
    return offsets_of(np.bincount(rows, minlength=count))


@dataclass
class RoundRow:
    """One assembled round before it becomes a row of columns."""

    named: dict[str, str]
    fixed: dict[str, int]
    rack: bytes = b""
    dealt: bytes = b""
    dealt_place: list[int] = field(default_factory=list)  # as long as dealt
    dealt_to: bytes = b""
    rack_deck: bytes = b""  # as long as rack, or empty: the reader cannot tell decks apart
    dealt_deck: bytes = b""
    shown: list[ShownRow] = field(default_factory=list)
    facts: list[FactRow] = field(default_factory=list)
    kept: str = ""


_KEPT_OF_BARE = ("version", "flags", "opened_us", "closed_us", "first_seq", "last_seq", "first_offset", "last_offset")


def bare_row(named: dict[str, str], fixed: dict[str, int], why: str, too_large: bool) -> RoundRow:
    """A round of which only its place in the record is kept, and why: it could not be put together."""
    kept = unknown_fixed() | {name: fixed[name] for name in _KEPT_OF_BARE}
    fact = FactRow(Fact.NOT_ASSEMBLED, kept["last_seq"], choice=why, code=int(too_large))
    return RoundRow(named, kept, facts=[fact])


_UNKNOWN_FIXED: dict[str, int] = {**dict.fromkeys(FIXED, UNKNOWN), "version": 1, "flags": 0}


def unknown_fixed() -> dict[str, int]:
    """Fixed columns of a round nothing is known of yet."""
    return _UNKNOWN_FIXED.copy()


def batch_of(rows: Sequence[RoundRow]) -> RoundBatch:
    """Rounds as columns, in the order given."""
    # Columns are filled by loops that run inside the interpreter: a loop of our own would take three times as long.
    numbers: defaultdict[str, int] = defaultdict(None, {"": 0})
    numbers.default_factory = numbers.__len__  # a string not met before gets the next number
    number = numbers.__getitem__

    named = {
        column: np.fromiter(map(number, [row.named.get(column, "") for row in rows]), np.int64, len(rows))
        for column in NAMED
    }
    fixed_columns: Iterable[Iterable[int]] = zip(*[_fixed_values(row.fixed) for row in rows], strict=True)
    fixed = {
        column: np.fromiter(values, dtype, len(rows))
        for (column, dtype), values in zip(FIXED.items(), fixed_columns if rows else [()] * len(FIXED), strict=True)
    }
    facts = [fact for row in rows for fact in row.facts]
    fact_columns: dict[str, Array] = {"row": np.repeat(np.arange(len(rows)), [len(row.facts) for row in rows])}
    by_column = dict(zip(FactRow._fields, zip(*facts, strict=True), strict=True)) if facts else {}
    for column, dtype in FACT_COLUMNS.items():
        values: Iterable[Any] = by_column.get(column, ())
        if column in FACT_NAMES:
            values = map(number, values)
        fact_columns[column] = np.fromiter(values, dtype, len(facts))
    shown = [hand for row in rows for hand in row.shown]
    cards = b"".join(hand.cards.ljust(SHOWN_WIDTH, b"\xff")[:SHOWN_WIDTH] for hand in shown)
    places = [place for row in rows for place in row.dealt_place]
    dealt_offsets = offsets_of([len(row.dealt) for row in rows])
    return RoundBatch(
        tuple(numbers),
        named,
        fixed,
        _ragged_bytes([row.rack for row in rows]),
        _ragged_bytes([row.dealt for row in rows]),
        Ragged(dealt_offsets, np.array(places, dtype=np.int8)),
        _ragged_bytes([row.dealt_to or bytes(len(row.dealt)) for row in rows]),
        _ragged_bytes([row.rack_deck or _NO_DECK_BYTE * len(row.rack) for row in rows]),
        _ragged_bytes([row.dealt_deck or _NO_DECK_BYTE * len(row.dealt) for row in rows]),
        Shown(
            np.repeat(np.arange(len(rows)), [len(row.shown) for row in rows]).astype(np.int64),
            np.array([hand.place for hand in shown], dtype=np.int8),
            np.array([hand.hand for hand in shown], dtype=np.int8),
            np.array([hand.low for hand in shown], dtype=np.uint8),
            np.array([len(hand.cards) for hand in shown], dtype=np.uint8),
            np.frombuffer(cards, dtype=np.uint8).reshape(-1, SHOWN_WIDTH),
            np.array([hand.seq for hand in shown], dtype=np.int64),
        ),
        Facts(**fact_columns),
        np.array([row.kept for row in rows], dtype=object),
    )


def _ragged_bytes(parts: Sequence[bytes]) -> Ragged:
    return Ragged(offsets_of([len(part) for part in parts]), np.frombuffer(b"".join(parts), dtype=np.uint8))


# --- to and from Arrow -----------------------------------------------------------------------------------------------


def _strings(names: tuple[str, ...], index: Array) -> pa.Array:
    return pa.array(names, pa.string()).take(pa.array(index, pa.int64()))


def _lists(offsets: Ints, values: pa.Array) -> pa.ListArray:
    return pa.ListArray.from_arrays(pa.array(offsets, pa.int32()), values)


def to_arrow(batch: RoundBatch) -> pa.Table:
    """The batch as the table rounds.parquet holds: names spelled out, so that any reader can query it."""
    columns: dict[str, pa.Array] = {column: _strings(batch.names, batch.named[column]) for column in NAMED}
    columns |= {column: pa.array(batch.fixed[column]) for column in FIXED}
    columns["rack"] = _lists(batch.rack.offsets, pa.array(batch.rack.values))
    columns["dealt"] = _lists(batch.dealt.offsets, pa.array(batch.dealt.values))
    columns["dealt_place"] = _lists(batch.dealt.offsets, pa.array(batch.dealt_place.values))
    columns["dealt_to"] = _lists(batch.dealt.offsets, pa.array(batch.dealt_to.values))
    columns["rack_deck"] = _lists(batch.rack.offsets, pa.array(batch.rack_deck.values))
    columns["dealt_deck"] = _lists(batch.dealt.offsets, pa.array(batch.dealt_deck.values))
    shown = batch.shown
    columns["shown"] = _lists(
        _offsets_from_rows(shown.row, len(batch)),
        pa.StructArray.from_arrays(
            [
                pa.array(shown.place),
                pa.array(shown.hand),
                pa.array(shown.low),
                pa.array(shown.count),
                pa.FixedSizeListArray.from_arrays(pa.array(shown.cards.reshape(-1)), SHOWN_WIDTH),
                pa.array(shown.seq),
            ],
            names=["place", "hand", "low", "count", "cards", "seq"],
        ),
    )
    facts = batch.facts
    columns["facts"] = _lists(
        _offsets_from_rows(facts.row, len(batch)),
        pa.StructArray.from_arrays(
            [
                _strings(batch.names, getattr(facts, name)) if name in FACT_NAMES else pa.array(getattr(facts, name))
                for name in FACT_COLUMNS
            ],
            names=list(FACT_COLUMNS),
        ),
    )
    columns["kept"] = pa.array(batch.kept, pa.string())
    return pa.table(columns)


def from_arrow(table: pa.Table) -> RoundBatch:
    """The batch a table from `to_arrow` was made of (extra columns are ignored)."""
    names: list[str] = [""]
    known: dict[str, int] = {"": 0}

    def numbered(strings: pa.Array) -> Ints:
        coded = strings.dictionary_encode()
        lookup = np.empty(len(coded.dictionary), dtype=np.int64)
        for position, text in enumerate(coded.dictionary.to_pylist()):
            if text not in known:
                known[text] = len(names)
                names.append(text)
            lookup[position] = known[text]
        if len(lookup) == 0:
            return np.zeros(len(coded), dtype=np.int64)
        positions: Ints = lookup[coded.indices.to_numpy(zero_copy_only=False)]
        return positions

    def column(name: str) -> pa.Array:
        chunks = table.column(name).combine_chunks()
        return chunks.combine_chunks() if isinstance(chunks, pa.ChunkedArray) else chunks

    def ragged(name: str) -> Ragged:
        array = column(name)
        offsets = array.offsets.to_numpy().astype(np.int64)
        return Ragged(offsets - offsets[0], array.flatten().to_numpy(zero_copy_only=False))

    named = {name: numbered(column(name)) for name in NAMED}
    fixed = {name: column(name).to_numpy(zero_copy_only=False).astype(dtype) for name, dtype in FIXED.items()}
    facts_array = column("facts")
    facts_struct = facts_array.flatten()
    fact_columns: dict[str, Array] = {"row": np.repeat(np.arange(len(table)), np.diff(facts_array.offsets.to_numpy()))}
    for name, dtype in FACT_COLUMNS.items():
        values = facts_struct.field(name)
        fact_columns[name] = (
            numbered(values).astype(dtype) if name in FACT_NAMES else values.to_numpy(zero_copy_only=False)
        )
    shown_array = column("shown")
    shown_struct = shown_array.flatten()
    shown = {
        name: shown_struct.field(name).to_numpy(zero_copy_only=False)
        for name in ("place", "hand", "low", "count", "seq")
    }
    cards = shown_struct.field("cards").flatten().to_numpy(zero_copy_only=False).reshape(-1, SHOWN_WIDTH)
    return RoundBatch(
        tuple(names),
        named,
        fixed,
        ragged("rack"),
        ragged("dealt"),
        ragged("dealt_place"),
        ragged("dealt_to"),
        ragged("rack_deck"),
        ragged("dealt_deck"),
        Shown(
            np.repeat(np.arange(len(table)), np.diff(shown_array.offsets.to_numpy())).astype(np.int64),
            shown["place"],
            shown["hand"],
            shown["low"],
            shown["count"],
            cards,
            shown["seq"],
        ),
        Facts(**fact_columns),
        column("kept").to_numpy(zero_copy_only=False),
    )
