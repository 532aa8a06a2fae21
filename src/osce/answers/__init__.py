"""Reading an answer out of a response. Pure functions of the response (and the options); the gold is never an argument."""

from osce.answers.choice import read_choice
from osce.answers.dates import read_date, read_weeks_days
from osce.answers.numbers import read_number

__all__ = ["read_choice", "read_date", "read_number", "read_weeks_days"]
