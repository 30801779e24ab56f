"""The rack as a strip: every card with its hand, whatever happened to it, and marked where something is wrong."""

from __future__ import annotations

import random
from typing import Any

import pytest

from replay.audit import audit
from replay.explain import explain_batch_of_one
from replay.filing import canonical_filing
from replay.how_read import reading_document
from replay.rounds import Fact, FactRow, RoundRow, batch_of
from schemas.cards import CARD_NAMES, code_of, name_of
from tests.packs.pai_gow_poker_table import Bets, Played, play, reported, row_of
from tests.packs.supreme_baccarat_rounds import Bet, Table

THREE = {1: Bets(1000), 2: Bets(1000), 4: Bets(1000)}


def a_round(seed: int = 1, **how: Any) -> tuple[Played, RoundRow]:
    played = play(random.Random(seed), bets=how.pop("bets", THREE), foul_share=0.0)
    return played, reported(row_of(played, **how), played)


def strip_of(row: RoundRow, pack: str = "ma/pai_gow_poker") -> list[dict[str, Any]]:
    row.named["filing"] = canonical_filing(pack, "1.0", {})
    batch = batch_of([row])
    strip: list[dict[str, Any]] = explain_batch_of_one(batch, audit(batch))["strip"]
    lies = " ".join(part["cards"] for packet in strip for part in packet["parts"]).split()
    assert lies == [CARD_NAMES[code] for code in row.rack], "every card as it was read, and none more"
    at = 1
    for packet in strip:
        assert packet["from"] == at
        at += sum(len(part["cards"].split()) for part in packet["parts"])
    return strip


def marks_of(strip: list[dict[str, Any]]) -> list[tuple[str, str, str]]:
    return [(packet["whose"], mark["is"], mark["why"]) for packet in strip for mark in packet["marks"]]


def how_read(row: RoundRow, pack: str = "ma/pai_gow_poker") -> dict[str, Any]:
    row.named["filing"] = canonical_filing(pack, "1.0", {})
    batch = batch_of([row])
    document = reading_document(batch, audit(batch))
    assert document is not None
    return document


@pytest.mark.parametrize("seed", range(5))
def test_a_clean_rack_has_a_bracket_for_every_hand(seed: int) -> None:
    played, row = a_round(seed)
    strip = strip_of(row)
    assert [packet["whose"] for packet in strip] == [
        "stub", "seat 3", "seat 5", "seat 6", "seat 1", "seat 2", "seat 4", "dealer",
    ]  # fmt: skip
    assert marks_of(strip) == []
    for packet in strip[4:]:
        place = 0 if packet["whose"] == "dealer" else int(packet["whose"][-1])
        low, high = played.settings[place]
        assert packet["parts"] == [{"name": "low", "cards": " ".join(low)}, {"name": "high", "cards": " ".join(high)}]
    how = how_read(row)
    assert (how["status"], how["searched"]["hypotheses"], how["explanations"]) == ("unique", 0, [])
    assert [hand["whose"] for step in how["steps"] for hand in step["hands"]] == [p["whose"] for p in strip]
    assert all(step["citation"] and step["words"] for step in how["steps"])
    assert how["deal"]["read"] and how["deal"]["differences"] == []


def test_a_switched_card_is_marked_where_it_lies() -> None:
    played, row = a_round()
    rack = bytearray(row.rack)
    mine, theirs = 4 + 7 * 3 + 6, 4 + 7 * 5 + 6  # the last cards of seats 1 and 4
    rack[mine], rack[theirs] = rack[theirs], rack[mine]
    row.rack = bytes(rack)
    row.shown = [shown for shown in row.shown if shown.place == 0]
    gone, come = played.settings[1][1][4], played.settings[4][1][4]
    assert marks_of(strip_of(row)) == [
        ("seat 1", come, "dealt to seat 4, lies with seat 1"),
        ("seat 4", gone, "dealt to seat 1, lies with seat 4"),
    ]
    how = how_read(row)
    assert how["status"] == "contradictory"
    assert {one["code"] for one in how["deal"]["differences"]} == {"DEAL-302"}
    assert any(said.startswith("without the deal the verdict would be verified") for said in how["would_change"])


def test_a_card_exchanged_with_the_stub_is_in_the_rack_and_nowhere_said_to_be_gone() -> None:
    _, row = a_round()
    rack = bytearray(row.rack)
    held = 4 + 7 * 3 + 6  # the last card of seat 1; the stub are the first four
    rack[held], rack[0] = rack[0], rack[held]
    row.rack = bytes(rack)
    row.shown = [shown for shown in row.shown if shown.place == 0]
    left, came = name_of(row.rack[0]), name_of(row.rack[held])
    differences = {one["says"]: one["code"] for one in how_read(row)["deal"]["differences"]}
    assert set(differences.values()) == {"DEAL-308"}
    assert any(left in says and "among the cards nobody played" in says for says in differences)
    assert any(came in says and "left over" in says for says in differences)


def test_a_missing_a_second_and_a_foreign_card() -> None:
    _, row = a_round()
    card = row.rack[30]
    row.rack = row.rack[:30] + row.rack[31:]
    (short,) = (packet for packet in strip_of(row) if packet["missing"])
    assert (short["whose"], short["missing"]) == ("seat 1", name_of(card))
    _, row = a_round()
    row.rack = row.rack[:30] + row.rack[10:11] + row.rack[31:]
    found = marks_of(strip_of(row))
    assert ("seat 1", name_of(row.rack[10])) in {(whose, card) for whose, card, _ in found}
    _, row = a_round()
    row.rack = row.rack[:30] + bytes([code_of("X2")]) + row.rack[31:]
    assert ("seat 1", "X2", "no card of this deck") in marks_of(strip_of(row))


def test_a_boxed_card_is_marked_and_named() -> None:
    _, row = a_round()
    row.facts.append(FactRow(Fact.BOXED, row.fixed["last_seq"], card=row.rack[-1]))
    assert marks_of(strip_of(row)) == [("dealer", name_of(row.rack[-1]), "found face up")]


@pytest.mark.parametrize("cards", [0, 1, 60, 120])
def test_no_rack_is_too_odd_to_draw(cards: int) -> None:
    _, row = a_round(deal_read=False)
    row.shown = []
    row.rack = bytes(random.Random(cards).choices(range(54), k=cards))
    strip_of(row)
    assert how_read(row)["status"] in ("contradictory", "in part", "not read")


def test_baccarat_has_two_hands() -> None:
    row = Table([Bet(2, "player", 1000), Bet(3, "banker", 1000)], "5s Kd 2c", "7c Th").row()
    strip = strip_of(row, "ca/supreme_baccarat")
    assert [(packet["whose"], packet["parts"][0]["cards"]) for packet in strip] == [
        ("Player", "5s Kd 2c"),
        ("Banker", "7c Th"),
    ]
    how = how_read(row, "ca/supreme_baccarat")
    assert (how["status"], how["searched"]["layouts"]) == ("unique", 4)


def test_a_hand_that_stayed_for_an_envy_bonus_lies_where_it_went_in() -> None:
    rng = random.Random(5)
    while True:
        played = play(rng, bets={1: Bets(1000, 500), 2: Bets(1000), 4: Bets(1000)}, rich=True, foul_share=0.0)
        if not played.envy and played.lines[1, "fortune"][1] >= 25 * 500:  # seat 1 alone holds four of a kind or better
            break
    row = reported(row_of(played), played)
    assert [packet["whose"] for packet in strip_of(row)][-4:] == ["seat 2", "seat 4", "seat 1", "dealer"]
    how = how_read(row)
    assert [hand["whose"] for step in how["steps"] for hand in step["hands"]][-4:] == [
        "seat 2", "seat 4", "seat 1", "dealer",
    ]  # fmt: skip
    assert how["searched"]["because"] == ["it stays face up for an envy bonus"]
