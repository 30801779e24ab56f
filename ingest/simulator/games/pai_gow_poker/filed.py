"""What a table of Massachusetts Pai Gow Poker may file, and the usual tables."""

from __future__ import annotations

from dataclasses import dataclass

from ingest.simulator.options import Equipment, Options, check_button, check_limits, check_side_limits, choice
from ingest.simulator.registry import Usual


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
        if self.maximum_payout_cents and self.maximum_payout_cents < 5_000_000:
            raise ValueError(f"maximum_payout_cents is {self.maximum_payout_cents}: at least $50,000 (MA-PGP §16(j))")

    @property
    def pays_envy(self) -> bool:
        return self.fortune_paytable != "none" or self.emperors_paytable != "none" or self.dynasty != "none"

    @property
    def racks_show_settings(self) -> bool:
        return not self.pays_envy and self.insurance_paytable == "none"


_EZ_AND_FACE_UP = [
    (
        PaiGowOptions(
            starting="rng",
            variant="ez",
            insurance_paytable="C",
            queens_dragon="offered",
            dynasty="offered",
            protection="offered",
            red_black="offered",
            rng_wager="offered",
            decks=2,
        ),
        Equipment(),
    ),
    (
        PaiGowOptions(
            variant="face_up",
            fortune_paytable="face_up_1",
            ace_high_paytable="3",
            ace_high="mandatory",
            decks=2,
        ),
        Equipment(),
    ),
    (
        PaiGowOptions(
            dealing="automated_shoe",
            starting="rng",
            emperors_paytable="C",
            insurance_paytable="A",
            rng_wager="offered",
            rng_odds_hundredths=575,
            maximum_payout_cents=5_000_000,
            decks=2,
        ),
        Equipment(rack="scan"),
    ),
]


def usual() -> Usual:
    """Every dealing and starting method, pay table, rounding, wheel, royal match and rack mode, in few tables."""
    return [
        (PaiGowOptions(), Equipment()),
        (
            PaiGowOptions(
                dealing="hand",
                starting="rng",
                wheel="lowest",
                vigorish_rounding="exact",
                fortune_paytable="B",
                royal_match="ace_king_natural",
                surrendered_bonus="forfeited",
                table_minimum_cents=1_000,
                table_maximum_cents=50_000,
            ),
            Equipment(shoe_reads=False, rack="scan"),
        ),
        (
            PaiGowOptions(
                dealing="automated_shoe",
                starting="button",
                fortune_paytable="C",
                decks=2,
                fortune_minimum_cents=100,
                table_minimum_cents=2_500,
                table_maximum_cents=200_000,
            ),
            Equipment(dealt_in_parts=True),
        ),
        (
            PaiGowOptions(
                dealing="automated_shoe",
                wheel="lowest",
                fortune_paytable="D",
                royal_match="ace_king_natural",
                decks=2,
                maximum_payout_cents=5_000_000,
            ),
            Equipment(rack="scan"),
        ),
        (
            PaiGowOptions(
                dealing="hand",
                vigorish_rounding="exact",
                decks=2,
                fortune_minimum_cents=100,
                surrendered_bonus="forfeited",
            ),
            Equipment(),
        ),
        (PaiGowOptions(starting="rng", wheel="lowest", fortune_paytable="none", decks=2), Equipment(rack="scan")),
        (
            PaiGowOptions(
                dealing="automated_shoe", starting="rng", fortune_paytable="B", vigorish_rounding="exact", decks=2
            ),
            Equipment(shoe_reads=False),
        ),
        (
            PaiGowOptions(
                fortune_paytable="C",
                royal_match="ace_king_natural",
                decks=2,
                fortune_minimum_cents=100,
                table_minimum_cents=500,
                table_maximum_cents=30_000,
            ),
            Equipment(rack="scan"),
        ),
        *_EZ_AND_FACE_UP,
    ]
