"""What the data-quality checks came to, by gaming day, table and device: the document that `muckraker quality` prints,
as JSON, as text and as a page. Reads the warehouse, and checks nothing itself.
"""

from __future__ import annotations

from typing import Any

from analytics.warehouse import Warehouse
from ingest.quality.expectations import CHECKS

WORST_FIRST = "CASE severity WHEN 'high' THEN 0 WHEN 'medium' THEN 1 WHEN 'low' THEN 2 ELSE 3 END"
Document = dict[str, Any]


def summary(warehouse: Warehouse, day: str | None, table_id: str | None) -> Document:
    """`days` with their tables and devices, the newest first; `checks` over everything ever checked; `failures` with
    their sentences, the most severe first."""
    conditions, parameters = ["TRUE"], []
    if day is not None:
        conditions.append("gaming_day = CAST(? AS DATE)")
        parameters.append(day)
    if table_id is not None:
        conditions.append("table_id = ?")
        parameters.append(table_id)
    where = " AND ".join(conditions)
    days: dict[str | None, Document] = {}
    for row in warehouse.rows(
        f"SELECT * FROM quality_places WHERE {where} ORDER BY gaming_day DESC NULLS LAST, table_id, device", parameters
    ):
        known = days.setdefault(row["gaming_day"], {"gaming_day": row["gaming_day"], "over": False, "tables": {}})
        known["over"] = known["over"] or row["day_checked"]
        table = known["tables"].setdefault(row["table_id"], _table(row["table_id"]))
        table["judged"] += row["judged"]
        table["failed"] += row["failed"]
        if row["device"] is not None:
            table["devices"].append({"device": row["device"], "judged": row["judged"], "failed": row["failed"]})
    for row in warehouse.rows(
        "SELECT gaming_day, table_id, count(*) AS rounds, count(failed_checks) AS marked "
        f"FROM rounds WHERE {where} GROUP BY ALL",
        parameters,
    ):
        table = days.get(row["gaming_day"], {"tables": {}})["tables"].get(row["table_id"])
        if table is not None:
            table["rounds"], table["rounds_marked"] = row["rounds"], row["marked"]
    failures = warehouse.rows(
        'SELECT finding_id, code, title, severity, "check", table_id, round_id, device, gaming_day, happened_at, seq, '
        '"value", "limit", expected_cents, actual_cents, sentence, citation, marks '
        f"FROM quality_failures WHERE {where} "
        f"ORDER BY {WORST_FIRST}, gaming_day DESC NULLS LAST, table_id, seq, code, sentence",
        parameters,
    )
    for failure in failures:
        known_check = CHECKS.get(failure["check"])  # an older result may name one that is no more
        failure["expected"] = known_check.expected if known_check else failure["check"]
        failure["what_to_do"] = known_check.do if known_check else ""
        table = days.get(failure["gaming_day"], {"tables": {}})["tables"].get(failure["table_id"])
        if table is not None and failure["code"] not in table["codes"]:
            table["codes"] = sorted([*table["codes"], failure["code"]])
    checks = warehouse.rows(
        'SELECT "check", code, border, sum(judged)::BIGINT AS judged, sum(failed)::BIGINT AS failed '
        'FROM quality_checks GROUP BY ALL ORDER BY code, "check"'
    )
    for check in checks:
        check["expected"] = CHECKS[check["check"]].expected if check["check"] in CHECKS else check["check"]
    return {"days": [_totals(known) for known in days.values()], "checks": checks, "failures": failures}


def _table(table_id: str) -> Document:
    return {
        "table_id": table_id,
        "rounds": 0,
        "rounds_marked": 0,
        "judged": 0,
        "failed": 0,
        "codes": [],
        "devices": [],
    }


def _totals(day: Document) -> Document:
    tables = list(day["tables"].values())
    sums = {name: sum(table[name] for table in tables) for name in ("rounds", "rounds_marked", "judged", "failed")}
    return {"gaming_day": day["gaming_day"], "over": day["over"], **sums, "tables": tables}


def not_checked(warehouse: Warehouse, table_id: str, gaming_day: object) -> bool:
    """Whether nobody has looked yet at the gaming day of a table."""
    return not warehouse.rows(
        "SELECT 1 FROM quality_places WHERE table_id = ? AND gaming_day = ? AND day_checked LIMIT 1",
        [table_id, gaming_day],
    )
