"""The process that holds a local model: `python -m osce.models.local_server MODEL SLOTS CONTEXT`.

Serves the OpenAI-compatible interface on a free port of 127.0.0.1, prints its address, and ends when its standard input
closes: that happens whenever the parent ends, kill -9 included.
"""

from __future__ import annotations

import os
import sys


def serve(path: str, slots: int, context: int) -> None:
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = path
    params.model_alias = {os.path.basename(path)}
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_parallel = slots
    params.n_ctx = slots * context
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = len(os.sched_getaffinity(0))
    # Waiting threads must sleep, not spin: on a busy machine spinning ones made a token take a second.
    params.cpuparams.poll = params.cpuparams_batch.poll = 0
    params.verbosity = 0
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    sys.stdin.buffer.read()
    os._exit(0)


if __name__ == "__main__":
    serve(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
