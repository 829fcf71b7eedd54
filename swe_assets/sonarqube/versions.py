"""Which server, analyser and rules the numbers come from."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from swe_assets.errors import SonarReplyError


@dataclass(frozen=True)
class ServerVersions:
    """What measures depend on; ``python_plugin`` is None where the token may not see the plugins.

    ``profile_updated_at`` is when the quality profile's rules last changed, ISO 8601 as the server writes it;
    ``active_rules`` how many of its rules are on.
    """

    server: str
    python_plugin: str | None
    profile_key: str
    profile_name: str
    profile_updated_at: str | None
    active_rules: int | None


@dataclass(frozen=True)
class Profile:
    """A quality profile of Python."""

    key: str
    name: str
    updated_at: str | None
    active_rules: int | None


def plugin_version(reply: Mapping[str, Any], key: str = "python") -> str | None:
    """Return a plugin's version with its build from api/plugins/installed, None where it is not there."""
    rows = reply.get("plugins")
    found = (
        [row for row in rows if isinstance(row, Mapping) and row.get("key") == key]
        if isinstance(rows, list)
        else []
    )
    version = found[0].get("version") if found else None
    return version if isinstance(version, str) else None


def python_profile(reply: Mapping[str, Any], *, default: bool) -> Profile:
    """Return the Python profile of a reply of api/qualityprofiles/search: the default one, or a project's.

    A project's reply holds just the profiles in use there. Raises SonarReplyError where there is none.
    """
    rows = reply.get("profiles")
    found = (
        [row for row in rows if isinstance(row, Mapping) and row.get("language") == "py"]
        if isinstance(rows, list)
        else []
    )
    if default:
        found = [row for row in found if row.get("isDefault") is True]
    if not found:
        raise SonarReplyError(
            "the server has no quality profile for Python: install or enable its Python plugin "
            "(Administration > Marketplace), then run again"
        )
    row = found[0]
    count = row.get("activeRuleCount")
    return Profile(
        str(row.get("key", "")),
        str(row.get("name", "")),
        row["rulesUpdatedAt"] if isinstance(row.get("rulesUpdatedAt"), str) else None,
        count if isinstance(count, int) else None,
    )
