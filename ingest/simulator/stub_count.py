"""How often the stub has to be counted, where no shuffler counts the deck."""

from __future__ import annotations

from random import Random

MOST_UNCOUNTED = 5  # "at least once every five rounds of play" (MA-SPG §8(d))


class StubCount:
    """Whether a table counts its stub in a round, and whether it has to."""

    def __init__(self, by_shuffler: bool) -> None:
        self.by_shuffler = by_shuffler
        self._uncounted = 0
        """Rounds since the stub was last counted, from one day to the next as well."""
        self._missed_for = 0
        """Rounds in which the stub is counted because a card was missed: the deck is whole after all."""

    @property
    def is_due(self) -> bool:
        return not self.by_shuffler and self._uncounted >= MOST_UNCOUNTED - 1

    def made(self, rng: Random) -> bool:
        """Whether it is counted in this round; more often than it has to be."""
        if self.by_shuffler:
            return False
        return self.is_due or self._missed_for > 0 or rng.random() < 0.3

    def round_over(self, counted: bool, card_missed: bool, decks: int) -> None:
        self._uncounted = 0 if counted else self._uncounted + 1
        self._missed_for = decks if card_missed else max(0, self._missed_for - 1)
