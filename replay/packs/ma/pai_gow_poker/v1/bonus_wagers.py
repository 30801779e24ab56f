"""The three-card and the seven-card bonus wager of §17 and §18, and the counting of the stub where they are offered."""

from __future__ import annotations

from functools import partial

from replay.citations import cite
from replay.families.split_hands.law import Dealing, StubLaw
from replay.families.split_hands.wager_law import JudgedOn, RoundLimit, SideWager
from replay.packs.ma.pai_gow_poker.v1.side_wagers import TABLE_LIMITS, paytable_filed
from replay.ranking import Game, RowClasses, class_names, row_classes

_THREE = RowClasses(Game.THREE_CARD_BONUS, class_names(Game.THREE_CARD_BONUS))
_ma = partial(cite, "MA-PGP")
_offered_with_pai_gow = partial(
    SideWager,
    needs=_ma("§7(f)", "upon placing a pai gow poker wager and prior to any cards being dealt for the round of play"),
    limits=TABLE_LIMITS,
    rearranges=False,
    keeps_premium=False,
    limited=False,  # §16(j) is about §16(b) to (i)
)


THREE_CARD_BONUS = _offered_with_pai_gow(
    name="three_card_bonus",
    title="three-card bonus wager",
    judged_on=JudgedOn.FIRST_CARDS,
    classes=_THREE.names,
    class_of=lambda filing, choice: _THREE.of,
    table=lambda filing: "three-card-bonus" if filing.text("three_card_bonus") == "offered" else None,
    loses=_ma("§17(f)", "shall collect all three-card bonus wagers from players with losing three-card hands"),
    settled_before_more_cards=_ma("§17(g)", "each three-card bonus wager has been resolved in accordance with this"),
    losing_first=_ma("§17(f)", "and then pay all winning three-card bonus wagers in accordance with the payouts"),
)
SEVEN_CARD_BONUS = _offered_with_pai_gow(
    name="seven_card_bonus",
    title="seven-card bonus wager",
    judged_on=JudgedOn.OWN_CARDS,
    printed_rows=row_classes,  # whether a straight flush has the joker is asked in Table B only (§3(g))
    table=paytable_filed("seven_card_bonus_paytable", "seven-card-bonus"),
    loses=_ma("§9(g)", "seven-card bonus wagers and progressive payout wagers shall be immediately collected"),
    bars_surrender=_ma("§9(e)", "or a seven-card bonus wager pursuant to Section 17, a player may announce"),
    round_limit=RoundLimit(
        "seven_card_bonus_maximum_payout_cents",
        5_000_000,  # "at least $50,000"
        "MA-PGP §18(d)",
        _ma("§18(d)", "establish a maximum payout amount as approved by the Commission that is payable to a player"),
    ),
)
STUB_COUNTED = StubLaw(
    5,
    _ma("§17(h)", "count the stub at least once every five rounds of play"),
    frozenset({Dealing.BONUS_SHOE, Dealing.BONUS_HAND}),
)
