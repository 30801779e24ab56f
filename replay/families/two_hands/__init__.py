"""Two community hands that everybody bets on, drawn by rule; what is posted limits what can be won and lost."""
