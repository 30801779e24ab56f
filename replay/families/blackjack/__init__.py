"""The family of hands that draw towards a total, each against the player-dealer's: Pure 21.5 Blackjack."""
