"""Stock `dagster asset materialize` from the root, without DAGSTER_HOME, works on the same records."""

import subprocess
import sys

from swe_assets.home import CHECKOUT
from swe_assets_tests.dagster_ui.graphql import Ui
from swe_assets_tests.dagster_ui.test_both_ways import counts, planned
from swe_assets_tests.patch_quality.small_study import SmallStudy


def stock_command(study: SmallStudy, asset: str, *options: str) -> list[str]:
    """Return the stock command that materialises an asset of a study."""
    module = ["-m", "swe_assets.patch_quality.definitions"]
    selected = ["--select", f"{study.name}/{asset}"]
    return [sys.executable, "-m", "dagster", "asset", "materialize", *selected, *module, *options]


def materialize(study: SmallStudy, asset: str, *options: str) -> subprocess.CompletedProcess[str]:
    """Run the stock command from the root, as a person would."""
    command = stock_command(study, asset, *options)
    return subprocess.run(
        command, cwd=CHECKOUT, env=study.variables(), capture_output=True, text=True, timeout=300
    )


def test_one_partition(studies: dict[str, SmallStudy], ui: Ui) -> None:
    """One partition of a stage: its records lie under SWE_ASSETS_HOME, in the UI, and count for our run."""
    study = studies["stock"]
    chosen = study.instances[3]
    done = materialize(study, "patches", "--partition", chosen)
    assert done.returncode == 0, done.stderr[-2000:]
    assert ui.partitions(study.name, "patches") == [chosen]
    assert counts(study, "patches")["ok"] == 1
    assert planned(study)["patches"] == "11 to run"


def test_a_range(studies: dict[str, SmallStudy], ui: Ui) -> None:
    """A range of a stage's partitions in one run: all of them are in the UI and count for our run."""
    study = studies["stock"]
    wanted = study.instances[2:9]
    done = materialize(study, "resultados_testes", "--partition-range", f"{wanted[0]}...{wanted[-1]}")
    assert done.returncode == 0, done.stderr[-2000:]
    assert ui.partitions(study.name, "resultados_testes") == wanted
    assert planned(study)["resultados_testes"] == "5 to run"


def test_unknown_partition_is_refused(studies: dict[str, SmallStudy]) -> None:
    """A partition that is not pinned fails with its name, and nothing is stored of it."""
    done = materialize(studies["stock"], "resultados_testes", "--partition", "nobody__x-1")
    assert done.returncode != 0
    assert "nobody__x-1" in done.stderr
    assert not list((studies["stock"].path / "store").glob("**/nobody*"))
