"""Games in which players ante, look at some of their cards, and then raise or fold; who raised sets a low and a high
hand against the dealer's, which has a card left over.

* law: what the family takes from a pack
* terms: what the licensee filed, typed, with the law bound to it
* seats: who bet, raised, folded or was voided, and how many cards each place is due
* deal: hands as dealt
* pickup: the rack under the pickup procedure
* hands: hands from rack, deal and hands shown
* odd_racks, settled_as: racks that do not fit, put to the solver with the reports as a witness
* settlement, paid_by_class, fared: what every wager, royalty and envy bonus should come to
* procedure: what was not done as the rules say (`replay.checks`)
* views, case_round: a round for people; a case as a round
* game: what `replay.game` asks of a family
"""
