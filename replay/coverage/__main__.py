"""Writes docs/coverage.md, or says what does not hold of the lists it is made from.

python -m replay.coverage                      write the page
python -m replay.coverage --check              say what does not hold, and fail if anything does not
python -m replay.coverage --skeleton NJ-SPG    print the entries its list lacks
"""

from __future__ import annotations

import argparse
import sys

from replay.coverage.cited import root
from replay.coverage.page import FILES, PAGE, page, problems, skeleton, up_to_date


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m replay.coverage", description=__doc__.partition("\n")[0])
    parser.add_argument("--check", action="store_true", help="only say what does not hold; fail if anything does not")
    parser.add_argument("--skeleton", choices=sorted(FILES), help="print the entries that a text's list lacks")
    chosen = parser.parse_args(arguments)
    base = root()
    if chosen.skeleton:
        print(skeleton(chosen.skeleton, base))
        return 0
    found = problems(base)
    if chosen.check and not up_to_date(base):
        found.append(f"{PAGE} is out of date: run `make coverage` and commit it")
    for problem in found:
        print(problem, file=sys.stderr)
    if not chosen.check:
        (base / PAGE).write_text(page(base), encoding="utf-8", newline="\n")
        print(PAGE)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
