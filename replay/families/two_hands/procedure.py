"""What was not done as the rules say: third cards, late wagers, limits, the action button and the bank."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np

from replay.checks.deck import deck_remarks
from replay.families.two_hands import drawing
from replay.families.two_hands.bets import KINDS, UNKNOWN_KIND, Bets, Voids
from replay.families.two_hands.button import action_buttons
from replay.families.two_hands.hands import Hands, basis, card_events, confidence
from replay.families.two_hands.settlement import Short
from replay.filing import FeeSchedule, Filing
from replay.money.fees import deal_begun, limits
from replay.money.wagers import Wagers
from replay.packs.ca.supreme_baccarat.v1 import rules
from replay.ranking.baccarat import button_value
from replay.remarks import Remark
from replay.rounds import Ints, RoundBatch, RoundFlag
from schemas.cards import JOKER_1, name_of
from schemas.findings import LIKELY, Basis
from schemas.money import dollars

HANDS_RUNNING = 2  # rules.TWO_HANDS_RUNNING
ORDINALS = {3: "third", 4: "fourth", 5: "fifth"}


def shoes(batch: RoundBatch) -> list[Remark]:
    """CARD-314, -316, -317: what earlier rounds of its shoe have against a round; and whether rack, burned cards and
    the rest are together the shoe, when somebody counts or reads the rest."""
    return deck_remarks(batch, rules.DECK)


def third_cards(batch: RoundBatch, hands: Hands, bets: Bets, voids: Voids) -> Iterator[Remark]:
    """DEAL-303: a round every reading of which breaks the drawing rules; it is settled on the cards as they lie."""
    rows = np.flatnonzero(hands.known & ~voids.rounds)
    wrong = rows[~drawing.fits(hands.player[rows], hands.banker[rows])]
    wagered = np.zeros(len(batch), dtype=np.int64)
    np.add.at(wagered, bets.row, bets.amount)
    other = hands.with_other(1)
    told = {remark.row for remark in hands.remarks if remark.code == "DEAL-303"}
    two_ways = set(hands.others) - {remark.row for remark in hands.remarks}  # else rack and deal differ
    for row in wrong.tolist():
        if row in told:
            continue  # with what else it may be
        if row in hands.others and drawing.fits(other.player[row : row + 1], other.banker[row : row + 1])[0]:
            continue  # rack and deal differ, which is remarked, and by one of them the rules were kept
        said = drawing.explain(hands.player[row : row + 1], hands.banker[row : row + 1])
        sentence = said.sentence
        if row in two_ways:
            also = drawing.explain(other.player[row : row + 1], other.banker[row : row + 1])
            sentence = f"five cards read two ways, and neither keeps the rules. Either {sentence}; or {also.sentence}"
        yield Remark(
            row,
            "DEAL-303",
            f"{sentence}. {dollars(int(wagered[row]))} was wagered",
            said.cite,
            evidence=card_events(batch, row),
            confidence=confidence(hands, row),
            basis=basis(hands, row),
        )


def late_wagers(batch: RoundBatch, wagers: Wagers, closed: Ints, voids: Voids) -> Iterator[Remark]:
    """WAGER-501: after the deal began (CA) or, as far as is known, only after "No more bets" (rulings.md R-37)."""
    begun = deal_begun(batch)
    for event in wagers.late_events:
        if event.amount == event.amount_before:
            continue  # reported again as it stood, or taken back though it was never there
        void = voids.rounds[event.row] or (event.row, event.seat) in voids.seats
        if void and event.what == "withdrawn":
            continue  # the void gave it back
        match event.what:
            case "placed":
                what = f"placed {dollars(event.amount)} on {_title(batch, event.wager)}"
            case "withdrawn":
                what = f"took back {dollars(event.amount_before)} from {_title(batch, event.wager)}"
            case _:
                how = "raised" if event.amount > event.amount_before else "lowered"
                what = (
                    f"{how} {_title(batch, event.wager)} from {dollars(event.amount_before)} to {dollars(event.amount)}"
                )
        dealing = 0 <= begun[event.row] < event.seq
        when = "the deal had begun" if dealing else "betting had closed"
        yield Remark(
            event.row,
            "WAGER-501",
            f"{_who(batch, event.seat, event.bettor)} {what} after {when}",
            rules.NO_LATE_BETS if dealing else rules.NO_MORE_BETS,
            seat=event.seat,
            bettor=batch.names[event.bettor] or None,
            wager=batch.names[event.wager],
            expected_cents=event.amount_before,
            actual_cents=event.amount,
            evidence=(int(begun[event.row] if dealing else closed[event.row]), event.seq),
            basis=Basis.REPORTS,
            whatever_is_missing=True,  # betting that is closed stays closed
        )


def wager_limits(batch: RoundBatch, bets: Bets, filing: Filing, schedule: FeeSchedule) -> Iterator[Remark]:
    """WAGER-502."""
    bounds = np.array([limits_of(filing, schedule, name) for name in KINDS])
    lowest, highest = bounds[bets.kind].T  # a kind unknown reads the last row, and is left out
    outside = (bets.kind != UNKNOWN_KIND) & ((bets.amount < lowest) | (bets.amount > highest))
    for at in np.flatnonzero(outside).tolist():
        amount, low, high = int(bets.amount[at]), int(lowest[at]), int(highest[at])
        side = "below the minimum" if amount < low else "above the maximum"
        bound = low if amount < low else high
        wager = KINDS[bets.kind[at]]
        source, cite = f"schedule {schedule.id}", schedule.limits_cite
        if bound not in schedule.limits[wager]:
            source, cite = f"filed for this table under schedule {schedule.id}", rules.TABLE_LIMITS
        elif filing.pack.data.wagers[wager].bonus and amount < low:
            cite = rules.BONUS_RANGE
        yield Remark(
            int(bets.row[at]),
            "WAGER-502",
            f"{_who(batch, int(bets.seat[at]), int(bets.bettor[at]))} has {dollars(amount)} on "
            f"{_title(batch, int(bets.wager[at]))}, {side} of {dollars(bound)} ({source})",
            cite,
            seat=int(bets.seat[at]),
            bettor=batch.names[bets.bettor[at]] or None,
            wager=batch.names[bets.wager[at]],
            expected_cents=bound,
            actual_cents=amount,
            evidence=(int(bets.placed_seq[at]),),
            basis=Basis.REPORTS,
        )


def limits_of(filing: Filing, schedule: FeeSchedule, wager: str) -> tuple[int, int]:
    """Lowest and highest amount of a wager: the lines by the table's limits, the bonus bets by the schedule's."""
    if filing.pack.data.wagers[wager].bonus:
        return limits(schedule, wager, 0, 0)
    return limits(schedule, wager, filing.number("table_minimum_cents"), filing.number("table_maximum_cents"))


def wagers_not_offered(batch: RoundBatch, bets: Bets, seats: int) -> Iterator[Remark]:
    """WAGER-504: another wager than the four, at a seat the table does not have, or by the player-dealer."""
    unknown = bets.kind == UNKNOWN_KIND
    nowhere = (bets.seat < 1) | (bets.seat > seats)
    own = (bets.seat == batch.bank_seat[bets.row]) & (bets.bettor == 0)
    for at in np.flatnonzero(unknown | nowhere | own).tolist():
        seat, bettor, wager = int(bets.seat[at]), int(bets.bettor[at]), int(bets.wager[at])
        amount = dollars(int(bets.amount[at]))
        if unknown[at]:
            sentence = (
                f"{_who(batch, seat, bettor)} has {amount} on {batch.names[wager]!r}, which is no wager of this game"
            )
            cite = rules.FOUR_WAGERS
        elif nowhere[at]:
            sentence = f"{amount} on {_title(batch, wager)} lies at seat {seat}, and the table has {seats} seats"
            cite = rules.SEATED_POSITIONS
        else:
            sentence = f"the player-dealer in seat {seat} has {amount} on {_title(batch, wager)}, against itself"
            cite = rules.PLAYER_DEALER_COLLECTS
        yield Remark(
            int(bets.row[at]),
            "WAGER-504",
            sentence,
            cite,
            seat=seat,
            bettor=batch.names[bettor] or None,
            wager=batch.names[wager],
            evidence=(int(bets.placed_seq[at]),),
            basis=Basis.REPORTS,
        )


def action_button(batch: RoundBatch, hands: Hands, short: list[Short]) -> Iterator[Remark]:
    """BUTTON-802: cover ran out, and the action button was not put where the Banker hand's first card says."""
    for round_ in short:
        if round_.placed == round_.button:
            continue
        row, first = round_.row, hands.banker[round_.row, :1]
        told = "no action button was reported"
        where = told if round_.placed < 0 else f"the action button was put at seat {round_.placed}"
        posted, moves = dollars(int(batch.bank_posted_cents[row])), dollars(round_.moves)
        yield Remark(
            row,
            "BUTTON-802",
            f"the {posted} posted by the player-dealer in seat {batch.bank_seat[row]} does not cover the {moves} that "
            f"moves, and {where}: the Banker hand's first card {name_of(int(first[0]))} counts "
            f"{button_value(first)[0]} from the player-dealer's left, to seat {round_.button}",
            rules.BUTTON,
            evidence=tuple(sorted({*card_events(batch, row), *_known(round_.seq), *_known(int(batch.bank_seq[row]))})),
            confidence=min(confidence(hands, row), LIKELY) if round_.placed < 0 else confidence(hands, row),
            basis=basis(hands, row),
        )


def button_held_against_cards(
    batch: RoundBatch, hands: Hands, short: Mapping[int, Short], voids: Voids, seats: int
) -> Iterator[Remark]:
    """BUTTON-805: by the card it names, another card decided the action button than the Banker hand's first one. And
    BUTTON-802: its seat does not follow from that card, though the cover went far enough for no wager to depend on it
    (else `action_button` tells)."""
    placed = action_buttons(batch)
    rows = np.flatnonzero((placed.card < JOKER_1) & hands.known & ~voids.rounds)
    if not len(rows):
        return
    by_another = placed.card[rows] != hands.banker[rows, 0]
    for number in range(1, hands.most_readings):  # where one reading has it right, nothing can be said against it
        by_another &= placed.card[rows] != hands.with_other(number).banker[rows, 0]
    bank = batch.bank_seat[rows]
    seated = (bank >= 1) & (bank <= seats)
    due = np.where(seated, rules.button_seat(placed.card[rows], np.where(seated, bank, 1), seats), placed.seat[rows])
    needless = ~np.isin(rows, np.fromiter(short, np.int64, len(short)))
    for at in np.flatnonzero(by_another).tolist():
        row, first = int(rows[at]), int(hands.banker[rows[at], 0])
        yield _about_button(
            batch,
            hands,
            row,
            "BUTTON-805",
            f"the action button was put down by {name_of(int(placed.card[row]))}; the card that decides it, the Banker "
            f"hand's first, is {name_of(first)}",
        )
    for at in np.flatnonzero((due != placed.seat[rows]) & needless & ~by_another).tolist():
        row, card = int(rows[at]), placed.card[rows[at : at + 1]]
        yield _about_button(
            batch,
            hands,
            row,
            "BUTTON-802",
            f"the action button was put at seat {placed.seat[row]} by {name_of(int(card[0]))}, which counts "
            f"{button_value(card)[0]} from the player-dealer's left, to seat {due[at]}; the posted money covers "
            "everything that moves, so no wager depends on it",
        )


def _about_button(batch: RoundBatch, hands: Hands, row: int, code: str, sentence: str) -> Remark:
    seq = _known(int(action_buttons(batch).seq[row]))
    evidence = tuple(sorted({*card_events(batch, row), *seq}))
    return Remark(
        row,
        code,
        sentence,
        rules.BUTTON_CARD,
        evidence=evidence,
        confidence=confidence(hands, row),
        basis=basis(hands, row),
    )


def bank_turns(batch: RoundBatch) -> Iterator[Remark]:
    """BANK-803 and BANK-804."""
    in_context = ~batch.has(RoundFlag.CONTEXT_UNKNOWN)
    # The run is the least it can be where events are missing (replay/assembling/assemble.py), so too long is too long.
    for row in np.flatnonzero(batch.bank_run > HANDS_RUNNING).tolist():
        run = int(batch.bank_run[row])
        yield Remark(
            row,
            "BANK-803",
            f"seat {batch.bank_seat[row]} is player-dealer for the {ORDINALS.get(run, f'{run}th')} hand running; "
            f"{HANDS_RUNNING} are allowed",
            rules.TWO_HANDS_RUNNING,
            seat=int(batch.bank_seat[row]),
            evidence=_known(int(batch.bank_seq[row])),
            basis=Basis.REPORTS,
        )
    # On a second turn the seat had the bank, not a wager, in the hand before: the first turn is what must be earned.
    first_turn = in_context & (batch.bank_run == 1) & (batch.bank_wagered_before == 0)
    for row in np.flatnonzero(first_turn).tolist():
        yield Remark(
            row,
            "BANK-804",
            f"seat {batch.bank_seat[row]} is player-dealer without a wager on that spot in the previous hand",
            rules.WAGER_BEFORE_BANKING,
            seat=int(batch.bank_seat[row]),
            evidence=_known(int(batch.bank_seq[row])),
            basis=Basis.REPORTS,
        )


def _who(batch: RoundBatch, seat: int, bettor: int) -> str:
    return f"seat {seat}" if bettor == 0 else f"backline bettor {batch.names[bettor]} at seat {seat}"


def _title(batch: RoundBatch, wager: int) -> str:
    titles = {"player": "the Player line", "banker": "the Banker line", "tie": "Tie", "total_shot": "Total Shot"}
    return titles.get(batch.names[wager], batch.names[wager])


def _known(seq: int) -> tuple[int, ...]:
    return (seq,) if seq >= 0 else ()
