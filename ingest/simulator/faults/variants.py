"""What goes wrong at EZ and Face Up tables, with several side wagers, and with the wager on the number (MA-PGP)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.simulator.faults.injection import Injection
from ingest.simulator.faults.money import of
from ingest.simulator.games.pai_gow_poker.sides import LIMITED, another_tables_odds
from ingest.simulator.paytables import QUALIFYING_CENTS
from ingest.simulator.plan import TablePlan
from ingest.simulator.played import Envy, SplitPlayed
from ingest.simulator.voice import LAYOUT, Say

if TYPE_CHECKING:
    from ingest.simulator.games.pai_gow_poker.game import PaiGowTable


# ---- at which tables -----------------------------------------------------------------------------------------------


def is_ez(table: TablePlan) -> bool:
    return table.filing().get("variant") == "ez"


def is_face_up(table: TablePlan) -> bool:
    return table.filing().get("variant") == "face_up"


def has_to_place_ace_high(table: TablePlan) -> bool:
    return table.filing().get("ace_high") == "mandatory"


def offers_the_number(table: TablePlan) -> bool:
    return table.filing().get("rng_wager") == "offered"


def shows_when_numbers_are_settled(table: TablePlan) -> bool:
    return offers_the_number(table) and table.equipment.shoe_reads and table.filing().get("dealing") != "hand"


def limits_several_wagers(table: TablePlan) -> bool:
    filed = table.filing()
    return bool(filed.get("maximum_payout_cents")) and filed.get("emperors_paytable") not in (None, "none")


def pays_by_one_of_several_tables(table: TablePlan) -> bool:
    options = ("insurance_paytable", "ace_high_paytable", "emperors_paytable")
    return any(table.filing().get(option) not in (None, "none") for option in options)


# ---- what is done --------------------------------------------------------------------------------------------------


def not_pushed(injection: Injection, played: SplitPlayed, table: PaiGowTable) -> None:
    """A wager against a hand of the dealer's at which all push is settled by the hands."""
    if not table.all_push(played):
        return
    for each in played.settled:
        if each.bet.wager != table.base or each.outcome != "push":
            continue
        outcome = table.outcome(played.settings[each.bet.seat], played.settings[table.against(played)])
        if outcome != "push":
            each.outcome = outcome
            each.paid_cents, each.taken_cents = (each.bet.cents, 0) if outcome == "win" else (0, each.bet.cents)
            injection.done(f"settled as a {outcome} by the hands", each.bet.seat, table.base)
            return


def not_rounded_down(injection: Injection, played: SplitPlayed, table: PaiGowTable) -> None:
    for each in of(played, "win", wager="rng"):
        exact = each.bet.cents * table.options.rng_odds_hundredths // 100
        if exact != each.paid_cents:
            right, each.paid_cents = each.paid_cents, exact
            injection.done(f"paid {exact} cents for {right}", each.bet.seat, "rng")
            return


def settled_after_the_deal(injection: Injection, played: SplitPlayed, table: PaiGowTable) -> None:
    numbers = [index for index, say in enumerate(played.says) if say.data.get("wager") == "rng" and _settles(say)]
    dealt = [index for index, say in enumerate(played.says) if say.type == "cards.dealt"]
    if numbers and dealt and numbers[-1] < dealt[-1]:
        say = played.says[numbers[-1]]
        played.says.insert(dealt[-1] + 1, say)
        del played.says[numbers[-1]]
        injection.done("settled after the cards were dealt", None, "rng")


def _settles(say: Say) -> bool:
    return say.type == "wager.settled"


def limit_of_hand_ignored(injection: Injection, played: SplitPlayed, table: PaiGowTable) -> None:
    for each in of(played, "win"):
        if each.bet.wager in LIMITED:
            _, full = table.sides[each.bet.wager].decide(played, each.bet)
            if full > each.paid_cents:
                right, each.paid_cents = each.paid_cents, full
                injection.done(
                    f"paid {full} cents at the odds, the limit leaves {right}", each.bet.seat, each.bet.wager
                )
                return


def by_another_table(injection: Injection, played: SplitPlayed, table: PaiGowTable) -> None:
    """A winning wager is paid by a pay table that the text has and this table has not filed."""
    for each in of(played, "win"):
        others = another_tables_odds(table.options, played, each.bet)
        wrong = sorted({odds * each.bet.cents for odds in others} - {each.paid_cents})
        if wrong:
            right, each.paid_cents = each.paid_cents, table.rng.choice(wrong)
            injection.done(f"paid {each.paid_cents} cents for {right}", each.bet.seat, each.bet.wager)
            return


def ace_high_not_placed(injection: Injection, played: SplitPlayed, table: PaiGowTable) -> None:
    placed = [bet for bet in played.bets if bet.wager == "ace_high"]
    if placed:
        bet = table.rng.choice(placed)
        played.bets = [other for other in played.bets if other is not bet]
        played.wager_says.append(Say("wager.withdrawn", bet.where(), LAYOUT))
        injection.done("taken back before betting closed", bet.seat, "ace_high")


def envy_for_own_area(injection: Injection, played: SplitPlayed, table: PaiGowTable) -> None:
    """A bonus for the hand in the other area of the same person (R-52)."""
    for seat, other in table.own_areas:
        if other in played.staying and played.cents(seat, table.envy_side) >= QUALIFYING_CENTS:
            cents = table.envy_of(table.envy_side, played.hands[other])
            played.envies.append(Envy(seat, other, cents, wager=table.envy_side))
            injection.done(f"{cents} cents for the person's own hand at seat {other}", seat, table.envy_side)
            return
