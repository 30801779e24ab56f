"""What fails outside the replay while the replay asks for it. In a module of its own, because it needs nothing."""

from __future__ import annotations


class NotOfTheReplay(Exception):
    """Something that is not the replay's failed: the lake, the log, a disk. It goes through the replay to whoever can
    do something about it; a mistake in the replay itself costs one round (replay/containment.py)."""
