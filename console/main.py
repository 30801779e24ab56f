"""The `muckraker` command: what it is made of, and its first page of help."""

from __future__ import annotations

import sys
from importlib import import_module

import click

from console.command import (
    Group,
    Settings,
    color_option,
    format_examples,
    home_option,
    json_option,
    pass_settings,
    zone_option,
)
from console.encoding import make_outputs_readable
from console.exits import EXIT_MEANINGS

# Where each command is, and its line on the first page of help. A command's module is imported when the command is
# used: all of them together take a second. A test holds these lines against what the commands say of themselves.
COMMANDS: dict[str, tuple[str, str]] = {
    "demo": (
        "console.demo:demo",
        "Simulate a gaming day at eight tables with every kind of fault, audit it, and show what was found.",
    ),
    "doctor": (
        "console.doctor:doctor",
        "Check Python, packages, rule packs, the home, its log, lake and keys, and say what to do.",
    ),
    "version": ("console.main:version", "Say which Muckraker this is."),
    "init": (
        "console.init_command:init",
        "Make a home: a folder for keys, lake and seal, with an embedded log or on a Kafka cluster.",
    ),
    "time-zone": (
        "console.time_zone_command:time_zone",
        "Say in which time zone times are shown and read, or file another (ZONE, as America/Los_Angeles).",
    ),
    "simulate": ("console.feed_commands:simulate", "Play simulated tables into the log, or into a file."),
    "validate": (
        "console.validate_command:validate",
        "Check events before they are sent: one a line, or a single one (`-` is standard input).",
    ),
    "ingest": (
        "console.feed_commands:ingest",
        "Append events from outside to the log, one CloudEvent a line (`-` is standard input).",
    ),
    "keys": (
        "console.key_commands:keys",
        "The public keys that tables sign with: add, rotate, revoke, list, history, head, resync.",
    ),
    "run": ("console.run_command:run", "Check everything recorded since the last run, and write it to the lake."),
    "status": (
        "console.status_command:status",
        "How far the record is: lag, last segments, quarantine, keys, and the workers that are running.",
    ),
    "compact": (
        "console.compact_command:compact",
        "Merge the lake's small segments into big ones; no record, finding or proof changes.",
    ),
    "retain": (
        "console.retain_command:retain",
        "Retire the events of old segments: their bytes leave the lake; hashes, verdicts and proofs stay.",
    ),
    "backup": (
        "console.backup_command:backup",
        "Copy the home into a folder, only what is new since the last time, each file verified.",
    ),
    "restore": (
        "console.backup_command:restore",
        "Make a home from a backup; every file is verified before the home is there.",
    ),
    "take-over": (
        "console.take_over_command:take_over",
        "Let this home go on in place of another copy of it: after a restore, a copy or a move.",
    ),
    "findings": (
        "console.finding_commands:findings",
        "List findings, the worst first: code, where, the sentence, the money.",
    ),
    "rounds": (
        "console.round_commands:rounds",
        "List rounds with their verdicts, the worst first.",
    ),
    "round": ("console.round_commands:round_group", "One round in full: show."),
    "quality": (
        "console.quality_command:quality",
        "Check the segments and gaming days that are new, and sum up what the data is worth.",
    ),
    "meters": (
        "console.meter_command:meters",
        "Account for every cent of each progressive meter, over all tables that feed it.",
    ),
    "inventory": (
        "console.inventory_command:inventory",
        "Reconcile every table's chips, count by count, and name the rounds that could explain a variance.",
    ),
    "fees": (
        "console.fee_command:fees",
        "Add up collection fees: due, taken, differing, counted.",
    ),
    "query": ("console.query_command:query", "Ask the warehouse in SQL (DuckDB's)."),
    "reaudit": (
        "console.reaudit_command:reaudit",
        "Audit the recorded rounds again with this Muckraker's rules, and compare with what the lake holds.",
    ),
    "verify": (
        "console.verify_command:verify",
        "Check that no record and no file of the lake was touched, and name what was.",
    ),
    "prove": (
        "console.prove_command:prove",
        "Write proofs that the events of a round are in the record, for somebody who trusts nobody here.",
    ),
    "witness": (
        "console.witness_command:witness",
        "Checkpoints kept out of reach of the lake's owner: init, trust, add, list, serve, submit.",
    ),
    "settle": (
        "console.case_commands:settle",
        "What should this round have paid? Needs no home: the case says who bet and held what.",
    ),
    "case": ("console.case_commands:case", "Cases, rounds somebody could have sat at: run."),
    "rules": ("console.rule_commands:rules", "The rule packs: list, show, diff."),
    "theory": (
        "console.theory_commands:theory",
        "How often each outcome should come, and what each wager returns in the long run.",
    ),
    "rank": (
        "console.theory_commands:rank",
        "Say what a hand is: its best five, class and house way, or its totals and what each wager comes to.",
    ),
}
SECTIONS: dict[str, tuple[str, ...]] = {
    "Begin": ("demo", "init", "time-zone", "doctor", "version"),
    "Record": ("simulate", "validate", "ingest", "keys", "run", "status"),
    "Look": ("findings", "rounds", "round", "meters", "inventory", "fees", "quality", "query"),
    "Check": ("reaudit", "verify", "prove", "witness", "settle", "case", "rules", "theory", "rank"),
    "Keep": ("compact", "retain", "backup", "restore", "take-over"),
}
EXAMPLES = (
    "muckraker demo                                a simulated gaming day, audited, in under a minute",
    "muckraker findings --severity high            what was found, worst first",
    "muckraker round show PG-01/20261117-0017      one round: cards, sums, rules, and why it was flagged",
    "muckraker settle case.yaml                    what should this round have paid?",
    'muckraker query "SELECT * FROM tables"        SQL over everything recorded',
)


class _Muckraker(Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return sorted(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in self.commands and cmd_name in COMMANDS:
            module, _, attribute = COMMANDS[cmd_name][0].partition(":")
            self.add_command(getattr(import_module(module), attribute), cmd_name)
        return super().get_command(ctx, cmd_name)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        for section, names in SECTIONS.items():
            with formatter.section(section):
                formatter.write_dl([(name, COMMANDS[name][1]) for name in names])

    def format_epilog(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        format_examples(EXAMPLES, formatter)
        with formatter.section("Exit codes"):
            formatter.write_dl([(str(int(code)), meaning) for code, meaning in EXIT_MEANINGS.items()])


def _say_version(context: click.Context, _: click.Parameter, wanted: bool) -> None:
    if wanted and not context.resilient_parsing:
        click.echo(f"muckraker {version_number()}")
        context.exit()


@click.group(cls=_Muckraker, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 110})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_say_version,
    help="Say which Muckraker this is.",
)
@zone_option
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
    from importlib.metadata import PackageNotFoundError  # takes as long as all of click
    from importlib.metadata import version as installed_version

    try:
        return installed_version("muckraker")
    except PackageNotFoundError:
        return "(run from its source folder, not installed)"


def main() -> None:
    make_outputs_readable()
    muckraker(prog_name="muckraker")


if __name__ == "__main__":
    main()
