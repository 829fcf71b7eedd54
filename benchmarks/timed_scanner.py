"""A scanner's home that runs the real scanner and notes what processor time each of its runs took."""

import re
import shlex
from pathlib import Path

_TIME = re.compile(r"(\d+)m([\d.]+)s")


class TimedScanner:
    """A folder for SONAR_SCANNER_HOME: its program starts the real one and notes the shell's `times`."""

    def __init__(self, folder: Path, real: Path) -> None:
        self.home = folder / "timed scanner"
        self._times = folder / "scanner times"
        self._times.mkdir()
        (self.home / "bin").mkdir(parents=True)
        (self.home / "lib").symlink_to(real / "lib")
        program = self.home / "bin" / "sonar-scanner"
        start, times = (shlex.quote(str(path)) for path in (real / "bin" / "sonar-scanner", self._times))
        program.write_text(f'#!/bin/sh\n{start} "$@"\ncode=$?\ntimes > {times}/$$\nexit $code\n')
        program.chmod(0o755)

    def runs(self) -> list[float]:
        """Return the processor seconds, user and system, of each run so far, children included."""
        noted = sorted(self._times.iterdir(), key=lambda path: path.stat().st_mtime_ns)
        lines = (path.read_text(encoding="ascii").splitlines()[-1] for path in noted)
        return [sum(int(m) * 60 + float(s) for m, s in _TIME.findall(line)) for line in lines]
