"""Which tables can show a fault: what they have filed, and what their devices see."""

from __future__ import annotations

from ingest.simulator.plan import TablePlan


def anywhere(table: TablePlan) -> bool:
    return True


def starting(table: TablePlan) -> object:
    return table.filing().get("starting")


def has_fortune(table: TablePlan) -> bool:
    return table.game == "fortune_pai_gow" or table.filing().get("fortune_paytable", "none") != "none"


def knows_the_deck_whole(table: TablePlan) -> bool:
    """Whether the next deal shows that a card missing from one rack was not gone: in Fortune Pai Gow nobody counts the
    cards left over, and only a shuffler that reads them counts the deck."""
    return table.game != "fortune_pai_gow" or table.equipment.shoe_reads


def reads_the_deal(table: TablePlan) -> bool:
    return table.equipment.shoe_reads


def shows_when_fees_are_taken(table: TablePlan) -> bool:
    """A fee taken after the deal began, instead of before it, is seen by a reading shoe only."""
    after_the_deal = table.game == "supreme_baccarat" and str(table.filing()["schedule"]).startswith("california")
    return table.equipment.shoe_reads or after_the_deal


def rolls_or_draws(table: TablePlan) -> bool:
    """Not with a button: where it goes on from after it lay wrong, the text does not say."""
    return starting(table) != "button"


def shows_settings(table: TablePlan) -> bool:
    """A rearranged hand's setting is seen by the camera only (R-51)."""
    return table.equipment.camera or (table.game == "pai_gow_poker" and not has_fortune(table))


def keeps_settings(table: TablePlan) -> bool:
    """A camera shows how hands were set, and in most rounds they lie in the rack like that (R-51)."""
    return table.equipment.camera


def shows_hands_and_deal(table: TablePlan) -> bool:
    return table.equipment.camera and table.equipment.shoe_reads


def shuffles_by_device(table: TablePlan) -> bool:
    filed = table.filing()
    by_hand = filed["dealing"] == "hand"
    return filed["decks"] == 2 or filed["dealing"] == "automated_shoe" or (by_hand and table.equipment.shoe_reads)


def shuffles_by_hand(table: TablePlan) -> bool:
    return not shuffles_by_device(table)


def offers_the_bank(table: TablePlan) -> bool:
    return table.filing().get("banking") in ("bank", "bank_and_co_bank")


def offers_co_banking(table: TablePlan) -> bool:
    return table.filing().get("banking") == "bank_and_co_bank"


def counts_the_stub(table: TablePlan) -> bool:
    return not table.filing().get("stub_counted_by_shuffler")


def reaches_the_limit(table: TablePlan) -> bool:
    """Whether a royal flush at the highest bonus wager is paid more than $50,000."""
    return int(table.filing().get("bonus_maximum_cents", 0)) * 500 > 5_000_000
