"""Reading an answer out of a response. Pure functions that never see the gold."""

from osce.answers.choice import read_choice
from osce.answers.values import read_date, read_number, read_weeks_days

__all__ = ["read_choice", "read_date", "read_number", "read_weeks_days"]
