"""What every test shares: property tests that give the same answer on every run and machine."""

from __future__ import annotations

from hypothesis import settings

settings.register_profile("muckraker", deadline=None, derandomize=True)
settings.load_profile("muckraker")
