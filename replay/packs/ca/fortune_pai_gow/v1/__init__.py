"""California Fortune Pai Gow Poker (CA): seven piles, and a player-dealer whose posted wager limits what can be won.

* pack.yaml, dealing.yaml, paytables/, fees/: the rules as data
* rules: the rules as functions over columns, each with its citation, and the law that family split_hands asks for

What the text and rulings.md leave open, and how it is read here:

* At a seat all game wagers are settled before all Fortune bets, each time the seated player's first (R-39, R-45).
* Where the action button would be the player-dealer's, the next seat may have it as well: the order is the same.
* Nothing is printed on misdeals, exposed and boxed cards, or the age of cards and dice: nobody is blamed for any of it.
* Anybody but the player-dealer may bet on the player-dealer's hand (R-54); it is a copy of itself and loses.
"""
