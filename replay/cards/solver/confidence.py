"""How sure an explanation is: its share among all that were considered, and of what nobody thought of.

A cost is minus the logarithm of a probability, so the shares are those of a softmax over minus the costs, with one term
more (`unexplored_cost`) for everything outside the search. What comes out is calibrated as far as the rates are
right: of the explanations said to be 90% sure about 90% are true (tests/reconstruct/test_confidence.py).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from replay.cards.solver.faults import A_FAULT, ONE_MORE_FAULT

CONFIDENT = 0.99
"""From here on a round is settled by the explanation, and the finding says how sure it is. Below, all readings stay."""

BEYOND_DOUBT = 0.999
"""From here on a finding does not say what else it may have been."""

KEPT = 1e-3
"""Explanations less likely than this are not kept; together with their number they are in `Answer.considered`."""


RATES_IN_DOUBT = math.log(5.0)
"""Rates are known to an order of magnitude. Where the likeliest explanation supposes two things at once, or that a
device saw wrong, nothing sure rests on the ratio of such rates: for each thing that another explanation supposes
instead, this much of what it costs more is not counted."""


ON_ONE_WITNESS = 0.9
"""How sure it can be at most that a wager was settled wrong, or a rule broken, where the order of the rack is all that
says whose hand it was, or one slip of the hand would explain it too: nobody is accused on one witness."""


def shares(
    costs: Sequence[float], unexplored: float, supposed: Sequence[Counter[str]] = (), in_doubt: bool = False
) -> list[float]:
    """The posterior of each explanation, where everything not explored together costs so much, and each supposes these
    things (faults, reports that are wrong), whose rates are `in_doubt`. They add up to less than one: the rest is what
    was not explored."""
    if not costs:
        return []
    best = min(range(len(costs)), key=costs.__getitem__)
    counted = list(costs)
    if in_doubt:
        for at, others in enumerate(supposed):
            apart = (others - supposed[best]).total() + (supposed[best] - others).total()
            counted[at] = max(costs[at] - apart * RATES_IN_DOUBT, costs[best])
    least = min(*counted, unexplored)
    weights = [math.exp(least - cost) for cost in counted]
    total = math.fsum(weights) + math.exp(least - unexplored)
    return [weight / total for weight in weights]


def unexplored_cost(price: float, usual: float, levels: int, witnesses: float, strange: float) -> float:
    """What everything outside the search costs, with hands that look as true ones usually do. It is dearer than the
    likeliest explanation by one fault more for each that was looked for, and would have had to look right to the
    witnesses there are (`witnesses` is what that costs); but where that one is dear itself, as it contradicts many of
    them, it is no dearer than faults enough to satisfy them all. `strange` is what it then costs anybody that cards
    which should not be there have just these faces; infinite where it contradicts none."""
    beside = price + levels * ONE_MORE_FAULT + witnesses
    instead = (levels + 1) * A_FAULT + strange
    return min(beside, instead) - usual
