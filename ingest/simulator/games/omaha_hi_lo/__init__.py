"""Omaha Hi-Lo Split in California."""
