"""The `muckraker` command: what it is made of, and its first page of help."""

from __future__ import annotations

import sys
from importlib.metadata import PackageNotFoundError
from importlib.metadata import version as installed_version

import click

from console.case_commands import case, settle
from console.command import Group, Settings, color_option, format_examples, home_option, json_option, pass_settings
from console.demo import demo
from console.doctor import doctor
from console.exits import EXIT_MEANINGS
from console.feed_commands import ingest, keys, simulate
from console.finding_commands import findings
from console.query_command import query
from console.reaudit_command import reaudit
from console.round_commands import round_group, rounds
from console.rule_commands import rules
from console.run_command import run

SECTIONS: dict[str, tuple[str, ...]] = {
    "Begin": ("demo", "doctor", "version"),
    "Record": ("simulate", "ingest", "keys", "run"),
    "Look": ("findings", "rounds", "round", "query"),
    "Check": ("reaudit", "settle", "case", "rules"),
}
EXAMPLES = (
    "muckraker demo                                a simulated gaming day, audited, in under a minute",
    "muckraker findings --severity high            what was found, worst first",
    "muckraker round show PG-01/20261117-0017      one round: cards, sums, rules, and why it was flagged",
    "muckraker settle case.yaml                    what should this round have paid?",
    'muckraker query "SELECT * FROM tables"        SQL over everything recorded',
)


class _Muckraker(Group):
    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for section, names in SECTIONS.items():
            with formatter.section(section):
                formatter.write_dl([(name, self.commands[name].get_short_help_str(100)) for name in names])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        format_examples(EXAMPLES, formatter)
        with formatter.section("Exit codes"):
            formatter.write_dl([(str(int(code)), meaning) for code, meaning in EXIT_MEANINGS.items()])


@click.group(cls=_Muckraker, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@home_option
@color_option
@click.pass_context
def muckraker(context: click.Context) -> None:
    """Audit casino card tables: rebuild every hand from the discard rack, re-derive every settlement and fee under the
    filed rules, and show what differs.

    Every command has its own help: muckraker COMMAND --help.
    """
    context.ensure_object(Settings)


@muckraker.command(examples=["muckraker version", "muckraker version --json"])
@json_option
@pass_settings
def version(settings: Settings) -> None:
    """Say which Muckraker this is."""
    number = version_number()
    if settings.as_json:
        settings.document({"muckraker": number, "python": sys.version.split()[0]})
    else:
        click.echo(f"muckraker {number}")


def version_number() -> str:
    try:
        return installed_version("muckraker")
    except PackageNotFoundError:
        return "(run from its source folder, not installed)"


for command in (
    demo,
    doctor,
    simulate,
    ingest,
    keys,
    run,
    findings,
    rounds,
    round_group,
    query,
    reaudit,
    settle,
    case,
    rules,
):
    muckraker.add_command(command)


def main() -> None:
    muckraker(prog_name="muckraker")


if __name__ == "__main__":
    main()
