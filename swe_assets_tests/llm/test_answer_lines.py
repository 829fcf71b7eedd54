"""No answer that was appended is lost, none is counted twice, and no torn one is taken for whole."""

import json
import os
import resource
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from swe_assets.errors import InputError, StoreError
from swe_assets.llm.answer_lines import AnswerLines, PinsChangedError, changed_pins, finished, read_lines
from swe_assets_tests.shared_data import CHECKOUT, blind_cases

ONE, TWO = {"id": 1, "answer": "ok"}, {"id": 2, "answer": "ok"}
WRITER = """
import sys, pathlib
from swe_assets.llm.answer_lines import AnswerLines
lines, name = AnswerLines(pathlib.Path(sys.argv[1])), sys.argv[2]
for n in range(int(sys.argv[3])):
    lines.append({"id": f"{name}-{n}", "answer": "x" * (n * 37 % 9000)  + "\\u2028é"})
    print(f"{name}-{n}", flush=True)
"""


def writer(path: Path, name: str, count: int) -> subprocess.Popen[str]:
    """Start a process that appends so many answers and says each id once it is on the disk."""
    command = [sys.executable, "-c", WRITER, str(path), name, str(count)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True, cwd=CHECKOUT)


def case(name: str) -> list[Any]:
    """Return the resume cases whose input has a key."""
    return [pytest.param(c, id=c["id"]) for c in blind_cases("resume") if name in c["input"]]


@pytest.mark.parametrize("case", case("file"))
def test_the_resume_cases(case: dict[str, Any], tmp_path: Path) -> None:
    """Each recorded file keeps, counts as done and runs again what it should."""
    path, given, expected = tmp_path / "a.jsonl", case["input"], case["expected"]
    path.write_bytes(given["file"].encode("utf-8"))
    lines = AnswerLines(path)
    if "then_append" in given:
        lines.append(json.loads(given["then_append"]))
    found = lines.read()
    assert [record["id"] for record in found.records] == expected.get(
        "kept", [r["id"] for r in found.records]
    )
    assert list(found.answers()) == expected.get("done", list(found.answers()))
    assert found.to_run() == expected.get("to_run", [])


@pytest.mark.parametrize("case", case("bank_hash_now"))
def test_a_changed_bank_is_not_resumed(case: dict[str, Any], tmp_path: Path) -> None:
    """A round goes on only with the bank that it was begun with."""
    AnswerLines(tmp_path / "a.jsonl", {"bank": case["input"]["bank_hash_before"]}).append(ONE)
    with pytest.raises(PinsChangedError, match="begin a new file") as raised:
        AnswerLines(tmp_path / "a.jsonl", {"bank": case["input"]["bank_hash_now"]})
    assert raised.value.error == case["expected"]["error"]


def test_the_same_pins_go_on(tmp_path: Path) -> None:
    """With equal pins the file is taken up again; one that was begun without any is not."""
    pins = {"bank": "aa", "rubric": "r1", "model": "m-001"}
    AnswerLines(tmp_path / "a.jsonl", pins).append(ONE)
    assert AnswerLines(tmp_path / "a.jsonl", pins).read().records == (ONE,)
    assert changed_pins(pins, {**pins, "model": "m-002", "new": "x"}) == ("model", "new")
    AnswerLines(tmp_path / "b.jsonl").append(ONE)
    with pytest.raises(PinsChangedError):
        AnswerLines(tmp_path / "b.jsonl", pins)


@pytest.mark.parametrize(
    ("content", "ids", "damaged", "torn"),
    [
        (b"", [], 0, 0),
        (b'{"id": 1}', [1], 0, 0),
        (b'{"id": 1}\n', [1], 0, 0),
        (b'\xef\xbb\xbf{"id": 1}\r\n\r\n', [1], 0, 0),
        (b'{"id": 1}\n{"id": 2, "ans', [1], 1, 14),
        (b'{"id": 1}\n{"id": 2}{"id": 3, "a', [1, 2], 1, 12),
        (b'{"id": 1, "a": "\xff"}\n{"id": 2, "a": "\xc3', [], 2, 17),
        (b'{"id": 1}{"id": 2}\n', [1, 2], 0, 0),
        (b'{"id": 1, "a{"id": 2}\n{"id": 3}\n', [3], 1, 0),
        (b'{"id": 1} x\n{"id": 2}\n', [1, 2], 1, 0),
        (b'{"id": 1}\n\xff\xfe\n{"id": 2}\n', [1, 2], 1, 0),
        (b'{"a": 1}\n[1]\n7\n{"id": null}\n{"id": true}\n', [], 5, 0),
        (b"\x00\x00\x00", [], 1, 3),
        ('{"id": "\u2028\x85\u2029"}\n'.encode(), ["\u2028\x85\u2029"], 0, 0),
        (b'{"id":' + b"[" * 100_000 + b"\n", [], 1, 0),
    ],
)
def test_what_is_read(content: bytes, ids: list[Any], damaged: int, torn: int) -> None:
    """Whole records are read whatever stands around them, and what is not whole is counted."""
    found = read_lines(content)
    assert ([record["id"] for record in found.records], found.damaged, found.torn) == (ids, damaged, torn)


@pytest.mark.parametrize(
    ("record", "done"),
    [
        ({"answer": "ok"}, True),
        ({"answer": 0}, True),
        ({"answer": "I can't help.", "outcome": "refusal"}, True),
        ({"answer": "ok", "error": None}, True),
        ({"answer": "part", "error": "timeout"}, False),
        ({"error": "timeout"}, False),
        ({"answer": None}, False),
        ({"answer": " "}, False),
        ({}, False),
    ],
)
def test_what_is_a_finished_answer(record: dict[str, Any], done: bool) -> None:
    """An error of the machinery, no answer and a blank one are asked for again."""
    assert finished(record) is done


def test_duplicates_by_id() -> None:
    """The first finished answer of an id stays, and an error before or after it changes nothing."""
    rows = [
        {"id": 1, "error": "x"},
        {"id": 1, "answer": "a"},
        {"id": 1, "answer": "b"},
        {"id": 1, "error": "y"},
    ]
    found = read_lines("\n".join(map(json.dumps, rows)).encode())
    assert found.answers() == {1: {"id": 1, "answer": "a"}}
    assert found.to_run([3, 1, 2, 3]) == [3, 2]


@pytest.mark.parametrize("cut", range(1, 28))
def test_a_torn_last_record_is_cut(cut: int, tmp_path: Path) -> None:
    """Wherever a write was torn, the next one follows the last whole record."""
    path = tmp_path / "a.jsonl"
    AnswerLines(path).append(ONE, TWO)
    os.truncate(path, path.stat().st_size - cut)
    whole = cut == 1
    AnswerLines(path).append({"id": 3, "answer": "ok"})
    found = AnswerLines(path).read()
    assert [record["id"] for record in found.records] == ([1, 2, 3] if whole else [1, 3])
    assert (found.damaged, path.read_bytes().count(b"\n")) == (0, 3 if whole else 2)


def test_a_whole_record_before_a_torn_one_stays(tmp_path: Path) -> None:
    """What another writer glued a torn record to is kept and given its newline."""
    path = tmp_path / "a.jsonl"
    path.write_bytes(json.dumps(ONE).encode() + b'{"id": 7, "ans')
    AnswerLines(path).append(TWO)
    assert path.read_bytes() == f"{json.dumps(ONE)}\n{json.dumps(TWO)}\n".encode()


@given(st.lists(st.dictionaries(st.text(), st.text() | st.integers() | st.none(), max_size=3), max_size=5))
def test_any_record_comes_back(tmp_path_factory: pytest.TempPathFactory, rows: list[dict[str, Any]]) -> None:
    """Whatever a record holds, it is read as it was written."""
    records = tuple({**row, "id": number} for number, row in enumerate(rows))
    lines = AnswerLines(tmp_path_factory.mktemp("lines") / "a.jsonl")
    lines.append(*records)
    assert (lines.read().records, lines.read().damaged) == (records, 0)


def test_four_processes_write_one_file(tmp_path: Path) -> None:
    """Every answer of four writers at once is there once and whole."""
    running = [writer(tmp_path / "a.jsonl", name, 25) for name in "abcd"]
    assert all(process.wait(60) == 0 for process in running)
    for process in running:
        process.communicate()
    found = AnswerLines(tmp_path / "a.jsonl").read()
    assert (len(found.records), len(found.answers()), found.damaged) == (100, 100, 0)


def test_threads_share_one_file(tmp_path: Path) -> None:
    """Appends of eight threads neither mix nor overwrite each other."""
    lines = AnswerLines(tmp_path / "a.jsonl")
    threads = [
        threading.Thread(target=lines.append, args=({"id": n, "answer": "x" * (n * 999 + 1)},))
        for n in range(8)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(lines.read().answers()) == list(range(8))


def test_a_killed_writer_loses_nothing_that_it_said(tmp_path: Path) -> None:
    """Killed at any moment, every answer that was acknowledged is there, and the next writer goes on."""
    path, said = tmp_path / "a.jsonl", []
    for round_ in range(4):
        process = writer(path, f"r{round_}", 10_000)
        assert process.stdout is not None
        said += [process.stdout.readline().strip() for _ in range(20 + 13 * round_)]
        process.send_signal(signal.SIGKILL)
        said += process.communicate()[0].split("\n")[:-1]
    AnswerLines(path).append(ONE)
    found = AnswerLines(path).read()
    assert set(said) <= found.answers().keys()
    assert (found.damaged, found.records[-1]) == (0, ONE)


def test_what_cannot_be_appended(tmp_path: Path) -> None:
    """A record without an id or that is not JSON is refused, and nothing is written."""
    lines = AnswerLines(tmp_path / "a.jsonl")
    for record in ({"answer": "x"}, {"id": None}, {"id": 1, "answer": float("nan")}, {"id": 1, "x": b""}):
        with pytest.raises(InputError):
            lines.append(ONE, record)
    assert lines.read().records == ()


def test_a_full_disk_leaves_the_file_as_it_was(tmp_path: Path) -> None:
    """Where the disk takes only a part, that part is taken back and the error says so."""
    path = tmp_path / "a.jsonl"
    AnswerLines(path).append(ONE)
    before, limits = path.read_bytes(), resource.getrlimit(resource.RLIMIT_FSIZE)
    handler = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (len(before) + 50, limits[1]))
    try:
        with pytest.raises(StoreError, match="free space"):
            AnswerLines(path).append({"id": 2, "answer": "x" * 500})
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limits)
        signal.signal(signal.SIGXFSZ, handler)
    assert path.read_bytes() == before


def test_a_folder_in_its_place(tmp_path: Path) -> None:
    """What is no file is said."""
    with pytest.raises(StoreError):
        AnswerLines(tmp_path).read()
