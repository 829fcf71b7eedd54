"""A study's recording: each kept answer of one judge to what the study asks it, for a replay by anyone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from swe_assets.errors import InputError
from swe_assets.home import home
from swe_assets.patch_quality.account import study_stages
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.consistency_calls import variant_requests
from swe_assets.storage.records import OK, Record
from swe_assets.storage.stage import plan_chain

if TYPE_CHECKING:
    from swe_assets.llm.called_model import CalledModel
    from swe_assets.llm.protocol import ChatReply, ChatRequest


@dataclass
class Kept:
    """What is kept of a judge's answers to a study's questions, and the instances that lack one.

    ``verdicts`` and ``extractions`` count the first and the second pass, ``repeats`` what
    ``consistencia_juiz`` asks beyond. ``missing``: instances without a current question, a kept verdict or a
    kept extraction.
    """

    answers: "list[tuple[ChatRequest, ChatReply]]" = field(default_factory=list)
    verdicts: int = 0
    extractions: int = 0
    repeats: int = 0
    missing: list[str] = field(default_factory=list)


def record_study(bench: PatchBench, judge: str | None, out: Path, *, replace: bool = False) -> dict[str, Any]:
    """Write a recording of a study's judge, by default its only one, and return counts and file.

    Nothing is asked of a service, and no key is needed. Raises InputError where a jury's judge is not named,
    where nothing of it is kept and where ``out`` is there already and not to be replaced; ConfigurationError
    for a judge that nobody knows.
    """
    from swe_assets.llm.recording import write_recording

    if out.is_dir():
        raise InputError(f"--out {str(out)!r} is a folder: name a file")
    if out.exists() and not replace:
        raise InputError(f"--out {str(out)!r} is there already: name another file, or replace it by --force")
    name = _judge(bench, judge)
    kept = kept_answers(bench, _model(bench, name))
    if not kept.answers:
        raise InputError(
            f"no answer of {name!r} to the questions of study {bench.study.name!r} is kept: run "
            f"`swe-assets run {bench.study.name}` first, or name a judge that was asked"
        )
    count = write_recording(kept.answers, out)
    counts = {"verdicts": kept.verdicts, "extractions": kept.extractions, "repeats": kept.repeats}
    told = {"study": bench.study.name, "model": name, "file": str(out), "answers": count}
    return {**told, **counts, "missing": kept.missing}


def kept_answers(bench: PatchBench, model: "CalledModel") -> Kept:
    """Return the answers of a model that the study's stages would find again, in the pinned order."""
    found = Kept()
    current = plan_chain(study_stages(bench), bench, bench.instances)["evaluation_payload"].current
    found.missing += [key for key in bench.instances if key not in current]
    records = bench.store.records("evaluation_payload", [key for key in bench.instances if key in current])
    asked = [record for record in records if record.status == OK]
    for record in asked:
        verdict, extraction = _passes(bench, model, record)
        for pair in (verdict, extraction):
            if pair is not None:
                found.answers.append(pair)
        found.verdicts += verdict is not None
        found.extractions += extraction is not None
        if extraction is None:
            found.missing.append(record.instance_id)
    if bench.study.consistency.asked:
        repeats = list(_repeats(bench, model, [record.instance_id for record in asked]))
        found.answers += repeats
        found.repeats = len(repeats)
    return found


_Pair = tuple["ChatRequest", "ChatReply"]


def _passes(bench: PatchBench, model: "CalledModel", payload: Record) -> tuple[_Pair | None, _Pair | None]:
    """Return the kept answers of both passes over an instance, each with what it answers."""
    from swe_assets.judging.extraction import extraction_request
    from swe_assets.judging.verdict import Verdict, verdict_request
    from swe_assets.llm.plain_text import visible

    first = verdict_request(payload.payload)
    verdict = model.kept(first)
    if verdict is None:
        return None, None
    assert isinstance(verdict.value, Verdict)  # noqa: S101 - the request's schema, which the answer satisfies
    second = extraction_request(visible(verdict.value.raciocinio_analitico), bench.prompts)
    extraction = model.kept(second)
    return (first, verdict), None if extraction is None else (second, extraction)


def _repeats(bench: PatchBench, model: "CalledModel", ids: Sequence[str]) -> Iterator[_Pair]:
    """Yield the kept answers to the other forms of the first question, of whatever instances have some."""
    from swe_assets.judging.wording import BASE

    for forms in variant_requests(bench, list(ids)).values():
        for name, request in forms.items():
            reply = model.kept(request) if name != BASE else None
            if reply is not None:
                yield request, reply


def _judge(bench: PatchBench, judge: str | None) -> str:
    """Return the judge that is named, or the study's only one."""
    if judge is not None:
        return judge
    if len(bench.study.judges) > 1:
        raise InputError(
            f"study {bench.study.name!r} has {len(bench.study.judges)} judges "
            f"({', '.join(bench.study.judges)}) and a recording is of one: name it by --model"
        )
    return bench.study.judges[0]


def _model(bench: PatchBench, name: str) -> "CalledModel":
    """Return the judge with its kept answers; InputError for one that makes its answers without a service."""
    from swe_assets.llm.call_store import open_call_store
    from swe_assets.llm.called_model import CalledModel, CallServices
    from swe_assets.llm.model_settings import ModelSettings
    from swe_assets.llm.registry import model_named

    services = CallServices(open_call_store(home()))
    model = model_named(name, ModelSettings(check=False, services=services, folder=bench.study.path))
    if not isinstance(model, CalledModel) or model.rehearsal:
        raise InputError(f"{name!r} asks no service, so no answer of it is kept: record a judge that does")
    return model
