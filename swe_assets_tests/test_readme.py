"""README's commands work in a fresh clone, in an empty HOME, in a folder with a space in its name."""

import os
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parent.parent
BLOCK = re.compile(r"(?:<!-- not run: (?P<why>[^>]+) -->\n)?```sh\n(?P<commands>.*?)```", re.DOTALL)
QUICK_TESTS = "swe_assets_tests/test_house.py"
"""What `make test` runs in the clone: the whole of the tests would run this one again, and so for ever."""

slow = pytest.mark.skipif(not os.environ.get("SWE_README"), reason="SWE_README=1 runs README's commands")


@dataclass(frozen=True)
class Block:
    """Commands of a README, and why they are not run, if they are not."""

    commands: str
    why_not: str | None


def blocks(text: str) -> list[Block]:
    """Return the ```sh blocks of a page; `<!-- not run: reason -->` in the line above leaves one out."""
    return [Block(found["commands"], found["why"]) for found in BLOCK.finditer(text)]


@pytest.fixture
def clone(tmp_path: Path) -> Iterator[Path]:
    """Clone the checkout's last commit into a folder with a space in its name."""
    target = tmp_path / "a folder" / "swe assets"
    subprocess.run(["git", "clone", "--quiet", str(CHECKOUT), str(target)], check=True)
    yield target
    # A virtual environment and its records are large, and pytest keeps the folders of three runs.
    subprocess.run(["rm", "-rf", str(target)], check=True)


def bare_environment(home: Path) -> dict[str, str]:
    """Return an environment as a newcomer has it: an empty HOME and no setting of ours."""
    home.mkdir()
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "PIP_CACHE_DIR") if name in os.environ}
    settings = {name: value for name, value in os.environ.items() if name.startswith(("PIP_", "SSL_"))}
    return kept | settings | {"HOME": str(home), "ARGS": QUICK_TESTS}


def run_block(commands: str, folder: Path, environment: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    """Run a block as a person would paste it, stopping at the first command that fails."""
    asked = ["sh", "-eu", "-c", commands]
    done = subprocess.run(
        asked,
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"{commands}\n{done.stdout[-3000:]}\n{done.stderr[-3000:]}"
    return done


def test_blocks_are_found() -> None:
    """A block marked as not run is told from the others, and gives its reason."""
    page = (
        "x\n```sh\nmake a\nmake b\n```\n"
        "<!-- not run: waits for a person -->\n```sh\nmake ui\n```\n```py\n1\n```\n"
    )
    assert blocks(page) == [Block("make a\nmake b\n", None), Block("make ui\n", "waits for a person")]


def test_failing_block_fails(tmp_path: Path) -> None:
    """A block whose first command fails is a failure, whatever comes after it."""
    with pytest.raises(AssertionError, match="false"):
        run_block("false\ntrue\n", tmp_path, dict(os.environ))


def test_readme_names_the_two_commands() -> None:
    """README shows `make study` and `make test`, both in blocks that are run."""
    run = "".join(block.commands for block in blocks(readme()) if block.why_not is None)
    assert {"make study", "make test"} <= {line.strip() for line in run.splitlines()}


def readme() -> str:
    """Return README's text."""
    return (CHECKOUT / "README.md").read_text(encoding="utf-8")


@slow
@pytest.mark.timeout(1800)
def test_readme_commands(clone: Path, tmp_path: Path) -> None:
    """Every block runs without an error, one after the other, and changes no file that git keeps."""
    environment = bare_environment(tmp_path / "home")
    for block in blocks(readme()):
        if block.why_not is None:
            run_block(block.commands, clone, environment)
    status = ["git", "-C", str(clone), "status", "--porcelain"]
    assert subprocess.run(status, capture_output=True, text=True, check=True).stdout == ""
