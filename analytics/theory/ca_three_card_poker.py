"""Theory of California's Three Card Poker 6 Card Bonus: all four wagers counted, from one to six decks."""

from __future__ import annotations

from collections import Counter

import numpy as np

from analytics.theory import three_cards
from analytics.theory.counts import TheoryError
from analytics.theory.hand_reading import Fact, HandReading, one_hand
from analytics.theory.store import CountsStore, Recipe
from analytics.theory.wager import OutcomeTheory, WagerTheory, net_of
from replay.families.three_card.terms import Side, terms_of
from replay.filing import Filing
from replay.packs.ca.three_card_poker_6_card_bonus.v1.rules import LAW
from replay.ranking.hands import Cards, Strengths
from schemas.cards import JOKER_1, name_of, names_of

MOST_DECKS = 6
_COVERED = "the player-dealer's posted wager covers everything (rulings.md R-28), and collection fees are not counted"
_BEST_PLAY = "a hand is played where Ante and Play together lose less than the Ante alone"
_RANKED = "rulings.md R-20"


def offered(filing: Filing) -> tuple[str, ...]:
    return tuple(filing.pack.data.wagers)


def smallest_stake(filing: Filing, wager: str) -> int:
    """A play wager is as much as the ante."""
    limits = terms_of(filing).limits_cents
    return max(limits.get(wager, limits[LAW.ante])[0], 100)


def _side(filing: Filing, wager: str) -> Side | None:
    return next((side for side in terms_of(filing).sides if side.name == wager), None)


def recipes() -> list[Recipe]:
    """Every count any filing can ask for."""
    decks = range(1, MOST_DECKS + 1)
    return [
        *(three_cards.three_cards(number) for number in decks),
        *(three_cards.six_cards(number) for number in decks),
        *(_hands(number, folding) for number in decks for folding in (True, False)),
    ]


def _hands(decks: int, folding: bool) -> Recipe:
    return three_cards.against_the_player_dealer(LAW.strength, LAW.qualifies, LAW.beats, decks, folding)


def theory(filing: Filing, wager: str, stake_cents: int, store: CountsStore) -> WagerTheory:
    decks, side = filing.number("decks"), _side(filing, wager)
    options = {"decks": filing.options["decks"]}
    if side is None:
        counts = store.get(_hands(decks, folding=wager == LAW.ante))
        paid = {three_cards.WINS: stake_cents}
        if wager == LAW.ante:  # "will automatically pay each Ante wager not surrendered by folding even money"
            paid[three_cards.NOT_QUALIFIED] = stake_cents
        lost = (three_cards.FOLDED, three_cards.LOSES)
        outcomes = tuple(
            OutcomeTheory(name, count, net_of(paid.get(name, 0), stake_cents, loses=name in lost))
            for name, count in counts.outcomes.items()
        )
        notes = (_BEST_PLAY, _COVERED) if wager == LAW.ante else (f"of the hands played: {_BEST_PLAY}", _COVERED)
        return WagerTheory(filing, wager, stake_cents, options, counts, outcomes, notes)
    counts = store.get(three_cards.six_cards(decks) if side.on_both_hands else three_cards.three_cards(decks))
    made = []
    for row in side.paytable.rows:
        numerator, denominator = row.pays()
        paid_cents = stake_cents * numerator // denominator
        made.append(OutcomeTheory(row.hand, counts.outcomes[row.hand], net_of(paid_cents, stake_cents, loses=False)))
    rows = {row.hand for row in side.paytable.rows}
    nothing = sum(count for name, count in counts.outcomes.items() if name not in rows)
    made.append(OutcomeTheory(three_cards.NOTHING, nothing, net_of(0, stake_cents, loses=True)))
    played = () if side.law.forfeited is None else ("the hand is played, whatever it is",)
    return WagerTheory(filing, wager, stake_cents, options, counts, tuple(made), (*played, _COVERED), side.paytable)


# ---- one hand --------------------------------------------------------------------------------------------------------


def read_hand(filing: Filing, text: str) -> HandReading:
    """Three cards, or a player's and the player-dealer's as `PLAYER / PLAYER-DEALER`."""
    written = text.split("/")
    if len(written) > 2:
        raise TheoryError(f"{text!r}: write one hand, or a player's and the player-dealer's with one / between them")
    hands = [one_hand(part) for part in written]
    _check_cards(filing, text, hands)
    facts = [_hand("hand", "Hand", hands[0])]
    facts.append(_row(filing, _side(filing, "pair_plus"), hands[0]))
    if len(hands) == 2:
        against = LAW.strength(hands[1])
        facts.append(_hand("player_dealer", "Player-dealer", hands[1]))
        facts.append(_compared(LAW.strength(hands[0]), against))
        facts.append(_row(filing, _side(filing, "six_card_bonus"), np.concatenate(hands, axis=1)))
    return HandReading(filing, " / ".join(names_of(hand[0].tolist()) for hand in hands), tuple(facts))


def _hand(key: str, label: str, cards: Cards) -> Fact:
    return Fact(key, label, LAW.in_words(int(LAW.strength(cards)[0])), names_of(cards[0].tolist()), _RANKED)


def _compared(own: Strengths, against: Strengths) -> Fact:
    words = LAW.cites
    if not LAW.qualifies(against)[0]:
        said = "not qualified: Ante wins, Play goes back"
        return Fact("result", "Ante and Play", said, cite=str(words.not_qualified_ante))
    if LAW.beats(own, against)[0]:
        return Fact("result", "Ante and Play", "win 1 to 1", cite=str(words.win))
    if LAW.beats(against, own)[0]:
        return Fact("result", "Ante and Play", "lose", cite=str(words.lose))
    return Fact("result", "Ante and Play", "tie", cite=str(words.tie))


def _row(filing: Filing, side: Side | None, cards: Cards) -> Fact:
    assert side is not None, "both bonus bets are offered under every filing"
    number = int(side.classes.of(np.ascontiguousarray(cards))[0])
    if number == side.nothing:
        return Fact(side.name, side.law.title, "loses", cite=str(side.law.loses))
    row = side.paytable.rows[number]
    value = f"{side.class_in_words(number)}: {side.paytable.payout_in_words(row)}"
    return Fact(side.name, side.law.title, value, cite=str(row.cite))


def _check_cards(filing: Filing, text: str, hands: list[Cards]) -> None:
    decks = filing.number("decks")
    for hand in hands:
        if hand.shape[1] != LAW.hand_cards:
            raise TheoryError(f"{text!r}: a Three Card Poker hand is three cards, not {hand.shape[1]}")
    for code, times in Counter(code for hand in hands for code in hand[0].tolist()).items():
        if code >= JOKER_1:
            raise TheoryError(f"{text!r}: {name_of(code)} is a joker, and Three Card Poker is played without")
        if times > decks:
            raise TheoryError(f"{text!r}: {name_of(code)} comes {times} times, and there are {decks} in play")
