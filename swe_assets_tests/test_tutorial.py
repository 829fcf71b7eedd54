"""The tutorial can be followed to its end, and what it says will be seen is seen."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

CHECKOUT = Path(__file__).resolve().parent.parent
PAGE = (CHECKOUT / "docs" / "tutorial.md").read_text(encoding="utf-8")
OTHERS = ("make ", ". .venv/")
"""How the blocks begin that need a checkout of their own; README's test runs those."""

slow = pytest.mark.skipif(
    not os.environ.get("SWE_README"), reason="SWE_README=1 runs the tutorial's commands"
)


def blocks(heading: str) -> list[str]:
    """Return the commands of the step whose heading begins so."""
    step = PAGE.split(f"\n## {heading}")[1].split("\n## ")[0]
    return [
        block for block in re.findall(r"```sh\n(.*?)```", step, re.DOTALL) if not block.startswith(OTHERS)
    ]


class Follower:
    """Someone who follows the tutorial, with studies in a folder of their own."""

    def __init__(self, home: Path) -> None:
        self.home = home
        kept = {name: value for name, value in os.environ.items() if name != "DAGSTER_HOME"}
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        self.environment = kept | {"SWE_ASSETS_HOME": str(home), "PATH": path}

    def run(self, *asked: str) -> str:
        """Run a command that must end well, and return all that it said."""
        done = subprocess.run(
            asked, cwd=self.home, env=self.environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr[-3000:]
        return done.stderr + done.stdout

    def follow(self, heading: str) -> list[str]:
        """Paste the blocks of a step one after the other, and return what each said."""
        return [self.run("sh", "-eu", "-c", block) for block in blocks(heading)]


@pytest.fixture(scope="module")
def follower(tmp_path_factory: pytest.TempPathFactory) -> Follower:
    """Give someone who has done the first step."""
    found = Follower(tmp_path_factory.mktemp("follower"))
    found.run(sys.executable, str(CHECKOUT / "scripts" / "study.py"))
    return found


def test_steps_have_commands() -> None:
    """Four of the steps have commands that are run here."""
    assert [len(blocks(f"{step}.")) for step in range(1, 7)] == [0, 1, 2, 0, 2, 0]


@slow
@pytest.mark.timeout(900)
def test_what_is_pinned_and_what_became_of_it(follower: Follower) -> None:
    """The numbers of pinned, left out, kept and excluded instances are those on the page."""
    (shown,) = follower.follow("2.")
    assert "107 instances pinned" in shown
    assert shown.count(": 1 ('") == 3
    status, checked = follower.follow("3.")
    assert "matriz_consolidada: ok 92, excluded 15" in status
    assert '"outcome": "applied_exact"' in checked
    assert '"python_parses_after": false' in checked


@slow
@pytest.mark.timeout(900)
def test_results_are_there(follower: Follower) -> None:
    """Every file of the table of results is there, and the log says where the grammar refused."""
    results = follower.home / "studies" / "sample" / "results"
    named = re.findall(r"^\| `([\w.]+)` \|", PAGE, re.MULTILINE)
    assert len(named) == 5
    assert all((results / name).is_file() for name in named)
    assert "atlas-22" in (results / "erros_extracao_completa.log").read_text(encoding="utf-8")


@slow
@pytest.mark.timeout(900)
def test_one_changed_prediction(follower: Follower) -> None:
    """The changed instance and the reports are all that would run, and then 91 are in the matrix."""
    planned, ran = follower.follow("5.")
    assert "with another patch: 1 ('swe-sample__atlas-12')" in planned
    plan = planned[planned.index("patches: 1 to run") :]
    assert set(re.findall(r": (\d+) \(", plan)) == {"1"}
    assert set(re.findall(r"\((\S+)\)$", plan, re.MULTILINE)) == {"swe-sample__atlas-12", "all"}
    assert "matriz_consolidada: done 0, excluded 1, failed 0" in ran
    assert "matriz_consolidada: ok 91, excluded 16" in follower.run("swe-assets", "status", "sample")
