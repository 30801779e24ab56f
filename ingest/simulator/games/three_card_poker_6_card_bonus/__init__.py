"""Three Card Poker 6 Card Bonus in California."""
