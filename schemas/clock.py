"""Times as whole microseconds since 1970: what columns and findings hold, exact, with no float on the way."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_FIRST, _LAST = (datetime.min.replace(tzinfo=UTC) - _EPOCH, datetime.max.replace(tzinfo=UTC) - _EPOCH)


def microseconds(time: datetime) -> int:
    return (time - _EPOCH) // _MICROSECOND


def time_of(us: int) -> datetime:
    """The moment, in UTC; of times beyond the calendar there, which a device may say in its own zone, its last one."""
    return _EPOCH + min(max(us * _MICROSECOND, _FIRST), _LAST)
