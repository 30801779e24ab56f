"""An output that is not UTF-8: every sign it does not have becomes one it has that reads alike, and nothing fails.

One sign stands for one sign wherever it can, so that tables and the drawn rack keep their shape.
"""

from __future__ import annotations

import codecs
import io
import re
import sys
import unicodedata

HANDLER = "muckraker-readable"
_LIKE = {
    **dict.fromkeys("─━═", "-"),
    **dict.fromkeys("│┃║", "|"),
    **dict.fromkeys("┌┐└┘├┤┬┴┼", "+"),
    **dict.fromkeys("“”„", '"'),
    **dict.fromkeys("‘’", "'"),
    **dict.fromkeys("–—−", "-"),
    "┊": ":",
    "▲": "^",
    "♣": "c",
    "♦": "d",
    "♥": "h",
    "♠": "s",
    "✓": "=",
    "✗": "X",
    "§": "S",
    "×": "x",
    "÷": "/",
    "·": ".",
    "•": "*",
    "→": ">",
    "←": "<",
    "≥": ">=",
    "≤": "<=",
    "≈": "~",
    "…": "...",
    "¢": "c",
    "½": "1/2",
    "µ": "u",
    "\N{NO-BREAK SPACE}": " ",
}


def _readable(error: UnicodeError) -> tuple[str | bytes, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    said = "".join(_sign(each) for each in error.object[error.start : error.end])
    return said, error.end


def _sign(sign: str) -> str:
    plain = _LIKE.get(sign) or unicodedata.normalize("NFKD", sign).encode("ascii", "ignore").decode()
    return plain or sign.encode("ascii", "backslashreplace").decode()


codecs.register_error(HANDLER, _readable)


def make_outputs_readable() -> None:
    """Standard output and error take everything, whatever their encoding is."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=HANDLER)


def is_utf8(encoding: str | None) -> bool:
    try:
        return encoding is None or codecs.lookup(encoding).name == "utf-8"
    except LookupError:
        return False


def ascii_json(text: str) -> str:
    """The same JSON without a sign beyond ASCII: whatever is one stands in a string, where it may be escaped."""
    return re.sub(r"[^\x00-\x7f]", _escaped, text)


def _escaped(found: re.Match[str]) -> str:
    units = found[0].encode("utf-16-be", "surrogatepass")
    return "".join(f"\\u{units[at]:02x}{units[at + 1]:02x}" for at in range(0, len(units), 2))
