"""Things that go wrong with a rack, done on purpose to racks as the simulated dealers filled them, each with its label.

A rack is a row of packets of cards, and a fault moves, takes or changes them as a hand or a reader would. Nothing here
is shared with the replay: which hand a packet is, and how it was set, comes from what the simulator's devices said and
from the simulator's own rules.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from ingest.simulator.dealing import cards_to
from ingest.simulator.games.pai_gow_poker.filed import PaiGowOptions
from ingest.simulator.games.supreme_baccarat.rules import player_draws
from schemas.cards import CARD_CODES

STUB, PLAYER, BANKER = -1, -4, -5
MIXED_IN = 99
JOKER = 52
OWN_DECK, OTHER_DECK = 0, 1
NO_WAGER, SURRENDERED, IN_PLAY = 0, 1, 2  # when a hand was collected: before play, given up, when it was settled
ENVY_LEAST_CENTS = 500
FIRST_IN, LAST_IN = 0.6, 0.2  # another round's cards lie before this one's, behind them, or else in between


@dataclass
class Card:
    """One card in the rack: its face as it is read, the deck it is of, and whose it was."""

    face: int
    owner: int
    deck: int = OWN_DECK


@dataclass
class Packet:
    place: int
    cards: list[Card]
    low: int = 0  # so many cards in front are the low hand; 0 where the cards lie anyhow
    collected: int = IN_PLAY

    def faces(self) -> bytes:
        return bytes(card.face for card in self.cards)


@dataclass(frozen=True)
class Label:
    """What was done: which kind of fault, whose hands, which cards as read and which they should be, and where."""

    kind: str
    places: tuple[int, ...] = ()
    cards: tuple[int, ...] = ()
    instead: tuple[int, ...] = ()
    packet: Card | None = None  # the card it happened to or before, to find the place in the rack afterwards


@dataclass
class Rack:
    packets: list[Packet]
    deck: tuple[int, ...]  # the faces of the deck in play
    labels: list[Label] = field(default_factory=list)

    def cards(self) -> list[Card]:
        return [card for packet in self.packets for card in packet.cards]

    def faces(self) -> bytes:
        return bytes(card.face for card in self.cards())

    def decks(self) -> bytes:
        return bytes(card.deck for card in self.cards())

    def index_of(self, card: Card | None) -> int:
        return next((at for at, other in enumerate(self.cards()) if other is card), -1)


Fault = Callable[[Rack, Random, Sequence[Rack]], bool]


def _own(rack: Rack) -> list[Packet]:
    """This round's packets: what lies among another round's cards is no fault of this one."""
    return [packet for packet in rack.packets if packet.place != MIXED_IN and packet.cards]


def _hands(rack: Rack) -> list[int]:
    return [at for at, packet in enumerate(rack.packets) if packet.place not in (STUB, MIXED_IN) and packet.cards]


def swapped(rack: Rack, rng: Random, others: Sequence[Rack]) -> bool:
    packets, hands = rack.packets, _hands(rack)
    pairs = [(a, b) for a in hands for b in hands if a < b and packets[a].collected == packets[b].collected]
    if not pairs:
        return False
    one, other = rng.choice(pairs)
    packets[one], packets[other] = packets[other], packets[one]
    rack.labels.append(Label("swapped", (packets[one].place, packets[other].place)))
    return True


def out_of_place(rack: Rack, rng: Random, others: Sequence[Rack]) -> bool:
    """One hand goes in at least two turns too early or too late (one turn is a swap), or the stub at least one."""
    own = [at for at, packet in enumerate(rack.packets) if packet.place != MIXED_IN and packet.cards]
    places, when = [packet.place for packet in rack.packets], [packet.collected for packet in rack.packets]
    moves = [
        (one, to)
        for one in own
        for to in own
        if abs(one - to) >= (1 if places[one] == STUB else 2) and may_lie_there(places, when, one, to)
    ]
    if not moves:
        return False
    one, to = rng.choice(moves)
    packet = rack.packets.pop(one)
    rack.packets.insert(to, packet)
    rack.labels.append(Label("out_of_place", (packet.place,)))
    return True


def may_lie_there(places: Sequence[int], when: Sequence[int], one: int, to: int) -> bool:
    """A hand may be forgotten and go in late; it cannot go in before others that were collected while it was played."""
    return places[one] == STUB or all(
        when[at] == when[one] for at in range(to, one) if places[at] not in (STUB, MIXED_IN)
    )


def parts_reversed(rack: Rack, rng: Random, others: Sequence[Rack]) -> bool:
    set_hands = [packet for packet in rack.packets if packet.low]
    if not set_hands:
        return False
    packet = rng.choice(set_hands)
    packet.cards = packet.cards[packet.low :] + packet.cards[: packet.low]
    packet.low = 0  # once is enough
    rack.labels.append(Label("parts_reversed", (packet.place,)))
    return True


def missing(rack: Rack, rng: Random, others: Sequence[Rack]) -> bool:
    """One card, of a hand or of the stub."""
    card = rng.choice([card for packet in _own(rack) for card in packet.cards])
    for packet in rack.packets:
        packet.low -= any(other is card for other in packet.cards[: packet.low])
        packet.cards = [other for other in packet.cards if other is not card]
    rack.labels.append(Label("missing", (card.owner,), (), (card.face,)))
    return True


def duplicate(rack: Rack, rng: Random, others: Sequence[Rack]) -> bool:
    """A copy of another card of the deck, in a card's place or added."""
    return _strange_card(rack, rng, "duplicate", OWN_DECK, rng.random() < 0.5)


def foreign(rack: Rack, rng: Random, others: Sequence[Rack]) -> bool:
    return _strange_card(rack, rng, "foreign", OWN_DECK, rng.random() < 0.5)


def other_deck(rack: Rack, rng: Random, others: Sequence[Rack]) -> bool:
    return _strange_card(rack, rng, "other_deck", OTHER_DECK, rng.random() < 0.5)


def _strange_card(rack: Rack, rng: Random, kind: str, deck: int, added: bool) -> bool:
    packet = rng.choice(_own(rack))
    at = rng.randrange(len(packet.cards))
    true = packet.cards[at]
    if not added and any(label.packet is true for label in rack.labels):
        return False  # what is in another's place already is not exchanged once more
    if kind == "foreign":
        strangers = [face for face in range(JOKER, JOKER + 2) if face not in rack.deck]
        if not strangers:
            return False  # a deck with both jokers has every card there is
        face = strangers[-1]
    else:
        face = rng.choice([face for face in rack.deck if face != true.face])
    strange = Card(face, true.owner, deck)
    if added:
        packet.low += at < packet.low
        packet.cards.insert(at, strange)
        rack.labels.append(Label(kind, (packet.place,), (face,), (), strange))
    else:
        packet.cards[at] = strange
        rack.labels.append(Label(kind, (true.owner,), (face,), (true.face,), strange))
    return True


def stub_short(rack: Rack, rng: Random, others: Sequence[Rack]) -> bool:
    """Set aside whole half of the time, else two cards of it or more left behind (one is a card missing)."""
    stub = next((packet for packet in rack.packets if packet.place == STUB and len(packet.cards) > 1), None)
    if stub is None:
        return False
    count = len(stub.cards)
    gone = count if rng.random() < 0.5 or count == 2 else rng.randrange(2, count)
    rng.shuffle(stub.cards)
    taken, stub.cards = stub.cards[:gone], stub.cards[gone:]
    rack.labels.append(Label("stub_short", (STUB,), (), tuple(sorted(card.face for card in taken))))
    return True


def mixed(rack: Rack, rng: Random, others: Sequence[Rack]) -> bool:
    """Packets of another round before this one's, behind them or in between."""
    other = rng.choice(others)
    first = rng.randrange(len(other.packets))
    last = rng.randrange(first, len(other.packets))
    block = [Card(card.face, card.owner) for packet in other.packets[first : last + 1] for card in packet.cards]
    if len(block) < 2:
        return False
    chance = rng.random()
    before, behind = chance < FIRST_IN, chance < FIRST_IN + LAST_IN
    to = 0 if before else len(rack.packets) if behind else rng.randrange(1, len(rack.packets))
    rack.packets.insert(to, Packet(MIXED_IN, block))
    rack.labels.append(Label("mixed", (), tuple(card.face for card in block), (), block[0]))
    return True


def misread(rack: Rack, rng: Random, others: Sequence[Rack]) -> bool:
    """The reader takes the rank or the suit of one card for another."""
    card = rng.choice([card for packet in _own(rack) for card in packet.cards if card.face < JOKER])
    true = card.face
    alike = [face for face in range(JOKER) if face != true and (face // 4 == true // 4 or face % 4 == true % 4)]
    card.face = rng.choice(alike)
    rack.labels.append(Label("misread", (card.owner,), (card.face,), (true,), card))
    return True


def read_twice(rack: Rack, rng: Random, others: Sequence[Rack]) -> bool:
    packet = rng.choice(_own(rack))
    at = rng.randrange(len(packet.cards))
    again = Card(packet.cards[at].face, packet.place, packet.cards[at].deck)
    packet.low += at + 1 <= packet.low
    packet.cards.insert(at + 1, again)
    rack.labels.append(Label("read_twice", (packet.place,), (again.face,), (), again))
    return True


FAULTS: dict[str, Fault] = {
    "swapped": swapped,
    "out_of_place": out_of_place,
    "parts_reversed": parts_reversed,
    "missing": missing,
    "duplicate": duplicate,
    "foreign": foreign,
    "other_deck": other_deck,
    "stub_short": stub_short,
    "mixed": mixed,
    "misread": misread,
    "read_twice": read_twice,
}


# ---- racks from what the simulator's devices said ------------------------------------------------------------------


def pai_gow_rack(events: Iterable[Mapping[str, Any]], filed: PaiGowOptions) -> Rack | None:
    """The rack of one round at a table that reads deal, hands shown and every packet; None for a round voided."""
    dealt: list[int] = []
    packets: list[list[int]] = []
    settings: dict[int, tuple[frozenset[int], int]] = {}
    start = -1
    wagered: set[int] = set()
    fortune: set[int] = set()
    qualifying: set[int] = set()
    surrendered: set[int] = set()
    for event in events:
        data = event["data"]
        match event["type"].split(".", 1)[1].rsplit(".", 1)[0]:
            case "cards.dealt":
                dealt += [CARD_CODES[card] for card in data["cards"]]
            case "start.determined":
                start = data["place"]
            case "discard.read":
                packets.append([CARD_CODES[card] for card in data["cards"]])
            case "hand.shown" if "low" in data:
                settings[data["place"]] = frozenset(CARD_CODES[card] for card in data["low"]), len(data["low"])
            case "wager.placed":
                (fortune if data["wager"] == "fortune" else wagered).add(data["seat"])
                if data["wager"] == "fortune" and data["amount_cents"] >= ENVY_LEAST_CENTS:
                    qualifying.add(data["seat"])
            case "wager.withdrawn":  # none is planted after betting closed
                (fortune if data["wager"] == "fortune" else wagered).discard(data["seat"])
            case "player.acted" if data["action"] == "surrender":
                surrendered.add(data["seat"])
            case "round.voided":
                return None
    hands: dict[int, set[int]] = {}
    for place, card in zip(cards_to(filed.dealing, 7, [(start - step) % 7 for step in range(7)]), dealt, strict=True):
        hands.setdefault(place, set()).add(card)
    owner = {card: place for place, cards in hands.items() for card in cards}
    laid = []
    for cards in packets:
        place = owner.get(cards[0], STUB)
        low, count = settings.get(place, (frozenset(), 0))
        # Hands with a bonus wager are laid out anew before they go in; with one of $5 about, all players' are (R-51).
        rearranged = place != 0 and (bool(qualifying & fortune) or place in fortune)
        kept = count if not rearranged and frozenset(cards[:count]) == low else 0
        live = place in fortune and filed.surrendered_bonus != "forfeited"
        given_up = place in surrendered and not live
        when = IN_PLAY if place in (0, *wagered, *fortune) else NO_WAGER
        laid.append(Packet(place, [Card(card, place) for card in cards], kept, SURRENDERED if given_up else when))
    return Rack(laid, tuple(range(JOKER + 1)))


def baccarat_rack(events: Iterable[Mapping[str, Any]]) -> Rack | None:
    cards: list[int] = []
    for event in events:
        kind = event["type"].split(".", 1)[1].rsplit(".", 1)[0]
        if kind == "discard.read":
            cards += [CARD_CODES[card] for card in event["data"]["cards"]]
        elif kind == "round.voided":
            return None
    third = len(cards) == 6 or (len(cards) == 5 and player_draws(cards[:2], cards[3:5]))
    size = 3 if third else 2
    hands = [(PLAYER, cards[:size]), (BANKER, cards[size:])]
    return Rack([Packet(place, [Card(card, place) for card in hand]) for place, hand in hands], tuple(range(JOKER)))


DEALT_MISREAD = "dealt_misread"
