"""What pydantic finds wrong with a document that people wrote, in one line for them."""

from __future__ import annotations

from pydantic import ValidationError


def first_problem(problem: ValidationError) -> str:
    """The first thing that is wrong, as `field.path: what`, and how many more there are."""
    error = problem.errors()[0]
    where = ".".join(str(part) for part in error["loc"]) or "the document"
    more = f" (and {problem.error_count() - 1} more)" if problem.error_count() > 1 else ""
    if error["type"] == "missing":
        return f"{where} is missing{more}"
    return f"{where}: {error['msg']}, not {error['input']!r}{more}"
