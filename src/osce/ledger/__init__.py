"""What was run, on disk: a folder per model x benchmark x variant; JSON lines while running, Parquet after."""

from osce.ledger.manifest import Manifest
from osce.ledger.reader import Run, find_runs, open_run
from osce.ledger.records import Key, Record
from osce.ledger.writer import Writer

__all__ = ["Key", "Manifest", "Record", "Run", "Writer", "find_runs", "open_run"]
