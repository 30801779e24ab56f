"""Hands that are set in a low and a high one and held against the dealer's, the bank's or the player-dealer's."""
