"""Events in any order, about anything, from devices that contradict each other: a verdict each time, never a crash."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

from replay.explain import explain_round
from replay.lake_rounds import reaudit
from replay.stream import Replay
from schemas.admitted import AdmittedFlag
from schemas.cards import CARD_NAMES
from schemas.findings import Verdict, findings_table
from tests.replay.fed import FedHistory
from tests.replay.tape import Tape

FILINGS: list[tuple[str, dict[str, Any]]] = [
    ("ca/supreme_baccarat", {}),
    ("ca/supreme_baccarat", {"decks": 1, "schedule": "own_2"}),
    ("ca/supreme_baccarat", {"seats": 14, "schedule": "california_games_2"}),
    ("ma/pai_gow_poker", {}),
    ("ma/supreme_pai_gow", {"banking": "bank_and_co_bank"}),
    ("ma/supreme_pai_gow", {"banking": "bank", "dealing": "hand", "starting": "rng"}),
    ("ca/fortune_pai_gow", {}),
    ("ca/fortune_pai_gow", {"schedule": "california_games_1", "rearranged": True}),
    ("ma/pai_gow_poker", {"dealing": "automated_shoe", "starting": "button", "decks": 2}),
    ("ma/pai_gow_poker", {"dealing": "hand", "fortune_paytable": "C", "surrendered_bonus": "forfeited"}),
]


def anything(rng: random.Random) -> tuple[str, dict[str, Any]]:
    """One event a device is allowed to say, whatever sense it makes."""
    seat, place = rng.randint(1, 14), rng.randint(0, 14)
    games = ["pai_gow", "fortune", "supreme_pai_gow", "bonus", "bank", "fortune_pai_gow", "player", "banker", "tie"]
    wager = rng.choice([*games, "total_shot", "no_such_wager"])
    cents = rng.choice([1, 99, 100, 500, 501, 2_500, 10**6, 10**12])
    whose: dict[str, Any] = rng.choice([{}, {}, {"bettor": "B1"}])

    def cards(*counts: int) -> list[str]:
        return [rng.choice(CARD_NAMES) for _ in range(rng.choice(counts))]

    on_the_spot = {"seat": seat, "wager": wager, **whose}
    shown = rng.choice(
        [
            {"low": cards(2), "high": cards(2, 5)},
            {"cards": cards(4, 7)},
            {"low": cards(8), "high": cards(8), "cards": cards(16), "rest": cards(8)},
            {},
        ]
    )
    settled = {"outcome": rng.choice(["win", "lose", "push", "surrender", "no_action", "void"])}
    said: list[Callable[[], tuple[str, dict[str, Any]]]] = [
        lambda: ("bank.accepted", {"seat": seat, "kind": "player_dealer", "posted_cents": cents}),
        lambda: ("bank.accepted", {"seat": seat, "kind": rng.choice(["bank", "co_bank"]), "dealer_wager_cents": cents}),
        lambda: ("wager.placed", {**on_the_spot, "amount_cents": cents}),
        lambda: ("wager.changed", {**on_the_spot, "amount_cents": cents}),
        lambda: ("wager.withdrawn", on_the_spot),
        lambda: ("collection.taken", {"payer": "player_dealer", "amount_cents": cents, "box": "table"}),
        lambda: ("collection.taken", {"payer": "player", "seat": seat, "amount_cents": cents, "box": "left"}),
        lambda: ("bets.closed", {}),
        lambda: ("start.determined", {"method": "dice", "place": place, "dice": [1, 2, rng.randint(1, 6)]}),
        lambda: ("start.determined", {"method": rng.choice(["rng", "button"]), "place": place}),
        lambda: ("button.placed", {"purpose": "action", "place": place}),
        lambda: ("cards.dealt", {"cards": cards(1, 4, 7, 49, 60)}),
        lambda: ("stub.counted", {"count": rng.choice([0, 3, 4, 60])}),
        lambda: ("card.exposed", {"place": place}),
        lambda: ("card.boxed", {}),
        lambda: ("player.acted", {"seat": seat, "action": rng.choice(["surrender", "hit"])}),
        lambda: ("hand.shown", {"place": place, **shown}),
        lambda: ("discard.read", {"mode": rng.choice(["inserted", "scan"]), "cards": cards(0, 4, 5, 6, 7, 60, 400)}),
        lambda: ("discard.read", {"mode": "scan", "cards": rng.sample(CARD_NAMES[:53], 53)}),
        lambda: ("wager.settled", {**on_the_spot, **settled, "paid_cents": cents, "taken_cents": cents}),
        lambda: ("vigorish.taken", {"seat": seat, "wager": wager, "amount_cents": cents}),
        lambda: ("envy.paid", {"seat": seat, "for_seat": rng.randint(1, 14), "amount_cents": cents}),
        lambda: ("round.voided", {"reason": "other", **rng.choice([{}, {"seat": seat}])}),
        lambda: ("round.corrected", {"corrects_seq": rng.randint(0, 60), "reason": "r", "by": "b"}),
        lambda: ("shoe.faulted", {"fault": "jam"}),
        lambda: ("pot.awarded", {"seat": seat, "amount_cents": cents}),
        lambda: ("patron.seated", {"seat": seat, "patron": rng.choice(["P-1", "P-2", "B1"])}),
        lambda: ("patron.seated", {"seat": rng.randint(1, 4), "patron": rng.choice(["P-1", "B1"])}),
        lambda: ("patron.left", {"seat": seat, **rng.choice([{}, {"patron": "P-1"}])}),
    ]
    return rng.choice(said)()


@pytest.mark.parametrize(
    "seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.exhaustive) for seed in range(4, 12))]
)
def test_whatever_the_devices_say_there_is_a_verdict(seed: int) -> None:
    rng = random.Random(seed)
    for pack, options in FILINGS:
        tape = Tape("PG-07")
        tape.opens(pack, **options)
        for number in range(8):
            tape.round = f"{number:06d}"
            tape.say("round.opened")
            for _ in range(rng.randint(0, 30)):
                event_type, data = anything(rng)
                flags = rng.choice([0] * 20 + [AdmittedFlag.GAP_BEFORE, AdmittedFlag.LATE, AdmittedFlag.CHAIN_BROKEN])
                tape.say(event_type, flags=int(flags), **data)
            if rng.random() < 0.9:
                tape.say("round.closed")
        replay = Replay()
        history = FedHistory()
        replay.restore({}, history)
        for admitted in tape.events:
            history.noted.append(admitted)
            replay.feed(admitted)
        cut = replay.cut()
        assert set(cut.rounds.column("verdict").to_pylist()) <= set(Verdict)
        again, findings = reaudit(cut.rounds)
        assert again.equals(cut.rounds)
        assert findings_table(findings).equals(findings_table(cut.findings))
        for at in range(cut.rounds.num_rows):
            alone, found = reaudit(cut.rounds.slice(at, 1))
            assert alone.equals(cut.rounds.slice(at, 1)), "a round is judged alone as in company"
            report = explain_round(cut.rounds.slice(at, 1))
            assert len(report["findings"]) == len(found)
