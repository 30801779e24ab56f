"""What goes wrong where an ante is played or folded against a player-dealer who has to qualify."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.simulator.faults.fault_kind import FaultKind
from ingest.simulator.faults.injection import Injection, Stage
from ingest.simulator.faults.money import of
from ingest.simulator.faults.subjects import Subject
from ingest.simulator.games.three_card_poker_6_card_bonus.rules import (
    PAIR_PLUS_ODDS,
    button_seat,
    pair_plus_class,
    qualifies,
    three_card_key,
)
from ingest.simulator.plan import TablePlan
from ingest.simulator.played import Settled, SplitPlayed
from ingest.simulator.voice import LAYOUT, Say

if TYPE_CHECKING:
    from ingest.simulator.games.three_card_poker_6_card_bonus.game import ThreeCardTable

ANTE, PLAY, PAIR_PLUS, SIX = "ante", "play", "pair_plus", "six_card_bonus"


def shows_the_third_card(table: TablePlan) -> bool:
    return table.equipment.camera or table.equipment.shoe_reads


def not_equal(injection: Injection, played: SplitPlayed, table: ThreeCardTable) -> None:
    plays = [bet for bet in played.bets if bet.wager == PLAY]
    if plays:
        bet = table.rng.choice(plays)
        ante, bet.cents = bet.cents, table.rng.choice((bet.cents + 500, 2 * bet.cents, bet.cents - 100))
        injection.done(f"{bet.cents} cents played on an ante of {ante}", bet.seat, PLAY)


def posted_nothing(injection: Injection, played: SplitPlayed, table: ThreeCardTable) -> None:
    if played.bank is not None:
        played.bank.posted_cents = 0
        injection.done("the player-dealer has posted nothing", played.bank.seat)


def fold_paid(injection: Injection, played: SplitPlayed, table: ThreeCardTable) -> None:
    """The ante of a hand that was folded is paid."""
    lost = [each for each in of(played, "lose", wager=ANTE) if not table.has_played(played, each.bet)]
    if lost and table.room_cents(played) is not None:
        each = table.rng.choice(lost)
        _pay(each, each.bet.cents)
        injection.done(f"{each.paid_cents} cents paid on a hand that was folded", each.bet.seat, ANTE)


def forfeit_waived(injection: Injection, played: SplitPlayed, table: ThreeCardTable) -> None:
    """A Pair Plus wager that a fold forfeits is paid by its cards."""
    room = table.room_cents(played)
    for each in of(played, "lose", wager=PAIR_PLUS):
        name = pair_plus_class(played.hands[each.bet.seat])
        if room is None or name is None or table.has_played(played, each.bet):
            continue
        cents = PAIR_PLUS_ODDS[name] * each.bet.cents
        if cents - each.taken_cents <= room:
            _pay(each, cents)
            injection.done(f"{cents} cents paid though the hand was folded", each.bet.seat, PAIR_PLUS)
            return


def bonus_forfeited(injection: Injection, played: SplitPlayed, table: ThreeCardTable) -> None:
    """A 6 Card Bonus that a fold does not forfeit, and that wins, is taken with the ante."""
    if table.room_cents(played) is None:
        return
    for each in of(played, "win", wager=SIX):
        if not table.has_played(played, each.bet) and each.paid_cents >= each.bet.cents:
            right = each.paid_cents
            each.outcome, each.paid_cents, each.taken_cents = "lose", 0, each.bet.cents
            injection.done(f"taken with the fold, it wins {right} cents", each.bet.seat, SIX)
            return


def compared_all_the_same(injection: Injection, played: SplitPlayed, table: ThreeCardTable) -> None:
    """The player-dealer does not qualify, and a Play wager is settled as if that made no difference."""
    against, room = played.hands[table.turns.seat], table.room_cents(played)
    for each in of(played, "no_action", wager=PLAY) if room is not None and not qualifies(against) else ():
        own, other = three_card_key(played.hands[each.bet.seat]), three_card_key(against)
        if each.bet.cents <= (room or 0) and own != other:
            paid, taken = (each.bet.cents, 0) if own > other else (0, each.bet.cents)
            each.outcome, each.paid_cents, each.taken_cents = "win" if paid else "lose", paid, taken
            injection.done("settled though the player-dealer does not qualify", each.bet.seat, PLAY)
            return


def button_by_another_card(injection: Injection, played: SplitPlayed, table: ThreeCardTable) -> None:
    """The player-dealer's first or second card decides where the button goes; nobody's money depends on it."""
    bank = table.turns.seat
    others = [card for card in played.hands[bank][:-1] if card >> 2 != table.third_card(played) >> 2]
    if others and table.room_cents(played) is not None:
        played.button_card = table.rng.choice(others)
        table.settle_from(played, button_seat(played.button_card, bank, table.last_seat))
        injection.done(f"the button lies at seat {played.button} by another card")


def folded_then_played(injection: Injection, played: SplitPlayed, table: ThreeCardTable) -> None:
    """A hand is given back, and then its player puts chips on Play; they go back."""
    for at, say in enumerate(played.says):
        seat = say.data.get("seat")
        if say.type == "player.acted" and say.data["action"] == "fold" and "bettor" not in say.data:
            where = {"seat": seat, "wager": PLAY}
            cents = played.cents(int(str(seat)), ANTE)
            refund = Say("wager.settled", where | {"outcome": "no_action", "paid_cents": 0, "taken_cents": 0})
            played.says.insert(at + 1, Say("wager.placed", where | {"amount_cents": cents}, LAYOUT))
            played.says.insert(len(played.says) - 1, refund)
            injection.done("played after the fold", int(str(seat)), PLAY)
            return


def _pay(each: Settled, cents: int) -> None:
    each.outcome, each.paid_cents, each.taken_cents = "win", cents, 0


PLAY_OR_FOLD_KINDS = (
    FaultKind(
        "play_not_equal",
        "WAGER-502",
        Subject.PLAY_OR_FOLD,
        "a Play wager is not as much as the Ante",
        Stage.START,
        not_equal,
    ),
    FaultKind(
        "posted_nothing",
        "BANK-804",
        Subject.PLAY_OR_FOLD,
        "the player-dealer has posted nothing",
        Stage.FEES,
        posted_nothing,
    ),
    FaultKind(
        "fold_paid",
        "SETTLE-102",
        Subject.PLAY_OR_FOLD,
        "the Ante of a folded hand is paid",
        Stage.SETTLED,
        fold_paid,
    ),
    FaultKind(
        "forfeit_waived",
        "SETTLE-102",
        Subject.PLAY_OR_FOLD,
        "a bonus bet that a fold forfeits is paid",
        Stage.SETTLED,
        forfeit_waived,
    ),
    FaultKind(
        "bonus_forfeited",
        "SETTLE-102",
        Subject.PLAY_OR_FOLD,
        "a bonus bet that survives a fold is taken with it",
        Stage.SETTLED,
        bonus_forfeited,
    ),
    FaultKind(
        "compared_all_the_same",
        "SETTLE-102",
        Subject.PLAY_OR_FOLD,
        "a Play wager is settled though the player-dealer does not qualify",
        Stage.SETTLED,
        compared_all_the_same,
    ),
    FaultKind(
        "button_by_another_card",
        "BUTTON-805",
        Subject.PLAY_OR_FOLD,
        "the action button is put down by another of the player-dealer's cards",
        Stage.SETTLED,
        button_by_another_card,
        possible_at=shows_the_third_card,
    ),
    FaultKind(
        "folded_then_played",
        "WAGER-508",
        Subject.PLAY_OR_FOLD,
        "a hand is folded and then played",
        Stage.RACK,
        folded_then_played,
    ),
)
