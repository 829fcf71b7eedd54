"""Names of studies and ids of instances: which can be folders, file names and Dagster's partitions."""

import re
from collections import defaultdict
from collections.abc import Iterable

from swe_assets.errors import StudyError
from swe_assets.patch_quality.inputs.quoting import listed, quoted

LONGEST_ID = 200
_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_ID = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+@=-]*")


def is_name(name: str) -> bool:
    """Tell whether a text can be the name of a study: `[a-z][a-z0-9_]{0,39}`."""
    return _NAME.fullmatch(name) is not None


def check_name(name: str) -> str:
    """Return a study's name as it came, or raise StudyError where it cannot be one."""
    if not is_name(name):
        raise StudyError(
            f"{quoted(name)} cannot be the name of a study: give a small letter, then at most 39 small "
            "letters, digits and underscores"
        )
    return name


def check_ids(ids: Iterable[str]) -> None:
    """Raise StudyError that names the ids which can be no partitions, or which differ only by case.

    An id becomes a file's name and one of Dagster's partition keys (where "..." is a range): letters, digits
    and `_ . + @ = -`, at most 200, begun by a letter, a digit or `_`, without `..`.
    """
    ids = list(ids)
    wrong = [(instance_id, fault) for instance_id in ids if (fault := fault_of(instance_id))]
    if wrong:
        shown = "; ".join(f"{quoted(instance_id)} {fault}" for instance_id, fault in wrong[:5])
        more = f"; and {len(wrong) - 5} more" if len(wrong) > 5 else ""
        raise StudyError(f"instance ids that can be no partitions: {shown}{more}; rename or leave them out")
    alike: dict[str, list[str]] = defaultdict(list)
    for instance_id in ids:
        alike[instance_id.casefold()].append(instance_id)
    clashing = [instance_id for group in alike.values() if len(group) > 1 for instance_id in group]
    if clashing:
        raise StudyError(
            f"instance ids that differ only by case, which some file systems cannot tell apart: "
            f"{listed(clashing)}"
        )


def fault_of(instance_id: str) -> str:
    """Say what keeps an id from being a partition; the empty text where nothing does."""
    if not instance_id:
        return "is empty"
    if len(instance_id) > LONGEST_ID:
        return f"is longer than {LONGEST_ID} characters"
    if ".." in instance_id:
        return "has '..' in it"
    strange = sorted({letter for letter in instance_id if not _ID.fullmatch(f"_{letter}")})
    if strange:
        return f"has {listed(strange)} in it"
    return "" if _ID.fullmatch(instance_id) else f"begins with {instance_id[0]!r}"
