"""A case as the round the devices would have reported, without its awards."""

from __future__ import annotations

from collections.abc import Iterator

from replay.families.board.betting import Act
from replay.families.board.fees import fee_due
from replay.families.board.hands import DECK, Hands
from replay.families.board.rounds_read import read_rounds
from replay.families.board.terms import Terms, terms_of
from replay.filing import Filing, canonical_filing
from replay.rounds import ACTION_CODE, DEALT_TO, PAYER_CODE, Fact, FactRow, RoundFlag, RoundRow, batch_of, unknown_fixed
from schemas.cards import codes_of
from schemas.cases import Case, CaseError
from schemas.events import Action, Payer
from schemas.money import parse_dollars
from schemas.places import DEALER

_STREETS = (3, 1, 1)


def row_of_case(case: Case, filing: Filing) -> RoundRow:
    """Button, blinds, fee, deal, betting with the board turned between, and the rack as the procedure has it."""
    terms = terms_of(filing)
    if case.button is None:
        raise CaseError(f"case {case.name!r}: button is missing; the turns are counted from it, such as button: 6")
    facts = [FactRow(Fact.BUTTON, 1, case.button, choice="dealer")]
    acts = [_act(case, text, 10 * number + 20) for number, text in enumerate(case.play)]
    if not acts:
        raise CaseError(f"case {case.name!r}: play is missing; write what each seat did, such as - 1 post_blind $1")
    facts += [FactRow(Fact.ACTION, act.seq, act.seat, code=act.code, amount=act.amount) for act in acts]
    row = RoundRow(
        {
            "table_id": "CASE",
            "round_id": "1",
            "filing": canonical_filing(case.pack, case.version, case.options),
        },
        unknown_fixed(),
        facts=facts,
    )
    last = acts[-1].seq
    row.fixed.update(first_seq=1, last_seq=last + 9, opened_us=0, closed_us=0, decks=1, jokers=0)
    row.fixed["flags"] = int(RoundFlag.CLOSED | RoundFlag.CONTEXT_UNKNOWN)
    due = fee_due(filing, len({act.seat for act in acts}))
    if due:
        box = filing.text("drop_box")
        facts.insert(1, FactRow(Fact.COLLECTION, 2, choice=box, code=PAYER_CODE[Payer.POT], amount=due))
    _with_cards(case, row, terms)
    return row


def _act(case: Case, text: str, seq: int) -> Act:
    """`3 raise $12`: who did what, and the chips put in by it."""
    words = text.split()
    try:
        seat, action = int(words[0]), Action(words[1])
        amount = parse_dollars(words[2]) if len(words) > 2 else (0 if action in (Action.FOLD, Action.CHECK) else -1)
    except (ValueError, IndexError) as problem:
        raise CaseError(f"case {case.name!r}: play has {text!r}; write SEAT ACTION AMOUNT, 3 raise $12") from problem
    return Act(seat, ACTION_CODE[action], amount, seq)


def _with_cards(case: Case, row: RoundRow, terms: Terms) -> None:
    """Deal and rack: cards the case does not name are those of the deck that are left, in order."""
    board = codes_of(case.hands.get("board", []))
    named = {seat: codes_of(there.cards or []) for seat, there in case.seats.items()}
    one = read_rounds(batch_of([row]), terms)[0]
    if one.why_not:
        raise CaseError(f"case {case.name!r}: {one.why_not}")
    strange = sorted(set(named) - set(one.hand.seats))
    if strange:
        raise CaseError(f"case {case.name!r}: seat {strange[0]} has cards and is in no action of play")
    taken = board + b"".join(named.values())
    left = iter(sorted(DECK - set(taken)))
    holes = {}
    for seat in one.hand.seats:
        cards = named.get(seat, b"")
        if cards and len(cards) != terms.hole:
            raise CaseError(f"case {case.name!r}: seat {seat} has {len(cards)} cards; this game deals {terms.hole}")
        if not cards and one.at_showdown and seat not in one.hand.folded:
            raise CaseError(f"case {case.name!r}: seat {seat} comes to the showdown, and its cards are not said")
        holes[seat] = cards or bytes(next(left) for _ in range(terms.hole))
    if one.at_showdown and len(board) < 5:
        raise CaseError(f"case {case.name!r}: hands.board has {len(board)} cards; a showdown needs five")
    if len(set(taken)) < len(taken):
        raise CaseError(f"case {case.name!r}: a card is there twice")
    turned = board if board else bytes(next(left) for _ in range(one.hand.board_cards))
    _deal(row, one.hand.seats, holes, turned, left, one.hand.completed, one.hand.unsure == "")
    row.fixed["flags"] |= int(RoundFlag.DEAL_READ)
    hands = Hands(batch_of([row]), read_rounds(batch_of([row]), terms), terms)
    read = hands.read[0]
    if read.readings and read.reported.deal is not None:
        row.rack = _rack(hands, row)
        row.fixed["flags"] |= int(RoundFlag.RACK_READ)
        row.fixed["rack_first_seq"] = row.fixed["rack_last_seq"] = row.fixed["last_seq"] - 1


def _deal(
    row: RoundRow,
    seats: tuple[int, ...],
    holes: dict[int, bytes],
    turned: bytes,
    left: Iterator[int],
    completed: list[int],
    betting_known: bool,
) -> None:
    cards = [(holes[seat][number], "") for number in range(len(holes[seats[0]])) for seat in seats]
    at = 0
    for street, count in enumerate(_STREETS):
        if at >= len(turned):
            break
        here = turned[at : at + count] if street < 2 else turned[at:]
        cards += [(next(left), "burn"), *((card, "board") for card in here)]
        seq = completed[street] + 1 if betting_known and street < len(completed) else row.fixed["last_seq"] - 3
        row.facts.append(FactRow(Fact.BOARD, seq + street, amount=len(here)))
        at += len(here)
    row.facts.sort(key=lambda fact: fact.seq)
    row.dealt = bytes(card for card, _ in cards)
    row.dealt_to = bytes(DEALT_TO.index(to) for _, to in cards)
    row.dealt_place = [DEALER] * len(cards)
    row.fixed["first_card_seq"], row.fixed["last_card_seq"] = 15, row.fixed["last_seq"] - 2
    row.fixed["first_card_count"] = len(holes) * len(holes[seats[0]])


def _rack(hands: Hands, row: RoundRow) -> bytes:
    """Filled in the order of the procedure."""
    read = hands.read[0]
    reading, deal = read.readings[0], read.reported.deal
    assert deal is not None
    rack, used = b"", b"".join(reading.holes.values()) + reading.board + deal.burns
    stub = bytes(sorted(DECK - set(used)))
    parts = {-1: stub, -2: reading.board, -3: deal.burns}
    for slot in hands.layout(read.reported, reading.winners):
        rack += reading.holes[slot.place] if slot.place > DEALER else parts[slot.place]
    return rack
