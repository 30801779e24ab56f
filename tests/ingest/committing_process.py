"""A process that commits one segment after the other until it has lost the partition, to be stopped:
`python -m tests.ingest.committing_process LAKE KEY`."""

from __future__ import annotations

import sys
from pathlib import Path

from ingest.lake import Lake, LakeError
from tests.ingest.segment_content import TOPIC, many


def main(lake_path: str, key_path: str) -> None:
    lake = Lake(lake_path, Path(key_path))
    lake.own(TOPIC, 0)
    lake.settle(TOPIC, 0, {"segment_records": None}, {"segment_records": 1})
    print("committing", flush=True)
    try:
        while True:
            lake.commit(TOPIC, 0, many(lake.position(TOPIC, 0), 3))
    except LakeError:
        print("lost it", flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
