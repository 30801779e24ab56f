"""What an audit comes to: a verdict and its reason per round, the findings, and what each filing's rounds rest on."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from replay.compare.compared import Compared
from replay.filing import Filing
from replay.game import Checked
from replay.rounds import Array, Ints, RoundBatch
from schemas.findings import Finding, Verdict

VERDICTS: tuple[Verdict, ...] = tuple(Verdict)
VERIFIED, DIFFERS, VOID, CANNOT_TELL, CANNOT_JUDGE = (VERDICTS.index(verdict) for verdict in VERDICTS)


@dataclass(frozen=True)
class FilingAudit:
    """Rounds of one filing within a batch, as its pack and the comparison left them. A round that was audited a second
    time, with the reports as a witness, is in two of these, and only the second one says anything of it."""

    rows: Ints  # their positions in the whole batch
    batch: RoundBatch
    filing: Filing
    checked: Checked
    compared: Compared


@dataclass(frozen=True)
class Audit:
    """What became of a batch: a verdict and its reason per round, the findings, and all that they rest on."""

    verdicts: Array  # index into VERDICTS
    reasons: list[str]
    findings: list[Finding] = field(default_factory=list)
    finding_rows: list[int] = field(default_factory=list)  # the round each of them is about
    by_filing: list[FilingAudit] = field(default_factory=list)
    left_out: list[int] = field(default_factory=list)  # rounds whose contradictory racks were not searched
    judged: npt.NDArray[np.bool_] = field(default_factory=lambda: np.zeros(0, dtype=bool))
    """Per round: all its money was held against the rules, and what differs is a finding."""

    steps: int = 0  # that the searches took
