"""docker/Dockerfile as far as the tests ask: its stages, and what the last one sets."""

import json
import re

from swe_assets_tests.docker.composed import FOLDER

FILE = FOLDER / "Dockerfile"


def instructions() -> list[tuple[str, str]]:
    """Return each instruction with its arguments, continued lines joined, comments left out."""
    lines = [line for line in FILE.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    joined = "\n".join(lines).replace("\\\n", " ")
    split = [line.partition(" ") for line in joined.splitlines() if line.strip()]
    return [(word, rest.strip()) for word, _, rest in split]


def last_stage() -> list[tuple[str, str]]:
    """Return the instructions of the stage that becomes the image."""
    found = instructions()
    begins = max(at for at, (word, _) in enumerate(found) if word == "FROM")
    return found[begins:]


def environment() -> dict[str, str]:
    """Return the variables that the image sets."""
    (rest,) = [rest for word, rest in last_stage() if word == "ENV"]
    return dict(pair.split("=", 1) for pair in rest.split())


def words(instruction: str) -> list[str]:
    """Return the words of the image's ENTRYPOINT or CMD."""
    (rest,) = [rest for word, rest in last_stage() if word == instruction]
    found: list[str] = json.loads(rest)
    return found


def health_check() -> list[str]:
    """Return the words of the image's own health check."""
    (rest,) = [rest for word, rest in last_stage() if word == "HEALTHCHECK"]
    found: list[str] = json.loads(re.sub(r"^.*? CMD ", "", rest))
    return found
