"""Times as whole microseconds since 1970: what columns and findings hold, exact, with no float on the way."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)


def microseconds(time: datetime) -> int:
    return (time - _EPOCH) // _MICROSECOND


def time_of(us: int) -> datetime:
    """The moment, in UTC."""
    return _EPOCH + us * _MICROSECOND
