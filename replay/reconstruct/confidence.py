"""How sure an explanation is: its share among all that were considered, and of what nobody thought of.

A cost is minus the logarithm of a probability, so the shares are those of a softmax over minus the costs, with one term
more (`unexplored_cost`) for everything outside the search. What comes out is calibrated as far as the rates are
right: of the explanations said to be 90% sure about 90% are true (tests/reconstruct/test_confidence.py).
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from replay.reconstruct.faults import A_FAULT, ONE_MORE_FAULT, UNEXPLORED_COST_A_WITNESS

CONFIDENT = 0.95
"""From here on a round is settled by the explanation, and the finding says how sure it is. Below, all readings stay."""

BEYOND_DOUBT = 0.999
"""From here on a finding does not say what else it may have been."""

KEPT = 1e-3
"""Explanations less likely than this are not kept; together with their number they are in `Answer.considered`."""


TEMPERED = 0.5
"""How much a difference in cost counts where the likeliest explanation supposes two things at once. The rates are known
to an order of magnitude; where two of them are multiplied, odds of thirty to one may be odds of one to one."""


def shares(costs: Sequence[float], unexplored: float, suppositions: int = 1) -> list[float]:
    """The posterior of each explanation, where everything not explored together costs so much, and the likeliest one
    supposes so many things (faults, reports that are wrong). They add up to less than one: the rest is what was not
    explored."""
    if not costs:
        return []
    scale = 1.0 if suppositions < 2 else TEMPERED
    least = min(*costs, unexplored)
    weights = [math.exp((least - cost) * scale) for cost in costs]
    total = math.fsum(weights) + math.exp((least - unexplored) * scale)
    return [weight / total for weight in weights]


def unexplored_cost(price: float, usual: float, levels: int, witnesses: int, strange: float) -> float:
    """What everything outside the search costs, with hands that look as true ones usually do. It is dearer than the
    likeliest explanation by one fault more for each that was looked for, and would have had to look right to as many
    witnesses (hands dealt or shown) as there are; but where that one is dear itself, as it contradicts many of them, it
    is no dearer than faults enough to satisfy them all. `strange` is what it costs anybody that cards which should not
    be there have just these faces."""
    beside = price + levels * ONE_MORE_FAULT + witnesses * UNEXPLORED_COST_A_WITNESS
    instead = (levels + 1) * A_FAULT + strange
    return min(beside, instead) - usual
