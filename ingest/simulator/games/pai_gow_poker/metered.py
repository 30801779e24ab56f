"""Progressive wagers at a table of Massachusetts pai gow poker: their meters, who is paid from them, whose cards stay.

MA-PGP §9(e), (l), §14, §14.A, §16(e), §19(g), (h); R-5(5), R-25, R-46.
"""

from __future__ import annotations

from functools import partial

from ingest.simulator.faults.injection import Injection
from ingest.simulator.games.pai_gow_poker.filed import PaiGowOptions
from ingest.simulator.games.pai_gow_poker.progressive import (
    LEAST_SEED_CENTS,
    PRINTED_RATE,
    WAGER_CENTS,
    comes_off,
    pays,
    row_of,
)
from ingest.simulator.games.pai_gow_poker.rich_hands import (
    deal_rich_hands,
    deal_what_meters_need,
    seats_needed,
)
from ingest.simulator.games.pai_gow_poker.several import SeveralWagersTable
from ingest.simulator.meters import Meter, MeterPayout, plan_shares
from ingest.simulator.played import Bet, SplitPlayed
from ingest.simulator.side_wagers import SideWager
from ingest.simulator.split_hands.metered import MeteredHands
from ingest.simulator.voice import LAYOUT, Say

_THREE = ("mega", "major", "minor")


def progressives_filed(options: PaiGowOptions) -> dict[str, str]:
    """The pay table of each progressive wager offered, by the wager."""
    filed = {"progressive": options.progressive_paytable}
    if options.fortune_progressive == "offered":
        filed["fortune_progressive"] = "14a"
    return {wager: table for wager, table in filed.items() if table != "none"}


def progressive_sides(options: PaiGowOptions) -> list[SideWager]:
    """Each is one amount; where the text prints none (§16(e)), the least filed."""
    sides = []
    for wager, table in progressives_filed(options).items():
        cents = WAGER_CENTS.get(table, options.progressive_minimum_cents)
        decide = partial(_decide, table=table)
        sides.append(SideWager(wager, cents, cents, decide, chips=(cents,), for_one=True, limits_filed=False))
    return sides


def _decide(played: SplitPlayed, bet: Bet, table: str) -> tuple[str, int]:
    row = row_of(table, played.hands[bet.seat])
    return ("lose", 0) if row is None else ("win", pays(table, row, bet.cents))


class MeteredTable(MeteredHands, SeveralWagersTable):
    """A table with progressive wagers, or without. A share of a meter is not paid from the table inventory
    (§9(l)(4)(ii)d)."""

    progressives: dict[str, str]

    def share_meters(self, meters: dict[str, Meter]) -> None:
        super().share_meters(meters)
        options = self.options
        self.progressives, self.meters = progressives_filed(options), {}
        for wager, table in self.progressives.items():
            linked = options.progressive_linked if wager == "progressive" else options.fortune_progressive_linked
            self.speaks_in_turn = self.speaks_in_turn or linked
            own = {of: _meter_filed(options, table, of) for of in (_THREE if table == "14a" else ("",))}
            self.meters[wager] = {
                of: meters.setdefault(meter.name, meter) if linked else meter for of, meter in own.items()
            }

    # --- a round ------------------------------------------------------------------------------------------------------

    def may_surrender(self, played: SplitPlayed, seats: list[int]) -> list[int]:
        """Not who has placed a progressive wager (§9(e))."""
        free = [seat for seat in seats if not any(played.cents(seat, wager) for wager in self.progressives)]
        return super().may_surrender(played, free)

    def take_wagers(self, played: SplitPlayed, injection: Injection) -> None:
        super().take_wagers(played, injection)
        if injection.wanted and injection.kind is not None and "progressive" in self.meters:
            self._place_what_meters_need(played, injection.kind)

    def _place_what_meters_need(self, played: SplitPlayed, kind: str) -> None:
        options, needed = self.options, seats_needed(kind)
        banks = played.bank.seat if played.bank else 0
        for seat in self.seats:
            if seat == banks or sum(bool(played.cents(other, "progressive")) for other in self.seats) >= needed:
                continue
            if not played.cents(seat, self.base):
                self.put(played, Bet(seat, self.base, options.table_minimum_cents))
            if not played.cents(seat, "progressive"):
                self.put(played, Bet(seat, "progressive", self.sides["progressive"].least_cents))
        if kind == "progressive_beyond_limit" and "emperors" in self.sides:  # $25 × 2000 is $50,000
            seat = next(seat for seat in self.seats if played.cents(seat, "progressive"))
            played.bets = [bet for bet in played.bets if bet.key != (seat, "", "emperors")]
            self.put(played, Bet(seat, "emperors", 2_500))

    def put(self, played: SplitPlayed, bet: Bet) -> None:
        """A wager that is neither changed nor taken back."""
        played.wager_says.append(Say("wager.placed", bet.where() | {"amount_cents": bet.cents}, LAYOUT))
        played.bets.append(bet)

    def before_dealing(self, played: SplitPlayed, deck: list[int], injection: Injection) -> None:
        super().before_dealing(played, deck, injection)
        if injection.wanted and injection.kind is not None and "progressive" in self.meters:
            seats = [seat for seat in played.seats if played.cents(seat, "progressive")]
            of_section_14 = self.progressives["progressive"].startswith("14_")
            deal_what_meters_need(injection.kind, of_section_14, self, played, deck, seats)
        lucky = self.meters and self.plan.lucky_rate and self.rng.random() < self.plan.lucky_rate
        if lucky and not injection.wanted:
            seats = [seat for seat in played.seats if any(played.cents(seat, wager) for wager in self.meters)]
            deal_rich_hands(self, played, deck, seats)

    def settle(self, played: SplitPlayed) -> None:
        super().settle(played)
        for each in played.settled:
            table = self.progressives.get(each.bet.wager)
            row = row_of(table, played.hands[each.bet.seat]) if table and each.outcome == "win" else None
            if table and row is not None:
                meters = self.meters[each.bet.wager]
                meter = meters.get(row.of)
                if meter is not None:
                    off = comes_off(table, row)
                    played.meters.payouts.append(MeterPayout(each, meter, row.percent, off))
        plan_shares(played.meters.payouts, played.meters.contributions)
        stay = {one.settled.bet.seat for one in played.meters.payouts if one.comes_off}
        played.staying = sorted({*played.staying, *stay})


def _meter_filed(options: PaiGowOptions, table: str, of: str) -> Meter:
    filed = options.meter_filed(of)
    seed = filed.seed_cents or LEAST_SEED_CENTS[table]
    return Meter(filed.name, filed.rate or PRINTED_RATE[table], seed)
