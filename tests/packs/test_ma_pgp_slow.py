"""Pai Gow Poker of MA-PGP, every wager and variant of it, settled beside a slow one that reads the text sentence by
sentence.

Random filings, wagers and hands, the rare hands among them. Where everything was seen the audit's lines are the slow
game's to the cent, and a round reported so is verified; where a device saw less, nothing done right is accused.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from itertools import pairwise

import numpy as np
import pytest

from replay.audit import audit_or_raise
from replay.rounds import OUTCOMES, UNKNOWN, Fact, RoundFlag, RoundRow, batch_of
from replay.verdicts import VERDICTS, Audit
from schemas.cards import codes_of
from schemas.findings import Finding, Verdict
from tests.packs.ma_pgp_hands import Hand, five, formed, foul, pai_gow_high, three_card_class, two
from tests.packs.ma_pgp_rounds import Round, round_of
from tests.packs.ma_pgp_slow import (
    ENVY_FOR,
    QUALIFYING_CENTS,
    Filed,
    Place,
    Settled,
    best,
    settle,
    settle_banked,
    vigorish_on,
)
from tests.packs.ma_pgp_table import hand_of, row_of


def judged(row: RoundRow) -> tuple[Verdict, list[Finding], Audit]:
    audited = audit_or_raise(batch_of([row]))
    return Verdict(VERDICTS[int(audited.verdicts[0])]), audited.findings, audited


# ---- the audit's lines are the slow game's ---------------------------------------------------------------------------


def lines_of(audited: Audit) -> Settled:
    """What the audit says every wager, envy bonus and step of a meter should come to."""
    filed = audited.by_filing[0]
    lines, names, made = filed.checked.lines, filed.batch.names, Settled()
    for at in range(len(lines)):
        seat, wager, meter = int(lines.seat[at]), names[lines.wager[at]], names[lines.choice[at]]
        paid = int(lines.paid[at])
        match Fact(lines.kind[at]):
            case Fact.SETTLED:
                outcome = OUTCOMES[lines.outcome[at]]
                assert int(lines.possible[at]) == 1 << int(lines.outcome[at]), "everything was seen"
                made.lines[seat, wager] = (str(outcome), paid, int(lines.taken[at]))
                if lines.vigorish[at] and paid and filed.checked.vigorish is not None:
                    made.vigorish[seat, wager] = int(filed.checked.vigorish(np.array([paid]))[0])
            case Fact.ENVY:
                made.envy[seat, wager, int(lines.for_seat[at])] = paid
            case Fact.PROGRESSIVE_IN:
                made.put_in[seat, meter] = paid
            case Fact.PROGRESSIVE_OUT:
                made.paid_out[seat, meter] = paid
    return made


def compare(seed: int) -> None:
    made = round_of(seed)
    should = made.settled
    verdict, findings, audited = judged(row_of(made, should))
    found = lines_of(audited)
    assert found.lines == {key: line for key, line in should.lines.items() if key[0]}, made.options
    assert found.vigorish == {key: cents for key, cents in should.vigorish.items() if cents}, made.options
    assert (found.envy, found.put_in, found.paid_out) == (should.envy, should.put_in, should.paid_out), made.options
    assert [finding.sentence for finding in findings] == []
    assert verdict is Verdict.VERIFIED


def report_wrongly(seed: int) -> None:
    """One wager is settled a dollar too high, or pays a dollar though it pushed."""
    rng = random.Random(seed)
    made = round_of(seed)
    wrong = made.settled
    key = rng.choice([key for key in wrong.lines if key[0]])
    outcome, paid, taken = wrong.lines[key]
    wrong.lines[key] = (outcome, paid + 100, taken) if outcome == "win" else ("win", 100, 0)
    verdict, findings, _ = judged(row_of(made, wrong))
    assert verdict is Verdict.DIFFERS
    assert any((finding.seat, finding.wager) == key for finding in findings), (key, findings)


@pytest.mark.parametrize("seed", range(120))
def test_a_round_comes_to_what_the_slow_game_gives(seed: int) -> None:
    compare(seed)


@pytest.mark.parametrize("seed", range(120, 160))
def test_a_wager_reported_otherwise_is_found(seed: int) -> None:
    report_wrongly(seed)


@pytest.mark.exhaustive
@pytest.mark.parametrize("block", range(20))
def test_thousands_of_rounds_come_to_what_the_slow_game_gives(block: int) -> None:
    for seed in range(1000 + 250 * block, 1250 + 250 * block):
        compare(seed)
        report_wrongly(seed)


# ---- what the devices may leave out ----------------------------------------------------------------------------------


def laid_out_anew(made: Round, row: RoundRow, rng: random.Random) -> None:
    """R-51: rearranged and surrendered hands lie in the rack in any order."""
    on_rank = ("fortune", "emperors", "insurance", "dynasty")
    live = [place for place in made.places.values() if not (place.surrenders and made.filed.forfeits)]
    qualifying = any(place.wagers.get(wager, 0) >= QUALIFYING_CENTS for place in live for wager in ENVY_FOR)
    rack = list(row.rack)
    for seat, place in made.places.items():
        own = place in live and any(wager in place.wagers for wager in on_rank)
        if seat != made.bank_seat and (qualifying or own or place.surrenders):
            start = min(rack.index(code) for code in codes_of(list(hand_of(made, seat))))
            rack[start : start + 7] = rng.sample(rack[start : start + 7], 7)
    row.rack = bytes(rack)


def nothing_shown(made: Round, row: RoundRow, rng: random.Random) -> None:
    row.shown = []


def some_shown(made: Round, row: RoundRow, rng: random.Random) -> None:
    row.shown = [hand for hand in row.shown if rng.random() < 0.5]


def no_rack(made: Round, row: RoundRow, rng: random.Random) -> None:
    row.rack = b""
    row.fixed.update(rack_first_seq=UNKNOWN, rack_last_seq=UNKNOWN)
    row.fixed["flags"] &= ~int(RoundFlag.RACK_READ)


def no_deal(made: Round, row: RoundRow, rng: random.Random) -> None:
    row.dealt, row.dealt_place = b"", []
    row.fixed.update(first_card_seq=UNKNOWN, first_card_count=UNKNOWN, last_card_seq=UNKNOWN)
    row.fixed["flags"] &= ~int(RoundFlag.DEAL_READ)


def no_start(made: Round, row: RoundRow, rng: random.Random) -> None:
    row.fixed.update(start_seq=UNKNOWN, start_place=UNKNOWN, start_number=UNKNOWN, start_method=UNKNOWN)


LESS = {
    "hands laid out anew": (laid_out_anew,),
    "no hand shown": (laid_out_anew, nothing_shown),
    "some hands shown": (laid_out_anew, some_shown),
    "no rack": (no_rack,),
    "no deal": (no_deal,),
    "no number": (no_start,),
    "nothing but the rack": (laid_out_anew, nothing_shown, no_deal, no_start),
}


def see_less(seed: int, less: tuple[Callable[[Round, RoundRow, random.Random], None], ...]) -> Verdict:
    """Nothing is said of a round that was done right but that a foul hand may have been one."""
    made = round_of(seed)
    row = row_of(made)
    for leave_out in less:
        leave_out(made, row, random.Random(seed))
    verdict, findings, _ = judged(row)
    fouled = {seat for seat, place in made.places.items() if foul(place.low, place.high, made.filed.wheel_lowest)}
    accused = [
        one for one in findings if one.code != "RACK-322" and not (one.code == "FOUL-403" and one.seat in fouled)
    ]
    assert [one.sentence for one in accused] == []
    assert verdict in (Verdict.VERIFIED, Verdict.CANNOT_TELL)
    return verdict


@pytest.mark.parametrize("less", LESS)
def test_nobody_is_accused_where_less_was_seen(less: str) -> None:
    verdicts = {see_less(seed, LESS[less]) for seed in range(25)}
    assert Verdict.VERIFIED in verdicts


@pytest.mark.exhaustive
@pytest.mark.parametrize("less", LESS)
def test_nobody_is_accused_where_less_was_seen_in_many_rounds(less: str) -> None:
    for seed in range(8000, 8500):
        see_less(seed, LESS[less])


# ---- the slow game itself, against what the text says in so many words -----------------------------------------------


def cards(written: str) -> Hand:
    return tuple(sorted(written.split()))


@pytest.mark.parametrize(
    ("held", "includes", "excludes"),
    [
        ("9s 8s 7s 6s 5s 4s 3s", {"seven_natural", "seven", "straight_flush_natural"}, {"seven_joker", "royal_flush"}),
        ("As 2s 3s 4s 5s 6s 7s", {"seven_natural", "natural_wheel"}, {"natural_wheel_and_AQ"}),
        ("9s 8s X1 6s 5s 4s 3s", {"seven_joker", "seven", "straight_flush_joker"}, {"seven_natural"}),
        ("Qs Ks As 2s 3s 4s 5s", {"natural_wheel"}, {"seven", "royal_flush"}),  # no run goes round the ace
        ("As Ks Qs Js Ts Kd Qd", {"royal_and_KQ", "natural_royal"}, {"royal_and_AK", "natural_royal_and_pair"}),
        ("X1 Ks Qs Js Ts Ad Kd", {"royal_and_AK", "royal_flush"}, {"natural_royal", "royal_and_KQ"}),
        ("As Ks Qs Js Ts X1 Kd", {"natural_royal"}, {"royal_and_AK", "natural_royal_and_pair"}),
        ("As Ks Qs Js Ts X1 Ad", {"natural_royal_and_pair"}, {"five_aces"}),  # the joker and an ace are a pair
        ("As Ks Qs Js Ts Ad Qd", {"natural_royal_and_AQ"}, {"royal_and_AK"}),
        ("As 2s 3s 4s 5s Ad Qd", {"natural_wheel_and_AQ"}, {"royal_flush"}),
        ("X1 2s 3s 4s 5s Ad Qd", {"straight_flush_joker"}, {"natural_wheel", "natural_wheel_and_AQ"}),
        ("As Ad Ac Ah X1 9d 9c", {"five_aces", "five_aces_and_pair", "full_house"}, {"royal_flush"}),
        ("As Ad Ac Ah X1 9d 8c", {"five_aces", "four_of_a_kind"}, {"five_aces_and_pair"}),
        ("7s 7d 7c 7h 9s 9d 2c", {"four_of_a_kind_and_pair", "full_house"}, {"full_house_and_pair"}),
        ("7s 7d 7c 9s 9d 2c 2d", {"full_house_and_pair"}, {"four_of_a_kind"}),
        ("7s 7d 7c 9s 9d 9c 2d", {"full_house"}, {"full_house_and_pair"}),
        ("Ks Js 9s 6s 3s 3d Kd", {"flush"}, {"flush_and_pair"}),  # a pair beside five spades needs two more cards
        ("Ks Js 9s 6s 3s 2s 2d", {"flush_and_pair"}, {"straight"}),
        ("Ks Js 9s 6s X1 2c 2d", {"flush_and_pair"}, {"straight"}),
        ("9s 8d 7c 6h 5s 4s 4d", {"straight_and_pair"}, {"flush"}),
        ("Ks Kd Qs Qd Js Jd 2c", {"three_pair"}, {"three_of_a_kind"}),
        ("X1 Ad Qs Qd 9s 9d 2c", {"three_pair"}, {"full_house"}),
    ],
)
def test_what_seven_cards_form(held: str, includes: set[str], excludes: set[str]) -> None:
    found = formed(cards(held))
    assert includes <= found
    assert not excludes & found


@pytest.mark.parametrize(
    ("held", "insurance", "protection"),
    [
        ("9s 8d 7c 5h 4s 3s 2d", "9", "9"),
        ("Ks 8d 7c 5h 4s 3s 2d", "K", "K"),
        ("X1 9d 8c 7h 6s 3s 2d", "A", None),  # the joker is an ace of the insurance wager, and elsewhere a straight
        ("X1 Kd Qc Jh Ts 3s 2d", None, None),  # A-K-Q-J-10 it completes as an ace too
        ("X1 9s 7s 5s 3s Qd Td", "A", None),  # a flush
        ("X1 As 7d 5s 3c Qd Td", None, None),  # a pair of aces
        ("X1 8d 7c 6h 4s Ks Jd", "A", None),  # the 5
        ("X1 Qs 9d 8c 6h 4s 2d", "A", "A"),
        ("9s 8s 7s 6d 5c 3h 2d", None, None),
    ],
)
def test_pai_gows(held: str, insurance: str | None, protection: str | None) -> None:
    assert (pai_gow_high(cards(held), True), pai_gow_high(cards(held), False)) == (insurance, protection)


@pytest.mark.parametrize(
    ("held", "kind"),
    [
        ("4s 5s 6s", "straight_flush_natural"),
        ("As 2s 3s", "straight_flush_natural"),
        ("As Ks 2s", "flush"),
        ("4s 6s X1", "straight_flush"),
        ("4s 7s X1", "flush"),
        ("4s 6d X1", "straight"),
        ("4s 7d X1", None),
        ("As Ad X1", "three_of_a_kind"),
        ("As 9d X1", "pair"),
        ("As Kd X1", "straight"),
        ("9s 9d X1", "pair"),
        ("9s 9d 9c", "three_of_a_kind"),
    ],
)
def test_three_cards(held: str, kind: str | None) -> None:
    assert three_card_class(cards(held)) == kind


def test_ranks_of_hands_set() -> None:
    ascending = (
        *("Ks Qd 9c 7h 2s", "2s 2d Ac Kh Qs", "3s 3d 2c 2h As", "2s 2d 2c Ah Ks", "6s 5d 4c 3h 2s"),
        *("Ks Qd Jc Th 9s", "As 5d 4c 3h 2s", "As Kd Qc Jh Ts", "Ks 9s 7s 5s 3s", "X1 9s 7s 5s 3s", "As 9s 7s 5s 4s"),
        *("2s 2d 2c 3h 3s", "2s 2d 2c 2h 3s", "6s 5s 4s 3s 2s", "Ks Qs Js Ts 9s", "As 5s 4s 3s 2s"),
        *("As Ks Qs Js Ts", "As Ad Ac Ah X1"),
    )
    worth = [five(cards(hand)) for hand in ascending]
    assert all(one < next_one for one, next_one in pairwise(worth))
    assert five(cards("X1 9s 7s 5s 3s")) == five(cards("As 9s 7s 5s 3s"))  # the highest card not held
    assert five(cards("X1 As 7s 5s 3s")) == five(cards("As Ks 7s 5s 3s"))
    assert five(cards("As 5d 4c 3h 2s"), True) < five(cards("6s 5d 4c 3h 2s"), True)  # the option of §3(d)
    assert two(("X1", "Kd")) > two(("Kd", "Qc")) and two(("X1", "Ad")) == two(("As", "Ad"))
    assert not foul(("7s", "7d"), ("7c", "7h", "2s", "3d", "5c"), False), "§9(a): equal or higher"
    assert foul(("7s", "7d"), ("6c", "6h", "As", "Kd", "Qc"), False)


def test_vigorish() -> None:
    """5% of the win: $10.01 is 50.05¢, by quarters 75¢; $10.10 is 50.5¢, half a cent goes up (R-23)."""
    assert [vigorish_on(won, True) for won in (1000, 1001, 1009, 1010)] == [50, 50, 50, 51]
    assert [vigorish_on(won, False) for won in (1000, 1001, 500, 501, 0)] == [50, 75, 25, 50, 0]


WIN = Place({"pai_gow": 5000}, cards("Ks Kd"), cards("9s 9d 9h 4c 2d"))
DEALER = (cards("Kc Jd"), cards("Qs Qh 9c 7c 4s"))
DRAGON = (cards("9s Jd"), cards("Qs 8h 6c 5c 2s"))


def test_a_bank_an_odd_cent_and_the_dealers_wager() -> None:
    """$50.00 is due and nothing lost: a bank brings it, a co-bank half of it. The dealer loses $10.01 to the centre."""
    weak = (cards("3c 4d"), cards("Ts 8c 7d 6d 2s"))
    bank = settle_banked(Filed(), {3: WIN}, 2, DEALER, co_bank=False, dealer=weak, dealer_wager=1001)
    assert bank.lines[2, "bank"] == ("lose", 0, 3999)
    co_bank = settle_banked(Filed(), {3: WIN}, 2, DEALER, co_bank=True)
    assert co_bank.lines[2, "bank"] == ("lose", 0, 2500)
    lost = Place({"pai_gow": 2001}, *weak)
    assert settle_banked(Filed(), {3: lost}, 2, DEALER, co_bank=True).lines[2, "bank"] == ("win", 1000, 0)
    assert settle_banked(Filed(), {3: lost}, 2, DEALER, co_bank=True).vigorish[2, "bank"] == 50


def test_a_queens_dragon_saves_a_foul_hand_and_not_a_surrendered_one() -> None:
    foul_hand = Place({"pai_gow": 5000}, cards("As Ad"), cards("Ks Th 7c 4c 2d"))
    given_up = Place({"pai_gow": 5000, "queens_dragon": 100}, WIN.low, WIN.high, surrenders=True)
    lines = settle(Filed(variant="ez"), {1: foul_hand, 3: given_up, 5: WIN}, DRAGON).lines
    assert [lines[seat, "pai_gow"][0] for seat in (1, 3, 5)] == ["push", "surrender", "push"]
    assert lines[3, "queens_dragon"] == ("win", 5000, 0)
    assert settle(Filed(), {1: foul_hand, 5: WIN}, DRAGON).lines[1, "pai_gow"] == ("lose", 0, 5000)


def test_progressives_are_paid_in_turn() -> None:
    """Two hands of five aces cannot be dealt: a natural royal is paid 10% first, then five aces 10% of what is left."""
    royal = Place({"pai_gow": 1000, "progressive": 100}, cards("4c 2d"), cards("Ks Qs Js Ts As"))
    trips = Place({"pai_gow": 1000, "progressive": 100}, cards("Kc 2h"), cards("9s 9d 9h 4h 3d"))
    straight_flush = Place({"pai_gow": 1000, "progressive": 100}, cards("Kd 2c"), cards("8h 7h 6h 5h X1"))
    filed = Filed(progressive="14_1_dollar", seeds={"progressive": 1_000_000})
    made = settle(filed, {2: royal, 4: straight_flush, 6: trips}, DEALER, meters={"progressive": 1_999_937})
    assert [made.lines[seat, "progressive"][1] for seat in (2, 4, 6)] == [200_000, 2500, 200]  # 21¢ each come first
    assert made.meters == {"progressive": 2_000_000 - 200_000 - 2500}
    assert made.paid_out == {(2, "progressive"): 200_000, (4, "progressive"): 2500}


def test_envy_is_for_the_hands_of_others_by_ones_own_table() -> None:
    quads = Place({"pai_gow": 1000, "fortune": 500}, cards("Kc 2h"), cards("9s 9d 9h 9c 3d"))
    small = Place({"pai_gow": 1000, "fortune": 499}, cards("Ac 2c"), cards("7s 7d 6h 6c 3h"))
    nothing = Place({"pai_gow": 1000, "emperors": 500}, cards("Ad 2d"), cards("8s 8d 5h 5c 4h"))
    filed = Filed(fortune="face_up_5", emperors="A")
    assert settle(filed, {1: quads, 2: small, 3: nothing}, DEALER).envy == {(3, "emperors", 1): 500}
    assert best(ENVY_FOR["fortune"]["face_up_5"], formed(quads.cards)) == "four_of_a_kind"
