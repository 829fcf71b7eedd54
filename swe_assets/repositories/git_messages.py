"""What git's words about a failed patch mean."""

import re

from swe_assets.repositories.reconstruction import Outcome

_OFFSET = re.compile(r"^Hunk #\d+ succeeded at \d+ \(offset (-?\d+) lines?\)\.$", re.MULTILINE)
_MISSING = re.compile(r"^error: (.+): (?:does not exist in index|No such file or directory)$", re.MULTILINE)
_REFUSED = re.compile(
    r"^error: (?:invalid path '.*'|affected file '.*' is beyond a symbolic link"
    r"|.*: beyond a symbolic link)$",
    re.MULTILINE,
)
_BINARY = re.compile(
    r"^error: (?:cannot apply binary patch to|binary patch|corrupt binary patch|unrecognized binary patch"
    r"|missing binary patch data|the patch applies to .* which does not match)",
    re.MULTILINE,
)
_ENVIRONMENT = re.compile(
    r"^(?:error|fatal): .*(?:No space left on device|Disk quota exceeded|Read-only file system"
    r"|Permission denied|Cannot allocate memory|Input/output error|Too many open files|File too large)$"
    r"|^fatal: (?:Out of memory|unable to write|unable to create)",
    re.MULTILINE | re.IGNORECASE,
)
_NO_PATCH = re.compile(r"^error: (?:No valid patches in input|unrecognized input)", re.MULTILINE)
_GARBAGE = re.compile(r"^error: patch with only garbage", re.MULTILINE)
_HUNK = re.compile(rb"^@@ -\d+(?:,\d+)? \+\d+(?:,\d+)? @@", re.MULTILINE)
_DIFFER = re.compile(rb"^Binary files .+ and .+ differ\r?$", re.MULTILINE)
_GIT_FOLDER = re.compile(r"\.git|git~[0-9]+", re.IGNORECASE)
_IGNORED = dict.fromkeys(
    [*range(0x200C, 0x2010), *range(0x202A, 0x202F), *range(0x206A, 0x2070), 0xFEFF]
)  # HFS+ leaves these out of names


def offsets(verbose: str) -> tuple[int, ...]:
    """Return each hunk's offset in lines that `git apply -v` spoke of, with its sign."""
    return tuple(int(found) for found in _OFFSET.findall(verbose))


def is_environment_failure(message: str) -> bool:
    """Say whether git failed for want of room, rights or memory, which says nothing about the patch."""
    return _ENVIRONMENT.search(message) is not None


def is_unsafe(path: str) -> bool:
    """Say whether a path leads out of the repository or into its `.git`, on any file system."""
    return path.startswith("/") or any(map(_is_unsafe_part, path.replace("\\", "/").split("/")))


def _is_unsafe_part(part: str) -> bool:
    usual = part.translate(_IGNORED).split(":", 1)[0].rstrip(" .")
    return part in (".", "..") or _GIT_FOLDER.fullmatch(usual) is not None


def missing_paths(message: str) -> list[str]:
    """Return the paths that git looked for and did not find."""
    return _MISSING.findall(message)


def failure_outcome(message: str, patch: bytes) -> Outcome:
    """Return the outcome that git's words stand for, where no rung applied the patch.

    The message must come from a run without -v, which would quote the patch's own text. Refused comes before
    binary, binary before a missing target, and that before a patch that just does not apply.
    """
    missing = missing_paths(message)
    if _REFUSED.search(message) or any(map(is_unsafe, missing)):
        return Outcome.REFUSED
    if _BINARY.search(message):
        return Outcome.BINARY
    if missing:
        return Outcome.TARGET_MISSING
    if _NO_PATCH.search(message):
        return Outcome.BINARY if _DIFFER.search(patch) else Outcome.NOT_A_DIFF
    if _GARBAGE.search(message) and not _HUNK.search(patch):
        return Outcome.NOT_A_DIFF
    return Outcome.DOES_NOT_APPLY
