"""A round of MA-PGP as its devices would report it, written down without the audit's help.

Cards go to the rack as rulings.md R-5 has it; what every wager comes to is what the slow game of `ma_pgp_slow` says.
"""

from __future__ import annotations

from collections.abc import Iterable

from replay.filing import canonical_filing
from replay.rounds import (
    ACTION_CODE,
    BANK_KIND_CODE,
    OUTCOME_CODE,
    START_METHOD_CODE,
    Fact,
    FactRow,
    RoundFlag,
    RoundRow,
    ShownRow,
    unknown_fixed,
)
from schemas.cards import codes_of
from schemas.events import Action, BankKind, Outcome, StartMethod
from tests.packs.ma_pgp_hands import Hand, formed
from tests.packs.ma_pgp_rounds import ORDER, Round
from tests.packs.ma_pgp_slow import ENVY_FOR, PREMIUM, QUALIFYING_CENTS, Settled, is_unseen

PACK = "ma/pai_gow_poker"
CLOCKWISE = (6, 5, 4, 3, 2, 1, 0)  # from the dealer's left; the dealer's own place last
IN_TEXT = {name: at for at, name in enumerate((*ORDER, "bank"))}


def hand_of(made: Round, place: int) -> Hand:
    if place == 0:
        return (*made.dealer[0], *made.dealer[1])
    return (*made.places[place].low, *made.places[place].high)


def dealt_all(made: Round) -> dict[int, Hand]:
    """Every place's seven cards; places without a wager have what is left, unless only those who bet are dealt in."""
    hands = {place: hand_of(made, place) for place in (0, *made.places)}
    left = list(made.left)
    for place in range(1, 7):
        if place not in hands and not made.options["dealing"].startswith("bonus"):
            hands[place] = tuple(left[:7])
            del left[:7]
    return hands


def stays(made: Round, seat: int, settled: Settled) -> bool:
    """§9(l): a premium hand while a Qualifying Wager is at the table, and a payout off a meter being documented."""
    qualifying = any(
        place.wagers.get(wager, 0) >= QUALIFYING_CENTS and not (place.surrenders and made.filed.forfeits)
        for place in made.places.values()
        for wager in ENVY_FOR
    )
    if any(at == seat for at, _ in settled.paid_out):
        return True
    return qualifying and bool(formed(made.places[seat].cards) & PREMIUM)


BONUS = ("fortune", "emperors", "insurance", "dynasty")


def racked(made: Round, settled: Settled) -> list[str]:
    hands = dealt_all(made)
    used = {card for cards in hands.values() for card in cards}
    rack = [card for card in made.left if card not in used]
    for seat in range(1, 7):
        rack += hands[seat] if seat in hands and seat not in made.places else ()
    playing = [seat for seat in sorted(made.places) if seat != made.bank_seat]
    dealer_plays = not made.bank_seat or made.dealer_wager
    rack += () if dealer_plays else hands[0]
    gone = [seat for seat in playing if is_unseen(made.filed, made.places[seat])]
    for seat in gone:
        rack += hands[seat]
    playing = [seat for seat in playing if seat not in gone]
    outcome = settled.lines[0, "pai_gow"][0] if made.bank_seat and made.dealer_wager else ""
    if outcome in ("lose", "push"):
        rack += hands[0]
    staying = [seat for seat in playing if stays(made, seat, settled)]
    first: list[int] = []
    if made.bank_seat:  # losing and pushing hands when exposed, unless a bonus wager keeps them (§15(d)(1))
        every = any(
            "insurance" in place.wagers or any(place.wagers.get(name, 0) >= QUALIFYING_CENTS for name in BONUS)
            for place in made.places.values()
        )
        own = [seat for seat in playing if any(name in ON_CARDS for name in made.places[seat].wagers)]
        first = [
            seat
            for seat in playing
            if not every and seat not in staying and seat not in own and settled.lines[seat, "pai_gow"][0] != "win"
        ]
    for seat in (*first, *(seat for seat in playing if seat not in first and seat not in staying), *staying):
        rack += hands[seat]
    if outcome == "win":
        rack += hands[0]
    return [*rack, *hands[made.bank_seat]]


ON_CARDS = (*BONUS, "protection", "red_black", "ace_high", "progressive", "fortune_progressive", "queens_dragon")


def row_of(made: Round, settled: Settled | None = None) -> RoundRow:
    settled = settled or made.settled
    facts: list[FactRow] = []
    row = RoundRow({"table_id": "PG-01", "round_id": "1"}, unknown_fixed())
    row.named["filing"] = canonical_filing(PACK, "1.0", made.options)
    facts += [FactRow(Fact.METER_STOOD, 0, choice=name, amount=cents) for name, cents in made.meters.items()]
    for seat, place in sorted(made.places.items()):
        for name, cents in place.wagers.items():
            choice = place.choices[name] if name in ("rng", "red_black") else ""
            facts.append(FactRow(Fact.WAGER_PLACED, 2 + len(facts), seat, "", name, choice, amount=cents))
    row.fixed.update(first_seq=1, last_seq=999, bets_closed_seq=100, decks=1, jokers=1, opened_us=0, closed_us=0)
    meters = dict(made.meters)
    for at, ((seat, meter), cents) in enumerate(settled.put_in.items()):
        meters[meter] += cents
        facts.append(FactRow(Fact.PROGRESSIVE_IN, 101 + at, seat, choice=meter, amount=cents, taken=meters[meter]))
    bonus_deal = made.options["dealing"].startswith("bonus")
    if not bonus_deal:
        _started(row, made)
    if made.bank_seat:
        kind = BankKind.CO_BANK if made.co_bank else BankKind.BANK
        row.fixed.update(bank_seat=made.bank_seat, bank_kind=BANK_KIND_CODE[kind], bank_seq=1, first_stack=1)
        row.fixed.update(dealer_wager_cents=made.dealer_wager)
    facts += _settled_early(made, settled)
    for seat, place in made.places.items():
        if place.surrenders:
            facts.append(FactRow(Fact.ACTION, 200 + seat, seat, code=ACTION_CODE[Action.SURRENDER]))
    if bonus_deal:
        _dealt_in_threes(row, made)
    facts += _settled(made, settled, meters)
    row.rack = codes_of(racked(made, settled))
    row.fixed.update(rack_first_seq=900, rack_last_seq=990)
    row.shown = list(_shown(made))
    row.facts = sorted(facts, key=lambda fact: fact.seq)
    flags = RoundFlag.CLOSED | RoundFlag.CONTEXT_UNKNOWN | RoundFlag.RACK_READ
    row.fixed["flags"] = int(flags | (RoundFlag.DEAL_READ if bonus_deal else 0))
    return row


def _started(row: RoundRow, made: Round) -> None:
    dice = made.options["starting"] == "dice"
    number = made.number + 7 if dice else made.number
    one = made.bank_seat
    row.fixed.update(start_seq=120, start_place=(one + number - 1) % 7, start_number=number)
    row.fixed["start_method"] = START_METHOD_CODE[StartMethod.DICE if dice else StartMethod.RNG]
    row.fixed["stub_count"] = 4


def _dealt_in_threes(row: RoundRow, made: Round) -> None:
    """§17(d), (e), (g): three to each from the dealer's left, the dealer last, and four more in the same order."""
    threes: list[str] = []
    fours: list[str] = []
    for place in CLOCKWISE:
        if place and place not in made.places:
            continue
        cards = hand_of(made, place)
        first = made.places[place].first_three if place else cards[:3]
        threes += first
        fours += [card for card in cards if card not in first]
    row.dealt = codes_of([*threes, *fours])
    row.dealt_place = [-1] * len(row.dealt)
    row.fixed.update(first_card_seq=130, first_card_count=len(threes), last_card_seq=160)
    row.fixed["stub_count"] = 53 - len(row.dealt)


def _fact(settled: Settled, seat: int, wager: str, choice: str, seq: int) -> FactRow:
    outcome, paid, taken = settled.lines[seat, wager]
    return FactRow(
        Fact.SETTLED, seq, seat, "", wager, choice, code=OUTCOME_CODE[Outcome(outcome)], amount=paid, taken=taken
    )


def _settled_early(made: Round, settled: Settled) -> Iterable[FactRow]:
    """§13(b)(4), (5): losing numbers, then winning ones, before a card is dealt; §17(f): threes, losing ones first."""
    for wager, seq in (("rng", 121), ("three_card_bonus", 140)):
        seats = [seat for seat, place in sorted(made.places.items()) if wager in place.wagers]
        for seat in sorted(seats, key=lambda seat: settled.lines[seat, wager][0] == "win"):
            choice = made.places[seat].choices[wager] if wager == "rng" else ""
            seq += 1
            yield _fact(settled, seat, wager, choice, seq)


def _settled(made: Round, settled: Settled, meters: dict[str, int]) -> list[FactRow]:
    facts: list[FactRow] = []
    entries = [key for key in settled.lines if key[1] not in ("rng", "three_card_bonus") and key[0]]

    def turn(key: tuple[int, str]) -> tuple[int, int, int]:
        seat, wager = key
        if made.bank_seat and wager == "bank":
            return 2, seat, 0
        if made.bank_seat and wager == "pai_gow":  # losing wagers as hands are exposed, winning ones afterwards
            return int(settled.lines[key][0] == "win"), seat, 0
        return (2 if made.bank_seat else 0), seat, IN_TEXT[wager]

    for key in sorted(entries, key=turn):
        seat, wager = key
        seq = 400 + 4 * len(facts)
        choice = made.places[seat].choices["red_black"] if wager == "red_black" else ""
        facts.append(_fact(settled, seat, wager, choice, seq))
        if settled.vigorish.get(key):
            facts.append(FactRow(Fact.VIGORISH, seq + 1, seat, "", wager, amount=settled.vigorish[key]))
        paid_from = ("progressive",) if wager == "progressive" else ("mega", "major", "minor")
        for meter in paid_from if wager.endswith("progressive") else ():
            cents = settled.paid_out.get((seat, meter))
            if cents:
                meters[meter] -= cents
                facts.append(
                    FactRow(
                        Fact.PROGRESSIVE_OUT, seq + 1, seat, "", "", meter, amount=cents, taken=meters[meter], other=1
                    )
                )
                if not meters[meter]:
                    meters[meter] = made.filed.seeds[meter]
                    facts.append(FactRow(Fact.METER_RESET, seq + 2, choice=meter, amount=meters[meter], wager="house"))
    for (to, wager, other), cents in settled.envy.items():
        facts.append(FactRow(Fact.ENVY, 860, to, "", wager, amount=cents, other=other))
    return facts


def _shown(made: Round) -> Iterable[ShownRow]:
    places = list(made.places) if not made.bank_seat else [*made.places]
    dealer_plays = not made.bank_seat or made.dealer_wager
    order = [made.bank_seat, *([0] if made.bank_seat and dealer_plays else [])]
    order += [seat for seat in places if seat != made.bank_seat]
    for at, place in enumerate(order):
        if place and is_unseen(made.filed, made.places[place]):
            continue
        if place and made.places[place].surrenders:
            yield ShownRow(place, 0, 0, codes_of(sorted(hand_of(made, place))), 300 + at)
        else:
            yield ShownRow(place, 0, 2, codes_of(list(hand_of(made, place))), 300 + at)
