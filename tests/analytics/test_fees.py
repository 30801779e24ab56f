"""A day's collection fees added up: against a slow sum over every round, with versions, boxes and a cache."""

from __future__ import annotations

import os
from collections import defaultdict
from datetime import date
from pathlib import Path
from typing import Any

import orjson
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from analytics.fees import flat
from analytics.fees.flat import Count, flat_segment
from analytics.fees.shifts import shifts_of
from analytics.fees.sums import BY, Fees, Period, days_there_are, fees_of
from analytics.warehouse import committed_segments
from ingest.simulator import default_plan, kinds_of
from replay.rounds import Fact
from tests.gaming_day import Day

DAY = date(2026, 11, 17)
GAMES = ("ca/supreme_baccarat", "ca/fortune_pai_gow")
FEES = [kind for kind in kinds_of(GAMES) if kind.startswith("fee")]


def recorded(folder: Path, games: tuple[str, ...] = GAMES) -> Day:
    faults = dict.fromkeys(FEES, 2) if games == GAMES else {}
    return Day(folder).record(default_plan(3, 4, 60, faults, gaming_day=DAY, games=games)).run(segment_records=2_000)


@pytest.fixture(scope="module")
def day(tmp_path_factory: pytest.TempPathFactory) -> Day:
    return recorded(tmp_path_factory.mktemp("fees"))


def of(day: Day, *by: str, period: Period | None = None, **more: Any) -> Fees:
    return fees_of(committed_segments(day.folder / "lake"), period or Period(DAY, DAY), by, **more)


def slowly(day: Day) -> dict[tuple[str, str], tuple[int, int]]:
    """(table, dealer) → due and taken, round by round."""
    sums: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    for row in day.table("rounds").to_pylist():
        due, taken = sums[row["table_id"], row["dealer"]], row["facts"]
        due[0] += sum(line["paid_cents"] for line in row["lines"] if line["kind"] == "fee")
        due[1] += sum(fact["amount"] for fact in taken if fact["kind"] == Fact.COLLECTION)
        due[1] -= sum(fact["amount"] for fact in taken if fact["kind"] == Fact.REFUNDED)
    return {key: (due, taken) for key, (due, taken) in sums.items()}


def test_due_and_taken_are_what_the_rounds_say_one_by_one(day: Day) -> None:
    made = of(day, "table", "dealer")
    assert {(one.table, one.dealer): (one.due_cents, one.taken_cents) for one in made.sums} == slowly(day)
    assert sum(one.rounds for one in made.sums) == 4 * 60
    assert all(one.difference_cents == one.taken_cents - one.due_cents for one in made.sums)


@pytest.mark.parametrize("by", [(), *((one,) for one in BY), ("table", "shift"), BY])
def test_groups_add_up_to_the_same_whatever_they_are_by(day: Day, by: tuple[str, ...]) -> None:
    whole, parts = of(day).sums[0], of(day, *by).sums
    for name in ("rounds", "fees", "due_cents", "taken_cents", "difference_cents", "unsure"):
        assert sum(getattr(one, name) for one in parts) == getattr(whole, name)
    assert all(getattr(one, name) is (None if name not in by else getattr(one, name)) for one in parts for name in BY)
    if "dealer" in by or "schedule" in by:
        assert {one.counted_cents for one in parts} == {None}
    else:
        assert sum(one.counted_cents or 0 for one in parts) == whole.counted_cents


def test_rounds_that_differ_are_those_with_a_finding_about_fees(day: Day) -> None:
    found = {
        (row["table_id"], row["round_id"])
        for row in day.table("findings").to_pylist()
        if row["code"].startswith("FEE-") and row["round_id"]
    }
    assert len(found) > 10
    assert sum(one.differing for one in of(day, "table").sums) == len(found)


def test_schedules_are_those_filed(day: Day) -> None:
    filed = {orjson.loads(row["filing"])["options"]["schedule"] for row in day.table("rounds").to_pylist()}
    assert {one.schedule for one in of(day, "schedule").sums} == filed
    assert len(filed) > 1


def test_a_period_has_the_days_it_names_and_no_others(day: Day) -> None:
    assert of(day, period=Period()).sums == of(day, period=Period(DAY, DAY)).sums
    assert of(day, period=Period(date(2026, 11, 18), None)).sums == []
    assert of(day, period=Period(None, date(2026, 11, 16))).sums == []
    assert days_there_are(committed_segments(day.folder / "lake")) == ("2026-11-17", "2026-11-17")
    (one,) = {one.table for one in of(day, "table", table_id="SB-01").sums}
    assert one == "SB-01"
    assert of(day, "table", table_id="SB-99").sums == []


def test_a_lake_without_rounds_has_no_fees(tmp_path: Path) -> None:
    assert fees_of(committed_segments(tmp_path / "lake"), Period()).sums == []
    assert days_there_are([]) is None


def test_a_house_without_fees_has_none(tmp_path: Path) -> None:
    made = recorded(tmp_path, ("ma/supreme_pai_gow",))
    assert of(made, "table").sums == [] and of(made).shifts == [] and of(made).tables == []


# --- versions --------------------------------------------------------------------------------------------------------


def another_version(segment: Path, change: Any) -> tuple[str, str]:
    """The first round with a fee once more, in a version altered by `change`; which round that is."""
    path = segment / "rounds.parquet"
    rounds = pq.read_table(path)
    row = next(one for one in rounds.to_pylist() if any(line["kind"] == "fee" for line in one["lines"]))
    row = {**row, "version": 2}
    change(row)
    pq.write_table(pa.concat_tables([rounds, pa.Table.from_pylist([row], rounds.schema)]), path)
    return row["table_id"], row["round_id"]


def no_fees(row: dict[str, Any]) -> None:
    row["lines"] = [line for line in row["lines"] if line["kind"] != "fee"]
    row["facts"] = [fact for fact in row["facts"] if fact["kind"] != Fact.COLLECTION]


def unsigned(row: dict[str, Any]) -> None:
    no_fees(row)
    row["flags"] &= ~32  # RoundFlag.ATTESTED


@pytest.mark.parametrize(("change", "counts"), [(no_fees, True), (unsigned, False)])
def test_the_version_that_stands_counts(tmp_path: Path, change: Any, counts: bool) -> None:
    made = recorded(tmp_path)
    before = of(made).sums[0]
    segment = committed_segments(tmp_path / "lake")[0]
    another_version(segment, change)
    after = of(made).sums[0]
    assert (after.rounds == before.rounds - 1) is counts
    assert (after.due_cents < before.due_cents) is counts
    if not counts:
        assert after == before


# --- boxes -----------------------------------------------------------------------------------------------------------


def test_boxes_hold_what_was_reported_and_a_tip_box_is_not_counted(day: Day) -> None:
    shifts = of(day).shifts
    counted = [shift for shift in shifts if shift.counted_cents is not None]
    assert {shift.table_id for shift in counted} == set(of(day).tables)
    assert all(shift.variance_cents == 0 and shift.name == "2026-11-17 1" for shift in counted)
    tips = [shift for shift in shifts if shift.box == "tip box"]
    assert tips and all(shift.counted_cents is None and shift.due_cents == 0 < shift.taken_cents for shift in tips)


def with_count(made: Day, table_id: str, more: int) -> None:
    """The count of the table's box as if there had been so much more in it."""
    for path in sorted((made.folder / "lake").rglob("events.parquet")):
        events = pq.read_table(path).to_pylist()
        for event in events:
            if event["table_id"] == table_id and "table.counted" in event["type"]:
                said = orjson.loads(event["raw"])
                said["data"]["box_cents"] += more
                event["raw"] = orjson.dumps(said)
        pq.write_table(pa.Table.from_pylist(events, pq.read_schema(path)), path)


def test_the_rounds_that_explain_a_variance_are_named(tmp_path: Path) -> None:
    made = recorded(tmp_path)
    shift = next(one for one in of(made).shifts if one.counted_cents is not None and one.differing)
    off = [one.due_cents - one.taken_cents for one in shift.differing]
    assert not any(one.explains for one in shift.differing)  # the box agrees: nothing is to be explained
    with_count(made, shift.table_id, off[0])  # the fee was dropped as it was due, and reported otherwise
    again = next(one for one in of(made).shifts if (one.table_id, one.box) == (shift.table_id, shift.box))
    assert again.variance_cents == off[0]
    explaining = {one.round_id for one in again.differing if one.explains}
    assert shift.differing[0].round_id in explaining
    assert all(one.due_cents - one.taken_cents == off[0] for one in again.differing if one.explains)
    with_count(made, shift.table_id, 123_456)
    none = next(one for one in of(made).shifts if (one.table_id, one.box) == (shift.table_id, shift.box))
    assert none.variance_cents == off[0] + 123_456 and not any(one.explains for one in none.differing)


def test_two_rounds_may_explain_a_variance_together(tmp_path: Path) -> None:
    made = recorded(tmp_path)
    shift = next(one for one in of(made).shifts if one.counted_cents is not None and len(one.differing) > 1)
    both = sum(one.due_cents - one.taken_cents for one in shift.differing[:2])
    if both in [one.due_cents - one.taken_cents for one in shift.differing] or not both:
        both = 0
    with_count(made, shift.table_id, both)
    again = next(one for one in of(made).shifts if (one.table_id, one.box) == (shift.table_id, shift.box))
    explaining = [one for one in again.differing if one.explains]
    assert len(explaining) == (2 if both else 0) or sum(one.due_cents - one.taken_cents for one in explaining) == both


def earlier(made: Day, gaming_day: str) -> None:
    """The rounds of every segment but the last of each partition as if they had been played on that day."""
    segments = committed_segments(made.folder / "lake")
    for segment in segments:
        if any(other.parent == segment.parent and other.name > segment.name for other in segments):
            path = segment / "rounds.parquet"
            rounds = pq.read_table(path)
            at = rounds.schema.get_field_index("gaming_day")
            days = pa.array([gaming_day] * len(rounds), pa.string()).cast(rounds.schema.field(at).type)
            pq.write_table(rounds.set_column(at, rounds.schema.field(at), days), path)


@pytest.mark.parametrize("gaming_day", ["2026-11-16", "2026-11-14", "2026-09-01"])
def test_a_box_that_was_not_counted_for_days_is_held_against_all_that_went_in(tmp_path: Path, gaming_day: str) -> None:
    made = recorded(tmp_path)
    before = [shift for shift in of(made).shifts if shift.counted_cents is not None]
    earlier(made, gaming_day)
    after = [shift for shift in of(made).shifts if shift.counted_cents is not None]
    assert {shift.variance_cents for shift in after} == {0}
    assert [(one.table_id, one.due_cents, one.taken_cents) for one in after] == [
        (one.table_id, one.due_cents, one.taken_cents) for one in before
    ]
    assert of(made).sums[0].due_cents < sum(shift.due_cents for shift in after)  # the sums are those of the day


def test_money_in_a_box_into_which_no_fee_went_is_told(day: Day) -> None:
    shift = next(one for one in of(day).shifts if one.counted_cents is not None)
    flat_day = pa.concat_tables([flat_segment(one, None).fees for one in committed_segments(day.folder / "lake")])
    whole = flat_day.unify_dictionaries().combine_chunks()
    assert shift.to_seq is not None and shift.counted_cents is not None
    first = Count(shift.table_id, shift.box, shift.to_seq, 0, shift.counted_cents)
    again, empty = first._replace(seq=shift.to_seq + 5, counted_cents=5_000), first._replace(seq=shift.to_seq + 9)
    counts = [first, again, empty._replace(counted_cents=0)]
    own = [one for one in shifts_of(whole, counts, lambda _: True).listed if one.counted_cents is not None]
    assert [(one.name, one.rounds, one.variance_cents) for one in own] == [
        (shift.name, shift.rounds, 0),
        ("2026-11-17 2", 0, 5_000),
    ]


# --- the cache -------------------------------------------------------------------------------------------------------


def test_what_is_kept_is_what_is_made_and_is_not_made_again(
    day: Day, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    plain = of(day, *BY)
    assert of(day, *BY, cache=tmp_path / "kept") == plain
    files = sorted((tmp_path / "kept").iterdir())
    assert len(files) == len(committed_segments(day.folder / "lake"))
    monkeypatch.setattr(flat, "_fees", lambda segment: pytest.fail("it was kept"))
    assert of(day, *BY, cache=tmp_path / "kept") == plain
    assert of(day, *BY, cache=tmp_path / "kept").shifts == plain.shifts


def test_half_of_an_entry_is_made_again(day: Day, tmp_path: Path) -> None:
    plain = of(day, "table", cache=tmp_path)
    for path in tmp_path.iterdir():
        path.write_bytes(path.read_bytes()[:100])
    assert of(day, "table", cache=tmp_path) == plain


def test_an_entry_is_for_the_very_files_it_was_made_from(tmp_path: Path) -> None:
    made = recorded(tmp_path)
    before = of(made, cache=tmp_path / "kept").sums[0]
    another_version(committed_segments(tmp_path / "lake")[0], no_fees)
    assert of(made, cache=tmp_path / "kept").sums[0].rounds == before.rounds - 1


def test_a_folder_that_cannot_be_written_keeps_nothing(day: Day, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    assert of(day, "table", cache=tmp_path / "file" / "kept") == of(day, "table")


def test_a_segment_whose_events_were_retired_has_no_counts(tmp_path: Path) -> None:
    made = recorded(tmp_path)
    for segment in committed_segments(tmp_path / "lake"):
        os.remove(segment / "events.parquet")
        (segment / "retired").write_text("")
        assert flat_segment(segment, None).counts == []
    assert of(made).sums[0].counted_cents is None


def test_the_first_count_after_retired_ones_is_held_against_nothing(tmp_path: Path) -> None:
    made = recorded(tmp_path)
    segments = committed_segments(tmp_path / "lake")
    for segment in segments:
        if any(other.parent == segment.parent and other.name > segment.name for other in segments):
            os.remove(segment / "events.parquet")
            (segment / "retired").write_text("")
    assert any(flat_segment(segment, None).counts for segment in segments)
    assert {shift.variance_cents for shift in of(made).shifts} == {None}
