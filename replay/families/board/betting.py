"""One hand's betting, action by action: who put in how much, who folded, who is still in, and what was out of order.

A loop a round, for every action depends on those before it. What lies in the middle is what devices reported, right or
wrong; whether it was the turn and the sum that the rules ask for is said beside it. An action that no device saw is
no fault of anybody's: the hand goes on as if the player had done the least (folded, if nothing is heard of the seat
again; else checked or called), and says that it is not sure. From there on no sum and no turn is held against anybody.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import takewhile
from typing import NamedTuple

from replay.citations import Citation
from replay.families.board.law import BettingLaw
from replay.families.board.unseen import NOT_SAID, StreetsTurned, goes_back
from replay.rounds import ACTION_CODE, UNKNOWN
from schemas.events import Action
from schemas.findings import CERTAIN, POSSIBLE
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
    confidence: float = CERTAIN


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
    no_small_blind: int = 0  # who should have posted it, and it was not reported: it may be there or not
    unsure: str = ""  # why it is not sure how much lies in the middle, or who is still in

    @property
    def still_in(self) -> tuple[int, ...]:
        return tuple(seat for seat in self.seats if seat not in self.folded)

    @property
    def board_cards(self) -> int:
        """How many cards of the board the hand must have come to."""
        return 5 if len(self.still_in) > 1 else BOARD_BY_STREET[self.street]


def no_blind(seat: int) -> str:
    return f"no blind of seat {seat} was reported"


def around_from(seats: Sequence[int], after: int) -> list[int]:
    """These seats (in order round the table) from the one behind `after`, which comes last."""
    at = seats.index(after) + 1
    return [*seats[at:], *seats[:at]]


def follow(
    acts: Sequence[Act],
    seats: tuple[int, ...],
    structure: Structure,
    law: BettingLaw,
    straddles: bool,
    streets: StreetsTurned = NOT_SAID,
    unsure: str = "",
) -> Hand:
    """The hand these actions make. `seats` are dealt in, from the first left of the button; `unsure` says why more
    than these actions must have been made."""
    return _Following(acts, seats, structure, law, straddles, streets, unsure).hand


class _Following:
    """A hand while its actions are gone through."""

    def __init__(
        self,
        acts: Sequence[Act],
        seats: tuple[int, ...],
        structure: Structure,
        law: BettingLaw,
        straddles: bool,
        streets: StreetsTurned,
        unsure: str,
    ) -> None:
        self.streets = streets
        self.structure, self.law, self.seats, self.straddles = structure, law, seats, straddles
        self.hand = Hand(seats, dict.fromkeys(seats, 0), unsure=unsure)
        self.doubted: list[Problem] = []  # bets out of turn, unless an action before them was not seen
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
        self._blinds_seen(sums)
        blind = self._big_blind(sums)
        straddle = self._straddle(sums, blind)
        for seat, mine in posted.items():
            self._blind(seat, mine, sums[seat], seat == straddle)
        level = 2 * big if straddle else big
        self.level = self.full = level
        self.step = big
        self.raises = 0
        self.bets = dict(self.hand.put_in)
        self.acted: set[int] = set()
        first = straddle or blind or self.seats[-1]
        self.to_act = [seat for seat in around_from(self.seats, first) if seat not in self.all_in]

    def _blinds_seen(self, sums: dict[int, int]) -> None:
        """Where no big blind was reported, there was one nevertheless; there may be no small one."""
        first, second = self.seats[0], self.seats[1]
        missing = 0
        if second not in sums and (len(self.seats) == HEADS_UP or sums.get(first, 0) < self.structure.big_blind):
            missing = second
        elif first not in sums:
            missing = first if len(self.seats) == HEADS_UP else 0
            self.hand.no_small_blind = first
        if not sums:
            self.hand.unsure = self.hand.unsure or "no blind was reported"
        elif missing:
            self.hand.unsure = self.hand.unsure or no_blind(missing)

    def _big_blind(self, sums: dict[int, int]) -> int:
        """Whose the big blind is: the second seat left of the button, or the first where it alone posted (the small
        blind may be missing); with two players the one who posted more. Where several beside each other posted as
        much (one came in and took it in the middle, or next to the blind) it is whoever sits before the first to act.
        """
        if len(self.seats) == HEADS_UP:
            return max(self.seats, key=lambda seat: sums.get(seat, 0)) if sums else 0
        first, second = self.seats[0], self.seats[1]
        big = self.structure.big_blind
        blinds = takewhile(lambda seat: seat in sums, self.seats)
        full = [seat for seat in blinds if sums[seat] >= big and not (self.straddles and sums[seat] == 2 * big)]
        before = [seat for seat in full if self.acts and around_from(self.seats, seat)[0] == self.acts[0].seat]
        if len(full) > 1 and before:
            return before[0]
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
        self._streets_not_seen(act)
        self._next_street_if_due(act)
        self._turn(at, act)
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

    def _streets_not_seen(self, act: Act) -> None:
        """Where the board has gone on and the betting with it, what was left to do before was done and not seen."""
        reached = self.streets.street(act.seq)
        while self.hand.street < reached:
            if self.to_act and not self._went_on(act):
                return
            for seat in tuple(self.to_act):
                self._not_seen(seat, act.seat)
            if self.hand.street + 1 == reached or len(self.hand.still_in) < HEADS_UP:
                return
            self._street()

    def _went_on(self, act: Act) -> bool:
        """Whether this action, after the next street was turned, belongs to it: it comes from who begins there, and
        not as the one whose turn it still was would act. Else the street was turned too early."""
        if not self.acted:
            return True
        begins = next((seat for seat in self.hand.still_in if seat not in self.all_in), 0)
        return act.seat == begins and (act.seat != self.to_act[0] or not self._fits(act))

    def _fits(self, act: Act) -> bool:
        due = max(self.level - self.bets[act.seat], 0)
        if act.code == CALL:
            return due > 0 and act.amount in (UNKNOWN, due)
        return {CHECK: not due, BET: not self.level, RAISE: self.level > 0}.get(act.code, True)

    def _turn(self, at: int, act: Act) -> None:
        """Whose turn it was: where the betting goes back to whoever was passed over, this was out of turn; of
        whoever is passed over otherwise the action was not seen."""
        while self.to_act and self.to_act[0] != act.seat:
            due = self.to_act[0]
            if act.seat in self.to_act and self._goes_back(at, due):
                self._out_of_turn(act, due)
                break
            self._not_seen(due, act.seat)
            if not self.to_act:
                self._next_street_if_due(act)
        if act.seat in self.to_act:
            self.to_act.remove(act.seat)

    def _goes_back(self, at: int, due: int) -> bool:
        later = self.later.get(due, [])
        if not later:
            return False
        passed_over = self.to_act[: self.to_act.index(self.acts[at].seat)]
        acts = [(one.seat, one.seq) for one in self.acts[at : later[0] + 1]]
        return goes_back(acts, passed_over, self.streets)

    def _out_of_turn(self, act: Act, due: int) -> None:
        """A bet or raise is answered by whoever was passed over as it would be had that player acted before."""
        rule = self.law.turn if self.hand.street == 0 else self.law.later_turn
        said = f"{_WORDS[act.code]} out of turn: it was seat {due}'s to act, which acted afterwards"
        answered = self.acts[self.later[due][0]].seq
        if act.code in (BET, RAISE, ALL_IN):
            said += f"; or what seat {due} did before was not reported"
            self._wrong(act, "BET-121", said, rule, answered, confidence=POSSIBLE)
            self.doubted += self.hand.problems[-1:]
        else:
            self._wrong(act, "BET-121", said, rule, answered)
        if act.code == CHECK:
            self.quiet.add(act.seat)

    def _not_seen(self, seat: int, acting: int) -> None:
        """Nobody saw what this seat did: nothing is held against it."""
        self.hand.unsure = self.hand.unsure or f"what seat {seat} did when it was its turn was not reported"
        self.to_act.remove(seat)
        if self.later.get(seat) or seat == acting:
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
                self._wrong_sum(act, due, f"checked with {dollars(due)} to call")
            self.acted.add(act.seat)
        elif act.code == CALL:
            self._call(act, due)
        else:
            self._raise(act, due)

    def _call(self, act: Act, due: int) -> None:
        amount = due if act.amount == UNKNOWN else act.amount
        if amount != due:
            self._wrong_sum(act, abs(amount - due), f"called with {dollars(amount)}, where {dollars(due)} was to call")
            if amount > due:
                self._called_more()
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

    def _wrong_sum(self, act: Act, off: int, said: str) -> None:
        """A sum that is not what there was to call. After a bet out of turn, or another call of too much, not
        everything was seen."""
        if self.hand.no_small_blind and self.hand.street == 0 and off == self.structure.small_blind:
            self.hand.unsure = self.hand.unsure or no_blind(self.hand.no_small_blind)
        if self.doubted:
            first = self.doubted[0]
            self.hand.problems = [one for one in self.hand.problems if one not in self.doubted]
            self.doubted = []
            self.hand.unsure = self.hand.unsure or f"not everything bet before seat {first.seat} acted was reported"
        self._wrong(act, "BET-122", said, self.law.call)

    def _called_more(self) -> None:
        """Nobody calls more than there is to call: should another do so too, a bet or a blind was not seen in full."""
        if not self.hand.unsure:
            self.doubted += self.hand.problems[-1:]

    def _wrong(self, act: Act, code: str, said: str, cite: Citation, *others: int, confidence: float = CERTAIN) -> None:
        """Nothing is held against anybody once it is not sure what was bet."""
        if not self.hand.unsure:
            evidence = tuple(sorted({act.seq, *others}))
            self.hand.problems.append(Problem(act.seat, code, f"seat {act.seat} {said}", cite, evidence, confidence))


def seats_dealt_in(acts: Iterable[Act], others: Iterable[int], order: Sequence[int]) -> tuple[int, ...]:
    """Whoever posted, acted or folded was dealt in, and whoever was seen with cards; in order round the table."""
    seen = {*(act.seat for act in acts), *others}
    return tuple(seat for seat in order if seat in seen)
