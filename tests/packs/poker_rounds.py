"""A hand of Hold'em as devices report it, event by event, for tests that change one of them."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from replay.audit import audit_or_raise
from replay.filing import canonical_filing
from replay.rounds import (
    ACTION_CODE,
    DEALT_TO,
    PAYER_CODE,
    Fact,
    FactRow,
    RoundFlag,
    RoundRow,
    ShownRow,
    batch_of,
    unknown_fixed,
)
from replay.verdicts import VERDICTS, Audit
from schemas.cards import codes_of
from schemas.events import Action, Payer

HOLES = {1: "As Ad", 2: "Ks Kd", 3: "Qs Qd"}
BOARD = "2c 7d 9h Jc 4s"
BURNS = "3c 3d 3h"
ACTS = (
    "1 post_blind 300",
    "2 post_blind 500",
    "3 fold 0",
    "1 call 200",
    "2 check 0",
    "1 check 0",
    "2 check 0",
    "1 bet 1000",
    "2 call 1000",
    "1 check 0",
    "2 check 0",
)
TURNED_AFTER = (5, 7, 9)  # how many of these actions come before flop, turn and river
POT = 2800  # twice 15 less the fee of 2


def hand(
    acts: Sequence[str] = ACTS,
    awards: Sequence[tuple[int, int]] = ((1, POT),),
    *,
    pack: str = "ca/holdem",
    holes: dict[int, str] = HOLES,
    board: str = BOARD,
    rack_last: Sequence[int] = (1,),
    turned: Sequence[tuple[int, int]] = ((5, 3), (7, 1), (9, 1)),
    deal: bool = True,
    rack: bool = True,
    shown: Sequence[int] = (),
    fee: int = 200,
    button: int = 3,
    change: Callable[[RoundRow], None] | None = None,
    **options: str | int,
) -> tuple[RoundRow, Audit]:
    """Seats 1 to 3, the button at 3; seat 3 folds, 1 and 2 come to the showdown. `turned` are (after how many actions,
    how many cards); an action has the event 100 and a tenth of its number."""
    row = RoundRow(
        {"table_id": "HE-01", "round_id": "1", "filing": canonical_filing(pack, "1.0", options)}, unknown_fixed()
    )
    facts = row.facts
    if button:
        facts.append(FactRow(Fact.BUTTON, 2, button, choice="dealer"))
    if fee:
        facts.append(FactRow(Fact.COLLECTION, 3, choice="table", code=PAYER_CODE[Payer.POT], amount=fee))
    folded: list[int] = []
    for number, text in enumerate(acts):
        seat, action, cents = text.split()
        seq = 4 if action == "post_blind" else 100 + 10 * number
        facts.append(FactRow(Fact.ACTION, seq, int(seat), code=ACTION_CODE[Action(action)], amount=int(cents)))
        if action == "fold":
            folded.append(int(seat))
    if deal:
        facts += [FactRow(Fact.BOARD, 100 + 10 * after - 5, amount=count) for after, count in turned]
    facts += [FactRow(Fact.POT, 900, seat, choice="whole", amount=cents) for seat, cents in awards]
    facts.sort(key=lambda fact: fact.seq)
    cards = {seat: codes_of(held.split()) for seat, held in holes.items()}
    burns = codes_of(BURNS.split())
    if deal:
        _deal(row, cards, codes_of(board.split()), burns, [count for _, count in turned])
    if rack:
        left = [seat for seat in sorted(cards) if seat not in folded]
        order = [*folded, *(s for s in left if s not in rack_last), *(s for s in left if s in rack_last)]
        lies = b"".join(cards[seat] for seat in order) + codes_of(board.split()) + burns
        row.rack = lies + bytes(card for card in range(52) if card not in lies)
        row.fixed.update(rack_first_seq=800, rack_last_seq=950)
    row.shown = [ShownRow(seat, 0, 0, cards[seat], 850 + at) for at, seat in enumerate(shown)]
    row.fixed.update(first_seq=1, last_seq=999, decks=1, jokers=0, opened_us=0, closed_us=0)
    row.fixed["flags"] = int(RoundFlag.CLOSED | RoundFlag.CONTEXT_UNKNOWN)
    if change is not None:
        change(row)
    return row, audit_or_raise(batch_of([row]))


def _deal(row: RoundRow, cards: dict[int, bytes], board: bytes, burns: bytes, streets: Sequence[int]) -> None:
    seats = sorted(cards)
    dealt = [(cards[seat][number], "") for number in range(len(cards[seats[0]])) for seat in seats]
    coming = iter(board)
    for burn, count in zip(burns, streets, strict=False):
        dealt += [(burn, "burn"), *((card, "board") for _, card in zip(range(count), coming, strict=False))]
    row.dealt = bytes(card for card, _ in dealt)
    row.dealt_to = bytes(DEALT_TO.index(to) for _, to in dealt)
    row.dealt_place = [-1] * len(dealt)
    row.fixed.update(first_card_seq=5, last_card_seq=700, first_card_count=len(seats))


def verdict(audited: Audit) -> str:
    return str(VERDICTS[audited.verdicts[0]])


def codes(audited: Audit) -> list[str]:
    return sorted({finding.code for finding in audited.findings})
