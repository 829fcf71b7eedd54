"""What a rehearsed judge sees of a patch and an issue without understanding them: sizes, files, names."""

import re
from dataclasses import dataclass

_FILE = re.compile(r"^(?:\+\+\+ b/|diff --git a/\S+ b/)(\S+)", re.MULTILINE)
_HUNK = re.compile(r"^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@", re.MULTILINE)
_TEST_FILE = re.compile(r"(?:^|/)(?:tests?|testing)/|(?:^|/)(?:test_[^/]*|[^/]*_test|conftest)\.py$")
_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]{3,}")
_GUARD = re.compile(r"^\+.*\b(?:if|raise|isinstance|except|try|getattr|hasattr|assert)\b", re.MULTILINE)


@dataclass(frozen=True)
class PatchTraits:
    """Counts over a patch's text, and the names it shares with its issue."""

    blank: bool
    files: tuple[str, ...]
    hunks: int
    added: int
    removed: int
    guards: int
    shared_names: int

    @property
    def prose(self) -> bool:
        """Whether there is text, but no hunk that could be applied."""
        return not self.blank and self.hunks == 0

    @property
    def only_tests(self) -> bool:
        """Whether every file that it names is a test."""
        return bool(self.files) and all(map(_TEST_FILE.search, self.files))


def patch_traits(issue: str, patch: str) -> PatchTraits:
    """Return what can be counted in a patch and the issue that it answers."""
    lines = patch.split("\n")
    added = [line for line in lines if line.startswith("+") and not line.startswith("+++ ")]
    removed = [line for line in lines if line.startswith("-") and not line.startswith("--- ")]
    names = set(_NAME.findall("\n".join([*added, *removed])))
    return PatchTraits(
        blank=not patch.strip(),
        files=tuple(dict.fromkeys(_FILE.findall(patch))),
        hunks=len(_HUNK.findall(patch)),
        added=len(added),
        removed=len(removed),
        guards=len(_GUARD.findall(patch)),
        shared_names=len(names & set(_NAME.findall(issue))),
    )
