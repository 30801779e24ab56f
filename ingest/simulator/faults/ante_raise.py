"""What goes wrong where an ante is folded or raised: the raise, the royalty, three more cards, the dealer's eighth."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.simulator.faults import visible
from ingest.simulator.faults.injection import Injection
from ingest.simulator.faults.money import of
from ingest.simulator.games.flt_supreme_pai_gow.odds import EIGHTH_ODDS
from ingest.simulator.games.flt_supreme_pai_gow.sides import (
    DEALER,
    another_tables_odds,
    best,
    eighth_card,
    eighth_odds,
)
from ingest.simulator.paytables import QUALIFYING_CENTS
from ingest.simulator.plan import TablePlan
from ingest.simulator.played import Bet, Envy, Settled, SplitPlayed

if TYPE_CHECKING:
    from ingest.simulator.games.flt_supreme_pai_gow.game import FltTable

RAISE, ROYALTY = "raise", "ante_royalty"


# ---- at which tables -----------------------------------------------------------------------------------------------


def offers_the_eighth_card(table: TablePlan) -> bool:
    return table.filing().get("eighth_card_paytable") != "none"


def limits_the_royalty(table: TablePlan) -> bool:
    return bool(table.filing().get("ante_royalty_aggregate_cents"))


def deals_seven_to_the_folded(table: TablePlan) -> bool:
    filed = table.filing()
    offered = any(filed.get(f"{name}_paytable") != "none" for name in ("insurance", "emperors", "seven_card_bonus"))
    return offered and visible.reads_the_deal(table)


# ---- what is done --------------------------------------------------------------------------------------------------


def raised_too_much(injection: Injection, played: SplitPlayed, table: FltTable) -> None:
    """More than four times the ante or, where only whole times are filed, one and a half times."""
    raises = [bet for bet in played.bets if bet.wager == RAISE]
    if raises:
        bet = table.rng.choice(raises)
        ante = played.cents(bet.seat, table.base)
        wrong = [5 * ante, 6 * ante, 4 * ante + 100]
        if table.options.raise_multiples == "whole" and ante % 2 == 0:
            wrong.append(3 * ante // 2)
        bet.cents = table.rng.choice(wrong)
        injection.done(f"raised by {bet.cents} cents on an ante of {ante}", bet.seat, RAISE)


def folded_paid(injection: Injection, played: SplitPlayed, table: FltTable) -> None:
    folded = [each for each in of(played, "lose", wager=table.base) if each.bet.seat in played.folded]
    if folded:
        each = table.rng.choice(folded)
        each.outcome, each.paid_cents, each.taken_cents = "win", each.bet.cents, 0
        injection.done(f"{each.bet.cents} cents paid on a hand that was folded", each.bet.seat, table.base)


def royalty_wrong(injection: Injection, played: SplitPlayed, table: FltTable) -> None:
    for each in of(played, "win", wager=ROYALTY):
        others = sorted({odds * each.bet.cents for odds in table.royalty_odds.values()} - {each.paid_cents})
        right, each.paid_cents = each.paid_cents, table.rng.choice(others)
        injection.done(f"paid {each.paid_cents} cents for {right}", each.bet.seat, ROYALTY)
        return


def royalty_unpaid(injection: Injection, played: SplitPlayed, table: FltTable) -> None:
    royalties = of(played, "win", wager=ROYALTY)
    if royalties:
        one = table.rng.choice(royalties)
        played.settled = [each for each in played.settled if each is not one]
        injection.done(f"{one.paid_cents} cents not paid", one.bet.seat, ROYALTY)


def royalty_not_due(injection: Injection, played: SplitPlayed, table: FltTable) -> None:
    due = {each.bet.seat for each in of(played, "win", wager=ROYALTY)}
    _pay_royalty(injection, played, table, [seat for seat in played.seats if seat not in (*due, *played.folded)])


def royalty_for_a_fold(injection: Injection, played: SplitPlayed, table: FltTable) -> None:
    _pay_royalty(injection, played, table, played.folded)


def _pay_royalty(injection: Injection, played: SplitPlayed, table: FltTable, seats: list[int]) -> None:
    if seats:
        seat = table.rng.choice(seats)
        bet = Bet(seat, ROYALTY, played.cents(seat, table.base))
        cents = min(table.royalty_odds.values()) * bet.cents
        played.settled.append(Settled(bet, "win", paid_cents=cents))
        injection.done(f"{cents} cents paid for no hand", seat, ROYALTY)


def royalty_aggregate_ignored(injection: Injection, played: SplitPlayed, table: FltTable) -> None:
    for each in of(played, "win", wager=ROYALTY):
        full = (best(table.royalty_odds, played.hands[each.bet.seat]) or 0) * each.bet.cents
        if full > each.paid_cents:
            right, each.paid_cents = each.paid_cents, full
            injection.done(f"paid {full} cents at the odds, the aggregate leaves {right}", each.bet.seat, ROYALTY)
            return


def raise_not_pushed(injection: Injection, played: SplitPlayed, table: FltTable) -> None:
    """One hand beats the dealer's, and the raise is paid as if both did."""
    for each in of(played, "push", wager=RAISE):
        each.outcome, each.paid_cents = "win", each.bet.cents
        injection.done(f"{each.paid_cents} cents paid on a push", each.bet.seat, RAISE)
        return


def ante_pushed(injection: Injection, played: SplitPlayed, table: FltTable) -> None:
    """One hand beats the dealer's, and the ante goes back with the raise."""
    pushed = {each.bet.seat for each in of(played, "push", wager=RAISE)}
    for each in of(played, "win", wager=table.base):
        if each.bet.seat in pushed:
            right, each.outcome, each.paid_cents = each.paid_cents, "push", 0
            injection.done(f"{right} cents not paid", each.bet.seat, table.base)
            return


def wrong_eighth_card(injection: Injection, played: SplitPlayed, table: FltTable) -> None:
    """A wager on the eighth card is settled by another card of the dealer's."""
    odds_of = EIGHTH_ODDS[table.options.eighth_card_paytable]
    others = [card for card in played.hands[DEALER] if card != eighth_card(played)]
    for each in played.settled:
        rows = odds_of.get(each.bet.wager)
        right = rows and eighth_odds(rows, eighth_card(played))
        wrong = [odds for card in others if rows and (bool(odds := eighth_odds(rows, card)) != bool(right))]
        if wrong:
            odds = table.rng.choice(wrong)
            each.outcome = "win" if odds else "lose"
            each.paid_cents, each.taken_cents = (odds * each.bet.cents, 0) if odds else (0, each.bet.cents)
            injection.done(f"settled as a {each.outcome} by another card", each.bet.seat, each.bet.wager)
            return


def eighth_left_out_wrong(injection: Injection, played: SplitPlayed, table: FltTable) -> None:
    """The dealer's hand is set otherwise than the house way says, and so another card is left over."""
    right, hand = played.settings[DEALER], played.hands[DEALER]
    eighth = eighth_card(played)
    others = [
        setting
        for setting in (table.settings_of(hand) if table.set_by_house(played) else ())
        if table.keys(setting) != table.keys(right)
        and not table.is_foul(setting)
        and not {card >> 2 for card in hand if card not in (*setting[0], *setting[1])} & {eighth >> 2}
    ]
    if others:
        played.settings[DEALER] = table.rng.choice(others)
        injection.done("another card left over than the house way says")


def left_with_four(injection: Injection, played: SplitPlayed, table: FltTable) -> None:
    """Somebody with a wager on seven cards folds and is dealt no more."""
    seats = [seat for seat in played.seats if table.live_side(played, seat)]
    if seats:
        seat = played.left_with_four = table.rng.choice(seats)
        injection.done("folded, and three cards short of a wager on seven", seat)


def envy_for_own_hand(injection: Injection, played: SplitPlayed, table: FltTable) -> None:
    for seat in played.seats:
        name = table.class_of(played.hands[seat]) or ""
        if name in table.envy_cents and played.cents(seat, table.envy_side) >= QUALIFYING_CENTS:
            played.envies.append(Envy(seat, seat, table.envy_cents[name], wager=table.envy_side))
            injection.done(f"{table.envy_cents[name]} cents for one's own hand", seat, table.envy_side)
            return


def by_another_table(injection: Injection, played: SplitPlayed, table: FltTable) -> None:
    """A win is paid by a pay table of the text that this table has not filed."""
    for each in of(played, "win"):
        if each.bet.wager in (table.base, RAISE):
            continue
        wrong = sorted({odds * each.bet.cents for odds in another_tables_odds(played, each.bet) if odds})
        wrong = [cents for cents in wrong if cents != each.paid_cents]
        if wrong:
            right, each.paid_cents = each.paid_cents, table.rng.choice(wrong)
            injection.done(f"paid {each.paid_cents} cents for {right}", each.bet.seat, each.bet.wager)
            return
