"""Massachusetts Pai Gow Poker (MA-PGP): the standard game with the Fortune bonus and its envy bonus.

* pack.yaml, paytables/: the rules as data
* rules: the rules as functions over columns, each with its citation
* terms: what the licensee filed, typed
* seats: who bet, surrendered or was voided, and what follows for the cards
* pickup, deal: places of the packets in the rack; hands as dealt
* hands, solver: hands from rack, deal and hands shown, and what does not fit
* settlement: what every wager and envy bonus should come to
* procedure, sentences: what was not done as the rules say
* views, case_round: a round for people; a case as a round
* game: the pack's interface
"""
