"""Who writes a stage's files: not a chunk that the command line spread, yet a person's repetition of one."""

from types import SimpleNamespace
from typing import Any

import dagster as dg
import pytest

from swe_assets.storage.last_chunk import left_to_others
from swe_assets.storage.turns import TURN_TAG


@pytest.mark.parametrize(("parent", "left"), [(None, True), ("b" * 8, False)])
def test_a_repeated_chunk_writes_its_files(parent: str | None, left: bool) -> None:
    """A chunk leaves files to the command line; re-executed from the UI it has its tags, and none waits."""
    run = dg.DagsterRun("job", tags={TURN_TAG: "token"}, parent_run_id=parent, root_run_id=parent)
    context: Any = SimpleNamespace(run=run)
    assert left_to_others(context, context) is left
