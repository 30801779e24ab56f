"""The usual tables of Massachusetts Pai Gow Poker with progressive wagers, one for each pay table there is."""

from __future__ import annotations

from ingest.simulator.games.pai_gow_poker.filed import PaiGowOptions
from ingest.simulator.options import Equipment
from ingest.simulator.registry import Usual

WITH_PROGRESSIVES: Usual = [
    (PaiGowOptions(fortune_paytable="C", progressive_paytable="14_1_dollar"), Equipment()),
    (
        PaiGowOptions(
            dealing="automated_shoe",
            starting="rng",
            fortune_paytable="none",
            progressive_paytable="14_5_dollars",
            progressive_seed_cents=2_500_000,
            progressive_rate_bp=3_050,
            decks=2,
        ),
        Equipment(rack="scan"),
    ),
    (
        PaiGowOptions(
            dealing="hand",
            fortune_paytable="B",
            fortune_progressive="offered",
            fortune_progressive_mega_seed_cents=5_000_000,
            fortune_progressive_mega_rate_bp=1_200,
            fortune_progressive_major_seed_cents=1_000_000,
            fortune_progressive_major_rate_bp=850,
            fortune_progressive_minor_seed_cents=100_000,
            fortune_progressive_minor_rate_bp=725,
        ),
        Equipment(shoe_reads=False),
    ),
    (
        PaiGowOptions(
            fortune_paytable="none",
            emperors_paytable="A",
            progressive_paytable="16e",
            progressive_rate_bp=2_525,
            maximum_payout_cents=5_000_000,
            decks=2,
        ),
        Equipment(),
    ),
    (
        PaiGowOptions(
            starting="rng",
            variant="ez",
            dynasty="offered",
            progressive_paytable="16e",
            progressive_seed_cents=300_000,
            progressive_rate_bp=2_000,
            fortune_progressive="offered",
            fortune_progressive_mega_seed_cents=5_000_000,
            fortune_progressive_mega_rate_bp=1_000,
            fortune_progressive_major_seed_cents=1_000_000,
            fortune_progressive_major_rate_bp=900,
            fortune_progressive_minor_seed_cents=100_000,
            fortune_progressive_minor_rate_bp=800,
            decks=2,
        ),
        Equipment(),
    ),
    (
        PaiGowOptions(
            variant="face_up", fortune_paytable="none", ace_high_paytable="1", progressive_paytable="face_up_1", decks=2
        ),
        Equipment(rack="scan"),
    ),
    (
        PaiGowOptions(
            dealing="automated_shoe",
            variant="face_up",
            fortune_paytable="face_up_5",
            ace_high_paytable="5",
            progressive_paytable="face_up_3",
            decks=2,
        ),
        Equipment(),
    ),
    (
        PaiGowOptions(banking="bank_and_co_bank", fortune_paytable="A", progressive_paytable="14_5_dollars", decks=2),
        Equipment(),
    ),
]
