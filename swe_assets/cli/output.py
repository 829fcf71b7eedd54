"""What the commands that write a report share: JSON for a terminal, and inputs that stay as they are."""

import json
import re
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from swe_assets.errors import InputError

_UNSEEN = re.compile("[\\x7f-\\x9f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff]")


def json_text(record: Mapping[str, Any]) -> str:
    r"""Return a record as indented JSON that steers no terminal: what is invisible is written as escapes.

    >>> print(json_text({"id": "a\u202eb"}).splitlines()[1])
      "id": "a\u202eb"
    """
    text = json.dumps(record, ensure_ascii=False, indent=2, allow_nan=False)
    return _UNSEEN.sub(lambda found: f"\\u{ord(found[0]):04x}", text)


def check_folder(out: Path, inputs: Iterable[Path], *, kept: Path | None = None) -> None:
    """Raise InputError for a folder that no report may be written into, lest it loses what is there.

    That is a file, an input's own folder where the input is one, the results of a pinned study, and a folder
    with an input that the report would write over; ``kept`` is a matrix, which stays under its own name.
    """
    from swe_assets.patch_quality.analysis.evidence_files import MATRIX
    from swe_assets.patch_quality.analysis.own_files import is_own

    if out.exists() and not out.is_dir():
        raise InputError(f"--out {str(out)!r} is a file; name a folder for the results")
    folder = out.resolve()
    if folder.name == "results" and (folder.parent / "study.toml").is_file():
        raise InputError(f"--out {str(out)!r} holds the results of a pinned study; name another folder")
    for path in inputs:
        real = path.resolve()
        if real == folder:
            raise InputError(f"--out {str(out)!r} is itself compared; name another folder")
        own = real.is_relative_to(folder) and is_own(name := str(real.relative_to(folder)))
        if own and not (path == kept and name == MATRIX):
            raise InputError(
                f"{str(path)!r} is a file that the report in --out {str(out)!r} would write over; name "
                "another folder, or move the file"
            )
