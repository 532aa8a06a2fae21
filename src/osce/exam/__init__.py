"""Planning, running, resuming, caching and regrading exams."""

from osce.exam.plan import Cell, Scope
from osce.exam.run import CellResult, Options, Watcher, run_cells

__all__ = ["Cell", "CellResult", "Options", "Scope", "Watcher", "run_cells"]
