"""What goes wrong with the cards of a baccarat hand, and with the shoe."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.simulator.faults.injection import Injection
from ingest.simulator.games.supreme_baccarat.rules import total
from ingest.simulator.played import Coup

if TYPE_CHECKING:
    from ingest.simulator.games.supreme_baccarat.game import BaccaratTable


def third_card(injection: Injection, played: Coup, table: BaccaratTable) -> None:
    """One of the two hands draws when it has to stand, or stands when it has to draw."""
    natural = max(total(played.player[:2]), total(played.banker[:2])) >= 8
    wrong = None if natural else table.rng.choice(("player", "banker"))
    table.draw_third_cards(played, wrong)
    if wrong:
        played.third_cards_named = True
        drew = len(played.player if wrong == "player" else played.banker) == 3
        injection.done(f"the {wrong} hand {'draws' if drew else 'stands'} against the rules")


def shoe_short(injection: Injection, played: Coup, table: BaccaratTable) -> None:
    left = table.count_short(injection)
    if left is not None:
        played.shoe_left = left
        injection.done(f"{left} cards are left in the shoe, and should be {left + 1}")
