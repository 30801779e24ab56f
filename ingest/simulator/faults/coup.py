"""What goes wrong with the cards of a baccarat hand, and with the shoe."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ingest.simulator.baccarat_rules import banker_draws, player_draws, total
from ingest.simulator.faults.injection import Injection
from ingest.simulator.played import Coup

if TYPE_CHECKING:
    from ingest.simulator.baccarat import BaccaratTable


def third_card(injection: Injection, played: Coup, table: BaccaratTable) -> None:
    """One of the two hands draws when it has to stand, or stands when it has to draw."""
    for card in (*played.banker[2:], *played.player[2:]):
        table.put_back(card)
    del played.player[2:], played.banker[2:]
    natural = total(played.player) >= 8 or total(played.banker) >= 8
    wrong = None if natural else table.rng.choice(("player", "banker"))
    if player_draws(played.player, played.banker) != (wrong == "player"):
        played.player.append(table.draw())
    if banker_draws(played.player, played.banker) != (wrong == "banker"):
        played.banker.append(table.draw())
    if wrong:
        played.third_cards_named = True
        drew = len(played.player if wrong == "player" else played.banker) == 3
        injection.done(f"the {wrong} hand {'draws' if drew else 'stands'} against the rules")


def shoe_short(injection: Injection, played: Coup, table: BaccaratTable) -> None:
    left = table.count_short(injection)
    if left is not None:
        played.shoe_left = left
        injection.done(f"{left} cards are left in the shoe, and should be {left + 1}")
