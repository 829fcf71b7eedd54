"""What a killed process leaves in the temporary folder is removed by the next."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from swe_assets.repositories.abandoned import PREFIX, hold, sweep_once
from swe_assets_tests.repositories.patches import edit

KILLED = (
    "import os, signal, sys; from pathlib import Path\n"
    "from swe_assets.repositories import OpenRepository\n"
    "from swe_assets.repositories.scratch import Scratch\n"
    "with OpenRepository(Path(sys.argv[1])) as mirror, Scratch(mirror, mirror.root(sys.argv[2])):\n"
    "    os.kill(os.getpid(), signal.SIGKILL)\n"
)


def old(folder: Path) -> Path:
    """Make a folder look two minutes old."""
    stat = folder.stat()
    os.utime(folder, (stat.st_atime - 120, stat.st_mtime - 120))
    return folder


def test_a_killed_process_leaves_a_folder_for_the_next(base: tuple[Path, str], temporary: Path) -> None:
    """A kill in mid-patch leaves one folder, and the next process removes it."""
    command = [sys.executable, "-c", KILLED, str(base[0]), base[1]]
    done = subprocess.run(command, env=os.environ | {"TMPDIR": str(temporary)}, check=False)
    assert done.returncode == -signal.SIGKILL
    (left,) = temporary.iterdir()
    old(left)
    check = [
        sys.executable,
        "-m",
        "swe_assets",
        "patch",
        "check",
        "--repo",
        str(base[0]),
        "--commit",
        base[1],
        "-",
    ]
    environment = os.environ | {"TMPDIR": str(temporary)}
    subprocess.run(check, input=edit().encode(), env=environment, capture_output=True, check=True)
    assert list(temporary.iterdir()) == []


def test_a_living_process_keeps_its_folder(tmp_path: Path) -> None:
    """A folder whose lock is held, or that is young, is left alone, and so is anything of another name."""
    held, young, other = tmp_path / f"{PREFIX}held", tmp_path / f"{PREFIX}young", tmp_path / "other"
    for folder in (held, young, other):
        folder.mkdir()
    descriptor = hold(old(held))
    old(other)
    sweep_once(str(tmp_path))
    os.close(descriptor)
    assert set(tmp_path.iterdir()) == {held, young, other}


def test_a_link_of_that_name_is_not_followed(tmp_path: Path) -> None:
    """A link that another user planted under our prefix removes nothing."""
    target = tmp_path / "precious"
    target.mkdir()
    (tmp_path / f"{PREFIX}link").symlink_to(target)
    os.utime(tmp_path / f"{PREFIX}link", (0, 0), follow_symlinks=False)
    sweep_once(str(tmp_path))
    assert target.is_dir()
