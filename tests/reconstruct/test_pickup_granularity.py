"""However a rack is told (card by card, packet by packet, one scan at the end of the round, one scan after several
rounds), the rounds come out the same: rulings.md R-10."""

from __future__ import annotations

from typing import Any

import pytest

from ingest.simulator import Equipment, Labels, Plan, TablePlan, default_plan, simulate
from ingest.simulator.options import RackMode
from replay.audit import audit
from replay.families.two_hands.cutting import cut
from replay.packs.ca.supreme_baccarat.v1.rules import LAW
from replay.rounds import RoundRow, batch_of
from replay.verdicts import VERDICTS
from schemas.admitted import Admitted
from schemas.cards import codes_of
from schemas.events import parse_event
from tests.replay.fed import rows_of

WITHIN_A_ROUND: tuple[RackMode, ...] = ("card", "inserted", "scan")
FAULTS = {
    "ma/pai_gow_poker": {
        "card_missing": 2,
        "card_duplicate": 1,
        "card_switched": 1,
        "wrong_payout": 1,
        "wrong_outcome": 1,
    },
    "ca/supreme_baccarat": {"third_card_wrong": 2, "wrong_payout": 2, "wrong_outcome": 2, "fee_wrong_tier": 2},
}
Judged = dict[tuple[str, str], tuple[str, list[tuple[Any, ...]], list[Any]]]


def tables(game: str, rack: RackMode, *, shoe_reads: bool = True) -> list[TablePlan]:
    planned = [table for table in default_plan(seed=1, tables=8, rounds=1).tables if table.game == game]
    fitted = Equipment(shoe_reads=shoe_reads, rack=rack)
    return [TablePlan(table.table_id, table.game, table.options, fitted) for table in planned]


def played(
    game: str, rack: RackMode, *, shoe_reads: bool = True, stop_at: int | None = None, faulty: bool = True
) -> tuple[Judged, Labels]:
    """Every round's newest version: verdict, findings and hands; the assembler's state is put away at `stop_at`."""
    faults = FAULTS[game] if faulty else {}
    plan = Plan(5, default_plan(seed=5).gaming_day, tables(game, rack, shoe_reads=shoe_reads), 24, faults)
    labels = Labels()
    events = [Admitted(offset, raw, parse_event(raw), 0) for offset, (_, raw) in enumerate(simulate(plan, labels))]
    rows: dict[tuple[str, str], RoundRow] = {}
    for row in rows_of(events, [] if stop_at is None else [stop_at + 1]):
        rows[row.named["table_id"], row.named["round_id"]] = row
    keys = list(rows)
    made = audit(batch_of([rows[key] for key in keys]))
    outcomes: Judged = {}
    for part in made.by_filing:
        for at, index in enumerate(part.rows.tolist()):
            outcomes[keys[index]] = (str(VERDICTS[made.verdicts[index]]), [], part.checked.hands(at))
    for finding in made.findings:
        assert finding.round_id is not None
        outcomes[finding.table_id, finding.round_id][1].append(
            (finding.code, finding.seat, finding.wager, finding.expected_cents, finding.actual_cents, finding.sentence)
        )
    return outcomes, labels


@pytest.mark.slow
@pytest.mark.parametrize("game", FAULTS)
def test_within_a_round_it_makes_no_difference_how_the_rack_is_told(game: str) -> None:
    packets, labels = played(game, "inserted")
    assert len(labels.injected) >= 4
    assert sum(bool(findings) for _, findings, _ in packets.values()) >= len(labels.injected)
    for mode in WITHIN_A_ROUND:
        assert played(game, mode)[0] == packets


@pytest.mark.slow
@pytest.mark.parametrize("stop_at", [None, 700])
def test_a_scan_after_several_rounds_is_cut_into_them(stop_at: int | None) -> None:
    """Rounds that were judged without a rack get a new version once it is read, also by another worker."""
    packets, _ = played("ca/supreme_baccarat", "inserted")
    several, labels = played("ca/supreme_baccarat", "scan_of_several_rounds", stop_at=stop_at)
    assert len(labels.injected) >= 6
    assert several == packets


@pytest.mark.slow
def test_where_nobody_can_tell_where_a_round_ended_nothing_is_guessed() -> None:
    """Without a shoe that reads, a cut may be open: then those rounds cannot be told, and no other answer is given."""
    packets, _ = played("ca/supreme_baccarat", "inserted", shoe_reads=False, faulty=False)
    several, _ = played("ca/supreme_baccarat", "scan_of_several_rounds", shoe_reads=False, faulty=False)
    same = [key for key, outcomes in several.items() if outcomes == packets[key]]
    assert {packets[key][0] for key in packets} == {"verified"}
    assert len(same) > len(packets) / 2
    for key in set(several) - set(same):
        verdict, findings, hands = several[key]
        assert verdict != "verified"
        assert {finding[0] for finding in findings} <= {"RACK-322"}
        assert hands == []


def hands(text: str) -> bytes:
    return codes_of(text.split())


def test_rounds_are_cut_where_the_deal_or_the_drawing_rules_say() -> None:
    natural = hands("9c Kd 2h 3s")  # Player 9: four cards
    drawn = hands("2c 3d 5h 4s 3h")  # Player 5 draws a five and has 0; Banker 7 stands
    assert cut(natural + drawn, [b"", b""], False, LAW.drawing) == [4, 5]
    assert cut(natural + drawn, [natural, drawn], False, LAW.drawing) == [4, 5]
    assert cut(drawn + natural + drawn, [drawn, b"", b""], False, LAW.drawing) == [5, 4, 5]


def test_a_card_missing_from_one_of_the_rounds_stays_missing_there() -> None:
    natural, drawn = hands("9c Kd 2h 3s"), hands("2c 3d 5h 4s 3h")
    assert cut(natural[:3] + drawn, [natural, drawn], False, LAW.drawing) == [3, 5]
    assert cut(natural + drawn[:2] + drawn[3:], [natural, drawn], False, LAW.drawing) == [4, 4]


def test_a_cut_that_may_be_made_twice_is_not_made() -> None:
    # Player 2 and 3: either the Banker has a natural in the next two cards, or the Player drew the first of them.
    either = hands("2c 3d 9h Ks 7h 7c") + hands("9c Kd 2h 3s")
    assert cut(hands("2c 3d 9h Ks"), [b""], False, LAW.drawing) == [4]
    assert cut(either, [b"", b"", b""], False, LAW.drawing) is None
    assert cut(b"", [b"", b""], False, LAW.drawing) is None
    assert cut(bytes([255] * 9), [b"", b""], False, LAW.drawing) in (None, [4, 5], [5, 4])
