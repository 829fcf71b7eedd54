"""A sheet that an auditor sent back: checked row by row against what was drawn, all faults told at once."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from swe_assets.errors import AuditError
from swe_assets.judging.audit_csv import SheetText, read_sheet
from swe_assets.judging.audit_form import (
    AUDITOR_COLUMN,
    COMMENT_COLUMN,
    MARK_COLUMN,
    AuditForm,
    DrawnItem,
)

LONGEST_NAME = 80
MOST_TOLD = 20


@dataclass(frozen=True)
class AuditedItem:
    """One row that came back: the item, its mark, the scores given (by scale, none left blank) and words."""

    item_id: str
    mark: str
    scores: dict[str, float]
    comment: str = ""


@dataclass(frozen=True)
class ReturnedSheet:
    """One auditor's scores; ``missing``: drawn ids without a row, ``unscored``: with a score left blank."""

    auditor: str
    items: tuple[AuditedItem, ...]
    missing: tuple[str, ...] = ()
    unscored: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    def record(self) -> dict[str, Any]:
        """Return it as JSON-ready values."""
        rows = [
            {"item_id": item.item_id, "mark": item.mark, "scores": item.scores, "comment": item.comment}
            for item in self.items
        ]
        return {"auditor": self.auditor, "items": rows, "notes": list(self.notes)}

    @classmethod
    def from_record(cls, record: dict[str, Any]) -> "ReturnedSheet":
        """Return the sheet of a record."""
        items = tuple(AuditedItem(**row) for row in record["items"])
        return cls(record["auditor"], items, notes=tuple(record["notes"]))


@dataclass
class _Reading:
    """What has been read of a sheet so far, and its faults."""

    form: AuditForm
    marks: dict[str, str]
    known: Collection[str]
    items: dict[str, AuditedItem] = field(default_factory=dict)
    faults: list[str] = field(default_factory=list)
    misread: set[str] = field(default_factory=set)


def read_return(
    content: bytes,
    form: AuditForm,
    drawn: Sequence[DrawnItem],
    *,
    known: Collection[str] = (),
    auditor: str | None = None,
    partial: bool = False,
) -> ReturnedSheet:
    """Return an auditor's scores from the sheet that came back.

    ``known``: all ids of the study, so that one that was not drawn is told from an unknown one.
    ``auditor``: who it is where the sheet does not say. ``partial``: rows and scores may be missing.

    Raises AuditError with every fault by line: an id that is unknown, was not drawn, was changed or is there
    twice; an item whose texts are no longer those; a score that is none; rows or scores that are missing.
    """
    sheet = read_sheet(content, [name for name in form.columns if name != COMMENT_COLUMN])
    reading = _Reading(form, {item.item_id: item.mark for item in drawn}, known)
    for number, row in sheet.rows:
        _read_row(reading, number, row)
    missing = tuple(item.item_id for item in drawn if item.item_id not in reading.items)
    unscored = tuple(i for i, item in reading.items.items() if len(item.scores) < len(form.scales))
    name = _auditor(sheet, auditor, reading.faults)
    if not partial:
        blank = [i for i in unscored if i not in reading.misread]
        reading.faults += _lacking("row missing", missing) + _lacking("score missing", blank)
    if not any(item.scores for item in reading.items.values()) and not reading.faults:
        reading.faults.append("no score is filled in")
    if reading.faults:
        raise AuditError(
            _told(reading.faults, hint=bool(missing or unscored) and not (partial or reading.misread))
        )
    return ReturnedSheet(name, tuple(reading.items.values()), missing, unscored, sheet.notes)


def checked_auditor(name: str) -> str:
    """Return an auditor's name without blanks around it; AuditError unless it is one short line."""
    found = " ".join(name.split())
    if not found or len(found) > LONGEST_NAME or not found.isprintable():
        raise AuditError(f"the auditor's name is {name!r}: give one line of at most {LONGEST_NAME} letters")
    return found


def _read_row(reading: _Reading, number: int, row: Mapping[str, str]) -> None:
    """Read one row into the reading, or note why not."""
    item_id, mark = row[reading.form.id_column].strip(), row[MARK_COLUMN].strip()
    fault = _id_fault(reading, item_id, mark)
    scores: dict[str, float] = {}
    for scale in reading.form.scales:
        try:
            value = scale.read(row[scale.column])
        except AuditError as wrong:
            reading.faults.append(f"line {number}, {item_id}, {scale.column}: {wrong}")
            reading.misread.add(item_id)
            continue
        if value is not None:
            scores[scale.name] = value
    found = AuditedItem(item_id, mark, scores, row.get(COMMENT_COLUMN, "").strip())
    if not fault and reading.items.setdefault(item_id, found) != found:
        fault = f"{item_id} is there twice with different scores: keep one of its rows"
    if fault:
        reading.faults.append(f"line {number}: {fault}")


def _id_fault(reading: _Reading, item_id: str, mark: str) -> str:
    """Return what is wrong with a row's id and mark, the empty text where nothing is."""
    owner = next((i for i, m in reading.marks.items() if m == mark), None)
    if reading.marks.get(item_id) == mark:
        return ""
    if owner is not None:
        return f"the id was changed: {item_id!r} stands beside the mark of {owner!r} (was one column sorted?)"
    if item_id in reading.marks:
        return (
            f"{item_id} was judged by another mark ({mark!r}, now {reading.marks[item_id]!r}): "
            "its issue or patch has changed since the sheet was drawn, or the mark was edited"
        )
    if item_id in reading.known:
        return f"{item_id} is of the study but was not drawn: the sheet is of another draw"
    return f"unknown id {item_id!r}"


def _auditor(sheet: SheetText, given: str | None, faults: list[str]) -> str:
    """Return who filled the sheet in; note where nothing or more than one name says so."""
    names = {" ".join(row[AUDITOR_COLUMN].split()) for _number, row in sheet.rows} - {""}
    if given is not None:
        names = {given}
    if len(names) == 1:
        try:
            return checked_auditor(names.pop())
        except AuditError as wrong:
            faults.append(str(wrong))
    elif names:
        faults.append(f"the sheet names several auditors: {', '.join(map(repr, sorted(names)))}")
    else:
        faults.append("the sheet names no auditor: fill its column 'auditor' or give --auditor NAME")
    return ""


def _lacking(what: str, ids: Sequence[str]) -> list[str]:
    """Return one fault for the ids that lack something."""
    if not ids:
        return []
    more = f", … {len(ids) - MOST_TOLD} more" if len(ids) > MOST_TOLD else ""
    return [f"{what}: {', '.join(ids[:MOST_TOLD])}{more}"]


def _told(faults: Sequence[str], *, hint: bool) -> str:
    """Return all faults as one message."""
    more = [f"… and {len(faults) - MOST_TOLD} more"] if len(faults) > MOST_TOLD else []
    lines = ["the sheet was not taken:", *(f"  {fault}" for fault in faults[:MOST_TOLD]), *more]
    if hint:
        lines.append("--partial takes a sheet with rows or scores missing")
    return "\n".join(lines)
