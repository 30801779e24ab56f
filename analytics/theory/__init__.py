"""The exact theory of every wager: how often each outcome should come, and what the wager returns in the long run.

    registry            which packs have a theory; `theory_of` and `read_hand` are the ways in
    wager               the figures of one wager: distribution, return, house edge, variance, envy
    counts, store       how often each outcome comes; where counts are kept, and when they are counted anew
    seven_cards         all sevens of 53 cards by Fortune class, counted
    baccarat_totals     all ordered sixes of a shoe by totals, counted
    house_way_duel      seven against seven by the house way, simulated
    four_cards          all fours of 54 cards by class, and four against four by the house way, counted
    shipped             makes the counts in data/

It asks the packs for their rules and pay tables and knows no event, no table and no command.
"""

from analytics.theory.counts import Counts, Method, TheoryError
from analytics.theory.hand_reading import HandReading
from analytics.theory.registry import PACKS, read_hand, theory_of, wagers_of
from analytics.theory.store import CountsStore, cache_folder
from analytics.theory.wager import EnvyTheory, OutcomeTheory, WagerTheory

__all__ = [
    "PACKS",
    "Counts",
    "CountsStore",
    "EnvyTheory",
    "HandReading",
    "Method",
    "OutcomeTheory",
    "TheoryError",
    "WagerTheory",
    "cache_folder",
    "read_hand",
    "theory_of",
    "wagers_of",
]
