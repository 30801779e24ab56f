"""Which packs have a theory, and the one way to ask for it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from analytics.theory import (
    ca_fortune_pai_gow,
    ca_pure_21_5_blackjack,
    ca_supreme_baccarat,
    ca_three_card_poker,
    flt_supreme_pai_gow,
    ma_pai_gow_poker,
    supreme_pai_gow,
)
from analytics.theory.counts import TheoryError
from analytics.theory.hand_reading import HandReading
from analytics.theory.store import CountsStore
from analytics.theory.wager import WagerTheory
from replay.filing import Filing
from replay.money.pot import POT


@dataclass(frozen=True)
class PackTheory:
    """What a pack's theory must offer."""

    offered: Callable[[Filing], tuple[str, ...]]  # wagers, under this filing
    smallest_stake: Callable[[Filing, str], int]  # in cents, as filed
    theory: Callable[[Filing, str, int, CountsStore], WagerTheory]
    read_hand: Callable[[Filing, str], HandReading]


_SUPREME_PAI_GOW = PackTheory(
    supreme_pai_gow.offered,
    supreme_pai_gow.smallest_stake,
    supreme_pai_gow.theory,
    supreme_pai_gow.read_hand,
)

PACKS: Mapping[str, PackTheory] = {
    "ca/fortune_pai_gow": PackTheory(
        ca_fortune_pai_gow.offered,
        ca_fortune_pai_gow.smallest_stake,
        ca_fortune_pai_gow.theory,
        ca_fortune_pai_gow.read_hand,
    ),
    "ca/pure_21_5_blackjack": PackTheory(
        ca_pure_21_5_blackjack.offered,
        ca_pure_21_5_blackjack.smallest_stake,
        ca_pure_21_5_blackjack.theory,
        ca_pure_21_5_blackjack.read_hand,
    ),
    "ca/supreme_baccarat": PackTheory(
        ca_supreme_baccarat.offered,
        ca_supreme_baccarat.smallest_stake,
        ca_supreme_baccarat.theory,
        ca_supreme_baccarat.read_hand,
    ),
    "ca/three_card_poker_6_card_bonus": PackTheory(
        ca_three_card_poker.offered,
        ca_three_card_poker.smallest_stake,
        ca_three_card_poker.theory,
        ca_three_card_poker.read_hand,
    ),
    "flt/supreme_pai_gow": PackTheory(
        flt_supreme_pai_gow.offered,
        flt_supreme_pai_gow.smallest_stake,
        flt_supreme_pai_gow.theory,
        flt_supreme_pai_gow.read_hand,
    ),
    "ma/pai_gow_poker": PackTheory(
        ma_pai_gow_poker.offered,
        ma_pai_gow_poker.smallest_stake,
        ma_pai_gow_poker.theory,
        ma_pai_gow_poker.read_hand,
    ),
    "ma/supreme_pai_gow": _SUPREME_PAI_GOW,
    "nj/supreme_pai_gow": _SUPREME_PAI_GOW,
}


def wagers_of(filing: Filing) -> tuple[str, ...]:
    """The wagers this filing offers."""
    return _pack_theory(filing).offered(filing)


def theory_of(filing: Filing, wager: str, store: CountsStore, stake_cents: int | None = None) -> WagerTheory:
    """The theory of one wager, for this stake or else the smallest the filing allows, which no payout limit reaches."""
    pack = _pack_theory(filing)
    if wager not in filing.pack.data.wagers:
        known = ", ".join(filing.pack.data.wagers)
        raise TheoryError(f"pack {filing.pack.id} has no wager {wager!r}; it has: {known}")
    if wager not in pack.offered(filing):
        raise TheoryError(f"{filing.pack.id}: this filing does not offer the wager {wager}")
    stake = pack.smallest_stake(filing, wager) if stake_cents is None else stake_cents
    if stake < 1:
        raise TheoryError(f"a stake is at least a cent, not {stake}")
    return pack.theory(filing, wager, stake, store)


def read_hand(filing: Filing, text: str) -> HandReading:
    """What these cards are, under this filing."""
    return _pack_theory(filing).read_hand(filing, text)


def _pack_theory(filing: Filing) -> PackTheory:
    if POT in filing.pack.data.wagers:
        raise TheoryError(
            f"{filing.pack.id} has no theory: players wager against each other there and nobody against the house; the "
            "pots return what was put into them, less the collection fee"
        )
    if filing.pack.id not in PACKS:
        raise TheoryError(f"there is no theory of pack {filing.pack.id} yet; there is one of: {', '.join(PACKS)}")
    return PACKS[filing.pack.id]
