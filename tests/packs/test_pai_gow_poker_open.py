"""Massachusetts Pai Gow Poker where a text or the evidence leaves something open: nobody is accused of it.

Each test is a round that is unusual but in order (or wrong in one way only), told to the whole audit with its
settlements; what must come out is worked out from the text.
"""

from __future__ import annotations

from collections import Counter

import pytest

from replay.audit import audit
from replay.filing import PackError, canonical_filing, file_under, load_pack
from replay.rounds import (
    ACTION_CODE,
    GAME_START,
    OUTCOME_CODE,
    START_METHOD_CODE,
    Fact,
    FactRow,
    RoundFlag,
    ShownRow,
    batch_of,
)
from schemas.cards import codes_of
from schemas.events import Action, Outcome, StartMethod
from schemas.findings import CERTAIN, LIKELY
from tests.packs.pai_gow_poker_rounds import THREE, audited, found, racked, rounds
from tests.packs.pai_gow_poker_table import Bets, Played, reported, row_of


def premium(played: Played, seat: int) -> bool:
    return played.lines[seat, "fortune"][1] >= 25 * played.bets[seat].fortune


# ---- surrender -----------------------------------------------------------------------------------------------------


def test_a_dealer_with_nobody_left_to_play_against_has_no_hand_to_set() -> None:
    for played in rounds(1, 20, {3: Bets(2000, surrenders=True)}):
        row = row_of(played, deal_read=False, shown=set())
        row.rack = row.rack[:-7] + codes_of(played.hands[0])  # as dealt
        assert audited(reported(row, played)) == ("verified", [])


def test_a_hand_is_not_surrendered_after_it_was_exposed() -> None:
    """MA-PGP §9(e): "prior to the dealer exposing either of the two hands of that player"."""
    outcomes = set()
    for played in rounds(2, 40, THREE):
        row = row_of(played)
        shown = next(shown.seq for shown in row.shown if shown.place == 2)
        late = FactRow(Fact.ACTION, row.fixed["last_seq"] + 1, 2, code=ACTION_CODE[Action.SURRENDER])
        row.facts.append(late)
        row.fixed["last_seq"] += 2
        due = played.lines[2, "pai_gow"][0]
        played.lines[2, "pai_gow"] = ("surrender", 0, 1000)
        outcomes.add(due)
        _, findings = audited(reported(row, played))
        # A loser loses the same by surrendering; a winner is out the stake and $10.00 less $0.50 of vigorish.
        lost = {"lose": [], "push": [-1000], "win": [-1950]}[due]
        assert [f.difference_cents for f in findings if f.code == "SETTLE-102"] == lost
        (finding,) = (f for f in findings if f.code != "SETTLE-102")
        assert (finding.code, finding.seat, finding.evidence) == ("WAGER-505", 2, (shown, late.seq))
    assert outcomes == {"lose", "push", "win"}


def test_a_hand_surrendered_before_it_was_exposed() -> None:
    for played in rounds(3, 20, {**THREE, 2: Bets(1000, 500, surrenders=True)}):
        row = row_of(played)
        row.shown.append(ShownRow(2, 0, 0, codes_of(played.hands[2]), row.fixed["last_seq"]))  # for its Fortune wager
        assert audited(reported(row, played)) == ("verified", [])


def test_hands_may_be_rearranged_for_a_qualifying_wager_that_was_forfeited() -> None:
    """MA-PGP §9(l): "has placed a Qualifying Wager". Whether one that is gone still counts no section says."""
    bets = {1: Bets(1000), 2: Bets(1000, 500, surrenders=True), 4: Bets(1000)}
    for played in rounds(4, 60, bets, forfeits=True):
        row = row_of(played, deal_read=False, shown={0})
        row.rack = racked(played, (3, 5, 6, 2, 1, 4), rearranged=True)
        assert found(reported(row, played), surrendered_bonus="forfeited") == []


# ---- wagers after the close ----------------------------------------------------------------------------------------


@pytest.mark.parametrize("amount", [100, 500])
def test_a_fortune_wager_withdrawn_after_the_hands_were_rearranged_for_it(amount: int) -> None:
    for played in rounds(5, 60, {**THREE, 1: Bets(1000, amount)}):
        row = row_of(played, deal_read=False, shown={0})
        row.facts.append(FactRow(Fact.WAGER_WITHDRAWN, row.fixed["last_seq"], 1, wager="fortune"))
        row.fixed["last_seq"] += 1
        del played.lines[1, "fortune"]
        played.envy = {}
        assert found(reported(row, played)) == ["WAGER-501"]


@pytest.mark.parametrize("stayed", [True, False])
def test_a_premium_hand_and_the_only_qualifying_wager_made_late(stayed: bool) -> None:
    """Whether hands stay on the table for a wager that came too late no section says."""
    seen = 0
    for played in rounds(6, 300, {**THREE, 4: Bets(1000, 500)}, rich=True):
        if {other for _, other in played.envy} != {1} or premium(played, 4):
            continue
        seen += 1
        row = row_of(played)
        placed = next(fact for fact in row.facts if fact.wager == "fortune")
        row.facts.remove(placed)
        row.facts.append(placed._replace(seq=row.fixed["bets_closed_seq"] + 1))
        row.rack = racked(played, (3, 5, 6, 2, 4, 1) if stayed else (3, 5, 6, 1, 2, 4), rearranged=stayed)
        assert found(reported(row, played)) == ["WAGER-501"]
    assert seen > 3


ANY_MOMENT = [(3, 5, 6, 1, 2, 4), (3, 5, 6, 4, 1, 2), (3, 4, 5, 6, 1, 2), (4, 3, 5, 6, 1, 2)]
"""Seat 4's hand in its turn, after those without a wager, among them, and before them."""


@pytest.mark.parametrize("order", ANY_MOMENT)
@pytest.mark.parametrize("deal_read", [True, False])
def test_the_cards_of_a_wager_withdrawn_late_are_collected_at_no_moment_a_text_names(
    order: tuple[int, ...], deal_read: bool
) -> None:
    for played in rounds(7, 30, THREE):
        row = row_of(played, deal_read=deal_read, shown=set())
        row.facts.append(FactRow(Fact.WAGER_WITHDRAWN, row.fixed["last_seq"], 4, wager="pai_gow"))
        row.fixed["last_seq"] += 1
        row.rack = racked(played, order)
        del played.lines[4, "pai_gow"]
        assert found(reported(row, played)) == ["WAGER-501"]


def test_a_fortune_wager_whose_base_was_withdrawn_late_is_told_once() -> None:
    for played in rounds(8, 5, {**THREE, 2: Bets(1000, 500)}):
        row = row_of(played)
        row.facts.append(FactRow(Fact.WAGER_WITHDRAWN, row.fixed["last_seq"], 2, wager="pai_gow"))
        row.fixed["last_seq"] += 1
        del played.lines[2, "pai_gow"]
        assert found(reported(row, played)) == ["WAGER-501"]


def test_chips_of_a_void_hand_go_back() -> None:
    (played,) = rounds(9, 1, THREE)
    row = row_of(played)
    seq = row.fixed["last_seq"]
    row.facts.append(FactRow(Fact.VOIDED, seq, choice="misdeal"))
    row.facts += [FactRow(Fact.WAGER_WITHDRAWN, seq + seat, seat, wager="pai_gow") for seat in THREE]
    row.fixed["flags"] |= RoundFlag.VOIDED
    assert audited(row) == ("void", [])
    row.facts.append(FactRow(Fact.WAGER_PLACED, 11, 5, wager="pai_gow", amount=1000))
    row.facts.append(FactRow(Fact.WAGER_WITHDRAWN, seq - 1, 5, wager="pai_gow"))  # before it was void
    row.facts.sort(key=lambda fact: fact.seq)
    assert found(row) == ["WAGER-501"]


# ---- hands that went out of play, hands that stay ------------------------------------------------------------------


@pytest.mark.parametrize("order", ANY_MOMENT)
@pytest.mark.parametrize("deal_read", [True, False])
def test_a_voided_hand_is_collected_at_no_moment_a_text_names(order: tuple[int, ...], deal_read: bool) -> None:
    for played in rounds(10, 20, THREE):
        row = row_of(played, deal_read=deal_read, shown={0, 1, 2})
        row.facts.append(FactRow(Fact.EXPOSED, row.fixed["last_seq"], 4, choice="deal"))
        row.facts.append(FactRow(Fact.VOIDED, row.fixed["last_seq"] + 1, 4, choice="player_option"))
        row.fixed["last_seq"] += 2
        row.rack = racked(played, order)
        played.lines[4, "pai_gow"] = ("void", 0, 0)
        assert audited(reported(row, played)) == ("verified", [])


@pytest.mark.parametrize("stayed", [True, False])
@pytest.mark.parametrize("deal_read", [True, False])
def test_a_premium_hand_with_a_bonus_wager_below_five_dollars(stayed: bool, deal_read: bool) -> None:
    """MA-PGP §15(d)(2)(iii) leaves it on the table, §9(l)(1)(i)b only for a Qualifying Wager: both are by the book."""
    seen = 0
    for played in rounds(11, 100, {**THREE, 1: Bets(1000, 499)}, rich=True):
        if not premium(played, 1):
            continue
        seen += 1
        row = row_of(played, deal_read=deal_read, shown={0})
        row.rack = racked(played, (3, 5, 6, 2, 4, 1) if stayed else (3, 5, 6, 1, 2, 4))
        verdict, findings = audited(reported(row, played))
        assert findings == []
        assert verdict in ("verified", "cannot_tell")
    assert seen > 3


def test_a_premium_hand_has_to_stay_for_a_qualifying_wager() -> None:
    seen = 0
    for played in rounds(11, 100, {**THREE, 1: Bets(1000, 500)}, rich=True):
        if premium(played, 1) and not played.envy:
            seen += 1
            row = row_of(played)
            row.rack = racked(played, (3, 5, 6, 1, 2, 4))
            assert found(reported(row, played)) == ["RACK-321"]
    assert seen > 3


# ---- readings that disagree ----------------------------------------------------------------------------------------


def test_a_setting_shown_and_another_in_the_rack_may_both_be_the_hands() -> None:
    for played in rounds(12, 12, {2: Bets(1000)}):
        row = row_of(played)
        shown = next(shown for shown in row.shown if shown.place == 2)
        one, two, three, *rest = shown.cards
        row.rack = row.rack[:-14] + bytes([two, three, one, *rest]) + row.rack[-7:]
        assert found(reported(row, played)) == ["DEAL-307"]
        row.facts = [f._replace(amount=f.amount + 1) if f.kind == Fact.SETTLED else f for f in row.facts]
        codes = found(row)
        assert codes[0] == "DEAL-307" and codes[1] in ("SETTLE-101", "SETTLE-102"), "no setting gives a cent more"


def test_a_hand_shown_one_way_lies_in_the_rack_high_cards_first() -> None:
    """Five cards shown high and then the two shown low were laid the wrong way round; where the cards as they lie are
    as good a setting as the one shown (these players set their hands anyhow), either may be how it was set."""
    tally: Counter[str] = Counter()
    for played in rounds(12, 60, {2: Bets(1000)}):
        row = row_of(played)
        shown = next(shown for shown in row.shown if shown.place == 2)
        row.rack = row.rack[:-14] + shown.cards[2:] + shown.cards[:2] + row.rack[-7:]
        _, (finding,) = audited(reported(row, played))
        assert finding.seat == 2
        tally[finding.code] += 1
    assert tally.keys() <= {"RACK-326", "DEAL-307"}
    assert tally["RACK-326"] > 10


def test_a_hand_shown_with_other_cards_than_the_rack_has_and_nothing_to_decide() -> None:
    for place, verdict in ((2, 1), (0, 3)):
        for played in rounds(13, 10, THREE):
            row = row_of(played, deal_read=False)
            at, shown = next((at, shown) for at, shown in enumerate(row.shown) if shown.place == place)
            row.shown[at] = ShownRow(place, 0, 2, bytes([row.rack[0], *shown.cards[1:]]), shown.seq)
            reported(row, played)
            assert found(row) == ["RACK-323"]
            row.named["filing"] = canonical_filing("ma/pai_gow_poker", "1.0", {})
            lines = audit(batch_of([row])).by_filing[0].checked.lines
            assert sum(bin(int(bits)).count("1") == 3 for bits in lines.possible) == verdict, "these could be anything"


def test_a_card_missing_and_the_deal_begun_elsewhere() -> None:
    """The hands shown fit the deal from another place than announced, and then every card is where it was dealt."""
    for played in rounds(14, 20, THREE):
        row = row_of(played)
        wrong = (played.start + 3) % 7
        row.fixed.update(start_place=wrong, start_number=wrong + 8)
        row.rack = row.rack[:-1]  # of the dealer's hand
        _, findings = audited(reported(row, played))
        assert sorted(finding.code for finding in findings) == ["CARD-311", "START-201"]
        (missing,) = (finding.sentence for finding in findings if finding.code == "CARD-311")
        assert f"missing: {played.settings[0][1][-1]}, dealt to the dealer; most likely" in missing


def test_a_setting_nobody_saw_is_named_as_such() -> None:
    """Every setting that is not foul pushes or wins; the wager was taken. It may have been set foul, which the sentence
    must say, not only the rule."""
    seen = 0
    for played in rounds(15, 200, {2: Bets(1000, 500)}):
        row = reported(row_of(played, deal_read=False, shown={0}), played)
        row.facts = [
            fact._replace(code=OUTCOME_CODE[Outcome.LOSE], amount=0, taken=1000)
            if (fact.kind, fact.wager) == (Fact.SETTLED, "pai_gow")
            else fact
            for fact in row.facts
            if fact.kind != Fact.VIGORISH
        ]
        for finding in audited(row)[1]:
            seen += 1
            assert "unless foul; rulings.md R-51" in finding.sentence or "that is not foul" in finding.sentence
    assert seen > 10


def test_a_round_that_was_never_finished_misses_no_card() -> None:
    (played,) = rounds(16, 1, THREE)
    row = row_of(played)
    row.rack = row.rack[:18]
    assert "CARD-311" in found(row)
    row.fixed["flags"] &= ~RoundFlag.CLOSED
    assert "CARD-311" not in found(row)
    row.rack += row.rack[:1]
    assert "CARD-312" in found(row), "but a card twice is a card too many"


# ---- start, stub, equipment ----------------------------------------------------------------------------------------


def test_hands_dealt_from_a_wrong_place_are_dead() -> None:
    """MA-PGP §11(c); it is about dice, but nothing distinguishes the wrong (rulings.md R-57)."""
    (played,) = rounds(17, 1, THREE)
    row = reported(row_of(played, deal_read=False), played)
    row.fixed.update(start_number=7, start_place=0)  # place 6
    for method, options in (
        (StartMethod.DICE, {}),
        (StartMethod.RNG, {"starting": "rng"}),
        (StartMethod.BUTTON, {"starting": "button", "dealing": "automated_shoe"}),
    ):
        row.fixed.update(start_method=START_METHOD_CODE[method], previous_button=3)
        (finding,) = audited(row, **options)[1]
        assert finding.code == "START-201"
        assert "all hands were dead" in finding.sentence
        assert finding.confidence == LIKELY, "where the cards were dealt from nobody saw"
    seen = reported(row_of(played), played)
    seen.fixed.update(start_number=(played.start + 1) % 7 + 8, start_place=(played.start + 1) % 7)
    (finding,) = audited(seen)[1]
    assert ": all hands were dead" in finding.sentence
    assert finding.confidence == CERTAIN


def test_a_bank_counts_from_itself_and_nothing_is_settled_under_a_filing_without_one() -> None:
    for played in rounds(18, 10, THREE):
        row = row_of(played)
        row.fixed.update(bank_seat=2, start_place=(played.start + 2) % 7)  # MA-PGP §10(h)(3)
        played.lines = {(1, "pai_gow"): ("win", 1000, 0), (4, "pai_gow"): ("lose", 0, 1000)}
        played.lines[2, "pai_gow"] = ("push", 0, 0)
        verdict, findings = audited(reported(row, played))
        assert (verdict, [finding.code for finding in findings]) == ("differs", ["BANK-804"])


@pytest.mark.parametrize(
    ("boxed", "stub", "codes"),
    [
        ([0], 3, []),
        ([0], 4, []),  # counted with the stub
        ([0, 0], 3, []),  # one card, reported twice
        ([0], 2, ["DEAL-301"]),
        ([0, 1], 2, ["DEAL-304"]),
        ([0, None], 2, ["DEAL-304"]),
        ([0, 1], 3, ["DEAL-301", "DEAL-304"]),
        ([], 3, ["DEAL-301"]),
        ([-1], 4, ["DEAL-309"]),  # the dealer's: it had to be set aside
    ],
)
def test_cards_found_face_up_are_missing_from_the_stub(boxed: list[int | None], stub: int, codes: list[str]) -> None:
    """The cards boxed, by their index in the rack: the stub's four lie first, the dealer's last."""
    (played,) = rounds(19, 1, THREE)
    row = row_of(played)
    row.fixed.update(stub_count=stub)
    for number, at in enumerate(boxed):
        card = 255 if at is None else row.rack[at]
        row.facts.append(FactRow(Fact.BOXED, row.fixed["last_seq"] + number, card=card))
    row.fixed["last_seq"] += 2
    assert found(reported(row, played)) == codes


def test_a_misdeal_rests_on_the_count_of_the_stub() -> None:
    (played,) = rounds(20, 1, THREE)
    row = row_of(played)
    row.fixed.update(stub_count=1, stub_seq=15)
    (finding,) = audited(reported(row, played))[1]
    assert "1 card was left after the deal instead of 4" in finding.sentence
    assert 15 in finding.evidence


def test_decks_alternate_within_a_day_and_while_they_are_the_same_decks() -> None:
    (played,) = rounds(21, 1, THREE)
    row = reported(row_of(played), played)
    row.named.update(deck="red", previous_deck="red")
    row.fixed.update(previous_button=3, since_previous_s=90, deck_age_s=3600)
    assert found(row, decks=2) == ["EQUIP-952"]
    row.fixed.update(previous_button=GAME_START)
    assert found(row, decks=2) == [], "the round before was yesterday's"
    row.fixed.update(previous_button=3, deck_age_s=30)
    assert found(row, decks=2) == [], "a new deck, brought since"


def test_no_section_allows_a_fortune_wager_above_two_hundred_dollars() -> None:
    """MA-PGP §3(l)(1): "no less than $5 to no more than $200"; §15(b) lowers the minimum only."""
    pack = load_pack("ma/pai_gow_poker")
    file_under(pack, "1.0", {"fortune_maximum_cents": 20_000})
    with pytest.raises(PackError, match="fortune_maximum_cents"):
        file_under(pack, "1.0", {"fortune_maximum_cents": 20_001})
