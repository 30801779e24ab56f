"""FLT-SPG's Supreme Pai Gow at a simulated table: ante, fold or raise, and how hands are dealt, set and paid.

Rules of Play 1 to 9, Appendices A to G, R-12, R-13, R-22, R-34, R-36, R-49.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from ingest.simulator.faults.injection import Injection
from ingest.simulator.faults.queue import FaultQueue
from ingest.simulator.faults.subjects import Subject
from ingest.simulator.games.flt_supreme_pai_gow.filed import FltOptions, usual
from ingest.simulator.games.flt_supreme_pai_gow.odds import ENVIES_CENTS, ROYALTY_ODDS, Share
from ingest.simulator.games.flt_supreme_pai_gow.reports import report
from ingest.simulator.games.flt_supreme_pai_gow.sides import (
    DEALER,
    ON_SEVEN_CARDS,
    SEVEN,
    best,
    progressive_row,
    sides_filed,
)
from ingest.simulator.games.flt_supreme_pai_gow.stacked import (
    deal_luck_with_meters,
    deal_what_it_needs,
    place_what_it_needs,
)
from ingest.simulator.house_way import house_way
from ingest.simulator.labels import Hands, Labels
from ingest.simulator.meters import Meter, MeterPayout, plan_shares
from ingest.simulator.paytables import QUALIFYING_CENTS
from ingest.simulator.plan import Plan, TablePlan
from ingest.simulator.played import Bet, Envy, Setting, Settled, SplitPlayed
from ingest.simulator.poker import JOKER, PREMIUM, five_key, fortune_class, rank_of, two_key
from ingest.simulator.registry import register
from ingest.simulator.split_hands.metered import MeteredHands
from ingest.simulator.voice import LAYOUT, Say

ROYALTY = "ante_royalty"
MOST_TIMES = 4


class FltTable(MeteredHands):
    """A table with ante and raise, and with progressive wagers or without."""

    pack = "flt/supreme_pai_gow"
    base = "ante"
    envy_side = "emperors"
    wheel, royal_match = "second_highest", "ace_king_natural"
    surrender_allowed = False
    irregular = ()
    controller_says = ("bets.closed", "player.acted", "wager.settled", "envy.paid")

    def __init__(self, plan: Plan, table: TablePlan, queue: FaultQueue, labels: Labels) -> None:
        options = self.options = table.filed_as(FltOptions)
        self.envy_cents = ENVIES_CENTS.get(options.emperors_paytable, {})
        self.royalty_odds = ROYALTY_ODDS[options.ante_royalty_paytable]
        self.wanted: dict[int, list[int]] = {}
        """Cards a place is to be dealt, where the deck is stacked."""
        super().__init__(plan, table, queue, labels, options, sides_filed(options))
        self.device_shuffles = True

    def share_meters(self, meters: dict[str, Meter]) -> None:
        super().share_meters(meters)
        self.meters = {}
        for wager in self.options.progressives():
            rate, seed = (self.options.progressive(wager, what) for what in ("rate_bp", "seed_cents"))
            own = Meter(getattr(self.options, f"{wager}_meter"), rate, seed)
            linked = bool(getattr(self.options, f"{wager}_linked"))
            self.speaks_in_turn = self.speaks_in_turn or linked
            self.meters[wager] = {"": meters.setdefault(own.name, own) if linked else own}

    # --- wagers ------------------------------------------------------------------------------------------------------

    def wanted_wagers(self, played: SplitPlayed, injection: Injection) -> None:
        self.wanted = {}
        super().wanted_wagers(played, injection)
        place_what_it_needs(injection.kind if injection.wanted else None, self, played)

    def put(self, played: SplitPlayed, bet: Bet) -> None:
        """A wager that is neither changed nor taken back, in the place of one that is there."""
        said = "wager.changed" if played.find(*bet.key[::2]) else "wager.placed"
        played.wager_says.append(Say(said, bet.where() | {"amount_cents": bet.cents}, LAYOUT))
        played.bets = [other for other in played.bets if other.key != bet.key]
        played.bets.append(bet)

    def live_side(self, played: SplitPlayed, seat: int) -> int:
        """What a seat has on seven cards of its own."""
        return sum(played.cents(seat, wager) for wager in ON_SEVEN_CARDS)

    def bet_late(self, injection: Injection, played: SplitPlayed) -> None:
        """An optional wager of somebody who has raised is made, taken back or doubled after the cards are out: the
        hand has seven cards whatever becomes of it."""
        raised = [seat for seat in played.seats if seat not in played.folded]
        names = [name for name, side in self.sides.items() if side.offered and not side.for_one]
        if not raised or not names:
            return
        seat, name = self.rng.choice(raised), self.rng.choice(names)
        if name == self.envy_side and not self.side_concerns_nobody(played, seat):
            return
        bet, (least, most) = played.find(seat, name), self.limits(name)
        if bet is None:
            late = Bet(seat, name, max(least, QUALIFYING_CENTS))
            said = Say("wager.placed", late.where() | {"amount_cents": late.cents}, LAYOUT)
            played.bets.append(late)
        elif self.rng.random() < 0.5 or 2 * bet.cents > most:
            said = Say("wager.withdrawn", bet.where(), LAYOUT)
            played.bets.remove(bet)
        else:
            late = replace(bet, cents=2 * bet.cents)
            said = Say("wager.changed", bet.where() | {"amount_cents": late.cents}, LAYOUT)
            played.bets[played.bets.index(bet)] = late
        played.late_says.append(said)
        injection.done(f"{said.type} after the close", seat, name)

    # --- deal --------------------------------------------------------------------------------------------------------

    def determine_start(self, played: SplitPlayed) -> None:
        played.start = self.seats[-1]  # from the dealer's left, clockwise, the dealer last

    def give(self, deck: list[int], played: SplitPlayed, seat: int, cards: Sequence[int]) -> None:
        self.wanted[seat] = list(cards)

    def before_dealing(self, played: SplitPlayed, deck: list[int], injection: Injection) -> None:
        super().before_dealing(played, deck, injection)
        deal_what_it_needs(injection.kind if injection.wanted else None, self, played)
        if self.meters and self.plan.lucky_rate and not injection.wanted and self.rng.random() < self.plan.lucky_rate:
            deal_luck_with_meters(self, played)

    def shuffle_and_deal(self, played: SplitPlayed, injection: Injection, misdeal: bool) -> None:
        deck = list(range(self.deck_size))
        self.rng.shuffle(deck)
        played.stub_counted = self.rng.random() < 0.2
        played.hands = {place: [] for place in self.places}
        self.before_dealing(played, deck, injection)
        kept = [card for cards in self.wanted.values() for card in cards]
        deck = [card for card in deck if card not in kept]
        for place in (*reversed(played.seats), DEALER):
            self._deal(played, deck, place, SEVEN + 1 if place == DEALER else 4)
        for seat in reversed(played.seats):
            self._decide(played, seat)
        for seat in reversed(played.seats):
            going_on = played.find(seat, "raise") or self.live_side(played, seat)
            if going_on and seat != played.left_with_four:
                self._deal(played, deck, seat, 3)
        played.stub = deck + [card for cards in self.wanted.values() for card in cards]

    def _deal(self, played: SplitPlayed, deck: list[int], place: int, count: int) -> None:
        wanted = self.wanted.get(place, [])
        for _ in range(count):
            card = wanted.pop() if wanted else deck.pop()
            played.hands[place].append(card)
            played.places.append(place)
            played.dealt.append(card)

    def _decide(self, played: SplitPlayed, seat: int) -> None:
        """Fold, or raise one to four times the ante: more with an ace, a joker or a pair."""
        hand, ante = played.hands[seat], played.cents(seat, self.base)
        ranks = [rank_of(card) for card in hand]
        good = max(ranks) == rank_of(JOKER) or len(set(ranks)) < 4
        if self.rng.random() < 0.08:
            played.unsaid.append(seat)
        folds = self.rng.random() < (0.04 if good else 0.45) and seat not in self.wanted
        if folds or seat == played.left_with_four:
            played.folded.append(seat)
            return
        times = self.rng.choice((1, 2, 3, 4, 4) if good else (1, 1, 2))
        cents = times * ante
        if self.options.raise_multiples == "any" and self.rng.random() < 0.5:
            cents = self.rng.randrange(ante, MOST_TIMES * ante + 1, 25)
        played.bets.append(Bet(seat, "raise", cents))

    def other_way_round(self, played: SplitPlayed) -> tuple[str, list[int]]:
        """Both deals from the dealer's right, the dealer last."""
        cards = {place: played.places.count(place) for place in played.seats}
        first = [place for place in played.seats for _ in range(4)]
        rest = [place for place, count in cards.items() for _ in range(count - 4)]
        return "counterclockwise", [*first, *[DEALER] * (SEVEN + 1), *rest]

    # --- setting -----------------------------------------------------------------------------------------------------

    def house_way(self, hand: list[int]) -> Setting:
        if len(hand) == SEVEN:
            return super().house_way(hand)
        ways = [(house_way([card for card in hand if card != out], self.wheel), out) for out in hand]
        return max(ways, key=lambda way: (*self.keys(way[0]), -rank_of(way[1]), way[1] != JOKER))[0]

    def settings_of(self, hand: list[int]) -> Iterator[Setting]:
        if len(hand) == SEVEN:
            yield from super().settings_of(hand)
            return
        for out in hand:
            yield from super().settings_of([card for card in hand if card != out])

    def set_by_house(self, played: SplitPlayed) -> list[int]:
        """Only where somebody plays against the dealer's hand, or has bet on the card left over."""
        eighth = any(bet.wager.startswith("eighth_") for bet in played.bets)
        return [DEALER] if eighth or len(played.folded) < len(played.seats) else []

    def exposed_seats(self, played: SplitPlayed) -> list[int]:
        return [seat for seat in played.seats if seat not in played.folded]

    def class_of(self, hand: list[int]) -> str | None:
        return fortune_class(hand, self.royal_match) if len(hand) == SEVEN else None

    def better_hands(self, setting: Setting, against: Setting) -> int:
        """A tie is not beaten (Rules of Play 7)."""
        low = two_key(setting[0]) > two_key(against[0])
        return low + (five_key(setting[1], self.wheel) > five_key(against[1], self.wheel))

    # --- settlement --------------------------------------------------------------------------------------------------

    def settle(self, played: SplitPlayed) -> None:
        for seat in played.seats:
            own = played.at(seat)
            on_hands = [bet for bet in own if bet.wager in (self.base, "raise")]
            played.settled += [self.settled(played, bet) for bet in on_hands]
            odds = None if seat in played.folded else best(self.royalty_odds, played.hands[seat])
            if odds:
                royalty = Bet(seat, ROYALTY, played.cents(seat, self.base))
                played.settled.append(Settled(royalty, "win", paid_cents=odds * royalty.cents))
            played.settled += [self.settled(played, bet) for bet in own if bet not in on_hands]
        for name in (ROYALTY, "insurance", "emperors", "seven_card_bonus", "eighth_card"):
            self._keep_to_the_aggregate(played, name)
        self._settle_envy(played)
        self._settle_meters(played)

    def settled(self, played: SplitPlayed, bet: Bet) -> Settled:
        if bet.wager not in (self.base, "raise"):
            return self.settled_side(played, bet)
        if bet.seat in played.folded:
            return Settled(bet, "lose", taken_cents=bet.cents)
        against = played.settings[DEALER]
        outcome = self.outcome(played.settings[bet.seat], against, bet.seat in played.fouls_overlooked)
        if bet.wager == self.base and outcome == "push":  # one hand beats the dealer's: "the Ante wager wins"
            outcome = "win"
        paid, taken = bet.cents if outcome == "win" else 0, bet.cents if outcome == "lose" else 0
        return Settled(bet, outcome, paid_cents=paid, taken_cents=taken)

    def under_one_aggregate(self, played: SplitPlayed, name: str) -> list[list[Settled]]:
        """The wins that a maximum aggregate is posted for, together: of the round, or of each hand."""
        order = [side for side in self.sides if side.startswith("eighth_")] if name == "eighth_card" else [name]
        won = [each for each in played.settled if each.outcome == "win" and each.bet.wager in order]
        won.sort(key=lambda each: (each.bet.seat, order.index(each.bet.wager)))
        if self.options.aggregate(name)[1] == "round":
            return [won]
        return [[each for each in won if each.bet.seat == seat] for seat in played.seats]

    def _keep_to_the_aggregate(self, played: SplitPlayed, name: str) -> None:
        most = self.options.aggregate(name)[0]
        for won in self.under_one_aggregate(played, name) if most else ():
            due = sum(each.paid_cents for each in won)
            if due > most:
                for each in won:
                    each.paid_cents = each.paid_cents * most // due
                won[0].paid_cents += most - sum(each.paid_cents for each in won)

    def _settle_envy(self, played: SplitPlayed) -> None:
        entitled = self.entitled(played) if self.envy_cents else []
        premium = [seat for seat in played.seats if self.class_of(played.hands[seat]) in PREMIUM]
        played.staying = [seat for seat in premium if any(other != seat for other in entitled)]
        for seat in entitled:
            for other in played.staying:
                if other != seat:
                    name = self.class_of(played.hands[other]) or ""
                    played.envies.append(Envy(seat, other, self.envy_cents[name], wager=self.envy_side))

    def _settle_meters(self, played: SplitPlayed) -> None:
        """Each in its turn from what the one before left (R-25). Only shares come off a meter; a hand that wins one
        stays until that is documented (R-5)."""
        for each in played.settled:
            if each.bet.wager in self.meters and each.outcome == "win":
                table = self.options.progressives()[each.bet.wager]
                row = progressive_row(each.bet.wager, table, played.hands[each.bet.seat])
                share = int(row) if isinstance(row, Share) else 0
                payout = MeterPayout(each, self.meters[each.bet.wager][""], share, comes_off=share > 0)
                played.meters.payouts.append(payout)
        plan_shares(played.meters.payouts, played.meters.contributions)
        paid_off = {one.settled.bet.seat for one in played.meters.payouts if one.comes_off}
        played.staying = sorted({*played.staying, *paid_off})

    # --- what is reported --------------------------------------------------------------------------------------------

    def reported(self, played: SplitPlayed, deck: str, void: str | None) -> list[Say]:
        return report(self, played, deck)

    def hands_played(self) -> Hands:
        hands = super().hands_played()
        return {place: [*cards, *(card for card in self._played.hands[place] if card not in cards)]
                for place, cards in hands.items() if cards}  # fmt: skip


register(
    FltTable,
    FltOptions,
    usual,
    prefix="FS",
    faults=(Subject.SPLIT_HANDS, Subject.ENVY, Subject.ANTE_RAISE, Subject.METERS),
)
