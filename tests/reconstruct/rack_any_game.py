"""The rack and the money of a round of any game that can be simulated, as the game's own table has them.

A game that is registered with the simulator brings all that is asked here: whose hands its table dealt, how they were
set, what became of each wager, and what each would have come to had the hands been others (`Table.worth`). Nothing is
taken from the replay. Packs with rules of their own in `rack_faults` and `rack_reports` do not need it.

What is not held against other hands: what `rack_reports` leaves out as well, wagers settled before the deal, envy
bonuses, and what a bank comes to in the end. Where a wager was not paid in full (a cover that ran out, a limit, a
meter) only its outcome counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from heapq import merge
from typing import Any

import orjson

from ingest.simulator import Labels, Plan, game_called
from ingest.simulator.faults.queue import fault_queues
from ingest.simulator.meters import Meter
from ingest.simulator.played import Bet, Played, Setting, SplitPlayed
from ingest.simulator.player_dealer import Turns
from ingest.simulator.split_hands.table import SplitHandsTable
from ingest.simulator.table import Table
from schemas.cards import CARD_CODES
from tests.reconstruct.rack_faults import IN_PLAY, NO_WAGER, STUB, SURRENDERED, Card, Packet, Rack
from tests.reconstruct.rack_reports import DECIDED, Agrees, Hands, Laid, Report

_DECK = 52
_ON_BOTH_HANDS = ("raise", "play")  # and the wager a game is named for: what they come to hangs on two hands alone


@dataclass
class Simulated:
    """One round as the simulated table played it."""

    table: Table
    played: Played
    _worth: dict[object, frozenset[tuple[str, int]]] = field(default_factory=dict)

    @cached_property
    def against(self) -> int:
        return self.table.against(self.played)

    @property
    def most_cards(self) -> int:
        """How many cards the deck in play has."""
        return int(getattr(self.table, "deck_size", _DECK))

    # ---- what a wager comes to ---------------------------------------------------------------------------------------

    def agrees_with(self, reports: Sequence[Report], shown: Sequence[tuple[int, int, bytes]] = ()) -> Agrees:
        """How the reports of the round are held against hands. `shown` are (place, low cards, cards)."""
        settings = {place: Laid(cards, low) for place, low, cards in shown if low}
        in_full = {report for report in reports if self._paid_in_full(report)}

        def agrees(report: Report, hands: Hands) -> bool | None:
            bet = self.played.find(report.seat, report.wager, report.bettor)
            if report.outcome not in DECIDED or bet is None or not self._hangs_on_cards(bet, hands):
                return None
            worth = self._worth_of(bet, hands, settings)
            if worth is None:
                return None
            fitting = {cents for outcome, cents in worth if outcome == report.outcome}
            if not fitting:
                foul_explains = report.outcome == "lose" and self._is_set(bet) and report.seat not in settings
                return None if foul_explains else False
            return report.outcome != "win" or report not in in_full or report.paid_cents in fitting

        return agrees

    def _paid_in_full(self, report: Report) -> bool:
        """Whether a wager that won was paid what it was worth."""
        bet = self.played.find(report.seat, report.wager, report.bettor)
        if report.outcome != "win" or bet is None:
            return False
        self._recall_the_bank()
        return self.table.worth(self.played, bet) == ("win", report.paid_cents)

    def _on_both_hands(self, bet: Bet) -> bool:
        return bet.wager in (getattr(self.table, "base", ""), *_ON_BOTH_HANDS)

    def _is_set(self, bet: Bet) -> bool:
        return isinstance(self.table, SplitHandsTable) and self._on_both_hands(bet)

    def _asked(self, bet: Bet) -> list[int]:
        """The places whose hands say what a wager comes to."""
        if self._on_both_hands(bet):
            return [bet.seat, self.against]
        return [place for place, cards in self.played.hands.items() if cards]

    def _hangs_on_cards(self, bet: Bet, hands: Hands) -> bool:
        """Whether these hands say what a wager comes to: one settled before the deal does not ask them, and hands that
        nobody can hold say nothing."""
        if isinstance(self.table, SplitHandsTable) and bet.wager in self.table.settled_early:
            return False
        for place in self._asked(bet):
            cards, dealt = hands.get(place, Laid(b"")).cards, self.played.hands.get(place, [])
            if len(cards) != len(dealt) or (cards and max(cards) >= max(self.most_cards, _DECK)):
                return False
            if self.most_cards < 2 * _DECK and len(set(cards)) != len(cards):
                return False
        return True

    def _worth_of(self, bet: Bet, hands: Hands, shown: Mapping[int, Laid]) -> frozenset[tuple[str, int]] | None:
        """Every outcome the bet may have had, each with what would have moved; None where nothing says how the hand
        played against was set."""
        asked = self._asked(bet)
        own = shown.get(bet.seat)
        key = bet.key, own, tuple((place, hands[place]) for place in asked), shown.get(self.against)
        if key not in self._worth:
            against = self._ways(self.against, hands, shown)
            if len(against) != 1:
                return None
            mine = self._ways(bet.seat, hands, shown) if self._is_set(bet) else [None]
            changed = self._holding({place: hands[place] for place in asked})
            self._recall_the_bank()
            found = set()
            for way in mine:
                if isinstance(changed, SplitPlayed):
                    ways = {bet.seat: way, self.against: against[0]}
                    set_so = {place: one for place, one in ways.items() if one is not None}
                    changed.settings = {**changed.settings, **set_so}
                found.add(self.table.worth(changed, bet))
            self._worth[key] = frozenset(found)
        return self._worth[key]

    def _ways(self, place: int, hands: Hands, shown: Mapping[int, Laid]) -> Sequence[Setting | None]:
        """How a hand may have been set: as the house sets it, as it was shown, as it lies, or in any way that is not
        foul. One way that is none where hands are not set, or this one was not."""
        table, played = self.table, self.played
        if not (isinstance(table, SplitHandsTable) and isinstance(played, SplitPlayed)):
            return [None]
        if place not in played.settings:
            return [None]
        hand = hands[place]
        if place in table.set_by_house(played):
            as_dealt = sorted(played.hands[place]) == sorted(hand.cards)
            return [played.settings[place] if as_dealt else table.house_way(sorted(hand.cards))]
        seen = shown.get(place)
        if seen is not None and sorted(seen.cards) == sorted(hand.cards):
            hand = seen
        if hand.low:
            return [([*hand.cards[: hand.low]], [*hand.cards[hand.low :]])]
        return [way for way in table.settings_of(sorted(hand.cards)) if not table.is_foul(way)]

    def _holding(self, hands: Mapping[int, Laid]) -> Played:
        """The round with these hands in the place of those that were held."""
        held = {**self.played.hands, **{place: [*hand.cards] for place, hand in hands.items()}}
        if not isinstance(self.played, SplitPlayed):
            return replace(self.played, hands=held)
        changed = replace(self.played, hands=held, settings=dict(self.played.settings), classes={})
        if isinstance(self.table, SplitHandsTable):
            self.table.classify(changed)
        return changed

    def _recall_the_bank(self) -> None:
        """The table has played on; whose turn it was in this round it is told again."""
        turns = vars(self.table).get("turns")
        if isinstance(turns, Turns) and self.played.bank is not None:
            turns.seat = self.played.bank.seat

    # ---- the rack ----------------------------------------------------------------------------------------------------

    def rack(self, events: Iterable[Mapping[str, Any]]) -> Rack | None:
        """The rack of the round at a table that reads every packet; None for a round that was voided, and for one whose
        packets are not the hands and what was left of the deck."""
        left = {place: sorted(cards) for place, cards in self.played.hands.items() if cards}
        packets: list[Packet] = []
        for event in events:
            match event["type"].split(".", 1)[1].rsplit(".", 1)[0]:
                case "discard.read":
                    cards = [CARD_CODES[card] for card in event["data"]["cards"]]
                    place = next((place for place, held in left.items() if held == sorted(cards)), STUB)
                    left.pop(place, None)
                    packets.append(self._packet(place, cards))
                case "round.voided":
                    return None
        if left or not packets or [packet.place for packet in packets].count(STUB) > 1:
            return None
        faces = sorted({card.face for packet in packets for card in packet.cards})
        return Rack(packets, tuple(faces if self.holds_the_deck(packets) else range(_DECK)))

    def holds_the_deck(self, packets: Sequence[Packet]) -> bool:
        return sum(len(packet.cards) for packet in packets) == self.most_cards

    def _packet(self, place: int, cards: list[int]) -> Packet:
        low, when = 0, IN_PLAY
        played, table = self.played, self.table
        if isinstance(played, SplitPlayed):
            side = table.live_side(played, place) if isinstance(table, SplitHandsTable) else 0
            if place in (*played.surrendered, *played.folded) and not side:
                when = SURRENDERED
            elif place not in (STUB, 0, self.against, *played.seats):
                when = NO_WAGER
            if isinstance(table, SplitHandsTable) and place in played.settings:
                front, back = played.settings[place]
                lies_so = {*cards[: len(front)]} == {*front} and len(cards) == len(front) + len(back)
                low = len(front) if lies_so and not table.rearranged(played, place) else 0
        return Packet(place, [Card(card, place) for card in cards], low, when)


def simulated_rounds(plan: Plan, keep: Callable[[tuple[str, str], Simulated], None]) -> Iterator[tuple[str, bytes]]:
    """What `simulate` gives; each round as it was played is handed over before its last event."""
    queues, labels = fault_queues(plan), Labels()
    meters: dict[str, Meter] = {}
    tables: list[Table] = []
    for planned in plan.tables:
        tables.append(game_called(planned.game).table(plan, planned, queues[planned.table_id], labels))
        tables[-1].share_meters(meters)
    streams = [_numbered(index, table) for index, table in enumerate(tables)]
    for _, index, _, said in merge(*streams):
        raw = said if isinstance(said, bytes) else said()
        event = orjson.loads(raw)
        table = tables[index]
        played = vars(table).get("_played")  # of its last round
        if "round.closed" in event["type"] and isinstance(played, Played):
            keep((table.table.table_id, event["subject"]), Simulated(table, played))
        yield table.table.table_id, raw


def _numbered(index: int, table: Table) -> Iterator[tuple[int, int, int, bytes | Callable[[], bytes]]]:
    """A table's records with its number and theirs, so that no two compare equal."""
    for number, (at_us, said) in enumerate(table.records()):
        yield at_us, index, number, said
