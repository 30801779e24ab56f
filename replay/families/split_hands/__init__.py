"""Games whose hands are set as a low and a high hand: pai gow poker, Supreme Pai Gow.

* law: what the family takes from a pack
* terms: what the licensee filed, typed, with the law bound to it
* geometry: how many places, hands and cards there are
* seats: who bet, surrendered or was voided, and what follows for the cards
* pickup, deal: places of the packets in the rack; hands as dealt
* hands, solver: hands from rack, deal and hands shown, and what does not fit
* odd_racks, odd_deals, another_order, settled_as: racks and deals that are not in order
* settlement: what every wager and envy bonus should come to
* procedure: what was not done as the rules say (`replay.checks`)
* views, case_round: a round for people; a case as a round
* game: what `replay.game` asks of a family
"""
