"""The catalogue of faults: what may go wrong on purpose, at which tables, and the finding it must be found under.

How a fault is done stands in pai_gow_faults.py, baccarat_faults.py (what people do at the table) and wire_faults.py
(what happens to the record). A fault is only injected in a round where it changes something and where the table's
equipment could show it; until such a round comes, it waits.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from random import Random

from ingest.simulator.baccarat_rules import SCHEDULES
from ingest.simulator.labels import Label
from ingest.simulator.options import Game
from ingest.simulator.plan import Plan, TablePlan

POKER: tuple[Game, ...] = ("pai_gow_poker",)
BACCARAT: tuple[Game, ...] = ("supreme_baccarat",)
BOTH: tuple[Game, ...] = ("pai_gow_poker", "supreme_baccarat")


def _anywhere(table: TablePlan) -> bool:
    return True


def _has_fortune(table: TablePlan) -> bool:
    return table.pai_gow().fortune_paytable != "none"


def _reads_the_deal(table: TablePlan) -> bool:
    return table.equipment.shoe_reads


def _shows_when_fees_are_taken(table: TablePlan) -> bool:
    """A fee taken after the deal began, instead of before it, is seen by a reading shoe only."""
    return table.equipment.shoe_reads or not SCHEDULES[table.baccarat().schedule].before_the_deal


def _rolls_or_draws(table: TablePlan) -> bool:
    """Not with a button: where it goes on from after it lay wrong, the text does not say."""
    return table.pai_gow().starting != "button"


def _shows_settings(table: TablePlan) -> bool:
    """A rearranged hand's setting is seen by the camera only (R-51)."""
    return table.equipment.camera or not _has_fortune(table)


def _keeps_settings(table: TablePlan) -> bool:
    """A camera shows how hands were set, and in most rounds they lie in the rack like that (R-51)."""
    return table.equipment.camera


def _shows_hands_and_deal(table: TablePlan) -> bool:
    return table.equipment.camera and table.equipment.shoe_reads


QUIET_ROUNDS = 6
"""Rounds from one fault of the record to the next, and to one that shows only against the rounds before it.

A reader may hold events back while it waits for a missing one, and what it then cannot read belongs to no round for
certain: without the distance a label could name the wrong one.
"""


@dataclass(frozen=True)
class FaultKind:
    """A kind of fault: its finding code, the games and tables it can be shown at, and what is done."""

    kind: str
    code: str
    games: tuple[Game, ...]
    how: str
    possible_at: Callable[[TablePlan], bool] = _anywhere

    @property
    def of_the_record(self) -> bool:
        """Whether it happens to the record of a round, and not at the table."""
        return self.code.startswith("GATE-")

    def fits(self, table: TablePlan) -> bool:
        return table.game in self.games and self.possible_at(table)


CATALOGUE: dict[str, FaultKind] = {
    kind.kind: kind
    for kind in (
        FaultKind("wrong_payout", "SETTLE-101", BOTH, "a winning wager is paid another amount"),
        FaultKind("wrong_outcome", "SETTLE-102", BOTH, "a wager is settled the wrong way"),
        FaultKind("settlement_missing", "SETTLE-103", BOTH, "the settlement of a wager is never reported"),
        FaultKind("phantom_settlement", "SETTLE-104", BOTH, "a wager nobody placed is paid"),
        FaultKind("vigorish_not_taken", "VIG-601", POKER, "a win pays no vigorish"),
        FaultKind("vigorish_wrong", "VIG-602", POKER, "a win pays another vigorish"),
        FaultKind("vigorish_not_due", "VIG-603", POKER, "vigorish is taken on a push or a loss"),
        FaultKind("envy_missed", "ENVY-701", POKER, "an envy bonus that is due is not paid", _has_fortune),
        FaultKind("envy_wrong", "ENVY-702", POKER, "an envy bonus is paid from another row", _has_fortune),
        FaultKind("envy_not_due", "ENVY-703", POKER, "an envy bonus is paid to nobody's due", _has_fortune),
        FaultKind("fee_not_taken", "FEE-901", BACCARAT, "a collection fee is not taken"),
        FaultKind("fee_wrong_tier", "FEE-902", BACCARAT, "a collection fee of another band is taken"),
        FaultKind("fee_wrong_payer", "FEE-903", BACCARAT, "a fee is taken from somebody who owes none"),
        FaultKind(
            "fee_late",
            "FEE-904",
            BACCARAT,
            "a fee is taken on the wrong side of the first card",
            _shows_when_fees_are_taken,
        ),
        FaultKind("fee_twice", "FEE-905", BACCARAT, "a fee is taken a second time"),
        FaultKind("fee_wrong_box", "FEE-906", BACCARAT, "a fee is dropped in another box"),
        FaultKind("cover_exceeded", "COVER-801", BACCARAT, "a bet is settled in full beyond what was posted"),
        FaultKind("button_wrong", "BUTTON-802", BACCARAT, "the action button lies elsewhere, and settles from there"),
        FaultKind("bank_thrice", "BANK-803", BACCARAT, "a seat banks a third hand running"),
        FaultKind(
            "third_card_wrong",
            "DEAL-303",
            BACCARAT,
            "a third card is drawn, or not, against the rules",
            _reads_the_deal,
        ),
        FaultKind("wager_late", "WAGER-501", BOTH, "a wager is made, raised or withdrawn after the close"),
        FaultKind("wager_over_limit", "WAGER-502", BOTH, "a wager is outside its limits"),
        FaultKind("wrong_start", "START-201", POKER, "the deal starts at another place than thrown", _rolls_or_draws),
        FaultKind("foul_not_caught", "FOUL-401", POKER, "a foul hand is settled as if set right", _shows_settings),
        FaultKind("house_way_broken", "HOUSE-402", POKER, "the dealer's hand is not set the house way"),
        FaultKind("misdeal_played", "DEAL-301", POKER, "a hand of eight or six cards, and the round goes on"),
        FaultKind("card_missing", "CARD-311", POKER, "the rack shows 52 cards"),
        FaultKind("card_duplicate", "CARD-312", POKER, "a card is in the rack twice, another not at all"),
        FaultKind("card_switched", "DEAL-302", POKER, "two cards change hands between deal and rack", _reads_the_deal),
        FaultKind("card_mucked", "DEAL-308", POKER, "a card is exchanged with the cards left over", _reads_the_deal),
        FaultKind(
            "card_set_again",
            "DEAL-307",
            POKER,
            "a card changes between a player's own low and high hand",
            _keeps_settings,
        ),
        FaultKind("hands_exchanged", "DEAL-306", POKER, "two whole hands change places", _shows_hands_and_deal),
        FaultKind("delivered_wrong_way", "DEAL-305", POKER, "the cards go round counterclockwise", _reads_the_deal),
        FaultKind("dealt_otherwise", "DEAL-310", POKER, "the cards are dealt by another method", _reads_the_deal),
        FaultKind("deal_misread", "DEAL-311", POKER, "the shoe takes a card for another it has read", _reads_the_deal),
        FaultKind("boxed_card_played", "DEAL-309", POKER, "a card found face up is played"),
        FaultKind("card_exposed_played", "DEAL-304", POKER, "a card of the dealer is exposed, and the round goes on"),
        FaultKind("shoe_short", "CARD-317", BACCARAT, "the rest of the shoe is counted, and a card is missing"),
        FaultKind("event_lost", "GATE-003", BOTH, "an event never arrives"),
        FaultKind("event_duplicated", "GATE-004", BOTH, "an event arrives twice"),
        FaultKind("event_reordered", "GATE-005", BOTH, "two neighbours arrive in swapped order"),
        FaultKind("bad_signature", "GATE-001", BOTH, "a signature does not verify"),
        FaultKind("chain_broken", "GATE-002", BOTH, "an event's time is altered after the fact by a millisecond"),
        FaultKind("clock_jump", "GATE-007", BOTH, "one device's clock jumps for one event"),
        FaultKind("garbage", "GATE-006", BOTH, "a line that is no event, or one cut short before it is sent again"),
    )
}


@dataclass
class Injection:
    """The fault asked of one round, and, once it has been done, its label."""

    kind: str | None
    table_id: str
    round_id: str
    label: Label | None = None
    number: int = 0
    """Of the round at its table, from 0."""
    record_hurt_in: int = -1
    """The last round before it with a fault of the record, -1 for none: what was not recorded cannot be summed."""

    @property
    def wanted(self) -> bool:
        return self.kind is not None and self.label is None

    def done(self, detail: str, seat: int | None = None, wager: str | None = None) -> None:
        assert self.kind is not None and self.label is None, "one fault a round at most"
        self.label = Label(self.table_id, self.round_id, self.kind, CATALOGUE[self.kind].code, seat, wager, detail)


@dataclass
class FaultQueue:
    """The faults a table still owes, each from some round on."""

    pending: list[tuple[int, str]] = field(default_factory=list)
    _tries: int = 0
    _record_quiet_until: int = 0
    record_hurt_in: int = -1

    def wanted_in(self, round_number: int) -> str | None:
        """The fault to try in this round. Those that found no opportunity take turns with the others."""
        ripe = [kind for since, kind in self.pending if since <= round_number]
        if round_number < self._record_quiet_until:
            ripe = [kind for kind in ripe if not (CATALOGUE[kind].of_the_record or kind == "bank_thrice")]
        if not ripe:
            return None
        self._tries += 1
        return ripe[self._tries % len(ripe)]

    def injected(self, kind: str, round_number: int) -> None:
        self.pending.remove(next(entry for entry in self.pending if entry[1] == kind))
        if CATALOGUE[kind].of_the_record:
            self._record_quiet_until = round_number + QUIET_ROUNDS
            self.record_hurt_in = round_number


def _counts(plan: Plan) -> dict[str, int]:
    if not plan.fault_rate:
        return dict(plan.faults)
    kinds = [kind.kind for kind in CATALOGUE.values() if any(kind.fits(table) for table in plan.tables)]
    wanted = round(plan.fault_rate * plan.rounds_per_table * len(plan.tables))
    return {kind: wanted // len(kinds) + (number < wanted % len(kinds)) for number, kind in enumerate(kinds)}


def fault_queues(plan: Plan) -> dict[str, FaultQueue]:
    """Which table owes which fault, and from which round on."""
    queues = {table.table_id: FaultQueue() for table in plan.tables}
    rng = Random(f"faults {plan.seed}")
    for kind, count in _counts(plan).items():
        if kind not in CATALOGUE:
            raise ValueError(f"{kind!r} is not a kind of fault: {', '.join(CATALOGUE)}")
        possible = [table.table_id for table in plan.tables if CATALOGUE[kind].fits(table)]
        if count and not possible:
            raise ValueError(f"no table of the plan can show {kind}: {CATALOGUE[kind].how}")
        for number in range(count):
            if number % len(possible) == 0:
                rng.shuffle(possible)
            # The last rounds are left free, for faults that have to wait for their opportunity.
            since = rng.randrange(max(1, plan.rounds_per_table * 9 // 10))
            queues[possible[number % len(possible)]].pending.append((since, kind))
    for queue in queues.values():
        queue.pending.sort()
    return queues
