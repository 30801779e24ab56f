"""What the numbers in rounds.parquet mean, as far as the quality frames look at them.

`ingest` never imports `replay`, which writes them; a test holds these against its definitions.
"""

from __future__ import annotations

from schemas import events

FLAG_CLOSED = 1
FLAG_VOIDED = 2
FLAG_GAP = 4

WAGER_PLACED = 1
WAGER_CHANGED = 2
WAGER_WITHDRAWN = 3
COLLECTION = 4
SETTLED = 6
VIGORISH = 7
ENVY = 8
POT = 17
REFUNDED = 61
PROGRESSIVE_IN = 18
PROGRESSIVE_OUT = 19

BANK_PLAYER_DEALER = 2  # of bank_kind; chips go between players, the tray is not touched
NO_BANK = -1
SETTLED_WITHOUT_A_WAGER = sorted(events.SETTLED_WITHOUT_A_WAGER)
UNSAID = -1  # of `taken`, where a meter's value was not said
