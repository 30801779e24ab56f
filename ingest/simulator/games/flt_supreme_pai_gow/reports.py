"""A round with ante and raise as its devices report it: two deals, what each player does between them, the settlement.

Picked up as R-5 has it: the stub, folded hands of four cards, hands as they are settled, those that stay for an envy
bonus, the dealer's low and high hand and the eighth card.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.simulator.games.flt_supreme_pai_gow.sides import DEALER, SEVEN, eighth_card
from ingest.simulator.meters import contributed
from ingest.simulator.played import SplitPlayed
from ingest.simulator.reports import discard, envy_paid, names
from ingest.simulator.split_hands.reports import laid_open, packet, settled_in_turn, shown
from ingest.simulator.voice import CAMERA, LAYOUT, SHUFFLER, Say

if TYPE_CHECKING:
    from ingest.simulator.games.flt_supreme_pai_gow.game import FltTable


def report(table: FltTable, played: SplitPlayed, deck: str) -> list[Say]:
    first = sum(SEVEN + 1 if place == DEALER else 4 for place in (*played.seats, DEALER))
    says = [
        Say("round.opened", {"deck": deck}),
        Say("shuffle.completed", {"deck": deck, "method": "device", "counted": table.deck_size}, SHUFFLER),
        *played.wager_says,
        Say("bets.closed", {}),
        *(contributed(one) for one in played.meters.contributions),
        *played.meters.says,
        *_dealt(table, played, 0, first),
    ]
    for seat in sorted(played.seats, reverse=True):
        says += _decision(table, played, seat)
    says += _dealt(table, played, first, len(played.dealt))
    if played.stub_counted:
        says.append(Say("stub.counted", {"count": len(played.stub)}))
    says.append(discard(played.stub))
    at_once = [seat for seat in played.folded if not table.live_side(played, seat)]
    says += [discard(played.hands[seat]) for seat in at_once]
    says += played.late_says
    dealer = laid_open(played, DEALER)
    eighth = eighth_card(played)
    dealer.data["rest"] = names([eighth])
    says.append(dealer)
    for seat in table.seats:
        says += _settlement(table, played, seat, at_once)
    says += [envy_paid(envy) for envy in played.envies]
    says += [discard(_packet(table, played, seat)) for seat in played.staying]
    low, high = played.settings[DEALER]
    return [*says, discard([*low, *high, eighth]), Say("round.closed", {})]


def _dealt(table: FltTable, played: SplitPlayed, start: int, end: int) -> list[Say]:
    """One of the two deals, in one event or stack by stack."""
    if not table.fitted.shoe_reads:
        return []
    stacks: list[list[int]] = []
    last = -1
    for place, card in zip(played.places[start:end], played.dealt[start:end], strict=True):
        if not stacks or (table.fitted.dealt_in_parts and place != last):
            stacks.append([])
        stacks[-1].append(card)
        last = place
    return [Say("cards.dealt", {"cards": names(stack)}, table.reader) for stack in stacks]


def _decision(table: FltTable, played: SplitPlayed, seat: int) -> list[Say]:
    """Chips for the raise, or a hand given back; that a button is pressed for either, not every table says."""
    bet = played.find(seat, "raise")
    if bet is None:
        return [] if seat in played.unsaid else [Say("player.acted", {"seat": seat, "action": "fold"})]
    says = [Say("wager.placed", bet.where() | {"amount_cents": bet.cents}, LAYOUT)]
    if seat not in played.unsaid:
        says.append(Say("player.acted", {"seat": seat, "action": "raise", "amount_cents": bet.cents}))
    return says


def _settlement(table: FltTable, played: SplitPlayed, seat: int, at_once: list[int]) -> list[Say]:
    """A seat's turn: its hand is exposed, its wagers are settled, its cards are collected."""
    says = []
    if seat in played.settings:
        says += shown(table, played, seat)
    elif seat in played.seats and seat not in at_once and table.fitted.camera:
        says.append(Say("hand.shown", {"place": seat, "cards": names(played.hands[seat])}, CAMERA))
    for each in played.settled:
        if each.bet.seat == seat:
            says += settled_in_turn(played, each)
    if seat not in at_once and seat not in played.staying and seat in played.seats:
        says.append(discard(_packet(table, played, seat)))
    return says


def _packet(table: FltTable, played: SplitPlayed, seat: int) -> list[int]:
    return packet(table, played, seat) if seat in played.settings else played.hands[seat]
