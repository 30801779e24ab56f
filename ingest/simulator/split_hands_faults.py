"""What goes wrong at a table where hands are set in two: each fault changes a round at the stage where it would have
happened.

A fault looks for an opportunity in the round as it is, and does nothing where it would change nothing, or where the
table's devices could not show it. What is settled afterwards follows from what it changed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from enum import Enum, auto
from typing import TYPE_CHECKING

from ingest.simulator import fee_faults
from ingest.simulator.dealing import DEALINGS
from ingest.simulator.faults import Injection
from ingest.simulator.house_way import splits
from ingest.simulator.paytables import QUALIFYING_CENTS, vigorish_cents
from ingest.simulator.played import BANK_WAGER, Bet, Envy, Played, Settled
from ingest.simulator.supreme_hands import BONUS_ODDS, LIMIT_CENTS
from ingest.simulator.voice import LAYOUT, Say
from schemas.cards import CARD_NAMES

if TYPE_CHECKING:
    from ingest.simulator.split_hands import SplitHandsTable

DEALER = 0

Change = Callable[[Injection, Played, "SplitHandsTable"], None]


class Stage(Enum):
    """Points of a round at which something can go wrong."""

    WAGERS = auto()
    FEES = auto()
    START = auto()
    DEALT = auto()
    SET = auto()
    LATE = auto()
    SETTLED = auto()
    RACK = auto()


def inject(stage: Stage, injection: Injection, played: Played, table: SplitHandsTable) -> None:
    """Does the fault asked of the round, if this is its stage and the round gives it an opportunity."""
    if injection.wanted and injection.kind in CHANGES:
        at, change = CHANGES[injection.kind]
        if at is stage:
            change(injection, played, table)


# --- wagers ----------------------------------------------------------------------------------------------------------


def _over_limit(injection: Injection, played: Played, table: SplitHandsTable) -> None:
    seat = table.rng.choice(played.seats)
    wager = table.rng.choice(sorted({bet.wager for bet in played.at(seat) if table.limited(bet.wager)}))
    lowest, highest = table.limits(wager)
    if table.rng.random() < 0.3 and lowest > 100:
        cents = table.rng.randrange(100, lowest, 100)
    else:
        cents = highest + 100 * table.rng.randrange(1, 200)
    next(bet for bet in played.at(seat) if bet.wager == wager).cents = cents
    played.wager_says.append(Say("wager.changed", {"seat": seat, "wager": wager, "amount_cents": cents}, LAYOUT))
    injection.done(f"{cents} cents; the limits are {lowest} to {highest}", seat, wager)


def _late(injection: Injection, played: Played, table: SplitHandsTable) -> None:
    """After the cards are out, a wager is raised, or one on the own cards made or taken back.

    That only where it is nobody else's concern (see `side_concerns_nobody`).
    """
    rng = table.rng
    before, late = list(played.bets), len(played.late_says)
    fees = table.fees_due(played)
    seat = rng.choice(played.seats)
    quiet = table.side_concerns_nobody(played, seat)
    side = played.find(seat, table.side)
    choice = rng.random()
    if choice < 0.3 and quiet and side is None:
        cents = max(QUALIFYING_CENTS, table.limits(table.side)[0])
        played.bets.append(Bet(seat, table.side, cents))
        said = {"seat": seat, "wager": table.side, "amount_cents": cents}
        played.late_says.append(Say("wager.placed", said, LAYOUT))
        detail, wager = f"{cents} cents placed after the close", table.side
    elif choice < 0.5 and quiet and side is not None:
        played.bets.remove(side)
        played.late_says.append(Say("wager.withdrawn", {"seat": seat, "wager": table.side}, LAYOUT))
        detail, wager = "withdrawn after the close", table.side
    else:
        highest = table.limits(table.base)[1]
        bet = played.find(seat, table.base)
        assert bet is not None, f"seat {seat} has a wager and none on its hand"
        raised = min(highest, bet.cents + 500 * rng.randrange(1, 20))
        if raised <= bet.cents:
            return
        played.bets[played.bets.index(bet)] = replace(bet, cents=raised)
        said = {"seat": seat, "wager": table.base, "amount_cents": raised}
        played.late_says.append(Say("wager.changed", said, LAYOUT))
        detail, wager = f"raised from {bet.cents} to {raised} cents after the close", table.base
    if table.fees_due(played) != fees:  # whether a late wager counts for the fees is not what is being tried
        played.bets = before
        del played.late_says[late:]
        return
    injection.done(detail, seat, wager)


# --- start and deal --------------------------------------------------------------------------------------------------


def _wrong_start(injection: Injection, played: Played, table: SplitHandsTable) -> None:
    right = played.start
    played.start = table.onward(right, table.rng.randrange(1, len(table.places)))
    injection.done(f"dealt from place {played.start}, thrown for place {right}")


def _misdeal(injection: Injection, played: Played, table: SplitHandsTable) -> None:
    """A place without a wager gets a card too many or too few, so that every hand that is settled is whole."""
    idle = [place for place in table.idle(played) if place in table.seats]
    if idle:
        place = table.rng.choice(idle)
        table.misdeal(played, place)
        played.deal_out(played.dealt + played.stub, table.places)
        played.stub_counted = True
        injection.done(f"{len(played.hands[place])} cards dealt to place {place}, {len(played.stub)} left in the stub")


def _expose(injection: Injection, played: Played, table: SplitHandsTable) -> None:
    played.exposed = table.rng.choice(played.hands[table.against(played)])
    whose = "dealer" if table.against(played) == DEALER else "bank"
    injection.done(f"{CARD_NAMES[played.exposed]} of the {whose} exposed and played on")


def _switch(injection: Injection, played: Played, table: SplitHandsTable) -> None:
    """A player's card for one of another place, after the shoe has read them."""
    seat = table.rng.choice(played.seats)
    other = table.rng.choice([place for place in table.places if place != seat])
    mine, theirs = table.rng.randrange(table.hand_size), table.rng.randrange(table.hand_size)
    hand, other_hand = played.hands[seat], played.hands[other]
    hand[mine], other_hand[theirs] = other_hand[theirs], hand[mine]
    got, gave = CARD_NAMES[hand[mine]], CARD_NAMES[other_hand[theirs]]
    injection.done(f"{gave} dealt to seat {seat} for {got} dealt to place {other}", seat)


def _muck(injection: Injection, played: Played, table: SplitHandsTable) -> None:
    """A player's card for one of those left over, after the shoe has read them."""
    seat = table.rng.choice(played.seats)
    mine, other = table.rng.randrange(table.hand_size), table.rng.randrange(len(played.stub))
    hand, stub = played.hands[seat], played.stub
    hand[mine], stub[other] = stub[other], hand[mine]
    gave, got = CARD_NAMES[stub[other]], CARD_NAMES[hand[mine]]
    injection.done(f"{gave} dealt to seat {seat} for {got} of the cards left over", seat)


def _redeal(played: Played, table: SplitHandsTable, places: list[int]) -> bool:
    """The same cards to these places instead; not where a player would then hold a hand that stays on the table."""
    before, deck = played.places, played.dealt + played.stub
    played.places = places
    played.deal_out(deck, table.places)
    if not any(table.class_of(played.hands[seat]) in table.premium for seat in played.seats):
        return True
    played.places = before
    played.deal_out(deck, table.places)
    return False


def _other_way_round(injection: Injection, played: Played, table: SplitHandsTable) -> None:
    """Delivered from the place thrown the other way round the table."""
    way, places = table.other_way_round(played)
    if _redeal(played, table, places):
        injection.done(f"delivered {way} from place {played.start}")


def _another_method(injection: Injection, played: Played, table: SplitHandsTable) -> None:
    other = table.rng.choice([dealing for dealing in DEALINGS if dealing != table.filed.dealing])
    if _redeal(played, table, table.places_dealt(played, other)):
        injection.done(f"dealt as from a {other}, filed is {table.filed.dealing}".replace("_", " "))


def _exchange_hands(injection: Injection, played: Played, table: SplitHandsTable) -> None:
    """Two whole hands are played at each other's place; both are shown."""
    seats = [table.against(played), *played.seats]
    if any(table.class_of(played.hands[place]) in table.premium for place in seats):
        return
    one, other = table.rng.sample(seats, 2)
    played.hands[one], played.hands[other] = played.hands[other], played.hands[one]
    injection.done(f"the hands dealt to places {one} and {other} are played at each other's")


def _play_boxed(injection: Injection, played: Played, table: SplitHandsTable) -> None:
    place = table.rng.choice([table.against(played), *played.seats])
    played.boxed = table.rng.choice(played.hands[place])
    injection.done(f"{CARD_NAMES[played.boxed]} found face up and played at place {place}", place or None)


# --- setting ---------------------------------------------------------------------------------------------------------


def _foul(injection: Injection, played: Played, table: SplitHandsTable) -> None:
    """A foul setting that, read as if it were none, does not lose."""
    seats = played.seats
    table.rng.shuffle(seats)
    for seat in seats:
        if table.rearranged(played, seat) and not table.fitted.camera:
            continue
        for setting in splits(played.hands[seat]):
            if not table.is_foul(setting):
                continue
            outcome = table.outcome(setting, played.settings[table.against(played)], overlook_foul=True)
            if outcome != "lose":
                played.settings[seat] = setting
                played.fouls_overlooked.add(seat)
                injection.done(f"a foul hand settled as a {outcome}", seat, table.base)
                return


def _break_house_way(injection: Injection, played: Played, table: SplitHandsTable) -> None:
    for place in table.set_by_house(played):
        low, high = table.house_way(played.hands[place])
        right = table.keys((low, high))
        others = [
            setting
            for setting in splits(played.hands[place])
            if table.keys(setting) != right and not table.is_foul(setting)
        ]
        if others:
            played.settings[place] = table.rng.choice(others)
            laid = " ".join(CARD_NAMES[card] for card in played.settings[place][0])
            injection.done(f"{laid} laid in front, the house way is {' '.join(CARD_NAMES[card] for card in low)}")
            return


# --- settlement ------------------------------------------------------------------------------------------------------


def _of(played: Played, *outcomes: str, wager: str | None = None) -> list[Settled]:
    return [
        each
        for each in played.settled
        if each.outcome in outcomes and wager in (None, each.bet.wager) and each.bet.wager != BANK_WAGER
    ]


def _wrong_payout(injection: Injection, played: Played, table: SplitHandsTable) -> None:
    won = _of(played, "win")
    bonus = [each for each in won if each.bet.wager == table.side]
    room = table.room_cents(played)
    if not won or not room:
        return
    settlement = table.rng.choice(bonus if bonus and table.rng.random() < 0.7 else won)
    right = settlement.paid_cents
    steps = [right + settlement.bet.cents, right - 100, right + 500, right // 2]
    wrong = [cents for cents in steps if cents > 0 and cents != right and cents - right <= room]
    if not wrong:
        return
    settlement.paid_cents = table.rng.choice(wrong)
    injection.done(f"paid {settlement.paid_cents} cents for {right}", settlement.bet.seat, settlement.bet.wager)


def _wrong_outcome(injection: Injection, played: Played, table: SplitHandsTable) -> None:
    room = table.room_cents(played)
    if not room:
        return
    settlement = table.rng.choice(_of(played, "win", "lose", "push"))
    right = settlement.outcome
    wrong = table.rng.choice([each for each in ("win", "lose", "push") if each != right])
    if settlement.bet.cents * (wrong != "push") - settlement.paid_cents - settlement.taken_cents > room:
        return
    settlement.outcome = wrong
    settlement.paid_cents = settlement.bet.cents if settlement.outcome == "win" else 0
    settlement.taken_cents = settlement.bet.cents if settlement.outcome == "lose" else 0
    settlement.vigorish_cents = 0  # none was due on what should have been paid, or none is taken on what was not paid
    injection.done(f"a {right} settled as a {settlement.outcome}", settlement.bet.seat, settlement.bet.wager)


def _missing(injection: Injection, played: Played, table: SplitHandsTable) -> None:
    candidates = [each for each in played.settled if not each.vigorish_cents and each.bet.wager != BANK_WAGER]
    if candidates and table.room_cents(played):
        settlement = table.rng.choice(candidates)
        played.settled.remove(settlement)
        injection.done(f"a {settlement.outcome} never reported", settlement.bet.seat, settlement.bet.wager)


def _phantom(injection: Injection, played: Played, table: SplitHandsTable) -> None:
    idle = [(seat, table.base) for seat in table.idle(played) if seat in table.seats]
    if table.has_side:
        idle += [(seat, table.side) for seat in played.seats if not played.cents(seat, table.side)]
    if idle:
        seat, wager = table.rng.choice(idle)
        cents = table.limits(wager)[0]
        if cents > table.room_cents(played):
            return
        played.settled.append(Settled(Bet(seat, wager, cents), "win", paid_cents=cents))
        injection.done(f"{cents} cents paid on no wager", seat, wager)


def _no_vigorish(injection: Injection, played: Played, table: SplitHandsTable) -> None:
    won = _of(played, "win", wager=table.base)
    if won:
        settlement = table.rng.choice(won)
        due, settlement.vigorish_cents = settlement.vigorish_cents, 0
        injection.done(f"{due} cents not taken", settlement.bet.seat, table.base)


def _wrong_vigorish(injection: Injection, played: Played, table: SplitHandsTable) -> None:
    won = _of(played, "win", wager=table.base)
    if won:
        settlement = table.rng.choice(won)
        due = settlement.vigorish_cents
        other = "exact" if table.vigorish_rounding == "up_to_quarter" else "up_to_quarter"
        tries = [due + 25, due - 25, 2 * due, vigorish_cents(settlement.bet.cents, other)]
        settlement.vigorish_cents = table.rng.choice([cents for cents in tries if cents > 0 and cents != due])
        injection.done(f"{settlement.vigorish_cents} cents taken for {due}", settlement.bet.seat, table.base)


def _undue_vigorish(injection: Injection, played: Played, table: SplitHandsTable) -> None:
    spared = _of(played, "push", "lose", wager=table.base) + _of(played, "win", wager=table.side)
    if spared:
        settlement = table.rng.choice(spared)
        settlement.vigorish_cents = vigorish_cents(settlement.bet.cents, table.vigorish_rounding)
        detail = f"{settlement.vigorish_cents} cents taken on a {settlement.outcome}"
        injection.done(detail, settlement.bet.seat, settlement.bet.wager)


def _envy_missed(injection: Injection, played: Played, table: SplitHandsTable) -> None:
    if played.envies:
        envy = table.rng.choice(played.envies)
        if not table.room_cents(played):
            return
        played.envies.remove(envy)
        injection.done(f"{envy.cents} cents for the hand of seat {envy.for_seat} not paid", envy.seat, table.side)


def _envy_wrong(injection: Injection, played: Played, table: SplitHandsTable) -> None:
    if played.envies:
        envy = table.rng.choice(played.envies)
        due = envy.cents
        rows = set(table.envy_cents.values())
        wrong = table.rng.choice(sorted(rows - {due}))
        if wrong - due > table.room_cents(played):
            return
        envy.cents = wrong
        injection.done(f"{envy.cents} cents for {due}", envy.seat, table.side)


def _envy_not_due(injection: Injection, played: Played, table: SplitHandsTable) -> None:
    """To somebody without a qualifying wager, for one's own hand, or for a hand that is none."""
    seats = played.seats
    due = {(envy.seat, envy.for_seat) for envy in played.envies}
    undue = [(seat, for_seat) for seat in seats for for_seat in seats if (seat, for_seat) not in due]
    likely = [(seat, for_seat) for seat, for_seat in undue if for_seat in played.staying] or undue
    if likely:
        seat, for_seat = table.rng.choice(likely)
        cents = table.rng.choice(sorted(table.envy_cents.values())[:3])
        if cents > table.room_cents(played):
            return
        played.envies.append(Envy(seat, for_seat, cents))
        injection.done(f"{cents} cents paid for the hand of seat {for_seat}", seat, table.side)


# --- payout limit and bank -------------------------------------------------------------------------------------------


def _wrong_row(injection: Injection, played: Played, table: SplitHandsTable) -> None:
    won = _of(played, "win", wager=table.side)
    if won:
        settlement = table.rng.choice(won)
        right = settlement.paid_cents
        others = [odds * settlement.bet.cents for odds in BONUS_ODDS.values()]
        settlement.paid_cents = table.rng.choice([cents for cents in others if cents != right and cents <= LIMIT_CENTS])
        injection.done(
            f"paid {settlement.paid_cents} cents by another row for {right}", settlement.bet.seat, table.side
        )


def _cap_ignored(injection: Injection, played: Played, table: SplitHandsTable) -> None:
    for settlement in _of(played, "win", wager=table.side):
        name = played.classes[settlement.bet.seat]
        full = BONUS_ODDS[name or ""] * settlement.bet.cents
        if full > settlement.paid_cents and name != "royal_flush":
            right, settlement.paid_cents = settlement.paid_cents, full
            injection.done(f"paid {full} cents at the odds, the limit is {right}", settlement.bet.seat, table.side)
            return


def _royal_share_wrong(injection: Injection, played: Played, table: SplitHandsTable) -> None:
    """One of two royal flushes that share the limit is paid as if it were alone."""
    royals = [each for each in _of(played, "win", wager=table.side) if played.classes[each.bet.seat] == "royal_flush"]
    if len(royals) >= 2:
        settlement = table.rng.choice(royals)
        alone = min(BONUS_ODDS["royal_flush"] * settlement.bet.cents, LIMIT_CENTS)
        if alone != settlement.paid_cents:
            right, settlement.paid_cents = settlement.paid_cents, alone
            injection.done(f"paid {alone} cents, its share is {right}", settlement.bet.seat, table.side)


def _bank_line(played: Played, outcome: str, co_banked: bool | None = None) -> Settled | None:
    if played.bank is None or co_banked not in (None, played.bank.kind == "co_bank"):
        return None
    lines = [each for each in played.settled if each.bet.wager == BANK_WAGER and each.outcome == outcome]
    return lines[0] if lines else None


def _no_surplus_vigorish(injection: Injection, played: Played, table: SplitHandsTable) -> None:
    line = _bank_line(played, "win")
    if line and line.vigorish_cents:
        due, line.vigorish_cents = line.vigorish_cents, 0
        injection.done(f"{due} cents on the bank's surplus not taken", line.bet.seat, BANK_WAGER)


def _surplus_not_halved(injection: Injection, played: Played, table: SplitHandsTable) -> None:
    """A co-bank gets all of the surplus; the vigorish is what is due on its half."""
    line = _bank_line(played, "win", co_banked=True)
    if line:
        right, line.paid_cents = line.paid_cents, 2 * line.paid_cents
        injection.done(f"{line.paid_cents} cents of surplus for {right}", line.bet.seat, BANK_WAGER)


def _shortfall_not_halved(injection: Injection, played: Played, table: SplitHandsTable) -> None:
    line = _bank_line(played, "lose", co_banked=True)
    if line and line.taken_cents:
        right = line.taken_cents
        line.taken_cents = table.rng.choice((2 * right, right - 50 if right > 50 else right + 50))
        injection.done(f"{line.taken_cents} cents of the shortfall for {right}", line.bet.seat, BANK_WAGER)


def _bank_paid_wrong(injection: Injection, played: Played, table: SplitHandsTable) -> None:
    line = _bank_line(played, "win") or _bank_line(played, "lose")
    if line and line.paid_cents + line.taken_cents > 500:
        step = table.rng.choice((-500, 500))
        line.paid_cents += step * (line.outcome == "win")
        line.taken_cents += step * (line.outcome == "lose")
        injection.done(f"the centre of the table is {abs(step)} cents out", line.bet.seat, BANK_WAGER)


def _cover_exceeded(injection: Injection, played: Played, table: SplitHandsTable) -> None:
    """The first bet the cover does not reach is settled in full all the same."""
    for settled in played.settled:
        outcome, cents = table.worth(played, settled.bet)
        before = settled.paid_cents + settled.taken_cents
        if cents != before:
            settled.outcome = outcome
            settled.paid_cents = cents if outcome == "win" else 0
            settled.taken_cents = cents if outcome == "lose" else 0
            injection.done(f"{cents} cents moved, {before} covered", settled.bet.seat, settled.bet.wager)
            return


def _button_wrong(injection: Injection, played: Played, table: SplitHandsTable) -> None:
    """The button lies where the settlement comes out differently."""
    right, before = played.button, _moved(played)
    seats = [seat for seat in table.seats if seat not in (right, table.against(played))]
    table.rng.shuffle(seats)
    for seat in seats:
        played.button = seat
        table.settle(played)
        if _moved(played) != before:
            injection.done(f"the button lies at seat {seat}, it belongs at seat {right}", seat)
            return
    played.button = right
    table.settle(played)


def _moved(played: Played) -> dict[tuple[int, str, str], tuple[str, int, int]]:
    return {each.bet.key: (each.outcome, each.paid_cents, each.taken_cents) for each in played.settled}


def _stub_not_counted(injection: Injection, played: Played, table: SplitHandsTable) -> None:
    if table.stub_is_due():
        played.stub_counted = False
        injection.done("the stub has not been counted for five rounds")


# --- rack ------------------------------------------------------------------------------------------------------------


def _packets(played: Played) -> list[list[str]]:
    return [say.data["cards"] for say in played.says if say.type == "discard.read"]


def _deal_misread(injection: Injection, played: Played, table: SplitHandsTable) -> None:
    """The reader of the shoe or shuffler takes a card for one of its rank or suit that is dealt as well."""
    read = [cards for say in played.says if say.type == "cards.dealt" for cards in [say.data["cards"]]]
    cards = table.rng.choice(read)
    at = table.rng.randrange(len(cards))
    true = cards[at]
    dealt = [card for part in read for card in part]
    alike = [card for card in dealt if card != true and (card[0] == true[0] or card[1] == true[1]) and card[0] != "X"]
    if true[0] == "X" or not alike:
        return
    cards[at] = table.rng.choice(alike)
    injection.done(f"{true} read as {cards[at]} when it was dealt")


def _card_missing(injection: Injection, played: Played, table: SplitHandsTable) -> None:
    packet = table.rng.choice(_packets(played))
    card = packet.pop(table.rng.randrange(len(packet)))
    injection.done(f"{card} is not in the rack")


def _card_duplicate(injection: Injection, played: Played, table: SplitHandsTable) -> None:
    packet, other = table.rng.sample(_packets(played), 2)
    index = table.rng.randrange(len(packet))
    gone, packet[index] = packet[index], table.rng.choice(other)
    injection.done(f"{packet[index]} is in the rack twice, {gone} not at all")


def _set_again(injection: Injection, played: Played, table: SplitHandsTable) -> None:
    """A card changes between a player's low and high hand after it was shown; only where the rack shows the setting."""
    seats = [
        seat
        for seat in sorted(played.settings)
        if seat not in (table.against(played), DEALER, *played.surrendered) and not table.rearranged(played, seat)
    ]
    if not seats:
        return
    seat = table.rng.choice(seats)
    low, high = played.settings[seat]
    packet = next(packet for packet in _packets(played) if packet == [CARD_NAMES[card] for card in (*low, *high)])
    up, down = table.rng.randrange(2), table.rng.randrange(2, table.hand_size)
    packet[up], packet[down] = packet[down], packet[up]
    injection.done(f"{packet[down]} shown low and {packet[up]} shown high change places", seat)


CHANGES: dict[str, tuple[Stage, Change]] = {
    "wager_over_limit": (Stage.WAGERS, _over_limit),
    "wrong_start": (Stage.START, _wrong_start),
    "misdeal_played": (Stage.DEALT, _misdeal),
    "card_exposed_played": (Stage.DEALT, _expose),
    "card_switched": (Stage.DEALT, _switch),
    "card_mucked": (Stage.DEALT, _muck),
    "delivered_wrong_way": (Stage.DEALT, _other_way_round),
    "dealt_otherwise": (Stage.DEALT, _another_method),
    "hands_exchanged": (Stage.DEALT, _exchange_hands),
    "boxed_card_played": (Stage.DEALT, _play_boxed),
    "stub_not_counted": (Stage.DEALT, _stub_not_counted),
    "foul_not_caught": (Stage.SET, _foul),
    "house_way_broken": (Stage.SET, _break_house_way),
    "wager_late": (Stage.LATE, _late),
    "wrong_payout": (Stage.SETTLED, _wrong_payout),
    "wrong_outcome": (Stage.SETTLED, _wrong_outcome),
    "settlement_missing": (Stage.SETTLED, _missing),
    "phantom_settlement": (Stage.SETTLED, _phantom),
    "vigorish_not_taken": (Stage.SETTLED, _no_vigorish),
    "vigorish_wrong": (Stage.SETTLED, _wrong_vigorish),
    "vigorish_not_due": (Stage.SETTLED, _undue_vigorish),
    "envy_missed": (Stage.SETTLED, _envy_missed),
    "envy_wrong": (Stage.SETTLED, _envy_wrong),
    "envy_not_due": (Stage.SETTLED, _envy_not_due),
    "fee_not_taken": (Stage.FEES, fee_faults.not_taken),
    "fee_wrong_tier": (Stage.FEES, fee_faults.wrong_tier),
    "fee_wrong_payer": (Stage.FEES, fee_faults.wrong_payer),
    "fee_late": (Stage.FEES, fee_faults.late),
    "fee_twice": (Stage.FEES, fee_faults.twice),
    "fee_wrong_box": (Stage.FEES, fee_faults.wrong_box),
    "cover_exceeded": (Stage.SETTLED, _cover_exceeded),
    "button_wrong": (Stage.SETTLED, _button_wrong),
    "bonus_wrong_row": (Stage.SETTLED, _wrong_row),
    "cap_ignored": (Stage.SETTLED, _cap_ignored),
    "royal_share_wrong": (Stage.SETTLED, _royal_share_wrong),
    "surplus_vigorish_not_taken": (Stage.SETTLED, _no_surplus_vigorish),
    "surplus_not_halved": (Stage.SETTLED, _surplus_not_halved),
    "shortfall_not_halved": (Stage.SETTLED, _shortfall_not_halved),
    "bank_paid_wrong": (Stage.SETTLED, _bank_paid_wrong),
    "card_set_again": (Stage.RACK, _set_again),
    "deal_misread": (Stage.RACK, _deal_misread),
    "card_missing": (Stage.RACK, _card_missing),
    "card_duplicate": (Stage.RACK, _card_duplicate),
}
