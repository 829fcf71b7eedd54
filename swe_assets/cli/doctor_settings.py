"""Where everything lies, whether it can be written, and which keys are set."""

import os
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path

from swe_assets import home
from swe_assets.cli.findings import Finding, optional, required
from swe_assets.errors import ConfigurationError

ROOM_NEEDED = 1_000_000_000
"""Bytes that a study needs on disk; mirrors of SWE-bench's twelve repositories need twice that beside."""


def reachable() -> Iterator[Finding]:
    """Yield the findings on SWE_ASSETS_HOME, on the room there, and on Dagster's records."""
    writable = home_writable()
    yield writable
    yield room()
    if not writable.lacks:
        yield dagster_records()


def home_writable() -> Finding:
    """Say whether a file can be written in SWE_ASSETS_HOME."""
    folder = home.home()
    mend = "make the folder writable, or set SWE_ASSETS_HOME to one that is"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=folder, prefix=".doctor-"):
            pass
    except OSError as wrong:
        return required(
            "reachable", "SWE_ASSETS_HOME", well=False, value=f"{folder}: {wrong.strerror}", mend=mend
        )
    return required("reachable", "SWE_ASSETS_HOME", well=True, value=str(folder), mend=mend)


def room() -> Finding:
    """Say whether the disk under SWE_ASSETS_HOME has room for a study."""
    folder = home.home()
    existing = next(path for path in (folder, *folder.parents) if path.exists())
    free = shutil.disk_usage(existing).free
    mend = "make room, or set SWE_ASSETS_HOME to a folder on a larger disk"
    value = f"{free / 1e9:.1f} GB free, {ROOM_NEEDED / 1e9:.0f} GB needed"
    return required("reachable", "disk", well=free >= ROOM_NEEDED, value=value, mend=mend)


def dagster_records() -> Finding:
    """Say whether Dagster's records open and answer."""
    from swe_assets.storage.instance import open_instance, place_of

    where = os.environ.get("DAGSTER_HOME") or str(home.dagster_home())
    try:
        with open_instance() as instance:
            count = instance.get_runs_count()
            place = place_of(instance)
        where = where if place is None else f"{place.shown} ({place.source})"
    except ConfigurationError as wrong:
        return required("reachable", "Dagster's records", well=False, value=str(wrong), mend="as it says")
    except Exception as wrong:  # whatever Dagster or a database says is the finding
        said = f"{where}: {type(wrong).__name__}: {str(wrong).splitlines()[0] if str(wrong) else ''}"
        mend = (
            "check dagster.yaml and DAGSTER_HOME; or move that folder away: only records of runs go with it"
        )
        return required("reachable", "Dagster's records", well=False, value=said, mend=mend)
    return required("reachable", "Dagster's records", well=True, value=f"{where}, {count} runs", mend="")


def configured() -> Iterator[Finding]:
    """Yield for each key and each model of models.toml whether it is set and where, never what it is."""
    from swe_assets.llm.providers import DEFAULT_KEYS

    for provider, name in DEFAULT_KEYS.items():
        mend = f"only the judge {provider} needs it: export {name}=…, or write it into {home.home() / '.env'}"
        yield optional("configured", name, there=key_is_set(name), value=key_source(name), mend=mend)
    yield from named_models()


def named_models() -> Iterator[Finding]:
    """Yield each model of models.toml with whether its key is there; a lack where the file is wrong."""
    from swe_assets.llm.spec_file import place, specs

    try:
        named = specs()
    except ConfigurationError as wrong:
        yield required("configured", "models.toml", well=False, value=str(wrong), mend="as it says")
        return
    for name, spec in named.items():
        where = f"{spec.provider} {spec.model}{f' at {spec.base_url}' if spec.base_url else ''}"
        key = f"{spec.key} {key_source(spec.key)}" if spec.key else "no key needed"
        mend = f"only a study with the judge {name} needs it: set {spec.key}, or change {place()}"
        there = spec.key is None or key_is_set(spec.key)
        yield optional("configured", f"model {name}", there=there, value=f"{where}, {key}", mend=mend)


def key_is_set(name: str) -> bool:
    """Say whether a key can be found and looks like one."""
    from swe_assets.llm.keys import find_key

    try:
        find_key(name)
    except ConfigurationError:
        return False
    return True


def key_source(name: str) -> str:
    """Say in words where a key is set: in the environment, in .env or not at all."""
    if not key_is_set(name):
        return "set, but not usable" if os.environ.get(name, "").strip() else "not set"
    if os.environ.get(name, "").strip():
        return "set in the environment"
    return f"set in {Path(home.home()) / '.env'}"
