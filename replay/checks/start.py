"""Where a deal begins: by dice, by a random number or by the button : START-201, -202 and -203."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from replay.cards.dealing.seen import deal_events
from replay.citations import Citation
from replay.naming import place_name
from replay.remarks import Remark
from replay.rounds import GAME_START, START_METHOD_CODE, START_METHODS, UNKNOWN, Fact, Ints, RoundBatch, RoundFlag
from schemas.events import StartMethod
from schemas.findings import CERTAIN, LIKELY, Basis
from schemas.places import DEALER

Bools = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class Starts:
    """Where each deal should begin and was said to begin; UNKNOWN where nothing says."""

    expected: Ints
    announced: Ints
    method: Ints  # START_METHOD_CODE; UNKNOWN where every deal begins at the dealer's left
    also: Ints  # another place that is as right; UNKNOWN where there is none

    @property
    def presumed(self) -> Ints:
        return np.where(self.announced != UNKNOWN, self.announced, self.expected)


def starts_of(
    batch: RoundBatch,
    filed: StartMethod,
    of_number: Callable[[Ints, Ints], Ints],
    next_button: Callable[[Ints], Ints],
    places: int,
    number_one: Ints,
) -> Starts:
    """`filed` is the method where the devices do not say it; `number_one` (n,) the place a count begins at."""
    method = np.where(batch.start_method == UNKNOWN, START_METHOD_CODE[filed], batch.start_method).astype(np.int64)
    number, previous = batch.start_number.astype(np.int64), batch.previous_button.astype(np.int64)
    by_button = method == START_METHOD_CODE[StartMethod.BUTTON]
    expected = np.where(number > 0, of_number(number, number_one), UNKNOWN)
    button_known = (previous >= 0) & (previous < places) & ~batch.has(RoundFlag.CONTEXT_UNKNOWN)
    button = np.where(button_known, next_button(previous), UNKNOWN)
    button = np.where(
        previous == GAME_START, DEALER, button
    )  # MA-PGP §8c(d): "At the commencement of play ... the dealer"
    place = batch.start_place.astype(np.int64)
    announced = np.where((place >= 0) & (place < places), place, UNKNOWN)
    # after a void round it stays (MA-PGP §4(a)(3): "as each round of play is completed"); a move is accepted too.
    either = by_button & button_known & batch.has(RoundFlag.AFTER_VOID)
    also = np.where(either, button, UNKNOWN)
    button = np.where(either & (announced != button), previous, button)
    return Starts(np.where(by_button, button, expected), announced, method, also)


def at_dealers_left(rows: int, place: int) -> Starts:
    """Of deals that all begin at one place, the first to the dealer's left that is dealt in."""
    unknown = np.full(rows, UNKNOWN)
    return Starts(np.full(rows, place), unknown, unknown, unknown)


def no_roll_remarks(batch: RoundBatch, played: Bools, cite: Citation) -> list[Remark]:
    """START-202: a roll was called off, and no other is reported after it in a round that was `played`."""
    facts = batch.facts.of(Fact.NO_ROLL)
    last = {int(row): at for at, row in enumerate(facts.row.tolist())}  # in the order they were said
    remarks = []
    for row, at in last.items():
        seq, began = int(facts.seq[at]), int(batch.start_seq[row])
        if not played[row] or began == UNKNOWN or began > seq or batch.flags[row] & RoundFlag.GAP:
            continue
        why = batch.names[facts.choice[at]].replace("_", " ")
        what = f"the roll was called off ({why}) after the starting position had been determined by it, and the dice "
        what += "were not shaken again"
        remarks.append(Remark(row, "START-202", what, cite, evidence=(began, seq), basis=Basis.REPORTS))
    return remarks


def numbers_out_of_range(batch: RoundBatch, most: int, cite: Citation) -> list[Remark]:
    """START-203: of a random number generator that shows 1 to `most`."""
    drawn = batch.start_method == START_METHOD_CODE[StartMethod.RNG]
    return [
        Remark(
            row,
            "START-203",
            f"the random number generator is said to have shown {batch.start_number[row]}; it must show a number from "
            f"1 to {most}",
            cite,
            evidence=(int(batch.start_seq[row]),),
            basis=Basis.REPORTS,
        )
        for row in np.flatnonzero(drawn & (batch.start_number > most)).tolist()
    ]


def start_remarks(
    batch: RoundBatch,
    starts: Starts,
    actual: Ints,
    not_asked: Bools,
    dead: Mapping[StartMethod, bool],
    stake: Callable[[int], str],
    cites: Mapping[StartMethod, Citation],
    left_of_dealer: Citation | None = None,
) -> list[Remark]:
    """START-201. `actual` is where the cards say the deal began; where they do not, the place announced counts. Hands
    dealt from a wrong place are `dead` by dice (MA-PGP §11(c)), by number or button as filed (rulings.md R-57). `stake`
    says what was at stake in a round; rounds `not_asked` are void, or begin elsewhere."""
    began = np.where(actual != UNKNOWN, actual, starts.announced)
    due = np.where(starts.expected != UNKNOWN, starts.expected, starts.announced)
    wrong = (began != UNKNOWN) & (due != UNKNOWN) & (began != due) & ~not_asked
    wrong &= (began != starts.also) | ((actual != UNKNOWN) & (starts.announced == due))
    remarks = []
    for row in np.flatnonzero(wrong).tolist():
        seen = actual[row] != UNKNOWN
        place, announced = place_name(int(began[row])), place_name(int(starts.announced[row]))
        if starts.method[row] == UNKNOWN:
            remarks.append(_not_left_of_dealer(batch, row, int(due[row]), int(began[row]), left_of_dealer))
            continue
        method = START_METHODS[starts.method[row]]
        then = "play continued"
        if dead[method]:
            then = f"{'all hands' if seen else 'if they were dealt from there, all hands'} were dead, but {then}"
        match method:
            case StartMethod.DICE:
                basis = f"the dice total {batch.start_number[row]}"
            case StartMethod.RNG:
                basis = f"the number is {batch.start_number[row]}"
            case StartMethod.BUTTON:
                before = int(batch.previous_button[row])
                basis = "play commences" if before == GAME_START else f"the button was at {place_name(before)} before"
        if starts.expected[row] == UNKNOWN:
            what = f"the dealer announced {announced} as the starting position, but the cards were dealt from {place}"
        elif not seen:
            what = f"{basis}, which makes {place_name(int(due[row]))} the starting position; {place} was"
            what += " announced"
        elif starts.announced[row] == due[row]:
            what = f"{basis} and {announced} was announced, but the cards were dealt from {place}"
        else:
            what = f"{basis}, which makes {place_name(int(due[row]))} the starting position; the cards"
            what += f" were dealt from {place}"
        evidence = () if batch.start_seq[row] == UNKNOWN else (int(batch.start_seq[row]),)
        remarks.append(
            Remark(
                row,
                "START-201",
                f"{what}: {then}; {stake(row)}",
                cites[method],
                evidence=(*evidence, *(deal_events(batch, row) if seen else ())),
                confidence=CERTAIN if seen else LIKELY,
                basis=Basis.COMPARED if seen else Basis.REPORTS,
            )
        )
    return remarks


def _not_left_of_dealer(batch: RoundBatch, row: int, due: int, began: int, cite: Citation | None) -> Remark:
    assert cite is not None, "a game whose deals begin at the dealer's left says by which words"
    return Remark(
        row,
        "START-201",
        f"the deal begins at the first place to the dealer's left with a wager, {place_name(due)}; the cards were "
        f"dealt from {place_name(began)}: play continued",
        cite,
        evidence=deal_events(batch, row),
        basis=Basis.COMPARED,
    )
