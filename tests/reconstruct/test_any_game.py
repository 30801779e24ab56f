"""Racks of every game that can be simulated, spoiled on purpose: a game that is registered needs no line here."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from replay.audit import audit
from replay.rounds import batch_of
from tests.reconstruct import rack_tallies
from tests.reconstruct.rack_faults import FAULTS
from tests.reconstruct.rack_judge import WRONG
from tests.reconstruct.rack_tallies import answers_to
from tests.reconstruct.rack_trials import (
    DEAL,
    PACKS,
    RACK,
    SHOWN,
    TABLES,
    PlayedRound,
    Trial,
    as_seen,
    play,
    reports_held_against_true_hands,
    spoil,
)

OTHERS = [game for game in TABLES if game not in PACKS]


@pytest.mark.parametrize("game", OTHERS)
def test_true_hands_bear_out_every_report_and_others_do_not(game: str) -> None:
    """The judge itself: two seats' hands exchanged deny some of what was settled."""
    played = play(game, 30, 3)
    assert len(played) > 15, f"{game}: few rounds whose rack is one packet for each hand and one for what was not dealt"
    for evidence in (RACK, SHOWN, DEAL):
        said, against = reports_held_against_true_hands(played, evidence)
        assert said > 2 * len(played)
        assert against == 0
    rng, denied = Random(3), 0
    for one in played:
        spoilt = replace(one, rack=replace(one.rack, packets=[*one.rack.packets]))
        trial = spoil([spoilt] * 3, ["swapped"], RACK, rng, marked=False)
        if trial is not None:
            first, second = (place for label in trial.labels for place in label.places)
            denied += _denied_with_exchanged(one, first, second)
    assert denied > len(played) / 5


def _denied_with_exchanged(one: PlayedRound, first: int, second: int) -> bool:
    faces = {packet.place: packet.cards for packet in one.rack.packets}
    faces[first], faces[second] = faces[second], faces[first]
    packets = [replace(packet, cards=faces[packet.place], low=0) for packet in one.rack.packets]
    exchanged = replace(one, rack=replace(one.rack, packets=packets))
    return False in exchanged.held_against_reports(RACK)


@pytest.mark.slow
@pytest.mark.parametrize("game", OTHERS)
def test_one_fault_is_located_beside_the_deal_and_nobody_is_wrongly_accused(game: str) -> None:
    """A sample of `python -m benchmarks.reconstruction`."""
    played = play(game, 60, 2)
    kinds = [(kind,) for kind in rack_tallies.kinds_of(game, DEAL)]
    tally = rack_tallies.try_kinds(played, kinds, DEAL, 40, Random(2))
    assert tally.outcomes[WRONG] == 0, tally.wrong
    assert tally.knowable > 15
    assert tally.knowable_located >= 0.9 * tally.knowable


def found_codes(trial: Trial) -> set[str]:
    return {finding.code for finding in audit(batch_of([trial.row])).findings}


def reversed_hand(game: str, played: list[PlayedRound], against: bool) -> Trial:
    """A round with the low and the high hand of the player-dealer, or of another seat, laid the wrong way round."""
    rng = Random(5)
    for one in played:
        assert one.simulated is not None
        trial = spoil([one] * 3, ["parts_reversed"], SHOWN, rng, marked=False)
        if trial is not None and (trial.labels[0].places == (one.simulated.against,)) == against:
            return trial
    raise AssertionError(f"{game}: nobody's hand was laid so")


def test_a_player_dealers_hand_laid_the_wrong_way_round_is_found() -> None:
    """As the dealer's is: it was shown, and nobody set it against the house way."""
    trial = reversed_hand("ca/fortune_pai_gow", play("ca/fortune_pai_gow", 60, 51), against=True)
    assert found_codes(trial) == {"RACK-326"}


def test_with_a_raise_a_hand_laid_the_wrong_way_round_is_explained() -> None:
    """Players set as they like, so that it may also have been shown wrong: the likeliest explanation names the hand."""
    trial = reversed_hand("flt/supreme_pai_gow", play("flt/supreme_pai_gow", 60, 51), against=False)
    ((verdict,), _) = answers_to([trial])
    assert verdict.answer is not None
    (fault,) = verdict.answer.explanations[0].faults
    assert (fault.kind, fault.places) == ("parts_reversed", trial.labels[0].places)
    assert verdict.accused == {}


def test_a_card_played_with_in_the_player_dealers_hand_accuses_nobody_surely() -> None:
    """A second joker in seat 7's hand, which was picked up in the place of the player-dealer's at seat 5: as the rack
    lies the player-dealer held it, and three wagers were settled otherwise than without it."""
    played = [one for one in play("ca/fortune_pai_gow", 300, 51) if one.row.named["round_id"] == "20261117-0009"]
    (one,) = [one for one in played if one.row.named["table_id"] == "FP-10"]
    rack = replace(one.rack, packets=[replace(packet, cards=[*packet.cards]) for packet in one.rack.packets])
    seats = {packet.place: at for at, packet in enumerate(rack.packets)}
    cards = rack.packets[seats[7]].cards
    cards[[card.face for card in cards].index(52)] = replace(cards[0], face=53)
    rack.packets[seats[7]], rack.packets[seats[5]] = rack.packets[seats[5]], rack.packets[seats[7]]
    row = as_seen(one.row, RACK)
    row.rack, row.rack_deck = rack.faces(), b""
    ((verdict,), _) = answers_to([Trial(row, rack, one, RACK)])
    assert set(verdict.accused) == {1, 6, 7}
    assert max(verdict.accused.values()) <= 0.9


def test_every_kind_of_fault_can_be_done_to_some_game() -> None:
    for kind in FAULTS:
        assert any(kind in rack_tallies.kinds_of(game, RACK) for game in OTHERS)
