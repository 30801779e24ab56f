"""Collection fees: what each payer owes by the schedule in use, and when it may be taken. Serves every game with fees.

A schedule (`fees/*.yaml` of a pack, `replay/filing/fees.py`) has parts; a part says who pays, what the fee is counted
on (its *basis*) and the bands. docs/adding-a-game.md says how one is written.

* stakes: the wagers that count, as they stood when betting closed
* due: from those to one line a fee
* moments: between which events a fee may be taken
* limits: the limits that come with a schedule
"""

from replay.money.fees.due import fee, fee_lines, rates_filed, rows_in_words
from replay.money.fees.limits import limits, limits_problem
from replay.money.fees.moments import deal_begun, moment_filed, window
from replay.money.fees.stakes import Stakes, stakes_when_closed

__all__ = [
    "Stakes",
    "deal_begun",
    "fee",
    "fee_lines",
    "limits",
    "limits_problem",
    "moment_filed",
    "rates_filed",
    "rows_in_words",
    "stakes_when_closed",
    "window",
]
