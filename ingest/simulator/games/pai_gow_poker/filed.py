"""What a table of Massachusetts Pai Gow Poker may file."""

from __future__ import annotations

from dataclasses import dataclass

from ingest.simulator.options import Options, check_button, check_limits, check_side_limits, choice


@dataclass(frozen=True)
class PaiGowOptions(Options):
    """MA-PGP: the choices a licensee files."""

    dealing: str = choice("manual_shoe", "hand", "automated_shoe")
    starting: str = choice("dice", "rng", "button")
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

    @property
    def pays_envy(self) -> bool:
        return self.fortune_paytable != "none" or self.emperors_paytable != "none" or self.dynasty != "none"

    @property
    def racks_show_settings(self) -> bool:
        return not self.pays_envy and self.insurance_paytable == "none"
