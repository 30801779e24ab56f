"""Omaha in California."""
