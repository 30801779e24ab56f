"""Racks to try the solver with: rounds played by the simulator, seen by some witnesses, and spoiled on purpose.

Whoever judges the answers finds here what really happened: the rack as it was filled, the hands, the settlements as
they were reported, and what was done to the rack afterwards.
"""

from __future__ import annotations

import copy
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, fields, replace
from datetime import date
from random import Random

import orjson

from ingest.simulator import Plan, default_plan, simulate
from ingest.simulator.games.pai_gow_poker.filed import PaiGowOptions
from ingest.simulator.options import Equipment
from replay.assembling.assemble import Assembler
from replay.rounds import RoundFlag, RoundRow
from schemas.admitted import Admitted
from schemas.events import parse_event
from tests.reconstruct.rack_accounts import (
    MisreadDeal,
    Witnesses,
    baccarat_witnesses,
    hands_in,
    pai_gow_witnesses,
    shape_of,
)
from tests.reconstruct.rack_brought_in import BROUGHT_IN, bring_in
from tests.reconstruct.rack_faults import (
    DEALT_MISREAD,
    FAULTS,
    JOKER,
    STUB,
    Label,
    Packet,
    Rack,
    baccarat_rack,
    pai_gow_rack,
)
from tests.reconstruct.rack_reports import Report, reports_of
from tests.reconstruct.rack_settlements import SETTLEMENTS, settle_wrong

PACKS = ("ma/pai_gow_poker", "ca/supreme_baccarat")
RACK, SHOWN, DEAL = "rack alone", "rack and hands shown", "rack and deal"  # each beside the settlements reported


@dataclass
class PlayedRound:
    """One round as it was played: assembled as the replay gets it, and what its devices said besides."""

    row: RoundRow
    rack: Rack
    reports: tuple[Report, ...]
    filed: PaiGowOptions | None  # None at a baccarat table, whose options say nothing about hands
    with_brought_in: Packet | None = None  # a hand that was played with a card brought in
    misread_deal: MisreadDeal | None = None
    covered: bool = True  # the money posted at a baccarat table covers everything that moves
    settled_wrong: str = ""  # how wagers were settled wrong on purpose, if they were,
    wrong_at: frozenset[int] = frozenset()  # and at which seats

    @property
    def hands(self) -> dict[int, bytes]:
        """What every place held by right; the stub is no hand."""
        packets = [packet for packet in self.rack.packets if packet.place != STUB]
        return {packet.place: packet.faces() for packet in packets}

    @property
    def at_stake(self) -> set[int]:
        """The places whose cards money depends on: seats with a wager and the hand they play against."""
        if self.filed is None:
            return set(self.hands)
        return {0, *(report.seat for report in self.reports)}

    def witnesses(self, evidence: str) -> Witnesses:
        """What is known of the round besides its rack."""
        if self.filed is None:
            return baccarat_witnesses(self.rack, evidence == DEAL, self.reports, self.covered, self.misread_deal)
        shown = [(one.place, one.low, one.cards) for one in self.row.shown] if evidence == SHOWN else []
        return pai_gow_witnesses(self.rack, evidence == DEAL, shown, self.reports, self.filed, self.misread_deal)

    def held_against_reports(self, evidence: str) -> list[bool | None]:
        """Whether the hands as they were played bear out each reported settlement, None where it says nothing of them.
        The simulated dealers settle right, unless they were made to settle wrong on purpose."""
        changed = self.with_brought_in
        packets = [changed if changed and changed.place == one.place else one for one in self.rack.packets]
        hands = hands_in(shape_of(self.rack), [packet.faces() for packet in packets])
        agrees = self.witnesses(evidence).agrees
        return [agrees(report, hands) for report in self.reports]


@dataclass
class Trial:
    """One spoiled rack: the round as read, its rack after it was spoiled, and the round as it was played."""

    row: RoundRow
    rack: Rack
    played: PlayedRound
    evidence: str

    @property
    def labels(self) -> list[Label]:
        return self.rack.labels

    @property
    def clean(self) -> Rack:
        return self.played.rack

    @property
    def pai_gow(self) -> bool:
        return self.played.filed is not None

    @property
    def name(self) -> str:
        return f"{self.row.named['table_id']} round {self.row.named['round_id']}"

    def witnesses(self) -> Witnesses:
        return self.played.witnesses(self.evidence)

    def contradicted_by_truth(self) -> int:
        """Reported settlements that even the true hands contradict: none, but where wagers were settled wrong."""
        return self.played.held_against_reports(self.evidence).count(False)

    def seen_settled_wrong(self) -> frozenset[int]:
        """The seats with a settlement that the true hands contradict, by what this evidence shows of them."""
        held = zip(self.played.reports, self.played.held_against_reports(self.evidence), strict=True)
        return frozenset(report.seat for report, verdict in held if verdict is False)


_ALLOWED = (
    *("dealing", "starting", "wheel", "vigorish_rounding", "fortune_paytable", "royal_match", "surrendered_bonus"),
    *("decks", "maximum_payout_cents", "table_minimum_cents", "table_maximum_cents", "fortune_minimum_cents"),
)


def _accounted_for(filed: PaiGowOptions) -> bool:
    """Whether rack_reports knows every wager of the table: the standard game, with a Fortune wager or without."""
    others = (field for field in fields(PaiGowOptions) if field.name not in _ALLOWED)
    return filed.fortune_paytable in ("A", "B", "C", "D", "none") and all(
        getattr(filed, field.name) == field.default for field in others
    )


def play(game: str, rounds: int, seed: int) -> list[PlayedRound]:
    """Rounds of one game at tables that see everything, assembled, with their racks as they were filled."""
    plan = default_plan(seed=seed, tables=26, rounds=1, gaming_day=date(2026, 11, 17), games=(game,))
    tables = [
        replace(table, equipment=Equipment(shoe_reads=True, camera=True, rack="inserted"))
        for table in plan.tables
        if game != "ma/pai_gow_poker" or _accounted_for(table.filed_as(PaiGowOptions))
    ]
    plan = Plan(seed, plan.gaming_day, tables, max(1, -(-rounds // len(tables))))
    filed = {table.table_id: table.filed_as(PaiGowOptions) if game == "ma/pai_gow_poker" else None for table in tables}
    assembler = Assembler()
    resettled: dict[tuple[str, str], list[dict[str, object]]] = defaultdict(list)
    for offset, (table_id, raw) in enumerate(simulate(plan)):
        assembler.feed(Admitted(offset, raw, parse_event(raw), 0))  # nothing is wrong with the record itself
        event = orjson.loads(raw)
        if "subject" in event:
            resettled[table_id, event["subject"]].append(event)
    played = []
    for row in assembler.take_closed():
        events = resettled[row.named["table_id"], row.named["round_id"]]
        options = filed[row.named["table_id"]]
        rack = baccarat_rack(events) if options is None else pai_gow_rack(events, options)
        if rack is not None and not row.fixed["flags"] & RoundFlag.VOIDED:
            assert row.rack == rack.faces(), "the assembled rack is the one the dealer filled"
            one = PlayedRound(row, rack, reports_of(events), options)
            played.append(replace(one, covered=options is not None or False not in one.held_against_reports(RACK)))
    return played


def as_seen(row: RoundRow, evidence: str) -> RoundRow:
    """The round with only these witnesses."""
    kept = replace(row, named=dict(row.named), fixed=dict(row.fixed), facts=list(row.facts), shown=list(row.shown))
    if evidence != DEAL:
        kept.dealt, kept.dealt_place, kept.dealt_to, kept.dealt_deck = b"", [], b"", b""
        kept.fixed["flags"] &= ~RoundFlag.DEAL_READ
    if evidence != SHOWN:
        kept.shown = []
    return kept


def spoil(
    played: Sequence[PlayedRound], kinds: Sequence[str], evidence: str, rng: Random, marked: bool
) -> Trial | None:
    """One of these rounds, with its rack spoiled in all of these ways; None where that cannot be done to it."""
    chosen = rng.choice(played)
    others = [other.rack for other in rng.sample(played, 2) if other is not chosen]
    rack = copy.deepcopy(chosen.rack)
    if BROUGHT_IN in kinds:
        assert chosen.filed is not None, "only pai gow players hold their cards"
        brought = bring_in(chosen.row, chosen.rack, chosen.reports, chosen.filed, rng)
        if brought is None:
            return None
        chosen = PlayedRound(brought.row, brought.clean, brought.reports, chosen.filed, brought.played)
        rack = brought.rack
    if DEALT_MISREAD in kinds:
        chosen = misread_deal(chosen, rng)
        misread = chosen.misread_deal
        assert misread is not None
        rack.labels.append(Label(DEALT_MISREAD, (misread.place,), (misread.read,), (misread.true,)))
    for kind in kinds:
        if kind in SETTLEMENTS:
            resettled = settle_wrong(kind, chosen.row, chosen.rack, chosen.reports, chosen.filed, rng)
            if resettled is None:
                return None
            changed = frozenset(report.seat for report in {*resettled[1]} ^ {*chosen.reports})
            chosen = replace(chosen, row=resettled[0], reports=resettled[1], settled_wrong=kind, wrong_at=changed)
    if not all(FAULTS[kind](rack, rng, others) for kind in kinds if kind in FAULTS):
        return None
    row = as_seen(chosen.row, evidence)
    row.rack = rack.faces()
    row.rack_deck = rack.decks() if marked else b""
    return Trial(row, rack, chosen, evidence)


def misread_deal(played: PlayedRound, rng: Random) -> PlayedRound:
    """The round with one card of its deal taken for another of the same rank or suit."""
    dealt = played.row.dealt
    once = [at for at, card in enumerate(dealt) if card < JOKER and dealt.count(card) == 1]
    at = rng.choice([at for at in once if any(dealt[at] in hand for hand in played.hands.values())])
    true = dealt[at]
    read = rng.choice(
        [card for card in range(JOKER) if card != true and (card // 4 == true // 4 or card % 4 == true % 4)]
    )
    place = next(place for place, hand in played.hands.items() if true in hand)
    row = replace(played.row, dealt=dealt[:at] + bytes([read]) + dealt[at + 1 :])
    return replace(played, row=row, misread_deal=MisreadDeal(place, read, true))


def reports_held_against_true_hands(played: Sequence[PlayedRound], evidence: str) -> tuple[int, int]:
    """Of rounds with nothing wrong: how many reported settlements say something of the hands, and how many of these the
    hands as they were played contradict."""
    verdicts = [verdict for one in played for verdict in one.held_against_reports(evidence)]
    return len(verdicts) - verdicts.count(None), verdicts.count(False)
