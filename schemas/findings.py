"""Findings and verdicts: what Muckraker may conclude, as plain values.

A finding names what, where, how much, by which rule and how sure. Its `code` is stable and comes from the catalogue
below, from which docs/findings.md is generated. Money is signed from the side of the person it is about, always:
`difference_cents` is what whoever sits or bets at its `seat` has too much (positive) or too little (negative), net of
vigorish, whether a payout, vigorish or a fee went wrong. `accounts` has everybody's share, which adds up to nothing.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from enum import StrEnum

import pyarrow as pa

from schemas.basis import BASIS_WORDS as BASIS_WORDS
from schemas.basis import ONE_WITNESS as ONE_WITNESS
from schemas.basis import WITH_HANDS_SHOWN as WITH_HANDS_SHOWN
from schemas.basis import Basis as Basis
from schemas.poker_findings import POKER


class Severity(StrEnum):
    INFO = "info"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"


class Verdict(StrEnum):
    VERIFIED = "verified"
    DIFFERS = "differs"
    VOID = "void"
    CANNOT_TELL = "cannot_tell"
    CANNOT_JUDGE = "cannot_judge"


def share(part: float) -> str:
    """`97%`, `99.8%`, `over 99.9%`: never a certainty that is none."""
    if part >= 0.9995:
        return "over 99.9%"
    return f"{part:.1%}" if part > 0.99 or part < 0.01 else f"{part:.0%}"


def how_sure(confidence: float) -> str:
    """A confidence in the words it has everywhere: `certain`, `likely, 97%`, `possible, 50%`."""
    if confidence == CERTAIN:
        return "certain"
    return f"{'likely' if confidence > POSSIBLE else 'possible'}, {share(confidence)}"


@dataclass(frozen=True)
class FindingKind:
    code: str
    severity: Severity
    title: str
    meaning: str


def _kinds(*rows: tuple[str, Severity, str, str]) -> dict[str, FindingKind]:
    kinds = {code: FindingKind(code, severity, title, meaning) for code, severity, title, meaning in rows}
    assert len(kinds) == len(rows), "a finding code is used twice"
    return kinds


_I, _L, _M, _H = Severity.INFO, Severity.LOW, Severity.MEDIUM, Severity.HIGH

CATALOGUE: dict[str, FindingKind] = _kinds(
    # settlement
    ("SETTLE-101", _H, "Wrong amount", "A wager was settled the right way but for the wrong amount."),
    ("SETTLE-102", _H, "Wrong outcome", "A wager was paid that lost, taken that won, or settled that pushed."),
    ("SETTLE-103", _M, "Not settled", "A wager was on the table and no settlement of it was reported."),
    ("SETTLE-104", _H, "Settled without a wager", "A settlement was reported for a wager nobody placed."),
    ("SETTLE-105", _H, "Settled although void", "Money moved on a hand that the rules made void."),
    (
        "SETTLE-106",
        _H,
        "Money moved by no rule",
        "A pot was awarded, or a progressive meter took or paid money, at a table that has no such thing filed.",
    ),
    # progressive meters
    (
        "METER-101",
        _H,
        "Meter step not explained",
        "A progressive meter is said to stand at another sum than its last value and what came in and went out since "
        "give.",
    ),
    (
        "METER-102",
        _H,
        "Meter reading goes backwards",
        "A progressive meter was read below its last value though nothing was paid from it.",
    ),
    (
        "METER-103",
        _M,
        "Wrong contribution",
        "A progressive wager added another sum to its meter than the filed percentage of it, or nothing; or a meter "
        "was fed without a wager.",
    ),
    (
        "METER-104",
        _H,
        "Paid from the wrong meter value",
        "A payout was not reckoned on what the meter stood at when the player's turn came, or another sum came off the "
        "meter than is due.",
    ),
    (
        "METER-105",
        _H,
        "Earlier payout not taken off",
        "A share of a meter was paid as if an earlier payout of the same round had not been taken off it.",
    ),
    ("METER-106", _H, "Not taken off the meter", "A payout that comes off the meter was not taken off it."),
    (
        "METER-107",
        _H,
        "Taken off the meter without cause",
        "A payout was taken off a meter that does not come off it, or nobody won it.",
    ),
    ("METER-108", _H, "Not reset to the seed", "A meter was set to another sum than its filed seed."),
    ("METER-109", _H, "Seed below the minimum", "A meter was set to less than the rules allow as its seed."),
    (
        "METER-110",
        _H,
        "Meter set without a payout",
        "A meter was set to another value though nothing had just been paid from it.",
    ),
    (
        "SETTLE-107",
        _L,
        "Settled out of turn",
        "A wager was settled earlier or later than the rules say, or before another that had to be settled first.",
    ),
    # start and deal
    ("START-201", _H, "Wrong starting position", "The deal did not start where the dice, number or button say."),
    ("START-202", _H, "No roll not shaken again", "A roll was called off, and the cards were dealt without another."),
    ("START-203", _M, "Number that cannot be", "A random number generator showed a number that it must not show."),
    (
        "DEAL-301",
        _H,
        "Misdeal played on",
        "A hand or the stub had the wrong number of cards and the round was not voided.",
    ),
    ("DEAL-302", _H, "Deal and rack disagree", "A card lies in another hand in the rack than it was dealt to."),
    (
        "DEAL-303",
        _H,
        "Third card wrong",
        "A third or later card was drawn that should not have been, or was not drawn that should.",
    ),
    (
        "DEAL-304",
        _H,
        "Irregularity played on",
        "An exposed or boxed card or a failed device called for a void that did not come.",
    ),
    (
        "DEAL-305",
        _H,
        "Wrong delivery direction",
        "The cards or stacks went round the table the other way than the rules say.",
    ),
    (
        "DEAL-306",
        _H,
        "Hand delivered elsewhere",
        "A whole hand lies, or was shown, at another place than the deal gives it to.",
    ),
    (
        "DEAL-307",
        _H,
        "Card moved between own hands",
        "A card lies in another of one place's own hands (low and high, split hands) than it was dealt to or shown in.",
    ),
    (
        "DEAL-308",
        _H,
        "Card left or came into a hand",
        "A hand lies in the rack without a card it was dealt, or with one that was dealt to nobody.",
    ),
    (
        "DEAL-309",
        _H,
        "Boxed or exposed card not replaced",
        "A boxed or exposed card stayed in a hand, or another card replaced it than the rules say.",
    ),
    (
        "DEAL-310",
        _H,
        "Not dealt as filed",
        "The cards were dealt in another way than the method filed, and fit the rack only so.",
    ),
    (
        "DEAL-311",
        _M,
        "Deal misread",
        "The reader of the shoe or shuffler took a card for another, or could not read it.",
    ),
    (
        "DEAL-312",
        _M,
        "Dealt to others than get cards",
        "A place without a wager was dealt a hand where only those who bet get one, or one that gets a hand was not.",
    ),
    (
        "DEAL-315",
        _M,
        "Hand voided without cause",
        "A player's hand was voided by choice though no card of it is reported exposed.",
    ),
    ("CARD-311", _H, "Card missing", "A card of the deck is not in the rack."),
    ("CARD-312", _H, "Duplicate card", "A card is in the rack more often than the deck holds it."),
    ("CARD-313", _H, "Foreign card", "A card in the rack does not belong to the deck in play."),
    ("CARD-314", _H, "Card came back", "A card that was missing in an earlier round is in the same deck again."),
    (
        "CARD-315",
        _H,
        "Card of the other deck",
        "A card of the deck at rest was in play: one deck has it twice while the other is without it.",
    ),
    ("CARD-316", _H, "Deck not whole", "The cards were counted, the count was wrong, and the deck was played on with."),
    (
        "CARD-317",
        _H,
        "Shoe does not reconcile",
        "The cards in the rack, burned and left over are not as many as the shoe holds.",
    ),
    ("CARD-318", _H, "Another deck's card", "A card in the rack bears the mark of another deck than the one in play."),
    ("RACK-321", _M, "Rack does not fit", "The rack order does not fit the pickup procedure filed."),
    ("RACK-322", _L, "No cards read", "Neither the rack nor the deal was read for a round with wagers."),
    ("RACK-323", _M, "Hand shown differs", "A hand was exposed as other cards than the rack or the deal gives it."),
    ("RACK-324", _M, "Hands picked up in swapped order", "Two hands lie in each other's place in the rack."),
    ("RACK-325", _M, "Packet out of place", "A hand went into the rack earlier or later than the procedure says."),
    ("RACK-326", _M, "Parts laid the wrong way round", "A hand lies in the rack with its high cards before its low."),
    ("RACK-327", _M, "Stub short", "The stub, or part of it, was not put into the rack."),
    ("RACK-328", _H, "Rounds mixed in the rack", "Cards of another round lie among this round's."),
    ("RACK-329", _M, "Rack misread", "The rack reader took a card for another, could not read it or counted it twice."),
    (
        "RACK-330",
        _M,
        "Hand in another order",
        "A hand lies in the rack with the cards it was dealt, but not in the order they were drawn.",
    ),
    (
        "RACK-331",
        _M,
        "Racks in another order than filed",
        "One rack of the table after another contradicts the pickup procedure filed, so that slips of the hand do not "
        "explain it: another order is kept at the table than the one filed, or its wagers are settled wrong.",
    ),
    # hands
    ("FOUL-401", _H, "Foul not caught", "A foul hand was settled as if it had been set right."),
    ("FOUL-403", _L, "Taken, maybe as foul", "A wager was taken, and only a foul that nobody showed explains it."),
    ("HOUSE-402", _H, "House way broken", "The dealer's hand was not set in the manner filed and not reset."),
    (
        "HOUSE-404",
        _M,
        "Dealer's hand not first",
        "A player's hand was exposed before the dealer's was turned over and set, where the dealer's comes first.",
    ),
    # how hands were played
    ("PLAY-411", _M, "Chart not followed", "A player stood on a total that must be hit, or hit one that must stand."),
    ("PLAY-412", _M, "Double not allowed", "A hand was doubled otherwise than once, on its first two cards."),
    (
        "PLAY-413",
        _M,
        "Split not allowed",
        "A hand was split whose cards are not alike, once more than allowed, or after it had been drawn to.",
    ),
    ("PLAY-414", _M, "Played after it was over", "Something was done with a hand that was over, or that there is not."),
    (
        "PLAY-415",
        _H,
        "Played against a natural",
        "Hands were played although the player-dealer had a natural, which is looked for before.",
    ),
    ("PLAY-416", _L, "Hand played out of turn", "A hand was played before another whose turn came first."),
    # wagers
    ("WAGER-501", _H, "Wager after no more bets", "A wager was placed, raised or withdrawn after betting closed."),
    ("WAGER-502", _M, "Wager outside the limits", "A wager is below its minimum or above its maximum."),
    ("WAGER-503", _M, "Bonus without base wager", "An optional wager was placed without the wager it depends on."),
    ("WAGER-504", _M, "Unknown wager", "A wager the filed rules do not offer was taken."),
    ("WAGER-505", _M, "Surrender not allowed", "A hand was surrendered that could not be."),
    (
        "WAGER-506",
        _M,
        "Areas not allowed to one person",
        "A person bet in more betting areas than one may, or in areas that do not lie next to each other.",
    ),
    (
        "WAGER-507",
        _M,
        "Wager missing that must be placed",
        "A player wagered against the dealer without the other wager that the table has filed as mandatory.",
    ),
    (
        "WAGER-508",
        _H,
        "Raise out of turn",
        "A raise was placed before its player had cards, after the cards that follow it, or on a folded hand.",
    ),
    (
        "WAGER-515",
        _M,
        "Betting closed too late",
        "“No more bets” was announced after the start had been determined or cards had been dealt; it comes first.",
    ),
    # vigorish and envy
    ("VIG-601", _H, "Vigorish not taken", "A win subject to vigorish paid none."),
    ("VIG-602", _M, "Wrong vigorish", "The vigorish taken is not five percent of the win as rounded by the filing."),
    ("VIG-603", _M, "Vigorish not due", "Vigorish was taken on a wager that owed none."),
    ("ENVY-701", _H, "Envy bonus missed", "An envy bonus was due and not paid."),
    ("ENVY-702", _H, "Wrong envy bonus", "An envy bonus was paid for the wrong amount."),
    ("ENVY-703", _H, "Envy bonus not due", "An envy bonus was paid that nobody's hand called for."),
    *((code, Severity(severity), title, meaning) for code, severity, title, meaning in POKER),
    # banks and player-dealers
    ("COVER-801", _H, "Cover exceeded", "The player-dealer won or lost more than was posted."),
    ("BUTTON-802", _M, "Wrong action button", "The action button was not where the card put it, or was missing."),
    ("BUTTON-805", _M, "Action button by a wrong card", "Another card decided the action button than the rules name."),
    ("BANK-803", _M, "Banked too often", "A seat banked more rounds running than allowed."),
    (
        "BANK-804",
        _M,
        "Bank not eligible",
        "A seat banked without the earlier wager or the chips that the rules ask for, when no player may bank, where "
        "no such bank is offered, or another seat was settled as the bank.",
    ),
    (
        "BANK-806",
        _L,
        "Bank offered out of turn",
        "The bank was first offered to another player than the one whose turn it was, went round otherwise than the "
        "rules say, or was taken by a seat it was not offered to.",
    ),
    ("BANK-807", _M, "House wagers beside a co-bank", "The dealer wagered against a bank that the house shared."),
    # people
    (
        "DEALER-970",
        _M,
        "Dealer at two tables",
        "A dealer is reported to have dealt at two tables at the same time: whoever is named for the rounds of one of "
        "them did not deal them, or a sign-in or a clock is wrong. Found when the gaming day is checked "
        "(`muckraker quality`), where all tables come together.",
    ),
    # fees
    ("FEE-901", _H, "Fee not taken", "A collection fee was due and not taken."),
    ("FEE-902", _M, "Fee of the wrong tier", "A collection fee was taken at another rate than its tier."),
    ("FEE-903", _M, "Fee from the wrong payer", "A collection fee was taken from somebody who does not owe it."),
    ("FEE-904", _M, "Fee at the wrong moment", "A collection fee was taken before or after the moment filed."),
    ("FEE-905", _M, "Fee taken twice", "A collection fee was taken more than once."),
    ("FEE-906", _M, "Fee in the wrong box", "A collection fee was dropped in another box than the table's."),
    (
        "FEE-907",
        _L,
        "Fee before the wagers",
        "A collection fee was taken before the wagers it is counted on had been placed.",
    ),
    (
        "FEE-908",
        _L,
        "Fee waived",
        "A collection fee that was due was let off, and the record says so; no schedule provides for it.",
    ),
    (
        "FEE-909",
        _L,
        "Fee given back",
        "A collection fee was given back out of the drop box. Where too much had been taken, this puts it right.",
    ),
    (
        "FEE-910",
        _M,
        "A rate no schedule has",
        "A collection fee was taken at a rate that none of the filed schedules has for whoever paid it.",
    ),
    (
        "FEE-911",
        _M,
        "Schedule changed in mid-round",
        "The table changed its collection schedule while a round was played; schedules change between rounds.",
    ),
    # equipment
    ("EQUIP-951", _M, "Cards or dice too old", "Cards or dice stayed in play beyond their time."),
    ("EQUIP-952", _L, "Wrong deck in play", "Two decks did not alternate, or a deck was used that was not introduced."),
    ("EQUIP-953", _L, "Stub not counted", "The cards left over were not counted as often as the rules ask for."),
    (
        "EQUIP-954",
        _M,
        "Shuffler failed, cards dealt",
        "The shuffling device failed, and no shuffle of the cards is reported between that and their deal.",
    ),
    ("EQUIP-955", _L, "Cut offered out of turn", "The cut was not offered to the players in the order the rules say."),
    (
        "EQUIP-956",
        _M,
        "Not the deck the rules ask for",
        "A deck was brought with another number of cards or jokers than the game has, or with the backs of the other.",
    ),
    ("EQUIP-957", _M, "Shuffled by hand beside a device", "A shuffling device was still at the table then."),
    ("EQUIP-958", _L, "Cut too near an end", "The cut card was put nearer to an end of the deck than the rules allow."),
    ("EQUIP-959", _H, "Cards not shuffled", "Cards were dealt again, and no shuffle is reported since the last deal."),
    ("EQUIP-960", _M, "Inspected without a witness", "Cards or dice were inspected, and nobody verified it."),
    ("EQUIP-961", _H, "Used uninspected", "Cards or dice were used without an inspection, or from a broken seal."),
    # the record
    ("GATE-001", _H, "Bad signature", "A signature does not verify under the table controller's registered key."),
    ("GATE-002", _H, "Chain broken", "An event's prevhash is not the hash of the event before it."),
    ("GATE-003", _H, "Events missing", "Sequence numbers are missing from the table's stream."),
    ("GATE-004", _I, "Duplicate event", "The same event arrived more than once; the first counts."),
    ("GATE-005", _L, "Events out of order", "Events arrived out of sequence and were put back in order."),
    ("GATE-006", _M, "Event refused", "A record is not a valid event; its bytes are in quarantine."),
    ("GATE-007", _L, "Clock jump", "A device clock jumped: an event's time does not follow from those around it."),
    ("GATE-008", _L, "No key", "No key is registered for the table, so nothing it says can be attested."),
    ("GATE-009", _H, "Chain forked", "Two different events claim the same sequence number."),
    ("GATE-010", _M, "Clock ahead of the log", "A table's time is ahead of the time at which the log received it."),
    ("GATE-011", _L, "Logged late", "Events of a table reached the log more than a day and a half after their time."),
    ("GATE-012", _H, "Revoked key", "An event is signed with a key of the table that is revoked for its time."),
    (
        "GATE-013",
        _M,
        "Key out of its time",
        "An event is signed with a key of the table that was retired by then, or not in force yet.",
    ),
    ("GATE-014", _H, "Another table's key", "An event is signed with the key of another table."),
    (
        "GATE-015",
        _M,
        "Signature missing",
        "An event that the table controller signs came without a signature at a table with a registered key.",
    ),
    ("GATE-016", _L, "Unattested for long", "A table goes on and on without a good signature."),
    (
        "GATE-017",
        _M,
        "Flood",
        "A table, or somebody in its name, sent more than any table can; the surplus is in quarantine.",
    ),
    ("GATE-018", _M, "Round without end", "A round has more events than any round can; the surplus is in quarantine."),
    (
        "GATE-019",
        _H,
        "Chain started over",
        "A table's chain began a second time, which no registered controller was allowed to do.",
    ),
    ("GATE-020", _H, "Event of another table", "An event was sent in another table's stream."),
    (
        "GATE-021",
        _H,
        "Signed fork",
        "A second event with a sequence number already used is signed with the table's own key.",
    ),
    ("GATE-022", _I, "New chain", "A new table controller began a chain of its own, as was registered."),
    (
        "GATE-023",
        _L,
        "Old events again",
        "Events from before the window in which duplicates can be recognised arrived again; they are in quarantine.",
    ),
    ("GATE-024", _M, "Record too long", "A record has more bytes than an event may have; it is in quarantine."),
    ("GATE-025", _M, "Nested too deep", "A record nests lists or objects deeper than any event; it is in quarantine."),
    ("GATE-026", _M, "Not UTF-8", "A record's bytes are not UTF-8 text; they are in quarantine."),
    (
        "GATE-027",
        _M,
        "Not a number",
        "A record holds NaN, Infinity or a number beyond what can be kept; it is in quarantine.",
    ),
    (
        "GATE-028",
        _H,
        "Two readings",
        "A record says a member twice, or holds characters that steer or hide text, so that programs or people could "
        "read it differently; it is in quarantine.",
    ),
    (
        "GATE-029",
        _H,
        "Key history rewritten",
        "The file with a table's keys no longer holds the history it held: it was edited, replaced or taken back.",
    ),
    (
        "GATE-030",
        _H,
        "Unsigned events overruled",
        "The controller's signed chain does not run through events that nobody signed; the signed chain counts.",
    ),
    (
        "GATE-031",
        _H,
        "Supervisor's key misused",
        "A supervisor's key, good for corrections and voids only, signed something else.",
    ),
    (
        "GATE-035",
        _M,
        "Not on the chain",
        "An event does not follow from any of its table and nothing signed does from it, so it does not count.",
    ),
    ("GATE-036", _I, "Table resynchronised", "A table goes on from another number, as an operator had ordered."),
    (
        "GATE-040",
        _H,
        "Wrong partition",
        "A record is in a partition of the log where its table does not belong, as a copied one would be; it is in "
        "quarantine.",
    ),
    (
        "GATE-041",
        _M,
        "Taken back",
        "A record was written to the log in a transaction that was then aborted; it is in quarantine.",
    ),
    ("FILING-001", _H, "Filing unusable", "The table opened under a pack, version or option that does not exist."),
    ("FILING-002", _M, "No filing in force", "A round was played at a table that never opened under a filing."),
    (
        "FILING-003",
        _M,
        "Version not in force",
        "A round was played under a version of its pack that was not in force on the gaming day; it is judged by it.",
    ),
    ("ROUND-001", _L, "Round not closed", "A round was never closed; the next one began, or the table closed."),
    (
        "ROUND-002",
        _M,
        "Correction unusable",
        "A correction names no event of its round, does not fit it, or does not say who makes it and why, or a void "
        "called after the round was over does not say who called it; it changed nothing.",
    ),
    (
        "ROUND-003",
        _M,
        "Round never opened",
        "A device reported something for a round that nobody opened; the rounds around it are judged without it.",
    ),
    (
        "ROUND-004",
        _H,
        "Round id used again",
        "A round was opened under the id of an earlier round of the same table; the two are kept apart.",
    ),
    (
        "ROUND-005",
        _H,
        "Changed without a signature",
        "Something was said about a round after it was over that no good signature vouches for; it decides nothing.",
    ),
    (
        "ROUND-006",
        _M,
        "Events of the round are gone",
        "An event came for a round whose recorded events are no longer in the lake; the round stands as it was judged.",
    ),
    (
        "ROUND-007",
        _H,
        "Cannot be judged",
        "A mistake in Muckraker stopped the judging of a round. Its events are recorded, every other round is judged, "
        "and `muckraker reaudit` judges it again once the mistake is mended.",
    ),
    (
        "ROUND-008",
        _M,
        "Larger than a round can be",
        "A round reports more cards, hands, amounts or bytes than any round can have. Its events are recorded, and it "
        "is not judged.",
    ),
    (
        "ROUND-009",
        _M,
        "Not explained",
        "The rack contradicts the other reports, as too many racks of this table before it did, and was not searched "
        "for what went wrong; `muckraker reaudit --deep` does that.",
    ),
    # the data the verdicts stand on
    (
        "QUALITY-001",
        _M,
        "Rounds not complete",
        "Rounds of the gaming day were never closed, or closed and never judged.",
    ),
    (
        "QUALITY-002",
        _M,
        "Wagers and settlements apart",
        "Wagers of the gaming day were never reported settled, or settlements reported of wagers nobody placed.",
    ),
    (
        "QUALITY-003",
        _H,
        "Device not heard",
        "A device announced what it reports, the table played, and it reported too little of it.",
    ),
    (
        "QUALITY-004",
        _M,
        "Odd number of events",
        "A round has far fewer or far more events than the other rounds of its table.",
    ),
    ("QUALITY-005", _H, "Value out of range", "An amount, a seat or a number of cards was reported that cannot be."),
    (
        "QUALITY-006",
        _H,
        "Sums do not agree",
        "A chip tray or a drop box was counted otherwise than what was reported to have moved gives.",
    ),
    ("QUALITY-007", _M, "Record has holes", "Events of the table's gaming day are not in the record."),
    ("QUALITY-008", _M, "Round id used twice", "More than one round of the table was opened under the same id."),
    ("QUALITY-009", _M, "Clock off", "A device's clock is off from the other clocks of its table, or from the log's."),
    ("QUALITY-010", _M, "Event rate", "A table said far more in a minute or an hour than a table says."),
    ("QUALITY-011", _M, "Many records refused", "More of a table's records were refused than accidents explain."),
    (
        "QUALITY-012",
        _H,
        "Fell silent",
        "A device was not heard while its table played on, or an open table not at all.",
    ),
    (
        "QUALITY-013",
        _L,
        "Gaming day not opened or closed",
        "A table played on a day it never opened for, or opened for one and never closed.",
    ),
    (
        "QUALITY-014",
        _M,
        "Report missing in a round",
        "Rounds of the gaming day have no report of something that a device of the table reports in every round.",
    ),
    (
        "QUALITY-015",
        _H,
        "Meter steps not explained",
        "A progressive meter moved otherwise than by the contributions and payouts reported.",
    ),
)

CERTAIN = 1.0
ALL_BUT_CERTAIN = 0.9999  # the most that rests on an explanation, however much likelier than the others
LIKELY = 0.9
POSSIBLE = 0.5


@dataclass(frozen=True)
class Finding:
    """One irregularity, with everything an accusation needs."""

    code: str
    table_id: str
    round_id: str | None
    sentence: str
    citation: str
    at_us: int  # when, in microseconds since 1970, by the table's clock
    seq: int  # where it is ordered within the table's stream
    seat: int | None = None
    bettor: str | None = None
    wager: str | None = None
    expected_cents: int | None = None
    actual_cents: int | None = None
    difference_cents: int = 0
    evidence: tuple[int, ...] = field(default=())  # sequence numbers of the events it rests on
    confidence: float = CERTAIN
    round_version: int = 1
    basis: Basis = Basis.RECORD
    accounts: tuple[tuple[str, int], ...] = ()  # by how much each account is out for it, the seat's own among them

    def __post_init__(self) -> None:
        if self.code not in CATALOGUE:
            raise ValueError(f"{self.code} is not in the catalogue of findings")

    @property
    def severity(self) -> Severity:
        return CATALOGUE[self.code].severity

    @property
    def id(self) -> str:
        """The same finding has the same id in every run: it names what and where, never when it was found."""
        where = (self.table_id, self.round_id, self.round_version, self.seat, self.bettor, self.wager, self.seq)
        return hashlib.sha256(repr((self.code, where, self.sentence)).encode()).hexdigest()[:16]


FINDINGS_SCHEMA = pa.schema(
    [
        ("finding_id", pa.string()),
        ("code", pa.string()),
        ("severity", pa.string()),
        ("table_id", pa.string()),
        ("round_id", pa.string()),
        ("round_version", pa.int32()),
        ("seat", pa.int8()),
        ("bettor", pa.string()),
        ("wager", pa.string()),
        ("expected_cents", pa.int64()),
        ("actual_cents", pa.int64()),
        ("difference_cents", pa.int64()),
        ("citation", pa.string()),
        ("sentence", pa.string()),
        ("evidence", pa.list_(pa.int64())),
        ("confidence", pa.float64()),
        ("basis", pa.string()),
        ("accounts", pa.list_(pa.struct([("account", pa.string()), ("difference_cents", pa.int64())]))),
        ("at_us", pa.int64()),
        ("seq", pa.int64()),
    ]
)


def order_of(finding: Finding) -> tuple[str, int, str, str, int, str, str, str]:
    """The one order findings are written in: by table, place in the stream, round, code, seat, wager, bettor, words."""
    return (
        finding.table_id,
        finding.seq,
        finding.round_id or "",
        finding.code,
        finding.seat or 0,
        finding.wager or "",
        finding.bettor or "",
        finding.sentence,
    )


def findings_table(findings: list[Finding]) -> pa.Table:
    """Findings as the Arrow table that findings.parquet holds, in their one order."""
    ordered = sorted(findings, key=order_of)
    columns: dict[str, list[object]] = {
        "finding_id": [f.id for f in ordered],
        "code": [f.code for f in ordered],
        "severity": [str(f.severity) for f in ordered],
        "table_id": [f.table_id for f in ordered],
        "round_id": [f.round_id for f in ordered],
        "round_version": [f.round_version for f in ordered],
        "seat": [f.seat for f in ordered],
        "bettor": [f.bettor for f in ordered],
        "wager": [f.wager for f in ordered],
        "expected_cents": [f.expected_cents for f in ordered],
        "actual_cents": [f.actual_cents for f in ordered],
        "difference_cents": [f.difference_cents for f in ordered],
        "citation": [f.citation for f in ordered],
        "sentence": [f.sentence for f in ordered],
        "evidence": [list(f.evidence) for f in ordered],
        "confidence": [f.confidence for f in ordered],
        "basis": [str(f.basis) for f in ordered],
        "accounts": [
            [{"account": account, "difference_cents": cents} for account, cents in f.accounts] for f in ordered
        ],
        "at_us": [f.at_us for f in ordered],
        "seq": [f.seq for f in ordered],
    }
    return pa.table(columns, schema=FINDINGS_SCHEMA)


def in_one_order(findings: pa.Table) -> pa.Table:
    """Rows of several findings.parquet put together, as if they had been written as one."""
    names = ("table_id", "seq", "round_id", "code", "seat", "wager", "bettor", "sentence")
    blank = ("", 0, "", "", 0, "", "", "")
    keys = [
        tuple(other if value is None else value for value, other in zip(row, blank, strict=True))
        for row in zip(*(findings[name].to_pylist() for name in names), strict=True)
    ]
    return findings.take(pa.array(sorted(range(len(keys)), key=keys.__getitem__), pa.int64()))
