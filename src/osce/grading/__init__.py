"""What a reading is worth: an answer compared with the target of its item."""

from osce.grading.grade import grade, grade_answer, read_answer

VERSION = "1"
"""Of all readers and graders together: part of a run's fingerprint, raised when a reading or a score may change."""

__all__ = ["VERSION", "grade", "grade_answer", "read_answer"]
