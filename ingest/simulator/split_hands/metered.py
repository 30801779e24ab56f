"""Progressive wagers at a table of hands set in two: the meters they feed, and what is said of these.

Which wagers those are, what they pay and which payouts come off a meter is the game's to say.
"""

from __future__ import annotations

from ingest.simulator.faults.injection import Injection
from ingest.simulator.meters import NOT_SET, Contribution, Meter, read, set_to
from ingest.simulator.played import SplitPlayed
from ingest.simulator.split_hands.seven_cards import SevenCardTable
from ingest.simulator.voice import PROGRESSIVE, Say

ROUNDS_A_READING = 12


class MeteredHands(SevenCardTable):
    """A table that may have progressive wagers."""

    meters: dict[str, dict[str, Meter]]
    """Those of each progressive wager offered, by what the pay table calls them."""

    @property
    def every_meter(self) -> list[Meter]:
        return [meter for meters in self.meters.values() for meter in meters.values()]

    # --- what is said of them between rounds --------------------------------------------------------------------------

    def devices(self) -> list[Say]:
        if not self.meters:
            return super().devices()
        sees = ["progressive.contributed", "progressive.paid", "meter.read", "meter.reset"]
        said = {"device": PROGRESSIVE, "model": "simulated", "sees": sees}
        return [*super().devices(), Say("device.online", said, PROGRESSIVE)]

    def opening(self) -> list[Say]:
        says = [
            set_to(meter, meter.seed_cents, "slot attendant") if meter.cents == NOT_SET else read(meter)
            for meter in self.every_meter
        ]
        for meter in self.every_meter:
            meter.cents = meter.seed_cents if meter.cents == NOT_SET else meter.cents
        return [*super().opening(), *says]

    def closing(self) -> list[Say]:
        return [*super().closing(), *map(read, self.every_meter)]

    def between_rounds(self) -> list[Say]:
        due = bool(self.meters) and self._rounds % ROUNDS_A_READING == 0
        return [*super().between_rounds(), *(map(read, self.every_meter) if due else ())]

    # --- a round ------------------------------------------------------------------------------------------------------

    def after_wagers(self, played: SplitPlayed, injection: Injection) -> None:
        super().after_wagers(played, injection)
        played.meters.contributions = [
            Contribution(bet, meter, meter.part_of(bet.cents))
            for bet in played.bets
            for meter in self.meters.get(bet.wager, {}).values()
        ]

    def not_from_the_tray(self, say: Say) -> int:
        """A share of a meter is not paid from the table inventory."""
        paid = (one for one in self._played.meters.payouts if one.said is say and one.percent and one.comes_off)
        return sum(one.settled.paid_cents for one in paid)
