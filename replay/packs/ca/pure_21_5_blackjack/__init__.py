"""California, Pure 21.5 Blackjack (CA): a folder for every version."""
