"""Odd racks through the whole audit: each fault a finding under its code, bad input too, and never a crash."""

from __future__ import annotations

import random

import pytest

from replay.audit import audit
from replay.cards.solver.confidence import CONFIDENT
from replay.filing import canonical_filing
from replay.rounds import Fact, batch_of
from schemas.cards import CARD_CODES, NO_CARD
from tests.packs.pai_gow_poker_table import Bets, play, row_of
from tests.packs.supreme_baccarat_rounds import Table
from tests.reconstruct.pai_gow_rounds import a_round, audited, filed

DECK = bytes(range(53))


def packet(rack: bytes, number: int) -> slice:
    """The slice of a packet after the stub's four cards."""
    return slice(4 + 7 * number, 11 + 7 * number)


@pytest.mark.parametrize(
    ("code", "spoil", "words"),
    [
        (
            "RACK-324",
            lambda r: r[:25] + r[packet(r, 4)] + r[packet(r, 3)] + r[39:],
            "were picked up in swapped order",
        ),
        ("RACK-325", lambda r: r[:25] + r[packet(r, 5)] + r[25:39] + r[46:], "lies out of its place"),
        ("RACK-327", lambda r: r[4:], "of the stub are not in the rack"),
        ("RACK-327", lambda r: r[2:], "of the stub are not in the rack"),
        ("RACK-328", lambda r: r[25:39] + r, "14 cards of another round"),
        ("RACK-329", lambda r: r[:30] + bytes([NO_CARD]) + r[31:], "could not read a card of seat"),
        ("CARD-312", lambda r: r[:30] + r[29:], "twice"),
        ("CARD-311", lambda r: r[:30] + r[31:], "the rack holds 52 of 53 cards"),
        ("CARD-313", lambda r: r[:30] + bytes([53]) + r[30:], "X2"),
    ],
)
def test_each_fault_beside_the_deal_is_one_finding_and_the_round_is_settled(
    code: str, spoil: object, words: str
) -> None:
    played, row = a_round()
    row.rack = spoil(row.rack)  # type: ignore[operator]
    _, findings = audited(row, played)
    assert [finding.code for finding in findings] == [code], [finding.sentence for finding in findings]
    assert words in findings[0].sentence
    assert findings[0].confidence >= CONFIDENT
    assert findings[0].evidence


def test_a_card_of_another_deck_is_told_by_its_mark() -> None:
    played, row = a_round()
    at = 30
    row.rack = row.rack[:at] + bytes([row.rack[at + 9]]) + row.rack[at + 1 :]
    row.rack_deck = bytes([1 if index == at else 0 for index in range(53)])
    _, findings = audited(row, played)
    assert "CARD-318" in [finding.code for finding in findings]


def test_the_same_card_of_another_deck_is_told_by_its_mark_alone() -> None:
    """Every face is there once, and nothing else is odd: an exchanged card must not pass for the one it replaced."""
    played, row = a_round()
    row.rack_deck = bytes([1 if index == 30 else 0 for index in range(53)])
    (finding,) = audited(row, played)[1]
    assert finding.code == "CARD-318" and "of another deck lies in seat" in finding.sentence
    row = a_round()[1]
    row.rack_deck = bytes(53)
    assert audited(row, played) == ("verified", [])


def test_a_strange_card_beside_its_twin_was_not_read_twice() -> None:
    played, row = a_round()
    row.rack = row.rack[:30] + row.rack[29:]
    row.rack_deck = bytes([1 if index == 30 else 0 for index in range(54)])
    (finding,) = audited(row, played)[1]
    assert finding.code == "CARD-318" and "twice" not in finding.sentence


@pytest.mark.parametrize("seen", ["rack alone", "rack and deal"])
@pytest.mark.parametrize(
    "rack",
    [
        b"",
        bytes([NO_CARD] * 53),
        DECK + DECK[:7],  # 60 cards
        DECK[:1],
        bytes([5] * 53),
        bytes([53] * 3) + DECK[3:],
        DECK * 2,
        DECK * 6,
    ],
    ids=["empty", "unreadable", "60 cards", "one card", "all alike", "jokers", "106 cards", "318 cards"],
)
def test_bad_racks_of_pai_gow_poker_are_findings(rack: bytes, seen: str) -> None:
    deal = seen == "rack and deal"
    played, row = a_round(deal_read=deal, shown=set())
    row.rack = rack
    verdict, findings = audited(row, played)
    if rack:  # an empty one is a rack that nobody reads
        assert verdict in ("differs", "cannot_tell")
        assert findings, "a rack like this is told"
    assert all(finding.sentence for finding in findings)


@pytest.mark.parametrize("deal", [True, False])
@pytest.mark.parametrize(
    "rack", ["9s Kd 7c Th " * 15, "X1 X2 9s Kd", "9s", " ".join(["9s"] * 60)], ids=["60", "jokers", "one", "alike"]
)
def test_bad_racks_of_baccarat_are_findings(rack: str, deal: bool) -> None:
    row = Table([]).row(rack=rack.strip(), deal=deal)
    row.named["filing"] = canonical_filing("ca/supreme_baccarat", "1.0", {})
    result = audit(batch_of([row]))
    assert result.findings


def test_an_ambiguous_rack_is_settled_by_every_reading_or_not_at_all() -> None:
    """A card missing, and nobody saw whose: money that differs between the readings is not called verified."""
    for seed in range(6):
        played, row = a_round(seed, deal_read=False, shown=set())
        row.rack = row.rack[:30] + row.rack[31:]
        verdict, findings = audited(row, played)
        assert "CARD-311" in [finding.code for finding in findings]
        assert verdict in ("differs", "cannot_tell")
        settled = [finding for finding in findings if finding.code.startswith("SETTLE")]
        assert all(finding.confidence < CONFIDENT for finding in settled), "nobody is accused on a guess"


def packets(rack: bytes) -> list[bytes]:
    """The stub and the seven hands, in the order they went in."""
    return [rack[:4], *(rack[packet(rack, number)] for number in range(7))]


@pytest.mark.parametrize("shown", [set(), None], ids=["nothing shown", "all shown"])
def test_a_misfiled_procedure_is_told_by_the_deal_without_a_search(shown: set[int] | None) -> None:
    """Every rack from the other end: no two slips give that order, and the deal says whose hand is whose."""
    for seed in range(5):
        played, row = a_round(seed, shown=shown)
        row.rack = b"".join(reversed(packets(row.rack)))
        result = audit(batch_of([filed(row, played)]))
        assert {finding.code for finding in result.findings} == {"RACK-321"}
        assert result.by_filing[-1].checked.answers == {}, "nothing was searched"


def test_hands_one_place_on_are_not_a_deal_that_began_elsewhere() -> None:
    """Six hands with a wager lie 1 to 6, and the dealer's, which should be last, first: the deal read from the next
    place fits that too, but then other hands played, and the dealer's was not set the house way."""
    found = 0
    for seed in range(8):
        played = play(random.Random(seed), bets={seat: Bets(1000) for seat in range(1, 7)}, foul_share=0.0)
        row = row_of(played, shown=set())
        stub, *hands, dealers = packets(row.rack)
        row.rack = b"".join([stub, dealers, *hands])
        _, findings = audited(row, played)
        codes = [finding.code for finding in findings]
        if codes == ["RACK-325"]:
            found += 1
            assert "the dealer's hand lies out of its place" in findings[0].sentence
        for finding in findings:
            assert finding.code != "START-201" or finding.confidence < CONFIDENT, finding.sentence
    assert found >= 6


def test_a_deal_that_began_elsewhere_is_still_that() -> None:
    """The rack in order, the dice said another place: no slip of the hand gives these hands to these places."""
    for seed in range(8):
        played = play(random.Random(seed), bets={seat: Bets(1000) for seat in range(1, 7)}, foul_share=0.0)
        row = row_of(played, shown=set())
        announced = (played.start + 1 + seed % 6) % 7
        row.fixed.update(start_place=announced, start_number=announced + 1)
        _, findings = audited(row, played)
        assert [(finding.code, finding.confidence > CONFIDENT) for finding in findings] == [("START-201", True)]


def test_the_causes_of_a_strange_card_are_told_with_how_likely_each_is() -> None:
    played, row = a_round()
    at = 30
    row.rack = row.rack[:at] + bytes([row.rack[at] ^ 1]) + row.rack[at + 1 :]  # the same rank in another suit
    (finding,) = audited(row, played)[1]
    assert finding.code == "CARD-312"
    assert "most likely the rack reader took" in finding.sentence
    assert "; or else a second" in finding.sentence
    assert finding.sentence.count("%") == 2


def test_every_finding_of_an_odd_rack_names_the_events_it_rests_on() -> None:
    """The settlements too: they are what tells whose hand it was."""
    played, row = a_round()
    row.rack = row.rack[:25] + row.rack[packet(row.rack, 4)] + row.rack[packet(row.rack, 3)] + row.rack[39:]
    row = filed(row, played)
    (finding,) = audit(batch_of([row])).findings
    settled = {fact.seq for fact in row.facts if fact.kind == Fact.SETTLED}
    assert finding.code == "RACK-324" and settled <= set(finding.evidence)


def test_hands_shown_crosswise_beside_a_rack_that_the_money_bears_out_accuse_nobody() -> None:
    found = 0
    for seed in range(12):
        played, row = a_round(seed, deal_read=False)
        one, other = (next(at for at, shown in enumerate(row.shown) if shown.place == place) for place in (0, 2))
        first, second = row.shown[one], row.shown[other]
        row.shown[one] = first._replace(cards=second.cards)
        row.shown[other] = second._replace(cards=first.cards)
        _, findings = audited(row, played)
        assert not any(finding.code.startswith("SETTLE") and finding.confidence >= CONFIDENT for finding in findings)
        found += [finding.code for finding in findings] == ["RACK-323", "RACK-323"]
    assert found >= 4


def test_how_the_dealers_hand_was_set_is_certain_where_it_was_shown_so() -> None:
    for shown, certain in ((None, True), (set(), False)):
        played, row = a_round(2, shown=shown)
        low, high = played.settings[0]
        laid = [*high[-2:], *low, *high[:-2]]  # the lowest two in front
        row.rack = row.rack[:46] + bytes(CARD_CODES[card] for card in laid)
        row.shown = [
            one._replace(cards=bytes(CARD_CODES[card] for card in laid)) if one.place == 0 else one for one in row.shown
        ]
        findings = audited(row, played)[1]
        (finding,) = [finding for finding in findings if finding.code == "HOUSE-402"]
        assert (finding.confidence >= CONFIDENT) == certain
