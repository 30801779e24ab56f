"""What a casino, a chain and a jurisdiction need: `python -m benchmarks.sizing [--write]`.

Reads what `python -m benchmarks.ingest --json docs/ingest-figures.json` measured, and works out partitions, brokers,
workers and disk for 10, 1,000 and 100,000 tables. With --write the answer goes into docs/sizing.md, which says what it
rests on; a test holds the two together.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

from tests.sizing_page import KEPT, PAGE, measured, page, table_of


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("figures", type=Path, nargs="?", default=KEPT, help="what benchmarks.ingest --json wrote")
    parser.add_argument("--write", action="store_true", help="write the answer into docs/sizing.md")
    arguments = parser.parse_args()
    figures = json.loads(arguments.figures.read_text(encoding="utf-8"))
    print(f"{measured(figures)}\n\n{table_of(figures)}")
    if arguments.write:
        PAGE.write_text(page(PAGE.read_text(encoding="utf-8"), figures), encoding="utf-8")


if __name__ == "__main__":
    main()
