"""Theory of Pure 21.5 Blackjack: insurance counted, the wager on a hand and its double simulated for one way to play.

Charts, results and pay tables are the pack's own; nothing is retyped here.
"""

from __future__ import annotations

from collections import Counter

import numpy as np

from analytics.theory import drawn_hands
from analytics.theory.counts import Counts, TheoryError
from analytics.theory.hand_reading import Fact, HandReading, one_hand
from analytics.theory.store import CountsStore, Recipe
from analytics.theory.wager import OutcomeTheory, WagerTheory, net_of
from replay.families.blackjack import drawing
from replay.families.blackjack.law import INSURED_NATURAL, Counted
from replay.families.blackjack.terms import terms_of
from replay.filing import Filing
from replay.packs.ca.pure_21_5_blackjack.v1.rules import LAW
from replay.rounds import Cards
from schemas.cards import JOKER_1, NO_CARD, name_of, names_of

LOSES = "loses"
_ACES, _BONUS, _DECK = 4, 16, 52
_COVERED = (
    "the first round of a full shoe, and any later one as long as nobody counts which cards are gone",
    "the player-dealer's posted wager covers everything (rulings.md R-28), and collection fees are not counted",
)
_PLAYED = (
    "hands are played by the charts; between them soft 17 or less is hit, hard 12 to 16 against a seven or more and "
    "hard 12 against a two or three; nothing is doubled, split, surrendered or insured"
)
_DOUBLED = "what is doubled are two cards of hard 9, 10 or 11, for the whole wager"


def _counted(hand: drawn_hands.Hand) -> Counted:
    return Counted(hand.totals, hand.three_eights)


def rules() -> drawn_hands.Rules:
    every = {**LAW.results, **{name: holds for name, (holds, _) in LAW.lost.items()}}
    results = {
        name: (lambda one, other, holds=holds: holds(_counted(one), _counted(other))) for name, holds in every.items()
    }
    chart = LAW.players
    return drawn_hands.Rules(results, chart.must_hit, chart.must_stand, LAW.player_dealer.must_hit)


def recipe(decks: int, doubled: bool) -> Recipe:
    return drawn_hands.recipe("pure-21-5", rules(), decks, doubled)


def offered(filing: Filing) -> tuple[str, ...]:
    return LAW.kinds


def smallest_stake(filing: Filing, wager: str) -> int:
    """Of insurance, half of the smallest wager; a double is $10 at least."""
    lowest = terms_of(filing).limits_cents[0]
    if wager == LAW.insurance.name:
        return int(LAW.insuring.most(np.array([lowest]))[0])
    return max(lowest, LAW.doubling.least_cents) if wager == LAW.double.name else lowest


def theory(filing: Filing, wager: str, stake_cents: int, store: CountsStore) -> WagerTheory:
    decks, table = filing.number("decks"), filing.pack.paytables[wager]
    doubled, notes = wager == LAW.double.name, list(_COVERED)
    if wager == LAW.insurance.name:
        counts = insured(decks)
    else:
        counts = store.get(recipe(decks, doubled))
        notes.append(_DOUBLED if doubled else _PLAYED)
    rows = {row.hand: row for row in table.rows}
    outcomes = []
    for name, count in counts.outcomes.items():
        loses = name not in rows
        numerator, denominator = (0, 1) if loses else rows[name].pays()
        paid = stake_cents * numerator // denominator  # fractions of a cent round down (rulings.md R-39)
        outcomes.append(OutcomeTheory(name, count, net_of(paid, stake_cents, loses=loses)))
    options = {"decks": filing.options["decks"]}
    return WagerTheory(filing, wager, stake_cents, options, counts, tuple(outcomes), tuple(notes), table)


def insured(decks: int) -> Counts:
    """Every card that can be down under every ace that can be up."""
    aces, cards = _ACES * decks, _DECK * decks
    won = aces * _BONUS * decks
    outcomes = {INSURED_NATURAL: won, LOSES: aces * (cards - 1) - won}
    inputs: dict[str, str | int] = {"method": "an ace up and another card down", "decks": decks}
    return Counts("pure-21-5-insurance", f"pairs of an ace up and a card down of {cards}", inputs, outcomes)


# ---- one hand --------------------------------------------------------------------------------------------------------


def read_hand(filing: Filing, text: str) -> HandReading:
    """One hand, or a player's and the player-dealer's as `PLAYER / PLAYER-DEALER`."""
    written = text.split("/")
    if len(written) > 2:
        raise TheoryError(f"{text!r}: write one hand, or a player's and the player-dealer's with one / between them")
    hands = [one_hand(part) for part in written]
    _check_cards(filing, text, hands)
    cards = " / ".join(names_of(hand[0].tolist()) for hand in hands)
    if len(hands) == 1:
        return HandReading(filing, cards, (_total("total", "Total", hands[0]), _chart(hands[0])))
    player, dealer = (drawing.counted(hand) for hand in hands)
    facts = [_total("player", "Player", hands[0]), _total("player_dealer", "Player-dealer", hands[1])]
    table = filing.pack.paytables[LAW.base.name]
    rows = {row.hand: row for row in table.rows}
    for name, holds in LAW.results.items():
        if holds(player, dealer)[0]:
            row = rows[name]
            pays = "push" if row.odds == "push" else "wins {} to {}".format(*row.pays())
            facts.append(Fact(LAW.base.name, table.title, pays, cite=str(row.cite or table.cite)))
    for holds, cited in LAW.lost.values():
        if holds(player, dealer)[0]:
            facts.append(Fact(LAW.base.name, table.title, "loses", cite=str(cited)))
    return HandReading(filing, cards, tuple(facts))


def _total(key: str, label: str, hand: Cards) -> Fact:
    totals = drawing.counted(hand).totals
    said = (
        "Pure 21.5 Blackjack"
        if totals.natural[0]
        else f"{'soft' if totals.soft[0] else 'hard'} {totals.halves[0] // 2}"
    )
    over = ", over" if totals.bust[0] else ""
    return Fact(key, label, f"{said}{over}", names_of(hand[0].tolist()), "CA Pure 21.5 Blackjack, Ranking Chart")


def _chart(hand: Cards) -> Fact:
    totals = drawing.counted(hand).totals
    if LAW.players.must_hit(totals)[0]:
        return Fact("chart", "A player", "must hit", cite=str(LAW.players.hit_rule))
    if LAW.players.must_stand(totals)[0]:
        return Fact("chart", "A player", "must stand", cite=str(LAW.players.stand_rule))
    return Fact("chart", "A player", "may hit or stand", cite="CA Pure 21.5 Blackjack, Chart 1A")


def _check_cards(filing: Filing, text: str, hands: list[Cards]) -> None:
    for hand in hands:
        if hand.shape[1] < 2:
            raise TheoryError(f"{text!r}: a hand has two cards or more, not {hand.shape[1]}")
    held = Counter(code for hand in hands for code in hand[0].tolist() if code != NO_CARD)
    for code, times in held.items():
        if code >= JOKER_1:
            raise TheoryError(f"{text!r}: {name_of(code)} is a joker, and Pure 21.5 Blackjack is played without")
        if times > filing.number("decks"):
            raise TheoryError(
                f"{text!r}: {name_of(code)} comes {times} times, and the shoe has {filing.number('decks')}"
            )
