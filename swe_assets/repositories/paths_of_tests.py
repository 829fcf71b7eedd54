"""The one rule that says which files of a repository are tests."""

_FOLDERS = frozenset({"test", "tests", "testing", "testsuite", "test_suite"})


def is_test_path(path: str) -> bool:
    """Say whether a path, relative to the repository's root, is a test by its name alone.

    A file is a test when one of these holds, in lower case:

    * a folder above it is called `test`, `tests`, `testing`, `testsuite` or `test_suite`, or begins with
      `test_` or `tests_` or ends with `_test` or `_tests`; data below such a folder counts too;
    * it is called `test_*.py`, `*_test.py`, `test.py`, `tests.py`, `*_tests.py` or `conftest.py`.

    Nothing is read: `django/test/client.py`, which ships with Django, counts as a test by its folder, and
    `docs/testing.txt` does not.
    """
    *folders, name = path.lower().split("/")
    return any(map(_is_test_folder, folders)) or _is_test_file(name)


def _is_test_folder(name: str) -> bool:
    return name in _FOLDERS or name.startswith(("test_", "tests_")) or name.endswith(("_test", "_tests"))


def _is_test_file(name: str) -> bool:
    if not name.endswith(".py"):
        return False
    stem = name.removesuffix(".py")
    return (
        stem in ("test", "tests", "conftest")
        or stem.startswith("test_")
        or stem.endswith(("_test", "_tests"))
    )
