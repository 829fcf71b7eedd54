"""File contents by git blob id, compressed, each stored once."""

import hashlib
import zlib
from pathlib import Path

from swe_assets.errors import RecordError
from swe_assets.storage.folder_objects import FolderObjects
from swe_assets.storage.objects import Objects


def blob_id(content: bytes) -> str:
    """Return the git blob id (SHA-1 of header and content, as git's object format defines it)."""
    header = f"blob {len(content)}\0".encode()
    return hashlib.sha1(header + content, usedforsecurity=False).hexdigest()


class BlobStore:
    """Contents that a study handed to its analyser, so that a later stage reads what was reconstructed."""

    def __init__(self, root: Path | Objects) -> None:
        self.objects: Objects = FolderObjects(root) if isinstance(root, Path) else root

    def put(self, content: bytes) -> str:
        """Store content and return its git blob id."""
        blob = blob_id(content)
        name = _name(blob)
        if not self.objects.exists(name):
            self.objects.write(name, zlib.compress(content, 1))
        return blob

    def get(self, blob: str) -> bytes:
        """Return the content of a blob; RecordError where it is missing or does not match its id.

        A damaged file is taken away, so that the next put stores it anew.
        """
        stored = self.objects.read(_name(blob))
        try:
            content = zlib.decompress(stored or b"")
        except zlib.error as wrong:
            self.objects.remove(_name(blob))
            raise RecordError(f"stored content {blob} is missing or damaged ({wrong})") from wrong
        if blob_id(content) != blob:
            self.objects.remove(_name(blob))
            raise RecordError(f"stored content {blob} does not match its id")
        return content


def _name(blob: str) -> str:
    return f"{blob[:2]}/{blob[2:]}"
