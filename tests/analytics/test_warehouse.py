"""The warehouse: its views on an empty lake and on a small one, and that nothing can be changed through it."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner

from analytics.warehouse import (
    EVENTS_SCHEMA,
    VIEWS,
    VIEWS_FOLDER,
    QueryRefused,
    Warehouse,
    WarehouseError,
    committed_segments,
    view_comment,
)
from console.main import muckraker
from ingest.lake import EVENTS_SCHEMA as LAKE_EVENTS_SCHEMA
from replay.rounds import Fact


@pytest.fixture(scope="module")
def lake(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A lake of four tables with faults."""
    home = tmp_path_factory.mktemp("warehouse") / "home"
    for arguments in (["simulate", "--tables", "4", "--rounds", "120", "--fault-rate", "0.35", "--seed", "4"], ["run"]):
        result = CliRunner().invoke(muckraker, [*arguments, "--home", str(home)])
        assert result.exit_code == 0, result.output
    return home / "lake"


def one(warehouse: Warehouse, sql: str) -> object:
    (row,) = warehouse.rows(sql)
    (value,) = row.values()
    return value


def test_the_lake_writes_what_the_warehouse_expects() -> None:
    assert [(field.name, field.type) for field in EVENTS_SCHEMA] == [(f.name, f.type) for f in LAKE_EVENTS_SCHEMA]


def test_every_view_has_a_file_and_says_what_a_row_is() -> None:
    assert sorted(path.stem for path in VIEWS_FOLDER.glob("*.sql")) == sorted(VIEWS)
    assert all(view_comment(view).startswith("A row is one ") for view in VIEWS)


def test_an_empty_lake_has_the_same_views(tmp_path: Path, lake: Path) -> None:
    with Warehouse(tmp_path / "nowhere") as empty, Warehouse(lake) as full:
        assert empty.describe() == full.describe()
        for view in VIEWS:
            assert empty.rows(f"SELECT * FROM {view}") == []
        assert empty.lake_rounds().num_rows == 0


def test_half_written_segments_are_not_read(lake: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(lake, tmp_path / "lake"))
    segment = committed_segments(copy)[0]
    segment.rename(segment.with_name(f".writing-{segment.name}"))
    assert len(committed_segments(copy)) == len(committed_segments(lake)) - 1
    with Warehouse(copy) as warehouse:
        assert one(warehouse, "SELECT count(*) FROM rounds") != 120


def test_counts_agree_between_views(lake: Path) -> None:
    with Warehouse(lake) as warehouse:
        assert one(warehouse, "SELECT count(*) FROM rounds") == 120
        assert one(warehouse, "SELECT sum(rounds)::INT FROM tables") == 120
        assert one(warehouse, "SELECT sum(verified + differs + void + cannot_tell)::INT FROM tables") == 120
        assert one(warehouse, "SELECT sum(findings)::INT FROM tables") == one(
            warehouse, "SELECT count(*) FROM findings"
        )
        records = one(warehouse, "SELECT count(*) FROM records")
        assert one(warehouse, "SELECT count(*) FROM (FROM events) JOIN records USING (table_id, log_offset)") == one(
            warehouse, "SELECT count(*) FROM events"
        )
        assert records == one(
            warehouse,
            "SELECT (SELECT count(*) FROM events) + (SELECT count(*) FROM quarantine) "
            "+ (SELECT count(*) FROM records WHERE status = 'duplicate')",
        )


def test_facts_have_names(lake: Path) -> None:
    with Warehouse(lake) as warehouse:
        kinds = {row["kind"] for row in warehouse.rows("SELECT DISTINCT kind FROM facts")}
        assert kinds <= {fact.name.lower() for fact in Fact}
        assert {"wager_placed", "settled", "vigorish", "collection"} <= kinds
        details = {row["detail"] for row in warehouse.rows("SELECT DISTINCT detail FROM facts WHERE kind = 'settled'")}
        assert {"win", "lose", "push"} <= details


def test_settlements_stand_on_the_wagers(lake: Path) -> None:
    """Two roads to the same chips: the wagers as the view adds them up, and the stakes the replay settled."""
    with Warehouse(lake) as warehouse:
        apart = warehouse.rows(
            "SELECT * FROM settlements AS s LEFT JOIN wagers AS w "
            "ON w.table_id = s.table_id AND w.round_id = s.round_id AND w.seat = s.seat AND w.wager = s.wager "
            "AND w.bettor IS NOT DISTINCT FROM s.bettor "
            "WHERE s.kind = 'wager' AND NOT coalesce(w.late, FALSE) AND s.verdict = 'verified' "
            "AND w.amount_cents IS DISTINCT FROM s.stake_cents"
        )
        assert apart == []
        assert one(warehouse, "SELECT count(*) FROM settlements WHERE kind = 'wager'") != 0


def test_verified_rounds_were_settled_as_they_should(lake: Path) -> None:
    with Warehouse(lake) as warehouse:
        wrong = warehouse.rows(
            "SELECT * FROM settlements WHERE verdict = 'verified' AND reports > 0 "
            "AND (paid_cents <> reported_paid_cents OR taken_cents <> reported_taken_cents "
            "OR vigorish_cents <> reported_vigorish_cents)"
        )
        assert wrong == []
        unpaid = warehouse.rows(
            "SELECT f.* FROM fees AS f JOIN rounds AS r USING (table_id, round_id) "
            "WHERE r.verdict = 'verified' AND f.due_cents <> f.taken_cents"
        )
        assert unpaid == []
        assert one(warehouse, "SELECT count(*) FROM fees WHERE due_cents > 0") != 0


def test_quarantine_says_why(tmp_path: Path) -> None:
    garbage = ["--tables", "1", "--rounds", "20", "--faults", "garbage", "--fault-rate", "0.3"]
    for arguments in (["simulate", *garbage], ["run"]):
        assert CliRunner().invoke(muckraker, [*arguments, "--home", str(tmp_path)]).exit_code == 0
    with Warehouse(tmp_path / "lake") as warehouse:
        refused = warehouse.rows("SELECT * FROM quarantine")
        assert refused and all(row["reason"] and row["raw"] for row in refused)


def test_only_the_newest_version_counts(lake: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(lake, tmp_path / "lake"))
    segment = committed_segments(copy)[0]
    rounds = pq.read_table(segment / "rounds.parquet", partitioning=None)
    findings = pq.read_table(segment / "findings.parquet", partitioning=None)
    place = next(
        row for row in findings.to_pylist() if row["round_id"] is not None and not row["code"].startswith("GATE-")
    )
    at = next(
        number
        for number, row in enumerate(rounds.select(["table_id", "round_id"]).to_pylist())
        if (row["table_id"], row["round_id"]) == (place["table_id"], place["round_id"])
    )
    second = rounds.slice(at, 1)
    second = second.set_column(second.column_names.index("version"), "version", pa.array([2], pa.int32()))
    second = second.set_column(second.column_names.index("verdict"), "verdict", pa.array(["verified"]))
    newer = segment.with_name("9" * 20 + "-" + "9" * 20)
    newer.mkdir()
    pq.write_table(second, newer / "rounds.parquet")
    gate = {**place, "code": "GATE-005", "finding_id": "gate", "sentence": "came late", "round_version": 1}
    pq.write_table(pa.Table.from_pylist([gate], schema=findings.schema), newer / "findings.parquet")
    pq.write_table(EVENTS_SCHEMA.empty_table(), newer / "events.parquet")

    with Warehouse(copy) as warehouse:
        where = f"table_id = '{place['table_id']}' AND round_id = '{place['round_id']}'"
        assert one(warehouse, f"SELECT verdict FROM rounds WHERE {where}") == "verified"
        assert one(warehouse, f"SELECT count(*) FROM round_versions WHERE {where}") == 2
        assert one(warehouse, f"SELECT count(*) FROM rounds WHERE {where}") == 1
        assert [row["code"] for row in warehouse.rows(f"SELECT code FROM findings WHERE {where}")] == ["GATE-005"]
        older = warehouse.rows(f"SELECT code FROM finding_versions WHERE {where} AND superseded")
        assert place["code"] in [row["code"] for row in older]
        assert one(warehouse, "SELECT count(*) FROM rounds") == 120


@pytest.mark.parametrize(
    "sql",
    [
        "CREATE TABLE t (a INT)",
        "INSERT INTO rounds VALUES (1)",
        "DELETE FROM rounds",
        "DROP VIEW rounds",
        "COPY rounds TO 'out.parquet'",
        "EXPORT DATABASE 'out'",
        "ATTACH 'other.db'",
        "INSTALL httpfs",
        "LOAD httpfs",
        "SET enable_external_access = true",
        "RESET lock_configuration",
        "PRAGMA database_list",
        "CALL pragma_version()",
        "EXPLAIN ANALYZE COPY rounds TO 'out.csv'",
        "SELECT 1; SELECT 2",
        "SELECT * FROM read_parquet('x.parquet')",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM glob('/*')",
        "WITH x AS (COPY (SELECT 1) TO 'out.csv' (USE_TMP_FILE false)) SELECT * FROM x",
        "COPY (PIVOT rounds ON verdict USING count(*)) TO 'out.csv' (USE_TMP_FILE false)",
        "CREATE TABLE t AS PIVOT rounds ON verdict USING count(*)",
        "PREPARE p AS PIVOT rounds ON verdict USING count(*)",
        "EXPLAIN ANALYZE PIVOT rounds ON verdict USING count(*)",
        "PIVOT rounds ON verdict; DROP VIEW rounds",
        "PIVOT (FROM read_text('/etc/passwd')) ON filename",
        "PIVOT (FROM read_csv('/etc/passwd')) ON column0",
        "WITH x AS (COPY (SELECT 1) TO 'out.csv' (USE_TMP_FILE false)) PIVOT x ON Count",
    ],
)
def test_everything_but_an_answer_is_refused(
    lake: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sql: str
) -> None:
    monkeypatch.chdir(tmp_path)
    with Warehouse(lake) as warehouse:
        with pytest.raises(QueryRefused):
            warehouse.query(sql)
        assert warehouse.query("SELECT count(*) AS n FROM rounds").to_pylist() == [{"n": 120}]
    assert list(tmp_path.iterdir()) == []


def test_python_variables_are_out_of_reach(lake: Path) -> None:
    secret = pa.table({"a": [1]})
    with Warehouse(lake) as warehouse, pytest.raises(WarehouseError, match="secret"):
        warehouse.query("SELECT * FROM secret")
    assert secret.num_rows == 1


def test_what_a_select_may_be(lake: Path) -> None:
    with Warehouse(lake) as warehouse:
        for sql in ("SHOW TABLES", "DESCRIBE rounds", "SUMMARIZE fees", "FROM findings LIMIT 1", "VALUES (1)"):
            assert warehouse.query(sql).num_rows > 0
        for wrong in ("", "SELEC 1", "SELECT nope FROM rounds", "SELECT error('x')"):
            with pytest.raises(WarehouseError) as caught:
                warehouse.query(wrong)
            assert "\n" not in str(caught.value)


def test_a_lake_of_another_version_is_told(lake: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(lake, tmp_path / "lake"))
    file = committed_segments(copy)[0] / "rounds.parquet"
    pq.write_table(pq.read_table(file, partitioning=None).drop_columns(["dealer"]), file)
    with pytest.raises(WarehouseError, match=r"another version of Muckraker \(it has no column dealer\)"):
        Warehouse(copy)


def test_a_missing_file_is_named(lake: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(lake, tmp_path / "lake"))
    file = committed_segments(copy)[0] / "rounds.parquet"
    file.unlink()
    with pytest.raises(WarehouseError, match=r"rounds\.parquet is missing"):
        Warehouse(copy)


@pytest.mark.parametrize("place", [".", "muckraker-events", "muckraker-events/0"])
def test_a_lake_out_of_reach_is_not_an_empty_one(lake: Path, monkeypatch: pytest.MonkeyPatch, place: str) -> None:
    """Whoever may not read a folder must not be told that there is nothing in it. (Root may read everything.)"""
    hidden, listed = lake / place, os.listdir

    def denied(path: str | Path) -> list[str]:
        if Path(path) == hidden:
            raise PermissionError(13, "Permission denied", str(path))
        return listed(path)

    monkeypatch.setattr(os, "listdir", denied)
    with pytest.raises(WarehouseError, match=r"cannot be read: Permission denied"):
        Warehouse(lake)


@pytest.mark.parametrize(
    "sql",
    [
        "PIVOT rounds ON verdict) ; DROP VIEW rounds; FROM (rounds",
        "PIVOT (WITH x AS (COPY (SELECT 1) TO 'out.csv' (USE_TMP_FILE false)) SELECT * FROM x) ON Count",
    ],
)
def test_a_pivot_is_no_way_out(lake: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, sql: str) -> None:
    monkeypatch.chdir(tmp_path)
    with Warehouse(lake) as warehouse:
        with pytest.raises(WarehouseError):
            warehouse.query(sql)
        assert warehouse.query("SELECT count(*) AS n FROM rounds").to_pylist() == [{"n": 120}]
    assert list(tmp_path.iterdir()) == []


def test_a_pivot_is_an_answer(lake: Path) -> None:
    """Its columns come from the data, and DuckDB makes several statements of it."""
    with Warehouse(lake) as warehouse:
        counted = warehouse.rows("SELECT verdict, count(*) AS n FROM rounds GROUP BY ALL")
        sideways = warehouse.query("PIVOT rounds ON verdict USING count(*) GROUP BY pack").to_pylist()
        assert {row["verdict"]: row["n"] for row in counted} == {
            verdict: sum(row[verdict] for row in sideways) for verdict in sideways[0] if verdict != "pack"
        }
        assert warehouse.query("FROM (PIVOT rounds ON verdict USING count(*) GROUP BY pack) -- asks").num_rows
        assert warehouse.query("PIVOT rounds ON verdict IN ('verified', 'differs') USING count(*);").num_rows


def test_the_findings_add_up_to_the_ledger(lake: Path) -> None:
    """Account by account, and over all of it; no account of a round is out by a cent that no finding tells of."""
    with Warehouse(lake) as warehouse:
        out = warehouse.rows(
            "SELECT l.table_id, l.round_id, l.account, l.difference_cents, f.cents FROM "
            "(SELECT * FROM ledger WHERE judged AND difference_cents <> 0) AS l FULL JOIN "
            "(SELECT table_id, round_id, round_version AS version, account, sum(difference_cents)::BIGINT AS cents "
            "FROM finding_accounts GROUP BY ALL HAVING cents <> 0) AS f USING (table_id, round_id, version, account) "
            "WHERE l.difference_cents IS DISTINCT FROM f.cents"
        )
        assert out == []
        (sums,) = warehouse.rows(
            "SELECT sum(expected_cents)::BIGINT AS due, sum(reported_cents)::BIGINT AS said, "
            "count(*) FILTER (difference_cents <> 0) AS out, sum(abs(difference_cents))::BIGINT AS apart FROM ledger"
        )
        assert (sums["due"], sums["said"]) == (0, 0) and sums["out"] > 20
        by_account = warehouse.rows("SELECT sum(abs(cents))::BIGINT AS cents FROM (SELECT table_id, round_id, account, "
                              "sum(difference_cents) AS cents FROM finding_accounts GROUP BY ALL)")  # fmt: skip
        assert by_account[0]["cents"] == sums["apart"]
        # And by the findings' own column, of everybody who bets and is not bet against.
        patrons = warehouse.rows(
            "SELECT (SELECT sum(difference_cents) FROM findings JOIN rounds USING (table_id, round_id) "
            "WHERE seat IS DISTINCT FROM bank_seat OR bettor IS NOT NULL)::BIGINT AS by_findings, "
            "(SELECT sum(difference_cents) FROM ledger WHERE account LIKE 'seat %' "
            "AND account NOT LIKE '%(player-dealer)')::BIGINT AS by_ledger"
        )[0]
        assert patrons["by_findings"] == patrons["by_ledger"] != 0
