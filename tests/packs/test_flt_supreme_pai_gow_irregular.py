"""The commission-free Supreme Pai Gow as it goes wrong: raises, royalties, cards given to wrong hands, odd racks."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from replay.rounds import ACTION_CODE, Fact, FactRow
from schemas.events import Action
from schemas.findings import CERTAIN, LIKELY, Verdict
from tests.packs.flt_rounds import DECK, good_cards, wagers_of
from tests.packs.flt_slow import Filed, Place, needs_seven, set_dealer
from tests.packs.flt_table import Table, place

EIGHT = ("Kc", "Jd", "Qs", "Qh", "9h", "7d", "4s", "2c")  # king-jack, queens, and the two left over
EVERYTHING = Filed(
    insurance="PT-FLT-EC-PGI-01",
    emperors="PT-FLT-EC-ET-01",
    seven_card_bonus="PT-FLT-7CB-01",
    eighth_card="PT-FLT-D8C1-01",
)


def table(**changes: bool) -> Table:
    """Seat 2 raised and has both hands beaten, seat 4 folded, seat 5 folded with insurance and Emperor's Treasure."""
    places = {
        2: place("Ks Kd As Ad 9c 5h 3d", ante=2500, **{"raise": 5000}),
        4: place("Ac Td 8h 3c", ante=1000, eighth_field=500),
        5: place("Ts 8c 7h 5s 4d 3h 2h", ante=1000, insurance=500, emperors=500),
    }
    made = Table(places, EIGHT, EVERYTHING)
    return reading(made, changes)


def reading(made: Table, changes: dict[str, bool]) -> Table:
    """The same round with other witnesses."""
    for name, so in changes.items():
        assert isinstance(getattr(made, name), bool)
        setattr(made, name, so)
    return made


# ---- what gives the hands ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize(
    "read",
    [
        {},
        {"shown": False},
        {"dealt": False},
        {"racked": False},
        {"places_seen": True},
        {"folds_said": False},
        {"dealt": False, "stub_counted": True},
    ],
    ids=str,
)
def test_any_witnesses_that_there_are_give_the_hands(seed: int, read: dict[str, bool]) -> None:
    rng = random.Random(seed)
    options = {f"{name}_paytable": getattr(EVERYTHING, name) for name in ("insurance", "emperors", "eighth_card")}
    left, places = list(DECK), dict[int, Place]()
    for seat in sorted(rng.sample(range(1, 7), rng.randint(1, 5))):
        wagers = wagers_of(rng, options)
        cards = tuple(good_cards(rng, left, 7 if needs_seven(wagers) else 4))
        places[seat] = Place(wagers, cards, cards[:2], cards[2:])
    eight = tuple(good_cards(rng, left, 8))
    filed = replace(EVERYTHING, seven_card_bonus="")
    verdict, findings = reading(Table(places, eight, filed), read).judged()
    assert [finding.sentence for finding in findings] == []
    assert verdict is Verdict.VERIFIED


def test_the_rack_alone_gives_the_hands() -> None:
    verdict, findings = table(dealt=False, shown=False).judged()
    assert (verdict, findings) == (Verdict.VERIFIED, [])


@pytest.mark.parametrize("first", [2, 5])
def test_a_hand_that_stays_is_not_anothers_dealt_the_other_way_round(first: int) -> None:
    """Of two hands one stays for the other's envy bonus. The rack also fits the hands exchanged, had the cards gone
    round the other way; they went as filed."""
    high = place("Ks Th 9c 9d 9s 9h 3d", ante=2500, emperors=500, **{"raise": 2500})
    other = place("Ts 8c 7h 5s 4d 3h 2h", ante=2500, emperors=500, **{"raise": 2500})
    places = {first: high, 7 - first: other}
    made = Table(places, ("Kc", "Jd", "Qs", "Qh", "8d", "7d", "4s", "2c"), EVERYTHING)
    made.shown = False
    assert made.judged() == (Verdict.VERIFIED, [])


@pytest.mark.parametrize(("seats", "sure"), [((1, 2, 6), LIKELY), ((1, 2, 5, 6), CERTAIN)])
def test_few_hands_that_went_the_other_way_round_may_be_two_exchanged(
    seats: tuple[int, ...], sure: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    hands = ("2s 3d As Kd 9c 8h 6s", "2d 4c Ks Qd Jc 8c 5s", "3s 4d Ah Qc Tc 9h 7d", "2h 5c Kc Js Td 7h 6d")[
        : len(seats)
    ]
    eight = ("Kh", "Jd", "Qs", "Qh", "8d", "7c", "4s", "2c")

    def played(order: tuple[str, ...]) -> Table:
        held = [place(cards, ante=1000, **{"raise": 1000}) for cards in order]
        made = Table(dict(zip(seats, held, strict=True)), eight)
        made.shown = False
        return made

    made = played(hands)
    monkeypatch.setattr(made, "deal", played(hands[::-1]).deal)
    _, (finding,) = made.judged()
    assert (finding.code, finding.confidence) == ("DEAL-305", sure)
    assert ("or two hands changed places after the deal" in finding.sentence) is (sure == LIKELY)


def test_with_neither_rack_nor_deal_nothing_is_settled() -> None:
    verdict, findings = table(dealt=False, shown=False, racked=False).judged()
    assert verdict is Verdict.CANNOT_TELL
    assert [finding.code for finding in findings] == ["RACK-322"]


# ---- raises and folds ----------------------------------------------------------------------------------------------


def raised(cents: int, **options: str) -> Table:
    made = table()
    made.places[2].wagers["raise"] = cents
    made.settle_as(2, "raise", "win", cents, 0)
    made.options.update(options)
    return made


@pytest.mark.parametrize("cents", [2500, 5000, 7500, 10_000])
def test_a_raise_is_one_to_four_times_the_ante(cents: int) -> None:
    assert raised(cents).judged() == (Verdict.VERIFIED, [])


@pytest.mark.parametrize("cents", [2499, 2501, 3750, 10_001, 12_500])
def test_another_raise_is_none(cents: int) -> None:
    (finding,) = raised(cents).found()["WAGER-502"]
    assert (finding.seat, finding.wager, finding.actual_cents) == (2, "raise", cents)
    assert "1 to 4 times the ante" in finding.sentence


def test_any_amount_up_to_four_times_where_that_is_filed() -> None:
    assert raised(3750, raise_multiples="any").judged() == (Verdict.VERIFIED, [])
    assert "WAGER-502" in raised(10_001, raise_multiples="any").found()


def test_a_raise_before_the_cards() -> None:
    made = table()
    made.raise_seq[2] = 45
    (finding,) = made.found()["WAGER-508"]
    assert "before the player had any cards" in finding.sentence


def test_a_raise_after_the_dealers_hand_was_shown() -> None:
    made = table(dealt=False)
    made.raise_seq[2] = 81
    (finding,) = made.found()["WAGER-508"]
    assert "after the dealer's hand was shown" in finding.sentence


def test_a_raise_after_the_last_cards_were_dealt() -> None:
    made = table()
    made.raise_seq[2] = 75
    (finding,) = made.found()["WAGER-508"]
    assert "after the last cards were dealt" in finding.sentence


def test_a_hand_that_was_folded_and_then_raised_stays_folded() -> None:
    made = table()
    made.extra.append(FactRow(Fact.ACTION, 58, 2, code=ACTION_CODE[Action.FOLD]))
    found = made.found()
    assert "it stays folded" in found["WAGER-508"][0].sentence
    assert {finding.wager for finding in found["SETTLE-102"]} == {"ante"}


def test_a_fold_after_the_raise_changes_nothing_but_is_told() -> None:
    made = table()
    made.extra.append(FactRow(Fact.ACTION, 66, 2, code=ACTION_CODE[Action.FOLD]))
    assert list(made.found()) == ["WAGER-508"]


def test_a_folded_hand_that_is_paid() -> None:
    made = table()
    made.settle_as(4, "ante", "win", 1000, 0)
    (finding,) = made.found()["SETTLE-102"]
    assert (finding.seat, finding.wager, finding.difference_cents) == (4, "ante", 2000)


def test_a_raise_that_is_paid_though_one_hand_lost() -> None:
    made = table()
    made.places[2] = place("9s 8d As Ad 9c 5h 3d", ante=2500, **{"raise": 5000})
    made = Table(made.places, EIGHT, EVERYTHING)
    made.settle_as(2, "raise", "win", 5000, 0)
    (finding,) = made.found()["SETTLE-102"]
    assert (finding.wager, finding.difference_cents) == ("raise", 5000)


@pytest.mark.parametrize("shown", [True, False])
def test_a_foul_nobody_saw_loses_the_raise_and_the_ante(shown: bool) -> None:
    """King-queen in front of sixes: one hand beats the dealer's, the ante is paid and the raise pushes. That the raise
    was taken no foul explains while the ante was paid; where no device saw the hand set, one may explain both."""
    made = table(shown=shown)
    made.places[2] = place("Ks Qd 6s 6d 9c 5h 3d", ante=2500, **{"raise": 5000})
    made = reading(Table(made.places, EIGHT, EVERYTHING), {"shown": shown})
    assert made.judged() == (Verdict.VERIFIED, [])
    made.settle_as(2, "raise", "lose", 0, 5000)
    (finding,) = made.judged()[1]
    assert (finding.code, finding.wager, finding.difference_cents) == ("SETTLE-102", "raise", -5000)
    made.settle_as(2, "ante", "lose", 0, 2500)
    codes = {finding.code for finding in made.judged()[1]}
    assert codes == ({"SETTLE-102"} if shown else {"FOUL-403"})


# ---- royalties -----------------------------------------------------------------------------------------------------


def with_a_royalty() -> Table:
    """Seat 2 holds four nines: 5 for 1 on $25."""
    made = table()
    made.places[2] = place("Ks Th 9c 9d 9s 9h 3d", ante=2500, **{"raise": 2500})
    return Table(made.places, ("Kc", "Jd", "Qs", "Qh", "8d", "7d", "4s", "2c"), EVERYTHING)


def test_a_royalty_of_the_wrong_amount() -> None:
    made = with_a_royalty()
    assert made.judged() == (Verdict.VERIFIED, [])
    made.settle_as(2, "ante_royalty", "win", 10_000, 0)
    (finding,) = made.found()["SETTLE-101"]
    assert (finding.wager, finding.expected_cents, finding.difference_cents) == ("ante_royalty", 12_500, -2500)


def test_a_royalty_that_was_not_paid() -> None:
    made = with_a_royalty()
    del made.settled.lines[2, "ante_royalty"]
    (finding,) = made.found()["SETTLE-103"]
    assert finding.difference_cents == -12_500


def test_a_royalty_that_is_not_due() -> None:
    made = table()
    made.settle_as(2, "ante_royalty", "win", 12_500, 0)
    (finding,) = made.found()["SETTLE-102"]
    assert (finding.wager, finding.difference_cents) == ("ante_royalty", 12_500)


def test_a_folded_hand_has_no_royalty() -> None:
    made = table()
    made.settle_as(4, "ante_royalty", "win", 5000, 0)
    (finding,) = made.found()["SETTLE-104"]
    assert (finding.seat, finding.difference_cents) == (4, 5000)


def test_a_posted_limit_that_is_ignored() -> None:
    made = with_a_royalty()
    limited = replace(EVERYTHING, most_cents={"ante_royalty": 10_000}, most_per={"ante_royalty": "hand"})
    made = Table(made.places, made.eight, limited)
    assert made.judged() == (Verdict.VERIFIED, [])
    made.settle_as(2, "ante_royalty", "win", 12_500, 0)
    (finding,) = made.found()["SETTLE-101"]
    assert finding.expected_cents == 10_000 and finding.citation.startswith("FLT-SPG App. A 4")


# ---- the dealer's hand ---------------------------------------------------------------------------------------------


def test_a_wager_on_the_eighth_card_settled_by_another_card() -> None:
    made = table()
    assert set_dealer(EIGHT).eighth == "2c"
    made.settle_as(4, "eighth_field", "win", 1000, 0)
    (finding,) = made.found()["SETTLE-102"]
    assert (finding.wager, finding.difference_cents) == ("eighth_field", 1500)


def test_the_dealers_hand_set_so_that_another_card_is_left_over() -> None:
    made = table()
    low, high = ("Kc", "Jd"), ("Qs", "Qh", "7d", "4s", "2c")
    made.dealer = (low, high, "9h")  # and settled as if that were right: 2 to 1 in the field
    made.settle_as(4, "eighth_field", "win", 1000, 0)
    found = made.found()
    assert set(found) == {"HOUSE-402"}
    sentences = [finding.sentence for finding in found["HOUSE-402"]]
    assert any("the card left over is another" in sentence for sentence in sentences)


def test_a_card_left_over_of_the_same_rank_is_as_good() -> None:
    """R-36 leaves out the lowest; of two twos it is either."""
    eight = ("Kc", "Jd", "Qs", "Qh", "9h", "7d", "2s", "2c")
    made = Table({4: place("Ac Td 8h 3c", ante=1000, eighth_field=500)}, eight, EVERYTHING)
    right = set_dealer(eight)
    other = "2s" if right.eighth == "2c" else "2c"
    if right.eighth[0] == "2":
        swapped = tuple(right.eighth if card == other else card for card in right.high)
        low = tuple(right.eighth if card == other else card for card in right.low)
        made.dealer = (low, swapped, other)
    assert made.judged() == (Verdict.VERIFIED, [])


# ---- cards given or not --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("places_seen", [False, True])
def test_three_more_cards_to_a_folded_hand_that_needs_none(places_seen: bool) -> None:
    made = table(places_seen=places_seen)
    made.places[4] = replace(made.places[4], cards=("Ac", "Td", "8h", "3c", "Jh", "6s", "5d"))
    made.given_seven[4] = True
    (finding,) = made.found()["DEAL-301"]
    assert finding.seat == 4 and "three more cards that were not due" in finding.sentence


@pytest.mark.parametrize(
    "how", [{}, {"places_seen": True}, {"dealt": False, "stub_counted": True}, {"dealt": False}], ids=str
)
def test_three_cards_that_a_hand_with_a_wager_on_seven_never_got(how: dict[str, bool]) -> None:
    made = table(**how)
    made.given_seven[5] = False
    made.settle_as(5, "insurance", "lose", 0, 500)
    verdict, findings = made.judged()
    assert verdict is Verdict.DIFFERS
    assert {finding.code for finding in findings} == {"DEAL-301"}
    assert "seat 5 never got the three cards" in findings[0].sentence


def test_seven_cards_that_were_not_due_earn_nobody_an_envy_bonus() -> None:
    made = table()
    made.places[4] = replace(made.places[4], cards=("9s", "9d", "8h", "9h", "9c", "6s", "5d"))
    made.places[2] = place("Ks Kd As Ad 8d 5h 3d", ante=2500, **{"raise": 5000})
    made = Table(made.places, ("Kc", "Jd", "Qs", "Qh", "Tc", "7d", "4s", "2c"), EVERYTHING)
    made.given_seven[4] = True
    made.settled.envy.clear()
    assert set(made.found()) == {"DEAL-301"}


# ---- envy ----------------------------------------------------------------------------------------------------------


def with_envy() -> Table:
    made = with_a_royalty()
    made.places[2].wagers["emperors"] = 500
    return Table(made.places, made.eight, EVERYTHING)


def test_an_envy_bonus_that_was_missed() -> None:
    made = with_envy()
    assert made.judged() == (Verdict.VERIFIED, [])
    assert made.settled.envy == {(5, 2): 500}
    made.settled.envy.clear()
    (finding,) = made.found()["ENVY-701"]
    assert (finding.seat, finding.difference_cents) == (5, -500)


def test_an_envy_bonus_for_ones_own_hand() -> None:
    made = with_envy()
    made.settled.envy[2, 2] = 500
    (finding,) = made.found()["ENVY-703"]
    assert (finding.seat, finding.difference_cents) == (2, 500)


def test_an_envy_bonus_for_four_folded_cards() -> None:
    made = table()
    made.places[4] = place("9s 9d 9c 8h", ante=1000)
    made.places[2] = place("Ks Kd As Ad 8d 5h 3d", ante=2500, **{"raise": 5000})
    made = Table(made.places, EIGHT, EVERYTHING)
    made.settled.envy[5, 4] = 500
    assert "ENVY-703" in made.found()


# ---- odd racks -----------------------------------------------------------------------------------------------------


def swapped(made: Table, one: int, other: int) -> list[str]:
    rack, first, second = made.racked_cards(), made.hand(one), made.hand(other)
    at = {seat: rack.index(made.hand(seat)[0]) for seat in (one, other)}
    low, high = sorted((at[one], at[other]))
    before, after = (first, second) if at[one] < at[other] else (second, first)
    return [*rack[:low], *after, *rack[low + len(before) : high], *before, *rack[high + len(after) :]]


def two_raised() -> Table:
    made = table()
    made.places[3] = place("6s 5d Th 8d 7c 5c 3s", ante=2500, **{"raise": 5000})
    return Table(made.places, EIGHT, EVERYTHING)


@pytest.mark.parametrize("how", [{}, {"dealt": False}, {"shown": False}, {"dealt": False, "shown": False}], ids=str)
def test_two_hands_picked_up_in_each_others_turn_are_no_wrong_settlements(how: dict[str, bool]) -> None:
    """One won and the other lost both: by the rack as it lies both would have been settled wrong."""
    made = reading(two_raised(), how)
    made.rack = swapped(made, 2, 3)
    found = made.found()
    assert set(found) <= {"RACK-321", "RACK-324"} and found


@pytest.mark.parametrize("places_seen", [False, True])
def test_two_hands_played_at_each_others_place(places_seen: bool) -> None:
    made = two_raised()
    as_dealt = Table({**made.places, 2: made.places[3], 3: made.places[2]}, EIGHT, EVERYTHING)
    made.cards_dealt = as_dealt.deal()
    made.places_seen = places_seen
    assert set(made.found()) == {"DEAL-306"}


def test_a_card_that_is_missing_from_the_rack() -> None:
    made = table()
    made.rack = [card for card in made.racked_cards() if card != "9c"]
    assert set(made.found()) == {"CARD-311"}


def test_a_card_that_changed_hands_after_the_deal() -> None:
    made = two_raised()
    other = {"3s": "3d", "3d": "3s"}
    made.cards_dealt = [(other.get(card, card), seat) for card, seat in made.deal()]
    found = made.found()
    assert set(found) == {"DEAL-302"}
    assert "3s" in found["DEAL-302"][0].sentence or "3♠" in found["DEAL-302"][0].sentence


def test_a_hand_shown_with_a_card_it_does_not_have() -> None:
    made = table()
    made.shown_as[2] = (("Ks", "Kd", "As", "Ad", "9c", "5h", "6h"), 2)
    assert set(made.found()) == {"RACK-323"}


def test_a_hand_shown_in_another_setting_than_it_lies() -> None:
    made = table()
    made.shown_as[2] = (("As", "Ad", "Ks", "Kd", "9c", "5h", "3d"), 2)  # foul: it would have lost
    verdict, findings = made.judged()
    assert [finding.code for finding in findings] == ["DEAL-307"]
    assert verdict is Verdict.DIFFERS


def test_hands_laid_out_anew_show_no_setting() -> None:
    """R-51: seat 5's is not set at all; a raised hand with a wager on it is as it was shown."""
    made = table()
    made.places[2].wagers["insurance"] = 500
    made = Table(made.places, EIGHT, EVERYTHING, options={"rearranged": True})
    made.rack = made.racked_cards()
    at = made.rack.index("Ks")
    made.rack[at : at + 7] = sorted(made.rack[at : at + 7])
    assert made.judged() == (Verdict.VERIFIED, [])
    made.shown, made.dealt = False, False
    verdict, findings = made.judged()
    assert (verdict, findings) == (Verdict.CANNOT_TELL, [])


# ---- progressives --------------------------------------------------------------------------------------------------

METER, SEED = "emperors_progressive", 500_000


def with_two_shares() -> Table:
    """Seat 2 wins half of the meter and seat 5, folded, a quarter of what that left: of $10,000 with both
    contributions of 20 cents."""
    wagers = {"ante": 2500, METER: 100}
    places = {
        2: place("As Ks Ah Kh Qh Jh Th", **wagers, **{"raise": 2500}),
        5: place("9d 8d X1 6d 5d 4d 3d", **wagers),
    }
    options: dict[str, str | int] = {f"{METER}_paytable": "PT-BJS-EC-ET-01"}
    options |= {f"{METER}_seed_cents": SEED, f"{METER}_rate_bp": 2000}
    made = Table(places, ("Kc", "Jd", "Qs", "Qc", "9c", "7c", "4s", "2c"), options=options, stay_for_a_meter=(2, 5))
    made.settle_as(2, METER, "win", 500_000, 100)
    made.settle_as(5, METER, "win", 125_000, 100)
    made.extra = [
        FactRow(Fact.METER_STOOD, 0, choice=METER, amount=999_960),
        FactRow(Fact.PROGRESSIVE_IN, 51, 2, choice=METER, amount=20, taken=999_980),
        FactRow(Fact.PROGRESSIVE_IN, 52, 5, choice=METER, amount=20, taken=1_000_000),
        paid_off(2, 500_000, 500_000),
        paid_off(5, 125_000, 375_000),
    ]
    return made


def paid_off(seat: int, cents: int, left: int) -> FactRow:
    return FactRow(Fact.PROGRESSIVE_OUT, 100 + 20 * seat + 19, seat, choice=METER, amount=cents, taken=left, other=1)


def test_shares_of_a_meter_are_paid_in_turn() -> None:
    assert with_two_shares().judged() == (Verdict.VERIFIED, [])


def test_a_share_as_if_the_first_had_not_been_paid() -> None:
    made = with_two_shares()
    made.settle_as(5, METER, "win", 250_000, 100)
    made.extra[-1] = paid_off(5, 250_000, 250_000)
    found = made.found()
    assert set(found) == {"METER-105"}
    assert [(one.seat, one.difference_cents) for one in found["METER-105"] if one.difference_cents] == [(5, 125_000)]


def test_a_contribution_that_is_missing() -> None:
    made = with_two_shares()
    del made.extra[2]
    assert "METER-103" in made.found()


def test_a_sum_in_the_table_does_not_come_off_the_meter() -> None:
    made = with_two_shares()
    made.places[5] = place("9d 9s 9h Td 5d 4d 3c", ante=2500, **{METER: 100})
    made = Table({5: made.places[5]}, made.eight, options=made.options)
    made.settle_as(5, METER, "lose", 0, 100)
    made.extra = [
        FactRow(Fact.METER_STOOD, 0, choice=METER, amount=999_980),
        FactRow(Fact.PROGRESSIVE_IN, 51, 5, choice=METER, amount=20, taken=1_000_000),
    ]
    assert made.judged() == (Verdict.VERIFIED, [])
    made.extra.append(paid_off(5, 50_000, 950_000))
    assert "METER-107" in made.found()
