"""How long 500 real patches take to be reconstructed and measured, against checking each commit out.

Ours: `reconstruct` (blobs and a temporary index on the bare mirror, whether Python still parses included)
and the embedded analyser over the files of both sides, each content once in a hundred instances, as the
stages arquivos_reconstruidos and metricas_completas do; all instances, in the dataset's order.

Baseline, on a seeded sample of the same instances in the same run, turn about with ours: check the base
commit out into a work tree, read the files, `git apply`, read them again; without measuring, and with the
same measuring. The mirrors' objects are shared, not copied, and removing the work trees is not counted. Where
both ways applied a patch their bytes are compared.

    python -m benchmarks.reconstruct_and_measure --predictions P --dataset D --mirrors DIR \
        --mirror django/django=PATH …
"""

import random
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import click

from benchmarks.checkout import Checkouts, Sides
from benchmarks.effort import Effort, TreeMemory, effort, peak_child_mib, peak_own_mib
from benchmarks.inputs import (
    DATASET,
    INSTANCES,
    MIRROR,
    MIRRORS,
    PREDICTIONS,
    Task,
    mirror_settings,
    read_tasks,
    with_options,
)
from benchmarks.table import against, at_least, milliseconds, print_machine, print_table, ratio
from swe_assets.analysers.embedded import parses
from swe_assets.analysers.protocol import Analyser, SourceFile
from swe_assets.analysers.registry import analyser_named
from swe_assets.repositories import (
    FileChange,
    MirrorSettings,
    OpenRepository,
    Reconstruction,
    open_mirror,
    reconstruct,
)

CHUNK = 100


@dataclass
class Whole:
    """What all instances took and came to."""

    reconstructing: Effort = field(default_factory=Effort)
    measuring: Effort = field(default_factory=Effort)
    outcomes: Counter[str] = field(default_factory=Counter)
    files: int = 0
    measured: int = 0
    unparsed: int = 0
    lines: int = 0


@dataclass
class Sampled:
    """What the sample took in both ways, and how often their bytes agree."""

    ours: Effort = field(default_factory=Effort)
    naive: Effort = field(default_factory=Effort)
    ours_measuring: Effort = field(default_factory=Effort)
    naive_measuring: Effort = field(default_factory=Effort)
    refused: int = 0
    agreeing: int = 0
    differing: list[str] = field(default_factory=list)


@contextmanager
def mirrors_open(settings: MirrorSettings, tasks: Sequence[Task]) -> Iterator[dict[str, OpenRepository]]:
    """Open the mirror of each repository once, as a study's bench does, and close them all."""
    opened: dict[str, OpenRepository] = {}
    try:
        for task in tasks:
            if task.repo not in opened:
                opened[task.repo] = open_mirror(settings, task.repo, task.base_commit)
        yield opened
    finally:
        for repository in opened.values():
            repository.close()


def run_whole(tasks: Sequence[Task], settings: MirrorSettings, analyser: Analyser) -> Whole:
    """Reconstruct and measure all instances, a hundred at a time."""
    whole = Whole()
    for start in range(0, len(tasks), CHUNK):
        chunk = tasks[start : start + CHUNK]
        with effort() as taken:
            found = list(_reconstructed(chunk, settings))
        whole.reconstructing += taken
        files = [file for each in found for file in each.files if file.is_python and not file.is_test]
        sources = sources_of(files)
        with effort() as taken:
            measured = analyser.measure(sources)
        whole.measuring += taken
        whole.outcomes.update(each.outcome.value for each in found)
        whole.files += sum(side is not None for file in files for side in (file.blob_base, file.blob_patched))
        whole.measured += len(measured)
        whole.unparsed += sum(not file.parsed for file in measured)
        whole.lines += sum(int(file.measures.get("lines", 0)) for file in measured)
    return whole


def _reconstructed(tasks: Sequence[Task], settings: MirrorSettings) -> Iterator[Reconstruction]:
    with mirrors_open(settings, tasks) as opened:
        for task in tasks:
            yield reconstruct(opened[task.repo], task.base_commit, task.patch, parses=parses)


def sources_of(files: Sequence[FileChange]) -> list[SourceFile]:
    """Return the different contents of both sides, each once."""
    found: dict[str, SourceFile] = {}
    for file in files:
        if file.content_base is not None and file.path_base is not None:
            found[str(file.blob_base)] = SourceFile(file.path_base, file.content_base)
        if file.content_patched is not None and file.path_patched is not None:
            found[str(file.blob_patched)] = SourceFile(file.path_patched, file.content_patched)
    return list(found.values())


def run_sample(
    tasks: Sequence[Task], settings: MirrorSettings, analyser: Analyser, checkouts: Checkouts
) -> Sampled:
    """Do the sample in both ways, one instance after the other, each way first every other time."""
    sampled = Sampled()
    with mirrors_open(settings, tasks) as opened:
        for number, task in enumerate(tasks):
            checkouts.prepare(task.repo, opened[task.repo].git_dir)
            if number % 2:
                naive = _naive(task, checkouts, sampled)
                ours = _ours(task, opened[task.repo], sampled)
            else:
                ours = _ours(task, opened[task.repo], sampled)
                naive = _naive(task, checkouts, sampled)
            _compare(task, ours, naive, sampled)
            with effort() as taken:
                analyser.measure(sources_of([f for f in ours.files if f.is_python and not f.is_test]))
            sampled.ours_measuring += taken
            with effort() as taken:
                analyser.measure(_python_of(naive or {}))
            sampled.naive_measuring += taken
    return sampled


def _ours(task: Task, repository: OpenRepository, sampled: Sampled) -> Reconstruction:
    with effort() as taken:
        found = reconstruct(repository, task.base_commit, task.patch)
    sampled.ours += taken
    return found


def _naive(task: Task, checkouts: Checkouts, sampled: Sampled) -> Sides | None:
    with effort() as taken:
        found = checkouts.both_sides(task)
    sampled.naive += taken
    return found


def _python_of(sides: Sides) -> list[SourceFile]:
    named = {path: contents for path, contents in sides.items() if path.endswith(".py")}
    return [SourceFile(path, side) for path, both in named.items() for side in both if side is not None]


def _compare(task: Task, ours: Reconstruction, naive: Sides | None, sampled: Sampled) -> None:
    if naive is None:
        sampled.refused += 1
        return
    wanted = {path: both for path, both in naive.items() if both[0] != both[1]}
    found: dict[str, tuple[bytes | None, bytes | None]] = {}
    for file in ours.files:
        for path in {file.path_base, file.path_patched} - {None}:
            base = file.content_base if path == file.path_base else None
            found[str(path)] = (base, file.content_patched if path == file.path_patched else None)
    if wanted == found:
        sampled.agreeing += 1
    else:
        sampled.differing.append(task.instance_id)


def report_whole(whole: Whole, count: int, memory: TreeMemory) -> None:
    """Print what all instances took, and the figures against their targets."""
    total = whole.reconstructing + whole.measuring
    print_table(
        f"{count} instances, base and patched",
        ("part", "wall s", "CPU s", "wall ms each", "CPU ms each"),
        [
            [name, taken.wall, taken.cpu, *milliseconds(taken, count)]
            for name, taken in (
                ("reconstruct", whole.reconstructing),
                ("measure", whole.measuring),
                ("both", total),
            )
        ],
    )
    outcomes = ", ".join(f"{name} {number}" for name, number in whole.outcomes.most_common())
    print(f"\noutcomes: {outcomes}")
    print(
        f"{whole.files} files on both sides, {whole.measured} different contents measured, "
        f"{whole.lines:,} lines, {whole.unparsed} that do not parse"
    )
    peak = peak_own_mib() + peak_child_mib()
    print_table(
        "against the targets",
        ("figure", "found", "target", ""),
        [
            against("wall of all, s", total.wall, 120, "s"),
            against("peak, own process and largest child (getrusage), MiB", peak, 1024, "MiB"),
            against("peak of all processes together (sampled), MiB", memory.resident, 1024, "MiB"),
            ["… without mapped pack files, MiB", memory.own, "", ""],
        ],
    )


def report_sample(sampled: Sampled, count: int) -> None:
    """Print both ways side by side with their ratio."""
    ours_all, naive_all = sampled.ours + sampled.ours_measuring, sampled.naive + sampled.naive_measuring
    pairs = (
        ("both sides of the patch", sampled.ours, sampled.naive),
        ("… and measured", ours_all, naive_all),
        ("ours measured, naive not", ours_all, sampled.naive),
    )
    print_table(
        f"{count} sampled instances: ours against checkout + git apply + read, ms each",
        ("what", "ours wall", "ours CPU", "naive wall", "naive CPU", "ratio wall", "ratio CPU"),
        [
            [
                name,
                *milliseconds(ours, count),
                *milliseconds(naive, count),
                ratio(naive.wall, ours.wall),
                ratio(naive.cpu, ours.cpu),
            ]
            for name, ours, naive in pairs
        ],
    )
    print(
        f"\nsame bytes on both sides: {sampled.agreeing} of {count - sampled.refused}; "
        f"git apply refused {sampled.refused}; differing: {', '.join(sampled.differing) or 'none'}"
    )
    times = sampled.naive.wall / sampled.ours.wall
    print_table("against the target", ("figure", "found", "target", ""), [at_least("ratio", times, 20, "x")])


@click.command()
@with_options(PREDICTIONS, DATASET, MIRRORS, MIRROR, INSTANCES)
@click.option("--sample", type=int, default=50, show_default=True, help="How many are also checked out.")
@click.option("--seed", type=int, default=20240402, show_default=True, help="Seed of the sample.")
def main(
    predictions: str,
    dataset: str,
    mirrors: Path | None,
    mirror: tuple[str, ...],
    instances: int,
    sample: int,
    seed: int,
) -> None:
    """Reconstruct and measure real instances, and a sample of them by checking out, and print both."""
    print_machine()
    with tempfile.TemporaryDirectory(prefix="bench-") as name:
        scratch = Path(name)
        tasks = read_tasks(predictions, dataset, instances, scratch)
        settings = mirror_settings(scratch, mirrors, mirror)
        analyser = analyser_named("embedded")
        with TreeMemory() as memory:
            whole = run_whole(tasks, settings, analyser)
        report_whole(whole, len(tasks), memory)
        drawn = random.Random(seed).sample(tasks, min(sample, len(tasks)))  # noqa: S311 - a sample, no secret
        report_sample(run_sample(drawn, settings, analyser, Checkouts(scratch)), len(drawn))


if __name__ == "__main__":
    main()
