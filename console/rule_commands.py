"""Commands that show the rules: which packs there are, and what each says, in the words it rests on."""

from __future__ import annotations

from typing import Any

import click
from rich.text import Text

from console import show
from console.command import Group, Settings, color_option, json_option, pass_settings
from console.exits import BadInput, Exit
from replay.cards.dealing.method import Method
from replay.cards.pickup.procedure import Laid, Procedure, procedure_ids, shipped_procedure
from replay.cards.pickup.words import written
from replay.citations import TEXTS, Citation
from replay.filing import (
    Difference,
    FeeSchedule,
    OptionData,
    Pack,
    Paytable,
    differences,
    load_pack,
    pack_ids,
    versions_of,
)


@click.group(cls=Group)
def rules() -> None:
    """The rule packs: list, show, diff."""


@rules.command("list", examples=["muckraker rules list"])
@json_option
@color_option
@pass_settings
def rules_list(settings: Settings) -> None:
    """Every rule pack that ships, in each of its versions, with the days it is in force."""
    packs = [load_pack(pack_id, version) for pack_id in pack_ids() for version in versions_of(pack_id)]
    if settings.as_json:
        settings.lines(
            {
                "pack": pack.id,
                "version": pack.version,
                "title": pack.data.title,
                "text": pack.data.text,
                "effective_from": pack.data.effective_from.isoformat(),
                "effective_to": pack.data.effective_to.isoformat() if pack.data.effective_to else None,
                "based_on": list(pack.based_on),
            }
            for pack in packs
        )
        return
    made = show.table("pack", "version", "in force", "title", "rule text", ("options", "right"))
    for pack in packs:
        made.add_row(
            pack.id,
            pack.version,
            pack.when_in_force,
            pack.data.title,
            TEXTS[pack.data.text],
            str(len(pack.data.options)),
        )
    settings.out.print(made)


@rules.command(
    "show",
    examples=[
        "muckraker rules show ma/pai_gow_poker",
        "muckraker rules show ma/pai_gow_poker --version 1.0",
        "muckraker rules show ma/pai_gow_poker --option vigorish_rounding",
        "muckraker rules show ca-pure_21_5_blackjack",
    ],
)
@click.argument("pack_id", metavar="PACK")
@click.option("--version", help="This version of it; without it the one that came into force last.")
@click.option("--option", "option_name", help="Only this option, with the words it rests on.")
@json_option
@color_option
@pass_settings
def rules_show(settings: Settings, pack_id: str, version: str | None, option_name: str | None) -> None:
    """A pack: options with choices, defaults and citations; pay tables; fees; the rules and their words.

    Of a game whose pack is still to come, the pickup procedure (docs/pickup.md names them).
    """
    if pack_id in procedure_ids():
        if option_name is not None:
            raise BadInput(f"{pack_id} is a pickup procedure and has no options; leave out --option")
        if version is not None:
            raise BadInput(f"{pack_id} is a pickup procedure and has no versions; leave out --version")
        _show_procedure(settings, shipped_procedure(pack_id))
        return
    pack = load_pack(pack_id, version)
    if option_name is not None and option_name not in pack.data.options:
        raise BadInput(f"pack {pack.id} has no option {option_name!r}; it has: {', '.join(pack.data.options)}")
    if settings.as_json:
        document = pack_document(pack)
        settings.document(document if option_name is None else document["options"][option_name])
    elif option_name is not None:
        _print_option(settings, option_name, pack.data.options[option_name])
    else:
        _print_pack(settings, pack)


@rules.command(
    "diff",
    examples=[
        "muckraker rules diff ma/pai_gow_poker 1.0 2.0",
        "muckraker rules diff ma/pai_gow_poker 1.0 2.0 --fail --json",
    ],
    exits={Exit.FOUND: "with --fail: the versions differ"},
)
@click.argument("pack_id", metavar="PACK")
@click.argument("old", metavar="V1")
@click.argument("new", metavar="V2")
@click.option("--fail", is_flag=True, help="Exit 1 when the versions differ.")
@json_option
@color_option
@pass_settings
def rules_diff(settings: Settings, pack_id: str, old: str, new: str, fail: bool) -> None:
    """What version V2 of a pack has otherwise than V1.

    Options and limits, wagers, rows of pay tables, bands of fees, steps of the pickup, dealing methods and rules, each
    as it was and as it is, with the words it rests on.
    """
    before, after = load_pack(pack_id, old), load_pack(pack_id, new)
    found = differences(before, after)
    if settings.as_json:
        settings.lines(difference_document(difference) for difference in found)
    else:
        _print_differences(settings, before, after, found)
    if fail and found:
        click.get_current_context().exit(Exit.FOUND)


def difference_document(difference: Difference) -> dict[str, Any]:
    cites = {"cite_before": difference.cite_before, "cite_after": difference.cite_after}
    return {
        "kind": difference.kind,
        "name": difference.name,
        "before": difference.before,
        "after": difference.after,
        **{name: None if cited is None else cited.model_dump(mode="json") for name, cited in cites.items()},
    }


def _print_differences(settings: Settings, before: Pack, after: Pack, found: list[Difference]) -> None:
    out = settings.out
    for pack in (before, after):
        based_on = f", based on {show.joined(pack.based_on)}" if pack.based_on else ""
        out.print(Text(f"{pack.id} {pack.version}, in force {pack.when_in_force}{based_on}", style="bold"))
    if not found:
        out.print(Text("Nothing differs but the version and the days it is in force."))
    kind = ""
    for difference in found:
        if difference.kind != kind:
            kind = difference.kind
            _heading(settings, kind[0].upper() + kind[1:])
        out.print(Text(f"  {difference.name}"))
        for sign, said, cited, style in (
            ("-", difference.before, difference.cite_before, "red"),
            ("+", difference.after, difference.cite_after, "green"),
        ):
            if said is not None:
                out.print(show.indented(Text(f"{sign} {said}", style=style), 4))
                if cited is not None:
                    out.print(show.indented(Text(cited.explained, style="italic dim"), 6))
    if found:
        out.print()
        out.print(Text(f"{show.counted(len(found), 'difference')}."))


def pack_document(pack: Pack) -> dict[str, Any]:
    return {
        **pack.data.model_dump(mode="json", exclude={"pickup"}),
        "versions": versions_of(pack.id),
        "based_on": list(pack.based_on),
        "dealing": {name: method_document(method) for name, method in pack.dealing.items()},
        "pickup": {name: procedure.model_dump(mode="json")["steps"] for name, procedure in pack.pickups.items()},
        "paytables": {name: paytable.model_dump(mode="json") for name, paytable in pack.paytables.items()},
        "fees": {name: schedule.model_dump(mode="json") for name, schedule in pack.fees.items()},
        "rules": {name: cited.model_dump(mode="json") for name, cited in pack.rule_functions.items()},
    }


def method_document(method: Method) -> dict[str, Any]:
    """A dealing method, its choices by the names dealing.yaml has for them."""
    document = {
        "title": method.title,
        "receives": method.receives.name.lower(),
        "starts": method.starts.name.lower(),
        "direction": method.direction.name.lower(),
        "steps": [{"to": str(step.to), "cards": step.cards, "passes": step.passes} for step in method.steps],
        "boxed": method.boxed.name.lower(),
        "exposed": method.exposed.name.lower(),
    }
    return {**document, "cites": [cited.model_dump(mode="json") for cited in method.cites]}


def _quote(cited: Citation) -> Text:
    return Text(f"{cited}: “{cited.words}”" if cited.words else str(cited), style="italic dim")


def _allowed(name: str, option: OptionData) -> str:
    if option.choices is not None:
        return " | ".join(option.choices)
    if isinstance(option.default, bool):
        return "yes | no"
    if isinstance(option.default, str):
        return "any name"
    if name.endswith("_cents"):
        least = "" if option.minimum is None else option.in_words(name, option.minimum)
        return (
            f"{least}{', or up' if option.zero and not option.minimum else ''} to {show.money(option.maximum)}".strip()
        )
    least = "" if option.minimum is None else f"{option.minimum:,}"
    most = "" if option.maximum is None else f"{option.maximum:,}"
    return f"{least} to {most}".strip()


def _default(name: str, option: OptionData) -> str:
    """As it is filed, and sums of money in dollars too."""
    value = option.default
    return f"{value} ({option.in_words(name, value)})" if name.endswith("_cents") else str(value)


def _print_option(settings: Settings, name: str, option: OptionData) -> None:
    settings.out.print(Text(name, style="bold"))
    settings.out.print(Text(f"  {option.title}: {_allowed(name, option)} (default {_default(name, option)})"))
    settings.out.print(show.indented(_quote(option.cite)))


def _print_pack(settings: Settings, pack: Pack) -> None:
    out, data = settings.out, pack.data
    out.print(Text(f"{pack.id} {data.version}: {data.title}", style="bold"))
    based_on = f", based on {show.joined(pack.based_on)}" if pack.based_on else ""
    out.print(Text(f"  {TEXTS[data.text]}, in force {pack.when_in_force}{based_on}"))
    others = [version for version in versions_of(pack.id) if version != pack.version]
    if others:
        compared = f"muckraker rules diff {pack.id} {others[-1]} {pack.version}"
        out.print(Text(f"  other versions: {', '.join(others)} ({compared} shows what differs)"))
    deck = f"{show.counted(data.deck.decks, 'deck')}, {show.counted(data.deck.jokers, 'joker')} each"
    out.print(Text(f"  {deck}; {data.seats.count} seats numbered {data.seats.numbering}"))

    _heading(settings, "Wagers")
    for name, wager in data.wagers.items():
        needs = f", needs {wager.requires}" if wager.requires else ""
        out.print(Text(f"  {name}: {wager.title}{needs}"))
        out.print(show.indented(_quote(wager.cite), 4))
    _heading(settings, "Options a licensee files")
    made = show.table("option", "what", "allowed", "default", "citation")
    for name, option in data.options.items():
        made.add_row(
            name, option.title, _allowed(name, option), _default(name, option), Text(str(option.cite), style="dim")
        )
    out.print(show.indented(made))
    if data.conflicts:
        _heading(settings, "Choices that cannot stand together")
    for conflict in data.conflicts:
        out.print(Text(f"  {conflict.in_words}: {conflict.way_out}"))
        out.print(show.indented(_quote(conflict.cite), 4))
    if pack.dealing:
        _heading(settings, "Dealing")
    for name, method in pack.dealing.items():
        out.print(Text(f"  {name}: {method.title}"))
        for cited in method.cites:
            out.print(show.indented(_quote(cited), 4))
    for paytable in pack.paytables.values():
        _print_paytable(settings, paytable)
    for schedule in pack.fees.values():
        _print_fees(settings, schedule)
    _heading(settings, "Order of the discard rack")
    for name, procedure in pack.pickups.items():
        if len(pack.pickups) > 1:
            out.print(Text(f"  {name}: {procedure.title}"))
        _print_steps(settings, procedure)
    _heading(settings, "Rules")
    for name, cited in pack.rule_functions.items():
        out.print(Text(f"  {name}"))
        out.print(show.indented(_quote(cited), 4))


def _show_procedure(settings: Settings, procedure: Procedure) -> None:
    if settings.as_json:
        settings.document(procedure.model_dump(mode="json"))
        return
    settings.out.print(Text(f"{procedure.id}: {procedure.title}", style="bold"))
    settings.out.print(Text("  Order of the discard rack; the game's pack is still to come"))
    _print_steps(settings, procedure)


def _print_steps(settings: Settings, procedure: Procedure) -> None:
    """Every step in words: what goes in, whose, in which order and how it lies, and the words that rests on."""
    for number, step in enumerate(procedure.steps, 1):
        settings.out.print(Text(f"  {number}. {step.title}"))
        if step.whose:
            settings.out.print(show.indented(Text(f"whose: {', '.join(map(written, step.whose))}"), 5))
        settings.out.print(show.indented(Text(step.in_words), 5))
        rules = () if isinstance(step.laid, Laid) else step.laid
        for cited in dict.fromkeys((step.cite, *(rule.cite for rule in rules))):
            settings.out.print(show.indented(_quote(cited), 5))


def _heading(settings: Settings, title: str) -> None:
    settings.out.print()
    settings.out.print(Text(title, style="bold"))


def _print_paytable(settings: Settings, paytable: Paytable) -> None:
    _heading(settings, f"Pay table {paytable.id}: {paytable.title}")
    envy = any(row.envy is not None for row in paytable.rows)
    made = show.table("hand", ("pays", "right"), *((("envy", "right"),) if envy else ()), "")
    for row in paytable.rows:
        cells = [show.money(row.envy)] if envy else []
        made.add_row(
            row.hand.replace("_", " "),
            paytable.payout_in_words(row),
            *cells,
            Text(f"doubtful: {row.suspect}" if row.suspect else "", style="yellow"),
        )
    settings.out.print(show.indented(made))
    if paytable.unit is not None:
        larger = "a larger wager is paid in proportion" if paytable.scales else "no other wager is allowed"
        settings.out.print(Text(f"  sums of money are for a wager of {show.money(paytable.unit)}; {larger}"))
    settings.out.print(show.indented(_quote(paytable.cite)))
    terms = paytable.progressive
    if terms is not None and terms.contribution is not None:
        settings.out.print(Text(f"  to the meter: {terms.contribution.percent}% of each wager or more"))
        settings.out.print(show.indented(_quote(terms.contribution.cite)))
    if terms is not None and terms.seed is not None:
        settings.out.print(Text(f"  seed of the meter: {show.money(terms.seed.amount)} or more"))
        settings.out.print(show.indented(_quote(terms.seed.cite)))
    if terms is not None and terms.deducted is not None:
        off = [row.hand.replace("_", " ") for row in paytable.rows if row.amount and paytable.off_meter(row)]
        settings.out.print(Text(f"  off the meter, beside its shares: {show.joined(off)}"))
        settings.out.print(show.indented(_quote(terms.deducted.cite)))


def _print_fees(settings: Settings, schedule: FeeSchedule) -> None:
    _heading(settings, f"Fees {schedule.id}: {schedule.title}")
    settings.out.print(Text(f"  taken {schedule.moment.replace('_', ' ')}"))
    settings.out.print(show.indented(_quote(schedule.moment_cite)))
    limits = "; ".join(
        f"{wager} {show.money(low)} to {show.money(high)}" for wager, (low, high) in schedule.limits.items()
    )
    settings.out.print(show.indented(Text(f"wagers: {limits}")))
    for part in schedule.parts:
        bands = ", ".join(f"{band.from_words}: {show.money(band.fee)}" for band in part.bands)
        payer, basis = part.payer.replace("_", "-"), part.basis.replace("_", " ")
        settings.out.print(show.indented(Text(f"{payer}, on the {basis}: {bands}")))
    settings.out.print(show.indented(_quote(schedule.cite)))
