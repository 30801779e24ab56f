"""Data quality: whether the record is good enough to judge by, checked with Great Expectations at segment and
gaming-day borders. docs/quality.md says what is expected.

`check_quality(lake, topic)` checks what is not checked yet and keeps the results in the lake, beside the segments.
Segments are never changed: what failed marks the verdicts built on it in the views (analytics/views).
"""

from ingest.quality.check import QualityReport, check_quality
from ingest.quality.judge import QualityError, UnknownDay
from ingest.quality.results import QualityBusy, Results

__all__ = ["QualityBusy", "QualityError", "QualityReport", "Results", "UnknownDay", "check_quality"]
