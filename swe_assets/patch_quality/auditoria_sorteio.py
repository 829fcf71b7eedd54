"""How a study's audit sample is drawn: kept beside the study, so that the asset is drawn alike each time."""

import json
from dataclasses import asdict, dataclass
from pathlib import Path

from swe_assets.errors import InputError, StudyError
from swe_assets.judging.audit_return import checked_auditor
from swe_assets.judging.audit_sample import DEFAULT_SHARE, parsed_share
from swe_assets.storage.atomic import to_json, write_text
from swe_assets.storage.regular_files import read_regular

AUDIT_FOLDER = "auditoria"
DRAW_FILE = "sorteio.json"


@dataclass(frozen=True)
class DrawSettings:
    """What is drawn, and whether it is shown without scores; ``share`` is a decimal as text."""

    share: str = DEFAULT_SHARE
    seed: int = 0
    stratified: bool = False
    blind: bool = False
    auditor: str = ""

    def text(self) -> str:
        """Return the settings as one line of JSON."""
        return to_json(asdict(self))


def read_draw(study: Path) -> DrawSettings:
    """Return how a study's sample is drawn, the defaults where nobody said.

    Raises StudyError for a file that is not what ``write_draw`` writes.
    """
    path = study / AUDIT_FOLDER / DRAW_FILE
    try:
        return checked(DrawSettings(**json.loads(read_regular(path).decode("utf-8"))))
    except FileNotFoundError:
        return DrawSettings()
    except (OSError, ValueError, TypeError, InputError) as wrong:
        raise StudyError(
            f"{path} cannot be used ({wrong}): draw again by `swe-assets audit draw {study.name}`"
        ) from None


def write_draw(study: Path, settings: DrawSettings) -> None:
    """Keep how a study's sample is drawn; raises InputError for settings that cannot be used."""
    write_text(study / AUDIT_FOLDER / DRAW_FILE, checked(settings).text() + "\n", durable=True)


def checked(settings: DrawSettings) -> DrawSettings:
    """Return settings as they came, the auditor's name trimmed; raises InputError for unusable ones."""
    kinds = {"share": str, "seed": int, "stratified": bool, "blind": bool, "auditor": str}
    for name, kind in kinds.items():
        if type(getattr(settings, name)) is not kind:
            raise InputError(f"{name} is {getattr(settings, name)!r}, which is no {kind.__name__}")
    parsed_share(settings.share)
    auditor = checked_auditor(settings.auditor) if settings.auditor else ""
    return DrawSettings(settings.share, settings.seed, settings.stratified, settings.blind, auditor)
