"""What players may do with a hand and what they must: PLAY-411 to PLAY-416, WAGER-502 of doubles, splits and insurance,
WAGER-504 of insurance and even money where there is none, WAGER-505 of surrenders.

The text names no consequence of these: the hands are settled by the cards as they were dealt, and the wagers as they
were placed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from replay.checks.wagers import who
from replay.citations import Citation
from replay.families.blackjack import drawing
from replay.families.blackjack.hands import Hands, card_events, confidence
from replay.families.blackjack.law import BASE, DOUBLE, INSURANCE
from replay.families.blackjack.outcomes import Came
from replay.families.blackjack.play import (
    DOUBLED,
    EVEN,
    FIRST_CARDS,
    HIT,
    NEVER,
    PLAYS,
    SPLIT,
    STAND,
    SURRENDERED,
    Play,
)
from replay.families.blackjack.terms import Terms
from replay.money.action_button import action_buttons
from replay.money.bets import Bets
from replay.ranking.blackjack import Totals
from replay.remarks import Remark
from replay.rounds import ACTIONS, Fact, Ints, RoundBatch
from schemas.cards import NO_CARD, names_of
from schemas.findings import Basis
from schemas.money import dollars
from schemas.plurals import counted

Bools = npt.NDArray[np.bool_]

_ORDINALS = ("first", "second", "third", "fourth", "fifth")
_DONE = {
    HIT: "was hit",
    STAND: "stood",
    DOUBLED: "was doubled",
    SPLIT: "was split",
    SURRENDERED: "was surrendered",
    EVEN: "took even money",
}


@dataclass(frozen=True)
class Choices:
    """A batch as its players played it."""

    batch: RoundBatch
    play: Play
    bets: Bets
    spot: Ints  # the hand each bet is on, -1 where there is none such
    hands: Hands
    came: Came
    voided: Bools  # (n,)
    terms: Terms

    def whose(self, at: int) -> str:
        """`seat 3's hand`, `seat 3's second hand`."""
        spots = self.play.spots
        number = int(spots.hand[at])
        several = "" if not spots.is_split[at] else f"{_ORDINALS[number] if number < 5 else f'{number + 1}th'} "
        return f"seat {spots.seat[at]}'s {several}hand"

    def bettor(self, bet: int) -> str:
        return who(self.batch, int(self.bets.seat[bet]), int(self.bets.bettor[bet]))

    def placed(self, bet: int) -> str:
        return f"{self.bettor(bet)} placed {dollars(int(self.bets.amount[bet]))}"

    def remark(
        self,
        at: int,
        code: str,
        said: str,
        cite: Citation,
        seqs: tuple[int, ...] = (),
        by_cards: bool = True,
        cents: tuple[int, int] | None = None,
    ) -> Remark:
        """About one player's hand."""
        row = int(self.play.spots.row[at])
        evidence = {*seqs, *(card_events(self.batch, row) if by_cards else ())}
        return Remark(
            row,
            code,
            said,
            cite,
            seat=int(self.play.spots.seat[at]),
            wager=self.terms.law.base.name,
            expected_cents=cents[0] if cents else None,
            actual_cents=cents[1] if cents else None,
            evidence=tuple(sorted(evidence)),
            confidence=confidence(self.hands, row) if by_cards else 1.0,
            basis=Basis.HANDS if by_cards else Basis.REPORTS,
        )

    def seqs(self, at: int, *codes: int) -> tuple[int, ...]:
        """When these were done with a hand."""
        play = self.play
        return tuple(play.actions.seq[(play.of == at) & np.isin(play.actions.code, codes)].tolist())


def choices_wrong(chosen: Choices) -> Iterator[Remark]:
    yield from _chart(chosen)
    yield from _played_on(chosen)
    yield from _not_open(chosen)
    yield from _splits(chosen)
    yield from _surrenders(chosen)
    yield from _insurance(chosen)
    yield from _doubles_and_splits_for_less(chosen)
    yield from _out_of_turn(chosen)


# ---- chart 1A --------------------------------------------------------------------------------------------------------


def _chart(chosen: Choices) -> Iterator[Remark]:
    """PLAY-411: stood on what must be hit, or hit what must be stood on."""
    spots, hands, law = chosen.play.spots, chosen.hands, chosen.terms.law
    asked = hands.known & ~chosen.voided[spots.row] & ~spots.surrendered & (spots.away_seq == NEVER)
    at = np.flatnonzero(asked)
    cards, doubled = hands.cards[at], spots.doubles[at] > 0
    drew = drawing.drew_against(law.players, cards, but_last=doubled)
    for index in np.flatnonzero(drew).tolist():
        hand = int(at[index])
        held = cards[index, : drew[index]]
        said = f"{chosen.whose(hand)} was hit on {in_words(held)} ({names_of(held.tobytes())}), which must stand"
        hits = chosen.seqs(hand, HIT)
        yield chosen.remark(hand, "PLAY-411", said, law.players.stand_rule, hits[drew[index] - FIRST_CARDS :][:1])
    one_card = _split_aces(chosen)[at]
    free = ~doubled & ~one_card & ~_dealer_natural(chosen)[spots.row[at]] & ~_even_money(chosen)[at]
    for index in np.flatnonzero(free & drawing.stood_against(law.players, cards, spots.is_split[at])).tolist():
        hand = int(at[index])
        held = cards[index][cards[index] != NO_CARD]
        said = f"{chosen.whose(hand)} stood on {in_words(held)} ({names_of(held.tobytes())}), which must be hit"
        yield chosen.remark(hand, "PLAY-411", said, law.players.hit_rule, chosen.seqs(hand, STAND))


def in_words(cards: npt.NDArray[np.uint8], split: bool = False) -> str:
    """`hard 12`, `soft 18`, `21.5`."""
    totals = drawing.counted(cards[None, :], np.array([split])).totals
    return total_in_words(totals, 0)


def total_in_words(totals: Totals, at: int) -> str:
    if totals.natural[at]:
        return "a Pure 21.5 Blackjack"
    return f"{'soft' if totals.soft[at] else 'hard'} {int(totals.halves[at]) // 2}"


def _split_aces(chosen: Choices) -> Bools:
    """Hands of a seat that split aces: each gets one card more and no other."""
    spots, hands = chosen.play.spots, chosen.hands
    first = hands.cards[:, 0]
    return np.asarray(spots.is_split & hands.known & (first >= _ACE) & (first != NO_CARD))


_ACE = 48  # the codes of aces are 48 to 51


def _dealer_natural(chosen: Choices) -> Bools:
    """(n,) rounds whose player-dealer has a natural."""
    hands = chosen.hands
    return np.asarray(hands.dealer_known & drawing.counted(hands.dealer).totals.natural)


def _even_money(chosen: Choices) -> Bools:
    """Hands on which somebody took even money."""
    found = np.zeros(len(chosen.play.spots), bool)
    of = chosen.play.of[chosen.play.of_action(EVEN)]
    found[of[of >= 0]] = True
    return found


# ---- hands that may not be played, or are over -----------------------------------------------------------------------


def _played_on(chosen: Choices) -> Iterator[Remark]:
    """PLAY-415: hands that were played though the player-dealer had a natural, which is looked for first."""
    play, law = chosen.play, chosen.terms.law
    natural = _dealer_natural(chosen) & ~chosen.voided
    rows = play.actions.row
    for row in np.unique(rows[natural[rows] & np.isin(play.actions.code, PLAYS)]).tolist():
        mine = (rows == row) & np.isin(play.actions.code, PLAYS)
        cards = chosen.hands.dealer[row][:FIRST_CARDS].tobytes()
        said = (
            f"hands were played although the player-dealer had a Pure 21.5 Blackjack ({names_of(cards)}): the down "
            "card is looked at first when an ace or a bonus card is up"
        )
        evidence = {*card_events(chosen.batch, row), int(play.actions.seq[mine].min())}
        sure = confidence(chosen.hands, row)
        yield Remark(row, "PLAY-415", said, law.checked, evidence=tuple(sorted(evidence)), confidence=sure)


def _not_open(chosen: Choices) -> Iterator[Remark]:
    """PLAY-414: something done with a hand that was over, or that there is not. PLAY-412: doubled otherwise than on the
    first two cards."""
    play, law = chosen.play, chosen.terms.law
    actions, of = play.actions, play.of
    playing = np.isin(actions.code, (*PLAYS, SURRENDERED)) & ~chosen.voided[actions.row]
    for at in np.flatnonzero(playing & (of < 0)).tolist():
        seat, hand = int(actions.seat[at]), int(actions.hand[at])
        which = f"hand {hand + 1} of seat {seat}, which has none such," if hand else f"seat {seat}, which has no hand,"
        yield Remark(
            int(actions.row[at]),
            "PLAY-414",
            f"{which} {_DONE[int(actions.code[at])]}",
            law.play,
            seat=seat,
            evidence=(int(actions.seq[at]),),
            basis=Basis.REPORTS,
        )
    ended = np.full(len(play.spots), NEVER, np.int64)
    by = np.zeros(len(play.spots), np.int64)
    order = np.argsort(actions.seq, kind="stable")
    late: list[int] = []
    for at in order[np.isin(order, np.flatnonzero(playing & (of >= 0)))].tolist() if _some_end_early(play) else ():
        hand, code = int(of[at]), int(actions.code[at])
        if ended[hand] != NEVER:
            late.append(at)
        elif code in (STAND, DOUBLED, SURRENDERED):
            ended[hand], by[hand] = actions.seq[at], code
    for at in late:
        hand, code = int(of[at]), int(actions.code[at])
        said = f"{chosen.whose(hand)} {_DONE[code]} after it {_DONE[int(by[hand])]}"
        seqs: tuple[int, ...] = (int(ended[hand]), int(actions.seq[at]))
        if code == DOUBLED and by[hand] == DOUBLED:
            yield chosen.remark(
                hand, "PLAY-412", f"{said}; one card is dealt to it", law.doubling.one_card, seqs, False
            )
        elif code != SURRENDERED:
            cite = law.doubling.one_card if by[hand] == DOUBLED else law.play
            yield chosen.remark(hand, "PLAY-414", said, cite, seqs, False)
    for at in np.flatnonzero(playing & (actions.code == DOUBLED) & (of >= 0)).tolist():
        hand = int(of[at])
        hits = [seq for seq in chosen.seqs(hand, HIT) if seq < actions.seq[at]]
        if hits:
            said = f"{chosen.whose(hand)} was doubled with {counted(FIRST_CARDS + len(hits), 'card')}"
            seqs = (*hits, int(actions.seq[at]))
            yield chosen.remark(hand, "PLAY-412", said, law.doubling.first_two, seqs, False)
    yield from _more_on_split_aces(chosen)


def _some_end_early(play: Play) -> bool:
    """Whether anything may have been done with a hand that was over: most batches have none such."""
    actions, of = play.actions, play.of
    there = of >= 0
    last = np.full(len(play.spots), -1, np.int64)
    np.maximum.at(last, of[there], actions.seq[there])
    first_end = np.full(len(play.spots), NEVER, np.int64)
    ends = there & np.isin(actions.code, (STAND, DOUBLED, SURRENDERED))
    np.minimum.at(first_end, of[ends], actions.seq[ends])
    return bool((last > first_end).any())


def _more_on_split_aces(chosen: Choices) -> Iterator[Remark]:
    spots, law = chosen.play.spots, chosen.terms.law
    drew = _split_aces(chosen) & ((spots.hits > 0) | (spots.doubles > 0)) & ~chosen.voided[spots.row]
    for hand in np.flatnonzero(drew).tolist():
        more = counted(int(spots.hits[hand] + spots.doubles[hand]), "card")
        said = f"{chosen.whose(hand)}, an ace that was split, was dealt {more} beside the one it gets"
        yield chosen.remark(hand, "PLAY-414", said, law.splitting.aces, chosen.seqs(hand, HIT, DOUBLED))


# ---- splits ----------------------------------------------------------------------------------------------------------


def _splits(chosen: Choices) -> Iterator[Remark]:
    """PLAY-413: cards that are not alike, a fourth split, aces again, a hand that had been drawn to."""
    play, hands, law = chosen.play, chosen.hands, chosen.terms.law.splitting
    spots = play.spots
    made = np.flatnonzero((spots.hand > 0) & ~chosen.voided[spots.row])
    if not len(made):
        return
    parent = spots.find(spots.row[made], spots.seat[made], spots.parent[made])
    first, other = hands.cards[np.maximum(parent, 0), 0], hands.cards[made, 0]
    both = (parent >= 0) & (first != NO_CARD) & (other != NO_CARD)
    unlike = both & ~np.asarray(law.alike(np.where(both, first, 0), np.where(both, other, 0)))
    for index in np.flatnonzero(unlike).tolist():
        hand = int(made[index])
        cards = names_of(bytes([int(first[index]), int(other[index])]))
        said = f"seat {spots.seat[hand]} split {cards}, which have neither the same value nor the same rank"
        yield chosen.remark(hand, "PLAY-413", said, law.alike_rule, chosen.seqs(int(parent[index]), SPLIT))
    for hand in made[spots.hand[made] == law.most + 1].tolist():
        said = f"seat {spots.seat[hand]} split more than {law.most} times"
        yield chosen.remark(hand, "PLAY-413", said, law.most_rule, by_cards=False)
    again = both & (spots.hand[made] > 1) & (other >= _ACE)
    for index in np.flatnonzero(again).tolist():
        hand = int(made[index])
        said = f"seat {spots.seat[hand]} split aces a second time"
        yield chosen.remark(hand, "PLAY-413", said, law.aces, chosen.seqs(int(parent[index]), SPLIT))
    actions = play.actions
    for at in np.flatnonzero(play.of_action(SPLIT) & (play.of >= 0)).tolist():
        hand = int(play.of[at])
        hits = [seq for seq in chosen.seqs(hand, HIT) if seq < actions.seq[at]]
        if hits and not chosen.voided[actions.row[at]]:
            said = f"{chosen.whose(hand)} was split with {counted(FIRST_CARDS + len(hits), 'card')}"
            yield chosen.remark(hand, "PLAY-413", said, law.alike_rule, (*hits, int(actions.seq[at])), False)


# ---- surrender, insurance, even money --------------------------------------------------------------------------------


def _surrenders(chosen: Choices) -> Iterator[Remark]:
    """WAGER-505: with more cards than two, or once the down card was seen."""
    spots, law = chosen.play.spots, chosen.terms.law.surrender
    given_up = np.flatnonzero(spots.surrendered & ~chosen.voided[spots.row])
    exposed = _exposed_seq(chosen)
    for hand in given_up.tolist():
        seq = int(spots.surrendered_seq[hand])
        if spots.hits[hand] or spots.doubles[hand]:
            more = counted(int(spots.size[hand]), "card")
            said = f"{chosen.whose(hand)} was surrendered with {more}; that is open after the first two"
            yield chosen.remark(hand, "WAGER-505", said, law.first_two, (seq,), False)
        elif exposed[spots.row[hand]] < seq:
            said = f"{chosen.whose(hand)} was surrendered after the player-dealer's down card had been exposed"
            seqs = (int(exposed[spots.row[hand]]), seq)
            yield chosen.remark(hand, "WAGER-505", said, law.before, seqs, False)


def _exposed_seq(chosen: Choices) -> Ints:
    """(n,) the first event that shows the player-dealer's down card: it put down the action button; NEVER."""
    buttons = action_buttons(chosen.batch)
    return np.where((buttons.seq >= 0) & (buttons.card != NO_CARD), buttons.seq, NEVER).astype(np.int64)


def _insurance(chosen: Choices) -> Iterator[Remark]:
    """WAGER-502 and -503 of insurance, WAGER-504 of insurance and even money where they are not offered."""
    bets, law = chosen.bets, chosen.terms.law.insuring
    hands, spot = chosen.hands, chosen.spot
    base = _own_base(chosen)
    mine = (bets.kind == INSURANCE) & ~bets.void & (spot >= 0)
    for at in np.flatnonzero(mine & chosen.came.not_offered).tolist():
        up = names_of(hands.dealer[bets.row[at]][:1].tobytes())
        said = f"{chosen.placed(at)} on insurance against {up}; it is offered when an ace is up"
        yield _about(chosen, at, "WAGER-504", said, law.offered_rule, by_cards=True)
    most = law.most(base)
    for at in np.flatnonzero(mine & (base == 0)).tolist():
        said = f"{chosen.bettor(at)} placed insurance without a wager on the hand"
        yield _about(chosen, at, "WAGER-503", said, law.most_rule)
    for at in np.flatnonzero(mine & (base > 0) & (bets.amount > most)).tolist():
        said = (
            f"{chosen.placed(at)} on insurance "
            f"of a wager of {dollars(int(base[at]))}; {dollars(int(most[at]))} is the most"
        )
        yield _about(chosen, at, "WAGER-502", said, law.most_rule, (int(most[at]), int(bets.amount[at])))
    claimed = chosen.came.not_offered & (bets.kind == BASE)
    for at in np.flatnonzero(claimed).tolist():
        held = hands.cards[spot[at]]
        up = names_of(hands.dealer[bets.row[at]][:1].tobytes())
        said = (
            f"{chosen.bettor(at)} took even money on {names_of(held[held != NO_CARD])}"
            f" against {up}; it is offered on a Pure 21.5 Blackjack when an ace is up"
        )
        yield _about(chosen, at, "WAGER-504", said, law.even_money, by_cards=True)


def _own_base(chosen: Choices) -> Ints:
    """What the bettor of each bet has on the same hand."""
    bets = chosen.bets
    keys = np.stack([bets.row, bets.seat, bets.hand, bets.bettor]).astype(np.int64)
    _, number = np.unique(keys, axis=1, return_inverse=True)
    number = number.reshape(-1)
    sums = np.zeros(int(number.max(initial=-1)) + 1, np.int64)
    mine = bets.kind == BASE
    np.add.at(sums, number[mine], bets.amount[mine])
    return sums[number] if len(sums) else np.zeros(0, np.int64)


def _doubles_and_splits_for_less(chosen: Choices) -> Iterator[Remark]:
    """WAGER-502: a double below its least or above the wager on the hand, a split for another amount than that."""
    bets, play, law = chosen.bets, chosen.play, chosen.terms.law
    base, standing = _own_base(chosen), ~bets.void & (chosen.spot >= 0)
    for at in np.flatnonzero((bets.kind == DOUBLE) & standing & (bets.amount > base)).tolist():
        said = (
            f"{chosen.bettor(at)} doubled with {dollars(int(bets.amount[at]))} on a "
            f"wager of {dollars(int(base[at]))}, which is the most"
        )
        yield _about(chosen, at, "WAGER-502", said, law.doubling.most, (int(base[at]), int(bets.amount[at])))
    least = law.doubling.least_cents
    for at in np.flatnonzero((bets.kind == DOUBLE) & standing & (bets.amount < least)).tolist():
        said = (
            f"{chosen.bettor(at)} doubled with {dollars(int(bets.amount[at]))}, below the minimum of {dollars(least)}"
        )
        yield _about(chosen, at, "WAGER-502", said, law.doubling.least, (least, int(bets.amount[at])))
    placed = np.zeros(len(play.spots), bool)
    placed[chosen.spot[(bets.kind == DOUBLE) & (chosen.spot >= 0)]] = True
    acted = np.zeros(len(play.spots), bool)
    acted[play.of[play.of_action(DOUBLED) & (play.of >= 0)]] = True
    for hand in np.flatnonzero(acted & ~placed & ~chosen.voided[play.spots.row]).tolist():
        said = f"{chosen.whose(hand)} was doubled, and no wager was placed for it; {dollars(least)} is the minimum"
        seqs = chosen.seqs(hand, DOUBLED)
        yield chosen.remark(hand, "WAGER-502", said, law.doubling.least, seqs, False, (least, 0))
    yield from _unequal_splits(chosen)


def _unequal_splits(chosen: Choices) -> Iterator[Remark]:
    bets, law = chosen.bets, chosen.terms.law.splitting
    later = np.flatnonzero((bets.kind == BASE) & (bets.hand > 0) & ~bets.void & (chosen.spot >= 0))
    firsts = (
        {
            (int(bets.row[at]), int(bets.seat[at]), int(bets.bettor[at])): int(bets.amount[at])
            for at in np.flatnonzero((bets.kind == BASE) & (bets.hand == 0)).tolist()
        }
        if len(later)
        else {}
    )
    for at in later.tolist():
        first = firsts.get((int(bets.row[at]), int(bets.seat[at]), int(bets.bettor[at])), 0)
        if first != bets.amount[at]:
            said = (
                f"{chosen.bettor(at)} split with {dollars(int(bets.amount[at]))} on a "
                f"wager of {dollars(first)}; there is no splitting for less or more"
            )
            yield _about(chosen, at, "WAGER-502", said, law.equal, (first, int(bets.amount[at])))


def _about(
    chosen: Choices,
    at: int,
    code: str,
    said: str,
    cite: Citation,
    cents: tuple[int, int] | None = None,
    by_cards: bool = False,
) -> Remark:
    bets, batch = chosen.bets, chosen.batch
    row = int(bets.row[at])
    return Remark(
        row,
        code,
        said,
        cite,
        seat=int(bets.seat[at]),
        bettor=batch.names[bets.bettor[at]] or None,
        wager=batch.names[bets.wager[at]],
        expected_cents=cents[0] if cents else None,
        actual_cents=cents[1] if cents else None,
        evidence=tuple(sorted({int(bets.placed_seq[at]), *(card_events(batch, row) if by_cards else ())})),
        confidence=confidence(chosen.hands, row) if by_cards else 1.0,
        basis=Basis.HANDS if by_cards else Basis.REPORTS,
    )


# ---- turns -----------------------------------------------------------------------------------------------------------


def _out_of_turn(chosen: Choices) -> Iterator[Remark]:
    """PLAY-416: a hand that was played before one whose turn came first."""
    play, law = chosen.play, chosen.terms.law
    known = np.flatnonzero((play.of >= 0) & np.isin(play.actions.code, PLAYS))
    known = known[~chosen.voided[play.actions.row[known]]]
    order = known[np.lexsort((play.actions.seq[known], play.actions.row[known]))]
    of, row = play.of[order], play.actions.row[order]  # hands stand in the order of their turns
    back = np.flatnonzero((of[1:] < of[:-1]) & (row[1:] == row[:-1])) + 1
    for row_of in np.unique(row[back]).tolist():
        at = int(next(one for one in back.tolist() if row[one] == row_of))
        hand, before = int(of[at]), int(of[at - 1])
        done = _DONE[int(play.actions.code[order[at]])]
        said = f"{chosen.whose(hand)} {done} after {chosen.whose(before)}, whose turn comes later"
        seqs = (int(play.actions.seq[order[at - 1]]), int(play.actions.seq[order[at]]))
        yield chosen.remark(hand, "PLAY-416", said, law.in_turn, seqs, False)


def actions_in_words(batch: RoundBatch, row: int, seat: int, hand: int) -> list[str]:
    """What was done with a hand, for people."""
    facts = batch.facts.of(Fact.ACTION)
    mine = (facts.row == row) & (facts.seat == seat) & (facts.hand == hand)
    return [str(ACTIONS[int(code)]).replace("_", " ") for code in facts.code[mine].tolist()]
