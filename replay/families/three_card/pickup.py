"""The rack under the pickup procedure filed: what wagers and actions say of each hand before anybody looks at a card.

All decks go into the rack. Where a hand lies in it follows from who folded and from the action button; where no device
says where that was, from the player-dealer's cards as well.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from replay.cards.pickup.procedure import Laid, Order, Procedure, What
from replay.cards.pickup.situation import HandSituation, Key, Situation
from replay.cards.pickup.words import Word
from replay.cards.solver.batch import HandColumns, arrange, gather, starts_of
from replay.cards.solver.layout import STUB
from replay.families.three_card.seats import NEVER, Seats
from replay.families.three_card.terms import Terms
from replay.rounds import UNKNOWN, Cards, Ints, RoundBatch
from schemas.cards import JOKER_1

Bools = npt.NDArray[np.bool_]

_TOLD = frozenset({Word.AGAINST, Word.WAGERED, Word.BANKED, Word.FOLDED, Word.LIVE_WAGER, Word.OUT_OF_PLAY})
_NOT_SAID = 1 << 40  # after whatever was reported


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
    others = sorted(procedure.words - _TOLD)
    if others:
        return (
            f"pickup procedure {procedure.id} asks of a hand whether it is {', '.join(others)}; in this game it can "
            f"ask for {', '.join(sorted(_TOLD))}"
        )
    laid = {step.laid for step in procedure.steps if isinstance(step.laid, Laid)}
    laid |= {rule.how for step in procedure.steps if not isinstance(step.laid, Laid) for rule in step.laid}
    if laid - {Laid.ANY_ORDER, Laid.AS_DRAWN}:
        return (
            f"pickup procedure {procedure.id} lays hands in two parts; three cards are one hand (any_order, as_drawn)"
        )
    return None


def goes_by_button(procedure: Procedure) -> bool:
    return any(step.order is Order.FROM_BUTTON for step in procedure.steps)


def words_of(seats: Seats) -> dict[Word, Bools]:
    """(n, places) or what broadcasts to it, of each place's hand."""
    return {
        Word.AGAINST: seats.is_against,
        Word.WAGERED: seats.betting,
        Word.BANKED: np.broadcast_to((seats.against > 0)[:, None], seats.betting.shape),
        Word.FOLDED: seats.folded & ~seats.is_against,
        Word.LIVE_WAGER: seats.live,
        Word.OUT_OF_PLAY: seats.out_of_play,
    }


def acted(seats: Seats) -> Ints:
    """(n, places) in which order hands were folded or went out of play; what nobody reported came in its turn."""
    said = np.where(seats.out_of_play, seats.out_of_play_seq, seats.folded_seq)
    return np.where(said == NEVER, _NOT_SAID + np.arange(seats.terms.places), said)


@dataclass(frozen=True)
class Racks:
    """The racks of a batch."""

    whole: Bools  # (n,) exactly the decks in play
    hands: Cards  # (n, places, cards) as the procedure gives them; meaningless where not whole, or the button unknown


def read_racks(batch: RoundBatch, seats: Seats, button: Ints) -> Racks:
    """`button` (n,) is the seat of the action button, 0 where that is not known."""
    terms = seats.terms
    size, rows = terms.rack_size, len(batch)
    whole = batch.rack.counts == size
    full = np.flatnonzero(whole)
    cards = batch.rack.values[batch.rack.offsets[full][:, None] + np.arange(size)]
    codes = np.minimum(cards, JOKER_1).astype(np.int64) + (np.arange(len(full)) * (JOKER_1 + 1))[:, None]
    counts = np.bincount(codes.ravel(), minlength=len(full) * (JOKER_1 + 1)).reshape(-1, JOKER_1 + 1)
    whole[full] = (counts[:, :JOKER_1] == terms.decks).all(axis=1)
    keys = (Key(STUB), *(Key(place) for place in range(1, terms.places)))
    nobody = np.zeros((rows, 1), bool)
    words = {word: np.concatenate([nobody, column[:, 1:]], axis=1) for word, column in words_of(seats).items()}
    columns = HandColumns(keys, words, acted(seats), rows, np.maximum(button, 1))
    sizes = np.where(seats.dealt_in, terms.hand, 0).astype(np.int64)
    sizes[:, 0] = size - sizes.sum(axis=1)
    starts = starts_of(arrange(terms.pickup, columns, terms.ring).order, sizes)
    found = gather(batch.rack, np.flatnonzero(whole), starts[whole, 1:], sizes[whole, 1:], terms.hand)
    hands = np.full((rows, terms.places, terms.hand), 255, np.uint8)
    hands[whole, 1:] = found
    return Racks(whole, hands)


def situation_of(seats: Seats, row: int, button: int) -> Situation:
    """What is known of the hands of one round; `button` is 0 where no device said where the action button was."""
    terms, turns = seats.terms, acted(seats)[row].tolist()
    so = {word: column[row].tolist() for word, column in words_of(seats).items()}
    order = sorted(turns)  # only who was first matters, and equal situations share their work
    places = np.flatnonzero(seats.dealt_in[row]).tolist()
    hands = [HandSituation(Key(STUB), (max(terms.rack_size - terms.hand * len(places), 0),))]
    for place in places:
        true = frozenset(word for word, column in so.items() if column[place])
        went = {Word.FOLDED, Word.OUT_OF_PLAY} & true
        turn = order.index(turns[place]) if went else UNKNOWN
        hands.append(HandSituation(Key(place), (terms.hand,), true, acted=turn))
    return Situation(tuple(hands), terms.ring, (button,) if button else ())
