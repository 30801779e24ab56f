"""Rounds of the commission-free game that are read as columns come to what each comes to when it is read by itself."""

from __future__ import annotations

from dataclasses import replace
from datetime import date
from random import Random

import numpy as np
import pytest

from ingest.simulator import default_plan, simulate
from replay.assembling.assemble import Assembler
from replay.conclude import standing_of
from replay.families.ante_raise.hands import hands_of, rebuild_round, sources_of
from replay.families.ante_raise.in_order import in_order
from replay.families.ante_raise.odd_racks import is_odd
from replay.families.ante_raise.seats import seats_of
from replay.families.ante_raise.terms import terms_of
from replay.filing import Filing
from replay.rounds import NO_DECK, UNKNOWN, RoundBatch, RoundRow, batch_of
from schemas.admitted import Admitted
from schemas.events import parse_event
from schemas.findings import Basis

COLUMNS = ("cards", "count", "set_known", "set_wrong", "or_set", "disputed", "shown_set")


@pytest.fixture(scope="module")
def rows() -> list[RoundRow]:
    plan = default_plan(5, 10, 60, gaming_day=date(2026, 11, 17), games=("flt/supreme_pai_gow",))
    assembler = Assembler()
    for offset, (_, raw) in enumerate(simulate(plan)):
        assembler.feed(Admitted(offset, raw, parse_event(raw), 0))
    return assembler.take_closed()


def compared(batch: RoundBatch, filing: Filing) -> tuple[int, int]:
    """How many of these rounds are read as columns, and how many there are; all that are, are as when read alone."""
    terms = terms_of(filing)
    seats = seats_of(batch, terms)
    found = in_order(batch, seats, filing.pickup, terms)
    sources = sources_of(batch, seats, filing.pickup, terms, np.arange(len(batch)))
    rounds = [rebuild_round(sources, row) for row in range(len(batch))]
    hands, remarks = hands_of(sources, [one.readings for one in rounds], range(len(batch)))
    at = np.flatnonzero(found.rows)
    for name in COLUMNS:
        alone, together = getattr(hands, name)[at], getattr(found.hands, name)[at]
        assert (alone == together).all(), name
    assert not {remark.row for remark in remarks} & set(at.tolist())
    for row in at.tolist():
        one = rounds[row]
        assert len(one.readings) == 1 and not one.remarks and not is_odd(sources, row, one, doubted=False)
        assert one.basis is (Basis.DEAL_AND_RACK if found.dealt[row] else Basis.RACK)
    return len(at), len(batch)


def all_compared(rows: list[RoundRow]) -> tuple[int, int]:
    batch = batch_of(rows)
    counts = [compared(batch.take(of_filing), filing) for filing, of_filing in standing_of(batch).filings]
    return sum(one for one, _ in counts), sum(one for _, one in counts)


def test_nearly_all_rounds_of_a_clean_day_are_read_as_columns(rows: list[RoundRow]) -> None:
    read, of = all_compared(rows)
    assert of == len(rows) and read > 0.95 * of


def swapped(cards: bytes, rng: Random, places: int = 2) -> bytes:
    """The cards with some of them in each other's places."""
    at = rng.sample(range(len(cards)), min(places, len(cards)))
    moved = list(cards)
    for one, other in zip(at, [*at[1:], *at[:1]], strict=True):
        moved[one] = cards[other]
    return bytes(moved)


def with_deal(row: RoundRow, cards: bytes, places: list[int]) -> RoundRow:
    return replace(row, dealt=cards, dealt_place=places, dealt_to=b"", dealt_deck=b"")


def disturbed(row: RoundRow, kind: str, rng: Random) -> RoundRow:
    """The round with one thing reported otherwise."""
    shown = list(row.shown)
    match kind:
        case "two cards of the rack are exchanged":
            return replace(row, rack=swapped(row.rack, rng))
        case "a rack card is there twice":
            return replace(row, rack=row.rack[:-1] + row.rack[:1])
        case "the rack is turned over":
            return replace(row, rack=row.rack[::-1])
        case "the rack holds another deck's card":
            return replace(row, rack_deck=bytes([1]) + bytes([NO_DECK, 0]) + bytes(len(row.rack) - 3))
        case "all cards are of one deck":
            return replace(row, rack_deck=bytes([NO_DECK]) + bytes(len(row.rack) - 1))
        case "two dealt cards are exchanged":
            return replace(row, dealt=swapped(row.dealt, rng))
        case "nobody saw where the cards went":
            return replace(row, dealt_place=[UNKNOWN] * len(row.dealt))
        case "one card was not seen to its place":
            return replace(row, dealt_place=[UNKNOWN, *row.dealt_place[1:]])
        case "the deal was not read":
            return with_deal(row, b"", [])
        case "a card too few was read":
            return with_deal(row, row.dealt[:-1], row.dealt_place[:-1])
        case "the whole deck was read":
            rest = bytes(set(row.rack) - set(row.dealt))
            return with_deal(row, row.dealt + rest, [*row.dealt_place, *[UNKNOWN] * len(rest)])
        case "the stub was counted":
            return replace(row, fixed={**row.fixed, "stub_count": len(set(row.rack) - set(row.dealt))})
        case "the stub was counted wrong":
            return replace(row, fixed={**row.fixed, "stub_count": len(set(row.rack) - set(row.dealt)) + 1})
        case "nothing was shown":
            return replace(row, shown=[])
        case "a hand was shown with its cards exchanged" if shown:
            at = rng.randrange(len(shown))
            shown[at] = shown[at]._replace(cards=swapped(shown[at].cards, rng))
        case "a hand was shown with no setting" if shown:
            at = rng.randrange(len(shown))
            shown[at] = shown[at]._replace(low=rng.choice((0, 1, 3)))
        case "a hand was shown in part" if shown:
            at = rng.randrange(len(shown))
            shown[at] = shown[at]._replace(cards=bytes([255]) + shown[at].cards[2:])
        case "a hand was shown with a card twice" if shown:
            at = rng.randrange(len(shown))
            shown[at] = shown[at]._replace(cards=shown[at].cards[:-1] + shown[at].cards[:1])
        case "a hand was shown with another's card" if shown:
            at = rng.randrange(len(shown))
            shown[at] = shown[at]._replace(cards=shown[at].cards[:-1] + row.rack[-9:-8])
        case "a hand was shown again, otherwise" if shown:
            again = rng.choice(shown)
            shown.append(again._replace(cards=again.cards[::-1], seq=again.seq + rng.choice((-1, 1))))
        case "a hand was shown at another's place" if shown:
            shown[0] = shown[0]._replace(place=rng.choice((-1, 1, 5, 9)))
    return replace(row, shown=shown)


KINDS = (
    "two cards of the rack are exchanged",
    "a rack card is there twice",
    "the rack is turned over",
    "the rack holds another deck's card",
    "all cards are of one deck",
    "two dealt cards are exchanged",
    "nobody saw where the cards went",
    "one card was not seen to its place",
    "the deal was not read",
    "a card too few was read",
    "the whole deck was read",
    "the stub was counted",
    "the stub was counted wrong",
    "nothing was shown",
    "a hand was shown with its cards exchanged",
    "a hand was shown with no setting",
    "a hand was shown in part",
    "a hand was shown with a card twice",
    "a hand was shown with another's card",
    "a hand was shown again, otherwise",
    "a hand was shown at another's place",
)


def test_rounds_in_which_something_is_otherwise_are_read_the_same_way_too(rows: list[RoundRow]) -> None:
    rng = Random(11)
    whole = [row for row in rows if len(row.dealt) > 2 and len(row.rack) > 2]
    some = [disturbed(rng.choice(whole), kind, rng) for kind in KINDS for _ in range(25)]
    read, of = all_compared(some)
    assert of == len(some) and 0.2 * of < read < 0.8 * of, "some of each, or nothing was tried"
