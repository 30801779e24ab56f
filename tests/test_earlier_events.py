"""Events in an earlier version of their type: read in the newest words, and refused where they are not of their own."""

from __future__ import annotations

import json
from typing import Any

import pytest
from pydantic import ValidationError

from ingest.mistakes import mistakes_in
from replay.rounds import RoundRow
from schemas.admitted import Admitted
from schemas.described import EARLIER_EXAMPLES, example_event
from schemas.events import (
    DATA_MODEL_OF,
    EARLIER_MODELS,
    NEWEST_TYPE,
    BankAccepted,
    BankAcceptedV1,
    event_type,
    parse_event,
    plain_type,
    read_data,
)
from tests.replay.fed import rows_of
from tests.replay.tape import Tape

V1, V2 = "muckraker.bank.accepted.v1", "muckraker.bank.accepted.v2"
SAID = {"seat": 5, "kind": "co_bank", "turn": 2, "dealer_wager_cents": 2_500, "first_stack": 4}


def event(type_: str, **data: Any) -> bytes:
    return json.dumps({**example_event(BankAccepted), "type": type_, "data": data}).encode()


def test_what_the_first_version_says_is_read_in_the_words_of_the_second() -> None:
    first = parse_event(event(V1, **SAID, posted_cents=50_000))
    second = parse_event(event(V2, **SAID, cover_cents=50_000))
    assert type(first.data) is BankAccepted
    assert first.data == second.data
    assert first.type == V1, "the envelope stays as it was said"


@pytest.mark.parametrize(("type_", "member"), [(V1, "posted_cents"), (V2, "cover_cents")])
def test_what_was_not_said_stays_unsaid(type_: str, member: str) -> None:
    assert parse_event(event(type_, seat=1, kind="bank")).data == BankAccepted.model_validate_json(
        '{"seat": 1, "kind": "bank"}'
    )
    assert member in DATA_MODEL_OF[type_].model_fields


def test_only_the_members_that_were_said_count_as_said() -> None:
    """The gate counts them against the record's bytes."""
    assert parse_event(event(V1, seat=1, kind="bank", posted_cents=5)).data.model_fields_set == {
        "seat",
        "kind",
        "cover_cents",
    }


@pytest.mark.parametrize(("type_", "other"), [(V1, "cover_cents"), (V2, "posted_cents")])
def test_a_version_does_not_speak_the_words_of_another(type_: str, other: str) -> None:
    with pytest.raises(ValidationError) as refused:
        parse_event(event(type_, **SAID, **{other: 1}))
    (mistake,) = mistakes_in(refused.value)
    assert mistake.member == f"data.{other}" and "there is no such member" in mistake.text


def test_a_mistake_in_the_first_version_is_told_by_its_own_word() -> None:
    with pytest.raises(ValidationError) as refused:
        parse_event(event(V1, **SAID, posted_cents=25.5))
    assert [mistake.member for mistake in mistakes_in(refused.value)] == ["data.posted_cents"]


def test_every_earlier_version_is_of_a_type_that_has_a_newer_one() -> None:
    for model in EARLIER_MODELS:
        newest = NEWEST_TYPE[model.TYPE]
        assert model.VERSION < DATA_MODEL_OF[newest].VERSION
        said = model.model_validate_json(json.dumps(EARLIER_EXAMPLES[event_type(model)]))
        assert type(said.in_newest_words()) is DATA_MODEL_OF[newest]


def test_a_type_has_one_name_in_every_version() -> None:
    assert {plain_type(V1), plain_type(V2)} == {"bank.accepted"} == {BankAcceptedV1.TYPE}
    assert plain_type("bank.accepted") == "bank.accepted" and plain_type("com.other.event.v1") == "com.other.event.v1"
    assert isinstance(read_data(V1, '{"seat": 1, "kind": "bank"}'), BankAccepted)


class BothVersions(Tape):
    """A table whose panel says `bank.accepted` in one version or the other."""

    def __init__(self, second: bool) -> None:
        super().__init__()
        self.second = second

    def banks(self, cents: int) -> int:
        seq = self.say("bank.accepted", seat=2, kind="player_dealer", posted_cents=cents)
        if self.second:
            raw = self.events[-1].raw.replace(V1.encode(), V2.encode()).replace(b"posted_cents", b"cover_cents")
            self.events[-1] = Admitted(seq, raw, parse_event(raw), 0)
        return seq


def played(second: bool, corrected: str | None = None) -> list[RoundRow]:
    tape = BothVersions(second)
    tape.opens()
    tape.round = "000001"
    tape.say("round.opened", deck="shoe-1")
    seq = tape.banks(50_000)
    tape.say("wager.placed", seat=3, wager="player", amount_cents=1_000)
    if corrected:
        replacement = {"seat": 2, "kind": "player_dealer", corrected: 70_000}
        tape.say("round.corrected", corrects_seq=seq, reason="misread", by="S-1", replacement=replacement)
    tape.say("round.closed")
    return rows_of(tape.events, range(1, len(tape.events)))  # another worker after each event: the bytes are kept


def test_a_round_is_the_same_in_either_version_also_after_a_restart() -> None:
    assert played(second=False) == played(second=True)
    assert played(second=False)[0].fixed["bank_posted_cents"] == 50_000


def test_a_correction_says_its_replacement_in_the_words_of_the_event_it_corrects() -> None:
    for second, member in ((False, "posted_cents"), (True, "cover_cents")):
        assert played(second, member)[0].fixed["bank_posted_cents"] == 70_000
    for second, other in ((False, "cover_cents"), (True, "posted_cents")):
        (row,) = played(second, other)
        assert row.fixed["bank_posted_cents"] == 50_000, "it says what that event cannot say, and changes nothing"
