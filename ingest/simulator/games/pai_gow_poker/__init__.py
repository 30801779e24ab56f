"""Pai Gow Poker in Massachusetts."""
