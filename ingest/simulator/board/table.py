"""A poker table with a board: who sits there, the blinds, the cards, the betting, and what devices report of it.

Rules are those of CA Hold'em and Omaha. A hand is played first and reported afterwards, so that a fault can be put in
where it belongs.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from typing import Any

from ingest.simulator.board.betting import Betting, Chips
from ingest.simulator.board.filed import PokerOptions
from ingest.simulator.board.played import PokerPlayed
from ingest.simulator.board.pots import awards, side_pots
from ingest.simulator.board.reports import report
from ingest.simulator.faults.catalogue import inject
from ingest.simulator.faults.injection import Injection, Stage
from ingest.simulator.faults.queue import FaultQueue
from ingest.simulator.fees import Schedule, fee_cents
from ingest.simulator.labels import Hands, Labels
from ingest.simulator.plan import Plan, TablePlan
from ingest.simulator.played import Bet, Fee
from ingest.simulator.table import Table
from ingest.simulator.voice import CAMERA, CONTROLLER, RACK, SHUFFLER, Say

FEWEST = 2
HOLDEM_FEES = Schedule((), ((1, 2), (5, 4), (6, 5)))
"""By the number of players: $2 with four or fewer, $4 with five, $5 with six or more (CA, Hold'em collection fees)."""
STREETS = (3, 1, 1)
DECK = "deck-1"


class PokerTable(Table):
    """A table at which players bet against each other."""

    house_pays = False
    hole: int
    """How many cards each player is dealt."""

    def __init__(self, plan: Plan, table: TablePlan, queue: FaultQueue, labels: Labels) -> None:
        super().__init__(plan, table, queue, labels)
        self.options = options = table.filed_as(PokerOptions)
        self.drop_box = options.drop_box
        self.schedule = HOLDEM_FEES
        self.stakes = options.stakes
        self.seats = range(1, options.seats + 1)
        rng = self.rng
        self.sitting = sorted(rng.sample(self.seats, rng.randrange(max(FEWEST, options.seats - 3), options.seats + 1)))
        self.stacks = {seat: self._buy_in() for seat in self.seats}
        self.dealer_button = rng.choice(self.sitting)
        self._played = PokerPlayed()
        self._wanted: str | None = None

    # --- the game ----------------------------------------------------------------------------------------------------

    @abstractmethod
    def high(self, hole: Sequence[int], board: Sequence[int]) -> tuple[int, ...]:
        """What a hand is worth; the greater the better."""

    def low(self, hole: Sequence[int], board: Sequence[int]) -> tuple[int, ...] | None:
        """The best low, the smaller the better; none where none qualifies."""
        return None

    plays_for_low = False

    def wins_by_other_cards(self, played: PokerPlayed, seat: int) -> bool:
        """Whether a seat would win if it might play as many of its own cards as it likes."""
        return False

    # --- cards -------------------------------------------------------------------------------------------------------

    def devices(self) -> list[Say]:
        actions = ["button.placed", "player.acted", "pot.awarded", "collection.taken"]
        sees = {
            CONTROLLER: ["table.*", "round.*", *actions],
            RACK: ["discard.read"],
            SHUFFLER: ["shuffle.completed", *(["cards.dealt"] if self.fitted.shoe_reads else [])],
        }
        if self.fitted.camera:
            sees[CAMERA] = ["hand.shown"]
        return [
            Say("device.online", {"device": device.replace("-", "_"), "model": "simulated", "sees": types}, device)
            for device, types in sees.items()
        ]

    def opening(self) -> list[Say]:
        return [Say("cards.introduced", {"deck": DECK, "back": "red"})]

    def closing(self) -> list[Say]:
        return [Say("cards.removed", {"deck": DECK, "reason": "scheduled"})]

    def between_rounds(self) -> list[Say]:
        return []

    # --- a hand ------------------------------------------------------------------------------------------------------

    def play(self, injection: Injection) -> list[Say]:
        rng = self.rng
        self._come_and_go()
        played = PokerPlayed()
        self.dealer_button = played.dealer = self._next(self.dealer_button)
        order = self._around(played.dealer)
        self._wanted = injection.kind if injection.wanted else None
        self._prepare(order)
        self._deal(played, order)
        played.chips = Chips(order, {seat: self.stacks[seat] for seat in order})
        wild = self._favours("fourth_raise")
        loose = self._favours("short_all_in_paid_in_full", "odd_chip_wrong", "other_cards_used", "low_without_one")
        betting = Betting(rng, played.chips, self.stakes, wild, loose)
        first, level = self._blinds(betting, order, played.dealer)
        played.fees = self._fees(order)
        betting.before_the_flop(first, level)
        for street in range(1, 4):
            if len(played.chips.left) < 2:
                break
            betting.street(street)
        if wild and betting.one_too_many is not None:
            injection.done("a fourth raise", betting.one_too_many)
        shown = 5 if played.at_showdown else sum(STREETS[: played.chips.street])
        played.board, played.burns = played.board[:shown], played.burns[: max(shown - 2, 0) if shown else 0]
        inject(Stage.WAGERS, injection, played, self)
        inject(Stage.FEES, injection, played, self)
        inject(Stage.DEALT, injection, played, self)
        self._award(played)
        played.winners_last = sorted({award.seat for award in played.awards})
        inject(Stage.SETTLED, injection, played, self)
        used = {*played.dealt, *played.board, *played.burns}
        played.stub = [card for card in played.stub if card not in used]
        self._pay_out(played)
        self._played = played
        played.says = report(self, played)
        inject(Stage.RACK, injection, played, self)
        return played.says

    def _favours(self, *kinds: str) -> bool:
        """Whether one of these faults is asked of the round: then players play so that it can be done."""
        return self._wanted in kinds

    def _prepare(self, order: Sequence[int]) -> None:
        """Chips for a fault that needs many, or a few, on the table."""
        if self._favours("fourth_raise"):
            for seat in order:
                self.stacks[seat] = max(self.stacks[seat], 60 * self.stakes.upper)
        elif self._favours("short_all_in_paid_in_full"):
            unit = max(self.stakes.chip, 100)
            for seat in self.rng.sample(order, len(order) // 2):
                self.stacks[seat] = 3 * self.stakes.big // unit * unit + unit

    def hands_played(self) -> Hands:
        return self._played.hands

    def _deal(self, played: PokerPlayed, order: Sequence[int]) -> None:
        """Two or four cards each, one at a time from the button's left; a card burned before every street."""
        deck = list(range(52))
        self.rng.shuffle(deck)
        self._stack(deck, order, self._favours("odd_chip_wrong"))
        count = self.hole * len(order)
        played.dealt, rest = deck[:count], deck[count:]
        played.hands = {seat: played.dealt[at :: len(order)] for at, seat in enumerate(order)}
        self._mishap(played, order, rest)
        for cards in STREETS:
            exposed = played.exposed is not None and not played.burns
            played.burns.append(played.exposed[1] if exposed and played.exposed else rest.pop(0))
            played.board += [rest.pop(0) for _ in range(cards)]
        played.stub = [*played.burns, *played.board, *rest]

    def _mishap(self, played: PokerPlayed, order: Sequence[int], rest: list[int]) -> None:
        """Now and then a hole card is exposed in the deal, or found face up in the deck (Hold'em 4 and 5)."""
        chance, seat = self.rng.random(), self.rng.choice(order)
        if chance < 0.02:
            card = self.rng.choice(played.hands[seat])
            top = rest.pop(0)
            played.hands[seat] = [top if held == card else held for held in played.hands[seat]]
            played.dealt.append(top)
            played.exposed = seat, card
        elif chance < 0.035 and not self.fitted.dealt_in_parts:
            played.boxed = rest.pop(0)
            played.dealt.insert(self.rng.randrange(len(played.dealt)), played.boxed)

    def _stack(self, deck: list[int], order: Sequence[int], always: bool) -> None:
        """Now and then hands of the same ranks are dealt, so that pots are split; where one has to be, the board is the
        best hand there is or, where it alone plays for nobody, as many hands as there are suits."""
        rng = self.rng
        if not always and rng.random() >= 0.08:
            return
        ranks = sorted(rng.sample(range(6, 13), self.hole))
        wanted: dict[int, int] = {}  # place in the deck → card
        if always and self.hole == 2:
            flop = self.hole * len(order) + 1
            wanted = dict(zip((flop, flop + 1, flop + 2, flop + 4, flop + 6), (32, 36, 40, 44, 48), strict=True))
        else:
            suits = range(4) if always else (0, 2)
            for turn, first_suit in zip(
                rng.sample(range(len(order)), min(len(order), len(suits))), suits, strict=False
            ):
                for number, rank in enumerate(ranks):
                    wanted[number * len(order) + turn] = 4 * rank + (first_suit + number) % 4
        for place, card in wanted.items():
            other = deck.index(card)
            deck[place], deck[other] = deck[other], deck[place]

    def _blinds(self, betting: Betting, order: list[int], dealer: int) -> tuple[int, int]:
        """Who acts last before the flop, and what a call comes to."""
        rng, stakes = self.rng, self.stakes
        small_seat, big_seat = (dealer, order[0]) if len(order) == 2 else (order[0], order[1])
        if rng.random() > 0.03 or len(order) == 2:
            betting.post(small_seat, stakes.small, stakes.small)
        betting.post(big_seat, stakes.big, stakes.big)
        last, level = big_seat, stakes.big
        others = [seat for seat in order[2:-1] if self.stacks[seat] > 3 * stakes.big]
        chance = rng.random()
        if others and others[0] == order[2] and chance < 0.05 and self.options.straddle == "allowed":
            betting.post(order[2], 2 * stakes.big, 2 * stakes.big)
            last, level = order[2], 2 * stakes.big
        elif others and chance < 0.10:  # an established player who missed the blinds
            betting.post(rng.choice(others), stakes.small + stakes.big, stakes.big)
        elif others and chance < 0.15:  # a new player
            betting.post(rng.choice(others), stakes.big, stakes.big)
        return last, level

    def _fees(self, order: Sequence[int]) -> list[Fee]:
        if self.options.schedule == "none":
            return []
        return [Fee("pot", 0, fee_cents(self.schedule.player, 100 * len(order)), before_the_deal=True)]

    def _award(self, played: PokerPlayed) -> None:
        chips, board = played.chips, played.board
        fee = sum(one.cents for one in played.fees if one.payer == "pot" and not (one.waived or one.given_back))
        left = [seat for seat in chips.seats if seat not in chips.folded]
        played.pots, played.back = side_pots(chips.put_in, left, chips.dead, fee)
        highs: dict[int, tuple[int, ...]] = {}

        def high(seat: int) -> tuple[int, ...]:
            if seat not in highs:
                highs[seat] = self.high(played.hands[seat], board)
            return highs[seat]

        def low(seat: int) -> tuple[int, ...] | None:
            return self.low(played.hands[seat], board)

        played.awards = awards(played.pots, high, low if self.plays_for_low else None, self.stakes.chip)

    def _pay_out(self, played: PokerPlayed) -> None:
        for seat in played.chips.seats:
            self.stacks[seat] = played.chips.stacks[seat] + played.back.get(seat, 0)
        for award in played.awards:
            self.stacks[award.seat] = self.stacks.get(award.seat, 0) + award.cents

    # --- who is there ------------------------------------------------------------------------------------------------

    def _buy_in(self) -> int:
        """Short ones are frequent, so that players are often all-in; never just as many chips as a blind."""
        rng, stakes = self.rng, self.stakes
        bets = rng.choice((3, 8, 20, 40, 100)) if rng.random() < 0.6 else 100
        unit = max(stakes.chip, 100)
        return max(bets * stakes.big // unit * unit + unit * rng.randrange(0, 5), 2 * stakes.big + unit)

    def _come_and_go(self) -> None:
        rng, stakes = self.rng, self.stakes
        for seat in self.sitting:
            stack = self.stacks[seat]
            as_a_blind = stack in (0, stakes.small, stakes.big)
            if as_a_blind or rng.random() < (0.9 if stack <= stakes.big else 0.04):
                self.stacks[seat] = self._buy_in()
        if rng.random() < 0.1:
            absent = [seat for seat in self.seats if seat not in self.sitting]
            if absent and rng.random() < 0.6:
                self.sitting = sorted([*self.sitting, rng.choice(absent)])
            elif len(self.sitting) > FEWEST:
                self.sitting.remove(rng.choice(self.sitting))

    def _next(self, button: int) -> int:
        later = [seat for seat in self.sitting if seat > button]
        return later[0] if later else self.sitting[0]

    def _around(self, button: int) -> list[int]:
        """Who sits there, from the first left of the button; the button last."""
        return [*(seat for seat in self.sitting if seat > button), *(seat for seat in self.sitting if seat <= button)]

    # --- what a fault asks -------------------------------------------------------------------------------------------

    most_over = 0

    @property
    def last_seat(self) -> int:
        return self.seats[-1]

    def limits(self, wager: str) -> tuple[int, int]:
        raise AssertionError("nobody wagers at a poker table")

    def worth(self, played: Any, bet: Bet) -> tuple[str, int]:
        raise AssertionError("nobody wagers at a poker table")

    def any_bet(self, played: Any) -> Bet:
        raise AssertionError("nobody wagers at a poker table")

    def spots_without_wager(self, played: Any) -> list[tuple[int, str]]:
        raise AssertionError("nobody wagers at a poker table")

    def bet_late(self, injection: Injection, played: Any) -> None:
        raise AssertionError("nobody wagers at a poker table")
