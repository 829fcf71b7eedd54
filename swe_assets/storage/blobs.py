"""File contents by git blob id, compressed, each stored once."""

import hashlib
import zlib
from pathlib import Path

from swe_assets.errors import RecordError
from swe_assets.storage.atomic import remove, write_bytes


def blob_id(content: bytes) -> str:
    """Return the git blob id (SHA-1 of header and content, as git's object format defines it)."""
    header = f"blob {len(content)}\0".encode()
    return hashlib.sha1(header + content, usedforsecurity=False).hexdigest()


class BlobStore:
    """Contents that a study handed to its analyser, so that a later stage reads what was reconstructed."""

    def __init__(self, root: Path) -> None:
        self.root = root

    def _path(self, blob: str) -> Path:
        return self.root / blob[:2] / blob[2:]

    def put(self, content: bytes) -> str:
        """Store content and return its git blob id."""
        blob = blob_id(content)
        path = self._path(blob)
        if not path.exists():
            write_bytes(path, zlib.compress(content, 1))
        return blob

    def get(self, blob: str) -> bytes:
        """Return the content of a blob; RecordError where it is missing or does not match its id.

        A damaged file is taken away, so that the next put stores it anew.
        """
        try:
            content = zlib.decompress(self._path(blob).read_bytes())
        except (OSError, zlib.error) as wrong:
            remove(self._path(blob))
            raise RecordError(f"stored content {blob} is missing or damaged ({wrong})") from wrong
        if blob_id(content) != blob:
            remove(self._path(blob))
            raise RecordError(f"stored content {blob} does not match its id")
        return content
