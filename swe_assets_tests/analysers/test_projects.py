"""Projects in two steps: what a project is known by, and analysers that know nothing of projects."""

from collections.abc import Sequence
from dataclasses import replace

from swe_assets.analysers.measured_here import MeasuredHere, in_two_steps
from swe_assets.analysers.projects import Claim, Offer, Project
from swe_assets.analysers.protocol import FileMeasures, SourceFile
from swe_assets.analysers.registry import analyser_named
from swe_assets.analysers.settings import AnalyserSettings
from swe_assets.errors import AnalyserError, RecordError

ONE = Project("i", "base", (SourceFile("a.py", b"x = 1\n"),), (SourceFile("__init__.py", b""),))


class Lines:
    """An analyser as a user writes one; it refuses files with BAD in them."""

    name = "lines_only"
    violations_source = "none"

    def __init__(self) -> None:
        self.calls: list[int] = []

    def provenance(self) -> dict[str, str]:
        """Name what the numbers depend on."""
        return {"analyser": self.name}

    def measure(self, files: Sequence[SourceFile]) -> list[FileMeasures]:
        """Count lines."""
        self.calls.append(len(files))
        if any(b"BAD" in file.content for file in files):
            raise AnalyserError("a bad file")
        return [
            FileMeasures(f.path, parsed=True, measures={"lines": f.content.count(b"\n") + 1}) for f in files
        ]


def claim(name: str, *files: SourceFile) -> Claim:
    """Return a claim of one side."""
    project = Project(name, "patched", files)
    return Claim(name, {"patched": [file.path for file in files]}, {}, lambda: (project,))


def damaged() -> tuple[Project, ...]:
    """Fail as contents do that are damaged."""
    raise RecordError("stored content is damaged")


def test_a_project_is_known_by_its_content() -> None:
    """Paths, bytes and context tell projects apart; instance and side do not."""
    same = replace(ONE, instance_id="j", side="patched")
    others = [
        replace(ONE, files=(SourceFile("b.py", b"x = 1\n"),)),
        replace(ONE, files=(SourceFile("a.py", b"x = 2\n"),)),
        replace(ONE, context=()),
        replace(ONE, files=(*ONE.files, *ONE.context), context=()),
    ]
    assert same.digest == ONE.digest
    assert len({ONE.digest, *(other.digest for other in others)}) == 5


def test_the_order_of_files_does_not_matter() -> None:
    """Two files in either order are the same project."""
    files = (SourceFile("a.py", b"1"), SourceFile("b.py", b"2"))
    assert Project("i", "base", files).digest == Project("i", "base", files[::-1]).digest


def test_an_analyser_of_files_is_handed_nothing() -> None:
    """Offers are taken without a look at their contents."""
    using = in_two_steps(Lines())
    assert isinstance(using, MeasuredHere)
    assert [one.receipts for one in using.hand_over([Offer("i", damaged)])] == [{}]


def test_each_content_is_measured_once_and_keeps_its_paths() -> None:
    """The same bytes under two names are one file to measure and two answers."""
    own = Lines()
    files = (SourceFile("a.py", b"x\n"), SourceFile("b.py", b"x\n"))
    (found,) = in_two_steps(own).read([claim("i", *files)])
    assert own.calls == [1]
    assert [(file.path, file.measures["lines"]) for file in found.sides["patched"].files] == [
        ("a.py", 2),
        ("b.py", 2),
    ]


def test_one_bad_instance_fails_alone() -> None:
    """Where a call fails for all, each instance is measured by itself."""
    claims = [claim("i", SourceFile("a.py", b"x")), claim("j", SourceFile("b.py", b"BAD"))]
    claims.append(Claim("k", {}, {}, damaged))
    found = {one.instance_id: one for one in in_two_steps(Lines()).read(claims)}
    assert found["i"].error is None
    assert isinstance(found["j"].error, AnalyserError)
    assert isinstance(found["k"].error, RecordError)


def test_an_analyser_with_a_server_is_itself() -> None:
    """What has both steps already is not wrapped, and making it asks nobody."""
    using = analyser_named("sonarqube", AnalyserSettings("study", "per-instance"))
    assert in_two_steps(using) is using
