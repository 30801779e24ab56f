"""Deals that void a round which was not voided: wrong numbers of cards, cards exposed or boxed, a shoe that failed; and
deals that went otherwise than filed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from replay.cards.dealing.delivery import OTHER_DIRECTION, Way
from replay.cards.dealing.method import Method
from replay.cards.dealing.seen import deal_events
from replay.citations import Citation
from replay.naming import listed, names, place_name, whose
from replay.remarks import Remark
from replay.rounds import UNKNOWN, Fact, Ints, RoundBatch, RoundFlag
from schemas.cards import NO_CARD
from schemas.findings import CERTAIN, LIKELY, Basis
from schemas.plurals import counted

Bools = npt.NDArray[np.bool_]


def misdealt(batch: RoundBatch, hand_counts: Ints, each: int, left: int, more_hands: int = 0) -> Bools:
    """(n,) not so many cards were left as should be, or a device saw a hand dealt more or less than `each`.

    Cards found face up in the shoe are not used in the game (MA-PGP §11(f)): with one of them one less is left. (Two
    are an irregularity of their own.) `hand_counts` (n, places) is UNKNOWN where no device saw all the cards go.
    `more_hands`: as many places that get none may have been dealt one, which is no wrong number of cards.
    """
    stub = batch.stub_count.astype(np.int64)
    right = (stub == UNKNOWN) | (stub == left) | (stub == left - boxed_cards(batch))
    right |= (stub < left) & (stub >= left - each * more_hands) & ((left - stub) % each == 0)
    counts = ((hand_counts == UNKNOWN) | (hand_counts == each)).all(axis=1)
    return np.asarray(~right | ~counts)


def boxed_cards(batch: RoundBatch) -> Ints:
    """(n,) cards found face up in the shoe; one that is named twice is one card."""
    boxed = batch.facts.of(Fact.BOXED)
    if not len(boxed):
        return np.zeros(len(batch), np.int64)
    unnamed = np.bincount(boxed.row[boxed.card == NO_CARD], minlength=len(batch))
    named = np.unique(boxed.row[boxed.card != NO_CARD] * 256 + boxed.card[boxed.card != NO_CARD])
    return np.asarray(unnamed + np.bincount(named // 256, minlength=len(batch)))


def misdeal_remarks(
    batch: RoundBatch,
    hand_counts: Ints,
    wrong: Bools,
    each: int,
    left: int,
    stake: Callable[[int], str],
    cite: Citation,
    stub_cite: Citation,
) -> list[Remark]:
    """DEAL-301 for the rounds that are `wrong`. `cite` is on hands of another size, `stub_cite` on the cards left."""
    remarks = []
    for row in np.flatnonzero(wrong).tolist():
        stub = int(batch.stub_count[row])
        counts = hand_counts[row].tolist()
        if max(counts) != UNKNOWN and any(count != each for count in counts):
            what = listed([f"{place_name(p)} got {counted(n, 'card')}" for p, n in enumerate(counts) if n != each])
            citation = cite
        else:
            what = f"{stub} {'card was' if stub == 1 else 'cards were'} left after the deal instead of {left}"
            citation = stub_cite
        remarks.append(
            Remark(
                row,
                "DEAL-301",
                f"{what}: all hands were void and the round was played on; {stake(row)}",
                citation,
                evidence=tuple(sorted({*deal_events(batch, row), int(batch.stub_seq[row])} - {UNKNOWN})),
                basis=Basis.DEAL,
            )
        )
    return remarks


@dataclass(frozen=True)
class Irregularities:
    """The words on what voids a round; None where the text, or the way of dealing filed, has no such thing."""

    dealer_exposed: Citation | None
    boxed: Citation | None  # more than one card found face up
    stacks_exposed: Citation | None
    shoe_fault: Citation | None


def irregular_remarks(
    batch: RoundBatch, against: Ints, all_void: Bools, stake: Callable[[int], str], cites: Irregularities
) -> list[Remark]:
    """DEAL-304: what called for a void that did not come, once a round and cause. `against` (n,) is the place whose
    hand everyone plays against: exposed like the dealer's own."""
    facts = batch.facts.of(Fact.EXPOSED, Fact.BOXED, Fact.FAULT)
    facts = facts.where(~all_void[facts.row])
    stacks, shoe = batch.name_id("stacks"), batch.name_id("shoe")
    again = batch.facts.of(Fact.RESHUFFLED)
    reshuffled = dict(zip(again.row.tolist(), again.seq.tolist(), strict=True))  # the last time
    found: dict[tuple[int, str], list[int]] = {}
    for index in range(len(facts)):
        match facts.kind[index]:
            case Fact.BOXED:
                cause = "boxed"
            case Fact.FAULT if facts.wager[index] == shoe:
                cause = "shoe"
            case Fact.EXPOSED if facts.choice[index] == stacks and cites.stacks_exposed:
                if reshuffled.get(int(facts.row[index]), -1) > facts.seq[index]:
                    continue  # and dealt anew, as they had to be
                cause = "stacks"
            case Fact.EXPOSED if facts.seat[index] in (0, against[facts.row[index]]):
                cause = "dealer"
            case _:
                continue
        found.setdefault((int(facts.row[index]), cause), []).append(index)
    remarks, boxed = [], boxed_cards(batch)
    for (row, cause), indexes in found.items():
        cards = list(dict.fromkeys(int(facts.card[i]) for i in indexes if facts.card[i] != NO_CARD))
        which = f" ({names(cards)})" if cards else ""
        match cause:
            case "boxed":
                if boxed[row] < 2:
                    continue
                what, citation = f"{boxed[row]} cards were found face up in the shoe{which}", cites.boxed
            case "shoe":
                what, citation = "the automated dealing shoe failed during the round", cites.shoe_fault
            case "stacks":
                what, citation = f"a card was exposed while the stacks were dealt{which}", cites.stacks_exposed
            case _:
                what, citation = (
                    f"a card of {whose(int(facts.seat[indexes[0]]))} was exposed{which}",
                    cites.dealer_exposed,
                )
        if citation is None:
            continue
        remarks.append(
            Remark(
                row,
                "DEAL-304",
                f"{what}: the cards had to be reshuffled and the round was played on; {stake(row)}",
                citation,
                evidence=tuple(int(facts.seq[i]) for i in indexes),
                basis=Basis.REPORTS,
            )
        )
    return remarks


def voided_without_exposure(batch: RoundBatch, cite: Citation) -> list[Remark]:
    """DEAL-315: a hand was voided as its player may have it where a card of it was exposed, and the only cards reported
    exposed are others'. Where none is reported, the table may have no device that sees it."""
    voids, exposed = batch.facts.of(Fact.VOIDED), batch.facts.of(Fact.EXPOSED)
    voids = voids.where((voids.seat > 0) & (voids.choice == batch.name_id("player_option")))
    seen = set(zip(exposed.row.tolist(), exposed.seat.tolist(), strict=True))
    watched = set(exposed.row.tolist())
    return [
        Remark(
            row,
            "DEAL-315",
            f"the hand of seat {seat} was voided at the player's option, and the cards reported exposed are none of it",
            cite,
            seat=seat,
            evidence=(seq,),
            confidence=LIKELY,
            basis=Basis.REPORTS,
        )
        for row, seat, seq in zip(voids.row.tolist(), voids.seat.tolist(), voids.seq.tolist(), strict=True)
        if row in watched and (row, seat) not in seen and not batch.flags[row] & RoundFlag.GAP
    ]


FEW_HANDS = 3
"""Of so many hands, going round the other way exchanges only two."""


def delivered_otherwise(
    batch: RoundBatch,
    rows: Ints,
    way: Ints,
    seen: Bools,
    ways: Sequence[Way],
    method: Method,
    reshuffled: bool,
    few: bool,
    stake: Callable[[int], str],
    direction_cite: Citation,
    method_cite: Citation,
) -> list[Remark]:
    """DEAL-305, -310: the cards went round the other way, or were dealt otherwise than filed. `way` (n,) is an index
    into `ways`, negative for none of them; `seen` where a device saw the cards go. `reshuffled`: a deal in another
    order has to be reshuffled, and is not merely wrong. `few`: so few hands were dealt that two of them exchanged lie
    like hands that went round the other way."""
    remarks = []
    for row in rows.tolist():
        by = "as a device saw them go" if seen[row] else "as the rack gives every place exactly its hand"
        evidence, confidence = deal_events(batch, row), CERTAIN
        other_way = way[row] >= 0 and ways[way[row]].kind == OTHER_DIRECTION
        if way[row] < 0:
            code, citation, confidence = "DEAL-310", method.cites[0], LIKELY
            what = f"the cards did not go to the places in the order filed ({method.title}), {by}"
        elif other_way:
            code, citation = "DEAL-305", direction_cite
            what = f"the cards were delivered {ways[way[row]].words}, {by}"
            if few and not seen[row]:
                what, confidence = f"{what}, or two hands changed places after the deal", LIKELY
        else:
            code, citation = "DEAL-310", method_cite
            what = f"the cards were dealt otherwise than filed: {ways[way[row]].words}, {by}"
        then = "the cards had to be reshuffled and the round was played on"
        if other_way or not reshuffled:
            then = "the round was played on"
        sentence = f"{what}: {then}; {stake(row)}"
        basis = Basis.DEAL if seen[row] else Basis.COMPARED
        remarks.append(Remark(row, code, sentence, citation, evidence=evidence, confidence=confidence, basis=basis))
    return remarks
