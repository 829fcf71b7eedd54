"""Pythons before 3.11.5, Debian 12's among them, match possessive groups wrongly, but read strings alike."""

import json
import re
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from swe_assets.analysers.python.fstrings import repeated
from swe_assets.analysers.python.structure import measure_structure
from swe_assets.home import CHECKOUT

MEASURE = """
import json, sys
from pathlib import Path
from swe_assets.analysers.python.structure import measure_structure
found = [measure_structure(Path(name).read_bytes()) for name in json.load(sys.stdin)]
print(json.dumps([[one.reason, sorted(one.measures.items())] for one in found]))
"""


def early_python() -> str | None:
    """Return a Python 3.11 before 3.11.5 of this machine, if it has one."""
    for name in ("/usr/bin/python3.11", "python3.11", "python3"):
        path = shutil.which(name)
        told = subprocess.run([path, "--version"], capture_output=True, text=True).stdout if path else ""
        if re.fullmatch(r"Python 3\.11\.[0-4]\s*", told):
            return path
    return None


def test_atomic_and_possessive_take_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both ways of writing a repeated group end each string at the same place, and give nothing back."""
    choices = r"[^'\\]++|\\."
    monkeypatch.setattr(sys, "version_info", (3, 11, 5, "final", 0))
    possessive = repeated(choices)
    monkeypatch.setattr(sys, "version_info", (3, 11, 4, "final", 0))
    atomic = repeated(choices)
    assert (possessive, atomic) == (r"(?:[^'\\]++|\\.)*+", r"(?>(?:[^'\\]++|\\.)*)")
    assert re.fullmatch(atomic, r"a\'b\\") is not None
    assert re.fullmatch(atomic, "a'b") is None
    assert re.fullmatch(atomic + "b", "ab") is None


@pytest.mark.skipif(early_python() is None, reason="no Python 3.11.0 to 3.11.4 here")
def test_an_early_python_measures_alike() -> None:
    """Forty modules of the standard library measure alike on a Python before 3.11.5 and on this one."""
    names = sorted(str(path) for path in Path(sysconfig.get_path("stdlib")).glob("*.py"))[:40]
    path = f"{CHECKOUT}:{sysconfig.get_path('purelib')}"
    done = subprocess.run(
        [str(early_python()), "-c", MEASURE],
        input=json.dumps(names),
        env={"PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=True,
    )
    here = [measure_structure(Path(name).read_bytes()) for name in names]
    told = [[one.reason, [list(item) for item in sorted(one.measures.items())]] for one in here]
    assert json.loads(done.stdout) == told
    assert all(one.reason is None for one in here)
