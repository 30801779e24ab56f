"""What should have happened beside what was reported, line by line, for every game alike.

Works over the columns of a whole batch; only lines that differ are looked at one by one. Money decides: two outcomes
that move the same chips are the same settlement, whatever they are called.
"""

from __future__ import annotations

from replay.compare.compared import Compared
from replay.compare.envy import compare_envy
from replay.compare.fees import compare_fees
from replay.compare.meters import compare_meters
from replay.compare.pots import compare_pots
from replay.compare.settlement_remarks import fouls_nobody_showed, settled_otherwise, settled_without_a_wager
from replay.compare.settlements import compare_settlements
from replay.compare.unfiled import compare_unfiled
from replay.compare.vigorish import compare_vigorish, taken_where_none_is_owed, vigorish_remarks
from replay.game import Checked
from replay.rounds import RoundBatch

__all__ = ["Compared", "compare"]


def compare(batch: RoundBatch, checked: Checked) -> Compared:
    """Every line of `checked` beside the reports of the batch, and every report that moves money beside the lines."""
    compared = Compared.unreported(batch, checked.lines)
    settled = compare_settlements(batch, checked.lines, compared)
    vigorish = compare_vigorish(batch, checked, settled, compared)
    compared.remarks.extend(taken_where_none_is_owed(batch, vigorish))
    compared.remarks.extend(fouls_nobody_showed(batch, settled))
    compared.remarks.extend(settled_otherwise(batch, settled, compared))
    compared.remarks.extend(vigorish_remarks(batch, checked, settled, vigorish, compared))
    compared.remarks.extend(settled_without_a_wager(batch, settled))
    compare_envy(batch, checked.lines, compared)
    compare_fees(batch, checked, compared)
    compare_meters(batch, checked.meters, checked.lines, compared)
    compare_pots(batch, checked, compared)
    compare_unfiled(batch, checked.meters, checked.pots is not None, compared)
    return compared
