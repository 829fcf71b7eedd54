"""URLs of inputs: which are accepted, how they are shown without secrets, where their raw files lie."""

import re
from dataclasses import dataclass
from urllib.parse import quote, unquote, urlsplit, urlunsplit

from swe_assets.errors import InputError
from swe_assets.patch_quality.inputs.quoting import quoted

SCHEMES = ("http", "https")
HIDDEN = "REDACTED"
LONG_VALUE = 32
"""A query value longer than this is taken for a secret whatever its name."""

_URL = re.compile(r"[A-Za-z][A-Za-z0-9+.-]*://")
_SECRET = re.compile(r"tok|key|sig|secret|pass|pwd|auth|cred|session|jwt|code|access|amz|goog|policy", re.I)


@dataclass(frozen=True)
class RawRule:
    """How the web page of a file or folder maps to its raw bytes: a pattern and a template of its groups."""

    pattern: re.Pattern[str]
    raw: str


RAW_RULES = (
    RawRule(
        re.compile(
            r"https?://(?:www\.)?github\.com/([^/?#]+)/([^/?#]+)/(?:tree|blob|raw)/([^/?#]+)/([^?#]+)"
        ),
        r"https://raw.githubusercontent.com/\1/\2/\3/\4",
    ),
    RawRule(
        re.compile(r"https?://gitlab\.com/([^?#]+?)/-/(?:tree|blob|raw)/([^/?#]+)/([^?#]+)"),
        r"https://gitlab.com/\1/-/raw/\2/\3",
    ),
    RawRule(
        re.compile(r"https?://huggingface\.co/([^?#]+?)/(?:tree|blob|resolve)/([^/?#]+)/([^?#]+)"),
        r"https://huggingface.co/\1/resolve/\2/\3",
    ),
)


def is_url(given: str) -> bool:
    """Tell whether an input was given as a URL of any scheme rather than as a path."""
    return _URL.match(given) is not None


def check_url(url: str) -> str:
    """Return the URL, or raise InputError unless it is http or https with a host."""
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise InputError(f"not a usable URL: {shown_url(url)}") from None
    if parts.scheme.lower() not in SCHEMES or not host:
        raise InputError(f"only http and https URLs with a host are fetched, not {shown_url(url)}")
    return url


def raw_url(url: str, rules: tuple[RawRule, ...] = RAW_RULES) -> str:
    """Return the address of the raw bytes behind the web page of a file or folder; other URLs unchanged."""
    for rule in rules:
        found = rule.pattern.match(url)
        if found:
            return found.expand(rule.raw).rstrip("/")
    return url


def below(base: str, name: str) -> str:
    """Return the URL of a file below a base URL; the base's query stays behind the path."""
    parts = urlsplit(base)
    path = f"{parts.path.rstrip('/')}/{quote(name)}"
    return urlunsplit((parts.scheme, parts.netloc, path, parts.query, ""))


def shown_url(url: str) -> str:
    """Return a URL fit for messages and records: no user, password, fragment, nor secrets in its query."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return quoted(url.partition("://")[0] + "://…")
    query = "&".join(_shown_parameter(pair) for pair in parts.query.split("&") if pair)
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path, query, ""))


def is_scrubbed(url: str) -> bool:
    """Tell whether a recorded URL lost something that a second download would need."""
    return f"={HIDDEN}" in urlsplit(url).query


def has_credentials(url: str) -> bool:
    """Tell whether a URL carries a password, or a user where the scheme is not ssh."""
    userinfo, at, _ = urlsplit(url).netloc.rpartition("@")
    return bool(at) and (":" in userinfo or not url.lower().startswith("ssh:"))


def scrubbed(text: str) -> str:
    """Return a text with every URL in it shown without secrets."""
    return re.sub(r"[A-Za-z][A-Za-z0-9+.-]*://[^\s'\"<>]+", lambda found: shown_url(found.group()), text)


def _shown_parameter(pair: str) -> str:
    """Return one query parameter, its value hidden where its name or length says that it is a secret."""
    name, equals, value = pair.partition("=")
    if not equals:
        return name if len(name) <= LONG_VALUE else HIDDEN
    hidden = _SECRET.search(unquote(name)) or len(value) > LONG_VALUE
    return f"{name}={HIDDEN}" if hidden else pair
