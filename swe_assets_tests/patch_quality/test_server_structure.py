"""Measures in the server's own structure, and the gate that holds sums against it."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from swe_assets.patch_quality import gates
from swe_assets.patch_quality.bench import PatchBench
from swe_assets.patch_quality.check_verdict import CheckVerdict
from swe_assets.patch_quality.measured_files import file_rows
from swe_assets.patch_quality.server_structure import as_component_tree
from swe_assets.storage.records import Basis, InstanceStore, Record
from swe_assets_tests.sonarqube.stub import row

RECEIPT = {"project": "p", "module": "m1", "analysis": "A1", "components": {"a b.py": "m1/a_b-12.py"}}
PAYLOAD = {
    "files": [{"side": "patched", "path": "a b.py", "measures": {"ncloc": 3, "sqale_debt_ratio": 0.4}}],
    "own": {"patched": {"ncloc": 3}, "base": {}},
    "patched": {"ncloc": 3},
    "base": {},
    "additive": ["ncloc"],
}


def test_a_side_as_the_server_gives_it() -> None:
    """Base component and files have keys, paths and values as text; `name` is the path in the repository."""
    tree = as_component_tree(PAYLOAD, "patched", RECEIPT)
    assert tree["baseComponent"] == {**row("m1", "DIR", ncloc=3), "key": "p:m1"}
    (file,) = tree["components"]
    assert {k: file[k] for k in ("key", "path", "name")} == {
        "key": "p:m1/a_b-12.py",
        "path": "m1/a_b-12.py",
        "name": "a b.py",
    }
    assert file["measures"][1] == {"metric": "sqale_debt_ratio", "value": "0.4"}


def test_an_instance_s_own_project_is_a_project() -> None:
    """Without a module the base component is the project itself."""
    tree = as_component_tree(PAYLOAD, "patched", {**RECEIPT, "module": ""})
    assert (tree["baseComponent"]["key"], tree["baseComponent"]["qualifier"]) == ("p", "TRK")


def verdict(folder: Path, payload: dict[str, Any]) -> CheckVerdict:
    """Return what the gate says of a store with one record."""
    store = InstanceStore(folder)
    store.write(Record("metricas_completas", "r-1", payload, Basis("1")))
    bench = SimpleNamespace(store=store, instances=("r-1",))
    return gates.sums_equal_the_servers_own(cast("PatchBench", bench))


def test_sums_that_are_the_server_s(tmp_path: Path) -> None:
    """Where they agree the gate holds, over the one instance that a server measured."""
    found = verdict(tmp_path, PAYLOAD)
    assert found.passed
    assert found.looked_at == 1


def test_a_sum_that_is_not_the_server_s(tmp_path: Path) -> None:
    """A number that differs is named with both values."""
    found = verdict(tmp_path, {**PAYLOAD, "patched": {"ncloc": 4}})
    assert found.wrong == {"r-1": "patched ncloc: files sum to 4, the server says 3"}


def test_embedded_measures_have_nothing_to_hold_against(tmp_path: Path) -> None:
    """A record without a server's own numbers is not looked at."""
    assert verdict(tmp_path, {"patched": {"ncloc": 4}}).looked_at == 0


@pytest.mark.parametrize(
    ("base", "patched", "sides"),
    [
        ("a.py", "b.py", ["base", "patched"]),
        ("a.txt", "a.py", ["patched"]),
        ("tests/x.py", "src/x.py", ["patched"]),
        ("src/x.py", "tests/x.py", ["base"]),
    ],
)
def test_a_file_enters_where_it_is_python_and_no_test(base: str, patched: str, sides: list[str]) -> None:
    """A rename from or to something that is not measured leaves one side."""
    file = {"is_python": True, "is_test": False, "path_base": base, "path_patched": patched}
    rows = file_rows({"files": [{**file, "blob_base": "b1", "blob_patched": "b2"}]})
    assert [row["side"] for row in rows] == sides
