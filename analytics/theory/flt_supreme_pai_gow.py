"""Theory of FLT-SPG's Supreme Pai Gow: every wager by pay table counted, ante and raise simulated.

Money comes from the pay tables and the aggregate limits that are filed, applied to one stake.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from analytics.theory import eight_card_duel
from analytics.theory.counts import TheoryError
from analytics.theory.hand_reading import Fact, HandReading, checked_hand
from analytics.theory.store import CountsStore
from analytics.theory.table_theory import CountedBy, TableTheory, counted_by
from analytics.theory.wager import EnvyTheory, OutcomeTheory, WagerTheory, net_of
from replay.families.ante_raise.law import JudgedOn
from replay.families.ante_raise.terms import Paid, Side, Terms, terms_of
from replay.filing import Filing, Paytable
from replay.ranking import Wheel, all_splits, check_hands, house_way, rank_five, rank_two, strength_in_words
from replay.ranking.hands import Cards
from schemas.cards import names_of

_SIZES = {2: "two cards (low)", 5: "five (high)", 7: "seven (as dealt)", 8: "the dealer's eight"}
_WHEEL = Wheel.SECOND_HIGHEST  # rulings.md R-12
_RANKED, _SET, _SET_EIGHT = "rulings.md R-11, R-12", "rulings.md R-34", "rulings.md R-36"


def offered(filing: Filing) -> tuple[str, ...]:
    terms = terms_of(filing)
    law = terms.law
    there = {law.ante, law.raised.name, law.royalty.name, *(side.name for side in terms.sides)}
    return tuple(wager for wager in filing.pack.data.wagers if wager in there)


def smallest_stake(filing: Filing, wager: str) -> int:
    """Of the royalty, the smallest ante: it has no stake of its own (rulings.md R-22)."""
    terms = terms_of(filing)
    side = _side(terms, wager)
    return (side.limits_cents if side is not None else terms.table_limits_cents)[0]


def _side(terms: Terms, wager: str) -> Side | None:
    return next((side for side in terms.sides if side.name == wager), None)


def theory(filing: Filing, wager: str, stake_cents: int, store: CountsStore) -> WagerTheory:
    terms = terms_of(filing)
    law, side = terms.law, _side(terms, wager)
    if wager in (law.ante, law.raised.name):
        return _on_hands(filing, wager, stake_cents, store)
    if wager == law.royalty.name:
        notes = (
            "it has no stake of its own (rulings.md R-22): what it nets is what it adds to an ante that is raised",
        )
        return _by_table(filing, wager, law.royalty.table(filing), terms.royalty, stake_cents, store, notes)
    name = None if side is None else side.law.table(filing)
    if side is None or name is None:
        raise TheoryError(f"{filing.pack.id}: this filing does not offer the wager {wager}")
    made = _by_table(filing, wager, name, side.paid, stake_cents, store, ())
    return replace(made, envy=_envy(side, filing.pack.paytables[name], store, stake_cents))


def _by_table(
    filing: Filing, wager: str, name: str, paid: Paid, stake_cents: int, store: CountsStore, notes: tuple[str, ...]
) -> WagerTheory:
    table = filing.pack.paytables[name]
    one = TableTheory.of(table, store)
    limit = paid.limit.cents if paid.limit is not None else 0
    if limit:
        notes = (*notes, f"the maximum aggregate ({paid.limit and paid.limit.law.cite}) is applied to this wager alone")
    if counted_by(table) is CountedBy.INSURANCE:
        notes = (*notes, "the joker is an ace without a suit and nothing else (rulings.md R-19)")
    if counted_by(table) is CountedBy.EIGHTH_CARD:
        notes = (*notes, "the dealer sets the eight cards by the house way (rulings.md R-36)")
    options = {option: value for option, value in filing.options.items() if option.startswith(_options_of(wager))}
    outcomes = one.outcomes(stake_cents, None, limit)
    meters = one.meter_theories(stake_cents)
    return WagerTheory(filing, wager, stake_cents, options, one.counts, outcomes, notes, table, None, meters)


def _options_of(wager: str) -> str:
    return "eighth_card_" if wager.startswith("eighth_") else f"{wager}_"


def _envy(side: Side, table: Paytable, store: CountsStore, stake_cents: int) -> EnvyTheory | None:
    law = side.law.envy
    if law is None or side.law.judged_on is not JudgedOn.OWN_CARDS:
        return None
    one = TableTheory.of(table, store)
    paid = tuple((row.hand, one.rows[row.hand], row.envy) for row in table.rows if row.envy)
    return EnvyTheory(paid, one.total, stake_cents >= law.least_cents)


# ---- ante and raise --------------------------------------------------------------------------------------------------


def _on_hands(filing: Filing, wager: str, stake_cents: int, store: CountsStore) -> WagerTheory:
    """By how many hands are beaten: "the Ante wager wins and is paid 1 to 1 and the Raise wager pushes" with one."""
    law = terms_of(filing).law
    counts = store.get(eight_card_duel.recipe(law.beats, _WHEEL))
    with_one = stake_cents if wager == law.ante else 0
    paid = dict(zip(eight_card_duel.BEATEN, (0, with_one, stake_cents), strict=True))
    outcomes = tuple(
        OutcomeTheory(name, count, net_of(paid[name], stake_cents, loses=name == eight_card_duel.BEATEN[0]))
        for name, count in counts.outcomes.items()
    )
    notes = (
        "every hand is raised, whatever its first four cards are, and set by the house way (rulings.md R-34); the "
        "dealer's eight cards by R-36",
        "the ante royalty is figured apart",
    )
    return WagerTheory(filing, wager, stake_cents, {}, counts, outcomes, notes)


# ---- one hand --------------------------------------------------------------------------------------------------------


def read_hand(filing: Filing, text: str) -> HandReading:
    """Two cards as a low hand, five as a high hand, seven as dealt, eight as the dealer's."""
    cards = checked_hand(text, "Supreme Pai Gow", _SIZES, check_hands)
    match cards.shape[1]:
        case 2:
            facts = [Fact("low", "Low hand", _low(cards), cite=_RANKED)]
        case 5:
            facts = [Fact("high", "High hand", _high(cards), cite=_RANKED)]
        case 7:
            facts = [*_seven(terms_of(filing), filing, cards), *_setting(house_way(cards, _WHEEL), _SET)]
        case _:
            setting = terms_of(filing).law.ranking.house_way(cards)
            left = names_of(setting[0, 7:].tolist())
            facts = [*_setting(setting, _SET_EIGHT), Fact("eighth", "Left over", left, left, _SET_EIGHT)]
    return HandReading(filing, names_of(cards[0].tolist()), tuple(facts))


def _seven(terms: Terms, filing: Filing, cards: Cards) -> list[Fact]:
    """The best five, and what each pay table filed pays for the seven."""
    _, fives = all_splits(cards)
    best = np.ascontiguousarray(fives[0, int(rank_five(np.ascontiguousarray(fives[0]), _WHEEL).argmax())])[None]
    facts = [Fact("best_five", "Best five", _high(best), _names(best), _RANKED)]
    law = terms.law
    paid = [(law.royalty.name, law.royalty.title, law.royalty.table(filing), terms.royalty)]
    own = [side for side in terms.sides if side.on_own_cards]
    paid += [(side.name, side.law.title, side.law.table(filing) or "", side.paid) for side in own]
    for name, title, table, of in paid:
        number = int(of.classes.of(cards)[0])
        printed = filing.pack.paytables[table]
        if number == of.nothing:
            facts.append(Fact(name, title, "nothing", cite=str(printed.cite)))
        else:
            row = printed.rows[number]
            pays = "push" if row.odds == "push" else printed.payout_in_words(row)
            facts.append(Fact(name, title, f"{of.class_in_words(number)}: {pays}", cite=str(row.cite)))
    return facts


def _setting(setting: Cards, cite: str) -> list[Fact]:
    low, high = np.ascontiguousarray(setting[:, :2]), np.ascontiguousarray(setting[:, 2:7])
    return [
        Fact("house_way_low", "House way, low", _low(low), _names(low), cite),
        Fact("house_way_high", "House way, high", _high(high), _names(high), cite),
    ]


def _low(cards: Cards) -> str:
    return strength_in_words(int(rank_two(cards)[0]))


def _high(cards: Cards) -> str:
    return strength_in_words(int(rank_five(cards, _WHEEL)[0]))


def _names(cards: Cards) -> str:
    return names_of(cards[0].tolist())
