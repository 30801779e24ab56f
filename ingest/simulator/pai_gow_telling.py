"""A round of pai gow poker told in events, in the order the devices of the table would report it.

The order of the discards is the pickup procedure of R-5: stub, hands without a wager, surrendered hands, hands as they
are settled, hands that stay for an envy bonus, and the dealer's.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.simulator.pai_gow_round import DEALER, DECK, SEATS, PaiGowRound, Settlement
from ingest.simulator.poker import JOKER, five_key, is_foul, rank_of, two_key
from ingest.simulator.voice import CAMERA, CONTROLLER, RACK, SHAKER, SHUFFLER, Say, one_by_one
from schemas.cards import CARD_NAMES

if TYPE_CHECKING:
    from ingest.simulator.pai_gow import PaiGowTable


def names(cards: list[int]) -> list[str]:
    return [CARD_NAMES[card] for card in cards]


def tell(table: PaiGowTable, played: PaiGowRound, deck: str, irregular: str | None) -> list[Say]:
    says = [
        Say("round.opened", {"deck": deck}),
        *_tell_shuffle(table, deck),
        *played.wager_says,
        Say("bets.closed", {}),
    ]
    device = CONTROLLER if table.options.starting == "button" else SHAKER
    start = [*played.no_rolls, Say("start.determined", {**played.thrown, "place": played.start}, device)]
    deal = [*_tell_deal(table, played), Say("stub.counted", {"count": len(played.stub)})]
    if played.boxed is not None:
        deal.insert(0, Say("card.boxed", {"card": CARD_NAMES[played.boxed]}))
    by_hand = table.options.dealing == "hand"
    if irregular is not None:
        return says + _tell_void(table, played, start, deal, irregular) + [Say("round.closed", {})]
    # Dealt from the hand, the start is only determined once the stub is in the rack (MA-PGP §8a(e)).
    says += [*deal, _discard(played.stub), *start] if by_hand else [*start, *deal, _discard(played.stub)]
    if played.exposed is not None:
        during = "play" if by_hand else "deal"
        says.append(Say("card.exposed", {"place": DEALER, "card": CARD_NAMES[played.exposed], "during": during}))
    says += [_discard(played.hands[place]) for place in SEATS if place not in played.wagers]
    for seat in played.surrendered:
        says += _tell_surrender(table, played, seat)
    says += played.late_says
    low, high = played.settings[DEALER]
    says.append(Say("hand.shown", {"place": DEALER, "low": names(low), "high": names(high)}))
    for seat in SEATS:
        says += _tell_seat(table, played, seat)
    says += [
        Say("envy.paid", {"seat": envy.seat, "for_seat": envy.for_seat, "amount_cents": envy.cents})
        for envy in played.envies
    ]
    says += [_discard(_packet(table, played, seat)) for seat in played.staying]
    says += [_discard([*low, *high]), Say("round.closed", {})]
    return says


def _tell_shuffle(table: PaiGowTable, deck: str) -> list[Say]:
    if table.device_shuffles:
        return [Say("shuffle.completed", {"deck": deck, "method": "device", "counted": DECK}, SHUFFLER)]
    cutter = table.rng.choice([DEALER, *table.players])
    return [
        Say("shuffle.completed", {"deck": deck, "method": "manual"}),
        Say("cut.made", {"place": cutter, "depth": table.rng.randrange(10, DECK - 10)}),
    ]


def _tell_deal(table: PaiGowTable, played: PaiGowRound) -> list[Say]:
    if not table.fitted.shoe_reads:
        return []
    if not (table.fitted.dealt_in_parts and table.options.dealing == "automated_shoe"):
        return [Say("cards.dealt", {"cards": names(played.dealt)}, table.reader)]
    says: list[Say] = []
    stack: list[int] = []
    for index, (place, card) in enumerate(zip(played.places, played.dealt, strict=True)):
        stack.append(card)
        if index + 1 == len(played.places) or played.places[index + 1] != place:
            says.append(Say("cards.dealt", {"cards": names(stack)}, table.reader))
            stack = []
    return says


def _tell_void(table: PaiGowTable, played: PaiGowRound, start: list[Say], deal: list[Say], irregular: str) -> list[Say]:
    """All hands void: every wager goes back, and the cards are collected as they come (MA-PGP §11)."""
    by_hand = table.options.dealing == "hand"
    says = deal + start if by_hand else start + deal
    if irregular == "misdeal":
        says = deal if by_hand else start + deal  # the stub is counted before a hand-dealt round has a start
    elif irregular == "exposed_card":
        card = CARD_NAMES[table.rng.choice(played.hands[DEALER])]
        during = "play" if by_hand else "deal"
        says.append(Say("card.exposed", {"place": DEALER, "card": card, "during": during}))
    says.append(Say("round.voided", {"reason": irregular, "by": table.dealer}))
    for seat in sorted(played.wagers):
        for wager, cents in played.wagers[seat].items():
            says.append(_settled(Settlement(seat, wager, cents, "void")))
    cards = [card for hand in played.hands.values() for card in hand] + played.stub
    table.rng.shuffle(cards)
    says.append(_discard(cards))
    return says


def _tell_surrender(table: PaiGowTable, played: PaiGowRound, seat: int) -> list[Say]:
    says = [Say("player.acted", {"seat": seat, "action": "surrender"})]
    for settlement in played.settlements:
        if settlement.seat == seat and settlement.at_surrender:
            says.append(_settled(settlement))
    if not table.live_fortune(played, seat):
        says.append(_discard(played.hands[seat]))
    return says


def _tell_seat(table: PaiGowTable, played: PaiGowRound, seat: int) -> list[Say]:
    """A seat's turn: its hand is exposed, its wagers are settled, its cards are collected."""
    says: list[Say] = []
    seen = seat in played.settings
    if seen and (table.fitted.camera or _foul_called(table, played, seat)):
        low, high = played.settings[seat]
        eye = CAMERA if table.fitted.camera else CONTROLLER
        if seat in played.surrendered:  # never set against the dealer: only the cards are looked at
            says.append(Say("hand.shown", {"place": seat, "cards": names(low + high)}, eye))
        else:
            says.append(Say("hand.shown", {"place": seat, "low": names(low), "high": names(high)}, eye))
    for settlement in played.settlements:
        if settlement.seat == seat and not settlement.at_surrender:
            says.append(_settled(settlement))
            if settlement.vigorish_cents:
                taken = {"seat": seat, "wager": settlement.wager, "amount_cents": settlement.vigorish_cents}
                says.append(Say("vigorish.taken", taken))
    if seen and seat not in played.staying:
        says.append(_discard(_packet(table, played, seat)))
    return says


def _foul_called(table: PaiGowTable, played: PaiGowRound, seat: int) -> bool:
    """Whether the dealer calls the hand foul. That is entered at the dealer's panel: with no camera nobody could tell
    later why a wager was taken that no right setting loses (R-51)."""
    if seat in played.surrendered or seat in played.fouls_overlooked:
        return False
    low, high = played.settings[seat]
    return is_foul(two_key(low), five_key(high, table.options.wheel))


def _packet(table: PaiGowTable, played: PaiGowRound, seat: int) -> list[int]:
    """A seat's cards as they go into the rack."""
    low, high = played.settings[seat]
    if not table.rearranged(played, seat):
        return [*low, *high]
    hand = [*low, *high]
    ranks = [rank_of(card) for card in hand]
    suits = [card & 3 for card in hand]
    if played.classes.get(seat) in ("flush", "straight_flush", "royal_flush"):
        return sorted(hand, key=lambda card: (card == JOKER, suits.count(card & 3), rank_of(card)), reverse=True)
    return sorted(hand, key=lambda card: (ranks.count(rank_of(card)), rank_of(card)), reverse=True)


def read_rack(table: PaiGowTable, says: list[Say]) -> list[Say]:
    """A rack that is scanned once says at the end what one that reads every packet has said by and by (R-10)."""
    if table.fitted.rack == "inserted":
        return says
    if table.fitted.rack == "card":
        return [each for say in says for each in one_by_one(say)]
    cards = [card for say in says if say.type == "discard.read" for card in say.data["cards"]]
    told = [say for say in says if say.type != "discard.read"]
    told.insert(len(told) - 1, Say("discard.read", {"mode": "scan", "cards": cards}, RACK))
    return told


def _discard(cards: list[int]) -> Say:
    return Say("discard.read", {"mode": "inserted", "cards": names(cards)}, RACK)


def _settled(settlement: Settlement) -> Say:
    return Say(
        "wager.settled",
        {
            "seat": settlement.seat,
            "wager": settlement.wager,
            "outcome": settlement.outcome,
            "paid_cents": settlement.paid_cents,
            "taken_cents": settlement.taken_cents,
        },
    )
