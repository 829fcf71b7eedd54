"""Predictions in every shape they come in, and what is refused about them."""

import json
import tracemalloc
from collections.abc import Callable
from pathlib import Path

import pytest

from swe_assets.errors import InputError, PredictionsError
from swe_assets.patch_quality.inputs.limits import Limits
from swe_assets.patch_quality.inputs.predictions import PredictionReader, read_predictions
from swe_assets.patch_quality.inputs.sources import Source, local_source
from swe_assets_tests.shared_data import shared

Opened = Callable[..., Source]
A, B = {"instance_id": "a", "model_patch": "x"}, {"instance_id": "b", "model_patch": None}
WANTED = {"a": "x", "b": None}


@pytest.mark.parametrize(
    "content",
    [
        f"{json.dumps(A)}\n{json.dumps(B)}\n",
        f"{json.dumps(A)}\n\n  \n{json.dumps(B)}",
        f"{json.dumps(A)}\r\n{json.dumps(B)}\r\n",
        f"\ufeff{json.dumps(A)}\n{json.dumps(B)}\n",
        json.dumps([A, B]),
        json.dumps([A, B], indent=2),
        json.dumps({"a": A, "b": B}, indent=2),
        json.dumps({"a": {"model_patch": "x"}, "b": {"model_patch": None}}),
        json.dumps({"a": "x", "b": None}),
        json.dumps([{"instance_id": "a", "prediction": "x"}, {"instance_id": "b", "patch": None}]),
    ],
)
def test_forms(opened: Opened, content: str) -> None:
    """Lines, a list and an object keyed by id give the same predictions."""
    assert read_predictions(opened(content))[0] == WANTED


@pytest.mark.parametrize("layout", [None, 1])
def test_single_prediction(opened: Opened, layout: int | None) -> None:
    """One prediction alone in a file, on one line or on many, is that prediction."""
    assert read_predictions(opened(json.dumps(A, indent=layout)))[0] == {"a": "x"}


@pytest.mark.parametrize(
    ("content", "says"),
    [
        ('{"instance_id": "a"}', "line 1: .*'a' has no patch"),
        ('{"instance_id": "a", "model_patch": ["x"]}', "line 1: the patch of 'a' is \\['x'\\]"),
        ('{"instance_id": "a", "model_patch": NaN}', "the patch of 'a' is NaN"),
        ('{"instance_id": "a", "model_patch": 7}\n{}', "the patch of 'a' is 7"),
        ('{"instance_id": 7, "model_patch": "x"}', "instance_id is 7"),
        ('{"instance_id": "", "model_patch": "x"}', "instance_id is ''"),
        ('{"": "x"}', "instance_id is ''"),
        ('[{"instance_id": "a", "model_patch": "x"},\n["b"]]', "line 2: found \\['b'\\]"),
        ('{"a": {"model_patch": "x"},\n"b": {}}', "line 2: .*'b' has no patch"),
        ('{"a": {"instance_id": "b", "model_patch": "x"}}', "key 'a' stands a prediction for 'b'"),
        ('{"a": "x",\n "b": 7}', "line 2: .*'b' holds 7"),
        ('{"instance_id": "a", "model_patch": "", "model_patch": "x"}\n{}', "duplicate key: 'model_patch'"),
        ('{"instance_id": "a", "patch": "gold", "base_commit": "c"}', "gold patch"),
        ("[]", "no prediction in this JSON list"),
        ("{}", "no prediction in this JSON object"),
        ("null", "found None"),
    ],
)
def test_refused(opened: Opened, content: str, says: str) -> None:
    """What cannot be read as predictions is an error that says what was found, and on which line."""
    with pytest.raises(PredictionsError, match=says):
        read_predictions(opened(content))


def test_identical_duplicates(opened: Opened) -> None:
    """The same patch twice is kept once, and a note names the instance."""
    patches, reader = read_predictions(opened(f"{json.dumps(A)}\n{json.dumps(A)}\n"))
    assert patches == {"a": "x"}
    assert [(note.code, note.ids) for note in reader.notes] == [("duplicate_predictions", ("a",))]


@pytest.mark.parametrize("other", ["x\n", None, ""])
def test_differing_duplicates(opened: Opened, other: str | None) -> None:
    """Two patches for one instance are an error that names it, however little they differ."""
    lines = [A, B, {"instance_id": "a", "model_patch": other}]
    with pytest.raises(PredictionsError, match=r"line 3: different patches .* 'a'"):
        read_predictions(opened("\n".join(map(json.dumps, lines))))


def test_all_differing_are_named(opened: Opened) -> None:
    """The error about differing duplicates names all of them."""
    lines = [A, {**B, "model_patch": "p"}, {**A, "model_patch": "y"}, {**B, "model_patch": "q"}]
    with pytest.raises(PredictionsError, match="'a', 'b'"):
        read_predictions(opened(json.dumps(lines)))


def test_key_twice_in_keyed_object(opened: Opened) -> None:
    """An id that is a key twice is a duplicate like any other."""
    assert read_predictions(opened('{"a": "x", "a": "x"}'))[0] == {"a": "x"}
    with pytest.raises(PredictionsError, match="different patches"):
        read_predictions(opened('{"a": "x", "a": "y"}'))


def test_gold_patch_never_wins(opened: Opened) -> None:
    """Beside model_patch, even a null one, another patch key is ignored and said."""
    row = {"instance_id": "a", "patch": "gold", "model_patch": None}
    patches, reader = read_predictions(opened(json.dumps([row])))
    assert (patches, reader.notes[0].code) == ({"a": None}, "two_patch_keys")


def test_lone_surrogates_survive(opened: Opened) -> None:
    """A patch that no file can hold is kept as it came, and a note names the instance."""
    patches, reader = read_predictions(opened('{"a": "\\ud800"}'))
    assert (patches, reader.notes[0].code) == ({"a": "\ud800"}, "unencodable_patches")


def test_text_is_kept(opened: Opened) -> None:
    """Carriage returns, NUL, separators and trailing blanks of a patch survive."""
    text = "a\r\nb\r\u2028\x85\x00 \n\n"
    assert read_predictions(opened(json.dumps([{"instance_id": "a", "model_patch": text}])))[0] == {"a": text}


def test_torn_last_line(opened: Opened) -> None:
    """A last line that is cut off anywhere is an error with its number."""
    whole = json.dumps(A) + "\n" + json.dumps(B)
    for cut in range(len(json.dumps(A)) + 2, len(whole)):
        with pytest.raises(InputError, match="line 2 column"):
            read_predictions(opened(whole[:cut]))


def test_memory_is_bounded(tmp_path: Path) -> None:
    """Reading 60 MB of lines one by one needs a few of its lines' worth of memory."""
    with (tmp_path / "p.jsonl").open("w") as file:
        for number in range(60):
            file.write(json.dumps({"instance_id": f"i{number}", "model_patch": "x" * 1_000_000}) + "\n")
    reader = PredictionReader(local_source(str(tmp_path / "p.jsonl"), Limits()))
    tracemalloc.start()
    assert sum(1 for _ in reader) == 60
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert peak < 12_000_000


@pytest.mark.parametrize(
    ("name", "count", "blank"),
    [
        ("polydev_hybrid_haiku45/all_preds.jsonl.gz", 500, 0),
        ("vexp_claude_opus45_100/all_preds.jsonl.gz", 100, 1),
        ("kat_coder_16gb_50/all_preds.json.gz", 50, 27),
    ],
)
def test_real_submissions(name: str, count: int, blank: int) -> None:
    """The real submissions have the numbers of predictions that their publishers say."""
    patches, _ = read_predictions(
        local_source(str(shared("data", "swebench", "submissions", name)), Limits())
    )
    assert len(patches) == count
    assert sum(not (patch or "").strip() for patch in patches.values()) == blank
