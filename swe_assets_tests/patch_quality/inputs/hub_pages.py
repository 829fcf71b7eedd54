"""The pages of a Hugging Face Hub that holds one small dataset, as its own client asks for them."""

import io
import json
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from swe_assets_tests.patch_quality.inputs.web import Page, Web

SHA = "0123456789abcdef0123456789abcdef01234567"
FILE = "data/test-00000-of-00001.parquet"
ROWS = {
    "instance_id": ["o__r-1", "o__r-2"],
    "repo": ["o/r", "o/r"],
    "base_commit": ["1" * 40, "2" * 40],
    "problem_statement": ["first\r\nline", "\ttab \u2028"],
    "patch": ["gold", "gold"],
}


def parquet(rows: dict[str, list[Any]]) -> bytes:
    """Return columns as a parquet file."""
    buffer = io.BytesIO()
    pq.write_table(pa.table(rows), buffer)
    return buffer.getvalue()


def serve_dataset(web: Web, name: str) -> None:
    """Put a dataset with one test split, at the commit SHA, on a web server."""
    content = parquet(ROWS)
    info = {"id": name, "sha": SHA, "siblings": [{"rfilename": FILE}], "private": False, "gated": False}
    info |= {"disabled": False, "downloads": 0, "likes": 0, "tags": []}
    file = {"type": "file", "path": FILE, "size": len(content), "oid": "1" * 40}
    folder = {"type": "directory", "path": "data", "oid": "2" * 40, "size": 0}
    api, resolve = f"/api/datasets/{name}", f"/datasets/{name}/resolve/{SHA}"
    web.pages |= {
        api: _json(info),
        f"{api}/revision/{SHA}": _json(info),
        f"{api}/revision/v9": _missing("RevisionNotFound"),
        f"{api}/tree/{SHA}": _json([folder]),
        f"{api}/tree/{SHA}/data": _json([file]),
        f"{resolve}/{FILE}": Page(content, headers={"ETag": '"abc"', "X-Repo-Commit": SHA}),
        "/api/datasets/o/none": _missing("RepoNotFound"),
    }
    for absent in ("README.md", ".huggingface.yaml", "dataset_infos.json", f"{name.partition('/')[2]}.py"):
        web.pages[f"{resolve}/{absent}"] = _missing("EntryNotFound")


def _json(value: Any) -> Page:
    """Return a page of JSON."""
    return Page(json.dumps(value).encode(), headers={"Content-Type": "application/json"})


def _missing(code: str) -> Page:
    """Return the page of what is not there."""
    return Page(b"", 404, headers={"X-Error-Code": code})
