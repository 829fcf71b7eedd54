"""Tables about judges as files: what they must not be taken for stands in each of them."""

import csv
import json
from pathlib import Path

import pytest

from swe_assets.judging.jury_quality import Said, quality
from swe_assets.patch_quality.analysis.judge_files import write_tables
from swe_assets.patch_quality.analysis.quality_tables import quality_tables


@pytest.mark.parametrize(("mark", "word"), [("rehearsal", "[ensaio]"), ("small_model", "[modelo pequeno]")])
def test_marks_are_in_place(mark: str, word: str, tmp_path: Path) -> None:
    """JSON, Markdown and CSV bear the mark: in the manifest, in each heading, in each row."""
    rows = [Said("x-1", True, 0.95, False), Said("x-2", True, 0.95, True)]
    tables = quality_tables([quality("a", rows)], marks=frozenset({mark}))
    told = write_tables(tmp_path, "qualidade_juiz", "Qualidade", tables, {"judges": ["a"]})
    headings = [line for line in told["tables_md"].splitlines() if line.startswith("## ")]
    assert len(headings) == 4 and all(line.endswith(word) for line in headings)
    manifest = json.loads((tmp_path / "qualidade_juiz.json").read_text("utf-8"))["manifest"]
    assert manifest["marked"]["a"] == manifest["marked"]["M_defesa"] == [mark]
    with (tmp_path / "qualidade_juiz_confusao.csv").open(encoding="utf-8") as stream:
        assert [row["marks"] for row in csv.DictReader(stream)] == [mark]
    assert told["rehearsal"] is (mark == "rehearsal") and told["labels"]


def test_a_real_judges_tables_bear_none(tmp_path: Path) -> None:
    """Without a mark there is no sentence, no column and no name that bears one."""
    tables = quality_tables([quality("a", [Said("x-1", True, 0.95, True)])], marks=frozenset())
    told = write_tables(tmp_path, "q", "Q", tables, {"judges": ["a"]})
    assert told["labels"] == "" and "[" not in told["tables_md"].splitlines()[2]
    assert "marks" not in (tmp_path / "qualidade_juiz.csv").read_text("utf-8").splitlines()[0]
