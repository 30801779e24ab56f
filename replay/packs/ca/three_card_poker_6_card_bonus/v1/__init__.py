"""Three Card Poker 6 Card Bonus, as the text of 2007 has it."""
