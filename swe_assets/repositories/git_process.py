"""How git is run here: no user configuration, no prompt, no hook, English messages."""

import os
import re
import shutil

from swe_assets.errors import ConfigurationError

_CONTAINED = {
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_NO_REPLACE_OBJECTS": "1",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "LC_ALL": "C",
}
_CONFIG = {
    "core.autocrlf": "false",
    "core.attributesFile": os.devnull,
    "core.hooksPath": os.devnull,
    "core.protectHFS": "true",
    "core.protectNTFS": "true",
    "core.fsmonitor": "false",
    "safe.directory": "*",
}
_NETWORK_KEPT = (
    "GIT_SSH",
    "GIT_SSH_COMMAND",
    "GIT_SSL_CAINFO",
    "GIT_SSL_CAPATH",
    "GIT_CONFIG_GLOBAL",
    "GIT_CONFIG_SYSTEM",
    "GIT_CONFIG_NOSYSTEM",
)
_USERINFO = re.compile(r"(?<=://)[^\s/@]*(?:@[^\s/@]*)*@")


def git_path() -> str:
    """Return where git is, or raise ConfigurationError where it is not installed."""
    found = shutil.which("git")
    if found is None:
        raise ConfigurationError("git is needed and was not found on PATH; install git 2.34 or newer")
    return found


def own_environment() -> dict[str, str]:
    """Return this process's environment without any GIT_ variable: none may steer our git."""
    return {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}


def with_config(environment: dict[str, str], settings: dict[str, str]) -> dict[str, str]:
    """Return the environment with git settings at command scope, where safe.directory counts too."""
    numbered = {"GIT_CONFIG_COUNT": str(len(settings))}
    for number, (name, value) in enumerate(settings.items()):
        numbered |= {f"GIT_CONFIG_KEY_{number}": name, f"GIT_CONFIG_VALUE_{number}": value}
    return environment | numbered


def contained_environment(**extra: str) -> dict[str, str]:
    """Return the environment for a git that only reads local objects: nothing else steers it, no network."""
    return with_config(own_environment() | _CONTAINED, _CONFIG) | extra


def network_environment(protocols: str) -> dict[str, str]:
    """Return the environment for a git that clones or fetches by these protocols, as `https:ssh`.

    The user's own settings stay in force, since a proxy or a certificate may stand there; nothing is asked.
    """
    kept = {name: os.environ[name] for name in _NETWORK_KEPT if name in os.environ}
    quiet = {
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_ASKPASS": "",
        "GIT_ALLOW_PROTOCOL": protocols,
        "GIT_HTTP_LOW_SPEED_LIMIT": "1000",
        "GIT_HTTP_LOW_SPEED_TIME": "60",
        "LC_ALL": "C",
    }
    ssh = {"GIT_SSH_COMMAND": "ssh -oBatchMode=yes -oConnectTimeout=30"}
    return with_config(own_environment() | ssh | kept | quiet, {"core.hooksPath": os.devnull})


def scrub(text: str) -> str:
    """Return the text without user names, passwords and tokens in the addresses it quotes."""
    return _USERINFO.sub("", text)
