"""What was not done as the rules say: the checks of `replay.checks`, put to this family's rounds."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

import numpy as np
import numpy.typing as npt

from replay.cards.dealing.seen import deal_events
from replay.checks.action_button import Seen, Short, button_held_against_cards, button_not_where_it_belongs
from replay.checks.bank_turns import bank_turns, posted_nothing
from replay.checks.deck import deck_remarks
from replay.checks.hand_sizes import sizes_wrong
from replay.checks.misdeal import FEW_HANDS
from replay.checks.rack import cards_wrong, unread
from replay.checks.raises import Multiples, folded_and_raised, raises_out_of_turn, wrong_raises
from replay.checks.shuffling import not_reshuffled, not_shuffled, shuffled_by_hand
from replay.checks.wagers import (
    Bound,
    Bounds,
    at_stake,
    given_back_by_a_void,
    late_wagers,
    wagers_not_offered,
    wagers_outside_limits,
    wagers_without_base,
)
from replay.families.three_card.deal import NO_WAY, OTHER_DIRECTION, Deal
from replay.families.three_card.hands import BASES, Hands, Sources, known_events, seats_counted
from replay.families.three_card.hands import unread as nothing_read
from replay.families.three_card.seats import ANTE, NEVER, OTHER, PLAY, Seats, side_kind
from replay.families.three_card.terms import Terms
from replay.keys import coded, last_of
from replay.naming import set_of
from replay.remarks import Remark
from replay.rounds import UNKNOWN, Cards, Ints
from schemas.cards import JOKER_1, name_of
from schemas.findings import CERTAIN, LIKELY, Basis
from schemas.plurals import counted

Bools = npt.NDArray[np.bool_]

# ---- wagers and the bank -------------------------------------------------------------------------------------------


def wagers_wrong(sources: Sources) -> list[Remark]:
    batch, seats, terms = sources.batch, sources.seats, sources.terms
    law, wagers, titles = terms.law, seats.wagers, terms.law.titles
    never, closed = np.full(len(batch), UNKNOWN), batch.bets_closed_seq.astype(np.int64)
    alone = (seats.at > 0) & ~seats.with_ante
    remarks = [
        *late_wagers(batch, wagers, never, closed, given_back_by_a_void(batch), titles, law.late),
        *wagers_outside_limits(batch, wagers, _bounds(terms), titles),
        *wagers_not_offered(batch, wagers, seats.kind == OTHER, terms.ring.seats, titles, law.offered),
        *wagers_without_base(batch, wagers, alone & (seats.kind == PLAY), law.ante, titles, law.play.moment),
        *bank_turns(batch, law.bank_turns),
        *posted_nothing(batch, wagers, law.cites.cover),
    ]
    for number, side in enumerate(terms.sides):
        mine = alone & (seats.kind == side_kind(number))
        remarks += wagers_without_base(batch, wagers, mine, law.ante, titles, side.law.needs)
    return [*remarks, *_plays_wrong(sources)]


def _bounds(terms: Terms) -> dict[str, Bounds]:
    """The limits of the wagers that have them, each with the rule that says so."""
    law, schedule, found = terms.law, terms.schedule, dict[str, Bounds]()
    lowest = {side.name: side.lowest for side in law.sides}
    for name, limits in terms.limits_cents.items():
        both = [
            Bound(cents, f"schedule {schedule.id}", schedule.limits_cite)
            if cents in schedule.limits[name]
            else Bound(cents, f"filed for this table under schedule {schedule.id}", law.cites.table_limits)
            for cents in limits
        ]
        if name in lowest:
            both[0] = both[0]._replace(cite=lowest[name])
        found[name] = Bounds(*both)
    return found


def _plays_wrong(sources: Sources) -> list[Remark]:
    """Play wagers that are not as much as the ante, or were placed before the cards or after the player-dealer's were
    shown, or on a hand that had been folded."""
    batch, seats, terms = sources.batch, sources.seats, sources.terms
    wagers, law = seats.wagers, terms.law.play
    live = ~seats.all_void[wagers.row]
    plays = np.flatnonzero((seats.kind == PLAY) & (seats.at > 0) & seats.with_ante & live)
    ante = _antes_beside(seats, plays)
    over = _exposed(sources)
    when = np.full(len(batch), "the player-dealer's cards were shown", object)
    played_seq = np.where(seats.all_void[:, None], NEVER, seats.played_seq)
    exactly = Multiples(1, 1, True, law.equal, law.title)
    return [
        *wrong_raises(batch, wagers, plays, ante, exactly),
        *raises_out_of_turn(batch, wagers, plays, _too_early(sources, plays), over, when, law.moment, law.title),
        *folded_and_raised(batch, seats.folded_seq, played_seq, law.name, law.moment, law.title, "played"),
    ]


def _antes_beside(seats: Seats, plays: Ints) -> Ints:
    """The ante of each of these play wagers' bettors."""
    wagers, antes = seats.wagers, np.flatnonzero(seats.kind == ANTE)
    of = (wagers.row, wagers.seat, wagers.bettor)
    asked, known = coded(*((column[plays], column[antes]) for column in of))
    return last_of(asked, known, wagers.amount[antes], 0)


def _too_early(sources: Sources, plays: Ints) -> Bools:
    """Of these play wagers, those placed before betting closed or the first card was dealt."""
    batch, seats = sources.batch, sources.seats
    row, seq = seats.wagers.row[plays], seats.wagers.placed_seq[plays]
    first, closed = batch.first_card_seq.astype(np.int64), batch.bets_closed_seq.astype(np.int64)
    return np.asarray(((closed[row] != UNKNOWN) & (seq < closed[row])) | ((first[row] != UNKNOWN) & (seq < first[row])))


def _exposed(sources: Sources) -> Ints:
    """(n,) when more than one card of the player-dealer's was first shown; UNKNOWN."""
    shown, against = sources.batch.shown, sources.seats.against
    own = (shown.place == against[shown.row]) & (shown.place > 0) & (shown.count > 1)
    seq = np.full(len(sources.batch), NEVER, np.int64)
    np.minimum.at(seq, shown.row[own], shown.seq[own])
    return np.where(seq == NEVER, UNKNOWN, seq)


# ---- the deal ------------------------------------------------------------------------------------------------------


def deal_wrong(sources: Sources, hands: Hands) -> list[Remark]:
    """DEAL-301, -305 and -310, of the deals that do not give the hands as filed."""
    batch, seats, remarks = sources.batch, sources.seats, list[Remark]()
    held = hands.cards[: len(batch)]
    alike = (np.sort(held, axis=2) == np.sort(sources.deals.hands, axis=2)).all(axis=2) | ~seats.dealt_in
    as_filed = sources.deals.as_filed & alike.all(axis=1)
    rows = ~as_filed & (batch.dealt.counts > 0) & ~seats.all_void & seats.dealt_in.any(axis=1)
    for row in np.flatnonzero(rows).tolist():
        deal = sources.deal(row)
        remarks += _sizes_wrong(sources, row, deal)
        remarks += _delivered_otherwise(sources, row, deal, held[row])
    return remarks


def shuffle_wrong(sources: Sources) -> list[Remark]:
    """EQUIP-954, -957 and -959: the shuffling machine was not used, or failed, before the deal."""
    batch, cite = sources.batch, sources.terms.law.cites.shuffled
    return [*not_shuffled(batch, cite), *shuffled_by_hand(batch, cite), *not_reshuffled(batch, cite)]


def _sizes_wrong(sources: Sources, row: int, deal: Deal) -> Iterator[Remark]:
    batch, seats, terms = sources.batch, sources.seats, sources.terms
    due = np.where(seats.dealt_in, terms.hand, 0)
    need = int(due[row].sum())
    if deal.seen:
        held = np.zeros_like(due)
        held[row] = [len(deal.ways[0].by_place.get(place, b"")) for place in range(terms.places)]
        yield from sizes_wrong(batch, held, due, (0, 0), terms.law.cites.dealt, terms.law.cites.dealt)
    elif deal.count not in (UNKNOWN, need):
        said = f"{counted(deal.count, 'card')} were dealt instead of {need}, and the round was played on; "
        said += at_stake(seats.wagers, row)
        events = deal_events(batch, row)
        yield Remark(row, "DEAL-301", said, terms.law.cites.dealt, evidence=events, basis=Basis.DEAL)


def _delivered_otherwise(sources: Sources, row: int, deal: Deal, held: Cards) -> list[Remark]:
    if not deal.read:
        return []
    if deal.seen:
        way, by = deal.ways[0].way, "as a device saw them go"
    else:
        went = deal.of({place: held[place].tobytes() for place in sources.places(row)})
        way, by = (0 if went is None else went.way), "as the rack gives every place exactly its hand"
    if way not in (OTHER_DIRECTION, NO_WAY):
        return []
    stake = at_stake(sources.seats.wagers, row)
    round_ = "the other way round the table" if way == OTHER_DIRECTION else "not to the places in the order filed"
    bettors = len(sources.places(row)) - 1  # besides the player-dealer, whose hand is dealt last either way
    as_exchanged = way == OTHER_DIRECTION and not deal.seen and bettors <= FEW_HANDS
    or_exchanged = ", or two hands changed places after the deal" if as_exchanged else ""
    return [
        Remark(
            row,
            "DEAL-305" if way == OTHER_DIRECTION else "DEAL-310",
            f"the cards were dealt {round_} ({sources.terms.method.title}), {by}{or_exchanged}: "
            f"the round was played on; {stake}",
            sources.terms.law.cites.delivery,
            evidence=deal_events(sources.batch, row),
            confidence=LIKELY if way == NO_WAY or as_exchanged else CERTAIN,
            basis=Basis.DEAL if deal.seen else Basis.COMPARED,
        )
    ]


# ---- the rack ------------------------------------------------------------------------------------------------------


def cards_in_rack_wrong(sources: Sources) -> list[Remark]:
    """CARD-311, -312, -313 for racks that are not the decks; RACK-322 where neither rack nor deal was read; CARD-314 to
    -316 for what the deck's earlier rounds have against it."""
    batch, seats, terms = sources.batch, sources.seats, sources.terms
    cites = terms.law.cites
    counted_right = batch.stub_count == terms.rack_size - sources.deals.count
    remarks = deck_remarks(batch, cites.deck, counted_right)
    wrong = ~sources.racks.whole & ~seats.all_void
    for row in np.flatnonzero(wrong).tolist():
        if batch.rack.counts[row]:
            dealt = sources.deal(row)
            by_place = dealt.ways[0].by_place if dealt.ways else {}
            sets = [set_of(by_place.get(place, b"")) for place in range(terms.places)]
            remarks += cards_wrong(batch, row, sets, JOKER_1, cites.deck, terms.decks)
        elif seats.wagered[row].any() and nothing_read(sources, row):
            remarks.append(unread(row, at_stake(seats.wagers, row), cites.pickup))
    return remarks


# ---- the action button ---------------------------------------------------------------------------------------------


def button_wrong(
    sources: Sources, hands: Hands, short: list[Short], seats_due: Mapping[int, frozenset[int]]
) -> Iterator[Remark]:
    """BUTTON-802 and BUTTON-805. `short` are the rounds in which cover runs out by their first reading, `seats_due` the
    seats at which the button may belong where it is not known which card was dealt last."""
    batch, law, bank = sources.batch, sources.terms.law.button, sources.seats.against
    against = hands.cards[np.arange(len(hands.row)), bank[hands.row]]

    def seen(row: int) -> Seen:
        basis = BASES[int(hands.basis[row])]
        sure = basis is Basis.DEAL_AND_RACK and hands.third[row] < JOKER_1
        return Seen(known_events(sources, row), CERTAIN if sure else LIKELY, basis)

    def why(row: int) -> str:
        card = int(hands.third[row])
        if card < JOKER_1:
            return f"{law.card} card {name_of(card)} {law.counts(card)}"
        card = min(against[row].tolist(), key=lambda one: seats_counted(bytes([one]), int(bank[row]), sources.terms))
        return f"nobody read which card is {law.card}; {name_of(card)}, if it is that, {law.counts(card)}"

    wrong = [one for one in short if one.row not in hands.readings and one.placed not in seats_due.get(one.row, ())]
    yield from button_not_where_it_belongs(batch, wrong, why, seen, law.cite)
    rows = np.flatnonzero((against[: len(batch), 0] < JOKER_1) & ~sources.seats.all_void)
    rows = rows[~np.isin(rows, list(hands.readings))]
    unknown = hands.third[: len(batch)] >= JOKER_1
    deciding = [
        np.where(unknown, against[: len(batch), at], hands.third[: len(batch)]) for at in range(against.shape[1])
    ]
    known = {one.row for one in short}
    yield from button_held_against_cards(batch, rows, deciding, known, sources.terms.ring.seats, seen, law)
    yield from _button_by_no_card(sources, hands, rows, known)


def _button_by_no_card(sources: Sources, hands: Hands, rows: Ints, known: set[int]) -> Iterator[Remark]:
    """BUTTON-802 where no card is named with the button, and it is not where the player-dealer's card puts it, though
    no wager depends on it."""
    law, placed = sources.terms.law.button, sources.placed
    for row in rows[(placed.card[rows] >= JOKER_1) & (placed.seat[rows] != UNKNOWN)].tolist():
        card = int(hands.third[row])
        if row in known or card >= JOKER_1:
            continue
        due = int(
            law.seat(np.array([card], np.uint8), sources.seats.against[row : row + 1], sources.terms.ring.seats)[0]
        )
        if due != placed.seat[row]:
            said = f"the action button was put at seat {placed.seat[row]}; {law.card} card {name_of(card)} "
            said += f"{law.counts(card)}, to seat {due}; the posted money covers everything that moves, so no wager "
            said += "depends on it"
            evidence = tuple(sorted({*known_events(sources, row), int(placed.seq[row])}))
            yield Remark(row, "BUTTON-802", said, law.card_cite, evidence=evidence, confidence=LIKELY)
