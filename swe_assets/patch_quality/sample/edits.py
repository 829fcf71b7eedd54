"""Changes to a function, from one character to a helper with branches: what a fix looks like."""

import ast
import re
from collections.abc import Callable


class Edit:
    """A module's source, ready to have one of its functions changed."""

    def __init__(self, source: str, function: str) -> None:
        """Find the function; a KeyError says that the module has none of that name."""
        self.lines = source.splitlines()
        nodes = {node.name: node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}
        self.node = nodes[function]
        self.name = function

    @property
    def parameter(self) -> str:
        """Return the name of the function's first parameter."""
        return self.node.args.args[0].arg

    @property
    def body_line(self) -> int:
        """Return the place in `lines` where the function's code begins, after its docstring."""
        return self.node.body[1].lineno - 1

    @property
    def end_line(self) -> int:
        """Return the place in `lines` just behind the function."""
        return self.node.end_lineno or len(self.lines)

    def insert(self, place: int, text: str) -> None:
        """Put lines in before a place."""
        self.lines[place:place] = text.split("\n")

    def text(self) -> str:
        """Return the source as it is now."""
        return "\n".join(self.lines) + "\n"


def guard_none(edit: Edit) -> None:
    """Refuse None where the function begins."""
    edit.insert(
        edit.body_line,
        f"    if {edit.parameter} is None:\n"
        f'        raise ValueError("{edit.name}: {edit.parameter} must not be None")',
    )


def empty_result(edit: Edit) -> None:
    """Give back what is empty as it came."""
    edit.insert(edit.body_line, f"    if not {edit.parameter}:\n        return {edit.parameter}")


def other_comparison(edit: Edit) -> None:
    """Let a comparison take its limit in, or out; a function without one refuses None instead."""
    swap = {"<": "<=", ">": ">=", "<=": "<", ">=": ">"}
    for place in range(edit.body_line, edit.end_line):
        line = edit.lines[place]
        if "#" not in line and re.search(r" [<>]=? ", line):
            edit.lines[place] = re.sub(r" ([<>]=?) ", lambda sign: f" {swap[sign[1]]} ", line, count=1)
            return
    guard_none(edit)


def drop_none(edit: Edit) -> None:
    """Leave the gaps out of a list before it is used."""
    name = edit.parameter
    edit.insert(
        edit.body_line,
        f"    if isinstance({name}, list):\n        {name} = [item for item in {name} if item is not None]",
    )


def clear_error(edit: Edit) -> None:
    """Put a wrapper with a clear error around the function."""
    name, value = edit.name, edit.parameter
    head = edit.lines[edit.node.lineno - 1]
    given = ", ".join(argument.arg for argument in edit.node.args.args)
    edit.lines[edit.node.lineno - 1] = head.replace(f"def {name}(", f"def _{name}(", 1)
    edit.insert(
        edit.end_line,
        f"\n\n{head}\n"
        f'    """Do as _{name} does, with an error that names the value."""\n'
        f"    try:\n        return _{name}({given})\n"
        f"    except (TypeError, KeyError, IndexError) as wrong:\n"
        f'        raise ValueError(f"{name} cannot use {{{value}!r}}") from wrong',
    )


def checked_input(edit: Edit) -> None:
    """Send the first argument through a helper that knows each kind of value."""
    name = edit.parameter
    edit.insert(edit.body_line, f"    {name} = _checked_{edit.name}({name})")
    edit.insert(
        edit.node.lineno - 1,
        f"def _checked_{edit.name}(value):\n"
        f'    """Bring what {edit.name} is given into one form."""\n'
        f"    if isinstance(value, str):\n"
        f"        if not value.strip():\n"
        f'            raise ValueError("{edit.name}: nothing but white space")\n'
        f"        return value\n"
        f"    if isinstance(value, list):\n"
        f"        kept = []\n"
        f"        for item in value:\n"
        f"            # Gaps come from exports that leave cells out.\n"
        f"            if item is None or item == '':\n"
        f"                continue\n"
        f"            kept.append(item)\n"
        f"        return kept\n"
        f"    return value\n\n",
    )


def logged(edit: Edit) -> None:
    """Write what came in to the log, with the import that this needs."""
    edit.insert(edit.body_line, f'    LOG.debug("{edit.name} was given %r", {edit.parameter})')
    first = ast.parse(edit.text()).body[0]
    place = first.end_lineno or 1
    edit.insert(place, "\nimport logging\n\nLOG = logging.getLogger(__name__)")


EDITS: dict[str, Callable[[Edit], None]] = {
    edit.__name__: edit
    for edit in (guard_none, empty_result, other_comparison, drop_none, clear_error, checked_input, logged)
}
"""Every edit by its name, from small to large."""


def changed(source: str, function: str, kind: str) -> str:
    """Return a module's source with one edit made to one of its functions; it still parses."""
    edit = Edit(source, function)
    EDITS[kind](edit)
    return edit.text()
