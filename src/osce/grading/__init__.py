"""Answer + target -> Grade."""

from osce.grading.grade import VERSION, grade

__all__ = ["VERSION", "grade"]
