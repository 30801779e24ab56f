"""What every wager and envy bonus should come to, as lines, one set of them for each reading of a round's hands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from replay.families.split_hands.hands import Hands
from replay.families.split_hands.seats import FORTUNE, OTHER, PAI_GOW, Seats
from replay.families.split_hands.sentences import listed, names, place_name
from replay.families.split_hands.terms import FortuneTable, Terms
from replay.lines import (
    ANYTHING,
    NOT_SEEN_SET,
    SEEN_IN_THE_RACK,
    USUAL,
    Applies,
    Cause,
    Lines,
    Way,
    Ways,
    join_lines,
    make_lines,
    possible,
    same_money,
)
from replay.packs.ma.pai_gow_poker.v1 import rules
from replay.packs.ma.pai_gow_poker.v1.rules import CARDS_EACH, LOSES, PLACES, TIES, WINS
from replay.ranking.five import rank_five
from replay.ranking.house_way import house_way
from replay.ranking.seven import FortuneClass, fortune_class
from replay.ranking.splits import all_splits
from replay.ranking.two import rank_two
from replay.remarks import Remark
from replay.rounds import OUTCOME_CODE, UNCUT, Cards, Fact, Ints, RoundBatch, RoundFlag
from schemas.events import Outcome
from schemas.findings import CERTAIN, LIKELY, POSSIBLE
from schemas.money import dollars

Bools = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]
Strengths = npt.NDArray[np.int32]

CAUSES = (USUAL, Cause("FOUL-401", Applies.UNLESS_TAKEN), Cause("HOUSE-402"))
_FOUL, _HOUSE = 1, 2

_OUTCOME_OF = np.array([OUTCOME_CODE[o] for o in (Outcome.LOSE, Outcome.PUSH, Outcome.WIN)], np.uint8)
_POSSIBLE_OF = np.array(  # from a bit set of LOSES, TIES and WINS
    [sum(1 << int(_OUTCOME_OF[r]) for r in (LOSES, TIES, WINS) if bits >> r & 1) for bits in range(8)], np.uint8
)
_LOWEST_OF = np.array([LOSES, *(((bits & -bits).bit_length() - 1) for bits in range(1, 8))], np.uint8)
_ANY_RESULT = 0b111
_VOIDED = possible(Outcome.VOID, Outcome.NO_ACTION, Outcome.PUSH)  # however a device names a stake given back

_WIN, _LOSE, _PUSH = (OUTCOME_CODE[outcome] for outcome in (Outcome.WIN, Outcome.LOSE, Outcome.PUSH))
_PAI_GOW_CITES = (
    *(rules.LOSE, rules.TIE, rules.WIN),  # as LOSES, TIES and WINS number them
    *(rules.setting_not_seen(cite) for cite in (rules.LOSE, rules.TIE, rules.WIN)),
    *(rules.FOUL, rules.SURRENDER, rules.HAND_VOID, rules.ALL_VOID),
)
_CITE_NOT_SEEN, _CITE_FOUL, _CITE_SURRENDER, _CITE_HAND_VOID, _CITE_ALL_VOID = 3, 6, 7, 8, 9


@dataclass(frozen=True)
class Ranked:
    """Strengths of a batch of hands, an entry a reading."""

    low: Strengths  # (m, 7) as set
    high: Strengths
    house: Cards  # (m, 7) the dealer's cards by the house way
    dealer_low: Strengths  # (m,) by the house way
    dealer_high: Strengths
    hand_class: Bytes  # (m, 7) FortuneClass


@dataclass(frozen=True)
class Settled:
    lines: Lines
    alternatives: dict[int, list[Lines]]
    remarks: list[Remark]
    ranked: Ranked
    needs: dict[int, str]  # round → what is needed to settle all of it and not known


def rank(hands: Hands, terms: Terms) -> Ranked:
    entries = len(hands.row)
    cards = hands.cards
    low = rank_two(np.ascontiguousarray(cards[:, :, :2]).reshape(-1, 2)).reshape(entries, PLACES)
    high = rank_five(np.ascontiguousarray(cards[:, :, 2:]).reshape(-1, 5), terms.wheel).reshape(entries, PLACES)
    house = house_way(np.ascontiguousarray(cards[:, 0]), terms.wheel)
    hand_class = fortune_class(cards.reshape(-1, CARDS_EACH), terms.royal_match).reshape(entries, PLACES)
    return Ranked(
        low, high, house, rank_two(house[:, :2]), rank_five(np.ascontiguousarray(house[:, 2:]), terms.wheel), hand_class
    )


def settle(batch: RoundBatch, seats: Seats, hands: Hands, terms: Terms) -> Settled:
    ranked = rank(hands, terms)
    rows = len(batch)
    banked = (batch.bank_seat > 0) & ~seats.all_void  # no filing has a bank yet: nothing says what it comes to
    playing = seats.pai_gow & seats.exposed & ~seats.surrendered & ~(seats.all_void | banked)[:, None]
    result = rules.compare(ranked.low, ranked.high, ranked.dealer_low[:, None], ranked.dealer_high[:, None])
    result[hands.set_wrong] = LOSES
    foul = (hands.set_known & rules.fouled(ranked.low, ranked.high)) | hands.set_wrong
    bits = np.left_shift(1, result).astype(np.uint8)
    unset = playing[hands.row] & hands.known & hands.known[:, :1] & ~hands.set_known & ~hands.set_wrong
    if unset.any():
        bits[unset] = _every_setting(hands, ranked, unset, terms)
        result[unset] = _LOWEST_OF[bits[unset]]
    _either_setting(hands, ranked, terms, result, bits, foul)
    unknown = ~(hands.known & hands.known[:, :1]) & ~foul
    bits[unknown] = _ANY_RESULT
    result[unknown] = LOSES

    wager, entry = _every_reading(seats, hands)
    house_remarks, moved = _house_way_broken(seats, hands, ranked, terms, result, playing, rows)
    parts, entries = [], []
    in_bank = banked[hands.row[entry]]
    settles = _can_be_settled(seats, hands, wager, entry) & ~in_bank
    if not settles.all():
        left = _Chosen(seats, hands, terms, ranked, wager[~settles], entry[~settles], result, bits, foul, moved)
        parts.append(_open_lines(left, banked))
        entries.append(left.entry)
        wager, entry, settles = wager[~in_bank], entry[~in_bank], settles[~in_bank]
    for kind, make in ((PAI_GOW, _pai_gow_lines), (FORTUNE, _fortune_lines), (OTHER, _void_lines)):
        of_kind = (seats.kind[wager] == kind) & settles
        if of_kind.any():
            chosen = _Chosen(seats, hands, terms, ranked, wager[of_kind], entry[of_kind], result, bits, foul, moved)
            parts.append(make(chosen))
            entries.append(chosen.entry)
    if terms.fortune is not None:
        for envy, envy_entry in _envy_lines(seats, hands, ranked, terms.fortune, wager, entry):
            parts.append(envy)
            entries.append(envy_entry)
    lines = join_lines(parts)
    of_entry = np.concatenate(entries) if entries else np.empty(0, np.int64)
    lines, alternatives = _apart(lines, of_entry, hands, rows)
    needs = _what_is_open(seats, hands, playing, batch.has(RoundFlag.RACK_UNCUT))
    return Settled(lines, alternatives, house_remarks, ranked, needs)


def _either_setting(hands: Hands, ranked: Ranked, terms: Terms, result: Bytes, bits: Bytes, foul: Bools) -> None:
    """Hands that lie in the rack in another setting than they were shown in: either may be how they were set. Where
    the two come to the same, that is the result."""
    disputed = hands.disputed[hands.row] & hands.known & hands.set_known
    disputed[:, 0] = False  # the dealer's counts as the house way sets it
    if not disputed.any():
        return
    entry, place = np.nonzero(disputed)
    shown = hands.shown[hands.row[entry], place]
    low, high = rank_two(np.ascontiguousarray(shown[:, :2])), rank_five(np.ascontiguousarray(shown[:, 2:]), terms.wheel)
    as_shown = rules.compare(low, high, ranked.dealer_low[entry], ranked.dealer_high[entry])
    bits[disputed] |= np.left_shift(1, as_shown).astype(np.uint8)
    result[disputed] = _LOWEST_OF[bits[disputed]]
    foul[disputed] &= rules.fouled(low, high)


def _every_setting(hands: Hands, ranked: Ranked, unset: Bools, terms: Terms) -> Bytes:
    """The results, as bits, over all settings that are not foul: the rack does not show the one chosen (R-51)."""
    entry, _ = np.nonzero(unset)
    low, high = all_splits(np.ascontiguousarray(hands.cards[unset]))
    low_strength = rank_two(low.reshape(-1, 2)).reshape(-1, 21)
    high_strength = rank_five(high.reshape(-1, 5), terms.wheel).reshape(-1, 21)
    dealer = ranked.dealer_low[entry][:, None], ranked.dealer_high[entry][:, None]
    bit = np.left_shift(1, rules.compare(low_strength, high_strength, *dealer)).astype(np.uint8)
    bit[rules.fouled(low_strength, high_strength)] = 0
    found: Bytes = np.bitwise_or.reduce(bit, axis=1)
    return found


def _every_reading(seats: Seats, hands: Hands) -> tuple[Ints, Ints]:
    """Each wager once for each reading of its round: indexes of wagers and of entries."""
    row_of = seats.wagers.row  # in order of rounds
    wagers, entries = [np.arange(len(row_of))], [row_of]
    for row, readings in hands.readings.items():
        own = np.arange(*np.searchsorted(row_of, [row, row + 1]))
        wagers += [own] * (len(readings) - 1)
        entries += [np.full(len(own), reading) for reading in readings[1:]]
    return np.concatenate(wagers), np.concatenate(entries)


def _can_be_settled(seats: Seats, hands: Hands, wager: Ints, entry: Ints) -> Bools:
    """Wagers the rules and the evidence say something about. The others' rounds are in `Settled.needs`: a wager that is
    not offered, or a Fortune wager on a hand nobody saw. (A pai gow poker wager is even money whatever the hands.)"""
    row, at = hands.row[entry], seats.at[wager]
    gone = seats.voided[row, at] | (seats.surrendered[row, at] & ~seats.fortune[row, at])
    known = hands.known[entry, at] | gone
    settles = ((seats.kind[wager] == PAI_GOW) | ((seats.kind[wager] == FORTUNE) & known)) & (at > 0)
    return np.asarray(settles | seats.all_void[row])


# ---- lines ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Chosen:
    """The wagers of one kind, with everything their lines follow from."""

    seats: Seats
    hands: Hands
    terms: Terms
    ranked: Ranked
    wager: Ints
    entry: Ints
    result: Bytes  # (m, 7)
    bits: Bytes
    foul: Bools
    moved: Bools  # (m, 7) came out differently because the house way was broken

    @property
    def at(self) -> Ints:
        return self.seats.at[self.wager]

    @property
    def row(self) -> Ints:
        return self.hands.row[self.entry]

    @property
    def stake(self) -> Ints:
        return self.seats.wagers.amount[self.wager]

    @property
    def earns_envy(self) -> Bools:
        qualifies = rules.qualifies_for_envy(self.stake) & (self.seats.kind[self.wager] == FORTUNE)
        return np.asarray(qualifies & self.seats.envy[self.row, self.at])

    @property
    def void(self) -> Bools:
        return self.seats.all_void[self.row] | self.seats.voided[self.row, self.at]

    def lines(self, **columns: npt.NDArray[np.generic] | tuple[object, ...] | int) -> Lines:
        wagers = self.seats.wagers
        cites, causes = columns.pop("cites"), columns.pop("causes", (USUAL,))
        return make_lines(
            len(self.wager),
            cites,  # type: ignore[arg-type]
            causes,  # type: ignore[arg-type]
            row=self.row,
            kind=Fact.SETTLED,
            seat=wagers.seat[self.wager],
            bettor=wagers.bettor[self.wager],
            wager=wagers.wager[self.wager],
            choice=wagers.choice[self.wager],
            hand=wagers.hand[self.wager],
            stake=self.stake,
            **columns,
        )


def _pai_gow_lines(chosen: _Chosen) -> Lines:
    entry, at, row, stake = chosen.entry, chosen.at, chosen.row, chosen.stake
    result = chosen.result[entry, at]
    outcome = _OUTCOME_OF[result]
    outcomes = _POSSIBLE_OF[chosen.bits[entry, at]]
    paid = np.where(result == WINS, stake, 0)
    taken = np.where(result == LOSES, stake, 0)
    cite_at = result.astype(np.int16)
    one = (outcomes & (outcomes - 1)) == 0
    known, set_known = chosen.hands.known[entry, at], chosen.hands.set_known[entry, at]
    cite_at[one & known & ~set_known] += _CITE_NOT_SEEN
    both_known = known & chosen.hands.known[entry, 0] & ~chosen.hands.set_wrong[entry, at]
    unseen = np.where(set_known, np.where(chosen.hands.shown_set[row, at], 0, SEEN_IN_THE_RACK), NOT_SEEN_SET)
    unseen[~both_known] = 0
    foul = chosen.foul[entry, at]
    cite_at[foul] = _CITE_FOUL
    code = np.where(foul, _FOUL, np.where(chosen.moved[entry, at], _HOUSE, 0))
    by_reports = np.zeros(len(entry), bool)

    def override(where: Bools, said: Outcome, bits: int, takes: bool, cite: int) -> None:
        outcome[where], outcomes[where], code[where], cite_at[where] = OUTCOME_CODE[said], bits, 0, cite
        unseen[where] = 0
        by_reports[where] = True
        paid[where], taken[where] = 0, stake[where] if takes else 0

    surrendered = chosen.seats.surrendered[row, at]
    override(surrendered, Outcome.SURRENDER, possible(Outcome.SURRENDER), True, _CITE_SURRENDER)
    override(chosen.void, Outcome.VOID, _VOIDED, False, _CITE_HAND_VOID)
    override(chosen.seats.all_void[row], Outcome.VOID, _VOIDED, False, _CITE_ALL_VOID)
    return chosen.lines(
        cites=_PAI_GOW_CITES,
        causes=CAUSES,
        outcome=outcome,
        possible=outcomes,
        paid=paid,
        taken=taken,
        vigorish=1,
        code=code,
        cite=cite_at,
        unseen=unseen,
        by_reports=by_reports,
    ).with_ways(*_ways(stake, even_money))


def _fortune_lines(chosen: _Chosen) -> Lines:
    table, terms = chosen.terms.fortune, chosen.terms
    assert table is not None, "a Fortune wager has this kind only where it is offered"
    entry, at, row, stake = chosen.entry, chosen.at, chosen.row, chosen.stake
    hand_class = chosen.ranked.hand_class[entry, at]
    paid, result = rules.fortune_pays(stake, hand_class, table, terms.maximum_payout_cents)
    outcome, outcomes = _OUTCOME_OF[result], _POSSIBLE_OF[np.left_shift(1, result)]
    taken = np.where(result == LOSES, stake, 0)
    lost, forfeited, hand_void, all_void, capped = range(len(table.cites), len(table.cites) + 5)
    cites = (*table.cites, rules.FORTUNE_LOSES, rules.FORFEITED, rules.HAND_VOID, rules.ALL_VOID, rules.PAYOUT_LIMIT)
    cite_at = np.where(result == LOSES, lost, hand_class).astype(np.int16)
    if terms.maximum_payout_cents:
        cite_at[paid < stake * table.numerator[hand_class] // table.denominator[hand_class]] = capped

    by_reports = np.zeros(len(entry), bool)

    def override(where: Bools, said: Outcome, bits: int, takes: bool, cite: int) -> None:
        outcome[where], outcomes[where], cite_at[where] = OUTCOME_CODE[said], bits, cite
        by_reports[where] = True
        paid[where], taken[where] = 0, stake[where] if takes else 0

    gone = chosen.seats.surrendered[row, at] & ~chosen.seats.fortune[row, at]
    override(gone, Outcome.LOSE, possible(Outcome.LOSE), True, forfeited)
    override(chosen.void, Outcome.VOID, _VOIDED, False, hand_void)
    override(chosen.seats.all_void[row], Outcome.VOID, _VOIDED, False, all_void)
    return chosen.lines(
        cites=cites,
        outcome=outcome,
        possible=outcomes,
        paid=paid,
        taken=taken,
        cite=cite_at,
        by_reports=by_reports,
        envy=chosen.earns_envy,
    ).with_ways(*_ways(stake, lambda amount: fortune_ways(amount, terms)))


def _open_lines(chosen: _Chosen, banked: Bools) -> Lines:
    """Wagers that nothing read, or no rule filed, settles: a Fortune wager on a hand nobody saw, one that the filed
    rules do not offer, one of a round a player banked."""
    fortune = (chosen.seats.kind[chosen.wager] == FORTUNE) & (chosen.at > 0) & ~banked[chosen.row]
    known, index = _ways(chosen.stake, lambda amount: fortune_ways(amount, chosen.terms))
    lines = chosen.lines(
        cites=(rules.NOT_OFFERED, rules.FORTUNE_LOSES),
        cite=fortune,
        vigorish=~fortune,
        envy=chosen.earns_envy & fortune,
    )
    return lines.with_ways([ANYTHING, *known], np.where(fortune, index + 1, 0)).opened(np.ones(len(index), bool))


def _ways(stake: Ints, of: Callable[[int], Ways]) -> tuple[list[Ways], Ints]:
    """What wagers of these amounts can come to, and an index into that, a wager."""
    amounts, index = np.unique(stake, return_inverse=True)
    return [of(amount) for amount in amounts.tolist()], index.reshape(-1)


@lru_cache(maxsize=4096)
def even_money(stake: int) -> Ways:
    """A pai gow poker wager, whatever the hands: it wins, loses, or goes back."""
    return Ways((Way(_WIN, stake, 0), Way(_LOSE, 0, stake), Way(_PUSH, 0, 0)))


def fortune_ways(stake: int, terms: Terms) -> Ways:
    """A Fortune wager, whatever the hand."""
    if terms.fortune is None:
        return ANYTHING
    classes = np.arange(len(terms.fortune.numerator), dtype=np.uint8)
    paid, _ = rules.fortune_pays(np.full(len(classes), stake), classes, terms.fortune, terms.maximum_payout_cents)
    won = {Way(_WIN, amount, 0) for amount in paid.tolist() if amount}
    return Ways(tuple(sorted({*won, Way(_LOSE, 0, stake), Way(_PUSH, 0, 0)})))


def _void_lines(chosen: _Chosen) -> Lines:
    """Wagers of no kind the filed rules offer, in void rounds: they go back like all the others."""
    return chosen.lines(cites=(rules.ALL_VOID,), outcome=OUTCOME_CODE[Outcome.VOID], possible=_VOIDED, by_reports=1)


def _envy_lines(
    seats: Seats, hands: Hands, ranked: Ranked, table: FortuneTable, wager: Ints, entry: Ints
) -> Iterator[tuple[Lines, Ints]]:
    """MA-PGP §9(l)(1)(ii), rulings.md R-29: to every Fortune wager of at least $5, for every other exposed player's
    hand of four of a kind or better. For a hand nobody saw the line is open."""
    exposed = seats.exposed[hands.row] & (seats.qualifying & ~seats.all_void)[hands.row][:, None]
    earns = (seats.kind[wager] == FORTUNE) & rules.qualifies_for_envy(seats.wagers.amount[wager])
    earns &= seats.envy[hands.row[entry], seats.at[wager]]
    premium = rules.is_premium(ranked.hand_class) & hands.known
    for given, is_open in ((exposed & premium, False), (exposed & ~hands.known, True)):
        earning = earns & np.asarray(given.any(axis=1))[entry]
        of, reading = wager[earning], entry[earning]
        others = given[reading]
        others[np.arange(len(reading)), seats.at[of]] = False  # never for one's own hand
        index, for_seat = np.nonzero(others)
        of, reading = of[index], reading[index]
        hand_class = ranked.hand_class[reading, for_seat]
        wagers = seats.wagers
        lines = make_lines(
            len(of),
            table.cites,
            row=hands.row[reading],
            kind=Fact.ENVY,
            seat=wagers.seat[of],
            bettor=wagers.bettor[of],
            wager=wagers.wager[of],
            choice=wagers.choice[of],
            hand=wagers.hand[of],
            for_seat=for_seat,
            outcome=OUTCOME_CODE[Outcome.WIN],
            possible=possible(Outcome.WIN),
            stake=wagers.amount[of],
            paid=table.envy_cents[hand_class],
            cite=hand_class if not is_open else FortuneClass.FOUR_OF_A_KIND,
        )
        bonuses = {Way(_WIN, amount, 0) for amount in table.envy_cents.tolist()}
        if is_open:
            ways = [Ways(tuple(sorted({*bonuses, Way(_LOSE, 0, 0)})))]
            lines = lines.with_ways(ways, np.zeros(len(of), np.int64)).opened(np.ones(len(of), bool))
        yield lines, reading


def _apart(lines: Lines, entry: Ints, hands: Hands, rows: int) -> tuple[Lines, dict[int, list[Lines]]]:
    """Lines of rounds with one reading, or with readings that all come to the same, and the others' by reading."""
    if not hands.readings:
        return lines, {}
    keep = entry < rows
    several = np.zeros(len(hands.row), bool)
    several[[reading for readings in hands.readings.values() for reading in readings]] = True
    index = np.flatnonzero(several[entry])
    index = index[np.argsort(entry[index], kind="stable")]
    few, few_entry = lines.where(index), entry[index]
    alternatives = {}
    for row, readings in hands.readings.items():
        sets = [few.where(np.arange(*np.searchsorted(few_entry, [other, other + 1]))) for other in readings]
        if all(same_money(sets[0], other) for other in sets[1:]):
            continue
        alternatives[row] = sets
    keep &= ~np.isin(entry, list(alternatives))
    return lines.where(keep), alternatives


# ---- what the lines rest on ----------------------------------------------------------------------------------------


def _house_way_broken(
    seats: Seats, hands: Hands, ranked: Ranked, terms: Terms, result: Bytes, playing: Bools, rows: int
) -> tuple[list[Remark], Bools]:
    """HOUSE-402 for dealers' hands laid otherwise than the house way (MA-PGP §11(i)), and which hands came out
    differently for it. Settings of equal strength are equally the house way. Where the dealer's hand was not shown
    so, how it lies in the rack is one witness."""
    as_laid = (ranked.low[:, 0] == ranked.dealer_low) & (ranked.high[:, 0] == ranked.dealer_high)
    # With nobody to play against the dealer has no hand to set.
    opposed = np.asarray(playing.any(axis=1))[hands.row]
    broken = hands.set_known[:, 0] & hands.known[:, 0] & ~as_laid & opposed
    moved = np.zeros(result.shape, bool)
    if not broken.any():
        return [], moved
    where = np.flatnonzero(broken)
    laid = rules.compare(ranked.low[where], ranked.high[where], ranked.low[where, :1], ranked.high[where, :1])
    settled_alike = ~playing[hands.row[where]] | ~hands.set_known[where] | ~hands.known[where]
    moved[where] = (laid != result[where]) & ~settled_alike & ~hands.set_wrong[where]
    remarks = []
    for index, entry in enumerate(where.tolist()):
        if entry >= rows:
            continue
        laid_cards, due_cards = hands.cards[entry, 0].tolist(), ranked.house[entry].tolist()
        remarks.append(
            Remark(
                entry,
                "HOUSE-402",
                f"the dealer's hand was laid as {names(laid_cards[:2])} low, {names(laid_cards[2:])} high; the house "
                f"way sets it as {names(due_cards[:2])} low, {names(due_cards[2:])} high, and it was not reset: "
                f"{_money_moved(seats, hands, entry, moved[entry], laid[index], result[entry], terms)}",
                rules.HOUSE_WAY,
                confidence=POSSIBLE if hands.disputed[entry, 0] else CERTAIN if hands.shown_set[entry, 0] else LIKELY,
            )
        )
    return remarks, moved


def _money_moved(seats: Seats, hands: Hands, entry: int, moved: Bools, laid: Bytes, due: Bytes, terms: Terms) -> str:
    places = np.flatnonzero(moved).tolist()
    if not places:
        if not bool((hands.set_known | ~seats.wagered[hands.row])[entry].all()):
            return "which wagers came out differently cannot be told, for want of the players' settings"
        return "no wager came out differently"
    row = int(hands.row[entry])
    own = (seats.wagers.row == row) & (seats.kind == PAI_GOW) & moved[seats.at]
    stake, at = seats.wagers.amount[own], seats.at[own]
    net = {}
    for name, results in (("laid", laid), ("due", due)):
        won = np.where(results[at] == WINS, stake, 0)
        net[name] = int((won - rules.vigorish(won, terms.vigorish_rounding) - stake * (results[at] == LOSES)).sum())
    moved_cents = net["laid"] - net["due"]
    seats_named = listed([place_name(place) for place in places])
    gain = "more" if moved_cents > 0 else "less"
    return f"settled as laid, {seats_named} would have {dollars(abs(moved_cents))} {gain} in all than is due"


def _what_is_open(seats: Seats, hands: Hands, playing: Bools, uncut: Bools) -> dict[int, str]:
    """Rounds where a hand that wagers depend on is not known, or a wager has no rule, in words."""
    known = hands.known[: len(uncut)]
    live = ~seats.all_void[:, None]
    needed = (playing | (seats.fortune & live)) | (seats.exposed & (seats.qualifying[:, None] & live))
    needed[:, 0] = playing.any(axis=1)
    missing = needed & ~known
    why = {}
    nameless = (seats.kind == OTHER) | (seats.at == 0)
    for row in np.unique(seats.wagers.row[nameless & ~seats.all_void[seats.wagers.row]]).tolist():
        why[row] = "a wager was taken that the filed rules do not offer, and no rule says what it comes to"
    for row in np.flatnonzero(missing.any(axis=1)).tolist():
        places = [place_name(place) for place in np.flatnonzero(missing[row]).tolist()]
        why[row] = f"neither rack nor deal nor a hand shown gives the cards of {listed(places)}"
        if uncut[row]:
            why[row] = f"{UNCUT}: {why[row]}"
    return why


def describe_class(hand_class: int) -> str:
    """`full house`, `royal flush and royal match` ... for sentences and views."""
    return FortuneClass(hand_class).name.lower().replace("_", " ")
