"""What was not done as the rules say: wagers, start, deal, cards and equipment. One remark each, for they are rare."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from replay.cards.dealing.compare import compare, in_words
from replay.cards.dealing.delivery import OTHER_DIRECTION
from replay.checks.deck import deck_remarks
from replay.citations import Citation
from replay.families.split_hands.deal import AS_FILED, NO_WAY, Deal, method_filed, ways_dealt
from replay.families.split_hands.hands import Hands, deal_events
from replay.families.split_hands.pickup import Rack
from replay.families.split_hands.seats import FORTUNE, NEVER, OTHER, PAI_GOW, Seats
from replay.families.split_hands.sentences import hours, listed, names, place_name
from replay.families.split_hands.solver import dealt_from
from replay.families.split_hands.terms import Dealing, Starting, Terms, WrongStart
from replay.packs.ma.pai_gow_poker.v1 import rules
from replay.packs.ma.pai_gow_poker.v1.rules import CARDS_EACH, DECK_SIZE, PLACES, STUB
from replay.remarks import Remark
from replay.rounds import (
    ACTION_CODE,
    GAME_START,
    START_METHOD_CODE,
    START_METHODS,
    UNKNOWN,
    Fact,
    Ints,
    RoundBatch,
    RoundFlag,
)
from schemas.cards import JOKER_1, NO_CARD
from schemas.events import Action, StartMethod
from schemas.findings import CERTAIN, LIKELY, Basis
from schemas.money import dollars
from schemas.places import DEALER
from schemas.plurals import counted

Bools = npt.NDArray[np.bool_]

_TITLES = {PAI_GOW: "pai gow poker wager", FORTUNE: "Fortune wager"}
_DEALING_WORDS = {
    Dealing.MANUAL_SHOE: "dealt from a manual shoe",
    Dealing.HAND: "dealt from the hand",
    Dealing.AUTOMATED_SHOE: "dealt from an automated shoe",
}


def at_stake(seats: Seats, row: int) -> str:
    """`$125.00 was at stake`, for remarks about rounds that should have been void."""
    return f"{dollars(int(seats.wagers.amount[seats.wagers.row == row].sum()))} was at stake"


# ---- wagers --------------------------------------------------------------------------------------------------------


def wager_remarks(batch: RoundBatch, seats: Seats, terms: Terms) -> list[Remark]:
    return [
        *_late(batch, seats),
        *_outside_limits(batch, seats, terms),
        *_fortune_alone(batch, seats),
        *_not_offered(batch, seats),
        *_surrendered_too_late(batch, seats),
    ]


def _name(batch: RoundBatch, number: int) -> str | None:
    return batch.names[number] or None


def _title(batch: RoundBatch, wager: int) -> str:
    match batch.names[wager]:
        case "pai_gow":
            return _TITLES[PAI_GOW]
        case "fortune":
            return _TITLES[FORTUNE]
        case other:
            return f"{other} wager"


def _late(batch: RoundBatch, seats: Seats) -> list[Remark]:
    remarks, returned = [], _returned_seq(batch)
    for event in seats.wagers.late_events:
        back = min(returned.get((event.row, seat), event.seq) for seat in (0, event.seat))
        if event.what == "withdrawn" and back < event.seq:
            continue  # the chips of a void hand go back
        title = _title(batch, event.wager)
        match event.what:
            case "placed":
                what = f"a {title} of {dollars(event.amount)} was placed"
            case "withdrawn":
                what = f"the {title} of {dollars(event.amount_before)} was withdrawn"
            case _:
                what = f"the {title} was changed from {dollars(event.amount_before)} to {dollars(event.amount)}"
        remarks.append(
            Remark(
                event.row,
                "WAGER-501",
                f"{what} after the dealer had announced 'No more bets'",
                rules.NO_MORE_BETS,
                seat=event.seat,
                bettor=_name(batch, event.bettor),
                wager=_name(batch, event.wager),
                evidence=(int(batch.bets_closed_seq[event.row]), event.seq),
                basis=Basis.REPORTS,
                whatever_is_missing=True,  # betting that is closed stays closed
            )
        )
    return remarks


def _returned_seq(batch: RoundBatch) -> dict[tuple[int, int], int]:
    """(round, seat) → when its wagers were to go back: all of them (seat 0) or one seat's."""
    facts = batch.facts
    mine = (facts.kind == Fact.ACTION) & (facts.code == ACTION_CODE[Action.VOID_HAND])
    void = facts.where((facts.kind == Fact.VOIDED) | mine)
    found: dict[tuple[int, int], int] = {}
    for row, seat, seq in zip(void.row.tolist(), void.seat.tolist(), void.seq.tolist(), strict=True):
        found.setdefault((row, seat), seq)
    return found


def _surrendered_too_late(batch: RoundBatch, seats: Seats) -> list[Remark]:
    refused = (seats.refused_seq != NEVER) & ~seats.all_void[:, None]
    remarks = []
    for row, seat in np.argwhere(refused).tolist():
        shown = batch.shown.seq[(batch.shown.row == row) & (batch.shown.place == seat)]
        remarks.append(
            Remark(
                row,
                "WAGER-505",
                "the wager was surrendered after the dealer had exposed the hand; it is settled by the hands",
                rules.SURRENDER_UNTIL,
                seat=seat,
                wager="pai_gow",
                evidence=(int(shown[0]), int(seats.refused_seq[row, seat])),
                basis=Basis.REPORTS,
            )
        )
    return remarks


def _outside_limits(batch: RoundBatch, seats: Seats, terms: Terms) -> list[Remark]:
    wagers, remarks = seats.wagers, []
    for kind, (least, most), citation in (
        (PAI_GOW, terms.table_limits_cents, rules.TABLE_LIMITS),
        (FORTUNE, terms.fortune_limits_cents, rules.FORTUNE_LIMITS),
    ):
        outside = (seats.kind == kind) & ((wagers.amount < least) | (wagers.amount > most))
        for index in np.flatnonzero(outside).tolist():
            amount = int(wagers.amount[index])
            if amount < least:
                limit = f"below the minimum of {dollars(least)}"
            else:
                limit = f"above the maximum of {dollars(most)}"
            remarks.append(
                _about_wager(
                    batch, seats, index, "WAGER-502", f"a {_TITLES[kind]} of {dollars(amount)}", f"is {limit}", citation
                )
            )
    return remarks


def _fortune_alone(batch: RoundBatch, seats: Seats) -> list[Remark]:
    wagers = seats.wagers
    alone = (seats.kind == FORTUNE) & (seats.at > 0) & ~seats.pai_gow[wagers.row, seats.at]
    for late in wagers.late_events:  # there was one when betting closed: that it went is told by itself
        if late.what == "withdrawn" and batch.names[late.wager] == "pai_gow":
            alone &= ~((wagers.row == late.row) & (wagers.seat == late.seat))
    return [
        _about_wager(
            batch,
            seats,
            index,
            "WAGER-503",
            f"a Fortune wager of {dollars(int(wagers.amount[index]))}",
            "stands without a pai gow poker wager",
            rules.NEEDS_PAI_GOW,
        )
        for index in np.flatnonzero(alone).tolist()
    ]


def _not_offered(batch: RoundBatch, seats: Seats) -> list[Remark]:
    wagers = seats.wagers
    unknown, backline, elsewhere = seats.kind == OTHER, wagers.bettor != 0, seats.at == 0
    remarks = []
    for index in np.flatnonzero(unknown | backline | elsewhere).tolist():
        what = f"a {_title(batch, int(wagers.wager[index]))} of {dollars(int(wagers.amount[index]))}"
        citation = rules.NOT_OFFERED
        if unknown[index]:
            why = "is none the filed rules offer"
        elif elsewhere[index]:
            why, citation = f"is at a seat the table does not have (it has {PLACES - 1})", rules.SEATED_ONLY
        else:
            who = batch.names[wagers.bettor[index]]
            why = f"was taken from {who}, who is not seated there; only seated players may wager"
            citation = rules.SEATED_ONLY
        remarks.append(_about_wager(batch, seats, index, "WAGER-504", what, why, citation))
    return remarks


def _about_wager(
    batch: RoundBatch, seats: Seats, index: int, code: str, what: str, why: str, citation: Citation
) -> Remark:
    wagers = seats.wagers
    seat = int(wagers.seat[index])
    return Remark(
        int(wagers.row[index]),
        code,
        f"{what} {why}",
        citation,
        seat=seat,
        bettor=_name(batch, int(wagers.bettor[index])),
        wager=_name(batch, int(wagers.wager[index])),
        evidence=(int(wagers.placed_seq[index]),),
        basis=Basis.REPORTS,
    )


# ---- start ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Starts:
    """Where each deal should begin and was said to begin; UNKNOWN where nothing says."""

    expected: Ints
    announced: Ints
    method: Ints  # START_METHOD_CODE
    also: Ints  # another place that is as right; UNKNOWN where there is none

    @property
    def presumed(self) -> Ints:
        return np.where(self.announced != UNKNOWN, self.announced, self.expected)


def starts_of(batch: RoundBatch, terms: Terms) -> Starts:
    filed = START_METHOD_CODE[StartMethod(terms.starting)]
    method = np.where(batch.start_method == UNKNOWN, filed, batch.start_method).astype(np.int64)
    number, previous = batch.start_number.astype(np.int64), batch.previous_button.astype(np.int64)
    by_button = method == START_METHOD_CODE[StartMethod.BUTTON]
    expected = np.where(number > 0, rules.start_of_number(number), UNKNOWN)
    button_known = (previous >= 0) & (previous < PLACES) & ~batch.has(RoundFlag.CONTEXT_UNKNOWN)
    button = np.where(button_known, rules.next_button(previous), UNKNOWN)
    button = np.where(previous == GAME_START, DEALER, button)  # §8c(d): "At the commencement of play ... the dealer"
    place = batch.start_place.astype(np.int64)
    announced = np.where((place >= 0) & (place < PLACES), place, UNKNOWN)
    # after a void round it stays (§4(a)(3): "as each round of play is completed"); that it moved is accepted too.
    either = by_button & button_known & batch.has(RoundFlag.AFTER_VOID)
    also = np.where(either, button, UNKNOWN)
    button = np.where(either & (announced != button), previous, button)
    return Starts(np.where(by_button, button, expected), announced, method, also)


def start_remarks(batch: RoundBatch, seats: Seats, starts: Starts, actual: Ints, terms: Terms) -> list[Remark]:
    """START-201. `actual` is where the cards say the deal began; where they do not, the place announced counts. With a
    bank the count begins at the bank (MA-PGP §10(h)(3)), which is for a filing with banks to say. Hands dealt from a
    wrong place are dead (§11(c)), by number or button only if filed so (rulings.md R-57)."""
    began = np.where(actual != UNKNOWN, actual, starts.announced)
    due = np.where(starts.expected != UNKNOWN, starts.expected, starts.announced)
    wrong = (began != UNKNOWN) & (due != UNKNOWN) & (began != due) & ~seats.all_void & (batch.bank_seat <= 0)
    wrong &= (began != starts.also) | ((actual != UNKNOWN) & (starts.announced == due))
    remarks = []
    for row in np.flatnonzero(wrong).tolist():
        seen = actual[row] != UNKNOWN
        place, announced = place_name(int(began[row])), place_name(int(starts.announced[row]))
        dice = START_METHODS[starts.method[row]] is StartMethod.DICE
        then = "play continued"
        if dice or terms.wrong_start_without_dice is WrongStart.DEAD:
            then = f"{'all hands' if seen else 'if they were dealt from there, all hands'} were dead, but {then}"
        match START_METHODS[starts.method[row]]:
            case StartMethod.DICE:
                basis, citation = f"the dice total {batch.start_number[row]}", rules.START_DICE
            case StartMethod.RNG:
                basis, citation = f"the number is {batch.start_number[row]}", rules.START_RNG
            case StartMethod.BUTTON:
                before = int(batch.previous_button[row])
                basis = "play commences" if before == GAME_START else f"the button was at {place_name(before)} before"
                citation = rules.START_BUTTON
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
                f"{what}: {then}; {at_stake(seats, row)}",
                citation,
                evidence=(*evidence, *(deal_events(batch, row) if seen else ())),
                confidence=CERTAIN if seen else LIKELY,
                basis=Basis.COMPARED if seen else Basis.REPORTS,
            )
        )
    return remarks


# ---- deal ----------------------------------------------------------------------------------------------------------


def misdealt(batch: RoundBatch, deal: Deal, seats: Seats) -> Bools:
    """(n,) not four cards were left, or a device saw a hand dealt more or less than seven.

    Cards found face up in the shoe are not used in the game (§11(f)): with one of them three are left. (Two are an
    irregularity of their own.)
    """
    stub = batch.stub_count.astype(np.int64)
    right = (stub == UNKNOWN) | (stub == STUB) | (stub == STUB - boxed_cards(batch))
    counts = ((deal.hand_counts == UNKNOWN) | (deal.hand_counts == CARDS_EACH)).all(axis=1)
    return np.asarray((~right | ~counts) & ~seats.all_void)


def boxed_cards(batch: RoundBatch) -> Ints:
    """(n,) cards found face up in the shoe; one that is named twice is one card."""
    boxed = batch.facts.of(Fact.BOXED)
    unnamed = np.bincount(boxed.row[boxed.card == NO_CARD], minlength=len(batch))
    named = np.unique(boxed.row[boxed.card != NO_CARD] * 256 + boxed.card[boxed.card != NO_CARD])
    return np.asarray(unnamed + np.bincount(named // 256, minlength=len(batch)))


def deal_remarks(batch: RoundBatch, seats: Seats, deal: Deal, wrong: Bools, hands: Hands, terms: Terms) -> list[Remark]:
    return [
        *_misdeals(batch, seats, deal, wrong, terms),
        *_irregularities(batch, seats, terms),
        *_delivered_otherwise(batch, seats, deal, wrong, terms),
        *_boxed_and_played(batch, seats, hands),
    ]


def _delivered_otherwise(batch: RoundBatch, seats: Seats, deal: Deal, wrong: Bools, terms: Terms) -> list[Remark]:
    """DEAL-305, -310: the cards went round the other way, or were dealt otherwise than filed."""
    ways, method = ways_dealt(terms.dealing), method_filed(terms.dealing)
    remarks = []
    for row in np.flatnonzero((deal.way != AS_FILED) & deal.read & ~wrong & ~seats.all_void).tolist():
        seen = deal.hand_counts[row, 0] != UNKNOWN
        by = "as a device saw them go" if seen else "as the rack gives every place exactly its hand"
        evidence, confidence = deal_events(batch, row), CERTAIN
        if deal.way[row] == NO_WAY:
            code, citation, confidence = "DEAL-310", method.cites[0], LIKELY
            what = f"the cards did not go to the places in the order filed ({method.title}), {by}"
        elif ways[deal.way[row]].kind == OTHER_DIRECTION:
            code, citation = "DEAL-305", rules.DELIVERY[terms.dealing]
            what = f"the cards were delivered {ways[deal.way[row]].words}, {by}"
        else:
            code, citation = "DEAL-310", rules.NOT_AS_FILED[terms.dealing]
            what = f"the cards were dealt otherwise than filed: {ways[deal.way[row]].words}, {by}"
        then = "the cards had to be reshuffled and the round was played on"
        if code == "DEAL-305" or terms.dealing is not Dealing.HAND:  # §11(l) is about stacks dealt from the hand
            then = "the round was played on"
        sentence = f"{what}: {then}; {at_stake(seats, row)}"
        basis = Basis.DEAL if seen else Basis.COMPARED
        remarks.append(Remark(row, code, sentence, citation, evidence=evidence, confidence=confidence, basis=basis))
    return remarks


def _boxed_and_played(batch: RoundBatch, seats: Seats, hands: Hands) -> list[Remark]:
    """DEAL-309: a card found face up is not used in the game, and it lies in a hand. (Two are a void: DEAL-304.)"""
    facts = batch.facts.of(Fact.BOXED)
    facts = facts.where((facts.card != NO_CARD) & ~seats.all_void[facts.row] & (boxed_cards(batch)[facts.row] == 1))
    remarks = {}
    for row, card, seq in zip(facts.row.tolist(), facts.card.tolist(), facts.seq.tolist(), strict=True):
        if row in remarks or len(hands.readings.get(row, ())) > 1:
            continue
        held = {
            (int(place), 0): (("", hands.cards[row, place].tobytes()),) for place in np.flatnonzero(hands.known[row])
        }
        for kept in compare(None, held, {}, barred={card: None}):
            sentence = f"{in_words(kept)}: it had to be set aside, and the next card to take its place"
            remarks[row] = Remark(
                row,
                kept.code,
                sentence,
                rules.BOXED_SET_ASIDE,
                seat=kept.seat,
                evidence=(seq, *deal_events(batch, row)),
            )
    return list(remarks.values())


def _misdeals(batch: RoundBatch, seats: Seats, deal: Deal, wrong: Bools, terms: Terms) -> list[Remark]:
    remarks = []
    for row in np.flatnonzero(wrong).tolist():
        stub = int(batch.stub_count[row])
        counts = deal.hand_counts[row].tolist()
        if counts[0] != UNKNOWN and any(count != CARDS_EACH for count in counts):
            what = listed(
                [f"{place_name(p)} got {counted(n, 'card')}" for p, n in enumerate(counts) if n != CARDS_EACH]
            )
            citation = rules.MISDEAL
        else:
            what = f"{stub} {'card was' if stub == 1 else 'cards were'} left after the deal instead of {STUB}"
            citation = rules.STUB_CITES[terms.dealing]
        remarks.append(
            Remark(
                row,
                "DEAL-301",
                f"{what}: all hands were void and the round was played on; {at_stake(seats, row)}",
                citation,
                evidence=tuple(sorted({*deal_events(batch, row), int(batch.stub_seq[row])} - {UNKNOWN})),
                basis=Basis.DEAL,
            )
        )
    return remarks


def _irregularities(batch: RoundBatch, seats: Seats, terms: Terms) -> list[Remark]:
    """DEAL-304: what called for a void that did not come, once a round and cause."""
    facts = batch.facts.of(Fact.EXPOSED, Fact.BOXED, Fact.FAULT)
    facts = facts.where(~seats.all_void[facts.row])
    stacks, shoe = batch.name_id("stacks"), batch.name_id("shoe")
    found: dict[tuple[int, str], list[int]] = {}
    for index in range(len(facts)):
        match facts.kind[index]:
            case Fact.BOXED:
                cause = "boxed"
            case Fact.FAULT if facts.wager[index] == shoe and terms.dealing is Dealing.AUTOMATED_SHOE:
                cause = "shoe"
            case Fact.EXPOSED if facts.choice[index] == stacks and terms.dealing is Dealing.HAND:
                cause = "stacks"
            case Fact.EXPOSED if facts.seat[index] == 0:
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
                what, citation = f"{boxed[row]} cards were found face up in the shoe{which}", rules.BOXED
            case "shoe":
                what, citation = "the automated dealing shoe failed during the round", rules.SHOE_FAULT
            case "stacks":
                what, citation = f"a card was exposed while the stacks were dealt{which}", rules.STACKS_EXPOSED
            case _:
                what, citation = f"a card of the dealer's hand was exposed{which}", rules.DEALER_EXPOSED
        remarks.append(
            Remark(
                row,
                "DEAL-304",
                f"{what}: the cards had to be reshuffled and the round was played on; {at_stake(seats, row)}",
                citation,
                evidence=tuple(int(facts.seq[i]) for i in indexes),
                basis=Basis.REPORTS,
            )
        )
    return remarks


# ---- the cards in the rack -----------------------------------------------------------------------------------------


def card_remarks(batch: RoundBatch, seats: Seats, rack: Rack, deal: Deal, began: Ints, wrong: Bools) -> list[Remark]:
    """CARD-311, -312, -313 for racks that are not the deck; RACK-322 where neither rack nor deal was read; CARD-314 to
    -316 for what the deck's earlier rounds have against it."""
    whole = (batch.stub_count != UNKNOWN) & ~wrong  # seven hands of seven and four cards left are the deck
    remarks = deck_remarks(batch, rules.ONE_DECK, whole)
    for row in np.flatnonzero(~rack.whole & ~seats.all_void & ~wrong).tolist():
        if rack.count[row]:
            known = deal.read[row] and began[row] != UNKNOWN
            hands = dealt_from(deal.masks[row].tolist(), int(began[row])) if known else []
            remarks += _cards_wrong(batch, row, hands)
        elif not batch.dealt.counts[row] and seats.wagered[row].any() and not batch.flags[row] & RoundFlag.RACK_UNCUT:
            remarks.append(
                Remark(
                    row,
                    "RACK-322",
                    f"neither the rack nor the deal was read, and {at_stake(seats, row)}",
                    rules.PICKUP,
                    basis=Basis.UNREAD,
                )
            )
    return remarks


def _cards_wrong(batch: RoundBatch, row: int, dealt: Sequence[int]) -> list[Remark]:
    """`dealt` is the set of cards dealt to each place, empty where that is not known."""

    def dealt_where(card: int) -> str:
        places = [place_name(place) for place, cards in enumerate(dealt) if cards >> card & 1]
        return f"{names([card])}, dealt to {places[0]}" if places else names([card])

    cards = batch.rack[row]
    counts = np.bincount(cards[cards <= JOKER_1], minlength=JOKER_1 + 1)
    total = f"the rack holds {len(cards)} of {DECK_SIZE} cards"
    confidence = LIKELY if batch.flags[row] & RoundFlag.RACK_UNSURE else CERTAIN
    found = []
    missing = np.flatnonzero(counts == 0).tolist()
    which = ""
    if missing:
        if len(missing) <= CARDS_EACH:
            which = "; ".join(dealt_where(card) for card in missing)
        else:
            which = f"{names(missing[:CARDS_EACH])} and {len(missing) - CARDS_EACH} more"
    twice = np.flatnonzero(counts > 1).tolist()
    foreign = cards[cards > JOKER_1].tolist()
    # A card that stands in another's place is one fault, told with the card it stands for.
    in_place = len(missing) > 0 and len(missing) == len(foreign) + int((counts[twice] - 1).sum())
    instead = f"; missing: {which}" if in_place else ""
    if missing and not in_place and batch.flags[row] & RoundFlag.CLOSED:  # an unfinished round has not collected all
        found.append(("CARD-311", f"{total}; missing: {which}"))
    if twice:
        held = listed([f"{names([card])} is there {counts[card]} times" for card in twice[:14]])
        found.append(("CARD-312", f"the deck has one of each card, but {held}; {total}{instead}"))
    if foreign:
        strange = f"{names(foreign)} in the rack does not belong to the deck in play"
        found.append(("CARD-313", f"{strange}; {total}{instead if not twice else ''}"))
    return [
        Remark(row, code, sentence, rules.ONE_DECK, confidence=confidence, basis=Basis.RACK) for code, sentence in found
    ]


# ---- equipment -----------------------------------------------------------------------------------------------------


def _first_beyond(batch: RoundBatch, age_s: Ints, limit_s: int) -> Bools:
    """Rounds in which something is too old and was not yet in the round before: it is said once, not every round."""
    before = age_s.astype(np.int64) - batch.since_previous_s
    return np.asarray((age_s > limit_s) & ((batch.since_previous_s == UNKNOWN) | (before <= limit_s)))


def equipment_remarks(batch: RoundBatch, terms: Terms) -> list[Remark]:
    remarks = []
    limit = rules.CARD_AGE_LIMIT_S[terms.dealing]
    for row in np.flatnonzero(_first_beyond(batch, batch.deck_age_s, limit)).tolist():
        deck = batch.name("deck", row)
        remarks.append(
            Remark(
                row,
                "EQUIP-951",
                f"the cards{f' (deck {deck})' if deck else ''} had been on the table for "
                f"{hours(int(batch.deck_age_s[row]))}; {_DEALING_WORDS[terms.dealing]} they must be changed every "
                f"{limit // 3600} hours (rulings.md R-37)",
                rules.CARD_AGE_CITES[terms.dealing],
                basis=Basis.REPORTS,
            )
        )
    if terms.starting is Starting.DICE:
        for row in np.flatnonzero(_first_beyond(batch, batch.dice_age_s, rules.DICE_AGE_LIMIT_S)).tolist():
            remarks.append(
                Remark(
                    row,
                    "EQUIP-951",
                    f"the dice had been in the shaker for {hours(int(batch.dice_age_s[row]))}; no dice may remain on a "
                    "table for more than 24 hours",
                    rules.DICE_24_HOURS,
                    basis=Basis.REPORTS,
                )
            )
    if terms.decks == 2:
        in_play = batch.named["deck"]
        same = (in_play == batch.named["previous_deck"]) & (in_play != 0) & ~batch.has(RoundFlag.CONTEXT_UNKNOWN)
        same &= batch.previous_button != GAME_START  # the round before was another day's
        fresh = (batch.deck_age_s != UNKNOWN) & (batch.deck_age_s < batch.since_previous_s)
        same &= ~fresh  # brought to the table since: another deck, whatever it is called
        for row in np.flatnonzero(same).tolist():
            remarks.append(
                Remark(
                    row,
                    "EQUIP-952",
                    f"deck {batch.name('deck', row)} was used in two rounds running; two decks alternate, each for "
                    "every other round",
                    rules.DECKS_ALTERNATE,
                    basis=Basis.REPORTS,
                )
            )
    return remarks
