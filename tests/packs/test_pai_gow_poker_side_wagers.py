"""Several side wagers at a table: which may be filed together, what a hand is paid in all, what is said of each."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
import yaml

from replay.case_run import settle_case
from replay.families.split_hands.game import check, row_of_case
from replay.families.split_hands.law import Law
from replay.families.split_hands.wager_law import DealerPushes, JudgedOn, SideWager, Variant
from replay.filing import Filing, Paytable, file_under, filing_problem, load_pack
from replay.filing.filed import Pack
from replay.filing.problems import PackError
from replay.game import Checked
from replay.rounds import OUTCOME_CODE, UNKNOWN, Fact, FactRow, RoundBatch, batch_of
from schemas.cards import codes_of
from schemas.cases import Case
from schemas.events import Outcome
from tests.packs.pai_gow_poker_checked import settlements

DEALER = {"low": ["Kc", "Jd"], "high": ["Qs", "Qh", "9h", "7c", "4s"]}


def filing(**options: str | int) -> Filing:
    return file_under(load_pack("ma/pai_gow_poker"), "1.0", options)


def played(seats: dict[int, dict[str, Any]], filed: Filing) -> tuple[RoundBatch, Checked]:
    case = Case.model_validate({"name": "x", "pack": "ma/pai_gow_poker", "seats": seats, "dealer": DEALER})
    batch = batch_of([row_of_case(case, filed)])
    return batch, check(batch, filed)


def seat(wagers: str, low: str, high: str) -> dict[str, Any]:
    return {"wagers": yaml.safe_load(wagers), "low": low.split(), "high": high.split()}


EZ_ONLY = ("queens_dragon", "dynasty", "protection", "red_black")
FACE_UP: dict[str, str | int] = {"variant": "face_up", "ace_high_paytable": "3", "fortune_paytable": "face_up_6"}
EMPERORS_10: dict[str, str | int] = {"emperors_paytable": "A", "emperors_minimum_cents": 1000}
DRAGON_2000: dict[str, str | int] = {
    "variant": "ez",
    "queens_dragon": "offered",
    "queens_dragon_minimum_cents": 200_000,
    "queens_dragon_maximum_cents": 200_000,
}


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"insurance_paytable": "A"}, "insurance_paytable: A and emperors_paytable: none cannot stand together"),
        ({"insurance_paytable": "B", "fortune_paytable": "none"}, "MA-PGP §16(d)"),
        ({"insurance_paytable": "C", "fortune_paytable": "none"}, "file a fortune_paytable"),
        ({"insurance_paytable": "C", "insurance_minimum_cents": 500, "insurance_maximum_cents": 100}, "is above"),
        ({"insurance_paytable": "C"}, None),
        ({"insurance_paytable": "E", "fortune_paytable": "D"}, None),
        ({"insurance_paytable": "A", "emperors_paytable": "C"}, None),
        ({"insurance_paytable": "B", "emperors_paytable": "C", "fortune_paytable": "none"}, None),
        ({"insurance_paytable": "E", "emperors_paytable": "C", "fortune_paytable": "A"}, None),
        ({"insurance_paytable": "E", "emperors_paytable": "C", "fortune_paytable": "none"}, "MA-PGP §16(d)"),
        ({"queens_dragon": "offered"}, "variant: standard cannot stand together (MA-PGP §7(e)(5)"),
        ({"dynasty": "offered", **FACE_UP}, "file variant: ez, or dynasty: none"),
        ({"protection": "offered"}, "file variant: ez, or protection: none"),
        ({"red_black": "offered"}, "file variant: ez, or red_black: none"),
        ({"variant": "ez", **dict.fromkeys(EZ_ONLY, "offered")}, None),
        ({"variant": "face_up"}, "ace_high_paytable: none and variant: face_up"),
        ({"variant": "face_up", "ace_high_paytable": "1"}, "file fortune_paytable: face_up_1 to face_up_6"),
        ({"variant": "face_up", "ace_high_paytable": "1", "fortune_paytable": "none"}, None),
        (FACE_UP, None),
        ({"ace_high_paytable": "1"}, "file variant: face_up, or ace_high_paytable: none"),
        ({"variant": "ez", "fortune_paytable": "face_up_3"}, "MA-PGP §19(e)"),
        ({"rng_wager": "offered"}, "file starting: rng, or rng_wager: none"),
        ({"rng_wager": "offered", "starting": "button", "dealing": "automated_shoe"}, "MA-PGP §13(a)"),
        ({"rng_wager": "offered", "starting": "rng"}, None),
        ({"maximum_payout_cents": 4_999_999}, "$49,999.99 is below $50,000.00"),
        ({"maximum_payout_cents": 5_000_000}, None),
        # 8000 × $10 is $80,000 for the smallest Emperor's Treasure wager
        ({**EMPERORS_10, "maximum_payout_cents": 7_999_999}, "is below $80,000.00"),
        ({**EMPERORS_10, "maximum_payout_cents": 8_000_000}, None),
        # 50 × $2,000 is $100,000 for the smallest Queen's Dragon wager
        ({**DRAGON_2000, "maximum_payout_cents": 9_999_999}, "is below $100,000.00"),
        ({**DRAGON_2000, "maximum_payout_cents": 10_000_000}, None),
    ],
)
def test_what_may_be_filed_together(options: dict[str, str | int], says: str | None) -> None:
    problem = filing_problem(filing(**options))
    assert problem is None if says is None else says in (problem or "")


SECTION_17: dict[str, str | int] = {"dealing": "bonus_shoe", "starting": "left_of_dealer"}
OF_SECTION_17: list[dict[str, str | int]] = [{"three_card_bonus": "offered"}, {"seven_card_bonus_paytable": "B"}]


@pytest.mark.parametrize("wager", OF_SECTION_17)
@pytest.mark.parametrize(
    ("of_section_15", "refused"),
    [
        ({"fortune_paytable": "none"}, False),
        ({"fortune_paytable": "A"}, True),
        ({"fortune_paytable": "none", "emperors_paytable": "B"}, True),
    ],
)
def test_wagers_of_section_15_and_of_section_17_are_not_filed_together(
    wager: dict[str, str | int], of_section_15: dict[str, str | int], refused: bool
) -> None:
    problem = filing_problem(filing(**SECTION_17, **wager, **of_section_15))
    assert (problem is not None and "MA-PGP §15(a), §17(a)" in problem) is refused


@pytest.mark.parametrize(
    ("seed", "says"), [(199_999, "meter progressive is seeded with $1,999.99; MA-PGP §16(e)(2)"), (200_000, None)]
)
def test_a_seed_of_the_progressive_wager_of_section_16e_is_at_least_two_thousand_dollars(
    seed: int, says: str | None
) -> None:
    filed = filing(progressive_paytable="16e", progressive_rate_bp=2000, progressive_seed_cents=seed)
    problem = filing_problem(filed)
    assert problem is None if says is None else says in (problem or "")


def test_findings_name_the_wager() -> None:
    hand = ("Jh 9s", "Ac 8s 5c 4d 2h")
    _, checked = played({3: seat("{insurance: $5}", *hand)}, filing(insurance_paytable="C"))
    (alone,) = [one for one in checked.remarks if one.code == "WAGER-503"]
    assert "on the pai gow insurance wager and nothing on the pai gow poker wager" in alone.sentence
    assert "§15(b)" in str(alone.cite)
    _, checked = played(
        {3: seat("{pai_gow: $10, insurance: $900}", *hand)}, filing(insurance_paytable="C", insurance_maximum_cents=500)
    )
    (above,) = [one for one in checked.remarks if one.code == "WAGER-502"]
    assert "the pai gow insurance wager, above the maximum of $5.00" in above.sentence
    _, checked = played({3: seat("{pai_gow: $10, insurance: $5}", *hand)}, filing())
    assert "WAGER-504" in [one.code for one in checked.remarks]


def test_one_hands_side_wagers_share_the_most_that_is_paid(monkeypatch: pytest.MonkeyPatch) -> None:
    """$10 for the straight (2 to 1) and $15 for ace-high (3 to 1) are $25; of $20 the first gets all it is due
    (MA-PGP §16(j), rulings.md R-46). Another hand's wager has a limit of its own."""
    seats = {
        3: seat("{pai_gow: $10, fortune: $5, insurance: $5}", "Kd 2d", "X1 9s 8d 7s 6h"),
        5: seat("{pai_gow: $10, insurance: $5}", "Js 9d", "Ac 8s 5c 4d 2h"),
    }
    for limit, pays in ((0, 1500), (2000, 1000), (2500, 1500)):
        batch, checked = played(seats, filing(insurance_paytable="C", maximum_payout_cents=limit))
        wagers, _ = settlements(batch, checked.lines, 0)
        assert wagers[3, "fortune"] == (frozenset({"win"}), 1000, 0)
        assert wagers[3, "insurance"] == (frozenset({"win"}), pays, 0)
        assert wagers[5, "insurance"] == (frozenset({"win"}), 1500, 0)


def test_what_is_said_of_a_number_that_won_says_how_it_is_rounded() -> None:
    """5½ × $5 is $27.50, and $27 is paid (MA-PGP §13(b)(6))."""
    at = {**seat("{pai_gow: $10, rng: $5}", "Jh 9s", "Ac 8s 5c 4d 2h"), "choices": {"rng": "1"}}
    case = {"name": "x", "pack": "ma/pai_gow_poker", "seats": {3: at}, "dealer": DEALER, "options": NUMBERS}
    settled = settle_case(Case.model_validate(case))
    (line,) = [line for line in settled["lines"] if line["wager"] == "rng"]
    assert line["expected"]["paid_cents"] == 2700
    assert line["row"] == "number selected pays 11 to 2, rounded down to a multiple of $1.00"
    assert settled["settlement_order"].startswith("seat 3")


@pytest.mark.parametrize("odds", [549, 601])
def test_the_odds_of_the_number_are_from_five_and_a_half_to_six(odds: int) -> None:
    with pytest.raises(PackError, match="rng_odds_hundredths"):
        filing(starting="rng", rng_wager="offered", rng_odds_hundredths=odds)


@pytest.mark.parametrize(
    ("options", "wagers", "choices"),
    [
        ({}, "{pai_gow: $10, emperors: $5}", {}),
        ({"variant": "ez"}, "{pai_gow: $10, queens_dragon: $5}", {}),
        ({"starting": "rng"}, "{pai_gow: $10, rng: $5}", {"rng": "1"}),
        ({"starting": "rng", "rng_wager": "offered"}, "{pai_gow: $10, rng: $5}", {"rng": "8"}),
        ({"starting": "rng", "rng_wager": "offered"}, "{pai_gow: $10, rng: $5}", {}),
        ({"variant": "ez", "red_black": "offered"}, "{pai_gow: $10, red_black: $5}", {"red_black": "green"}),
    ],
)
def test_what_is_not_offered(options: dict[str, str | int], wagers: str, choices: dict[str, str]) -> None:
    _, checked = played({3: {**seat(wagers, "Jh 9s", "Ac 8s 5c 4d 2h"), "choices": choices}}, filing(**options))
    assert "WAGER-504" in [one.code for one in checked.remarks]
    assert 0 in checked.no_rule


# ---- the order of things ---------------------------------------------------------------------------------------------

NUMBERS: dict[str, str | int] = {"starting": "rng", "rng_wager": "offered"}


def with_settled(
    seqs: dict[int, tuple[str, int]], options: dict[str, str | int], first_card: int = UNKNOWN
) -> list[str]:
    """What is found where numbers are chosen at these seats and settled so at these moments. The number is displayed
    at 100, hands are shown from 200 on."""
    filed = filing(**options)
    number = {1: "1", 3: "2", 5: "3"}
    hands = {1: ("Jh 9s", "Ac 8s 5c 4d 2h"), 3: ("Th 8h", "Ad 9d 6c 3d 2d"), 5: ("6s 5s", "Ah 8d 7s 3c 2c")}
    seats = {
        place: {**seat("{pai_gow: $10, rng: $4}", *hands[place]), "choices": {"rng": number[place]}} for place in seqs
    }
    case = Case.model_validate({"name": "x", "pack": "ma/pai_gow_poker", "seats": seats, "dealer": DEALER})
    row = row_of_case(case, filed)
    row.fixed.update(start_seq=100, first_card_seq=first_card, last_card_seq=first_card)
    row.shown = [one._replace(seq=200 + number) for number, one in enumerate(row.shown)]
    row.facts += [
        FactRow(
            *(Fact.SETTLED, seq, place, "", "rng", number[place]),
            code=OUTCOME_CODE[Outcome(outcome)],
            amount=2200 if outcome == "win" else 0,
            taken=0 if outcome == "win" else 400,
        )
        for place, (outcome, seq) in sorted(seqs.items(), key=lambda item: item[1][1])
    ]
    return [one.code for one in check(batch_of([row]), filed).remarks]


@pytest.mark.parametrize(
    ("settled", "options", "first_card", "codes"),
    [
        ({1: ("win", 103), 3: ("lose", 101), 5: ("lose", 102)}, {}, 110, []),
        ({1: ("win", 102), 3: ("lose", 101), 5: ("lose", 103)}, {}, 110, ["SETTLE-107"]),  # seat 5 after a winner
        ({1: ("win", 112), 3: ("lose", 101)}, {}, 110, ["SETTLE-107"]),  # after the first card
        ({1: ("win", 109), 3: ("lose", 101)}, {}, 110, []),
        ({1: ("win", 112), 3: ("lose", 101)}, {"dealing": "hand"}, 90, []),  # stacks not yet delivered (§8a(e))
        ({1: ("win", 212), 3: ("lose", 101)}, {"dealing": "hand"}, 90, ["SETTLE-107"]),  # hands were shown
        ({3: ("lose", 99)}, {}, 110, ["SETTLE-107"]),  # before the number was displayed
    ],
)
def test_numbers_are_settled_before_the_deal_and_losing_ones_first(
    settled: dict[int, tuple[str, int]], options: dict[str, str | int], first_card: int, codes: list[str]
) -> None:
    assert with_settled(settled, {**NUMBERS, **options}, first_card) == codes


@pytest.mark.parametrize("options", [FACE_UP, {}])
def test_the_dealers_hand_is_turned_over_first(options: dict[str, str | int]) -> None:
    """§19(a), and §9(f) of every table."""
    filed = filing(**options)
    case = Case.model_validate(
        {
            "name": "x",
            "pack": "ma/pai_gow_poker",
            "seats": {3: seat("{pai_gow: $10}", "Jh 9s", "Ac 8s 5c 4d 2h")},
            "dealer": DEALER,
        }
    )
    row = row_of_case(case, filed)
    assert [one.place for one in row.shown] == [0, 3]
    assert check(batch_of([row]), filed).remarks == []
    dealer, player = row.shown
    row.shown = [player._replace(seq=dealer.seq), dealer._replace(seq=player.seq)]
    assert [one.code for one in check(batch_of([row]), filed).remarks] == ["HOUSE-404"]


# ---- wagers no pack has yet: a law of the test's own -----------------------------------------------------------------

CITED = load_pack("ma/pai_gow_poker").law(Law).cites.win
RED = np.array([card < 52 and card % 4 in (1, 2) for card in range(53)])


def side(name: str, on: JudgedOn, class_of: Any, **more: Any) -> SideWager:
    return SideWager(name, name, on, lambda filing: name, CITED, CITED, CITED, ("hit", "nothing"), class_of, **more)


def with_law(monkeypatch: pytest.MonkeyPatch, odds: int | list[int] = 50, **changes: Any) -> Filing:
    """The pack with a law that is changed so, and a pay table for each of its side wagers."""
    pack = load_pack("ma/pai_gow_poker")
    law = replace(pack.law(Law), **changes)
    rows = [{"hand": "hit", "odds": odds}]
    tables = {
        one.name: Paytable.model_validate({"id": one.name, "title": "x", "cite": CITED, "pays": "to 1", "rows": rows})
        for one in law.sides
    }
    monkeypatch.setattr(Pack, "law", lambda self, kind: law)
    return file_under(replace(pack, paytables={**pack.paytables, **tables}), "1.0", {"starting": "rng"})


def hit(mask: Any) -> Any:
    return np.where(mask, 0, 1).astype(np.uint8)


def holding(code: int) -> Any:
    """Of hands, whether they hold this card."""
    return lambda cards: (cards == code).any(axis=1)


def lines_of(filed: Filing, wagers: str, **more: Any) -> tuple[dict[str, tuple[int, int]], Checked]:
    batch, checked = played({3: {**seat(wagers, "Kd 2d", "X1 9s 8d 7s 6h"), **more}}, filed)
    found, _ = settlements(batch, checked.lines, 0)
    return {wager: (paid, taken) for (_, wager), (_, paid, taken) in found.items()}, checked


@pytest.mark.parametrize(("card", "comes_to"), [("Kc", (2500, 0)), ("Kh", (0, 50))])
def test_a_wager_on_the_dealers_cards(monkeypatch: pytest.MonkeyPatch, card: str, comes_to: tuple[int, int]) -> None:
    held = holding(codes_of([card])[0])
    queen = side("queen", JudgedOn.DEALER_CARDS, lambda filing, choice: lambda cards: hit(held(cards)))
    found, _ = lines_of(with_law(monkeypatch, sides=(queen,)), "{pai_gow: $10, queen: $0.50}")
    assert found["queen"] == comes_to


def test_a_wager_on_the_dealers_cards_and_ones_own(monkeypatch: pytest.MonkeyPatch) -> None:
    dealers, own = codes_of(["Kc"])[0], codes_of(["6h"])[0]

    def both(filing: Filing, choice: str) -> Any:
        return lambda cards: hit((cards[:, :7] == dealers).any(axis=1) & (cards[:, 7:] == own).any(axis=1))

    found, _ = lines_of(with_law(monkeypatch, sides=(side("both", JudgedOn.DEALER_AND_OWN, both),)), "{both: $1}")
    assert found["both"] == (5000, 0)


def test_the_number_displayed_settles_a_wager_though_the_hand_is_surrendered(monkeypatch: pytest.MonkeyPatch) -> None:
    """5½ to 1 on $5 is $27.50, rounded down to the whole dollar (MA-PGP §13(b)(6)); a case displays 1."""

    def number(filing: Filing, choice: str) -> Any:
        return lambda numbers: hit(numbers[:, 0] == int(choice))

    more = {"choices": ("1", "2"), "whole_cents": 100}
    filed = with_law(monkeypatch, [11, 2], sides=(side("rng", JudgedOn.START_NUMBER, number, **more),))
    for acted in ({}, {"acted": "surrender"}):
        for choice, comes_to in (("1", (2700, 0)), ("2", (0, 500))):
            found, _ = lines_of(filed, "{pai_gow: $10, rng: $5}", choices={"rng": choice}, **acted)
            assert found["rng"] == comes_to
    _, checked = lines_of(filed, "{pai_gow: $10, rng: $5}", choices={"rng": "8"})
    assert "WAGER-504" in [one.code for one in checked.remarks]


@pytest.mark.parametrize(("colour", "comes_to"), [("red", (0, 500)), ("black", (500, 0))])
def test_a_wager_on_the_colour_chosen(monkeypatch: pytest.MonkeyPatch, colour: str, comes_to: tuple[int, int]) -> None:
    """Kd 2d 8d 6h are red, and 9s 7s 5c 3c are black; here three black ones are enough, and five red ones."""

    def of(filing: Filing, choice: str) -> Any:
        return lambda cards: hit(RED[cards].sum(axis=1) >= 5 if choice == "red" else RED[cards].sum(axis=1) <= 4)

    colours = side("colour", JudgedOn.OWN_CARDS, of, choices=("red", "black"))
    filed = with_law(monkeypatch, 1, sides=(colours,))
    found, _ = lines_of(filed, "{pai_gow: $10, colour: $5}", choices={"colour": colour})
    assert found["colour"] == comes_to


def test_the_first_cards_dealt_must_have_been_read(monkeypatch: pytest.MonkeyPatch) -> None:
    red = side("three", JudgedOn.FIRST_CARDS, lambda filing, choice: lambda cards: hit(RED[cards].all(axis=1)))
    _, checked = lines_of(with_law(monkeypatch, sides=(red,)), "{pai_gow: $10, three: $5}")
    assert "no deal that was read gives the cards dealt first, by which the three is settled" in checked.left_open[0]


def test_unless_whichever_three_came_first_comes_to_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    any_three = side("three", JudgedOn.FIRST_CARDS, lambda filing, choice: lambda cards: hit(cards[:, 0] >= 0))
    found, checked = lines_of(with_law(monkeypatch, sides=(any_three,)), "{pai_gow: $10, three: $5}")
    assert found["three"] == (25_000, 0) and not checked.left_open


def test_a_hand_of_the_dealers_at_which_all_push(monkeypatch: pytest.MonkeyPatch) -> None:
    """Foul hands too, but not surrendered ones (rulings.md R-48); without vigorish nothing is held back."""
    for card, foul_hand, surrendered in (("Kc", (0, 0), (0, 1000)), ("Kh", (0, 1000), (0, 1000))):
        pushes = DealerPushes(holding(codes_of([card])[0]), CITED)
        filed = with_law(monkeypatch, variant=lambda filing: Variant(False, pushes), sides=())  # noqa: B023
        batch, checked = played({3: seat("{pai_gow: $10}", "Ad As", "9s 8d 7s 6h 2c")}, filed)
        found, _ = settlements(batch, checked.lines, 0)
        assert found[3, "pai_gow"][1:] == foul_hand
        assert checked.vigorish is None
        given_up, _ = lines_of(filed, "{pai_gow: $10}", acted="surrender")
        assert given_up["pai_gow"] == surrendered
        monkeypatch.undo()
