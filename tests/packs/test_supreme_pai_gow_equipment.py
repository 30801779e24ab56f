"""Cards, dice, shuffles and cuts at a Supreme Pai Gow table, from events to findings: each rule on both sides.

Massachusetts: MA-SPG §§2, 4, 5, 6 and 16. New Jersey: N.J.A.C. 19:46-1.16 to 1.18 and 19:47-34.2 to 34.6 and 34.16.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from replay.audit import audit_or_raise
from replay.rounds import batch_of
from schemas.admitted import AdmittedFlag
from schemas.cards import CARD_NAMES
from schemas.findings import Finding
from tests.replay.fed import rows_of
from tests.replay.tape import DAY, Tape

BOTH = ("ma/supreme_pai_gow", "nj/supreme_pai_gow")
MA, NJ = BOTH
OURS = ("EQUIP", "START")

Step = Callable[["Felt"], Any]


class Felt(Tape):
    """A table whose dice and cards come with what the given calls say of them."""

    def opens(self, pack: str = MA, **options: Any) -> None:
        self.say("table.opened", subject=False, gaming_day=DAY, pack=pack, version="1.0", options=options)

    def reports_inspections(self) -> None:
        self.say("device.online", subject=False, device="panel", sees=["equipment.*", "cards.introduced"])

    def inspected(self, kind: str = "cards", item: str = "red", by: str = "D-1", **more: Any) -> None:
        self.say("equipment.inspected", subject=False, kind=kind, item=item, by=by, **more)

    def cards(self, deck: str = "red", **more: Any) -> None:
        self.say("cards.introduced", subject=False, **{"deck": deck, "jokers": 2, "back": deck, **more})

    def dice(self, dice: str = "set-1") -> None:
        self.say("dice.introduced", subject=False, dice=dice)

    def seal(self, intact: bool) -> None:
        self.say("seal.checked", subject=False, kind="dice", item="set-1", intact=intact, by="F-1")

    def shuffle(self, method: str = "device", deck: str = "red") -> None:
        self.say("shuffle.completed", deck=deck, method=method)

    def deals(self, number: int, *said: Step, deck: str = "red", dealt: bool = True) -> None:
        """A round with this deck, in which nobody wagers; `said` before the cards are dealt."""
        self.round = f"{number:06d}"
        self.say("round.opened", deck=deck)
        for one in said:
            one(self)
        if dealt:
            self.say("cards.dealt", cards=[CARD_NAMES[card] for card in range(28)])
        self.say("round.closed", flags=AdmittedFlag.ATTESTED)


def found(tape: Felt) -> list[Finding]:
    findings = audit_or_raise(batch_of(rows_of(tape.events))).findings
    return [finding for finding in findings if finding.code.startswith(OURS)]


def codes(tape: Felt) -> list[tuple[str, str | None]]:
    return [(finding.code, finding.round_id) for finding in found(tape)]


def felt(pack: str, *said: Step, **options: Any) -> Felt:
    """A table, and what came to it before the first round."""
    tape = Felt("SG-01")
    tape.opens(pack, **options)
    for one in said:
        one(tape)
    return tape


def brought(deck: str = "red", **more: Any) -> Step:
    return lambda tape: tape.cards(deck, **more)


def shuffled(method: str = "device", deck: str = "red") -> Step:
    return lambda tape: tape.shuffle(method, deck)


def inspected(kind: str = "cards", item: str = "red", **more: Any) -> Step:
    return lambda tape: tape.inspected(kind, item, **more)


def seal(intact: bool) -> Step:
    return lambda tape: tape.seal(intact)


def dice(tape: Felt) -> None:
    tape.dice()


def reports(tape: Felt) -> None:
    tape.reports_inspections()


def says(event: str, /, **data: Any) -> Step:
    return lambda tape: tape.say(event, **data)


def offline(device: str) -> Step:
    return lambda tape: tape.say("device.offline", subject=False, device=device)


@pytest.mark.parametrize("pack", BOTH)
@pytest.mark.parametrize(
    ("decks", "wrong"),
    [
        ([brought()], 0),
        ([brought(jokers=1)], 1),
        ([brought(jokers=0)], 1),
        ([brought(decks=2)], 1),
        ([brought(), brought("blue")], 0),
        ([brought(), brought("blue", back="red")], 1),
        ([brought(), brought("blue", back=None)], 0),
    ],
)
def test_the_decks_that_are_brought(pack: str, decks: list[Step], wrong: int) -> None:
    """34.2(a): "including two jokers"; 34.2(b)2: "of a different color". It is told once."""
    tape = felt(pack, *decks)
    names = ("red", "blue")[: len(decks)]
    for number in range(1, 5):
        tape.deals(number, deck=names[number % len(names)])
    assert [code for code, _ in codes(tape)] == ["EQUIP-956"] * wrong
    assert all(finding.citation.startswith(("MA-SPG §2", "NJ-SPG 19:47-34.2")) for finding in found(tape))


def test_a_deck_that_took_the_others_place_may_have_its_back() -> None:
    tape = felt(NJ, brought(), lambda tape: tape.say("cards.removed", subject=False, deck="red"))
    tape.cards("blue", back="red")
    tape.deals(1, deck="blue")
    assert codes(tape) == []


@pytest.mark.parametrize("pack", BOTH)
@pytest.mark.parametrize(
    ("second", "third", "wrong"),
    [
        ([shuffled()], [shuffled()], []),
        ([], [shuffled()], ["000002"]),
        ([shuffled()], [], ["000003"]),
        ([], [], ["000002", "000003"]),
    ],
)
def test_cards_are_shuffled_after_every_round(
    pack: str, second: list[Step], third: list[Step], wrong: list[str]
) -> None:
    """34.6(a): "after each round of play has been completed, the dealer shall shuffle the cards"."""
    tape = felt(pack, brought())
    tape.deals(1, shuffled())
    tape.deals(2, *second)
    tape.deals(3, *third)
    assert codes(tape) == [("EQUIP-959", number) for number in wrong]


def test_of_shuffles_that_nobody_reports_nothing_is_said() -> None:
    tape = felt(NJ, brought())
    for number in (1, 2, 3):
        tape.deals(number)
    assert codes(tape) == []


def test_one_deck_is_shuffled_while_the_other_is_in_play() -> None:
    tape = felt(NJ, brought(), brought("blue"), decks=2)
    tape.deals(1, shuffled(deck="red"), deck="red")
    tape.deals(2, shuffled(deck="blue"), deck="blue")
    tape.deals(3, shuffled(deck="red"), deck="red")
    tape.deals(4, deck="blue")
    assert codes(tape) == [("EQUIP-959", "000004")]


def test_a_round_without_cards_leaves_the_shuffle_good() -> None:
    tape = felt(NJ, brought())
    tape.deals(1, shuffled(), dealt=False)
    tape.deals(2)
    assert codes(tape) == []


def test_a_shuffle_at_the_end_of_a_round_is_the_next_ones() -> None:
    tape = felt(NJ, brought())
    tape.deals(1, shuffled())
    tape.say("shuffle.completed", subject=False, deck="red", method="device")
    tape.deals(2)
    assert codes(tape) == []


def test_missing_events_may_have_been_a_shuffle() -> None:
    tape = felt(NJ, brought())
    tape.deals(1, shuffled())
    tape.round = "000002"
    tape.say("round.opened", deck="red", flags=AdmittedFlag.GAP_BEFORE, skip=1)
    tape.say("cards.dealt", cards=[CARD_NAMES[card] for card in range(28)])
    tape.say("round.closed", flags=AdmittedFlag.ATTESTED)
    assert codes(tape) == []


@pytest.mark.parametrize("pack", BOTH)
@pytest.mark.parametrize(
    ("between", "wrong"),
    [
        ([], 0),
        ([shuffled("device")], 0),
        ([shuffled("manual")], 1),
        ([offline("panel"), shuffled("manual")], 0),
        ([offline("rack"), shuffled("manual")], 1),
    ],
)
def test_a_device_is_removed_before_cards_are_shuffled_by_hand(pack: str, between: list[Step], wrong: int) -> None:
    """34.16(o): "shall be removed from a gaming table before any other method of shuffling or dealing"."""
    tape = felt(pack, brought())
    tape.deals(1, shuffled("device"))
    tape.deals(2, *(between or [shuffled("device")]))
    assert codes(tape) == [("EQUIP-957", "000002")] * wrong


@pytest.mark.parametrize("pack", BOTH)
@pytest.mark.parametrize(
    ("depth", "wrong"), [(9, True), (10, False), (27, False), (44, False), (45, True), (0, True), (60, True)]
)
def test_a_cut_is_ten_cards_from_either_end(pack: str, depth: int, wrong: bool) -> None:
    """34.6(e): "at least 10 cards from either end", of 54."""
    tape = felt(pack, brought())
    tape.deals(1, shuffled("manual"), says("cut.made", place=0, depth=depth))
    assert codes(tape) == [("EQUIP-958", "000001")] * wrong


@pytest.mark.parametrize("pack", BOTH)
@pytest.mark.parametrize(("number", "wrong"), [(1, False), (7, False), (8, True), (14, True)])
def test_a_random_number_is_one_to_seven(pack: str, number: int, wrong: bool) -> None:
    """34.4(a)2: "a number from 1 through 7 inclusive"."""
    tape = felt(pack, brought(), starting="rng")
    place = (number - 1) % 7
    tape.deals(1, says("start.determined", method="rng", number=number, place=place))
    assert codes(tape) == [("START-203", "000001")] * wrong


THROWN = says("start.determined", method="dice", dice=[2, 3, 3], place=0)
CALLED_OFF = says("start.no_roll", reason="not_flat")
FELL_OUT = says("start.no_roll", reason="fell_out")


@pytest.mark.parametrize("pack", BOTH)
@pytest.mark.parametrize(
    ("said", "wrong"),
    [
        ([THROWN], False),
        ([CALLED_OFF, THROWN], False),
        ([FELL_OUT, CALLED_OFF, THROWN], False),
        ([THROWN, CALLED_OFF, THROWN], False),
        ([THROWN, CALLED_OFF], True),
        ([CALLED_OFF, THROWN, FELL_OUT], True),
        ([CALLED_OFF], False),  # and no device saw the next one
    ],
)
def test_a_roll_that_was_called_off_is_shaken_again(pack: str, said: list[Step], wrong: bool) -> None:
    """34.16(a), (b): "the dealer shall call a 'No roll' and reshake the dice"."""
    tape = felt(pack, brought())
    tape.deals(1, *said)
    assert codes(tape) == [("START-202", "000001")] * wrong


def test_in_a_round_that_was_voided_it_need_not_be() -> None:
    tape = felt(NJ, brought())
    tape.deals(1, THROWN, CALLED_OFF, says("round.voided", reason="other"))
    assert codes(tape) == []


@pytest.mark.parametrize("pack", BOTH)
@pytest.mark.parametrize(
    ("before", "wrong"),
    [
        ([brought()], []),
        ([reports, brought(), inspected(witness="F-1")], []),
        ([reports, inspected(witness="F-1"), brought()], []),
        ([reports, brought()], ["EQUIP-961"]),
        ([reports, brought(), inspected(item="blue", witness="F-1")], ["EQUIP-961"]),
        ([reports, brought(), inspected()], ["EQUIP-960"]),
        ([brought(), inspected()], ["EQUIP-960"]),
        ([brought(), inspected(witness="D-1")], ["EQUIP-960"]),
        ([brought(), inspected(where="storage")], []),
    ],
)
def test_cards_are_inspected_and_the_floorperson_verifies_it(pack: str, before: list[Step], wrong: list[str]) -> None:
    """34.5(b): "the inspection of the cards by the dealer and the verification by the floorperson"."""
    tape = felt(pack, *before)
    tape.deals(1)
    tape.deals(2)
    assert codes(tape) == [(code, "000001") for code in wrong]


@pytest.mark.parametrize(
    ("before", "wrong"),
    [
        ([dice], []),
        ([reports, inspected("dice", "set-1", by="F-1", witness="F-2", where="pit_stand"), dice], []),
        ([reports, dice], ["EQUIP-961"]),
        ([reports, inspected("dice", "set-2", by="F-1", witness="F-2"), dice], ["EQUIP-961"]),
        ([inspected("dice", "set-1", by="F-1", where="pit_stand"), dice], ["EQUIP-960"]),
        ([inspected("dice", "set-1", by="F-1", witness="F-1", where="pit_stand"), dice], ["EQUIP-960"]),
        ([inspected("dice", "set-1", by="F-1", where="storage"), seal(True), dice], []),
        ([reports, seal(True), dice], []),
        ([seal(False), dice], ["EQUIP-961"]),
        ([inspected("dice", "set-1", by="F-1", where="storage"), seal(False), dice], ["EQUIP-961"]),
        ([seal(False), inspected("dice", "set-1", by="F-1", witness="F-2", where="pit_stand"), dice], []),
    ],
)
def test_dice_are_inspected_before_another_floorperson_and_sealed(before: list[Step], wrong: list[str]) -> None:
    """19:46-1.16(e)2ii(2): "in the presence of another floorperson"; (e)3v: "unless the dice are reinspected".
    Massachusetts' text leaves dice to 205 CMR 146, which is not ours to judge by."""
    for pack, expected in ((NJ, wrong), (MA, [])):
        tape = felt(pack, brought(), *before)
        if reports in before:
            tape.inspected(witness="F-9")  # the cards
        tape.deals(1)
        tape.deals(2)
        assert codes(tape) == [(code, "000001") for code in expected if pack == NJ]


def test_inspections_before_a_gap_may_be_what_is_missing() -> None:
    tape = felt(NJ, reports, brought(), seal(False), dice)
    tape.say("table.heartbeat", subject=False, flags=AdmittedFlag.GAP_BEFORE, skip=1)
    tape.deals(1)
    assert codes(tape) == []


def test_what_the_table_remembers_of_its_equipment_survives_another_worker() -> None:
    tape = felt(NJ, reports, brought(), brought("blue", back="red"), seal(False), dice)
    tape.deals(1, shuffled())
    tape.deals(2, shuffled("manual"))
    tape.deals(3, deck="blue")
    tape.deals(4)
    whole = rows_of(tape.events)
    assert [row.facts for row in rows_of(tape.events, range(len(tape.events)))] == [row.facts for row in whole]
    assert {code for code, _ in codes(tape)} == {"EQUIP-956", "EQUIP-957", "EQUIP-959", "EQUIP-961"}
