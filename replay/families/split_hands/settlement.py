"""What every wager and envy bonus should come to, as lines, one set of them for each reading of a round's hands."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from replay.checks.action_button import Short
from replay.citations import Citation, cite
from replay.families.split_hands.bank_line import bank_lines
from replay.families.split_hands.covered import cut_down
from replay.families.split_hands.hands import Hands
from replay.families.split_hands.law import Cites, EnvyLaw
from replay.families.split_hands.ranked import Ranked, rank, strengths
from replay.families.split_hands.seats import BASE, BONUS, OTHER, Seats
from replay.families.split_hands.terms import Terms
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
from replay.money.envy import earned_for, envy_lines, open_envy_lines, qualifies
from replay.money.paytable import ClassTable, class_pays, class_ways, shared_limit
from replay.money.results import ANY_RESULT, LOSES, OUTCOME_OF, POSSIBLE_OF, WINS, WORST_OF
from replay.naming import listed, names, place_name, whose
from replay.remarks import Remark
from replay.rounds import OUTCOME_CODE, UNCUT, Fact, Ints, RoundBatch, RoundFlag
from schemas.events import Outcome
from schemas.findings import CERTAIN, LIKELY, POSSIBLE
from schemas.money import dollars
from schemas.places import DEALER

Bools = npt.NDArray[np.bool_]
Bytes = npt.NDArray[np.uint8]
Cents = npt.NDArray[np.int64]

CAUSES = (USUAL, Cause("FOUL-401", Applies.UNLESS_TAKEN), Cause("HOUSE-402"))
_FOUL, _HOUSE = 1, 2

_VOIDED = possible(Outcome.VOID, Outcome.NO_ACTION, Outcome.PUSH)  # however a device names a stake given back

_WIN, _LOSE, _PUSH = (OUTCOME_CODE[outcome] for outcome in (Outcome.WIN, Outcome.LOSE, Outcome.PUSH))
_CITE_NOT_SEEN, _CITE_FOUL, _CITE_SURRENDER, _CITE_HAND_VOID, _CITE_ALL_VOID = 3, 6, 7, 8, 9


@dataclass(frozen=True)
class Settled:
    lines: Lines
    alternatives: dict[int, list[Lines]]
    remarks: list[Remark]
    ranked: Ranked
    left_open: dict[int, str]  # round → which hands are needed to settle all of it and not known
    no_rule: dict[int, str]  # round → which wager nothing filed says how to settle
    short: list[Short]  # rounds in which a posted wager does not reach


def setting_not_seen(citation: Citation) -> Citation:
    """The same rule for a hand nobody saw set, where every setting that is not foul comes to the same (R-51)."""
    caveat = "setting not seen: whatever it was, unless foul; rulings.md R-51"
    return cite(citation.text, f"{citation.section} ({caveat})", citation.words)


def _base_cites(cites: Cites) -> tuple[Citation, ...]:
    by_result = (cites.lose, cites.tie, cites.win)  # as LOSES, TIES and WINS number them
    unseen = (setting_not_seen(citation) for citation in by_result)
    return (*by_result, *unseen, cites.foul, cites.surrender, cites.hand_void, cites.all_void)


def settle(batch: RoundBatch, seats: Seats, hands: Hands, terms: Terms, button: Ints) -> Settled:
    """`button` (n,) is where each round's action button belongs, where the game has one."""
    ranked = rank(hands, seats, terms)
    rows = len(batch)
    banked = (batch.bank_seat > 0) & ~seats.banked & ~seats.all_void  # not offered: nothing says what it comes to
    playing = seats.base & seats.exposed & ~seats.surrendered & ~(seats.all_void | banked)[:, None]
    result = terms.law.compare(ranked.low, ranked.high, ranked.against_low[:, None], ranked.against_high[:, None])
    result[hands.set_wrong] = LOSES
    foul = (hands.set_known & terms.law.fouled(ranked.low, ranked.high)) | hands.set_wrong
    bits = np.left_shift(1, result).astype(np.uint8)
    unset = playing[hands.row] & hands.known & ranked.against_known[:, None] & ~hands.set_known & ~hands.set_wrong
    if unset.any():
        bits[unset] = _every_setting(hands, ranked, unset, terms)
        result[unset] = WORST_OF[bits[unset]]
    _either_setting(hands, ranked, seats, terms, result, bits, foul)
    unknown = ~(hands.known & ranked.against_known[:, None]) & ~foul
    bits[unknown] = ANY_RESULT
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
    for kind, make in ((BASE, _base_lines), (BONUS, _bonus_lines), (OTHER, _void_lines)):
        of_kind = (seats.kind[wager] == kind) & settles
        if of_kind.any():
            chosen = _Chosen(seats, hands, terms, ranked, wager[of_kind], entry[of_kind], result, bits, foul, moved)
            parts.append(make(chosen))
            entries.append(chosen.entry)
    if terms.bonus is not None and terms.law.envy is not None:
        for envy, envy_entry in _envy_lines(seats, hands, ranked, terms.bonus, terms.law.envy, wager, entry):
            parts.append(envy)
            entries.append(envy_entry)
    if terms.law.bank is not None and seats.banked.any():
        bank, bank_entry = bank_lines(batch, seats, hands, ranked, terms, wager, entry, result, bits)
        parts.append(bank)
        entries.append(bank_entry)
    lines = join_lines(parts)
    of_entry = np.concatenate(entries) if entries else np.empty(0, np.int64)
    short: list[Short] = []
    if terms.law.player_dealer is not None:
        cut = cut_down(batch, seats, lines, of_entry, hands.row, button, terms)
        lines, of_entry, short = cut.lines, cut.entry, cut.short
    lines, alternatives = _apart(lines, of_entry, hands, rows)
    left_open = _what_is_open(seats, hands, ranked, playing, batch.has(RoundFlag.RACK_UNCUT))
    return Settled(lines, alternatives, house_remarks, ranked, left_open, _without_rule(seats), short)


def _either_setting(
    hands: Hands, ranked: Ranked, seats: Seats, terms: Terms, result: Bytes, bits: Bytes, foul: Bools
) -> None:
    """Hands that lie in the rack in another setting than they were shown in: either may be how they were set. Where
    the two come to the same, that is the result."""
    disputed = hands.disputed[hands.row] & hands.known & hands.set_known
    disputed &= ~seats.is_against[hands.row]  # the dealer's counts as the house way sets it
    if not disputed.any():
        return
    entry, place = np.nonzero(disputed)
    shown = hands.shown[hands.row[entry], place]
    low, high = strengths(shown, terms)
    as_shown = terms.law.compare(low, high, ranked.against_low[entry], ranked.against_high[entry])
    bits[disputed] |= np.left_shift(1, as_shown).astype(np.uint8)
    result[disputed] = WORST_OF[bits[disputed]]
    foul[disputed] &= terms.law.fouled(low, high)


def _every_setting(hands: Hands, ranked: Ranked, unset: Bools, terms: Terms) -> Bytes:
    """The results, as bits, over all settings that are not foul: the rack does not show the one chosen (R-51)."""
    entry, _ = np.nonzero(unset)
    low, high = terms.ranking.settings(np.ascontiguousarray(hands.cards[unset]))
    low_strength = terms.ranking.low(low.reshape(-1, low.shape[-1])).reshape(low.shape[:-1])
    high_strength = terms.ranking.high(high.reshape(-1, high.shape[-1])).reshape(high.shape[:-1])
    dealer = ranked.against_low[entry][:, None], ranked.against_high[entry][:, None]
    bit = np.left_shift(1, terms.law.compare(low_strength, high_strength, *dealer)).astype(np.uint8)
    bit[terms.law.fouled(low_strength, high_strength)] = 0
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
    """Wagers the rules and the evidence say something about. The others' rounds are in `Settled.left_open` or
    `Settled.no_rule`: a wager that is not offered, or a bonus wager on a hand nobody saw. (One against the dealer
    is even money whatever the hands.)"""
    row, at = hands.row[entry], seats.at[wager]
    gone = seats.voided[row, at] | (seats.surrendered[row, at] & ~seats.bonus[row, at])
    known = hands.known[entry, at] | gone
    settles = ((seats.kind[wager] == BASE) | ((seats.kind[wager] == BONUS) & known)) & (at > 0)
    return np.asarray(settles | np.where(seats.kind[wager] == BONUS, seats.bonus_void[row], seats.all_void[row]))


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
        envy = self.terms.law.envy
        if envy is None:
            return np.zeros(len(self.wager), bool)
        large = qualifies(self.stake, envy.least_cents) & (self.seats.kind[self.wager] == BONUS)
        return np.asarray(large & self.seats.envy[self.row, self.at])

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


def _base_lines(chosen: _Chosen) -> Lines:
    entry, at, row, stake = chosen.entry, chosen.at, chosen.row, chosen.stake
    result = chosen.result[entry, at]
    outcome = OUTCOME_OF[result]
    outcomes = POSSIBLE_OF[chosen.bits[entry, at]]
    paid = np.where(result == WINS, stake, 0)
    taken = np.where(result == LOSES, stake, 0)
    cite_at = result.astype(np.int16)
    one = (outcomes & (outcomes - 1)) == 0
    known, set_known = chosen.hands.known[entry, at], chosen.hands.set_known[entry, at]
    cite_at[one & known & ~set_known] += _CITE_NOT_SEEN
    both_known = known & chosen.ranked.against_known[entry] & ~chosen.hands.set_wrong[entry, at]
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
        cites=_base_cites(chosen.terms.law.cites),
        causes=CAUSES,
        outcome=outcome,
        possible=outcomes,
        paid=paid,
        taken=taken,
        vigorish=int(chosen.terms.law.vigorish is not None),
        code=code,
        cite=cite_at,
        unseen=unseen,
        by_reports=by_reports,
    ).with_ways(*_ways(stake, even_money))


def _bonus_lines(chosen: _Chosen) -> Lines:
    table, terms, words = chosen.terms.bonus, chosen.terms, chosen.terms.law.cites
    assert table is not None, "a bonus wager has this kind only where it is offered"
    entry, at, row, stake = chosen.entry, chosen.at, chosen.row, chosen.stake
    hand_class = chosen.ranked.hand_class[entry, at]
    paid, result = class_pays(stake, hand_class, table, terms.payout_limit_cents)
    paid = _limit_shared(chosen, paid, hand_class, table)
    outcome, outcomes = OUTCOME_OF[result], POSSIBLE_OF[np.left_shift(1, result)]
    taken = np.where(result == LOSES, stake, 0)
    lost, forfeited, hand_void, all_void, capped = range(len(table.cites), len(table.cites) + 5)
    cites = (
        *table.cites,
        *(words.bonus_loses, words.forfeited, words.hand_void, words.all_void, words.payout_limit),
    )
    cite_at = np.where(result == LOSES, lost, hand_class).astype(np.int16)
    if terms.payout_limit_cents:
        cite_at[paid < stake * table.numerator[hand_class] // table.denominator[hand_class]] = capped

    by_reports = np.zeros(len(entry), bool)

    def override(where: Bools, said: Outcome, bits: int, takes: bool, cite: int) -> None:
        outcome[where], outcomes[where], cite_at[where] = OUTCOME_CODE[said], bits, cite
        by_reports[where] = True
        paid[where], taken[where] = 0, stake[where] if takes else 0

    gone = chosen.seats.surrendered[row, at] & ~chosen.seats.bonus[row, at]
    override(gone, Outcome.LOSE, possible(Outcome.LOSE), True, forfeited)
    override(chosen.seats.voided[row, at], Outcome.VOID, _VOIDED, False, hand_void)
    override(chosen.seats.bonus_void[row], Outcome.VOID, _VOIDED, False, all_void)
    return chosen.lines(
        cites=cites,
        outcome=outcome,
        possible=outcomes,
        paid=paid,
        taken=taken,
        cite=cite_at,
        by_reports=by_reports,
        envy=chosen.earns_envy,
    ).with_ways(*_ways(stake, lambda amount: class_ways(amount, table, terms.payout_limit_cents)))


def _limit_shared(chosen: _Chosen, paid: Cents, hand_class: Bytes, table: ClassTable) -> Cents:
    """What bonus wagers are paid where those on hands of one class share the limit (rulings.md R-24)."""
    payout, limit = chosen.terms.law.payout, chosen.terms.payout_limit_cents
    if payout is None or payout.shared_class is None:
        return paid
    live = chosen.hands.known[chosen.entry, chosen.at] & ~chosen.seats.bonus_void[chosen.row]
    live &= ~chosen.seats.voided[chosen.row, chosen.at]
    shares = (hand_class == payout.shared_class) & live
    entries, count = np.unique(chosen.entry[shares], return_counts=True)
    due = chosen.stake * table.numerator[hand_class] // table.denominator[hand_class]
    paid = paid.copy()
    for entry in entries[count > 1].tolist():
        mine = np.flatnonzero(chosen.entry == entry)
        mine = mine[np.argsort(chosen.at[mine], kind="stable")]
        together = np.where(shares[mine], due[mine], paid[mine])
        shared = shared_limit(together, chosen.stake[mine], shares[mine], limit)
        paid[mine] = np.where(shares[mine], np.minimum(shared, limit), shared)
    return paid


def _open_lines(chosen: _Chosen, banked: Bools) -> Lines:
    """Wagers that nothing read, or no rule filed, settles: a bonus wager on a hand nobody saw, one that the filed
    rules do not offer, one of a round a player banked."""
    bonus = (chosen.seats.kind[chosen.wager] == BONUS) & (chosen.at > 0) & ~banked[chosen.row]
    table, limit = chosen.terms.bonus, chosen.terms.payout_limit_cents
    known, index = _ways(chosen.stake, lambda amount: class_ways(amount, table, limit) if table else ANYTHING)
    lines = chosen.lines(
        cites=(chosen.terms.law.cites.not_offered, chosen.terms.law.cites.bonus_loses),
        cite=bonus,
        vigorish=~bonus & (chosen.terms.law.vigorish is not None),
        envy=chosen.earns_envy & bonus,
    )
    return lines.with_ways([ANYTHING, *known], np.where(bonus, index + 1, 0)).opened(np.ones(len(index), bool))


def _ways(stake: Ints, of: Callable[[int], Ways]) -> tuple[list[Ways], Ints]:
    """What wagers of these amounts can come to, and an index into that, a wager."""
    amounts, index = np.unique(stake, return_inverse=True)
    return [of(amount) for amount in amounts.tolist()], index.reshape(-1)


@lru_cache(maxsize=4096)
def even_money(stake: int) -> Ways:
    """A wager against the dealer, whatever the hands: it wins, loses, or goes back."""
    return Ways((Way(_WIN, stake, 0), Way(_LOSE, 0, stake), Way(_PUSH, 0, 0)))


def _void_lines(chosen: _Chosen) -> Lines:
    """Wagers of no kind the filed rules offer, in void rounds: they go back like all the others."""
    void = OUTCOME_CODE[Outcome.VOID]
    return chosen.lines(cites=(chosen.terms.law.cites.all_void,), outcome=void, possible=_VOIDED, by_reports=1)


def _envy_lines(
    seats: Seats, hands: Hands, ranked: Ranked, table: ClassTable, envy: EnvyLaw, wager: Ints, entry: Ints
) -> Iterator[tuple[Lines, Ints]]:
    """To every bonus wager large enough, for every other exposed player's hand of a class that gives envy bonuses
    (rulings.md R-29): for none of one's own, in whichever of one's areas (R-52). The line is open for a hand nobody
    saw, and for one that may be one's own."""
    exposed = seats.exposed[hands.row] & (seats.qualifying & ~seats.all_void)[hands.row][:, None]
    exposed &= ~seats.is_against[hands.row]
    if envy.own_bonus_only:
        exposed &= seats.bonus[hands.row]
    earns = (seats.kind[wager] == BONUS) & qualifies(seats.wagers.amount[wager], envy.least_cents)
    earns &= seats.envy[hands.row[entry], seats.at[wager]]
    known = hands.known
    gives = (exposed & known & (ranked.hand_class <= envy.lowest_class))[entry]
    own, perhaps_own = seats.own_areas(wager)
    index, for_seat = earned_for(earns, seats.at[wager], gives & ~own & ~perhaps_own)
    hand_class = ranked.hand_class[entry[index], for_seat].astype(np.int64)
    yield envy_lines(seats.wagers, wager[index], for_seat, hand_class, table), entry[index]
    may_give = (exposed & ~known)[entry] | (gives & perhaps_own)
    index, for_seat = earned_for(earns, seats.at[wager], may_give & ~own)
    yield open_envy_lines(seats.wagers, wager[index], for_seat, envy.lowest_class, table), entry[index]


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
    of, against = np.arange(len(hands.row)), seats.against[hands.row]
    as_laid = (ranked.low[of, against] == ranked.against_low) & (ranked.high[of, against] == ranked.against_high)
    # With nobody to play against the dealer has no hand to set.
    opposed = np.asarray(playing.any(axis=1))[hands.row]
    broken = hands.set_known[of, against] & hands.known[of, against] & ~as_laid & opposed
    moved = np.zeros(result.shape, bool)
    if not broken.any():
        return [], moved
    where = np.flatnonzero(broken)
    to = against[where][:, None]
    as_set = (np.take_along_axis(of_hand[where], to, axis=1) for of_hand in (ranked.low, ranked.high))
    laid = terms.law.compare(ranked.low[where], ranked.high[where], *as_set)
    settled_alike = ~playing[hands.row[where]] | ~hands.set_known[where] | ~hands.known[where]
    moved[where] = (laid != result[where]) & ~settled_alike & ~hands.set_wrong[where]
    low, remarks = terms.geometry.low, []
    for index, entry in enumerate(where.tolist()):
        if entry >= rows:
            continue
        place = int(against[entry])
        laid_cards, due_cards = hands.cards[entry, place].tolist(), ranked.house[entry].tolist()
        remarks.append(
            Remark(
                entry,
                "HOUSE-402",
                f"{whose(place)} was laid as {names(laid_cards[:low])} low, {names(laid_cards[low:])} high; the "
                f"house way sets it as {names(due_cards[:low])} low, {names(due_cards[low:])} high, and it was not "
                f"reset: {_money_moved(seats, hands, entry, moved[entry], laid[index], result[entry], terms)}",
                terms.law.cites.house_way,
                confidence=POSSIBLE
                if hands.disputed[entry, place]
                else CERTAIN
                if hands.shown_set[entry, place]
                else LIKELY,
            )
        )
    return remarks, moved


def _money_moved(seats: Seats, hands: Hands, entry: int, moved: Bools, laid: Bytes, due: Bytes, terms: Terms) -> str:
    places = np.flatnonzero(moved).tolist()
    if not places:
        if not bool(np.asarray(hands.set_known | ~seats.wagered[hands.row])[entry].all()):
            return "which wagers came out differently cannot be told, for want of the players' settings"
        return "no wager came out differently"
    row = int(hands.row[entry])
    own = (seats.wagers.row == row) & (seats.kind == BASE) & moved[seats.at]
    stake, at = seats.wagers.amount[own], seats.at[own]
    net = {}
    for name, results in (("laid", laid), ("due", due)):
        won = np.where(results[at] == WINS, stake, 0)
        net[name] = int((won - terms.vigorish(won) - stake * (results[at] == LOSES)).sum())
    moved_cents = net["laid"] - net["due"]
    seats_named = listed([place_name(place) for place in places])
    gain = "more" if moved_cents > 0 else "less"
    return f"settled as laid, {seats_named} would have {dollars(abs(moved_cents))} {gain} in all than is due"


def _what_is_open(seats: Seats, hands: Hands, ranked: Ranked, playing: Bools, uncut: Bools) -> dict[int, str]:
    """Rounds where a hand that wagers depend on is not known, in words."""
    known = hands.known[: len(uncut)]
    live = ~seats.all_void[:, None]
    needed = playing | (seats.bonus & ~seats.bonus_void[:, None])
    giving = seats.exposed & seats.bonus if seats.own_bonus_only else seats.exposed
    needed |= giving & (seats.qualifying[:, None] & live)
    opposed = np.asarray(playing.any(axis=1))
    needed |= seats.is_against & opposed[:, None]
    needed[:, DEALER] |= (seats.dealer_stake > 0) & ~seats.all_void
    missing = needed & ~known
    missing |= needed & seats.is_against & ~ranked.against_known[: len(uncut), None]
    why = {}
    for row in np.flatnonzero(missing.any(axis=1)).tolist():
        places = [place_name(place) for place in np.flatnonzero(missing[row]).tolist()]
        why[row] = f"neither rack nor deal nor a hand shown gives the cards of {listed(places)}"
        if uncut[row]:
            why[row] = f"{UNCUT}: {why[row]}"
    return why


def _without_rule(seats: Seats) -> dict[int, str]:
    """Rounds with a wager that is not offered, in words."""
    nameless = (seats.kind == OTHER) | (seats.at == 0)
    rows = np.unique(seats.wagers.row[nameless & ~seats.all_void[seats.wagers.row]]).tolist()
    return dict.fromkeys(rows, "a wager was taken that the filed rules do not offer, and no rule says what it comes to")
