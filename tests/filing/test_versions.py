"""Versions of a pack lie side by side, and one may hold only what differs from the one it is based on."""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Any

import pytest

from replay.cards.dealing.method import Direction
from replay.filing import (
    PackError,
    canonical_filing,
    file_under,
    filing_of,
    folders,
    in_force_on,
    load_folder,
    load_pack,
    pack_ids,
    versions_of,
)
from tests.filing.packs_folder import (
    CITE,
    HANDS,
    METHOD,
    OTHER,
    PACK,
    PAYTABLE,
    STUB,
    first_version,
    later_version,
    option,
    write,
)


@pytest.fixture
def packs(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "packs"
    monkeypatch.setattr(folders, "PACKS_FOLDER", folder)
    first_version(folder)
    return folder


def test_versions_are_found_by_what_they_call_themselves(packs: Path) -> None:
    later_version(packs, "v2")
    later_version(packs, "v3", version="1.1", effective_from="2024-06-01")
    assert pack_ids() == ["xx/snap"]
    assert versions_of("xx/snap") == ["1.0", "1.1", "2.0"]
    assert load_pack("xx/snap").version == "2.0"
    assert load_pack("xx/snap", "1.1").folder.name == "v3"


def test_of_versions_from_one_day_the_greater_number_is_the_later_one(packs: Path) -> None:
    later_version(packs, "v2", version="1.10", effective_from="2020-01-01")
    later_version(packs, "v3", version="1.9", effective_from="2020-01-01")
    assert versions_of("xx/snap") == ["1.0", "1.9", "1.10"]


def test_what_a_table_opened_under_decides(packs: Path) -> None:
    later_version(packs, options={"speed": option("fast", choices=["fast"])})
    assert filing_of(canonical_filing("xx/snap", "1.0", {})).options == {"decks": 1, "speed": "slow"}
    assert filing_of(canonical_filing("xx/snap", "2.0", {})).options == {"decks": 1, "speed": "fast"}
    newest = load_pack("xx/snap")
    assert file_under(newest, "1.0", {"speed": "slow"}).pack.version == "1.0"
    with pytest.raises(PackError, match=r"^pack xx/snap 2\.0, option speed: 'slow' is none of fast \(.+\)$"):
        file_under(newest, "2.0", {"speed": "slow"})


def test_an_unknown_version_names_those_there_are(packs: Path) -> None:
    later_version(packs)
    with pytest.raises(PackError, match=r"^pack xx/snap has no version 3\.0; it has: 1\.0, 2\.0$"):
        filing_of(canonical_filing("xx/snap", "3.0", {}))


def test_a_version_has_what_it_is_based_on_and_what_it_says_counts(packs: Path) -> None:
    folder = later_version(packs, title="Snap anew", options={"decks": option(2, OTHER, minimum=2, maximum=3)})
    write(folder / "paytables" / "side-b.yaml", {**PAYTABLE, "id": "side-b"})
    write(folder / "dealing.yaml", {"shoe": METHOD})
    pack = load_pack("xx/snap", "2.0")
    assert (pack.data.title, pack.data.family, pack.based_on) == ("Snap anew", "split_hands", ("xx/snap 1.0",))
    assert list(pack.data.options) == ["decks", "speed"] and list(pack.data.wagers) == ["main", "side"]
    assert pack.data.options["decks"].default == 2 and str(pack.data.options["decks"].cite) == "rulings.md R-38"
    assert list(pack.paytables) == ["side-a", "side-b"]
    assert {name: method.direction for name, method in pack.dealing.items()} == {
        "hand": Direction.CLOCKWISE,
        "shoe": Direction.CLOCKWISE,
    }
    assert load_pack("xx/snap", "1.0").dealing["shoe"].direction is Direction.COUNTERCLOCKWISE
    assert [step.title for step in pack.pickups["standard"].steps] == ["every hand", "the stub"]


def test_an_option_counts_whole_so_that_no_number_keeps_the_citation_of_another(packs: Path) -> None:
    later_version(packs, options={"decks": {"default": 2}})
    with pytest.raises(PackError, match=r"v2/pack\.yaml: options\.decks\.title is missing"):
        load_pack("xx/snap", "2.0")


def test_a_version_of_a_version(packs: Path) -> None:
    later_version(packs, "v2", version="1.1", effective_from="2024-01-01", title="Snap again")
    later_version(packs, "v3", version="1.2", effective_from="2025-01-01", based_on="1.1", without=["wagers.side"])
    pack = load_pack("xx/snap")
    assert (pack.data.title, list(pack.data.wagers)) == ("Snap again", ["main"])
    assert pack.based_on == ("xx/snap 1.1", "xx/snap 1.0")


def test_days_in_force_are_never_taken_over(packs: Path) -> None:
    first_version(packs, effective_to="2026-12-31")
    later_version(packs)
    assert load_pack("xx/snap", "2.0").data.effective_to is None
    assert in_force_on("xx/snap", date(2026, 12, 31)) == ["1.0"]
    assert in_force_on("xx/snap", date(2027, 1, 1)) == ["2.0"]
    later_version(packs, "v3", version="3.0", effective_from=None)
    folders.version_folders.cache_clear()
    with pytest.raises(PackError, match=r"v3/pack\.yaml: effective_from is missing"):
        load_pack("xx/snap", "3.0")


def test_another_packs_version_can_be_the_base(packs: Path) -> None:
    base = {"pack": "xx/snap", "version": "1.0"}
    said = {"id": "yy/snap", "version": "1.0", "effective_from": "2021-01-01", "based_on": base}
    write(packs / "yy" / "snap" / "v1" / "pack.yaml", said)
    pack = load_pack("yy/snap")
    assert (pack.id, pack.version, pack.data.effective_from.year) == ("yy/snap", "1.0", 2021)
    assert [method.id for method in pack.dealing.values()] == ["yy/snap:hand", "yy/snap:shoe"]
    assert pack.based_on == ("xx/snap 1.0",)


def test_what_is_taken_away_is_named(packs: Path) -> None:
    folder = later_version(packs, without=["options.speed", "paytables.side-a", "dealing.hand"])
    pack = load_pack("xx/snap", "2.0")
    assert (list(pack.data.options), list(pack.paytables), list(pack.dealing)) == (["decks"], [], ["shoe"])
    assert list(load_pack("xx/snap", "1.0").data.options) == ["decks", "speed"]
    assert folder.name == "v2"


@pytest.mark.parametrize(
    ("said", "message"),
    [
        ({"based_on": "0.9"}, r"^xx/snap 2\.0 is based on xx/snap 0\.9, which does not exist; there is: 1\.0, 2\.0$"),
        (
            {"based_on": {"pack": "xx/nap", "version": "1.0"}},
            r"xx/snap 2\.0 is based on xx/nap 1\.0.*no version",
        ),
        ({"based_on": "2.0"}, r"cannot be based on each other: xx/snap 2\.0 on xx/snap 2\.0"),
        ({"based_on": 1.0}, r'based_on is 1\.0; it is a version of this pack in quotation marks, such as "1\.0"'),
        ({"based_on": {"pack": "xx/snap"}}, r"based_on is \{'pack': 'xx/snap'\}; it is"),
        ({"based_on": None, "without": ["options.speed"]}, r"without is for a version that is based_on another"),
        ({"without": "options.speed"}, r"without is 'options\.speed'; it is a list"),
        (
            {"without": ["options.sped"]},
            r"'options\.sped': xx/snap 1\.0 has no such thing; its options are: decks, sp",
        ),
        ({"without": ["deck"]}, r"'deck' is none of cases, dealing, fees, options, paytables, pickups, wagers"),
        ({"version": 2.0, "based_on": "1.0"}, r"pack\.yaml: version: .*not 2\.0"),
        ({"version": "two"}, r"pack\.yaml: version: .*not 'two'"),
        ({"id": "xx/slap"}, r"v2/pack\.yaml calls itself 'xx/slap'; its folder says 'xx/snap'"),
        ({"family": "solitaire_", "colour": "red"}, r"colour: "),
    ],
)
def test_what_does_not_hold_is_refused_by_name(packs: Path, said: dict[str, Any], message: str) -> None:
    later_version(packs, **said)
    version = str(said.get("version", "2.0"))
    with pytest.raises(PackError, match=message):
        load_pack("xx/snap", version)


def test_a_circle_names_every_version_in_it(packs: Path) -> None:
    later_version(packs, "v2", version="2.0", based_on="3.0")
    later_version(packs, "v3", version="3.0", based_on="2.0")
    with pytest.raises(PackError, match=r"each other: xx/snap 3\.0 on xx/snap 2\.0 on xx/snap 3\.0"):
        load_pack("xx/snap", "3.0")
    assert load_pack("xx/snap", "1.0").version == "1.0"


def test_two_folders_with_one_version_are_refused(packs: Path) -> None:
    later_version(packs, "v2", version="1.0")
    with pytest.raises(PackError, match=r"pack xx/snap: the folders v1 and v2 both call themselves version 1\.0"):
        load_pack("xx/snap", "1.0")


def test_a_folder_that_cannot_be_imported_is_refused(packs: Path) -> None:
    later_version(packs, "2.0")
    with pytest.raises(PackError, match=r"the version folder '2\.0' cannot be imported; call it v1, v2 or so"):
        load_pack("xx/snap", "1.0")


def test_the_pickup_may_be_a_file_of_its_own_but_not_both(packs: Path) -> None:
    folder = later_version(packs)
    write(folder / "pickup.yaml", [STUB, HANDS])
    assert [step.title for step in load_pack("xx/snap", "2.0").pickups["standard"].steps] == ["the stub", "every hand"]
    first = packs / "xx" / "snap" / "v1"
    write(first / "pickup.yaml", [STUB, HANDS])
    with pytest.raises(PackError, match=r"v9: the steps of the pickup procedure are in pack\.yaml and in pickup\.yaml"):
        load_folder(other_copy(packs, first))


def other_copy(packs: Path, folder: Path) -> Path:
    """The same folder under another name, which nobody has read yet."""
    return folder.rename(packs / "xx" / "snap" / "v9")


def test_a_slip_in_a_step_names_the_file_it_stands_in(packs: Path) -> None:
    folder = later_version(packs)
    write(folder / "pickup.yaml", [STUB, {**HANDS, "order": "sideways"}])
    with pytest.raises(PackError, match=r"v2/pickup\.yaml, pickup: step 2 \('every hand'\), order"):
        load_pack("xx/snap", "2.0")


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"receives": "everybody"}, r"dealing\.yaml: hand\.receives: .*none of every_place, every_seat"),
        ({"cites": []}, r"dealing\.yaml: hand\.cites"),
        ({"cites": [{**CITE, "text": "XX"}]}, r"dealing\.yaml, xx/snap:hand cites 'XX', which is no rule text"),
        ({"cards_each": 7}, r"dealing\.yaml: hand\.cards_each"),
    ],
)
def test_a_slip_in_a_dealing_method_is_named(packs: Path, change: dict[str, Any], message: str) -> None:
    write(later_version(packs) / "dealing.yaml", {"hand": {**METHOD, **change}})
    with pytest.raises(PackError, match=message):
        load_pack("xx/snap", "2.0")


def test_the_made_up_pack_is_one(packs: Path) -> None:
    assert load_pack("xx/snap").data.effective_from.isoformat() == PACK["effective_from"]
