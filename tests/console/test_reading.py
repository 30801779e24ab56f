"""Commands that read: what they print, in both forms, and what they say to a slip of the pen."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from replay.cards.pickup.procedure import procedure_ids
from tests.console.conftest import ROOT, Call, call_process
from tests.console.screen import labels_of, lines_of


def test_every_planted_fault_is_found_and_nothing_else_is_flagged(call: Call, played: Path) -> None:
    found = lines_of(call("findings", "--home", played, "--limit", "0", "--json").stdout)
    planted = {(label["table"], label["round"], label["code"]) for label in labels_of(played)}
    assert planted
    assert planted <= {(row["table_id"], row["round_id"], row["code"]) for row in found}
    assert {(row["table_id"], row["round_id"]) for row in found} == {place[:2] for place in planted}


def test_findings_filters(call: Call, played: Path) -> None:
    every = lines_of(call("findings", "--home", played, "--limit", "0", "--json").stdout)
    fees = lines_of(call("findings", "--home", played, "--code", "FEE", "--json").stdout)
    assert fees and {row["code"] for row in fees} == {"FEE-901"}
    table = every[0]["table_id"]
    of_table = lines_of(call("findings", "--home", played, "--table", table, "--limit", "0", "--json").stdout)
    assert of_table == [row for row in every if row["table_id"] == table]
    assert len(lines_of(call("findings", "--home", played, "--limit", "2", "--json").stdout)) == 2
    low = lines_of(call("findings", "--home", played, "--severity", "low", "--json").stdout)
    assert all(row["severity"] == "low" for row in low)


def test_findings_table_says_where_and_how_much(call: Call, played: Path) -> None:
    label = next(label for label in labels_of(played) if label["code"] == "SETTLE-101")
    result = call("findings", "--home", played, "--code", "SETTLE-101")
    assert result.exit_code == 0
    assert f"{label['table']}/{label['round']}" in result.stdout
    assert "$" in result.stdout


def test_findings_fail_only_when_there_are_some(call: Call, played: Path) -> None:
    assert call("findings", "--home", played, "--fail").exit_code == 1
    assert call("findings", "--home", played, "--code", "VIG-601", "--fail").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["findings", "--code", "NOPE-1"], "there is no finding NOPE-1; there are the groups: SETTLE, METER, START"),
        (["findings", "--code", "FEE-9"], "there is no finding FEE-9; there are: FEE-901, FEE-902"),
        (["findings", "--table", "ZZ-99"], "nothing is recorded of table ZZ-99; recorded are: PG-01"),
        (["findings", "--round", "nope"], "nothing is recorded of a round nope"),
        (["round", "show", "PG-01"], "is not TABLE/ROUND"),
        (["round", "show", "ZZ-99/1"], "nothing is recorded of table ZZ-99"),
        (["round", "show", "PG-01/nope"], "PG-01 has no round nope; it has 40 rounds"),
        (["round", "show", "PG-01/20261117-0001", "--version", "9"], "1 version, not a version 9"),
        (["rounds", "--table", "ZZ-99"], "nothing is recorded of table ZZ-99"),
        (["reaudit", "--table", "ZZ-99"], "nothing is recorded of table ZZ-99; recorded are: PG-01"),
        (["reaudit", "--day", "2001-01-01"], "nothing is recorded for 2001-01-01; there is 2026-11-17"),
        (["findings", "--dealer", "D-1o1"], "nothing is recorded of a dealer D-1o1; there are: D-1"),
        (["rounds", "--at", "10:15", "--from", "10:00"], "--at is one minute, --from and --to are a stretch of time"),
        (["rounds", "--from", "2026-11-17 11:00", "--to", "2026-11-17 10:00"], "does not come after --from"),
        (["query"], "give one query, or --views"),
        (["query", "SELECT nope FROM rounds"], "nope"),
        (["query", "SELEC 1"], "the query cannot be read"),
        (["query", "DROP VIEW rounds"], "DROP is refused"),
        (["query", "INSERT INTO rounds VALUES (1)"], "INSERT is refused"),
        (["query", "SET memory_limit = '1GB'"], "SET is refused"),
        (["query", "SELECT 1; SELECT 2"], "one query at a time"),
        (["query", "SELECT * FROM read_text('/etc/hostname')"], "reads its own views and no files"),
        (["query", "COPY rounds TO 'stolen.csv'"], "COPY is refused"),
        (["rules", "show", "ma/nope"], "there is no pack 'ma/nope'; there are: ca/fortune_pai_gow, ca/"),
        (["rules", "show", "ma/pai_gow_poker", "--option", "nope"], "has no option 'nope'"),
    ],
)
def test_a_slip_of_the_pen_is_one_clear_sentence(call: Call, played: Path, arguments: list[str], said: str) -> None:
    homeless = arguments[0] == "rules"
    result = call(*arguments, *([] if homeless else ["--home", played]))
    assert result.exit_code == 2, result.output
    assert said in result.stderr
    assert result.stderr.startswith("muckraker: ") and "Traceback" not in result.stderr
    assert result.stdout == ""


def test_a_query_cannot_overwrite_the_lake(call: Call, played: Path) -> None:
    file = next(played.glob("lake/*/*/*/findings.parquet"))
    before = file.read_bytes()
    sql = f"WITH x AS (COPY (SELECT 1) TO '{file}' (FORMAT parquet, USE_TMP_FILE false)) SELECT * FROM x"
    result = call("query", sql, "--home", played)
    assert result.exit_code == 2
    assert "no files" in result.stderr
    assert file.read_bytes() == before


def test_query_forms(call: Call, played: Path) -> None:
    sql = "SELECT count(*) AS n, sum(version) AS versions, max(closed_at) AS at_last FROM rounds"
    row = json.loads(call("query", sql, "--format", "json", "--home", played).stdout)
    assert row["n"] == row["versions"] == 160
    assert row["at_last"].endswith("Z")
    head, body = call("query", sql, "--format", "csv", "--home", played).stdout.splitlines()
    assert head == "n,versions,at_last" and body.startswith("160,160,2026-11-17 ")
    table = call("query", sql, "--home", played).stdout
    assert "versions" in table and table.endswith("1 row.\n")
    assert call("query", "-", "--home", played, stdin="SELECT 1 AS one").stdout.endswith("1 row.\n")


def test_a_query_prints_nothing_that_a_terminal_obeys(call: Call, played: Path) -> None:
    printed = call("query", "SELECT 'a' || chr(27) || '[31mred' || chr(155) || '2J' AS said", "--home", played).stdout
    assert "a\\x1b[31mred\\x9b2J" in printed
    assert not any(sign in printed for sign in "\x1b\x07\x9b")


def test_query_lists_its_views(call: Call, played: Path) -> None:
    views = {view["view"]: view for view in lines_of(call("query", "--views", "--json", "--home", played).stdout)}
    assert {"events", "quarantine", "rounds", "wagers", "settlements", "fees", "findings", "facts", "tables"} <= set(
        views
    )
    assert all(view["row"].startswith("A row is") and view["columns"] for view in views.values())
    assert "A row is one round of play" in call("query", "--views", "--home", played).stdout


def test_rounds(call: Call, played: Path) -> None:
    every = lines_of(call("rounds", "--home", played, "--limit", "0", "--json").stdout)
    assert len(every) == 160
    differing = lines_of(call("rounds", "--home", played, "--verdict", "differs", "--limit", "0", "--json").stdout)
    assert differing == [row for row in every if row["verdict"] == "differs"]
    result = call("rounds", "--home", played, "--table", "PG-01", "--limit", "3", "--sort", "time")
    assert "PG-01/20261117-0001" in result.stdout and result.stdout.endswith("3 of 40 rounds; --limit 0 shows all.\n")


def test_rounds_at_a_moment(call: Call, played: Path) -> None:
    every = lines_of(call("rounds", "--home", played, "--table", "PG-01", "--limit", "0", "--json").stdout)
    wanted = every[7]
    for moment in (wanted["opened_at"][:19], wanted["closed_at"][:16], wanted["opened_at"][:19].replace("T", " ")):
        found = lines_of(call("rounds", "--home", played, "--table", "pg-01", "--at", moment, "--json").stdout)
        assert wanted in found and len(found) <= 3
    assert call("rounds", "--home", played, "--at", "quarter past").exit_code == 2


EVERY_TABLE = (
    ["findings"],
    ["rounds"],
    ["round", "show", "PG-01/20261117-0001", "--events"],
    ["round", "show", "SB-01/20261117-0001"],
    ["round", "show", "PG-01/20261117-0002", "--explain"],
    ["round", "show", "SB-01/20261117-0002", "--explain"],
    ["query", "FROM rounds LIMIT 2"],
    ["query", "--views"],
    ["rules", "list"],
    ["rules", "show", "ma/pai_gow_poker"],
    ["keys", "list"],
    ["keys", "history"],
    ["doctor"],
)


@pytest.mark.parametrize("arguments", EVERY_TABLE, ids=" ".join)
@pytest.mark.parametrize("columns", ["60", "80", "160"])
def test_no_page_is_too_narrow(
    call: Call, played: Path, monkeypatch: pytest.MonkeyPatch, columns: str, arguments: list[str]
) -> None:
    monkeypatch.setenv("COLUMNS", columns)
    result = call(*arguments, *([] if arguments[0] == "rules" else ["--home", played]))
    assert result.exit_code == 0, result.output
    lines = result.stdout.splitlines()
    assert all(len(line) <= int(columns) for line in lines)
    assert not any(line.endswith(" ") for line in lines), "blanks at the end of a line"
    # A table that cuts text off puts the sign right behind it; where words of a rule are left out there is a blank.
    assert not re.search(r"[^\s-]…", result.stdout), "something was cut off"
    assert "\x1b" not in result.stdout


def test_a_table_too_wide_becomes_records(call: Call, played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    sql = "SELECT table_id, pack, rounds FROM tables ORDER BY table_id LIMIT 2"
    assert call("query", sql, "--home", played).stdout.splitlines()[0] == "table_id  pack              rounds"
    monkeypatch.setenv("COLUMNS", "30")
    assert call("query", sql, "--home", played).stdout.splitlines()[:4] == [
        "table_id  PG-01",
        "pack      ma/pai_gow_poker",
        "rounds    40",
        "",
    ]
    assert "columns: table_id, round_id" in call("query", "FROM rounds WHERE false", "--home", played).stdout


def test_findings_on_a_narrow_page_are_paragraphs(call: Call, played: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    label = next(label for label in labels_of(played) if label["code"] == "SETTLE-101")
    shown = call("findings", "--code", "SETTLE-101", "--home", played).stdout
    assert re.search(rf"^SETTLE-101  high  {label['table']}/{label['round']}  [+-]\$", shown, re.MULTILINE)


def test_round_show_is_a_whole_transcript(call: Call, played: Path) -> None:
    label = next(
        label for label in labels_of(played) if label["code"] == "SETTLE-101" and label["table"].startswith("PG")
    )
    result = call("round", "show", f"{label['table']}/{label['round']}", "--home", played)
    assert result.exit_code == 0
    for heading in (
        "Wagers",
        "Start and deal",
        "Hands as reconstructed",
        "Settlement",
        "Ledger of the round",
        "Rules it was settled by",
        "Options in force",
    ):
        assert heading in result.stdout
    # Why it was flagged comes before what an investigator checks it against.
    assert result.stdout.index("\nFindings\n") < result.stdout.index("\nWagers\n") < result.stdout.index("\nSettlement")
    assert "SETTLE-101 Wrong amount" in result.stdout
    assert "Rule: MA-PGP §" in result.stdout and "“" in result.stdout
    assert "✗" in result.stdout and "Attested" in result.stdout
    assert any(suit in result.stdout for suit in "♣♦♥♠")
    assert "Events" not in result.stdout.splitlines()


def test_round_show_json_holds_the_same(call: Call, played: Path) -> None:
    label = next(label for label in labels_of(played) if label["code"] == "FEE-901")
    place = f"{label['table']}/{label['round']}"
    report = json.loads(call("round", "show", place, "--events", "--json", "--home", played).stdout)
    assert (report["table"], report["round"]) == (label["table"], label["round"])
    assert [finding["code"] for finding in report["findings"]] == ["FEE-901"]
    assert any(line["kind"] == "fee" and not line["agrees"] for line in report["lines"])
    assert sum(report["ledger"]["expected_balances"].values()) == 0
    seqs = [event["seq"] for event in report["events"]]
    assert seqs == list(range(report["seq"][0], report["seq"][1] + 1))


def test_round_show_explains_how_the_rack_was_read(call: Call, played: Path) -> None:
    label = next(label for label in labels_of(played) if label["code"] == "CARD-311")
    place = f"{label['table']}/{label['round']}"
    page = call("round", "show", place, "--explain", "--home", played).stdout
    card = label["detail"].split()[0]  # "Td is not in the rack"
    for heading in ("1 The pickup procedure filed", "2 What was searched", "3 What is left", "6 What would change it"):
        assert heading in page
    assert "without " + card[0] in page, "the bracket names the card that is not there"
    assert "rulings.md R-5: “hands 1..6 in the order they are settled" in page
    report = json.loads(call("round", "show", place, "--explain", "--json", "--home", played).stdout)
    assert [packet["missing"] for packet in report["strip"] if packet["missing"]] == [card]
    reading = report["reading"]
    assert reading["status"] == "contradictory" and reading["would_change"]
    assert reading["explanations"][0]["faults"][0]["kind"] in ("missing", "stub_short")
    assert "reading" not in json.loads(call("round", "show", place, "--json", "--home", played).stdout)


def test_round_show_with_missing_events_says_so(call: Call, played: Path) -> None:
    label = next(label for label in labels_of(played) if label["code"] == "GATE-003")
    result = call("round", "show", f"{label['table']}/{label['round']}", "--events", "--home", played)
    assert result.exit_code == 0
    assert "GATE-003 Events missing" in result.stdout


def test_reaudit_finds_the_lake_as_it_is(call: Call, played: Path) -> None:
    document = json.loads(call("reaudit", "--home", played, "--json").stdout)
    assert document["identical"] and document["rounds"] == 160 and document["differences"] == []
    one = json.loads(call("reaudit", "--home", played, "--table", "PG-01", "--day", "2026-11-17", "--json").stdout)
    assert one["identical"] and one["rounds"] == 40


def test_reaudit_in_processes(call: Call, played: Path) -> None:
    result = call("reaudit", "--home", played, "--jobs", "2")
    assert result.exit_code == 0, result.output
    assert "Identical to the lake" in result.stdout


def test_rules(call: Call) -> None:
    packs = [pack["pack"] for pack in lines_of(call("rules", "list", "--json").stdout)]
    california = [
        "fortune_pai_gow",
        "holdem",
        "omaha",
        "omaha_hi_lo",
        "pure_21_5_blackjack",
        "supreme_baccarat",
        "three_card_poker_6_card_bonus",
    ]
    pai_gow = ["flt/supreme_pai_gow", "ma/pai_gow_poker", "ma/supreme_pai_gow", "nj/supreme_pai_gow"]
    assert packs == [*(f"ca/{game}" for game in california), *pai_gow]
    shown = call("rules", "show", "ma/pai_gow_poker").stdout
    for text in (
        "vigorish_rounding",
        "Pay table fortune-a",
        "MA-PGP §16(a)",
        "Order of the discard rack",
        "\n  vigorish\n",
    ):
        assert text in shown
    assert "Fees own_1" in call("rules", "show", "ca/supreme_baccarat").stdout
    option = json.loads(call("rules", "show", "ma/pai_gow_poker", "--option", "wheel", "--json").stdout)
    assert option["choices"] == ["second_highest", "lowest"] and option["cite"]["text"] == "MA-PGP"


def test_rules_show_the_order_of_the_rack_in_words(call: Call) -> None:
    shown = call("rules", "show", "ma/pai_gow_poker").stdout
    order = shown[shown.index("Order of the discard rack") :]
    assert "5. surrendered hands without a live wager" in order
    assert "whose: surrendered, not live_wager" in order
    assert "as they went out; cards in any order" in order
    assert "cards in any order if rearranged, else low hand then high" in order
    assert "MA-PGP §9(e)(2): “Collect the seven cards" in order
    holdem = call("rules", "show", "ca/holdem").stdout
    assert holdem.index("1. folded hands") < holdem.index("2. at showdown, losing hands") < holdem.index("6. the stub")
    without_pack = procedure_ids()[0]
    assert "the game's pack is still to come" in call("rules", "show", without_pack).stdout
    assert json.loads(call("rules", "show", without_pack, "--json").stdout)["steps"]
    assert "has no options" in call("rules", "show", without_pack, "--option", "wheel").stderr


def test_doctor_is_content(call: Call, played: Path) -> None:
    result = call("doctor", "--home", played)
    assert result.exit_code == 0, result.output
    assert "PROBLEM" not in result.stdout
    names = [check["name"] for check in lines_of(call("doctor", "--home", played, "--json").stdout)]
    assert {"python", "packages", "home", "disk", "log", "lake", "lag", "keys"} <= set(names)


def test_version(call: Call) -> None:
    assert call("version").stdout.startswith("muckraker ")
    assert call("--version").stdout == call("version").stdout
    assert set(json.loads(call("version", "--json").stdout)) == {"muckraker", "python"}


@pytest.mark.parametrize(
    "command",
    [
        "demo", "simulate", "validate", "ingest", "keys add", "keys rotate", "keys revoke", "keys list",
        "keys history", "keys head", "keys resync", "run", "findings", "rounds", "round show", "query",
        "reaudit", "settle", "case run", "rules list", "rules show", "rules diff", "theory", "rank", "doctor",
        "version",
    ],
)  # fmt: skip
def test_help_has_an_example_and_exit_codes(call: Call, command: str) -> None:
    result = call(*command.split(), "--help")
    assert result.exit_code == 0
    assert f"muckraker {command}" in result.stdout.split("Examples:")[1]
    assert "Exit codes:" in result.stdout


def test_first_page_of_help(call: Call) -> None:
    text = call("--help").stdout
    for heading in ("Begin:", "Record:", "Look:", "Check:", "Examples:", "Exit codes:"):
        assert heading in text
    assert "130" in text


def test_no_colours_where_nobody_sees_them(played: Path) -> None:
    result = call_process("round", "show", "PG-01/20261117-0001", "--home", played)
    assert result.returncode == 0
    assert "\x1b" not in result.stdout + result.stderr


@pytest.mark.parametrize("form", ["json", "table"])
def test_a_reader_that_leaves_is_no_failure(played: Path, form: str) -> None:
    """`muckraker query … | head -1`"""
    command = [sys.executable, "-m", "console.main", "query", "FROM events", "--format", form, "--home", str(played)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        assert process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0
