"""Which addresses a mirror may come from: https, ssh and local paths, and no other."""

import re
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit

from swe_assets.errors import MirrorError
from swe_assets.repositories.git_process import scrub

_REPOSITORY = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}/[A-Za-z0-9._-]{1,100}")
_SCP = re.compile(r"(?:[A-Za-z0-9_][A-Za-z0-9._-]*@)?[A-Za-z0-9][A-Za-z0-9.-]*:(?![:-])[^:\s]+")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*:(?://|:)")


@dataclass(frozen=True, slots=True)
class Source:
    """Where a mirror comes from: a local `path`, or an address `url` that git can clone; never both."""

    path: Path | None = None
    url: str = ""


def checked_repository(name: str) -> str:
    """Return a repository's name (`owner/name`) as it came, or raise MirrorError where it is none."""
    if not _REPOSITORY.fullmatch(name) or name.split("/")[1] in (".", ".."):
        raise MirrorError(f"{name!r:.120} was asked for as a repository; a name reads owner/name")
    return name


def source_of(text: str) -> Source:
    """Return what an address stands for; raise MirrorError for all but https, ssh and local paths.

    Accepted: `https://host/path`, `ssh://[user@]host/path`, `[user@]host:path`, `file:///path` and paths.
    Refused: `http://`, `git://`, `ext::` and other helpers, anything that begins with a minus or has control
    characters. User name and token are left out of the message.
    """
    if not text or text.startswith("-") or any(ord(letter) < 32 or ord(letter) == 127 for letter in text):
        raise _refused(text)
    if text.startswith(("https://", "ssh://")):
        return _remote(text)
    if text.startswith("file:///") and not re.search(r"[?#]", text):
        return Source(path=Path(text.removeprefix("file://")))
    if _SCHEME.match(text):
        raise _refused(text)
    if ":" in text.split("/")[0] and not text.startswith(("/", ".", "~")):
        if not _SCP.fullmatch(text):
            raise _refused(text)
        return Source(url=text)
    return Source(path=Path(text).expanduser().resolve())


def _remote(text: str) -> Source:
    try:
        host = urlsplit(text).hostname or ""
    except ValueError:
        host = ""
    if not host or host.startswith("-") or " " in text:
        raise _refused(text)
    return Source(url=text)


def _refused(text: str) -> MirrorError:
    return MirrorError(
        f"{scrub(text)!r:.200} cannot be the source of a mirror; give an https:// or ssh:// address, "
        "user@host:path, or a local path"
    )
