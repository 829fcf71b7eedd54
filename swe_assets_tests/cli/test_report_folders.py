"""Folders that reports are written into: inputs stay, one writer at a time, and terminals are not steered."""

import json
from pathlib import Path

import pytest

from swe_assets.cli.output import check_folder, json_text
from swe_assets.errors import InputError, ReportError
from swe_assets.patch_quality.analysis.comparison_files import ENTRIES, comparison_settings
from swe_assets.patch_quality.analysis.evidence import Settings
from swe_assets.patch_quality.analysis.evidence_files import MATRIX
from swe_assets.patch_quality.analysis.whole import analyse_matrix
from swe_assets.storage.locks import folder_locked
from swe_assets_tests.cli.test_compare_verify import call
from swe_assets_tests.patch_quality.analysis.studies import FEW, sided
from swe_assets_tests.patch_quality.analysis.test_whole import contents


@pytest.mark.parametrize("name", ["instancias.csv", "logit.csv", "tables/fit.csv"])
def test_an_input_is_not_written_over(name: str, tmp_path: Path) -> None:
    """A file under a name of the report's own is refused as an input beside it, and kept."""
    (tmp_path / name).parent.mkdir(exist_ok=True)
    sided(12).to_csv(tmp_path / name, index=False)
    before = (tmp_path / name).read_bytes()
    run = call("analyse", tmp_path / name, "--out", tmp_path)
    assert run.returncode == 2 and "would write over" in run.stderr
    assert (tmp_path / name).read_bytes() == before


def test_inputs_that_stay(tmp_path: Path) -> None:
    """The matrix that the report keeps, files of other names, and other folders are no trouble."""
    matrix = tmp_path / MATRIX
    check_folder(tmp_path, [matrix, tmp_path / "my.csv", Path("/x/logit.csv")], kept=matrix)
    with pytest.raises(InputError, match="write over"):
        check_folder(tmp_path, [matrix])


def test_a_comparison_is_not_written_into_what_it_compares(tmp_path: Path) -> None:
    """A compared folder is refused as --out, and so are a study's results; all files stay."""
    for name in ("one", "two"):
        analyse_matrix(sided(12), tmp_path / name, settings=FEW)
    before = contents(tmp_path)
    run = call("compare", tmp_path / "one", tmp_path / "two", "--out", tmp_path / "one")
    assert run.returncode == 2 and "is itself compared" in run.stderr
    (tmp_path / "study.toml").touch()
    (tmp_path / "two").rename(tmp_path / "results")
    run = call("compare", tmp_path / "one", tmp_path / "results", "--out", tmp_path / "results")
    assert run.returncode == 2 and "a pinned study" in run.stderr
    (tmp_path / "results").rename(tmp_path / "two")
    (tmp_path / "study.toml").unlink()
    assert contents(tmp_path) == before


@pytest.mark.parametrize("entries", ['{"files": 1}', '{"studies": {"a": 1}}', "[]", '"x"'])
def test_hostile_entries_in_the_folder(entries: str, tmp_path: Path) -> None:
    """Entries that are no report's are no trouble to the report that is written over them."""
    for name in ("relatorio_entradas.json", "comparacao_entradas.json"):
        (tmp_path / name).write_text(entries, encoding="utf-8")
    analyse_matrix(sided(12), tmp_path, settings=FEW)
    assert (tmp_path / "report.html").is_file()


def test_one_writer_at_a_time(tmp_path: Path) -> None:
    """While a report is written into a folder a second one is refused, and nothing is left there."""
    sided(12).to_csv(tmp_path / "m.csv", index=False)
    with folder_locked(tmp_path / "out"):
        run = call("analyse", tmp_path / "m.csv", "--out", tmp_path / "out")
        assert run.returncode == 2 and "another process writes" in run.stderr
    assert list((tmp_path / "out").iterdir()) == []
    with folder_locked(tmp_path / "out"), pytest.raises(InputError), folder_locked(tmp_path / "out"):
        pass


def test_terminals_are_not_steered() -> None:
    """Control characters and marks of direction are escapes that JSON reads back; letters stay."""
    record = {"id": "ação 中\x9b31m\u202eb\x1b"}
    text = json_text(record)
    assert json.loads(text) == record and "ação 中" in text
    assert not {"\x9b", "\u202e", "\x1b"} & set(text)


def test_a_path_wins_over_a_name(tmp_path: Path) -> None:
    """A file whose path holds an equals sign is compared as a file."""
    folder = tmp_path / "a=b"
    folder.mkdir()
    for name in ("one", "two"):
        sided(12).to_csv(folder / f"{name}.csv", index=False)
    run = call("compare", folder / "one.csv", folder / "two.csv", "--out", tmp_path / "out")
    assert run.returncode == 0, run.stderr


@pytest.mark.parametrize("wrong", [{"draws": "x"}, {"seed": -1}, {"lang": "fr"}, {"folds": 1}])
def test_settings_from_a_hostile_file(wrong: dict[str, object]) -> None:
    """Settings that no report can be made with are refused, whoever says them."""
    with pytest.raises(InputError, match="settings"):
        Settings(**wrong)  # type: ignore[arg-type] # as a JSON file may say


def test_a_language_that_there_is_not(tmp_path: Path) -> None:
    """A comparison's entries that name another language are an error that says which."""
    (tmp_path / ENTRIES).write_text('{"lang": "fr"}', encoding="utf-8")
    with pytest.raises(ReportError, match="'fr', neither pt nor en"):
        comparison_settings(tmp_path)
