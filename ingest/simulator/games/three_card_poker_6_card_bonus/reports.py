"""A round of Three Card Poker 6 Card Bonus as its devices report it.

Picked up as R-6 has it: what the shuffler has left, folded hands without a live 6 Card Bonus, hands as they are
settled, the player-dealer's hand.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.simulator.played import SplitPlayed
from ingest.simulator.reports import discard, fees_taken, names, report_bank, settlement
from ingest.simulator.voice import CAMERA, LAYOUT, SHUFFLER, Say
from schemas.cards import CARD_NAMES

if TYPE_CHECKING:
    from ingest.simulator.games.three_card_poker_6_card_bonus.game import ThreeCardTable


def report(table: ThreeCardTable, played: SplitPlayed, deck: str) -> list[Say]:
    bank = table.turns.seat
    counted = {"deck": deck, "method": "device", "counted": table.deck_size}
    says = [
        Say("round.opened", {"deck": deck}),
        Say("shuffle.completed", counted, SHUFFLER),
        *report_bank(played),
        *played.wager_says,
        *fees_taken(played, table.drop_box, before_the_deal=True),
        Say("bets.closed", {}),
        *_dealt(table, played),
    ]
    if table.fitted.camera:  # "after which one card will be turned face-up"
        says.append(Say("hand.shown", {"place": bank, "cards": names([table.third_card(played)])}, CAMERA))
    if played.stub_counted:
        says.append(Say("stub.counted", {"count": len(played.stub)}))
    says.append(discard(played.stub))
    for seat in played.seats:
        says += _decisions(table, played, seat)
    says += fees_taken(played, table.drop_box, before_the_deal=False)
    lost = table.forfeited(played)
    forfeited = [each for each in played.settled if each.bet in lost]
    says += [settlement(each) for each in forfeited]
    at_once = [seat for seat in played.folded if not any(bet.wager == "six_card_bonus" for bet in played.at(seat))]
    says += [discard(played.hands[seat]) for seat in at_once]
    says += played.late_says
    says.append(Say("hand.shown", {"place": bank, "cards": names(played.hands[bank])}))
    says += _button(table, played)
    for seat in table.order_of_seats(played.button or 1):
        if seat in played.seats and seat not in at_once:
            if table.fitted.camera:
                says.append(Say("hand.shown", {"place": seat, "cards": names(played.hands[seat])}, CAMERA))
            says += [settlement(each) for each in played.settled if each.bet.seat == seat and each not in forfeited]
            says.append(discard(played.hands[seat]))
    for each in played.settled:  # what is paid at a seat that nobody bet at
        if each.bet.seat not in played.seats or (each.bet.seat in at_once and each not in forfeited):
            says.append(settlement(each))
    return [*says, discard(played.hands[bank]), Say("round.closed", {})]


def _dealt(table: ThreeCardTable, played: SplitPlayed) -> list[Say]:
    if not table.fitted.shoe_reads:
        return []
    if not table.fitted.dealt_in_parts:
        return [Say("cards.dealt", {"cards": names(played.dealt)}, SHUFFLER)]
    stacks = [played.dealt[at : at + 3] for at in range(0, len(played.dealt), 3)]
    return [Say("cards.dealt", {"cards": names(stack)}, SHUFFLER) for stack in stacks]


def _decisions(table: ThreeCardTable, played: SplitPlayed, seat: int) -> list[Say]:
    """Chips for the Play wager, or a hand given back; that a button is pressed for a fold, not every table says."""
    says = []
    for ante in [bet for bet in played.at(seat) if bet.wager == table.base]:
        bet = played.find(seat, "play", ante.bettor)
        if bet is not None:
            says.append(Say("wager.placed", bet.where() | {"amount_cents": bet.cents}, LAYOUT))
        elif seat not in played.unsaid:
            said: dict[str, object] = {"seat": seat, "action": "fold"}
            says.append(Say("player.acted", said | ({"bettor": ante.bettor} if ante.bettor else {})))
    return says


def _button(table: ThreeCardTable, played: SplitPlayed) -> list[Say]:
    """Where nothing hangs on it and the shuffler reads the card, not every dealer reports it."""
    unneeded = table.room_cents(played) is not None and table.fitted.shoe_reads
    if played.button is None or (unneeded and played.button_card is None and table.rng.random() < 0.2):
        return []
    card = CARD_NAMES[played.button_card if played.button_card is not None else table.third_card(played)]
    return [Say("button.placed", {"purpose": "action", "place": played.button, "card": card})]
