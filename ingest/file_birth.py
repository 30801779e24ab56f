"""When a file was made, as its file system remembers it: the one thing about a file that no copy takes along.

Inode numbers come again on another disk, and times of change can be set; the time of birth cannot. Python has no call
for it on Linux, so the C library's is used. Where there is none, or the file system does not know, nobody can tell.
"""

from __future__ import annotations

import ctypes
import struct

_AT_EMPTY_PATH = 0x1000
_STATX_BTIME = 0x800
_STATX_BYTES = 256
_MASK = struct.Struct("=I")
_BTIME = struct.Struct("=qI")
_BTIME_AT = 80


def birth_ns(descriptor: int) -> int | None:
    """When the open file was made, in nanoseconds since 1970; None where that is not known."""
    try:
        statx = ctypes.CDLL(None, use_errno=True).statx
    except AttributeError:
        return None
    answer = ctypes.create_string_buffer(_STATX_BYTES)
    if statx(descriptor, b"", _AT_EMPTY_PATH, _STATX_BTIME, answer) != 0:
        return None
    if not _MASK.unpack_from(answer)[0] & _STATX_BTIME:
        return None
    seconds, nanoseconds = _BTIME.unpack_from(answer, _BTIME_AT)
    return int(seconds) * 1_000_000_000 + int(nanoseconds)
