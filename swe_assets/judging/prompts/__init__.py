"""The judge's prompts: Portuguese texts beside this file, or a user's own folder of the same names."""

import hashlib
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from swe_assets.errors import ConfigurationError

FOLDER = Path(__file__).resolve().parent
MAX_BYTES = 200_000
FILES: dict[str, frozenset[str]] = {
    "juiz_sistema.txt": frozenset(),
    "juiz_usuario.txt": frozenset({"issue", "patch"}),
    "extracao_sistema.txt": frozenset(),
    "extracao_usuario.txt": frozenset({"raciocinio"}),
}
"""The files of a prompt folder, each with the placeholders that it must hold; ``{{codigo}}`` may stand in any
of them that has placeholders."""

REWORDED: dict[str, frozenset[str]] = {
    "juiz_sistema_reformulado.txt": frozenset(),
    "juiz_usuario_reformulado.txt": frozenset({"issue", "patch"}),
}
"""The first pass's prompts once more, the same rubric in other words; a folder may hold both or neither."""

_PLACEHOLDER = re.compile(r"\{\{([a-z_]+)\}\}")


@dataclass(frozen=True)
class Prompts:
    """The four texts of the two passes; what is filled into them is fenced by code, not by the texts.

    ``reworded``: system and user prompt of the first pass in other words, None where the prompts are a
    user's own and have none beside them. No fingerprint of the passes follows it.
    """

    judge_system: str
    judge_user: str
    extraction_system: str
    extraction_user: str
    reworded: tuple[str, str] | None = None

    @classmethod
    def load(cls, folder: Path | None = None) -> "Prompts":
        """Read the prompts of a folder; a file that it lacks is taken from the product's own.

        The product's rewording counts only for the product's own judge: another one brings its own.

        Raises ConfigurationError for a folder without any of the four files, with a text file of another
        name, with half a rewording, and for a file that is unreadable, blank, too long, or has wrong
        placeholders.
        """
        if folder is not None:
            _check_names(folder)
        texts = _texts(folder, FILES)
        own_judge = folder is None or texts[:2] == _texts(None, FILES)[:2]
        brought = folder is not None and any((folder / name).exists() for name in REWORDED)
        reworded = _texts(folder if brought else None, REWORDED) if brought or own_judge else None
        return cls(texts[0], texts[1], texts[2], texts[3], (reworded[0], reworded[1]) if reworded else None)

    @property
    def judge_fingerprint(self) -> str:
        """The sha256 (hex) of the first pass's prompts."""
        return _sha256(self.judge_system, self.judge_user)

    @property
    def extraction_fingerprint(self) -> str:
        """The sha256 (hex) of the second pass's prompts."""
        return _sha256(self.extraction_system, self.extraction_user)

    @property
    def fingerprint(self) -> str:
        """The sha256 (hex) of all prompts."""
        return _sha256(self.judge_fingerprint, self.extraction_fingerprint)


def filled(template: str, values: Mapping[str, str]) -> str:
    """Return a template with its placeholders replaced in one pass; a value's own braces stay as they are."""
    return _PLACEHOLDER.sub(lambda found: values.get(found.group(1), found.group()), template)


def _sha256(*texts: str) -> str:
    """Return the sha256 (hex) of texts with their lengths."""
    digest = hashlib.sha256()
    for text in texts:
        encoded = text.encode("utf-8")
        digest.update(len(encoded).to_bytes(8, "big") + encoded)
    return digest.hexdigest()


def _check_names(folder: Path) -> None:
    """Refuse a folder in which no prompt, or a misnamed one, lies."""
    if not folder.is_dir():
        raise ConfigurationError(f"prompt folder {str(folder)!r} is not a folder: name one, or leave it out")
    names = {path.name for path in folder.glob("*.txt")}
    unknown, known = sorted(names - FILES.keys() - REWORDED.keys()), ", ".join([*FILES, *REWORDED])
    if len(names & REWORDED.keys()) == 1:
        raise ConfigurationError(f"prompt folder {str(folder)!r}: a rewording is {' and '.join(REWORDED)}")
    if unknown or not names:
        found = f"holds {unknown!r}" if unknown else "holds no prompt"
        raise ConfigurationError(f"prompt folder {str(folder)!r} {found}: the files are called {known}")


def _texts(folder: Path | None, files: Mapping[str, frozenset[str]]) -> list[str]:
    """Return the texts of the files, each a user's own or the product's."""
    return [_read(_chosen(folder, name), placeholders) for name, placeholders in files.items()]


def _chosen(folder: Path | None, name: str) -> Path:
    """Return the user's file of that name, or the product's own."""
    return folder / name if folder is not None and (folder / name).exists() else FOLDER / name


def _read(path: Path, needed: frozenset[str]) -> str:
    """Return a prompt's text with plain line ends and without a byte order mark, its placeholders checked."""
    try:
        with path.open("rb") as file:
            content = file.read(MAX_BYTES + 1)
        text = content.decode("utf-8-sig").replace("\r\n", "\n").strip()
    except (OSError, UnicodeDecodeError) as problem:
        raise ConfigurationError(f"prompt {str(path)!r} is not readable UTF-8 text: {problem}") from None
    if not text or len(content) > MAX_BYTES:
        raise ConfigurationError(f"prompt {str(path)!r} is blank or longer than {MAX_BYTES} bytes")
    found = set(_PLACEHOLDER.findall(text))
    allowed = needed | {"codigo"} if needed else needed
    if not needed <= found <= allowed:
        wanted = ", ".join(f"{{{{{name}}}}}" for name in sorted(needed)) or "none"
        raise ConfigurationError(
            f"prompt {str(path)!r} has placeholders {sorted(found)!r}: it needs {wanted} and no others"
        )
    return text
