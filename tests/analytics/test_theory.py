"""The figures themselves: against published ones, sums done by hand, and slow ways to the same answer."""

from __future__ import annotations

import random
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, permutations
from math import comb, perm, sqrt

import numpy as np
import pytest

from analytics.theory import PACKS, CountsStore, Method, TheoryError, WagerTheory, theory_of, wagers_of
from analytics.theory.baccarat_totals import Drawing, count_totals
from analytics.theory.ca_supreme_baccarat import DRAWING
from analytics.theory.classes import RESULTS
from analytics.theory.house_way_duel import recipe as duel
from analytics.theory.store import no_progress
from replay.filing import Filing, OptionValue, file_under, load_pack, pack_ids
from replay.packs.ma.pai_gow_poker.v1.rules import LAW
from replay.ranking import FORTUNE_CLASS_NAMES, Wheel, fortune_class
from schemas.cards import codes_of
from tests.packs.ma_pgp_hands import pai_gow_high
from tests.ranking.by_definition import ORDER, score_five, score_two, set_house_way

STORE = CountsStore(None)
ONE_BET = {
    "ca/three_card_poker_6_card_bonus": ("ante", "play"),
    "flt/supreme_pai_gow": ("ante", "raise", "ante_royalty"),
}
"""Wagers that are one bet with each other: what favours the player in one of them is taken in another."""
FOR_ANOTHER_HOUSE_WAY = "eighth_field"  # what docs/theory.md says of it: R-36 leaves an ace or the joker out too often
DOUBLED = "double"  # of Pure 21.5: made only on hands that favour the player, which is what its figures are for
NO_WAGER = {
    "ma/pai_gow_poker": {"bank"},
    "ma/supreme_pai_gow": {"bank"},
    "nj/supreme_pai_gow": {"bank"},
}  # what is left in the centre for a bank is nobody's wager


def filed(pack_id: str, **options: OptionValue) -> Filing:
    pack = load_pack(pack_id)
    return file_under(pack, pack.data.version, options)


def fortune(stake_cents: int | None = None, **options: OptionValue) -> WagerTheory:
    return theory_of(filed("ma/pai_gow_poker", **options), "fortune", STORE, stake_cents)


def baccarat(wager: str, decks: int = 8, stake_cents: int | None = None) -> WagerTheory:
    return theory_of(filed("ca/supreme_baccarat", decks=decks), wager, STORE, stake_cents)


def counts_of(theory: WagerTheory) -> dict[str, int]:
    return {one.outcome: one.count for one in theory.outcomes}


# --- every wager -----------------------------------------------------------------------------------------------------


def filings_of(pack_id: str) -> Iterator[Filing]:
    """As it is by default, and with everything that is off by default switched on, one at a time."""
    yield filed(pack_id)
    for name, option in load_pack(pack_id).data.options.items():
        if option.choices is not None and "none" in option.choices:
            yield from (filed(pack_id, **{name: choice}) for choice in option.choices if choice != option.default)
        elif option.default is False:
            yield filed(pack_id, **{name: True})


def test_every_wager_of_every_pack_has_a_theory() -> None:
    for_pots = {"ca/holdem", "ca/omaha", "ca/omaha_hi_lo"}
    assert set(pack_ids()) == set(PACKS) | for_pots, "a new pack needs a theory"
    for pack_id in sorted(for_pots):
        with pytest.raises(TheoryError, match="players wager against each other there and nobody against the house"):
            wagers_of(filed(pack_id))
    for pack_id in PACKS:
        looked = set()
        for filing in filings_of(pack_id):
            for wager in wagers_of(filing):
                theory = theory_of(filing, wager, STORE)
                looked.add(wager)
                assert sum(one.count for one in theory.outcomes) == theory.total
                # Insurance by Paytable C returns more than it takes: its joker is an ace and nothing else.
                as_expected = Fraction(-1, 100) < theory.house_edge < Fraction(1, 4)
                assert (
                    as_expected or theory.meters or wager in (*ONE_BET.get(pack_id, ()), FOR_ANOTHER_HOUSE_WAY, DOUBLED)
                ), wager
                assert theory.returned == 1 - theory.house_edge
                assert (theory.standard_error is None) == (theory.method is Method.ENUMERATION)
                mean = sum(one.net * one.count for one in theory.outcomes) / theory.total
                spread = sum((one.net - mean) ** 2 * one.count for one in theory.outcomes) / theory.total
                assert theory.variance == spread
        assert looked == set(load_pack(pack_id).data.wagers) - NO_WAGER.get(pack_id, set())


def test_wagers_that_are_one_bet_favour_the_house_together() -> None:
    for pack_id, wagers in ONE_BET.items():
        edges = [theory_of(filed(pack_id), wager, STORE).house_edge for wager in wagers]
        assert min(edges) < 0 < sum(edges) < Fraction(1, 4)


def test_an_insurance_wager_by_hand() -> None:
    """MA-PGP §16(d), Paytable C: 100, 40, 10, 7, 6 and 3 to 1."""
    theory = theory_of(filed("ma/pai_gow_poker", insurance_paytable="C"), "insurance", STORE, 500)
    counts = counts_of(theory)
    odds = {"nine_high": 100, "ten_high": 40, "jack_high": 10, "queen_high": 7, "king_high": 6, "ace_high": 3}
    won = sum(paid * counts[name] for name, paid in odds.items())
    assert theory.expected == Fraction(won - counts["nothing"], comb(53, 7))
    assert list(counts) == [*odds, "nothing"] and theory.envy is None and theory.meters == ()
    assert dict(theory.options)["insurance_paytable"] == "C"


def test_only_wagers_on_hands_that_are_set_or_drawn_to_are_simulated() -> None:
    methods = {
        (pack_id, wager): theory_of(filed(pack_id), wager, STORE).method
        for pack_id in PACKS
        for wager in wagers_of(filed(pack_id))
    }
    assert [place for place, method in methods.items() if method is Method.SIMULATION] == [
        ("ca/fortune_pai_gow", "fortune_pai_gow"),
        ("ca/pure_21_5_blackjack", "blackjack"),
        ("ca/pure_21_5_blackjack", "double"),
        ("flt/supreme_pai_gow", "ante"),
        ("flt/supreme_pai_gow", "raise"),
        ("ma/pai_gow_poker", "pai_gow"),
    ]


# --- Fortune ---------------------------------------------------------------------------------------------------------

# Published for the FPG-02 pay table, of C(53, 7); the rest is what neither wins nor is three pair.
PUBLISHED = dict(
    zip(
        FORTUNE_CLASS_NAMES,
        (32, 72, 196, 1_128, 26_020, 184_644, 307_472, 4_188_528, 6_172_088, 7_672_500, 11_034_204),
        strict=False,
    )
)
# MA-PGP §16(b), typed off the text once more; three pair is a push in C.
ODDS = {
    "A": (8000, 2000, 1000, 400, 150, 50, 25, 5, 4, 3, 2),
    "B": (5000, 2000, 1000, 400, 150, 50, 25, 5, 4, 3, 2),
    "C": (5000, 1000, 750, 250, 100, 50, 20, 5, 4, 3, 2),
    "D": (2500, 1000, 750, 250, 125, 50, 25, 5, 4, 3, 2),
}
ENVY = {
    "A": (5000, 1000, 500, 250, 50, 20, 5),
    "B": (3000, 1000, 500, 250, 50, 20, 5),
    "C": (1000, 250, 100, 50, 25, 10, 5),
    "D": (1000, 750, 250, 100, 50, 20, 5),
}


@pytest.mark.parametrize("royal_match", ["king_queen", "ace_king_natural"])
def test_fortune_counts_are_the_published_ones(royal_match: str) -> None:
    """A-K instead of K-Q makes as many: 4 royals × 3 other suits natural, and 5 times that with the joker, 72."""
    counts = counts_of(fortune(royal_match=royal_match))
    assert {name: counts[name] for name in PUBLISHED} == PUBLISHED
    assert sum(counts.values()) == comb(53, 7) == 154_143_080
    # In Alspach's counts by rank (two pair, pair, high card) the same hands are the ones that win nothing here.
    assert counts["three_pair"] + counts["nothing"] == 35_553_816 + 64_221_960 + 24_780_420
    # Straights that also hold three of a kind are paid as three of a kind: the sum is that of the rank order.
    assert counts["three_of_a_kind"] + counts["straight"] == 11_236_028 + 7_470_676


def test_three_pair_by_hand() -> None:
    """Without the joker: three ranks of pairs and one card of another; four ranks and four of a suit at most, so no
    straight and no flush. The joker beside three pairs below aces: the same. The joker as an ace with an ace, two
    pairs and another card: less the straights, and less the flushes, that four of a suit and the joker make."""
    natural = comb(13, 3) * 6**3 * 10 * 4
    joker_beside = comb(12, 3) * 6**3
    runs = [{14 if rank == 1 else rank for rank in range(low, low + 5)} for low in range(1, 11)]
    joker_in_pair = 0
    for pair, lower in combinations(range(2, 14), 2):
        for other in {*range(2, 14)} - {pair, lower}:
            straight = any({14, pair, lower, other} <= run for run in runs)
            # A flush: the ace's suit is in three of the six ways of each pair, and in one of four of the other card.
            joker_in_pair += 0 if straight else 4 * 6 * 6 * 4 - 4 * 3 * 3 * 1
    assert counts_of(fortune())["three_pair"] == natural + joker_beside + joker_in_pair


def test_fpg_02_returns_922344() -> None:
    theory = fortune(fortune_paytable="A", royal_match="king_queen")
    assert f"{float(theory.returned):.4%}" == "92.2344%"
    assert theory.method is Method.ENUMERATION


@pytest.mark.parametrize("paytable", ODDS)
def test_fortune_figures_by_hand(paytable: str) -> None:
    theory = fortune(fortune_paytable=paytable)
    counts = counts_of(theory)
    won = sum(odds * PUBLISHED[name] for odds, name in zip(ODDS[paytable], PUBLISHED, strict=True))
    pushed = counts["three_pair"] if paytable == "C" else 0
    lost = comb(53, 7) - sum(PUBLISHED.values()) - pushed
    assert theory.expected == Fraction(won - lost, comb(53, 7))
    squares = sum(odds**2 * PUBLISHED[name] for odds, name in zip(ODDS[paytable], PUBLISHED, strict=True))
    assert theory.variance == Fraction(squares + lost, comb(53, 7)) - theory.expected**2
    assert theory.win_probability == Fraction(sum(PUBLISHED.values()), comb(53, 7))


@pytest.mark.parametrize("paytable", ENVY)
def test_envy_by_hand(paytable: str) -> None:
    envy = fortune(fortune_paytable=paytable).envy
    assert envy is not None and envy.qualifies
    paid = sum(dollars * PUBLISHED[name] for dollars, name in zip(ENVY[paytable], PUBLISHED, strict=False))
    assert envy.expected_cents == Fraction(100 * paid, comb(53, 7))
    if paytable == "B":  # "each additional player at the table reduces the house edge by 0.92 percent" (Shackelford)
        assert f"{float(envy.expected_cents / 500):.2%}" == "0.92%"


def test_another_seat_has_the_classes_as_often() -> None:
    """What makes the envy figure exact: the sixth hand of a deal is as good as the first."""
    raw = np.random.PCG64(29).random_raw(200_000 * 53).reshape(-1, 53)
    sixth = np.ascontiguousarray(np.argsort(raw, axis=1)[:, 35:42].astype(np.uint8))
    found = np.bincount(fortune_class(sixth), minlength=13)
    counts = fortune().counts
    for name, times in zip(FORTUNE_CLASS_NAMES, found, strict=True):
        share = float(counts.probability(name))
        assert abs(times - 200_000 * share) <= 5 * sqrt(200_000 * share * (1 - share)) + 1, name


def test_a_small_stake_gets_no_envy_and_a_large_one_meets_the_limit() -> None:
    small = fortune(499, fortune_minimum_cents=100).envy
    assert small is not None and not small.qualifies
    assert small.document(499)["of_the_stake"]["value"] == 0
    limited = fortune(10_000, maximum_payout_cents=5_000_000)
    nets = {one.outcome: one.net for one in limited.outcomes}
    assert nets["seven_card_straight_flush_natural"] == 500  # $50,000 for $100, instead of 8000 to 1
    assert nets["five_aces"] == 400
    unlimited = fortune(10_000)
    lost = Fraction(32 * 7500 + 72 * 1500 + 196 * 500, comb(53, 7))
    assert limited.expected == unlimited.expected - lost


# --- baccarat --------------------------------------------------------------------------------------------------------

SIXES = 4_998_398_275_503_360


def test_eight_decks_are_as_published() -> None:
    assert counts_of(baccarat("player")) == {
        "player_wins": 2_230_518_282_592_256,
        "tie": 475_627_426_473_216,
        "loses": 2_292_252_566_437_888,
    }
    assert baccarat("tie").total == SIXES
    assert f"{float(baccarat('player').house_edge):.4%}" == "1.2351%"
    assert f"{float(baccarat('tie').house_edge):.4%}" == "14.3596%"


@pytest.mark.parametrize(
    ("decks", "banker", "player"),
    [
        (8, 2_292_252_566_437_888, 2_230_518_282_592_256),
        (6, 403_095_751_234_560, 392_220_492_728_832),
        (4, 34_543_624_867_840, 33_608_344_225_792),
    ],
)
def test_published_counts_by_decks(decks: int, banker: int, player: int) -> None:
    counts = counts_of(baccarat("player", decks))
    assert (counts["loses"], counts["player_wins"]) == (banker, player)
    assert counts["tie"] == perm(52 * decks, 6) - banker - player


def test_banker_six_pays_half() -> None:
    """269,232,304,455,680 of the sixes are banker wins with six, and a game that pays them half has an edge of 1.4581%
    (published for the commission-free game, where the edge of the usual 5% commission is 1.0579%)."""
    theory = baccarat("banker")
    six, banker, player = 269_232_304_455_680, 2_292_252_566_437_888, 2_230_518_282_592_256
    assert counts_of(theory)["banker_wins_with_six"] == six
    assert theory.house_edge == Fraction(2 * player - 2 * (banker - six) - six, 2 * SIXES)
    assert f"{float(theory.house_edge):.4%}" == "1.4581%"
    commission = Fraction(player * 20 - banker * 19, SIXES * 20)
    assert f"{float(commission):.4%}" == "1.0579%"


def test_winning_totals_are_as_published() -> None:
    """By the total that won, nine down to one (published for eight decks)."""
    counts = baccarat("player").counts.outcomes
    player = {won: sum(counts[f"{won}-{other}"] for other in range(won)) for won in range(1, 10)}
    banker = {won: sum(counts[f"{other}-{won}"] for other in range(won)) for won in range(1, 10)}
    assert [player[won] for won in (9, 8, 7, 6, 5)] == [
        *(613_074_020_540_416, 555_823_197_134_848, 408_043_979_470_848, 312_658_895_192_064, 122_838_277_197_824),
    ]
    assert [banker[won] for won in (9, 8, 7, 6, 5, 4, 3, 2, 1)] == [
        *(586_850_279_002_112, 529_914_458_673_152, 384_279_324_919_808, 269_232_304_455_680, 216_715_928_915_968),
        *(163_359_790_133_248, 72_927_778_568_192, 44_681_581_871_104, 24_291_119_898_624),
    ]


BANKER_DRAWS = {  # the usual tableau: after these third cards of the Player; None where the Player stood
    0: {*range(10), None}, 1: {*range(10), None}, 2: {*range(10), None}, 3: {0, 1, 2, 3, 4, 5, 6, 7, 9, None},
    4: {2, 3, 4, 5, 6, 7, None}, 5: {4, 5, 6, 7, None}, 6: {6, 7}, 7: set(), 8: set(), 9: set(),
}  # fmt: skip


def slow_totals(points: list[int]) -> dict[tuple[int, int], int]:
    """Ordered sixes by totals, from how many cards are worth 0, 1, ... 9: card by card, in Python's whole numbers."""
    found: dict[tuple[int, int], int] = {}

    def draw(left: list[int], drawn: tuple[int, ...], ways: int) -> None:
        if len(drawn) < 4:
            wanted = True
        else:
            player, banker = (drawn[0] + drawn[1]) % 10, (drawn[2] + drawn[3]) % 10
            thirds = list(drawn[4:])
            natural = player >= 8 or banker >= 8
            third = None
            wanted = False
            if not natural and player <= 5:
                if thirds:
                    third = thirds.pop(0)
                    player = (player + third) % 10
                else:
                    wanted = True
            if not wanted and not natural and third in BANKER_DRAWS[banker]:
                if thirds:
                    banker = (banker + thirds.pop(0)) % 10
                else:
                    wanted = True
        if not wanted:
            for used in range(len(drawn), 6):
                ways *= sum(points) - used
            found[player, banker] = found.get((player, banker), 0) + ways
            return
        for worth in range(10):
            if left[worth]:
                left[worth] -= 1
                draw(left, (*drawn, worth), ways * (left[worth] + 1))
                left[worth] += 1

    draw(list(points), (), 1)
    return found


@pytest.mark.parametrize("decks", [1, 8])
def test_all_totals_by_a_slow_way(decks: int) -> None:
    slow = slow_totals([16 * decks, *[4 * decks] * 9])
    fast = baccarat("player", decks).counts.outcomes
    assert {f"{player}-{banker}": ways for (player, banker), ways in slow.items()} == {
        name: count for name, count in fast.items() if count
    }


def test_a_dozen_cards_in_every_order() -> None:
    """Every ordered six of twelve different cards, suits and all: 665,280 rounds, each played out."""
    dozen = ["Ac", "Ad", "2s", "3h", "4c", "5d", "6s", "7h", "8c", "9d", "Ks", "Th"]
    worth = {card: 0 if card[0] in "TJQK" else "A23456789".index(card[0]) + 1 for card in dozen}
    played = np.zeros((10, 10), np.int64)
    for six in permutations(dozen, 6):
        points = [worth[card] for card in six]
        player, banker, thirds = (points[0] + points[1]) % 10, (points[2] + points[3]) % 10, points[4:]
        if player < 8 and banker < 8:
            third = None
            if player <= 5:
                third = thirds.pop(0)
                player = (player + third) % 10
            if third in BANKER_DRAWS[banker]:
                banker = (banker + thirds.pop(0)) % 10
        played[player, banker] += 1
    values = DRAWING.values[np.frombuffer(codes_of(dozen), np.uint8)]
    shoe = Drawing(values, DRAWING.player_draws, DRAWING.banker_draws, DRAWING.no_third)
    assert np.array_equal(count_totals(shoe, 1), played)


def test_an_odd_cent_is_rounded_down() -> None:
    nets = {one.outcome: one.net for one in baccarat("banker", stake_cents=501).outcomes}
    assert nets["banker_wins_with_six"] == Fraction(250, 501)  # rulings.md R-39


# --- the main wager --------------------------------------------------------------------------------------------------


FACE_UP: dict[str, str | int] = {"variant": "face_up", "ace_high_paytable": "1", "fortune_paytable": "none"}


@pytest.mark.parametrize(
    ("wheel", "variant", "pushes"),
    [
        *((wheel, {}, "") for wheel in Wheel),
        (Wheel.SECOND_HIGHEST, {"variant": "ez"}, "Q"),
        (Wheel.LOWEST, FACE_UP, "A"),
    ],
)
def test_the_main_wager_by_a_slow_way(wheel: Wheel, variant: dict[str, str | int], pushes: str) -> None:
    """A deal at a time with cards by name, and the rules once more by definition."""
    rng, lowest, deals = random.Random(f"duel {wheel}"), wheel is Wheel.LOWEST, 2_500
    deck = [rank + suit for rank in ORDER for suit in "cdhs"] + ["X1"]
    nets = []
    times = dict.fromkeys(RESULTS, 0)
    for _ in range(deals):
        cards = rng.sample(deck, 14)
        (low, high), (dealer_low, dealer_high) = (
            (score_two(front), score_five(back, lowest))
            for front, back in (set_house_way(tuple(seven), lowest) for seven in (cards[:7], cards[7:]))
        )
        better = (low > dealer_low) + (high > dealer_high)  # copies are the dealer's
        outcome = ("loses", "ties", "wins")[better]
        if pushes and pai_gow_high(tuple(cards[7:]), joker_is_an_ace=False) == pushes:
            outcome = "ties"
        times[outcome] += 1
        nets.append({"loses": -1.0, "ties": 0.0, "wins": 1.0 if variant else 0.95}[outcome])
    theory = theory_of(filed("ma/pai_gow_poker", wheel=str(wheel), **variant), "pai_gow", STORE)
    assert theory.standard_error is not None and theory.standard_error < 1e-4
    error = sqrt(np.var(nets) / deals + theory.standard_error**2)
    assert abs(np.mean(nets) - float(theory.expected)) < 4 * error
    for outcome, found in times.items():
        share = float(theory.counts.probability(outcome))
        assert abs(found / deals - share) < 4 * sqrt(share * (1 - share) / deals), outcome


def test_the_standard_error_is_what_repeats_show() -> None:
    """Sixty small simulations with other seeds spread as much as each says it would."""
    worth = [Fraction(-1), Fraction(0), Fraction(19, 20)]
    means, errors = [], []
    for seed in range(60):
        counts = duel(LAW.compare, RESULTS, Wheel.LOWEST, seed=seed, rounds=250).count(no_progress)
        error = counts.standard_error(worth)
        assert error is not None
        means.append(float(sum(w * n for w, n in zip(worth, counts.outcomes.values(), strict=True)) / counts.total))
        errors.append(error)
    assert 0.75 < np.std(means, ddof=1) / np.mean(errors) < 1.3
    shipped = theory_of(filed("ma/pai_gow_poker", wheel="lowest"), "pai_gow", STORE)
    assert abs(np.mean(means) - float(shipped.expected)) < 4 * np.mean(errors) / sqrt(60)


def test_each_round_compares_each_two_hands_both_ways() -> None:
    counts = duel(LAW.compare, RESULTS, Wheel.LOWEST, seed=1, rounds=50).count(no_progress)
    assert counts.total == 50 * 42
    assert counts.outcomes["loses"] >= counts.outcomes["wins"]  # a win one way is a loss the other; copies only lose
    again = duel(LAW.compare, RESULTS, Wheel.LOWEST, seed=1, rounds=50).count(no_progress)
    assert again == counts
    with pytest.raises(ValueError, match="two rounds or more, not 1"):
        duel(LAW.compare, RESULTS, Wheel.LOWEST, rounds=1)


def test_face_up_says_that_whoever_plays_to_the_dealers_hand_does_better() -> None:
    notes = theory_of(filed("ma/pai_gow_poker", **FACE_UP), "pai_gow", STORE).notes
    assert any("lies face up" in note and "§19(a)" in note for note in notes)


def test_a_meter_is_figured_at_the_seed_that_is_filed() -> None:
    for seed, held in ((0, 1_000_000), (2_500_000, 2_500_000)):
        filing = filed("ma/pai_gow_poker", progressive_paytable="14_1_dollar", progressive_seed_cents=seed)
        (meter,) = theory_of(filing, "progressive", STORE).meters
        assert meter.held_cents == held


def test_the_vigorish_is_the_packs() -> None:
    pack, wins = "ma/pai_gow_poker", -1
    ten = theory_of(filed(pack), "pai_gow", STORE)
    twelve = theory_of(filed(pack), "pai_gow", STORE, 1_200)
    exact = theory_of(filed(pack, vigorish_rounding="exact"), "pai_gow", STORE, 1_200)
    assert ten.outcomes[wins].net == Fraction(19, 20)
    assert twelve.outcomes[wins].net == Fraction(1_125, 1_200)  # 60¢ goes up to 75¢
    assert exact.outcomes[wins].net == Fraction(19, 20)
    assert ten.counts == twelve.counts == exact.counts


# --- California's Fortune Pai Gow Poker ------------------------------------------------------------------------------


def test_california_pays_fpg_02_and_no_vigorish() -> None:
    fortune_bet = theory_of(filed("ca/fortune_pai_gow"), "fortune", STORE)
    assert f"{float(fortune_bet.returned):.4%}" == "92.2344%"  # as published for FPG-02
    envy = fortune_bet.envy
    assert envy is not None and envy.qualifies
    paid = sum(dollars * PUBLISHED[name] for dollars, name in zip(ENVY["A"], PUBLISHED, strict=False))
    assert envy.expected_cents == Fraction(100 * paid, comb(53, 7))
    game = theory_of(filed("ca/fortune_pai_gow"), "fortune_pai_gow", STORE)
    lowest = theory_of(filed("ma/pai_gow_poker", wheel="lowest"), "pai_gow", STORE)
    assert game.counts == lowest.counts  # hands rank and compare alike
    assert [one.net for one in game.outcomes] == [-1, 0, 1]
    assert game.standard_error is not None and 0 < game.standard_error < 1e-4


# --- what was asked --------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("pack_id", "options", "wager", "stake", "said"),
    [
        ("ma/pai_gow_poker", {}, "buster", None, "has no wager 'buster'; it has: pai_gow, fortune, insurance"),
        ("ma/pai_gow_poker", {"fortune_paytable": "none"}, "fortune", None, "does not offer the wager fortune"),
        ("ca/supreme_baccarat", {}, "tie", 0, "at least a cent, not 0"),
    ],
)
def test_a_theory_there_is_not(
    pack_id: str, options: dict[str, OptionValue], wager: str, stake: int | None, said: str
) -> None:
    with pytest.raises(TheoryError, match=said):
        theory_of(filed(pack_id, **options), wager, STORE, stake)
