"""Fortune Pai Gow Poker in California."""
