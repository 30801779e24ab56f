"""Theory of Massachusetts Pai Gow Poker: the side wagers counted, the pai gow poker wager simulated.

Money comes from the pack's own rules (vigorish, Fortune pay table, payout limit, envy bonus), applied to one stake.
"""

from __future__ import annotations

import numpy as np

from analytics.theory import house_way_duel, seven_cards
from analytics.theory.counts import TheoryError
from analytics.theory.hand_reading import Fact, HandReading, one_hand
from analytics.theory.side_wagers import side_wager
from analytics.theory.store import CountsStore
from analytics.theory.wager import EnvyTheory, OutcomeTheory, WagerTheory, net_of
from replay.families.split_hands.terms import Terms, terms_of
from replay.filing import Filing, Paytable
from replay.money.envy import qualifies
from replay.money.paytable import class_pays
from replay.money.results import LOSES, TIES, WINS
from replay.packs.ma.pai_gow_poker.v1.rules import LAW, wheel_filed
from replay.packs.ma.pai_gow_poker.v1.side_wagers import FORTUNE, royal_match_filed
from replay.ranking import (
    FORTUNE_CLASS_NAMES,
    HOUSE_WAY_RULES,
    all_splits,
    check_hands,
    fortune_class,
    house_way_rule,
    rank_two,
    strength_in_words,
)
from replay.ranking.hands import Cards
from schemas.cards import names_of

RESULTS = ("loses", "ties", "wins")
"""Names of LOSES, TIES and WINS, at their numbers."""


def offered(filing: Filing) -> tuple[str, ...]:
    terms = terms_of(filing)
    counted = {side.name for side in terms.sides}
    if terms.variant.pushes is None:  # the duels counted know of no hand of the dealer's at which all push
        counted.add("pai_gow")
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
    terms = terms_of(filing)
    side = terms.side("fortune")
    if side is None:
        raise TheoryError(f"{filing.pack.id}: no Fortune wager is offered (option fortune_paytable: none)")
    table, envy_law = side.table, side.law.envy
    counts = store.get(seven_cards.recipe(royal_match_filed(filing)))
    classes = np.arange(len(FORTUNE_CLASS_NAMES), dtype=np.uint8)
    stakes = np.full(len(classes), stake_cents, np.int64)
    paid, result = class_pays(stakes, classes, table, terms.payout_limit_cents)
    outcomes = tuple(
        OutcomeTheory(name, count, net_of(int(cents), stake_cents, loses=how == LOSES))
        for (name, count), cents, how in zip(counts.outcomes.items(), paid, result, strict=True)
    )
    assert envy_law is not None
    gives_envy = classes <= envy_law.lowest_class
    envy = EnvyTheory(
        tuple(
            (name, counts.outcomes[name], int(table.envy_cents[number]))
            for number, name in enumerate(FORTUNE_CLASS_NAMES)
            if gives_envy[number] and table.envy_cents[number]
        ),
        counts.total,
        bool(qualifies(np.array([stake_cents]), envy_law.least_cents)[0]),
    )
    notes = [
        "own hand only: envy bonuses are figured apart, a hand of another player at a time",
        "the hand is not surrendered under surrendered_bonus: forfeited",
    ]
    if terms.payout_limit_cents:
        notes.append("the payout limit (MA-PGP §16(j)) is applied to this wager alone")
    return WagerTheory(
        filing,
        "fortune",
        stake_cents,
        {name: filing.options[name] for name in ("fortune_paytable", "royal_match", "maximum_payout_cents")},
        counts,
        outcomes,
        tuple(notes),
        _paytable(filing),
        envy,
    )


def _pai_gow(filing: Filing, stake_cents: int, store: CountsStore) -> WagerTheory:
    terms = terms_of(filing)
    if terms.variant.pushes is not None:
        raise TheoryError(
            f"{filing.pack.id}: the pai gow poker wager is counted for the standard game only, not where all push at "
            f"one of the dealer's hands (option variant: {filing.text('variant')}); ask for variant: standard"
        )
    counts = store.get(house_way_duel.recipe(LAW.compare, RESULTS, wheel_filed(filing)))
    won = stake_cents - int(terms.vigorish(np.array([stake_cents]))[0])
    paid = {RESULTS[LOSES]: 0, RESULTS[TIES]: 0, RESULTS[WINS]: won}
    outcomes = tuple(
        OutcomeTheory(name, count, net_of(paid[name], stake_cents, loses=name == RESULTS[LOSES]))
        for name, count in counts.outcomes.items()
    )
    return WagerTheory(
        filing,
        "pai_gow",
        stake_cents,
        {name: filing.options[name] for name in ("wheel", "vigorish_rounding")},
        counts,
        outcomes,
        (
            "dealer and player both set their hands by the house way (rulings.md R-34), nobody surrenders or banks",
            "a win is paid 1 to 1 less the vigorish",
        ),
    )


def _paytable(filing: Filing) -> Paytable:
    table = FORTUNE.table(filing)
    assert table is not None, "asked only where the wager is offered"
    return filing.pack.paytables[table]


# ---- one hand --------------------------------------------------------------------------------------------------------


def read_hand(filing: Filing, text: str) -> HandReading:
    """Two cards as a low hand, five as a high hand, seven as dealt."""
    cards, terms = one_hand(text), terms_of(filing)
    if cards.shape[1] not in (2, 5, 7):
        raise TheoryError(
            f"{text!r}: a pai gow poker hand is two cards (low), five (high) or seven (as dealt), not {cards.shape[1]}"
        )
    try:
        check_hands(cards, cards.shape[1])
    except ValueError as error:
        raise TheoryError(f"{text!r}: {str(error).removeprefix('hand 0, ').removeprefix('hand 0 ')}") from error
    if cards.shape[1] == 2:
        facts = [Fact("low", "Low hand", _low(cards), cite="MA-PGP §3(b)(10), §3(e)")]
    elif cards.shape[1] == 5:
        facts = [Fact("high", "High hand", _high(cards, terms), cite="MA-PGP §3(b), §3(e)")]
    else:
        facts = _seven(filing, terms, cards)
    return HandReading(filing, names_of(cards[0].tolist()), tuple(facts))


def _seven(filing: Filing, terms: Terms, cards: Cards) -> list[Fact]:
    _, fives = all_splits(cards)
    best = np.ascontiguousarray(fives[0, int(terms.ranking.high(np.ascontiguousarray(fives[0])).argmax())])[None]
    facts = [Fact("best_five", "Best five", _high(best, terms), _names(best), "MA-PGP §3(b), §3(e)")]
    number = int(fortune_class(cards, royal_match_filed(filing))[0])
    side = terms.side("fortune")
    if side is not None:
        row = next((row for row in _paytable(filing).rows if row.hand == FORTUNE_CLASS_NAMES[number]), None)
        if row is None:
            pays = "loses"
        else:
            numerator, denominator = row.pays()
            pays = "push" if row.odds == "push" else f"pays {numerator:,} to {denominator}"
        facts.append(
            Fact("fortune", "Fortune", f"{side.law.class_in_words(number)}: {pays}", cite=str(side.table.cites[number]))
        )
    setting = terms.ranking.house_way(cards)
    low, high = np.ascontiguousarray(setting[:, :2]), np.ascontiguousarray(setting[:, 2:])
    rule = HOUSE_WAY_RULES[int(house_way_rule(cards)[0])]
    return [
        *facts,
        Fact("house_way_low", "House way, low", _low(low), _names(low), rule.cite),
        Fact("house_way_high", "House way, high", _high(high, terms), _names(high), rule.cite),
        Fact("house_way_rule", "By the rule", f"{rule.name}: “{rule.text}”", cite=rule.cite),
    ]


def _low(cards: Cards) -> str:
    return strength_in_words(int(rank_two(cards)[0]))


def _high(cards: Cards, terms: Terms) -> str:
    return strength_in_words(int(terms.ranking.high(cards)[0]))


def _names(cards: Cards) -> str:
    return names_of(cards[0].tolist())
