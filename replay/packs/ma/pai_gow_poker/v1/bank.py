"""§10: a player who banks the game, alone or with the house.

The print letters its paragraphs (a) to (h) and then (a) to (h) again; those are cited as the second (a) to (h).
"""

from __future__ import annotations

from functools import partial

from replay.checks.areas import AreasLaw
from replay.checks.bank_eligible import BankEligible
from replay.citations import cite
from replay.families.split_hands.law import BankLaw

_ma = partial(cite, "MA-PGP")
BANK = BankLaw(
    wager="bank",
    may=_ma("§10(a)", "offer to all players at a pai gow poker table the opportunity to bank the game"),
    may_share=_ma("§10(e)", "offer the bank the option of having the casino cover 50 percent of the wagers"),
    surplus=_ma("§10 second (d)", "this amount shall be charged a 5 percent vigorish"),
    shortfall=_ma("§10 second (d)", "collect from the bank, an amount equal to the remaining winning wagers"),
    even=_ma(
        "§10 second (d)",
        "all winning wagers, including the dealer's wager, shall be paid by the dealer with the gaming",
    ),
    co_surplus=_ma("§10 second (e)", "the dealer shall place half of this amount into the table inventory container."),
    co_shortfall=_ma("§10 second (e)", "the co-bank, an amount equal to one-half of the remaining winning wagers"),
    co_bank_alone=_ma("§10(e)", "When co-banking is in effect, the dealer may not place a wager against the bank."),
    eligible=BankEligible(
        most_running=1,
        running=_ma("§10(c)", "In no event may any player bank two consecutive rounds of play."),
        offered=_ma("§10(c)", "shall rotate counterclockwise around the table until it returns"),
        not_at_start=_ma("§10(b)", "A player may not be the bank at the start of the game."),
        wagered_before=_ma(
            "§10(d)(1)",
            "The player placed a wager against the dealer during the last round of play in which there was no player "
            "banking the game",
        ),
        funds=_ma("§10(d)(2)", "sufficient gaming chips on the table to cover all of the wagers placed"),
    ),
)
AREAS = AreasLaw(
    most=2,
    cite=_ma("§12(a)", "no more than two betting areas at a pai gow poker table, which areas must be adjacent to each"),
    bank_most=1,
    bank_cite=_ma("§10(f)", "If a player is the bank, the player may only wager on one betting area."),
)
