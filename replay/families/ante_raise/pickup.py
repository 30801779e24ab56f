"""The rack under the pickup procedure filed: what wagers and actions say of each hand before anybody looks at a card.

The whole deck goes into the rack. How many cards a hand has follows from who raised, and where it lies from that too;
only which hands stayed on the table for an envy bonus depends on the cards.
"""

from __future__ import annotations

from replay.cards.pickup.procedure import Laid, Procedure, What
from replay.cards.pickup.procedure import Order as PickupOrder
from replay.cards.pickup.situation import NOTHING, HandSituation, Key, Situation
from replay.cards.pickup.words import Word
from replay.cards.solver.layout import STUB
from replay.families.ante_raise.deal import Sizes
from replay.families.ante_raise.seats import NEVER, Seats
from replay.families.ante_raise.terms import Terms
from replay.rounds import UNKNOWN
from schemas.places import DEALER


def problem_with(procedure: Procedure, terms: Terms) -> str | None:
    """Why this game cannot be played under such a procedure, in words; None if it can."""
    whats = {step.what for step in procedure.steps}
    if What.STUB not in whats:
        return (
            f"pickup procedure {procedure.id} never puts the cards left into the rack ({terms.law.cites.stub_racked}); "
            "file one with a step 'what: stub'"
        )
    unknown = sorted(whats - {What.STUB, What.HANDS})
    if unknown:
        return f"pickup procedure {procedure.id} picks up {', '.join(unknown)}, which this game does not have"
    if any(step.order is PickupOrder.FROM_BUTTON for step in procedure.steps):
        return f"pickup procedure {procedure.id} goes round from the action button, and this game has none"
    dealers = frozenset({Word.DEALER, Word.AGAINST})
    last = next((step for step in procedure.steps if step.takes(DEALER, dealers)), None)
    if last is None or last.laid_for(dealers) is not Laid.LOW_HIGH_EIGHTH:
        return (
            f"pickup procedure {procedure.id} does not lay the dealer's hand low_high_eighth; in another order the "
            "rack would not show which card was left over"
        )
    return None


def _open_words(seats: Seats, row: int, place: int) -> frozenset[Word]:
    """For what a whole hand may stay on the table, by its cards."""
    stays = {Word.ENVY_HAND: seats.stays, Word.METER_PAYOUT: seats.may_be_paid_off_meter}
    return frozenset(word for word, where in stays.items() if where[row, place])


def situation_of(seats: Seats, row: int, sizes: Sizes) -> Situation:
    """What is known of the hands of one round that have so many cards."""
    terms = seats.terms
    hands = [HandSituation(Key(STUB), (max(terms.deck_size - sum(sizes), 0),))]
    acted = seats.acted[row].tolist()
    turns = sorted(acted)  # only who was first matters, and equal situations share their work
    for place, size in enumerate(sizes):
        if not size:
            continue
        if place == DEALER:
            hands.append(HandSituation(Key(place), (size,), frozenset({Word.DEALER, Word.AGAINST})))
            continue
        away = seats.out_of_play_seq[row, place] != NEVER
        folded = not seats.raised[row, place]
        said = {
            Word.WAGERED: bool(seats.wagered[row, place]),
            Word.FOLDED: folded,
            Word.LIVE_WAGER: bool(seats.live[row, place]),
            Word.BONUS: bool(seats.needs_whole[row, place]),
            Word.REARRANGED: bool(seats.rearranged[row, place]),
            Word.OUT_OF_PLAY: away,
        }
        hands.append(
            HandSituation(
                Key(place),
                (size,),
                frozenset(word for word, so in said.items() if so),
                _open_words(seats, row, place) if size == terms.law.cards.whole else NOTHING,
                turns.index(acted[place]) if folded or away else UNKNOWN,
            )
        )
    return Situation(tuple(hands), terms.ring)
