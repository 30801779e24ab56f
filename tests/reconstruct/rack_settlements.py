"""Wagers settled wrong on purpose, as a dealer settles wrong, in rounds that the simulated dealers had settled right.

One wager by itself (another outcome, or another amount); a hand misjudged, so that every wager on it is settled as if a
card of it were another (the dealer's own, and in baccarat either of the two, settles a whole table wrong); or two
seats' payments exchanged. What it comes to is worked out by the simulator's own rules; nothing is shared with the
replay. The rack, the deal and the hands shown stay as they were.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from random import Random

from ingest.simulator.games.pai_gow_poker.filed import PaiGowOptions
from ingest.simulator.games.supreme_baccarat.rules import result_of
from ingest.simulator.house_way import house_way
from ingest.simulator.played import Bet
from ingest.simulator.poker import five_key, is_foul, two_key
from ingest.simulator.vigorish import vigorish_cents
from replay.rounds import OUTCOMES, Fact, FactRow, RoundRow
from tests.reconstruct.rack_faults import BANKER, PLAYER, Rack
from tests.reconstruct.rack_reports import DECIDED, Report, fortune_result

_AMOUNT = 0.3  # of single wagers settled wrong: the outcome is right and the amount is not
_BY_OUTCOME = ("lose", "push", "win")


def one_wager(
    row: RoundRow, rack: Rack, reports: Sequence[Report], filed: PaiGowOptions | None, rng: Random
) -> Settled:
    """One wager, by itself."""
    decided = [at for at, report in enumerate(reports) if report.outcome in DECIDED]
    if not decided:
        return None
    at = rng.choice(decided)
    report = reports[at]
    if report.outcome == "win" and rng.random() < _AMOUNT:
        wrong = report._replace(paid_cents=rng.choice([report.paid_cents // 2, report.paid_cents + report.stake_cents]))
    else:
        outcome = rng.choice([said for said in DECIDED if said != report.outcome])
        wrong = report._replace(outcome=outcome, paid_cents=report.stake_cents if outcome == "win" else 0)
    return [*reports[:at], wrong, *reports[at + 1 :]]


def hand_misjudged(
    row: RoundRow, rack: Rack, reports: Sequence[Report], filed: PaiGowOptions | None, rng: Random
) -> Settled:
    """Everything that depends on one hand, as if one of its cards were another."""
    packets = {packet.place: packet.faces() for packet in rack.packets}
    if filed is None:
        place = rng.choice([PLAYER, BANKER])
        packets[place] = _with_another_card(packets[place], rng, 52)
        return [_of_baccarat(report, packets) for report in reports]
    seats = [report.seat for report in reports if report.outcome in DECIDED]
    if not seats:
        return None
    place = rng.choice([0, *sorted(set(seats))])
    packets[place] = _with_another_card(packets[place], rng, 53)
    settings = {shown.place: shown.cards for shown in row.shown if shown.low == 2}
    if place:
        settings.pop(place, None)
    return [
        _of_pai_gow(report, packets, settings, filed) if place in (0, report.seat) else report for report in reports
    ]


def payments_exchanged(
    row: RoundRow, rack: Rack, reports: Sequence[Report], filed: PaiGowOptions | None, rng: Random
) -> Settled:
    """Two seats' line wagers, each settled as the other's should have been."""
    lines = [at for at, report in enumerate(reports) if report.outcome in DECIDED and report.wager != "fortune"]
    pairs = [
        (one, other)
        for one in lines
        for other in lines
        if reports[one].seat < reports[other].seat and reports[one].outcome != reports[other].outcome
    ]
    if not pairs:
        return None
    resettled = list(reports)
    one, other = rng.choice(pairs)
    for at, outcome in ((one, reports[other].outcome), (other, reports[one].outcome)):
        resettled[at] = reports[at]._replace(
            outcome=outcome, paid_cents=reports[at].stake_cents if outcome == "win" else 0
        )
    return resettled


Settled = Sequence[Report] | None  # as they are reported instead; None where it cannot be done to this round
SETTLEMENTS: dict[str, Callable[[RoundRow, Rack, Sequence[Report], PaiGowOptions | None, Random], Settled]] = {
    "settled_wrong": one_wager,
    "hand_misjudged": hand_misjudged,
    "payments_exchanged": payments_exchanged,
}


def settle_wrong(
    kind: str, row: RoundRow, rack: Rack, reports: tuple[Report, ...], filed: PaiGowOptions | None, rng: Random
) -> tuple[RoundRow, tuple[Report, ...]] | None:
    """The round with its settlements reported otherwise; None where that cannot be done, or would change nothing."""
    if any(report.outcome == "no_action" or _part_covered(report, rack) for report in reports if filed is None):
        return None  # what each wager comes to depends on how far the cover went
    resettled = SETTLEMENTS[kind](row, rack, reports, filed, rng)
    if resettled is None or list(resettled) == list(reports):
        return None
    return replace(row, facts=_facts(row.facts, reports, resettled, filed)), tuple(resettled)


def _part_covered(report: Report, rack: Rack) -> bool:
    hands = {packet.place: packet.faces() for packet in rack.packets}
    outcome, pays = result_of(Bet(report.seat, report.wager, report.stake_cents), hands[PLAYER], hands[BANKER])
    return (report.outcome, report.paid_cents) != (outcome, pays)


def _with_another_card(cards: bytes, rng: Random, deck: int) -> bytes:
    at = rng.randrange(len(cards))
    other = rng.choice([card for card in range(deck) if card not in cards])
    return cards[:at] + bytes([other]) + cards[at + 1 :]


def _of_baccarat(report: Report, hands: Mapping[int, bytes]) -> Report:
    outcome, pays = result_of(Bet(report.seat, report.wager, report.stake_cents), hands[PLAYER], hands[BANKER])
    return report._replace(outcome=outcome, paid_cents=pays)


def _of_pai_gow(
    report: Report, packets: Mapping[int, bytes], settings: Mapping[int, bytes], filed: PaiGowOptions
) -> Report:
    if report.outcome not in DECIDED:
        return report
    cards = packets[report.seat]
    if report.wager == "fortune":
        outcome, paid = fortune_result(cards, report.stake_cents, filed)
        return report._replace(outcome=outcome, paid_cents=paid)
    front, behind = house_way(packets[0], filed.wheel)
    laid = settings.get(report.seat)
    low, high = (laid[:2], laid[2:]) if laid is not None else house_way(cards, filed.wheel)
    better = (two_key(low) > two_key(front)) + (five_key(high, filed.wheel) > five_key(behind, filed.wheel))
    outcome = "lose" if is_foul(two_key(low), five_key(high, filed.wheel)) else _BY_OUTCOME[better]
    return report._replace(outcome=outcome, paid_cents=report.stake_cents if outcome == "win" else 0)


def _facts(
    facts: Sequence[FactRow], before: Sequence[Report], after: Sequence[Report], filed: PaiGowOptions | None
) -> list[FactRow]:
    """What is reported in the place of the old facts: the changed settlements, and the vigorish that goes with them."""
    settled = [fact for fact in facts if fact.kind == Fact.SETTLED]
    resettled = dict(zip(settled, zip(before, after, strict=True), strict=True))
    changed = {(new.seat, new.wager) for old, new in resettled.values() if old != new}
    found = []
    for fact in facts:
        if fact.kind == Fact.VIGORISH and (fact.seat, fact.wager) in changed:
            continue
        if fact.kind != Fact.SETTLED or resettled[fact][0] == resettled[fact][1]:
            found.append(fact)
            continue
        new = resettled[fact][1]
        taken = new.stake_cents if new.outcome == "lose" else 0
        found.append(fact._replace(code=OUTCOMES.index(new.outcome), amount=new.paid_cents, taken=taken))
        if filed is not None and new.wager == "pai_gow" and new.outcome == "win":
            cents = vigorish_cents(new.paid_cents, filed.vigorish_rounding)
            found.append(FactRow(Fact.VIGORISH, fact.seq, new.seat, fact.bettor, fact.wager, amount=cents))
    return found
