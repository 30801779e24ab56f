"""Three Card Poker 6 Card Bonus as it is played at a simulated table in a California card room.

A round is worked out first (`SplitPlayed`: wagers, deal, decisions, settlements) and reported afterwards, so that a
fault can be put in where it belongs. The rules are those of rules.py; who banks follows R-44, the rack R-6.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from ingest.simulator.betting import BettingTable
from ingest.simulator.faults.catalogue import inject
from ingest.simulator.faults.injection import Injection, Stage
from ingest.simulator.faults.queue import FaultQueue
from ingest.simulator.faults.subjects import Subject
from ingest.simulator.fees import THREE_CARD_SCHEDULES, fees_by_player
from ingest.simulator.games.three_card_poker_6_card_bonus.filed import ThreeCardOptions, usual
from ingest.simulator.games.three_card_poker_6_card_bonus.reports import report
from ingest.simulator.games.three_card_poker_6_card_bonus.rules import (
    PAIR_PLUS_ODDS,
    SIX_CARD_ODDS,
    button_seat,
    pair_plus_class,
    plays,
    qualifies,
    six_card_class,
    three_card_key,
)
from ingest.simulator.labels import Hands, Labels
from ingest.simulator.plan import Plan, TablePlan
from ingest.simulator.played import Bank, Bet, Fee, Settled, SplitPlayed
from ingest.simulator.player_dealer import FEWEST_PLAYERS, Cover, Turns, posted_for, settled_by_cover
from ingest.simulator.registry import register
from ingest.simulator.reports import read_rack
from ingest.simulator.side_wagers import SideWager, by_odds
from ingest.simulator.voice import LAYOUT, SHUFFLER, Say

PLAY, PAIR_PLUS, SIX = "play", "pair_plus", "six_card_bonus"
ON_ALL = 3  # a hand has so many cards
_NEEDS_A_FOLD_WITH = {"forfeit_waived": PAIR_PLUS, "bonus_forfeited": SIX}
BONUS_EXPOSURE = 4  # what is posted reckons with so many times a bonus bet


class ThreeCardTable(BettingTable):
    """A Three Card Poker 6 Card Bonus table."""

    pack = "ca/three_card_poker_6_card_bonus"
    base = "ante"
    house_pays = False
    later_rounds_rest_on = ("wager.placed", "wager.changed", "wager.withdrawn")
    controller_says = (
        "bank.*", "bets.closed", "button.placed", "collection.taken", "player.acted", "wager.settled",
    )  # fmt: skip
    places = seats = range(1, 9)  # clockwise from the house dealer's left
    jokers = 0
    hand_size = 3
    premium: frozenset[str] = frozenset()

    def __init__(self, plan: Plan, table: TablePlan, queue: FaultQueue, labels: Labels) -> None:
        options = self.options = table.filed_as(ThreeCardOptions)
        self.schedule = THREE_CARD_SCHEDULES[options.schedule]
        super().__init__(plan, table, queue, labels, replace(options, decks=1))  # all of them are shuffled together
        self.device_shuffles, self.reader = True, SHUFFLER
        self.copies = options.decks
        self.drop_box = options.drop_box
        self.turns = Turns()
        self._played = SplitPlayed()
        highest = 1_000 if options.takes_fees_after_play else options.table_maximum_cents
        self.sides = {
            PAIR_PLUS: SideWager(PAIR_PLUS, 100, 5_000, self._pair_plus),
            SIX: SideWager(SIX, 100, highest, self._six),
        }
        self.players = {seat: self.new_player() for seat in self.seats if self.rng.random() < 0.6}
        for seat in self.rng.sample(self.seats, FEWEST_PLAYERS):
            self.players.setdefault(seat, self.new_player())

    @property
    def deck_size(self) -> int:
        return 52 * self.options.decks

    @property
    def last_seat(self) -> int:
        return self.seats[-1]

    def opening(self) -> list[Say]:
        self.turns = Turns()
        return super().opening()

    def bring_cards(self) -> list[Say]:
        brought = super().bring_cards()
        for say in brought:
            if say.type == "cards.introduced":
                say.data["decks"] = self.options.decks
        return brought

    # --- a round -----------------------------------------------------------------------------------------------------

    def play(self, injection: Injection) -> list[Say]:
        self._rounds += 1
        played = SplitPlayed()
        self.come_and_go()
        played.bank_says = self.turns.choose(self.rng, injection, set(self.players), self.seats)
        played.bank = Bank(self.turns.seat, "player_dealer", turn=self.turns.announced)
        self.take_wagers(played, injection)
        inject(Stage.WAGERS, injection, played, self)
        self._deal(played)
        inject(Stage.DEALT, injection, played, self)
        self._decide(played, injection)
        inject(Stage.START, injection, played, self)
        self._post(played)
        played.fees = self.fees_due(played)
        inject(Stage.FEES, injection, played, self)
        inject(Stage.LATE, injection, played, self)
        self.settle_from(played, button_seat(self.third_card(played), self.turns.seat, self.last_seat))
        inject(Stage.SETTLED, injection, played, self)
        played.says = report(self, played, self.deck_in_play)
        inject(Stage.RACK, injection, played, self)
        self.turns.round_over(played)
        self._played = played
        return read_rack(self.fitted.rack, played.says)

    def hands_played(self) -> Hands:
        return {place: list(cards) for place, cards in self._played.hands.items() if cards}

    def third_card(self, played: SplitPlayed) -> int:
        """The player-dealer's, which is turned face up."""
        return played.hands[self.turns.seat][-1]

    # --- wagers ------------------------------------------------------------------------------------------------------

    def may_leave(self, seat: int) -> bool:
        return self.turns.may_leave(seat, self.players.keys())

    def wanted_wagers(self, played: SplitPlayed, injection: Injection) -> None:
        """Bonus bets without which the fault asked for could not be done; and somebody bets on another's hand, an Ante
        and perhaps bonus bets."""
        needed = _NEEDS_A_FOLD_WITH.get(injection.kind or "", "") if injection.wanted else ""
        for seat in played.seats if needed else ():
            if not played.cents(seat, needed):
                self.place(played, seat, needed, self.sides[needed].usual_cents[0])
        backed = [seat for seat in played.seats if self.rng.random() < 0.06]
        for number, seat in enumerate(backed, 1):
            wagers = {self.base: self.bet_cents(self.players[seat])}
            for side in self.sides.values():
                if self.rng.random() < 0.3:
                    wagers[side.name] = self.rng.choice(side.usual_cents)
            for wager, cents in wagers.items():
                bet = Bet(seat, wager, cents, f"B{number}")
                played.wager_says.append(Say("wager.placed", bet.where() | {"amount_cents": cents}, LAYOUT))
                played.bets.append(bet)

    def _post(self, played: SplitPlayed) -> None:
        assert played.bank is not None
        exposure = sum(bet.cents * (BONUS_EXPOSURE if bet.wager in self.sides else 1) for bet in played.bets)
        played.bank.posted_cents = posted_for(self.rng, exposure, self.filed.table_minimum_cents)

    def fees_due(self, played: SplitPlayed) -> list[Fee]:
        """Before the deal there are no Play wagers to count (R-41)."""
        counted = [bet for bet in played.bets if self.options.takes_fees_after_play or bet.wager != PLAY]
        return fees_by_player(self.schedule, counted, self.turns.seat)

    def bet_late(self, injection: Injection, played: SplitPlayed) -> None:
        """A bonus bet of somebody who plays is made, taken back or doubled after the close; none on which a fee
        turns."""
        seats = [seat for seat in played.seats if played.find(seat, PLAY)]
        if not seats:
            return
        seat, name = self.rng.choice(seats), self.rng.choice(list(self.sides))
        bet, (least, most) = played.find(seat, name), self.limits(name)
        bets = list(played.bets)
        if bet is None:
            changed = Bet(seat, name, least)
            bets.append(changed)
            said = Say("wager.placed", changed.where() | {"amount_cents": changed.cents}, LAYOUT)
        elif self.rng.random() < 0.5 or 2 * bet.cents > most:
            changed = bet
            bets.remove(bet)
            said = Say("wager.withdrawn", bet.where(), LAYOUT)
        else:
            changed = replace(bet, cents=2 * bet.cents)
            bets[bets.index(bet)] = changed
            said = Say("wager.changed", changed.where() | {"amount_cents": changed.cents}, LAYOUT)
        if self.fees_due(replace(played, bets=bets)) == self.fees_due(played):
            played.bets = bets
            played.late_says.append(said)
            injection.done(f"{said.type} after the close", seat, name)

    def any_bet(self, played: SplitPlayed) -> Bet:
        return self.rng.choice([bet for bet in played.bets if bet.wager != PLAY])

    # --- deal --------------------------------------------------------------------------------------------------------

    def clockwise(self, played: SplitPlayed) -> list[int]:
        """Who gets cards, from the player-dealer's left on, the player-dealer last."""
        bank = self.turns.seat
        around = [(bank - 1 + step) % self.last_seat + 1 for step in range(1, self.last_seat)]
        return [*(seat for seat in around if seat in played.seats), bank]

    def _deal(self, played: SplitPlayed) -> None:
        deck = list(range(52)) * self.options.decks
        self.rng.shuffle(deck)
        played.stub_counted = self.rng.random() < 0.2
        played.places = [place for place in self.clockwise(played) for _ in range(ON_ALL)]
        played.deal_out(deck, self.places)

    def other_way_round(self, played: SplitPlayed) -> tuple[str, list[int]]:
        """From the player-dealer's right, the player-dealer last."""
        *others, bank = self.clockwise(played)
        return "counterclockwise", [place for place in (*reversed(others), bank) for _ in range(ON_ALL)]

    def class_of(self, hand: Sequence[int]) -> str | None:
        return pair_plus_class(hand)

    def _decide(self, played: SplitPlayed, injection: Injection) -> None:
        """Play, or fold, seat by seat from the house dealer's left; backline bettors mostly as the player does."""
        rng, wanted = self.rng, (injection.kind or "") if injection.wanted else ""
        for seat in played.seats:
            goes_on = plays(played.hands[seat]) != (rng.random() < 0.04)
            if wanted == "fee_late":  # a fee that waits for a Play wager needs one
                goes_on |= seat == played.seats[-1] and not any(bet.wager == PLAY for bet in played.bets)
            elif wanted in _NEEDS_A_FOLD_WITH:
                goes_on &= not self._would_win(played, seat, _NEEDS_A_FOLD_WITH[wanted])
            if rng.random() < 0.08:
                played.unsaid.append(seat)
            for ante in [bet for bet in played.at(seat) if bet.wager == self.base]:
                if goes_on and not (ante.bettor and rng.random() < 0.15):
                    played.bets.append(Bet(seat, PLAY, ante.cents, ante.bettor))
            if not any(bet.wager == PLAY for bet in played.at(seat)):
                played.folded.append(seat)

    def _would_win(self, played: SplitPlayed, seat: int, side: str) -> bool:
        own = played.hands[seat]
        return bool(pair_plus_class(own) if side == PAIR_PLUS else six_card_class(own, played.hands[self.turns.seat]))

    def has_played(self, played: SplitPlayed, bet: Bet) -> bool:
        return played.find(bet.seat, PLAY, bet.bettor) is not None

    # --- settlement --------------------------------------------------------------------------------------------------

    def _pair_plus(self, played: SplitPlayed, bet: Bet) -> tuple[str, int]:
        if not self.has_played(played, bet):
            return "lose", 0  # "shall be forfeited if the player folds"
        return by_odds(PAIR_PLUS_ODDS, pair_plus_class(played.hands[bet.seat]), bet.cents)

    def _six(self, played: SplitPlayed, bet: Bet) -> tuple[str, int]:
        hands = played.hands[bet.seat], played.hands[self.turns.seat]
        return by_odds(SIX_CARD_ODDS, six_card_class(*hands), bet.cents)

    def decided(self, played: SplitPlayed, bet: Bet) -> tuple[str, int]:
        """The outcome of a bet, and what it is paid if it wins and is fully covered."""
        if bet.wager in self.sides:
            return self.sides[bet.wager].decide(played, bet)
        if not self.has_played(played, bet):
            return "lose", 0
        against = played.hands[self.turns.seat]
        if not qualifies(against):
            return ("win", bet.cents) if bet.wager == self.base else ("no_action", 0)
        own, other = three_card_key(played.hands[bet.seat]), three_card_key(against)
        return ("win", bet.cents) if own > other else ("lose", 0) if own < other else ("push", 0)

    def worth(self, played: SplitPlayed, bet: Bet) -> tuple[str, int]:
        outcome, pays = self.decided(played, bet)
        return outcome, pays if outcome == "win" else bet.cents if outcome == "lose" else 0

    def forfeited(self, played: SplitPlayed) -> list[Bet]:
        """What those who folded have lost, in the order in which they were asked (R-39)."""
        lost = [bet for bet in played.bets if bet.wager in (self.base, PAIR_PLUS) and not self.has_played(played, bet)]
        return [bet for seat in self.seats for bet in self._at_seat(lost, seat)]

    def _at_seat(self, bets: Sequence[Bet], seat: int) -> list[Bet]:
        """The seated player's first and then each backline bettor's, in the order they bet; of each the Ante, Play,
        Pair Plus and 6 Card Bonus."""
        here = [bet for bet in bets if bet.seat == seat]
        bettors = sorted({bet.bettor for bet in here}, key=lambda bettor: (bettor != "", int(bettor[1:] or 0)))
        order = (self.base, PLAY, PAIR_PLUS, SIX)
        return [
            bet for bettor in bettors for name in order for bet in here if (bet.bettor, bet.wager) == (bettor, name)
        ]

    def order_of_seats(self, button: int) -> list[int]:
        return [(button - 1 + step) % self.last_seat + 1 for step in range(self.last_seat)]

    def settle_from(self, played: SplitPlayed, seat: int) -> None:
        played.button = seat
        lost = self.forfeited(played)
        rest = [bet for bet in played.bets if bet not in lost]
        in_order = lost + [bet for place in self.order_of_seats(seat) for bet in self._at_seat(rest, place)]
        cover = Cover(played.posted_cents)
        played.settled = [self._settled(played, bet, cover) for bet in in_order]

    def _settled(self, played: SplitPlayed, bet: Bet, cover: Cover) -> Settled:
        outcome, cents = self.worth(played, bet)
        if outcome == "no_action":  # a Play wager that is refunded
            return Settled(bet, outcome)
        return settled_by_cover(bet, outcome, cents, cover)

    def room_cents(self, played: SplitPlayed) -> int | None:
        """What is left of the posted wager; None where it did not reach."""
        due = sum(self.worth(played, bet)[1] for bet in played.bets)
        return played.posted_cents - played.moved_cents() if due <= played.posted_cents else None

    def spots_without_wager(self, played: SplitPlayed) -> list[tuple[int, str]]:
        """Seats with an Ante and without the bonus bet."""
        return [(seat, side) for side in self.sides for seat in played.seats if not played.cents(seat, side)]


register(
    ThreeCardTable,
    ThreeCardOptions,
    usual,
    prefix="TC",
    faults=(Subject.FEES, Subject.PLAYER_DEALER, Subject.ONE_RACK, Subject.PLAY_OR_FOLD),
)
