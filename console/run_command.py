"""`muckraker run`: take the log through gate and replay into the lake."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import ExitStack, closing, contextmanager
from threading import Event
from types import FrameType
from typing import TYPE_CHECKING, Any

import click

from console import show
from console.command import Command, Settings, color_option, home_option, json_option, pass_settings
from console.exits import EXIT_MEANINGS, BadInput, Exit
from console.home import Home
from console.logs import FORMATS, LEVELS, logging_to_stderr
from console.pipeline import RunReport, drain, follow

if TYPE_CHECKING:
    from ingest.metrics import Metrics


@click.command(
    cls=Command,
    examples=[
        "muckraker run",
        "muckraker run --quality",
        "muckraker run --follow",
        "muckraker run --follow --metrics 127.0.0.1:9464 --log-format json",
        "muckraker run --json",
    ],
    exits={Exit.INTERRUPTED: EXIT_MEANINGS[Exit.INTERRUPTED] + " (with --follow a signal is the way to stop it: 0)"},
)
@click.option("--follow", "follows", is_flag=True, help="Go on as records come, until SIGINT or SIGTERM.")
@click.option(
    "--segment-records", type=click.IntRange(1), help="Records a segment; settled by the first run of a lake."
)
@click.option(
    "--quality",
    "checks_quality",
    is_flag=True,
    help="Then check the data (muckraker quality); with --follow now and then, by a process of its own.",
)
@click.option(
    "--metrics",
    "metrics_address",
    metavar="[HOST:]PORT",
    help="With --follow: answer Prometheus there, under /metrics; this machine only, unless another HOST is given.",
)
@click.option(
    "--log-format", type=click.Choice(FORMATS), help="Log lines on standard error: for people, or JSON [text]."
)
@click.option(
    "--log-level", type=click.Choice(LEVELS), help="From which level on [warning; info once a format is asked for]."
)
@json_option
@home_option
@color_option
@pass_settings
def run(
    settings: Settings,
    follows: bool,
    segment_records: int | None,
    checks_quality: bool,
    metrics_address: str | None,
    log_format: str | None,
    log_level: str | None,
) -> None:
    """Check everything recorded since the last run, and write it to the lake.

    Killed at any moment it may simply be run again: it goes on behind the last segment it finished. With --follow a
    verdict can be read within two seconds, and a signal to stop leaves nothing behind. On a Kafka cluster any number
    of processes may follow: they share the partitions, and one takes over where another stopped.
    """
    if metrics_address is not None and not follows:
        raise BadInput("--metrics is for a run that goes on: give --follow with it")
    home = settings.home()
    with ExitStack() as around:
        metrics = None if metrics_address is None else _serving(settings, around, metrics_address)
        logs = log_format is not None  # between their lines a bar would be in the way
        bar = around.enter_context(show.progress_bar("checking", settings.no_color, quiet=logs))
        around.enter_context(logging_to_stderr(log_format or "text", log_level or ("info" if logs else "warning")))

        def progress(done: int, total: int, rounds: int) -> None:
            bar.show(done, total, f"checking, {show.counted(rounds, 'round')} so far")

        if follows:
            stop = around.enter_context(_stopping())  # tells all of them at once, so that none waits for another
            if checks_quality:
                from console.quality_beside import checking_beside

                around.enter_context(checking_beside(home, stop))
            from console.merging_beside import merging_beside

            around.enter_context(merging_beside(home, stop))
            report = follow(home, stop, segment_records, progress, metrics)
        else:
            with _terminable():
                report = drain(home, segment_records, progress)
    data_quality = _check_quality(settings, home) if checks_quality and not follows else None
    if settings.as_json:
        settings.document(report.document() | ({} if data_quality is None else {"quality": data_quality}))
    else:
        click.echo(said(report))
        if data_quality is not None:
            click.echo(said_of_data(data_quality))


def _check_quality(settings: Settings, home: Home) -> dict[str, Any]:
    """Behind the run: only now is Great Expectations loaded."""
    from console.quality_command import check_new

    with _terminable():
        checked: dict[str, Any] = check_new(settings, home)["checked"]
        return checked


def said_of_data(checked: dict[str, Any]) -> str:
    new = f"{show.counted(checked['segments'], 'segment')} and {show.counted(len(checked['days']), 'gaming day')}"
    return f"Data quality: {new} checked, {show.counted(checked['failures'], 'failure')} (muckraker quality)."


def _serving(settings: Settings, around: ExitStack, address: str) -> Metrics:
    from console.main import version_number
    from ingest.metrics import Metrics, MetricsError, is_loopback

    metrics = Metrics(version_number())
    try:
        serving = around.enter_context(closing(metrics.serve(address)))
    except MetricsError as error:
        raise BadInput(str(error)) from error
    settings.note(f"metrics at http://{serving.host}:{serving.port}/metrics")
    if not is_loopback(serving.host):
        settings.note("whoever reaches that address can read them: they are neither encrypted nor protected")
    return metrics


def said(report: RunReport) -> str:
    """A run in a few words."""
    elsewhere = ""
    if report.elsewhere:
        has = "is" if report.elsewhere == 1 else "are"
        elsewhere = f"{show.counted(report.elsewhere, 'partition')} {has} left to other workers, who have them in hand."
    if not report.records:
        return elsewhere or "Nothing new in the log."
    rates = report.document()
    text = (
        f"{show.counted(report.rounds, 'round')} from {show.counted(report.records, 'event')} in {report.seconds:.1f} s"
        f" ({rates['rounds_per_second']:,} rounds/s, {rates['records_per_second']:,} events/s): "
        f"{show.counted(report.findings, 'finding')}, {show.counted(report.segments, 'segment')}."
    )
    if report.held:
        text += f" {show.counted(report.held, 'event')} still wait{'s' if report.held == 1 else ''} for missing ones."
    text += f" {elsewhere}" if elsewhere else ""
    return text + ("\nNext: muckraker findings" if report.findings else "")


@contextmanager
def _stopping() -> Iterator[Event]:
    """An event that SIGINT and SIGTERM set."""
    stop = Event()

    def on_signal(_: int, __: FrameType | None) -> None:
        stop.set()

    before = {number: signal.signal(number, on_signal) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield stop
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


@contextmanager
def _terminable() -> Iterator[None]:
    """SIGTERM ends a run as Ctrl-C does: at once, with nothing half-done kept."""

    def on_signal(_: int, __: FrameType | None) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, on_signal)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
