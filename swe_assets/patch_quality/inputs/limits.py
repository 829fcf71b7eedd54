"""How large an input may be and how long a server may stay silent."""

import os
from dataclasses import dataclass

from swe_assets.errors import ConfigurationError

VARIABLE = "SWE_ASSETS_MAX_INPUT_BYTES"


@dataclass(frozen=True)
class Limits:
    """Bounds on one input, as it came and again when it is decompressed, and on a silent server."""

    input_bytes: int = 2 * 1024**3
    timeout_seconds: float = 60.0

    @property
    def document_bytes(self) -> int:
        """Return the bound on what must be held at once: a line, or a document that is not JSON lines.

        A quarter of `input_bytes`, since decoded JSON takes about four times its bytes.
        """
        return self.input_bytes // 4


def limits_from(option: int | None = None) -> Limits:
    """Return the limits: the option, else SWE_ASSETS_MAX_INPUT_BYTES, else 2 GiB.

    Raises ConfigurationError when the variable is not a positive whole number of bytes.
    """
    if option is not None:
        return Limits(input_bytes=option)
    value = os.environ.get(VARIABLE, "").strip()
    if not value:
        return Limits()
    if not (value.isascii() and value.isdigit() and int(value[:20]) > 0):
        raise ConfigurationError(f"{VARIABLE} is {value[:40]!r}: give a positive whole number of bytes")
    return Limits(input_bytes=int(value[:20]))
