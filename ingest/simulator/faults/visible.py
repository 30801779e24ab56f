"""Which tables can show a fault: what they have filed, and what their devices see."""

from __future__ import annotations

from dataclasses import fields

from ingest.simulator.plan import TablePlan


def anywhere(table: TablePlan) -> bool:
    return True


def starting(table: TablePlan) -> object:
    return table.filing().get("starting")


def pays_envy(table: TablePlan) -> bool:
    return table.filed().pays_envy


def takes_vigorish(table: TablePlan) -> bool:
    """Not where the game is played without."""
    return table.filing().get("variant", "standard") == "standard"


def knows_the_deck_whole(table: TablePlan) -> bool:
    """Whether the next deal shows that a card missing from one rack was not gone."""
    return table.filed().counts_the_deck or reads_the_deal(table)


def reads_the_deal(table: TablePlan) -> bool:
    return table.equipment.shoe_reads and not _shoe_deals_a_part(table)


def _shoe_deals_a_part(table: TablePlan) -> bool:
    """Four of each seven cards come from the hand, past the shoe's reader (MA-PGP §17(g)(1))."""
    return table.filing().get("dealing") == "bonus_hand"


def deals_to_every_place(table: TablePlan) -> bool:
    """Whether there are hands nobody plays, of which one may have a card too many."""
    return starting(table) != "left_of_dealer"


def schedules_of(table: TablePlan) -> tuple[str, ...]:
    """The collection schedules a table of this game may file."""
    named = [option for option in fields(table.filed()) if option.name == "schedule"]
    return tuple(named[0].metadata.get("choices", ())) if named else ()


def has_another_schedule(table: TablePlan) -> bool:
    return len(schedules_of(table)) > 1


def shows_when_fees_are_taken(table: TablePlan) -> bool:
    return table.equipment.shoe_reads or table.filed().fee_time_shows_without_a_reader


def rolls_or_draws(table: TablePlan) -> bool:
    """Not with a button: where it goes on from after it lay wrong, the text does not say."""
    if starting(table) == "left_of_dealer":
        return reads_the_deal(table)
    return starting(table) in ("dice", "rng")


def shows_settings(table: TablePlan) -> bool:
    """A rearranged hand's setting is seen by the camera only (R-51)."""
    return table.equipment.camera or table.filed().racks_show_settings


def keeps_settings(table: TablePlan) -> bool:
    """A camera shows how hands were set, and in most rounds they lie in the rack like that (R-51)."""
    return table.equipment.camera


def shows_hands_and_deal(table: TablePlan) -> bool:
    return table.equipment.camera and reads_the_deal(table)


def throws_dice(table: TablePlan) -> bool:
    return starting(table) == "dice"


def draws_a_number(table: TablePlan) -> bool:
    return starting(table) == "rng"


def has_one_deck(table: TablePlan) -> bool:
    return table.filing().get("decks", 1) == 1


def has_two_decks(table: TablePlan) -> bool:
    return table.filing().get("decks") == 2


def shuffles_by_device(table: TablePlan) -> bool:
    filed = table.filing()
    by_hand = filed["dealing"] == "hand"
    return filed["decks"] == 2 or filed["dealing"] == "automated_shoe" or (by_hand and table.equipment.shoe_reads)


def shows_hands(table: TablePlan) -> bool:
    return table.equipment.camera


def says_where_the_deal_begins(table: TablePlan) -> bool:
    return starting(table) != "left_of_dealer"


def may_keep_a_deck(table: TablePlan) -> bool:
    """One deck, that no device counts."""
    return has_one_deck(table) and shuffles_by_hand(table) and counts_the_stub(table)


def shuffles_by_hand(table: TablePlan) -> bool:
    return not shuffles_by_device(table)


def offers_the_bank(table: TablePlan) -> bool:
    return table.filing().get("banking") in ("bank", "bank_and_co_bank")


def shows_who_is_asked_to_cut(table: TablePlan) -> bool:
    return offers_the_bank(table) and shuffles_by_hand(table)


def offers_co_banking(table: TablePlan) -> bool:
    return table.filing().get("banking") == "bank_and_co_bank"


def counts_the_stub(table: TablePlan) -> bool:
    return not table.filing().get("stub_counted_by_shuffler")


def reaches_the_limit(table: TablePlan) -> bool:
    """Whether a royal flush at the highest bonus wager is paid more than $50,000."""
    return int(table.filing().get("bonus_maximum_cents", 0)) * 500 > 5_000_000
