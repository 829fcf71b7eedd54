"""What the documentation says is there, and what is there is said in the documentation."""

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote

import click
import pytest

from swe_assets.analysers.protocol import METRIC_KEYS
from swe_assets.cli import cli
from swe_assets.patch_quality.analysis.files import PUBLISHED as NAMES
from swe_assets.patch_quality.checks import GATES
from swe_assets.patch_quality.matriz_consolidada import COLUMNS
from swe_assets.patch_quality.report_assets import REPORT_NAMES, summaries
from swe_assets.patch_quality.stages import STAGE_NAMES, stages
from swe_assets.repositories.reconstruction import Outcome
from swe_assets_tests.house.tracked import tracked
from swe_assets_tests.shared_data import CHECKOUT

PAGES = [
    CHECKOUT / "README.md",
    CHECKOUT / "CHANGELOG.md",
    CHECKOUT / "CONTRIBUTING.md",
    *sorted((CHECKOUT / "docs").rglob("*.md")),
]
OTHERS_OPTIONS = {"--recount", "--upgrade"}
"""Options on the pages that belong to other programs: to git and to uv."""

LINK = re.compile(r"\]\((?!https?://|mailto:)([^)\s]+)\)")
FENCE = re.compile(r"^```(\w*)\n(.*?)^```", re.DOTALL | re.MULTILINE)
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
CODE = re.compile(r"(?<!`)`([^`\n]+(?:\n[^`\n]+)?)`(?!`)")
OUR_FILE = re.compile(r"(?:swe_assets|swe_assets_tests|scripts|docs|benchmarks)/[\w./-]*\w(?:/|\.\w+)")
REASON = re.compile(r'EXCLUDED, f?"([a-z_]+)')

page_each = pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(CHECKOUT).as_posix())


def text_of(page: Path | str) -> str:
    """Return a page's text, one of docs/reference by its bare name."""
    path = page if isinstance(page, Path) else CHECKOUT / "docs" / "reference" / f"{page}.md"
    return path.read_text(encoding="utf-8")


def anchors(text: str) -> set[str]:
    """Return the fragments that a page's headings can be linked by, as GitHub makes them."""
    headings = re.findall(r"^#+ (.+)$", FENCE.sub("", text), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def commands(group: click.Group = cli, path: str = "swe-assets") -> Iterator[tuple[str, click.Command]]:
    """Yield every command that does something, by its whole name."""
    context = click.Context(group)
    for name in group.list_commands(context):
        found = group.get_command(context, name)
        assert found is not None
        if isinstance(found, click.Group):
            yield from commands(found, f"{path} {name}")
        else:
            yield f"{path} {name}", found


COMMANDS = dict(commands())


def options(command: click.Command) -> set[str]:
    """Return the long options of a command, help apart."""
    found = [param for param in command.params if isinstance(param, click.Option)]
    return {name for param in found for name in (*param.opts, *param.secondary_opts) if name.startswith("--")}


def section(text: str, heading: str) -> str:
    """Return what stands under a heading of the second level."""
    return text.split(f"\n## {heading}\n", 1)[1].split("\n## ", 1)[0]


def called(page: Path) -> Iterator[str]:
    """Yield the command lines of ours on a page, from blocks and from running text."""
    text = text_of(page)
    for language, block in FENCE.findall(text):
        if language in ("sh", ""):
            yield from re.findall(
                r"^(?:swe-assets|\S*python -m swe_assets) .*$", block.replace("\\\n", " "), re.M
            )
    yield from (code for code in CODE.findall(FENCE.sub("", text)) if code.startswith("swe-assets "))


def words(line: str) -> list[str]:
    """Return the words of a command line that begins in any of our ways."""
    line = re.sub(r"^\S*python -m swe_assets", "swe-assets", line)
    return shlex.split(re.sub(r'"\$\(.*?\)"', "X", line), comments=True)


def code_in(page: str) -> set[str]:
    """Return everything that a reference page sets as code."""
    return set(CODE.findall(FENCE.sub("", text_of(page))))


@page_each
def test_links_resolve(page: Path) -> None:
    """A link to a file, a picture or a heading leads to one that git keeps."""
    kept = set(tracked(CHECKOUT))
    for link in LINK.findall(FENCE.sub("", text_of(page))):
        place, _, fragment = unquote(link).partition("#")
        target = (page.parent / place).resolve() if place else page
        assert target in kept, link
        assert not fragment or fragment in anchors(text_of(target)), link


@page_each
def test_files_that_are_named_are_there(page: Path) -> None:
    """A file or folder of ours that a page names is there."""
    named = set(OUR_FILE.findall(text_of(page)))
    assert [name for name in named if not (CHECKOUT / name).exists()] == []


@page_each
def test_targets_that_are_named_are_there(page: Path) -> None:
    """A `make` target on a page is one of the Makefile."""
    there = set(re.findall(r"^([a-z]+):", (CHECKOUT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    assert set(re.findall(r"(?:^|`)make ([a-z]+)", text_of(page), re.MULTILINE)) <= there


@page_each
def test_commands_that_are_named_are_there(page: Path) -> None:
    """A command line on a page names a command of ours, with options that this command has."""
    for line in called(page):
        said = words(line)
        known = [name for name in (" ".join(said[:3]), " ".join(said[:2])) if name in COMMANDS]
        groups = {name.rpartition(" ")[0] for name in COMMANDS}
        assert known or " ".join(said) in groups or said[1:] in (["…"], ["--version"]), line
        allowed = options(COMMANDS[known[0]]) if known else {"--version"}
        assert {word for word in said if word.startswith("--")} <= allowed, line


@page_each
def test_options_that_are_named_are_there(page: Path) -> None:
    """An option named alone belongs to one of our commands, or is known to be another program's."""
    ours = {name for command in COMMANDS.values() for name in options(command)}
    named = {option for code in CODE.findall(FENCE.sub("", text_of(page))) for option in OPTION.findall(code)}
    assert named - ours - OTHERS_OPTIONS - {"--help", "--version"} == set()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_option_is_in_the_reference(name: str) -> None:
    """Each command has its section, which names its options and no others."""
    said = set(OPTION.findall(section(text_of("cli"), name)))
    assert said == options(COMMANDS[name])


def test_every_asset_and_check_is_in_the_reference() -> None:
    """The page on assets names each asset with what it hangs on, and each check with its asset."""
    lines = text_of("assets").splitlines()
    upstream = {stage.name: stage.upstream for stage, _face in stages(judge_excluded=True)}
    upstream |= {summary.name: (*summary.partitioned, *summary.summaries) for summary in summaries()}
    assert set(upstream) == {*STAGE_NAMES, *REPORT_NAMES}
    for name, above in upstream.items():
        (line,) = [line for line in lines if line.startswith(f"| `{name}` |") and line.count("|") == 4]
        named = set(re.findall(r"`(\w+)`", line.split("|")[3]))
        assert named == set(above), name
    for gate in GATES:
        (line,) = [line for line in lines if line.startswith(f"| `{gate.rule.__name__}` | `{gate.asset}` |")]
        assert ("blocking" in line) == gate.blocking


def test_no_asset_or_check_is_invented() -> None:
    """The page on assets has no row for an asset or a check that is not there."""
    first = set(re.findall(r"^\| `(\w+)` \|", text_of("assets"), re.MULTILINE))
    assert first == {*STAGE_NAMES, *REPORT_NAMES, *(gate.rule.__name__ for gate in GATES)}


def test_every_outcome_and_reason_is_in_the_reference() -> None:
    """The page on outcomes has a row for each outcome, and names each reason that the code can give."""
    page = text_of("outcomes")
    rows = set(re.findall(r"^\| `(\w+)` \|", section(page, "The ten outcomes"), re.MULTILINE))
    assert rows == {outcome.value for outcome in Outcome}
    rooms = (CHECKOUT / "swe_assets" / "patch_quality").glob("*.py")
    reasons = {reason for room in rooms for reason in REASON.findall(room.read_text(encoding="utf-8"))}
    exclusion = (CHECKOUT / "swe_assets/repositories/reconstruction.py").read_text(encoding="utf-8")
    reasons |= set(re.findall(r'return "(\w+)"$', exclusion, re.MULTILINE))
    reasons |= {outcome.value for outcome in Outcome if not outcome.applied}
    assert len(reasons) == 12
    named = set(re.findall(r"`([a-z_]+)[`:]", section(page, "Exclusions")))
    assert reasons <= named


def test_every_result_file_is_in_the_reference() -> None:
    """The page on files names each file that a stage or report writes, and invents none."""
    rooms = [path.read_text("utf-8") for path in (CHECKOUT / "swe_assets/patch_quality").glob("*.py")]
    written = {name for room in rooms for name in re.findall(r'bench\.results / "([^"]+)"', room)}
    written |= {name.partition("/")[0] for summary in summaries() for name in summary.files} | set(NAMES)
    headings = re.findall(r"^### (.+)$", text_of("files"), re.MULTILINE)
    named = {name.partition("/")[0] for heading in headings for name in re.findall(r"`([^`]+)`", heading)}
    assert named == written


def test_columns_and_measures_are_in_the_reference() -> None:
    """The pages on files and metrics name each column of the matrix and each measure."""
    plain = {name for name in COLUMNS if not name.startswith(("base_", "delta_"))}
    assert plain <= code_in("files")
    assert set(METRIC_KEYS) <= set(re.findall(r"^\| `(\w+)` \|", text_of("metrics"), re.MULTILINE))


def test_study_toml_is_in_the_reference() -> None:
    """The page on study.toml names each setting that is written, and its option."""
    from swe_assets.patch_quality.study_settings import StudySettings

    assert set(StudySettings().record()) - {"mirrors"} <= code_in("study-toml")


def test_index_links_every_page() -> None:
    """The table of contents leads to each page of docs."""
    index = CHECKOUT / "docs" / "index.md"
    linked = {(index.parent / link).resolve() for link in LINK.findall(text_of(index))}
    assert {page for page in PAGES if page.is_relative_to(index.parent)} - {index} == linked


def test_real_run_adds_up() -> None:
    """In the real run's table each row and the last one add up, and the excluded are listed one by one."""
    page = text_of(CHECKOUT / "docs" / "real-run.md")
    table = page.split("<!-- table: repositories -->\n")[1].split("\n\n")[0].splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in table]
    counts = {row[0]: list(map(int, row[1:])) for row in rows[2:]}
    for pinned, *outcomes, in_matrix, excluded in counts.values():
        assert pinned == sum(outcomes) == in_matrix + excluded
    total = counts.pop("all")
    assert total == [sum(column) for column in zip(*counts.values(), strict=True)]
    assert len(re.findall(r"^\| \w+__[\w-]+ \|", page, re.MULTILINE)) == total[-1]
