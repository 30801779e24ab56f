"""Massachusetts pai gow poker as it is played at a simulated table, from the wagers to the discard rack.

A round is worked out first (`PaiGowRound`: wagers, deal, settings, settlements) and told afterwards, so that a fault
can be put in where it belongs and everything that follows from it follows. Settled by MA-PGP §§8-9, 11, 15, 16 and
R-1 to R-5, R-23, R-29, R-34, R-51.
"""

from __future__ import annotations

from dataclasses import dataclass

from ingest.simulator.faults import FaultQueue, Injection
from ingest.simulator.house_way import Setting, house_way
from ingest.simulator.labels import Hands, Labels
from ingest.simulator.options import OptionValue, spelled_out
from ingest.simulator.pai_gow_deal import places_dealt, premium_cards, start_place
from ingest.simulator.pai_gow_faults import Stage, inject, wants_premium_hand
from ingest.simulator.pai_gow_round import DEALER, DECK, HAND, PLACES, SEATS, Envy, PaiGowRound, Settlement
from ingest.simulator.pai_gow_telling import read_rack, tell
from ingest.simulator.paytables import ENVY_CENTS, FORTUNE_ODDS, QUALIFYING_CENTS, vigorish_cents
from ingest.simulator.plan import Plan, TablePlan
from ingest.simulator.poker import PREMIUM, five_key, fortune_class, is_foul, rank_of, two_key
from ingest.simulator.table import HOUR_US, Table
from ingest.simulator.voice import CAMERA, CONTROLLER, LAYOUT, RACK, SHAKER, SHOE, SHUFFLER, Say

FORTUNE_CHIPS_CENTS = (100, 200, 300, 400, 500, 500, 500, 1000, 1000, 1500, 2500, 5000, 10_000, 20_000)


@dataclass
class Player:
    """How the person in a seat likes to bet."""

    usual_cents: int
    likes_fortune: bool
    fortune_cents: int


class PaiGowTable(Table):
    """A pai gow poker table."""

    pack = "ma/pai_gow_poker"

    def __init__(self, plan: Plan, table: TablePlan, queue: FaultQueue, labels: Labels) -> None:
        super().__init__(plan, table, queue, labels)
        self.options = table.pai_gow()
        options = self.options
        if self.fitted.rack == "scan_of_several_rounds":
            raise ValueError(f"{table.table_id}: a pai gow rack holds one round's cards (MA-PGP §2(b)(5)), not several")
        self.device_shuffles = (
            options.decks == 2
            or options.dealing == "automated_shoe"
            or (options.dealing == "hand" and self.fitted.shoe_reads)  # only a shuffler can read what a hand deals
        )
        self.reader = SHUFFLER if options.dealing == "hand" else SHOE
        self._cards_last_us = (3 if options.dealing == "hand" else 7) * HOUR_US
        self._decks = ["red", "blue"][: options.decks]
        self._rounds = 0
        self._played = PaiGowRound()
        self._button = DEALER
        self._cards_since_us = 0
        self._fortune_chips = [
            cents
            for cents in FORTUNE_CHIPS_CENTS
            if options.fortune_minimum_cents <= cents <= options.fortune_maximum_cents
        ]
        self.players = {seat: self._player() for seat in SEATS if self.rng.random() < 0.65}

    # --- the table ---------------------------------------------------------------------------------------------------

    def filed_options(self) -> dict[str, OptionValue]:
        return spelled_out(self.options)

    def devices(self) -> list[Say]:
        sees = {
            CONTROLLER: ["table.*", "round.*", "bets.closed", "wager.settled", "vigorish.taken", "envy.paid"],
            LAYOUT: ["wager.placed", "wager.changed", "wager.withdrawn"],
            RACK: ["discard.read"],
        }
        if self.fitted.shoe_reads:
            sees[self.reader] = ["cards.dealt"]
        if self.device_shuffles:
            sees[SHUFFLER] = [*sees.get(SHUFFLER, []), "shuffle.completed"]
        if self.fitted.camera:
            sees[CAMERA] = ["hand.shown"]
        if self.options.starting != "button":
            sees[SHAKER] = ["start.determined"]
        return [
            Say("device.online", {"device": device.replace("-", "_"), "model": "simulated", "sees": types}, device)
            for device, types in sees.items()
        ]

    def opening(self) -> list[Say]:
        self._button = DEALER  # MA-PGP §8c(d): "At the commencement of play"
        says = self._bring_cards()
        if self.options.starting == "dice":
            says.append(Say("dice.introduced", {"dice": "set-1"}))
        return says

    def closing(self) -> list[Say]:
        says = self._take_cards()
        if self.options.starting == "dice":
            says.append(Say("dice.removed", {"dice": "set-1", "reason": "end of the day"}))
        return says

    def _take_cards(self) -> list[Say]:
        return [Say("cards.removed", {"deck": deck, "reason": "scheduled"}) for deck in self._decks]

    def _bring_cards(self) -> list[Say]:
        self._cards_since_us = self.now_us
        return [Say("cards.introduced", {"deck": deck, "jokers": 1, "back": deck}) for deck in self._decks]

    def between_rounds(self) -> list[Say]:
        if self.now_us - self._cards_since_us < self._cards_last_us:
            return []
        return self._take_cards() + self._bring_cards()

    # --- a round -----------------------------------------------------------------------------------------------------

    def play(self, injection: Injection) -> list[Say]:
        deck = self._decks[self._rounds % len(self._decks)]
        self._rounds += 1
        played = PaiGowRound()
        self._take_wagers(played, wants_premium_hand(injection))
        inject(Stage.WAGERS, injection, played, self)
        self._determine_start(played)
        irregular = None
        if injection.kind is None and self.rng.random() < 0.008:  # one thing a round
            irregular = self._irregularity()
        if irregular == "wrong_start":
            played.start = (played.start + self.rng.randrange(1, PLACES)) % PLACES
        inject(Stage.START, injection, played, self)
        self._shuffle_and_deal(played, wants_premium_hand(injection), irregular == "misdeal")
        inject(Stage.DEALT, injection, played, self)
        if irregular is None:
            self._surrender(played, injection)
            self._set_hands(played)
            inject(Stage.SET, injection, played, self)
            inject(Stage.LATE, injection, played, self)
            self._settle(played)
            inject(Stage.SETTLED, injection, played, self)
        says = tell(self, played, deck, irregular)
        inject(Stage.RACK, injection, played, self, says)
        if self.options.starting == "button":
            self._button = (self._button - 1) % PLACES  # clockwise, after each round
        self._played = played if irregular is None else PaiGowRound()
        return read_rack(self, says)

    def hands_played(self) -> Hands:
        hands = {place: list(cards) for place, cards in self._played.hands.items()}
        return hands | {place: [*low, *high] for place, (low, high) in self._played.settings.items()}

    def _irregularity(self) -> str:
        """What can go wrong and be handled right. A button that lies wrong is not among it."""
        kinds = ["misdeal", "exposed_card"] + ["wrong_start"] * (self.options.starting != "button")
        return self.rng.choice(kinds)

    # --- wagers ------------------------------------------------------------------------------------------------------

    def _player(self) -> Player:
        options, rng = self.options, self.rng
        steps = (options.table_maximum_cents - options.table_minimum_cents) // 500
        usual = options.table_minimum_cents + 500 * min(int(rng.expovariate(1 / 6)), steps)
        likes = options.fortune_paytable != "none" and rng.random() < 0.5
        return Player(usual, likes, rng.choice(self._fortune_chips) if self._fortune_chips else 0)

    def _come_and_go(self) -> None:
        rng = self.rng
        if rng.random() < 0.05:
            seat = rng.randrange(1, PLACES)
            if seat not in self.players:
                self.players[seat] = self._player()
            elif len(self.players) > 1:
                del self.players[seat]
        if not self.players:
            self.players[rng.randrange(1, PLACES)] = self._player()

    def _bet_cents(self, player: Player) -> int:
        rng, options = self.rng, self.options
        cents = player.usual_cents
        chance = rng.random()
        if chance < 0.25:
            cents += 500 * rng.randrange(-3, 6)
        elif chance < 0.33:
            cents += 100 * rng.randrange(1, 5)
        elif chance < 0.37:
            cents += rng.choice((25, 50, 75, 250))
        return max(options.table_minimum_cents, min(cents, options.table_maximum_cents))

    def _take_wagers(self, played: PaiGowRound, premium_wanted: bool) -> None:
        rng = self.rng
        self._come_and_go()
        for seat in sorted(self.players):
            if rng.random() < 0.07 and len(self.players) > 1:
                continue
            player = self.players[seat]
            self._place(played, seat, "pai_gow", self._bet_cents(player))
            if player.likes_fortune and rng.random() < 0.85:
                self._place(played, seat, "fortune", player.fortune_cents)
            if rng.random() < 0.01:
                for wager in list(played.wagers[seat]):
                    played.wager_says.append(Say("wager.withdrawn", {"seat": seat, "wager": wager}, LAYOUT))
                del played.wagers[seat]
        if premium_wanted:
            self._ask_for_envy(played)
        if not played.wagers:
            seat = min(self.players)
            self._place(played, seat, "pai_gow", self._bet_cents(self.players[seat]))

    def _ask_for_envy(self, played: PaiGowRound) -> None:
        """Somebody has to be entitled to an envy bonus, and somebody else at the table, for one to be got wrong."""
        for seat in SEATS:
            if len(played.wagers) >= 2:
                break
            if seat not in played.wagers:
                self._place(played, seat, "pai_gow", self.options.table_minimum_cents)
        if not any(played.fortune(seat) >= QUALIFYING_CENTS for seat in played.wagers):
            without = [seat for seat in sorted(played.wagers) if not played.fortune(seat)]
            if not without:
                return
            seat = without[0]
            self._place(played, seat, "fortune", max(QUALIFYING_CENTS, self.options.fortune_minimum_cents))

    def _place(self, played: PaiGowRound, seat: int, wager: str, cents: int) -> None:
        """Puts a wager down; now and then it is changed, or taken back, before betting closes."""
        chance = self.rng.random()
        wagers, says = played.wagers.setdefault(seat, {}), played.wager_says
        placed = cents
        if chance < 0.02:
            lowest, highest = self.limits(wager)
            placed = max(lowest, min(cents + 500, highest))
        says.append(Say("wager.placed", {"seat": seat, "wager": wager, "amount_cents": placed}, LAYOUT))
        if placed != cents:
            says.append(Say("wager.changed", {"seat": seat, "wager": wager, "amount_cents": cents}, LAYOUT))
        wagers[wager] = cents
        if wager == "fortune" and chance > 0.985:
            says.append(Say("wager.withdrawn", {"seat": seat, "wager": wager}, LAYOUT))
            del wagers[wager]

    def limits(self, wager: str) -> tuple[int, int]:
        options = self.options
        if wager == "fortune":
            return options.fortune_minimum_cents, options.fortune_maximum_cents
        return options.table_minimum_cents, options.table_maximum_cents

    # --- start and deal ----------------------------------------------------------------------------------------------

    def _determine_start(self, played: PaiGowRound) -> None:
        rng = self.rng
        match self.options.starting:
            case "dice":
                while rng.random() < 0.004:  # MA-PGP §11(a),(b): called off and shaken again
                    reason = rng.choice(("not_flat", "fell_out"))
                    played.no_rolls.append(Say("start.no_roll", {"reason": reason}, SHAKER))
                dice = [rng.randrange(1, 7) for _ in range(3)]
                played.thrown = {"method": "dice", "dice": dice}
                played.start = start_place(sum(dice))
            case "rng":
                number = rng.randrange(1, PLACES + 1)
                played.thrown = {"method": "rng", "number": number}
                played.start = start_place(number)
            case _:
                played.thrown = {"method": "button"}
                played.start = self._button

    def _shuffle_and_deal(self, played: PaiGowRound, stack: bool, misdeal: bool) -> None:
        deck = list(range(DECK))
        self.rng.shuffle(deck)
        played.places = places_dealt(self.options.dealing, played.start)
        if stack or (self.plan.lucky_rate and self.rng.random() < self.plan.lucky_rate):
            self._stack(deck, played, stack)
        if misdeal:
            self.misdeal(played, self.rng.randrange(PLACES))
        played.deal_out(deck)

    def misdeal(self, played: PaiGowRound, place: int) -> None:
        """One place gets a card too many or too few."""
        index = self.rng.choice([number for number, other in enumerate(played.places) if other == place])
        if self.rng.random() < 0.5:
            played.places.insert(index, place)
        else:
            del played.places[index]

    def _stack(self, deck: list[int], played: PaiGowRound, for_envy: bool) -> None:
        """Deals a seat with a wager a premium hand; for an envy bonus, one that somebody else is entitled to."""
        rng = self.rng
        seats = sorted(played.wagers)
        if for_envy:
            entitled = [seat for seat in seats if played.fortune(seat) >= QUALIFYING_CENTS]
            seats = [seat for seat in seats if any(other != seat for other in entitled)]
        if not seats:
            return
        seat = rng.choice(seats)
        positions = [index for index, place in enumerate(played.places) if place == seat]
        for position, card in zip(positions, premium_cards(rng, self.options.royal_match), strict=False):
            other = deck.index(card)
            deck[position], deck[other] = card, deck[position]

    # --- setting -----------------------------------------------------------------------------------------------------

    def _surrender(self, played: PaiGowRound, injection: Injection) -> None:
        """Some players give up before the dealer's hand is shown (MA-PGP §9(e)); not where a fault needs them."""
        if injection.kind is not None:
            return
        seats = [seat for seat in sorted(played.wagers) if self.rng.random() < 0.015]
        if self.options.surrendered_bonus == "forfeited":
            # A hand given up with the only qualifying wager: whether the others' hands are still rearranged and kept
            # for nobody's envy, no text says. It does not come up here.
            seats = [
                seat
                for seat in seats
                if not played.fortune(seat)
                or any(played.fortune(other) >= QUALIFYING_CENTS for other in played.wagers if other not in seats)
            ]
        self.rng.shuffle(seats)
        played.surrendered = seats

    def live_fortune(self, played: PaiGowRound, seat: int) -> int:
        """The Fortune wager a seat still has: forfeited, where so filed, with a surrendered hand (R-5(3))."""
        if seat in played.surrendered and self.options.surrendered_bonus == "forfeited":
            return 0
        return played.fortune(seat)

    def exposed_seats(self, played: PaiGowRound) -> list[int]:
        """Seats whose cards are looked at: all with a wager but surrendered ones with no live wager left."""
        return [
            seat for seat in sorted(played.wagers) if seat not in played.surrendered or self.live_fortune(played, seat)
        ]

    def _set_hands(self, played: PaiGowRound) -> None:
        wheel = self.options.wheel
        played.settings[DEALER] = house_way(played.hands[DEALER], wheel)
        for seat in self.exposed_seats(played):
            chance = self.rng.random()
            hand = played.hands[seat]
            if chance < 0.80:
                played.settings[seat] = house_way(hand, wheel)
            else:
                played.settings[seat] = self._own_way(hand, foul=chance > 0.997)

    def _own_way(self, hand: list[int], foul: bool) -> Setting:
        """A player's own idea: any split that is not foul, or, by mistake, one that is."""
        for _ in range(40):
            shuffled = self.rng.sample(hand, HAND)
            low, high = shuffled[:2], sorted(shuffled[2:], key=rank_of, reverse=True)
            if is_foul(two_key(low), five_key(high, self.options.wheel)) == foul:
                return low, high
        return house_way(hand, self.options.wheel)

    # --- settlement --------------------------------------------------------------------------------------------------

    def outcome(self, setting: Setting, dealer: Setting, overlook_foul: bool = False) -> str:
        """Both hands better wins, neither better loses, anything else is a push; copies are the dealer's (§9(g))."""
        wheel = self.options.wheel
        low, high = two_key(setting[0]), five_key(setting[1], wheel)
        if is_foul(low, high) and not overlook_foul:
            return "lose"
        better = (low > two_key(dealer[0])) + (high > five_key(dealer[1], wheel))
        return ("lose", "push", "win")[better]

    def _settle(self, played: PaiGowRound) -> None:
        options = self.options
        exposed = self.exposed_seats(played)
        entitled = [seat for seat in sorted(played.wagers) if self.live_fortune(played, seat) >= QUALIFYING_CENTS]
        for seat in exposed:
            if entitled or played.fortune(seat):
                played.classes[seat] = self.class_of(played.hands[seat])
        for seat in sorted(played.wagers):
            stake = played.wagers[seat]["pai_gow"]
            if seat in played.surrendered:
                played.settlements.append(
                    Settlement(seat, "pai_gow", stake, "surrender", taken_cents=stake, at_surrender=True)
                )
            else:
                overlooked = seat in played.fouls_overlooked
                outcome = self.outcome(played.settings[seat], played.settings[DEALER], overlooked)
                settlement = Settlement(seat, "pai_gow", stake, outcome)
                if outcome == "win":
                    settlement.paid_cents = stake
                    settlement.vigorish_cents = vigorish_cents(stake, options.vigorish_rounding)
                elif outcome == "lose":
                    settlement.taken_cents = stake
                played.settlements.append(settlement)
            if played.fortune(seat):
                played.settlements.append(self._settle_fortune(played, seat))
        if entitled:
            premium = {seat: name for seat, name in played.classes.items() if name in PREMIUM}
            played.staying = sorted(premium)
            envy_cents = ENVY_CENTS[options.fortune_paytable]
            played.envies = [
                Envy(seat, for_seat, envy_cents[premium[for_seat]])
                for seat in entitled
                for for_seat in played.staying
                if for_seat != seat
            ]

    def _settle_fortune(self, played: PaiGowRound, seat: int) -> Settlement:
        stake = played.fortune(seat)
        if not self.live_fortune(played, seat):
            return Settlement(seat, "fortune", stake, "lose", taken_cents=stake, at_surrender=True)
        odds = FORTUNE_ODDS[self.options.fortune_paytable].get(played.classes[seat] or "")
        if odds is None:
            return Settlement(seat, "fortune", stake, "lose", taken_cents=stake)
        if odds == 0:
            return Settlement(seat, "fortune", stake, "push")
        pays = odds * stake
        if self.options.maximum_payout_cents:
            pays = min(pays, self.options.maximum_payout_cents)
        return Settlement(seat, "fortune", stake, "win", paid_cents=pays)

    def class_of(self, hand: list[int]) -> str | None:
        """The Fortune class of a hand as this table filed it."""
        return fortune_class(hand, self.options.royal_match)

    def rearranged(self, played: PaiGowRound, seat: int) -> bool:
        """Any qualifying wager has all hands rearranged, a smaller Fortune wager its own (R-51, MA-PGP §15(d)(2))."""
        if self.live_fortune(played, seat):
            return True
        return any(self.live_fortune(played, other) >= QUALIFYING_CENTS for other in played.wagers)
