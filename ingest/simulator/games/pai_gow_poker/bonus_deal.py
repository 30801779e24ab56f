"""A table that deals as MA-PGP §17 has it: three cards to whoever bet and to the dealer, and then four more.

The three-card bonus wager is settled in between. R-3, R-4, R-24."""

from __future__ import annotations

from ingest.simulator.faults.injection import Injection
from ingest.simulator.games.pai_gow_poker.bonus_odds import FIRST, MORE, THREE, first_cards
from ingest.simulator.games.pai_gow_poker.filed import PaiGowOptions
from ingest.simulator.options import BONUS_DEALINGS
from ingest.simulator.played import SplitPlayed
from ingest.simulator.reports import discard, names, settlement_and_vigorish
from ingest.simulator.split_hands.table import SplitHandsTable
from ingest.simulator.stub_count import StubCount
from ingest.simulator.voice import CAMERA, Say

DEALER = 0


class BonusDealTable(SplitHandsTable):
    """What is otherwise at such a table; at others everything is as it was."""

    options: PaiGowOptions
    deals_to_bettors = False
    cut_short: int | None = None
    """A seat that was not dealt its four more cards."""
    wants_uncalled: int | None = None
    """A place without a wager that is dealt a hand all the same."""

    def set_up_bonus_deal(self) -> None:
        """Once the options are known."""
        self.deals_to_bettors = self.options.dealing in BONUS_DEALINGS
        counted = self.options.stub_counted_by_shuffler or not self.deals_to_bettors
        self.shuffler_counts = counted
        self.stub_count = StubCount(by_shuffler=counted)
        if self.deals_to_bettors:
            self.later_rounds_rest_on = (*self.later_rounds_rest_on, "stub.counted")

    # --- the deal ----------------------------------------------------------------------------------------------------

    def dealt_in(self, played: SplitPlayed) -> list[int]:
        """From the dealer's left clockwise, and the dealer last; seats are numbered the other way round (R-1)."""
        bettors = {seat for seat in played.seats if played.cents(seat, self.base)}
        if played.bank is not None:
            bettors.add(played.bank.seat)
        if self.wants_uncalled is not None:
            bettors.add(self.wants_uncalled)
        return [*sorted(bettors, reverse=True), DEALER]

    def begins_at(self, played: SplitPlayed) -> int:
        return self.dealt_in(played)[0]

    def dealt_first(self, played: SplitPlayed) -> list[int]:
        return self.dealt_in(played)[1:]

    def places_dealt(self, played: SplitPlayed, dealing: str) -> list[int]:
        if dealing not in BONUS_DEALINGS:
            return super().places_dealt(played, dealing)
        places = self.dealt_in(played)
        at = places.index(played.start) if played.start in places else 0
        turns = places[at:] + places[:at]
        return [place for count in (FIRST, MORE) for place in turns for _ in range(count)]

    def other_way_round(self, played: SplitPlayed) -> tuple[str, list[int]]:
        if not self.deals_to_bettors:
            return super().other_way_round(played)
        places = self.dealt_in(played)
        turns = [places[0], *reversed(places[1:])]
        return "counterclockwise", [place for count in (FIRST, MORE) for place in turns for _ in range(count)]

    def misdeal(self, played: SplitPlayed, place: int) -> None:
        """Of the four more cards: by then the three-card bonus has been settled."""
        if not self.deals_to_bettors:
            return super().misdeal(played, place)
        half = len(played.places) * FIRST // (FIRST + MORE)
        index = self.rng.randrange(half, len(played.places))
        if self.rng.random() < 0.5:
            played.places.insert(index, played.places[index])
        else:
            del played.places[index]
        return None

    def report_cards(self, played: SplitPlayed, void: str | None) -> list[Say]:
        """The first cards, the wagers on them, and the other cards as far as the shoe deals them."""
        if not self.deals_to_bettors:
            return super().report_cards(played, void)
        says: list[Say] = []
        half = len(self.dealt_in(played)) * FIRST
        reads = self.fitted.shoe_reads and not played.boxed_aside
        if reads and self.dealt_as_filed(played):
            says.append(Say("cards.dealt", {"cards": names(played.dealt[:half])}, self.reader))
        says += self._report_three_card_bonus(played, void)
        if self.fitted.shoe_reads and not (reads and self.dealt_as_filed(played)):
            return super().report_cards(played, void) + says
        if reads and self.filed.dealing == "bonus_shoe":
            says.append(Say("cards.dealt", {"cards": names(played.dealt[half:])}, self.reader))
        return says

    def dealt_as_filed(self, played: SplitPlayed) -> bool:
        return len(played.places) <= (FIRST + MORE) * len(self.dealt_in(played)) + 1

    def _report_three_card_bonus(self, played: SplitPlayed, void: str | None) -> list[Say]:
        """Losing ones are collected and then winning ones paid; winners lay their cards face up (§17(f))."""
        settled = [each for each in played.settled if each.bet.wager == THREE]
        if void is not None:
            settled = [self.settled_side(played, bet) for bet in played.bets if bet.wager == THREE]
        says = []
        if self.fitted.camera:
            won = [each.bet.seat for each in settled if self.sides[THREE].decide(played, each.bet)[0] == "win"]
            for seat in sorted(set(won)):
                says.append(Say("hand.shown", {"place": seat, "cards": names(first_cards(played, seat))}, CAMERA))
        in_turn = sorted(settled, key=lambda each: each.outcome == "win")
        return says + [say for each in in_turn for say in settlement_and_vigorish(each)]

    def deal_short(self, played: SplitPlayed, seat: int) -> None:
        """A seat is not dealt its four more cards, and its wagers are given back."""
        half = len(self.dealt_in(played)) * FIRST
        deck = played.dealt + played.stub
        played.places = [*played.places[:half], *(place for place in played.places[half:] if place != seat)]
        played.deal_out(deck, self.places)
        played.stub_counted, self.cut_short = True, seat
        played.late_says.append(discard(played.hands[seat]))

    # --- play and settlement -----------------------------------------------------------------------------------------

    def exposed_seats(self, played: SplitPlayed) -> list[int]:
        return [seat for seat in super().exposed_seats(played) if seat != self.cut_short]

    # --- the stub ----------------------------------------------------------------------------------------------------

    def set_up(self, played: SplitPlayed, injection: Injection) -> None:
        self.cut_short = self.wants_uncalled = None
        if not self.shuffler_counts:
            played.stub_counted = self.stub_count.made(self.rng)
        super().set_up(played, injection)

    def stub_is_due(self) -> bool:
        return not self.shuffler_counts and self.stub_count.is_due

    def round_over(self, played: SplitPlayed, void: str | None, injection: Injection) -> None:
        super().round_over(played, void, injection)
        missed = injection.label is not None and injection.label.code.startswith("CARD-")
        self.stub_count.round_over(played.stub_counted, missed, len(self.decks))
