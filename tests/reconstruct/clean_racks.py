"""Rounds as simulated tables play them, their racks in order, and whether the hands rebuilt are those that were held.

The simulator's own record of who held what never leaves it but for this.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ingest.simulator import USUAL_GAMES, Labels, Plan, default_plan, game_names, simulate
from replay.assembling.assemble import Assembler
from replay.audit import audit
from replay.filing import Filing, filing_of, game_module
from replay.rounds import RoundBatch, RoundFlag, RoundRow, batch_of
from schemas.admitted import Admitted
from schemas.cards import NO_CARD
from schemas.events import parse_event

BOUND = ("ma/pai_gow_poker", "ca/supreme_baccarat")
"""Rebuilt against the clock, with a bound on what a round may cost, and every reading held against the truth."""
GAMES = (*BOUND, *(name for name in game_names() if name not in BOUND))
LUCKY = 0.02  # share of pai gow rounds with a premium hand put in
Hands = dict[int, list[int]]


@dataclass
class Piece:
    """Some rounds: assembled, as bytes, and as they were really played."""

    rows: list[RoundRow]
    played: list[Hands]
    events: list[bytes]  # only where they are to be timed


def simulate_piece(task: tuple[str, int, int, bool]) -> Piece:
    pack, seed, rounds, timed = task
    every = default_plan(seed=seed, tables=32, rounds=1, games=USUAL_GAMES if pack in BOUND else (pack,))
    tables = [table for table in every.tables if table.game == pack]
    lucky_rate = LUCKY if not timed and pack == "ma/pai_gow_poker" else 0.0  # the clock is for what chance deals
    plan = Plan(seed, every.gaming_day, tables, max(1, rounds // len(tables)), lucky_rate=lucky_rate)
    labels = Labels(hands={})
    assembler, events = Assembler(), []
    for offset, (_, raw) in enumerate(simulate(plan, labels)):
        assembler.feed(Admitted(offset, raw, parse_event(raw), 0))
        if timed:
            events.append(raw)
    assert labels.hands is not None
    rows, played = [], []
    for row in assembler.take_closed():
        hands = labels.hands.get((row.named["table_id"], row.named["round_id"]))
        if hands is not None:  # not called void
            rows.append(row)
            played.append(hands)
    return Piece(rows, played, events)


def rack_only(rows: list[RoundRow]) -> list[RoundRow]:
    """The rounds with nothing seen of the cards but the rack."""
    return [
        replace(
            row,
            dealt=b"",
            dealt_place=[],
            dealt_to=b"",
            dealt_deck=b"",
            shown=[],
            fixed={**row.fixed, "flags": row.fixed["flags"] & ~RoundFlag.DEAL_READ},
        )
        for row in rows
    ]


def by_filing(batch: RoundBatch) -> Iterator[tuple[Filing, np.ndarray[Any, np.dtype[np.int64]], RoundBatch]]:
    filings = batch.named["filing"]
    for number in np.unique(filings).tolist():
        filing = filing_of(batch.names[number])
        index = np.flatnonzero(filings == number)
        yield filing, index, batch.take(index).mentioning(filing.pack.data.wagers)


def rebuild_hands(batch: RoundBatch, filing: Filing) -> Any:
    family: Any = game_module(filing.pack)
    return family.rebuild_hands(batch, filing)


def pai_gow_kinds(made: Any, played: list[Hands]) -> Iterator[str]:
    """What became of each round: read one way and right, several ways with the right one among them, or wrong."""
    hands = made.hands
    for row, truth in enumerate(played):
        entries = hands.readings.get(row, [row])
        right = [_pai_gow_right(hands, entry, truth) for entry in entries]
        remarked = any(remark.row == row for remark in hands.remarks)
        yield _kind(right, remarked or row in made.answers)


def _pai_gow_right(hands: Any, entry: int, truth: Hands) -> bool:
    for place, cards in truth.items():
        held = hands.cards[entry, place].tolist()
        if not hands.known[entry, place] or sorted(held) != sorted(cards):
            return False
        if hands.set_known[entry, place] and place in hands_set(hands, entry) and set(held[:2]) != set(cards[:2]):
            return False
    return True


def hands_set(hands: Any, entry: int) -> list[int]:
    """Places whose setting the hands claim to know."""
    return [int(place) for place in np.flatnonzero(hands.set_known[entry])]


def baccarat_kinds(made: Any, played: list[Hands]) -> Iterator[str]:
    hands = made.hands
    for row, truth in enumerate(played):
        found = [
            [[card for card in side[row].tolist() if card != NO_CARD] for side in (hands.player, hands.banker)],
        ]
        found += [[list(other.player), list(other.banker)] for other in hands.others.get(row, ())]
        right = [[truth[0], truth[1]] == hand for hand in found]
        yield _kind(right, row in hands.why_not or any(remark.row == row for remark in hands.remarks))


def _kind(right: list[bool], remarked: bool) -> str:
    if not any(right):
        return "wrong"
    if remarked:
        return "remarked"
    return "unique" if len(right) == 1 else "ambiguous"


KINDS: dict[str, Callable[[Any, list[Hands]], Iterator[str]]] = {
    "ma/pai_gow_poker": pai_gow_kinds,
    "ca/supreme_baccarat": baccarat_kinds,
}


def audited_kinds(rows: list[RoundRow], played: list[Hands]) -> Iterator[str]:
    """The same of any game, by what its audit says of each rack. Where several readings are left it says only the
    first of them, so these are not held against the truth. Of a seat with several hands the record has the first."""
    for filed in audit(batch_of(rows)).by_filing:
        for within, row in enumerate(filed.rows.tolist()):
            read = filed.checked.reading(within)
            if read is None or within in filed.checked.answers:
                yield "remarked"
            elif read.readings > 1:
                yield "ambiguous"
            else:
                first = {place: parts for (place, number), parts in read.hands.items() if not number}
                held = {place: sorted(card for _, cards in parts for card in cards) for place, parts in first.items()}
                right = all(held.get(place, []) == sorted(cards) for place, cards in played[row].items())
                yield "unique" if right else "wrong"


def kinds_of(pack: str, rows: list[RoundRow], played: list[Hands]) -> Counter[str]:
    if pack not in KINDS:
        return Counter(audited_kinds(rows, played))
    found: Counter[str] = Counter()
    for filing, index, batch in by_filing(batch_of(rows)):
        found.update(KINDS[pack](rebuild_hands(batch, filing), [played[at] for at in index.tolist()]))
    return found
