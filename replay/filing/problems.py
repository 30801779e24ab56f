"""What goes wrong with packs and filings."""

from __future__ import annotations


class PackError(ValueError):
    """A pack, version or option that does not exist or does not hold together; the message says which and what does."""
