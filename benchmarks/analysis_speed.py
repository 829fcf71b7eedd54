"""How long `swe-assets analyse` takes: 500 instances with 10,000 draws, and 50,000 rows.

Run: `python benchmarks/analysis_speed.py [ROWS …]`. Prints a line a size: rows, seconds of the whole command
(one process, from start to files), and the size of the folder.
"""

import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

SIZES = (500, 50_000)
REPOSITORIES = 12


def matrix(rows: int) -> pd.DataFrame:
    """Return a matrix as a study has it: both sides, twelve repositories, related measures."""
    random = np.random.default_rng(rows)
    base = np.exp(random.normal(6, 1, rows)).astype(int)
    change = random.integers(-5, 60, rows)
    ncloc = base + change
    depth = random.integers(1, 4, rows)
    chance = 1 / (1 + np.exp(1.5 - 0.6 * depth + 0.01 * change))
    repo = random.integers(0, REPOSITORIES, rows)
    table: dict[str, Any] = {
        "instance_id": [f"owner__name{r}-{n}" for n, r in enumerate(repo)],
        "pass@1": (random.random(rows) < chance).astype(int),
        "M_profundidade": depth,
        "M_integridade": random.integers(1, 4, rows),
        "M_defesa": random.integers(1, 4, rows),
    }
    for name, share in (("cognitive_complexity", 0.2), ("complexity", 0.3), ("violations", 0.02)):
        table[f"base_{name}"] = (base * random.uniform(0, share, rows)).astype(int)
        table[f"delta_{name}"] = (change * random.uniform(0, share, rows)).astype(int)
        table[name] = np.maximum(table[f"base_{name}"] + table[f"delta_{name}"], 0)
    table |= {"base_ncloc": base, "delta_ncloc": change, "ncloc": np.maximum(ncloc, 0)}
    table["sqale_index"] = 5 * table["violations"]
    return pd.DataFrame(table)


def seconds(rows: int, folder: Path) -> dict[str, object]:
    """Return what one run of the command took."""
    path, out = folder / f"matrix_{rows}.csv", folder / f"out_{rows}"
    matrix(rows).to_csv(path, index=False, lineterminator="\n")
    started = time.perf_counter()
    command = [sys.executable, "-m", "swe_assets", "analyse", str(path), "--out", str(out)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    took = time.perf_counter() - started
    size = sum(one.stat().st_size for one in out.rglob("*") if one.is_file())
    return {"rows": rows, "seconds": round(took, 1), "MB": round(size / 1e6, 1)}


def main() -> None:
    """Measure each size and print a line of JSON."""
    sizes = [int(given) for given in sys.argv[1:]] or list(SIZES)
    with tempfile.TemporaryDirectory() as folder:
        for rows in sizes:
            print(json.dumps(seconds(rows, Path(folder))), flush=True)


if __name__ == "__main__":
    main()
