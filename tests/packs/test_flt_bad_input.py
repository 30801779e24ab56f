"""What nobody should file, wager or report at the commission-free Supreme Pai Gow.

Each is refused, or is a finding that names its section, and whatever is beside it is settled as ever.
"""

from __future__ import annotations

from typing import Any

import pytest

from replay.case_run import settle_case
from replay.filing import PackError
from replay.rounds import OUTCOME_CODE, Fact, FactRow
from schemas.cases import Case
from schemas.events import Outcome
from schemas.findings import Finding, Verdict
from tests.packs.flt_rounds import PACK
from tests.packs.flt_slow import Filed
from tests.packs.flt_table import Table, place

EIGHT = ("Kc", "Jd", "Qs", "Qh", "9h", "7d", "4s", "2c")  # king-jack, queens, and a two left over
OF_INSURANCE = {"insurance_progressive_seed_cents": 500_000, "insurance_progressive_rate_bp": 2000}
OF_EMPERORS = {"emperors_progressive_seed_cents": 500_000, "emperors_progressive_rate_bp": 2000}


# ---- filings ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"ante_royalty_paytable": "PT-FLT-AR-06"}, r"'PT-FLT-AR-06' is none of PT-FLT-AR-01, .* \(FLT-SPG App\. A\)"),
        ({"ante_royalty_paytable": "none"}, r"'none' is none of .* \(FLT-SPG App\. A\)"),
        ({"emperors_paytable": "E01"}, r"'E01' is none of .* \(FLT-SPG Optional Bonus Wagers\)"),
        ({"eighth_card_paytable": "PT-FLT-D8C2-03"}, r"is none of .* \(FLT-SPG Rules of Play 6\)"),
        ({"raise_multiples": "half"}, r"'half' is none of whole, any \(FLT-SPG Rules of Play 3a\)"),
        ({"emperors_aggregate_cents": -1}, r"-1 is not between 0 and .* \(FLT-SPG App\. C 5\)"),
        ({"emperors_aggregate_per": "table"}, r"'table' is none of hand, round \(FLT-SPG App\. C 5\)"),
        ({"insurance_progressive_unit_cents": 0}, r"0 is not between 1 and .* \(FLT-SPG App\. F 5\)"),
        ({"emperors_progressive_rate_bp": 10_001}, r"10001 is not between 0 and .* \(FLT-SPG App\. G 4\)"),
        ({"joker_insurance": "PT-FLT-EC-PGI-01"}, "has no option 'joker_insurance'; it has: ante_royalty_paytable"),
        (
            {"insurance_paytable": "PT-FLT-EC-PGI-01", "insurance_minimum_cents": 500, "insurance_maximum_cents": 100},
            r"insurance_minimum_cents \(\$5\.00\) is above insurance_maximum_cents \(\$1\.00\) "
            r"\(FLT-SPG Optional Bonus Wagers\)",
        ),
        (
            {"insurance_progressive_paytable": "PT-BJS-EC-PGI-01", "insurance_progressive_seed_cents": 500_000},
            r"App\. F PT-BJS-EC-PGI-01 does not print what the meter gets .* file insurance_progressive_rate_bp",
        ),
        (
            {"emperors_progressive_paytable": "PT-BJS-EC-ET-01", "emperors_progressive_rate_bp": 2000},
            r"App\. G PT-BJS-EC-ET-01 does not print what the meter is seeded with: file emperors_progressive_seed",
        ),
        (
            {
                "insurance_progressive_paytable": "PT-BJS-EC-PGI-01",
                "emperors_progressive_paytable": "PT-BJS-EC-ET-01",
                "insurance_progressive_meter": "jackpot",
                "emperors_progressive_meter": "jackpot",
                **OF_INSURANCE,
                **OF_EMPERORS,
            },
            "two meters of the table are called jackpot; file another name for one of them",
        ),
    ],
)
def test_a_filing_that_cannot_stand_is_refused(options: dict[str, Any], says: str) -> None:
    case = Case.model_validate({"name": "filing", "pack": PACK, "options": options})
    with pytest.raises(PackError, match=says):
        settle_case(case)


# ---- wagers ----------------------------------------------------------------------------------------------------------


def table(filed: Filed | None = None, options: dict[str, Any] | None = None, **wagers: int) -> Table:
    """Seat 2 raises and has both hands beaten, seat 5 folds with these wagers and an ace-high pai gow."""
    places = {
        2: place("Ks Kd As Ad 9c 5h 3d", ante=2500, **{"raise": 5000}),
        5: place("Ah Ts 8c 7h 5d 4d 3h", ante=2500, **wagers),
    }
    return Table(places, EIGHT, filed or Filed(), options or {})


def only(made: Table) -> Finding:
    _, (finding,) = made.judged()
    return finding


def test_a_raise_of_five_times_is_refused_by_its_section() -> None:
    made = table()
    made.places[2].wagers["raise"] = 12_500
    made.settle_as(2, "raise", "win", 12_500, 0)
    finding = only(made)
    assert (finding.code, finding.seat, finding.wager) == ("WAGER-502", 2, "raise")
    assert finding.citation.startswith("FLT-SPG Rules of Play 3a")


def test_an_optional_wager_that_is_not_filed() -> None:
    """Nothing filed says what it comes to: the round is left open, and the other wagers are settled as ever."""
    made = table()
    made.places[5] = place("Ah Ts 8c 7h", ante=2500, eighth_field=500)
    made.settle_as(5, "eighth_field", "lose", 0, 500)
    verdict, findings = made.judged()
    assert [finding.code for finding in findings] == ["WAGER-504"]
    assert findings[0].citation.startswith("FLT-SPG Optional Bonus Wagers")
    assert verdict is Verdict.DIFFERS
    made.settle_as(2, "raise", "push", 0, 0)
    assert {(finding.code, finding.wager) for finding in made.judged()[1]} == {
        ("WAGER-504", "eighth_field"),
        ("SETTLE-102", "raise"),
    }


@pytest.mark.parametrize("cards", ["Ah Ts 8c 7h 5d 4d 3h", "Ah Ts 8c 7h"])
@pytest.mark.parametrize("how", [{}, {"places_seen": True}, {"shown": False}, {"dealt": False}], ids=str)
def test_no_rule_says_how_many_cards_a_wager_gets_that_is_not_filed(how: dict[str, bool], cards: str) -> None:
    """Rules of Play 4a deals the hand out for a wager "available": that it was taken is the one finding."""
    made = table()
    made.places[5] = place(cards, ante=2500, insurance=500)
    made.given_seven[5] = len(cards.split()) == 7
    made.settle_as(5, "insurance", "lose", 0, 500)
    for name, so in how.items():
        setattr(made, name, so)
    assert [finding.code for finding in made.judged()[1]] == ["WAGER-504"]


@pytest.mark.parametrize(
    ("filed", "wager", "offered"),
    [
        ("PT-FLT-D8C1-01", "eighth_2_or_4", True),
        ("PT-FLT-D8C1-01", "eighth_2_5_or_7", False),
        ("PT-FLT-D8C2-02", "eighth_2_5_or_7", True),
        ("PT-FLT-D8C2-02", "eighth_2_or_4", False),
    ],
)
def test_a_wager_on_the_eighth_card_that_its_table_does_not_print(filed: str, wager: str, offered: bool) -> None:
    made = table()
    made.places[5] = place("Ah Ts 8c 7h", ante=2500, **{wager: 500})
    made.filed = Filed(eighth_card=filed)
    made.settle_as(5, wager, "win", 500, 0)  # a two is left over
    assert [finding.code for finding in made.judged()[1]] == ([] if offered else ["WAGER-504"])


LIMITS = {
    "insurance": ("insurance", Filed(insurance="PT-FLT-EC-PGI-01")),
    "emperors": ("emperors", Filed(emperors="PT-FLT-EC-ET-01")),
    "seven_card_bonus": ("seven_card_bonus", Filed(seven_card_bonus="PT-FLT-7CB-01")),
    "eighth_field": ("eighth_card", Filed(eighth_card="PT-FLT-D8C1-01")),
}


def within(wager: str, cents: int) -> Table:
    """From $2 to $50."""
    name, filed = LIMITS[wager]
    made = table(filed, {f"{name}_minimum_cents": 200, f"{name}_maximum_cents": 5000}, **{wager: cents})
    if wager == "eighth_field":
        made.places[5] = place("Ah Ts 8c 7h", ante=2500, **{wager: cents})
    return made


@pytest.mark.parametrize("wager", LIMITS)
@pytest.mark.parametrize("cents", [200, 5000])
def test_an_optional_wager_at_its_limits(wager: str, cents: int) -> None:
    assert within(wager, cents).judged() == (Verdict.VERIFIED, [])


@pytest.mark.parametrize("wager", LIMITS)
@pytest.mark.parametrize("cents", [199, 5001])
def test_an_optional_wager_outside_its_limits(wager: str, cents: int) -> None:
    finding = only(within(wager, cents))
    assert (finding.code, finding.wager, finding.actual_cents) == ("WAGER-502", wager, cents)
    assert finding.citation.startswith("FLT-SPG Optional Bonus Wagers")


@pytest.mark.parametrize(("wager", "section"), [("insurance", "Rules of Play 1"), ("raise", "Rules of Play 3")])
def test_a_wager_without_an_ante(wager: str, section: str) -> None:
    made = table(Filed(insurance="PT-FLT-EC-PGI-01"), insurance=500)
    made.extra = [FactRow(Fact.WAGER_PLACED, 40 if wager == "insurance" else 61, 4, "", wager, amount=500)]
    (finding,) = made.found()["WAGER-503"]
    assert (finding.seat, finding.wager) == (4, wager)
    assert finding.citation.startswith(f"FLT-SPG {section}")


def test_a_wager_at_a_seat_the_table_does_not_have() -> None:
    made = table()
    lost = OUTCOME_CODE[Outcome.LOSE]
    made.extra = [
        FactRow(Fact.WAGER_PLACED, 40, 9, "", "ante", amount=2500),
        FactRow(Fact.SETTLED, 250, 9, "", "ante", code=lost, taken=2500),
    ]
    assert [finding.code for finding in made.judged()[1]] == ["WAGER-504"]


# ---- payments --------------------------------------------------------------------------------------------------------


def test_a_folded_hand_paid_names_the_fold() -> None:
    made = table()
    made.places[5] = place("Ah Ts 8c 7h", ante=2500)
    made.settle_as(5, "ante", "win", 2500, 0)
    finding = only(made)
    assert (finding.code, finding.seat, finding.difference_cents) == ("SETTLE-102", 5, 5000)
    assert finding.citation.startswith("FLT-SPG Rules of Play 3b")


@pytest.mark.parametrize(
    ("tables", "cards", "wager", "paid"),
    [
        (Filed(insurance="PT-FLT-EC-PGI-01"), "9s 8c 7h 6d 4h 3s X1", "insurance", 500 * 20),  # as a jack
        (Filed(emperors="PT-FLT-EC-ET-01"), "8s 8c X1 6d 4h 3s 2h", "emperors", 500 * 3),  # as a third eight
        (Filed(seven_card_bonus="PT-FLT-7CB-07"), "8s 8c X1 6d 4h 4c 2h", "seven_card_bonus", 500 * 5),  # a full house
    ],
)
def test_a_joker_that_was_taken_for_what_it_is_not(tables: Filed, cards: str, wager: str, paid: int) -> None:
    made = table(tables, None, **{wager: 500})
    made = Table({2: made.places[2], 5: place(cards, ante=2500, **{wager: 500})}, EIGHT, tables)
    assert [finding.code for finding in made.judged()[1]] == []
    right = made.settled.lines[5, wager]
    made.settle_as(5, wager, "win", paid, 0)
    finding = only(made)
    assert (finding.seat, finding.wager) == (5, wager)
    assert finding.difference_cents == paid - right[1] + right[2]


# ---- meters ----------------------------------------------------------------------------------------------------------


def metered(wager: str, table: str, cards: str, cents: int = 100) -> Table:
    """A folded hand with one progressive wager, whose meter stood at $10,000 with what the wager added."""
    options: dict[str, Any] = {f"{wager}_paytable": table, f"{wager}_unit_cents": cents}
    options |= OF_INSURANCE if wager.startswith("insurance") else OF_EMPERORS
    made = Table({5: place(cards, ante=2500, **{wager: cents})}, EIGHT, options=options)
    made.settle_as(5, wager, "lose", 0, cents)
    made.extra = [
        FactRow(Fact.METER_STOOD, 0, choice=wager, amount=1_000_000 - cents // 5),
        FactRow(Fact.PROGRESSIVE_IN, 51, 5, choice=wager, amount=cents // 5, taken=1_000_000),
    ]
    return made


METERS = [
    ("insurance_progressive", "PT-BJS-EC-PGI-02", "App. F"),
    ("emperors_progressive", "PT-BJS-EC-ET-02", "App. G"),
]
KING_HIGH = "Kh 8d 7h 5d 4h 3d 2s"


@pytest.mark.parametrize(("wager", "table", "section"), METERS)
def test_a_meter_in_order(wager: str, table: str, section: str) -> None:
    assert metered(wager, table, KING_HIGH).judged() == (Verdict.VERIFIED, [])


@pytest.mark.parametrize(("wager", "table", "section"), METERS)
@pytest.mark.parametrize("cents", [499_999, 500_001])
def test_a_meter_set_to_another_sum_than_its_seed(wager: str, table: str, section: str, cents: int) -> None:
    """All of it was won: it must go on from the $5,000 filed, a cent less is not enough."""
    made = metered(wager, table, "9h 8d 7h 5d 4h 3d 2h" if wager.startswith("insurance") else "9c 8c 7c 6c 5c 4c 3c")
    made.eight = ("Kc", "Jd", "Qs", "Qh", "9s", "7d", "4s", "2c")
    made = rebuilt(made, stay=(5,))
    made.settle_as(5, wager, "win", 1_000_000, 100)
    made.extra.append(FactRow(Fact.PROGRESSIVE_OUT, 219, 5, choice=wager, amount=1_000_000, taken=0, other=1))
    in_order = FactRow(Fact.METER_RESET, 220, choice=wager, amount=500_000)
    made.extra.append(in_order)
    assert made.judged() == (Verdict.VERIFIED, [])
    made.extra[-1] = in_order._replace(amount=cents)
    finding = only(made)
    assert (finding.code, finding.expected_cents, finding.actual_cents) == ("METER-108", 500_000, cents)
    assert finding.citation.startswith(f"FLT-SPG {section}")


def rebuilt(made: Table, stay: tuple[int, ...]) -> Table:
    again = Table(made.places, made.eight, made.filed, made.options, stay_for_a_meter=stay)
    again.settled, again.extra = made.settled, made.extra
    return again


@pytest.mark.parametrize(("wager", "table", "section"), METERS)
def test_a_meter_that_goes_backwards(wager: str, table: str, section: str) -> None:
    made = metered(wager, table, KING_HIGH)
    made.extra.append(FactRow(Fact.METER, 60, choice=wager, amount=999_000))
    finding = only(made)
    assert (finding.code, finding.expected_cents, finding.actual_cents) == ("METER-102", 1_000_000, 999_000)


@pytest.mark.parametrize(("wager", "table", "section"), METERS)
@pytest.mark.parametrize("cents", [99, 101])
def test_a_progressive_wager_that_is_not_its_unit(wager: str, table: str, section: str, cents: int) -> None:
    made = metered(wager, table, KING_HIGH)
    made.places[5].wagers[wager] = cents
    made.settle_as(5, wager, "lose", 0, cents)
    made.extra = []
    assert [finding.wager for finding in made.found()["WAGER-502"]] == [wager]


@pytest.mark.parametrize(("wager", "table", "section"), METERS)
def test_a_wager_that_is_not_kept_though_it_won(wager: str, table: str, section: str) -> None:
    """ "The jackpot wager is not returned": queen-high by App. F, a full house by App. G."""
    made = metered(
        wager, table, "Qd 8d 7h 5d 4h 3d 2s" if wager.startswith("insurance") else "8d 8h 8c 5d 5h 3d 2s", 500
    )
    sum_cents = 5 * (1000 if wager.startswith("insurance") else 500)
    made.settle_as(5, wager, "win", sum_cents, 500)
    assert made.judged() == (Verdict.VERIFIED, [])
    made.settle_as(5, wager, "win", sum_cents, 0)
    finding = only(made)
    assert (finding.code, finding.difference_cents) == ("SETTLE-101", 500)
    assert finding.citation.startswith(f"FLT-SPG {section}")
