"""Massachusetts Supreme Pai Gow (MA-SPG): four cards set as two hands of two, with players who bank.

* pack.yaml, dealing.yaml, paytables/: the rules as data
* rules: the rules as functions over columns, each with its citation, and the law that family split_hands asks for

What MA-SPG and rulings.md leave open, and how it is read here:

* A hand with a bonus wager is laid out anew only where that wins (§12(i)); its setting is then not in the rack.
* A bank sets its own hand; a foul one counts as the house way sets it (§16(j)). The dealer sets a co-bank's (§13(e)).
* Bonus wagers are settled although an exposed card of the dealer's or the bank's voids the hands (§16(e)).
* Cards shuffled again after one was exposed while the stacks were dealt (§16(k)) go on as the same round.
* The first offer of the bank (§13(c)) goes to the next player counterclockwise who may bank and has a wager, also where
  it was declined; after the last one it begins on the dealer's right. With new cards it may begin there or go on.
* The cut (§6(d)) likewise; who was first at the table when the game begins no device says.
* A bank's own area is the one betting area it may have (§13(f)), and a wager of its player elsewhere is one too many.
* "The last round of play in which there was no player banking the game" (§13(d)(1)) counts every wager of a seat.
"""
