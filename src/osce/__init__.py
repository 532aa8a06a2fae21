"""osce: the examination of medical AI.

`osce.exam.run` examines a model over benchmarks; `osce.benchmarks.load` opens one; all that the command line does
is one call from Python.
"""

__version__ = "0.1.0"
