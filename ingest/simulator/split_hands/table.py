"""A table where every place gets a hand and sets it in two, from the wagers to the discard rack.

A round is worked out first (`SplitPlayed`: wagers, deal, settings, settlements) and reported afterwards, so that a
fault can be put in where it belongs and everything that follows from it follows. A game says which cards, rules and
money.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from types import MappingProxyType

from ingest.simulator.betting import BettingTable
from ingest.simulator.card_table import Filed
from ingest.simulator.dealing import cards_to
from ingest.simulator.faults.catalogue import inject
from ingest.simulator.faults.injection import Injection, Stage
from ingest.simulator.faults.queue import FaultQueue
from ingest.simulator.house_way import splits
from ingest.simulator.labels import Hands, Labels
from ingest.simulator.plan import Plan, TablePlan
from ingest.simulator.played import Bet, Setting, Settled, SplitPlayed
from ingest.simulator.poker import rank_of
from ingest.simulator.reports import discard, envy_paid, read_rack
from ingest.simulator.side_wagers import SideWager
from ingest.simulator.split_hands.irregularities import handle, possible
from ingest.simulator.split_hands.reports import cards_read, laid_open, packet, report, report_seat
from ingest.simulator.vigorish import vigorish_cents
from ingest.simulator.voice import SHAKER, Say


class SplitHandsTable(BettingTable):
    """A table of a game with hands set in two."""

    places = range(7)
    seats: Sequence[int] = range(1, 7)
    hand_size: int
    vigorish_rounding = "exact"
    envy_cents: Mapping[str, int] = MappingProxyType({})
    premium: frozenset[str] = frozenset()
    """Hands that give an envy bonus."""

    def __init__(
        self,
        plan: Plan,
        table: TablePlan,
        queue: FaultQueue,
        labels: Labels,
        filed: Filed,
        sides: Sequence[SideWager] = (),
    ) -> None:
        super().__init__(plan, table, queue, labels, filed)
        self._played = SplitPlayed()
        self.sides = {side.name: side for side in sides}
        self.players = {seat: self.new_player() for seat in self.seats if self.rng.random() < 0.65}

    # --- what a game says --------------------------------------------------------------------------------------------

    @abstractmethod
    def house_way(self, hand: list[int]) -> Setting:
        """A hand as the house sets it."""

    @abstractmethod
    def is_foul(self, setting: Setting) -> bool: ...

    @abstractmethod
    def keys(self, setting: Setting) -> tuple[object, object]:
        """Low and high hand as values that are equal where the hands rank alike."""

    @abstractmethod
    def better_hands(self, setting: Setting, against: Setting) -> int:
        """How many of a player's two hands are higher than those played against."""

    @abstractmethod
    def class_of(self, hand: list[int]) -> str | None:
        """What the cards are for the wager on them."""

    def set_up(self, played: SplitPlayed, injection: Injection) -> None:
        """What comes before the wagers: who banks."""

    def after_wagers(self, played: SplitPlayed, injection: Injection) -> None:
        """What comes when the wagers stand: fees, and what a bank has to put up for them."""

    def after_shuffle(self, played: SplitPlayed, injection: Injection) -> None:
        """Who cuts the cards, where devices see whom the dealer asks."""

    def before_dealing(self, played: SplitPlayed, deck: list[int], injection: Injection) -> None:
        """Where a deck is stacked, so that a rare hand comes up."""

    irregular: tuple[str, ...] = ("misdeal", "exposed_card", "wrong_start")
    """What can go wrong and be handled right, of what `irregularities` knows."""

    sides_stand_when: frozenset[str] = frozenset()
    """Reasons to void all hands for which the side wagers are settled all the same."""

    settled_early: frozenset[str] = frozenset()
    """Side wagers that are settled when it is said where the deal begins, before any card, or amid the deal."""

    settled_amid_the_deal: frozenset[str] = frozenset()
    """Those of them that are settled when the first cards are dealt."""

    def classify(self, played: SplitPlayed) -> None:
        """Finds what the cards of the seats are for the wagers on them, where there are any."""

    def rearranged(self, played: SplitPlayed, seat: int) -> bool:
        """Whether the dealer lays a hand out anew for a wager on its cards, so that the rack does not show its
        setting (R-51)."""
        return False

    def set_by_house(self, played: SplitPlayed) -> list[int]:
        """The places whose hands the dealer sets."""
        return [self.against(played)]

    def live_side(self, played: SplitPlayed, seat: int) -> int:
        """What a seat still has on side wagers."""
        return sum(played.cents(seat, side) for side in self.sides)

    def waits(self, played: SplitPlayed, seat: int) -> bool:
        """Whether a hand that does not win stays on the table after it was compared, for a wager on its cards."""
        return bool(self.live_side(played, seat))

    def order_of_seats(self, played: SplitPlayed) -> list[int]:
        """The seats in the order in which they are settled."""
        return [seat for seat in self.seats if seat not in played.voided]

    # --- reporting it ------------------------------------------------------------------------------------------------

    shuffler_counts = True

    def one_against_one(self, played: SplitPlayed) -> bool:
        """Whether nobody else's money hangs on how a wager ends, as a bank's does."""
        return True

    def stub_is_due(self) -> bool:
        """Whether the stub has to be counted in this round, or has gone uncounted for too long."""
        return False

    def report_cards(self, played: SplitPlayed, void: str | None) -> list[Say]:
        """The cards dealt as far as a device reads them."""
        return cards_read(self, played)

    def begins_at(self, played: SplitPlayed) -> int:
        """Where a deal begins that begins at the dealer's left."""
        return self.start_button

    def dealt_first(self, played: SplitPlayed) -> list[int]:
        """Where else such a deal might begin."""
        return []

    def report_settlement(self, played: SplitPlayed) -> list[Say]:
        """From the hand that is played against being laid open to its being collected."""
        place = self.against(played)
        says = [laid_open(played, place)]
        for seat in self.order_of_seats(played):
            says += report_seat(self, played, seat) if seat != place else []
        says += [envy_paid(envy) for envy in played.envies]
        says += [discard(packet(self, played, seat)) for seat in played.staying]
        return [*says, discard([*played.settings[place][0], *played.settings[place][1]])]

    # --- a round -----------------------------------------------------------------------------------------------------

    def play(self, injection: Injection) -> list[Say]:
        self._rounds += 1
        deck = self.deck_in_play
        played = SplitPlayed()
        self.set_up(played, injection)
        self.take_wagers(played, injection)
        inject(Stage.WAGERS, injection, played, self)
        self.after_wagers(played, injection)
        self.after_shuffle(played, injection)
        inject(Stage.FEES, injection, played, self)
        self.determine_start(played)
        irregular = self._deck_kept(injection)
        irregularities = possible(self)
        if irregularities and injection.kind is None and self.rng.random() < 0.008:  # one thing a round
            irregular = self.rng.choice(irregularities)
        if irregular == "wrong_start":
            played.start = self.onward(played.start, self.rng.randrange(1, len(self.places)))
        inject(Stage.START, injection, played, self)
        self.shuffle_and_deal(played, injection, irregular == "misdeal")
        inject(Stage.DEALT, injection, played, self)
        void = handle(irregular, self, played) if irregular else None
        if self._keeps_deck:
            self.deck_incorrect = False
        if void is None:
            self.surrender(played, injection)
            self.set_hands(played)
            inject(Stage.SET, injection, played, self)
            inject(Stage.LATE, injection, played, self)
            self.settle(played)
            inject(Stage.SETTLED, injection, played, self)
        played.says = self.reported(played, deck, void)
        inject(Stage.RACK, injection, played, self)
        if self.filed.starting == "button":
            self.start_button = self.onward(self.start_button, -1)  # clockwise, after each round
        self._played = played if void is None else SplitPlayed()
        self.round_over(played, void, injection)
        return read_rack(self.fitted.rack, played.says)

    _keeps_deck = False

    def _deck_kept(self, injection: Injection) -> str | None:
        """Where that is the fault, the deck is found short in one round, and dealt again in the next."""
        kind = "deck_not_removed"
        if not (injection.wanted and injection.kind == kind):
            return None
        if self._keeps_deck and not self.new_decks:
            self._keeps_deck = False
            injection.done("the deck that was found short the round before is dealt again")
            return None
        self._keeps_deck = True
        self._queue.go_on_in_the_next_round(kind)
        return "stub_count"

    def reported(self, played: SplitPlayed, deck: str, void: str | None) -> list[Say]:
        """The round as its devices report it."""
        return report(self, played, deck, void)

    def round_over(self, played: SplitPlayed, void: str | None, injection: Injection) -> None:
        """What the table has to remember of a round."""
        self.new_decks = max(0, self.new_decks - 1)

    def hands_played(self) -> Hands:
        hands = {place: list(cards) for place, cards in self._played.hands.items()}
        return hands | {place: [*low, *high] for place, (low, high) in self._played.settings.items()}

    def onward(self, place: int, steps: int) -> int:
        """So many places on in the order of their numbers."""
        first = self.places[0]
        return (place - first + steps) % len(self.places) + first

    # --- start and deal ----------------------------------------------------------------------------------------------

    def start_place(self, played: SplitPlayed, count: int) -> int:
        """Counted in the order of the places' numbers, whoever is played against being number one (R-2)."""
        return self.onward(self.against(played), count - 1)

    def determine_start(self, played: SplitPlayed) -> None:
        rng = self.rng
        match self.filed.starting:
            case "dice":
                while rng.random() < 0.004:  # MA-PGP §11(a),(b), MA-SPG §16(a),(b): called off and shaken again
                    reason = rng.choice(("not_flat", "fell_out"))
                    played.no_rolls.append(Say("start.no_roll", {"reason": reason}, SHAKER))
                dice = [rng.randrange(1, 7) for _ in range(3)]
                played.thrown = {"method": "dice", "dice": dice}
                played.start = self.start_place(played, sum(dice))
            case "rng":
                number = rng.randrange(1, len(self.places) + 1)
                played.thrown = {"method": "rng", "number": number}
                played.start = self.start_place(played, number)
            case "left_of_dealer":
                played.start = self.begins_at(played)
            case _:
                played.thrown = {"method": "button"}
                played.start = self.start_button

    def clockwise(self, start: int) -> list[int]:
        """All places from one on; Massachusetts numbers them the other way round (R-1)."""
        return [self.onward(start, -step) for step in range(len(self.places))]

    def stacks(self, played: SplitPlayed) -> list[int]:
        """Where the stacks dealt from the hand go, left to right."""
        return self.clockwise(played.start)

    def places_dealt(self, played: SplitPlayed, dealing: str) -> list[int]:
        return cards_to(dealing, self.hand_size, self.clockwise(played.start), self.stacks(played))

    def shuffle_and_deal(self, played: SplitPlayed, injection: Injection, misdeal: bool) -> None:
        deck = list(range(self.deck_size))
        self.rng.shuffle(deck)
        played.places = self.places_dealt(played, self.filed.dealing)
        self.before_dealing(played, deck, injection)
        if misdeal:
            self.misdeal(played, self.rng.randrange(len(self.places)) + self.places[0])
        played.deal_out(deck, self.places)

    def other_way_round(self, played: SplitPlayed) -> tuple[str, list[int]]:
        """The wrong direction, and where the cards then go: mirrored at the starting position."""
        first = self.places[0]
        mirrored = [self.onward(first, 2 * (played.start - first) - (place - first)) for place in played.places]
        return "counterclockwise", mirrored

    def misdeal(self, played: SplitPlayed, place: int) -> None:
        """One place gets a card too many or too few."""
        index = self.rng.choice([number for number, other in enumerate(played.places) if other == place])
        if self.rng.random() < 0.5:
            played.places.insert(index, place)
        else:
            del played.places[index]

    def give(self, deck: list[int], played: SplitPlayed, seat: int, cards: Sequence[int]) -> None:
        """Moves cards in the deck so that a seat is dealt them."""
        positions = [index for index, place in enumerate(played.places) if place == seat]
        for position, card in zip(positions, cards, strict=False):
            other = deck.index(card)
            deck[position], deck[other] = card, deck[position]

    # --- setting -----------------------------------------------------------------------------------------------------

    surrender_allowed = True

    def surrender(self, played: SplitPlayed, injection: Injection) -> None:
        """Some players give up before the dealer's hand is shown; not where a fault needs them."""
        if injection.kind is not None or not self.surrender_allowed:
            return
        seats = [seat for seat in played.seats if seat not in played.voided and self.rng.random() < 0.015]
        seats = self.may_surrender(played, seats)
        self.rng.shuffle(seats)
        played.surrendered = seats

    def may_surrender(self, played: SplitPlayed, seats: list[int]) -> list[int]:
        return seats

    def exposed_seats(self, played: SplitPlayed) -> list[int]:
        """Seats whose cards are looked at: all with a wager but surrendered ones with no live wager left."""
        given_up = [seat for seat in played.surrendered if not self.live_side(played, seat)]
        return [seat for seat in played.seats if seat not in given_up and seat not in played.voided]

    def set_hands(self, played: SplitPlayed) -> None:
        self.set_opposing_hands(played)
        for seat in self.exposed_seats(played):
            chance = self.rng.random()
            hand = played.hands[seat]
            if chance < 0.80:
                played.settings[seat] = self.house_way(hand)
            else:
                played.settings[seat] = self.own_way(hand, foul=chance > 0.997)

    def set_opposing_hands(self, played: SplitPlayed) -> None:
        """The hand everybody plays against, and the dealer's own against a bank."""
        place = self.against(played)
        played.settings[place] = self.house_way(played.hands[place])

    def own_way(self, hand: list[int], foul: bool) -> Setting:
        """A player's own idea: any split that is not foul, or, by mistake, one that is."""
        for _ in range(40):
            shuffled = self.rng.sample(hand, self.hand_size)
            low, high = shuffled[:2], sorted(shuffled[2:], key=rank_of, reverse=True)
            if self.is_foul((low, high)) == foul:
                return low, high
        return self.house_way(hand)

    def settings_of(self, hand: list[int]) -> Iterator[Setting]:
        """Every way to set a hand."""
        return splits(hand)

    def outcome(self, setting: Setting, against: Setting, overlook_foul: bool = False) -> str:
        """Both hands better wins, neither better loses, anything else is a push; equal hands are the dealer's."""
        if self.is_foul(setting) and not overlook_foul:
            return "lose"
        return ("lose", "push", "win")[self.better_hands(setting, against)]

    # --- settlement --------------------------------------------------------------------------------------------------

    def settle(self, played: SplitPlayed) -> None:
        """Works out what every wager comes to."""
        self.classify(played)
        played.settled += [self.settled(played, bet) for seat in played.seats for bet in played.at(seat)]

    def settled(self, played: SplitPlayed, bet: Bet) -> Settled:
        """What becomes of one wager."""
        if bet.seat in played.voided:
            return Settled(bet, "void")
        return self.settled_base(played, bet) if bet.wager == self.base else self.settled_side(played, bet)

    def settled_side(self, played: SplitPlayed, bet: Bet) -> Settled:
        return self.sides[bet.wager].settled(played, bet)

    def worth(self, played: SplitPlayed, bet: Bet) -> tuple[str, int]:
        settled = self.settled(played, bet)
        return settled.outcome, settled.paid_cents + settled.taken_cents

    def settled_base(self, played: SplitPlayed, bet: Bet) -> Settled:
        """The wager on both hands: paid 1 to 1 less vigorish on a win, taken on a loss or a surrender."""
        seat = bet.seat
        if seat in played.surrendered:
            return Settled(bet, "surrender", taken_cents=bet.cents, at_surrender=True)
        against = played.settings[self.against(played)]
        settled = Settled(bet, self.outcome(played.settings[seat], against, seat in played.fouls_overlooked))
        if settled.outcome == "win":
            settled.paid_cents = bet.cents
            settled.vigorish_cents = vigorish_cents(bet.cents, self.vigorish_rounding)
        elif settled.outcome == "lose":
            settled.taken_cents = bet.cents
        return settled
