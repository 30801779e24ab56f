"""A deck over time: what each round's rack says of it, and what the next rounds must know of that.

Three things are followed from round to round. A single deck, which every round puts back into the rack whole: a card
that is missing in one round and there again later; a card one of two alternating decks has twice while the other is
without it. A shoe, whose rack grows over many rounds: a card dealt that never reached the rack and turns up later, and
whether rack, burned cards and what is left over are together the shoe. And any deck: what was counted at the shuffle.

The assembler folds it in (`report_of`, `fold`, `deck_facts`), so that an assembled round stands alone; findings are
made of the facts by `replay.checks.deck`. Knows no game.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from replay.rounds import DEALT_TO, UNKNOWN, Fact, FactRow, RoundFlag, RoundRow
from schemas.cards import CARD_CODES, Deck, names_of

MOST_ASTRAY = 7  # cards missing or too many in one rack; with more it was not read to the end, which is another matter

_RACK_READ, _DEAL_READ = int(RoundFlag.RACK_READ), int(RoundFlag.DEAL_READ)
_CLOSED, _VOIDED = int(RoundFlag.CLOSED), int(RoundFlag.VOIDED)
_UNSURE = int(RoundFlag.GAP | RoundFlag.RACK_UNSURE)
_TO_BURN, _TO_STUB = DEALT_TO.index("burn"), DEALT_TO.index("stub")
_WHOLE_DECKS = {size: frozenset(range(size)) for size in (52, 53, 54)}

# A card astray as the state holds it, by the card's name: round, last event of that round, rounds running, and 1 where
# another card lay in its place (so that it may have been misread).
Astray = list[Any]


@dataclass
class Record:
    """What is not as it should be with one deck. Never changed once made: rounds share it."""

    since_us: int = UNKNOWN  # when the deck was brought to the table: another one may come under the same name
    gone: dict[str, Astray] = field(default_factory=dict)
    added: dict[str, Astray] = field(default_factory=dict)

    def __bool__(self) -> bool:
        return bool(self.gone or self.added)


class Report(NamedTuple):
    """What one round's rack says of the deck."""

    whole_deck: bool  # the rack should be the deck; otherwise only this round's cards were followed
    missing: str  # card names, `Td Kc`
    extra: str

    @property
    def clean(self) -> bool:
        return not self.missing and not self.extra


CLEAN_DECK, CLEAN_ROUND = Report(True, "", ""), Report(False, "", "")


def report_of(row: RoundRow) -> Report | None:
    """What a finished round says of its deck; None where it says nothing (not read, gaps, void, read in part)."""
    fixed = row.fixed
    flags, decks = fixed["flags"], fixed["decks"]
    if decks < 1 or flags & _UNSURE or not flags & _RACK_READ or not flags & _CLOSED:
        return None
    rack = row.rack
    size = decks * (52 + fixed["jokers"])
    if abs(len(rack) - size) <= MOST_ASTRAY:
        if decks == 1 and len(rack) == size and _WHOLE_DECKS[size] == frozenset(rack):
            return CLEAN_DECK
        held = Counter(rack)
        full = Counter(Deck(decks, fixed["jokers"]).codes())
        if held == full:
            return CLEAN_DECK
        return None if flags & _VOIDED else _report(True, full - held, held - full)
    if not flags & _DEAL_READ or flags & _VOIDED:
        return None
    dealt = row.dealt
    if sorted(dealt) == sorted(rack):
        return CLEAN_ROUND
    held, out = Counter(rack), Counter(dealt)
    in_play = Counter(
        card for card, to in zip(dealt, row.dealt_to, strict=True) if to not in (_TO_BURN, _TO_STUB)
    )  # a burned card or the stub may lie elsewhere
    return _report(False, in_play - held, held - out)


def _report(whole_deck: bool, missing: Counter[int], extra: Counter[int]) -> Report | None:
    if missing.total() > MOST_ASTRAY or extra.total() > MOST_ASTRAY:
        return None
    return Report(whole_deck, names_of(sorted(missing.elements())), names_of(sorted(extra.elements())))


def fold(before: Record, report: Report | None, round_id: str, last_seq: int) -> Record:
    """The deck's record after a round."""
    if report is None or (report.clean and (not report.whole_deck or not before)):
        return before
    missing, extra = report.missing.split(), report.extra.split()
    in_place = int(bool(missing) and bool(extra))
    new = [round_id, last_seq, 1, in_place]

    def astray(known: dict[str, Astray], cards: list[str]) -> dict[str, Astray]:
        return {
            card: [*known[card][:2], known[card][2] + 1, known[card][3]] if card in known else list(new)
            for card in cards
        }

    if report.whole_deck:
        return Record(before.since_us, astray(before.gone, missing), astray(before.added, extra))
    still = {card: entry for card, entry in before.gone.items() if card not in extra and card not in missing}
    return Record(before.since_us, {**still, **astray(before.gone, missing)}, before.added)


# ---- the facts of one round ----------------------------------------------------------------------------------------


class Known(NamedTuple):
    """What the table knew of the deck when the round began."""

    deck: str
    records: dict[str, Record]  # deck → its record, where anything is astray
    counted: int  # cards a device counted at the shuffle before the deal; UNKNOWN
    counted_seq: int
    removed: str  # why the deck was taken off the table before the round was settled; empty
    removed_seq: int
    rack_sure: bool  # everything that went into the rack since it was last empty was read
    burned: bytes  # cards burned since then that are not in the rack


def deck_facts(row: RoundRow, rack: bytes, known: Known) -> list[FactRow]:
    """What this round shows of its deck's past. `rack` is all the rack holds now."""
    facts: list[FactRow] = []
    fixed = row.fixed
    seq, decks = fixed["last_seq"], fixed["decks"]
    if decks < 1:
        return facts
    size = Deck(decks, fixed["jokers"]).size
    if known.counted not in (UNKNOWN, size):
        facts.append(FactRow(Fact.DECK_COUNTED, known.counted_seq, amount=size, other=known.counted))
    if known.removed and not fixed["flags"] & _VOIDED:
        facts.append(FactRow(Fact.DECK_REMOVED, known.removed_seq, choice=known.removed))
    report = report_of(row) if known.records else None
    if report is not None:
        facts += _came_back(row, report, known, size, seq)
        facts += _of_the_other_deck(report, known, seq)
    # A single deck dealt from over several rounds is a shoe too: the rack grows, or most of the deck is left and not
    # put into the rack as well. Several decks of which a round puts most into the rack are shuffled for each round.
    small = 2 * len(row.rack) < size
    left = 2 * fixed["stub_count"] > size and small
    grows = small if decks > 1 else len(rack) <= size and (len(row.rack) < len(rack) or left)
    if grows and known.rack_sure:
        facts += _shoe_total(row, rack, known.burned, size)
    return facts


def _came_back(row: RoundRow, report: Report, known: Known, size: int, seq: int) -> list[FactRow]:
    record = known.records.get(known.deck)
    if record is None:
        return []
    back = {card for card in record.gone if card not in report.missing.split()}
    if not report.whole_deck:  # only a card nobody was dealt this round has come from elsewhere
        back &= set(report.extra.split())
    facts = []
    for card in sorted(back):
        round_id, when, rounds, in_place = record.gone[card]
        code = CARD_CODES[card]
        # In the deck before the first card was dealt: nobody brought it in during this round.
        before_the_deal = report.whole_deck and (known.counted == size or code in row.dealt)
        facts.append(
            FactRow(
                Fact.CAME_BACK,
                seq,
                choice=round_id,
                hand=in_place,
                code=int(before_the_deal),
                amount=when,
                other=min(rounds, 32_000),
                card=code,
            )
        )
    return facts


def _of_the_other_deck(report: Report, known: Known, seq: int) -> list[FactRow]:
    facts = []
    for name, record in sorted(known.records.items()):
        if name == known.deck or not report.whole_deck:
            continue
        for cards, elsewhere in ((report.extra, record.gone), (report.missing, record.added)):
            for card in sorted(set(cards.split()) & elsewhere.keys()):
                round_id, when, _, _ = elsewhere[card]
                twice = int(elsewhere is record.gone)
                facts.append(
                    FactRow(
                        Fact.OTHER_DECK,
                        seq,
                        wager=name,
                        choice=round_id,
                        code=twice,
                        amount=when,
                        card=CARD_CODES[card],
                    )
                )
    return facts


def burned_aside(row: RoundRow) -> bytes:
    """Cards this round burned that are not in its rack."""
    if _TO_BURN not in row.dealt_to:
        return b""
    burned = Counter(card for card, to in zip(row.dealt, row.dealt_to, strict=True) if to == _TO_BURN)
    played = Counter(card for card, to in zip(row.dealt, row.dealt_to, strict=True) if to not in (_TO_BURN, _TO_STUB))
    return bytes(sorted((burned - (Counter(row.rack) - played)).elements()))


def _shoe_total(row: RoundRow, rack: bytes, burned: bytes, size: int) -> list[FactRow]:
    """Rack, burned and left over, where somebody counted or read what is left; a fact only where they are not all."""
    fixed = row.fixed
    flags = fixed["flags"]
    read = bytes(card for card, to in zip(row.dealt, row.dealt_to, strict=True) if to == _TO_STUB)
    complete = fixed["stub_count"] != UNKNOWN or bool(read)
    if not complete or flags & (_UNSURE | _VOIDED) or not flags & _CLOSED or not flags & _RACK_READ:
        return []
    in_rack = sum((Counter(row.rack) & Counter(read)).values()) == len(read)  # the rest of the shoe was put in as well
    left = 0 if read and in_rack else len(read) or fixed["stub_count"]
    aside = burned + burned_aside(row)
    total = len(rack) + len(aside) + left
    if total == size:
        return []
    which = ""
    if read:
        full = Counter(Deck(fixed["decks"], fixed["jokers"]).codes())
        here = Counter(rack) + Counter(aside) + (Counter() if in_rack else Counter(read))
        astray = sorted(((full - here) if total < size else (here - full)).elements())
        which = names_of(astray) if len(astray) <= MOST_ASTRAY else ""
    seq = fixed["stub_seq"] if fixed["stub_seq"] != UNKNOWN else fixed["last_card_seq"]
    return [
        FactRow(Fact.SHOE_TOTAL, seq, choice=which, hand=min(len(aside), 127), amount=total, taken=size, other=left)
    ]
