"""The usual tables of Massachusetts Pai Gow Poker: the standard game, EZ, Face Up, Emperor's Treasure, and a bank."""

from __future__ import annotations

from ingest.simulator.games.pai_gow_poker.filed import PaiGowOptions
from ingest.simulator.games.pai_gow_poker.usual_progressives import WITH_PROGRESSIVES
from ingest.simulator.options import Equipment
from ingest.simulator.registry import Usual

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
_BONUS_DEALS = [
    (
        PaiGowOptions(
            dealing="bonus_shoe",
            starting="left_of_dealer",
            fortune_paytable="none",
            three_card_bonus="offered",
            seven_card_bonus_paytable="A",
            seven_card_bonus_maximum_payout_cents=5_000_000,
        ),
        Equipment(),
    ),
    (
        PaiGowOptions(
            dealing="bonus_hand",
            starting="left_of_dealer",
            vigorish_rounding="exact",
            fortune_paytable="none",
            three_card_bonus="offered",
            seven_card_bonus_paytable="B",
            surrendered_bonus="forfeited",
            stub_counted_by_shuffler=True,
            decks=2,
        ),
        Equipment(rack="scan"),
    ),
    (
        PaiGowOptions(
            dealing="bonus_shoe",
            starting="left_of_dealer",
            wheel="lowest",
            fortune_paytable="none",
            seven_card_bonus_paytable="B",
            seven_card_bonus_maximum_payout_cents=5_000_000,
            decks=2,
        ),
        Equipment(shoe_reads=False, rack="scan"),
    ),
]


_BANKED = [
    (
        PaiGowOptions(starting="rng", wheel="lowest", fortune_paytable="none", banking="bank_and_co_bank"),
        Equipment(rack="scan"),
    ),
    (
        PaiGowOptions(
            dealing="hand",
            vigorish_rounding="exact",
            banking="bank",
            decks=2,
            fortune_minimum_cents=100,
            surrendered_bonus="forfeited",
        ),
        Equipment(),
    ),
    (
        PaiGowOptions(
            dealing="automated_shoe",
            wheel="lowest",
            fortune_paytable="D",
            banking="bank_and_co_bank",
            decks=2,
            maximum_payout_cents=5_000_000,
        ),
        Equipment(rack="scan"),
    ),
    (
        PaiGowOptions(
            dealing="automated_shoe",
            starting="button",
            fortune_paytable="C",
            fortune_minimum_cents=100,
            banking="bank_and_co_bank",
            decks=2,
        ),
        Equipment(dealt_in_parts=True),
    ),
    (
        PaiGowOptions(
            vigorish_rounding="exact",
            insurance_paytable="D",
            banking="bank",
            table_minimum_cents=500,
        ),
        Equipment(),
    ),
    (
        PaiGowOptions(
            dealing="hand",
            emperors_paytable="B",
            fortune_paytable="none",
            banking="bank_and_co_bank",
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
        *_BANKED,
        *_BONUS_DEALS,
        *WITH_PROGRESSIVES,
    ]
