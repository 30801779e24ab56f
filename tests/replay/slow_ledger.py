"""The ledger of a round added up a second time, from the events as they were reported and from the lines as they stand
in rounds.parquet, by the slow obvious way; nothing of replay.money.ledger is used for it.
"""

from __future__ import annotations

from collections import defaultdict
from typing import Any

from replay.rounds import PAYERS, Fact

HOUSE = "table inventory"
Net = dict[str, int]


def person(seat: int, bettor: str, bank: int) -> str:
    name = f"seat {seat} {bettor}".strip()
    return f"{name} (player-dealer)" if seat == bank > 0 and not bettor else name


def ledger_of(row: dict[str, Any]) -> tuple[Net, Net]:
    """What should have moved and what was reported to move, net, an account."""
    bank = row["bank_seat"]
    other = person(bank, "", bank) if bank > 0 else HOUSE
    should: Net = defaultdict(int)
    was: Net = defaultdict(int)

    def move(net: Net, source: str, target: str, cents: int) -> None:
        net[source] -= cents
        net[target] += cents

    def fee_payer(seat: int, bettor: str) -> str:
        """A bettor named at several seats is one person, whose fee is charged at the first (rulings.md R-52)."""
        placed = [fact for fact in row["facts"] if fact["kind"] == Fact.WAGER_PLACED and fact["bettor"] == bettor]
        return person(min([seat, *(fact["seat"] for fact in placed)]) if bettor else seat, bettor, bank)

    for line in row["lines"]:
        who = person(line["seat"], line["bettor"], bank)
        if line["kind"] == "fee":
            move(
                should,
                "pot" if line["payer"] == "pot" else fee_payer(line["seat"], line["bettor"]),
                f"drop box {line['choice']}".strip(),
                line["paid_cents"],
            )
        elif line["kind"] == "pot":
            move(should, "pot", who, line["paid_cents"])
        elif line["kind"] == "contribution":
            move(should, "meter funding", f"meter {line['choice']}", line["paid_cents"])
        elif line["kind"] == "meter_payout":
            move(should, f"meter {line['choice']}", "meter funding", line["paid_cents"])
        else:
            move(should, other, who, line["paid_cents"] - line["taken_cents"])
            move(should, who, HOUSE, line["vigorish_cents"])
    for fact in row["facts"]:
        who = person(fact["seat"], fact["bettor"], bank)
        match Fact(fact["kind"]):
            case Fact.SETTLED:
                move(was, other, who, fact["amount"] - fact["taken"])
            case Fact.ENVY:
                move(was, other, who, fact["amount"])
            case Fact.VIGORISH:
                move(was, who, HOUSE, fact["amount"])
            case Fact.COLLECTION | Fact.REFUNDED:
                if PAYERS[fact["code"]] == "player":
                    who = fee_payer(fact["seat"], fact["bettor"])
                if PAYERS[fact["code"]] == "player_dealer" and not fact["seat"]:
                    who = person(bank, "", bank) if bank > 0 else "player-dealer"
                move(
                    was,
                    "pot" if PAYERS[fact["code"]] == "pot" else who,
                    f"drop box {fact['choice']}".strip(),
                    fact["amount"] if fact["kind"] == Fact.COLLECTION else -fact["amount"],
                )
            case Fact.PROGRESSIVE_IN:
                move(was, "meter funding", f"meter {fact['choice']}", fact["amount"])
            case Fact.PROGRESSIVE_OUT:
                if fact["other"] == 1:  # it came off the meter; what the player was paid is settled as a wager
                    move(was, f"meter {fact['choice']}", "meter funding", fact["amount"])
            case Fact.POT:
                move(was, "pot", who, fact["amount"])
            case _:
                pass
    return should, was


def apart(row: dict[str, Any]) -> Net:
    should, was = ledger_of(row)
    net = {account: was.get(account, 0) - should.get(account, 0) for account in {**should, **was}}
    return {account: cents for account, cents in net.items() if cents}


def put_down_to_findings(findings: list[dict[str, Any]]) -> Net:
    net: Net = defaultdict(int)
    for finding in findings:
        for share in finding["accounts"]:
            net[share["account"]] += share["difference_cents"]
    return {account: cents for account, cents in net.items() if cents}


def check(rounds: list[dict[str, Any]], findings: list[dict[str, Any]]) -> int:
    """How many rounds are out by something."""
    of_round = defaultdict(list)
    for finding in findings:
        of_round[finding["table_id"], finding["round_id"], finding["round_version"]].append(finding)
    out = 0
    for row in rounds:
        own = of_round[row["table_id"], row["round_id"], row["version"]]
        where = f"{row['table_id']} {row['round_id']}: {[finding['sentence'] for finding in own]}"
        assert row["verdict"] != "cannot_judge", where
        if not row["judged"]:
            assert put_down_to_findings(own) == {}, where
            continue
        assert apart(row) == put_down_to_findings(own), where
        by_person: Net = defaultdict(int)
        for finding in own:
            assert sum(share["difference_cents"] for share in finding["accounts"]) == 0, finding["sentence"]
            who = "player-dealer"  # seat unknown
            if finding["seat"]:
                who = person(finding["seat"], finding["bettor"] or "", row["bank_seat"])
            shares = {share["account"]: share["difference_cents"] for share in finding["accounts"]}
            assert finding["difference_cents"] == shares.get(who, 0), finding["sentence"]
            by_person[who] += finding["difference_cents"]
        # A finding's own difference is its person's: whoever bets, and is not bet against, has no other share.
        for who, cents in apart(row).items():
            if who.startswith("seat") and "(player-dealer)" not in who:
                assert by_person[who] == cents, where
        out += bool(apart(row))
    return out
