"""Commands over cases: what should this round have paid, and do these cases hold?"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click
from rich.text import Text

from console import show
from console.command import Command, Group, Settings, color_option, json_option, pass_settings
from console.exits import BadInput, Exit
from console.transcript import hands_table, rules_quoted, settlement_table
from replay.case_run import cases_under, check_case, settle_case
from replay.filing import Pack, PackError, load_pack, pack_ids, versions_of
from schemas.cases import Case, CaseError, read_cases


@click.command(cls=Command, examples=["muckraker settle dispute.yaml", "muckraker settle dispute.yaml --json"])
@click.argument("path", metavar="CASE.yaml", type=click.Path(path_type=Path))
@json_option
@color_option
@pass_settings
def settle(settings: Settings, path: Path) -> None:
    """What should this round have paid? Needs no home: the case says who bet and held what."""
    settled = [_settled(path, case) for case in read_cases(path)]
    if settings.as_json:
        settings.lines(settled)
        return
    for position, document in enumerate(settled):
        if position:
            settings.out.print()
        _print_settled(settings, document)


def _settled(path: Path, case: Case) -> dict[str, Any]:
    try:
        return settle_case(case)
    except (PackError, ValueError) as error:
        raise _unusable(path, case, error) from error


def _unusable(path: Path, case: Case, error: Exception) -> BadInput:
    about = str(error).removeprefix(f"case {case.name!r}").lstrip(" ,:")  # some errors name the case themselves
    return BadInput(f"{path}: {case.name!r}: {about}")


def _print_settled(settings: Settings, document: dict[str, Any]) -> None:
    out = settings.out
    out.print(Text(document["name"], style="bold"))
    filing = document["filing"]
    out.print(Text(f"  {filing['pack']} {filing['version']}", style="dim"))
    if document["hands"]:
        out.print(show.indented(hands_table(document["hands"]), above=1))
    lines = settlement_table(document["lines"], reported=False)
    out.print(show.indented(lines if lines is not None else Text("no wager, no fee"), above=1))
    if document["settlement_order"]:
        out.print(show.indented(Text(f"Order: {document['settlement_order']}", style="dim")))
    quoted = rules_quoted(document["lines"])
    if quoted is not None:
        out.print(show.indented(quoted))
    if document["cannot_tell"]:
        out.print(show.indented(Text(f"Cannot tell: {show.cards_in(document['cannot_tell'])}", style="yellow")))
    for finding in document["findings"]:
        sentence = finding["sentence"].removeprefix(f"{finding['table']} round {finding['round']}").lstrip(" ,:")
        out.print(show.indented(Text(f"{finding['code']} {show.cards_in(sentence)}", style="bold red")))


@click.group(cls=Group)
def case() -> None:
    """Cases, rounds somebody could have sat at: run."""


@case.command(
    "run",
    examples=["muckraker case run replay/packs", "muckraker case run one.yaml two.yaml --json"],
    exits={Exit.FOUND: "a case does not hold"},
)
@click.argument("paths", nargs=-1, required=True, metavar="PATH ...", type=click.Path(path_type=Path))
@json_option
@color_option
@pass_settings
def case_run(settings: Settings, paths: tuple[Path, ...]) -> None:
    """Settle every case of these files, or of the cases/ folders and YAML files in these folders, and compare.

    Of a folder with versions of packs, a version that is based on another is held to the cases of that one as well.
    """
    asked = [(path, case) for path in _case_files(paths) for case in read_cases(path)]
    for pack in _versions_in(paths):
        asked += [(path, case) for path, case in cases_under(pack) if not path.is_relative_to(pack.folder)]
    results = [(path, case, _differences(path, case)) for path, case in asked]
    failed = [result for result in results if result[2]]
    if settings.as_json:
        settings.lines(
            {"file": str(path), "name": case.name, "pack": case.pack, "holds": not wrong, "differences": wrong}
            for path, case, wrong in results
        )
    else:
        for path, one, wrong in results:
            mark = Text("✗ ", style="bold red") if wrong else Text("✓ ", style="green")
            settings.out.print(Text.assemble(mark, one.name, (f"  {path}", "dim")))
            for difference in wrong:
                settings.out.print(show.indented(Text(difference, style="red"), 4))
        click.echo(
            f"{show.counted(len(results), 'case')}, {len(results) - len(failed):,} hold, {len(failed):,} do not."
        )
    if failed:
        click.get_current_context().exit(Exit.FOUND)


def _differences(path: Path, case: Case) -> list[str]:
    try:
        return check_case(case)
    except (PackError, ValueError) as error:
        raise _unusable(path, case, error) from error
    except Exception as error:  # noqa: BLE001 - a case the rules break down on does not hold; the others are still run
        return [f"a mistake in Muckraker: {type(error).__name__}: {error}"]


def _versions_in(paths: tuple[Path, ...]) -> list[Pack]:
    """The versions of packs whose folders are in these folders, those that are based on another."""
    folders = [path.resolve() for path in paths if path.is_dir()]
    if not folders:
        return []
    there = [load_pack(pack_id, version) for pack_id in pack_ids() for version in versions_of(pack_id)]
    return [pack for pack in there if pack.based_on and any(pack.folder.is_relative_to(each) for each in folders)]


def _case_files(paths: tuple[Path, ...]) -> list[Path]:
    """Files as named; of a folder its YAML files, or where there are folders called cases in it, those in them."""
    files: list[Path] = []
    for path in paths:
        if path.is_dir():
            found = sorted(path.rglob("*.yaml"))
            in_cases = [file for file in found if "cases" in file.parts]
            if not found:
                raise CaseError(f"{path} holds no .yaml file")
            files.extend(in_cases or found)
        else:
            files.append(path)
    return files
