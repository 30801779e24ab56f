"""What is found where fees were let off, given back, taken at a rate of no schedule, or owed several times by one
payer; and a schedule that is changed, between two rounds and in the middle of one."""

from __future__ import annotations

import json

import numpy as np
import pytest

from replay.assembling.assemble import Assembler
from replay.audit import audit
from replay.citations import Citation
from replay.compare.compared import Compared
from replay.compare.fees import compare_fees
from replay.filing import FeePart, FeeSchedule, canonical_filing, load_pack, pack_ids
from replay.game import Checked
from replay.lines import make_lines
from replay.money.fees import fee, rates_filed
from replay.rounds import PAYER_CODE, PAYERS, Fact, FactRow, batch_of
from schemas.events import Payer
from schemas.findings import Finding
from schemas.money import dollars
from tests.packs.supreme_baccarat_rounds import Bet, Table
from tests.replay.fed import rows_of
from tests.replay.tape import Tape, rounds

BANKER, PLAYER = (PAYERS.index(payer) for payer in (Payer.PLAYER_DEALER, Payer.PLAYER))


def taken(amount: int, seat: int = 1, payer: int = BANKER, at: int = 70, box: str = "table") -> FactRow:
    return FactRow(Fact.COLLECTION, at, seat, choice=box, code=payer, amount=amount)


def waived(amount: int, seat: int = 1, payer: int = BANKER, by: str = "F-17") -> FactRow:
    return FactRow(Fact.WAIVED, 71, seat, choice=by, code=payer, amount=amount)


def given_back(amount: int, seat: int = 1, payer: int = BANKER, at: int = 72, box: str = "table") -> FactRow:
    return FactRow(Fact.REFUNDED, at, seat, choice=box, code=payer, amount=amount)


def fee_findings(*said: FactRow, schedule: str = "own_1") -> list[Finding]:
    """$100 on the Player line in seat 2: the player-dealer in seat 1 owes $3 by schedule own_1, and nobody else."""
    row = Table([Bet(2, "player", 10_000)], extra=list(said)).row()
    row.named["filing"] = canonical_filing("ca/supreme_baccarat", "1.0", {"schedule": schedule})
    return [finding for finding in audit(batch_of([row])).findings if finding.code.startswith("FEE-")]


def told(*said: FactRow, schedule: str = "own_1") -> list[tuple[str, int]]:
    return [(finding.code, finding.difference_cents) for finding in fee_findings(*said, schedule=schedule)]


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ([taken(300)], []),
        ([], [("FEE-901", 300)]),
        ([waived(300)], [("FEE-908", 300)]),
        ([waived(200)], [("FEE-901", 300)]),  # let off another sum: that is none of this fee
        ([taken(100), waived(200)], [("FEE-908", 200)]),  # $1 of $3 taken and the rest let off
        ([taken(100), waived(100)], [("FEE-902", 200)]),
        ([taken(300), waived(300)], []),  # let off, and taken all the same
        ([waived(300, seat=2, payer=PLAYER)], [("FEE-901", 300)]),  # it was another's
        ([taken(300), given_back(300)], [("FEE-909", 300)]),
        ([taken(300), given_back(100)], [("FEE-909", 100)]),
        ([given_back(300)], [("FEE-901", 300), ("FEE-909", 300)]),  # given back though never taken
        # too much taken, and put right by giving it back
        ([taken(600), given_back(300)], [("FEE-909", 0)]),
        ([taken(600), given_back(300, box="other")], [("FEE-902", -300), ("FEE-909", 300)]),
        ([taken(600), given_back(300, at=60)], [("FEE-902", -300), ("FEE-909", 300)]),  # before it was taken
        ([taken(300), taken(300, at=73), given_back(300, at=74)], [("FEE-909", 0)]),
        ([taken(300), taken(300, at=73)], [("FEE-905", -300)]),
        ([taken(300), taken(100, 2, PLAYER, 73), given_back(100, 2, PLAYER, 74)], [("FEE-909", 0)]),
        ([taken(300), taken(100, 2, PLAYER, 73)], [("FEE-903", -100)]),
    ],
)
def test_fees_let_off_and_given_back(said: list[FactRow], found: list[tuple[str, int]]) -> None:
    assert told(*said) == found


def test_who_let_a_fee_off_is_told_and_that_nobody_is_named() -> None:
    (by,) = fee_findings(waived(300))
    (nobody,) = fee_findings(waived(300, by=""))
    assert "the collection fee of $3.00 from the player-dealer was let off by F-17; CA Supreme Baccarat" in by.sentence
    assert "was let off, and nobody is named who did so" in nobody.sentence
    assert by.evidence == (71,)
    assert dict(by.accounts) == {"seat 1 (player-dealer)": 300, "drop box table": -300}


@pytest.mark.parametrize(
    ("amount", "code"),
    [
        (300, None),
        (600, "FEE-902"),  # the next tier
        (1_500, "FEE-902"),  # of another schedule filed for the game: California Games, option 2
        (700, "FEE-910"),
        (301, "FEE-910"),
        (500, "FEE-910"),  # a rate of Fortune Pai Gow Poker's schedules, and of none of this game
    ],
)
def test_another_tier_and_a_rate_that_no_schedule_has(amount: int, code: str | None) -> None:
    found = fee_findings(taken(amount))
    assert [one.code for one in found] == ([] if code is None else [code])
    if code == "FEE-910":
        assert (
            f"no schedule filed for this game has a fee of {dollars(amount)} for the player-dealer" in found[0].sentence
        )


def test_a_rate_counts_for_who_pays_it() -> None:
    """$3 is a player's rate in schedule own_3 alone; $12 is only ever the player-dealer's."""
    rates = rates_filed(load_pack("ca/supreme_baccarat").fees)
    assert rates[PAYER_CODE[Payer.PLAYER]] == {100, 200, 300}
    assert 1_200 in rates[PAYER_CODE[Payer.PLAYER_DEALER]] and rates[PAYER_CODE[Payer.POT]] == frozenset()
    own = [taken(200), taken(1_200, 2, PLAYER, 73)]
    assert told(*own, schedule="own_3") == [("FEE-910", -1_100)]
    assert told(taken(200), taken(300, 2, PLAYER, 73), schedule="own_3") == [("FEE-902", -200)]


@pytest.mark.parametrize(
    ("paid", "found"),
    [
        ([100, 200], []),
        ([200, 100], []),
        ([100], [("FEE-901", 200)]),
        ([100, 100], [("FEE-902", 100)]),
        ([100, 200, 200], [("FEE-905", -200)]),
        ([], [("FEE-901", 100), ("FEE-901", 200)]),
    ],
)
def test_several_fees_of_one_payer_that_no_report_tells_apart(paid: list[int], found: list[tuple[str, int]]) -> None:
    """Two squares of one hand: $1 and $2 from the same player."""
    row = Table([Bet(2, "player", 1_000)]).row()
    row.facts += [taken(cents, 2, PLAYER, 150 + at) for at, cents in enumerate(paid)]
    batch = batch_of([row])
    lines = make_lines(
        2,
        [Citation(text="CA", section="a test")],
        kind=Fact.COLLECTION,
        seat=2,
        payer=PLAYER,
        choice=batch.name_id("table") if paid else -2,
        paid=np.array([100, 200]),
        stake=np.array([5_000, 12_000]),
        wager=batch.name_id("player"),
    )
    checked = Checked(lines)
    compared = Compared.unreported(batch, lines)
    compare_fees(batch, checked, compared)
    assert [(remark.code, remark.difference_cents) for remark in compared.remarks] == found
    assert compared.agrees.all() == (not found)


# --- both sides of every band ----------------------------------------------------------------------------------------

BANDS = [
    pytest.param(schedule, part, at, id=f"{pack_id} {schedule.id} {part.payer} {band.from_words}")
    for pack_id in pack_ids()
    for schedule in load_pack(pack_id).fees.values()
    for part in schedule.parts
    for at, band in enumerate(part.bands)
]


@pytest.mark.parametrize(("schedule", "part", "at"), BANDS)
def test_both_sides_of_every_band_of_every_schedule(schedule: FeeSchedule, part: FeePart, at: int) -> None:
    """The rows as they are printed: `$201-$300 $2.00`, read from the words quoted."""
    band = part.bands[at]
    below = part.bands[at - 1].fee if at else 0
    assert fee(part, np.array([band.begins - 1, band.begins])).tolist() == [below, band.fee]
    if band.begins:
        words = f"{schedule.cite.words} {part.cite.words}".replace(" ", "")
        begins = f"${band.begins // 100:,}" if band.players is None else str(band.players)
        assert begins in words or band.players == 1
        assert f"${band.fee // 100}" in words


# --- a schedule that changes -----------------------------------------------------------------------------------------


def schedules(tape: Tape) -> list[str]:
    filed = [json.loads(str(row.named["filing"]))["options"] for row in rounds(tape)]
    return [options.get("schedule", "own_1") for options in filed]


def test_a_schedule_changed_between_two_rounds_counts_from_the_next_one() -> None:
    tape = Tape()
    tape.opens(schedule="own_1")
    tape.plays(1)
    tape.say("table.schedule_changed", subject=False, schedule="own_2", table_maximum_cents=20_000, by="F-17")
    tape.plays(2, rack="2c 3c 4c 5c 6d 7d 8d 9d")
    assert schedules(tape) == ["own_1", "own_2"]
    first, second = rounds(tape)
    assert json.loads(str(second.named["filing"]))["options"] == {"schedule": "own_2", "table_maximum_cents": 20_000}
    assert [fact for row in (first, second) for fact in row.facts if fact.kind == Fact.SCHEDULE_CHANGED] == []


def test_a_schedule_changed_in_the_middle_of_a_round_counts_from_the_next_one_and_is_found() -> None:
    tape = Tape()
    tape.opens(schedule="own_1")
    tape.round = "000001"
    tape.say("round.opened", deck="shoe-1")
    seq = tape.say("table.schedule_changed", subject=False, schedule="own_2")
    tape.say("bets.closed")
    tape.say("round.closed")
    tape.plays(2)
    assert schedules(tape) == [
        "own_1",
        "own_2",
        "own_1",
    ]  # the first round once more, when the signature vouches for it
    first, second, again = rounds(tape)
    assert [fact.seq for fact in again.facts if fact.kind == Fact.SCHEDULE_CHANGED] == [seq]
    found = {finding.code: finding for finding in audit(batch_of([first])).findings}
    assert found["FEE-911"].evidence == (seq,)
    assert "changed to own_2 while the round was played" in found["FEE-911"].sentence
    assert "Collection Procedures" in found["FEE-911"].citation
    assert "FEE-911" not in {finding.code for finding in audit(batch_of([second])).findings}


@pytest.mark.parametrize(
    ("schedule", "more", "said"),
    [
        ("own_9", {}, "option schedule: 'own_9' is none of own_1, own_2"),
        ("own_1 own_2", None, ""),
        ("own_2", {"table_maximum_cents": 100_000}, "outside the $5.00 to $200.00 that schedule own_2 prints"),
        ("own_2", {}, ""),
    ],
)
def test_a_change_to_a_schedule_that_cannot_be_filed(schedule: str, more: dict[str, int] | None, said: str) -> None:
    tape = Tape()
    tape.opens(schedule="own_1")
    if more is None:  # two schedules at once are no name of one: refused before it is recorded
        with pytest.raises(ValueError, match="schedule"):
            tape.say("table.schedule_changed", subject=False, schedule=schedule)
        return
    tape.say("table.schedule_changed", subject=False, schedule=schedule, **more)
    tape.plays(1)
    assembler = Assembler()
    for admitted in tape.events:
        assembler.feed(admitted)
    findings = assembler.findings
    assert [finding.code for finding in findings] == (["FILING-001"] if said else [])
    assert all(said in finding.sentence for finding in findings)
    (row,) = rounds(tape)
    assert json.loads(str(row.named["filing"]))["options"]["schedule"] == schedule  # the record says what was said


def test_without_a_filing_there_is_no_schedule_to_change() -> None:
    tape = Tape()
    tape.say("table.schedule_changed", subject=False, schedule="own_2")
    tape.plays(1)
    (row,) = rounds(tape)
    assert row.named["filing"] == ""


def test_a_change_survives_a_worker_that_takes_over() -> None:
    tape = Tape()
    tape.opens(schedule="own_1")
    tape.say("table.schedule_changed", subject=False, schedule="own_2")
    tape.plays(1)
    whole = rounds(tape)
    for cut in range(1, len(tape.events)):
        resumed = rows_of(tape.events, cut_at=[cut])
        assert [row.named["filing"] for row in resumed] == [row.named["filing"] for row in whole]


def test_a_change_in_mid_round_survives_a_worker_that_takes_over() -> None:
    tape = Tape()
    tape.opens(schedule="own_1")
    tape.round = "000001"
    tape.say("round.opened", deck="shoe-1")
    seq = tape.say("table.schedule_changed", subject=False, schedule="own_2")
    tape.say("bets.closed")
    tape.say("round.closed")
    (row,) = rows_of(tape.events, cut_at=[seq + 1])
    assert [fact.seq for fact in row.facts if fact.kind == Fact.SCHEDULE_CHANGED] == [seq]


@pytest.mark.parametrize(
    ("schedule", "amount", "at", "said"),
    [
        ("own_1", 300, 91, "$3.00 taken from the player-dealer after cards were dealt"),
        ("own_1", 300, 89, None),
        ("california_games_1", 100, 89, "$1.00 taken from the player-dealer before the first card"),
        ("california_games_1", 100, 91, None),
    ],
)
def test_a_fee_at_the_wrong_moment_is_told_by_the_words_that_print_the_moment(
    schedule: str, amount: int, at: int, said: str | None
) -> None:
    found = fee_findings(taken(amount, at=at), schedule=schedule)
    assert [one.code for one in found] == ([] if said is None else ["FEE-904"])
    words = load_pack("ca/supreme_baccarat").fees[schedule].moment_cite.words or ""
    assert all(said in one.sentence and words in one.citation for one in found if said is not None)
