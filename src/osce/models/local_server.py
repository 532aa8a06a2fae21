"""The process that holds a local model: `python -m osce.models.local_server MODEL SLOTS CONTEXT PARENT`.

Serves the OpenAI-compatible interface on a free port of 127.0.0.1 and prints its address. It ends when its standard input
closes or its parent is another process than PARENT: so it ends whenever its parent does, kill -9 included.
"""

from __future__ import annotations

import os
import sys
import threading
import time


def main(path: str, slots: int, context: int, parent: int) -> None:
    # From the start: loading a large model takes minutes, and its parent may be gone by then.
    threading.Thread(target=_end_with_stdin, daemon=True).start()
    threading.Thread(target=_end_with_parent, args=(parent,), daemon=True).start()
    import xllamacpp

    params = xllamacpp.CommonParams()
    params.model.path = path
    params.model_alias = {os.path.basename(path)}
    params.hostnames = ["127.0.0.1"]
    params.port = 0
    params.n_parallel = slots
    params.n_ctx = slots * context  # shared out among the slots
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = max(1, _cores() // 2)
    # Threads meet at barriers many times a token and spin there. With one thread per core any other busy process makes each
    # barrier wait for a time slice (measured on 2 cores: 3 questions a second became 0.02), so half of the cores stay free.
    params.cpuparams.poll = params.cpuparams_batch.poll = 0
    params.cache_ram_mib = 0  # exams never come back to a prompt; the cache of old ones would grow to gigabytes
    if slots == 1:
        # What is computed together, and what of a prompt is taken from the cache, moves the last bits of the numbers, and with
        # them now and then a word at temperature 0. One slot without a cache answers the same to the letter, every time.
        params.cache_prompt = False
    params.verbosity = 0
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    threading.Event().wait()


def _cores() -> int:
    """Cores that this process may use (a batch system often grants fewer than the machine has)."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _end_with_stdin() -> None:
    while os.read(0, 4096):
        pass
    os._exit(0)


def _end_with_parent(parent: int) -> None:
    """The second rope: a process forked off by the parent could keep our standard input open after its death."""
    while os.getppid() == parent:
        time.sleep(0.5)
    os._exit(0)


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4]))
