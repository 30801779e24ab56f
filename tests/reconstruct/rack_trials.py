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

from ingest.simulator import Plan, default_plan, game_called, game_names
from ingest.simulator.betting import BettingTable
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
    witnesses_of_hands,
)
from tests.reconstruct.rack_any_game import Simulated, simulated_rounds
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
"""With rules of their own here: wagers are settled wrong on purpose, cards brought in are played with."""
OTHER_FILINGS = "ma/pai_gow_poker, other filings"
TABLES = (
    *PACKS,
    OTHER_FILINGS,
    *(name for name in game_names() if name not in PACKS and issubclass(game_called(name).table, BettingTable)),
)
"""What is played, a table of the benchmark each: every game registered with the simulator whose rack holds one packet
for each hand and one for what was not dealt."""
LEFT_OUT = tuple(name for name in game_names() if name not in TABLES)
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
    simulated: Simulated | None = None  # at tables that have no rules of their own here

    @property
    def hands(self) -> dict[int, bytes]:
        """What every place held by right; the stub is no hand."""
        packets = [packet for packet in self.rack.packets if packet.place != STUB]
        return {packet.place: packet.faces() for packet in packets}

    @property
    def at_stake(self) -> set[int]:
        """The places whose cards money depends on: seats with a wager and the hand they play against."""
        if self.simulated is not None:
            return {self.simulated.against, *(report.seat for report in self.reports)}
        if self.filed is None:
            return set(self.hands)
        return {0, *(report.seat for report in self.reports)}

    @property
    def holds_the_deck(self) -> bool:
        """Whether every card of the deck goes into the rack, so that one that is missing is known."""
        return self.filed is not None if self.simulated is None else self.simulated.holds_the_deck(self.rack.packets)

    def witnesses(self, evidence: str) -> Witnesses:
        """What is known of the round besides its rack."""
        shown = [(one.place, one.low, one.cards) for one in self.row.shown] if evidence == SHOWN else []
        if self.simulated is not None:
            agrees, whole = self.simulated.agrees_with(self.reports, shown), self.holds_the_deck
            seen = self.rack, evidence == DEAL, shown, self.reports, agrees, self.misread_deal
            return witnesses_of_hands(*seen, holds_the_deck=whole)
        if self.filed is None:
            return baccarat_witnesses(self.rack, evidence == DEAL, self.reports, self.covered, self.misread_deal)
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
    """Rounds at one of `TABLES` where everything is seen, assembled, with their racks as they were filled. Rounds whose
    packets are not hands and a stub are left out."""
    pack = game.partition(",")[0]
    plan = default_plan(seed=seed, tables=26, rounds=1, gaming_day=date(2026, 11, 17), games=(pack,))
    filed = {
        table.table_id: table.filed_as(PaiGowOptions) if pack == "ma/pai_gow_poker" else None for table in plan.tables
    }
    tables = [
        replace(table, equipment=Equipment(shoe_reads=True, camera=True, rack="inserted"))
        for table in plan.tables
        if (options := filed[table.table_id]) is None or _accounted_for(options) != (game == OTHER_FILINGS)
    ]
    plan = Plan(seed, plan.gaming_day, tables, max(1, -(-rounds // len(tables))))
    assembler = Assembler()
    resettled: dict[tuple[str, str], list[dict[str, object]]] = defaultdict(list)
    as_played: dict[tuple[str, str], Simulated] = {}
    for offset, (table_id, raw) in enumerate(simulated_rounds(plan, as_played.__setitem__)):
        assembler.feed(Admitted(offset, raw, parse_event(raw), 0))  # nothing is wrong with the record itself
        event = orjson.loads(raw)
        if "subject" in event:
            resettled[table_id, event["subject"]].append(event)
    played = []
    for row in assembler.take_closed():
        name = row.named["table_id"], row.named["round_id"]
        if row.fixed["flags"] & RoundFlag.VOIDED:
            continue
        if game in PACKS:
            one = _by_its_own_rules(row, resettled[name], filed[name[0]])
        else:
            one = _as_simulated(row, resettled[name], as_played.get(name))
        if one is not None:
            assert row.rack == one.rack.faces(), "the assembled rack is the one the dealer filled"
            played.append(one)
    return played


def _by_its_own_rules(
    row: RoundRow, events: Sequence[dict[str, object]], filed: PaiGowOptions | None
) -> PlayedRound | None:
    rack = baccarat_rack(events) if filed is None else pai_gow_rack(events, filed)
    if rack is None:
        return None
    one = PlayedRound(row, rack, reports_of(events), filed)
    return replace(one, covered=filed is not None or False not in one.held_against_reports(RACK))


def _as_simulated(
    row: RoundRow, events: Sequence[dict[str, object]], simulated: Simulated | None
) -> PlayedRound | None:
    rack = simulated.rack(events) if simulated is not None else None
    return None if rack is None else PlayedRound(row, rack, reports_of(events), None, simulated=simulated)


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
