"""Massachusetts Pai Gow Poker (MA-PGP): the standard game with the Fortune bonus and its envy bonus.

* pack.yaml, paytables/: the rules as data
* rules: the rules as functions over columns, each with its citation, and the law that family split_hands asks for

What MA-PGP and rulings.md leave open, and how it is read here:

* A betting position is a player. A patron may hold two (§12(a)), but no event says who sits where, so the hand beside
  one's own counts for envy like anybody else's.
* When cards are collected that went out of play otherwise than by surrender (a hand voided under §11(d), a wager
  withdrawn after the close) no section says: any moment will do, and what that leaves open is left open.
* A premium hand under a bonus wager of less than $5 stays by §15(d)(2)(iii) and does not by §9(l)(1)(i)b: both are in
  order. So are both where the only Qualifying Wager was made or withdrawn late, forfeited or voided; the hands of such
  a round are taken as rearranged ("has placed", §9(l)).
* A hand surrendered after it was exposed is not surrendered (§9(e)): WAGER-505, and the wager is settled by the hands.
* A wrong start makes hands dead (§11(c)); by number or button only as filed (R-57).
* After a void round the button stays or moves: both are in order (R-56).
* With a card found face up set aside (§11(f)) three cards are the right stub, not four (§8(d)).
* A dealer with no wager left to play against need not set the hand: no house way then.
* Where rack and hand shown disagree and no deal decides, the hand (or its setting) may be either.
* "Betting the minimum permissible wager" (§16(j)) is the smallest Fortune wager at the highest odds.
"""
