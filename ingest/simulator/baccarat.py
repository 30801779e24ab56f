"""Supreme Baccarat as it is played at a simulated table in a California card room.

A round is worked out first (`Coup`) and told afterwards, so that a fault can be put in where it belongs. The
rules are those of baccarat_rules.py; who banks follows R-44, how the rack is filled R-7.
"""

from __future__ import annotations

from dataclasses import replace

from ingest.simulator.baccarat_rules import (
    banker_draws,
    button_seat,
    covers_all,
    fees_due,
    player_draws,
    result_of,
    settle,
    settlement_order,
)
from ingest.simulator.faults.catalogue import QUIET_ROUNDS, inject
from ingest.simulator.faults.injection import Injection, Stage
from ingest.simulator.faults.queue import FaultQueue
from ingest.simulator.fees import BACCARAT_SCHEDULES
from ingest.simulator.labels import Hands, Labels
from ingest.simulator.options import BaccaratOptions, OptionValue, spelled_out
from ingest.simulator.plan import Plan, TablePlan
from ingest.simulator.played import Bank, Bet, Coup
from ingest.simulator.player_dealer import Turns
from ingest.simulator.split_hands_reports import collected, report_bank, settlement
from ingest.simulator.table import Table
from ingest.simulator.voice import CONTROLLER, LAYOUT, RACK, SHOE, Say, one_by_one
from schemas.cards import CARD_NAMES

MOST_CARDS = 6
ROUNDS_A_SCAN = 3  # of a rack that is not scanned after every round
FEWEST_PLAYERS = 3


class BaccaratTable(Table):
    """A Supreme Baccarat table."""

    pack = "ca/supreme_baccarat"
    house_pays = False
    later_rounds_rest_on = ("wager.placed", "wager.changed", "wager.withdrawn", "discard.")

    def __init__(self, plan: Plan, table: TablePlan, queue: FaultQueue, labels: Labels) -> None:
        super().__init__(plan, table, queue, labels)
        self.options = table.filed_as(BaccaratOptions)
        self.schedule = BACCARAT_SCHEDULES[self.options.schedule]
        self.drop_box = self.options.drop_box
        self.turns = Turns()
        seats = self.seats = range(1, self.options.seats + 1)
        self._players = {seat for seat in seats if self.rng.random() < 0.6} | set(
            self.rng.sample(seats, FEWEST_PLAYERS)
        )
        self._usual_cents = {seat: self._usual() for seat in seats}
        self._shoes = 0
        self._shoe: list[int] = []
        self._cut_card = 0
        self._rack: list[str] = []
        self._unread = 0
        self._played = Coup()
        self._rounds = self._shoe_since = 0
        self._shoe_incorrect = False

    # --- the table ---------------------------------------------------------------------------------------------------

    def filed_options(self) -> dict[str, OptionValue]:
        return spelled_out(self.options)

    @property
    def last_seat(self) -> int:
        return self.options.seats

    def devices(self) -> list[Say]:
        sees = {
            CONTROLLER: ["table.*", "round.*", "bank.*", "bets.closed", "button.placed", "wager.settled"],
            LAYOUT: ["wager.placed", "wager.changed", "wager.withdrawn", "collection.taken"],
            RACK: ["discard.read"],
        }
        if self.fitted.shoe_reads:
            sees[SHOE] = ["cards.dealt"]
        return [
            Say("device.online", {"device": device.replace("-", "_"), "model": "simulated", "sees": types}, device)
            for device, types in sees.items()
        ]

    def opening(self) -> list[Say]:
        self.turns = Turns()
        return self._new_shoe()

    def closing(self) -> list[Say]:
        return [Say("cards.removed", {"deck": self._deck, "reason": "scheduled"})]

    def between_rounds(self) -> list[Say]:
        if not self._shoe_ends and not self._shoe_incorrect:
            return []
        reason = "incorrect_count" if self._shoe_incorrect else "shoe_ended"
        return [Say("cards.removed", {"deck": self._deck, "reason": reason}), *self._new_shoe()]

    @property
    def _shoe_ends(self) -> bool:
        return len(self._shoe) < max(self._cut_card, MOST_CARDS)

    def count_short(self, injection: Injection) -> int | None:
        """The shoe is counted and found a card short, and will be taken away. None where not everything since it was
        new is recorded, so that nobody could tell."""
        if injection.record_hurt_in >= self._shoe_since - QUIET_ROUNDS and injection.record_hurt_in >= 0:
            return None
        self._shoe_incorrect = True
        return len(self._shoe) - 1

    @property
    def _deck(self) -> str:
        return f"shoe-{self._shoes}"

    def _new_shoe(self) -> list[Say]:
        self._shoes += 1
        self._shoe_since, self._shoe_incorrect = self._rounds, False
        self._shoe = list(range(52)) * self.options.decks
        self.rng.shuffle(self._shoe)
        self._cut_card = self.rng.randrange(14, 21)
        self._rack, self._unread = [], 0
        return [
            Say("cards.introduced", {"deck": self._deck, "decks": self.options.decks}),
            Say("shuffle.completed", {"deck": self._deck, "method": "device", "counted": len(self._shoe)}),
        ]

    def draw(self) -> int:
        return self._shoe.pop()

    def put_back(self, card: int) -> None:
        """A card that was never drawn, when a fault has the hands drawn another way."""
        self._shoe.append(card)

    # --- a round -----------------------------------------------------------------------------------------------------

    def play(self, injection: Injection) -> list[Say]:
        played = Coup()
        self._rounds = injection.number + 1
        self._come_and_go()
        self._choose_bank(played, injection)
        self._take_wagers(played)
        inject(Stage.WAGERS, injection, played, self)
        played.fees = fees_due(self.schedule, played.bets, self.turns.seat)
        inject(Stage.FEES, injection, played, self)
        self._deal(played)
        inject(Stage.DEALT, injection, played, self)
        if self._shoe_ends:
            played.shoe_left = len(self._shoe)
        inject(Stage.COUNTED, injection, played, self)
        inject(Stage.LATE, injection, played, self)
        self._settle(played)
        inject(Stage.SETTLED, injection, played, self)
        self.turns.bet_before = frozenset(bet.seat for bet in played.bets if not bet.bettor)
        self._played = played
        return self._report(played)

    def hands_played(self) -> Hands:
        return self._played.hands

    def _come_and_go(self) -> None:
        """Players join and leave; never the one who banks, nor the last who may bank next."""
        rng = self.rng
        if rng.random() >= 0.06:
            return
        seat = rng.randrange(1, self.options.seats + 1)
        if seat not in self._players:
            self._players.add(seat)
            self._usual_cents[seat] = self._usual()
        elif seat != self.turns.seat and len(self._players) > FEWEST_PLAYERS:
            stay = self._players - {seat, self.turns.seat}
            if stay & self.turns.bet_before:
                self._players.discard(seat)

    def _choose_bank(self, played: Coup, injection: Injection) -> None:
        played.bank_says = self.turns.choose(self.rng, injection, self._players, self.seats)
        played.bank = Bank(self.turns.seat, "player_dealer", turn=self.turns.announced)

    # --- wagers ------------------------------------------------------------------------------------------------------

    def _usual(self) -> int:
        options = self.options
        steps = (options.table_maximum_cents - options.table_minimum_cents) // 500
        return options.table_minimum_cents + 500 * min(int(self.rng.expovariate(1 / 8)), steps)

    most_over = 100

    def any_bet(self, played: Coup) -> Bet:
        return self.rng.choice(played.bets)

    def worth(self, played: Coup, bet: Bet) -> tuple[str, int]:
        outcome, pays = result_of(bet, played.player, played.banker)
        return outcome, pays if outcome == "win" else bet.cents if outcome == "lose" else 0

    def room_cents(self, played: Coup) -> int | None:
        """What is left of the posted wager; None where it did not reach, and the button was used."""
        return played.posted_cents - played.moved_cents() if played.button is None else None

    def spots_without_wager(self, played: Coup) -> list[tuple[int, str]]:
        placed = {(bet.seat, bet.wager) for bet in played.bets}
        wager = self.rng.choice(("player", "banker", "tie"))
        return [(seat, wager) for seat in self.seats if seat != self.turns.seat and (seat, wager) not in placed]

    def bet_late(self, injection: Injection, played: Coup) -> None:
        """A bet is raised, made or taken back after the deal began.

        Only where no fee turns on it, and never a seat's only bet: whether a late bet counts for fees or for the next
        bank is not what is being tried.
        """
        rng = self.rng
        bet = rng.choice(played.bets)
        of_bettor = [other for other in played.bets if (other.seat, other.bettor) == (bet.seat, bet.bettor)]
        lowest, highest = self.limits(bet.wager)
        bets = list(played.bets)
        choice = rng.random()
        if choice < 0.35 and len(of_bettor) > 1:
            bets.remove(bet)
            say = Say("wager.withdrawn", bet.where(), LAYOUT)
            changed, detail = bet, f"{bet.cents} cents withdrawn after the close"
        elif choice < 0.6 and all(other.wager != "tie" for other in of_bettor):
            changed = Bet(bet.seat, "tie", self.limits("tie")[0], bet.bettor)
            bets.append(changed)
            say = Say("wager.placed", changed.where() | {"amount_cents": changed.cents}, LAYOUT)
            detail = f"{changed.cents} cents placed after the close"
        else:
            changed = replace(bet, cents=min(highest, max(lowest, bet.cents) + 100 * rng.randrange(1, 20)))
            bets[bets.index(bet)] = changed
            say = Say("wager.changed", changed.where() | {"amount_cents": changed.cents}, LAYOUT)
            detail = f"raised from {bet.cents} to {changed.cents} cents after the close"
            if changed.cents == bet.cents:
                return
        if fees_due(self.schedule, bets, self.turns.seat) == fees_due(self.schedule, played.bets, self.turns.seat):
            played.bets = bets
            played.late_says.append(say)
            injection.done(detail, changed.seat, changed.wager)

    def limits(self, wager: str) -> tuple[int, int]:
        """A line wager is within the table's limits, a bonus wager within those printed with the schedule."""
        if wager in ("player", "banker"):
            return self.options.table_minimum_cents, self.options.table_maximum_cents
        lowest, highest = self.schedule.bonus_dollars
        return lowest * 100, highest * 100

    def _line_cents(self, seat: int) -> int:
        rng = self.rng
        cents = self._usual_cents[seat]
        chance = rng.random()
        if chance < 0.3:
            cents += 500 * rng.randrange(-4, 12)
        elif chance < 0.36:
            cents += 100 * rng.randrange(1, 5)
        elif chance < 0.39:
            cents += rng.choice((25, 50, 75))
        lowest, highest = self.limits("player")
        return max(lowest, min(cents, highest))

    def _take_wagers(self, played: Coup) -> None:
        rng = self.rng
        seats = sorted(self._players - {self.turns.seat})
        betting = [seat for seat in seats if rng.random() < 0.93] or seats
        for seat in betting:
            self._bet(played, seat, "")
        backed = [seat for seat in betting if rng.random() < 0.06]
        for number, seat in enumerate(backed, 1):
            self._bet(played, seat, f"B{number}")
        exposure = sum(bet.cents * (1 if bet.wager in ("player", "banker") else 4) for bet in played.bets)
        share = rng.choice((0.35, 0.6, 1.0, 1.0, 1.5, 2.0, 3.0))
        step = 500 if rng.random() < 0.9 else 25
        assert played.bank is not None
        played.bank.posted_cents = max(self.options.table_minimum_cents, int(exposure * share) // step * step)

    def _bet(self, played: Coup, seat: int, bettor: str) -> None:
        rng = self.rng
        bonus = [wager for wager in ("tie", "total_shot") if rng.random() < 0.15]
        if not bonus or rng.random() < 0.9:
            self._place(played, Bet(seat, rng.choice(("player", "banker")), self._line_cents(seat), bettor))
        for wager in bonus:
            highest = self.limits(wager)[1]
            cents = min(highest, rng.choice((100, 200, 500, 500, 1000, 2500, 5000)))
            self._place(played, Bet(seat, wager, cents, bettor))

    def _place(self, played: Coup, bet: Bet) -> None:
        chance = self.rng.random()
        placed = bet.cents
        if chance < 0.02:
            lowest, highest = self.limits(bet.wager)
            placed = max(lowest, min(bet.cents + 500, highest))
        said = bet.where()
        played.wager_says.append(Say("wager.placed", {**said, "amount_cents": placed}, LAYOUT))
        if placed != bet.cents:
            played.wager_says.append(Say("wager.changed", {**said, "amount_cents": bet.cents}, LAYOUT))
        if (
            bet.wager in ("tie", "total_shot")
            and chance > 0.98
            and any((other.seat, other.bettor) == (bet.seat, bet.bettor) for other in played.bets)
        ):
            played.wager_says.append(Say("wager.withdrawn", said, LAYOUT))
        else:
            played.bets.append(bet)

    # --- cards and money ---------------------------------------------------------------------------------------------

    def _deal(self, played: Coup) -> None:
        """One card to the right (Player) and one to the left (Banker), in rotation; then the third cards."""
        first = [self.draw() for _ in range(4)]
        played.hands = {0: first[0::2], 1: first[1::2]}
        if player_draws(played.player, played.banker):
            played.player.append(self.draw())
        if banker_draws(played.player, played.banker):
            played.banker.append(self.draw())

    def _settle(self, played: Coup) -> None:
        first_seat = 1
        if not covers_all(played.bets, played.player, played.banker, played.posted_cents):
            played.button = first_seat = button_seat(played.banker[0], self.turns.seat, self.options.seats)
        self.settle_from(played, first_seat)

    def settle_from(self, played: Coup, first_seat: int) -> None:
        order = settlement_order(played.bets, first_seat, self.options.seats)
        played.settled = settle(order, played.player, played.banker, played.posted_cents)

    # --- reporting it ------------------------------------------------------------------------------------------------

    def _report(self, played: Coup) -> list[Say]:
        before = [collected(fee, self.drop_box) for fee in played.fees if fee.before_the_deal]
        after = [collected(fee, self.drop_box) for fee in played.fees if not fee.before_the_deal]
        says = [Say("round.opened", {"deck": self._deck}), *report_bank(played)]
        says += [*played.wager_says, *before, Say("bets.closed", {})]
        says += self._report_deal(played, after)
        says += played.late_says
        if played.button:
            card = CARD_NAMES[played.banker[0]]
            says.append(Say("button.placed", {"purpose": "action", "place": played.button, "card": card}))
        says += [settlement(each) for each in played.settled]
        says += self._report_rack(played)
        if played.shoe_left is not None:
            says.append(Say("stub.counted", {"count": played.shoe_left}))
        return [*says, Say("round.closed", {})]

    def _report_deal(self, played: Coup, fees: list[Say]) -> list[Say]:
        """The cards as they leave the shoe; fees that are taken after the first card come after it."""
        if not self.fitted.shoe_reads:
            return fees
        first = [played.player[0], played.banker[0], played.player[1], played.banker[1]]
        if self.fitted.dealt_in_parts:
            dealt = [Say("cards.dealt", {"cards": [CARD_NAMES[card]]}, SHOE) for card in first]
        else:
            dealt = [Say("cards.dealt", {"cards": [CARD_NAMES[card] for card in first]}, SHOE)]
        says = [dealt[0], *fees, *dealt[1:]]
        for to, hand in (("player", played.player), ("banker", played.banker)):
            for card in hand[2:]:
                said: dict[str, object] = {"cards": [CARD_NAMES[card]]}
                if played.third_cards_named or self.rng.random() < 0.7:
                    said["to"] = to
                says.append(Say("cards.dealt", said, SHOE))
        return says

    def _report_rack(self, played: Coup) -> list[Say]:
        cards = [CARD_NAMES[card] for card in (*played.player, *played.banker)]
        self._rack += cards
        self._unread += 1
        inserted = Say("discard.read", {"mode": "inserted", "cards": cards}, RACK)
        match self.fitted.rack:
            case "card":
                return one_by_one(inserted)
            case "inserted":
                return [inserted]
            case "scan_of_several_rounds" if (
                self._unread < ROUNDS_A_SCAN and not self._shoe_ends and not self._shoe_incorrect
            ):
                return []
        self._unread = 0
        return [Say("discard.read", {"mode": "scan", "cards": list(self._rack)}, RACK)]
