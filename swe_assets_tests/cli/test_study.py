"""`swe-assets study` as a person uses it: JSON on standard output, the rest on standard error, exit codes."""

import json
import os
import pty
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

from swe_assets.cli import main
from swe_assets.patch_quality.study import load_study, studies
from swe_assets_tests.patch_quality.study_inputs import PATCHES, add_demo, write_inputs

Run = Callable[..., "Said"]


class Said(NamedTuple):
    """What a command ended with."""

    code: int
    out: str
    err: str


@pytest.fixture
def run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Run:
    """Give a function that runs `swe-assets study …` in a home of its own."""
    monkeypatch.setenv("SWE_ASSETS_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(tmp_path)

    def study(*arguments: str) -> Said:
        monkeypatch.setattr(sys, "argv", ["swe-assets", "study", *arguments])
        with pytest.raises(SystemExit) as stopped:
            main()
        said = capsys.readouterr()
        return Said(int(stopped.value.code or 0), said.out, said.err)

    return study


def given(folder: Path) -> list[str]:
    """Write the small inputs and return the options that name them."""
    inputs = write_inputs(folder)
    return [f"--{name}={getattr(inputs, name)}" for name in ("predictions", "results", "dataset")]


def test_add_says_what_was_pinned(run: Run, tmp_path: Path) -> None:
    """After `add` standard error tells the count, the outcomes, what was left out, and the next step."""
    said = run("add", "demo", *given(tmp_path / "given"))
    assert (said.code, said.out) == (0, "")
    for text in (
        "3 instances pinned",
        "resolved: 1 of 3",
        "no prediction: 1 ('o__r-4')",
        "Next: swe-assets run demo",
    ):
        assert text in said.err


def test_add_settings(run: Run, tmp_path: Path) -> None:
    """Every setting of the command line is pinned, paths absolute."""
    (tmp_path / "mirrors").mkdir()
    settings = [
        "--judge=gemini",
        "--no-judge-excluded",
        "--fuzz=1",
        "--max-patch-bytes=9",
        "--mirrors=mirrors",
    ]
    assert run("add", "demo", *given(tmp_path / "given"), *settings, "--mirror=o/r=r.git").code == 0
    study = load_study("demo")
    assert (study.judge, study.judge_excluded, study.fuzz, study.max_patch_bytes) == ("gemini", False, 1, 9)
    assert study.mirrors_folder == tmp_path / "mirrors"
    assert study.mirror_map == {"o/r": str(tmp_path / "r.git")}


def test_a_jury_on_the_command_line(run: Run, tmp_path: Path) -> None:
    """--judge as often as there are judges, with repeats; an update that says neither keeps both."""
    jury = (
        "--judge=rehearsal:strict",
        "--judge=rehearsal:lenient",
        "--consistency-n=4",
        "--consistency-order",
    )
    assert run("add", "demo", *given(tmp_path / "given"), *jury).code == 0
    assert run("update", "demo", "--fuzz=1", "--consistency-n=0", "--yes").code == 0
    study = load_study("demo")
    assert study.judges == ("rehearsal:strict", "rehearsal:lenient")
    assert (study.consistency.n, study.consistency.order, study.fuzz) == (0, True, 1)


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (["add", "demo"], "no predictions given: add --predictions"),
        (["add", "Demo"], "cannot be the name of a study"),
        (["add", "demo", "--max-input-bytes=0"], "Invalid value"),
        (["add", "demo", "--mirrors=none"], "no such folder"),
        (["add", "demo", "--mirror=x"], "REPO=PATH_OR_URL"),
        (["add", "demo", "--judge=oracle"], "unknown judge"),
        (["show", "demo"], "no study 'demo'"),
        (["update", "demo"], "no study 'demo'"),
    ],
)
def test_usage_and_input_errors(run: Run, arguments: list[str], says: str) -> None:
    """What cannot be done ends with 2 and a message without a traceback."""
    said = run(*arguments)
    assert (said.code, said.out) == (2, "")
    assert says in said.err
    assert "Traceback" not in said.err


def test_size_limit(run: Run, tmp_path: Path) -> None:
    """The limit on inputs can be set, and the message names the option."""
    said = run("add", "demo", *given(tmp_path / "given"), "--max-input-bytes=10")
    assert said.code == 2
    assert "at most 10 are read: raise it with --max-input-bytes" in said.err


def test_list_and_show(run: Run, tmp_path: Path) -> None:
    """`list` and `show` print for people, and JSON when asked."""
    assert "no study in" in run("list").err
    add_demo(tmp_path / "given")
    assert run("list").out == "demo\n"
    assert json.loads(run("list", "--json").out) == ["demo"]
    shown = json.loads(run("show", "demo", "--json").out)
    assert (shown["instances"], shown["resolved"]) == (["o__r-1", "o__r-2", "o__r-3"], ["o__r-1"])
    assert "3 instances pinned" in run("show", "demo").out


def test_update_needs_a_yes(run: Run, tmp_path: Path) -> None:
    """Without a terminal and without --yes the change is shown, nothing written, and the exit code is 2."""
    before = add_demo(tmp_path / "given")
    write_inputs(tmp_path / "given", patches={**PATCHES, "o__r-2": "x"})
    said = run("update", "demo")
    assert said.code == 2
    assert "with another patch: 1 ('o__r-2')" in said.err
    assert "nothing was written: say --yes" in said.err
    assert load_study("demo") == before


def test_update_dry_run(run: Run, tmp_path: Path) -> None:
    """--dry-run shows the change as JSON when asked, writes nothing, and is an answer."""
    before = add_demo(tmp_path / "given")
    write_inputs(tmp_path / "given", patches={"o__r-4": "x"})
    said = run("update", "demo", "--dry-run", "--json")
    assert said.code == 0
    assert json.loads(said.out)["added"] == ["o__r-4"]
    assert load_study("demo") == before


def test_update_yes(run: Run, tmp_path: Path) -> None:
    """--yes writes the change after showing it."""
    add_demo(tmp_path / "given")
    write_inputs(tmp_path / "given", patches={"o__r-4": "x", "o__r-1": "one\r\n"})
    said = run("update", "demo", "--yes")
    assert said.code == 0
    assert "removed (their records stay): 2 ('o__r-2', 'o__r-3')" in said.err
    assert load_study("demo").instances == ("o__r-1", "o__r-4")


def test_update_of_mirrors(run: Run, tmp_path: Path) -> None:
    """Mirrors are added one by one, and taken out by an empty place, without reading the inputs."""
    add_demo(tmp_path / "given")
    assert run("update", "demo", "--mirror=o/r=a", "--mirror=p/q=b", "--yes").code == 0
    said = run("update", "demo", "--mirror=o/r=", "--yes")
    assert "the inputs are not read again" in said.err
    assert load_study("demo").mirror_map == {"p/q": str(tmp_path / "b")}


def test_nothing_changes(run: Run, tmp_path: Path) -> None:
    """An update without a change needs no yes."""
    add_demo(tmp_path / "given")
    said = run("update", "demo")
    assert (said.code, said.err) == (0, "nothing changes\n")


@pytest.mark.parametrize(("answer", "written"), [(b"y\n", True), (b"n\n", False)])
def test_question_on_a_terminal(run: Run, tmp_path: Path, answer: bytes, written: bool) -> None:
    """On a terminal the question is asked after the change was shown, and the answer obeyed."""
    add_demo(tmp_path / "given")
    write_inputs(tmp_path / "given", patches={**PATCHES, "o__r-4": "x"})
    command = [sys.executable, "-c", "from swe_assets.cli import main; main()", "study", "update", "demo"]
    terminal, inner = pty.openpty()
    with subprocess.Popen(command, stdin=inner, stdout=inner, stderr=inner) as child:
        os.close(inner)
        os.write(terminal, answer)
        said = _all_of(terminal)
    assert child.returncode == (0 if written else 2)
    assert said.index("added: 1 ('o__r-4')") < said.index("Write this?")
    assert ("o__r-4" in load_study("demo").instances) is written


def _all_of(terminal: int) -> str:
    """Return what is written to a terminal until its end."""
    said = b""
    try:
        while part := os.read(terminal, 4096):
            said += part
    except OSError:  # how Linux tells that the other side is closed
        pass
    os.close(terminal)
    return said.decode()


def test_hostile_texts_are_shown_escaped(run: Run, tmp_path: Path) -> None:
    """Control characters of an unknown id reach the terminal escaped."""
    inputs = write_inputs(tmp_path / "given", patches={"o__r-1": "x", "\x1b[2Jgone": "y"})
    options = [f"--{name}={getattr(inputs, name)}" for name in ("predictions", "results", "dataset")]
    said = run("add", "demo", *options)
    assert "\x1b" not in said.err
    assert r"\x1b[2Jgone" in said.err
    assert studies() == ["demo"]
