"""Rows of printed tables in words: they say what the table pays and charges, at both ends of every row."""

from __future__ import annotations

import re

import numpy as np
import pytest

from replay.filing import load_pack, pack_ids
from replay.money.fees import fee, rows_in_words
from schemas.money import parse_dollars as cents

ROW = re.compile(r"on (.+) of (\$[\d,.]+) (?:to (\$[\d,.]+)|or more) (the [\w-]+) pays (\$[\d,.]+)")
PLAYERS = re.compile(r"with (\d+) players?(| or fewer| or more) dealt in the pot pays (\$[\d,.]+)")


def test_the_bands_of_every_fee_schedule() -> None:
    looked = 0
    for pack_id in pack_ids():
        for schedule in load_pack(pack_id).fees.values():
            for part in schedule.parts:
                for cited in rows_in_words(part):
                    if dealt := PLAYERS.fullmatch(cited.row or ""):
                        other = int(dealt[1]) + {"": 0, " or fewer": -1, " or more": 3}[dealt[2]]
                        assert fee(part, np.array([int(dealt[1]), other])).tolist() == [cents(dealt[3])] * 2
                        looked += 1
                        continue
                    found = ROW.fullmatch(cited.row or "")
                    assert found is not None, cited.row
                    ends = [cents(found[2]), cents(found[3]) if found[3] else 10**9]
                    assert fee(part, np.array(ends)).tolist() == [cents(found[5])] * 2
                    assert found[4] == {"player": "the player", "player_dealer": "the player-dealer"}[part.payer]
                    looked += 1
    assert looked > 20


def test_a_band_as_the_text_prints_it() -> None:
    """CA, option 1: "$300 - $499 $6"."""
    part = load_pack("ca/supreme_baccarat").fees["own_1"].parts[0]
    assert rows_in_words(part)[2].explained == (
        "CA Supreme Baccarat, Wagering Limits and Collection Fees, option 1: on a total table action of $300.00 to "
        "$499.99 the player-dealer pays $6.00"
    )


@pytest.mark.parametrize(
    ("pack_id", "paytable", "at", "said"),
    [
        ("ca/supreme_baccarat", "total_shot", 0, "CA Supreme Baccarat, Total Shot: total 18 pays 40 to 1"),
        (
            "ma/pai_gow_poker",
            "fortune-a",
            0,
            "MA-PGP §16(b) Paytable A: seven card straight flush natural pays 8,000 to 1, and an envy bonus of "
            "$5,000.00",
        ),
        ("ma/pai_gow_poker", "fortune-a", -1, "MA-PGP §16(b) Paytable A: straight pays 2 to 1"),
        (
            "ca/supreme_baccarat",
            "banker",
            1,
            "CA Supreme Baccarat, Betting Scheme 3(c): “Banker line winning Baccarat Score Total of (6) which pays "
            "1 to 2”",
        ),
    ],
)
def test_a_row_of_a_pay_table(pack_id: str, paytable: str, at: int, said: str) -> None:
    table = load_pack(pack_id).paytables[paytable]
    assert table.cite_of(table.rows[at]).explained == said
