"""The event vocabulary: what a device on a card table may say.

An event is a CloudEvent 1.0 in JSON with Muckraker's extensions (`tableid`, `seq`, `prevhash`, `sig`); its `data` is
one of the models below, chosen by `type`. The models are strict and closed: an unknown member, a float where cents
belong or a card that does not exist is refused, never repaired. docs/events.md is written for device vendors and
schemas/published/ holds the JSON Schemas and the AsyncAPI document generated from here.

A type whose members change gets the next version (`muckraker.bank.accepted.v2`). Events of the earlier one are still
read, and what they say is put in the words of the newest (`EARLIER_MODELS`), so that nothing behind the parser knows of
it. Recorded bytes stay as they are.

A device that cannot see something simply never says it. The vocabulary serves every game in the rule texts: bank
and co-bank, player-dealers, poker pots, progressive meters and split blackjack hands are all said with these words.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from datetime import date
from typing import Annotated, Any, ClassVar, Literal, Union

from pydantic import (
    AfterValidator,
    AwareDatetime,
    BaseModel,
    ConfigDict,
    Field,
    StringConstraints,
    TypeAdapter,
    create_model,
)

from schemas.cards import Card
from schemas.money import Cents
from schemas.places import Place, Seat
from schemas.said import (
    MAX_SEQ,
    SETTLED_WITHOUT_A_WAGER,
    Action,
    BankKind,
    EventId,
    HexHash,
    Label,
    Name,
    OptionNumber,
    OptionText,
    Outcome,
    PatronId,
    Payer,
    RoundId,
    Said,
    StartMethod,
    TableId,
    says_something,
)

MAX_EVENT_BYTES = 65_536

__all__ = [
    "MAX_SEQ",
    "SETTLED_WITHOUT_A_WAGER",
    "Action",
    "BankKind",
    "EventId",
    "HexHash",
    "Label",
    "Name",
    "OptionNumber",
    "OptionText",
    "Outcome",
    "PatronId",
    "Payer",
    "RoundId",
    "Said",
    "StartMethod",
    "TableId",
    "says_something",
]
"""What stands in schemas/said.py; beside it everything below."""


# --- table -----------------------------------------------------------------------------------------------------------


class TableOpened(Said):
    """The table opens for a gaming day under a filed rule pack, version and options."""

    TYPE: ClassVar[str] = "table.opened"
    gaming_day: date
    pack: Annotated[str, StringConstraints(pattern=r"^[a-z]{2,8}/[a-z0-9_]{1,60}$")]
    version: Annotated[str, StringConstraints(pattern=r"^\d+\.\d+$")]
    options: dict[Name, OptionText | OptionNumber | bool] = Field(default_factory=dict, max_length=64)
    dealer: Label | None = None
    inventory_cents: Cents | None = None


class TableClosed(Said):
    """The table closes for the gaming day."""

    TYPE: ClassVar[str] = "table.closed"
    gaming_day: date
    inventory_cents: Cents | None = None


class TableCounted(Said):
    """Chips counted in the table inventory, or a drop box's content in the count room."""

    TYPE: ClassVar[str] = "table.counted"
    inventory_cents: Cents | None = None
    box: Label | None = None
    box_cents: Cents | None = None


class TableFilled(Said):
    """Chips brought to the table inventory."""

    TYPE: ClassVar[str] = "table.filled"
    amount_cents: Cents
    slip: Label | None = None


class TableCredited(Said):
    """Chips taken from the table inventory to the cage."""

    TYPE: ClassVar[str] = "table.credited"
    amount_cents: Cents
    slip: Label | None = None


class DealerChanged(Said):
    """Another dealer takes the table."""

    TYPE: ClassVar[str] = "table.dealer_changed"
    dealer: Label


class ScheduleChanged(Said):
    """From the next round on the table takes its collection fees by another schedule of its pack, with the table limits
    that go with it (0: as the schedule prints; left out: as they were). Say it between two rounds."""

    TYPE: ClassVar[str] = "table.schedule_changed"
    schedule: Name
    table_minimum_cents: Cents | None = None
    table_maximum_cents: Cents | None = None
    by: Label | None = None


class TableHeartbeat(Said):
    """Nothing happened; the table controller signs the head of the chain. Say it at least every ten minutes."""

    TYPE: ClassVar[str] = "table.heartbeat"


class PatronSeated(Said):
    """Somebody takes a betting position, or a second one. Optional: a device that does not know people never says it.

    `patron` is an id that is the same for the person as long as it plays at the table, and no name: whose it is stays
    with whoever gave it. Say it again for everybody after `table.opened`.
    """

    TYPE: ClassVar[str] = "patron.seated"
    seat: Seat
    patron: PatronId


class PatronLeft(Said):
    """Nobody sits there any more; with `patron`, only if it is that person who does."""

    TYPE: ClassVar[str] = "patron.left"
    seat: Seat
    patron: PatronId | None = None


# --- equipment -------------------------------------------------------------------------------------------------------


class CardsIntroduced(Said):
    """A deck, or a shoe of several, is brought into play."""

    TYPE: ClassVar[str] = "cards.introduced"
    deck: Label
    decks: Annotated[int, Field(ge=1, le=8)] = 1
    jokers: Annotated[int, Field(ge=0, le=2)] = 0
    back: Label | None = None


class CardsRemoved(Said):
    """A deck or shoe is taken out of play."""

    TYPE: ClassVar[str] = "cards.removed"
    deck: Label
    reason: Literal["scheduled", "shoe_ended", "incorrect_count", "damaged", "requested", "other"] = "scheduled"


class DiceIntroduced(Said):
    """A set of dice is placed in the shaker."""

    TYPE: ClassVar[str] = "dice.introduced"
    dice: Label


class DiceRemoved(Said):
    """A set of dice leaves the shaker."""

    TYPE: ClassVar[str] = "dice.removed"
    dice: Label
    reason: Label | None = None


class ShuffleCompleted(Said):
    """Cards were shuffled; a device that counts them says how many it counted."""

    TYPE: ClassVar[str] = "shuffle.completed"
    deck: Label
    method: Literal["manual", "device"]
    counted: Annotated[int, Field(ge=0, le=500)] | None = None


class CutMade(Said):
    """The cards were offered and cut. `offered` has the seats to whom the cut was offered, if a device saw it."""

    TYPE: ClassVar[str] = "cut.made"
    place: Place
    depth: Annotated[int, Field(ge=0, le=500)] | None = None
    offered: Annotated[list[Seat], Field(max_length=14)] | None = None


class ShufflerFaulted(Said):
    """The automated shuffling device failed. `deck` names the cards that were in it where the table has more than one
    deck."""

    TYPE: ClassVar[str] = "shuffler.faulted"
    fault: Literal["jam", "stopped", "incomplete", "miscount", "other"]
    deck: Label | None = None
    detail: Label | None = None


class ShoeFaulted(Said):
    """The dealing shoe failed."""

    TYPE: ClassVar[str] = "shoe.faulted"
    fault: Literal["jam", "stopped", "incomplete", "other"]
    detail: Label | None = None


class EquipmentInspected(Said):
    """Cards or dice were inspected: a deck when it comes to the table, or either where it was kept before."""

    TYPE: ClassVar[str] = "equipment.inspected"
    kind: Literal["cards", "dice"]
    item: Label
    by: Label
    witness: Label | None = None
    where: Literal["table", "pit_stand", "storage"] = "table"


class SealChecked(Said):
    """The seal of an envelope or container with cards or dice was looked at."""

    TYPE: ClassVar[str] = "seal.checked"
    kind: Literal["cards", "dice"]
    item: Label
    intact: bool
    by: Label | None = None


# --- round -----------------------------------------------------------------------------------------------------------


class RoundOpened(Said):
    """A round of play begins. `deck` names the cards in play where the table has more than one deck."""

    TYPE: ClassVar[str] = "round.opened"
    deck: Label | None = None


class BankOffered(Said):
    """The bank, or the player-dealer position, is offered to a seat."""

    TYPE: ClassVar[str] = "bank.offered"
    seat: Seat


class BankDeclined(Said):
    """The seat passes."""

    TYPE: ClassVar[str] = "bank.declined"
    seat: Seat


class BankAccepted(Said):
    """A seat banks the round. `cover_cents` is what it puts up where the rules limit action to it."""

    TYPE: ClassVar[str] = "bank.accepted"
    VERSION: ClassVar[int] = 2
    seat: Seat
    kind: BankKind
    cover_cents: Cents | None = None
    turn: Annotated[int, Field(ge=1, le=9)] | None = None
    dealer_wager_cents: Cents | None = None
    first_stack: Annotated[int, Field(ge=1, le=14)] | None = None


class WagerPlaced(Said):
    """Chips are in a betting area.

    `bettor` is left out for the player seated there and names a backline bettor otherwise. `choice` is what a wager is
    placed on where it has several things (a number, a colour), `hand` which of a seat's hands (split hands count up).
    """

    TYPE: ClassVar[str] = "wager.placed"
    seat: Seat
    wager: Name
    amount_cents: Annotated[Cents, Field(gt=0)]
    bettor: Label | None = None
    choice: Label | None = None
    hand: Annotated[int, Field(ge=0, le=15)] = 0


class WagerChanged(Said):
    """The amount in a betting area changed; `amount_cents` is the new amount."""

    TYPE: ClassVar[str] = "wager.changed"
    seat: Seat
    wager: Name
    amount_cents: Annotated[Cents, Field(gt=0)]
    bettor: Label | None = None
    choice: Label | None = None
    hand: Annotated[int, Field(ge=0, le=15)] = 0


class WagerWithdrawn(Said):
    """The chips were taken back."""

    TYPE: ClassVar[str] = "wager.withdrawn"
    seat: Seat
    wager: Name
    bettor: Label | None = None
    choice: Label | None = None
    hand: Annotated[int, Field(ge=0, le=15)] = 0


class CollectionTaken(Said):
    """A collection fee was dropped. `seat` is the payer's; a fee from a poker pot has none."""

    TYPE: ClassVar[str] = "collection.taken"
    payer: Payer
    amount_cents: Cents
    box: Label
    seat: Seat | None = None
    bettor: Label | None = None
    wager: Name | None = None


class CollectionWaived(Said):
    """A collection fee that is due was let off: nothing was dropped. Members as in `collection.taken`."""

    TYPE: ClassVar[str] = "collection.waived"
    payer: Payer
    amount_cents: Cents
    seat: Seat | None = None
    bettor: Label | None = None
    wager: Name | None = None
    reason: Label | None = None
    by: Label | None = None


class CollectionRefunded(Said):
    """A collection fee that had been dropped was given back, out of the box it is in. Say `collection.taken` first."""

    TYPE: ClassVar[str] = "collection.refunded"
    payer: Payer
    amount_cents: Cents
    box: Label
    seat: Seat | None = None
    bettor: Label | None = None
    wager: Name | None = None
    reason: Label | None = None
    by: Label | None = None


class BetsClosed(Said):
    """The dealer announces "No more bets" (or begins to deal, where that closes betting)."""

    TYPE: ClassVar[str] = "bets.closed"


class StartDetermined(Said):
    """Where the deal or delivery starts: the dice, the number or the button, and the place the dealer announced."""

    TYPE: ClassVar[str] = "start.determined"
    method: StartMethod
    place: Place
    dice: Annotated[list[Annotated[int, Field(ge=1, le=6)]], Field(min_length=1, max_length=3)] | None = None
    number: Annotated[int, Field(ge=1, le=18)] | None = None


class NoRoll(Said):
    """The dealer calls "No roll"."""

    TYPE: ClassVar[str] = "start.no_roll"
    reason: Literal["not_flat", "fell_out", "lid_removed", "other"]


class ButtonPlaced(Said):
    """An action button or a poker dealer button is put in front of a place; `card` is the card that decided it."""

    TYPE: ClassVar[str] = "button.placed"
    purpose: Literal["action", "dealer"]
    place: Place
    card: Card | None = None


DeckIndexes = Annotated[list[Annotated[int, Field(ge=0, le=7)]], Field(max_length=500)]
"""Which deck of the shoe each card is of, where cards are marked so that a reader can tell; as long as `cards`."""


class CardsDealt(Said):
    """Cards left the shoe, shuffler or hand, in this order; one event a card, a stack or a whole deal.

    `places` (as long as `cards`) says where each went, if a device saw it; `to` names a community hand
    (`player`, `banker`, `board`, `burn`, `stub`).
    """

    TYPE: ClassVar[str] = "cards.dealt"
    cards: Annotated[list[Card], Field(min_length=1, max_length=500)]
    places: Annotated[list[Place], Field(max_length=500)] | None = None
    to: Name | None = None
    deck: Label | None = None
    deck_index: DeckIndexes | None = None


class StubCounted(Said):
    """The cards left after the deal were counted."""

    TYPE: ClassVar[str] = "stub.counted"
    count: Annotated[int, Field(ge=0, le=500)]


class CardExposed(Said):
    """A card was exposed that should not have been."""

    TYPE: ClassVar[str] = "card.exposed"
    place: Place
    card: Card | None = None
    during: Literal["deal", "play", "stacks"] = "deal"


class CardBoxed(Said):
    """A card was found face up in the shoe or deck."""

    TYPE: ClassVar[str] = "card.boxed"
    card: Card | None = None
    place: Place | None = None


class PlayerActed(Said):
    """A player's decision at the table."""

    TYPE: ClassVar[str] = "player.acted"
    seat: Seat
    action: Action
    amount_cents: Cents | None = None
    bettor: Label | None = None
    hand: Annotated[int, Field(ge=0, le=15)] = 0


class HandShown(Said):
    """A hand as it lies exposed: `low` and `high` where it is set in two, otherwise `cards`.

    `rest` holds cards that belong to the hand but to neither part (a dealer's eighth card).
    """

    TYPE: ClassVar[str] = "hand.shown"
    place: Place
    low: Annotated[list[Card], Field(max_length=8)] | None = None
    high: Annotated[list[Card], Field(max_length=8)] | None = None
    cards: Annotated[list[Card], Field(max_length=16)] | None = None
    rest: Annotated[list[Card], Field(max_length=8)] | None = None
    hand: Annotated[int, Field(ge=0, le=15)] = 0


class DiscardRead(Said):
    """Cards seen by the discard rack, in rack order, bottom first.

    `inserted`: these cards were put on top of what was there. `scan`: this is everything the rack holds now.
    """

    TYPE: ClassVar[str] = "discard.read"
    mode: Literal["inserted", "scan"]
    cards: Annotated[list[Card], Field(max_length=500)]
    deck_index: DeckIndexes | None = None


class WagerSettled(Said):
    """A wager was settled: `paid_cents` is what the player won, `taken_cents` what was taken of the stake.

    What is left of the stake went back to the player. "8 for 1" on $5 is paid 4000 and taken 500.
    """

    TYPE: ClassVar[str] = "wager.settled"
    seat: Seat
    wager: Name
    outcome: Outcome
    paid_cents: Cents = 0
    taken_cents: Cents = 0
    bettor: Label | None = None
    choice: Label | None = None
    hand: Annotated[int, Field(ge=0, le=15)] = 0


class VigorishTaken(Said):
    """Commission collected from a winner, or from a bank's surplus."""

    TYPE: ClassVar[str] = "vigorish.taken"
    seat: Seat
    wager: Name
    amount_cents: Cents
    bettor: Label | None = None


class EnvyPaid(Said):
    """An envy bonus was paid to `seat` for the hand of `for_seat`."""

    TYPE: ClassVar[str] = "envy.paid"
    seat: Seat
    for_seat: Seat
    amount_cents: Cents
    wager: Name = "fortune"
    bettor: Label | None = None


class PotAwarded(Said):
    """A poker pot, or a part of one, was pushed to a seat. Pot 0 is the main pot."""

    TYPE: ClassVar[str] = "pot.awarded"
    seat: Seat
    amount_cents: Cents
    pot: Annotated[int, Field(ge=0, le=13)] = 0
    part: Literal["whole", "high", "low"] = "whole"


class ProgressiveContributed(Said):
    """A share of a progressive wager moved its meter; `meter_cents` is the meter after it."""

    TYPE: ClassVar[str] = "progressive.contributed"
    meter: Label
    seat: Seat
    amount_cents: Cents
    meter_cents: Cents | None = None


class ProgressivePaid(Said):
    """What a progressive payout did to its meter: `from_meter` says whether it came off it, `meter_cents` is the meter
    after it. That the player was paid is said by `wager.settled`, as of every wager."""

    TYPE: ClassVar[str] = "progressive.paid"
    meter: Label
    seat: Seat
    amount_cents: Cents
    from_meter: bool = True
    meter_cents: Cents | None = None
    bettor: Label | None = None


class RoundCorrected(Said):
    """An earlier event of this round was wrong: this is what it should have said, or (no replacement) it never was."""

    TYPE: ClassVar[str] = "round.corrected"
    corrects_seq: Annotated[int, Field(ge=0, le=MAX_SEQ)]
    reason: Label
    by: Label
    replacement: dict[str, Any] | None = None


class RoundVoided(Said):
    """All hands, or one seat's, are void; wagers go back. Called after the round was closed it must say `by` whom."""

    TYPE: ClassVar[str] = "round.voided"
    reason: Literal[
        "wrong_start",
        "misdeal",
        "stub_count",
        "exposed_card",
        "boxed_cards",
        "device_fault",
        "incorrect_deck",
        "player_option",
        "other",
    ]
    seat: Seat | None = None
    by: Label | None = None


class RoundClosed(Said):
    """The round is over: every wager settled, every card collected. Signed."""

    TYPE: ClassVar[str] = "round.closed"


# --- meters and devices ----------------------------------------------------------------------------------------------


class MeterRead(Said):
    """A progressive meter's value."""

    TYPE: ClassVar[str] = "meter.read"
    meter: Label
    value_cents: Cents


class MeterReset(Said):
    """A meter was set: to its seed after a payout, or by hand."""

    TYPE: ClassVar[str] = "meter.reset"
    meter: Label
    value_cents: Cents
    by: Label | None = None


class DeviceOnline(Said):
    """A device came up; `sees` lists the event types it reports, so that silence can be read."""

    TYPE: ClassVar[str] = "device.online"
    device: Name
    model: Label | None = None
    serial: Label | None = None
    firmware: Label | None = None
    sees: Annotated[list[Label], Field(max_length=64)] | None = None


class DeviceOffline(Said):
    """A device went down."""

    TYPE: ClassVar[str] = "device.offline"
    device: Name
    reason: Label | None = None


DATA_MODELS: tuple[type[Said], ...] = (
    TableOpened,
    TableClosed,
    TableCounted,
    TableFilled,
    TableCredited,
    DealerChanged,
    ScheduleChanged,
    TableHeartbeat,
    PatronSeated,
    PatronLeft,
    CardsIntroduced,
    CardsRemoved,
    DiceIntroduced,
    DiceRemoved,
    ShuffleCompleted,
    CutMade,
    ShufflerFaulted,
    ShoeFaulted,
    EquipmentInspected,
    SealChecked,
    RoundOpened,
    BankOffered,
    BankDeclined,
    BankAccepted,
    WagerPlaced,
    WagerChanged,
    WagerWithdrawn,
    CollectionTaken,
    CollectionWaived,
    CollectionRefunded,
    BetsClosed,
    StartDetermined,
    NoRoll,
    ButtonPlaced,
    CardsDealt,
    StubCounted,
    CardExposed,
    CardBoxed,
    PlayerActed,
    HandShown,
    DiscardRead,
    WagerSettled,
    VigorishTaken,
    EnvyPaid,
    PotAwarded,
    ProgressiveContributed,
    ProgressivePaid,
    RoundCorrected,
    RoundVoided,
    RoundClosed,
    MeterRead,
    MeterReset,
    DeviceOnline,
    DeviceOffline,
)

ROUND_GROUP = DATA_MODELS[DATA_MODELS.index(RoundOpened) : DATA_MODELS.index(MeterRead)]
"""Events that belong to one round and must name it in `subject`."""


# --- earlier versions ------------------------------------------------------------------------------------------------


class Earlier(Said):
    """Base of what events said in an earlier version of their type."""

    def in_newest_words(self) -> Said:
        """The same in the newest version of the type."""
        raise NotImplementedError(f"{type(self).__name__} does not say what it is in the newest words")


class BankAcceptedV1(Earlier):
    """As version 2, with `posted_cents` for what is now `cover_cents`."""

    TYPE: ClassVar[str] = "bank.accepted"
    VERSION: ClassVar[int] = 1
    seat: Seat
    kind: BankKind
    posted_cents: Cents | None = None
    turn: Annotated[int, Field(ge=1, le=9)] | None = None
    dealer_wager_cents: Cents | None = None
    first_stack: Annotated[int, Field(ge=1, le=14)] | None = None

    def in_newest_words(self) -> BankAccepted:
        # Only the members that were said: the gate counts them, and looks closely where the bytes have another number.
        said = {name: getattr(self, name) for name in self.__pydantic_fields_set__}
        if "posted_cents" in said:
            said["cover_cents"] = said.pop("posted_cents")
        return BankAccepted(**said)


EARLIER_MODELS: tuple[type[Earlier], ...] = (BankAcceptedV1,)
_IN_NEWEST_WORDS = AfterValidator(lambda said: said.in_newest_words())

# --- envelope --------------------------------------------------------------------------------------------------------


def event_type(model: type[Said]) -> str:
    """The CloudEvents `type` of a data model: `muckraker.wager.placed.v1`."""
    return f"muckraker.{model.TYPE}.v{model.VERSION}"


def plain_type(named: str) -> str:
    """`round.opened` of `muckraker.round.opened.v1`, in whatever version; what is no type of ours stays as it is."""
    return re.sub(r"^muckraker\.(.*)\.v\d+$", r"\1", named)


class Event(BaseModel):
    """The CloudEvents envelope with Muckraker's extensions."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)

    specversion: Literal["1.0"]
    id: EventId
    source: Annotated[str, StringConstraints(pattern=r"^/tables/[A-Z0-9-]{1,32}/devices/[a-z0-9-]{1,40}$")]
    type: str
    time: AwareDatetime
    tableid: TableId
    seq: Annotated[int, Field(ge=0, le=MAX_SEQ)]
    prevhash: HexHash
    data: Said
    subject: RoundId | None = None
    datacontenttype: Literal["application/json"] | None = None
    sig: Annotated[str, StringConstraints(pattern=r"^[0-9a-f]{128}$")] | None = None


def _event_model(model: type[Said]) -> type[Event]:
    data: Any = Annotated[model, _IN_NEWEST_WORDS] if issubclass(model, Earlier) else model
    fields: dict[str, Any] = {"type": (Literal[event_type(model)], ...), "data": (data, ...)}
    if is_of_round(model):
        fields["subject"] = (RoundId, ...)
    return create_model(f"{model.__name__}Event", __base__=Event, __doc__=model.__doc__, **fields)


def is_of_round(model: type[Said]) -> bool:
    """Whether such events belong to one round, in whatever version they are said."""
    return model.TYPE in _OF_ROUND


_OF_ROUND = frozenset(model.TYPE for model in ROUND_GROUP)
EVERY_MODEL: tuple[type[Said], ...] = (*DATA_MODELS, *EARLIER_MODELS)
EVENT_MODELS: dict[str, type[Event]] = {event_type(model): _event_model(model) for model in EVERY_MODEL}
DATA_MODEL_OF: dict[str, type[Said]] = {event_type(model): model for model in EVERY_MODEL}
NEWEST_TYPE: dict[str, str] = {model.TYPE: event_type(model) for model in DATA_MODELS}


def read_data(named: str, text: str) -> Said:
    """What `data` of an event of this type says, in the newest words; a ValueError where it cannot say that."""
    said = DATA_MODEL_OF[named].model_validate_json(text)
    return said.in_newest_words() if isinstance(said, Earlier) else said


_ANY_MODEL: Any = Union[tuple(EVENT_MODELS.values())]  # noqa: UP007 - a union built at run time cannot be spelled with |
_ANY_EVENT: TypeAdapter[Event] = TypeAdapter(Annotated[_ANY_MODEL, Field(discriminator="type")])

# The validator itself, past the adapter's wrapper and without one of ours: each costs a tenth of the whole.
parse_event: Callable[[bytes], Event] = _ANY_EVENT.validator.validate_json
"""One event from its bytes; a pydantic ValidationError says what is wrong with it and where."""
