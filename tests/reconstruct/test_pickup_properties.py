"""reconstruct(pickup(hands)) = hands, for the procedure of every game; and knowing more never leaves more open.

The rack is filled by `pickup_by_hand`, which knows the rulings and none of our code, and read back by `readings.read`
under the game's procedure.
"""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from replay.cards.pickup.layouts import hands_in, layouts
from replay.cards.pickup.picking import pick_up
from replay.cards.pickup.situation import HandSituation, Key, Situation
from replay.cards.pickup.words import Word
from replay.cards.solver.layout import BANKER, PLAYER
from replay.cards.solver.readings import Kind, Reading, Seen, read
from replay.filing import load_pack
from schemas.places import Numbering, Ring
from tests.reconstruct.pickup_by_hand import GAMES, Round
from tests.reconstruct.pickup_rounds import (
    Reading as Truth,
)
from tests.reconstruct.pickup_rounds import (
    facts_of,
    key_of,
    lies_in_any_order,
    procedure_of,
    rack_of,
    readings_by_trial,
    rounds,
    situation_of,
    truth_of,
    words_of,
)

every_game = pytest.mark.parametrize("game", GAMES)


def truth_in(reading: Reading) -> Truth:
    """Every hand of a reading, and the stub, the board and the burns."""
    return frozenset((key, frozenset(held.cards)) for key, held in reading.hands.items())


@every_game
@settings(max_examples=40, deadline=None)
@given(data=st.data())
def test_what_is_picked_up_is_read_back(game: str, data: st.DataObject) -> None:
    """Everything that decides where a hand goes is known: one reading, and it is the hands, card for card as set."""
    played = data.draw(rounds(game))
    rack = rack_of(game, played)
    found = read(rack, procedure_of(game), situation_of(game, played))
    assert found.kind is Kind.UNIQUE
    assert truth_in(found.readings[0]) == truth_of(played)
    for hand in played.hands:
        held = found.readings[0].hands.get(key_of(hand))
        if held is not None and not lies_in_any_order(game, hand):
            assert tuple(held.cards) == hand.cards
        if held is not None and lies_in_any_order(game, hand):
            assert not held.set_known


@every_game
@settings(max_examples=25, deadline=None)
@given(data=st.data())
def test_what_depends_on_the_cards_leaves_exactly_the_hands_that_would_fill_the_rack_so(
    game: str, data: st.DataObject
) -> None:
    """Who wins and what stays must come from the cards: every order of the hands is tried by hand, and the readings are
    those that give the same rack; the truth is always one of them."""
    played = data.draw(rounds(game, most_seats=4).filter(lambda some: len(some.hands) <= 6))
    rack = rack_of(game, played)
    found = read(rack, procedure_of(game), situation_of(game, played, known=False), facts_of(game, played))
    assert found.complete
    assert truth_of(played) in {truth_in(reading) for reading in found.readings}
    assert {truth_in(reading) for reading in found.readings} == readings_by_trial(game, played, rack)


@every_game
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_knowing_more_only_takes_readings_away(game: str, data: st.DataObject) -> None:
    """Hands seen (dealt or shown), whole or in part, and then outcomes reported: each leaves some of the readings there
    were, the truth always among them; one that was alone stays alone."""
    played = data.draw(rounds(game))
    rack, procedure, facts = rack_of(game, played), procedure_of(game), facts_of(game, played)
    least = read(rack, procedure, situation_of(game, played, known=False), facts)
    seen = {key_of(hand): _seen(data, game, hand.cards) for hand in played.hands if data.draw(st.booleans())}
    more = read(rack, procedure, situation_of(game, played, known=False), facts, seen)
    most = read(rack, procedure, _partly_known(data, game, played), facts, seen)
    before = {truth_in(reading) for reading in least.readings}
    for found in (more, most):
        after = {truth_in(reading) for reading in found.readings}
        assert truth_of(played) in after
        assert after <= before
        before = after
    if least.kind is Kind.UNIQUE:
        assert more.kind is Kind.UNIQUE
        assert most.kind is Kind.UNIQUE


def _seen(data: st.DataObject, game: str, cards: tuple[int, ...]) -> Seen:
    """A hand as the deal or the layout camera tells it: all of it, as set or as a heap, or some cards."""
    as_set = game.endswith("pai_gow") or "pai_gow" in game or game == "ca-double_hand_poker"
    match data.draw(st.sampled_from(("set", "heap", "some"))):
        case "set" if as_set and len(cards) > 2:
            return Seen(bytes(cards), 2)
        case "some":
            return Seen(bytes(cards[: data.draw(st.integers(0, len(cards)))]))
        case _:
            return Seen(bytes(sorted(cards)))


def _partly_known(data: st.DataObject, game: str, played: Round) -> Situation:
    """The situation with the outcome or the staying of some hands reported."""
    unknown = situation_of(game, played, known=False)
    hands = {key_of(hand): hand for hand in played.hands}
    made = []
    for situation in unknown.hands:
        hand = hands.get(situation.key)
        if hand is not None and data.draw(st.booleans()):
            true, _ = words_of(game, played, hand, known=True)
            situation = HandSituation(situation.key, situation.counts, true, frozenset(), situation.acted)
        made.append(situation)
    return Situation(tuple(made), unknown.ring, unknown.buttons)


@every_game
@settings(max_examples=20, deadline=None)
@given(data=st.data())
def test_the_layouts_hold_the_one_the_dealer_used(game: str, data: st.DataObject) -> None:
    played = data.draw(rounds(game, most_seats=5))
    rack = rack_of(game, played)
    found = layouts(procedure_of(game), situation_of(game, played, known=False), len(rack))
    read_so = [
        frozenset((key, frozenset(held.cards)) for key, held in hands_in(each.layout, rack).items())
        for each in found.candidates
    ]
    assert found.complete
    assert truth_of(played) in read_so


@every_game
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_the_procedure_carried_out_fills_the_rack_as_a_dealer_does(game: str, data: st.DataObject) -> None:
    """`picking` (which cases use) against the rulings, up to the order within hands that may lie in any."""
    played = data.draw(rounds(game))
    situation = situation_of(game, played)
    hands = {key_of(hand): bytes(hand.cards) for hand in played.hands}
    for other, cards in zip(situation.hands, (played.stub, played.board, played.burns), strict=False):
        if other.key.place < 0:
            hands[other.key] = bytes(cards)
    filled = pick_up(procedure_of(game), situation, hands, {}, played.button)
    expected = rack_of(game, played)
    assert sorted(filled) == sorted(expected)
    at = 0
    for hand in GAMES[game](played):
        at = filled.index(hand.cards[0], at) if hand.cards else at
        assert set(filled[at : at + len(hand.cards)]) == set(hand.cards)
        at += len(hand.cards)


@pytest.mark.parametrize("game", [game for game in GAMES if game not in ("ca/holdem", "ca/omaha", "ca/omaha_hi_lo")])
@settings(max_examples=30, deadline=None)
@given(data=st.data())
def test_a_hand_out_of_play_may_go_in_at_any_moment_before_the_last(game: str, data: st.DataObject) -> None:
    """No text says when a voided hand is collected: whenever it was, the truth is a reading, and the only one once the
    hand's own cards were seen."""
    played = data.draw(rounds(game))
    players = [hand for hand in GAMES[game](played) if not hand.is_against and not hand.is_dealers]
    void = data.draw(st.sampled_from(players))
    others = [hand for hand in GAMES[game](played) if hand is not void]
    others.insert(data.draw(st.integers(0, len(others) - 1)), void)
    rack = bytes(played.stub) + b"".join(bytes(hand.cards) for hand in others)
    situation = situation_of(game, played)
    out_of_play = tuple(
        HandSituation(hand.key, hand.counts, frozenset({Word.OUT_OF_PLAY}), acted=hand.acted)
        if hand.key == key_of(void)
        else hand
        for hand in situation.hands
    )
    voided = Situation(out_of_play, situation.ring, situation.buttons)
    found = read(rack, procedure_of(game), voided)
    assert truth_of(played) in {truth_in(reading) for reading in found.readings}
    seen = read(rack, procedure_of(game), voided, seen={key_of(void): Seen(bytes(sorted(void.cards)))})
    assert [truth_in(reading) for reading in seen.readings] == [truth_of(played)]


def test_a_showdown_nobody_reported_leaves_open_whose_the_winning_hand_is() -> None:
    """R-9: losing hands in seat order and the winner last say which hand won, not whose it was; the pot says that."""
    ring = Ring(3, Numbering.CLOCKWISE)
    rack = bytes([1, 2, 3, 4, 50, 51])
    either = frozenset({Word.WINS, Word.LOSES})
    unreported = Situation(tuple(HandSituation(Key(seat), (2,), frozenset(), either) for seat in (1, 2, 3)), ring)
    reported = Situation(
        (
            HandSituation(Key(1), (2,), frozenset({Word.LOSES})),
            HandSituation(Key(2), (2,), frozenset({Word.WINS})),
            HandSituation(Key(3), (2,), frozenset({Word.LOSES})),
        ),
        ring,
    )
    holdem = procedure_of("ca/holdem")
    assert read(rack, holdem, unreported).kind is Kind.AMBIGUOUS
    found = read(rack, holdem, reported)
    assert found.kind is Kind.UNIQUE
    assert [bytes(found.readings[0].hands[Key(seat)].cards) for seat in (1, 2, 3)] == [rack[:2], rack[4:], rack[2:4]]


@settings(max_examples=60, deadline=None)
@given(player=st.integers(2, 3), banker=st.integers(2, 3), shoe=st.permutations(range(52)))
def test_baccarat_is_the_player_hand_and_then_the_banker_hand(player: int, banker: int, shoe: list[int]) -> None:
    """R-7, with the sizes known: which of them drew is the drawing rules' business."""
    hands = (HandSituation(Key(PLAYER), (player,)), HandSituation(Key(BANKER), (banker,)))
    rack = bytes(shoe[: player + banker])
    procedure = load_pack("ca/supreme_baccarat").pickups["standard"]
    found = read(rack, procedure, Situation(hands, Ring(8, Numbering.CLOCKWISE)))
    assert found.kind is Kind.UNIQUE
    assert found.readings[0].hands[Key(PLAYER)].cards == rack[:player]
    assert found.readings[0].hands[Key(BANKER)].cards == rack[player:]
