"""California Fortune Pai Gow Poker (CA): seven piles, and a player-dealer whose posted wager limits what can be won.

* pack.yaml, dealing.yaml, paytables/, fees/: the rules as data
* rules: the rules as functions over columns, each with its citation, and the law that family split_hands asks for

What the text and rulings.md leave open, and how it is read here:

* At a seat all game wagers are settled before all Fortune bets, each time the seated player's first (R-39, R-45).
* "The player to the left of the player that receives the first pile" is never the player-dealer, who is not counted in
  any of the text's games (R-30): the next player has the action button. At the player-dealer's own seat, where nobody
  bets, it says the same and is accepted; where others bet on that hand (R-54), they are last, and would be first.
* A hand on which only a backline bettor has a Fortune bet gives envy bonuses. R-29 asks for a Fortune bet of "that
  other player", Envy 3 for a hand "dealt to a player that has placed a Fortune Bonus Bet"; but in the same words
  Fortune Bonus 2 has a backline bettor's bet win on "the first seven (7) cards dealt to a player that placed a Fortune
  Bonus Bet". So whoever has bet on a hand is a player it is dealt to; else no backline bettor's Fortune bet could win.
* Nothing is printed on misdeals, exposed and boxed cards, or the age of cards and dice: nobody is blamed for any of it.
* Anybody but the player-dealer may bet on the player-dealer's hand (R-54); it is a copy of itself and loses.
"""
