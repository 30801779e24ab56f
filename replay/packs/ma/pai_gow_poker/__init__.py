"""Massachusetts, Pai Gow Poker (MA-PGP): a folder for every version."""
