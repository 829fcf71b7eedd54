"""Whether the embedded analyser and a SonarQube server agree, on real files measured anew by both in one run.

The files are those that the dataset's own patches change, at their base commits, no tests, each different
content once, taken from all repositories in turn. Each is a project of its own on the server, with its chain
of `__init__.py`. The eight structural keys must be equal; `violations` and `sqale_index` of the server stand
beside Ruff's with their rank correlation. Ends with exit code 1 where a structural key differs.

    python -m benchmarks.golden_agreement --dataset D --mirrors DIR --mirror django/django=PATH … \
        [--files 330] [--write docs/reference/sonarqube-agreement.md]
"""

import json
import os
import sys
import tempfile
from collections.abc import Iterator, Mapping, MutableMapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import zip_longest
from pathlib import Path

import click

from benchmarks.inputs import DATASET, MIRROR, MIRRORS, mirror_settings, with_options
from benchmarks.sonar_speed import dataset_rows
from swe_assets.analysers.embedded import EmbeddedAnalyser
from swe_assets.analysers.projects import Claim, Offer, Project
from swe_assets.analysers.protocol import STRUCTURE_KEYS, VIOLATION_KEYS, FileMeasures, SourceFile
from swe_assets.analysers.settings import AnalyserSettings
from swe_assets.analysers.sonarqube import SonarQubeAnalyser
from swe_assets.repositories import MirrorSettings, open_mirror, reconstruct
from swe_assets.repositories.packages import package_files
from swe_assets.sonarqube.connection import find_connection
from swe_assets.sonarqube.distribution import scanner_home
from swe_assets.statistics.rank_correlation import spearman

BETWEEN = ("min", "25 %", "median", "75 %", "max")


@dataclass(frozen=True)
class Agreed:
    """One file, and what both analysers say of it."""

    repo: str
    path: str
    server: FileMeasures
    embedded: FileMeasures

    @property
    def differing(self) -> list[str]:
        """Return the structural keys that differ or lack, and `parsed` where one could not read it."""
        both = {k: (self.server.measures.get(k), self.embedded.measures.get(k)) for k in STRUCTURE_KEYS}
        keys = [k for k, (server, embedded) in both.items() if server is None or server != embedded]
        return keys + (["parsed"] if self.server.parsed != self.embedded.parsed else [])


def chosen(dataset: Path, settings: MirrorSettings, most: int) -> list[tuple[str, Project]]:
    """Return files as projects of one, with their repositories, taken from each repository in turn."""
    by_repo: dict[str, list[Mapping[str, str]]] = {}
    for row in dataset_rows(dataset):
        by_repo.setdefault(row["repo"], []).append(row)
    found: dict[str, tuple[str, Project]] = {}
    for turn in zip_longest(*(_files(rows, settings) for rows in by_repo.values())):
        for repo, project in filter(None, turn):
            if len(found) < most:
                found.setdefault(project.digest, (repo, project))
    return list(found.values())


def _files(rows: Sequence[Mapping[str, str]], settings: MirrorSettings) -> Iterator[tuple[str, Project]]:
    """Yield the base side of each changed file of one repository's instances."""
    for row in rows:
        with open_mirror(settings, row["repo"], row["base_commit"]) as repository:
            root = repository.root(row["base_commit"])
            for change in reconstruct(repository, row["base_commit"], row["patch"]).files:
                if change.content_base is None or not change.is_python or change.is_test:
                    continue
                path = str(change.path_base)
                chain = package_files(repository, root, [change], "base")
                context = tuple(SourceFile(name, content) for name, content in chain.items())
                file = SourceFile(path, change.content_base)
                yield row["repo"], Project(f"{row['instance_id']} {path}", "patched", (file,), context)


def measured(projects: Sequence[Project], scope: str) -> tuple[dict[str, FileMeasures], str]:
    """Return the server's measures by the project's name, and who measured."""
    analyser = SonarQubeAnalyser(AnalyserSettings(scope))
    offers = [Offer(project.instance_id, lambda own=project: (own,)) for project in projects]  # type: ignore[misc]  # own: Project
    receipts = {}
    for handed in analyser.hand_over(offers):
        if handed.error is not None:
            raise handed.error
        receipts[handed.instance_id] = handed.receipts
    paths = {project.instance_id: {"patched": [project.files[0].path]} for project in projects}
    claims = [Claim(o.instance_id, paths[o.instance_id], receipts[o.instance_id], o.load) for o in offers]
    found = {}
    for read in analyser.read(claims):
        if read.error is not None:
            raise read.error
        found[read.instance_id] = read.sides["patched"].files[0]
    return found, analyser.violations_source


def measure_anew(folder: Path, environ: MutableMapping[str, str] = os.environ) -> None:
    """Let nothing count that was kept: the same server and scanner, with a cache of this run's own."""
    connection, scanner = find_connection(environ), scanner_home(environ)
    environ["SONAR_HOST_URL"], environ["SONAR_TOKEN"] = connection.url, connection.token
    environ["SONAR_SCANNER_HOME"], environ["SWE_ASSETS_CACHE"] = str(scanner), str(folder)


def page(files: Sequence[Agreed], server: str, embedded: str) -> str:
    """Return the page: per repository, and over all, what agrees and how far the stand-ins go along."""
    repos = sorted({file.repo for file in files})
    rows = [_row(repo, [file for file in files if file.repo == repo]) for repo in repos]
    lines = [
        "# SonarQube and the embedded analyser on the same files",
        "",
        f"{len(files)} real files of {len(repos)} repositories, at the base commits of SWE-bench Verified, "
        f"measured anew by both on {datetime.now(UTC):%d %B %Y} in one run of",
        "`python -m benchmarks.golden_agreement`:",
        "",
        f"- the server: {server}",
        f"- embedded: eight keys by SonarQube's definitions; violations and sqale_index by {embedded}",
        "",
        f"Equal on all eight structural keys ({', '.join(STRUCTURE_KEYS)}): "
        f"**{sum(not file.differing for file in files)} of {len(files)}**.",
        "",
        "`violations` and `sqale_index` are SonarQube's own on a server and Ruff's in the embedded analyser,",
        "as a stand-in: numbers of another size. Below is how far they rank files alike (Spearman's ρ).",
        "",
        "| repository | files | equal | violations, Sonar | Ruff | ρ | sqale_index, Sonar | Ruff | ρ |",
        "| --- | --: | --: | --: | --: | --: | --: | --: | --: |",
        *(f"| {' | '.join(row)} |" for row in [*rows, _row("**all**", files)]),
        "",
        "Sums over the files, sqale_index in minutes; no ρ below five files or where all values are equal.",
        "",
        "How the numbers of a file are spread:",
        "",
        f"| | {' | '.join(BETWEEN)} |",
        f"| --- {'| --: ' * len(BETWEEN)}|",
        *(_spread(files, key) for key in VIOLATION_KEYS),
        "",
    ]
    return "\n".join(lines) + _differing(files)


def _row(name: str, files: Sequence[Agreed]) -> list[str]:
    cells = [name, str(len(files)), str(sum(not file.differing for file in files))]
    for key in VIOLATION_KEYS:
        ours, theirs = _pairs(files, key)
        cells += [f"{sum(ours):,}", f"{sum(theirs):,}", _rho(ours, theirs)]
    return cells


def _pairs(files: Sequence[Agreed], key: str) -> tuple[list[float], list[float]]:
    """Return the server's and Ruff's numbers of the files that both could measure."""
    both = [(f.server.measures.get(key), f.embedded.measures.get(key)) for f in files]
    known = [(ours, theirs) for ours, theirs in both if ours is not None and theirs is not None]
    return [ours for ours, _ in known], [theirs for _, theirs in known]


def _rho(ours: Sequence[float], theirs: Sequence[float]) -> str:
    if len(ours) < 5:
        return "–"
    found = spearman({"ours": ours, "theirs": theirs}).rho["ours", "theirs"]
    return f"{found:.2f}" if isinstance(found, float | int) else "–"


def _spread(files: Sequence[Agreed], key: str) -> str:
    ours, theirs = (sorted(side) for side in _pairs(files, key))
    lines = []
    for name, values in (("SonarQube", ours), ("Ruff", theirs)):
        at = (values[round(part * (len(values) - 1))] for part in (0, 0.25, 0.5, 0.75, 1))
        lines.append(f"| {key}, {name} | {' | '.join(f'{value:,}' for value in at)} |")
    return "\n".join(lines)


def _differing(files: Sequence[Agreed]) -> str:
    """Return the files on which the two differ, with the keys."""
    lines = [f"- {file.repo} `{file.path}`: {', '.join(file.differing)}" for file in files if file.differing]
    return "\nNot equal:\n\n" + "\n".join(lines) + "\n" if lines else ""


@click.command()
@with_options(DATASET, MIRRORS, MIRROR)
@click.option("--files", "most", type=int, default=330, show_default=True, help="How many files at most.")
@click.option("--write", type=click.Path(path_type=Path, dir_okay=False), help="Write the page here.")
def main(dataset: str, mirrors: Path | None, mirror: tuple[str, ...], most: int, write: Path | None) -> None:
    """Measure real files by the embedded analyser and by the server that is up, and compare them."""
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        files = chosen(Path(dataset), mirror_settings(Path(name), mirrors, mirror), most)
        measure_anew(Path(name, "cache"))
        found, server = measured([project for _, project in files], "golden-agreement")
    embedded = EmbeddedAnalyser()
    own = embedded.measure([project.files[0] for _, project in files])
    agreed = [
        Agreed(repo, project.files[0].path, found[project.instance_id], mine)
        for (repo, project), mine in zip(files, own, strict=True)
    ]
    text = page(agreed, server, embedded.violations_source)
    if write:
        write.write_text(text, encoding="utf-8")
    click.echo(text)
    broken = [file for file in agreed if file.differing]
    click.echo(json.dumps({"files": len(agreed), "equal": len(agreed) - len(broken)}), err=True)
    sys.exit(1 if broken else 0)


if __name__ == "__main__":
    main()
