"""Theory of Supreme Baccarat: all four wagers, counted over every ordered six cards of a full shoe.

Third cards, results and pay tables are the pack's own; nothing is retyped here.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from analytics.theory import baccarat_totals
from analytics.theory.counts import Counts, TheoryError
from analytics.theory.hand_reading import Fact, HandReading, one_hand
from analytics.theory.store import CountsStore, Recipe
from analytics.theory.wager import OutcomeTheory, WagerTheory, net_of
from replay.families.two_hands import drawing
from replay.families.two_hands.law import NO_THIRD
from replay.families.two_hands.limits import limits_of
from replay.families.two_hands.settlement import pay_table
from replay.filing import Filing
from replay.packs.ca.supreme_baccarat.v1 import rules
from replay.ranking import values
from replay.ranking.hands import Cards
from schemas.cards import JOKER_1, NO_CARD, name_of, names_of

LOSES = "loses"
"""The outcome of totals that no row of the pay table names."""

DRAWING = baccarat_totals.Drawing(
    values=values(np.arange(JOKER_1, dtype=np.uint8)),
    player_draws=rules.player_draws,
    banker_draws=rules.banker_draws,
    no_third=NO_THIRD,
)
NOTES = (
    "the first round of a full shoe, and any later one as long as nobody counts which cards are gone",
    "the player-dealer's posted wager covers everything (rulings.md R-28), and collection fees are not counted",
)


def offered(filing: Filing) -> tuple[str, ...]:
    return tuple(filing.pack.data.wagers)


def smallest_stake(filing: Filing, wager: str) -> int:
    return limits_of(filing, filing.pack.fees[filing.text("schedule")], wager)[0]


def recipe(decks: int) -> Recipe:
    return baccarat_totals.recipe("supreme-baccarat", DRAWING, decks)


def theory(filing: Filing, wager: str, stake_cents: int, store: CountsStore) -> WagerTheory:
    counts = store.get(recipe(filing.number("decks")))
    return WagerTheory(
        filing,
        wager,
        stake_cents,
        {"decks": filing.options["decks"]},
        counts,
        _outcomes(filing, wager, stake_cents, counts),
        NOTES,
        filing.pack.paytables[wager],
    )


def _outcomes(filing: Filing, wager: str, stake_cents: int, counts: Counts) -> tuple[OutcomeTheory, ...]:
    table = filing.pack.paytables[wager]
    if table.pays != "to 1":
        raise TheoryError(f"pay table {table.id} pays {table.pays!r}; Supreme Baccarat is settled 'to 1'")
    pay_table(filing.pack, rules.LAW)  # an error where two rows apply to the same totals, or a row names no result
    banker, player = np.meshgrid(np.arange(10, dtype=np.uint8), np.arange(10, dtype=np.uint8))
    left = set(counts.outcomes)
    outcomes = []
    for row in table.rows:
        reached = {baccarat_totals.name_of(*at) for at in np.argwhere(rules.RESULTS[row.hand](player, banker)).tolist()}
        left -= reached
        numerator, denominator = row.pays()
        paid = stake_cents * numerator // denominator  # fractions of a cent round down (rulings.md R-39)
        count = sum(counts.outcomes[name] for name in reached)
        outcomes.append(OutcomeTheory(row.hand, count, net_of(paid, stake_cents, loses=False)))
    lost = sum(counts.outcomes[name] for name in left)
    return (*outcomes, OutcomeTheory(LOSES, lost, net_of(0, stake_cents, loses=True)))


# ---- one round of cards ----------------------------------------------------------------------------------------------


def read_hand(filing: Filing, text: str) -> HandReading:
    """One hand of two or three cards, or both as `PLAYER / BANKER`."""
    written = text.split("/")
    if len(written) > 2:
        raise TheoryError(f"{text!r}: write one hand, or the Player's and the Banker's with one / between them")
    hands = [one_hand(part) for part in written]
    _check_cards(filing, text, hands)
    totals = [(hand, int(drawing.total(hand)[0])) for hand in hands]
    cards = " / ".join(names_of(hand[0].tolist()) for hand in hands)
    if len(hands) == 1:
        return HandReading(filing, cards, (_total_fact("total", "Total", *totals[0]),))
    player, banker = (np.pad(hand, ((0, 0), (0, 3 - hand.shape[1])), constant_values=NO_CARD) for hand in hands)
    facts = [
        _total_fact("player_hand", "Player", *totals[0]),
        _total_fact("banker_hand", "Banker", *totals[1]),
    ]
    if drawing.fits(rules.LAW.drawing, player, banker)[0]:
        facts.append(Fact("third_cards", "Third cards", "as the rules say", cite=str(rules.DRAWING)))
    else:
        wrong = drawing.explain(rules.LAW.drawing, player, banker)
        facts.append(Fact("third_cards", "Third cards", f"wrong: {wrong.sentence}", cite=str(wrong.cite)))
    at = np.array([totals[0][1]], np.uint8), np.array([totals[1][1]], np.uint8)
    for wager, title in ((name, data.title) for name, data in filing.pack.data.wagers.items()):
        table = filing.pack.paytables[wager]
        row = next((row for row in table.rows if rules.RESULTS[row.hand](*at)[0]), None)
        if row is None:
            facts.append(Fact(wager, title, "loses", cite=str(table.cite)))
        else:
            pays = "push" if row.odds == "push" else "wins {} to {}".format(*row.pays())
            facts.append(Fact(wager, title, pays, cite=str(row.cite or table.cite)))
    return HandReading(filing, cards, tuple(facts))


def _total_fact(key: str, label: str, hand: Cards, total: int) -> Fact:
    natural = ", a natural" if total >= 8 and hand.shape[1] == 2 else ""
    return Fact(key, label, f"{total}{natural}", names_of(hand[0].tolist()), "CA Supreme Baccarat, Value of Cards")


def _check_cards(filing: Filing, text: str, hands: list[Cards]) -> None:
    for hand in hands:
        if hand.shape[1] not in (2, 3):
            raise TheoryError(
                f"{text!r}: a baccarat hand is two or three cards, not {hand.shape[1]}; "
                "write both hands as PLAYER / BANKER"
            )
    held = Counter(code for hand in hands for code in hand[0].tolist())
    for code, times in held.items():
        if code >= JOKER_1:
            raise TheoryError(f"{text!r}: {name_of(code)} is a joker, and Supreme Baccarat is played without")
        if times > filing.number("decks"):
            raise TheoryError(
                f"{text!r}: {name_of(code)} comes {times} times, and the shoe has {filing.number('decks')}"
            )
