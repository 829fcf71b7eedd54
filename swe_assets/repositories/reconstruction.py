"""What became of one patch: its outcome, the steps that led there, and each file on both sides."""

from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any, Literal

Parses = Callable[[bytes], bool]
Rung = Literal["strict", "newline", "recount", "fuzz"]
Change = Literal["added", "deleted", "modified", "renamed", "copied", "mode"]


class Outcome(StrEnum):
    """How a patch met its base commit; the first four mean that it was applied, whole."""

    APPLIED_EXACT = "applied_exact"
    APPLIED_NEWLINE_REPAIR = "applied_newline_repair"
    APPLIED_RECOUNT = "applied_recount"
    APPLIED_OFFSET = "applied_offset"
    EMPTY = "empty"
    NOT_A_DIFF = "not_a_diff"
    DOES_NOT_APPLY = "does_not_apply"
    TARGET_MISSING = "target_missing"
    BINARY = "binary"
    REFUSED = "refused"

    @property
    def applied(self) -> bool:
        """Say whether the whole patch was applied."""
        return self.value.startswith("applied_")


class Status(StrEnum):
    """Whether an instance's files are measured."""

    MEASURED = "measured"
    EXCLUDED = "excluded"


@dataclass(frozen=True, slots=True)
class Step:
    """One rung that was tried: its name, git's exit code, git's words shortened."""

    name: Rung
    returncode: int
    message: str


@dataclass(frozen=True, slots=True)
class FileChange:
    """One file that the patch changed; the side where it does not exist is None throughout.

    A rename pairs both sides. A copy stands on the patched side only and names its source in `copied_from`.
    Modes are git's (`100644`, `100755`, `120000`), blobs are object ids, contents are the raw bytes.
    `is_python`: a regular file named `*.py` on some side; `is_test`: see `paths_of_tests`.
    """

    change: Change
    path_base: str | None
    path_patched: str | None
    mode_base: str | None
    mode_patched: str | None
    blob_base: str | None
    blob_patched: str | None
    content_base: bytes | None = field(repr=False)
    content_patched: bytes | None = field(repr=False)
    is_test: bool
    is_python: bool
    copied_from: str | None = None

    def summary(self) -> dict[str, Any]:
        """Return everything but the contents, for JSON."""
        left_out = ("content_base", "content_patched")
        return {name: getattr(self, name) for name in self.__slots__ if name not in left_out}


@dataclass(frozen=True, slots=True)
class Reconstruction:
    """The record of one patch at one commit.

    `status` is measured where the patch was applied and a Python file that is no test changed; otherwise
    excluded, and `reason` begins with the outcome, `unchanged`, `no_python` or `only_tests`, followed by
    `: ` and details where there are some. `exclusion` is that first word alone, empty where measured.
    `offset_lines` is the largest absolute distance in lines at which a hunk was found from where it said;
    `offsets` has each one that is not 0, with its sign. `python_parses_after` is None where no patch was
    applied or no parser was given, and True where no changed Python file remains after it.
    """

    outcome: Outcome
    detail: str = ""
    steps: tuple[Step, ...] = ()
    offsets: tuple[int, ...] = ()
    files: tuple[FileChange, ...] = ()
    python_parses_after: bool | None = None

    @property
    def offset_lines(self) -> int:
        """Return the largest absolute offset of a hunk, in lines; 0 where each was where it said."""
        return max(map(abs, self.offsets), default=0)

    @property
    def changed(self) -> bool:
        """Say whether any file differs after the patch, in content, mode or name."""
        return bool(self.files)

    @property
    def touches_python(self) -> bool:
        """Say whether a changed file is Python on some side."""
        return any(file.is_python for file in self.files)

    @property
    def only_tests(self) -> bool:
        """Say whether files changed and each of them is a test."""
        return self.changed and all(file.is_test for file in self.files)

    @property
    def exclusion(self) -> str:
        """Return why nothing is measured, in one word; empty where something is."""
        if not self.outcome.applied:
            return self.outcome.value
        if not self.changed:
            return "unchanged"
        if not self.touches_python:
            return "no_python"
        if not any(file.is_python and not file.is_test for file in self.files):
            return "only_tests"
        return ""

    @property
    def status(self) -> Status:
        """Return measured or excluded."""
        return Status.EXCLUDED if self.exclusion else Status.MEASURED

    @property
    def reason(self) -> str:
        """Return the exclusion with its details, or the details of how the patch was applied."""
        return ": ".join(filter(None, (self.exclusion, self.detail)))

    def record(self) -> dict[str, Any]:
        """Return everything but the files' contents, for JSON."""
        return {
            "outcome": self.outcome.value,
            "reason": self.reason,
            "status": self.status.value,
            "steps": [asdict(step) for step in self.steps],
            "offset_lines": self.offset_lines,
            "files": [file.summary() for file in self.files],
            "flags": self.flags(),
        }

    def flags(self) -> dict[str, bool | None]:
        """Return the four flags by name."""
        return {
            "changed": self.changed,
            "touches_python": self.touches_python,
            "only_tests": self.only_tests,
            "python_parses_after": self.python_parses_after,
        }
