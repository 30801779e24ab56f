"""Supreme Pai Gow, the commission-free Ante/Raise game (FLT-SPG): four cards, raise or fold, and two hands against the
dealer's.

* pack.yaml, dealing.yaml, pickup.yaml, paytables/, cites.yaml: the rules as data
* rules: the rules as functions over columns, each with its citation, and the law that family ante_raise asks for

What the text and rulings.md leave open, and how it is read here:

* "1x to 4x" is one, two, three or four times the ante, as tables of this kind have it; option `raise_multiples: any`
  takes any amount in between.
* A seat with an ante and no raise is folded, whether or not a device said so: rule 3 knows nothing else.
* The wagers on the dealer's eighth card need no seven cards of their own, and are settled whether or not the player
  folded: "optional bonus wagers that are not dependent on the base game's outcome".
* What is posted as a maximum aggregate (App. A 4, B 5, C 5, D 3, E 4) is shared in proportion to what each would be
  paid, rounded down to the cent, the first in settlement order having what is left over, as rulings.md R-24 has it. The
  three wagers of Appendix E have one limit together. Envy bonuses are "fixed pays" and stay outside of it (R-24).
* Somebody else's Emperor's Treasure wager of $5 keeps a hand on the table, one's own alone does not: nobody can win an
  envy bonus then.
* Three more cards dealt to a hand that they were not due to earn nobody an envy bonus.
* Nothing is printed on misdeals, exposed and boxed cards, or the age of cards: nobody is blamed for any of it, but for
  hands of a wrong number of cards.
"""
