"""How the Californian text is divided: its headings in the order in which they are printed, and what stands under each.

Its games letter their sections each in its own way, and use the same headings. So the headings are listed here, one
after the other, and each is looked for behind the one before. Sections are called by game and heading, items by their
number: `Supreme Baccarat, Round of Play 6(A)`, `Double Hand Poker 36(a)`. Knows nothing of what they say.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

Found = Iterator[tuple[str, str, bool]]  # as in marks.py: name, words, whether it is a row


@dataclass(frozen=True)
class _Heading:
    begins: str  # how its line begins, in lower case
    section: str  # what its section is called; of a `silent` one, the words its items are called by
    items: bool = True  # numbered and lettered items are sections of their own
    rows: bool = False  # a table below it is a pay table
    silent: bool = False  # the heading is no section itself
    again: bool = False  # what follows was printed before


_HALL, _DOUBLE = "house collections", "Double Hand Poker"
_PURE, _THREE, _BACCARAT, _FORTUNE = (
    *("Pure 21.5 Blackjack", "Three Card Poker"),
    *("Supreme Baccarat", "Fortune Pai Gow Poker"),
)
_RATES = "California Games Collection Rates"


def _of(game: str, *named: str, **more: bool) -> list[_Heading]:
    """Headings of a game, called by how their lines begin, or by what stands behind `=`."""
    made = []
    for one in named:
        begins, _, called = one.partition(" = ")
        made.append(_Heading(begins.casefold(), f"{game}, {called or begins}", **more))
    return made


HEADINGS: tuple[_Heading, ...] = (
    _Heading(f"black jack {_HALL}", "Black Jack House collections"),
    _Heading(f"double hand poker {_HALL}", "Double Hand Poker House collections"),
    _Heading("no-limit texas hold'em collection fees", "No-Limit Texas Hold'em Collection Fees"),
    _Heading("rules for double hand poker", "Rules for Double Hand Poker"),
    *_of(_DOUBLE, "double hand poker is played = Game Description", "method of play = Method of Play", items=False),
    _Heading("rules", _DOUBLE, silent=True),
    _Heading("rules for hold'em", "Rules for Hold'em", items=False),
    *_of("Hold'em", "hold'em poker = Description", "method of play = Method of Play", items=False),
    *(
        _Heading(begins, "Hold'em", silent=True)
        for begins in (
            *("general rules", "dealing rules", "rules of play", "rules of play - blinds"),
            *("betting rules", "showdown rules"),
        )
    ),
    *_of("Omaha", "omaha poker = Description", "value of high hands = Value of high hands", items=False),
    *_of("Omaha Hi-Lo", "omaha hi-lo split poker = Description", items=False),
    *_of("Omaha Hi-Lo", "value of high hand = Value of high hand", items=False),
    *_of("Omaha Hi-Lo", "value of low hand = Value of low hand", items=False),
    *_of(_PURE, "object of the game = Object of the Game", "value of the cards = Value of the Cards"),
    *_of(_PURE, "ranking chart = Ranking Chart", "round of play = Round of Play"),
    *_of(_PURE, "chart 1a = Chart 1A", "chart 1b = Chart 1B", "game rules = Game Rules"),
    *_of(_PURE, "double-down, split = Double-Down, Split, and Surrender", "insurance- = Insurance"),
    *_of(_PURE, "even money- = Even Money", "legal = Legal", items=False),
    *_of(_THREE, "Standards of play", "Type of gaming table", "Number of players", "Type of card deck used"),
    *_of(_THREE, "Ranking of Hands", "Betting scheme", "Dealing procedures", "Round of Play"),
    *_of(_THREE, "Pair Plus", rows=True),
    *_of(_THREE, "6 Card Bonus", silent=True),  # its name with that of its table would be a row
    *_of(_THREE, "tcb-6b4 = 6 Card Bonus, TCB-6B4", rows=True),
    *_of(_THREE, "glossary of terms = Glossary", "Wagering Limits and Collection Fees", "Table Layout"),
    *_of(_BACCARAT, "Standards of Play", "Type of gaming table", "Number of Players", "Type of Card Deck"),
    *_of(_BACCARAT, "Value of Cards", "Hand Rankings", "Betting Scheme", "Tie Wager"),
    *_of(_BACCARAT, '"total shot = Total Shot', rows=True),
    *_of(_BACCARAT, "Dealing Procedures", "How Winners are Determined and Paid", "Game Rules"),
    *_of(_BACCARAT, "action button card chart = Action Button Card Chart", "Round of Play", "Equipment"),
    *_of(_BACCARAT, "Wagering Limits and Collection Fees", "Table Signage", "Table Layout"),
    *_of(_FORTUNE, "Type of Game", "Object of Game", "description of the deck = Description of the Deck"),
    *_of(_FORTUNE, "Card Values and Hand Rankings", "Description of Table Used"),
    *_of(_FORTUNE, "Dealing Procedures and Round of Play", "How Winners are Determined and Paid", "Bonus Bets"),
    *_of(_FORTUNE, "Fortune Bonus", "Envy Bonus"),
    *_of(_FORTUNE, "bonus bet paytable options = FPG-02", rows=True),
    *_of(_FORTUNE, "Table Layout", "Collection Rates"),
    _Heading("type of game", _FORTUNE, again=True),
    _Heading("california games collection rates", f"{_RATES}, Approval"),
    *_of(_RATES, "pure 21.5 blackjack (gega = Pure 21.5 Blackjack", "supreme baccarat (gega = Supreme Baccarat"),
    *_of(_RATES, "fortune pai gow (gega = Fortune Pai Gow"),
    *_of(_RATES, "three card poker 6 card bonus (gega = Three Card Poker"),
    *_of(_RATES, "Collection Procedures"),
)
_NUMBER = re.compile(r"(?: ?- )?\s*(\d+)[.)] ")
_LETTER = re.compile(r" ?- \(?([a-zA-Z])[.)] |([a-g])\. ")
_ROMAN = re.compile(r" - (i{1,3})\. ")
_NO_ROW = ("", "hand", "player and banker baccarat score total")


def california(lines: list[str], plain: Callable[[str], str]) -> Found:
    ahead, heading, number, letter = 0, _Heading("", "", again=True), "", ""
    for line in lines:
        words = plain(line)
        if ahead < len(HEADINGS) and _is_heading(words, HEADINGS[ahead]):
            heading, number, letter, ahead = HEADINGS[ahead], "", "", ahead + 1
            yield ("" if heading.silent or heading.again else heading.section, "" if heading.again else line, False)
        elif heading.again:
            continue
        elif "\t" in line:
            yield _table_line(line, plain, heading, number)
        elif heading.items and (item := _NUMBER.match(line)):
            number, letter = item[1], ""
            yield f"{heading.section} {number}", line[item.end() :], False
        elif heading.items and number and letter and (roman := _ROMAN.match(line)):
            yield f"{heading.section} {number}({letter})({roman[1]})", line[roman.end() :], False
        elif heading.items and number and (item := _LETTER.match(line)):
            letter = item[1] or item[2]
            yield f"{heading.section} {number}({letter})", line[item.end() :], False
        else:
            yield "", line, False


def _is_heading(words: str, heading: _Heading) -> bool:
    said = words.casefold().rstrip(":")
    long_ones = heading.begins.endswith(("(gega", "-", "is played"))  # the heading begins a sentence
    return said.startswith(heading.begins) and (long_ones or len(said) < len(heading.begins) + 40)


def _table_line(line: str, plain: Callable[[str], str], heading: _Heading, number: str) -> tuple[str, str, bool]:
    first = plain(line.partition("\t")[0])
    if not heading.rows or first.casefold() in _NO_ROW:
        return "", line, False
    return f"{heading.section}{f' {number}' if number else ''}, {first}", line, True
