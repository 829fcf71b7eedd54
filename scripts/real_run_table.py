"""Print, as Markdown, what became of a study's instances, from the files in its folder of results."""

import csv
import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median

from swe_assets.patch_quality.analysis.wording import markdown_table, p_text, plain
from swe_assets.patch_quality.matriz_consolidada import STUDY_METRICS
from swe_assets.repositories.reconstruction import Outcome
from swe_assets.statistics import spearman

Row = dict[str, str]
TOTAL = "all"


def main(arguments: Sequence[str]) -> int:
    """Print the tables of one folder of results; return 2 where it is none or the account does not add up."""
    results = Path(arguments[0]) if len(arguments) == 1 else Path()
    try:
        account = read_rows(results / "contabilidade.csv")
        repositories = read_repositories(results / "mapeamento_commits.json")
        matrix = read_rows(results / "matriz_consolidada.csv")
        refuse_bad_account(account, matrix)
    except (OSError, ValueError) as wrong:
        print(
            f"error: {wrong}; usage: real_run_table.py RESULTS, a folder of a finished study", file=sys.stderr
        )
        return 2
    print(repository_table(account, repositories))
    print(f"\n{excluded_table(account)}")
    print(f"\n{totals_and_deltas(matrix)}")
    return 0


def read_rows(path: Path) -> list[Row]:
    """Return the rows of a CSV file as text by column."""
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream))


def read_repositories(path: Path) -> dict[str, str]:
    """Return each instance's repository."""
    found = json.loads(path.read_text(encoding="utf-8"))
    return {instance_id: row["repo"] for instance_id, row in found.items()}


def refuse_bad_account(account: Sequence[Row], matrix: Sequence[Row]) -> None:
    """Raise ValueError where an instance is neither in the matrix nor excluded, or the matrix differs."""
    lost = [row["instance_id"] for row in account if row["place"] not in ("in_matrix", "excluded")]
    if lost:
        raise ValueError(f"{len(lost)} instances are not accounted for yet: {', '.join(lost[:5])}")
    said = [row["instance_id"] for row in account if row["place"] == "in_matrix"]
    if said != [row["instance_id"] for row in matrix]:
        raise ValueError("contabilidade.csv and matriz_consolidada.csv differ: let `swe-assets run` finish")


def repository_table(account: Sequence[Row], repositories: dict[str, str]) -> str:
    """Return pinned, each outcome that occurs, in matrix and excluded, by repository and in all."""
    seen = {row["outcome"] for row in account}
    outcomes = [outcome.value for outcome in Outcome if outcome.value in seen]
    counts: dict[str, Counter[str]] = {}
    for row in account:
        for name in (repositories[row["instance_id"]], TOTAL):
            counts.setdefault(name, Counter()).update(("pinned", row["outcome"], row["place"]))
    columns = ["pinned", *outcomes, "in_matrix", "excluded"]
    names = [*sorted(name for name in counts if name != TOTAL), TOTAL]
    rows = [[name, *(str(counts[name][column]) for column in columns)] for name in names]
    return markdown_table(["repository", *columns], rows)


def excluded_table(account: Iterable[Row]) -> str:
    """Return each instance that is not in the matrix, with its outcome, and the stage and reason."""
    columns = ("instance_id", "outcome", "stage", "reason")
    rows = [[row[name] for name in columns] for row in account if row["place"] == "excluded"]
    return markdown_table(columns, rows)


def totals_and_deltas(matrix: Sequence[Row]) -> str:
    """Return of each measure the whole files' total and the patch's difference, with their rho to pass@1."""
    outcome = [int(row["pass@1"]) for row in matrix]
    rows = []
    for metric in STUDY_METRICS:
        total = [int(row[metric]) for row in matrix]
        known = [(int(row[f"delta_{metric}"]), y) for row, y in zip(matrix, outcome, strict=True)
                 if row[f"delta_{metric}"]]  # fmt: skip
        delta = [value for value, _ in known]
        cells = [f"{median(total):g}", *rho_and_p(outcome, total), f"{median(delta):g}"]
        rows.append([metric, *cells, str(delta.count(0)), *rho_and_p([y for _, y in known], delta)])
    header = (
        "measure",
        "median total",
        "rho",
        "p",
        "median delta",
        "delta is 0",
        "rho of delta",
        "p of delta",
    )
    return markdown_table(header, rows)


def rho_and_p(outcome: Sequence[int], values: Sequence[int]) -> tuple[str, str]:
    """Return Spearman's rho with pass@1 and its p as texts; dashes where undefined."""
    ranks = spearman({"outcome": list(outcome), "values": list(values)})
    pair = ("outcome", "values")
    return plain(ranks.rho[pair]), p_text(ranks.p[pair])


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
