"""What was not done as the rules say, beside players' choices: the player-dealer's draws, the action button, wagers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt

from replay.checks.action_button import Seen, Short, button_held_against_cards, button_not_where_it_belongs
from replay.checks.wagers import late_wagers, wagers_not_offered, wagers_outside_limits, wagers_without_base
from replay.families.blackjack import drawing
from replay.families.blackjack.choices import total_in_words
from replay.families.blackjack.hands import BASES, Evidence, Hands, card_events, confidence
from replay.families.blackjack.law import BASE, DOUBLE
from replay.families.blackjack.play import Play
from replay.families.blackjack.settlement import spots_of_bets
from replay.families.blackjack.terms import Terms
from replay.money.action_button import action_buttons
from replay.money.bets import UNKNOWN_KIND, Bets, Voids
from replay.money.fees import deal_begun
from replay.money.wagers import LateEvent, Wagers
from replay.remarks import Remark, Subject
from replay.rounds import Ints, RoundBatch
from schemas.cards import NO_CARD, name_of, names_of
from schemas.findings import Basis

Bools = npt.NDArray[np.bool_]


def dealer_draws_wrong(batch: RoundBatch, hands: Hands, voided: Bools, terms: Terms) -> Iterator[Remark]:
    """DEAL-303: the player-dealer drew on what must stand, or stood on what must be hit; settled by the cards as they
    lie."""
    chart = terms.law.player_dealer
    rows = np.flatnonzero(hands.dealer_known & ~voided)
    cards = hands.dealer[rows]
    drew, stood = drawing.drew_against(chart, cards), drawing.stood_against(chart, cards)
    remarked = {remark.row for remark in hands.remarks if remark.subject is Subject.THIRD_CARD}
    for at in np.flatnonzero((drew > 0) | stood).tolist():
        row, held = int(rows[at]), cards[at][cards[at] != NO_CARD]
        if row in remarked or row in hands.others:
            continue  # said with what else it may be, or another reading of the cards keeps the chart
        count = int(drew[at])
        totals = drawing.counted((held[:count] if count else held)[None, :]).totals
        total = total_in_words(totals, 0)
        if count:
            said = f"the player-dealer drew on {total} ({names_of(held[:count].tobytes())}), which must stand"
        else:
            said = f"the player-dealer stood on {total} ({names_of(held.tobytes())}), which must be hit"
        yield Remark(
            row,
            "DEAL-303",
            said,
            chart.stand_rule if count else chart.hit_rule,
            evidence=card_events(batch, row),
            confidence=confidence(hands, row),
            basis=BASES[Evidence(int(hands.evidence[row]))],
        )


def button_wrong(
    batch: RoundBatch, hands: Hands, wrong: Iterable[Short], short: Iterable[Short], voided: Bools, terms: Terms
) -> Iterator[Remark]:
    """BUTTON-802 and BUTTON-805. `wrong` are the rounds in which cover runs out and no reading of the cards has the
    button right; `short` those in which it runs out by the first."""
    law = terms.law.button
    down = hands.dealer[:, 1]

    def seen(row: int) -> Seen:
        return Seen(card_events(batch, row), confidence(hands, row), BASES[Evidence(int(hands.evidence[row]))])

    def why(row: int) -> str:
        return f"{law.card} card {name_of(int(down[row]))} {law.counts(int(down[row]))}"

    yield from button_not_where_it_belongs(batch, wrong, why, seen, law.cite)
    rows = np.flatnonzero(hands.dealer_known & ~voided)
    rows = rows[[row not in hands.others for row in rows.tolist()]] if hands.others else rows
    yield from button_held_against_cards(batch, rows, [down], {one.row for one in short}, terms.seats, seen, law)
    yield from _button_on_empty_seat(batch, rows, hands, terms)


def _button_on_empty_seat(batch: RoundBatch, rows: Ints, hands: Hands, terms: Terms) -> Iterator[Remark]:
    """BUTTON-802 of a button put where there is no seat, or before the player-dealer, who is never counted."""
    placed = action_buttons(batch)
    for row in np.flatnonzero(placed.seq >= 0).tolist():
        seat = int(placed.seat[row])
        if 1 <= seat <= terms.seats and seat != batch.bank_seat[row]:
            continue
        if placed.card[row] != NO_CARD and row in set(rows.tolist()):
            continue  # held against the card that decided it
        own = seat == batch.bank_seat[row]
        what = "the player-dealer's own seat, which is never counted" if own else f"place {seat}, where nobody sits"
        yield Remark(
            row,
            "BUTTON-802",
            f"the action button was put at {what}",
            terms.law.button.cite,
            seat=seat or None,
            evidence=(int(placed.seq[row]),),
            basis=Basis.REPORTS,
        )


def wagers_wrong(
    batch: RoundBatch, play: Play, wagers: Wagers, bets: Bets, closed: Ints, voids: Voids, terms: Terms
) -> Iterator[Remark]:
    law = terms.law

    def given_back(event: LateEvent) -> bool:
        return bool(voids.rounds[event.row]) or (event.row, event.seat) in voids.seats

    yield from late_wagers(batch, wagers, deal_begun(batch), closed, given_back, law.titles, law.late)
    yield from wagers_outside_limits(batch, wagers, terms.bounds, law.titles)
    nowhere = (spots_of_bets(play, bets) < 0) & (bets.hand > 0) & (bets.kind != UNKNOWN_KIND)
    strange = (bets.kind == UNKNOWN_KIND) | nowhere
    yield from wagers_not_offered(batch, wagers, strange, terms.seats, law.titles, law.offered)
    alone = (bets.kind == DOUBLE) & ~_has_base(bets) & ~strange
    yield from wagers_without_base(batch, wagers, alone, law.base.name, law.titles, law.doubling.most)


def _has_base(bets: Bets) -> Bools:
    """Of each bet whether its bettor has a wager on the same hand."""
    keys = np.stack([bets.row, bets.seat, bets.hand, bets.bettor]).astype(np.int64)
    _, number = np.unique(keys, axis=1, return_inverse=True)
    number = number.reshape(-1)
    has = np.zeros(int(number.max(initial=-1)) + 1, bool)
    has[number[bets.kind == BASE]] = True
    return has[number] if len(has) else np.zeros(0, bool)
