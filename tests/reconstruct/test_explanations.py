"""The solver, without a game: what one rack allows, given its layout, the deal and the hands shown."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replay.cards.solver.answers import Contradiction, Status
from replay.cards.solver.budget import ROUND_STEPS, Budget
from replay.cards.solver.confidence import CONFIDENT, ON_ONE_WITNESS
from replay.cards.solver.evidence import (
    AT_ANY_TIME,
    HOLE,
    Denied,
    HoldAgainst,
    Look,
    Objections,
    RackEvidence,
    Reading,
    ShownHand,
)
from replay.cards.solver.explanations import MOST_CARDS, explain
from replay.cards.solver.faults import Fault, FaultKind
from replay.cards.solver.layout import STUB, Slot
from schemas.cards import NO_CARD, codes_of
from tests.reconstruct.rack_faults import FAULTS, Label
from tests.reconstruct.rack_table import GAMES, Round, play

seeds = st.integers(0, 2**32 - 1)
games = st.sampled_from(GAMES)

# Three hands of three cards and a stub of three, from a deck of twelve.
DECK = codes_of(["2s", "3s", "4s", "5s", "6s", "7s", "8s", "9s", "Ts", "Js", "Qs", "Ks"])
STUBBED, ONE, TWO, DEALER = DECK[:3], DECK[3:6], DECK[6:9], DECK[9:]
LAYOUT = (Slot(STUB, 3), Slot(1, 3), Slot(2, 3), Slot(0, 3))
DEALT = {1: ONE, 2: TWO, 0: DEALER}


def seen(rack: bytes, **known: object) -> RackEvidence:
    return RackEvidence(rack, (LAYOUT,), frozenset(range(52)), DECK, **known)  # type: ignore[arg-type]


def test_a_rack_as_the_procedure_has_it_is_read_one_way() -> None:
    answer = explain(seen(DECK, dealt=DEALT))
    assert answer.status is Status.UNIQUE
    assert answer.reading is not None
    assert {place: answer.reading.cards(place) for place in DEALT} == DEALT
    assert answer.best is not None and answer.best.faults == () and answer.best.against == ()


@pytest.mark.parametrize(
    ("rack", "fault"),
    [
        (STUBBED + TWO + ONE + DEALER, Fault(FaultKind.SWAPPED, (1, 2))),
        (STUBBED + DEALER + ONE + TWO, Fault(FaultKind.OUT_OF_PLACE, (0,))),
        (STUBBED + ONE + TWO[:2] + DEALER, Fault(FaultKind.MISSING, (2,), instead=(TWO[2],))),
        (STUBBED[1:] + ONE + TWO + DEALER, Fault(FaultKind.MISSING, (STUB,), instead=(STUBBED[0],))),
        (ONE + TWO + DEALER, Fault(FaultKind.STUB_SHORT, (STUB,), instead=tuple(STUBBED))),
        (STUBBED[2:] + ONE + TWO + DEALER, Fault(FaultKind.STUB_SHORT, (STUB,), instead=tuple(STUBBED[:2]))),
        (STUBBED + ONE + bytes([TWO[0], 52, TWO[2]]) + DEALER, Fault(FaultKind.FOREIGN, (2,), (52,), (TWO[1],), 7)),
        (DECK + ONE + TWO, Fault(FaultKind.MIXED, (), tuple(ONE + TWO), (), 12)),
        (
            STUBBED + ONE + bytes([TWO[0], NO_CARD, TWO[2]]) + DEALER,
            Fault(FaultKind.MISREAD, (2,), (NO_CARD,), (TWO[1],), 7),
        ),
    ],
)
def test_one_fault_beside_the_deal_is_told_in_its_place(rack: bytes, fault: Fault) -> None:
    answer = explain(seen(rack, dealt=DEALT))
    assert answer.status is Status.CONTRADICTORY
    assert answer.best is not None, [(one.faults, one.confidence) for one in answer.explanations]
    assert answer.best.faults == (fault,)
    assert answer.best.against == ()
    assert {place: sorted(answer.best.reading.cards(place)) for place in DEALT} == {
        place: sorted(cards) for place, cards in DEALT.items()
    }


def test_parts_laid_the_wrong_way_round_against_the_setting_shown() -> None:
    layout = (Slot(STUB, 3), Slot(1, 1, part="low"), Slot(1, 2, part="high"), Slot(2, 3), Slot(0, 3))
    rack = STUBBED + ONE[1:] + ONE[:1] + TWO + DEALER
    evidence = RackEvidence(rack, (layout,), frozenset(DECK), DECK, shown={1: ShownHand(ONE, 1)})
    answer = explain(evidence)
    first = answer.explanations[0]
    assert first.faults == (Fault(FaultKind.PARTS_REVERSED, (1,)),)
    assert first.reading.hands[1, 0] == (("low", ONE[:1]), ("high", ONE[1:]))
    assert any(one.against and one.against[0].what is Contradiction.SETTING_SHOWN for one in answer.explanations)


def test_a_card_of_another_deck_by_its_mark() -> None:
    marks = bytes([0] * 7 + [1] + [0] * 4)
    answer = explain(seen(DECK, marks=marks, own_mark=0))
    assert answer.explanations[0].faults == (Fault(FaultKind.OTHER_DECK, (2,), (TWO[1],), (), 7),)
    assert [against.what for against in answer.explanations[1].against] == [Contradiction.MARK]
    assert answer.reading is not None and answer.reading.cards(2) == TWO


def test_a_misread_card_and_one_brought_in_look_alike() -> None:
    """7s for 9s: the hands are known, which of the two happened is not, and the answer says so."""
    answer = explain(seen(STUBBED + ONE + bytes([TWO[0], TWO[0], TWO[2]]) + DEALER, dealt=DEALT))
    kinds = {one.faults[0].kind for one in answer.explanations if len(one.faults) == 1}
    assert {FaultKind.MISREAD, FaultKind.DUPLICATE} <= kinds
    assert answer.best is None
    assert answer.reading is not None and sorted(answer.reading.cards(2)) == sorted(TWO)


def test_a_card_read_twice_and_its_twin_beside_it_look_alike() -> None:
    """Neither passes for the other by its rarity; the hands are the same and certain."""
    answer = explain(seen(STUBBED + ONE + TWO[:1] + TWO + DEALER, dealt=DEALT))
    candidates = {one.faults[0] for one in answer.explanations if len(one.faults) == 1}
    assert Fault(FaultKind.READ_TWICE, (2,), (TWO[0],), (), 7) in candidates
    assert Fault(FaultKind.DUPLICATE, (2,), (TWO[0],), (), 7) in candidates
    assert answer.best is None
    assert answer.reading is not None and answer.reading.cards(2) == TWO


def explained_of_two(rack: bytes, **known: object) -> dict[tuple[tuple[FaultKind, tuple[int, ...]], ...], float]:
    """How sure each pair of faults is that leaves every witness content."""
    sure: dict[tuple[tuple[FaultKind, tuple[int, ...]], ...], float] = defaultdict(float)
    for one in explain(seen(rack, dealt=DEALT, **known)).explanations:
        if not one.against:
            sure[tuple((fault.kind, fault.places) for fault in one.faults)] += one.confidence
    return sure


def test_two_faults_have_one_name_in_whatever_order_they_are_supposed() -> None:
    """Hands 1 and 2 swapped and a card of 2's, which now lies first, missing; a short stub and a strange card in 2."""
    candidates = explained_of_two(STUBBED + TWO[:2] + ONE + DEALER)
    assert candidates[(FaultKind.MISSING, (2,)), (FaultKind.SWAPPED, (1, 2))] > 0.9
    candidates = explained_of_two(ONE + bytes([TWO[0], 52, TWO[2]]) + DEALER)
    assert candidates[(FaultKind.FOREIGN, (2,)), (FaultKind.STUB_SHORT, (STUB,))] > 0.9
    assert not any((FaultKind.FOREIGN, (1,)) in names or (FaultKind.MISSING, (1,)) in names for names in candidates)


def test_a_card_too_many_whose_twin_is_among_the_cards_not_put_in() -> None:
    """The whole stub left out, and a second copy of one of its cards in hand 2: that face is there once. (A card of the
    stub switched into a hand would look the same, against the deal.)"""
    candidates = explained_of_two(ONE + TWO[:1] + STUBBED[:1] + TWO[1:] + DEALER)
    assert candidates[(FaultKind.DUPLICATE, (2,)), (FaultKind.STUB_SHORT, (STUB,))] > 0.4


def test_another_round_before_a_short_stub() -> None:
    other = bytes([TWO[0], ONE[1], DEALER[2], STUBBED[0], STUBBED[2], ONE[0]])
    candidates = explained_of_two(other + STUBBED[:1] + ONE + TWO + DEALER)
    assert candidates[(FaultKind.MIXED, ()), (FaultKind.STUB_SHORT, (STUB,))] > 0.3


def settled_as(hands: dict[int, bytes]) -> HoldAgainst:
    """Each place's wager was settled as these hands would have it, and no others."""

    def hold_against(readings: Sequence[Reading]) -> list[Objections]:
        return [
            Objections(
                tuple(Denied(place, (90 + place,)) for place, cards in hands.items() if one.cards(place) != cards)
            )
            for one in readings
        ]

    return hold_against


def test_the_money_tells_two_hands_apart_that_the_cards_do_not() -> None:
    evidence = seen(STUBBED + TWO + ONE + DEALER, settled=(90, 91, 92))
    alone = explain(evidence)
    assert alone.status is Status.UNIQUE and alone.reading is not None and alone.reading.cards(1) == TWO
    candidates = explain(evidence, hold_against=settled_as(DEALT))
    first, second = candidates.explanations[:2]
    assert first.faults == (Fault(FaultKind.SWAPPED, (1, 2)),) and first.reading.cards(1) == ONE
    assert 0.8 < first.confidence < CONFIDENT, "a dealer who settled two wagers wrong would leave the same"
    assert second.faults == () and {against.place for against in second.against} == {1, 2}


def test_a_table_settled_wrong_is_not_told_as_hands_picked_up_in_swapped_order() -> None:
    """Every wager of a round denied: one slip (the dealer's own hand misjudged) is as likely as two hands swapped, and
    beside the deal it is all there is."""
    hold_against = settled_as({1: TWO, 2: ONE})
    alone = explain(seen(DECK, settled=(91, 92)), hold_against=hold_against)
    assert alone.reading is None
    both = explain(seen(DECK, settled=(91, 92), dealt=DEALT), hold_against=hold_against)
    assert both.best is not None and both.best.faults == ()
    assert [(one.what, one.place) for one in both.best.against] == [
        (Contradiction.SETTLED, 1),
        (Contradiction.SETTLED, 2),
    ]


@pytest.mark.parametrize(
    ("collected", "may_be"),
    [
        ({}, True),  # both were on the table until they were settled
        ({1: 1, 2: 1}, True),  # collected in one step, before play
        ({1: 1}, False),  # hand 1 was gone before hand 2 was played
        ({1: 1, 2: 2}, False),  # with no wager, and surrendered
        ({1: AT_ANY_TIME}, True),  # voided: nobody knows when it was collected
        ({1: 1, 2: AT_ANY_TIME}, True),
    ],
)
def test_hands_are_swapped_only_while_both_lie_on_the_table(collected: dict[int, int], may_be: bool) -> None:
    """rulings.md R-60."""
    answer = explain(
        seen(STUBBED + TWO + ONE + DEALER, settled=(91,), collected=collected), hold_against=settled_as({1: ONE})
    )
    swapped = Fault(FaultKind.SWAPPED, (1, 2))
    assert any(swapped in one.faults for one in answer.explanations) is may_be


def test_a_hand_in_play_cannot_lie_before_one_collected_before_play_but_one_forgotten_may_lie_behind() -> None:
    """rulings.md R-60 of a packet out of its place: the dealer's hand before hand 1; hand 1 behind the dealer's."""
    early = seen(STUBBED + DEALER + ONE + TWO, dealt=DEALT)
    best = explain(early).best
    assert best is not None and best.faults == (Fault(FaultKind.OUT_OF_PLACE, (0,)),)
    gone_before = explain(replace(early, collected={1: 1}))
    assert all(Fault(FaultKind.OUT_OF_PLACE, (0,)) not in one.faults for one in gone_before.explanations)
    late = explain(seen(STUBBED + TWO + DEALER + ONE, dealt=DEALT, collected={1: 1})).best
    assert late is not None and late.faults == (Fault(FaultKind.OUT_OF_PLACE, (1,)),)


def test_who_is_blamed_on_the_rack_alone_is_not_surely_blamed() -> None:
    """One wager settled as no reading has it: likely wrong, never sure; with the deal beside the rack it is."""
    hold_against = settled_as({1: b"nothing"})
    alone = explain(seen(DECK, settled=(90, 91, 92)), hold_against=hold_against)
    first = alone.explanations[0]
    assert [(against.what, against.place, against.seq) for against in first.against] == [
        (Contradiction.SETTLED, 1, (91,))
    ]
    assert 0.8 < first.confidence <= ON_ONE_WITNESS and alone.reading is None
    both = explain(seen(DECK, settled=(90, 91, 92), dealt=DEALT), hold_against=hold_against)
    assert both.explanations[0].confidence > CONFIDENT
    shown = explain(seen(DECK, settled=(90, 91, 92), shown={1: ShownHand(ONE)}), hold_against=hold_against)
    assert shown.explanations[0].confidence > CONFIDENT


def test_a_hand_shown_with_a_card_it_does_not_have_is_not_excused_by_a_strange_card_elsewhere() -> None:
    """A second 7s in hand 2, and hand 2 was shown with it: played so. Shown with another card besides: a witness."""
    rack = STUBBED + ONE + bytes([TWO[0], TWO[0], TWO[2]]) + DEALER
    strange = Fault(FaultKind.DUPLICATE, (2,), (TWO[0],), (TWO[1],), 7)
    for shown, content in ((bytes([TWO[0], TWO[0], TWO[2]]), True), (bytes([TWO[0], DEALER[0], TWO[2]]), False)):
        answer = explain(seen(rack, shown={2: ShownHand(shown)}))
        found = [one for one in answer.explanations if [fault._replace(at=7) for fault in one.faults] == [strange]]
        assert all(not one.against for one in found) is content if found else not content


def test_a_missing_card_with_no_witness_may_be_anybodys() -> None:
    answer = explain(seen(STUBBED + ONE + TWO[:2] + DEALER))
    assert answer.best is None
    assert {one.faults[0].places[0] for one in answer.explanations} == {STUB, 1, 2, 0}
    assert sum(one.confidence for one in answer.explanations) <= 1


def test_a_witness_against_the_rack_is_named() -> None:
    shown = {1: ShownHand(TWO, seq=7)}
    answer = explain(seen(DECK, dealt=DEALT, shown=shown, rack_seq=(3,)))
    first = answer.explanations[0]
    assert first.faults == ()
    assert [(against.what, against.place, against.seq) for against in first.against] == [
        (Contradiction.HAND_SHOWN, 1, (7,))
    ]
    assert 7 not in first.evidence and 3 in first.evidence


def test_several_layouts_that_fit_are_all_kept() -> None:
    other = (Slot(STUB, 3), Slot(2, 3), Slot(1, 3), Slot(0, 3))
    answer = explain(RackEvidence(DECK, (LAYOUT, other), frozenset(DECK), DECK))
    assert answer.status is Status.AMBIGUOUS
    assert {reading.cards(1) for reading, _ in answer.readings} == {ONE, TWO}
    candidates = explain(RackEvidence(DECK, (LAYOUT, other), frozenset(DECK), DECK, shown={1: ShownHand(ONE)}))
    assert candidates.status is Status.UNIQUE and candidates.reading is not None and candidates.reading.cards(1) == ONE


@pytest.mark.parametrize("rack", [b"", DECK[:1], DECK * 5, bytes([NO_CARD] * 12), bytes([52] * 12), bytes(60)])
def test_whatever_was_read_gets_an_answer(rack: bytes) -> None:
    answer = explain(seen(rack, dealt=DEALT))
    assert answer.status is Status.CONTRADICTORY
    assert answer.best is None
    assert answer.considered <= ROUND_STEPS + 1


def test_the_search_gives_up_at_its_bound_and_says_so() -> None:
    answer = explain(seen(bytes(MOST_CARDS + 1)))
    assert answer.bound_hit and answer.explanations == () and answer.reading is None


def test_a_search_given_up_keeps_what_one_fault_explains_but_not_surely() -> None:
    """With hands that look odd a second fault is looked for; when that is too much, the first one is still likely."""
    rack = STUBBED + TWO + ONE + DEALER

    def odd(readings: Sequence[Reading]) -> list[Look]:
        return [Look(0.0, usual=10.0)] * len(readings)

    whole = explain(seen(rack, dealt=DEALT), odd)
    assert whole.best is not None and not whole.bound_hit
    cut_short = explain(seen(rack, dealt=DEALT), odd, budget=Budget(100))
    assert cut_short.bound_hit and cut_short.best is None and cut_short.reading is None
    assert cut_short.explanations[0].faults == whole.best.faults
    none = explain(seen(rack[1:-1] + rack[:1] * 3, dealt=DEALT), odd, budget=Budget(100))
    assert none.explanations == (), "and nothing is guessed"


# ---- properties ----------------------------------------------------------------------------------------------------


@given(games, seeds, st.data())
@settings(max_examples=60, deadline=None)
def test_adding_information_never_makes_a_unique_answer_ambiguous(game: str, seed: int, data: st.DataObject) -> None:
    """Of a clean rack, and of one spoiled and explained surely: true reports more leave the answer as it is."""
    played = play(game, seed)
    places = sorted(played.hands)
    some = tuple(data.draw(st.sets(st.sampled_from(places))))
    dealt = data.draw(st.booleans())
    kind = data.draw(st.sampled_from(["", "swapped", "missing", "foreign", "read_twice", "stub_short"]))
    if kind:
        FAULTS[kind](played.rack, Random(seed), [])
    before = explain(played.evidence(dealt=dealt, shown=some))
    more = tuple({*some, *data.draw(st.sets(st.sampled_from(places)))})
    after = explain(played.evidence(dealt=data.draw(st.booleans()) or dealt, shown=more))
    if before.status is Status.UNIQUE and after.status is not Status.CONTRADICTORY:
        assert after.status is Status.UNIQUE
    if not kind:
        assert before.status is after.status is Status.UNIQUE
        assert before.reading is not None and after.reading is not None
        assert after.reading.key == before.reading.key
    elif before.best is not None and before.best.faults and after.best is not None:
        assert before.best.faults == after.best.faults or not right(before.best.faults, played.rack.labels)


def right(faults: tuple[Fault, ...], labels: list[Label]) -> bool:
    return [(fault.kind.value, set(fault.places)) for fault in faults] == [
        (label.kind, set(label.places)) for label in labels
    ]


@given(games, seeds, st.sampled_from(sorted(set(FAULTS) - {"parts_reversed", "other_deck"})), st.booleans())
@settings(max_examples=80, deadline=None)
def test_what_is_said_surely_is_so(game: str, seed: int, kind: str, shown: bool) -> None:
    """Games without a pack, beside the deal or the hands shown: a sure answer names what was done, and the hands."""
    played = play(game, seed)
    others = [play(game, seed + 1).rack]
    if not FAULTS[kind](played.rack, Random(seed), others):
        return
    hands = {place: sorted(card.face for card in cards) for place, cards in played.hands.items()}
    answer = explain(played.evidence(dealt=not shown, shown=tuple(hands) if shown else ()))
    if answer.reading is not None:
        held = {place: sorted(answer.reading.cards(place)) for place in hands}
        assert all(HOLE in held[place] or held[place] == hands[place] for place in hands)
    if answer.best is not None and answer.best.faults:
        candidates = [fault.kind.value for fault in answer.best.faults]
        (label,) = played.rack.labels
        assert candidates == [label.kind] or (label.kind in ("duplicate", "mixed") and candidates == ["read_twice"])
        assert answer.best.confidence >= CONFIDENT


def test_the_games_without_a_pack_are_solved() -> None:
    """The property above is no empty one: beside the deal nearly every swap and every missing card is told."""
    for kind in ("swapped", "missing", "foreign"):
        candidates = 0
        for seed in range(20):
            played: Round = play(GAMES[seed % len(GAMES)], seed)
            FAULTS[kind](played.rack, Random(seed), [])
            answer = explain(played.evidence(dealt=True))
            candidates += answer.best is not None and right(answer.best.faults, played.rack.labels)
        assert candidates >= 15, kind


# ---- slips of other devices ----------------------------------------------------------------------------------------


def test_two_hands_shown_under_each_others_number_are_one_slip() -> None:
    """The money fits the rack as it lies: the hands were entered crosswise, and no wager was settled wrong."""
    crosswise = {1: ShownHand(TWO, seq=5), 2: ShownHand(ONE, seq=6)}
    settled = (8, 9)

    def as_racked(readings: Sequence[Reading]) -> Sequence[Objections]:
        return [
            Objections(
                tuple(Denied(place, (seq,)) for place, seq in ((1, 8), (2, 9)) if reading.cards(place) != held[place])
            )
            for reading in readings
        ]

    held = {1: ONE, 2: TWO}
    answer = explain(seen(DECK, shown=crosswise, settled=settled), hold_against=as_racked)
    first = answer.explanations[0]
    assert first.faults == () and {one.place for one in first.against} == {1, 2}
    assert {one.what for one in first.against} == {Contradiction.HAND_SHOWN}
    held = {1: TWO, 2: ONE}  # and where it fits the hands as shown, they were picked up in swapped order
    answer = explain(seen(DECK, shown=crosswise, settled=settled), hold_against=as_racked)
    assert answer.best is not None and answer.best.faults == (Fault(FaultKind.SWAPPED, (1, 2)),)


def test_a_wager_settled_wrong_by_the_hand_shown_alone_is_not_certain() -> None:
    """Deal and hand shown against the rack would be two witnesses; the hands shown are one."""
    crosswise = {1: ShownHand(TWO, seq=5), 2: ShownHand(ONE, seq=6)}

    def seat_1_lost(readings: Sequence[Reading]) -> Sequence[Objections]:
        return [Objections((Denied(1, (8,)),) if reading.cards(1) == TWO else ()) for reading in readings]

    answer = explain(seen(DECK, shown=crosswise, settled=(8,)), hold_against=seat_1_lost)
    for one in answer.explanations:
        if any(against.what is Contradiction.SETTLED for against in one.against):
            assert one.confidence <= ON_ONE_WITNESS


@pytest.mark.parametrize("number", [0, 1, 2, 3])
def test_a_packet_that_went_past_the_reader_twice_is_of_no_other_round(number: int) -> None:
    packet = (STUBBED, ONE, TWO, DEALER)[number]
    at = 3 * number
    rack = DECK[:at] + packet + DECK[at:]
    answer = explain(seen(rack))
    assert answer.best is not None
    (fault,) = answer.best.faults
    assert (fault.kind, fault.cards, fault.at) == (FaultKind.READ_TWICE, tuple(packet), at + 3)
    assert {place: answer.best.reading.cards(place) for place in DEALT} == DEALT
    mixed = DECK[:at] + bytes(reversed(packet)) + DECK[at:]
    first = explain(seen(mixed)).explanations[0]
    assert first.faults[0].kind is FaultKind.MIXED, "in another order they are other cards"
