"""What makes a file of `fees/` no schedule: it is refused when its pack is loaded, with the reason and the section."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from replay.filing import PackError, folders, load_folder, load_pack, pack_ids
from replay.filing.fees import FeeSchedule
from tests.filing.packs_folder import CITE, first_version, option, write

PROCEDURES = "CA California Games Collection Rates, Collection Procedures"
BANDS = [{"floor": 10, "fee": 1}, {"floor": 105, "fee": 2}, {"floor": 205, "fee": 3}]


@pytest.fixture
def packs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "packs"
    monkeypatch.setattr(folders, "PACKS_FOLDER", folder)
    return folder


def part(bands: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {"payer": "player", "basis": "betting_spot", "bands": bands, "cite": CITE} | more


def schedule(*parts: dict[str, Any], **more: Any) -> dict[str, Any]:
    said = {"id": "own", "title": "Own", "cite": CITE, "moment": "before_deal", "moment_cite": CITE}
    return said | {"limits": {"main": [10, 300]}, "limits_cite": CITE, "parts": list(parts)} | more


def loaded(packs: Path, said: dict[str, Any], **pack: Any) -> FeeSchedule:
    folder = first_version(packs, **pack)
    write(folder / "fees" / "own.yaml", said)
    return load_folder(folder).fees["own"]


def test_a_schedule_with_flat_fees_loads(packs: Path) -> None:
    made = loaded(packs, schedule(part(BANDS), part([{"floor": 0, "fee": 2}], payer="player_dealer")))
    assert made.rates == [100, 200, 300]
    assert made.rates_of("player_dealer") == {200}


@pytest.mark.parametrize(
    ("band", "said"),
    [
        ({"floor": 10, "fee": "5%"}, "fee: 5%"),
        ({"floor": 10, "fee": "1/20"}, "fee: 1/20"),
        ({"floor": 10, "fee": 0.05}, "fee: 0.05"),
        ({"floor": 10, "percent": 5}, "percent: 5"),
        ({"floor": 10, "share": "5 of 100"}, "share: 5 of 100"),
    ],
)
def test_a_percentage_is_no_fee(packs: Path, band: dict[str, Any], said: str) -> None:
    with pytest.raises(PackError, match="flat amount") as refused:
        loaded(packs, schedule(part([band])))
    assert f"{said} is no sum of money" in str(refused.value)
    assert PROCEDURES in str(refused.value) and "percentage of wagers made or winnings earned" in str(refused.value)
    assert "fees/own.yaml" in str(refused.value)


def rates(count: int) -> list[dict[str, Any]]:
    return [{"floor": 100 * at, "fee": at} for at in range(1, count + 1)]


def test_five_rates_and_a_sixth(packs: Path) -> None:
    free = {"floor": 1, "fee": 0}
    assert loaded(packs, schedule(part([free, *rates(5)]), part([{"floor": 0, "fee": 3}]))).rates[-1] == 500
    with pytest.raises(PackError, match="6 different rates") as refused:
        loaded(packs, schedule(part(rates(5)), part([{"floor": 0, "fee": 6}], payer="player_dealer")))
    assert PROCEDURES in str(refused.value) and "no more than five collection rates" in str(refused.value)


def test_a_text_that_allows_three_rates(packs: Path) -> None:
    words = "can be up to three separate rates per game."
    three = {"most_rates": {"count": 3, "cite": {"text": "CA", "section": "Pure 21.5", "words": words}}}
    assert len(loaded(packs, schedule(part(rates(3)), **three)).rates) == 3
    with pytest.raises(PackError, match=r"4 different rates .* CA Pure 21\.5 allows 3: “can be up to three"):
        loaded(packs, schedule(part(rates(4)), **three))


@pytest.mark.parametrize(
    ("bands", "said"),
    [
        ([{"floor": 105, "fee": 2}, {"floor": 10, "fee": 1}], "out of order: from $10.00 comes after from $105.00"),
        ([{"floor": 10, "fee": 2}, {"floor": 10, "fee": 1}], "out of order: from $10.00 comes after from $10.00"),
        ([{"floor": 10, "to": 105, "fee": 2}, {"floor": 105, "fee": 1}], "one runs to $105.00, the next begins from"),
        ([{"floor": 10, "to": 5, "fee": 2}], "ends at $5.00, before it begins"),
        ([{"players": 5, "fee": 2}], "has bands by floor"),
        ([{"floor": 10, "players": 5, "fee": 2}], "say one of them"),
        ([{"fee": 2}], "say one of them"),
        ([], "at least 1 item"),
    ],
)
def test_bands_that_do_not_follow_each_other(packs: Path, bands: list[dict[str, Any]], said: str) -> None:
    with pytest.raises(PackError) as refused:
        loaded(packs, schedule(part(bands)))
    assert said in str(refused.value)


def test_a_printed_gap_between_bands_is_none_of_an_error(packs: Path) -> None:
    made = loaded(packs, schedule(part([{"floor": 10, "to": 100, "fee": 1}, {"floor": 105, "to": 200, "fee": 2}])))
    assert [band.begins for band in made.parts[0].bands] == [1_000, 10_500]


def test_a_fee_by_the_number_of_players(packs: Path) -> None:
    heads = [{"players": 1, "fee": 2}, {"players": 5, "fee": 4}]
    made = loaded(packs, schedule(part(heads, payer="pot", basis="players_dealt_in")))
    assert [band.from_words for band in made.parts[0].bands] == ["from 1 player", "from 5 players"]
    with pytest.raises(PackError, match="has bands by players"):
        loaded(packs, schedule(part(BANDS, payer="pot", basis="players_dealt_in")))


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ({"limits": {"mane": [10, 300]}}, "limits: there is no wager mane"),
        ({"limits": {"main": [300, 10]}}, "the lowest main, $300.00, is above the highest, $10.00"),
        ({"parts": [part(BANDS, wagers=["mane"])]}, "wagers: there is no wager mane"),
    ],
)
def test_what_a_schedule_names_must_be_there(packs: Path, more: dict[str, Any], said: str) -> None:
    with pytest.raises(PackError) as refused:
        loaded(packs, schedule(part(BANDS)) | more)
    assert said in str(refused.value)


def test_a_schedule_has_to_be_a_choice_and_a_choice_a_schedule(packs: Path) -> None:
    def options(*choices: str) -> dict[str, Any]:
        return {"options": {"pickup": option("standard"), "schedule": option(choices[0], choices=list(choices))}}

    assert loaded(packs / "both", schedule(part(BANDS)), **options("own", "none")).id == "own"
    with pytest.raises(PackError, match=r"no file fees/other\.yaml for the choice other"):
        loaded(packs / "no file", schedule(part(BANDS)), **options("own", "other"))
    with pytest.raises(PackError, match=r"fees/own\.yaml is none of the choices of option schedule"):
        loaded(packs / "no choice", schedule(part(BANDS)), **options("none"))


def test_every_schedule_that_ships_keeps_to_its_number_of_rates() -> None:
    shipped = [one for pack_id in pack_ids() for one in load_pack(pack_id).fees.values()]
    assert len(shipped) >= 11
    assert all(len(one.rates) <= 5 for one in shipped)
