"""The catalogue of faults: what may go wrong on purpose, at which tables, and the finding it must be found under.

How a fault is done stands in the other modules of this folder. One is only injected in a round where it changes
something and where the table's equipment could show it; until such a round comes, it waits.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ingest.simulator.faults import (
    ante_raise,
    bank,
    cards,
    coup,
    equipment,
    money,
    paying,
    variants,
    visible,
)
from ingest.simulator.faults.bonus_deal import BONUS_DEAL_KINDS
from ingest.simulator.faults.drawn_hands import OF_DRAWN_HANDS
from ingest.simulator.faults.fault_kind import FaultKind
from ingest.simulator.faults.fee_kinds import OF_FEES
from ingest.simulator.faults.in_turn import IN_TURN_KINDS
from ingest.simulator.faults.injection import Injection, Stage
from ingest.simulator.faults.meter_kinds import OF_METERS
from ingest.simulator.faults.play_or_fold import PLAY_OR_FOLD_KINDS
from ingest.simulator.faults.poker import OF_POKER
from ingest.simulator.faults.subjects import Subject
from ingest.simulator.options import spelled_out
from ingest.simulator.plan import TablePlan
from ingest.simulator.played import Played
from ingest.simulator.registry import game_called

if TYPE_CHECKING:
    from ingest.simulator.table import Table

EVERY, WAGERS = Subject.EVERY_GAME, Subject.WAGERS
SPLIT, ONE_RACK = Subject.SPLIT_HANDS, Subject.ONE_RACK

QUIET_ROUNDS = 6
"""Rounds from one fault of the record to the next, and to one that shows only against the rounds before it.

A reader may hold events back while it waits for a missing one, and what it then cannot read belongs to no round for
certain: without the distance a label could name the wrong one.
"""


KINDS: dict[str, FaultKind] = {
    kind.kind: kind
    for kind in (
        FaultKind(
            "wrong_payout",
            "SETTLE-101",
            WAGERS,
            "a winning wager is paid another amount",
            Stage.SETTLED,
            money.wrong_payout,
        ),
        FaultKind(
            "wrong_outcome",
            "SETTLE-102",
            WAGERS,
            "a wager is settled the wrong way",
            Stage.SETTLED,
            money.wrong_outcome,
        ),
        FaultKind(
            "settlement_missing",
            "SETTLE-103",
            WAGERS,
            "the settlement of a wager is never reported",
            Stage.SETTLED,
            money.missing,
        ),
        FaultKind(
            "phantom_settlement", "SETTLE-104", WAGERS, "a wager nobody placed is paid", Stage.SETTLED, money.phantom
        ),
        FaultKind(
            "vigorish_not_taken",
            "VIG-601",
            Subject.VIGORISH,
            "a win pays no vigorish",
            Stage.SETTLED,
            paying.no_vigorish,
            possible_at=visible.takes_vigorish,
        ),
        FaultKind(
            "vigorish_wrong",
            "VIG-602",
            Subject.VIGORISH,
            "a win pays another vigorish",
            Stage.SETTLED,
            paying.wrong_vigorish,
            possible_at=visible.takes_vigorish,
        ),
        FaultKind(
            "vigorish_not_due",
            "VIG-603",
            Subject.VIGORISH,
            "vigorish is taken on a push or a loss",
            Stage.SETTLED,
            paying.undue_vigorish,
        ),
        FaultKind(
            "envy_missed",
            "ENVY-701",
            Subject.ENVY,
            "an envy bonus that is due is not paid",
            Stage.SETTLED,
            paying.envy_missed,
            possible_at=visible.pays_envy,
        ),
        FaultKind(
            "envy_wrong",
            "ENVY-702",
            Subject.ENVY,
            "an envy bonus is paid from another row",
            Stage.SETTLED,
            paying.envy_wrong,
            possible_at=visible.pays_envy,
        ),
        FaultKind(
            "envy_not_due",
            "ENVY-703",
            Subject.ENVY,
            "an envy bonus is paid that is not due",
            Stage.SETTLED,
            paying.envy_not_due,
            possible_at=visible.pays_envy,
        ),
        *OF_FEES,
        FaultKind(
            "cover_exceeded",
            "COVER-801",
            Subject.PLAYER_DEALER,
            "a bet is settled in full beyond what was posted",
            Stage.SETTLED,
            money.cover_exceeded,
        ),
        FaultKind(
            "button_wrong",
            "BUTTON-802",
            Subject.PLAYER_DEALER,
            "the action button lies elsewhere, and settles from there",
            Stage.SETTLED,
            money.button_wrong,
        ),
        FaultKind("bank_thrice", "BANK-803", Subject.PLAYER_DEALER, "a seat banks a third hand running"),
        FaultKind(
            "third_card_wrong",
            "DEAL-303",
            Subject.THIRD_CARDS,
            "a third card is drawn, or not, against the rules",
            Stage.DEALT,
            coup.third_card,
            possible_at=visible.reads_the_deal,
        ),
        FaultKind(
            "wager_late",
            "WAGER-501",
            WAGERS,
            "a wager is made, raised or withdrawn after the close",
            Stage.LATE,
            money.late,
        ),
        FaultKind(
            "wager_over_limit", "WAGER-502", WAGERS, "a wager is outside its limits", Stage.WAGERS, money.over_limit
        ),
        FaultKind(
            "wrong_start",
            "START-201",
            SPLIT,
            "the deal starts at another place than thrown",
            Stage.START,
            cards.wrong_start,
            possible_at=visible.rolls_or_draws,
        ),
        FaultKind(
            "foul_not_caught",
            "FOUL-401",
            SPLIT,
            "a foul hand is settled as if set right",
            Stage.SET,
            cards.foul,
            possible_at=visible.shows_settings,
        ),
        FaultKind(
            "house_way_broken",
            "HOUSE-402",
            SPLIT,
            "the dealer's hand is not set the house way",
            Stage.SET,
            cards.break_house_way,
        ),
        FaultKind(
            "dealer_foul_not_reset",
            "HOUSE-402",
            SPLIT,
            "the dealer's hand is set foul, and not reset",
            Stage.SET,
            cards.dealer_foul,
        ),
        FaultKind(
            "misdeal_played",
            "DEAL-301",
            Subject.MISDEALS,
            "a hand has a card too many or too few, and the round goes on",
            Stage.DEALT,
            cards.misdeal,
            possible_at=visible.deals_to_every_place,
        ),
        FaultKind(
            "card_missing",
            "CARD-311",
            ONE_RACK,
            "the rack is a card short",
            Stage.RACK,
            cards.card_missing,
            possible_at=visible.knows_the_deck_whole,
        ),
        FaultKind(
            "card_duplicate",
            "CARD-312",
            ONE_RACK,
            "a card is in the rack twice, another not at all",
            Stage.RACK,
            cards.card_duplicate,
            possible_at=visible.knows_the_deck_whole,
        ),
        FaultKind(
            "card_switched",
            "DEAL-302",
            ONE_RACK,
            "two cards change hands between deal and rack",
            Stage.DEALT,
            cards.switch,
            possible_at=visible.reads_the_deal,
        ),
        FaultKind(
            "card_mucked",
            "DEAL-308",
            ONE_RACK,
            "a card is exchanged with the cards left over",
            Stage.DEALT,
            cards.muck,
            possible_at=visible.reads_the_deal,
        ),
        FaultKind(
            "card_set_again",
            "DEAL-307",
            SPLIT,
            "a card changes between a player's own low and high hand",
            Stage.RACK,
            cards.set_again,
            possible_at=visible.keeps_settings,
        ),
        FaultKind(
            "hands_exchanged",
            "DEAL-306",
            ONE_RACK,
            "two whole hands change places",
            Stage.DEALT,
            cards.exchange_hands,
            possible_at=visible.shows_hands_and_deal,
        ),
        FaultKind(
            "delivered_wrong_way",
            "DEAL-305",
            ONE_RACK,
            "the cards go round counterclockwise",
            Stage.DEALT,
            cards.other_way_round,
            possible_at=visible.reads_the_deal,
        ),
        FaultKind(
            "dealt_otherwise",
            "DEAL-310",
            Subject.MISDEALS,
            "the cards are dealt by another method",
            Stage.DEALT,
            cards.another_method,
            possible_at=visible.reads_the_deal,
        ),
        FaultKind(
            "deal_misread",
            "DEAL-311",
            ONE_RACK,
            "the shoe takes a card for another it has read",
            Stage.RACK,
            cards.deal_misread,
            possible_at=visible.reads_the_deal,
        ),
        FaultKind(
            "boxed_card_played",
            "DEAL-309",
            Subject.MISDEALS,
            "a card found face up is played",
            Stage.DEALT,
            cards.play_boxed,
        ),
        FaultKind(
            "card_exposed_played",
            "DEAL-304",
            Subject.MISDEALS,
            "a card of the dealer is exposed, and the round goes on",
            Stage.DEALT,
            cards.expose,
        ),
        FaultKind(
            "shoe_short",
            "CARD-317",
            Subject.SHOE,
            "the rest of the shoe is counted, and a card is missing",
            Stage.COUNTED,
            coup.shoe_short,
        ),
        FaultKind("event_lost", "GATE-003", EVERY, "an event never arrives"),
        FaultKind("event_duplicated", "GATE-004", EVERY, "an event arrives twice"),
        FaultKind("event_reordered", "GATE-005", EVERY, "two neighbours arrive in swapped order"),
        FaultKind("bad_signature", "GATE-001", EVERY, "a signature does not verify"),
        FaultKind("chain_broken", "GATE-002", EVERY, "an event's time is altered after the fact by a millisecond"),
        FaultKind("clock_jump", "GATE-007", EVERY, "one device's clock jumps for one event"),
        FaultKind("garbage", "GATE-006", EVERY, "a line that is no event, or one cut short before it is sent again"),
        FaultKind(
            "bonus_wrong_row",
            "SETTLE-101",
            Subject.PAYOUT_LIMIT,
            "a bonus wager is paid by another row of the table",
            Stage.SETTLED,
            paying.wrong_row,
        ),
        FaultKind(
            "cap_ignored",
            "SETTLE-101",
            Subject.PAYOUT_LIMIT,
            "a bonus is paid beyond the payout limit",
            Stage.SETTLED,
            paying.cap_ignored,
            possible_at=visible.reaches_the_limit,
        ),
        FaultKind(
            "royal_share_wrong",
            "SETTLE-101",
            Subject.PAYOUT_LIMIT,
            "one of two royal flushes that share the payout limit is paid as if it were alone",
            Stage.SETTLED,
            paying.royal_share_wrong,
            possible_at=visible.reaches_the_limit,
        ),
        FaultKind(
            "bank_twice",
            "BANK-803",
            Subject.BANK,
            "a seat banks two rounds running",
            possible_at=visible.offers_the_bank,
        ),
        FaultKind(
            "bank_after_new_deck",
            "BANK-804",
            Subject.BANK,
            "a bank in the first round with a deck",
            possible_at=visible.offers_the_bank,
        ),
        FaultKind(
            "bank_without_wager",
            "BANK-804",
            Subject.BANK,
            "a bank that did not bet before",
            possible_at=visible.offers_the_bank,
        ),
        FaultKind(
            "bank_without_funds",
            "BANK-804",
            Subject.BANK,
            "a bank without chips for the wagers",
            possible_at=visible.offers_the_bank,
        ),
        FaultKind(
            "bank_paid_wrong",
            "SETTLE-101",
            Subject.BANK,
            "the bank gets or pays another amount",
            Stage.SETTLED,
            bank.bank_paid_wrong,
            possible_at=visible.offers_the_bank,
        ),
        FaultKind(
            "surplus_vigorish_not_taken",
            "VIG-601",
            Subject.BANK,
            "a bank's surplus pays no vigorish",
            Stage.SETTLED,
            bank.no_surplus_vigorish,
            possible_at=visible.offers_the_bank,
        ),
        FaultKind(
            "surplus_not_halved",
            "SETTLE-101",
            Subject.BANK,
            "a co-bank gets all of the surplus",
            Stage.SETTLED,
            bank.surplus_not_halved,
            possible_at=visible.offers_co_banking,
        ),
        FaultKind(
            "shortfall_not_halved",
            "SETTLE-101",
            Subject.BANK,
            "a co-bank does not pay half of what is missing",
            Stage.SETTLED,
            bank.shortfall_not_halved,
            possible_at=visible.offers_co_banking,
        ),
        FaultKind(
            "bank_offered_elsewhere",
            "BANK-806",
            Subject.BANK,
            "the bank is first offered to another player than the one whose turn it is",
            possible_at=visible.offers_the_bank,
        ),
        FaultKind(
            "cut_offered_elsewhere",
            "EQUIP-955",
            Subject.BANK,
            "the cut is offered to another player first, or to nobody",
            possible_at=visible.shows_who_is_asked_to_cut,
        ),
        FaultKind(
            "shuffler_jam_played",
            "EQUIP-954",
            Subject.BANK,
            "the shuffler jams, and the cards are not shuffled again",
            Stage.START,
            cards.jam,
            possible_at=visible.shuffles_by_device,
        ),
        FaultKind(
            "stub_not_counted",
            "EQUIP-953",
            Subject.STUB_COUNT,
            "the stub goes uncounted too long",
            Stage.DEALT,
            cards.stub_not_counted,
            possible_at=visible.counts_the_stub,
        ),
        FaultKind(
            "cards_not_shuffled",
            "EQUIP-959",
            Subject.SHUFFLES,
            "the cards are dealt again without a shuffle",
            Stage.RACK,
            equipment.not_shuffled,
            possible_at=visible.has_one_deck,
        ),
        FaultKind(
            "shuffled_by_hand",
            "EQUIP-957",
            Subject.SHUFFLES,
            "the cards are shuffled by hand beside the shuffling device",
            Stage.RACK,
            equipment.shuffled_by_hand,
            possible_at=visible.shuffles_by_device,
        ),
        FaultKind(
            "cut_too_deep",
            "EQUIP-958",
            Subject.SHUFFLES,
            "the cut card is put too near an end",
            Stage.RACK,
            equipment.cut_too_deep,
            possible_at=visible.shuffles_by_hand,
        ),
        FaultKind(
            "no_roll_played",
            "START-202",
            Subject.SHUFFLES,
            "the dice are called off, and not shaken again",
            Stage.RACK,
            equipment.no_roll_played,
            possible_at=visible.throws_dice,
        ),
        FaultKind(
            "number_out_of_range",
            "START-203",
            Subject.SHUFFLES,
            "the random number generator shows a number it must not",
            Stage.RACK,
            equipment.number_out_of_range,
            possible_at=visible.draws_a_number,
        ),
        FaultKind(
            "cards_overdue",
            "EQUIP-951",
            Subject.SHUFFLES,
            "cards stay on the table beyond their time",
            outlasts_the_day=True,
        ),
        FaultKind(
            "dice_overdue",
            "EQUIP-951",
            Subject.SHUFFLES,
            "dice stay on the table for more than a day",
            outlasts_the_day=True,
            possible_at=visible.throws_dice,
        ),
        FaultKind(
            "deck_twice_running",
            "EQUIP-952",
            Subject.SHUFFLES,
            "one of two decks is used in two rounds running",
            possible_at=visible.has_two_decks,
        ),
        FaultKind(
            "same_backs",
            "EQUIP-956",
            Subject.SHUFFLES,
            "two decks with the same backs are brought",
            possible_at=visible.has_two_decks,
        ),
        FaultKind(
            "dice_uninspected",
            "EQUIP-961",
            Subject.INSPECTIONS,
            "dice are used without an inspection, or from a broken envelope",
            Stage.RACK,
            equipment.dice_uninspected,
            possible_at=visible.throws_dice,
        ),
        FaultKind(
            "inspection_not_witnessed",
            "EQUIP-960",
            Subject.INSPECTIONS,
            "dice are inspected, and nobody is there to see it",
            Stage.RACK,
            equipment.not_witnessed,
            possible_at=visible.throws_dice,
        ),
        FaultKind(
            "dragon_not_pushed",
            "SETTLE-102",
            Subject.VARIANTS,
            "a wager against a Queen's Dragon is settled by the hands",
            Stage.SETTLED,
            variants.not_pushed,
            possible_at=variants.is_ez,
            needs_filing=True,
        ),
        FaultKind(
            "ace_high_not_pushed",
            "SETTLE-102",
            Subject.VARIANTS,
            "a wager against the dealer's ace-high is settled by the hands",
            Stage.SETTLED,
            variants.not_pushed,
            possible_at=variants.is_face_up,
            needs_filing=True,
        ),
        FaultKind(
            "number_not_rounded_down",
            "SETTLE-101",
            Subject.VARIANTS,
            "a number is paid with its cents",
            Stage.SETTLED,
            variants.not_rounded_down,
            possible_at=variants.offers_the_number,
            needs_filing=True,
        ),
        FaultKind(
            "number_settled_late",
            "SETTLE-107",
            Subject.VARIANTS,
            "a wager on the number is settled after the deal",
            Stage.RACK,
            variants.settled_after_the_deal,
            possible_at=variants.shows_when_numbers_are_settled,
            needs_filing=True,
        ),
        FaultKind(
            "hand_limit_ignored",
            "SETTLE-101",
            Subject.VARIANTS,
            "a wager is paid beyond what is left of the limit of its hand",
            Stage.SETTLED,
            variants.limit_of_hand_ignored,
            possible_at=variants.limits_several_wagers,
            needs_filing=True,
        ),
        FaultKind(
            "paid_by_another_table",
            "SETTLE-101",
            Subject.VARIANTS,
            "a wager is paid by a table that is not filed",
            Stage.SETTLED,
            variants.by_another_table,
            possible_at=variants.pays_by_one_of_several_tables,
            needs_filing=True,
        ),
        FaultKind(
            "envy_for_own_area",
            "ENVY-703",
            Subject.VARIANTS,
            "a person is paid an envy bonus for the hand in the own second area",
            Stage.SETTLED,
            variants.envy_for_own_area,
            possible_at=visible.pays_envy,
            needs_filing=True,
        ),
        FaultKind(
            "ace_high_not_placed",
            "WAGER-507",
            Subject.VARIANTS,
            "a mandatory Ace-High wager is missing",
            Stage.WAGERS,
            variants.ace_high_not_placed,
            possible_at=variants.has_to_place_ace_high,
            needs_filing=True,
        ),
        FaultKind(
            "raised_too_much",
            "WAGER-502",
            Subject.ANTE_RAISE,
            "a raise is no one to four times the ante",
            Stage.DEALT,
            ante_raise.raised_too_much,
        ),
        FaultKind(
            "folded_paid",
            "SETTLE-102",
            Subject.ANTE_RAISE,
            "the ante of a folded hand is paid",
            Stage.SETTLED,
            ante_raise.folded_paid,
        ),
        FaultKind(
            "royalty_wrong",
            "SETTLE-101",
            Subject.ANTE_RAISE,
            "an ante royalty is paid by another row",
            Stage.SETTLED,
            ante_raise.royalty_wrong,
        ),
        FaultKind(
            "royalty_unpaid",
            "SETTLE-103",
            Subject.ANTE_RAISE,
            "an ante royalty that is due is not paid",
            Stage.SETTLED,
            ante_raise.royalty_unpaid,
        ),
        FaultKind(
            "royalty_not_due",
            "SETTLE-102",
            Subject.ANTE_RAISE,
            "an ante royalty is paid on a hand that forms none",
            Stage.SETTLED,
            ante_raise.royalty_not_due,
        ),
        FaultKind(
            "royalty_for_a_fold",
            "SETTLE-104",
            Subject.ANTE_RAISE,
            "an ante royalty is paid though nobody raised",
            Stage.SETTLED,
            ante_raise.royalty_for_a_fold,
        ),
        FaultKind(
            "royalty_aggregate_ignored",
            "SETTLE-101",
            Subject.ANTE_RAISE,
            "ante royalties are paid beyond their maximum aggregate",
            Stage.SETTLED,
            ante_raise.royalty_aggregate_ignored,
            possible_at=ante_raise.limits_the_royalty,
        ),
        FaultKind(
            "raise_not_pushed",
            "SETTLE-102",
            Subject.ANTE_RAISE,
            "a raise that pushes is paid",
            Stage.SETTLED,
            ante_raise.raise_not_pushed,
        ),
        FaultKind(
            "ante_pushed",
            "SETTLE-102",
            Subject.ANTE_RAISE,
            "an ante that wins with one of two hands goes back",
            Stage.SETTLED,
            ante_raise.ante_pushed,
        ),
        FaultKind(
            "wrong_eighth_card",
            "SETTLE-102",
            Subject.ANTE_RAISE,
            "a wager on the eighth card is settled by another card of the dealer",
            Stage.SETTLED,
            ante_raise.wrong_eighth_card,
            possible_at=ante_raise.offers_the_eighth_card,
        ),
        FaultKind(
            "eighth_left_out_wrong",
            "HOUSE-402",
            Subject.ANTE_RAISE,
            "the dealer leaves over another card than the house way says",
            Stage.SET,
            ante_raise.eighth_left_out_wrong,
        ),
        FaultKind(
            "left_with_four",
            "DEAL-301",
            Subject.ANTE_RAISE,
            "somebody who folds with a wager on seven cards is dealt four",
            Stage.START,
            ante_raise.left_with_four,
            possible_at=ante_raise.deals_seven_to_the_folded,
        ),
        FaultKind(
            "envy_for_own_hand",
            "ENVY-703",
            Subject.ANTE_RAISE,
            "an envy bonus is paid for one's own hand",
            Stage.SETTLED,
            ante_raise.envy_for_own_hand,
            possible_at=visible.pays_envy,
        ),
        FaultKind(
            "paid_by_table_not_filed",
            "SETTLE-101",
            Subject.ANTE_RAISE,
            "a win is paid by a pay table of the text that is not filed",
            Stage.SETTLED,
            ante_raise.by_another_table,
        ),
        *BONUS_DEAL_KINDS,
        *OF_DRAWN_HANDS,
        *IN_TURN_KINDS,
        *OF_METERS,
        *OF_POKER,
        *PLAY_OR_FOLD_KINDS,
    )
}

RESTS_ON_EARLIER_ROUNDS = frozenset(
    {
        "bank_thrice",
        "bank_twice",
        "bank_after_new_deck",
        "bank_without_wager",
        "bank_offered_elsewhere",
        "stub_not_counted",
        "bonus_stub_not_counted",
        "cards_not_shuffled",
        "shuffled_by_hand",
        "same_backs",
        "deck_not_removed",
        "cards_overdue",
        "dice_overdue",
        "deck_twice_running",
    }
)
"""Faults that show only against the rounds before."""


def kinds_of(games: Sequence[str]) -> dict[str, FaultKind]:
    """The kinds of faults that the first usual tables of these games can show."""
    tables = [
        TablePlan(f"{game}-{number}", game, spelled_out(options), fitted)
        for game in games
        for number, (options, fitted) in enumerate(game_called(game).usual())
    ]
    usual = {name: kind for name, kind in KINDS.items() if not kind.needs_filing}
    return {
        name: kind
        for name, kind in usual.items()
        if any(game_called(table.game).usually_shows(kind.subject) and kind.fits(table) for table in tables)
    }


def inject(stage: Stage, injection: Injection, played: Played, table: Table) -> None:
    """Does the fault asked of the round, if this is its stage and the round gives it an opportunity."""
    if injection.wanted and injection.kind is not None:
        kind = KINDS[injection.kind]
        if kind.stage is stage and kind.change is not None:
            kind.change(injection, played, table)
