"""How the cards of a kind of game become hands and what its wagers come to, written once for all packs of the kind."""
