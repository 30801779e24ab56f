"""Whether an answer about a spoiled rack is right: held against what was done, and against the hands really held.

Two questions are asked of every answer. What does it say was done, and is that so (`judge`); and which hands does it
settle by, and are these the true ones (`gives_wrong_hands`). Whether the information was there at all is for
`tests.reconstruct.rack_accounts` to count.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from replay.cards.solver.answers import Answer, Contradiction, Explanation
from replay.cards.solver.confidence import CONFIDENT
from replay.cards.solver.evidence import HOLE
from replay.cards.solver.faults import Fault, FaultKind
from schemas.cards import names_of
from tests.reconstruct.rack_accounts import CLEAN, KNOWABLE, Account, Key, accounts
from tests.reconstruct.rack_faults import BANKER, PLAYER, STUB, Label, Rack
from tests.reconstruct.rack_trials import DEAL, Trial

NO_TRACE, LOCATED, AMBIGUOUS, LOST, WRONG = "no trace", "located", "ambiguous", "lost", "sure but wrong"
PART, SAME, AS_ONE = "part of it", "same", "as one"
NOT_EXACT = (PART, SAME, AS_ONE, NO_TRACE, WRONG)
"""What becomes of answers that are sure, or find nothing wrong, and do not say exactly what was done."""

_ORDER = ("swapped", "out_of_place", "parts_reversed")
_NAMES = {STUB: "stub", 0: "dealer", PLAYER: "Player", BANKER: "Banker"}

Accounts = Mapping[Key, Account]


@dataclass(frozen=True)
class Outcome:
    """What the audit made of one rack."""

    answer: Answer | None  # None: it was read as it lies, and the solver was not asked
    hands: Mapping[int, bytes] | None  # whose cards it is sure of; None where several readings are left
    of_the_deal: str = ""  # what it says of the reader of the deal, if that was found without a search
    accused: Mapping[int, float] = field(default_factory=dict)  # seats whose settlement it calls wrong, and how surely


# ---- is the information there --------------------------------------------------------------------------------------


def account_of(trial: Trial) -> Key:
    """The true account of a round in which one thing went wrong, as `rack_accounts` names it: its settlements, and so
    nothing with its rack; or its rack."""
    if not trial.labels:
        return CLEAN
    (label,) = trial.labels
    known = trial.evidence == DEAL or trial.played.holds_the_deck
    added = label.kind in ("mixed", "read_twice") or (bool(label.cards) and not label.instead)
    at = trial.rack.index_of(label.packet) if added else -1
    places = () if added else tuple(sorted(label.places))
    return label.kind, places, label.cards, tuple(sorted(label.instead)) if known else (), at


def accounts_of(trial: Trial, rates: dict[str, float]) -> Accounts:
    """Every account of this rack by one fault or none."""
    marks = trial.rack.decks() if trial.row.rack_deck else b""
    return accounts(trial.row.rack, marks, trial.witnesses(), rates)


def is_knowable(trial: Trial, found: Accounts) -> bool:
    """Whether the true account of a round in which one thing went wrong stands out, if anything shows it at all."""
    if trial.played.settled_wrong and not trial.seen_settled_wrong():
        return False
    key = account_of(trial)
    true = found[key].weight if key in found else 0.0
    near = sum(account.weight for other, account in found.items() if _next_to(other, key))
    return max(true, near) / (sum(account.weight for account in found.values()) or 1.0) >= KNOWABLE


def left_no_trace(trial: Trial, found: Accounts) -> bool:
    """Whether the reading is one that a round without fault may give, and no witness, nor any reported settlement (but
    one that even the true hands seem to contradict), says otherwise."""
    return CLEAN in found and found[CLEAN].contradicted <= trial.contradicted_by_truth()


def _next_to(key: Key, true: Key) -> bool:
    """The same card too many, one place further: of two alike side by side either may be the one."""
    return key[:4] == true[:4] and abs(key[4] - true[4]) <= (1 if true[0] != "mixed" else 0)


# ---- is what it says what was done ---------------------------------------------------------------------------------


def same(fault: Fault, label: Label, rack: Rack) -> bool:
    if fault.kind != label.kind or not _alike(fault.instead, label.instead):
        return False
    at = rack.index_of(label.packet)
    if fault.kind is FaultKind.MIXED:
        return sorted(fault.cards) == sorted(label.cards) and fault.at == at
    if fault.cards != label.cards:
        return False
    if fault.cards and not fault.instead:  # a card too many belongs to no hand: where it lies counts
        return abs(fault.at - at) <= 1
    return set(fault.places) == set(label.places)


def _alike(supposed: Sequence[int], true: Sequence[int]) -> bool:
    """The same cards; one that nothing names may be any."""
    holes = list(supposed).count(HOLE)
    return len(supposed) == len(true) and (Counter(true) - Counter(supposed)).total() <= holes


def tells_all(explanation: Explanation, trial: Trial) -> bool:
    labels = list(trial.labels)
    for fault in explanation.faults:
        match = next((label for label in labels if same(fault, label, trial.rack)), None)
        if match is None:
            return False
        labels.remove(match)
    return not labels


def tells_part(explanation: Explanation, trial: Trial) -> bool:
    """Every fault it names was done, and it blames no witness, though it does not name all. Where hands went in in
    another order, which left no trace, a card of one is said to lie in the hand whose turn it would have been."""
    if not explanation.faults or explanation.against:
        return False
    labels = [*trial.labels, *(in_turn(label, trial) for label in trial.labels)]
    return all(any(same(fault, label, trial.rack) for label in labels) for fault in explanation.faults)


def in_turn(label: Label, trial: Trial) -> Label:
    """The label, with the place whose packet should have lain where this one does."""
    turns = _turns(trial)
    if label.kind in _ORDER or not turns:
        return label
    return replace(label, places=tuple(turns.get(place, place) for place in label.places))


def _turns(trial: Trial) -> dict[int, int]:
    """Of each place whose packet lies in the rack: the place whose turn it was. Empty where packets are gone."""
    turns = [packet.place for packet in trial.clean.packets]
    lying = [packet.place for packet in trial.rack.packets if packet.place in turns]
    return dict(zip(lying, turns, strict=True)) if len(lying) == len(turns) else {}


def same_effect(explanation: Explanation, trial: Trial) -> bool:
    """Other faults that leave the same: every hand as it was, and what is too many reported as what it is."""
    if explanation.against or not explanation.faults:
        return False
    hands = trial.played.hands
    if any(sorted(explanation.reading.cards(place)) != sorted(held) for place, held in hands.items()):
        return False
    if _too_many(explanation.faults) == _too_many(trial.labels):
        return True  # of two cards alike one is too many: whichever it is said to be, the same lies there
    return all(
        any(fault.kind == label.kind and fault.cards == label.cards for label in trial.labels)
        for fault in explanation.faults
        if fault.cards
    )


def _too_many(done: Sequence[Fault | Label]) -> tuple[list[str], Counter[int]]:
    """The kinds of what was done, and the cards that it put in more than it took."""
    cards = Counter(card for each in done for card in each.cards)
    return sorted(str(each.kind) for each in done), cards - Counter(card for each in done for card in each.instead)


def reads_as_one(explanation: Explanation, trial: Trial, found: Accounts) -> bool:
    """Two faults that left what the one explained leaves, to every witness: the fewest faults are what is asked for."""
    if len(explanation.faults) != 1 or explanation.against:
        return False
    (fault,) = explanation.faults
    added = bool(fault.cards) and not fault.instead
    places = () if added else tuple(sorted(fault.places))
    instead = tuple(card for card in sorted(fault.instead) if card != HOLE)
    account = found.get((fault.kind.value, places, fault.cards, instead, fault.at if added else -1))
    return account is not None and account.contradicted <= trial.contradicted_by_truth()


def judge(verdict: Outcome, trial: Trial, found: Accounts) -> tuple[str, bool]:
    """What became of the rack, and whether the first explanation says exactly what was done. Whoever is surely said to
    have settled a wager wrong that was settled right is wrongly accused, whatever else was found."""
    outcome, first = (
        _of_settlements(verdict, trial, found) if trial.played.settled_wrong else _of_rack(verdict, trial, found)
    )
    accused = {seat for seat, sure in verdict.accused.items() if sure >= CONFIDENT}
    if outcome != AS_ONE and not accused <= trial.seen_settled_wrong() | trial.played.wrong_at:
        return WRONG, False
    return outcome, first


def _of_settlements(verdict: Outcome, trial: Trial, found: Accounts) -> tuple[str, bool]:
    """Of a round whose wagers were settled wrong on purpose, its rack spoiled besides or not. To tell all is to name
    every fault of the rack, and the seats settled wrong as far as the hands show it, and none else."""
    answer, seen = verdict.answer, trial.seen_settled_wrong()
    if answer is None and verdict.of_the_deal:
        of_deal = _of_the_deal(verdict, trial)
        return (PART if of_deal == LOCATED else of_deal), False
    if answer is None:
        if trial.labels and not left_no_trace(trial, found):
            return (LOST if verdict.hands is None else WRONG), False  # with several readings left, nothing is sure
        exactly = verdict.accused.keys() == seen
        return (LOST if not exactly else NO_TRACE if not seen else PART if trial.labels else LOCATED), exactly
    if not answer.explanations:
        return LOST, False

    def tells(one: Explanation) -> bool:
        return tells_all(one, trial) and _settled_wrong(one) == seen

    best = answer.explanations[0]
    first = tells(best)
    if best.confidence < CONFIDENT:
        return (AMBIGUOUS if any(map(tells, answer.explanations)) else LOST), first
    if first:
        return (LOCATED if seen or trial.labels else NO_TRACE), first
    if not trial.labels:
        return WRONG, first  # a settlement reported as something else
    if _settled_wrong(best) <= seen and all(
        any(same(fault, label, trial.rack) for label in trial.labels) for fault in best.faults
    ):
        return PART, first
    return _of_two(best, trial, found), first


def _settled_wrong(explanation: Explanation) -> frozenset[int]:
    return frozenset(against.place for against in explanation.against if against.what is Contradiction.SETTLED)


def _of_rack(verdict: Outcome, trial: Trial, found: Accounts) -> tuple[str, bool]:
    """Of a round that was settled right.

    A rack that is taken for one without fault is a sure answer too: right to give where the fault left no trace, wrong
    where a witness says otherwise and the audit puts it down to that witness, or does not mind it.
    """
    answer = verdict.answer
    traceless = left_no_trace(trial, found)
    if answer is None and verdict.of_the_deal:
        return _of_the_deal(verdict, trial), False
    if answer is None:
        return (NO_TRACE if traceless else AS_ONE if _both_readers_agree(trial, found) else WRONG), False
    if not answer.explanations:
        return LOST, False  # the search was given up
    best = answer.explanations[0]
    first = tells_all(best, trial)
    if best.confidence < CONFIDENT:
        if traceless and not any(explanation.faults or explanation.against for explanation in answer.explanations):
            return NO_TRACE, False  # several readings, all of them of a rack without fault
        kept = any(tells_all(explanation, trial) for explanation in answer.explanations)
        return (AMBIGUOUS if kept else LOST), first
    if first:
        return LOCATED, first
    if traceless and not best.faults and not best.against:
        return NO_TRACE, first
    if len(trial.labels) > 1:
        return _of_two(best, trial, found), first
    return WRONG, first


def _both_readers_agree(trial: Trial, found: Accounts) -> bool:
    """A card that both the shoe and the rack have for the same other one: a wager settled wrong explains all there is,
    and is what the audit tells."""
    return trial.played.misread_deal is not None and CLEAN in found


def _of_the_deal(verdict: Outcome, trial: Trial) -> str:
    """Of a deal that was said to have been misread, the rack being as it should be: right if it was, with these cards,
    and nothing else was done to the rack that anything could have shown."""
    misread = trial.played.misread_deal
    if misread is None:
        return WRONG
    words = f"read {names_of([misread.read])} twice in one deal; by the rack it took {names_of([misread.true])} of "
    if words not in verdict.of_the_deal:
        return LOST if "not counted" in verdict.of_the_deal else WRONG
    if len(trial.labels) == 1:
        return LOCATED
    return PART if not gives_wrong_hands(verdict, trial) else WRONG


def _of_two(best: Explanation, trial: Trial, found: Accounts) -> str:
    """What a sure answer is that does not tell both faults."""
    if tells_part(best, trial):
        return PART
    if same_effect(best, trial):
        return SAME
    if reads_as_one(best, trial, found):
        return AS_ONE
    return WRONG


# ---- are the hands the true ones -----------------------------------------------------------------------------------


def gives_wrong_hands(verdict: Outcome, trial: Trial) -> bool:
    """Whether the audit is sure of the hands and gives a place that money depends on other cards than it held. How a
    hand was set does not matter here, and a card that is known to be there and not which one is not wrong. Hands in
    each other's places because they were picked up so are not counted where no witness could say it."""
    if verdict.hands is None:
        return False
    true = trial.played.hands
    asked = trial.played.at_stake & verdict.hands.keys()
    wrong = any(not _alike(verdict.hands[place], true[place]) for place in asked)
    return wrong and not _only_in_another_order(verdict, trial)


def _only_in_another_order(verdict: Outcome, trial: Trial) -> bool:
    """The hands found are the true ones in other places, as a fault of order that nothing shows left them."""
    assert verdict.hands is not None
    if not any(label.kind in ("swapped", "out_of_place") for label in trial.labels):
        return False
    true = trial.played.hands
    whose = {
        place: next((other for other, held in true.items() if _alike(verdict.hands.get(place, b""), held)), None)
        for place in true
    }
    if sorted(other for other in whose.values() if other is not None) != sorted(true):
        return False
    as_they_lie = {turn: place for place, turn in _turns(trial).items() if place != STUB}
    best = verdict.answer.explanations[0] if verdict.answer is not None and verdict.answer.explanations else None
    if whose != as_they_lie and not (best is not None and tells_part(best, trial)):
        return False
    seen = trial.witnesses()
    held = {place: true[other] for place, other in whose.items() if other is not None}
    held |= {place: cards for place, cards in verdict.hands.items() if HOLE not in cards}  # set as it was read
    packets = [held.get(packet.place, packet.faces()) for packet in trial.clean.packets]
    shape = tuple(
        (packet.place, len(cards), packet.low) for packet, cards in zip(trial.clean.packets, packets, strict=True)
    )
    return seen.fits(shape, packets) and seen.contradicted(shape, packets) <= trial.contradicted_by_truth()


# ---- for whoever looks at a wrong one ------------------------------------------------------------------------------


def in_words(verdict: Outcome, trial: Trial) -> str:
    """What was done to a rack and what was made of it, in two lines."""
    done = "; ".join(_what(label.kind, label.places, label.cards, label.instead) for label in trial.labels)
    if trial.played.settled_wrong:
        seats = ", ".join(_place(seat) for seat in sorted(trial.seen_settled_wrong()))
        done = f"{done}{done and '; '}{trial.played.settled_wrong}, which shows at {seats or 'no seat'}"
    if verdict.answer is None:
        return f"done: {done}\nfound: nothing, the solver was not asked; settled wrong {dict(verdict.accused)}"
    if not verdict.answer.explanations:
        return f"done: {done}\nfound: nothing, the search was given up"
    best = verdict.answer.explanations[0]
    faults = "; ".join(_what(fault.kind.value, fault.places, fault.cards, fault.instead) for fault in best.faults)
    against = ", ".join(f"{one.what.value} {_place(one.place)}{one.rule and ': '}{one.rule}" for one in best.against)
    return (
        f"done: {done}\n"
        f"found: {faults or 'no fault'}, confidence {best.confidence:.4f}, against {against or 'no witness'}; "
        f"{len(verdict.answer.explanations)} kept, {verdict.answer.considered} considered; "
        f"settled wrong {dict(verdict.accused)}"
    )


def _what(kind: str, places: Sequence[int], cards: Sequence[int], instead: Sequence[int]) -> str:
    words = [kind, ", ".join(map(_place, places))]
    words += [f"read {names_of(cards)}"] * bool(cards) + [f"should be {names_of(instead)}"] * bool(instead)
    return " ".join(word for word in words if word)


def _place(place: int) -> str:
    return _NAMES.get(place, f"seat {place}" if place > 0 else "")
