"""Pure 21.5 Blackjack as it is played at a simulated table in a California card room.

A round is worked out first (`Round`) and reported afterwards, so that a fault can be put in where it belongs. The rules
are those of rules.py, how people play is in playing.py; who banks follows R-44, how the rack is filled R-8.
"""

from __future__ import annotations

from ingest.simulator.faults.catalogue import inject
from ingest.simulator.faults.injection import Injection, Stage
from ingest.simulator.faults.queue import FaultQueue
from ingest.simulator.faults.subjects import Subject
from ingest.simulator.fees import fees_by_circle
from ingest.simulator.games.pure_21_5_blackjack.filed import BlackjackOptions, usual
from ingest.simulator.games.pure_21_5_blackjack.hands import Hand, Round
from ingest.simulator.games.pure_21_5_blackjack.playing import Players
from ingest.simulator.games.pure_21_5_blackjack.rules import (
    BASE,
    button_seat,
    clockwise,
    is_natural,
    player_dealer_draws,
)
from ingest.simulator.games.pure_21_5_blackjack.settling import decided, settle, settlement_order
from ingest.simulator.games.pure_21_5_blackjack.stacked import STACKED, stack, third_eight
from ingest.simulator.labels import Hands, Labels
from ingest.simulator.line_betting import LineBettingTable
from ingest.simulator.plan import Plan, TablePlan
from ingest.simulator.played import Bet, Fee, Played
from ingest.simulator.registry import register
from ingest.simulator.reports import fees_taken, names, report_bank, settlement
from ingest.simulator.voice import CAMERA, SHOE, Say
from schemas.cards import CARD_NAMES


class BlackjackTable(LineBettingTable):
    """A Pure 21.5 Blackjack table."""

    pack = "ca/pure_21_5_blackjack"
    lines, bonuses, late_bonus = (BASE,), (), BASE
    most_cards = 60
    controller_says = ("bank.*", "bets.closed", "player.acted", "button.placed", "wager.settled")
    layout_says = ("wager.placed", "wager.changed", "wager.withdrawn", "collection.taken")
    later_rounds_rest_on = (*LineBettingTable.later_rounds_rest_on, "player.acted")

    def __init__(self, plan: Plan, table: TablePlan, queue: FaultQueue, labels: Labels) -> None:
        options = self.options = table.filed_as(BlackjackOptions)
        self.drop_box = options.drop_box
        self._played = Round()
        super().__init__(plan, table, queue, labels, options, options.rates, options.seats, options.decks)

    def devices(self) -> list[Say]:
        says = super().devices()
        if self.fitted.camera:
            sees = {"device": CAMERA, "model": "simulated", "sees": ["hand.shown"]}
            says.append(Say("device.online", sees, CAMERA))
        return says

    # --- a round -----------------------------------------------------------------------------------------------------

    def play(self, injection: Injection) -> list[Say]:
        played = Round()
        self._rounds = injection.number + 1
        self.come_and_go()
        self.choose_bank(played, injection)
        self.take_wagers(played)
        inject(Stage.WAGERS, injection, played, self)
        played.fees = self.fees_due(played.bets)
        inject(Stage.FEES, injection, played, self)
        if injection.wanted and injection.kind in STACKED:
            stack(injection.kind, self._shoe, self._in_turn(played), self.rng)
        self._deal(played)
        inject(Stage.LATE, injection, played, self)
        self._play_out(played, injection)
        inject(Stage.DEALT, injection, played, self)
        if self.shoe_ends:
            played.shoe_left = self.cards_left
        inject(Stage.COUNTED, injection, played, self)
        self._settle(played)
        inject(Stage.SETTLED, injection, played, self)
        inject(Stage.RACK, injection, played, self)
        self.turns.round_over(played)
        self._played = played
        return self._report(played)

    def hands_played(self) -> Hands:
        """The first hand of each seat, and the player-dealer's."""
        played = self._played
        return {hand.seat: hand.cards for hand in played.every_hand if not hand.number} | {
            self.against(played): played.dealer
        }

    def _in_turn(self, played: Round) -> list[int]:
        """The seats with a wager, clockwise from the player-dealer's left."""
        betting = {bet.seat for bet in played.bets}
        return [seat for seat in clockwise(self.turns.seat, self.options.seats) if seat in betting]

    # --- wagers ------------------------------------------------------------------------------------------------------

    def fees_due(self, bets: list[Bet]) -> list[Fee]:  # type: ignore[override]
        return fees_by_circle(self.schedule, bets, self.turns.seat, BASE)

    def limits(self, wager: str) -> tuple[int, int]:
        return self.filed.table_minimum_cents, self.filed.table_maximum_cents

    def room_cents(self, played: Played) -> int | None:
        assert isinstance(played, Round)
        return None if played.short else played.posted_cents - played.moved_cents()

    def worth(self, played: Played, bet: Bet) -> tuple[str, int]:
        assert isinstance(played, Round)
        outcome, cents = decided(played, bet)
        return ("lose" if outcome == "surrender" else outcome), cents

    def decided(self, played: Round, bet: Bet) -> tuple[str, int]:
        return decided(played, bet)

    # --- cards -------------------------------------------------------------------------------------------------------

    def _deal(self, played: Round) -> None:
        """A card to each from the player-dealer's left, the player-dealer last, twice."""
        order = self._in_turn(played)
        bank = self.turns.seat
        played.spots = {seat: [Hand(seat, 0, [])] for seat in order}
        for _ in range(2):
            for seat in order:
                played.spots[seat][0].cards.append(self._first_card(played, seat))
            played.dealer.append(self._first_card(played, bank))

    def _first_card(self, played: Round, place: int) -> int:
        card = self.draw()
        played.first_cards.append((place, card))
        return card

    def _play_out(self, played: Round, injection: Injection) -> None:
        def dealt(place: int) -> int:
            card = self.draw()
            if self.fitted.shoe_reads:
                played.play_says.append(self._card_dealt([card], [place]))
            return card

        players = Players(self.rng, played, dealt, injection, self.filed.table_minimum_cents)
        players.insure()
        seats = list(played.spots)
        natural = is_natural(played.dealer)
        if natural and injection.wanted and injection.kind == "played_against_natural":
            natural = False
            injection.done("hands are played against a natural")
        if not natural:
            if injection.wanted and injection.kind == "out_of_turn" and len(seats) > 1:
                waiting = [seat for seat in seats if not is_natural(played.spots[seat][0].cards)]
                if len(waiting) > 1 and not self.fitted.shoe_reads:
                    seats = [waiting[-1], *[seat for seat in seats if seat != waiting[-1]]]
                    injection.done(f"seat {waiting[-1]} plays first", waiting[-1])
            for seat in seats:
                players.play_seat(seat)
        self._complete(played, dealt, injection)
        played.button_card = played.dealer[1]
        played.button = button_seat(played.dealer[1], self.turns.seat, self.options.seats)

    def _complete(self, played: Round, dealt: object, injection: Injection) -> None:
        assert callable(dealt)
        while player_dealer_draws(played.dealer):
            wrong = injection.wanted and injection.kind == "player_dealer_stood"
            if wrong and len(played.dealer) == 2 and not is_natural(played.dealer):
                injection.done("the player-dealer stands on what must be hit")
                return
            if injection.wanted and injection.kind == "over_taken_against_888":
                third_eight(self._shoe, played.dealer)
            played.dealer.append(dealt(self.turns.seat))
        if injection.wanted and injection.kind == "player_dealer_drew" and not is_natural(played.dealer):
            played.dealer.append(dealt(self.turns.seat))
            injection.done("the player-dealer draws on what must stand")

    # --- money -------------------------------------------------------------------------------------------------------

    def _settle(self, played: Round) -> None:
        assert played.button is not None
        self.settle_from(played, played.button)

    def settle_from(self, played: Round, first_seat: int) -> None:
        order = settlement_order(played, first_seat, self.options.seats)
        played.settled, played.short = settle(played, order, played.posted_cents)
        given_up = [hand.cards for hand in played.given_up]
        others = [
            hand.cards
            for seat in clockwise(first_seat, self.options.seats)
            for hand in played.spots.get(seat, ())
            if not hand.surrendered
        ]
        played.picked_up = [*given_up, *others, played.dealer]

    # --- reporting it ------------------------------------------------------------------------------------------------

    def _report(self, played: Round) -> list[Say]:
        says = [Say("round.opened", {"deck": self.deck}), *report_bank(played), *played.wager_says]
        says += [*fees_taken(played, self.drop_box, before_the_deal=True), Say("bets.closed", {})]
        says += self._report_deal(played, fees_taken(played, self.drop_box, before_the_deal=False))
        says += played.late_says
        says += played.play_says
        card = CARD_NAMES[played.button_card]
        says.append(Say("button.placed", {"purpose": "action", "place": played.button, "card": card}))
        says += self._shown(played)
        says += [settlement(each) for each in played.settled]
        says += self.collect([card for hand in played.picked_up for card in hand])
        if played.shoe_left is not None:
            says.append(Say("stub.counted", {"count": played.shoe_left}))
        return [*says, Say("round.closed", {})]

    def _report_deal(self, played: Round, fees: list[Say]) -> list[Say]:
        """The first two cards of everybody as they leave the shoe; fees that are due after the first card follow it."""
        if not self.fitted.shoe_reads:
            return fees
        if self.fitted.dealt_in_parts:
            dealt = [self._card_dealt([card], [place]) for place, card in played.first_cards]
            return [dealt[0], *fees, *dealt[1:]]
        places, cards = zip(*played.first_cards, strict=True)
        return [self._card_dealt(list(cards), list(places)), *fees]

    def _card_dealt(self, cards: list[int], places: list[int]) -> Say:
        said: dict[str, object] = {"cards": names(cards)}
        if self.fitted.camera:
            said["places"] = places
        return Say("cards.dealt", said, SHOE)

    def _shown(self, played: Round) -> list[Say]:
        """The hands as the layout camera sees them once the player-dealer's is complete."""
        if not self.fitted.camera:
            return []
        shown = [(hand.seat, hand.number, hand.cards) for hand in played.every_hand if len(hand.cards) <= 16]
        shown.append((self.against(played), 0, played.dealer))
        return [
            Say("hand.shown", {"place": place, "cards": names(cards)} | ({"hand": number} if number else {}), CAMERA)
            for place, number, cards in shown
        ]


register(
    BlackjackTable,
    BlackjackOptions,
    usual,
    prefix="BJ",
    faults=(Subject.FEES, Subject.PLAYER_DEALER, Subject.SHOE, Subject.DRAWN_HANDS),
)
