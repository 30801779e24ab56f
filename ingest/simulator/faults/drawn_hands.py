"""What goes wrong with hands that draw towards a total: what they are paid, and how they are picked up.

What players do against the rules, and the player-dealer, is done where hands are played
(`ingest.simulator.games.pure_21_5_blackjack.playing` and `.game`).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.simulator.faults.fault_kind import FaultKind
from ingest.simulator.faults.injection import Injection, Stage
from ingest.simulator.faults.subjects import Subject
from ingest.simulator.games.pure_21_5_blackjack.rules import BASE, INSURANCE, is_natural, is_over
from ingest.simulator.plan import TablePlan
from ingest.simulator.played import Settled

if TYPE_CHECKING:
    from ingest.simulator.games.pure_21_5_blackjack.game import BlackjackTable
    from ingest.simulator.games.pure_21_5_blackjack.hands import Round


def _covered(played: Round, table: BlackjackTable, more: int) -> bool:
    """Whether so much more may move without another wager coming out otherwise."""
    room = table.room_cents(played)
    return room is not None and more <= room


def natural_paid_even(injection: Injection, played: Round, table: BlackjackTable) -> None:
    for each in _on_naturals(played):
        if each.paid_cents == each.bet.cents * 6 // 5 and _covered(played, table, 0):
            each.paid_cents = each.bet.cents
            injection.done(f"a natural is paid {each.paid_cents} cents, 1 to 1", each.bet.seat, BASE)
            return


def even_money_at_6_to_5(injection: Injection, played: Round, table: BlackjackTable) -> None:
    for each in _on_naturals(played):
        even = each.bet.bettor in played.hand_of(each.bet).paid_even
        if even and each.paid_cents == each.bet.cents and _covered(played, table, each.bet.cents // 5):
            each.paid_cents = each.bet.cents * 6 // 5
            injection.done("even money is paid 6 to 5", each.bet.seat, BASE)
            return


def natural_not_pushed(injection: Injection, played: Round, table: BlackjackTable) -> None:
    for each in _on_naturals(played):
        if each.outcome == "push" and _covered(played, table, each.bet.cents):
            each.outcome, each.taken_cents = "lose", each.bet.cents
            injection.done("a natural is taken against a natural", each.bet.seat, BASE)
            return


def _on_naturals(played: Round) -> list[Settled]:
    return [
        each
        for each in played.settled
        if each.bet.wager == BASE and not played.hand_of(each.bet).split and is_natural(played.hand_of(each.bet).cards)
    ]


def insurance_not_paid(injection: Injection, played: Round, table: BlackjackTable) -> None:
    for each in played.settled:
        if each.bet.wager == INSURANCE and each.outcome == "win" and _covered(played, table, 0):
            each.outcome, each.paid_cents, each.taken_cents = "lose", 0, each.bet.cents
            injection.done("insurance is taken against a natural", each.bet.seat, INSURANCE)
            return


def surrender_taken_whole(injection: Injection, played: Round, table: BlackjackTable) -> None:
    for each in played.settled:
        if each.outcome == "surrender" and _covered(played, table, each.bet.cents):
            each.taken_cents = each.bet.cents
            injection.done("all of a surrendered wager is taken", each.bet.seat, BASE)
            return


def over_taken_against_888(injection: Injection, played: Round, table: BlackjackTable) -> None:
    for each in played.settled:
        if each.bet.wager == INSURANCE or not is_over(played.hand_of(each.bet).cards):
            continue
        if each.outcome == "push" and _covered(played, table, each.bet.cents):
            each.outcome, each.taken_cents = "lose", each.bet.cents
            injection.done("a hand that went over is taken against 8-8-8", each.bet.seat, each.bet.wager)
            return


def over_paid(injection: Injection, played: Round, table: BlackjackTable) -> None:
    """The player-dealer goes over as well, and a hand that went over first is given back."""
    for each in played.settled:
        if each.bet.wager == INSURANCE or not is_over(played.hand_of(each.bet).cards):
            continue
        if each.outcome == "lose" and is_over(played.dealer) and _covered(played, table, 0):
            each.outcome, each.taken_cents = "push", 0
            injection.done("a hand that went over is given back", each.bet.seat, each.bet.wager)
            return


def reads_without_others(table: TablePlan) -> bool:
    """Where no shoe says in which order the cards came."""
    return not table.equipment.shoe_reads


_KINDS = (
    ("hit_hard_nineteen", "PLAY-411", "a hand is hit on hard 19 or more"),
    ("stood_on_eleven", "PLAY-411", "a hand stands on hard 11 or less"),
    ("doubled_with_three", "PLAY-412", "a hand is doubled with three cards"),
    ("doubled_for_too_little", "WAGER-502", "a hand is doubled for less than $10"),
    ("split_unlike", "PLAY-413", "two cards are split that are not alike"),
    ("split_for_less", "WAGER-502", "a hand is split for less than its wager"),
    ("hit_after_stand", "PLAY-414", "a hand is hit after it stood"),
    ("surrendered_with_three", "WAGER-505", "a hand is surrendered with three cards"),
    ("played_against_natural", "PLAY-415", "hands are played though the player-dealer has a natural"),
    ("insurance_without_ace", "WAGER-504", "insurance is placed though no ace is up"),
    ("player_dealer_stood", "DEAL-303", "the player-dealer stands on what must be hit"),
    ("player_dealer_drew", "DEAL-303", "the player-dealer draws on what must stand"),
)
_SETTLED = (
    ("natural_paid_even", "SETTLE-101", "a natural is paid 1 to 1", natural_paid_even),
    ("even_money_at_6_to_5", "SETTLE-101", "even money is paid 6 to 5", even_money_at_6_to_5),
    ("natural_not_pushed", "SETTLE-102", "a natural is taken against a natural", natural_not_pushed),
    ("insurance_not_paid", "SETTLE-102", "insurance is taken against a natural", insurance_not_paid),
    ("surrender_taken_whole", "SETTLE-101", "all of a surrendered wager is taken", surrender_taken_whole),
    ("over_taken_against_888", "SETTLE-102", "a hand that went over is taken against 8-8-8", over_taken_against_888),
    ("over_given_back", "SETTLE-102", "a hand that went over is given back", over_paid),
)
OF_DRAWN_HANDS: tuple[FaultKind, ...] = (
    *(FaultKind(kind, code, Subject.DRAWN_HANDS, how) for kind, code, how in _KINDS),
    FaultKind(
        "out_of_turn",
        "PLAY-416",
        Subject.DRAWN_HANDS,
        "a hand is played before one whose turn comes first",
        possible_at=reads_without_others,
    ),
    *(FaultKind(kind, code, Subject.DRAWN_HANDS, how, Stage.SETTLED, change) for kind, code, how, change in _SETTLED),
)
