"""A hand's betting as simulated players do it: whoever's turn it is decides at random, within the rules.

Written from CA Hold'em 11 to 32 and R-42: a bet and three raises while more than two are in the pot, a short all-in
that does not open the betting again, all blinds live, a straddle that is a blind and not a raise.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from random import Random


@dataclass
class Move:
    """One thing a player did, and the chips it put in."""

    seat: int
    action: str
    cents: int
    street: int


@dataclass(frozen=True)
class Stakes:
    """The blinds and bets of a table, and what chips there are."""

    small: int
    big: int
    upper: int
    limit: bool
    chip: int

    def size(self, street: int) -> int:
        return self.upper if self.limit and street > 1 else self.big


@dataclass
class Chips:
    """Where everybody's chips are, and who may still act."""

    seats: list[int]
    """Dealt in, from the first left of the button."""
    stacks: dict[int, int]
    put_in: dict[int, int] = field(default_factory=dict)
    dead: int = 0
    folded: list[int] = field(default_factory=list)
    moves: list[Move] = field(default_factory=list)
    street: int = 0

    @property
    def left(self) -> list[int]:
        return [seat for seat in self.seats if seat not in self.folded]

    def can_act(self, seat: int) -> bool:
        return seat not in self.folded and self.stacks[seat] > 0


class Betting:
    """All the betting of one hand."""

    def __init__(self, rng: Random, chips: Chips, stakes: Stakes, wild: bool, loose: bool) -> None:
        self.rng, self.chips, self.stakes = rng, chips, stakes
        self.wild = wild
        """Whether everybody raises as often as possible, and once more than is allowed."""
        self.loose = loose
        """Whether hardly anybody folds."""
        self.one_too_many: int | None = None
        """The seat that made a raise beyond those allowed."""
        self.on_street: dict[int, int] = {}

    # --- blinds ------------------------------------------------------------------------------------------------------

    def post(self, seat: int, cents: int, live: int) -> None:
        """A blind, or all that a player has left of it; what is not live is dead money."""
        chips = self.chips
        paid = min(cents, chips.stacks[seat])
        chips.stacks[seat] -= paid
        counts = min(paid, live)
        chips.put_in[seat] = chips.put_in.get(seat, 0) + counts
        chips.dead += paid - counts
        chips.moves.append(Move(seat, "post_blind", paid, 0))

    def before_the_flop(self, first: int, level: int) -> None:
        """Betting goes on from the seat behind `first`, the last blind, who acts last and may raise."""
        chips = self.chips
        chips.put_in = {seat: chips.put_in.get(seat, 0) for seat in chips.seats}
        self.on_street = dict(chips.put_in)
        at = chips.seats.index(first) + 1
        self._round([*chips.seats[at:], *chips.seats[:at]], level)

    def street(self, number: int) -> None:
        """Another round of betting, from the button's left."""
        self.chips.street = number
        self.on_street = dict.fromkeys(self.chips.seats, 0)
        self._round(list(self.chips.seats), 0)

    # --- a round -----------------------------------------------------------------------------------------------------

    def _round(self, order: list[int], level: int) -> None:
        chips, stakes = self.chips, self.stakes
        size = stakes.size(chips.street)
        full, step, raises = level, size, 0
        spoken: set[int] = set()  # since the last full bet or raise
        waiting = [seat for seat in order if chips.can_act(seat)]
        while waiting:
            seat = waiting.pop(0)
            others = [other for other in chips.left if other != seat]
            if not others:
                return
            to_call = level - self.on_street[seat]
            alone = not any(chips.can_act(other) for other in others)
            if alone and self.on_street[seat] >= max(self.on_street[other] for other in others):
                return
            may_raise = seat not in spoken and not alone
            capped = level > 0 and raises >= 3 and len(chips.left) > 2
            least = full + (size if stakes.limit else step)
            breaks = self.wild and capped and may_raise and self.one_too_many is None
            target = self._target(seat, to_call, least, may_raise and (not capped or breaks))
            if target is None:
                self._stay_or_go(seat, to_call)
                spoken.add(seat)
                continue
            if breaks and target >= least:
                self.one_too_many = seat
            self._put_up_to(seat, target, "raise" if level else "bet")
            if target >= least:
                raises += 1 if level else 0
                step = max(target - full, size)
                full, spoken = target, set()
            spoken.add(seat)
            level = max(level, target)
            at = order.index(seat) + 1
            behind = [*order[at:], *order[:at]]
            waiting = [
                other
                for other in behind
                if other != seat and chips.can_act(other) and (self.on_street[other] < level or other in waiting)
            ]

    def _target(self, seat: int, to_call: int, least: int, may_raise: bool) -> int | None:
        """What a player brings its bets of the round to; None: it checks, calls or folds."""
        rng, chips, stakes = self.rng, self.chips, self.stakes
        if not may_raise or rng.random() >= (0.95 if self.wild else 0.22):
            return None
        all_of_it = self.on_street[seat] + chips.stacks[seat]
        level = self.on_street[seat] + to_call
        if all_of_it <= level:
            return None
        if all_of_it <= least:
            return all_of_it if rng.random() < 0.5 else None
        if stakes.limit:
            return least
        if self.wild:
            return least
        if rng.random() < 0.08:
            return all_of_it
        more = stakes.chip * rng.randrange(0, 1 + 2 * stakes.big // stakes.chip)
        return min(least + more, all_of_it)

    def _put_up_to(self, seat: int, target: int, action: str) -> None:
        cents = target - self.on_street[seat]
        self._pay(seat, cents, "all_in" if cents == self.chips.stacks[seat] else action)

    def _stay_or_go(self, seat: int, to_call: int) -> None:
        chips, rng = self.chips, self.rng
        if to_call <= 0:
            chips.moves.append(Move(seat, "check", 0, chips.street))
        elif rng.random() < (0.05 if self.wild else 0.1 if self.loose else 0.38):
            chips.folded.append(seat)
            chips.moves.append(Move(seat, "fold", 0, chips.street))
        else:
            cents = min(to_call, chips.stacks[seat])
            self._pay(seat, cents, "all_in" if cents == chips.stacks[seat] else "call")

    def _pay(self, seat: int, cents: int, action: str) -> None:
        chips = self.chips
        chips.stacks[seat] -= cents
        chips.put_in[seat] += cents
        self.on_street[seat] += cents
        chips.moves.append(Move(seat, action, cents, chips.street))
