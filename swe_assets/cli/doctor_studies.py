"""Whether each pinned study is whole and the repositories it needs can be had."""

import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from swe_assets.cli.findings import Finding, required
from swe_assets.errors import MirrorError, SweAssetsError
from swe_assets.home import mirrors_dir
from swe_assets.repositories.git_process import contained_environment, git_path, network_environment, scrub
from swe_assets.repositories.mirrors import MirrorSettings, git_dir_of
from swe_assets.repositories.sources import Source, source_of

if TYPE_CHECKING:
    from swe_assets.patch_quality.study import Study

NETWORK_SECONDS = 20
AT_ONCE = 12
"""How many repositories are asked for at the same time: all those of SWE-bench Verified."""


def pinned(*, offline: bool) -> Iterator[Finding]:
    """Yield the findings on every study: its pin, its judge's key, its repositories."""
    from swe_assets.patch_quality.study import load_study, studies

    names = studies()
    if not names:
        yield Finding(
            "configured", "studies", "absent", "none yet", "make study, or swe-assets study add NAME …"
        )
    for name in names:
        part = f"study {name}"
        try:
            study = load_study(name)
            bases = base_commits(study)
        except SweAssetsError as wrong:
            yield required("configured", part, well=False, value=str(wrong), mend="see the message")
            continue
        judges = f"{'judge' if len(study.judges) == 1 else 'judges'} {study.judge}"
        value = f"{len(study.instances)} instances as pinned, analyser {study.analyser}, {judges}"
        yield required("configured", part, well=True, value=value, mend="")
        yield from judge_key(study)
        yield from repositories(study, bases, offline=offline)


def base_commits(study: "Study") -> dict[str, set[str]]:
    """Return the base commits that a study needs by repository; its pinned files are checked on the way."""
    study.results()
    next(study.iter_predictions(), None)
    bases: dict[str, set[str]] = {}
    for row in study.dataset().values():
        bases.setdefault(row.repo, set()).add(row.base_commit)
    return bases


def judge_key(study: "Study") -> Iterator[Finding]:
    """Yield for each judge of a study whether it can be called, such as whether its key is set."""
    from swe_assets.llm.registry import ModelSettings, model_named

    for judge in study.judges:
        if judge.partition(":")[0] == "rehearsal":
            continue
        part = f"judge {judge}"
        try:
            model_named(judge, ModelSettings(folder=study.path))
        except SweAssetsError as wrong:
            value = f"study {study.name}: {wrong}"
            yield required("configured", part, well=False, value=value, mend="see the message")
        else:
            yield required("configured", part, well=True, value=f"ready for study {study.name}", mend="")


def repositories(study: "Study", bases: dict[str, set[str]], *, offline: bool) -> Iterator[Finding]:
    """Yield for each repository whether its mirror is here with the base commits, or can be cloned."""
    settings = MirrorSettings(mirrors_dir(), study.mirrors_folder, study.mirror_map)

    def one(repository: str) -> Finding:
        return repository_finding(settings, repository, bases[repository], offline=offline)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        yield from pool.map(one, sorted(bases))


def repository_finding(
    settings: MirrorSettings, repository: str, commits: set[str], *, offline: bool
) -> Finding:
    """Say of one repository whether its mirror is here with the commits, or can be cloned."""
    mend = f"give a copy that has them: swe-assets study update NAME --mirror {repository}=PATH_OR_URL"
    try:
        source = wanted_source(settings, repository)
        if source.path is None:
            return _remote(repository, source.url, mend, offline=offline)
        lacking = lacking_commits(git_dir_of(source.path), commits)
    except SweAssetsError as wrong:
        return required("reachable", repository, well=False, value=str(wrong), mend=mend)
    value = f"{source.path}, {len(commits) - len(lacking)} of {len(commits)} base commits"
    cached = source.path.parent == settings.cache
    # Commits that one of our own mirrors lacks are fetched when they are asked for.
    return required("reachable", repository, well=cached or not lacking, value=value, mend=mend)


def wanted_source(settings: MirrorSettings, repository: str) -> Source:
    """Return where a mirror is: mapped, in the study's folder, cloned before, or at the origin."""
    mapped = settings.mapping.get(repository)
    if mapped is not None and source_of(mapped).path is not None:
        return source_of(mapped)
    owner, _, name = repository.partition("/")
    here = [settings.cache / f"{owner}__{name}.git"]
    if settings.folder is not None and mapped is None:
        shapes = (f"{owner}__{name}.git", f"{owner}/{name}.git", f"{owner}/{name}", f"{owner}+{name}/repo")
        here = [*(settings.folder / shape for shape in shapes), *here]
    for path in here:
        if path.is_dir():
            return Source(path=path)
    return source_of(mapped or f"{settings.origin}/{repository}")


def lacking_commits(git_dir: Path, commits: set[str]) -> set[str]:
    """Return those of the commits that a repository does not have."""
    done = subprocess.run(
        [git_path(), f"--git-dir={git_dir}", "cat-file", "--batch-check=%(objectname) %(objecttype)"],
        input="".join(f"{commit}\n" for commit in sorted(commits)),
        capture_output=True,
        text=True,
        env=contained_environment(),
        check=False,
    )
    if done.returncode:
        raise MirrorError(
            f"{str(git_dir)!r} cannot be read: {done.stderr.strip()!r}; give another copy of it"
        )
    there = {line.split()[0] for line in done.stdout.splitlines() if line.endswith(" commit")}
    return commits - there


def _remote(repository: str, url: str, mend: str, *, offline: bool) -> Finding:
    """Say whether an address answers as a git repository; offline it is only named."""
    shown = scrub(url)
    if offline:
        return Finding("reachable", repository, "absent", f"to be cloned from {shown}, not asked", "")
    try:
        done = subprocess.run(
            [git_path(), "ls-remote", "--quiet", "--", url, "HEAD"],
            capture_output=True,
            stdin=subprocess.DEVNULL,
            text=True,
            env=network_environment("https:ssh"),
            timeout=NETWORK_SECONDS,
            check=False,
        )
    except subprocess.TimeoutExpired:
        value = f"{shown} gave no answer within {NETWORK_SECONDS} s"
        return required("reachable", repository, well=False, value=value, mend=mend)
    if done.returncode:
        said = [f"exit {done.returncode}", *done.stderr.strip().splitlines()][-1]
        return required("reachable", repository, well=False, value=f"{shown}: {scrub(said)}", mend=mend)
    return required("reachable", repository, well=True, value=f"can be cloned from {shown}", mend=mend)
