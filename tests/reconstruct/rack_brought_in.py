"""A card brought in and played with, at a simulated pai gow table: what a cheat at a card table usually does.

A player exchanges a card of the hand dealt for another one that the deck holds already, sets the hand so, shows it and
is settled by it; the card dealt is gone. Everything that follows from it follows: the hand shown, the settlements of
the seat's wagers, the vigorish and the packet in the rack, all by the simulator's own rules.
"""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from ingest.simulator.games.pai_gow_poker.filed import PaiGowOptions
from ingest.simulator.house_way import house_way, splits
from ingest.simulator.played import Setting
from ingest.simulator.poker import PREMIUM, five_key, fortune_class, is_foul, two_key
from ingest.simulator.vigorish import vigorish_cents
from replay.rounds import OUTCOMES, Fact, FactRow, RoundRow
from tests.reconstruct.rack_faults import Card, Label, Packet, Rack
from tests.reconstruct.rack_reports import Report, fortune_result

BROUGHT_IN = "brought_in"
_LIKES_THE_HOUSE_WAY = 0.8
_CARDS_TO_CHOOSE_FROM = 6  # that a cheat may have up the sleeve: one that helps is taken
_GOOD = ("lose", "push", "win")


@dataclass
class Brought:
    """A round in which a card was brought in: as it was read, and as its rack would have been without that card."""

    row: RoundRow
    rack: Rack
    clean: Rack
    played: Packet  # the hand as it was played
    reports: tuple[Report, ...]


def bring_in(row: RoundRow, rack: Rack, reports: Sequence[Report], filed: PaiGowOptions, rng: Random) -> Brought | None:
    """The same round with a card of one player's hand exchanged; None where nobody could without changing more."""
    dealer = next((packet for packet in rack.packets if packet.place == 0), None)
    seats = [shown.place for shown in row.shown if shown.place and shown.low]
    settled = {report.seat for report in reports if report.wager == "pai_gow" and report.outcome in _GOOD}
    seats = [seat for seat in seats if seat in settled]
    if dealer is None or not seats:
        return None
    seat = rng.choice(seats)
    number = next(at for at, packet in enumerate(rack.packets) if packet.place == seat)
    hand = rack.packets[number].faces()
    if fortune_class(hand, filed.royal_match) in PREMIUM:
        return None  # it stays on the table for the others' envy bonuses
    against = house_way(dealer.faces(), filed.wheel)
    true = rng.choice(hand)
    choice = rng.sample([face for face in rack.deck if face not in hand], _CARDS_TO_CHOOSE_FROM)
    best: tuple[int, int, Setting] | None = None
    for strange in choice:
        cards = [strange if card == true else card for card in hand]
        if fortune_class(cards, filed.royal_match) in PREMIUM:
            continue
        setting = _set(cards, filed.wheel, rng)
        good = _GOOD.index(_outcome(setting, against, filed.wheel))
        if best is None or good > best[0]:
            best = good, strange, setting
    if best is None:
        return None
    good, strange, setting = best
    changed = tuple(
        _again(report, setting, _GOOD[good], filed) if report.seat == seat else report for report in reports
    )
    new = replace(
        row,
        facts=[fact for old in row.facts for fact in _facts(old, seat, changed, filed)],
        shown=[
            shown._replace(low=len(setting[0]), cards=bytes([*setting[0], *setting[1]]))
            if shown.place == seat
            else shown
            for shown in row.shown
        ],
    )
    clean, read = copy.deepcopy(rack), copy.deepcopy(rack)
    laid = [*setting[0], *setting[1]] if rack.packets[number].low else [strange if c == true else c for c in hand]
    cards_read = [Card(card, seat) for card in laid]
    read.packets[number].cards = cards_read
    clean.packets[number].cards = [Card(true if card == strange else card, seat) for card in laid]
    label = Label("duplicate", (seat,), (strange,), (true,), next(one for one in cards_read if one.face == strange))
    read.labels.append(label)
    return Brought(new, read, clean, copy.deepcopy(read.packets[number]), changed)


def _set(cards: Sequence[int], wheel: str, rng: Random) -> Setting:
    if rng.random() < _LIKES_THE_HOUSE_WAY:
        return house_way(cards, wheel)
    right = [way for way in splits(cards) if not is_foul(two_key(way[0]), five_key(way[1], wheel))]
    return rng.choice(right)


def _outcome(setting: Setting, dealer: Setting, wheel: str) -> str:
    better = (two_key(setting[0]) > two_key(dealer[0])) + (five_key(setting[1], wheel) > five_key(dealer[1], wheel))
    return _GOOD[better]


def _again(report: Report, setting: Setting, outcome: str, filed: PaiGowOptions) -> Report:
    """What the wager comes to with the hand as it was played."""
    if report.wager == "fortune":
        outcome, paid = fortune_result(bytes([*setting[0], *setting[1]]), report.stake_cents, filed)
        return report._replace(outcome=outcome, paid_cents=paid)
    return report._replace(outcome=outcome, paid_cents=report.stake_cents if outcome == "win" else 0)


def _facts(fact: FactRow, seat: int, reports: Sequence[Report], filed: PaiGowOptions) -> list[FactRow]:
    """What is reported in the place of one fact: the seat's settlements and vigorish anew, all else as it was."""
    if fact.seat != seat or fact.kind not in (Fact.SETTLED, Fact.VIGORISH):
        return [fact]
    if fact.kind == Fact.VIGORISH:
        return []  # reported with the settlement
    report = next(one for one in reports if one.seat == seat and one.wager == fact.wager)
    taken = report.stake_cents if report.outcome == "lose" else 0
    said = [fact._replace(code=OUTCOMES.index(report.outcome), amount=report.paid_cents, taken=taken)]
    if report.wager == "pai_gow" and report.outcome == "win":
        cents = vigorish_cents(report.paid_cents, filed.vigorish_rounding)
        said.append(FactRow(Fact.VIGORISH, fact.seq, seat, fact.bettor, fact.wager, amount=cents))
    return said
