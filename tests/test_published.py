"""What outsiders are handed: published schemas and pages that are up to date and say what the models say."""

from __future__ import annotations

import contextlib
import io
import json
import re
import runpy
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from jsonschema import Draft7Validator, Draft202012Validator, FormatChecker
from pydantic import BaseModel, ValidationError

from ingest.chain import GENESIS, event_hash, signed_part, verify
from ingest.gate.clocks import CLOCK_AHEAD_US, CLOCK_BACK_US, LOG_AHEAD_US, LOG_BEHIND_US, PACE_US
from ingest.gate.findings import FLOOD_FINDINGS
from ingest.gate.gate import UNREGISTERED_TABLES
from ingest.gate.limits import FLOOD_EVENTS, ROUND_EVENTS
from ingest.gate.waiting import DISOWNED_IN_A_WINDOW, LEAP_EVENTS, WAITING_EVENTS
from ingest.table_stream import HELD_EVENTS, REMEMBERED_HASHES, UNATTESTED_EVENTS
from replay.case_run import check_case
from replay.stream import Replay
from schemas import published
from schemas.admitted import Admitted
from schemas.cases import Case, CaseBank, CaseDealer, CaseExpected, CaseMeter, CaseSeat, CaseSeatExpected, read_cases
from schemas.described import ENVELOPE, EXAMPLES, SIGNED, example_event, without_a_member
from schemas.events import (
    DATA_MODELS,
    EVERY_MODEL,
    MAX_EVENT_BYTES,
    Event,
    RoundCorrected,
    Said,
    TableOpened,
    event_type,
    parse_event,
)
from schemas.findings import CATALOGUE

ROOT = published.ROOT
FOLDER = ROOT / published.PUBLISHED
EVENTS_PAGE = (ROOT / published.EVENTS_PAGE).read_text(encoding="utf-8")
CASES_PAGE = (ROOT / "docs/cases.md").read_text(encoding="utf-8")


def _validator(name: str) -> Draft202012Validator:
    schema = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    return Draft202012Validator(schema, format_checker=FormatChecker())


SCHEMAS = {model: _validator(event_type(model)) for model in EVERY_MODEL}


def _accepted(event: Any) -> bool:
    try:
        parse_event(json.dumps(event).encode())
    except ValidationError:
        return False
    return True


# --- up to date ------------------------------------------------------------------------------------------------------


def test_published_files_are_up_to_date() -> None:
    assert published.out_of_date() == [], "run `make schemas`"


def test_writing_again_writes_the_same() -> None:
    assert published.published() == published.published()


def test_a_stale_file_is_found_and_mended(tmp_path: Path) -> None:
    (tmp_path / "docs").mkdir()
    (tmp_path / published.EVENTS_PAGE).write_text(f"# Events\n{published.TABLES_BEGIN}\n{published.TABLES_END}\n")
    assert len(published.write(tmp_path)) == len(EVERY_MODEL) + 5
    assert published.out_of_date(tmp_path) == []

    (tmp_path / published.FINDINGS_PAGE).write_text("edited by hand")
    (tmp_path / published.PUBLISHED / "muckraker.gone.v1.json").write_text("{}")
    (tmp_path / published.PUBLISHED / "case.json").unlink()
    mended = {path.name for path in published.write(tmp_path)}
    assert mended == {"findings.md", "muckraker.gone.v1.json", "case.json"}
    assert published.out_of_date(tmp_path) == []


def test_a_page_without_its_markers_is_named(tmp_path: Path) -> None:
    with pytest.raises(published.PublishedError, match=r"docs/events\.md"):
        published.with_tables("# Events\n")


def test_every_member_is_described_and_nothing_else() -> None:
    assert without_a_member() == []
    assert set(EXAMPLES) == {model.TYPE for model in DATA_MODELS}
    assert set(ENVELOPE) == set(Event.model_fields)


# --- JSON Schemas ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", [*(event_type(model) for model in EVERY_MODEL), "events", "case"])
def test_a_schema_is_a_schema_by_both_drafts(name: str) -> None:
    schema = json.loads((FOLDER / f"{name}.json").read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    Draft7Validator.check_schema(schema)


@pytest.mark.parametrize("model", EVERY_MODEL, ids=event_type)
def test_a_schema_accepts_its_example_and_the_union_too(model: type[Said]) -> None:
    event = example_event(model)
    assert _accepted(event)
    SCHEMAS[model].validate(event)
    _validator("events").validate(event)
    schema = published.event_schema(model)
    assert schema["examples"] == [event]
    Draft7Validator(schema).validate(event)


AN_EPOCH = "1.0"  # as a time, the model takes this for one second past 1970: see the test of spellings below
ODD_VALUES: list[Any] = [
    None, True, -1, 0, 3, 15, 16, 500, 501, 25.5, 10**12, 10**12 + 1, 2**31, "", "x", "As", "10s", "player", "A" * 121,
    AN_EPOCH, "2026-11-17", "2026-11-17T00:00:00Z", "2026-13-01", [], ["As"], ["as"], [0], [1, 2, 3, 4], ["x"] * 65, {},
    {"x": 1}, {"Not A Name": 1}, {"x": [1]}, {"x": 0.5},
]  # fmt: skip


def _broken(model: type[Said]) -> Iterator[tuple[str, dict[str, Any]]]:
    """The example, broken in every way a member can be: left out, unknown, or holding something odd."""
    event = example_event(model)
    yield "unknown member", event | {"traceparent": "00"}
    yield "unknown data member", event | {"data": event["data"] | {"unheard_of": 1}}
    for odd in ODD_VALUES:
        yield f"data {odd!r}", event | {"data": odd}
    for member in Event.model_fields:
        yield f"no {member}", {name: value for name, value in event.items() if name != member}
        for odd in ODD_VALUES:
            if member != "data" and (member, odd) != ("time", AN_EPOCH):
                yield f"{member} {odd!r}", event | {member: odd}
    for member in model.model_fields:
        without = {name: value for name, value in event["data"].items() if name != member}
        yield f"data without {member}", event | {"data": without}
        yield from ((f"data.{member} {odd!r}", event | {"data": event["data"] | {member: odd}}) for odd in ODD_VALUES)


@pytest.mark.parametrize("model", EVERY_MODEL, ids=event_type)
def test_schema_and_model_agree_on_what_is_broken(model: type[Said]) -> None:
    seen = [(what, event, SCHEMAS[model].is_valid(event), _accepted(event)) for what, event in _broken(model)]
    assert [(what, event) for what, event, by_schema, by_model in seen if by_schema != by_model] == []
    assert sum(not by_model for *_, by_model in seen) > 100  # the list would otherwise prove nothing


@pytest.mark.parametrize(
    ("time", "valid"),
    [
        ("2026-11-17T21:43:07.250-05:00", True),
        ("2026-11-18T02:43:07Z", True),
        ("2026-11-18T02:43:07.123456789Z", True),
        ("2026-11-18T02:43:07-00:00", True),
        ("2026-11-17T21:43:07", False),
        ("2026-11-17T21:43:07+05", False),
        ("2026-11-17T21:43:07+24:00", False),
        ("2026-11-17T24:00:00Z", False),
        ("2026-11-17T23:59:60Z", False),
        ("2026-11-17T21:43:07.Z", False),
        ("2026-11-17", False),
        ("0000-11-17T21:43:07Z", False),
        ("21:43", False),
    ],
)
def test_schema_and_model_agree_on_times(time: str, valid: bool) -> None:
    event = example_event(TableOpened) | {"time": time}
    assert _accepted(event) is SCHEMAS[TableOpened].is_valid(event) is valid


@pytest.mark.parametrize("time", [AN_EPOCH, "2026-11-17 21:43:07Z", "2026-11-17T21:43Z", "2026-11-17T21:43:07+0500"])
def test_a_time_in_another_spelling_is_refused_by_the_schema(time: str) -> None:
    """The model understands more spellings than it should; vendors are told of one."""
    assert not SCHEMAS[TableOpened].is_valid(example_event(TableOpened) | {"time": time})


DEEP: Any = json.loads('{"x":' + "[" * 300 + "]" * 300 + "}")


@pytest.mark.parametrize(
    ("model", "change"),
    [
        (TableOpened, {"data": EXAMPLES["table.opened"] | {"inventory_cents": 25.0}}),
        (TableOpened, {"time": "2026-02-30T00:00:00Z"}),
        (RoundCorrected, {"data": EXAMPLES["round.corrected"] | {"replacement": DEEP}}),
    ],
    ids=["25.0", "30 February", "300 deep"],
)
def test_where_json_schema_cannot_follow(model: type[Said], change: dict[str, Any]) -> None:
    """docs/events.md lists these three: the schema accepts them, the model does not."""
    event = example_event(model) | change
    assert SCHEMAS[model].is_valid(event)
    assert not _accepted(event)


# --- AsyncAPI --------------------------------------------------------------------------------------------------------


def _references(part: Any) -> Iterator[str]:
    if isinstance(part, dict):
        if isinstance(part.get("$ref"), str):
            yield part["$ref"]
        for value in part.values():
            yield from _references(value)
    elif isinstance(part, list):
        for value in part:
            yield from _references(value)


def _resolve(document: Any, pointer: str) -> Any:
    for step in pointer.removeprefix("#/").split("/"):
        document = document[step.replace("~1", "/").replace("~0", "~")]
    return document


def test_the_asyncapi_document_is_sound() -> None:
    document = yaml.safe_load((FOLDER / "asyncapi.yaml").read_text(encoding="utf-8"))
    assert document["asyncapi"] == "3.0.0"
    assert {"title", "version"} <= set(document["info"])
    assert set(document) <= {"asyncapi", "info", "defaultContentType", "channels", "operations", "components"}

    references = list(_references(document))
    for reference in references:
        if reference.startswith("#/"):
            assert _resolve(document, reference)
        else:
            assert (FOLDER / reference).is_file(), reference

    names = [event_type(model) for model in EVERY_MODEL]
    messages = document["components"]["messages"]
    assert list(messages) == names
    for name, message in messages.items():
        payload = json.loads((FOLDER / message["payload"]["$ref"]).read_text(encoding="utf-8"))
        assert message["name"] == payload["title"] == payload["properties"]["type"]["const"] == name
        assert message["bindings"]["kafka"]["key"]["pattern"] == payload["properties"]["tableid"]["pattern"]

    ((channel_name, channel),) = document["channels"].items()
    assert channel["address"] == channel["bindings"]["kafka"]["topic"] == channel_name == published.CHANNEL
    assert f"Topic `{published.CHANNEL}`" in EVENTS_PAGE
    assert [part["$ref"] for part in channel["messages"].values()] == [
        f"#/components/messages/{name}" for name in names
    ]

    ((_, operation),) = document["operations"].items()
    assert operation["action"] == "receive"
    assert operation["channel"] == {"$ref": f"#/channels/{published.CHANNEL}"}
    assert [part["$ref"] for part in operation["messages"]] == [
        f"#/channels/{published.CHANNEL}/messages/{name}" for name in names
    ]


# --- docs/events.md and docs/findings.md -----------------------------------------------------------------------------


def _blocks(page: str, language: str) -> list[str]:
    return re.findall(rf"^```{language}\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)


def _headings(page: str) -> list[str]:
    return re.findall(r"^#+ (.+)$", page, re.MULTILINE)


def test_the_emitter_on_the_page_makes_a_valid_signed_chain(tmp_path: Path) -> None:
    (code,) = _blocks(EVENTS_PAGE, "python")
    script = tmp_path / "emitter.py"
    script.write_text(code, encoding="utf-8")
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        left = runpy.run_path(str(script))
    lines = printed.getvalue().encode().splitlines()
    assert len(lines) == 11
    key, previous = left["key"].verify_key, GENESIS
    replay = Replay()
    for seq, raw in enumerate(lines):
        event = parse_event(raw)
        replay.feed(Admitted(seq, raw, event, 0))
        assert (event.seq, event.prevhash, event.tableid) == (seq, previous, "BAC-03")
        signed = type(event.data) in SIGNED
        assert (event.sig is not None) is signed
        assert verify(raw, key) is signed
        assert (signed_part(raw) is not None) is signed
        previous = event_hash(raw)
    rounds, findings, *_ = replay.cut()
    assert rounds.column("verdict").to_pylist() == ["verified"]
    assert findings == []


def test_the_example_on_the_page_is_an_event() -> None:
    (example,) = _blocks(EVENTS_PAGE, "json")
    assert parse_event(example.encode()).seq == 4712


def test_the_numbers_on_the_page_are_the_numbers_in_force() -> None:
    assert f"{MAX_EVENT_BYTES:,} bytes" in " ".join(EVENTS_PAGE.split())
    assert f"no more than {HELD_EVENTS} of the table's events" in " ".join(EVENTS_PAGE.split())
    assert f"more than {CLOCK_BACK_US // 1_000_000} seconds" in EVENTS_PAGE
    page = " ".join(EVENTS_PAGE.split())
    assert f"more than {CLOCK_AHEAD_US // 60_000_000} minutes longer" in page
    assert f"more than {LOG_AHEAD_US // 60_000_000} minutes ahead" in page
    assert f"more than {LOG_BEHIND_US // 3_600_000_000} hours after" in page
    assert f"for {PACE_US // 60_000_000} minutes" in page
    assert f"the last {REMEMBERED_HASHES}" in page
    assert f"more than {LEAP_EVENTS} numbers ahead" in page
    assert f"Up to {WAITING_EVENTS} events may wait for a signature" in page
    assert f"and {DISOWNED_IN_A_WINDOW} of these in an hour" in page
    for limit in (FLOOD_EVENTS, FLOOD_FINDINGS, ROUND_EVENTS, UNREGISTERED_TABLES, UNATTESTED_EVENTS):
        assert f"{limit:,}" in page.split("## Limits")[1].split("## ")[0], limit


def test_every_attribute_type_and_gate_finding_is_on_the_page() -> None:
    for attribute in Event.model_fields:
        assert f"| `{attribute}` |" in EVENTS_PAGE
    for model in DATA_MODELS:
        assert f"`{event_type(model)}`" in _headings(EVENTS_PAGE)
    for code in CATALOGUE:
        if code.startswith("GATE-"):
            assert f"| {code} |" in EVENTS_PAGE


def test_what_the_code_cites_is_a_heading_of_the_page() -> None:
    headings = {heading.lower() for heading in _headings(EVENTS_PAGE)} | {model.TYPE for model in DATA_MODELS}
    for folder in ("schemas", "ingest", "replay", "analytics", "console"):
        for path in (ROOT / folder).rglob("*.py"):
            for cited in re.findall(r'"docs/events\.md, ([^"]+)"', path.read_text(encoding="utf-8")):
                assert cited.lower() in headings, f"{path.relative_to(ROOT)} cites {cited!r}"


def test_every_finding_is_in_the_catalogue_page() -> None:
    page = (ROOT / published.FINDINGS_PAGE).read_text(encoding="utf-8")
    assert re.findall(r"^\| `([A-Z]+-\d{3})` \|", page, re.MULTILINE) == list(CATALOGUE)


# --- docs/cases.md and case.json -------------------------------------------------------------------------------------


def _as_json(document: Any) -> Any:
    """A YAML document as JSON would have it: names are text."""
    if isinstance(document, dict):
        return {str(name): _as_json(value) for name, value in document.items()}
    return [_as_json(value) for value in document] if isinstance(document, list) else document


@pytest.mark.parametrize(("position", "pack"), [(0, "ma/pai_gow_poker"), (1, "ca/supreme_baccarat")])
def test_a_case_on_the_page_comes_to_what_it_expects(position: int, pack: str, tmp_path: Path) -> None:
    block = _blocks(CASES_PAGE, "yaml")[position]
    _validator("case").validate(_as_json(yaml.safe_load(block)))
    path = tmp_path / "page.yaml"
    path.write_text(block, encoding="utf-8")
    (case,) = read_cases(path)
    assert case.pack == pack
    assert check_case(case) == []


@pytest.mark.parametrize("model", [Case, CaseSeat, CaseDealer, CaseBank, CaseSeatExpected, CaseExpected, CaseMeter])
def test_every_field_of_a_case_is_on_the_page(model: type[BaseModel]) -> None:
    for field in model.model_fields:
        assert re.search(rf"^\| .*`{field}`.* \|", CASES_PAGE, re.MULTILINE), f"{model.__name__}.{field}"


CASE: dict[str, Any] = {
    "name": "x",
    "pack": "ma/pai_gow_poker",
    "seats": {"3": {"wagers": {"pai_gow": "$25"}, "low": "Ks Kd", "high": ["As", "Ad"]}},
    "bank": {"seat": 1, "posted": 500},
    "expect": {"3": {"pai_gow": {"paid": "$1,000.50"}, "fee": "$1", "backline": {"B1": {"tie": {"outcome": "lose"}}}}},
}


@pytest.mark.parametrize(
    ("change", "valid"),
    [
        ({}, True),
        ({"seats": {}}, True),
        ({"hands": {"player": "3h 2c 9d", "banker": ""}}, True),
        ({"options": {"seats": 8, "wheel": "lowest", "camera": True}}, True),
        ({"croupier": {}}, False),
        ({"name": None}, False),
        ({"version": 1.0}, False),
        ({"seats": {"15": {}}}, False),
        ({"seats": {"3": {"wagers": {"pai_gow": 25.5}}}}, False),
        ({"seats": {"3": {"wagers": {"pai_gow": "-$25"}}}}, False),
        ({"seats": {"3": {"wagers": {"pai_gow": -25}}}}, False),
        ({"seats": {"3": {"wagers": {"pai_gow": "$2.5"}}}}, False),
        ({"seats": {"3": {"wagers": {"Pai Gow": "$25"}}}}, False),
        ({"seats": {"3": {"low": "Ks 10d"}}}, False),
        ({"seats": {"3": {"low": ["Ks", "kd"]}}}, False),
        ({"hands": {"player": "3h,2c"}}, False),
        ({"options": {"share": 0.5}}, False),
        ({"bank": {"posted": "$5"}}, False),
        ({"expect": {"3": {"pai_gow": {"outcome": "won"}}}}, False),
        ({"expect": {"3": {"pai_gow": {"commission": "$1"}}}}, False),
        ({"expect": {"3": {"pai_gow": "$25"}}}, False),
        ({"expect": {"3": {"fee": {"paid": "$1"}}}}, False),
        ({"expect": {"3": {"backline": {"B1": {"tie": {"outcome": "won"}}}}}}, False),
        ({"expect": {"dealer": {}}}, False),
    ],
    ids=str,
)
def test_case_schema_and_model_agree(change: dict[str, Any], valid: bool) -> None:
    case = CASE | change
    try:
        Case.model_validate(case)
        by_model = True
    except ValidationError:
        by_model = False
    assert _validator("case").is_valid(case) is by_model is valid
