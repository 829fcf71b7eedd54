"""Downloads over http and https: streamed, bounded, with a progress bar and errors without secrets."""

from __future__ import annotations

import logging
from http import HTTPStatus
from pathlib import Path
from typing import TYPE_CHECKING

from swe_assets.errors import DownloadError, InputError
from swe_assets.patch_quality.inputs.addresses import SCHEMES, check_url, scrubbed, shown_url
from swe_assets.patch_quality.inputs.limits import Limits

if TYPE_CHECKING:
    import httpx

REDIRECTS = 5
CHUNK_BYTES = 1 << 18


def download(url: str, target: Path, limits: Limits, *, missing_ok: bool = False) -> bool:
    """Stream a URL's body, byte for byte as the server sent it, into a new file.

    Returns False, with no file written, when the server says 404 and `missing_ok` is set. Raises
    DownloadError for any other status than 200, a body over the limit or cut short, more than five
    redirects, a redirect away from https, and a server silent for longer than the limit.
    """
    import httpx

    logging.getLogger("httpx").setLevel(logging.WARNING)  # at INFO it logs whole URLs, secrets included
    check_url(url)
    try:
        with _client(limits) as client, client.stream("GET", url) as response:
            if missing_ok and response.status_code == HTTPStatus.NOT_FOUND:
                return False
            _check_status(response, url)
            _check_length(response, url, limits)
            _save(response, target, url, limits)
    except httpx.InvalidURL:
        raise DownloadError(f"{shown_url(url)} is not a usable URL, or it redirects to one") from None
    except httpx.TimeoutException:
        raise DownloadError(
            f"{shown_url(url)}: no answer within {limits.timeout_seconds:g} s; try again later"
        ) from None
    except httpx.HTTPError as failure:
        reason = scrubbed(str(failure)) or type(failure).__name__
        raise DownloadError(f"{shown_url(url)} could not be fetched: {reason}") from None
    return True


def _client(limits: Limits) -> httpx.Client:
    """Return a client that follows few redirects, never from https to http, and asks for plain bytes."""
    import httpx

    schemes: list[str] = []

    def check(request: httpx.Request) -> None:
        """Refuse a request whose scheme is foreign or weaker than the one before."""
        scheme = request.url.scheme
        if scheme not in SCHEMES or (schemes and schemes[-1] == "https" and scheme != "https"):
            raise DownloadError(f"a redirect to {shown_url(str(request.url))} is refused: it leaves https")
        schemes.append(scheme)

    return httpx.Client(
        follow_redirects=True,
        max_redirects=REDIRECTS,
        timeout=limits.timeout_seconds,
        headers={"Accept-Encoding": "identity", "User-Agent": "swe-assets"},
        event_hooks={"request": [check]},
    )


def _check_status(response: httpx.Response, url: str) -> None:
    """Raise DownloadError with the status, and what it usually means, unless it is 200."""
    code = response.status_code
    if code == HTTPStatus.OK:
        return
    hint = {401: "it needs a login", 403: "it needs a login", 404: "check the address"}.get(
        code, "try again later"
    )
    at = shown_url(str(response.url))
    via = "" if at == shown_url(url) else f" (redirected to {at})"
    raise DownloadError(
        f"{shown_url(url)}{via} answered {code} {response.reason_phrase}".rstrip() + f"; {hint}"
    )


def _check_length(response: httpx.Response, url: str, limits: Limits) -> None:
    """Raise DownloadError when the announced length is over the limit."""
    announced = response.headers.get("Content-Length", "")
    if announced.isdigit() and int(announced[:20]) > limits.input_bytes:
        raise too_large(shown_url(url), int(announced[:20]), limits, DownloadError)


def _save(response: httpx.Response, target: Path, url: str, limits: Limits) -> None:
    """Write the body to the file while showing progress on standard error."""
    from tqdm import tqdm

    announced = response.headers.get("Content-Length", "")
    total = int(announced) if announced.isdigit() else None
    label = shown_url(url).partition("?")[0].rpartition("/")[2][:40]
    written = 0
    with (
        target.open("xb") as file,
        tqdm(total=total, unit="B", unit_scale=True, desc=label, disable=None, leave=False) as bar,
    ):
        for chunk in response.iter_raw(CHUNK_BYTES):
            written += len(chunk)
            if written > limits.input_bytes:
                raise too_large(shown_url(url), None, limits, DownloadError)
            file.write(chunk)
            bar.update(len(chunk))


def too_large(what: str, size: int | None, limits: Limits, kind: type[InputError]) -> InputError:
    """Return the error that says an input is over the limit and how to raise it."""
    found = f"has {size:,} bytes" if size is not None else "is larger than the limit"
    return kind(
        f"{what} {found}; at most {limits.input_bytes:,} are read: raise it with --max-input-bytes "
        "or SWE_ASSETS_MAX_INPUT_BYTES"
    )
