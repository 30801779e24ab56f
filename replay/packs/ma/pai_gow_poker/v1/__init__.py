"""Massachusetts Pai Gow Poker (MA-PGP): the standard game, EZ Pai Gow Poker and Face Up, with their side wagers.

* pack.yaml, paytables/: the rules as data
* rules: the rules as functions over columns, each with its citation, and the law that family split_hands asks for
* side_wagers: the wagers that are paid by a pay table
* variants: what EZ and Face Up change, and what cannot be filed together
"""
