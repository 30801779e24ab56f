"""What may be found of a poker table: pots, betting and the board. Part of the catalogue of `schemas.findings`."""

from __future__ import annotations

POKER: tuple[tuple[str, str, str, str], ...] = (
    # code, severity, title, meaning
    ("POT-111", "high", "Pot share of the wrong amount", "A hand that wins a pot, or a part of one, got another sum."),
    ("POT-112", "high", "Pot to a hand that does not win it", "A pot, or a part of one, was pushed to a losing hand."),
    ("POT-113", "high", "Pot not awarded", "A pot is due to a hand, and no award of any pot was reported."),
    ("POT-114", "high", "Pot to a folded hand", "A pot, or a part of one, was pushed to a hand that had been folded."),
    (
        "POT-115",
        "high",
        "More than the pots a hand plays for",
        "A hand got more than all the pots it put chips into: one who is all-in plays only for what was matched.",
    ),
    ("POT-116", "low", "Odd chip to the wrong seat", "The chip left over when a pot was split went to another seat."),
    (
        "POT-117",
        "high",
        "Low without a qualifying hand",
        "A part of a pot was paid for a low although no low qualifies.",
    ),
    (
        "POT-118",
        "high",
        "Won with cards that may not be played together",
        "A pot was pushed to a hand that wins only with more, or fewer, of its own cards than the game has it use.",
    ),
    (
        "BET-121",
        "medium",
        "Action out of turn",
        "A player checked, bet, called, raised or folded while another player, who acted afterwards, was due to.",
    ),
    (
        "BET-122",
        "medium",
        "Wrong sum put in",
        "A call, bet, raise or blind is another sum than the betting structure of the table asks for.",
    ),
    (
        "BET-123",
        "medium",
        "Raise not allowed",
        "A raise beyond the three allowed, by a player to whom the betting was not open again, or who checked out of "
        "turn.",
    ),
    (
        "BET-124",
        "medium",
        "Action by a hand not in play",
        "A player acted whose hand was folded, all-in or not dealt in.",
    ),
    (
        "DEAL-316",
        "high",
        "Board turned too early, or with too many cards",
        "Cards of the board were turned before the betting was completed, or too many of them, and not taken back.",
    ),
)
