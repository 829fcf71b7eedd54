"""A scanner's home that runs the real scanner and notes what processor time each of its runs took."""

import re
import shlex
from pathlib import Path

_TIME = re.compile(r"(\d+)m([\d.]+)s")


class TimedScanner:
    """A folder for SONAR_SCANNER_HOME: its program starts the real one and logs the shell's `times`."""

    def __init__(self, folder: Path, real: Path) -> None:
        self.home = folder / "timed scanner"
        self._log = folder / "scanner times"
        (self.home / "bin").mkdir(parents=True)
        (self.home / "lib").symlink_to(real / "lib")
        program = self.home / "bin" / "sonar-scanner"
        start, log = (shlex.quote(str(path)) for path in (real / "bin" / "sonar-scanner", self._log))
        program.write_text(f'#!/bin/sh\n{start} "$@"\ncode=$?\ntimes | tail -n 1 >> {log}\nexit $code\n')
        program.chmod(0o755)

    def runs(self) -> list[float]:
        """Return the processor seconds, user and system, of each run so far, children included."""
        if not self._log.exists():
            return []
        lines = self._log.read_text(encoding="ascii").splitlines()
        return [sum(int(m) * 60 + float(s) for m, s in _TIME.findall(line)) for line in lines]
