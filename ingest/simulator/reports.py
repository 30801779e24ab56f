"""What devices report of a round of any game: the bank, fees, settlements, envy bonuses, and cards in the rack."""

from __future__ import annotations

from collections.abc import Sequence

from ingest.simulator.options import RackMode
from ingest.simulator.played import Envy, Fee, Played, Settled
from ingest.simulator.voice import LAYOUT, RACK, Say, one_by_one
from schemas.cards import CARD_NAMES


def names(cards: Sequence[int]) -> list[str]:
    return [CARD_NAMES[card] for card in cards]


def report_bank(played: Played) -> list[Say]:
    bank = played.bank
    if bank is None:
        return played.bank_says
    said: dict[str, object] = {"seat": bank.seat, "kind": bank.kind, "posted_cents": bank.posted_cents}
    if bank.turn is not None:
        said["turn"] = bank.turn
    if bank.dealer_wager_cents:
        said["dealer_wager_cents"] = bank.dealer_wager_cents
    if bank.first_stack is not None:
        said["first_stack"] = bank.first_stack
    return [*played.bank_says, Say("bank.accepted", said)]


def card_exposed(place: int, card: int, during: str) -> Say:
    return Say("card.exposed", {"place": place, "card": CARD_NAMES[card], "during": during})


def discard(cards: Sequence[int]) -> Say:
    return Say("discard.read", {"mode": "inserted", "cards": names(cards)}, RACK)


def settlement(each: Settled) -> Say:
    said = {"outcome": each.outcome, "paid_cents": each.paid_cents, "taken_cents": each.taken_cents}
    return Say("wager.settled", each.bet.where() | said)


def settlement_and_vigorish(each: Settled) -> list[Say]:
    says = [settlement(each)]
    if each.vigorish_cents:
        where = {name: said for name, said in each.bet.where().items() if name != "choice"}
        says.append(Say("vigorish.taken", where | {"amount_cents": each.vigorish_cents}))
    return says


def envy_paid(envy: Envy) -> Say:
    said: dict[str, object] = {"seat": envy.seat, "for_seat": envy.for_seat, "amount_cents": envy.cents}
    if envy.bettor:
        said["bettor"] = envy.bettor
    if envy.wager != "fortune":
        said["wager"] = envy.wager
    return Say("envy.paid", said)


def fees_taken(played: Played, box: str | None, *, before_the_deal: bool) -> list[Say]:
    taken = [fee for fee in played.fees if fee.before_the_deal == before_the_deal]
    says = [let_off(fee) if fee.waived else collected(fee, box) for fee in taken]
    return says + [given_back(fee, box) for fee in taken if fee.given_back]


def collected(fee: Fee, box: str | None) -> Say:
    return Say("collection.taken", {**_of_a_fee(fee), "box": fee.box or box}, LAYOUT)


def let_off(fee: Fee) -> Say:
    return Say("collection.waived", {**_of_a_fee(fee), "reason": "courtesy", "by": "F-17"}, LAYOUT)


def given_back(fee: Fee, box: str | None) -> Say:
    return Say("collection.refunded", {**_of_a_fee(fee), "box": fee.box or box, "by": "F-17"}, LAYOUT)


def _of_a_fee(fee: Fee) -> dict[str, object]:
    said: dict[str, object] = {"payer": fee.payer, "amount_cents": fee.cents}
    if fee.seat:  # the pot has none
        said["seat"] = fee.seat
    if fee.bettor:
        said["bettor"] = fee.bettor
    if fee.wager:
        said["wager"] = fee.wager
    return said


def read_rack(rack: RackMode, says: list[Say]) -> list[Say]:
    """A rack that is scanned once says at the end what one that reads every packet has said by and by (R-10)."""
    if rack == "inserted":
        return says
    if rack == "card":
        return [each for say in says for each in one_by_one(say)]
    cards = [card for say in says if say.type == "discard.read" for card in say.data["cards"]]
    others = [say for say in says if say.type != "discard.read"]
    others.insert(len(others) - 1, Say("discard.read", {"mode": "scan", "cards": cards}, RACK))
    return others
