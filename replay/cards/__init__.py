"""How cards became hands: the rack, the deal, hands shown, and what explains them where they differ. Knows no game."""
