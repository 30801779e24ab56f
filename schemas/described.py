"""What every member of an event means, in words and by example, for people who have never seen one.

The models in events.py say what is allowed; this says what it stands for. The published schemas and docs/events.md
are made of both, and a test fails on a member that is not described here or a description of one that is gone.
"""

from __future__ import annotations

from hashlib import sha256
from typing import Any

from schemas.events import DATA_MODELS, EVERY_MODEL, Said, event_type, is_of_round

ENVELOPE: dict[str, str] = {
    "specversion": "The CloudEvents version.",
    "id": "A UUID of version 7 in lowercase, minted by the device and never used again.",
    "source": "Which device speaks: the table it stands at and its name there.",
    "type": "What happened, with the version of the vocabulary.",
    "time": "When it happened, by the table's clock: RFC 3339 with seconds and a zone.",
    "tableid": "The table. Also the key of the Kafka record.",
    "seq": "The event's number on this table: 0 for its first event ever, then one more each time, without gaps.",
    "prevhash": "SHA-256 of the exact bytes of the table's previous event; 64 zeros when `seq` is 0.",
    "subject": "The round the event belongs to. Required for every event of a round, optional for others.",
    "datacontenttype": "May be left out.",
    "sig": "Ed25519 signature of the table controller; must be the last member.",
    "data": "What is said; its members depend on `type`.",
}

# A member that means the same wherever it stands.
_EVERYWHERE: dict[str, str] = {
    "gaming_day": "The gaming day, as the property counts them.",
    "dealer": "The dealer's badge or licence number.",
    "inventory_cents": "Value of the chips in the table inventory.",
    "slip": "Number of the fill or credit slip.",
    "deck": "Name of the deck or shoe, as given when it was introduced.",
    "dice": "Name of the set of dice.",
    "detail": "The device's own words.",
    "seat": "The betting position.",
    "wager": "The wager, by its name in the rule pack.",
    "bettor": "A backline bettor's name or number; left out for the player seated there.",
    "choice": "What the wager is on, where it can be on several things (a number, a colour).",
    "hand": "Which of the seat's hands: 0, and up from there for split hands.",
    "box": "The drop box.",
    "card": "The card, if it was seen.",
    "meter": "Name of the progressive meter.",
    "meter_cents": "The meter's value afterwards.",
    "value_cents": "The meter's value.",
    "device": "The device's name, as in `source` but with underscores.",
}

# A member that needs saying again, or otherwise, for one event.
_HERE: dict[tuple[str, str], str] = {
    ("table.opened", "pack"): "The rule pack in force: jurisdiction/game.",
    ("table.opened", "version"): "The version of the pack that was filed.",
    ("table.opened", "options"): "The licensee's choices that differ from the pack's defaults.",
    ("table.counted", "box_cents"): "What was counted out of the drop box.",
    ("table.filled", "amount_cents"): "Value of the chips brought.",
    ("table.credited", "amount_cents"): "Value of the chips taken away.",
    ("table.dealer_changed", "dealer"): "The badge or licence number of the dealer who takes over.",
    ("cards.introduced", "deck"): "A name for this deck or shoe, unique at the table for the gaming day.",
    ("cards.introduced", "decks"): "How many decks of 52 it is made of.",
    ("cards.introduced", "jokers"): "How many jokers each of them has.",
    ("cards.introduced", "back"): "Colour or design of the backs.",
    ("cards.removed", "reason"): "Why it left.",
    ("dice.introduced", "dice"): "A name for this set of dice.",
    ("dice.removed", "reason"): "Why they left.",
    ("shuffle.completed", "method"): "By hand or by a shuffling device.",
    ("shuffle.completed", "counted"): "How many cards the device counted.",
    ("cut.made", "place"): "Who cut: 0 is the house dealer, 1 and up the betting positions.",
    ("cut.made", "depth"): "How many cards were above the cut.",
    (
        "cut.made",
        "offered",
    ): "The seats to whom the cut was offered, in order, the one that took it too (empty: nobody).",
    ("shuffler.faulted", "fault"): "What failed.",
    ("shuffler.faulted", "deck"): "The cards that were in it.",
    ("shoe.faulted", "fault"): "What failed.",
    ("equipment.inspected", "kind"): "What was inspected.",
    (
        "equipment.inspected",
        "item",
    ): "The deck or set of dice, named as in `cards.introduced` or `dice.introduced`.",
    ("equipment.inspected", "by"): "Who inspected: badge or licence number.",
    ("equipment.inspected", "witness"): "Who verified it or was present: badge or licence number.",
    ("equipment.inspected", "where"): "At the table, at the pit stand, or where cards and dice are stored.",
    ("seal.checked", "kind"): "What was sealed.",
    ("seal.checked", "item"): "The deck or set of dice, named as in `cards.introduced` or `dice.introduced`.",
    ("seal.checked", "intact"): "Whether seal and envelope or container were whole and free from tampering.",
    ("seal.checked", "by"): "Who looked: badge or licence number.",
    ("round.opened", "deck"): "The deck in play, where the table has more than one.",
    ("bank.accepted", "kind"): "A bank, a co-bank with the house, or a California player-dealer.",
    ("patron.seated", "seat"): "The betting position taken.",
    ("patron.seated", "patron"): "An id of the person, and no name: letters, digits, `._:-`.",
    ("patron.left", "seat"): "The betting position left.",
    ("patron.left", "patron"): "Who left it, where that is known.",
    ("bank.accepted", "cover_cents"): "What the seat puts up, where the rules limit action to it.",
    ("bank.accepted", "posted_cents"): "What the seat puts up, where the rules limit action to it.",
    ("bank.accepted", "turn"): "How many rounds running this seat has banked, this one included.",
    ("bank.accepted", "dealer_wager_cents"): "The house dealer's own wager against a bank.",
    (
        "bank.accepted",
        "first_stack",
    ): "The stack the bank chose to be delivered first, counted from the dealer's far left.",
    ("wager.placed", "amount_cents"): "The chips in the betting area.",
    ("wager.changed", "amount_cents"): "The new amount, not the difference.",
    ("collection.taken", "payer"): "Who paid: a player, the player-dealer, or the pot.",
    ("collection.taken", "amount_cents"): "The fee.",
    ("collection.taken", "box"): "The drop box it went into.",
    ("collection.taken", "seat"): "The payer's betting position; a fee from a pot has none.",
    ("collection.taken", "wager"): "The wager it was for, where fees are taken wager by wager.",
    ("collection.waived", "payer"): "Who would have paid: a player, the player-dealer, or the pot.",
    ("collection.waived", "amount_cents"): "How much of the fee was let off.",
    ("collection.waived", "seat"): "The payer's betting position; a fee from a pot has none.",
    ("collection.waived", "wager"): "The wager it was for, where fees are taken wager by wager.",
    ("collection.waived", "reason"): "Why.",
    ("collection.waived", "by"): "Who let it off: badge or licence number.",
    ("collection.refunded", "payer"): "Who had paid: a player, the player-dealer, or the pot.",
    ("collection.refunded", "amount_cents"): "How much was given back.",
    ("collection.refunded", "box"): "The drop box it came out of.",
    ("collection.refunded", "seat"): "The payer's betting position; a fee from a pot has none.",
    ("collection.refunded", "wager"): "The wager it was for, where fees are taken wager by wager.",
    ("collection.refunded", "reason"): "Why.",
    ("collection.refunded", "by"): "Who gave it back: badge or licence number.",
    ("table.schedule_changed", "schedule"): "The id of the schedule, as `muckraker rules show PACK` lists them.",
    ("table.schedule_changed", "table_minimum_cents"): "The lowest wager from then on; 0 as the schedule prints.",
    ("table.schedule_changed", "table_maximum_cents"): "The highest wager from then on; 0 as the schedule prints.",
    ("table.schedule_changed", "by"): "Who had it changed: badge or licence number.",
    ("start.determined", "method"): "How it was determined.",
    ("start.determined", "place"): "The place the dealer announced and started at.",
    ("start.determined", "dice"): "The faces of the dice, each by itself.",
    ("start.determined", "number"): "The number drawn by a random number generator.",
    ("start.no_roll", "reason"): "Why the roll did not count.",
    ("button.placed", "purpose"): "The action button, or a poker dealer button.",
    ("button.placed", "place"): "The place it was put in front of.",
    ("button.placed", "card"): "The card that decided it.",
    ("cards.dealt", "cards"): "The cards in the order they left the shoe, shuffler or hand.",
    ("cards.dealt", "places"): "Where each card went, if a device saw it: as many as `cards`.",
    ("cards.dealt", "to"): "A community hand they went to: `player`, `banker`, `board`, `burn`, `stub`.",
    ("cards.dealt", "deck"): "The deck they came from, where a device can tell.",
    (
        "cards.dealt",
        "deck_index",
    ): "Which deck of the shoe each card is of (0..7), where cards are marked; as long as `cards`.",
    ("stub.counted", "count"): "How many cards were left after the deal.",
    ("card.exposed", "place"): "Whose card it was.",
    ("card.exposed", "during"): "At what point of the round.",
    ("card.boxed", "place"): "Whose card it would have been.",
    ("player.acted", "action"): "The decision.",
    ("player.acted", "amount_cents"): "The chips it put in, for actions that put any in.",
    ("hand.shown", "place"): "Whose hand: 0 is the house dealer, 1 and up the betting positions.",
    ("hand.shown", "low"): "The low (front) hand as laid, left to right.",
    ("hand.shown", "high"): "The high (back) hand as laid, left to right.",
    ("hand.shown", "cards"): "The whole hand, where it is not set in two.",
    ("hand.shown", "rest"): "Cards of the hand that are in neither part (a dealer's eighth card).",
    ("discard.read", "mode"): "`inserted`: put on top of what was there. `scan`: all the rack holds now.",
    ("discard.read", "cards"): "The cards in rack order, bottom first.",
    (
        "discard.read",
        "deck_index",
    ): "Which deck of the shoe each card is of (0..7), where cards are marked; as long as `cards`.",
    ("wager.settled", "outcome"): "How the wager ended.",
    ("wager.settled", "paid_cents"): "What the player won, without the stake.",
    ("wager.settled", "taken_cents"): "How much of the stake was taken; the rest went back.",
    ("vigorish.taken", "amount_cents"): "The commission collected.",
    ("envy.paid", "seat"): "Who was paid.",
    ("envy.paid", "for_seat"): "Whose hand it was paid for.",
    ("envy.paid", "amount_cents"): "The bonus.",
    ("envy.paid", "wager"): "The wager whose pay table grants it.",
    ("pot.awarded", "seat"): "Who got it.",
    ("pot.awarded", "amount_cents"): "The chips pushed.",
    ("pot.awarded", "pot"): "0 is the main pot, 1 and up the side pots.",
    ("pot.awarded", "part"): "All of the pot, or its high or low half.",
    ("progressive.contributed", "amount_cents"): "What was added to the meter.",
    ("progressive.paid", "amount_cents"): "The payout, as it is settled.",
    ("progressive.paid", "from_meter"): "Whether it came off the meter.",
    ("round.corrected", "corrects_seq"): "The `seq` of the event that was wrong.",
    ("round.corrected", "reason"): "Why, in words.",
    ("round.corrected", "by"): "Badge or licence number of whoever made the correction.",
    ("round.corrected", "replacement"): "The `data` it should have had; left out: it never happened.",
    ("round.voided", "reason"): "Why.",
    ("round.voided", "by"): "Badge or licence number of whoever called it; say it always after `round.closed`.",
    ("round.voided", "seat"): "The one seat whose hand is void; left out: all of them.",
    ("meter.reset", "value_cents"): "The value it was set to.",
    ("meter.reset", "by"): "Badge or licence number, when it was set by hand.",
    ("device.online", "model"): "Maker and model.",
    ("device.online", "serial"): "Serial number.",
    ("device.online", "firmware"): "Firmware version.",
    ("device.online", "sees"): "The event types it reports, so that its silence can be read.",
    ("device.offline", "reason"): "Why it went down.",
}

EXAMPLES: dict[str, dict[str, Any]] = {
    "table.opened": {
        "gaming_day": "2026-11-17",
        "pack": "ma/pai_gow_poker",
        "version": "1.0",
        "options": {"dealing": "manual_shoe", "starting": "dice", "fortune_paytable": "A", "table_minimum_cents": 1500},
        "dealer": "D-1184",
        "inventory_cents": 15000000,
    },
    "table.closed": {"gaming_day": "2026-11-17", "inventory_cents": 14876250},
    "table.counted": {"inventory_cents": 14876250, "box": "PG-07-drop", "box_cents": 912500},
    "table.filled": {"amount_cents": 2000000, "slip": "F-20931"},
    "table.credited": {"amount_cents": 500000, "slip": "C-20932"},
    "table.dealer_changed": {"dealer": "D-2207"},
    "table.heartbeat": {},
    "patron.seated": {"seat": 3, "patron": "P-48213"},
    "patron.left": {"seat": 3, "patron": "P-48213"},
    "cards.introduced": {"deck": "red", "decks": 1, "jokers": 1, "back": "red"},
    "cards.removed": {"deck": "red", "reason": "scheduled"},
    "dice.introduced": {"dice": "set-3"},
    "dice.removed": {"dice": "set-3", "reason": "24 hours"},
    "shuffle.completed": {"deck": "red", "method": "device", "counted": 53},
    "cut.made": {"place": 4, "depth": 21, "offered": [3, 4]},
    "equipment.inspected": {"kind": "dice", "item": "set-1", "by": "F-204", "witness": "F-117", "where": "pit_stand"},
    "seal.checked": {"kind": "dice", "item": "set-1", "intact": True, "by": "F-204"},
    "shuffler.faulted": {"fault": "jam", "deck": "red", "detail": "E-17 output tray"},
    "shoe.faulted": {"fault": "jam", "detail": "card half drawn"},
    "round.opened": {"deck": "red"},
    "bank.offered": {"seat": 3},
    "bank.declined": {"seat": 3},
    "bank.accepted": {"seat": 5, "kind": "player_dealer", "cover_cents": 50000, "turn": 1},
    "wager.placed": {"seat": 3, "wager": "pai_gow", "amount_cents": 2500},
    "wager.changed": {"seat": 3, "wager": "pai_gow", "amount_cents": 5000},
    "wager.withdrawn": {"seat": 3, "wager": "fortune"},
    "collection.taken": {"payer": "player_dealer", "amount_cents": 100, "box": "table", "seat": 5},
    "collection.waived": {"payer": "player", "amount_cents": 100, "seat": 2, "reason": "cover ran out", "by": "F-17"},
    "collection.refunded": {
        "payer": "player",
        "amount_cents": 100,
        "box": "table",
        "seat": 2,
        "reason": "cover ran out",
        "by": "F-17",
    },
    "table.schedule_changed": {
        "schedule": "california_games_1",
        "table_minimum_cents": 500,
        "table_maximum_cents": 0,
        "by": "F-17",
    },
    "bets.closed": {},
    "start.determined": {"method": "dice", "place": 0, "dice": [2, 5, 1]},
    "start.no_roll": {"reason": "not_flat"},
    "button.placed": {"purpose": "action", "place": 2, "card": "Td"},
    "cards.dealt": {"cards": ["As", "Kd", "X1", "7h"], "places": [0, 6, 5, 4]},
    "stub.counted": {"count": 4},
    "card.exposed": {"place": 2, "card": "Qh", "during": "deal"},
    "card.boxed": {"card": "5c", "place": 1},
    "player.acted": {"seat": 2, "action": "surrender"},
    "hand.shown": {"place": 3, "low": ["Ks", "Kd"], "high": ["As", "Ad", "9c", "5h", "2d"]},
    "discard.read": {"mode": "inserted", "cards": ["Ks", "Kd", "As", "Ad", "9c", "5h", "2d"]},
    "wager.settled": {"seat": 3, "wager": "pai_gow", "outcome": "win", "paid_cents": 2500, "taken_cents": 0},
    "vigorish.taken": {"seat": 3, "wager": "pai_gow", "amount_cents": 125},
    "envy.paid": {"seat": 1, "for_seat": 3, "amount_cents": 500},
    "pot.awarded": {"seat": 8, "amount_cents": 14600, "pot": 0, "part": "high"},
    "progressive.contributed": {"meter": "pgp-1", "seat": 3, "amount_cents": 24, "meter_cents": 2381124},
    "progressive.paid": {"meter": "pgp-1", "seat": 3, "amount_cents": 7500, "from_meter": True, "meter_cents": 2373624},
    "round.corrected": {
        "corrects_seq": 4711,
        "reason": "chips read as green, were red",
        "by": "S-031",
        "replacement": {"seat": 3, "wager": "pai_gow", "amount_cents": 500},
    },
    "round.voided": {"reason": "stub_count", "by": "D-114"},
    "round.closed": {},
    "meter.read": {"meter": "pgp-1", "value_cents": 2381124},
    "meter.reset": {"meter": "pgp-1", "value_cents": 1000000, "by": "S-031"},
    "device.online": {
        "device": "discard_rack",
        "model": "Example RackReader 2",
        "serial": "RR2-00417",
        "firmware": "4.1.0",
        "sees": ["muckraker.discard.read.v1"],
    },
    "device.offline": {"device": "discard_rack", "reason": "power"},
}

EARLIER_EXAMPLES: dict[str, dict[str, Any]] = {
    "muckraker.bank.accepted.v1": {"seat": 5, "kind": "player_dealer", "posted_cents": 50000, "turn": 1},
}
"""By the type of the earlier version, for those that are still read."""

OTHER_EXAMPLES: dict[str, Any] = {
    "dealer_wager_cents": 2500,
    "first_stack": 4,
    "bettor": "B1",
    "choice": "red",
    "wager": "pai_gow",
    "number": 5,
    "to": "player",
    "deck": "red",
    "deck_index": [0, 3],
    "amount_cents": 2500,
    "cards": ["9h", "Ks"],
    "rest": ["4c"],
    "seat": 3,
}
"""For members that the example of their event leaves out."""

SIGNED: frozenset[type[Said]] = frozenset(
    model for model in DATA_MODELS if model.TYPE == "round.closed" or model.TYPE.startswith("table.")
)
"""What a table controller signs: the end of every round, and everything it says about the table."""


def meaning_of(model: type[Said], member: str) -> str:
    """What a member of `data` means; a KeyError names one that nobody has described."""
    said = _HERE.get((model.TYPE, member)) or _EVERYWHERE.get(member)
    if said is None:
        raise KeyError(f"{model.TYPE}: {member} has no description; add one in schemas/described.py")
    return said


def without_a_member() -> list[str]:
    """Descriptions of members that no event has, for the test that keeps this file tidy."""
    here = {(model.TYPE, member) for model in EVERY_MODEL for member in model.model_fields}
    stale = [f"{type_}: {member}" for type_, member in _HERE if (type_, member) not in here]
    needed = {member for type_, member in here if (type_, member) not in _HERE}
    return stale + [member for member in _EVERYWHERE if member not in needed]


def example_data(model: type[Said]) -> dict[str, Any]:
    """What `data` of such an event might say."""
    return EARLIER_EXAMPLES.get(event_type(model)) or EXAMPLES[model.TYPE]


def example_event(model: type[Said], seq: int = 4712) -> dict[str, Any]:
    """A whole event of this type, as it might be said; unsigned, because a signature belongs to bytes."""
    event: dict[str, Any] = {
        "specversion": "1.0",
        "id": "019a93c4-5f12-7c3a-9b1e-6a0d5e8f4c21",
        "source": "/tables/PG-07/devices/table-controller",
        "type": event_type(model),
        "time": "2026-11-17T21:43:07.250-05:00",
        "tableid": "PG-07",
        "seq": seq,
        "prevhash": sha256(b"the bytes of the event before").hexdigest(),
    }
    if is_of_round(model):
        event["subject"] = "20261117-000123"
    return event | {"data": example_data(model)}
