"""A stream with every trouble a device can make."""

from __future__ import annotations

from random import Random

from tests.ingest.device import TableDevice


def messy(seed: int) -> list[tuple[str, bytes]]:
    """Four tables with every kind of trouble, mixed."""
    random = Random(seed)
    streams: dict[str, list[bytes]] = {}
    for number in range(4):
        device = TableDevice(f"T-{number}", seed=seed)
        said = device.rounds(random.randint(3, 12))
        for _ in range(random.randint(0, 6)):
            place = random.randrange(len(said))
            match random.randrange(7):
                case 0:
                    del said[place]
                case 1:
                    said.insert(random.randrange(len(said)), said[place])
                case 2:
                    said.insert(min(place + random.randint(1, 90), len(said)), said.pop(place))
                case 3:
                    said[place] = said[place][: random.randrange(len(said[place]))]
                case 4:
                    said[place] = said[place].replace(b"2500", b"9900")
                case 5:
                    said[place] = said[place].replace(b'"sig":"', b'"sig":"' + b"0")
                case _:
                    said[place] = said[place].replace(b'"seq":', b'"seq":1')
        streams[device.table_id] = said
    mixed: list[tuple[str, bytes]] = []
    while any(streams.values()):
        table_id = random.choice([table_id for table_id, said in streams.items() if said])
        mixed.append((table_id, streams[table_id].pop(0)))
    return mixed
