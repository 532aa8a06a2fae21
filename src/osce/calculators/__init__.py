"""Medical calculators: pure functions with units in their parameters, formula and source in their docstrings."""
