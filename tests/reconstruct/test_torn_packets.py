"""Another round's cards lie in a rack as whole packets: what that says where a card is strange besides."""

from __future__ import annotations

import pytest

from replay.cards.solver.evidence import RackEvidence
from replay.cards.solver.hypotheses import _whole_packets
from replay.cards.solver.layout import BANKER, PLAYER, STUB, Slot

PAI_GOW = (
    Slot(STUB, 4),
    *(slot for place in (1, 2, 0) for slot in (Slot(place, 2, part="low"), Slot(place, 5, part="high"))),
)


@pytest.mark.parametrize(
    ("layouts", "whole", "torn"),
    [
        ((PAI_GOW,), {4, 7, 11, 14, 18, 21, 49, 53}, {1, 2, 3, 5, 6, 8, 12, 48, 52}),
        (
            tuple((Slot(PLAYER, one), Slot(BANKER, other)) for one in (2, 3) for other in (2, 3)),
            {2, 3, 4, 5, 6, 7, 13},
            {1},
        ),
    ],
)
def test_which_numbers_of_cards_are_whole_packets(
    layouts: tuple[tuple[Slot, ...], ...], whole: set[int], torn: set[int]
) -> None:
    found = _whole_packets(RackEvidence(b"", layouts, frozenset(range(53)), None), 53)
    assert whole <= found and not torn & found
