"""docker/compose.yaml as a program reads it: merged, with its variables at their defaults."""

import re
from dataclasses import dataclass
from typing import Any

import yaml

from swe_assets.home import CHECKOUT

FOLDER = CHECKOUT / "docker"
FILE = FOLDER / "compose.yaml"
VARIABLE = re.compile(r"(?<!\$)\$\{(\w+):-([^}]*)\}")


@dataclass(frozen=True)
class Service:
    """One service of compose.yaml."""

    name: str
    settings: dict[str, Any]

    @property
    def command(self) -> list[str]:
        """Return the command's words; a dollar sign is written twice in the file."""
        return [word.replace("$$", "$") for word in self.settings.get("command", [])]

    @property
    def check(self) -> list[str]:
        """Return the words of the health check's command, nothing where it is switched off."""
        test = self.settings.get("healthcheck", {}).get("test", ["CMD"])
        assert test[0] == "CMD", test
        return list(test[1:])

    @property
    def environment(self) -> dict[str, str]:
        """Return the variables that are set for certain; those without a value come from outside."""
        return {
            name: value for name, value in self.settings.get("environment", {}).items() if value is not None
        }

    @property
    def is_ours(self) -> bool:
        """Say whether the service runs our image."""
        return bool(self.settings["image"].startswith("swe-assets:"))

    @property
    def ends(self) -> bool:
        """Say whether the service does one thing and ends."""
        return bool(self.settings["restart"] != "unless-stopped")


def document() -> dict[str, Any]:
    """Return the file with anchors merged and each `${NAME:-value}` replaced by its value."""
    text = VARIABLE.sub(lambda found: found[2], FILE.read_text(encoding="utf-8"))
    loaded: dict[str, Any] = yaml.safe_load(text)
    return loaded


def services() -> dict[str, Service]:
    """Return the services by name."""
    return {name: Service(name, settings) for name, settings in document()["services"].items()}


def floors() -> dict[str, Service]:
    """Return the code servers by name: the services that all others of ours wait for."""
    return {name: service for name, service in services().items() if name in document()["x-floors"]}


def workspace() -> list[dict[str, Any]]:
    """Return the entries of docker/workspace.yaml."""
    loaded = yaml.safe_load((FOLDER / "workspace.yaml").read_text(encoding="utf-8"))
    return [entry["grpc_server"] for entry in loaded["load_from"]]
