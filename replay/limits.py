"""How large a round may be: what goes over is recorded, byte for byte, and not judged (ROUND-008).

Every column of a round has a width, and what devices may say has none but these. No round played by any rules comes
near a limit: the longest have some hundred events, a few hundred cards and a few hundred kilobytes. So a round beyond
one is a device gone mad or somebody's attempt to stop the audit, and neither may cost the other tables anything.
tests/replay/test_widths.py holds every column against the largest value that passes here.
"""

from __future__ import annotations

ROUND_BYTES = 4 * 1024 * 1024  # of its events: more is not even kept in memory
ROUND_CARDS = 1_024  # read in the rack, and as many in the deal: over twice the largest shoe there is
ROUND_HANDS_SHOWN = 512  # every place's sixteen hands, twice over
ROUND_FACTS = 3_000  # wagers, actions, settlements, fees: fourteen seats with two hundred each
ROUND_EVENTS_LATER = 200  # that re-open it after it was closed: each has it judged again from all its events
ROUND_CENTS = 10**14  # all amounts reported together; times the highest odds filed it is within an int64 ten times over


class RoundTooLarge(Exception):
    """The round is over a limit; the message says over which, as the end of a sentence."""


def check_cards(count: int, where: str) -> None:
    if count > ROUND_CARDS:
        raise RoundTooLarge(f"more than {ROUND_CARDS:,} cards were reported {where}")
