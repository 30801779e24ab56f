"""What devices report of a hand of poker: the button, every action, cards, hands shown, pots pushed, and the rack."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.simulator.board.betting import Move
from ingest.simulator.board.played import PokerPlayed
from ingest.simulator.reports import card_exposed, discard, fees_taken, names
from ingest.simulator.voice import CAMERA, RACK, SHUFFLER, Say
from schemas.cards import CARD_NAMES

if TYPE_CHECKING:
    from ingest.simulator.board.table import PokerTable

STREETS = (3, 1, 1)
DECK = "deck-1"


def report(table: PokerTable, played: PokerPlayed) -> list[Say]:
    moves = played.chips.moves
    says = [
        Say("round.opened", {"deck": DECK}),
        Say("shuffle.completed", {"deck": DECK, "method": "device", "counted": 52}, SHUFFLER),
        Say("button.placed", {"purpose": "dealer", "place": played.dealer}),
        *(_acted(move) for move in moves if move.action == "post_blind"),
        *fees_taken(played, table.drop_box, before_the_deal=True),
        *_hole_cards(table, played),
        *fees_taken(played, table.drop_box, before_the_deal=False),
    ]
    for street in range(4):
        if street:
            says += _turned(table, played, street)
        here = [move for move in moves if move.street == street and move.action != "post_blind"]
        for number, move in enumerate(here):
            if street == 0 and played.flop_before_the_last and number == len(here) - 1:
                says += _turned(table, played, 1)
            says.append(_acted(move))
            if move.action == "fold":
                says += _into_the_rack(table, played.hands[move.seat])
    says += _showdown(table, played)
    says += [_pushed(table, played, award.seat, award.cents, award.pot, award.part) for award in played.awards]
    return [*says, *_collect(table, played), Say("round.closed", {})]


def _acted(move: Move) -> Say:
    said: dict[str, object] = {"seat": move.seat, "action": move.action}
    if move.cents:
        said["amount_cents"] = move.cents
    return Say("player.acted", said)


def _hole_cards(table: PokerTable, played: PokerPlayed) -> list[Say]:
    says = [] if played.boxed is None else [Say("card.boxed", {"card": CARD_NAMES[played.boxed]})]
    if played.exposed is not None:
        says.append(card_exposed(*played.exposed, "deal"))
    if not table.fitted.shoe_reads:
        return says
    if not table.fitted.dealt_in_parts:
        return [Say("cards.dealt", {"cards": names(played.dealt)}, SHUFFLER), *says]
    seats, rounds = played.chips.seats, []
    for at in range(0, table.hole * len(seats), len(seats)):
        said = {"cards": names(played.dealt[at : at + len(seats)]), "places": seats}
        rounds.append(Say("cards.dealt", said, SHUFFLER))
    if played.exposed is not None:
        said = {"cards": names(played.dealt[-1:]), "places": [played.exposed[0]]}
        rounds.append(Say("cards.dealt", said, SHUFFLER))
    return [*rounds, *says]


def _turned(table: PokerTable, played: PokerPlayed, street: int) -> list[Say]:
    """A card burned and the cards of a street turned, once, where a device reads them."""
    first = sum(STREETS[: street - 1])
    cards = played.board[first : first + STREETS[street - 1]] if street < 3 else played.board[first:]
    key = f"street {street}"
    if not cards or not table.fitted.shoe_reads or key in played.reported_streets:
        return []
    played.reported_streets.add(key)
    turned = Say("cards.dealt", {"cards": names(cards), "to": "board"}, SHUFFLER)
    if street == 1 and played.exposed is not None:  # it lies there already
        return [turned]
    return [Say("cards.dealt", {"cards": names(played.burns[street - 1 : street]), "to": "burn"}, SHUFFLER), turned]


def _showdown(table: PokerTable, played: PokerPlayed) -> list[Say]:
    """Everybody still in exposes the hand; a loser may not, where the deal was read anyway."""
    if not played.at_showdown or not table.fitted.camera:
        return []
    won = {award.seat for award in played.awards}
    says = []
    for seat in played.chips.left:
        if seat in won or not table.fitted.shoe_reads or table.rng.random() < 0.8:
            says.append(Say("hand.shown", {"place": seat, "cards": names(played.hands[seat])}, CAMERA))
    return says


def _pushed(table: PokerTable, played: PokerPlayed, seat: int, cents: int, pot: int, part: str) -> Say:
    said: dict[str, object] = {"seat": seat, "amount_cents": cents}
    if pot:
        said["pot"] = pot
    if part != "whole":
        said["part"] = part
    return Say("pot.awarded", said)


def _into_the_rack(table: PokerTable, cards: list[int]) -> list[Say]:
    return [] if table.fitted.rack == "scan" else [discard(cards)]


def _collect(table: PokerTable, played: PokerPlayed) -> list[Say]:
    """Losing hands by seat, winning ones last, the board, the burns, the stub; folded ones are there already."""
    left = sorted(played.chips.left)
    packets = [played.hands[seat] for seat in left if seat not in played.winners_last]
    packets += [played.hands[seat] for seat in left if seat in played.winners_last]
    aside = [*([] if played.boxed is None else [played.boxed]), *_burned(played)]
    packets += [cards for cards in (played.board, aside, played.stub) if cards]
    if table.fitted.rack != "scan":
        return [discard(cards) for cards in packets]
    folded = [played.hands[seat] for seat in played.chips.folded]
    return [Say("discard.read", {"mode": "scan", "cards": names([c for p in (*folded, *packets) for c in p])}, RACK)]


def _burned(played: PokerPlayed) -> list[int]:
    """An exposed card is dead also where the hand ends before the flop."""
    return played.burns or ([] if played.exposed is None else [played.exposed[1]])
