"""The reader of the shoe or shuffler sees wrong as well: told as that, and nobody accused for it."""

from __future__ import annotations

import random

import pytest

from replay.audit import audit
from replay.cards.solver.confidence import CONFIDENT
from replay.cards.solver.evidence import HOLE, RackEvidence
from replay.cards.solver.explanations import explain
from replay.cards.solver.faults import Fault, FaultKind
from replay.cards.solver.hypotheses import Differences, one_more_fault
from replay.cards.solver.hypothesis import Hypothesis, start
from replay.cards.solver.layout import BANKER, PLAYER, STUB, Slot
from replay.cards.solver.sentences import of_causes
from replay.filing import canonical_filing
from replay.how_read import reading_document
from replay.rounds import RoundRow, batch_of
from schemas.cards import CARD_NAMES, NO_CARD, codes_of
from schemas.findings import POSSIBLE
from tests.packs.pai_gow_poker_table import Played
from tests.packs.supreme_baccarat_rounds import Table
from tests.reconstruct.pai_gow_rounds import a_round, audited, filed

SUITS = 4


def alike(one: int, other: int) -> bool:
    return one != other and max(one, other) < 52 and (one // SUITS == other // SUITS or one % SUITS == other % SUITS)


# ---- the solver, without a game ------------------------------------------------------------------------------------

DECK = codes_of(["2s", "3d", "4s", "5s", "6d", "7s", "8h", "9h", "Th", "Jc", "Qc", "Kc"])
ONE, TWO, DEALER = DECK[3:6], DECK[6:9], DECK[9:]
LAYOUT = (Slot(STUB, 3), Slot(1, 3), Slot(2, 3), Slot(0, 3))


def test_a_misread_deal_beside_a_rack_in_order_is_a_thought_beside_a_card_exchanged_with_the_stub() -> None:
    """7s of seat 1 was read as 2s, which lies in the stub: or somebody exchanged the two."""
    dealt = {1: ONE[:2] + codes_of(["2s"]), 2: TWO, 0: DEALER}
    answer = explain(RackEvidence(DECK, (LAYOUT,), frozenset(DECK), DECK, dealt=dealt))
    kinds = {tuple(fault.kind for fault in one.faults): one for one in answer.explanations}
    misread = kinds[FaultKind.DEALT_MISREAD,]
    assert misread.faults == (Fault(FaultKind.DEALT_MISREAD, (1,), tuple(codes_of(["2s"])), (ONE[2],)),)
    assert misread.against == () and misread.reading.cards(1) == ONE, "the rack is right"
    assert answer.best is None and kinds[()].against, "and the other is kept"


def test_what_no_reader_would_confuse_was_not_misread() -> None:
    dealt = {1: ONE[:2] + codes_of(["3d"]), 2: TWO, 0: DEALER}  # for 7s
    answer = explain(RackEvidence(DECK, (LAYOUT,), frozenset(DECK), DECK, dealt=dealt))
    assert all(fault.kind is not FaultKind.DEALT_MISREAD for one in answer.explanations for fault in one.faults)


def test_a_card_taken_for_another_of_the_same_hand_was_misread() -> None:
    """5d of seat 1, which also has 5c, was read as 5c: the deal gives the hand 5c twice."""
    deck = codes_of(["2s", "3d", "4s", "5c", "5d", "7s", "8h", "9h", "Th", "Jc", "Qc", "Kc"])
    dealt = {1: codes_of(["5c", "5c", "7s"]), 2: deck[6:9], 0: deck[9:]}
    answer = explain(RackEvidence(deck, (LAYOUT,), frozenset(deck), deck, dealt=dealt))
    assert answer.best is not None
    assert answer.best.faults == (Fault(FaultKind.DEALT_MISREAD, (1,), tuple(codes_of(["5c"])), (deck[4],)),)


def test_a_misread_deal_beside_swapped_hands_is_both() -> None:
    """8h of seat 2 was read as 7h, which no deck of these has: the deal still says that the hands were swapped."""
    dealt = {1: ONE, 2: codes_of(["7h"]) + TWO[1:], 0: DEALER}
    rack = DECK[:3] + TWO + ONE + DEALER
    answer = explain(RackEvidence(rack, (LAYOUT,), frozenset(range(52)), DECK, dealt=dealt))
    first = answer.explanations[0]
    assert {fault.kind for fault in first.faults} == {FaultKind.SWAPPED, FaultKind.DEALT_MISREAD}
    assert first.against == () and first.reading.cards(2) == TWO


def test_where_the_deal_alone_says_what_must_be_there_either_reader_may_be_wrong() -> None:
    layout = (Slot(PLAYER, 2), Slot(BANKER, 2))
    dealt, rack = codes_of(["9s", "Kd", "7c", "Th"]), codes_of(["9s", "Kd", "7c", "Tc"])
    given = {PLAYER: dealt[:2], BANKER: dealt[2:]}
    evidence = RackEvidence(rack, (layout,), frozenset(range(52)), dealt, dealt=given, expected_by_deal=True)
    said = {one.faults[0].kind: one.confidence for one in explain(evidence).explanations}
    assert said[FaultKind.MISREAD] == pytest.approx(said[FaultKind.DEALT_MISREAD], abs=0.01)
    assert 0.4 < said[FaultKind.MISREAD] < 0.5 and said[FaultKind.DUPLICATE] > 0.02
    words = of_causes(explain(evidence))
    assert "the rack reader took Th of the Banker hand for Tc" in words
    assert "the shoe or shuffler took Tc of the Banker hand for Th" in words


def test_a_card_that_was_misread_when_dealt_and_is_not_in_the_rack_is_named_by_nothing() -> None:
    layout = (Slot(PLAYER, 2), Slot(BANKER, 2))
    dealt, rack = codes_of(["9s", "Kd", "7c", "Th"]), codes_of(["9s", "Kd", "7c"])
    given = {PLAYER: dealt[:2], BANKER: dealt[2:]}
    evidence = RackEvidence(rack, (layout,), frozenset(range(52)), dealt, dealt=given, expected_by_deal=True)
    differences = Differences(evidence)
    pairs = [
        two.faults
        for one in one_more_fault(start(evidence, layout), evidence, differences, 2)
        if isinstance(one, Hypothesis)
        for two in one_more_fault(one, evidence, differences, 1)
        if isinstance(two, Hypothesis)
    ]
    unnamed = Fault(FaultKind.DEALT_MISREAD, (BANKER,), tuple(codes_of(["Th"])), (HOLE,))
    assert any(unnamed in faults and any(one.kind is FaultKind.MISSING for one in faults) for faults in pairs)


# ---- pai gow poker -------------------------------------------------------------------------------------------------


def dealt_as(row: RoundRow, at: int, card: int) -> None:
    row.dealt = row.dealt[:at] + bytes([card]) + row.dealt[at + 1 :]


def place_of(played: Played, card: int) -> int:
    return next(place for place, hand in played.hands.items() if CARD_NAMES[card] in hand)


def whose(place: int) -> str:
    return f"seat {place}'s hand" if place else "the dealer's hand"


@pytest.mark.parametrize("shown", [None, set()], ids=["hands shown", "nothing shown"])
def test_a_card_read_twice_in_one_deal_is_mended_by_the_rack(shown: set[int] | None) -> None:
    for seed in range(6):
        played, row = a_round(seed, shown=shown)
        at = random.Random(seed).randrange(49)
        true = row.dealt[at]
        read = next(card for card in row.dealt if alike(card, true) or (true == 52 and card != 52))
        dealt_as(row, at, read)
        verdict, (finding,) = audited(row, played)
        assert (verdict, finding.code) == ("differs", "DEAL-311")
        hand = whose(place_of(played, true))
        said = f"the shoe or shuffler read {CARD_NAMES[read]} twice in one deal; by the rack it took {CARD_NAMES[true]}"
        assert f"{said} of {hand} for it" in finding.sentence
        assert finding.confidence >= CONFIDENT and finding.evidence


def test_what_the_deal_says_is_not_called_in_order_when_it_was_mended() -> None:
    played, row = a_round(1)
    true = row.dealt[10]
    dealt_as(row, 10, next(card for card in row.dealt if alike(card, true)))
    batch = batch_of([filed(row, played)])
    document = reading_document(batch, audit(batch))
    assert document is not None and document["deal"]["read"]
    assert [one["code"] for one in document["deal"]["differences"]] == ["DEAL-311"]


def test_a_card_that_the_shoe_could_not_read_is_named_by_the_rack() -> None:
    played, row = a_round(1)
    true = row.dealt[10]
    dealt_as(row, 10, NO_CARD)
    _, (finding,) = audited(row, played)
    assert finding.code == "DEAL-311"
    hand = whose(place_of(played, true))
    assert f"could not read a card of {hand}; by the rack it is {CARD_NAMES[true]}" in finding.sentence


def test_two_cards_misread_in_one_deal_are_told_and_the_deal_is_not_counted() -> None:
    played, row = a_round(2, shown=set())
    first, second = row.dealt[0], row.dealt[1]
    dealt_as(row, 5, first)
    dealt_as(row, 12, second)
    _, findings = audited(row, played)
    assert [finding.code for finding in findings] == ["DEAL-311"]
    assert f"read {CARD_NAMES[min(first, second)]} 2 times" in findings[0].sentence
    assert "the deal is not counted" in findings[0].sentence


def test_a_misread_deal_still_tells_that_two_hands_were_swapped() -> None:
    named_both = 0
    for seed in range(6):
        played, row = a_round(seed, shown=set())
        at = next(at for at, card in enumerate(row.dealt) if card != 52)
        true = row.dealt[at]
        dealt_as(row, at, next(card for card in row.dealt if alike(card, true)))
        first, second = row.rack[25:32], row.rack[32:39]
        row.rack = row.rack[:25] + second + first + row.rack[39:]
        _, findings = audited(row, played)
        codes = {finding.code for finding in findings}
        assert "DEAL-311" in codes and not codes & {"DEAL-302", "DEAL-306", "DEAL-308"}
        named_both += codes == {"DEAL-311", "RACK-324"}
    assert named_both >= 4


@pytest.mark.parametrize("confusable", [True, False])
def test_nobody_mucked_a_card_for_certain_that_the_shoe_may_have_misread(confusable: bool) -> None:
    seen = 0
    for seed in range(12):
        played, row = a_round(seed, shown=set())
        stub = [card for card in row.rack[:4] if card != 52]
        pairs = [
            (at, card)
            for at, true in enumerate(row.dealt)
            for card in stub
            if true != 52 and alike(card, true) == confusable
        ]
        if not pairs:
            continue
        at, card = random.Random(seed).choice(pairs)
        true = row.dealt[at]
        dealt_as(row, at, card)
        _, findings = audited(row, played)
        (finding,) = [finding for finding in findings if finding.code == "DEAL-308"]
        either = f"; or else the shoe or shuffler took {CARD_NAMES[true]} of {whose(place_of(played, true))} for"
        assert (either in finding.sentence) == confusable
        assert (finding.confidence <= POSSIBLE) == confusable
        seen += 1
    assert seen >= 6


def test_a_card_that_the_deck_held_twice_was_brought_in_by_nobody_at_the_table() -> None:
    """The second one was dealt: it lies where the deal has it, in both hands."""
    for seed in range(4):
        played, row = a_round(seed)
        at, other = 0, 1
        true, twice = row.dealt[at], row.dealt[other]
        name, was = CARD_NAMES[twice], CARD_NAMES[true]
        place = place_of(played, true)
        dealt_as(row, at, twice)
        row.rack = row.rack.replace(bytes([true]), bytes([twice]))
        row.shown = [
            shown._replace(cards=shown.cards.replace(bytes([true]), bytes([twice]))) if shown.place == place else shown
            for shown in row.shown
        ]
        _, findings = audited(row, played)
        (finding,) = [finding for finding in findings if finding.code == "CARD-312"]
        assert f"{name} is there 2 times" in finding.sentence and was in finding.sentence
        assert f"both {name} were dealt: the deck held it twice before the round" in finding.sentence
        assert "in the place of" not in finding.sentence, "and no hand is said to hold a card brought in"
        assert not {finding.code for finding in findings} & {"DEAL-302", "DEAL-308", "DEAL-311", "RACK-321"}


# ---- Supreme Baccarat ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rack", ["9s Kd 7c Tc", "9s Kc 7c Th"])
def test_shoe_and_rack_of_baccarat_may_both_be_wrong(rack: str) -> None:
    row = Table([]).row(rack=rack)
    row.named["filing"] = canonical_filing("ca/supreme_baccarat", "1.0", {})
    (finding,) = audit(batch_of([row])).findings
    assert "the rack reader took" in finding.sentence and "the shoe or shuffler took" in finding.sentence
    assert "most likely" not in finding.sentence


def test_of_five_cards_the_rules_do_not_say_who_drew_while_a_card_is_in_dispute() -> None:
    """The shoe took 5h for Th and did not say whom the fifth card was for: by its cards the Banker drew it."""
    row = Table([]).row(rack="Qc 5c 6s 2h 5h", deal="Qc 2h 5c Th 6s", to="unknown")
    row.named["filing"] = canonical_filing("ca/supreme_baccarat", "1.0", {})
    (finding,) = audit(batch_of([row])).findings
    assert "the shoe or shuffler took 5h of the Banker hand for Th" in finding.sentence


@pytest.mark.parametrize(
    ("rack", "kinds"),
    [
        # Banker's 3c exchanged for 6h and Player's 7c read as 3c: dealt 2d 9h 7c 3c, and 4s to somebody.
        ("2d 3c 4s 9h 6h", {FaultKind.DUPLICATE, FaultKind.MISREAD}),
        # Banker's 3c not in the rack and a second 2d beside the first.
        ("2d 2d 7c 4s 9h", {FaultKind.MISSING, FaultKind.DUPLICATE}),
    ],
)
def test_of_five_cards_the_first_four_are_dealt_in_turn_whoever_drew(rack: str, kinds: set[FaultKind]) -> None:
    """Two faults that leave one card too many and one missing are not one card in another hand's place."""
    row = Table([]).row(rack=rack, deal="2d 9h 7c 3c 4s", to="unknown")
    row.named["filing"] = canonical_filing("ca/supreme_baccarat", "1.0", {})
    (answer,) = (answer for part in audit(batch_of([row])).by_filing for answer in part.checked.answers.values())
    assert any({fault.kind for fault in one.faults} == kinds for one in answer.explanations)
    alone = [one for one in answer.explanations if len(one.faults) == 1 and not one.against]
    assert all(one.confidence < CONFIDENT for one in alone)
    assert sum(one.confidence for one in answer.explanations) <= 1 + 1e-9
