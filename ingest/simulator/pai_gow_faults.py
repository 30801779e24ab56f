"""What goes wrong at a pai gow poker table: each fault changes a round at the stage where it would have happened.

A fault looks for an opportunity in the round as it is, and does nothing where it would change nothing, or where the
table's devices could not show it. What is settled afterwards follows from what it changed.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from typing import TYPE_CHECKING

from ingest.simulator.faults import Injection
from ingest.simulator.house_way import house_way, splits
from ingest.simulator.pai_gow_deal import DEALINGS, places_dealt
from ingest.simulator.pai_gow_round import DEALER, PLACES, SEATS, Envy, PaiGowRound, Settlement
from ingest.simulator.paytables import ENVY_CENTS, QUALIFYING_CENTS, vigorish_cents
from ingest.simulator.poker import PREMIUM, five_key, is_foul, two_key
from ingest.simulator.voice import LAYOUT, Say
from schemas.cards import CARD_NAMES

if TYPE_CHECKING:
    from ingest.simulator.pai_gow import PaiGowTable

Change = Callable[[Injection, PaiGowRound, "PaiGowTable", list[Say]], None]


class Stage(Enum):
    """Points of a round at which something can go wrong."""

    WAGERS = auto()
    START = auto()
    DEALT = auto()
    SET = auto()
    LATE = auto()
    SETTLED = auto()
    RACK = auto()


def wants_premium_hand(injection: Injection) -> bool:
    """Four of a kind is too rare to wait for: the deck is stacked for faults with envy bonuses."""
    return injection.wanted and injection.kind in ("envy_missed", "envy_wrong", "envy_not_due")


def inject(
    stage: Stage, injection: Injection, played: PaiGowRound, table: PaiGowTable, says: list[Say] | None = None
) -> None:
    """Does the fault asked of the round, if this is its stage and the round gives it an opportunity."""
    if injection.wanted and injection.kind in _CHANGES:
        at, change = _CHANGES[injection.kind]
        if at is stage:
            change(injection, played, table, says or [])


# --- wagers ----------------------------------------------------------------------------------------------------------


def _over_limit(injection: Injection, played: PaiGowRound, table: PaiGowTable, says: list[Say]) -> None:
    seat = table.rng.choice(sorted(played.wagers))
    wager = table.rng.choice(sorted(played.wagers[seat]))
    lowest, highest = table.limits(wager)
    if table.rng.random() < 0.3 and lowest > 100:
        cents = table.rng.randrange(100, lowest, 100)
    else:
        cents = highest + 100 * table.rng.randrange(1, 200)
    played.wagers[seat][wager] = cents
    played.wager_says.append(Say("wager.changed", {"seat": seat, "wager": wager, "amount_cents": cents}, LAYOUT))
    injection.done(f"{cents} cents; the limits are {lowest} to {highest}", seat, wager)


def _late(injection: Injection, played: PaiGowRound, table: PaiGowTable, says: list[Say]) -> None:
    """After the cards are out, a wager is raised, or a Fortune wager made or taken back.

    A Fortune wager only where another one qualifies and nobody holds a premium hand, so that whose hands are
    rearranged or stay on the table does not hang on whether a late wager counts.
    """
    rng = table.rng
    seat = rng.choice(sorted(played.wagers))
    own = played.wagers[seat]
    others_qualify = any(played.fortune(other) >= QUALIFYING_CENTS for other in played.wagers if other != seat)
    quiet = others_qualify and not any(table.class_of(played.hands[other]) in PREMIUM for other in played.wagers)
    choice = rng.random()
    if choice < 0.3 and quiet and "fortune" not in own:
        cents = max(QUALIFYING_CENTS, table.limits("fortune")[0])
        own["fortune"] = cents
        played.late_says.append(Say("wager.placed", {"seat": seat, "wager": "fortune", "amount_cents": cents}, LAYOUT))
        injection.done(f"{cents} cents placed after the close", seat, "fortune")
        return
    if choice < 0.5 and quiet and "fortune" in own:
        del own["fortune"]
        played.late_says.append(Say("wager.withdrawn", {"seat": seat, "wager": "fortune"}, LAYOUT))
        injection.done("withdrawn after the close", seat, "fortune")
        return
    highest = table.limits("pai_gow")[1]
    before = own["pai_gow"]
    raised = min(highest, before + 500 * rng.randrange(1, 20))
    if raised > before:
        own["pai_gow"] = raised
        said = {"seat": seat, "wager": "pai_gow", "amount_cents": raised}
        played.late_says.append(Say("wager.changed", said, LAYOUT))
        injection.done(f"raised from {before} to {raised} cents after the close", seat, "pai_gow")


# --- start and deal --------------------------------------------------------------------------------------------------


def _wrong_start(injection: Injection, played: PaiGowRound, table: PaiGowTable, says: list[Say]) -> None:
    right = played.start
    played.start = (right + table.rng.randrange(1, PLACES)) % PLACES
    injection.done(f"dealt from place {played.start}, thrown for place {right}")


def _misdeal(injection: Injection, played: PaiGowRound, table: PaiGowTable, says: list[Say]) -> None:
    """A place without a wager gets eight cards or six, so that every hand that is settled has its seven."""
    idle = [place for place in SEATS if place not in played.wagers]
    if idle:
        place = table.rng.choice(idle)
        table.misdeal(played, place)
        played.deal_out(played.dealt + played.stub)
        injection.done(f"{len(played.hands[place])} cards dealt to place {place}, {len(played.stub)} left in the stub")


def _expose(injection: Injection, played: PaiGowRound, table: PaiGowTable, says: list[Say]) -> None:
    played.exposed = table.rng.choice(played.hands[DEALER])
    injection.done(f"{CARD_NAMES[played.exposed]} of the dealer exposed and played on")


def _switch(injection: Injection, played: PaiGowRound, table: PaiGowTable, says: list[Say]) -> None:
    """A player's card for one of another place, after the shoe has read them."""
    seat = table.rng.choice(sorted(played.wagers))
    other = table.rng.choice([place for place in range(PLACES) if place != seat])
    mine, theirs = table.rng.randrange(7), table.rng.randrange(7)
    hand, other_hand = played.hands[seat], played.hands[other]
    hand[mine], other_hand[theirs] = other_hand[theirs], hand[mine]
    got, gave = CARD_NAMES[hand[mine]], CARD_NAMES[other_hand[theirs]]
    injection.done(f"{gave} dealt to seat {seat} for {got} dealt to place {other}", seat)


def _muck(injection: Injection, played: PaiGowRound, table: PaiGowTable, says: list[Say]) -> None:
    """A player's card for one of those left over, after the shoe has read them."""
    seat = table.rng.choice(sorted(played.wagers))
    mine, other = table.rng.randrange(7), table.rng.randrange(len(played.stub))
    hand, stub = played.hands[seat], played.stub
    hand[mine], stub[other] = stub[other], hand[mine]
    gave, got = CARD_NAMES[stub[other]], CARD_NAMES[hand[mine]]
    injection.done(f"{gave} dealt to seat {seat} for {got} of the cards left over", seat)


def _redeal(played: PaiGowRound, table: PaiGowTable, places: list[int]) -> bool:
    """The same cards to these places instead; not where a player would then hold a hand that stays on the table."""
    before, deck = played.places, played.dealt + played.stub
    played.places = places
    played.deal_out(deck)
    if not any(table.class_of(played.hands[seat]) in PREMIUM for seat in played.wagers):
        return True
    played.places = before
    played.deal_out(deck)
    return False


def _other_way_round(injection: Injection, played: PaiGowRound, table: PaiGowTable, says: list[Say]) -> None:
    """Delivered counterclockwise from the place thrown."""
    if _redeal(played, table, [(2 * played.start - place) % PLACES for place in played.places]):
        injection.done(f"delivered counterclockwise from place {played.start}")


def _another_method(injection: Injection, played: PaiGowRound, table: PaiGowTable, says: list[Say]) -> None:
    other = table.rng.choice([dealing for dealing in DEALINGS if dealing != table.options.dealing])
    if _redeal(played, table, places_dealt(other, played.start)):
        injection.done(f"dealt as from a {other}, filed is {table.options.dealing}".replace("_", " "))


def _exchange_hands(injection: Injection, played: PaiGowRound, table: PaiGowTable, says: list[Say]) -> None:
    """Two whole hands are played at each other's place; both are shown."""
    seats = [DEALER, *sorted(played.wagers)]
    if any(table.class_of(played.hands[place]) in PREMIUM for place in seats):
        return
    one, other = table.rng.sample(seats, 2)
    played.hands[one], played.hands[other] = played.hands[other], played.hands[one]
    injection.done(f"the hands dealt to places {one} and {other} are played at each other's")


def _play_boxed(injection: Injection, played: PaiGowRound, table: PaiGowTable, says: list[Say]) -> None:
    place = table.rng.choice([DEALER, *sorted(played.wagers)])
    played.boxed = table.rng.choice(played.hands[place])
    injection.done(f"{CARD_NAMES[played.boxed]} found face up and played at place {place}", place or None)


# --- setting ---------------------------------------------------------------------------------------------------------


def _foul(injection: Injection, played: PaiGowRound, table: PaiGowTable, says: list[Say]) -> None:
    """A foul setting that, read as if it were none, does not lose."""
    seats = sorted(played.wagers)
    table.rng.shuffle(seats)
    for seat in seats:
        if table.rearranged(played, seat) and not table.fitted.camera:
            continue
        for setting in splits(played.hands[seat]):
            if not is_foul(two_key(setting[0]), five_key(setting[1], table.options.wheel)):
                continue
            outcome = table.outcome(setting, played.settings[DEALER], overlook_foul=True)
            if outcome != "lose":
                played.settings[seat] = setting
                played.fouls_overlooked.add(seat)
                injection.done(f"a foul hand settled as a {outcome}", seat, "pai_gow")
                return


def _break_house_way(injection: Injection, played: PaiGowRound, table: PaiGowTable, says: list[Say]) -> None:
    wheel = table.options.wheel
    low, high = house_way(played.hands[DEALER], wheel)
    right = two_key(low), five_key(high, wheel)
    others = [
        setting
        for setting in splits(played.hands[DEALER])
        if (keys := (two_key(setting[0]), five_key(setting[1], wheel))) != right and not is_foul(*keys)
    ]
    if others:
        played.settings[DEALER] = table.rng.choice(others)
        laid = " ".join(CARD_NAMES[card] for card in played.settings[DEALER][0])
        injection.done(f"{laid} laid in front, the house way is {' '.join(CARD_NAMES[card] for card in low)}")


# --- settlement ------------------------------------------------------------------------------------------------------


def _of(played: PaiGowRound, *outcomes: str, wager: str | None = None) -> list[Settlement]:
    return [each for each in played.settlements if each.outcome in outcomes and wager in (None, each.wager)]


def _wrong_payout(injection: Injection, played: PaiGowRound, table: PaiGowTable, says: list[Say]) -> None:
    won = _of(played, "win")
    bonus = [each for each in won if each.wager == "fortune"]
    if not won:
        return
    settlement = table.rng.choice(bonus if bonus and table.rng.random() < 0.7 else won)
    right = settlement.paid_cents
    steps = [right + settlement.stake_cents, right - 100, right + 500, right // 2]
    settlement.paid_cents = table.rng.choice([cents for cents in steps if cents > 0 and cents != right])
    injection.done(f"paid {settlement.paid_cents} cents for {right}", settlement.seat, settlement.wager)


def _wrong_outcome(injection: Injection, played: PaiGowRound, table: PaiGowTable, says: list[Say]) -> None:
    settlement = table.rng.choice(_of(played, "win", "lose", "push"))
    right = settlement.outcome
    settlement.outcome = table.rng.choice([each for each in ("win", "lose", "push") if each != right])
    settlement.paid_cents = settlement.stake_cents if settlement.outcome == "win" else 0
    settlement.taken_cents = settlement.stake_cents if settlement.outcome == "lose" else 0
    settlement.vigorish_cents = 0  # none was due on what should have been paid, or none is taken on what was not paid
    injection.done(f"a {right} settled as a {settlement.outcome}", settlement.seat, settlement.wager)


def _missing(injection: Injection, played: PaiGowRound, table: PaiGowTable, says: list[Say]) -> None:
    candidates = [each for each in played.settlements if not each.vigorish_cents]
    if candidates:
        settlement = table.rng.choice(candidates)
        played.settlements.remove(settlement)
        injection.done(f"a {settlement.outcome} never reported", settlement.seat, settlement.wager)


def _phantom(injection: Injection, played: PaiGowRound, table: PaiGowTable, says: list[Say]) -> None:
    idle = [(seat, "pai_gow") for seat in SEATS if seat not in played.wagers]
    if table.options.fortune_paytable != "none":
        idle += [(seat, "fortune") for seat in played.wagers if not played.fortune(seat)]
    if idle:
        seat, wager = table.rng.choice(idle)
        cents = table.limits(wager)[0]
        played.settlements.append(Settlement(seat, wager, cents, "win", paid_cents=cents))
        injection.done(f"{cents} cents paid on no wager", seat, wager)


def _no_vigorish(injection: Injection, played: PaiGowRound, table: PaiGowTable, says: list[Say]) -> None:
    won = _of(played, "win", wager="pai_gow")
    if won:
        settlement = table.rng.choice(won)
        due, settlement.vigorish_cents = settlement.vigorish_cents, 0
        injection.done(f"{due} cents not taken", settlement.seat, "pai_gow")


def _wrong_vigorish(injection: Injection, played: PaiGowRound, table: PaiGowTable, says: list[Say]) -> None:
    won = _of(played, "win", wager="pai_gow")
    if won:
        settlement = table.rng.choice(won)
        due = settlement.vigorish_cents
        other = "exact" if table.options.vigorish_rounding == "up_to_quarter" else "up_to_quarter"
        tries = [due + 25, due - 25, 2 * due, vigorish_cents(settlement.stake_cents, other)]
        settlement.vigorish_cents = table.rng.choice([cents for cents in tries if cents > 0 and cents != due])
        injection.done(f"{settlement.vigorish_cents} cents taken for {due}", settlement.seat, "pai_gow")


def _undue_vigorish(injection: Injection, played: PaiGowRound, table: PaiGowTable, says: list[Say]) -> None:
    spared = _of(played, "push", "lose", wager="pai_gow") + _of(played, "win", wager="fortune")
    if spared:
        settlement = table.rng.choice(spared)
        settlement.vigorish_cents = vigorish_cents(settlement.stake_cents, table.options.vigorish_rounding)
        detail = f"{settlement.vigorish_cents} cents taken on a {settlement.outcome}"
        injection.done(detail, settlement.seat, settlement.wager)


def _envy_missed(injection: Injection, played: PaiGowRound, table: PaiGowTable, says: list[Say]) -> None:
    if played.envies:
        envy = table.rng.choice(played.envies)
        played.envies.remove(envy)
        injection.done(f"{envy.cents} cents for the hand of seat {envy.for_seat} not paid", envy.seat, "fortune")


def _envy_wrong(injection: Injection, played: PaiGowRound, table: PaiGowTable, says: list[Say]) -> None:
    if played.envies:
        envy = table.rng.choice(played.envies)
        due = envy.cents
        rows = set(ENVY_CENTS[table.options.fortune_paytable].values())
        envy.cents = table.rng.choice(sorted(rows - {due}))
        injection.done(f"{envy.cents} cents for {due}", envy.seat, "fortune")


def _envy_not_due(injection: Injection, played: PaiGowRound, table: PaiGowTable, says: list[Say]) -> None:
    """To somebody without a qualifying wager, for one's own hand, or for a hand that is none."""
    seats = sorted(played.wagers)
    due = {(envy.seat, envy.for_seat) for envy in played.envies}
    undue = [(seat, for_seat) for seat in seats for for_seat in seats if (seat, for_seat) not in due]
    likely = [(seat, for_seat) for seat, for_seat in undue if for_seat in played.staying] or undue
    if likely:
        seat, for_seat = table.rng.choice(likely)
        cents = table.rng.choice(sorted(ENVY_CENTS[table.options.fortune_paytable].values())[:3])
        played.envies.append(Envy(seat, for_seat, cents))
        injection.done(f"{cents} cents paid for the hand of seat {for_seat}", seat, "fortune")


# --- rack ------------------------------------------------------------------------------------------------------------


def _packets(says: list[Say]) -> list[list[str]]:
    return [say.data["cards"] for say in says if say.type == "discard.read"]


def _deal_misread(injection: Injection, played: PaiGowRound, table: PaiGowTable, says: list[Say]) -> None:
    """The reader of the shoe or shuffler takes a card for one of its rank or suit that is dealt as well."""
    read = [cards for say in says if say.type == "cards.dealt" for cards in [say.data["cards"]]]
    cards = table.rng.choice(read)
    at = table.rng.randrange(len(cards))
    true = cards[at]
    dealt = [card for part in read for card in part]
    alike = [card for card in dealt if card != true and (card[0] == true[0] or card[1] == true[1]) and card[0] != "X"]
    if true[0] == "X" or not alike:
        return
    cards[at] = table.rng.choice(alike)
    injection.done(f"{true} read as {cards[at]} when it was dealt")


def _card_missing(injection: Injection, played: PaiGowRound, table: PaiGowTable, says: list[Say]) -> None:
    packet = table.rng.choice(_packets(says))
    card = packet.pop(table.rng.randrange(len(packet)))
    injection.done(f"{card} is not in the rack")


def _card_duplicate(injection: Injection, played: PaiGowRound, table: PaiGowTable, says: list[Say]) -> None:
    packet, other = table.rng.sample(_packets(says), 2)
    index = table.rng.randrange(len(packet))
    gone, packet[index] = packet[index], table.rng.choice(other)
    injection.done(f"{packet[index]} is in the rack twice, {gone} not at all")


def _set_again(injection: Injection, played: PaiGowRound, table: PaiGowTable, says: list[Say]) -> None:
    """A card changes between a player's low and high hand after it was shown; only where the rack shows the setting."""
    seats = [
        seat
        for seat in sorted(played.settings)
        if seat not in (DEALER, *played.surrendered) and not table.rearranged(played, seat)
    ]
    if not seats:
        return
    seat = table.rng.choice(seats)
    low, high = played.settings[seat]
    packet = next(packet for packet in _packets(says) if packet == [CARD_NAMES[card] for card in (*low, *high)])
    up, down = table.rng.randrange(2), table.rng.randrange(2, 7)
    packet[up], packet[down] = packet[down], packet[up]
    injection.done(f"{packet[down]} shown low and {packet[up]} shown high change places", seat)


_CHANGES: dict[str, tuple[Stage, Change]] = {
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
    "card_set_again": (Stage.RACK, _set_again),
    "deal_misread": (Stage.RACK, _deal_misread),
    "card_missing": (Stage.RACK, _card_missing),
    "card_duplicate": (Stage.RACK, _card_duplicate),
}
