"""A round on paper: the report of `replay.explain` as an investigator reads it. Knows layout, decides nothing."""

from __future__ import annotations

import json
import re
from datetime import datetime
from typing import Any

from rich.console import Console, Group, RenderableType
from rich.table import Column, Table
from rich.text import Text

from console import show
from console.reading import reading_of
from console.strip import RackStrip, marks_of
from console.times import VenueTime
from replay.filing import OptionData, PackError, load_pack
from schemas.events import plain_type
from schemas.findings import BASIS_WORDS, CATALOGUE, Basis, how_sure

_DIFFERS = Text("✗", style="bold red")
_AGREES = Text("✓", style="green")


def print_round(
    out: Console,
    times: VenueTime,
    report: dict[str, Any],
    versions: list[dict[str, Any]],
    findings: list[dict[str, Any]],
    events: list[dict[str, Any]] | None,
) -> None:
    """The whole transcript. `findings` are the lake's, those of the gate included: why it was flagged comes first."""
    _print_head(out, times, report, versions, findings)
    _section(out, "Findings", _findings(findings, times))
    _section(out, "Wagers", _wagers(report))
    _section(out, "Start and deal", _deal(report))
    if report["strip"]:
        held = len(report["rack"].split())
        _section(out, f"Discard rack, bottom card first ({show.counted(held, 'card')})", _rack(report["strip"]))
    _section(out, "Hands as reconstructed", _hands(report))
    if "reading" in report:
        _section(out, "How the rack was read", reading_of(report["reading"]))
    _section(out, "Settlement: what should have happened, and what was reported", settlement_table(report["lines"]))
    if report["settlement_order"]:
        out.print(show.indented(Text(f"Order: {report['settlement_order']}", style="dim")))
    _section(out, "Ledger of the round (net change of each account)", _ledger(report))
    _section(out, "Rules it was settled by, in their words", rules_quoted(report["lines"]))
    if report["filing"] is not None:
        _section(out, "Options in force", _options(report["filing"]))
    if events is not None:
        evidence = {seq for one in findings for seq in one["evidence"]}
        changed = len({times.offset(event["happened_at"]) for event in events}) > 1  # the clocks, while it was played
        title = "Events" if changed else f"Events, times {_in_zone(times, report)}"
        _section(out, title, _events(events, evidence, times, changed))


def _section(out: Console, title: str, content: RenderableType | None) -> None:
    out.print()
    out.print(Text(title, style="bold"))
    out.print(show.indented(content if content is not None else Text("none", style="dim")))


def _in_zone(times: VenueTime, report: dict[str, Any]) -> str:
    return f"at {times.offset(report['opened_at'] or report['closed_at'])}" if times.name != "UTC" else "in UTC"


def _print_head(
    out: Console,
    times: VenueTime,
    report: dict[str, Any],
    versions: list[dict[str, Any]],
    findings: list[dict[str, Any]],
) -> None:
    head = Text(f"{report['table']} round {report['round']}", style="bold")
    head.append("   ")
    head.append_text(show.verdict_text(report["verdict"]))
    out.print(head)
    for code in sorted({finding["code"] for finding in findings}):
        _say(out, f"{code} {CATALOGUE[code].title}")
    if report["verdict"] != "differs" and report["reason"]:  # of one that differs the reason is its codes
        _say(out, show.cards_in(report["reason"]), "yellow")
    dealer = f"dealer {report['dealer']}" if report["dealer"] else "dealer unknown"
    deck = f", deck {report['deck']}" if report["deck"] else ""
    _say(out, f"Gaming day {report['gaming_day'] or 'unknown'}, {dealer}{deck}")
    first, last = report["seq"]
    opened, closed = (
        None if at is None else datetime.fromisoformat(at) for at in (report["opened_at"], report["closed_at"])
    )
    _say(out, f"{times.span(opened, closed)}, events {first} to {last} of the table")
    if report["attested"]:
        _say(out, "Attested: every event this verdict rests on lies on an unbroken chain under a good signature")
    else:
        _say(out, "Unattested: no good signature vouches for every event this verdict rests on", "yellow")
    for flag in report["flags"]:
        if flag in _FLAG_WORDS and not (flag == "gap" and report["reason"]):  # the reason has just said so
            _say(out, _FLAG_WORDS[flag], "yellow")
    for failure in report["data_quality"]["failed"]:
        _say(out, f"Built on data that failed: {failure['code']} {times.sentence(failure['sentence'])}", "yellow")
    if not report["data_quality"]["checked"]:
        _say(out, "The data of this gaming day is not checked yet (muckraker quality)", "dim")
    for correction in report["corrections"]:
        what = "replaced" if "replacement" in correction else "taken back"
        who = f"event {correction['corrects_seq']} was {what} by {correction['by']}"
        _say(out, f"Correction (event {correction['seq']}): {who}: {correction['reason']}", "yellow")
    if report["filing"] is None:
        _say(out, "No filing in force", "yellow")
    else:
        _say(out, f"Filed: {report['filing']['pack']} {report['filing']['version']}")
    if len(versions) > 1:
        _say(out, f"This is version {report['version']} of {len(versions)}:", "yellow")
        for row in versions:
            _say(out, f"  {_version(row)}", "bold" if row["version"] == report["version"] else "")


def _version(row: dict[str, Any]) -> str:
    """A version in a line: what was found then, who changed it and why, and whether it stands."""
    found = f", {', '.join(row['codes'])}" if row["codes"] else ""
    money = f" ({show.signed(row['difference_cents'])})" if row["difference_cents"] else ""
    marks = ["attested" if row["attested"] else "unattested", *(["stands"] if row["stands"] else [])]
    why = "".join(
        f"; event {one['seq']}: {one['by']} corrected event {one['corrects_seq']}, “{one['reason']}”"
        for one in row["made_by"]
    )
    return f"{row['version']} {row['verdict'].replace('_', ' ')}{found}{money}: {', '.join(marks)}{why}"


def _say(out: Console, text: str, style: str = "") -> None:
    out.print(show.indented(Text(text, style=style)))


_FLAG_WORDS = {
    "gap": "Events of this round are missing or were refused",
    "chain_broken": "The chain of hashes is broken within this round",
    "bad_signature": "A signature in this round does not verify",
    "reopened": "Late events re-opened this round after it was closed",
    "corrected": "Events of this round were corrected",
    "voided": "The round, or a hand of it, was declared void",
    "context_unknown": "What came before on this table is not known: checks across rounds were left out",
    "never_opened": "Nobody opened this round",
    "rack_unsure": "A scan of the rack did not begin with what lay in it before",
    "rack_uncut": "The rack was read after several rounds, and nothing tells their cards apart",
}


NOT_OFFERED = "none"


def _options(filing: dict[str, Any]) -> RenderableType:
    """Those filed, then what holds for the rest, then what is not offered at all: of that no limits are told."""
    filed = filing["options"]
    try:
        known = load_pack(filing["pack"], filing["version"]).data.options
    except PackError:  # a pack this Muckraker does not ship: what was filed is all there is to say
        known = {}
    defaults = {name: option.default for name, option in known.items() if name not in filed}
    without = sorted(name for name, value in defaults.items() if value == NOT_OFFERED)
    of_these = tuple(name.removesuffix("_paytable").removesuffix("_wager") for name in without)
    limits = {f"{name}_{end}_cents" for name in of_these for end in ("minimum", "maximum")}
    defaults = {name: value for name, value in defaults.items() if name not in limits and value != NOT_OFFERED}
    parts = (("filed", filed), ("not filed, so the pack's default", defaults))
    lines = [
        f"{title}: " + "; ".join(_option(name, value, known.get(name)) for name, value in sorted(options.items()))
        for title, options in parts
        if options
    ]
    if without:
        lines.append(f"not offered: {', '.join(name.replace('_', ' ') for name in of_these)}")
    return Group(*map(Text, lines))


def _option(name: str, value: Any, known: OptionData | None) -> str:
    said = str(value).replace("_", " ") if known is None else known.in_words(name, value)
    return f"{name.removesuffix('_cents') if known is not None else name} {said}".replace("_", " ")


def _who(entry: dict[str, Any]) -> str:
    return f"{entry['seat'] or ''}" + (f" ({entry['bettor']})" if entry.get("bettor") else "")


def _wagers(report: dict[str, Any]) -> RenderableType | None:
    if not report["wagers"]:
        return None
    made = show.table(("seat", "whole"), ("wager", "whole"), ("amount", "right"), "")
    for wager in report["wagers"]:
        what = wager["wager"] + (f" on {wager['choice']}" if wager["choice"] else "")
        late = Text("after no more bets", style="bold red") if wager["late"] else Text("")
        made.add_row(_who(wager), what, show.money(wager["amount_cents"]), late)
    return made


def _deal(report: dict[str, Any]) -> RenderableType:
    lines: list[RenderableType] = []
    bank, start = report["bank"], report["start"]
    if report["seated"]:
        people = (
            f"seat {place['seat']} {place['patron']}{'' if place['sure'] else ' (not sure: events are missing)'}"
            for place in report["seated"]
        )
        lines.append(Text(f"seated: {', '.join(people)}"))
    if bank is not None:
        posted = f", posted {show.money(bank['posted_cents'])}" if bank["posted_cents"] is not None else ""
        turn = f", turn {bank['turn']}" if bank["turn"] is not None else ""
        lines.append(Text(f"{bank['kind'].replace('_', '-')}: seat {bank['seat']}{posted}{turn}"))
    if start is not None:
        number = f" {start['number']}" if start["number"] is not None else ""
        place = "the dealer" if start["place"] == 0 else f"seat {start['place']}"
        lines.append(Text(f"start by {start['method']}{number}: {place}"))
    for action in report["actions"]:
        amount = f" {show.money(action['amount_cents'])}" if action["amount_cents"] else ""
        lines.append(Text(f"seat {_who(action)}: {action['action'].replace('_', ' ')}{amount}"))
    for note in report["notes"]:
        lines.append(Text(f"{show.cards_in(note['text'])} (event {note['seq']})"))
    if report["stub_count"] is not None:
        lines.append(Text(f"stub counted: {show.counted(report['stub_count'], 'card')}"))
    drawn = bool(report["strip"])  # the rack has a section of its own then
    for title, cards in (("dealt", report["dealt"]), *((("rack, bottom first", report["rack"]),) if not drawn else ())):
        held = len(cards.split())
        lines.append(
            Text.assemble(f"{title} ({held}): ", show.cards_text(cards)) if held else Text(f"{title}: not read")
        )
    return Group(*lines)


def _rack(strip: list[dict[str, Any]]) -> RenderableType:
    return Group(RackStrip(strip), *marks_of(strip))


def _hands(report: dict[str, Any]) -> RenderableType | None:
    return hands_table(report["hands"]) if report["hands"] else None


def hands_table(hands: list[dict[str, Any]]) -> Table:
    """Hands with one column for each part they are set in."""
    names = list(dict.fromkeys(part["name"] for hand in hands for part in hand["parts"]))
    made = show.table(("place", "whole"), *((name or "cards", "whole") for name in names), "")
    for hand in hands:
        parts = {part["name"]: show.cards_text(part["cards"]) for part in hand["parts"]}
        made.add_row(
            hand["place"],
            *(parts.get(name, Text("")) for name in names),
            Text(show.ranks_in(hand["note"]), style="dim"),
        )
    return made


def settlement_table(lines: list[dict[str, Any]], reported: bool = True) -> Table | None:
    """Lines as they should be, beside what was reported if anything was; rules by their number in rules_quoted."""
    if not lines:
        return None
    numbers = _rule_numbers(lines)
    headings: list[str | tuple[str, str]] = ["seat", "wager", ("stake", "right"), "should be"]
    made = show.table(*headings, *(("reported", "") if reported else ()), "rule")
    for line in lines:
        stake = "" if "pot" in (line["kind"], line["payer"]) else show.money(line["stake_cents"])  # nobody's stake
        cells: list[RenderableType] = [_who(line), _what(line), stake, _expected(line)]
        if reported:
            agrees = line["agrees"]
            cells += [Text(_reported(line), style="" if agrees else "bold red"), _AGREES if agrees else _DIFFERS]
        made.add_row(*cells, Text(f"[{numbers[_rule_of(line)]}]", style="dim"))
    return made


def rules_quoted(lines: list[dict[str, Any]]) -> RenderableType | None:
    """Each rule the lines rest on, with its number, section and words."""
    numbers = _rule_numbers(lines)
    if not numbers:
        return None
    made = Table.grid("", Column(overflow="fold"), padding=(0, 1, 0, 0))
    for (cited, said), number in numbers.items():
        made.add_row(f"[{number}]", Text(f"{cited}: {said}" if said else cited, style="italic"))
    return made


def _rule_of(line: dict[str, Any]) -> tuple[str, str]:
    """The section, and what decides: of a table its row in words, else the sentence quoted."""
    return line["citation"], line["row"] or (f"“{line['words']}”" if line["words"] else "")


def _rule_numbers(lines: list[dict[str, Any]]) -> dict[tuple[str, str], int]:
    return {rule: number for number, rule in enumerate(dict.fromkeys(map(_rule_of, lines)), 1)}


def _what(line: dict[str, Any]) -> str:
    match line["kind"]:
        case "fee":
            return "fee" + (f" ({line['payer'].replace('_', '-')})" if line["payer"] else "")
        case "envy":
            return f"{line['wager']} envy for seat {line['for_seat']}"
        case "pot":
            return f"side pot {line['hand']}" if line["hand"] else "main pot"
        case "contribution":
            return f"{line['wager']} to meter {line['meter']}"
        case "meter_payout":
            return f"{line['wager']} off meter {line['meter']}"
        case _:
            return str(line["wager"]) + (f" (hand {line['hand'] + 1})" if line.get("hand") else "")


def _expected(line: dict[str, Any]) -> str:
    expected = line["expected"]
    if line["kind"] != "wager":
        return show.money(expected["paid_cents"])
    outcomes = [outcome.replace("_", " ") for outcome in expected["outcomes"]]
    if len(outcomes) > 1:
        return show.joined(outcomes, "or")
    return _settled(outcomes[0] if outcomes else "", expected)


def _reported(line: dict[str, Any]) -> str:
    reported = line["reported"]
    if reported is None:
        return "not reported"
    if line["kind"] != "wager":
        return show.money(reported["paid_cents"])
    return _settled((reported["outcome"] or "").replace("_", " "), reported)


def _settled(outcome: str, money: dict[str, Any]) -> str:
    said = [outcome]
    for name in ("paid", "taken", "vigorish"):
        if money[f"{name}_cents"]:
            said.append(f"{name} {show.money(money[f'{name}_cents'])}")
    return ", ".join(said)


def _ledger(report: dict[str, Any]) -> RenderableType | None:
    ledger = report["ledger"]
    expected, reported = ledger["expected_balances"], ledger["reported_balances"]
    accounts = sorted(dict.fromkeys([*expected, *reported]), key=_account_order)
    if not accounts:
        return None
    judged = ledger["judged"]
    made = show.table("account", ("should be", "right"), ("reported", "right"), ("difference", "right"), "")
    for account in accounts:
        should, was = expected.get(account, 0), reported.get(account, 0)
        apart = was - should if judged else 0
        mark = _DIFFERS if apart else Text("")
        due = show.signed(should) if judged else ""
        made.add_row(account, due, show.signed(was), show.signed(apart) if apart else "", mark)
    all_due = show.money(sum(expected.values())) if judged else ""
    made.add_row("all", all_due, show.money(sum(reported.values())), "", Text(""), style="dim")
    if not judged:
        return Group(made, Text("The round was not judged: nothing says what should have moved.", style="yellow"))
    if report["verdict"] == "cannot_tell":
        how = "What should have moved is by the reading that fits the reports best; what nothing decides, as reported."
        return Group(made, Text(how, style="dim"))
    return made


def _account_order(account: str) -> tuple[bool, int, str]:
    """Seats by number, then the house's own accounts."""
    seat = re.match(r"seat (\d+)", account)
    return (seat is None, int(seat[1]) if seat else 0, account)


def _findings(findings: list[dict[str, Any]], times: VenueTime) -> RenderableType | None:
    if not findings:
        return None
    said: list[RenderableType] = []
    for position, finding in enumerate(findings):
        if position:
            said.append(Text(""))
        title = CATALOGUE[finding["code"]].title
        said.append(
            Text.assemble((f"{finding['code']} {title}", "bold"), " (", show.severity_text(finding["severity"]), ")")
        )
        said.append(show.indented(Text(show.cards_in(times.sentence(finding["sentence"])))))
        said.append(show.indented(Text(f"Rule: {finding['citation']}", style="italic")))
        evidence = ", ".join(str(seq) for seq in finding["evidence"]) or "none named"
        money = f"; difference {show.signed(finding['difference_cents'])}" if finding["difference_cents"] else ""
        sure = f"{how_sure(finding['confidence'])}, {BASIS_WORDS[Basis(finding['basis'])]}"
        rests_on = f"Evidence: events {evidence}; {sure}{money}"
        said.append(show.indented(Text(rests_on, style="dim")))
    return Group(*said)


def _events(events: list[dict[str, Any]], evidence: set[int], times: VenueTime, offsets: bool) -> RenderableType | None:
    """What the devices said, each time with its offset if asked; the events a finding rests on are marked."""
    if not events:
        return None
    made = show.table("", ("seq", "right"), ("at", "whole"), ("type", "whole"), ("device", "whole"), "data")
    for event in events:
        kind = plain_type(event["event_type"])
        at = times.clock(event["happened_at"]) + (f" {times.offset(event['happened_at'])}" if offsets else "")
        mark = Text("→", style="bold red") if event["seq"] in evidence else Text("")
        device = event["source"].rsplit("/", 1)[-1]
        said = json.dumps(json.loads(event["data"]), ensure_ascii=False)  # with blanks, where lines may break
        made.add_row(mark, str(event["seq"]), at, kind, device, Text(said))
    return made
