"""How the tests of the eight keys state what they expect."""

from swe_assets.analysers.python.structure import measure_structure


def measured(source: str | bytes, *keys: str) -> tuple[int, ...]:
    """Return the named measures of a source that must parse."""
    content = source if isinstance(source, bytes) else source.encode()
    found = measure_structure(content)
    assert found.reason is None, found.reason
    return tuple(found.measures[key] for key in keys)


def refusal(source: str | bytes) -> str:
    """Return the reason a source does not parse, or an empty text where it does."""
    content = source if isinstance(source, bytes) else source.encode()
    return measure_structure(content).reason or ""
