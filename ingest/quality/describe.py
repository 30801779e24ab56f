"""The list of expectations in docs/quality.md, made from what is declared: `python -m ingest.quality.describe PAGE`."""

from __future__ import annotations

import sys
from pathlib import Path

from ingest.quality.expectations import CHECKS, Check
from schemas.findings import CATALOGUE

BEGIN = "<!-- generated: begin (python -m ingest.quality.describe docs/quality.md) -->"
END = "<!-- generated: end -->"


def described() -> str:
    """Every expectation, by what it is about."""
    sections: dict[str, list[Check]] = {}
    for check in CHECKS.values():
        sections.setdefault(check.section, []).append(check)
    parts: list[str] = []
    for section, checks in sections.items():
        parts += [
            f"### {section.capitalize()}",
            "",
            "| expectation | finding | at | what is expected | how it is measured | what to do where it fails |",
            "| --- | --- | --- | --- | --- | --- |",
            *map(_row, checks),
            "",
        ]
    return "\n".join(parts)


def _row(check: Check) -> str:
    finding = f"{check.code} ({CATALOGUE[check.code].severity})"
    return f"| `{check.name}` | {finding} | {check.border} | {check.expected} | {check.measured} | {check.do} |"


def renewed(page: str) -> str:
    """The page with the list as the suites have it now."""
    before, begin, rest = page.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise ValueError(f"the page has no lines {BEGIN} and {END}")
    return f"{before}{BEGIN}\n\n{described()}\n{END}{after}"


def main() -> None:
    path = Path(sys.argv[1])
    path.write_text(renewed(path.read_text(encoding="utf-8")), encoding="utf-8")


if __name__ == "__main__":
    main()
