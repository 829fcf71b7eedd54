"""The measures below a project or module: files by path, modules by name, never one added to the other."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from swe_assets.errors import SonarReplyError
from swe_assets.sonarqube.measures import FILES, Found, Measures, measures_of
from swe_assets.sonarqube.metrics import Metric


@dataclass(frozen=True)
class Tree:
    """A component with what is below it, in the server's order.

    ``files``: by path from the project's root. ``children``: by the first segment of their path below the
    component, which is the module's name, because folders with a single child collapse into one component;
    files directly below are there too.
    """

    own: Measures
    children: Mapping[str, Measures]
    files: Mapping[str, Measures]

    @property
    def unparsed(self) -> tuple[str, ...]:
        """Return the paths of the files that did not parse."""
        return tuple(path for path, measures in self.files.items() if measures.parsed is False)


def tree_of(
    base: Found,
    children: Sequence[Found],
    files: Sequence[Found],
    metrics: Sequence[Metric],
    asked: Sequence[str] = (),
) -> Tree:
    """Return the tree of a component, its children and its files as they were found.

    A child's totals need each of its files to have parsed: see `measures_of`. Raises SonarReplyError where
    two children have one name.
    """
    leaves = {one.path: measures_of(one, metrics, asked=asked) for one in files if one.qualifier in FILES}
    broken = [path for path, measures in leaves.items() if measures.parsed is False]
    named: dict[str, Measures] = {}
    for child in children:
        name = child_name(child.path, base.path)
        if name in named:
            raise SonarReplyError(
                f"two children of {base.key!r} are called {name!r}: scan them in projects of their own"
            )
        named[name] = measures_of(child, metrics, below(broken, child.path), asked=asked)
    return Tree(measures_of(base, metrics, broken), named, leaves)


def child_name(path: str, base: str = "") -> str:
    """Return the first segment of a child's path below a component.

    >>> child_name("inst1/a/b")
    'inst1'
    """
    inner = path[len(base) + 1 :] if base and path.startswith(f"{base}/") else path
    return inner.split("/", 1)[0]


def below(paths: Sequence[str], folder: str) -> list[str]:
    """Return the paths that are a folder's own or lie below it."""
    return [path for path in paths if path == folder or path.startswith(f"{folder}/")]
