"""Hands that draw towards a total against the player-dealer's: what `replay.game` asks of a family."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from replay.cards.cutting import cut
from replay.cards.reading import RackReading
from replay.cards.solver.budget import Searches
from replay.checks.bank_turns import bank_turns
from replay.checks.deck import deck_remarks
from replay.families.blackjack.case_round import row_of_case
from replay.families.blackjack.choices import Choices, choices_wrong
from replay.families.blackjack.every_reading import Settlements, alternatives, settle_every_reading
from replay.families.blackjack.hands import BASES, Evidence, Hands, Round, Sources, reconstruct, sources_of
from replay.families.blackjack.law import BASE, Law
from replay.families.blackjack.one_round import one_round
from replay.families.blackjack.play import Play, play_of
from replay.families.blackjack.procedure import button_wrong, dealer_draws_wrong, wagers_wrong
from replay.families.blackjack.settlement import spots_of_bets
from replay.families.blackjack.terms import Terms, problem_with, terms_of
from replay.families.blackjack.views import hand_views, order_view, rack_reading
from replay.filing import Filing
from replay.game import Checked, HandView
from replay.lines import Lines, join_lines
from replay.money.bets import Bets, Voids, bets_of, closing_seq, voids_of
from replay.money.fees import fee_lines, rates_filed, stakes_when_closed
from replay.money.wagers import Wagers, resolve_wagers
from replay.remarks import Remark
from replay.rounds import Fact, Ints, RoundBatch
from schemas.findings import Basis

__all__ = ["LAW_TYPE", "check", "check_filing", "cut_rack", "rebuild_hands", "row_of_case"]

LAW_TYPE = Law
"""What such a game asks of its pack: `LAW` in rules.py."""


def check_filing(filing: Filing) -> str | None:
    """What is wrong with the options taken together; None if nothing is."""
    return problem_with(filing)


def cut_rack(filing: Filing, cards: bytes, dealt: Sequence[bytes]) -> list[int] | None:
    """How many of the cards scanned after several rounds each of them put in. How many a round has follows from its
    play, so a round whose deal was not read is what the others leave."""
    return cut(cards, dealt)


@dataclass(frozen=True)
class Rebuilt:
    """The hands of a batch, and who bet on them."""

    terms: Terms
    voids: Voids
    closed: Ints  # (n,) when betting closed
    wagers: Wagers
    bets: Bets
    sources: Sources
    hands: Hands

    @property
    def play(self) -> Play:
        return self.sources.play


def rebuild_hands(
    batch: RoundBatch, filing: Filing, doubted: bool = False, searches: Searches | None = None
) -> Rebuilt:
    terms = terms_of(filing)
    searches = Searches.of_all(len(batch)) if searches is None else searches
    voids, closed = voids_of(batch), closing_seq(batch)
    wagers = resolve_wagers(batch, [terms.law.base.name], closed, later_hands=True)
    bets = bets_of(batch, wagers, voids, terms.law.kinds)
    play = play_of(batch, bets, _withdrawn(batch, wagers, bets, terms), terms)
    sources = sources_of(batch, play, terms)
    wagered = np.zeros(len(batch), bool)
    wagered[bets.row] = True

    def alone(row: int, voided: bool) -> Round:
        return one_round(sources, row, bool(wagered[row]), voided)

    hands = reconstruct(sources, alone, wagered, voids.rounds, doubted)
    return Rebuilt(terms, voids, closed, wagers, bets, sources, hands)


def _withdrawn(batch: RoundBatch, wagers: Wagers, bets: Bets, terms: Terms) -> Ints:
    """First hands that were dealt to a wager taken back after betting had closed: round, seat, event."""
    base = batch.name_id(terms.law.base.name)
    mine = bets.kind == BASE
    standing = set(zip(bets.row[mine].tolist(), bets.seat[mine].tolist(), strict=True))
    found = [
        (late.row, late.seat, late.seq)
        for late in wagers.late_events
        if late.what == "withdrawn" and late.wager == base and 1 <= late.seat <= terms.seats
    ]
    gone = [(row, seat, seq) for row, seat, seq in found if (row, seat) not in standing]
    return np.array(gone, np.int64).reshape(-1, 3)


def check(batch: RoundBatch, filing: Filing, doubted: bool = False, searches: Searches | None = None) -> Checked:
    """All rounds of `batch` were played under `filing`."""
    made = rebuild_hands(batch, filing, doubted, searches)
    terms, hands, sources = made.terms, made.hands, made.sources
    settled = settle_every_reading(batch, made.play, made.bets, hands, terms)
    fees = _fees(batch, filing, made)
    lines = join_lines([settled.first.lines, fees])
    by_reading = alternatives(lines, settled, fees, hands)
    if by_reading:
        lines = lines.where(~np.isin(lines.row, list(by_reading)))
    # Cover runs out and there is no seat to count the button from: what each wager should come to cannot be known.
    nobody_knows = (lines.kind == Fact.SETTLED) & (lines.by_reports == 0) & np.isin(lines.row, list(settled.bad_bank))
    short = {round_.row: round_ for round_ in settled.first.short}

    def hands_of(row: int) -> list[HandView]:
        return hand_views(sources, hands, row)

    def order_of(row: int) -> str:
        return order_view(short.get(row), int(batch.bank_posted_cents[row]), terms)

    def reading_of(row: int) -> RackReading:
        return rack_reading(sources, hands, row)

    def basis(row: int) -> Basis:
        return BASES[Evidence(int(hands.evidence[row]))]

    return Checked(
        lines.opened(nobody_knows) if settled.bad_bank else lines,
        _remarks(batch, made, settled),
        {row: why for row, why in hands.why_not.items() if row not in settled.bad_bank},
        {row: _nowhere_to_count_from(batch, row, terms) for row in sorted(settled.bad_bank)},
        by_reading,
        hands_of,
        settlement_order=order_of,
        answers=hands.answers,
        settled_otherwise=hands.settled_otherwise,
        reading=reading_of,
        hands_from=basis,
        fee_rates=rates_filed({**filing.pack.fees, terms.schedule.id: terms.schedule}),  # the casino's own as well
        beyond_dispute=lambda row: row not in hands.answers and basis(row) is Basis.DEAL_AND_RACK,
    )


def _fees(batch: RoundBatch, filing: Filing, made: Rebuilt) -> Lines:
    """Fees are counted on the wagers on first hands; doubles, splits and surrenders change none."""
    stakes = stakes_when_closed(made.wagers)
    base = batch.name_id(made.terms.law.base.name)
    return fee_lines(
        batch,
        made.terms.schedule,
        stakes.where((stakes.wager == base) & (stakes.hand == 0)),
        filing.text("drop_box"),
        [made.terms.law.base.name],
    )


def _remarks(batch: RoundBatch, made: Rebuilt, settled: Settlements) -> list[Remark]:
    terms, voids, bets, hands = made.terms, made.voids, made.bets, made.hands
    law, play = terms.law, made.play
    choices = Choices(batch, play, bets, spots_of_bets(play, bets), hands, settled.first.came, voids.rounds, terms)
    return [
        *hands.remarks,
        *deck_remarks(batch, law.deck),
        *dealer_draws_wrong(batch, hands, voids.rounds, terms),
        *choices_wrong(choices),
        *wagers_wrong(batch, play, made.wagers, bets, made.closed, voids, terms),
        *button_wrong(batch, hands, settled.button_wrong, settled.first.short, voids.rounds, terms),
        *bank_turns(batch, law.bank_turns),
    ]


def _nowhere_to_count_from(batch: RoundBatch, row: int, terms: Terms) -> str:
    return f"seat {batch.bank_seat[row]} has the bank, and the table has {terms.seats} seats to count from"
