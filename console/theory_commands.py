"""Commands that answer from theory: what a wager returns in the long run, and what a hand is."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from typing import Any

import click
from rich.text import Text

from analytics.theory import (
    CountsStore,
    Method,
    TheoryError,
    WagerTheory,
    cache_folder,
    read_hand,
    theory_of,
    wagers_of,
)
from console import show
from console.command import Command, Settings, color_option, home_option, json_option, pass_settings
from console.exits import BadInput
from console.home import is_home
from replay.filing import Filing, OptionData, OptionValue, PackError, file_under, filing_problem, load_pack
from schemas.money import MAX_CENTS, dollars, parse_dollars

_option_option = click.option(
    "--option", "options", multiple=True, metavar="NAME=VALUE", help="As filed, where it is not the pack's default."
)


@click.command(
    cls=Command,
    examples=[
        "muckraker theory ma/pai_gow_poker",
        "muckraker theory ma/pai_gow_poker --wager fortune --option fortune_paytable=C",
        "muckraker theory ca/supreme_baccarat --option decks=6 --json",
    ],
)
@click.argument("pack_id", metavar="PACK")
@click.option("--wager", help="Only this wager, with its whole distribution.")
@_option_option
@click.option("--stake", metavar="DOLLARS", help="Figures for this stake [the smallest one filed].")
@click.option("--recompute", is_flag=True, help="Count anew, and say whether it agrees with what was stored.")
@json_option
@home_option
@color_option
@pass_settings
def theory(
    settings: Settings, pack_id: str, wager: str | None, options: tuple[str, ...], stake: str | None, recompute: bool
) -> None:
    """How often each outcome should come, and what each wager returns in the long run.

    Exact, by counting every deal; where play decides, a simulation with its standard error, and it says so.
    """
    filing = _filing(pack_id, options)
    with settings.bar("counting") as bar:
        store = CountsStore(_folder(settings), recompute=recompute, progress=bar.show)
        try:
            stake_cents = None if stake is None else _stake(stake)
            wagers = wagers_of(filing) if wager is None else (wager,)
            found = [theory_of(filing, name, store, stake_cents) for name in wagers]
        except TheoryError as error:
            raise BadInput(str(error)) from error
    for note in dict.fromkeys(store.notes):
        settings.note(note)
    if settings.as_json:
        if wager is None:
            settings.lines(one.document() for one in found)
        else:
            settings.document(found[0].document())
    elif wager is None:
        _print_summary(settings, filing, found)
    else:
        _print_wager(settings, found[0])


@click.command(
    cls=Command,
    examples=[
        'muckraker rank ma/pai_gow_poker "As Ad X1 Ks Kd 5h 2d"',
        'muckraker rank ca/supreme_baccarat "9s 5d Kh / 7c Td"',
    ],
)
@click.argument("pack_id", metavar="PACK")
@click.argument("cards", metavar="CARDS")
@_option_option
@json_option
@color_option
@pass_settings
def rank(settings: Settings, pack_id: str, cards: str, options: tuple[str, ...]) -> None:
    """Say what a hand is: its best five, class and house way, or its totals and what each wager comes to.

    Cards are rank and suit (As, Td), the joker is X1; write baccarat hands as PLAYER / BANKER.
    """
    filing = _filing(pack_id, options)
    try:
        reading = read_hand(filing, cards)
    except TheoryError as error:
        raise BadInput(str(error)) from error
    if settings.as_json:
        settings.document(reading.document())
        return
    made = show.table("", "what it is", "cards", "by")
    for fact in reading.facts:
        made.add_row(
            Text(fact.label), Text(show.ranks_in(fact.value)), show.cards_text(fact.cards), Text(fact.cite, style="dim")
        )
    settings.out.print(show.cards_text(reading.cards))
    settings.out.print(show.indented(made, above=1))


# --- what was asked --------------------------------------------------------------------------------------------------


def _filing(pack_id: str, stated: tuple[str, ...]) -> Filing:
    pack = load_pack(pack_id)
    options: dict[str, OptionValue] = {}
    for text in stated:
        name, equals, value = text.partition("=")
        if not equals:
            raise BadInput(f"--option {text!r} is not NAME=VALUE")
        if name not in pack.data.options:
            raise PackError(f"pack {pack.id} has no option {name!r}; it has: {', '.join(pack.data.options)}")
        options[name] = _value(value, pack.data.options[name])
    filing = file_under(pack, pack.data.version, options)
    problem = filing_problem(filing)
    if problem:
        raise BadInput(f"pack {pack.id}: {problem}")
    return filing


def _value(text: str, option: OptionData) -> OptionValue:
    """The text as the option's kind of value; one that does not fit stays text, and the filing says why not."""
    if isinstance(option.default, bool):
        return {"yes": True, "no": False}.get(text, text)
    if isinstance(option.default, int) and text.removeprefix("-").isdecimal():
        return int(text)
    return text


def _stake(text: str) -> int:
    try:
        cents = parse_dollars(text)
    except ValueError as error:
        raise BadInput(f"--stake: {error}") from error
    if not 1 <= cents <= MAX_CENTS:
        raise BadInput(f"--stake {text}: a stake is between one cent and {dollars(MAX_CENTS)}")
    return cents


def _folder(settings: Settings) -> Path:
    """Counts are kept in the home, where there is one, and else in the user's cache."""
    return settings.home_path / "theory" if is_home(settings.home_path) else cache_folder()


# --- what is said ----------------------------------------------------------------------------------------------------


def _print_summary(settings: Settings, filing: Filing, found: list[WagerTheory]) -> None:
    settings.out.print(
        Text(f"{filing.pack.id} {filing.pack.data.version}: {filing.pack.data.title}", style="bold"),
        Text(_options_text(found)),
        sep="\n",
    )
    made = show.table(
        "wager",
        "method",
        ("stake", "right"),
        ("wins", "right"),
        ("return", "right"),
        ("house edge", "right"),
        ("std dev", "right"),
        ("std error", "right"),
    )
    for one in found:
        made.add_row(
            one.wager,
            one.method.value,
            dollars(one.stake_cents),
            percent(one.win_probability),
            percent(one.returned),
            percent(one.house_edge),
            f"{one.standard_deviation:.4f}",
            "exact" if one.standard_error is None else f"±{one.standard_error:.4%}",
        )
    settings.out.print(show.indented(made, above=1, below=1))
    for one in found:
        _print_envy(settings, one)
        _print_meters(settings, one)
    for note in dict.fromkeys(note for one in found for note in one.notes):
        settings.out.print(show.indented(Text(f"- {note}", style="dim")))


def _print_wager(settings: Settings, one: WagerTheory) -> None:
    out, data = settings.out, one.filing.pack.data
    out.print(Text(f"{one.filing.pack.id} {data.version}: {data.wagers[one.wager].title}", style="bold"))
    out.print(Text(_options_text([one])))
    out.print(Text(f"  {one.method.value}: {one.total:,} {one.counts.deal}"))
    if one.counts.sample is not None:
        out.print(Text(f"  seed {one.counts.sample.seed}, {show.counted(one.counts.sample.rounds, 'round')}"))
    made = show.table(
        "outcome",
        ("count", "right"),
        ("probability", "right"),
        ("one in", "right"),
        ("net", "right"),
        ("adds", "right"),
    )
    for outcome in one.outcomes:
        share = Fraction(outcome.count, one.total)
        made.add_row(
            outcome.outcome.replace("_", " "),
            f"{outcome.count:,}",
            f"{float(share):.10f}",
            f"{float(1 / share):,.2f}" if share else "never",
            _net_text(outcome.net),
            f"{float(share * outcome.net):+.8f}",
        )
    out.print(show.indented(made, above=1, below=1))
    facts = [
        ("return", percent(one.returned)),
        ("house edge", percent(one.house_edge)),
        ("variance", f"{float(one.variance):.6f} (standard deviation {one.standard_deviation:.6f} stakes)"),
        ("wins", percent(one.win_probability)),
    ]
    if one.method is Method.SIMULATION:
        facts.insert(2, ("std error", f"±{one.standard_error:.4%} of return and house edge"))
    for label, text in facts:
        out.print(Text(f"  {label:<12}{text}"))
    _print_envy(settings, one)
    _print_meters(settings, one)
    for note in (*one.notes, f"stake {dollars(one.stake_cents)}; digest of the inputs {one.digest}"):
        out.print(show.indented(Text(f"- {note}", style="dim")))


def _print_envy(settings: Settings, one: WagerTheory) -> None:
    if one.envy is None:
        return
    worth = f"{float(one.envy.expected_cents):.4f}¢ for each other exposed hand, exactly"
    if one.envy.qualifies:
        text = f"{worth}: {percent(one.envy.expected_cents / one.stake_cents)} of the stake"
    else:
        text = f"{worth}, but {dollars(one.stake_cents)} is too little to qualify"
    settings.out.print(Text(f"  {'envy bonus':<12}{text}"))


def _print_meters(settings: Settings, one: WagerTheory) -> None:
    """What each meter was taken to hold, how often a share of it is won, and where the wager returns all of itself."""
    for meter in one.meters:
        even = round(meter.break_even_cents)
        breaks = f"at {dollars(even)} the wager breaks even" if even > 0 else "the wager breaks even without it"
        won = f"a share of it is won once in {float(1 / meter.hits):,.0f} wagers"
        settings.out.print(Text(f"  {meter.name:<12}figured at {dollars(meter.held_cents)}; {won}; {breaks}"))


def _options_text(found: list[WagerTheory]) -> str:
    options: dict[str, Any] = {}
    for one in found:
        options |= one.options
    return "  " + ", ".join(f"{name}: {value}" for name, value in options.items())


def _net_text(net: Fraction) -> str:
    if net == -1:
        return "lost"
    if net == 0:
        return "push"
    return f"{net.numerator:,}" if net.denominator == 1 else f"{float(net):.4f}"


def percent(value: Fraction) -> str:
    return f"{float(value):.4%}"
