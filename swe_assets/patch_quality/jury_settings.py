"""Which judges may sit together, and what is to be said of a jury that comes from one house."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from swe_assets.errors import ConfigurationError

if TYPE_CHECKING:
    from swe_assets.llm.protocol import ChatModel

MOST_JUDGES = 15


def check_jury(judges: Sequence[str]) -> None:
    """Raise ConfigurationError for no judge, too many of them, or one that is named twice."""
    twice = sorted({name for name in judges if judges.count(name) > 1})
    if twice:
        raise ConfigurationError(f"the judge {twice[0]!r} is named twice: a jury has each judge once")
    if not 1 <= len(judges) <= MOST_JUDGES:
        raise ConfigurationError(f"{len(judges)} judges are named: give 1 to {MOST_JUDGES}")


def shared_houses(models: Mapping[str, "ChatModel"]) -> dict[str, list[str]]:
    """Return the services that answer for more than one judge of a jury, each with these judges' names.

    A service is a provider, and its address where that is told.
    """
    found: dict[str, list[str]] = {}
    for name, model in models.items():
        told = model.provenance()
        house = " at ".join(filter(None, (told.get("provider", name), told.get("base_url"))))
        found.setdefault(house, []).append(name)
    return {house: names for house, names in found.items() if len(names) > 1}


def of_one_house(house: str, names: Sequence[str]) -> str:
    """Return what is to be said of judges that one service answers for."""
    return f"{', '.join(names)} are of one service, {house}: they may err alike"
