"""One round whose rack and deal are not in order, or do not agree: which hands each of them allows by itself, and what
stands between them. Nothing is searched for here; that is the solver's (`odd_racks`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

import numpy as np

from replay.cards.dealing.compare import Difference, Kind, compare, in_words
from replay.cards.pickup.situation import Held, Key
from replay.cards.pickup.words import Word
from replay.cards.solver.evidence import ShownHand
from replay.cards.solver.readings import read
from replay.checks.shoe import card_trouble
from replay.citations import Citation
from replay.families.blackjack import drawing
from replay.families.blackjack.hands import ByHand, Evidence, Round, Sources, card_events
from replay.families.blackjack.pickup import FEWEST, MOST_CARDS, button_seats, situation_of
from replay.families.blackjack.play import hand_key
from replay.money.action_button import ActionButton
from replay.remarks import Remark
from replay.rounds import DEALT_TO, UNCUT, RoundFlag
from schemas.cards import JOKER_1, NO_CARD, names_of
from schemas.findings import CERTAIN, LIKELY, Basis
from schemas.plurals import counted

_SET_ASIDE = tuple(DEALT_TO.index(to) for to in ("burn", "stub"))
_PLACES_SAID = 0  # from here on a device named the place each card went to


def spots_of(sources: Sources, row: int) -> list[tuple[int, Key]]:
    """The players' hands of a round: where their entries stand, and whose they are."""
    spots = sources.play.spots
    return [
        (at, Key(int(spots.seat[at]), int(spots.hand[at])))
        for at in range(*np.searchsorted(spots.row, [row, row + 1]).tolist())
    ]


def sizes_of(sources: Sources, row: int) -> dict[Key, int]:
    """How many cards each player's hand has by what was done with it."""
    size = sources.play.spots.size
    return {key: int(size[at]) for at, key in spots_of(sources, row)}


def shown_of(sources: Sources, row: int) -> dict[Key, ShownHand]:
    shown, found = sources.shown, {}
    whose = [*(key for _, key in spots_of(sources, row)), sources.bank(row)]
    seat, hand = (np.array(column) for column in zip(*whose, strict=True))
    named = dict(zip(hand_key(np.full(len(whose), row), seat, hand).tolist(), whose, strict=True))
    for at in np.flatnonzero(shown.row == row).tolist():
        cards = shown.cards[at]
        if int(shown.key[at]) in named:
            seen = ShownHand(cards[cards != NO_CARD].tobytes(), 0, int(shown.seq[at]))
            found[named[int(shown.key[at])]] = seen
    return found


# ---- what each witness allows ----------------------------------------------------------------------------------------


def dealt_cards(sources: Sources, row: int) -> tuple[bytes, list[int]]:
    """The cards of the deal without those set aside, and where a device saw each go, -1 where none did."""
    batch = sources.batch
    said = zip(batch.dealt[row].tolist(), batch.dealt_place[row].tolist(), batch.dealt_to[row].tolist(), strict=True)
    kept = [(card, place) for card, place, to in said if to not in _SET_ASIDE]
    return bytes(card for card, _ in kept), [place for _, place in kept]


def from_deal(sources: Sources, row: int) -> ByHand | None:
    """The hands as they were dealt: where a device saw the cards go, or else in turn."""
    cards, places = dealt_cards(sources, row)
    if not cards or max(cards) >= JOKER_1:
        return None
    sizes, bank = sizes_of(sources, row), sources.bank(row)
    if min(places) >= _PLACES_SAID and not any(key.hand for key in sizes):
        seen: dict[Key, bytes] = {}
        for card, place in zip(cards, places, strict=True):
            key = Key(place) if place else bank
            seen[key] = seen.get(key, b"") + bytes([card])
        if set(seen) == {*sizes, bank} and min(map(len, seen.values())) >= FEWEST:
            return seen
    left = len(cards) - sum(sizes.values())
    return _in_turn(sources, row, cards, left) if FEWEST <= left <= MOST_CARDS else None


def _in_turn(sources: Sources, row: int, cards: bytes, left: int) -> ByHand:
    dealt, sizes, found = sources.dealt, sizes_of(sources, row), {}
    for at, key in spots_of(sources, row):
        more = int(dealt.more[at])
        where = [int(dealt.first[at]), int(dealt.second[at]), *range(more, more + sizes[key] - FEWEST)]
        found[key] = bytes(cards[position] for position in where)
    more = int(dealt.dealer_more[row])
    where = [int(dealt.dealer_first[row]), int(dealt.dealer_second[row]), *range(more, more + left - FEWEST)]
    found[sources.bank(row)] = bytes(cards[position] for position in where)
    return found


def from_rack(sources: Sources, row: int, sizes: Mapping[Key, int]) -> list[ByHand]:
    """Every way the procedure may have put hands of these sizes into the rack. Picking up began where the button was
    put; where nobody saw that, at the seat the down card gives it to."""
    terms, rack = sources.terms, sources.batch.rack[row].tobytes()
    left = len(rack) - sum(sizes.values())
    if not FEWEST <= left <= MOST_CARDS or max(rack) >= JOKER_1 or max(sizes.values(), default=0) > MOST_CARDS:
        return []
    bank, placed = sources.bank(row), ActionButton.of(sources.batch, row).seat
    known = (placed,) if 1 <= placed <= terms.seats else ()

    def facts(hands: Mapping[Key, Held], button: int) -> dict[Key, dict[Word, bool]] | None:
        if known or bank not in hands or not bank.place:
            return {}
        down = np.array([hands[bank].cards[1]], np.uint8)
        return {} if int(button_seats(down, np.array([bank.place]), terms)[0]) == button else None

    counts = {key: (count,) for key, count in sizes.items()}
    situation = situation_of(sources.play, row, counts, (left,), known, terms)
    found = read(rack, terms.pickup, situation, facts)
    return [{key: held.cards for key, held in one.hands.items()} for one in found.readings]


def is_lawful(sources: Sources, row: int, hands: ByHand) -> bool:
    """Whether the player-dealer drew as the chart says."""
    cards = np.frombuffer(hands.get(sources.bank(row), b""), np.uint8)[None, :]
    return cards.size > 0 and bool(drawing.lawful(sources.terms.law.player_dealer, cards)[0])


# ---- the two beside each other ---------------------------------------------------------------------------------------


def one_round(sources: Sources, row: int, wagered: bool, voided: bool) -> Round:
    """What one odd round's hands are, as far as rack, deal and hands shown say; in a voided one, which cards vanish."""
    batch = sources.batch
    unsure = bool(batch.flags[row] & RoundFlag.RACK_UNSURE)
    rack, (dealt, _) = batch.rack[row].tobytes(), dealt_cards(sources, row)
    if voided:
        return Round(remarks=_wrong_cards(sources, row, rack, dealt) if rack and dealt and not unsure else ())
    if not spots_of(sources, row):
        return Round()
    as_dealt = from_deal(sources, row)
    racked = [] if unsure or not rack else from_rack(sources, row, sizes_of(sources, row))
    if not rack and not dealt:
        return _shown_alone(sources, row, wagered)
    remarks = [_remark(sources, row, "RACK-321", _UNSURE)] if unsure else []
    if as_dealt is not None and racked:
        agreed = next((one for one in racked if one == as_dealt), None)
        if agreed is not None:
            return Round([agreed], Evidence.RACK_AND_DEAL, shown_otherwise(sources, row, agreed))
        return _disagree(sources, row, as_dealt, racked, rack, dealt)
    if as_dealt is not None:
        remarks += shown_otherwise(sources, row, as_dealt)
        if rack and not unsure:
            remarks += _wrong_cards(sources, row, rack, dealt) or [_no_order(sources, row, rack)]
            return Round([as_dealt], Evidence.SOLVED, remarks)
        return Round([as_dealt], Evidence.DEAL, remarks)
    if racked:
        lawful = [one for one in racked if is_lawful(sources, row, one)] or racked
        remarks += _wrong_cards(sources, row, rack, dealt) if dealt else []
        remarks += shown_otherwise(sources, row, lawful[0]) if len(lawful) == 1 else []
        return Round(lawful, Evidence.SOLVED if dealt else Evidence.RACK, remarks)
    read_of = "rack" if rack and not unsure else "deal"
    said = _no_order(sources, row, rack if read_of == "rack" else dealt, read_of)
    return Round((), Evidence.NONE, [*remarks, said], said.sentence)


_UNSURE = "a scan of the rack did not begin with the cards that were in it before, so its order cannot be relied on"


def _shown_alone(sources: Sources, row: int, wagered: bool) -> Round:
    shown = shown_of(sources, row)
    needed = {*sizes_of(sources, row), sources.bank(row)}
    if needed <= set(shown):
        return Round([{key: seen.cards for key, seen in shown.items()}], Evidence.SHOWN)
    if not wagered:
        return Round()
    if sources.batch.flags[row] & RoundFlag.RACK_UNCUT:
        return Round(why_not=UNCUT)
    said = "there were wagers, and neither rack nor deal was read"
    remark = Remark(row, "RACK-322", said, sources.terms.law.pickup, basis=Basis.UNREAD)
    return Round((), Evidence.NONE, [remark], said)


def _disagree(
    sources: Sources, row: int, as_dealt: ByHand, racked: Sequence[ByHand], rack: bytes, dealt: bytes
) -> Round:
    """Hands that lie otherwise than they were dealt. Where only their order differs they are those dealt; else either
    may have been played, and both readings stand."""
    if Counter(rack) != Counter(dealt):
        return Round([as_dealt, *racked[:1]], Evidence.SOLVED, _wrong_cards(sources, row, rack, dealt))
    nearest = min(racked, key=lambda one: sum(one[key] != held for key, held in as_dealt.items() if key in one))
    moves = moved(as_dealt, nearest)
    order_alone = all(move.kind is Kind.REORDERED for move in moves)
    hands_alone = all(move.kind in (Kind.HAND_ELSEWHERE, Kind.REORDERED) for move in moves)
    what = "; ".join(in_words(move) for move in moves[:_MOST_SAID])
    if order_alone:
        return Round([as_dealt], Evidence.SOLVED, [_remark(sources, row, "RACK-330", what)])
    if hands_alone or len(moves) > _MOST_SAID:
        said = f"the rack was not filled in order: {what}; settled by the hands as they were dealt"
        return Round([as_dealt], Evidence.SOLVED, [_remark(sources, row, "RACK-321", said)])
    by_code: dict[str, list[Difference]] = {}
    for move in moves:
        by_code.setdefault(move.code, []).append(move)
    agree = sources.terms.law.deal_and_rack_agree
    remarks = [
        _remark(sources, row, code, "; ".join(in_words(move) for move in of), agree, seats={move.seat for move in of})
        for code, of in by_code.items()
    ]
    return Round([as_dealt, nearest], Evidence.SOLVED, remarks)


_MOST_SAID = 4


def moved(as_dealt: ByHand, lies: ByHand) -> list[Difference]:
    """What became of the cards between deal and rack."""
    dealt = {(key.place, key.hand): held for key, held in as_dealt.items()}
    racked = {(key.place, key.hand): (("", held),) for key, held in lies.items()}
    return compare(dealt, racked, {}, as_drawn=True)


def shown_otherwise(sources: Sources, row: int, hands: ByHand) -> list[Remark]:
    """RACK-323 for every hand shown with cards it does not have."""
    remarks = []
    for key, seen in shown_of(sources, row).items():
        strange = Counter(seen.cards) - Counter(hands.get(key, b""))
        if strange:
            whose = "the player-dealer's hand" if key == sources.bank(row) else f"seat {key.place}'s hand"
            held = names_of(hands.get(key, b""))
            said = f"{whose} was shown as {names_of(seen.cards)}, but rack or deal gives it {held}"
            cite = sources.terms.law.pickup
            remarks.append(
                Remark(
                    row,
                    "RACK-323",
                    f"{said}: {names_of(bytes(sorted(strange.elements())))} does not belong to it",
                    cite,
                    seat=key.place or None,
                    evidence=(seen.seq,),
                    basis=Basis.COMPARED,
                )
            )
    return remarks


def _wrong_cards(sources: Sources, row: int, rack: bytes, dealt: bytes) -> list[Remark]:
    if Counter(rack) == Counter(dealt):
        return []
    law = sources.terms.law
    found = card_trouble(rack, dealt, frozenset(), law.deal_and_rack_agree, law.deck)
    return [_remark(sources, row, found.code, found.sentence, found.cite)]


def _no_order(sources: Sources, row: int, cards: bytes, where: str = "rack") -> Remark:
    sizes = sizes_of(sources, row)
    strange = bytes(card for card in cards if card >= JOKER_1)
    if strange:
        said = f"{names_of(strange)} in the {where} belongs to no deck of this game"
        return _remark(sources, row, "CARD-313", said, sources.terms.law.deck)
    left = max(len(cards) - sum(sizes.values()), 0)
    said = (
        f"the {where} holds {counted(len(cards), 'card')}, and by what was reported of their play the players' hands "
        f"have {sum(sizes.values())}, which leaves the player-dealer {counted(left, 'card')}"
    )
    return _remark(sources, row, "RACK-321" if where == "rack" else "DEAL-301", said, confidence=LIKELY)


def _remark(
    sources: Sources,
    row: int,
    code: str,
    said: str,
    cite: Citation | None = None,
    confidence: float = CERTAIN,
    seats: set[int | None] | None = None,
) -> Remark:
    law = sources.terms.law
    of = seats or set()
    return Remark(
        row,
        code,
        said,
        law.pickup if cite is None else cite,
        seat=of.pop() if len(of) == 1 else None,
        evidence=card_events(sources.batch, row),
        confidence=confidence,
        basis=Basis.COMPARED if sources.batch.dealt.counts[row] else Basis.RACK,
    )
