"""Odd racks, put to the solver one by one: what it must be told of pai gow poker, and what becomes of its answers.

The solver (`replay.cards.solver.explanations`) knows no game. It is told here which layouts the procedure allows, that
hands are set and not shuffled, that premium hands stay for an envy bonus, what the deal gives and what was shown. Where
its answer is sure, the round is settled by it; where a few readings are left, by each of them; else the hands stay as
deal and hands shown gave them.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Container, Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import numpy.typing as npt

from replay.cards.dealing.seen import deal_events
from replay.cards.explaining import said_of_fault
from replay.cards.pickup.layouts import Candidate, layouts
from replay.cards.pickup.situation import Key, Situation
from replay.cards.pickup.words import Word
from replay.cards.solver.answers import Answer, Contradiction, Explanation, Status, scaled
from replay.cards.solver.budget import Budget, Searches
from replay.cards.solver.confidence import BEYOND_DOUBT, CONFIDENT
from replay.cards.solver.evidence import Look, RackEvidence, Reading, ShownHand
from replay.cards.solver.explanations import MOST_FAULTS, Said, explaining
from replay.cards.solver.faults import (
    BEGUN_ELSEWHERE,
    HOUSE_WAY_BROKEN,
    NOT_LEFT_FOR_ENVY,
    SET_FOUL,
    SET_THE_HOUSE_WAY,
    Fault,
    FaultKind,
)
from replay.cards.solver.sentences import of_causes, of_explanation
from replay.families.split_hands.another_order import in_quite_another_order
from replay.families.split_hands.geometry import Geometry
from replay.families.split_hands.hands import Hands, Sources, collected_before_play, wins_nothing
from replay.families.split_hands.pickup import (
    Results,
    compared_with_bank,
    known_to_stay,
    situation_of,
    words_judged,
)
from replay.families.split_hands.ranked import strengths
from replay.families.split_hands.seats import Seats
from replay.families.split_hands.settled_as import SettledAs, entries_of, settle_together
from replay.families.split_hands.solver import shown_differs
from replay.families.split_hands.staying import STAYING, kept_places, what_keeps
from replay.families.split_hands.terms import Terms
from replay.naming import set_of
from replay.remarks import WHERE_HANDS_LIE, WRONG_CARDS, Remark, Subject
from replay.rounds import NO_DECK, UNKNOWN, Cards, Ints, RoundBatch, RoundFlag
from schemas.findings import LIKELY, POSSIBLE, Basis

Bools = npt.NDArray[np.bool_]

MOST_READINGS = 12  # readings kept beside each other; with more than that nothing is settled by the rack
_MOST_STAYING = 2  # hands that stayed looked for in one odd rack: three are one round in millions
_MOST_MISSING = 4  # missing cards that are tried in premium hands: more are the stub's
_AT_ONCE = 32  # rounds searched side by side
_CARDS_SEEN = (Contradiction.DEAL, Contradiction.HAND_SHOWN, Contradiction.SETTING_SHOWN, Contradiction.RULE)
_TOLD_BY_CARDS = (FaultKind.MISSING, FaultKind.DUPLICATE, FaultKind.FOREIGN)  # procedure.py tells these, card by card


# ---- how hands look ------------------------------------------------------------------------------------------------


def _are_hands(hands: Cards, geometry: Geometry) -> Bools:
    """(n,) hands of different cards of the deck."""
    apart = (np.diff(np.sort(hands, axis=1), axis=1) > 0).all(axis=1)
    return np.asarray((hands < geometry.deck_size).all(axis=1) & apart)


class HandLooks:
    """How each hand looks as a player's setting and as the dealer's, and what keeps it on the table: worked out once,
    for all hands asked of together."""

    def __init__(self, terms: Terms) -> None:
        self.terms, self.known = terms, dict[bytes, tuple[float, float, tuple[bool, ...]]]()
        self._keeps = what_keeps(terms)
        self._nothing = (0.0, 0.0, (False,) * len(self._keeps))
        self._settings, self._right = terms.geometry.settings, terms.law.right_settings

    def look_at(self, readings: Iterable[Reading]) -> None:
        new = {cards for reading in readings for cards in reading.by_place.values()} - self.known.keys()
        if new:
            self._look_at(sorted(new))

    def _look_at(self, hands: list[bytes]) -> None:
        law, geometry = self.terms.law, self.terms.geometry
        odd = [cards for cards in hands if len(cards) != geometry.cards]
        self.known.update(dict.fromkeys(odd, self._nothing))
        whole = [cards for cards in hands if len(cards) == geometry.cards]
        cards = np.frombuffer(b"".join(whole), np.uint8).reshape(-1, geometry.cards)
        real = _are_hands(cards, geometry)
        cards = np.where(real[:, None], cards, geometry.nobody)
        low, high = self._strengths(cards)
        right_low, right_high = self._strengths(self.terms.ranking.house_way(cards))
        the_house_way = (low == right_low) & (high == right_high)
        foul = law.fouled(low, high)
        stay = np.stack([keeps.holds(np.ascontiguousarray(cards)) for keeps in self._keeps], axis=1).tolist()
        for at, key in enumerate(whole):
            if not real[at]:
                self.known[key] = self._nothing
            elif the_house_way[at]:
                player, dealer = SET_THE_HOUSE_WAY, 1 - HOUSE_WAY_BROKEN
                self.known[key] = (
                    math.log(player * self._settings),
                    math.log(dealer * self._settings),
                    tuple(stay[at]),
                )
            else:
                player = SET_FOUL if foul[at] else 1 - SET_THE_HOUSE_WAY
                among = self._settings - self._right if foul[at] else self._right
                by_player, by_dealer = player * self._settings / among, HOUSE_WAY_BROKEN * self._settings / among
                self.known[key] = math.log(by_player), math.log(by_dealer), tuple(stay[at])

    def _strengths(self, cards: Cards) -> tuple[npt.NDArray[np.int32], npt.NDArray[np.int32]]:
        return strengths(cards, self.terms)


class HowHandsLook:
    """`replay.cards.solver.evidence.Weigh` of one round."""

    def __init__(self, candidates: Sequence[Candidate], seats: Seats, row: int, looks: HandLooks) -> None:
        terms = looks.terms
        self._hand_looks, self._looks = looks, looks.known
        self._candidates = {candidate.layout: candidate for candidate in candidates}
        self._terms = terms
        places = [(must[row].tolist(), may[row].tolist()) for must, may in kept_places(seats)]
        self._staying = [(keeps.word, *where) for keeps, where in zip(what_keeps(terms), places, strict=True)]
        self._against, self._compared = int(seats.against[row]), compared_with_bank(seats, row)
        self._results, self._judged = Results(terms), words_judged(seats, row, self._compared)
        self._agreed: dict[object, bool] = {}
        self._stays: dict[tuple[int, tuple[bool, ...]], dict[Word, bool]] = {}
        self._envy = seats.envy_law(row) or terms.envy
        self._house = self._against if seats.house_sets[row] else 0  # whose hand the dealer sets
        settings, right = terms.geometry.settings, terms.law.right_settings
        # What a player's setting and the dealer's say for themselves on average.
        self._usual = SET_THE_HOUSE_WAY * math.log(SET_THE_HOUSE_WAY * settings) + (1 - SET_THE_HOUSE_WAY) * math.log(
            (1 - SET_THE_HOUSE_WAY) * settings / right
        )
        self._usual_dealer = math.log((1 - HOUSE_WAY_BROKEN) * settings)

    def __call__(self, readings: Sequence[Reading]) -> Sequence[Look]:
        self._hand_looks.look_at(readings)
        return [self._weight(reading, reading.by_place) for reading in readings]

    def _weight(self, reading: Reading, held: Mapping[int, bytes]) -> Look:
        weight = usual = 0.0
        for (place, _), parts in reading.hands.items():
            if len(parts) > 1:
                by_player, by_dealer, _ = self._looks[held[place]]
                weight += by_player if place != self._house else by_dealer
                usual += self._usual if place != self._house else self._usual_dealer
        candidate = self._candidates[reading.layout]
        known = self._known_to_stay(held)
        needless = {
            key: {word: so for word, so in words.items() if not so}
            for key, words in known.items()
            if not all(words.values())
        }
        if self._compared and not self._in_their_turn(reading, candidate):
            return Look(-math.inf, "a hand lies where it would if it had fared otherwise against the bank")
        if needless and not self._agrees(candidate, needless):
            return Look(-math.inf, "a hand stayed on the table that nothing kept there")  # that is one out of its place
        if known and not self._agrees(candidate, known):
            return Look(
                weight + math.log(NOT_LEFT_FOR_ENVY),
                self._not_left(known),
                usual,
            )
        return Look(weight, usual=usual)

    def _known_to_stay(self, held: Mapping[int, bytes]) -> dict[Key, dict[Word, bool]]:
        """By hand, whether it stays on the table, where its cards say."""
        found = {}
        for place, cards in held.items():
            if place > 0:
                at = place, self._looks[cards][2]
                if at not in self._stays:
                    self._stays[at] = self._said_to_stay(*at)
                if self._stays[at]:
                    found[Key(place)] = self._stays[at]
        return found

    def _said_to_stay(self, place: int, high: tuple[bool, ...]) -> dict[Word, bool]:
        of = zip(high, self._staying, strict=True)
        return known_to_stay([(word, is_high, must[place], may[place]) for is_high, (word, must, may) in of])

    def _agrees(self, candidate: Candidate, kept: Mapping[Key, Mapping[Word, bool]]) -> bool:
        asked = (candidate.layout, tuple([(key.place, *so.items()) for key, so in kept.items()]))
        if asked not in self._agreed:
            self._agreed[asked] = candidate.agrees(lambda button: kept)
        return self._agreed[asked]

    def _in_their_turn(self, reading: Reading, candidate: Candidate) -> bool:
        size = self._terms.geometry.cards
        held = {place: reading.cards(place) for (place, _), parts in reading.hands.items() if len(parts) > 1}
        whole = {place: cards for place, cards in held.items() if len(cards) == size}
        real = {place: cards for place, cards in whole.items() if len(set(cards)) == size}
        deck = self._terms.geometry.deck_size
        known = {place: cards for place, cards in real.items() if max(cards) < deck}
        words = self._results.words(known, self._against, self._compared)
        if not words or _agrees(candidate, words):
            return True
        judged = {place: said for place, said in self._judged.items() if place in words}
        return words | judged != words and _agrees(candidate, words | judged)

    def _not_left(self, known: Mapping[Key, Mapping[Word, bool]]) -> str:
        envy, premium, documented = self._envy, self._terms.law.premium, self._terms.law.cites.documented
        if not any(words.get(Word.ENVY_HAND) for words in known.values()):
            assert documented is not None, "a hand stays for a payout off a meter where the text says so"
            return f"a hand paid off a meter was not left on the table until that was documented ({documented})"
        assert envy is not None and premium is not None, "a hand stays only where envy bonuses are paid"
        return f"{premium.hands} was not left on the table for envy bonuses ({envy.section})"


def _agrees(candidate: Candidate, words: Mapping[int, Mapping[Word, bool]]) -> bool:
    by_hand = {Key(place): said for place, said in words.items()}
    return candidate.agrees(lambda button: by_hand)


# ---- what is known of one round ------------------------------------------------------------------------------------


def _candidates(sources: Sources, row: int) -> tuple[Candidate, ...]:
    """The layouts the procedure allows: with hands left on the table only where the rack may hold some that stay."""
    pickup = sources.pickup
    found = layouts(pickup.procedure, _situation(sources, row)).candidates
    staying = [min(_stayed(case.assumptions()) for case in candidate.cases) for candidate in found]
    most = _MOST_STAYING if len(found) > 1 and _may_hold_one_that_stays(sources.batch.rack[row], sources.terms) else 0
    return tuple(candidate for candidate, count in zip(found, staying, strict=True) if count <= most)


def _situation(sources: Sources, row: int) -> Situation:
    """What wagers and actions say of the hands, and beside the deal also which of them were laid out anew for a bonus
    wager, where that is done with those it wins for: the others lie as they were set."""
    known = situation_of(sources.pickup, sources.seats, row)
    start, terms = int(sources.presumed[row]), sources.terms
    deal = sources.deal
    if not terms.law.resets_winners_only or start == UNKNOWN or not deal.read[row] or deal.odd[row]:
        return known
    dealt = deal.hands(np.full(len(sources.batch), start))[row]
    lie_as_set = wins_nothing(dealt, terms) & _played_as_dealt(sources, row, dealt)
    hands = [
        replace(hand, true=hand.true - {Word.REARRANGED})
        if hand.key.place >= 0 and Word.SURRENDERED not in hand.true and lie_as_set[hand.key.place]
        else hand
        for hand in known.hands
    ]
    return replace(known, hands=tuple(hands))


def _played_as_dealt(sources: Sources, row: int, dealt: Cards) -> Bools:
    """Of each place, whether the cards dealt to it lie together in the rack, and nobody saw others played there."""
    rack, each = sources.batch.rack[row].tobytes(), dealt.shape[1]
    together = {bytes(sorted(rack[at : at + each])) for at in range(len(rack) - each + 1)}
    in_rack = np.array([bytes(sorted(cards.tobytes())) in together for cards in dealt], bool)
    seen = sources.shown.masks[row]
    return np.asarray(in_rack & ((seen == 0) | (seen == sources.terms.geometry.masks_of(dealt))))


def _may_hold_one_that_stays(rack: Cards, terms: Terms) -> bool:
    """Cards that lie together are a hand that stays on the table, or would be without a strange card among them, or
    with one that is missing added or in another's place."""
    keeping = what_keeps(terms)
    if terms.law.premium is None and len(keeping) == 1:
        return False
    geometry, each = terms.geometry, terms.geometry.cards
    missing = np.setdiff1d(np.frombuffer(geometry.deck, np.uint8), rack)[:_MOST_MISSING]
    tried = [_together(rack, each)]
    longer, shorter = _together(rack, each + 1), _together(rack, each - 1)
    tried += [np.delete(longer, at, axis=1) for at in range(each + 1)]
    for card in missing.tolist():
        tried.append(np.insert(shorter, 0, card, axis=1))
        for at in range(each):
            instead = tried[0].copy()
            instead[:, at] = card
            tried.append(instead)
    hands = np.concatenate(tried)
    hands = hands[_are_hands(hands, geometry)]
    hands = np.ascontiguousarray(hands)
    return bool(len(hands)) and any(bool(keeps.holds(hands).any()) for keeps in keeping)


def _together(rack: Cards, count: int) -> Cards:
    """(n, count) every run of so many cards."""
    if len(rack) < count:
        return np.empty((0, count), np.uint8)
    return np.lib.stride_tricks.sliding_window_view(rack, count)


def _stayed(assumptions: Sequence[tuple[Key, Word, bool]]) -> int:
    return len({key for key, word, so in assumptions if so and word in STAYING})


def evidence_of(
    sources: Sources, candidates: Sequence[Candidate], start: int, settled: tuple[int, ...], row: int
) -> RackEvidence:
    """What the devices said of one round's cards; the deal only if it is known where it began. `settled` are the
    events that report wagers settled."""
    batch, shown, geometry = sources.batch, sources.shown, sources.terms.geometry
    marks = batch.rack_deck[row].tobytes()
    counted = Counter(mark for mark in marks if mark != NO_DECK)
    dealt: dict[int, bytes] = {}
    if start != UNKNOWN:
        hands = sources.deal.hands(np.full(len(batch), start))[row]
        dealt = {place: hands[place].tobytes() for place in geometry.hand_places}
    seen = {}
    for place in np.flatnonzero(shown.index[row] >= 0).tolist():
        at = int(shown.index[row, place])
        cards = batch.shown.cards[at, : batch.shown.count[at]].tobytes()
        low = int(batch.shown.low[at]) if shown.set_right[row, place] else 0
        seen[place] = ShownHand(cards, low, int(batch.shown.seq[at]))
    return RackEvidence(
        batch.rack[row].tobytes(),
        tuple(candidate.layout for candidate in candidates),
        frozenset(geometry.deck),
        geometry.deck,
        marks if counted else b"",
        counted.most_common(1)[0][0] if counted else -1,
        dealt,
        seen,
        settled,
        collected_before_play(sources, row),
        _seqs(batch, row, "rack_first_seq", "rack_last_seq"),
        deal_events(batch, row) if dealt else (),
    )


def _seqs(batch: RoundBatch, row: int, *columns: str) -> tuple[int, ...]:
    return tuple(sorted({int(batch.fixed[column][row]) for column in columns} - {UNKNOWN}))


# ---- the answers ---------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Explained:
    """One odd round's answer, and where its deal began if the deal was read."""

    answer: Answer
    start: int
    remarked: bool = False  # its faults have remarks of their own
    settles: bool = False  # the round is settled by the hands it gives
    otherwise: Explanation | None = None  # the best explanation if the deal began elsewhere, where that is close
    sure_of_start: float = 1.0


def explain_racks(sources: Sources, began: Ints, budgets: Mapping[int, Budget]) -> dict[int, Explained]:
    """The solver's answer to each of these rounds. What they ask of the game is asked together: what a batch costs
    beside its rounds is paid once for so many."""
    found: dict[int, Explained] = {}
    looks = HandLooks(sources.terms)
    waiting = list(budgets.items())
    for first in range(0, len(waiting), _AT_ONCE):
        searches = {
            row: _Search(sources, looks, row, int(began[row]), budget)
            for row, budget in waiting[first : first + _AT_ONCE]
        }
        while searches:
            looks.look_at([reading for search in searches.values() for reading in search.asked])
            settle_together([(search.reports, search.asked) for search in searches.values()])
            for search in searches.values():
                search.go_on()
            found.update({row: search.found for row, search in searches.items() if search.found is not None})
            searches = {row: search for row, search in searches.items() if search.found is None}
    return found


class _Search:
    """The search of one round, from question to question."""

    def __init__(self, sources: Sources, looks: HandLooks, row: int, began: int, budget: Budget) -> None:
        candidates = _candidates(sources, row)
        self.reports = SettledAs(sources, sources.terms, row)
        self.found: Explained | None = None
        self.asked: Sequence[Reading] = ()
        self._weigh = HowHandsLook(candidates, sources.seats, row, looks)
        self._steps = _explaining(sources, candidates, self.reports.reported, row, began, budget)
        self._ask(None)

    def go_on(self) -> None:
        if self.found is None:
            self._ask((self._weigh(self.asked), self.reports(self.asked)))

    def _ask(self, said: Said | None) -> None:
        try:
            self.asked = next(self._steps) if said is None else self._steps.send(said)
        except StopIteration as ended:
            self.found, self.asked = ended.value, ()


def _explaining(
    sources: Sources, candidates: Sequence[Candidate], settled: tuple[int, ...], row: int, began: int, budget: Budget
) -> Generator[Sequence[Reading], Said, Explained]:
    """A deal that began elsewhere than announced is looked for where the announced start leaves a report contradicted,
    or where it fits the rack as it lies from there (`began`)."""
    geometry = sources.terms.geometry
    places = geometry.hands
    read = bool((sources.deal.read[row] or sources.deal.odd[row]) and sources.counts[row])
    presumed = int(sources.presumed[row])
    starts = [UNKNOWN]
    if read:
        starts = [presumed] if presumed != UNKNOWN else []
        if sources.deal.seen_start[row] == UNKNOWN:
            starts += sorted({*geometry.hand_places} - {presumed}, key=lambda place: place != began)
    tried: list[Explained] = []
    for start in starts:
        faults = MOST_FAULTS if start == starts[0] else MOST_FAULTS - 1  # a wrong start is one thing supposed already
        evidence = evidence_of(sources, candidates, start, settled, row)
        answer = yield from explaining(evidence, faults, budget)
        tried.append(Explained(answer, start))
        content = bool(answer.explanations) and not answer.explanations[0].against
        as_announced = start == presumed and began in (presumed, UNKNOWN)
        if (content and (as_announced or start != presumed)) or (
            as_announced and not _worth_another_start(answer, places)
        ):
            break
    return _likeliest(tried, presumed, places)


def _likeliest(tried: Sequence[Explained], presumed: int, places: int) -> Explained:
    """Of the answers by where the deal may have begun the likeliest, and how sure that is beside the others."""

    def cost(one: Explained) -> float:
        elsewhere = presumed != UNKNOWN and one.start != presumed
        dear = math.log(max(places - 1, 1)) - math.log(BEGUN_ELSEWHERE.a_round) if elsewhere else 0.0
        return one.answer.explanations[0].cost + dear if one.answer.explanations else math.inf

    best, *others = sorted(tried, key=cost)
    if not others or cost(best) == math.inf or cost(others[0]) == math.inf:
        return best
    sure = 1 / (1 + math.exp(min(cost(best) - cost(others[0]), 0.0)))
    if sure >= BEYOND_DOUBT:
        return best
    second = others[0].answer.explanations[0]
    return Explained(scaled(best.answer, sure), best.start, otherwise=second, sure_of_start=sure)


def _worth_another_start(answer: Answer, places: int) -> bool:
    """Only a deal that differs in most hands began elsewhere."""
    if not answer.explanations:
        return not answer.bound_hit
    return len({against.place for against in answer.explanations[0].against}) > places // 2


def explain_odd(
    sources: Sources, hands: Hands, terms: Terms, as_dealt: Container[int], doubted: bool, searches: Searches
) -> tuple[Hands, dict[int, Explained]]:
    """The hands again, with the odd racks' as the solver explains them; and its answers, by round. Racks that are not
    the deck because the deck was not (`as_dealt`) need no explanation: their hands are those dealt. `doubted` says that
    wagers of every round were settled otherwise than its hands give: then every rack is odd."""
    batch, rack = sources.batch, sources.rack
    broken = sources.counts & ~rack.whole & (rack.count > 0) & batch.has(RoundFlag.CLOSED)
    if doubted:
        broken |= sources.counts & rack.whole & batch.has(RoundFlag.CLOSED)
    broken |= sources.counts & rack.whole & batch.has(RoundFlag.CLOSED) & _marked_apart(batch)
    broken |= sources.counts & (rack.count > 0) & sources.deal.odd & batch.has(RoundFlag.CLOSED)
    # A deal that fits the rack as it lies, but from another place than announced: or the hands lie one place on.
    broken |= sources.counts & rack.whole & sources.deal.read & _begun_elsewhere(sources, hands)
    odd = broken & ~batch.has(RoundFlag.RACK_UNSURE)
    for remark in hands.remarks:
        if remark.subject in WHERE_HANDS_LIE:
            odd[remark.row] |= bool(rack.whole[remark.row] and sources.counts[remark.row])
    rows = [
        row for row in np.flatnonzero(odd).tolist() if row not in as_dealt and not in_quite_another_order(sources, row)
    ]
    if not rows:
        return hands, {}
    answers = searches.once(rows, partial(explain_racks, sources, hands.start))
    settled: dict[int, list[Reading]] = {}
    remarks = hands.remarks
    for row, explained in answers.items():
        readings = _to_settle_by(explained.answer, bool(rack.whole[row]), sources.shown.masks[row].tolist(), doubted)
        if readings:
            settled[row] = readings
            remarks = [remark for remark in remarks if remark.row != row or remark.subject not in WHERE_HANDS_LIE]
            about = _remarks(explained, row, sources)
            remarks += about
            answers[row] = replace(explained, remarked=bool(about), settles=True)
        else:
            remarks = [_or_misread(remark, explained.answer) if remark.row == row else remark for remark in remarks]
    return _settled_by(sources, replace(hands, remarks=remarks), settled, answers), answers


def _or_misread(remark: Remark, answer: Answer) -> Remark:
    """A card that is said to have left a hand or come into it; where the reader of the deal may have taken one card for
    the other, that is said as well, and nobody is accused for certain."""
    if remark.subject is not Subject.CARD_CHANGED_HANDS:
        return remark
    for one in answer.explanations:
        if one.confidence > 1 - CONFIDENT and [fault.kind for fault in one.faults] == [FaultKind.DEALT_MISREAD]:
            sentence = f"{remark.sentence}; or else {of_explanation(one)}"
            return replace(remark, sentence=sentence, confidence=min(remark.confidence, POSSIBLE))
    return remark


def _marked_apart(batch: RoundBatch) -> Bools:
    """Rounds with the marks of two decks in one rack, though every face is there once."""
    marks, row = batch.rack_deck.values, batch.rack_deck.rows
    known = marks != NO_DECK
    least, most = np.full(len(batch), NO_DECK), np.full(len(batch), -1)
    np.minimum.at(least, row[known], marks[known].astype(np.int64))
    np.maximum.at(most, row[known], marks[known].astype(np.int64))
    return np.asarray(most > least)


def _begun_elsewhere(sources: Sources, hands: Hands) -> Bools:
    known = (hands.start != UNKNOWN) & (sources.presumed != UNKNOWN) & (sources.deal.seen_start == UNKNOWN)
    return np.asarray(known & (hands.start != sources.presumed))


def _to_settle_by(answer: Answer, whole: bool, shown: Sequence[int], doubted: bool) -> list[Reading]:
    """The readings the round is settled by; none where deal and hands shown say more than the rack. Where the reported
    settlements are what speaks against a whole rack, every reading they leave open stands beside the others."""
    best = answer.explanations[0] if answer.explanations else None
    if best is None or answer.status is not Status.CONTRADICTORY:
        return []
    beside_reports = bool(best.faults) and not any(against.what in _CARDS_SEEN for against in best.against)
    by_mark = bool(best.faults) and all(fault.kind is FaultKind.OTHER_DECK for fault in best.faults)
    if by_mark and answer.reading is not None:
        return [answer.reading]  # an exchanged card or a mark misread: the hands are the same
    if whole and _shown_crosswise(best, shown) and best.confidence >= CONFIDENT:
        return [best.reading]
    rack_or_shown = any(_shown_crosswise(one, shown) for one in answer.explanations)  # nobody is sure which
    sure_enough = beside_reports if doubted else best.faults and best.confidence >= CONFIDENT
    if whole and not rack_or_shown and not sure_enough:
        return []  # a witness against the rack, or nothing sure: deal.py and solver.py say what differs
    if answer.reading is not None:
        return [answer.reading]
    kept, sure = [], 0.0
    for reading, confidence in answer.readings[:MOST_READINGS]:
        kept.append(reading)
        sure += confidence
        if sure >= CONFIDENT:
            return kept
    return kept if whole else []


def _shown_crosswise(best: Explanation, shown: Sequence[int]) -> bool:
    """The rack is in order, and two hands were shown under each other's number; `shown` are the sets of cards shown at
    each place."""
    if best.faults or [against.what for against in best.against] != [Contradiction.HAND_SHOWN] * 2:
        return False
    one, other = (against.place for against in best.against)
    held = {place: set_of(best.reading.cards(place)) for place in (one, other)}
    return not shown[one] & ~held[other] and not shown[other] & ~held[one]


def _settled_by(
    sources: Sources, hands: Hands, settled: Mapping[int, list[Reading]], answers: Mapping[int, Explained]
) -> Hands:
    """The entries of these rounds made anew."""
    if not settled:
        return hands
    rows = len(sources.presumed)
    gone = np.zeros(len(hands.row), bool)
    gone[rows:] = np.isin(hands.row[rows:], np.fromiter(settled, np.int64, len(settled)))
    old = np.flatnonzero(~gone)
    renumbered = {int(entry): at for at, entry in enumerate(old.tolist())}
    several = {
        row: [renumbered[entry] for entry in entries] for row, entries in hands.readings.items() if row not in settled
    }
    added: list[tuple[int, Reading]] = []
    for row, readings in settled.items():
        if len(readings) > 1:
            first = len(old) + len(added)
            several[row] = [row, *range(first, first + len(readings) - 1)]
            added += [(row, reading) for reading in readings[1:]]
    row_of = np.concatenate([hands.row[old], np.array([row for row, _ in added], np.int64)])
    extra = len(added)
    cards = np.concatenate([hands.cards[old], np.empty((extra, *hands.cards.shape[1:]), np.uint8)])
    known = np.concatenate([hands.known[old], np.zeros((extra, hands.known.shape[1]), bool)])
    set_known = np.concatenate([hands.set_known[old], np.zeros((extra, hands.known.shape[1]), bool)])
    set_wrong = np.concatenate([hands.set_wrong[old], np.zeros((extra, hands.known.shape[1]), bool)])
    start, disputed = hands.start.copy(), hands.disputed.copy()
    entries = [(row, readings[0]) for row, readings in settled.items()]
    at = np.array([row for row, _ in entries] + list(range(len(old), len(old) + extra)))
    whose = np.array([row for row, _ in [*entries, *added]])
    made = entries_of([reading for _, reading in [*entries, *added]], sources, whose)
    cards[at], known[at], set_known[at], set_wrong[at] = made
    for row in settled:
        disputed[row] = False
        if answers[row].start != UNKNOWN:
            start[row] = answers[row].start
    return replace(
        hands,
        row=row_of,
        cards=cards,
        known=known,
        set_known=set_known,
        set_wrong=set_wrong,
        readings=several,
        start=start,
        disputed=disputed,
    )


# ---- in words ------------------------------------------------------------------------------------------------------


def with_causes(remarks: Iterable[Remark], answers: Mapping[int, Explained]) -> Iterator[Remark]:
    """Remarks on cards missing, twice or foreign: without those that the explanation of the rack tells as what it is,
    and of the others the first of each round with what may have caused it."""
    seen = set()
    for remark in remarks:
        explained = answers.get(remark.row)
        if remark.subject not in WRONG_CARDS or explained is None:
            yield remark
        elif not explained.remarked:
            causes = "" if remark.row in seen else of_causes(explained.answer)
            seen.add(remark.row)
            yield replace(remark, sentence=f"{remark.sentence}; {causes}") if causes else remark


def not_explained_otherwise(remarks: Iterable[Remark], answers: Mapping[int, Explained]) -> Iterator[Remark]:
    """Remarks on deals that were misread, without those of rounds whose explanation says which card it was."""
    for remark in remarks:
        explained = answers.get(remark.row)
        faults = explained.answer.explanations[0].faults if explained is not None and explained.remarked else ()
        if all(fault.kind is not FaultKind.DEALT_MISREAD for fault in faults):
            yield remark


def with_doubt(remarks: Sequence[Remark], answers: Mapping[int, Explained], presumed: Ints) -> Iterator[Remark]:
    """Remarks on deals that began elsewhere than announced, where hands in another order would explain it too."""
    for remark in remarks:
        explained = answers.get(remark.row)
        if explained is None or explained.otherwise is None:
            yield remark
            continue
        elsewhere = explained.start != presumed[remark.row]
        sure = explained.sure_of_start if elsewhere else 1 - explained.sure_of_start
        other = explained.otherwise if elsewhere else explained.answer.explanations[0]
        yield replace(
            remark,
            sentence=f"{remark.sentence}; or else {of_explanation(other)}",
            confidence=min(remark.confidence, round(sure, 4)),
        )


def _card_by_card(likely: Sequence[Explanation]) -> bool:
    """Whether a rack that is not the deck is told as cards missing, twice or foreign, and not as something else."""
    sure = math.fsum(one.confidence for one in likely if any(f.kind in _TOLD_BY_CARDS for f in one.faults))
    return sure > 1 - CONFIDENT or not likely[0].faults


def _remarks(explained: Explained, row: int, sources: Sources) -> list[Remark]:
    """One remark for each fault of the likeliest explanation that is not told card by card."""
    likely = explained.answer.explanations
    if not sources.rack.whole[row] and _card_by_card(likely):
        return []
    best, others = likely[0], likely[1:]
    if _shown_crosswise(best, sources.shown.masks[row].tolist()):
        return [_shown_otherwise(against.place, best, others, row, sources) for against in best.against]
    return [_remark(fault, best, others, row, sources) for fault in best.faults]


def _shown_otherwise(
    place: int, best: Explanation, others: Sequence[Explanation], row: int, sources: Sources
) -> Remark:
    held = set_of(best.reading.cards(place))
    shown, seq = sources.shown, sources.batch.shown.seq
    confidence = min(round(best.confidence, 4), sources.confidence(row))
    remark = shown_differs(
        sources.terms, row, place, int(shown.masks[row, place]), held, int(seq[shown.index[row, place]]), confidence
    )
    if best.confidence < BEYOND_DOUBT and others:
        return replace(remark, sentence=f"{remark.sentence}; or else {of_explanation(others[0])}")
    return remark


def _remark(fault: Fault, best: Explanation, others: Sequence[Explanation], row: int, sources: Sources) -> Remark:
    cites, unsure = sources.terms.law.cites, bool(sources.batch.flags[row] & RoundFlag.RACK_UNSURE)
    said = said_of_fault(fault, best, others, cites.one_deck, cites.pickup, LIKELY if unsure else 1.0)
    place = fault.places[0] if len(fault.places) == 1 and fault.places[0] > 0 else None
    return Remark(
        row,
        said.code,
        said.sentence,
        said.cite,
        seat=place,
        evidence=best.evidence,
        confidence=said.confidence,
        basis=Basis.EXPLANATION,
    )
