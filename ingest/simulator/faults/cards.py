"""What goes wrong with cards: their start, deal and setting, and how they get into the rack."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.simulator.dealing import DEALINGS
from ingest.simulator.faults.injection import Injection
from ingest.simulator.played import Setting, SplitPlayed
from ingest.simulator.voice import SHUFFLER, Say
from schemas.cards import CARD_NAMES

if TYPE_CHECKING:
    from ingest.simulator.split_hands.table import SplitHandsTable


DEALER = 0


def wrong_start(injection: Injection, played: SplitPlayed, table: SplitHandsTable) -> None:
    right = played.start
    if table.filed.starting == "left_of_dealer":
        others = table.dealt_first(played)
        played.start = table.rng.choice(others) if others else right
        if others:
            injection.done(f"dealt from place {played.start}, not from the dealer's left")
        return
    played.start = table.onward(right, table.rng.randrange(1, len(table.places)))
    injection.done(f"dealt from place {played.start}, thrown for place {right}")


def jam(injection: Injection, played: SplitPlayed, table: SplitHandsTable) -> None:
    """The shuffling device jams, and the cards are dealt as they come out of it."""
    played.mishaps.append(Say("shuffler.faulted", {"fault": "jam", "deck": table.deck_in_play}, SHUFFLER))
    injection.done("the shuffler jams, and the cards are dealt")


def misdeal(injection: Injection, played: SplitPlayed, table: SplitHandsTable) -> None:
    """A place without a wager gets a card too many or too few, so that every hand that is settled is whole."""
    idle = [place for place in table.idle(played) if place in table.seats]
    if idle:
        place = table.rng.choice(idle)
        table.misdeal(played, place)
        played.deal_out(played.dealt + played.stub, table.places)
        played.stub_counted = True
        injection.done(f"{len(played.hands[place])} cards dealt to place {place}, {len(played.stub)} left in the stub")


def expose(injection: Injection, played: SplitPlayed, table: SplitHandsTable) -> None:
    played.exposed = table.rng.choice(played.hands[table.against(played)])
    whose = "dealer" if table.against(played) == DEALER else "bank"
    injection.done(f"{CARD_NAMES[played.exposed]} of the {whose} exposed and played on")


def switch(injection: Injection, played: SplitPlayed, table: SplitHandsTable) -> None:
    """A player's card for one of another place, after the shoe has read them."""
    seat = table.rng.choice(played.seats)
    other = table.rng.choice([place for place in table.places if place != seat and played.hands[place]])
    hand, other_hand = played.hands[seat], played.hands[other]
    mine, theirs = table.rng.randrange(len(hand)), table.rng.randrange(len(other_hand))
    if hand[mine] == other_hand[theirs]:  # the same card of two decks
        return
    hand[mine], other_hand[theirs] = other_hand[theirs], hand[mine]
    got, gave = CARD_NAMES[hand[mine]], CARD_NAMES[other_hand[theirs]]
    injection.done(f"{gave} dealt to seat {seat} for {got} dealt to place {other}", seat)


def muck(injection: Injection, played: SplitPlayed, table: SplitHandsTable) -> None:
    """A player's card for one of those left over, after the shoe has read them."""
    seat = table.rng.choice(played.seats)
    hand, stub = played.hands[seat], played.stub
    mine, other = table.rng.randrange(len(hand)), table.rng.randrange(len(stub))
    if hand[mine] == stub[other]:
        return
    hand[mine], stub[other] = stub[other], hand[mine]
    gave, got = CARD_NAMES[stub[other]], CARD_NAMES[hand[mine]]
    injection.done(f"{gave} dealt to seat {seat} for {got} of the cards left over", seat)


def _redeal(played: SplitPlayed, table: SplitHandsTable, places: list[int]) -> bool:
    """The same cards to these places instead; not where a player would then hold a hand that stays on the table."""
    before, deck = played.places, played.dealt + played.stub
    played.places = places
    played.deal_out(deck, table.places)
    if not any(table.class_of(played.hands[seat]) in table.premium for seat in played.seats):
        return True
    played.places = before
    played.deal_out(deck, table.places)
    return False


def other_way_round(injection: Injection, played: SplitPlayed, table: SplitHandsTable) -> None:
    """Delivered from the place thrown the other way round the table."""
    way, places = table.other_way_round(played)
    if places != played.places and _redeal(played, table, places):
        injection.done(f"delivered {way} from place {played.start}")


def another_method(injection: Injection, played: SplitPlayed, table: SplitHandsTable) -> None:
    other = table.rng.choice([dealing for dealing in DEALINGS if dealing != table.filed.dealing])
    if _redeal(played, table, table.places_dealt(played, other)):
        injection.done(f"dealt as from a {other}, filed is {table.filed.dealing}".replace("_", " "))


def exchange_hands(injection: Injection, played: SplitPlayed, table: SplitHandsTable) -> None:
    """Two whole hands are played at each other's place; both are shown."""
    seats = [table.against(played), *played.seats]
    if table.filed.starting == "left_of_dealer" and len(seats) < 5:  # fewer look as if dealt the other way round
        return
    if any(table.class_of(played.hands[place]) in table.premium for place in seats):
        return
    whole = [place for place in seats if len(played.hands[place]) == table.hand_size]
    if len(whole) < 2:
        return
    one, other = table.rng.sample(whole, 2)
    exchanged = played.hands | {one: played.hands[other], other: played.hands[one]}
    if _as_if_delivered_otherwise(exchanged, played, table):
        return
    played.hands = exchanged
    injection.done(f"the hands dealt to places {one} and {other} are played at each other's")


def _as_if_delivered_otherwise(hands: dict[int, list[int]], played: SplitPlayed, table: SplitHandsTable) -> bool:
    """Whether the same hands come of dealing the other way round, as with few players they may."""
    other: dict[int, list[int]] = {place: [] for place in hands}
    for place, card in zip(table.other_way_round(played)[1], played.dealt, strict=True):
        other[place].append(card)
    return all(sorted(cards) == sorted(other[place]) for place, cards in hands.items())


def play_boxed(injection: Injection, played: SplitPlayed, table: SplitHandsTable) -> None:
    place = table.rng.choice([table.against(played), *played.seats])
    played.boxed = table.rng.choice(played.hands[place])
    injection.done(f"{CARD_NAMES[played.boxed]} found face up and played at place {place}", place or None)


def stub_not_counted(injection: Injection, played: SplitPlayed, table: SplitHandsTable) -> None:
    if table.stub_is_due():
        played.stub_counted = False
        injection.done("the stub has not been counted for five rounds")


def foul(injection: Injection, played: SplitPlayed, table: SplitHandsTable) -> None:
    """A foul setting that, read as if it were none, does not lose."""
    seats = played.seats if table.one_against_one(played) else []
    table.rng.shuffle(seats)
    for seat in seats:
        if seat not in played.settings or (table.rearranged(played, seat) and not table.fitted.camera):
            continue
        for setting in table.settings_of(played.hands[seat]):
            if not table.is_foul(setting):
                continue
            outcome = table.outcome(setting, played.settings[table.against(played)], overlook_foul=True)
            if outcome != "lose" and not _could_lie_the_other_way_round(played, table, setting, outcome):
                played.settings[seat] = setting
                played.fouls_overlooked.add(seat)
                injection.done(f"a foul hand settled as a {outcome}", seat, table.base)
                return


def _could_lie_the_other_way_round(played: SplitPlayed, table: SplitHandsTable, setting: Setting, outcome: str) -> bool:
    """Where no camera saw it set, five cards and two that were laid high hand first look like a foul, and are none."""
    if table.fitted.camera:
        return False
    low, high = setting
    laid = [*low, *high]
    other = laid[len(high) :], laid[: len(high)]
    return table.outcome(other, played.settings[table.against(played)]) == outcome


def break_house_way(injection: Injection, played: SplitPlayed, table: SplitHandsTable) -> None:
    for place in table.set_by_house(played) if table.one_against_one(played) else ():
        low, high = table.house_way(played.hands[place])
        right = table.keys((low, high))
        others = [
            setting
            for setting in table.settings_of(played.hands[place])
            if table.keys(setting) != right and not table.is_foul(setting)
        ]
        if others:
            played.settings[place] = table.rng.choice(others)
            laid = " ".join(CARD_NAMES[card] for card in played.settings[place][0])
            injection.done(f"{laid} laid in front, the house way is {' '.join(CARD_NAMES[card] for card in low)}")
            return


def dealer_foul(injection: Injection, played: SplitPlayed, table: SplitHandsTable) -> None:
    """Its low hand is higher than its high hand."""
    for place in table.set_by_house(played) if table.one_against_one(played) else ():
        foul = [setting for setting in table.settings_of(played.hands[place]) if table.is_foul(setting)]
        if foul:
            played.settings[place] = table.rng.choice(foul)
            laid = " ".join(CARD_NAMES[card] for card in played.settings[place][0])
            injection.done(f"{laid} laid in front, which is foul")
            return


def _packets(played: SplitPlayed) -> list[list[str]]:
    return [say.data["cards"] for say in played.says if say.type == "discard.read"]


def deal_misread(injection: Injection, played: SplitPlayed, table: SplitHandsTable) -> None:
    """The reader of the shoe or shuffler takes a card for one of its rank or suit that is dealt as well, as often as
    there is one."""
    read = [cards for say in played.says if say.type == "cards.dealt" for cards in [say.data["cards"]]]
    cards = table.rng.choice(read)
    at = table.rng.randrange(len(cards))
    true = cards[at]
    dealt = [card for part in read for card in part]
    alike = [card for card in dealt if card != true and (card[0] == true[0] or card[1] == true[1]) and card[0] != "X"]
    alike = [card for card in alike if dealt.count(card) == table.copies]
    if true[0] == "X" or not alike:
        return
    cards[at] = table.rng.choice(alike)
    injection.done(f"{true} read as {cards[at]} when it was dealt")


def card_missing(injection: Injection, played: SplitPlayed, table: SplitHandsTable) -> None:
    packet = table.rng.choice(_packets(played))
    card = packet.pop(table.rng.randrange(len(packet)))
    injection.done(f"{card} is not in the rack")


def card_duplicate(injection: Injection, played: SplitPlayed, table: SplitHandsTable) -> None:
    packet, other = table.rng.sample(_packets(played), 2)
    index = table.rng.randrange(len(packet))
    gone, packet[index] = packet[index], table.rng.choice(other)
    if packet[index] == gone:
        return
    injection.done(f"{packet[index]} is in the rack twice, {gone} not at all")


def set_again(injection: Injection, played: SplitPlayed, table: SplitHandsTable) -> None:
    """A card changes between a player's low and high hand after it was shown; only where the rack shows the setting."""
    seats = [
        seat
        for seat in sorted(played.settings)
        if seat not in (table.against(played), DEALER, *played.surrendered)
        and not (table.rearranged(played, seat) or table.live_side(played, seat))
    ]
    if not seats:
        return
    seat = table.rng.choice(seats)
    low, high = played.settings[seat]
    packet = next(packet for packet in _packets(played) if packet == [CARD_NAMES[card] for card in (*low, *high)])
    up, down = table.rng.randrange(2), table.rng.randrange(2, table.hand_size)
    packet[up], packet[down] = packet[down], packet[up]
    injection.done(f"{packet[down]} shown low and {packet[up]} shown high change places", seat)
