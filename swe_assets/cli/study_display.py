"""How `swe-assets study` shows a study and a change of one."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from swe_assets.patch_quality.inputs.quoting import listed

if TYPE_CHECKING:
    from swe_assets.patch_quality.study import Study
    from swe_assets.patch_quality.study_update import Change

LEFT_OUT = (
    ("not_in_dataset", "predictions left out: not in the dataset"),
    ("without_prediction", "instances of the dataset left out: no prediction"),
    ("results_not_in_predictions", "in the results, but without a prediction"),
    ("without_outcome", "pinned, but not named by the results: count as not resolved"),
    ("duplicates", "predictions given twice, identical: kept once"),
)
CHANGES = (
    ("added", "added"),
    ("returned", "of them back again"),
    ("removed", "removed (their records stay)"),
    ("patch_changed", "with another patch"),
    ("outcome_changed", "with another outcome"),
    ("dataset_changed", "with another dataset row"),
)


def summary_lines(study: "Study") -> list[str]:
    """Return a study for a reader: how many are pinned, from what, what was left out, what is next."""
    results, notes = study.results(), study.notes
    shown = ("duplicate_predictions",)
    mode = f" ({study.sonar_mode})" if study.sonar_mode else ""
    return [
        f"{study.name}: {len(study.instances)} instances pinned in {study.path}",
        f"  resolved: {len(results['resolved'])} of {len(study.instances)}",
        *_origin_lines(study),
        f"  analyser {study.analyser}{mode}, {judges_text(study)}",
        *(f"  note: {text}" for text in jury_notes(study)),
        *(f"  {text}: {_count(notes[key])}" for key, text in LEFT_OUT if notes[key]),
        *(f"  {unknown!r} resembles {known!r}" for unknown, known in list(notes["hints"].items())[:5]),
        *(f"  note: {_message(note)}" for note in notes["messages"] if note["code"] not in shown),
        f"Next: swe-assets run {study.name}",
    ]


def change_lines(change: "Change") -> list[str]:
    """Return a change for a reader."""
    if change.is_empty:
        return ["nothing changes"]
    lines = [f"{text}: {_count(ids)}" for key, text in CHANGES if (ids := getattr(change, key))]
    lines += [f"{name}: {before!r} → {after!r}" for name, (before, after) in (change.settings or {}).items()]
    lines += [
        f"source of {name}: {before} → {after}" for name, (before, after) in (change.sources or {}).items()
    ]
    return lines if change.inputs_read else [*lines, "the inputs are not read again"]


def study_record(study: "Study") -> dict[str, Any]:
    """Return a study as plain JSON."""
    names = ("name", "created", "analyser", "sonar_mode", "judge", "judges", "judge_excluded")
    limits = ("fuzz", "max_patch_bytes")
    return {
        **{name: getattr(study, name) for name in (*names, *limits)},
        "consistency": study.consistency.record(),
        "path": str(study.path),
        "instances": list(study.instances),
        "removed": sorted(study.removed),
        "resolved": sorted(study.resolved()),
        "mirrors_folder": str(study.mirrors_folder) if study.mirrors_folder else None,
        "mirror_map": dict(study.mirror_map),
        "sources": {name: dict(record) for name, record in study.sources.items()},
        "submission": dict(study.submission),
        "metadata": dict(study.metadata),
        "notes": study.notes,
    }


def judges_text(study: "Study") -> str:
    """Return who judges a study, and how often a sample of the verdicts is asked for again."""
    judges = study.judges
    text = f"judge {judges[0]}" if len(judges) == 1 else f"jury of {len(judges)}: {', '.join(judges)}"
    asked = study.consistency
    if not asked.asked:
        return text
    forms = [f"{asked.n} times" if asked.n else "", *(n for n in ("order", "wording") if getattr(asked, n))]
    return f"{text}; consistency of {asked.sample} instances ({', '.join(filter(None, forms))})"


def jury_notes(study: "Study") -> list[str]:
    """Return what is to be said of judges that one service answers for."""
    from swe_assets.llm.registry import ModelSettings, model_named
    from swe_assets.patch_quality.jury_settings import of_one_house, shared_houses

    if len(study.judges) == 1:
        return []
    settings = ModelSettings(check=False, folder=study.path)
    shared = shared_houses({name: model_named(name, settings) for name in study.judges})
    return [of_one_house(house, names) for house, names in shared.items()]


def _origin_lines(study: "Study") -> Iterator[str]:
    """Yield where each input came from and what identifies it."""
    if study.submission:
        yield f"  submission: {study.submission['name']} from {study.submission['given']}"
    for name, record in study.sources.items():
        mark = record.get("revision") or record.get("sha256", "")
        block = f", block {record['key']}" if record.get("key") else ""
        yield f"  {name}: {record['given']} ({record['form']}{block}, {mark[:12]})"


def _message(note: dict[str, Any]) -> str:
    """Return a note's sentence with the first of the ids it is about."""
    return f"{note['text']}: {listed(note['ids'])}" if note["ids"] else str(note["text"])


def _count(ids: Sequence[str]) -> str:
    """Return how many ids there are and the first of them."""
    return f"{len(ids)} ({listed(ids)})"
