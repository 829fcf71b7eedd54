"""A process that makes a paid stage in threads and may be interrupted: `python -m … URL FOLDER COUNT`.

It prints each instance as its result is yielded, and ends with 130 where it was interrupted.
"""

import sys
import threading
import urllib.request
from pathlib import Path

from swe_assets.storage.stage import Failed, Made, Stage, one_by_one, perform, plan_stage
from swe_assets_tests.storage.demo import DemoBench


def stage_of(url: str) -> Stage[DemoBench]:
    """Return a paid stage that asks a service about each instance, four at once."""

    def ask(_bench: DemoBench, instance_id: str) -> Made:
        post = urllib.request.Request(url, b'{"user": "%s"}' % instance_id.encode(), method="POST")  # noqa: S310 - our own loopback address
        with urllib.request.urlopen(post, timeout=30) as reply:  # noqa: S310 - likewise
            return Made(instance_id, {"said": reply.read().decode()})

    return Stage("asked", "1", one_by_one(ask), paid=True, concurrency=lambda _bench: 4)


def main(url: str, folder: str, count: str) -> int:
    """Make what is missing."""
    bench = DemoBench(Path(folder), tuple(f"d-{number}" for number in range(int(count))))
    stage = stage_of(url)
    plan = plan_stage(stage, bench, bench.instances)
    try:
        for result in perform(stage, bench, plan, bench.instances):
            print(result.instance_id, isinstance(result, Failed), flush=True)
    except KeyboardInterrupt:
        return 130
    return threading.active_count() - 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
