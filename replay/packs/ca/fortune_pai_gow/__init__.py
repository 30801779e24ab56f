"""California, Fortune Pai Gow Poker (CA): a folder for every version."""
