"""One notation for cards wherever people read one: A♠ 10♦ Joker, in tables and in sentences. JSON keeps As Td X1."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from console.show import cards_in, cards_text, ranks_in
from schemas.cards import CARD_NAMES
from tests.console.conftest import Call
from tests.console.screen import labels_of, lines_of

AS_WRITTEN = re.compile(r"(?<![\w.$/-])(?:[2-9TJQKA][cdhs]|X[12])(?![\w-])")


def test_a_sentence_shows_a_card_as_a_table_does() -> None:
    for name in CARD_NAMES:
        assert cards_in(f"missing: {name}, dealt to seat 2") == f"missing: {cards_text(name).plain}, dealt to seat 2"


@pytest.mark.parametrize(
    "text",
    [
        "PG-01/20261117-0001: within 10 s, since 2026-11-17",
        "key 5c1f0d2e… of 2c-9d, $5.2c, table QC-4",
        "as it stands, 52 of 53 cards",
        "§3(d), option 2h-x",
    ],
)
def test_what_is_no_card_stays(text: str) -> None:
    assert cards_in(text) == text


def test_ranks_of_a_hand() -> None:
    assert ranks_in("high card K-T low, pair T-5-3-2 high; flush of Td") == (
        "high card K-10 low, pair 10-5-3-2 high; flush of 10♦"
    )


def test_no_page_of_a_round_mixes_notations(call: Call, played: Path) -> None:
    looked = 0
    for label in labels_of(played):
        place = f"{label['table']}/{label['round']}"
        shown = call("round", "show", place, "--explain", "--home", played).stdout
        assert not AS_WRITTEN.findall(shown), place
        looked += any(sign in shown for sign in "♣♦♥♠")
    assert looked > 5
    listed = call("findings", "--limit", "0", "--home", played).stdout
    assert not AS_WRITTEN.findall(listed) and re.search("10?[♣♦♥♠]|[2-9JQKA][♣♦♥♠]|Joker", listed)
    documents = lines_of(call("findings", "--limit", "0", "--json", "--home", played).stdout)
    assert any(AS_WRITTEN.search(row["sentence"]) for row in documents)
