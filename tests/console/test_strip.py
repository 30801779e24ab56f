"""The rack drawn: brackets that close, marks under the right cards, on pages of every width, with colour or without."""

from __future__ import annotations

import io
from typing import Any

import pytest
from rich.cells import cell_len
from rich.console import Console

from console.strip import RackStrip, marks_of


def packet(whose: str, first: int, *parts: str, missing: str = "", marks: tuple[int, ...] = ()) -> dict[str, Any]:
    cards = " ".join(parts).split()
    return {
        "whose": whose,
        "from": first,
        "parts": [{"name": "", "cards": part} for part in parts],
        "missing": missing,
        "marks": [{"card": at, "is": cards[at - first], "why": "dealt to seat 9"} for at in marks],
    }


STRIP = [
    packet("stub", 1, "4c 9d Kh X1"),
    packet("seat 2", 5, "As 3d", "4c 5c 6c 7c 9d", marks=(6,)),
    packet("seat 4", 12, "Ks Qd", "2c 2d 3h 7s", missing="Td"),
]


def drawn(strip: list[dict[str, Any]], width: int, colour: bool = False) -> list[str]:
    out = io.StringIO()
    console = Console(file=out, width=width, force_terminal=colour, no_color=not colour, highlight=False)
    console.print(RackStrip(strip))
    return out.getvalue().splitlines()


@pytest.mark.parametrize("width", [28, 60, 80, 160])
def test_every_line_fits_and_every_bracket_closes(width: int) -> None:
    lines = drawn(STRIP, width)
    assert max(map(cell_len, lines)) <= width
    assert len(lines) % 3 == 0
    for top, cards, bottom in zip(lines[::3], lines[1::3], lines[2::3], strict=True):
        assert [at for at, sign in enumerate(top) if sign == "┌"] == [
            at for at, sign in enumerate(bottom) if sign == "└"
        ]
        assert [at for at, sign in enumerate(top) if sign in "┌┐"] == [
            at for at, sign in enumerate(cards) if sign == "│"
        ]


def test_a_fault_is_marked_under_its_card_and_told() -> None:
    top, cards, bottom = drawn(STRIP[1:2], 80)
    assert top.startswith("┌seat 2 5–11─")
    assert "A♠ 3♦ ┊ 4♣ 5♣ 6♣ 7♣ 9♦" in cards
    assert bottom.index("▲") == cards.index("3♦") + 1
    assert [line.plain for line in marks_of(STRIP)] == ["▲ card 6, 3♦: dealt to seat 9"]


def test_neighbours_with_the_same_fault_are_told_together() -> None:
    strip = [packet("seat 2", 5, "As 3d 4c", marks=(5, 6, 7))]
    assert [line.plain for line in marks_of(strip)] == ["▲ cards 5–7, A♠ 3♦ 4♣: dealt to seat 9"]


def test_a_card_that_is_not_there_is_named_on_the_bracket() -> None:
    assert "seat 4 12–17 without 10♦" in drawn(STRIP[2:], 80)[0]
    nothing = drawn([packet("seat 3", 54, missing="Td")], 80)
    assert nothing[0].startswith("┌seat 3 without 10♦")


def test_colours_are_there_and_can_be_left_out() -> None:
    assert "\x1b[" in "".join(drawn(STRIP, 80, colour=True))
    assert "\x1b[" not in "".join(drawn(STRIP, 80))


def test_a_packet_wider_than_the_page_is_broken_between_cards() -> None:
    strip = [packet("", 1, " ".join(["Ks"] * 53))]
    lines = drawn(strip, 60)
    assert max(map(cell_len, lines)) <= 60
    assert "".join(lines[1::3]).count("K♠") == 53
    assert lines[0].startswith("┌not told apart 1–53")
    assert lines[3].startswith("┌…")


def test_no_rack_draws_nothing() -> None:
    assert drawn([], 80) == []
