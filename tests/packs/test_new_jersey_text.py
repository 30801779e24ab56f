"""New Jersey's subchapter 34 is Massachusetts' text: what `nj/supreme_pai_gow` takes over from it, it may take over.

The two texts are held against each other word by word. What is otherwise is listed here; none of it is a rule of the
game. A word that changed in either would show.
"""

from __future__ import annotations

import re
from difflib import SequenceMatcher

from replay.families.split_hands.law import Law
from replay.filing import load_pack
from tests.packs.quotations import SHARED, citations_in, citations_of

NEW_JERSEY, MASSACHUSETTS = (load_pack(f"{state}/supreme_pai_gow") for state in ("nj", "ma"))

# Massachusetts → New Jersey, without what refers to sections and paragraphs.
OTHERWISE = {
    ("the rules of the game for supreme pai gow", "this subchapter"),
    ("the rules of the game of supreme pai gow", "this subchapter"),
    ("the rules of the game of supreme pai gow", ""),  # whose requirements cards meet: here those of 19:46-1.17
    ("the rules of the game of supreme pai gao", "this subchapter"),
    ("gaming", "casino"),  # licensee
    ("cut", "cutting"),  # card
    ("odds", ""),  # heading of the pay table
    ("7to", "7 to"),
    ("", "other"),  # "Any Pair 1 to 1"
}
REFERENCE = re.compile(r"\d+(?!to)\w?|[a-z]|i{1,3}|iv|sections?|njac|cmr|and|or")


def words_of(number: str) -> list[str]:
    """Of the definitions and all that follows."""
    found = sorted((SHARED / "seeds").glob(f"{number}_*.txt"))
    if not found:
        return []
    text = re.sub(r"\*\*|</?b>|’|'", "", found[0].read_text(encoding="utf-8")).lower().replace("n.j.a.c.", "njac")
    return re.findall(r"[a-z0-9$]+", text[text.rindex("the following words and terms, when used in th") :])


def without_references(words: list[str]) -> str:
    left = [word for word in words if not REFERENCE.fullmatch(word)]
    return " ".join(words if "7" in words and "to" in words else left)


def test_the_two_texts_differ_in_names_and_references_only() -> None:
    ma, nj = words_of("000"), words_of("002")
    found = set()
    for tag, first, end, into, out in SequenceMatcher(a=ma, b=nj, autojunk=False).get_opcodes():
        if tag != "equal":
            found.add((without_references(ma[first:end]), without_references(nj[into:out])))
    assert found - OTHERWISE == {("", "")} or not ma
    assert (len(ma) > 6_000 and found >= OTHERWISE) or not ma


def test_new_jersey_cites_its_own_text_and_the_rulings() -> None:
    cited = [*citations_of(NEW_JERSEY), *citations_in(NEW_JERSEY.law(Law)), *NEW_JERSEY.rule_functions.values()]
    assert len(cited) > 100
    assert {one.text for one in cited} == {"NJ-SPG", "rulings.md"}


def test_what_it_takes_over_it_has_in_the_same_numbers() -> None:
    """Deck, seats, options and pay table of the two are one another's, whatever they rest on."""
    nj, ma = NEW_JERSEY.data, MASSACHUSETTS.data
    assert (nj.deck.decks, nj.deck.jokers, nj.seats.count, nj.seats.numbering) == (1, 2, 6, "counterclockwise")
    assert {*nj.wagers} == {*ma.wagers} and {*nj.options} == {*ma.options}
    for name, option in nj.options.items():
        other = ma.options[name]
        assert (option.choices, option.minimum, option.maximum, option.default) == (
            other.choices,
            other.minimum,
            other.maximum,
            other.default,
        )
    for name, method in NEW_JERSEY.dealing.items():
        assert (method.steps, method.direction, method.stacks) == (
            MASSACHUSETTS.dealing[name].steps,
            MASSACHUSETTS.dealing[name].direction,
            MASSACHUSETTS.dealing[name].stacks,
        )
