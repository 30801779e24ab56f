"""Pure 21.5 Blackjack in California."""
