"""The crash test on real Kafka: `python -m benchmarks.crash [--faults 200] [--seed 1]`.

Three brokers, three workers in one group and two processes of simulated devices. While events flow, workers are killed,
hung and stopped, brokers are killed and hung, cables are pulled, and devices are killed while they send, at random.
Afterwards everything is compared:

- every event the devices sent is in the lake exactly once, and each table's in the order they were sent (what a device
  that was killed sent twice is there as a duplicate, and what one with a fault broke on purpose as refused);
- the lake says what the one says that an undisturbed worker makes of the same topic: the same records, rounds and
  findings, and every checkpoint of either is of the one tree (where segments are cut depends on the clock);
- the findings topic has every finding of the lake;
- the seal verifies.

It prints what it did and compared, and ends with 1 if anything differs. tests/test_crash.py runs a short one.
"""

from __future__ import annotations

import argparse
import shutil
import sys
import tempfile
from pathlib import Path

from tests.crash.broken_cluster import RATE, CrashTest, Differs


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--faults", type=int, default=200, help="how many, at least (default 200)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rate", type=float, default=RATE, help="events a second and producer")
    parser.add_argument("--keep", action="store_true", help="keep the folder, and say where it is")
    arguments = parser.parse_args()
    folder = Path(tempfile.mkdtemp(prefix="muckraker-crash-"))
    try:
        with CrashTest(folder, arguments.seed, lambda text: print(text, flush=True), arguments.rate) as test:
            print(test.run(arguments.faults))
    except Differs as problem:
        print(f"DIFFERS: {problem}", file=sys.stderr)
        return 1
    finally:
        if arguments.keep:
            print(folder)
        else:
            shutil.rmtree(folder, ignore_errors=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
