"""The process of the small model: llama.cpp's server on the loopback address until its starter is gone.

Run as ``python -m swe_assets.llm.small_model_server MODEL.gguf NAME CONTEXT_TOKENS THREADS``; it prints one
line of JSON with its address when it answers, and ends when its standard input does.
"""

import json
import os
import sys


def serve(path: str, name: str, context_tokens: int, threads: int) -> None:
    """Serve until standard input ends, which it does when the starter ends, however it does."""
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = path
    params.model_alias = {name}
    params.hostnames, params.port = ["127.0.0.1"], 0
    params.n_ctx, params.n_parallel = context_tokens, 1
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = threads
    params.cpuparams.poll = params.cpuparams_batch.poll = 0  # a busy machine has no core to wait with
    params.warmup = params.ui = params.endpoint_slots = params.endpoint_props = False
    server = xllamacpp.Server(params)
    print(json.dumps({"address": server.listening_address}), flush=True)
    sys.stdin.read()
    os._exit(0)  # the library's own threads may still be answering


if __name__ == "__main__":
    serve(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
