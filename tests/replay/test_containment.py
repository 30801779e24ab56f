"""A mistake of ours costs the one round it happens in: the others are judged as without it, and everybody is told."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Any

import pyarrow as pa
import pytest

from replay import audit, lake_rounds, stream
from replay.assembling import assemble
from replay.assembling import filing as table_filing
from replay.explain import explain_round
from replay.families.two_hands import game
from replay.lake_rounds import reaudit
from replay.limits import ROUND_BYTES, ROUND_CARDS, ROUND_EVENTS_LATER
from replay.stream import Replay
from schemas.admitted import ReplayCut
from schemas.findings import findings_table
from schemas.not_of_the_replay import NotOfTheReplay
from tests.replay.fed import FedHistory
from tests.replay.tape import Tape

CULPRIT = "000003"


def three_tables(rounds: int = 6, culprit: Callable[[Tape], None] | None = None) -> list[Tape]:
    """Tables that play the same rounds; in the third round of the second, `culprit` says something more."""
    tapes = [Tape(f"BA-0{number}") for number in (1, 2, 3)]
    for tape in tapes:
        tape.opens()
        for number in range(1, rounds + 1):
            tape.plays(number)
            if culprit is not None and tape.table == "BA-02" and tape.round == CULPRIT:
                closed = tape.events.pop()
                tape.seq -= 1
                culprit(tape)
                tape.say("round.closed", flags=closed.flags)
    return tapes


def replayed(tapes: list[Tape], between: Callable[[Replay], None] = lambda replay: None) -> ReplayCut:
    replay = Replay()
    history = FedHistory()
    replay.restore({}, history)
    for number in range(max(len(tape.events) for tape in tapes)):
        for tape in tapes:
            if number < len(tape.events):
                history.noted.append(tape.events[number])
                replay.feed(tape.events[number])
        between(replay)
    return replay.cut()


def where(table: pa.Table, table_id: str, round_id: str) -> dict[str, Any]:
    row: dict[str, Any]
    (row,) = [row for row in table.to_pylist() if (row["table_id"], row["round_id"]) == (table_id, round_id)]
    return row


def without(table: pa.Table, table_id: str, round_id: str) -> list[dict[str, Any]]:
    return [row for row in table.to_pylist() if (row["table_id"], row["round_id"]) != (table_id, round_id)]


def seventy_reads(tape: Tape) -> None:
    for _ in range(70):
        tape.say("discard.read", mode="inserted", cards=["As"] * 500)


def test_seventy_reads_of_five_hundred_cards_cost_one_round() -> None:
    """The attack that stopped a group of workers for good: more copies of a card than a 16-bit column holds."""
    cut = replayed(three_tables(culprit=seventy_reads))
    row = where(cut.rounds, "BA-02", CULPRIT)
    assert (row["verdict"], row["reason"]) == ("cannot_judge", "ROUND-008")
    (finding,) = [one for one in cut.findings if one.round_id == CULPRIT and one.table_id == "BA-02"]
    assert finding.code == "ROUND-008"
    assert f"more than {ROUND_CARDS:,} cards were reported in the rack" in finding.sentence
    assert cut.rounds.num_rows == 18
    assert all(row["verdict"] != "cannot_judge" for row in without(cut.rounds, "BA-02", CULPRIT))
    again, findings = reaudit(cut.rounds)
    assert again.equals(cut.rounds) and findings_table(findings).equals(findings_table(cut.findings))
    report = explain_round(cut.rounds.filter(pa.compute.equal(cut.rounds["verdict"], "cannot_judge")), how=True)
    assert report["verdict"] == "cannot_judge" and report["findings"]


def test_the_log_of_a_round_too_large_does_not_read_like_a_mistake_of_ours(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.WARNING, "muckraker.replay"):
        replayed(three_tables(culprit=seventy_reads))
    (logged,) = caplog.records
    assert logged.levelname == "WARNING" and logged.exc_info is None
    assert logged.getMessage() == "a round larger than any can be is recorded and not judged"
    said = vars(logged)
    assert (said["table"], said["round"]) == ("BA-02", CULPRIT) and "error" not in said
    assert said["why"] == f"more than {ROUND_CARDS:,} cards were reported in the rack"


def test_what_follows_a_round_too_large_is_judged_without_it() -> None:
    """Nothing is known of what it left in the rack: later rounds neither take it for granted nor blame anybody."""
    cut = replayed(three_tables(culprit=seventy_reads))
    assert where(cut.rounds, "BA-02", "000004")["rack_before"] == 0
    assert "BA-02" not in {one.table_id for one in cut.findings if one.code.startswith(("CARD", "RACK"))}


def test_a_round_of_many_megabytes_is_not_held() -> None:
    def huge(tape: Tape) -> None:
        for _ in range(ROUND_BYTES // 30_000 + 10):
            tape.say("discard.read", mode="scan", cards=["As"] * 5)
            raw = tape.events[-1].raw
            tape.events[-1] = tape.events[-1]._replace(raw=raw[:-1] + b" " * 30_000 + raw[-1:])

    held = 0

    def look(replay: Replay) -> None:
        nonlocal held
        opened = replay._assembler._tables["BA-02"].open.get(CULPRIT) if "BA-02" in replay._assembler._tables else None
        if opened is not None:
            held = max(held, sum(len(admitted.raw) for admitted in opened.events))

    cut = replayed(three_tables(culprit=huge), look)
    assert held < ROUND_BYTES + 100_000
    row = where(cut.rounds, "BA-02", CULPRIT)
    assert (row["verdict"], row["reason"]) == ("cannot_judge", "ROUND-008")
    (finding,) = [one for one in cut.findings if one.round_id == CULPRIT and one.table_id == "BA-02"]
    assert f"more than {ROUND_BYTES:,} bytes" in finding.sentence


def break_at(monkeypatch: pytest.MonkeyPatch, module: Any, name: str, error: BaseException, is_culprit: Any) -> None:
    monkeypatch.setattr(module, name, raising_for(error, getattr(module, name), is_culprit))


def raising_for(error: BaseException, original: Callable[..., Any], is_culprit: Callable[..., bool]) -> Any:
    def wrapped(*given: Any, **named: Any) -> Any:
        if is_culprit(*given):
            raise error
        return original(*given, **named)

    return wrapped


def holds_culprit(batch: Any, *_: Any) -> bool:
    return any(
        (batch.name("table_id", row), batch.name("round_id", row)) == ("BA-02", CULPRIT) for row in range(len(batch))
    )


@pytest.mark.parametrize("broken", ["compare", "game", "rounds_table", "columns", "build_row", "report_of"])
def test_a_mistake_costs_its_round_and_no_other(
    broken: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    whole = replayed(three_tables())
    mistake = ZeroDivisionError("by nought")
    if broken == "compare":
        break_at(monkeypatch, audit, "compare", mistake, holds_culprit)
    elif broken == "game":
        break_at(monkeypatch, game, "check", mistake, holds_culprit)
    elif broken == "rounds_table":
        of_culprit = lambda batch, audited: holds_culprit(batch) and bool(audited.by_filing)  # noqa: E731
        break_at(monkeypatch, lake_rounds, "rounds_table", mistake, of_culprit)
    elif broken == "columns":
        in_rows = lambda rows: any(  # noqa: E731
            (row.named["table_id"], row.named["round_id"]) == ("BA-02", CULPRIT) and row.rack for row in rows
        )
        break_at(monkeypatch, stream, "batch_of", mistake, in_rows)
    elif broken == "build_row":
        names = lambda table_id, round_id, *_: (table_id, round_id) == ("BA-02", CULPRIT)  # noqa: E731
        break_at(monkeypatch, assemble, "build_row", mistake, names)
    else:
        of_row = lambda row: (row.named["table_id"], row.named["round_id"]) == ("BA-02", CULPRIT)  # noqa: E731
        break_at(monkeypatch, assemble, "report_of", mistake, of_row)
    with caplog.at_level(logging.WARNING, "muckraker.replay"):
        cut = replayed(three_tables())
    row = where(cut.rounds, "BA-02", CULPRIT)
    assert (row["verdict"], row["reason"]) == ("cannot_judge", "ROUND-007")
    (finding,) = [one for one in cut.findings if one.round_id == CULPRIT and one.table_id == "BA-02"]
    assert finding.code == "ROUND-007" and "ZeroDivisionError in " in finding.sentence
    assert finding.evidence == (row["last_seq"],)
    logged = [record for record in caplog.records if record.exc_info]
    assert len(logged) == 1 and logged[0].exc_info and logged[0].exc_info[1] is mistake, "once, with its traceback"

    def others(made: ReplayCut) -> list[dict[str, Any]]:
        kept = without(made.rounds, "BA-02", CULPRIT)
        # What the broken round did to its table cannot be known where it was not even put together.
        return [each for each in kept if broken not in ("build_row", "report_of") or each["table_id"] != "BA-02"]

    assert others(cut) == others(whole)
    assert cut.rounds.num_rows == whole.rounds.num_rows
    assert [one for one in cut.findings if one.table_id != "BA-02"] == [
        one for one in whole.findings if one.table_id != "BA-02"
    ]


def test_mended_it_is_judged_again(monkeypatch: pytest.MonkeyPatch) -> None:
    whole = replayed(three_tables())
    with monkeypatch.context() as broken:
        break_at(broken, audit, "compare", KeyError("x"), holds_culprit)
        cut = replayed(three_tables())
        same, _ = reaudit(cut.rounds)
        assert same.equals(cut.rounds), "the same mistake comes to the same"
    again, findings = reaudit(cut.rounds)
    assert again.equals(whole.rounds)
    assert findings_table(findings).equals(findings_table(whole.findings))


@pytest.mark.parametrize("error", [MemoryError(), OSError(28, "no space"), KeyboardInterrupt(), NotOfTheReplay("lake")])
@pytest.mark.parametrize("broken", ["judging", "assembling"])
def test_what_is_no_mistake_of_ours_is_not_held_back(
    error: BaseException, broken: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if broken == "judging":
        break_at(monkeypatch, audit, "compare", error, holds_culprit)
    else:
        names = lambda table_id, round_id, *_: round_id == CULPRIT  # noqa: E731
        break_at(monkeypatch, assemble, "build_row", error, names)
    with pytest.raises(type(error)):
        replayed(three_tables())


def test_an_event_that_cannot_be_taken_in_ends_its_round(monkeypatch: pytest.MonkeyPatch) -> None:
    original = assemble.Assembler._table_event

    def fails(self: Any, table: Any, event: Any, data: Any) -> None:
        if event.tableid == "BA-02" and event.seq > 30:
            raise AssertionError
        original(self, table, event, data)

    monkeypatch.setattr(assemble.Assembler, "_table_event", fails)

    def culprit(tape: Tape) -> None:
        tape.say("shuffle.completed", deck="shoe-1", method="manual")

    cut = replayed(three_tables(rounds=12, culprit=culprit))
    assert where(cut.rounds, "BA-02", "000012")["verdict"] != "cannot_judge"
    assert {row["verdict"] for row in cut.rounds.to_pylist() if row["table_id"] != "BA-02"} <= {"verified", "differs"}


def test_a_table_that_cannot_be_opened_is_judged_by_no_filing(monkeypatch: pytest.MonkeyPatch) -> None:
    def fails(filing: Any) -> None:
        raise RecursionError

    monkeypatch.setattr(table_filing, "filing_problem", fails)
    cut = replayed(three_tables())
    assert {row["verdict"] for row in cut.rounds.to_pylist()} == {"cannot_tell"}
    said = [one for one in cut.findings if one.code == "ROUND-007"]
    assert len(said) == 3 and all("could not be taken in" in one.sentence for one in said)


def test_a_round_is_judged_again_so_often_and_no_more() -> None:
    """Each event for a round that is over has it judged from all its events: a flood of them must not."""
    tape = Tape("BA-02")
    tape.opens()
    tape.plays(1)
    for _ in range(ROUND_EVENTS_LATER + 40):
        tape.say("round.corrected", corrects_seq=4, reason="r", by="b")
    cut = replayed([tape])
    assert cut.rounds.num_rows == 1 + ROUND_EVENTS_LATER
    (finding,) = [one for one in cut.findings if one.code == "ROUND-008"]
    assert f"more than {ROUND_EVENTS_LATER} events came for the round after it was over" in finding.sentence
    assert finding.seq == tape.seq - 40
