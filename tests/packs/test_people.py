"""A person with several areas is one player (rulings.md R-52): fees, envy bonuses and the areas themselves."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from replay.audit import audit
from replay.checks.areas import areas_remarks
from replay.explain import explain_batch_of_one
from replay.families.split_hands.game import check as check_split
from replay.families.split_hands.law import Law as SplitLaw
from replay.families.two_hands.game import check as check_two
from replay.filing import canonical_filing, file_under, load_pack
from replay.money.people import people_of
from replay.money.wagers import resolve_wagers
from replay.rounds import PAYER_CODE, PAYERS, Fact, FactRow, RoundRow, batch_of
from schemas.events import Payer
from tests.packs.pai_gow_poker_table import Bets, Played, play, reported, row_of
from tests.packs.supreme_baccarat_rounds import Bet, Table, filing_of

TWO_AREAS = [Bet(3, "player", 6_000), Bet(4, "player", 5_000)]


def sits(seat: int, patron: str, unsure: int = 0) -> FactRow:
    return FactRow(Fact.SEATED, 2, seat, patron, code=unsure)


# --- fees ------------------------------------------------------------------------------------------------------------


def fees_of_players(row: RoundRow, schedule: str = "own_2") -> dict[tuple[int, str], int]:
    batch = batch_of([row])
    lines = check_two(batch, filing_of(schedule=schedule)).lines
    due = lines.where((lines.kind == Fact.COLLECTION) & (lines.payer == PAYER_CODE[Payer.PLAYER]))
    return {
        (int(due.seat[at]), batch.names[due.bettor[at]]): int(due.paid[at]) for at in range(len(due))
    }  # schedule 2 prints $1 up to $100 and $2 above


def test_a_fee_on_what_each_player_wagered_is_counted_over_all_areas_of_a_person() -> None:
    row = Table(TWO_AREAS).row()
    assert fees_of_players(row) == {(3, ""): 100, (4, ""): 100}
    row.facts += [sits(3, "P-1"), sits(4, "P-1")]
    assert fees_of_players(row) == {(3, ""): 200}


def test_two_people_pay_a_fee_each() -> None:
    row = Table(TWO_AREAS).row()
    row.facts += [sits(3, "P-1"), sits(4, "P-2")]
    assert fees_of_players(row) == {(3, ""): 100, (4, ""): 100}


def test_a_bettor_named_is_one_person_at_every_seat_also_where_seated() -> None:
    bets = [Bet(3, "player", 3_000, "P-1"), Bet(5, "banker", 4_000, "P-1"), Bet(6, "player", 5_000)]
    row = Table(bets).row()
    assert fees_of_players(row) == {(3, "P-1"): 100, (6, ""): 100}
    row.facts.append(sits(6, "P-1"))
    assert fees_of_players(row) == {(3, "P-1"): 200}


def test_a_fee_on_each_betting_spot_stays_with_the_spot() -> None:
    row = Table(TWO_AREAS).row()
    before = fees_of_players(row, "california_games_2")
    row.facts += [sits(3, "P-1"), sits(4, "P-1")]
    assert fees_of_players(row, "california_games_2") == before


def fee_findings(paid: list[tuple[int, int]], people: list[FactRow]) -> list[tuple[str, int | None]]:
    """(seat, cents) of the fees taken from players → codes of findings about fees, with their seats."""
    row = Table(TWO_AREAS).row()
    taken = [FactRow(Fact.COLLECTION, 61 + at, seat, choice="table", code=PAYER_CODE[Payer.PLAYER], amount=cents)
             for at, (seat, cents) in enumerate(paid)]  # fmt: skip
    row.facts += [*people, *taken]
    row.named |= {"table_id": "SB-01", "filing": canonical_filing("ca/supreme_baccarat", "1.0", {"schedule": "own_2"})}
    found = [one for one in audit(batch_of([row])).findings if one.code.startswith("FEE-")]
    return [(one.code, one.seat) for one in found if "player-dealer" not in one.sentence]


ONE = [sits(3, "P-1"), sits(4, "P-1")]


@pytest.mark.parametrize(
    ("paid", "people", "found"),
    [
        ([(3, 200)], ONE, []),
        ([(4, 200)], ONE, []),  # at whichever of the areas
        ([(3, 100), (4, 100)], ONE, [("FEE-902", 3), ("FEE-905", 3)]),  # two fees of the lower tier instead of one
        ([(4, 100)], ONE, [("FEE-902", 3)]),
        ([], ONE, [("FEE-901", 3)]),
        ([(3, 100), (4, 100)], [], []),
        ([(4, 200)], [], [("FEE-901", 3), ("FEE-902", 4)]),
        ([(3, 100), (4, 100)], [sits(3, "P-1"), sits(4, "P-2")], []),
    ],
)
def test_one_persons_fee_may_be_paid_at_any_area_and_once(
    paid: list[tuple[int, int]], people: list[FactRow], found: list[tuple[str, int | None]]
) -> None:
    assert sorted(fee_findings(paid, people), key=str) == sorted(found, key=str)


# --- envy bonuses ----------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def envied() -> Played:
    """A round with an envy bonus from a seat to another."""
    rng = random.Random(7)
    bets = {1: Bets(2_500, 500), 2: Bets(2_500, 500), 4: Bets(2_500, 500)}
    return next(
        played for played in (play(rng, rich=True, bets=bets, foul_share=0) for _ in range(4_000)) if played.envy
    )


def envy_lines(row: RoundRow) -> dict[tuple[int, int], bool]:
    """(to, for) → whether the line is open."""
    filing = file_under(load_pack("ma/pai_gow_poker"), "1.0", {})
    lines = check_split(batch_of([row]), filing).lines
    envy = lines.where(lines.kind == Fact.ENVY)
    return {(int(envy.seat[at]), int(envy.for_seat[at])): bool(envy.open[at]) for at in range(len(envy))}


def test_no_envy_bonus_for_ones_own_hand_in_another_area(envied: Played) -> None:
    (to, other), *_ = envied.envy
    before = envy_lines(row_of(envied))
    assert before == dict.fromkeys(envied.envy, False)
    row = row_of(envied)
    row.facts += [sits(to, "P-1"), sits(other, "P-1")]
    assert envy_lines(row) == {pair: False for pair in before if pair not in ((to, other), (other, to))}


def test_other_people_envy_as_before(envied: Played) -> None:
    row = row_of(envied)
    row.facts += [sits(seat, f"P-{seat}") for seat in envied.bets]
    assert envy_lines(row) == dict.fromkeys(envied.envy, False)


def test_where_it_is_not_sure_who_sits_there_the_bonus_is_left_open(envied: Played) -> None:
    (to, other), *_ = envied.envy
    row = row_of(envied)
    row.facts += [sits(to, "P-1"), sits(other, "P-1", unsure=1)]
    assert envy_lines(row)[to, other]


def test_an_envy_bonus_paid_for_ones_own_hand_is_a_finding(envied: Played) -> None:
    (to, other), *_ = envied.envy
    filing = canonical_filing("ma/pai_gow_poker", "1.0", {})
    row = reported(row_of(envied, filing=filing), envied)
    assert [one.code for one in audit(batch_of([row])).findings] == []
    row.facts += [sits(to, "P-1"), sits(other, "P-1")]
    found = {one.code for one in audit(batch_of([row])).findings}
    assert found == {"ENVY-703"} | ({"WAGER-506"} if abs(to - other) > 1 else set())
    own = [pair for pair in envied.envy if pair in ((to, other), (other, to))]
    row = reported(
        row_of(envied, filing=filing), replace(envied, envy={p: c for p, c in envied.envy.items() if p not in own})
    )
    assert "ENVY-701" in {one.code for one in audit(batch_of([row])).findings}
    row.facts += [sits(to, "P-1"), sits(other, "P-1")]
    assert not any(one.code.startswith("ENVY") for one in audit(batch_of([row])).findings)


# --- areas -----------------------------------------------------------------------------------------------------------


def areas(*said: FactRow, bank: int = -1, bets: tuple[int, ...] = (1, 2, 3, 6)) -> list[tuple[str, str]]:
    row = row_of(play(random.Random(3), bets={seat: Bets(2_500) for seat in bets}))
    row.facts += said
    row.fixed["bank_seat"] = bank
    law = load_pack("ma/pai_gow_poker").law(SplitLaw).areas
    assert law is not None
    batch = batch_of([row])
    return [(one.code, str(one.cite)) for one in areas_remarks(batch, resolve_wagers(batch), law)]


NOT_ALLOWED = [("WAGER-506", "MA-PGP §12(a)")]


@pytest.mark.parametrize(
    ("seats", "found"),
    [((1,), []), ((1, 2), []), ((2, 3), []), ((1, 3), NOT_ALLOWED), ((1, 2, 3), NOT_ALLOWED), ((1, 6), NOT_ALLOWED)],
)
def test_a_person_may_bet_in_two_areas_next_to_each_other(seats: tuple[int, ...], found: list[tuple[str, str]]) -> None:
    """Areas 1 and 6 have the dealer between them."""
    assert areas(*(sits(seat, "P-1") for seat in seats)) == found


def test_areas_of_several_people_an_area_without_a_wager_and_one_nobody_is_sure_of_are_fine() -> None:
    assert areas(sits(1, "P-1"), sits(3, "P-2")) == []
    assert areas(sits(1, "P-1"), sits(4, "P-1")) == []
    assert areas(sits(1, "P-1"), sits(3, "P-1", unsure=1)) == []
    assert areas() == []


def test_whoever_has_the_bank_may_bet_in_one_area() -> None:
    assert areas(sits(1, "P-1"), sits(2, "P-1"), bank=1) == [("WAGER-506", "MA-PGP §10(f)")]
    assert areas(sits(1, "P-1"), sits(2, "P-1"), bank=3) == []


def test_the_sentence_names_person_and_seats() -> None:
    row = row_of(play(random.Random(3), bets={seat: Bets(2_500) for seat in (1, 3)}), filing="")
    row.facts += [sits(1, "P-1"), sits(3, "P-1")]
    row.named["filing"] = canonical_filing("ma/pai_gow_poker", "1.0", {})
    (said,) = [one.sentence for one in audit(batch_of([row])).findings if one.code == "WAGER-506"]
    assert "patron P-1 bets in areas that are not next to each other (seats 1 and 3)" in said


def test_people_are_numbers_of_names_and_seats_nobody_named() -> None:
    row = Table([Bet(3, "player", 500), Bet(4, "player", 500, "B1")]).row()
    row.facts.append(sits(3, "P-1"))
    batch = batch_of([row])
    wagers = resolve_wagers(batch)
    people = people_of(batch).number(wagers.row, wagers.seat, wagers.bettor)
    assert [batch.names[person] for person in people.tolist()] == ["P-1", "B1"]
    assert [str(payer) for payer in PAYERS][:1] == ["player"]


def test_a_round_says_who_sat_where() -> None:
    row = Table(TWO_AREAS).row()
    row.facts += [sits(3, "P-1"), sits(4, "P-2", unsure=1)]
    row.named |= {"table_id": "SB-01", "filing": canonical_filing("ca/supreme_baccarat", "1.0", {})}
    batch = batch_of([row])
    said = explain_batch_of_one(batch, audit(batch))["seated"]
    assert said == [{"seat": 3, "patron": "P-1", "sure": True}, {"seat": 4, "patron": "P-2", "sure": False}]
