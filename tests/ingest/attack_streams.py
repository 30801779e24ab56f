"""What somebody can send who has no key and wants to hold up an auditor."""

from __future__ import annotations

import random

from tests.ingest.device import TableDevice
from tests.replay.contradictory import SHUFFLED, contradictory_round, table_opens

RACKS = 180


def attack_on(table_id: str, racks: int = RACKS) -> list[bytes]:
    device = TableDevice(table_id)
    rng = random.Random(5)
    said = [device.say(kind, **data) for kind, data in table_opens()]
    for number in range(racks):
        said.append(device.say(SHUFFLED[0], **SHUFFLED[1]))
        said += [device.say(kind, f"{number:06d}", **data) for kind, data in contradictory_round(rng)]
    return said


def seventy_reads(table_id: str) -> list[bytes]:
    """A round of an invented table with 70 reads of 500 cards: more than a 16-bit column can count."""
    device = TableDevice(table_id, signs=False)
    said = [device.say("round.opened", "r1")]
    said += [device.say("discard.read", "r1", mode="inserted", cards=["As"] * 500) for _ in range(70)]
    return [*said, device.say("round.closed", "r1")]
