"""Mirrors, base commits and patch application on bare git repositories.

* `mirrors`         where the bare mirror of a repository is; cloned on demand
* `objects`         quick reading of its commits, trees and blobs
* `ladder`          `reconstruct`: a patch applied at a base commit, without a checkout
* `reconstruction`  what came of it
* `paths_of_tests`       which files count as tests
"""

from swe_assets.repositories.ladder import MAX_PATCH_BYTES, reconstruct
from swe_assets.repositories.mirrors import MirrorSettings, git_dir_of, mirror_path, open_mirror
from swe_assets.repositories.objects import OpenRepository
from swe_assets.repositories.paths_of_tests import is_test_path
from swe_assets.repositories.reconstruction import FileChange, Outcome, Reconstruction, Status, Step

__all__ = [
    "MAX_PATCH_BYTES",
    "FileChange",
    "MirrorSettings",
    "OpenRepository",
    "Outcome",
    "Reconstruction",
    "Status",
    "Step",
    "git_dir_of",
    "is_test_path",
    "mirror_path",
    "open_mirror",
    "reconstruct",
]
