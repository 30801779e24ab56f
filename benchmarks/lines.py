"""How much of the replay is law, and how much is written once for all games: `python -m benchmarks.lines [--write]`.

Of each pack the lines of Python and of YAML, of each family and part the lines of Python; blank lines and comments
count, cases do not: they are examples and no law. With --write the table goes into ARCHITECTURE.md.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REPLAY = ROOT / "replay"
PAGE = ROOT / "ARCHITECTURE.md"
BEGIN = "<!-- written by python -m benchmarks.lines --write -->"
END = "<!-- until here -->"

WRITTEN_ONCE = ("money", "checks", "compare", "cards", "ranking", "filing", "assembling")
PARTS = ("money", "checks")  # the folders of which every module is named


def packs() -> list[Path]:
    """The folder of every version of every pack."""
    return sorted(path.parent for path in (REPLAY / "packs").glob("*/*/*/pack.yaml"))


def lines_in(files: Iterable[Path]) -> int:
    return sum(len(path.read_text(encoding="utf-8").splitlines()) for path in files)


def law_of(pack: Path) -> tuple[int, int]:
    """Lines of Python and of YAML, without cases."""
    files = [path for path in pack.rglob("*") if path.is_file() and "cases" not in path.relative_to(pack).parts]
    python, data = ([path for path in files if path.suffix == suffix] for suffix in (".py", ".yaml"))
    return lines_in(python), lines_in(data)


def name_of(pack: Path) -> str:
    """`ma/pai_gow_poker v1`"""
    jurisdiction, game, version = pack.relative_to(REPLAY / "packs").parts
    return f"{jurisdiction}/{game} {version}"


def modules_of(folder: Path) -> list[Path]:
    return sorted(path for path in folder.glob("*.py") if path.name != "__init__.py")


def parts_of(folder: Path) -> list[str]:
    """`cover 78`: each module, and each folder of modules."""
    folders = [path.parent for path in folder.glob("*/__init__.py")]
    each = {path.stem: lines_in([path]) for path in modules_of(folder)}
    each |= {path.name: lines_in(path.rglob("*.py")) for path in folders}
    return [f"{name} {count:,}" for name, count in sorted(each.items())]


def table() -> str:
    """All of it as a page has it."""
    rows = ["| law | Python | YAML |", "| --- | ---: | ---: |"]
    rows += [f"| {name_of(pack)} | {law_of(pack)[0]:,} | {law_of(pack)[1]:,} |" for pack in packs()]
    rows += ["", "| written once | Python | |", "| --- | ---: | --- |"]
    for family in sorted(path.parent for path in (REPLAY / "families").glob("*/game.py")):
        rows.append(f"| families/{family.name} | {lines_in(family.rglob('*.py')):,} | |")
    for folder in WRITTEN_ONCE:
        each = ", ".join(parts_of(REPLAY / folder)) if folder in PARTS else ""
        rows.append(f"| {folder} | {lines_in((REPLAY / folder).rglob('*.py')):,} | {each} |".replace("  ", " "))
    rows.append(f"| the modules of replay itself | {lines_in(modules_of(REPLAY)):,} | |")
    return "\n".join(rows)


def with_table(page: str) -> str:
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise SystemExit(f"{PAGE.name} has no place for the table: it stands between {BEGIN!r} and {END!r}")
    return f"{before}{BEGIN}\n{table()}\n{END}{after}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="put the table into ARCHITECTURE.md")
    if parser.parse_args().write:
        PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    print(table())


if __name__ == "__main__":
    main()
