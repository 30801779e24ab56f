"""Every cell of Appendices A to G as FLT-SPG prints it, against the pay tables of the pack and those of the slow game.

The tables are read from the text itself, by their tabs. Where the text is not at hand (a clone without it) the pack is
still held against the slow game, whose tables were typed from the same print.
"""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path

import pytest

from replay.filing import Paytable, load_pack
from schemas.money import dollars
from tests.packs import flt_slow
from tests.packs.flt_rounds import PACK
from tests.packs.quotations import FILES, SHARED

HANDS = {  # as printed, all kinds of dashes and spaces apart: the row of the pack, that of the slow game
    "fiveaces": ("five_aces", "five_aces"),
    "5aces": ("five_aces", "five_aces"),
    "5cardroyalflush": ("royal_flush", "royal_flush"),
    "5cardstraightflush": ("straight_flush", "straight_flush"),
    "fourofakind": ("four_of_a_kind", "four_of_a_kind"),
    "4ofakind": ("four_of_a_kind", "four_of_a_kind"),
    "fullhouse": ("full_house", "full_house"),
    "5cardflush": ("flush", "flush"),
    "5cardstraight": ("straight", "straight"),
    "3ofakind": ("three_of_a_kind", "three_of_a_kind"),
    "threeofakind": ("three_of_a_kind", "three_of_a_kind"),
    "twopair": ("two_pair", "two_pair"),
    "3pair": ("three_pair", "three_pair"),
    "7cardstraightflushnojoker": ("seven_card_straight_flush_natural", "seven_natural"),
    "7cardstraightflushwjoker": ("seven_card_straight_flush_joker", "seven_joker"),
    "5cardroyalflushwaksuited": ("royal_flush_ace_king_suited", "royal_and_ace_king"),
    "9highsamecolor": ("nine_high_one_color", "9_same_colour"),
    "9high": ("nine_high", "9"),
    "10high": ("ten_high", "10"),
    "jackhigh": ("jack_high", "11"),
    "queenhigh": ("queen_high", "12"),
    "kinghigh": ("king_high", "13"),
    "acehigh": ("ace_high", "14"),
}
EIGHTH = {  # as printed, where the scan broke a cell or ran the heading at the side into it: the wager, the ranks
    "3or10": ("3-or-10", "3T"),
    "2or4": ("2-or-4", "24"),
    "20or4": ("2-or-4", "24"),
    "25or7": ("2-5-or-7", "257"),
    "joker": ("field", "X"),
    "ace": ("field", "A"),
    "king": ("field", "K"),
    "queen": ("field", "Q"),
    "jack": ("field", "J"),
    "jackqueen": ("field", "JQ"),
    "59": ("field", "56789"),
    "89": ("field", "89"),
    "6": ("field", "6"),
    "4": ("field", "4"),
}
SLOW = {
    **flt_slow.ROYALTY,
    **flt_slow.INSURANCE,
    **flt_slow.EMPERORS,
    **flt_slow.SEVEN_CARD_BONUS,
    **flt_slow.INSURANCE_PROGRESSIVE,
    **flt_slow.EMPERORS_PROGRESSIVE,
}
NOTHING = ("-", "N/A", "Loss", "")
Printed = dict[str, list[tuple[str, str]]]


def letters(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.casefold())


def printed_tables(text: str) -> Printed:
    """Pay table → its rows as (label, cell), read by the tabs of the print."""
    found: Printed = {}
    blocks, block, appendix = list[tuple[str, list[list[str]]]](), list[list[str]](), ""
    for line in [*text.replace("\\$", "$").splitlines(), ""]:
        if heading := re.match(r"Appendix ([A-G])", line):
            appendix = heading[1]
        if "\t" in line:
            block.append([cell.strip() for cell in line.split("\t")])
        elif block:
            blocks.append((appendix, block))
            block = []
    for letter, (heads, *rows) in blocks:
        if letter == "A":  # its names run over two lines
            heads, rows = [head + rest for head, rest in zip(heads, rows[0], strict=True)], rows[1:]
        names = [re.sub(r"\s", "", head) for head in heads[1:] if head]
        for row in rows:
            label = " ".join(row[: -len(names)])
            for name, cell in zip(names, row[-len(names) :], strict=True):
                found.setdefault(name, []).append((label, cell))
    return found


def in_the_text() -> Printed | None:
    paths = sorted((SHARED / "seeds").glob(FILES["FLT-SPG"] + "*.txt"))
    return printed_tables(Path(paths[0]).read_text(encoding="utf-8")) if paths else None


def as_typed() -> Printed:
    """The same from the slow game's tables, in its own words."""
    labels = {slow: printed for printed, (_, slow) in HANDS.items()}
    tables = {name: [(labels[row], cell) for row, cell in rows.items()] for name, rows in SLOW.items()}
    for name, rows in flt_slow.ENVY_DOLLARS.items():
        tables["E" + name[-2:]] = [(labels[row], f"${cell}") for row, cell in rows.items()]
    by_ranks = {ranks: printed for printed, (_, ranks) in EIGHTH.items() if printed != "20or4"}
    for name, wagers in flt_slow.EIGHTH_CARD.items():
        parts = [(ranks, odds) for rows in wagers.values() for ranks, odds in rows.items()]
        tables[name] = [(by_ranks[ranks], str(odds)) for ranks, odds in parts]
    return tables


PRINTED = in_the_text() or as_typed()


def test_every_pay_table_of_the_print_is_read() -> None:
    counts = {"PT-FLT-AR-": 5, "PT-FLT-EC-PGI-": 5, "PT-FLT-EC-ET-": 8, "E": 8, "PT-FLT-7CB-": 12}
    counts |= {"PT-FLT-D8C1-": 3, "PT-FLT-D8C2-": 2, "PT-BJS-EC-PGI-": 5, "PT-BJS-EC-ET-": 3}
    numbered = {f"{prefix}{number:02d}" for prefix, of in counts.items() for number in range(1, of + 1)}
    assert set(as_typed()) == numbered
    assert set(PRINTED) == numbered


def number(cell: str) -> str:
    """`5,000`, `$1000` and `100%` as plain figures."""
    return cell.replace(",", "").replace("$", "")


def said(table: Paytable, at: int) -> str:
    row = table.rows[at]
    if row.meter is not None:
        return f"{row.meter}%"
    if row.amount is not None:
        return number(dollars(row.amount)).removesuffix(".00")
    return "Push" if row.odds == "push" else str(row.odds)


HAND_TABLES = [name for name in PRINTED if not re.match(r"E\d|PT-FLT-D8C", name)]


@pytest.mark.parametrize("name", HAND_TABLES)
def test_the_pack_pays_each_cell(name: str) -> None:
    """Rows in the order printed; a dash, N/A, a loss or a cell merged into the one before it is no row."""
    table = load_pack(PACK).paytables[name]
    mine = [(row.hand, said(table, at)) for at, row in enumerate(table.rows)]
    assert mine == [(HANDS[letters(label)][0], number(cell)) for label, cell in PRINTED[name] if cell not in NOTHING]


@pytest.mark.parametrize("name", HAND_TABLES)
def test_the_slow_game_pays_each_cell(name: str) -> None:
    rows = [(HANDS[letters(label)][1], number(cell).casefold()) for label, cell in PRINTED[name] if cell not in NOTHING]
    assert list(SLOW[name].items()) == rows


@pytest.mark.parametrize("column", [f"E{number:02d}" for number in range(1, 9)])
def test_each_envy_bonus(column: str) -> None:
    name = f"PT-FLT-EC-ET-{column[1:]}"
    rows = [(letters(label), number(cell)) for label, cell in PRINTED[column]]
    table = load_pack(PACK).paytables[name]
    mine = {row.hand: number(dollars(row.envy)).removesuffix(".00") for row in table.rows if row.envy}
    assert mine == {HANDS[label][0]: cell for label, cell in rows}
    assert flt_slow.ENVY_DOLLARS[name] == {HANDS[label][1]: cell for label, cell in rows}


@pytest.mark.parametrize("name", [name for name in PRINTED if name.startswith("PT-FLT-D8C")])
def test_each_card_left_over(name: str) -> None:
    """What a card pays on each of the three wagers, by every row of the print it stands in."""
    packed = {part: load_pack(PACK).paytables[f"{name}-{part}"] for part in ("3-or-10", "field", middle(name))}
    words = {"X": "joker", "A": "ace", "K": "king", "Q": "queen", "J": "jack", "T": "ten", "9": "nine", "8": "eight"}
    words |= {"7": "seven", "6": "six", "5": "five", "4": "four", "3": "three", "2": "two"}
    due: dict[tuple[str, str], int] = {}
    for label, cell in PRINTED[name]:
        part, ranks = EIGHTH[re.sub("^(field|rieiu)", "", letters(label))]
        due |= {(part, rank): int(cell) for rank in ranks}
    slow = {
        (part, rank): odds
        for part in packed
        for ranks, odds in flt_slow.EIGHTH_CARD[name]["eighth_" + part.replace("-", "_")].items()
        for rank in ranks
    }
    assert slow == due
    ranks_of = {"five_to_nine": "56789", "jack_or_queen": "QJ", "eight_or_nine": "89"}
    mine: dict[tuple[str, str], int] = {}
    for part, table in packed.items():
        for row in table.rows:
            spelled = [rank for rank, word in words.items() if word in row.hand.split("_")]
            mine |= {(part, rank): row.pays()[0] for rank in ranks_of.get(row.hand, "".join(spelled))}
    assert mine == due


def middle(name: str) -> str:
    return "2-or-4" if "D8C1" in name else "2-5-or-7"


@pytest.mark.parametrize("name", [name for name in HAND_TABLES if name.startswith("PT-FLT")])
def test_no_row_pays_more_than_one_above_it(name: str) -> None:
    """So that the first row a hand forms is also its best-paying one (R-16)."""
    odds = [0 if cell == "Push" else int(number(cell)) for _, cell in PRINTED[name] if cell not in NOTHING]
    assert all(above >= below for above, below in pairwise(odds))
