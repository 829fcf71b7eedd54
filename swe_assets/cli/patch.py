"""swe-assets patch: what becomes of a patch at a commit, without a checkout."""

import json
import sys
from pathlib import Path
from typing import Any

import click

from swe_assets.llm.plain_text import visible

_MAX_MIB = 64


@click.group("patch")
def command() -> None:
    """Check a patch against a commit."""


@command.command("check")
@click.option("--repo", required=True, type=click.Path(path_type=Path), help="Bare repository or checkout.")
@click.option("--commit", required=True, help="Commit to apply the patch at.")
@click.option(
    "--fuzz", type=click.IntRange(0, 3), default=0, help="Context lines that may differ; 0 by default."
)
@click.option(
    "--max-mib", type=click.IntRange(1), default=_MAX_MIB, help="Refuse a longer patch; 64 by default."
)
@click.option("--json", "as_json", is_flag=True, help="Print JSON rather than words.")
@click.argument("patch", type=click.Path(path_type=Path))
def check(repo: Path, commit: str, fuzz: int, max_mib: int, as_json: bool, patch: Path) -> None:
    """Say what becomes of PATCH, a file or - for standard input, at a commit.

    The repository is only read. A patch that does not apply is an answer: exit code 0. Exit code 2: no such
    repository, commit or patch file.
    """
    from swe_assets.analysers.embedded import parses
    from swe_assets.repositories.ladder import reconstruct
    from swe_assets.repositories.mirrors import git_dir_of
    from swe_assets.repositories.objects import OpenRepository

    limit = max_mib * 1024 * 1024
    text = _patch_text(patch, limit)
    with OpenRepository(git_dir_of(repo)) as repository:
        repository.resolve(commit)
        found = reconstruct(repository, commit, text, fuzz=fuzz, max_patch_bytes=limit, parses=parses)
    answer = found.record()
    click.echo(json.dumps(answer, indent=2) if as_json else _words(answer))


def _patch_text(path: Path, limit: int) -> str:
    """Return the patch's text with bytes that are no UTF-8 escaped, read no further than past the limit."""
    try:
        if str(path) == "-":
            raw = sys.stdin.buffer.read(limit + 1)
        else:
            with path.open("rb") as handle:
                raw = handle.read(limit + 1)
    except OSError as wrong:
        raise click.UsageError(f"the patch {str(path)!r} cannot be read: {wrong.strerror}") from None
    return raw.decode("utf-8", "surrogateescape")


def _words(answer: dict[str, Any]) -> str:
    lines = [f"{answer['outcome']} ({answer['status']})", answer["reason"]]
    paths = ((file["change"], file["path_patched"] or file["path_base"]) for file in answer["files"])
    lines += [f"{change}: {path!r}" for change, path in paths]
    return visible("\n".join(filter(None, lines)))
