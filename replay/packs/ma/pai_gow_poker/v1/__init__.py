"""Massachusetts Pai Gow Poker (MA-PGP): the standard game with the Fortune bonus and its envy bonus.

* pack.yaml, paytables/: the rules as data
* rules: the rules as functions over columns, each with its citation, and the law that family split_hands asks for
"""
