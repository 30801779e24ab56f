"""Every class that a pay table names: found by definition, in the order a pack gives, and every printed row reached."""

from __future__ import annotations

from functools import cache

import numpy as np
import pytest

from replay.ranking import (
    CLASS_LISTS,
    FORTUNE_CLASS_NAMES,
    Game,
    Joker,
    check_cards,
    class_names,
    classify,
    pai_gow_high,
)
from replay.ranking.hands import Cards
from schemas.cards import codes_of, names_of
from tests.ranking.by_definition import deals
from tests.ranking.classes_by_definition import formed_by_seven, formed_for_insurance


def one(hand: str) -> Cards:
    return np.frombuffer(codes_of(hand), np.uint8)[None]


def codes(hands: list[tuple[str, ...]]) -> Cards:
    return np.array([list(codes_of(hand)) for hand in hands], np.uint8)


def name_of(hand: str, names: tuple[str, ...], game: Game) -> str | None:
    place = int(classify(one(hand), names, game)[0])
    return names[place] if place >= 0 else None


def forms(hand: str, name: str, game: Game = Game.PAI_GOW_POKER) -> bool:
    return name_of(hand, (name,), game) == name


# ---- the tables, as printed: text, game, rows ------------------------------------------------------------------------

FORTUNE = (
    *("seven_card_straight_flush_natural", "royal_flush_royal_match", "seven_card_straight_flush_joker", "five_aces"),
    *("royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "three_of_a_kind", "straight"),
)
EMPEROR = tuple(name.replace("royal_match", "ace_king_suited") for name in FORTUNE)
METER = ("seven_card_straight_flush", "five_aces", "royal_flush", "straight_flush", "four_of_a_kind", "full_house")
PAI_GOW = ("nine_high", "ten_high", "jack_high", "queen_high", "king_high", "ace_high")
NEVER = "pai_gow_ace_five_straight_flush_natural"
SEVEN_CARD_BONUS = (
    *("seven_card_straight_flush_natural", "seven_card_straight_flush_joker", "five_aces", "royal_flush"),
    *("straight_flush", "four_of_a_kind", "full_house", "flush", "straight", "three_of_a_kind", "two_pair"),
)
TABLES: list[tuple[str, Game, tuple[str, ...]]] = [
    (
        "MA-SPG §14(a), NJ-SPG 34.14(a)",
        Game.SUPREME_PAI_GOW,
        (
            *("four_aces", "royal_flush", "two_jokers_and_two_aces", "four_of_a_kind", "straight_flush"),
            *("three_of_a_kind", "flush", "two_pair", "straight", "two_jokers", "any_pair"),
        ),
    ),
    ("MA-PGP §3(l), §16(b) A, B, D, §19(e) 2-6, CA FPG-02", Game.PAI_GOW_POKER, FORTUNE),
    ("MA-PGP §16(b) C, §19(e) 1", Game.PAI_GOW_POKER, (*FORTUNE, "three_pair")),
    ("MA-PGP §16(c) A-D, FLT-SPG App. C ET-02..08, App. G", Game.PAI_GOW_POKER, EMPEROR),
    ("FLT-SPG App. C ET-01", Game.PAI_GOW_POKER, (*EMPEROR, "three_pair")),
    (
        "MA-PGP §14(d) $1 and $5",
        Game.PAI_GOW_POKER,
        (
            *("royal_flush_natural_and_pair", "five_aces_and_pair", "royal_flush_natural", "five_aces"),
            *("royal_flush_and_pair", "royal_flush", "straight_flush_and_pair", "straight_flush"),
            *("four_of_a_kind_and_pair", "four_of_a_kind", "full_house_and_pair", "full_house", "flush_and_pair"),
            *("flush", "straight_and_pair", "straight", "three_of_a_kind"),
        ),
    ),
    ("MA-PGP §14.A(g), §16(e), §19(h)", Game.PAI_GOW_POKER, METER),
    ("MA-PGP §16(d), FLT-SPG App. B", Game.PAI_GOW_INSURANCE, PAI_GOW),
    ("FLT-SPG App. F", Game.PAI_GOW_INSURANCE, ("nine_high_one_color", *PAI_GOW[:4])),
    ("MA-PGP §16(f)", Game.PAI_GOW_POKER, ("queens_dragon",)),
    (
        "MA-PGP §16(g)",
        Game.PAI_GOW_POKER,
        (
            *("ace_five_straight_flush_natural_ace_queen_suited", "seven_card_straight_flush_natural"),
            *("royal_flush_natural_ace_queen_suited", "seven_card_straight_flush_joker", "five_aces"),
            *("ace_five_straight_flush_natural", "royal_flush", "straight_flush", "four_of_a_kind", "full_house"),
            *("flush", "three_of_a_kind", "straight"),
        ),
    ),
    ("MA-PGP §16(h)", Game.PAI_GOW_POKER, (NEVER, *PAI_GOW)),
    ("MA-PGP §16(i) red", Game.PAI_GOW_POKER, ("seven_red", "six_red", "five_red", "four_red")),
    ("MA-PGP §16(i) black", Game.PAI_GOW_POKER, ("seven_black", "six_black", "five_black", "four_black")),
    (
        "MA-PGP §18(b)",
        Game.THREE_CARD_BONUS,
        ("straight_flush_natural", "three_of_a_kind", "straight_flush", "straight", "flush", "pair"),
    ),
    (
        "MA-PGP §18(c) Table A",
        Game.PAI_GOW_POKER,
        (
            *("five_aces", "royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush"),
            *("three_of_a_kind", "straight"),
        ),
    ),
    (
        "MA-PGP §18(c) Table B",
        Game.PAI_GOW_POKER,
        (
            *("five_aces", "royal_flush", "straight_flush_natural", "straight_flush_joker", "four_of_a_kind"),
            *("full_house", "flush", "three_of_a_kind", "straight"),
        ),
    ),
    (
        "MA-PGP §19(d)",
        Game.FACE_UP_ACE_HIGH,
        ("both_ace_high", "dealer_ace_high_joker", "dealer_ace_high_natural"),
    ),
    ("FLT-SPG App. A", Game.PAI_GOW_POKER, ("five_aces", "royal_flush", "straight_flush", "four_of_a_kind")),
    ("FLT-SPG App. D 7CB-01..03", Game.PAI_GOW_POKER, SEVEN_CARD_BONUS),
    ("FLT-SPG App. D 7CB-04..06", Game.PAI_GOW_POKER, SEVEN_CARD_BONUS[2:]),
    ("FLT-SPG App. D 7CB-07..09", Game.PAI_GOW_POKER, SEVEN_CARD_BONUS[:-1]),
    ("FLT-SPG App. D 7CB-10..12", Game.PAI_GOW_POKER, SEVEN_CARD_BONUS[2:-1]),
    ("FLT-SPG App. E 3 or 10", Game.EIGHTH_CARD, ("three_or_ten",)),
    ("FLT-SPG App. E D8C1 2 or 4", Game.EIGHTH_CARD, ("two_or_four",)),
    ("FLT-SPG App. E D8C1 field", Game.EIGHTH_CARD, ("joker", "ace", "king", "queen", "jack", "five_to_nine")),
    ("FLT-SPG App. E D8C2 2, 5, or 7", Game.EIGHTH_CARD, ("two_five_or_seven",)),
    (
        "FLT-SPG App. E D8C2 field",
        Game.EIGHTH_CARD,
        ("joker", "ace", "king", "jack_or_queen", "eight_or_nine", "six", "four"),
    ),
    (
        "FLT-SPG App. G ET-01, ET-02",
        Game.PAI_GOW_POKER,
        (
            *("seven_card_straight_flush_natural", "royal_flush_ace_king_suited", "seven_card_straight_flush_joker"),
            *("five_aces", "royal_flush", "straight_flush", "four_of_a_kind", "full_house"),
        ),
    ),
    (
        "FLT-SPG App. G ET-03",
        Game.PAI_GOW_POKER,
        (
            *("seven_card_straight_flush_natural", "seven_card_straight_flush_joker", "five_aces", "royal_flush"),
            *("straight_flush", "four_of_a_kind", "full_house"),
        ),
    ),
    (
        "CA Three Card Poker, Pair Plus",
        Game.THREE_CARD_POKER,
        ("royal_flush", "straight_flush", "three_of_a_kind", "straight", "flush", "pair"),
    ),
    (
        "CA Three Card Poker, 6 Card Bonus TCB-6B4",
        Game.SIX_CARD_BONUS,
        ("royal_flush", "straight_flush", "four_of_a_kind", "full_house", "flush", "straight", "three_of_a_kind"),
    ),
    ("CA Supreme Baccarat, Player line", Game.BACCARAT, ("player_wins", "tie")),
    ("CA Supreme Baccarat, Banker line", Game.BACCARAT, ("banker_wins_without_six", "banker_wins_with_six", "tie")),
    ("CA Supreme Baccarat, Tie", Game.BACCARAT, ("tie",)),
    ("CA Supreme Baccarat, Total Shot", Game.BACCARAT, ("total_18", "total_17")),
    ("CA Pure 21.5 Blackjack, natural and insurance", Game.PURE_21_5, ("pure_21_5",)),
]


@cache
def hands_of(game: Game) -> Cards:
    """Hands in which everything the game can deal comes up; rare ones are written out."""
    rng = np.random.default_rng(7)
    written: tuple[str, ...] = ()
    match game:
        case Game.PAI_GOW_POKER | Game.PAI_GOW_INSURANCE:
            written = (
                *("8s 9s Ts Js Qs Ks As", "8s 9s X1 Js Qs Ks As", "As Ks Qs Js Ts Kd Qd", "As Ks Qs Js Ts Ad Kd"),
                *("As Ks Qs Js Ts Ad Qd", "As Ks Qs Js Ts 9d 9c", "As X1 Qs Js Ts 9d 9c", "X1 As Ad Ac Ah Kd Kc"),
                *("As 2s 3s 4s 5s Ad Qd", "As 2s 3s 4s 5s Td 9d", "9s 8s 7s 6s 5s Kd Kc", "9s 8s X1 6s 5s Kd 2c"),
                *("9h 8h 7d 6h 4d 3d 2h", "2s 3s 4s 6c 7c 8s 9c", "2d 3s 4s 6c 7c 8s 9c", "2h 3h 4h 6h 7h 8d Td"),
            )
            return np.concatenate([codes(deals(seed=19, hands=20_000, size=7)), *map(one, written)])
        case Game.FACE_UP_ACE_HIGH:
            return rng.permuted(np.tile(np.arange(53, dtype=np.uint8), (20_000, 1)), axis=1)[:, :14]
        case Game.BACCARAT:
            cards = rng.integers(0, 52, (20_000, 6), dtype=np.uint8)
            cards[::2, 2] = cards[::3, 5] = 255
            return cards
        case Game.EIGHTH_CARD:
            return np.arange(53, dtype=np.uint8)[:, None]
        case Game.SIX_CARD_BONUS:
            written = ("As Ks Qs Js Ts 2d", "9s 8s 7s 6s 5s 2d", "9s 9d 9c 9h 5s 2d")
            return np.concatenate([rng.integers(0, 52, (20_000, 6), dtype=np.uint8), *map(one, written)])
        case _:
            size = CLASS_LISTS[game].size
            deck = np.arange(52 + CLASS_LISTS[game].jokers, dtype=np.uint8)
            written = ("As Ad Ac Ah", "As Ks Qs Js", "X1 X2 As Ad") if size == 4 else written
            return np.concatenate([rng.permuted(np.tile(deck, (60_000, 1)), axis=1)[:, :size], *map(one, written)])


@pytest.mark.parametrize(("table", "game", "rows"), TABLES, ids=[table for table, _, _ in TABLES])
def test_every_printed_row_is_reached(table: str, game: Game, rows: tuple[str, ...]) -> None:
    places = classify(hands_of(game), rows, game)
    reached = {rows[place] for place in places.tolist() if place >= 0}
    assert reached == set(rows) - {NEVER}, table  # that row of the Protection table can never be reached


def test_every_class_is_in_a_printed_table() -> None:
    printed = {(game, row) for _, game, rows in TABLES for row in rows}
    known = {(game, name) for game in Game for name in class_names(game)}
    # which of the Face Up dealer's hands hold the joker is asked through its own rows
    assert known - printed == {(Game.PAI_GOW_POKER, "ace_high_joker"), (Game.PAI_GOW_POKER, "ace_high_natural")}
    assert printed <= known


def test_every_class_cites_its_text() -> None:
    for game in Game:
        names = class_names(game)
        assert len(set(names)) == len(names)
        for each in CLASS_LISTS[game].classes:
            assert each.text and each.cite.startswith(("MA-", "NJ-", "FLT-", "CA ")), each.name


# ---- by definition ---------------------------------------------------------------------------------------------------


@pytest.mark.slow
def test_every_class_of_seven_by_definition() -> None:
    """Class by class and not only the first: whatever order a pack gives, the answer follows."""
    hands = deals(seed=1, hands=1_000, size=7) + [
        tuple(hand.split())
        for hand in (
            *("8s 9s Ts Js Qs Ks As", "8s 9s X1 Js Qs Ks As", "As Ks Qs Js Ts Kd Qd", "As X1 Qs Js Ts Kd Qd"),
            *("As Ks Qs Js Ts Ad Kd", "X1 Ks Qs Js Ts Ad Kd", "As Ks Qs Js Ts Ad Qd", "As Ks X1 Js Ts Ad Qd"),
            *("As 2s 3s 4s 5s Ad Qd", "X1 2s 3s 4s 5s Ad Qd", "As 2s 3s 4s 5s Ad Qh", "As 2s 3s 4s 5s 6s 7s"),
            *("As Ks Qs Js Ts X1 Ad", "As Ks Qs Js Ts 9d 9c", "X1 Ks Qs Js Ts 9d 9c", "X1 As Ad Ac Ah 9d 9c"),
            *("9s 8s 7s 6s X1 Ad Ac", "9s 8s 7s 6s 5s X1 Ac", "X1 Kd Js 9d 7c 5h 3s", "Qs Jd Ts 8d 7c 5h 3s"),
        )
    ]
    cards = codes(hands)
    expected = [formed_by_seven(hand) for hand in hands]
    for name in class_names(Game.PAI_GOW_POKER):
        found = classify(cards, [name], Game.PAI_GOW_POKER) == 0
        wrong = found != [name in formed for formed in expected]
        assert not wrong.any(), f"{name}: {hands[int(wrong.argmax())]}"
    assert set().union(*expected) >= set(class_names(Game.PAI_GOW_POKER)) - {NEVER, "nine_high", "ten_high"}


@pytest.mark.slow
def test_pai_gows_by_definition() -> None:
    """Both jokers on random sevens of different ranks, the joker in half of them."""
    rng = np.random.default_rng(19)
    ranks = np.concatenate([rng.permuted(np.tile(np.arange(top), (450, 1)), axis=1)[:, :7] for top in (13, 8)])
    suits = rng.integers(0, 4, ranks.shape)
    suits[::3] = suits[::3] % 2 + 1  # red cards
    cards = (ranks * 4 + suits).astype(np.uint8)
    cards[::2, 0] = 52
    hands = [tuple(names_of(row).split()) for row in cards.tolist()]
    semi_wild = [formed_by_seven(hand) for hand in hands]
    ace_only = [formed_for_insurance(hand) for hand in hands]
    for game, expected in ((Game.PAI_GOW_POKER, semi_wild), (Game.PAI_GOW_INSURANCE, ace_only)):
        for name in class_names(game):
            found = classify(cards, [name], game) == 0
            wrong = found != [name in formed for formed in expected]
            assert not wrong.any(), f"{game} {name}: {hands[int(wrong.argmax())]}"
    assert set().union(*ace_only) >= set(class_names(Game.PAI_GOW_INSURANCE)) - {"ten_high"}
    highs = dict(zip(PAI_GOW, range(9, 15), strict=True))
    for joker, expected in ((Joker.SEMI_WILD, semi_wild), (Joker.ACE_ONLY, ace_only)):
        values = [next((highs[name] for name in formed if name in highs), 0) for formed in expected]
        assert pai_gow_high(cards, joker).tolist() == values


def test_the_answer_is_the_first_name_in_the_order_given() -> None:
    cards = codes(deals(seed=2, hands=5_000, size=7))
    names = list(class_names(Game.PAI_GOW_POKER))
    formed = {name: classify(cards, [name], Game.PAI_GOW_POKER) == 0 for name in names}
    rng = np.random.default_rng(2)
    for _ in range(5):
        order = rng.permutation(names)[:15].tolist()
        stacked = np.stack([*(formed[name] for name in order), np.ones(len(cards), bool)])
        first = stacked.argmax(axis=0)
        expected = np.where(first == len(order), -1, first)
        assert np.array_equal(classify(cards, order, Game.PAI_GOW_POKER), expected)


def test_the_fortune_list_agrees_with_the_fortune_class() -> None:
    assert (*FORTUNE, "three_pair", "nothing") == FORTUNE_CLASS_NAMES


# ---- the joker is three different cards ------------------------------------------------------------------------------


def test_each_game_names_its_joker() -> None:
    jokers = {game: CLASS_LISTS[game].joker for game in Game if CLASS_LISTS[game].joker}
    assert jokers == {
        Game.PAI_GOW_POKER: Joker.SEMI_WILD,
        Game.FACE_UP_ACE_HIGH: Joker.SEMI_WILD,
        Game.THREE_CARD_BONUS: Joker.SEMI_WILD,
        Game.PAI_GOW_INSURANCE: Joker.ACE_ONLY,
        Game.SUPREME_PAI_GOW: Joker.THREE_OR_SIX,
    }


@pytest.mark.parametrize(
    ("hand", "semi_wild", "ace_only"),
    [
        ("X1 9s 8d 6c 5h Kd Qc", 0, 14),  # a seven fills the straight, but not for insurance
        ("X1 Kh 9h 5h 3h 8d 6c", 0, 14),  # a fifth heart, but not for insurance
        ("X1 Kd Qs Jc Th 5d 3c", 0, 0),  # the ace of A-K-Q-J-10
        ("X1 2d 3s 4c 5h 9d Jc", 0, 0),  # the ace of A-2-3-4-5
        ("X1 Kd Js 9d 7c 5h 3s", 14, 14),
        ("X1 Ad Js 9d 7c 5h 3s", 0, 0),  # a pair of aces
        ("9h 8h 7d 6h 4d 3d 2h", 9, 9),
        ("Qs Jd Ts 8d 7c 5h 3s", 12, 12),
        ("Qs Js Ts 8s 7s 5h 3s", 0, 0),
    ],
)
def test_semi_wild_and_ace_only_differ(hand: str, semi_wild: int, ace_only: int) -> None:
    assert pai_gow_high(one(hand), Joker.SEMI_WILD).tolist() == [semi_wild]
    assert pai_gow_high(one(hand), Joker.ACE_ONLY).tolist() == [ace_only]
    with pytest.raises(ValueError, match="semi_wild or ace_only, not three_or_six"):
        pai_gow_high(one(hand), Joker.THREE_OR_SIX)


def test_a_semi_wild_joker_and_a_three_or_six_differ() -> None:
    """Joker, J-Q-K of spades: a royal flush of four, were it semi-wild, as it is with three cards."""
    bonus = class_names(Game.SUPREME_PAI_GOW)
    assert name_of("X1 Js Qs Ks", bonus, Game.SUPREME_PAI_GOW) is None
    assert name_of("X1 Qs Ks", class_names(Game.THREE_CARD_BONUS), Game.THREE_CARD_BONUS) == "straight_flush"
    assert name_of("X1 4s 5s 7s", bonus, Game.SUPREME_PAI_GOW) == "straight_flush"  # the six
    assert name_of("X1 4s 5s 8s", bonus, Game.SUPREME_PAI_GOW) is None  # no flush
    assert name_of("X1 As Ad 9c", bonus, Game.SUPREME_PAI_GOW) == "any_pair"  # not three aces


# ---- readings --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("hand", "name", "is_one"),
    [
        ("As Ks Qs Js Ts X1 Ad", "royal_flush_natural_and_pair", True),  # joker and ace are a pair of aces, R-16
        ("As Ks Qs Js Ts Kd X1", "royal_flush_and_pair", True),  # the joker as the king: K-K are over
        ("As Ks Qs Js Ts Kd X1", "royal_flush_natural_and_pair", False),
        ("X1 As Ad Ac Ah 9d 9c", "five_aces_and_pair", True),
        ("9s 9d 9c 9h 3d 3c 3s", "four_of_a_kind_and_pair", True),
        ("9s 9d 9c 4h 4d 3c 3s", "full_house_and_pair", True),
        ("9s 9d 9c 4h 4d 4c 3s", "full_house_and_pair", False),
        ("9s 8d 7c 6h 5s 5d 2c", "straight_and_pair", False),  # the five is in the straight
        ("9s 8d 7c 6h 5s 2d 2c", "straight_and_pair", True),
        ("As Ks Qs Js Ts Ad Qd", "royal_flush_natural_ace_queen_suited", True),
        ("As Ks Qs Js X1 Ad Qd", "royal_flush_natural_ace_queen_suited", False),
        ("As Ks Qs Js Ts Ad Kd", "royal_flush_natural_ace_queen_suited", False),  # ace/queen, not ace/king
        ("As 2s 3s 4s 5d Ad Qd", "ace_five_straight_flush_natural", False),  # must be suited
        ("As 2s 3s X1 5s Ad Qd", "ace_five_straight_flush_natural", False),  # and jokerless
        ("X1 Ks Qs Js Ts Ah Kh", "royal_flush_ace_king_suited", True),  # FLT-SPG App. C 3, its example
        ("9h 8h 7h 6d 5d 3d X1", "six_red", True),  # the joker has no colour, R-46
        ("9h 8h 7h 6d 5d 3d X1", "seven_red", False),
        ("Qs Jd Ts 8d 7c 5h 3s", "queens_dragon", True),
        ("Qs Jd X1 8d 6c 5h 3s", "queens_dragon", False),  # the joker is an ace
        ("As 2s 3s 4s 5s 9d Jc", NEVER, False),
    ],
)
def test_a_reading(hand: str, name: str, is_one: bool) -> None:
    assert forms(hand, name) is is_one


def test_the_best_paying_class_over_the_highest_ranking() -> None:
    """R-16: three of a kind pays 3 to 1, the straight 2; in FLT-SPG's seven-card bonus the straight comes first."""
    assert name_of("9s 9d 9c 8s 7d 6h 5c", FORTUNE, Game.PAI_GOW_POKER) == "three_of_a_kind"
    assert name_of("9s 9d 9c 8s 7d 6h 5c", SEVEN_CARD_BONUS, Game.PAI_GOW_POKER) == "straight"


def test_a_row_not_offered_falls_to_what_else_the_hand_forms() -> None:
    """FLT-SPG App. D 7CB-04 has no seven-card row, App. G ET-03 no royal flush with ace-king."""
    assert name_of("9s 8s 7s 6s 5s 4s 3s", SEVEN_CARD_BONUS[2:], Game.PAI_GOW_POKER) == "straight_flush"
    without = ("seven_card_straight_flush_natural", "five_aces", "royal_flush")
    assert name_of("As Ks Qs Js Ts Ad Kd", without, Game.PAI_GOW_POKER) == "royal_flush"


@pytest.mark.parametrize(
    ("dealer", "player", "expected"),
    [
        ("X1 Kd Js 9d 7c 5h 3s", "Ad Kc Jc 9c 7d 5d 2h", "both_ace_high"),
        ("X1 Kd Js 9d 7c 5h 3s", "Ad Ac Jc 9c 7d 5d 2h", "dealer_ace_high_joker"),
        ("As Kd Js 9d 7c 5h 3s", "Kh Kc Jc 9c 7d 5d 2h", "dealer_ace_high_natural"),
        ("Qs Jd Ts 8d 7c 5h 3s", "Ad Kc Jc 9c 7d 5d 2h", None),
        ("X1 Kh 9h 5h 3h 8d 6c", "Ad Kc Jc 9c 7d 5d 2h", None),  # the joker completes the flush, R-19
    ],
)
def test_face_up(dealer: str, player: str, expected: str | None) -> None:
    assert name_of(f"{dealer} {player}", class_names(Game.FACE_UP_ACE_HIGH), Game.FACE_UP_ACE_HIGH) == expected


# ---- bad input -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("game", Game)
def test_bad_input_is_named(game: Game) -> None:
    chosen = CLASS_LISTS[game]
    names = class_names(game)
    good = hands_of(game)[:2].copy()
    classify(good, names, game)
    with pytest.raises(ValueError, match=rf"\(n, {chosen.size}\), not \(2, {chosen.size + 1}\)"):
        classify(np.hstack([good, good[:, :1]]), names, game)
    with pytest.raises(ValueError, match="dtype int64"):
        classify(good.astype(np.int64), names, game)
    with pytest.raises(ValueError, match="not list"):
        classify(good.tolist(), names, game)
    bad = good.copy()
    bad[1, 0] = 52 + chosen.jokers
    says = "code 54 is not a card" if chosen.jokers == 2 else r"X[12] \(code 5[23]\) is not in this game, which has"
    with pytest.raises(ValueError, match=f"hand 1, card 1: {says}"):
        classify(bad, names, game)
    bad[1, 0] = 255
    with pytest.raises(ValueError, match="hand 1, card 1: no card"):
        classify(bad, names, game)
    with pytest.raises(ValueError, match="'six_pair' is no class of this game; there are"):
        classify(good, ["six_pair"], game)
    with pytest.raises(ValueError, match="is listed twice"):
        classify(good, [names[0], names[0]], game)


def test_a_card_held_twice_is_named() -> None:
    check_cards(one("As Kd Qh Jc 9s 5d 3c"), Game.PAI_GOW_POKER)
    with pytest.raises(ValueError, match=r"hand 0 \(As Kd Qh Jc 9s 5d Kd\) holds Kd twice; one deck has one"):
        check_cards(one("As Kd Qh Jc 9s 5d Kd"), Game.PAI_GOW_POKER)
    with pytest.raises(ValueError, match="holds X1 twice"):
        check_cards(one("X1 X1 Qh Jc"), Game.SUPREME_PAI_GOW)
    check_cards(one("As As As As As As"), Game.SIX_CARD_BONUS)  # six decks
    check_cards(np.array([[0, 0, 255, 1, 1, 255]], np.uint8), Game.BACCARAT)
    with pytest.raises(ValueError, match="not in this game, which has no joker"):
        check_cards(one("X1 As As As As As"), Game.SIX_CARD_BONUS)


def test_no_hands_are_no_trouble() -> None:
    for game in Game:
        assert classify(np.empty((0, CLASS_LISTS[game].size), np.uint8), class_names(game), game).shape == (0,)
