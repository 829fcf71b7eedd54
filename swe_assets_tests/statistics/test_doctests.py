"""The examples in the statistics' docstrings."""

import doctest
import importlib
import inspect
import pkgutil

import pytest

import swe_assets.statistics as statistics

MODULES = [f"swe_assets.statistics.{module.name}" for module in pkgutil.iter_modules(statistics.__path__)]
PUBLIC = [name for name in statistics.__all__ if name != "Undefined"]


@pytest.mark.parametrize("name", MODULES)
def test_examples_run(name: str) -> None:
    """Each example gives what its docstring prints."""
    assert doctest.testmod(importlib.import_module(name)).failed == 0


@pytest.mark.parametrize("name", PUBLIC)
@pytest.mark.parametrize("part", ["Formula:", "Reading:", "Undefined", "Reference:", ">>>"])
def test_docstring_is_complete(name: str, part: str) -> None:
    """A public statistic says its formula, reading, undefined case and reference, and shows an example."""
    assert part in (inspect.getdoc(getattr(statistics, name)) or "")
