"""Measurements, each printed by a command as a ratio to a peer measured in the same run. Not tests."""
