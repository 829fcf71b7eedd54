"""What the sample's users report, in English, Portuguese and Chinese."""

import doctest
import json

from swe_assets.patch_quality.sample.material import FOLDER, function_name
from swe_assets.patch_quality.sample.task import Task, draw

REPORTS: dict[str, dict[str, str]] = json.loads((FOLDER / "reports.json").read_text(encoding="utf-8"))
"""A title and a report for each right edit, in three languages."""

CLOSINGS = (
    "",
    "Happy to send a patch if somebody tells me where to start.",
    "This worked in an older version, or nobody noticed.\n\nPython 3.11, Linux, package version {version}.",
    "The same may be true of its neighbours in `{module}`; I looked at this one only.",
)


def problem_statement(task: Task) -> str:
    """Return the issue's text: a title, a report, often an example; every fifth has CRLF line ends."""
    language = ("en", "en", "en", "pt", "en", "zh", "en", "pt")[draw(8, task.instance_id, "language")]
    closing = CLOSINGS[draw(len(CLOSINGS), task.instance_id, "closing")]
    example = _example(task) if draw(3, task.instance_id, "example") else ""
    parts = [REPORTS[task.right][language], example, closing]
    text = "\n\n".join(filter(None, parts)).replace("{function}", task.function)
    words = {"module": task.module.name, "parameter": parameter(task), "version": f"0.{task.commit + 1}.0"}
    for name, word in words.items():
        text = text.replace("{" + name + "}", word)
    return text.replace("\n", "\r\n") if draw(5, task.instance_id, "ends") == 0 else text


def block_of(task: Task) -> str:
    """Return the source of the function that the issue is about."""
    return next(block for block in task.module.functions if function_name(block) == task.function)


def parameter(task: Task) -> str:
    """Return the name of that function's first parameter."""
    return block_of(task).split("(", 1)[1].split(")", 1)[0].split(",")[0].split("=")[0]


def _example(task: Task) -> str:
    found = doctest.DocTestParser().get_examples(block_of(task))
    shown = "\n".join(f">>> {example.source}{example.want.strip()}" for example in found)
    return f"For reference, what does work today:\n\n```python\n{shown}\n```"
