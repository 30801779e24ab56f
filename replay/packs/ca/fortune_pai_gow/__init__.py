"""California Fortune Pai Gow Poker, by version."""
