"""A round of a game with hands set in two, as events, in the order the devices of the table would report them.

The order of the discards is the pickup procedure of R-5: stub, hands without a wager, surrendered hands, hands as they
are settled, hands that stay for an envy bonus, and the hand everybody played against.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.simulator.meters import contributed, paid_from
from ingest.simulator.played import BANK_WAGER, Settled, SplitPlayed
from ingest.simulator.poker import JOKER, rank_of
from ingest.simulator.reports import (
    card_exposed,
    discard,
    fees_taken,
    names,
    report_bank,
    settlement,
    settlement_and_vigorish,
)
from ingest.simulator.voice import CAMERA, CONTROLLER, SHAKER, SHUFFLER, Say
from schemas.cards import CARD_NAMES

if TYPE_CHECKING:
    from ingest.simulator.split_hands.table import SplitHandsTable

DEALER = 0


def report(table: SplitHandsTable, played: SplitPlayed, deck: str, void: str | None) -> list[Say]:
    says = [
        Say("round.opened", {"deck": deck}),
        *_report_shuffle(table, played, deck),
        *report_bank(played),
        *played.wager_says,
        *fees_taken(played, table.drop_box, before_the_deal=True),
        Say("bets.closed", {}),
        *(contributed(one) for one in played.meters.contributions),
        *played.meters.says,
        *played.mishaps,
    ]
    start, deal = _report_start(table, played, void), _report_deal(table, played, void)
    if void is not None:
        return says + _report_void(table, played, start, deal, void) + [Say("round.closed", {})]
    # Dealt from the hand, the start is only determined once the stub is in the rack (MA-PGP §8a(e), MA-SPG §9(e)).
    stub = discard(played.stub)
    says += [*deal, stub, *start] if table.by_hand else [*start, *deal, stub]
    says += fees_taken(played, table.drop_box, before_the_deal=False)
    if played.exposed is not None:
        place = next(place for place, hand in played.hands.items() if played.exposed in hand)
        says.append(card_exposed(place, played.exposed, exposed_during(table)))
    says += [discard(played.hands[place]) for place in table.idle(played) if played.hands[place]]
    says += _report_voided(table, played)
    for seat in played.surrendered:
        says += _report_surrender(table, played, seat)
    says += played.late_says
    says += table.report_settlement(played)
    return [*says, Say("round.closed", {})]


def _report_shuffle(table: SplitHandsTable, played: SplitPlayed, deck: str) -> list[Say]:
    if table.device_shuffles:
        done = Say("shuffle.completed", {"deck": deck, "method": "device", "counted": table.deck_size}, SHUFFLER)
        return [done] if table.shuffler_counts else [Say(done.type, {"deck": deck, "method": "device"}, SHUFFLER)]
    cutter = played.cut[0] if played.cut else table.rng.choice([DEALER, *table.players])
    said: dict[str, object] = {"place": cutter, "depth": table.rng.randrange(10, table.deck_size - 10)}
    if played.cut:
        said["offered"] = played.cut[1]
    return [Say("shuffle.completed", {"deck": deck, "method": "manual"}), Say("cut.made", said)]


def _settled_early(table: SplitHandsTable, played: SplitPlayed, void: str | None) -> list[Say]:
    """Losing ones are collected before winning ones are paid (MA-PGP §13(b)(4), (5)); a void comes too late."""
    early = table.settled_early - table.settled_amid_the_deal
    settled = [each for each in played.settled if each.bet.wager in early]
    if void is not None:
        settled = [table.settled_side(played, bet) for bet in played.bets if bet.wager in early]
    in_turn = sorted(settled, key=lambda each: each.outcome == "win")
    return [say for each in in_turn for say in settlement_and_vigorish(each)]


def _report_start(table: SplitHandsTable, played: SplitPlayed, void: str | None) -> list[Say]:
    device = CONTROLLER if table.filed.starting == "button" else SHAKER
    said = [Say("start.determined", {**played.thrown, "place": played.start}, device)] if played.thrown else []
    says = [*played.no_rolls, *said]
    if played.button is not None:
        says.append(Say("button.placed", {"purpose": "action", "place": played.button}))
    return says + _settled_early(table, played, void)


def _report_deal(table: SplitHandsTable, played: SplitPlayed, void: str | None) -> list[Say]:
    says = [] if played.boxed is None else [Say("card.boxed", {"card": CARD_NAMES[played.boxed]})]
    says += table.report_cards(played, void)
    if played.boxed is not None and played.boxed_aside:
        says.append(discard([played.boxed]))
    if played.stub_counted:
        says.append(Say("stub.counted", {"count": len(played.stub)}))
    return says


def cards_read(table: SplitHandsTable, played: SplitPlayed) -> list[Say]:
    """The cards that left the shoe or the hand, where a device reads them."""
    if not table.fitted.shoe_reads:
        return []
    if played.boxed is not None and played.boxed_aside:  # it left the shoe as well, in its turn
        left = [*played.dealt[: played.boxed_as], played.boxed, *played.dealt[played.boxed_as :]]
        return [Say("cards.dealt", {"cards": names(left)}, table.reader)]
    if not (table.fitted.dealt_in_parts and table.filed.dealing == "automated_shoe"):
        return [Say("cards.dealt", {"cards": names(played.dealt)}, table.reader)]
    says: list[Say] = []
    stack: list[int] = []
    for index, (place, card) in enumerate(zip(played.places, played.dealt, strict=True)):
        stack.append(card)
        if index + 1 == len(played.places) or played.places[index + 1] != place:
            says.append(Say("cards.dealt", {"cards": names(stack)}, table.reader))
            stack = []
    return says


def exposed_during(table: SplitHandsTable) -> str:
    return "play" if table.by_hand else "deal"


def _report_void(
    table: SplitHandsTable, played: SplitPlayed, start: list[Say], deal: list[Say], void: str
) -> list[Say]:
    """All hands void: every wager goes back, and the cards are collected as they come."""
    says = deal + start if table.by_hand else start + deal
    if void == "misdeal":
        if table.by_hand:  # the stub is counted before a hand-dealt round has a start
            start = []
        says = start + deal
    elif void == "exposed_card":
        place = table.against(played)
        says.append(card_exposed(place, table.rng.choice(played.hands[place]), exposed_during(table)))
    says += [*played.void_says, Say("round.voided", {"reason": void, "by": table.dealer})]
    return says + _report_given_back(table, played, void, bool(start))


def _report_given_back(table: SplitHandsTable, played: SplitPlayed, void: str, started: bool) -> list[Say]:
    """The wagers go back and the cards are collected; side wagers are settled all the same where the rules say so."""
    if void in table.sides_stand_when:
        return _report_sides_alone(table, played)
    early = table.settled_early if started else table.settled_amid_the_deal
    back = [bet for seat in played.seats for bet in played.at(seat) if bet.wager not in early]
    says = [settlement(Settled(bet, "void")) for bet in back]
    cards = [card for hand in played.hands.values() for card in hand] + played.stub
    table.rng.shuffle(cards)
    return [*says, discard(cards)]


def _report_sides_alone(table: SplitHandsTable, played: SplitPlayed) -> list[Say]:
    table.classify(played)
    standing = {seat: [bet for bet in played.at(seat) if bet.wager in table.sides] for seat in played.seats}
    standing = {seat: bets for seat, bets in standing.items() if bets}
    says = [discard(played.stub)]
    says += [settlement(Settled(bet, "void")) for bet in played.bets if bet.wager == table.base]
    says += [discard(hand) for place, hand in played.hands.items() if place not in standing]
    eye = CAMERA if table.fitted.camera else CONTROLLER
    for seat, bets in standing.items():
        hand = discard(played.hands[seat])
        says.append(Say("hand.shown", {"place": seat, "cards": hand.data["cards"]}, eye))
        says += [settlement(table.settled_side(played, bet)) for bet in bets]
        says.append(hand)
    return says


def _report_voided(table: SplitHandsTable, played: SplitPlayed) -> list[Say]:
    """A card of a player's hand that was exposed, and the hand called off where the player asks for it."""
    if played.exposed_to is None:
        return []
    seat, card = played.exposed_to
    says = [card_exposed(seat, card, exposed_during(table))]
    for seat in played.voided:
        says.append(Say("round.voided", {"reason": "player_option", "seat": seat, "by": table.dealer}))
        own = [each for each in played.settled if each.bet.seat == seat and each.bet.wager not in table.settled_early]
        says += [settlement(each) for each in own]
        says.append(discard(played.hands[seat]))
    return says


def _report_surrender(table: SplitHandsTable, played: SplitPlayed, seat: int) -> list[Say]:
    says = [Say("player.acted", {"seat": seat, "action": "surrender"})]
    for each in played.settled:
        if each.bet.seat == seat and each.at_surrender:
            says.append(settlement(each))
    if not table.live_side(played, seat):
        says.append(discard(played.hands[seat]))
    return says


def shown(table: SplitHandsTable, played: SplitPlayed, seat: int) -> list[Say]:
    """A player's hand as it lies exposed, if anybody says so: a camera, or the dealer who calls it foul.

    That is entered at the dealer's panel: with no camera nobody could tell later why a wager was taken that no right
    setting loses.
    """
    low, high = played.settings[seat]
    given_up = seat in played.surrendered
    foul_called = not given_up and seat not in played.fouls_overlooked and table.is_foul((low, high))
    if not table.fitted.camera and not foul_called:
        return []
    eye = CAMERA if table.fitted.camera else CONTROLLER
    if given_up:  # never set against the dealer: only the cards are looked at
        return [Say("hand.shown", {"place": seat, "cards": names(low + high)}, eye)]
    return [Say("hand.shown", {"place": seat, "low": names(low), "high": names(high)}, eye)]


def laid_open(played: SplitPlayed, place: int) -> Say:
    """The hand that is played against, or the dealer's own, as the dealer has set it."""
    low, high = played.settings[place]
    return Say("hand.shown", {"place": place, "low": names(low), "high": names(high)})


def report_seat(table: SplitHandsTable, played: SplitPlayed, seat: int) -> list[Say]:
    """A seat's turn: its hand is exposed, its wagers are settled, its cards are collected."""
    seen = seat in played.settings
    says = shown(table, played, seat) if seen else []
    for each in played.settled:
        done = each.at_surrender or each.bet.wager in table.settled_early or each.bet.wager == BANK_WAGER
        if each.bet.seat == seat and not done:
            says += settled_in_turn(played, each)
    if seen and seat not in played.staying:
        says.append(discard(packet(table, played, seat)))
    return says


def settled_in_turn(played: SplitPlayed, each: Settled) -> list[Say]:
    payout = next((one for one in played.meters.payouts if one.settled is each and each.outcome == "win"), None)
    says = settlement_and_vigorish(each)
    return says if payout is None else [*paid_from(payout, says[0]), *says[1:]]


def packet(table: SplitHandsTable, played: SplitPlayed, seat: int) -> list[int]:
    """A seat's cards as they go into the rack."""
    low, high = played.settings[seat]
    hand = [*low, *high]
    if not table.rearranged(played, seat):
        return hand
    ranks = [rank_of(card) for card in hand]
    suits = [card & 3 for card in hand]
    if played.classes.get(seat) in ("flush", "straight_flush", "royal_flush"):
        return sorted(hand, key=lambda card: (card == JOKER, suits.count(card & 3), rank_of(card)), reverse=True)
    return sorted(hand, key=lambda card: (ranks.count(rank_of(card)), rank_of(card)), reverse=True)
