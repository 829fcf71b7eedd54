"""Addresses to which a key may be sent."""

import ipaddress
from urllib.parse import urlsplit

from swe_assets.errors import ConfigurationError


def safe_url(base_url: str) -> str:
    """Return the address, ending in a slash, if a key may be sent there: https, or this machine.

    Raises ConfigurationError for another scheme, plain http to another machine, credentials, a query or a
    fragment in it; the message never repeats credentials.
    """
    try:
        parts = urlsplit(base_url)
        host, _ = parts.hostname, parts.port  # a port out of range is an error only when it is asked for
    except ValueError:
        raise ConfigurationError("base_url is no address: give https://HOST/PATH") from None
    if parts.username is not None or parts.password is not None:
        raise ConfigurationError(
            f"base_url of {host!r} holds credentials: take them out, and name the key's variable by key"
        )
    if parts.query or parts.fragment:
        raise ConfigurationError(
            f"base_url of {host!r} has a query or fragment: give the path alone (Azure's goes to api_version)"
        )
    if not host or not base_url.isascii() or any(char <= " " for char in base_url):
        raise ConfigurationError(f"base_url {base_url!r} names no host: give https://HOST/PATH")
    if parts.scheme != "https" and not (parts.scheme == "http" and _is_loopback(host)):
        raise ConfigurationError(
            f"base_url {base_url!r} would carry the key unprotected: give an https address"
        )
    return base_url if base_url.endswith("/") else base_url + "/"


def _is_loopback(host: str) -> bool:
    """Tell whether a host is this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
