"""Who bet, surrendered or was voided, as columns (round, place), and what follows for the cards.

Place 0 is the dealer's and never bets. Which wager is worth how much stays in `Wagers`: a seat may, wrongly, have more
than one of a name.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from replay.packs.ma.pai_gow_poker.rules import PLACES, qualifies_for_envy
from replay.packs.ma.pai_gow_poker.terms import SurrenderedBonus, Terms
from replay.rounds import ACTION_CODE, Fact, Ints, RoundBatch
from replay.wagers import Wagers, resolve_wagers
from schemas.events import Action

Bools = npt.NDArray[np.bool_]

PAI_GOW, FORTUNE, OTHER = 0, 1, 2  # what a wager is; OTHER: the filed rules do not offer it
NEVER = -1


@dataclass(frozen=True)
class Seats:
    wagers: Wagers
    kind: npt.NDArray[np.uint8]  # a wager: PAI_GOW, FORTUNE or OTHER
    at: Ints  # a wager: its place, 0 where it has none at this table
    wagered: Bools  # (n, 7) there is a wager at this place
    pai_gow: Bools  # (n, 7) a pai gow poker wager
    fortune: Bools  # (n, 7) a Fortune wager that is settled on the place's own cards
    envy: Bools  # (n, 7) a Fortune wager that earns envy bonuses
    surrendered_seq: Ints  # (n, 7), NEVER where not
    voided_seq: Ints  # (n, 7) a single hand voided, NEVER where not
    all_void: Bools  # (n,)

    @cached_property
    def surrendered(self) -> Bools:
        return np.asarray(self.surrendered_seq != NEVER)

    @cached_property
    def voided(self) -> Bools:
        return np.asarray(self.voided_seq != NEVER)

    @cached_property
    def exposed(self) -> Bools:
        """(n, 7) players' hands that are turned over: MA-PGP §9(e)(2), (f); rulings.md R-5."""
        return self.wagered & ~self.voided & ~(self.surrendered & ~self.fortune)

    @cached_property
    def qualifying(self) -> Bools:
        """(n,) a Qualifying Wager is on the table (MA-PGP §1)."""
        return np.asarray(self.envy.any(axis=1))

    @cached_property
    def rearranged(self) -> Bools:
        """(n, 7) hands the dealer rearranges, so that the rack does not show their setting: all players' once anyone
        has a Qualifying Wager (MA-PGP §9(l)), else those with a bonus wager (§15(d)(2)); rulings.md R-51. What a dealer
        does for a wager that is not offered nobody knows: its round is taken as rearranged too."""
        unoffered = np.zeros(len(self.wagered), bool)
        unoffered[self.wagers.row[self.kind == OTHER]] = True
        return self.exposed & (self.fortune | (self.qualifying | unoffered)[:, None])


def seats_of(batch: RoundBatch, terms: Terms) -> Seats:
    rows = len(batch)
    wagers = resolve_wagers(batch)
    kind = np.full(len(wagers), OTHER, np.uint8)
    kind[wagers.wager == batch.name_id("pai_gow")] = PAI_GOW
    if terms.fortune is not None:
        kind[wagers.wager == batch.name_id("fortune")] = FORTUNE
    at = np.where((wagers.seat >= 1) & (wagers.seat < PLACES), wagers.seat, 0).astype(np.int64)
    seated = at > 0

    def places(mask: Bools) -> Bools:
        found = np.zeros((rows, PLACES), bool)
        found[wagers.row[mask], at[mask]] = True
        return found

    surrendered_seq = _first_seq(batch, "surrender", rows)
    voided_seq = np.maximum(_first_seq(batch, "void_hand", rows), _voided_seats(batch, rows))
    voids = batch.facts.of(Fact.VOIDED)
    all_void = np.zeros(rows, bool)
    all_void[voids.row[voids.seat == 0]] = True
    pai_gow = places((kind == PAI_GOW) & seated)
    surrendered_seq[~pai_gow] = NEVER  # there was nothing to surrender
    fortune = places((kind == FORTUNE) & seated) & (voided_seq == NEVER)
    if terms.surrendered_bonus is SurrenderedBonus.FORFEITED:
        fortune &= surrendered_seq == NEVER
    envy = fortune & places((kind == FORTUNE) & seated & qualifies_for_envy(wagers.amount))
    return Seats(wagers, kind, at, places(seated), pai_gow, fortune, envy, surrendered_seq, voided_seq, all_void)


def _first_seq(batch: RoundBatch, action: str, rows: int) -> Ints:
    """(n, 7) when a seat first did this."""
    facts = batch.facts
    mask = (facts.kind == Fact.ACTION) & (facts.code == ACTION_CODE[Action(action)]) & (facts.seat < PLACES)
    seq = np.full((rows, PLACES), NEVER, np.int64)
    index = np.flatnonzero(mask)[::-1]  # facts are in order: the first one is written last
    seq[facts.row[index], facts.seat[index]] = facts.seq[index]
    seq[:, 0] = NEVER
    return seq


def _voided_seats(batch: RoundBatch, rows: int) -> Ints:
    facts = batch.facts
    index = np.flatnonzero((facts.kind == Fact.VOIDED) & (facts.seat >= 1) & (facts.seat < PLACES))
    seq = np.full((rows, PLACES), NEVER, np.int64)
    seq[facts.row[index], facts.seat[index]] = facts.seq[index]
    return seq
