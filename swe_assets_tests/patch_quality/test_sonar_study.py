"""A study measured by a real SonarQube server, from the pin to the matrix, as a user runs it."""

import csv
import json
import signal
import subprocess
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from swe_assets.analysers.protocol import STRUCTURE_KEYS
from swe_assets.patch_quality.sample import Sample
from swe_assets.services.processes import free_port
from swe_assets.sonarqube.connection import SonarConnection
from swe_assets_tests.patch_quality.small_study import SmallStudy
from swe_assets_tests.sonarqube.scanned import named

COUNT = 6
NOBODY = "squ_nobody0f1e2d3c4b5a69788796a5b4c3d2e1f0"


def pinned(sample: Sample, home: Path, connection: SonarConnection, name: str, *more: str) -> SmallStudy:
    """Pin a few instances of the sample with the analyser sonarqube, in a home and cache of their own."""
    lines = sample.predictions.read_text(encoding="utf-8").splitlines()
    predictions = home / f"{name}.jsonl"
    predictions.parent.mkdir(parents=True, exist_ok=True)
    predictions.write_text("".join(f"{line}\n" for line in lines[:: len(lines) // COUNT]), encoding="utf-8")
    study = SmallStudy(home, sample, predictions, name, named(connection, home / "cache"))
    study.add("--analyser=sonarqube", *more)
    return study


def table(study: SmallStudy, name: str) -> dict[str, dict[str, str]]:
    """Return a CSV of the results by instance."""
    with (study.path / "results" / name).open(encoding="utf-8") as file:
        return {row["instance_id"]: row for row in csv.DictReader(file)}


def handed(study: SmallStudy) -> dict[str, dict[str, Any]]:
    """Return progresso_sonar.json."""
    found: dict[str, dict[str, Any]] = json.loads((study.path / "results/progresso_sonar.json").read_bytes())
    return found


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give one home for the tests of this module."""
    return tmp_path_factory.mktemp("sonar home")


def test_from_the_pin_to_the_matrix(sample: Sample, home: Path, sonar_server: SonarConnection) -> None:
    """Both analysers give the same eight measures; the server's violations are called the server's."""
    study = pinned(sample, home, sonar_server, "whole")
    study.run()
    study.call("study", "add", "embedded", *inputs(sample, study))
    twin = SmallStudy(home, sample, study.predictions, "embedded", study.environment)
    twin.run()
    ours, theirs = (table(one, "metricas_completas_swebench.csv") for one in (study, twin))
    assert len(ours) >= 3 and ours.keys() == theirs.keys()
    for instance_id, row in ours.items():
        for key in (f"{side}{m}" for side in ("", "base_", "delta_") for m in STRUCTURE_KEYS):
            assert row[key] == theirs[instance_id][key], (instance_id, key)
    assert all(row["violations_source"].startswith("SonarQube 2") for row in ours.values())
    assert len(next(iter(ours.values()))) > 3 * 40
    assert "não do SonarQube" not in " ".join(
        path.read_text("utf-8") for path in (study.path / "results").rglob("*.html")
    )


def inputs(sample: Sample, study: SmallStudy) -> list[str]:
    """Return the options that pin the same instances once more."""
    parts = {"results": sample.results, "dataset": sample.dataset, "mirrors": sample.repos}
    return [f"--predictions={study.predictions}", *(f"--{name}={path}" for name, path in parts.items())]


def test_what_is_recorded_of_a_scan(sample: Sample, home: Path, sonar_server: SonarConnection) -> None:
    """Project, module, task, analysis, versions and the upload's hash are recorded; no token is."""
    study = pinned(sample, home, sonar_server, "recorded")
    study.run("--only", "patches")
    study.run()
    rows = [row for row in handed(study).values() if row["status"] == "handed_over"]
    assert len(rows) >= 3
    for row in rows:
        receipt = row["receipts"]["patched"] or row["receipts"]["base"]
        assert receipt["project"].startswith(("recorded:batch:", "whole:batch:"))
        assert receipt["task"] and receipt["analysis"] and len(receipt["uploaded"]) == 64
        assert row["provenance"]["profile"] and row["provenance"]["python_plugin"]
    for path in (one for one in home.rglob("*") if one.is_file()):
        assert sonar_server.token.encode() not in path.read_bytes(), path


def test_the_server_s_structure(home: Path, sample: Sample, sonar_server: SonarConnection) -> None:
    """The JSON has each side as component_tree gives it: base component, files, measures as text."""
    study = pinned(sample, home, sonar_server, "structure")
    study.run()
    document = json.loads((study.path / "results/metricas_completas_swebench.json").read_bytes())
    assert len(document) >= 3
    for one in document.values():
        tree = one["server"]["patched"]
        total = {m["metric"]: m["value"] for m in tree["baseComponent"]["measures"]}
        measures = [one for file in tree["components"] for one in file["measures"]]
        ncloc = [int(one["value"]) for one in measures if one["metric"] == "ncloc"]
        assert len(ncloc) == len(tree["components"])
        assert sum(ncloc) == int(total["ncloc"])


def test_a_server_that_is_down(home: Path, sample: Sample, sonar_server: SonarConnection) -> None:
    """Everything loads, the run says what to do, the judge's side goes on; the next run finishes."""
    study = pinned(sample, home, sonar_server, "down")
    down = replace(study, environment={**study.environment, "SONAR_HOST_URL": dead()})
    assert "SonarQube was not asked" in down.call("run", "down", "--dry-run").stderr
    down.call("status", "down", expected=None)
    assert "swe-assets sonar" in down.run(expected=1).stderr
    assert not (down.path / "store" / "projetos_sonar").exists() or not list(
        (down.path / "store" / "projetos_sonar").rglob("*.json")
    )
    study.run()
    assert "current" in down.call("run", "down", "--dry-run").stdout
    down.run()


def dead() -> str:
    """Return an address where nothing listens."""
    return f"http://127.0.0.1:{free_port()}"


def test_a_token_that_is_refused(home: Path, sample: Sample, sonar_server: SonarConnection) -> None:
    """A revoked token stops the stage, says which variable it is, and is not shown."""
    study = pinned(sample, home, sonar_server, "refused")
    wrong = replace(study, environment={**study.environment, "SONAR_TOKEN": NOBODY})
    said = wrong.run(expected=1).stderr
    assert "SONAR_TOKEN" in said or "swe-assets sonar up" in said
    assert NOBODY not in said
    study.run()


def test_one_project_an_instance(home: Path, sample: Sample, sonar_server: SonarConnection) -> None:
    """In per-instance mode each instance has its own dashboard, and duplications are measured."""
    study = pinned(sample, home, sonar_server, "apart", "--sonar-mode=per-instance")
    study.run()
    rows = [row for row in handed(study).values() if row["status"] == "handed_over"]
    keys = {row["receipts"]["patched"]["project"] for row in rows if row["receipts"]["patched"]}
    assert len(keys) == sum(bool(row["receipts"]["patched"]) for row in rows) >= 3
    assert all("duplicated_lines" in row for row in table(study, "metricas_completas_swebench.csv").values())
    study.call("study", "update", "apart", "--sonar-mode=batch", "--yes")
    assert "settings changed" in study.call("run", "apart", "--dry-run").stdout


def test_kill_9_during_a_scan(home: Path, sample: Sample, sonar_server: SonarConnection) -> None:
    """A run that was killed while it scanned leaves nothing half done; the next one finishes."""
    study = pinned(sample, home, sonar_server, "killed")
    study.environment["SWE_ASSETS_CACHE"] = str(home / "empty cache")
    scans = home / "empty cache" / "sonarqube" / "scans"
    command = study.command("run", "killed")
    running = subprocess.Popen(command, env=study.variables(), stderr=subprocess.DEVNULL)
    waited = time.monotonic()
    while not list(scans.glob("*/scan.properties")) and time.monotonic() - waited < 200:
        time.sleep(0.1)
    running.send_signal(signal.SIGKILL)
    running.wait()
    assert list(scans.glob("scan-*"))
    study.run()
    assert list(scans.glob("scan-*")) == []
    assert len(table(study, "metricas_completas_swebench.csv")) >= 3
