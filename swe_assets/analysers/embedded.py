"""The analyser that needs no server: structure by SonarQube's definitions, violations by Ruff."""

import hashlib
from collections.abc import Sequence

from swe_assets.analysers.protocol import FileMeasures, SourceFile
from swe_assets.analysers.python.decoding import decode
from swe_assets.analysers.python.structure import GRAMMAR, Structure, measure_structure
from swe_assets.analysers.ruff import Findings, check, ruff_version, rule_set


class EmbeddedAnalyser:
    """Measures Python files in this process, with Ruff beside it; equal bytes in a call are measured once."""

    name = "embedded"

    @property
    def violations_source(self) -> str:
        """Say that violations and sqale_index are Ruff's, with both versions."""
        return f"Ruff {ruff_version()}, rule set {rule_set().version} (a stand-in, not SonarQube's)"

    def provenance(self) -> dict[str, str]:
        """Name the grammar, Ruff and the rule set; another value means other numbers."""
        return {
            "analyser": self.name,
            "grammar": GRAMMAR,
            "ruff": ruff_version(),
            "rule_set": str(rule_set().version),
        }

    def measure(self, files: Sequence[SourceFile]) -> list[FileMeasures]:
        """Measure all ten keys of each file, in order.

        A file that SonarQube's grammar refuses has `lines` alone; one that only Ruff refuses lacks
        `violations` and `sqale_index`. Raises AnalyserError if Ruff cannot run.
        """
        contents = {_digest(file.content): file.content for file in files}
        structures = {digest: measure_structure(content) for digest, content in contents.items()}
        readable = [digest for digest, structure in structures.items() if structure.reason is None]
        findings = dict(zip(readable, check([decode(contents[d]) for d in readable]), strict=True))
        return [
            _joined(file.path, structures[digest], findings.get(digest))
            for file, digest in ((file, _digest(file.content)) for file in files)
        ]


def parses(content: bytes) -> bool:
    """Tell whether a Python source parses by the grammar that SonarQube reads; CPython's may be narrower."""
    return measure_structure(content).reason is None


def _digest(content: bytes) -> bytes:
    return hashlib.sha256(content).digest()


def _joined(path: str, structure: Structure, findings: Findings | None) -> FileMeasures:
    """Put the two halves together; what one of them could not have is absent."""
    if findings is None:
        return FileMeasures(path, parsed=False, measures=dict(structure.measures), reason=structure.reason)
    if findings.reason is not None:
        reason = f"violations and sqale_index not measured: {findings.reason}"
        return FileMeasures(path, parsed=True, measures=dict(structure.measures), reason=reason)
    counts = {"violations": findings.violations, "sqale_index": findings.minutes}
    return FileMeasures(path, parsed=True, measures={**structure.measures, **counts})
