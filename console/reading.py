"""How a round's rack was read, for `round show --explain`: the document of `replay.how_read` on paper."""

from __future__ import annotations

from typing import Any

from rich.console import Group, RenderableType
from rich.table import Column, Table
from rich.text import Text

from console import show
from schemas.findings import BASIS_WORDS, Basis, how_sure

_STATUS = {
    "unique": ("one reading fits", "green"),
    "ambiguous": ("more than one reading fits", "yellow"),
    "contradictory": ("reports contradict each other, or the procedure", "bold red"),
    "in part": ("not every hand is known", "yellow"),
    "not read": ("the rack was not read", "yellow"),
}
_MOST_EXPLANATIONS = 6


def reading_of(reading: dict[str, Any] | None) -> RenderableType | None:
    """Step by step: the procedure, the search, what is left, the deal beside it, and what would change it."""
    if reading is None:
        return None
    words, style = _STATUS[reading["status"]]
    sure = reading["confidence"]
    likeliest = f"; the likeliest explanation is {show.share(sure)} sure" if sure is not None else ""
    return Group(
        Text.assemble((reading["status"], style), f": {words}{likeliest}"),
        *_titled("1 The pickup procedure filed", _steps(reading)),
        *_titled("2 What was searched", _searched(reading["searched"])),
        *_titled("3 What is left", _explanations(reading)),
        *_titled("4 The deal beside it", _deal(reading["deal"])),
        *_titled("5 How sure each finding is, and by what", _findings(reading["findings"])),
        *_titled(
            "6 What would change it",
            [Text(show.cards_in(said)) for said in reading["would_change"]] or [Text("nothing")],
        ),
    )


def _titled(title: str, content: list[RenderableType]) -> list[RenderableType]:
    return [Text(""), Text(title, style="bold"), *(show.indented(one) for one in content)]


def _steps(reading: dict[str, Any]) -> list[RenderableType]:
    procedure = reading["procedure"]
    said: list[RenderableType] = [Text(f"{procedure['title']} ({procedure['id']})")]
    if not reading["steps"]:
        said.append(Text("no layout of the procedure has these hands", style="yellow"))
    made = Table.grid(Column(no_wrap=True), Column(overflow="fold"), padding=(0, 1, 0, 0))
    for step in reading["steps"]:
        hands = ", ".join(_cards_at(hand) for hand in step["hands"])
        lies = show.joined(dict.fromkeys(hand["lies"] for hand in step["hands"]), "or")
        made.add_row(f"step {step['step']}", Text(f"{step['title']}: {hands}; {lies}"))
        made.add_row("", Text(_quoted(step), style="italic dim"))
    said.append(made)
    return said


def _cards_at(hand: dict[str, Any]) -> str:
    return f"{hand['whose']} ({hand['from']}–{hand['to']})"


def _quoted(rule: dict[str, str]) -> str:
    return f"{rule['citation']}: “{rule['words']}”" if rule["words"] else rule["citation"]


def _searched(searched: dict[str, Any]) -> list[RenderableType]:
    number = searched["layouts"]
    one = "wagers and actions leave one way in which the rack can have been filled"
    several = f"wagers and actions leave {number} ways in which the rack can have been filled"
    said: list[RenderableType] = [Text(one if number == 1 else several)]
    if searched["because"]:
        said.append(Text(f"of some hands only the cards can say whether: {show.joined(searched['because'], 'or')}"))
    if searched["hypotheses"]:
        tried = searched["hypotheses"]
        faults = f"{show.counted(tried, 'way')} of up to two faults {'was' if tried == 1 else 'were'} tried"
        stopped = "; the search was given up at its bound, and nothing is explained" if searched["given_up"] else ""
        said.append(Text(faults + stopped))
    else:
        said.append(Text("no fault had to be supposed: deal, rack and hands shown were put together as they are"))
    return said


def _explanations(reading: dict[str, Any]) -> list[RenderableType]:
    found = reading["explanations"]
    if not found:
        return [Text("the hands above" + (", and other readings" if reading["status"] == "ambiguous" else ""))]
    made = Table.grid(Column(no_wrap=True, justify="right"), Column(overflow="fold"), padding=(0, 1, 0, 0))
    for one in found[:_MOST_EXPLANATIONS]:
        made.add_row(show.share(one["confidence"]), Text(show.cards_in(one["says"])))
        events = ", ".join(map(str, one["rests_on_events"]))
        denied = ", ".join(map(str, one["contradicts_events"]))
        against = f"; contradicts events {denied}" if denied else ""
        made.add_row("", Text(f"cost {one['cost']:.1f}; rests on events {events}{against}", style="dim"))
    said: list[RenderableType] = [made]
    if len(found) > _MOST_EXPLANATIONS:
        said.append(Text(f"and {show.counted(len(found) - _MOST_EXPLANATIONS, 'less likely one')}"))
    said.append(
        Text("a cost is minus the logarithm of how likely it is (replay/cards/solver/faults.py has the rates)", "dim")
    )
    return said


def _findings(findings: list[dict[str, Any]]) -> list[RenderableType]:
    if not findings:
        return [Text("nothing was found")]
    made = Table.grid(Column(no_wrap=True), Column(overflow="fold"), padding=(0, 1, 0, 0))
    for one in findings:
        seat = f" seat {one['seat']}" if one["seat"] else ""
        made.add_row(f"{one['code']}{seat}", Text(f"{how_sure(one['confidence'])}: {BASIS_WORDS[Basis(one['basis'])]}"))
    return [made]


def _deal(deal: dict[str, Any] | None) -> list[RenderableType]:
    if deal is None:
        return [Text("this game's deal gives no hands")]
    begun = f", begun at {deal['start']}" if deal["start"] else ""
    said: list[RenderableType] = [
        Text(f"{deal['how']}{begun}"),
        Text(_quoted(deal["rules"][0]), style="italic dim"),
    ]
    if not deal["read"]:
        said.append(Text("the deal was not read in full, or it is not known where it began", style="yellow"))
    elif deal["delivered"]:
        said.append(
            Text(
                f"it was delivered otherwise: {show.cards_in(deal['delivered'])}; only so deal and rack agree",
                "bold red",
            )
        )
    elif not deal["differences"]:
        said.append(Text("deal and rack agree, card for card", style="green"))
    said += [Text(f"{one['code']}: {show.cards_in(one['says'])}", style="bold red") for one in deal["differences"]]
    return said
