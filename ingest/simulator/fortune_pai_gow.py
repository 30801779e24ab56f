"""Fortune Pai Gow Poker as it is played at a simulated table in a California card room.

Everybody plays against a player-dealer, whose posted wager limits what can be won and lost: CA Fortune Pai Gow Poker,
the California Games Collection Rates, and R-28 to R-30, R-38, R-39, R-43 to R-45, R-54.
"""

from __future__ import annotations

from ingest.simulator.dealing import stacks_from
from ingest.simulator.faults.injection import Injection
from ingest.simulator.faults.queue import FaultQueue
from ingest.simulator.fees import FORTUNE_SCHEDULES, Schedule, fee_cents
from ingest.simulator.labels import Labels
from ingest.simulator.options import FortuneOptions, OptionValue, spelled_out
from ingest.simulator.paytables import FPG_02, FPG_02_ENVY_CENTS, QUALIFYING_CENTS
from ingest.simulator.plan import Plan, TablePlan
from ingest.simulator.played import Bank, Bet, Envy, Fee, Settled, SplitPlayed
from ingest.simulator.player_dealer import Cover, Turns
from ingest.simulator.poker import PREMIUM
from ingest.simulator.seven_cards import CHIPS_CENTS, ENVY_FAULTS, SevenCardTable
from ingest.simulator.voice import LAYOUT, Say

FEWEST_PLAYERS = 3
HIGHEST_FORTUNE_CENTS = 5_000  # printed with the later rates only: "up to a maximum of $50"


class FortuneTable(SevenCardTable):
    """A Fortune Pai Gow Poker table."""

    pack = "ca/fortune_pai_gow"
    house_pays = False
    later_rounds_rest_on = ("wager.placed", "wager.changed", "wager.withdrawn")
    places = seats = range(1, 8)  # clockwise from the house dealer's left
    base = "fortune_pai_gow"
    wheel, royal_match = "lowest", "king_queen"
    envy_cents = FPG_02_ENVY_CENTS
    controller_says = (
        "bank.*", "bets.closed", "button.placed", "collection.taken", "wager.settled", "envy.paid",
    )  # fmt: skip
    surrender_allowed = False

    def __init__(self, plan: Plan, table: TablePlan, queue: FaultQueue, labels: Labels) -> None:
        options = self.options = table.filed_as(FortuneOptions)
        self.schedule: Schedule = FORTUNE_SCHEDULES[options.schedule]
        self.drop_box = options.drop_box
        self.turns = Turns()
        super().__init__(
            plan, table, queue, labels, options, [cents for cents in CHIPS_CENTS if cents <= HIGHEST_FORTUNE_CENTS]
        )
        for seat in self.rng.sample(self.seats, FEWEST_PLAYERS):
            self.players.setdefault(seat, self.new_player())

    def filed_options(self) -> dict[str, OptionValue]:
        return spelled_out(self.options)

    def opening(self) -> list[Say]:
        self.turns = Turns()
        return super().opening()

    @property
    def last_seat(self) -> int:
        return self.seats[-1]

    def limits(self, wager: str) -> tuple[int, int]:
        if wager == self.side:
            return 100, HIGHEST_FORTUNE_CENTS
        return self.options.table_minimum_cents, self.options.table_maximum_cents

    def limited(self, wager: str) -> bool:
        """A highest Fortune bet is printed with the later rates alone."""
        return wager == self.base or self.options.schedule.startswith("california")

    def irregularities(self) -> list[str]:
        """The text names none."""
        return []

    # --- who banks, wagers, fees -------------------------------------------------------------------------------------

    def set_up(self, played: SplitPlayed, injection: Injection) -> None:
        self.come_and_go()
        played.stub_counted = False
        played.bank_says = self.turns.choose(self.rng, injection, set(self.players), self.seats)
        stack = self.rng.randrange(1, len(self.places) + 1)  # the action pile
        played.bank = Bank(self.turns.seat, "player_dealer", turn=self.turns.announced, first_stack=stack)

    def may_leave(self, seat: int) -> bool:
        """Never the one who banks, nor the last who may bank next."""
        stay = self.players.keys() - {seat, self.turns.seat}
        return seat != self.turns.seat and len(self.players) > FEWEST_PLAYERS and bool(stay & self.turns.bet_before)

    def wanted_wagers(self, played: SplitPlayed, injection: Injection) -> None:
        super().wanted_wagers(played, injection)
        if injection.wanted and injection.kind in ENVY_FAULTS:
            for seat in played.seats[:3]:
                if not played.cents(seat, self.side):
                    self.place(played, seat, self.side, QUALIFYING_CENTS)
        backed = [seat for seat in played.seats if self.rng.random() < 0.06]
        for number, seat in enumerate(backed, 1):
            self._back(played, seat, f"B{number}")

    def _back(self, played: SplitPlayed, seat: int, bettor: str) -> None:
        """Somebody bets on another's hand: a game wager, and perhaps the Fortune bet as well."""
        wagers = {self.base: self.bet_cents(self.players[seat])}
        if played.cents(seat, self.side) and self.rng.random() < 0.4:
            wagers[self.side] = self.rng.choice(self.side_chips)
        for wager, cents in wagers.items():
            said = {"seat": seat, "wager": wager, "amount_cents": cents, "bettor": bettor}
            played.wager_says.append(Say("wager.placed", said, LAYOUT))
            played.bets.append(Bet(seat, wager, cents, bettor))

    def after_wagers(self, played: SplitPlayed, injection: Injection) -> None:
        assert played.bank is not None
        exposure = sum(bet.cents * (5 if bet.wager == self.side else 1) for bet in played.bets)
        share = self.rng.choice((0.35, 0.6, 1.0, 1.0, 1.5, 2.0, 3.0))
        step = 500 if self.rng.random() < 0.9 else 25
        posted = max(self.options.table_minimum_cents, int(exposure * share) // step * step)
        if injection.wanted and injection.kind in ENVY_FAULTS:
            posted += 1_000_000
        played.bank.posted_cents = posted
        played.fees = self.fees_due(played)

    def fees_due(self, played: SplitPlayed) -> list[Fee]:
        """The player-dealer's by the round or the total table action, the players' by each betting circle (R-43)."""
        schedule, bank = self.schedule, played.bank
        assert bank is not None
        before = schedule.before_the_deal
        fees = []
        action = fee_cents(schedule.player_dealer, sum(bet.cents for bet in played.bets))
        if action:
            fees.append(Fee("player_dealer", bank.seat, action, before))
        for bet in played.bets:
            if bet.wager == self.base or schedule.bonus_pays:
                fee = fee_cents(schedule.player, bet.cents)
                circle = bet.wager if schedule.bonus_pays else ""
                if fee:
                    fees.append(Fee("player", bet.seat, fee, before, bet.bettor, wager=circle))
        return fees

    # --- deal --------------------------------------------------------------------------------------------------------

    def clockwise(self, start: int) -> list[int]:
        return [self.onward(start, step) for step in range(len(self.places))]

    def stacks(self, played: SplitPlayed) -> list[int]:
        assert played.bank is not None and played.bank.first_stack is not None
        return stacks_from(played.bank.first_stack, self.clockwise(played.start))

    def before_dealing(self, played: SplitPlayed, deck: list[int], injection: Injection) -> None:
        super().before_dealing(played, deck, injection)
        assert played.bank is not None
        left = self.clockwise(played.start)[1:]  # "the player to the left of the player that receives the first pile"
        played.button = next(seat for seat in left if seat != played.bank.seat)  # who is never counted

    def stackable(self, played: SplitPlayed) -> list[int]:
        """Only a hand with a Fortune bet gives an envy bonus here (R-29)."""
        return [seat for seat in played.seats if played.cents(seat, self.side)]

    # --- settlement --------------------------------------------------------------------------------------------------

    def order_of_seats(self, played: SplitPlayed) -> list[int]:
        assert played.button is not None
        return self.clockwise(played.button)

    def in_order(self, played: SplitPlayed) -> list[Bet]:
        """Seat by seat from the action button: the game wagers, then the Fortune bets; the seated player first, then
        backline bettors in the order they bet (R-39, R-45)."""
        return [
            bet
            for seat in self.order_of_seats(played)
            for wager in (self.base, self.side)
            for seated in (True, False)
            for bet in played.at(seat)
            if bet.wager == wager and (not bet.bettor) == seated
        ]

    def worth(self, played: SplitPlayed, bet: Bet) -> tuple[str, int]:
        """The outcome of a bet, and what moves if it is fully covered."""
        if bet.wager == self.side:
            odds = FPG_02.get(played.classes[bet.seat] or "", 0)
            return ("win", odds * bet.cents) if odds else ("lose", bet.cents)
        settled = self.settle_base(played, bet)
        return settled.outcome, settled.paid_cents + settled.taken_cents

    def settle(self, played: SplitPlayed) -> None:
        assert played.bank is not None
        played.classes = {seat: self.class_of(played.hands[seat]) for seat in self.backed_by_fortune(played)}
        cover = Cover(played.bank.posted_cents)
        played.settled = []
        for bet in self.in_order(played):
            outcome, cents = self.worth(played, bet)
            used = cover.use(cents)
            if outcome != "push" and used == 0:
                outcome = "no_action"
            paid, taken = (used, 0) if outcome == "win" else (0, used)
            played.settled.append(Settled(bet, outcome, paid, taken))
        self._settle_envy(played, cover)

    def backed_by_fortune(self, played: SplitPlayed) -> list[int]:
        return sorted({bet.seat for bet in played.bets if bet.wager == self.side})

    def _settle_envy(self, played: SplitPlayed, cover: Cover) -> None:
        """After the last seat, from the button: each Fortune bet of $5 wins for other hands of four of a kind or better
        that have a Fortune bet themselves (R-29, R-45)."""
        buttons = [bet for bet in self.in_order(played) if bet.wager == self.side and bet.cents >= QUALIFYING_CENTS]
        premium = [seat for seat in self.order_of_seats(played) if played.classes.get(seat) in PREMIUM]
        played.staying = premium if buttons else []
        played.envies = []
        for bet in buttons:
            for seat in played.staying:
                if seat != bet.seat:
                    cents = cover.use(self.envy_cents[played.classes[seat] or ""])
                    if cents:
                        played.envies.append(Envy(bet.seat, seat, cents, bet.bettor))

    def one_against_one(self, played: SplitPlayed) -> bool:
        """Only where the posted wager reaches for everything that may move, however the game wagers end."""
        classes = {seat: self.class_of(played.hands[seat]) for seat in self.backed_by_fortune(played)}
        most = sum(
            bet.cents * max(1, FPG_02.get(classes[bet.seat] or "", 0) if bet.wager == self.side else 1)
            for bet in played.bets
        )
        return most <= played.posted_cents and not PREMIUM & set(classes.values())

    def settle_from(self, played: SplitPlayed, seat: int) -> None:
        played.button = seat
        self.settle(played)

    def room_cents(self, played: SplitPlayed) -> int | None:
        """What is left of the posted wager; None where it did not reach."""
        due = sum(self.worth(played, bet)[1] for bet in played.bets)
        moved = sum(each.paid_cents + each.taken_cents for each in played.settled)
        return played.posted_cents - played.moved_cents() if moved == due else None

    def round_over(self, played: SplitPlayed, void: str | None, injection: Injection) -> None:
        super().round_over(played, void, injection)
        self.turns.bet_before = frozenset(bet.seat for bet in played.bets if not bet.bettor)
