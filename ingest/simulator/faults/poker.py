"""What goes wrong at a poker table: pots pushed to the wrong hands, actions and boards against the rules, odd racks."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.simulator.board.betting import Move
from ingest.simulator.board.played import PokerPlayed
from ingest.simulator.board.pots import Award
from ingest.simulator.faults.fault_kind import FaultKind
from ingest.simulator.faults.injection import Injection, Stage
from ingest.simulator.faults.subjects import Subject
from ingest.simulator.faults.visible import reads_the_deal
from ingest.simulator.plan import TablePlan
from schemas.cards import CARD_NAMES

if TYPE_CHECKING:
    from ingest.simulator.board.table import PokerTable

QUIET_ACTIONS = ("check", "fold", "call")


# --- pots ------------------------------------------------------------------------------------------------------------


def _alone(played: PokerPlayed) -> list[Award]:
    """Pots that one hand wins whole, of those that several played for."""
    counts = [award.pot for award in played.awards]
    return [award for award in played.awards if counts.count(award.pot) == 1 and len(played.pots[award.pot].seats) > 1]


def to_wrong_hand(injection: Injection, played: PokerPlayed, table: PokerTable) -> None:
    won = {award.seat for award in played.awards}
    for award in _alone(played):
        losers = [
            seat
            for seat in played.pots[award.pot].seats
            if seat not in won and not table.wins_by_other_cards(played, seat)
        ]
        if losers:
            _push(injection, played, award, table.rng.choice(losers))
            return


def _push(injection: Injection, played: PokerPlayed, award: Award, seat: int) -> None:
    injection.done(f"{award.cents} cents of pot {award.pot} to seat {seat} for seat {award.seat}", seat)
    award.seat = seat
    played.winners_last = sorted({each.seat for each in played.awards} & set(played.chips.left))


def short_all_in_paid_in_full(injection: Injection, played: PokerPlayed, table: PokerTable) -> None:
    """One who is all-in and wins the main pot is pushed a side pot as well."""
    main = [award.seat for award in played.awards if award.pot == 0]
    for award in played.awards:
        beyond = [seat for seat in main if seat not in played.pots[award.pot].seats]
        if award.pot and beyond:
            _push(injection, played, award, beyond[0])
            return


def odd_chip(injection: Injection, played: PokerPlayed, table: PokerTable) -> None:
    for award in played.awards:
        for other in played.awards:
            same = (award.pot, award.part) == (other.pot, other.part)
            if same and award.cents > other.cents and other.seat not in _seats_beside(played, other, award):
                award.cents, other.cents = other.cents, award.cents
                injection.done(f"the odd chip of pot {award.pot} to seat {other.seat}", other.seat)
                return


def _seats_beside(played: PokerPlayed, *those: Award) -> set[int]:
    """Who wins something beside these awards."""
    return {each.seat for each in played.awards if each not in those}


def folded_paid(injection: Injection, played: PokerPlayed, table: PokerTable) -> None:
    for award in _alone(played) or played.awards[:1]:
        if played.chips.folded:
            seat = table.rng.choice(played.chips.folded)
            injection.done(f"{award.cents} cents to seat {seat}, which had folded", seat)
            award.seat = seat
            return


def not_awarded(injection: Injection, played: PokerPlayed, table: PokerTable) -> None:
    if played.awards:
        injection.done("no pot is pushed to anybody", played.awards[0].seat)
        played.awards = []


def another_amount(injection: Injection, played: PokerPlayed, table: PokerTable) -> None:
    if len(played.awards) == 1 and played.awards[0].cents > 1000:
        award = played.awards[0]
        award.cents -= 500
        injection.done(f"{award.cents} cents for {award.cents + 500}", award.seat)


def low_without_one(injection: Injection, played: PokerPlayed, table: PokerTable) -> None:
    """Half of a pot is pushed for a low that does not qualify."""
    won = {award.seat for award in played.awards}
    if not table.plays_for_low or any(award.part != "whole" for award in played.awards):
        return
    for award in _alone(played):
        losers = [seat for seat in played.pots[award.pot].seats if seat not in won]
        half = award.cents // 2 // table.stakes.chip * table.stakes.chip
        if losers and half:
            seat = table.rng.choice(losers)
            award.cents -= half
            award.part = "high"
            played.awards.append(Award(seat, award.pot, "low", half))
            played.winners_last = sorted({each.seat for each in played.awards} & set(played.chips.left))
            injection.done(f"{half} cents for a low to seat {seat}, though none qualifies", seat)
            return


def other_cards(injection: Injection, played: PokerPlayed, table: PokerTable) -> None:
    """A pot goes to a hand that would win it with more of its own cards, or fewer, than it must use."""
    won = {award.seat for award in played.awards}
    if any(award.part != "whole" for award in played.awards):
        return
    for award in _alone(played):
        for seat in played.pots[award.pot].seats:
            if seat not in won and table.wins_by_other_cards(played, seat):
                _push(injection, played, award, seat)
                return


# --- actions and the board -------------------------------------------------------------------------------------------


def out_of_turn(injection: Injection, played: PokerPlayed, table: PokerTable) -> None:
    """Two players who neither bet nor raise act in each other's turn."""
    moves = played.chips.moves
    places = list(range(len(moves) - 1))
    table.rng.shuffle(places)
    for at in places:
        first, second = moves[at], moves[at + 1]
        quiet = first.action in QUIET_ACTIONS and second.action in QUIET_ACTIONS
        if not quiet or first.street != second.street or first.seat == second.seat or _bets_later(moves, at + 1):
            continue
        moves[at], moves[at + 1] = second, first
        played.chips.folded = [move.seat for move in moves if move.action == "fold"]
        injection.done(f"seat {second.seat} acts before seat {first.seat}", second.seat)
        return


def _bets_later(moves: list[Move], at: int) -> bool:
    mine = moves[at]
    later = [move for move in moves[at + 1 :] if move.seat == mine.seat and move.street == mine.street]
    return any(move.action not in QUIET_ACTIONS for move in later)


def short_call(injection: Injection, played: PokerPlayed, table: PokerTable) -> None:
    """Somebody who has chips left calls with half of what there is to call."""
    chip, chips = table.stakes.chip, played.chips
    calls = [move for move in chips.moves if move.action == "call" and move.cents >= 2 * chip]
    if calls:
        move = table.rng.choice(calls)
        less = move.cents // 2 // chip * chip
        move.cents -= less
        chips.put_in[move.seat] -= less
        chips.stacks[move.seat] += less
        injection.done(f"called with {move.cents} cents for {move.cents + less}", move.seat)


def folded_hand_acts(injection: Injection, played: PokerPlayed, table: PokerTable) -> None:
    moves = played.chips.moves
    folds = [at for at, move in enumerate(moves[:-1]) if move.action == "fold"]
    if folds:
        at = table.rng.choice(folds)
        seat = moves[at].seat
        moves.insert(at + 2, Move(seat, "check", 0, moves[at + 1].street))
        injection.done(f"seat {seat} checks after it folded", seat)


def flop_early(injection: Injection, played: PokerPlayed, table: PokerTable) -> None:
    before = [move for move in played.chips.moves if move.street == 0 and move.action != "post_blind"]
    if played.board and before:
        played.flop_before_the_last = True
        injection.done("the flop is turned before the last action, and stands")


def six_on_the_board(injection: Injection, played: PokerPlayed, table: PokerTable) -> None:
    used = {*played.dealt, *played.board, *played.burns}
    if len(played.board) == 5:
        played.board.append(next(card for card in played.stub if card not in used))
        injection.done(f"{CARD_NAMES[played.board[-1]]} is turned as a sixth card")


# --- cards -----------------------------------------------------------------------------------------------------------


def mucked_in_swapped_order(injection: Injection, played: PokerPlayed, table: PokerTable) -> None:
    """Two folded hands lie in each other's place."""
    says = [say for say in played.says if say.type == "discard.read"]
    count = len(played.chips.folded)
    if count > 1:
        at = table.rng.randrange(count - 1)
        one, other = says[at].data, says[at + 1].data
        one["cards"], other["cards"] = other["cards"], one["cards"]
        seats = played.chips.folded[at : at + 2]
        injection.done(f"the hands of seats {seats[0]} and {seats[1]} are swapped in the rack")


def card_missing(injection: Injection, played: PokerPlayed, table: PokerTable) -> None:
    packet = table.rng.choice([say.data["cards"] for say in played.says if say.type == "discard.read"])
    card = packet.pop(table.rng.randrange(len(packet)))
    injection.done(f"{card} is not in the rack")


def card_twice(injection: Injection, played: PokerPlayed, table: PokerTable) -> None:
    packets = [say.data["cards"] for say in played.says if say.type == "discard.read"]
    packet, other = table.rng.sample(packets, 2)
    index = table.rng.randrange(len(packet))
    gone, packet[index] = packet[index], table.rng.choice(other)
    injection.done(f"{packet[index]} is in the rack twice, {gone} not at all")


def card_switched(injection: Injection, played: PokerPlayed, table: PokerTable) -> None:
    """Two players exchange a card after the deal."""
    seats = [seat for seat in played.chips.left if len(played.chips.left) > 1]
    if len(seats) > 1:
        one, other = table.rng.sample(seats, 2)
        first, second = table.rng.randrange(table.hole), table.rng.randrange(table.hole)
        mine, theirs = list(played.hands[one]), list(played.hands[other])
        mine[first], theirs[second] = theirs[second], mine[first]
        played.hands[one], played.hands[other] = mine, theirs
        injection.done(f"seats {one} and {other} exchange a card", one)


def deal_misread(injection: Injection, played: PokerPlayed, table: PokerTable) -> None:
    """The shuffler's reader takes a hole card for one of its rank or suit that is dealt as well."""
    read = [say.data["cards"] for say in played.says if say.type == "cards.dealt" and "to" not in say.data]
    cards = table.rng.choice(read)
    at = table.rng.randrange(len(cards))
    true = cards[at]
    alike = [card for part in read for card in part if card != true and (card[0] == true[0] or card[1] == true[1])]
    if alike:
        cards[at] = table.rng.choice(alike)
        injection.done(f"{true} read as {cards[at]} when it was dealt")


# --- all of them -----------------------------------------------------------------------------------------------------


def _reads_deal_and_packets(table: TablePlan) -> bool:
    return table.equipment.rack == "inserted" and reads_the_deal(table)


def _reads_packets(table: TablePlan) -> bool:
    return table.equipment.rack == "inserted"


_POKER, _SPLIT, _OWN = Subject.POKER, Subject.HIGH_LOW, Subject.OWN_CARDS
OF_POKER = (
    FaultKind("pot_to_wrong_hand", "POT-112", _POKER, "a pot goes to a losing hand", Stage.SETTLED, to_wrong_hand),
    FaultKind(
        "short_all_in_paid_in_full",
        "POT-115",
        _POKER,
        "one who is all-in is pushed a side pot as well",
        Stage.SETTLED,
        short_all_in_paid_in_full,
    ),
    FaultKind("odd_chip_wrong", "POT-116", _POKER, "the odd chip goes to another seat", Stage.SETTLED, odd_chip),
    FaultKind("folded_hand_paid", "POT-114", _POKER, "a pot goes to a folded hand", Stage.SETTLED, folded_paid),
    FaultKind("pot_not_awarded", "POT-113", _POKER, "no pot is reported to be awarded", Stage.SETTLED, not_awarded),
    FaultKind("pot_amount_wrong", "POT-111", _POKER, "a pot is pushed short of $5", Stage.SETTLED, another_amount),
    FaultKind(
        "low_without_one", "POT-117", _SPLIT, "a low is paid that does not qualify", Stage.SETTLED, low_without_one
    ),
    FaultKind(
        "other_cards_used",
        "POT-118",
        _OWN,
        "a pot goes to a hand that wins only by another number of its own cards",
        Stage.SETTLED,
        other_cards,
    ),
    FaultKind("fourth_raise", "BET-123", _POKER, "a raise is made after three, with three or more in the pot"),
    FaultKind("out_of_turn", "BET-121", _POKER, "two players act in each other's turn", Stage.WAGERS, out_of_turn),
    FaultKind("short_call", "BET-122", _POKER, "a call is for less than there is to call", Stage.WAGERS, short_call),
    FaultKind("folded_hand_acts", "BET-124", _POKER, "a folded hand acts", Stage.WAGERS, folded_hand_acts),
    FaultKind(
        "flop_early",
        "DEAL-316",
        _POKER,
        "the flop is turned before the betting is completed, and stands",
        Stage.SETTLED,
        flop_early,
        possible_at=reads_the_deal,
    ),
    FaultKind(
        "six_on_the_board",
        "DEAL-316",
        _POKER,
        "six cards are turned for the board",
        Stage.SETTLED,
        six_on_the_board,
        possible_at=reads_the_deal,
    ),
    FaultKind(
        "mucked_in_swapped_order",
        "RACK-324",
        _POKER,
        "two folded hands lie in the rack in each other's place",
        Stage.RACK,
        mucked_in_swapped_order,
        possible_at=_reads_deal_and_packets,
    ),
    FaultKind(
        "poker_card_missing",
        "CARD-311",
        _POKER,
        "the rack is a card short",
        Stage.RACK,
        card_missing,
    ),
    FaultKind(
        "poker_card_twice",
        "CARD-312",
        _POKER,
        "a card is in the rack twice, another not at all",
        Stage.RACK,
        card_twice,
        possible_at=_reads_packets,
    ),
    FaultKind(
        "hole_card_switched",
        "DEAL-302",
        _POKER,
        "two players exchange a card after the deal",
        Stage.DEALT,
        card_switched,
        possible_at=reads_the_deal,
    ),
    FaultKind(
        "hole_card_misread",
        "DEAL-311",
        _POKER,
        "the shuffler takes a hole card for another",
        Stage.RACK,
        deal_misread,
        possible_at=reads_the_deal,
    ),
)
