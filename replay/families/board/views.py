"""A round for people: hands and board as they were read, and how the rack was."""

from __future__ import annotations

from replay.cards.pickup.situation import HandSituation, Key, Situation
from replay.cards.pickup.words import Word
from replay.cards.reading import RackReading
from replay.cards.solver.evidence import Hand as Whose
from replay.cards.solver.evidence import Parts
from replay.cards.solver.layout import BOARD, BURNS, STUB
from replay.families.board.hands import DECK, Hands
from replay.filing import Filing
from replay.game import HandView
from replay.rounds import UNKNOWN
from schemas.cards import JOKER_1


def hands_view(hands: Hands, row: int) -> list[HandView]:
    """Every seat's hole cards and the board; where the rack reads several ways, by each."""
    read, law = hands.read[row], hands.terms.law
    views = []
    for number, reading in enumerate(read.readings):
        other = " (or)" if number else ""
        if reading.board:
            views.append(HandView(f"board{other}", (("", reading.board),)))
        for seat, cards in sorted(reading.holes.items()):
            folded = seat in read.reported.hand.folded
            whole = read.reported.at_showdown and not folded and len(reading.board) == 5
            note = "folded" if folded else law.in_words(cards, reading.board) if whole else ""
            if cards:
                views.append(HandView(f"seat {seat}{other}", (("", cards),), note))
    return views


def order_view(hands: Hands, row: int) -> str:
    """Where the pots are awarded from, in a sentence."""
    pots = hands.read[row].reported.pots.pots
    if len(pots) == 1:
        return "one pot; an odd chip goes to the first seat left of the button"
    side = "a side pot" if len(pots) == 2 else f"{len(pots) - 1} side pots"
    return f"the main pot and {side}; an odd chip goes to the first seat left of the button"


def rack_reading(hands: Hands, row: int, filing: Filing) -> RackReading:
    """How one round's rack was read; of several readings, by the first."""
    read, terms = hands.read[row], hands.terms
    one = read.reported
    reading = read.readings[0] if read.readings else None
    held: dict[Whose, Parts] = {}
    winners = reading.winners if reading is not None else frozenset(one.hand.still_in[:1])
    if reading is not None:
        held = {(seat, 0): (("", cards),) for seat, cards in reading.holes.items() if cards}
        if reading.board:
            held[BOARD, 0] = (("", reading.board),)
    size = {slot.place: slot.count for slot in hands.layout(one, winners)}
    on_table = [
        HandSituation(
            Key(seat),
            (terms.hole,),
            frozenset({Word.FOLDED if seat in one.hand.folded else Word.WINS if seat in winners else Word.LOSES}),
            acted=one.hand.folded.get(seat, UNKNOWN),
        )
        for seat in one.hand.seats
    ]
    community = [HandSituation(Key(place), (size.get(place, 0),)) for place in (BOARD, BURNS, STUB)]
    dealt: dict[Whose, bytes] = {}
    if one.deal is not None:
        dealt = {(seat, 0): cards for seat, cards in one.deal.hands.items()}
        if one.deal.board:
            dealt[BOARD, 0] = one.deal.board
    return RackReading(
        filing.pickup,
        Situation((*on_table, *community), terms.ring),
        held,
        DECK,
        JOKER_1 // len(DECK),
        filing.pack.dealing[filing.text("dealing")],
        dealt,
        readings=max(len(read.readings), 1),
    )
