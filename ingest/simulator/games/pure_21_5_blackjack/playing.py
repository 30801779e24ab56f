"""How people play their hands at a simulated table: by the charts, with some of what they leave open."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from ingest.simulator.faults.injection import Injection
from ingest.simulator.games.pure_21_5_blackjack.hands import Hand, Round
from ingest.simulator.games.pure_21_5_blackjack.rules import (
    ACE,
    BASE,
    DOUBLE,
    INSURANCE,
    LEAST_DOUBLE_CENTS,
    MOST_SPLITS,
    is_natural,
    is_over,
    is_soft,
    may_split,
    must_hit,
    must_stand,
    rank,
    total,
    value,
)
from ingest.simulator.played import Bet

Draw = Callable[[int], int]
"""The next card, for that place; it is reported when it is dealt."""


class Players:
    """Everybody at the table, in one round. A fault asked for is done where the play gives the opportunity."""

    def __init__(self, rng: Random, played: Round, draw: Draw, injection: Injection, doubles_above: int) -> None:
        self._rng, self._played, self._draw, self._injection = rng, played, draw, injection
        self._doubles_above = doubles_above

    def _wants(self, kind: str) -> bool:
        return self._injection.wanted and self._injection.kind == kind

    # --- before anybody plays ----------------------------------------------------------------------------------------

    def insure(self) -> None:
        """Insurance and even money, where an ace is up; and a surrender that does not wait for the look."""
        played, rng = self._played, self._rng
        ace_up = rank(played.dealer[0]) == ACE
        needless = self._wants("insurance_without_ace") and not ace_up
        for bet in [bet for bet in played.bets if bet.wager == BASE]:
            hand = played.spots[bet.seat][0]
            natural = is_natural(hand.cards)
            if ace_up and natural and rng.random() < 0.5:
                hand.paid_even.add(bet.bettor)
                played.acted(hand, "even_money", bet.bettor)
            elif needless or (ace_up and rng.random() < 0.3 and bet.cents >= 200):
                most = bet.cents // 2
                cents = most if rng.random() < 0.6 else max(100, most // 100 * 50)
                played.acted(hand, "insure", bet.bettor)
                played.wagered(Bet(bet.seat, INSURANCE, cents, bet.bettor))
                if needless:
                    self._injection.done(f"{cents} cents on insurance against no ace", bet.seat, INSURANCE)
                    needless = False
        if value(played.dealer[0]) in (1, 10):
            for hands in played.spots.values():
                if not is_natural(hands[0].cards) and rng.random() < 0.01:
                    self._surrender(hands[0])

    def _surrender(self, hand: Hand) -> None:
        hand.surrendered = hand.over = True
        self._played.given_up.append(hand)
        self._played.acted(hand, "surrender")

    # --- a seat ------------------------------------------------------------------------------------------------------

    def play_seat(self, seat: int) -> None:
        """The hands of a seat in turn, those that splits make included."""
        hands = self._played.spots[seat]
        at = 0
        while at < len(hands):
            hand = hands[at]
            if len(hand.cards) < 2:
                hand.cards.append(self._draw(seat))
            self._play(hand, hands)
            at += 1

    def _play(self, hand: Hand, hands: list[Hand]) -> None:
        if hand.over or hand.paid_even or (is_natural(hand.cards) and not hand.split):
            return
        if hand.split and rank(hand.cards[0]) == ACE:
            return  # one card more, and no other
        while not hand.over:
            self._choose(hand, hands)

    def _choose(self, hand: Hand, hands: list[Hand]) -> None:
        rng, two = self._rng, len(hand.cards) == 2
        if self._break_a_rule(hand, hands):
            return
        splits = len(hands) - 1
        if two and may_split(hand.cards) and splits < MOST_SPLITS and rng.random() < self._likes_to_split(hand, splits):
            self._split(hand, hands)
        elif two and rng.random() < 0.03:
            self._surrender(hand)
        elif two and self._may_double(hand) and rng.random() < (0.5 if 9 <= total(hand.cards) <= 11 else 0.03):
            self._double(hand)
        elif must_hit(hand.cards) or (not must_stand(hand.cards) and rng.random() < self._likes_to_hit(hand)):
            self._hit(hand)
        else:
            self._stand(hand)

    def _likes_to_split(self, hand: Hand, splits: int) -> float:
        if rank(hand.cards[0]) == ACE or rank(hand.cards[1]) == ACE:
            return 0.9 if splits == 0 else 0.0
        return 0.05 if value(hand.cards[0]) == 10 else 0.5

    def _likes_to_hit(self, hand: Hand) -> float:
        if is_soft(hand.cards):
            return 0.8 if total(hand.cards) <= 17 else 0.1
        return 0.5 if total(hand.cards) <= 16 else 0.05

    def _hit(self, hand: Hand) -> None:
        self._played.acted(hand, "hit")
        hand.cards.append(self._draw(hand.seat))
        hand.over = is_over(hand.cards)

    def _stand(self, hand: Hand) -> None:
        hand.over = True
        self._played.acted(hand, "stand")

    # --- doubles and splits ------------------------------------------------------------------------------------------

    def _bets_on(self, hand: Hand) -> list[Bet]:
        on = (hand.seat, BASE, hand.number)
        return [bet for bet in self._played.bets if (bet.seat, bet.wager, bet.hand) == on]

    def _own(self, hand: Hand) -> Bet | None:
        return next((bet for bet in self._bets_on(hand) if not bet.bettor), None)

    def _may_double(self, hand: Hand) -> bool:
        own = self._own(hand)
        return own is not None and own.cents >= LEAST_DOUBLE_CENTS

    def _double(self, hand: Hand, cents: int | None = None) -> None:
        """For the whole wager or for less; those behind join in or decline."""
        rng, played = self._rng, self._played
        played.acted(hand, "double")
        for bet in self._bets_on(hand):
            most = bet.cents
            if bet.bettor and (most < LEAST_DOUBLE_CENTS or rng.random() < 0.4):
                played.acted(hand, "decline", bet.bettor)
                continue
            for_less = rng.random() < 0.3
            amount = max(LEAST_DOUBLE_CENTS, most // 1000 * 500) if for_less else most
            played.wagered(
                Bet(bet.seat, DOUBLE, min(amount if cents is None else cents, most), bet.bettor, "", hand.number)
            )
        hand.cards.append(self._draw(hand.seat))
        hand.over = True

    def _split(self, hand: Hand, hands: list[Hand], factor: float = 1.0) -> None:
        """The second card begins the seat's next hand; those behind join in, or stay on the hand that was split."""
        rng, played = self._rng, self._played
        played.acted(hand, "split")
        new = Hand(hand.seat, len(hands), [hand.cards.pop()], split=True)
        hand.split = True
        hands.append(new)
        for bet in self._bets_on(hand):
            if bet.bettor and rng.random() < 0.4:
                played.acted(hand, "decline", bet.bettor)
                continue
            cents = bet.cents if bet.bettor else int(bet.cents * factor)
            played.wagered(Bet(bet.seat, BASE, cents, bet.bettor, "", new.number))
        hand.cards.append(self._draw(hand.seat))
        if rank(hand.cards[0]) == ACE:
            hand.over = True

    # --- against the rules -------------------------------------------------------------------------------------------

    def _break_a_rule(self, hand: Hand, hands: list[Hand]) -> bool:
        """Does the fault asked for, if this hand is where it can be done; it is then over, or plays on."""
        injection = self._injection
        if not injection.wanted or injection.kind is None:
            return False
        fault = getattr(self, f"_do_{injection.kind}", None)
        return bool(fault is not None and fault(hand, hands))

    def _done(self, hand: Hand, detail: str) -> bool:
        self._injection.done(detail, hand.seat, BASE)
        return True

    def _do_hit_hard_nineteen(self, hand: Hand, hands: list[Hand]) -> bool:
        if not must_stand(hand.cards):
            return False
        self._hit(hand)
        if not hand.over:
            self._stand(hand)
        return self._done(hand, "hit what must stand")

    def _do_stood_on_eleven(self, hand: Hand, hands: list[Hand]) -> bool:
        if not must_hit(hand.cards):
            return False
        self._stand(hand)
        return self._done(hand, "stood on what must be hit")

    def _do_doubled_with_three(self, hand: Hand, hands: list[Hand]) -> bool:
        if len(hand.cards) != 3 or must_stand(hand.cards) or not self._may_double(hand):
            return False
        self._double(hand)
        return self._done(hand, "doubled with three cards")

    def _do_doubled_for_too_little(self, hand: Hand, hands: list[Hand]) -> bool:
        if len(hand.cards) != 2 or not self._may_double(hand):
            return False
        self._double(hand, 500)
        return self._done(hand, "doubled for $5")

    def _do_split_unlike(self, hand: Hand, hands: list[Hand]) -> bool:
        aces = {rank(card) for card in hand.cards} & {ACE}
        if len(hand.cards) != 2 or may_split(hand.cards) or len(hands) > 1 or aces:
            return False
        self._split(hand, hands)
        return self._done(hand, "split two cards that are not alike")

    def _do_split_for_less(self, hand: Hand, hands: list[Hand]) -> bool:
        own = self._own(hand)
        splittable = may_split(hand.cards) and len(hands) == 1 and rank(hand.cards[0]) != ACE
        if not splittable or own is None or own.cents < 2000:
            return False
        self._split(hand, hands, 0.5)
        return self._done(hand, "split for half of the wager")

    def _do_hit_after_stand(self, hand: Hand, hands: list[Hand]) -> bool:
        if must_hit(hand.cards) or must_stand(hand.cards):
            return False
        self._stand(hand)
        self._hit(hand)
        hand.over = True
        return self._done(hand, "hit after it stood")

    def _do_surrendered_with_three(self, hand: Hand, hands: list[Hand]) -> bool:
        if len(hand.cards) != 3 or must_hit(hand.cards):
            return False
        self._surrender(hand)
        return self._done(hand, "surrendered with three cards")

    def _do_over_taken_against_888(self, hand: Hand, hands: list[Hand]) -> bool:
        """Everybody draws until they are over, or must stand."""
        if must_stand(hand.cards):
            return False
        self._hit(hand)
        return True
