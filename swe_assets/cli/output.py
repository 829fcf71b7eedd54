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


def check_folder(out: Path, inputs: Iterable[Path]) -> None:
    """Raise InputError for a file in the folder's place, and for an input that the report would write over.

    The matrix is none: it is kept as it is.
    """
    from swe_assets.patch_quality.analysis.evidence_files import MATRIX
    from swe_assets.patch_quality.analysis.own_files import is_own

    if out.exists() and not out.is_dir():
        raise InputError(f"--out {str(out)!r} is a file; name a folder for the results")
    folder = out.resolve()
    for path in inputs:
        real = path.resolve()
        if real.is_relative_to(folder) and is_own(name := str(real.relative_to(folder))) and name != MATRIX:
            raise InputError(
                f"{str(path)!r} is a file that the report in --out {str(out)!r} would write over; name "
                "another folder, or move the file"
            )
