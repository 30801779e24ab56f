"""Massachusetts Supreme Pai Gow (MA-SPG): four cards set as two hands of two, the bonus wager, bank and co-bank.

* pack.yaml, dealing.yaml, paytables/: the rules as data
* rules: the rules as functions over columns, each with its citation, and the law that family split_hands asks for
"""
