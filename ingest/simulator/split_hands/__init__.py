"""Tables where every place gets a hand and sets it in two, whoever is played against and whatever the game."""
