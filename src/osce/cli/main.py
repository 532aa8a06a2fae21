"""`osce`: one file here is one verb; this one only finds it. Users' mistakes end in one message and exit code 2."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Sequence

import osce
from osce.core.errors import OsceError

DESCRIPTION = """\
Examine medical AI: run a model over benchmarks, grade robustly, resume, regrade, and rank with the uncertainty shown."""

EPILOG = """\
first steps
  osce exam fresh_calc --model baseline/random --limit 50     no download, no key, no GPU
  osce list                                                   what there is
  osce show medqa                                             one benchmark's card and a rendered prompt
  osce exam medqa --model openai/gpt-5-mini --limit 100       needs OPENAI_API_KEY
  osce rank runs                                              a table with 95 % intervals
  osce doctor                                                 what works on this machine

Every verb has its own --help with examples. Settings from the environment: OSCE_DATA (folder with the
benchmarks' files), OSCE_OFFLINE=1 (never touch the network for data), <PROVIDER>_API_KEY.
"""


def parser() -> argparse.ArgumentParser:
    """The whole command line."""
    from osce.cli import data, doctor, exam, grade, rank, read, show, view
    from osce.cli import list as list_verb

    top = argparse.ArgumentParser(
        prog="osce", description=DESCRIPTION, epilog=EPILOG, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    top.add_argument("--version", action="version", version=f"osce {osce.__version__}")
    sub = top.add_subparsers(title="verbs", metavar="VERB", required=True)
    for verb in (exam, list_verb, show, view, grade, read, rank, data, doctor):
        verb.add(sub)
    return top


def main(argv: Sequence[str] | None = None) -> int:
    """Run one verb; returns the exit code (0 done, 1 the answer is no, 2 a user's mistake, 130 interrupted)."""
    args = parser().parse_args(argv)
    try:
        code: int = args.run(args)
        sys.stdout.flush()
        return code
    except OsceError as error:
        print(f"osce: {error}", file=sys.stderr)
        return error.exit_code
    except KeyboardInterrupt:
        print("osce: interrupted", file=sys.stderr)
        return 130
    except BrokenPipeError:  # `osce list | head`: the reader has seen enough
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 0


if __name__ == "__main__":
    sys.exit(main())
