"""The house's rules hold, and each of them can fail."""

import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from swe_assets_tests.house import imports, style, tracked

CHECKOUT = Path(__file__).resolve().parent.parent

Rule = Callable[[Path], list[str]]
RULES: list[Rule] = [
    imports.wrong_direction, imports.dagster_in_plumbing, imports.heavy_at_import, imports.cycles,
    style.long_files, style.long_functions, style.catch_all_names, style.missing_docstrings,
    style.missing_hints, style.unexplained_suppressions, style.too_many_suppressions,
    tracked.machine_paths, tracked.index_addresses, tracked.secrets,
]  # fmt: skip

FLOOR = "swe_assets/patch_quality/x.py"
PLUMBING = "swe_assets/llm/x.py"
LONG = "\n    a = 1" * 24
SHORT_NOQA = "a = 1  # no" + "qa: E501 - a reason\n"
FAULTS: list[tuple[Rule, str, str, str]] = [
    (imports.wrong_direction, PLUMBING, "from swe_assets.patch_quality import patches", "llm imports"),
    (imports.wrong_direction, PLUMBING, "def f():\n    import swe_assets.cli.run", "llm imports"),
    (imports.wrong_direction, PLUMBING, "from ..patch_quality import patches", "llm imports"),
    (imports.wrong_direction, "swe_assets/errors.py", "import swe_assets.patch_quality.x", "errors imports"),
    (imports.wrong_direction, FLOOR, "from swe_assets.blind_benchmark import x", "patch_quality imports"),
    (imports.wrong_direction, FLOOR, "from swe_assets import cli", "patch_quality imports"),
    (imports.dagster_in_plumbing, PLUMBING, "import dagster as dg", "imports dagster"),
    (
        imports.dagster_in_plumbing,
        PLUMBING,
        "def f():\n    from dagster import asset",
        "imports dagster.asset",
    ),
    (
        imports.dagster_in_plumbing,
        "swe_assets/home.py",
        "import dagster_postgres",
        "imports dagster_postgres",
    ),
    (imports.heavy_at_import, FLOOR, "import pandas as pd", "imports pandas"),
    (imports.heavy_at_import, FLOOR, "from google import genai", "imports google.genai"),
    (imports.heavy_at_import, FLOOR, "class A:\n    from scipy import stats", "imports scipy.stats"),
    (imports.cycles, FLOOR, "def f():\n    from swe_assets.patch_quality import y", "x <-> swe_assets"),
    (style.long_files, FLOOR, "a = 1\n" * 401, "401 lines"),
    (style.long_functions, FLOOR, "def f():" + "\n    a = 1" * 40, "f has 41"),
    (style.long_functions, FLOOR, f"@dg.asset(name='a')\ndef f():{LONG}", "f has 26"),
    (style.long_functions, FLOOR, f"@asset_check\ndef f():{LONG}", "f has 26"),
    (style.catch_all_names, "swe_assets/llm/utils.py", "a = 1", "utils.py"),
    (style.catch_all_names, "swe_assets/common/x.py", "a = 1", "common"),
    (style.missing_docstrings, FLOOR, "a = 1", "no docstring"),
    (style.missing_docstrings, FLOOR, '"""Said."""\nclass A:\n    pass', "A has no docstring"),
    (
        style.missing_docstrings,
        FLOOR,
        '"""Said."""\nclass A:\n    """Said."""\n    def f(self): ...',
        "f has",
    ),
    (
        style.missing_docstrings,
        FLOOR,
        '"""Said."""\ndef f():\n    """no sentence"""',
        "begin with a sentence",
    ),
    (style.missing_docstrings, "swe_assets_tests/test_x.py", '"""Said."""\ndef test_x(): ...', "test_x has"),
    (style.missing_hints, FLOOR, "def f(a: int, b, *c: int) -> int: ...", "no type for b"),
    (style.missing_hints, FLOOR, "class A:\n    def f(self, *, b): ...", "no type for b, the result"),
    (style.unexplained_suppressions, FLOOR, "a = 1  # no" + "qa: E501", "no reason"),
    (style.unexplained_suppressions, FLOOR, "a = 1  # no" + "qa - because", "does not name its rule"),
    (style.unexplained_suppressions, FLOOR, "a = 1  # type: " + "ignore[x]", "no reason"),
    (style.too_many_suppressions, FLOOR, SHORT_NOQA * 5 + "a = 1\n" * 995, "5 suppressions in 1"),
    (tracked.machine_paths, "docs/x.md", "see `/wo" + "rk/main/x`", "docs/x.md:1"),
    (
        tracked.index_addresses,
        "requirements.lock",
        "--index" + "-url https://example.org",
        "requirements.lock:1",
    ),
    (tracked.index_addresses, ".ci/run", "curl https://example.org/x", ".ci/run:1"),
    (tracked.index_addresses, "README.md", "from py" + "pi.org", "README.md:1"),
    (tracked.secrets, "docs/x.md", "AI" + "za" + "x" * 35, "looks like a key"),
    (tracked.secrets, "docs/x.pem", "-----BEGIN RSA PRIVATE " + "KEY-----", "looks like a key"),
]
GOOD = {
    "swe_assets/__init__.py": '"""Good."""\n\n__version__ = "1"\n',
    "swe_assets/llm/__init__.py": "",
    "swe_assets/llm/resource.py": '"""Good."""\n\nimport dagster as dg\n\nA = dg.asset\n',
    "swe_assets/patch_quality/__init__.py": "",
    "swe_assets/patch_quality/y.py": '"""Good."""\n\nfrom typing import TYPE_CHECKING\n\n'
    "from swe_assets.patch_quality import x\n\nif TYPE_CHECKING:\n    import pandas\n\n\n"
    'def f(a: "pandas.DataFrame") -> None:\n    """Do good.\n\n    More.\n    """\n    import scipy\n',
    "swe_assets_tests/test_y.py": '"""Good."""\n\n\ndef test_y() -> None:\n    """Good holds."""\n',
    "requirements.lock": "click==8.1\n",
    "README.md": "See https://example.org and ../work/x.\n",
}


def lay(root: Path, files: dict[str, str]) -> None:
    """Write files under a folder."""
    for name, text in files.items():
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text(text, encoding="utf-8")


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_rule_holds(rule: Rule) -> None:
    """The checkout gives the rule nothing to complain of."""
    assert rule(CHECKOUT) == []


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.__name__)
def test_rule_is_content_with_good_code(rule: Rule, tmp_path: Path) -> None:
    """A small house in order gives the rule nothing to complain of."""
    lay(tmp_path, GOOD | {FLOOR: '"""Good."""\n'})
    assert rule(tmp_path) == []


@pytest.mark.parametrize(("rule", "name", "text", "says"), FAULTS)
def test_rule_can_fail(rule: Rule, name: str, text: str, says: str, tmp_path: Path) -> None:
    """One fault laid into a small house in order makes the rule complain once, of that fault."""
    lay(tmp_path, GOOD | {FLOOR: '"""Good."""\n'} | {name: text})
    complaints = [line for line in rule(tmp_path) if says in line]
    assert complaints, rule(tmp_path)


def test_every_rule_has_a_fault() -> None:
    """No rule is without a case in which it fails."""
    assert {rule for rule, *_ in FAULTS} == set(RULES)


def test_untracked_files_are_not_read(tmp_path: Path) -> None:
    """Under git only files that git keeps are searched."""
    lay(tmp_path, {"mine.txt": "AI" + "za" + "x" * 35, "kept.txt": "nothing"})
    subprocess.run(["git", "init", "-q", str(tmp_path)], check=True)
    subprocess.run(["git", "-C", str(tmp_path), "add", "kept.txt"], check=True)
    assert [path.name for path in tracked.tracked(tmp_path)] == ["kept.txt"]
    assert tracked.secrets(tmp_path) == []


def test_figures(capsys: pytest.CaptureFixture[str]) -> None:
    """The figures that are shown and not gated can be computed, and stand in the test's output."""
    shown = style.figures(CHECKOUT)
    with capsys.disabled():
        print("\nhouse: " + ", ".join(f"{name} {value:.3g}" for name, value in shown.items()))
    assert shown["median function"] > 0
