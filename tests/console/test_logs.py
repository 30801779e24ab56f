"""Log lines: parsed as a program would, read as a person would, and never with a secret in them."""

from __future__ import annotations

import json
import logging
import re

import pytest

from console.logs import HIDDEN, logging_to_stderr

logger = logging.getLogger("muckraker.worker")


def test_json_lines_carry_what_was_said(capsys: pytest.CaptureFixture[str]) -> None:
    with logging_to_stderr("json", "info"):
        logger.info("took a partition", extra={"partition": 3, "offset": 10})
        logger.debug("not asked for")
        try:
            raise ValueError("two\nlines")
        except ValueError:
            logger.exception("it %s", "failed")
    first, second = (json.loads(line) for line in capsys.readouterr().err.splitlines())
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z", first.pop("time"))
    assert first == {
        "level": "info",
        "logger": "muckraker.worker",
        "message": "took a partition",
        "partition": 3,
        "offset": 10,
    }
    assert second["message"] == "it failed" and "ValueError: two\nlines" in second["traceback"]


def test_text_is_one_line_whatever_is_in_it(capsys: pytest.CaptureFixture[str]) -> None:
    with logging_to_stderr("text", "warning"):
        logger.info("not asked for")
        logger.warning("lost\na partition", extra={"error": 'said "no"\n2026 INFO forged', "partition": 3})
    (line,) = capsys.readouterr().err.splitlines()
    assert re.match(r"\S+Z WARNING worker: lost\\na partition error=", line) and line.endswith("partition=3")


@pytest.mark.parametrize("style", ["text", "json"])
def test_what_sounds_like_a_secret_is_not_printed(style: str, capsys: pytest.CaptureFixture[str]) -> None:
    with logging_to_stderr(style, "info"):
        logger.info("connected", extra={"sasl_password": "hunter2", "oauth_token": "hunter2", "user": "audit"})
    said = capsys.readouterr().err
    assert "hunter2" not in said and said.count(HIDDEN) == 2 and "audit" in said


def test_other_libraries_are_heard_from_warnings_on_and_afterwards_all_is_as_before(
    capsys: pytest.CaptureFixture[str],
) -> None:
    handlers = list(logging.getLogger().handlers)
    with logging_to_stderr("json", "debug"):
        logging.getLogger("somebody").info("chatter")
        logging.getLogger("somebody").warning("trouble")
        logger.debug("detail")
    assert [json.loads(line)["message"] for line in capsys.readouterr().err.splitlines()] == ["trouble", "detail"]
    assert logging.getLogger().handlers == handlers
