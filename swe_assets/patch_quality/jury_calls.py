"""An instance's judges asked at once, each as often as it may be."""

import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import closing
from typing import TYPE_CHECKING, TypeVar

from swe_assets.errors import ConfigurationError, JudgeError
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.storage.crew import Crew
from swe_assets.storage.stage import StageStoppedError

if TYPE_CHECKING:
    from swe_assets.llm.protocol import ChatModel

R = TypeVar("R")


def models_of(bench: PatchBench) -> "Mapping[str, ChatModel]":
    """Return the study's judges; StageStoppedError where one cannot be asked, such as without a key."""
    try:
        return bench.models
    except ConfigurationError as stop:
        raise StageStoppedError(str(stop)) from stop


def refuse_other_judges(instance_id: str, judged: Collection[str], judges: Collection[str]) -> None:
    """Raise JudgeError where an instance was judged by others than the study's judges, with what to run."""
    gone = [name for name in judged if name not in judges]
    new = [name for name in judges if name not in judged]
    if gone or new:
        told = [f"{name!r} is no longer one of them" for name in gone]
        told += [f"{name!r} has not judged it" for name in new]
        raise JudgeError(
            f"the verdict on {instance_id!r} is not of the study's judges ({', '.join(judges)}): "
            f"{'; '.join(told)}: run evaluation_results first"
        )


def each_judge(
    judges: Iterable[str], ask: Callable[[str], R], stop_calls: Callable[[], None]
) -> dict[str, R]:
    """Return what ``ask`` gives for each judge, all asked at once, in the order given.

    How many calls of a judge are under way its own model bounds, whoever asks. Raises StageStoppedError where
    one of them makes every further call useless (no key, a wrong key, a used-up quota): ``stop_calls``
    ends the waits of the others, and what they have under way is kept.
    """
    from swe_assets.llm.outcomes import StopCallsError

    def one(judge: str, _stop: threading.Event) -> Iterator[tuple[str, R]]:
        try:
            yield judge, ask(judge)
        except (StopCallsError, ConfigurationError) as stop:
            stop_calls()
            raise StageStoppedError(str(stop)) from stop

    names = list(judges)
    if len(names) == 1:
        return dict(one(names[0], threading.Event()))
    with closing(Crew(one, names, len(names)).results()) as results:
        came = dict(results)
    return {name: came[name] for name in names}
