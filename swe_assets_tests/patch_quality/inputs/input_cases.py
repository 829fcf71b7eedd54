"""How one line of the `predictions` or `results` cases is checked: through the product's own readers."""

import base64
import json
import re
from pathlib import Path
from typing import Any

from swe_assets.errors import InputError
from swe_assets.patch_quality.inputs.limits import Limits
from swe_assets.patch_quality.inputs.predictions import read_predictions
from swe_assets.patch_quality.inputs.quoting import Note
from swe_assets.patch_quality.inputs.results import Results, read_results
from swe_assets.patch_quality.inputs.sources import Sources

GROUP_NAMES = {"errors": "error_ids", "infra": "infra_failure_ids"}


def check_predictions_case(case: dict[str, Any], tmp_path: Path) -> None:
    """Read the case's predictions and compare ids, blank patches and duplicates, or the error's place."""
    path, expected = _written(case, tmp_path), case["expected"]
    try:
        patches, reader = read_predictions(Sources(tmp_path / "scratch", Limits()).open(str(path)))
    except InputError as wrong:
        _check_error(str(wrong), expected)
        return
    _check_accepted(expected)
    known = [i for i in patches if i in case["input"]["dataset_ids"]]
    assert known == expected.get("ids", known), known
    unknown = [i for i in patches if i not in known]
    assert unknown == expected.get("unknown", unknown if "ids" not in expected else []), unknown
    for instance_id, outcome in expected.get("outcomes", {}).items():
        assert (outcome == "empty") == (not (patches[instance_id] or "").strip())
    _check_duplicates(expected, reader.notes)
    if "model_patch_wins" in expected["status"]:
        assert list(patches.values()) == [json.loads(path.read_text("utf-8"))["model_patch"]]


def check_results_case(case: dict[str, Any], tmp_path: Path) -> None:
    """Read the case's results and compare resolved, pass@1 and the named lists, or the error's place."""
    expected, ids = case["expected"], case["input"]["dataset_ids"]
    try:
        found = read_results(
            str(_written(case, tmp_path)),
            Sources(tmp_path / "scratch", Limits()),
            key=case["input"].get("results_key", ""),
        )
    except InputError as wrong:
        _check_error(str(wrong), expected)
        return
    _check_accepted(expected)
    resolved = set(found.resolved)
    assert expected.get("resolved") in (None, sorted(resolved), sorted(resolved & set(ids))), found
    pass_at_1 = {instance_id: int(instance_id in resolved) for instance_id in ids}
    assert pass_at_1 == expected.get("pass_at_1", pass_at_1)
    assert len(set(pass_at_1.values())) == 1 or not expected.get("one_class")
    _check_lists(expected, found, ids)


def _check_lists(expected: dict[str, Any], found: Results, ids: list[str]) -> None:
    """Compare the named lists, the ids outside the dataset, and the notes."""
    for name, group in GROUP_NAMES.items():
        assert list(found.groups.get(group, ())) == expected.get(name, list(found.groups.get(group, ())))
    if "unknown" in expected:
        assert sorted(found.reported - set(ids)) == expected["unknown"]
    _check_duplicates(expected, found.notes)
    assert found.notes or "warn" not in expected["status"]


def _written(case: dict[str, Any], tmp_path: Path) -> Path:
    """Write the case's file, or its folder of files, and return where it is."""
    given = case["input"]
    if "files" in given:
        for name, content in given["files"].items():
            (tmp_path / "case" / name).parent.mkdir(parents=True, exist_ok=True)
            (tmp_path / "case" / name).write_text(content, "utf-8")
        return tmp_path / "case"
    path = tmp_path / Path(given["file_name"]).name
    text = given.get("content")
    path.write_bytes(text.encode() if text is not None else base64.b64decode(given["content_b64"]))
    return path


def _check_error(message: str, expected: dict[str, Any]) -> None:
    """An error must be among what is expected, and say the line and the names that are expected."""
    assert "error" in expected["status"].split("_or_"), message
    lines = expected.get("line_any") or [expected[key] for key in ("line",) if key in expected]
    found = re.search(r"\bline (\d+)", message)
    assert not lines or (found is not None and int(found.group(1)) in lines), message
    assert "column" not in expected or re.search(r"\bcolumn \d+", message), message
    assert all(name in message for name in expected.get("names", [])), message


def _check_accepted(expected: dict[str, Any]) -> None:
    """Reading without an error must be among what is expected."""
    assert expected["status"] != "error", expected


def _check_duplicates(expected: dict[str, Any], notes: list[Note] | tuple[Note, ...]) -> None:
    """Ids that came twice must be named by a note."""
    named = {instance_id for note in notes for instance_id in note.ids}
    assert set(expected.get("duplicates", ())) <= named, notes
