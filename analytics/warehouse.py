"""The warehouse: read-only SQL over the lake's committed segments.

The views in views/*.sql are made anew in memory by every `Warehouse`; nothing is stored, so nothing can be stale. The
connection cannot reach a file. That is why the Parquet files come in as Arrow datasets that this module opened, and
not by DuckDB's own reader: a path DuckDB may read it may also write, and `WITH x AS (COPY … TO …) SELECT` counts as a
SELECT, so one query could overwrite the evidence.

Knows where segments lie and what is in them; knows nothing of how they are written, nor of who asks.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import duckdb
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

from analytics.quality import ResultUnreadable, read_quality
from replay.audit import audit
from replay.lake_rounds import rounds_table
from replay.money.ledger import HOUSE, METER_FUNDING, POT
from replay.rounds import ACTIONS, BANK_KINDS, OUTCOMES, PAYERS, START_METHODS, Fact, RoundFlag, batch_of
from schemas.cards import CARD_NAMES
from schemas.events import Payer
from schemas.findings import CATALOGUE, FINDINGS_SCHEMA
from schemas.segments import RETIRED, standing

VIEWS_FOLDER = Path(__file__).parent / "views"
VIEWS: tuple[str, ...] = (  # in the order they build on each other
    "records",
    "events",
    "quarantine",
    "quality_checks",
    "quality_places",
    "quality_failures",
    "quality_rounds",
    "round_versions",
    "rounds",
    "facts",
    "wagers",
    "settlements",
    "fees",
    "ledger",
    "meter_steps",
    "tray_moves",
    "tray_rounds",
    "tray_counts",
    "finding_versions",
    "findings",
    "finding_accounts",
    "tables",
)
MOST_TRIES = 3  # segments may be merged, and removed, between listing and reading them
_PARTITION = re.compile(r"\d+\Z")

# As the lake writes them; the warehouse has to know so that the views of an empty lake have the right columns.
EVENTS_SCHEMA = pa.schema(
    [
        ("offset", pa.int64()),
        ("timestamp_us", pa.int64()),
        ("table_id", pa.string()),
        ("round_id", pa.string()),
        ("seq", pa.int64()),
        ("type", pa.string()),
        ("event_id", pa.string()),
        ("time_us", pa.int64()),
        ("source", pa.string()),
        ("status", pa.string()),
        ("reason", pa.string()),
        ("hash", pa.binary(32)),
        ("raw", pa.binary()),
    ]
)


class WarehouseError(Exception):
    """A query cannot be answered, or a file of the lake cannot be read; the message says why and what to do."""


class LakeUnreadable(WarehouseError):
    """A file of the lake is damaged or out of reach: no fault of the query."""


class QueryRefused(WarehouseError):
    """The query asks for something other than an answer."""


def rounds_schema() -> pa.Schema:
    """What rounds.parquet holds: the replay says."""
    nothing = batch_of([])
    return rounds_table(nothing, audit(nothing)).schema


def committed_segments(lake: Path) -> list[Path]:
    """The folders of the committed segments of all topics and partitions, in order."""
    if not lake.exists():
        return []
    try:
        # Not by glob, which passes over folders it may not read: a lake out of reach would be one without findings.
        topics = [lake / name for name in os.listdir(lake) if (lake / name).is_dir()]
        partitions = [topic / name for topic in topics for name in os.listdir(topic) if _PARTITION.match(name)]
        return sorted(folder / span.name for folder in partitions for span in standing(os.listdir(folder)))
    except OSError as error:
        raise LakeUnreadable(
            f"{error.filename} cannot be read: {error.strerror}; run this as somebody who may read it"
        ) from error


def check_columns(file: Path, schema: pa.Schema) -> None:
    """A WarehouseError when a file of the lake has not the columns this version writes."""
    try:
        names = set(pq.read_schema(file).names)
    except (OSError, pa.ArrowException) as error:
        raise WarehouseError(f"{file} cannot be read: {error}; run `muckraker doctor` and restore the file") from error
    missing = [name for name in schema.names if name not in names]
    if missing:
        raise WarehouseError(
            f"{file} was written by another version of Muckraker (it has no column {missing[0]}); use that version, or "
            "move the lake folder away and type `muckraker run` to make it anew from the log"
        )


class Warehouse:
    """Views over the segments under `lake` as they were when it was opened. Use it as a context manager.

    Small segments are merged all the time, and those they replaced are removed an hour later. Whoever takes longer than
    that has the segments listed anew, which then say the same and perhaps more.
    """

    def __init__(self, lake: str | Path) -> None:
        self.lake = Path(lake)
        self.segments: list[Path] = []  # none listed yet
        self._open_anew()

    def _open_anew(self) -> None:
        for attempt in range(MOST_TRIES):
            try:
                self._open()
            except WarehouseError:
                if attempt + 1 == MOST_TRIES or not self._merged_meanwhile():
                    raise
            else:
                return

    def _merged_meanwhile(self) -> bool:
        """Whether a segment that was listed is gone as a whole: a bigger one has replaced it."""
        return any(not segment.is_dir() for segment in self.segments)

    def _open(self) -> None:
        self.segments = committed_segments(self.lake)
        self._con = duckdb.connect(
            ":memory:",
            config={
                "autoinstall_known_extensions": "false",
                "autoload_known_extensions": "false",
                "python_enable_replacements": "false",  # a view's name must not find a Python variable
            },
        )
        try:
            self._attach("events", EVENTS_SCHEMA)
            self._attach("rounds", rounds_schema())
            self._attach("findings", FINDINGS_SCHEMA)
            self._con.register("finding_kinds", _finding_kinds())
            self._attach_quality()
            for macro in _macros():
                self._con.execute(macro)
            for view in VIEWS:
                self._con.execute(f"CREATE VIEW {view} AS {view_text(view)}")
            self._lock_down()
        except duckdb.Error as error:
            self._con.close()
            raise WarehouseError(f"{self.lake}: the views cannot be made: {_one_line(error)}") from error
        except WarehouseError:
            self._con.close()
            raise

    def __enter__(self) -> Warehouse:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        self._con.close()

    def query(self, sql: str) -> pa.Table:
        """The answer to a query from outside: one SELECT over the views (DESCRIBE, SHOW TABLES, SUMMARIZE are such)."""
        try:
            statements = self._con.extract_statements(sql)
        except duckdb.Error as error:
            raise WarehouseError(f"the query cannot be read: {_one_line(error)}") from error
        if not statements:
            raise WarehouseError("the query is empty: write a SELECT, such as SELECT * FROM tables")
        if len(statements) > 1:
            raise QueryRefused(f"one query at a time, please: this is {len(statements)} statements")
        if not self._only_asks(statements[0]):
            kind = statements[0].type.name.replace("_", " ").replace("MULTI", "anything made of a PIVOT")
            raise QueryRefused(f"the warehouse answers SELECT and changes nothing; {kind} is refused")
        return self._run(sql)

    def _only_asks(self, statement: duckdb.Statement) -> bool:
        """A SELECT, or a PIVOT whose columns come from the data: DuckDB makes several statements of one, as it does of
        `CREATE TABLE … AS PIVOT` and `COPY (PIVOT …) TO …`; but only what asks can stand in a FROM."""
        if statement.type != duckdb.StatementType.MULTI:
            return bool(statement.type == duckdb.StatementType.SELECT)
        try:
            within = self._con.extract_statements(f"FROM (\n{statement.query.rstrip().rstrip(';')}\n)")
        except duckdb.Error:
            return False
        return len(within) == 1 and within[0].type == duckdb.StatementType.MULTI

    def rows(self, sql: str, parameters: Sequence[object] = ()) -> list[dict[str, Any]]:
        """The answer to one of Muckraker's own questions, as one dict a row."""
        rows: list[dict[str, Any]] = self._run(sql, parameters).to_pylist()
        return rows

    def lake_rounds(self, sql_condition: str = "TRUE", parameters: Sequence[object] = ()) -> pa.Table:
        """Rows of rounds.parquet as they are stored, for the replay to run over again."""
        return self._run(f"SELECT * FROM lake_rounds WHERE {sql_condition}", parameters).cast(rounds_schema())

    def describe(self) -> list[dict[str, Any]]:
        """Every view with what a row of it is, and its columns."""
        columns: dict[str, list[dict[str, str]]] = {view: [] for view in VIEWS}
        for row in self.rows(
            "SELECT table_name, column_name, data_type FROM information_schema.columns "
            "WHERE table_schema = 'main' ORDER BY ordinal_position"
        ):
            if row["table_name"] in columns:
                columns[row["table_name"]].append({"name": row["column_name"], "type": row["data_type"]})
        return [{"view": view, "row": view_comment(view), "columns": columns[view]} for view in VIEWS]

    def _run(self, sql: str, parameters: Sequence[object] = ()) -> pa.Table:
        for _ in range(MOST_TRIES - 1):
            try:
                return self._answer(sql, parameters)
            except LakeUnreadable:
                if not self._merged_meanwhile():
                    raise
                self._con.close()
                self._open_anew()
        return self._answer(sql, parameters)

    def _answer(self, sql: str, parameters: Sequence[object]) -> pa.Table:
        try:
            return self._con.sql(sql, params=[_storable(value) for value in parameters]).to_arrow_table()
        except duckdb.PermissionException as error:
            raise QueryRefused(
                "the warehouse reads its own views and no files: take FROM one of "
                f"{', '.join(VIEWS)} ({_one_line(error)})"
            ) from error
        except (duckdb.Error, pa.ArrowException, OSError) as error:
            text = _one_line(error)
            if "registered as 'lake_" in text or isinstance(error, OSError | pa.ArrowException):
                raise LakeUnreadable(
                    f"a file under {self.lake} cannot be read ({text}): run `muckraker doctor`, which names it"
                ) from error
            raise WarehouseError(text) from error

    def _attach(self, name: str, schema: pa.Schema) -> None:
        files = [segment / f"{name}.parquet" for segment in self.segments]
        if name == "events":  # those of old segments may have been retired, and a signed note says so
            files = [file for file in files if file.is_file() or not (file.parent / RETIRED).is_file()]
        missing = next((file for file in files if not file.is_file()), None)
        if missing is not None:
            raise WarehouseError(
                f"{missing} is missing from a committed segment: run `muckraker doctor`, restore the file"
            )
        stored: Any = schema.empty_table()
        if files:
            for file in {
                files[0],
                files[-1],
            }:  # begun by one version, gone on with by another
                check_columns(file, schema)
            stored = ds.dataset([str(file) for file in files], schema=schema, format="parquet")
        self._con.register(f"lake_{name}", stored)

    def _attach_quality(self) -> None:
        try:
            quality = read_quality(self.lake)
        except ResultUnreadable as error:
            raise LakeUnreadable(str(error)) from error
        self._con.register("lake_quality", quality.checks)
        self._con.register("lake_quality_places", quality.places)
        self._con.register("lake_quality_failures", quality.failures)
        self._con.register("lake_quality_steps", quality.steps)

    def _lock_down(self) -> None:
        for setting in (
            "enable_external_access = false",
            "disabled_filesystems = 'LocalFileSystem'",
            "lock_configuration = true",  # last: nothing can be set after it
        ):
            self._con.execute(f"SET {setting}")


def _storable(value: object) -> object:
    """Bytes of a command line that are no text are in no record either, and DuckDB would not take them."""
    return value.encode("utf-8", "backslashreplace").decode() if isinstance(value, str) else value


def view_text(view: str) -> str:
    return (VIEWS_FOLDER / f"{view}.sql").read_text(encoding="utf-8").rstrip().rstrip(";")


def view_comment(view: str) -> str:
    """What a row of the view is: the comment at the top of its file."""
    lines = []
    for line in view_text(view).splitlines():
        if not line.startswith("--"):
            break
        lines.append(line.removeprefix("--").strip())
    return " ".join(lines)


def _finding_kinds() -> pa.Table:
    kinds = CATALOGUE.values()
    return pa.table(
        {"code": [k.code for k in kinds], "title": [k.title for k in kinds], "meaning": [k.meaning for k in kinds]}
    )


def _macros() -> list[str]:
    """Numbers of the columns as the words the replay means by them, so that no list of words stands in SQL twice."""
    fact_kinds = {int(fact): fact.name.lower() for fact in Fact}
    words: dict[str, list[str]] = {
        "card_name": list(CARD_NAMES),
        "outcome_name": list(map(str, OUTCOMES)),
        "action_name": list(map(str, ACTIONS)),
        "payer_name": list(map(str, PAYERS)),
        "bank_kind_name": list(map(str, BANK_KINDS)),
        "start_method_name": list(map(str, START_METHODS)),
        "fact_kind_name": [fact_kinds.get(number, "") for number in range(max(fact_kinds) + 1)],
    }
    named = [f"CREATE MACRO {name}(code) AS ({_sql_list(known)})[code::INTEGER + 1]" for name, known in words.items()]
    return [
        *named,
        # Times are stored as microseconds since 1970 in UTC, -1 where the devices did not say.
        "CREATE MACRO at_utc(us) AS make_timestamp(nullif(us, -1))",
        "CREATE MACRO known(value) AS nullif(value, -1)",
        "CREATE MACRO said(text) AS nullif(text, '')",
        # The accounts of replay.money.ledger.
        f"CREATE MACRO house() AS '{HOUSE}'",
        f"CREATE MACRO meter_funding() AS '{METER_FUNDING}'",
        "CREATE MACRO drop_box(name) AS rtrim('drop box ' || name)",
        "CREATE MACRO person(seat, bettor, bank) AS CASE WHEN seat > 0 AND seat = bank AND bettor = '' "
        "THEN 'seat ' || seat || ' (player-dealer)' ELSE rtrim('seat ' || seat || ' ' || bettor) END",
        f"CREATE MACRO fee_payer(payer, seat, bettor, bank) AS CASE WHEN payer = '{Payer.POT}' THEN '{POT}' "
        f"WHEN seat = 0 AND payer = '{Payer.PLAYER_DEALER}' AND bank > 0 THEN person(bank, bettor, bank) "
        f"WHEN seat = 0 AND payer = '{Payer.PLAYER_DEALER}' THEN 'player-dealer' ELSE person(seat, bettor, bank) END",
        "CREATE MACRO card_names(codes) AS list_transform(codes, lambda code: card_name(code))",
        *(
            f"CREATE MACRO is_{flag.name.lower()}(flags) AS (flags & {int(flag)}) <> 0"
            for flag in RoundFlag
            if flag.name
        ),
    ]


def _sql_list(words: Iterable[str]) -> str:
    return "[" + ", ".join("'" + word.replace("'", "''") + "'" for word in words) + "]"


def _one_line(error: Exception) -> str:
    """DuckDB's message without its drawing of the place."""
    text = str(error).split("\n\nLINE ")[0].strip()
    return re.sub(r"\s*\n\s*", "; ", text)
