"""A case as the round the devices would have reported, without its settlements and fees."""

from __future__ import annotations

from itertools import chain, zip_longest

import numpy as np

from replay.families.two_hands.terms import terms_of
from replay.filing import Filing, canonical_filing
from replay.rounds import BANK_KIND_CODE, DEALT_TO, Fact, FactRow, RoundFlag, RoundRow, unknown_fixed
from schemas.cards import codes_of
from schemas.cases import Case, CaseError
from schemas.events import BankKind
from schemas.plurals import counted

COMMUNITY = ("player", "banker")


def row_of_case(case: Case, filing: Filing) -> RoundRow:
    """Bank, wagers, deal, action button (where the Banker hand's first card puts it) and rack, in that order."""
    player, banker = (_community_hand(case, name) for name in COMMUNITY)
    if case.dealer is not None:
        raise CaseError(f"case {case.name!r}: the dealer has no hand here; write hands: {{player: ..., banker: ...}}")
    terms = terms_of(filing)
    fixed = unknown_fixed()
    facts: list[FactRow] = []
    seq = 1
    if case.bank is not None:
        if case.bank.kind != BankKind.PLAYER_DEALER:
            raise CaseError(f"case {case.name!r}: bank.kind is player_dealer in this game, not {case.bank.kind!r}")
        fixed.update(bank_seat=case.bank.seat, bank_kind=BANK_KIND_CODE[BankKind.PLAYER_DEALER], bank_seq=seq)
        if case.bank.posted is not None:
            fixed["bank_posted_cents"] = case.bank.posted
    for seat, there in sorted(case.seats.items()):
        if there.cards or there.low or there.high or there.first or there.acted or there.choices:
            raise CaseError(f"case {case.name!r}: seat {seat} only has wagers; cards go under hands: player, banker")
        own = (("", wager, amount) for wager, amount in there.wagers.items())
        behind = ((name, wager, amount) for name, who in there.backline.items() for wager, amount in who.wagers.items())
        for bettor, wager, amount in chain(own, behind):
            seq += 1
            facts.append(FactRow(Fact.WAGER_PLACED, seq, seat, bettor, wager, amount=amount))
    fixed["bets_closed_seq"] = seq + 1
    fixed["first_card_seq"] = fixed["last_card_seq"] = seq + 2
    if case.bank is not None:
        first = np.frombuffer(banker[:1], dtype=np.uint8)
        place = terms.law.button.seat(first, np.array([case.bank.seat]), terms.seats)
        facts.append(FactRow(Fact.BUTTON, seq + 3, int(place[0]), choice="action", card=banker[0]))
    fixed.update(
        first_seq=1,
        last_seq=seq + 4,
        opened_us=0,
        closed_us=0,
        decks=terms.decks,
        jokers=0,
        flags=int(RoundFlag.CLOSED | RoundFlag.RACK_READ | RoundFlag.DEAL_READ | RoundFlag.CONTEXT_UNKNOWN),
    )
    turns = zip_longest(((card, "player") for card in player), ((card, "banker") for card in banker))
    dealt = [card_to for turn in turns for card_to in turn if card_to is not None]
    return RoundRow(
        {
            "table_id": "CASE",
            "round_id": "1",
            "filing": canonical_filing(case.pack, case.version, case.options),
        },
        fixed,
        rack=banker + player if terms.banker_first else player + banker,
        dealt=bytes(card for card, _ in dealt),
        dealt_place=[0] * len(dealt),
        dealt_to=bytes(DEALT_TO.index(to) for _, to in dealt),
        facts=facts,
    )


def _community_hand(case: Case, name: str) -> bytes:
    unknown = [other for other in case.hands if other not in COMMUNITY]
    if unknown:
        raise CaseError(f"case {case.name!r}: there is no hand {unknown[0]!r}; there are: {', '.join(COMMUNITY)}")
    cards = case.hands.get(name)
    if cards is None or not 2 <= len(cards) <= 3:
        held = "missing" if cards is None else counted(len(cards), "card")
        raise CaseError(f"case {case.name!r}: hands.{name} is {held}; it needs two or three cards, such as 9s 8d")
    return codes_of(cards)
