"""The theory of every pay table that is printed, a line each, also where the pack itself is still to come.

python -m analytics.theory.every_table [PACK ...]      return, hits and break-even of each table
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence

import yaml

from analytics.theory.counts import TheoryError
from analytics.theory.store import CountsStore, cache_folder
from analytics.theory.table_theory import TableTheory
from replay.filing import Paytable
from replay.filing.folders import PACKS_FOLDER
from schemas.money import dollars

PACKS = ("ma/pai_gow_poker", "flt/supreme_pai_gow")


NO_CARDS = "number_selected"
"""The row of a wager that no cards decide, at odds that are the licensee's: see `side_wagers`."""


def tables_of(pack_id: str) -> dict[str, Paytable]:
    """The pay tables of hands in a pack's folder, also where the pack itself is still to come."""
    paths = sorted((PACKS_FOLDER / pack_id).glob("*/paytables/*.yaml"))
    if not paths:
        raise TheoryError(f"there are no pay tables of {pack_id} in {PACKS_FOLDER}")
    tables = {path.stem: Paytable.model_validate(yaml.safe_load(path.read_text(encoding="utf-8"))) for path in paths}
    return {name: table for name, table in tables.items() if table.rows[0].hand != NO_CARDS}


def lines_of(pack_id: str, store: CountsStore) -> Iterator[str]:
    for name, table in tables_of(pack_id).items():
        one = TableTheory.of(table, store)
        stake = one.usual_stake_cents
        text = f"{name:<25} returns {float(one.returned(stake)):>9.4%}  paid {float(one.hits):>8.4%}"
        for meter in one.meter_theories(stake):
            held = f"{meter.name} {dollars(meter.held_cents)}"
            text += f"  {held}, breaks even at {dollars(round(meter.break_even_cents))}"
        yield text


def printed_lines(pack_ids: Sequence[str], store: CountsStore) -> Iterator[str]:
    for pack_id in pack_ids:
        yield pack_id
        yield from (f"  {line}" for line in lines_of(pack_id, store))


if __name__ == "__main__":
    for printed in printed_lines(sys.argv[1:] or PACKS, CountsStore(cache_folder())):
        print(printed)
