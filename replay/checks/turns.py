"""What was done out of turn: wagers settled at another moment than the rules say, SETTLE-107, and a dealer's hand that
was turned over after a player's, HOUSE-404, betting that was closed too late, WAGER-515."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from replay.citations import Citation
from replay.remarks import Remark
from replay.rounds import OUTCOME_CODE, UNKNOWN, Fact, Facts, Ints, RoundBatch
from schemas.events import Outcome
from schemas.findings import Basis
from schemas.places import DEALER

Bools = npt.NDArray[np.bool_]


def settled_beside_the_deal(
    batch: RoundBatch, wager: str, title: str, dealt: Ints, all_void: Bools, cite: Citation
) -> Iterator[Remark]:
    """Wagers on where the deal begins that were settled before that was said, or after cards had been dealt. `dealt`
    (n,) is the first event that shows cards at a place, UNKNOWN where none does."""
    facts, start = _settled(batch, wager, all_void), batch.start_seq
    early = (start[facts.row] != UNKNOWN) & (facts.seq < start[facts.row])
    late = (dealt[facts.row] != UNKNOWN) & (facts.seq > dealt[facts.row])
    for mask, moment, when in (
        (early, start, "before the number was displayed"),
        (late, dealt, "after cards had been dealt"),
    ):
        for at in np.flatnonzero(mask).tolist():
            against = int(moment[facts.row[at]])
            yield _remark(batch, facts, at, f"the {title} was settled {when}", against, cite)


def settled_beside_more_cards(
    batch: RoundBatch, wager: str, title: str, all_void: Bools, cite: Citation
) -> Iterator[Remark]:
    """Wagers on the cards dealt first that were settled before there were any, or after the last card was dealt. Where
    the whole deal was read in one event, nothing says what came before which card."""
    facts, first, last = _settled(batch, wager, all_void), batch.first_card_seq, batch.last_card_seq
    early = (first[facts.row] != UNKNOWN) & (facts.seq < first[facts.row]) & (first < last)[facts.row]
    late = (first < last)[facts.row] & (facts.seq > last[facts.row])
    for mask, moment, when in (
        (early, first, "before a card had been dealt"),
        (late, last, "after all cards had been dealt"),
    ):
        for at in np.flatnonzero(mask).tolist():
            against = int(moment[facts.row[at]])
            yield _remark(batch, facts, at, f"the {title} was settled {when}", against, cite)


def collected_after_paying(
    batch: RoundBatch, wager: str, title: str, all_void: Bools, cite: Citation
) -> Iterator[Remark]:
    """Losing wagers of one kind that were still on the table when a winning one was paid."""
    facts = _settled(batch, wager, all_void)
    paid = facts.where(facts.code == OUTCOME_CODE[Outcome.WIN])
    first = np.full(len(batch), np.iinfo(np.int64).max)
    np.minimum.at(first, paid.row, paid.seq)
    lost = facts.where(facts.code == OUTCOME_CODE[Outcome.LOSE])
    for at in np.flatnonzero(lost.seq > first[lost.row]).tolist():
        winner = int(first[lost.row[at]])
        said = f"the {title} lost and was collected after a winning one had been paid"
        yield _remark(batch, lost, at, said, winner, cite)


def _settled(batch: RoundBatch, wager: str, all_void: Bools) -> Facts:
    facts = batch.facts
    return facts.where((facts.kind == Fact.SETTLED) & (facts.wager == batch.name_id(wager)) & ~all_void[facts.row])


def _remark(batch: RoundBatch, facts: Facts, at: int, sentence: str, against: int, cite: Citation) -> Remark:
    return Remark(
        int(facts.row[at]),
        "SETTLE-107",
        sentence,
        cite,
        seat=int(facts.seat[at]),
        bettor=batch.names[facts.bettor[at]] or None,
        wager=batch.names[facts.wager[at]],
        evidence=(against, int(facts.seq[at])),
        basis=Basis.REPORTS,
    )


def settled_out_of_order(
    batch: RoundBatch, wager: str, title: str, not_asked: Bools, cite: Citation
) -> Iterator[Remark]:
    """A wager against the dealer that was settled after one of a seat with a higher number; once a round. What was
    given up or void was not settled in its turn."""
    facts = _in_turn(_settled(batch, wager, not_asked))
    facts = facts.at(np.lexsort((facts.seq, facts.row)))
    back = facts.row[1:][(np.diff(facts.row) == 0) & (np.diff(facts.seat) < 0)]
    last: dict[int, int] = {}  # round → the settlement of the highest seat so far
    told = set()
    for at in np.flatnonzero(np.isin(facts.row, back)).tolist():
        row = int(facts.row[at])
        before = last.setdefault(row, at)
        if facts.seat[at] >= facts.seat[before]:
            last[row] = at
        elif row not in told:
            told.add(row)
            said = (
                f"the {title} was settled after that of seat {int(facts.seat[before])}; seats are settled in the order "
            )
            yield _remark(batch, facts, at, f"{said}of their numbers", int(facts.seq[before]), cite)


def settled_before_the_base(
    batch: RoundBatch, wager: str, title: str, base: str, base_title: str, not_asked: Bools, cite: Citation
) -> Iterator[Remark]:
    """A wager on a seat's cards that was settled before the seat's wager against the dealer, which comes first."""
    first, facts = (_in_turn(_settled(batch, name, not_asked)) for name in (base, wager))
    if not len(first) or not len(facts):
        return
    theirs, own = (_whose(batch, some) for some in (first, facts))
    order = np.argsort(theirs, kind="stable")
    at = order[np.minimum(np.searchsorted(theirs[order], own), len(order) - 1)]
    early = (theirs[at] == own) & (facts.seq < first.seq[at])
    for one in np.flatnonzero(early).tolist():
        said = f"the {title} was settled before the {base_title} of the seat, which is settled first"
        yield _remark(batch, facts, one, said, int(first.seq[at[one]]), cite)


def _in_turn(facts: Facts) -> Facts:
    """What was given up or void was not settled in its turn."""
    return facts.where(np.isin(facts.code, [OUTCOME_CODE[one] for one in (Outcome.WIN, Outcome.LOSE, Outcome.PUSH)]))


def _whose(batch: RoundBatch, facts: Facts) -> Ints:
    """One number for each seat, or bettor behind it, of each round."""
    seats = facts.row.astype(np.int64) * 256 + facts.seat
    return np.asarray(seats * len(batch.names) + facts.bettor, np.int64)


def envy_paid_too_early(
    batch: RoundBatch, wager: str, title: str, not_asked: Bools, cite: Citation
) -> Iterator[Remark]:
    """A losing wager of a kind that earns envy bonuses which was collected after one of these had been paid; once a
    round. (Winning ones of premium hands may be paid with the envy bonuses: rulings.md R-55.)"""
    paid = batch.facts.of(Fact.ENVY)
    paid = paid.where(paid.wager == batch.name_id(wager))
    if not len(paid):
        return
    first = np.full(len(batch), np.iinfo(np.int64).max)
    np.minimum.at(first, paid.row, paid.seq)
    facts = _settled(batch, wager, not_asked)
    facts = facts.where(facts.code == OUTCOME_CODE[Outcome.LOSE])
    late = np.flatnonzero(facts.seq > first[facts.row])
    for at in late[np.unique(facts.row[late], return_index=True)[1]].tolist():
        said = f"the {title} lost and was collected after an envy bonus had been paid; that comes after all of them"
        yield _remark(batch, facts, at, said, int(first[facts.row[at]]), cite)


def closed_too_late(batch: RoundBatch, cite: Citation) -> Iterator[Remark]:
    """WAGER-515: it was known where the deal begins, or cards were out, while players could still wager."""
    closed, start, card = (
        batch.fixed[name].astype(np.int64) for name in ("bets_closed_seq", "start_seq", "first_card_seq")
    )
    late = ((start != UNKNOWN) & (start < closed)) | ((card != UNKNOWN) & (card < closed))
    for row in np.flatnonzero((closed != UNKNOWN) & late).tolist():
        known = (("the starting position had been determined", start[row]), ("a card had been dealt", card[row]))
        for what, seq in known:
            if UNKNOWN < seq < closed[row]:
                sentence = f"“No more bets” was announced after {what}"
                evidence = (int(seq), int(closed[row]))
                yield Remark(row, "WAGER-515", sentence, cite, evidence=evidence, basis=Basis.REPORTS)
                break


def dealer_not_first(batch: RoundBatch, against: Ints, all_void: Bools, cite: Citation) -> Iterator[Remark]:
    """HOUSE-404: a player's hand was exposed before that of the dealer, as far as both were seen."""
    shown, never = batch.shown, np.iinfo(np.int64).max
    dealers, players = (np.full(len(batch), never, np.int64) for _ in range(2))
    dealers_own = shown.place == against[shown.row]
    set_in_two = shown.low > 0  # not cards laid open for another wager before the hand is set
    a_players = ~dealers_own & (shown.place != DEALER) & set_in_two
    np.minimum.at(dealers, shown.row[dealers_own], shown.seq[dealers_own])
    np.minimum.at(players, shown.row[a_players], shown.seq[a_players])
    for row in np.flatnonzero((players < dealers) & (dealers != never) & ~all_void).tolist():
        first = np.flatnonzero(a_players & (shown.row == row) & (shown.seq == players[row]))[0]
        yield Remark(
            row,
            "HOUSE-404",
            f"the hand of seat {int(shown.place[first])} was exposed before the dealer's was turned over and set",
            cite,
            evidence=(int(players[row]), int(dealers[row])),
            basis=Basis.REPORTS,
        )
