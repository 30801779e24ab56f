"""The vocabulary itself: cards, money, places, events, findings and cases."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from schemas.cards import CARD_NAMES, NO_CARD, Deck, code_of, codes_of, name_of, names_of
from schemas.cases import CaseError, read_cases
from schemas.described import EXAMPLES, example_event
from schemas.events import (
    DATA_MODELS,
    EARLIER_MODELS,
    EVENT_MODELS,
    EVERY_MODEL,
    ROUND_GROUP,
    MeterRead,
    RoundClosed,
    RoundCorrected,
    Said,
    TableOpened,
    WagerPlaced,
    event_type,
    parse_event,
)
from schemas.findings import CATALOGUE, FINDINGS_SCHEMA, Finding, Severity, findings_table
from schemas.money import MAX_CENTS, dollars, parse_dollars
from schemas.places import DEALER, Numbering, Ring

# --- cards -----------------------------------------------------------------------------------------------------------


def test_every_card_has_one_name_and_one_code() -> None:
    assert len(CARD_NAMES) == len(set(CARD_NAMES)) == 54
    assert [code_of(name) for name in CARD_NAMES] == list(range(54))
    assert (code_of("2c"), code_of("As"), code_of("X1"), code_of("X2")) == (0, 51, 52, 53)


def test_a_hand_reads_and_writes_the_same() -> None:
    assert names_of(codes_of("As Td X1 2c")) == "As Td X1 2c"
    assert codes_of(["As", "Td"]) == codes_of("As Td")
    assert codes_of("") == b""
    assert name_of(NO_CARD) == "??"


@pytest.mark.parametrize("name", ["", "A", "as", "AS", "10s", "1s", "Xs", "X0", "X3", "A♠", "As "])
def test_what_is_not_a_card_is_named(name: str) -> None:
    with pytest.raises(ValueError, match="is not a card") as problem:
        code_of(name)
    assert repr(name) in str(problem.value)


def test_a_deck_knows_what_it_must_hold() -> None:
    pai_gow = Deck(decks=1, jokers=1)
    assert pai_gow.size == len(pai_gow.codes()) == 53
    assert (pai_gow.copies_of(code_of("X1")), pai_gow.copies_of(code_of("X2"))) == (1, 0)
    shoe = Deck(decks=8)
    assert shoe.size == len(shoe.codes()) == 416
    assert shoe.copies_of(code_of("As")) == 8
    assert shoe.copies_of(code_of("X1")) == 0


@pytest.mark.parametrize("wrong", [{"decks": 0}, {"decks": 9}, {"jokers": -1}, {"jokers": 3}])
def test_a_deck_that_cannot_be_is_refused(wrong: dict[str, int]) -> None:
    with pytest.raises(ValueError, match=str(next(iter(wrong.values())))):
        Deck(**wrong)


# --- money -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "cents"),
    [
        ("$25", 2500),
        ("25", 2500),
        ("$1.25", 125),
        ("$0.05", 5),
        ("$0", 0),
        ("$1,000", 100_000),
        ("$1,234,567.89", 123_456_789),
        ("$5,000.00", 500_000),
        (" $25 ", 2500),
    ],
)
def test_dollars_are_read(text: str, cents: int) -> None:
    assert parse_dollars(text) == cents


@pytest.mark.parametrize(
    "text",
    ["", "$", "-$5", "$-5", "$1.5", "$1.255", "$1,00", "$1,0000", "$.50", "5 dollars", "$5.", "1e3", "€5", "$NaN"],
)
def test_what_is_not_money_is_named(text: str) -> None:
    with pytest.raises(ValueError, match="is not an amount of money") as problem:
        parse_dollars(text)
    assert repr(text) in str(problem.value)


@pytest.mark.parametrize(
    ("cents", "text"),
    [(0, "$0.00"), (5, "$0.05"), (125, "$1.25"), (-125, "-$1.25"), (-5, "-$0.05"), (123_456_789, "$1,234,567.89")],
)
def test_dollars_are_written(cents: int, text: str) -> None:
    assert dollars(cents) == text


@given(st.integers(0, MAX_CENTS))
def test_dollars_read_as_they_were_written(cents: int) -> None:
    assert parse_dollars(dollars(cents)) == cents


# --- places ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("total", "place"), [(1, DEALER), (2, 1), (7, 6), (8, DEALER), (14, 6), (15, DEALER), (3, 2), (18, 3)]
)
def test_dice_count_counterclockwise_from_the_dealer(total: int, place: int) -> None:
    """rulings.md R-1, R-2: a total of 8 is the dealer again, 14 the sixth position."""
    assert Ring(6).counterclockwise(DEALER, total - 1) == place


def test_the_ring_by_both_numberings() -> None:
    massachusetts, california = Ring(6), Ring(6, Numbering.CLOCKWISE)
    assert massachusetts.order_clockwise(3) == (3, 2, 1, 0, 6, 5, 4)
    assert california.order_clockwise(3) == (3, 4, 5, 6, 0, 1, 2)
    assert massachusetts.clockwise(DEALER) == 6
    assert california.clockwise(DEALER) == 1


@given(st.integers(1, 14), st.sampled_from(Numbering), st.data())
def test_going_round_and_back(seats: int, numbering: Numbering, data: st.DataObject) -> None:
    ring = Ring(seats, numbering)
    place, steps = data.draw(st.integers(0, seats)), data.draw(st.integers(0, 60))
    assert ring.counterclockwise(ring.clockwise(place, steps), steps) == place
    assert ring.clockwise(place, ring.size) == place
    assert sorted(ring.order_clockwise(place)) == list(range(ring.size))


# --- events ----------------------------------------------------------------------------------------------------------


def _bytes(event: dict[str, Any]) -> bytes:
    return json.dumps(event).encode()


def _with(model: type[Said], data: dict[str, Any] | None = None, **envelope: Any) -> dict[str, Any]:
    event = example_event(model) | envelope
    return event if data is None else event | {"data": EXAMPLES[model.TYPE] | data}


def _without(model: type[Said], *members: str) -> dict[str, Any]:
    return {name: value for name, value in example_event(model).items() if name not in members}


@pytest.mark.parametrize("model", DATA_MODELS, ids=lambda model: model.TYPE)
def test_the_example_of_every_type_is_an_event(model: type[Said]) -> None:
    event = parse_event(_bytes(example_event(model)))
    assert type(event.data) is model
    assert event.type == event_type(model)
    assert json.loads(event.data.model_dump_json(exclude_unset=True)) == EXAMPLES[model.TYPE]


@pytest.mark.parametrize("model", EVERY_MODEL, ids=event_type)
def test_only_events_of_a_round_need_one(model: type[Said]) -> None:
    without = _bytes(_without(model, "subject"))
    if model.TYPE in {other.TYPE for other in ROUND_GROUP}:
        with pytest.raises(ValidationError, match="subject"):
            parse_event(without)
    else:
        assert parse_event(without).subject is None


def test_types_are_unique_and_named_after_their_models() -> None:
    assert len(EVENT_MODELS) == len(DATA_MODELS) + len(EARLIER_MODELS)
    assert list(EVENT_MODELS) == [f"muckraker.{model.TYPE}.v{model.VERSION}" for model in EVERY_MODEL]
    assert [f"muckraker.{model.TYPE}.v1" in EVENT_MODELS for model in DATA_MODELS] == [True] * len(DATA_MODELS)


REFUSED: list[tuple[str, dict[str, Any], str]] = [
    ("negative amount", _with(WagerPlaced, {"amount_cents": -1}), "amount_cents"),
    ("no amount", _with(WagerPlaced, {"amount_cents": 0}), "amount_cents"),
    ("amount beyond all bounds", _with(WagerPlaced, {"amount_cents": MAX_CENTS + 1}), "amount_cents"),
    ("float cents", _with(WagerPlaced, {"amount_cents": 25.5}), "amount_cents"),
    ("float cents without a fraction", _with(WagerPlaced, {"amount_cents": 25.0}), "amount_cents"),
    ("cents as text", _with(WagerPlaced, {"amount_cents": "2500"}), "amount_cents"),
    ("cents as a truth value", _with(WagerPlaced, {"amount_cents": True}), "amount_cents"),
    ("NaN cents", _with(WagerPlaced, {"amount_cents": float("nan")}), "amount_cents"),
    ("infinite cents", _with(MeterRead, {"value_cents": float("inf")}), "value_cents"),
    ("unknown member of data", _with(WagerPlaced, {"colour": "green"}), "colour"),
    ("unknown member of the envelope", _with(WagerPlaced, traceparent="x"), "traceparent"),
    ("unknown type", _with(WagerPlaced, type="muckraker.wager.doubled.v1"), "type"),
    ("unknown version", _with(WagerPlaced, type="muckraker.wager.placed.v2"), "type"),
    ("no type", _without(WagerPlaced, "type"), "type"),
    ("data of another type", _with(WagerPlaced, type="muckraker.bets.closed.v1"), "amount_cents"),
    ("seat 0", _with(WagerPlaced, {"seat": 0}), "seat"),
    ("seat 15", _with(WagerPlaced, {"seat": 15}), "seat"),
    ("a wager that is no name", _with(WagerPlaced, {"wager": "Pai Gow"}), "wager"),
    ("an empty label", _with(WagerPlaced, {"bettor": ""}), "bettor"),
    ("a label of 121 characters", _with(WagerPlaced, {"bettor": "x" * 121}), "bettor"),
    ("missing subject", _without(WagerPlaced, "subject"), "subject"),
    ("null subject", _with(WagerPlaced, subject=None), "subject"),
    ("subject with a blank", _with(WagerPlaced, subject="round 1"), "subject"),
    ("prevhash in capitals", _with(WagerPlaced, prevhash="AB" * 32), "prevhash"),
    ("prevhash too short", _with(WagerPlaced, prevhash="0" * 63), "prevhash"),
    ("prevhash with a newline", _with(WagerPlaced, prevhash="0" * 64 + "\n"), "prevhash"),
    ("no prevhash", _without(WagerPlaced, "prevhash"), "prevhash"),
    ("sig too short", _with(RoundClosed, sig="0" * 127), "sig"),
    ("negative seq", _with(WagerPlaced, seq=-1), "seq"),
    ("seq beyond 32 bits", _with(WagerPlaced, seq=2**31), "seq"),
    ("UUID of version 4", _with(WagerPlaced, id="9f1c6c1e-5f12-4c3a-9b1e-6a0d5e8f4c21"), "id"),
    ("time without a zone", _with(WagerPlaced, time="2026-11-17T21:43:07"), "time"),
    ("time as a number", _with(WagerPlaced, time=1_795_000_000), "time"),
    ("a day that is none", _with(WagerPlaced, time="2026-02-30T00:00:00Z"), "time"),
    ("table id in lower case", _with(WagerPlaced, tableid="pg-07"), "tableid"),
    ("source of another form", _with(WagerPlaced, source="discard-rack"), "source"),
    ("CloudEvents 0.3", _with(WagerPlaced, specversion="0.3"), "specversion"),
    ("pack of another form", _with(TableOpened, {"pack": "pai gow"}), "pack"),
    ("an option that is no name", _with(TableOpened, {"options": {"Table Minimum": 5}}), "options"),
    ("an option that is a fraction", _with(TableOpened, {"options": {"share": 0.5}}), "options"),
    ("an option that is a list", _with(TableOpened, {"options": {"tables": ["A"]}}), "options"),
    ("65 options", _with(TableOpened, {"options": {f"o{n}": n for n in range(65)}}), "options"),
]


@pytest.mark.parametrize(("event", "where"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED])
def test_a_broken_event_is_refused_and_the_member_named(event: dict[str, Any], where: str) -> None:
    with pytest.raises(ValidationError) as problem:
        parse_event(_bytes(event))
    assert where in str(problem.value)


CARD_MEMBERS = [
    (model, member, value)
    for model in DATA_MODELS
    for member, value in EXAMPLES[model.TYPE].items()
    if member in ("card", "cards", "low", "high", "rest")
]


@pytest.mark.parametrize(("model", "member", "value"), CARD_MEMBERS, ids=lambda part: getattr(part, "TYPE", str(part)))
@pytest.mark.parametrize("bad", ["10s", "as", "X3", "", "A♠"])
def test_a_card_that_does_not_exist_is_refused_wherever_cards_stand(
    model: type[Said], member: str, value: object, bad: str
) -> None:
    data = {member: [bad, *value[1:]] if isinstance(value, list) else bad}
    with pytest.raises(ValidationError, match="should match pattern"):
        parse_event(_bytes(_with(model, data)))


@pytest.mark.parametrize(
    "raw",
    [b"", b"null", b"[]", b'"event"', b"{", b"\xff\xfe", b"\xef\xbb\xbf{}", _bytes(example_event(RoundClosed)) + b"{}"],
    ids=["empty", "null", "list", "text", "cut off", "not UTF-8", "byte-order mark", "two objects"],
)
def test_what_is_not_one_json_object_is_refused(raw: bytes) -> None:
    with pytest.raises(ValidationError):
        parse_event(raw)


@pytest.mark.parametrize("depth", [1_000, 30_000])
@pytest.mark.parametrize(("opening", "closing"), [(b"[", b"]"), (b'{"x":', b"}")])
def test_deep_nesting_is_refused_and_nothing_worse(depth: int, opening: bytes, closing: bytes) -> None:
    event = _bytes(_with(RoundCorrected, {"replacement": {"x": "HERE"}}))
    raw = event.replace(b'"HERE"', opening * depth + b"1" + closing * depth)
    with pytest.raises(ValidationError, match="recursion limit"):
        parse_event(raw)


# --- findings --------------------------------------------------------------------------------------------------------

FINDING = Finding(
    code="SETTLE-101",
    table_id="PG-07",
    round_id="20261117-000123",
    sentence="Fortune: paid $20.00 for a full house; Paytable A pays 5 to 1 on $5.00, $25.00: $5.00 short",
    citation="MA-PGP §16(b) Paytable A",
    at_us=1_795_000_000_000_000,
    seq=4712,
    seat=3,
    wager="fortune",
    expected_cents=2500,
    actual_cents=2000,
    difference_cents=-500,
    evidence=(4701, 4712),
)


def test_codes_are_unique_and_every_kind_says_what_it_means() -> None:
    assert list(CATALOGUE) == [kind.code for kind in CATALOGUE.values()]
    for code, kind in CATALOGUE.items():
        family, _, number = code.rpartition("-")
        assert family.isupper()
        assert len(number) == 3
        assert number.isdigit()
        assert kind.title
        assert kind.meaning.endswith(".")
    titles = [kind.title for kind in CATALOGUE.values()]
    assert len(titles) == len(set(titles))


def test_a_finding_outside_the_catalogue_is_refused() -> None:
    with pytest.raises(ValueError, match="SETTLE-999 is not in the catalogue"):
        replace(FINDING, code="SETTLE-999")


def test_the_id_is_the_same_in_every_run() -> None:
    assert FINDING.id == "55c245697c28a8fd"
    assert FINDING.severity is Severity.HIGH


def test_the_id_does_not_depend_on_when_or_how_sure() -> None:
    assert replace(FINDING, confidence=0.5, at_us=0, evidence=()).id == FINDING.id


def test_findings_of_different_things_have_different_ids() -> None:
    others: list[dict[str, Any]] = [
        {"code": "SETTLE-102"},
        {"table_id": "PG-08"},
        {"round_id": "20261117-000124"},
        {"round_id": None},
        {"round_version": 2},
        {"seat": 4},
        {"bettor": "B1"},
        {"wager": "pai_gow"},
        {"seq": 4713},
        {"sentence": "two things can be wrong with one card"},
    ]
    ids = {FINDING.id} | {replace(FINDING, **other).id for other in others}
    assert len(ids) == len(others) + 1


def test_findings_are_written_in_one_order() -> None:
    later, elsewhere = replace(FINDING, seq=5000), replace(FINDING, table_id="PG-01", seq=9000)
    table = findings_table([later, FINDING, elsewhere])
    assert table.equals(findings_table([elsewhere, later, FINDING]))
    assert table.schema.equals(FINDINGS_SCHEMA)
    assert table.column("finding_id").to_pylist() == [elsewhere.id, FINDING.id, later.id]
    assert table.column("severity").to_pylist() == ["high"] * 3
    assert findings_table([]).num_rows == 0


# --- cases -----------------------------------------------------------------------------------------------------------

CASE = """\
name: Both hands win; five percent of $25 is $1.25
pack: ma/pai_gow_poker
seats:
  3: {wagers: {pai_gow: $25}, low: Ks Kd, high: As Ad 9c 5h 2d}
dealer: {low: Kc Jd, high: Qs Qh 9h 7c 4s}
expect:
  3: {pai_gow: {outcome: win, paid: $25, vigorish: $1.25}, envy: $5}
"""


def _case_file(folder: Path, text: str | bytes) -> Path:
    path = folder / "disputed.yaml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def test_a_case_is_read(tmp_path: Path) -> None:
    (case,) = read_cases(_case_file(tmp_path, CASE))
    assert case.version == "1.0"
    assert case.seats[3].wagers == {"pai_gow": 2500}
    assert case.seats[3].low == ["Ks", "Kd"]
    expected = case.expect[3]
    assert (expected.envy, expected.fee) == (500, None)
    assert expected.wagers["pai_gow"].vigorish == 125
    assert expected.wagers["pai_gow"].taken is None


def test_a_file_holds_several_cases(tmp_path: Path) -> None:
    cases = read_cases(_case_file(tmp_path, f"---\n{CASE}---\n{CASE.replace('Both', 'Two')}---\n"))
    assert [case.name.split()[0] for case in cases] == ["Both", "Two"]


@pytest.mark.parametrize(
    ("wrong", "right", "field"),
    [
        ("name: Both hands win; five percent of $25 is $1.25\n", "", "name is missing"),
        ("dealer:", "croupier:", "croupier"),
        ("pai_gow: $25}", "pai_gow: 25.5}", "seats.3.wagers.pai_gow"),
        ("pai_gow: $25}", "pai_gow: -$25}", "seats.3.wagers.pai_gow"),
        ("pai_gow: $25}", "pai_gow: yes}", "seats.3.wagers.pai_gow"),
        ("pai_gow: $25}", "Pai Gow: $25}", "seats.3.wagers"),
        ("low: Ks Kd", "low: Ks 10d", "seats.3.low"),
        ("  3: {wagers", "  15: {wagers", "seats.15"),
        ("outcome: win", "outcome: won", "expect.3.pai_gow.outcome"),
        ("vigorish: $1.25", "commission: $1.25", "expect.3.pai_gow.commission"),
        ("envy: $5", "envy: five", "expect.3.envy"),
        ("pack: ma/pai_gow_poker", "pack: ma/pai_gow_poker\nversion: 1.0", "version"),
    ],
)
def test_an_error_names_the_file_the_case_and_the_field(tmp_path: Path, wrong: str, right: str, field: str) -> None:
    assert wrong in CASE
    path = _case_file(tmp_path, f"{CASE}---\n{CASE.replace(wrong, right, 1)}")
    with pytest.raises(CaseError) as problem:
        read_cases(path)
    message = str(problem.value)
    assert message.startswith(f"{path}, case 2: ")
    assert field in message


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "holds no case"),
        ("# nothing\n", "holds no case"),
        ("{", "is not YAML"),
        (b"\xff\xfe\x00", "is not UTF-8 text"),
    ],
)
def test_a_file_without_a_case_is_named(tmp_path: Path, text: str | bytes, says: str) -> None:
    path = _case_file(tmp_path, text)
    with pytest.raises(CaseError, match=says) as problem:
        read_cases(path)
    assert str(path) in str(problem.value)


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(CaseError, match="No such file") as problem:
        read_cases(tmp_path / "nowhere.yaml")
    assert "nowhere.yaml" in str(problem.value)


@pytest.mark.parametrize("document", ["just words", "- a\n- list", "42"])
def test_a_document_that_is_no_case_is_named(tmp_path: Path, document: str) -> None:
    with pytest.raises(CaseError, match="case 1: the document"):
        read_cases(_case_file(tmp_path, document))
