"""Do the findings, the ledgers and the rounds' own pages say the same of the money? The check behind `muckraker demo`.

Three ways to the same sums: what the findings say of each account; what the `ledger` view adds up from every movement
reported and every line; and what `round show` prints, which audits each round anew.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from analytics.warehouse import Warehouse
from replay.explain import explain_round
from replay.money.ledger import HOUSE

WAYS = ("findings", "ledger", "round_show")
PATRONS, PLAYER_DEALERS, BOXES, OTHERS = "patrons", "player-dealers", "drop boxes", "others"
Sums = dict[tuple[str, str, str], int]  # (table, round, account) → by how much it is out


def check_money(warehouse: Warehouse) -> dict[str, Any]:
    """By each way what each kind of account has too little and too much of, and whether they agree to the cent."""
    found: dict[str, Sums] = {
        "findings": _sums(
            warehouse.rows(
                "SELECT f.table_id, f.round_id, account, sum(difference_cents)::BIGINT AS cents "
                "FROM finding_accounts AS f JOIN rounds AS r "
                "ON r.table_id = f.table_id AND r.round_id = f.round_id AND r.version = f.round_version "
                "WHERE r.judged GROUP BY ALL"
            )
        ),
        "ledger": _sums(
            warehouse.rows("SELECT table_id, round_id, account, difference_cents AS cents FROM ledger WHERE judged")
        ),
    }
    found["round_show"] = _of_pages(warehouse, {(table, round_) for table, round_, _ in found["ledger"]})
    kinds: dict[str, dict[str, dict[str, int]]] = {}
    for way in WAYS:
        for (_, _, account), cents in found[way].items():
            of_kind = kinds.setdefault(_kind(account), {each: {"too_little": 0, "too_much": 0} for each in WAYS})
            of_kind[way]["too_little" if cents < 0 else "too_much"] += abs(cents)
    return {
        "agrees": found["findings"] == found["ledger"] == found["round_show"],
        "rounds": {way: len({(table, round_) for table, round_, _ in found[way]}) for way in WAYS},
        "accounts": {kind: kinds[kind] for kind in sorted(kinds)},
    }


def _sums(rows: list[dict[str, Any]]) -> Sums:
    return {(row["table_id"], row["round_id"], row["account"]): row["cents"] for row in rows if row["cents"]}


def _of_pages(warehouse: Warehouse, rounds: set[tuple[str, str]]) -> Sums:
    """As the pages of these rounds print it."""
    sums: Sums = defaultdict(int)
    for table_id, round_id in sorted(rounds):
        versions = warehouse.lake_rounds(
            "table_id = ? AND round_id = ? AND version = "
            "(SELECT max(version) FROM rounds WHERE table_id = ? AND round_id = ?)",
            [table_id, round_id, table_id, round_id],
        )
        for account, cents in explain_round(versions)["ledger"]["differences"].items():
            sums[table_id, round_id, account] = cents
    return dict(sums)


def _kind(account: str) -> str:
    if account.startswith("seat "):
        return PLAYER_DEALERS if account.endswith("(player-dealer)") else PATRONS
    return account if account == HOUSE else BOXES if account.startswith("drop box") else OTHERS
