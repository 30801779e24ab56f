"""What a table of Massachusetts Pai Gow Poker may file."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

from ingest.simulator.options import BONUS_DEALINGS, Options, check_button, check_limits, check_side_limits, choice


class MeterFiled(NamedTuple):
    """0 where nothing was filed: what the text prints counts."""

    name: str
    rate: int
    seed_cents: int


@dataclass(frozen=True)
class PaiGowOptions(Options):
    """MA-PGP: the choices a licensee files."""

    dealing: str = choice("manual_shoe", "hand", "automated_shoe", *BONUS_DEALINGS)
    starting: str = choice("dice", "rng", "button", "left_of_dealer")
    wheel: str = choice("second_highest", "lowest")
    vigorish_rounding: str = choice("up_to_quarter", "exact")
    variant: str = choice("standard", "ez", "face_up")
    fortune_paytable: str = choice("A", "B", "C", "D", "none", *(f"face_up_{number}" for number in range(1, 7)))
    emperors_paytable: str = choice("none", "A", "B", "C", "D")
    insurance_paytable: str = choice("none", "A", "B", "C", "D", "E")
    queens_dragon: str = choice("none", "offered")
    dynasty: str = choice("none", "offered")
    protection: str = choice("none", "offered")
    red_black: str = choice("none", "offered")
    ace_high_paytable: str = choice("none", "1", "2", "3", "4", "5")
    ace_high: str = choice("optional", "mandatory")
    rng_wager: str = choice("none", "offered")
    rng_odds_hundredths: int = 550
    three_card_bonus: str = choice("none", "offered")
    seven_card_bonus_paytable: str = choice("none", "A", "B")
    seven_card_bonus_maximum_payout_cents: int = 0
    stub_counted_by_shuffler: bool = False
    progressive_paytable: str = choice("none", "14_1_dollar", "14_5_dollars", "16e", "face_up_1", "face_up_3")
    progressive_meter: str = "progressive"
    progressive_seed_cents: int = 0
    progressive_rate_bp: int = 0
    progressive_linked: bool = False
    progressive_minimum_cents: int = 100
    progressive_maximum_cents: int = 500
    fortune_progressive: str = choice("none", "offered")
    fortune_progressive_mega_meter: str = "mega"
    fortune_progressive_mega_seed_cents: int = 0
    fortune_progressive_mega_rate_bp: int = 0
    fortune_progressive_major_meter: str = "major"
    fortune_progressive_major_seed_cents: int = 0
    fortune_progressive_major_rate_bp: int = 0
    fortune_progressive_minor_meter: str = "minor"
    fortune_progressive_minor_seed_cents: int = 0
    fortune_progressive_minor_rate_bp: int = 0
    fortune_progressive_linked: bool = False
    banking: str = choice("none", "bank", "bank_and_co_bank")
    two_areas: bool = True
    royal_match: str = choice("king_queen", "ace_king_natural")
    surrendered_bonus: str = choice("settled", "forfeited")
    table_minimum_cents: int = 1_500
    table_maximum_cents: int = 100_000
    fortune_minimum_cents: int = 500
    fortune_maximum_cents: int = 20_000
    decks: int = choice(1, 2)
    maximum_payout_cents: int = 0

    def check(self) -> None:
        check_button(self.starting, self.dealing, "MA-PGP §8c(d)")
        check_limits(self.table_minimum_cents, self.table_maximum_cents)
        check_side_limits("fortune", self.fortune_minimum_cents, self.fortune_maximum_cents, "MA-PGP §15(b)")
        if self.banking != "none" and self.variant != "standard":
            raise ValueError(f"banking is {self.banking}: not at a table of variant {self.variant} (R-47)")
        if self.maximum_payout_cents and self.maximum_payout_cents < 5_000_000:
            raise ValueError(f"maximum_payout_cents is {self.maximum_payout_cents}: at least $50,000 (MA-PGP §16(j))")

        bonus = self.three_card_bonus != "none" or self.seven_card_bonus_paytable != "none"
        if bonus and self.fortune_paytable != "none":
            raise ValueError("no Fortune wager where a three-card or seven-card bonus wager is offered (MA-PGP §17(a))")
        if bonus != (self.dealing in BONUS_DEALINGS) or bonus != (self.starting == "left_of_dealer"):
            raise ValueError("the bonus wagers of MA-PGP §17, its deal and where that begins go together (§17(b), (d))")

    @property
    def counts_the_deck(self) -> bool:
        return self.dealing not in BONUS_DEALINGS or self.stub_counted_by_shuffler

    def meter_filed(self, of: str) -> MeterFiled:
        """One of the three of §14.A, or the one (no name) of the other sections."""
        match of:
            case "mega":
                named = self.fortune_progressive_mega_meter
                rate, seed = self.fortune_progressive_mega_rate_bp, self.fortune_progressive_mega_seed_cents
            case "major":
                named = self.fortune_progressive_major_meter
                rate, seed = self.fortune_progressive_major_rate_bp, self.fortune_progressive_major_seed_cents
            case "minor":
                named = self.fortune_progressive_minor_meter
                rate, seed = self.fortune_progressive_minor_rate_bp, self.fortune_progressive_minor_seed_cents
            case _:
                named = self.progressive_meter
                rate, seed = self.progressive_rate_bp, self.progressive_seed_cents
        return MeterFiled(named, rate, seed)

    def at_table(self, table_id: str) -> PaiGowOptions:
        """A meter that no other table feeds has a name of its own."""
        options = self
        if self.progressive_paytable != "none" and not self.progressive_linked:
            options = replace(options, progressive_meter=f"{self.progressive_meter} {table_id}")
        if self.fortune_progressive != "none" and not self.fortune_progressive_linked:
            options = replace(
                options,
                fortune_progressive_mega_meter=f"{self.fortune_progressive_mega_meter} {table_id}",
                fortune_progressive_major_meter=f"{self.fortune_progressive_major_meter} {table_id}",
                fortune_progressive_minor_meter=f"{self.fortune_progressive_minor_meter} {table_id}",
            )
        return options

    @property
    def pays_envy(self) -> bool:
        return self.fortune_paytable != "none" or self.emperors_paytable != "none" or self.dynasty != "none"

    @property
    def racks_show_settings(self) -> bool:
        return not self.pays_envy and self.insurance_paytable == "none"
