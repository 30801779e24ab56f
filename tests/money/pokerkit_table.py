"""Random hands played by pokerkit, with the actions as our devices would report them and what it paid everybody."""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random

from pokerkit import Automation, BettingStructure, Deck, Opening, State, Street
from pokerkit.hands import OmahaEightOrBetterLowHand, OmahaHoldemHand, StandardHighHand

from replay.families.board.betting import Act
from replay.rounds import ACTION_CODE
from schemas.cards import CARD_CODES
from schemas.events import Action

AUTOMATIONS = (
    Automation.ANTE_POSTING,
    Automation.BET_COLLECTION,
    Automation.BLIND_OR_STRADDLE_POSTING,
    Automation.HOLE_CARDS_SHOWING_OR_MUCKING,
    Automation.HAND_KILLING,
    Automation.CHIPS_PUSHING,
    Automation.CHIPS_PULLING,
)
MOST_RAISES = 3


@dataclass
class Game:
    hole: int
    hand_types: tuple[type, ...]


GAMES = {
    "ca/holdem": Game(2, (StandardHighHand,)),
    "ca/omaha": Game(4, (OmahaHoldemHand,)),
    "ca/omaha_hi_lo": Game(4, (OmahaHoldemHand, OmahaEightOrBetterLowHand)),
}


@dataclass
class Hand:
    """One hand: seats 1 .. n from the small blind on, the button last."""

    players: int
    holes: dict[int, bytes]
    board: bytes
    acts: list[Act] = field(default_factory=list)
    won: dict[int, int] = field(default_factory=dict)
    """What each seat has more, or less, after it."""
    all_ins: int = 0


def play(game: str, limit: bool, small: int, big: int, seed: int) -> Hand:
    """One hand, every decision at random among those that pokerkit and the text both allow."""
    rng = Random(f"{game} {limit} {seed}")
    players = rng.randrange(2, 8)
    stacks = [
        rng.choice((rng.randrange(2 * big + 1, 6 * big), rng.randrange(10 * big, 60 * big))) for _ in range(players)
    ]
    state = state_of(GAMES[game], limit, small, big, stacks)
    deck = [str(rank) + suit for rank in "23456789TJQKA" for suit in "cdhs"]
    rng.shuffle(deck)
    hand = Hand(players, dict.fromkeys(range(1, players + 1), b""), b"")
    seq = 10
    for index, cents in enumerate(_blinds(players, small, big)):
        if cents:
            hand.acts.append(Act(index + 1, ACTION_CODE[Action.POST_BLIND], min(cents, stacks[index]), seq))
            seq += 1
    while state.can_deal_hole():
        dealee = state.hole_dealee_index
        assert dealee is not None
        card = deck.pop()
        state.deal_hole(card)
        hand.holes[dealee + 1] += bytes([CARD_CODES[card]])
    betting = _Betting(big, big)
    while state.status:
        if state.can_burn_card():
            state.burn_card(deck.pop())
            continue
        if state.can_deal_board():
            cards = [deck.pop() for _ in range(3 if not hand.board else 1)]
            state.deal_board("".join(cards))
            hand.board += bytes(CARD_CODES[card] for card in cards)
            betting = _Betting(0, 2 * big if limit and len(hand.board) > 3 else big)
            continue
        _act(state, hand, rng, betting, seq)
        seq += 1
    hand.won = {index + 1: state.stacks[index] - stacks[index] for index in range(players)}
    return hand


def _blinds(players: int, small: int, big: int) -> list[int]:
    """By pokerkit's index, which is the seat less one, counted from the first left of the button: with two players that
    is the big blind, and the button posts the small one."""
    return [big, small] if players == 2 else [small, big, *[0] * (players - 2)]


def state_of(game: Game, limit: bool, small: int, big: int, stacks: list[int]) -> State:
    structure = BettingStructure.FIXED_LIMIT if limit else BettingStructure.NO_LIMIT
    most = MOST_RAISES + 1 if limit else None
    sizes = (big, big, 2 * big, 2 * big) if limit else (big, big, big, big)
    streets = [
        Street(
            number > 0,
            (False,) * game.hole if not number else (),
            (0, 3, 1, 1)[number],
            False,
            Opening.POSITION,
            sizes[number],
            most,
        )
        for number in range(4)
    ]
    return State(
        AUTOMATIONS,
        Deck.STANDARD,
        game.hand_types,
        tuple(streets),
        structure,
        True,
        (0,) * len(stacks),
        (small, big, *(0,) * (len(stacks) - 2)),
        0,
        stacks,
        len(stacks),
    )


@dataclass
class _Betting:
    """A round of betting by the text, to keep to what both allow: nobody raises once somebody was all-in for less than
    a full bet or raise, for there they differ."""

    full: int
    step: int
    raises: int = 0
    short: bool = False


def _act(state: State, hand: Hand, rng: Random, betting: _Betting, seq: int) -> None:
    """One decision."""
    index = state.actor_index
    assert index is not None
    seat, stack, bet = index + 1, state.stacks[index], state.bets[index]
    to_call = state.checking_or_calling_amount
    assert to_call is not None
    chance = rng.random()
    least = state.min_completion_betting_or_raising_to_amount
    capped = betting.short or (betting.raises >= MOST_RAISES and sum(state.statuses) > 2)
    if least is not None and chance < 0.3 and not capped and state.can_complete_bet_or_raise_to(least):
        most = state.max_completion_betting_or_raising_to_amount
        assert most is not None
        to = least if rng.random() < 0.5 else most if rng.random() < 0.3 else rng.randrange(least, most + 1)
        level = max(state.bets)
        state.complete_bet_or_raise_to(to)
        all_in = to - bet == stack
        hand.all_ins += all_in
        action = Action.ALL_IN if all_in else Action.RAISE if level else Action.BET
        hand.acts.append(Act(seat, ACTION_CODE[action], to - bet, seq))
        betting.short = to < betting.full + betting.step
        if not betting.short:
            betting.raises += level > 0
            betting.full, betting.step = to, max(to - betting.full, betting.step)
        return
    if to_call and chance > 0.75 and state.can_fold():
        state.fold()
        hand.acts.append(Act(seat, ACTION_CODE[Action.FOLD], 0, seq))
        return
    state.check_or_call()
    action = Action.CHECK if not to_call else Action.ALL_IN if to_call == stack else Action.CALL
    hand.all_ins += to_call == stack
    hand.acts.append(Act(seat, ACTION_CODE[action], to_call, seq))
