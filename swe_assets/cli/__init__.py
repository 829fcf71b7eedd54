"""The thin command line: one file a command, loaded only when it is asked for."""

import importlib
import os
import signal
import sys
from types import FrameType
from typing import Never

import click

from swe_assets import __version__
from swe_assets.errors import SweAssetsError

COMMANDS = {
    "study": "Pin a study: where its inputs came from and which instances it holds.",
    "run": "Materialise what is missing or stale, stage by stage.",
    "status": "Show each asset by status, with reasons.",
    "record": "Record what a judge answered, to be replayed without key or network.",
    "audit": "Let people judge a sample of what the judges judged, and compare.",
    "doctor": "Show what is installed, reachable and configured.",
    "analyse": "Compute the statistics of a consolidated matrix.",
    "compare": "Compare studies of one dataset.",
    "page": "Write a report's page and its figures, in Portuguese or in English.",
    "verify": "Make a report again from its inputs and compare.",
    "measure": "Measure source files.",
    "patch": "Check a patch against a commit.",
    "sample": "Build the sample submission.",
    "sonar": "Start, show or stop a SonarQube server of your own.",
    "postgres": "Start, show or stop a Postgres server for Dagster's records.",
}


class LazyGroup(click.Group):
    """A group whose commands are imported when they are used, so that --help stays quick."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """Return the names of all commands in their order of use."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """Import the command's module and return its command."""
        if cmd_name not in COMMANDS:
            return None
        module = importlib.import_module(f"swe_assets.cli.{cmd_name}")
        command = module.command
        assert isinstance(command, click.Command)  # noqa: S101 - a programming error, not an input
        return command

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """List the commands without importing them."""
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))


@click.command(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__)
def cli() -> None:
    """Study how well language models do software work."""


def _interrupt(_signal: int, _frame: FrameType | None) -> Never:
    raise KeyboardInterrupt


def main() -> None:
    """Run the command line: 0 answered, 1 some instance failed, 2 usage or input, 130 interrupted.

    An error that nobody foresaw is one line too; SWE_ASSETS_DEBUG=1 shows where it came from.
    """
    signal.signal(signal.SIGTERM, _interrupt)
    try:
        code = cli.main(standalone_mode=False)
        sys.exit(code if isinstance(code, int) else 0)
    except click.exceptions.Exit as stop:
        sys.exit(stop.exit_code)
    except click.ClickException as wrong:
        wrong.show()
        sys.exit(2)
    except (click.Abort, KeyboardInterrupt):
        click.echo("interrupted", err=True)
        sys.exit(130)
    except SweAssetsError as wrong:
        from swe_assets.llm.plain_text import visible

        click.echo(f"error: {visible(str(wrong))}", err=True)
        sys.exit(2)
    except Exception as wrong:
        if os.environ.get("SWE_ASSETS_DEBUG"):
            raise
        from swe_assets.llm.plain_text import excerpt

        kind = "" if isinstance(wrong, OSError) else f"a fault of the program: {type(wrong).__name__}: "
        click.echo(f"error: {kind}{excerpt(str(wrong))} (SWE_ASSETS_DEBUG=1 shows where)", err=True)
        sys.exit(2)
