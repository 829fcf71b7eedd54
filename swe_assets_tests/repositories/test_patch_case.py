"""The check of a case is a check: it takes what is right and refuses what is not."""

import copy
from pathlib import Path
from typing import Any

import pytest

from swe_assets_tests.repositories.patch_case import check_patch_case
from swe_assets_tests.repositories.patches import edit

OLD = "import os\n\n\n\n\n\n\ndef second(b):\n    total = 0\n    return total + b\n"
CASE: dict[str, Any] = {
    "id": "own",
    "kind": "patch",
    "input": {"base": {"pkg/mod.py": OLD}, "patch": edit(header="@@ -5,5 +5,5 @@")},
    "expected": {
        "outcome": "applied_offset_or_applied_exact",
        "files_after": {"pkg/mod.py": OLD.replace("total = 0", "total = 1")},
        "changed": True,
        "touches_python": True,
        "only_tests": False,
        "python_parses_after": True,
        "offset_lines": [1],
    },
}
WRONG: dict[str, Any] = {
    "outcome": "applied_exact",
    "files_after": {"pkg/mod.py": OLD},
    "changed": False,
    "touches_python": False,
    "only_tests": True,
    "python_parses_after": False,
    "offset_lines": [-1],
}


def test_a_right_case_passes(tmp_path: Path) -> None:
    """Outcome, files, flags and offset as git gave them are taken."""
    check_patch_case(CASE, tmp_path)


@pytest.mark.parametrize("key", WRONG)
def test_a_wrong_value_is_found(tmp_path: Path, key: str) -> None:
    """Each expected value is really compared."""
    case = copy.deepcopy(CASE)
    case["expected"][key] = WRONG[key]
    with pytest.raises(AssertionError):
        check_patch_case(case, tmp_path)
