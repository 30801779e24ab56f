"""One hand's betting, action by action: who put in how much, who folded, who is still in, and what was out of order.

A loop a round, for every action depends on those before it. What lies in the middle is what devices reported, right or
wrong; whether it was the turn and the sum that the rules ask for is said beside it. An action that no device saw is
no fault of anybody's: the hand goes on as if the player had done the least (folded, if nothing is heard of the seat
again; else checked or called), and says that it is not sure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from replay.citations import Citation
from replay.families.board.law import BettingLaw
from replay.rounds import ACTION_CODE, UNKNOWN
from schemas.events import Action
from schemas.money import dollars

FOLD, CALL, CHECK = ACTION_CODE[Action.FOLD], ACTION_CODE[Action.CALL], ACTION_CODE[Action.CHECK]
BET, RAISE, ALL_IN = ACTION_CODE[Action.BET], ACTION_CODE[Action.RAISE], ACTION_CODE[Action.ALL_IN]
POST = ACTION_CODE[Action.POST_BLIND]
_WORDS = {FOLD: "folded", CALL: "called", CHECK: "checked", BET: "bet", RAISE: "raised", ALL_IN: "went all-in"}
_BETTING = frozenset(_WORDS)
BOARD_BY_STREET = (0, 3, 4, 5)
HEADS_UP = 2
RIVER = 3


class Act(NamedTuple):
    seat: int
    code: int
    amount: int
    seq: int


@dataclass(frozen=True)
class Structure:
    """The blinds and bets of a table."""

    small_blind: int
    big_blind: int
    upper_bet: int  # on the last two streets, where bets are fixed
    limit: bool

    def bet(self, street: int) -> int:
        """What a bet is, or with no limit the least one."""
        return self.upper_bet if self.limit and street >= 2 else self.big_blind


class Problem(NamedTuple):
    seat: int
    code: str
    said: str
    cite: Citation
    evidence: tuple[int, ...]


@dataclass
class Hand:
    """What is known of a hand once its actions were gone through."""

    seats: tuple[int, ...]  # dealt in, from the first left of the button
    put_in: dict[int, int] = field(default_factory=dict)  # chips that count towards a seat's bets
    dead: int = 0
    folded: dict[int, int] = field(default_factory=dict)  # seat → the event, in the order folded
    street: int = 0  # the last one reached, 0 before the flop
    completed: list[int] = field(default_factory=list)  # by street: the event that completed its betting
    problems: list[Problem] = field(default_factory=list)
    unsure: str = ""  # why it is not sure how much lies in the middle, or who is still in

    @property
    def still_in(self) -> tuple[int, ...]:
        return tuple(seat for seat in self.seats if seat not in self.folded)

    @property
    def board_cards(self) -> int:
        """How many cards of the board the hand must have come to."""
        return 5 if len(self.still_in) > 1 else BOARD_BY_STREET[self.street]


def around_from(seats: Sequence[int], after: int) -> list[int]:
    """These seats (in order round the table) from the one behind `after`, which comes last."""
    at = seats.index(after) + 1
    return [*seats[at:], *seats[:at]]


def follow(acts: Sequence[Act], seats: tuple[int, ...], structure: Structure, law: BettingLaw, straddles: bool) -> Hand:
    """The hand these actions make. `seats` are dealt in, from the first left of the button."""
    return _Following(acts, seats, structure, law, straddles).hand


class _Following:
    """A hand while its actions are gone through."""

    def __init__(
        self, acts: Sequence[Act], seats: tuple[int, ...], structure: Structure, law: BettingLaw, straddles: bool
    ) -> None:
        self.structure, self.law, self.seats, self.straddles = structure, law, seats, straddles
        self.hand = Hand(seats, dict.fromkeys(seats, 0))
        self.all_in: set[int] = set()
        self.quiet: set[int] = set()  # checked out of turn: may not initiate any action
        self.later: dict[int, list[int]] = {}  # seat → where its actions stand, first ones taken away as they come
        self.acts = [act for act in acts if act.code in _BETTING]
        for at, act in enumerate(self.acts):
            self.later.setdefault(act.seat, []).append(at)
        self.last_seq = acts[-1].seq if acts else UNKNOWN
        self._blinds([act for act in acts if act.code == POST])
        for at, act in enumerate(self.acts):
            self._act(at, act)
        self._end()

    # --- blinds ------------------------------------------------------------------------------------------------------

    def _blinds(self, posts: Sequence[Act]) -> None:
        """Rules on blinds: how much each seat posted, who acts first, what a call comes to."""
        big = self.structure.big_blind
        posted: dict[int, list[Act]] = {}
        for post in posts:
            if post.seat not in self.hand.put_in:
                self._wrong(post, "BET-124", "posted a blind and was dealt no cards", self.law.not_in_play)
                self.hand.unsure = f"seat {post.seat} posted a blind, and its hand is not in play"
                continue
            posted.setdefault(post.seat, []).append(post)
        sums = {seat: sum(max(one.amount, 0) for one in mine) for seat, mine in posted.items()}
        blind = self._big_blind(sums)
        straddle = self._straddle(sums, blind)
        for seat, mine in posted.items():
            self._blind(seat, mine, sums[seat], seat == straddle)
        if not posted:
            self.hand.unsure = "no blind was reported"
        level = 2 * big if straddle else big
        self.level = self.full = level
        self.step = big
        self.raises = 0
        self.bets = dict(self.hand.put_in)
        self.acted: set[int] = set()
        first = straddle or blind or self.seats[-1]
        self.to_act = [seat for seat in around_from(self.seats, first) if seat not in self.all_in]

    def _big_blind(self, sums: dict[int, int]) -> int:
        """Whose the big blind is: the second seat left of the button, or the first where it alone posted (the small
        blind may be missing); with two players the one who posted more."""
        if len(self.seats) == HEADS_UP:
            return max(self.seats, key=lambda seat: sums.get(seat, 0)) if sums else 0
        first, second = self.seats[0], self.seats[1]
        big = self.structure.big_blind
        if sums.get(first, 0) >= big and sums.get(second, 0) == 2 * big and self.straddles:
            return first
        return second if second in sums else first if first in sums else 0

    def _straddle(self, sums: dict[int, int], blind: int) -> int:
        """The seat that straddled: the one on the immediate left of the big blind, never the button."""
        if not blind or not self.straddles or len(self.seats) == HEADS_UP:
            return 0
        seat = around_from(self.seats, blind)[0]
        return seat if sums.get(seat) == 2 * self.structure.big_blind and seat != self.seats[-1] else 0

    def _blind(self, seat: int, posts: Sequence[Act], amount: int, straddled: bool) -> None:
        """One seat's blind: what counts as its bet, and what is dead money."""
        small, big = self.structure.small_blind, self.structure.big_blind
        mine, law = posts[-1], self.law
        is_small = seat == self.seats[0] or len(self.seats) == HEADS_UP
        live = amount
        if straddled or amount == big or (amount == small and is_small):
            pass
        elif amount == small + big:
            live = big
            self.hand.dead += small
        elif amount > big:
            rule = law.straddle if amount == 2 * big or (self.straddles and amount > small + big) else law.blind
            self._wrong(mine, "BET-122", f"posted a blind of {dollars(amount)}{self._asked(is_small)}", rule)
            live = big
            self.hand.dead += amount - big
        elif self.later.get(seat):
            rule = law.additional_blind if amount == small else law.blind
            self._wrong(mine, "BET-122", f"posted a blind of {dollars(amount)}{self._asked(is_small)}", rule)
        self.hand.put_in[seat] += live
        if live < big and not (amount == small and is_small) and not self.later.get(seat):
            self.all_in.add(seat)  # it is short because there was no more

    def _asked(self, is_small: bool) -> str:
        small, big = dollars(self.structure.small_blind), dollars(self.structure.big_blind)
        return f", where the blinds are {small} and {big}" if is_small else f", where the big blind is {big}"

    # --- actions -----------------------------------------------------------------------------------------------------

    def _act(self, at: int, act: Act) -> None:
        hand = self.hand
        if self.later.get(act.seat):
            self.later[act.seat].pop(0)
        if act.seat not in hand.put_in or act.seat in hand.folded or act.seat in self.all_in:
            why = (
                "had folded" if act.seat in hand.folded else "was all-in" if act.seat in self.all_in else "has no cards"
            )
            self._wrong(act, "BET-124", f"{_WORDS[act.code]} although it {why}", self.law.not_in_play)
            if act.amount > 0:
                hand.unsure = hand.unsure or f"seat {act.seat} put chips into the pot, and its hand was not in play"
                hand.put_in[act.seat] = hand.put_in.get(act.seat, 0) + act.amount
            return
        self._next_street_if_due(act)
        self._turn(act)
        hand.completed[hand.street :] = []
        self._take(act)
        self._done(act.seq)

    def _next_street_if_due(self, act: Act) -> None:
        if self.to_act:
            return
        if self.hand.street == RIVER or len(self.hand.still_in) < HEADS_UP:
            self.to_act = [act.seat]  # betting was over: what this was nobody can say
            self.hand.unsure = self.hand.unsure or f"seat {act.seat} acted after the betting was over"
            return
        self._street()

    def _street(self) -> None:
        """The next round of betting begins left of the button."""
        self.hand.street += 1
        self.bets = dict.fromkeys(self.seats, 0)
        self.level = self.full = 0
        self.step = self.structure.bet(self.hand.street)
        self.raises = 0
        self.acted = set()
        self.quiet = set()
        self.to_act = [seat for seat in self.hand.still_in if seat not in self.all_in]

    def _turn(self, act: Act) -> None:
        """Whose turn it was: whoever is passed over and acts afterwards was, and this was out of turn; of whoever is
        passed over and does not, the action was not seen."""
        while self.to_act and self.to_act[0] != act.seat:
            due = self.to_act[0]
            if act.seat in self.to_act and self._acts_before_again(due, act.seat):
                rule = self.law.turn if self.hand.street == 0 else self.law.later_turn
                said = f"{_WORDS[act.code]} out of turn: it was seat {due}'s to act, which acted afterwards"
                self._wrong(act, "BET-121", said, rule, self.acts[self.later[due][0]].seq)
                if act.code == CHECK:
                    self.quiet.add(act.seat)
                break
            self._not_seen(due)
            if not self.to_act:
                self._next_street_if_due(act)
        if act.seat in self.to_act:
            self.to_act.remove(act.seat)

    def _acts_before_again(self, due: int, seat: int) -> bool:
        """Whether the seat that was due acts before this one does again."""
        mine, other = self.later.get(due, []), self.later.get(seat, [])
        return bool(mine) and (not other or mine[0] < other[0])

    def _not_seen(self, seat: int) -> None:
        """Nobody saw what this seat did: nothing is held against it."""
        self.hand.unsure = self.hand.unsure or f"what seat {seat} did when it was its turn was not reported"
        self.to_act.remove(seat)
        if self.later.get(seat):
            self._put(seat, max(self.level - self.bets[seat], 0))
            self.acted.add(seat)
        else:
            self.hand.folded[seat] = self.last_seq

    def _take(self, act: Act) -> None:
        due = max(self.level - self.bets[act.seat], 0)
        if act.code == FOLD:
            if len(self.hand.still_in) > 1:  # the last one cannot: it has won
                self.hand.folded[act.seat] = act.seq
        elif act.code == CHECK:
            if due:
                self._wrong(act, "BET-122", f"checked with {dollars(due)} to call", self.law.call)
            self.acted.add(act.seat)
        elif act.code == CALL:
            self._call(act, due)
        else:
            self._raise(act, due)

    def _call(self, act: Act, due: int) -> None:
        amount = due if act.amount == UNKNOWN else act.amount
        if amount != due:
            self._wrong(
                act, "BET-122", f"called with {dollars(amount)}, where {dollars(due)} was to call", self.law.call
            )
        self._put(act.seat, amount)
        self.acted.add(act.seat)

    def _raise(self, act: Act, due: int) -> None:
        """A bet, a raise, or all of a player's chips, which may be any of the two, a call or less."""
        structure, seat, all_in = self.structure, act.seat, act.code == ALL_IN
        size = structure.bet(self.hand.street)
        least = self._least()
        amount = act.amount
        if amount == UNKNOWN:
            if not structure.limit or all_in:
                self.hand.unsure = self.hand.unsure or f"how much seat {seat} {_WORDS[act.code]} was not reported"
            amount = least - self.bets[seat]
        to = self.bets[seat] + amount
        if all_in:
            self.all_in.add(seat)
        if to <= self.level:
            if not all_in:
                said = f"{_WORDS[act.code]} with {dollars(amount)}, where {dollars(due)} was to call"
                self._wrong(act, "BET-122", said, self.law.full_bet)
            self._put(seat, amount)
            self.acted.add(seat)
            return
        self._may_raise(act, to >= least)
        wrong_size = to != least if structure.limit and not (all_in and to < least) else to < least and not all_in
        if wrong_size:
            exact = "to" if structure.limit else "to at least"
            said = f"{_WORDS[act.code]} to {dollars(to)}, where a full {'raise' if self.level else 'bet'} is {exact} "
            self._wrong(act, "BET-122", f"{said}{dollars(least)}", self.law.full_bet)
        self._put(seat, amount)
        if to >= least:
            self.step = size if structure.limit else max(to - self.full, size)
            self.raises += 1 if self.level else 0
            self.full = to
            self.acted = set()
        self.acted.add(seat)
        self.level = to
        waiting = set(self.to_act)
        self.to_act = [
            other
            for other in around_from(self.seats, seat)
            if other != seat
            and other not in self.hand.folded
            and other not in self.all_in
            and (self.bets[other] < to or other in waiting)
        ]

    def _least(self) -> int:
        """What a full bet or raise would bring this round's bets to: a short all-in is completed, not raised again
        (the $10 and $12 of the text's example)."""
        return self.full + (self.structure.bet(self.hand.street) if self.structure.limit else self.step)

    def _may_raise(self, act: Act, full: bool) -> None:
        law, seat = self.law, act.seat
        verb = "raised" if self.level else "bet"
        if seat in self.quiet:
            self._wrong(act, "BET-123", f"{verb} after it had checked out of turn", law.checked_out_of_turn)
        elif seat in self.acted:
            said = "raised, though since its own action nobody had made a full bet or raise"
            self._wrong(act, "BET-123", said, law.not_reopened)
        elif full and self.level and self.raises >= law.most_raises and len(self.hand.still_in) > HEADS_UP:
            said = f"made raise {self.raises + 1} of the round, with {len(self.hand.still_in)} players in the pot"
            self._wrong(act, "BET-123", said, law.raises)

    def _put(self, seat: int, amount: int) -> None:
        self.bets[seat] += amount
        self.hand.put_in[seat] += amount

    def _done(self, seq: int) -> None:
        """Whether the betting of the street is complete: everybody acted, or nobody is left to bet against."""
        hand = self.hand
        still = [seat for seat in hand.still_in if seat not in self.all_in]
        if len(hand.still_in) < HEADS_UP:
            self.to_act = []
        elif len(still) <= 1 and all(self.bets[seat] >= self._most_bet_by_others(seat) for seat in still):
            self.to_act = []
            hand.completed += [seq] * (RIVER - len(hand.completed) + 1)
        if not self.to_act and len(hand.completed) <= hand.street:
            hand.completed.append(seq)

    def _most_bet_by_others(self, seat: int) -> int:
        return max(self.bets[other] for other in self.hand.still_in if other != seat)

    def _end(self) -> None:
        if not self.to_act or len(self.hand.still_in) < HEADS_UP:
            return
        if not self.acts and len([seat for seat in self.seats if seat not in self.all_in]) <= 1:
            return
        self.hand.unsure = self.hand.unsure or (
            f"the betting was not completed: seat {self.to_act[0]} was to act and nothing was reported of it"
        )

    def _wrong(self, act: Act, code: str, said: str, cite: Citation, *others: int) -> None:
        evidence = tuple(sorted({act.seq, *others}))
        self.hand.problems.append(Problem(act.seat, code, f"seat {act.seat} {said}", cite, evidence))


def seats_dealt_in(acts: Iterable[Act], order: Sequence[int]) -> tuple[int, ...]:
    """Whoever posted, acted or folded was dealt in; in order round the table."""
    seen = {act.seat for act in acts}
    return tuple(seat for seat in order if seat in seen)
