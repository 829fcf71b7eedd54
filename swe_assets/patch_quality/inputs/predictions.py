"""Predictions as they really come: which instance, which patch, and what was odd about the file."""

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from swe_assets.errors import PredictionsError
from swe_assets.patch_quality.inputs.json_records import (
    LINES,
    LIST,
    OBJECT,
    Document,
    Element,
    JsonObject,
    read_elements,
)
from swe_assets.patch_quality.inputs.quoting import Note, listed, quoted
from swe_assets.patch_quality.inputs.sources import Source

ID_KEY = "instance_id"
PATCH_KEYS = ("model_patch", "prediction", "patch")
"""Where a patch may stand; the first key present wins, whatever its value."""
DATASET_KEYS = ("base_commit", "problem_statement", "test_patch", "FAIL_TO_PASS")
"""Beside one of these a bare `patch` is a dataset row's gold patch, never a prediction."""


class Prediction(NamedTuple):
    """One instance's patch: text as it came, or None where the file says null."""

    instance_id: str
    patch: str | None


@dataclass
class PredictionReader:
    """Iterate once over a file's predictions, each instance once, in the file's order.

    Memory is bounded for JSON lines: of each patch only a digest is kept, to tell duplicates apart. After
    the iteration `form`, `count` and `notes` say what was read. Raises PredictionsError, or InputError with
    line and column where the file is not JSON.
    """

    source: Source
    form: str = ""
    digests: dict[str, bytes] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    _twice: dict[str, None] = field(default_factory=dict)
    _differing: dict[str, int] = field(default_factory=dict)
    _unencodable: list[str] = field(default_factory=list)
    _two_keys: list[str] = field(default_factory=list)

    @property
    def count(self) -> int:
        """Return how many instances were read."""
        return len(self.digests)

    def __iter__(self) -> Iterator[Prediction]:
        document = read_elements(self.source)
        self.form = document.form
        for element in _records(self.source, document):
            prediction = self._read(element)
            if self._is_new(prediction, element.line):
                yield prediction
        self._finish()

    def _read(self, element: Element) -> Prediction:
        """Return an element's prediction and remember what was odd about it."""
        value = element.value
        if isinstance(value, str) or value is None:
            return _checked(self.source, element, element.key, value)
        instance_id = _instance_id(self.source, element)
        keys = [key for key in PATCH_KEYS if key in value]
        _check_keys(self.source, element, instance_id, keys)
        if any(value[key] != value[keys[0]] for key in keys[1:]):
            self._two_keys.append(instance_id)
        return _checked(self.source, element, instance_id, value[keys[0]])

    def _is_new(self, prediction: Prediction, line: int) -> bool:
        """Tell whether the instance comes for the first time, and remember how a repetition compares."""
        instance_id, patch = prediction
        digest = patch_digest(patch)
        known = self.digests.get(instance_id)
        if known is None:
            self.digests[instance_id] = digest
            if patch is not None and not _encodes(patch):
                self._unencodable.append(instance_id)
            return True
        if known == digest:
            self._twice[instance_id] = None
        else:
            self._differing.setdefault(instance_id, line)
        return False

    def _finish(self) -> None:
        """Raise for what cannot be used as a whole, and put the rest into notes."""
        if self._differing:
            names, line = listed(self._differing), next(iter(self._differing.values()))
            raise PredictionsError(
                f"{self.source.given}: line {line}: different patches under one instance_id for {names}; a "
                "final newline counts as a difference, and so does null beside empty: keep one of each"
            )
        if not self.digests:
            raise PredictionsError(f"{self.source.given}: line 1: there is no prediction in this {self.form}")
        for code, ids, text in (
            (
                "duplicate_predictions",
                self._twice,
                "given more than once with one and the same patch; kept once",
            ),
            (
                "two_patch_keys",
                self._two_keys,
                f"different texts under two patch keys; the first of {', '.join(PATCH_KEYS)} was taken",
            ),
            (
                "unencodable_patches",
                self._unencodable,
                "the patch has lone surrogates, which no file can hold",
            ),
        ):
            if ids:
                self.notes.append(Note(code, f"{len(ids)} of the predictions: {text}", tuple(ids)))


def read_predictions(source: Source) -> tuple[dict[str, str | None], PredictionReader]:
    """Return every patch by instance_id, held in memory, and the reader with its form and notes."""
    reader = PredictionReader(source)
    return dict(reader), reader


def patch_digest(patch: str | None) -> bytes:
    """Return what tells two patches apart: the sha256 of the text, or of nothing at all for null."""
    return b"null" if patch is None else hashlib.sha256(patch.encode("utf-8", "surrogatepass")).digest()


def _records(source: Source, document: Document) -> Iterator[Element]:
    """Yield one element a prediction, whatever the form of the file."""
    if document.form in (LINES, LIST):
        yield from (_object_only(source, element) for element in document.elements)
    elif document.form == OBJECT:
        yield from _keyed(source, list(document.elements))
    else:
        element = next(document.elements)
        raise PredictionsError(
            f"{source.given}: line {element.line}: found {quoted(element.value)}, where predictions are JSON "
            "lines, a list, or an object keyed by instance_id"
        )


def _object_only(source: Source, element: Element) -> Element:
    """Return the element, or raise PredictionsError when it is not an object."""
    if isinstance(element.value, JsonObject):
        return element
    raise PredictionsError(
        f"{source.given}: line {element.line}: found {quoted(element.value)}, where each prediction is an "
        f"object with {ID_KEY!r} and {PATCH_KEYS[0]!r}"
    )


def _keyed(source: Source, pairs: list[Element]) -> list[Element]:
    """Return the pairs of an object keyed by instance_id, or the one prediction that the object is."""
    keys = [pair.key or "" for pair in pairs]
    if {ID_KEY, PATCH_KEYS[0], "model_name_or_path"} & set(keys):
        record = JsonObject(zip(keys, (pair.value for pair in pairs), strict=True))
        record.repeated = frozenset(key for key in record if keys.count(key) > 1)
        return [Element(None, record, 1)]
    for pair in pairs:
        if not (pair.value is None or isinstance(pair.value, str | JsonObject)):
            raise PredictionsError(
                f"{source.given}: line {pair.line}: this is neither a prediction (it has no {ID_KEY!r}) nor "
                f"an object keyed by {ID_KEY}: {quoted(pair.key)} holds {quoted(pair.value)}; its keys are "
                f"{listed(keys)}"
            )
    return pairs


def _instance_id(source: Source, element: Element) -> str:
    """Return a prediction's own id, or its key; raise PredictionsError where both are there and differ."""
    value, key = element.value, element.key
    if key is None and ID_KEY not in value:
        raise PredictionsError(
            f"{source.given}: line {element.line}: a prediction without {ID_KEY!r}; its keys are "
            f"{listed(value)}"
        )
    inner = value.get(ID_KEY, key)
    if key is not None and inner != key:
        raise PredictionsError(
            f"{source.given}: line {element.line}: under the key {quoted(key)} stands a prediction for "
            f"{quoted(inner)}"
        )
    return inner if isinstance(inner, str) else _refuse_id(source, element, inner)


def _refuse_id(source: Source, element: Element, value: Any) -> str:
    """Raise the error for an id that is not a text, or an empty one."""
    raise PredictionsError(
        f"{source.given}: line {element.line}: {ID_KEY} is {quoted(value)}, not the name of an instance"
    )


def _check_keys(source: Source, element: Element, instance_id: str, keys: list[str]) -> None:
    """Raise PredictionsError where an object has no patch, a repeated key, or only a gold patch."""
    value, at = (
        element.value,
        f"{source.given}: line {element.line}: the prediction for {quoted(instance_id)}",
    )
    twice = sorted(value.repeated & {ID_KEY, *PATCH_KEYS})
    if twice:
        raise PredictionsError(f"{at} has a duplicate key: {listed(twice)}")
    if not keys:
        raise PredictionsError(
            f"{at} has no patch: none of {', '.join(PATCH_KEYS)} is among its keys {listed(value)}"
        )
    beside = [key for key in DATASET_KEYS if key in value]
    if keys == ["patch"] and beside:
        raise PredictionsError(
            f"{at} is a row of a dataset (it has {listed(beside)}), with the gold patch, not a model's"
        )


def _checked(source: Source, element: Element, instance_id: str | None, patch: Any) -> Prediction:
    """Return the prediction; raise PredictionsError unless id and patch are texts (or null)."""
    if not instance_id:
        instance_id = _refuse_id(source, element, instance_id)
    if patch is None or isinstance(patch, str):
        return Prediction(instance_id, patch)
    raise PredictionsError(
        f"{source.given}: line {element.line}: the patch of {quoted(instance_id)} is {quoted(patch)}, "
        "neither a text nor null"
    )


def _encodes(text: str) -> bool:
    """Tell whether a text can be written as UTF-8: it cannot with lone surrogates in it."""
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return False
    return True
