"""Against a bank, racks that lie as dealt are known at once: the slow search finds the same order, and no other."""

from __future__ import annotations

from datetime import date

import numpy as np

from ingest.simulator import default_plan, simulate
from replay.assembling.assemble import Assembler
from replay.conclude import standing_of
from replay.families.split_hands.dealt_order import order_as_dealt
from replay.families.split_hands.game import rebuild_hands
from replay.families.split_hands.pickup import orders_that_fit
from replay.families.split_hands.terms import terms_of
from replay.rounds import RoundBatch, batch_of
from schemas.admitted import Admitted
from schemas.events import parse_event


def played() -> RoundBatch:
    plan = default_plan(seed=5, tables=6, rounds=40, gaming_day=date(2026, 11, 17), games=["ma/supreme_pai_gow"])
    assembler = Assembler()
    for offset, (_, raw) in enumerate(simulate(plan)):
        assembler.feed(Admitted(offset, raw, parse_event(raw), 0))
    return batch_of(assembler.take_closed())


def test_the_search_finds_that_order_and_no_other_that_was_dealt() -> None:
    batch, recognised, banked = played(), 0, 0
    for filing, rows in standing_of(batch).filings:
        terms = terms_of(filing)
        own = batch.take(rows)
        made = rebuild_hands(own, filing).sources
        fits, order = made.dealt_order.fits, made.dealt_order.order
        banked += int((made.seats.order_by_results & made.deal.read & made.rack.whole).sum())
        for row in np.flatnonzero(fits).tolist():
            rack = own.rack[row].tobytes()
            orders = orders_that_fit(made.pickup, made.seats, (), made.rack.packets[row], rack, row, {}, terms)
            assert orders.count(tuple(order[row].tolist())) == 1
            recognised += 1
    assert recognised > 50
    assert recognised > 0.9 * banked


def test_a_rack_in_another_order_than_the_hands_fared_is_left_to_the_search() -> None:
    batch = played()
    filing, rows = max(standing_of(batch).filings, key=lambda one: len(one[1]))
    own = batch.take(rows)
    made = rebuild_hands(own, filing).sources
    began = made.presumed
    turned = made.rack.masks[:, ::-1].copy()
    packets = made.rack.packets[:, ::-1].copy()
    other = type(made.rack)(made.rack.count, made.rack.whole, packets, turned)
    found = order_as_dealt(made.pickup, made.seats, other, made.deal, began, made.counts, made.terms)
    assert not found.fits.any()
