"""Several side wagers on one hand: whose hands are laid out anew, who earns which envy bonus, the most that is paid."""

from __future__ import annotations

from ingest.simulator.games.pai_gow_poker.bonus_odds import SEVEN
from ingest.simulator.games.pai_gow_poker.classes import dynasty_class
from ingest.simulator.games.pai_gow_poker.filed import PaiGowOptions
from ingest.simulator.games.pai_gow_poker.sides import LAID_OUT_ANEW, LIMITED, ON_OWN_CARDS, QUALIFYING
from ingest.simulator.paytables import QUALIFYING_CENTS
from ingest.simulator.played import Bet, Envy, SplitPlayed
from ingest.simulator.poker import PREMIUM, fortune_class
from ingest.simulator.split_hands.seven_cards import SevenCardTable


class SeveralWagersTable(SevenCardTable):
    """A table with wagers beside or instead of Fortune."""

    options: PaiGowOptions
    envies: dict[str, dict[str, int]]
    """What envy bonuses each wager that earns any pays, by class of hand."""
    own_areas: list[tuple[int, int]]
    """Pairs of seats of one person, as far as a device has said so."""

    def may_surrender(self, played: SplitPlayed, seats: list[int]) -> list[int]:
        """A hand given up with the only qualifying wager, where that is forfeited: whether the others' hands are still
        rearranged and kept for nobody's envy, no text says. It does not come up here."""
        seats = [seat for seat in seats if not played.cents(seat, SEVEN)]  # §9(e)
        if self.options.surrendered_bonus != "forfeited":
            return seats
        return [
            seat
            for seat in seats
            if not any(played.cents(seat, wager) for wager in LAID_OUT_ANEW)
            or any(self.best_qualifying(played, other) for other in played.seats if other not in seats)
        ]

    def forfeits(self, played: SplitPlayed, seat: int) -> bool:
        """Side wagers are forfeited, where so filed, with a surrendered hand (R-5(3)); not by who may not surrender."""
        return (
            not played.cents(seat, SEVEN)
            and seat in played.surrendered
            and self.options.surrendered_bonus == "forfeited"
        )

    def live_side(self, played: SplitPlayed, seat: int) -> int:
        if self.forfeits(played, seat):
            return 0
        return sum(played.cents(seat, wager) for wager in ON_OWN_CARDS)

    def waits(self, played: SplitPlayed, seat: int) -> bool:
        """Every hand stays while an insurance wager or a bonus wager of at least $5 is at the table (§15(d)(1))."""
        keeps = any(bet.wager == "insurance" for bet in played.bets)
        return keeps or bool(self.live_side(played, seat) or self.entitled(played))

    def best_qualifying(self, played: SplitPlayed, seat: int) -> int:
        return max(cents if cents >= QUALIFYING_CENTS else 0 for cents in (played.cents(seat, w) for w in QUALIFYING))

    def live_envy_side(self, played: SplitPlayed, seat: int) -> int:
        return 0 if self.forfeits(played, seat) else self.best_qualifying(played, seat)

    def rearranged(self, played: SplitPlayed, seat: int) -> bool:
        """Any qualifying wager has all hands rearranged, a smaller one its own (R-51, MA-PGP §15(d)(2))."""
        own = not self.forfeits(played, seat) and any(played.cents(seat, wager) for wager in LAID_OUT_ANEW)
        return bool(own or self.entitled(played))

    def classify(self, played: SplitPlayed) -> None:
        entitled = self.entitled(played)
        for seat in self.exposed_seats(played):
            if entitled or played.cents(seat, "fortune"):
                played.classes[seat] = self.class_of(played.hands[seat])

    def settle(self, played: SplitPlayed) -> None:
        super().settle(played)
        self.limit(played)
        if self.entitled(played):
            played.staying = sorted(seat for seat, name in played.classes.items() if name in PREMIUM)
            played.envies = [envy for bet in played.bets for envy in self.envies_of(played, bet)]

    @property
    def limited_wagers(self) -> list[str]:
        """§16(j) is about (b) to (i): not about the progressive wagers of §14 and §19."""
        return [wager for wager in LIMITED if wager != "progressive" or self.options.progressive_paytable == "16e"]

    def limit(self, played: SplitPlayed) -> None:
        """The most that is paid on one hand, used up in the order of §9(l) (§16(j), R-46)."""
        most = self.options.maximum_payout_cents
        for seat in played.seats if most else []:
            left = most
            own = [each for each in played.settled if each.bet.seat == seat and each.bet.wager in self.limited_wagers]
            for each in sorted(own, key=lambda each: LIMITED.index(each.bet.wager)):
                each.paid_cents = min(each.paid_cents, left)
                left -= each.paid_cents

        self._limit_of_round(played)

    def _limit_of_round(self, played: SplitPlayed) -> None:
        """The most that one player is paid for seven-card bonus wagers in a round (§18(d), R-24, R-52)."""
        most = self.options.seven_card_bonus_maximum_payout_cents
        several = [seat for areas in self.own_areas for seat in areas]
        persons = [*self.own_areas, *((seat,) for seat in played.seats if seat not in several)]
        for areas in persons if most else []:
            left = most
            for each in [each for each in played.settled if each.bet.seat in areas and each.bet.wager == SEVEN]:
                each.paid_cents = min(each.paid_cents, left)
                left -= each.paid_cents

    def envies_of(self, played: SplitPlayed, bet: Bet) -> list[Envy]:
        """Each qualifying wager earns by its own column (§9(l)(1)(ii), (2)(ii), (6)(ii))."""
        if bet.wager not in self.envies or bet.cents < QUALIFYING_CENTS or self.forfeits(played, bet.seat):
            return []
        others = [seat for seat in played.staying if {seat, bet.seat} not in [{bet.seat}, *map(set, self.own_areas)]]
        return [Envy(bet.seat, seat, self.envy_of(bet.wager, played.hands[seat]), wager=bet.wager) for seat in others]

    def envy_of(self, wager: str, hand: list[int]) -> int:
        match wager:
            case "dynasty":
                name = dynasty_class(hand)
            case "emperors":
                name = fortune_class(hand, "ace_king_natural")
            case _:
                name = fortune_class(hand, self.royal_match)
        return self.envies[wager][name or ""]
