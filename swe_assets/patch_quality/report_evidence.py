"""What a study's report is made from, read from its current records."""

import hashlib
import shlex
from collections.abc import Mapping
from pathlib import PurePath
from statistics import median_low
from typing import Any

from swe_assets.errors import ReportError
from swe_assets.judging.provenance import judge_provenance
from swe_assets.llm.plain_text import visible
from swe_assets.patch_quality.account import account, study_stages
from swe_assets.patch_quality.analysis.evidence import Evidence, InstanceLine, Judgement
from swe_assets.patch_quality.analysis.evidence_files import ABOUT_JUDGES
from swe_assets.patch_quality.analysis.matrix import matrix_of
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.judged import Judged, judged_instances
from swe_assets.patch_quality.matrix_frame import matrix_frame
from swe_assets.patch_quality.matriz_consolidada import JUDGE_COLUMNS
from swe_assets.patch_quality.metric_sums import STUDY_METRICS
from swe_assets.reporting.tables import Analysis, from_json
from swe_assets.storage.records import OK
from swe_assets.storage.stage import plan_chain
from swe_assets.storage.summary import ALL

SOURCE_FACTS = ("sha256", "size", "form", "count")


def evidence_of(bench: PatchBench, *, about: bool = True) -> Evidence:
    """Return the matrix, every pinned instance, the verdicts and the texts of a study.

    Without ``about`` the tables about judges are left out, and their files are not looked for.

    Raises RecordError where amostra is missing, MatrixError where a blocking gate of it does not hold,
    ReportError where the tables of an asset about judges are not those that it wrote.
    """
    judged = {one.instance_id: one for one in judged_instances(bench)}
    return Evidence(
        title=bench.study.name,
        matrix=matrix_of(matrix_frame(bench)),
        lines=_lines(bench, judged),
        judgements=tuple(
            Judgement(key, judge, said["resolve_issue"], said["score_confianca"])
            for key, one in judged.items()
            for judge, said in one.verdicts.items()
        ),
        stages=tuple(stage.name for stage in study_stages(bench)),
        texts={key: _texts(bench, key, judged.get(key)) for key in bench.instances},
        provenance=_provenance(bench),
        about_judges=about_judges(bench) if about else {},
    )


def _lines(bench: PatchBench, judged: Mapping[str, Judged]) -> tuple[InstanceLine, ...]:
    measured = plan_chain(study_stages(bench), bench, bench.instances)["metricas_completas"].current
    ids = [key for key in bench.instances if key in measured and measured[key].status == OK]
    sums = {record.instance_id: record.payload for record in bench.store.records("metricas_completas", ids)}
    return tuple(
        InstanceLine(
            instance_id=row.instance_id,
            repo=bench.dataset[row.instance_id].repo,
            place=row.place,
            stage=row.stage,
            reason=row.reason,
            outcome=row.outcome,
            resolved=row.instance_id in bench.resolved,
            known=_known(sums.get(row.instance_id), judged.get(row.instance_id)),
        )
        for row in account(bench)
    )


def _known(sums: Mapping[str, Any] | None, judged: Judged | None) -> dict[str, Any]:
    """Return the measures and ratings of an instance that are current, whether or not it is in the matrix."""
    found: dict[str, Any] = {}
    if sums is not None:
        found |= {metric: sums["patched"][metric] for metric in STUDY_METRICS}
        for side in ("base", "delta"):
            found |= {f"{side}_{metric}": sums[side][metric] for metric in STUDY_METRICS}
    if judged is not None:
        said = list(judged.extractions.values())
        found |= {name: median_low(one[name] for one in said) for name in JUDGE_COLUMNS if said}
    return {name: value for name, value in found.items() if value is not None}


def _texts(bench: PatchBench, instance_id: str, judged: Judged | None) -> dict[str, str]:
    """Return the patch and what each judge reasoned, every text made visible: no control reaches a page."""
    found = {"patch": bench.predictions.get(instance_id) or ""}
    for judge, said in (judged.verdicts if judged else {}).items():
        found[f"reasoning ({judge})"] = said["raciocinio_analitico"]
    return {name: visible(text) for name, text in found.items() if text}


def _provenance(bench: PatchBench) -> dict[str, Any]:
    """Return what the manifest says of the study: inputs, judges with their parameters, analyser, commands.

    Of a local input the file's name alone is told, of a download its address.
    """
    study = bench.study
    judges = {name: judge_provenance(model, bench.prompts) for name, model in bench.planned_models.items()}
    return {
        "study": study.name,
        "sources": {name: _source(record) for name, record in study.sources.items()},
        "judges": judges,
        "analyser": study.analyser,
        "metadata": readable(dict(study.metadata)),
        "commands": [f"swe-assets run {shlex.quote(study.name)}"],
    }


def about_judges(bench: PatchBench) -> dict[str, Analysis]:
    """Return the tables of each asset about judges that is made, from its JSON file.

    Raises ReportError where a file is gone or is not the one that the asset wrote.
    """
    found = {}
    for name in ABOUT_JUDGES:
        record, path = bench.store.read(name, ALL), bench.results / f"{name}.json"
        if record is not None:
            content = path.read_bytes() if path.is_file() else b""
            if hashlib.sha256(content).hexdigest() != record.payload["sha256"]:
                raise ReportError(
                    f"{str(path)!r} is not what {name} wrote; remove it and run the study again"
                )
            found[name] = from_json(content.decode("utf-8"))
    return found


def _source(record: Mapping[str, Any]) -> dict[str, Any]:
    given = visible(str(record.get("given", "")))
    shown = given if "://" in given else PurePath(given).name
    return {"name": shown, **{fact: record[fact] for fact in SOURCE_FACTS if fact in record}}


def readable(value: Any) -> Any:
    """Return a submission's metadata with every text made visible: no control reaches the page."""
    if isinstance(value, dict):
        return {visible(str(key)): readable(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [readable(inner) for inner in value]
    return visible(value) if isinstance(value, str) else value
