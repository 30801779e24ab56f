"""The round's double-entry ledger: who paid whom, for players, bank, table inventory, drop boxes and meters.

Every movement has two sides, so the balances of a round sum to zero by construction. One side of the ledger is what the
lines say should have moved, the other every movement that was reported, whether a line expects it or not. A finding
says by how much it puts each account out (`differences`); over a round the findings add up to the difference between
the two sides, account by account.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from replay.lines import Lines, Ways
from replay.money.people import first_area
from replay.rounds import PAYERS, Fact, Facts, Ints, RoundBatch
from schemas.events import Payer
from schemas.money import dollars

HOUSE = "table inventory"
POT = "pot"
METER_FUNDING = "meter funding"
"""The house's money behind its progressive meters: it puts there what a wager adds to a meter, and has back what comes
off. What a player is paid is settled as any wager."""
Differences = tuple[tuple[str, int], ...]


@dataclass(frozen=True)
class Posting:
    """`amount_cents` moves from one account to another, for a reason."""

    source: str
    target: str
    amount_cents: int
    what: str


def person(batch: RoundBatch, row: int, seat: int, bettor: str = "") -> str:
    """The account of whoever bets at a seat; the player-dealer has one, whatever it moved for."""
    name = f"seat {seat}" + (f" {bettor}" if bettor else "")
    return f"{name} (player-dealer)" if seat > 0 and seat == batch.bank_seat[row] and not bettor else name


def against(batch: RoundBatch, row: int) -> str:
    """The account a round's wagers are played against."""
    bank = int(batch.bank_seat[row])
    return person(batch, row, bank) if bank > 0 else HOUSE


def fee_payer(batch: RoundBatch, row: int, payer: int, seat: int, bettor: str) -> str:
    """Who pays a fee; a player with several areas has one account for it, that of the first (rulings.md R-52)."""
    if PAYERS[payer] is Payer.POT:
        return POT
    if PAYERS[payer] is Payer.PLAYER:
        seat, named = first_area(batch, row, seat, max(batch.name_id(bettor), 0))
        bettor = batch.names[named]
    return person(batch, row, seat, bettor) if seat or PAYERS[payer] is Payer.PLAYER else "player-dealer"


def box(name: str) -> str:
    return f"drop box {name}".rstrip()


def differences(*moved: tuple[str, str, int]) -> Differences:
    """What each account has too much or too little of where so much more moved from one to another than should have
    (less than nothing: so much less)."""
    net: dict[str, int] = defaultdict(int)
    for source, target, cents in moved:
        net[source] -= cents
        net[target] += cents
    return tuple((account, cents) for account, cents in net.items() if cents)


def expected(batch: RoundBatch, lines: Lines, paid: Ints, taken: Ints, vigorish: Ints) -> Iterator[Posting]:
    """What should have moved, line by line."""
    for at in range(len(lines)):
        row, seat, bettor = int(lines.row[at]), int(lines.seat[at]), batch.names[lines.bettor[at]]
        who, other = person(batch, row, seat, bettor), against(batch, row)
        wager = batch.names[lines.wager[at]]
        match Fact(int(lines.kind[at])):
            case Fact.COLLECTION:
                payer = fee_payer(batch, row, int(lines.payer[at]), seat, bettor)
                filed = batch.names[lines.choice[at]] if lines.choice[at] >= 0 else ""
                yield Posting(payer, box(filed), int(paid[at]), "collection fee")
            case Fact.ENVY:
                yield Posting(other, who, int(paid[at]), f"{wager} envy for seat {int(lines.for_seat[at])}")
            case Fact.PROGRESSIVE_IN | Fact.PROGRESSIVE_OUT as kind:
                yield Posting(*meter_sides(kind, batch.names[lines.choice[at]]), int(paid[at]), METER_MOVES[kind])
            case Fact.POT:
                yield Posting(POT, who, int(paid[at]), POT)
            case _:
                yield Posting(other, who, int(paid[at]), f"{wager} paid")
                yield Posting(who, other, int(taken[at]), f"{wager} taken")
                yield Posting(who, HOUSE, int(vigorish[at]), f"vigorish on {wager}")


def reported(batch: RoundBatch) -> Iterator[Posting]:
    """Every movement that was reported."""
    facts = batch.facts
    for at in range(len(facts)):
        row, seat, bettor = int(facts.row[at]), int(facts.seat[at]), batch.names[facts.bettor[at]]
        who, other = person(batch, row, seat, bettor), against(batch, row)
        wager, choice, amount = batch.names[facts.wager[at]], batch.names[facts.choice[at]], int(facts.amount[at])
        match Fact(int(facts.kind[at])):
            case Fact.SETTLED:
                yield Posting(other, who, amount, f"{wager} paid")
                yield Posting(who, other, int(facts.taken[at]), f"{wager} taken")
            case Fact.VIGORISH:
                yield Posting(who, HOUSE, amount, f"vigorish on {wager}")
            case Fact.ENVY:
                yield Posting(other, who, amount, f"{wager} envy for seat {int(facts.other[at])}")
            case Fact.COLLECTION | Fact.REFUNDED as kind:
                if PAYERS[facts.code[at]] is Payer.PLAYER_DEALER and not seat:
                    seat = max(int(batch.bank_seat[row]), 0)
                sides = fee_payer(batch, row, int(facts.code[at]), seat, bettor), box(choice)
                if kind is Fact.COLLECTION:
                    yield Posting(*sides, amount, "collection fee")
                else:
                    yield Posting(sides[1], sides[0], amount, "collection fee given back")
            case Fact.POT:
                yield Posting(POT, who, amount, "pot")
            case Fact.PROGRESSIVE_IN | Fact.PROGRESSIVE_OUT as kind:
                yield Posting(*meter_sides(kind, choice), comes_off(facts, at), METER_MOVES[kind])
            case _:
                pass


METER_MOVES = {Fact.PROGRESSIVE_IN: "to the meter", Fact.PROGRESSIVE_OUT: "off the meter"}


def meter(name: str) -> str:
    return f"meter {name}"


def meter_sides(kind: Fact, name: str) -> tuple[str, str]:
    """From whom to whom a contribution or a payout moves money."""
    sides = METER_FUNDING, meter(name)
    return sides if kind is Fact.PROGRESSIVE_IN else (sides[1], sides[0])


def comes_off(facts: Facts, at: int) -> int:
    """By how much a contribution or a payout moves its meter: a payout may be said not to come off it."""
    stays = facts.kind[at] == Fact.PROGRESSIVE_OUT and facts.other[at] != 1
    return 0 if stays else int(facts.amount[at])


def moving(postings: Iterable[Posting]) -> list[Posting]:
    """Those that move something from one account to another."""
    made = [posting for posting in postings if posting.amount_cents and posting.source != posting.target]
    assert all(posting.amount_cents > 0 for posting in made), "a posting moves a positive amount"
    return made


def balances(postings: Iterable[Posting]) -> dict[str, int]:
    """Net change of every account in cents, in order of first mention."""
    net: dict[str, int] = defaultdict(int)
    for posting in postings:
        net[posting.source] -= posting.amount_cents
        net[posting.target] += posting.amount_cents
    return dict(net)


def who_is_out(difference: int, who: str = "the patron", least: bool = False) -> str:
    by = f"{'at least ' if least else ''}{dollars(abs(difference))}"
    if difference < 0:
        return f"{who} is {by} short"
    if difference > 0:
        return f"{who} has {by} too much"
    return "the sums cancel"


def out_at_least(ways: Ways, paid: int, taken: int, difference: int) -> str:
    """By how much somebody is out, counted from the nearest of the sums that may be right: it may be more, and where
    they lie on both sides of what moved, it may be the other who is."""
    if ways.on_both_sides(paid, taken):
        return f"by how much, and to whose harm, depends on the cards (the nearest is {dollars(abs(difference))} away)"
    return who_is_out(difference, least=True)
