"""What models hand in: good diffs, torn ones, and what is no diff at all; each shape by its name."""

import re
from collections.abc import Callable

from swe_assets.patch_quality.sample.edits import Edit
from swe_assets.patch_quality.sample.task import Task, draw

HUNK = re.compile(r"^@@ -(\d+),(\d+) \+(\d+),(\d+) @@", re.MULTILINE)


def plain(task: Task) -> str:
    """Hand in the chosen edit as git would write it; two of five also touch a neighbour."""
    edits = [(task.function, task.chosen)]
    if draw(5, task.instance_id, "second") < 2:
        edits.append(
            (task.neighbour, ("guard_none", "drop_none", "checked_input")[draw(3, task.instance_id)])
        )
    return task.diff(task.edited(edits))


def several_hunks(task: Task) -> str:
    """Change the top of the file, the function and its neighbour."""
    return task.diff(task.edited([(task.function, "logged"), (task.neighbour, "clear_error")]), context=1)


def no_final_newline(task: Task) -> str:
    """Lose the newline at the end, as a strip() does."""
    return plain(task).removesuffix("\n")


def wrong_counts(task: Task) -> str:
    """Count one line too many on both sides of every hunk."""

    def one_more(hunk: re.Match[str]) -> str:
        old, old_count, new, new_count = map(int, hunk.groups())
        return f"@@ -{old},{old_count + 1} +{new},{new_count + 1} @@"

    return HUNK.sub(one_more, plain(task))


def blank_context_lost(task: Task) -> str:
    """Lose the blank context lines at the end, as a strip() does."""
    source = task.before[task.path].decode()
    places = (Edit(source, task.function), Edit(source, task.neighbour))
    # Two blank lines follow every function but the module's last.
    edit = next(place for place in places if place.end_line < len(place.lines))
    down_to_the_blanks = edit.end_line - edit.body_line + 2
    return task.diff(task.edited([(edit.name, "guard_none")]), context=down_to_the_blanks).strip()


def wrong_lines(task: Task) -> str:
    """Give line numbers a few lines too far down."""
    shift = 2 + draw(9, task.instance_id, "shift")

    def further(hunk: re.Match[str]) -> str:
        old, old_count, new, new_count = map(int, hunk.groups())
        return f"@@ -{old + shift},{old_count} +{new + shift},{new_count} @@"

    return HUNK.sub(further, task.diff(task.edited([(task.function, task.chosen)])))


def null(_: Task) -> None:
    """Hand in nothing: JSON's null."""


def nothing(_: Task) -> str:
    """Hand in an empty text."""
    return ""


def white_space(_: Task) -> str:
    """Hand in blank lines."""
    return "\n  \n"


def prose(task: Task) -> str:
    """Explain the change instead of making it."""
    return (
        f"I looked at `{task.function}` in `{task.path}`. It should check `None` before the value is used.\n"
        "I could not run the tests here, but this should resolve the issue.\n"
    )


def remembered_context(task: Task) -> str:
    """Show a line around the change as it never was."""
    return re.sub(r"^ (?=\S| +\S)(.+)$", r" \1  # as before", plain(task), count=1, flags=re.MULTILINE)


def other_path(task: Task) -> str:
    """Change a file that is not there."""
    return plain(task).replace(task.path, f"src/{task.path}")


def with_picture(task: Task) -> str:
    """Change the logo too, whose bytes a text diff does not carry."""
    picture = task.before["docs/logo.png"]
    return task.diff(task.edited([(task.function, task.chosen)]) | {"docs/logo.png": picture[:-1] + b"\0"})


def outside(task: Task) -> str:
    """Write to a file above the repository."""
    return plain(task).replace(f"/{task.path}", f"/../../{task.path}")


def tests_alone(task: Task) -> str:
    """Add a test and leave the code as it is."""
    path = f"tests/test_{task.module.name}.py"
    test = (
        f"\n\ndef test_{task.function}_exists():\n    assert callable({task.module.name}.{task.function})\n"
    )
    return task.diff(task.before | {path: task.before[path] + test.encode()})


def guide_alone(task: Task) -> str:
    """Describe the behaviour in the guide and leave the code as it is."""
    note = f"\nNote: `{task.function}` does not take `None`.\n"
    return task.diff(task.before | {"docs/guide.md": task.before["docs/guide.md"] + note.encode()})


def broken_syntax(task: Task) -> str:
    """Forget the colon that ends the function's first line."""
    after = task.edited([(task.function, task.right)])
    source = after[task.path].decode()
    torn = re.sub(rf"^(def {task.function}\(.*\)):$", r"\1", source, count=1, flags=re.MULTILINE)
    return task.diff(after | {task.path: torn.encode()})


def added_file(task: Task) -> str:
    """Put a new module beside the one that changes."""
    name = f"{task.repository.name}/errors.py"
    text = (
        f'"""Errors of {task.repository.name}."""\n\n\nclass {task.module.name.title()}Error(ValueError):\n'
    )
    body = f'    """What {task.function} cannot use."""\n'
    return task.diff(task.edited([(task.function, task.chosen)]) | {name: (text + body).encode()})


def deleted_file(task: Task) -> str:
    """Take the module away, and its tests with it."""
    gone = {task.path, f"tests/test_{task.module.name}.py"}
    return task.diff({path: content for path, content in task.before.items() if path not in gone})


def moved_file(task: Task) -> str:
    """Give the module another name and nothing else."""
    return _moved(task, task.before[task.path])


def moved_and_changed(task: Task) -> str:
    """Give the module another name and make the edit there."""
    return _moved(task, task.edited([(task.function, task.chosen)])[task.path])


def _moved(task: Task, content: bytes) -> str:
    new = task.path.replace(".py", "_core.py")
    after = {path: kept for path, kept in task.before.items() if path != task.path} | {new: content}
    return task.diff(after, moved={new: task.path})


SHAPES: dict[str, tuple[Callable[[Task], str | None], int, str]] = {
    "no_final_newline": (no_final_newline, 4, "applied_newline_repair"),
    "wrong_counts": (wrong_counts, 3, "applied_recount"),
    "blank_context_lost": (blank_context_lost, 2, "applied_recount"),
    "wrong_lines": (wrong_lines, 4, "applied_offset"),
    "null": (null, 1, "empty"),
    "nothing": (nothing, 1, "empty"),
    "white_space": (white_space, 1, "empty"),
    "prose": (prose, 2, "not_a_diff"),
    "remembered_context": (remembered_context, 2, "does_not_apply"),
    "other_path": (other_path, 2, "target_missing"),
    "with_picture": (with_picture, 1, "binary"),
    "outside": (outside, 1, "refused"),
    "tests_alone": (tests_alone, 1, "applied_exact"),
    "guide_alone": (guide_alone, 1, "applied_exact"),
    "broken_syntax": (broken_syntax, 2, "applied_exact"),
    "added_file": (added_file, 2, "applied_exact"),
    "deleted_file": (deleted_file, 1, "applied_exact"),
    "moved_file": (moved_file, 1, "applied_exact"),
    "moved_and_changed": (moved_and_changed, 1, "applied_exact"),
    "several_hunks": (several_hunks, 4, "applied_exact"),
    "plain": (plain, 0, "applied_exact"),
}
"""Each shape: its maker, how many instances have it (plain: all others), the outcome it must have."""
