"""A server of the S3 protocol on the loopback interface, in a process of its own, empty at the start."""

import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

import httpx

from swe_assets_tests.dagster_ui.services import free_port

START_SECONDS = 60.0
BUCKET = "records"


@dataclass(frozen=True)
class S3:
    """The server's address, and the settings by which the product's store lies in its bucket."""

    address: str

    def variables(self) -> dict[str, str]:
        """Return the environment of a process whose store is this one."""
        return {**self.access(), "SWE_ASSETS_STORE": f"s3://{BUCKET}/studies"}

    def access(self) -> dict[str, str]:
        """Return the provider's own variables alone."""
        return {
            "AWS_ENDPOINT_URL": self.address,
            "AWS_ACCESS_KEY_ID": "testing",
            "AWS_SECRET_ACCESS_KEY": "testing",
            "AWS_DEFAULT_REGION": "us-east-1",
        }


@contextmanager
def s3_server(folder: Path) -> Iterator[S3]:
    """Run the server with one bucket and end it."""
    port = free_port()
    address = f"http://127.0.0.1:{port}"
    command = [sys.executable, "-m", "moto.server", "-H", "127.0.0.1", "-p", str(port)]
    with (folder / "s3.log").open("wb") as log:
        server = subprocess.Popen(command, stdout=log, stderr=log)
    try:
        wait_until_up(address, server)
        httpx.put(f"{address}/{BUCKET}", headers={"Host": f"127.0.0.1:{port}"}).raise_for_status()
        yield S3(address)
    finally:
        server.kill()
        server.wait()


def wait_until_up(address: str, server: subprocess.Popen[bytes]) -> None:
    """Wait until the server answers; AssertionError where it does not."""
    end = time.monotonic() + START_SECONDS
    while time.monotonic() < end and server.poll() is None:
        with suppress(httpx.TransportError):
            if httpx.get(address, timeout=5).status_code < 500:
                return
        time.sleep(0.1)
    raise AssertionError("the S3 server does not answer")
