"""What one version of a pack has otherwise than another, piece by piece, each with the words it rests on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass
from difflib import SequenceMatcher
from enum import Enum
from inspect import getsource
from itertools import zip_longest
from operator import attrgetter
from typing import NamedTuple, TypeVar

from replay.cards.dealing.method import ANY_NUMBER, Method
from replay.cards.pickup.procedure import Laid, PickupStep, Procedure
from replay.cards.pickup.words import written
from replay.citations import Citation
from replay.filing.data import OptionData, PackData, WagerData
from replay.filing.fees import FeePart, FeeSchedule
from replay.filing.filed import Pack
from replay.filing.law import law_of_any_kind, rule_functions, rules_module
from replay.filing.paytables import Paytable, PaytableRow
from replay.filing.versions import title_of
from schemas.money import dollars

T = TypeVar("T")


@dataclass(frozen=True)
class Difference:
    """One thing that is otherwise. What was not there, or is no more, has no words and no citation."""

    kind: str  # pack, wager, option, conflict, dealing, pay table, fees, pickup, rule, law
    name: str
    before: str | None
    after: str | None
    cite_before: Citation | None = None
    cite_after: Citation | None = None


_Side = tuple[str, Citation | None]  # in words, and what that rests on


def differences(old: Pack, new: Pack) -> list[Difference]:
    """Everything but the names and days of the versions themselves, in the order of a pack's files."""
    return [
        *_between("pack", _of_pack(old.data), _of_pack(new.data)),
        *_between("wager", _each(old.data.wagers, _wager), _each(new.data.wagers, _wager)),
        *_between("option", _options(old), _options(new)),
        *_between("conflict", _conflicts(old.data), _conflicts(new.data)),
        *_between("dealing", _each(old.dealing, _method), _each(new.dealing, _method)),
        *_between("pay table", _paytables(old), _paytables(new)),
        *_between("fees", _fees(old), _fees(new)),
        *_of_pickups(old.pickups, new.pickups),
        *_of_rules(old, new),
        *_between("law", _law(old), _law(new)),
    ]


def _between(kind: str, old: Mapping[str, _Side], new: Mapping[str, _Side]) -> Iterator[Difference]:
    """By name: those of the old one in its order, and then those that are new."""
    for name in [*old, *(name for name in new if name not in old)]:
        before, cite_before = old.get(name, (None, None))
        after, cite_after = new.get(name, (None, None))
        if before != after or cite_before != cite_after:
            yield Difference(kind, name, before, after, cite_before, cite_after)


def _each(named: Mapping[str, T], in_words: Callable[[T], _Side]) -> dict[str, _Side]:
    return {name: in_words(one) for name, one in named.items()}


# --- pack.yaml and dealing.yaml --------------------------------------------------------------------------------------


def _of_pack(data: PackData) -> dict[str, _Side]:
    deck, seats = data.deck, data.seats
    return {
        "title": (data.title, None),
        "text": (data.text, None),
        "family": (data.family, None),
        "deck": (f"decks {deck.decks}, jokers {deck.jokers} each", deck.cite),
        "seats": (f"{seats.count}, numbered {seats.numbering}", seats.cite),
    }


def _wager(wager: WagerData) -> _Side:
    needs = f", needs {wager.requires}" if wager.requires else ""
    return f"{wager.title}{', a bonus wager' if wager.bonus else ''}{needs}", wager.cite


def _options(pack: Pack) -> dict[str, _Side]:
    return {name: (_option(name, option), option.cite) for name, option in pack.data.options.items()}


def _conflicts(data: PackData) -> dict[str, _Side]:
    return {conflict.in_words: (conflict.way_out, conflict.cite) for conflict in data.conflicts}


def _option(name: str, option: OptionData) -> str:
    if option.choices is not None:
        allowed = f": {' | '.join(option.choices)}"
    elif option.minimum is not None or option.maximum is not None:
        least, most = (
            "" if end is None else option.in_words(name, end) if name.endswith("_cents") else f"{end:,}"
            for end in (option.minimum, option.maximum)
        )
        allowed = f": {least} to {most}"
    else:
        allowed = ""
    return f"{option.title}{allowed}; by default {option.in_words(name, option.default)}"


def _method(method: Method) -> _Side:
    """The title alone where it says all; what else there is follows."""
    said: list[str] = [method.title, method.receives, method.starts, method.direction]
    said += [f"{step.cards} to {step.to}, {step.passes} times" for step in method.steps]
    if method.stacks is not None:
        said += [method.stacks.first, "back and forth" if method.stacks.zigzag else "one way every time"]
    said += [f"a boxed card: {method.boxed}", f"an exposed card: {method.exposed}"]
    if method.most_boxed < ANY_NUMBER:
        said.append(f"void with more than {method.most_boxed} of them")
    return "; ".join(said), method.cites[0]


# --- pay tables and fees ---------------------------------------------------------------------------------------------


def _paytables(pack: Pack) -> dict[str, _Side]:
    made: dict[str, _Side] = {}
    for name, table in pack.paytables.items():
        unit = "" if table.unit is None else f", sums of money for {dollars(table.unit)}"
        made[name] = (f"{table.title}; odds are {table.pays}{unit}", table.cite)
        if table.scales is not None:
            made[f"{name}, larger wagers"] = ("sums are multiplied with the wager", table.scales)
        made |= {f"{name}, {kind}": side for kind, side in _progressive(table).items()}
        for row in table.rows:
            made[f"{name}, {row.hand.replace('_', ' ')}"] = (_row(table, row), table.cite_of(row))
    return made


def _progressive(table: Paytable) -> dict[str, _Side]:
    terms, made = table.progressive, dict[str, _Side]()
    if terms is not None and terms.contribution is not None:
        made["contribution"] = (f"{terms.contribution.percent}% of each wager", terms.contribution.cite)
    if terms is not None and terms.seed is not None:
        made["seed"] = (f"{dollars(terms.seed.amount)} or more", terms.seed.cite)
    if terms is not None and terms.deducted is not None:
        hands = "".join(f", and {hand.replace('_', ' ')}" for hand in terms.deducted.hands)
        made["off the meter"] = (f"sums from {dollars(terms.deducted.at_least)}{hands}", terms.deducted.cite)
    return made


def _row(table: Paytable, row: PaytableRow) -> str:
    payout = "a push" if row.odds == "push" else table.payout_in_words(row)
    return f"{payout}{f', envy {dollars(row.envy)}' if row.envy else ''}"


def _fees(pack: Pack) -> dict[str, _Side]:
    made: dict[str, _Side] = {}
    for name, schedule in pack.fees.items():
        made[name] = (schedule.title, schedule.cite)
        made[f"{name}, taken"] = (schedule.moment.replace("_", " "), schedule.moment_cite)
        made |= {f"{name}, {wager} wager": limit for wager, limit in _limits(schedule).items()}
        for part in schedule.parts:
            payer = f"{name}, {part.payer.replace('_', '-')} on the {part.basis.replace('_', ' ')}"
            made |= {f"{payer}, {floor}": (fee, part.cite) for floor, fee in _bands(part).items()}
    return made


def _limits(schedule: FeeSchedule) -> dict[str, _Side]:
    return {
        wager: (f"{dollars(least)} to {dollars(most)}", schedule.limits_cite)
        for wager, (least, most) in schedule.limits.items()
    }


def _bands(part: FeePart) -> dict[str, str]:
    return {band.from_words: dollars(band.fee) for band in part.bands}


# --- pickup procedures -----------------------------------------------------------------------------------------------


def _of_pickups(old: Mapping[str, Procedure], new: Mapping[str, Procedure]) -> Iterator[Difference]:
    """Step by step: a step that is carried out at another moment is gone here and new there."""
    for name in [*old, *(name for name in new if name not in old)]:
        before = [_step(step) for step in old[name].steps] if name in old else []
        after = [_step(step) for step in new[name].steps] if name in new else []
        for tag, first, end, into, out in SequenceMatcher(a=before, b=after, autojunk=False).get_opcodes():
            if tag == "equal":
                continue
            steps = zip_longest(enumerate(before[first:end], first), enumerate(after[into:out], into))
            for was, now in steps:
                number = (was or now or (0,))[0] + 1
                (said, cited), (says, cites) = (_side(was), _side(now))
                yield Difference("pickup", f"{name}, step {number}", said, says, cited, cites)


def _step(step: PickupStep) -> tuple[str, Citation, tuple[Citation, ...]]:
    whose = f" ({', '.join(map(written, step.whose))})" if step.whose else ""
    rules = () if isinstance(step.laid, Laid) else step.laid
    return f"{step.title}{whose}: {step.in_words}", step.cite, tuple(rule.cite for rule in rules)


def _side(step: tuple[int, tuple[str, Citation, tuple[Citation, ...]]] | None) -> tuple[str | None, Citation | None]:
    return (None, None) if step is None else step[1][:2]


# --- rules -----------------------------------------------------------------------------------------------------------


def _of_rules(old: Pack, new: Pack) -> Iterator[Difference]:
    """Functions by name: on another citation, or other code on the same one."""
    before, after = _functions(old), _functions(new)
    for name in [*before, *(name for name in after if name not in before)]:
        was, now = before.get(name), after.get(name)
        if was is None or now is None or (was.cite, was.code) != (now.cite, now.code):
            yield Difference(
                "rule",
                name,
                was and f"as in {was.version}",
                now and f"as in {now.version}",
                was and was.cite,
                now and now.cite,
            )


class _Function(NamedTuple):
    cite: Citation
    code: str
    version: str  # that has it


def _functions(pack: Pack) -> dict[str, _Function]:
    cited = pack.rule_functions
    return {
        name: _Function(cited[name], getsource(attrgetter(name)(rules_module(path))), title_of(path.parent))
        for path in reversed(pack.rules)
        for name in rule_functions(path)
    }


def _law(pack: Pack) -> dict[str, _Side]:
    """The numbers, words and citations in LAW; its functions are rules, above."""
    law = law_of_any_kind(pack.rules[0], pack.cites) if pack.rules else None
    return dict(_values(law, "")) if law is not None else {}


def _values(law: object, name: str) -> Iterator[tuple[str, _Side]]:
    """Of a value and those in it: a citation rests on itself, what stands beside one called `cite` on that."""
    if isinstance(law, Citation):
        yield name, (str(law), law)
    elif isinstance(law, bool | int | str | Enum | None):
        yield name, (str(law), None)
    elif isinstance(law, Mapping):
        for key, value in law.items():
            yield from _values(value, f"{name}[{key}]")
    elif isinstance(law, tuple | list):
        for number, value in enumerate(law):
            yield from _values(value, f"{name}[{number}]")
    elif is_dataclass(law):
        cited = getattr(law, "cite", None)
        for each in fields(law):
            for inner, (said, rests_on) in _values(getattr(law, each.name), f"{name}.{each.name}".lstrip(".")):
                yield inner, (said, rests_on or (cited if isinstance(cited, Citation) else None))
