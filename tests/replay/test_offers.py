"""What a round knows of the rounds before it: a shuffler that failed, and who was offered the bank and the cut."""

from __future__ import annotations

from typing import Any

import pytest

from replay.rounds import Fact, RoundRow
from schemas.admitted import AdmittedFlag
from tests.replay.fed import rows_of
from tests.replay.tape import DAY, Tape, rounds

ASKED_BEFORE = (Fact.FIRST_OFFERED, Fact.MAY_BANK)


class Felt(Tape):
    """A Supreme Pai Gow table with one deck or two."""

    def opens_with(self, *decks: str) -> None:
        self.say("table.opened", subject=False, gaming_day=DAY, pack="ma/supreme_pai_gow", version="1.0", options={})
        for deck in decks:
            self.say("cards.introduced", subject=False, deck=deck, jokers=2)

    def begins(self, number: int, deck: str = "red") -> None:
        self.round = f"{number:06d}"
        self.say("round.opened", deck=deck)

    def shuffles(self, deck: str = "red") -> None:
        self.say("shuffle.completed", deck=deck, method="device")

    def jams(self, **deck: Any) -> None:
        self.say("shuffler.faulted", fault="jam", **deck)

    def deals(self) -> None:
        self.say("cards.dealt", cards=["2c", "3c"])

    def ends(self) -> None:
        self.say("round.closed", flags=AdmittedFlag.ATTESTED)

    def plays_shuffled(self, number: int, deck: str = "red") -> None:
        self.begins(number, deck)
        self.shuffles(deck)
        self.deals()
        self.ends()

    def asks(
        self, number: int, *seats: int, bank: int = 0, bets: tuple[int, ...] = (), cut: tuple[int, ...] = ()
    ) -> None:
        """A round in which the bank is offered to these seats, and the cut."""
        self.begins(number)
        for seat in seats:
            self.say("bank.offered", seat=seat)
        if bank:
            self.say("bank.accepted", seat=bank, kind="bank", posted_cents=50_000)
        for seat in bets:
            self.say("wager.placed", seat=seat, wager="supreme_pai_gow", amount_cents=1_000)
        if cut:
            self.say("cut.made", place=cut[-1], offered=list(cut))
        self.ends()


def felt(*decks: str) -> Felt:
    tape = Felt("SG-01")
    tape.opens_with(*(decks or ("red",)))
    return tape


def failures(row: RoundRow) -> list[str]:
    return [fact.choice for fact in row.facts if fact.kind == Fact.NOT_RESHUFFLED]


def asked_before(row: RoundRow) -> list[tuple[str, int]]:
    return [(fact.wager or "may bank", fact.seat) for fact in row.facts if fact.kind in ASKED_BEFORE]


@pytest.mark.parametrize(
    ("between", "found"),
    [
        pytest.param((), [], id="nothing failed"),
        pytest.param(("jams",), ["jam"], id="failed"),
        pytest.param(("jams", "shuffles"), [], id="failed, and shuffled again"),
        pytest.param(("shuffles", "jams"), ["jam"], id="shuffled, and then failed"),
        pytest.param(("deals", "jams"), [], id="failed when the cards were out"),
    ],
)
def test_a_shuffler_that_fails_before_the_deal(between: tuple[str, ...], found: list[str]) -> None:
    tape = felt()
    tape.plays_shuffled(1)
    tape.begins(2)
    for what in between:
        getattr(tape, what)()
    tape.deals()
    tape.ends()
    assert [failures(row) for row in rounds(tape)] == [[], found]


def test_what_fails_after_the_deal_counts_for_the_next_one_of_that_deck_and_survives_another_worker() -> None:
    tape = felt("red", "blue")
    tape.plays_shuffled(1, "red")
    tape.begins(2, "blue")
    tape.shuffles("blue")
    tape.deals()
    tape.jams(deck="red")  # the other deck is in the device
    tape.ends()
    tape.begins(3, "red")
    tape.deals()
    tape.ends()
    cuts = range(len(tape.events))
    assert [failures(row) for row in rows_of(tape.events, cuts)] == [[], [], ["jam"]]


@pytest.mark.parametrize("said", ["which deck", "shuffles"])
def test_nothing_follows_where_it_is_not_said_which_deck_was_in_it_or_nobody_says_that_cards_are_shuffled(
    said: str,
) -> None:
    tape = felt("red") if said == "which deck" else felt("red", "blue")
    for number in (1, 2):
        tape.begins(number)
        if said == "shuffles" and number == 1:
            tape.shuffles()
        tape.jams()
        tape.deals()
        tape.ends()
    assert [failures(row) for row in rounds(tape)] == [[], []]


def test_events_that_are_missing_may_have_been_the_shuffle() -> None:
    tape = felt()
    tape.plays_shuffled(1)
    tape.begins(2)
    tape.jams()
    tape.say("bets.closed", flags=AdmittedFlag.GAP_BEFORE, skip=1)
    tape.deals()
    tape.ends()
    assert [failures(row) for row in rounds(tape)] == [[], []]


def test_a_round_knows_who_was_asked_first_before_it_and_who_may_bank() -> None:
    tape = felt()
    tape.asks(1, bets=(1, 3, 5))
    tape.asks(2, 1, 3, bank=3, bets=(1, 5))
    tape.asks(3, 3, 5, bets=(1, 5))
    tape.asks(4, 5)
    assert [asked_before(row) for row in rounds(tape)] == [
        [],  # nobody is asked in the first round, and the next offer begins on the dealer's right
        [("bank", 0), ("may bank", 1), ("may bank", 3), ("may bank", 5)],
        [("bank", 1), ("may bank", 1), ("may bank", 5)],  # who banked may not again
        [("bank", 3), ("may bank", 1), ("may bank", 5)],
    ]


def test_new_cards_may_have_the_first_offer_begin_anew() -> None:
    tape = felt()
    tape.asks(1, bets=(1, 3))
    tape.asks(2, 1, bets=(1, 3))
    tape.say("cards.removed", subject=False, deck="red")
    tape.say("cards.introduced", subject=False, deck="red", jokers=2)
    tape.asks(3, bets=(1, 3))
    tape.asks(4, 3, bets=(1, 3))
    assert [asked_before(row) for row in rounds(tape)][3] == [("may bank", 1), ("may bank", 3)]


def test_the_cut_goes_on_from_round_to_round_and_begins_on_the_right_after_a_bank() -> None:
    tape = felt()
    tape.asks(1, bets=(1, 3), cut=(3,))  # the first player to the table, whoever that is
    tape.asks(2, bets=(1, 3), cut=(1,))
    tape.asks(3, bets=(1, 3), cut=(3, 1))
    tape.asks(4, bank=3, bets=(1,), cut=(3,))
    tape.asks(5, bets=(1, 3), cut=(1,))
    assert [asked_before(row) for row in rounds(tape)] == [[], [], [("cut", 1)], [("cut", 3)], [("cut", 0)]]
