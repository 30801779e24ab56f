"""What one table must remember across rounds, as values that can be copied and written as JSON.

Part of it is what lies under a good signature. As long as nobody has signed what was said last, it may turn out that
somebody else than the table controller said it; so a copy of the memory as it stood at the last good signature (the
*anchor*) is kept with the events since then (the *tail*), from which the rest can be made again.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from typing import Any

from replay.assembling.closed_rounds import Closed
from replay.assembling.round_row import Context
from replay.cards.deck_history import Record
from replay.rounds import UNKNOWN
from schemas.admitted import Admitted
from schemas.events import parse_event

MOST_TAIL = 2_048  # events; a table that signs nothing for longer is not made again
MOST_VOUCHED = 256  # stretches of the sequence
MOST_GHOSTS = 256
MOST_UNSIGNED = 64  # rounds of long ago whose newest version no signature vouches for yet


@dataclass
class Open:
    """A round under way: its events, and what was known when it began."""

    round_id: str
    context: Context
    events: list[Admitted] = field(default_factory=list)
    missing: int = 0  # events of the table that did not come while it was under way (replay/assembling/gaps.py)
    holes: list[list[int]] = field(default_factory=list)  # and where: first and last seq of each stretch
    bytes: int = 0  # of its events; when they are too many only the first and the last are kept here


@dataclass
class DeckInPlay:
    """A deck, or a shoe of several, on the table."""

    decks: int
    jokers: int
    since_us: int  # when it was introduced
    counted: int = UNKNOWN  # cards a device counted at the last shuffle, if it has not been dealt from since
    counted_seq: int = UNKNOWN
    shuffled_seq: int = UNKNOWN  # of its last shuffle, if a device, or somebody, ever says so when it is
    dealt_seq: int = UNKNOWN  # when its cards were last seen in a round, if it was not shuffled since
    back: str = ""
    miscounted: list[Any] | None = None  # see `replay.assembling.decks.note_miscount`
    failed: list[Any] | None = None  # [seq, fault] of the shuffling device, and the cards were not shuffled since
    record: Record = field(default_factory=Record)

    @classmethod
    def of(cls, said: dict[str, Any]) -> DeckInPlay:
        return cls(**{**said, "record": Record(**said["record"])})

    def copy(self) -> DeckInPlay:
        """Another one; at every signature, and `dataclasses.replace` would take three times as long."""
        other = DeckInPlay.__new__(DeckInPlay)
        other.__dict__.update(self.__dict__)
        return other


@dataclass
class Table:
    """The memory of one table."""

    now: Context = field(default_factory=Context)
    decks: dict[str, DeckInPlay] = field(default_factory=dict)
    open: dict[str, Open] = field(default_factory=dict)
    last_seq: int = UNKNOWN
    closed: dict[str, Closed] = field(default_factory=dict)  # newest last
    greatest: str = ""  # the greatest round id it ever named: a greater one is certainly new
    again: dict[str, list[int]] = field(default_factory=dict)  # ids used again → seqs at which they were opened anew
    unread: list[str] = field(default_factory=list)  # closed rounds whose cards lie in the rack and were not read yet
    vouched: list[list[int]] = field(default_factory=list)  # first and last seq of what lies under good signatures
    ghosts: dict[str, int] = field(default_factory=dict)  # versions of rounds as events had it that were overruled
    emitted: dict[str, int] = field(default_factory=dict)  # versions made since the anchor
    rivals: list[Admitted] = field(default_factory=list)  # events that overrule others, until the signed one comes
    anchor: Table | None = None
    tail: list[Admitted] = field(default_factory=list)  # events since the anchor, if there is one
    unsigned: dict[str, Closed] = field(default_factory=dict)  # over long ago, re-opened or not, and not attested yet

    # --- good signatures ---------------------------------------------------------------------------------------------

    def vouch(self, first: int, last: int) -> None:
        """These lie under a good signature."""
        if self.vouched and self.vouched[-1][0] == first <= self.vouched[-1][1] <= last:  # mostly
            self.vouched[-1] = [first, last]
            return
        merged = [first, last]
        others = []
        for stretch in self.vouched:
            if stretch[0] <= merged[1] + 1 and merged[0] <= stretch[1] + 1:
                merged = [min(stretch[0], merged[0]), max(stretch[1], merged[1])]
            else:
                others.append(stretch)
        self.vouched = sorted([*others, merged])[-MOST_VOUCHED:]

    def is_vouched(self, first: int, last: int) -> bool:
        """Whether everything from `first` to `last` lies under good signatures."""
        return any(stretch[0] <= first and last <= stretch[1] for stretch in reversed(self.vouched))

    def are_vouched(self, seqs: Iterable[int]) -> bool:
        return all(self.is_vouched(seq, seq) for seq in seqs)

    def stands_on_signatures(self, context: Context) -> bool:
        """Whether what a round's context rests on lies under good signatures: the filing, the dealer, decks and dice in
        force, and the round before."""
        return all(self.is_vouched(*stretch) for stretch in context.rests.values())

    def wait_for_signature(self, round_id: str, kept: Closed) -> None:
        """A round of long ago whose newest version no signature vouches for: one that comes may. When there are too
        many the oldest is waited for no longer."""
        self.unsigned[round_id] = kept
        if len(self.unsigned) > MOST_UNSIGNED:
            del self.unsigned[next(iter(self.unsigned))]

    # --- copies ------------------------------------------------------------------------------------------------------

    def copy(self) -> Table:
        """The same memory, apart; without an anchor."""
        opened = {
            round_id: Open(round_id, held.context.copy(), list(held.events), held.missing, list(held.holes), held.bytes)
            for round_id, held in self.open.items()
        }
        return Table(
            self.now.copy(),
            {name: deck.copy() for name, deck in self.decks.items()},
            opened,
            self.last_seq,
            {round_id: kept.copy() for round_id, kept in self.closed.items()},
            self.greatest,
            {round_id: list(began) for round_id, began in self.again.items()},
            list(self.unread),
            [list(stretch) for stretch in self.vouched],
            dict(self.ghosts),
            unsigned={round_id: kept.copy() for round_id, kept in self.unsigned.items()},
        )

    def set_anchor(self) -> None:
        """A good signature just came: nothing said so far is made again."""
        self.anchor, self.tail, self.emitted = self.copy(), [], {}

    def follow_anchor(self, admitted: Admitted) -> None:
        """One more event that no signature vouches for yet."""
        if self.anchor is not None:
            self.tail.append(admitted)
            if len(self.tail) > MOST_TAIL:
                self.anchor, self.tail = None, []

    # --- as JSON -----------------------------------------------------------------------------------------------------

    def state(self) -> dict[str, Any]:
        """As JSON: the anchor, if there is one, and the events since, or all of it."""
        if self.anchor is not None:
            return {**self.anchor.state(), "anchored": True, "tail": [_event_state(one) for one in self.tail]}
        return {
            "now": asdict(self.now),
            "decks": {deck: asdict(known) for deck, known in self.decks.items()},
            "last_seq": self.last_seq,
            "unread": list(self.unread),
            "greatest": self.greatest,
            "again": [[round_id, began] for round_id, began in self.again.items()],
            "closed": [[round_id, asdict(kept)] for round_id, kept in self.closed.items()],
            "unsigned": [[round_id, asdict(kept)] for round_id, kept in self.unsigned.items()],
            "vouched": self.vouched,
            "ghosts": [[round_id, version] for round_id, version in self.ghosts.items()],
            "open": [
                {
                    "round": opened.round_id,
                    "context": asdict(opened.context),
                    "missing": opened.missing,
                    "holes": opened.holes,
                    "bytes": opened.bytes,
                    "events": [_event_state(one) for one in opened.events],
                }
                for opened in self.open.values()
            ],
            "anchored": False,
            "tail": [],
        }

    @classmethod
    def of(cls, said: dict[str, Any]) -> tuple[Table, list[Admitted]]:
        """From its JSON form: the memory, and the events that are to be fed to it again."""
        table = cls(
            Context.of(said["now"]),
            {deck: DeckInPlay.of(known) for deck, known in said["decks"].items()},
            {
                opened["round"]: Open(
                    opened["round"],
                    Context.of(opened["context"]),
                    [_event_of(*one) for one in opened["events"]],
                    opened["missing"],
                    opened.get("holes", []),
                    opened["bytes"],
                )
                for opened in said["open"]
            },
            said["last_seq"],
            {round_id: Closed.of(kept) for round_id, kept in said["closed"]},
            said["greatest"],
            dict(said["again"]),
            list(said["unread"]),
            [list(stretch) for stretch in said["vouched"]],
            dict(said["ghosts"]),
            unsigned={round_id: Closed.of(kept) for round_id, kept in said.get("unsigned", ())},
        )
        if said["anchored"]:
            table.set_anchor()
        return table, [_event_of(*one) for one in said["tail"]]


def _event_state(admitted: Admitted) -> list[Any]:
    return [admitted.offset, admitted.flags, admitted.raw.decode(), admitted.vouched]


def _event_of(offset: int, flags: int, text: str, vouched: list[int] | None) -> Admitted:
    raw = text.encode()
    return Admitted(offset, raw, parse_event(raw), flags, None if vouched is None else (vouched[0], vouched[1]))
