"""Three Card Poker 6 Card Bonus of California, a folder for each version of the rules."""
