"""What goes wrong at tables that deal as MA-PGP §17 has it, and with its two bonus wagers."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from ingest.simulator.faults import cards
from ingest.simulator.faults.fault_kind import FaultKind
from ingest.simulator.faults.injection import Injection, Stage
from ingest.simulator.faults.money import of
from ingest.simulator.faults.subjects import Subject
from ingest.simulator.games.pai_gow_poker.bonus_odds import (
    SEVEN,
    THREE,
    first_cards,
    seven_card_odds,
    three_card_odds,
)
from ingest.simulator.options import BONUS_DEALINGS
from ingest.simulator.plan import TablePlan
from ingest.simulator.played import SplitPlayed

if TYPE_CHECKING:
    from ingest.simulator.games.pai_gow_poker.game import PaiGowTable


# ---- at which tables -----------------------------------------------------------------------------------------------


def deals_to_bettors(table: TablePlan) -> bool:
    return table.filing().get("dealing") in BONUS_DEALINGS


def reads_such_a_deal(table: TablePlan) -> bool:
    return table.filing().get("dealing") == "bonus_shoe" and table.equipment.shoe_reads


def reads_first_cards(table: TablePlan) -> bool:
    return _offers(table, THREE) and table.equipment.shoe_reads


def shows_when_it_is_settled(table: TablePlan) -> bool:
    return _offers(table, THREE) and reads_such_a_deal(table)


def offers_seven_cards(table: TablePlan) -> bool:
    return deals_to_bettors(table) and table.filing().get("seven_card_bonus_paytable") not in (None, "none")


def limits_seven_cards(table: TablePlan) -> bool:
    return offers_seven_cards(table) and bool(table.filing().get("seven_card_bonus_maximum_payout_cents"))


def counts_its_stub(table: TablePlan) -> bool:
    return deals_to_bettors(table) and not table.filing().get("stub_counted_by_shuffler")


def _offers(table: TablePlan, wager: str) -> bool:
    return deals_to_bettors(table) and table.filing().get(wager) == "offered"


# ---- what is done --------------------------------------------------------------------------------------------------


def by_seven_cards(injection: Injection, played: SplitPlayed, table: PaiGowTable) -> None:
    """A three-card bonus wager that lost is paid for the best three of the seven."""
    for each in of(played, "lose", wager=THREE):
        seat = each.bet.seat
        best = max(three_card_odds(three) for three in combinations(played.hands[seat], 3))
        if best and not three_card_odds(first_cards(played, seat)):
            each.outcome, each.paid_cents, each.taken_cents = "win", best * each.bet.cents, 0
            injection.done(f"paid {best} to 1 by the seven cards, the first three lose", seat, THREE)
            return


def four_not_dealt(injection: Injection, played: SplitPlayed, table: PaiGowTable) -> None:
    if len(played.seats) > 1:
        seat = table.rng.choice(played.seats)
        table.deal_short(played, seat)
        injection.done(f"seat {seat} is not dealt its four more cards", seat)


def dealt_without_wager(injection: Injection, played: SplitPlayed, table: PaiGowTable) -> None:
    idle = [seat for seat in table.seats if seat not in played.seats]
    if idle and not any(table.class_of(played.hands[seat]) in table.premium for seat in played.seats):
        seat = table.wants_uncalled = table.rng.choice(idle)
        deck = played.dealt + played.stub
        played.start = table.begins_at(played)
        played.places = table.places_dealt(played, table.filed.dealing)
        played.deal_out(deck, table.places)
        injection.done(f"seat {seat} has no wager and is dealt a hand", seat)


def settled_late(injection: Injection, played: SplitPlayed, table: PaiGowTable) -> None:
    """A three-card bonus wager is settled once all cards are dealt."""
    says = played.says
    settled = [at for at, say in enumerate(says) if say.type == "wager.settled" and say.data["wager"] == THREE]
    dealt = [at for at, say in enumerate(says) if say.type == "cards.dealt"]
    if settled and dealt and settled[-1] < dealt[-1]:
        say = says[settled[-1]]
        says.insert(dealt[-1] + 1, say)
        del says[settled[-1]]
        injection.done("settled after all cards were dealt", None, THREE)


def by_the_other_table(injection: Injection, played: SplitPlayed, table: PaiGowTable) -> None:
    filed = table.options.seven_card_bonus_paytable
    for each in of(played, "win", wager=SEVEN):
        hand = played.hands[each.bet.seat]
        odds, other = seven_card_odds(hand, filed), seven_card_odds(hand, "B" if filed == "A" else "A")
        if odds != other:
            each.paid_cents = other * each.bet.cents
            injection.done(f"paid {other} to 1, the table filed pays {odds}", each.bet.seat, SEVEN)
            return


def limit_ignored(injection: Injection, played: SplitPlayed, table: PaiGowTable) -> None:
    for each in of(played, "win", wager=SEVEN):
        due = seven_card_odds(played.hands[each.bet.seat], table.options.seven_card_bonus_paytable) * each.bet.cents
        if due > each.paid_cents:
            right, each.paid_cents = each.paid_cents, due
            injection.done(f"paid {due} cents, the limit of the round leaves {right}", each.bet.seat, SEVEN)
            return


def surrendered_all_the_same(injection: Injection, played: SplitPlayed, table: PaiGowTable) -> None:
    """One whose hand loses as its player would have set it: it is not set, and what is taken may have been lost."""
    dealers = played.settings[0]
    losing = [seat for seat in played.seats if seat in played.settings and seat not in played.voided]
    losing = [seat for seat in losing if table.outcome(played.settings[seat], dealers) == "lose"]
    seats = [seat for seat in losing if played.cents(seat, SEVEN)]
    if seats:
        seat = table.rng.choice(seats)
        played.surrendered.append(seat)
        injection.done("surrendered with a seven-card bonus wager", seat, table.base)


BONUS_DEAL_KINDS = (
    FaultKind(
        "three_card_by_seven",
        "SETTLE-102",
        Subject.BONUS_DEAL,
        "a three-card bonus wager is paid by the seven cards",
        Stage.SETTLED,
        by_seven_cards,
        possible_at=reads_first_cards,
        needs_filing=True,
    ),
    FaultKind(
        "four_cards_not_dealt",
        "DEAL-301",
        Subject.BONUS_DEAL,
        "a player is not dealt the four more cards",
        Stage.DEALT,
        four_not_dealt,
        possible_at=deals_to_bettors,
        needs_filing=True,
    ),
    FaultKind(
        "dealt_without_wager",
        "DEAL-312",
        Subject.BONUS_DEAL,
        "a place that did not bet is dealt a hand",
        Stage.DEALT,
        dealt_without_wager,
        possible_at=reads_such_a_deal,
        needs_filing=True,
    ),
    FaultKind(
        "three_card_settled_late",
        "SETTLE-107",
        Subject.BONUS_DEAL,
        "a three-card bonus wager is settled after the four more cards",
        Stage.RACK,
        settled_late,
        possible_at=shows_when_it_is_settled,
        needs_filing=True,
    ),
    FaultKind(
        "bonus_stub_not_counted",
        "EQUIP-953",
        Subject.BONUS_DEAL,
        "the stub of such a deal goes uncounted for five rounds",
        Stage.DEALT,
        cards.stub_not_counted,
        possible_at=counts_its_stub,
        needs_filing=True,
    ),
    FaultKind(
        "seven_card_by_other_table",
        "SETTLE-101",
        Subject.BONUS_DEAL,
        "a seven-card bonus wager is paid by the other table",
        Stage.SETTLED,
        by_the_other_table,
        possible_at=offers_seven_cards,
        needs_filing=True,
    ),
    FaultKind(
        "seven_card_limit_ignored",
        "SETTLE-101",
        Subject.BONUS_DEAL,
        "a seven-card bonus wager is paid beyond the limit of the round",
        Stage.SETTLED,
        limit_ignored,
        possible_at=limits_seven_cards,
        needs_filing=True,
    ),
    FaultKind(
        "surrendered_with_seven_card_bonus",
        "WAGER-505",
        Subject.BONUS_DEAL,
        "a hand with a seven-card bonus wager is surrendered",
        Stage.LATE,
        surrendered_all_the_same,
        possible_at=offers_seven_cards,
        needs_filing=True,
    ),
)
