"""Reports of a bank that cannot be right: none is offered, or not so, or two seats are named. One finding says so, with
the section, and nobody is accused by the hands of a bank that may have been another's."""

from __future__ import annotations

import pytest

from replay.audit import audit_or_raise
from replay.rounds import RoundRow, batch_of
from schemas.findings import Finding
from tests.packs.ma_pgp_rounds import Round, round_of
from tests.packs.ma_pgp_table import row_of

BANKED = [made for made in map(round_of, range(100)) if made.bank_seat]
CO_BANKED = [made for made in BANKED if made.co_bank]


def findings_of(row: RoundRow) -> list[Finding]:
    return audit_or_raise(batch_of([row])).findings


def refiled(made: Round, banking: str) -> RoundRow:
    """The round as it was played, at a table that filed another bank or none."""
    return row_of(Round(**{**vars(made), "options": {**made.options, "banking": banking}}))


def test_there_are_such_rounds() -> None:
    assert len(BANKED) > 5 and len(CO_BANKED) > 1


@pytest.mark.parametrize("made", BANKED)
def test_a_bank_at_a_table_that_offers_none(made: Round) -> None:
    (finding,) = findings_of(refiled(made, "none"))
    assert finding.code == "BANK-804"
    assert finding.seat == made.bank_seat
    assert "which is not offered at this table (filed: banking: none)" in finding.sentence
    assert finding.citation.startswith(f"MA-PGP §10({'e' if made.co_bank else 'a'}):")


@pytest.mark.parametrize("made", CO_BANKED)
def test_a_co_bank_where_only_the_bank_is_offered(made: Round) -> None:
    (finding,) = findings_of(refiled(made, "bank"))
    assert finding.code == "BANK-804" and finding.citation.startswith("MA-PGP §10(e):")
    assert "banks with the house covering one half" in finding.sentence
    assert findings_of(refiled(made, "bank_and_co_bank")) == []


@pytest.mark.parametrize("made", BANKED)
@pytest.mark.parametrize("seat", [1, 4, 9])
def test_another_seat_accepted_the_bank_than_was_settled_as_it(made: Round, seat: int) -> None:
    row = row_of(made)
    row.fixed["bank_seat"] = seat
    found = findings_of(row)
    if seat == made.bank_seat:
        assert found == []
        return
    (finding,) = found
    assert finding.code == "BANK-804" and finding.citation.startswith("MA-PGP §10(c):")
    assert f"seat {seat} is said to have accepted the bank, and seat {made.bank_seat} was settled" in finding.sentence


def test_a_bank_at_a_seat_that_the_table_does_not_have() -> None:
    row = row_of(BANKED[0])
    row.fixed["bank_seat"] = 9
    row.facts = [fact for fact in row.facts if fact.wager != "bank"]  # nobody was settled as the bank
    (finding,) = findings_of(row)
    assert finding.code == "BANK-804" and finding.citation.startswith("MA-PGP §10(a):")
    assert "seat 9 banks" in finding.sentence and "the table has seats 1 to 6 only" in finding.sentence
