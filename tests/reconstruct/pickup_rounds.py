"""Made-up rounds of every game for the pickup tests: who bet, gave up and drew what, with a stand-in for ranking.

Which hands win or stay is decided by sums of cards, not by poker: the procedures do not care, and in a real game four
of a kind would be far too rare to try them. `situation_of` says what wagers and actions tell of such a round, with what
depends on the cards left open; `facts_of` is the game that looks at cards; `readings_by_trial` is the slow answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from itertools import permutations

from hypothesis import strategies as st

from replay.cards.pickup.procedure import Procedure, shipped_procedure
from replay.cards.pickup.situation import HandFacts, HandSituation, Held, Key, Situation
from replay.cards.pickup.words import OUTCOMES, Word
from replay.cards.solver.layout import BOARD, BURNS, STUB
from replay.filing import load_pack
from schemas.places import Numbering, Ring
from tests.reconstruct.pickup_by_hand import GAMES, Hand, Round, around, blackjack, commission_free, pai_gow, poker

SET_GAMES = ("ma/pai_gow_poker", "ma/supreme_pai_gow", "nj/supreme_pai_gow", "flt/supreme_pai_gow")
WITH_ENVY = ("ma/pai_gow_poker", "flt/supreme_pai_gow", "ca/fortune_pai_gow")
CARDS_EACH = {
    "ma/pai_gow_poker": 7,
    "ma/supreme_pai_gow": 4,
    "nj/supreme_pai_gow": 4,
    "flt/supreme_pai_gow": 7,
    "ca-double_hand_poker": 7,
    "ca/fortune_pai_gow": 7,
    "ca/three_card_poker_6_card_bonus": 3,
    "ca/holdem": 2,
    "ca/omaha": 4,
    "ca/omaha_hi_lo": 4,
}
Reading = frozenset[tuple[Key, frozenset[int]]]


def procedure_of(game: str) -> Procedure:
    return load_pack(game).pickups["standard"] if "/" in game else shipped_procedure(game)


# ---- rounds --------------------------------------------------------------------------------------------------------


@st.composite
def rounds(draw: st.DrawFn, game: str, most_seats: int = 6) -> Round:
    """A round of this game with up to so many players' hands."""
    deck = list(range(54))
    draw(st.randoms(use_true_random=False)).shuffle(deck)

    def take(count: int) -> tuple[int, ...]:
        return tuple(deck.pop() for _ in range(count))

    seats = draw(st.sampled_from((2, 3, *range(3, most_seats + 1), most_seats, most_seats)))
    sometimes = st.sampled_from((False, False, False, True))
    gives_up = draw(st.sampled_from((sometimes, st.booleans(), st.just(True))))
    turns = iter(draw(st.permutations(range(20))))
    rule = GAMES[game]
    hands: list[Hand] = []
    banked = rule is pai_gow and draw(st.booleans())
    against = draw(st.integers(1, seats))
    size = CARDS_EACH.get(game, 0)
    progressive = game in WITH_ENVY and game != "ca/fortune_pai_gow" and draw(st.booleans())
    everybody_stays = game in WITH_ENVY and not draw(sometimes)  # somebody may win an envy bonus
    for seat in range(1, seats + 1):
        if rule is blackjack:
            for number in range(1 if seat == against else draw(st.integers(1, 3))):
                cards = take(draw(st.integers(2, 4)))
                gone = next(turns) if seat != against and draw(st.booleans()) else None
                hands.append(Hand(seat, cards, number, is_against=seat == against, surrendered=gone))
            continue
        hand = Hand(seat, take(size), has_bonus=rule is not poker and draw(st.booleans()))
        if rule is poker:
            if seat > 1 and draw(st.booleans()):
                hand = replace(hand, folded=next(turns))
        elif (rule is not pai_gow and rule is not commission_free and seat == against) or (banked and seat == against):
            hand = replace(hand, is_against=True, has_bonus=False)
        elif rule is commission_free:
            if draw(sometimes):
                hand = replace(hand, folded=next(turns))
                if hand.out:  # four cards, and no more are dealt to it
                    hand = replace(hand, cards=hand.cards[:4])
        elif game == "ca/three_card_poker_6_card_bonus":
            if draw(st.booleans()):
                hand = replace(hand, folded=next(turns))
        elif draw(sometimes):
            hand = replace(hand, has_wager=False, has_bonus=False)
        elif rule is pai_gow and draw(gives_up):
            hand = replace(hand, surrendered=next(turns))
        if game in SET_GAMES or game == "ca/fortune_pai_gow":
            hand = replace(hand, rearranged=not hand.is_against and (hand.has_bonus or draw(st.booleans())))
        hands.append(hand)
    if rule is pai_gow or rule is commission_free:
        dealer = Hand(0, take(8 if rule is commission_free else size), is_dealers=True, is_against=not banked)
        hands.append(replace(dealer, has_wager=not banked or draw(st.booleans())))
    played = Round(tuple(hands), seats=seats, banked=banked)
    if rule is poker:
        played = replace(played, board=take(draw(st.sampled_from((0, 3, 4, 5)))), burns=take(draw(st.integers(0, 3))))
    if rule is not blackjack:
        played = replace(played, stub=take(min(len(deck), draw(st.sampled_from((0, 4))))))
    if rule not in (pai_gow, commission_free, poker):
        played = replace(played, button=draw(st.integers(1, seats)))
    can_stay = tuple(int(everybody_stays) + 2 * int(progressive) for _ in (0,))
    return looked_at(game, replace(played, extra=can_stay))


def score(cards: tuple[int, ...] | bytes) -> int:
    return sum(card * card + card for card in cards) % 5


def looked_at(game: str, played: Round) -> Round:
    """The round with what its cards decide: who wins, and whose hand stays."""
    hands = list(played.hands)
    if GAMES[game] is poker:
        showdown = [hand for hand in hands if hand.folded is None]
        best = max(score(hand.cards + played.board) for hand in showdown)
        won = {hand.place for hand in showdown if score(hand.cards + played.board) == best}
        hands = [replace(hand, outcome="wins" if hand.place in won else "loses") for hand in hands]
        return replace(played, hands=tuple(hands))
    against = next(hand for hand in hands if hand.is_against)
    return replace(played, hands=tuple(_judged(hand, against, may_stay(game, played, hand)) for hand in hands))


def _judged(hand: Hand, against: Hand, stays_for: int) -> Hand:
    difference = score(hand.cards) - score(against.cards)
    outcome = "wins" if difference > 0 else "loses" if difference < 0 else "pushes"
    return replace(hand, outcome=outcome, stays=bool(stays_for) and is_premium(hand.cards))


def is_premium(cards: tuple[int, ...] | bytes) -> bool:
    return sum(cards) % 2 == 0


def may_stay(game: str, played: Round, hand: Hand) -> int:
    """1: for an envy bonus, 2: for a meter payout, 0: never; of exposed hands with a wager."""
    if not hand.has_wager or hand.is_against or hand.is_dealers or hand.out or not played.extra:
        return 0
    if GAMES[game] not in (pai_gow, commission_free) and not hand.has_bonus:
        return 0  # CA: only where that player has a Fortune bet
    return 1 if played.extra[0] & 1 else played.extra[0]


# ---- what is known of it -------------------------------------------------------------------------------------------


def key_of(hand: Hand) -> Key:
    return Key(hand.place, hand.number)


def ring_of(game: str, played: Round) -> Ring:
    counterclockwise = GAMES[game] in (pai_gow, commission_free)
    return Ring(played.seats, Numbering.COUNTERCLOCKWISE if counterclockwise else Numbering.CLOCKWISE)


def words_of(game: str, played: Round, hand: Hand, *, known: bool) -> tuple[frozenset[Word], frozenset[Word]]:
    """The words that are so of a hand, and those left open; where all is `known` none is."""
    so = {
        Word.DEALER: hand.is_dealers,
        Word.AGAINST: hand.is_against,
        Word.WAGERED: hand.has_wager,
        Word.BANKED: played.banked,
        Word.SURRENDERED: hand.surrendered is not None,
        Word.FOLDED: hand.folded is not None,
        Word.LIVE_WAGER: hand.has_bonus and (hand.surrendered is not None or hand.folded is not None),
        Word.BONUS: hand.has_bonus,
        Word.REARRANGED: hand.rearranged,
    }
    true = {word for word, holds in so.items() if holds}
    open_words: set[Word] = set()
    stays = may_stay(game, played, hand)
    stay_word = {1: Word.ENVY_HAND, 2: Word.METER_PAYOUT}.get(stays)
    if stay_word is not None:
        if not known:
            open_words.add(stay_word)
        elif hand.stays:
            true.add(stay_word)
    if is_compared(game, played, hand):
        if known:
            true.add(Word(hand.outcome))
        else:
            open_words |= {Word.WINS, Word.LOSES} if GAMES[game] is poker else OUTCOMES
    return frozenset(true), frozenset(open_words)


def is_compared(game: str, played: Round, hand: Hand) -> bool:
    """Whether winning or losing decides when the hand is picked up."""
    if GAMES[game] is poker:
        return hand.folded is None
    return played.banked and not hand.is_against and hand.has_wager and not hand.out


def situation_of(game: str, played: Round, *, known: bool = True) -> Situation:
    hands = []
    if GAMES[game] is not blackjack:
        hands.append(HandSituation(Key(STUB), (len(played.stub),)))
    if GAMES[game] is poker:
        hands.append(HandSituation(Key(BOARD), (len(played.board),)))
        hands.append(HandSituation(Key(BURNS), (len(played.burns),)))
    for hand in played.hands:
        true, open_words = words_of(game, played, hand, known=known)
        gone = hand.surrendered if hand.folded is None else hand.folded
        hands.append(HandSituation(key_of(hand), (len(hand.cards),), true, open_words, -1 if gone is None else gone))
    return Situation(tuple(hands), ring_of(game, played), (played.button,) if played.button else ())


def facts_of(game: str, played: Round) -> HandFacts:
    """What can be told of the open words once cards are seen."""
    by_key = {key_of(hand): hand for hand in played.hands}

    def facts(hands: Mapping[Key, Held], button: int) -> dict[Key, dict[Word, bool]]:
        decided: dict[Key, dict[Word, bool]] = {}
        seen = {key: tuple(cards.cards) for key, cards in hands.items() if key in by_key}
        if GAMES[game] is poker:
            board = tuple(hands[Key(BOARD)].cards) if Key(BOARD) in hands else ()
            showdown = [key for key, hand in by_key.items() if hand.folded is None]
            if len(board) == len(played.board) and all(key in seen for key in showdown):
                best = max(score(seen[key] + board) for key in showdown)
                for key in showdown:
                    wins = score(seen[key] + board) == best
                    decided[key] = {Word.WINS: wins, Word.LOSES: not wins}
            return decided
        against = next(key for key, hand in by_key.items() if hand.is_against)
        for key, cards in seen.items():
            decided[key] = {}
            stays = may_stay(game, played, by_key[key])
            if stays:
                decided[key][Word.ENVY_HAND if stays == 1 else Word.METER_PAYOUT] = is_premium(cards)
            if against in seen and is_compared(game, played, by_key[key]):
                difference = score(cards) - score(seen[against])
                decided[key] |= {
                    Word.WINS: difference > 0,
                    Word.LOSES: difference < 0,
                    Word.PUSHES: difference == 0,
                }
        return decided

    return facts


# ---- the rack, and the slow way back -------------------------------------------------------------------------------


def lies_in_any_order(game: str, hand: Hand) -> bool:
    """Hands nobody sees set, and those rearranged (R-51); three-card, poker and blackjack hands have no parts."""
    if game not in SET_GAMES and game not in ("ca-double_hand_poker", "ca/fortune_pai_gow"):
        return GAMES[game] is not blackjack
    if (not hand.has_wager and not hand.is_against) or hand.surrendered is not None or hand.folded is not None:
        return True
    return hand.rearranged and not hand.is_dealers and not hand.is_against


def rack_of(game: str, played: Round) -> bytes:
    before, after = around(game, played)
    rack = list(before)
    for hand in GAMES[game](played):
        cards = list(hand.cards)
        if lies_in_any_order(game, hand):
            cards.sort(key=lambda card: card * 37 % 61)  # an order that has nothing to do with how it was set
        rack += cards
    for piece in after:
        rack += piece
    return bytes(rack)


def truth_of(played: Round) -> Reading:
    """Every hand, the stub, the board and the burns, each as a set of cards."""
    others = {STUB: played.stub, BOARD: played.board, BURNS: played.burns}
    pieces = [(key_of(hand), hand.cards) for hand in played.hands]
    pieces += [(Key(place), cards) for place, cards in others.items()]
    return frozenset((key, frozenset(cards)) for key, cards in pieces if cards)


def readings_by_trial(game: str, played: Round, rack: bytes) -> set[Reading]:
    """Every set of hands that a dealer picking up by hand would have turned into this very rack."""
    before, after = around(game, played)
    inner = rack[len(before) : len(rack) - sum(map(len, after))]
    found = set()
    for order in permutations(played.hands):
        at, hands = 0, []
        for hand in order:
            hands.append(replace(hand, cards=tuple(inner[at : at + len(hand.cards)])))
            at += len(hand.cards)
        tried = looked_at(game, replace(played, hands=tuple(in_table_order(hands, played))))
        if [key_of(hand) for hand in GAMES[game](tried)] == [key_of(hand) for hand in order]:
            found.add(truth_of(tried))
    return found


def in_table_order(hands: list[Hand], played: Round) -> list[Hand]:
    turn = {key_of(hand): at for at, hand in enumerate(played.hands)}
    return sorted(hands, key=lambda hand: turn[key_of(hand)])
