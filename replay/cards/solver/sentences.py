"""Explanations in words, for every game: what went wrong with the rack, with which cards, in whose hand."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from replay.cards.solver.answers import Against, Answer, Contradiction, Explanation
from replay.cards.solver.confidence import CONFIDENT
from replay.cards.solver.evidence import HOLE
from replay.cards.solver.faults import Fault, FaultKind
from replay.cards.solver.layout import BANKER, BOARD, BURNS, PLAYER, STUB
from schemas.cards import NO_CARD, names_of
from schemas.plurals import counted

Name = Callable[[int], str]

MOST_CAUSES, WORTH_TELLING = 3, 0.01
FAR_AHEAD = 3.0  # so much likelier than the next one is a cause that is called most likely: it may name a person
_NAMED = 7  # of a long run of cards, so many at either end

_NOBODYS = {STUB: "the stub", BOARD: "the board", BURNS: "the burned cards", PLAYER: "the Player hand"}
_NOBODYS[BANKER] = "the Banker hand"


def hand_of(place: int) -> str:
    """`the dealer's hand`, `seat 3's hand`, `the stub`."""
    if place in _NOBODYS:
        return _NOBODYS[place]
    return "the dealer's hand" if place == 0 else f"seat {place}'s hand"


def listed(parts: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def _cards(codes: Sequence[int]) -> str:
    if not codes or set(codes) & {HOLE, NO_CARD}:
        return "a card"
    return names_of(codes)


def of_fault(fault: Fault) -> str:
    """One fault, as the middle of a sentence."""
    where = listed(
        [hand_of(place) for place in sorted(fault.places, key=lambda place: (place < 0, abs(place)))] or ["the rack"]
    )
    read, true = _cards(fault.cards), _cards(fault.instead)
    match fault.kind:
        case FaultKind.SWAPPED:
            return f"{where} were picked up in swapped order"
        case FaultKind.OUT_OF_PLACE:
            return f"{where} lies out of its place in the rack"
        case FaultKind.PARTS_REVERSED:
            return f"the parts of {where} were laid the wrong way round, the high cards before the low"
        case FaultKind.MISSING:
            are = "is" if len(fault.instead) == 1 else "are"
            it = "it" if are == "is" else "them"
            return f"{true} of {where} {are} not in the rack, or the rack reader passed over {it}"
        case FaultKind.STUB_SHORT:
            return f"{true} of the stub {'is' if len(fault.instead) == 1 else 'are'} not in the rack"
        case FaultKind.MIXED:
            few = len(fault.cards) <= 2 * _NAMED
            ends = read if few else f"{_cards(fault.cards[:_NAMED])} … {_cards(fault.cards[-_NAMED:])}"
            verb = "lies" if len(fault.cards) == 1 else "lie"
            cards = counted(len(fault.cards), "card")
            return f"{cards} of another round ({ends}) {verb} in the rack, from card {fault.at + 1} on"
        case FaultKind.READ_TWICE:
            return f"the rack reader counted {read} of {where} twice"
        case FaultKind.MISREAD:
            if NO_CARD in fault.cards:
                return f"the rack reader could not read a card of {where}, which is {true}"
            return f"the rack reader took {true} of {where} for {read}"
        case FaultKind.DEALT_MISREAD:
            if NO_CARD in fault.cards:
                return f"the shoe or shuffler could not read a card of {where}, which is {true}"
            return f"the shoe or shuffler took {true} of {where} for {read}"
        case FaultKind.DUPLICATE:
            extra = f"a second {read}"
        case FaultKind.FOREIGN:
            extra = f"{read}, which the deck does not have,"
        case FaultKind.OTHER_DECK:
            extra = f"{read} of another deck"
    return f"{extra} lies in {where} in the place of {true}" if fault.instead else f"{extra} lies in {where}"


def of_explanation(explanation: Explanation) -> str:
    """What went wrong by one explanation, and which reports it contradicts."""
    parts = [of_fault(fault) + _when(fault, explanation) for fault in explanation.faults]
    what = ", and ".join(parts) or "the rack was filled as the procedure says"
    return f"{what}, although {of_contradictions(explanation.against)}" if explanation.against else what


def _when(fault: Fault, explanation: Explanation) -> str:
    """When a card was brought in for another, where that is known."""
    likely = explanation.played_with.get(fault, 1 / 2)
    if likely >= CONFIDENT:
        return " and was played with"
    return " and was put there after the hand was played" if likely <= 1 - CONFIDENT else ""


def of_settled_as_played(explanation: Explanation, seat: int, against: int) -> str:
    """Of a wager at this seat that is not settled as the hands give by right: that it was settled by the hands as they
    were played, its own and the one `against` which everybody plays, with a card brought in. Empty where it was not, or
    that is the less likely way."""
    if any(one.what is Contradiction.SETTLED and one.place == seat for one in explanation.against):
        return ""
    played = [fault for fault in explanation.faults if explanation.played_with.get(fault, 0.0) > 1 / 2]
    brought = [fault for fault in played if fault.places[0] in (seat, against)]
    if not brought:
        return ""
    cards = listed([f"{_cards(fault.cards)} in the place of {_cards(fault.instead)}" for fault in brought])
    return f"by the cards as they were played, with {cards}, it was settled right"


def of_causes(answer: Answer) -> str:
    """What an odd rack may come from: the likeliest explanations with how likely each is; nothing where there is none
    that is worth more than a guess. Those that are told in the same words count as one."""
    by_words: dict[str, float] = {}
    for one in answer.explanations:
        words = of_explanation(one)
        by_words[words] = by_words.get(words, 0.0) + one.confidence
    likely = sorted(by_words.items(), key=lambda parts: -parts[1])[:MOST_CAUSES]
    said = [f"{words} ({_percent(sure)})" for words, sure in likely if sure >= WORTH_TELLING]
    if not said:
        return ""
    ahead = likely[0][1] > 0.5 and (len(likely) == 1 or likely[0][1] >= FAR_AHEAD * likely[1][1])
    return "; or else ".join([f"{'most likely' if ahead else 'perhaps'} {said[0]}", *said[1:]])


def _percent(share: float) -> str:
    return "over 99%" if share > 0.99 else f"{100 * share:.0f}%"


def of_contradictions(against: Sequence[Against]) -> str:
    """`the deal gives seat 1's hand and seat 2's hand other cards`."""
    places: dict[Contradiction, list[int]] = {}
    for one in against:
        places.setdefault(one.what, []).append(one.place)
    said = []
    for what, where in places.items():
        hands = listed([hand_of(place) for place in sorted(set(where))])
        were = "were" if len(set(where)) > 1 else "was"
        match what:
            case Contradiction.DEAL:
                said.append(f"the deal gives {hands} other cards")
            case Contradiction.HAND_SHOWN:
                said.append(f"{hands} {were} shown with other cards")
            case Contradiction.SETTING_SHOWN:
                said.append(f"{hands} {were} shown in another setting")
            case Contradiction.SETTLED:
                wagers = "a wager" if len(where) == 1 else "wagers"
                said.append(f"{wagers} on {hands} {'was' if len(where) == 1 else 'were'} settled otherwise")
            case Contradiction.BUTTON:
                said.append("the action button was put down otherwise")
            case Contradiction.MARK:
                said.append(f"a card of {hands} bears another deck's mark")
            case Contradiction.RULE:
                said += [one.rule for one in against if one.what is what]
    return listed(said)
