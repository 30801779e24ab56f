"""Seven cards set in two and a Fortune wager with envy bonuses: what Massachusetts and California have in common."""

from __future__ import annotations

from ingest.simulator.faults.injection import Injection
from ingest.simulator.house_way import house_way
from ingest.simulator.paytables import QUALIFYING_CENTS
from ingest.simulator.played import Setting, SplitPlayed
from ingest.simulator.poker import PREMIUM, five_key, fortune_class, is_foul, two_key
from ingest.simulator.split_hands.premium_cards import premium_cards
from ingest.simulator.split_hands.table import SplitHandsTable

ENVY_FAULTS = ("envy_missed", "envy_wrong", "envy_not_due")


class SevenCardTable(SplitHandsTable):
    """A table of a game with seven cards, one joker, and a Fortune wager."""

    hand_size, jokers = 7, 1
    premium = PREMIUM
    envy_side = "fortune"
    """The side wager that brings envy bonuses."""
    wheel: str
    royal_match: str

    # --- hands -------------------------------------------------------------------------------------------------------

    def house_way(self, hand: list[int]) -> Setting:
        return house_way(hand, self.wheel)

    def keys(self, setting: Setting) -> tuple[object, object]:
        return two_key(setting[0]), five_key(setting[1], self.wheel)

    def is_foul(self, setting: Setting) -> bool:
        return is_foul(two_key(setting[0]), five_key(setting[1], self.wheel))

    def better_hands(self, setting: Setting, against: Setting) -> int:
        """Copies are the dealer's (MA-PGP §9(g), CA 4)."""
        wheel = self.wheel
        low_wins = two_key(setting[0]) > two_key(against[0])
        return low_wins + (five_key(setting[1], wheel) > five_key(against[1], wheel))

    def class_of(self, hand: list[int]) -> str | None:
        return fortune_class(hand, self.royal_match)

    # --- wagers and decks a fault needs ------------------------------------------------------------------------------

    def wanted_wagers(self, played: SplitPlayed, injection: Injection) -> None:
        if injection.wanted and injection.kind in ENVY_FAULTS:
            self.give_envy_a_chance(played)

    def give_envy_a_chance(self, played: SplitPlayed) -> None:
        """Somebody has to be entitled to an envy bonus, and somebody else at the table, for one to be got wrong."""
        for seat in self.seats:
            if len(played.seats) >= 2:
                break
            if seat not in played.seats:
                self.place(played, seat, self.base, self.filed.table_minimum_cents)
        if not self.entitled(played):
            without = [seat for seat in played.seats if not played.cents(seat, self.envy_side)]
            if without:
                self.place(played, without[0], self.envy_side, max(QUALIFYING_CENTS, self.limits(self.envy_side)[0]))

    def before_dealing(self, played: SplitPlayed, deck: list[int], injection: Injection) -> None:
        """Four of a kind is too rare to wait for where an envy bonus is to be got wrong: somebody is dealt a premium
        hand, and somebody else is entitled."""
        wanted = injection.wanted and injection.kind in ENVY_FAULTS
        if not wanted and not (self.plan.lucky_rate and self.rng.random() < self.plan.lucky_rate):
            return
        seats = self.stackable(played)
        if wanted:
            entitled = [seat for seat in seats if played.cents(seat, self.envy_side) >= QUALIFYING_CENTS]
            seats = [seat for seat in seats if any(other != seat for other in entitled)]
        if seats:
            self.give(deck, played, self.rng.choice(seats), premium_cards(self.rng, self.royal_match))

    def stackable(self, played: SplitPlayed) -> list[int]:
        """Seats whose hand may give an envy bonus."""
        return played.seats

    def entitled(self, played: SplitPlayed) -> list[int]:
        """Seats whose live wager qualifies for envy bonuses."""
        return [seat for seat in played.seats if self.live_envy_side(played, seat) >= QUALIFYING_CENTS]

    def live_envy_side(self, played: SplitPlayed, seat: int) -> int:
        return played.cents(seat, self.envy_side)

    def side_concerns_nobody(self, played: SplitPlayed, seat: int) -> bool:
        """Only where another wager qualifies and nobody holds a premium hand: whose hands are rearranged, or stay on
        the table, must not hang on whether a late wager counts."""
        others = any(played.cents(other, self.envy_side) >= QUALIFYING_CENTS for other in played.seats if other != seat)
        return others and not any(self.class_of(played.hands[other]) in PREMIUM for other in played.seats)
