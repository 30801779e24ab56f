"""Theory of Massachusetts Pai Gow Poker: the side wagers counted, the pai gow poker wager simulated.

Money comes from the pack's own rules (vigorish, Fortune pay table, payout limit, envy bonus), applied to one stake.
"""

from __future__ import annotations

from analytics.theory.hand_reading import HandReading
from analytics.theory.seven_card_hands import Cited, read_seven_card_hand
from analytics.theory.seven_card_wagers import fortune_wager, house_way_wager
from analytics.theory.side_wagers import side_wager
from analytics.theory.store import CountsStore
from analytics.theory.wager import WagerTheory
from replay.families.split_hands.terms import terms_of
from replay.filing import Filing
from replay.packs.ma.pai_gow_poker.v1.rules import wheel_filed
from replay.packs.ma.pai_gow_poker.v1.side_wagers import royal_match_filed

CITED = Cited("MA-PGP §3(b)(10), §3(e)", "MA-PGP §3(b), §3(e)")


def offered(filing: Filing) -> tuple[str, ...]:
    terms = terms_of(filing)
    counted = {"pai_gow", *(side.name for side in terms.sides)}
    return tuple(wager for wager in filing.pack.data.wagers if wager in counted)


def smallest_stake(filing: Filing, wager: str) -> int:
    terms = terms_of(filing)
    side = terms.side(wager)
    return (side.limits_cents if side is not None else terms.table_limits_cents)[0]


def theory(filing: Filing, wager: str, stake_cents: int, store: CountsStore) -> WagerTheory:
    if wager == "fortune":
        return _fortune(filing, stake_cents, store)
    if wager == "pai_gow":
        return _pai_gow(filing, stake_cents, store)
    return side_wager(filing, wager, stake_cents, store)


def _fortune(filing: Filing, stake_cents: int, store: CountsStore) -> WagerTheory:
    notes = ["the hand is not surrendered under surrendered_bonus: forfeited"]
    if terms_of(filing).payout_limit_cents:
        notes.append("the payout limit (MA-PGP §16(j)) is applied to this wager alone")
    names = ("fortune_paytable", "royal_match", "maximum_payout_cents")
    return fortune_wager(filing, royal_match_filed(filing), stake_cents, store, names, notes)


def _pai_gow(filing: Filing, stake_cents: int, store: CountsStore) -> WagerTheory:
    variant = terms_of(filing).variant
    notes = [
        "dealer and player both set their hands by the house way (rulings.md R-34), nobody surrenders or banks",
        "a win is paid 1 to 1 less the vigorish" if variant.vigorish else "a win is paid 1 to 1 without vigorish",
    ]
    if variant.pushes is not None:
        notes.append(f"the dealer's hand may be {variant.pushes.called} ({variant.pushes.cite})")
    if variant.dealer_first is not None:
        notes.append(f"the dealer's hand lies face up first ({variant.dealer_first}): who plays to it does better")
    names = ("variant", "wheel", "vigorish_rounding")
    return house_way_wager(filing, wheel_filed(filing), stake_cents, store, names, notes)


# ---- one hand --------------------------------------------------------------------------------------------------------


def read_hand(filing: Filing, text: str) -> HandReading:
    """Two cards as a low hand, five as a high hand, seven as dealt."""
    return read_seven_card_hand(filing, text, "pai gow poker", CITED, royal_match_filed(filing))
