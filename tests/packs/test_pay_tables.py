"""Every pay table that is printed: filed whole, as printed and in the printed order, with classes that ranking knows.

The numbers are held against the words each row quotes, and those against the texts: in a table of several columns, the
number in the column of that table.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import yaml

from replay.filing import Paytable, PaytableRow
from replay.filing.folders import PACKS_FOLDER
from replay.money.paytable import ClassTable, class_pays, meter_share
from replay.money.results import LOSES, TIES, WINS
from replay.ranking import Game, class_names
from schemas.money import dollars
from tests.packs.quotations import citations_in, misquoted, plain, source_of

FILES = sorted(PACKS_FOLDER.glob("*/*/v1/paytables/*.yaml"))
HOUSE_TEXTS = {"ma/pai_gow_poker": "MA-PGP", "flt/supreme_pai_gow": "FLT-SPG", "nj/supreme_pai_gow": "NJ-SPG"}


def title(path: Path) -> str:
    return "/".join((*path.parts[-5:-3], path.stem))


def read(path: Path) -> Paytable:
    return Paytable.model_validate(yaml.safe_load(path.read_text(encoding="utf-8")))


OURS = {title(path): read(path) for path in FILES if "/".join(path.parts[-5:-3]) in HOUSE_TEXTS}


def table(name: str) -> Paytable:
    return OURS[name]


def test_every_table_of_the_texts_is_there() -> None:
    ma = {name.removeprefix("ma/pai_gow_poker/") for name in OURS if name.startswith("ma/")}
    assert ma == {
        *(f"fortune-{letter}" for letter in "abcd"),
        *(f"fortune-face-up-{number}" for number in range(1, 7)),
        *(f"emperors-treasure-{letter}" for letter in "abcd"),
        *(f"insurance-{letter}" for letter in "abcde"),
        *("progressive-14-1-dollar", "progressive-14-5-dollars", "progressive-14a", "progressive-16e"),
        *("progressive-face-up-1", "progressive-face-up-3", "queens-dragon", "dynasty", "protection", "red-black"),
        "rng",
        *("three-card-bonus", "seven-card-bonus-a", "seven-card-bonus-b"),
        *(f"ace-high-{number}" for number in range(1, 6)),
    }
    flt = {name.removeprefix("flt/supreme_pai_gow/") for name in OURS if name.startswith("flt/")}
    assert flt == {
        *(f"PT-FLT-AR-{number:02d}" for number in range(1, 6)),
        *(f"PT-FLT-EC-PGI-{number:02d}" for number in range(1, 6)),
        *(f"PT-FLT-EC-ET-{number:02d}" for number in range(1, 9)),
        *(f"PT-FLT-7CB-{number:02d}" for number in range(1, 13)),
        *(f"PT-FLT-D8C1-{number:02d}-{on}" for number in (1, 2, 3) for on in ("3-or-10", "2-or-4", "field")),
        *(f"PT-FLT-D8C2-{number:02d}-{on}" for number in (1, 2) for on in ("3-or-10", "2-5-or-7", "field")),
        *(f"PT-BJS-EC-PGI-{number:02d}" for number in range(1, 6)),
        *(f"PT-BJS-EC-ET-{number:02d}" for number in range(1, 4)),
    }


@pytest.mark.parametrize("name", OURS)
def test_a_table_calls_itself_as_its_file_and_quotes_its_text(name: str) -> None:
    one = table(name)
    assert one.id == name.rsplit("/", 1)[1]
    cited = list(citations_in(one))
    assert {citation.text for citation in cited} == {HOUSE_TEXTS[name.rsplit("/", 1)[0]]}
    assert [str(citation) for citation in cited if not citation.words] == []
    assert misquoted(cited) == []


# ---- the number in the column ----------------------------------------------------------------------------------------

COLUMNS = [  # name, how many columns its row has, whether each of them has a column for envy beside it
    (r"insurance-([a-e])", 5, False),
    (r"fortune-face-up-(\d)", 2, True),
    (r"progressive-face-up-(\d)", 2, False),
    (r"ace-high-(\d)", 5, False),
    (r"PT-FLT-AR-(\d\d)", 5, False),
    (r"PT-(?:FLT|BJS)-EC-PGI-(\d\d)", 5, False),
    (r"PT-FLT-EC-ET-(\d\d)", 8, False),
    (r"PT-FLT-7CB-(\d\d)", 6, False),
    (r"PT-FLT-D8C1-(\d\d)-.*", 3, False),
    (r"PT-FLT-D8C2-(\d\d)-.*", 2, False),
    (r"PT-BJS-EC-ET-(\d\d)", 3, False),
]
SPANS_ALL = ("3 Pair Push Loss", "Three Pair Push", "Nine-high 100 to 1", "Ace-high 3 to 1")  # merged, or in one column
NUMBER = re.compile(r"(?<![\w-])(\$?\d[\d,]*(?:\.\d\d)?)(%?)(?= |$)|(?<= )(Push|Loss|N/A|-)(?= |$)")


def column_of(one: Paytable) -> tuple[int, int, bool]:
    """(which column, of how many, each with envy)"""
    for pattern, of, envy in COLUMNS:
        found = re.fullmatch(pattern, one.id)
        if found is not None:
            at = "abcde".index(found[1]) if found[1].isalpha() else int(found[1]) - 1
            if one.id.startswith("progressive-face-up"):
                at //= 2  # 1 and 3
            return at % of, of, envy
    return 0, 1, any(row.envy for row in one.rows)


def printed(words: str) -> list[str]:
    """The payouts of a printed row, in order: `40 to 1`, `500 for 1` and `100 percent` are one each."""
    hand = re.match(r"(.*?) [\d,]+ to 1", words)
    if hand is not None:  # two tables side by side name the hand twice, and there are numbers in names
        words = words.replace(hand[1], "")
    words = re.sub(r" (?:to|for|For) 1(?= |$)", "", words)
    words = re.sub(r" percent of meter| of Progressive", "%", words).replace("%%", "%")
    return ["".join(found) for found in NUMBER.findall(words)]


def said(row: PaytableRow) -> str:
    if row.meter is not None:
        return f"{row.meter}%"
    if row.amount is not None:
        return dollars(row.amount)
    return "Push" if row.odds == "push" else str(row.odds)


def even(text: str) -> str:
    """`$1000` and `$1,000.00` alike."""
    return re.sub(r"\.00$", "", text.replace(",", ""))


@pytest.mark.parametrize("name", OURS)
def test_every_row_pays_what_is_printed_in_its_column(name: str) -> None:
    one = table(name)
    at, of, with_envy = column_of(one)
    for row in one.rows:
        assert row.cite is not None and row.cite.words is not None
        pays, _, envies = row.cite.words.partition(" … ")
        if one.id == "queens-dragon":
            assert row.cite.words.endswith(f"{row.odds} to 1")
            continue
        if one.id == "rng":  # the least that may be: "no less than 5 1/2 to 1"
            assert row.odds == [11, 2]
            continue
        if pays in SPANS_ALL:
            assert even(said(row)) in printed(pays), row.hand
            continue
        width = of * 2 if with_envy and row.envy else of
        found = printed(pays)[-width:]
        assert len(found) == width, f"{row.hand}: {pays}"
        step = width // of
        assert even(found[at * step]) == even(said(row)), row.hand
        if row.envy is not None:
            envy = found[at * step + 1] if step == 2 else printed(envies)[-of:][at]
            assert even(envy) == even(dollars(row.envy)), row.hand
        else:
            assert step == 1 and not envies


PRINTED_ORDER = {  # how many rows each kind of table prints; a row with no payout in its column is left out
    "fortune-a": 11, "fortune-c": 12, "fortune-face-up-1": 12, "fortune-face-up-5": 11, "emperors-treasure-a": 11,
    "insurance-a": 6, "progressive-14-1-dollar": 17, "progressive-14-5-dollars": 17, "progressive-14a": 6,
    "progressive-16e": 6, "progressive-face-up-3": 6, "dynasty": 13, "protection": 7, "red-black": 4,
    "three-card-bonus": 6, "seven-card-bonus-a": 8, "seven-card-bonus-b": 9, "ace-high-1": 3, "PT-FLT-AR-01": 4,
    "PT-FLT-EC-PGI-01": 6, "PT-FLT-EC-ET-01": 12, "PT-FLT-EC-ET-02": 11, "PT-FLT-7CB-01": 11, "PT-FLT-7CB-04": 9,
    "PT-FLT-7CB-07": 10, "PT-FLT-7CB-10": 8, "PT-FLT-D8C1-01-field": 6, "PT-FLT-D8C2-01-field": 7,
    "PT-BJS-EC-PGI-01": 5, "PT-BJS-EC-ET-01": 8, "PT-BJS-EC-ET-03": 7,
}  # fmt: skip


@pytest.mark.parametrize("id_", PRINTED_ORDER)
def test_no_row_is_missing(id_: str) -> None:
    (one,) = [one for one in OURS.values() if one.id == id_]
    assert len(one.rows) == PRINTED_ORDER[id_]


@pytest.mark.parametrize("name", OURS)
def test_rows_stand_in_the_printed_order(name: str) -> None:
    """The words of each row are found behind those of the row before; and no row pays more odds than one above it."""
    one = table(name)
    worth = [row.pays()[0] for row in one.rows if isinstance(row.odds, int)]
    assert worth == sorted(worth, reverse=True)
    source = source_of(one.cite.text)
    if source is None:
        return
    starts = []
    for row in one.rows:
        assert row.cite is not None and row.cite.words is not None
        words = plain(row.cite.words.split(" … ")[0])
        starts.append([found.start() for found in re.finditer(re.escape(words), source)])
    at = -1
    for row, places in zip(one.rows, starts, strict=True):
        behind = [place for place in places if place > at]
        assert behind, row.hand
        at = behind[0]


@pytest.mark.parametrize("name", OURS)
def test_ranking_knows_every_class(name: str) -> None:
    rows = [row.hand for row in table(name).rows]
    chosen_colour = {f"{number}_of_chosen_color" for number in ("seven", "six", "five", "four")}
    if name == "ma/pai_gow_poker/rng":  # no cards
        assert rows == ["number_selected"]
        return
    assert set(rows) == chosen_colour or any(set(rows) <= set(class_names(game)) for game in Game)


# ---- what a table pays -----------------------------------------------------------------------------------------------


def pays(one: Paytable, hand: str, stake: int, meter: int = 0) -> tuple[int, int]:
    names = [*(row.hand for row in one.rows), "nothing"]
    classes = ClassTable.of(one, names)
    number = np.array([names.index(hand)], np.uint8)
    paid, result = class_pays(np.array([stake]), number, classes, 0)
    return int(paid[0] + meter_share(np.array([meter]), number, classes)[0]), int(result[0])


@pytest.mark.parametrize(
    ("name", "hand", "stake", "meter", "paid", "result"),
    [
        ("ma/pai_gow_poker/progressive-14-1-dollar", "five_aces_and_pair", 100, 1_234_567, 1_234_567, WINS),
        ("ma/pai_gow_poker/progressive-14-1-dollar", "five_aces", 100, 1_234_567, 123_456, WINS),  # 10%, down
        ("ma/pai_gow_poker/progressive-14-1-dollar", "full_house_and_pair", 100, 1_234_567, 1_000, WINS),
        ("ma/pai_gow_poker/progressive-14-1-dollar", "nothing", 100, 1_234_567, 0, LOSES),
        ("ma/pai_gow_poker/progressive-14-5-dollars", "four_of_a_kind", 500, 0, 100_000, WINS),  # as printed, R-25
        ("ma/pai_gow_poker/progressive-14a", "straight_flush", 500, 0, 50_000, WINS),  # 100 for 1
        ("flt/supreme_pai_gow/PT-BJS-EC-PGI-01", "ten_high", 500, 0, 62_500, WINS),  # $125 for each $1
        ("flt/supreme_pai_gow/PT-BJS-EC-PGI-01", "nine_high", 100, 5_005, 500, WINS),
        ("ma/pai_gow_poker/fortune-face-up-1", "three_pair", 500, 0, 0, TIES),
        ("flt/supreme_pai_gow/PT-FLT-EC-ET-01", "three_pair", 500, 0, 0, TIES),
    ],
)
def test_sums_and_shares(name: str, hand: str, stake: int, meter: int, paid: int, result: int) -> None:
    assert pays(table(name), hand, stake, meter) == (paid, result)


@pytest.mark.parametrize(
    ("id_", "off"),
    [
        (  # §14(e): $50 or more, or a straight flush
            "progressive-14-1-dollar",
            {"royal_flush_and_pair", "royal_flush", "straight_flush_and_pair", "straight_flush"},
        ),
        (  # $250 or more, or a straight flush; and the doubted $1,000 for four of a kind, as long as it stands
            "progressive-14-5-dollars",
            {"royal_flush_and_pair", "royal_flush", "straight_flush_and_pair", "straight_flush", "four_of_a_kind"},
        ),
        ("progressive-16e", set()),
    ],
)
def test_which_sums_come_off_the_meter(id_: str, off: set[str]) -> None:
    one = table(f"ma/pai_gow_poker/{id_}")
    assert {row.hand for row in one.rows if one.off_meter(row) and row.meter is None} == off
    assert all(one.off_meter(row) for row in one.rows if row.meter is not None)


def test_three_meters_and_their_names() -> None:
    assert table("ma/pai_gow_poker/progressive-14a").meters == ("mega", "major", "minor")
    assert table("ma/pai_gow_poker/progressive-16e").meters == ("meter",)
    assert table("ma/pai_gow_poker/fortune-a").meters == ()


def test_new_jersey_pays_the_bonus_as_massachusetts() -> None:
    """The same hands in the same order at the same odds; only the words differ ("Any other pair", "7to 1")."""
    ma = read(PACKS_FOLDER / "ma" / "supreme_pai_gow" / "v1" / "paytables" / "bonus.yaml")
    nj = table("nj/supreme_pai_gow/bonus")
    assert [(row.hand, row.odds) for row in nj.rows] == [(row.hand, row.odds) for row in ma.rows]


# ---- tables that do not load -----------------------------------------------------------------------------------------

CITE = {"text": "MA-PGP", "section": "§14(d)"}


@pytest.mark.parametrize(
    ("rows", "more", "says"),
    [
        ([{"hand": "flush", "odds": 4, "amount": "$5"}], {"unit": "$1"}, "flush pays by odds and amount"),
        ([{"hand": "flush"}], {}, "flush pays by nothing"),
        ([{"hand": "flush", "odds": 4, "of": "mega"}], {}, "names the meter 'mega', and pays no share"),
        ([{"hand": "flush", "amount": "$5"}], {}, "say the wager it is printed for"),
        ([{"hand": "flush", "meter": 101}], {}, "less than or equal to 100"),
        ([{"hand": "flush", "meter": 0}], {}, "greater than or equal to 1"),
        ([{"hand": "flush", "odds": 4}, {"hand": "flush", "odds": 3}], {}, "flush has two rows"),
        ([{"hand": "flush", "odds": 4}], {"scales": CITE}, "scales is for a table with a unit"),
        (
            [{"hand": "flush", "odds": 4}],
            {"progressive": {"deducted": {"at_least": "$50", "hands": ["flush"], "cite": CITE}}},
            "no row of it pays a sum",
        ),
    ],
)
def test_a_table_that_says_two_things_does_not_load(rows: list[Any], more: dict[str, Any], says: str) -> None:
    with pytest.raises(ValueError, match=says):
        Paytable.model_validate({"id": "x", "title": "X", "cite": CITE, "pays": "for 1", "rows": rows, **more})
