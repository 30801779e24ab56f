"""What a finding rests on: which witnesses, in a word and in a sentence."""

from __future__ import annotations

from enum import StrEnum


class Basis(StrEnum):
    """What a finding rests on, and nothing else bears it out."""

    RECORD = "record"  # how the record came about: rounds opened and closed, corrections, the gate
    REPORTS = "reports"  # what devices reported beside the cards: true whatever the hands were
    UNREAD = "unread"  # evidence that is not there: by itself no ground to say that anything is wrong
    HANDS = "hands"  # the hands as reconstructed; where the round is judged, what gave them is put in its place
    DEAL = "deal"
    RACK = "rack"
    SHOWN = "hands_shown"
    DEAL_AND_RACK = "deal_and_rack"  # both were read, and they agree
    DEAL_AND_SHOWN = "deal_and_hands_shown"  # and the hand was shown as it was dealt
    RACK_AND_SHOWN = "rack_and_hands_shown"  # and the hand was shown as it lies
    DEAL_RACK_AND_SHOWN = "deal_rack_and_hands_shown"
    COMPARED = "compared"  # witnesses of the cards held against each other: they do not agree
    EXPLANATION = "explanation"  # the likeliest explanation of what was read
    READINGS = "readings"  # one of several readings of the cards that fit


BASIS_WORDS: dict[Basis, str] = {
    Basis.RECORD: "by the record itself",
    Basis.REPORTS: "by the reports, whatever the cards were",
    Basis.UNREAD: "the cards were not read",
    Basis.HANDS: "by the hands as reconstructed",
    Basis.DEAL: "by the deal alone",
    Basis.RACK: "by the rack alone",
    Basis.SHOWN: "by the hands shown",
    Basis.DEAL_AND_RACK: "deal and rack agree",
    Basis.DEAL_AND_SHOWN: "deal and hands shown agree",
    Basis.RACK_AND_SHOWN: "rack and hands shown agree",
    Basis.DEAL_RACK_AND_SHOWN: "deal, rack and hands shown agree",
    Basis.COMPARED: "by comparing deal, rack and hands shown",
    Basis.EXPLANATION: "by the likeliest explanation of what was read",
    Basis.READINGS: "another reading of the cards fits as well",
}


ONE_WITNESS = frozenset({Basis.DEAL, Basis.RACK, Basis.SHOWN})
"""Nothing bears them out: what rests on the hands one of them gives is never more than likely."""

WITH_HANDS_SHOWN: dict[Basis, Basis] = {
    Basis.DEAL: Basis.DEAL_AND_SHOWN,
    Basis.RACK: Basis.RACK_AND_SHOWN,
    Basis.DEAL_AND_RACK: Basis.DEAL_RACK_AND_SHOWN,
}
"""What something rests on where the hand it is about was shown as well, and as it was reconstructed."""
