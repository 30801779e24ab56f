"""The joker is three different cards in the rule texts: each has its name here, and a ranker says which it reads."""

from __future__ import annotations

from enum import StrEnum


class Joker(StrEnum):
    """What a joker may stand for."""

    SEMI_WILD = "semi_wild"
    """Pai gow poker hands and nearly all its bonus wagers: an ace, or any card that completes a straight, flush,
    straight flush or royal flush (MA-PGP §3(a),(c), §15(d)(2), §19(g); CA Fortune Pai Gow Poker; rulings.md R-11)."""

    ACE_ONLY = "ace_only"
    """Pai Gow Insurance and its progressive: an ace without a suit and nothing else, so it is the ace of A-K-Q-J-10
    and of A-2-3-4-5, and fills no other straight and no flush (MA-PGP §3(h), §15(d)(2), FLT-SPG App. B and F;
    R-19)."""

    THREE_OR_SIX = "three_or_six"
    """Supreme Pai Gow, two of them: in a two-card hand the 3 or the 6 that makes more points, and in the four-card
    bonus itself, or a 3 or 6 of any suit for a straight or straight flush only (MA-SPG §3(a)(3)(iv), §3(c); R-14,
    R-15)."""
