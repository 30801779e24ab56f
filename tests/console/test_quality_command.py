from __future__ import annotations

import json
import re
import shutil
import time
from html.parser import HTMLParser
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from console.home import TOPIC, open_home
from console.quality_beside import checking_beside
from console.quality_page import page_of
from console.times import VenueTime
from tests.console.conftest import Call


@pytest.fixture(scope="module")
def checked_home(_played: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A home in which events were lost and settlements are missing, its data checked."""
    from tests.console.conftest import call_command

    home = Path(shutil.copytree(_played, tmp_path_factory.mktemp("quality") / "home"))
    result = call_command("quality", "--home", home)
    assert result.exit_code == 0, result.output
    assert "gaming day that were new" in result.stdout
    return home


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]


def lost_at(home: Path) -> dict[tuple[str, str], str]:
    """By table and round: which fault of the record was planted there."""
    labels = lines((home / "labels.jsonl").read_text(encoding="utf-8"))
    return {(label["table"], label["round"]): label["fault"] for label in labels}


def test_it_sums_up_and_says_what_failed(call: Call, checked_home: Path) -> None:
    result = call("quality", "--home", checked_home)
    assert result.exit_code == 0, result.output
    assert "Checked" not in result.stdout  # there is nothing new
    assert "Gaming day 2026-11-17" in result.stdout
    assert re.search(r"^ +PG-01 +40 +", result.stdout, re.MULTILINE)  # 160 rounds at four tables
    assert re.search(r"QUALITY-007 +medium +2026-11-17 +\S+: \d+ events? of 0 to \d+", result.stdout)
    document = json.loads(call("quality", "--home", checked_home, "--json").stdout)
    assert document["checked"] == {"segments": 0, "days": [], "failures": 0}
    (day,) = document["days"]
    assert day["rounds"] == 160
    assert day["judged"] == sum(table["judged"] for table in day["tables"]) > 100
    assert day["failed"] == len(document["failures"]) == result.stdout.count("QUALITY-0") // 2
    lost = {table for (table, _), fault in lost_at(checked_home).items() if fault == "event_lost"}
    assert lost <= {failure["table_id"] for failure in document["failures"] if failure["check"] == "sequence_whole"}


def test_what_failed_is_a_finding_and_marks_the_rounds_built_on_it(call: Call, checked_home: Path) -> None:
    failures = json.loads(call("quality", "--home", checked_home, "--json").stdout)["failures"]
    findings = lines(call("findings", "--code", "QUALITY", "--limit", "0", "--json", "--home", checked_home).stdout)
    assert {finding["finding_id"] for finding in findings} == {failure["finding_id"] for failure in failures}
    assert all(finding["gaming_day"] == "2026-11-17" and finding["evidence"] for finding in findings)
    rounds = lines(call("rounds", "--limit", "0", "--json", "--home", checked_home).stdout)
    for row in rounds:
        codes = {
            failure["code"]
            for failure in failures
            if failure["table_id"] == row["table_id"]
            and any(first <= row["last_seq"] and last >= row["first_seq"] for first, last in failure["marks"])
        }
        assert set(row["failed_checks"] or []) == codes
    marked = [row for row in rounds if row["failed_checks"]]
    assert lines(call("rounds", "--marked", "--limit", "0", "--json", "--home", checked_home).stdout) == marked
    lost = {place for place, fault in lost_at(checked_home).items() if fault == "event_lost"}
    assert lost <= {(row["table_id"], row["round_id"]) for row in marked}
    assert 0 < len(marked) < len(rounds) / 4


def test_a_round_says_what_it_is_built_on(
    call: Call, checked_home: Path, played: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "250")  # so that no heading is wrapped
    (table_id, round_id), *_ = [place for place, fault in lost_at(checked_home).items() if fault == "event_lost"]
    place = f"{table_id}/{round_id}"
    shown = call("round", "show", place, "--home", checked_home).stdout
    assert f"Built on data that failed: QUALITY-007 {table_id}: " in shown
    report = json.loads(call("round", "show", place, "--json", "--home", checked_home).stdout)
    assert report["data_quality"]["checked"] is True
    assert {failure["code"] for failure in report["data_quality"]["failed"]} == {"QUALITY-007"}
    listed = call("rounds", "--table", table_id, "--limit", "0", "--home", checked_home).stdout
    assert re.search(rf"^{place} .* QUALITY-007$", listed, re.MULTILINE)
    assert "built on data that failed" in listed
    clean = next(
        row["round_id"]
        for row in lines(call("rounds", "--table", table_id, "--json", "--home", checked_home).stdout)
        if not row["failed_checks"]
    )
    good = call("round", "show", f"{table_id}/{clean}", "--home", checked_home).stdout
    assert "data that failed" not in good
    assert "not checked yet" not in good
    unchecked = call("round", "show", place, "--home", played).stdout
    assert "The data of this gaming day is not checked yet (muckraker quality)" in unchecked


def test_exit_codes_and_refusals(call: Call, checked_home: Path, tmp_path: Path) -> None:
    assert call("quality", "--fail", "--home", checked_home).exit_code == 1
    assert (
        call(
            "quality", "--no-check", "--table", "pg-01", "--day", "2020-01-01", "--fail", "--home", checked_home
        ).exit_code
        == 0
    )
    for arguments, code, words in (
        (["--table", "XX-99"], 2, "nothing is recorded of table XX-99"),
        (["--unfinished"], 2, "--unfinished goes with --day"),
        (["--day", "2020-01-01", "--unfinished"], 2, "nothing is recorded of the gaming day 2020-01-01"),
        (["--day", "yesterday"], 2, "yesterday"),
        (["--day-border", "9"], 3, "begins at 6:00 UTC in this lake, and 9:00 was asked for"),
        (["--html", tmp_path / "no" / "such" / "page.html"], 3, "cannot be written"),
    ):
        result = call("quality", *arguments, "--home", checked_home)
        assert (result.exit_code, result.stdout) == (code, ""), (arguments, result.output)
        assert words in result.stderr
    assert call("quality", "--home", tmp_path / "nowhere").exit_code == 3


def test_nothing_recorded_is_nothing_checked(call: Call, tmp_path: Path) -> None:
    assert call("init", "--home", tmp_path / "home").exit_code == 0
    result = call("quality", "--home", tmp_path / "home")
    assert (result.exit_code, result.stdout) == (0, "Nothing is checked yet.\n")


def test_a_damaged_result_is_named(call: Call, checked_home: Path, tmp_path: Path) -> None:
    home = Path(shutil.copytree(checked_home, tmp_path / "own"))
    path = home / "lake" / TOPIC / "quality" / "days" / "2026-11-17.json"
    path.write_bytes(path.read_bytes()[:-20])
    for command in ("quality", "findings", "rounds"):
        result = call(command, "--home", home)
        assert result.exit_code == 3, result.output
        assert "2026-11-17.json" in result.stderr and "Traceback" not in result.output


# --- the page ---------------------------------------------------------------------------------------------------------


class _Loaded(HTMLParser):
    """Everything a browser would fetch or run, and whether every tag is closed."""

    def __init__(self) -> None:
        super().__init__()
        self.fetched: list[str] = []
        self.open: list[str] = []
        self.text: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in ("script", "link", "img", "iframe", "object", "embed", "base", "form"):
            self.fetched.append(tag)
        self.fetched += [f"{tag} {name}" for name, _ in attrs if name in ("src", "href", "style") or name[:2] == "on"]
        if tag not in ("meta", "br"):
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text.append(data)


def read(page: str) -> str:
    parser = _Loaded()
    parser.feed(page)
    parser.close()
    assert parser.open == []
    assert parser.fetched == []
    assert not re.search(r"url\(|@import|https?:", page)
    return " ".join(" ".join(parser.text).split())


def test_the_page_says_it_all_and_loads_nothing(call: Call, checked_home: Path, tmp_path: Path) -> None:
    result = call("quality", "--html", tmp_path / "q.html", "--json", "--home", checked_home)
    assert result.exit_code == 0, result.output
    text = read((tmp_path / "q.html").read_text(encoding="utf-8"))
    document = json.loads(result.stdout)
    for failure in document["failures"]:
        assert failure["sentence"] in text
    for table in document["days"][0]["tables"]:
        assert table["table_id"] in text
    for check in document["checks"]:
        assert check["check"] in text
        assert check["expected"] in text
    again = (tmp_path / "q.html").read_bytes()
    assert call("quality", "--html", tmp_path, "--home", checked_home).exit_code == 0  # in a folder
    assert (tmp_path / "quality.html").read_bytes() == again


def test_what_devices_wrote_cannot_get_out_of_its_place() -> None:
    nasty = "<script>alert(1)</script>&\"'"
    failure = {
        "code": "QUALITY-009",
        "check": nasty,
        "title": nasty,
        "severity": "medium",
        "table_id": nasty,
        "round_id": nasty,
        "device": nasty,
        "gaming_day": "2026-11-17",
        "happened_at": None,
        "sentence": nasty,
        "what_to_do": nasty,
    }
    table = {
        "table_id": nasty,
        "rounds": 1,
        "rounds_marked": 1,
        "judged": 1,
        "failed": 1,
        "codes": [nasty],
        "devices": [{"device": nasty, "judged": 1, "failed": 1}],
    }
    day = {"gaming_day": "2026-11-17", "over": False, "rounds": 1, "rounds_marked": 1, "judged": 1, "failed": 1}
    document = {
        "waiting": [{"gaming_day": "2026-11-18", "tables": [nasty]}],
        "days": [{**day, "tables": [table]}],
        "checks": [],
        "failures": [failure],
    }
    page = page_of(document, None, nasty, VenueTime())
    assert "<script" not in page
    assert read(page).count("<script>alert(1)</script>&\"'") >= 6


# --- with a run -------------------------------------------------------------------------------------------------------


def test_a_run_checks_the_data_behind_it_if_asked(call: Call, tmp_path: Path) -> None:
    home = tmp_path / "home"
    assert call("simulate", "--tables", "4", "--rounds", "60", "--home", home).exit_code == 0
    plain = call("run", "--home", home)
    assert plain.exit_code == 0 and not (home / "lake" / TOPIC / "quality").exists()
    result = call("run", "--quality", "--home", home)
    assert result.exit_code == 0, result.output
    assert result.stdout.endswith(
        "Data quality: 2 segments and 1 gaming day checked, 0 failures (muckraker quality).\n"
    )
    assert call("quality", "--fail", "--home", home).stdout.endswith("Nothing failed.\n")
    assert call("verify", "--home", home).exit_code == 0


@pytest.mark.slow
def test_beside_a_run_that_goes_on_a_process_of_its_own_checks(own_played: Path) -> None:
    home = open_home(own_played)
    results = own_played / "lake" / TOPIC / "quality"
    with checking_beside(home, Event(), every_s=1, first_s=0.1):
        deadline = time.monotonic() + 180
        while len(list(results.rglob("*.carried.json"))) < 2 and time.monotonic() < deadline:
            time.sleep(0.2)
    assert len(list(results.rglob("*.carried.json"))) == 2  # each partition's segment; the day's border is not past
    began = time.monotonic()
    with checking_beside(home, Event(), every_s=1, first_s=0.0):
        time.sleep(0.5)
    assert time.monotonic() - began < 30  # it is stopped where it stands
