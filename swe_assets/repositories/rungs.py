"""The rungs of the ladder: one try of `git apply` each, recorded, and what the last of them means."""

import signal
import subprocess
from dataclasses import dataclass, field

from swe_assets.errors import RepositoryError
from swe_assets.repositories.git_messages import (
    failure_outcome,
    is_environment_failure,
    missing_paths,
    offsets,
)
from swe_assets.repositories.hunks import Tail, dropped_tails
from swe_assets.repositories.objects import SYMLINK
from swe_assets.repositories.reconstruction import Outcome, Rung, Step
from swe_assets.repositories.scratch import Scratch

_CONTEXT_LINES = 3
_CRASHES = {signal.SIGABRT, signal.SIGSEGV, signal.SIGBUS, signal.SIGFPE, signal.SIGILL}
_SHOWN = 400


@dataclass
class Climb:
    """One patch on its way up the ladder; `steps` and `offsets` tell afterwards how it went."""

    scratch: Scratch
    patch: bytes
    timeout: float
    fuzz: int = 0
    steps: list[Step] = field(default_factory=list)
    offsets: tuple[int, ...] = ()
    _said: list[str] = field(default_factory=list)

    def result(self) -> tuple[Outcome, str]:
        """Climb until a rung holds; return the outcome and its details.

        Raises subprocess.TimeoutExpired, and RepositoryError where git could not do its work.
        """
        ended = self.patch if self.patch.endswith(b"\n") else self.patch + b"\n"
        if self._try("strict", self.patch):
            return self._unless_dropped(ended, Outcome.APPLIED_EXACT, "")
        if ended != self.patch and self._try("newline", ended):
            return self._unless_dropped(ended, Outcome.APPLIED_NEWLINE_REPAIR, "needed a final newline")
        if self._try("recount", ended, "--recount"):
            return self._recounted(ended, "the counts of a hunk were wrong")
        if self.fuzz > 0 and self._try_fuzz(ended):
            return self._applied(Outcome.APPLIED_OFFSET, f"with fuzz {self.fuzz}")
        return self._failed()

    def _try(self, name: Rung, patch: bytes, *options: str) -> bool:
        """Run one rung and record it; True where git applied the patch."""
        done = self._git_apply(patch, *options, "--verbose")
        if done.returncode:  # ask again without -v, which quotes the patch's own text
            done = self._git_apply(patch, *options)
        said = done.stderr.decode("utf-8", "replace").replace(str(self.scratch.git_dir.parent), "SCRATCH")
        stopped = done.returncode < 0 and -done.returncode not in _CRASHES
        if stopped or is_environment_failure(said):
            raise RepositoryError(
                f"git apply could not do its work: exit code {done.returncode}, {said[:_SHOWN]!r}; "
                "look for room in the temporary folder and in memory"
            )
        self._said.append(said)
        self.steps.append(Step(name, done.returncode, _shortened(said)))
        return done.returncode == 0

    def _git_apply(self, patch: bytes, *options: str) -> subprocess.CompletedProcess[bytes]:
        """Run git once; where it crashes on the patch, which it can, clear away what it left."""
        command = ("apply", "--cached", "--whitespace=nowarn", *options)
        done = self.scratch.git(*command, given=patch, timeout=self.timeout)
        if done.returncode < 0:
            self.scratch.restore()
        return done

    def _try_fuzz(self, patch: bytes) -> bool:
        context = f"-C{max(0, _CONTEXT_LINES - self.fuzz)}"
        applied = self._try("fuzz", patch, context) or self._try("fuzz", patch, context, "--recount")
        return applied and not any(tail.adjacent for tail in dropped_tails(patch))

    def _unless_dropped(self, patch: bytes, outcome: Outcome, detail: str) -> tuple[Outcome, str]:
        """Accept what was applied by the stated counts, unless git dropped the tail of a hunk."""
        tails = [tail for tail in dropped_tails(patch) if tail.adjacent or tail.closed]
        if not tails:
            return self._applied(outcome, detail)
        kept = self.scratch.index()
        self.scratch.restore()
        if self._try("recount", patch, "--recount"):
            return self._recounted(patch, f"git would drop {_words(tails[0])}")
        if any(tail.adjacent for tail in tails):
            return self._dropped(tails[0])
        self.scratch.restore(kept)
        self._said.append(self._said[-2])
        return self._applied(outcome, detail)

    def _recounted(self, patch: bytes, detail: str) -> tuple[Outcome, str]:
        """Accept a recount, unless prose kept git from counting a hunk whose tail it then dropped."""
        for tail in dropped_tails(patch):
            if tail.adjacent and not tail.closed:
                return self._dropped(tail)
        return self._applied(Outcome.APPLIED_RECOUNT, detail)

    def _dropped(self, tail: Tail) -> tuple[Outcome, str]:
        return Outcome.DOES_NOT_APPLY, f"git would drop {_words(tail)}, and recounting does not take them in"

    def _applied(self, outcome: Outcome, detail: str) -> tuple[Outcome, str]:
        self.offsets = offsets(self._said[-1])
        if not self.offsets:
            return outcome, detail
        farthest = max(self.offsets, key=abs)
        return Outcome.APPLIED_OFFSET, "; ".join(filter(None, (detail, f"found {farthest:+d} lines off")))

    def _failed(self) -> tuple[Outcome, str]:
        """Judge by the first rung at which git could read the whole patch, else by the first."""
        codes = [step.returncode for step in self.steps]
        decisive = codes.index(1) if 1 in codes else 0
        said = self._said[decisive]
        outcome = failure_outcome(said, self.patch)
        if outcome is Outcome.TARGET_MISSING and any(map(self._through_link, missing_paths(said))):
            outcome = Outcome.REFUSED
        return outcome, self.steps[decisive].message

    def _through_link(self, path: str) -> bool:
        parts = path.encode("utf-8", "surrogateescape").split(b"/")
        above = (self.scratch.base.get(b"/".join(parts[:depth])) for depth in range(1, len(parts)))
        return any(entry is not None and entry.mode == SYMLINK for entry in above)


def _words(tail: Tail) -> str:
    return f"{tail.changes} changed lines from line {tail.line} of the patch on, where a hunk's count ends"


def _shortened(said: str) -> str:
    """Return git's words without its chatter about each file, cut at 400 characters."""
    lines = [line for line in said.splitlines() if not line.startswith(("Checking patch ", "Applied patch "))]
    text = "\n".join(lines)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"
