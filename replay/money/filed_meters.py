"""The meters of a progressive wager as a table filed it: what the pay table says of them, and the options beside it.

    WAGER_meter                what its meter is called in events           (WAGER_MEGA_meter where there are several)
    WAGER_seed_cents           what it is set to; 0: the least that the text allows
    WAGER_rate_bp              what it gets of a wager, in basis points (1 bp is a hundredth of a percent); 0: what the
                               text prints
    WAGER_linked               whether other tables feed it too

Knows no game and no family: a pack names its options so, and whose pay table has shares of a meter gets them.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from replay.citations import cite
from replay.filing import UNNAMED_METER, Filing, Paytable
from replay.filing.paytables import Progressive
from replay.money.meter import WHOLE, FiledMeter, MeterLaw, MeterRows, seed_problem
from replay.money.paytable import ClassTable

_PERCENT = WHOLE // 100
_TURN = cite("rulings.md", "R-25", "are paid from the meter as it stands when the player's turn comes")
_ROUNDED = cite("rulings.md", "R-46", "Meter percentages round down to the cent.")


def meter_law_filed(filing: Filing, wager: str, table: Paytable, classes: ClassTable) -> MeterLaw | None:
    """The meters of this wager under the pay table filed; None where that has no share of a meter. `classes` is the
    same table by class of hand."""
    if not table.meters:
        return None
    printed = table.progressive or Progressive()
    turn = printed.turn or _TURN
    return MeterLaw(
        wager,
        tuple(_filed(filing, _option(wager, name), wager, printed) for name in table.meters),
        meter_rows(classes),
        least_seed_cents=printed.seed.amount if printed.seed else 0,
        contribution=printed.contribution.cite if printed.contribution else _ROUNDED,
        turn=turn,
        comes_off=printed.deducted.cite if printed.deducted else turn,
        seed=printed.seed.cite if printed.seed else table.cite,
    )


def _option(wager: str, meter: str) -> str:
    """What the options about a meter begin with."""
    return wager if meter == UNNAMED_METER else f"{wager}_{meter}"


def _filed(filing: Filing, option: str, wager: str, printed: Progressive) -> FiledMeter:
    rate, seed = filing.number(f"{option}_rate_bp"), filing.number(f"{option}_seed_cents")
    return FiledMeter(
        filing.text(f"{option}_meter"),
        rate or (printed.contribution.percent * _PERCENT if printed.contribution else 0),
        seed or (printed.seed.amount if printed.seed else 0),
        linked=bool(filing.options[f"{wager}_linked"]),
    )


def meter_rows(classes: ClassTable) -> MeterRows:
    """A fixed sum that comes off a meter comes off the one meter there is: no text has several and such sums."""
    only = 0 if len(classes.meters) == 1 else -1
    meter = np.where(classes.off_meter & (classes.meter < 0), only, classes.meter)
    return MeterRows(meter, classes.meter_percent * _PERCENT)


def filed_meters_problem(laws: Sequence[tuple[MeterLaw, Paytable]]) -> str | None:
    """Why the meters of a table cannot be filed so, in words; None where they can."""
    for law, table in laws:
        said = seed_problem(law) or _not_filed(law, table) or _rate_problem(law, table.progressive)
        if said is not None:
            return said
    names = [meter.name for law, _ in laws for meter in law.meters]
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        return f"two meters of the table are called {twice}; file another name for one of them (option …_meter)"
    return None


def _not_filed(law: MeterLaw, table: Paytable) -> str | None:
    """What no text prints, and the filing has to say."""
    for name, meter in zip(table.meters, law.meters, strict=True):
        for amount, option, what in (
            (meter.rate, "rate_bp", "what the meter gets of a wager"),
            (meter.seed_cents, "seed_cents", "what the meter is seeded with"),
        ):
            if not amount:
                return f"{table.cite} does not print {what}: file {_option(law.wager, name)}_{option}"
    return None


def _rate_problem(law: MeterLaw, printed: Progressive | None) -> str | None:
    said = printed.contribution if printed else None
    if said is None:
        return None
    due = said.percent * _PERCENT
    for meter in law.meters:
        if meter.rate < due or (said.exactly and meter.rate != due):
            asks = f"{said.percent} percent" + ("" if said.exactly else " at least")
            return f"meter {meter.name} gets {percent(meter.rate)} percent of a wager; {said.cite} asks for {asks}"
    return None


def percent(rate: int) -> str:
    """`21`, `21.5`: hundredths of a percent, for people."""
    return f"{rate / _PERCENT:g}"
