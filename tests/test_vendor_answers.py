"""What docs/events.md tells a vendor under "Questions", each answer tried: the events as it says, and what is made of
them. The examples on the page are run through `muckraker validate`."""

from __future__ import annotations

import json
import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from ingest.chain import public_key, verify
from ingest.simulator import default_plan, simulate
from replay.stream import Replay
from schemas.admitted import Admitted
from schemas.events import DATA_MODEL_OF, is_of_round, parse_event
from tests.console.conftest import call_command
from tests.ingest.device import TableDevice

ROOT = Path(__file__).resolve().parents[1]
PAGE = (ROOT / "docs" / "events.md").read_text(encoding="utf-8")
EXAMPLE = ROOT / "docs" / "example-events.jsonl"


class Table:
    """A baccarat table that says what a test has it say."""

    def __init__(self, **options: Any) -> None:
        self.device = TableDevice("BAC-03")
        self.raws: list[bytes] = []
        self.number = 0
        self.say("table.opened", gaming_day="2026-11-01", pack="ca/supreme_baccarat", version="1.0", options=options)
        self.say("cards.introduced", deck="shoe-1", decks=8)

    @property
    def hand(self) -> str:
        return f"H{self.number}"

    def say(self, kind: str, /, **data: Any) -> None:
        round_event = is_of_round(DATA_MODEL_OF[f"muckraker.{kind}.v1"])
        self.raws.append(self.device.say(kind, self.hand if round_event else None, **data))

    def open(self, wagers: list[tuple[Any, ...]], posted: int | None = 100_000, fee: int | None = 100) -> None:
        """`wagers`: seat, wager, cents and perhaps the bettor."""
        self.number += 1
        self.say("round.opened")
        self.say("bank.accepted", seat=1, kind="player_dealer", **({} if posted is None else {"posted_cents": posted}))
        for seat, wager, cents, *bettor in wagers:
            said = {"bettor": bettor[0]} if bettor else {}
            self.say("wager.placed", seat=seat, wager=wager, amount_cents=cents, **said)
        if fee is not None:
            self.fee(fee)
        self.say("bets.closed")

    def fee(self, cents: int = 100, box: str = "table") -> None:
        self.say("collection.taken", payer="player_dealer", seat=1, amount_cents=cents, box=box)

    def deal(self, *cards: str, **said: Any) -> None:
        self.say("cards.dealt", cards=list(cards), **said)

    def settle(self, seat: int, wager: str, outcome: str, paid: int = 0, taken: int = 0, **said: Any) -> None:
        self.say("wager.settled", seat=seat, wager=wager, outcome=outcome, paid_cents=paid, taken_cents=taken, **said)

    def rack(self, *cards: str, mode: str = "inserted") -> None:
        self.say("discard.read", mode=mode, cards=list(cards))

    def plain(self, mode: str = "inserted") -> None:
        """A whole round: Player has 9, Banker 5, and seat 2 wins $25."""
        self.open([(2, "player", 2500)])
        self.deal("9h", "Kd", "Ks", "5c")
        self.settle(2, "player", "win", paid=2500)
        self.rack("9h", "Ks", "Kd", "5c", mode=mode)
        self.say("round.closed")

    def judged(self) -> tuple[list[str], list[str]]:
        """The verdicts, and the codes found."""
        replay = Replay()
        for offset, raw in enumerate(self.raws):
            replay.feed(Admitted(offset, raw, parse_event(raw), 0))
        cut = replay.cut()
        newest: dict[str, str] = {}
        for row in cut.rounds.select(["round_id", "version", "verdict"]).sort_by("version").to_pylist():
            newest[row["round_id"]] = row["verdict"]
        return list(newest.values()), [finding.code for finding in cut.findings]


FINE: tuple[list[str], list[str]] = (["verified"], [])


def test_a_plain_round_is_what_it_should_be() -> None:
    table = Table()
    table.plain()
    assert table.judged() == FINE


# --- the rack ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["inserted", "scan"])
def test_an_emptied_rack_is_told_by_an_empty_scan(mode: str) -> None:
    """The next scan is longer than what lay there before, so that nothing but the empty scan tells."""
    table = Table()
    table.plain()
    table.open([(2, "player", 2500)])
    table.rack(mode="scan")
    table.deal("2h", "Kd", "Ks", "Qc", "7d", "3c")  # Player 2 and 0, then 7; Banker 0 and 0, then 3
    table.settle(2, "player", "win", paid=2500)
    table.rack("2h", "Ks", "7d", "Kd", "Qc", "3c", mode=mode)
    table.say("round.closed")
    assert table.judged() == (["verified"] * 2, [])


def test_a_rack_emptied_before_the_round_is_closed_keeps_what_was_inserted() -> None:
    table = Table()
    table.open([(2, "player", 2500)])
    table.deal("9h", "Kd", "Ks", "5c")
    table.settle(2, "player", "win", paid=2500)
    table.rack("9h", "Ks", "Kd", "5c")
    table.rack(mode="scan")
    table.say("round.closed")
    table.plain(mode="scan")
    assert table.judged() == (["verified"] * 2, [])


def test_a_new_shoe_is_told_by_removing_the_old_one_and_introducing_the_new_one() -> None:
    table = Table()
    table.plain(mode="scan")
    table.say("cards.removed", deck="shoe-1", reason="shoe_ended")
    table.say("cards.introduced", deck="shoe-2", decks=8)
    table.plain(mode="scan")
    assert table.judged() == (["verified"] * 2, [])


def test_burned_cards_are_dealt_to_burn_and_do_not_lie_in_the_rack() -> None:
    table = Table()
    table.open([(2, "player", 2500)])
    table.deal("3s", to="burn")
    table.deal("9h", "Kd", "Ks", "5c")
    table.settle(2, "player", "win", paid=2500)
    table.rack("9h", "Ks", "Kd", "5c")
    table.say("round.closed")
    assert table.judged() == FINE


@pytest.mark.parametrize("read", [True, False])
def test_a_void_round_need_not_be_read(read: bool) -> None:
    table = Table()
    table.open([(2, "player", 2500)])
    table.deal("9h", "Kd", "Ks")
    table.say("round.voided", reason="misdeal")
    table.settle(2, "player", "void")
    if read:
        table.rack("9h", "Ks", "Kd")
    table.say("round.closed")
    table.plain()
    assert table.judged() == (["void", "verified"], [])


# --- cover ------------------------------------------------------------------------------------------------------------


def short_of_cover(posted: int | None) -> Table:
    """Banker's first card is an ace, so the action button is at seat 2; the Player line wins."""
    table = Table()
    table.open([(2, "player", 2500), (3, "player", 5000), (4, "player", 2500)], posted=posted, fee=300)
    table.deal("9h", "Ad", "Ks", "4c")
    table.say("button.placed", purpose="action", place=2, card="Ad")
    return table


def closed(table: Table) -> tuple[list[str], list[str]]:
    table.rack("9h", "Ks", "Ad", "4c")
    table.say("round.closed")
    return table.judged()


def test_part_cover_is_a_win_or_a_loss_of_the_covered_part_and_none_is_no_action() -> None:
    table = short_of_cover(5000)
    table.settle(2, "player", "win", paid=2500)
    table.settle(3, "player", "win", paid=2500)  # of $50 the $25 that are left; the other $25 go back
    table.settle(4, "player", "no_action")
    assert closed(table) == FINE


def test_posted_cents_left_out_is_no_limit() -> None:
    table = short_of_cover(None)
    for seat, cents in ((2, 2500), (3, 5000), (4, 2500)):
        table.settle(seat, "player", "win", paid=cents)
    verdicts, codes = closed(table)
    assert verdicts == ["verified"] and not [code for code in codes if code.startswith("SETTLE")]


@pytest.mark.parametrize(("first", "second"), [("B1", "B2"), ("B2", "B1")])
def test_of_two_backline_bettors_the_one_whose_wager_was_said_first_is_covered_first(first: str, second: str) -> None:
    table = Table()
    table.open([(2, "player", 2500), (2, "player", 2500, first), (2, "player", 2500, second)], posted=5000, fee=100)
    table.deal("9h", "Ad", "Ks", "4c")
    table.say("button.placed", purpose="action", place=2, card="Ad")
    table.settle(2, "player", "win", paid=2500)
    table.settle(2, "player", "win", paid=2500, bettor=first)
    table.settle(2, "player", "no_action", bettor=second)
    assert closed(table) == FINE


# --- fees -------------------------------------------------------------------------------------------------------------


def test_a_fee_in_another_box_than_the_filed_one_is_a_finding() -> None:
    for filed, said, fine in (("table", "table", True), ("north", "north", True), ("table", "north", False)):
        table = Table(drop_box=filed)
        table.open([(2, "player", 2500)], fee=None)
        table.fee(box=said)
        table.deal("9h", "Kd", "Ks", "5c")
        table.settle(2, "player", "win", paid=2500)
        table.rack("9h", "Ks", "Kd", "5c")
        table.say("round.closed")
        assert (table.judged() == FINE) is fine, (filed, said)


@pytest.mark.parametrize("by_itself", [True, False])
def test_a_fee_before_the_first_card_is_told_only_where_that_card_was_said_by_itself(by_itself: bool) -> None:
    table = Table(schedule="california_games_1")
    table.open([(2, "player", 2500)], fee=None)
    table.fee()  # too early: the schedule takes it after the first card
    if by_itself:
        table.deal("9h")
        table.deal("Kd", "Ks", "5c")
    else:
        table.deal("9h", "Kd", "Ks", "5c")
    table.settle(2, "player", "win", paid=2500)
    table.rack("9h", "Ks", "Kd", "5c")
    table.say("round.closed")
    _, codes = table.judged()
    assert any(code.startswith("FEE") for code in codes) is by_itself, codes


# --- void hands -------------------------------------------------------------------------------------------------------


def test_one_seats_hand_is_voided_by_round_voided_with_the_seat() -> None:
    table = Table()
    table.open([(2, "player", 2500), (3, "player", 2500)])
    table.deal("9h", "Kd", "Ks", "5c")
    table.say("round.voided", reason="player_option", seat=3)
    table.settle(2, "player", "win", paid=2500)
    table.settle(3, "player", "void")
    table.rack("9h", "Ks", "Kd", "5c")
    table.say("round.closed")
    assert table.judged() == FINE


# --- pai gow poker, from simulated tables -----------------------------------------------------------------------------

Said = list[dict[str, Any]]


def pai_gow_rounds(tables: int = 6, rounds: int = 40) -> list[Said]:
    """Each pai gow poker table's day, as it was said."""
    streams: dict[str, Said] = {}
    for table_id, raw in simulate(default_plan(seed=9, tables=tables, rounds=rounds, gaming_day=date(2026, 11, 17))):
        if table_id.startswith("PG"):
            streams.setdefault(table_id, []).append(json.loads(raw))
    return list(streams.values())


def verdicts_of(said: Said) -> tuple[dict[str, str], dict[str, list[str]]]:
    """Each round's verdict and findings; the events are numbered anew."""
    replay = Replay()
    for seq, members in enumerate(said):
        raw = json.dumps(members | {"seq": seq}).encode()
        replay.feed(Admitted(seq, raw, parse_event(raw), 0))
    cut = replay.cut()
    found: dict[str, list[str]] = {}
    for finding in cut.findings:
        found.setdefault(finding.round_id or "", []).append(finding.code)
    rounds = cut.rounds.select(["round_id", "verdict"]).to_pylist()
    return {row["round_id"]: row["verdict"] for row in rounds}, found


def kind_of(members: dict[str, Any]) -> str:
    return str(members["type"]).removeprefix("muckraker.").removesuffix(".v1")


def _is_alone(said: Said, settled: dict[str, Any]) -> bool:
    """Whether it is the only wager of its seat in its round."""
    here = [other for other in said if other.get("subject") == settled["subject"] and kind_of(other) == "wager.placed"]
    return [other["data"]["seat"] for other in here].count(settled["data"]["seat"]) == 1


@pytest.mark.parametrize("way", ["round.voided", "player.acted"])
def test_a_pai_gow_hand_is_voided_either_way_and_its_stake_goes_back(way: str) -> None:
    said = pai_gow_rounds(tables=1)[0]
    clean, _ = verdicts_of(said)
    at, members = next(
        (at, members)
        for at, members in enumerate(said)
        if kind_of(members) == "wager.settled"
        and members["data"]["outcome"] == "lose"
        and clean[members["subject"]] == "verified"
        and _is_alone(said, members)
    )
    data, round_id = members["data"], str(members["subject"])
    void = {"reason": "player_option"} if way == "round.voided" else {"action": "void_hand"}
    event = members | {"type": f"muckraker.{way}.v1", "data": {"seat": data["seat"], **void}}
    event.pop("sig", None)
    back = members | {"data": {"seat": data["seat"], "wager": data["wager"], "outcome": "void"}}
    verdicts, found = verdicts_of([*said[:at], event, back, *said[at + 1 :]])
    assert verdicts[round_id] == "verified", found.get(round_id)


def test_a_surrendered_stake_is_taken_and_no_sum_is_negative() -> None:
    surrendered = [
        members["data"]
        for said in pai_gow_rounds()
        for members in said
        if kind_of(members) == "wager.settled" and members["data"]["outcome"] == "surrender"
    ]
    assert surrendered
    assert all(data["taken_cents"] > 0 and data.get("paid_cents", 0) == 0 for data in surrendered)


def test_a_later_showing_of_the_same_seven_cards_changes_nothing() -> None:
    said = pai_gow_rounds(tables=1)[0]
    clean = verdicts_of(said)
    at, members = next(
        (at, members)
        for at, members in enumerate(said)
        if kind_of(members) == "hand.shown" and members["data"]["place"]
    )
    data = members["data"]
    cards = [*data["low"], *data["high"]]
    again = members | {"data": data | {"low": cards[-2:], "high": cards[:-2]}}
    verdicts, found = verdicts_of([*said[: at + 1], again, *said[at + 1 :]])
    assert (verdicts, found) == clean


# --- the examples of the page -----------------------------------------------------------------------------------------


def test_every_example_among_the_questions_passes_validate(tmp_path: Path) -> None:
    """Each line is the type and the data of an event; as whole events they are valid."""
    blocks = re.findall(r"^```jsonl\n(.*?)^```$", PAGE.partition("## Questions")[2], re.MULTILINE | re.DOTALL)
    assert len(blocks) >= 8
    for block in blocks:
        device = TableDevice("BAC-03")
        raws = []
        for line in block.splitlines():
            said = json.loads(line)
            kind = said["type"]
            of_round = is_of_round(DATA_MODEL_OF[f"muckraker.{kind}.v1"])
            raws.append(device.say(kind, "R1" if of_round else None, **said["data"]))
        file = tmp_path / "example.jsonl"
        file.write_bytes(b"\n".join(raws))
        result = call_command("validate", file)
        assert result.exit_code == 0, (block, result.output)


def test_the_example_file_is_right_to_the_last_byte_and_is_verified(tmp_path: Path) -> None:
    (public,) = re.findall(r"--key BAC-03=([0-9a-f]{64})", PAGE)
    result = call_command("validate", EXAMPLE, "--strict", "--key", f"BAC-03={public}")
    assert result.exit_code == 0 and "0 mistakes" in result.output, result.output
    home = tmp_path / "home"
    assert call_command("keys", "add", "BAC-03", public, "--home", home).exit_code == 0
    assert call_command("ingest", EXAMPLE, "--home", home).exit_code == 0
    assert call_command("run", "--home", home).exit_code == 0
    rounds = [json.loads(line) for line in call_command("rounds", "--json", "--home", home).stdout.splitlines()]
    assert {(row["verdict"], row["attested"]) for row in rounds} == {("verified", True), ("void", True)}
    found = [
        json.loads(line)["code"] for line in call_command("findings", "--json", "--home", home).stdout.splitlines()
    ]
    assert [code for code in found if not code.startswith("QUALITY")] == []
    signed = [raw for raw in EXAMPLE.read_bytes().splitlines() if b'"sig"' in raw]
    assert signed and all(verify(raw, public_key(public)) for raw in signed)
